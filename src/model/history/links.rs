//! Devices of one make whose links differ.

use crate::model::machine::{DeviceEntry, Machine};
use crate::space::DeviceId;

/// Neighbouring rates that differ by more than this factor are of unlike links; two measurements of one differ by less.
const APART: f64 = 1.25;

/// The device of a [`Key`](super::Key): its `identity`, and its link if the machine has others of its make with a faster one. What
/// devices with unlike links take would otherwise be taken for one, and all get equal shares.
pub fn device_of(machine: &Machine, id: DeviceId, identity: String) -> String {
    match slower_than(machine, id) {
        Some(faster) if faster > 0 => format!("{identity}, link {}", faster + 1),
        _ => identity,
    }
}

/// How many kinds of links faster than its own devices like this one have, each kind with rates that are close to one another.
fn slower_than(machine: &Machine, id: DeviceId) -> Option<usize> {
    let rate = |entry: &DeviceEntry| {
        let link = entry.link.as_ref()?;
        Some(link.to.bandwidth_gb_per_s.value.min(link.from.bandwidth_gb_per_s.value))
    };
    let memory = |entry: &DeviceEntry| entry.memory_gib.as_ref().map(|figure| figure.value);
    // Also those that are not enabled: which devices are chosen does not change what a device is.
    let own = machine.devices.iter().find(|entry| entry.device_id() == id)?;
    let alike = machine.devices.iter().filter(|other| (other.kind, memory(other)) == (own.kind, memory(own)));
    let mut rates: Vec<f64> = alike.filter_map(rate).collect();
    rates.sort_by(|a, b| b.total_cmp(a));
    let own = rate(own)?;
    Some(rates.windows(2).filter(|pair| pair[0] > own && pair[0] > pair[1] * APART).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_one_make_are_told_apart_by_links_that_differ() {
        const NODE: &str = include_str!("../../../machines/fornax.json");
        let devices = |rates: [f64; 4]| {
            let mut machine = Machine::from_json(NODE).unwrap();
            for (entry, rate) in machine.devices[1..5].iter_mut().zip(rates) {
                let link = entry.link.as_mut().unwrap();
                link.to.bandwidth_gb_per_s.value = rate;
                link.from.bandwidth_gb_per_s.value = 60.0;
                // Whichever are chosen.
                entry.enabled = rate < 50.0;
            }
            [0, 1, 2, 3, 4, 5, 6].map(|id| device_of(&machine, DeviceId(id), "make".to_owned()))
        };
        // As measurements of one link may differ.
        assert!(devices([52.0, 48.0, 58.0, 44.0]).iter().all(|device| device == "make"));
        // The host has no link, and the accelerators are of another make.
        let found = devices([52.0, 26.5, 49.0, 24.0]);
        assert_eq!(found, ["make", "make", "make, link 2", "make", "make, link 2", "make", "make"]);
        assert_eq!(devices([52.0, 26.0, 13.0, 40.0])[1..5], ["make", "make, link 3", "make, link 4", "make, link 2"]);
    }
}
