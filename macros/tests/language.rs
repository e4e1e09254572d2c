//! Constants outside a function, arrays in helpers, tuples, and the cost of helpers.

#[allow(dead_code)]
mod common;
#[path = "common/programs.rs"]
#[allow(dead_code)]
mod programs;

use apportion::kernel::generated::as_on_gpus;
use apportion::prelude::*;
use common::{close, each_way, everywhere, numbers};
use programs::*;

/// The expressions of `reaching` in plain Rust.
fn expected(x: &[f32]) -> Vec<f32> {
    let n = x.len();
    let w = [0.1f32, 0.2, 0.4, 0.2, 0.1];
    let weighed = |v: &[f32], from: usize| (from..5).map(|k| w[k] * v[k]).sum::<f32>() * SCALE;
    let value = |i: usize| {
        let v: Vec<f32> = (0..5).map(|j| x[(i + j).saturating_sub(REACH).min(n - 1)]).collect();
        let low = v.iter().copied().fold(f32::MAX, f32::min);
        let high = v.iter().copied().fold(f32::MIN, f32::max);
        weighed(&v, 0) + weighed(&v, 3) + (high - low) + v[0]
    };
    (0..n).map(value).collect()
}

macro_rules! scaled {
    ($name:ident, $from:ty, $to:ty, $number:ty, $factor:expr, $list:expr) => {
        #[kernel]
        fn $name(i: usize, by: $number, x: $from, y: $to) {
            let w = $list;
            let more: $number = w[1];
            y[i] = $factor * by * x[i] + more;
        }
    };
}
scaled!(scaled, &[f32], &mut [f32], f32, 1.0 + 2.0, [0.5, 0.25]);

#[test]
fn macros_pass_types_and_expressions() {
    let x = numbers(100, 1);
    everywhere(|rt, policy, what| {
        let mut y = vec![0.0; 100];
        rt.parallel_for(0..100, scaled(2.0, &x, &mut y)).policy(policy).run().unwrap();
        assert!(y.iter().zip(&x).all(|(y, x)| *y == (1.0 + 2.0) * 2.0 * x + 0.25), "{what}");
    });
}

/// Names that generated code might have taken for itself.
mod short_names {
    use apportion::prelude::*;

    #[kernel(helper)]
    pub fn generated(x: f64) -> f64 {
        x + 1.0
    }

    #[kernel]
    pub fn ap(i: usize, p: &[f64], q: &mut [f64]) -> f64 {
        q[i] = generated(p[i]);
        q[i] * p[i]
    }
}

#[test]
fn a_kernel_has_any_name() {
    let p = [1.0, 2.0, 3.0];
    everywhere(|rt, policy, what| {
        let mut q = [0.0; 3];
        let sum = rt.parallel_for(0..3, short_names::ap(&p, &mut q)).policy(policy).reduce::<f64>(Sum).unwrap().value;
        assert_eq!((sum, q), (20.0, [2.0, 3.0, 4.0]), "{what}");
    });
}

#[test]
fn constants_arrays_of_helpers_and_tuples_on_every_device() {
    let n = 300;
    let x = numbers(n, 1);
    let expected = expected(&x);
    let total: f64 = expected.iter().map(|&y| f64::from(y)).sum();
    everywhere(|rt, policy, what| {
        for on_gpus in [false, true] {
            let (mut y, mut k) = (vec![0.0; n], vec![0; n]);
            let bound = reaching(n, &x, &mut y, &mut k);
            let bound = if on_gpus { as_on_gpus(bound) } else { bound };
            let run = rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true);
            close(&[run.reduce::<f64>(Sum).unwrap().value], &[total], 1e-5, what);
            close(&y, &expected, 1e-6, what);
            assert!(k.iter().all(|&k| k == i32::MIN), "{what}");
        }
        let mut y = vec![0.0; n];
        rt.parallel_for(0..n / 2, rows_of(&x, &mut y)).policy(policy).poison(true).run().unwrap();
        assert!((0..n).all(|k| y[k] == x[k] + x[k / 2 * 2]), "{what}");
    });
}

#[test]
fn constants_are_followed_as_arguments_are() {
    let maps = rows_of::maps();
    assert_eq!(maps.arrays[1].distribution, "ALIGN, rows of REACH", "{maps}");
    assert_eq!((maps.arrays[1].direction, maps.flops), ("from", "REACH"));
    let cost = rows_of::cost();
    assert_eq!((cost.flops, cost.stores), (2.0, 8.0));
    assert!(rows_of::cuda_source().contains("#define ap_const_rows_of_REACH_v ((ap_u64)(2u))"));
    // Constants with infinity and the least integer.
    let text = reaching::opencl_source();
    assert!(text.contains("((double)(1.0 / 0.0))") && text.contains("((int)(-2147483647 - 1))"), "{text}");
}

#[test]
fn a_call_of_a_helper_costs_what_it_does() {
    // soft: no cost for the comparison; square() and a root, then square().
    assert_eq!((square::AP_FLOPS, soft::AP_FLOPS), (1, 3));
    // Five turns of two operations, and one more.
    assert_eq!((weighed::AP_FLOPS, twice::AP_FLOPS), (11, 23));
    // In each of n turns: soft(), a difference, its size, a quotient, a sum. The reduction adds one.
    assert_eq!(potential::maps().flops, "n*soft() + 4*n + 1");
    assert_eq!(potential::cost(10, 0.1).flops, 71.0);
}

/// Parameters named like the variables of the generated text.
#[apportion::kernel]
fn counted(i: usize, k: f32, end: f32, wide: f32, step: f32, x: &[f32], y: &mut [f32]) {
    y[i] = k * x[i] + end - wide * step;
}

#[apportion::kernel]
fn counted_sum(i: usize, k: f64, end: f64, x: &[f32]) -> f64 {
    k * x[i] as f64 + end
}

#[test]
fn parameters_of_any_name_keep_their_values() {
    let n = 5000;
    let x = numbers(n, 1);
    let expected: Vec<f32> = x.iter().map(|x| 2.5 * x + 0.5 - 3.0 * 0.25).collect();
    let total: f64 = x.iter().map(|&x| 2.5 * f64::from(x) + 0.5).sum();
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![0.0; n];
        let bound = as_it_is(counted(2.5, 0.5, 3.0, 0.25, &x, &mut y));
        rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true).run().unwrap();
        close(&y, &expected, 0.0, what);
        let run = rt.parallel_for(0..n, as_it_is(counted_sum(2.5, 0.5, &x))).policy(policy);
        close(&[run.reduce::<f64>(Sum).unwrap().value], &[total], 1e-9, what);
    });
}

/// Helpers, and constants, of the same name in different modules.
mod near {
    pub const WEIGHT: f32 = 2.0;
    #[apportion::kernel(helper, const WEIGHT: f32)]
    pub fn soft(x: f32) -> f32 {
        x * WEIGHT
    }
    #[apportion::kernel(helper, T = f32 | f64)]
    pub fn more<T>(x: T) -> T {
        x + 1.0
    }
    /// Takes the first free name after `soft`.
    #[apportion::kernel(helper)]
    pub fn soft_2(x: f32) -> f32 {
        x * 64.0
    }
}

mod far {
    pub const WEIGHT: f32 = 8.0;
    #[apportion::kernel(helper, const WEIGHT: f32)]
    pub fn soft(x: f32) -> f32 {
        let of_near: f32 = super::near::soft(x);
        of_near + x * WEIGHT
    }
    #[apportion::kernel(helper, T = f32 | f64)]
    pub fn more<T>(x: T) -> T {
        x * 4.0
    }
    pub use more as other;
}

/// A library's function that calls another of the name that the kernel calls.
mod library {
    #[apportion::kernel(helper)]
    pub fn soft(x: f32) -> f32 {
        0.5 - x
    }
    #[apportion::kernel(helper)]
    pub fn shifted(x: f32) -> f32 {
        let of_library: f32 = soft(x);
        of_library + 16.0
    }
}

#[apportion::kernel]
fn namesakes(i: usize, x: &[f32], y: &mut [f32], z: &mut [f32]) {
    y[i] = far::soft(x[i]) + 32.0 * near::soft(x[i]) + library::shifted(x[i]);
    let of_near: f32 = near::more::<f32>(x[i]);
    let of_far: f32 = far::other::<f32>(x[i]);
    z[i] = of_near + far::more::<f32>(of_far) + near::soft_2(x[i]);
}

#[test]
fn helpers_of_one_name_in_different_modules_are_different_functions() {
    let n = 300;
    let x: Vec<f32> = numbers(n, 1).iter().map(|x| (x * 8.0).round() / 8.0).collect();
    let y: Vec<f32> = x.iter().map(|x| 10.0 * x + 64.0 * x + (0.5 - x + 16.0)).collect();
    let z: Vec<f32> = x.iter().map(|x| x + 1.0 + 16.0 * x + 64.0 * x).collect();
    each_way(|rt, policy, as_it_is, what| {
        let (mut got_y, mut got_z) = (vec![0.0; n], vec![0.0; n]);
        let bound = as_it_is(namesakes(&x, &mut got_y, &mut got_z));
        rt.parallel_for(0..n, bound).policy(policy).poison(true).run().unwrap();
        close(&got_y, &y, 0.0, what);
        close(&got_z, &z, 0.0, what);
    });
    for text in [namesakes::cuda_source(), namesakes::opencl_source()] {
        assert!(!text.contains('@'), "{text}");
        assert_eq!(text.matches("#define ap_const_soft_WEIGHT_v").count(), 2, "{text}");
    }
}

#[test]
fn bits_of_floats_are_the_same_on_every_device() {
    let n = 5000;
    let x = numbers(n, 3);
    let at = (0..n).min_by(|&a, &b| x[a].total_cmp(&x[b])).unwrap();
    assert!(x[at] < 0.0 && least::cuda_source().contains("__double_as_longlong"));
    each_way(|rt, policy, as_it_is, what| {
        let (mut y, mut z, mut w) = (vec![0.0; n], vec![0; n], vec![0.0; n]);
        let bound = as_it_is(least(&x, &mut y, &mut z, &mut w));
        let key = rt.parallel_for(0..n, bound).policy(policy).poison(true).reduce::<u64>(Min).unwrap().value;
        assert_eq!(key as u32 as usize, at, "{what}");
        for i in 0..n {
            let wide = f64::from(x[i]) * 1.1;
            assert_eq!((z[i], y[i]), (wide.to_bits() ^ 2.5f64.to_bits(), wide.abs() + f64::from_bits(3)), "{what}");
            assert_eq!(w[i], f32::from_bits(0x3f80_0000 | (x[i] + 1.0).to_bits() >> 9), "{what}");
        }
    });
}
