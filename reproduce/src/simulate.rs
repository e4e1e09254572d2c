//! The time that a case takes: the runtime's steps in virtual time, with copies that share links.
//!
//! One thread per device runs the chunks that its policy gives it strictly one after another: allocate, copy in, launch, copy
//! out, free. Nothing overlaps within a device. Copies that run at the same time on several devices share the capacities of the
//! machine description's groups, max-min fair.

use crate::kernels::{Kernel, Program};
use crate::node::{Device, Kind, Node};
use crate::policies::{Next, Policy, Scheduler};
use apportion::sched::imbalance;
use apportion::units::Seconds;
use std::collections::VecDeque;

/// A kernel, its size, the devices and the policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The kernel.
    pub kernel: Kernel,
    /// Iterations of its loop, and length of its rows.
    pub n: u64,
    /// Positions in [`Node::devices`], in the order of the device list.
    pub devices: Vec<usize>,
    /// How the loop is divided.
    pub policy: Policy,
    /// Devices whose predicted share, of 1, is smaller take no part.
    pub cutoff: Option<f64>,
    /// Sweeps of a program with many; `None`: as many as the authors ran.
    pub sweeps: Option<u64>,
}

/// Where a device's time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Allocating and freeing.
    Memory,
    /// Copying in.
    To,
    /// Kernels.
    Kernel,
    /// Halo rows.
    Exchange,
    /// Copying out.
    From,
    /// Outside of the runtime's phases.
    Outside,
    /// Waiting for other devices' samples, or at the barriers around an exchange.
    Stage,
    /// Waiting for the last device.
    End,
}

/// Milliseconds by [`Phase`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times(pub [f64; 8]);

impl Times {
    /// The time of a phase.
    pub fn get(&self, phase: Phase) -> f64 {
        self.0[phase as usize]
    }

    /// All time except waiting.
    pub fn busy(&self) -> f64 {
        self.0[..Phase::Stage as usize].iter().sum()
    }
}

/// The work and times of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Position in [`Node::devices`].
    pub device: usize,
    /// Iterations of one sweep.
    pub iterations: u64,
    /// Chunks of one offload.
    pub chunks: u64,
    /// Times in the whole run.
    pub times: Times,
}

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The whole run, ms.
    pub ms: f64,
    /// The devices' parts, in the order of the case's devices.
    pub parts: Vec<Part>,
}

impl Outcome {
    /// (slowest busy - mean busy) / mean busy over devices that got iterations.
    pub fn imbalance(&self) -> f64 {
        // A ratio: the unit does not matter.
        imbalance(self.parts.iter().filter(|part| part.iterations > 0).map(|part| Seconds(part.times.busy())))
    }

    /// The part of all devices' time that is spent waiting at the end.
    pub fn end_wait(&self) -> f64 {
        let waited: f64 = self.parts.iter().map(|part| part.times.get(Phase::End)).sum();
        if self.ms > 0.0 { waited / (self.ms * self.parts.len() as f64) } else { 0.0 }
    }
}

/// Simulates a case. Its devices are distinct positions in the node's devices, at least one.
pub fn predict(node: &Node, case: &Case) -> Outcome {
    let devices: Vec<&Device> = case.devices.iter().map(|&device| &node.devices[device]).collect();
    let kinds: Vec<Kind> = devices.iter().map(|device| device.kind).collect();
    let mut program = case.kernel.program(case.policy, kinds.iter().all(|kind| *kind == Kind::Gpu));
    if program.sweeps > 1 {
        program.sweeps = case.sweeps.unwrap_or(program.sweeps);
    }
    let scheduler = Scheduler::new(case.policy, case.kernel, case.n, &kinds, case.cutoff);
    if program.resident {
        sweeps(node, case, &devices, program, scheduler)
    } else {
        let mut offload = Offload::new(node, case, &devices, scheduler);
        offload.run();
        offload.outcome(program.sweeps)
    }
}

/// Seconds outside of all phases, for a chunk or a sweep.
fn outside(node: &Node, device: &Device) -> f64 {
    node.figures(device.kind).outside_ms * 1e-3
}

/// A program whose arrays are on the devices: sweeps, each followed by an exchange between two barriers if it has one.
fn sweeps(node: &Node, case: &Case, devices: &[&Device], program: Program, mut scheduler: Scheduler) -> Outcome {
    let counts: Vec<u64> = (0..devices.len())
        .map(|device| if let Next::Run(count) = scheduler.next(device) { count } else { 0 })
        .collect();
    // Only those with rows take part: an empty device has no neighbours.
    let active: Vec<usize> = (0..devices.len()).filter(|&device| counts[device] > 0).collect();
    let pull = |from: usize, to: usize| {
        let bytes = program.exchanged_rows as f64 * case.kernel.framed_row_bytes(case.n);
        match (&devices[from].link, &devices[to].link) {
            _ if program.exchanged_rows == 0 => 0.0,
            (None, None) => 0.0,
            // Two GPUs copy to each other directly, all others by way of the host.
            (Some(out), Some(into)) if devices[from].kind == Kind::Gpu && devices[to].kind == Kind::Gpu => {
                into.to_latency + bytes / out.from_rate.min(into.to_rate)
            }
            (out, into) => {
                out.as_ref().map_or(0.0, |link| link.from_latency + bytes / link.from_rate)
                    + into.as_ref().map_or(0.0, |link| link.to_latency + bytes / link.to_rate)
            }
        }
    };
    let mut each: Vec<[f64; 3]> = vec![[0.0; 3]; devices.len()];
    for (place, &device) in active.iter().enumerate() {
        let neighbours = [place.checked_sub(1), Some(place + 1)].into_iter().flatten().filter_map(|i| active.get(i));
        each[device] = [
            node.launch_time(devices[device], case.kernel, case.n, counts[device]),
            // Not `sum`, which is -0 where there are none.
            neighbours.map(|&neighbour| pull(neighbour, device)).fold(0.0, |sum, time| sum + time),
            outside(node, devices[device]),
        ];
    }
    let barriers = program.exchanged_rows > 0;
    // Up to the first barrier and up to the second; without barriers, nothing is pulled.
    let parts: [fn(&[f64; 3]) -> f64; 2] = [|t| t[0] + t[2], |t| t[1]];
    let longest = parts.map(|part| each.iter().map(part).fold(0.0, f64::max));
    let sweep = longest[0] + longest[1];
    let ms = program.sweeps as f64 * 1e3;
    let part = |(place, &device): (usize, &usize)| {
        let [kernel, exchange, outside] = each[place].map(|time| time * ms);
        // Part by part: the difference of the whole times is the rounding of huge ones, and may be below zero.
        let waited = (longest[0] - parts[0](&each[place]) + (longest[1] - parts[1](&each[place]))) * ms;
        let (stage, end) = if barriers && counts[place] > 0 { (waited, 0.0) } else { (0.0, waited) };
        Part {
            device,
            iterations: counts[place],
            chunks: u64::from(counts[place] > 0),
            times: Times([0.0, 0.0, kernel, exchange, 0.0, outside, stage, end]),
        }
    };
    Outcome { ms: sweep * ms, parts: case.devices.iter().enumerate().map(part).collect() }
}

/// A step of a chunk.
#[derive(Clone, Copy, Debug)]
enum Step {
    Delay { seconds: f64, phase: Phase },
    Copy { bytes: f64, phase: Phase },
}

impl Step {
    const fn phase(&self) -> Phase {
        match self {
            Self::Delay { phase, .. } | Self::Copy { phase, .. } => *phase,
        }
    }

    const fn left(&self) -> f64 {
        match self {
            Self::Delay { seconds, .. } => *seconds,
            Self::Copy { bytes, .. } => *bytes,
        }
    }
}

#[derive(Default)]
struct Worker {
    steps: VecDeque<Step>,
    chunk: Option<(u64, f64)>,
    /// The largest size in bytes that each array had so far.
    largest: Vec<f64>,
    iterations: u64,
    chunks: u64,
    times: [f64; 8],
    waiting: bool,
    done: bool,
}

/// One offload with copies.
struct Offload<'a> {
    node: &'a Node,
    case: &'a Case,
    devices: &'a [&'a Device],
    scheduler: Scheduler,
    workers: Vec<Worker>,
    now: f64,
}

impl<'a> Offload<'a> {
    fn new(node: &'a Node, case: &'a Case, devices: &'a [&'a Device], scheduler: Scheduler) -> Self {
        let workers = devices.iter().map(|_| Worker::default()).collect();
        Self { node, case, devices, scheduler, workers, now: 0.0 }
    }

    fn run(&mut self) {
        loop {
            for device in 0..self.workers.len() {
                self.ask(device);
            }
            let running: Vec<usize> =
                (0..self.workers.len()).filter(|&device| !self.workers[device].steps.is_empty()).collect();
            if running.is_empty() {
                if self.workers.iter().any(|worker| worker.waiting) && self.scheduler.all_wait() {
                    self.workers.iter_mut().for_each(|worker| worker.waiting = false);
                    continue;
                }
                return;
            }
            let rates = self.rates(&running);
            let left = |&device: &usize| self.workers[device].steps[0].left() / rates[device];
            let step = running.iter().map(left).fold(f64::INFINITY, f64::min);
            self.advance(step, &rates);
        }
    }

    /// Gives an idle device its next chunk.
    fn ask(&mut self, device: usize) {
        let worker = &mut self.workers[device];
        if !worker.steps.is_empty() || worker.waiting || worker.done {
            return;
        }
        if let Some((iterations, begin)) = worker.chunk.take() {
            self.scheduler.finished(device, iterations, self.now - begin);
        }
        match self.scheduler.next(device) {
            Next::Run(iterations) => {
                self.workers[device].chunk = Some((iterations, self.now));
                self.begin(device, iterations);
            }
            Next::Wait => self.workers[device].waiting = true,
            Next::Done => self.workers[device].done = true,
        }
    }

    /// Queues the steps of a chunk.
    fn begin(&mut self, index: usize, iterations: u64) {
        let (node, case, devices) = (self.node, self.case, self.devices);
        let device = devices[index];
        let worker = &mut self.workers[index];
        let first = worker.chunks == 0;
        worker.chunks += 1;
        worker.iterations += iterations;
        let arrays = case.kernel.arrays(case.n);
        worker.largest.resize(arrays.len(), 0.0);
        let (mut memory, mut ways) = (0.0, [(0.0, 0.0); 2]);
        if let Some(link) = &device.link {
            for (array, largest) in arrays.iter().zip(&mut worker.largest).filter(|(a, _)| first || !a.replicated) {
                let bytes = array.bytes(iterations);
                memory += node.figures(device.kind).allocation.seconds(bytes, largest);
                let to = (array.to, link.to_latency);
                let from = (array.from, link.from_latency);
                for ((copied, latency), way) in [to, from].into_iter().zip(&mut ways) {
                    if copied {
                        *way = (way.0 + latency, way.1 + bytes);
                    }
                }
            }
        }
        let kernel = node.launch_time(device, case.kernel, case.n, iterations);
        let delay = |seconds, phase| Step::Delay { seconds, phase };
        let [(to, bytes_to), (from, bytes_from)] = ways;
        let steps = [
            delay(memory, Phase::Memory),
            delay(to, Phase::To),
            Step::Copy { bytes: bytes_to, phase: Phase::To },
            delay(kernel, Phase::Kernel),
            delay(from, Phase::From),
            Step::Copy { bytes: bytes_from, phase: Phase::From },
            delay(outside(node, device), Phase::Outside),
        ];
        worker.steps.extend(steps.into_iter().filter(|step| step.left() > 0.0));
    }

    /// The rate of each running device's first step: 1 for a delay, bytes a second for a copy.
    fn rates(&self, running: &[usize]) -> Vec<f64> {
        let mut rates = vec![1.0; self.workers.len()];
        let copies: Vec<Copy> = running
            .iter()
            .filter_map(|&device| {
                let Step::Copy { phase, .. } = self.workers[device].steps[0] else { return None };
                let link = self.devices[device].link.as_ref()?;
                let into = phase == Phase::To;
                Some(Copy { device, into, most: if into { link.to_rate } else { link.from_rate } })
            })
            .collect();
        for (copy, rate) in copies.iter().zip(self.fair(&copies)) {
            rates[copy.device] = rate;
        }
        rates
    }

    /// Max-min fair rates: all rise together, and stop where a link or a shared capacity is full.
    fn fair(&self, copies: &[Copy]) -> Vec<f64> {
        let mut limits: Vec<(f64, Vec<usize>)> = Vec::new();
        for (i, copy) in copies.iter().enumerate() {
            limits.push((copy.most, vec![i]));
        }
        for shared in &self.node.shared {
            let members = |which: &dyn Fn(&Copy) -> bool| -> Vec<usize> {
                let inside = |copy: &Copy| shared.devices.contains(&self.devices[copy.device].id) && which(copy);
                (0..copies.len()).filter(|&i| inside(&copies[i])).collect()
            };
            limits.extend(shared.to.map(|rate| (rate, members(&|copy| copy.into))));
            limits.extend(shared.from.map(|rate| (rate, members(&|copy| !copy.into))));
            limits.extend(shared.both.map(|rate| (rate, members(&|_| true))));
        }
        let mut rates = vec![0.0; copies.len()];
        let mut free = vec![true; copies.len()];
        while free.contains(&true) {
            // What is left of each limit, for each copy that still rises under it.
            let room = |(rate, members): &(f64, Vec<usize>)| {
                let rising = members.iter().filter(|&&i| free[i]).count();
                let used: f64 = members.iter().map(|&i| rates[i]).sum();
                if rising > 0 { (rate - used) / rising as f64 } else { f64::INFINITY }
            };
            let Some((full, rise)) = limits.iter().map(room).enumerate().min_by(|a, b| a.1.total_cmp(&b.1)) else {
                break;
            };
            for i in 0..copies.len() {
                if free[i] {
                    rates[i] += rise.max(0.0);
                }
            }
            for &i in &limits[full].1 {
                free[i] = false;
            }
        }
        rates
    }

    fn advance(&mut self, step: f64, rates: &[f64]) {
        self.now += step;
        for (worker, rate) in self.workers.iter_mut().zip(rates) {
            let Some(first) = worker.steps.front_mut() else {
                if worker.waiting {
                    worker.times[Phase::Stage as usize] += step;
                } else {
                    worker.times[Phase::End as usize] += step;
                }
                continue;
            };
            worker.times[first.phase() as usize] += step;
            let whole = first.left();
            let rest = whole - step * rate;
            match first {
                Step::Delay { seconds: left, .. } | Step::Copy { bytes: left, .. } => *left = rest,
            }
            // Rounding may leave a tiny rest of a finished step.
            if rest <= whole * 1e-12 {
                worker.steps.pop_front();
            }
        }
    }

    fn outcome(&self, times: u64) -> Outcome {
        let scale = times as f64 * 1e3;
        let parts = self.workers.iter().zip(&self.case.devices).map(|(worker, &device)| Part {
            device,
            iterations: worker.iterations,
            chunks: worker.chunks,
            times: Times(worker.times.map(|time| time * scale)),
        });
        Outcome { ms: self.now * scale, parts: parts.collect() }
    }
}

struct Copy {
    device: usize,
    into: bool,
    most: f64,
}

impl crate::node::Allocation {
    /// Seconds to allocate and free an array of `bytes`; `largest` is its largest size so far in this offload.
    pub fn seconds(&self, bytes: f64, largest: &mut f64) -> f64 {
        if bytes <= self.small_array_kib * 1024.0 {
            return self.small_array_ms * 1e-3;
        }
        let fresh = (bytes - *largest).max(0.0);
        *largest = largest.max(bytes);
        (self.array_ms + (self.fresh_ms_per_gb * fresh + self.again_ms_per_gb * (bytes - fresh)) * 1e-9) * 1e-3
    }
}
