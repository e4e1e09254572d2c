//! How the devices are arranged.

use super::LayoutError;

/// The arrangement of the devices: in a row, or in a grid, row after row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Topology {
    /// Rows; 1 in a row of devices.
    rows: usize,
    columns: usize,
    grid: bool,
}

impl Topology {
    /// `devices` in a row: dimension 0 alone.
    pub fn row(devices: usize) -> Result<Self, LayoutError> {
        if devices == 0 {
            return Err(LayoutError::Topology("a topology needs at least one device".into()));
        }
        Ok(Self { rows: devices, columns: 1, grid: false })
    }

    /// `rows` times `columns`, device `r * columns + c` in row `r` and column `c`: dimensions 0 and 1. `devices` is how
    /// many there are.
    pub fn grid(rows: usize, columns: usize, devices: usize) -> Result<Self, LayoutError> {
        if rows == 0 || columns == 0 || rows.checked_mul(columns) != Some(devices) {
            return Err(LayoutError::Topology(format!(
                "a topology of {rows} x {columns} does not hold {devices} devices; rows times columns must be their number"
            )));
        }
        Ok(Self { rows, columns, grid: true })
    }

    /// The grid for `devices` that is closest to a square, with at least as many rows as columns.
    pub fn square(devices: usize) -> Result<Self, LayoutError> {
        let columns = (1..=devices.isqrt()).rev().find(|columns| devices.is_multiple_of(*columns));
        match columns {
            Some(columns) => Self::grid(devices / columns, columns, devices),
            None => Err(LayoutError::Topology("a topology needs at least one device".into())),
        }
    }

    /// Number of devices.
    pub const fn devices(&self) -> usize {
        self.rows * self.columns
    }

    /// Number of dimensions, 1 or 2.
    pub const fn dimensions(&self) -> usize {
        if self.grid { 2 } else { 1 }
    }

    /// Devices along `dimension`, if there is such a dimension.
    pub fn along(&self, dimension: usize) -> Option<usize> {
        [self.rows, self.columns].get(dimension).copied().filter(|_| dimension < self.dimensions())
    }

    /// Where `device` stands along each dimension.
    pub const fn place(&self, device: usize) -> [usize; 2] {
        [device / self.columns, device % self.columns]
    }
}
