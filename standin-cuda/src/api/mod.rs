//! The driver's entry points, by subject. Names, parameters and codes are the driver's; where its manual says something that a
//! reader would not expect, a comment repeats it.

pub mod context;
pub mod copy;
pub mod device;
pub mod event;
pub mod general;
pub mod memory;
pub mod module;
pub mod pointer;
pub mod stream;
