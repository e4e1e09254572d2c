//! The paper's figures as records, which the project's sheets draw.

use crate::commands::machine_value;
use crate::failure::Failure;
use crate::options::command_line;
use apportion_cli::figures::Sheet;
use apportion_cli::record::{DeviceRun, Mode, PhasesMs, PolicyUsed, Record, Residency, Run};
use apportion_reproduce::compare::Compared;
use apportion_reproduce::experiments::{CUTOFF, Predicted, Set, fastest, figure, under_all_policies};
use apportion_reproduce::kernels::Kernel;
use apportion_reproduce::node::Node;
use apportion_reproduce::policies::Policy;
use apportion_reproduce::simulate::{Case, Outcome, Phase};

/// Names of the figures' files.
pub const NAMES: [&str; 5] = ["figure-5", "figure-6", "figure-7", "figure-8", "figure-9"];

/// Name, runs and sheet of each figure. In 5 and 7 the bars are measured, with the simulated time beside them; the others are
/// simulated.
pub fn figures(node: &Node, all: &[Compared]) -> Result<Vec<(&'static str, Record, Sheet)>, Failure> {
    let four = figure(node, Set::Gpus(4));
    let on_four = four.iter().map(|one| with_measured(node, one, all));
    let with_cutoff = Kernel::ALL.into_iter().flat_map(|kernel| {
        let plain = under_all_policies(node, Set::All, kernel, None);
        let best = fastest(&under_all_policies(node, Set::All, kernel, Some(CUTOFF))).cloned();
        let best = best.map(|best| {
            let mut run = simulated(node, &best);
            run.policy.parameters.insert("cutoff".to_owned(), "15% cutoff".into());
            run
        });
        plain.iter().map(|one| simulated(node, one)).chain(best).collect::<Vec<_>>()
    });
    let phi = figure(node, Set::HostAndPhis);
    let runs: [(Vec<Run>, Sheet); 5] = [
        (on_four.collect(), Sheet::Time),
        (four.iter().map(|one| simulated(node, one)).collect(), Sheet::Phases),
        (Kernel::ALL.into_iter().flat_map(|kernel| speedup(node, kernel, all)).collect(), Sheet::Speedup),
        (phi.iter().map(|one| simulated(node, one)).collect(), Sheet::Time),
        (with_cutoff.collect(), Sheet::Time),
    ];
    let record = |runs: Vec<Run>| -> Result<Record, Failure> {
        let mut record = Record::new(command_line(), machine_value(&node.machine)?);
        record.runs = runs;
        Ok(record)
    };
    let named = NAMES.into_iter().zip(runs);
    named.map(|(name, (runs, sheet))| Ok((name, record(runs)?, sheet))).collect()
}

/// The best policy on 1 to 4 GPUs; the measured and the simulated best are chosen separately.
fn speedup(node: &Node, kernel: Kernel, all: &[Compared]) -> Vec<Run> {
    let on = |count: usize| {
        let predicted = under_all_policies(node, Set::Gpus(count), kernel, None);
        let best = fastest(&predicted)?;
        let mut run = simulated(node, best);
        let measured = predicted.iter().filter_map(|one| measured(&one.case, all)).fold(f64::INFINITY, f64::min);
        run.mode = Mode::Real;
        run.predicted_ms = Some(best.outcome.ms);
        run.times_ms = if measured.is_finite() { vec![measured] } else { Vec::new() };
        run.policy = PolicyUsed {
            name: if count == 1 { "1 GPU".to_owned() } else { format!("{count} GPUs") },
            parameters: Default::default(),
        };
        Some(run)
    };
    (1..=4).filter_map(on).collect()
}

/// Measured time of a case.
fn measured(case: &Case, all: &[Compared]) -> Option<f64> {
    all.iter()
        .find(|one| one.measured.case == Case { sweeps: one.measured.case.sweeps, ..case.clone() })
        .map(|one| one.measured.ms)
}

fn with_measured(node: &Node, one: &Predicted, all: &[Compared]) -> Run {
    let mut run = simulated(node, one);
    if let Some(ms) = measured(&one.case, all) {
        run.mode = Mode::Real;
        run.times_ms = vec![ms];
        run.predicted_ms = Some(one.outcome.ms);
    }
    run
}

fn simulated(node: &Node, one: &Predicted) -> Run {
    let Predicted { case, outcome } = one;
    Run {
        workload: case.kernel.name().to_owned(),
        n: case.n,
        element: if case.kernel == Kernel::Sum { "f64" } else { "f32" }.to_owned(),
        mode: Mode::Simulated,
        residency: Residency::Cold,
        memory: None,
        form: None,
        policy: policy(case.policy),
        cutoff: Some(case.cutoff.map_or_else(|| "none".to_owned(), |share| format!("share:{}%", 100.0 * share))),
        devices: case.devices.iter().map(|&device| node.devices[device].name.clone()).collect(),
        left_out: Vec::new(),
        verified: None,
        max_rel_error: None,
        times_ms: vec![outcome.ms],
        predicted_ms: None,
        predicted_by: None,
        imbalance: Some(outcome.imbalance()),
        efficiency: None,
        alone_ms: Default::default(),
        per_device: parts(node, outcome),
        scaling: None,
        timeline: None,
        notes: Vec::new(),
    }
}

fn policy(policy: Policy) -> PolicyUsed {
    let parameters = policy.percent().map(|percent| ("chunk".to_owned(), format!("{percent}%").into()));
    PolicyUsed { name: policy.name().to_owned(), parameters: parameters.into_iter().collect() }
}

fn parts(node: &Node, outcome: &Outcome) -> Vec<DeviceRun> {
    let worked = outcome.parts.iter().filter(|part| part.iterations > 0);
    let run = |part: &apportion_reproduce::simulate::Part| {
        let ms = |phase| Some(part.times.get(phase));
        DeviceRun {
            device: node.devices[part.device].name.clone(),
            iterations: part.iterations,
            chunks: part.chunks,
            bytes_to: None,
            bytes_from: None,
            phases_ms: PhasesMs {
                init: ms(Phase::Memory),
                to: ms(Phase::To),
                kernel: ms(Phase::Kernel),
                exchange: ms(Phase::Exchange),
                from: ms(Phase::From),
                fini: ms(Phase::Outside),
                wait: Some(part.times.get(Phase::Stage) + part.times.get(Phase::End)),
            },
            alone_ms: None,
            alone_times_ms: Vec::new(),
        }
    };
    worked.map(run).collect()
}
