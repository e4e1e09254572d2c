//! Jumps by labels, assignments of tuples and of whole local arrays: on every device what the same functions do in plain Rust.
#![allow(missing_docs)]

#[allow(dead_code)]
mod common;
#[path = "common/flow.rs"]
#[allow(dead_code)]
mod flow;

use common::{each_way, numbers, run};
use flow::{self as kernels, plain};

const N: usize = 300;

fn values() -> Vec<u32> {
    (0..N as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect()
}

#[test]
fn labels_jump_as_in_rust() {
    let (x, small): (_, Vec<u32>) = (values(), (0..N as u32).map(|i| i % 90).collect());
    let expected = |function: &dyn Fn(usize, &mut [u32])| -> Vec<u32> {
        let mut y = vec![0; N];
        (0..N).for_each(|i| function(i, &mut y));
        y
    };
    let factors = expected(&|i, y| plain::factors(i, 12, &small, y));
    let jumps = expected(&|i, y| plain::jumps(i, 9, &x, y));
    let nearest = expected(&|i, y| plain::nearest(i, 7, &x, y));
    assert!(jumps.iter().collect::<std::collections::BTreeSet<_>>().len() > 100);
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![0; N];
        run(rt, 0..N, &policy, as_it_is(kernels::factors(12, &small, &mut y)));
        assert_eq!(y, factors, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::jumps(9, &x, &mut y)));
        assert_eq!(y, jumps, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::nearest(7, &x, &mut y)));
        assert_eq!(y, nearest, "{what}");
    });
}

#[test]
fn loops_that_jumps_leave_are_not_shared() {
    let (m, n) = (40, 70);
    let a = numbers(N * n, 1);
    let mut expected = vec![5.0; N * m];
    (0..N).for_each(|i| plain::skipped(i, m, n, &a, &mut expected));
    let kept = expected.iter().filter(|&&y| y == 5.0).count();
    assert!(kept > N && kept < N * m - N, "{kept}");
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![5.0; N * m];
        run(rt, 0..N, &policy, as_it_is(kernels::skipped(m, n, &a, &mut y)));
        assert_eq!(y, expected, "{what}");
    });
}

#[test]
fn tuples_are_assigned_as_in_rust() {
    let x = values();
    let (mut fibonacci, mut ordered) = (vec![0; N], (0..2 * N as u32).collect::<Vec<_>>());
    (0..N).for_each(|i| plain::fibonacci(i, &mut fibonacci));
    assert_eq!((fibonacci[10], fibonacci[90]), (55, 2_880_067_194_370_816_120));
    (0..N).for_each(|i| plain::ordered(i, &x, &mut ordered));
    each_way(|rt, policy, as_it_is, what| {
        let (mut y, mut z) = (vec![0; N], (0..2 * N as u32).collect::<Vec<_>>());
        run(rt, 0..N, &policy, as_it_is(kernels::fibonacci(&mut y)));
        assert_eq!(y, fibonacci, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::ordered(&x, &mut z)));
        assert_eq!(z, ordered, "{what}");
    });
}
