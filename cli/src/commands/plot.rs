//! `plot`: the figures of a record.

use crate::failure::{Failure, output};
use crate::options::{PlotOptions, check_out};
use apportion::model::machine::files;
use apportion_cli::figures::{FigureError, draw_all, file_names};
use apportion_cli::grouping::groups;
use apportion_cli::record::{Record, RecordError};
use std::path::Path;

/// The name of a record in its folder.
const RECORD: &str = "record.json";

pub fn run(options: &PlotOptions) -> Result<(), Failure> {
    // `compare --out` and `simulate --out` name the folder.
    let in_folder = options.record.join(RECORD);
    let path = if in_folder.is_file() { &in_folder } else { &options.record };
    if path.is_dir() {
        return Err(Failure::Input(format!(
            "{}: has no {RECORD}; `apportion compare --out` or `simulate --out` writes one",
            path.display()
        )));
    }
    let record = Record::load(path).map_err(|error| {
        // What is no record at all was perhaps never meant to be one.
        let what = match error {
            RecordError::Syntax { .. } | RecordError::Schema { .. } => {
                "; a record is the file record.json that `apportion compare --out DIR` or `simulate --out DIR` writes"
            }
            _ => "",
        };
        Failure::Input(format!("{error}{what}"))
    })?;
    if options.out.is_none()
        && let Some(what) = files::oddity(path)
    {
        return Err(Failure::Input(format!("{}: is {what}, in no folder for figures: add -o DIR", path.display())));
    }
    let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let out = options.out.as_deref().unwrap_or(beside);
    check_out(out, &file_names(groups(&record).len(), &options.figures.formats, options.figures.width.width))?;
    let files =
        draw_all(&record, out, &options.figures.formats, options.figures.width.width).map_err(|error| match error {
            FigureError::Empty => Failure::Input(format!("{}: {error}", path.display())),
            _ => Failure::Work(error.to_string()),
        })?;
    super::tell_earlier(out, &files);
    output(&files.iter().map(|file| format!("{}\n", file.display())).collect::<String>())
}
