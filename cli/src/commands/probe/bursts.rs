//! Samples in bursts, spread over the probe.
//!
//! The state of a machine drifts over seconds: clocks, sleeping cores, other programs. Samples taken in one go agree with each
//! other and not with those of a minute later. So each figure is measured in bursts with other measurements between them, and is
//! the median of the bursts' medians: each state of the machine counts by how long it lasted, and one odd burst does not count.

use super::four_digits;
use apportion::model::machine::Figure;
use apportion_cli::grouping::three_digits;
use apportion_cli::statistics::summarise;
use std::collections::BTreeMap;

/// What is measured: of the device with this id, or of the machine; and which figure.
pub type Key = (Option<usize>, &'static str);

/// What is left when much is subtracted from a time may be about zero, however well it is known.
pub const HALF_RATE: &str = "half rate";
/// The same of a library's kernels.
pub const LIBRARY_HALF_RATE: &str = "half rate of a library";

/// The bursts of each figure.
#[derive(Default)]
pub struct Bursts {
    of: BTreeMap<Key, Vec<Vec<f64>>>,
}

impl Bursts {
    /// Adds a burst; one without samples, or with one that is no number, is dropped.
    pub fn add(&mut self, key: Key, samples: &[f64]) {
        if summarise(samples).is_some() {
            self.of.entry(key).or_default().push(samples.to_vec());
        }
    }

    /// All samples, in the order in which they were taken.
    pub fn all(&self, key: Key) -> Vec<f64> {
        self.of.get(&key).into_iter().flatten().flatten().copied().collect()
    }

    /// The median of the bursts' medians.
    pub fn middle(&self, key: Key) -> Option<Middle> {
        middle(self.of.get(&key)?)
    }

    /// How uncertain the least settled figure still is, as a part of it.
    ///
    /// For a handful of bursts the standard error of the median of their medians is about their range divided by their number.
    pub fn uncertainty(&self) -> f64 {
        let middles = self.settling().filter_map(|(_, bursts)| middle(bursts)).filter(|middle| middle.value > 0.0);
        middles.map(|middle| (middle.high - middle.low) / middle.value / middle.bursts as f64).fold(0.0, f64::max)
    }

    /// The figures that are known less well than to this part of them, and how well.
    ///
    /// Several bursts count as in [`uncertainty`](Self::uncertainty). Of a single one the odd sample says little: half of the
    /// interval in which the median lies counts, which for fewer than six samples is their range.
    pub fn noisy(&self, part: f64) -> Vec<(Key, f64)> {
        let of = |(key, bursts): (&Key, &Vec<Vec<f64>>)| {
            let middle = middle(bursts).filter(|middle| middle.value > 0.0)?;
            let apart = match &bursts[..] {
                [burst] => summarise(burst).map(|all| (all.interval.high - all.interval.low) / 2.0)?,
                _ => (middle.high - middle.low) / middle.bursts as f64,
            };
            Some((*key, apart / middle.value)).filter(|(_, apart)| *apart > part)
        };
        self.settling().filter_map(of).collect()
    }

    /// Figures that settle in proportion to themselves.
    fn settling(&self) -> impl Iterator<Item = (&Key, &Vec<Vec<f64>>)> {
        self.of.iter().filter(|((_, name), _)| ![HALF_RATE, LIBRARY_HALF_RATE].contains(name))
    }
}

/// The median of bursts' medians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Middle {
    /// The median.
    pub value: f64,
    /// The smallest of the bursts' medians; of one burst, of its samples.
    low: f64,
    /// The largest.
    high: f64,
    bursts: usize,
    samples: usize,
}

fn middle(bursts: &[Vec<f64>]) -> Option<Middle> {
    let samples = bursts.iter().map(Vec::len).sum();
    let medians: Vec<f64> = bursts.iter().filter_map(|burst| Some(summarise(burst)?.median)).collect();
    // The scatter within a burst is no drift, but of a single burst nothing else is known.
    let all = if let [burst] = bursts { summarise(burst)? } else { summarise(&medians)? };
    Some(Middle { value: all.median, low: all.min, high: all.max, bursts: bursts.len(), samples })
}

impl Middle {
    /// The same after a change of all samples that keeps their order.
    pub fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self { value: change(self.value), low: change(self.low), high: change(self.high), ..self }
    }

    /// As a figure, rounded to the precision of such a measurement.
    pub fn figure(self, what: &str, when: &str) -> Figure {
        let range = format!("{} to {}", three_digits(self.low), three_digits(self.high));
        let how = match self.bursts {
            1 => format!("median of {}, {range}", self.samples),
            bursts => format!("median of {bursts} bursts' medians, {range}, {} in all", self.samples),
        };
        Figure::measured(four_digits(self.value)).with_note(format!("{what}; {how}; {when}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = (Some(1), "launch");

    fn bursts(all: &[&[f64]]) -> Bursts {
        let mut bursts = Bursts::default();
        all.iter().for_each(|burst| bursts.add(KEY, burst));
        bursts
    }

    #[test]
    fn one_odd_burst_does_not_count_however_many_samples_it_has() {
        let found = bursts(&[&[10.0, 11.0, 12.0], &[90.0; 100], &[12.0, 9.0, 30.0]]);
        let middle = found.middle(KEY).unwrap();
        assert_eq!((middle.value, middle.low, middle.high), (12.0, 11.0, 90.0));
        let note = middle.figure("a loop", "now").note.unwrap();
        assert_eq!(note, "a loop; median of 3 bursts' medians, 11.0 to 90.0, 106 in all; now");
        assert_eq!(found.all(KEY).len(), 106);
        assert_eq!(middle.map(|time| time - 10.0).figure("", "").value, 2.0);
    }

    #[test]
    fn a_single_burst_is_its_median_and_its_range() {
        let found = bursts(&[&[3.0, 1.0, 2.0]]);
        let note = found.middle(KEY).unwrap().figure("a loop", "now").note.unwrap();
        assert_eq!(note, "a loop; median of 3, 1.00 to 3.00; now");
        // Without a time there is no figure.
        assert_eq!(bursts(&[&[], &[f64::NAN]]).middle(KEY), None);
    }

    #[test]
    fn figures_settle_as_bursts_agree_and_get_more() {
        assert!((bursts(&[&[9.0], &[10.0], &[11.0]]).uncertainty() - 0.2 / 3.0).abs() < 1e-12);
        let more: &[&[f64]] = &[&[9.0], &[10.0], &[11.0], &[10.0], &[10.0], &[10.0], &[10.0], &[10.0]];
        assert!((bursts(more).uncertainty() - 0.2 / 8.0).abs() < 1e-12);
        assert_eq!(bursts(&[&[10.0], &[10.0]]).uncertainty(), 0.0);
        // What is known of a figure is known of each alone.
        assert_eq!(bursts(&[&[9.0], &[10.0], &[11.0]]).noisy(0.1), []);
        let noisy = bursts(&[&[8.0], &[10.0], &[12.0]]).noisy(0.1);
        assert!(matches!(noisy[..], [(KEY, part)] if (part - 0.4 / 3.0).abs() < 1e-12), "{noisy:?}");
        // One burst: an odd sample of many is no noise, a few samples far apart are.
        let mut many = vec![10.0; 100];
        many[7] = 500.0;
        assert_eq!(bursts(&[&many]).noisy(0.1), []);
        assert_eq!(bursts(&[&[8.0, 10.0, 12.0, 10.0]]).noisy(0.1), [(KEY, 0.2)]);
        // What may be about zero never settles in proportion to itself.
        let mut about_zero = Bursts::default();
        [-1.0, 0.1, 1.0].iter().for_each(|burst| about_zero.add((None, HALF_RATE), &[*burst]));
        assert_eq!(about_zero.uncertainty(), 0.0);
        assert_eq!(about_zero.noisy(0.1), []);
    }
}
