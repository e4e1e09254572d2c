//! What a runtime's devices are, and how a loop selects some of them.

use super::{Member, Runtime};
use crate::model::MemoryKind;
use crate::model::machine::{DeviceKind, DeviceType};
use crate::space::DeviceId;
use crate::units::Bytes;
use std::fmt;

/// An open device.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// Its number in the machine description, which [`Loop::devices`](super::Loop::devices) takes.
    pub id: DeviceId,
    /// Its name there.
    pub name: String,
    /// The backend that runs it; `Loop::devices` takes it too.
    pub kind: DeviceKind,
    /// Its type, as specifiers call it.
    pub device_type: DeviceType,
    /// Where its data lives.
    pub memory: MemoryKind,
    /// How much memory it can use, if that is known.
    pub memory_bytes: Option<Bytes>,
    /// Threads of a device that runs host bodies.
    pub threads: Option<usize>,
}

/// `0 host (HOSTCPU, 16 threads)`
impl fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({}", self.id, self.name, self.device_type.name())?;
        match (self.threads, self.memory_bytes) {
            (Some(threads), _) => write!(f, ", {threads} threads)"),
            (None, Some(bytes)) => write!(f, ", {bytes})"),
            (None, None) => write!(f, ")"),
        }
    }
}

impl Member {
    pub(super) fn info(&self) -> DeviceInfo {
        DeviceInfo {
            id: self.id,
            name: self.model.name.clone(),
            kind: self.kind,
            device_type: self.device_type,
            memory: self.model.memory,
            memory_bytes: self.model.memory_bytes,
            threads: self.pool.as_ref().map(|pool| pool.current_num_threads()),
        }
    }
}

impl Runtime {
    /// The open devices. A runtime prints as a list of them, with its notes.
    ///
    /// ```
    /// use apportion::model::machine::DeviceKind;
    /// use apportion::runtime::Runtime;
    ///
    /// let rt = Runtime::detect()?;
    /// for device in rt.devices() {
    ///     println!("{device}");
    /// }
    /// let gpus: Vec<_> = rt.devices().filter(|device| device.kind == DeviceKind::Cuda).map(|device| device.id).collect();
    /// # Ok::<(), apportion::Error>(())
    /// ```
    pub fn devices(&self) -> impl Iterator<Item = DeviceInfo> {
        self.members.iter().map(Member::info)
    }
}

/// Selects a loop's devices: a specifier's text ([`specifier`](crate::devices::specifier)), device numbers, or a kind, for all
/// devices of that kind.
pub trait IntoDevices {
    /// The specifier.
    fn specifier(self) -> String;
}

macro_rules! texts {
    ($($text:ty),*) => {$(
        impl IntoDevices for $text {
            fn specifier(self) -> String {
                self.into()
            }
        }
    )*};
}
texts!(String, &String, &str, std::borrow::Cow<'_, str>, Box<str>, char);

impl IntoDevices for DeviceId {
    fn specifier(self) -> String {
        self.to_string()
    }
}

impl IntoDevices for &[DeviceId] {
    fn specifier(self) -> String {
        self.iter().map(DeviceId::to_string).collect::<Vec<_>>().join(",")
    }
}

impl IntoDevices for &Vec<DeviceId> {
    fn specifier(self) -> String {
        self.as_slice().specifier()
    }
}

impl IntoDevices for Vec<DeviceId> {
    fn specifier(self) -> String {
        self.as_slice().specifier()
    }
}

impl<const N: usize> IntoDevices for [DeviceId; N] {
    fn specifier(self) -> String {
        self.as_slice().specifier()
    }
}

impl<const N: usize> IntoDevices for &[DeviceId; N] {
    fn specifier(self) -> String {
        self.as_slice().specifier()
    }
}

impl IntoDevices for DeviceKind {
    fn specifier(self) -> String {
        format!("0:*:{}", self.name())
    }
}
