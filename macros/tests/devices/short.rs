//! Arrays that end before the rows of the last iterations do.

use crate::common::{each_way, everywhere, run};

crate::both! {
    pub fn before(i: usize, x: &[i32], y: &mut [i32]) {
        y[i] = x[i - 1] + 1;
    }
    pub fn every_second(i: usize, x: &[i32], y: &mut [i32]) {
        y[i] = x[2 * i] * 3;
    }
    /// Sums so far, in blocks of `len`, of which the last is short.
    pub fn scan(b: usize, len: usize, n: usize, x: &[i32], y: &mut [i32], totals: &mut [i32]) {
        let mut s = 0;
        for at in b * len..((b + 1) * len).min(n) {
            s += x[at];
            y[at] = s;
        }
        totals[b] = s;
    }
    pub fn diagonal(i: usize, n: usize, shift: i32, a: &mut [i32]) {
        a[i * n + i] += shift;
    }
    pub fn first_ones(i: usize, m: usize, x: &[i32], y: &mut [i32]) {
        if i < m {
            y[i] += x[i];
        }
    }
    pub fn rows_to(i: usize, m: usize, n: usize, x: &[i32], y: &mut [i32]) {
        for j in 0..m {
            if i * m + j < n {
                y[i * m + j] = x[i * m + j] - j as i32;
            }
        }
    }
    pub fn by_data(i: usize, flags: &[i32], x: &[i32], y: &mut [i32]) {
        if flags[i] != 0 {
            y[i] += x[3 * i + 1];
        }
    }
}

fn values(n: usize) -> Vec<i32> {
    (0..n as i32).map(|k| k * k % 1013 - 200).collect()
}

#[test]
fn the_last_rows_may_be_short_or_missing() {
    for n in [1usize, 5, 64, 1003] {
        let (x, start) = (values(n), values(n + 1));
        each_way(|rt, policy, form, what| {
            let what = &format!("{what}, {n}");
            let mut expected = start.clone();
            (1..n + 1).for_each(|i| plain::before(i, &x, &mut expected));
            let mut y = start.clone();
            run(rt, 1..n + 1, &policy, form(before(&x, &mut y)));
            assert_eq!(y, expected, "before: {what}");

            let half = n.div_ceil(2);
            let mut expected = vec![0; half];
            (0..half).for_each(|i| plain::every_second(i, &x, &mut expected));
            let mut y = vec![0; half];
            run(rt, 0..half, &policy, form(every_second(&x, &mut y)));
            assert_eq!(y, expected, "every second: {what}");

            for len in [1, 7, 50, n] {
                let blocks = n.div_ceil(len);
                let (mut expected, mut totals) = (vec![0; n], vec![0; blocks]);
                (0..blocks).for_each(|b| plain::scan(b, len, n, &x, &mut expected, &mut totals));
                let (mut y, mut got) = (vec![0; n], vec![0; blocks]);
                run(rt, 0..blocks, &policy, form(scan(len, n, &x, &mut y, &mut got)));
                assert_eq!((y, got), (expected, totals), "scan by {len}: {what}");
            }

            let m = n.min(64);
            let mut expected = values(m * m);
            (0..m).for_each(|i| plain::diagonal(i, m, 7, &mut expected));
            let mut a = values(m * m);
            run(rt, 0..m, &policy, form(diagonal(m, 7, &mut a)));
            assert_eq!(a, expected, "diagonal: {what}");

            let mut expected = start[..n].to_vec();
            (0..n).for_each(|i| plain::first_ones(i, n, &x, &mut expected));
            let mut y = start[..n].to_vec();
            run(rt, 0..3 * n + 1, &policy, form(first_ones(n, &x, &mut y)));
            assert_eq!(y, expected, "first ones: {what}");

            for m in [1, 4, 37] {
                let mut expected = vec![0; n];
                (0..n.div_ceil(m)).for_each(|i| plain::rows_to(i, m, n, &x, &mut expected));
                let mut y = vec![0; n];
                run(rt, 0..n.div_ceil(m), &policy, form(rows_to(m, n, &x, &mut y)));
                assert_eq!(y, expected, "rows of {m}: {what}");
            }

            let third = n.div_ceil(3) + 1;
            let flags: Vec<i32> = (0..third).map(|i| i32::from(3 * i + 1 < n && i % 5 != 2)).collect();
            let mut expected = values(third);
            (0..third).for_each(|i| plain::by_data(i, &flags, &x, &mut expected));
            let mut y = values(third);
            run(rt, 0..third, &policy, form(by_data(&flags, &x, &mut y)));
            assert_eq!(y, expected, "by data: {what}");
        });
    }
}

/// Promised rows, of which the last is short too.
#[apportion::kernel]
#[map(x: rows(len), y: unsafe rows(len))]
fn promised(b: usize, len: usize, n: usize, x: &[i32], y: &mut [i32]) {
    for at in b * len..((b + 1) * len).min(n) {
        y[at] += x[at];
    }
}

#[test]
fn the_last_of_promised_rows_may_be_short() {
    let (n, len) = (1003, 50);
    let x = values(n);
    everywhere(|rt, policy, what| {
        let mut y = vec![1; n];
        run(rt, 0..21, &policy, promised(len, n, &x, &mut y));
        assert!(y.iter().zip(&x).all(|(y, x)| *y == x + 1), "{what}");
        let error = rt.parallel_for(0..22usize, promised(len, n, &x, &mut y)).policy(policy).run().unwrap_err();
        assert!(error.to_string().contains("too short"), "{what}: {error}");
    });
}

#[test]
fn what_reaches_past_the_end_is_refused() {
    let x = values(99);
    everywhere(|rt, policy, what| {
        let mut y = vec![0; 200];
        let error =
            rt.parallel_for(1..101usize, before(&x, &mut y)).policy(policy.clone()).run().unwrap_err().to_string();
        assert!(error.contains("`x`") && error.contains("reach elements 0 to 99"), "{what}: {error}");
        let error =
            rt.parallel_for(0..51usize, every_second(&x, &mut y)).policy(policy.clone()).run().unwrap_err().to_string();
        assert!(error.contains("`x`") && error.contains("reach elements 0 to 100"), "{what}: {error}");
        let error =
            rt.parallel_for(0..11usize, diagonal(10, 1, &mut y[..100])).policy(policy).run().unwrap_err().to_string();
        assert!(error.contains("`a`") && error.contains("reach elements 0 to 110"), "{what}: {error}");
    });
}
