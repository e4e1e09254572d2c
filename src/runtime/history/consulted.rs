//! What the history knows of a loop's devices.

use super::trials::Place;
use crate::model::history::{Key, Learned, Question, Shape};
use crate::model::{DeviceCost, LoopProfile, MemoryKind};
use crate::runtime::Member;
use crate::sched::{Explanation, Policy};
use std::sync::Arc;

/// How a loop asks the history before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runtime) enum Asks {
    /// Not at all: nothing of the loop depends on the answer. What it takes is recorded all the same.
    Nothing,
    /// For what is at hand, without the last few loops; the loop has it made anew while its devices work.
    AtHand,
    /// For what all loops until now tell.
    All,
    /// The same, without a loop that runs: it waits for what another thread still works out.
    Forecast,
}

impl Asks {
    /// How a loop under this policy on these devices asks.
    pub fn of_loop(policy: &Policy, members: &[&Member]) -> Self {
        // The proxy of a device with its own memory has time while that works.
        let waits = members.iter().any(|member| member.model.memory == MemoryKind::Discrete);
        // How the host divides a chunk among its threads depends on the answer.
        let divides = members.iter().any(|member| member.model.memory == MemoryKind::Shared || member.pool.is_some());
        match policy {
            Policy::Block | Policy::Dynamic { .. } | Policy::Guided { .. } if !divides => Self::Nothing,
            _ if waits => Self::AtHand,
            _ => Self::All,
        }
    }
}

/// The described costs of a loop for which it is time to make anew what was at hand, and what was asked of each device.
// Not inline: few loops have any, and every loop's plan has the place for them and is moved.
pub(in crate::runtime) struct Due(pub(super) Vec<(DeviceCost, Question)>);

/// The keys of a loop's devices, and what the history knows of each.
pub(in crate::runtime) struct Consulted {
    pub(super) keys: Vec<Key>,
    pub learned: Vec<Option<Learned>>,
    /// If it is time to make anew what was at hand; a loop takes it.
    pub due: Option<Due>,
}

impl Consulted {
    /// Tells an explanation whose rates are known.
    pub fn tell(&self, members: &[&Member], explanation: &mut Explanation) {
        explanation.from_history = self.names(members).map(str::to_owned).collect();
        let copies = |learned: &Option<Learned>| {
            learned.as_ref().is_some_and(|learned| !learned.knows_kernel() && learned.knows_copies())
        };
        let known = members.iter().zip(&self.learned).filter(|(_, learned)| copies(learned));
        explanation.copies_from_history = known.map(|(member, _)| member.model.name.clone()).collect();
        explanation.notes.extend(self.note(members));
    }

    /// A remark for reports that names the devices whose rates are known.
    pub fn note(&self, members: &[&Member]) -> Option<String> {
        let names: Vec<_> = self.names(members).collect();
        (!names.is_empty()).then(|| format!("rates from history: {}", names.join(", ")))
    }

    /// Identifies the trials of such a loop; `None` without a kernel or without devices.
    pub(super) fn place(&self, members: &[&Member], profile: &LoopProfile) -> Option<Place> {
        let &Key { ref kernel, code, block, precision, .. } = self.keys.first()?;
        let kernel = Arc::clone(kernel.as_ref()?);
        let devices = members.iter().zip(&self.keys).map(|(member, key)| (member.id, key.memory)).collect();
        Some(Place {
            kernel,
            code,
            block,
            precision,
            shape: Shape::of(profile).bits(),
            iterations: profile.iterations,
            devices,
        })
    }

    /// Whether the kernel's rate is known on all devices.
    pub fn knows_all(&self) -> bool {
        self.learned.iter().all(knows_kernel)
    }

    /// Whether anything is known of any device.
    pub fn knows_any(&self) -> bool {
        self.learned.iter().any(Option::is_some)
    }

    /// The devices whose kernel rate is known.
    pub fn names<'m>(&self, members: &[&'m Member]) -> impl Iterator<Item = &'m str> {
        let known = members.iter().zip(&self.learned).filter(|(_, learned)| knows_kernel(learned));
        known.map(|(member, _)| member.model.name.as_str())
    }
}

/// Whether the kernel's rate is known on a device.
pub(super) fn knows_kernel(learned: &Option<Learned>) -> bool {
    learned.as_ref().is_some_and(Learned::knows_kernel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::history::samples::tests::key;

    #[test]
    fn what_auto_tried_belongs_to_a_kernel_and_its_blocks() {
        let place = |code: u64, block: Option<u64>| {
            let key = Key { code: Some(code), block, ..key("k") };
            let consulted = Consulted { keys: vec![key], learned: vec![None], due: None };
            consulted.place(&[], &LoopProfile::default()).unwrap()
        };
        assert_eq!(place(1, None), place(1, None));
        let others = [place(2, None), place(1, Some(8)), place(1, Some(9))];
        assert!(others.iter().all(|other| *other != place(1, None)) && others[1] != others[2]);
    }
}
