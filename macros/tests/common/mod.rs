//! Runtimes to test kernels on: the host, emulated devices that get copies of their sections alone, and real OpenCL and CUDA
//! devices if there are any.

use apportion::kernel::Bound;
use apportion::kernel::generated::as_on_gpus;
use apportion::prelude::*;
use apportion::region::Arrangement;

fn figures(g: f64) -> String {
    format!(
        r#""f32_gflop_per_s": {{"value": {g}, "source": "assumed"}}, "f64_gflop_per_s": {{"value": {g}, "source": "assumed"}},
           "memory_gb_per_s": {{"value": 50, "source": "assumed"}}, "launch_us": {{"value": 1, "source": "assumed"}}"#
    )
}

const DISCRETE: &str = r#""memory": "discrete", "memory_gib": {"value": 1, "source": "assumed"},
    "link": {"to": {"latency_us": {"value": 1, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 10, "source": "assumed"}},
             "from": {"latency_us": {"value": 1, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 10, "source": "assumed"}}}"#;
const SHARED: &str = r#""memory": "shared""#;

fn runtime(devices: &[String]) -> Result<Runtime> {
    let list: Vec<_> = devices.iter().enumerate().map(|(id, d)| format!(r#"{{"id": {id}, {d}}}"#)).collect();
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, list.join(", "));
    Runtime::from_machine(apportion::model::Machine::from_json(&text)?)
}

fn host() -> String {
    format!(
        r#""name": "host", "kind": "host", "type": "HOSTCPU", "host": {{"leave_free": 0}}, {SHARED}, {}"#,
        figures(20.0)
    )
}

fn opencl(memory: &str) -> String {
    format!(
        r#""name": "pocl", "kind": "opencl", "type": "OCLCPU", "opencl": {{"platform": "portable"}}, {memory}, {}"#,
        figures(15.0)
    )
}

/// The host and an OpenCL device in one runtime, if there is one.
pub fn together() -> Option<(&'static str, Runtime)> {
    Some(("host and opencl", runtime(&[host(), opencl(DISCRETE)]).ok()?))
}

/// Each runtime with its name. OpenCL is left out where it is missing, unless `APPORTION_REQUIRE_OPENCL` is 1.
pub fn runtimes() -> Vec<(&'static str, Runtime)> {
    let emulated = |name: &str, g: f64| {
        format!(r#""name": "{name}", "kind": "emulated", "type": "NVGPU", {DISCRETE}, {}"#, figures(g))
    };
    let mut list = vec![
        ("host", runtime(&[host()]).unwrap()),
        ("emulated", runtime(&[emulated("a", 50.0), emulated("b", 20.0)]).unwrap()),
    ];
    for (name, memory) in [("opencl with copies", DISCRETE), ("opencl in host memory", SHARED)] {
        match runtime(&[opencl(memory)]) {
            Ok(rt) => list.push((name, rt)),
            Err(error) if std::env::var("APPORTION_REQUIRE_OPENCL").is_ok_and(|v| v == "1") => panic!("{error}"),
            Err(error) => println!("skipped: {name}: {error}"),
        }
    }
    let cuda = format!(
        r#""name": "cuda", "kind": "cuda", "type": "NVGPU", "cuda": {{"index": 0}}, {DISCRETE}, {}"#,
        figures(1000.0)
    );
    match runtime(&[cuda]) {
        Ok(rt) => list.push(("cuda", rt)),
        Err(error) if std::env::var("APPORTION_REQUIRE_CUDA").is_ok_and(|v| v == "1") => panic!("{error}"),
        Err(error) => println!("skipped: cuda: {error}"),
    }
    list
}

/// Runs a test on devices in a grid: the host, emulated devices, and OpenCL and CUDA if there are any.
pub fn grids(mut test: impl FnMut(&Runtime, Arrangement, &str)) {
    for (name, rt) in runtimes() {
        match name {
            // Devices in the host's memory can only stand in a row.
            "opencl in host memory" => {}
            "emulated" => [Arrangement::Grid(1, 2), Arrangement::Grid(2, 1), Arrangement::Row]
                .into_iter()
                .for_each(|arrangement| test(&rt, arrangement, name)),
            _ => test(&rt, Arrangement::Square, name),
        }
    }
}

/// Runs a test on every runtime under two policies.
pub fn everywhere(mut test: impl FnMut(&Runtime, Policy, &str)) {
    for (name, rt) in runtimes() {
        for policy in ["BLOCK", "SCHED_DYNAMIC:13"] {
            test(&rt, policy.parse().unwrap(), &format!("{name}, {policy}"));
        }
    }
}

/// As [`everywhere`], and on OpenCL devices also with the text for GPUs.
pub fn each_way(mut test: impl FnMut(&Runtime, Policy, &dyn Fn(Bound<'_>) -> Bound<'_>, &str)) {
    everywhere(|rt, policy, what| {
        test(rt, policy.clone(), &|bound| bound, what);
        if what.starts_with("opencl") {
            test(rt, policy, &as_on_gpus, &format!("{what}, as on GPUs"));
        }
    });
}

/// A function that changes the lifetimes of what is bound would not be one for all of them.
pub fn run(rt: &Runtime, n: Range<usize>, policy: &Policy, bound: Bound<'_>) {
    rt.parallel_for(n, bound).policy(policy.clone()).poison(true).run().unwrap();
}

/// Random numbers from -1 to 1, exact in f32.
pub fn numbers(n: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

/// Checks equality to within `tolerance` times the larger of 1 and the expected value.
#[track_caller]
pub fn close<T: Copy + Into<f64>>(got: &[T], expected: &[T], tolerance: f64, what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (i, (&got, &expected)) in got.iter().zip(expected).enumerate() {
        let (got, expected): (f64, f64) = (got.into(), expected.into());
        let same = got == expected || got.is_nan() && expected.is_nan();
        let near = (got - expected).abs() <= tolerance * expected.abs().max(1.0);
        assert!(same || near, "{what}: element {i} is {got}, not {expected}");
    }
}

/// The functions unchanged in a module `plain`, and as kernels.
#[macro_export]
macro_rules! both {
    ($($item:item)*) => {
        $(#[apportion::kernel] $item)*
        #[allow(dead_code, clippy::all)]
        pub mod plain { $($item)* }
    };
}

/// As [`both`], for functions of which each device has some arrays whole.
#[macro_export]
macro_rules! both_with_full {
    ($(full($($array:ident),*) $item:item)*) => {
        $(#[apportion::kernel] #[map($($array: full),*)] $item)*
        #[allow(dead_code, clippy::all)]
        pub mod plain { $($item)* }
    };
}

/// As [`both`], for functions that contribute to `z` and `q`.
#[macro_export]
macro_rules! both_with_whole {
    ($($item:item)*) => {
        $(#[apportion::kernel] #[map(q: reduce(Sum), z: reduce(Max))] $item)*
        #[allow(dead_code, clippy::all)]
        pub mod plain { $($item)* }
    };
}

/// A kernel's function as a pointer that takes slices; the function itself also takes other arrays.
#[macro_export]
macro_rules! of_slices {
    ($function:ident) => {
        |n, a, b, k, x, d, v, w, y, z, e, q| $function(n, a, b, k, x, d, v, w, y, z, e, q)
    };
}

/// The arrays that a random program writes.
#[derive(Clone, Default)]
pub struct Results {
    pub y: Vec<f32>,
    pub z: Vec<i32>,
    pub e: Vec<f64>,
    pub q: Vec<u64>,
}

/// Compares a file of random programs with the generator's text, or writes it if `UPDATE_PROGRAMS` is set.
pub fn check_programs(file: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/programs").join(file);
    if std::env::var_os("UPDATE_PROGRAMS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == text, "{} is not what generate.rs makes", path.display());
}
