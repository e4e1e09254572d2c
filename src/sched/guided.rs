//! SCHED_GUIDED: an idle device takes a share of what remains, so that chunks shrink (HOMP paper section IV-A).

use super::policy::{Policy, PolicyEntry, percent_and_mode};
use super::{Next, Scheduler};
use crate::error::Error;
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use crate::units::Percent;
use std::fmt;
use std::str::FromStr;

pub(super) const DEFAULT: Percent = Percent::from_millionths(200_000);

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "SCHED_GUIDED",
    short: &["guided"],
    summary: "shrinking chunks, first come first served",
    parameter: "share of what remains, default 20%; mode `remaining` (default, at most 1/M of it), `percent` (no such bound) or `homp` (p% of the loop over the device's number of picks)",
    takes_cutoff: false,
    stages: 1,
    parse: |words| {
        let (percent, mode) = percent_and_mode("SCHED_GUIDED", words, "a guided chunk")?;
        Ok(Policy::Guided {
            percent: percent.unwrap_or(DEFAULT),
            mode: mode.map_or(Ok(GuidedMode::default()), GuidedMode::from_str)?,
        })
    },
    build: |policy, problem| {
        let Policy::Guided { percent, mode } = *policy else {
            return Err(Error::call("SCHED_GUIDED was given no percentage"));
        };
        let n = problem.iterations;
        Ok(Box::new(Guided {
            left: IterRange::new(0, n),
            n,
            least: (n / 100).max(1),
            percent,
            mode,
            picks: vec![0; problem.devices.len()],
        }))
    },
};

/// How SCHED_GUIDED sizes a chunk, for `p` per cent, `n` iterations, `r` of them left, `M` devices. In every mode a chunk has at
/// least 1 % of the loop and at least one iteration, except the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GuidedMode {
    /// `ceil(min(p, 1/M) * r)`. The bound is the classical one: without it the first round could take the whole loop.
    #[default]
    Remaining,
    /// `ceil(p * r)`.
    Percent,
    /// `floor(p * n) / k` at the device's k-th pick: what HOMP's public runtime computes.
    Homp,
}

impl GuidedMode {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Remaining, "remaining"), (Self::Percent, "percent"), (Self::Homp, "homp")];
}

impl fmt::Display for GuidedMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(mode, _)| mode == self).map_or("", |(_, name)| name);
        f.pad(name)
    }
}

impl FromStr for GuidedMode {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(mode, _)| *mode).ok_or_else(|| {
            format!("`{text}` is no mode of SCHED_GUIDED: use `remaining` (default), `percent` or `homp`")
        })
    }
}

struct Guided {
    left: IterRange,
    n: u64,
    least: u64,
    percent: Percent,
    mode: GuidedMode,
    picks: Vec<u64>,
}

impl Scheduler for Guided {
    fn next(&mut self, device: Slot) -> Next {
        let Some(picks) = self.picks.get_mut(device.0) else { return Next::Done };
        *picks += 1;
        let left = self.left.len();
        let devices_over_whole =
            u128::from(self.percent.millionths()) * u128::from(self.picks.len() as u64) > 1_000_000;
        let length = match self.mode {
            GuidedMode::Remaining if devices_over_whole => left.div_ceil(self.picks.len() as u64),
            GuidedMode::Remaining | GuidedMode::Percent => self.percent.of_ceil(left),
            GuidedMode::Homp => self.percent.of_floor(self.n) / self.picks[device.0],
        };
        match self.left.take_front(length.max(self.least)) {
            chunk if chunk.is_empty() => Next::Done,
            chunk => Next::Run(chunk),
        }
    }

    fn finished(&mut self, _device: Slot, _chunk: IterRange, _times: &PhaseTimes, _pieces: u64) {}

    fn lost(&mut self, _device: Slot) -> Vec<IterRange> {
        Vec::new()
    }
}
