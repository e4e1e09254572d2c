//! Measures which devices copy from one another without the host, and how fast.

#[cfg(feature = "cuda")]
use crate::model::machine::{DeviceKind, Figure, PeerAccess};
use crate::model::machine::{Machine, Peer};

/// Measures each link between two devices of the machine that are open in this process. This takes a few milliseconds for each
/// link; no loop should run meanwhile.
pub fn measured_peers(machine: &Machine) -> Vec<Peer> {
    #[cfg(feature = "cuda")]
    return cuda(machine);
    #[cfg(not(feature = "cuda"))]
    {
        let _ = machine;
        Vec::new()
    }
}

#[cfg(feature = "cuda")]
fn cuda(machine: &Machine) -> Vec<Peer> {
    if !machine.enabled_devices().any(|device| device.kind == DeviceKind::Cuda) {
        return Vec::new();
    }
    let found = super::cuda::discover().unwrap_or_default();
    let id_of = |ordinal: usize| {
        let is = |device: &&crate::model::machine::DeviceEntry| {
            device.cuda.as_ref().is_some_and(|section| match &section.uuid {
                Some(uuid) => found.iter().any(|gpu| gpu.index == ordinal && gpu.uuid.eq_ignore_ascii_case(uuid)),
                None => section.index == Some(ordinal),
            })
        };
        machine.enabled_devices().filter(|device| device.kind == DeviceKind::Cuda).find(is).map(|device| device.id)
    };
    let four_digits = |value: f64| format!("{value:.3e}").parse().unwrap_or(value);
    let peer = |rate: super::cuda::PeerRate| {
        Some(Peer {
            from: id_of(rate.from)?,
            to: id_of(rate.to)?,
            access: PeerAccess::Direct,
            latency_us: Some(Figure::measured(four_digits(rate.latency.micros())).with_note("copy of 64 bytes")),
            bandwidth_gb_per_s: Some(
                Figure::measured(four_digits(rate.rate.gb_per_s())).with_note("copy of 64 MiB, best of 5"),
            ),
        })
    };
    let mut peers: Vec<Peer> = super::cuda::peer_rates().into_iter().filter_map(peer).collect();
    peers.sort_by_key(|peer| (peer.from, peer.to));
    peers
}
