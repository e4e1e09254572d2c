//! Impossible sizes and ranges are refused with an error: no loop hangs, panics or ends the process.

mod common;

use apportion::kernel::{Bound, In, Kernel, Out};
use apportion::prelude::*;
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
