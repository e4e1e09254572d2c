//! `cargo xtask demo`: from a fresh clone to figures.

use crate::command::Line;
use crate::{Failure, Outcome, setup};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments.
#[derive(Debug)]
pub struct Options {
    /// Absent: chosen by the available memory.
    size: Option<String>,
    reps: u32,
    out: PathBuf,
    no_install: bool,
}

impl Options {
    /// From the command line.
    pub fn parse(arguments: &[String]) -> Outcome<Self> {
        let mut options = Self { size: None, reps: 15, out: "out/demo".into(), no_install: false };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            if name == "--no-install" {
                options.no_install = true;
                continue;
            }
            if !["--size", "--reps", "--out"].contains(&name.as_str()) {
                let known = "--size, --reps, --out and --no-install";
                return Err(Failure::Usage(format!("`demo` has no option `{name}`; it has {known}")));
            }
            let Some(value) = rest.next() else {
                return Err(Failure::Usage(format!("{name} needs a value")));
            };
            match name.as_str() {
                "--size" if !["small", "medium", "paper"].contains(&value.as_str()) => {
                    return Err(Failure::Usage(format!("there is no size `{value}`; there are small, medium, paper")));
                }
                "--size" => options.size = Some(value.clone()),
                "--reps" => {
                    let wrong = || Failure::Usage(format!("--reps is a number from 1 on, not `{value}`"));
                    options.reps = value.parse().ok().filter(|&reps| reps > 0).ok_or_else(wrong)?;
                }
                _ => options.out = value.into(),
            }
        }
        Ok(options)
    }
}

/// Installs, builds, measures the machine, compares.
pub fn demo(options: &Options) -> Outcome {
    let started = Instant::now();
    if !options.no_install {
        setup::install_missing()?;
    }
    Line::cargo(["build", "--release", "--package", "apportion-cli"]).run("the build")?;
    let program = program()?;
    let run = |arguments: &[&str], what: &str| Line::new(&program, arguments).run(what);

    std::fs::create_dir_all(&options.out)
        .map_err(|error| Failure::Failed(format!("cannot make the folder {}: {error}", options.out.display())))?;
    let out = text(&options.out)?;
    let machine_file = options.out.join("machine.json");
    let machine = text(&machine_file)?;
    let reps = options.reps.to_string();
    let size = options.size.as_deref().unwrap_or_else(|| default_size());
    let devices = devices(|arguments| Line::new(&program, arguments).output());
    if devices == BOTH {
        eprintln!(
            "\ndemo: the CPU is the only device here, so OpenCL on its cores is named too: half of them each, to show several \
             devices in one loop. The CPU alone, which your own programs get, is faster"
        );
    }
    run(&[&["devices"], devices].concat(), "the list of devices")?;
    run(&[&["probe"], devices, &["-o", machine]].concat(), "measuring this machine")?;
    let compare = [
        ["compare", "--machine", machine],
        ["--workloads", "all", "--policies"],
        ["all", "--size", size],
        ["--reps", &reps, "--out"],
    ];
    run(&[compare.as_flattened(), &[out, "--history", "off"]].concat(), "the comparison")?;
    conclude(options, &program, started);
    Ok(())
}

/// The CPU, and OpenCL on its cores, which is used only where it is named.
const BOTH: &[&str] = &["--devices", "0,:OCLCPU"];

/// What names the devices of the demo: where the CPU is alone, OpenCL on its cores takes part, if that works. `output` runs the
/// program.
fn devices(output: impl Fn(&[&str]) -> Option<String>) -> &'static [&'static str] {
    let usable = |more: &[&str]| {
        let listed = output(&[&["devices", "--json"], more].concat());
        listed.map_or(0, |text| text.matches("\"usable\": true").count())
    };
    if usable(&[]) == 1 && usable(BOTH) == 2 { BOTH } else { &[] }
}

/// Medium, at which a loop takes much longer than starting it; small if its arrays might not fit.
fn default_size() -> &'static str {
    const KB_NEEDED: u64 = 3_000_000;
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    if available.is_some_and(|kb| kb < KB_NEEDED) {
        eprintln!("\ndemo: less than 3 GB of memory is free, so the workloads are run at their small sizes");
        "small"
    } else {
        "medium"
    }
}

/// The built program. Cargo puts it beside this one, as both are built in release.
fn program() -> Outcome<PathBuf> {
    let name = format!("apportion{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|me| Some(me.parent()?.join(&name)));
    let file = beside.filter(|file| file.is_file()).ok_or_else(|| {
        Failure::Failed(format!("the build made no `{name}` beside this program: run it as `cargo xtask demo`"))
    })?;
    // A short path, as it is printed before each step.
    let here = std::env::current_dir().unwrap_or_default();
    Ok(match file.strip_prefix(&here) {
        Ok(short) => Path::new(".").join(short),
        Err(_) => file,
    })
}

fn text(path: &Path) -> Outcome<&str> {
    path.to_str().ok_or_else(|| Failure::Failed(format!("the path {} is no UTF-8 text", path.display())))
}

fn conclude(options: &Options, program: &Path, started: Instant) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(&options.out)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    let place = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string();
    eprintln!("\ndemo: done in {:.0} s. The table is above; these files are yours:", started.elapsed().as_secs_f64());
    for file in &files {
        let what = match file.extension().and_then(|end| end.to_str()) {
            Some("svg" | "png" | "pdf") => "figure",
            Some("json") if file.ends_with("machine.json") => "this machine, measured",
            Some("json") => "record: every run, every device, every phase",
            _ => "",
        };
        eprintln!("  {}  {what}", place(file));
    }
    eprintln!("Next: {} compare --help", program.display());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opencl_on_the_cpu_is_named_where_nothing_else_is_beside_the_cpu() {
        let listed = |usable: usize| Some("{\"usable\": true}, {\"usable\": false}, ".repeat(usable));
        for (by_default, named, expected) in
            [(1, Some(2), BOTH), (1, Some(1), &[]), (1, None, &[]), (2, Some(2), &[]), (3, Some(2), &[])]
        {
            let output =
                |arguments: &[&str]| if arguments.ends_with(BOTH) { listed(named?) } else { listed(by_default) };
            assert_eq!(devices(output), expected, "{by_default} {named:?}");
        }
    }
}
