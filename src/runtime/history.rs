//! The history of a runtime: its file, what it says of a loop's devices, and what a loop adds to it.
//!
//! A loop adds to memory. The file is written between loops by a thread of its own, every few seconds, and when the runtime
//! is dropped: what is there then is read, this process's samples are added, and the whole replaces the file at once. Two
//! processes that write at the same moment may lose samples of one; the file is whole all the same.

use crate::devices::Span;
use crate::error::{Error, Result};
use crate::kernel::Bound;
use crate::model::history::{self, Asked, Company, Key, Learned, Observation, Shape};
use crate::model::machine::write_whole;
use crate::model::{DeviceCost, History, LoopProfile, MemoryKind};
use crate::runtime::report::DeviceReport;
use crate::runtime::{Member, Runtime};
use crate::space::DeviceId;
use crate::units::Seconds;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// The variable that names a history's file, or `off`.
pub const VARIABLE: &str = "APPORTION_HISTORY";

/// How often the file is written at most, but for the last time.
const WRITE_EVERY: Duration = Duration::from_secs(5);
/// Loops for which costs are kept at hand.
const AT_HAND: usize = 512;
/// Between two pieces in host memory a device pauses so long at most; more is waiting for others.
const PAUSE: Seconds = Seconds(10e-6);
/// Spans of a stage that add up to so many times what they cover overlap: several threads copy at once.
const OVERLAPPING: f64 = 1.1;

/// Where a history lies, and how it is used: for [`Runtime::with_history`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryFile {
    path: PathBuf,
    frozen: bool,
}

impl HistoryFile {
    /// A file, which need not be there yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), frozen: false }
    }

    /// What this runtime learns counts from the next one on: all of its loops are divided by the rates that were known when
    /// it was opened. For measurements, whose repetitions should be alike.
    #[must_use]
    pub fn frozen(self) -> Self {
        Self { frozen: true, ..self }
    }

    /// What [`VARIABLE`] asks for: a file; `Some(None)` where it says `off`; none where it is not set or empty.
    pub fn from_environment() -> Option<Option<Self>> {
        let value = std::env::var_os(VARIABLE).filter(|value| !value.is_empty())?;
        Some((value != "off").then(|| Self::at(value)))
    }

    /// Where the program keeps its history unless told otherwise: `$XDG_DATA_HOME/apportion/history.json`, or the same in
    /// `~/.local/share`. None without a home.
    pub fn default_place() -> Option<Self> {
        let absolute = |path: PathBuf| path.is_absolute().then_some(path);
        let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).and_then(absolute);
        let home = || std::env::home_dir().and_then(absolute).map(|home| home.join(".local").join("share"));
        Some(Self::at(data.or_else(home)?.join("apportion").join("history.json")))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it knows; nothing where there is no such file.
    ///
    /// # Errors
    /// [`Error::Call`] naming the file, the key and what would be right.
    pub fn load(&self) -> Result<History> {
        let wrong = |why: String| {
            Error::call(format!(
                "history {}: {why}; `apportion history clear` or removing the file starts it anew",
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

    /// Replaces the file by `history`. Its folder is made where it is missing.
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

    /// Adds to what the file knows now.
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

/// Of an open runtime.
pub(super) struct Keeper {
    file: HistoryFile,
    /// The file is no history: it is not overwritten.
    damaged: bool,
    /// What each device is.
    identities: Vec<(DeviceId, Arc<str>)>,
    /// Emulated devices whose clocks are slowed: what is measured on them is not in the description's terms.
    slowed: Vec<DeviceId>,
    state: Mutex<State>,
    writer: Mutex<Option<JoinHandle<Result<()>>>>,
}

#[derive(Default)]
struct State {
    /// What costs are made of.
    used: History,
    /// What the file lacks.
    fresh: History,
    /// What ran before in this process.
    seen: HashSet<(DeviceId, Key, [u64; 6], u32)>,
    at_hand: HashMap<(Key, [u64; 6], Company, u64), AtHand>,
    written: Option<Instant>,
}

/// Costs made of samples, to be made anew when there are enough new ones.
struct AtHand {
    version: u64,
    learned: Option<Learned>,
}

/// What a loop's devices are to the history, and which of them it knows.
pub(super) struct Consulted {
    keys: Vec<Key>,
    pub learned: Vec<Option<Learned>>,
}

impl Consulted {
    /// A remark for reports: whose rates are known.
    pub fn note(&self, members: &[&Member]) -> Option<String> {
        let names: Vec<_> = self.names(members).collect();
        (!names.is_empty()).then(|| format!("rates from history: {}", names.join(", ")))
    }

    /// The devices whose kernel rate is known.
    pub fn names<'m>(&self, members: &[&'m Member]) -> impl Iterator<Item = &'m str> {
        let known = self.learned.iter().map(|learned| learned.as_ref().is_some_and(Learned::knows_kernel));
        members.iter().zip(known).filter(|(_, known)| *known).map(|(member, _)| member.model.name.as_str())
    }
}

impl Keeper {
    /// Reads the file; a remark where it cannot be read.
    pub fn open(runtime: &Runtime, file: HistoryFile) -> (Self, Option<String>) {
        let (used, trouble) = match file.load() {
            Ok(history) => (history, None),
            Err(error) => (History::default(), Some(format!("{error}; what is learned now is not kept"))),
        };
        let identity = |member: &Member| {
            let device = member.device.lock().unwrap_or_else(PoisonError::into_inner);
            (member.id, Arc::from(device.identity()))
        };
        let slowed = |entry: &&crate::model::machine::DeviceEntry| {
            entry.emulated.as_ref().and_then(|section| section.time_scale).is_some_and(|scale| scale > 1.0)
        };
        let keeper = Self {
            file,
            damaged: trouble.is_some(),
            identities: runtime.members.iter().map(identity).collect(),
            slowed: runtime.machine.enabled_devices().filter(slowed).map(|entry| entry.device_id()).collect(),
            state: Mutex::new(State { used, ..State::default() }),
            writer: Mutex::default(),
        };
        (keeper, trouble)
    }

    pub fn file(&self) -> &HistoryFile {
        &self.file
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done under it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts what is known into `costs`.
    pub fn consult(
        &self,
        members: &[&Member],
        bound: &Bound<'_>,
        profile: &LoopProfile,
        costs: &mut [DeviceCost],
    ) -> Consulted {
        let kernel: Arc<str> = bound.kernel().name().into();
        let key = |member: &&Member| Key {
            kernel: Some(Arc::clone(&kernel)),
            precision: profile.precision,
            device: self.identity(member.id),
            memory: match member.model.memory {
                MemoryKind::Shared => history::ArrayMemory::InPlace,
                MemoryKind::Discrete => {
                    let device = member.device.lock().unwrap_or_else(PoisonError::into_inner);
                    device.array_memory(bound.arguments())
                }
            },
        };
        let keys: Vec<Key> = members.iter().map(key).collect();
        let company = company(members.iter().map(|member| member.model.memory));
        let mut state = self.state();
        let mut learned: Vec<_> = keys
            .iter()
            .zip(members)
            .zip(&*costs)
            .map(|((key, member), described)| {
                state.learned(&Asked { key, company, profile, device: &member.model, described })
            })
            .collect();
        drop(state);
        // Slowed clocks beside figures that are not slowed would make those look fast.
        let all = learned.iter().all(|learned| learned.as_ref().is_some_and(Learned::knows_kernel));
        if !all && members.iter().any(|member| self.slowed.contains(&member.id)) {
            learned.fill(None);
        }
        for (cost, learned) in costs.iter_mut().zip(&learned) {
            if let Some(learned) = learned {
                *cost = learned.apply(cost);
            }
        }
        history::settle(costs, &learned);
        Consulted { keys, learned }
    }

    fn identity(&self, id: DeviceId) -> Arc<str> {
        let found = self.identities.iter().find(|(of, _)| *of == id);
        found.map_or_else(|| "unknown".into(), |(_, identity)| Arc::clone(identity))
    }

    /// Adds what a loop took on the devices that took part, or only that it ran, where its times are no measure. `devices` are in the order of those that were consulted on.
    pub fn record<'d>(
        &self,
        consulted: &Consulted,
        members: &[&Member],
        profile: &LoopProfile,
        devices: impl Iterator<Item = &'d DeviceReport> + Clone,
        elapsed: Seconds,
        teaches: bool,
    ) {
        let took_part = || devices.clone().enumerate().filter(|(_, device)| device.iterations > 0);
        let company = company(took_part().map(|(index, _)| members[index].model.memory));
        let last = took_part().filter_map(|(_, device)| last_end(device)).fold(Seconds::ZERO, Seconds::max);
        let tail = (elapsed - last).max(Seconds::ZERO);
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        let shape = Shape::of(profile);
        let mut state = self.state();
        for (index, device) in took_part() {
            let shared = members[index].model.memory == MemoryKind::Shared;
            let key = &consulted.keys[index];
            let octave = history::octave(profile.iterations);
            let cold = state.seen.insert((members[index].id, key.clone(), shape.bits(), octave));
            if !teaches {
                continue;
            }
            let stages = stages(device, shared);
            let once = first_start(device).map(|start| start + tail);
            let link = (!shared).then(|| Observation {
                company,
                iterations: history::link_bytes(profile, profile.iterations),
                at,
                cold,
                stages: [
                    in_bytes(&stages[0], profile.aligned_in, profile.halo_in.0 as f64),
                    Vec::new(),
                    in_bytes(&stages[2], profile.aligned_out, 0.0),
                ],
                ..Observation::default()
            });
            let seen = Observation { shape, company, iterations: profile.iterations, at, cold, once, stages };
            state.record(key, &seen, self.file.frozen);
            if let Some(link) = link {
                state.record(&key.of_link(), &link, self.file.frozen);
            }
        }
        if state.written.get_or_insert_with(Instant::now).elapsed() >= WRITE_EVERY {
            state.written = Some(Instant::now());
            drop(state);
            self.write_beside();
        }
    }

    /// Writes the file by a thread of its own, unless one is still at it.
    fn write_beside(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if self.damaged || writer.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return;
        }
        let fresh = std::mem::take(&mut self.state().fresh);
        let file = self.file.clone();
        let thread = std::thread::Builder::new().name("history".to_owned());
        // Where it cannot be written these samples are lost; the last write, which the program may ask for, says why.
        *writer = thread.spawn(move || file.add(&fresh)).ok();
    }

    /// Writes what the file lacks.
    pub fn write(&self) -> Result<()> {
        if let Some(thread) = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // It panics for nothing; its error comes again below, if it lasts.
            let _ = thread.join();
        }
        if self.damaged {
            return Ok(());
        }
        let fresh = std::mem::take(&mut self.state().fresh);
        let added = self.file.add(&fresh);
        if added.is_err() {
            self.state().fresh.merge(&fresh);
        }
        added
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.write();
    }
}

impl State {
    fn record(&mut self, key: &Key, seen: &Observation, frozen: bool) {
        self.fresh.record(key, seen);
        if !frozen {
            self.used.record(key, seen);
        }
    }

    /// What is known, as long as it does not change much: AUTO decides anew for other costs, which takes as long as a short
    /// loop does. Few new samples cannot change a median much either.
    fn learned(&mut self, asked: &Asked<'_>) -> Option<Learned> {
        let version = self.used.version(asked.key);
        let iterations = asked.profile.iterations;
        let place = (asked.key.clone(), Shape::of(asked.profile).bits(), asked.company, iterations);
        if let Some(at_hand) = self.at_hand.get(&place)
            && version < at_hand.version + (at_hand.version / 4).clamp(1, 8)
        {
            return at_hand.learned;
        }
        let mut learned = self.used.learned(asked);
        if let Some(AtHand { learned: Some(old), .. }) = self.at_hand.get(&place)
            && learned.is_some_and(|new| new.is_like(old, iterations))
        {
            learned = Some(*old);
        }
        if self.at_hand.len() >= AT_HAND {
            self.at_hand.clear();
        }
        self.at_hand.insert(place, AtHand { version, learned });
        learned
    }
}

fn company(devices: impl Iterator<Item = MemoryKind>) -> Company {
    devices.fold(Company::default(), |company, memory| match memory {
        MemoryKind::Shared => Company { shared: company.shared + 1, ..company },
        MemoryKind::Discrete => Company { discrete: company.discrete + 1, ..company },
    })
}

fn first_start(device: &DeviceReport) -> Option<Seconds> {
    let first = device.pieces.first()?;
    [first.to, first.kernel, first.from].into_iter().flatten().map(|span| span.start).reduce(Seconds::min)
}

fn last_end(device: &DeviceReport) -> Option<Seconds> {
    let ends = device.pieces.iter().flat_map(|piece| [piece.to, piece.kernel, piece.from]).flatten();
    ends.map(|span| span.end).reduce(Seconds::max)
}

/// Lengths of pieces and how long they took, by stage; one of each length, as pieces of a loop are no independent samples.
fn stages(device: &DeviceReport, shared: bool) -> [Vec<(u64, Seconds)>; 3] {
    let pause = if shared { PAUSE } else { Seconds::ZERO };
    [0, 1, 2].map(|stage| {
        let spans = device.pieces.iter().filter_map(|piece| {
            let span: Option<Span> = [piece.to, piece.kernel, piece.from][stage];
            Some((piece.range.len(), span?))
        });
        means(spans, pause)
    })
}

/// The mean time of pieces of about one length. A piece takes from the end of the one before it, or from its own start,
/// whichever is later: several threads may be at several pieces at once. A pause of up to `pause` counts as its own.
fn means(spans: impl Iterator<Item = (u64, Span)>, pause: Seconds) -> Vec<(u64, Seconds)> {
    struct Sum {
        octave: u32,
        pieces: u64,
        iterations: u64,
        time: Seconds,
    }
    let mut sums: Vec<Sum> = Vec::new();
    let (mut before, mut lengths, mut covered) = (Seconds(f64::NEG_INFINITY), Seconds::ZERO, Seconds::ZERO);
    for (n, span) in spans {
        let gap = span.start - before;
        let start = if gap <= pause { before } else { span.start };
        let time = (span.end - start).max(Seconds::ZERO);
        before = before.max(span.end);
        lengths += span.length();
        covered += time;
        let octave = history::octave(n);
        match sums.iter_mut().find(|sum| sum.octave == octave) {
            Some(sum) => {
                sum.pieces += 1;
                sum.iterations += n;
                sum.time += time;
            }
            None => sums.push(Sum { octave, pieces: 1, iterations: n, time }),
        }
    }
    // Whose end one finds first says nothing of a piece then, only of all.
    if lengths > covered * OVERLAPPING {
        let all = sums.iter().fold([0, 0], |[p, n], sum| [p + sum.pieces, n + sum.iterations]);
        sums = vec![Sum { octave: 0, pieces: all[0], iterations: all[1], time: covered }];
    }
    sums.into_iter().map(|sum| (sum.iterations / sum.pieces, sum.time / sum.pieces as f64)).collect()
}

fn in_bytes(stage: &[(u64, Seconds)], each: f64, besides: f64) -> Vec<(u64, Seconds)> {
    stage.iter().map(|&(n, time)| ((n as f64 * each + besides) as u64, time)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: f64, end: f64) -> Span {
        Span { start: Seconds(start), end: Seconds(end) }
    }

    #[test]
    fn pieces_one_after_the_other_take_their_spans_and_short_pauses() {
        let spans = [(100, span(0.0, 1.0)), (100, span(1.0 + 5e-6, 2.0)), (10, span(5.0, 5.2))];
        let plain = means(spans.into_iter(), Seconds::ZERO);
        assert_eq!(plain.len(), 2);
        assert!((plain[0].1.0 - (2.0 - 5e-6) / 2.0).abs() < 1e-12, "{plain:?}");
        assert_eq!((plain[1].0, plain[1].1), (10, Seconds(5.2) - Seconds(5.0)));
        let paused = means(spans.into_iter(), PAUSE);
        assert_eq!(paused[0], (100, Seconds(1.0)));
    }

    #[test]
    fn pieces_at_once_share_the_time_that_they_cover() {
        let spans = (0..8).map(|i| (100 + i % 2 * 100, span(0.1 * i as f64, 0.1 * i as f64 + 0.8)));
        let means = means(spans, Seconds::ZERO);
        assert_eq!(means.len(), 1);
        assert_eq!(means[0].0, 150);
        assert!((means[0].1.0 * 8.0 - 1.5).abs() < 1e-9, "{means:?}");
    }
}
