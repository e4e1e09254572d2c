//! Kernels as images that a user compiled: PTX text and machine code.

use crate::common::{AXPY_PTX, axpy_of, check_axpy};
use crate::kernels::{numbers, policies};
use crate::machine::{machine, runtime};
use crate::standin::alone;
use apportion::kernel::{DeviceImage, Grid};
use apportion::prelude::*;

/// The first bytes of machine code. The stand-in knows a kernel by its entry and reads no further.
const CUBIN: &[u8] = b"\x7fELF\x02\x01\x01\x00";

#[test]
fn images_that_a_user_compiled_run_on_every_gpu_and_say_what_they_lack() {
    alone(
        concat!(module_path!(), "::images_that_a_user_compiled_run_on_every_gpu_and_say_what_they_lack"),
        |standin| {
            for (image, (gpus, with_host)) in [AXPY_PTX.as_bytes(), CUBIN]
                .into_iter()
                .flat_map(|image| [(1, false), (3, true)].map(|set| (image, set)))
            {
                standin.fresh();
                let rt = runtime(&machine(gpus, with_host));
                for policy in policies() {
                    let report = check_axpy(&rt, &axpy_of(image, "axpy"), &policy, 10_007).unwrap();
                    assert!(report.faults.is_empty(), "{report}");
                }
                // Loaded once on each GPU, for all loops.
                assert!(standin.count("modules") <= gpus as u64, "{} are loaded", standin.count("modules"));
                check_axpy(&rt, &axpy_of(image, "axpy"), &Policy::Block, 10_007).unwrap();
                if with_host {
                    // The host runs what GPUs cannot run.
                    let report = check_axpy(&rt, &axpy_of(image, "saxpy"), &Policy::Block, 10_007).unwrap();
                    assert_eq!(report.faults.len(), gpus, "{report}");
                    assert!(
                        report.faults.iter().all(|fault| fault.message.contains("there is no kernel `saxpy`")),
                        "{report}"
                    );
                } else {
                    let error = check_axpy(&rt, &axpy_of(image, "saxpy"), &Policy::Block, 100).unwrap_err().to_string();
                    assert!(error.contains("cuda:0") && error.contains("there is no kernel `saxpy`"), "{error}");
                    let error = check_axpy(&rt, &axpy_of("bad", "axpy"), &Policy::Block, 100).unwrap_err().to_string();
                    assert!(error.contains("kernel `axpy` cannot be loaded") && error.contains("it is bad"), "{error}");
                }
                drop(rt);
                standin.nothing_is_left("images");
            }
        },
    );
}

/// A kernel in such groups, and in so many of them along each axis.
fn in_groups(group: [usize; 3], groups: [usize; 3]) -> Kernel {
    let grid = Grid::new(group, move |_| [0, 1, 2].map(|axis| group[axis] * groups[axis]));
    // SAFETY: the kernel stays within the sections that it is given.
    Kernel::new("its name").cuda_image(unsafe { DeviceImage::new("standin:", "triple_add", grid) })
}

#[test]
fn groups_and_grids_beyond_cudas_limits_are_refused_before_the_driver_sees_them() {
    alone(
        concat!(module_path!(), "::groups_and_grids_beyond_cudas_limits_are_refused_before_the_driver_sees_them"),
        |standin| {
            standin.fresh();
            let rt = runtime(&machine(1, false));
            let (x, mut y) = (numbers(100), numbers(100));
            let mut refused = |kernel: &Kernel| {
                let mut both = [String::new(), String::new()];
                let bound = kernel.bind().to(&x).align().tofrom(&mut y).align();
                both[0] = rt.parallel_for(0..100, bound).run().unwrap_err().to_string();
                let mut region = rt.data_region();
                let (x, y) = (region.to(&x, [100]), region.tofrom(&mut y, [100]));
                both[1] = region.parallel_for(0..100, kernel.bind().reads(x).updates(y)).run().unwrap_err().to_string();
                both
            };
            let of_groups = [
                ([1, 1, 65], "65 threads along z; CUDA allows at most 64"),
                ([1, 2048, 1], "2048 threads along y; CUDA allows at most 1024"),
                ([4096, 1, 1], "4096 threads along x; CUDA allows at most 1024"),
                ([64, 32, 2], "64 x 32 x 2 = 4096 threads; CUDA allows at most 1024"),
            ];
            for (group, words) in of_groups {
                for error in refused(&in_groups(group, [1; 3])) {
                    assert!(
                        error.contains("the groups of kernel `triple_add` have") && error.contains(words),
                        "{error}"
                    );
                }
            }
            let mut empty = Grid::per_iteration(64);
            empty.group = [64, 0, 1];
            // SAFETY: as above.
            let empty =
                Kernel::new("its name").cuda_image(unsafe { DeviceImage::new("standin:", "triple_add", empty) });
            for error in refused(&empty) {
                assert!(error.contains("kernel `its name`: the groups of its CUDA variant are empty"), "{error}");
            }
            assert_eq!(standin.count("calls:cuModuleLoadDataEx"), 0, "no GPU was asked");
            let of_grids = [
                ([1, 65_536, 1], "65536 blocks along y of its CUDA variant's grid; CUDA allows at most 65535"),
                ([1, 1, 70_000], "70000 blocks along z of its CUDA variant's grid; CUDA allows at most 65535"),
                (
                    [1 << 31, 1, 1],
                    "2147483648 blocks along x of its CUDA variant's grid; CUDA allows at most 2147483647",
                ),
            ];
            for (groups, words) in of_grids {
                for error in refused(&in_groups([1; 3], groups)) {
                    assert!(
                        error.contains("kernel `its name`: 100 iterations are") && error.contains(words),
                        "{error}"
                    );
                }
            }
            assert_eq!(standin.count("calls:cuLaunchKernel"), 0, "the driver saw none of them");
        },
    );
}
