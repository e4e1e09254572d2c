//! All workloads and applications from one Rust function each, by `#[kernel]`, besides those with texts written by hand.
//!
//! They compute the same from the same arguments, so the references are the same. They lack what `#[kernel]` cannot express:
//! shared memory and libraries (matmul is the plain triple loop).
//!
//! [`Form`] chooses between the two: [`Entry::build_as`](crate::Entry::build_as) for workloads,
//! [`RegionOptions::form`](crate::apps::RegionOptions::form) for applications. The kernels themselves can be called too:
//!
//! ```
//! use apportion::prelude::*;
//! use apportion_kernels::single::matvec;
//!
//! let (a, x, mut y) = (vec![0.5f32; 9], vec![1.0f32; 3], vec![0.0f32; 3]);
//! Runtime::detect()?.parallel_for(0..3usize, matvec(3, &a, &x, &mut y)).run()?;
//! assert_eq!(y, [1.5; 3]);
//! println!("{}", matvec::<f32>::maps());
//! # Ok::<(), apportion::Error>(())
//! ```

mod kernels;

pub use kernels::{
    axpy, bm2d, cardiac, excited, heat2d, heat3d_fixed, heat3d_periodic, jacobi, matmul, matvec, mixcp, mixenth,
    recovered, stencil2d, sum,
};

use crate::{Instance, Resident, Verification};
use apportion::error::Error;
use apportion::kernel::{Bound, ElementType, Kernel, Reduction, Scalar};
use apportion::region::DataRegion;
use std::fmt;
use std::str::FromStr;

/// The kernels for each type, as types whose loops over slices can be called.
#[doc(hidden)]
pub mod instances {
    pub use super::kernels::{
        axpy_f32, axpy_f64, matmul_f32, matmul_f64, matvec_f32, matvec_f64, stencil2d_f32, stencil2d_f64, sum_f32,
        sum_f64,
    };
}

/// How a kernel was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// A host body, OpenCL C and CUDA C, each tuned by hand.
    #[default]
    Hand,
    /// One Rust function with the attribute `#[kernel]`.
    Single,
}

impl Form {
    /// Both forms.
    pub const ALL: [Self; 2] = [Self::Hand, Self::Single];

    /// The name on command lines and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hand => "hand",
            Self::Single => "single",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Form {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|form| form.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::call(format!("there is no form `{text}` of a kernel; there are {names}"))
        })
    }
}

/// A workload that runs the kernel made by `#[kernel]`; the rest is as in the other form.
pub(crate) struct InSingleForm {
    kernel: Kernel,
    instance: Box<dyn Instance>,
}

impl InSingleForm {
    pub(crate) fn of(mut instance: Box<dyn Instance>) -> Box<dyn Instance> {
        let kernel = instance.bind_single().kernel().clone();
        Box::new(Self { kernel, instance })
    }
}

impl Instance for InSingleForm {
    fn name(&self) -> &'static str {
        self.instance.name()
    }
    fn n(&self) -> usize {
        self.instance.n()
    }
    fn element(&self) -> ElementType {
        self.instance.element()
    }
    fn iterations(&self) -> u64 {
        self.instance.iterations()
    }
    fn kernel(&self) -> &Kernel {
        &self.kernel
    }
    fn bind(&mut self) -> Bound<'_> {
        self.instance.bind_single()
    }
    fn bind_single(&mut self) -> Bound<'_> {
        self.instance.bind_single()
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        self.instance.place(region)
    }
    fn reduction(&self) -> Option<Reduction> {
        self.instance.reduction()
    }
    fn reset(&mut self) {
        self.instance.reset();
    }
    fn verify(&mut self, reduced: Option<Scalar>) -> Verification {
        self.instance.verify(reduced)
    }
    fn bytes(&self) -> usize {
        self.instance.bytes()
    }
    fn is_page_locked(&self) -> bool {
        self.instance.is_page_locked()
    }
    fn run_rayon(&mut self) -> Option<Scalar> {
        self.instance.run_rayon()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known_by_their_names() {
        for form in Form::ALL {
            assert_eq!(form.to_string().parse::<Form>().unwrap(), form);
        }
        let text = "both".parse::<Form>().unwrap_err().to_string();
        assert_eq!(text, "there is no form `both` of a kernel; there are hand, single");
    }
}
