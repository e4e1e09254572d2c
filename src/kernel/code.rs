//! What tells kernels of one name apart: a hash of their code, made when a kernel is built, as a loop has no time for it.

use super::{CudaVariant, DeviceSource};
use std::any::TypeId;
use std::hash::{Hash, Hasher};

/// FNV-1a of 64 bits: histories keep what it says, so it must stay the same, which std's own hasher does not promise.
struct Fnv(u64);

impl Fnv {
    const START: Self = Self(0xcbf2_9ce4_8422_2325);

    /// A part of what is hashed, which ends where it ends: `ab` and `c` are not `a` and `bc`.
    fn part(mut self, bytes: &[u8]) -> Self {
        self.write(bytes);
        self.write(&(bytes.len() as u64).to_le_bytes());
        self
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Of texts in order.
pub(super) fn of_texts(texts: &[&str]) -> u64 {
    texts.iter().fold(Fnv::START, |hash, text| hash.part(text.as_bytes())).finish()
}

/// Of a source, with all that its compiler gets.
pub(super) fn of_source(source: &DeviceSource) -> u64 {
    of_texts(&[&source.source, &source.entry, &source.options])
}

/// Of any CUDA variant.
pub(super) fn of_cuda(variant: &CudaVariant) -> u64 {
    match variant {
        CudaVariant::Source(source) => of_source(source),
        CudaVariant::Image(image) => Fnv::START.part(&image.image).part(image.entry.as_bytes()).finish(),
        CudaVariant::Call(call) => call.code(),
    }
}

/// Of a closure: its type, with its parameters', is another for each closure of a program, unlike the name of its type. It is the
/// same in each run of a program, and may be another in one that was built otherwise, whose rates may be others too.
pub(super) fn of_type<T: 'static>() -> u64 {
    let mut hash = Fnv::START;
    TypeId::of::<T>().hash(&mut hash);
    hash.finish()
}

/// The hashes of a kernel's variants.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Code {
    pub host: u64,
    pub opencl: u64,
    pub cuda: u64,
}

impl Code {
    /// Of all of them.
    pub fn of_all(self) -> u64 {
        let mut hash = Fnv::START;
        for part in [self.host, self.opencl, self.cuda] {
            hash.write(&part.to_le_bytes());
        }
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_hash_that_files_have() {
        // The values of http://www.isthe.com/chongo/tech/comp/fnv/ for "" and "foobar".
        assert_eq!(Fnv::START.finish(), 0xcbf2_9ce4_8422_2325);
        let mut hash = Fnv::START;
        hash.write(b"foobar");
        assert_eq!(hash.finish(), 0x8594_4171_f739_67e8);
        assert_ne!(of_texts(&["ab", "c"]), of_texts(&["a", "bc"]));
    }
}
