//! HGUIDED: `floor(r * P_i / (k_i * M * sum P_j))`, guided chunks scaled by each device's power (EngineCL: Nozal, Bosque,
//! Beivide, Future Generation Computer Systems 107, 2020, section on load balancing). Not one of HOMP's.
//!
//! `r` iterations are left, `P_i` is the pace at which the model expects the device to run this loop. A packet is never smaller
//! than the device's least packet, except the last.

use super::policy::{Policy, PolicyEntry, keyed};
use super::{ChunkSize, Next, Scheduler};
use crate::error::{Error, Result};
use crate::model::LinearCost;
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use crate::units::{Percent, Seconds};
use std::fmt;
use std::str::FromStr;

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "HGUIDED",
    short: &[],
    summary: "shrinking chunks in proportion to the devices' power, first come first served",
    parameter: "`k=2` (default), by which packets are smaller than shares of what remains; `min=0.5%` (default), the fastest device's least packet, as a percentage of the loop or a number of iterations, others' in proportion; of either one for each device with `/` between (k=3.5/1.5/1)",
    takes_cutoff: false,
    stages: 1,
    parse: |words| {
        let [k, least] = keyed("HGUIDED", words, ["k", "min"])?;
        Ok(Policy::HGuided {
            k: list(k, PacketDivisor(2000), str::parse)?,
            least: list(least, ChunkSize::Percent(Percent::from_millionths(5000)), ChunkSize::parse)?,
        })
    },
    build: |policy, problem| {
        let Policy::HGuided { k, least } = policy else {
            return Err(Error::call("HGUIDED was given no packet sizes"));
        };
        let costs: Vec<LinearCost> = problem
            .devices
            .iter()
            .map(|cost| LinearCost { fixed: Seconds::ZERO, per_iteration: cost.effective() })
            .collect();
        crate::model::split::check(&costs)?;
        let (n, devices) = (problem.iterations, costs.len());
        let k = one_each("k", k, devices)?;
        let written = one_each("min", least, devices)?;
        // Powers relative to the fastest device: absolute ones could overflow or lose the small terms.
        let fastest = costs.iter().map(|cost| cost.per_iteration.0).fold(f64::INFINITY, f64::min);
        let power: Vec<f64> = costs.iter().map(|cost| fastest / cost.per_iteration.0).collect();
        let powers: f64 = power.iter().sum();
        let device = |i: usize| {
            let whole = written[i].of(n, problem.granule);
            // One value for all is that of the fastest device: a packet then takes about as long on each device.
            let mut own = if least.len() == 1 { (whole as f64 * power[i]).round() as u64 } else { whole };
            if let ChunkSize::Percent(_) = least[i.min(least.len() - 1)] {
                // With a hundred devices, each gets less than one per cent in all.
                own = own.min((n as f64 * power[i] / powers / 4.0) as u64);
            }
            Device { part: power[i] / (k[i].value() * devices as f64 * powers), least: own.max(1) }
        };
        Ok(Box::new(HGuided { left: IterRange::new(0, n), devices: (0..devices).map(device).collect() }))
    },
};

/// Divisor of HGUIDED's packets: a packet is the device's share of what remains, divided by this and by M. A positive number with
/// three decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketDivisor(u32);

impl PacketDivisor {
    /// The divisor as a number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl fmt::Display for PacketDivisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl FromStr for PacketDivisor {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("k is a number from 0.001 to 1000, such as `2` or `3.5`, not `{text}`");
        let value: f64 = text.trim().parse().map_err(|_| wrong())?;
        if (0.001..=1000.0).contains(&value) { Ok(Self((value * 1000.0).round() as u32)) } else { Err(wrong()) }
    }
}

/// Values with `/` between.
fn list<T>(text: Option<&str>, default: T, parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    match text {
        None => Ok(vec![default]),
        Some(text) => text.split('/').map(|word| parse(word.trim())).collect(),
    }
}

pub(super) fn join<T: fmt::Display>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join("/")
}

/// Of values for `all` devices, those for the devices at the places `stay`; other values as they are.
pub(super) fn of_those<T: Copy>(values: &[T], all: usize, stay: &[usize]) -> Vec<T> {
    if values.len() < 2 || values.len() != all {
        return values.to_vec();
    }
    stay.iter().filter_map(|&place| values.get(place).copied()).collect()
}

fn one_each<T: Copy>(name: &str, values: &[T], devices: usize) -> Result<Vec<T>> {
    match values {
        [value] => Ok(vec![*value; devices]),
        _ if values.len() == devices => Ok(values.to_vec()),
        _ => Err(Error::call(format!(
            "HGUIDED was given {} values of {name} for {devices} devices: write one, or one for each",
            values.len()
        ))),
    }
}

struct HGuided {
    left: IterRange,
    devices: Vec<Device>,
}

struct Device {
    /// Its packet as a part of what is left: `P_i / (k_i * M * sum P_j)`.
    part: f64,
    least: u64,
}

impl Scheduler for HGuided {
    fn next(&mut self, device: Slot) -> Next {
        let Some(asking) = self.devices.get(device.0) else { return Next::Done };
        let packet = (self.left.len() as f64 * asking.part) as u64;
        match self.left.take_front(packet.max(asking.least)) {
            chunk if chunk.is_empty() => Next::Done,
            chunk => Next::Run(chunk),
        }
    }

    fn finished(&mut self, _device: Slot, _chunk: IterRange, _times: &PhaseTimes, _pieces: u64) {}

    fn lost(&mut self, _device: Slot) -> Vec<IterRange> {
        Vec::new()
    }
}
