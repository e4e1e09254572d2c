//! The device specifier: the table of its specification, its errors, and that parsing undoes printing.

use apportion::devices::specifier::{Candidate, Count, Filter, Part, Specifier, parse};
use apportion::model::machine::{DeviceKind, DeviceType};
use apportion::space::DeviceId;
use proptest::prelude::*;

/// 0 is the CPU, 1 to 4 are GPUs, 5 and 6 are Xeon Phis.
fn machine() -> Vec<Candidate> {
    (0..7)
        .map(|id| {
            let (kind, device_type) = match id {
                0 => (DeviceKind::Host, DeviceType::HostCpu),
                1..=4 => (DeviceKind::Cuda, DeviceType::NvGpu),
                _ => (DeviceKind::Emulated, DeviceType::ItlMic),
            };
            Candidate { id: DeviceId(id), name: format!("device-{id}"), kind, device_type }
        })
        .collect()
}

fn ids(text: &str) -> Vec<usize> {
    parse(text, &machine()).unwrap_or_else(|error| panic!("{error}")).ids.into_iter().map(|id| id.0).collect()
}

#[test]
fn the_table_of_valid_specifiers() {
    for (text, expected, warnings) in [
        ("*", vec![0, 1, 2, 3, 4, 5, 6], 0),
        ("0:*", vec![0, 1, 2, 3, 4, 5, 6], 0),
        ("3", vec![3], 0),
        (":3", vec![0, 1, 2], 0),
        ("0:2, 4:2", vec![0, 1, 4, 5], 0),
        ("0,2,3,5", vec![0, 2, 3, 5], 0),
        ("0:OMP_DEVICE_NVGPU", vec![1], 0),
        ("0:2:NVGPU", vec![1, 2], 0),
        ("0:2 & NVGPU", vec![1], 0),
        ("3:*:NVGPU", vec![3, 4], 0),
        ("5:*:OMP_DEVICE_ITLMIC, 0", vec![5, 6, 0], 0),
        ("1:2, 2:2", vec![1, 2, 3], 1),
        ("2:2:NVGPU, 0:1", vec![2, 3, 0], 0),
        // Not in the table: other spellings.
        (" 0 : 2 : HOMP_DEVICE_nvgpu ", vec![1, 2], 0),
        ("0:*:cuda", vec![1, 2, 3, 4], 0),
        (":HOST", vec![0], 0),
        (":*:emulated", vec![5, 6], 0),
        ("0:*&ITLMIC", vec![5, 6], 0),
        (":6&omp_device_ItlMic", vec![5], 0),
        ("*, 3", vec![0, 1, 2, 3, 4, 5, 6], 1),
        ("device-3", vec![3], 0),
        ("device-3, 0:2:NVGPU ,device-1", vec![3, 1, 2], 1),
    ] {
        let selection = parse(text, &machine()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(selection.ids.iter().map(|id| id.0).collect::<Vec<_>>(), expected, "{text}");
        assert_eq!(selection.warnings.len(), warnings, "{text}: {:?}", selection.warnings);
    }
}

#[test]
fn the_table_of_invalid_specifiers() {
    for (text, words) in [
        ("", "is empty"),
        (",", "part 1"),
        ("0:0", "the count is 0"),
        ("0:-1", "`-1` is no whole number"),
        ("-1", "`-1` is no whole number"),
        ("7", "there is no device 7"),
        ("5:3", "3 devices are asked for from device 5 on, and there are 2"),
        ("0:9", "9 devices are asked for from device 0 on, and there are 7"),
        ("0:5:NVGPU", "5 NVGPU devices are asked for from device 0 on, and there are 4"),
        ("0:1 & NVGPU", "none of these devices is NVGPU"),
        ("*:2", "`*` stands alone"),
        ("0:*:FOO", "`FOO` is no device type"),
        ("0:2:NVGPU:x", "more than start, count and type"),
        ("0::", "the count after `:` is missing"),
        ("1.5", "`1.5` is no whole number"),
        ("0:2 NVGPU", "missing between `2` and `NVGPU`"),
        ("& NVGPU", "`&` needs a range before it"),
        // Not in the table.
        ("0, ", "part 2"),
        ("device-9", "no device has this name, and `device-9` is no device type"),
        (
            "cuda:0",
            "no device has this name; of cuda devices, if there are any, `0:cuda` is the first and `0:*:cuda` is all",
        ),
        ("device-9:1", "`device-9` is no whole number"),
        (":", "the count after `:` is missing"),
        ("0:2:", "the type is missing"),
        ("0:2 &", "the type is missing"),
        ("0:2 & NVGPU & NVGPU", "one type follows `&`"),
        ("0:NVGPU & NVGPU", "without a type"),
        ("3 & NVGPU", "`&` needs a range before it"),
        ("0:NVGPU:2", "the type comes last"),
        ("NVGPU", "`0:*:NVGPU` for all of them"),
        ("0:*:AMDGPU", "none of these devices is AMDGPU"),
        ("0:9 & NVGPU", "9 devices are asked for"),
        ("99999999999999999999", "too large"),
        ("+1", "no whole number"),
        ("0:OMP_DEVICE_", "no device type"),
        ("0:4, topology(ring[2][2])", "topology is not supported"),
        ("３", "no whole number"),
    ] {
        let error = parse(text, &machine()).expect_err(text).to_string();
        assert!(error.contains(words), "`{text}` should say `{words}`: {error}");
        assert!(error.contains("0 device-0 (host, HOSTCPU), 1 device-1"), "`{text}` should list the devices: {error}");
        assert!(error.starts_with("device specifier `"), "{error}");
    }
}

/// Without devices nobody knows whether one has this name.
#[test]
fn words_that_may_be_names_are_errors_without_devices_that_say_which_words_are_none() {
    for (text, words) in [
        (
            "device-3",
            "part 1, `device-3`: names are read only where the devices are known, and `device-3` is no device type",
        ),
        ("0, device-3", "part 2, `device-3`: names are read only"),
        ("gpu", "write one of HOSTCPU "),
        ("gpu", "or a kind: host opencl cuda emulated"),
        (
            "cuda:0",
            "names are read only where the devices are known; of cuda devices, if there are any, `0:cuda` is the first",
        ),
        ("NVGPU", "`0:*:NVGPU` for all of them"),
    ] {
        let error = text.parse::<Specifier>().expect_err(text).to_string();
        assert!(error.contains(words), "`{text}` should say `{words}`: {error}");
        assert!(!error.contains("no device has"), "{error}");
    }
}

#[test]
fn the_two_forms_differ_in_what_they_count() {
    assert_eq!(ids("0:3:NVGPU"), [1, 2, 3]);
    assert_eq!(ids("0:3 & NVGPU"), [1, 2]);
}

#[test]
fn messages_quote_what_was_written() {
    let warnings = |text: &str| parse(text, &machine()).unwrap().warnings;
    assert_eq!(
        warnings("device-0, 5,device-0"),
        ["part 3, `device-0`: device 0 is named before; it keeps its first place"]
    );
    assert_eq!(warnings("1:2, 02:2").len(), 1);
    assert!(warnings("1:2, 02:2")[0].starts_with("part 2, `02:2`"), "{:?}", warnings("1:2, 02:2"));
}

#[test]
fn a_name_counts_where_the_text_is_nothing_else() {
    let mut devices = machine();
    for (id, name) in ["2", "host", "cuda:0", "*", "my, gpu"].into_iter().enumerate() {
        devices[id].name = name.to_owned();
    }
    let ids = |text| parse(text, &devices).unwrap().ids.iter().map(|id| id.0).collect::<Vec<_>>();
    assert_eq!((ids("2"), ids("*")), (vec![2], (0..7).collect()));
    assert_eq!((ids("host"), ids("0:host"), ids("cuda:0, host")), (vec![1], vec![0], vec![2, 1]));
    assert_eq!(ids("my, gpu"), [4]);
}

#[test]
fn a_device_that_is_not_offered_leaves_a_gap() {
    let mut devices = machine();
    devices.remove(2);
    assert!(parse("2", &devices).unwrap_err().to_string().contains("there is no device 2"));
    assert!(parse("2:2", &devices).unwrap_err().to_string().contains("there is no device 2"));
    assert_eq!(parse("0:3", &devices).unwrap().ids, [DeviceId(0), DeviceId(1), DeviceId(3)]);
    devices.remove(0);
    assert_eq!(
        parse(":2", &devices).unwrap().ids,
        [DeviceId(1), DeviceId(3)],
        "a start left out is the first there is"
    );
}

#[test]
fn without_devices_nothing_can_be_picked() {
    for text in ["*", "0", ":1", "0:*:NVGPU"] {
        let error = parse(text, &[]).unwrap_err().to_string();
        assert!(error.ends_with("Devices: there are none"), "{error}");
    }
}

fn any_part() -> impl Strategy<Value = Part> {
    let start = || prop::option::of((0_usize..9).prop_map(DeviceId));
    let count = || prop_oneof![Just(Count::All), (1_usize..9).prop_map(Count::Exactly)];
    let filter = || {
        prop_oneof![
            prop::sample::select(&DeviceType::ALL[..]).prop_map(Filter::Type),
            prop::sample::select(&DeviceKind::ALL[..]).prop_map(Filter::Kind),
        ]
    };
    prop_oneof![
        Just(Part::Every),
        (0_usize..9).prop_map(|id| Part::One(DeviceId(id))),
        (start(), count(), prop::option::of(filter())).prop_map(|(start, count, filter)| Part::Collect {
            start,
            count,
            filter
        }),
        (start(), count(), filter()).prop_map(|(start, count, filter)| Part::Within { start, count, filter }),
    ]
}

proptest! {
    #[test]
    fn what_is_printed_reads_as_the_same(parts in prop::collection::vec(any_part(), 1..5)) {
        let specifier = Specifier { parts };
        prop_assert_eq!(specifier.to_string().parse::<Specifier>().unwrap(), specifier);
    }

    #[test]
    fn any_text_is_read_or_refused(text in r"[0-9*:,& A-Za-z_.\-]{0,24}|.{0,12}") {
        if let Ok(selection) = parse(&text, &machine()) {
            prop_assert!(!selection.ids.is_empty());
            let mut unique = selection.ids.clone();
            unique.sort();
            unique.dedup();
            prop_assert_eq!(unique.len(), selection.ids.len());
        }
    }
}
