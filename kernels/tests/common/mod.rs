//! Runs a bound kernel's host body chunk by chunk, each with the sections that the maps give it and nothing else.

use apportion::data::{HostMemory, LoopShape};
use apportion::kernel::{Argument, HostArgument, Reduction, Scalar};
use apportion::space::IterRange;
use apportion_kernels::Instance;

/// Runs iterations `0..iterations` in the chunks that `cuts` (any numbers) cut them into, the last chunk first.
pub fn run_in_chunks(instance: &mut dyn Instance, cuts: &[u64]) -> Option<Scalar> {
    let iterations = instance.iterations();
    let reduction = instance.reduction();
    let bound = instance.bind();
    let shape = LoopShape { range: IterRange::new(0, iterations), devices: 1 };
    bound.check(&shape).expect("the maps fit the loop");
    bound.kernel().check_host(bound.arguments(), reduction).expect("the host body fits the maps");

    let mut ends: Vec<u64> = cuts.iter().map(|cut| cut % (iterations + 1)).chain([0, iterations]).collect();
    ends.sort_unstable();
    let body = &bound.kernel().host_variant().expect("every workload has a host variant").body;
    let mut reduced = reduction.map(Reduction::identity);
    for chunk in ends.windows(2).rev().map(|w| IterRange::new(w[0], w[1])).filter(|chunk| !chunk.is_empty()) {
        let partial = run_chunk(&**body, bound.arguments(), chunk, &shape);
        reduced = reduction.map(|r| r.combine(reduced.expect("identity"), partial.expect("the body's part")));
    }
    reduced
}

fn run_chunk(
    body: &dyn apportion::kernel::AnyHostBody,
    arguments: &[Argument<'_>],
    chunk: IterRange,
    shape: &LoopShape,
) -> Option<Scalar> {
    let mut spans = Vec::new();
    for map in arguments.iter().filter_map(Argument::array) {
        if let HostMemory::Write(array) = &map.memory {
            spans.push(array.lend(map.byte_range(&map.section(chunk, shape).owned)).expect("one chunk at a time"));
        }
    }
    let mut spans = spans.iter_mut();
    let mut lent: Vec<HostArgument<'_>> = arguments
        .iter()
        .map(|argument| match argument {
            Argument::Scalar(scalar) => HostArgument::Scalar(*scalar),
            Argument::Array(map) => {
                let section = map.section(chunk, shape);
                match &map.memory {
                    HostMemory::Read(bytes) => HostArgument::In {
                        bytes: &bytes[map.byte_range(&section.needed)],
                        first: section.needed.start as usize * map.row_len,
                        row_len: map.row_len,
                    },
                    _ => HostArgument::Out {
                        bytes: spans.next().expect("a span per written array"),
                        first: section.owned.start as usize * map.row_len,
                        row_len: map.row_len,
                    },
                }
            }
        })
        .collect();
    body.call(chunk.indices(), None, &mut lent)
}
