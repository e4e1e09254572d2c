//! How many threads the host's loops are fastest with.
//!
//! A virtual machine may have more CPUs than its host runs at once. If each has a thread, the last ones of a short loop begin when
//! the first have ended, and a loop on fewer threads takes less time.

use crate::failure::Failure;
use apportion::devices::Device as _;
use apportion::devices::host::HostDevice;
use apportion::devices::open::Opener;
use apportion::model::Machine;
use apportion::model::machine::{DeviceKind, Figure, Source};
use apportion_cli::grouping::three_digits;
use apportion_cli::statistics::summarise;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Loops of so many microseconds on all threads.
const LENGTHS: [f64; 4] = [100.0, 400.0, 1600.0, 6400.0];
/// Numbers of threads, in eighths of all.
const EIGHTHS: [usize; 5] = [8, 7, 6, 5, 4];
/// Where there are no more threads than this, each has a CPU that runs.
const FEW: usize = 16;
/// Pieces for each thread, as loops are cut.
const PIECES: usize = 4;
/// Samples of a burst, and bursts.
const SAMPLES: usize = 7;
const BURSTS: usize = 3;
/// Between two loops, so that threads sleep, and between two bursts.
const REST: Duration = Duration::from_millis(2);
const APART: Duration = Duration::from_millis(300);
/// Fewer threads have to be faster by this, over all lengths, and long loops may take longer by this.
const GAIN: f64 = 1.15;
const LONGER: f64 = 1.1;

/// Microseconds that loops of [`LENGTHS`] take with a number of threads.
type Times = (usize, [f64; 4]);

/// Sets the number of threads of each enabled host device with many, where fewer do better, unless its description states one that
/// was not measured. Gives a line for each that was looked at.
pub fn choose(machine: &mut Machine, when: &str) -> Result<Vec<String>, Failure> {
    let mut said = Vec::new();
    let hosts = |machine: &Machine| -> Vec<usize> {
        let real = |place: &usize| machine.devices[*place].enabled && machine.devices[*place].kind == DeviceKind::Host;
        (0..machine.devices.len()).filter(real).collect()
    };
    for place in hosts(machine) {
        let stated = machine.devices[place].host.as_ref().and_then(|section| section.threads.clone());
        if stated.as_ref().is_some_and(|threads| threads.source != Source::Measured) {
            continue;
        }
        // What an earlier probe found must not be an upper limit.
        machine.devices[place].host.iter_mut().for_each(|section| section.threads = None);
        let entry = machine.devices[place].clone();
        // Why it has none is said when it is opened, with the file.
        let Ok(cpus) = Opener::new(machine).host_cpus(&entry) else { continue };
        if cpus.len() <= FEW {
            said.extend(stated.map(|_| format!("{}: {} threads, one for each CPU", entry.name, cpus.len())));
            continue;
        }
        let Some((threads, gains)) = fewer(&measure(&entry.name, &cpus, &LENGTHS)?) else {
            said.push(format!("{}: {} threads; fewer do no better", entry.name, cpus.len()));
            continue;
        };
        let of = |(count, gain): &(usize, f64)| format!("{count} are {} times as fast", three_digits(*gain));
        let each: Vec<_> = gains.iter().filter(|(count, _)| *count < cpus.len()).map(of).collect();
        let what = format!("in loops of 0.1 to 6.4 ms, by {} threads: {}", cpus.len(), each.join(", "));
        said.push(format!("{}: {threads} threads: {what}", entry.name));
        let figure = Figure::measured(threads as f64).with_note(format!("{what}; {when}"));
        machine.devices[place].host.get_or_insert_default().threads = Some(figure);
    }
    Ok(said)
}

/// The median times of loops of `lengths` for each number of threads, in turns, in bursts.
fn measure(name: &str, cpus: &[usize], lengths: &[f64; 4]) -> Result<Vec<Times>, Failure> {
    let counts = EIGHTHS.map(|eighths| cpus.len() * eighths / 8);
    let open = |count: usize| HostDevice::open(name, &cpus[..count], false).map_err(Failure::from);
    let devices = counts.map(open).into_iter().collect::<Result<Vec<_>, _>>()?;
    let per_us = steps_per_us();
    let mut samples = vec![[const { Vec::new() }; 4]; devices.len()];
    for burst in 0..BURSTS {
        if burst > 0 {
            std::thread::sleep(APART);
        }
        for _ in 0..SAMPLES {
            for (device, samples) in devices.iter().zip(&mut samples) {
                for (length, samples) in lengths.iter().zip(samples) {
                    let pieces = PIECES * device.threads();
                    let steps = (length * per_us * cpus.len() as f64 / pieces as f64) as u64;
                    let Some(pool) = device.pool() else { continue };
                    std::thread::sleep(REST);
                    let start = Instant::now();
                    pool.install(|| (0..pieces).into_par_iter().with_max_len(1).for_each(|_| work(steps)));
                    samples.push(start.elapsed().as_secs_f64() * 1e6);
                }
            }
        }
    }
    let median = |samples: &Vec<f64>| summarise(samples).map_or(f64::NAN, |all| all.median);
    Ok(counts.iter().zip(&samples).map(|(&count, of)| (count, of.each_ref().map(median))).collect())
}

/// The number of threads with which loops are fastest, if that is not the largest: long ones may take a little longer. Also how many
/// times as fast they are with each number as with the largest.
fn fewer(times: &[Times]) -> Option<(usize, Vec<(usize, f64)>)> {
    let (_, all) = times.iter().max_by_key(|(count, _)| *count)?;
    let longest = times.iter().map(|(_, times)| times[3]).fold(f64::INFINITY, f64::min);
    let gains: Vec<(usize, f64)> = times.iter().map(|(count, times)| (*count, faster(times, all))).collect();
    let is_worth = |(times, (_, gain)): &(&Times, &(usize, f64))| *gain >= GAIN && times.1[3] <= LONGER * longest;
    let (_, (best, _)) = times.iter().zip(&gains).filter(is_worth).max_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
    Some((*best, gains))
}

/// How many times as fast: the geometric mean of the ratios.
fn faster(times: &[f64; 4], than: &[f64; 4]) -> f64 {
    let logarithms = times.iter().zip(than).map(|(time, than)| (than / time).ln());
    (logarithms.sum::<f64>() / times.len() as f64).exp()
}

/// Work that depends on nothing but its own results.
fn work(steps: u64) {
    let mut values = [1.0_f64, 1.1, 1.2, 1.3];
    for _ in 0..steps {
        for value in &mut values {
            *value = value.mul_add(0.999_999, 1e-6);
        }
    }
    black_box(values);
}

/// Steps that this thread does in a microsecond.
fn steps_per_us() -> f64 {
    let mut steps = 1 << 14;
    loop {
        let time = || {
            let start = Instant::now();
            work(steps);
            start.elapsed().as_secs_f64() * 1e6
        };
        let least = (0..5).map(|_| time()).fold(f64::INFINITY, f64::min);
        if least > 100.0 {
            return steps as f64 / least;
        }
        steps *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// About as on 64 CPUs of a virtual machine of which some 46 ran at once (`pools/four.txt` in results/h200-threads-2026-11-27).
    const OVERCOMMITTED: [Times; 5] = [
        (60, [945.0, 1350.0, 2940.0, 10450.0]),
        (52, [700.0, 1170.0, 2900.0, 9400.0]),
        (45, [480.0, 950.0, 2630.0, 9250.0]),
        (37, [520.0, 1000.0, 3150.0, 11200.0]),
        (30, [520.0, 1150.0, 3600.0, 14000.0]),
    ];

    #[test]
    fn fewer_threads_are_chosen_where_all_do_not_run_at_once() {
        let (threads, gains) = fewer(&OVERCOMMITTED).unwrap();
        let of = |count| gains.iter().find(|(other, _)| *other == count).unwrap().1;
        assert!(threads == 45 && (1.3..1.5).contains(&of(45)) && of(60) == 1.0, "{threads}, {gains:?}");
    }

    #[test]
    fn all_threads_stay_where_long_loops_need_them() {
        // All CPUs run at once: the time is the work by the threads, and a little for each to wake.
        let ideal = EIGHTHS.map(|eighths| {
            let threads = 32 * eighths / 8;
            (threads, LENGTHS.map(|length| 150.0 + 5.0 * threads as f64 + length * 8.0 / eighths as f64))
        });
        assert_eq!(fewer(&ideal), None);
        // Short loops alone do not decide.
        let short = ideal.map(|(count, [a, b, c, d])| (count, [a * (count as f64).powi(4), b, c, d]));
        assert!(faster(&short[4].1, &short[0].1) > GAIN);
        assert_eq!(fewer(&short), None);
        assert_eq!(fewer(&[]), None);
    }

    #[test]
    fn every_number_of_threads_is_measured_at_every_length() {
        let times = measure("test", &[0, 0, 0, 0, 0, 0, 0, 0], &[1.0, 2.0, 4.0, 8.0]).unwrap();
        assert_eq!(times.iter().map(|(count, _)| *count).collect::<Vec<_>>(), [8, 7, 6, 5, 4]);
        assert!(times.iter().flat_map(|(_, times)| times).all(|time| *time > 0.0 && time.is_finite()), "{times:?}");
    }
}
