//! Kernels with loops inside columns, which work-items take side by side, compared with the function itself.

#[path = "../common/abreast.rs"]
mod programs;

use crate::common::{each_way, numbers, run};
use programs::*;

/// One column, vectors and parts of vectors, several groups of each width.
const WIDTHS: [usize; 11] = [1, 2, 3, 4, 6, 31, 64, 129, 136, 517, 1040];
const ROWS: usize = 7;

#[test]
fn all_of_them_have_columns_side_by_side() {
    for (kernel, text) in all() {
        assert!(text.contains("ap_r0"), "{kernel:?}");
    }
}

#[test]
fn what_is_side_by_side_is_said() {
    let several = "groups have columns of the loop over j, of several iterations, side by side in the loops inside";
    assert_eq!(product::maps().grid, several);
    assert_eq!(mixed::maps().grid, "groups have columns of the loop over j, side by side in the loops inside");
}

#[test]
fn columns_are_those_of_the_function() {
    for n in [1, 5] {
        for m in WIDTHS {
            let (x, t, table) = (numbers(ROWS * n * m, 1), numbers(ROWS * m, 2), numbers(3 * n, 3));
            let (a, b) = (numbers(ROWS * n, 4), numbers(n * m, 5));
            let [a, b] = [a, b].map(|list| list.into_iter().map(f64::from).collect::<Vec<_>>());
            let (mut y, mut c) = (vec![9.0; ROWS * m], vec![9.0; ROWS * m]);
            (0..ROWS).for_each(|i| plain::mixed(i, m, n, &t, &x, &table, &mut y));
            (0..ROWS).for_each(|i| plain::product(i, m, n, &a, &b, &mut c));
            let (both, w, mut chose) = (numbers((ROWS + n) * m, 6), numbers(4 * n + 4, 7), vec![9.0; ROWS * m]);
            (0..ROWS).for_each(|i| plain_chosen(i, m, n, &both, &w, &mut chose));
            each_way(|rt, policy, form, what| {
                let what = format!("{what}, {n} turns, m {m}");
                let mut got = vec![9.0; ROWS * m];
                run(rt, 0..ROWS, &policy, form(mixed(m, n, &t, &x, &table, &mut got)));
                assert_eq!(got, y, "{what}");
                let mut got = vec![9.0; ROWS * m];
                run(rt, 0..ROWS, &policy, form(chosen(m, n, &both, &w, &mut got)));
                assert_eq!(got, chose, "{what}");
                let mut got = vec![9.0; ROWS * m];
                run(rt, 0..ROWS, &policy, form(product(m, n, &a, &b, &mut got)));
                assert_eq!(got, c, "{what}");
            });
        }
    }
}

#[test]
fn neighbours_and_conditions() {
    for n in [0, 1, 4] {
        for m in WIDTHS.into_iter().filter(|&m| m > 1) {
            let (x, rows) = (numbers((n + 1) * (m + 2) + m + ROWS, 1), ROWS + n);
            let d: Vec<f64> = numbers(rows * m, 2).into_iter().map(f64::from).collect();
            let (mut y, mut s) = (vec![9.0; ROWS * m], vec![9.0; ROWS * (m + 4)]);
            (1..ROWS).for_each(|i| plain::around(i, m, n, &x, &d, &mut y));
            (1..ROWS).for_each(|i| plain::shifted(i, m, n, &x, &mut s));
            each_way(|rt, policy, form, what| {
                let what = format!("{what}, {n} turns, m {m}");
                let mut got = vec![9.0; ROWS * m];
                run(rt, 1..ROWS, &policy, form(around(m, n, &x, &d, &mut got)));
                assert_eq!(got, y, "{what}");
                let mut got = vec![9.0; ROWS * (m + 4)];
                run(rt, 1..ROWS, &policy, form(shifted(m, n, &x, &mut got)));
                assert_eq!(got, s, "{what}");
            });
        }
    }
}

#[test]
fn loops_in_loops() {
    for n in [1, 3] {
        for m in WIDTHS {
            let x: Vec<i32> = numbers((n + 1) * m, 1).iter().map(|&x| (x * 1e9) as i32).collect();
            let u: Vec<u8> = numbers(n * m, 2).iter().map(|&x| (x * 127.0) as u8).collect();
            let (mut y, mut z) = (vec![9; ROWS * m], vec![5; ROWS * m]);
            (0..ROWS).for_each(|i| plain::layers(i, m, n, &x, &u, &mut y, &mut z));
            each_way(|rt, policy, form, what| {
                let what = format!("{what}, {n} turns, m {m}");
                let (mut got, mut got_z) = (vec![9; ROWS * m], vec![5; ROWS * m]);
                run(rt, 0..ROWS, &policy, form(layers(m, n, &x, &u, &mut got, &mut got_z)));
                assert_eq!((&got, &got_z), (&y, &z), "{what}");
            });
        }
    }
}

/// So many iterations that groups take several side by side on GPUs, and some remain.
#[test]
fn many_iterations() {
    const MANY: usize = 16384 + 5;
    for (kernel, text) in all().into_iter().filter(|(kernel, _)| kernel.name() != "mixed") {
        assert!(text.contains("AP_HIGH"), "{kernel:?}");
    }
    let n = 3;
    for m in [3, 8, 30] {
        let (x, w) = (numbers((n + 1) * (m + 2) + m + MANY, 1), numbers((MANY + n) * m, 2));
        let (a, few) = (numbers(MANY * n, 3), numbers(4 * n + 4, 4));
        let d: Vec<f64> = w.iter().copied().map(f64::from).collect();
        let (c, b): (Vec<f64>, Vec<f64>) = (a.iter().copied().map(f64::from).collect(), d[..n * m].to_vec());
        let whole: Vec<i32> = x.iter().map(|&x| (x * 1e9) as i32).collect();
        let bytes: Vec<u8> = numbers(n * m, 5).iter().map(|&x| (x * 127.0) as u8).collect();
        let (mut near, mut far, mut product_of) = (vec![9.0; MANY * m], vec![9.0; MANY * (m + 4)], vec![9.0; MANY * m]);
        let (mut chose, mut sums, mut mosts) = (vec![9.0; MANY * m], vec![9.0; MANY * m], vec![5.0; MANY * m]);
        let (mut y, mut z) = (vec![9; MANY * m], vec![5; MANY * m]);
        for i in 0..MANY {
            plain::around(i, m, n, &x, &d, &mut near);
            plain::shifted(i, m, n, &x, &mut far);
            plain::product(i, m, n, &c, &b, &mut product_of);
            plain_chosen(i, m, n, &w, &few, &mut chose);
            plain::weighed(i, m, n, &a, &w, &x, &mut sums, &mut mosts);
            plain::layers(i, m, n, &whole, &bytes, &mut y, &mut z);
        }
        each_way(|rt, policy, form, what| {
            if !what.contains("BLOCK") {
                return;
            }
            let what = format!("{what}, m {m}");
            let mut got = vec![9.0; MANY * m];
            run(rt, 0..MANY, &policy, form(around(m, n, &x, &d, &mut got)));
            assert_eq!(got, near, "{what}");
            let mut got = vec![9.0; MANY * (m + 4)];
            run(rt, 0..MANY, &policy, form(shifted(m, n, &x, &mut got)));
            assert_eq!(got, far, "{what}");
            let mut got = vec![9.0; MANY * m];
            run(rt, 0..MANY, &policy, form(product(m, n, &c, &b, &mut got)));
            assert_eq!(got, product_of, "{what}");
            let mut got = vec![9.0; MANY * m];
            run(rt, 0..MANY, &policy, form(chosen(m, n, &w, &few, &mut got)));
            assert_eq!(got, chose, "{what}");
            let (mut got, mut most) = (vec![9.0; MANY * m], vec![5.0; MANY * m]);
            run(rt, 0..MANY, &policy, form(weighed(m, n, &a, &w, &x, &mut got, &mut most)));
            assert_eq!((&got, &most), (&sums, &mosts), "{what}");
            let (mut got, mut got_z) = (vec![9; MANY * m], vec![5; MANY * m]);
            run(rt, 0..MANY, &policy, form(layers(m, n, &whole, &bytes, &mut got, &mut got_z)));
            assert_eq!((&got, &got_z), (&y, &z), "{what}");
        });
    }
}
