//! Selects a loop's devices, by the specifier and by the kernel's variants.

use crate::devices::specifier;
use crate::error::{Error, Result};
use crate::kernel::{Bound, Kernel, Variants};
use crate::model::MemoryKind;
use crate::model::machine::DeviceKind;
use crate::runtime::{LeftOut, Member, Runtime};
use crate::sched::Policy;
use smallvec::SmallVec;
use std::sync::PoisonError;

/// The devices of a loop.
pub(super) type Members<'r> = SmallVec<[&'r Member; 8]>;

/// Those, the devices left out, and remarks.
type Selection<'r> = (Members<'r>, Vec<LeftOut>, Vec<String>);

/// What the last loop asked for, and the devices it got. Loops repeat, and to parse a specifier and ask each device takes as
/// long as everything else before a loop.
pub(super) struct Selected {
    specifier: Option<String>,
    variants: Variants,
    /// Indices in the runtime's list.
    members: SmallVec<[usize; 8]>,
    warnings: Vec<String>,
}

impl Member {
    /// Whether the device can compute what the loop needs.
    ///
    /// # Errors
    /// Why not, and what would help.
    pub(super) fn suits(&self, bound: &Bound<'_>) -> std::result::Result<(), String> {
        self.device().suits(bound.kernel(), bound.arguments())
    }

    /// Whether it can run loops over rows and columns.
    ///
    /// # Errors
    /// Why not, and what would help.
    pub(super) fn takes_columns(&self) -> std::result::Result<(), String> {
        if self.kind != DeviceKind::Opencl || self.model.memory != MemoryKind::Shared {
            return Ok(());
        }
        Err(format!(
            "`{}` is an OpenCL device in the host's memory, and such devices loop over rows and columns in memory of their own \
             only: set its `memory` to `discrete` in the machine description",
            self.model.name
        ))
    }
}

impl Runtime {
    /// The devices that a specifier picks and that can run the loop; the devices left out; and remarks.
    pub(super) fn select(&self, specifier: Option<&str>, bound: &Bound<'_>) -> Result<Selection<'_>> {
        let (mut members, mut left_out, warnings) = self.select_by_variants(specifier, bound.kernel())?;
        if members.iter().any(|member| !member.has_f64) {
            members.retain(|member| {
                let suits = if member.has_f64 { Ok(()) } else { member.suits(bound) };
                suits.map_err(|reason| left_out.push(LeftOut { device: member.model.name.clone(), reason })).is_ok()
            });
            if members.is_empty() {
                return Err(self.nobody(bound.kernel(), &left_out));
            }
        }
        Ok((members, left_out, warnings))
    }

    fn select_by_variants(&self, specifier: Option<&str>, kernel: &Kernel) -> Result<Selection<'_>> {
        let variants = kernel.variants();
        if let Some(known) = self.known(specifier, variants) {
            return Ok(known);
        }
        let all = &self.members;
        let (chosen, warnings) = self.chosen(specifier)?;
        let mut left_out = Vec::new();
        let mut members = SmallVec::new();
        for index in chosen {
            let member = &all[index];
            match member.device().eligible(kernel) {
                Ok(()) => members.push(index),
                Err(reason) => left_out.push(LeftOut { device: member.model.name.clone(), reason }),
            }
        }
        if members.is_empty() {
            return Err(self.nobody(kernel, &left_out));
        }
        let of_loop = members.iter().map(|&index| &all[index]).collect();
        // Reasons name the kernel, so a selection that has some is not remembered.
        if left_out.is_empty() {
            let specifier = specifier.map(str::to_owned);
            let selected = Selected { specifier, variants, members, warnings: warnings.clone() };
            *self.selected.lock().unwrap_or_else(PoisonError::into_inner) = Some(selected);
        }
        Ok((of_loop, left_out, warnings))
    }

    /// The devices that a specifier picks, as indices in the runtime's list, and remarks.
    fn chosen(&self, specifier: Option<&str>) -> Result<(SmallVec<[usize; 8]>, Vec<String>)> {
        let all = &self.members;
        let Some(text) = specifier else { return Ok(((0..all.len()).collect(), Vec::new())) };
        let selection =
            specifier::parse(text, &self.candidates).or_else(|_| specifier::parse_on(text, &self.machine))?;
        let place = |&id| all.iter().position(|member| member.id == id);
        Ok((selection.ids.iter().filter_map(place).collect(), selection.warnings))
    }

    /// A policy that was written for the devices that a specifier picks, for those of them that take part.
    pub(super) fn policy_among(&self, policy: Policy, specifier: Option<&str>, members: &[&Member]) -> Result<Policy> {
        if !policy.lists_devices() {
            return Ok(policy);
        }
        let (chosen, _) = self.chosen(specifier)?;
        let place = |member: &&Member| chosen.iter().position(|&index| self.members[index].id == member.id);
        let stay: SmallVec<[usize; 8]> = members.iter().filter_map(place).collect();
        Ok(policy.among(chosen.len(), &stay))
    }

    /// The error that all devices are left out.
    pub(super) fn nobody(&self, kernel: &Kernel, left_out: &[LeftOut]) -> Error {
        let reasons: Vec<_> = left_out.iter().map(|l| format!("{}: {}", l.device, l.reason)).collect();
        // A device for which the kernel has a variant may not have been found at all.
        let found: String = self.notes.iter().map(|note| format!("\n{note}")).collect();
        Error::call(format!(
            "kernel `{}`: no device can run it ({}); change the kernel or add a variant, or choose other devices{found}",
            kernel.name(),
            reasons.join("; ")
        ))
    }

    /// The selection of the last loop, if that loop asked for the same.
    fn known(&self, specifier: Option<&str>, variants: Variants) -> Option<Selection<'_>> {
        let selected = self.selected.lock().unwrap_or_else(PoisonError::into_inner);
        let last = selected.as_ref()?;
        if last.variants != variants || last.specifier.as_deref() != specifier {
            return None;
        }
        let members = last.members.iter().map(|&index| &self.members[index]).collect();
        Some((members, Vec::new(), last.warnings.clone()))
    }
}

#[cfg(all(test, feature = "opencl"))]
mod tests {
    use crate::devices::opencl::testing::numbered;
    use crate::devices::opencl::{OpenClDevice, OpenClOptions};
    use crate::prelude::*;
    use std::sync::Mutex;

    /// A host device and an OpenCL device that has no double precision; `None` without OpenCL.
    fn without_f64() -> Option<Runtime> {
        let figure = r#"{"value": 10, "source": "assumed"}"#;
        let entry = |id, name: &str, rest: &str| {
            format!(
                r#"{{"id": {id}, "name": "{name}", "memory": "shared", {rest}, "f32_gflop_per_s": {figure},
                   "f64_gflop_per_s": {figure}, "memory_gb_per_s": {figure}, "launch_us": {figure}}}"#
            )
        };
        let host = entry(0, "host", r#""kind": "host", "type": "HOSTCPU""#);
        // It takes the place of the device without.
        let other = entry(1, "cl", r#""kind": "emulated", "type": "OCLGPU""#);
        let machine = format!(r#"{{"schema": "apportion.machine/1", "name": "m", "devices": [{host}, {other}]}}"#);
        let mut rt = Runtime::from_machine(crate::model::Machine::from_json(&machine).unwrap()).unwrap();
        let device = match OpenClDevice::open(OpenClOptions { name: "cl".to_owned(), ..OpenClOptions::default() }) {
            Ok(device) => device.without_f64(),
            Err(error) if std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => {
                println!("skipped: {error}");
                return None;
            }
            Err(error) => panic!("OpenCL is required here: {error}"),
        };
        let member = rt.members.iter_mut().find(|member| member.model.name == "cl").unwrap();
        member.kind = crate::model::machine::DeviceKind::Opencl;
        member.device = Mutex::new(Box::new(device));
        member.has_f64 = false;
        Some(rt)
    }

    fn of_f64(lines: &str) -> Kernel {
        let host = |rows: Range<usize>, mut x: Out<f64>| rows.for_each(|i| x[i] = i as f64);
        numbered(Kernel::new("numbered").host(host), lines, "double")
    }

    fn of_f32(lines: &str) -> Kernel {
        let host = |rows: Range<usize>, mut x: Out<f32>| rows.for_each(|i| x[i] = i as f32);
        numbered(Kernel::new("numbered").host(host), lines, "float")
    }

    #[test]
    fn a_device_without_double_precision_is_left_out_of_loops_that_need_it() {
        let Some(rt) = without_f64() else { return };
        let n = 1000;
        let numbers: Vec<f64> = (0..n).map(f64::from).collect();
        // First one that it can run: what is remembered of it is not for the next.
        for (needs, kernel) in [(false, of_f32("// no double")), (true, of_f32("#error needs double"))] {
            let mut x = vec![0.0f32; n as usize];
            let report = rt.parallel_for(0..n, kernel.bind().from(&mut x).align()).policy("BLOCK").run().unwrap();
            assert!(report.faults.is_empty() && report.left_out.len() == usize::from(needs), "{report}");
            assert!(x.iter().zip(&numbers).all(|(x, y)| f64::from(*x) == *y), "{report}");
        }
        let mut x = vec![0.0f64; n as usize];
        let report = rt.parallel_for(0..n, of_f64("").bind().from(&mut x).align()).policy("BLOCK").run().unwrap();
        assert_eq!(x, numbers, "{report}");
        assert!(report.faults.is_empty(), "{report}");
        let [left] = &report.left_out[..] else { panic!("{report}") };
        assert!(left.device == "cl" && left.reason.contains("no double precision"), "{report}");
        let error = rt.parallel_for(0..n, of_f64("").bind().from(&mut x).align()).devices("1").run();
        let error = error.unwrap_err().to_string();
        assert!(error.contains("no device can run it") && error.contains("no double precision"), "{error}");
    }

    #[test]
    fn a_region_does_without_a_device_that_lacks_double_precision() {
        let Some(rt) = without_f64() else { return };
        let n = 1000;
        let numbers: Vec<f64> = (0..n).map(f64::from).collect();
        let mut x = vec![0.0f64; n as usize];
        let mut region = rt.data_region();
        let mapped = region.from(&mut x, [n as usize]);
        region.parallel_for(0..n, of_f64("").bind().writes(mapped)).run().unwrap();
        let report = region.finish().unwrap();
        assert_eq!(x, numbers, "{report}");
        assert!(report.left_out.len() == 1 && report.left_out[0].reason.contains("no double precision"), "{report}");
        // Once it has rows, a loop that needs it is refused, and the region goes on.
        let (mut x, mut y) = (vec![0.0f64; n as usize], vec![0.0f32; n as usize]);
        let mut region = rt.data_region().split(crate::region::RegionSplit::Even);
        let (x, y_) = (region.from(&mut x, [n as usize]), region.from(&mut y, [n as usize]));
        region.parallel_for(0..n, of_f32("").bind().writes(y_)).run().unwrap();
        let error = region.parallel_for(0..n, of_f64("").bind().writes(x)).run().unwrap_err().to_string();
        assert!(error.contains("`cl`") && error.contains("no double precision"), "{error}");
        region.parallel_for(0..n, of_f32("").bind().writes(y_)).run().unwrap();
        region.finish().unwrap();
        assert!(y.iter().zip(&numbers).all(|(x, y)| f64::from(*x) == *y));
    }
}
