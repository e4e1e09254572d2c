//! Flags that several commands take, and what follows from them.

use super::places::{check_kind, check_out};
use super::values::{Policies, Size, Workloads, element, number, policies, repetitions, seed, workloads};
use crate::failure::Failure;
use apportion::Error;
use apportion::devices::detect;
use apportion::devices::specifier;
use apportion::kernel::ElementType;
use apportion::model::Machine;
use apportion::runtime::{HistoryFile, Runtime};
use apportion::sched::Cutoff;
use apportion::space::DeviceId;
use apportion_cli::figures::{Format, Width, file_names};
use apportion_kernels::{Entry, Form, Memory, Sizes};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct MachineFlag {
    /// The machine description, a file; or `detected`: the devices found here, with estimated speeds [default: detected]
    #[arg(long, value_name = "FILE")]
    pub machine: Option<PathBuf>,
}

/// A machine's description, and the devices that are chosen.
pub struct Chosen {
    pub machine: Machine,
    /// In the order in which they were chosen.
    pub devices: Vec<DeviceId>,
    /// Remarks.
    pub notes: Vec<String>,
}

impl MachineFlag {
    /// The description from the file, or of this machine's devices, with what a specifier picks. Of this machine's devices those
    /// are enabled, also such as are only where they are named; of a file none is that is not enabled there.
    pub fn choose(&self, devices: &DevicesFlag) -> Result<Chosen, Failure> {
        let (machine, selection, mut notes) = match self.file() {
            Some(path) => {
                let machine = load_machine(path)?;
                let selection = specifier::parse_on(&devices.devices, &machine)?;
                (machine, selection, Vec::new())
            }
            None => {
                let (found, selection) = detect::only(&devices.devices)?;
                (found.machine, selection, found.notes)
            }
        };
        notes.extend(selection.warnings);
        Ok(Chosen { machine, devices: selection.ids, notes })
    }

    /// The description from the file, or of this machine's devices; remarks; and the devices that are enabled if they are named.
    pub fn load(&self) -> Result<(Machine, Vec<String>, Vec<DeviceId>), Failure> {
        match self.file() {
            Some(path) => Ok((load_machine(path)?, Vec::new(), Vec::new())),
            None => {
                let found = detect::machine();
                Ok((found.machine, found.notes, found.on_request))
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

#[derive(Args, Debug)]
pub struct DevicesFlag {
    /// Which devices: `*` (all that are enabled), `0,2` (numbers 0 and 2), `0:*:NVGPU` (all NVIDIA GPUs); see `apportion devices`
    #[arg(long, value_name = "SPEC", default_value = "*", allow_negative_numbers = true)]
    pub devices: String,
}

/// What runs.
#[derive(Args, Debug)]
pub struct LoopFlags {
    #[command(flatten)]
    pub devices: DevicesFlag,
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

impl LoopFlags {
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

/// How often it runs, and on what: a simulation has no noise to average and no arrays to fill.
#[derive(Args, Debug)]
pub struct RepeatFlags {
    /// How often each is timed; six or more give a 95 % interval of the median
    #[arg(long, value_name = "R", default_value = "7", allow_negative_numbers = true, value_parser = repetitions)]
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

impl ResultFlags {
    /// Whether the results of this many workloads can be written to their place. Nothing is left behind.
    pub fn check(&self, workloads: usize) -> Result<(), Failure> {
        let Some(out) = self.out.as_deref() else { return self.figures.refuse_without_place() };
        let mut files = file_names(workloads, &self.figures.formats, self.figures.width.width);
        files.push("record.json".to_owned());
        check_out(out, &files)?;
        check_kind("--out", &out.join("record.json"), "apportion.record")
    }
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

/// Where no figure is drawn, flags that say how are refused; their defaults change nothing.
fn without_place(flag: &str) -> Failure {
    Failure::Input(format!("{flag}: figures are drawn only with a place for them: add -o"))
}

impl FigureFlags {
    /// Refuses other formats and another width than the defaults where no figure is drawn.
    pub fn refuse_without_place(&self) -> Result<(), Failure> {
        if self.formats != Format::ALL { Err(without_place("--formats")) } else { self.width.refuse_without_place() }
    }

    /// Refuses them beside a flag with which no figure is drawn anywhere.
    pub fn refuse_beside(&self, other: &str) -> Result<(), Failure> {
        let given = [("--formats", self.formats != Format::ALL), ("--width", self.width.width != Width::default())];
        match given.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(Failure::Input(format!("{flag}: no figures are drawn with {other}: leave it out"))),
            None => Ok(()),
        }
    }
}

#[derive(Args, Debug)]
pub struct WidthFlag {
    /// Width of the figures: `column` (one column of a journal, 3.35 in) or `page` (both columns); type is 8 pt in both
    #[arg(long, value_name = "WIDTH", default_value_t, value_parser = |text: &str| text.parse::<Width>())]
    pub width: Width,
}

impl WidthFlag {
    /// Refuses another width than the default where no figure is drawn.
    pub fn refuse_without_place(&self) -> Result<(), Failure> {
        if self.width != Width::default() { Err(without_place("--width")) } else { Ok(()) }
    }
}

#[derive(Args, Debug)]
pub struct HistoryFlag {
    /// File with recorded timings of earlier runs, or `off` [default: $APPORTION_HISTORY, else what `apportion history path`
    /// prints]
    #[arg(long, value_name = "FILE|off", global = true)]
    pub history: Option<PathBuf>,
}

impl HistoryFlag {
    /// Refuses a file of another kind before anything is measured for it. A damaged history is no error: it is told, and what is
    /// learned is not kept.
    pub fn check(&self) -> Result<(), Failure> {
        let Some((file, what)) = self.file().and_then(|file| file.foreign().map(|what| (file, what))) else {
            return Ok(());
        };
        let path = file.path().display();
        Err(Failure::Input(format!("history {path}: it {what}, no history: give another file, or `--history off`")))
    }

    /// Whether the flag says `off`, in any case.
    pub fn is_off(&self) -> bool {
        self.history.as_ref().is_some_and(|path| path.as_os_str().eq_ignore_ascii_case("off"))
    }

    /// The file that the flag names, else the environment, else the default place; `None` if it is off.
    pub fn file(&self) -> Option<HistoryFile> {
        match &self.history {
            Some(_) if self.is_off() => None,
            Some(path) => Some(HistoryFile::at(path)),
            None => HistoryFile::from_environment().unwrap_or_else(HistoryFile::default_place),
        }
    }
}
