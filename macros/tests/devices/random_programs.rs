//! Random programs: every target does what Rust does.

use crate::common::{Results, close, each_way, everywhere, numbers, run};
use crate::{common, generate, generate_ends, generate_math, math, operators, random};
use apportion::kernel::Bound;
use apportion::kernel::generated::as_on_gpus;
use apportion::prelude::*;

#[test]
fn the_programs_are_those_of_the_generator() {
    for first in (0..random::all().len() as u64).step_by(generate::EACH as usize) {
        common::check_programs(&format!("p{first:02}.rs"), &generate::file(first));
    }
}

#[test]
fn the_programs_of_ends_are_those_of_the_generator() {
    common::check_programs("ends.rs", &generate_ends::file());
}

#[test]
fn the_programs_of_functions_are_those_of_the_generator() {
    common::check_programs("math.rs", &generate_math::file());
}

/// Each function is off by a few units in the last place, with up to three functions nested.
#[test]
fn functions_of_every_target_are_near_those_of_rust() {
    let (rows, n) = (37, 67);
    let x = numbers(rows * n, 1);
    let d: Vec<f64> = numbers(rows, 2).iter().map(|&x| f64::from(x) * 3.0).collect();
    everywhere(|rt, policy, what| {
        for (number, (plain, bind, _)) in math::ALL.iter().enumerate() {
            let (mut y, mut e) = (vec![0.0; rows * n], vec![0.0; rows]);
            let sum: f64 = (0..rows).map(|i| plain(i, n, 0.75, -1.25, &x, &d, &mut y, &mut e)).sum();
            let forms: &[fn(Bound<'_>) -> Bound<'_>] =
                if what.contains("opencl") { &[|bound| bound, as_on_gpus] } else { &[|bound| bound] };
            for (form, as_it_is) in forms.iter().enumerate() {
                let what = format!("functions {number} on {what}, form {form}");
                let (mut got_y, mut got_e) = (vec![9.0; rows * n], vec![9.0; rows]);
                let bound = as_it_is(bind(n, 0.75, -1.25, &x, &d, &mut got_y, &mut got_e));
                let got = rt.parallel_for(0..rows, bound).policy(policy.clone()).poison(true).reduce::<f64>(Sum);
                let got = got.unwrap_or_else(|error| panic!("{what}: {error}"));
                close(&got_y, &y, 1e-5, &what);
                close(&got_e, &e, 1e-13, &what);
                close(&[got.value], &[sum], 1e-13, &what);
            }
        }
    });
}

#[test]
fn the_programs_with_whole_arrays_are_those_of_the_generator() {
    for first in (0..random::whole().len() as u64).step_by(generate::WHOLE as usize) {
        common::check_programs(&format!("w{first:02}.rs"), &generate::whole_file(first));
    }
}

#[test]
fn every_target_does_what_rust_does() {
    compare(&random::all(), 41, 9);
}

#[test]
fn every_target_has_the_turns_that_rust_has() {
    compare(&random::ends(), 41, 9);
    compare(&random::ends(), 5, 130);
}

#[test]
fn every_target_contributes_what_rust_does() {
    compare(&random::whole(), 41, 9);
    compare(&random::whole(), 5, 130);
}

fn compare(programs: &[random::Program], rows: usize, n: usize) {
    let x = numbers(rows * n, 1);
    let d: Vec<f64> = numbers(rows, 2).iter().map(|&x| f64::from(x) * 3.0).collect();
    let v: Vec<i32> = numbers(rows * n, 3).iter().map(|&x| (x * 1e9) as i32).collect();
    let w: Vec<u8> = numbers(n, 4).iter().map(|&x| (x * 128.0 + 128.0) as u8).collect();
    let before = Results {
        y: vec![0.5; rows * n],
        z: vec![-7; rows.max(16)],
        e: vec![0.25; rows],
        q: vec![3 << 40; 2 * rows.max(16)],
    };
    let range = 1..rows - 1;
    let mut expected = Vec::new();
    for (plain, ..) in programs {
        let mut r = before.clone();
        let mut sum = 0u64;
        for i in range.clone() {
            let (y, z, e, q) = (&mut r.y, &mut r.z, &mut r.e, &mut r.q);
            sum = sum.wrapping_add(plain(i, n, 0.75, -1.25, 5, &x, &d, &v, &w, y, z, e, q));
        }
        expected.push((sum, r));
    }
    everywhere(|rt, policy, what| {
        for (number, ((_, bind, _), (sum, wanted))) in programs.iter().zip(&expected).enumerate() {
            let what = format!("program {number} on {what}");
            let mut r = before.clone();
            let forms: &[fn(Bound<'_>) -> Bound<'_>] =
                if what.contains("opencl") { &[|bound| bound, as_on_gpus] } else { &[|bound| bound] };
            for (form, as_it_is) in forms.iter().enumerate() {
                let what = format!("{what}, form {form}");
                r.clone_from(&before);
                let bound = bind(n, 0.75, -1.25, 5, &x, &d, &v, &w, &mut r.y, &mut r.z, &mut r.e, &mut r.q);
                let got = rt.parallel_for(range.clone(), as_it_is(bound)).policy(policy.clone()).reduce::<u64>(Sum);
                let got = got.unwrap_or_else(|error| panic!("{what}: {error}"));
                close(&r.y, &wanted.y, 0.0, &what);
                assert_eq!(r.z, wanted.z, "{what}");
                close(&r.e, &wanted.e, 1e-12, &what);
                assert_eq!(r.q, wanted.q, "{what}");
                assert_eq!(got.value, *sum, "{what}");
            }
        }
    });
}

/// Operands for which no operator's result is too large, and whose bits overlap.
fn operands(name: &str, most: u64) -> [[u8; 4]; 3] {
    match name {
        "mul" if most < 128 => [[3, 5, 6, 7], [1, 3, 2, 7], [1, 2, 1, 2]],
        "shl" | "shr" => [[1, 3, 3, 1], [1, 1, 1, 1], [120, 121, 126, 127]],
        _ if most < 128 => [[3, 5, 7, 9], [1, 3, 3, 5], [40, 41, 46, 47]],
        "mul" => [[9, 11, 13, 15], [1, 3, 5, 7], [1, 2, 1, 2]],
        _ => [[9, 11, 13, 15], [1, 3, 5, 7], [120, 121, 126, 127]],
    }
}

macro_rules! operators_of {
    ($t:ident $module:ident: $($name:ident)*) => {
        $({
            use operators::$module as of;
            let [a, b, c] = operands(stringify!($name), $t::MAX as u64).map(|values| {
                (0..64).map(move |i| values[(i * 7 + i / 4) % 4] as $t).collect::<Vec<_>>()
            });
            let mut wanted = vec![0 as $t; 64 * operators::EACH];
            (0..64).for_each(|i| of::plain::$name(i, &a, &b, &c, &mut wanted));
            each_way(|rt, policy, form, what| {
                let mut got = vec![77 as $t; 64 * operators::EACH];
                run(rt, 0..64, &policy, form(of::$name(&a, &b, &c, &mut got)));
                for (at, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
                    let (i, line) = (at / operators::EACH, at % operators::EACH);
                    let what = format!("{} in {} on {what}", stringify!($name), stringify!($t));
                    assert_eq!(got, wanted, "{what}: line {line} of {}, {}, {}", a[i], b[i], c[i]);
                }
            });
        })*
    };
}

macro_rules! gathered_of {
    ($($t:ident $module:ident)*) => {
        $(for m in [3usize, 70, 201] {
            use operators::$module::loops as of;
            // Small sums, as the type may be a byte. The first element of a row divides itself.
            let x: Vec<$t> = (0..9 * m).map(|k| if k % 67 == 0 { 3 as $t } else { (1 + k * k % 2) as $t }).collect();
            let mut wanted = vec![0 as $t; 36];
            (0..9).for_each(|i| of::plain::gathered(i, m, &x, &mut wanted));
            each_way(|rt, policy, form, what| {
                let mut got = vec![77 as $t; 36];
                run(rt, 0..9, &policy, form(of::gathered(m, &x, &mut got)));
                assert_eq!(got, wanted, "{} of {m} on {what}", stringify!($t));
            });
        })*
    };
}

#[test]
fn operators_bind_as_in_rust() {
    macro_rules! of_integers {
        ($($t:ident $module:ident)*) => {
            $(operators_of! { $t $module: add sub mul div rem and or xor shl shr nested counted })*
        };
    }
    of_integers! { i8 in_i8 u8 in_u8 i16 in_i16 u16 in_u16 i32 in_i32 u32 in_u32 i64 in_i64 u64 in_u64 }
}

#[test]
fn what_loops_gather_is_the_same_in_every_type() {
    gathered_of! { i8 in_i8 u8 in_u8 i16 in_i16 u16 in_u16 i32 in_i32 u32 in_u32 i64 in_i64 u64 in_u64 f32 in_f32 f64 in_f64 }
}
