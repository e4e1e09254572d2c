//! How long devices take for a region's loops, as measured, and which split follows from that.

use super::balance::{RegionSplit, in_blocks};
use crate::kernel::KernelId;
use crate::space::IterRange;
use crate::units::Seconds;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Loops that are measured before rows may move.
pub(super) const LEAST_LOOPS: u64 = 8;
/// Rows move only if the slowest device would save at least this fraction of its time. The threshold rises with each move, up
/// to `MOST_GAIN`.
const LEAST_GAIN: f64 = 0.03;
const MOST_GAIN: f64 = 0.12;

/// The first loops, which are all timed; later one in [`TIMED_EVERY`] is.
const ALL_TIMED: u64 = 32;
const TIMED_EVERY: u64 = 8;

/// A pace is the lower tercile of this many times: a device may be late by chance, but not early, and five slow loops mean a
/// slow device.
const WINDOW: usize = 7;
/// A better split is looked for if a pace differs by this much from when one was last looked for.
const DRIFT: f64 = 0.1;

/// What is known about the devices' paces.
#[derive(Debug, Default)]
pub(super) struct Balance {
    pub split: RegionSplit,
    pub on: OnUnlessSaid,
    /// By kernel.
    kernels: FxHashMap<KernelId, Pace>,
    /// Loops of each kernel so far.
    begun: FxHashMap<KernelId, u64>,
    /// Loops measured since rows last moved.
    since: u64,
    /// Loops measured in all.
    pub measured: u64,
    /// A better split is looked for once `since` reaches this.
    wait: u64,
    /// Loops still to be timed, since one was unlike those before.
    alert: usize,
    /// How often rows moved.
    moves: u32,
}

/// A flag that is on by default.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnUnlessSaid(pub bool);

impl Default for OnUnlessSaid {
    fn default() -> Self {
        Self(true)
    }
}

/// Seconds per iteration, of the last loops.
#[derive(Clone, Debug, Default)]
struct Samples(VecDeque<f64>);

/// The quantile `part / of`.
fn quantile(mut values: Vec<f64>, part: usize, of: usize) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? * part / of).copied()
}

impl Samples {
    /// Adds a time, and says whether it is unlike those before.
    fn take(&mut self, each: f64) -> bool {
        let unlike = self.0.len() >= 3
            && self.usual().is_some_and(|usual| (each - usual).abs() > (0.2 * usual).max(6.0 * self.deviation()));
        if self.0.len() == WINDOW {
            self.0.pop_front();
        }
        self.0.push_back(each);
        unlike
    }

    fn usual(&self) -> Option<f64> {
        quantile(self.0.iter().copied().collect(), 1, 3)
    }

    /// Median deviation from the usual time.
    fn deviation(&self) -> f64 {
        let Some(usual) = self.usual() else { return 0.0 };
        quantile(self.0.iter().map(|each| (each - usual).abs()).collect(), 1, 2).unwrap_or(0.0)
    }

    /// How far off the usual time may be: about its standard error, if the times were normally distributed.
    fn doubt(&self) -> f64 {
        1.25 * 1.48 * self.deviation() / (self.0.len().max(1) as f64).sqrt()
    }
}

/// How long devices take for a kernel.
#[derive(Debug, Default)]
struct Pace {
    loops: u64,
    /// Iterations of all these loops.
    iterations: u64,
    /// From the first row of any of them to the last.
    rows: Option<IterRange>,
    each: Vec<Samples>,
    /// The usual times when a better split was last looked for.
    seen: Vec<Option<f64>>,
}

/// A kernel's cost, as a split sees it.
#[derive(Clone, Debug)]
struct Load {
    rows: IterRange,
    /// Seconds per row of each device; none where nothing is known.
    each: Vec<Option<f64>>,
    doubt: Vec<f64>,
}

impl Balance {
    /// Takes in the times of a loop over `rows`: device, iterations, time.
    pub fn measured(&mut self, kernel: &KernelId, rows: IterRange, times: &[(usize, u64, Seconds)], devices: usize) {
        let known = |(_, iterations, time): &&(usize, u64, Seconds)| *iterations > 0 && time.0 > 0.0;
        self.since += 1;
        self.measured += 1;
        if devices < 2 || times.iter().find(known).is_none() {
            return;
        }
        let pace = self.kernels.entry(kernel.clone()).or_default();
        pace.loops += 1;
        pace.iterations = pace.iterations.saturating_add(rows.len());
        let all = pace.rows.map_or(rows, |all| IterRange::new(all.start.min(rows.start), all.end.max(rows.end)));
        pace.rows = Some(all);
        pace.each.resize_with(devices, Samples::default);
        self.alert = self.alert.saturating_sub(1);
        for (slot, iterations, time) in times.iter().filter(known) {
            if pace.each[*slot].take(time.0 / *iterations as f64) {
                self.alert = WINDOW;
            }
        }
    }

    /// Whether the times of the next loop of a kernel are wanted: those of all loops at first and after rows moved, later those
    /// of some. Each kernel's loops are counted by themselves: applications run several kernels and exchanges in turn, and of
    /// all of them together every eighth may always be of the same kind.
    pub fn wants_times(&mut self, kernel: &KernelId) -> bool {
        let begun = self.begun.entry(kernel.clone()).or_default();
        let sampled = Self::samples(*begun);
        *begun += 1;
        self.measured < ALL_TIMED || self.since < LEAST_LOOPS || self.alert > 0 || sampled
    }

    /// Whether the loop of a kernel, or the exchange by itself, before which there were `number` is always timed.
    pub fn samples(number: u64) -> bool {
        number.is_multiple_of(TIMED_EVERY)
    }

    /// Whether to look for a better split: less and less often, unless a device's pace has changed.
    pub fn is_due(&self) -> bool {
        self.on.0 && self.since >= LEAST_LOOPS && (self.since >= self.wait || self.has_drifted())
    }

    fn has_drifted(&self) -> bool {
        self.kernels.values().any(|pace| {
            pace.each.iter().enumerate().any(|(slot, samples)| {
                match (samples.usual(), pace.seen.get(slot).copied().flatten()) {
                    (Some(is), Some(was)) => (is - was).abs() > DRIFT * was + 2.0 * samples.doubt(),
                    (Some(_), None) => samples.0.len() == WINDOW,
                    (None, _) => false,
                }
            })
        })
    }

    /// There was no better split.
    pub fn looked(&mut self) {
        if self.alert > 0 {
            // Some times are from before a change and some from after it, so a better split is looked for again soon.
            self.wait = self.since + 1;
            return;
        }
        self.stays();
    }

    /// Rows stay where they are, whatever the times.
    pub fn stays(&mut self) {
        self.wait = (2 * self.since).max(LEAST_LOOPS);
        for pace in self.kernels.values_mut() {
            pace.seen = pace.each.iter().map(Samples::usual).collect();
        }
    }

    pub fn moved(&mut self) {
        self.since = 0;
        self.wait = LEAST_LOOPS;
        self.moves += 1;
        self.kernels.clear();
    }

    /// What the kernels cost on devices that have these numbers of rows.
    fn loads(&self, counts: &[u64]) -> Vec<Load> {
        let most = self.kernels.values().map(|pace| pace.loops).max().unwrap_or(1).max(1) as f64;
        let mean = |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        let all_of = |pace: &Pace| -> Vec<Option<f64>> {
            (0..counts.len()).map(|slot| pace.each.get(slot).and_then(Samples::usual)).collect()
        };
        let usual = |all: &[Option<f64>]| mean(&all.iter().flatten().copied().collect::<Vec<_>>());
        // A device's slowness relative to the mean, by the kernels that it ran; else by its rows, whose number follows from its
        // expected speed.
        let slowness = |slot: usize| {
            let of = |pace: &Pace| {
                let all = all_of(pace);
                Some(all[slot]? / usual(&all)?)
            };
            let by_kernels = mean(&self.kernels.values().filter_map(of).collect::<Vec<_>>());
            let ran: Vec<f64> = (0..counts.len())
                .filter(|&other| {
                    self.kernels.values().any(|pace| pace.each.get(other).is_some_and(|s| !s.0.is_empty()))
                })
                .map(|other| counts[other] as f64)
                .collect();
            by_kernels.or_else(|| Some(mean(&ran)? / counts[slot] as f64))
        };
        let load = |pace: &Pace| {
            let rows = pace.rows.filter(|rows| !rows.is_empty())?;
            let weight = pace.loops as f64 / most * (pace.iterations as f64 / (pace.loops as f64 * rows.len() as f64));
            let all = all_of(pace);
            let usual = usual(&all)?;
            let each = (0..counts.len()).map(|slot| {
                // A device without rows stays without.
                let each = all[slot].or_else(|| Some(usual * slowness(slot)?)).filter(|_| counts[slot] > 0)?;
                Some(each * weight)
            });
            let doubt = |slot: usize| pace.each.get(slot).map_or(0.0, Samples::doubt) * weight;
            Some(Load { rows, each: each.collect(), doubt: (0..counts.len()).map(doubt).collect() })
        };
        self.kernels.values().filter_map(load).collect()
    }

    /// How long a loop would take on each device alone, on average over the loops so far, where that is known.
    pub fn alone(&self, counts: &[u64]) -> Vec<Option<f64>> {
        let loops = self.kernels.values().map(|pace| pace.loops);
        // Loads are for as many loops as there were of the kernel with the most.
        let part = loops.clone().max().unwrap_or(1) as f64 / loops.sum::<u64>().max(1) as f64;
        let loads = self.loads(counts);
        let alone = |slot: usize| {
            let all: Option<f64> = loads.iter().map(|load| Some(load.each[slot]? * load.rows.len() as f64)).sum();
            all.filter(|_| !loads.is_empty()).map(|all| all * part)
        };
        (0..counts.len()).map(alone).collect()
    }

    /// A split in blocks of rows that is clearly better than the present one, and the seconds that it saves per loop. No device
    /// has more than `most` rows.
    pub fn better(&self, counts: &[u64], block: u64, most: &[u64]) -> Option<(f64, Vec<u64>)> {
        self.better_by(counts, |counts| in_blocks(counts, block), most)
    }

    /// The same, where `round` makes possible splits of others.
    pub fn better_by(
        &self,
        counts: &[u64],
        round: impl FnOnce(&[u64]) -> Vec<u64>,
        most: &[u64],
    ) -> Option<(f64, Vec<u64>)> {
        let loads = self.loads(counts);
        if loads.is_empty() {
            return None;
        }
        let better = round(&fair(counts, &loads, most)?);
        let (now, then) = (longest(counts, &loads, |load| &load.each), longest(&better, &loads, |load| &load.each));
        let doubts: Vec<Load> = loads
            .iter()
            .map(|load| Load { each: load.doubt.iter().copied().map(Some).collect(), ..load.clone() })
            .collect();
        let doubt = longest(counts, &doubts, |load| &load.each);
        let least = (LEAST_GAIN * (1.0 + f64::from(self.moves) / 2.0)).min(MOST_GAIN);
        let gain = now - then;
        (gain > least * now + 2.0 * doubt && better != counts).then_some((gain, better))
    }
}

/// Iterations of a load that are in `rows`.
fn overlap(load: &Load, rows: IterRange) -> u64 {
    load.rows.end.min(rows.end).saturating_sub(load.rows.start.max(rows.start))
}

/// How long the slowest device takes.
fn longest(counts: &[u64], loads: &[Load], each: impl Fn(&Load) -> &[Option<f64>]) -> f64 {
    let mut start = 0;
    let times = counts.iter().enumerate().map(|(slot, count)| {
        let rows = IterRange::new(start, start + count);
        start = rows.end;
        loads.iter().map(|load| overlap(load, rows) as f64 * each(load)[slot].unwrap_or(0.0)).sum()
    });
    times.fold(0.0, f64::max)
}

/// Rows from `from` on that a device runs in `time`, at most `most`.
fn rows_within(loads: &[Load], slot: usize, from: u64, most: u64, time: f64) -> u64 {
    let (mut at, end, mut left) = (from, from + most, time);
    while at < end {
        // All rows cost the same up to where some load begins or ends.
        let edges = loads.iter().flat_map(|load| [load.rows.start, load.rows.end]);
        let next = edges.filter(|&edge| edge > at).min().unwrap_or(end).min(end);
        let inside = |load: &&Load| load.rows.start <= at && at < load.rows.end;
        let row: f64 = loads.iter().filter(inside).map(|load| load.each[slot].unwrap_or(0.0)).sum();
        let rows = if row > 0.0 { (left / row + 1e-6) as u64 } else { u64::MAX };
        if rows < next - at {
            return at + rows - from;
        }
        left = (left - row * (next - at) as f64).max(0.0);
        at = next;
    }
    most
}

/// The split of least time with at most `most` rows each. Devices about which nothing is known keep their rows.
fn fair(counts: &[u64], loads: &[Load], most: &[u64]) -> Option<Vec<u64>> {
    let rows: u64 = counts.iter().sum();
    let known = |slot: usize| counts[slot] > 0 && loads.iter().all(|load| load.each[slot].is_some());
    if (0..counts.len()).filter(|&slot| known(slot)).count() < 2 {
        return None;
    }
    let within = |time: f64| {
        let mut at = 0;
        let mut kept: u64 = (0..counts.len()).filter(|&slot| !known(slot)).map(|slot| counts[slot]).sum();
        let take = |slot: usize| {
            let count = if known(slot) {
                rows_within(loads, slot, at, (rows - at - kept).min(most[slot].max(counts[slot])), time)
            } else {
                kept -= counts[slot];
                counts[slot]
            };
            at += count;
            count
        };
        let split: Vec<u64> = (0..counts.len()).map(take).collect();
        (at == rows).then_some(split)
    };
    let (mut low, mut high) = (0.0, longest(counts, loads, |load| &load.each));
    let mut best = within(high)?;
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        match within(middle) {
            Some(split) => (high, best) = (middle, split),
            None => low = middle,
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn kernel(code: u64) -> KernelId {
        KernelId { name: "k".into(), code }
    }

    #[test]
    fn kernels_of_one_name_have_paces_of_their_own() {
        // A row of the second takes ten times as long, on each device.
        let mut balance = Balance::default();
        for (code, each) in [(1, 1e-3), (2, 1e-2)] {
            for _ in 0..WINDOW {
                let times = [0, 1].map(|slot| (slot, 100, Seconds(100.0 * each)));
                balance.measured(&kernel(code), IterRange::new(0, 200), &times, 2);
            }
        }
        let mut each: Vec<_> = balance.loads(&[100, 100]).iter().filter_map(|load| load.each[0]).collect();
        each.sort_by(f64::total_cmp);
        assert_eq!(each.len(), 2);
        assert!((each[1] / each[0] - 10.0).abs() < 1e-6, "{each:?}");
    }

    #[test]
    fn what_counts_is_what_a_split_saves_once_it_is_rounded() {
        let mut balance = Balance::default();
        for _ in 0..WINDOW {
            balance.measured(&kernel(1), IterRange::new(0, 100), &[(0, 90, Seconds(9.2)), (1, 10, Seconds(1.0))], 2);
        }
        let most = [u64::MAX; 2];
        assert_eq!(balance.better(&[90, 10], 1, &most).map(|(_, counts)| counts), Some(vec![49, 51]));
        // One row is worth eighty of the mean.
        let round = |counts: &[u64]| if counts[0] >= 50 { vec![90, 10] } else { vec![10, 90] };
        assert_eq!(balance.better_by(&[90, 10], round, &most), None);
    }

    #[test]
    fn loops_of_each_kernel_are_timed_whatever_runs_in_between() {
        let mut balance = Balance::default();
        let times = [0, 1].map(|slot| (slot, 100, Seconds(1e-3)));
        let mut timed = [0, 0, 0];
        for _ in 0..800 {
            // As in a step with two kernels, one of which runs three times.
            for code in [0, 1, 1, 1] {
                timed[code] += u64::from(balance.wants_times(&kernel(code as u64)));
                balance.measured(&kernel(code as u64), IterRange::new(0, 200), &times, 2);
            }
        }
        // The first 32 loops, and one in eight of all others.
        assert_eq!(timed, [100 + 7, 300 + 21, 0]);
    }

    /// Devices that take `each` seconds per row, with a little noise, and much longer now and then.
    struct Machine {
        each: Vec<f64>,
        noise: f64,
        outliers: f64,
        state: u64,
    }

    impl Machine {
        fn new(speeds: &[f64], noise: f64, outliers: f64, seed: u64) -> Self {
            Self { each: speeds.iter().map(|speed| 1e-3 / speed).collect(), noise, outliers, state: seed | 1 }
        }

        /// Between 0 and 1.
        fn random(&mut self) -> f64 {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.state >> 11) as f64 / (1u64 << 53) as f64
        }

        /// A loop over rows, as far as each device has some of them.
        fn run(&mut self, counts: &[u64], rows: IterRange) -> Vec<(usize, u64, Seconds)> {
            let mut start = 0;
            let mut times = Vec::new();
            for (slot, count) in counts.iter().enumerate() {
                let mine = rows.end.min(start + count).saturating_sub(rows.start.max(start));
                start += count;
                let factor = 1.0 + self.noise * (2.0 * self.random() - 1.0);
                let late = if self.random() < self.outliers { 20.0 } else { 1.0 };
                if mine > 0 {
                    times.push((slot, mine, Seconds(mine as f64 * self.each[slot] * factor * late)));
                }
            }
            times
        }
    }

    /// Runs loops and rebalances as a region does. Returns how often rows moved, and after how many loops the last time.
    fn sweep(
        balance: &mut Balance,
        counts: &mut Vec<u64>,
        machine: &mut Machine,
        rows: IterRange,
        loops: u64,
    ) -> (u64, u64) {
        let (mut moves, mut last) = (0, 0);
        for number in 0..loops {
            let times = machine.run(counts, rows);
            if balance.wants_times(&kernel(0)) {
                balance.measured(&kernel(0), rows, &times, counts.len());
            }
            if balance.is_due() {
                match balance.better(counts, 1, &vec![u64::MAX; counts.len()]) {
                    Some((_, better)) => {
                        *counts = better;
                        balance.moved();
                        (moves, last) = (moves + 1, number + 1);
                    }
                    None => balance.looked(),
                }
            }
        }
        (moves, last)
    }

    /// The fraction by which the slowest device exceeds the time of the best split.
    fn excess(counts: &[u64], machine: &Machine, rows: IterRange) -> f64 {
        let silent = Machine { noise: 0.0, outliers: 0.0, each: machine.each.clone(), state: 1 };
        let times = { silent }.run(counts, rows);
        let slowest = times.iter().map(|(_, _, time)| time.0).fold(0.0, f64::max);
        let speed: f64 = machine.each.iter().map(|each| 1.0 / each).sum();
        slowest / (rows.len() as f64 / speed) - 1.0
    }

    fn cases(cases: u32) -> ProptestConfig {
        ProptestConfig { cases, rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(cases(200))]

        #[test]
        fn noise_and_outliers_move_few_rows_and_the_split_comes_near_the_best(
            speeds in prop::collection::vec(1.0..8.0f64, 2..6),
            noise in 0.0..0.15f64,
            outliers in 0.0..0.05f64,
            seed in any::<u64>(),
        ) {
            let mut machine = Machine::new(&speeds, noise, outliers, seed);
            let (mut balance, rows) = (Balance::default(), IterRange::new(0, 10_000));
            let mut counts = crate::model::split::even(10_000, speeds.len());
            let (moves, _) = sweep(&mut balance, &mut counts, &mut machine, rows, 600);
            prop_assert!(moves <= 6, "{moves} moves");
            prop_assert_eq!(counts.iter().sum::<u64>(), 10_000);
            let excess = excess(&counts, &machine, rows);
            prop_assert!(excess < 0.05 + 1.2 * noise, "{counts:?} are {excess} from the best");
            // Then rows stay: no oscillation.
            let (moves, _) = sweep(&mut balance, &mut counts, &mut machine, rows, 2000);
            prop_assert!(moves <= 5, "{moves} moves more");
        }

        #[test]
        fn a_device_that_changes_its_speed_for_good_is_followed_within_a_few_sweeps(
            speeds in prop::collection::vec(1.0..4.0f64, 2..5),
            noise in 0.0..0.05f64,
            which in any::<prop::sample::Index>(),
            factor in prop_oneof![0.2..0.5f64, 2.0..5.0f64],
            calm in 100..3000u64,
            seed in any::<u64>(),
        ) {
            let mut machine = Machine::new(&speeds, noise, 0.0, seed);
            let (mut balance, rows) = (Balance::default(), IterRange::new(0, 10_000));
            let mut counts = crate::model::split::even(10_000, speeds.len());
            sweep(&mut balance, &mut counts, &mut machine, rows, calm);
            machine.each[which.index(speeds.len())] /= factor;
            // One loop in eight is timed, then all; after a first move eight more are measured.
            let (moves, last) = sweep(&mut balance, &mut counts, &mut machine, rows, 60);
            prop_assert!((1..=3).contains(&moves) && last <= 50, "{moves} moves, the last after {last} loops");
            let excess = excess(&counts, &machine, rows);
            prop_assert!(excess < 0.1 + 1.2 * noise, "{counts:?} are {excess} from the best");
        }

        #[test]
        fn a_loop_over_a_part_of_the_rows_is_divided_over_all_devices(
            speeds in prop::collection::vec(1.0..4.0f64, 2..5),
            part in [0..10_000u64, 0..10_000u64],
            seed in any::<u64>(),
        ) {
            let rows = IterRange::new(part[0].min(part[1]), part[0].max(part[1]));
            prop_assume!(rows.len() > 500);
            let mut machine = Machine::new(&speeds, 0.01, 0.0, seed);
            let mut balance = Balance::default();
            let mut counts = crate::model::split::even(10_000, speeds.len());
            let (moves, _) = sweep(&mut balance, &mut counts, &mut machine, rows, 200);
            let excess = excess(&counts, &machine, rows);
            prop_assert!(excess < 0.15, "{counts:?} are {excess} from the best after {moves} moves");
        }

        #[test]
        fn no_single_time_moves_rows(
            devices in 2..5usize,
            factor in prop_oneof![0.001..0.5f64, 2.0..1000.0f64],
            at in 0..40u64,
        ) {
            let mut machine = Machine::new(&vec![1.0; devices], 0.0, 0.0, 1);
            let (mut balance, rows) = (Balance::default(), IterRange::new(0, 1000));
            let mut counts = crate::model::split::even(1000, devices);
            let before = counts.clone();
            let (moves, _) = sweep(&mut balance, &mut counts, &mut machine, rows, at);
            machine.each[0] *= factor;
            let once = sweep(&mut balance, &mut counts, &mut machine, rows, 1).0;
            machine.each[0] /= factor;
            let after = sweep(&mut balance, &mut counts, &mut machine, rows, 40).0;
            prop_assert_eq!((moves, once, after), (0, 0, 0));
            prop_assert_eq!(counts, before);
        }
    }

    #[test]
    fn a_device_of_which_nothing_is_known_keeps_its_rows() {
        let load = Load { rows: IterRange::new(0, 300), each: vec![Some(1.0), None, Some(3.0)], doubt: vec![0.0; 3] };
        let fair = |most| fair(&[100, 100, 100], std::slice::from_ref(&load), most);
        assert_eq!(fair(&[u64::MAX; 3]), Some(vec![150, 100, 50]));
        // A device with room for only a few more rows leaves the rest to others.
        assert_eq!(fair(&[120, u64::MAX, u64::MAX]), Some(vec![120, 100, 80]));
        assert_eq!(fair(&[0; 3]), Some(vec![100; 3]));
    }
}
