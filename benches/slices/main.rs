//! The CPU loops that `#[kernel]` makes beside plain loops over slices, on one thread and without the runtime: the same
//! arrays, the same call, in turns.
//!
//! `cargo run --release -p apportion-benches --bin slices [-- [--quick] [--write] [NAME ..]]`. CSV comes on standard output, a
//! table on standard error; `--write` keeps both in `results/`.
//!
//! Each loop by hand is compiled twice: as the program is, and, as kernels are, for the vectors of the processor at hand. A
//! ratio is to the faster of the two.

mod hand;

use apportion::devices::topology::bind_current_thread;
use apportion::kernel::generated::{self as ap, Body, HostCall, HostLoop};
use apportion::kernel::{BodyResult, Element, ElementType, HostArgument, Scalar};
use apportion::units::Seconds;
use apportion_benches::host;
use apportion_benches::measure::{Effort, Series, Side, Spread, in_turns};
use apportion_benches::record::{Facts, facts, now};
use apportion_kernels::single;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::hint::black_box;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// A loop by hand that takes its arguments as kernels do.
trait ByHand: HostLoop {
    /// Compiled as the program is.
    fn as_compiled(range: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar>;
}

macro_rules! by_hand {
    ($($name:ident($($scalar:ident: $s:ty),*; $($array:ident: $take:ident $slice:ty),*) -> $value:ty { $call:expr })*) => {$(
        struct $name;

        impl<'s> Body<($($s,)*), ($($slice,)*)> for $name {
            type Value = $value;

            #[inline(always)]
            fn run<const OPERATOR: u8>(($($scalar,)*): ($($s,)*), ($($array,)*): ($($slice,)*)) -> $value {
                $call
            }
        }

        impl HostLoop for $name {
            fn run<const OPERATOR: u8>(_: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar> {
                let [$($scalar,)* $($array),*] = arguments else { unreachable!("as many as the kernel has") };
                ap::best::<Self, 0, _, _>(($(ap::scalar::<$s>($scalar),)*), ($(ap::$take($array).0,)*)).into_partial()
            }
        }

        impl ByHand for $name {
            fn as_compiled(_: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar> {
                #[inline(never)]
                fn body<'s>($($scalar: $s,)* $($array: $slice),*) -> $value {
                    $call
                }
                let [$($scalar,)* $($array),*] = arguments else { unreachable!("as many as the kernel has") };
                body($(ap::scalar::<$s>($scalar),)* $(ap::$take($array).0),*).into_partial()
            }
        }
    )*};
}

macro_rules! loops {
    ($module:ident: $t:ident, $axpy:ident $sum:ident $matvec:ident $matmul:ident $stencil2d:ident) => {
        mod $module {
            use super::*;
            use hand::$module as hand;

            by_hand! {
                Axpy(a: $t; x: read &'s [$t], y: write &'s mut [$t]) -> () { hand::axpy(a, x, y) }
                Sum(; x: read &'s [$t]) -> f64 { hand::sum(x) }
                Matvec(n: u64; a: read &'s [$t], x: read &'s [$t], y: write &'s mut [$t]) -> () {
                    hand::matvec(n as usize, a, x, y)
                }
                MatvecReordered(n: u64; a: read &'s [$t], x: read &'s [$t], y: write &'s mut [$t]) -> () {
                    hand::matvec_reordered(n as usize, a, x, y)
                }
                Matmul(n: u64; a: read &'s [$t], b: read &'s [$t], c: write &'s mut [$t]) -> () {
                    hand::matmul(n as usize, a, b, c)
                }
                Stencil2d(n: u64, c0: $t, c1: $t, c2: $t, c3: $t; input: read &'s [$t], output: write &'s mut [$t]) -> () {
                    hand::stencil2d(n as usize, [c0, c1, c2, c3], input, output)
                }
            }

            /// As the workload, but sums keep their order.
            #[apportion::kernel]
            fn matvec(i: usize, n: usize, a: &[$t], x: &[$t], y: &mut [$t]) {
                let mut s = 0.0;
                for j in 0..n {
                    s += a[i * n + j] * x[j];
                }
                y[i] = s;
            }

            fn numbers(n: usize) -> Array {
                Array::of((0..n).map(|i| ((i * 7919 % 1009) as $t - 504.0) / 1009.0))
            }

            /// The workloads of this precision.
            pub fn cases(large: bool) -> Vec<Case> {
                let pick = |small: usize, big: usize| if large { big } else { small };
                let mut list = Vec::new();
                let mut add = |name, n, iterations, [made, near, plain]: [HostCall; 3], scalars, inputs, output| {
                    let element = <$t>::TYPE;
                    list.push(Case { name, n, element, iterations, made, near, plain, scalars, inputs, output });
                };
                let n = pick(8 << 10, 4 << 20);
                let a = vec![(0.001 as $t).to_scalar()];
                add("axpy", n, n, calls::<single::instances::$axpy, Axpy>(), a, vec![numbers(n)], Some(numbers(n)));
                add("sum", n, n, calls::<single::instances::$sum, Sum>(), vec![], vec![numbers(n)], None);
                let n = pick(128, 2048);
                let scalars = vec![(n as u64).to_scalar()];
                let inputs = vec![numbers(n * n), numbers(n)];
                add("matvec", n, n, calls::<matvec, Matvec>(), scalars, inputs, Some(numbers(n)));
                let scalars = vec![(n as u64).to_scalar()];
                let inputs = vec![numbers(n * n), numbers(n)];
                let reordered = calls::<single::instances::$matvec, MatvecReordered>();
                add("matvec-reordered", n, n, reordered, scalars, inputs, Some(numbers(n)));
                let n = pick(64, 256);
                let scalars = vec![(n as u64).to_scalar()];
                let inputs = vec![numbers(n * n), numbers(n * n)];
                add("matmul", n, n, calls::<single::instances::$matmul, Matmul>(), scalars, inputs, Some(numbers(n * n)));
                let n = pick(256, 2048);
                let mut scalars = vec![(n as u64).to_scalar()];
                scalars.extend([0.5, 0.08, 0.03, 0.015].map(|c: $t| c.to_scalar()));
                let stencil = calls::<single::instances::$stencil2d, Stencil2d>();
                add("stencil2d", n, n, stencil, scalars, vec![numbers(n * n)], Some(numbers(n * n)));
                list
            }
        }
    };
}
loops!(in_f32: f32, axpy_f32 sum_f32 matvec_f32 matmul_f32 stencil2d_f32);
loops!(in_f64: f64, axpy_f64 sum_f64 matvec_f64 matmul_f64 stencil2d_f64);

by_hand! {
    Bm2d(n: u64; current: read &'s [u8], reference: read &'s [u8], result: write &'s mut [i32]) -> () {
        hand::bm2d(n as usize, current, reference, result)
    }
}

fn block_matching(n: usize) -> Case {
    let frame = |seed: usize| Array::of((0..n * n).map(move |i| ((i * 31 + i / n * seed) % 251) as u8));
    let [made, near, plain] = calls::<single::bm2d, Bm2d>();
    Case {
        name: "bm2d",
        n,
        element: ElementType::U8,
        iterations: n / 16,
        made,
        near,
        plain,
        scalars: vec![(n as u64).to_scalar()],
        inputs: vec![frame(17), frame(29)],
        output: Some(Array::of((0..n / 16 * (n / 16) * 3).map(|_| 0i32))),
    }
}

/// The kernel, the loop by hand for the same vectors, and the same as the program is compiled.
fn calls<Made: HostLoop, Hand: ByHand>() -> [HostCall; 3] {
    [ap::calls::<Made>()[0], ap::calls::<Hand>()[0], Hand::as_compiled]
}

/// Elements as bytes, which begin at a cache line or a little after one.
struct Array {
    bytes: Vec<u8>,
    first: usize,
    len: usize,
}

impl Array {
    fn of<T: Element>(values: impl Iterator<Item = T>) -> Self {
        let values: Vec<T> = values.collect();
        let elements: &[u8] = bytemuck::cast_slice(&values);
        let mut array = Self { bytes: vec![0; elements.len() + 2 * LINE], first: 0, len: elements.len() };
        array.first = array.bytes.as_ptr().align_offset(LINE);
        array.bytes_mut().copy_from_slice(elements);
        array
    }

    /// Moves it to so many bytes past a line.
    fn place(&mut self, past: usize) {
        let (from, to) = (self.first, self.bytes.as_ptr().align_offset(LINE) + past);
        self.bytes.copy_within(from..from + self.len, to);
        self.first = to;
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[self.first..][..self.len]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.first..][..self.len]
    }
}

/// The mean time of one of `calls` calls: this thread's own where the system tells it, so that what else runs on this CPU
/// does not count.
fn own_time<R>(calls: u32, mut call: impl FnMut() -> R) -> Seconds {
    #[cfg(unix)]
    let now = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    #[cfg(not(unix))]
    let now = {
        let start = std::time::Instant::now();
        move || start.elapsed()
    };
    let before = now();
    (0..calls).for_each(|_| drop(black_box(call())));
    ((now() - before) / calls).into()
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// Bytes past a line where arrays begin. Long ones of the C library's `malloc`, and so of `Vec`, begin 16 past one.
const PLACES: [usize; 2] = [0, 16];

/// A workload, and all that is timed of it.
struct Case {
    name: &'static str,
    n: usize,
    element: ElementType,
    iterations: usize,
    /// What `#[kernel]` made.
    made: HostCall,
    /// By hand, for the vectors of the processor at hand.
    near: HostCall,
    /// By hand, as the program is compiled.
    plain: HostCall,
    scalars: Vec<Scalar>,
    inputs: Vec<Array>,
    output: Option<Array>,
}

impl Case {
    /// Runs one of the loops: over scalars, inputs and the output, in this order, which is that of all six kernels.
    fn run(&mut self, call: HostCall) -> Option<Scalar> {
        let scalars = self.scalars.iter().map(|&scalar| HostArgument::Scalar(scalar));
        let inputs = self.inputs.iter().map(|array| HostArgument::In { bytes: array.bytes(), first: 0, row_len: 1 });
        let output = self.output.iter_mut();
        let output = output.map(|array| HostArgument::Out { bytes: array.bytes_mut(), first: 0, row_len: 1 });
        let mut arguments: Vec<_> = scalars.chain(inputs).chain(output).collect();
        call(0..self.iterations, &mut arguments)
    }

    /// What comes out of a loop, from the same output before it.
    fn outcome(&mut self, call: HostCall) -> (Option<Scalar>, Vec<u8>) {
        let before = self.output.as_ref().map(|array| array.bytes().to_vec());
        let value = self.run(call);
        let after = self.output.as_ref().map_or_else(Vec::new, |array| array.bytes().to_vec());
        if let (Some(array), Some(before)) = (&mut self.output, before) {
            array.bytes_mut().copy_from_slice(&before);
        }
        (value, after)
    }

    /// Times the three in turns, after their results were compared to the last bit.
    fn compare(&mut self, past: usize, effort: Effort, each: Duration) -> Result<Line, String> {
        self.inputs.iter_mut().chain(&mut self.output).for_each(|array| array.place(past));
        let &mut Self { name, n, element, made, near, plain, .. } = self;
        let expected = self.outcome(plain);
        for (form, call) in [("#[kernel]", made), ("by hand for this processor", near)] {
            if self.outcome(call) != expected {
                return Err(format!("{name} of size {n} in {element}: {form} gives another result"));
            }
        }
        let once = own_time(3, || self.run(plain));
        let calls = (each.as_secs_f64() / once.0).clamp(1.0, 1e6) as u32;
        let case = RefCell::new(self);
        let side = |call: HostCall| -> Side<'_> {
            let case = &case;
            Box::new(move || {
                let mut case = case.borrow_mut();
                own_time(calls, || case.run(call))
            })
        };
        let series = in_turns(&mut [side(made), side(near), side(plain)], effort);
        let [made, near, plain] = <[Series; 3]>::try_from(series).map_err(|_| "three sides were timed")?;
        let hand = if near.spread().median <= plain.spread().median { &near } else { &plain };
        Ok(Line { name, n, element, past, ratio: hand.over(&made), made, near, plain })
    }
}

/// What came out for a workload.
struct Line {
    name: &'static str,
    n: usize,
    element: ElementType,
    past: usize,
    made: Series,
    near: Series,
    plain: Series,
    ratio: Spread,
}

const HEADER: &str = "workload,n,element,bytes_past_line,rounds,kernel_us,kernel_lower_us,kernel_upper_us,hand_us,hand_lower_us,\
                      hand_upper_us,hand_as_compiled_us,hand_as_compiled_lower_us,hand_as_compiled_upper_us,\
                      hand_over_kernel,ratio_lower,ratio_upper";

impl Line {
    fn csv(&self) -> String {
        let Self { name, n, element, past, .. } = self;
        let mut line = format!("{name},{n},{element},{past},{}", self.made.rounds());
        for series in [&self.made, &self.near, &self.plain] {
            let Spread { lower_quartile, median, upper_quartile } = series.spread().scaled(1e6);
            let _ = write!(line, ",{median:.4},{lower_quartile:.4},{upper_quartile:.4}");
        }
        let Spread { lower_quartile, median, upper_quartile } = self.ratio;
        let _ = write!(line, ",{median:.4},{lower_quartile:.4},{upper_quartile:.4}");
        line
    }
}

fn table(lines: &[Line]) -> String {
    let mut text = "| workload | n | element | past a line | `#[kernel]`, us | by hand, same vectors, us | by hand, as compiled, us | \
                    by hand / `#[kernel]` | quartiles |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for Line { name, n, element, past, made, near, plain, ratio } in lines {
        let [made, near, plain] = [made, near, plain].map(|series| 1e6 * series.spread().median);
        let Spread { lower_quartile, median, upper_quartile } = ratio;
        let _ = writeln!(
            text,
            "| {name} | {n} | {element} | {past} | {made:.2} | {near:.2} | {plain:.2} | {median:.3} | {lower_quartile:.3} to \
             {upper_quartile:.3} |"
        );
    }
    text
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, names): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    if let Some(unknown) = flags.iter().find(|flag| !["--quick", "--write"].contains(&flag.as_str())) {
        return Err(format!("unknown argument `{unknown}`: there are --quick, --write and names of workloads").into());
    }
    let has = |flag: &str| flags.iter().any(|word| word == flag);
    let facts = facts();
    // One CPU for all sides, if the system lets us choose it.
    if let Some(&cpu) = host::cpus().last() {
        let _ = bind_current_thread(cpu);
    }
    let mut cases = Vec::new();
    for large in [false, true] {
        cases.extend(in_f32::cases(large));
        cases.extend(in_f64::cases(large));
        cases.push(block_matching(if large { 256 } else { 64 }));
    }
    if let Some(unknown) = names.iter().find(|name| cases.iter().all(|case| case.name != **name)) {
        return Err(format!("there is no workload `{unknown}`").into());
    }
    let (effort, each) = if has("--quick") {
        (Effort { rounds: 11, time: Duration::ZERO }, Duration::from_micros(200))
    } else {
        (Effort { rounds: 101, time: Duration::from_secs(1) }, Duration::from_micros(1000))
    };
    println!("{HEADER}");
    let mut lines = Vec::new();
    for mut case in cases.into_iter().filter(|case| names.is_empty() || names.iter().any(|name| name == case.name)) {
        for past in PLACES {
            let line = case.compare(past, effort, each)?;
            println!("{}", line.csv());
            lines.push(line);
        }
    }
    eprintln!("{}", table(&lines));
    if has("--write") {
        let folder = keep(&facts, &lines)?;
        eprintln!("written to {}", folder.canonicalize()?.display());
    }
    Ok(())
}

/// Writes `slices.csv` and `README.md` into `results/bench-single-<machine>-<date>`.
fn keep(facts: &Facts, lines: &[Line]) -> std::io::Result<PathBuf> {
    let now = now();
    let folder = format!("bench-single-{}-{}", facts.slug(), now.split('T').next().unwrap_or_default());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results").join(folder);
    std::fs::create_dir_all(&folder)?;
    let mut csv = format!("{HEADER}\n");
    lines.iter().for_each(|line| csv += &format!("{}\n", line.csv()));
    std::fs::write(folder.join("slices.csv"), csv)?;
    let or = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
    let load = facts.load_before.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"));
    let slow: Vec<String> = lines
        .iter()
        .filter(|line| line.ratio.median < 0.95)
        .map(|line| format!("{} {} n = {} at {}", line.name, line.element, line.n, line.past))
        .collect();
    let reading =
        if slow.is_empty() { "No row is below 0.95.".to_owned() } else { format!("Below 0.95: {}.", slow.join("; ")) };
    let words: String = std::env::args().skip(1).map(|word| format!(" {word}")).collect();
    std::fs::write(
        folder.join("README.md"),
        format!(
            "# CPU loops of `#[kernel]` beside plain loops over slices\n\n\
             Written by the program; nothing here is edited.\n\n\
             - command: `cargo run --release -p apportion-benches --bin slices --{words}`\n- date: {now}\n\
             - processor: {}, one thread bound to a CPU\n- load average before the run: {load}, of {} CPUs\n\
             - compiler: {}\n- commit: {}\n\n{}\n{reading}\n\n\
             The loops take turns (A, B, C, C, B, A, ..) on the same arrays and give the same results to the last bit. \
             \"past a line\": bytes from the start of a cache line to where the arrays begin; long arrays of `malloc` begin 16 \
             past one. Times are medians of one call, without the runtime: the \
             thread's own, so that what else ran on the CPU does not count, though it may have had its share of caches and memory. \"same vectors\": compiled for the \
             processor's vectors, as what `#[kernel]` makes is; \"as compiled\": for those that the program is built for. The \
             ratio is the median of the rounds' own ratios, with its quartiles, of the faster loop by hand: above 1 the kernel \
             is faster. `slices.csv` has the quartiles of each side.\n",
            facts.cpu,
            facts.cpus,
            or(&facts.rustc),
            or(&facts.commit),
            table(lines),
        ),
    )?;
    Ok(folder)
}
