//! What a description must hold beyond its types. Each check says the path of the key and what would be right.

use super::{
    CudaSection, DeviceEntry, DeviceKind, DeviceType, EmulatedSection, Fault, FaultPhase, Figure, Group, HostSection,
    Link, Machine, MemoryKind, OpenclSection, Peer, PeerAccess, SCHEMA, problem,
};
use crate::error::MachineFileError;
use crate::model::contention::Draws;
use std::collections::{HashMap, HashSet};

type Check = Result<(), MachineFileError>;

pub(super) fn machine(machine: &Machine) -> Check {
    if machine.schema != SCHEMA {
        return wrong("schema", format!("this description says {}, this program reads {SCHEMA}", machine.schema));
    }
    name("name", &machine.name)?;
    if let Some(created) = &machine.created
        && !is_rfc3339(created)
    {
        return wrong("created", format!("`{created}` is no RFC 3339 time; write it such as `2026-01-31T12:00:00Z`"));
    }
    optional("host_memory_gb_per_s", machine.host_memory_gb_per_s.as_ref(), rate)?;
    if machine.devices.is_empty() {
        return wrong("devices", "is empty; a machine has at least one device");
    }
    let mut names = HashMap::new();
    for (position, entry) in machine.devices.iter().enumerate() {
        let at = format!("devices[{position}]");
        if entry.id != position {
            return wrong(
                format!("{at}.id"),
                format!("is {}; ids count from 0 in the order of the list: it must be {position}", entry.id),
            );
        }
        name(&format!("{at}.name"), &entry.name)?;
        if let Some(before) = names.insert(entry.name.as_str(), position) {
            return wrong(
                format!("{at}.name"),
                format!("`{}` is also the name of devices[{before}]; names are unique", entry.name),
            );
        }
        device(&at, entry)?;
    }
    if machine.enabled_devices().next().is_none() {
        return wrong("devices", "has no device with \"enabled\": true; at least one must be");
    }
    no_device_twice(machine)?;
    groups(machine)?;
    peers(machine)
}

fn device(at: &str, entry: &DeviceEntry) -> Check {
    rate(&format!("{at}.f32_gflop_per_s"), &entry.f32_gflop_per_s)?;
    rate(&format!("{at}.f64_gflop_per_s"), &entry.f64_gflop_per_s)?;
    optional(&format!("{at}.u8_gop_per_s"), entry.u8_gop_per_s.as_ref(), rate)?;
    rate(&format!("{at}.memory_gb_per_s"), &entry.memory_gb_per_s)?;
    optional(&format!("{at}.read_gb_per_s"), entry.read_gb_per_s.as_ref(), rate)?;
    optional(&format!("{at}.crowded_gb_per_s"), entry.crowded_gb_per_s.as_ref(), rate)?;
    optional(&format!("{at}.copy_gb_per_s"), entry.copy_gb_per_s.as_ref(), rate)?;
    duration(&format!("{at}.launch_us"), &entry.launch_us)?;
    optional(&format!("{at}.wake_us"), entry.wake_us.as_ref(), duration)?;
    optional(&format!("{at}.wake_alone_us"), entry.wake_alone_us.as_ref(), duration)?;
    optional(&format!("{at}.library_wake_us"), entry.library_wake_us.as_ref(), duration)?;
    optional(&format!("{at}.half_rate_us"), entry.half_rate_us.as_ref(), duration)?;
    optional(&format!("{at}.library_half_rate_us"), entry.library_half_rate_us.as_ref(), duration)?;
    optional(&format!("{at}.issue_us"), entry.issue_us.as_ref(), duration)?;
    optional(&format!("{at}.sync_us"), entry.sync_us.as_ref(), duration)?;
    optional(&format!("{at}.alloc_us"), entry.alloc_us.as_ref(), duration)?;
    optional(&format!("{at}.alloc_s_per_gb"), entry.alloc_s_per_gb.as_ref(), duration)?;
    memory(at, entry)?;
    kind(at, entry)
}

fn memory(at: &str, entry: &DeviceEntry) -> Check {
    optional(&format!("{at}.memory_gib"), entry.memory_gib.as_ref(), size)?;
    if let Some(Link { to, from }) = &entry.link {
        for (direction, way) in [(to, "to"), (from, "from")] {
            duration(&format!("{at}.link.{way}.latency_us"), &direction.latency_us)?;
            rate(&format!("{at}.link.{way}.bandwidth_gb_per_s"), &direction.bandwidth_gb_per_s)?;
            for (key, figure) in
                [("alone_gb_per_s", &direction.alone_gb_per_s), ("plain_gb_per_s", &direction.plain_gb_per_s)]
            {
                optional(&format!("{at}.link.{way}.{key}"), figure.as_ref(), rate)?;
            }
        }
    }
    let given = [("link", entry.link.is_some()), ("memory_gib", entry.memory_gib.is_some())];
    for (key, given) in given {
        let key_at = format!("{at}.{key}");
        match entry.memory {
            MemoryKind::Discrete if !given => {
                return wrong(key_at, format!("is missing; a device with discrete memory needs it: {}", hint(key)));
            }
            MemoryKind::Shared if given => {
                return wrong(
                    key_at,
                    "does not fit \"memory\": \"shared\": such a device works in host memory; remove it",
                );
            }
            _ => {}
        }
    }
    Ok(())
}

fn kind(at: &str, entry: &DeviceEntry) -> Check {
    let sections = [
        (DeviceKind::Host, entry.host.is_some()),
        (DeviceKind::Opencl, entry.opencl.is_some()),
        (DeviceKind::Cuda, entry.cuda.is_some()),
        (DeviceKind::Emulated, entry.emulated.is_some()),
    ];
    for (section, given) in sections {
        if given && section != entry.kind {
            return wrong(
                format!("{at}.{section}"),
                format!("does not fit \"kind\": \"{}\"; remove it, or make the kind \"{section}\"", entry.kind),
            );
        }
    }
    use DeviceType as T;
    let types: &[T] = match entry.kind {
        DeviceKind::Host => &[T::HostCpu],
        DeviceKind::Cuda => &[T::NvGpu],
        DeviceKind::Opencl => &[T::OclCpu, T::OclGpu, T::NvGpu, T::AmdGpu, T::ItlGpu, T::ItlMic],
        DeviceKind::Emulated => &T::ALL,
    };
    if !types.contains(&entry.device_type) {
        let fitting: Vec<_> = types.iter().map(|one| one.name()).collect();
        return wrong(
            format!("{at}.type"),
            format!("{} does not fit \"kind\": \"{}\"; use {}", entry.device_type, entry.kind, fitting.join(", ")),
        );
    }
    match (entry.kind, entry.memory) {
        (DeviceKind::Host, MemoryKind::Discrete) => {
            return wrong(format!("{at}.memory"), "a device of kind \"host\" works in host memory: use \"shared\"");
        }
        (DeviceKind::Cuda, MemoryKind::Shared) => {
            return wrong(
                format!("{at}.memory"),
                "a device of kind \"cuda\" is used through memory of its own: use \"discrete\"",
            );
        }
        _ => {}
    }
    if let Some(section) = &entry.host {
        host(&format!("{at}.host"), section)?;
    }
    if let Some(section) = &entry.opencl {
        opencl(&format!("{at}.opencl"), section)?;
    }
    match &entry.cuda {
        Some(section) => cuda(&format!("{at}.cuda"), section)?,
        None if entry.kind == DeviceKind::Cuda => {
            return wrong(format!("{at}.cuda"), "is missing; say which GPU it is, such as {\"index\": 0}");
        }
        None => {}
    }
    entry.emulated.as_ref().map_or(Ok(()), |section| emulated(&format!("{at}.emulated"), section))
}

fn host(at: &str, section: &HostSection) -> Check {
    optional(&format!("{at}.threads"), section.threads.as_ref(), count)?;
    let Some(cpus) = &section.cpus else { return Ok(()) };
    if cpus.is_empty() {
        return wrong(format!("{at}.cpus"), "is empty; name CPUs such as \"0-7,9\", or remove it to take all");
    }
    if let Some(free) = section.leave_free
        && free >= cpus.len()
    {
        return wrong(
            format!("{at}.leave_free"),
            format!("leaves {free} of {} CPUs free, so none is left to run on; use a smaller number", cpus.len()),
        );
    }
    Ok(())
}

fn opencl(at: &str, section: &OpenclSection) -> Check {
    for (key, text) in [("platform", &section.platform), ("device", &section.device)] {
        if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            return wrong(format!("{at}.{key}"), "is empty; give a part of the name, or remove it to match any");
        }
    }
    if section.compute_units == Some(0) {
        return wrong(format!("{at}.compute_units"), "is 0; give at least 1, or remove it to take the whole device");
    }
    if section.skip_compute_units.is_some() && section.compute_units.is_none() {
        return wrong(
            format!("{at}.skip_compute_units"),
            "needs \"compute_units\" beside it: only a sub-device can skip some",
        );
    }
    Ok(())
}

fn cuda(at: &str, section: &CudaSection) -> Check {
    match (&section.index, &section.uuid) {
        (None, None) => wrong(at, "does not say which GPU it is; give \"index\" or \"uuid\""),
        (Some(_), Some(_)) => wrong(format!("{at}.uuid"), "is given beside \"index\"; keep one of them"),
        (None, Some(uuid)) if !is_uuid(uuid) => wrong(
            format!("{at}.uuid"),
            format!(
                "`{uuid}` is no UUID; write it as `nvidia-smi -L` prints it: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
            ),
        ),
        _ if section.copy_threads.is_some_and(|threads| !(1..=MOST_COPY_THREADS).contains(&threads)) => wrong(
            format!("{at}.copy_threads"),
            format!("must be from 1 to {MOST_COPY_THREADS}; leave it out for a number that suits the machine"),
        ),
        _ => fault(at, section.fault),
    }
}

fn emulated(at: &str, section: &EmulatedSection) -> Check {
    if let Some(scale) = section.time_scale
        && !(1.0..=MOST_STRETCHED).contains(&scale)
    {
        return wrong(
            format!("{at}.time_scale"),
            format!(
                "is {scale:e}; it must be at least 1, as the body really runs, so that time can only be stretched, and at most \
                 {MOST_STRETCHED:e}"
            ),
        );
    }
    fault(at, section.fault)
}

fn fault(at: &str, fault: Option<Fault>) -> Check {
    match fault {
        Some(fault) if fault.phase == FaultPhase::Init && fault.chunk != 0 => wrong(
            format!("{at}.fault.chunk"),
            "does not fit \"phase\": \"init\", which comes before any chunk; remove it",
        ),
        _ => Ok(()),
    }
}

fn same_cuda(a: &DeviceEntry, b: &DeviceEntry) -> bool {
    let gpu = |entry: &DeviceEntry| entry.cuda.as_ref().map(|section| (section.index, section.uuid.clone()));
    gpu(a) == gpu(b)
}

/// Two enabled entries that stand for the same hardware would be given work twice.
fn no_device_twice(machine: &Machine) -> Check {
    for (position, entry) in machine.devices.iter().enumerate().filter(|(_, entry)| entry.enabled) {
        for (before, other) in machine.devices[..position].iter().enumerate().filter(|(_, other)| other.enabled) {
            if entry.kind != other.kind {
                continue;
            }
            let at = format!("devices[{position}].{}", entry.kind);
            let also = format!("devices[{before}]");
            match entry.kind {
                DeviceKind::Host => {
                    let cpus = |entry: &DeviceEntry| entry.host.as_ref().and_then(|host| host.cpus.clone());
                    let both = match (cpus(entry), cpus(other)) {
                        (Some(mine), Some(theirs)) => mine.intersection(&theirs),
                        _ => {
                            return wrong(
                                format!("{at}.cpus"),
                                format!("must be given here and in {also}: without it a host device takes all CPUs"),
                            );
                        }
                    };
                    if !both.is_empty() {
                        return wrong(
                            format!("{at}.cpus"),
                            format!("CPUs {both} also belong to {also}; give each to one"),
                        );
                    }
                }
                DeviceKind::Cuda if same_cuda(entry, other) => {
                    return wrong(at, format!("is the same GPU as {also}; keep one, or disable one"));
                }
                DeviceKind::Opencl if same_opencl(entry, other) => {
                    return wrong(at, format!("finds the same device as {also}; tell them apart by \"index\""));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn same_opencl(entry: &DeviceEntry, other: &DeviceEntry) -> bool {
    let found_by = |entry: &DeviceEntry| {
        let section = entry.opencl.clone().unwrap_or_default();
        OpenclSection {
            index: Some(section.index.unwrap_or(0)),
            skip_compute_units: Some(section.skip_compute_units.unwrap_or(0)),
            ..section
        }
    };
    let (mine, theirs) = (found_by(entry), found_by(other));
    let whole = |s: &OpenclSection| (s.platform.clone(), s.device.clone(), s.index);
    let units = |s: &OpenclSection| {
        let start = u64::from(s.skip_compute_units.unwrap_or(0));
        start..s.compute_units.map_or(u64::MAX, |count| start + u64::from(count))
    };
    let (a, b) = (units(&mine), units(&theirs));
    whole(&mine) == whole(&theirs) && a.start < b.end && b.start < a.end
}

fn groups(machine: &Machine) -> Check {
    let mut names = HashSet::new();
    for (position, group) in machine.groups.iter().enumerate() {
        let at = format!("groups[{position}]");
        let Group { name: group_name, devices, to_gb_per_s, from_gb_per_s, both_gb_per_s } = group;
        name(&format!("{at}.name"), group_name)?;
        if !names.insert(group_name.as_str()) {
            return wrong(
                format!("{at}.name"),
                format!("`{group_name}` is also the name of a group before; names are unique"),
            );
        }
        if devices.is_empty() {
            return wrong(format!("{at}.devices"), "is empty; list the ids of the devices that share the capacity");
        }
        let mut members = HashSet::new();
        for (index, &id) in devices.iter().enumerate() {
            let key = format!("{at}.devices[{index}]");
            exists(machine, &key, id)?;
            if !members.insert(id) {
                return wrong(key, format!("device {id} is listed twice; remove one"));
            }
        }
        let capacities =
            [("to_gb_per_s", to_gb_per_s), ("from_gb_per_s", from_gb_per_s), ("both_gb_per_s", both_gb_per_s)];
        for (key, figure) in capacities {
            optional(&format!("{at}.{key}"), figure.as_ref(), rate)?;
        }
        if capacities.iter().all(|(_, figure)| figure.is_none()) {
            return wrong(at, "has no capacity; give `to_gb_per_s`, `from_gb_per_s` or `both_gb_per_s`");
        }
        for (index, &id) in devices.iter().enumerate() {
            let of_device = machine.groups[..=position].iter().filter(|group| group.devices.contains(&id));
            let count = of_device.map(|group| group.count()).sum::<usize>();
            if count > Draws::MOST {
                return wrong(
                    format!("{at}.devices[{index}]"),
                    format!(
                        "device {id} shares {count} capacities by now, and at most {} count; remove one",
                        Draws::MOST
                    ),
                );
            }
        }
    }
    Ok(())
}

fn peers(machine: &Machine) -> Check {
    let mut pairs = HashSet::new();
    for (position, peer) in machine.peers.iter().enumerate() {
        let at = format!("peers[{position}]");
        let &Peer { from, to, access, ref latency_us, ref bandwidth_gb_per_s } = peer;
        exists(machine, &format!("{at}.from"), from)?;
        exists(machine, &format!("{at}.to"), to)?;
        if from == to {
            return wrong(format!("{at}.to"), format!("device {to} needs no link to itself; name another device"));
        }
        for (key, id) in [("from", from), ("to", to)] {
            if machine.devices[id].memory == MemoryKind::Shared {
                return wrong(
                    format!("{at}.{key}"),
                    format!("device {id} works in host memory; only devices with discrete memory are peers"),
                );
            }
        }
        if !pairs.insert((from, to)) {
            return wrong(&at, format!("the way from device {from} to device {to} is described before; keep one"));
        }
        for (key, figure, check) in [
            ("latency_us", latency_us, duration as fn(&str, &Figure) -> Check),
            ("bandwidth_gb_per_s", bandwidth_gb_per_s, rate),
        ] {
            let key_at = format!("{at}.{key}");
            match (figure, access) {
                (Some(_), PeerAccess::None) => {
                    return wrong(key_at, "does not fit \"access\": \"none\"; remove it, or make the access \"copy\"");
                }
                (None, PeerAccess::Direct | PeerAccess::Copy) => {
                    return wrong(key_at, format!("is missing; {}", hint(key)));
                }
                (Some(figure), _) => check(&key_at, figure)?,
                (None, PeerAccess::None) => {}
            }
        }
    }
    Ok(())
}

fn exists(machine: &Machine, key: &str, id: usize) -> Check {
    match machine.devices.len() {
        count if id < count => Ok(()),
        count => wrong(key, format!("there is no device {id}; the devices are 0 to {}", count - 1)),
    }
}

fn name(key: &str, text: &str) -> Check {
    if text.trim().is_empty() {
        return wrong(key, "is empty; give a name");
    }
    if text.chars().any(char::is_control) || text.trim() != text {
        return wrong(key, format!("{text:?} has control characters, or spaces at its ends; remove them"));
    }
    Ok(())
}

/// Beyond these no figure is of a real device, and times that follow from it would be no finite numbers.
const RATES: std::ops::RangeInclusive<f64> = 1e-9..=1e15;
const LONGEST_US: f64 = 1e12;
const MOST_STRETCHED: f64 = 1e6;
/// More than there are cores beside a GPU anywhere: a loop would start them all.
const MOST_COPY_THREADS: usize = 1024;

fn rate(key: &str, figure: &Figure) -> Check {
    positive(key, figure, "a rate must be above 0 and finite")?;
    if RATES.contains(&figure.value) {
        return Ok(());
    }
    let (least, most) = (RATES.start(), RATES.end());
    wrong(
        format!("{key}.value"),
        format!("is {:e}; a rate must be from {least:e} to {most:e}{}", figure.value, unit_of(key)),
    )
}

fn size(key: &str, figure: &Figure) -> Check {
    positive(key, figure, "a size must be above 0 and finite")?;
    // 2^33 GiB is all that 63 bits address.
    if figure.value > f64::from(1_u32 << 31) * 4.0 {
        return wrong(
            format!("{key}.value"),
            format!("is {}, more than can be addressed; the unit is GiB", figure.value),
        );
    }
    Ok(())
}

fn positive(key: &str, figure: &Figure, rule: &str) -> Check {
    if figure.value.is_finite() && figure.value > 0.0 {
        return Ok(());
    }
    wrong(format!("{key}.value"), format!("is {}; {rule}{}", figure.value, unit_of(key)))
}

fn count(key: &str, figure: &Figure) -> Check {
    if figure.value >= 1.0 && figure.value.fract() == 0.0 && figure.value <= f64::from(u16::MAX) {
        return Ok(());
    }
    wrong(format!("{key}.value"), format!("is {}; it must be a whole number from 1 to {}", figure.value, u16::MAX))
}

fn duration(key: &str, figure: &Figure) -> Check {
    if !(figure.value.is_finite() && figure.value >= 0.0) {
        let what = format!("is {}; a time must be 0 or more and finite{}", figure.value, unit_of(key));
        return wrong(format!("{key}.value"), what);
    }
    if figure.value > LONGEST_US {
        let what = format!("is {:e}; a time must be at most {LONGEST_US:e}{}", figure.value, unit_of(key));
        return wrong(format!("{key}.value"), what);
    }
    Ok(())
}

fn optional(key: &str, figure: Option<&Figure>, check: fn(&str, &Figure) -> Check) -> Check {
    figure.map_or(Ok(()), |figure| check(key, figure))
}

fn wrong(key: impl AsRef<str>, what: impl Into<String>) -> Check {
    Err(problem(key.as_ref(), what))
}

fn unit(key: &str) -> Option<&'static str> {
    [
        ("gflop_per_s", "GFLOP/s"),
        ("gop_per_s", "10^9 operations a second"),
        ("gb_per_s", "GB/s, 1 GB = 1e9 bytes"),
        ("s_per_gb", "seconds per GB"),
        ("_us", "microseconds"),
        ("_gib", "GiB"),
    ]
    .into_iter()
    .find_map(|(end, unit)| key.ends_with(end).then_some(unit))
}

fn unit_of(key: &str) -> String {
    unit(key).map_or_else(String::new, |unit| format!(" (in {unit})"))
}

/// What to write for a key that is missing.
pub(super) fn hint(key: &str) -> String {
    let example = match key {
        "link" => "write {\"to\": {\"latency_us\": .., \"bandwidth_gb_per_s\": ..}, \"from\": {..}}",
        "memory" => "write \"shared\" or \"discrete\"",
        "source" => "write \"measured\", \"vendor\" or \"assumed\"",
        "kind" => "write \"host\", \"opencl\", \"cuda\" or \"emulated\"",
        "type" => "write HOSTCPU, NVGPU, AMDGPU, ITLGPU, ITLMIC, OCLCPU, OCLGPU or THSIM",
        "access" => "write \"direct\", \"copy\" or \"none\"",
        "phase" => "write \"init\", \"to\", \"kernel\" or \"from\"",
        _ => {
            return unit(key).map_or_else(
                || "it has no default".to_owned(),
                |unit| format!("no figure has a default: write {{\"value\": .., \"source\": \"measured\"}} in {unit}"),
            );
        }
    };
    example.to_owned()
}

/// The shape `2026-01-31T12:00:00Z`, with fraction and offset allowed, and each field in its range.
fn is_rfc3339(text: &str) -> bool {
    let Some((date_time, rest)) = text.split_at_checked(19) else { return false };
    let pattern = |text: &str, pattern: &str| {
        text.len() == pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(c, p)| if p == b'0' { c.is_ascii_digit() } else { c == p })
    };
    if !pattern(date_time, "0000-00-00T00:00:00") {
        return false;
    }
    let field = |at: usize| date_time[at..at + 2].parse::<u32>().unwrap_or(u32::MAX);
    if !(1..=12).contains(&field(5)) || !(1..=31).contains(&field(8)) {
        return false;
    }
    if field(11) > 23 || field(14) > 59 || field(17) > 60 {
        return false;
    }
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if zone.len() == fraction.len() {
                return false;
            }
            zone
        }
        None => rest,
    };
    zone == "Z" || pattern(zone, "+00:00") || pattern(zone, "-00:00")
}

/// `GPU-` and 8-4-4-4-12 hexadecimal digits; `MIG-` for a part of a GPU.
fn is_uuid(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("GPU-").or_else(|| text.strip_prefix("MIG-")) else { return false };
    let parts: Vec<_> = rest.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
