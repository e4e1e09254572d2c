//! Page-locks plain arrays for a loop or a copy, where that is faster than copying them through page-locked memory.
#![allow(unsafe_code, reason = "page-locks the host's arrays")]

use super::driver::Gpu;
use super::session::is_locked;
use crate::data::ArrayMap;
use crate::devices::Work;
use crate::kernel::Argument;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A share in an array's registration: the array stays page-locked while any loop or device holds a share.
pub struct Registered {
    start: usize,
}

/// An array that loops or copies have page-locked.
struct Registration {
    start: usize,
    bytes: usize,
    gpu: Arc<Gpu>,
    users: usize,
}

impl Registration {
    fn touches(&self, start: usize, bytes: usize) -> bool {
        start < self.start + self.bytes && self.start < start + bytes
    }

    fn join(&mut self) -> Registered {
        self.users += 1;
        Registered { start: self.start }
    }
}

/// The memory that loops and copies have page-locked, and the memory that copies are using.
struct Book {
    registered: Vec<Registration>,
    /// Starts and ends of memory that copies use, locked or not. A copy enqueued while another user has locked the memory relies on
    /// that lock until the copy has run.
    in_use: Vec<(usize, usize)>,
    /// Starts and ends of the last arrays that others had locked in part: to try these again with each loop would take long.
    in_part: Vec<(usize, usize)>,
}

/// The most arrays in that list.
const MOST_IN_PART: usize = 16;

static BOOK: Mutex<Book> = Mutex::new(Book { registered: Vec::new(), in_use: Vec::new(), in_part: Vec::new() });

impl Book {
    fn open() -> MutexGuard<'static, Self> {
        BOOK.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Unlocks memory that nobody uses any more, by a share in the lock or by a copy.
    fn unlock_unused(&mut self) {
        let Self { registered, in_use, .. } = self;
        registered.retain(|there| {
            let touched = || in_use.iter().any(|&(start, end)| start < there.start + there.bytes && there.start < end);
            let keep = there.users > 0 || touched();
            if !keep {
                // SAFETY: registered by `Registered::new`. Its last user has waited for all copies, and so have those that used the
                // memory meanwhile and borrowed it.
                unsafe { there.gpu.unregister_anyhow(std::ptr::without_provenance_mut(there.start)) };
            }
            keep
        });
    }
}

impl Registered {
    /// Page-locks an array, or joins an existing registration.
    ///
    /// # Safety
    /// The array stays borrowed until this is dropped.
    unsafe fn new(gpu: &Arc<Gpu>, start: *const u8, bytes: usize) -> Option<Self> {
        let book = &mut *Book::open();
        let all = &mut book.registered;
        let key = start.addr();
        if let Some(there) = all.iter_mut().find(|there| there.start == key && there.bytes >= bytes) {
            return Some(there.join());
        }
        // SAFETY: the caller's promise.
        match unsafe { gpu.register(start.cast_mut(), bytes) } {
            Ok(()) => {
                all.push(Registration { start: key, bytes, gpu: Arc::clone(gpu), users: 1 });
                Some(Self { start: key })
            }
            // This error says nothing of what the system allows.
            // By a loop of another thread, since this one was planned.
            Err(error) if error.is_locked_already() && all.iter().any(|there| there.touches(key, bytes)) => None,
            Err(error) if error.is_locked_already() => {
                book.in_part.truncate(MOST_IN_PART - 1);
                book.in_part.insert(0, (key, key + bytes));
                None
            }
            Err(error) => {
                // Of a lost GPU it says nothing about others.
                REFUSED.fetch_or(error.refuses_to_lock(), Ordering::Relaxed);
                None
            }
        }
    }
}

/// Which arguments are page-locked. Where other loops have locked them, this loop joins their registrations, so that the arrays
/// stay locked when those loops end.
pub fn hold_locked(gpu: &Gpu, work: &Work<'_>) -> (Vec<bool>, Vec<Registered>) {
    // All GPUs of a loop come here at once, and would ask the driver in turn.
    if !work.locked.is_empty() && !work.locked.contains(&true) {
        return (vec![false; work.arguments.len()], Vec::new());
    }
    // While the book is open, no other thread locks or unlocks.
    let all = &mut Book::open().registered;
    let mut joined = Vec::new();
    let mut hold = |(position, argument): (usize, &Argument<'_>)| {
        let held = work.locked.get(position) != Some(&false) && is_locked(gpu, argument);
        if let Some((first, map)) = argument.array().filter(|_| held).and_then(|map| Some((map.host_start()?, map))) {
            joined.extend(join(all, first.addr(), map.bytes()));
        }
        held
    };
    (work.arguments.iter().enumerate().map(&mut hold).collect(), joined)
}

/// Memory that copies use until this is dropped.
pub struct Held {
    range: (usize, usize),
}

/// Keeps all locks on this memory, present and future ones, until the returned value is dropped. Drop it after the copies are done.
pub fn hold_range(memory: &[u8]) -> Held {
    let range = (memory.as_ptr().addr(), memory.as_ptr().addr() + memory.len());
    Book::open().in_use.push(range);
    Held { range }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut book = Book::open();
        if let Some(position) = book.in_use.iter().position(|range| *range == self.range) {
            book.in_use.swap_remove(position);
        }
        book.unlock_unused();
    }
}

fn join(all: &mut [Registration], start: usize, bytes: usize) -> Vec<Registered> {
    all.iter_mut().filter(|there| there.touches(start, bytes)).map(Registration::join).collect()
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut book = Book::open();
        let Some(there) = book.registered.iter_mut().find(|there| there.start == self.start) else { return };
        there.users -= 1;
        book.unlock_unused();
    }
}

/// Page-locks the plain arrays of a loop where that is faster than copying them through page-locked memory, by costs measured on
/// this machine.
///
/// A registration ends with the loop: afterwards the owner may free the array, and CUDA would copy from pages that no longer belong
/// to it.
pub fn register_if_faster(gpu: &Arc<Gpu>, work: &Work<'_>, locked: &[bool], lanes: usize) -> Vec<Registered> {
    if !locks_faster(gpu, work.arguments, locked, lanes) {
        return Vec::new();
    }
    let plain = plain(work.arguments, locked).filter_map(|map| Some((map.host_start()?, map.bytes())));
    // SAFETY: the arrays are borrowed for the session, which drops the registrations last.
    let registered =
        joined(plain.collect()).into_iter().map(|(start, bytes)| unsafe { Registered::new(gpu, start, bytes) });
    registered.collect::<Option<Vec<Registered>>>().unwrap_or_default()
}

/// Merges pieces of memory that overlap: CUDA locks no byte twice, and refuses copies across two locks.
fn joined(mut pieces: Vec<(*const u8, usize)>) -> Vec<(*const u8, usize)> {
    pieces.sort_by_key(|(start, _)| start.addr());
    let mut all: Vec<(*const u8, usize)> = Vec::with_capacity(pieces.len());
    for (start, bytes) in pieces {
        match all.last_mut() {
            Some((first, long)) if start.addr() < first.addr() + *long => {
                *long = (*long).max(start.addr() + bytes - first.addr());
            }
            _ => all.push((start, bytes)),
        }
    }
    all
}

/// Page-locks an array of a region for a copy of `copied` bytes of it, where that is faster than copying them with `lanes` threads.
///
/// # Safety
/// As [`Registered::new`].
pub unsafe fn lock_if_faster(gpu: &Arc<Gpu>, array: &[u8], copied: usize, lanes: usize) -> Option<Registered> {
    let costs = copy_costs(gpu).filter(|_| !REFUSED.load(Ordering::Relaxed))?;
    if array.len() as f64 * costs.lock >= copied as f64 * costs.copy / lanes.max(1) as f64 {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe { Registered::new(gpu, array.as_ptr(), array.len()) }
}

/// Set when the system has refused to lock an array (its limit may be low): to try again with each loop would take long.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Whether page-locking the plain arrays of a loop is faster than copying them with this many lanes.
pub fn locks_faster(gpu: &Arc<Gpu>, arguments: &[Argument<'_>], locked: &[bool], lanes: usize) -> bool {
    if REFUSED.load(Ordering::Relaxed) || plain(arguments, locked).any(is_locked_in_part) {
        return false;
    }
    let Some(costs) = copy_costs(gpu) else { return false };
    let (mut lock, mut copy) = (0f64, 0f64);
    for map in plain(arguments, locked) {
        let ways = f64::from(u8::from(map.direction.copies_in())) + f64::from(u8::from(map.direction.copies_out()));
        lock += map.bytes() as f64 * costs.lock;
        copy += map.bytes() as f64 * ways * costs.copy / lanes.max(1) as f64;
    }
    lock < copy
}

/// Whether an array lies in one that could not be locked because others had locked a part of it.
fn is_locked_in_part(map: &ArrayMap<'_>) -> bool {
    let start = map.host_start().map_or(0, |start| start.addr());
    Book::open().in_part.iter().any(|(from, to)| *from <= start && start + map.bytes() <= *to)
}

/// The arrays in host memory that are not page-locked.
fn plain<'a>(arguments: &'a [Argument<'_>], locked: &'a [bool]) -> impl Iterator<Item = &'a ArrayMap<'a>> {
    let maps =
        arguments.iter().zip(locked).filter(|(_, locked)| !**locked).filter_map(|(argument, _)| argument.array());
    maps.filter(|map| map.host_start().is_some() && map.bytes() > 0)
}

/// Seconds per byte.
#[derive(Clone, Copy)]
struct CopyCosts {
    /// To page-lock memory and unlock it again.
    lock: f64,
    /// To copy into page-locked memory with one thread.
    copy: f64,
}

/// Measured once in a process, on 16 MiB; `None` where they cannot be locked. A GPU that fails otherwise says nothing about others.
fn copy_costs(gpu: &Arc<Gpu>) -> Option<CopyCosts> {
    // A lock, so that GPUs do not measure at once.
    static COSTS: Mutex<Option<Option<CopyCosts>>> = Mutex::new(None);
    const BYTES: usize = 16 << 20;
    // The least of several: a thread that was preempted meanwhile would else decide for the whole process.
    const TIMES: usize = 3;
    let mut known = COSTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = *known {
        return known;
    }
    // Not all zeros, which would be pages that do not exist yet.
    let (from, mut to) = (vec![1u8; BYTES], vec![2u8; BYTES]);
    let mut costs = CopyCosts { lock: f64::INFINITY, copy: f64::INFINITY };
    for _ in 0..TIMES {
        let start = Instant::now();
        // SAFETY: `to` lives until it is unregistered, or for good.
        if let Err(error) = unsafe { gpu.register(to.as_mut_ptr(), to.len()) } {
            *known = error.refuses_to_lock().then_some(None);
            return None;
        }
        let lock = start.elapsed();
        let start = Instant::now();
        to.copy_from_slice(&from);
        let copy = start.elapsed();
        let start = Instant::now();
        // SAFETY: registered above; nothing copies from it.
        if !unsafe { gpu.unregister_anyhow(to.as_mut_ptr()) } {
            // Other memory at its addresses would be taken for locked.
            std::mem::forget(to);
            return None;
        }
        let lock = lock + start.elapsed();
        costs.lock = costs.lock.min(lock.as_secs_f64() / BYTES as f64);
        costs.copy = costs.copy.min(copy.as_secs_f64() / BYTES as f64);
    }
    *known = Some(Some(costs));
    Some(costs)
}
