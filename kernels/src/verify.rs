//! Compares outputs with references.

use std::fmt;

/// The result of a comparison with the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Whether everything is within the tolerance.
    pub ok: bool,
    /// The larger of two relative errors: of the 2-norm, and of the largest element error against the largest reference magnitude
    /// (so that one wrong element among many is not lost). Infinite if an output is not a number.
    pub max_rel_error: f64,
    /// The largest error that passes; 0 for integers.
    pub tolerance: f64,
    /// The first wrong or the most wrong element, if one is wrong.
    pub mismatch: Option<String>,
}

impl Verification {
    /// Both must hold; keeps the one with the larger error.
    pub(crate) fn and(self, other: Self) -> Self {
        if (other.ok, -other.max_rel_error) < (self.ok, -self.max_rel_error) { other } else { self }
    }
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.ok { "within" } else { "NOT within" };
        write!(f, "error {:.1e}, {verdict} {:.0e}", self.max_rel_error, self.tolerance)?;
        self.mismatch.iter().try_for_each(|mismatch| write!(f, ": {mismatch}"))
    }
}

/// Errors of the elements of an array, gathered piece by piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    array: &'static str,
    row_len: usize,
    square_error: f64,
    square_reference: f64,
    largest_reference: f64,
    worst: Worst,
}

#[derive(Clone, Copy, Debug)]
struct Worst {
    error: f64,
    index: usize,
    got: f64,
    expected: f64,
}

impl Comparison {
    /// Begins with nothing compared. Messages show an index as row and column if `row_len` is above 1.
    pub(crate) fn new(array: &'static str, row_len: usize) -> Self {
        let worst = Worst { error: 0.0, index: 0, got: 0.0, expected: 0.0 };
        Self { array, row_len, square_error: 0.0, square_reference: 0.0, largest_reference: 0.0, worst }
    }

    /// Element `index` is `got` and should be `expected`.
    #[inline]
    pub(crate) fn add(&mut self, index: usize, got: f64, expected: f64) {
        let error = (got - expected).abs();
        self.square_error += error * error;
        self.square_reference += expected * expected;
        self.largest_reference = self.largest_reference.max(expected.abs());
        if error > self.worst.error || error.is_nan() {
            // NaN is an error beyond any other.
            let error = if error.is_nan() { f64::INFINITY } else { error };
            self.take(Worst { error, index, got, expected });
        }
    }

    #[cold]
    fn take(&mut self, worst: Worst) {
        let old = &self.worst;
        if worst.error > old.error || (worst.error == old.error && worst.error > 0.0 && worst.index < old.index) {
            self.worst = worst;
        }
    }

    /// Combines both, in either order.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.square_error += other.square_error;
        self.square_reference += other.square_reference;
        self.largest_reference = self.largest_reference.max(other.largest_reference);
        self.take(other.worst);
        self
    }

    /// The verdict.
    pub(crate) fn finish(self, tolerance: f64) -> Verification {
        let relative = |error: f64, reference: f64| match error / reference {
            _ if error == 0.0 => 0.0,
            ratio if ratio.is_nan() => f64::INFINITY,
            ratio => ratio,
        };
        let in_norm = relative(self.square_error.sqrt(), self.square_reference.sqrt());
        let in_maximum = relative(self.worst.error, self.largest_reference);
        let max_rel_error = in_norm.max(in_maximum);
        let ok = max_rel_error <= tolerance;
        let Worst { index, got, expected, .. } = self.worst;
        let place = match self.row_len {
            0 => self.array.to_owned(),
            1 => format!("{}[{index}]", self.array),
            len => format!("{}[{}][{}]", self.array, index / len, index % len),
        };
        let mismatch = (!ok).then(|| format!("{place} is {got:e}, expected {expected:e}"));
        Verification { ok, max_rel_error, tolerance, mismatch }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(got: &[f64], expected: &[f64]) -> Verification {
        let mut comparison = Comparison::new("y", 2);
        for (i, (&got, &expected)) in got.iter().zip(expected).enumerate() {
            comparison.add(i, got, expected);
        }
        comparison.finish(1e-6)
    }

    #[test]
    fn equal_arrays_pass_empty_and_zero_ones_too() {
        for array in [&[][..], &[0.0, 0.0], &[1.0, -2.0]] {
            let v = compare(array, array);
            assert!(v.ok && v.max_rel_error == 0.0 && v.mismatch.is_none());
        }
    }

    #[test]
    fn one_wrong_element_among_a_million_fails_and_is_named() {
        let expected = vec![1.0; 1_000_000];
        let mut got = expected.clone();
        got[777_777] += 1e-5;
        let v = compare(&got, &expected);
        assert!(!v.ok, "{v}");
        assert!(v.mismatch.unwrap().starts_with("y[388888][1] is 1.00001e0"));
    }

    #[test]
    fn nan_never_passes_and_the_first_is_named() {
        let v = compare(&[1.0, f64::NAN, f64::NAN, 9.0], &[1.0; 4]);
        assert!(!v.ok && v.max_rel_error == f64::INFINITY);
        assert_eq!(v.mismatch.unwrap(), "y[0][1] is NaN, expected 1e0");
        assert!(!compare(&[f64::INFINITY], &[1.0]).ok);
        assert!(!compare(&[f64::NAN], &[0.0]).ok);
    }

    #[test]
    fn pieces_in_any_order_name_the_same_element() {
        let piece = |first: usize, got: f64| {
            let mut c = Comparison::new("y", 1);
            c.add(first, got, 1.0);
            c
        };
        let (a, b) = (piece(3, f64::NAN), piece(9, f64::NAN));
        assert_eq!(a.merge(b).finish(1.0).mismatch, b.merge(a).finish(1.0).mismatch);
        let merged = a.merge(b).finish(1.0);
        assert!(merged.mismatch.unwrap().starts_with("y[3]"));
    }
}
