//! `cargo xtask gpu-bundle`: a folder that runs on a machine with GPUs and without Rust.

use crate::command::{Line, on_path};
use crate::{Failure, Outcome};
use std::fs;
use std::path::{Path, PathBuf};

/// The script that runs everything there.
const SCRIPT: &str = include_str!("gpu-bundle.sh");
/// Limit of the packed size: the bundle is copied to other machines, possibly over a slow line.
const MOST_BYTES: u64 = 64 << 20;

/// A program of the bundle: its place there, and the cargo target that makes it.
struct Program {
    file: &'static str,
    package: &'static str,
    target: &'static str,
    is_test: bool,
}

impl Program {
    const fn new(file: &'static str, package: &'static str, target: &'static str) -> Self {
        Self { file, package, target, is_test: false }
    }

    const fn test(file: &'static str, package: &'static str, target: &'static str) -> Self {
        Self { file, package, target, is_test: true }
    }
}

const PROGRAMS: [Program; 7] = [
    Program::new("apportion", "apportion-cli", "apportion"),
    Program::new("bench-gpu", "apportion-benches", "gpu"),
    Program::test("tests/cuda", "apportion", "cuda"),
    Program::test("tests/region_gpus", "apportion", "region_gpus"),
    Program::test("tests/every", "apportion-kernels", "every"),
    Program::test("tests/devices", "apportion-macros", "devices"),
    Program::test("tests/points", "apportion-macros", "points"),
];

/// Arguments.
#[derive(Debug)]
pub struct Options {
    out: PathBuf,
}

impl Options {
    /// From the command line.
    pub fn parse(arguments: &[String]) -> Outcome<Self> {
        let mut options = Self { out: "target/gpu-bundle".into() };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            if name != "--out" {
                return Err(Failure::Usage(format!("`gpu-bundle` has no option `{name}`; it has --out")));
            }
            let value = rest.next().filter(|value| !value.is_empty());
            options.out = value.ok_or_else(|| Failure::Usage("--out needs a value".into()))?.into();
        }
        Ok(options)
    }
}

/// Builds, strips, and assembles the folder.
pub fn gpu_bundle(options: &Options) -> Outcome {
    let out = &options.out;
    let strip = on_path("strip");
    let mut files = Vec::new();
    for program in &PROGRAMS {
        let built = build(program, strip.is_none())?;
        let place = out.join(program.file);
        make_folder(place.parent().unwrap_or(out))?;
        // A running program cannot be overwritten, but its file can be removed.
        let _ = fs::remove_file(&place);
        match &strip {
            Some(strip) => Line::new(strip, [Path::new("-o"), &place, &built]).run("stripping")?,
            None => copy(&built, &place)?,
        }
        files.push(place);
    }
    make_folder(&out.join("machines"))?;
    let mut machines: Vec<_> = fs::read_dir("machines").into_iter().flatten().flatten().map(|e| e.path()).collect();
    machines.sort();
    for machine in machines.iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let place = out.join(machine);
        copy(machine, &place)?;
        files.push(place);
    }
    for (name, text) in [("run.sh", SCRIPT.to_owned()), ("commit.txt", commit())] {
        let place = out.join(name);
        fs::write(&place, text).map_err(|error| wrong(&place, &error))?;
        files.push(place);
    }
    make_executable(&out.join("run.sh"))?;

    let mut bytes = 0;
    for file in &files {
        bytes += size(file)?;
    }
    if let Some(archive) = pack(out)? {
        let packed = size(&archive)?;
        if packed > MOST_BYTES {
            return Err(Failure::Failed(format!(
                "{} has {:.1} MiB, more than {}: leave a program out",
                archive.display(),
                mebibytes(packed),
                MOST_BYTES >> 20
            )));
        }
        eprintln!("\ngpu-bundle: {}, {:.1} MiB, has all of the folder", archive.display(), mebibytes(packed));
    }
    eprintln!(
        "\ngpu-bundle: {} files, {:.1} MiB, in {}\nOn a machine with GPUs: {}/run.sh [--quick] OUT",
        files.len(),
        mebibytes(bytes),
        out.display(),
        out.display()
    );
    Ok(())
}

fn size(file: &Path) -> Outcome<u64> {
    Ok(fs::metadata(file).map_err(|error| wrong(file, &error))?.len())
}

/// Packs the folder into an archive beside it, if there is a `tar`.
fn pack(folder: &Path) -> Outcome<Option<PathBuf>> {
    let (Some(tar), Some(name)) = (on_path("tar"), folder.file_name()) else { return Ok(None) };
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut archive = name.to_owned();
    archive.push(".tar.gz");
    let archive = parent.join(archive);
    Line::new(tar, [Path::new("-czf"), &archive, Path::new("-C"), parent, Path::new(name)]).run("packing")?;
    Ok(Some(archive))
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Builds one program and returns its path.
fn build(program: &Program, stripped: bool) -> Outcome<PathBuf> {
    let Program { package, target, is_test, .. } = *program;
    let mut arguments = vec![if is_test { "test" } else { "build" }, "--package", package];
    arguments.extend(if is_test { ["--test", target] } else { ["--bin", target] });
    arguments.extend(is_test.then_some("--no-run"));
    arguments.extend(["--release", "--message-format=json-render-diagnostics"]);
    if stripped {
        // A separate folder: other settings would invalidate the whole ordinary build.
        arguments.extend(["--config", "profile.release.strip=true", "--target-dir", "target/gpu-bundle-build"]);
    }
    let messages = Line::cargo(arguments).captured("the build")?;
    executable(&messages, target).ok_or_else(|| Failure::Failed(format!("cargo does not say where it put `{target}`")))
}

/// The program of that name in cargo's messages, each of which is one line of JSON.
fn executable(messages: &str, target: &str) -> Option<PathBuf> {
    let artifacts = messages.lines().filter(|line| line.contains(r#""reason":"compiler-artifact""#));
    let named = format!(r#""name":"{target}""#);
    let mut found = artifacts.filter(|line| line.contains(&named)).filter_map(|line| {
        let (_, rest) = line.split_once(r#""executable":""#)?;
        text_of_json(rest)
    });
    found.next_back().map(PathBuf::from)
}

/// A JSON text up to its closing quote. Paths have only these escapes.
fn text_of_json(rest: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            '\\' => text.push(characters.next().filter(|c| ['"', '\\', '/'].contains(c))?),
            plain => text.push(plain),
        }
    }
}

/// The commit that the programs were built from, for readers of the results.
fn commit() -> String {
    let head = Line::new("git", ["rev-parse", "HEAD"]).output().unwrap_or_else(|| "unknown\n".into());
    let changed = Line::new("git", ["status", "--porcelain", "--untracked-files=no"]).output();
    let changed = changed.is_some_and(|files| !files.trim().is_empty());
    format!("{}{}\n", head.trim(), if changed { " with changes" } else { "" })
}

fn wrong(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{}: {error}", path.display()))
}

fn make_folder(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| wrong(folder, &error))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(drop).map_err(|error| wrong(to, &error))
}

#[cfg(unix)]
fn make_executable(file: &Path) -> Outcome {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).map_err(|error| wrong(file, &error))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Outcome {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_lies_beside_the_folder_and_has_its_files() {
        let place = std::env::temp_dir().join(format!("gpu-bundle-pack-{}", std::process::id()));
        fs::create_dir_all(place.join("bundle/tests")).unwrap();
        fs::write(place.join("bundle/tests/cuda"), "program").unwrap();
        let archive = pack(&place.join("bundle")).ok().unwrap();
        if let (Some(archive), Some(tar)) = (archive, on_path("tar")) {
            assert_eq!(archive, place.join("bundle.tar.gz"));
            let listed = Line::new(tar, [Path::new("-tzf"), &archive]).output().unwrap();
            assert!(listed.lines().any(|line| line == "bundle/tests/cuda"), "{listed}");
        }
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn the_program_is_the_last_of_its_name_that_cargo_made() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"cuda"},"executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"kind":["test"],"name":"other"},"executable":"/t/other-1"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"kind":["test"],"name":"cuda"},"executable":"/t \"x\\y/cuda-2","fresh":true}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(executable(messages, "cuda"), Some(PathBuf::from(r#"/t "x\y/cuda-2"#)));
        assert_eq!(executable(messages, "cud"), None);
        assert_eq!(executable(r#"{"reason":"compiler-artifact","name":"cuda","executable":"/cut"#, "cuda"), None);
    }

    /// A bundle of scripts that record how they are called.
    #[cfg(unix)]
    struct Stage {
        folder: PathBuf,
    }

    #[cfg(unix)]
    impl Stage {
        fn new(name: &str, fails: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("gpu-bundle-{name}-{}", std::process::id()));
            let stage = Self { folder };
            let program = |file: &str| {
                let place = stage.folder.join(file);
                fs::create_dir_all(place.parent().unwrap()).unwrap();
                let text = format!(
                    "#!/bin/sh\necho \"{file} $*\" >>calls.txt\n[ \"$1\" = probe ] && touch machine.json\n\
                     [ \"$1\" = --list ] && printf '%s: test\\n' strips::rows generator::files kernels::axpy\n\
                     [ \"$1\" = --tool ] && echo '========= ERROR SUMMARY: 0 errors'\n\
                     case \"{file} $*\" in {fails}) exit 3 ;; esac\nexit 0\n"
                );
                fs::write(&place, text).unwrap();
                make_executable(&place).ok().unwrap();
            };
            PROGRAMS.iter().for_each(|built| program(built.file));
            program("path/nvidia-smi");
            program("path/compute-sanitizer");
            fs::write(stage.folder.join("run.sh"), SCRIPT).unwrap();
            stage
        }

        /// Returns exit status, calls and summary.
        fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
            let path = format!("{}:{}", self.folder.join("path").display(), std::env::var("PATH").unwrap());
            let output = std::process::Command::new("sh")
                .arg(self.folder.join("run.sh"))
                .args(arguments)
                .env("PATH", path)
                .current_dir(&self.folder)
                .output()
                .unwrap();
            let read = |file: &str| fs::read_to_string(self.folder.join("out").join(file)).unwrap_or_default();
            (output.status.code(), read("calls.txt"), read("summary.txt"))
        }
    }

    #[cfg(unix)]
    impl Drop for Stage {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_script_runs_every_step_with_relative_paths() {
        let stage = Stage::new("all", "nothing");
        let out = stage.folder.join("out");
        let (status, calls, summary) = stage.run(&["--quick", out.to_str().unwrap()]);
        assert_eq!(status, Some(0), "{summary}");
        assert!(summary.lines().count() == 17 && summary.lines().all(|line| line.starts_with("ok ")), "{summary}");
        assert!(!calls.contains(stage.folder.to_str().unwrap()), "{calls}");
        for line in [
            "tests/cuda --test-threads=1",
            "tests/region_gpus --test-threads=1",
            "tests/every --test-threads=1",
            "tests/devices --test-threads=1 --skip generator",
            "tests/points --test-threads=1 --skip generator",
            "bench-gpu regions quick",
            "bench-gpu single quick",
            "bench-gpu empty",
            "bench-gpu kernels",
            "bench-gpu loops machine.json page-locked 3 bm2d",
            "bench-gpu hand quick machine.json page-locked 3 bm2d",
            "apportion devices",
            "apportion probe --quick -o machine.json",
        ] {
            assert!(calls.lines().any(|call| call == line), "{line} is not in {calls}");
        }
        for memory in ["page-locked", "plain"] {
            let line = format!(
                "apportion compare --machine machine.json --workloads all --policies all --size small --reps 3 \
                 --formats svg --memory {memory} --history off --out compare-{memory}"
            );
            assert!(calls.lines().any(|call| call == line), "{line} is not in {calls}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_step_that_fails_is_named_and_stops_no_other() {
        for (name, fails, step) in
            [("tests", "*cuda*", "tests-cuda"), ("smi", "*\\ -L", "gpus"), ("plain", "*compare-plain", "compare-plain")]
        {
            let (status, _, summary) = Stage::new(name, fails).run(&["out"]);
            assert_eq!(status, Some(1), "{summary}");
            let failed: Vec<_> = summary.lines().filter(|line| !line.starts_with("ok ")).collect();
            assert_eq!(failed, [format!("FAILED  {step} (exit status 3): {step}.log")], "{summary}");
            // The sanitizer has its own steps.
            let (sanitizer, others): (Vec<_>, Vec<_>) = summary.lines().partition(|line| line.contains("check-"));
            assert_eq!((sanitizer.len(), others.len()), (6, 17), "{summary}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn each_generated_kernel_is_sanitized_by_itself_and_all_steps_are_timed() {
        let stage = Stage::new("sanitizer", "nothing");
        let (status, calls, summary) = stage.run(&["out"]);
        assert_eq!(status, Some(0), "{summary}");
        let read = |file: &str| fs::read_to_string(stage.folder.join("out").join(file)).unwrap();
        for tool in ["memcheck", "racecheck"] {
            for test in ["every region::on_one_gpu_and_on_all", "devices strips::rows", "devices kernels::axpy"] {
                let found = format!("{tool} {test}: 0 errors, ");
                assert!(read("sanitizer.txt").lines().any(|line| line.starts_with(&found)), "{found}");
                let (program, test) = test.split_once(' ').unwrap();
                let end = format!("tests/{program} --test-threads=1 --exact {test}");
                let call = |call: &&str| call.contains(&format!("--tool {tool} ")) && call.ends_with(&end);
                assert_eq!(calls.lines().filter(call).count(), 1, "{end}: {calls}");
            }
        }
        assert!(!calls.contains("--exact generator"), "{calls}");
        assert!(calls.lines().any(|line| line == "bench-gpu loops machine.json page-locked 7"), "{calls}");
        assert_eq!(read("times.txt").lines().count(), summary.lines().count());
    }

    #[cfg(unix)]
    #[test]
    fn the_script_refuses_wrong_arguments_before_it_runs_anything() {
        let stage = Stage::new("usage", "nothing");
        for arguments in [&[][..], &["--fast", "out"], &["out", "more"], &["--quick"]] {
            assert_eq!(stage.run(arguments), (Some(2), String::new(), String::new()), "{arguments:?}");
        }
    }
}
