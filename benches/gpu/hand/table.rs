//! Times as CSV, and the ratios of the best as Markdown.

use crate::quartiles;
use apportion_kernels::{Instance, Memory};
use std::fmt::{self, Write as _};

pub const HEADER: &str = "workload,n,gpus,memory,who,variant,median_ms,lower_quartile_ms,upper_quartile_ms,min_ms,verified,\
     begins_us,ends_us,pieces,again_ms";
const AUTO: &str = "AUTO";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Hand,
    /// By hand too, with threads that slept before.
    Asleep,
    Apportion,
    /// Apportion, with threads that are kept awake.
    Awake,
}

/// Where a loop's time goes beside its copies and kernels, from its report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around {
    /// From call to the begin of the first piece, in us.
    pub begins: f64,
    /// From the end of the last piece to return, in us.
    pub ends: f64,
    /// Of the GPU with the most.
    pub pieces: usize,
}

/// The loops of one variant or policy.
#[derive(Clone, Debug)]
pub struct Line {
    workload: &'static str,
    n: usize,
    gpus: usize,
    memory: Memory,
    who: Who,
    variant: String,
    /// In ms.
    pub times: Vec<f64>,
    /// Of the same run once more, right after, in ms: threads are awake and buffers in the caches. Short loops have this.
    pub again: Vec<f64>,
    /// Apportion's loops have this.
    pub around: Vec<Around>,
    pub verified: bool,
}

impl Line {
    pub fn new(
        instance: &dyn Instance,
        gpus: usize,
        memory: Memory,
        (who, variant): (Who, String),
        verified: bool,
    ) -> Self {
        let (workload, n) = (instance.name(), instance.n());
        Self {
            workload,
            n,
            gpus,
            memory,
            who,
            variant,
            times: Vec::new(),
            again: Vec::new(),
            around: Vec::new(),
            verified,
        }
    }

    fn median(&self) -> f64 {
        quartiles(self.times.clone())[0]
    }

    /// `None` where no run was repeated.
    fn median_again(&self) -> Option<f64> {
        (!self.again.is_empty()).then(|| quartiles(self.again.clone())[0])
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workload, n, gpus, memory, variant, times, around, verified, .. } = self;
        let who = match self.who {
            Who::Hand => "hand",
            Who::Asleep => "hand-asleep",
            Who::Apportion => "apportion",
            Who::Awake => "apportion-awake",
        };
        let ([median, low, high], min) =
            (quartiles(times.clone()), times.iter().copied().fold(f64::INFINITY, f64::min));
        write!(f, "{workload},{n},{gpus},{memory},{who},{variant},{median:.4},{low:.4},{high:.4},{min:.4},{verified}")?;
        match around.iter().map(|around| around.pieces).max() {
            None => write!(f, ",,,")?,
            Some(pieces) => {
                let of = |what: fn(&Around) -> f64| quartiles(around.iter().map(what).collect())[0];
                write!(f, ",{:.1},{:.1},{pieces}", of(|around| around.begins), of(|around| around.ends))?;
            }
        }
        f.write_str(&self.median_again().map_or_else(|| ",".to_owned(), |again| format!(",{again:.4}")))
    }
}

/// A row for each loop: the best by hand, the best of Apportion and AUTO, the best of each in loops that follow one of their own
/// at once, the best by hand whose threads slept, and the best of Apportion and AUTO whose threads were kept awake. Above 1,
/// Apportion is faster. Wrong results do not count.
pub fn ratios(lines: &[Line]) -> String {
    let mut text = String::from(
        "| loop | GPUs | memory | by hand | ms | Apportion | ms | by hand / Apportion | AUTO ms | by hand / AUTO | by hand / Apportion, again | by hand, asleep, ms | by hand, asleep / Apportion | Apportion, awake, ms | by hand / Apportion, awake | by hand / AUTO, awake |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for of_loop in lines.chunk_by(|a, b| (a.workload, a.n) == (b.workload, b.n)) {
        let right = || of_loop.iter().filter(|line| line.verified);
        let best = |who| right().filter(|line| line.who == who).min_by(|a, b| a.median().total_cmp(&b.median()));
        let (Some(hand), Some(ours)) = (best(Who::Hand), best(Who::Apportion)) else { continue };
        let auto_of = |who| right().find(|line| line.who == who && line.variant == AUTO).map_or(f64::NAN, Line::median);
        let auto = auto_of(Who::Apportion);
        let (by_hand, by_us) = (hand.median(), ours.median());
        let again = |who| right().filter(|line| line.who == who).filter_map(Line::median_again).min_by(f64::total_cmp);
        let again = again(Who::Hand).zip(again(Who::Apportion));
        let again = again.map_or_else(|| "-".to_owned(), |(by_hand, by_us)| format!("{:.3}", by_hand / by_us));
        let asleep = best(Who::Asleep).map(Line::median);
        let asleep =
            asleep.map_or_else(|| "- | -".to_owned(), |by_hand| format!("{by_hand:.3} | {:.3}", by_hand / by_us));
        let awake = best(Who::Awake).map(Line::median).map_or_else(
            || "- | - | -".to_owned(),
            |ms| format!("{ms:.3} | {:.3} | {:.3}", by_hand / ms, by_hand / auto_of(Who::Awake)),
        );
        let Line { workload, n, gpus, memory, variant, .. } = hand;
        let _ = writeln!(
            text,
            "| {workload} {n} | {gpus} | {memory} | {variant} | {by_hand:.3} | {} | {by_us:.3} | {:.3} | {auto:.3} | {:.3} | {again} | {asleep} | {awake} |",
            ours.variant,
            by_hand / by_us,
            by_hand / auto
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_right_ones_are_compared() {
        let line = |who, variant: &str, times: &[f64], verified| Line {
            workload: "axpy",
            n: 8,
            gpus: 1,
            memory: Memory::Plain,
            who,
            variant: variant.into(),
            times: times.into(),
            again: times.iter().map(|time| time / if who == Who::Apportion { 2.0 } else { 1.0 }).collect(),
            around: if who != Who::Apportion {
                Vec::new()
            } else {
                vec![Around { begins: 9.0, ends: 21.5, pieces: 4 }]
            },
            verified,
        };
        let lines = [
            line(Who::Hand, "block", &[4.0, 6.0, 5.0], true),
            line(Who::Hand, "chunked-4", &[3.0, 2.0, 9.0], true),
            line(Who::Hand, "chunked-8", &[0.1], false),
            line(Who::Asleep, "chunked-4", &[2.5], true),
            line(Who::Apportion, "BLOCK", &[2.0], true),
            line(Who::Apportion, AUTO, &[4.0], true),
            line(Who::Awake, "BLOCK", &[1.5], true),
            line(Who::Awake, AUTO, &[6.0], true),
        ];
        assert_eq!(lines[0].to_string(), "axpy,8,1,plain,hand,block,5.0000,4.0000,5.0000,4.0000,true,,,,5.0000");
        assert_eq!(
            lines[4].to_string(),
            "axpy,8,1,plain,apportion,BLOCK,2.0000,2.0000,2.0000,2.0000,true,9.0,21.5,4,1.0000"
        );
        let once = Line { again: Vec::new(), ..lines[0].clone() };
        assert_eq!(once.to_string(), "axpy,8,1,plain,hand,block,5.0000,4.0000,5.0000,4.0000,true,,,,");
        let text = ratios(&lines);
        let row = text.lines().last().unwrap();
        assert_eq!(
            row,
            "| axpy 8 | 1 | plain | chunked-4 | 3.000 | BLOCK | 2.000 | 1.500 | 4.000 | 0.750 | 3.000 | 2.500 | 1.250 | 1.500 | 2.000 | 0.500 |"
        );
        let row = ratios(&[once, Line { again: Vec::new(), ..lines[4].clone() }]);
        assert!(row.ends_with("| NaN | NaN | - | - | - | - | - | - |\n"), "{row}");
    }
}
