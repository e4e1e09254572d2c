//! Devices in a grid: tiles with ghost cells on all sides and at corners give what a serial loop gives.

use apportion::kernel::Cost;
use apportion::prelude::*;
use apportion::region::{Arrangement, Dims, Edge, RegionSplit};

mod common;
use common::machines::{emulated, emulated_shared, host, runtime};

/// Weights of a cell and the eight around it, all different, so that each wrong ghost shows.
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

/// The serial result, for cells that are at least `rim` from the edges.
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

/// The report of a loop over rows and columns: an iteration is a cell, on devices of both kinds of memory.
#[test]
fn times_of_loops_over_rows_and_columns_are_those_of_their_cells() -> Result<()> {
    // 10 million operations a second and 100 for each cell: 10 us a cell, with no other costs.
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
            // A busy machine takes longer, but never less time.
            assert!(device.kernel.0 >= cells as f64 * 10e-6 * 0.99, "{report}");
            assert!(device.kernel.0 < cells as f64 * 10e-6 * 20.0, "{report}");
        }
    }
    assert_eq!(a, (0..n * m).map(|at| i64::from((1..m - 1).contains(&(at % m)))).collect::<Vec<_>>());
    Ok(())
}

/// Adds 1 to each cell and counts it.
fn add_one() -> Kernel {
    Kernel::new("add_one").host_tiles(|rows: Range<usize>, columns: Range<usize>, mut a: Out<i64>| -> u64 {
        let (first, end) = (columns.start as isize, columns.end as isize);
        rows.map(|i| a.cells_mut(i as isize, first..end).iter_mut().map(|a| *a += 1).count() as u64).sum()
    })
}

#[test]
fn devices_of_a_grid_ran_cells() -> Result<()> {
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let (n, m) = (6, 10);
    let mut u = vec![0i64; n * m];
    let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
    let u_ = region.tofrom(&mut u, [n, m]);
    for _ in 0..7 {
        region.parallel_for_2d(0..n, 0..m, add_one().bind().updates(u_)).reduce::<u64>(Sum)?;
    }
    let report = region.finish()?;
    assert_eq!(report.devices.iter().map(|device| device.ran).collect::<Vec<_>>(), [210, 210], "{report}");
    assert!(report.devices.iter().all(|device| device.iterations <= device.ran), "{report}");
    Ok(())
}

/// The arrays that follow the loop's columns decide how they are divided, whatever other arrays have.
#[test]
fn columns_are_divided_by_the_arrays_that_follow_them_and_by_no_other() -> Result<()> {
    use apportion::region::Division;
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let (n, m, wide) = (6, 10, 1000);
    for own in [Division::Full, Division::Block] {
        let (mut u, mut v) = (vec![0i64; n * m], vec![0i64; n * m]);
        let (table, later) = (vec![1i64; n * wide], vec![1i64; n * wide]);
        let wide_one = || [n, wide].divide(1, own.clone());
        let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2)).timeline(4);
        let u_ = region.tofrom(&mut u, [n, m]);
        let all = region.to(&table, [n, wide].full());
        let table = region.to(&table, wide_one());
        let add = Kernel::new("add").host_tiles(
            |rows: Range<usize>, columns: Range<usize>, table: In<i64>, mut a: Out<i64>| {
                let _ = table;
                let (first, end) = (columns.start as isize, columns.end as isize);
                rows.for_each(|i| a.cells_mut(i as isize, first..end).iter_mut().for_each(|a| *a += 1));
            },
        );
        let add_to_u = |table| add.bind().reads(table).updates(u_);
        if own == Division::Block {
            // Device `b` has the last 500 columns of it, none of which is the loop's.
            let error = region.parallel_for_2d(0..n, 0..m, add_to_u(table)).run().unwrap_err().to_string();
            assert!(error.contains("runs columns 5..10") && error.contains("owns 500..1000"), "{error}");
            region.parallel_for_2d(0..n, 0..m, add_to_u(all)).run()?;
        } else {
            region.parallel_for_2d(0..n, 0..m, add_to_u(table)).run()?;
        }
        assert_eq!(
            region.parallel_for_2d(0..n, 0..m, add_one().bind().updates(u_)).reduce::<u64>(Sum)?,
            (n * m) as u64
        );
        // Later arrays are divided like earlier ones, whatever was mapped in between.
        let later = region.to(&later, wide_one());
        let v_ = region.tofrom(&mut v, [n, m]);
        let both = Kernel::new("both").host_tiles(
            |rows: Range<usize>, columns: Range<usize>, u: In<i64>, table: In<i64>, mut v: Out<i64>| {
                let _ = table;
                let (first, end) = (columns.start as isize, columns.end as isize);
                rows.for_each(|i| v.cells_mut(i as isize, first..end).copy_from_slice(u.cells(i as isize, first..end)));
            },
        );
        let copy_u = |table| both.bind().reads(u_).reads(table).writes(v_);
        if own == Division::Block {
            let error = region.parallel_for_2d(0..n, 0..m, copy_u(later)).run().unwrap_err().to_string();
            assert!(error.contains("owns 500..1000"), "{error}");
        }
        let with = if own == Division::Block { all } else { later };
        region.parallel_for_2d(0..n, 0..m, copy_u(with)).run()?;
        let report = region.finish()?;
        assert!(report.devices.iter().all(|device| device.iterations >= (n * m / 2) as u64), "{own:?}\n{report}");
        assert_eq!((u, v), (vec![2; n * m], vec![2; n * m]), "{own:?}");
    }
    Ok(())
}

/// A kernel by hand does not say which columns it reads, so each device must own those that go with its iterations.
#[test]
fn kernels_by_hand_are_refused_if_a_device_lacks_their_columns() -> Result<()> {
    use apportion::region::{Division, Target};
    let (n, m) = (6, 10);
    let x: Vec<i64> = (0..(n * m) as i64).collect();
    let copy =
        Kernel::new("copy").host_tiles(|rows: Range<usize>, columns: Range<usize>, x: In<i64>, mut y: Out<i64>| {
            let (first, end) = (columns.start as isize, columns.end as isize);
            rows.for_each(|i| y.cells_mut(i as isize, first..end).copy_from_slice(x.cells(i as isize, first..end)));
        });
    let two = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let fine: Vec<i64> = (0..(n * 2 * m) as i64).collect();
    let (mut y, mut sums) = (vec![-1i64; n * m], vec![0i64; n * m]);
    let mut region = two.data_region().arrangement(Arrangement::Grid(1, 2));
    let y_ = region.from(&mut y, [n, m]);
    let uneven = region.to(&x, [n, m].divide(1, Division::BlockOf(6)).named("uneven"));
    let error = region.parallel_for_2d(1..n, 0..m, copy.bind().reads(uneven).writes(y_)).run().unwrap_err();
    assert!(matches!(error, Error::Call(_)), "{error}");
    let error = error.to_string();
    assert!(error.contains("`uneven`") && error.contains("owns 6..10") && error.contains("alike"), "{error}");
    let even = region.to(&x, [n, m].divide(1, Division::BlockOf(5)));
    region.parallel_for_2d(1..n, 0..m, copy.bind().reads(even).writes(y_)).run()?;

    // Two columns for each of another array's: the numbers differ, but each device has what its iterations need.
    let twice = Division::Align { target: Target::array("sums", 1), ratio: 2.into(), offset: 0 };
    let (fine_, sums_) = (region.to(&fine, [n, 2 * m].divide(1, twice)), region.from(&mut sums, [n, m].named("sums")));
    let pairs = Kernel::new("pairs").host_tiles(
        |rows: Range<usize>, columns: Range<usize>, fine: In<i64>, mut sums: Out<i64>| {
            for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i as isize, j as isize))) {
                sums.cells_mut(i, j..j + 1)[0] = fine.cells(i, 2 * j..2 * j + 2).iter().sum();
            }
        },
    );
    region.parallel_for_2d(0..n, 0..m, pairs.bind().reads(fine_).writes(sums_)).run()?;
    region.finish()?;
    assert_eq!(y[..m], [-1; 10]);
    assert_eq!(y[m..], x[m..]);
    assert_eq!(sums, fine.chunks(2).map(|pair| pair[0] + pair[1]).collect::<Vec<_>>());

    // An array of one dimension does not divide the columns, so each device would run all of them.
    let four = runtime(&(0..4).map(|i| emulated(&format!("e{i}"), 10.0)).collect::<Vec<_>>())?;
    let mut sums = vec![0i64; n];
    let mut region = four.data_region().arrangement(Arrangement::Grid(2, 2));
    let (x_, sums_) = (region.to(&x, [n, m].halo(1).named("x")), region.from(&mut sums, [n]));
    let sum =
        Kernel::new("sum").host_tiles(|rows: Range<usize>, columns: Range<usize>, x: In<i64>, mut sums: Out<i64>| {
            let (first, end) = (columns.start as isize, columns.end as isize);
            rows.for_each(|i| sums[i] = x.cells(i as isize, first..end).iter().sum());
        });
    let error = region.parallel_for_2d(0..n, 0..m, sum.bind().reads(x_).writes(sums_)).run().unwrap_err().to_string();
    assert!(error.contains("`x`") && error.contains("owns 0..5"), "{error}");
    let all = region.to(&x, [n, m].divide(1, Division::Full));
    region.parallel_for_2d(0..n, 0..m, sum.bind().reads(all).writes(sums_)).run()?;
    region.finish()?;
    assert_eq!(sums, x.chunks(m).map(|row| row.iter().sum::<i64>()).collect::<Vec<_>>());
    Ok(())
}

/// The first array that follows the columns may come after a loop; from then on it decides how columns are divided.
/// A border between columns may cut a pair that shares a coarse column: the ghost column has it.
#[test]
fn kernels_by_hand_read_coarse_columns_as_ghosts() -> Result<()> {
    use apportion::region::{Division, Target};
    let (n, m) = (4, 10);
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let (mut fine, coarse): (Vec<i64>, Vec<i64>) = (vec![1; n * m], (0..(n * m / 2) as i64).collect());
    let half = Division::Align { target: Target::array("fine", 1), ratio: (1, 2).into(), offset: 0 };
    let add = Kernel::new("add").host_tiles(
        |rows: Range<usize>, columns: Range<usize>, coarse: In<i64>, mut fine: Out<i64>| {
            for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i as isize, j as isize))) {
                fine.cells_mut(i, j..j + 1)[0] += coarse.cells(i, j / 2..j / 2 + 1)[0];
            }
        },
    );
    let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
    let fine_ = region.tofrom(&mut fine, [n, m].named("fine"));
    let coarse_ = region.to(&coarse, [n, m / 2].divide(1, half).halo(1));
    region.parallel_for_2d(0..n, 0..m, add.bind().reads(coarse_).updates(fine_)).run()?;
    region.finish()?;
    assert_eq!(fine, (0..n * m).map(|at| 1 + coarse[at / 2]).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn arrays_that_follow_the_columns_may_come_after_the_first_loop() -> Result<()> {
    use apportion::region::Division;
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let (mut x, mut u, mut v, mut w) = (vec![0i64; 4 * 7], vec![0i64; 4 * 7], vec![0i64; 4 * 7], vec![0i64; 4 * 90]);
    let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
    let x_ = region.tofrom(&mut x, [4, 7].divide(1, Division::Block));
    assert_eq!(region.parallel_for_2d(0..4, 1..6, add_one().bind().updates(x_)).reduce::<u64>(Sum)?, 20);
    let u_ = region.tofrom(&mut u, [4, 7]);
    assert_eq!(region.parallel_for_2d(0..4, 0..7, add_one().bind().updates(u_)).reduce::<u64>(Sum)?, 28);
    let w_ = region.tofrom(&mut w, [4, 90]);
    let v_ = region.tofrom(&mut v, [4, 7]);
    let both =
        Kernel::new("both").host_tiles(|rows: Range<usize>, columns: Range<usize>, u: In<i64>, mut v: Out<i64>| {
            let (first, end) = (columns.start as isize, columns.end as isize);
            rows.for_each(|i| v.cells_mut(i as isize, first..end).copy_from_slice(u.cells(i as isize, first..end)));
        });
    region.parallel_for_2d(0..4, 0..7, both.bind().reads(u_).writes(v_)).run()?;
    // Columns past those of the other arrays go to the last device, as with rows.
    assert_eq!(region.parallel_for_2d(0..4, 0..90, add_one().bind().updates(w_)).reduce::<u64>(Sum)?, 360);
    region.finish()?;
    assert_eq!((u, v, w), (vec![1; 28], vec![1; 28], vec![1; 360]));
    assert_eq!(x.iter().sum::<i64>(), 20);
    Ok(())
}

/// As with devices in a row: rows are not split within a cell of an array that follows them by a fraction.
#[test]
fn a_grid_splits_rows_between_the_cells_of_fractions() -> Result<()> {
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let (n, m) = (10, 3);
    for arrangement in [Arrangement::Row, Arrangement::Grid(2, 1)] {
        let coarse: Vec<i64> = (0..(n / 2 * m) as i64).collect();
        let mut fine = vec![0i64; n * m];
        let refine = Kernel::new("refine").host_tiles(
            |rows: Range<usize>, columns: Range<usize>, coarse: In<i64>, mut fine: Out<i64>| {
                let (first, end) = (columns.start as isize, columns.end as isize);
                for i in rows {
                    let from = coarse.cells((i / 2) as isize, first..end);
                    fine.cells_mut(i as isize, first..end).copy_from_slice(from);
                }
            },
        );
        let mut region = rt.data_region().arrangement(arrangement).split(RegionSplit::Even);
        let coarse_ = region.to(&coarse, [n / 2, m].ratio((1, 2)));
        let fine_ = region.from(&mut fine, [n, m]);
        region.parallel_for_2d(0..n, 0..m, refine.bind().reads(coarse_).writes(fine_)).run()?;
        region.finish()?;
        let expected: Vec<i64> = (0..n * m).map(|at| coarse[at / m / 2 * m + at % m]).collect();
        assert_eq!(fine, expected, "{arrangement:?}");
    }
    Ok(())
}

/// The exchange is so large that tiles are cut into cells that wait for it and cells that do not, at all four sides.
#[test]
fn tiles_whose_inside_runs_beside_the_exchange_equal_a_serial_loop() -> Result<()> {
    // A ghost column of 40 000 cells of 8 bytes is too much for whole tiles to wait for.
    let (n, m, steps) = (40_000, 14, 3);
    let start: Vec<i64> = (0..(n * m) as i64).map(|i| (i * 7919) % 1013).collect();
    let four = || (0..4).map(|i| emulated(&format!("e{i}"), 10.0)).collect::<Vec<_>>();
    let sets = [
        (four(), Arrangement::Square),
        (four()[..2].to_vec(), Arrangement::Grid(1, 2)),
        ([vec![host()], four()[..3].to_vec()].concat(), Arrangement::Square),
        // Only rows have to wait.
        (four()[..2].to_vec(), Arrangement::Row),
    ];
    for (set, arrangement) in sets {
        let rt = runtime(&set)?;
        for (edge, rim) in [(Edge::None, 1), (Edge::Periodic, 0), (Edge::Reflecting, 0)] {
            if arrangement == Arrangement::Row && edge != Edge::None {
                // With devices in a row, the kernel itself must handle columns past the edges.
                continue;
            }
            let (mut a, mut b) = (start.clone(), start.clone());
            let mut region = rt.data_region().arrangement(arrangement).split(RegionSplit::Even).rebalance(false);
            let mut old = region.tofrom(&mut a, [n, m].halo(1).edge(edge));
            let mut new = region.tofrom(&mut b, [n, m].halo(1).edge(edge));
            for _ in 0..steps {
                let bound = smooth().bind().reads(old).writes(new);
                region.parallel_for_2d(rim..n - rim, rim..m - rim, bound).run()?;
                std::mem::swap(&mut old, &mut new);
            }
            let count = Kernel::new("count").host_tiles(
                |rows: Range<usize>, columns: Range<usize>, around: In<i64>, a: Out<i64>| -> i64 {
                    let _ = a;
                    let (first, end) = (columns.start as isize, columns.end as isize);
                    let cells =
                        rows.map(|i| around.cells(i as isize, first..end).iter().copied().fold(0, i64::wrapping_add));
                    cells.fold(0, i64::wrapping_add)
                },
            );
            let bound = count.bind().reads(old).writes(new);
            let found = region.parallel_for_2d(rim..n - rim, rim..m - rim, bound).reduce::<i64>(Sum)?;
            let report = region.finish()?;
            let expected = serial(&start, n, m, edge, rim, steps);
            assert!(b == expected, "{arrangement:?} {edge:?} {set:?}\n{report}");
            let cells = (rim..n - rim).flat_map(|i| (rim..m - rim).map(move |j| (i, j)));
            let sum = cells.fold(0i64, |sum, (i, j)| sum.wrapping_add(expected[i * m + j]));
            assert_eq!(found, sum, "each cell once: {arrangement:?} {edge:?} {set:?}");
            assert!(report.exchanged.0 > 0, "{report}");
        }
    }
    Ok(())
}
