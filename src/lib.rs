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
