//! Sets of CPUs as Linux lists them: `0-3,8`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A set of CPUs by their system numbers, written as Linux lists them: `0-3,8`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CpuList(BTreeSet<usize>);

impl CpuList {
    /// The largest CPU number that is read; Linux can be built for 8192 CPUs.
    pub const LARGEST: usize = 65_535;

    /// The CPUs in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.0.iter().copied()
    }

    /// Number of CPUs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `cpu` is one of them.
    pub fn contains(&self, cpu: usize) -> bool {
        self.0.contains(&cpu)
    }

    /// The CPUs in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.0.intersection(&other.0).copied().collect()
    }

    /// The lowest CPU.
    pub fn first(&self) -> Option<usize> {
        self.0.first().copied()
    }
}

impl FromIterator<usize> for CpuList {
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        Self(cpus.into_iter().collect())
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cpus = self.iter().peekable();
        let mut separator = "";
        while let Some(start) = cpus.next() {
            let mut end = start;
            while let Some(next) = cpus.next_if_eq(&(end + 1)) {
                end = next;
            }
            match end - start {
                0 => write!(f, "{separator}{start}")?,
                1 => write!(f, "{separator}{start},{end}")?,
                _ => write!(f, "{separator}{start}-{end}")?,
            }
            separator = ",";
        }
        Ok(())
    }
}

impl FromStr for CpuList {
    type Err = String;

    /// Reads `0-3,8` in any order; an empty text is an empty set, as the system writes it.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |part: &str, why: &str| {
            Err(format!("`{text}` is no CPU list: {why} in `{}`; write it such as `0-3,8`", part.trim()))
        };
        let mut cpus = BTreeSet::new();
        if text.trim().is_empty() {
            return Ok(Self(cpus));
        }
        for part in text.split(',') {
            let (start, end) = part.split_once('-').unwrap_or((part, part));
            let (Some(start), Some(end)) = (number(start), number(end)) else {
                return wrong(part, "a CPU number is missing or wrong");
            };
            if start > end {
                return wrong(part, "the first CPU is above the last");
            }
            if end > Self::LARGEST {
                return wrong(part, &format!("a CPU is above {}", Self::LARGEST));
            }
            cpus.extend(start..=end);
        }
        Ok(Self(cpus))
    }
}

/// Digits only: Rust's own parser also takes `+1`.
fn number(text: &str) -> Option<usize> {
    let text = text.trim();
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

impl TryFrom<String> for CpuList {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<CpuList> for String {
    fn from(cpus: CpuList) -> Self {
        cpus.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_printed_as_linux_does() {
        for (text, printed, count) in
            [("0-3,8", "0-3,8", 5), ("8, 0-3\n", "0-3,8", 5), ("1,0", "0,1", 2), ("5", "5", 1), ("", "", 0)]
        {
            let cpus: CpuList = text.parse().unwrap();
            assert_eq!((cpus.to_string().as_str(), cpus.len()), (printed, count), "{text}");
            assert_eq!(printed.parse::<CpuList>().unwrap(), cpus);
        }
    }

    #[test]
    fn wrong_lists_are_said() {
        for text in ["x", "0-", "-1", "3-1", "0,,1", "1-2-3", "0-4000000000", "99999999999999999999", "+1", "0 1"] {
            let error = text.parse::<CpuList>().unwrap_err();
            assert!(error.contains("CPU list") && error.contains("0-3,8"), "{text}: {error}");
        }
    }
}
