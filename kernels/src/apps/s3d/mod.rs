//! s3d: two independent kernels of a combustion solver that read the same input: the specific heat of a mixture of gases at each
//! point of a grid, and its enthalpy.
//!
//! R. Xu, S. Chandrasekaran, B. Chapman took them out of the flow solver S3D for *Exploring Programming Multi-GPUs Using OpenMP
//! and OpenACC-Based Hybrid Model*: `calc_mixcp` gives an array `c`, `calc_mixenth` an array `h`, both from a temperature for
//! each of `np` points, the temperatures at which the species' ranges meet, and more; a loop around both calls them again and
//! again, each time with the same result. One GPU runs both kernels, or two GPUs run one each. The paper does not say what a
//! kernel computes. Here it is the usual thermodynamics: each species `k` has two polynomials with coefficients `a1` to `a6`, one
//! below and one above a temperature where they meet, and at a point of temperature `t` (in 1000 K) with mass fractions `y_k`
//!
//! - `c = sum over k of y_k (a1 + a2 t + a3 t^2 + a4 t^3 + a5 t^4)`
//! - `h = sum over k of y_k (a6 + a1 t + a2 t^2/2 + a3 t^3/3 + a4 t^4/4 + a5 t^5/5)`
//!
//! in units of the gas constant. Fractions, temperatures and coefficients are random, of the size of real ones.
//!
//! Points form rows, over which loops go. In a row, all fractions of one species are contiguous, then those of the next species.
//!
//! Arguments: `m: i64`, `species: i64`, then the arrays `t` (read), `y` (read, of `species * m` elements a row), `table` (read,
//! FULL, 13 elements a species) and `c` or `h` (written).

use super::{App, array, elements, strips};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::{Form, Memory, Sizes, random, simd};
use apportion::HostVec;
use apportion::error::Result;
use apportion::kernel::{Bound, Cost, Grid, In, Kernel, Out};
use apportion::region::Mapped;
use std::ops::Range;

pub(super) const APP: App = App {
    name: "s3d",
    summary: "specific heat and enthalpy of a mixture of gases: two independent kernels over one input",
    sizes: Sizes { small: 256, medium: 1024, paper: 2048 },
    steps: 100,
};

/// Species of the mixture: as many as in small mechanisms of burning ethylene.
pub const SPECIES: usize = 22;

/// Elements of a species in the table.
const WIDTH: usize = 13;

/// One of the two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Specific heat, `c`.
    Heat,
    /// Enthalpy, `h`.
    Enthalpy,
}

/// Points, and the two kernels.
#[derive(Clone, Debug)]
pub struct S3d<T> {
    heat: Kernel,
    enthalpy: Kernel,
    n: usize,
    m: usize,
    seed: u64,
    element: std::marker::PhantomData<T>,
}

impl Property {
    fn entry(self) -> &'static str {
        match self {
            Self::Heat => "mixcp",
            Self::Enthalpy => "mixenth",
        }
    }

    /// Coefficients of 1, t, t^2 .. from the six coefficients of a species.
    fn polynomial<T: Real>(self, a: &[T]) -> [T; 6] {
        let over = |a: T, n: f64| a * T::from_f64(1.0 / n);
        match self {
            Self::Heat => [a[0], a[1], a[2], a[3], a[4], T::from_f64(0.0)],
            Self::Enthalpy => [a[5], a[0], over(a[1], 2.0), over(a[2], 3.0), over(a[3], 4.0), over(a[4], 5.0)],
        }
    }
}

/// `p0 + t (p1 + t (p2 + ..))`.
#[inline(always)]
fn horner<T: Real, const FMA: bool>(p: &[T; 6], t: T) -> T {
    let madd = |a: T, b: T, c: T| if FMA { a.fma(b, c) } else { a * b + c };
    madd(madd(madd(madd(madd(p[5], t, p[4]), t, p[3]), t, p[2]), t, p[1]), t, p[0])
}

simd! {
    /// Adds the part of one species to a row of points.
    fn add_species<T: Real>(middle: T, low: &[T; 6], high: &[T; 6], t: &[T], y: &[T], out: &mut [T]) {
        const FMA: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
        let len = out.len();
        let (t, y) = (&t[..len], &y[..len]);
        for j in 0..len {
            // Evaluate both and select one, so that the loop has no branches.
            let (below, above) = (horner::<T, FMA>(low, t[j]), horner::<T, FMA>(high, t[j]));
            out[j] += y[j] * if t[j].to_f64() < middle.to_f64() { below } else { above };
        }
    }
}

fn kernel<T: Real>(property: Property, m: usize) -> Kernel {
    let bytes = size_of::<T>();
    const CUDA_GROUP: usize = 128;
    const CUDA_STRIP: usize = 4;
    let across = m.div_ceil(CUDA_GROUP);
    Kernel::new(property.entry())
        .host(move |rows: Range<usize>, _m: i64, species: i64, t: In<T>, y: In<T>, table: In<T>, mut out: Out<T>| {
            let species = species as usize;
            let table: Vec<_> = table
                .slice(0..species * WIDTH)
                .chunks_exact(WIDTH)
                .map(|of| (of[0], property.polynomial(&of[1..7]), property.polynomial(&of[7..])))
                .collect();
            for i in rows {
                let (t, y, out) = (t.row(i), y.row(i), out.row_mut(i));
                out.fill(T::from_f64(0.0));
                for ((middle, low, high), y) in table.iter().zip(y.chunks_exact(out.len())) {
                    add_species(*middle, low, high, t, y, out);
                }
            }
        })
        .opencl_source(
            own_source(include_str!("kernel.cl"), property.entry(), Grid::new([64, 4, 1], move |rows| [m, rows, 1]))
                .options(T::OPENCL_OPTIONS),
        )
        .cuda_source(
            own_source(
                match property {
                    Property::Heat => {
                        concat!(include_str!("../cells.cu"), include_str!("common.cu"), include_str!("mixcp.cu"))
                    }
                    Property::Enthalpy => {
                        concat!(include_str!("../cells.cu"), include_str!("common.cu"), include_str!("mixenth.cu"))
                    }
                },
                property.entry(),
                Grid::new([CUDA_GROUP, 1, 1], move |rows| [m, strips(rows, across, CUDA_STRIP), 1]),
            )
            .options(format!("{} -DGROUP={CUDA_GROUP}", T::CUDA_OPTIONS)),
        )
        .cost(
            Cost::per_iteration()
                .flops(SPECIES * m * if property == Property::Heat { 10 } else { 12 })
                .loads((SPECIES + 1) * m * bytes)
                .stores(m * bytes)
                .precision(T::PRECISION),
        )
}

impl<T: Real> S3d<T> {
    /// `n` rows of `m` points.
    ///
    /// # Errors
    /// [`Error::Call`](apportion::Error::Call) where there are none, [`Error::TooLarge`](apportion::Error::TooLarge) where they
    /// cannot be counted.
    pub fn new(n: usize, m: usize, seed: u64) -> Result<Self> {
        elements(APP.name, &[n, m], 1)?;
        elements(APP.name, &[n, SPECIES, m], 1)?;
        let element = std::marker::PhantomData;
        Ok(Self {
            heat: kernel::<T>(Property::Heat, m),
            enthalpy: kernel::<T>(Property::Enthalpy, m),
            n,
            m,
            seed,
            element,
        })
    }

    /// One of the kernels.
    pub fn kernel(&self, property: Property) -> &Kernel {
        match property {
            Property::Heat => &self.heat,
            Property::Enthalpy => &self.enthalpy,
        }
    }

    /// A kernel with its scalars bound; the arrays t, y, table and the result come next.
    pub fn bind<'a>(&self, property: Property) -> Bound<'a> {
        self.kernel(property).bind().scalar(self.m as i64).scalar(SPECIES as i64)
    }

    /// A loop by a kernel of either form, over arrays of a data region: t, y and table, and the result.
    pub fn sweep<'a>(
        &self,
        form: Form,
        property: Property,
        [t, y, table]: [Mapped<T>; 3],
        result: Mapped<T>,
    ) -> Bound<'a> {
        match (form, property) {
            (Form::Hand, _) => self.bind(property).reads(t).reads(y).reads(table).writes(result),
            (Form::Single, Property::Heat) => single::mixcp(self.m, SPECIES, t, y, table, result),
            (Form::Single, Property::Enthalpy) => single::mixenth(self.m, SPECIES, t, y, table, result),
        }
    }

    /// The rows of a loop.
    pub fn rows(&self) -> Range<u64> {
        0..self.n as u64
    }

    /// Rows and points in each.
    pub fn extents(&self) -> [usize; 2] {
        [self.n, self.m]
    }

    /// Extents of the fractions: rows, species, points.
    pub fn fraction_extents(&self) -> [usize; 3] {
        [self.n, SPECIES, self.m]
    }

    /// Temperatures in 1000 K, from 0.3 to 2.7.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn temperatures(&self, memory: Memory) -> Result<HostVec<T>> {
        let mut t = array::<T>(APP.name, self.n, self.n * self.m, memory)?;
        random::fill(&mut t, self.seed, 0);
        t.iter_mut().for_each(|t| *t = T::from_f64(1.5 + 1.2 * t.to_f64()));
        Ok(t)
    }

    /// Mass fractions: all species together are about 1.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn fractions(&self, memory: Memory) -> Result<HostVec<T>> {
        let mut y = array::<T>(APP.name, self.n, self.n * self.m * SPECIES, memory)?;
        random::fill(&mut y, self.seed, 1);
        y.iter_mut().for_each(|y| *y = T::from_f64((1.0 + y.to_f64()) / SPECIES as f64));
        Ok(y)
    }

    /// For each species, the temperature where its ranges meet, and its coefficients below and above it.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn table(&self, memory: Memory) -> Result<HostVec<T>> {
        let mut table = array::<T>(APP.name, self.n, SPECIES * WIDTH, memory)?;
        random::fill(&mut table, self.seed, 2);
        // The middle of each value, and how far it varies around it.
        const RANGE: [[f64; 2]; 7] =
            [[1.1, 0.3], [3.5, 1.0], [1.0, 1.0], [0.0, 0.5], [0.0, 0.1], [0.0, 0.02], [-5.0, 20.0]];
        for species in table.chunks_exact_mut(WIDTH) {
            for (at, value) in species.iter_mut().enumerate() {
                let [middle, around] = RANGE[if at > 6 { at - 6 } else { at }];
                *value = T::from_f64(middle + around * value.to_f64());
            }
        }
        Ok(table)
    }

    /// `c` or `h`, one point after the other, in f64.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn reference(&self, property: Property) -> Result<HostVec<T>> {
        let (t, y, table) =
            (self.temperatures(Memory::Plain)?, self.fractions(Memory::Plain)?, self.table(Memory::Plain)?);
        let mut out = array::<T>(APP.name, self.n, self.n * self.m, Memory::Plain)?;
        for (at, out) in out.iter_mut().enumerate() {
            let (i, j, t) = (at / self.m, at % self.m, t[at].to_f64());
            let species = |k: usize| {
                let of = &table[k * WIDTH..(k + 1) * WIDTH];
                let a = if t < of[0].to_f64() { &of[1..7] } else { &of[7..] };
                let a = |number: usize| a[number - 1].to_f64();
                let value = match property {
                    Property::Heat => (1..6).map(|d| a(d) * t.powi(d as i32 - 1)).sum::<f64>(),
                    Property::Enthalpy => a(6) + (1..6).map(|d| a(d) * t.powi(d as i32) / d as f64).sum::<f64>(),
                };
                y[(i * SPECIES + k) * self.m + j].to_f64() * value
            };
            *out = T::from_f64((0..SPECIES).map(species).sum());
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specific heat is the derivative of the enthalpy by temperature, within a range of each species.
    #[test]
    fn the_heat_is_the_slope_of_the_enthalpy() {
        let a = [3.5, 0.8, -0.3, 0.07, -0.01, 12.0];
        let (heat, enthalpy) = (Property::Heat.polynomial::<f64>(&a), Property::Enthalpy.polynomial::<f64>(&a));
        for t in [0.3, 0.9, 1.7, 2.6] {
            let h = |t: f64| horner::<f64, false>(&enthalpy, t);
            let slope = (h(t + 1e-5) - h(t - 1e-5)) / 2e-5;
            assert!((slope - horner::<f64, false>(&heat, t)).abs() < 1e-8, "{t}");
        }
    }

    #[test]
    fn points_lie_in_both_ranges_and_fractions_are_about_one() {
        let s3d = S3d::<f64>::new(20, 30, 5).unwrap();
        let (t, table) = (s3d.temperatures(Memory::Plain).unwrap(), s3d.table(Memory::Plain).unwrap());
        for species in table.chunks_exact(WIDTH) {
            assert!(t.iter().any(|t| *t < species[0]) && t.iter().any(|t| *t > species[0]), "{}", species[0]);
        }
        let y = s3d.fractions(Memory::Plain).unwrap();
        assert!((y.iter().sum::<f64>() / 600.0 - 1.0).abs() < 0.05 && y.iter().all(|y| *y >= 0.0));
    }
}
