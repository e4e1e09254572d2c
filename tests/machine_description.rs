//! Machine descriptions: reading gives what was written, and each mistake is reported with its key.

use apportion::Error;
use apportion::model::machine::*;
use apportion::units::{Bytes, BytesPerSecond, Seconds};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

fn figure(value: f64) -> Value {
    json!({"value": value, "source": "measured"})
}

/// A host, a GPU and an emulated device, each with every section that it can have.
fn whole() -> Value {
    let rates = |id: usize, name: &str, kind: &str, device_type: &str, memory: &str| {
        json!({
            "id": id, "name": name, "kind": kind, "type": device_type, "memory": memory,
            "f32_gflop_per_s": figure(100.0), "f64_gflop_per_s": figure(50.0), "memory_gb_per_s": figure(40.0),
            "launch_us": figure(5.0)
        })
    };
    let link = json!({
        "to": {"latency_us": figure(10.0), "bandwidth_gb_per_s": figure(8.2), "alone_gb_per_s": figure(9.0)},
        "from": {"latency_us": figure(11.0), "bandwidth_gb_per_s": figure(11.5), "plain_gb_per_s": figure(5.0)}
    });
    let with = |mut device: Value, more: Value| {
        let Value::Object(more) = more else { unreachable!() };
        device.as_object_mut().unwrap().extend(more);
        device
    };
    json!({
        "schema": "apportion.machine/1", "name": "test", "created": "2026-01-31T12:00:00Z", "note": "for tests",
        "host_memory_gb_per_s": figure(60.0),
        "devices": [
            with(rates(0, "host", "host", "HOSTCPU", "shared"), json!({
                "u8_gop_per_s": figure(90.0),
                "read_gb_per_s": figure(55.0), "copy_gb_per_s": figure(40.0), "crowded_gb_per_s": figure(30.0), "wake_us": figure(30.0),
                "host": {"cpus": "0-3", "leave_free": 1}
            })),
            with(rates(1, "gpu", "cuda", "NVGPU", "discrete"), json!({
                "memory_gib": figure(12.0), "alloc_us": figure(3.0), "alloc_s_per_gb": figure(0.6), "link": link,
                "half_rate_us": figure(2.0), "library_half_rate_us": figure(7.0), "wake_alone_us": figure(25.0),
                "library_wake_us": figure(80.0), "issue_us": figure(9.0), "sync_us": figure(4.0),
                "cuda": {"index": 0}
            })),
            with(rates(2, "toy", "emulated", "THSIM", "discrete"), json!({
                "memory_gib": figure(1.0), "link": link,
                "emulated": {"time_scale": 2.0, "fault": {"phase": "kernel", "chunk": 2}}
            })),
            with(rates(3, "pocl", "opencl", "OCLCPU", "shared"), json!({
                "enabled": false, "why_disabled": "the same cores as the host",
                "opencl": {"platform": "Portable", "device": "cpu", "index": 0, "compute_units": 2, "skip_compute_units": 2}
            }))
        ],
        "groups": [{"name": "switch", "devices": [1, 2], "to_gb_per_s": figure(12.0), "both_gb_per_s": figure(14.0)}],
        "peers": [
            {"from": 1, "to": 2, "access": "copy", "latency_us": figure(9.0), "bandwidth_gb_per_s": figure(10.0)},
            {"from": 2, "to": 1, "access": "none"}
        ]
    })
}

fn refused(text: &str) -> (String, String) {
    match Machine::from_json(text) {
        Err(Error::Machine(error)) => (error.key.clone(), error.to_string()),
        Err(other) => panic!("another kind of error: {other}"),
        Ok(_) => panic!("accepted: {text}"),
    }
}

/// The whole description with the value at a JSON pointer replaced; `Value::Null` removes it.
fn changed(pointer: &str, value: Value) -> String {
    let mut document = whole();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}"));
    match (parent, value) {
        (Value::Object(object), Value::Null) => drop(object.remove(key).unwrap_or_else(|| panic!("{pointer}"))),
        (Value::Object(object), value) => drop(object.insert(key.to_owned(), value)),
        (Value::Array(list), value) => list[key.parse::<usize>().unwrap()] = value,
        _ => panic!("{pointer}"),
    }
    document.to_string()
}

#[test]
fn a_whole_description_is_read_and_becomes_a_model() {
    let machine = Machine::from_json(&whole().to_string()).unwrap();
    assert_eq!(
        machine.enabled_devices().map(|device| device.name.as_str()).collect::<Vec<_>>(),
        ["host", "gpu", "toy"]
    );
    let host = machine.devices[0].model();
    assert_eq!((host.link, host.memory_bytes, host.alloc), (None, None, Seconds::ZERO));
    assert!((host.u8_rate.unwrap().gflop_per_s() - 90.0).abs() < 1e-9);
    assert_eq!((host.read_rate, host.copy_rate), (Some(BytesPerSecond(55e9)), Some(BytesPerSecond(40e9))));
    assert!((host.wake.micros() - 30.0).abs() < 1e-9);
    let gpu = machine.devices[1].model();
    assert_eq!((gpu.u8_rate, gpu.read_rate, gpu.copy_rate, gpu.wake), (None, None, None, Seconds::ZERO));
    assert!((gpu.wake_alone.micros() - 25.0).abs() < 1e-9 && (gpu.library_wake.micros() - 80.0).abs() < 1e-9);
    assert_eq!(gpu.memory_bytes, Some(Bytes(12 << 30)));
    assert_eq!((gpu.device_type.as_str(), gpu.memory), ("NVGPU", MemoryKind::Discrete));
    assert!((gpu.f32_rate.gflop_per_s() - 100.0).abs() < 1e-9 && (gpu.f64_rate.gflop_per_s() - 50.0).abs() < 1e-9);
    assert!((gpu.launch.micros() - 5.0).abs() < 1e-9 && (gpu.alloc.micros() - 3.0).abs() < 1e-9);
    assert!((gpu.alloc_per_byte.0 - 0.6e-9).abs() < 1e-18);
    let link = gpu.link.unwrap();
    assert!((link.to_rate.gb_per_s() - 8.2).abs() < 1e-9 && (link.from_rate.gb_per_s() - 11.5).abs() < 1e-9);
    assert!((link.to_latency.micros() - 10.0).abs() < 1e-9 && (link.from_latency.micros() - 11.0).abs() < 1e-9);
}

#[test]
fn each_missing_figure_is_refused_by_its_key() {
    for (pointer, key) in [
        ("/devices/0/f32_gflop_per_s", "devices[0].f32_gflop_per_s"),
        ("/devices/0/f64_gflop_per_s", "devices[0].f64_gflop_per_s"),
        ("/devices/0/memory_gb_per_s", "devices[0].memory_gb_per_s"),
        ("/devices/0/launch_us", "devices[0].launch_us"),
        ("/devices/1/memory_gib", "devices[1].memory_gib"),
        ("/devices/1/link", "devices[1].link"),
        ("/devices/1/link/to", "devices[1].link.to"),
        ("/devices/1/link/to/latency_us", "devices[1].link.to.latency_us"),
        ("/devices/1/link/to/bandwidth_gb_per_s", "devices[1].link.to.bandwidth_gb_per_s"),
        ("/devices/1/link/from/latency_us", "devices[1].link.from.latency_us"),
        ("/devices/1/link/from/bandwidth_gb_per_s", "devices[1].link.from.bandwidth_gb_per_s"),
        ("/devices/1/link/to/bandwidth_gb_per_s/value", "devices[1].link.to.bandwidth_gb_per_s.value"),
        ("/devices/1/link/to/bandwidth_gb_per_s/source", "devices[1].link.to.bandwidth_gb_per_s.source"),
        ("/peers/0/latency_us", "peers[0].latency_us"),
        ("/peers/0/bandwidth_gb_per_s", "peers[0].bandwidth_gb_per_s"),
        ("/groups/0/devices", "groups[0].devices"),
        ("/devices/0/id", "devices[0].id"),
        ("/devices/0/kind", "devices[0].kind"),
        ("/devices/0/type", "devices[0].type"),
        ("/devices/0/memory", "devices[0].memory"),
        ("/devices", "devices"),
        ("/name", "name"),
        ("/schema", "schema"),
    ] {
        let (found, message) = refused(&changed(pointer, Value::Null));
        assert_eq!(found, key, "{message}");
        assert!(message.contains("is missing"), "{message}");
    }
}

#[test]
fn every_figure_must_be_in_its_range() {
    let rates = [
        ("/host_memory_gb_per_s", "host_memory_gb_per_s"),
        ("/devices/0/f32_gflop_per_s", "devices[0].f32_gflop_per_s"),
        ("/devices/0/f64_gflop_per_s", "devices[0].f64_gflop_per_s"),
        ("/devices/0/u8_gop_per_s", "devices[0].u8_gop_per_s"),
        ("/devices/0/memory_gb_per_s", "devices[0].memory_gb_per_s"),
        ("/devices/0/read_gb_per_s", "devices[0].read_gb_per_s"),
        ("/devices/0/copy_gb_per_s", "devices[0].copy_gb_per_s"),
        ("/devices/0/crowded_gb_per_s", "devices[0].crowded_gb_per_s"),
        ("/devices/1/memory_gib", "devices[1].memory_gib"),
        ("/devices/1/link/to/bandwidth_gb_per_s", "devices[1].link.to.bandwidth_gb_per_s"),
        ("/devices/1/link/from/bandwidth_gb_per_s", "devices[1].link.from.bandwidth_gb_per_s"),
        ("/devices/1/link/to/alone_gb_per_s", "devices[1].link.to.alone_gb_per_s"),
        ("/devices/1/link/from/plain_gb_per_s", "devices[1].link.from.plain_gb_per_s"),
        ("/groups/0/to_gb_per_s", "groups[0].to_gb_per_s"),
        ("/groups/0/both_gb_per_s", "groups[0].both_gb_per_s"),
        ("/peers/0/bandwidth_gb_per_s", "peers[0].bandwidth_gb_per_s"),
    ];
    let times = [
        ("/devices/0/launch_us", "devices[0].launch_us"),
        ("/devices/0/wake_us", "devices[0].wake_us"),
        ("/devices/1/wake_alone_us", "devices[1].wake_alone_us"),
        ("/devices/1/library_wake_us", "devices[1].library_wake_us"),
        ("/devices/1/half_rate_us", "devices[1].half_rate_us"),
        ("/devices/1/library_half_rate_us", "devices[1].library_half_rate_us"),
        ("/devices/1/issue_us", "devices[1].issue_us"),
        ("/devices/1/sync_us", "devices[1].sync_us"),
        ("/devices/1/alloc_us", "devices[1].alloc_us"),
        ("/devices/1/alloc_s_per_gb", "devices[1].alloc_s_per_gb"),
        ("/devices/1/link/to/latency_us", "devices[1].link.to.latency_us"),
        ("/devices/1/link/from/latency_us", "devices[1].link.from.latency_us"),
        ("/peers/0/latency_us", "peers[0].latency_us"),
    ];
    for (pointer, key) in rates.into_iter().chain(times) {
        let (found, message) = refused(&changed(pointer, figure(-1.0)));
        assert_eq!(found, format!("{key}.value"), "{message}");
        assert!(message.contains("is -1") && message.contains("(in "), "the unit is told: {message}");
    }
    for (pointer, key) in rates {
        let (found, message) = refused(&changed(pointer, figure(0.0)));
        assert_eq!(found, format!("{key}.value"), "{message}");
    }
    for (pointer, _) in times {
        Machine::from_json(&changed(pointer, figure(0.0))).unwrap();
    }
}

#[test]
fn contradictions_are_said_with_their_key() {
    for (pointer, value, key, words) in [
        (
            "/schema",
            json!("apportion.machine/7"),
            "schema",
            "this file says apportion.machine/7, this program reads apportion.machine/1",
        ),
        ("/schema", json!(1), "schema", "this file says 1"),
        ("/name", json!(" "), "name", "is empty"),
        ("/name", json!("a\nb"), "name", "control characters"),
        ("/created", json!("yesterday"), "created", "2026-01-31T12:00:00Z"),
        ("/created", json!("2026-13-31T12:00:00Z"), "created", "RFC 3339"),
        ("/created", json!("２026-01-31T12:00:00Z"), "created", "RFC 3339"),
        ("/devices", json!([]), "devices", "at least one device"),
        ("/devices", json!({}), "devices", "expected a list"),
        ("/devices/0", json!(3), "devices[0]", "expected an object: a device"),
        ("/devices/0/id", json!(1), "devices[0].id", "it must be 0"),
        ("/devices/0/id", json!(-1), "devices[0].id", "-1"),
        ("/devices/1/name", json!("host"), "devices[1].name", "also the name of devices[0]"),
        ("/devices/0/kind", json!("gpu"), "devices[0].kind", "expected one of `host`, `opencl`, `cuda`, `emulated`"),
        ("/devices/0/type", json!("CPU"), "devices[0].type", "`HOSTCPU`"),
        ("/devices/0/type", json!("NVGPU"), "devices[0].type", "NVGPU does not fit \"kind\": \"host\"; use HOSTCPU"),
        ("/devices/1/type", json!("ITLMIC"), "devices[1].type", "use NVGPU"),
        ("/devices/0/memory", json!("unified"), "devices[0].memory", "expected `shared` or `discrete`"),
        ("/devices/1/memory", json!("shared"), "devices[1].link", "does not fit \"memory\": \"shared\""),
        ("/devices/0/memory", json!("discrete"), "devices[0].link", "is missing"),
        ("/devices/0/memory_gib", figure(8.0), "devices[0].memory_gib", "does not fit \"memory\": \"shared\""),
        ("/devices/1/memory_gib", figure(1e30), "devices[1].memory_gib.value", "the unit is GiB"),
        (
            "/devices/0/f32_gflop_per_s",
            json!(100.0),
            "devices[0].f32_gflop_per_s",
            r#"expected a figure such as {"value""#,
        ),
        ("/devices/0/f32_gflop_per_s/value", json!("8"), "devices[0].f32_gflop_per_s.value", "expected a number"),
        ("/devices/0/f32_gflop_per_s/source", json!("guessed"), "devices[0].f32_gflop_per_s.source", "`assumed`"),
        ("/devices/0/f32_gflops", figure(1.0), "devices[0].f32_gflops", "unknown field `f32_gflops`"),
        ("/devices/1/link/to/latency_ms", figure(1.0), "devices[1].link.to.latency_ms", "expected one of `latency_us`"),
        ("/colour", json!("red"), "colour", "unknown field"),
        ("/devices/0/emulated", json!({}), "devices[0].emulated", "does not fit \"kind\": \"host\""),
        ("/devices/1/host", json!({}), "devices[1].host", "does not fit \"kind\": \"cuda\""),
        ("/devices/2/cuda", json!({"index": 0}), "devices[2].cuda", "does not fit \"kind\": \"emulated\""),
        ("/devices/2/opencl", json!({}), "devices[2].opencl", "does not fit"),
        ("/devices/0/host/cpus", json!("0-"), "devices[0].host.cpus", "write it such as `0-3,8`"),
        ("/devices/0/host/cpus", json!(""), "devices[0].host.cpus", "is empty"),
        ("/devices/0/host/cpus", json!("0-99999999999"), "devices[0].host.cpus", "above 65535"),
        ("/devices/0/host/leave_free", json!(4), "devices[0].host.leave_free", "leaves 4 of 4 CPUs free"),
        ("/devices/0/host/threads", figure(2.5), "devices[0].host.threads.value", "a whole number from 1"),
        ("/devices/0/host/threads", figure(0.0), "devices[0].host.threads.value", "is 0"),
        ("/devices/1/cuda", Value::Null, "devices[1].cuda", "is missing"),
        ("/devices/1/cuda", json!({}), "devices[1].cuda", "give \"index\" or \"uuid\""),
        ("/devices/1/cuda/uuid", json!("GPU-1"), "devices[1].cuda.uuid", "keep one"),
        ("/devices/1/cuda", json!({"uuid": "GPU-1"}), "devices[1].cuda.uuid", "nvidia-smi -L"),
        ("/devices/3/opencl/platform", json!(""), "devices[3].opencl.platform", "is empty"),
        ("/devices/3/opencl/compute_units", json!(0), "devices[3].opencl.compute_units", "at least 1"),
        ("/devices/3/opencl/compute_units", Value::Null, "devices[3].opencl.skip_compute_units", "compute_units"),
        ("/devices/1/cuda/copy_threads", json!(0), "devices[1].cuda.copy_threads", "from 1 to 1024"),
        ("/devices/1/cuda/copy_threads", json!(u64::MAX), "devices[1].cuda.copy_threads", "from 1 to 1024"),
        ("/devices/2/emulated/time_scale", json!(0.5), "devices[2].emulated.time_scale", "at least 1"),
        ("/devices/2/emulated/time_scale", json!(1e30), "devices[2].emulated.time_scale", "at most 1e6"),
        ("/devices/1/launch_us", figure(1e300), "devices[1].launch_us.value", "at most 1e12"),
        ("/devices/1/memory_gb_per_s", figure(5e-324), "devices[1].memory_gb_per_s.value", "from 1e-9 to 1e15"),
        ("/devices/2/emulated/fault/phase", json!("exchange"), "devices[2].emulated.fault.phase", "`kernel`"),
        ("/devices/2/emulated/fault/phase", json!("init"), "devices[2].emulated.fault.chunk", "before any chunk"),
        ("/groups/0/devices/1", json!(4), "groups[0].devices[1]", "there is no device 4; the devices are 0 to 3"),
        ("/groups/0/devices/1", json!(1), "groups[0].devices[1]", "listed twice"),
        ("/groups/0/devices", json!([]), "groups[0].devices", "is empty"),
        ("/groups/0", json!({"name": "g", "devices": [1]}), "groups[0]", "has no capacity"),
        ("/peers/0/to", json!(1), "peers[0].to", "no link to itself"),
        ("/peers/0/to", json!(9), "peers[0].to", "there is no device 9"),
        ("/peers/0/from", json!(0), "peers[0].from", "works in host memory"),
        ("/peers/0/access", json!("none"), "peers[0].latency_us", "does not fit \"access\": \"none\""),
        ("/peers/1", json!({"from": 1, "to": 2, "access": "none"}), "peers[1]", "described before"),
    ] {
        let (found, message) = refused(&changed(pointer, value));
        assert_eq!(found, key, "{message}");
        assert!(message.contains(words), "{pointer} should say `{words}`: {message}");
        assert!(message.starts_with(&format!("machine description: at `{key}`: ")), "{message}");
    }
}

#[test]
fn hardware_is_described_once() {
    let with_device = |device: Value| {
        let mut document = whole();
        let devices = document["devices"].as_array_mut().unwrap();
        let mut device = device;
        device["id"] = json!(devices.len());
        device["name"] = json!("again");
        device["enabled"] = json!(true);
        devices.push(device);
        document
    };
    let again = |index: usize| whole()["devices"][index].clone();
    let (key, message) = refused(&with_device(again(0)).to_string());
    assert_eq!(key, "devices[4].host.cpus", "{message}");
    assert!(message.contains("CPUs 0-3 also belong to devices[0]"), "{message}");
    let mut other_cpus = again(0);
    other_cpus["host"]["cpus"] = json!("4-7");
    Machine::from_json(&with_device(other_cpus).to_string()).unwrap();
    let (key, message) = refused(&with_device(again(1)).to_string());
    assert_eq!(key, "devices[4].cuda", "{message}");
    // The other entry of the OpenCL device is disabled, so a second entry for it is allowed.
    let mut twice = with_device(again(3));
    Machine::from_json(&twice.to_string()).unwrap();
    twice["devices"][3]["enabled"] = json!(true);
    let (key, message) = refused(&twice.to_string());
    assert_eq!(key, "devices[4].opencl", "{message}");
    twice["devices"][4]["opencl"]["skip_compute_units"] = json!(0);
    Machine::from_json(&twice.to_string()).unwrap();
}

#[test]
fn a_machine_without_an_enabled_device_is_refused() {
    let mut document = whole();
    for device in document["devices"].as_array_mut().unwrap() {
        device["enabled"] = json!(false);
    }
    let (key, message) = refused(&document.to_string());
    assert_eq!(key, "devices");
    assert!(message.contains("\"enabled\": true"), "{message}");
}

#[test]
fn files_that_are_no_description_are_said() {
    let text = whole().to_string();
    for (text, words) in [
        ("", "is empty"),
        ("  \n", "is empty"),
        (&text[..text.len() / 2], "is truncated"),
        ("{", "is truncated"),
        ("schema: apportion", "is not JSON"),
        ("[machine]\nname = 'x'", "is not JSON"),
        ("[]", "is not a JSON object"),
        ("null", "is not a JSON object"),
        ("{\"schema\": \"apportion.machine/1\"} extra", "is not JSON: trailing characters"),
    ] {
        let (key, message) = refused(text);
        assert_eq!(key, ".", "{message}");
        assert!(message.contains(words), "`{text}` should say `{words}`: {message}");
    }
    let twice = text.replacen("\"name\":", "\"name\":\"x\",\"name\":", 1);
    assert!(refused(&twice).1.contains("duplicate field `name`"));
    let huge = changed("/devices/0/launch_us/value", json!(12345.5)).replace("12345.5", "1e999");
    assert!(refused(&huge).1.contains("number out of range"));
    Machine::from_json(&format!("\u{feff}{text}")).unwrap();
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    let message = |path: &Path| match Machine::load(path) {
        Err(Error::Machine(error)) => {
            assert_eq!(error.file.as_deref(), Some(path));
            error.to_string()
        }
        other => panic!("{other:?}"),
    };
    assert!(message(&path).contains("cannot be read: No such file"), "{}", message(&path));
    assert!(message(folder.path()).contains("cannot be read: Is a directory"), "{}", message(folder.path()));
    std::fs::write(&path, [b'{', 0xff]).unwrap();
    assert!(message(&path).contains("byte 1 is not UTF-8"), "{}", message(&path));
    std::fs::write(&path, changed("/devices/1/link/to/bandwidth_gb_per_s", figure(0.0))).unwrap();
    let text = message(&path);
    assert!(text.starts_with(&format!("machine description {}: at `devices[1].link.to.", path.display())), "{text}");
}

#[test]
fn a_description_is_saved_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    let machine = Machine::from_json(&whole().to_string()).unwrap();
    machine.save(&path).unwrap();
    machine.save(&path).unwrap();
    assert_eq!(Machine::load(&path).unwrap(), machine);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");

    let mut wrong = machine.clone();
    wrong.devices[0].launch_us.value = f64::NAN;
    assert!(matches!(wrong.save(&path), Err(Error::Machine(error)) if error.key == "devices[0].launch_us.value"));
    assert_eq!(Machine::load(&path).unwrap(), machine, "the file is as it was");

    for unwritable in [folder.path().join("no/such/folder/m.json"), folder.path().to_path_buf(), path.join("m.json")] {
        match machine.save(&unwritable) {
            Err(Error::Call(text)) => assert!(text.contains(&unwritable.display().to_string()), "{text}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

fn any_figure(low: f64) -> impl Strategy<Value = Figure> {
    let source = prop::sample::select(vec![Source::Measured, Source::Vendor, Source::Assumed]);
    (low..1e6, source, prop::option::of("[ -~]{0,12}")).prop_map(|(value, source, note)| Figure { value, source, note })
}

fn any_link() -> impl Strategy<Value = Link> {
    let direction = || {
        let rate = || prop::option::of(any_figure(1e-9));
        (any_figure(0.0), any_figure(1e-9), rate(), rate()).prop_map(
            |(latency_us, bandwidth_gb_per_s, alone_gb_per_s, plain_gb_per_s)| Direction {
                latency_us,
                bandwidth_gb_per_s,
                alone_gb_per_s,
                plain_gb_per_s,
            },
        )
    };
    (direction(), direction()).prop_map(|(to, from)| Link { to, from })
}

fn any_device() -> impl Strategy<Value = DeviceEntry> {
    let emulated = (prop::option::of(1.0..1e3), any::<bool>(), 0_u64..9).prop_map(|(time_scale, fault, chunk)| {
        EmulatedSection { time_scale, fault: fault.then_some(Fault { phase: FaultPhase::To, chunk }) }
    });
    let rates = (any_figure(1e-9), any_figure(1e-9), any_figure(1e-9), any_figure(0.0));
    let allocs = (prop::option::of(any_figure(0.0)), prop::option::of(any_figure(0.0)));
    let discrete = prop::option::of((any_figure(1e-9), any_link()));
    (prop::sample::select(&DeviceType::ALL[..]), any::<bool>(), rates, allocs, discrete, prop::option::of(emulated))
        .prop_map(|(device_type, enabled, rates, (alloc_us, alloc_s_per_gb), discrete, emulated)| {
            let (memory_gib, link) = discrete.unzip();
            DeviceEntry {
                id: 0,
                name: String::new(),
                kind: DeviceKind::Emulated,
                device_type,
                enabled,
                why_disabled: (!enabled).then(|| "tired".to_owned()),
                memory: if link.is_some() { MemoryKind::Discrete } else { MemoryKind::Shared },
                memory_gib,
                f32_gflop_per_s: rates.0,
                f64_gflop_per_s: rates.1,
                u8_gop_per_s: alloc_s_per_gb.clone().filter(|figure| figure.value > 0.0),
                memory_gb_per_s: rates.2,
                read_gb_per_s: alloc_us.clone().filter(|figure| figure.value > 0.0),
                copy_gb_per_s: alloc_s_per_gb.clone().filter(|figure| figure.value > 0.0),
                crowded_gb_per_s: alloc_us.clone().filter(|figure| figure.value > 0.0),
                wake_us: alloc_us.clone(),
                wake_alone_us: alloc_s_per_gb.clone(),
                library_wake_us: alloc_us.clone(),
                launch_us: rates.3,
                half_rate_us: alloc_s_per_gb.clone(),
                library_half_rate_us: alloc_us.clone(),
                issue_us: alloc_us.clone(),
                sync_us: alloc_us.clone(),
                alloc_us,
                alloc_s_per_gb,
                link,
                host: None,
                opencl: None,
                cuda: None,
                emulated,
            }
        })
}

proptest! {
    #[test]
    fn what_is_written_reads_as_the_same(
        mut devices in prop::collection::vec(any_device(), 1..5),
        host_memory_gb_per_s in prop::option::of(any_figure(1e-9)),
        capacity in any_figure(1e-9),
    ) {
        devices[0].enabled = true;
        for (id, device) in devices.iter_mut().enumerate() {
            device.id = id;
            device.name = format!("device {id}");
        }
        let machine = Machine {
            schema: SCHEMA.to_owned(),
            name: "any".to_owned(),
            created: Some("2026-01-31T12:00:00.5+01:00".to_owned()),
            note: None,
            host_memory_gb_per_s,
            groups: vec![Group {
                name: "all".to_owned(),
                devices: (0..devices.len()).collect(),
                to_gb_per_s: None,
                from_gb_per_s: Some(capacity),
                both_gb_per_s: None,
            }],
            peers: Vec::new(),
            devices,
        };
        let text = machine.to_json().unwrap();
        prop_assert_eq!(Machine::from_json(&text).unwrap(), machine);
    }

    /// Cut or damaged text gives a description or an error, never a panic.
    #[test]
    fn damaged_text_is_read_or_refused(at in 0.0..1.0, byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = whole().to_string().into_bytes();
        let at = (at * bytes.len() as f64) as usize;
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        let _ = Machine::from_json(&String::from_utf8_lossy(&bytes));
    }
}
