//! Elements that are arrays, as of points, pixels and complex numbers: on every device what the same functions do in plain Rust.
#![allow(missing_docs)]

#[allow(dead_code)]
mod common;
#[path = "common/generate_points.rs"]
mod generate_points;
#[path = "common/points.rs"]
#[allow(dead_code)]
mod points;
#[path = "common/random_points.rs"]
#[allow(dead_code)]
mod random_points;

use apportion::kernel::generated::as_on_gpus;
use apportion::kernel::{Bound, Element};
use apportion::prelude::*;
use apportion::region::{Dims, Edge, Sides};
use common::{check_programs, close, each_way, grids, numbers, run, runtimes};
use points::{self as kernels, plain};
use std::panic::{AssertUnwindSafe, catch_unwind};

const N: usize = 300;

fn points<const C: usize>(n: usize, seed: u64) -> Vec<[f32; C]> {
    numbers(n * C, seed).as_chunks().0.to_vec()
}

fn integers<const C: usize>(n: usize) -> Vec<[i32; C]> {
    (0..n as i32).map(|i| std::array::from_fn(|c| (i * 37 + c as i32 * 11) % 101 - 50)).collect()
}

fn doubles<const C: usize>(n: usize, seed: u64) -> Vec<[f64; C]> {
    points::<C>(n, seed).into_iter().map(|p| p.map(f64::from)).collect()
}

fn pixels(n: usize) -> Vec<[u8; 4]> {
    (0..n).map(|i| [i as u8, (i * 7) as u8, (i * 13) as u8, (i * 31 + 5) as u8]).collect()
}

#[test]
fn points_are_moved_as_in_rust() {
    let (v, p, mass) = (points::<3>(N, 1), points::<3>(N, 2), numbers(N, 3));
    let (mut moved, mut pulled, mut halves) = (p.clone(), vec![[0.0; 3]; N], vec![[9.0; 3]; N]);
    (0..N).for_each(|i| plain::step(i, 0.25, &v, &mut moved));
    (0..N).for_each(|i| plain::forces(i, N, &mass, &p, &mut pulled));
    (1..N - 1).for_each(|i| plain::between(i, &p, &mut halves));
    each_way(|rt, policy, as_it_is, what| {
        let (mut q, mut f, mut y) = (p.clone(), vec![[0.0; 3]; N], vec![[9.0; 3]; N]);
        run(rt, 0..N, &policy, as_it_is(kernels::step(0.25, &v, &mut q)));
        assert_eq!(q, moved, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::forces(N, &mass, &p, &mut f)));
        close(f.as_flattened(), pulled.as_flattened(), 1e-4, what);
        run(rt, 1..N - 1, &policy, as_it_is(kernels::between(&p, &mut y)));
        assert_eq!(y, halves, "{what}");
    });
}

#[test]
fn complex_numbers_and_pixels_are_elements() {
    let (a, b, pixels) = (doubles::<2>(N, 1), doubles::<2>(N, 2), pixels(N * 7));
    let (mut products, mut grey, mut inverted) = (vec![[0.0; 2]; N], vec![[0; 2]; N], pixels.clone());
    (0..N).for_each(|i| plain::products(i, &a, &b, &mut products));
    (0..N).for_each(|i| plain::grey(i, &pixels, &mut grey));
    (0..N).for_each(|i| plain::invert(i, 7, &mut inverted));
    each_way(|rt, policy, as_it_is, what| {
        let (mut c, mut y, mut q) = (vec![[0.0; 2]; N], vec![[0; 2]; N], pixels.clone());
        run(rt, 0..N, &policy, as_it_is(kernels::products(&a, &b, &mut c)));
        assert_eq!(c, products, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::grey(&pixels, &mut y)));
        assert_eq!(y, grey, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::invert(7, &mut q)));
        assert_eq!(q, inverted, "{what}");
    });
}

#[test]
fn statements_about_whole_elements_are_those_of_rust() {
    let (p, at): (_, Vec<u32>) = (integers::<3>(2 * N), (0..N as u32).map(|i| i * 7 % 11).collect());
    let (f, long, one) = (points::<3>(N, 4), points::<20>(N, 5), doubles::<1>(N, 6));
    let pairs = points::<2>(2 * N, 7);
    let mut expected = (vec![[0; 3]; N], vec![0.0; N], pairs.clone(), vec![[0.0; 20]; N], vec![[0.0; 1]; N]);
    for i in 0..N {
        plain::statements(i, &p, &at, &mut expected.0);
        let w = f[at[i] as usize];
        expected.1[i] = f[i][at[i] as usize % 5 / 2] + w[0] - w[2];
        plain::sorted(i, &mut expected.2);
        plain::long(i, &long, &mut expected.3);
        plain::single(i, &one, &mut expected.4);
    }
    let moved = pairs.chunks(2).zip(expected.2.chunks(2)).filter(|(a, b)| a[0][0] != b[0][0]).count();
    assert!(moved > N / 4 && moved < N - N / 4, "{moved}");
    each_way(|rt, policy, as_it_is, what| {
        let mut y = (vec![[0; 3]; N], vec![0.0; N], pairs.clone(), vec![[0.0; 20]; N], vec![[0.0; 1]; N]);
        run(rt, 0..N, &policy, as_it_is(kernels::statements(&p, &at, &mut y.0)));
        run(rt, 0..N, &policy, as_it_is(kernels::chosen(&at, &f, &mut y.1)));
        run(rt, 0..N, &policy, as_it_is(kernels::sorted(&mut y.2)));
        run(rt, 0..N, &policy, as_it_is(kernels::long(&long, &mut y.3)));
        run(rt, 0..N, &policy, as_it_is(kernels::single(&one, &mut y.4)));
        assert_eq!(y, expected, "{what}");
    });
}

#[test]
fn helpers_take_elements() {
    let p = points::<3>(N, 8);
    let square = |a: [f32; 3], b: [f32; 3]| (0..3).map(|d| (a[d] - b[d]).powi(2)).sum::<f32>();
    let expected: Vec<[f32; 2]> = (0..N)
        .map(|i| {
            let near = p.iter().filter(|q| square(**q, p[i]) < 0.5).count();
            let others = (0..N).filter(|j| *j != i).map(|j| square(p[i], p[j]));
            [near as f32, others.fold(f32::MAX, f32::min)]
        })
        .collect();
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![[0.0; 2]; N];
        run(rt, 0..N, &policy, as_it_is(kernels::near(N, 0.5, &p, &mut y)));
        close(y.as_flattened(), expected.as_flattened(), 1e-5, what);
    });
}

#[test]
fn reductions_and_contributions_are_of_components() {
    let (m, v, p) = (doubles::<1>(N, 1), doubles::<3>(N, 2), integers::<3>(N));
    let m = m.as_flattened();
    let class: Vec<u32> = (0..N as u32).map(|i| i * i % 5).collect();
    let energy: f64 = (0..N).map(|i| plain::energy(i, m, &v)).sum();
    let (mut sums, mut most) = (vec![[1; 4]; 5], vec![[7; 2]; 5]);
    for i in 0..N {
        let c = class[i] as usize;
        (0..3).for_each(|d| sums[c][d] += p[i][d]);
        sums[c][3] += 1;
        most[c][1] = most[c][1].max(i as u32);
    }
    each_way(|rt, policy, as_it_is, what| {
        let sum = rt.parallel_for(0..N, as_it_is(kernels::energy(m, &v))).policy(policy.clone()).reduce::<f64>(Sum);
        assert!((sum.unwrap().value - energy).abs() < 1e-9, "{what}");
        let (mut s, mut l) = (vec![[1; 4]; 5], vec![[7; 2]; 5]);
        run(rt, 0..N, &policy, as_it_is(kernels::classes(&class, &p, &mut s, &mut l)));
        assert_eq!((&s, &l), (&sums, &most), "{what}");
    });
}

fn turned<T: Element>(rt: &Runtime, by: T, p: &[[T; 2]], y: &mut [[T; 2]]) -> Result<()> {
    rt.parallel_for(0..p.len(), kernels::scaled(by, p, y)).run()?;
    Ok(())
}

#[test]
fn generic_code_calls_kernels_of_such_elements() {
    let (p, mut y) = (doubles::<2>(N, 2), vec![[0.0; 2]; N]);
    for (what, rt) in runtimes() {
        turned(&rt, 2.0, &p, &mut y).unwrap();
        assert!((0..N).all(|i| y[i] == [2.0 * p[i][1], 2.0 * p[i][0]]), "{what}");
    }
}

#[test]
fn every_kind_of_array_is_taken() {
    let (a, b) = (points::<2>(N, 1), doubles::<2>(N, 2));
    let swapped: Vec<[f32; 2]> = a.iter().map(|p| [3.0 * p[1], 3.0 * p[0]]).collect();
    each_way(|rt, policy, as_it_is, what| {
        let locked = HostVec::from_slice(&a).unwrap();
        let (mut y, mut z) = (HostVec::<[f32; 2]>::zeroed(N).unwrap(), vec![[0.0; 2]; N].into_boxed_slice());
        run(rt, 0..N, &policy, as_it_is(kernels::scaled(3.0, &locked, &mut y)));
        assert_eq!(y, swapped, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::scaled(3.0, &a[..], &mut z)));
        assert_eq!(*z, *swapped, "{what}");
        let mut w = [[0.0; 2]; 8];
        run(rt, 0..8, &policy, as_it_is(kernels::scaled(3.0, &b, &mut w)));
        assert!((0..8).all(|i| w[i] == [3.0 * b[i][1], 3.0 * b[i][0]]), "{what}");
        let (m, mut cells) = (12, vec![[0.0; 2]; N]);
        run(rt, 0..N / m, &policy, as_it_is(kernels::cells(0..m, m, &a, &mut cells)));
        assert!((0..N).all(|i| cells[i] == [a[i][0] + a[i][1], a[i][0] - a[i][1]]), "{what}");
    });
    assert_eq!(kernels::scaled::<f64>::maps().kernel, "scaled_f64");
}

#[test]
fn maps_count_elements() {
    let of = |maps: apportion::kernel::Maps, array: usize| {
        let note = maps.arrays[array];
        format!("{} {}: {}", note.direction, note.distribution, note.why)
    };
    let own = "proved: iterations stay in their own";
    assert_eq!(of(kernels::step::maps(), 0), "to ALIGN: element i follows iteration i");
    assert_eq!(of(kernels::step::maps(), 1), format!("tofrom ALIGN: element i follows iteration i; {own}"));
    assert_eq!(of(kernels::forces::maps(), 2), format!("from ALIGN: element i follows iteration i; {own}"));
    assert_eq!(of(kernels::between::maps(), 0), "to ALIGN, halo 1: element i follows iteration i");
    assert_eq!(
        of(kernels::invert::maps(), 0),
        format!("tofrom ALIGN, rows of m: row i of m elements follows iteration i; {own}")
    );
    assert_eq!(of(kernels::statements::maps(), 0), "to ALIGN(2): 2 elements follow each iteration");
    assert_eq!(of(kernels::sorted::maps(), 0), format!("tofrom ALIGN(2): 2 elements follow each iteration; {own}"));
    assert_eq!(of(kernels::long::maps(), 1), format!("tofrom ALIGN: element i follows iteration i; {own}"));
    assert_eq!(of(kernels::products::maps(), 2), format!("from ALIGN: element i follows iteration i; {own}"));
    assert_eq!((kernels::products::maps().loads, kernels::products::maps().stores), ("32", "16"));
}

#[test]
fn regions_keep_elements_on_the_devices() {
    let (first, v, mass) = (points::<3>(N, 1), points::<3>(N, 2), numbers(N, 3));
    let mut expected = first.clone();
    let mut pulled = vec![[0.0; 3]; N];
    for _ in 0..3 {
        let before = expected.clone();
        for (i, point) in expected.iter_mut().enumerate() {
            let [low, high] = [(i + N - 1) % N, (i + 1) % N];
            *point = std::array::from_fn(|d| 0.5 * (before[low][d] + before[high][2 - d]));
        }
        (0..N).for_each(|i| plain::step(i, 0.25, &v, &mut expected));
    }
    (0..N).for_each(|i| plain::forces(i, N, &mass, &expected, &mut pulled));
    for (what, rt) in runtimes() {
        let (mut even, mut odd, mut f) = (first.clone(), vec![[0.0; 3]; N], vec![[0.0; 3]; N]);
        let mut region = rt.data_region();
        let mass = region.to(&mass, [N].full());
        let v = region.to(&v, [N].named("v"));
        let mut old = region.tofrom(&mut even, [N].halo(1).edge(Edge::Periodic));
        let mut new = region.tofrom(&mut odd, [N].halo(1).edge(Edge::Periodic));
        let all = region.alloc::<[f32; 3]>([N].full());
        let f_ = region.from(&mut f, [N]);
        assert_eq!((old.len(), all.len()), (N, N));
        for _ in 0..3 {
            region.parallel_for(0..N, kernels::between(old, new)).run().unwrap();
            region.parallel_for(0..N, kernels::step(0.25, v, new)).run().unwrap();
            std::mem::swap(&mut old, &mut new);
        }
        region.copy(old, all).unwrap();
        region.parallel_for(0..N, kernels::forces(N, mass, all, f_)).run().unwrap();
        region.update_from(old).unwrap();
        close(region.host(old).unwrap().as_flattened(), expected.as_flattened(), 1e-5, what);
        region.host_mut(old).unwrap()[7] = [1.0, 2.0, 3.0];
        region.update_to(old).unwrap();
        region.finish().unwrap();
        close(f.as_flattened(), pulled.as_flattened(), 1e-3, what);
        assert_eq!(odd[7], [1.0, 2.0, 3.0], "{what}");
        close(odd[8..].as_flattened(), expected[8..].as_flattened(), 1e-5, what);
    }
}

#[test]
fn regions_have_rows_of_elements_and_contributions() {
    let (n, m, pixels, p) = (40, 7, pixels(40 * 7), integers::<3>(N));
    let mut inverted = pixels.clone();
    (0..n).for_each(|i| plain::invert(i, m, &mut inverted));
    let class: Vec<u32> = (0..N as u32).map(|i| i * i % 5).collect();
    let mut sums = vec![[1; 4]; 5];
    for i in 0..N {
        (0..3).for_each(|d| sums[class[i] as usize][d] += p[i][d]);
        sums[class[i] as usize][3] += 1;
    }
    for (what, rt) in runtimes() {
        let mut q = pixels.clone();
        let mut region = rt.data_region();
        let image = region.tofrom(&mut q, [n, m]);
        region.parallel_for(0..n, kernels::invert(m, image)).run().unwrap();
        region.finish().unwrap();
        assert_eq!(q, inverted, "{what}");
        let (mut s, mut most) = (vec![[1; 4]; 5], vec![[7; 2]; 5]);
        let mut region = rt.data_region();
        let (class, p) = (region.to(&class, [N]), region.to(&p, [N]));
        let (of_s, of_most) = (region.tofrom(&mut s, [5].full()), region.tofrom(&mut most, [5].full()));
        region.parallel_for(0..N, kernels::classes(class, p, of_s, of_most)).run().unwrap();
        region.finish().unwrap();
        assert_eq!(s, sums, "{what}");
    }
}

#[test]
fn devices_in_a_grid_have_cells_of_several_components() {
    let (n, m) = (37, 23);
    let (first, table) = (points::<2>(n * m, 1), points::<3>(m, 2));
    let mut expected = first.clone();
    for _ in 0..3 {
        let old = expected.clone();
        let cell = |i: usize, j: usize| old[i % n * m + j];
        for i in 0..n {
            for j in 1..m - 1 {
                let [west, east, south] = [cell(i, j - 1), cell(i, j + 1), cell(i + 1, j)];
                let [a, b] = cell(i + n - 1, j);
                expected[i * m + j] = [0.25 * (west[1] + east[0]) + table[j][2], a - b + south[(i + j) % 2]];
            }
        }
    }
    grids(|rt, arrangement, what| {
        let forms: [fn(Bound<'_>) -> Bound<'_>; 2] = [|bound| bound, as_on_gpus];
        for form in forms {
            let (mut even, mut odd) = (first.clone(), first.clone());
            let mut region = rt.data_region().arrangement(arrangement);
            let layout = || [n, m].halo(1).edge(Edge::Periodic);
            let table = region.to(&table, [m].full());
            let (mut old, mut new) = (region.tofrom(&mut even, layout()), region.tofrom(&mut odd, layout()));
            for _ in 0..3 {
                let bound = form(kernels::stencil(1..m - 1, m, table, old, new));
                region.parallel_for_2d(0..n, 1..m - 1, bound).run().unwrap();
                std::mem::swap(&mut old, &mut new);
            }
            region.finish().unwrap();
            close(odd.as_flattened(), expected.as_flattened(), 1e-5, what);
        }
        let (mut even, mut odd) = (first.clone(), vec![[0.0; 2]; n * m]);
        let mut region = rt.data_region().arrangement(arrangement);
        let (old, new) = (region.tofrom(&mut even, [n * m].full()), region.tofrom(&mut odd, [n, m]));
        let said = region.parallel_for_2d(0..n, 0..m, kernels::cells(0..m, m, old, new)).run().unwrap_err();
        let wanted = format!("its rows have {m} elements by the kernel's indices, but it is mapped in 1 dimension");
        assert!(said.to_string().contains(&wanted), "{what}: {said}");
    });
    each_way(|rt, policy, as_it_is, what| {
        let (a, mut y) = (&first, vec![[0.0; 2]; n * m]);
        run(rt, 0..n, &policy, as_it_is(kernels::cells(0..m, m, a, &mut y)));
        assert!(y.iter().zip(a).all(|(y, a)| *y == [a[0] + a[1], a[0] - a[1]]), "{what}");
    });
}

/// The message of a loop that fails: an error, or a panic of a host body.
fn said<T: std::fmt::Debug>(run: impl FnOnce() -> Result<T>) -> String {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result.unwrap_err().to_string(),
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

fn fails(rt: &Runtime, n: Range<usize>, policy: &Policy, bound: Bound<'_>) -> String {
    said(|| rt.parallel_for(n, bound).policy(policy.clone()).run())
}

#[test]
fn messages_count_elements() {
    let p = points::<3>(N, 1);
    let at: Vec<u32> = (0..N as u32).collect();
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![[0.0; 3]; N];
        let error = fails(rt, 0..N - 1, &policy, as_it_is(kernels::between(&p, &mut y)));
        let wanted = format!("element i - 1 of iteration i, iterations 0..{} reach elements -1 to {}", N - 1, N - 3);
        assert!(error.contains(&wanted) && error.contains(&format!("it has {N} elements")), "{what}: {error}");
        let error = fails(rt, 1..N, &policy, as_it_is(kernels::between(&p, &mut y)));
        assert!(error.contains("element i + 1 of iteration i"), "{what}: {error}");
        // Elements and components that the data choose.
        let (mut wrong, mut f) = (at.clone(), vec![0.0; N]);
        for outside in [N as u32, 123_456_789, u32::MAX] {
            wrong[123] = outside;
            let error = fails(rt, 0..N, &policy, as_it_is(kernels::chosen(&wrong, &p, &mut f)));
            assert!(error.contains(&format!("element {outside} ")), "{what}: {error}");
            if what.starts_with("opencl") || what.starts_with("cuda") {
                assert!(error.contains(&format!("`p` (argument 1), which has {N} elements")), "{what}: {error}");
            }
        }
        let (mut which, mut components) = ((0..N as u32).map(|i| i % 3).collect::<Vec<_>>(), vec![[0.0; 3]; N]);
        run_all(rt, &policy, as_it_is(kernels::component(&which, &mut components)));
        assert!((0..N).all(|i| components[i] == std::array::from_fn(|c| if c == i % 3 { 1.0 } else { 0.0 })), "{what}");
        for outside in [3, u32::MAX] {
            which[222] = outside;
            let error = fails(rt, 0..N, &policy, as_it_is(kernels::component(&which, &mut components)));
            let by_rust = format!("the len is 3 but the index is {outside}");
            let by_device = format!("element {outside} of a local array, which has 3 elements");
            assert!(error.contains(&by_rust) || error.contains(&by_device), "{what}: {error}");
        }
        // The product of such an index and the length of an element wraps to a place that is there.
        let q = points::<2>(N, 1);
        let far: Vec<u64> = (0..N as u64).map(|i| if i == 77 { 1 << 63 } else { i }).collect();
        let error = fails(rt, 0..N, &policy, as_it_is(kernels::far(&far, &q, &mut f)));
        assert!(error.contains("element ") && !error.contains("element 0 "), "{what}: {error}");
        run_all(rt, &policy, as_it_is(kernels::far(&(0..N as u64).collect::<Vec<_>>(), &q, &mut f)));
        assert!((0..N).all(|i| f[i] == q[i][1]), "{what}");
    });
}

fn run_all(rt: &Runtime, policy: &Policy, bound: Bound<'_>) {
    run(rt, 0..N, policy, bound);
}

#[test]
fn regions_say_what_elements_need() {
    for (what, rt) in runtimes() {
        let (p, mut y) = (points::<3>(N, 1), vec![[0.0; 3]; N]);
        let mut region = rt.data_region();
        let (of_p, of_y) = (region.to(&p, [N].named("p")), region.from(&mut y, [N]));
        let said = region.parallel_for(1..N - 1, kernels::between(of_p, of_y)).run();
        match said {
            // One device has all rows.
            Ok(_) => assert_ne!(what, "emulated"),
            Err(said) => assert!(said.to_string().contains("reads 1 rows before and 1 after"), "{what}: {said}"),
        }
        drop(region);
        let mut region = rt.data_region();
        let (of_p, of_y) = (region.to(&p, [N / 2, 2].named("p")), region.from(&mut y, [N]));
        let said = region.parallel_for(0..N / 2, kernels::step(0.5, of_p, of_y)).run().unwrap_err();
        let wanted = "iteration i has the 1 elements from 1*i on, but it is mapped with 2 for each: map it with rows of 1 elements";
        assert!(said.to_string().contains(wanted), "{what}: {said}");
        drop(region);
        let mut region = rt.data_region();
        let (of_p, of_y) = (region.to(&p, [N + 1].named("p")), region.from(&mut y, [N]));
        let said = region.parallel_for(0..N, kernels::step(0.5, of_p, of_y)).run().unwrap_err();
        let wanted = format!("array `p`: its layout [{0}] is of {0} elements, but it has {N}", N + 1);
        assert!(said.to_string().contains(&wanted), "{what}: {said}");
        let said = region.halo_update(of_y, 1, Sides::BOTH).unwrap_err();
        assert!(said.to_string().contains("dimension 1 of an array that has 1"), "{what}: {said}");
    }
}

#[test]
fn maps_that_are_stated_count_elements() {
    let p = points::<3>(2 * N, 1);
    let at: Vec<u32> = (0..N as u32).map(|i| i * 3 % 4).collect();
    let mut y = vec![[0.0; 3]; N];
    each_way(|rt, policy, as_it_is, what| {
        let at: Vec<u32> = at.iter().enumerate().map(|(i, k)| if i + 1 == N { k % 2 } else { *k }).collect();
        run(rt, 0..N, &policy, as_it_is(kernels::stated(&at, &p, &mut y)));
        assert!((0..N).all(|i| y[i] == p[2 * i + at[i] as usize]), "{what}");
        let more = [&at[..], &[0]].concat();
        let error = said(|| rt.parallel_for(0..N + 1, as_it_is(kernels::stated(&more, &p, &mut y))).run());
        assert!(error.contains(&format!("{} rows of 2 elements", N + 1)), "{what}: {error}");
    });
}

#[test]
fn the_random_programs_are_those_of_the_generator() {
    check_programs("points.rs", &generate_points::file());
}

#[test]
fn random_programs_do_what_they_do_in_rust() {
    let n = 61;
    let at: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 9).collect();
    let (p, q) = (integers::<3>(n), integers::<2>(n));
    let (y, z): (Vec<_>, Vec<_>) = (integers::<3>(2 * n)[n..].to_vec(), integers::<2>(2 * n)[n..].to_vec());
    let programs = random_points::all();
    let expected: Vec<_> = programs
        .iter()
        .map(|(plain, _)| {
            let (mut y, mut z) = (y.clone(), z.clone());
            let sum: i64 = (1..n - 1).map(|i| plain(i, n, &at, &p, &q, &mut y, &mut z)).sum();
            (sum, y, z)
        })
        .collect();
    assert_eq!(programs.len() as u64, generate_points::ALL);
    each_way(|rt, policy, as_it_is, what| {
        for (number, ((_, bind), expected)) in programs.iter().zip(&expected).enumerate() {
            let (mut y, mut z) = (y.clone(), z.clone());
            let bound = as_it_is(bind(n, &at, &p, &q, &mut y, &mut z));
            let sum = rt.parallel_for(1..n - 1, bound).policy(policy.clone()).poison(true).reduce::<i64>(Sum);
            assert_eq!(&(sum.unwrap().value, y, z), expected, "program {number} on {what}");
        }
    });
}
