//! Element types that every target knows, and values of them.

use std::fmt;

/// A type of array elements and scalar arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ElementType {
    F32,
    F64,
    I32,
    U32,
    I64,
    U64,
    I8,
    U8,
    I16,
    U16,
}

impl ElementType {
    /// Size of one element in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F64 | Self::I64 | Self::U64 => 8,
        }
    }

    /// The name in Rust, which is also the name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

mod sealed {
    pub trait Sealed {}
    pub trait Item {}
}

/// A Rust type that is an [`ElementType`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of numbers that kernels know",
    note = "these are f32, f64, i8, u8, i16, u16, i32, u32, i64, u64 and usize (of 64 bits); arrays of `#[kernel]` functions, of data \
            regions and of `HostVec` may also have elements that are arrays of them, such as `[f32; 3]`: elsewhere pass \
            `array.as_flattened()`",
    note = "a reduction whose type nothing else says is `!` to the compiler: write `.reduce::<f64>(Sum)`, or `let s: f64 = ..`"
)]
pub trait Element: sealed::Sealed + bytemuck::Pod + Send + Sync + fmt::Debug + PartialOrd + 'static {
    /// Its [`ElementType`].
    const TYPE: ElementType;
    /// The value with its type.
    fn to_scalar(self) -> Scalar;
    /// The value of a scalar; none if the scalar has another type.
    fn from_scalar(scalar: Scalar) -> Option<Self>;
    /// The value from its native-endian bytes, exactly as many as the type has.
    fn from_bytes(bytes: &[u8]) -> Self {
        bytemuck::pod_read_unaligned(bytes)
    }
}

/// What an array has side by side: an [`Element`], or an array of a few of them, such as `[f32; 3]` for a point. Devices see its
/// components, one after the other.
#[diagnostic::on_unimplemented(
    message = "arrays of kernels do not have elements of type `{Self}`",
    note = "elements are f32, f64, i8, u8, i16, u16, i32, u32, i64, u64 and usize (of 64 bits), or arrays of known length of them, \
            such as `[f32; 3]`"
)]
pub trait Item: sealed::Item + bytemuck::Pod + Send + Sync + fmt::Debug + PartialOrd + 'static {
    /// The type of its components: its own for an [`Element`].
    type Component: Element;
    /// The number of its components: 1 for an [`Element`].
    const COMPONENTS: usize;
    /// The components of all items.
    fn components(items: &[Self]) -> &[Self::Component] {
        bytemuck::cast_slice(items)
    }
    /// The components of all items, writable.
    fn components_mut(items: &mut [Self]) -> &mut [Self::Component] {
        bytemuck::cast_slice_mut(items)
    }
}

impl<T: Element> sealed::Item for T {}
impl<T: Element> Item for T {
    type Component = T;
    const COMPONENTS: usize = 1;
}

impl<T: Element, const N: usize> sealed::Item for [T; N] {}
impl<T: Element, const N: usize> Item for [T; N] {
    type Component = T;
    const COMPONENTS: usize = {
        assert!(N > 0, "an element that is an array has at least one component");
        N
    };
}

/// One value with its type.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Scalar {
    F32(f32),
    F64(f64),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    I8(i8),
    U8(u8),
    I16(i16),
    U16(u16),
}

impl Scalar {
    /// Its value, if it is an integer.
    pub(crate) fn integer(self) -> Option<i128> {
        Some(match self {
            Self::I32(v) => v.into(),
            Self::U32(v) => v.into(),
            Self::I64(v) => v.into(),
            Self::U64(v) => v.into(),
            Self::I8(v) => v.into(),
            Self::U8(v) => v.into(),
            Self::I16(v) => v.into(),
            Self::U16(v) => v.into(),
            Self::F32(_) | Self::F64(_) => return None,
        })
    }

    /// Its type.
    pub const fn element(self) -> ElementType {
        match self {
            Self::F32(_) => ElementType::F32,
            Self::F64(_) => ElementType::F64,
            Self::I32(_) => ElementType::I32,
            Self::U32(_) => ElementType::U32,
            Self::I64(_) => ElementType::I64,
            Self::U64(_) => ElementType::U64,
            Self::I8(_) => ElementType::I8,
            Self::U8(_) => ElementType::U8,
            Self::I16(_) => ElementType::I16,
            Self::U16(_) => ElementType::U16,
        }
    }

    /// Its native-endian bytes, padded with zeros.
    pub fn to_bytes(self) -> [u8; 8] {
        let mut bytes = [0; 8];
        let value: &[u8] = match &self {
            Self::F32(value) => bytemuck::bytes_of(value),
            Self::F64(value) => bytemuck::bytes_of(value),
            Self::I32(value) => bytemuck::bytes_of(value),
            Self::U32(value) => bytemuck::bytes_of(value),
            Self::I64(value) => bytemuck::bytes_of(value),
            Self::U64(value) => bytemuck::bytes_of(value),
            Self::I8(value) => bytemuck::bytes_of(value),
            Self::U8(value) => bytemuck::bytes_of(value),
            Self::I16(value) => bytemuck::bytes_of(value),
            Self::U16(value) => bytemuck::bytes_of(value),
        };
        bytes[..value.len()].copy_from_slice(value);
        bytes
    }

    /// A value of `element` from its native-endian bytes.
    pub fn from_bytes(element: ElementType, bytes: &[u8]) -> Self {
        match element {
            ElementType::F32 => Self::F32(f32::from_bytes(bytes)),
            ElementType::F64 => Self::F64(f64::from_bytes(bytes)),
            ElementType::I32 => Self::I32(i32::from_bytes(bytes)),
            ElementType::U32 => Self::U32(u32::from_bytes(bytes)),
            ElementType::I64 => Self::I64(i64::from_bytes(bytes)),
            ElementType::U64 => Self::U64(u64::from_bytes(bytes)),
            ElementType::I8 => Self::I8(i8::from_bytes(bytes)),
            ElementType::U8 => Self::U8(u8::from_bytes(bytes)),
            ElementType::I16 => Self::I16(i16::from_bytes(bytes)),
            ElementType::U16 => Self::U16(u16::from_bytes(bytes)),
        }
    }
}

macro_rules! elements {
    ($($rust:ty => $name:ident),* $(,)?) => {$(
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            const TYPE: ElementType = ElementType::$name;
            fn to_scalar(self) -> Scalar {
                Scalar::$name(self)
            }
            fn from_scalar(scalar: Scalar) -> Option<Self> {
                match scalar {
                    Scalar::$name(value) => Some(value),
                    _ => None,
                }
            }
        }
    )*};
}
elements!(f32 => F32, f64 => F64, i32 => I32, u32 => U32, i64 => I64, u64 => U64, i8 => I8, u8 => U8, i16 => I16,
    u16 => U16);

/// Where a `usize` has 64 bits, it is a `u64` to kernels: column numbers of sparse matrices, say, are passed as they are.
#[cfg(target_pointer_width = "64")]
mod of_usize {
    use super::{Element, ElementType, Scalar, sealed};

    impl sealed::Sealed for usize {}
    impl Element for usize {
        const TYPE: ElementType = ElementType::U64;
        fn to_scalar(self) -> Scalar {
            Scalar::U64(self as u64)
        }
        fn from_scalar(scalar: Scalar) -> Option<Self> {
            match scalar {
                Scalar::U64(value) => Some(value as Self),
                _ => None,
            }
        }
    }
}

/// The kind of operations whose rate bounds a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// Floats of 32 bits; also taken for integers.
    #[default]
    F32,
    /// Floats of 64 bits.
    F64,
    /// Bytes, in kernels that process several per instruction. The rate is `u8_gop_per_s` of a machine description, or that of
    /// `F32` where the former is not known.
    U8,
}

impl Precision {
    /// The name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::U8 => "u8",
        }
    }
}
