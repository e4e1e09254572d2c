//! devices

pub mod specifier;
pub mod topology;
