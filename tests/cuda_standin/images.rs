//! Kernels as images that a user compiled: PTX text and machine code.

use crate::common::{AXPY_PTX, axpy_of, check_axpy};
use crate::kernels::policies;
use crate::machine::{machine, runtime};
use crate::standin::alone;
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
