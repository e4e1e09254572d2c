//! Partial results of a data region's reductions.
#![allow(unsafe_code, reason = "runs kernels, reads what they wrote")]

use super::launch::grid_of;
use super::{Problem, at};
use crate::devices::cuda::CudaDevice;
use crate::devices::cuda::combine::{self, Folding};
use crate::devices::cuda::driver::{Function, PinnedBy, Stream};
use crate::devices::cuda::memory::{DeviceBuffer, Kept, OnGpu, PinnedBuffer};
use crate::devices::cuda::program::{Loader, Target, can_compile};
use crate::devices::cuda::status::CudaError;
use crate::devices::resident::{Launch, Piece, Taken};
use crate::element::Scalar;
use crate::error::Phase;
use crate::kernel::{LoopOf, Reduction};
use crate::space::IterRange;
use smallvec::{SmallVec, smallvec};
use std::ffi::c_void;
use std::ops::Range;

/// The streams on which partial results are combined: those of kernels and of copies out. Kernels combine their own on the former
/// and on the side stream.
const STREAMS: usize = 2;
/// Where the counters of kernels that combine their own begin, behind those of the kernel that combines.
const OF_FOLDS: usize = STREAMS * combine::RANGES;

/// The partial results of a launch.
pub(super) struct Partials {
    /// `None` where the groups write to `host`.
    pub(super) device: Option<DeviceBuffer>,
    pub(super) host: PinnedBuffer,
    /// The address of the groups' results.
    first: u64,
    pub(super) reduction: Reduction,
    /// By piece, the range of its groups' results.
    pieces: SmallVec<[(IterRange, Range<usize>); 3]>,
    /// How the device combines them. If it does, the slices' and the pieces' results lie behind the groups' results.
    combine: Option<Combine>,
    /// Where the kernels combine them: the counters, for both streams.
    folds: Option<u64>,
    /// Where such a kernel writes the scalar; 0 until it is known.
    pub(super) place: u64,
    /// The scalar that the device makes of them at the end of the launch. The pieces' results are then with the host, too.
    pub(super) scalar: Option<LoopOf>,
}

/// Some partial results in host memory that devices reach.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub(super) chunk: IterRange,
    pub(super) address: u64,
    pub(super) count: usize,
}

/// How a GPU combines partial results.
#[derive(Clone, Copy)]
struct Combine {
    function: Function,
    /// How many blocks combine each piece, a part each.
    slices: usize,
    /// Address of the counters of blocks that are done, for both streams.
    tickets: u64,
}

/// Whether nothing runs for a piece.
pub(super) fn is_empty(piece: &Piece) -> bool {
    piece.chunk.is_empty() || piece.columns.is_some_and(IterRange::is_empty)
}

impl CudaDevice {
    pub(super) fn room_for_partials(
        &mut self,
        launch: &Launch<'_>,
        target: Option<&Target<'_>>,
    ) -> Result<Option<Partials>, Problem> {
        let (Some(work), Some(Target::Kernel { grid, checks, .. })) = (launch.work, target) else { return Ok(None) };
        let Some(reduction) = work.reduction else { return Ok(None) };
        let mut pieces = SmallVec::new();
        let (mut groups, mut most) = (0usize, 0usize);
        for piece in launch.pieces {
            let of_piece =
                if is_empty(piece) { 0 } else { grid_of(work.kernel, grid, piece).map(|(_, groups)| groups)? };
            let from = groups;
            most = most.max(of_piece);
            groups = groups.saturating_add(of_piece);
            pieces.push((piece.chunk, from..groups));
        }
        let here = if let Taken::Here(of) = launch.how.taken { Some(of) } else { None };
        let own = checks.folds && !launch.how.in_order && combine::has_kernels(reduction);
        // Many groups would each wait for their ticket, and where the host combines, it does so in less time.
        let own = own && combine::few(groups) && groups > 0;
        let own = own
            && match launch.how.taken {
                Taken::ByHost => false,
                Taken::Here(_) => launch.pieces.len() == 1,
                Taken::ByDevices => true,
            };
        let folds = if own { Some(self.tickets()? + (OF_FOLDS * size_of::<u32>()) as u64) } else { None };
        let scalar = here.filter(|_| {
            if folds.is_some() {
                return true;
            }
            let few = groups <= combine::OF_A_BLOCK && launch.pieces.len() <= combine::SEGMENTS;
            // The host combines the pieces' results in this order.
            let in_order = launch.pieces.is_sorted_by_key(|piece| piece.chunk.start);
            few && in_order && !launch.how.in_order && combine::has_kernels(reduction) && can_compile()
        });
        let scalar = scalar.filter(|_| folds.is_some() || self.kernel(reduction, true).is_ok());
        let on_gpu = || combine::on_gpu(reduction, groups, launch.how.in_order) && can_compile();
        let combine = if folds.is_none() && scalar.is_none() && on_gpu() {
            let function = self.combiner(reduction).map_err(|message| (Phase::Init, None, message))?;
            Some(Combine { function, slices: combine::slices(most), tickets: self.tickets()? })
        } else {
            None
        };
        let size = reduction.element.bytes();
        let results = combine.map_or(0, |combine| launch.pieces.len() * (combine.slices + 1));
        let bytes = groups.saturating_add(results).saturating_mul(size);
        let of_pieces = launch.pieces.len() * size;
        // Kernels may turn out not to reach this memory: the host then gets the groups' results.
        let told = if combine.is_some() { of_pieces } else { bytes.max(of_pieces) };
        let room = |problem: &dyn std::fmt::Display| {
            (Phase::Init, None, format!("the reduction's partial results: {problem}"))
        };
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let host = pools.pinned.take(&PinnedBy(&self.gpu), told).map_err(|problem| room(&problem))?;
        let reached = host.buffer.device_address().is_some();
        let (folds, scalar) = (folds.filter(|_| reached), scalar.filter(|_| reached));
        let mut all = Partials { device: None, host, first: 0, reduction, pieces, combine, folds, place: 0, scalar };
        if let (None, None, None, Some(first)) = (combine, folds, scalar, combine::in_place(groups, &all.host.buffer)) {
            return Ok(Some(Partials { first, ..all }));
        }
        match pools.device.take(&OnGpu { gpu: &self.gpu, blas: &self.blas }, bytes) {
            Ok(device) => {
                all.first = device.buffer.address;
                all.device = Some(device);
                Ok(Some(all))
            }
            Err(problem) => {
                let why = room(&problem);
                pools.pinned.give(all.host);
                Err(why)
            }
        }
    }

    /// The kernel that combines partial results.
    fn combiner(&mut self, reduction: Reduction) -> Result<Function, String> {
        if let Some((_, function)) = self.residence.combine.iter().find(|(of, _)| *of == reduction) {
            return Ok(*function);
        }
        let kept = Kept { pools: &self.pools, blas: &self.blas };
        let loader = Loader { gpu: &self.gpu, capability: self.found.capability, kept };
        let function = combine::function(&mut self.programs, loader, reduction)?;
        self.residence.combine.push((reduction, function));
        Ok(function)
    }

    /// The address of the counters, which are zero whenever no launch uses them.
    fn tickets(&mut self) -> Result<u64, Problem> {
        let problem = |error: CudaError| (Phase::Init, None, format!("the counters of a reduction: {error}"));
        if let Some(tickets) = &self.residence.tickets {
            return Ok(tickets.address);
        }
        let bytes = (OF_FOLDS + STREAMS) * size_of::<u32>();
        // Not from the pool, which may only have a large buffer to give: the counters are kept for good.
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let memory = OnGpu { gpu: &self.gpu, blas: &self.blas };
        let tickets = pools.device.apart(&memory, bytes).map_err(problem)?;
        let (address, stream) = (tickets.address, &self.streams.run);
        // SAFETY: the device's context is current; the buffer is held, and nobody else has it yet.
        unsafe { stream.zero(address, bytes) }.and_then(|()| stream.synchronize()).map_err(problem)?;
        self.residence.tickets = Some(tickets);
        Ok(address)
    }

    /// Brings partial results to the host, on a stream that is behind everything of the launch.
    pub(super) fn tell(&self, partials: &Partials, stream: &Stream) -> Result<(), Problem> {
        if partials.told_at_end() {
            return Ok(());
        }
        let from = at(Phase::From);
        let size = partials.reduction.element.bytes();
        let groups = partials.groups();
        let mut results = 0..groups;
        if let Some(Combine { function, slices, tickets }) = partials.combine {
            let all = partials.pieces.len();
            let behind = |results: usize| partials.first + (results * size) as u64;
            // The kernel writes these few numbers directly to host memory: a copy would take longer than the kernel.
            let to_host = partials.host.buffer.device_address();
            let first = to_host.unwrap_or(behind(groups + all * slices));
            // Launches on one stream use its counters one after the other.
            let which = usize::from(stream.raw() == self.streams.run.raw());
            let tickets = tickets + (which * combine::RANGES * size_of::<u32>()) as u64;
            for (number, pieces) in partials.pieces.chunks(combine::RANGES).enumerate() {
                let out = first + (number * combine::RANGES * size) as u64;
                let of_slices = behind(groups + number * combine::RANGES * slices);
                let mut values: SmallVec<[u64; 9]> = smallvec![partials.first, of_slices, out, tickets];
                values.push(pieces.first().map_or(0, |(_, groups)| groups.start) as u64);
                values.extend(pieces.iter().map(|(_, groups)| groups.end as u64));
                values.resize(4 + combine::RANGES + 1, groups as u64);
                let mut pointers: SmallVec<[*mut c_void; 9]> =
                    values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
                let grid = [pieces.len() as u32, slices as u32, 1];
                // SAFETY: the kernel takes four pointers and five `long long`; what it reads and writes is this launch's until
                // `landed` has waited for it, except the tickets, which belong to the stream.
                let launched = unsafe { stream.launch(function, grid, [combine::GROUP, 1, 1], &mut pointers) };
                launched.map_err(&from)?;
            }
            if to_host.is_some() {
                return Ok(());
            }
            results = groups + all * slices..groups + all * (slices + 1);
        }
        let host = partials.host.buffer.start.as_ptr();
        let (address, bytes) = (partials.first + (results.start * size) as u64, results.len() * size);
        // SAFETY: both buffers are this launch's until `landed` has waited for the copy, and have room for it.
        unsafe { stream.copy_out(host, address, bytes) }.map_err(&from)
    }

    /// Frees the partial results of a launch that failed.
    pub(super) fn free(&mut self, partials: Option<Partials>) {
        let Some(Partials { device, host, .. }) = partials else { return };
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        device.into_iter().for_each(|device| pools.device.free(device));
        pools.pinned.free(host);
    }
}

impl Partials {
    /// Where devices find the results of the pieces, all in host memory once the host may read them too: their iterations, an
    /// address, and how many there are. `None` where the host combines what devices cannot reach.
    pub(super) fn segments(&self) -> Option<SmallVec<[Segment; 3]>> {
        let host = self.host.buffer.device_address().filter(|_| self.in_place() || self.by_piece())?;
        let size = self.reduction.element.bytes();
        let segment = |(piece, (chunk, groups)): (usize, &(IterRange, Range<usize>))| {
            let results = if self.by_piece() { piece..piece + usize::from(!groups.is_empty()) } else { groups.clone() };
            Segment { chunk: *chunk, address: host + (results.start * size) as u64, count: results.len() }
        };
        Some(self.pieces.iter().enumerate().map(segment).collect())
    }

    /// The address for the groups' results of a piece.
    pub(super) fn address(&self, piece: usize) -> u64 {
        let first = self.pieces.get(piece).map_or(0, |(_, results)| results.start);
        self.first + (first * self.reduction.element.bytes()) as u64
    }

    /// How the kernel combines the results of a piece, if it does, on the stream of kernels or beside it.
    pub(super) fn folding(&self, piece: usize, beside: bool) -> Folding {
        let Some((tickets, told)) = self.folds.zip(self.host.buffer.device_address()) else {
            return Folding::default();
        };
        let size = self.reduction.element.bytes();
        Folding {
            scalar: self.place,
            told: told + (piece * size) as u64,
            ticket: tickets + (usize::from(beside) * size_of::<u32>()) as u64,
        }
    }

    /// Whether the kernels combine the results themselves.
    pub(super) fn folded(&self) -> bool {
        self.folds.is_some()
    }

    /// Whether the groups write their results to host memory, so that they are there when the launch has ended.
    pub(super) fn in_place(&self) -> bool {
        self.device.is_none()
    }

    /// Whether the host has all that it gets of them when the launch has ended.
    pub(super) fn told_at_end(&self) -> bool {
        self.in_place() || self.scalar.is_some() || self.folded()
    }

    /// Whether the host gets a result for each piece, not each group.
    fn by_piece(&self) -> bool {
        self.combine.is_some() || self.scalar.is_some() || self.folded()
    }

    /// The groups' results of the pieces, in device memory.
    pub(super) fn of_groups(&self) -> SmallVec<[Segment; 3]> {
        let size = self.reduction.element.bytes();
        let segment = |(chunk, groups): &(IterRange, Range<usize>)| Segment {
            chunk: *chunk,
            address: self.first + (groups.start * size) as u64,
            count: groups.len(),
        };
        self.pieces.iter().map(segment).collect()
    }

    fn groups(&self) -> usize {
        self.pieces.last().map_or(0, |(_, results)| results.end)
    }

    /// The result of each piece. Groups' results that the device did not combine are combined in their order.
    pub(super) fn combined(&self) -> SmallVec<[(IterRange, Scalar); 1]> {
        let size = self.reduction.element.bytes();
        let told = if self.by_piece() { self.pieces.len() } else { self.groups() };
        // SAFETY: what writes to the page-locked memory is done; it has this length.
        let all = unsafe { std::slice::from_raw_parts(self.host.buffer.start.as_ptr().cast_const(), told * size) };
        let combine = |(index, (chunk, groups)): (usize, &(IterRange, Range<usize>))| {
            let results = if self.by_piece() { index..index + usize::from(!groups.is_empty()) } else { groups.clone() };
            (*chunk, self.reduction.fold(&all[results.start * size..results.end * size]))
        };
        self.pieces.iter().enumerate().map(combine).collect()
    }
}
