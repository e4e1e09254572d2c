//! Independent loops, each on its own device: all are under way before any is waited for.

use crate::kernels::{numbers, triple_add};
use crate::machine::{machine, runtime};
use crate::regions::same;
use crate::standin::{Ran, StandIn, alone};
use apportion::prelude::*;
use apportion::region::{Dims, RegionSplit};
use std::ffi::{CStr, c_char};
use std::sync::OnceLock;

const N: usize = 500;

/// `3 y + x`
fn added(x: &[u64], y: &[u64]) -> Vec<u64> {
    x.iter().zip(y).map(|(x, y)| y.wrapping_mul(3).wrapping_add(*x)).collect()
}

/// The kernels that ran.
fn kernels(standin: &StandIn) -> Vec<Ran> {
    standin.log().into_iter().filter(|ran| ran.kind == "kernel").collect()
}

#[test]
fn loops_on_two_gpus_are_under_way_at_once() {
    alone(concat!(module_path!(), "::loops_on_two_gpus_are_under_way_at_once"), |standin| {
        // The stand-in runs only what somebody waits for.
        standin.order(1, 0);
        let rt = runtime(&machine(2, false));
        let start = numbers(N);
        let (mut left, mut right) = (start.clone(), start.clone());
        let mut region = rt.data_region().split(RegionSplit::Even);
        let x = region.to(&start, [N].full());
        let y = region.tofrom(&mut left, [N].on("cuda:0"));
        let z = region.tofrom(&mut right, [N].on("cuda:1"));
        for array in [y, z] {
            region.parallel_for(0..N, triple_add().bind().reads(x).updates(array)).run().unwrap();
        }
        assert!(kernels(standin).is_empty(), "a loop was waited for");
        region.wait_for("cuda:1").unwrap();
        let ran: Vec<u64> = kernels(standin).iter().map(|ran| ran.device).collect();
        assert_eq!(ran, [1], "the other GPU is not waited for");
        region.finish().unwrap();
        let ran = kernels(standin);
        let [b, a] = &ran[..] else { panic!("{ran:?}") };
        assert!((a.device, b.device) == (0, 1) && a.enqueued < b.ran && b.enqueued < a.ran, "{ran:?}");
        for found in [left, right] {
            same(&found, &added(&start, &start), "two GPUs");
        }
    });
}

/// The stand-in's counter, for the host's body.
static COUNT: OnceLock<unsafe extern "C" fn(*const c_char) -> i64> = OnceLock::new();

fn counted(what: &CStr) -> i64 {
    // SAFETY: the type is that of the stand-in; the name stays for the call.
    unsafe { COUNT.get().unwrap()(what.as_ptr()) }
}

#[test]
fn the_host_runs_its_loop_while_a_gpu_is_at_another() {
    alone(concat!(module_path!(), "::the_host_runs_its_loop_while_a_gpu_is_at_another"), |standin| {
        standin.order(1, 0);
        // SAFETY: the type is that of the stand-in.
        COUNT.get_or_init(|| unsafe { standin.function("standin_count") });
        let look = Kernel::new("look").host(|rows: Range<usize>, mut seen: Out<i64>| {
            for i in rows {
                seen.row_mut(i).copy_from_slice(&[counted(c"pending"), counted(c"bytes:kernel")]);
            }
        });
        // A region's kernels must run on all its devices, though this one has rows on the host only.
        let look = look.cuda_image(crate::kernels::image("empty"));
        let rt = runtime(&machine(1, true));
        let start = numbers(N);
        let (mut y, mut seen) = (start.clone(), vec![0i64; 2]);
        let mut region = rt.data_region().split(RegionSplit::Even);
        let x = region.to(&start, [N].full());
        let y_ = region.tofrom(&mut y, [N].on("cuda:0"));
        let seen_ = region.tofrom(&mut seen, [1, 2].on("host"));
        region.parallel_for(0..N, triple_add().bind().reads(x).updates(y_)).run().unwrap();
        region.parallel_for(0..1, look.bind().updates(seen_)).run().unwrap();
        region.finish().unwrap();
        assert!(seen[0] > 0 && seen[1] == 0, "the GPU's kernel was enqueued and had not run: {seen:?}");
        same(&y, &added(&start, &start), "the host and a GPU");
    });
}
