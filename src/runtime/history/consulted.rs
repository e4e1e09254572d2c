//! What the history knows of a loop's devices.

use super::trials::Place;
use crate::model::LoopProfile;
use crate::model::history::{Key, Learned, Shape};
use crate::runtime::Member;
use crate::sched::Explanation;
use std::sync::Arc;

/// The keys of a loop's devices, and what the history knows of each.
pub(in crate::runtime) struct Consulted {
    pub(super) keys: Vec<Key>,
    pub learned: Vec<Option<Learned>>,
}

impl Consulted {
    /// Tells an explanation whose rates are known.
    pub fn tell(&self, members: &[&Member], explanation: &mut Explanation) {
        explanation.from_history = self.names(members).map(str::to_owned).collect();
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
            let consulted = Consulted { keys: vec![key], learned: vec![None] };
            consulted.place(&[], &LoopProfile::default()).unwrap()
        };
        assert_eq!(place(1, None), place(1, None));
        let others = [place(2, None), place(1, Some(8)), place(1, Some(9))];
        assert!(others.iter().all(|other| *other != place(1, None)) && others[1] != others[2]);
    }
}
