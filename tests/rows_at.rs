//! Rows of different lengths, as those of a sparse matrix: each device has the elements of its iterations, in loops over plain
//! arrays and in data regions, whatever divides these.

mod common;

use apportion::data::RowsAt;
use apportion::kernel::{In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Dims, Division, Offsets, RegionSplit, Target};
use apportion::runtime::DeviceReport;
use common::{Emulated, FAST, SHARED, SLOW, emulated_machine};
use proptest::prelude::*;

/// A matrix of whole numbers in compressed rows, with columns at most `width` from the row.
#[derive(Clone, Debug)]
struct Sparse {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<i64>,
    width: usize,
}

impl Sparse {
    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn elements(&self, i: usize) -> Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    fn times(&self, x: &[i64]) -> Vec<i64> {
        let row = |i| self.elements(i).map(|k| self.values[k] * x[self.columns[k] as usize]).sum();
        (0..self.rows()).map(row).collect()
    }
}

/// Rows of a few elements or of none, one of many, and rows without any at either end.
fn sparse() -> impl Strategy<Value = Sparse> {
    let long = prop_oneof![Just(0), 0u32..80, Just(3000)];
    let most = prop::sample::select(vec![7u32, 7, 7, 1, 100]);
    let lengths = most.prop_flat_map(|most| prop::collection::vec(0..most, 1..60));
    let lengths = (lengths, 0usize..60, long, 0usize..4, 0usize..4);
    (lengths, 0usize..20, any::<u64>()).prop_map(|((mut lengths, long, length, before, after), width, seed)| {
        let long = long % lengths.len();
        lengths[long] = length;
        let lengths: Vec<u32> = vec![0; before].into_iter().chain(lengths).chain(vec![0; after]).collect();
        let n = lengths.len();
        let mut state = seed | 1;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let mut of = Sparse { starts: vec![0], columns: Vec::new(), values: Vec::new(), width };
        for (i, length) in lengths.into_iter().enumerate() {
            let (low, high) = (i.saturating_sub(width), (i + width).min(n - 1));
            for _ in 0..length {
                of.columns.push((low + next(high - low + 1)) as u32);
                of.values.push(next(2001) as i64 - 1000);
            }
            of.starts.push(of.columns.len() as u32);
        }
        of
    })
}

/// Row `i` of a product, and its sum.
fn product() -> Kernel {
    Kernel::new("product").host(
        |rows: Range<usize>, starts: In<u32>, columns: In<u32>, values: In<i64>, x: In<i64>, mut y: Out<i64>| {
            let mut all = 0i64;
            for i in rows {
                let elements = starts[i] as usize..starts[i + 1] as usize;
                // Those of its own rows, and no others.
                assert!(
                    elements.is_empty()
                        || columns.section().start <= elements.start && elements.end <= columns.section().end
                );
                y[i] = elements.map(|k| values[k] * x[columns[k] as usize]).sum();
                all += y[i];
            }
            all
        },
    )
}

/// Multiplies the elements of each row by a number of the row's own.
fn scale() -> Kernel {
    Kernel::new("scale").host(|rows: Range<usize>, starts: In<u32>, by: In<i64>, mut values: Out<i64>| {
        for i in rows {
            values.slice_mut(starts[i] as usize..starts[i + 1] as usize).iter_mut().for_each(|value| *value *= by[i]);
        }
    })
}

fn devices() -> impl Strategy<Value = Vec<Emulated>> {
    prop::collection::vec(prop_oneof![Just(FAST), Just(SLOW), Just(SHARED)], 1..5)
}

fn policy() -> impl Strategy<Value = Policy> {
    let texts = [
        "BLOCK",
        "SCHED_DYNAMIC:3",
        "SCHED_DYNAMIC:7%",
        "SCHED_GUIDED:30%",
        "MODEL_1_AUTO",
        "MODEL_2_AUTO",
        "SCHED_PROFILE_AUTO:20%",
        "MODEL_PROFILE_AUTO:20%",
        "HGUIDED",
        "ADAPTIVE",
        "AUTO",
    ];
    prop::sample::select(texts.to_vec()).prop_map(|text| text.parse().unwrap())
}

fn split(devices: usize) -> impl Strategy<Value = RegionSplit> {
    prop_oneof![
        Just(RegionSplit::Even),
        Just(RegionSplit::default()),
        prop::collection::vec(1u32..20, devices)
            .prop_map(|weights| RegionSplit::Weights(weights.into_iter().map(f64::from).collect())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn loops_over_plain_arrays_have_the_elements_of_their_rows(of in sparse(), devices in devices(), policy in policy()) {
        let rt = Runtime::from_machine(emulated_machine(&devices)).unwrap();
        let n = of.rows();
        let x: Vec<i64> = (0..n as i64).map(|i| i * i % 31 - 7).collect();
        let (mut y, mut values) = (vec![-1; n], of.values.clone());
        let bound = product()
            .bind()
            .to(&of.starts).align().halo_sides(0, 1)
            .to(&of.columns).rows_at(&of.starts)
            .to(&of.values).rows_at(&of.starts)
            .to(&x).align().halo(of.width)
            .from(&mut y).align();
        let all = rt.parallel_for(0..n, bound).policy(policy.clone()).reduce::<i64>(Sum).unwrap();
        let wanted = of.times(&x);
        prop_assert_eq!(&y, &wanted);
        prop_assert_eq!(all.value, wanted.iter().sum::<i64>());
        let ran = |of: fn(&DeviceReport) -> u64| all.report.devices.iter().map(of).sum::<u64>();
        // `columns` and `values` have the same rows.
        prop_assert_eq!((ran(|d| d.iterations), ran(|d| d.elements)), (n as u64, of.values.len() as u64));

        let bound =
            scale().bind().to(&of.starts).align().halo_sides(0, 1).to(&x).align().tofrom(&mut values).rows_at(&of.starts);
        rt.parallel_for(0..n, bound).policy(policy).run().unwrap();
        for i in 0..n {
            let scaled: Vec<i64> = of.elements(i).map(|k| of.values[k] * x[i]).collect();
            prop_assert_eq!(&values[of.elements(i)], &scaled[..], "row {}", i);
        }
    }

    #[test]
    fn regions_divide_elements_by_their_rows(
        (of, (devices, split)) in (sparse(), devices().prop_flat_map(|devices| {
            let split = split(devices.len());
            (Just(devices), split)
        }))
    ) {
        let rt = Runtime::from_machine(emulated_machine(&devices)).unwrap();
        let n = of.rows();
        let mut x: Vec<i64> = (0..n as i64).map(|i| i * i % 31 - 7).collect();
        let (mut y, mut values) = (vec![-1i64; n], of.values.clone());
        let nnz = of.values.len();
        let (mut wanted, mut sums, mut scaled) = (x.clone(), Vec::new(), of.clone());
        for _ in 0..3 {
            let next = scaled.times(&wanted);
            for (i, y) in next.iter().enumerate() {
                of.elements(i).for_each(|k| scaled.values[k] = scaled.values[k] * (y & 3) + 1 - (y & 3));
            }
            wanted = next.iter().map(|v| v % 97).collect();
            sums.push(next.iter().sum::<i64>());
        }
        let mut region = rt.data_region().split(split);
        // Mapped in front of what says where its rows are.
        let columns = region.to(&of.columns, [nnz].align_with("values", 1));
        let values_ = region.tofrom(&mut values, [nnz].rows_at(&of.starts).named("values"));
        let starts = region.to(&of.starts, [n + 1].halo_sides(0, 1));
        let (x_, y_) = (region.tofrom(&mut x, [n].halo(of.width)), region.from(&mut y, [n]));
        let change = Kernel::new("change").host(|rows: Range<usize>, starts: In<u32>, y: In<i64>, mut values: Out<i64>, mut x: Out<i64>| {
            for i in rows {
                let by = y[i] & 3;
                values.slice_mut(starts[i] as usize..starts[i + 1] as usize).iter_mut().for_each(|v| *v = *v * by + 1 - by);
                x[i] = y[i] % 97;
            }
        });
        for sum in &sums {
            let bound = product().bind().reads(starts).reads(columns).reads(values_).reads(x_).writes(y_);
            prop_assert_eq!(region.parallel_for(0..n, bound).reduce::<i64>(Sum).unwrap(), *sum);
            region.parallel_for(0..n, change.bind().reads(starts).reads(y_).updates(values_).writes(x_)).run().unwrap();
        }
        region.finish().unwrap();
        prop_assert_eq!(&x, &wanted);
        prop_assert_eq!(&values, &scaled.values);
    }
}

/// What a call says that cannot be.
fn told(result: Result<impl std::fmt::Debug>, says: &[&str]) {
    let text = result.unwrap_err().to_string();
    assert!(says.iter().all(|says| text.contains(says)), "{text}");
}

#[test]
fn tables_that_do_not_fit_are_refused() -> Result<()> {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, SLOW]))?;
    let kernel = Kernel::new("k").host(|_: Range<usize>, _: In<i64>, _: Out<i64>| ());
    let (x, mut y) = (vec![1i64; 10], vec![0i64; 4]);
    for (at, says) in [
        (&[][..], ["begin where 0 numbers say", "take 5"]),
        (&[0, 2, 4, 6], ["4 numbers", "one more than there are iterations"]),
        (&[0, 2, 4, 6, 11], ["number 4 of the table of its `rows_at` is 11", "it has 10 rows"]),
        (&[-1, 2, 4, 6, 8], ["number 0", "below 0"]),
        (&[8, 2, 4, 6, 7], ["number 4 of the table of its `rows_at` is 7", "one before it, 8"]),
    ] {
        told(rt.parallel_for(0..4, kernel.bind().to(&x).rows_at(at).from(&mut y).align()).run(), &says);
        let mut region = rt.data_region();
        let (x_, y_) = (region.to(&x, [10].rows_at(at).named("x")), region.from(&mut y, [4]));
        let result = region.parallel_for(0..4, kernel.bind().reads(x_).writes(y_)).run();
        told(result, &["`x`"]);
    }
    Ok(())
}

#[test]
fn regions_say_what_a_table_does_not_go_with() -> Result<()> {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, FAST]))?;
    let kernel = Kernel::new("k").host(|_: Range<usize>, _: In<i64>, _: Out<i64>| ());
    let (x, mut y) = (vec![1i64; 10], vec![0i64; 4]);
    let starts = [0u32, 2, 2, 6, 10];
    {
        let mut region = rt.data_region();
        let (x_, _y) = (region.to(&x, [10].rows_at(&starts).named("x")), region.from(&mut y, [4]));
        let alone = Kernel::new("alone").host(|_: Range<usize>, _: In<i64>| ());
        told(region.parallel_for(0..4, alone.bind().reads(x_)).run(), &["`x`", "which device runs which iterations"]);
    }
    {
        let mut region = rt.data_region();
        let follows = Division::RowsAt { target: Target::array("y", 0), offsets: Offsets::new(RowsAt::from(&starts)) };
        let x_ = region.to(&x, [10].divide(0, follows).named("x"));
        let y_ = region.from(&mut y, [4].divide(0, Division::Cyclic(1)).named("y"));
        told(region.parallel_for(0..4, kernel.bind().reads(x_).writes(y_)).run(), &["`x`", "CYCLIC"]);
    }
    let mut region = rt.data_region();
    let x_ = region.to(&x, [10].rows_at(&starts).on("e0").named("x"));
    let y_ = region.from(&mut y, [4]);
    told(region.parallel_for(0..4, kernel.bind().reads(x_).writes(y_)).run(), &["`x`", "`.on(\"e0\")`", "`.full()`"]);
    drop(region);
    {
        // A single device runs all iterations.
        let one = Runtime::from_machine(emulated_machine(&[FAST]))?;
        let mut region = one.data_region();
        let x_ = region.to(&x, [10].rows_at(&starts));
        let total = Kernel::new("total").host(|_: Range<usize>, x: In<i64>| x.slice(x.section()).iter().sum::<i64>());
        let sum: i64 = region.parallel_for(0..4, total.bind().reads(x_)).reduce(Sum)?;
        assert_eq!(sum, 10);
    }
    let mut region = rt.data_region();
    let x_ = region.to(&x, [10].rows_at(&starts).offset(2).named("x"));
    let y_ = region.from(&mut y, [4]);
    told(region.parallel_for(0..4, kernel.bind().reads(x_).writes(y_)).run(), &["`x`", "`.offset(2)`"]);
    Ok(())
}

/// Threads that write share out the rows of a chunk by the numbers in between, too.
#[test]
fn no_two_iterations_write_the_same_rows() -> Result<()> {
    let kernel = Kernel::new("k").host(|_: Range<usize>, _: In<i64>, mut v: Out<i64>| {
        let own = v.section();
        v.slice_mut(own).iter_mut().for_each(|v| *v += 1);
    });
    let n = 4096;
    let overlapping: Vec<u64> = (0..=n).map(|i| if i == n { n } else { 2 * (i % (n / 2)) }).collect();
    let far = |place: usize, number: u64| (0..=n).map(|i| if i as usize == place { number } else { i }).collect();
    let tables: Vec<Vec<u64>> = vec![overlapping, far(1, u64::MAX), far(7, 5 + i64::MAX as u64), far(4000, 3)];
    for machine in [common::host_machine(), emulated_machine(&[FAST, SLOW]), emulated_machine(&[SHARED])] {
        let rt = Runtime::from_machine(machine)?;
        let i = vec![0i64; n as usize];
        for table in &tables {
            let mut v = vec![0i64; n as usize];
            let bound = kernel.bind().to(&i).align().tofrom(&mut v).rows_at(table);
            told(rt.parallel_for(0..n, bound).run(), &["of the table of its `rows_at` is"]);
            assert!(v.iter().all(|v| *v == 0));
        }
        let mut v = vec![0i64; n as usize];
        rt.parallel_for(0..n, kernel.bind().to(&i).align().tofrom(&mut v).rows_at(&far(9, 9))).run()?;
        assert!(v.iter().all(|v| *v == 1));
    }
    Ok(())
}

/// Half of the rows are a hundred times as long as the others, and what one device has room for the other has not.
#[test]
fn the_model_finds_the_split_that_fits() -> Result<()> {
    let room = |memory_mib: f64| Emulated { memory_mib, ..FAST };
    let rt = Runtime::from_machine(emulated_machine(&[room(1.2), room(3.2)]))?;
    let n = 1000;
    let starts: Vec<u64> = (0..=n).map(|i: u64| if i <= 500 { 10 * i } else { 5000 + 1000 * (i - 500) }).collect();
    let x = vec![1i64; starts[n as usize] as usize];
    let mut y = vec![0i64; n as usize];
    let sums = Kernel::new("sums").host(|rows: Range<usize>, starts: In<u64>, x: In<i64>, mut y: Out<i64>| {
        rows.for_each(|i| y[i] = x.slice(starts[i] as usize..starts[i + 1] as usize).iter().sum());
    });
    let mut region = rt.data_region();
    let starts_ = region.to(&starts, [starts.len()].halo_sides(0, 1));
    let (x_, y_) = (region.to(&x, [x.len()].rows_at(&starts)), region.from(&mut y, [n as usize]));
    region.parallel_for(0..n, sums.bind().reads(starts_).reads(x_).writes(y_)).run()?;
    region.finish()?;
    assert!(y[..500].iter().all(|y| *y == 10) && y[500..].iter().all(|y| *y == 1000));
    Ok(())
}

/// Row `i` of `n` has `n / (i + 1)` elements.
fn power_law(n: usize) -> Sparse {
    let mut of = Sparse { starts: vec![0], columns: Vec::new(), values: Vec::new(), width: n };
    for i in 0..n {
        for k in 0..n / (i + 1) {
            of.columns.push((k * 7 % n) as u32);
            of.values.push((i + k) as i64 % 100 - 50);
        }
        of.starts.push(of.columns.len() as u32);
    }
    of
}

/// The report of the product under a policy on four equal devices, once the result is as it should be.
fn shares(of: &Sparse, policy: &str) -> Result<Report> {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, FAST, FAST, FAST]))?;
    let x: Vec<i64> = (0..of.rows() as i64).collect();
    let mut y = vec![0; of.rows()];
    let bound = product()
        .bind()
        .to(&of.starts)
        .align()
        .halo_sides(0, 1)
        .to(&of.columns)
        .rows_at(&of.starts)
        .to(&of.values)
        .rows_at(&of.starts)
        .to(&x)
        .from(&mut y)
        .align();
    let product = rt.parallel_for(0..of.rows(), bound).policy(policy).reduce::<i64>(Sum)?;
    assert_eq!(y, of.times(&x));
    Ok(product.report)
}

/// Bytes of all arrays of such a product before a row.
fn bytes_before(of: &Sparse, row: u64) -> u64 {
    (4 + 8) * row + (4 + 8) * u64::from(of.starts[row as usize])
}

#[test]
fn blocks_of_a_skewed_matrix_have_equal_work() -> Result<()> {
    let of = power_law(2000);
    let (elements, longest) = (of.values.len() as u64, 2000);
    // The first quarter of the rows would have three quarters of the elements and more.
    assert!(4 * u64::from(of.starts[500]) > 3 * elements);
    let report = shares(&of, "BLOCK")?;
    let mut at = 0;
    let bytes_before = |row| bytes_before(&of, row);
    let quarter = bytes_before(2000) / 4;
    for device in &report.devices {
        let rows = at..at + device.iterations;
        let bytes = bytes_before(rows.end) - bytes_before(rows.start);
        assert!(bytes.abs_diff(quarter) <= 12 * longest + 12, "{bytes} of {quarter} bytes: {report}");
        assert_eq!(device.elements, u64::from(of.starts[rows.end as usize] - of.starts[rows.start as usize]));
        at = rows.end;
    }
    let shares: Vec<u64> = report.devices.iter().map(|device| 100 * device.elements / elements).collect();
    assert!(shares.iter().all(|share| (10..=40).contains(share)), "{report}");
    assert!(report.to_string().contains("% of the elements"), "{report}");
    Ok(())
}

#[test]
fn a_chunk_of_so_many_iterations_has_so_many() -> Result<()> {
    let report = shares(&power_law(300), "SCHED_DYNAMIC:30")?;
    let (iterations, chunks) = report.devices.iter().fold((0, 0), |(i, c), of| (i + of.iterations, c + of.chunks));
    assert_eq!((iterations, chunks), (300, 10));
    Ok(())
}

/// Chunks by work are as many as the policy makes at most, and the longest row is in one of its own.
#[test]
fn chunks_that_one_row_outweighs_are_left_out() -> Result<()> {
    let mut of = power_law(100);
    let last = of.values.len();
    of.columns.extend((0..100_000).map(|k| k % 100));
    of.values.extend((0..100_000).map(|k| k % 7));
    of.starts.push(of.values.len() as u32);
    // A hundred chunks, nearly all of the last row.
    let report = shares(&of, "SCHED_DYNAMIC:1%")?;
    let pieces = report.devices.iter().flat_map(|device| &device.pieces);
    assert!(pieces.clone().any(|piece| piece.range == apportion::space::IterRange::new(100, 101)), "{report}");
    assert!(report.devices.iter().map(|device| device.chunks).sum::<u64>() < 10, "{report}");
    assert!(last < 1000);
    Ok(())
}

/// Short rows first, then rows a hundred times as long: all pieces fit, as they are cut by their bytes.
#[test]
fn pieces_of_rows_of_any_length_fit_into_memory() -> Result<()> {
    let rt = Runtime::from_machine(emulated_machine(&[Emulated { memory_mib: 0.5, ..FAST }]))?;
    let n = 1000;
    let starts: Vec<u64> = (0..=n).map(|i: u64| if i <= 500 { 10 * i } else { 5000 + 1000 * (i - 500) }).collect();
    let x = vec![1i64; starts[n as usize] as usize];
    let mut y = vec![0i64; n as usize];
    let sums = Kernel::new("sums").host(|rows: Range<usize>, starts: In<u64>, x: In<i64>, mut y: Out<i64>| {
        rows.for_each(|i| y[i] = x.slice(starts[i] as usize..starts[i + 1] as usize).iter().sum());
    });
    for policy in ["BLOCK", "SCHED_DYNAMIC:500", "SCHED_GUIDED"] {
        y.fill(0);
        let bound = sums.bind().to(&starts).align().halo_sides(0, 1).to(&x).rows_at(&starts).from(&mut y).align();
        let report = rt.parallel_for(0..n, bound).policy(policy).run()?;
        assert!(y[..500].iter().all(|y| *y == 10) && y[500..].iter().all(|y| *y == 1000));
        // None was refused and cut anew.
        assert!(report.notes.is_empty() && report.faults.is_empty(), "{report}");
    }
    Ok(())
}

#[test]
fn reproducible_sums_are_the_same_for_every_policy() -> Result<()> {
    let of = power_law(400);
    let x: Vec<f64> = (0..400).map(|i| f64::from(i).sin()).collect();
    let values: Vec<f64> = of.values.iter().map(|v| *v as f64 / 3.0).collect();
    let sum = Kernel::new("sum").host(|rows: Range<usize>, starts: In<u32>, values: In<f64>, x: In<f64>| {
        let mut all = 0.0;
        for i in rows {
            for k in starts[i] as usize..starts[i + 1] as usize {
                all += values[k] * x[i];
            }
        }
        all
    });
    let mut results = Vec::new();
    for machine in [emulated_machine(&[FAST]), emulated_machine(&[FAST, SLOW, SHARED]), common::host_machine()] {
        let rt = Runtime::from_machine(machine)?;
        for policy in ["BLOCK", "SCHED_DYNAMIC:3%", "SCHED_GUIDED", "HGUIDED"] {
            let bound =
                sum.bind().to(&of.starts).align().halo_sides(0, 1).to(&values).rows_at(&of.starts).to(&x).align();
            let a_loop = rt.parallel_for(0..400, bound).policy(policy).reproducible(16);
            results.push(a_loop.reduce::<f64>(Sum)?.value.to_bits());
        }
    }
    assert!(results.iter().all(|result| *result == results[0]));
    Ok(())
}

/// The rows of four equal devices of a region, once a product there is as it should be.
fn region_rows(of: &Sparse, split: RegionSplit) -> Result<Vec<u64>> {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, FAST, FAST, FAST]))?;
    let n = of.rows();
    let x: Vec<i64> = (0..n as i64).collect();
    let mut y = vec![0i64; n];
    let mut region = rt.data_region().split(split).rebalance(false);
    let starts = region.to(&of.starts, [n + 1].halo_sides(0, 1));
    let columns = region.to(&of.columns, [of.columns.len()].align_with("values", 1));
    let values = region.to(&of.values, [of.values.len()].rows_at(&of.starts).named("values"));
    let (x_, y_) = (region.to(&x, [n].full()), region.from(&mut y, [n]));
    let bound = product().bind().reads(starts).reads(columns).reads(values).reads(x_).writes(y_);
    let _: i64 = region.parallel_for(0..n, bound).reduce(Sum)?;
    let report = region.finish()?;
    assert_eq!(y, of.times(&x));
    Ok(report.devices.iter().map(|device| device.rows).collect())
}

#[test]
fn regions_split_the_work_of_a_skewed_matrix() -> Result<()> {
    let of = power_law(1000);
    let bytes_before = |row| bytes_before(&of, row);
    let all = bytes_before(1000);
    let weights = RegionSplit::Weights(vec![3.0, 1.0, 0.0, 4.0]);
    for (split, parts) in
        [(RegionSplit::Even, [2, 2, 2, 2]), (RegionSplit::default(), [2, 2, 2, 2]), (weights, [3, 1, 0, 4])]
    {
        let rows = region_rows(&of, split)?;
        let mut at = 0;
        for (count, part) in rows.iter().zip(parts) {
            let end = (at + count).min(1000);
            let bytes = bytes_before(end) - bytes_before(at);
            // The longest row, and a row that is worth one in the mean.
            assert!(bytes.abs_diff(all * part / 8) <= 12 * 1001 + all / 1000, "{bytes} of {all}: {rows:?}");
            assert_eq!(*count == 0, part == 0, "{rows:?}");
            at = end;
        }
    }
    // Beside arrays that are divided by themselves, rows are.
    let rt = Runtime::from_machine(emulated_machine(&[FAST, FAST]))?;
    let (values, mut y) = (vec![1i64; 1000], vec![0i64; 100]);
    let starts: Vec<u32> = (0..=100).map(|i| if i == 0 { 0 } else { 900 + i }).collect();
    let mut region = rt.data_region();
    let values_ = region.to(&values, [1000].rows_at(&starts));
    let y_ = region.from(&mut y, [100].divide(0, Division::Block));
    let kernel = Kernel::new("k").host(|rows: Range<usize>, _: In<i64>, mut y: Out<i64>| rows.for_each(|i| y[i] = 1));
    region.parallel_for(0..100, kernel.bind().reads(values_).writes(y_)).run()?;
    let report = region.finish()?;
    assert_eq!(report.devices.iter().map(|device| device.rows).collect::<Vec<_>>(), [50, 50]);
    Ok(())
}
