//! Impossible sizes and ranges are refused with an error: no loop hangs, panics or ends the process.

mod common;

use apportion::kernel::{Bound, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::Dims;
use apportion::space::{IterRange, Iterations};
use common::{FAST, SLOW, emulated_machine, host_machine};
use std::ops::Range;

/// More memory than any machine gives a process today, and less than the address space.
const TOO_MUCH: usize = 1 << 60;

fn ones() -> Kernel {
    Kernel::new("ones").host(|range: Range<usize>, mut y: Out<u8>| {
        for i in range {
            y[i] = 1;
        }
    })
}

fn runtimes() -> [Runtime; 2] {
    [host_machine(), emulated_machine(&[FAST, SLOW])].map(|machine| Runtime::from_machine(machine).unwrap())
}

#[test]
fn a_range_that_ends_before_it_starts_is_empty() {
    let inverted = IterRange { start: 7, end: 3 };
    assert!(inverted.is_empty());
    assert_eq!(inverted.len(), 0);
    for rt in runtimes() {
        let mut y = vec![0u8; 10];
        let report = rt.parallel_for(inverted, ones().bind().from(&mut y).align()).run().unwrap();
        assert_eq!(report.devices.iter().map(|device| device.iterations).sum::<u64>(), 0);
        assert_eq!(y, [0; 10]);
        #[expect(clippy::reversed_empty_ranges)]
        let backwards = [IterRange::new(10, 5), (10..5).iterations().unwrap(), (10..=5).iterations().unwrap()];
        for range in backwards {
            let report = rt.parallel_for(range, ones().bind().from(&mut y).align()).run().unwrap();
            assert_eq!(report.iterations, 0);
            assert_eq!(y, [0; 10]);
        }
    }
}

#[test]
fn an_array_of_a_loop_alone_that_nothing_has_room_for_is_refused() {
    for rt in runtimes() {
        for len in [TOO_MUCH, usize::MAX] {
            let error = rt.parallel_for(0..10_usize, ones().bind().alloc::<u8>(len).align_rows(len / 16)).run();
            let text = error.unwrap_err().to_string();
            assert!(text.contains("memory"), "{text}");
        }
        // The refused loop leaves nothing behind.
        let mut y = vec![0u8; 10];
        rt.parallel_for(0..10_usize, ones().bind().from(&mut y).align()).run().unwrap();
        assert_eq!(y, [1; 10]);
    }
}

/// Whatever its map: a loop is planned, and its bytes are counted, before its arrays are checked.
#[test]
fn an_array_of_more_bytes_than_can_be_counted_is_refused() {
    type Map = for<'a> fn(Bound<'a>) -> Bound<'a>;
    let maps: [Map; 4] =
        [|bound| bound, |bound| bound.align(), |bound| bound.align().ratio(usize::MAX), |bound| bound.block_rows(1)];
    let kernel = Kernel::new("any").host(|_: Range<usize>, _: Out<f64>| ());
    for rt in runtimes() {
        for (len, map) in [usize::MAX, usize::MAX / 2 + 1].into_iter().flat_map(|len| maps.map(|map| (len, map))) {
            let a_loop = || rt.parallel_for(0..4, map(kernel.bind().alloc::<f64>(len)));
            let said = [a_loop().run().unwrap_err(), a_loop().predict().unwrap_err()].map(|error| error.to_string());
            assert!(said.iter().all(|said| said.contains("are more than there is memory for")), "{said:?}");
        }
    }
}

#[test]
fn an_array_without_elements_may_have_rows_of_any_length() {
    type Map = for<'a> fn(Bound<'a>) -> Bound<'a>;
    let maps: [(Map, bool); 3] = [
        (|bound| bound.align_rows(usize::MAX), false),
        (|bound| bound.full(), true),
        (|bound| bound.block_rows(usize::MAX), true),
    ];
    let kernel = Kernel::new("any").host(|_: Range<usize>, _: In<f64>| ());
    for rt in runtimes() {
        for (map, has_all) in maps {
            let bound = || map(kernel.bind().to::<f64>(&[]).align_rows(usize::MAX));
            assert_eq!(rt.parallel_for(0..0, bound()).run().unwrap().iterations, 0);
            let ten = rt.parallel_for(0..10, bound()).run();
            match &ten {
                Ok(_) => assert!(has_all),
                Err(error) => assert!(!has_all && error.to_string().contains("too short"), "{error}"),
            }
        }
        // Nor does a halo of any width end the program, whatever it is of.
        let x = [1.0; 10];
        rt.parallel_for(0..10, kernel.bind().to(&x).block_rows(1).halo(usize::MAX)).run().unwrap();
    }
}

#[test]
fn an_array_of_a_region_that_nothing_has_room_for_is_refused() {
    for rt in runtimes() {
        for len in [TOO_MUCH, usize::MAX] {
            let mut region = rt.data_region();
            let y = region.alloc::<u8>([len]);
            let error = region.parallel_for(0..10_u64, ones().bind().writes(y)).run();
            let text = error.unwrap_err().to_string();
            assert!(text.contains("memory") || text.contains("it can be"), "{text}");
        }
    }
}

#[test]
fn a_region_without_arrays_counts_any_rows_and_refuses_more_cells_than_can_be_counted() {
    let rows = Kernel::new("rows").host(|rows: Range<usize>| rows.len() as u64);
    let cells = Kernel::new("cells")
        .host_tiles(|rows: Range<usize>, columns: Range<usize>| (rows.len() * columns.len()) as u64);
    let cells = |rt: &Runtime, rows: Range<u64>, columns: Range<u64>| {
        rt.data_region().parallel_for_2d(rows, columns, cells.bind()).reduce::<u64>(Sum)
    };
    for rt in runtimes() {
        for block in [1 << 50, usize::MAX / 2 + 2, usize::MAX] {
            let mut region = rt.data_region().reproducible(block);
            // Several, as the report adds up what devices did.
            for range in [0..u64::MAX, 1..u64::MAX, u64::MAX - 9..u64::MAX, 0..u64::MAX] {
                let n = range.end - range.start;
                assert_eq!(region.parallel_for(range, rows.bind()).reduce::<u64>(Sum).unwrap(), n, "{block}");
            }
            region.finish().unwrap();
        }
        assert_eq!(cells(&rt, 0..1 << 31, 7..7 + (1 << 32)).unwrap(), 1 << 63);
        for (rows, columns) in [(0..u64::MAX, 0..2), (5..8, 0..u64::MAX), (1..u64::MAX, 1..u64::MAX)] {
            let error = cells(&rt, rows, columns).unwrap_err();
            assert!(matches!(error, Error::TooLarge(_)) && error.to_string().contains("cells"), "{error}");
        }
    }
}

/// Kernels from functions, whose indices are computed from arguments that may have any value.
mod of_any_size {
    use apportion::prelude::*;

    #[kernel]
    pub fn boxes(i: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..n {
            for k in 0..m {
                y[(i * n + j) * m + k] = x[(i * n + j) * m + k];
            }
        }
    }

    #[kernel]
    pub fn deep(i: usize, n: usize, m: usize, l: usize, x: &[f32], y: &mut [f32]) {
        if y[i] > 0.0 {
            for j in 0..n {
                for k in 0..m {
                    y[i] += x[(j * n + k) * l * m];
                }
            }
        }
    }

    #[kernel]
    pub fn points(i: usize, n: usize, m: usize, x: &[[f32; 3]], y: &mut [[f32; 3]]) {
        for j in 0..n {
            y[i * n * m + j] = x[(i + m) * n + j];
        }
    }

    #[kernel(i, j)]
    pub fn cells(i: usize, j: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) {
        y[i * n * m + j] = x[i * n * m + j + n * m * n];
    }

    #[kernel(helper)]
    pub fn long(a: f32) -> f32 {
        const N: usize = 1 << 60;
        let mut s = a;
        for _ in 0..N {
            for _ in 0..N {
                for _ in 0..N {
                    s = 0.5 * s + a;
                }
            }
        }
        s
    }

    #[kernel]
    pub fn sums(i: usize, n: usize, m: usize, x: &[f32]) -> f32 {
        let mut s = 0.0;
        if x[i] > 0.0 {
            for j in 0..n {
                for k in 0..m {
                    for _ in j..m {
                        s += long(x[i + k]);
                    }
                }
            }
        }
        s
    }

    #[kernel]
    #[map(x: rows(n) ratio(m) halo(m))]
    pub fn stated(i: usize, n: usize, m: usize, x: &[[f32; 3]], y: &mut [f32]) {
        y[i] = x[i * n * m][0];
    }
}

#[test]
fn arguments_of_any_size_are_refused_by_kernel_and_array() {
    use of_any_size::{boxes, cells, deep, points, stated, sums};
    let sizes = [3, 1 << 31, 1 << 62, 1 << 63, usize::MAX - 1, usize::MAX];
    let (x, x3) = ([0f32; 12], [[0f32; 3]; 12]);
    for rt in runtimes() {
        for (n, m) in sizes.into_iter().flat_map(|n| sizes.map(|m| (n, m))) {
            let (mut y, mut y3) = ([0f32; 12], [[0f32; 3]; 12]);
            let mut list = Vec::new();
            let mut said =
                |kernel: &'static str, result: Result<()>| list.push((kernel, result.unwrap_err().to_string()));
            said("boxes", rt.parallel_for(0..2, boxes(n, m, &x, &mut y)).run().map(drop));
            said("boxes", rt.parallel_for(0..2, boxes(n, m, &x, &mut y)).predict().map(drop));
            said("points", rt.parallel_for(0..2, points(n, m, &x3, &mut y3)).run().map(drop));
            said("cells", rt.parallel_for(0..2, cells(0..m, n, m, &x, &mut y)).run().map(drop));
            said("stated", rt.parallel_for(0..2, stated(n, m, &x3, &mut y)).run().map(drop));
            if n > 1 << 62 {
                said("deep", rt.parallel_for(0..2, deep(n, m, n, &x, &mut y)).run().map(drop));
            }
            // No iteration reaches its loops: they only cost more than can be counted.
            rt.parallel_for(0..2, sums(n, m, &x)).predict().unwrap();
            let mut region = rt.data_region();
            let (x, y) = (region.to(&x, [4, 3].named("x")), region.tofrom(&mut y, [4, 3].named("y")));
            said("boxes", region.parallel_for(0..2, boxes(n, m, x, y)).run().map(drop));
            said("cells", region.parallel_for(0..2, cells(0..m, n, m, x, y)).run().map(drop));
            said("cells", region.parallel_for_2d(0..2, 0..m, cells(0..m, n, m, x, y)).run().map(drop));
            for (kernel, said) in list {
                let named = said.starts_with(&format!("kernel `{kernel}`: array `"));
                assert!(named && said.contains("argument"), "{n}, {m}: {said}");
            }
        }
        let mut y = [0f32; 12];
        let said = rt.parallel_for(0..2, boxes(1 << 33, 1 << 32, &x, &mut y)).run().unwrap_err().to_string();
        assert!(
            said.contains("have 36893488147419103232 elements with these arguments: no array has so many"),
            "{said}"
        );
        let mut y3 = [[0f32; 3]; 12];
        let said = rt.parallel_for(0..2, points(1 << 63, 1 << 63, &x3, &mut y3)).run().unwrap_err().to_string();
        assert!(said.contains("array `x`: its indices contain n*m, which with these arguments is more than"), "{said}");
    }
}

/// Writes of other iterations' elements, and what the messages of their refusals advise instead.
mod turned {
    use apportion::prelude::*;

    #[kernel]
    pub fn scattered(i: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            y[j * n + i] = x[i * m + j];
        }
    }

    #[kernel]
    pub fn gathered(i: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            y[i * m + j] = x[j * n + i];
        }
    }

    #[kernel]
    pub fn backwards(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
        y[i] = x[n - 1 - i];
    }
}

#[test]
fn what_is_advised_for_a_transposed_or_reversed_write_runs() {
    for rt in runtimes() {
        let x: Vec<f32> = (0..12u8).map(f32::from).collect();
        let mut y = vec![0.0; 12];
        let said = rt.parallel_for(0..3, turned::scattered(3, 4, &x, &mut y)).run().unwrap_err().to_string();
        assert!(said.contains("`y[i * m + j] = x[j * n + i]`, not `y[j * n + i] = x[i * m + j]`"), "{said}");
        rt.parallel_for(0..3, turned::gathered(3, 4, &x, &mut y)).run().unwrap();
        assert!((0..12).all(|at| y[at] == x[at % 4 * 3 + at / 4]), "{y:?}");
        rt.parallel_for(0..12, turned::backwards(12, &x, &mut y)).run().unwrap();
        assert!((0..12).all(|at| y[at] == x[11 - at]), "{y:?}");
    }
}

#[test]
fn a_runtime_prints_what_it_opened() {
    let [host, emulated] = runtimes();
    let (host, emulated) = (host.to_string(), emulated.to_string());
    assert!(host.contains("HOSTCPU") && host.contains("threads"), "{host}");
    for device in Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap().devices() {
        assert!(emulated.contains(&format!("{} {} (", device.id, device.name)), "{emulated}");
        assert!(emulated.lines().any(|line| line.trim() == device.to_string()), "{emulated}");
    }
}

mod of_one_function {
    use super::*;

    #[kernel]
    pub fn add(i: usize, x: &[f32], y: &mut [f32]) {
        y[i] += x[i];
    }

    #[kernel]
    pub fn square(i: usize, x: &[f32]) -> f32 {
        x[i] * x[i]
    }
}

#[test]
fn a_kernel_of_one_function_is_refused_in_its_own_terms() {
    use of_one_function::{add, square};
    let x = [1f32; 8];
    for rt in runtimes() {
        let (mut y, mut z) = ([0f32; 8], [0f32; 8]);
        let mut region = rt.data_region();
        let (x_, z_) = (region.to(&x, [8].named("x")), region.tofrom(&mut z, [8].named("z")));
        for (error, says) in [
            (
                rt.parallel_for(0..8, add(&x, &mut y)).reduce::<f32>(Max).map(drop),
                "return a value for each iteration, `-> f32`",
            ),
            (
                rt.parallel_for(0..8, square(&x)).run().map(drop),
                "its function returns a value for each iteration, of type f32",
            ),
            (
                rt.parallel_for(0..8, square(&x)).reduce::<f64>(Sum).map(drop),
                "its function returns f32, but the reduction is over f64",
            ),
            (region.parallel_for(0..8, add(z_, z_)).run(), "is passed twice to one loop, and written"),
            (
                region.parallel_for(0..8, add(x_, z_)).reduce::<f32>(Sum).map(drop),
                "its function returns nothing to reduce",
            ),
            (region.parallel_for_2d(0..8, 0..8, add(x_, z_)).run(), "`#[kernel(i, j)]`"),
        ] {
            let error = error.unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
            let by_hand = ["host body", "`.host", "`.updates(..)`", "partial"];
            assert!(!by_hand.iter().any(|words| error.contains(words)), "{error}");
        }
    }
}
