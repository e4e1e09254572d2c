//! Functions with type parameters: each type has its own kernel, and generic code selects it.

use crate::common::{each_way, everywhere};
use apportion::kernel;
use apportion::kernel::Element;
use apportion::kernel::generated::as_on_gpus;
use apportion::prelude::*;

/// Values that are exact in every type.
trait Whole: Element + std::ops::Mul<Output = Self> + std::ops::Add<Output = Self> {
    fn whole(value: usize) -> Self;
}

macro_rules! whole {
    ($($t:ty)*) => {$(
        impl Whole for $t {
            fn whole(value: usize) -> Self {
                value as $t
            }
        }
    )*};
}
whole!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64);

fn values<T: Whole>(n: usize, step: usize) -> Vec<T> {
    (0..n).map(|k| T::whole(k * step % 11)).collect()
}

/// `y[i] += a * x[i]`.
#[kernel(T = f32 | f64 | i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64)]
fn axpy<T>(i: usize, a: T, x: &[T], y: &mut [T]) {
    y[i] += a * x[i];
}

fn axpy_of<T: Whole>() {
    let (x, before) = (values::<T>(3001, 3), values::<T>(3001, 5));
    let expected: Vec<T> = x.iter().zip(&before).map(|(&x, &y)| y + T::whole(2) * x).collect();
    everywhere(|rt, policy, what| {
        let mut y = before.clone();
        let bound = axpy(T::whole(2), &x, &mut y);
        assert_eq!(bound.kernel().name(), format!("axpy_{}", T::TYPE));
        rt.parallel_for(0..x.len(), bound).policy(policy).poison(true).run().unwrap();
        assert_eq!(y, expected, "{what}, {}", T::TYPE);
    });
}

#[test]
fn every_type_has_its_kernel() {
    axpy_of::<f32>();
    axpy_of::<f64>();
    axpy_of::<i32>();
    axpy_of::<u32>();
    axpy_of::<i64>();
    axpy_of::<u64>();
    axpy_of::<i8>();
    axpy_of::<u8>();
    axpy_of::<i16>();
    axpy_of::<u16>();
}

/// A value between two; `weight` is the second one's part.
#[kernel(helper, T = f32 | f64)]
fn between<T>(a: T, b: T, weight: T) -> T {
    a + weight * (b - a)
}

/// The sum of three products.
#[kernel(helper, T = f32 | f64)]
fn dot<T>(a: [T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Weighted sum of three values around the chosen one, rounded to `T` only at the end.
#[kernel(T = f32 | f64, K = u32 | i64)]
#[map(x: full)]
fn smoothed<T, K>(i: usize, weight: T, at: &[K], x: &[T], y: &mut [T]) {
    let k = at[i] as usize;
    let w: [T; 3] = [0.25, 0.5, 0.25];
    let around = [x[k], x[k + 1], x[k + 2]];
    let near: T = dot::<T>(around, &w);
    y[i] = between::<T>(x[k + 1], near, weight);
}

fn smoothed_of<T: Whole, K: Whole>(of: impl Fn(f64) -> T, back: impl Fn(T) -> f64) {
    let n = 517;
    let x = values::<T>(n + 2, 7);
    let at: Vec<K> = (0..n).map(|i| K::whole(i * 5 % n)).collect();
    let expected = |i: usize| {
        let [a, b, c] = [0, 1, 2].map(|k| back(x[i * 5 % n + k]));
        of(b + 0.5 * (0.25 * a + 0.5 * b + 0.25 * c - b))
    };
    let expected: Vec<T> = (0..n).map(expected).collect();
    each_way(|rt, policy, form, what| {
        let mut y = vec![T::whole(0); n];
        let bound = form(smoothed(of(0.5), &at, &x, &mut y));
        rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true).run().unwrap();
        assert_eq!(y, expected, "{what}, {} by {}", T::TYPE, K::TYPE);
    });
}

#[test]
fn helpers_and_second_parameters() {
    smoothed_of::<f32, u32>(|x| x as f32, f64::from);
    smoothed_of::<f32, i64>(|x| x as f32, f64::from);
    smoothed_of::<f64, u32>(|x| x, |x| x);
    smoothed_of::<f64, i64>(|x| x, |x| x);
    assert_eq!((between(1.0f32, 3.0, 0.5), between(1.0f64, 3.0, 0.25)), (2.0, 1.5));
    assert_eq!(dot([1.0, 2.0, 3.0], &[4.0f64, 5.0, 6.0]), 32.0);
}

/// Adds the elements of a row and the row below; returns the sum of what is written.
#[kernel(row, col, T = f64 | i32)]
fn below<T>(row: usize, col: usize, m: usize, x: &[T], y: &mut [T]) -> T {
    let value = x[row * m + col] + x[(row + 1) * m + col];
    y[row * m + col] = value;
    value
}

fn below_of<T: Whole>(back: impl Fn(T) -> f64) {
    let (n, m) = (40, 33);
    let x = values::<T>((n + 1) * m, 3);
    let expected: Vec<T> = (0..n * m).map(|k| x[k] + x[k + m]).collect();
    everywhere(|rt, policy, what| {
        let mut y = vec![T::whole(0); n * m];
        let sum = rt.parallel_for(0..n, below(0..m, m, &x, &mut y)).policy(policy).reduce::<T>(Sum).unwrap().value;
        assert_eq!(y, expected, "{what}");
        assert_eq!(back(sum), expected.iter().map(|&y| back(y)).sum::<f64>(), "{what}");
    });
}

#[test]
fn rows_columns_and_sums() {
    below_of::<f64>(|x| x);
    below_of::<i32>(f64::from);
}

/// The total amount of each kind.
#[kernel(T = f32 | u64)]
#[map(bins: reduce(Sum))]
fn histogram<T>(i: usize, kind: &[u32], amount: &[T], bins: &mut [T]) {
    bins[kind[i] as usize] += amount[i];
}

fn histogram_of<T: Whole>() {
    let n = 2000;
    let (kind, amount) = (values::<u32>(n, 7), values::<T>(n, 3));
    let mut expected = vec![T::whole(1); 11];
    kind.iter().zip(&amount).for_each(|(&kind, &x)| expected[kind as usize] = expected[kind as usize] + x);
    everywhere(|rt, policy, what| {
        let mut bins = vec![T::whole(1); 11];
        rt.parallel_for(0..n, histogram(&kind, &amount, &mut bins)).policy(policy).run().unwrap();
        assert_eq!(bins, expected, "{what}");
    });
}

#[test]
fn contributions_to_whole_arrays() {
    histogram_of::<f32>();
    histogram_of::<u64>();
}

#[test]
fn arrays_of_a_region() {
    fn twice<T: Whole>(rt: &Runtime) {
        let (x, mut y) = (values::<T>(500, 3), values::<T>(500, 5));
        let expected: Vec<T> = x.iter().zip(&y).map(|(&x, &y)| y + T::whole(2) * x + T::whole(2) * x).collect();
        let mut region = rt.data_region();
        let (x, on) = (region.to(&x, [500]), region.tofrom(&mut y, [500]));
        for _ in 0..2 {
            region.parallel_for(0..500, as_on_gpus(axpy(T::whole(2), x, on))).run().unwrap();
        }
        region.finish().unwrap();
        assert_eq!(y, expected);
    }
    for (_, rt) in crate::common::runtimes() {
        twice::<f32>(&rt);
        twice::<i64>(&rt);
        twice::<i8>(&rt);
        twice::<u16>(&rt);
    }
}

/// The sum of the elements up to the iteration's own.
#[kernel(T = f32 | f64)]
#[map(x: full)]
fn prefix<T>(i: usize, x: &[T], y: &mut [T]) {
    let mut sum = 0.0;
    for j in 0..i + 1 {
        sum += x[j];
    }
    y[i] = sum;
}

#[test]
fn what_is_known_of_each() {
    use apportion::kernel::Precision;
    assert_eq!(axpy::<f32>::maps().kernel, "axpy_f32");
    assert_eq!(below::<i32>::maps().arrays[0].distribution, "ALIGN, rows of m, halo from the arguments");
    assert_eq!((axpy::<f32>::cost(2.0).precision, axpy::<f64>::cost(2.0).precision), (Precision::F32, Precision::F64));
    assert_eq!(smoothed::<f64, u32>::kernel().name(), "smoothed_f64_u32");
    // Costs grow with the iteration, so the cost of the last one counts.
    assert!(prefix::<f32>::cost(999).flops > prefix::<f32>::cost(9).flops);
    assert_eq!(below::<f64>::cost(0..8, 100).flops, 16.0);
    for (source, of) in [(axpy::<f64>::cuda_source(), "double"), (axpy::<u8>::opencl_source(), "uchar")] {
        assert!(source.contains(of), "{source}");
    }
}
