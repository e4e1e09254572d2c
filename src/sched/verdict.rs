//! AUTO's decision, and its text.

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
    /// The policy chosen.
    pub policy: Policy,
    /// The devices chosen, in list order.
    pub devices: Vec<Slot>,
    /// Its time, predicted or measured.
    pub time: Seconds,
    /// What it is expected to take: longer than predicted if other choices on these devices were found to.
    pub expected: Seconds,
    /// The same of the candidate that is expected to take least, where chunks and samples have a handicap.
    pub least: Seconds,
    /// The policy of that candidate, and its number of devices.
    pub fastest: (Policy, usize),
    /// By how much longer the loop may take with fewer devices.
    pub worth: Percent,
    /// The devices left out, in list order, and why.
    pub left_out: Vec<(Slot, Reason)>,
    /// How much longer policies with chunks or samples count than predicted, if that may have decided against one of them.
    pub handicap: Percent,
    /// The time is measured in such loops, not predicted.
    pub measured: bool,
    /// What the devices share limits the loop, so these are more than are predicted to be needed.
    pub wide: bool,
    /// The choice is not expected to be the best, but too little is known of it.
    pub curious: bool,
    /// No time could be predicted.
    pub blind: bool,
    /// Decided for an earlier loop, no figure of which differs from this one's by more than 1 %: all times are that loop's.
    pub kept: bool,
    /// The text, once it was asked for.
    pub(crate) said: Said,
}

/// The text of a verdict for a report. Formatting its numbers takes some microseconds, and a verdict may stand for many loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said(OnceLock<Words>);

/// What was chosen, and why devices were left out.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub note: String,
    pub left_out: Vec<(Slot, String)>,
}

/// The text follows from the other fields.
impl PartialEq for Said {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Verdict {
    /// The text with the devices' names where it has their number.
    pub(super) fn with_names(&self, names: &[&str]) -> String {
        let text = self.to_string();
        let head = format!("{}: on {} of {} devices", self.policy, names.len(), names.len() + self.left_out.len());
        match (text.strip_prefix(&head), names) {
            (Some(rest), [name]) => format!("{} on {name} alone:{rest}", self.policy),
            (Some(rest), _) => format!("{} on {}:{rest}", self.policy, names.join(", ")),
            (None, _) => text,
        }
    }

    /// The same as the choice for another loop by nearly the same figures.
    pub(super) fn of_earlier(&self) -> Self {
        Self { kept: true, said: Said::default(), ..self.clone() }
    }

    /// The text for the report.
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
    /// The other devices are done before it could begin.
    Late {
        /// What it pays before its first iteration.
        fixed: Seconds,
        /// When the other devices are done.
        finish: Seconds,
    },
    /// It does not make the loop enough faster.
    Benefit {
        /// The least predicted time with it.
        with: Seconds,
        /// The predicted time on the devices that remain.
        without: Seconds,
        /// What it takes alone at least: a bound, unless such a loop was measured.
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
            Self::Benefit { with, without, alone } if with >= without => write!(
                f,
                "the loop is predicted to take {without} without it and no less with it; it alone would take at least {alone}"
            ),
            Self::Benefit { with, without, alone } => write!(
                f,
                "the loop is predicted to take {without} without it and {with} at best with it; it alone would take at least {alone}"
            ),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.say(f)?;
        if self.kept {
            f.write_str(", as decided for an earlier loop whose figures differ by at most 1 %")?;
        }
        Ok(())
    }
}

impl Verdict {
    fn say(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, time, expected, least, .. } = self;
        let how = if self.measured { "measured" } else { "simulated" };
        if self.blind {
            return write!(f, "{policy}: no policy could be simulated, so every device gets the same");
        }
        let all = self.devices.len() + self.left_out.len();
        write!(f, "{policy}: ")?;
        if self.left_out.is_empty() {
            write!(f, "its {how} time of {time}")?;
        } else {
            write!(f, "on {} of {all} devices its {how} time of {time}", self.devices.len())?;
        }
        if self.curious {
            return f.write_str(" is looked at, as it may be less");
        }
        if compared(expected.0, time.0, AS_GOOD) == Ordering::Greater {
            write!(f, ", expected to be {expected} as others took longer there,")?;
        }
        f.write_str(" is ")?;
        if compared(expected.0, least.0, AS_GOOD) != Ordering::Greater {
            f.write_str("the least")?;
            // The choice is one block each; other policies may be predicted slightly faster.
            if self.handicap.millionths() > 0 {
                write!(f, ", where chunks and samples count as {} longer", self.handicap)?;
            }
            Ok(())
        } else if self.wide {
            let (fastest, devices) = &self.fastest;
            write!(
                f,
                "about the least, {least} under {fastest} on {devices} devices: more devices get nearer to the limit of what they share"
            )
        } else {
            let (fastest, devices) = &self.fastest;
            write!(f, "at most {} longer than the least, {least} under {fastest} on {devices} devices", self.worth)
        }
    }
}

/// Differences of at most `tie`, relative to `b`, are ties.
pub(super) fn compared(a: f64, b: f64, tie: f64) -> Ordering {
    if (a - b).abs() <= tie * b { Ordering::Equal } else { a.total_cmp(&b) }
}
