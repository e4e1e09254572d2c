//! The command line, parsed and checked before any work starts.
//!
//! A flag means the same in every command that takes it: a test below checks that.

mod flags;
mod help;
mod places;
mod values;

use apportion_cli::record::ScalingKind;
use apportion_kernels::Form;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use flags::{
    Chosen, DevicesFlag, FigureFlags, HistoryFlag, LoopFlags, MachineFlag, RepeatFlags, ResultFlags, WidthFlag,
    load_machine,
};
use help::{COMPARE_EXAMPLES, EXPLAIN_EXAMPLES, SIMULATE_EXAMPLES, applications, lists};
pub use places::{check_file, check_kind, check_out};
use std::ffi::OsString;
use std::path::PathBuf;
pub use values::{OverlapFlag, Size};
use values::{policies, workloads};

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
    /// List the devices of this machine, with the numbers and types that --devices takes
    #[command(after_help = "Examples:\n  apportion devices\n  apportion devices --machine machine.json --json")]
    Devices(DevicesOptions),
    /// Measure the devices of this machine and write what was found as a machine description
    #[command(after_help = "Examples:\n  \
                            apportion probe -o machine.json\n  \
                            apportion probe --devices 0,:OCLCPU -o machine.json\n  \
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
    #[command(flatten)]
    pub devices: DevicesFlag,
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
    #[command(flatten)]
    pub devices: DevicesFlag,
    /// Take at most about half a minute: smaller arrays, fewer repetitions, less certain results
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
    /// Keep the threads awake between loops: for programs that ask for it too. They poll all the time
    #[arg(long)]
    pub keep_awake: bool,
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
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub kernel: Option<String>,
    /// Timings of devices whose model has this in its name, such as `H200`
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub device: Option<String>,
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
    use apportion_kernels::Memory;

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
