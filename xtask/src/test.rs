//! `cargo xtask test`.

use crate::command::Line;
use crate::{Failure, Outcome, nvrtc, setup};
use std::time::Instant;

const REQUIRE: &str = "APPORTION_REQUIRE_OPENCL";
const REQUIRE_NVRTC: &str = "APPORTION_REQUIRE_NVRTC";

/// Arguments.
#[derive(Debug, Default)]
pub struct Options {
    no_install: bool,
}

impl Options {
    /// From the command line.
    pub fn parse(arguments: &[String]) -> Outcome<Self> {
        let mut options = Self::default();
        for argument in arguments {
            match argument.as_str() {
                "--no-install" => options.no_install = true,
                other => return Err(Failure::Usage(format!("`test` has no option `{other}`; it has --no-install"))),
            }
        }
        Ok(options)
    }
}

/// All tests of the workspace.
pub fn test(options: &Options) -> Outcome {
    if !options.no_install {
        setup::install_missing_for_tests()?;
    }
    let is_set = |name: &str| std::env::var(name).is_ok_and(|value| !value.is_empty() && value != "0");
    let required = is_set(REQUIRE);
    if required && !setup::opencl_is_there() {
        return Err(Failure::Failed(format!(
            "{REQUIRE} is set, but no OpenCL loader with a driver is here: install pocl-opencl-icd or its like, or set \
             {REQUIRE}=0 to test without"
        )));
    }
    if is_set(REQUIRE_NVRTC) && nvrtc::is_wanted() {
        return Err(Failure::Failed(format!(
            "{REQUIRE_NVRTC} is set, but NVRTC is not here: name its folder in {}, or set {REQUIRE_NVRTC}=0 to test without",
            nvrtc::FOLDER
        )));
    }
    // A driver other than PoCL may be installed without a device, as on a machine whose GPU was removed.
    let expected = required || setup::pocl_is_there();
    let mut tests = Line::cargo(["test", "--workspace"]);
    if let Some(folder) = nvrtc::fetched() {
        tests = tests.with(nvrtc::FOLDER, folder.to_string_lossy()).with(REQUIRE_NVRTC, "1");
    }
    let started = Instant::now();
    if expected {
        tests.with(REQUIRE, "1").run("the tests")?;
    } else {
        tests.without(REQUIRE).run("the tests")?;
    }
    let opencl = if expected { "OpenCL included" } else { "WITHOUT OpenCL: PoCL is not here" };
    let cuda =
        if nvrtc::is_wanted() { "CUDA kernels NOT compiled: NVRTC is not here" } else { "CUDA kernels compiled" };
    eprintln!("\ntest: all tests passed in {:.0} s, {opencl}, {cuda}", started.elapsed().as_secs_f64());
    Ok(())
}
