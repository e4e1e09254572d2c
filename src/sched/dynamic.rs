//! SCHED_DYNAMIC: an idle device takes the next chunk of a fixed size (HOMP paper section IV-A).

use super::policy::{Policy, PolicyEntry, check_percent, one_parameter};
use super::{Next, Scheduler};
use crate::error::Error;
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use crate::units::Percent;
use std::fmt;
use std::num::IntErrorKind;

pub(super) const DEFAULT: ChunkSize = ChunkSize::Percent(Percent::from_millionths(20_000));

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "SCHED_DYNAMIC",
    short: &["dynamic"],
    summary: "chunks of one size, first come first served",
    parameter: "chunk size: a percentage of the loop (2%) or a number of iterations (1000); default 2%",
    takes_cutoff: false,
    stages: 1,
    parse: |words| {
        let chunk = one_parameter("SCHED_DYNAMIC", words)?.map_or(Ok(DEFAULT), ChunkSize::parse)?;
        Ok(Policy::Dynamic { chunk })
    },
    build: |policy, problem| {
        let Policy::Dynamic { chunk } = *policy else {
            return Err(Error::call("SCHED_DYNAMIC was given no chunk size"));
        };
        Ok(Box::new(Dynamic {
            left: IterRange::new(0, problem.iterations),
            chunk: chunk.of(problem.iterations, problem.granule),
        }))
    },
};

/// The size of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkSize {
    /// A percentage of the whole loop, rounded up: never zero.
    Percent(Percent),
    /// A number of iterations.
    Count(u64),
}

impl ChunkSize {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if text.ends_with('%') {
            let percent: Percent = text.parse()?;
            check_percent("a chunk", percent)?;
            return Ok(Self::Percent(percent));
        }
        match text.parse::<u64>() {
            Ok(0) => Err("a chunk has at least one iteration, not 0".to_owned()),
            Ok(count) => Ok(Self::Count(count)),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => Err(format!(
                "`{text}` iterations are too many for a chunk: write at most {}, or a percentage",
                u64::MAX
            )),
            Err(_) => Err(format!(
                "`{text}` is no chunk size: write a percentage of the loop such as `2%`, or a number of iterations such as `1000`"
            )),
        }
    }

    /// The size in granules, for a loop of `n` granules.
    pub(super) fn of(self, n: u64, granule: u64) -> u64 {
        match self {
            Self::Percent(percent) => percent.of_ceil(n).max(1),
            Self::Count(count) => (count / granule).clamp(1, n.max(1)),
        }
    }
}

impl fmt::Display for ChunkSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(percent) => percent.fmt(f),
            Self::Count(count) => count.fmt(f),
        }
    }
}

struct Dynamic {
    left: IterRange,
    chunk: u64,
}

impl Scheduler for Dynamic {
    fn next(&mut self, _device: Slot) -> Next {
        match self.left.take_front(self.chunk) {
            chunk if chunk.is_empty() => Next::Done,
            chunk => Next::Run(chunk),
        }
    }

    fn finished(&mut self, _device: Slot, _chunk: IterRange, _times: &PhaseTimes, _pieces: u64) {}

    fn lost(&mut self, _device: Slot) -> Vec<IterRange> {
        Vec::new()
    }
}
