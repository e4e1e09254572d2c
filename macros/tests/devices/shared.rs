//! Bodies whose loops groups share, in every form: on the host, on emulated devices, and with groups and barriers on an OpenCL
//! device, compared with the function itself.

#[path = "../common/shared.rs"]
mod programs;

use crate::common::{close, each_way, numbers, run};
use apportion::kernel::Reduce;
use apportion::prelude::*;
use programs::*;

const ROWS: usize = 11;

#[test]
fn rims_and_conditions() {
    for m in [3, 33, 70, 1500] {
        let x = numbers(ROWS * m, 1);
        let (mut heat, mut frame) = (vec![9.0; ROWS * m], vec![9.0; ROWS * m]);
        (1..ROWS - 1).for_each(|i| plain::heat2d(i, m, 0.2, &x, &mut heat));
        let sum: f32 = (0..ROWS).map(|i| plain::framed(i, ROWS, m, &x, &mut frame)).sum();
        let most = (0..ROWS).map(|i| plain::framed(i, ROWS, m, &x, &mut frame.clone())).fold(f32::MIN, f32::max);
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, m {m}");
            let mut got = vec![9.0; ROWS * m];
            run(rt, 1..ROWS - 1, &policy, form(heat2d(m, 0.2, &x, &mut got)));
            assert_eq!(got, heat, "{what}");
            let mut got = vec![9.0; ROWS * m];
            let reduce = |operator, y: &mut Vec<f32>| {
                let bound = form(framed(ROWS, m, &x, y));
                rt.parallel_for(0..ROWS, bound)
                    .policy(policy.clone())
                    .poison(true)
                    .reduce::<f32>(operator)
                    .unwrap()
                    .value
            };
            close(&[reduce(Reduce::Sum, &mut got)], &[sum], 1e-5, &what);
            assert_eq!(got, frame, "{what}");
            close(&[reduce(Reduce::Max, &mut got)], &[most], 1e-5, &what);
        });
    }
}

#[test]
fn many_iterations_of_short_loops() {
    let alone = "; a work-item for each of many iterations of a short loop";
    assert!(filtered::maps().grid.ends_with(alone), "{}", filtered::maps().grid);
    for (n, count) in [(40, 64 * 40 - 1), (40, 64 * 40), (33, 3 * 64 * 33 + 5), (1, 70), (0, 1000)] {
        let (x, w) = (numbers(count + n, 1), numbers(n, 2));
        let mut y = vec![9.0; 2 * count];
        (0..count).for_each(|i| plain::filtered(i, n, &x, &w, &mut y));
        each_way(|rt, policy, form, what| {
            let mut got = vec![9.0; 2 * count];
            run(rt, 0..count, &policy, form(filtered(n, &x, &w, &mut got)));
            close(&got, &y, 1e-4, &format!("{what}, {count} of {n} turns"));
        });
    }
}

#[test]
fn planes() {
    for (m, l) in [(4, 2), (3, 3), (5, 40), (19, 300)] {
        let x = numbers(5 * m * l, 1);
        let (mut heat, mut twice, mut rows) = (vec![9.0; 5 * m * l], vec![9.0; 5 * m * l], vec![0.0; 5 * m]);
        (1..4).for_each(|i| plain::heat3d(i, m, l, 0.1, &x, &mut heat));
        let sum: f64 = (0..5).map(|i| plain::plane(i, m, l, &x, &mut twice)).sum();
        let least = (0..5).map(|i| plain::plane(i, m, l, &x, &mut twice)).fold(f64::MAX, f64::min);
        (0..5).for_each(|i| plain::batched(i, m, l, &x, &x[..l], &mut rows));
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, {m} x {l}");
            let mut got = vec![9.0; 5 * m * l];
            run(rt, 1..4, &policy, form(heat3d(m, l, 0.1, &x, &mut got)));
            assert_eq!(got, heat, "{what}");
            let mut got = vec![9.0; 5 * m * l];
            let reduce = |operator, y: &mut Vec<f32>| {
                let bound = form(plane(m, l, &x, y));
                rt.parallel_for(0..5usize, bound)
                    .policy(policy.clone())
                    .poison(true)
                    .reduce::<f64>(operator)
                    .unwrap()
                    .value
            };
            close(&[reduce(Reduce::Sum, &mut got)], &[sum], 1e-9, &what);
            assert_eq!(got, twice, "{what}");
            close(&[reduce(Reduce::Min, &mut got)], &[least], 1e-9, &what);
            let mut got = vec![0.0; 5 * m];
            run(rt, 0..5, &policy, form(batched(m, l, &x, &x[..l], &mut got)));
            close(&got, &rows, 1e-4, &what);
        });
    }
}

#[test]
fn those_who_wait() {
    for m in [2, 50, 700] {
        let x = numbers(ROWS * m, 1);
        let (mut e, mut y, mut u, mut v) = (vec![0.0; ROWS * m], vec![0.0; ROWS * m], x.clone(), x.clone());
        let sum: f32 = (0..ROWS).map(|i| plain::softmax(i, m, &x, &mut e, &mut y)).sum();
        (0..ROWS).for_each(|i| plain::steps(i, m, 7, &mut u, &mut v));
        let mut p = vec![0.0; ROWS];
        let all: f64 = (0..ROWS).map(|i| plain::product(i, m, &x, &mut p)).product();
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, m {m}");
            let (mut e2, mut y2) = (vec![0.0; ROWS * m], vec![0.0; ROWS * m]);
            let bound = form(softmax(m, &x, &mut e2, &mut y2));
            let got = rt.parallel_for(0..ROWS, bound).policy(policy.clone()).reduce::<f32>(Sum).unwrap().value;
            close(&[got], &[sum], 1e-4, &what);
            assert_eq!(e2, e, "{what}");
            close(&y2, &y, 1e-5, &what);
            let (mut u2, mut v2) = (x.clone(), x.clone());
            run(rt, 0..ROWS, &policy, form(steps(m, 7, &mut u2, &mut v2)));
            assert_eq!((&u2, &v2), (&u, &v), "{what}");
            for turns in [0, 2] {
                let [mut a, mut b, mut c] = [(); 3].map(|()| vec![0.0; ROWS * m]);
                (0..ROWS).for_each(|i| plain::mirrored(i, m, turns, &x, &mut a, &mut b, &mut c));
                let [mut a2, mut b2, mut c2] = [(); 3].map(|()| vec![0.0; ROWS * m]);
                run(rt, 0..ROWS, &policy, form(mirrored(m, turns, &x, &mut a2, &mut b2, &mut c2)));
                assert_eq!((&a2, &b2, &c2), (&a, &b, &c), "{what}, {turns} turns");
            }
            for (first, second) in [(0, 1), (0, m / 2), (1, 0)] {
                let (mut a, mut b) = (x.clone(), x.clone());
                (0..ROWS).for_each(|i| plain::begun(i, m, first, second, &x, &mut a, &mut b));
                let (mut a2, mut b2) = (x.clone(), x.clone());
                run(rt, 0..ROWS, &policy, form(begun(m, first, second, &x, &mut a2, &mut b2)));
                assert_eq!((&a2, &b2), (&a, &b), "{what}, from {first} and {second}");
            }
            let mut got = vec![0.0; ROWS];
            let bound = form(product(m, &x, &mut got));
            let value = rt.parallel_for(0..ROWS, bound).policy(policy).reduce::<f64>(Product).unwrap().value;
            close(&[value], &[all], 1e-9, &what);
            close(&got, &p, 1e-5, &what);
        });
    }
}

#[test]
fn backwards_by_steps_and_narrow() {
    for m in [1, 2, 9, 64, 333] {
        let x = numbers(ROWS * m, 1);
        let bytes: Vec<u8> = (0..ROWS * m).map(|k| (k * 7) as u8).collect();
        let (mut y, mut z, mut w) = (vec![0.0; ROWS * m], vec![0; ROWS], vec![0; ROWS * m]);
        let sum: i32 = (0..ROWS).map(|i| plain::strides(i, m, &x, &mut y, &mut z)).sum();
        let all: u64 = (0..ROWS).map(|i| plain::narrow(i, m as u32, &bytes, &mut w)).sum();
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, m {m}");
            let (mut y2, mut z2, mut w2) = (vec![0.0; ROWS * m], vec![0; ROWS], vec![0; ROWS * m]);
            let bound = form(strides(m, &x, &mut y2, &mut z2));
            let got = rt.parallel_for(0..ROWS, bound).policy(policy.clone()).reduce::<i32>(Sum).unwrap().value;
            assert_eq!((&y2, &z2, got), (&y, &z, sum), "{what}");
            let bound = form(narrow(m as u32, &bytes, &mut w2));
            let got = rt.parallel_for(0..ROWS, bound).policy(policy).reduce::<u64>(Sum).unwrap().value;
            assert_eq!((&w2, got), (&w, all), "{what}");
        });
    }
}

#[test]
fn a_loop_that_writes_its_own_end_has_the_turns_that_it_begins_with() {
    for m in [5, 64, 1001] {
        let before: Vec<u32> = (0..ROWS * m).map(|k| (m - k % 4) as u32).collect();
        let mut y = before.clone();
        (0..ROWS).for_each(|i| plain::cut_short(i, m, &mut y));
        each_way(|rt, policy, form, what| {
            let mut got = before.clone();
            run(rt, 0..ROWS, &policy, form(cut_short(m, &mut got)));
            assert_eq!(got, y, "{what}, m {m}");
        });
    }
}

#[test]
fn the_least_of_no_numbers_is_what_it_was() {
    for m in [1, 70, 1001] {
        let mut x = numbers(ROWS * m, 1);
        x[..2 * m].fill(f32::NAN);
        x[2 * m + m / 2] = f32::NAN;
        let (mut y, mut z) = (vec![0.0; ROWS], vec![0.0; ROWS]);
        (0..ROWS).for_each(|i| plain::extremes(i, m, &x, &mut y, &mut z));
        assert!(y[0].is_nan() && z[1].is_nan() && !y[3].is_nan());
        each_way(|rt, policy, form, what| {
            let (mut got, mut other) = (vec![0.0; ROWS], vec![0.0; ROWS]);
            run(rt, 0..ROWS, &policy, form(extremes(m, &x, &mut got, &mut other)));
            close(&got, &y, 0.0, what);
            close(&other, &z, 0.0, what);
        });
    }
}

#[test]
fn what_is_shared_is_said() {
    let says = |maps: apportion::kernel::Maps, text: &str| {
        let maps = maps.to_string();
        assert!(maps.contains(text), "{maps}");
    };
    says(heat2d::maps(), "groups have strips: columns of the loop over j");
    says(heat3d::maps(), "groups have tiles: parts of the loops over k, j and k");
    says(plane::maps(), "of other reductions than a sum one iteration each");
    assert!(begun::cuda_source().contains("    AP_WAIT;\n"));
    says(begun::maps(), "a group for each iteration, whose work-items share the loops over j and j");
    says(softmax::maps(), "a group for each iteration, whose work-items share the loops over j, j and j");
}
