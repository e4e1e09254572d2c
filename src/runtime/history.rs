//! The history of a runtime: its file, what it knows of a loop's devices, and what a loop adds to it.
//!
//! Loops add samples in memory. A thread writes the file between loops, every few seconds, and the runtime writes it when it is
//! dropped. Each write reads the file, adds this process's samples and replaces the file atomically. Two processes that write
//! at the same moment may lose samples of one, but the file stays whole. Without a file a runtime learns for itself alone.

mod pieces;
mod standing;
mod trials;

use crate::devices::topology;
use crate::error::{Error, Result};
use crate::kernel::{Argument, Kernel};
use crate::model::history::{
    self, ArrayMemory, Asked, Company, Key, Learned, Observation, Question, Shape, WholeLoops,
};
use crate::model::machine::{Machine, write_whole};
use crate::model::{DeviceCost, History, LoopProfile};
use crate::runtime::proxy::Log;
use crate::runtime::{Member, Runtime};
use crate::sched::{Explanation, Policy, Tried, Verdict};
use crate::space::{DeviceId, Slot};
use crate::units::Seconds;
pub(super) use pieces::company;
use pieces::{Ran, Stages, by_company, end, start};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
pub(super) use standing::{LoopKey, LoopQuery, Placement, StandingChoice};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};
use trials::{Earlier, Place, Trials};

/// The environment variable that names a history's file, or says `off`.
pub const VARIABLE: &str = "APPORTION_HISTORY";

/// The file is written at most this often; the last write does not wait.
const WRITE_EVERY: Duration = Duration::from_secs(5);
/// Most entries of [`State::at_hand`].
const AT_HAND: usize = 512;
/// Most entries of [`State::seen`].
const SEEN: usize = 4096;
/// A loop in which a device allocated counts as cold if it is among the first so many of its kind: buffers for chunks of other
/// lengths may be missing. Later loops count as warm, since some devices allocate in all of them.
const WARMING: u32 = 4;
/// Identifies costs at hand: a loop on a device in some company, and the question asked.
type Asker = (DeviceId, Key, [u64; 6], Company, u64, Question);

/// Stands for whole loops in place of a device.
const WHOLE: DeviceId = DeviceId(usize::MAX);
/// Most observations that wait to be added.
const PENDING: usize = 256;

/// The file of a history, and how it is used; see [`Runtime::with_history`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryFile {
    path: PathBuf,
    frozen: bool,
}

impl HistoryFile {
    /// The history in this file, which need not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), frozen: false }
    }

    /// Divides all loops of a runtime by the rates known when it was opened; what it learns counts from the next runtime on.
    /// For measurements, whose repetitions should be alike.
    #[must_use]
    pub fn frozen(self) -> Self {
        Self { frozen: true, ..self }
    }

    /// The file that [`VARIABLE`] names; `Some(None)` if it says `off`, `None` if it is unset or empty.
    pub fn from_environment() -> Option<Option<Self>> {
        let value = std::env::var_os(VARIABLE).filter(|value| !value.is_empty())?;
        Some((value != "off").then(|| Self::at(value)))
    }

    /// The program's default: `$XDG_DATA_HOME/apportion/history.json`, or the same in `~/.local/share`. `None` without either
    /// folder.
    pub fn default_place() -> Option<Self> {
        let absolute = |path: PathBuf| path.is_absolute().then_some(path);
        let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).and_then(absolute);
        let home = || std::env::home_dir().and_then(absolute).map(|home| home.join(".local").join("share"));
        Some(Self::at(data.or_else(home)?.join("apportion").join("history.json")))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the history; it is empty if there is no such file.
    ///
    /// # Errors
    /// [`Error::Call`] naming the file, the key and what would be right.
    pub fn load(&self) -> Result<History> {
        let wrong = |why: String| {
            Error::call(format!(
                "history {0}: {why}; `apportion history clear --history {0}` or removing the file starts it anew",
                self.path.display()
            ))
        };
        match std::fs::read(&self.path) {
            Ok(bytes) => {
                let text = std::str::from_utf8(&bytes)
                    .map_err(|error| wrong(format!("is not text: byte {} is not UTF-8", error.valid_up_to())))?;
                History::from_json(text).map_err(wrong)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(History::default()),
            Err(error) => Err(Error::call(format!("history {}: cannot be read: {error}", self.path.display()))),
        }
    }

    /// Replaces the file with `history`. Creates its folder if it is missing.
    ///
    /// # Errors
    /// [`Error::Call`] naming the file, with the system's message.
    pub fn save(&self, history: &History) -> Result<()> {
        let write = || {
            if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder)?;
            }
            write_whole(&self.path, &history.to_json())
        };
        write().map_err(|error| Error::call(format!("history {}: cannot be written: {error}", self.path.display())))
    }

    /// Adds samples to the file as it is now.
    fn add(&self, fresh: &History) -> Result<()> {
        if fresh.is_empty() {
            return Ok(());
        }
        let mut history = self.load()?;
        history.merge(fresh);
        self.save(&history)
    }
}

impl<P: Into<PathBuf>> From<P> for HistoryFile {
    fn from(path: P) -> Self {
        Self::at(path)
    }
}

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
}

/// A thread that adds samples to the file.
struct Writer {
    thread: JoinHandle<Result<()>>,
    samples: Arc<History>,
}

#[derive(Default)]
struct State {
    /// The samples that costs are made from.
    used: History,
    /// Samples that the file lacks, without the pending ones; `None` without a file.
    fresh: Option<History>,
    /// Observations that neither has yet. They are added when new costs are needed, which most loops do not.
    pending: Vec<(Key, Observation)>,
    /// How many loops of a kind have run in this process.
    seen: FxHashMap<Kind, u32>,
    /// Costs by question. The device counts too: where no such loop was seen, the description contributes to a cost, and it may
    /// differ between devices of one model.
    at_hand: FxHashMap<Asker, AtHand>,
    trials: Trials,
    settled: standing::Settled,
    written: Option<Instant>,
}

/// A kind of loop on a device. The first loops of a kind allocate and compile.
type Kind = (DeviceId, Key, [u64; 6], u32);

fn kind_of(device: DeviceId, key: &Key, profile: &LoopProfile) -> Kind {
    (device, key.clone(), Shape::of(profile).bits(), history::octave(profile.iterations))
}

/// Costs made from samples; they are made anew when enough samples have come in.
struct AtHand {
    /// How often such a loop had been asked about when the costs were made.
    asked: u64,
    /// How often the costs have been used since.
    used: u64,
    learned: Option<Learned>,
}

/// What a loop that ended teaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lesson<'p> {
    /// Only that it ran: its times are no measure.
    Ran,
    /// The times of its devices.
    Devices,
    /// The times of its devices, and its time as a whole under this policy.
    Policy(&'p str),
    /// The times of its devices, and its time as a whole as that of a loop under this policy on these devices alone.
    Chosen(&'p Policy, &'p [Slot]),
}

/// How long a loop took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Took {
    /// From call to return.
    pub whole: Seconds,
    /// The part until all was decided. AUTO decides only some loops anew, and that may take longer than a short loop.
    pub planned: Seconds,
}

impl Took {
    /// From when all was decided.
    pub fn once_planned(self) -> Seconds {
        self.whole - self.planned
    }
}

/// The keys of a loop's devices, and what the history knows of each.
pub(super) struct Consulted {
    keys: Vec<Key>,
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

    fn place(&self, members: &[&Member], profile: &LoopProfile) -> Option<Place> {
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
        self.learned.iter().all(|learned| learned.as_ref().is_some_and(Learned::knows_kernel))
    }

    /// Whether anything is known of any device.
    pub fn knows_any(&self) -> bool {
        self.learned.iter().any(Option::is_some)
    }

    /// The devices whose kernel rate is known.
    pub fn names<'m>(&self, members: &[&'m Member]) -> impl Iterator<Item = &'m str> {
        let known = self.learned.iter().map(|learned| learned.as_ref().is_some_and(Learned::knows_kernel));
        members.iter().zip(known).filter(|(_, known)| *known).map(|(member, _)| member.model.name.as_str())
    }
}

impl Keeper {
    /// Reads the file. Returns a remark if it cannot be read.
    pub fn open(runtime: &Runtime, file: HistoryFile) -> (Self, Option<String>) {
        let (used, trouble) = match file.load() {
            Ok(history) => (history, None),
            Err(error) => (History::default(), Some(format!("{error}; what is learned now is not kept"))),
        };
        (Self::new(runtime.members.iter(), &runtime.machine, Some(file), used, trouble.clone()), trouble)
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
        let identity = |member: &Member| {
            let device = member.device();
            (member.id, Arc::from(device.identity()))
        };
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
            state: Mutex::new(State { used, fresh, ..State::default() }),
            writer: Mutex::default(),
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
    /// `locked` tell where the arrays lie; arrays that are only described count as lying where the device copies fastest.
    pub fn consult(
        &self,
        members: &[&Member],
        (kernel, block): (&Kernel, Option<u64>),
        (arguments, locked): (&[Argument<'_>], &[bool]),
        profile: &LoopProfile,
        costs: &mut [DeviceCost],
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
        let company = company(members.iter().map(|member| member.model.memory));
        let mut state = self.state();
        let mut learned: Vec<_> = keys
            .iter()
            .zip(members)
            .zip(&*costs)
            .map(|((key, member), described)| {
                let cold = !self.frozen() && !state.seen.contains_key(&kind_of(member.id, key, profile));
                let question = if cold { Question::First } else { Question::Later };
                let asked = Asked { key, company, profile, device: &member.model, described, question };
                state.learned(member.id, &asked, self.frozen())
            })
            .collect();
        drop(state);
        // Beside times of slowed clocks, described costs would look too fast: all rates are known, or none count.
        let all = learned.iter().all(|learned| learned.as_ref().is_some_and(Learned::knows_kernel));
        if !all && members.iter().any(|member| self.slowed.contains(&member.id)) {
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
        Consulted { keys, learned }
    }

    /// What is known of each device from loops in exactly the company that `with` gives, the device included. In other company
    /// its fixed cost may be higher and its rate lower. `described` are the costs by the machine's description.
    pub fn among<'m>(
        &self,
        consulted: &Consulted,
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
            state.learned(member.id, &asked, self.frozen())
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
    pub fn tried(&self, consulted: &Consulted, members: &[&Member], profile: &LoopProfile) -> Vec<Tried> {
        let Some(place) = consulted.place(members, profile) else { return Vec::new() };
        let mut state = self.state();
        if !state.trials.knows(&place) {
            // As in `consult`: beside times of slowed clocks, predicted ones count only if they are by such times too.
            let tell = consulted.knows_all() || !members.iter().any(|member| self.slowed.contains(&member.id));
            let earlier = if tell { state.before(self.frozen(), consulted, members, profile) } else { Vec::new() };
            state.trials.begin(place.clone(), earlier);
        }
        state.trials.of(&place)
    }

    /// Records the time of a loop that AUTO decided, from then on. With `stands`, AUTO's query and choice, the choice stands from now on,
    /// unless devices allocated or compiled in the loop. Where the history is frozen, only the choice counts.
    pub fn tries(
        &self,
        (consulted, members, profile): (&Consulted, &[&Member], &LoopProfile),
        (verdict, stands): (&Verdict, Option<(LoopQuery<'_>, StandingChoice)>),
        logs: &[&mut Log],
        time: Seconds,
    ) {
        let Some(place) = consulted.place(members, profile) else { return };
        let (prepared, frozen) = (prepared(logs), self.frozen());
        if let Some((asking, standing)) = stands.filter(|_| frozen || !prepared) {
            self.settles(&place, &asking, standing);
        }
        if !frozen {
            self.state().trials.add(place, verdict, prepared, time);
        }
    }

    fn identity(&self, id: DeviceId) -> Arc<str> {
        let found = self.identities.iter().find(|(of, _)| *of == id);
        found.map_or_else(|| "unknown".into(), |(_, identity)| Arc::clone(identity))
    }

    /// Adds what a loop teaches. `logs` are in the order of `members`.
    pub fn record(
        &self,
        consulted: &Consulted,
        members: &[&Member],
        profile: &LoopProfile,
        logs: &[&mut Log],
        took: Took,
        lesson: Lesson<'_>,
    ) {
        let teaches = lesson != Lesson::Ran;
        // What AUTO's decisions take is no cost of the devices.
        let decided = if matches!(lesson, Lesson::Chosen(..)) { took.planned } else { Seconds::ZERO };
        let took_part = || logs.iter().enumerate().filter(|(_, log)| log.report.iterations > 0);
        let company = company(took_part().map(|(index, _)| members[index].model.memory));
        let ends = took_part()
            .filter_map(|(index, log)| Some((index, log.report.pieces.iter().map(end).reduce(Seconds::max)?)));
        let Some((last, end)) = ends.max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0)) else { return };
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        let shape = Shape::of(profile);
        let ran: SmallVec<[_; 8]> = took_part()
            .map(|(index, log)| Ran {
                memory: members[index].model.memory,
                report: &log.report,
                waits: &log.waits,
                woken: log.woken,
            })
            .collect();
        let by_company = if teaches { by_company(&ran) } else { vec![Vec::new(); ran.len()] };
        let mut state = self.state();
        for ((index, log), by_company) in took_part().zip(by_company) {
            let key = &consulted.keys[index];
            if state.seen.len() >= SEEN {
                // All kinds count as cold once more.
                state.seen.clear();
            }
            let cold = state.is_cold(kind_of(members[index].id, key, profile), log.prepared);
            if !teaches {
                continue;
            }
            let waited = log.waits.first().filter(|(before, _)| *before == 0).map_or(Seconds::ZERO, |(_, time)| *time);
            // The device that ends last holds up the caller's return.
            let tail = if index == last { took.whole - end } else { Seconds::ZERO };
            let mut once = log.report.pieces.first().map(|piece| start(piece) - decided - waited + log.woken + tail);
            let mut seen = |company, once, stages| {
                let seen = Observation { shape, company, iterations: profile.iterations, at, cold, once, stages };
                state.pending.push((key.clone(), seen));
            };
            for (with, stages) in by_company {
                let own = if with == company { once.take() } else { None };
                seen(with, own, stages);
            }
            if once.is_some() {
                seen(company, once, Stages::default());
            }
        }
        let whole = match lesson {
            Lesson::Policy(policy) => {
                let company = pieces::company(members.iter().map(|member| member.model.memory));
                Key::of_loops(&consulted.keys, policy).map(|key| (key, company))
            }
            Lesson::Chosen(policy, slots) => {
                let keys: SmallVec<[Key; 4]> = slots.iter().map(|slot| consulted.keys[slot.0].clone()).collect();
                let company = pieces::company(slots.iter().map(|slot| members[slot.0].model.memory));
                Key::of_loops(&keys, &policy.to_string()).map(|key| (key, company))
            }
            Lesson::Ran | Lesson::Devices => None,
        };
        if let Some((key, company)) = whole {
            let cold = state.is_cold(kind_of(WHOLE, &key, profile), prepared(logs));
            let iterations = profile.iterations;
            // A loop that AUTO decided anew says nothing of the time from call to return.
            let once = Some(took.whole).filter(|_| !matches!(lesson, Lesson::Chosen(..)));
            let stages = [Vec::new(), vec![(iterations, took.once_planned())], Vec::new()];
            state.pending.push((key, Observation { shape, company, iterations, at, cold, once, stages }));
        }
        if state.pending.len() >= PENDING {
            state.add_pending(self.frozen());
        }
        if self.file.is_some() && state.written.get_or_insert_with(Instant::now).elapsed() >= WRITE_EVERY {
            state.written = Some(Instant::now());
            drop(state);
            self.write_beside();
        }
    }

    fn take_fresh(&self) -> History {
        let mut state = self.state();
        state.add_pending(self.frozen());
        state.fresh.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Writes the file on a thread of its own, unless the last such thread is still writing.
    fn write_beside(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if self.damaged.is_some() || writer.as_ref().is_some_and(|writer| !writer.thread.is_finished()) {
            return;
        }
        let Some(file) = self.file.clone() else { return };
        self.end(writer.take());
        let samples = Arc::new(self.take_fresh());
        let (thread, fresh) = (std::thread::Builder::new().name("history".to_owned()), Arc::clone(&samples));
        match thread.spawn(move || file.add(&fresh)) {
            Ok(thread) => *writer = Some(Writer { thread, samples }),
            Err(_) => self.lacks(&samples),
        }
    }

    /// Joins a writer. Samples that it could not write are left to the next write, which returns the error if it fails too.
    fn end(&self, writer: Option<Writer>) {
        if let Some(Writer { thread, samples }) = writer
            && !matches!(thread.join(), Ok(Ok(())))
        {
            self.lacks(&samples);
        }
    }

    /// Puts back samples that did not get into the file.
    fn lacks(&self, samples: &History) {
        if let Some(lacking) = &mut self.state().fresh {
            lacking.merge(samples);
        }
    }

    /// Writes what the file lacks.
    pub fn write(&self) -> Result<()> {
        // Held to the end: otherwise another thread could write a loop's samples meanwhile, and this write would overwrite
        // them.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.end(writer.take());
        if let Some(trouble) = &self.damaged {
            return Err(Error::call(trouble.clone()));
        }
        let Some(file) = &self.file else { return Ok(()) };
        let fresh = self.take_fresh();
        let added = file.add(&fresh);
        if added.is_err() {
            self.lacks(&fresh);
        }
        added
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // No caller is left to receive an error.
        if let Err(error) = self.write() {
            log::warn!("{error}");
        }
    }
}

/// Whether a device allocated or compiled something in a loop.
pub(super) fn prepared(logs: &[&mut Log]) -> bool {
    logs.iter().any(|log| log.prepared)
}

impl State {
    /// Whether a loop was one of the first of its kind, with costs that only the first have.
    fn is_cold(&mut self, kind: Kind, prepared: bool) -> bool {
        let before = self.seen.entry(kind).or_default();
        *before = before.saturating_add(1);
        *before == 1 || (prepared && *before <= WARMING)
    }

    /// What such loops took before this process decided on one, under policies that AUTO may choose.
    fn before(
        &mut self,
        frozen: bool,
        consulted: &Consulted,
        members: &[&Member],
        profile: &LoopProfile,
    ) -> Vec<Earlier> {
        self.add_pending(frozen);
        let one = |member: &&Member| company(std::iter::once(member.model.memory));
        let devices: Vec<_> = consulted.keys.iter().cloned().zip(members.iter().map(one)).collect();
        // Text that is no policy names a cutoff too.
        let choice = |WholeLoops { policy, places, time, loops }| {
            let devices = places.into_iter().map(Slot).collect();
            let policy =
                policy.parse().ok().filter(|policy| !matches!(policy, Policy::Auto | Policy::AutoHeuristic))?;
            Some(Earlier { policy, devices, time, loops })
        };
        of_one_device_once(self.used.of_loops(&devices, profile).into_iter().filter_map(choice).collect())
    }

    fn add_pending(&mut self, frozen: bool) {
        for (key, seen) in self.pending.drain(..) {
            let copied =
                key.memory != ArrayMemory::InPlace && [0, 2].iter().any(|&stage| !seen.stages[stage].is_empty());
            let link = copied.then(|| (key.of_link(), of_link(&seen)));
            for (key, seen) in [(key, seen)].into_iter().chain(link) {
                if let Some(fresh) = &mut self.fresh {
                    fresh.record(&key, &seen);
                }
                if !frozen {
                    self.used.record(&key, &seen);
                }
            }
        }
    }

    /// The learned costs. Costs that changed little stay as they are: AUTO decides anew for other costs, which takes as long as a
    /// short loop. Costs are not made anew for a few new samples, which hardly change a median.
    fn learned(&mut self, device: DeviceId, asked: &Asked<'_>, frozen: bool) -> Option<Learned> {
        let iterations = asked.profile.iterations;
        let shape = Shape::of(asked.profile).bits();
        let place = (device, asked.key.clone(), shape, asked.company, iterations, asked.question);
        if let Some(at_hand) = self.at_hand.get_mut(&place)
            && (frozen || at_hand.used < (at_hand.asked / 4).min(8))
        {
            at_hand.used += 1;
            return at_hand.learned;
        }
        self.add_pending(frozen);
        let mut learned = self.used.learned(asked);
        let before = self.at_hand.get(&place);
        let asked = before.map_or(1, |before| before.asked + before.used + 1);
        if let Some(AtHand { learned: Some(old), .. }) = before
            && learned.is_some_and(|new| new.is_like(old, iterations))
        {
            learned = Some(*old);
        }
        if self.at_hand.len() >= AT_HAND {
            self.at_hand.clear();
        }
        self.at_hand.insert(place, AtHand { asked, used: 0, learned });
        learned
    }
}

/// All of a loop on one device is one choice, BLOCK. Where it only ran there in chunks or samples, it takes that long at most.
fn of_one_device_once(mut all: Vec<Earlier>) -> Vec<Earlier> {
    let one_block = |policy: &Policy| matches!(policy, Policy::Block | Policy::Model1 | Policy::Model2);
    for earlier in all.iter_mut().filter(|earlier| earlier.devices.len() == 1) {
        if !one_block(&earlier.policy) {
            earlier.loops = 1;
        }
        earlier.policy = Policy::Block;
    }
    // Those that are known from more loops first, then the shorter.
    all.sort_by(|a, b| (b.loops > 1).cmp(&(a.loops > 1)).then(a.time.0.total_cmp(&b.time.0)));
    let mut seen: Vec<Slot> = Vec::new();
    all.retain(|earlier| match earlier.devices[..] {
        [only] if seen.contains(&only) => false,
        [only] => {
            seen.push(only);
            true
        }
        _ => true,
    });
    all
}

/// A loop's observation as one of its device's link, for all kernels.
fn of_link(seen: &Observation) -> Observation {
    let Shape { aligned_in, aligned_out, halo, .. } = seen.shape;
    Observation {
        company: seen.company,
        iterations: seen.shape.link_bytes(seen.iterations),
        at: seen.at,
        cold: seen.cold,
        stages: [
            in_bytes(&seen.stages[0], aligned_in, halo as f64),
            Vec::new(),
            in_bytes(&seen.stages[2], aligned_out, 0.0),
        ],
        ..Observation::default()
    }
}

fn in_bytes(stage: &[(u64, Seconds)], each: f64, besides: f64) -> Vec<(u64, Seconds)> {
    stage.iter().map(|&(n, time)| ((n as f64 * each + besides) as u64, time)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kernel: &str) -> Key {
        Key {
            kernel: Some(kernel.into()),
            code: None,
            block: None,
            precision: Default::default(),
            device: "gpu".into(),
            memory: ArrayMemory::Plain,
            policy: None,
            host: None,
        }
    }

    #[test]
    fn whole_loops_on_one_device_are_one_choice() {
        let earlier = |policy: &str, devices: &[usize], time: f64, loops: usize| {
            let devices = devices.iter().copied().map(Slot).collect();
            Earlier { policy: policy.parse().unwrap(), devices, time: Seconds(time), loops }
        };
        let known = |all: Vec<Earlier>| -> Vec<(String, usize, f64, usize)> {
            let of = |e: Earlier| (e.policy.to_string(), e.devices.len(), e.time.0, e.loops);
            of_one_device_once(all).into_iter().map(of).collect()
        };
        // One block took 2 s, whatever chunks took; several devices are as they were.
        let all = [
            ("SCHED_DYNAMIC", &[1][..], 1.9, 9),
            ("MODEL_2_AUTO", &[1], 2.0, 3),
            ("BLOCK", &[1], 2.5, 2),
            ("HGUIDED", &[0, 1], 3.0, 4),
        ];
        let found = known(all.map(|(policy, devices, time, loops)| earlier(policy, devices, time, loops)).into());
        let hguided = "HGUIDED".parse::<Policy>().unwrap().to_string();
        assert_eq!(found, [("BLOCK".to_owned(), 1, 2.0, 3), (hguided, 2, 3.0, 4)]);
        // Chunks alone say how long it takes at most.
        assert_eq!(known(vec![earlier("SCHED_DYNAMIC", &[0], 5.0, 9)]), [("BLOCK".to_owned(), 1, 5.0, 1)]);
    }

    #[test]
    fn the_first_loop_of_a_kind_is_cold_and_those_soon_after_in_which_devices_allocate() {
        let kind = |kernel| kind_of(DeviceId(1), &key(kernel), &LoopProfile::default());
        let mut state = State::default();
        let prepared = [false, false, true, true, true, false, true];
        let cold: Vec<bool> = prepared.iter().map(|&prepared| state.is_cold(kind("k"), prepared)).collect();
        assert_eq!(cold, [true, false, true, true, false, false, false]);
        assert!(state.is_cold(kind("another"), false));
    }

    #[test]
    fn what_could_not_be_written_is_written_when_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        // A file where a folder has to be.
        let obstacle = folder.path().join("folder");
        std::fs::write(&obstacle, "").unwrap();
        let file = HistoryFile::at(obstacle.join("history.json"));
        let machine = Machine::from_json(include_str!("../../machines/fornax.json")).unwrap();
        let keeper = Keeper::new(std::iter::empty(), &machine, Some(file.clone()), History::default(), None);
        let seen = Observation { iterations: 1, once: Some(Seconds(1.0)), ..Observation::default() };
        for kernel in ["a", "b", "c"] {
            keeper.state().fresh.as_mut().unwrap().record(&key(kernel), &seen);
            keeper.write_beside();
            while keeper.writer.lock().unwrap().as_ref().is_some_and(|writer| !writer.thread.is_finished()) {
                std::thread::yield_now();
            }
        }
        assert!(keeper.write().is_err());
        std::fs::remove_file(&obstacle).unwrap();
        keeper.write().unwrap();
        assert_eq!(file.load().unwrap().keys().count(), 3);
        keeper.write().unwrap();
    }

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

    #[test]
    fn devices_of_one_make_that_are_described_differently_have_costs_of_their_own() {
        let key = key("k");
        let company = Company { shared: 0, discrete: 2 };
        let profile = |iterations| LoopProfile { iterations, memory_bytes: 8.0, ..LoopProfile::default() };
        let mut state = State::default();
        let stages = [Vec::new(), vec![(1 << 10, Seconds(1e-6))], Vec::new()];
        let shape = Shape::of(&profile(1));
        let seen = Observation { shape, company, iterations: 1 << 10, at: 1, stages, ..Observation::default() };
        state.used.record(&key, &seen);
        // Beyond the measured lengths, the time of an iteration approaches the described one.
        let machine = crate::model::machine::Machine::from_json(include_str!("../../machines/fornax.json")).unwrap();
        let model = machine.devices[1].model();
        let mut each = |device: usize, described: f64| {
            let profile = profile(1 << 20);
            let described = DeviceCost { kernel: Seconds(described), ..DeviceCost::default() };
            let asked = Asked {
                key: &key,
                company,
                profile: &profile,
                device: &model,
                described: &described,
                question: Question::Later,
            };
            state.learned(DeviceId(device), &asked, true).and_then(|learned| learned.stages[1]).unwrap().each.0
        };
        for (device, described) in [(1, 1e-6), (2, 4e-6), (1, 1e-6)] {
            let found = each(device, described);
            // To within rounding: the cost is the sum of a length's time and the time at its rate.
            assert!((found / described - 1.0).abs() < 1e-12, "device {device}: {found} should be {described}");
        }
        // Both devices have one identity, so the history has one key.
        assert_eq!(state.used.keys().count(), 1);
    }
}
