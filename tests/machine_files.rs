//! The descriptions that come with the project, and their schema.

use apportion::devices::specifier::{Candidate, parse};
use apportion::model::machine::{DeviceKind, DeviceType, Machine};
use std::path::{Path, PathBuf};

fn machines() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("machines")
}

#[test]
fn the_schema_is_that_of_the_types() {
    let path = machines().join("machine.schema.json");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, Machine::json_schema()).unwrap();
    }
    // Compared as values: the order of keys depends on the features of serde_json that other crates turn on.
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let current = value(&Machine::json_schema());
    assert!(current.is_some() && value(&stored) == current, "run `UPDATE_SCHEMA=1 cargo test --test machine_files`");
}

#[test]
fn every_description_here_is_valid_and_written_as_the_program_writes() {
    let mut count = 0;
    for entry in std::fs::read_dir(machines()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".json") || name.ends_with(".schema.json") {
            continue;
        }
        let machine = Machine::load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(machine.to_json().unwrap(), std::fs::read_to_string(&path).unwrap(), "{name}");
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn the_node_of_the_homp_paper_is_one_host_four_gpus_and_two_phis() {
    let fornax = Machine::load(machines().join("fornax.json")).unwrap();
    let types = |machine: &Machine| machine.devices.iter().map(|device| device.device_type).collect::<Vec<_>>();
    use DeviceType::{HostCpu, ItlMic, NvGpu};
    assert_eq!(types(&fornax), [HostCpu, NvGpu, NvGpu, NvGpu, NvGpu, ItlMic, ItlMic]);
    assert!(fornax.devices.iter().all(|device| device.kind == DeviceKind::Emulated));
    let picked = parse("0:*:NVGPU", &Candidate::all_of(&fornax)).unwrap();
    assert_eq!(picked.ids.iter().map(|id| id.0).collect::<Vec<_>>(), [1, 2, 3, 4]);

    // These files describe the same devices as the whole machine's file.
    for (file, from) in [("fornax-4gpu.json", &fornax.devices[1..5]), ("fornax-phi.json", &[])] {
        let part = Machine::load(machines().join(file)).unwrap();
        for device in &part.devices {
            let same = fornax.devices.iter().find(|other| other.name == device.name).unwrap();
            let mut renumbered = same.clone();
            renumbered.id = device.id;
            assert_eq!(*device, renumbered, "{file}");
        }
        assert!(from.is_empty() || part.devices.len() == from.len());
    }
    assert_eq!(types(&Machine::load(machines().join("fornax-phi.json")).unwrap()), [HostCpu, ItlMic, ItlMic]);
}

/// Mistakes found when devices are opened name the file, as do mistakes found when it is read.
#[test]
fn an_error_of_opening_names_the_file() {
    let text = std::fs::read_to_string(machines().join("fornax-phi.json")).unwrap();
    let mut machine: serde_json::Value = serde_json::from_str(&text).unwrap();
    let cpu = &mut machine["devices"][0];
    cpu["kind"] = "host".into();
    cpu["type"] = "HOSTCPU".into();
    cpu["memory"] = "shared".into();
    cpu["host"] = serde_json::json!({"leave_free": 1_000_000});
    for key in ["link", "memory_gib"] {
        cpu.as_object_mut().unwrap().remove(key);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my.json");
    std::fs::write(&file, machine.to_string()).unwrap();
    let error = apportion::runtime::Runtime::open(&file).map(drop).unwrap_err().to_string();
    for word in ["machine description", "my.json", "`host.leave_free` is 1000000"] {
        assert!(error.contains(word), "`{word}` is not in: {error}");
    }
}

#[test]
fn every_figure_of_the_homp_paper_says_where_it_is_from() {
    fn check(at: &str, value: &serde_json::Value, count: &mut usize) {
        match value {
            serde_json::Value::Object(object) if object.contains_key("source") => {
                *count += 1;
                let note = object.get("note").and_then(|note| note.as_str()).unwrap_or_default();
                assert!(note.len() > 10, "{at} says not where it is from");
                let measured = object["source"] == "measured";
                assert_eq!(measured, note.starts_with("HOMP authors' published result files"), "{at}: {note}");
            }
            serde_json::Value::Object(object) => {
                object.iter().for_each(|(key, value)| check(&format!("{at}.{key}"), value, count));
            }
            serde_json::Value::Array(list) => {
                list.iter().enumerate().for_each(|(index, value)| check(&format!("{at}[{index}]"), value, count));
            }
            _ => {}
        }
    }
    for file in ["fornax.json", "fornax-4gpu.json", "fornax-phi.json"] {
        let text = std::fs::read_to_string(machines().join(file)).unwrap();
        let mut count = 0;
        check(file, &serde_json::from_str(&text).unwrap(), &mut count);
        assert!(count > 20, "{file}: {count}");
    }
}
