//! A sheet to draw on, in points (1/72 inch) from the upper left corner, and the font with which labels are measured.

use super::FigureError;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use ttf_parser::Face;

/// The font of all figures, embedded so that a label has everywhere the width that was measured here.
pub(super) static FONT: &[u8] = include_bytes!("../../assets/DejaVuSans.ttf");

/// Verdana has the same widths, if a reader of the SVG lacks DejaVu Sans.
const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// plotters takes whole numbers only: a point is a hundred of its pixels.
const PIXELS: f64 = 100.0;

/// plotters divides font sizes by this.
const FONT_DIVISOR: f64 = 1.24;

pub(super) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
pub(super) const SOFT_INK: RGBColor = RGBColor(0x5a, 0x5a, 0x5a);
pub(super) const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
pub(super) const ALARM: RGBColor = RGBColor(0xb0, 0x00, 0x20);

/// Which part of a label is at the given place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A rectangle, with sides in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// Lines on a filled area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texture {
    Plain,
    /// From the lower left to the upper right.
    Up,
    /// From the upper left to the lower right.
    Down,
    Level,
}

pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    face: &'a Face<'static>,
}

/// The SVG text of a sheet of `width` by `height` points that `draw` fills.
pub(super) fn svg(
    width: f64,
    height: f64,
    title: &str,
    draw: impl FnOnce(&Canvas<'_>) -> Result<(), FigureError>,
) -> Result<String, FigureError> {
    let face = face()?;
    let mut text = String::new();
    {
        let size = ((width * PIXELS).round() as u32, (height * PIXELS).round() as u32);
        let canvas = Canvas { area: SVGBackend::with_string(&mut text, size).into_drawing_area(), face: &face };
        canvas.area.fill(&WHITE).map_err(drawing)?;
        draw(&canvas)?;
        canvas.area.present().map_err(drawing)?;
    }
    // plotters counts in screen pixels; set the size on paper here.
    let body = text.split_once('>').map_or("", |(_, body)| body);
    let (wide, high) = ((width * PIXELS).round(), (height * PIXELS).round());
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}pt\" height=\"{height}pt\" \
         viewBox=\"0 0 {wide} {high}\">\n<title>{title}</title>{body}"
    ))
}

pub(super) fn face() -> Result<Face<'static>, FigureError> {
    Face::parse(FONT, 0).map_err(|error| FigureError::Draw(format!("the figures' font: {error}")))
}

/// Width of `text` in points.
pub(super) fn text_width(face: &Face<'_>, text: &str, size: f64) -> f64 {
    let advance =
        |c| face.glyph_index(c).and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap_or(face.units_per_em());
    text.chars().map(|c| f64::from(advance(c))).sum::<f64>() * size / f64::from(face.units_per_em())
}

/// `text` in lines that fit `width` points, broken at its ` · ` if that suffices, else between words. A word that is too long is
/// cut.
pub(super) fn wrapped(face: &Face<'_>, text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split(" · ") {
        let joined = lines.last().map(|line| format!("{line} · {part}"));
        if let Some(joined) = joined.filter(|joined| text_width(face, joined, size) <= width) {
            lines.pop();
            lines.push(joined);
            continue;
        }
        let mut line = String::new();
        for word in part.split(' ') {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if text_width(face, &longer, size) <= width {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(line);
            }
            line = fitted(face, word, size, width);
        }
        lines.push(line);
    }
    lines
}

/// `text`, with an ellipsis in place of its middle to fit `width` points: names of a kind often differ at their ends alone.
pub(super) fn fitted(face: &Face<'_>, text: &str, size: f64, width: f64) -> String {
    if text_width(face, text, size) <= width {
        return text.into();
    }
    let count = text.chars().count();
    let mut shorter = (1..count).rev().map(|kept| without_middle(text, kept));
    shorter.find(|shorter| text_width(face, shorter, size) <= width).unwrap_or_default()
}

/// The first and last of the characters of `text`, `kept` in all, with an ellipsis between.
pub(super) fn without_middle(text: &str, kept: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if kept >= characters.len() {
        return text.into();
    }
    let (first, last) = (&characters[..kept.div_ceil(2)], &characters[characters.len() - kept / 2..]);
    let whole = |part: &[char]| part.iter().collect::<String>();
    format!("{}…{}", whole(first).trim_end(), whole(last).trim_start())
}

fn drawing(error: impl std::fmt::Display) -> FigureError {
    FigureError::Draw(error.to_string())
}

fn pixel(x: f64, y: f64) -> (i32, i32) {
    ((x * PIXELS).round() as i32, (y * PIXELS).round() as i32)
}

fn stroke(color: RGBColor, width: f64) -> ShapeStyle {
    color.stroke_width((width * PIXELS).round() as u32)
}

impl Canvas<'_> {
    pub(super) fn face(&self) -> &Face<'static> {
        self.face
    }

    pub(super) fn rectangle(&self, area: Area, color: RGBColor) -> Result<(), FigureError> {
        let corners = [pixel(area.left, area.top), pixel(area.right, area.bottom)];
        self.area.draw(&Rectangle::new(corners, color.filled())).map_err(drawing)
    }

    pub(super) fn outline(&self, area: Area, width: f64, color: RGBColor) -> Result<(), FigureError> {
        let Area { left, top, right, bottom } = area;
        self.path(&[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], width, color)
    }

    pub(super) fn line(
        &self,
        from: (f64, f64),
        to: (f64, f64),
        width: f64,
        color: RGBColor,
    ) -> Result<(), FigureError> {
        self.path(&[from, to], width, color)
    }

    pub(super) fn path(&self, points: &[(f64, f64)], width: f64, color: RGBColor) -> Result<(), FigureError> {
        let points: Vec<_> = points.iter().map(|&(x, y)| pixel(x, y)).collect();
        self.area.draw(&PathElement::new(points, stroke(color, width))).map_err(drawing)
    }

    /// A dashed line between any two places.
    pub(super) fn dashed(
        &self,
        from: (f64, f64),
        to: (f64, f64),
        width: f64,
        color: RGBColor,
    ) -> Result<(), FigureError> {
        let (dash, gap) = (3.0, 1.8);
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let at = |way: f64| {
            let part = (way / length).min(1.0);
            (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
        };
        let mut way = 0.0;
        while way < length {
            self.line(at(way), at(way + dash), width, color)?;
            way += dash + gap;
        }
        Ok(())
    }

    /// A horizontal dashed line.
    pub(super) fn dashes(&self, left: f64, right: f64, y: f64, width: f64, color: RGBColor) -> Result<(), FigureError> {
        let (dash, gap) = (3.0, 1.8);
        let mut x = left;
        while x < right {
            self.line((x, y), ((x + dash).min(right), y), width, color)?;
            x += dash + gap;
        }
        Ok(())
    }

    /// Oblique lines over an area, for results that do not count.
    pub(super) fn hatching(&self, area: Area, color: RGBColor) -> Result<(), FigureError> {
        let step = 3.0;
        let mut start = area.left - area.height();
        while start < area.right {
            // From the lower left to the upper right, clipped at both sides.
            let low = (start.max(area.left), area.bottom - (start.max(area.left) - start));
            let end = (start + area.height()).min(area.right);
            let high = (end, area.bottom - (end - start));
            if low.0 < high.0 {
                self.line(low, high, 0.35, color)?;
            }
            start += step;
        }
        self.outline(area, 0.5, color)
    }

    /// A filled area with lines on it, so that neighbours differ in grey print too.
    pub(super) fn textured(&self, area: Area, color: RGBColor, texture: Texture) -> Result<(), FigureError> {
        self.rectangle(area, color)?;
        let ink = RGBColor(0x33, 0x33, 0x33);
        let (height, step) = (area.height(), 2.6);
        match texture {
            Texture::Plain => Ok(()),
            Texture::Level => {
                let mut y = area.bottom - step / 2.0;
                while y > area.top {
                    self.line((area.left, y), (area.right, y), 0.35, ink)?;
                    y -= step;
                }
                Ok(())
            }
            Texture::Up | Texture::Down => {
                let mut start = ((area.left - height) / step).floor() * step;
                while start < area.right {
                    let from = start.max(area.left);
                    let to = (start + height).min(area.right);
                    if from < to {
                        let y = |x: f64| match texture {
                            Texture::Up => area.bottom - (x - start),
                            _ => area.top + (x - start),
                        };
                        self.line((from, y(from)), (to, y(to)), 0.35, ink)?;
                    }
                    start += step;
                }
                Ok(())
            }
        }
    }

    pub(super) fn polygon(&self, points: &[(f64, f64)], color: RGBColor) -> Result<(), FigureError> {
        let points: Vec<_> = points.iter().map(|&(x, y)| pixel(x, y)).collect();
        self.area.draw(&Polygon::new(points, color.filled())).map_err(drawing)
    }

    pub(super) fn star(&self, (x, y): (f64, f64), radius: f64, color: RGBColor) -> Result<(), FigureError> {
        let points: Vec<(f64, f64)> = (0..10)
            .map(|corner| {
                let angle = std::f64::consts::PI * (f64::from(corner) / 5.0 - 0.5);
                let radius = if corner % 2 == 0 { radius } else { radius * 0.42 };
                (x + radius * angle.cos(), y + radius * angle.sin())
            })
            .collect();
        self.polygon(&points, color)
    }

    /// A diamond with a white rim, so that it shows on any bar.
    pub(super) fn diamond(&self, (x, y): (f64, f64), radius: f64, color: RGBColor) -> Result<(), FigureError> {
        for (radius, color) in [(radius + 0.7, WHITE), (radius, color)] {
            self.polygon(&[(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)], color)?;
        }
        Ok(())
    }

    /// A label, centred on the height `y`.
    pub(super) fn text(
        &self,
        (x, y): (f64, f64),
        anchor: Anchor,
        size: f64,
        color: RGBColor,
        text: &str,
    ) -> Result<(), FigureError> {
        // plotters lowers the baseline by half an x-height; capitals and digits are taller.
        self.label((x, y + 0.11 * size), anchor, size, color, text, FontTransform::None)
    }

    /// A label that reads upwards, centred on `x`.
    pub(super) fn upward(
        &self,
        (x, y): (f64, f64),
        anchor: Anchor,
        size: f64,
        color: RGBColor,
        text: &str,
    ) -> Result<(), FigureError> {
        self.label((x + 0.11 * size, y), anchor, size, color, text, FontTransform::Rotate270)
    }

    fn label(
        &self,
        (x, y): (f64, f64),
        anchor: Anchor,
        size: f64,
        color: RGBColor,
        text: &str,
        transform: FontTransform,
    ) -> Result<(), FigureError> {
        let side = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        // Replace characters that XML does not allow.
        let allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
        let text: String = text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect();
        let font = (FAMILY, size * PIXELS * FONT_DIVISOR).into_font().transform(transform);
        let style = TextStyle::from(font).color(&color).pos(Pos::new(side, VPos::Center));
        self.area.draw(&Text::new(text, pixel(x, y), style)).map_err(drawing)
    }
}

/// Black or white, whichever is more readable on `color`.
pub(super) fn ink_on(color: RGBColor) -> RGBColor {
    let luminance = 0.299 * f64::from(color.0) + 0.587 * f64::from(color.1) + 0.114 * f64::from(color.2);
    if luminance > 140.0 { BLACK } else { WHITE }
}
