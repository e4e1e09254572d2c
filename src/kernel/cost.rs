//! What one iteration of a kernel costs, as its author states it.

use crate::element::Precision;
use crate::error::{Error, Result};

/// The cost of one iteration: what the models need to know of a kernel.
///
/// Bytes are compulsory traffic between cores and memory (each array element counted once), without what a cache serves. Counts
/// are finite and at least 0: loops refuse kernels with other counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Operations.
    pub flops: f64,
    /// Bytes read from memory.
    pub loads: f64,
    /// Bytes written to memory.
    pub stores: f64,
    /// The precision whose rate counts.
    pub precision: Precision,
}

impl Cost {
    /// A cost of nothing, to be filled in.
    pub fn per_iteration() -> Self {
        Self::default()
    }

    /// Operations per iteration.
    pub fn flops(mut self, operations: impl IntoCount) -> Self {
        self.flops = operations.into_count();
        self
    }

    /// Bytes read per iteration.
    pub fn loads(mut self, bytes: impl IntoCount) -> Self {
        self.loads = bytes.into_count();
        self
    }

    /// Bytes written per iteration.
    pub fn stores(mut self, bytes: impl IntoCount) -> Self {
        self.stores = bytes.into_count();
        self
    }

    /// Checks that all counts are finite and at least 0, whether stated or generated.
    ///
    /// # Errors
    /// [`Error::Call`] naming the kernel, the wrong count, its value, and what would be right.
    pub(crate) fn check(&self, kernel: &str) -> Result<()> {
        for (method, value) in [("flops", self.flops), ("loads", self.loads), ("stores", self.stores)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(Error::call(format!(
                    "kernel `{kernel}`: its cost says `.{method}({value})` per iteration: a count is at least 0 and finite; \
                     leave it out, or the whole `.cost(..)`, where it is not known"
                )));
            }
        }
        Ok(())
    }

    /// Which precision's rate counts.
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }
}

/// A count given as an integer or a float.
pub trait IntoCount {
    /// As a float.
    fn into_count(self) -> f64;
}
macro_rules! counts {
    ($($t:ty),*) => {$(impl IntoCount for $t { fn into_count(self) -> f64 { self as f64 } })*};
}
counts!(f64, f32, usize, u64, u32, i32);
