//! What a region's devices did over time: windows of equal numbers of loops, in bounded memory.

use super::dispatch::{Under, What};
use crate::devices::resident::Landed;
use crate::sched::imbalance;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::time::Instant;

/// Some consecutive loops of a region.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Window {
    /// Number of loops before it, counted from the region's second loop, with which the time line begins.
    pub first: u64,
    /// Loops in it.
    pub loops: u64,
    /// From the end of the loop before to the end of its last loop, including moves of rows in between. A loop on GPUs ends
    /// when the host learns of it, which is later than on the GPU.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The devices, in the order of the report.
    pub devices: Vec<DeviceWindow>,
}

/// What one device did in a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct DeviceWindow {
    /// Rows that it had in the last loop, as in [`super::DeviceTotals::rows`].
    pub rows: u64,
    /// How long it ran kernels. Rows that wait for ghost cells are not timed: they count at the pace of the device's other
    /// rows.
    #[serde(rename = "busy_s")]
    pub busy: Seconds,
    /// How long ghost cells were on their way to it; this overlaps `busy`.
    #[serde(rename = "exchange_s")]
    pub exchange: Seconds,
    /// How long cells of other arrays were on their way to it by [`DataRegion::copy`](super::DataRegion::copy). Where some go by
    /// way of the host, the call's time.
    #[serde(rename = "copy_s")]
    pub copy: Seconds,
    /// The window's time less `busy`: waiting for ghost cells and copies, for other devices, for the host.
    #[serde(rename = "waiting_s")]
    pub waiting: Seconds,
}

impl Window {
    /// (slowest device's busy time - mean) / mean, over the devices that have rows.
    pub fn imbalance(&self) -> f64 {
        imbalance(self.devices.iter().filter(|device| device.rows > 0).map(|device| device.busy))
    }
}

/// Times of a loop on one device.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Took {
    pub slot: usize,
    /// Iterations that it ran; `timed` is the number whose time is known.
    pub iterations: u64,
    pub timed: u64,
    pub kernel: Seconds,
    /// What came to it, as ghost cells or by a copy.
    pub exchange: Seconds,
}

impl Under {
    /// What the loop took on each device.
    pub fn took(&self, landed: &[(usize, Landed)]) -> SmallVec<[Took; 8]> {
        let of = |slot: usize, timed, kernel, exchange| {
            let iterations = self.iterations.get(slot).copied().unwrap_or(0);
            Took { slot, iterations, timed, kernel, exchange }
        };
        let here = self.done.iter().map(|&(slot, timed, kernel)| of(slot, timed, kernel, Seconds::ZERO));
        // These count cells.
        let there = landed.iter().map(|(slot, l)| {
            let cells = self.cells.get(*slot).copied().unwrap_or(1);
            let took = of(*slot, l.iterations, l.kernel, l.exchange);
            Took { iterations: took.iterations * cells, ..took }
        });
        here.chain(there).collect()
    }
}

/// The windows so far.
#[derive(Debug)]
pub(super) struct TimeLine {
    windows: Vec<Window>,
    /// Maximum number of windows.
    most: usize,
    /// Loops per window: doubled whenever the windows are full.
    span: u64,
    loops: u64,
    /// When the last loop ended.
    ended: Option<Instant>,
}

impl TimeLine {
    pub fn new(most: usize) -> Self {
        Self { windows: Vec::new(), most: most.max(2), span: 1, loops: 0, ended: None }
    }

    /// Takes in a loop, or an exchange or a copy by itself, that ended now.
    pub fn took(&mut self, parts: &SmallVec<[Took; 8]>, rows: &[u64], what: What, now: Instant) {
        let is_loop = what == What::Loop;
        let Some(before) = self.ended.replace(now) else {
            // The first loop also prepares kernels and arrays.
            return;
        };
        if self.windows.last().is_none_or(|window| is_loop && window.loops >= self.span) {
            self.push(rows.len());
        }
        let Some(window) = self.windows.last_mut() else { return };
        window.loops += u64::from(is_loop);
        self.loops += u64::from(is_loop);
        window.time += Seconds::from(now.duration_since(before));
        for (device, &rows) in window.devices.iter_mut().zip(rows) {
            device.rows = rows;
        }
        for part in parts {
            let Some(device) = window.devices.get_mut(part.slot) else { continue };
            if part.timed > 0 {
                device.busy += part.kernel * (part.iterations as f64 / part.timed as f64);
            }
            *(if what == What::Copy { &mut device.copy } else { &mut device.exchange }) += part.exchange;
        }
    }

    fn push(&mut self, devices: usize) {
        if self.windows.len() >= self.most {
            let mut merged: Vec<Window> = Vec::with_capacity(self.most);
            for window in self.windows.drain(..) {
                match merged.last_mut().filter(|last| last.loops == self.span) {
                    Some(last) => add(last, &window),
                    None => merged.push(window),
                }
            }
            self.windows = merged;
            self.span *= 2;
            if self.windows.last().is_some_and(|window| window.loops < self.span) {
                return;
            }
        }
        let devices = vec![DeviceWindow::default(); devices];
        self.windows.push(Window { first: self.loops, devices, ..Window::default() });
    }

    pub fn windows(&self) -> Vec<Window> {
        let mut windows = self.windows.clone();
        for window in &mut windows {
            for device in &mut window.devices {
                device.waiting = Seconds((window.time.0 - device.busy.0).max(0.0));
            }
        }
        windows
    }
}

fn add(window: &mut Window, next: &Window) {
    window.loops += next.loops;
    window.time += next.time;
    for (device, next) in window.devices.iter_mut().zip(&next.devices) {
        device.rows = next.rows;
        device.busy += next.busy;
        device.exchange += next.exchange;
        device.copy += next.copy;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    proptest! {
        /// However many loops there were, windows are few and consecutive, and lose no time.
        #[test]
        fn windows_are_bounded_and_hold_all_loops(
            most in 0usize..9, loops in 0u64..200, exchanges in any::<u64>(), copies in any::<u64>(),
        ) {
            let mut line = TimeLine::new(most);
            let start = Instant::now();
            let (mut now, mut ended, mut copied) = (start, 0, 0);
            for number in 0..=loops {
                let is_loop = number == 0 || exchanges >> (number % 64) & 1 == 0;
                let is_copy = !is_loop && copies >> (number % 64) & 1 == 0;
                let what = if is_copy { What::Copy } else if is_loop { What::Loop } else { What::Exchange };
                copied += u64::from(is_copy);
                now += Duration::from_millis(number + 1);
                let part = Took { slot: 1, iterations: 10, timed: 5, kernel: Seconds(0.5), exchange: Seconds(0.25) };
                let parts = if is_loop { part } else { Took { timed: 0, iterations: 0, ..part } };
                line.took(&SmallVec::from_elem(parts, 1), &[3, 10], what, now);
                ended += u64::from(is_loop && number > 0);
            }
            let windows = line.windows();
            prop_assert!(windows.len() <= most.max(2));
            let mut first = 0;
            for window in &windows {
                prop_assert_eq!(window.first, first);
                first += window.loops;
            }
            prop_assert_eq!(first, ended);
            // Only the last window may be shorter.
            let longest = windows.iter().map(|window| window.loops).max().unwrap_or(0);
            prop_assert!(windows.iter().rev().skip(1).all(|window| window.loops == longest));
            let all = |of: &dyn Fn(&Window) -> f64| windows.iter().map(of).sum::<f64>();
            let close = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.abs().max(1.0);
            let since = (now - start - Duration::from_millis(1)).as_secs_f64();
            prop_assert!(close(all(&|window| window.time.0), since));
            prop_assert!(close(all(&|window| window.devices[1].busy.0), ended as f64));
            prop_assert!(close(all(&|window| window.devices[1].exchange.0), (loops - copied) as f64 * 0.25));
            prop_assert!(close(all(&|window| window.devices[1].copy.0), copied as f64 * 0.25));
            prop_assert!(windows.iter().all(|window| window.devices[0].busy.0 == 0.0));
        }
    }

    #[test]
    fn what_is_not_kernel_is_waiting_and_the_slowest_counts() {
        let mut line = TimeLine::new(8);
        let start = Instant::now();
        let part = |slot, kernel| Took { slot, iterations: 4, timed: 4, kernel: Seconds(kernel), ..Took::default() };
        line.took(&SmallVec::new(), &[1, 1, 0], What::Loop, start);
        let parts = SmallVec::from_slice(&[part(0, 1.0), part(1, 3.0)]);
        line.took(&parts, &[1, 1, 0], What::Loop, start + Duration::from_secs(4));
        let window = &line.windows()[0];
        let waiting: Vec<f64> = window.devices.iter().map(|device| device.waiting.0).collect();
        assert_eq!(waiting, [3.0, 1.0, 4.0]);
        assert!((window.imbalance() - 0.5).abs() < 1e-12);
    }
}
