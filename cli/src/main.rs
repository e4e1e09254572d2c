//! The program `apportion`.

mod commands;
mod failure;
mod harness;
mod once;
mod options;
mod progress;
mod regions;
mod scaling;
#[cfg(unix)]
mod signals;

use options::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(unix)]
    signals::look();
    // Wrong arguments end here, with status 2 and the reason.
    let arguments = match options::parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(wrong) if wrong.use_stderr() => wrong.exit(),
        // Help and version, which `exit` would not miss.
        Err(asked) => {
            let printed = asked.print().and_then(|()| std::io::Write::flush(&mut std::io::stdout()));
            let printed = printed.map_err(|error| failure::of_output(&error));
            return printed.map_or_else(failure::Failure::report, |()| ExitCode::SUCCESS);
        }
    };
    let done = match arguments.command {
        Command::Devices(options) => commands::devices::run(&options),
        Command::Probe(options) => commands::probe::run(&options),
        Command::Compare(options) => commands::compare::run(&options),
        Command::Simulate(options) => commands::simulate::run(&options),
        Command::Explain(options) => commands::explain::run(&options),
        Command::History(options) => commands::history::run(&options),
        Command::Plot(options) => commands::plot::run(&options),
        Command::Reproduce(options) => commands::reproduce::run(&options),
    };
    done.map_or_else(failure::Failure::report, |()| ExitCode::SUCCESS)
}
