//! Divides one parallel loop, and the array regions it needs, over every device of a machine at once.

pub mod data;
pub mod devices;
pub mod element;
pub mod error;
pub mod kernel;
pub mod model;
pub mod runtime;
pub mod sched;
pub mod space;
pub mod times;
pub mod units;

pub use error::{Error, Result};

/// What most users need: `use apportion::prelude::*`.
pub mod prelude {
    pub use crate::error::{Error, Result};
    pub use crate::kernel::{Cost, DeviceSource, Grid, In, Kernel, Out, Reduce};
    pub use crate::runtime::{Report, Runtime};
    pub use crate::sched::{Cutoff, Policy};
    pub use Reduce::{Max, Min, Product, Sum};
    pub use std::ops::Range;
}
