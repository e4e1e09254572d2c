//! Random programs over data regions on the stand-in's GPUs, in any order among streams.

use crate::region_programs::{BESIDE_GPUS, Case, Kind, WITH_GPUS, case, cases, check, moving_case};
use crate::standin::{GPUS, StandIn, alone, watch};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Checks `count` cases. `suits` is given how often rows moved; nothing may be left after a case.
fn all(standin: &StandIn, count: u32, of: impl Strategy<Value = Case>, suits: impl Fn(usize) -> bool) {
    let seed = std::cell::Cell::new(0);
    let outcome = TestRunner::new(cases(count)).run(&of, |case| {
        seed.set(seed.get() + 1);
        watch(format!("seed {}: {case:?}", seed.get()));
        standin.fresh();
        standin.order(seed.get(), [0, 25, 100][seed.get() as usize % 3]);
        let moves = check(&case, GPUS)?;
        prop_assert!(suits(moves), "rows moved {moves} times");
        prop_assert_eq!(standin.counts(), [0; 9], "something is left");
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn random_programs_give_what_plain_arrays_do() {
    alone(concat!(module_path!(), "::random_programs_give_what_plain_arrays_do"), |standin| {
        all(standin, 200, case(&[Kind::Cuda], WITH_GPUS), |_| true);
    });
}

#[test]
fn random_programs_go_on_while_rows_move() {
    alone(concat!(module_path!(), "::random_programs_go_on_while_rows_move"), |standin| {
        all(standin, 24, moving_case(BESIDE_GPUS), |moves| moves > 0);
    });
}
