//! The command line, parsed and checked before any work starts.
//!
//! A flag means the same in every command that takes it: a test below checks that.

use crate::failure::Failure;
use apportion::Error;
use apportion::devices::detect;
use apportion::devices::specifier::{self, Candidate};
use apportion::kernel::ElementType;
use apportion::model::Machine;
use apportion::runtime::{HistoryFile, Runtime};
use apportion::sched::{Cutoff, POLICIES, Policy};
use apportion::space::DeviceId;
use apportion_cli::figures::{Format, Width, file_names};
use apportion_cli::record::ScalingKind;
use apportion_kernels::apps::{self, App};
use apportion_kernels::{Entry, Form, Memory, Sizes, WORKLOADS};
use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Divides a parallel loop over CPU cores, CUDA GPUs and OpenCL devices, and compares ways to divide it.
#[derive(Debug, Parser)]
#[command(
    name = "apportion",
    version,
    after_help = "Start with:\n  \
                  apportion devices                          which devices there are\n  \
                  apportion probe -o machine.json            measure them, once (minutes)\n  \
                  apportion compare --machine machine.json -o results\n\n\
                  In every command -o, --out names what is written, and --json prints JSON in place of tables where there is JSON.\n\n\
                  Exit status: 0; 1 when the work failed; 2 for wrong arguments or input."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the devices of this machine, with the numbers and names that --devices takes
    #[command(after_help = "Examples:\n  apportion devices\n  apportion devices --machine machine.json --json")]
    Devices(DevicesOptions),
    /// Measure the devices of this machine and write what was found as a machine description
    #[command(after_help = "Examples:\n  \
                            apportion probe -o machine.json\n  \
                            apportion probe --quick --json")]
    Probe(ProbeOptions),
    /// Run workloads under scheduling policies on the devices of this machine: table, record, figures
    #[command(after_help = COMPARE_EXAMPLES.to_owned() + &lists() + &applications())]
    Compare(CompareOptions),
    /// Predict what `compare` would measure, for any machine that has a description; nothing runs
    #[command(after_help = SIMULATE_EXAMPLES.to_owned() + &lists())]
    Simulate(SimulateOptions),
    /// Show how each policy would divide a loop, what limits its time, and why AUTO chooses one of them
    #[command(after_help = EXPLAIN_EXAMPLES.to_owned() + &lists())]
    Explain(ExplainOptions),
    /// Manage recorded timings that predictions are based on
    #[command(after_help = "Examples:\n  \
                            apportion history show --kernel axpy\n  \
                            apportion history clear --device H200\n  \
                            apportion history export timings.json")]
    History(HistoryOptions),
    /// Draw the figures of a record that `compare` or `simulate` wrote
    #[command(
        after_help = "Figures: time_by_policy, time_by_devices (each kind of device alone, and all together; where devices\n\
                            also ran alone), phases_by_device, share_by_device; of series over numbers of devices and of time\n\
                            lines also strong_scaling, weak_scaling, exchange_share, imbalance_over_time.\n\n\
                            Examples:\n  \
                            apportion plot results/record.json\n  \
                            apportion plot results/record.json -o paper --width column --formats pdf"
    )]
    Plot(PlotOptions),
    /// Repeat a paper's experiments in simulation and compare with what its authors measured
    #[command(after_help = "Examples:\n  apportion reproduce homp\n  apportion reproduce homp -o homp --formats pdf")]
    Reproduce(ReproduceOptions),
}

#[derive(Args, Debug)]
pub struct DevicesOptions {
    #[command(flatten)]
    pub machine: MachineFlag,
    /// Print JSON on standard output in place of the table
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ProbeOptions {
    /// Write the machine description to this file
    #[arg(short, long, alias = "output", value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub machine: MachineFlag,
    /// Take half a minute at most: smaller arrays, fewer repetitions, less certain results
    #[arg(long)]
    pub quick: bool,
    /// Measure emulated devices too, as a check: the results should be what their description says
    #[arg(long)]
    pub emulated: bool,
    /// Print JSON on standard output in place of the table
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
    /// Time steps of each application [default: at most 200; with `--size paper` the number in the papers]
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(2..=100_000_000))]
    pub steps: Option<u32>,
    /// Run applications on 1, 2, .. of the devices, in their order: `strong` (the problem size stays the same), `weak` (the
    /// problem size grows with the number of devices), or both with a comma between. Implies --timeline
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = |text: &str| text.parse::<ScalingKind>())]
    pub scaling: Vec<ScalingKind>,
    /// Run each application once more, timing every loop, to record what the devices did over time; goes with --out or --json
    #[arg(long)]
    pub timeline: bool,
    #[command(flatten)]
    pub history: HistoryFlag,
    #[command(flatten)]
    pub results: ResultFlags,
}

#[derive(Args, Debug)]
pub struct SimulateOptions {
    /// The machine description, a file that `apportion probe -o` wrote or one written by hand
    #[arg(long, value_name = "FILE")]
    pub machine: PathBuf,
    #[command(flatten)]
    pub loops: LoopFlags,
    /// Whether copies and kernels overlap: `full` (as Apportion runs loops) or `none` (as HOMP's runtime does)
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
    /// Whether copies and kernels overlap: `full` (as Apportion runs loops) or `none` (as HOMP's runtime does)
    #[arg(long, value_enum, value_name = "HOW", default_value = "full")]
    pub overlap: OverlapFlag,
    /// Which kernels: `hand` (tuned by hand for each kind of device) or `single` (one Rust function, by `#[kernel]`)
    #[arg(long, value_name = "FORM", default_value_t, value_parser = |text: &str| text.parse::<Form>())]
    pub form: Form,
    #[command(flatten)]
    pub history: HistoryFlag,
    /// Draw the predicted timelines of one workload into this file; its name ends in .svg, .png or .pdf
    #[arg(short, long, alias = "output", value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub width: WidthFlag,
    /// Print JSON on standard output in place of the table
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct PlotOptions {
    /// The record, a file record.json that `compare --out` or `simulate --out` wrote, or the folder that has it
    pub record: PathBuf,
    /// Write the figures into this folder [default: that of the record]
    #[arg(short, long, alias = "output", value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub figures: FigureFlags,
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
    /// List the recorded timings, and which devices of this machine they are of
    Show {
        #[command(flatten)]
        filter: HistoryFilter,
        #[command(flatten)]
        machine: MachineFlag,
        /// Print JSON on standard output in place of the table
        #[arg(long)]
        json: bool,
    },
    /// Print the path of the file that holds them
    Path,
    /// Delete all recorded timings, or those that the flags select
    Clear {
        #[command(flatten)]
        filter: HistoryFilter,
    },
    /// Copy the recorded timings to another file
    Export {
        /// The file to write
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// Add the timings of another file, from this machine or one with the same devices
    Import {
        /// The file to read
        #[arg(value_name = "FILE")]
        from: PathBuf,
    },
}

/// Which entries of a history.
#[derive(Args, Debug)]
pub struct HistoryFilter {
    /// Timings of this kernel alone; `(link)` selects those of copies between host and device
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Timings of devices whose model has this in its name, such as `H200`
    #[arg(long, value_name = "TEXT")]
    pub device: Option<String>,
}

#[derive(Args, Debug)]
pub struct HistoryFlag {
    /// File with recorded timings of earlier runs, or `off` [default: $APPORTION_HISTORY, else what `apportion history path`
    /// prints]
    #[arg(long, value_name = "FILE|off", global = true)]
    pub history: Option<PathBuf>,
}

impl HistoryFlag {
    /// The file that the flag names, else the environment, else the default place; `None` if it is off.
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
    /// Which paper
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
    #[arg(short, long, alias = "output", value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub figures: FigureFlags,
    /// Print JSON on standard output in place of the table
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
    /// The machine description, a file; or `detected`: the devices found here, with estimated speeds [default: detected]
    #[arg(long, value_name = "FILE")]
    pub machine: Option<PathBuf>,
}

/// What runs.
#[derive(Args, Debug)]
pub struct LoopFlags {
    /// Which devices: `0:*` (all), `0,2` (numbers 0 and 2), `0:*:NVGPU` (all NVIDIA GPUs); see `apportion devices`
    #[arg(long, value_name = "SPEC", default_value = "0:*", allow_negative_numbers = true)]
    pub devices: String,
    /// Workloads: `all` (all loops), `apps` (all applications; `compare` alone runs them), or names with commas between
    #[arg(long, alias = "workload", value_name = "LIST", default_value = "all", value_parser = workloads)]
    pub workloads: Workloads,
    /// Problem size, by name
    #[arg(long, value_enum, default_value = "small")]
    pub size: Size,
    /// Problem size, as a number, such as 1000000 or 1e6
    #[arg(long, value_name = "N", conflicts_with = "size", allow_negative_numbers = true, value_parser = number)]
    pub n: Option<usize>,
    /// Type of the arrays' elements
    #[arg(long, value_name = "TYPE", default_value = "f32", value_parser = element)]
    pub element: ElementType,
    /// Scheduling policies: `all`, `homp` (the seven of HOMP), or policies with commas between, each NAME[:PARAM[:MODE]] or NAME[:KEY=VALUE..]
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = policies)]
    pub policies: Policies,
    /// Leave out devices that are not worth using: those with a smaller part of the work (`share:15%`) or that save less time
    /// (`benefit:2%`) than this; `none` uses all
    #[arg(long, value_name = "RULE", default_value = "none", value_parser = |text: &str| text.parse::<Cutoff>())]
    pub cutoff: Cutoff,
}

/// How often it runs, and on what: a simulation has no noise to average and no arrays to fill.
#[derive(Args, Debug)]
pub struct RepeatFlags {
    /// How often each is timed; six or more give a 95 % interval of the median
    #[arg(long, value_name = "R", default_value = "7", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub reps: u32,
    /// Seed of the random inputs
    #[arg(long, value_name = "S", default_value = "42", allow_negative_numbers = true, value_parser = seed)]
    pub seed: u64,
    /// Host memory of the arrays: `page-locked` (faster copies to CUDA GPUs) or `plain`
    #[arg(long, value_name = "KIND", default_value_t, value_parser = |text: &str| text.parse::<Memory>())]
    pub memory: Memory,
    /// Which kernels: `hand` (tuned by hand for each kind of device) or `single` (one Rust function, by `#[kernel]`)
    #[arg(long, value_name = "FORM", default_value_t, value_parser = |text: &str| text.parse::<Form>())]
    pub form: Form,
}

/// Where results go.
#[derive(Args, Debug)]
pub struct ResultFlags {
    /// Write record.json and the figures into this folder
    #[arg(short, long, alias = "output", value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub figures: FigureFlags,
    /// Print JSON on standard output in place of the table
    #[arg(long)]
    pub json: bool,
}

/// What figures look like.
#[derive(Args, Debug)]
pub struct FigureFlags {
    /// File formats of the figures, with commas between: `svg`, `png`, `pdf`
    #[arg(long, value_name = "LIST", default_value = "svg,png,pdf", value_delimiter = ',')]
    pub formats: Vec<Format>,
    #[command(flatten)]
    pub width: WidthFlag,
}

#[derive(Args, Debug)]
pub struct WidthFlag {
    /// Width of the figures: `column` (one column of a journal, 3.35 in) or `page` (both columns); type is 8 pt in both
    #[arg(long, value_name = "WIDTH", default_value_t, value_parser = |text: &str| text.parse::<Width>())]
    pub width: Width,
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

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a seed is a whole number from 0 to 18446744073709551615".to_owned())
}

/// Parses a command line. Of a workload or a policy that stands alone, the error says which flag takes it.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    Arguments::try_parse_from(&arguments).map_err(|mut error| {
        let command = arguments.get(1).and_then(|command| command.to_str()).unwrap_or_default();
        let unknown = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(unknown)) if error.kind() == ErrorKind::UnknownArgument => unknown.clone(),
            _ => return error,
        };
        let flag = match () {
            () if !["compare", "simulate", "explain"].contains(&command) => None,
            () if workloads(&unknown).is_ok() => Some("--workloads"),
            () if policies(&unknown).is_ok() => Some("--policies"),
            () => None,
        };
        if let Some(flag) = flag {
            let tip = format!("a flag takes this: '{flag} {unknown}'");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        error
    })
}

const COMPARE_EXAMPLES: &str = "Examples:
  apportion compare                                      all loops under all policies, on all devices
  apportion compare --machine machine.json -o results    with measured speeds; writes record.json and figures
  apportion compare --workloads axpy,matmul --policies BLOCK,AUTO --size medium --devices 0,1
  apportion compare --workloads apps --scaling strong,weak -o scaling --width column --formats pdf

Where there are several devices, each also runs every loop alone: the column effic. and the figures compare with that.

";

const SIMULATE_EXAMPLES: &str = "Examples:
  apportion simulate --machine machine.json
  apportion simulate --machine machine.json --workloads stencil2d --n 1e5 --policies homp -o simulated

";

const EXPLAIN_EXAMPLES: &str = "Examples:
  apportion explain --workloads axpy
  apportion explain --machine machine.json --workloads axpy --size medium -o axpy.svg

";

/// The list of policies and workloads, for the help.
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

/// The list of applications, for the help.
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
    /// The description from the file, or of this machine's devices, and remarks.
    pub fn load(&self) -> Result<(Machine, Vec<String>), Failure> {
        match self.file() {
            Some(path) => Ok((load_machine(path)?, Vec::new())),
            None => {
                let found = detect::machine();
                Ok((found.machine, found.notes))
            }
        }
    }

    /// Opens the enabled devices of the description, whole or in part.
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
    /// The devices that the specifier selects, and remarks.
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

    /// The workloads; an error if one is not a loop that a policy divides.
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

impl Policies {
    /// Whether these are all policies with their defaults, as without the flag.
    pub fn are_all(&self) -> bool {
        self.0.len() == POLICIES.len()
            && POLICIES.iter().all(|entry| entry.name.parse::<Policy>().is_ok_and(|policy| self.0.contains(&policy)))
    }
}

impl ResultFlags {
    /// Whether the results of this many workloads can be written to their place. Nothing is left behind.
    pub fn check(&self, workloads: usize) -> Result<(), Failure> {
        let Some(out) = self.out.as_deref() else { return Ok(()) };
        let mut files = file_names(workloads, &self.figures.formats, self.figures.width.width);
        files.push("record.json".to_owned());
        check_out(out, &files)
    }
}

/// Whether files can be written into the folder that -o names.
pub fn check_out(out: &Path, files: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let is_folder = out.to_string_lossy().ends_with(std::path::is_separator);
    // A folder `record.json` would be made without a word, and be noticed only later.
    let extension = out.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let seems = !is_folder && !out.exists() && ["json", "svg", "png", "pdf"].contains(&extension.as_str());
    if seems || out.is_file() {
        let (what, instead) = if seems {
            ("looks like", format!("name it without .{extension}"))
        } else {
            ("is no folder but", "give another name".to_owned())
        };
        return Err(Failure::Input(format!(
            "--out {}: {what} a file, and a folder is needed, into which all results are written: {instead}",
            out.display()
        )));
    }
    check_folder("--out", out, files)
}

/// Whether files can be written into a folder that may not exist yet.
fn check_folder(flag: &str, folder: &Path, files: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let wrong = |problem: String| {
        Err(Failure::Input(format!("{flag} {}: {problem}; give a place that can be written", folder.display())))
    };
    if folder.as_os_str().is_empty() {
        return wrong("is empty".to_owned());
    }
    let mut there = folder;
    // The nearest existing ancestor; a broken link exists, but is no folder.
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
    // Checking the permissions is not enough: they do not show read-only file systems.
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

/// Whether a file can be written into a folder that may not exist yet. `usual` is a name for it, to suggest for a path that
/// names a folder, as -o does in other commands.
pub fn check_file(flag: &str, path: &Path, usual: &str) -> Result<(), Failure> {
    // `Path` drops a slash at the end, which the system does not.
    let is_folder = path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator);
    let name = path.file_name().filter(|_| !is_folder);
    let Some(name) = name else {
        return Err(Failure::Input(format!(
            "{flag} {}: names no file, but a folder, and one file is to be written: name it too, such as {}",
            path.display(),
            path.join(usual).display()
        )));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    check_folder(flag, folder, &[name])
}

/// The command line as typed, quoted so that it can be typed again.
pub fn command_line() -> String {
    let quoted = |argument: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,%=+*@".contains(c);
        // Most shells keep a `*` that no file matches; quoting is safe in all.
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
    fn a_flag_means_the_same_in_every_command_and_all_say_what_they_do() {
        use clap::CommandFactory as _;
        let program = Arguments::command();
        let commands: Vec<_> = program.get_subcommands().collect();
        // For flags of several commands: the letter, whether a value follows, and the help unless it is about a file.
        let mut known: Vec<(String, Option<char>, bool, String)> = Vec::new();
        for command in &commands {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let call = format!("apportion {}", command.get_name());
            assert!(examples.contains("Examples:") && examples.contains(&call), "{call} has no example");
            for flag in command.get_arguments().filter(|argument| argument.get_long().is_some()) {
                let name = flag.get_long().unwrap().to_owned();
                let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_empty(), "{call} --{name}");
                let (letter, value) = (flag.get_short(), flag.get_action().takes_values());
                if name == "out" {
                    let aliases = flag.get_all_aliases().unwrap_or_default();
                    assert_eq!((letter, aliases), (Some('o'), vec!["output"]), "{call} --{name}");
                }
                // What is written and which machine is meant differ per command, and their help says so.
                let help = if ["out", "machine"].contains(&name.as_str()) { String::new() } else { help };
                match known.iter().find(|(other, ..)| *other == name) {
                    Some((_, other, of_other, said)) => {
                        assert_eq!((other, of_other, said), (&letter, &value, &help), "{call} --{name}");
                    }
                    None => known.push((name, letter, value, help)),
                }
            }
        }
    }

    #[test]
    fn a_workload_or_a_policy_without_its_flag_is_told_the_flag() {
        let said = |line: &str| parse(line.split(' ').map(OsString::from)).unwrap_err().to_string();
        for (line, flag) in [
            ("apportion compare axpy", "'--workloads axpy'"),
            ("apportion explain --size medium apps,axpy", "'--workloads apps,axpy'"),
            ("apportion simulate --machine m.json jacobi", "'--workloads jacobi'"),
            ("apportion compare AUTO", "'--policies AUTO'"),
            ("apportion compare SCHED_DYNAMIC:2%", "'--policies SCHED_DYNAMIC:2%'"),
        ] {
            let said = said(line);
            assert!(
                said.contains("unexpected argument") && said.contains(&format!("tip: a flag takes this: {flag}")),
                "{said}"
            );
        }
        for line in ["apportion compare results", "apportion devices axpy", "apportion plot a.json axpy"] {
            assert!(!said(line).contains("a flag takes this"), "{line}");
        }
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
