//! Drives a hand-out by events in any order, and checks the outcome.

use apportion::error::Phase;
use apportion::sched::{Handout, Next, Policy, Problem, Work};
use apportion::space::{IterRange, Slot};
use apportion::times::PhaseTimes;
use apportion::units::Seconds;
use proptest::prelude::*;

/// One thing that happens to a device.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Asks(usize),
    /// Finishes the chunk in this place of its list.
    Finishes(usize, usize),
    /// Finishes the first part of its oldest chunk.
    FinishesPart(usize),
    Fails(usize, bool),
}

pub fn events(failing: bool) -> impl Strategy<Value = Vec<Event>> {
    let fails = if failing { 1 } else { 0 };
    prop::collection::vec(
        prop_oneof![
            6 => (0_usize..9).prop_map(Event::Asks),
            6 => (0_usize..9, 0_usize..3).prop_map(|(d, k)| Event::Finishes(d, k)),
            1 => (0_usize..9).prop_map(Event::FinishesPart),
            fails => (0_usize..9, any::<bool>()).prop_map(|(d, told)| Event::Fails(d, told)),
        ],
        0..120,
    )
}

/// Drives a hand-out by random events, then to its end. Checks that nothing runs twice and that everything ends.
pub struct Driver<'w> {
    handout: Handout<'w>,
    held: Vec<Vec<IterRange>>,
    lost: Vec<bool>,
    /// The epoch in which each device was last told to wait.
    told_to_wait: Vec<Option<u64>>,
    pub done: Vec<IterRange>,
}

impl<'w> Driver<'w> {
    pub fn new(policy: &Policy, range: IterRange, problem: &Problem) -> Self {
        let devices = problem.devices.len();
        let handout = Handout::new(range, problem.granule, policy.start(problem).unwrap(), devices);
        Self {
            handout,
            held: vec![Vec::new(); devices],
            lost: vec![false; devices],
            told_to_wait: vec![None; devices],
            done: Vec::new(),
        }
    }

    /// Cuts chunks by this work.
    pub fn by_work(mut self, work: &'w dyn Work) -> Self {
        self.handout = self.handout.by_work(work);
        self
    }

    fn times(length: u64) -> PhaseTimes {
        let mut times = PhaseTimes::default();
        times[Phase::Kernel] = Seconds::from_micros(3.0 + length as f64);
        times
    }

    fn finish(&mut self, d: usize, chunk: IterRange) {
        self.handout.finished(Slot(d), chunk, &Self::times(chunk.len()), 1);
        self.done.push(chunk);
    }

    fn ask(&mut self, d: usize) -> Next {
        let epoch = self.handout.epoch();
        let next = self.handout.next(Slot(d));
        if self.told_to_wait[d] == Some(epoch) {
            assert_eq!(next, Next::WaitForOthers, "who waited for a new epoch would have missed this");
        }
        self.told_to_wait[d] = (next == Next::WaitForOthers).then(|| self.handout.epoch());
        if let Next::Run(chunk) = next {
            assert!(!chunk.is_empty() && !self.lost[d]);
            self.held[d].push(chunk);
        }
        next
    }

    pub fn happens(&mut self, event: Event) {
        let devices = self.held.len();
        match event {
            Event::Asks(d) => drop(self.ask(d % devices)),
            Event::Finishes(d, k) => {
                let d = d % devices;
                if !self.held[d].is_empty() {
                    let k = k % self.held[d].len();
                    let chunk = self.held[d].remove(k);
                    self.finish(d, chunk);
                }
            }
            Event::FinishesPart(d) => {
                let d = d % devices;
                if let Some(chunk) = self.held[d].first_mut().filter(|chunk| chunk.len() > 1) {
                    let part = chunk.take_front(chunk.len() / 2);
                    self.finish(d, part);
                }
            }
            Event::Fails(d, told) => {
                let d = d % devices;
                // An event may name a device that is already lost; that must have no effect.
                let unfinished = std::mem::take(&mut self.held[d]);
                self.handout.lost(Slot(d), if told { &unfinished } else { &[] });
                self.lost[d] = true;
            }
        }
    }

    /// Runs until every device is told Done. Panics if no device can go on.
    pub fn run_out(&mut self) {
        let living: Vec<usize> = (0..self.held.len()).filter(|&d| !self.lost[d]).collect();
        assert_eq!(self.handout.living(), living.len());
        if living.is_empty() {
            return;
        }
        loop {
            let epoch = self.handout.epoch();
            let mut moved = false;
            let mut over = 0;
            for &d in &living {
                match self.ask(d) {
                    Next::Run(_) => moved = true,
                    Next::WaitForOthers => {}
                    Next::Done => over += 1,
                }
                for chunk in std::mem::take(&mut self.held[d]) {
                    self.finish(d, chunk);
                    moved = true;
                }
            }
            if over == living.len() {
                break;
            }
            // A device that was asked last may have made the others' next stage.
            assert!(moved || over > 0 || self.handout.epoch() != epoch, "all wait for one another: {:?}", self.handout);
        }
    }

    /// Checks that the finished ranges do not overlap, and that they and what is unfinished add up to `range`.
    pub fn check(mut self, range: IterRange) {
        self.done.sort();
        assert!(self.done.windows(2).all(|pair| pair[0].end <= pair[1].start), "an iteration ran twice");
        let sum: u64 = self.done.iter().map(|r| r.len()).sum();
        assert_eq!(self.handout.unfinished(), range.len() - sum);
        assert!(self.done.iter().all(|r| range.start <= r.start && r.end <= range.end));
        if self.lost.contains(&false) {
            assert_eq!(sum, range.len(), "an iteration was left out");
        }
    }
}
