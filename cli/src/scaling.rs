//! Applications in data regions on 1, 2, .. devices: with the same arrays, or with rows in proportion to the devices.

use crate::failure::Failure;
use crate::harness::{Harness, Outcome, alone_repetitions};
use crate::regions::{Contender, Steps};
use apportion_cli::record::{Run, Scaling, ScalingKind};
use apportion_cli::table::one_line;
use apportion_kernels::apps::{App, Application};

/// Splits on several devices.
const SPLITS: u64 = 4;

/// 1, 2, 3, 4, 8, .. and all.
fn numbers(devices: usize) -> Vec<usize> {
    (1..=devices).filter(|&count| count <= 4 || count.is_power_of_two() || count == devices).collect()
}

/// A member of a series.
struct Place<'a> {
    application: &'a dyn Application,
    steps: Steps,
    kind: ScalingKind,
    devices: usize,
}

fn place(application: &dyn Application, steps: Steps, kind: ScalingKind, devices: usize) -> Place<'_> {
    Place { application, steps, kind, devices }
}

impl Harness<'_> {
    /// Steps that the progress will count for one application.
    pub fn steps_of_scaling(devices: usize, reps: u32, kinds: &[ScalingKind]) -> u64 {
        let one = 2 + u64::from(reps);
        let several = (numbers(devices).len() as u64 - 1) * SPLITS * one;
        one + (devices as u64 - 1) * (1 + u64::from(alone_repetitions(reps))) + kinds.len() as u64 * several
    }

    /// Runs one application on 1, 2, .. of the devices with all splits.
    ///
    /// # Errors
    /// As [`Harness::application`].
    pub fn scaling(
        &self,
        app: App,
        kinds: &[ScalingKind],
        asked: Option<u32>,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        let numbers = numbers(self.devices.len());
        let (mut application, steps) = self.prepared(app, 1, asked)?;
        // One device, the others alone, and all numbers of devices with the same arrays: in turns.
        let mut contenders = self.contenders_on(1, true);
        contenders.extend(self.devices[1..].iter().map(|device| self.alone(device)));
        let base = contenders.len();
        let mut counts = vec![1; base];
        if kinds.contains(&ScalingKind::Strong) {
            for &count in &numbers[1..] {
                contenders.extend(self.contenders_on(count, true));
                counts.resize(contenders.len(), count);
            }
        }
        self.repeated(&mut *application, steps, &mut contenders)?;
        let alone: Vec<Option<f64>> = contenders[..base].iter().map(Contender::median_ms).collect();
        for contender in contenders[1..base].iter().filter(|contender| contender.failed) {
            outcome.failures.push(format!("{}, {}: {}", app.name, contender.name, contender.notes.join("; ")));
        }
        for &kind in kinds {
            self.take(&place(&*application, steps, kind, 1), &contenders[0], &alone, outcome);
        }
        for (contender, &count) in contenders.iter().zip(&counts).skip(base) {
            self.take(&place(&*application, steps, ScalingKind::Strong, count), contender, &alone, outcome);
        }
        drop(application);
        if kinds.contains(&ScalingKind::Weak) {
            for &count in &numbers[1..] {
                let (mut application, steps) = self.prepared(app, count, asked)?;
                let mut contenders = self.contenders_on(count, true);
                self.repeated(&mut *application, steps, &mut contenders)?;
                for contender in &contenders {
                    self.take(&place(&*application, steps, ScalingKind::Weak, count), contender, &alone, outcome);
                }
            }
        }
        Ok(())
    }

    /// Adds a run to the outcome.
    fn take(&self, place: &Place<'_>, contender: &Contender, alone: &[Option<f64>], outcome: &mut Outcome) {
        let devices = &self.devices[..place.devices];
        let times = if place.kind == ScalingKind::Weak { place.devices } else { 1 };
        let n = place.application.n() / times;
        let part = Harness { devices: devices.to_vec(), ..*self };
        let mut run: Run = part.record_region(place.application, place.steps, contender);
        run.n = n as u64;
        run.scaling = Some(Scaling { kind: place.kind, devices: place.devices as u64, times: times as u64 });
        let rate: Option<f64> = alone[..place.devices].iter().map(|alone| Some(1.0 / (*alone)?)).sum();
        // All devices busy all the time, each as fast as alone.
        let perfect = rate.map(|rate| times as f64 / rate);
        let median = contender.median_ms();
        run.efficiency =
            perfect.zip(median).map(|(perfect, median)| perfect / median).filter(|ratio| ratio.is_finite());
        if times == 1 {
            run.alone_ms = part.alone_ms(|id| {
                let slot = devices.iter().position(|device| device.id == id);
                slot.and_then(|slot| alone[slot])
            });
            for one in &mut run.per_device {
                let slot = devices.iter().position(|device| device.name == one.device);
                one.alone_ms = slot.and_then(|slot| alone[slot]);
            }
        }
        if contender.failed {
            let (kind, devices) = (place.kind.name(), place.devices);
            let what = format!("{} by {} on {devices} ({kind})", run.workload, contender.name);
            outcome.failures.push(format!("{what}: {}", contender.notes.join("; ")));
        }
        self.progress.line(&one_line(&run));
        outcome.runs.push(run);
    }
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn few_devices_are_all_counted_and_many_by_powers_of_two() {
        assert_eq!(numbers(1), [1]);
        assert_eq!(numbers(3), [1, 2, 3]);
        assert_eq!(numbers(8), [1, 2, 3, 4, 8]);
        assert_eq!(numbers(12), [1, 2, 3, 4, 8, 12]);
    }
}
