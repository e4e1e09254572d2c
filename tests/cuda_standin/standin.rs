//! The stand-in: finds it, runs tests with it in child processes, and sets and reads its state.

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::ffi::{CString, c_char, c_int};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const FILE: &str = "libapportion_standin_cuda.so";
/// Names the file that the backend opens as the driver.
const DRIVER: &str = "APPORTION_LIBCUDA";
const CHILD: &str = "APPORTION_TEST_STANDIN";
/// No test here takes a tenth of this.
const LIMIT: Duration = Duration::from_secs(60);

/// GPUs of the stand-in.
pub const GPUS: usize = 4;
/// Counters that are 0 when nothing is open.
pub const HELD: [&str; 9] =
    ["contexts", "allocations", "page_locked", "registered", "streams", "events", "modules", "pending", "leaked"];

/// The driver's error codes.
pub const OUT_OF_MEMORY: i32 = 2;
pub const ILLEGAL_ADDRESS: i32 = 700;
pub const NOT_SUPPORTED: i32 = 801;
pub const UNKNOWN: i32 = 999;

/// A driver older than the stand-in normally is.
pub struct Older {
    /// As `cuDriverGetVersion` reports it.
    pub version: &'static str,
    /// Entry points that it does not have.
    pub lacks: &'static [&'static str],
}

/// Runs the test of this name (with its module) in a child process whose driver is the stand-in.
pub fn alone(name: &str, test: impl FnOnce(&StandIn)) {
    in_a_child(name, None, |standin| {
        standin.fresh();
        // Checks that the backend calls the stand-in.
        let before = standin.count("calls:cuDeviceGetCount");
        let found = apportion::devices::cuda::discover();
        if standin.count("calls:cuDeviceGetCount") == before {
            return println!("skipped: another libcuda is in the way: {found:?}");
        }
        assert_eq!(found.expect("the stand-in starts").len(), GPUS);
        test(standin);
    });
}

/// As [`alone`], with an older driver that has not been used yet.
pub fn alone_with(driver: &Older, name: &str, test: impl FnOnce(&StandIn)) {
    in_a_child(name, Some(driver), test);
}

fn in_a_child(name: &str, driver: Option<&Older>, test: impl FnOnce(&StandIn)) {
    if std::env::var_os(CHILD).is_some() {
        return test(&StandIn::open());
    }
    let executable = std::env::current_exe().unwrap();
    let folders = executable.ancestors().skip(1).take(2);
    let mut file: PathBuf = folders.map(|folder| folder.join(FILE)).find(|file| file.is_file()).expect("it is built");
    // Under the driver's names, in a folder that is searched before the system's.
    let folder = tempfile::tempdir().unwrap();
    if let Some(driver) = driver {
        let older = folder.path().join("older.so");
        let entry_points = driver.lacks;
        std::fs::write(&older, entry_points.iter().fold(std::fs::read(file).unwrap(), without)).unwrap();
        file = older;
    }
    for link in ["libcuda.so", "libcuda.so.1"] {
        std::os::unix::fs::symlink(&file, folder.path().join(link)).unwrap();
    }
    let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let path = std::iter::once(folder.path().to_owned()).chain(std::env::split_paths(&before));
    let (_, name) = name.split_once("::").unwrap();
    let child = Command::new(executable)
        .args(["--exact", "--nocapture", name])
        .env(CHILD, "1")
        .env(DRIVER, &file)
        .env("APPORTION_STANDIN_DEVICES", GPUS.to_string())
        .envs(driver.map(|driver| ("APPORTION_STANDIN_VERSION", driver.version)))
        .env("LD_LIBRARY_PATH", std::env::join_paths(path).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    println!("{text}");
    assert!(child.status.success() && text.contains("1 passed"), "{}", child.status);
}

/// A copy of the library in which an entry point is renamed, so that it is not found.
fn without(mut library: Vec<u8>, entry_point: &&str) -> Vec<u8> {
    let name = format!("\0{entry_point}\0");
    let places: Vec<usize> =
        (0..library.len() - name.len()).filter(|&at| library[at..].starts_with(name.as_bytes())).collect();
    assert!(!places.is_empty(), "the stand-in has no {entry_point}");
    places.into_iter().for_each(|at| library[at + 1] = b'x');
    library
}

/// The control functions.
pub struct StandIn(Library);

impl StandIn {
    fn open() -> Self {
        let file = std::env::var_os(DRIVER).expect("the parent sets it");
        // SAFETY: to open it runs none of its code.
        Self(unsafe { Library::open(Some(file), RTLD_NOW | RTLD_GLOBAL) }.expect("the stand-in opens"))
    }

    /// A function of the library.
    ///
    /// # Safety
    /// `F` is its type.
    pub unsafe fn function<F: Copy>(&self, name: &str) -> F {
        // SAFETY: the caller's promise.
        *unsafe { self.0.get::<F>(name.as_bytes()) }.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Resets the stand-in to a new process's state, but started. Nothing may be open.
    pub fn fresh(&self) {
        // SAFETY: the types are those of the stand-in and of `cuda.h`; the backend starts the driver only once.
        unsafe {
            self.function::<unsafe extern "C" fn()>("standin_reset")();
            assert_eq!(self.function::<unsafe extern "C" fn(u32) -> c_int>("cuInit")(0), 0);
        }
    }

    /// Sets the order among streams: its seed, and the percentage of steps that run what no wait needs.
    pub fn order(&self, seed: u64, ahead: u32) {
        // SAFETY: the types are those of the stand-in.
        unsafe {
            self.function::<unsafe extern "C" fn(u64)>("standin_set_seed")(seed);
            self.function::<unsafe extern "C" fn(u32)>("standin_set_ahead")(ahead);
        }
    }

    /// Sets the bytes of each GPU's memory.
    pub fn memory(&self, bytes: u64) {
        // SAFETY: the type is that of the stand-in.
        unsafe { self.function::<unsafe extern "C" fn(u64)>("standin_set_memory")(bytes) }
    }

    /// Page-locks memory while `during` runs, as another part of the program would.
    pub fn page_locked<R>(&self, bytes: &mut [u8], during: impl FnOnce() -> R) -> R {
        type Context = *mut std::ffi::c_void;
        let start = bytes.as_mut_ptr();
        let mut context: Context = std::ptr::null_mut();
        // SAFETY: the types are those of `cuda.h`; the memory stays borrowed until it is unlocked below.
        unsafe {
            let retain =
                self.function::<unsafe extern "C" fn(*mut Context, c_int) -> c_int>("cuDevicePrimaryCtxRetain");
            assert_eq!(retain(&raw mut context, 0), 0);
            let set = self.function::<unsafe extern "C" fn(Context) -> c_int>("cuCtxSetCurrent");
            assert_eq!(set(context), 0);
            let lock = self.function::<unsafe extern "C" fn(*mut u8, usize, u32) -> c_int>("cuMemHostRegister_v2");
            assert_eq!(lock(start, bytes.len(), 1), 0);
        }
        let done = during();
        // SAFETY: as above.
        unsafe {
            self.function::<unsafe extern "C" fn(Context) -> c_int>("cuCtxSetCurrent")(context);
            assert_eq!(self.function::<unsafe extern "C" fn(*mut u8) -> c_int>("cuMemHostUnregister")(start), 0);
            self.function::<unsafe extern "C" fn(c_int) -> c_int>("cuDevicePrimaryCtxRelease_v2")(0);
        }
        done
    }

    /// Sets whether a GPU can reach another's memory.
    pub fn peer(&self, gpu: usize, other: usize, can: bool) {
        // SAFETY: the type is that of the stand-in.
        let set = unsafe { self.function::<unsafe extern "C" fn(c_int, c_int, c_int)>("standin_set_peer_access") };
        // SAFETY: as above.
        unsafe { set(gpu as c_int, other as c_int, can.into()) }
    }

    fn fail_by(&self, function: &str, name: &str, nth: u64, code: i32) {
        let name = CString::new(name).unwrap();
        // SAFETY: the types are those of the stand-in; the name stays for the call.
        unsafe { self.function::<unsafe extern "C" fn(*const c_char, u64, c_int)>(function)(name.as_ptr(), nth, code) }
    }

    /// Makes the n-th next call of an entry point fail, once.
    pub fn fail(&self, entry_point: &str, nth: u64, code: i32) {
        self.fail_by("standin_fail", entry_point, nth, code);
    }

    /// Makes the n-th next operation of a kind fail when it runs; its GPU is then lost.
    pub fn fail_when_run(&self, kind: &str, nth: u64, code: i32) {
        self.fail_by("standin_fail_when_run", kind, nth, code);
    }

    /// One of the stand-in's counters.
    pub fn count(&self, what: &str) -> u64 {
        let name = CString::new(what).unwrap();
        // SAFETY: the type is that of the stand-in; the name stays for the call.
        let count =
            unsafe { self.function::<unsafe extern "C" fn(*const c_char) -> i64>("standin_count")(name.as_ptr()) };
        count.try_into().unwrap_or_else(|_| panic!("no count `{what}`"))
    }

    pub fn counts(&self) -> [u64; 9] {
        HELD.map(|what| self.count(what))
    }

    /// Checks that nothing is held once all devices and arrays are dropped.
    pub fn nothing_is_left(&self, after: &str) {
        for (what, count) in HELD.into_iter().zip(self.counts()) {
            assert_eq!(count, 0, "{what} are left after {after}");
        }
    }

    pub fn clear_log(&self) {
        // SAFETY: the type is that of the stand-in.
        unsafe { self.function::<unsafe extern "C" fn()>("standin_log_clear")() }
    }

    /// The operations that ran, in the order in which they ran.
    pub fn log(&self) -> Vec<Ran> {
        // SAFETY: the type is that of the stand-in.
        let log = unsafe { self.function::<unsafe extern "C" fn(*mut c_char, usize) -> usize>("standin_log") };
        // SAFETY: no room is said to be there.
        let bytes = unsafe { log(std::ptr::null_mut(), 0) } + 1;
        let mut text = vec![0u8; bytes];
        // SAFETY: there is room for as much as is said.
        unsafe { log(text.as_mut_ptr().cast(), bytes) };
        text.truncate(bytes - 1);
        String::from_utf8(text).unwrap().lines().map(Ran::from).collect()
    }
}

/// An operation that ran.
#[derive(Clone, Debug)]
pub struct Ran {
    pub enqueued: u64,
    pub ran: u64,
    pub device: u64,
    pub stream: u64,
    pub kind: String,
    pub bytes: u64,
}

impl From<&str> for Ran {
    fn from(line: &str) -> Self {
        let field = |name: &str| {
            let value = line.split(' ').find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
            value.unwrap_or_else(|| panic!("no {name} in {line}"))
        };
        let number = |name: &str| field(name).parse().unwrap();
        Self {
            enqueued: number("enqueued"),
            ran: number("ran"),
            device: number("device"),
            stream: number("stream"),
            kind: field("kind").to_owned(),
            bytes: number("bytes"),
        }
    }
}

static WATCHED: Mutex<Option<(Instant, String)>> = Mutex::new(None);

/// Ends the process and names the current step if it takes too long, as a hanging loop would hang the tests.
pub fn watch(what: String) {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_millis(200));
                if let Some((since, what)) = &*WATCHED.lock().unwrap()
                    && since.elapsed() > LIMIT
                {
                    eprintln!("hangs: {what}");
                    std::process::abort();
                }
            }
        });
    });
    *WATCHED.lock().unwrap() = Some((Instant::now(), what));
}
