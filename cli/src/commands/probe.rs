//! `probe`.
use crate::failure::Failure;
use crate::options::ProbeOptions;
pub fn run(_: &ProbeOptions) -> Result<(), Failure> {
    Err(Failure::Work("not yet".into()))
}
