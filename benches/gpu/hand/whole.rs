//! Copies directly from and to the host's arrays, whole shares or in chunks on three streams.

use super::Sent;
use super::code::MOST_BLOCKS;
use super::gpu::{Gpu, MOST_CHUNKS, PART, total};
use super::job::{Array, Job};
use super::memory::{Locked, down, pass, up};
use apportion::data::even_block;
use cudarc::driver::CudaStream;
use std::ops::Range;
use std::sync::Barrier;

/// Chunks of arrays that are page-locked within the clock: copying takes little of that time.
const CHUNKS_OF_REGISTERED: usize = 8;
/// Pieces in which a GPU fetches its part of an array that all GPUs need: one is passed on while the next comes.
const PASSED_AT_ONCE: usize = 4;

/// One copy of each array, one kernel, one copy back, on one stream. Of arrays that are not page-locked the driver copies through
/// memory of its own, and returns when it has.
pub fn block(gpu: &Gpu, job: &Job<'_>) -> Sent<f64> {
    let stream = &gpu.run;
    full_up(gpu, job, stream)?;
    // One, or none where a GPU has no share.
    let chunks = job.chunks(&gpu.share, 1);
    let mut there = first_rows(gpu, job);
    for chunk in &chunks {
        chunk_up(gpu, job, chunk, &mut there, stream)?;
        run(gpu, job, chunk, 0, stream)?;
        chunk_down(gpu, job, chunk, stream)?;
    }
    finish(gpu, &chunks, stream)
}

/// In chunks on three streams: while one is computed, the next comes and the one before goes.
pub fn chunked(gpu: &Gpu, job: &Job<'_>, count: usize) -> Sent<f64> {
    full_up(gpu, job, &gpu.up)?;
    in_chunks(gpu, job, count)
}

/// As [`chunked`], where each GPU fetches its part of the arrays that all need and passes it on to the others.
pub fn passed(gpus: &[Gpu], own: usize, job: &Job<'_>, count: usize, all: &Barrier) -> Sent<f64> {
    let passed_on = pass_on(gpus, own, job);
    // An event that is not recorded yet would not be waited for. A thread that failed comes here too, as others wait for it.
    all.wait();
    passed_on?;
    gpus.iter().try_for_each(|other| gpus[own].run.wait(&other.passed))?;
    in_chunks(&gpus[own], job, count)
}

/// As [`chunked`], of arrays that one thread page-locks before and unlocks after, as a whole: no copy may cross two locks.
pub fn registered(gpu: &Gpu, job: &Job<'_>, first: bool, all: &Barrier) -> Sent<f64> {
    let lock = |(_, array): (usize, Array)| {
        // SAFETY: the task's context is current; the arrays are borrowed as long as the job lives.
        unsafe { Locked::new(array.host_at(0), array.bytes()) }
    };
    let locked: Result<Vec<Locked>, _> = if first { job.arrays().map(lock).collect() } else { Ok(Vec::new()) };
    all.wait();
    let done = chunked(gpu, job, CHUNKS_OF_REGISTERED);
    // Copies of a chunk that failed are waited for before the memory is unlocked.
    let idle = gpu.context.synchronize();
    all.wait();
    drop(locked?);
    idle?;
    done
}

fn in_chunks(gpu: &Gpu, job: &Job<'_>, count: usize) -> Sent<f64> {
    let chunks = job.chunks(&gpu.share, count.min(MOST_CHUNKS));
    let mut there = first_rows(gpu, job);
    for (index, chunk) in chunks.iter().enumerate() {
        chunk_up(gpu, job, chunk, &mut there, &gpu.up)?;
        gpu.copied.record(&gpu.up)?;
        gpu.run.wait(&gpu.copied)?;
        run(gpu, job, chunk, index, &gpu.run)?;
        gpu.ran.record(&gpu.run)?;
        gpu.down.wait(&gpu.ran)?;
        chunk_down(gpu, job, chunk, &gpu.down)?;
    }
    if chunks.is_empty() {
        // Nothing made the last stream wait for arrays that all GPUs have.
        gpu.up.synchronize()?;
        gpu.run.synchronize()?;
    }
    finish(gpu, &chunks, &gpu.down)
}

/// The next row of each array that is to come, by argument.
fn first_rows(gpu: &Gpu, job: &Job<'_>) -> Vec<u64> {
    let mut rows = vec![0; job.arguments.len()];
    job.divided().for_each(|(argument, array)| rows[argument] = array.section(&gpu.share).needed.start);
    rows
}

/// Copies what a chunk needs and no chunk before it brought: rows of a halo come once.
fn chunk_up(gpu: &Gpu, job: &Job<'_>, chunk: &Range<u64>, there: &mut [u64], stream: &CudaStream) -> Sent {
    for (argument, array) in job.divided().filter(|(_, array)| array.copies_in()) {
        let rows = there[argument]..array.section(chunk).needed.end;
        if rows.is_empty() {
            continue;
        }
        let to = on_gpu(gpu, argument, array, rows.start)?;
        // SAFETY: the task's context is current; the rows are within the share's section on the GPU and within the array; the
        // job borrows the array, and the run waits for the stream.
        unsafe { up(stream, to, array.host_row(rows.start), array.bytes_of(&rows)) }?;
        there[argument] = rows.end;
    }
    Ok(())
}

fn chunk_down(gpu: &Gpu, job: &Job<'_>, chunk: &Range<u64>, stream: &CudaStream) -> Sent {
    for (argument, array) in job.divided().filter(|(_, array)| array.copies_out()) {
        let rows = array.section(chunk).owned;
        let from = on_gpu(gpu, argument, array, rows.start)?;
        // SAFETY: as in `chunk_up`; each chunk has rows of its own.
        unsafe { down(stream, array.host_row(rows.start), from, array.bytes_of(&rows)) }?;
    }
    Ok(())
}

/// Where a row of a share is.
fn on_gpu(gpu: &Gpu, argument: usize, array: Array, row: u64) -> Sent<u64> {
    let before = array.section(&gpu.share).needed.start..row;
    Ok(gpu.address(argument)? + array.bytes_of(&before) as u64)
}

fn run(gpu: &Gpu, job: &Job<'_>, chunk: &Range<u64>, index: usize, stream: &CudaStream) -> Sent {
    let partials = gpu.partials.address + (index * MOST_BLOCKS * PART) as u64;
    // SAFETY: the GPU has its whole share; what the chunk needs of it was enqueued before, on this stream or one that it waits for.
    unsafe { gpu.code.enqueue(stream, job, chunk, &gpu.places(), partials) }
}

/// Copies the parts of a sum, waits, and adds them.
fn finish(gpu: &Gpu, chunks: &[Range<u64>], stream: &CudaStream) -> Sent<f64> {
    let counts: Vec<usize> = chunks.iter().map(|chunk| gpu.code.parts(chunk)).collect();
    for (index, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let offset = index * MOST_BLOCKS * PART;
        // SAFETY: the context is current; both have room for this many parts of each chunk, and are waited for below.
        unsafe { down(stream, gpu.parts.start().add(offset), gpu.partials.address + offset as u64, count * PART) }?;
    }
    stream.synchronize()?;
    let offset = |index: usize| gpu.parts.start().wrapping_add(index * MOST_BLOCKS * PART);
    // SAFETY: each chunk has room for so many parts, a whole number of them from the start of the page-locked memory, and the
    // copies that wrote them have been waited for.
    Ok(counts.into_iter().enumerate().map(|(index, count)| unsafe { total(offset(index), count) }).sum())
}

/// Copies the arrays that all GPUs have.
fn full_up(gpu: &Gpu, job: &Job<'_>, stream: &CudaStream) -> Sent {
    for (argument, array) in job.full() {
        // SAFETY: as in `chunk_up`.
        unsafe { up(stream, gpu.address(argument)?, array.host_at(0), array.bytes()) }?;
    }
    Ok(())
}

/// Fetches this GPU's part of them and passes it on: pieces come on one stream and go on from another.
fn pass_on(gpus: &[Gpu], own: usize, job: &Job<'_>) -> Sent {
    let gpu = &gpus[own];
    for (argument, array) in job.full() {
        let part = even_block(array.bytes() as u64, gpus.len(), own);
        for piece in (0..PASSED_AT_ONCE).map(|index| even_block(part.end - part.start, PASSED_AT_ONCE, index)) {
            let (offset, bytes) = (part.start + piece.start, (piece.end - piece.start) as usize);
            if bytes == 0 {
                continue;
            }
            let at = gpu.address(argument)? + offset;
            // SAFETY: as in `chunk_up`.
            unsafe { up(&gpu.up, at, array.host_at(offset as usize), bytes) }?;
            gpu.copied.record(&gpu.up)?;
            gpu.run.wait(&gpu.copied)?;
            for (_, other) in gpus.iter().enumerate().filter(|(index, _)| *index != own) {
                // SAFETY: the context is current; both GPUs have all of the array, and all streams are waited for.
                unsafe { pass(&gpu.run, &other.context, other.address(argument)? + offset, at, bytes) }?;
            }
        }
    }
    Ok(gpu.passed.record(&gpu.run)?)
}
