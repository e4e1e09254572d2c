//! Arrays with impossible layouts, or without room: each is reported once and left out, and the region goes on without it.

use super::DataRegion;
use super::array::Placed;
use super::place::{items_of, target};
use super::room::Needed;
use crate::data::layout::{Division, MAX_EXTENT, Target};
use crate::error::{Error, Result};

/// Why an array is not in its region.
#[derive(Clone, Debug)]
pub(super) enum Refused {
    /// Its layout is impossible.
    Layout(String),
    /// A device had less memory left than its description says.
    Room(String),
}

impl DataRegion<'_, '_> {
    /// Divides all arrays over the devices. New arrays with impossible layouts are refused.
    ///
    /// # Errors
    /// If there are such arrays; the others can be placed in the next call. If none was placed before, the devices are also
    /// chosen anew.
    pub(super) fn divide(&mut self, new: &[usize]) -> Result<Vec<Placed>> {
        let divided = self.try_divide(new, |index| self.arrays[index].refused.is_none());
        let Err(error) = &divided else { return divided };
        let alone = |&index: &usize| {
            let needed = self.needed_by(index);
            let why = self.try_divide(&needed, |index| needed.contains(&index)).err()?;
            Some((index, why.to_string()))
        };
        let mut refused: Vec<(usize, String)> = new.iter().filter_map(alone).collect();
        if refused.is_empty() {
            // Each is possible alone, but not all together.
            refused.extend(new.iter().map(|&index| (index, error.to_string())));
        }
        for (index, why) in refused {
            self.arrays[index].refused = Some(Refused::Layout(why));
        }
        if self.loops == 0 && self.arrays.iter().all(|array| array.placed.parts.is_empty()) {
            self.set = None;
        }
        divided
    }

    fn try_divide(&self, new: &[usize], wanted: impl Fn(usize) -> bool) -> Result<Vec<Placed>> {
        let set = self.set()?;
        let placed = self.parts(set, &set.counts, wanted)?;
        new.iter().try_for_each(|&index| self.check_size(index))?;
        Needed::of(set.members.len(), &placed).check(&set.members)?;
        Ok(placed)
    }

    /// Refuses new arrays that cannot be whatever the devices are, before they say how many rows and columns the region has.
    ///
    /// # Errors
    /// If there are such arrays.
    pub(super) fn refuse_impossible(&mut self, new: &[usize]) -> Result<()> {
        let wrong = |&index: &usize| {
            let check = |&index: &usize| self.check_size(index).and_then(|()| self.check_extents(index)).err();
            Some((index, self.needed_by(index).iter().find_map(check)?))
        };
        let wrong: Vec<(usize, Error)> = new.iter().filter_map(wrong).collect();
        for (index, why) in &wrong {
            self.arrays[*index].refused = Some(Refused::Layout(why.to_string()));
        }
        wrong.into_iter().next().map_or(Ok(()), |(_, why)| Err(why))
    }

    /// Checks that the array's cells, and the iterations that they go with, can be counted.
    fn check_extents(&self, index: usize) -> Result<()> {
        let array = &self.arrays[index];
        for (dimension, of) in array.layout.dims.iter().enumerate() {
            if let Some(Division::RowsAt { offsets, .. }) = &of.division {
                if let Some(device) = &array.layout.on {
                    return Err(Error::call(format!(
                        "{}: its layout: `.rows_at(..)` and `.on(\"{device}\")`: one device has all of it, whatever the rows' lengths; \
                         leave one of both out, or map it `.full()`",
                        array.name(index)
                    )));
                }
                offsets.check(of.extent).map_err(|why| Error::call(format!("{}: {why}", array.name(index))))?;
            }
            let items = match &of.division {
                Some(Division::Align { target: Target::Loop(_), ratio, offset }) if ratio.is_valid() => {
                    items_of(of.extent, *ratio, *offset)
                }
                Some(Division::RowsAt { offsets, .. }) => offsets.items().into(),
                _ => 0,
            };
            if of.extent > MAX_EXTENT || items > u128::from(MAX_EXTENT) {
                return Err(Error::call(format!(
                    "{}: dimension {dimension} of its layout has {} cells, which go with {} iterations: map fewer; it can be \
                     2^61 of either",
                    array.name(index),
                    of.extent,
                    items.max(u128::from(of.extent))
                )));
            }
        }
        Ok(())
    }

    /// An array, everything that it is aligned with, and all arrays of the same names.
    fn needed_by(&self, index: usize) -> Vec<usize> {
        let mut needed = vec![index];
        let mut next = 0;
        while let Some(&index) = needed.get(next) {
            let layout = &self.arrays[index].layout;
            for (other, array) in self.arrays.iter().enumerate().filter(|(_, array)| array.refused.is_none()) {
                let aligned = layout.dims.iter().any(|dimension| match &dimension.division {
                    Some(Division::Align { target: with, .. } | Division::RowsAt { target: with, .. }) => {
                        (0..array.layout.dims.len()).any(|dimension| target(&array.layout, other, dimension) == *with)
                    }
                    _ => false,
                });
                let same_name = layout.name.is_some() && array.layout.name == layout.name;
                if (aligned || same_name) && !needed.contains(&other) {
                    needed.push(other);
                }
            }
            next += 1;
        }
        needed
    }

    /// Checks that the layout has as many elements as the caller's array, and that each call that made it had an effect.
    pub(super) fn check_size(&self, index: usize) -> Result<()> {
        let array = &self.arrays[index];
        if let Some(why) = &array.layout.vain {
            return Err(Error::call(format!("{}: its layout: {why}", array.name(index))));
        }
        let wanted = array.layout.elements();
        let components = array.components as u64;
        let has = array.user.bytes().map(|bytes| (bytes.len() / array.element.bytes()) as u64);
        if wanted.is_some() && has.is_none_or(|has| Some(has) == wanted) && !array.layout.dims.is_empty() {
            return Ok(());
        }
        let (extents, wanted) = (array.extents(), wanted.map(|wanted| wanted / components));
        let has = has.map(|has| has / components);
        Err(Error::call(format!(
            "{}: its layout {extents:?} is of {} elements, but it has {}",
            array.name(index),
            wanted.map_or_else(|| "more than 2^64".to_owned(), |wanted| wanted.to_string()),
            has.map_or_else(|| "none".to_owned(), |has| has.to_string())
        )))
    }

    /// # Errors
    /// Says why, if the array was refused.
    pub(super) fn check_not_refused(&self, index: usize) -> Result<()> {
        let Some(refused) = &self.arrays[index].refused else { return Ok(()) };
        let why = match refused {
            Refused::Layout(why) => format!("its layout cannot be ({why}): map it anew with one that can"),
            Refused::Room(why) => format!("there was no room for it ({why}): map it anew when there is"),
        };
        Err(Error::call(format!("{} is not in the region, as {why}", self.arrays[index].name(index))))
    }
}
