//! Arrays in host memory that devices copy at the full speed of their links.

mod traits;

use super::page_lock::{PageLock, page_lock};
use crate::element::Item;
use crate::error::{Error, Result};
use crate::kernel::{Sealed, Slice, SliceMut};
use rayon::prelude::*;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Arrays of this size or more start at a huge page.
const HUGE_PAGE: usize = 2 << 20;
/// Bytes that one thread touches first in one go: a few huge pages.
const PIECE: usize = 2 * HUGE_PAGE;
/// The elements of such a piece: at least one.
const fn piece_of<T: Item>() -> usize {
    let _ = T::COMPONENTS;
    if size_of::<T>() < PIECE { PIECE / size_of::<T>() } else { 1 }
}

/// No system has smaller pages, so one touch at each multiple of this reaches all pages.
const SMALLEST_PAGE: usize = 4096;

/// An array of fixed length in host memory, made for transfers and used as a slice.
///
/// Where a CUDA device is open in this process, the array's pages are locked and known to the driver of every open device. Copies
/// then run at the full speed of the link and beside other work. Memory that is not locked goes through a buffer of the driver, at
/// a fraction of that speed. [`HostVec::is_page_locked`] tells whether the pages are locked.
///
/// Locking takes about 0.1 s per GB, so it pays for arrays that are copied several times. Locked memory cannot be swapped out.
/// **Open the [`Runtime`](crate::runtime::Runtime) first**: an array that was made before is not locked later.
///
/// The rest is the same on every machine. The array starts at a page; a large one starts at a huge page of 2 MiB, and the system is
/// asked to use huge pages for it. All threads of the rayon pool touch it first, so that its pages spread over the memories of the
/// processors.
///
/// ```
/// use apportion::HostVec;
/// let x = HostVec::from_slice(&[1.0f32, 2.0, 3.0])?;
/// let mut y = HostVec::filled(x.len(), 0.5f32)?;
/// y[1] += x.iter().sum::<f32>();
/// assert_eq!(y, [0.5, 6.5, 0.5]);
///
/// let squares = HostVec::from_fn(1000, |i| (i * i) as u64)?; // or `(0..1000).map(|i| i * i).collect()`, by one thread
/// let copy = squares.clone();
/// assert_eq!(copy.iter().sum::<u64>(), 332_833_500);
/// # Ok::<(), apportion::Error>(())
/// ```
pub struct HostVec<T> {
    // Declared first, hence dropped first: pages are unlocked before they are unmapped.
    lock: Option<PageLock>,
    region: Region,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: Item> HostVec<T> {
    /// An array of `len` zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when the system refuses so much memory. The system may grant more memory than it has.
    pub fn zeroed(len: usize) -> Result<Self> {
        Ok(Self::plain(len)?.locked())
    }

    /// An array of `len` elements that are all `value`.
    ///
    /// # Errors
    /// As [`HostVec::zeroed`].
    pub fn filled(len: usize, value: T) -> Result<Self> {
        let mut array = Self::untouched(len)?;
        array.par_chunks_mut(piece_of::<T>()).for_each(|piece| piece.fill(value));
        Ok(array.locked())
    }

    /// A copy of a slice. Elements may be arrays, such as `[f32; 3]`.
    ///
    /// # Errors
    /// As [`HostVec::zeroed`].
    pub fn from_slice(slice: &[T]) -> Result<Self> {
        let mut array = Self::untouched(slice.len())?;
        array.copy_in_parallel(slice);
        Ok(array.locked())
    }

    /// An array of `len` elements, where element `i` is `value(i)`, computed on all threads of the rayon pool.
    ///
    /// # Errors
    /// As [`HostVec::zeroed`].
    ///
    /// # Panics
    /// When `value` does.
    ///
    /// ```
    /// use apportion::HostVec;
    /// let angles = HostVec::from_fn(360, |degree| (degree as f64).to_radians())?;
    /// assert_eq!(angles[180], std::f64::consts::PI);
    /// # Ok::<(), apportion::Error>(())
    /// ```
    pub fn from_fn(len: usize, value: impl Fn(usize) -> T + Sync) -> Result<Self> {
        let mut array = Self::untouched(len)?;
        let piece = piece_of::<T>();
        array.par_chunks_mut(piece).enumerate().for_each(|(at, elements)| {
            elements.iter_mut().enumerate().for_each(|(i, element)| *element = value(at * piece + i));
        });
        Ok(array.locked())
    }

    /// An array of `len` zeros in memory that is never page-locked, for comparison or where locking would not pay.
    ///
    /// # Errors
    /// As [`HostVec::zeroed`].
    pub fn plain(len: usize) -> Result<Self> {
        let mut array = Self::untouched(len)?;
        // New pages are zero; a touch decides in which memory each lies.
        let touch = |piece: &mut [u8]| piece.iter_mut().step_by(SMALLEST_PAGE).for_each(|byte| *byte = 0);
        bytemuck::cast_slice_mut::<T, u8>(&mut array).par_chunks_mut(PIECE).for_each(touch);
        Ok(array)
    }

    /// Whether the pages are locked and known to a device's driver, so that copies run at full speed.
    pub fn is_page_locked(&self) -> bool {
        self.lock.as_ref().is_some_and(PageLock::holds)
    }

    /// Copies a slice of the same length, by all threads.
    fn copy_in_parallel(&mut self, slice: &[T]) {
        let piece = piece_of::<T>();
        self.par_chunks_mut(piece).zip(slice.par_chunks(piece)).for_each(|(to, from)| to.copy_from_slice(from));
    }

    /// Zeros in pages that no thread has touched yet.
    fn untouched(len: usize) -> Result<Self> {
        let region = len.checked_mul(size_of::<T>()).and_then(Region::zeroed).ok_or_else(|| {
            let bytes = len as u128 * size_of::<T>() as u128;
            let gigabytes = bytes as f64 / 1e9;
            Error::TooLarge(format!(
                "an array of {len} elements of type {} needs {bytes} bytes ({gigabytes:.1} GB) of host memory, which the \
                 system refuses: use a smaller one",
                std::any::type_name::<T>()
            ))
        })?;
        Ok(Self { lock: None, region, len, elements: PhantomData })
    }

    /// As [`HostVec::zeroed`], page-locked by a lock of the caller's.
    #[cfg(feature = "cuda")]
    pub(crate) fn zeroed_locked_by(len: usize, lock: impl FnOnce(*mut u8, usize) -> Option<PageLock>) -> Result<Self> {
        let mut array = Self::plain(len)?;
        if array.region.bytes > 0 {
            array.lock = lock(array.region.start, array.region.bytes);
        }
        Ok(array)
    }

    /// Page-locks the array where that is possible. This comes after the first touch, which locking would do from one thread.
    fn locked(mut self) -> Self {
        if self.region.bytes > 0 {
            self.lock = page_lock(self.region.start, self.region.bytes);
        }
        self
    }
}

impl<T> Sealed for HostVec<T> {}

impl<T: Item> Slice<T> for HostVec<T> {
    fn elements(&self) -> &[T] {
        self
    }
}

impl<T: Item> SliceMut<T> for HostVec<T> {
    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: Item> Deref for HostVec<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY:
        // - `start` is aligned to a page, hence for `T`, and is not null, also where `len` is zero;
        // - the region has room for `len` elements (computed in `untouched`), all bytes of which are initialised: zero
        //   from the system, later values of `T`, and `T` is plain data of which every pattern of bits is a value;
        // - the region is this array's own and lives as long; the slice borrows the array.
        unsafe { std::slice::from_raw_parts(self.region.start.cast::<T>(), self.len) }
    }
}

impl<T: Item> DerefMut for HostVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the slice borrows the array exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.region.start.cast::<T>(), self.len) }
    }
}

/// Zeroed memory in pages of its own, given back when dropped.
struct Region {
    start: *mut u8,
    /// Bytes asked for.
    bytes: usize,
    /// The mapping from the system; `None` where no bytes were asked for.
    #[cfg(unix)]
    mapping: Option<(*mut libc::c_void, usize)>,
    #[cfg(not(unix))]
    layout: Option<std::alloc::Layout>,
}

// SAFETY: the memory belongs to this value alone and to no thread; it may be given back from any.
unsafe impl Send for Region {}
// SAFETY: through a shared reference nothing of it changes; the bytes are reached by borrowing the array.
unsafe impl Sync for Region {}

/// The alignment of the start of a region of `bytes` bytes.
fn alignment(bytes: usize) -> usize {
    if bytes >= HUGE_PAGE { HUGE_PAGE } else { SMALLEST_PAGE }
}

/// An address for no bytes: not null, and aligned for every element type.
fn nowhere() -> *mut u8 {
    std::ptr::without_provenance_mut(SMALLEST_PAGE)
}

impl Region {
    /// No bytes, which the system need not grant.
    fn empty() -> Self {
        Self {
            start: nowhere(),
            bytes: 0,
            #[cfg(unix)]
            mapping: None,
            #[cfg(not(unix))]
            layout: None,
        }
    }
}

#[cfg(unix)]
impl Region {
    /// A region of `bytes` bytes; `None` where the system refuses.
    fn zeroed(bytes: usize) -> Option<Self> {
        if bytes == 0 {
            return Some(Self::empty());
        }
        // The system aligns to pages anyway; only a huge page's start needs room to be found.
        let align = alignment(bytes);
        let slack = if align > SMALLEST_PAGE { align } else { 0 };
        let mapped = bytes.checked_add(slack).filter(|&mapped| isize::try_from(mapped).is_ok())?;
        // SAFETY: a new anonymous mapping at an address of the system's choice touches no memory that is in use.
        let mapping = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if mapping == libc::MAP_FAILED {
            return None;
        }
        let first = mapping.cast::<u8>();
        // At most `slack` bytes later, as the mapping starts at a page.
        let start = first.wrapping_add(first.addr().next_multiple_of(align) - first.addr());
        #[cfg(target_os = "linux")]
        if align == HUGE_PAGE {
            // SAFETY:
            // - `start` lies in the mapping and at a page, and `bytes` from there end in it;
            // - the advice changes no contents. Where it is not taken, pages are small, and nothing else differs.
            unsafe { libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE) };
        }
        Some(Self { start, bytes, mapping: Some((mapping, mapped)) })
    }
}

#[cfg(unix)]
impl Drop for Region {
    fn drop(&mut self) {
        if let Some((mapping, mapped)) = self.mapping {
            // SAFETY: just this was mapped, it is unmapped once, and all borrows of it have ended.
            unsafe { libc::munmap(mapping, mapped) };
        }
    }
}

#[cfg(not(unix))]
impl Region {
    /// A region of `bytes` bytes; `None` where the system refuses.
    fn zeroed(bytes: usize) -> Option<Self> {
        if bytes == 0 {
            return Some(Self::empty());
        }
        let layout = std::alloc::Layout::from_size_align(bytes, alignment(bytes)).ok()?;
        // SAFETY: the layout has at least one byte.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        (!start.is_null()).then_some(Self { start, bytes, layout: Some(layout) })
    }
}

#[cfg(not(unix))]
impl Drop for Region {
    fn drop(&mut self) {
        if let Some(layout) = self.layout {
            // SAFETY: allocated with just this layout, freed once, and all borrows of it have ended.
            unsafe { std::alloc::dealloc(self.start, layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn arrays_start_at_a_page_and_large_ones_at_a_huge_page() {
        let start = |array: &HostVec<f64>| array.as_ptr().addr();
        for len in [0, 1, 511, 100_000] {
            assert_eq!(start(&HostVec::plain(len).unwrap()) % SMALLEST_PAGE, 0, "{len}");
        }
        // Several at once, because a single one may be aligned by chance.
        let large: Vec<_> = (0..4).map(|more| HostVec::<f64>::zeroed(HUGE_PAGE / 8 + more).unwrap()).collect();
        assert!(large.iter().all(|array| start(array) % HUGE_PAGE == 0));
    }

    #[test]
    fn new_arrays_hold_what_they_were_asked_for_to_the_last_element() {
        // More than one piece, and not a whole number of pages.
        let len = 2 * PIECE / 4 + 1234;
        assert!(HostVec::<u32>::zeroed(len).unwrap().iter().all(|&x| x == 0));
        let plain = HostVec::<u32>::plain(len).unwrap();
        assert!(plain.iter().all(|&x| x == 0) && !plain.is_page_locked());
        assert!(HostVec::filled(len, 7u32).unwrap().iter().all(|&x| x == 7));
        let from: Vec<u32> = (0..len as u32).collect();
        let computed = HostVec::from_fn(len, |i| i as u32).unwrap();
        assert_eq!(*computed, *from);
        let mut copy = HostVec::from_slice(&from).unwrap();
        assert_eq!(*copy, *from);
        copy[len - 1] = 1;
        assert_eq!((copy.len(), copy[len - 1], copy[len - 2]), (len, 1, len as u32 - 2));
    }

    #[test]
    fn elements_that_are_arrays_do_not_divide_pieces() {
        let len = 2 * PIECE / 3 + 1234;
        let of = |i: usize| [i as u8, (i >> 8) as u8, (i >> 16) as u8];
        let computed = HostVec::from_fn(len, of).unwrap();
        assert!(computed.iter().enumerate().all(|(i, element)| *element == of(i)));
        let copy = HostVec::from_slice(&computed).unwrap();
        assert_eq!((copy.len(), copy[len - 1]), (len, of(len - 1)));
        assert_eq!(HostVec::filled(5, [1.0f32, 2.0]).unwrap(), [[1.0, 2.0]; 5]);
        assert!(HostVec::<[i64; 3]>::zeroed(len).unwrap().iter().all(|element| *element == [0; 3]));
        let long = HostVec::from_fn(3, |i| [i as f64; 4096]).unwrap();
        assert_eq!((long[2][4095], HostVec::from(&long[..]).len()), (2.0, 3));
        let error = HostVec::<[f32; 3]>::zeroed(usize::MAX).map(drop).unwrap_err().to_string();
        assert!(error.contains("elements of type [f32; 3]"), "{error}");
    }

    #[test]
    fn an_empty_array_is_an_empty_slice() {
        let arrays = [HostVec::<u8>::zeroed(0), HostVec::filled(0, 3), HostVec::from_slice(&[]), HostVec::plain(0)];
        for mut array in arrays.map(Result::unwrap) {
            assert!(array.is_empty() && array.iter_mut().next().is_none() && !array.is_page_locked());
        }
    }

    #[test]
    fn what_the_system_refuses_is_an_error_that_names_the_bytes() {
        // More bytes than can be counted, than a slice may have, than any processor can address.
        for len in [usize::MAX, 1 << 60, 1 << 59] {
            for made in [HostVec::<f64>::zeroed(len), HostVec::filled(len, 1.0), HostVec::plain(len)] {
                let error = made.map(drop).unwrap_err();
                assert!(matches!(error, Error::TooLarge(_)), "{error}");
                let bytes = len as u128 * 8;
                assert!(
                    error.to_string().contains(&format!("{len} elements of type f64 needs {bytes} bytes")),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn an_array_may_be_used_and_dropped_by_another_thread() {
        fn takes<T: Send + Sync>(value: T) -> T {
            value
        }
        let array = takes(HostVec::filled(1000, 2i64).unwrap());
        std::thread::scope(|scope| {
            scope.spawn(|| assert_eq!(array.iter().sum::<i64>(), 2000));
            scope.spawn(|| assert_eq!(array[999], 2));
        });
        std::thread::spawn(move || drop(array)).join().unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_dropped_array_is_given_back() {
        let mapped = |address: usize| {
            let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
            maps.lines().any(|line| {
                let (start, end) = line.split_whitespace().next().unwrap().split_once('-').unwrap();
                let number = |text| usize::from_str_radix(text, 16).unwrap();
                (number(start)..number(end)).contains(&address)
            })
        };
        // Another thread may get the same addresses in between, but not each time.
        let given_back = (0..20).any(|_| {
            let array = HostVec::<u8>::untouched(1 << 28).unwrap();
            let middle = array.as_ptr().addr() + (1 << 27);
            assert!(mapped(middle));
            drop(array);
            !mapped(middle)
        });
        assert!(given_back);
    }

    proptest! {
        #[test]
        fn contents_come_back(values in proptest::collection::vec(any::<i64>(), 0..3000), value: u8, len in 0usize..9000) {
            prop_assert_eq!(&*HostVec::from_slice(&values).unwrap(), &*values);
            prop_assert_eq!(&*HostVec::filled(len, value).unwrap(), &*vec![value; len]);
        }
    }
}
