//! Tells kernels of one name apart by a hash of their code, computed when a kernel is built, as a loop has no time for it.

use super::{CudaVariant, DeviceSource};
use std::any::TypeId;
use std::hash::{Hash, Hasher};

/// 64-bit FNV-1a. Histories store the hash, so it must not change, which std's own hasher does not promise.
struct Fnv(u64);

impl Fnv {
    const START: Self = Self(0xcbf2_9ce4_8422_2325);

    /// Hashes `bytes` and their length, so that `ab`, `c` differs from `a`, `bc`.
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

/// Hash of texts, in order.
pub(super) fn of_texts(texts: &[&str]) -> u64 {
    texts.iter().fold(Fnv::START, |hash, text| hash.part(text.as_bytes())).finish()
}

/// Hash of everything that a source's compiler gets.
pub(super) fn of_source(source: &DeviceSource) -> u64 {
    of_texts(&[&source.source, &source.entry, &source.options])
}

/// Hash of any CUDA variant.
pub(super) fn of_cuda(variant: &CudaVariant) -> u64 {
    match variant {
        CudaVariant::Source(source) => of_source(source),
        CudaVariant::Image(image) => Fnv::START.part(&image.image).part(image.entry.as_bytes()).finish(),
        CudaVariant::Call(call) => call.code(),
    }
}

/// Hash of a closure's type and its parameters' types. Unlike the type's name, it differs between the closures of a program. It
/// is the same in each run of a program, but may change with a different build, as may the closure's speed.
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
    /// One hash of all variants.
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
