//! Lists of cases: tables in the format of the authors' result files, one case per line.

use crate::InputError;
use crate::csv::{Row, Table};
use crate::kernels::Kernel;
use crate::node::{Kind, Node};
use crate::policies::{NAMES, Policy};
use crate::simulate::Case;
use std::path::Path;

/// Columns that a list of cases must have.
pub const COLUMNS: [&str; 6] = ["kernel", "size", "devices", "policy", "chunk_pct", "cutoff_pct"];

/// A column that it may have: the sweeps of stencil2d and bm2d.
pub const SWEEPS: &str = "sweeps_per_run";

/// Largest size: more than any array of the node holds.
const LARGEST: u64 = 1_000_000_000_000;
/// Smallest chunk, in percent: 100000 chunks.
const SMALLEST_CHUNK: f64 = 0.001;
/// What the column of devices should hold.
const DEVICES: &str =
    "a list such as `0(HOSTCPU:0)-1(NVGPU:0)-2(ITLMIC:1)`: index, kind and number of each, `-` between";

/// A case with its fields as written.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The fields of [`COLUMNS`].
    pub fields: [String; 6],
    /// The case that they describe.
    pub case: Case,
    /// Why the authors' runtime does not run it, and which policies it would run.
    pub refused: Option<String>,
    /// The line, from 1.
    pub line: u64,
}

/// Reads a list of cases. Further columns are ignored, except [`SWEEPS`].
///
/// # Errors
/// Names file, line and column, and says what would be right.
pub fn load(file: &Path, node: &Node) -> Result<Vec<Listed>, InputError> {
    let table = Table::load(file, &COLUMNS)?;
    let cases = table.rows().map(|row| listed(&row, node)).collect::<Result<Vec<_>, _>>()?;
    if cases.is_empty() {
        let problem = "holds no cases; each line below the first is one".to_owned();
        return Err(InputError { file: file.to_path_buf(), line: None, column: None, problem });
    }
    Ok(cases)
}

/// One row as a case.
///
/// # Errors
/// As [`load`].
pub fn listed(row: &Row<'_>, node: &Node) -> Result<Listed, InputError> {
    let kernels = Kernel::ALL.map(Kernel::name).join(", ");
    let name = row.need("kernel", &format!("there are {kernels}"))?;
    let kernel = Kernel::named(name)
        .ok_or_else(|| row.wrong("kernel", format!("there is no kernel `{name}`; there are {kernels}")))?;
    let n = whole(row, "size")?
        .ok_or_else(|| row.wrong("size", "is empty; it is the loop's number of iterations".to_owned()))?;
    let policy = policy(row)?;
    let refused = (kernel == Kernel::Stencil2d && !policy.one_chunk_each()).then(|| {
        format!(
            "{} does not run stencil2d, whose arrays stay on the devices: use BLOCK, MODEL_1_AUTO or MODEL_2_AUTO",
            policy.name()
        )
    });
    let cutoff = row.number("cutoff_pct")?;
    if let Some(cutoff) = cutoff.filter(|cutoff| !(0.0..100.0).contains(cutoff)) {
        return Err(
            row.wrong("cutoff_pct", format!("is {cutoff}; it is a percentage from 0 to below 100, or empty for none"))
        );
    }
    let case = Case {
        kernel,
        n,
        devices: devices(row, node)?,
        policy,
        cutoff: cutoff.map(|cutoff| cutoff / 100.0),
        sweeps: whole(row, SWEEPS)?,
    };
    let fields = COLUMNS.map(|column| row.get(column).unwrap_or_default().to_owned());
    Ok(Listed { fields, case, refused, line: row.line() })
}

fn whole(row: &Row<'_>, column: &str) -> Result<Option<u64>, InputError> {
    let Some(text) = row.get(column) else { return Ok(None) };
    let number = text.parse().ok().filter(|number| (1..=LARGEST).contains(number));
    number.map(Some).ok_or_else(|| row.wrong(column, format!("`{text}` is no whole number from 1 to {LARGEST}")))
}

fn policy(row: &Row<'_>) -> Result<Policy, InputError> {
    let known = NAMES.map(|(name, _)| name).join(", ");
    let name = row.need("policy", &format!("there are {known}"))?;
    let Some((_, with_number)) = NAMES.iter().find(|(there, _)| *there == name) else {
        return Err(row.wrong("policy", format!("there is no policy `{name}`; there are {known}")));
    };
    let mut percent = 0.0;
    if *with_number {
        percent = row.number("chunk_pct")?.ok_or_else(|| {
            row.wrong(
                "chunk_pct",
                format!("is empty; {name} needs its chunk or sample in percent of the loop, such as 5"),
            )
        })?;
        if !(SMALLEST_CHUNK..=100.0).contains(&percent) {
            let problem = format!("is {percent}; it is a percentage from {SMALLEST_CHUNK} to 100");
            return Err(row.wrong("chunk_pct", problem));
        }
    }
    // Cannot fail: `named` knows all names in the list.
    Policy::named(name, percent).ok_or_else(|| row.wrong("policy", format!("there are {known}")))
}

fn devices(row: &Row<'_>, node: &Node) -> Result<Vec<usize>, InputError> {
    let text = row.need("devices", &format!("it is {DEVICES}"))?;
    let wrong = |problem: String| row.wrong("devices", problem);
    let mut found = Vec::new();
    for part in text.split('-').map(str::trim) {
        let inner = part.split_once('(').and_then(|(index, rest)| {
            let digits = index.trim().chars().all(|c| c.is_ascii_digit());
            rest.strip_suffix(')').filter(|_| digits)
        });
        let (kind, number) = inner
            .and_then(|inner| inner.split_once(':'))
            .ok_or_else(|| wrong(format!("`{part}` in `{text}` is no device; the column holds {DEVICES}")))?;
        let kind = Kind::ALL.into_iter().find(|there| there.name() == kind.trim()).ok_or_else(|| {
            let known = Kind::ALL.map(Kind::name).join(", ");
            wrong(format!("there is no kind of device `{}`; there are {known}", kind.trim()))
        })?;
        let device = number.trim().parse().ok().and_then(|number: usize| {
            node.devices.iter().position(|device| device.kind == kind && device.number == number)
        });
        let device = device.ok_or_else(|| {
            let count = node.devices.iter().filter(|device| device.kind == kind).count();
            wrong(format!("the node has no {kind}:{}; it has {count} of that kind, numbered from 0", number.trim()))
        })?;
        if found.contains(&device) {
            return Err(wrong(format!("names {kind}:{} twice", number.trim())));
        }
        found.push(device);
    }
    Ok(found)
}

/// Devices of a case in the format of the result files.
pub fn device_list(node: &Node, devices: &[usize]) -> String {
    let name = |(index, &device): (usize, &usize)| {
        let device = &node.devices[device];
        format!("{index}({}:{})", device.kind, device.number)
    };
    devices.iter().enumerate().map(name).collect::<Vec<_>>().join("-")
}

/// The fields of [`COLUMNS`] of a case.
pub fn fields(node: &Node, case: &Case) -> [String; 6] {
    let percent = |share: f64| (share * 1e8).round() / 1e6;
    [
        case.kernel.name().to_owned(),
        case.n.to_string(),
        device_list(node, &case.devices),
        case.policy.name().to_owned(),
        case.policy.percent().map_or_else(String::new, |percent| percent.to_string()),
        case.cutoff.map_or_else(String::new, |share| percent(share).to_string()),
    ]
}
