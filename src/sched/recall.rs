//! Answers to the problems that were solved last. An iterative application repeats its loops, and solving one anew takes as long as
//! a short loop does.

use super::cutoff::Cutoff;
use super::policy::{Apart, Problem, Tried};
use crate::model::{DeviceCost, LoopProfile};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Problems kept of each kind of answer.
const KEPT: usize = 16;

/// The last problems and their answers, the newest first.
pub(super) struct Recall<A>(Mutex<VecDeque<(Solved, A)>>);

/// Everything that an answer may depend on.
struct Solved {
    iterations: u64,
    granule: u64,
    devices: Vec<DeviceCost>,
    device_types: Vec<String>,
    profile: LoopProfile,
    cutoff: Cutoff,
    min_sample: u64,
    measured: bool,
    thorough: bool,
    tried: Vec<Tried>,
    alone: Vec<DeviceCost>,
    apart: Vec<Apart>,
}

impl Solved {
    fn is(&self, problem: &Problem) -> bool {
        self.iterations == problem.iterations
            && self.granule == problem.granule
            && self.min_sample == problem.min_sample
            && self.cutoff == problem.cutoff
            && self.devices == problem.devices
            && self.device_types == problem.device_types
            && self.profile == *problem.profile
            && self.measured == problem.measured
            && self.thorough == problem.thorough
            && self.tried == problem.tried
            && self.alone == problem.alone
            && self.apart == problem.apart
    }
}

impl From<&Problem<'_>> for Solved {
    fn from(problem: &Problem) -> Self {
        Self {
            iterations: problem.iterations,
            granule: problem.granule,
            devices: problem.devices.to_vec(),
            device_types: problem.device_types.iter().map(|&name| name.to_owned()).collect(),
            profile: problem.profile.clone(),
            cutoff: problem.cutoff,
            min_sample: problem.min_sample,
            measured: problem.measured,
            thorough: problem.thorough,
            tried: problem.tried.to_vec(),
            alone: problem.alone.to_vec(),
            apart: problem.apart.to_vec(),
        }
    }
}

impl<A: Clone> Recall<A> {
    /// Knows no problem yet.
    pub const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// The answer to `problem`, which `solve` gives if it is not known.
    ///
    /// # Errors
    /// That of `solve`; the next such problem is solved again.
    pub fn answer<E>(&self, problem: &Problem, solve: impl FnOnce() -> Result<A, E>) -> Result<A, E> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, answer)) = known().iter().find(|(solved, _)| solved.is(problem)) {
            return Ok(answer.clone());
        }
        // Without the lock: other threads need not wait for a long solution.
        let answer = solve()?;
        let mut known = known();
        known.truncate(KEPT - 1);
        known.push_front((problem.into(), answer.clone()));
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sched::Policy;
    use crate::space::Slot;
    use crate::units::{Percent, Seconds};
    use std::cell::Cell;

    #[test]
    fn a_problem_is_solved_once_and_any_other_anew() {
        let recall = Recall::new();
        let solved = Cell::new(0);
        let answer = |problem: &Problem| {
            let solve = || {
                solved.set(solved.get() + 1);
                Ok::<_, ()>(solved.get())
            };
            recall.answer(problem, solve).unwrap()
        };
        let cost = |per: f64| DeviceCost { kernel: Seconds(per), ..DeviceCost::default() };
        let (costs, others) = ([cost(1.0), cost(2.0)], [cost(1.0), cost(3.0)]);
        let (profile, heavier) = (LoopProfile::default(), LoopProfile { memory_bytes: 1.0, ..LoopProfile::default() });
        let problem = Problem::new(10, &costs, &profile);
        let tried = [Tried {
            policy: Policy::Block,
            devices: vec![Slot(0)],
            time: Seconds(1.0),
            predicted: None,
            loops: 1,
            hope: 1.0,
        }];
        let apart = [Apart { devices: vec![Slot(0)], costs: others.to_vec() }];
        let all = [
            problem.clone(),
            Problem::new(11, &costs, &profile),
            Problem::new(10, &others, &profile),
            Problem::new(10, &costs, &heavier),
            Problem { granule: 2, ..problem.clone() },
            Problem { device_types: &["A", "B"], ..problem.clone() },
            Problem { cutoff: Cutoff::Benefit(Percent::from_millionths(1)), ..problem.clone() },
            Problem { min_sample: 7, ..problem.clone() },
            Problem { measured: true, ..problem.clone() },
            Problem { thorough: true, ..problem.clone() },
            Problem { tried: &tried, ..problem.clone() },
            Problem { alone: &others, ..problem.clone() },
            Problem { apart: &apart, ..problem.clone() },
        ];
        for round in 0..2 {
            for (expected, problem) in (1..).zip(&all) {
                assert_eq!(answer(problem), expected, "round {round}");
            }
        }
        // The oldest are forgotten.
        for n in 100..100 + KEPT as u64 {
            answer(&Problem::new(n, &costs, &profile));
        }
        assert_eq!(answer(&problem), all.len() + KEPT + 1);
    }

    #[test]
    fn an_error_is_not_an_answer() {
        let recall = Recall::new();
        let (costs, profile) = ([DeviceCost::default()], LoopProfile::default());
        let problem = Problem::new(1, &costs, &profile);
        assert_eq!(recall.answer(&problem, || Err::<u8, _>("no")), Err("no"));
        assert_eq!(recall.answer(&problem, || Ok::<_, &str>(1)), Ok(1));
        assert_eq!(recall.answer(&problem, || Err("asked again")), Ok(1));
    }
}
