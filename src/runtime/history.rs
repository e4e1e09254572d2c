//! The history of a runtime: its file, what it knows of a loop's devices, and what a loop adds to it.
//!
//! Loops add samples in memory. A thread writes the file between loops, every few seconds, and the runtime writes it when it is
//! dropped. Each write reads the file, adds this process's samples and replaces the file atomically. Two processes that write
//! at the same moment may lose samples of one, but the file stays whole. Without a file a runtime learns for itself alone.

mod beside;
mod consulted;
mod file;
mod lesson;
mod pieces;
mod samples;
mod standing;
mod trials;
mod writer;

use crate::devices::topology;
use crate::error::Error;
use crate::kernel::{Argument, Kernel};
use crate::model::history::{self, ArrayMemory, Asked, Company, Key, Learned, Question};
use crate::model::machine::Machine;
use crate::model::{DeviceCost, History, LoopProfile};
use crate::runtime::{Member, Runtime};
use crate::sched::{Policy, Tried};
use crate::space::DeviceId;
use crate::units::Seconds;
use consulted::knows_kernel;
pub(super) use consulted::{Asks, Consulted, Due};
pub use file::{HistoryFile, VARIABLE};
pub(super) use lesson::{Lesson, Took, prepared};
pub(super) use pieces::company;
use samples::{State, kind_of};
use smallvec::SmallVec;
pub(super) use standing::{LoopKey, LoopQuery, Placement, StandingChoice};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use writer::{Unwritten, Writer};

/// The history of an open runtime.
pub(super) struct Keeper {
    /// `None` if what is learned stays in this process.
    file: Option<HistoryFile>,
    /// Why the file cannot be read or is no history; such a file is not overwritten.
    damaged: Option<String>,
    /// The identity of each device's hardware.
    identities: Vec<(DeviceId, Arc<str>)>,
    /// The processor at the other end of the devices' links.
    host: Arc<str>,
    /// Emulated devices with slowed clocks: their measured times do not compare with the description's.
    slowed: Vec<DeviceId>,
    state: Mutex<State>,
    writer: Mutex<Option<Writer>>,
    unwritten: Arc<Unwritten>,
    /// Held while somebody waits for [`State::beside`].
    waiting: Mutex<()>,
}

/// What a note says of a file that cannot be written at present.
fn not_kept(error: &Error) -> String {
    format!("{error}; unless that changes, what is learned now is not kept")
}

impl Keeper {
    /// Reads the file. Returns a remark if it cannot be read, or could not be written.
    pub fn open(runtime: &Runtime, file: HistoryFile) -> (Self, Option<String>) {
        let (used, damaged) = match file.load() {
            Ok(history) => (history, None),
            Err(error) => (History::default(), Some(format!("{error}; what is learned now is not kept"))),
        };
        // Most programs end before they write it for the first time, when nobody is left to receive an error.
        let unwritten = if damaged.is_none() { file.check_place().err().map(|error| not_kept(&error)) } else { None };
        let keeper = Self::new(runtime.members.iter(), &runtime.machine, Some(file), used, damaged.clone());
        let note = damaged.or(unwritten);
        if note.is_some() {
            keeper.unwritten.is_told();
        }
        (keeper, note)
    }

    /// A history without a file, which knows nothing yet.
    pub fn in_memory(members: &[Member], machine: &Machine) -> Self {
        Self::new(members.iter(), machine, None, History::default(), None)
    }

    fn new<'m>(
        members: impl Iterator<Item = &'m Member>,
        machine: &Machine,
        file: Option<HistoryFile>,
        used: History,
        damaged: Option<String>,
    ) -> Self {
        let identity =
            |member: &Member| (member.id, history::device_of(machine, member.id, member.device().identity()).into());
        let slowed = |entry: &&crate::model::machine::DeviceEntry| {
            entry.emulated.as_ref().and_then(|section| section.time_scale).is_some_and(|scale| scale > 1.0)
        };
        let fresh = file.is_some().then(History::default);
        Self {
            file,
            damaged,
            identities: members.map(identity).collect(),
            host: topology::cpu_model().into(),
            slowed: machine.enabled_devices().filter(slowed).map(|entry| entry.device_id()).collect(),
            state: Mutex::new(State::new(used, fresh)),
            writer: Mutex::default(),
            unwritten: Arc::default(),
            waiting: Mutex::default(),
        }
    }

    pub fn file(&self) -> Option<&HistoryFile> {
        self.file.as_ref()
    }

    /// Whether this history serves loops of a policy on this many devices. With a file it serves all, for later processes.
    /// Without one it serves policies that predict, on several devices: other loops would never use it.
    pub fn is_for(&self, policy: &Policy, devices: usize) -> bool {
        let predicts = || !matches!(policy, Policy::Block | Policy::Dynamic { .. } | Policy::Guided { .. });
        self.file.is_some() || (devices > 1 && predicts())
    }

    /// Whether what is learned counts from the next runtime on only.
    pub fn frozen(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.frozen)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic under the lock leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts what is known of the kernel into `costs`; `block` is the block length of a reproducible loop. `arguments` and
    /// `locked` tell where the arrays lie; arrays that are only described count as lying where the device copies fastest. With
    /// [`Asks::AtHand`], [`Self::renew`] follows while the loop runs.
    pub fn consult(
        &self,
        members: &[&Member],
        (kernel, block): (&Kernel, Option<u64>),
        (arguments, locked): (&[Argument<'_>], &[bool]),
        profile: &LoopProfile,
        costs: &mut [DeviceCost],
        asks: Asks,
    ) -> Consulted {
        let key = |member: &&Member| {
            let memory = member.array_memory(arguments, locked);
            Key {
                kernel: Some(kernel.shared_name()),
                code: Some(kernel.code()),
                block,
                precision: profile.precision,
                device: self.identity(member.id),
                memory,
                policy: None,
                host: (memory != ArrayMemory::InPlace).then(|| Arc::clone(&self.host)),
            }
        };
        let keys: Vec<Key> = members.iter().map(key).collect();
        if asks == Asks::Nothing {
            let learned = vec![None; keys.len()];
            return Consulted { keys, learned, due: None };
        }
        let company = company(members.iter().map(|member| member.model.memory));
        if asks == Asks::Forecast {
            self.wait_for_lessons();
        }
        let (mut state, mut due) = (self.state(), false);
        let mut questions: SmallVec<[Question; 4]> = SmallVec::new();
        // What a device's first loop takes in addition is paid once, and says nothing of the loops that follow. So once one of several
        // devices that are the same hardware had such a loop, none of them is asked for its first.
        let had = |(key, member): (&Key, &&Member)| state.seen.contains_key(&kind_of(member.id, key, profile));
        let had: SmallVec<[bool; 8]> = keys.iter().zip(members).map(had).collect();
        let mut learned: Vec<_> = keys
            .iter()
            .zip(members)
            .zip(&*costs)
            .map(|((key, member), described)| {
                let alike = || keys.iter().zip(&had).any(|(other, had)| *had && other == key);
                let cold = !self.frozen() && !alike();
                let question = if cold { Question::First } else { Question::Later };
                questions.push(question);
                let asked = Asked { key, company, profile, device: &member.model, described, question };
                let at_hand = if asks == Asks::AtHand { state.at_hand(member.id, &asked) } else { None };
                let Some((learned, is_due)) = at_hand else {
                    return state.learned(member.id, &asked, self.frozen(), asks != Asks::Forecast);
                };
                due |= is_due && !self.frozen();
                learned
            })
            .collect();
        drop(state);
        // Beside times of slowed clocks, described costs would look too fast: all rates are known, or none count.
        if !learned.iter().all(knows_kernel) && members.iter().any(|member| self.slowed.contains(&member.id)) {
            learned.fill(None);
        }
        for (learned, member) in learned.iter_mut().zip(members) {
            // Alone it had more cores, so its time alone does not tell what others slow it by.
            if let Some(learned) = learned.as_mut().filter(|_| member.wide.as_ref().is_some_and(|w| w.is_much_larger()))
            {
                (learned.slowed, learned.alone) = (None, [None; 3]);
            }
        }
        let stated = SmallVec::<[DeviceCost; 4]>::from_slice(costs);
        for (cost, learned) in costs.iter_mut().zip(&learned) {
            if let Some(learned) = learned {
                *cost = learned.apply(cost);
            }
        }
        history::settle(costs, &stated, &learned, profile.iterations);
        Consulted { keys, learned, due: due.then(|| Due(stated.into_iter().zip(questions).collect())) }
    }

    /// Makes anew what such loops will ask for. For a moment in which nobody waits.
    pub fn renew(&self, consulted: &Consulted, Due(stated): &Due, members: &[&Member], profile: &LoopProfile) {
        let company = company(members.iter().map(|member| member.model.memory));
        let mut state = self.state();
        for ((key, member), &(ref described, question)) in consulted.keys.iter().zip(members).zip(stated) {
            let asked = Asked { key, company, profile, device: &member.model, described, question };
            state.learn_anew(member.id, &asked, self.frozen());
        }
    }

    /// What is known of each device from loops in exactly the company that `with` gives, the device included. In other company
    /// its fixed cost may be higher and its rate lower. `described` are the costs by the machine's description.
    pub fn among<'m>(
        &self,
        (consulted, asks): (&Consulted, Asks),
        members: &[&'m Member],
        profile: &LoopProfile,
        described: &[DeviceCost],
        with: impl Fn(&'m Member) -> Company,
    ) -> Vec<Option<Learned>> {
        let mut state = self.state();
        let devices = members.iter().zip(&consulted.keys).zip(described);
        let known = devices.map(|((member, key), described)| {
            let (company, question) = (with(member), Question::Alone);
            let asked = Asked { key, company, profile, device: &member.model, described, question };
            state.learned(member.id, &asked, self.frozen(), asks != Asks::Forecast)
        });
        known.collect()
    }

    /// What such loops took under this policy before, from call to return.
    pub fn of_loop(
        &self,
        consulted: &Consulted,
        members: &[&Member],
        profile: &LoopProfile,
        policy: &str,
    ) -> Option<Seconds> {
        let key = Key::of_loops(&consulted.keys, policy)?;
        let mut state = self.state();
        state.add_pending(self.frozen());
        state.used.of_loop(&key, profile, company(members.iter().map(|member| member.model.memory)))
    }

    /// Times of AUTO's choices for such loops, and of choices that it might have made. Those of this process do not count if the
    /// history is frozen.
    pub fn tried(
        &self,
        (consulted, asks): (&Consulted, Asks),
        members: &[&Member],
        profile: &LoopProfile,
    ) -> Vec<Tried> {
        let Some(place) = consulted.place(members, profile) else { return Vec::new() };
        let mut state = self.state();
        if !state.trials.knows(&place) {
            // As in `consult`: beside times of slowed clocks, predicted ones count only if they are by such times too.
            let tell = consulted.knows_all() || !members.iter().any(|member| self.slowed.contains(&member.id));
            let earlier = if tell { state.before(self.frozen(), consulted, members, profile) } else { Vec::new() };
            if asks == Asks::Forecast {
                return trials::told(earlier);
            }
            state.trials.begin(place.clone(), earlier);
        }
        state.trials.of(&place)
    }

    fn identity(&self, id: DeviceId) -> Arc<str> {
        let found = self.identities.iter().find(|(of, _)| *of == id);
        found.map_or_else(|| "unknown".into(), |(_, identity)| Arc::clone(identity))
    }
}
