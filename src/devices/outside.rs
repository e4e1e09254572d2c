//! How kernels made by `#[kernel]` report accesses to elements that do not exist.

use super::section::called;
use crate::data::Distribution;
use crate::error::{DeviceError, Phase};
use crate::kernel::{Argument, Kernel};
use crate::space::IterRange;
use std::sync::Arc;

/// Bytes in a report.
pub const REPORT: usize = 8;

/// An access to an element that does not exist, as the kernel's text reports it: bit 62 is 1 for a write, the bits from 56 on are
/// the argument (63 if its number does not fit), and the bits below are the index. If bit 63 is 1, it is an element of a local
/// array: the bits from 40 on are its length (0 if that does not fit), and the bits below are the index, or all 1 if it does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside(u64);

impl Outside {
    /// The report of no such access.
    pub const NOTHING: u64 = u64::MAX;

    /// Decodes a report; `None` if there was no such access.
    pub fn of(report: u64) -> Option<Self> {
        (report != Self::NOTHING).then_some(Self(report))
    }

    /// Length and index of a local array's element.
    fn local(self) -> Option<(u64, u64)> {
        (self.0 >> 63 == 1).then_some((self.0 >> 40 & 0xffff, self.0 & Self::MOST))
    }

    /// The largest index of a local array in a report.
    const MOST: u64 = (1 << 40) - 1;

    fn argument(self) -> usize {
        (self.0 >> 56 & 63) as usize
    }

    fn writes(self) -> bool {
        self.0 >> 62 & 1 == 1
    }

    /// The index: 56 bits with their sign.
    fn index(self) -> i64 {
        (self.0 << 8).cast_signed() >> 8
    }
}

/// What an error about such an access says of the loop.
#[derive(Debug)]
pub struct Witness {
    kernel: Arc<str>,
    /// Name, what there is of it, and the components of its elements.
    arrays: Vec<Option<(String, Has, usize)>>,
}

/// What a loop may access of an array.
#[derive(Clone, Copy, Debug)]
enum Has {
    /// So many elements, which are all.
    All(usize),
    /// Those of the device's part of a data region.
    Part,
    /// Cells of that: an index counts elements of the device's own rows.
    Cells,
}

/// Over what a loop runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Plain arrays.
    Arrays,
    /// Rows of a data region, of which a device has only a part.
    Rows,
    /// Rows and columns of one.
    Cells,
}

impl Witness {
    /// For a loop of this kernel.
    pub fn of(kernel: &Kernel, arguments: &[Argument<'_>], over: Over) -> Self {
        let named = |(position, argument): (usize, &Argument<'_>)| {
            let map = argument.array()?;
            let has = match over {
                Over::Arrays => Has::All(map.len / map.components),
                Over::Cells if map.distribution != Distribution::Full => Has::Cells,
                Over::Rows | Over::Cells => Has::Part,
            };
            Some((called(position, map), has, map.components))
        };
        Self { kernel: kernel.shared_name(), arrays: arguments.iter().enumerate().map(named).collect() }
    }

    /// The loop's error for an access.
    pub fn error(&self, outside: Outside, device: &str, chunk: Option<IterRange>) -> Box<DeviceError> {
        let does = if outside.writes() { "writes" } else { "reads" };
        if let Some((len, index)) = outside.local() {
            let later = if index == Outside::MOST { "or a later one " } else { "" };
            let stay = if len == 0 {
                "stay within it".to_owned()
            } else {
                format!("which has {len} elements: stay below {len}")
            };
            return self.failure(&format!("{does} element {index} {later}of a local array, {stay}"), device, chunk);
        }
        let array = self.arrays.get(outside.argument()).and_then(Option::as_ref);
        let index = outside.index().div_euclid(array.map_or(1, |(.., components)| *components as i64));
        let of = match array {
            Some((name, Has::Cells, _)) => {
                let stay = "which the device does not have: stay within the array, or map it with a wider halo";
                return self.failure(&format!("{does} a cell of {name}, {stay}"), device, chunk);
            }
            Some((name, Has::All(len), _)) if usize::try_from(index).is_ok_and(|index| index < *len) => format!(
                "{name}, of which the device has the rows of its iterations alone, as the map says: widen it, or give the device \
                 all of the array by `#[map(..: full)]`"
            ),
            Some((name, Has::All(len), _)) => format!("{name}, which has {len} elements: stay within the array"),
            Some((name, Has::Part, _)) => {
                format!("{name}, which the device does not have: stay within the array, or map it with a wider halo")
            }
            None => "an array that does not have it: stay within the arrays".to_owned(),
        };
        self.failure(&format!("{does} element {index} of {of}"), device, chunk)
    }

    fn failure(&self, does: &str, device: &str, chunk: Option<IterRange>) -> Box<DeviceError> {
        let message = format!("kernel `{}`: an iteration {does}. The results of the loop are incomplete", self.kernel);
        Box::new(DeviceError { device: device.to_owned(), phase: Phase::Kernel, chunk, message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_as_it_is_written() {
        let report = |writes: u64, argument: u64, index: i64| {
            writes << 62 | argument << 56 | (index.cast_unsigned() & ((1 << 56) - 1))
        };
        let mut array = [0f32; 8];
        let bound = Kernel::new("k").bind().scalar(1u64).tofrom(&mut array).align();
        for (writes, argument, index, says) in [
            (0, 1, 8, ["reads element 8 of the array in argument 1", "8 elements: stay within"]),
            (1, 1, -3, ["writes element -3", "stay within"]),
            (1, 1, 7, ["writes element 7", "widen it"]),
            (0, 63, 1 << 40, ["reads element 1099511627776 of an array", "incomplete"]),
        ] {
            let outside = Outside::of(report(writes, argument, index)).unwrap();
            let error =
                Witness::of(bound.kernel(), bound.arguments(), Over::Arrays).error(outside, "gpu0", None).to_string();
            assert!(says.iter().all(|says| error.contains(says)) && error.contains("gpu0"), "{error}");
        }
        let outside = Outside::of(report(0, 1, 8)).unwrap();
        let of = |over| Witness::of(bound.kernel(), bound.arguments(), over).error(outside, "gpu0", None).to_string();
        assert!(of(Over::Rows).contains("reads element 8 of the array in argument 1, which the device does not have"));
        assert!(of(Over::Cells).contains("reads a cell of the array in argument 1, which the device does not have"));
        for (report, says) in [
            (1 << 63 | 4 << 40 | 7, "reads element 7 of a local array, which has 4 elements: stay below 4."),
            (3 << 62 | 4096 << 40 | 4096, "writes element 4096 of a local array, which has 4096 elements"),
            (1 << 63 | Outside::MOST, "reads element 1099511627775 or a later one of a local array, stay within it."),
        ] {
            let outside = Outside::of(report).unwrap();
            let error =
                Witness::of(bound.kernel(), bound.arguments(), Over::Arrays).error(outside, "gpu0", None).to_string();
            assert!(error.contains(says) && error.contains("kernel `k`"), "{error}");
        }
        assert_eq!(Outside::of(Outside::NOTHING), None);
    }
}
