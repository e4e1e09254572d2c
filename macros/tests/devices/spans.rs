//! Kernels whose loops groups share, of more iterations than there are groups on OpenCL devices that are CPUs: each group there has
//! a span of them. All numbers are whole, so that results do not depend on the order.

use crate::common::{numbers, runtimes, together};
use apportion::prelude::*;
use apportion::region::Dims;

crate::both! {
    /// Rows of which data say where they end.
    pub fn lengths(i: usize, n: usize, starts: &[u32], x: &[i64], y: &mut [i64]) -> i64 {
        let mut sum = 0;
        for k in starts[i] as usize..starts[i + 1] as usize {
            sum += x[i] * (k % n) as i64;
        }
        if sum % 5 == 1 {
            return 7;
        }
        y[i] += sum;
        sum
    }

    /// The same without a value.
    pub fn sums(i: usize, n: usize, starts: &[u32], x: &[i64], y: &mut [i64]) {
        let mut sum = 0;
        for k in starts[i] as usize..starts[i + 1] as usize {
            sum += x[i] * (k % n) as i64;
        }
        if sum % 5 == 1 {
            return;
        }
        y[i] += sum;
    }

    /// A filter.
    pub fn filtered(i: usize, m: usize, x: &[i64], w: &[i64], y: &mut [i64]) {
        let mut s = 0;
        for j in 0..m {
            s += x[i + j] * w[j];
        }
        y[i] += s;
    }

    /// Two loops, of which both are shared.
    pub fn squares(i: usize, m: usize, l: usize, x: &[i64], y: &mut [i64]) {
        let mut s = 0;
        for j in 0..m {
            for k in 0..l {
                s += x[(i * m + j) * l + k] * (j + k) as i64;
            }
        }
        y[i] += s;
    }

    /// Groups have tiles, but not under other operators than a sum.
    pub fn written(i: usize, m: usize, x: &[i64], y: &mut [i64]) -> i64 {
        let mut s = 0;
        for j in 0..m {
            y[i * m + j] += x[i * m + j];
            s += x[i * m + j];
        }
        s
    }
}

#[kernel(i, j)]
fn plane(i: usize, j: usize, m: usize, x: &[i64], y: &mut [i64]) {
    y[i * m + j] += x[i * m + j];
}

#[kernel(i, j)]
fn plane_sum(i: usize, j: usize, m: usize, x: &[i64], y: &mut [i64]) -> i64 {
    y[i * m + j] += x[i * m + j];
    y[i * m + j]
}

#[kernel]
#[map(values: rows_at(starts))]
fn norm(i: usize, starts: &[u32], values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * values[k];
    }
    sum.sqrt()
}

fn whole(n: usize, seed: u64) -> Vec<i64> {
    numbers(n, seed).into_iter().map(|x| (x * 1000.0) as i64).collect()
}

/// Floats: from 64 elements on, an OpenCL device that is a CPU has parts of these sums.
#[kernel]
fn of_floats(i: usize, m: usize, x: &[f64], sums: &mut [f64], least: &mut [f64], counts: &mut [u32]) {
    let mut sum = 0.0;
    let mut low: f64 = 1e9;
    let mut product = 1.0;
    let mut count = 0;
    for k in 0..m {
        low = low.min(x[i * m + k]);
        if x[i * m + k] < 0.0 {
            continue;
        }
        sum += x[i * m + k];
        product *= if x[i * m + k] == 3.0 { 2.0 } else { 1.0 };
        count += 1;
    }
    sums[i] = sum + 1000.0 * product;
    least[i] = low;
    counts[i] = count;
}

#[test]
fn sums_of_floats_have_every_element_once() {
    assert!(of_floats::opencl_source().contains("ap_sum_parts[ap_part] +="));
    for (n, m) in [(3000, 1), (3000, 63), (300, 64), (3000, 65), (300, 79), (2000, 80), (300, 81), (100, 1000)] {
        let x: Vec<f64> = (0..n * m).map(|k| if k % 97 == 0 { 3.0 } else { (k * k % 23) as f64 - 11.0 }).collect();
        let row = |i: usize| &x[i * m..(i + 1) * m];
        let not_below = |i: usize| row(i).iter().filter(|x| **x >= 0.0);
        let threes = |i: usize| row(i).iter().filter(|x| **x == 3.0).count() as i32;
        let wanted: Vec<f64> = (0..n).map(|i| not_below(i).sum::<f64>() + 1000.0 * 2.0f64.powi(threes(i))).collect();
        let lowest: Vec<f64> = (0..n).map(|i| row(i).iter().copied().fold(1e9, f64::min)).collect();
        let counted: Vec<u32> = (0..n).map(|i| not_below(i).count() as u32).collect();
        for (name, rt) in runtimes().into_iter().chain(together()) {
            for policy in ["BLOCK", "SCHED_DYNAMIC:700"] {
                let (mut sums, mut least, mut counts) = (vec![9.0; n], vec![9.0; n], vec![9; n]);
                let bound = of_floats(m, &x, &mut sums, &mut least, &mut counts);
                rt.parallel_for(0..n, bound).policy(policy.parse::<Policy>().unwrap()).poison(true).run().unwrap();
                assert_eq!((&sums, &least, &counts), (&wanted, &lowest, &counted), "{name}, {policy}, rows of {m}");
            }
        }
    }
}

/// Ends of rows of up to six elements.
fn ends(n: usize) -> Vec<u32> {
    (0..=n).scan(0, |end: &mut u32, i: usize| Some(std::mem::replace(end, *end + (i * 7919 % 7) as u32))).collect()
}

const COUNTS: [usize; 9] = [1, 2, 1023, 1024, 1025, 2047, 4096, 4097, 10_007];

#[test]
fn every_iteration_runs_once_whatever_their_number() {
    for n in COUNTS {
        // Not from the first iteration on.
        let (from, m, l) = (n / 3, 3, 40);
        let (starts, x, planes) = (ends(n), whole(n + m, 1), whole(n * m * l, 2));
        let w = whole(l, 3);
        let mut expected: Vec<Vec<i64>> = [n, n, n, n, n * m].iter().map(|&len| whole(len, 4)).collect();
        let long = whole(n + l, 5);
        let (mut value, mut most) = (0, i64::MIN);
        for i in from..n {
            value += plain::lengths(i, n, &starts, &x, &mut expected[0]);
            plain::sums(i, n, &starts, &x, &mut expected[1]);
            plain::filtered(i, l, &long, &w, &mut expected[2]);
            plain::squares(i, m, l, &planes, &mut expected[3]);
            most = most.max(plain::written(i, m, &planes, &mut expected[4]));
        }
        let of_plane: i64 = expected[4][from * m..].iter().sum();
        let each = |rt: &Runtime, policy: &str, what: &str| {
            let what = &format!("{what}, {policy}, {from}..{n}");
            let (policy, mut got) = (policy.parse::<Policy>().unwrap(), [n, n, n, n, n * m].map(|len| whole(len, 4)));
            let [a, b, c, d, e] = &mut got;
            let bound = lengths(n, &starts, &x, a);
            let sum = rt.parallel_for(from..n, bound).policy(policy.clone()).reduce::<i64>(Sum).unwrap().value;
            assert_eq!(sum, value, "{what}");
            rt.parallel_for(from..n, sums(n, &starts, &x, b)).policy(policy.clone()).run().unwrap();
            rt.parallel_for(from..n, filtered(l, &long, &w, c)).policy(policy.clone()).run().unwrap();
            rt.parallel_for(from..n, squares(m, l, &planes, d)).policy(policy.clone()).run().unwrap();
            let bound = written(m, &planes, e);
            let of_all = rt.parallel_for(from..n, bound).policy(policy.clone()).reduce::<i64>(Max).unwrap().value;
            assert_eq!(of_all, most, "{what}");
            for (place, (got, expected)) in got.iter().zip(&expected).enumerate() {
                assert!(got == expected, "{what}: array {place}");
            }
            let mut y = whole(n * m, 4);
            rt.parallel_for(from..n, plane(0..m, m, &planes, &mut y)).policy(policy.clone()).run().unwrap();
            assert!(y == expected[4], "{what}: plane");
            let mut y = whole(n * m, 4);
            let bound = plane_sum(0..m, m, &planes, &mut y);
            let sum = rt.parallel_for(from..n, bound).policy(policy).reduce::<i64>(Sum).unwrap().value;
            assert_eq!(sum, of_plane, "{what}: plane");
            assert!(y == expected[4], "{what}: plane with a sum");
        };
        for (name, rt) in runtimes().into_iter().chain(together()) {
            // Chunks of more iterations than a device has groups.
            ["BLOCK", "SCHED_DYNAMIC:2500"].into_iter().for_each(|policy| each(&rt, policy, name));
        }
    }
}

#[test]
fn regions_have_every_iteration_once() -> Result<()> {
    for n in COUNTS {
        let (starts, x) = (ends(n), whole(n, 1));
        let mut expected = whole(n, 4);
        let values: Vec<i64> =
            (0..2).map(|_| (0..n).map(|i| plain::lengths(i, n, &starts, &x, &mut expected)).sum()).collect();
        for (name, rt) in runtimes().into_iter().chain(together()) {
            let mut y = whole(n, 4);
            let mut region = rt.data_region();
            let (starts, x) = (region.to(&starts, [n + 1].halo_sides(0, 1)), region.to(&x, [n]));
            let y_ = region.tofrom(&mut y, [n]);
            for &value in &values {
                let sum = region.parallel_for(0..n, lengths(n, starts, x, y_)).reduce::<i64>(Sum)?;
                assert_eq!(sum, value, "{name}, {n}");
            }
            region.finish()?;
            assert!(y == expected, "{name}, {n}");
        }
    }
    Ok(())
}

#[test]
fn reproducible_sums_of_rows_are_the_same_under_every_policy() -> Result<()> {
    let n = 10_007;
    let starts = ends(n);
    let values: Vec<f64> = numbers(starts[n] as usize, 6).into_iter().map(f64::from).collect();
    for (name, rt) in runtimes() {
        let mut sums = Vec::new();
        for policy in ["BLOCK", "SCHED_DYNAMIC:700", "SCHED_DYNAMIC:5000", "SCHED_GUIDED"] {
            let a_loop = rt.parallel_for(0..n, norm(&starts, &values)).policy(policy.parse::<Policy>()?);
            sums.push(a_loop.reproducible(2500).reduce::<f64>(Sum)?.value.to_bits());
        }
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{name}: {sums:?}");
    }
    Ok(())
}
