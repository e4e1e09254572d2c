//! What runs: a kernel with a variant per target, its arguments, its cost.

/// The floating-point precision whose rate bounds a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 32-bit (also taken for integer kernels).
    #[default]
    F32,
    /// 64-bit.
    F64,
}
