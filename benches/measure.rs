//! Two or more things timed in turns: A, B, A, B, ..

use apportion::units::Seconds;
use std::time::{Duration, Instant};

/// One of the things that are compared. Returns the time of one repetition; what it does outside of that time (putting
/// arrays back, letting another runtime's threads go to sleep) is not counted.
pub type Side<'s> = Box<dyn FnMut() -> Seconds + 's>;

/// How often.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// At least so many rounds.
    pub rounds: usize,
    /// And for at least so long.
    pub time: Duration,
}

impl Effort {
    /// What the ratios are measured with.
    pub const FULL: Self = Self { rounds: 15, time: Duration::from_secs(1) };
    /// Whole workloads vary by more than the twentieth that is looked for.
    pub const WORKLOAD: Self = Self { rounds: 41, time: Duration::from_secs(3) };
}

/// Times of one side, one per round.
#[derive(Clone, Debug)]
pub struct Series(Vec<f64>);

/// The middle of some values, and how far they spread.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Spread {
    /// A quarter lies below.
    pub lower_quartile: f64,
    /// Half lies below.
    pub median: f64,
    /// A quarter lies above.
    pub upper_quartile: f64,
}

impl Spread {
    /// Of values in any order; quantiles lie between the two nearest values. NaN of none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let quantile = |q: f64| {
            let place = q * sorted.len().saturating_sub(1) as f64;
            let at = |i: f64| sorted.get(i as usize).copied().unwrap_or(f64::NAN);
            at(place.floor()) + (at(place.ceil()) - at(place.floor())) * place.fract()
        };
        Self { lower_quartile: quantile(0.25), median: quantile(0.5), upper_quartile: quantile(0.75) }
    }

    /// The same with every value multiplied.
    pub fn scaled(self, by: f64) -> Self {
        Self {
            lower_quartile: self.lower_quartile * by,
            median: self.median * by,
            upper_quartile: self.upper_quartile * by,
        }
    }
}

impl Series {
    /// Middle and spread, in seconds.
    pub fn spread(&self) -> Spread {
        Spread::of(self.0.iter().copied())
    }

    /// Number of rounds.
    pub fn rounds(&self) -> usize {
        self.0.len()
    }

    /// What this took more than the other, round by round.
    pub fn beyond(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(mine, other)| mine - other).collect())
    }

    /// This time over the other's, round by round: what disturbs the machine for longer than a round hits both alike.
    pub fn over(&self, other: &Self) -> Spread {
        Spread::of(self.0.iter().zip(&other.0).map(|(mine, other)| mine / other))
    }
}

/// Times all sides in turns, after one round that is not counted.
pub fn in_turns(sides: &mut [Side<'_>], effort: Effort) -> Vec<Series> {
    let mut all = vec![Series(Vec::new()); sides.len()];
    for side in sides.iter_mut() {
        side();
    }
    let start = Instant::now();
    let mut round = 0;
    while round < effort.rounds || start.elapsed() < effort.time {
        // Every other round backwards, so that no side always follows the same one.
        for i in 0..sides.len() {
            let turn = if round % 2 == 0 { i } else { sides.len() - 1 - i };
            all[turn].0.push(sides[turn]().0);
        }
        round += 1;
    }
    all
}

/// The time of one call.
pub fn time<R>(work: impl FnOnce() -> R) -> Seconds {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().into()
}

/// The mean time of one of `calls` calls.
pub fn time_each<R>(calls: u32, mut work: impl FnMut() -> R) -> Seconds {
    let start = Instant::now();
    for _ in 0..calls {
        std::hint::black_box(work());
    }
    (start.elapsed() / calls).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_the_nearest_values() {
        let spread = Spread::of([4.0, 1.0, 3.0, 2.0]);
        assert_eq!(spread, Spread { lower_quartile: 1.75, median: 2.5, upper_quartile: 3.25 });
        assert_eq!(Spread::of([7.0]).median, 7.0);
        assert!(Spread::of([]).median.is_nan());
    }

    #[test]
    fn sides_take_turns_and_the_first_round_is_not_counted() {
        let order = std::cell::RefCell::new(String::new());
        let side = |name: char, seconds: f64| -> Side<'_> {
            let order = &order;
            Box::new(move || {
                order.borrow_mut().push(name);
                Seconds(seconds)
            })
        };
        let effort = Effort { rounds: 3, time: Duration::ZERO };
        let series = in_turns(&mut [side('a', 1.0), side('b', 4.0)], effort);
        assert_eq!(*order.borrow(), "ababbaab");
        assert_eq!(series[0].rounds(), 3);
        assert_eq!(series[0].over(&series[1]).median, 0.25);
    }
}
