//! A table of loops beside hand-written CUDA that was measured on the same machine.
//!
//! The second file has the columns `workload,size,gpus,variant,median_ms,..`, with variants named by what they copy:
//! `e2e-pinned..` page-locked arrays, `e2e-..` plain ones, `hybrid-pinned..` and `hybrid-staged..` on CPU and GPUs,
//! `cpu-..`. The best variant of each kind is taken. Times are medians; a ratio above 1 says that the loop is faster.

use crate::Failed;
use std::collections::BTreeMap;

/// A CSV file with a header, as maps from column to cell. No cell has a comma in it.
fn read(path: &str) -> Failed<Vec<BTreeMap<String, String>>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let cells = |line: &str| header.iter().zip(line.split(',')).map(|(h, c)| ((*h).to_owned(), c.to_owned())).collect();
    Ok(lines.map(cells).collect())
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row.get(column).and_then(|cell| cell.parse().ok()).unwrap_or(f64::NAN)
}

/// The best hand-written variant for a loop: its name and its median.
fn hand<'h>(rows: &'h [BTreeMap<String, String>], [workload, n, devices, memory]: [&str; 4]) -> Option<(&'h str, f64)> {
    let (gpus, kind) = match devices.strip_prefix("cpu+") {
        Some(gpus) => (gpus, if memory == "plain" { "hybrid-staged" } else { "hybrid-pinned" }),
        None if devices == "cpu" => ("0", "cpu-"),
        None => (devices, if memory == "plain" { "e2e-" } else { "e2e-pinned" }),
    };
    let fits = |row: &&BTreeMap<String, String>| {
        let (size, variant) = (row["size"].as_str(), row["variant"].as_str());
        // `48000x48000`, `6144^3`, `16384x16384x1`: one sweep.
        let same = size.split(['x', '^']).next() == Some(n) && (workload != "stencil2d" || size.ends_with("x1"));
        let other = ["tf32", "naive", "tiled"].iter().any(|word| variant.contains(word))
            || (memory == "plain" && variant.starts_with("e2e-pinned"));
        row["workload"] == workload && row["gpus"] == gpus && same && variant.starts_with(kind) && !other
    };
    let fitting = rows.iter().filter(fits).map(|row| (row["variant"].as_str(), number(row, "median_ms")));
    fitting.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// What devices are called that ran alone, in turns with loops on others too.
const IN_TURNS: &str = " in turns";

/// Prints the table, in Markdown. Of CPU and GPUs together the last column compares with the better of the two alone, in turns.
pub fn print(files: &[&str]) -> Failed {
    let [loops @ .., by_hand] = files else {
        return Err("ratios needs files of loops, then one of hand-written CUDA".into());
    };
    let by_hand = read(by_hand)?;
    println!(
        "| loop | devices | memory | best policy | ms | hand-written | ms | ratio | block ms | imbalance | by the better alone |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for file in loops {
        let rows = read(file)?;
        let mut groups: Vec<[&str; 4]> = Vec::new();
        let key = |row: &'_ BTreeMap<String, String>| ["workload", "n", "devices", "memory"].map(|c| row[c].clone());
        for row in &rows {
            let group = ["workload", "n", "devices", "memory"].map(|column| row[column].as_str());
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        for group in groups.iter().copied().filter(|[_, _, devices, _]| !devices.ends_with(IN_TURNS)) {
            let alone = |row: &&BTreeMap<String, String>| {
                let same =
                    ["workload", "n", "memory"].iter().zip([group[0], group[1], group[3]]).all(|(c, g)| row[*c] == g);
                same && group[2].starts_with("cpu+") && row["devices"].ends_with(IN_TURNS)
            };
            let alone = rows.iter().filter(alone).map(|row| number(row, "median_ms")).fold(f64::NAN, f64::min);
            let mine: Vec<_> = rows.iter().filter(|row| key(row) == group.map(str::to_owned)).collect();
            if mine.iter().any(|row| row["verified"] != "true") {
                return Err(format!("{file}: {group:?} has a wrong result").into());
            }
            let best = mine.iter().min_by(|a, b| number(a, "median_ms").total_cmp(&number(b, "median_ms")));
            let Some(best) = best else { continue };
            let block =
                mine.iter().find(|row| row["policy"] == "BLOCK").map_or(f64::NAN, |row| number(row, "median_ms"));
            let ms = number(best, "median_ms");
            let (name, theirs) = hand(&by_hand, group).unwrap_or(("-", f64::NAN));
            let [workload, n, devices, memory] = group;
            println!(
                "| {workload} {n} | {devices} | {memory} | {} | {ms:.3} | {name} | {theirs:.3} | {:.3} | {block:.3} | {:.1} % | {:.3} |",
                best["policy"],
                theirs / ms,
                number(best, "imbalance") * 100.0,
                alone / ms
            );
        }
    }
    Ok(())
}
