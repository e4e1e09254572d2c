//! The layer: finds it, runs tests with it in child processes, and sets and reads its state.

use libloading::Library;
use std::ffi::{CString, c_char, c_int};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const FILE: &str = "libapportion_standin_opencl.so";
/// Names the file that the backend opens.
const LIBRARY: &str = "OPENCL_DYLIB_PATH";
const CHILD: &str = "APPORTION_TEST_STANDIN_OPENCL";
/// No scene takes a tenth of this.
const LIMIT: Duration = Duration::from_secs(20);

/// Counters that are 0 when nothing is open.
const HELD: [&str; 8] = ["contexts", "queues", "buffers", "programs", "kernels", "events", "parts", "bytes"];

/// OpenCL's codes: of a lost device, of too little memory, and of any other failure.
pub const LOST: i32 = -5;
pub const NO_MEMORY: i32 = -4;
pub const INVALID: i32 = -59;

/// Runs the test of this name (with its module) in a child process whose OpenCL library is the layer.
pub fn alone(name: &str, test: impl FnOnce(&StandIn)) {
    if std::env::var_os(CHILD).is_some() {
        let standin = StandIn::open();
        return match apportion::devices::opencl::discover() {
            Ok(_) => {
                assert!(standin.count("calls:clGetPlatformIDs") > 0, "another library is in the way");
                test(&standin);
            }
            Err(why) if std::env::var("APPORTION_REQUIRE_OPENCL").is_ok_and(|v| v == "1") => panic!("{why}"),
            Err(why) => println!("skipped: {why}"),
        };
    }
    let executable = std::env::current_exe().unwrap();
    let folders = executable.ancestors().skip(1).take(2);
    let file: PathBuf = folders.map(|folder| folder.join(FILE)).find(|file| file.is_file()).expect("it is built");
    let (_, name) = name.split_once("::").unwrap();
    let child = Command::new(&executable)
        .args(["--exact", "--nocapture", name])
        .env(CHILD, "1")
        .env(LIBRARY, &file)
        .envs(std::env::var_os(LIBRARY).map(|under| ("APPORTION_STANDIN_OPENCL_UNDER", under)))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    println!("{text}");
    assert!(child.status.success() && text.contains("1 passed"), "{}", child.status);
}

/// What is watched, and since when.
static WATCHED: Mutex<Option<(Instant, String)>> = Mutex::new(None);

/// Ends the process if this takes far too long, until the next call.
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

/// The control functions.
pub struct StandIn(Library);

impl StandIn {
    fn open() -> Self {
        let file = std::env::var_os(LIBRARY).expect("the parent sets it");
        // SAFETY: to open it runs none of its code.
        Self(unsafe { Library::new(file) }.expect("the layer opens"))
    }

    /// Forgets failures to come, and that the device is lost.
    pub fn reset(&self) {
        // SAFETY: the type is that of the layer.
        unsafe { self.0.get::<unsafe extern "C" fn()>(b"standin_reset").unwrap()() }
    }

    /// Whether commands are held back until somebody waits.
    pub fn hold(&self, hold: bool) {
        // SAFETY: the type is that of the layer.
        unsafe { self.0.get::<unsafe extern "C" fn(c_int)>(b"standin_hold").unwrap()(hold.into()) }
    }

    fn fail_by(&self, function: &[u8], name: &str, nth: u64, code: i32) {
        let name = CString::new(name).unwrap();
        // SAFETY: the type is that of the layer; the name stays for the call.
        unsafe {
            self.0.get::<unsafe extern "C" fn(*const c_char, u64, c_int)>(function).unwrap()(name.as_ptr(), nth, code);
        }
    }

    /// Makes the n-th next call of an entry point fail, once.
    pub fn fail(&self, entry_point: &str, nth: u64, code: i32) {
        self.fail_by(b"standin_fail", entry_point, nth, code);
    }

    /// Makes the n-th next command of an entry point fail when it runs; by [`LOST`] the device is then lost.
    pub fn fail_when_run(&self, entry_point: &str, nth: u64, code: i32) {
        self.fail_by(b"standin_fail_when_run", entry_point, nth, code);
    }

    /// One of the layer's counters.
    pub fn count(&self, what: &str) -> u64 {
        let name = CString::new(what).unwrap();
        // SAFETY: the type is that of the layer; the name stays for the call.
        let count = unsafe {
            self.0.get::<unsafe extern "C" fn(*const c_char) -> i64>(b"standin_count").unwrap()(name.as_ptr())
        };
        count.try_into().unwrap_or_else(|_| panic!("{what}: {count}"))
    }

    /// What is held although all devices are dropped.
    pub fn left(&self) -> Vec<String> {
        let held = HELD.map(|what| (what, self.count(what))).into_iter().filter(|(_, count)| *count > 0);
        held.map(|(what, count)| format!("{count} {what} are left")).collect()
    }
}
