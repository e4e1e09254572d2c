//! Data regions on all kinds of devices that a machine without a GPU has: results equal those of plain loops, whatever the
//! devices, the split and the halos.

use apportion::kernel::{Cost, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Dims, Edge, RegionSplit};

mod common;
use common::machines::{emulated, host, runtime};

/// `new[i][j] = i-th row's neighbours`, so that each wrong ghost shows.
fn relax() -> Kernel {
    Kernel::new("relax")
        .host(|rows: Range<usize>, m: u64, old: In<f64>, mut new: Out<f64>| {
            let m = m as usize;
            for i in rows {
                for j in 1..m - 1 {
                    let at = i * m + j;
                    new[at] =
                        0.5 * old[at] + 0.3 * old[at - m] + 0.15 * old[at + m] + 0.05 * (old[at - 1] - old[at + 1]);
                }
            }
        })
        .cost(Cost::per_iteration().flops(100).loads(100).stores(100))
}

fn serial(u: &[f64], n: usize, m: usize, sweeps: usize) -> Vec<f64> {
    let (mut old, mut new) = (u.to_vec(), u.to_vec());
    for _ in 0..sweeps {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let at = i * m + j;
                new[at] = 0.5 * old[at] + 0.3 * old[at - m] + 0.15 * old[at + m] + 0.05 * (old[at - 1] - old[at + 1]);
            }
        }
        std::mem::swap(&mut old, &mut new);
    }
    old
}

#[test]
fn sweeps_with_halos_equal_serial_ones() -> Result<()> {
    let (n, m) = (37, 11);
    let start: Vec<f64> = (0..n * m).map(|i| ((i * 7919) % 1013) as f64).collect();
    let sets: [Vec<String>; 5] = [
        vec![host()],
        vec![emulated("a", 10.0)],
        vec![emulated("a", 10.0), emulated("b", 30.0)],
        vec![host(), emulated("a", 10.0), emulated("b", 5.0)],
        vec![emulated("a", 10.0), host(), emulated("b", 5.0), emulated("c", 1.0)],
    ];
    for set in sets {
        for split in [RegionSplit::Even, RegionSplit::Model] {
            let rt = runtime(&set)?;
            let (mut u, mut v) = (start.clone(), start.clone());
            let mut region = rt.data_region().split(split.clone());
            let mut old = region.tofrom(&mut u, [n, m].halo(1));
            let mut new = region.tofrom(&mut v, [n, m].halo(1));
            let sweeps = 7;
            for _ in 0..sweeps {
                region.parallel_for(1..n - 1, relax().bind().scalar(m as u64).reads(old).writes(new)).run()?;
                std::mem::swap(&mut old, &mut new);
            }
            let report = region.finish()?;
            let expected = serial(&start, n, m, sweeps);
            assert_eq!(v, expected, "{set:?} {split:?}\n{report}");
        }
    }
    let _ = Edge::None;
    Ok(())
}
