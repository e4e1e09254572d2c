//! What an exchange of ghost cells between two GPUs costs, beside a bare copy of the same bytes.

use super::{Failed, gpus, quartiles};
use apportion::kernel::Kernel;
use apportion::prelude::*;
use apportion::region::{Arrangement, Dims, RegionSplit};
use cudarc::driver::{CudaContext, result, sys};
use std::ptr;
use std::time::Instant;

const ROUNDS: usize = 41;
/// Exchanges that are asked for before anybody waits.
const AHEAD: usize = 50;

const NOTHING: &str = "extern \"C\" __global__ void nothing(long lo, long hi, float *u, long first) {}
extern \"C\" __global__ void nothing_2d(long lo, long hi, long lo1, long hi1, float *u, long first, long pitch) {}";

/// A box of `runs` times `run` bytes, copied both ways between two GPUs by the driver, and waited for.
fn bare(run: usize, runs: usize, pitch: usize, ahead: usize) -> Failed<Vec<f64>> {
    let contexts = [CudaContext::new(0)?, CudaContext::new(1)?];
    let bytes = pitch * runs + run;
    let memory = contexts
        .iter()
        .map(|context| {
            context.bind_to_thread()?;
            // Plain allocations: what comes from a pool of the driver's other GPUs do not reach.
            // SAFETY: they are only copied, and freed below.
            let buffers = unsafe { [result::malloc_sync(bytes)?, result::malloc_sync(bytes)?] };
            Ok((context.new_stream()?, buffers))
        })
        .collect::<std::result::Result<Vec<_>, cudarc::driver::DriverError>>()?;
    let address = |gpu: usize, buffer: usize| memory[gpu].1[buffer];
    let copy = |to: usize| -> Failed {
        let from = 1 - to;
        contexts[to].bind_to_thread()?;
        let (stream, to_context, from_context) =
            (memory[to].0.cu_stream(), contexts[to].cu_ctx(), contexts[from].cu_ctx());
        let (target, source) = (address(to, 0), address(from, 1));
        // SAFETY: both buffers have room for the box, and live until the streams are waited for.
        let code = unsafe {
            if runs == 1 {
                sys::cuMemcpyPeerAsync(target, to_context, source, from_context, run, stream)
            } else {
                let device = sys::CUmemorytype::CU_MEMORYTYPE_DEVICE;
                let all = sys::CUDA_MEMCPY2D {
                    srcXInBytes: 0,
                    srcY: 0,
                    srcMemoryType: device,
                    srcHost: ptr::null(),
                    srcDevice: source,
                    srcArray: ptr::null_mut(),
                    srcPitch: pitch,
                    dstXInBytes: 0,
                    dstY: 0,
                    dstMemoryType: device,
                    dstHost: ptr::null_mut(),
                    dstDevice: target,
                    dstArray: ptr::null_mut(),
                    dstPitch: pitch,
                    WidthInBytes: run,
                    Height: runs,
                };
                sys::cuMemcpy2DAsync_v2(&all, stream)
            }
        };
        Ok(code.result()?)
    };
    let mut times = Vec::new();
    for round in 0..=ROUNDS {
        let start = Instant::now();
        for _ in 0..ahead {
            copy(0)?;
            copy(1)?;
        }
        for (context, (stream, _)) in contexts.iter().zip(&memory) {
            context.bind_to_thread()?;
            stream.synchronize()?;
        }
        if round > 0 {
            times.push(start.elapsed().as_secs_f64() * 1e6 / ahead as f64);
        }
    }
    for (context, (_, buffers)) in contexts.iter().zip(&memory) {
        context.bind_to_thread()?;
        for buffer in buffers {
            // SAFETY: allocated above, and no copy uses it any more.
            unsafe { result::free_sync(*buffer) }?;
        }
    }
    Ok(times)
}

/// The same as an exchange of a region's array.
fn exchange(rt: &Runtime, devices: &str, extents: [usize; 2], columns: bool, ahead: usize) -> Failed<Vec<f64>> {
    let [n, m] = extents;
    let entry = if columns { "nothing_2d" } else { "nothing" };
    let kernel =
        // SAFETY: the kernel stays within the sections that it is given.
        Kernel::new(entry).cuda_source(unsafe { DeviceSource::new(NOTHING, entry, Grid::new([32, 1, 1], |_| [32, 1, 1])) });
    let mut region = rt.data_region().devices(devices).split(RegionSplit::Even).rebalance(false);
    if columns {
        region = region.arrangement(Arrangement::Grid(1, 2));
    }
    let u = region.alloc::<f32>([n, m].halo(1));
    if columns {
        region.parallel_for_2d(0..n, 0..m, kernel.bind().writes(u)).run()?;
    } else {
        region.parallel_for(0..n, kernel.bind().writes(u)).run()?;
    }
    let mut times = Vec::new();
    for round in 0..=ROUNDS {
        let start = Instant::now();
        for _ in 0..ahead {
            region.halo_exchange(u)?;
        }
        region.wait()?;
        if round > 0 {
            times.push(start.elapsed().as_secs_f64() * 1e6 / ahead as f64);
        }
    }
    region.finish()?;
    Ok(times)
}

/// `exchange`: rows and columns of some sizes, one after the other and many at a time.
pub fn run() -> Failed {
    let (rt, ids) = gpus()?;
    if ids.len() < 2 {
        return Err("exchange needs two GPUs".into());
    }
    let devices = format!("{},{}", ids[0], ids[1]);
    println!("cells,bytes_each_way,run_bytes,at_once,bare_us,exchange_us,ratio");
    for ahead in [1, AHEAD] {
        for m in [1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 24] {
            let (bare, ours) = (bare(4 * m, 1, 4 * m, ahead)?, exchange(&rt, &devices, [8, m], false, ahead)?);
            show("row", 4 * m, 4 * m, ahead, bare, ours);
        }
        for (n, m) in [(1 << 10, 1 << 10), (1 << 14, 1 << 10), (1 << 17, 1 << 6)] {
            let (bare, ours) = (bare(4, n, 4 * (m / 2 + 1), ahead)?, exchange(&rt, &devices, [n, m], true, ahead)?);
            show("column", 4 * n, 4, ahead, bare, ours);
        }
    }
    Ok(())
}

fn show(cells: &str, bytes: usize, run: usize, ahead: usize, bare: Vec<f64>, ours: Vec<f64>) {
    let ([bare, ..], [ours, ..]) = (quartiles(bare), quartiles(ours));
    println!("{cells},{bytes},{run},{ahead},{bare:.2},{ours:.2},{:.3}", ours / bare);
}
