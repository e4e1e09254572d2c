//! HOMP's device specifier: a text such as `0:2, 4:*:NVGPU` picks the devices of a loop, in order.
//!
//! ```text
//! specifier := spec (',' spec)*
//! spec      := '*'                           every device
//!            | start                         one device, by its id
//!            | name                          one device, by its name
//!            | [start] ':' count [':' type]  the first `count` devices of that type, from `start` on
//!            | [start] ':' type              the first device of that type, from `start` on
//!            | [start] ':' count '&' type    those of that type among the `count` devices from `start` on
//! start     := 0 | 1 | ..     0 when left out
//! count     := 1 | 2 | .. | '*'
//! type      := NVGPU | HOSTCPU | ..  also with `OMP_DEVICE_` or `HOMP_DEVICE_` before it; or a kind: host, opencl, cuda, emulated
//! ```
//!
//! Types and kinds are read without regard to case. A name counts where the text is nothing else of these. The result has the order
//! of the text. A device that is named twice keeps its first place, and a warning says so.

use crate::error::{Error, Result};
use crate::model::machine::{DeviceEntry, DeviceKind, DeviceType, Machine};
use crate::space::DeviceId;
use std::fmt;
use std::str::FromStr;

/// A device that a specifier can pick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its number.
    pub id: DeviceId,
    /// Its name, for messages.
    pub name: String,
    /// Its kind, as filter.
    pub kind: DeviceKind,
    /// Its type, as filter.
    pub device_type: DeviceType,
}

impl From<&DeviceEntry> for Candidate {
    fn from(entry: &DeviceEntry) -> Self {
        Self { id: entry.device_id(), name: entry.name.clone(), kind: entry.kind, device_type: entry.device_type }
    }
}

impl Candidate {
    /// The enabled devices of a machine.
    pub fn all_of(machine: &Machine) -> Vec<Self> {
        machine.enabled_devices().map(Self::from).collect()
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({}, {})", self.id, self.name, self.kind, self.device_type)
    }
}

/// The devices that a specifier picked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The devices, in the order of the text, each once.
    pub ids: Vec<DeviceId>,
    /// Notes on what the user may not have meant: devices named twice.
    pub warnings: Vec<String>,
}

/// Picks devices from `devices`, which must be in ascending order of their ids.
///
/// ```
/// use apportion::devices::specifier::{Candidate, parse};
/// # use apportion::model::machine::{DeviceKind, DeviceType};
/// # use apportion::space::DeviceId;
/// # let device = |id, kind, device_type| Candidate { id: DeviceId(id), name: format!("d{id}"), kind, device_type };
/// # let devices = [
/// #     device(0, DeviceKind::Host, DeviceType::HostCpu),
/// #     device(1, DeviceKind::Cuda, DeviceType::NvGpu),
/// #     device(2, DeviceKind::Cuda, DeviceType::NvGpu),
/// # ];
/// // A machine with a host and two GPUs: the GPUs first.
/// assert_eq!(parse("0:*:NVGPU, 0", &devices)?.ids, [DeviceId(1), DeviceId(2), DeviceId(0)]);
/// # Ok::<(), apportion::Error>(())
/// ```
///
/// # Errors
/// [`Error::Call`]: which part is wrong and why, what would be right, and which devices exist.
pub fn parse(text: &str, devices: &[Candidate]) -> Result<Selection> {
    read(&by_numbers(text, devices), Names::Given)
        .and_then(|specifier| specifier.pick(devices, &[], text))
        .map_err(|why| refused(text, &why, devices))
}

fn refused(text: &str, why: &str, devices: &[Candidate]) -> Error {
    let known: Vec<_> = devices.iter().map(ToString::to_string).collect();
    let known = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
    Error::call(format!("device specifier `{}`: {why}. Devices: {known}", text.trim()))
}

/// Picks from the enabled devices of a machine.
///
/// # Errors
/// As [`parse`]; of a device that is there and not enabled, it says why.
pub fn parse_on(text: &str, machine: &Machine) -> Result<Selection> {
    parse_with(text, machine, &[])
}

/// As [`parse_on`]. A part for which the enabled devices will not do may also pick the devices on `request`.
pub(crate) fn parse_with(text: &str, machine: &Machine, request: &[DeviceId]) -> Result<Selection> {
    let all: Vec<_> = machine.devices.iter().map(Candidate::from).collect();
    let enabled = Candidate::all_of(machine);
    let may_be_picked = |device: &&Candidate| enabled.contains(device) || request.contains(&device.id);
    let known: Vec<_> = all.iter().filter(may_be_picked).cloned().collect();
    let refused = |why: String| refused(text, &why, &known);
    let specifier = read(&by_numbers(text, &all), Names::Given).map_err(refused)?;
    specifier.pick(&enabled, &known, text).map_err(|why| {
        let of_all = specifier.pick(&all, &[], text).unwrap_or_default().ids;
        let missing = machine.devices.iter().find(|entry| {
            of_all.contains(&entry.device_id()) && known.iter().all(|device| device.id != entry.device_id())
        });
        refused(missing.map_or(why, |entry| {
            let why = entry.why_disabled.as_deref().unwrap_or("its description says so");
            format!("device {} `{}` is not enabled: {why}", entry.id, entry.name)
        }))
    })
}

/// The text with numbers in the place of names, where a part is nothing else.
fn by_numbers(text: &str, devices: &[Candidate]) -> String {
    let number = |part: &str| {
        let named =
            devices.iter().find(|device| device.name == part.trim() && read_part(part.trim(), Names::Given).is_err());
        named.map(|device| device.id.to_string())
    };
    let part = |part: &str| number(part).unwrap_or_else(|| part.to_owned());
    number(text).unwrap_or_else(|| text.split(',').map(part).collect::<Vec<_>>().join(","))
}

/// A specifier that was read but not yet looked up on a machine. It has no names of devices, which [`parse`] reads. Its printed form
/// reads as the same specifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specifier {
    /// The parts between commas, at least one.
    pub parts: Vec<Part>,
}

/// One part of a specifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// `*`
    Every,
    /// `3`
    One(DeviceId),
    /// `0:2`, `0:2:NVGPU`: takes devices that match until there are enough.
    Collect {
        /// Where to begin; `None` means the first device.
        start: Option<DeviceId>,
        /// How many to take.
        count: Count,
        /// What to take; `None` means any device.
        filter: Option<Filter>,
    },
    /// `0:2 & NVGPU`: counts devices first, then drops those that do not match.
    Within {
        /// Where to begin; `None` means the first device.
        start: Option<DeviceId>,
        /// How many to look at.
        count: Count,
        /// What to keep.
        filter: Filter,
    },
}

/// How many devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// `*`: all there are.
    All,
    /// This many, at least 1.
    Exactly(usize),
}

/// What a device must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Of this type.
    Type(DeviceType),
    /// Of this kind.
    Kind(DeviceKind),
}

impl FromStr for Specifier {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        read(text, Names::Unknown).map_err(|why| Error::call(format!("device specifier `{}`: {why}", text.trim())))
    }
}

impl fmt::Display for Specifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            write!(f, "{}{part}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = |start: &Option<DeviceId>| start.map_or_else(String::new, |id| id.to_string());
        match self {
            Self::Every => f.write_str("*"),
            Self::One(id) => write!(f, "{id}"),
            Self::Collect { start: from, count, filter: None } => write!(f, "{}:{count}", start(from)),
            Self::Collect { start: from, count, filter: Some(filter) } => {
                write!(f, "{}:{count}:{filter}", start(from))
            }
            Self::Within { start: from, count, filter } => write!(f, "{}:{count} & {filter}", start(from)),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Exactly(count) => write!(f, "{count}"),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(device_type) => device_type.fmt(f),
            Self::Kind(kind) => kind.fmt(f),
        }
    }
}

impl Filter {
    fn matches(self, device: &Candidate) -> bool {
        match self {
            Self::Type(device_type) => device.device_type == device_type,
            Self::Kind(kind) => device.kind == kind,
        }
    }
}

impl Specifier {
    /// Looks the parts up in `devices`, which must be in ascending order of their ids.
    ///
    /// # Errors
    /// [`Error::Call`] as [`parse`].
    pub fn select(&self, devices: &[Candidate]) -> Result<Selection> {
        parse(&self.to_string(), devices)
    }

    /// The devices that the parts name; messages quote the parts as they stand in the text. For a part for which `devices` will
    /// not do, `others` are tried, if there are any.
    fn pick(&self, devices: &[Candidate], others: &[Candidate], text: &str) -> Result<Selection, String> {
        let mut selection = Selection::default();
        let written: Vec<&str> = text.split(',').map(str::trim).collect();
        for (index, part) in self.parts.iter().enumerate() {
            // A name of a device may have commas.
            let said = if written.len() == self.parts.len() { written[index].to_owned() } else { part.to_string() };
            let at = |why: String| format!("part {}, `{said}`: {why}", index + 1);
            let picked = part.pick(devices).or_else(|why| if others.is_empty() { Err(why) } else { part.pick(others) });
            for device in picked.map_err(at)? {
                if selection.ids.contains(&device.id) {
                    selection
                        .warnings
                        .push(at(format!("device {} is named before; it keeps its first place", device.id)));
                } else {
                    selection.ids.push(device.id);
                }
            }
        }
        Ok(selection)
    }
}

impl Part {
    fn pick<'a>(&self, devices: &'a [Candidate]) -> Result<Vec<&'a Candidate>, String> {
        let from = |start: Option<DeviceId>| match start {
            None => Ok(devices),
            Some(id) => match devices.iter().position(|device| device.id == id) {
                Some(position) => Ok(&devices[position..]),
                None => Err(format!("there is no device {id}")),
            },
        };
        let picked: Vec<_> = match *self {
            Self::Every => devices.iter().collect(),
            Self::One(id) => from(Some(id))?.iter().take(1).collect(),
            Self::Collect { start, count, filter } => {
                let matching = from(start)?.iter().filter(|device| filter.is_none_or(|filter| filter.matches(device)));
                enough(matching.collect(), count, start, filter)?
            }
            Self::Within { start, count, filter } => enough(from(start)?.iter().collect(), count, start, None)?
                .into_iter()
                .filter(|device| filter.matches(device))
                .collect(),
        };
        if picked.is_empty() {
            let (Self::Collect { filter: Some(filter), .. } | Self::Within { filter, .. }) = self else {
                return Err("there is no device at all".to_owned());
            };
            return Err(format!("none of these devices is {filter}"));
        }
        Ok(picked)
    }
}

fn enough(
    mut found: Vec<&Candidate>,
    count: Count,
    start: Option<DeviceId>,
    filter: Option<Filter>,
) -> Result<Vec<&Candidate>, String> {
    if let Count::Exactly(count) = count {
        if found.len() < count {
            let start = start.map_or_else(String::new, |id| format!(" from device {id} on"));
            let of_type = filter.map_or_else(String::new, |filter| format!(" {filter}"));
            let are = if found.len() == 1 { "is" } else { "are" };
            return Err(format!(
                "{count}{of_type} devices are asked for{start}, and there {are} {}; write `*` for all there are",
                found.len()
            ));
        }
        found.truncate(count);
    }
    Ok(found)
}

/// Whether numbers stand in the place of the devices' names.
#[derive(Clone, Copy)]
enum Names {
    Given,
    /// The devices are not known.
    Unknown,
}

/// What is wrong with a word that may be a name.
impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "no device has this name",
            Self::Unknown => "names are read only where the devices are known",
        })
    }
}

/// Reads the text without a machine; an error names the part that is wrong.
fn read(text: &str, names: Names) -> Result<Specifier, String> {
    if text.trim().is_empty() {
        return Err("is empty; write `*` for every device".to_owned());
    }
    if text.to_ascii_lowercase().contains("topology") {
        return Err(
            "a device topology is not supported; leave it out, the order of the devices is that of the text".to_owned()
        );
    }
    let part = |(index, text): (usize, &str)| {
        read_part(text.trim(), names).map_err(|why| format!("part {}, `{}`: {why}", index + 1, text.trim()))
    };
    Ok(Specifier { parts: text.split(',').enumerate().map(part).collect::<Result<_, _>>()? })
}

fn read_part(text: &str, names: Names) -> Result<Part, String> {
    if text.is_empty() {
        return Err("is empty; remove the comma, or name a device".to_owned());
    }
    if text == "*" {
        return Ok(Part::Every);
    }
    if let Some((range, filter)) = text.split_once('&') {
        let filter = filter.trim();
        if filter.contains(['&', ':']) {
            return Err("one type follows `&`, and nothing more: `0:2 & NVGPU`".to_owned());
        }
        let Some((start, count)) = range.split_once(':') else {
            return Err("`&` needs a range before it: `0:2 & NVGPU`".to_owned());
        };
        let count = count.trim();
        if count.contains(':') || looks_like_type(count) {
            return Err("before `&` comes a range without a type: `0:2 & NVGPU`".to_owned());
        }
        return Ok(Part::Within { start: read_start(start)?, count: read_count(count)?, filter: read_filter(filter)? });
    }
    let fields: Vec<_> = text.split(':').map(str::trim).collect();
    match fields[..] {
        [id] if looks_like_type(id) => {
            read_filter(id).map_err(|why| format!("{names}, and {why}"))?;
            Err(format!("a type needs a range before it: `0:*:{id}` for all of them, `0:{id}` for the first"))
        }
        [id] => Ok(Part::One(read_id(id)?)),
        [start, filter] if looks_like_type(filter) => Ok(Part::Collect {
            start: read_start(start)?,
            count: Count::Exactly(1),
            filter: Some(read_filter(filter)?),
        }),
        [kind, _] if looks_like_type(kind) && read_filter(kind).is_ok() => Err(format!(
            "{names}; of {kind} devices, if there are any, `0:{kind}` is the first and `0:*:{kind}` is all"
        )),
        [start, count] => Ok(Part::Collect { start: read_start(start)?, count: read_count(count)?, filter: None }),
        [_, filter, _] if looks_like_type(filter) => {
            Err("the type comes last: start, count, type, as in `0:2:NVGPU`".to_owned())
        }
        [start, count, filter] => Ok(Part::Collect {
            start: read_start(start)?,
            count: read_count(count)?,
            filter: Some(read_filter(filter)?),
        }),
        _ => Err("has more than start, count and type, as in `0:2:NVGPU`".to_owned()),
    }
}

/// Whether a field was meant as a type name: it begins with a letter.
fn looks_like_type(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn read_start(text: &str) -> Result<Option<DeviceId>, String> {
    match text.trim() {
        "" => Ok(None),
        "*" => Err("`*` stands alone or as the count; start at a device, as in `0:2`".to_owned()),
        id => read_id(id).map(Some),
    }
}

fn read_id(text: &str) -> Result<DeviceId, String> {
    read_number(text, "a device number is 0 or more").map(DeviceId)
}

fn read_count(text: &str) -> Result<Count, String> {
    match text {
        "" => Err("the count after `:` is missing; write a number, `*`, or a type".to_owned()),
        "*" => Ok(Count::All),
        number => match read_number(number, "a count is 1 or more, or `*`")? {
            0 => Err("the count is 0; a count is 1 or more, or `*`".to_owned()),
            count => Ok(Count::Exactly(count)),
        },
    }
}

fn read_number(text: &str, rule: &str) -> Result<usize, String> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().map_err(|_| format!("`{text}` is too large; {rule}"));
    }
    if let Some((left, right)) = text.split_once(char::is_whitespace) {
        return Err(format!("`,`, `:` or `&` is missing between `{left}` and `{}`", right.trim()));
    }
    Err(format!("`{text}` is no whole number; {rule}"))
}

fn read_filter(text: &str) -> Result<Filter, String> {
    if text.is_empty() {
        return Err(format!("the type is missing; write {}", known_filters()));
    }
    let upper = text.to_ascii_uppercase();
    let short = upper.strip_prefix("HOMP_DEVICE_").or_else(|| upper.strip_prefix("OMP_DEVICE_")).unwrap_or(&upper);
    let device_type = DeviceType::ALL.into_iter().find(|known| known.name() == short).map(Filter::Type);
    let kind = || DeviceKind::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(text)).map(Filter::Kind);
    let all = if text.eq_ignore_ascii_case("all") { "`*` for all devices, or " } else { "" };
    device_type.or_else(kind).ok_or_else(|| format!("`{text}` is no device type; write {all}{}", known_filters()))
}

fn known_filters() -> String {
    let types: Vec<_> = DeviceType::ALL.into_iter().map(DeviceType::name).collect();
    let kinds: Vec<_> = DeviceKind::ALL.into_iter().map(DeviceKind::name).collect();
    format!("one of {}, or a kind: {}", types.join(" "), kinds.join(" "))
}
