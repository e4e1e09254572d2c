//! The authors' measurements: one row per device, with the means of the runs.

use crate::InputError;
use crate::cases::{COLUMNS, Listed, listed};
use crate::csv::Table;
use crate::node::Node;
use crate::simulate::Case;
use std::path::Path;

/// The built-in copy: facts from the authors' public result files, whose names it gives line by line.
const BUILT_IN: &str = include_str!("../data/measured.csv");
const BUILT_IN_FILE: &str = "reproduce/data/measured.csv";

/// A measurement, mean of ten runs.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The case that ran.
    pub case: Case,
    /// The whole offload, ms.
    pub ms: f64,
    /// By device.
    pub parts: Vec<MeasuredPart>,
}

/// Measured times of a device, ms.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeasuredPart {
    /// Setting up and allocating.
    pub init: f64,
    /// Copying in.
    pub to: f64,
    /// Kernels.
    pub kernel: f64,
    /// Halo rows.
    pub exchange: f64,
    /// Copying out.
    pub from: f64,
    /// Freeing.
    pub fini: f64,
    /// Waiting at any barrier.
    pub waiting: f64,
    /// Waiting at the last barrier.
    pub barrier: f64,
    /// Iterations of a sweep.
    pub iterations: f64,
}

impl MeasuredPart {
    /// All phases except waiting.
    pub fn busy(&self) -> f64 {
        self.init + self.to + self.kernel + self.exchange + self.from + self.fini
    }
}

/// The built-in measurements.
///
/// # Errors
/// Only if the built-in file is wrong.
pub fn built_in(node: &Node) -> Result<Vec<Measurement>, InputError> {
    let table = Table::parse(Path::new(BUILT_IN_FILE), BUILT_IN, &required())?;
    measurements(&table, node)
}

/// Measurements from a file of the same format; further columns are ignored.
///
/// # Errors
/// With file, line and column.
pub fn load(file: &Path, node: &Node) -> Result<Vec<Measurement>, InputError> {
    measurements(&Table::load(file, &required())?, node)
}

const PHASES: [&str; 10] = [
    "init_ms",
    "mapto_ms",
    "kern_ms",
    "exchange_ms",
    "mapfrom_ms",
    "fini_ms",
    "barrier_ms",
    "prof_bar_ms",
    "pre_bar_x_ms",
    "post_bar_x_ms",
];

fn required() -> Vec<&'static str> {
    let mut columns = COLUMNS.to_vec();
    columns.extend(["device_index", "off_total_ms", "dist_iters", "sweeps_per_run"]);
    columns.extend(PHASES);
    columns
}

fn measurements(table: &Table, node: &Node) -> Result<Vec<Measurement>, InputError> {
    let mut found: Vec<Measurement> = Vec::new();
    for row in table.rows() {
        let Listed { case, refused, .. } = listed(&row, node)?;
        if let Some(reason) = refused {
            return Err(row.wrong("policy", reason));
        }
        let time = |column: &str| -> Result<f64, InputError> {
            let time = row.number(column)?.unwrap_or(0.0);
            if time < 0.0 {
                return Err(row.wrong(column, format!("is {time}; it is a number of at least 0")));
            }
            Ok(time)
        };
        let mut phases = [0.0; PHASES.len()];
        for (phase, column) in phases.iter_mut().zip(PHASES) {
            *phase = time(column)?;
        }
        let [init, to, kernel, exchange, from, fini, barrier, profile, before, after] = phases;
        let part = MeasuredPart {
            init,
            to,
            kernel,
            exchange,
            from,
            fini,
            waiting: barrier + profile + before + after,
            barrier,
            iterations: time("dist_iters")?,
        };
        let ms = row.number("off_total_ms")?.filter(|ms| *ms > 0.0);
        let ms = ms.ok_or_else(|| row.wrong("off_total_ms", "a measured time is above zero".to_owned()))?;
        // The rows of a measurement are adjacent, one for each of its devices.
        match found.last_mut().filter(|last| last.case == case && last.parts.len() < case.devices.len()) {
            Some(last) => {
                last.ms = last.ms.max(ms);
                last.parts.push(part);
            }
            None => found.push(Measurement { case, ms, parts: vec![part] }),
        }
    }
    if found.is_empty() {
        let problem = "holds no measurements; each line below the first is one of a device".to_owned();
        return Err(InputError { file: table.file().to_path_buf(), line: None, column: None, problem });
    }
    if let Some(short) = found.iter().find(|one| one.parts.len() != one.case.devices.len()) {
        let problem = format!(
            "has {} of the {} rows of {} n = {} under {}: one for each device, together",
            short.parts.len(),
            short.case.devices.len(),
            short.case.kernel,
            short.case.n,
            short.case.policy
        );
        return Err(InputError { file: table.file().to_path_buf(), line: None, column: None, problem });
    }
    Ok(found)
}
