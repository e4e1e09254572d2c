//! Measured times of a chunk, phase by phase.

use crate::error::Phase;
use crate::units::Seconds;
use std::ops::{AddAssign, Index, IndexMut};

/// Seconds spent in each [`Phase`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes([Seconds; 7]);

impl PhaseTimes {
    /// Time of all phases except waiting.
    pub fn busy(&self) -> Seconds {
        Phase::ALL.into_iter().filter(|&phase| phase != Phase::Wait).map(|phase| self[phase]).sum()
    }
}

/// Serialises as an object with the seconds of each phase; a key is the phase's name with `_s` at the end.
impl serde::Serialize for PhaseTimes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Phase::ALL.into_iter().map(|phase| (format!("{phase}_s"), self[phase])))
    }
}

impl Index<Phase> for PhaseTimes {
    type Output = Seconds;
    fn index(&self, phase: Phase) -> &Seconds {
        &self.0[phase as usize]
    }
}

impl IndexMut<Phase> for PhaseTimes {
    fn index_mut(&mut self, phase: Phase) -> &mut Seconds {
        &mut self.0[phase as usize]
    }
}

impl AddAssign for PhaseTimes {
    fn add_assign(&mut self, other: Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}
