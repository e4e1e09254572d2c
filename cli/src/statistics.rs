//! Statistics of a few repetitions: the median, its confidence interval, and whether two policies differ.
//!
//! Times on a shared machine are skewed: a late interrupt adds time, nothing subtracts any. So the median represents a run, and
//! its interval comes from the order of the times alone, with no assumption about their distribution.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use statrs::distribution::{Binomial, DiscreteCDF};
use statrs::statistics::{Data, OrderStatistics, Statistics};
use statrs::stats_tests::Alternative;
use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

/// Required confidence of an interval.
pub const LEVEL: f64 = 0.95;

/// Fewest samples with a [`LEVEL`] interval of the median: all of 5 lie on one side of it once in 16 times.
pub const SAMPLES_FOR_INTERVAL: usize = 6;

/// Samples in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The number of samples.
    pub count: usize,
    /// The middle sample, or the mean of the two in the middle.
    pub median: f64,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Standard deviation (n - 1); `None` for one sample.
    pub std_dev: Option<f64>,
    /// Confidence interval of the true median.
    pub interval: Interval,
}

/// The interval that holds the median of the distribution, as far as the samples tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, one of the samples.
    pub low: f64,
    /// Upper end, one of the samples.
    pub high: f64,
    /// Probability that such an interval holds the median, at least [`LEVEL`]; `None` if there are too few samples and the
    /// interval is just their range.
    pub coverage: Option<f64>,
}

/// Summarises samples; `None` if there are none or one is no finite number.
pub fn summarise(samples: &[f64]) -> Option<Summary> {
    if samples.is_empty() || samples.iter().any(|sample| !sample.is_finite()) {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (min, max) = (sorted[0], sorted[sorted.len() - 1]);
    let interval = median_interval(&sorted);
    let std_dev = (sorted.len() > 1).then(|| sorted.as_slice().std_dev());
    // Rounding may move the mean of equal samples past them.
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

/// Most samples used in a test: its time grows with their square.
const MOST_RANKED: usize = 500;

/// Mann-Whitney's rank test, two-sided: the probability that ranks differ as much by chance, if both samples are from one
/// distribution. It is insensitive to skew, and outliers count by their rank only.
///
/// `None` if a side has no samples or one is no number. Of more than `MOST_RANKED` samples on a side, that many are taken, evenly
/// over the side.
pub fn rank_test(a: &[f64], b: &[f64]) -> Option<f64> {
    let some = |samples: &[f64]| -> Vec<f64> {
        let count = samples.len().min(MOST_RANKED);
        (0..count).map(|index| samples[index * samples.len() / count]).collect()
    };
    // The normal approximation with its continuity correction, not `Automatic`: statrs 0.19.1 gives the complement of the exact
    // probability if the first side has not more samples than the second.
    let method = MannWhitneyUMethod::AsymptoticInclContinuityCorrection;
    let (_, p) = mannwhitneyu(&some(a), &some(b), method, Alternative::TwoSided).ok()?;
    Some(p).filter(|p| p.is_finite())
}

/// Probabilities of several comparisons after Holm's correction: if all below 5 % are taken for differences, the chance of one
/// wrong among them is 5 % at most.
///
/// The k-th smallest of m, from 0, is multiplied by m - k; none gets smaller than the one before it.
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut corrected = vec![1.0; probabilities.len()];
    let mut largest = 0.0f64;
    for (rank, &index) in order.iter().enumerate() {
        largest = largest.max((probabilities.len() - rank) as f64 * probabilities[index]).min(1.0);
        corrected[index] = largest;
    }
    corrected
}

/// Fewest samples of [`regret_by_chance`].
const FEWEST: usize = 3;
/// Draws of [`regret_by_chance`], and at least a hundred if they would be of more samples than this in all: it should take seconds.
const DRAWS: u64 = 2000;
const DRAWN: u64 = 50_000_000;

/// What chance alone makes of the time of the best contender over the least time of all, if the best runs again: it is compared
/// with whichever had the luckiest repetitions. `contests` have the samples of their contenders. The first figure is for the
/// median of the contests' ratios, the second for the greatest; each is the median over draws of samples with replacement (a
/// bootstrap), the same ones in each call.
///
/// `None` without contests, or if a contender has fewer than three samples, which show nothing of chance.
pub fn regret_by_chance(contests: &[Vec<&[f64]>]) -> Option<(f64, f64)> {
    let median_of =
        |samples: &[f64]| summarise(samples).filter(|summary| summary.count >= FEWEST).map(|summary| summary.median);
    let best = |contest: &Vec<&[f64]>| -> Option<usize> {
        let medians: Vec<f64> = contest.iter().map(|samples| median_of(samples)).collect::<Option<_>>()?;
        medians.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map(|(index, _)| index)
    };
    let best: Vec<usize> = contests.iter().map(best).collect::<Option<_>>()?;
    let mut random = ChaCha8Rng::seed_from_u64(DRAWS);
    let mut drawn = Vec::new();
    let mut again = |samples: &[f64]| {
        drawn.clear();
        drawn.extend((0..samples.len() as u64).map(|_| samples[(random.next_u64() % samples.len() as u64) as usize]));
        Data::new(&mut drawn[..]).median()
    };
    let mut draw = || {
        let ratio = |(contest, &best): (&Vec<&[f64]>, &usize)| {
            let least = contest.iter().map(|samples| again(samples)).fold(f64::INFINITY, f64::min);
            again(contest[best]) / least
        };
        summarise(&contests.iter().zip(&best).map(ratio).collect::<Vec<_>>()).map(|all| (all.median, all.max))
    };
    let samples: usize = contests.iter().flatten().map(|samples| samples.len()).sum();
    let draws = (DRAWN / samples.max(1) as u64).clamp(100, DRAWS);
    let all: Vec<(f64, f64)> = (0..draws).map(|_| draw()).collect::<Option<_>>()?;
    let (medians, greatest): (Vec<f64>, Vec<f64>) = all.into_iter().unzip();
    Some((median_of(&medians)?, median_of(&greatest)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn chance_makes_nothing_of_times_that_do_not_vary_and_more_the_more_they_do_and_the_more_contenders_there_are() {
        let spread = |by: f64| (0..7).map(|i| 10.0 + by * f64::from(i % 4)).collect::<Vec<f64>>();
        let of = |by: f64, contenders: usize| {
            let samples = spread(by);
            regret_by_chance(&vec![vec![&samples[..]; contenders]; 5]).unwrap()
        };
        assert_eq!(of(0.0, 9), (1.0, 1.0));
        let (little, much, many) = (of(0.1, 3), of(1.0, 3), of(1.0, 30));
        assert!(1.0 < little.0 && little.0 < much.0 && much.0 < many.0, "{little:?} {much:?} {many:?}");
        assert!(much.0 < much.1 && much.1 < 1.3, "{much:?}");
        // Contenders that are far slower are no luckier than the best.
        let (fast, slow) = (spread(1.0), spread(1.0).iter().map(|time| time * 9.0).collect::<Vec<_>>());
        let one = regret_by_chance(&[vec![&fast[..]]]).unwrap();
        let among = regret_by_chance(&[vec![&fast[..], &slow, &slow]]).unwrap();
        assert!((one.0 - 1.0).abs() < 0.02 && (among.0 - one.0).abs() < 0.02, "{one:?} {among:?}");
        assert_eq!(regret_by_chance(&[]), None);
        assert_eq!(regret_by_chance(&[vec![&fast[..], &[]]]), None);
        assert_eq!(regret_by_chance(&[vec![&fast[..2]]]), None);
    }

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

    /// The exact probability, by counting all ways to deal the ranks.
    fn exact(a: &[f64], b: &[f64]) -> f64 {
        let all: Vec<f64> = a.iter().chain(b).copied().collect();
        let middle = (a.len() * b.len()) as f64 / 2.0;
        let far = |chosen: u32| {
            let of = |side: bool| (0..all.len()).filter(move |i| (chosen >> i & 1 == 1) == side);
            let wins = of(true).flat_map(|i| of(false).map(move |k| (i, k)));
            (wins.map(|(i, k)| if all[i] > all[k] { 1.0 } else { 0.0 }).sum::<f64>() - middle).abs()
        };
        let seen = far((1 << a.len()) - 1);
        let deals = (0..1u32 << all.len()).filter(|chosen| chosen.count_ones() as usize == a.len());
        let (mut total, mut as_far) = (0, 0);
        for chosen in deals {
            total += 1;
            as_far += usize::from(far(chosen) >= seen);
        }
        as_far as f64 / f64::from(total)
    }

    #[test]
    fn the_rank_test_agrees_with_counting_all_deals() {
        let six = [1.0, 3.0, 5.0, 7.0, 9.0, 11.0];
        for shift in [0.5, 2.5, 4.5, 6.5, 8.5, 10.5] {
            let other: Vec<f64> = six.iter().map(|time| time + shift).collect();
            for (a, b) in [(&six[..], &other[..]), (&other, &six), (&six[..4], &other), (&other, &six[..4])] {
                let (p, exact) = (rank_test(a, b).unwrap(), exact(a, b));
                assert!((p - exact).abs() < 0.03, "{a:?} {b:?}: {p} rather than {exact}");
            }
        }
    }

    #[test]
    fn an_outlier_hides_no_difference() {
        // The means differ by less than their errors; each time of the second is above all but one of the first.
        let (a, b) = ([1.0, 1.1, 1.2, 1.0, 1.1, 1.2, 90.0], [2.0, 2.1, 2.2, 2.0, 2.1, 2.2, 2.3]);
        assert!(rank_test(&a, &b).unwrap() < 0.05);
    }

    #[test]
    fn the_rank_test_knows_ties_and_says_nothing_without_samples() {
        assert_eq!(rank_test(&[], &[1.0, 2.0]), None);
        assert_eq!(rank_test(&[1.0], &[f64::NAN]), None);
        assert_eq!(rank_test(&[1.0, 1.0], &[1.0, 1.0]), Some(1.0));
        assert_eq!(rank_test(&[1.0], &[2.0]), Some(1.0));
    }

    #[test]
    fn thousands_of_samples_are_thinned() {
        let many: Vec<f64> = (0..100_000).map(f64::from).collect();
        assert!(rank_test(&many, &many).unwrap() > 0.9);
        assert!(rank_test(&many, &[-1.0; 7]).unwrap() < 1e-4);
    }

    #[test]
    fn holm_multiplies_the_smallest_most() {
        assert_eq!(holm(&[]), [] as [f64; 0]);
        assert_eq!(holm(&[0.25]), [0.25]);
        assert_eq!(holm(&[0.5, 0.015_625, 0.125]), [0.5, 0.046_875, 0.25]);
        // Never smaller than the one before, never above 1.
        assert_eq!(holm(&[0.25, 0.375, 0.75]), [0.75, 0.75, 0.75]);
        assert_eq!(holm(&[0.75, 0.75]), [1.0, 1.0]);
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
        fn the_rank_test_is_symmetric_and_a_probability(a in times(20), b in times(20)) {
            let (ab, ba) = (rank_test(&a, &b).unwrap(), rank_test(&b, &a).unwrap());
            prop_assert!((0.0..=1.0).contains(&ab) && (ab - ba).abs() < 1e-9);
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
