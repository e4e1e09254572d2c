//! The policies in virtual time: six loops like the workloads, on the paper's node and on a thousand devices.

use apportion::model::cost::{device_cost, device_cost_at};
use apportion::model::{DeviceCost, DeviceModel, LoopProfile, Machine, Overlap, Share};
use apportion::prelude::*;
use apportion::sched::{Problem, SimulateOptions, Simulation, simulate};
use apportion::units::{Bytes, BytesPerSecond, Flops};

/// The node of the HOMP paper: one host, four GPUs, two Xeon Phi.
const NODE: &str = include_str!("../machines/fornax.json");

/// A loop and its cost on each of some devices.
#[derive(Clone, Debug)]
pub struct Case {
    /// The loop.
    pub profile: LoopProfile,
    /// In list order.
    pub costs: Vec<DeviceCost>,
}

/// The six workloads at the paper's sizes in f32, as the models see them.
pub fn profiles() -> [LoopProfile; 6] {
    let mib = |bytes: f64| Bytes(bytes as u64);
    let (n, m, s) = (48_000.0, 6144.0, 16_384.0);
    let axpy = LoopProfile {
        iterations: 1_000_000_000,
        flops: Flops(2.0),
        memory_bytes: 12.0,
        aligned_in: 8.0,
        aligned_out: 4.0,
        transfers_in: 2,
        transfers_out: 1,
        allocations: 2,
        ..LoopProfile::default()
    };
    let sum = LoopProfile {
        flops: Flops(1.0),
        memory_bytes: 4.0,
        aligned_in: 4.0,
        aligned_out: 0.0,
        transfers_in: 1,
        transfers_out: 0,
        allocations: 1,
        ..axpy.clone()
    };
    let rows = |rows: f64, flops: f64, replicated: f64| LoopProfile {
        iterations: rows as u64,
        flops: Flops(flops),
        memory_bytes: 8.0 * rows,
        aligned_in: 4.0 * rows,
        aligned_out: 4.0 * rows,
        replicated_in: mib(replicated),
        transfers_in: 1,
        transfers_out: 1,
        replicated_transfers: u32::from(replicated > 0.0),
        allocations: 2 + u32::from(replicated > 0.0),
        ..LoopProfile::default()
    };
    let matvec = LoopProfile { aligned_out: 4.0, ..rows(n, 2.0 * n, 4.0 * n) };
    let matmul = rows(m, 2.0 * m * m, 4.0 * m * m);
    let stencil2d = LoopProfile { halo_in: mib(6.0 * 4.0 * s), ..rows(s, 25.0 * s, 0.0) };
    let bm2d = LoopProfile {
        iterations: 256,
        flops: Flops(256.0 * 2.0 * 256.0 * 289.0),
        memory_bytes: 2.0 * 16.0 * 4096.0,
        aligned_in: 2.0 * 16.0 * 4096.0,
        aligned_out: 256.0 * 12.0,
        halo_in: mib(16.0 * 4096.0),
        transfers_in: 2,
        allocations: 3,
        ..stencil2d.clone()
    };
    [axpy, sum, matvec, matmul, stencil2d, bm2d]
}

fn models() -> Result<Vec<DeviceModel>> {
    Ok(Machine::from_json(NODE)?.enabled_devices().map(|device| device.model()).collect())
}

fn case(profile: LoopProfile, models: &[DeviceModel]) -> Case {
    let costs = models.iter().map(|model| device_cost(model, &profile, Overlap::Full)).collect();
    Case { profile, costs }
}

/// The six loops on the seven devices of the paper's node.
///
/// # Errors
/// When the machine file is wrong.
pub fn node() -> Result<Vec<Case>> {
    let models = models()?;
    Ok(profiles().into_iter().map(|profile| case(profile, &models)).collect())
}

/// On so many devices AUTO's decision is timed.
pub const DECIDED_ON: [usize; 3] = [1, 4, 9];

/// The six loops, at the paper's sizes and at a hundredth of them, on so many devices: those of the node again and again, each
/// round a little faster, beside a wall of the host's memory.
///
/// # Errors
/// When the machine file is wrong.
pub fn mixed(devices: usize) -> Result<Vec<(String, Case)>> {
    let few = models()?;
    let models: Vec<_> = (0..devices)
        .map(|i| {
            let mut model = few[i % few.len()].clone();
            let faster = 1.0 + (i / few.len()) as f64 * 0.1;
            model.f32_rate.0 *= faster;
            model.memory_rate.0 *= faster;
            model
        })
        .collect();
    let mut cases = Vec::new();
    for (name, profile) in ["axpy", "sum", "matvec", "matmul", "stencil2d", "bm2d"].into_iter().zip(profiles()) {
        for (size, parts) in [("paper", 1), ("short", 100)] {
            let iterations = (profile.iterations / parts).max(1);
            let profile = LoopProfile { iterations, ..profile.clone() };
            let share = Share { host_rate: Some(BytesPerSecond(40e9)), ..Share::default() };
            let costs = models.iter().map(|model| device_cost_at(model, &profile, Overlap::Full, &share)).collect();
            cases.push((format!("{name}, {size}"), Case { profile, costs }));
        }
    }
    Ok(cases)
}

/// 1024 devices, no two alike, and a loop of 1e12 iterations.
///
/// # Errors
/// When the machine file is wrong.
pub fn thousand() -> Result<Case> {
    let few = models()?;
    let models: Vec<_> = (0..1024)
        .map(|i| {
            let mut model = few[i % few.len()].clone();
            // 1 to 2 times as fast, in an order of no meaning.
            let faster = 1.0 + (i * 389 % 1024) as f64 / 1024.0;
            model.f32_rate.0 *= faster;
            model.memory_rate.0 *= faster;
            model
        })
        .collect();
    let [axpy, ..] = profiles();
    Ok(case(LoopProfile { iterations: 1_000_000_000_000, ..axpy }, &models))
}

/// All seven policies on one loop.
///
/// # Panics
/// When one cannot be simulated, or loses an iteration.
pub fn all_seven(case: &Case) -> Vec<Simulation> {
    let problem = Problem::new(case.profile.iterations, &case.costs, &case.profile);
    Policy::ALL_SEVEN
        .iter()
        .map(|policy| {
            let result =
                simulate(policy, &problem, &SimulateOptions::default()).unwrap_or_else(|e| panic!("{policy}: {e}"));
            let run: u64 = result.devices.iter().map(|device| device.iterations).sum();
            assert_eq!(run, case.profile.iterations, "{policy}");
            result
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_seven_run_on_the_node_and_on_a_thousand_devices() {
        let node = node().unwrap();
        assert_eq!((node.len(), node[0].costs.len()), (6, 7));
        assert!(node.iter().all(|case| all_seven(case).len() == 7));
        let thousand = thousand().unwrap();
        assert_eq!(thousand.costs.len(), 1024);
        all_seven(&thousand);
    }
}
