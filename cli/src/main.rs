//! The program.

use apportion_cli::figures::{Format, draw_all};
use apportion_cli::record::Record;
use apportion_cli::table::render;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, record, dir] = arguments.as_slice() else {
        eprintln!("usage: apportion plot RECORD DIR");
        return ExitCode::from(2);
    };
    if command != "plot" {
        eprintln!("unknown command {command:?}: expected plot");
        return ExitCode::from(2);
    }
    let record = match Record::load(Path::new(record)) {
        Ok(record) => record,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    // A reader that closes the pipe early has seen enough.
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(render(&record, 100).as_bytes());
    match draw_all(&record, Path::new(dir), &Format::ALL) {
        Ok(files) => files.iter().for_each(|file| drop(writeln!(out, "{}", file.display()))),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
