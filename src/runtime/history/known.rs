//! What whole loops took before, for AUTO: under policies that were asked for, and by its own choices in other processes.

use super::pieces::company;
use super::trials::Place;
use super::{Consulted, Keeper, State, WHOLE, kind_of, prepared};
use crate::model::history::{ArrayMemory, Company, Key, Observation, Shape};
use crate::model::{LoopProfile, MemoryKind};
use crate::runtime::Member;
use crate::runtime::proxy::Log;
use crate::sched::{Policy, Tried, Verdict};
use crate::space::Slot;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::sync::Arc;

/// What the history calls a policy that AUTO chose: such a loop has AUTO's own time in it.
const CHOSEN: &str = "AUTO ";
/// So often it is asked for before it is put together anew.
const USED: u32 = 16;
/// Loops of which it is kept, and choices of one loop.
const LOOPS: usize = 512;
const CHOICES: usize = 64;

/// What is known of a loop.
pub(super) struct Known {
    tried: Arc<[Tried]>,
    /// How often it was asked for since.
    used: u32,
}

/// A device of a loop, to the history.
struct Of<'k> {
    device: &'k str,
    arrays: ArrayMemory,
    memory: MemoryKind,
}

impl Keeper {
    /// What AUTO's choices and the policies that it chooses from took, from call to return, on these devices or some of them.
    pub fn known(&self, consulted: &Consulted, members: &[&Member], profile: &LoopProfile) -> Arc<[Tried]> {
        let Some(place) = consulted.place(members, profile) else { return Arc::default() };
        let mut state = self.state();
        if let Some(known) = state.known.get_mut(&place).filter(|known| self.frozen() || known.used < USED) {
            known.used += 1;
            return Arc::clone(&known.tried);
        }
        state.add_pending(self.frozen());
        let of = |(member, key): (&&Member, &Key)| (Arc::clone(&key.device), key.memory, member.model.memory);
        let keys: SmallVec<[_; 8]> = members.iter().zip(&consulted.keys).map(of).collect();
        let devices: SmallVec<[Of<'_>; 8]> =
            keys.iter().map(|(device, arrays, memory)| Of { device, arrays: *arrays, memory: *memory }).collect();
        let tried: Arc<[Tried]> = state.put_together(&place, &devices, profile).into();
        if state.known.len() >= LOOPS {
            state.known.clear();
        }
        state.known.insert(place, Known { tried: Arc::clone(&tried), used: 0 });
        tried
    }

    /// Adds what a loop took that AUTO decided, for other processes.
    pub fn chose(
        &self,
        (consulted, members, profile): (&Consulted, &[&Member], &LoopProfile),
        verdict: &Verdict,
        logs: &[&mut Log],
        elapsed: Seconds,
    ) {
        if self.file.is_none() {
            return;
        }
        let of = |slot: &Slot| Some((consulted.keys.get(slot.0)?.clone(), members.get(slot.0)?.model.memory));
        let Some(chosen) = verdict.devices.iter().map(of).collect::<Option<Vec<_>>>() else { return };
        let (keys, memories): (Vec<Key>, Vec<MemoryKind>) = chosen.into_iter().unzip();
        let Some(key) = Key::of_loops(&keys, &format!("{CHOSEN}{}", verdict.policy)) else { return };
        let mut state = self.state();
        let cold = state.is_cold(kind_of(WHOLE, &key, profile), prepared(logs));
        let (shape, iterations, company) = (Shape::of(profile), profile.iterations, company(memories.into_iter()));
        let at = super::now();
        let seen = Observation { shape, company, iterations, at, cold, once: Some(elapsed), ..Observation::default() };
        state.pending.push((key, seen));
    }
}

impl State {
    fn put_together(&self, place: &Place, devices: &[Of<'_>], profile: &LoopProfile) -> Vec<Tried> {
        let mut all: Vec<(Tried, bool)> = Vec::new();
        for (key, policy) in self.used.of_loops(&place.kernel, place.precision) {
            let (chosen, policy) = policy.strip_prefix(CHOSEN).map_or((false, policy), |policy| (true, policy));
            let Ok(policy) = policy.parse::<Policy>() else { continue };
            if !Policy::ALL_SEVEN.contains(&policy) {
                continue;
            }
            for slots in places(&key.device, devices) {
                let members = || slots.iter().map(|slot: &usize| &devices[*slot]);
                let company: Company = company(members().map(|of| of.memory));
                let lies = members().map(|of| of.arrays).max() == Some(key.memory);
                // Alone a device has all of it in any case.
                let right = lies && (slots.len() > 1 || policy == Policy::Block);
                let Some(time) = right.then(|| self.used.of_loop(key, profile, company)).flatten() else { continue };
                let devices: Vec<Slot> = slots.into_iter().map(Slot).collect();
                let tried = Tried { policy: policy.clone(), devices, time, predicted: None, once: false, hope: 1.0 };
                let same = |(other, _): &(Tried, bool)| other.policy == tried.policy && other.devices == tried.devices;
                match all.iter().position(same) {
                    // What AUTO's own choice took says more of the next one.
                    Some(index) if chosen && !all[index].1 => all[index] = (tried, true),
                    None if all.len() < CHOICES => all.push((tried, chosen)),
                    _ => {}
                }
            }
        }
        all.into_iter().map(|(tried, _)| tried).collect()
    }
}

/// Which of the devices, in list order, those of a loop may have been: `of_loop` names one after the other. Of devices of one make any.
fn places(of_loop: &str, devices: &[Of<'_>]) -> Vec<SmallVec<[usize; 8]>> {
    let names: SmallVec<[&str; 8]> = of_loop.split(" + ").collect();
    let mut found: Vec<SmallVec<[usize; 8]>> = vec![SmallVec::new()];
    for name in names {
        let next = |begun: &SmallVec<[usize; 8]>| -> Vec<SmallVec<[usize; 8]>> {
            let from = begun.last().map_or(0, |last| last + 1);
            let with = |slot: usize| begun.iter().copied().chain([slot]).collect();
            (from..devices.len()).filter(|&slot| devices[slot].device == name).map(with).collect()
        };
        found = found.iter().flat_map(next).take(CHOICES).collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Precision;
    use crate::space::DeviceId;

    const DEVICES: [(&str, ArrayMemory, MemoryKind); 3] = [
        ("cpu", ArrayMemory::InPlace, MemoryKind::Shared),
        ("gpu", ArrayMemory::Plain, MemoryKind::Discrete),
        ("gpu", ArrayMemory::Plain, MemoryKind::Discrete),
    ];

    fn devices() -> Vec<Of<'static>> {
        DEVICES.map(|(device, arrays, memory)| Of { device, arrays, memory }).into()
    }

    fn profile() -> LoopProfile {
        LoopProfile { iterations: 1000, memory_bytes: 8.0, ..LoopProfile::default() }
    }

    /// A history with so many loops each, on devices by their places, under policies.
    fn state(loops: &[(&[usize], &str, f64, u64)]) -> State {
        let mut state = State::default();
        let profile = profile();
        for &(of, policy, time, times) in loops {
            let key = |&slot: &usize| {
                let (device, memory, _) = DEVICES[slot];
                let (kernel, precision) = (Some("k".into()), Precision::F32);
                Key { kernel, precision, device: device.into(), memory, policy: None }
            };
            let keys: Vec<Key> = of.iter().map(key).collect();
            let company = company(of.iter().map(|&slot| DEVICES[slot].2));
            for at in 0..times {
                let (shape, once) = (Shape::of(&profile), Some(Seconds(time)));
                let iterations = profile.iterations;
                let seen = Observation { shape, company, iterations, at, once, ..Observation::default() };
                state.used.record(&Key::of_loops(&keys, policy).unwrap(), &seen);
            }
        }
        state
    }

    fn known(state: &State, kernel: &str) -> Vec<(String, Vec<usize>, f64)> {
        let devices_at = DEVICES.iter().enumerate().map(|(id, (_, arrays, _))| (DeviceId(id), *arrays)).collect();
        let (shape, iterations) = (Shape::of(&profile()).bits(), profile().iterations);
        let place = Place { kernel: kernel.into(), precision: Precision::F32, shape, iterations, devices: devices_at };
        let mut all: Vec<_> = state
            .put_together(&place, &devices(), &profile())
            .into_iter()
            .map(|tried| (tried.policy.to_string(), tried.devices.iter().map(|slot| slot.0).collect(), tried.time.0))
            .collect();
        all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        all
    }

    #[test]
    fn whole_loops_are_known_on_all_devices_and_on_some_of_them() {
        let state = state(&[
            (&[0, 1, 2], "MODEL_2_AUTO", 3.0, 3),
            (&[0, 1], "MODEL_2_AUTO", 5.0, 4),
            (&[2], "BLOCK", 7.0, 3),
            // Too few, with a cutoff, not one of the seven, and of one device another way.
            (&[0], "BLOCK", 1.0, 2),
            (&[0, 1, 2], "MODEL_1_AUTO benefit:2%", 1.0, 3),
            (&[0, 1, 2], "ADAPTIVE", 1.0, 3),
            (&[0], "MODEL_1_AUTO", 1.0, 3),
        ]);
        let expected = [
            ("BLOCK", vec![1], 7.0),
            ("BLOCK", vec![2], 7.0),
            ("MODEL_2_AUTO", vec![0, 1], 5.0),
            ("MODEL_2_AUTO", vec![0, 1, 2], 3.0),
            ("MODEL_2_AUTO", vec![0, 2], 5.0),
        ];
        let expected = expected.map(|(policy, devices, time)| (policy.to_owned(), devices, time));
        assert_eq!(known(&state, "k"), expected);
        assert!(known(&state, "another").is_empty());
    }

    #[test]
    fn what_autos_own_choice_took_counts_before_what_the_policy_took() {
        for order in [[0, 1], [1, 0]] {
            let loops: [(&[usize], &str, f64, u64); 2] =
                [(&[0, 1, 2], "BLOCK", 3.0, 3), (&[0, 1, 2], "AUTO BLOCK", 4.0, 3)];
            let state = state(&order.map(|index| loops[index]));
            assert_eq!(known(&state, "k"), [("BLOCK".to_owned(), vec![0, 1, 2], 4.0)]);
        }
    }

    #[test]
    fn places_are_all_subsequences_and_not_too_many() {
        let devices = devices();
        let of = |name: &str| places(name, &devices).into_iter().map(SmallVec::into_vec).collect::<Vec<_>>();
        assert_eq!(of("gpu"), [[1], [2]]);
        assert_eq!(of("cpu + gpu"), [[0, 1], [0, 2]]);
        assert_eq!(of("gpu + gpu"), [[1, 2]]);
        assert!(of("gpu + cpu").is_empty() && of("gpu + gpu + gpu").is_empty() && of("").is_empty());
        let many: Vec<_> =
            (0..64).map(|_| Of { device: "gpu", arrays: ArrayMemory::Plain, memory: MemoryKind::Discrete }).collect();
        assert!(places(&vec!["gpu"; 32].join(" + "), &many).len() <= CHOICES);
    }
}
