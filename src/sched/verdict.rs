//! What AUTO decided, and how it says so.

use super::decide::AS_GOOD;
use super::policy::Policy;
use crate::space::Slot;
use crate::units::{Percent, Seconds};
use std::cmp::Ordering;
use std::fmt;
use std::sync::OnceLock;

/// What AUTO runs, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Under this policy.
    pub policy: Policy,
    /// On these devices, in list order.
    pub devices: Vec<Slot>,
    /// Its time, predicted or measured.
    pub time: Seconds,
    /// The least time of all that was looked at, predicted or measured, where chunks and samples count as longer.
    pub least: Seconds,
    /// The policy that it belongs to, and on how many devices.
    pub fastest: (Policy, usize),
    /// By how much longer the loop may take with fewer devices.
    pub worth: Percent,
    /// The others, in list order, and why.
    pub left_out: Vec<(Slot, Reason)>,
    /// By how much longer policies of chunks or samples count than they are predicted, where that may have been against one.
    pub handicap: Percent,
    /// Its time is not predicted but what such loops took.
    pub measured: bool,
    /// It is not expected to be the best, but not known enough of.
    pub curious: bool,
    /// No time could be predicted.
    pub blind: bool,
    /// The words of that, once they were asked for.
    pub(crate) said: Said,
}

/// What a report says of a verdict. To write its numbers out takes some microseconds, and a verdict may stand for many loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said(OnceLock<Words>);

/// What was chosen, and why the others were left out.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub note: String,
    pub left_out: Vec<(Slot, String)>,
}

/// It follows from the rest.
impl PartialEq for Said {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Verdict {
    /// In words, for the report.
    pub(super) fn words(&self) -> &Words {
        self.said.0.get_or_init(|| Words {
            note: format!("AUTO chose {self}"),
            left_out: self.left_out.iter().map(|(slot, reason)| (*slot, reason.to_string())).collect(),
        })
    }
}

/// Why AUTO leaves a device out.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The user's cutoff.
    Cutoff(String),
    /// The others are done before it could begin.
    Late {
        /// What it pays before its first iteration.
        fixed: Seconds,
        /// When the others are done.
        finish: Seconds,
    },
    /// It does not make the loop enough faster.
    Benefit {
        /// The least predicted time, of all sets of devices.
        with: Seconds,
        /// The predicted time on those that are left.
        without: Seconds,
        /// What it takes alone, at the least.
        alone: Seconds,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cutoff(reason) => f.write_str(reason),
            Self::Late { fixed, finish } => {
                write!(f, "its fixed cost of {fixed} is past the finish of the others at {finish}")
            }
            Self::Benefit { with, without, alone } => write!(
                f,
                "the loop is predicted to take {without} without it and {with} at best with more devices; \
                 it alone would take {alone}"
            ),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, time, least, .. } = self;
        let how = if self.measured { "measured" } else { "simulated" };
        if self.blind {
            return write!(f, "{policy}: no policy could be simulated, so every device gets the same");
        }
        let all = self.devices.len() + self.left_out.len();
        write!(f, "{policy}: ")?;
        if self.left_out.is_empty() {
            write!(f, "its {how} time of {time} is ")?;
        } else {
            write!(f, "on {} of {all} devices its {how} time of {time} is ", self.devices.len())?;
        }
        if self.curious {
            return f.write_str("looked at, as it may be less");
        }
        if compared(time.0, least.0, AS_GOOD) != Ordering::Greater {
            f.write_str("the least")?;
            // One block each, and others may be predicted to be a little sooner.
            if self.handicap.millionths() > 0 {
                write!(f, ", where chunks and samples count as {} longer", self.handicap)?;
            }
            Ok(())
        } else {
            let (fastest, devices) = &self.fastest;
            write!(f, "at most {} longer than the least, {least} under {fastest} on {devices} devices", self.worth)
        }
    }
}

/// Below a part of `tie` the difference is a tie.
pub(super) fn compared(a: f64, b: f64, tie: f64) -> Ordering {
    if (a - b).abs() <= tie * b { Ordering::Equal } else { a.total_cmp(&b) }
}
