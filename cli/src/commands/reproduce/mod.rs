//! `reproduce`: a paper's experiments in simulation, next to the authors' measurements.

mod drawn;
mod tables;
mod written;

use crate::commands::width;
use crate::failure::{Failure, eprintln_quietly, output};
use crate::options::{Paper, ReproduceOptions, check_out, load_machine};
use apportion::model::machine::{files, words};
use apportion_cli::figures::{Sheet, draw_sheet, save};
use apportion_cli::files::write_atomically;
use apportion_reproduce::cases::Listed;
use apportion_reproduce::compare::{Compared, compare};
use apportion_reproduce::node::{Node, Runtime, SCHEMA};
use apportion_reproduce::simulate::predict;
use apportion_reproduce::{InputError, cases, fit, measured};
use std::path::Path;

/// Files of a comparison besides the figures.
const FILES: [&str; 4] = ["cases.csv", "reproduction.json", "table-v.csv", "summary.txt"];
/// Columns of the table in a file.
const FILE_WIDTH: usize = 120;
/// What a fit writes.
const FITTED: [&str; 2] = ["fornax-homp.json", "runtime.json"];
/// What a list of cases becomes.
const LISTED: [&str; 2] = ["cases.csv", "cases.json"];

/// The files that will be written.
fn files_of(options: &ReproduceOptions) -> Vec<String> {
    if options.cases.is_some() {
        return LISTED.map(str::to_owned).to_vec();
    }
    let figure = |name: &str| {
        let formats = options.figures.formats.iter();
        formats.map(|format| format!("{name}.{}", format.extension())).collect::<Vec<_>>()
    };
    let fitted = FITTED.into_iter().filter(|_| options.fit.is_some());
    let figures = drawn::NAMES.into_iter().flat_map(figure);
    FILES.into_iter().chain(fitted).map(str::to_owned).chain(figures).collect()
}

fn wrong(error: InputError) -> Failure {
    Failure::Input(error.to_string())
}

pub fn run(options: &ReproduceOptions) -> Result<(), Failure> {
    let Paper::Homp = options.paper;
    let node = node(options)?;
    match &options.out {
        Some(out) => check_out(out, &files_of(options))?,
        None => options.figures.refuse_without_place()?,
    }
    if options.cases.is_some() && options.out.is_some() {
        options.figures.refuse_beside("--cases")?;
    }
    match (&options.cases, &options.fit) {
        (Some(file), _) => listed(&node, file, options),
        (None, Some(file)) => fitted(&node, file, options),
        (None, None) => {
            let measurements = match &options.measured {
                Some(file) => measured::load(file, &node),
                None => measured::built_in(&node),
            };
            compared(&node, &compare(&node, measurements.map_err(wrong)?), options, Vec::new())
        }
    }
}

/// The built-in node, or that of the given files.
fn node(options: &ReproduceOptions) -> Result<Node, Failure> {
    let built_in = Node::built_in().map_err(wrong)?;
    if options.machine.is_none() && options.runtime.is_none() {
        return Ok(built_in);
    }
    let machine = options.machine.as_deref().map_or(Ok(built_in.machine), load_machine)?;
    let runtime = match &options.runtime {
        Some(file) => {
            let refused = |what: String| Failure::Input(format!("{}: {what}", file.display()));
            let bytes = files::read_whole(file)
                .map_err(|error| refused(format!("cannot be read: {error}; give the path of a JSON file")))?;
            // What is no such file at all has no key that is wrong.
            let (kind, _) = SCHEMA.split_once('/').unwrap_or((SCHEMA, ""));
            let other = words::foreign(&bytes, kind);
            let text = String::from_utf8(bytes).map_err(|error| refused(format!("is not text: {error}")))?;
            if text.trim().is_empty() {
                return Err(refused(format!(
                    "is empty; figures of the runtime start with {{\"schema\": {SCHEMA:?}, ..}}"
                )));
            }
            Runtime::parse(file, &text).map_err(|error| match other {
                Some(what) => Failure::Input(format!("{error}; it {what}, and {SCHEMA} is needed: give another file")),
                None => wrong(error),
            })?
        }
        None => built_in.runtime,
    };
    Node::new(machine, runtime).map_err(wrong)
}

/// Predicts a list of cases and writes it back. A case that the authors' runtime refuses has a reason in place of a time.
fn listed(node: &Node, file: &Path, options: &ReproduceOptions) -> Result<(), Failure> {
    let listed = cases::load(file, node).map_err(wrong)?;
    let of = |one: &Listed| one.refused.is_none().then(|| predict(node, &one.case));
    let predicted: Vec<_> = listed.iter().map(|one| (one, of(one))).collect();
    let refused = predicted.iter().filter(|(_, outcome)| outcome.is_none()).count();
    if refused > 0 {
        eprintln_quietly(&format!(
            "{refused} of {} cases {} refused, as by the authors' runtime; the reasons are with them",
            listed.len(),
            if refused > 1 { "are" } else { "is" }
        ));
    }
    let json = written::cases_json(node, &predicted)?;
    if let Some(out) = &options.out {
        let files = [written::cases_csv(&predicted), json.clone()];
        write(out, LISTED.map(str::to_owned).into_iter().zip(files).collect())?;
    }
    if options.json { output(&json) } else { output(&tables::cases(node, &predicted, width())) }
}

/// Fits the figures to a table's rows of one device, and compares with all of its rows.
fn fitted(node: &Node, file: &Path, options: &ReproduceOptions) -> Result<(), Failure> {
    let measurements = measured::load(file, node).map_err(wrong)?;
    let fitted = fit::fit(file, node, &measurements).map_err(wrong)?;
    let runtime = fitted.runtime.to_json().map_err(|error| Failure::Work(error.to_string()))?;
    let files = vec![(FITTED[0].to_owned(), fitted.machine.to_json()?), (FITTED[1].to_owned(), runtime.clone())];
    // Parse the result as a reader will: odd figures may fit to values that are refused.
    let node = Node::new(fitted.machine, Runtime::parse(file, &runtime).map_err(wrong)?).map_err(wrong)?;
    eprintln_quietly(&format!("fitted to {} measurements on one device alone", fitted.used));
    compared(&node, &compare(&node, measurements), options, files)
}

/// The comparison and the paper's experiments: table or JSON, and a record with figures.
fn compared(
    node: &Node,
    all: &[Compared],
    options: &ReproduceOptions,
    mut files: Vec<(String, String)>,
) -> Result<(), Failure> {
    let json = written::reproduction_json(node, all)?;
    if let Some(out) = &options.out {
        let figures = drawn::figures(node, all)?;
        let mut sheets = Vec::new();
        for (name, record, sheet) in &figures {
            let drawn = draw_sheet(record, *sheet, options.figures.width.width)
                .map_err(|error| Failure::Work(error.to_string()))?;
            sheets.push(((*name).to_owned(), titled(&drawn, name, *sheet)));
        }
        files.push((FILES[0].to_owned(), written::compared_csv(node, all)));
        files.push((FILES[1].to_owned(), json.clone()));
        files.push((FILES[2].to_owned(), written::table_v_csv(node)));
        files.push((FILES[3].to_owned(), tables::compared(node, all, FILE_WIDTH)));
        write(out, files)?;
        save(&sheets, out, &options.figures.formats).map_err(|error| Failure::Work(error.to_string()))?;
    }
    if options.json { output(&json) } else { output(&tables::compared(node, all, width())) }
}

/// A sheet under the name of the paper's figure.
fn titled(svg: &str, name: &str, sheet: Sheet) -> String {
    let title = match sheet {
        Sheet::Time => "time by policy",
        Sheet::Phases => "time by phase and device",
        Sheet::Speedup => "speedup",
    };
    match (svg.find("<title>"), svg.find("</title>")) {
        (Some(from), Some(to)) => format!("{}<title>HOMP {name}: {title}{}", &svg[..from], &svg[to..]),
        _ => svg.to_owned(),
    }
}

fn write(out: &Path, files: Vec<(String, String)>) -> Result<(), Failure> {
    let failed = |what: String| Failure::Work(format!("--out {}: {what}", out.display()));
    std::fs::create_dir_all(out).map_err(|error| failed(format!("cannot make the folder: {error}")))?;
    for (name, text) in &files {
        write_atomically(&out.join(name), text.as_bytes())
            .map_err(|error| failed(format!("cannot write {name}: {error}")))?;
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    eprintln_quietly(&format!(
        "{} {} in {}",
        names.join(", "),
        if names.len() > 1 { "are" } else { "is" },
        out.display()
    ));
    Ok(())
}
