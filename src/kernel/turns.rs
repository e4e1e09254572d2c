//! Loops whose numbers of turns are data: those of a few iterations, as far as the host has the arrays, say how wide lines are.

use super::{PartsOf, Shape};
use crate::data::HostMemory;
use crate::element::{ElementType, Scalar};
use crate::kernel::{Argument, Bound, Reduce};
use bytemuck::pod_read_unaligned;
use smallvec::SmallVec;

/// Iterations that are looked at each time a loop is bound.
const FEW: usize = 16;
/// Iterations that a data region looks at, once for each state of its arrays.
const SEVERAL: usize = 64;
/// Iterations of more turns than this many times the middle one's count as if they had so many, if they have more than a few.
const LONG: usize = 4;
const FEW_TURNS: usize = 32;
/// So many iterations on either side of the longest of them are looked at. Long ones lie together if at more than half of these
/// distances one has a quarter of its turns.
const BESIDE: usize = 4;

/// Of an iteration, by what is seen of the arguments.
type TurnsOf = for<'s> fn(usize, &Seen<'s>) -> Option<i128>;

/// The number of turns that an iteration has of the first loop.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// None where it reads an element that is not there.
    pub of: TurnsOf,
    /// The arguments that it depends on.
    pub arguments: &'static [usize],
}

/// The arguments of [`Turns`] that the host sees.
#[derive(Debug)]
pub struct Seen<'s>(SmallVec<[SeenArgument<'s>; 4]>);

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SeenArgument<'s> {
    Scalar(Scalar),
    Array(ElementType, &'s [u8]),
}

impl Seen<'_> {
    /// The integer in one of them.
    #[inline]
    pub fn scalar(&self, of: usize) -> Option<i128> {
        match self.0.get(of)? {
            SeenArgument::Scalar(scalar) => scalar.integer(),
            SeenArgument::Array(..) => None,
        }
    }

    /// An element of one of them.
    #[inline]
    pub fn element(&self, of: usize, at: i128) -> Option<i128> {
        let SeenArgument::Array(element, bytes) = self.0.get(of)? else { return None };
        let (at, size) = (usize::try_from(at).ok()?, element.bytes());
        let bytes = bytes.get(at.checked_mul(size)?..)?.get(..size)?;
        Some(match element {
            ElementType::I32 => pod_read_unaligned::<i32>(bytes).into(),
            ElementType::U32 => pod_read_unaligned::<u32>(bytes).into(),
            ElementType::I64 => pod_read_unaligned::<i64>(bytes).into(),
            ElementType::U64 => pod_read_unaligned::<u64>(bytes).into(),
            ElementType::I8 => pod_read_unaligned::<i8>(bytes).into(),
            ElementType::U8 => bytes[0].into(),
            ElementType::I16 => pod_read_unaligned::<i16>(bytes).into(),
            ElementType::U16 => pod_read_unaligned::<u16>(bytes).into(),
            ElementType::F32 | ElementType::F64 => return None,
        })
    }

    /// Elements of the longest array, if there is one.
    fn longest(&self) -> Option<usize> {
        let lengths = self.0.iter().filter_map(|argument| match argument {
            SeenArgument::Array(element, bytes) => Some(bytes.len() / element.bytes()),
            SeenArgument::Scalar(_) => None,
        });
        lengths.max()
    }
}

impl Turns {
    /// About how many turns iterations have, and the most: of some of them. A few that are long do not count as such, as others may
    /// run them. An array may be longer than the loop, so those of the last of these iterations may not be there. Where lines are narrow
    /// a group runs its own long ones, and of the most it is only told if these lie together: then all groups share them. On an H200
    /// that made products of rows sorted by their lengths 2.2 times as fast, and of such rows in any order 0.63 times.
    fn typical(&self, seen: &Seen<'_>, some: usize) -> Option<[usize; 2]> {
        let turns = |n: i128| n.clamp(0, i128::from(u32::MAX)) as usize;
        let Some(all) = seen.longest() else {
            // Nothing says how many iterations there are, so it has to be the same for all: of sums, for two of them.
            let one = (self.of)(0, seen).filter(|one| (self.of)(1, seen) == Some(*one))?;
            return Some([turns(one); 2]);
        };
        let at = |k: usize| (all as u128 * k as u128 / some as u128) as usize;
        let known = (0..some).filter_map(|k| Some((turns((self.of)(at(k), seen)?), at(k))));
        let mut known: SmallVec<[(usize, usize); SEVERAL]> = known.collect();
        known.sort_unstable();
        let (most, longest) = *known.last()?;
        let known: SmallVec<[usize; SEVERAL]> = known.into_iter().map(|(turns, _)| turns).collect();
        let long = (LONG * known[known.len() / 2]).max(FEW_TURNS);
        let sum: usize = known.iter().map(|n| (*n).min(long)).sum();
        let typical = sum / known.len();
        let is_long = |i: Option<usize>| i.and_then(|i| (self.of)(i, seen)).is_some_and(|n| turns(n) >= most / 4);
        let beside = |by: usize| is_long(longest.checked_add(by)) || is_long(longest.checked_sub(by));
        let together = 2 * (1..=BESIDE).filter(|by| beside(*by)).count() > BESIDE;
        Some([typical, if together || !Shape::has_narrow_lines(typical) { most } else { most.min(typical) }])
    }
}

/// How a kernel is made anew once turns are known.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct ByTurns {
    parts: PartsOf,
    /// The shape where they are not.
    shape: Shape,
    turns: Turns,
}

/// Sets the turns of iterations, which say how wide lines are: now, or in a data region when the loop starts.
pub fn by_turns<'a>(mut bound: Bound<'a>, parts: PartsOf, shape: Shape, turns: Turns) -> Bound<'a> {
    bound.by_turns = Some(ByTurns { parts, shape, turns });
    let here = |argument: usize| match &bound.arguments().get(argument)?.array()?.memory {
        HostMemory::Read(bytes) => Some(*bytes),
        HostMemory::Write(_) | HostMemory::Scratch => None,
    };
    let typical = bound.seen(here).and_then(|seen| turns.typical(&seen, FEW));
    bound.take_turns(typical, Reduce::Sum);
    bound
}

impl Bound<'_> {
    /// The arguments on which the turns of iterations depend.
    pub(crate) fn turns_depend_on(&self) -> Option<&'static [usize]> {
        self.by_turns.filter(|_| !self.is_over_cells).map(|by| by.turns.arguments)
    }

    /// The arguments on which turns depend, if each array among them is there in the host's memory.
    fn seen<'s>(&self, here: impl Fn(usize) -> Option<&'s [u8]>) -> Option<Seen<'s>> {
        let argument = |position: &usize| match self.arguments().get(*position)? {
            Argument::Scalar(scalar) => Some(SeenArgument::Scalar(*scalar)),
            Argument::Array(map) => Some(SeenArgument::Array(map.element, here(*position)?)),
        };
        self.turns_depend_on()?.iter().map(argument).collect::<Option<_>>().map(Seen)
    }

    /// About how many turns iterations have, and the most that some have, with the host's memory of arguments by `here`.
    pub(crate) fn typical_turns<'s>(&self, here: impl Fn(usize) -> Option<&'s [u8]>) -> Option<[usize; 2]> {
        self.by_turns?.turns.typical(&self.seen(here)?, SEVERAL)
    }

    /// Takes the form for about so many turns, if that is known.
    pub(crate) fn take_turns(&mut self, turns: Option<[usize; 2]>, operator: Reduce) {
        let Some((ByTurns { parts, shape, .. }, turns)) = self.by_turns.zip(turns) else { return };
        let shape = shape.or_uneven_lines(Some(turns));
        if let Some(by_operator) = &mut self.by_operator {
            by_operator.shape = shape;
        }
        let (cost, on_gpus) = (self.kernel().stated_cost(), self.checking.on_gpus);
        self.change_kernel(|kernel| {
            let lined = parts().kernel(operator, shape, cost).renamed(kernel.shared_name());
            if on_gpus { super::for_gpus(lined) } else { lined }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_have_about_as_many_turns_as_some_of_them() {
        let starts: Vec<u32> = (0..=100).map(|i| 5 * i).collect();
        let seen = Seen(
            [
                SeenArgument::Array(ElementType::U32, bytemuck::cast_slice(&starts)),
                SeenArgument::Scalar(Scalar::I32(-200)),
                SeenArgument::Scalar(Scalar::F32(1.0)),
            ]
            .into_iter()
            .collect(),
        );
        let typical = |of| {
            Turns { of, arguments: &[] }.typical(&seen, FEW).map(|[turns, most]| {
                assert_eq!(turns, most);
                turns
            })
        };
        // The last of them is not there.
        let rows = |i: usize, seen: &Seen<'_>| Some(seen.element(0, i as i128 + 1)? - seen.element(0, i as i128)?);
        assert_eq!(typical(rows), Some(5));
        assert_eq!(typical(|i, seen| seen.element(0, i as i128 + 99)), Some(495));
        assert_eq!(typical(|_, seen| seen.scalar(1)), Some(0));
        // Without arrays only what is the same for all iterations is known.
        let seen_alone = Seen([SeenArgument::Scalar(Scalar::I32(40))].into_iter().collect());
        let alone = |of| Turns { of, arguments: &[] }.typical(&seen_alone, FEW);
        assert_eq!(alone(|_, seen| seen.scalar(0)), Some([40; 2]));
        assert_eq!(alone(|_, seen| Some(-seen.scalar(0)?)), Some([0; 2]));
        let moving: [TurnsOf; 2] = [|i, _| Some(i as i128), |i, seen| Some(seen.scalar(0)? - i as i128)];
        assert_eq!(moving.map(alone), [None; 2]);
        let none: [TurnsOf; 7] = [
            |_, seen| seen.scalar(2),
            |_, seen| seen.scalar(0),
            |_, seen| seen.element(1, 0),
            |_, seen| seen.element(0, -1),
            |_, seen| seen.element(0, i128::MAX),
            |_, seen| seen.element(0, 101),
            |_, seen| seen.element(3, 0),
        ];
        assert_eq!(none.map(typical), [None; 7]);
        // Of lengths in an array, few long ones count little.
        let of = |lengths: &[u32]| {
            let seen =
                Seen(std::iter::once(SeenArgument::Array(ElementType::U32, bytemuck::cast_slice(lengths))).collect());
            Turns { of: |i, seen| seen.element(0, i as i128), arguments: &[] }.typical(&seen, lengths.len())
        };
        assert_eq!(of(&[5, 5, 5, 1_000_000, 5, 5, 5, 5]), Some([(7 * 5 + 32) / 8; 2]));
        // The most where they lie together, at the end too.
        let mut lengths = vec![5; 32];
        lengths[..5].fill(900);
        lengths[2] = 5;
        assert_eq!(of(&lengths), Some([(4 * 32 + 28 * 5) / 32, 900]));
        lengths.reverse();
        assert_eq!(of(&lengths), Some([(4 * 32 + 28 * 5) / 32, 900]));
        assert_eq!(of(&[100, 90, 4000, 110]), Some([(100 + 90 + 440 + 110) / 4, 4000]));
        assert_eq!(of(&[0, 0, 0, 40]), Some([8, 8]));
        assert_eq!(of(&[3000, 5, 3000, 2000]), Some([(3 * 3000 - 1000 + 5) / 4, 3000]));
        assert_eq!(of(&[u32::MAX; 64]), Some([u32::MAX as usize; 2]));
        // Bytes of any place, of each type.
        let bytes: Vec<u8> = (0..40).collect();
        for (element, expected) in [
            (ElementType::I8, Some(2)),
            (ElementType::U8, Some(2)),
            (ElementType::I16, Some(0x0403)),
            (ElementType::U16, Some(0x0403)),
            (ElementType::I32, Some(0x0c0b_0a09)),
            (ElementType::U32, Some(0x0c0b_0a09)),
            (ElementType::I64, Some(0x1817_1615_1413_1211)),
            (ElementType::U64, Some(0x1817_1615_1413_1211)),
            (ElementType::F64, None),
        ] {
            let seen = Seen([SeenArgument::Array(element, &bytes[1..])].into_iter().collect());
            let at = if element.bytes() < 4 { 1 } else { 2 };
            assert_eq!(seen.element(0, at), expected, "{element}");
        }
    }
}
