//! Arrays and scalars whose names become one where C has reserved the shorter.

use crate::common::each_way;
use apportion::kernel::Bound;
use apportion::prelude::*;

#[kernel]
fn read(i: usize, m: usize, exp: &[f32], exp_v: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for j in 0..m {
        s += exp[i * m + j];
    }
    y[i] = s + exp_v[i + 1];
}

#[kernel]
fn written(i: usize, m: usize, _x: &mut [f32], v_x: &mut [f32]) {
    for j in 0..m {
        _x[i * m + j] = j as f32;
    }
    v_x[i] = 1.0 + i as f32;
}

#[kernel]
#[map(int: reduce(Sum))]
#[map(int_v: reduce(Max))]
fn contributed(i: usize, int: &mut [u32], int_v: &mut [u32]) {
    int[i % 3] += 1;
    int_v[i % 5] = int_v[i % 5].max(i as u32);
}

#[kernel]
fn called(i: usize, x: &[f32], y: &mut [f32]) {
    let powf = x[i].powf(2.0);
    let copysign = x[i].copysign(-1.0);
    let atan2 = x[i].atan2(2.0) + powf.powf(0.5) + copysign.copysign(x[i]);
    y[i] = atan2 + x[i].atan2(2.0);
}

#[test]
fn each_has_its_own_elements() {
    let (n, m) = (100, 7);
    let x: Vec<f32> = (0..n * m).map(|k| (k % 13) as f32).collect();
    let w: Vec<f32> = (0..n + 1).map(|k| (k % 17) as f32).collect();
    let sums: Vec<f32> = (0..n).map(|i| x[i * m..(i + 1) * m].iter().sum::<f32>() + w[i + 1]).collect();
    each_way(|rt, policy, form, what| {
        let run = |bound: Bound<'_>| rt.parallel_for(0..n, form(bound)).policy(policy.clone()).poison(true).run();
        let mut y = vec![5.0f32; n];
        run(read(m, &x, &w, &mut y)).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(y, sums, "{what}");
        let (mut long, mut short) = (vec![5.0f32; n * m], vec![6.0f32; n]);
        run(written(m, &mut long, &mut short)).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(long.iter().enumerate().all(|(k, value)| *value == (k % m) as f32), "{what}: {long:?}");
        assert!(short.iter().enumerate().all(|(i, value)| *value == 1.0 + i as f32), "{what}: {short:?}");
        let (mut counts, mut most) = ([0u32; 3], [0u32; 5]);
        run(contributed(&mut counts, &mut most)).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!((counts, most), ([34, 33, 33], [95, 96, 97, 98, 99]), "{what}");
    });
}

#[test]
fn functions_are_not_hidden_by_what_is_named_like_them() {
    let x: Vec<f32> = (0..100).map(|k| 1.0 + k as f32).collect();
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0f32; 100];
        let run = rt.parallel_for(0..100, form(called(&x, &mut y))).policy(policy.clone()).run();
        run.unwrap_or_else(|error| panic!("{what}: {error}"));
        for (x, y) in x.iter().zip(&y) {
            let want = 2.0 * x.atan2(2.0) + 2.0 * x;
            assert!((y - want).abs() <= 1e-5 * want, "{what}: {y} is not {want}");
        }
    });
}
