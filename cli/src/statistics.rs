//! What a few repetitions say: the median, how sure it is, and whether two policies differ.
//!
//! Times of a shared machine are skewed: a late interrupt adds, nothing subtracts. So the median stands for a run, and
//! its interval comes from the order of the times alone, with no assumption about their distribution.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};
use statrs::statistics::{Data, OrderStatistics, Statistics};

/// Confidence wanted of an interval.
pub const LEVEL: f64 = 0.95;

/// Fewest samples with a [`LEVEL`] interval of the median: all of 5 lie on one side of it once in 16 times.
pub const SAMPLES_FOR_INTERVAL: usize = 6;

/// Samples in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many.
    pub count: usize,
    /// The middle one, or the mean of the two in the middle.
    pub median: f64,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Standard deviation (n - 1); none of one sample.
    pub std_dev: Option<f64>,
    /// How far the true median may lie.
    pub interval: Interval,
}

/// Where the median of the distribution lies, as far as the samples tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, one of the samples.
    pub low: f64,
    /// Upper end, one of the samples.
    pub high: f64,
    /// Probability that such an interval holds the median, at least [`LEVEL`]; none where there are too few samples
    /// and the interval is just from the smallest to the largest.
    pub coverage: Option<f64>,
}

/// Two samples compared by Welch's t-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    /// Difference of the means in standard errors.
    pub t: f64,
    /// Degrees of freedom.
    pub degrees_of_freedom: f64,
    /// Probability of a difference as large by chance, two-sided.
    pub p: f64,
}

/// Sums up samples; none if there are none or one is no finite number.
pub fn summarise(samples: &[f64]) -> Option<Summary> {
    if samples.is_empty() || samples.iter().any(|sample| !sample.is_finite()) {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (min, max) = (sorted[0], sorted[sorted.len() - 1]);
    let interval = median_interval(&sorted);
    let std_dev = (sorted.len() > 1).then(|| sorted.as_slice().std_dev());
    // Rounding may carry the mean of equal samples past them.
    let mean = sorted.as_slice().mean().clamp(min, max);
    let median = Data::new(&mut sorted[..]).median();
    Some(Summary { count: samples.len(), median, mean, min, max, std_dev, interval })
}

/// `[x_(k), x_(n+1-k)]` with the largest k for which `1 - 2 P(B < k) >= LEVEL`, B binomial (n, 1/2).
///
/// The number of samples below the true median is binomial, whatever the distribution. With fewer than
/// [`SAMPLES_FOR_INTERVAL`] samples no k is large enough: smallest to largest, without a claim.
fn median_interval(sorted: &[f64]) -> Interval {
    let count = sorted.len();
    let whole = Interval { low: sorted[0], high: sorted[count - 1], coverage: None };
    let Ok(below) = Binomial::new(0.5, count as u64) else { return whole };
    // The coverage falls as k grows, and 1 is the widest interval.
    let coverage = |k: usize| 1.0 - 2.0 * below.cdf(k as u64 - 1);
    match (1..=count / 2).take_while(|&k| coverage(k) >= LEVEL).last() {
        Some(k) => Interval { low: sorted[k - 1], high: sorted[count - k], coverage: Some(coverage(k)) },
        None => whole,
    }
}

/// Welch's t-test: do the means of two samples differ, whatever their variances?
///
/// None with fewer than two samples on a side, or no scatter on either.
pub fn welch(a: &[f64], b: &[f64]) -> Option<Welch> {
    if a.len() < 2 || b.len() < 2 {
        return None;
    }
    let (count_a, count_b) = (a.len() as f64, b.len() as f64);
    let (square_a, square_b) = (a.variance() / count_a, b.variance() / count_b);
    let t = (a.mean() - b.mean()) / (square_a + square_b).sqrt();
    let degrees_of_freedom =
        (square_a + square_b).powi(2) / (square_a * square_a / (count_a - 1.0) + square_b * square_b / (count_b - 1.0));
    if !t.is_finite() || !degrees_of_freedom.is_finite() {
        return None;
    }
    let p = 2.0 * StudentsT::new(0.0, 1.0, degrees_of_freedom).ok()?.sf(t.abs());
    Some(Welch { t, degrees_of_freedom, p: p.clamp(0.0, 1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ten_samples_give_the_second_and_the_ninth() {
        let samples: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        let interval = summarise(&samples).unwrap().interval;
        assert_eq!((interval.low, interval.high), (2.0, 9.0));
        // 1 - 2 (1 + 10) / 2^10
        assert!((interval.coverage.unwrap() - (1.0 - 22.0 / 1024.0)).abs() < 1e-12);
    }

    #[test]
    fn five_samples_give_their_range_without_a_claim_and_six_give_it_with_one() {
        let five = summarise(&[5.0, 1.0, 4.0, 2.0, 3.0]).unwrap().interval;
        assert_eq!((five.low, five.high, five.coverage), (1.0, 5.0, None));
        let six = summarise(&[5.0, 1.0, 4.0, 2.0, 3.0, 9.0]).unwrap().interval;
        assert_eq!((six.low, six.high), (1.0, 9.0));
        assert!((six.coverage.unwrap() - 0.96875).abs() < 1e-12);
    }

    #[test]
    fn one_sample_is_its_own_median_and_has_no_deviation() {
        let summary = summarise(&[7.5]).unwrap();
        assert_eq!((summary.median, summary.mean, summary.std_dev), (7.5, 7.5, None));
        assert_eq!((summary.interval.low, summary.interval.high, summary.interval.coverage), (7.5, 7.5, None));
    }

    #[test]
    fn nothing_and_what_is_no_number_have_no_summary() {
        assert_eq!(summarise(&[]), None);
        assert_eq!(summarise(&[1.0, f64::NAN]), None);
        assert_eq!(summarise(&[1.0, f64::INFINITY]), None);
    }

    #[test]
    fn welch_agrees_with_an_independent_integration() {
        let a = [20.4, 24.2, 15.4, 21.4, 20.2, 18.5, 21.5];
        let b = [20.2, 16.9, 18.5, 17.3, 20.5, 14.5, 19.0, 15.1];
        assert!((welch(&a, &b).unwrap().p - 0.081_281_015_338_2).abs() < 1e-10);
    }

    #[test]
    fn welch_says_nothing_without_scatter_or_samples() {
        assert_eq!(welch(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(welch(&[1.0, 1.0], &[2.0, 2.0]), None);
    }

    fn times(most: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(1e-6..1e6f64, 1..most)
    }

    proptest! {
        #[test]
        fn the_numbers_are_in_order(samples in times(60)) {
            let s = summarise(&samples).unwrap();
            prop_assert!(s.min <= s.interval.low && s.interval.low <= s.median);
            prop_assert!(s.median <= s.interval.high && s.interval.high <= s.max);
            prop_assert!(s.min <= s.mean && s.mean <= s.max);
            prop_assert!(samples.contains(&s.interval.low) && samples.contains(&s.interval.high));
            prop_assert_eq!(s.interval.coverage.is_some(), samples.len() >= SAMPLES_FOR_INTERVAL);
            prop_assert!(s.interval.coverage.is_none_or(|coverage| (LEVEL..=1.0).contains(&coverage)));
        }

        #[test]
        fn the_order_of_the_samples_does_not_matter(samples in times(40)) {
            let mut other = samples.clone();
            other.reverse();
            prop_assert_eq!(summarise(&samples), summarise(&other));
        }

        #[test]
        fn a_longer_unit_shrinks_every_number_alike(samples in times(40)) {
            // A power of two, so that nothing is rounded.
            let scaled: Vec<f64> = samples.iter().map(|sample| sample / 1024.0).collect();
            let (a, b) = (summarise(&samples).unwrap(), summarise(&scaled).unwrap());
            prop_assert_eq!(a.median / 1024.0, b.median);
            prop_assert_eq!(a.interval.low / 1024.0, b.interval.low);
            prop_assert_eq!(a.interval.high / 1024.0, b.interval.high);
        }

        #[test]
        fn welch_is_symmetric_and_a_probability(a in times(20), b in times(20)) {
            if let (Some(ab), Some(ba)) = (welch(&a, &b), welch(&b, &a)) {
                prop_assert!((0.0..=1.0).contains(&ab.p));
                prop_assert!((ab.p - ba.p).abs() < 1e-9 && (ab.t + ba.t).abs() < 1e-9 * ab.t.abs().max(1.0));
            }
        }

        #[test]
        fn the_interval_holds_the_true_median_as_often_as_it_says(seed in any::<u32>()) {
            // 400 draws of 11 uniform numbers: the true median is 1/2. Coverage 0.988, standard error 0.0054.
            let mut state = u64::from(seed) | 1 << 40;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1u64 << 53) as f64
            };
            let held = (0..400).filter(|_| {
                let samples: Vec<f64> = (0..11).map(|_| draw()).collect();
                let interval = summarise(&samples).unwrap().interval;
                interval.low <= 0.5 && 0.5 <= interval.high
            });
            prop_assert!(held.count() >= 375);
        }
    }
}
