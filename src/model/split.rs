//! The exact minimiser of the makespan of linear costs.
