//! Set-up and checks of the workspace: `cargo xtask help` lists the commands.
//!
//! Uses the standard library alone, so that the first command on a fresh clone starts within seconds.

mod check;
mod command;
mod demo;
mod gpu_bundle;
mod nvrtc;
mod setup;
mod test;

use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND

commands:
  demo [OPTIONS]  from a fresh clone to figures: installs what is missing, builds the program, measures this machine,
                  and compares all policies on all workloads
  test [OPTIONS]  installs what is missing and runs all tests, doc tests included
  check           format, lints and documentation; a warning is an error
  gpu-bundle [--out DIR]
                  puts the stripped program, the GPU tests, the machine files and a script that runs them into a folder
                  (default: target/gpu-bundle), to be carried to a machine with GPUs and without Rust
  schema          writes machines/machine.schema.json anew from the types
  help            this text

options of demo:
  --size SIZE     small, medium or paper (default: medium; small with little memory)
  --reps R        times that each run is repeated (default: 15)
  --out DIR       where machine description, record and figures go (default: out/demo)
  --no-install    go on with what is there

options of test:
  --no-install    go on with what is there

What may be missing is an OpenCL loader, the OpenCL driver PoCL and libhwloc. They are installed with apt-get, dnf,
pacman or zypper: as root directly, else by `sudo` if it asks no password. Without them everything works, on fewer
devices. With APPORTION_REQUIRE_OPENCL=1 it is an error if no OpenCL driver is there after the set-up.

`test` also fetches NVRTC by pip into target/nvrtc, to compile the CUDA kernels; that needs no GPU. Another one is used
if APPORTION_CUDA_LIBRARIES names its folder or the system has it. With APPORTION_REQUIRE_NVRTC=1 it is an error if there is
none after the set-up.

exit status: 0, 1 (something failed), 2 (wrong arguments), 130 (interrupted)
";

/// Why a command ends early.
enum Failure {
    /// Wrong arguments.
    Usage(String),
    /// A program failed, or could not be started.
    Failed(String),
    /// Ctrl-C.
    Interrupted,
}

type Outcome<T = ()> = Result<T, Failure>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(what)) => {
            eprintln!("xtask: {what}\nTry `cargo xtask help`.");
            ExitCode::from(2)
        }
        Err(Failure::Failed(what)) => {
            eprintln!("xtask: {what}");
            ExitCode::from(1)
        }
        Err(Failure::Interrupted) => {
            eprintln!("xtask: interrupted");
            ExitCode::from(130)
        }
    }
}

fn run(arguments: &[String]) -> Outcome {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Failure::Usage("no command is given".into()));
    };
    // The repository root, wherever this was called from: all paths below are relative to it.
    // Cargo says where it is; what this was compiled with may be another checkout that shares the build folder.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let root = Path::new(&package).parent().unwrap_or(Path::new("."));
    std::env::set_current_dir(root)
        .map_err(|error| Failure::Failed(format!("cannot enter the repository {}: {error}", root.display())))?;
    match name.as_str() {
        "demo" => demo::demo(&demo::Options::parse(rest)?),
        "test" => test::test(&test::Options::parse(rest)?),
        "gpu-bundle" => gpu_bundle::gpu_bundle(&gpu_bundle::Options::parse(rest)?),
        "check" => no_more(name, rest).and_then(|()| check::check()),
        "schema" => no_more(name, rest).and_then(|()| check::schema()),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(Failure::Usage(format!(
            "there is no command `{other}`; there are demo, test, check, gpu-bundle, schema, help"
        ))),
    }
}

fn no_more(name: &str, rest: &[String]) -> Outcome {
    match rest.first() {
        None => Ok(()),
        Some(extra) => Err(Failure::Usage(format!("`{name}` takes no arguments, but `{extra}` is given"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn wrong_arguments_are_named() {
        for (line, named) in [
            ("", "no command"),
            ("dmeo", "`dmeo`"),
            ("check --fast", "`--fast`"),
            ("demo --size huge", "`huge`"),
            ("demo --reps 0", "`0`"),
            ("demo --reps", "--reps"),
            ("test --all", "`--all`"),
            ("gpu-bundle --quick", "`--quick`"),
            ("gpu-bundle --out", "--out"),
        ] {
            match run(&words(line)) {
                Err(Failure::Usage(what)) => assert!(what.contains(named), "{line}: {what}"),
                _ => panic!("{line} is taken"),
            }
        }
    }

    #[test]
    fn every_command_and_option_is_in_the_help() {
        for word in
            ["demo", "test", "check", "gpu-bundle", "schema", "help", "--size", "--reps", "--out", "--no-install"]
        {
            assert!(HELP.contains(word), "{word}");
        }
    }
}
