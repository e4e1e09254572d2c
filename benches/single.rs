//! What kernels from one Rust function lose, or gain, beside those by hand on the CPU:
//! `cargo run --release -p apportion-benches --bin single [-- --quick] [NAME ..]`. CSV comes on standard output, a table on
//! standard error. On a GPU it is `--bin gpu single`.

use apportion::kernel::ElementType;
use apportion_benches::forms::{Effort, HEADER, cases, compare, table};
use apportion_benches::host;
use std::process::ExitCode;
use std::time::Duration;

/// Arrays beyond most caches, and of what grows faster than its arrays as much as takes milliseconds.
const SIZES: [usize; 11] = [4_000_000, 8_000_000, 2048, 256, 1536, 256, 1536, 1536, 128, 768, 384];
const QUICK: [usize; 11] = [100_000, 200_000, 256, 64, 256, 64, 256, 256, 32, 128, 64];

fn main() -> ExitCode {
    let (quick, names): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word == "--quick");
    match run(!quick.is_empty(), &names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(quick: bool, names: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let cases = cases(if quick { QUICK } else { SIZES });
    if let Some(unknown) = names.iter().find(|name| cases.iter().all(|case| case.name != **name)) {
        let known: Vec<_> = cases.iter().map(|case| case.name).collect();
        return Err(format!("there is no `{unknown}`; there are {}", known.join(", ")).into());
    }
    let rt = host::runtime()?.without_history();
    let effort = if quick {
        Effort { rounds: 5, time: Duration::from_millis(2) }
    } else {
        Effort { rounds: 15, time: Duration::from_millis(50) }
    };
    println!("{HEADER}");
    let mut lines = Vec::new();
    for case in cases.into_iter().filter(|case| names.is_empty() || names.iter().any(|name| name == case.name)) {
        for element in [ElementType::F32, ElementType::F64] {
            // Its frames are of bytes.
            if case.name == "bm2d" && element == ElementType::F64 {
                continue;
            }
            let line = compare(&rt, "0", case, element, effort)?;
            println!("{}", line.csv());
            lines.push(line);
        }
    }
    eprintln!("{}", table(&lines));
    Ok(())
}
