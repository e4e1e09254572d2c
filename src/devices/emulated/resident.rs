//! Arrays that stay in an emulated device's memory.
//!
//! Each operation is carried out when it is asked for. The device then counts as busy for the modelled time, and a caller that asks
//! for a result waits that long, so loops on several devices overlap. Copies in overlap the iterations that do not wait for them.

use super::{EmulatedDevice, of_mean_work, sleep_until};
use crate::data::ArrayMap;
use crate::data::layout::{BoxCopy, LayoutError};
use crate::devices::body::{self, Section};
use crate::devices::host::scratch;
use crate::devices::resident::{
    BufferId, Incoming, Landed, Launch, LaunchId, NotAllocated, Piece, Pulled, Resident, Stored,
};
use crate::element::Scalar;
use crate::error::{DeviceError, Phase};
use crate::kernel::Argument;
use crate::space::IterRange;
use crate::units::Bytes;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// What an emulated device keeps for data regions.
#[derive(Default)]
pub struct Residence {
    buffers: HashMap<u64, Vec<u64>>,
    /// The buffers' lengths as asked for, in bytes: a buffer has up to 7 more.
    lengths: HashMap<u64, usize>,
    numbers: u64,
    /// Results, and when they will be available.
    landed: HashMap<u64, (Landed, Instant)>,
    /// When everything asked for will be done.
    busy: Option<Instant>,
}

fn bytes_of(words: &[u64]) -> &[u8] {
    bytemuck::cast_slice(words)
}

fn bytes_of_mut(words: &mut [u64]) -> &mut [u8] {
    bytemuck::cast_slice_mut(words)
}

impl EmulatedDevice {
    fn held(&mut self, buffer: BufferId, phase: Phase) -> Result<&mut Vec<u64>, DeviceError> {
        let name = self.model.name.clone();
        self.residence.buffers.get_mut(&buffer.0).ok_or_else(|| DeviceError {
            device: name,
            phase,
            chunk: None,
            message: format!("there is no buffer {} any more", buffer.0),
        })
    }

    /// The bytes of a buffer that were asked for, and none beyond.
    fn memory(&mut self, buffer: BufferId, phase: Phase) -> Result<&mut [u8], DeviceError> {
        let len = self.residence.lengths.get(&buffer.0).copied().unwrap_or(0);
        self.held(buffer, phase).map(|words| &mut bytes_of_mut(words)[..len])
    }

    fn laid_out(&self, phase: Phase, copied: Result<(), LayoutError>) -> Result<(), DeviceError> {
        copied.map_err(|error| self.fail(phase, None, error.to_string()))
    }

    /// Sleeps until everything asked for before would be done.
    fn catch_up(&mut self) {
        if let Some(busy) = self.residence.busy.take() {
            sleep_until(busy);
        }
    }

    /// Sleeps for the rest of a copy's modelled time.
    fn pace_copy(&self, phase: Phase, copies: &[BoxCopy], started: Instant) {
        let bytes = crate::data::layout::bytes_of(copies) as u64;
        let length = self.paced(self.copy_time(phase, copies.len() as u32, bytes), started.elapsed());
        sleep_until(self.through_shared(phase, bytes, started).max(started + length));
    }

    /// Copies in what comes, and gives the modelled time.
    fn bring(&mut self, incoming: &[Incoming<'_>]) -> Result<Duration, DeviceError> {
        let started = Instant::now();
        let mut through = started;
        for coming in incoming {
            let (copied, copies, over_link) = match coming {
                Incoming::Host { to, from, copies } => {
                    let words = self.held(*to, Phase::Exchange)?;
                    (crate::data::layout::apply_all(copies, from, bytes_of_mut(words)), copies, true)
                }
                Incoming::Local { to, from, copies } if to == from => {
                    let words = self.held(*to, Phase::Exchange)?;
                    let memory = bytes_of_mut(words);
                    (copies.iter().try_for_each(|copy| copy.apply_within(memory)), copies, false)
                }
                Incoming::Local { to, from, copies } => {
                    let source = std::mem::take(self.held(*from, Phase::Exchange)?);
                    let copied = self
                        .held(*to, Phase::Exchange)
                        .map(|words| crate::data::layout::apply_all(copies, bytes_of(&source), bytes_of_mut(words)));
                    *self.held(*from, Phase::Exchange)? = source;
                    (copied?, copies, false)
                }
                Incoming::Direct { .. } => {
                    return Err(self.fail(Phase::Exchange, None, "an emulated device copies from no other by itself"));
                }
            };
            self.laid_out(Phase::Exchange, copied)?;
            if over_link {
                let bytes = crate::data::layout::bytes_of(copies) as u64;
                let length = (self.copy_time(Phase::To, copies.len() as u32, bytes) * self.time_scale).to_duration();
                through = self.through_shared(Phase::To, bytes, started).max(through + length);
            }
        }
        Ok(through - started)
    }

    /// Runs the host body on the device's buffers.
    fn run_piece(&mut self, launch: &Launch<'_>, piece: &Piece) -> Result<Option<Scalar>, DeviceError> {
        let Some(work) = launch.work else { return Ok(None) };
        let number = self.chunks;
        self.chunks += 1;
        self.fault_at(Phase::Kernel, number, Some(piece.chunk))?;
        let Some(variant) = work.kernel.host_variant() else {
            let message = format!("kernel `{}` has no host variant", work.kernel.name());
            return Err(self.fail(Phase::Kernel, Some(piece.chunk), message));
        };
        // A written array is in one argument only, so its buffer can be taken out for that time.
        let written = |argument: &Argument<'_>| argument.array().is_some_and(|map| map.direction.writes());
        let mut taken: Vec<Vec<u64>> = work
            .arguments
            .iter()
            .zip(&piece.stored)
            .map(|(argument, stored)| {
                let stored = stored.filter(|_| written(argument));
                let words = stored.and_then(|stored| self.residence.buffers.get_mut(&stored.buffer.0));
                words.map(std::mem::take).unwrap_or_default()
            })
            .collect();
        let Residence { buffers, lengths, .. } = &self.residence;
        let sections: Option<Vec<Section<'_>>> = work
            .arguments
            .iter()
            .enumerate()
            .zip(&piece.stored)
            .zip(&mut taken)
            .map(|(((position, argument), stored), words)| match (argument, stored) {
                (Argument::Scalar(scalar), _) => Some(Section::Scalar(*scalar)),
                (Argument::Array(map), Some(stored)) if body::reduced(work, position).is_some() => {
                    let reduction = body::reduced(work, position)?;
                    let len = map.len * map.element.bytes();
                    let bytes = bytes_of_mut(words).get_mut(..len)?;
                    Some(Section::Reduced { bytes, first: stored.first_element(), row_len: stored.pitch, reduction })
                }
                (Argument::Array(map), Some(stored)) if map.direction.writes() => {
                    section(map, stored, piece.chunk, words)
                }
                (Argument::Array(_), Some(stored)) => {
                    // The length of the device's part, as bodies may use all of it.
                    let bytes = bytes_of(buffers.get(&stored.buffer.0)?).get(..*lengths.get(&stored.buffer.0)?)?;
                    Some(Section::In { bytes, first: stored.first_element(), row_len: stored.pitch })
                }
                (Argument::Array(_), None) => None,
            })
            .collect();
        let cutting = body::Cutting::in_one(piece.columns);
        let ran = sections.map(|sections| body::run(variant, work.reduction, piece.chunk, sections, cutting));
        for ((argument, stored), words) in work.arguments.iter().zip(&piece.stored).zip(taken) {
            let stored = stored.filter(|_| written(argument));
            if let Some(buffer) = stored.and_then(|stored| self.residence.buffers.get_mut(&stored.buffer.0)) {
                *buffer = words;
            }
        }
        let missing = || Err("an array's rows of these iterations are not on the device".to_owned());
        let partial = ran.unwrap_or_else(missing).map(|ran| ran.partial);
        partial.map_err(|why| self.fail(Phase::Kernel, Some(piece.chunk), why))
    }
}

/// The rows of a written argument for a chunk; `None` where the buffer lacks some of them.
fn section<'m>(map: &'m ArrayMap<'_>, stored: &Stored, chunk: IterRange, words: &'m mut [u64]) -> Option<Section<'m>> {
    let element = map.element.bytes();
    let row_len = stored.pitch;
    let rows = map.rows_of();
    let row = rows.before(chunk.start).wrapping_add(map.shift).cast_signed() + map.first_row - stored.first_row;
    let row_bytes = row_len * element;
    let bytes = rows.count(chunk) as usize * row_bytes;
    // No rows have no place: a device without any has none of the array.
    let start = if bytes == 0 { 0 } else { usize::try_from(row).ok()?.checked_mul(row_bytes)? };
    Some(Section::Out {
        bytes: bytes_of_mut(words).get_mut(start..start + bytes)?,
        first: stored.first_element().wrapping_add(row.wrapping_mul(row_len as i64)),
        row_len,
        row_bytes,
        rows,
    })
}

impl Resident for EmulatedDevice {
    fn allocate(&mut self, bytes: usize) -> Result<BufferId, NotAllocated> {
        let held: u64 = self.residence.buffers.values().map(|words| words.len() as u64 * 8).sum();
        let limit = self.model.memory_bytes.map_or(u64::MAX, |bytes| bytes.0);
        let wanted = bytes.div_ceil(8) as u64 * 8;
        let no_room = |message: String| NotAllocated { error: self.fail(Phase::Init, None, message), no_room: true };
        if held.saturating_add(wanted) > limit {
            let message = format!(
                "out of memory: {} more are needed, {} of {} are in use",
                Bytes(wanted),
                Bytes(held),
                Bytes(limit)
            );
            return Err(no_room(message));
        }
        let room = scratch(bytes, true).map_err(no_room)?;
        std::thread::sleep((self.alloc_time(wanted) * self.time_scale).to_duration());
        self.residence.numbers += 1;
        self.residence.buffers.insert(self.residence.numbers, room);
        self.residence.lengths.insert(self.residence.numbers, bytes);
        Ok(BufferId(self.residence.numbers))
    }

    fn release(&mut self, buffer: BufferId) {
        self.residence.buffers.remove(&buffer.0);
        self.residence.lengths.remove(&buffer.0);
    }

    fn write(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &[u8]) -> Result<Duration, DeviceError> {
        self.catch_up();
        let started = Instant::now();
        self.fault_at(Phase::To, self.chunks, None)?;
        let copied = crate::data::layout::apply_all(copies, host, self.memory(buffer, Phase::To)?);
        self.laid_out(Phase::To, copied)?;
        self.pace_copy(Phase::To, copies, started);
        Ok(started.elapsed())
    }

    fn read(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &mut [u8]) -> Result<Duration, DeviceError> {
        self.catch_up();
        let started = Instant::now();
        self.fault_at(Phase::From, self.chunks, None)?;
        let copied = crate::data::layout::apply_all(copies, self.memory(buffer, Phase::From)?, host);
        self.laid_out(Phase::From, copied)?;
        self.pace_copy(Phase::From, copies, started);
        Ok(started.elapsed())
    }

    fn launch(&mut self, launch: &Launch<'_>) -> Result<(LaunchId, Option<Pulled>), DeviceError> {
        let started = Instant::now();
        let mut landed = Landed::default();
        let mut times = [Duration::ZERO; 2];
        let came = self.bring(launch.incoming)?;
        for waits in [false, true] {
            for piece in launch.pieces.iter().filter(|piece| piece.waits == waits && !piece.chunk.is_empty()) {
                let ran = Instant::now();
                let partial = self.run_piece(launch, piece)?;
                landed.partials.extend(partial.map(|partial| (piece.chunk, partial)));
                let cells = piece.columns.map_or(1, IterRange::len);
                let Some(work) = launch.work else { continue };
                let modelled = self.kernel_time(work.kernel, of_mean_work(work, piece.chunk) * cells);
                times[usize::from(waits)] += self.paced(modelled, ran.elapsed());
            }
        }
        landed.partials.sort_by_key(|(chunk, _)| chunk.start);
        landed.iterations = launch.timed_iterations();
        landed.kernel = times[usize::from(launch.all_wait())].into();
        landed.exchange = came.into();
        let length = times[0].max(came) + times[1];
        let done = self.residence.busy.map_or(started, |busy| busy.max(started)) + length;
        self.residence.busy = Some(done);
        self.residence.numbers += 1;
        self.residence.landed.insert(self.residence.numbers, (landed, done));
        Ok((LaunchId(self.residence.numbers), None))
    }

    fn landed(&mut self, launch: LaunchId) -> Result<Landed, DeviceError> {
        let Some((landed, done)) = self.residence.landed.remove(&launch.0) else { return Ok(Landed::default()) };
        sleep_until(done);
        Ok(landed)
    }

    fn wait(&mut self) -> Result<(), DeviceError> {
        self.catch_up();
        Ok(())
    }
}
