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

impl Case {
    /// The same loop by figures that differ a little, as those of one that repeats do: the `number`-th such set. Devices that were
    /// alike stay so.
    #[must_use]
    pub fn nearly(&self, number: u64) -> Self {
        let mut case = self.clone();
        for cost in &mut case.costs {
            let figures = [
                &mut cost.flop_time,
                &mut cost.once,
                &mut cost.to_chunk,
                &mut cost.kernel_chunk,
                &mut cost.from_chunk,
                &mut cost.to,
                &mut cost.kernel,
                &mut cost.from,
                &mut cost.host_memory,
                &mut cost.host_memory_once,
            ];
            for figure in figures {
                // Splitmix64 of the figure and the number, as a part from -1 to 1.
                let mut bits = figure.0.to_bits().wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                figure.0 *= 1.0 + NEARLY * (((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0);
            }
        }
        case
    }
}

/// By which part at most.
const NEARLY: f64 = 4e-3;

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
        aligned_allocated: 8.0,
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
        aligned_allocated: 4.0,
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
        aligned_allocated: 8.0 * rows,
        replicated_in: mib(replicated),
        transfers_in: 1,
        transfers_out: 1,
        replicated_transfers: u32::from(replicated > 0.0),
        allocations: 2 + u32::from(replicated > 0.0),
        ..LoopProfile::default()
    };
    let matvec = LoopProfile { aligned_out: 4.0, aligned_allocated: 4.0 * n + 4.0, ..rows(n, 2.0 * n, 4.0 * n) };
    let matmul = rows(m, 2.0 * m * m, 4.0 * m * m);
    let stencil2d = LoopProfile { halo_in: mib(6.0 * 4.0 * s), ..rows(s, 25.0 * s, 0.0) };
    let bm2d = LoopProfile {
        iterations: 256,
        flops: Flops(256.0 * 2.0 * 256.0 * 289.0),
        memory_bytes: 2.0 * 16.0 * 4096.0,
        aligned_in: 2.0 * 16.0 * 4096.0,
        aligned_out: 256.0 * 12.0,
        aligned_allocated: 2.0 * 16.0 * 4096.0 + 256.0 * 12.0,
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

/// A host and eight GPUs behind two switches, whose links and cores were measured while all of them worked, with the time that the
/// host takes to enqueue a piece. No two GPUs are measured alike.
fn eight_behind_switches() -> Result<Machine> {
    let figure = |value: f64| serde_json::json!({"value": value, "source": "assumed"});
    let mut devices = vec![serde_json::json!({
        "id": 0, "name": "cpu", "kind": "emulated", "type": "HOSTCPU", "memory": "shared",
        "f32_gflop_per_s": figure(2000.0), "f64_gflop_per_s": figure(1000.0), "memory_gb_per_s": figure(280.0),
        "crowded_gb_per_s": figure(140.0), "launch_us": figure(6.0)
    })];
    for id in 1..9 {
        let more = f64::from(id);
        let way = serde_json::json!({"latency_us": figure(8.0), "bandwidth_gb_per_s": figure(50.0 + more)});
        devices.push(serde_json::json!({
            "id": id, "name": format!("gpu:{id}"), "kind": "emulated", "type": "NVGPU", "memory": "discrete",
            "memory_gib": figure(80.0), "f32_gflop_per_s": figure(40_000.0), "f64_gflop_per_s": figure(20_000.0),
            "memory_gb_per_s": figure(3500.0 + 10.0 * more), "crowded_gb_per_s": figure(35.0 + more),
            "launch_us": figure(5.0), "issue_us": figure(7.0), "sync_us": figure(9.0), "alloc_us": figure(2.0),
            "link": {"to": way, "from": way}
        }));
    }
    let group = |name: &str, devices: [u32; 4]| {
        serde_json::json!({
            "name": name, "devices": devices,
            "to_gb_per_s": figure(110.0), "from_gb_per_s": figure(110.0), "both_gb_per_s": figure(180.0)
        })
    };
    let machine = serde_json::json!({
        "schema": "apportion.machine/1", "name": "eight behind switches", "host_memory_gb_per_s": figure(300.0),
        "devices": devices, "groups": [group("left", [1, 2, 3, 4]), group("right", [5, 6, 7, 8])]
    });
    Machine::from_json(&machine.to_string())
}

/// The types of its devices.
pub const BEHIND_SWITCHES: [&str; 9] =
    ["HOSTCPU", "NVGPU", "NVGPU", "NVGPU", "NVGPU", "NVGPU", "NVGPU", "NVGPU", "NVGPU"];

/// The six loops at the paper's sizes, and at a part of them, on a host and eight GPUs behind two switches.
///
/// # Errors
/// When the machine is described wrong.
pub fn behind_switches() -> Result<Vec<(String, Case)>> {
    let machine = eight_behind_switches()?;
    let (rates, models) = (machine.shared_rates(), machine.devices.iter().map(|device| device.model()));
    let models: Vec<_> = models.collect();
    let mut cases = Vec::new();
    for (name, profile) in ["axpy", "sum", "matvec", "matmul", "stencil2d", "bm2d"].into_iter().zip(profiles()) {
        for parts in [1, 10, 100, 1000] {
            let iterations = (profile.iterations / parts).max(1);
            let profile = LoopProfile { iterations, ..profile.clone() };
            let cost =
                |(id, model): (usize, &DeviceModel)| device_cost_at(model, &profile, Overlap::Full, &rates.of(id));
            let costs = models.iter().enumerate().map(cost).collect();
            cases.push((format!("{name} / {parts}"), Case { profile, costs }));
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
