//! Kernels from one Rust function beside those by hand, on one GPU with the arrays on it.

use crate::{Failed, gpus};
use apportion::kernel::ElementType;
use apportion_benches::forms::{Effort, HEADER, cases, compare, table};
use std::time::Duration;

/// Sizes as in the papers, or so large that the arrays are beyond the caches.
const SIZES: [usize; 11] = [1 << 28, 1 << 28, 16_384, 2048, 16_384, 4096, 16_384, 16_384, 512, 8192, 2048];
const QUICK: [usize; 11] = [1 << 20, 1 << 20, 1024, 256, 1024, 256, 1024, 1024, 64, 512, 256];

/// `single [quick]`: all workloads and applications in both precisions. matmul by hand is a library's on GPUs, and is not
/// compared.
pub fn run(quick: bool) -> Failed {
    let (rt, ids) = gpus()?;
    let one = ids[0].to_string();
    let effort = Effort { rounds: if quick { 5 } else { 15 }, time: Duration::from_millis(if quick { 2 } else { 30 }) };
    println!("{HEADER}");
    let mut lines = Vec::new();
    for case in cases(if quick { QUICK } else { SIZES }) {
        for element in [ElementType::F32, ElementType::F64] {
            // Its frames are of bytes.
            if case.name == "bm2d" && element == ElementType::F64 {
                continue;
            }
            let line = compare(&rt, &one, case, element, effort)?;
            println!("{}", line.csv());
            lines.push(line);
        }
    }
    eprintln!("{}", table(&lines));
    Ok(())
}
