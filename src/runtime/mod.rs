//! How it runs: devices are opened, a loop is planned, proxies run it, a report is made.

mod awake;
mod failing;
mod history;
mod info;
mod offload;
mod plan;
mod predict;
mod proxy;
pub mod region;
mod report;
mod seats;
mod select;
mod shared;
#[cfg(all(test, feature = "opencl"))]
mod timeless;
mod uneven;

use crate::around;
pub use crate::cancel::{CancelHandle, CancelToken, Cancelling};
pub use awake::Awake;
pub use history::{HistoryFile, VARIABLE as HISTORY_VARIABLE};
pub use info::{DeviceInfo, IntoDevices};
pub use offload::{Loop, Reduced};
pub use predict::{Sketch, explain_on, no_room, predict_on, with_room};
pub use report::{DeviceReport, LeftOut, PieceRecord, Report};

use crate::devices::aside::Aside;
use crate::devices::awake::Lookouts;
use crate::devices::crew::{self, DeviceThread, Patience, Vigil};
use crate::devices::host::WidePool;
use crate::devices::specifier::Candidate;
use crate::devices::{self, Device};
use crate::error::{Error, Result};
use crate::kernel::{Argument, Bound, CudaVariant, Kernel};
use crate::model::history::ArrayMemory;
use crate::model::machine::{DeviceKind, DeviceType};
use crate::model::{DeviceModel, Machine, MemoryKind, Share};
use crate::runtime::awake::Watch;
use crate::runtime::failing::Failing;
use crate::runtime::history::Keeper;
use crate::runtime::select::Selected;
use crate::space::{DeviceId, Iterations};
use crate::units::Bytes;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The devices of a machine, opened and ready for loops.
///
/// One loop runs at a time: a second `parallel_for` from another thread waits for the first, as both would need the same
/// devices.
pub struct Runtime {
    /// Of the process's runtimes.
    number: u32,
    machine: Machine,
    /// Closed first, so that no thread stays awake for a guard that outlives the runtime.
    vigil: Watch,
    members: Vec<Member>,
    /// The devices as a specifier sees them.
    candidates: Vec<Candidate>,
    selected: Mutex<Option<Selected>>,
    notes: Vec<String>,
    /// That of `notes` which is on the history's file.
    history_note: Option<String>,
    cancelled: CancelToken,
    /// How its threads wait for one another.
    patience: Patience,
    running: Mutex<()>,
    history: Option<Keeper>,
    opened: Instant,
}

/// An opened device.
struct Member {
    id: DeviceId,
    type_name: &'static str,
    kind: DeviceKind,
    device_type: DeviceType,
    model: DeviceModel,
    /// By how much it takes longer than its description says, as that asks for.
    time_scale: f64,
    share: Share,
    pool: Option<Arc<rayon::ThreadPool>>,
    /// A larger pool for long loops in which no other device takes part.
    wide: Option<Arc<WidePool>>,
    largest_buffer: Option<u64>,
    has_f64: bool,
    device: Mutex<Box<dyn Device>>,
    /// The thread that runs its proxy, unless the caller's thread does.
    thread: DeviceThread,
    /// Where that thread runs, if not anywhere.
    aside: Option<Aside>,
    /// End of the last loop in which it had iterations, in nanoseconds since the runtime was opened; 0 if there was none.
    ended: AtomicU64,
    /// How long its thread stays awake after a loop.
    lingers: Duration,
    /// What keeps its thread awake.
    vigil: Vigil,
    /// Its own threads, if these may stay awake too.
    lookouts: Option<Arc<Lookouts>>,
    failing: Failing,
}

impl Member {
    /// Locks the device, which only one thread may use at a time.
    fn device(&self) -> MutexGuard<'_, Box<dyn Device>> {
        self.device.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What matters to this device about where a loop's arrays lie; `locked` tells which of them are page-locked.
    fn array_memory(&self, arguments: &[Argument<'_>], locked: &[bool]) -> ArrayMemory {
        match self.model.memory {
            MemoryKind::Shared => ArrayMemory::InPlace,
            MemoryKind::Discrete => self.device().array_memory(arguments, locked),
        }
    }

    /// Bytes of its own memory that it can use now: others may have taken some since it was opened.
    fn memory_now(&self) -> Option<Bytes> {
        let usable = match self.model.memory {
            MemoryKind::Shared => None,
            MemoryKind::Discrete => self.device().usable_memory().map(Bytes),
        };
        self.model.memory_bytes.into_iter().chain(usable).min()
    }

    /// Called by its thread before a part of a loop: keeps the thread off the host's cores if those have a part `beside` it. A
    /// library call may start threads of its own, which would inherit the few CPUs.
    fn stand_aside(&self, beside_cores: bool, kernel: Option<&Kernel>) {
        let calls = || kernel.is_some_and(|kernel| matches!(kernel.cuda_variant(), Some(CudaVariant::Call(_))));
        if let Some(aside) = &self.aside {
            aside.keep(beside_cores && !calls());
        }
    }

    /// Whether its last loop is so long ago that its threads sleep, unless they are kept awake; `now` is the time since the runtime
    /// was opened. Of a pool's threads that are kept awake it is known how many are: at times they sleep all the same.
    fn rests(&self, now: Duration) -> bool {
        if self.pool.is_none() && self.vigil.is_kept() {
            return false;
        }
        let ended = self.ended.load(Ordering::Relaxed);
        let long_ago = ended == 0 || now.saturating_sub(Duration::from_nanos(ended)) > self.lingers;
        long_ago && !self.lookouts.as_ref().is_some_and(|lookouts| lookouts.are_awake())
    }
}

impl Runtime {
    /// Opens the devices that are found on this machine: the CPU, every CUDA GPU, and every OpenCL device that is none of these.
    ///
    /// OpenCL on the CPU's cores, such as PoCL's, is described and not opened: [`Runtime::detect_only`] opens it if it is named.
    ///
    /// The figures are estimates (`assumed` in [`Runtime::machine`]); `apportion probe` measures them and writes a file for
    /// [`Runtime::open`]. [`Runtime::notes`] has a line for each thing that is missing, and for each device that is not opened.
    ///
    /// # Errors
    /// When not even the CPU can be used.
    pub fn detect() -> Result<Self> {
        Self::open_detected(devices::detect::machine())
    }

    /// Opens those of the found devices that a specifier picks, as [`Loop::devices`] does, and no others. They keep their numbers.
    ///
    /// It also opens those that [`Runtime::detect`] does not, if they are named, by number, name, type or kind: `"0,opencl:0"` are
    /// the CPU and the first OpenCL device, `"0,:OCLCPU"` the CPU and OpenCL on its cores. Then each of the two has half of the
    /// cores; OpenCL without the CPU beside it has all. A loop on the CPU alone then has all cores if it is long, and data regions
    /// do not.
    ///
    /// ```
    /// use apportion::prelude::*;
    ///
    /// let rt = Runtime::detect_only("0")?; // the CPU
    /// assert_eq!(rt.devices().count(), 1);
    /// # Ok::<(), apportion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Call`] where the specifier picks what is not there, or devices that exclude each other, or none of its devices can
    /// be opened.
    pub fn detect_only(devices: impl IntoDevices) -> Result<Self> {
        Self::open_detected(devices::detect::only(&devices.specifier())?.0)
    }

    fn open_detected(
        devices::detect::Detected { mut machine, mut notes, .. }: devices::detect::Detected,
    ) -> Result<Self> {
        loop {
            match Self::open_all(machine.clone()) {
                Ok(mut runtime) => {
                    notes.append(&mut runtime.notes);
                    runtime.notes = notes;
                    return Ok(runtime.with_history_of_environment());
                }
                // A device that was found but cannot be opened is left out, except the CPU, without which nothing can run, and
                // the last one.
                Err((_, error)) if machine.enabled_devices().count() == 1 => return Err(error),
                Err((id, error)) => match machine.devices.iter().position(|d| Some(d.device_id()) == id && d.id != 0) {
                    Some(device) => {
                        let name = &machine.devices[device].name;
                        log::warn!("{name}: left out: {error}");
                        notes.push(format!("{name}: left out: {error}"));
                        devices::detect::disable(&mut machine, device, error.to_string());
                    }
                    None => return Err(error),
                },
            }
        }
    }

    /// Opens the enabled devices of a machine description.
    ///
    /// # Errors
    /// [`Error::Machine`] when the file is wrong; [`Error::Call`] when a device in it cannot be opened. Both name the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::from_machine(Machine::load(path)?).map_err(|error| error.of_machine_file(path))
    }

    /// Opens the enabled devices of a machine description.
    ///
    /// # Errors
    /// As [`Runtime::open`], without the file.
    pub fn from_machine(machine: Machine) -> Result<Self> {
        machine.validate()?;
        Ok(Self::open_all(machine).map_err(|(_, error)| error)?.with_history_of_environment())
    }

    /// Opens all enabled devices; an error comes with the device that caused it.
    fn open_all(machine: Machine) -> Result<Self, (Option<DeviceId>, Error)> {
        let mut members = Vec::new();
        let mut notes = Vec::new();
        let opener = devices::open::Opener::new(&machine);
        let mut patience = Patience::Brief;
        let vigil = opener.vigil().clone();
        let shared = machine.shared_rates();
        for entry in machine.enabled_devices() {
            let about = |error| (Some(entry.device_id()), error);
            let (device, note) = opener.open(entry).map_err(about)?;
            notes.extend(note);
            let mut model = entry.model();
            if let Some(usable) = device.usable_memory() {
                // Other programs may use some of the memory that the description states.
                model.memory_bytes = Some(model.memory_bytes.map_or(Bytes(usable), |bytes| Bytes(bytes.0.min(usable))));
            }
            let lingers = device.lingers() && opener.spare_cores();
            if lingers {
                patience = Patience::Awake;
            }
            // The caller's thread stands for the first device with a pool.
            let callers = device.pool().is_some() && members.iter().all(|member: &Member| member.pool.is_none());
            let kept_awake_by = if callers { Vigil::default() } else { vigil.clone() };
            members.push(Member {
                id: entry.device_id(),
                type_name: entry.device_type.name(),
                kind: entry.kind,
                device_type: entry.device_type,
                model,
                time_scale: entry.emulated.as_ref().and_then(|section| section.time_scale).unwrap_or(1.0),
                share: shared.of(entry.id),
                pool: device.pool(),
                wide: device.wide_pool(),
                largest_buffer: device.largest_buffer(),
                has_f64: device.has_f64(),
                thread: proxy_thread(&entry.name, lingers, kept_awake_by).map_err(about)?,
                aside: opener.aside(entry),
                ended: AtomicU64::new(0),
                lingers: crew::lingers(lingers),
                vigil: vigil.clone(),
                lookouts: device.lookouts(),
                failing: Failing::default(),
                device: Mutex::new(device),
            });
        }
        if members.is_empty() {
            let text = format!("machine `{}` has no enabled device: set `enabled` of one to true", machine.name);
            return Err((None, Error::call(text)));
        }
        let candidates = Candidate::all_of(&machine);
        let history = Some(Keeper::in_memory(&members, &machine));
        Ok(Self {
            machine,
            vigil: Watch(vigil),
            members,
            candidates,
            selected: Mutex::default(),
            notes,
            history_note: None,
            cancelled: CancelToken::new(),
            patience,
            running: Mutex::new(()),
            history,
            number: around::next_number(),
            opened: Instant::now(),
        })
    }

    /// Reads and extends the history in a file: rates that were measured on these devices replace the description's figures
    /// wherever something is predicted.
    ///
    /// Without this call, and without the variable `APPORTION_HISTORY`, a runtime uses no such file: it learns in memory, from
    /// loops on several devices under policies that predict. A file that cannot be read, or is no history, is left alone;
    /// [`Runtime::notes`] says so, and loops run all the same. So it does of a file that cannot be written; if that comes later,
    /// the report of a loop has the note.
    #[must_use]
    pub fn with_history(mut self, file: impl Into<HistoryFile>) -> Self {
        // The previous history writes its data first: it may be in the same file.
        self.drop_history();
        let (keeper, note) = Keeper::open(&self, file.into());
        self.notes.extend(note.clone());
        self.history_note = note;
        self.history = Some(keeper);
        self
    }

    /// Uses no history, whatever the variable `APPORTION_HISTORY` says, and learns nothing: each loop is predicted by the machine
    /// description alone, however often it ran.
    #[must_use]
    pub fn without_history(mut self) -> Self {
        self.drop_history();
        self
    }

    /// The note on a file that is not used any more would be wrong.
    fn drop_history(&mut self) {
        self.history = None;
        if let Some(told) = self.history_note.take() {
            self.notes.retain(|note| *note != told);
        }
    }

    /// Runs all loops of a host device on its own cores, also those that it has alone, which otherwise use the cores left to others
    /// too. For measurements of what it does beside others.
    #[must_use]
    pub fn on_own_cores(mut self) -> Self {
        self.members.iter_mut().for_each(|member| member.wide = None);
        self
    }

    fn with_history_of_environment(self) -> Self {
        match HistoryFile::from_environment() {
            Some(Some(file)) => self.with_history(file),
            Some(None) => self.without_history(),
            None => self,
        }
    }

    /// The history's file, if there is one.
    pub fn history(&self) -> Option<&HistoryFile> {
        self.history.as_ref().and_then(Keeper::file)
    }

    /// Writes what the history's file lacks. A runtime also does so every few seconds between loops, and when dropped.
    ///
    /// # Errors
    /// [`Error::Call`] naming the file, with the system's message; also if the file could not be read or is no history, so that
    /// nothing is kept.
    pub fn save_history(&self) -> Result<()> {
        self.history.as_ref().map_or(Ok(()), Keeper::write)
    }

    /// The machine description that the devices were opened from.
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What was found out while opening: missing libraries, devices that are left out.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A handle that stops all loops of this runtime; [`Loop::cancelled_by`] is for one.
    pub fn cancel_handle(&self) -> CancelHandle {
        CancelHandle(self.cancelled.clone())
    }

    /// Lets loops run again after a cancel, once the loop that runs at present has ended.
    ///
    /// # Errors
    /// [`Error::Call`] inside a host body of this runtime, whose own loop would have to end first.
    pub fn resume(&self) -> Result<()> {
        if self.is_inside_a_body() {
            return Err(Error::call(
                "resume was called inside a host body of the same runtime: call it after that loop",
            ));
        }
        // A loop that saw the cancel in one place must see it everywhere.
        let _running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.cancelled.reset();
        Ok(())
    }

    /// A loop over `range`, to be run on devices: `rt.parallel_for(0..n, kernel.bind()..).run()`.
    ///
    /// The range is of any integer type; a range that starts below 0 is refused when the loop is run. A range that ends before it
    /// starts, such as `10..5`, is empty, as everywhere in Rust: the loop runs no iteration.
    #[inline]
    pub fn parallel_for<'r, 'a>(&'r self, range: impl Iterations, mut bound: Bound<'a>) -> Loop<'r, 'a> {
        let range = bound.over(range);
        if bound.has_checked_form() {
            bound.check_over_plain(range);
        }
        Loop::new(self, range, bound)
    }
}

impl Runtime {
    /// Whether a device really works in the host's memory; an emulated one takes the time that its description says.
    fn reads_hosts_memory(&self, member: &Member) -> bool {
        member.model.memory == MemoryKind::Shared && member.kind != DeviceKind::Emulated
    }
}

/// The thread that stands for a device.
fn proxy_thread(device: &str, lingers: bool, vigil: Vigil) -> Result<DeviceThread> {
    DeviceThread::start(format!("{device}-proxy"), lingers, vigil).map_err(|error| {
        Error::call(format!(
            "device `{device}`: the system gives no thread for it ({error}): raise the limit of processes, or enable \
             fewer devices"
        ))
    })
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runtime").field("machine", &self.machine.name).finish_non_exhaustive()
    }
}

/// The open devices, one per line, and notes on what could not be opened.
impl std::fmt::Display for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.machine.name)?;
        for member in &self.members {
            writeln!(f, "  {}", member.info())?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  note: {note}"))
    }
}
