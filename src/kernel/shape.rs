//! How the iterations of a generated kernel are spread over a grid.

use super::Language;
use crate::kernel::{Grid, Reduce};

/// How iterations are spread over a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// This many iterations per work-item, a group's size apart.
    Flat(usize),
    /// A group of this many work-items per iteration, which share its inner loops.
    Rows(usize),
    /// As `Rows` with groups of this size, or with a work-item for each of at least so many iterations.
    RowsOrAlone(usize, usize),
    /// Parts of a warp, of `wide` work-items, have an iteration each. On devices without warps as `Rows(otherwise)`, or
    /// of few turns as `RowsOrAlone`.
    InLines {
        /// A power of two up to 32.
        wide: usize,
        /// Whether some iterations are seen to be much longer than others.
        uneven: bool,
        /// Work-items in a group of `Rows`.
        otherwise: usize,
    },
    /// As `Rows` with groups of this size, or where there are many iterations as `InLines`, with a width that follows from the data.
    RowsOrLines(usize),
    /// As `Rows`, with the work-items in lines, for two nested loops.
    Lines,
    /// Groups have tiles of the inner loops, of several iterations.
    Tiles {
        /// Work-items in a group.
        group: usize,
        /// Work-items side by side.
        wide: usize,
        /// Iterations that a group runs at once.
        high: usize,
        /// Tiles of an iteration.
        tiles: usize,
        /// Maximum number of iterations of a group.
        most: usize,
        /// The only reduction operator that allows this shape; none if all do.
        only: Option<Reduce>,
        /// Group per iteration under other operators, as in `Rows`; 0 for `Lines`.
        otherwise: usize,
    },
    /// Groups have strips: a work-item has adjacent columns and goes down their rows.
    Strips {
        /// How columns are loaded and stored.
        strips: Strips,
        /// Work-items side by side.
        wide: usize,
        /// Iterations that a group runs at once.
        high: usize,
        /// Parts of an iteration.
        tiles: usize,
        /// Maximum number of iterations of a work-item.
        rows: usize,
        /// Whether a work-item runs these at once.
        together: bool,
        /// The only reduction operator that allows this shape; none if all do.
        only: Option<Reduce>,
        /// Group per iteration under other operators, as in `Rows`; 0 for `Lines`.
        otherwise: usize,
    },
    /// Groups run many iterations each, since each group has a copy of the arrays that its iterations contribute to. There is
    /// no copy where the arrays are longer than a group's memory.
    Gathers {
        /// Elements of a copy; 0 if there is none.
        copies: usize,
        /// Whether a group takes whole iterations, which its work-items share.
        rows: bool,
    },
    /// For loops over rows and columns: groups have tiles of the columns, and some rows.
    Cells {
        /// Work-items side by side.
        wide: usize,
        /// Columns of a work-item, `wide` apart.
        each: usize,
    },
}

/// Whether groups can have parts of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiling {
    /// They cannot.
    None,
    /// Always.
    Any,
    /// Only with this operator.
    Of(Reduce),
}

/// What a text is compiled for: work-items in a group, those side by side, and whether groups have tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub group: usize,
    pub wide: usize,
    pub spread: bool,
    pub strips: Strips,
    pub copies: usize,
    /// Whether parts of a warp have an iteration each, and of how many work-items; 0 where that follows from data.
    pub lined: Option<usize>,
    /// Who has those of them that are long.
    pub long: Long,
}

/// Who has long iterations where parts of a warp have the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Long {
    /// They do.
    Lines,
    /// Their warp and group.
    Own,
    /// Warps and groups in turn: long iterations may be side by side.
    All,
}

/// Whether work-items have adjacent columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strips {
    /// No.
    None,
    /// Columns are moved as vectors.
    Vectors,
    /// Columns are moved one by one, as rows are not aligned for vectors.
    Single,
}

const fn form(group: usize, wide: usize, spread: bool) -> Form {
    Form { group, wide, spread, strips: Strips::None, copies: 0, lined: None, long: Long::Lines }
}

const fn strips(wide: usize, strips: Strips) -> Form {
    Form { strips, ..form(GROUP_OF_STRIPS, wide, true) }
}

const fn gathers(copies: usize) -> Form {
    Form { copies, ..form(GROUP, GROUP, false) }
}

const fn lined(wide: usize, uneven: bool) -> Form {
    let long = match wide {
        1.. if uneven => Long::All,
        1..=ALWAYS_CAPPED => Long::Own,
        _ => Long::Lines,
    };
    Form { lined: Some(wide), long, ..form(GROUP, GROUP, false) }
}

/// Elements of a group's copy of an array.
const COPIES: [usize; 3] = [256, 1024, 4096];
/// Most bytes of a group's copies: several groups should share a processor, and OpenCL promises 32 KB, of which a reduction
/// needs 2.
const MOST_COPIED: usize = 30 << 10;

/// All forms.
pub(super) const FORMS: [Form; 33] = [
    form(32, 32, false),
    form(64, 64, false),
    form(128, 128, false),
    form(256, 256, false),
    form(256, 32, false),
    form(32, 32, true),
    form(64, 64, true),
    form(256, 32, true),
    form(256, 64, true),
    form(256, 128, true),
    form(256, 256, true),
    strips(32, Strips::Vectors),
    strips(64, Strips::Vectors),
    strips(128, Strips::Vectors),
    strips(32, Strips::Single),
    strips(64, Strips::Single),
    strips(128, Strips::Single),
    gathers(COPIES[0]),
    gathers(COPIES[1]),
    gathers(COPIES[2]),
    lined(0, false),
    lined(1, false),
    lined(1, true),
    lined(2, false),
    lined(2, true),
    lined(4, false),
    lined(4, true),
    lined(8, false),
    lined(8, true),
    lined(16, false),
    lined(16, true),
    lined(WARP, false),
    lined(WARP, true),
];

const GROUP: usize = 256;
const GROUPS: [usize; 4] = [32, 64, 128, 256];
/// Elements of a work-item in a line of a tile, a group's width apart.
const EACH_OF_TILE: usize = 4;
/// Work-items in a group of strips: few, as each uses many registers. Strips have few rows, so that groups that run at the same
/// time work on nearby rows.
const GROUP_OF_STRIPS: usize = 128;
const ROWS_OF_STRIP: usize = 8;
/// Rows of a work-item of `Cells`: on an H200 a stencil of five points over 16384 x 16384 took 620 us with 4, 638 with 2 and
/// 684 with 8.
const ROWS_OF_CELLS: usize = 4;
/// Columns of a work-item, if they are not moved as vectors.
const EACH_OF_STRIP: usize = 2;
/// Iterations of a work-item that contributes to arrays or, in OpenCL, to a reduction, and the maximum number of groups, each with a
/// copy or a partial result.
const EACH: usize = 16;
const MOST_GROUPS: usize = 1024;
/// Iterations of a work-item in a reduction in CUDA, if that leaves groups enough for the processors of large GPUs; otherwise it
/// has fewer, as it does without a reduction. On an H200 a million iterations that also write arrays took 14.4 us with 1056 groups
/// and 17.9 with 245, a hundred thousand 11.8 with 256 and 16.6 with 25.
const EACH_REDUCED: usize = 4;
const FEW_GROUPS: usize = 512;
const MOST_ROW_GROUPS: usize = 4096;
/// Groups on OpenCL devices that are CPUs, each of one work-item with a span of iterations: the most, and up to how many iterations have
/// one each. With PoCL on two cores of an AMD EPYC, 64 to 1024 are as fast as one another, and 4096 take up to 7 % longer; 1000 short
/// iterations take 74 us in 256 spans, and 86 with one for each.
const MOST_SPANS: usize = 1024;
const FEW_SPANS: usize = 256;
/// This many groups fill the largest GPUs twice over. Beyond that, each group has more iterations, whose neighbouring rows it
/// finds in the cache.
const ENOUGH_GROUPS: usize = 2048;
/// If so many groups remain, work-items take several iterations side by side: on an H200 products of matrices of 1024 gained by
/// it, those of 512 lost.
const ENOUGH_TOGETHER: usize = 512;
/// Work-items run an iteration each if there are this many iterations for each turn of the loops, and no more turns than below.
/// On an H200 a group takes 0.62 ns for each iteration of up to 1024 turns; work-items take 33 ns for each turn, however many
/// run at once.
const PER_TURN_ALONE: usize = 64;
const MOST_TURNS_ALONE: usize = 1024;
/// Parts of a warp have an iteration each if the loops have at most so many turns. On an H200 a group for each iteration takes 0.6 to
/// 1.6 ns, and parts of a warp need some eight turns for each work-item to be fast.
const MOST_TURNS_IN_LINES: usize = 512;
const TURNS_IN_LINE: usize = 8;
/// Iterations are of very different lengths if one has more turns for each work-item of a line.
const MOST_EVEN: usize = 32;
/// Narrow lines leave long iterations to warps and groups, also where none is seen. By hand on an H200 a sparse product of even rows
/// lost up to 1 % by it with lines of up to 4, with 16 and 32 work-items 7 and 26 %.
const ALWAYS_CAPPED: usize = 8;
/// If the number of turns is not known, so many iterations make up for loops of more than that.
const MANY_OF_UNKNOWN: usize = 4096;
/// So many warps fill the largest GPUs twice over. Beyond that, each has more iterations, up to 32 at a time.
const ENOUGH_WARPS: usize = 16_384;
const WARP: usize = 32;
/// CUDA's limit for the second dimension of a grid.
const MOST_STRIPS: usize = 65_535;

/// The smallest group with which each work-item has at most four elements; for longer loops the largest group.
fn group_of(length: i128) -> usize {
    GROUPS.into_iter().find(|&group| length <= (EACH_OF_TILE * group) as i128).unwrap_or(GROUP)
}

fn count(number: i128) -> usize {
    usize::try_from(number.max(1)).unwrap_or(usize::MAX)
}

impl Shape {
    /// For one inner loop of `length`: up to four elements per work-item, more if the largest group is too small for that.
    pub fn rows(length: i128) -> Self {
        Self::Rows(group_of(length))
    }

    /// For a loop over rows and `columns` columns, of which a device may have a part; a work-item has `each` columns.
    pub fn cells(columns: u64, each: usize) -> Self {
        let each = each.max(1);
        Self::Cells { wide: group_of(i128::from(columns) * EACH_OF_TILE as i128 / each as i128), each }
    }

    /// For loops that contribute to `arrays`, given as elements and bytes per element; with `rows` a group has whole
    /// iterations.
    pub fn gathers(rows: bool, arrays: &[(usize, usize)]) -> Self {
        let longest = arrays.iter().map(|(len, _)| *len).max().unwrap_or(usize::MAX);
        let all: usize = arrays.iter().map(|(_, bytes)| *bytes).sum();
        let fits = |copies: &usize| longest <= *copies && copies * all <= MOST_COPIED;
        Self::Gathers { copies: COPIES.into_iter().find(fits).unwrap_or(0), rows }
    }

    /// For inner loops of these columns and lines; `nested` if one of them has lines, `heavy` if one turn is enough work for a
    /// work-item.
    pub fn shared(lengths: &[(i128, i128)], nested: bool, heavy: bool, tiling: Tiling) -> Self {
        let longest = lengths.iter().map(|(columns, _)| *columns).max();
        let otherwise = if nested { GROUP } else { longest.map_or(GROUP, group_of) };
        let only = match tiling {
            Tiling::None => return if nested { Self::Lines } else { Self::Rows(otherwise) },
            Tiling::Any => None,
            Tiling::Of(operator) => Some(operator),
        };
        // Heavy turns get small groups, so that as many processors as possible have work.
        let (group, wide, each) = match longest {
            Some(longest) if heavy => {
                let group = if longest <= GROUPS[0] as i128 { GROUPS[0] } else { GROUPS[1] };
                (group, group, 1)
            }
            _ => (GROUP, if nested { GROUPS[0] } else { otherwise }, EACH_OF_TILE),
        };
        let lines = group / wide;
        let tiles = lengths.iter().map(|(columns, in_lines)| {
            let across = count(*columns).div_ceil(each * wide);
            across.saturating_mul(if nested { count(*in_lines).div_ceil(lines) } else { 1 })
        });
        let tiles = tiles.max().unwrap_or(1).clamp(1, i32::MAX as usize / GROUP);
        let (high, most) = match (nested, heavy) {
            (true, _) => (1, 8),
            (_, true) => (1, 1),
            _ => (lines, 2 * lines.max(8)),
        };
        Self::Tiles { group, wide, high, tiles, most, only, otherwise: if nested { 0 } else { otherwise } }
    }

    /// The shape in strips, if it has tiles: `each` columns per work-item if `each` divides all of `distances`, and with heavy
    /// turns `side_by_side` iterations.
    #[must_use]
    pub fn in_strips(self, lengths: &[(i128, i128)], each: usize, side_by_side: usize, distances: &[i128]) -> Self {
        let Self::Tiles { only, otherwise, most, .. } = self else { return self };
        let ([(columns, in_lines)], 1..) = (lengths, each) else { return self };
        let aligned = distances.iter().all(|distance| distance % each as i128 == 0);
        let (strips, each) = if aligned { (Strips::Vectors, each) } else { (Strips::Single, EACH_OF_STRIP) };
        let nested = otherwise == 0;
        let wide = match GROUPS.into_iter().find(|&wide| *columns <= (each * wide) as i128) {
            _ if nested => GROUPS[0],
            Some(wide) => wide.min(GROUP_OF_STRIPS),
            None => GROUP_OF_STRIPS,
        };
        let (lines, across) = (GROUP_OF_STRIPS / wide, count(*columns).div_ceil(each * wide));
        let (tiles, high) =
            if nested { (across.saturating_mul(count(*in_lines).div_ceil(lines)), 1) } else { (across, lines) };
        // One iteration at a time is enough with heavy turns.
        let rows = if most == 1 { side_by_side } else { ROWS_OF_STRIP };
        let (tiles, together) = (tiles.clamp(1, i32::MAX as usize / GROUP), side_by_side > 1);
        Self::Strips { strips, wide, high, tiles, rows, together, only, otherwise }
    }

    /// Where work-items may also have an iteration each: the shape for inner loops of these lengths.
    #[must_use]
    pub fn or_alone(self, lengths: &[(i128, i128)]) -> Self {
        let turns = lengths.iter().map(|(length, _)| count(*length)).fold(0, usize::saturating_add);
        match self {
            Self::Rows(group) if turns <= MOST_TURNS_ALONE => Self::RowsOrAlone(group, PER_TURN_ALONE * turns.max(1)),
            other => other,
        }
    }

    /// Where parts of a warp may also have an iteration each: the shape for loops of so many turns, if that is known.
    #[must_use]
    pub fn or_lines(self, turns: Option<usize>) -> Self {
        self.or_uneven_lines(turns.map(|turns| [turns; 2]))
    }

    /// Whether lines for loops of about so many turns are narrow, so that their group has long ones in any case.
    pub(super) fn has_narrow_lines(turns: usize) -> bool {
        turns <= TURNS_IN_LINE * ALWAYS_CAPPED
    }

    /// As `or_lines`, for loops of about so many turns, and the most that are seen.
    pub(super) fn or_uneven_lines(self, turns: Option<[usize; 2]>) -> Self {
        match (self, turns) {
            (Self::Rows(otherwise) | Self::RowsOrLines(otherwise), Some([turns, most]))
                if turns <= MOST_TURNS_IN_LINES =>
            {
                let wide = turns.div_ceil(TURNS_IN_LINE).next_power_of_two().min(WARP);
                Self::InLines { wide, uneven: most > MOST_EVEN * wide, otherwise }
            }
            (Self::RowsOrLines(otherwise), Some(_)) => Self::Rows(otherwise),
            (Self::Rows(GROUP), None) => Self::RowsOrLines(GROUP),
            (other, _) => other,
        }
    }

    /// The shape on devices without warps. Results of a reduction are by group there.
    pub(super) fn without_lines(self, reduces: bool) -> Self {
        match self {
            Self::InLines { wide: 1 | 2, uneven: false, otherwise } if !reduces => {
                Self::RowsOrAlone(otherwise, PER_TURN_ALONE)
            }
            Self::InLines { otherwise, .. } | Self::RowsOrLines(otherwise) => Self::Rows(otherwise),
            other => other,
        }
    }

    /// The shape for a reduction by `operator`.
    pub(super) fn under(self, operator: Reduce) -> Self {
        match self {
            Self::Tiles { only: Some(only), otherwise, .. } | Self::Strips { only: Some(only), otherwise, .. }
                if only != operator =>
            {
                if otherwise == 0 {
                    Self::Lines
                } else {
                    Self::Rows(otherwise)
                }
            }
            other => other,
        }
    }

    /// The index in [`FORMS`].
    pub(super) fn form(self) -> usize {
        let form = match self {
            Self::Flat(_) => form(GROUP, GROUP, false),
            Self::Rows(group) | Self::RowsOrAlone(group, _) => form(group, group, false),
            Self::InLines { wide, uneven, .. } => lined(wide, uneven),
            Self::RowsOrLines(_) => lined(0, false),
            Self::Lines => form(GROUP, GROUPS[0], false),
            Self::Gathers { copies, .. } => gathers(copies),
            Self::Tiles { group, wide, .. } => form(group, wide, true),
            Self::Cells { wide, .. } => form(GROUP, wide, true),
            Self::Strips { strips: by, wide, .. } => strips(wide, by),
        };
        FORMS.iter().position(|other| *other == form).unwrap_or(3)
    }

    /// The grid in a language. OpenCL devices may be CPUs, where a group costs more than short spans of iterations gain: with PoCL on
    /// two cores of an AMD EPYC, a sum of 100,000 takes 178 us with 391 groups and 133 with 25.
    pub(super) fn grid_in(self, language: Language, reduces: bool) -> Grid {
        match (self, language) {
            (Self::Flat(_), Language::OpenCl) if reduces => {
                Grid::new([GROUP, 1, 1], |n| [n.div_ceil(EACH * GROUP).clamp(1, MOST_GROUPS) * GROUP, 1, 1])
            }
            (Self::Flat(each), Language::OpenCl) => {
                Grid::new([GROUP, 1, 1], move |n| [n.div_ceil(each.max(1) * GROUP).max(1) * GROUP, 1, 1])
            }
            _ => self.grid(reduces),
        }
    }

    /// The grid on OpenCL devices that are CPUs: groups of one work-item where one does all of a group's work there.
    pub(super) fn grid_on_cpus(self, reduces: bool) -> Grid {
        match self {
            // Spans of iterations.
            Self::Rows(_) | Self::RowsOrAlone(..) | Self::InLines { .. } | Self::RowsOrLines(_) | Self::Lines => {
                Grid::new([1, 1, 1], |n| [n.min(FEW_SPANS).max(n / EACH).clamp(1, MOST_SPANS), 1, 1])
            }
            Self::Flat(1) if !reduces => self.grid_in(Language::OpenCl, reduces),
            _ => {
                let grid = self.grid_in(Language::OpenCl, reduces);
                let group = grid.group[0];
                Grid::of_rows_and_columns([1, 1, 1], move |rows, columns| {
                    let [x, y, z] = grid.global_of(rows, columns);
                    [x / group, y, z]
                })
            }
        }
    }

    fn grid(self, reduces: bool) -> Grid {
        let group = FORMS[self.form()].group;
        match self {
            Self::Flat(_) if reduces => Grid::new([group, 1, 1], move |n| {
                let few = n.div_ceil(group).min(FEW_GROUPS);
                [n.div_ceil(EACH_REDUCED * group).clamp(few.max(1), MOST_GROUPS) * group, 1, 1]
            }),
            Self::Gathers { rows: true, .. } => {
                Grid::new([group, 1, 1], move |n| [n.clamp(1, MOST_GROUPS) * group, 1, 1])
            }
            Self::Gathers { .. } => {
                Grid::new([group, 1, 1], move |n| [n.div_ceil(EACH * group).clamp(1, MOST_GROUPS) * group, 1, 1])
            }
            Self::Flat(1) => Grid::per_iteration(group),
            // The text tells the two apart by the number of groups.
            Self::Flat(each) => Grid::new([group, 1, 1], move |n| {
                let each = if n <= FEW_GROUPS * group { 1 } else { each.max(1) };
                [n.div_ceil(each * group).max(1) * group, 1, 1]
            }),
            Self::Rows(_) | Self::Lines if reduces => {
                Grid::new([group, 1, 1], move |n| [n.min(MOST_ROW_GROUPS) * group, 1, 1])
            }
            Self::RowsOrAlone(_, many) => {
                let most = i32::MAX as usize / group;
                Grid::new([group, 1, 1], move |n| match n {
                    n if n >= many => [n.div_ceil(group).min(most) * group, n.div_ceil(group).div_ceil(most).max(1), 1],
                    n => [n.min(most) * group, n.div_ceil(most).max(1), 1],
                })
            }
            Self::InLines { wide, uneven, .. } => {
                let most = if reduces { MOST_ROW_GROUPS } else { i32::MAX as usize / group };
                // Even where lines are few, all processors may have long iterations.
                let least = if uneven { MOST_GROUPS } else { 1 };
                Grid::new([group, 1, 1], move |n| {
                    let groups = n.div_ceil(group / wide).max(n.min(least)).max(1);
                    let below = if reduces { 1 } else { groups.div_ceil(most) };
                    [groups.min(most) * group, below, 1]
                })
            }
            // The text tells the two apart by the number of groups.
            Self::RowsOrLines(_) => {
                let most = if reduces { MOST_ROW_GROUPS } else { i32::MAX as usize / group };
                Grid::new([group, 1, 1], move |n| match n {
                    n if n >= MANY_OF_UNKNOWN => {
                        let warps = n.min(ENOUGH_WARPS).max(n.div_ceil(WARP));
                        [warps.div_ceil(group / WARP).min(most) * group, 1, 1]
                    }
                    n => [n.max(1) * group, 1, 1],
                })
            }
            // A group per iteration; groups beyond the first dimension's limit are in the second one.
            Self::Rows(_) | Self::Lines => {
                let most = i32::MAX as usize / group;
                Grid::new([group, 1, 1], move |n| [n.min(most) * group, n.div_ceil(most).max(1), 1])
            }
            Self::Tiles { high, tiles, most, .. } => {
                Grid::new([group, 1, 1], move |n| [tiles * group, heights(n, tiles, high, most.max(high), reduces), 1])
            }
            Self::Cells { wide, each } => {
                let high = group / wide;
                let across = if reduces { MOST_ROW_GROUPS } else { i32::MAX as usize / group };
                Grid::of_rows_and_columns([group, 1, 1], move |rows, columns| {
                    let tiles = columns.div_ceil(wide * each).clamp(1, across);
                    [tiles * group, heights(rows, tiles, high, ROWS_OF_CELLS * high, reduces), 1]
                })
            }
            Self::Strips { high, tiles, rows, together: true, .. } => {
                let all = rows * high;
                Grid::new([group, 1, 1], move |n| {
                    let strip = if n.saturating_mul(tiles) >= ENOUGH_TOGETHER * all { all } else { high };
                    [tiles * group, heights(n, tiles, strip, strip, false), 1]
                })
            }
            Self::Strips { high, tiles, rows, .. } => {
                let most = rows * high;
                Grid::new([group, 1, 1], move |n| [tiles * group, heights(n, tiles, high, most, reduces), 1])
            }
        }
    }
}

/// The most turns of loops of these lengths.
pub fn most_turns(lengths: &[(i128, i128)]) -> usize {
    lengths.iter().map(|(length, _)| count(*length)).max().unwrap_or(0)
}

/// The number of strips, of `high..=most` iterations each, for `n` iterations of `tiles` tiles.
fn heights(n: usize, tiles: usize, high: usize, most: usize, reduces: bool) -> usize {
    let all = n.saturating_mul(tiles);
    let mut strip = (all / ENOUGH_GROUPS).clamp(high, most);
    if reduces {
        strip = strip.max(all.div_ceil(MOST_ROW_GROUPS));
    }
    let strip = strip.max(n.div_ceil(MOST_STRIPS)).next_multiple_of(high);
    n.div_ceil(strip).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_shape_has_a_form() {
        for shape in [Shape::Flat(1), Shape::Flat(4), Shape::Rows(32), Shape::Rows(256), Shape::Lines] {
            assert!(FORMS[shape.form()].group >= 32);
        }
        for (arrays, copies) in [
            (&[(1, 4)][..], 256),
            (&[(256, 8), (7, 8)], 256),
            (&[(257, 4)], 1024),
            (&[(4096, 4)], 4096),
            (&[(1024, 8), (1024, 8), (1024, 8)], 1024),
            (&[(4096, 8)], 0),
            (&[(4096, 4), (1, 4)], 0),
            (&[(4097, 4)], 0),
            (&[(usize::MAX, 8)], 0),
        ] {
            for rows in [false, true] {
                let shape = Shape::gathers(rows, arrays);
                assert_eq!(shape, Shape::Gathers { copies, rows });
                assert_eq!((FORMS[shape.form()].copies, FORMS[shape.form()].group), (copies, GROUP));
            }
        }
        for length in [1, 100, 300, 1000, 100_000] {
            let Shape::Rows(group) = Shape::rows(length) else { panic!("rows") };
            let tiles = Shape::shared(&[(length, 1)], false, false, Tiling::Of(Reduce::Sum));
            assert_eq!(FORMS[tiles.form()], form(256, group, true));
            assert_eq!(tiles.under(Reduce::Max), Shape::Rows(group));
            assert_eq!(tiles.under(Reduce::Sum), tiles);
            let heavy = Shape::shared(&[(length, 1)], false, true, Tiling::Of(Reduce::Sum));
            let wide = if length == 1 { 32 } else { 64 };
            assert_eq!((FORMS[heavy.form()], heavy.under(Reduce::Max)), (form(wide, wide, true), Shape::Rows(group)));
        }
        let nest = Shape::shared(&[(100, 9)], true, false, Tiling::Of(Reduce::Sum));
        assert_eq!((FORMS[nest.form()], nest.under(Reduce::Min)), (form(256, 32, true), Shape::Lines));
    }

    #[test]
    fn few_iterations_have_a_work_item_each() {
        let groups = |reduces: bool, n: usize| Shape::Flat(4).grid(reduces).groups(n);
        // The text takes a grid of at least as many work-items as iterations for one with an iteration each.
        for (n, alone) in [(0, 1), (1, 1), (257, 2), (100_000, 391), (FEW_GROUPS * GROUP, FEW_GROUPS)] {
            assert_eq!([false, true].map(|reduces| groups(reduces, n)), [alone; 2], "{n}");
        }
        for (n, several) in [(FEW_GROUPS * GROUP + 1, 129), (1_000_000, 977), (1 << 33, 1 << 23)] {
            assert_eq!(groups(false, n), several, "{n}");
            assert!(several * GROUP < n);
        }
        assert_eq!([200_000, 1_000_000, 1 << 33].map(|n| groups(true, n)), [FEW_GROUPS, 977, MOST_GROUPS]);
        // In OpenCL work-items always have several.
        let groups = |reduces: bool, n: usize| Shape::Flat(4).grid_in(Language::OpenCl, reduces).groups(n);
        assert_eq!([1, 100_000].map(|n| groups(false, n)), [1, 98]);
        assert_eq!([1, 100_000, 1 << 33].map(|n| groups(true, n)), [1, 25, MOST_GROUPS]);
        assert_eq!(Shape::Flat(1).grid_in(Language::OpenCl, false).groups(1000), 4);
    }

    #[test]
    fn there_is_a_group_for_each_iteration() {
        for shape in [Shape::Rows(32), Shape::Rows(256), Shape::Lines] {
            let group = FORMS[shape.form()].group;
            for n in [0, 1, 1000, 8_388_607, 8_388_608, 1 << 33] {
                let [x, y, z] = shape.grid(false).global(n);
                assert!(x / group * y >= n && x <= i32::MAX as usize && y <= MOST_STRIPS && z == 1, "{shape:?} {n}");
            }
            assert!(shape.grid(true).global(1 << 33)[0] / group <= MOST_ROW_GROUPS);
        }
    }

    #[test]
    fn cpus_have_groups_of_one_work_item_and_spans_of_iterations() {
        let in_lines = Shape::InLines { wide: 1, uneven: false, otherwise: 32 };
        let rows =
            [Shape::Rows(32), Shape::Rows(256), Shape::Lines, Shape::RowsOrAlone(32, 64), Shape::RowsOrLines(GROUP)];
        let long = [(100_000, 1)];
        let tiles = Shape::shared(&long, false, false, Tiling::Any);
        let alone = |shape: Shape| shape.grid_on_cpus(false).group;
        assert_eq!((alone(Shape::Flat(1)), alone(Shape::Flat(4))), ([GROUP, 1, 1], [1; 3]));
        let others = [Shape::Flat(4), Shape::gathers(true, &[]), tiles, tiles.in_strips(&long, 4, 1, &[4])];
        for reduces in [false, true] {
            for (n, spans) in [
                (0, 1),
                (1, 1),
                (256, 256),
                (1000, 256),
                (5000, 312),
                (16_384, 1024),
                (1_000_003, 1024),
                (1 << 33, 1024),
            ] {
                for shape in rows.into_iter().chain([in_lines]) {
                    let grid = shape.grid_on_cpus(reduces);
                    assert_eq!((grid.group, grid.global(n)), ([1; 3], [spans, 1, 1]), "{shape:?}, {n}");
                }
                for shape in others {
                    let (here, there) = (shape.grid_on_cpus(reduces), shape.grid_in(Language::OpenCl, reduces));
                    assert_eq!((here.group, here.groups(n)), ([1; 3], there.groups(n)), "{shape:?}, {n}");
                    assert_eq!(here.global(n)[1], there.global(n)[1], "{shape:?}, {n}");
                }
            }
        }
        let cells = Shape::cells(1000, 4);
        assert_eq!(
            cells.grid_on_cpus(false).global_of(100, 1000)[0],
            cells.grid(false).global_of(100, 1000)[0] / GROUP
        );
    }

    #[test]
    fn columns_are_vectors_where_rows_begin_at_multiples_of_them() {
        for (columns, distances, expected, width) in [
            (1000, &[1000, -2000, 0][..], Strips::Vectors, (128, 2)),
            (200, &[1000], Strips::Vectors, (64, 1)),
            (100, &[1000, 50], Strips::Single, (64, 1)),
            (1000, &[1001], Strips::Single, (128, 4)),
        ] {
            let lengths = [(columns, 1)];
            let shape =
                Shape::shared(&lengths, false, false, Tiling::Of(Reduce::Sum)).in_strips(&lengths, 4, 1, distances);
            let Shape::Strips { strips, wide, tiles, .. } = shape else { panic!("{shape:?}") };
            assert_eq!((strips, (wide, tiles)), (expected, width), "{columns} {distances:?}");
            assert_eq!((FORMS[shape.form()].strips, shape.under(Reduce::Sum)), (expected, shape));
            assert!(matches!(shape.under(Reduce::Max), Shape::Rows(_)));
        }
        let nest = Shape::shared(&[(100, 9)], true, false, Tiling::Of(Reduce::Sum)).in_strips(&[(100, 9)], 2, 1, &[]);
        assert_eq!((FORMS[nest.form()], nest.under(Reduce::Min)), (strips(32, Strips::Vectors), Shape::Lines));
        // Iterations side by side, as soon as enough groups remain.
        let heavy = |n: i128| Shape::shared(&[(n, 1)], false, true, Tiling::Any).in_strips(&[(n, 1)], 4, 4, &[n]);
        let groups = |n: i128| heavy(n).grid(false).groups(n as usize);
        assert_eq!((groups(512), groups(1024), groups(2048)), (512, 512, 2048));
        // A group for each iteration, or a work-item.
        let short = Shape::rows(40).or_alone(&[(40, 1)]);
        let groups = |n| short.grid(false).groups(n);
        assert_eq!((groups(64 * 40 - 1), groups(64 * 40)), (64 * 40 - 1, 64 * 40 / 32));
        assert_eq!(Shape::rows(2000).or_alone(&[(2000, 1)]), Shape::rows(2000));
        // Parts of a warp.
        let in_lines = |turns| Shape::rows(40).or_lines(Some(turns));
        for (turns, wide) in [(0, 1), (8, 1), (9, 2), (27, 4), (64, 8), (128, 16), (300, 32), (512, 32)] {
            let shape = in_lines(turns);
            assert_eq!(shape, Shape::InLines { wide, uneven: false, otherwise: 32 });
            let alone = if wide < 4 { Shape::RowsOrAlone(32, 64) } else { Shape::Rows(32) };
            assert_eq!((FORMS[shape.form()], shape.without_lines(false)), (lined(wide, false), alone));
            assert_eq!(shape.without_lines(true), Shape::Rows(32));
            for n in [1, 255, 256, 10_000, 1 << 33] {
                let [x, y, _] = shape.grid(false).global(n);
                assert!(x * y >= n * wide && x * y < n * wide + x + GROUP && x <= i32::MAX as usize, "{turns} {n}");
                assert!(shape.grid(true).groups(n) <= MOST_ROW_GROUPS);
            }
        }
        assert_eq!(in_lines(513), Shape::Rows(32));
        // Wide lines leave long iterations to others only if there are some; in groups of a device without warps none is alone.
        for (turns, most, wide, uneven) in
            [(5, 32, 1, false), (5, 33, 1, true), (100, 512, 16, false), (100, 513, 16, true), (300, 1025, 32, true)]
        {
            let shape = Shape::rows(40).or_uneven_lines(Some([turns, most]));
            assert_eq!(shape, Shape::InLines { wide, uneven, otherwise: 32 });
            let form = FORMS[shape.form()];
            let long = if uneven {
                Long::All
            } else if wide <= 8 {
                Long::Own
            } else {
                Long::Lines
            };
            assert_eq!((form.lined, form.long), (Some(wide), long));
            // As many groups as fill the largest GPUs, if there are iterations for them.
            let groups = |n| shape.grid(false).groups(n);
            for n in [0, 1, 500, 2000] {
                let least = if uneven { n.clamp(1, 1024) } else { 1 };
                assert_eq!(groups(n), n.div_ceil(GROUP / wide).max(least), "{turns}, {n}");
            }
            assert_eq!(groups(1 << 24), (1 << 24) / (GROUP / wide));
            assert_eq!(uneven, shape.without_lines(false) == Shape::Rows(32) && wide == 1 || uneven && wide > 1);
        }
        assert_eq!(Shape::rows(40).or_uneven_lines(Some([513, 1000])), Shape::Rows(32));
        // Where the number of turns is not known, groups are as many as iterations, or else fewer.
        let unknown = Shape::shared(&[], false, false, Tiling::None).or_lines(None);
        assert_eq!((unknown, FORMS[unknown.form()]), (Shape::RowsOrLines(GROUP), lined(0, false)));
        assert_eq!(unknown.or_lines(Some(27)), Shape::InLines { wide: 4, uneven: false, otherwise: GROUP });
        assert_eq!((unknown.or_lines(Some(513)), unknown.or_lines(None)), (Shape::Rows(GROUP), unknown));
        for reduces in [false, true] {
            let groups = |n| unknown.grid(reduces).groups(n);
            assert_eq!((groups(1), groups(4095)), (1, 4095));
            assert!([4096, 100_000, 1 << 33].into_iter().all(|n| groups(n) < n));
        }
        // Several loops have no strips, and neither has a shape without tiles.
        let two = [(100, 1), (50, 1)];
        assert!(matches!(
            Shape::shared(&two, false, false, Tiling::Any).in_strips(&two, 4, 1, &[]),
            Shape::Tiles { .. }
        ));
        assert_eq!(Shape::Rows(64).in_strips(&[(100, 1)], 4, 1, &[]), Shape::Rows(64));
    }

    proptest! {
        #[test]
        fn grids_of_strips_are_within_the_limits_and_have_work(n in 1usize..3_000_000, columns in 0i128..200_000,
                                                               in_lines in 1i128..3000, each in prop::sample::select(vec![2usize, 4]),
                                                               row in 1i128..100, nested: bool, reduces: bool) {
            let lengths = [(columns, in_lines)];
            let shape = Shape::shared(&lengths, nested, false, Tiling::Any).in_strips(&lengths, each, 1, &[row]);
            let form = FORMS[shape.form()];
            let [x, y, z] = shape.grid(reduces).global(n);
            prop_assert!(y <= MOST_STRIPS.min(n) && z == 1 && x % form.group == 0 && x <= i32::MAX as usize);
            let Shape::Strips { strips, wide, tiles, .. } = shape else { panic!("strips") };
            prop_assert_eq!((form.group, form.wide, form.strips), (GROUP_OF_STRIPS, wide, strips));
            let each = if strips == Strips::Vectors { each } else { EACH_OF_STRIP };
            let elements = columns as usize * if nested { count(in_lines) } else { 1 };
            let lines = if nested { GROUP_OF_STRIPS / wide } else { 1 };
            prop_assert!(tiles * each * wide * lines >= elements);
        }

        #[test]
        fn grids_of_cells_are_within_the_limits_and_have_work(rows in 1usize..3_000_000, columns in 1usize..200_000,
                                                              part in 1usize..5, each in prop::sample::select(vec![1usize, 4]),
                                                              reduces: bool) {
            let shape = Shape::cells((columns * part) as u64, each);
            let form = FORMS[shape.form()];
            let [x, y, z] = shape.grid(reduces).global_of(rows, columns);
            let Shape::Cells { wide, .. } = shape else { panic!("cells") };
            prop_assert_eq!((form.group, form.wide), (GROUP, wide));
            prop_assert!(y <= MOST_STRIPS.min(rows) && z == 1 && x % form.group == 0 && x <= i32::MAX as usize);
            // All groups have columns; without a reduction each has all of its own columns in one go.
            let tiles = x / form.group;
            prop_assert!((tiles - 1) * wide * each < columns);
            prop_assert!(reduces || tiles * wide * each >= columns);
            prop_assert!(!reduces || x / form.group * y <= 2 * MOST_ROW_GROUPS);
        }

        #[test]
        fn grids_are_within_the_limits_and_have_work(n in 1usize..3_000_000, columns in 0i128..200_000, in_lines in 1i128..3000,
                                                     nested: bool, heavy: bool, reduces: bool) {
            let heavy = heavy && !nested;
            let shape = Shape::shared(&[(columns, in_lines)], nested, heavy, Tiling::Any);
            let grid = shape.grid(reduces);
            let [x, y, z] = grid.global(n);
            prop_assert!(y <= MOST_STRIPS && z == 1 && x % FORMS[shape.form()].group == 0 && x <= i32::MAX as usize);
            // At most one strip per iteration.
            prop_assert!(y <= n);
            let Shape::Tiles { wide, tiles, .. } = shape else { panic!("tiles") };
            let lines = if nested { 256 / wide } else { 1 };
            let elements = columns as usize * if nested { count(in_lines) } else { 1 };
            let each = if heavy { 1 } else { 4 };
            prop_assert!(tiles * each * wide * lines >= elements);
        }
    }
}
