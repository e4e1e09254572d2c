//! How the devices are arranged.

use super::LayoutError;

/// The arrangement of the devices: in a row, or in a row-major grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Topology {
    /// Rows; 1 in a row of devices.
    rows: usize,
    columns: usize,
    grid: bool,
}

impl Topology {
    /// `devices` in a row: only dimension 0.
    pub fn row(devices: usize) -> Result<Self, LayoutError> {
        if devices == 0 {
            return Err(LayoutError::Topology("a topology needs at least one device".into()));
        }
        Ok(Self { rows: devices, columns: 1, grid: false })
    }

    /// A grid of `rows` times `columns` with dimensions 0 and 1: device `r * columns + c` is in row `r` and column `c`.
    /// `devices` is the number of devices.
    pub fn grid(rows: usize, columns: usize, devices: usize) -> Result<Self, LayoutError> {
        if rows == 0 || columns == 0 || rows.checked_mul(columns) != Some(devices) {
            return Err(LayoutError::Topology(format!(
                "a topology of {rows} x {columns} does not hold {devices} devices; rows times columns must be their number"
            )));
        }
        Ok(Self { rows, columns, grid: true })
    }

    /// The grid of `devices` that is closest to a square, with at least as many rows as columns.
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

    /// The position of `device` along each dimension.
    pub const fn place(&self, device: usize) -> [usize; 2] {
        [device / self.columns, device % self.columns]
    }
}
