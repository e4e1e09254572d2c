//! The command line: what is written there is read and checked before any work starts.
//!
//! A flag means the same in every command that takes it, since it stands here once.

use crate::failure::Failure;
use apportion::Error;
use apportion::devices::detect;
use apportion::devices::specifier::{self, Candidate};
use apportion::kernel::ElementType;
use apportion::model::Machine;
use apportion::runtime::{HistoryFile, Runtime};
use apportion::sched::{Cutoff, POLICIES, Policy};
use apportion::space::DeviceId;
use apportion_cli::figures::{Format, file_names};
use apportion_cli::record::ScalingKind;
use apportion_kernels::apps::{self, App};
use apportion_kernels::{Entry, Form, Memory, Sizes, WORKLOADS};
use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Divides parallel loops over all devices of a machine: compares policies, measures, simulates.
#[derive(Debug, Parser)]
#[command(
    name = "apportion",
    version,
    after_help = "Exit status: 0; 1 when the work failed; 2 for wrong arguments or input."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// What is here, with the ids that the device specifier takes
    Devices(DevicesOptions),
    /// Measure this machine's devices and write its description
    Probe(ProbeOptions),
    /// Run workloads under policies on the devices: table, record, figures
    #[command(after_help = lists() + &applications())]
    Compare(CompareOptions),
    /// The same on a described machine, in virtual time
    #[command(after_help = lists())]
    Simulate(SimulateOptions),
    /// What each policy would do with a loop, what decides its time, and what AUTO chooses and why
    #[command(after_help = lists())]
    Explain(ExplainOptions),
    /// What loops took here before, which is what is expected of the next: show, clear, share
    History(HistoryOptions),
    /// Draw the figures of a record
    Plot(PlotOptions),
    /// Repeat a paper's experiments in simulation, beside what its authors measured
    Reproduce(ReproduceOptions),
}

#[derive(Args, Debug)]
pub struct DevicesOptions {
    #[command(flatten)]
    pub machine: MachineFlag,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ProbeOptions {
    /// Write the description here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub machine: MachineFlag,
    /// Smaller arrays and fewer repetitions: half a minute at most, figures less sure
    #[arg(long)]
    pub quick: bool,
    /// Measure emulated devices too: what is found should be what they pretend
    #[arg(long)]
    pub emulated: bool,
    /// Print the description on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct CompareOptions {
    #[command(flatten)]
    pub machine: MachineFlag,
    #[command(flatten)]
    pub loops: LoopFlags,
    #[command(flatten)]
    pub repeat: RepeatFlags,
    /// Steps of an application [default: 200 at most; of size `paper` as many as the papers have]
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u32).range(2..=100_000_000))]
    pub steps: Option<u32>,
    /// Applications on 1, 2, .. of the devices, in their order: `strong` (the same arrays), `weak` (as many times as many
    /// rows as devices), or both with a comma between; with time lines
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = |text: &str| text.parse::<ScalingKind>())]
    pub scaling: Vec<ScalingKind>,
    /// Run each split of an application once more, timed loop by loop, and record what devices did over time
    #[arg(long)]
    pub timeline: bool,
    #[command(flatten)]
    pub history: HistoryFlag,
    #[command(flatten)]
    pub results: ResultFlags,
}

#[derive(Args, Debug)]
pub struct SimulateOptions {
    /// The machine description
    #[arg(long, value_name = "FILE")]
    pub machine: PathBuf,
    #[command(flatten)]
    pub loops: LoopFlags,
    /// Whether copies and kernels of neighbouring chunks overlap: `full` as in this runtime, `none` as in HOMP's
    #[arg(long, value_enum, value_name = "HOW", default_value = "full")]
    pub overlap: OverlapFlag,
    #[command(flatten)]
    pub results: ResultFlags,
}

#[derive(Args, Debug)]
pub struct ExplainOptions {
    #[command(flatten)]
    pub machine: MachineFlag,
    #[command(flatten)]
    pub loops: LoopFlags,
    /// Whether copies and kernels of neighbouring chunks overlap: `full` as in this runtime, `none` as in HOMP's
    #[arg(long, value_enum, value_name = "HOW", default_value = "full")]
    pub overlap: OverlapFlag,
    /// Kernels whose cost counts: `hand` (as stated by hand), `single` (as derived by `#[kernel]` from one Rust function)
    #[arg(long, value_name = "FORM", default_value_t, value_parser = |text: &str| text.parse::<Form>())]
    pub form: Form,
    #[command(flatten)]
    pub history: HistoryFlag,
    /// Draw the timelines of one workload side by side, as svg, png or pdf by the file's name
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print JSON on standard output, and no table
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct PlotOptions {
    /// The record, as `compare --out` and `simulate --out` write it
    pub record: PathBuf,
    /// Folder for the figures [default: that of the record]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub formats: FormatsFlag,
}

#[derive(Args, Debug)]
pub struct HistoryOptions {
    #[command(subcommand)]
    pub action: HistoryAction,
    #[command(flatten)]
    pub history: HistoryFlag,
}

#[derive(Debug, Subcommand)]
pub enum HistoryAction {
    /// The rates that it knows
    Show {
        #[command(flatten)]
        filter: HistoryFilter,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Where it lies
    Path,
    /// Forget all of it, or what the flags name
    Clear {
        #[command(flatten)]
        filter: HistoryFilter,
    },
    /// Write it to another file
    Export {
        /// The file
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// Add what another file knows, of this machine or of one with the same devices
    Import {
        /// The file
        #[arg(value_name = "FILE")]
        from: PathBuf,
    },
}

/// Which entries of a history.
#[derive(Args, Debug)]
pub struct HistoryFilter {
    /// Of this kernel; `(link)` for what is known of links alone
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Of devices with this in what they are, such as `H200`
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,
}

#[derive(Args, Debug)]
pub struct HistoryFlag {
    /// Measured rates of earlier runs: a file, or `off` [default: $APPORTION_HISTORY, else that of `apportion history path`]
    #[arg(long, value_name = "FILE|off", global = true)]
    pub history: Option<PathBuf>,
}

impl HistoryFlag {
    /// The file that the flag names, else the environment, else the usual place; none where it is off.
    pub fn file(&self) -> Option<HistoryFile> {
        match &self.history {
            Some(path) if path.as_os_str() == "off" => None,
            Some(path) => Some(HistoryFile::at(path)),
            None => HistoryFile::from_environment().unwrap_or_else(HistoryFile::default_place),
        }
    }
}

#[derive(Args, Debug)]
pub struct ReproduceOptions {
    /// The paper
    #[arg(value_enum)]
    pub paper: Paper,
    /// Predict the cases of this table: kernel,size,devices,policy,chunk_pct,cutoff_pct
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fit", "measured"])]
    pub cases: Option<PathBuf>,
    /// Fit the node's figures to the rows of one device in this table, and compare with all of its rows
    #[arg(long, value_name = "FILE", conflicts_with_all = ["machine", "runtime", "measured"])]
    pub fit: Option<PathBuf>,
    /// Compare with this table [default: what the paper's authors published]
    #[arg(long, value_name = "FILE")]
    pub measured: Option<PathBuf>,
    /// The node's description [default: machines/fornax-homp.json, which is built in]
    #[arg(long, value_name = "FILE")]
    pub machine: Option<PathBuf>,
    /// Figures of what only the authors' runtime had [default: reproduce/data/runtime.json, which is built in]
    #[arg(long, value_name = "FILE")]
    pub runtime: Option<PathBuf>,
    /// Write tables and figures, or what was fitted, into this folder
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Formats of the figures: svg, png, pdf
    #[arg(long, value_name = "LIST", default_value = "svg", value_delimiter = ',')]
    pub formats: Vec<Format>,
    /// Print JSON on standard output, and no table
    #[arg(long)]
    pub json: bool,
}

/// A paper whose experiments can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    /// Yan et al., HOMP, IPDPS 2017: figures 5 to 9 and table V
    Homp,
}

#[derive(Args, Debug)]
pub struct MachineFlag {
    /// The machine description, or `detected`: what is found here, with estimated figures [default: detected]
    #[arg(long, value_name = "FILE")]
    pub machine: Option<PathBuf>,
}

/// What runs.
#[derive(Args, Debug)]
pub struct LoopFlags {
    /// Devices, in HOMP's notation: `0:*` (all), `0,2`, `0:2:NVGPU`
    #[arg(long, value_name = "SPEC", default_value = "0:*")]
    pub devices: String,
    /// `all` (loops), `apps` (applications in data regions; `compare` alone runs them), or names with commas between
    #[arg(long, alias = "workload", value_name = "LIST", default_value = "all", value_parser = workloads)]
    pub workloads: Workloads,
    /// How large the workloads are
    #[arg(long, value_enum, default_value = "small")]
    pub size: Size,
    /// How large the workloads are, as a number
    #[arg(long, value_name = "N", conflicts_with = "size", value_parser = number)]
    pub n: Option<usize>,
    /// Type of the arrays' elements
    #[arg(long, value_name = "TYPE", default_value = "f32", value_parser = element)]
    pub element: ElementType,
    /// `all`, `homp` (HOMP's seven), or policies with commas between, each NAME[:PARAM[:MODE]] or NAME[:KEY=VALUE..]
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = policies)]
    pub policies: Policies,
    /// Which devices are not worth using: `none`, `share:15%`, `benefit:2%`
    #[arg(long, value_name = "RULE", default_value = "none", value_parser = |text: &str| text.parse::<Cutoff>())]
    pub cutoff: Cutoff,
}

/// How often it runs, and on what: a simulation has no noise to average and no arrays to fill.
#[derive(Args, Debug)]
pub struct RepeatFlags {
    /// Timed repetitions of each; six and more give a 95 % interval of the median
    #[arg(long, value_name = "R", default_value = "7", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub reps: u32,
    /// Seed of the random inputs
    #[arg(long, value_name = "S", default_value = "42")]
    pub seed: u64,
    /// Host memory of the arrays: `page-locked` (where a CUDA device is open), `plain`
    #[arg(long, value_name = "KIND", default_value_t, value_parser = |text: &str| text.parse::<Memory>())]
    pub memory: Memory,
    /// Kernels: `hand` (a host body, OpenCL C and CUDA C, tuned by hand), `single` (one Rust function, by `#[kernel]`)
    #[arg(long, value_name = "FORM", default_value_t, value_parser = |text: &str| text.parse::<Form>())]
    pub form: Form,
}

/// Where results go.
#[derive(Args, Debug)]
pub struct ResultFlags {
    /// Write record.json and the figures into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub formats: FormatsFlag,
    /// Print the record on standard output, and no table
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct FormatsFlag {
    /// Formats of the figures: svg, png, pdf
    #[arg(long, value_name = "LIST", default_value = "svg,png,pdf", value_delimiter = ',')]
    pub formats: Vec<Format>,
}

/// A named size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Size {
    /// A fraction of a second on one core
    Small,
    /// Seconds at most on one core
    Medium,
    /// As in the HOMP paper
    Paper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlapFlag(pub apportion::model::Overlap);

impl ValueEnum for OverlapFlag {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(apportion::model::Overlap::Full), Self(apportion::model::Overlap::None)]
    }
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self.0 {
            apportion::model::Overlap::Full => "full",
            apportion::model::Overlap::None => "none",
        }))
    }
}

/// Workloads, each once.
#[derive(Clone, Debug, Default)]
pub struct Workloads {
    /// Loops that run under policies.
    pub loops: Vec<&'static Entry>,
    /// Applications that run in data regions.
    pub apps: Vec<App>,
}

impl Workloads {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.loops.len() + self.apps.len()
    }
}

/// Policies, each once.
#[derive(Clone, Debug)]
pub struct Policies(pub Vec<Policy>);

fn workloads(text: &str) -> apportion::Result<Workloads> {
    let mut found = Workloads::default();
    for name in text.split(',').map(str::trim) {
        let (loops, apps): (Vec<_>, Vec<_>) = match name {
            "all" => (WORKLOADS.iter().collect(), Vec::new()),
            "apps" => (Vec::new(), apps::ALL.to_vec()),
            name => match (apportion_kernels::find(name), apps::find(name)) {
                (Ok(entry), _) => (vec![entry], Vec::new()),
                (_, Ok(app)) => (Vec::new(), vec![app]),
                (Err(_), Err(_)) => {
                    let names = WORKLOADS.iter().map(|entry| entry.name).chain(apps::ALL.iter().map(|app| app.name));
                    let names: Vec<_> = names.collect();
                    return Err(apportion::Error::call(format!(
                        "there is no workload `{name}`; there are {}; `all` and `apps`",
                        names.join(", ")
                    )));
                }
            },
        };
        for entry in loops {
            if found.loops.iter().all(|old| old.name != entry.name) {
                found.loops.push(entry);
            }
        }
        for app in apps {
            if !found.apps.contains(&app) {
                found.apps.push(app);
            }
        }
    }
    Ok(found)
}

fn policies(text: &str) -> apportion::Result<Policies> {
    let mut found: Vec<Policy> = Vec::new();
    for name in text.split(',').map(str::trim) {
        let named: Vec<_> = if name.eq_ignore_ascii_case("all") {
            POLICIES.iter().map(|entry| entry.name.parse()).collect::<apportion::Result<_>>()?
        } else if name.eq_ignore_ascii_case("homp") {
            Policy::ALL_SEVEN.to_vec()
        } else {
            vec![name.parse()?]
        };
        for new in named {
            if !found.contains(&new) {
                found.push(new);
            }
        }
    }
    Ok(Policies(found))
}

fn element(text: &str) -> Result<ElementType, String> {
    match text {
        "f32" => Ok(ElementType::F32),
        "f64" => Ok(ElementType::F64),
        _ => Err("the element types are f32 and f64".to_owned()),
    }
}

/// `1000000`, `1_000_000` or `1e6`.
fn number(text: &str) -> Result<usize, String> {
    let right = "a size is a whole number of at least 1, such as 1000000, 1_000_000 or 1e6";
    let plain = text.replace('_', "");
    let (digits, zeros) = plain.split_once(['e', 'E']).unwrap_or((plain.as_str(), "0"));
    if [digits, zeros].iter().any(|part| part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit())) {
        return Err(right.to_owned());
    }
    let value =
        zeros.parse().ok().and_then(|zeros| digits.parse::<usize>().ok()?.checked_mul(10usize.checked_pow(zeros)?));
    match value {
        Some(0) => Err(right.to_owned()),
        Some(value) => Ok(value),
        None => Err(format!("that is more than this machine can address; {right}")),
    }
}

/// The policies and workloads there are, for the help.
fn lists() -> String {
    let mut text = "Policies:\n".to_owned();
    for entry in POLICIES {
        let _ = writeln!(text, "  {:<20} {}", entry.name, entry.summary);
        if !entry.parameter.is_empty() {
            let _ = writeln!(text, "  {:<20} :{}", "", entry.parameter);
        }
    }
    text.push_str("\nWorkloads (n of small, medium, paper):\n");
    for entry in WORKLOADS {
        let sizes: Vec<_> = entry.sizes.named().iter().map(|(_, n)| n.to_string()).collect();
        let _ = writeln!(text, "  {:<20} {} ({})", entry.name, entry.summary, sizes.join(", "));
    }
    text
}

/// The applications there are, for the help.
fn applications() -> String {
    let mut text = "\nApplications (n of small, medium, paper; steps at size paper):\n".to_owned();
    for app in apps::ALL {
        let sizes: Vec<_> = app.sizes.named().iter().map(|(_, n)| n.to_string()).collect();
        let _ = writeln!(text, "  {:<20} {} ({}; {})", app.name, app.summary, sizes.join(", "), app.steps);
    }
    text.push_str(
        "  They run in data regions, where no policy applies: by REGION:model (split by the models), REGION:even and\n  \
         REGION:rebalanced (by the models, then by measured times). Their times are those of all steps but the first,\n  \
         over arrays on the devices. Results are compared with a sequential reference, after fewer steps where that\n  \
         would take minutes; the remarks say after how many. With --timeline or --scaling there is also\n  \
         REGION:even-rebalanced (evenly, then by measured times).\n",
    );
    text
}

impl MachineFlag {
    /// The description in the file, or of what is found here, and remarks.
    pub fn load(&self) -> Result<(Machine, Vec<String>), Failure> {
        match self.file() {
            Some(path) => Ok((load_machine(path)?, Vec::new())),
            None => {
                let found = detect::machine();
                Ok((found.machine, found.notes))
            }
        }
    }

    /// Opens the enabled devices of the description, as it was loaded or a part of it.
    pub fn open(&self, machine: Machine) -> Result<Runtime, Failure> {
        let of_file = |error: Error| match self.file() {
            Some(path) => error.of_machine_file(path),
            None => error,
        };
        Ok(Runtime::from_machine(machine).map_err(of_file)?)
    }

    fn file(&self) -> Option<&Path> {
        self.machine.as_deref().filter(|path| path.as_os_str() != "detected")
    }
}

/// Reads a description.
pub fn load_machine(path: &Path) -> Result<Machine, Failure> {
    Ok(Machine::load(path)?)
}

impl LoopFlags {
    /// The devices that the specifier names, and remarks.
    pub fn select(&self, machine: &Machine) -> Result<(Vec<DeviceId>, Vec<String>), Failure> {
        let selection = specifier::parse(&self.devices, &Candidate::all_of(machine))?;
        Ok((selection.ids, selection.warnings))
    }

    /// The size of a workload that has these.
    pub fn size_of(&self, sizes: Sizes) -> usize {
        self.n.unwrap_or(match self.size {
            Size::Small => sizes.small,
            Size::Medium => sizes.medium,
            Size::Paper => sizes.paper,
        })
    }

    /// The workloads, where each must be a loop that a policy divides.
    pub fn loops_alone(&self, command: &str) -> Result<&[&'static Entry], Failure> {
        match self.workloads.apps.first() {
            None => Ok(&self.workloads.loops),
            Some(app) => Err(Failure::Input(format!(
                "--workloads {}: runs in a data region, where no policy decides; `apportion compare` measures it, \
                 `apportion {command}` cannot predict it",
                app.name
            ))),
        }
    }
}

impl ResultFlags {
    /// Whether the results of so many workloads can be written where they shall go. Nothing is left behind.
    pub fn check(&self, workloads: usize) -> Result<(), Failure> {
        let Some(out) = self.out.as_deref() else { return Ok(()) };
        let mut files = file_names(workloads, &self.formats.formats);
        files.push("record.json".to_owned());
        check_folder("--out", out, &files)
    }
}

/// Whether files can be written into a folder that may not be there yet.
pub fn check_folder(flag: &str, folder: &Path, files: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let wrong = |problem: String| {
        Err(Failure::Input(format!("{flag} {}: {problem}; give a place that can be written", folder.display())))
    };
    if folder.as_os_str().is_empty() {
        return wrong("is empty".to_owned());
    }
    let mut there = folder;
    // The nearest ancestor that is there; a broken link is there, and is no folder.
    while there.symlink_metadata().is_err() {
        there = match there.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => return wrong("has no parent folder".to_owned()),
        };
    }
    if !there.is_dir() {
        return wrong(format!("{} is no folder", there.display()));
    }
    // Asking the permissions would not do: they do not know of read-only file systems.
    if let Err(error) =
        tempfile::tempfile_in(there).and_then(|_| tempfile::Builder::new().prefix(".apportion-").tempfile_in(there))
    {
        return wrong(format!("cannot write into {}: {error}", there.display()));
    }
    match files.iter().map(|file| folder.join(file)).find(|file| file.is_dir()) {
        Some(taken) => wrong(format!("{} is a folder", taken.display())),
        None => Ok(()),
    }
}

/// The command line as typed, fit to be typed again.
pub fn command_line() -> String {
    let quoted = |argument: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,%=+*@".contains(c);
        // A `*` that no file matches stays as it is in most shells; quoting is safe in all.
        if !argument.is_empty() && argument.chars().all(|c| plain(c) && c != '*') {
            argument
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    };
    let arguments = std::env::args_os().skip(1).map(|argument| quoted(argument.to_string_lossy().into_owned()));
    std::iter::once("apportion".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use apportion_cli::statistics::SAMPLES_FOR_INTERVAL;

    #[test]
    fn a_comparison_repeats_often_enough_for_an_interval() {
        let Command::Compare(options) = Arguments::parse_from(["apportion", "compare"]).command else { unreachable!() };
        assert!(options.repeat.reps as usize >= SAMPLES_FOR_INTERVAL);
    }

    #[test]
    fn arrays_are_page_locked_unless_told_otherwise_and_a_wrong_kind_is_told_the_right_ones() {
        let memory = |arguments: &[&str]| {
            let arguments = [&["apportion", "compare"], arguments].concat();
            Arguments::try_parse_from(arguments).map(|parsed| match parsed.command {
                Command::Compare(options) => options.repeat.memory,
                _ => unreachable!(),
            })
        };
        assert_eq!(memory(&[]).unwrap(), Memory::PageLocked);
        for kind in Memory::ALL {
            assert_eq!(memory(&["--memory", kind.name()]).unwrap(), kind);
        }
        let refused = memory(&["--memory", "pinned"]).unwrap_err().to_string();
        assert!(refused.contains("`pinned`; there are page-locked, plain"), "{refused}");
    }

    #[test]
    fn kernels_are_those_by_hand_unless_told_otherwise() {
        let form = |arguments: &[&str]| {
            let arguments = [&["apportion", "compare"], arguments].concat();
            Arguments::try_parse_from(arguments).map(|parsed| match parsed.command {
                Command::Compare(options) => options.repeat.form,
                _ => unreachable!(),
            })
        };
        assert_eq!(form(&[]).unwrap(), Form::Hand);
        assert_eq!(form(&["--form", "single"]).unwrap(), Form::Single);
        let refused = form(&["--form", "both"]).unwrap_err().to_string();
        assert!(refused.contains("`both` of a kernel; there are hand, single"), "{refused}");
    }

    #[test]
    fn explain_takes_the_form_too() {
        let parsed = Arguments::try_parse_from(["apportion", "explain", "--form", "single"]).unwrap();
        assert!(matches!(parsed.command, Command::Explain(options) if options.form == Form::Single));
    }

    #[test]
    fn a_simulation_refuses_what_it_would_ignore() {
        for (flag, value) in [("--reps", "3"), ("--seed", "3"), ("--memory", "plain"), ("--form", "single")] {
            let simulate = ["apportion", "simulate", "--machine", "m.json", flag, value];
            let refused = Arguments::try_parse_from(simulate).unwrap_err();
            assert_eq!(refused.kind(), clap::error::ErrorKind::UnknownArgument);
            assert!(Arguments::try_parse_from(["apportion", "compare", flag, value]).is_ok());
        }
    }
}
