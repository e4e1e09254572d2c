//! Streams and events: the queues, and when operations run.

use crate::codes::*;
use crate::log::Entry;
use crate::operations::Operation;
use crate::state::{Held, State};
use std::collections::{BTreeMap, VecDeque};

/// Host time to enqueue an operation.
const ENQUEUE_NS: u64 = 100;

/// Names an operation of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub stream: u64,
    pub number: u64,
}

pub struct Queued {
    pub number: u64,
    pub enqueued_ns: u64,
    pub what: Operation,
    /// The code with which it fails when it runs: host memory that it uses was freed meanwhile.
    pub doomed: Option<Code>,
}

pub struct Stream {
    pub context: u64,
    pub device: i32,
    /// The context's own stream, which has no name.
    pub default: bool,
    /// Not ordered against the default stream.
    pub non_blocking: bool,
    /// It has no handle any more; its remaining operations still run.
    pub destroyed: bool,
    pub queue: VecDeque<Queued>,
    /// One of its host functions is running.
    busy: bool,
    /// Number of the last operation that ran.
    completed: u64,
    clock_ns: u64,
}

impl Stream {
    pub fn new(context: u64, device: i32, default: bool, non_blocking: bool) -> Self {
        let (queue, destroyed) = (VecDeque::new(), false);
        Self { context, device, default, non_blocking, destroyed, queue, busy: false, completed: 0, clock_ns: 0 }
    }

    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && !self.busy
    }
}

pub struct Event {
    pub context: u64,
    pub timing: bool,
    /// Where it was last recorded.
    pub recorded: Option<Place>,
}

impl State {
    /// The stream of a handle: null and 1 name the current context's default stream.
    pub fn stream(&self, handle: u64, current: u64) -> Outcome<u64> {
        let id = if handle <= 1 { self.context(current)?.default_stream } else { handle };
        let stream = self.streams.get(&id).filter(|stream| !stream.destroyed).ok_or(INVALID_HANDLE)?;
        self.lost(stream.context)?;
        Ok(id)
    }

    pub fn event(&self, handle: u64) -> Outcome<&Event> {
        self.events.get(&handle).ok_or(INVALID_HANDLE)
    }

    /// Appends an operation to a stream. The default stream is ordered against all streams of its context except non-blocking
    /// ones.
    pub fn enqueue(&mut self, id: u64, what: Operation) -> Outcome<Place> {
        let stream = self.streams.get(&id).ok_or(INVALID_HANDLE)?;
        let (default, context) = (stream.default, stream.context);
        let ordered = !stream.non_blocking;
        let before: Vec<_> = self
            .streams
            .iter()
            .filter(|(_, other)| ordered && other.context == context && !other.non_blocking && other.default != default)
            .filter_map(|(other, stream)| Some(Place { stream: *other, number: stream.queue.back()?.number }))
            .collect();
        for place in before {
            self.push(id, Operation::Wait(place))?;
        }
        self.push(id, what)
    }

    fn push(&mut self, id: u64, what: Operation) -> Outcome<Place> {
        let number = self.tick();
        self.host_ns += ENQUEUE_NS;
        let queued = Queued { number, enqueued_ns: self.host_ns, what, doomed: None };
        self.streams.get_mut(&id).ok_or(INVALID_HANDLE)?.queue.push_back(queued);
        Ok(Place { stream: id, number })
    }

    /// Whether an operation has run. A stream that is gone has run all its operations.
    pub fn done(&self, place: Place) -> bool {
        self.streams.get(&place.stream).is_none_or(|stream| stream.completed >= place.number)
    }

    /// The end of a stream's queue as of now.
    pub fn tail(&self, id: u64) -> Option<Place> {
        let stream = self.streams.get(&id)?;
        let number = stream.queue.back().map_or(stream.completed, |last| last.number);
        Some(Place { stream: id, number })
    }

    /// The ends of all streams of a context.
    pub fn tails(&self, context: u64) -> Vec<Place> {
        let of_context = self.streams.iter().filter(|(_, stream)| stream.context == context);
        of_context.filter_map(|(id, _)| self.tail(*id)).collect()
    }

    /// Operations that use any of this host memory fail when they run.
    pub fn doom(&mut self, host: (usize, usize)) {
        for queued in self.streams.values_mut().flat_map(|stream| stream.queue.iter_mut()) {
            if queued.what.host_range().is_some_and(|range| crate::memory::overlap(range, host)) {
                queued.doomed = Some(ILLEGAL_ADDRESS);
            }
        }
    }

    /// How far each stream has to run until the targets have run: their own streams, and the streams that these wait for.
    fn needed(&self, targets: &[Place]) -> BTreeMap<u64, u64> {
        let mut needed = BTreeMap::new();
        let mut open: Vec<Place> = targets.to_vec();
        while let Some(place) = open.pop() {
            let known = needed.entry(place.stream).or_insert(0);
            if self.done(place) || *known >= place.number {
                continue;
            }
            *known = place.number;
            let Some(stream) = self.streams.get(&place.stream) else { continue };
            for queued in stream.queue.iter().take_while(|queued| queued.number <= place.number) {
                if let Operation::Wait(on) = queued.what {
                    open.push(on);
                }
            }
        }
        needed.retain(|_, number| *number > 0);
        needed
    }

    /// Whether a stream's next operation can run now.
    fn ready(&self, stream: &Stream) -> bool {
        let Some(next) = stream.queue.front() else { return false };
        let waits = matches!(next.what, Operation::Wait(on) if !self.done(on));
        !stream.busy && !waits
    }

    /// A stream to run next, by chance: mostly one that is needed, sometimes any.
    fn pick(&mut self, needed: &BTreeMap<u64, u64>) -> Option<u64> {
        let ahead = self.random.below(100) < self.config.ahead as usize;
        let useful = |id: &u64, stream: &Stream| {
            needed.get(id).is_some_and(|upto| stream.queue.front().is_some_and(|next| next.number <= *upto))
        };
        let ready: Vec<_> = self
            .streams
            .iter()
            .filter(|(id, stream)| (ahead || useful(id, stream)) && self.ready(stream))
            .map(|(id, _)| *id)
            .collect();
        let i = self.random.below(ready.len());
        ready.get(i).copied()
    }
}

impl Held {
    /// Runs until all targets have run.
    pub fn wait(&mut self, targets: &[Place]) {
        self.run(targets, usize::MAX);
        let ends = targets.iter().filter_map(|place| self.ends.get(&place.number).copied());
        self.host_ns = ends.chain([self.host_ns]).max().unwrap_or(0);
    }

    /// Runs a few operations: a GPU makes progress while the host queries.
    pub fn progress(&mut self, targets: &[Place]) {
        let steps = self.random.below(4) + 1;
        self.run(targets, steps);
    }

    fn run(&mut self, targets: &[Place], most: usize) {
        for _ in 0..most {
            let needed = self.needed(targets);
            if needed.is_empty() {
                return;
            }
            match self.pick(&needed) {
                Some(stream) => self.step(stream),
                // Another thread runs a host function, and all that is left waits for it.
                None => self.await_host_function(),
            }
        }
    }

    /// Runs the next operation of a stream.
    fn step(&mut self, id: u64) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        let Some(queued) = stream.queue.pop_front() else { return };
        let (context, device) = (stream.context, stream.device);
        let mut start_ns = stream.clock_ns.max(queued.enqueued_ns);
        if let Operation::Wait(on) = queued.what {
            start_ns = start_ns.max(self.ends.get(&on.number).copied().unwrap_or(0));
        }
        let skipped = self.lost(context).is_err() && !queued.what.runs_on_a_lost_device();
        let result = if skipped {
            Ok(0)
        } else if let Operation::Host(function) = queued.what {
            self.host_function(id, function)
        } else {
            let ordered = self.faults.runs(queued.what.kind());
            ordered.and(queued.doomed.map_or(Ok(()), Err)).and_then(|()| self.execute(context, &queued.what))
        };
        let end_ns = start_ns + if queued.what.takes_time() { 1000 + result.unwrap_or(0) / 16 } else { 0 };
        if let (Err(code), Some(context)) = (result, self.contexts.get_mut(&context)) {
            context.lost.get_or_insert(code);
        }
        let ran = self.tick();
        self.ends.insert(queued.number, end_ns);
        if !skipped {
            let (kind, name) = (queued.what.kind(), queued.what.name());
            let (enqueued, bytes, code) = (queued.number, result.unwrap_or(0), result.err().unwrap_or(SUCCESS));
            self.log.0.push(Entry { enqueued, ran, device, stream: id, kind, name, bytes, start_ns, end_ns, code });
        }
        if let Some(stream) = self.streams.get_mut(&id) {
            (stream.completed, stream.clock_ns, stream.busy) = (queued.number, end_ns, false);
            if stream.destroyed && stream.queue.is_empty() {
                self.streams.remove(&id);
            }
        }
    }

    fn host_function(&mut self, id: u64, function: crate::operations::HostFunction) -> Outcome<u64> {
        self.faults.runs("host")?;
        if let Some(stream) = self.streams.get_mut(&id) {
            stream.busy = true;
        }
        self.outside(|| function.call());
        Ok(0)
    }
}
