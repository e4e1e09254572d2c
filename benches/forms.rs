//! Kernels from one Rust function beside those written by hand, over arrays that stay where they are: sweeps in one data
//! region, of both in turns.

use crate::measure::Spread;
use apportion::kernel::{CudaVariant, ElementType};
use apportion::model::machine::DeviceKind;
use apportion::prelude::*;
use apportion::region::DataRegion;
use apportion_kernels::apps::{self, Application, RegionOptions};
use apportion_kernels::{Form, Instance, Memory, Resident, find};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A workload or an application, and its size.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Its size.
    pub n: usize,
}

/// Cases of these sizes, in the order axpy, sum, matvec, matmul, stencil2d, bm2d, jacobi, heat2d, heat3d (also periodic),
/// cardiac, s3d.
pub fn cases(sizes: [usize; 11]) -> Vec<Case> {
    const NAMES: [&str; 11] =
        ["axpy", "sum", "matvec", "matmul", "stencil2d", "bm2d", "jacobi", "heat2d", "heat3d", "cardiac", "s3d"];
    let both = |(name, n)| match name {
        "heat3d" => vec![Case { name, n }, Case { name: "heat3d-periodic", n }],
        _ => vec![Case { name, n }],
    };
    NAMES.into_iter().zip(sizes).flat_map(both).collect()
}

/// How often.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Times of each form that are taken.
    pub rounds: usize,
    /// A time is that of so many sweeps that they take as long.
    pub time: Duration,
}

/// What came out for a case.
#[derive(Clone, Debug)]
pub struct Line {
    case: Case,
    element: ElementType,
    /// Sweeps of one time.
    sweeps: usize,
    /// Seconds of a sweep; none where the kernel by hand is a call of a library.
    hand: Option<Spread>,
    single: Spread,
    /// The time by hand over the other's, round by round.
    ratio: Option<Spread>,
}

/// What the columns of [`Line::csv`] are.
pub const HEADER: &str = "workload,n,element,sweeps,hand_us,hand_lower_us,hand_upper_us,single_us,single_lower_us,\
                          single_upper_us,hand_over_single,ratio_lower,ratio_upper";

impl Line {
    /// As a line of a CSV file.
    pub fn csv(&self) -> String {
        let Case { name, n } = self.case;
        let mut line = format!("{name},{n},{},{}", self.element, self.sweeps);
        let columns = [self.hand.map(|s| s.scaled(1e6)), Some(self.single.scaled(1e6)), self.ratio];
        for spread in columns {
            let _ = match spread {
                Some(s) => write!(line, ",{:.4},{:.4},{:.4}", s.median, s.lower_quartile, s.upper_quartile),
                None => write!(line, ",,,"),
            };
        }
        line
    }
}

/// A table of medians, and quartiles of the ratios.
pub fn table(lines: &[Line]) -> String {
    let mut text = "| workload | n | element | by hand, us | one function, us | by hand / one function | quartiles |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for Line { case, element, hand, single, ratio, .. } in lines {
        let hand = hand.map_or("a library's".to_owned(), |hand| format!("{:.2}", 1e6 * hand.median));
        let (ratio, quartiles) = ratio.map_or_else(Default::default, |ratio| {
            (format!("{:.3}", ratio.median), format!("{:.3} to {:.3}", ratio.lower_quartile, ratio.upper_quartile))
        });
        let single = 1e6 * single.median;
        let _ =
            writeln!(text, "| {} | {} | {element} | {hand} | {single:.2} | {ratio} | {quartiles} |", case.name, case.n);
    }
    text
}

/// What is measured: each can be placed in a region again and again.
enum Subject {
    Workload(Box<dyn Instance>),
    Application(Box<dyn Application>),
}

/// Both forms of a case on these devices, each verified first.
///
/// # Errors
/// As building and running it; when a result is wrong.
pub fn compare(
    rt: &Runtime,
    devices: &str,
    case: Case,
    element: ElementType,
    effort: Effort,
) -> std::result::Result<Line, Box<dyn std::error::Error>> {
    let Case { name, n } = case;
    let mut subject = match apps::find(name.trim_end_matches("-periodic")) {
        Ok(_) => Subject::Application(apps::build(name, n, element, 1, Memory::default())?),
        Err(_) => Subject::Workload(find(name)?.build(n, element, 1)?),
    };
    let on_gpu = rt.machine().enabled_devices().any(|device| device.kind == DeviceKind::Cuda);
    let library = match &subject {
        Subject::Workload(instance) => matches!(instance.kernel().cuda_variant(), Some(CudaVariant::Call(_))) && on_gpu,
        Subject::Application(_) => false,
    };
    let forms: &[Form] = if library { &[Form::Single] } else { &Form::ALL };
    for &form in forms {
        let verified = match &mut subject {
            Subject::Workload(instance) => {
                instance.reset();
                let mut sum = None;
                let mut region = rt.data_region().devices(devices);
                let mut loops = instance.place(&mut region);
                if let Some(later) = loops.sweep(&mut region, form)? {
                    sum = Some(apportion::kernel::Scalar::F64(region.value(later)?));
                }
                drop(loops);
                region.finish()?;
                instance.verify(sum)
            }
            Subject::Application(application) => {
                let options =
                    RegionOptions { devices: Some(devices.to_owned()), fixed: true, form, ..RegionOptions::default() };
                application.run(rt, &options, 2)?;
                application.verify(2)?
            }
        };
        if !verified.ok {
            return Err(format!("{name} of size {n} in {element}, {form}: {verified}").into());
        }
    }
    let mut region = rt.data_region().devices(devices).rebalance(false);
    let (sweeps, times) = match &mut subject {
        Subject::Workload(instance) => {
            let mut loops = instance.place(&mut region);
            in_turns(&mut region, &mut loops, forms, effort)?
        }
        Subject::Application(application) => {
            let mut loops = application.place(&mut region);
            in_turns(&mut region, &mut loops, forms, effort)?
        }
    };
    drop(region);
    let spread = |of: usize| Spread::of(times.iter().map(|round| round[of]));
    let (hand, single) = if library { (None, spread(0)) } else { (Some(spread(0)), spread(1)) };
    let ratio = hand.map(|_| Spread::of(times.iter().map(|round| round[0] / round[1])));
    Ok(Line { case, element, sweeps, hand, single, ratio })
}

/// Seconds of a sweep by each form, of each round. The second number is how many sweeps a time was of.
fn in_turns<'a>(
    region: &mut DataRegion<'_, 'a>,
    loops: &mut Resident<'a>,
    forms: &[Form],
    effort: Effort,
) -> Result<(usize, Vec<Vec<f64>>)> {
    let mut timed = |form: Form, sweeps: usize| -> Result<f64> {
        let start = Instant::now();
        let mut pending = Vec::new();
        for _ in 0..sweeps {
            pending.extend(loops.sweep(region, form)?);
        }
        for later in pending {
            region.value(later)?;
        }
        region.wait()?;
        Ok(start.elapsed().as_secs_f64() / sweeps as f64)
    };
    let mut slowest = 0f64;
    for &form in forms {
        // The first compiles, places and warms up.
        timed(form, 2)?;
        slowest = slowest.max(timed(form, 2)?);
    }
    // An even number: arrays that take turns are back where they began.
    let sweeps = ((effort.time.as_secs_f64() / slowest) as usize / 2 * 2).clamp(2, 1000);
    let mut times = Vec::with_capacity(effort.rounds);
    for round in 0..effort.rounds {
        let mut order: Vec<usize> = (0..forms.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        let mut of_round = vec![0.0; forms.len()];
        for place in order {
            of_round[place] = timed(forms[place], sweeps)?;
        }
        times.push(of_round);
    }
    Ok((sweeps, times))
}
