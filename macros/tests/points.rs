//! Elements that are arrays, as of points, pixels and complex numbers: on every device what the same functions do in plain Rust.
#![allow(missing_docs)]

#[allow(dead_code)]
mod common;
#[path = "common/points.rs"]
#[allow(dead_code)]
mod points;

use apportion::prelude::*;
use common::{close, each_way, numbers, run};
use points::{self as kernels, plain};

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
    assert_eq!(of(kernels::invert::maps(), 0), format!("tofrom ALIGN, rows of m: row i of m elements follows iteration i; {own}"));
    assert_eq!(of(kernels::statements::maps(), 0), "to ALIGN(2): 2 elements follow each iteration");
    assert_eq!(of(kernels::sorted::maps(), 0), format!("tofrom ALIGN(2): 2 elements follow each iteration; {own}"));
    assert_eq!(of(kernels::long::maps(), 1), format!("tofrom ALIGN: element i follows iteration i; {own}"));
    assert_eq!(of(kernels::products::maps(), 2), format!("from ALIGN: element i follows iteration i; {own}"));
    assert_eq!((kernels::products::maps().loads, kernels::products::maps().stores), ("32", "16"));
}
