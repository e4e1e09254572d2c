//! Predicted against measured times: their errors, and which policies are best.

use crate::kernels::Kernel;
use crate::measured::Measurement;
use crate::node::{Kind, Node};
use crate::policies::Policy;
use crate::simulate::{Outcome, predict};

/// A measurement with its prediction.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The measurement.
    pub measured: Measurement,
    /// The prediction.
    pub outcome: Outcome,
}

impl Compared {
    /// (predicted - measured) / measured.
    pub fn error(&self) -> f64 {
        self.outcome.ms / self.measured.ms - 1.0
    }

    /// The number of devices.
    pub fn devices(&self) -> usize {
        self.measured.case.devices.len()
    }
}

/// Predicts all measured cases.
pub fn compare(node: &Node, measurements: Vec<Measurement>) -> Vec<Compared> {
    let predicted = |measured: Measurement| Compared { outcome: predict(node, &measured.case), measured };
    measurements.into_iter().map(predicted).collect()
}

/// Statistics of the errors' absolute values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Number of comparisons.
    pub count: usize,
    /// Half are at most this.
    pub median: f64,
    /// Nine of ten are at most this.
    pub ninth: f64,
    /// All are at most this.
    pub worst: f64,
    /// Mean with sign.
    pub bias: f64,
}

/// The errors of some comparisons.
pub fn errors<'c>(compared: impl Iterator<Item = &'c Compared>) -> Errors {
    let signed: Vec<f64> = compared.map(Compared::error).collect();
    let mut sizes: Vec<f64> = signed.iter().map(|error| error.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    Errors {
        count: sizes.len(),
        median: quantile(&sizes, 0.5),
        ninth: quantile(&sizes, 0.9),
        worst: sizes.last().copied().unwrap_or(0.0),
        bias: signed.iter().sum::<f64>() / signed.len().max(1) as f64,
    }
}

/// Errors of a group of cases.
#[derive(Clone, Debug)]
pub struct Grouped {
    /// What the group has in common: `set`, `kernel`, `policy`, `kernel and set`, `several devices` or `all`. Groups by kernel or
    /// policy are only of cases on several devices.
    pub by: &'static str,
    /// Its name.
    pub name: String,
    /// Its errors.
    pub errors: Errors,
}

/// Errors by set of devices, by kernel, by policy, and by kernel and set; then of all on several devices, and of all.
pub fn grouped(node: &Node, all: &[Compared]) -> Vec<Grouped> {
    let several = |one: &Compared| one.devices() > 1;
    let set = |one: &Compared| set_name(node, &one.measured.case.devices);
    let kernel = |one: &Compared| one.measured.case.kernel.to_string();
    type Name<'n> = &'n dyn Fn(&Compared) -> Option<String>;
    let ways: [(&'static str, Name<'_>); 6] = [
        ("set", &|one| Some(set(one))),
        ("kernel", &|one| several(one).then(|| kernel(one))),
        ("policy", &|one| several(one).then(|| one.measured.case.policy.to_string())),
        ("kernel and set", &|one| Some(format!("{} on {}", kernel(one), set(one)))),
        ("several devices", &|one| several(one).then(|| "several devices".to_owned())),
        ("all", &|_| Some("all".to_owned())),
    ];
    let mut groups = Vec::new();
    for (by, name) in ways {
        let mut names: Vec<String> = Vec::new();
        for found in all.iter().filter_map(name) {
            if !names.contains(&found) {
                names.push(found);
            }
        }
        groups.extend(names.into_iter().map(|wanted| Grouped {
            by,
            errors: errors(all.iter().filter(|one| name(one).as_ref() == Some(&wanted))),
            name: wanted,
        }));
    }
    groups
}

/// Devices by kind: `1 HOSTCPU + 4 NVGPU`.
pub fn set_name(node: &Node, devices: &[usize]) -> String {
    let count = |kind: Kind| devices.iter().filter(|&&device| node.devices[device].kind == kind).count();
    let parts = Kind::ALL.into_iter().map(|kind| (count(kind), kind)).filter(|(count, _)| *count > 0);
    parts.map(|(count, kind)| format!("{count} {kind}")).collect::<Vec<_>>().join(" + ")
}

/// A quantile of sorted numbers, interpolated linearly; 0 if there are none.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = part * last as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (place - place.floor())
}

/// The best policies for a kernel on a set of devices.
#[derive(Clone, Debug)]
pub struct Best {
    /// The kernel.
    pub kernel: Kernel,
    /// The devices, as in the cases.
    pub devices: Vec<usize>,
    /// The policies with the least simulated time; those that divide the loop alike tie.
    pub simulated: Vec<Policy>,
    /// The policy with the least measured time.
    pub measured: Policy,
    /// Its time, ms.
    pub least_ms: f64,
    /// Mean measured time of the simulated best policies, ms.
    pub chosen_ms: f64,
    /// Measured noise: largest by smallest time, less 1, of BLOCK, MODEL_1 and MODEL_2, which divide a loop over equal devices
    /// alike.
    pub noise: f64,
}

impl Best {
    /// How much longer the simulated best policy took than the measured best, as a fraction.
    pub fn loss(&self) -> f64 {
        self.chosen_ms / self.least_ms - 1.0
    }

    /// Whether the loss is within the noise.
    pub fn within_noise(&self) -> bool {
        self.loss() <= self.noise
    }
}

/// Simulated times whose relative difference is smaller count as equal.
const TIE: f64 = 1e-3;

/// The best policies for each kernel and set of devices on which several policies were measured.
pub fn best(compared: &[Compared]) -> Vec<Best> {
    let mut groups: Vec<Vec<&Compared>> = Vec::new();
    let key = |one: &Compared| (one.measured.case.kernel, one.measured.case.n, one.measured.case.devices.clone());
    for one in compared {
        match groups.iter_mut().find(|group| key(group[0]) == key(one)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups.iter().filter(|group| group.len() > 1).filter_map(|group| best_of(group)).collect()
}

fn best_of(group: &[&Compared]) -> Option<Best> {
    let least = |time: fn(&Compared) -> f64| group.iter().copied().min_by(|a, b| time(a).total_cmp(&time(b)));
    let measured = least(|one| one.measured.ms)?;
    let simulated = least(|one| one.outcome.ms)?;
    let ties: Vec<_> = group.iter().filter(|one| one.outcome.ms <= simulated.outcome.ms * (1.0 + TIE)).collect();
    let alike: Vec<f64> =
        group.iter().filter(|one| one.measured.case.policy.one_chunk_each()).map(|one| one.measured.ms).collect();
    let most = alike.iter().copied().fold(0.0, f64::max);
    let fewest = alike.iter().copied().fold(f64::INFINITY, f64::min);
    Some(Best {
        kernel: measured.measured.case.kernel,
        devices: measured.measured.case.devices.clone(),
        simulated: ties.iter().map(|one| one.measured.case.policy).collect(),
        measured: measured.measured.case.policy,
        least_ms: measured.measured.ms,
        chosen_ms: ties.iter().map(|one| one.measured.ms).sum::<f64>() / ties.len() as f64,
        noise: if most > 0.0 { most / fewest - 1.0 } else { 0.0 },
    })
}
