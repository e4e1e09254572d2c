//! The record of sweeps over numbers of GPUs, from which `apportion plot` draws their figures.

use super::Failed;
use serde_json::{Value, json};
use std::path::Path;

/// Sweeps on one number of GPUs.
pub struct Measured<'m> {
    pub workload: &'m str,
    /// Rows on one GPU.
    pub rows: usize,
    pub gpus: usize,
    /// As many times as many rows as GPUs; else the same.
    pub weak: bool,
    /// Whether the host waits for each sweep's residual.
    pub waits: bool,
    pub times_ms: &'m [f64],
}

/// A run of the record, see docs/record.md.
pub fn run(measured: &Measured<'_>, names: &[String]) -> Value {
    let Measured { workload, rows, gpus, weak, waits, times_ms } = measured;
    let mut policy = json!({"name": "REGION:even"});
    if *waits {
        policy["residual"] = json!("each sweep");
    }
    let (kind, times) = if *weak { ("weak", *gpus) } else { ("strong", 1) };
    json!({
        "workload": workload, "n": rows, "element": "f32", "mode": "real", "residency": "resident",
        "memory": "page-locked", "policy": policy, "cutoff": null, "devices": names[..*gpus], "left_out": [],
        "verified": null, "max_rel_error": null, "times_ms": times_ms, "predicted_ms": null, "imbalance": null,
        "efficiency": null, "per_device": [], "scaling": {"kind": kind, "devices": gpus, "times": times},
        "notes": if *weak { json!([]) } else { json!(["each value is that of one GPU, to the last bit"]) },
    })
}

/// Writes the record.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, runs: &[Value], machine: &Value) -> Failed {
    let created = jiff::Timestamp::from_second(jiff::Timestamp::now().as_second())?;
    let record = json!({
        "schema": "apportion.record/1", "created": created.to_string(), "version": env!("CARGO_PKG_VERSION"),
        "command": "bench-gpu regions", "machine": machine, "runs": runs, "notes": [],
    });
    std::fs::write(path, format!("{record:#}\n")).map_err(|error| format!("{}: {error}", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use apportion_cli::record::{Record, ScalingKind};

    #[test]
    fn the_program_reads_the_record() {
        let names = ["cuda:0".to_owned(), "cuda:1".to_owned()];
        let of = |gpus, weak, waits| {
            let measured = Measured { workload: "jacobi", rows: 512, gpus, weak, waits, times_ms: &[2.0, 1.0] };
            run(&measured, &names)
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("record.json");
        write(&file, &[of(1, false, false), of(2, false, true), of(2, true, false)], &json!({"name": "x"})).unwrap();
        let record = Record::load(&file).unwrap();
        let places: Vec<_> =
            record.runs.iter().filter_map(|run| run.scaling).map(|s| (s.kind, s.devices, s.times)).collect();
        assert_eq!(places, [(ScalingKind::Strong, 1, 1), (ScalingKind::Strong, 2, 1), (ScalingKind::Weak, 2, 2)]);
        assert!(record.runs.iter().all(|run| run.devices.len() as u64 == run.scaling.unwrap().devices));
    }
}
