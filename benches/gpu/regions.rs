//! Iterative applications whose arrays stay on the GPUs: sweeps by the runtime, to be compared with hand-written ones.

use super::series::{self, Measured};
use super::{Failed, gpus, quartiles};
use apportion::kernel::{Bound, Kernel};
use apportion::prelude::*;
use apportion::region::{DataRegion, Dims, Later, Layout, Mapped, RegionSplit};
use apportion_kernels::apps::heat3d::{Edges, Heat3d};
use apportion_kernels::apps::jacobi::Jacobi;
use apportion_kernels::{Memory, find};
use std::path::Path;
use std::time::Instant;

/// Of stencil2d: the centre, and the cells 1, 2 and 3 away.
const STAR: [f32; 4] = [0.5, 0.08, 0.03, 0.015];

/// An application with its arrays.
struct Sweeps {
    name: &'static str,
    size: String,
    steps: usize,
    layout: Layout,
    /// Iterations of a sweep.
    rows: Range<u64>,
    /// What the two arrays hold at first.
    start: HostVec<f32>,
    /// A third array that is only read.
    fixed: Option<HostVec<f32>>,
    kernel: Bind,
    reduces: bool,
}

/// Binds the scalars.
type Bind = Box<dyn Fn() -> Bound<'static>>;

impl Sweeps {
    fn rows_of_array(&self) -> usize {
        // All are written but for a halo at most, of a row at either end.
        if self.rows.start == 0 { self.rows.end as usize } else { self.rows.end as usize + 1 }
    }

    fn jacobi(n: usize, m: usize, steps: usize) -> Result<Self> {
        let jacobi = Jacobi::<f32>::new(n, m, 9)?;
        Ok(Self {
            name: "jacobi",
            size: format!("{n}x{m}"),
            steps,
            layout: jacobi.extents().halo(1),
            rows: jacobi.rows(),
            start: jacobi.u(Memory::PageLocked)?,
            fixed: Some(jacobi.f(Memory::PageLocked)?),
            kernel: Box::new(move || jacobi.bind()),
            reduces: true,
        })
    }

    fn heat3d(planes: usize, n: usize, steps: usize) -> Result<Self> {
        let heat = Heat3d::<f32>::new([planes, n, n], Edges::Fixed, 9)?;
        Ok(Self {
            name: "heat3d",
            size: format!("{planes}x{n}x{n}"),
            steps,
            layout: heat.extents().halo(1),
            rows: heat.planes(),
            start: heat.start(Memory::PageLocked)?,
            fixed: None,
            kernel: Box::new(move || heat.bind()),
            reduces: false,
        })
    }

    fn stencil2d(n: usize, m: usize, steps: usize) -> Failed<Self> {
        let kernel: Kernel = find("stencil2d")?.build(m, apportion::kernel::ElementType::F32, 1)?.kernel().clone();
        let start = Jacobi::<f32>::new(n, m, 9)?.u(Memory::PageLocked)?;
        Ok(Self {
            name: "stencil2d",
            size: format!("{n}x{m}"),
            steps,
            layout: [n, m].halo(3),
            // Its kernel copies the first and last rows of a square array.
            rows: 0..n as u64,
            start,
            fixed: None,
            kernel: Box::new(move || STAR.into_iter().fold(kernel.bind().scalar(m as i64), Bound::scalar)),
            reduces: false,
        })
    }
}

/// How the residual of a sweep is had.
#[derive(Clone, Copy, PartialEq)]
enum Residual {
    /// After all sweeps.
    Later,
    /// Before the next sweep begins.
    Now,
}

/// A region with two arrays that take turns.
struct Turns {
    old: Mapped<f32>,
    new: Mapped<f32>,
    fixed: Option<Mapped<f32>>,
}

fn sweep<'a>(
    region: &mut DataRegion<'_, 'a>,
    sweeps: &Sweeps,
    turns: &mut Turns,
    residual: Residual,
    pending: &mut Vec<Later<f64>>,
) -> Result<()> {
    let bound = (sweeps.kernel)();
    let bound = match turns.fixed {
        Some(fixed) => bound.reads(fixed),
        None => bound,
    };
    let run = region.parallel_for(sweeps.rows.clone(), bound.reads(turns.old).writes(turns.new));
    match (sweeps.reduces, residual) {
        (false, _) => run.run()?,
        (true, Residual::Now) => {
            run.reduce::<f64>(Sum)?;
        }
        (true, Residual::Later) => pending.push(run.reduce_later(Sum)?),
    }
    std::mem::swap(&mut turns.old, &mut turns.new);
    Ok(())
}

/// Times of all sweeps of an application on some GPUs, and what comes out.
fn timed(
    rt: &Runtime,
    devices: &str,
    sweeps: &Sweeps,
    residual: Residual,
    reps: usize,
) -> Failed<(Vec<f64>, Vec<f32>, String)> {
    let (mut a, mut b) = (sweeps.start.to_vec(), sweeps.start.to_vec());
    let mut times = Vec::with_capacity(reps);
    let report = {
        let mut region = rt.data_region().devices(devices).split(RegionSplit::Even).rebalance(false);
        let new = region.tofrom(&mut a, sweeps.layout.clone());
        let old = region.tofrom(&mut b, sweeps.layout.clone());
        let fixed = sweeps.fixed.as_ref().map(|fixed| region.to(fixed, sweeps.layout.clone().halo(0)));
        let mut turns = Turns { old, new, fixed };
        let mut pending = Vec::new();
        // The first compiles and places; the same number again brings the arrays back to where the timed ones begin.
        for _ in 0..2 {
            sweep(&mut region, sweeps, &mut turns, residual, &mut pending)?;
        }
        for later in pending.drain(..) {
            region.value(later)?;
        }
        region.wait()?;
        for _ in 0..reps {
            let start = Instant::now();
            for _ in 0..sweeps.steps {
                sweep(&mut region, sweeps, &mut turns, residual, &mut pending)?;
            }
            for later in pending.drain(..) {
                region.value(later)?;
            }
            region.wait()?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        region.finish()?.to_string()
    };
    Ok((times, a, report))
}

/// `regions [QUICK] [record FILE]`: all applications on 1, 2, 4 .. GPUs, and on as many times larger arrays.
pub fn run(quick: bool, record: Option<&Path>) -> Failed {
    let (rt, ids) = gpus()?;
    let names: Vec<String> = rt.devices().map(|device| device.name).collect();
    let mut runs = Vec::new();
    println!("workload,size,steps,gpus,variant,median_ms,lower_quartile_ms,upper_quartile_ms");
    let (n, cube) = if quick { (1024, 64) } else { (16_384, 512) };
    let scale = if quick { 10 } else { 1 };
    let reps = 5;
    let mut counts: Vec<usize> = [1, 2, 4, 8].into_iter().filter(|&count| count <= ids.len()).collect();
    if quick {
        counts.truncate(4);
    }
    let list = |count: usize| ids[..count].iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let show = |sweeps: &Sweeps, gpus: usize, variant: &str, times: Vec<f64>| {
        let [median, lower, upper] = quartiles(times);
        let Sweeps { name, size, steps, .. } = sweeps;
        println!("{name},{size},{steps},{gpus},{variant},{median:.4},{lower:.4},{upper:.4}");
    };
    let strong = [
        Sweeps::jacobi(n, n, 200 / scale)?,
        Sweeps::heat3d(cube, cube, 100 / scale)?,
        Sweeps::stencil2d(n, n, 1000 / scale)?,
    ];
    for sweeps in &strong {
        let mut alone = None;
        for &count in &counts {
            let ways: &[Residual] = if sweeps.reduces { &[Residual::Later, Residual::Now] } else { &[Residual::Later] };
            for &way in ways {
                let (times, values, report) = timed(&rt, &list(count), sweeps, way, reps)?;
                let variant = if way == Residual::Now { "resident-hostcheck" } else { "resident" };
                let (workload, rows, waits) = (sweeps.name, sweeps.rows_of_array(), way == Residual::Now);
                let measured = Measured { workload, rows, gpus: count, weak: false, waits, times_ms: &times };
                runs.push(series::run(&measured, &names));
                show(sweeps, count, variant, times);
                eprintln!("{} on {count}: {report}", sweeps.name);
                // Cell by cell the same, whoever computed it.
                if *alone.get_or_insert_with(|| values.clone()) != values {
                    return Err(format!("{} on {count} GPUs: other values than on one", sweeps.name).into());
                }
            }
        }
    }
    drop(strong);
    for &count in &counts {
        let weak =
            [Sweeps::jacobi(n / 2 * count, n, 100 / scale)?, Sweeps::heat3d(cube / 2 * count, cube, 100 / scale)?];
        for sweeps in &weak {
            let (times, ..) = timed(&rt, &list(count), sweeps, Residual::Later, reps)?;
            let (workload, rows) = (sweeps.name, sweeps.rows_of_array() / count);
            let measured = Measured { workload, rows, gpus: count, weak: true, waits: false, times_ms: &times };
            runs.push(series::run(&measured, &names));
            show(sweeps, count, "weak", times);
        }
    }
    if let Some(file) = record {
        series::write(file, &runs, &serde_json::json!({"name": "GPUs of this machine", "gpus": names}))?;
    }
    Ok(())
}

/// A line of a CSV file.
struct Line {
    workload: String,
    steps: String,
    gpus: String,
    variant: String,
    median_ms: f64,
}

/// The lines of `regions`, or of the hand-written program: `workload,size,gpus,variant,median_ms,..`, whose size ends with the
/// number of steps.
fn lines(file: &str) -> Failed<Vec<Line>> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let ours = text.starts_with("workload,size,steps,");
    let line = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let (steps, rest) = match fields[..] {
            [_, _, steps, ..] if ours => (steps.to_owned(), fields.get(3..)?),
            [_, size, ..] => (size.rsplit('x').next()?.to_owned(), fields.get(2..)?),
            _ => return None,
        };
        let [gpus, variant, median, ..] = rest else { return None };
        let median_ms = median.parse().ok()?;
        Some(Line {
            workload: fields[0].to_owned(),
            steps,
            gpus: (*gpus).to_owned(),
            variant: (*variant).to_owned(),
            median_ms,
        })
    };
    Ok(text.lines().filter_map(line).collect())
}

/// `region-ratios REGIONS.csv HAND.csv`: sweeps by the runtime beside the best hand-written variant of the same kind, as a table.
pub fn ratios(ours: &str, hand: &str) -> Failed {
    let (ours, hand) = (lines(ours)?, lines(hand)?);
    println!("| application | GPUs | residual | this, ms | by hand, ms | by hand | hand / this |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for line in ours.iter().filter(|line| line.variant.starts_with("resident")) {
        let checked = line.variant.ends_with("hostcheck");
        let same = |other: &&Line| {
            (&other.workload, &other.steps, &other.gpus) == (&line.workload, &line.steps, &line.gpus)
                && other.variant.starts_with("resident")
                && other.variant != "resident-naive"
                && other.variant.ends_with("hostcheck") == checked
        };
        let Some(best) = hand.iter().filter(same).min_by(|a, b| a.median_ms.total_cmp(&b.median_ms)) else { continue };
        let residual = if checked { "every sweep" } else { "later" };
        println!(
            "| {} | {} | {residual} | {:.2} | {:.2} | {} | {:.3} |",
            line.workload,
            line.gpus,
            line.median_ms,
            best.median_ms,
            best.variant,
            best.median_ms / line.median_ms
        );
    }
    let weak: Vec<&Line> = ours.iter().filter(|line| line.variant == "weak").collect();
    println!("\n| weak scaling | GPUs | ms | of one GPU's pace |\n| --- | --- | --- | --- |");
    for line in &weak {
        let Some(one) = weak.iter().find(|one| one.workload == line.workload && one.gpus == "1") else { continue };
        println!(
            "| {} | {} | {:.2} | {:.3} |",
            line.workload,
            line.gpus,
            line.median_ms,
            one.median_ms / line.median_ms
        );
    }
    Ok(())
}
