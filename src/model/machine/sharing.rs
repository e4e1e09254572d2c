//! What the devices of a machine share: the host's memory, and links behind one switch.

use super::{DeviceEntry, DeviceKind, Figure, Group, Machine, MemoryKind, PeerAccess};
use crate::model::device::{Capacity, LinkModel, Share, Way};
use crate::units::BytesPerSecond;

/// If all devices together ask for hardly more than the memory gives, measurements do not show which devices give way.
const TOO_MUCH: f64 = 1.05;
/// A device slowed more than three times as much as in proportion was disturbed by something else.
const LEAST_STEADY: f64 = -2.0;

/// What each device of a machine shares with the others, by id; empty where nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharedRates(Vec<Share>);

impl SharedRates {
    /// What the device with that id shares.
    pub fn of(&self, id: usize) -> Share {
        self.0.get(id).cloned().unwrap_or_default()
    }
}

impl Group {
    /// How many capacities it has.
    pub(super) fn count(&self) -> usize {
        [&self.to_gb_per_s, &self.from_gb_per_s, &self.both_gb_per_s].into_iter().flatten().count()
    }
}

impl Machine {
    /// The capacities of a group, not yet numbered.
    fn capacities_of(&self, group: &Group) -> impl Iterator<Item = Capacity> {
        let rate = |figure: &Option<Figure>| Some(BytesPerSecond::from_gb_per_s(figure.as_ref()?.value));
        let [to, from, both] = [&group.to_gb_per_s, &group.from_gb_per_s, &group.both_gb_per_s].map(rate);
        // What the links get one by one, where nothing says that they get less together.
        let links = |alone: fn(&LinkModel) -> BytesPerSecond| {
            let of = |id: &usize| self.devices.get(*id)?.model().link.as_ref().map(alone);
            BytesPerSecond(group.devices.iter().map(|id| of(id).map_or(f64::INFINITY, |rate| rate.0)).sum())
        };
        let one_way =
            [to.unwrap_or_else(|| links(|link| link.to_alone)), from.unwrap_or_else(|| links(|link| link.from_alone))];
        let given = [(Way::To, to), (Way::From, from), (Way::Both, both)].into_iter();
        given.filter_map(|(way, rate)| Some((way, rate?))).map(move |(way, rate)| {
            let most = |alone: BytesPerSecond| BytesPerSecond(alone.0.min(rate.0));
            let one_way = if way == Way::Both { one_way.map(most) } else { [rate; 2] };
            Capacity { number: 0, way, rate, one_way }
        })
    }

    /// Bandwidth of the host's memory for all devices together, if the description has it. A device in host memory may have a
    /// larger figure, as it is measured with other loops; then that one counts.
    pub fn host_memory_rate(&self) -> Option<BytesPerSecond> {
        let all = self.host_memory_gb_per_s.as_ref()?.value;
        let shared = self.enabled_devices().filter(|device| device.memory == MemoryKind::Shared);
        let most = shared.map(|device| device.memory_gb_per_s.value).fold(all, f64::max);
        Some(BytesPerSecond::from_gb_per_s(most))
    }

    /// How far each device resists contention for the host's memory: 0 is slowed in proportion, 1 is not slowed. Computed from
    /// what devices move while all are at work (`crowded_gb_per_s`) and alone; 0 if unknown.
    fn steadiness(&self) -> Vec<f64> {
        let alone = |device: &DeviceEntry| match &device.link {
            Some(link) => link.to.bandwidth_gb_per_s.value + link.from.bandwidth_gb_per_s.value,
            None => device.memory_gb_per_s.value,
        };
        let crowded =
            |device: &DeviceEntry| device.crowded_gb_per_s.as_ref().filter(|_| device.enabled).map(|f| f.value);
        let Some(rate) = self.host_memory_rate() else { return vec![0.0; self.devices.len()] };
        // Links behind one switch move less together. If the memory has enough for that, the measurement tells nothing.
        let behind = |device: &DeviceEntry| {
            let groups = self.groups.iter().filter(|group| group.devices.contains(&device.id));
            let parts =
                groups.filter_map(|group| Some(group.both_gb_per_s.as_ref()?.value / group.devices.len() as f64));
            parts.fold(alone(device), f64::min)
        };
        let sum = |of: &dyn Fn(&DeviceEntry) -> f64| {
            self.devices.iter().filter(|device| crowded(device).is_some()).map(of).sum::<f64>() / rate.gb_per_s()
        };
        // The split of a loop adds up demands in the same way, by what each device asks for alone.
        let all = if sum(&behind) > TOO_MUCH { sum(&alone) } else { 0.0 };
        let steady = |device: &DeviceEntry| {
            let slowed = crowded(device).map(|crowded| (alone(device) / crowded).max(1.0));
            slowed
                .filter(|_| all > TOO_MUCH)
                .map_or(0.0, |slowed| (1.0 - (slowed - 1.0) / (all - 1.0)).max(LEAST_STEADY))
        };
        self.devices.iter().map(steady).collect()
    }

    /// What each device shares with the others: the host's memory, and the capacities of the groups that it is in.
    pub fn shared_rates(&self) -> SharedRates {
        let host_rate = self.host_memory_rate();
        let steady = self.steadiness();
        let of_groups =
            self.groups.iter().flat_map(|group| self.capacities_of(group).map(move |capacity| (group, capacity)));
        let all: Vec<(&Group, Capacity)> =
            (0..).zip(of_groups).map(|(number, (group, capacity))| (group, Capacity { number, ..capacity })).collect();
        let share = |id: usize| {
            let shares = all.iter().filter(|(group, _)| group.devices.contains(&id));
            let capacities = shares.map(|(_, capacity)| *capacity).collect();
            // Only CUDA GPUs pass parts of replicated arrays on.
            let cuda = |id: usize| self.devices.get(id).is_some_and(|one| one.enabled && one.kind == DeviceKind::Cuda);
            let passes = |from: usize| cuda(id) && cuda(from);
            let peers = self.peers.iter().filter(|peer| peer.to == id && peer.access != PeerAccess::None);
            Share { host_rate, steady: steady[id], capacities, sources: peers.filter(|peer| passes(peer.from)).count() }
        };
        SharedRates((0..self.devices.len()).map(share).collect())
    }
}
