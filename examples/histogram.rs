//! A histogram on all devices: `cargo run --release --example histogram [VALUES]`.
//!
//! Any iteration may add to any bin. `#[map(..: reduce(Sum))]` says so: each device has its own bins, and all are added up at the
//! end.

use apportion::prelude::*;

/// Value `i` goes into the bin of its size.
#[kernel]
#[map(bins: reduce(Sum))]
pub fn histogram(i: usize, values: &[f32], bins: &mut [u32]) {
    bins[(values[i] * 16.0) as usize] += 1;
}

/// The histogram of `count` values from 0 to 1.
pub fn run(rt: &Runtime, count: usize) -> Result<()> {
    let values: Vec<f32> = (0..count).map(|i| ((i * 7919 + i / 13) % 1000) as f32 / 1000.0).collect();
    let mut bins = vec![0u32; 16];
    let report = rt.parallel_for(0..count, histogram(&values, &mut bins)).run()?;
    print!("{report}");

    let mut expected = vec![0u32; 16];
    for value in &values {
        expected[(value * 16.0) as usize] += 1;
    }
    for (bin, (count, expected)) in bins.iter().zip(&expected).enumerate() {
        println!("from {:.4}: {count}", bin as f64 / 16.0);
        assert_eq!(count, expected, "bin {bin}");
    }
    Ok(())
}

fn main() -> Result<()> {
    run(
        &Runtime::detect()?,
        std::env::args().nth(1).map_or(10_000_000, |text| text.parse().expect("VALUES is a number")),
    )
}
