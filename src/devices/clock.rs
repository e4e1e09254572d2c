//! Converts times of a device's clock to the host's: `host = device + offset`.
//!
//! The host notes the time just before and just after it enqueues a command; the device's own time of the enqueuing lies between
//! the two. So each command bounds the offset, and all commands together bound it to a fraction of a microsecond, even where one of
//! them took long to enqueue: the device may take the core of the thread that enqueues, and run the whole command meanwhile. If
//! all of them took long, it still counts that no command ended after the host saw its end.

use crate::devices::Span;
use crate::units::Seconds;
use std::time::Instant;

/// Copy in, run, copy out: each is one in-order queue.
#[derive(Clone, Copy)]
pub enum Lane {
    To,
    Kernel,
    From,
}

pub struct Clock {
    epoch: Instant,
    /// Bounds of the offset in nanoseconds.
    offset: Option<(i128, i128)>,
    /// Until when each lane was busy: an in-order queue runs one command after another.
    busy_until: [i128; 3],
    /// Nanoseconds per iteration to copy in, to run and to copy out, as last measured.
    #[cfg(feature = "cuda")]
    pub paces: [f64; 3],
    /// Whether the ends of the chunk before were measured, so that it is known when a phase that waited for that chunk began.
    #[cfg(feature = "cuda")]
    pub exact: bool,
}

impl Clock {
    pub fn new(epoch: Instant) -> Self {
        Self {
            epoch,
            offset: None,
            busy_until: [0; 3],
            #[cfg(feature = "cuda")]
            paces: [0.0; 3],
            #[cfg(feature = "cuda")]
            exact: true,
        }
    }

    /// Nanoseconds since the epoch, negative before it.
    fn host(&self, instant: Instant) -> i128 {
        let after = instant.saturating_duration_since(self.epoch).as_nanos() as i128;
        after - self.epoch.saturating_duration_since(instant).as_nanos() as i128
    }

    /// Notes a command that was enqueued between two instants, at `queued` nanoseconds of the device's clock. `ended` is its end by
    /// that clock, with an instant at which the host knew of it.
    pub fn observe(&mut self, before: Instant, after: Instant, queued: u64, ended: Option<(u64, Instant)>) {
        let (low, mut high) = (self.host(before) - i128::from(queued), self.host(after) - i128::from(queued));
        if let Some((end, seen)) = ended {
            high = high.min(self.host(seen) - i128::from(end)).max(low);
        }
        self.offset = Some(match self.offset {
            None => (low, high),
            // The clocks have drifted apart by more than the bounds before allow, by no more than they must have: these bounds may
            // be as wide as a long chunk.
            Some((before, until)) if until < low => (low, high.min(low + (until - before))),
            Some((before, until)) if before > high => (low.max(high - (until - before)), high),
            Some((before, until)) => (low.max(before), high.min(until)),
        });
    }

    /// Notes a chunk of which the host made the first call at `began`, and of which it saw at `seen` that all of it had ended. By the
    /// device's clock its first phase ended at `first` and its last at `last`: a chunk is no time before and after these.
    #[cfg(feature = "cuda")]
    pub fn ran(&mut self, began: Instant, [first, last]: [u64; 2], seen: Instant) {
        self.observe(began, seen, first, Some((last, seen)));
    }

    /// The span from `start` to `end` of the device's clock, moved to lie between the two instants on the host.
    pub fn span(&mut self, lane: Lane, times: [u64; 2], submitted: Instant, completed: Instant) -> Span {
        let (span, end) = self.place(lane, times, submitted, completed);
        self.busy_until[lane as usize] = end;
        span
    }

    /// The same for estimated times. It does not delay the start of later spans.
    #[cfg(feature = "cuda")]
    pub fn estimate(&self, lane: Lane, times: [u64; 2], submitted: Instant, completed: Instant) -> Span {
        self.place(lane, times, submitted, completed).0
    }

    /// When a lane can begin a command that is ready at `since`, on the device's clock.
    #[cfg(feature = "cuda")]
    pub fn free(&self, lane: Lane, since: u64) -> u64 {
        let offset = self.offset.map_or(0, |(low, high)| low + (high - low) / 2);
        since.max(u64::try_from(self.busy_until[lane as usize] - offset).unwrap_or(0))
    }

    /// The span, and its end in nanoseconds after the epoch.
    fn place(&self, lane: Lane, [start, end]: [u64; 2], submitted: Instant, completed: Instant) -> (Span, i128) {
        let offset = self.offset.map_or(0, |(low, high)| low + (high - low) / 2);
        let last = self.host(completed);
        let busy = self.busy_until[lane as usize];
        let first = self.epoch.max(submitted).saturating_duration_since(self.epoch).as_nanos() as i128;
        let start = (i128::from(start) + offset).max(first).max(busy).min(last);
        let end = (i128::from(end) + offset).clamp(start, last);
        let seconds = |ns: i128| Seconds(ns as f64 * 1e-9);
        (Span { start: seconds(start), end: seconds(end) }, end)
    }

    /// An instant on the device's clock; 0 if it lies before that clock's start.
    #[cfg(feature = "cuda")]
    pub fn device(&self, instant: Instant) -> u64 {
        let offset = self.offset.map_or(0, |(low, high)| low + (high - low) / 2);
        u64::try_from(self.host(instant) - offset).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[cfg(feature = "cuda")]
    #[test]
    fn a_chunk_takes_its_time_although_the_offset_was_hardly_known() {
        // The device's clock began somewhere in 400 us of the host's, at either end; the chunk's first call is at 1000 us.
        for began in [0, 395] {
            let epoch = Instant::now();
            let at = |us: u64| epoch + Duration::from_micros(us);
            let mut clock = Clock::new(epoch);
            clock.observe(at(0), at(400), 0, None);
            let device = |us: u64| (us - began) * 1000;
            let [to, run, from] = [1010, 1025, 1033].map(device);
            clock.ran(at(1000), [to, from], at(1035));
            let since = clock.device(at(1000));
            let phases = [(Lane::To, since, to), (Lane::Kernel, to, run), (Lane::From, run, from)];
            let took = phases.map(|(lane, start, end)| {
                let span = clock.span(lane, [start, end], at(1000), at(1035));
                span.length().micros().round() as u64
            });
            assert!(took[0].abs_diff(10) <= 7, "{took:?}");
            assert_eq!(took[1..], [15, 8], "{began}");
        }
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn chunks_keep_their_length_although_the_clocks_drift_apart() {
        let epoch = Instant::now();
        let at = |us: i64| epoch + Duration::from_micros(us.unsigned_abs());
        // The device's clock gains or loses 50 us in each second on the host's; the offset was known to 20 us.
        for drift in [-50, 50] {
            let mut clock = Clock::new(epoch);
            clock.observe(at(0), at(20), 10_000, None);
            let device = |us: i64| (us * 1000 + us * drift / 1000).unsigned_abs();
            for second in 1..20 {
                // A kernel of 100 ms, without copies.
                let (began, end) = (second * 1_000_000, second * 1_000_000 + 100_000);
                clock.ran(at(began), [device(end); 2], at(end + 5));
                let since = clock.device(at(began));
                let span = clock.span(Lane::Kernel, [since, device(end)], at(began), at(end + 5));
                // As the clocks are apart by more and more, 1.1 ms at most.
                assert!((span.length().micros() - 1e5).abs() < 1100.0, "{drift}: {span:?}");
            }
        }
    }

    #[test]
    fn what_was_observed_before_the_epoch_counts() {
        let start = Instant::now();
        let epoch = start + Duration::from_millis(400);
        let mut clock = Clock::new(epoch);
        clock.observe(start, start + Duration::from_micros(2), 0, None);
        let at = |us: u64| epoch + Duration::from_micros(us);
        let span = clock.span(Lane::Kernel, [400_010_000, 400_030_000], at(5), at(100));
        assert!((span.start.micros() - 11.0).abs() < 1e-6 && (span.end.micros() - 31.0).abs() < 1e-6, "{span:?}");
    }

    #[test]
    fn spans_lie_between_submission_and_completion_and_follow_one_another() {
        let epoch = Instant::now();
        let at = |us: u64| epoch + Duration::from_micros(us);
        let mut clock = Clock::new(epoch);
        // The device's clock is 5 ms ahead; the first command took 1 ms to enqueue, the second 2 us.
        clock.observe(at(0), at(1000), 5_900_000, None);
        clock.observe(at(1000), at(1002), 6_001_000, None);
        let first = clock.span(Lane::Kernel, [6_010_000, 6_030_000], at(1000), at(1100));
        assert!((first.start.micros() - 1010.0).abs() < 1.1, "{first:?}");
        assert!((first.length().micros() - 20.0).abs() < 1e-6, "{first:?}");
        let second = clock.span(Lane::Kernel, [6_029_000, 9_000_000], at(1000), at(1200));
        assert_eq!(second.start, first.end);
        assert!((second.end.micros() - 1200.0).abs() < 1e-6, "{second:?}");
    }

    #[test]
    fn a_command_that_ran_while_it_was_enqueued_keeps_its_length() {
        let epoch = Instant::now();
        let at = |us: u64| epoch + Duration::from_micros(us);
        let mut clock = Clock::new(epoch);
        // The device's clock is 5 ms ahead. It ran from 20 to 380 us, all of it before the call of the host returned.
        clock.observe(at(10), at(390), 5_011_000, Some((5_380_000, at(400))));
        let span = clock.span(Lane::Kernel, [5_020_000, 5_380_000], at(5), at(400));
        assert!((span.length().micros() - 360.0).abs() < 1e-6, "{span:?}");
        // By 20 us at most: the command was seen to have ended that late.
        assert!((20.0..=40.0).contains(&span.start.micros()), "{span:?}");
    }
}
