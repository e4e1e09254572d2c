//! Scalars that are results of earlier launches: made on the GPU of partial results in host memory, without the host.
#![allow(unsafe_code, reason = "runs kernels")]

use super::partials::{Partials, Segment};
use super::{CudaDevice, Problem, at};
use crate::devices::cuda::combine;
use crate::devices::cuda::driver::{DeviceMemory, Event, Function};
use crate::devices::cuda::memory::{Kept, OnGpu};
use crate::devices::cuda::program::{Loader, can_compile};
use crate::devices::cuda::reached::Reached;
use crate::devices::resident::{Late, LateWork, LaunchId, Results};
use crate::error::Phase;
use crate::kernel::{LoopOf, Reduction};
use smallvec::{SmallVec, smallvec};
use std::ffi::c_void;
use std::sync::Arc;

/// So many scalars are kept.
const KEPT: usize = 64;
/// A launch takes at most so many of them, so that none is made in the place of another that it takes.
const TAKEN: usize = 8;
const _: () = assert!(TAKEN <= KEPT);
/// Bytes for each.
const EACH: usize = 8;

/// Scalars in a GPU's memory.
#[derive(Default)]
pub(super) struct Scalars {
    memory: Option<DeviceMemory>,
    /// The loops whose results they are, with their places, the least recently taken first.
    made: Vec<(LoopOf, usize)>,
    /// By reduction, and whether they run at the end of a launch.
    kernels: Vec<(Reduction, bool, Function)>,
    /// Marks for the side stream that scalars are made.
    ready: Option<Event>,
}

/// Positions of arguments, and addresses of their values.
pub(super) type Addresses = SmallVec<[(usize, u64); 2]>;

/// Partial results of a launch.
struct Sum {
    segments: SmallVec<[Segment; 3]>,
    /// The end of the launch.
    end: Reached,
    /// When they are in host memory, where that is later.
    told: Option<Arc<Event>>,
    /// Keeps them there.
    _hold: Arc<()>,
}

fn sum(results: &Results) -> Option<&Sum> {
    results.0.downcast_ref()
}

/// Whether one launch can take these scalars.
pub(super) fn fits(late: &[Late]) -> bool {
    let segments = |late: &Late| {
        let each = late.results.iter().map(|results| sum(results).map(|sum| sum.segments.len()));
        each.sum::<Option<usize>>()
    };
    let fits = |late: &Late| segments(late).is_some_and(|all| all <= combine::SEGMENTS);
    late.len() <= TAKEN && can_compile() && late.iter().all(fits)
}

impl CudaDevice {
    /// Compiles what launches of this work need: a launch that found out by itself would have begun elsewhere.
    pub(super) fn prepare(&mut self, work: &LateWork<'_>, late: &[Late]) -> Result<(), String> {
        let variant = work.kernel.cuda_variant().ok_or("there is no CUDA variant")?;
        let kept = Kept { pools: &self.pools, blas: &self.blas };
        let loader = Loader { gpu: &self.gpu, capability: self.found.capability, kept };
        self.programs.get(loader, variant, work.arguments, work.reduction, work.columns, late)?;
        late.iter().try_for_each(|late| self.kernel(late.reduction, false).map(drop).map_err(|(_, _, why)| why))
    }

    pub(super) fn results_of(&self, launch: LaunchId) -> Option<Results> {
        let flight = self.residence.flights.get(&launch.0)?;
        let segments = flight.partials.as_ref()?.segments()?;
        let end = self.point(flight.number, &flight.marks.end);
        let told = (!flight.told_at_end).then(|| Arc::clone(&flight.marks.told));
        Some(Results(Arc::new(Sum { segments, end, told, _hold: Arc::clone(&flight.hold) })))
    }

    /// Makes the scalars that are not there, on the stream of kernels, and lets the side stream wait for them if it is used too.
    pub(super) fn make_scalars(&mut self, late: &[Late], beside: bool) -> Result<Addresses, Problem> {
        let mut addresses = Addresses::new();
        let mut any = false;
        for late in late {
            let made = &mut self.residence.scalars.made;
            let place = match made.iter().position(|(of, _)| *of == late.of) {
                Some(known) => {
                    made[known..].rotate_left(1);
                    made[made.len() - 1].1
                }
                None => {
                    any = true;
                    self.make_scalar(late)?
                }
            };
            let memory = self.residence.scalars.memory.as_ref().map_or(0, |memory| memory.address);
            addresses.push((late.argument, memory + (place * EACH) as u64));
        }
        if any && beside {
            if self.residence.scalars.ready.is_none() {
                self.residence.scalars.ready = Some(Event::new(&self.gpu, super::Timed::No).map_err(at(Phase::Init))?);
            }
            if self.residence.side.is_none() {
                self.residence.side = Some(super::Stream::urgent(&self.gpu).map_err(at(Phase::Init))?);
            }
            if let (Some(ready), Some(side)) = (&self.residence.scalars.ready, &self.residence.side) {
                let ordered = ready.record(&self.streams.run).and_then(|()| side.wait_for(ready));
                ordered.map_err(at(Phase::Kernel))?;
            }
        }
        Ok(addresses)
    }

    /// Makes one of partial results in host memory.
    fn make_scalar(&mut self, late: &Late) -> Result<usize, Problem> {
        let function = self.kernel(late.reduction, false)?;
        let (place, out) = self.place()?;
        let mut segments: SmallVec<[(usize, Segment); 6]> = SmallVec::new();
        let own = &self.residence.progress;
        for (number, sum) in late.results.iter().filter_map(sum).enumerate() {
            segments.extend(sum.segments.iter().map(|segment| (number, *segment)));
            let run = &self.streams.run;
            // Its own launches came before on the same stream.
            if !sum.end.is_of(own) {
                self.residence.run_seen.wait(run, &sum.end).map_err(at(Phase::Kernel))?;
            }
            if let Some(told) = &sum.told {
                run.wait_for(told).map_err(at(Phase::Kernel))?;
            }
        }
        // In the order of the host (`DataRegion::take_in`).
        segments.sort_by_key(|(number, segment)| (segment.chunk.start, *number));
        let values = smallvec![out, segments.len() as u64];
        self.run_on(function, values, segments.into_iter().map(|(_, segment)| segment))?;
        self.is_made(late.of, place);
        Ok(place)
    }

    /// Makes the scalar of a loop right behind the launch, of partial results in the GPU's memory, and tells the host.
    pub(super) fn make_scalar_at_end(&mut self, partials: &Partials, of: LoopOf) -> Result<(), Problem> {
        let function = self.kernel(partials.reduction, true)?;
        let (place, out) = self.place()?;
        let segments = partials.of_groups();
        let told = partials.host.buffer.device_address().unwrap_or(0);
        // As the host would, or the kernel that combines more, so that the order never depends on who takes the result.
        let few = combine::few(segments.iter().map(|segment| segment.count).sum());
        let values = smallvec![out, told, u64::from(few), segments.len() as u64];
        self.run_on(function, values, segments.into_iter())?;
        self.is_made(of, place);
        Ok(())
    }

    fn run_on(
        &self,
        function: Function,
        mut values: SmallVec<[u64; 52]>,
        segments: impl Iterator<Item = Segment>,
    ) -> Result<(), Problem> {
        let all = values.len() + 2 * combine::SEGMENTS;
        values.extend(segments.flat_map(|segment| [segment.address, segment.count as u64]));
        values.resize(all, 0);
        let mut pointers: SmallVec<[*mut c_void; 52]> =
            values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
        // SAFETY: the kernel takes pointers and numbers of 64 bits, as many as these. It reads partial results after the events that
        // they are there: those of others are held until this launch has landed, its own are its own. It writes one number to its
        // place, and `to_both` one for each piece to the launch's memory of the host.
        unsafe { self.streams.run.launch(function, [1, 1, 1], [combine::GROUP, 1, 1], &mut pointers) }
            .map_err(at(Phase::Kernel))
    }

    /// A new place, or that of the scalar that was not taken for longest: the launches that take it come before on the same stream.
    /// It is that of a scalar once that is made.
    pub(super) fn place(&mut self) -> Result<(usize, u64), Problem> {
        if self.residence.scalars.memory.is_none() {
            let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            let memory = OnGpu { gpu: &self.gpu, blas: &self.blas };
            // Not from the pool: it is kept for good.
            let memory = pools.device.apart(&memory, KEPT * EACH);
            let problem = |error| (Phase::Init, None, format!("scalars that are results of loops: {error}"));
            self.residence.scalars.memory = Some(memory.map_err(problem)?);
        }
        let Scalars { memory, made, .. } = &self.residence.scalars;
        let place = if made.len() < KEPT { made.len() } else { made[0].1 };
        Ok((place, memory.as_ref().map_or(0, |memory| memory.address) + (place * EACH) as u64))
    }

    pub(super) fn is_made(&mut self, of: LoopOf, place: usize) {
        let made = &mut self.residence.scalars.made;
        if made.len() == KEPT {
            made.remove(0);
        }
        made.push((of, place));
    }

    /// The kernel that makes scalars, of partial results in host memory or, `at_end` of a launch, in the GPU's.
    pub(super) fn kernel(&mut self, reduction: Reduction, at_end: bool) -> Result<Function, Problem> {
        let known = self.residence.scalars.kernels.iter().find(|(of, end, _)| (*of, *end) == (reduction, at_end));
        if let Some((.., function)) = known {
            return Ok(*function);
        }
        let kept = Kept { pools: &self.pools, blas: &self.blas };
        let loader = Loader { gpu: &self.gpu, capability: self.found.capability, kept };
        let make = if at_end { combine::to_both } else { combine::to_scalar };
        let function = make(&mut self.programs, loader, reduction).map_err(|message| (Phase::Init, None, message))?;
        self.residence.scalars.kernels.push((reduction, at_end, function));
        Ok(function)
    }
}
