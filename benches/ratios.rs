//! Measures every promised ratio in one run: `cargo run --release -p apportion-benches --bin ratios [-- --write]`.

use apportion::prelude::*;
use apportion::units::Seconds;
use apportion_benches::loops::Contest;
use apportion_benches::measure::{Effort, Side, in_turns, time, time_each};
use apportion_benches::overhead::EmptyLoop;
use apportion_benches::record::{Ratio, Record, Timed, Wanted, facts, table};
use apportion_benches::{handout, openmp, simulator};
use std::cell::RefCell;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: ratios [--write] [--only WORD] [--machine NAME]\n\
    --write         keep the table in results/bench-<machine>-<date>\n\
    --only WORD     only what has WORD in its name, such as `empty` or `matvec`\n\
    --machine NAME  the machine's name in that folder's name; from the processor otherwise";

struct Options {
    write: bool,
    only: Option<String>,
    machine: Option<String>,
}

fn options(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { write: false, only: None, machine: None };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--write" => options.write = true,
            "--only" => options.only = Some(value()?),
            "--machine" => options.machine = Some(value()?),
            other => return Err(format!("unknown argument `{other}`")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    openmp::bind_threads();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let facts = facts();
    let wants = |what: &str| options.only.as_ref().is_none_or(|only| what.contains(only.as_str()));
    let mut ratios = Vec::new();
    for (what, measure) in PAIRS {
        if wants(what) {
            let ratio = measure(what)?;
            eprint!("{}", table(std::slice::from_ref(&ratio)).lines().last().unwrap_or_default());
            eprintln!();
            ratios.push(ratio);
        }
    }
    println!("{}", table(&ratios));
    if options.write {
        let mut command = "cargo run --release -p apportion-benches --bin ratios --".to_owned();
        for word in std::env::args().skip(1) {
            command += " ";
            command += &word;
        }
        let machine = options.machine.clone().unwrap_or_else(|| facts.slug());
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
        let folder = Record::new(command, facts, ratios).write(&results, &machine)?;
        println!("written to {}", folder.canonicalize()?.display());
    }
    Ok(())
}

type Measure = fn(&str) -> Result<Ratio>;

const PAIRS: &[(&str, Measure)] = &[
    ("empty host-only parallel_for", empty),
    ("hand-out of a chunk, 16 proxies", hand_out),
    ("hand-out of a chunk, 16 proxies in turns", hand_out_in_turns),
    ("small axpy", small_axpy),
    ("axpy", beside_rayon_and_openmp),
    ("sum", beside_rayon_and_openmp),
    ("matvec", beside_rayon_and_openmp),
    ("stencil2d", beside_rayon_and_openmp),
    ("bm2d", beside_rayon_and_openmp),
    ("matmul", matmul),
    ("simulate 7 policies x 6 loops x 7 devices", simulate_node),
    ("simulate 7 policies, 1e12 iterations, 1024 devices", simulate_thousand),
];

fn empty(what: &str) -> Result<Ratio> {
    // Turns of a third of a millisecond: another program's time slice falls on few of them.
    const CALLS: u32 = 20;
    let empty = EmptyLoop::new()?;
    let mut sides: [Side<'_>; 2] =
        [Box::new(|| time_each(CALLS, || empty.ours())), Box::new(|| time_each(CALLS, || empty.rayon()))];
    let series = in_turns(&mut sides, Effort { rounds: 3001, ..Effort::FULL });
    Ok(Ratio::of(what, ("apportion", &series[0]), &[("rayon", &series[1])], Vec::new(), Wanted::TimeAtMost(1.1)))
}

fn hand_out(what: &str) -> Result<Ratio> {
    let mut sides: [Side<'_>; 1] = [Box::new(|| handout::contended(16, 1_000_000, false))];
    let series = in_turns(&mut sides, Effort::FULL);
    Ok(Ratio::of_limit(what, ("apportion", &series[0]), Seconds::from_micros(1.0)))
}

/// On few CPUs a thread seldom meets another at the lock; here each gives way after its chunk, and what that costs by
/// itself is taken off.
fn hand_out_in_turns(what: &str) -> Result<Ratio> {
    const CHUNKS: u64 = 200_000;
    let mut sides: [Side<'_>; 2] =
        [Box::new(|| handout::contended(16, CHUNKS, true)), Box::new(|| handout::turns_alone(16, CHUNKS))];
    let series = in_turns(&mut sides, Effort::FULL);
    Ok(Ratio::of_limit(what, ("apportion", &series[0].beyond(&series[1])), Seconds::from_micros(1.0)))
}

fn simulate_node(what: &str) -> Result<Ratio> {
    let node = simulator::node()?;
    let mut sides: [Side<'_>; 1] = [Box::new(|| time(|| node.iter().map(simulator::all_seven).collect::<Vec<_>>()))];
    let series = in_turns(&mut sides, Effort::FULL);
    Ok(Ratio::of_limit(what, ("apportion", &series[0]), Seconds::from_millis(50.0)))
}

fn simulate_thousand(what: &str) -> Result<Ratio> {
    let case = simulator::thousand()?;
    let mut sides: [Side<'_>; 1] = [Box::new(|| time(|| simulator::all_seven(&case)))];
    let series = in_turns(&mut sides, Effort::FULL);
    Ok(Ratio::of_limit(what, ("apportion", &series[0]), Seconds(1.0)))
}

fn beside_rayon_and_openmp(workload: &str) -> Result<Ratio> {
    let mut contest = Contest::new(workload, None)?;
    contest.verify()?;
    let what = format!("{workload} {}, n = {}", contest.element(), contest.n());
    let absent: Vec<_> = contest.without_openmp().map(|why| Timed::absent("OpenMP", why)).into_iter().collect();
    let contest = RefCell::new(contest);
    let mut sides: Vec<Side<'_>> =
        vec![Box::new(|| contest.borrow_mut().ours().0), Box::new(|| contest.borrow_mut().rayon().0)];
    if absent.is_empty() {
        sides.push(Box::new(|| contest.borrow_mut().openmp().map_or(Seconds::ZERO, |(elapsed, _)| elapsed)));
    }
    let series = in_turns(&mut sides, Effort::WORKLOAD);
    let theirs: Vec<_> = ["rayon", "OpenMP"].into_iter().zip(&series[1..]).collect();
    Ok(Ratio::of(&what, ("apportion", &series[0]), &theirs, absent, Wanted::SpeedAtLeast(0.95)))
}

/// A loop of about ten microseconds, in the cache: neither the runtime's cost nor the caller's waiting is hidden by work.
fn small_axpy(_: &str) -> Result<Ratio> {
    const CALLS: usize = 20;
    let mut contest = Contest::new("axpy", Some(100_000))?;
    contest.verify()?;
    let contest = RefCell::new(contest);
    let mean = |one: &mut dyn FnMut() -> Seconds| (0..CALLS).map(|_| one()).sum::<Seconds>() / CALLS as f64;
    let mut sides: [Side<'_>; 2] = [
        Box::new(|| mean(&mut || contest.borrow_mut().ours().0)),
        Box::new(|| mean(&mut || contest.borrow_mut().rayon().0)),
    ];
    let series = in_turns(&mut sides, Effort { rounds: 1001, ..Effort::FULL });
    let what = "axpy f32, n = 100000";
    Ok(Ratio::of(what, ("apportion", &series[0]), &[("rayon", &series[1])], Vec::new(), Wanted::SpeedAtLeast(0.95)))
}

fn matmul(workload: &str) -> Result<Ratio> {
    // The triple loop takes seconds at 1024 already.
    let mut contest = Contest::new(workload, Some(1024))?;
    contest.verify()?;
    let what = format!("{workload} {}, n = {}", contest.element(), contest.n());
    let absent: Vec<_> = contest.without_openmp().map(|why| Timed::absent("OpenMP", why)).into_iter().collect();
    let contest = RefCell::new(contest);
    let mut sides: Vec<Side<'_>> =
        vec![Box::new(|| contest.borrow_mut().ours().0), Box::new(|| contest.borrow_mut().triple_loop())];
    if absent.is_empty() {
        sides.push(Box::new(|| contest.borrow_mut().openmp().map_or(Seconds::ZERO, |(elapsed, _)| elapsed)));
    }
    let series = in_turns(&mut sides, Effort { rounds: 5, ..Effort::FULL });
    let names = ["triple loop by rayon", "triple loop by OpenMP"];
    let theirs: Vec<_> = names.into_iter().zip(&series[1..]).collect();
    Ok(Ratio::of(&what, ("apportion", &series[0]), &theirs, absent, Wanted::SpeedAtLeast(5.0)))
}
