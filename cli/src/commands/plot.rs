//! `plot`: the figures of a record.

use crate::failure::{Failure, output};
use crate::options::{PlotOptions, check_folder};
use apportion_cli::figures::{FigureError, draw_all, file_names};
use apportion_cli::grouping::groups;
use apportion_cli::record::Record;
use std::path::Path;

pub fn run(options: &PlotOptions) -> Result<(), Failure> {
    let record = Record::load(&options.record).map_err(|error| Failure::Input(error.to_string()))?;
    let beside = options.record.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let out = options.out.as_deref().unwrap_or(beside);
    check_folder(
        "--out",
        out,
        &file_names(groups(&record).len(), &options.figures.formats, options.figures.width.width),
    )?;
    let files =
        draw_all(&record, out, &options.figures.formats, options.figures.width.width).map_err(|error| match error {
            FigureError::Empty => Failure::Input(format!("{}: {error}", options.record.display())),
            _ => Failure::Work(error.to_string()),
        })?;
    output(&files.iter().map(|file| format!("{}\n", file.display())).collect::<String>())
}
