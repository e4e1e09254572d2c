//! What it takes to combine the contributions of several devices to a whole array, in a loop of a data region.
//!
//! For an array of B bytes, before the loop: its values are saved (`2 B / M` in the host's memory, at M bytes a second, or once over
//! a link if no device has the array there), and every device with memory of its own gets the operator's identity (`B / M` to write
//! it, then `latency + B / W_in`). After the loop: each of them is waited for and gives its copy back (`latency + B / W_out`), all
//! copies are combined one after the other (`3 B / M` each: two are read, one is written), and the result goes to the array in the
//! host's memory (`2 B / M`) and again to every device. Devices copy at the same time, so each step takes as long as the slowest of
//! them, or as the capacity that their links share.

use super::cost::at_rate;
use super::device::{DeviceModel, LinkModel, Share, Way};
use super::machine::MemoryKind;
use crate::units::{BytesPerSecond, Seconds};

/// The time that combining adds to a loop in which `devices` contribute to arrays of so many `bytes`; zero for a single device with
/// memory of its own, which contributes to the array itself. `memory` is the bandwidth of the host's memory; if it is not known,
/// copies there do not count.
pub fn combining(devices: &[(&DeviceModel, &Share)], bytes: &[f64], memory: Option<BytesPerSecond>) -> Seconds {
    let own = || devices.iter().filter(|(device, _)| device.memory == MemoryKind::Discrete);
    let at_home = own().count() < devices.len();
    if bytes.is_empty() || !at_home && devices.len() <= 1 {
        return Seconds::ZERO;
    }
    // Bytes that nothing has page-locked.
    let over = |link: &LinkModel, way: Way, bytes: f64| match way {
        Way::From => link.from_latency + at_rate(bytes, link.from_plain.unwrap_or(link.from_alone).0),
        _ => link.to_latency + at_rate(bytes, link.to_plain.unwrap_or(link.to_alone).0),
    };
    // To or from all of them at once.
    let all = |way: Way, bytes: f64| {
        let links = own().filter_map(|(device, _)| Some(over(device.link.as_ref()?, way, bytes)));
        let shared =
            own().flat_map(|(_, share)| &share.capacities).filter(|one| one.way == way || one.way == Way::Both);
        let crowded = shared.map(|one| {
            let drawing = own().filter(|(_, share)| share.capacities.iter().any(|other| other.number == one.number));
            at_rate(bytes * drawing.count() as f64, one.one_way[usize::from(way == Way::From)].0)
        });
        links.chain(crowded).fold(Seconds::ZERO, Seconds::max)
    };
    let of = |&bytes: &f64| {
        let in_memory = |times: f64| memory.map_or(Seconds::ZERO, |rate| at_rate(times * bytes, rate.0));
        let (saved, back) = if at_home {
            (in_memory(2.0), in_memory(2.0))
        } else {
            let first = own().find_map(|(device, _)| device.link.as_ref());
            (first.map_or(Seconds::ZERO, |link| over(link, Way::From, bytes)), Seconds::ZERO)
        };
        saved
            + in_memory(1.0)
            + all(Way::To, bytes) * 2.0
            + all(Way::From, bytes)
            + in_memory(3.0 * devices.len() as f64)
            + back
    };
    // The loop itself is not waited for otherwise.
    bytes.iter().map(of).sum::<Seconds>() + own().map(|(device, _)| device.sync).fold(Seconds::ZERO, Seconds::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Machine;
    use crate::model::device::Capacity;

    fn figure(value: f64) -> String {
        format!(r#"{{"value": {value}, "source": "assumed"}}"#)
    }

    /// Devices with links of 10 us and so many GB/s in, and 20 us and half as many out; at 0 one in the host's memory.
    fn devices(rates: &[f64]) -> Vec<DeviceModel> {
        let device = |(id, rate): (usize, &f64)| {
            let way = |latency: f64, rate: f64| {
                format!(r#"{{"latency_us": {}, "bandwidth_gb_per_s": {}}}"#, figure(latency), figure(rate))
            };
            let (memory, link) = match *rate > 0.0 {
                true => (
                    "discrete",
                    format!(
                        r#", "memory_gib": {}, "link": {{"to": {}, "from": {}}}"#,
                        figure(1.0),
                        way(10.0, *rate),
                        way(20.0, rate / 2.0)
                    ),
                ),
                false => ("shared", String::new()),
            };
            format!(
                r#"{{"id": {id}, "name": "e{id}", "kind": "emulated", "type": "NVGPU", "memory": "{memory}",
                    "f32_gflop_per_s": {f}, "f64_gflop_per_s": {f}, "memory_gb_per_s": {f}, "launch_us": {f}{link}}}"#,
                f = figure(1.0)
            )
        };
        let entries: Vec<String> = rates.iter().enumerate().map(device).collect();
        let text = format!(r#"{{"schema": "apportion.machine/1", "name": "m", "devices": [{}]}}"#, entries.join(","));
        Machine::from_json(&text).unwrap().devices.iter().map(|device| device.model()).collect()
    }

    fn microseconds(devices: &[DeviceModel], share: &Share, bytes: &[f64], gb_per_s: Option<f64>) -> f64 {
        let devices: Vec<_> = devices.iter().map(|device| (device, share)).collect();
        (combining(&devices, bytes, gb_per_s.map(BytesPerSecond::from_gb_per_s)).micros() * 1e3).round() / 1e3
    }

    #[test]
    fn a_device_with_memory_of_its_own_and_loops_without_contributions_have_nothing_to_combine() {
        let none = Share::default();
        assert_eq!(microseconds(&devices(&[10.0]), &none, &[1e6], Some(10.0)), 0.0);
        assert_eq!(microseconds(&devices(&[10.0, 10.0, 0.0]), &none, &[], Some(10.0)), 0.0);
    }

    #[test]
    fn combining_takes_the_slowest_link_both_ways_and_the_hosts_memory() {
        let none = Share::default();
        // 1 MB: in 110 us at 10 GB/s, out 220 us; saved once from the first, given twice, taken once.
        let two = devices(&[10.0, 20.0]);
        assert_eq!(microseconds(&two, &none, &[1e6], None), 220.0 + 2.0 * 110.0 + 220.0);
        // The identity, and two copies of 3 MB each, at 10 GB/s.
        assert_eq!(microseconds(&two, &none, &[1e6], Some(10.0)), 660.0 + 100.0 + 600.0);
        assert_eq!(microseconds(&two, &none, &[1e6, 1e6], Some(10.0)), 2.0 * 1360.0);
        // Beside one in the host's memory: saved and brought back there, and a third copy.
        let mixed = devices(&[10.0, 20.0, 0.0]);
        assert_eq!(microseconds(&mixed, &none, &[1e6], Some(10.0)), 200.0 + 100.0 + 220.0 + 220.0 + 900.0 + 200.0);
        // That one alone.
        assert_eq!(microseconds(&devices(&[0.0]), &none, &[1e6], Some(10.0)), 800.0);
    }

    #[test]
    fn links_behind_one_switch_take_longer_together_and_a_loop_is_waited_for_once() {
        let mut two = devices(&[10.0, 10.0]);
        let rate = |rate| BytesPerSecond::from_gb_per_s(rate);
        let capacity = Capacity { number: 0, way: Way::To, rate: rate(5.0), one_way: [rate(5.0); 2] };
        let share = Share { capacities: vec![capacity], ..Share::default() };
        assert_eq!(microseconds(&two, &share, &[1e6], None), 220.0 + 2.0 * 400.0 + 220.0);
        two[1].sync = Seconds::from_micros(7.0);
        assert_eq!(microseconds(&two, &Share::default(), &[1e6, 1e6], None), 2.0 * 660.0 + 7.0);
    }
}
