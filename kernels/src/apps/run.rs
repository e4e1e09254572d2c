//! Applications in data regions: placed, swept for some steps, given back, and compared with the reference.

use super::cardiac::Cardiac;
use super::heat2d::Heat2d;
use super::heat3d::{Edges, Heat3d};
use super::jacobi::Jacobi;
use super::s3d::{Property, S3d, SPECIES};
use super::{App, compare};
use crate::real::Real;
use crate::verify::Verification;
use crate::{Form, Memory, Resident, memory};
use apportion::HostVec;
use apportion::error::{Error, Result};
use apportion::kernel::ElementType;
use apportion::region::{DataRegion, Dims, Edge, RegionReport, RegionSplit};
use apportion::runtime::Runtime;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How an application's region is set up.
#[derive(Clone, Debug, Default)]
pub struct RegionOptions {
    /// Devices, as a specifier; absent: all.
    pub devices: Option<String>,
    /// The initial split of the rows.
    pub split: RegionSplit,
    /// Whether rows stay where they are placed at first.
    pub fixed: bool,
    /// Windows of the report's time line; absent: no time line.
    pub timeline: Option<usize>,
    /// Which kernel runs.
    pub form: Form,
}

/// Times of a run of an application.
#[derive(Clone, Debug)]
pub struct Swept {
    /// From the start until the arrays are on the devices and the first step is done.
    pub placing: Duration,
    /// Time of all other steps.
    pub sweeping: Duration,
    /// Number of those other steps.
    pub steps: usize,
    /// Time until the results are back.
    pub collecting: Duration,
    /// What the devices did.
    pub report: RegionReport,
}

/// An application of a given size, with its arrays.
pub trait Application {
    /// The line in [`super::ALL`].
    fn app(&self) -> App;
    /// Rows, columns and planes.
    fn n(&self) -> usize;
    /// Cells that a step computes, or copies on the rim.
    fn cells(&self) -> usize;
    /// The arrays' elements.
    fn element(&self) -> ElementType;
    /// Whether all arrays are page-locked.
    fn is_page_locked(&self) -> bool;
    /// Puts the initial contents into the arrays.
    ///
    /// # Errors
    /// If there is no memory to make them in.
    fn reset(&mut self) -> Result<()>;
    /// Maps the arrays in a data region, for any number of steps.
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a>;
    /// Takes the results of the steps' reductions, for [`Application::verify`].
    fn reduced(&mut self, _results: Vec<f64>) {}
    /// The array that the last of `steps` steps wrote.
    fn result(&self, steps: usize) -> Vec<f64>;
    /// Runs `steps` steps, at least one, from the initial contents on.
    ///
    /// # Errors
    /// As a region's loops.
    fn run(&mut self, rt: &Runtime, options: &RegionOptions, steps: usize) -> Result<Swept> {
        self.reset()?;
        let (swept, results) = swept(self, rt, options, steps)?;
        self.reduced(results);
        Ok(swept)
    }
    /// Compares the arrays with the reference after `steps` steps.
    ///
    /// # Errors
    /// If there is no memory for the reference.
    fn verify(&self, steps: usize) -> Result<Verification>;
}

/// The application of that name.
///
/// # Errors
/// [`Error::Call`] with the known names.
pub fn find(name: &str) -> Result<App> {
    super::ALL.iter().copied().find(|app| app.name == name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Error {
    let names: Vec<_> = super::ALL.iter().map(|app| app.name).collect();
    Error::call(format!("there is no application `{name}`; there are {}", names.join(", ")))
}

/// Whether an application of this size, with `times` as many rows, is valid, and fits into memory with its reference.
///
/// # Errors
/// As [`build_times`].
pub fn check(name: &str, n: usize, times: usize, element: ElementType) -> Result<()> {
    fn cells_and_arrays<T: Real>(name: &str, n: usize, times: usize) -> Result<(usize, usize)> {
        let rows = rows(name, n, times)?;
        Ok(match name {
            "jacobi" => (Jacobi::<T>::new(rows, n, 0)?.extents().iter().product(), 3),
            "heat2d" => (Heat2d::<T>::new(rows, n)?.extents().iter().product(), 2),
            "heat3d" | "heat3d-periodic" => {
                (Heat3d::<T>::new([rows, n, n], Edges::Fixed, 0)?.extents().iter().product(), 2)
            }
            "cardiac" => (Cardiac::<T>::new(rows, n)?.extents().iter().product(), 3),
            "s3d" => (S3d::<T>::new(rows, n, 0)?.extents().iter().product(), SPECIES + 3),
            other => return Err(unknown(other)),
        })
    }
    let (cells, arrays) = match element {
        ElementType::F64 => cells_and_arrays::<f64>(name, n, times)?,
        _ => cells_and_arrays::<f32>(name, n, times)?,
    };
    memory::require(name, n, cells.checked_mul(2 * arrays * element.bytes()))
}

/// An application by its name: `heat3d` has a fixed hull, `heat3d-periodic` has periodic edges.
///
/// # Errors
/// [`Error::Call`] for another name, or a size that is too small; [`Error::TooLarge`] if there is no memory.
pub fn build(name: &str, n: usize, element: ElementType, seed: u64, memory: Memory) -> Result<Box<dyn Application>> {
    build_times(name, n, 1, element, seed, memory)
}

/// As [`build`], with `times` as many rows, or planes.
///
/// # Errors
/// As [`build`].
pub fn build_times(
    name: &str,
    n: usize,
    times: usize,
    element: ElementType,
    seed: u64,
    memory: Memory,
) -> Result<Box<dyn Application>> {
    fn of<T: Real>(name: &str, (rows, n): (usize, usize), seed: u64, memory: Memory) -> Result<Box<dyn Application>> {
        Ok(match name {
            "jacobi" => {
                let jacobi = Jacobi::<T>::new(rows, n, seed)?;
                let (f, u, old) = (jacobi.f(memory)?, jacobi.u(memory)?, jacobi.u(memory)?);
                Box::new(JacobiRun { jacobi, known: Known::none(), f, u, old, residuals: Vec::new() })
            }
            "heat2d" => {
                let heat = Heat2d::<T>::new(rows, n)?;
                let (new, old) = (heat.start(memory)?, heat.start(memory)?);
                Box::new(Heat2dRun { heat, known: Known::none(), new, old })
            }
            "heat3d" | "heat3d-periodic" => {
                let edges = if name == "heat3d" { Edges::Fixed } else { Edges::Periodic };
                let heat = Heat3d::<T>::new([rows, n, n], edges, seed)?;
                let (new, old) = (heat.start(memory)?, heat.start(memory)?);
                Box::new(Heat3dRun { heat, known: Known::none(), edges, new, old })
            }
            "cardiac" => {
                let cardiac = Cardiac::<T>::new(rows, n)?;
                let (e, old, r) = (cardiac.e(memory)?, cardiac.e(memory)?, cardiac.r(memory)?);
                Box::new(CardiacRun { cardiac, known: Known::none(), e, old, r })
            }
            "s3d" => {
                let s3d = S3d::<T>::new(rows, n, seed)?;
                let (t, y, table) = (s3d.temperatures(memory)?, s3d.fractions(memory)?, s3d.table(memory)?);
                let (c, h) = (s3d.temperatures(memory)?, s3d.temperatures(memory)?);
                Box::new(S3dRun { s3d, known: Known::none(), t, y, table, c, h })
            }
            other => return Err(unknown(other)),
        })
    }
    let size = (rows(name, n, times)?, n);
    match element {
        ElementType::F32 => of::<f32>(name, size, seed, memory),
        ElementType::F64 => of::<f64>(name, size, seed, memory),
        other => Err(Error::call(format!("application `{name}` is of f32 or f64, not {other}"))),
    }
}

fn rows(name: &str, n: usize, times: usize) -> Result<usize> {
    n.checked_mul(times).ok_or_else(|| Error::TooLarge(format!("{name}: {times} times {n} rows")))
}

fn region<'r, 'a>(rt: &'r Runtime, options: &RegionOptions) -> DataRegion<'r, 'a> {
    let region = rt.data_region().split(options.split.clone()).rebalance(!options.fixed);
    let region = match options.timeline {
        Some(windows) => region.timeline(windows),
        None => region,
    };
    match &options.devices {
        Some(devices) => region.devices(devices.clone()),
        None => region,
    }
}

/// Runs `steps` steps in a region, with their times, and collects the results of reductions.
fn swept<A: Application + ?Sized>(
    application: &mut A,
    rt: &Runtime,
    options: &RegionOptions,
    steps: usize,
) -> Result<(Swept, Vec<f64>)> {
    let began = Instant::now();
    let mut region = region(rt, options);
    let mut resident = application.place(&mut region);
    let mut pending = Vec::with_capacity(steps);
    pending.extend(resident.sweep(&mut region, options.form)?);
    region.wait()?;
    let placed = Instant::now();
    for _ in 1..steps {
        pending.extend(resident.sweep(&mut region, options.form)?);
    }
    let results = pending.into_iter().map(|later| region.value(later)).collect::<Result<_>>()?;
    region.wait()?;
    let done = Instant::now();
    drop(resident);
    let report = region.finish()?;
    let swept = Swept {
        placing: placed - began,
        sweeping: done - placed,
        steps: steps.saturating_sub(1),
        collecting: done.elapsed(),
        report,
    };
    Ok((swept, results))
}

/// The values of an array.
fn values<T: Real>(array: &[T]) -> Vec<f64> {
    array.iter().map(|x| x.to_f64()).collect()
}

/// The sequential reference after a number of steps. Computing it takes longer than all devices together, so it is kept for
/// further comparisons.
struct Known<R>(RefCell<Option<(usize, Rc<R>)>>);

impl<R> Known<R> {
    fn none() -> Self {
        Self(RefCell::new(None))
    }

    fn after(&self, steps: usize, compute: impl FnOnce() -> Result<R>) -> Result<Rc<R>> {
        if let Some((known, reference)) = &*self.0.borrow()
            && *known == steps
        {
            return Ok(Rc::clone(reference));
        }
        // Free the old one first: both may not fit into memory.
        self.0.replace(None);
        let reference = Rc::new(compute()?);
        self.0.replace(Some((steps, Rc::clone(&reference))));
        Ok(reference)
    }
}

struct JacobiRun<T> {
    jacobi: Jacobi<T>,
    known: Known<(HostVec<T>, Vec<f64>)>,
    f: HostVec<T>,
    u: HostVec<T>,
    old: HostVec<T>,
    residuals: Vec<f64>,
}

impl<T: Real> Application for JacobiRun<T> {
    fn app(&self) -> App {
        super::jacobi::APP
    }
    fn n(&self) -> usize {
        self.jacobi.extents()[0]
    }
    fn cells(&self) -> usize {
        self.jacobi.extents().iter().product()
    }
    fn is_page_locked(&self) -> bool {
        self.f.is_page_locked() && self.u.is_page_locked() && self.old.is_page_locked()
    }
    fn element(&self) -> ElementType {
        T::TYPE
    }
    fn reset(&mut self) -> Result<()> {
        let start = self.jacobi.u(Memory::Plain)?;
        self.u.copy_from_slice(&start);
        self.old.copy_from_slice(&start);
        Ok(())
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (jacobi, extents) = (&self.jacobi, self.jacobi.extents());
        let f = region.to(&self.f, extents.named("f"));
        let u = region.tofrom(&mut self.u, extents.halo(1).named("u"));
        let old = region.tofrom(&mut self.old, extents.halo(1).named("old"));
        let mut turns = [old, u];
        let next = move |form| {
            let bound = jacobi.sweep(form, f, turns[0], turns[1]);
            turns.swap(0, 1);
            bound
        };
        Resident::new(jacobi.rows(), next).reducing()
    }
    fn reduced(&mut self, results: Vec<f64>) {
        self.residuals = results;
    }
    fn result(&self, steps: usize) -> Vec<f64> {
        values(if steps % 2 == 1 { &self.u } else { &self.old })
    }
    fn verify(&self, steps: usize) -> Result<Verification> {
        let reference = self.known.after(steps, || self.jacobi.reference(steps))?;
        let (u, sums) = &*reference;
        let got = if steps % 2 == 1 { &self.u } else { &self.old };
        let values = compare("u", self.jacobi.extents()[1], got, u);
        let residuals: Vec<T> = self.residuals.iter().map(|sum| T::from_f64(*sum)).collect();
        let sums: Vec<T> = sums.iter().map(|sum| T::from_f64(*sum)).collect();
        let residuals = compare("the residuals", 1, &residuals, &sums);
        Ok(if values.ok { residuals } else { values })
    }
}

struct Heat2dRun<T> {
    heat: Heat2d<T>,
    known: Known<HostVec<T>>,
    new: HostVec<T>,
    old: HostVec<T>,
}

impl<T: Real> Application for Heat2dRun<T> {
    fn app(&self) -> App {
        super::heat2d::APP
    }
    fn n(&self) -> usize {
        self.heat.extents()[0]
    }
    fn cells(&self) -> usize {
        self.heat.extents().iter().product()
    }
    fn is_page_locked(&self) -> bool {
        self.new.is_page_locked() && self.old.is_page_locked()
    }
    fn element(&self) -> ElementType {
        T::TYPE
    }
    fn reset(&mut self) -> Result<()> {
        let start = self.heat.start(Memory::Plain)?;
        self.new.copy_from_slice(&start);
        self.old.copy_from_slice(&start);
        Ok(())
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (heat, extents) = (&self.heat, self.heat.extents());
        let new = region.tofrom(&mut self.new, extents.halo(1).named("new"));
        let old = region.tofrom(&mut self.old, extents.halo(1).named("old"));
        let mut turns = [old, new];
        Resident::new(heat.rows(), move |form| {
            let bound = heat.sweep(form, turns[0], turns[1]);
            turns.swap(0, 1);
            bound
        })
    }
    fn result(&self, steps: usize) -> Vec<f64> {
        values(if steps % 2 == 1 { &self.new } else { &self.old })
    }
    fn verify(&self, steps: usize) -> Result<Verification> {
        let got = if steps % 2 == 1 { &self.new } else { &self.old };
        let reference = self.known.after(steps, || self.heat.reference(steps))?;
        Ok(compare("T", self.heat.extents()[1], got, &reference))
    }
}

struct Heat3dRun<T> {
    heat: Heat3d<T>,
    known: Known<HostVec<T>>,
    edges: Edges,
    new: HostVec<T>,
    old: HostVec<T>,
}

impl<T: Real> Application for Heat3dRun<T> {
    fn app(&self) -> App {
        super::heat3d::APP
    }
    fn n(&self) -> usize {
        self.heat.extents()[0]
    }
    fn cells(&self) -> usize {
        self.heat.extents().iter().product()
    }
    fn is_page_locked(&self) -> bool {
        self.new.is_page_locked() && self.old.is_page_locked()
    }
    fn element(&self) -> ElementType {
        T::TYPE
    }
    fn reset(&mut self) -> Result<()> {
        let start = self.heat.start(Memory::Plain)?;
        self.new.copy_from_slice(&start);
        self.old.copy_from_slice(&start);
        Ok(())
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (heat, extents) = (&self.heat, self.heat.extents());
        let edge = if self.edges == Edges::Periodic { Edge::Periodic } else { Edge::None };
        let new = region.tofrom(&mut self.new, extents.halo(1).edge(edge).named("new"));
        let old = region.tofrom(&mut self.old, extents.halo(1).edge(edge).named("old"));
        let mut turns = [old, new];
        Resident::new(heat.planes(), move |form| {
            let bound = heat.sweep(form, turns[0], turns[1]);
            turns.swap(0, 1);
            bound
        })
    }
    fn result(&self, steps: usize) -> Vec<f64> {
        values(if steps % 2 == 1 { &self.new } else { &self.old })
    }
    fn verify(&self, steps: usize) -> Result<Verification> {
        let got = if steps % 2 == 1 { &self.new } else { &self.old };
        let reference = self.known.after(steps, || self.heat.reference(steps))?;
        Ok(compare("T", self.heat.extents()[2], got, &reference))
    }
}

struct CardiacRun<T> {
    cardiac: Cardiac<T>,
    known: Known<(HostVec<T>, HostVec<T>)>,
    e: HostVec<T>,
    old: HostVec<T>,
    r: HostVec<T>,
}

impl<T: Real> Application for CardiacRun<T> {
    fn app(&self) -> App {
        super::cardiac::APP
    }
    fn n(&self) -> usize {
        self.cardiac.extents()[0]
    }
    fn cells(&self) -> usize {
        self.cardiac.extents().iter().product()
    }
    fn is_page_locked(&self) -> bool {
        self.e.is_page_locked() && self.old.is_page_locked() && self.r.is_page_locked()
    }
    fn element(&self) -> ElementType {
        T::TYPE
    }
    fn reset(&mut self) -> Result<()> {
        let (e, r) = (self.cardiac.e(Memory::Plain)?, self.cardiac.r(Memory::Plain)?);
        self.e.copy_from_slice(&e);
        self.old.copy_from_slice(&e);
        self.r.copy_from_slice(&r);
        Ok(())
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (cardiac, extents) = (&self.cardiac, self.cardiac.extents());
        let e = region.tofrom(&mut self.e, extents.halo(1).edge(Edge::Reflecting).named("e"));
        let old = region.tofrom(&mut self.old, extents.halo(1).edge(Edge::Reflecting).named("e_old"));
        let r = region.tofrom(&mut self.r, extents.named("r"));
        let mut turns = [old, e];
        Resident::new(cardiac.rows(), move |form| {
            let bound = cardiac.sweep(form, turns[0], r, turns[1]);
            turns.swap(0, 1);
            bound
        })
    }
    fn result(&self, steps: usize) -> Vec<f64> {
        values(if steps % 2 == 1 { &self.e } else { &self.old })
    }
    fn verify(&self, steps: usize) -> Result<Verification> {
        let reference = self.known.after(steps, || self.cardiac.reference(steps))?;
        let (e, r) = &*reference;
        let got = if steps % 2 == 1 { &self.e } else { &self.old };
        let m = self.cardiac.extents()[1];
        let excitation = compare("e", m, got, e);
        Ok(if excitation.ok { compare("r", m, &self.r, r) } else { excitation })
    }
}

/// Runs both kernels over all devices, each device with its rows. See [`super::s3d`].
struct S3dRun<T> {
    s3d: S3d<T>,
    known: Known<(HostVec<T>, HostVec<T>)>,
    t: HostVec<T>,
    y: HostVec<T>,
    table: HostVec<T>,
    c: HostVec<T>,
    h: HostVec<T>,
}

impl<T: Real> Application for S3dRun<T> {
    fn app(&self) -> App {
        super::s3d::APP
    }
    fn n(&self) -> usize {
        self.s3d.extents()[0]
    }
    fn cells(&self) -> usize {
        // All species of each point, in both kernels.
        self.s3d.fraction_extents().iter().product::<usize>() * 2
    }
    fn is_page_locked(&self) -> bool {
        [&self.t, &self.y, &self.table, &self.c, &self.h].iter().all(|array| array.is_page_locked())
    }
    fn element(&self) -> ElementType {
        T::TYPE
    }
    fn reset(&mut self) -> Result<()> {
        self.c.fill(T::NAN);
        self.h.fill(T::NAN);
        Ok(())
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (s3d, extents) = (&self.s3d, self.s3d.extents());
        let t = region.to(&self.t, extents.named("t"));
        let y = region.to(&self.y, s3d.fraction_extents().named("y"));
        let table = region.to(&self.table, [self.table.len()].full().named("table"));
        let c = region.from(&mut self.c, extents.named("c"));
        let h = region.from(&mut self.h, extents.named("h"));
        let mut turns = [(Property::Heat, c), (Property::Enthalpy, h)];
        let next = move |form| {
            let (property, result) = turns[0];
            turns.swap(0, 1);
            s3d.sweep(form, property, [t, y, table], result)
        };
        Resident::new(s3d.rows(), next).of_loops(2)
    }
    fn result(&self, _steps: usize) -> Vec<f64> {
        let mut all = values(&self.c);
        all.extend(values(&self.h));
        all
    }
    fn verify(&self, _steps: usize) -> Result<Verification> {
        // Each step computes the same result.
        let m = self.s3d.extents()[1];
        let both = || Ok((self.s3d.reference(Property::Heat)?, self.s3d.reference(Property::Enthalpy)?));
        let reference = self.known.after(1, both)?;
        let heat = compare("c", m, &self.c, &reference.0);
        Ok(if heat.ok { compare("h", m, &self.h, &reference.1) } else { heat })
    }
}
