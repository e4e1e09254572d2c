//! Quantities as types: SI inside, the unit in the key of every file.
//!
//! GB is 1e9 bytes, GiB is 2^30 bytes. Dividing [`Bytes`] by [`BytesPerSecond`] gives [`Seconds`], so a
//! transfer time cannot be computed with a wrong power of ten.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};
use std::time::Duration;

macro_rules! real_quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(pub f64);

        impl $name {
            /// Zero of this quantity.
            pub const ZERO: Self = Self(0.0);
            /// The larger of the two.
            pub fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }
            /// The smaller of the two.
            pub fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }
        }
        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }
        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }
        impl Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }
        impl Div for $name {
            type Output = f64;
            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }
        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
                Self(items.map(|q| q.0).sum())
            }
        }
    };
}

real_quantity!(
    /// A time in seconds.
    Seconds
);
real_quantity!(
    /// A rate in bytes per second.
    BytesPerSecond
);
real_quantity!(
    /// Floating-point (or counted) operations.
    Flops
);
real_quantity!(
    /// A rate in operations per second.
    FlopsPerSecond
);

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Seconds {
    /// From milliseconds.
    pub fn from_millis(ms: f64) -> Self {
        Self(ms * 1e-3)
    }
    /// From microseconds.
    pub fn from_micros(us: f64) -> Self {
        Self(us * 1e-6)
    }
    /// In milliseconds.
    pub fn millis(self) -> f64 {
        self.0 * 1e3
    }
    /// In microseconds.
    pub fn micros(self) -> f64 {
        self.0 * 1e6
    }
    /// As a `Duration`; a negative or non-finite time becomes zero.
    pub fn to_duration(self) -> Duration {
        Duration::try_from_secs_f64(self.0).unwrap_or_default()
    }
}

impl From<Duration> for Seconds {
    fn from(duration: Duration) -> Self {
        Self(duration.as_secs_f64())
    }
}

impl BytesPerSecond {
    /// From GB/s, 1 GB = 1e9 bytes.
    pub fn from_gb_per_s(rate: f64) -> Self {
        Self(rate * 1e9)
    }
    /// In GB/s.
    pub fn gb_per_s(self) -> f64 {
        self.0 * 1e-9
    }
}

impl FlopsPerSecond {
    /// From GFLOP/s.
    pub fn from_gflop_per_s(rate: f64) -> Self {
        Self(rate * 1e9)
    }
    /// In GFLOP/s.
    pub fn gflop_per_s(self) -> f64 {
        self.0 * 1e-9
    }
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, rate: BytesPerSecond) -> Seconds {
        Seconds(self.0 as f64 / rate.0)
    }
}
impl Div<FlopsPerSecond> for Flops {
    type Output = Seconds;
    fn div(self, rate: FlopsPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}
impl Add for Bytes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}
impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Self(0), Add::add)
    }
}

impl fmt::Display for Seconds {
    /// Three significant digits with a suitable unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0.abs() {
            s if s >= 1.0 => (self.0, "s"),
            s if s >= 1e-3 => (self.0 * 1e3, "ms"),
            s if s >= 1e-6 || s == 0.0 => (self.0 * 1e6, "us"),
            _ => (self.0 * 1e9, "ns"),
        };
        let digits = match value.abs() {
            v if v >= 100.0 => 0,
            v if v >= 10.0 => 1,
            _ => 2,
        };
        f.pad(&format!("{value:.digits$} {unit}"))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let b = self.0 as f64;
        f.pad(&match self.0 {
            0..1_000 => format!("{} B", self.0),
            1_000..1_000_000 => format!("{:.1} kB", b * 1e-3),
            1_000_000..1_000_000_000 => format!("{:.1} MB", b * 1e-6),
            _ => format!("{:.2} GB", b * 1e-9),
        })
    }
}

/// A percentage held exactly, in millionths of the whole: neither a float nor negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(u32);

impl Percent {
    /// The whole.
    pub const HUNDRED: Self = Self(1_000_000);

    /// `millionths` of the whole, at most 1 000 000.
    ///
    /// # Panics
    /// When `millionths` is more than 1 000 000; meant for constants.
    pub const fn from_millionths(millionths: u32) -> Self {
        assert!(millionths <= 1_000_000, "a percentage is at most 100 %");
        Self(millionths)
    }

    /// From a number of per cent, rounded to 0.0001 %; 0 and 100 are allowed.
    ///
    /// # Errors
    /// When the number is negative, over 100 or not a number; the text says which.
    pub fn new(percent: f64) -> Result<Self, String> {
        if percent.is_nan() {
            Err("a percentage must be a number from 0 to 100, not NaN".to_owned())
        } else if !(0.0..=100.0).contains(&percent) {
            Err(format!("a percentage must lie between 0 and 100, not {percent}"))
        } else {
            Ok(Self((percent * 1e4).round() as u32))
        }
    }

    /// In millionths of the whole.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    /// As a fraction of one.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) * 1e-6
    }

    /// This share of `n`, rounded up.
    pub fn of_ceil(self, n: u64) -> u64 {
        (u128::from(n) * u128::from(self.0)).div_ceil(1_000_000) as u64
    }

    /// This share of `n`, rounded down.
    pub fn of_floor(self, n: u64) -> u64 {
        (u128::from(n) * u128::from(self.0) / 1_000_000) as u64
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", f64::from(self.0) / 1e4)
    }
}

impl std::str::FromStr for Percent {
    type Err = String;
    /// Parses `"15%"` or `"0.5%"`. The sign is required, so that a chunk of 15 iterations is not taken for 15 %.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = text
            .trim()
            .strip_suffix('%')
            .ok_or_else(|| format!("`{text}` is no percentage: write it with a sign, such as `15%`"))?;
        let value: f64 =
            number.trim().parse().map_err(|_| format!("`{text}` is no percentage: `{number}` is not a number"))?;
        Self::new(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_over_a_rate_are_seconds() {
        assert_eq!(Bytes(55_500_000_000) / BytesPerSecond::from_gb_per_s(55.5), Seconds(1.0));
    }

    #[test]
    fn percentages_are_exact_and_checked() {
        assert_eq!(Percent::new(2.0).unwrap().of_ceil(40), 1);
        assert_eq!("15%".parse::<Percent>().unwrap().of_floor(1000), 150);
        assert_eq!("12.5%".parse::<Percent>().unwrap().to_string(), "12.5%");
        for wrong in ["-1%", "101%", "NaN%", "x%", "15", "%", "inf%"] {
            assert!(wrong.parse::<Percent>().is_err(), "{wrong}");
        }
        assert_eq!(Percent::HUNDRED.of_ceil(u64::MAX), u64::MAX);
    }
}
