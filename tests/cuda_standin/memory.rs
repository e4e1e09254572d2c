//! What goes over which link, what memory is held, and what happens where memory is short.

use crate::kernels::*;
use crate::machine::{gpu, gpu_with, host, machine, runtime};
use crate::standin::{GPUS, StandIn, alone, watch};
use apportion::HostVec;
use apportion::prelude::*;
use apportion::runtime::DeviceReport;
use std::collections::BTreeSet;

/// Which GPUs reach which other GPUs' memory.
#[derive(Clone, Copy, Debug)]
enum Peers {
    All,
    None,
    /// From a higher number to a lower one alone.
    Down,
    /// 0 and 1, and 2 and 3.
    Pairs,
}

impl Peers {
    const EVERY: [Self; 4] = [Self::All, Self::None, Self::Down, Self::Pairs];

    fn reaches(self, gpu: usize, other: usize) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Down => gpu > other,
            Self::Pairs => gpu / 2 == other / 2,
        }
    }

    fn set(self, standin: &StandIn) {
        for (gpu, other) in (0..GPUS).flat_map(|gpu| (0..GPUS).map(move |other| (gpu, other))) {
            standin.peer(gpu, other, self.reaches(gpu, other));
        }
    }

    /// How often an array comes over host links for this many GPUs, at least and at most.
    fn times_from_host(self, gpus: u64) -> (u64, u64) {
        match self {
            Self::All => (1, 1),
            Self::None => (gpus, gpus),
            // The order is chance, and a part that came twice is not passed on.
            Self::Down => (1, gpus),
            Self::Pairs => (gpus.div_ceil(2), gpus),
        }
    }
}

fn on_gpus(report: &Report) -> impl Iterator<Item = &DeviceReport> {
    report.devices.iter().filter(|device| device.name != "host")
}

/// Compares counted bytes with the maps. Returns the bytes of replicated arrays over host links.
fn check_bytes(standin: &StandIn, report: &Report, to: u64, from: u64) -> u64 {
    let iterations: u64 = on_gpus(report).map(|device| device.iterations).sum();
    let (in_, out) = (standin.count("bytes:h2d"), standin.count("bytes:d2h"));
    let rows = from * iterations;
    // Each piece may copy four more bytes, which mark the start of the copy back of a `tofrom` array.
    let pieces: usize = on_gpus(report).map(|device| device.pieces.len()).sum();
    assert!(out == rows || out == rows + 4 * pieces as u64, "{out}, {rows}\n{report}");
    assert_eq!(on_gpus(report).map(|device| device.bytes_from.0).sum::<u64>(), rows, "{report}");
    assert_eq!(on_gpus(report).map(|device| device.bytes_to.0).sum::<u64>(), in_, "{report}");
    in_ - to * iterations
}

#[test]
fn what_is_copied_is_what_the_maps_demand() {
    alone(concat!(module_path!(), "::what_is_copied_is_what_the_maps_demand"), |standin| {
        for plain_is_copied in [false, true] {
            if plain_is_copied {
                never_register(standin);
            }
            for (gpus, n) in [(1, 5003), (3, 5003), (1, 300_007), (2, 300_007)] {
                standin.fresh();
                let rt = runtime(&machine(gpus, true));
                for memory in Memory::BOTH {
                    let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
                    for policy in [Policy::Block, "SCHED_DYNAMIC:7%".parse().unwrap()] {
                        watch(format!("{gpus} GPUs, {n}, {memory:?}, {policy}"));
                        standin.clear_log();
                        let report = check_triple_add(&rt, &policy, &x, &mut y).unwrap();
                        assert_eq!(check_bytes(standin, &report, 16, 8), 0);
                        standin.clear_log();
                        let report = check_column_sums(&rt, &policy, memory, 10, n / 10).unwrap();
                        // A halo of two rows on each side, except at the loop's ends.
                        let halos = check_bytes(standin, &report, 80, 80);
                        let pieces: usize = on_gpus(&report).map(|device| device.pieces.len()).sum();
                        let most = 4 * 80 * pieces as u64;
                        assert!((most.saturating_sub(4 * 80)..=most).contains(&halos), "{halos} of {most}\n{report}");
                        assert_eq!(standin.count("bytes:peer"), 0);
                    }
                }
            }
        }
    });
}

/// A replicated array of each size class, over every graph of peers.
fn replicated(standin: &StandIn, kinds: &[Memory], seeds: u64) {
    let mut runs = 0;
    for (seed, peers) in (0..seeds).flat_map(|seed| Peers::EVERY.map(|peers| (seed, peers))) {
        // Too small to be spread, one part or two, and three or ten with a short last one.
        for n in [60_001, 140_001, 1_200_001] {
            runs += 1;
            let gpus = 2 + runs % (GPUS - 1);
            standin.fresh();
            standin.order(seed, [0, 25, 100][runs % 3]);
            peers.set(standin);
            let rt = runtime(&machine(gpus, false));
            for memory in kinds {
                watch(format!("seed {seed}, {n}, {gpus} GPUs, {peers:?}, {memory:?}"));
                let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
                standin.clear_log();
                let report = check_replicated(&rt, &Policy::Block, &x, &mut y).unwrap();
                assert!(report.faults.is_empty(), "{report}");
                let from_host = check_bytes(standin, &report, 8, 8);
                let (bytes, all) = (8 * n as u64, gpus as u64);
                let (least, most) = if bytes < 1 << 20 { (all, all) } else { peers.times_from_host(all) };
                let expected = least * bytes..=most * bytes;
                assert!(expected.contains(&from_host), "{from_host} of {bytes}, {gpus} GPUs, {peers:?}\n{report}");
                assert_eq!(standin.count("bytes:peer"), all * bytes - from_host, "all that is not from the host");
                let report = check_table(&rt, &Policy::Block, *memory, n).unwrap();
                assert!(report.faults.is_empty(), "{report}");
            }
            drop(rt);
            standin.nothing_is_left("a loop with a replicated array");
        }
    }
}

#[test]
fn replicated_arrays_go_over_host_links_once_where_peers_work() {
    alone(concat!(module_path!(), "::replicated_arrays_go_over_host_links_once_where_peers_work"), |standin| {
        replicated(standin, &Memory::BOTH, 3);
    });
}

/// A GPU passes on what it has fetched to those that have begun: their copies would wait for it.
fn passed_on(standin: &StandIn, memory: Memory) {
    let n = 1_200_001;
    let rt = runtime(&machine(2, false));
    let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
    let (mut passed_on, mut behind) = (0, 0);
    // Which GPU begins first is chance, and where other programs keep the cores busy one GPU may be ahead for long.
    for turn in 0..2000 {
        if turn >= 100 && passed_on > 0 {
            break;
        }
        watch(format!("loop {turn}"));
        standin.clear_log();
        let report = check_replicated(&rt, &Policy::Block, &x, &mut y).unwrap();
        let log = standin.log();
        let bytes = |gpu: u64, kind: &str| -> u64 {
            log.iter().filter(|ran| ran.device == gpu && ran.kind == kind).map(|ran| ran.bytes).sum()
        };
        // If each only fetched what the other has, these would be the same.
        let (by_first, of_second) = (bytes(0, "peer"), bytes(1, "h2d") - 8 * report.devices[1].iterations);
        passed_on += usize::from(by_first != of_second);
        let from_host: BTreeSet<u64> = log.iter().filter(|ran| ran.kind == "h2d").map(|ran| ran.stream).collect();
        behind += log.iter().filter(|ran| ran.kind == "peer" && from_host.contains(&ran.stream)).count();
    }
    assert!(passed_on > 0, "no GPU passes anything on");
    // Threads beside one another pass parts on by their own streams.
    assert_eq!(behind > 0, matches!(memory, Memory::Plain), "{behind} copies");
    drop((rt, x, y));
    standin.nothing_is_left("parts that were passed on");
}

#[test]
fn parts_of_replicated_arrays_are_passed_on() {
    alone(concat!(module_path!(), "::parts_of_replicated_arrays_are_passed_on"), |standin| {
        passed_on(standin, Memory::Locked);
    });
}

#[test]
fn parts_of_replicated_plain_arrays_are_passed_on_by_those_that_fetch_them() {
    alone(
        concat!(module_path!(), "::parts_of_replicated_plain_arrays_are_passed_on_by_those_that_fetch_them"),
        |standin| {
            never_register(standin);
            passed_on(standin, Memory::Plain);
        },
    );
}

#[test]
fn replicated_plain_arrays_go_over_host_links_once_where_peers_work() {
    alone(concat!(module_path!(), "::replicated_plain_arrays_go_over_host_links_once_where_peers_work"), |standin| {
        never_register(standin);
        replicated(standin, &[Memory::Plain], 6);
    });
}

#[test]
fn more_loops_hold_no_more() {
    alone(concat!(module_path!(), "::more_loops_hold_no_more"), |standin| {
        for plain_is_copied in [false, true] {
            if plain_is_copied {
                never_register(standin);
            }
            standin.fresh();
            let rt = runtime(&machine(2, false));
            let mut counts = Vec::new();
            for turn in 0..40 {
                watch(format!("loop {turn}"));
                // The longer plain arrays go through lanes.
                for (memory, n) in Memory::BOTH.into_iter().flat_map(|memory| [300_000, 1_500_000].map(|n| (memory, n)))
                {
                    let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
                    check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
                    check_replicated(&rt, &Policy::Block, &x, &mut y).unwrap();
                    check_total(&rt, &Policy::Block, &x).unwrap();
                }
                counts.push(standin.counts());
            }
            // Which lane takes which piece is chance, so a few more loops may still add buffers.
            let (early, late) = (counts[3], counts[39]);
            assert!(late[5] <= 2 * early[5], "{counts:?}");
            assert_eq!([late[0], late[4]], [early[0], early[4]], "{counts:?}");
            // Arrays are unlocked with their loops. Only long buffers stay locked, at most three for each of two arrays of three
            // lanes of two GPUs; a forgotten lock would be there forty times.
            assert!(late[3] <= 36, "{counts:?}");
            assert!(late[1] <= 2 * early[1] && late[2] <= 2 * early[2], "{counts:?}");
            assert_eq!([late[7], late[8]], [0, 0], "{counts:?}");
            drop(rt);
            standin.nothing_is_left("forty loops");
        }
    });
}

/// Loops over plain arrays after the first make no buffers.
fn makes_all_buffers(standin: &StandIn, n: usize, run: impl Fn(&Runtime, &[u64], &mut [u64])) {
    never_register(standin);
    let gpu = |index| gpu_with(index, 1024.0, "").replace(r#""copy_threads": 3"#, r#""copy_threads": 6"#);
    let rt = runtime(&[gpu(0), gpu(1)]);
    let (x, mut y) = (Memory::Plain.of(&numbers(n)), Memory::Plain.of(&numbers(n)));
    let made = || ["allocations", "page_locked", "calls:cuMemAlloc_v2"].map(|what| standin.count(what));
    run(&rt, &x, &mut y);
    let first = made();
    assert!(first.iter().all(|count| *count > 0), "{first:?}");
    // Which of the threads that copy takes how many pieces is chance.
    for turn in 0..30 {
        watch(format!("loop {turn}"));
        standin.order(turn, 25);
        run(&rt, &x, &mut y);
        assert_eq!(made(), first, "in loop {turn}");
    }
    drop((rt, x, y));
    standin.nothing_is_left("loops over plain arrays");
}

#[test]
fn the_first_loop_of_a_kind_over_plain_arrays_makes_all_buffers() {
    alone(concat!(module_path!(), "::the_first_loop_of_a_kind_over_plain_arrays_makes_all_buffers"), |standin| {
        makes_all_buffers(standin, 2_500_000, |rt, x, y| {
            check_triple_add(rt, &Policy::Block, x, y).unwrap();
            check_total(rt, &Policy::Block, x).unwrap();
        });
    });
}

#[test]
fn the_first_loop_over_a_replicated_plain_array_makes_all_buffers() {
    alone(concat!(module_path!(), "::the_first_loop_over_a_replicated_plain_array_makes_all_buffers"), |standin| {
        makes_all_buffers(standin, 1_200_000, |rt, x, y| {
            check_replicated(rt, &Policy::Block, x, y).unwrap();
        });
    });
}

#[test]
fn arrays_outlive_the_runtime_in_which_they_were_locked() {
    alone(concat!(module_path!(), "::arrays_outlive_the_runtime_in_which_they_were_locked"), |standin| {
        let rt = runtime(&machine(2, false));
        let (x, mut y) = (HostVec::from_slice(&numbers(9000)).unwrap(), HostVec::from_slice(&numbers(9000)).unwrap());
        assert!(x.is_page_locked());
        check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
        drop(rt);
        assert_eq!((standin.count("registered"), standin.count("contexts")), (2, 1), "who locked them stays open");
        let rt = runtime(&machine(2, true));
        check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
        drop((rt, x, y));
        standin.nothing_is_left("arrays");
    });
}

#[test]
fn chunks_are_cut_to_the_memory_that_is_there() {
    alone(concat!(module_path!(), "::chunks_are_cut_to_the_memory_that_is_there"), |standin| {
        for plain_is_copied in [false, true] {
            if plain_is_copied {
                never_register(standin);
            }
            // The description states 64 MiB, or the 4 MiB that there are.
            for (described, with_host) in [(64.0, true), (64.0, false), (4.0, false)] {
                standin.fresh();
                standin.memory(4 << 20);
                let mut devices = vec![gpu_with(0, described, ""), gpu_with(1, described, "")];
                devices.extend(with_host.then(host));
                let rt = runtime(&devices);
                for memory in Memory::BOTH {
                    let (x, mut y) = (memory.of(&numbers(900_001)), memory.of(&numbers(900_001)));
                    for policy in [Policy::Block, Policy::Auto] {
                        watch(format!("{described} MiB, host: {with_host}, {memory:?}, {policy}"));
                        let report = check_triple_add(&rt, &policy, &x, &mut y).unwrap();
                        assert!(report.faults.is_empty(), "{report}");
                        assert!(on_gpus(&report).all(|device| device.iterations > 0), "{report}");
                    }
                }
            }
        }
    });
}

/// Each piece in flight has a copy of an array that iterations contribute to.
#[test]
fn fewer_pieces_are_in_flight_where_more_would_not_fit() {
    alone(concat!(module_path!(), "::fewer_pieces_are_in_flight_where_more_would_not_fit"), |standin| {
        let rt = runtime(&machine(1, false));
        let x = Memory::Locked.of(&numbers(20_000));
        // Of 64 MiB: one in twelve, in seven and in four of them.
        for mib in [5, 9, 14] {
            watch(format!("{mib} MiB"));
            let report = check_count_in(&rt, &Policy::Block, Memory::Locked, &x, mib << 17).unwrap();
            assert!(report.faults.is_empty() && report.devices[0].pieces.len() < 100, "{mib} MiB\n{report}");
        }
        drop((rt, x));
        standin.nothing_is_left("loops with a copy of an array for each piece");
    });
}

#[test]
fn memory_that_others_take_costs_a_loop_and_no_more() {
    alone(concat!(module_path!(), "::memory_that_others_take_costs_a_loop_and_no_more"), |standin| {
        for (gpus, with_host) in [(1, true), (2, false), (1, false)] {
            standin.fresh();
            let rt = runtime(&machine(gpus, with_host));
            for memory in Memory::BOTH {
                watch(format!("{gpus} GPUs, host: {with_host}, {memory:?}"));
                let (x, mut y) = (memory.of(&numbers(400_000)), memory.of(&numbers(400_000)));
                for left in [0, 100_000, 1 << 20, 3 << 20] {
                    // Other programs have the rest.
                    standin.memory(left);
                    match check_triple_add(&rt, &Policy::Block, &x, &mut y) {
                        Ok(report) => {
                            assert!(report.faults.iter().all(|f| f.message.contains("OUT_OF_MEMORY")), "{report}")
                        }
                        Err(error) => {
                            assert!(!with_host, "{error}");
                            let error = error.to_string();
                            assert!(error.contains("cuda:") && error.contains("OUT_OF_MEMORY"), "{error}");
                        }
                    }
                    standin.memory(64 << 20);
                    let (n, mut z) = (5001, memory.of(&numbers(5001)));
                    let report = check_triple_add(&rt, &Policy::Block, &x[..n], &mut z).unwrap();
                    assert!(report.faults.is_empty(), "{report}");
                }
            }
            drop(rt);
            standin.nothing_is_left("short memory");
        }
        let rt = runtime(&[gpu(0)]);
        let (x, mut y) = (numbers(5001), numbers(5001));
        check_triple_add(&rt, &Policy::Auto, &x, &mut y).unwrap();
    });
}

/// CUDA refuses a copy that reaches from one page-locked piece into another.
#[test]
fn an_array_that_is_locked_in_two_pieces_is_copied_like_a_plain_one() {
    alone(concat!(module_path!(), "::an_array_that_is_locked_in_two_pieces_is_copied_like_a_plain_one"), |standin| {
        never_register(standin);
        let rt = runtime(&[gpu(0), gpu(1)]);
        let x = numbers(100_000);
        let mut y = HostVec::<u64>::plain(100_000).unwrap();
        let start = y.as_mut_ptr().cast::<u8>();
        // SAFETY: two halves of the array, which stays; nobody looks at the bytes.
        let halves = [0, 400_000].map(|from| unsafe { std::slice::from_raw_parts_mut(start.add(from), 400_000) });
        let [first, second] = halves;
        standin.page_locked(first, || {
            standin.page_locked(second, || {
                for policy in [Policy::Block, "SCHED_DYNAMIC:7%".parse().unwrap()] {
                    let report = check_triple_add(&rt, &policy, &x, &mut y).unwrap();
                    assert!(report.faults.is_empty(), "{report}");
                }
            });
        });
    });
}

/// A description may name a GPU by number and again by UUID; each of the two then has a copy of a replicated array.
#[test]
fn a_gpu_that_is_named_twice_does_both_parts_right() {
    alone(concat!(module_path!(), "::a_gpu_that_is_named_twice_does_both_parts_right"), named_twice);
}

#[test]
fn a_gpu_that_is_named_twice_does_both_parts_right_where_threads_copy_plain_arrays() {
    let name =
        concat!(module_path!(), "::a_gpu_that_is_named_twice_does_both_parts_right_where_threads_copy_plain_arrays");
    alone(name, |standin| {
        never_register(standin);
        named_twice(standin);
    });
}

fn named_twice(standin: &StandIn) {
    let uuids: Vec<String> =
        apportion::devices::cuda::discover().unwrap().into_iter().map(|found| found.uuid).collect();
    for seed in 0..4 {
        watch(format!("seed {seed}"));
        standin.order(seed, 25);
        let again = gpu(0).replace(r#""index": 0"#, &format!(r#""uuid": "{}""#, uuids[0])).replace("cuda:0", "again");
        let rt = runtime(&[gpu(0), again, gpu(1)]);
        for memory in Memory::BOTH {
            let (x, mut y) = (memory.of(&numbers(600_000)), memory.of(&numbers(600_000)));
            let report = check_replicated(&rt, &Policy::Block, &x, &mut y).unwrap();
            assert!(report.faults.is_empty() && report.devices.len() == 3, "{report}");
        }
    }
}

/// A product of which all GPUs have both arrays.
#[test]
fn several_replicated_plain_arrays_come_one_after_the_other() {
    alone(concat!(module_path!(), "::several_replicated_plain_arrays_come_one_after_the_other"), |standin| {
        never_register(standin);
        const COLUMNS: usize = 400_000;
        let gpu = |index| gpu_with(index, 1024.0, "").replace(r#""copy_threads": 3"#, r#""copy_threads": 5"#);
        for rows in [2, 9] {
            // The second array has fewer parts than there are threads.
            let matrix: Vec<f32> = (0..rows * COLUMNS).map(|i| (i % 7) as f32).collect();
            let vector: Vec<f32> = (0..COLUMNS).map(|i| (i % 3) as f32).collect();
            let expected: Vec<f32> = matrix
                .chunks(COLUMNS)
                .map(|row| row.iter().zip(&vector).fold(0.0, |sum, (a, x)| sum + a * x))
                .collect();
            let kernel = Kernel::new("matvec").cuda_image(image("matvec"));
            for seed in 0..6 {
                watch(format!("{rows} rows, seed {seed}"));
                standin.fresh();
                standin.order(seed, [0, 25, 100][seed as usize % 3]);
                let rt = runtime(&[gpu(0), gpu(1), gpu(2)]);
                for _ in 0..3 {
                    let mut product = vec![-1f32; rows];
                    let bound = kernel.bind().scalar(COLUMNS as i64).to(&matrix).full().to(&vector).full();
                    let bound = bound.from(&mut product).align();
                    let report = rt.parallel_for(0..rows, bound).policy(Policy::Block).run().unwrap();
                    assert_eq!(product, expected, "{report}");
                    assert!(report.faults.is_empty(), "{report}");
                    assert_eq!(standin.count("pending"), 0, "a GPU is still at work");
                }
                drop(rt);
                standin.nothing_is_left("loops over replicated arrays");
            }
        }
    });
}

/// A loop over a matrix and a vector that are parts of one array.
fn check_parts(rt: &Runtime, all: &[f32], n: usize, first: usize) -> Report {
    let (matrix, vector) = (&all[..n * n], &all[first..first + n]);
    let expected: Vec<f32> =
        matrix.chunks(n).map(|row| row.iter().zip(vector).fold(0.0, |sum, (a, x)| sum + a * x)).collect();
    let mut product = vec![-1f32; n];
    let kernel = Kernel::new("matvec").cuda_image(image("matvec"));
    let bound = kernel.bind().scalar(n as i64).to(matrix).align_rows(n).to(vector).from(&mut product).align();
    let report = rt.parallel_for(0..n, bound).policy(Policy::Block).run().unwrap();
    assert_eq!(product, expected, "{report}");
    report
}

/// CUDA locks no byte twice. Page-locking must go on all the same.
#[test]
fn arrays_that_overlap_are_page_locked_as_one_and_those_that_others_lock_in_part_are_copied() {
    let name = concat!(
        module_path!(),
        "::arrays_that_overlap_are_page_locked_as_one_and_those_that_others_lock_in_part_are_copied"
    );
    alone(name, |standin| {
        const N: usize = 300;
        let locks = || standin.count("calls:cuMemHostRegister_v2");
        let rt = runtime(&machine(2, false));
        let mut all: Vec<f32> = (0..N * N + N).map(|i| (i % 7) as f32).collect();
        let report = check_parts(&rt, &all, N, 1);
        assert!(report.faults.is_empty(), "{report}");
        for first in [1, N * N - 3, N * N - 1] {
            let before = locks();
            check_parts(&rt, &all, N, first);
            assert!(locks() > before, "arrays that overlap turn page-locking off");
            assert_eq!(standin.count("registered"), 0);
        }
        // Others have locked the middle: neither array is locked, and the backend does not try again.
        let bytes = bytemuck::cast_slice_mut::<f32, u8>(&mut all);
        let start = bytes.as_mut_ptr();
        // SAFETY: a part of the array, which stays; nobody looks at the bytes.
        let middle = unsafe { std::slice::from_raw_parts_mut(start.add(8192), 4096) };
        standin.page_locked(middle, || {
            check_parts(&rt, &all, N, 1);
            let before = locks();
            check_parts(&rt, &all, N, 1);
            assert_eq!(locks(), before, "it was known that others have locked a part");
        });
        // Other arrays are still locked.
        let other: Vec<f32> = (0..N * N + N).map(|i| (i % 5) as f32).collect();
        let before = locks();
        check_parts(&rt, &other, N, 1);
        assert!(locks() > before, "an array that others had locked in part turns page-locking off");
        drop(rt);
        standin.nothing_is_left("arrays that overlap");
    });
}

/// Another program takes memory after a GPU was opened: chunks are cut until they fit.
fn short_memory(standin: &StandIn, kinds: &[Memory]) {
    let cases = [1 << 20, 200_000, 3 << 20].into_iter().flat_map(|left| [(left, false), (left, true)]);
    for ((left, with_host), memory) in cases.flat_map(|case| kinds.iter().map(move |kind| (case, *kind))) {
        standin.fresh();
        let rt = runtime(&machine(1, with_host));
        let n = 1_000_000;
        let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
        let mut loops = |what: &str| {
            watch(format!("{memory:?}, host: {with_host}, {left} bytes, {what}"));
            let report = check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
            assert!(report.faults.is_empty(), "{what}: {report}");
            assert!(on_gpus(&report).all(|device| device.iterations > 0), "{what}: {report}");
            let said = report.notes.iter().filter(|note| note.contains("OUT_OF_MEMORY")).collect::<Vec<_>>();
            assert!(said.iter().all(|note| note.contains("cuda:0") && note.contains("cut shorter")), "{report}");
            let longest = on_gpus(&report).flat_map(|device| &device.pieces).map(|piece| piece.range.len()).max();
            (said.len(), longest.unwrap())
        };
        standin.memory(left);
        let (said, longest) = loops("little is left");
        assert!(16 * longest <= left, "{longest} iterations in {left} bytes");
        // Pieces that lanes copy may be short enough anyway, and so few of them under way that all have room.
        assert!(said == 1 || (said == 0 && 16 * longest <= left / 2), "{left} bytes: said {said} times");
        // Once it was refused memory, the backend knows how much there is.
        let (again, later) = loops("little is left, as before");
        assert!(said + again <= 1 && 16 * later <= left, "{left} bytes: said {said} and {again} times");
        standin.memory(64 << 20);
        let (said, at_last) = loops("all is there again");
        assert!(said == 0 && at_last >= longest.max(later), "{left} bytes: {at_last} iterations");
        // Without any memory the loop fails, or the host runs it.
        drop(rt);
        let rt = runtime(&machine(1, with_host));
        standin.memory(0);
        match check_triple_add(&rt, &Policy::Block, &x, &mut y) {
            Ok(report) => assert!(with_host && report.faults[0].message.contains("OUT_OF_MEMORY"), "{report}"),
            Err(error) => assert!(!with_host && error.to_string().contains("OUT_OF_MEMORY"), "{error}"),
        }
        drop((rt, x, y));
        standin.nothing_is_left("short memory");
    }
}

#[test]
fn chunks_are_cut_to_the_memory_that_others_leave() {
    alone(concat!(module_path!(), "::chunks_are_cut_to_the_memory_that_others_leave"), |standin| {
        short_memory(standin, &Memory::BOTH);
    });
}

#[test]
fn chunks_in_lanes_are_cut_to_the_memory_that_others_leave() {
    alone(concat!(module_path!(), "::chunks_in_lanes_are_cut_to_the_memory_that_others_leave"), |standin| {
        never_register(standin);
        short_memory(standin, &[Memory::Plain]);
    });
}
