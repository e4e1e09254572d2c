//! Figures of a record, fit for a paper: SVG, PNG and PDF of the same drawing.
//!
//! Their sizes are those of a paper, see [`Width`]; names and axes are in 8 points, numbers on bars in 7. Colours differ for any
//! colour vision, and lines on some of them in grey print. The PNG has twice the screen's resolution, 192 pixels per inch. The
//! same record gives the same bytes.
//!
//! The SVG names its font, DejaVu Sans; the PNG and the PDF contain it.

mod by_devices;
mod canvas;
mod over_time;
mod phases;
mod series;
mod shares;
mod sheet;
mod speedup;
mod time;
mod timelines;

pub use timelines::timelines;

use crate::files::write_atomically;
use crate::grouping::{devices, groups};
use crate::record::{Record, ScalingKind};
use plotters::style::RGBColor;
use resvg::{tiny_skia, usvg};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A format of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Scalable Vector Graphics, its labels as text.
    Svg,
    /// Portable Network Graphics, 192 pixels per inch.
    Png,
    /// Portable Document Format, with the subset of the font that it uses.
    Pdf,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Png, Self::Pdf];

    /// The file name extension, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(text));
        known.ok_or_else(|| format!("unknown format of figures {text:?}: expected svg, png or pdf"))
    }
}

/// How wide a figure is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// One column of a journal: 3.35 inches, the panels below one another.
    Column,
    /// A page's text over both columns: 7.17 inches, up to three panels side by side; less for one panel alone.
    #[default]
    Page,
}

impl Width {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Column => "column",
            Self::Page => "page",
        }
    }
}

impl std::fmt::Display for Width {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Width {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Self::Column, Self::Page].into_iter().find(|width| width.name() == text);
        known.ok_or_else(|| format!("there is no width `{text}` of figures; there are column, page"))
    }
}

/// Why a figure could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// The record has no runs.
    #[error("the record holds no runs, so there is nothing to draw")]
    Empty,
    /// The drawing itself failed; an error of this program.
    #[error("cannot draw the figure: {0}")]
    Draw(String),
    /// A file or its folder cannot be written; the previous contents are unchanged.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's message.
        source: io::Error,
    },
}

/// Draws all figures of `record` into the folder `dir`, which is created if missing, and returns their files.
///
/// `time_by_policy`, `phases_by_device` and `share_by_device`, each in every one of `formats`; a record of more than twelve
/// panels (in one column, three) goes on in `time_by_policy-2` and so on. If devices also ran alone, `time_by_devices`. For a
/// series over numbers of devices also `strong_scaling` and `weak_scaling`, and with time lines `exchange_share` and
/// `imbalance_over_time`. All are drawn before the first file is written.
///
/// # Errors
///
/// [`FigureError::Empty`], [`FigureError::Draw`], [`FigureError::Write`].
pub fn draw_all(record: &Record, dir: &Path, formats: &[Format], width: Width) -> Result<Vec<PathBuf>, FigureError> {
    save(&sheets(record, width)?, dir, formats)
}

/// Writes SVG texts, by name, into the folder `dir`, in every one of `formats`. All are converted before the first is written.
///
/// # Errors
///
/// [`FigureError::Draw`], [`FigureError::Write`].
pub fn save(sheets: &[(String, String)], dir: &Path, formats: &[Format]) -> Result<Vec<PathBuf>, FigureError> {
    let mut files = Vec::new();
    for (name, svg) in sheets {
        let named = |&format: &Format| (dir.join(format!("{name}.{}", format.extension())), format);
        let once = formats.iter().enumerate().filter(|(place, format)| !formats[..*place].contains(format));
        files.extend(converted(svg, once.map(|(_, format)| named(format)))?);
    }
    std::fs::create_dir_all(dir).map_err(|source| FigureError::Write { path: dir.into(), source })?;
    for (path, bytes) in &files {
        write_atomically(path, bytes).map_err(|source| FigureError::Write { path: path.clone(), source })?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// Writes an SVG text to a file of any name, in this format. Its folder is created if missing.
///
/// # Errors
///
/// [`FigureError::Draw`], [`FigureError::Write`].
pub fn save_as(svg: &str, path: &Path, format: Format) -> Result<(), FigureError> {
    let files = converted(svg, [(path.to_owned(), format)])?;
    let written = || {
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), std::fs::create_dir_all)?;
        files.iter().try_for_each(|(path, bytes)| write_atomically(path, bytes))
    };
    written().map_err(|source| FigureError::Write { path: path.into(), source })
}

/// Converts an SVG text to the format of each file.
fn converted(
    svg: &str,
    files: impl IntoIterator<Item = (PathBuf, Format)>,
) -> Result<Vec<(PathBuf, Vec<u8>)>, FigureError> {
    // Parsed once, and only if a format needs it.
    let mut read = None;
    let convert = |(path, format)| {
        let bytes = match (format, &mut read) {
            (Format::Svg, _) => svg.as_bytes().to_vec(),
            (_, read) => {
                let tree = match read {
                    Some(tree) => tree,
                    None => read.insert(tree(svg)?),
                };
                if format == Format::Png { png(tree)? } else { pdf(tree)? }
            }
        };
        Ok((path, bytes))
    };
    files.into_iter().map(convert).collect()
}

/// A kind of sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// Time by policy.
    Time,
    /// Time by phase and device, with the imbalance.
    Phases,
    /// Speedup over the first run of each group.
    Speedup,
}

/// The SVG text of one sheet of all runs, at most twelve groups of them.
///
/// # Errors
///
/// [`FigureError::Empty`], [`FigureError::Draw`].
pub fn draw_sheet(record: &Record, sheet: Sheet, width: Width) -> Result<String, FigureError> {
    let groups = groups(record);
    if groups.is_empty() {
        return Err(FigureError::Empty);
    }
    let page = &groups[..groups.len().min(sheet::panels(Width::Page))];
    match sheet {
        Sheet::Time => time::sheet(page, &devices(record.runs.iter()), width),
        Sheet::Phases => phases::sheet(page, &devices(record.runs.iter()), width),
        Sheet::Speedup => speedup::sheet(page, width),
    }
}

/// Names of the figures, in the order in which they are drawn.
const NAMES: [&str; 3] = ["time_by_policy", "phases_by_device", "share_by_device"];

/// Names of those that only some records have, in their order.
const MORE: [&str; 5] = ["time_by_devices", "strong_scaling", "weak_scaling", "exchange_share", "imbalance_over_time"];

/// The figures in the folder `dir` that are not among `drawn`, by name: they were drawn earlier, perhaps of another record.
pub fn earlier(dir: &Path, drawn: &[PathBuf]) -> Vec<String> {
    let is_figure = |name: &str| {
        let Some((stem, extension)) = name.rsplit_once('.') else { return false };
        let is_page =
            |rest: &str| rest.is_empty() || rest.strip_prefix('-').is_some_and(|page| page.parse::<usize>().is_ok());
        Format::ALL.iter().any(|format| format.extension() == extension)
            && NAMES.iter().chain(&MORE).any(|name| stem.strip_prefix(name).is_some_and(is_page))
    };
    let here = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let names = here.filter_map(|entry| entry.file_name().into_string().ok());
    let mut earlier: Vec<String> = names.filter(|name| is_figure(name) && !drawn.contains(&dir.join(name))).collect();
    earlier.sort();
    earlier
}

/// Name of a figure's sheet number `page`, from 0.
fn sheet_name(name: &str, page: usize) -> String {
    if page == 0 { name.to_owned() } else { format!("{name}-{}", page + 1) }
}

/// The files that [`draw_all`] writes for a record of `groups` groups without devices alone, series and time lines, by name.
pub fn file_names(groups: usize, formats: &[Format], width: Width) -> Vec<String> {
    let sheets = (0..groups.div_ceil(sheet::panels(width))).flat_map(|page| NAMES.map(|name| sheet_name(name, page)));
    sheets.flat_map(|name| formats.iter().map(move |format| format!("{name}.{}", format.extension()))).collect()
}

/// The SVG texts of all figures, by name.
fn sheets(record: &Record, width: Width) -> Result<Vec<(String, String)>, FigureError> {
    let groups = groups(record);
    if groups.is_empty() {
        return Err(FigureError::Empty);
    }
    // Each device has one colour and number in all figures.
    let devices = devices(record.runs.iter());
    let mut sheets = Vec::new();
    for (index, page) in groups.chunks(sheet::panels(width)).enumerate() {
        let drawn = [
            time::sheet(page, &devices, width)?,
            phases::sheet(page, &devices, width)?,
            shares::sheet(page, &devices, width)?,
        ];
        sheets.extend(NAMES.map(|name| sheet_name(name, index)).into_iter().zip(drawn));
    }
    let more = [
        by_devices::sheets(record, &groups, width)?,
        series::scaling(record, ScalingKind::Strong, width)?,
        series::scaling(record, ScalingKind::Weak, width)?,
        series::exchange(record, width)?,
        over_time::imbalance(&groups, width)?,
    ];
    for (name, pages) in MORE.into_iter().zip(more) {
        sheets.extend(pages.into_iter().enumerate().map(|(page, svg)| (sheet_name(name, page), svg)));
    }
    Ok(sheets)
}

fn tree(svg: &str) -> Result<usvg::Tree, FigureError> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_source(usvg::fontdb::Source::Binary(Arc::new(canvas::FONT)));
    let options = usvg::Options { fontdb: Arc::new(fonts), ..Default::default() };
    usvg::Tree::from_str(svg, &options).map_err(|error| FigureError::Draw(error.to_string()))
}

fn png(tree: &usvg::Tree) -> Result<Vec<u8>, FigureError> {
    let scale = 2.0;
    let size = tree.size();
    let pixels = |points: f32| (points * scale).ceil() as u32;
    let mut image = tiny_skia::Pixmap::new(pixels(size.width()), pixels(size.height()))
        .ok_or_else(|| FigureError::Draw(format!("no room for an image of {} by {}", size.width(), size.height())))?;
    // The last row and column may be partly covered.
    image.fill(tiny_skia::Color::WHITE);
    resvg::render(tree, tiny_skia::Transform::from_scale(scale, scale), &mut image.as_mut());
    image.encode_png().map_err(|error| FigureError::Draw(error.to_string()))
}

fn pdf(tree: &usvg::Tree) -> Result<Vec<u8>, FigureError> {
    // usvg counts 96 units per inch, so the sheet keeps its size on paper.
    let page = svg2pdf::PageOptions { dpi: 96.0 };
    svg2pdf::to_pdf(tree, svg2pdf::ConversionOptions { embed_text: true, ..Default::default() }, page)
        .map_err(|error| FigureError::Draw(format!("{error:?}")))
}

/// Colour of a device by its number: Okabe and Ito's palette, distinct for any colour vision; then lighter ones.
fn device_color(number: usize) -> RGBColor {
    const COLORS: [RGBColor; 8] = [
        RGBColor(0x00, 0x72, 0xb2),
        RGBColor(0xe6, 0x9f, 0x00),
        RGBColor(0x00, 0x9e, 0x73),
        RGBColor(0xcc, 0x79, 0xa7),
        RGBColor(0x56, 0xb4, 0xe9),
        RGBColor(0xd5, 0x5e, 0x00),
        RGBColor(0xf0, 0xe4, 0x42),
        RGBColor(0x77, 0x77, 0x77),
    ];
    let RGBColor(red, green, blue) = COLORS[number % COLORS.len()];
    let round = (number / COLORS.len()) as f64;
    let lighter = |part: u8| 255 - (f64::from(255 - part) * 0.62f64.powf(round)).round() as u8;
    RGBColor(lighter(red), lighter(green), lighter(blue))
}

/// The mark of a device below its bar: 1 to 9, then letters, then numbers again.
fn device_mark(number: usize) -> String {
    match number {
        0..=8 => (number + 1).to_string(),
        9..=34 => char::from(b'a' + (number - 9) as u8).to_string(),
        _ => (number + 1).to_string(),
    }
}

/// A device's id, shortened if it would fill the legend.
fn short_of(device: &str) -> String {
    const LONGEST: usize = 40;
    canvas::without_middle(device, LONGEST)
}
