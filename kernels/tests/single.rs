//! What `#[kernel]` derives for the workloads and applications is what their other form says by hand; and what it refuses.

use apportion::data::{ArrayMap, Distribution};
use apportion::kernel::{Argument, Precision};
use apportion::prelude::*;
use apportion::region::{Dims, Edge};
use apportion_kernels::apps::{heat2d::Heat2d, heat3d::Edges, heat3d::Heat3d, jacobi::Jacobi};
use apportion_kernels::single;
use apportion_kernels::{Form, Memory, Real, WORKLOADS};

mod machines;
use machines::{emulated, host, runtime};

/// Direction, elements of an iteration (0: all), and elements before and after these.
fn shape(map: &ArrayMap<'_>) -> (String, usize, u64, u64) {
    let (of_iteration, row) = match map.distribution {
        Distribution::Align { ratio } => (map.row_len * ratio as usize, map.row_len as u64),
        _ => (0, 0),
    };
    (map.direction.to_string(), of_iteration, map.halo.left * row, map.halo.right * row)
}

#[test]
fn maps_and_scalar_free_costs_are_those_by_hand() {
    for entry in WORKLOADS {
        for (&element, n) in entry.elements.iter().flat_map(|element| [(element, 48), (element, 112)]) {
            let [by_hand, single] = Form::ALL.map(|form| {
                let mut instance = entry.build_as(form, n, element, 1, Memory::Plain).unwrap();
                let cost = instance.kernel().stated_cost().unwrap();
                let bound = instance.bind();
                let shapes: Vec<_> = bound.arguments().iter().filter_map(Argument::array).map(shape).collect();
                (shapes, cost)
            });
            assert_eq!(by_hand.0, single.0, "{} {element} {n}", entry.name);
            // Memory is what it is; of operations, there is more than one way to count.
            let (a, b) = (by_hand.1, single.1);
            for (a, b) in [(a.stores, b.stores), (a.flops, b.flops)] {
                assert!(a == b || (0.3..3.0).contains(&(b / a)), "{} {element} {n}: {a} and {b}", entry.name);
            }
            // By hand bytes are handled in instructions for several of them.
            let same = a.precision == b.precision || (a.precision, b.precision) == (Precision::U8, Precision::F32);
            assert!(same, "{} {element}: {:?} and {:?}", entry.name, a.precision, b.precision);
        }
    }
}

/// Some of the applications need no ghost rows: they run in plain loops too, whatever divides them.
fn in_plain_loops<T: Real>(rt: &Runtime, policy: &Policy) {
    let (n, m) = (21, 19);
    let jacobi = Jacobi::<T>::new(n, m, 5).unwrap();
    let [ax, ay, b, omega] = jacobi.weights();
    let f = jacobi.f(Memory::Plain).unwrap();
    let (mut u, mut old) = (jacobi.u(Memory::Plain).unwrap(), jacobi.u(Memory::Plain).unwrap());
    let heat = Heat2d::<T>::new(n, m).unwrap();
    let (mut new, mut before) = (heat.start(Memory::Plain).unwrap(), heat.start(Memory::Plain).unwrap());
    let block = Heat3d::<T>::new([9, 7, 5], Edges::Fixed, 5).unwrap();
    let (mut new3, mut before3) = (block.start(Memory::Plain).unwrap(), block.start(Memory::Plain).unwrap());
    let mut sums = Vec::new();
    for _ in 0..3 {
        let sweep = single::jacobi(m, ax, ay, b, omega, &f, &old, &mut u);
        sums.push(rt.parallel_for(1..n - 1, sweep).policy(policy.clone()).reduce::<f64>(Sum).unwrap().value);
        let step = single::heat2d(m, heat.tfac(), &before, &mut new);
        rt.parallel_for(1..n - 1, step).policy(policy.clone()).run().unwrap();
        let step = single::heat3d_fixed(7, 5, block.kappa(), &before3, &mut new3);
        rt.parallel_for(1..8usize, step).policy(policy.clone()).run().unwrap();
        std::mem::swap(&mut u, &mut old);
        std::mem::swap(&mut new, &mut before);
        std::mem::swap(&mut new3, &mut before3);
    }
    let (expected, residuals) = jacobi.reference(3).unwrap();
    let compared = [
        apportion_kernels::apps::compare("u", m, &old, &expected),
        apportion_kernels::apps::compare("T", m, &before, &heat.reference(3).unwrap()),
        apportion_kernels::apps::compare("T", 5, &before3, &block.reference(3).unwrap()),
    ];
    for verified in compared {
        assert!(verified.ok, "{policy}: {verified}");
    }
    for (sum, residual) in sums.iter().zip(&residuals) {
        assert!((sum - residual).abs() <= 1e-5 * residual, "{sum} {residual}");
    }
}

#[test]
fn stencils_with_a_fixed_rim_run_in_plain_loops_too() {
    let rt = runtime(&[host(), emulated("a", 20.0), emulated("b", 5.0)]).unwrap();
    for policy in [Policy::Block, "SCHED_DYNAMIC:3".parse().unwrap(), Policy::Auto] {
        in_plain_loops::<f32>(&rt, &policy);
        in_plain_loops::<f64>(&rt, &policy);
    }
}

#[track_caller]
fn told<T>(result: Result<T>, words: &[&str]) {
    let error = result.err().expect("this is a mistake").to_string();
    for word in words {
        assert!(error.contains(word), "no `{word}` in: {error}");
    }
}

#[test]
fn in_a_region_the_layout_must_be_the_one_that_the_kernel_reads() -> Result<()> {
    let rt = runtime(&[host(), emulated("a", 10.0)])?;
    let (n, m) = (12usize, 8usize);
    let (old, mut new) = (vec![1.0f32; n * m], vec![0.0f32; n * m]);
    let mut region = rt.data_region();
    let plain = region.to(&old, [n, m].named("plain"));
    let right = region.to(&old, [n, m].halo(1).named("right"));
    let ring = region.to(&old, [n, m].halo(1).edge(Edge::Periodic).named("ring"));
    let long = region.to(&old, [n / 2, 2 * m].halo(1).named("long"));
    let all = region.to(&old, [n, m].full().named("all"));
    let new = region.tofrom(&mut new, [n, m].named("new"));
    let mut heat =
        |rows: std::ops::Range<usize>, old| region.parallel_for(rows, single::heat2d(m, 0.1, old, new)).run();
    told(heat(1..n - 1, plain), &["reads 1 rows before and 1 after", "array `plain`", "map it with `.halo(1)`"]);
    told(heat(1..n - 1, long), &["`long`", "8 elements from 8*i on", "mapped with 16 for each", "rows of 8 elements"]);
    // Rows before the first one are there where the edge says so, and are reached by each row but for the rim's columns.
    told(heat(0..n, new), &["passed twice", "would race", "one `&mut` parameter"]);
    heat(1..n - 1, right)?;
    heat(0..n, ring)?;
    heat(1..n - 1, all)?;
    let (matrix, mut y) = (vec![1.0f32; n * n], vec![0.0f32; n]);
    let mut region = rt.data_region();
    let matrix = region.to(&matrix, [n, n].named("matrix"));
    let x = region.to(&old[..n], [n].named("x"));
    let y = region.from(&mut y, [n].named("y"));
    told(
        region.parallel_for(0..n, single::matvec(n, matrix, x, y)).run(),
        &["array `x`", "any of its elements", "map it with `.full()`"],
    );
    told(
        region.parallel_for(0..n, single::axpy(2.0, &old[..n], y)).run(),
        &["array `x`", "not in the region", "pass what that gives to the kernel's function"],
    );
    told(
        rt.parallel_for(0..n, single::axpy(2.0, x, y)).run(),
        &["belongs to a data region", "that region's own `parallel_for`"],
    );
    Ok(())
}

#[test]
fn rows_beyond_the_edge_are_read_where_there_are_ghost_rows_alone() -> Result<()> {
    let rt = runtime(&[host()])?;
    let (n, m) = (6usize, 5usize);
    let (old, mut r, mut new) = (vec![0.5f32; n * m], vec![0.0f32; n * m], vec![0.0f32; n * m]);
    // Cardiac reads rows -1 and n.
    told(
        rt.parallel_for(0..n, single::cardiac(m, 0.1f32, 0.1, &old, &mut r, &mut new)).run(),
        &["array `e_old`", "reach elements -5 to", "30 elements"],
    );
    let mut region = rt.data_region();
    let open = region.to(&old, [n, m].halo(1).named("open"));
    let mirrored = region.to(&old, [n, m].halo(1).edge(Edge::Reflecting).named("mirrored"));
    let (r, new) = (region.tofrom(&mut r, [n, m]), region.from(&mut new, [n, m]));
    told(
        region.parallel_for(0..n, single::cardiac(m, 0.1f32, 0.1, open, r, new)).run(),
        &["`open`", "reach elements -5 to", "30 elements"],
    );
    region.parallel_for(1..n - 1, single::cardiac(m, 0.1f32, 0.1, open, r, new)).run()?;
    region.parallel_for(0..n, single::cardiac(m, 0.1f32, 0.1, mirrored, r, new)).run()?;
    region.finish()?;
    Ok(())
}

#[test]
fn what_a_loop_reads_alone_is_exchanged() -> Result<()> {
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let (n, m) = (32usize, 8usize);
    let (mut x, mut y) = (vec![1.0f32; n * m], vec![0.0f32; n * m]);
    let mut region = rt.data_region().split(apportion::region::RegionSplit::Even).rebalance(false);
    let x = region.tofrom(&mut x, [n, m].halo(1));
    let y = region.tofrom(&mut y, [n, m].halo(1));
    // Row i alone.
    for _ in 0..3 {
        region.parallel_for(0..n, rows::scale(m, x, y)).run()?;
        region.parallel_for(0..n, rows::scale(m, y, x)).run()?;
    }
    assert_eq!(region.report()?.exchanges, 0);
    region.parallel_for(1..n - 1, single::heat2d(m, 0.1, x, y)).run()?;
    assert_eq!(region.report()?.exchanges, 1);
    region.finish()?;
    Ok(())
}

mod rows {
    use apportion::kernel;

    #[kernel]
    pub fn scale(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            y[i * m + j] = 0.5 * x[i * m + j];
        }
    }
}

#[test]
fn arrays_may_be_slices_vectors_boxes_and_more() -> Result<()> {
    let rt = runtime(&[host()])?;
    let x = [1.0f32, 2.0, 3.0];
    let shared: std::sync::Arc<[f32]> = x.into();
    let boxed: Box<[f32]> = x.into();
    let host_vec = apportion::HostVec::<f32>::zeroed(3)?;
    let mut y = vec![0.0; 3];
    rt.parallel_for(0..3usize, single::axpy(1.0, &x, &mut y)).run()?;
    rt.parallel_for(0..3usize, single::axpy(1.0, &shared, &mut y[..])).run()?;
    rt.parallel_for(0..3usize, single::axpy(1.0, &boxed, &mut *y)).run()?;
    rt.parallel_for(0..3usize, single::axpy(1.0, &host_vec, &mut y)).run()?;
    let mut fixed = [0.0f32; 3];
    rt.parallel_for(0..3usize, single::axpy(2.0, &mut y, &mut fixed)).run()?;
    assert_eq!((y, fixed), (vec![3.0, 6.0, 9.0], [6.0, 12.0, 18.0]));
    Ok(())
}
