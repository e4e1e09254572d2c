//! Loops whose numbers of turns are data: the user's memory tells them, as long as the devices have the same values.

use super::DataRegion;
use super::run::Use;
use crate::kernel::{Argument, Bound, Reduce, Reduction};
use std::hash::{DefaultHasher, Hash, Hasher};

/// States of arrays whose turns are kept.
const STATES: usize = 64;

impl DataRegion<'_, '_> {
    /// The kernel for as many turns as its loops have, if that is known. Of a wrong number a loop only takes longer.
    pub(super) fn settle_turns(&mut self, bound: &mut Bound<'_>, uses: &[Option<Use>], reduction: Option<Reduction>) {
        let Some(depends) = bound.turns_depend_on() else { return };
        let mut hash = DefaultHasher::new();
        bound.kernel().id().hash(&mut hash);
        for &argument in depends {
            match (uses.get(argument).copied().flatten(), bound.arguments().get(argument)) {
                (Some(used), _) => (used.array, self.arrays[used.array].version).hash(&mut hash),
                (None, Some(Argument::Scalar(scalar))) => scalar.integer().hash(&mut hash),
                (None, _) => return,
            }
        }
        let state = hash.finish();
        let turns = self.turns.get(&state).copied().unwrap_or_else(|| {
            let turns = bound.typical_turns(|argument| self.arrays[uses.get(argument)?.as_ref()?.array].seen());
            if self.turns.len() >= STATES {
                self.turns.clear();
            }
            self.turns.insert(state, turns);
            turns
        });
        bound.take_turns(turns, reduction.map_or(Reduce::Sum, |reduction| reduction.operator));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Mapped;
    use crate::kernel::generated::{Checks, Parts, Shape, Texts, Turns, by_turns, complete};
    use crate::kernel::{CudaVariant, ElementType, ParameterType};
    use crate::prelude::*;
    use crate::region::Dims;
    use std::sync::OnceLock;

    fn parts() -> &'static Parts {
        static PARTS: OnceLock<Parts> = OnceLock::new();
        PARTS.get_or_init(|| {
            Parts::new(&Texts {
                name: "rows",
                entry: "rows_kernel",
                words: [""; 2],
                functions: [&[]; 2],
                texts: [""; 2],
                helpers: |_| Vec::new(),
                parameters: &[
                    ParameterType::Scalar(ElementType::U64),
                    ParameterType::In(ElementType::U32),
                    ParameterType::Out(ElementType::F32),
                ],
                reduces: None,
                hosts: &[|_, _| None; 4],
                columns: false,
                checks: Checks::default(),
            })
        })
    }

    /// Iterations whose loops are from one start to the next, and `more` turns on.
    fn rows<'a>(more: u64, starts: Mapped<u32>, y: Mapped<f32>) -> Bound<'a> {
        let shape = Shape::RowsOrLines(256);
        let bound = parts().bind(shape, Cost::per_iteration()).scalar(more).reads(starts).writes(y);
        let turns = Turns {
            of: |i, seen| Some(seen.element(0, i as i128 + 1)? - seen.element(0, i as i128)? + seen.scalar(1)?),
            arguments: &[1, 0],
        };
        complete(by_turns(bound, parts, shape, turns))
    }

    /// Work-items in the lines of a loop that a region runs; none in groups, 0 where each warp counts.
    fn wide(region: &mut DataRegion<'_, '_>, mut bound: Bound<'_>) -> Option<usize> {
        let uses = region.uses(&bound).unwrap();
        region.settle_turns(&mut bound, &uses, None);
        let options = bound.kernel().cuda_variant().and_then(CudaVariant::options).unwrap();
        options.split(' ').find_map(|option| option.strip_prefix("-DAP_LINE=")?.parse().ok())
    }

    #[test]
    fn lines_are_as_wide_as_the_users_arrays_say_while_devices_have_the_same() -> Result<()> {
        let n = 1000;
        let of = |length: usize| (0..=n).map(|i| (i * length) as u32).collect::<Vec<_>>();
        let (short, mut long, mut y) = (of(5), of(100), vec![0.0f32; n]);
        let rt = Runtime::detect()?;
        let mut region = rt.data_region().devices("0");
        let (short, long) = (region.to(&short, [n + 1].full()), region.tofrom(&mut long, [n + 1].full()));
        let (y, made) = (region.from(&mut y, [n]), region.alloc::<u32>([n + 1].full()));
        for _ in 0..2 {
            assert_eq!(wide(&mut region, rows(0, short, y)), Some(1));
            assert_eq!(wide(&mut region, rows(11, short, y)), Some(2));
            assert_eq!(wide(&mut region, rows(0, long, y)), Some(16));
            assert_eq!(wide(&mut region, rows(500, long, y)), None);
            // Its values are on the devices only.
            assert_eq!(wide(&mut region, rows(0, made, y)), Some(0));
            region.parallel_for(0..n, rows(0, long, y)).run()?;
        }
        region.copy(short, long)?;
        region.copy(short, made)?;
        assert_eq!(wide(&mut region, rows(0, long, y)), Some(0));
        assert_eq!(wide(&mut region, rows(0, short, y)), Some(1));
        region.update_from(long)?;
        assert_eq!(wide(&mut region, rows(0, long, y)), Some(1));
        region.host_mut(long)?.copy_from_slice(&of(9));
        region.update_to(long)?;
        assert_eq!(wide(&mut region, rows(0, long, y)), Some(2));
        assert_eq!(wide(&mut region, rows(0, made, y)), Some(0));
        region.finish()?;
        Ok(())
    }

    #[test]
    fn few_states_of_arrays_are_kept() -> Result<()> {
        let (starts, mut y) = ([0, 3, 6, 9], [0.0f32; 3]);
        let rt = Runtime::detect()?;
        let mut region = rt.data_region().devices("0");
        let (starts, y) = (region.to(&starts, [4].full()), region.from(&mut y, [3]));
        for more in 0..2 * STATES as u64 {
            wide(&mut region, rows(more, starts, y));
            wide(&mut region, rows(more, starts, y));
            assert_eq!(region.turns.len(), more as usize % STATES + 1);
        }
        Ok(())
    }
}
