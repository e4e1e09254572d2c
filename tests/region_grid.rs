//! Devices in a grid: tiles with ghost cells on all sides, corners too, give what a serial loop gives.

use apportion::kernel::Cost;
use apportion::prelude::*;
use apportion::region::{Arrangement, Dims, Edge, RegionSplit};

mod common;
use common::machines::{emulated, emulated_shared, host, runtime};

/// Weights of the nine cells around one, no two alike, so that each wrong ghost shows.
const WEIGHTS: [[i64; 3]; 3] = [[1, 2, 3], [5, 7, 11], [13, 17, 19]];

fn smooth() -> Kernel {
    Kernel::new("smooth").host_tiles(|rows: Range<usize>, columns: Range<usize>, old: In<i64>, mut new: Out<i64>| {
        let (first, end) = (columns.start as isize, columns.end as isize);
        for i in rows.start as isize..rows.end as isize {
            for j in first..end {
                let around = (0..3).map(|k| {
                    let cells = old.cells(i - 1 + k as isize, j - 1..j + 2);
                    cells
                        .iter()
                        .zip(WEIGHTS[k])
                        .map(|(cell, weight)| cell.wrapping_mul(weight))
                        .fold(0, i64::wrapping_add)
                });
                new.cells_mut(i, j..j + 1)[0] = around.fold(0, i64::wrapping_add);
            }
        }
    })
}

fn outside(x: i64, n: i64, edge: Edge) -> i64 {
    match edge {
        Edge::Periodic => x.rem_euclid(n),
        _ if x < 0 => -x,
        _ if x >= n => 2 * (n - 1) - x,
        _ => x,
    }
}

/// The same, of the cells that are `rim` or more away from the edges.
fn serial(start: &[i64], n: usize, m: usize, edge: Edge, rim: usize, steps: usize) -> Vec<i64> {
    let (mut old, mut new) = (start.to_vec(), start.to_vec());
    for _ in 0..steps {
        for i in rim..n - rim {
            for j in rim..m - rim {
                new[i * m + j] = 0;
                for (k, row) in WEIGHTS.iter().enumerate() {
                    for (l, weight) in row.iter().enumerate() {
                        let r = outside((i + k) as i64 - 1, n as i64, edge) as usize;
                        let c = outside((j + l) as i64 - 1, m as i64, edge) as usize;
                        new[i * m + j] = new[i * m + j].wrapping_add(old[r * m + c].wrapping_mul(*weight));
                    }
                }
            }
        }
        std::mem::swap(&mut old, &mut new);
    }
    old
}

#[test]
fn tiles_equal_a_serial_loop_on_every_grid_and_edge() -> Result<()> {
    let (n, m, steps) = (13, 10, 5);
    let start: Vec<i64> = (0..(n * m) as i64).map(|i| (i * 7919) % 1013).collect();
    let four = || (0..4).map(|i| emulated(&format!("e{i}"), 10.0)).collect::<Vec<_>>();
    let sets = [
        (vec![emulated("a", 10.0)], Arrangement::Square),
        (four(), Arrangement::Square),
        (four(), Arrangement::Grid(1, 4)),
        (four(), Arrangement::Grid(4, 1)),
        ([vec![host()], four()[..3].to_vec()].concat(), Arrangement::Square),
        ([four()[..3].to_vec(), vec![host()]].concat(), Arrangement::Grid(2, 2)),
    ];
    for (set, arrangement) in sets {
        let rt = runtime(&set)?;
        for (edge, rim) in [(Edge::None, 1), (Edge::Periodic, 0), (Edge::Reflecting, 0)] {
            let (mut a, mut b) = (start.clone(), start.clone());
            let mut region = rt.data_region().arrangement(arrangement);
            let mut old = region.tofrom(&mut a, [n, m].halo(1).edge(edge).named("old"));
            let mut new = region.tofrom(&mut b, [n, m].halo(1).edge(edge).named("new"));
            for _ in 0..steps {
                let bound = smooth().bind().reads(old).writes(new);
                region.parallel_for_2d(rim..n - rim, rim..m - rim, bound).run()?;
                std::mem::swap(&mut old, &mut new);
            }
            let report = region.finish()?;
            let expected = serial(&start, n, m, edge, rim, steps);
            assert_eq!(b, expected, "{arrangement:?} {edge:?} {set:?}\n{report}");
        }
    }
    Ok(())
}

#[test]
fn two_devices_in_host_memory_do_not_stand_in_a_grid() -> Result<()> {
    let rt = runtime(&[host(), emulated_shared("other", 10.0)])?;
    let mut a = vec![0i64; 64];
    let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
    let a = region.tofrom(&mut a, [8, 8]);
    let fill = Kernel::new("fill").host_tiles(|rows: Range<usize>, columns: Range<usize>, mut a: Out<i64>| {
        rows.for_each(|i| a.cells_mut(i as isize, columns.start as isize..columns.end as isize).fill(1));
    });
    let error = region.parallel_for_2d(0..8usize, 0..8usize, fill.bind().writes(a)).run().unwrap_err().to_string();
    assert!(error.contains("cannot stand in a grid") && error.contains("arrange the devices in a row"), "{error}");
    Ok(())
}

/// What the report says of a loop over rows and columns: an iteration is a cell, on devices of both kinds of memory.
#[test]
fn times_of_loops_over_rows_and_columns_are_those_of_their_cells() -> Result<()> {
    // 10 million operations a second, 100 of them a cell: 10 us each, and nothing else takes time.
    let rt = runtime(&[emulated("a", 0.01), emulated_shared("s", 0.01)])?;
    let [n, m, loops] = [8usize, 40, 4];
    let mut a = vec![0i64; n * m];
    let fill = Kernel::new("fill")
        .host_tiles(|rows: Range<usize>, columns: Range<usize>, mut a: Out<i64>| {
            rows.for_each(|i| a.cells_mut(i as isize, columns.start as isize..columns.end as isize).fill(1));
        })
        .cost(Cost::per_iteration().flops(100));
    for arrangement in [Arrangement::Grid(2, 1), Arrangement::Row] {
        let mut region = rt.data_region().arrangement(arrangement).split(RegionSplit::Even).rebalance(false);
        let a = region.tofrom(&mut a, [n, m]);
        for _ in 0..loops {
            region.parallel_for_2d(0..n, 1..m - 1, fill.bind().writes(a)).run()?;
        }
        let report = region.finish()?;
        for device in &report.devices {
            let cells = (loops * n / 2 * (m - 2)) as u64;
            assert_eq!((device.loops, device.iterations), (loops as u64, cells), "{report}");
            // Longer on a busy machine, and never shorter.
            assert!(device.kernel.0 >= cells as f64 * 10e-6 * 0.99, "{report}");
            assert!(device.kernel.0 < cells as f64 * 10e-6 * 20.0, "{report}");
        }
    }
    assert_eq!(a, (0..n * m).map(|at| i64::from((1..m - 1).contains(&(at % m)))).collect::<Vec<_>>());
    Ok(())
}
