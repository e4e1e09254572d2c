//! Random programs over data regions give what plain arrays give, on emulated and OpenCL devices, beside the host.
//!
//! Without an OpenCL device its test is skipped with a message; with `APPORTION_REQUIRE_OPENCL` it fails.

use proptest::prelude::*;
use region_programs::{Kind, case, cases, check, moving_case};

mod common;
mod region_programs;

const PLAIN: &[Kind] = &[Kind::Emulated, Kind::Shared, Kind::Host];

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn random_programs_give_what_plain_arrays_do(case in case(PLAIN, PLAIN)) {
        check(&case, 0)?;
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn random_programs_go_on_while_rows_move(case in moving_case(&[&[Kind::Slow, Kind::Emulated, Kind::Emulated]])) {
        prop_assert!(check(&case, 0)? > 0, "no row moved");
    }
}

#[cfg(feature = "opencl")]
mod opencl {
    use super::*;
    use common::machines::{opencl, runtime};

    const ALL: &[Kind] = &[Kind::Emulated, Kind::Shared, Kind::Host, Kind::OpenClCopies, Kind::OpenClInPlace];

    proptest! {
        #![proptest_config(cases(60))]

        /// OpenCL devices with copies and in the host's memory, beside the host and emulated devices.
        #[test]
        fn random_programs_with_opencl_devices_give_what_plain_arrays_do(case in case(&ALL[3..], ALL)) {
            match runtime(&[opencl("p0", "discrete")]) {
                Ok(_) => drop(check(&case, 0)?),
                Err(why) => {
                    assert!(std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none(), "OpenCL is required here: {why}");
                    println!("skipped: {why}");
                }
            }
        }
    }
}
