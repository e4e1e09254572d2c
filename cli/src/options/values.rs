//! What flags take: sizes, numbers, workloads and policies.

use apportion::kernel::ElementType;
use apportion::model::Overlap;
use apportion::sched::{POLICIES, Policy};
use apportion_kernels::apps::{self, App};
use apportion_kernels::{Entry, WORKLOADS};
use clap::ValueEnum;
use clap::builder::PossibleValue;

/// A named size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Size {
    /// A fraction of a second on one core
    Small,
    /// Seconds at most on one core
    Medium,
    /// As in the HOMP paper
    Paper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlapFlag(pub Overlap);

impl ValueEnum for OverlapFlag {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Overlap::Full), Self(Overlap::None)]
    }
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self.0 {
            Overlap::Full => "full",
            Overlap::None => "none",
        }))
    }
}

/// Workloads, each once.
#[derive(Clone, Debug, Default)]
pub struct Workloads {
    /// Loops that run under policies.
    pub loops: Vec<&'static Entry>,
    /// Applications that run in data regions.
    pub apps: Vec<App>,
}

impl Workloads {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.loops.len() + self.apps.len()
    }
}

/// Policies, each once.
#[derive(Clone, Debug)]
pub struct Policies(pub Vec<Policy>);

impl Policies {
    /// Whether these are all policies with their defaults, as without the flag.
    pub fn are_all(&self) -> bool {
        self.0.len() == POLICIES.len()
            && POLICIES.iter().all(|entry| entry.name.parse::<Policy>().is_ok_and(|policy| self.0.contains(&policy)))
    }
}

pub fn workloads(text: &str) -> apportion::Result<Workloads> {
    let mut found = Workloads::default();
    for name in text.split(',').map(str::trim) {
        let (loops, apps): (Vec<_>, Vec<_>) = match name {
            "all" => (WORKLOADS.iter().collect(), Vec::new()),
            "apps" => (Vec::new(), apps::ALL.to_vec()),
            name => match (apportion_kernels::find(name), apps::find(name)) {
                (Ok(entry), _) => (vec![entry], Vec::new()),
                (_, Ok(app)) => (Vec::new(), vec![app]),
                (Err(_), Err(_)) => {
                    let names = WORKLOADS.iter().map(|entry| entry.name).chain(apps::ALL.iter().map(|app| app.name));
                    let names: Vec<_> = names.collect();
                    return Err(apportion::Error::call(format!(
                        "there is no workload `{name}`; there are {}; `all` and `apps`",
                        names.join(", ")
                    )));
                }
            },
        };
        for entry in loops {
            if found.loops.iter().all(|old| old.name != entry.name) {
                found.loops.push(entry);
            }
        }
        for app in apps {
            if !found.apps.contains(&app) {
                found.apps.push(app);
            }
        }
    }
    Ok(found)
}

pub fn policies(text: &str) -> apportion::Result<Policies> {
    let mut found: Vec<Policy> = Vec::new();
    for name in text.split(',').map(str::trim) {
        let named: Vec<_> = if name.eq_ignore_ascii_case("all") {
            POLICIES.iter().map(|entry| entry.name.parse()).collect::<apportion::Result<_>>()?
        } else if name.eq_ignore_ascii_case("homp") {
            Policy::ALL_SEVEN.to_vec()
        } else {
            vec![name.parse()?]
        };
        for new in named {
            if !found.contains(&new) {
                found.push(new);
            }
        }
    }
    Ok(Policies(found))
}

pub fn element(text: &str) -> Result<ElementType, String> {
    match text {
        "f32" => Ok(ElementType::F32),
        "f64" => Ok(ElementType::F64),
        _ => Err("the element types are f32 and f64".to_owned()),
    }
}

/// `1000000`, `1_000_000` or `1e6`.
pub fn number(text: &str) -> Result<usize, String> {
    let right = "a size is a whole number of at least 1, such as 1000000, 1_000_000 or 1e6";
    let plain = text.replace('_', "");
    let (digits, zeros) = plain.split_once(['e', 'E']).unwrap_or((plain.as_str(), "0"));
    if [digits, zeros].iter().any(|part| part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit())) {
        return Err(right.to_owned());
    }
    let value =
        zeros.parse().ok().and_then(|zeros| digits.parse::<usize>().ok()?.checked_mul(10usize.checked_pow(zeros)?));
    match value {
        Some(0) => Err(right.to_owned()),
        Some(value) => Ok(value),
        None => Err(format!("that is more than this machine can address; {right}")),
    }
}

/// Most repetitions.
const MOST_REPETITIONS: usize = 100_000;

/// Written as a size is.
pub fn repetitions(text: &str) -> Result<u32, String> {
    let right = || format!("a whole number from 1 to {MOST_REPETITIONS}, such as 7 or 1e3");
    let found = number(text).ok().filter(|found| *found <= MOST_REPETITIONS);
    found.and_then(|found| u32::try_from(found).ok()).ok_or_else(right)
}

pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a seed is a whole number from 0 to 18446744073709551615".to_owned())
}
