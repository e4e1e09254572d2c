//! The whole state of the stand-in under one lock, and the wrapper of every entry point.

use crate::codes::*;
use crate::faults::Faults;
use crate::log::Log;
use crate::memory::Memory;
use crate::operations::Operation;
use crate::streams::{Event, Stream};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::c_void;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A handle as the driver gives it: here a number that is never dereferenced.
pub type Handle = *mut c_void;

/// Settings that a test may change.
pub struct Config {
    /// The driver's, as `cuDriverGetVersion` tells it.
    pub version: i32,
    pub devices: i32,
    pub memory: u64,
    /// Roughly how many of 100 operations run ahead of what a wait needs, if any can.
    pub ahead: u32,
    /// Size of the real numbers of kernels whose image does not say.
    pub reals: usize,
    /// Pairs of devices that cannot access one another's memory.
    pub no_access: BTreeSet<(i32, i32)>,
}

impl Default for Config {
    fn default() -> Self {
        let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
        let devices = number("APPORTION_STANDIN_DEVICES").unwrap_or(2);
        // CUDA 13.0, unless a test asks for another.
        let version = number("APPORTION_STANDIN_VERSION").unwrap_or(13000);
        Self { version, devices, memory: 64 << 20, ahead: 25, reals: 4, no_access: BTreeSet::new() }
    }
}

/// The primary context of a device.
pub struct Context {
    pub device: i32,
    pub retained: u64,
    pub flags: u32,
    pub default_stream: u64,
    /// Devices whose memory this context may touch besides its own.
    pub peers: BTreeSet<i32>,
    /// The code with which an operation of this context failed; every later call gives it.
    pub lost: Option<Code>,
}

pub struct Module {
    pub context: u64,
    pub reals: usize,
}

pub struct Function {
    pub module: u64,
    pub context: u64,
    /// Index into the table of kernels.
    pub kernel: usize,
    pub reals: usize,
    /// Dynamic shared memory that a launch may ask for.
    pub most_shared: i32,
}

/// Random numbers by xorshift: equal seeds give equal sequences.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        // A state of zero would stay zero; similar seeds should not give similar sequences.
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

pub struct State {
    pub config: Config,
    pub initialised: bool,
    pub contexts: BTreeMap<u64, Context>,
    pub memory: Memory,
    pub streams: BTreeMap<u64, Stream>,
    pub events: BTreeMap<u64, Event>,
    pub modules: BTreeMap<u64, Module>,
    pub functions: BTreeMap<u64, Function>,
    pub faults: Faults,
    pub log: Log,
    pub random: Random,
    /// The host's virtual time: it advances when something is enqueued or waited for.
    pub host_ns: u64,
    /// When each operation ended, by its number.
    pub ends: HashMap<u64, u64>,
    /// Number of things that contexts still held when they were destroyed.
    pub leaked: u64,
    tick: u64,
}

/// Outlives `reset`: a handle of an earlier test must not name something of a later one. Small numbers are avoided: the driver
/// has names for two default streams there.
static NEXT_HANDLE: Mutex<u64> = Mutex::new(0x1000);

impl State {
    pub fn new() -> Self {
        Self {
            config: Config::default(),
            initialised: false,
            contexts: BTreeMap::new(),
            memory: Memory::default(),
            streams: BTreeMap::new(),
            events: BTreeMap::new(),
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            faults: Faults::default(),
            log: Log::default(),
            random: Random::new(0),
            host_ns: 0,
            ends: HashMap::new(),
            leaked: 0,
            tick: 0,
        }
    }

    pub fn handle(&mut self) -> u64 {
        let mut next = NEXT_HANDLE.lock().unwrap_or_else(PoisonError::into_inner);
        *next += 16;
        *next
    }

    /// The next number of the counter for everything enqueued and run.
    pub fn tick(&mut self) -> u64 {
        self.tick += 1;
        self.tick
    }

    pub fn device(&self, device: i32) -> Outcome<i32> {
        if (0..self.config.devices).contains(&device) { Ok(device) } else { Err(INVALID_DEVICE) }
    }

    pub fn context(&self, handle: u64) -> Outcome<&Context> {
        self.contexts.get(&handle).ok_or(if handle == 0 { INVALID_CONTEXT } else { CONTEXT_IS_DESTROYED })
    }

    pub fn can_access(&self, from: i32, to: i32) -> bool {
        from != to && !self.config.no_access.contains(&(from, to))
    }

    /// The devices whose memory this context may touch.
    pub fn reach(&self, context: u64) -> Vec<i32> {
        let Some(context) = self.contexts.get(&context) else { return Vec::new() };
        context.peers.iter().copied().chain([context.device]).collect()
    }

    pub fn lost(&self, context: u64) -> Outcome {
        self.contexts.get(&context).and_then(|context| context.lost).map_or(Ok(()), Err)
    }

    /// Destroys a context and all that it holds, and counts what should have been freed before.
    pub fn destroy(&mut self, handle: u64) {
        // Memory with a free pending in stream order was not forgotten.
        let queues = self.streams.values().filter(|stream| stream.context == handle).map(|stream| &stream.queue);
        for queued in queues.flatten() {
            if let Operation::Free(address) = queued.what {
                let _ = self.memory.free(address);
            }
        }
        let forgotten = self.streams.values().filter(|s| s.context == handle && !s.default && !s.destroyed).count()
            + self.events.values().filter(|event| event.context == handle).count()
            + self.modules.values().filter(|module| module.context == handle).count();
        self.leaked += forgotten as u64 + self.memory.release(handle);
        self.streams.retain(|_, stream| stream.context != handle);
        self.events.retain(|_, event| event.context != handle);
        self.modules.retain(|_, module| module.context != handle);
        self.functions.retain(|_, function| function.context != handle);
        self.contexts.remove(&handle);
    }
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(|| Mutex::new(State::new()));
/// Notified when a host function has returned.
static RETURNED: Condvar = Condvar::new();

thread_local! {
    /// This thread's contexts, the current one last.
    static CURRENT: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    /// Whether this thread runs a host function of a stream, which must not call the driver.
    static IN_HOST_FUNCTION: Cell<bool> = const { Cell::new(false) };
}

/// The thread's stack of contexts. `None` while the thread ends, when it has none any more.
pub fn with_current<R>(f: impl FnOnce(&mut Vec<u64>) -> R) -> Option<R> {
    CURRENT.try_with(|current| f(&mut current.borrow_mut())).ok()
}

pub fn current() -> u64 {
    with_current(|stack| stack.last().copied()).flatten().unwrap_or(0)
}

/// The lock on the state. It can be released while a host function runs.
pub struct Held(Option<MutexGuard<'static, State>>);

impl Held {
    pub fn new() -> Self {
        Self(Some(STATE.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Runs a stream's host function without the lock, as it may wait for a thread that calls the driver.
    pub fn outside(&mut self, f: impl FnOnce()) {
        self.0 = None;
        let _ = IN_HOST_FUNCTION.try_with(|inside| inside.set(true));
        f();
        let _ = IN_HOST_FUNCTION.try_with(|inside| inside.set(false));
        *self = Self::new();
        RETURNED.notify_all();
    }

    /// Waits until another thread's host function has returned, or a while.
    pub fn await_host_function(&mut self) {
        if let Some(guard) = self.0.take() {
            let waited = RETURNED.wait_timeout(guard, Duration::from_millis(20));
            self.0 = Some(waited.unwrap_or_else(PoisonError::into_inner).0);
        }
    }
}

impl Deref for Held {
    type Target = State;
    fn deref(&self) -> &State {
        self.0.as_ref().expect("the lock is away only inside of `outside` and `await_host_function`")
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut State {
        self.0.as_mut().expect("the lock is away only inside of `outside` and `await_host_function`")
    }
}

/// Wraps every exported function: no panic crosses into C.
pub fn guarded<R>(otherwise: R, f: impl FnOnce(&mut Held) -> R) -> R {
    catch_unwind(AssertUnwindSafe(|| f(&mut Held::new()))).unwrap_or(otherwise)
}

/// An entry point that needs no context. It counts the call and returns an injected failure that is due.
pub fn call(name: &'static str, f: impl FnOnce(&mut Held) -> Outcome) -> Code {
    if IN_HOST_FUNCTION.try_with(Cell::get).unwrap_or(false) {
        return NOT_PERMITTED;
    }
    let body = |s: &mut Held| {
        s.faults.called(name)?;
        if !s.initialised && name != "cuInit" && name != "cuDriverGetVersion" {
            return Err(NOT_INITIALIZED);
        }
        f(s)
    };
    guarded(UNKNOWN, |s| body(s).err().unwrap_or(SUCCESS))
}

/// An entry point that needs a context that is current and not lost.
pub fn in_context(name: &'static str, f: impl FnOnce(&mut Held, u64) -> Outcome) -> Code {
    call(name, |s| {
        let context = current();
        s.context(context)?;
        s.lost(context)?;
        f(s, context)
    })
}

/// An entry point that releases something. On a lost context it fails, but releases all the same: the counts then show what a
/// program forgot, not what it could not do.
pub fn releasing(name: &'static str, f: impl FnOnce(&mut Held, u64) -> Outcome) -> Code {
    call(name, |s| {
        let context = current();
        s.context(context)?;
        let released = f(s, context);
        s.lost(context)?;
        released
    })
}

/// A place for a result, as the caller gave it.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    pub fn put(&self, value: T) -> Outcome {
        if self.0.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: an `Out` comes in as an argument of an entry point, whose caller promises that it is null or a place for a T
        // during the call; it is never kept longer.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }
}

impl<T> From<*mut T> for Out<T> {
    fn from(place: *mut T) -> Self {
        Self(place)
    }
}
