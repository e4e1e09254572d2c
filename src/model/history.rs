//! What loops took, kept from run to run, and the costs learned from it: measured rates in place of the roofline's.
//!
//! A history has a [`Table`] for each kernel on each device, by the work per iteration, the company of other devices, and the
//! octave of the loop's length: a loop whose arrays lie in the processor's caches runs at another rate than one whose arrays do
//! not, whatever its chunk lengths. A table keeps the last few times of each of the three stages per half octave of piece length.
//! `curve` fits a line to them, `learned` makes a cost for a loop.
//!
//! Pure: each sample comes with its time stamp, and the runtime reads and writes files; here is only their text (`file`).

mod curve;
mod file;
mod known;
mod learned;
mod links;

pub use curve::Line;
pub use file::SCHEMA;
pub use learned::{Asked, Learned, Question, settle};
pub use links::device_of;

use self::known::Known;
use super::cost::LoopProfile;
use crate::element::Precision;
use crate::units::{Bytes, Flops, Seconds};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Samples kept of pieces of about one length. Their median is right while fewer than half of them are wrong, and follows a
/// device that has changed after half as many loops.
pub const KEPT: usize = 16;
/// Tables kept of a kernel on a device; the ones unused for longest go first.
const TABLES_KEPT: usize = 256;
/// Keys kept: of kernels on devices, and of whole loops.
const KEYS_KEPT: usize = 4096;
/// So many whole loops tell the time of the next one.
const LOOPS_ENOUGH: usize = 3;
/// Loops whose lengths differ by no more than this factor are of nearly one length.
const NEARLY: f64 = 1.1;
/// Between the identities of devices that had a loop together.
const JOINED: &str = " + ";

/// The key to which learned rates belong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The kernel's name; `None` for the rates of the device's link alone, in bytes instead of iterations.
    pub kernel: Option<Arc<str>>,
    /// A hash of the kernel's code, as several kernels may have one name. `None` if unknown, as in older files: such samples then
    /// count for all kernels of that name.
    pub code: Option<u64>,
    /// For reductions in blocks whose results are combined in order ([`reproducible`](crate::runtime::Loop::reproducible)), the
    /// iterations of a block: each block may be a launch of its own.
    pub block: Option<u64>,
    /// The precision whose rate counts.
    pub precision: Precision,
    /// The hardware, not its name in a description: `cpu: AMD EPYC 9654, 16 threads`. For whole loops, that of all devices,
    /// joined by ` + `.
    pub device: Arc<str>,
    /// Where the host's arrays lie.
    pub memory: ArrayMemory,
    /// For whole loops, the policy and the cutoff that they ran under.
    pub policy: Option<Arc<str>>,
    /// Where arrays are copied, the processor of the host at the other end of the link: the same GPU model has another link in
    /// another machine. `None` if unknown, as in older files: such samples then count for all hosts.
    pub host: Option<Arc<str>>,
}

impl Key {
    /// The key of the same device's link, whatever the kernel.
    pub fn of_link(&self) -> Self {
        let (device, memory, host) = (Arc::clone(&self.device), self.memory, self.host.clone());
        Self {
            kernel: None,
            code: None,
            block: None,
            precision: Precision::default(),
            device,
            memory,
            policy: None,
            host,
        }
    }

    /// The key of whole loops of a kernel under a policy on several devices, given by their own keys in order. Its tables hold
    /// the time from call to return in `once`, and without the time to plan the loop in the stage of kernels.
    pub fn of_loops(keys: &[Self], policy: &str) -> Option<Self> {
        let first = keys.first()?;
        let mut devices = String::new();
        for (place, key) in keys.iter().enumerate() {
            devices.push_str(if place > 0 { JOINED } else { "" });
            devices.push_str(&key.device);
        }
        let memory = keys.iter().map(|key| key.memory).max().unwrap_or(first.memory);
        let host = keys.iter().find_map(|key| key.host.clone());
        Some(Self { device: devices.into(), memory, policy: Some(policy.into()), host, ..first.clone() })
    }

    /// The same key with another code and host, which a file may leave out.
    fn like(&self, code: Option<u64>, host: Option<Arc<str>>) -> Self {
        Self { code, host, ..self.clone() }
    }

    /// Other keys whose samples count for this one: those without a code or a host, if there are any such.
    fn those_that_tell(&self, kinds: &Kinds) -> SmallVec<[Self; 3]> {
        let hosts = [Some(self.host.clone()), (kinds.hostless && self.host.is_some()).then_some(None)];
        let codes = [Some(self.code), (kinds.codeless && self.code.is_some()).then_some(None)];
        let of_host = |host: Option<Arc<str>>| codes.into_iter().flatten().map(move |code| (code, host.clone()));
        let all = hosts.into_iter().flatten().flat_map(of_host);
        all.skip(1).map(|(code, host)| self.like(code, host)).collect()
    }
}

/// Where the host's arrays lie: rates of copies depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArrayMemory {
    /// The device works on them where they lie.
    InPlace,
    /// In page-locked memory.
    PageLocked,
    /// In plain memory.
    Plain,
    /// Some in page-locked memory, some not.
    Mixed,
}

impl ArrayMemory {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InPlace => "in-place",
            Self::PageLocked => "page-locked",
            Self::Plain => "plain",
            Self::Mixed => "mixed",
        }
    }
}

/// The work of an iteration. One kernel may have many shapes: a row of a longer matrix is more work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shape {
    /// Operations per iteration.
    pub flops: f64,
    /// Bytes of memory traffic per iteration.
    pub memory_bytes: f64,
    /// Bytes per iteration copied in.
    pub aligned_in: f64,
    /// Bytes per iteration copied out.
    pub aligned_out: f64,
    /// Bytes of replicated arrays.
    pub replicated: u64,
    /// Bytes of halo rows of a chunk.
    pub halo: u64,
}

impl Shape {
    /// The shape of a loop.
    pub fn of(profile: &LoopProfile) -> Self {
        Self {
            flops: profile.flops.0,
            memory_bytes: profile.memory_bytes,
            aligned_in: profile.aligned_in,
            aligned_out: profile.aligned_out,
            replicated: profile.replicated_in.0,
            halo: profile.halo_in.0,
        }
    }

    /// The profile of a loop like `other`, but of this shape.
    fn profile(&self, other: &LoopProfile) -> LoopProfile {
        // The written part of the traffic stays the same, and so does the part of each copy in plain arrays.
        let times = |mine: f64, theirs: f64| if theirs > 0.0 { mine / theirs } else { 0.0 };
        let part = times(self.memory_bytes, other.memory_bytes);
        let copied = times(self.aligned_in + self.aligned_out, other.aligned_in + other.aligned_out);
        let replicated = times(self.replicated as f64, other.replicated_in.0 as f64);
        LoopProfile {
            flops: Flops(self.flops),
            memory_bytes: self.memory_bytes,
            written: other.written * part,
            only_written: other.only_written * part,
            aligned_in: self.aligned_in,
            aligned_out: self.aligned_out,
            // Arrays that are not copied have rows of about as many times the length.
            aligned_allocated: other.aligned_allocated * if copied > 0.0 { copied } else { part },
            replicated_in: Bytes(self.replicated),
            plain_in: other.plain_in * times(self.aligned_in, other.aligned_in),
            plain_out: other.plain_out * times(self.aligned_out, other.aligned_out),
            plain_replicated: Bytes((other.plain_replicated.0 as f64 * replicated).round() as u64),
            halo_in: Bytes(self.halo),
            ..other.clone()
        }
    }

    /// Bytes of a loop's arrays in the direction that copies more: the loop's length where only its link counts.
    pub fn link_bytes(&self, iterations: u64) -> u64 {
        (self.aligned_in.max(self.aligned_out) * iterations as f64) as u64
    }

    /// The bits of its figures, as a key for maps.
    pub fn bits(&self) -> [u64; 6] {
        let [a, b, c, d] = [self.flops, self.memory_bytes, self.aligned_in, self.aligned_out].map(f64::to_bits);
        [a, b, c, d, self.replicated, self.halo]
    }
}

/// How many devices took part in a loop. They share the host's memory and its links, so each may be slower than alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Company {
    /// Devices that work in host memory.
    pub shared: u32,
    /// Devices with memory of their own.
    pub discrete: u32,
}

impl std::ops::Add for Company {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { shared: self.shared + other.shared, discrete: self.discrete + other.discrete }
    }
}

/// A measured time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// When it was taken, in microseconds since 1970.
    pub at: u64,
    /// Iterations of the piece (bytes for a link); for costs paid once, iterations of the loop.
    pub n: u64,
    /// How long it took.
    pub time: Seconds,
    /// From one of the first loops of its kind in a process, which compiles, allocates, touches memory first and wakes threads.
    /// Dropped once there are other samples.
    pub cold: bool,
}

impl Sample {
    /// The time of one iteration.
    fn each(&self) -> f64 {
        self.time.0 / self.n as f64
    }

    fn order(&self) -> (u64, u64, u64, bool) {
        (self.at, self.n, self.time.0.to_bits(), self.cold)
    }
}

/// Samples of pieces of about one length: half an octave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// All of them, the oldest first.
    pub samples: Vec<Sample>,
}

impl Cell {
    /// Keeps the newest [`KEPT`] in whatever order they come, and cold samples only while there are no others.
    fn add(&mut self, new: &[Sample]) {
        for sample in new {
            match self.samples.binary_search_by_key(&sample.order(), Sample::order) {
                Ok(_) => {}
                Err(place) => self.samples.insert(place, *sample),
            }
        }
        if self.samples.iter().any(|sample| !sample.cold) {
            self.samples.retain(|sample| !sample.cold);
        }
        let old = self.samples.len().saturating_sub(KEPT);
        self.samples.drain(..old);
    }

    /// See [`History::until`].
    fn until(&mut self, now: u64) {
        let samples = std::mem::take(&mut self.samples);
        self.add(&samples.into_iter().map(|sample| Sample { at: sample.at.min(now), ..sample }).collect::<Vec<_>>());
    }

    /// Whether all its samples are of first loops of a kind; they go with the first sample of another loop.
    fn is_cold(&self) -> bool {
        self.samples.first().is_some_and(|sample| sample.cold)
    }

    fn newest(&self) -> u64 {
        self.samples.last().map_or(0, |sample| sample.at)
    }

    /// The half octave of its lengths, in a [`Stage`].
    fn length(&self) -> Option<u32> {
        self.samples.first().map(|sample| half_octave(sample.n))
    }
}

/// The half octave of a length: the position of its highest bit, and the bit below.
fn half_octave(n: u64) -> u32 {
    let octave = octave(n);
    2 * octave + if octave == 0 { 0 } else { (n >> (octave - 1)) as u32 & 1 }
}

/// The position of the highest bit.
pub fn octave(n: u64) -> u32 {
    n.max(1).ilog2()
}

/// Times of one stage, by the length of the piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    cells: BTreeMap<u32, Cell>,
}

impl Stage {
    fn add(&mut self, sample: Sample) {
        self.cells.entry(half_octave(sample.n)).or_default().add(&[sample]);
    }

    /// All samples, the shortest pieces first.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.cells.values().flat_map(|cell| &cell.samples)
    }

    /// Its cells, the shortest pieces first.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> + Clone {
        self.cells.values()
    }

    fn newest(&self) -> u64 {
        self.cells.values().map(Cell::newest).max().unwrap_or(0)
    }
}

/// The loops that a table belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Place {
    shape: [u64; 6],
    company: Company,
    octave: u32,
}

/// What loops of about one length took on a device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The work of an iteration.
    pub shape: Shape,
    /// The devices that took part.
    pub company: Company,
    /// The loops have from 2^octave to 2^(octave+1) iterations.
    pub octave: u32,
    /// What a loop pays once: to begin, to allocate, to copy replicated arrays, to end.
    pub once: Cell,
    /// Copy in, run, copy out.
    pub stages: [Stage; 3],
}

impl Table {
    fn place(&self) -> Place {
        Place { shape: self.shape.bits(), company: self.company, octave: self.octave }
    }

    /// Without samples.
    fn empty(place: &Place, shape: Shape) -> Self {
        Self { shape, company: place.company, octave: place.octave, ..Self::default() }
    }

    fn add(&mut self, other: &Self) {
        self.once.add(&other.once.samples);
        for (mine, theirs) in self.stages.iter_mut().zip(&other.stages) {
            for (bin, cell) in &theirs.cells {
                mine.cells.entry(*bin).or_default().add(&cell.samples);
            }
        }
    }

    /// The time of a piece to copy in (0), run (1) or copy out (2), by these loops alone.
    pub fn line(&self, stage: usize) -> Option<Line> {
        let line = curve::line(self.stages.get(stage)?.cells(), Line::default(), false)?;
        // Where longer pieces took no longer, the fit keeps the slope at the smallest positive number, so that none is free.
        Some(if line.each.0 <= f64::MIN_POSITIVE { Line { each: Seconds::ZERO, ..line } } else { line })
    }

    /// What such a loop pays once; for whole loops, the time from call to return.
    pub fn once(&self) -> Option<Seconds> {
        curve::middle(self.once.samples.iter())
    }

    /// For whole loops, the time without that to plan the loop: the median of all lengths.
    pub fn once_planned(&self) -> Option<Seconds> {
        curve::middle(self.stages[1].samples())
    }

    /// The time of a loop from call to return, if this is a table of whole loops and enough are known.
    fn of_loop(&self, iterations: u64) -> Option<Seconds> {
        let enough = self.once.samples.iter().filter(|sample| !sample.cold).count() >= LOOPS_ENOUGH;
        enough.then(|| curve::of_length(self.once.samples.iter(), iterations)).flatten()
    }

    /// The median time of loops of nearly this length, whose fixed times count as they should, and how many loops it is of: once
    /// planned, where that is known.
    fn of_like_loops(&self, iterations: u64) -> Option<(Seconds, usize)> {
        let like = |sample: &&Sample| {
            let ratio = sample.n as f64 / iterations as f64;
            !sample.cold && (1.0 / NEARLY..=NEARLY).contains(&ratio)
        };
        let planned: SmallVec<[&Sample; KEPT]> = self.stages[1].samples().filter(like).collect();
        let known = if planned.is_empty() { self.once.samples.iter().filter(like).collect() } else { planned };
        Some((curve::of_length(known.iter().copied(), iterations)?, known.len()))
    }

    /// When it was last added to.
    pub fn newest(&self) -> u64 {
        self.stages.iter().map(Stage::newest).max().unwrap_or(0).max(self.once.newest())
    }
}

/// What loops of a kind took as a whole, under one policy on some devices.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeLoops {
    /// The policy's name, with that of a cutoff if there was one.
    pub policy: Arc<str>,
    /// The devices' places in the list that was asked about.
    pub places: Vec<usize>,
    /// Their median: of the times once planned, where these are known.
    pub time: Seconds,
    /// How many they are.
    pub loops: usize,
}

/// What one loop took on one device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// The work of an iteration.
    pub shape: Shape,
    /// The devices that took part.
    pub company: Company,
    /// Iterations of the whole loop.
    pub iterations: u64,
    /// When it ran, in microseconds since 1970. Of two loops of one time, the slower counts as the later.
    pub at: u64,
    /// One of the first loops of its kind in this process, which allocated or compiled.
    pub cold: bool,
    /// The time paid once.
    pub once: Option<Seconds>,
    /// Lengths of pieces and their times to copy in, run and copy out.
    pub stages: [Vec<(u64, Seconds)>; 3],
}

/// All tables of a kernel on a device.
#[derive(Clone, Debug, Default)]
struct Entry {
    tables: BTreeMap<Place, Table>,
}

impl Entry {
    fn add(&mut self, (place, shape): (Place, Shape), add: impl FnOnce(&mut Table)) {
        add(self.tables.entry(place).or_insert_with(|| Table::empty(&place, shape)));
        if self.tables.len() > TABLES_KEPT {
            let oldest = self.tables.iter().min_by_key(|(_, table)| table.newest()).map(|(place, _)| *place);
            oldest.and_then(|oldest| self.tables.remove(&oldest));
        }
    }
}

/// All that is known of kernels on devices.
#[derive(Clone, Debug, Default)]
pub struct History {
    entries: BTreeMap<Key, Entry>,
    kinds: Kinds,
}

/// Which kinds of keys a history has ever had: others need not be looked for.
#[derive(Clone, Debug, Default)]
struct Kinds {
    /// Of kernels, without a code.
    codeless: bool,
    /// Of devices that copy arrays, without a host.
    hostless: bool,
    /// The first host.
    host: Option<Arc<str>>,
    /// Of other hosts too.
    several_hosts: bool,
}

impl Kinds {
    fn add(&mut self, key: &Key) {
        self.codeless |= key.kernel.is_some() && key.code.is_none();
        self.hostless |= key.memory != ArrayMemory::InPlace && key.host.is_none();
        if let Some(host) = &key.host {
            self.several_hosts |= self.host.get_or_insert_with(|| Arc::clone(host)) != host;
        }
    }

    fn has_other_hosts(&self, host: &Arc<str>) -> bool {
        self.several_hosts || self.host.as_ref().is_some_and(|first| first != host)
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        let tables = |(key, entry)| -> (_, _) {
            let entry: &Entry = entry;
            (key, &entry.tables)
        };
        self.entries.iter().map(tables).eq(other.entries.iter().map(tables))
    }
}

impl History {
    /// Adds what a loop took. Values that cannot be times are left out.
    pub fn record(&mut self, key: &Key, seen: &Observation) {
        let sample = |&(n, time): &(u64, Seconds)| Sample { at: seen.at, n, time, cold: seen.cold };
        let once = seen.once.map(|time| sample(&(seen.iterations.max(1), time))).filter(is_sample);
        let stages = seen.stages.each_ref().map(|stage| stage.iter().map(sample).filter(is_sample));
        let Shape { flops, memory_bytes, aligned_in, aligned_out, .. } = seen.shape;
        let amounts = [flops, memory_bytes, aligned_in, aligned_out];
        let possible = amounts.iter().all(|amount| amount.is_finite() && *amount >= 0.0);
        if !possible || once.is_none() && stages.iter().all(|stage| stage.clone().next().is_none()) {
            return;
        }
        let place = Place { shape: seen.shape.bits(), company: seen.company, octave: octave(seen.iterations) };
        self.add(key, (place, seen.shape), |table| {
            table.once.add(once.as_slice());
            for (known, new) in table.stages.iter_mut().zip(stages) {
                new.for_each(|sample| known.add(sample));
            }
        });
    }

    fn add(&mut self, key: &Key, place: (Place, Shape), add: impl FnOnce(&mut Table)) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.add(place, add);
            return;
        }
        if self.entries.len() >= KEYS_KEPT {
            // Several at once: to find the oldest, all samples are looked at.
            let newest = |entry: &Entry| entry.tables.values().map(Table::newest).max();
            let mut ages: Vec<_> = self.entries.iter().map(|(key, entry)| (newest(entry), key.clone())).collect();
            ages.sort_unstable_by_key(|(newest, _)| *newest);
            ages.into_iter().take(KEYS_KEPT / 64).for_each(|(_, key)| _ = self.entries.remove(&key));
        }
        let mut entry = Entry::default();
        entry.add(place, add);
        self.kinds.add(key);
        self.entries.insert(key.clone(), entry);
    }

    /// Adds all that another history knows. The same samples count once, so a history may be merged with a copy of itself.
    pub fn merge(&mut self, other: &Self) {
        for (key, table) in other.tables() {
            self.add_table(key, table);
        }
    }

    fn add_table(&mut self, key: &Key, table: &Table) {
        self.add(key, (table.place(), table.shape), |known| known.add(table));
    }

    /// Takes samples for as old as `now`, in microseconds since 1970, that say they are of later. They would otherwise outlast
    /// all that are measured until then.
    pub fn until(&mut self, now: u64) {
        for table in self.entries.values_mut().flat_map(|entry| entry.tables.values_mut()) {
            if table.newest() > now {
                let cells = table.stages.iter_mut().flat_map(|stage| stage.cells.values_mut());
                cells.chain([&mut table.once]).for_each(|cell| cell.until(now));
            }
        }
    }

    /// Keeps only the keys that `keep` accepts.
    pub fn retain(&mut self, keep: impl Fn(&Key) -> bool) {
        self.entries.retain(|key, _| keep(key));
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The kernels on devices that it knows.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.entries.keys()
    }

    /// All tables, with what they belong to.
    pub fn tables(&self) -> impl Iterator<Item = (&Key, &Table)> {
        self.entries.iter().flat_map(|(key, entry)| entry.tables.values().map(move |table| (key, table)))
    }

    /// The time of a loop from call to return, if at least three such loops of about this length are known: their median. For a
    /// key of [`Key::of_loops`].
    pub fn of_loop(&self, key: &Key, profile: &LoopProfile, company: Company) -> Option<Seconds> {
        let shape = Shape::of(profile).bits();
        let place = Place { shape, company, octave: octave(profile.iterations) };
        self.tables_of(key)
            .into_iter()
            .find(|known| known.table().place() == place && known.once().is_some())?
            .table()
            .of_loop(profile.iterations)
    }

    /// What loops of nearly this length took on some of these devices, by policy, once planned. `devices` are the keys of a
    /// loop's devices, and what each adds to the company, in list order. What one device took is told of all of its identity,
    /// what several took of the first ones of theirs.
    pub fn of_loops(&self, devices: &[(Key, Company)], profile: &LoopProfile) -> Vec<WholeLoops> {
        let Some((first, _)) = devices.first() else { return Vec::new() };
        let shape = Shape::of(profile).bits();
        // A loop just longer than a power of two is like those just shorter.
        let near = [1.0 / NEARLY, NEARLY].map(|factor| octave((profile.iterations as f64 * factor) as u64));
        let least = Key { device: "".into(), memory: ArrayMemory::InPlace, policy: None, host: None, ..first.clone() };
        let like = |key: &Key| {
            (&key.kernel, key.code, key.block, key.precision)
                == (&first.kernel, first.code, first.block, first.precision)
        };
        let known = self.entries.range(least..).take_while(|(key, _)| like(key));
        let mut all = Vec::new();
        for (key, entry) in known {
            let Some(policy) = &key.policy else { continue };
            for places in sets(&key.device, devices) {
                let of = || places.iter().map(|&place| &devices[place]);
                let memory = of().map(|(key, _)| key.memory).max();
                let host = of().find_map(|(key, _)| key.host.as_ref());
                let company = of().fold(Company::default(), |all, (_, own)| all + *own);
                if (Some(key.memory), key.host.as_ref()) != (memory, host) {
                    continue;
                }
                let table = |octave: u32| entry.tables.get(&Place { shape, company, octave });
                let tables = (near[0]..=near[1]).filter_map(table).filter_map(|t| t.of_like_loops(profile.iterations));
                let Some((time, loops)) = tables.max_by_key(|(_, loops)| *loops) else { continue };
                all.push(WholeLoops { policy: Arc::clone(policy), places, time, loops });
            }
        }
        all
    }

    /// All tables that count for a key, one per kind of loop; the newest samples count, from whichever key. A device runs a
    /// kernel alike in all hosts, so kernel times from other hosts count where there are no others.
    fn tables_of(&self, key: &Key) -> Vec<Known<'_>> {
        let tables = |key: &Key| self.entries.get(key).into_iter().flat_map(|entry| entry.tables.values());
        let mut all: Vec<Known<'_>> = tables(key).map(Known::new).collect();
        for key in key.those_that_tell(&self.kinds) {
            let before = all.len();
            for table in tables(&key) {
                match all[..before].iter_mut().find(|known| known.table().place() == table.place()) {
                    Some(known) => known.add(table),
                    None => all.push(Known::new(table)),
                }
            }
        }
        let elsewhere = key.host.as_ref().is_some_and(|host| self.kinds.has_other_hosts(host));
        if elsewhere && key.kernel.is_some() && key.policy.is_none() {
            for code in [key.code, None] {
                let first = key.like(code, None);
                let same = |(other, _): &(&Key, &Entry)| other.like(code, None) == first && other.code == code;
                let others = self.entries.range(first.clone()..).take_while(same);
                for table in others.flat_map(|(_, entry)| entry.tables.values()) {
                    if all.iter().all(|known| known.table().place() != table.place()) {
                        all.push(Known::new(table).only_runs());
                    }
                }
            }
        }
        all
    }
}

/// Where in a list the devices are that had whole loops and that [`Key::of_loops`] so names: none if they are not all there.
fn sets(names: &str, devices: &[(Key, Company)]) -> Vec<Vec<usize>> {
    if !names.contains(JOINED) {
        return (0..devices.len()).filter(|&i| *devices[i].0.device == *names).map(|i| vec![i]).collect();
    }
    let mut next = 0;
    let place = |name: &str| {
        let found = next + devices[next..].iter().position(|(key, _)| *key.device == *name)?;
        next = found + 1;
        Some(found)
    };
    names.split(JOINED).map(place).collect::<Option<_>>().into_iter().collect()
}

/// Whether this can be a measured time.
fn is_sample(sample: &Sample) -> bool {
    sample.n > 0 && (1e-12..1e9).contains(&sample.time.0)
}
