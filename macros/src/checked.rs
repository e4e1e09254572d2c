//! Accesses that device texts check at run time, as their bounds are unknown before the loop: an element out of bounds is noted
//! in a report, read as 0 and not written.

use crate::access::{self, Accesses, reach};
use crate::claims::{Span, is_certain, of_access};
use crate::contribute::contributes;
use crate::ir::{ArrayId, Expr, Function, Param, VarId};
use crate::parse::MapWord;
use crate::poly::Poly;
use std::collections::BTreeSet;

/// The report parameter of texts that report.
pub const REPORT: &str = "AP_GLOBAL volatile ap_u64 *ap_report";

/// The accesses of a function that are checked.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Index expressions of the accesses.
    places: BTreeSet<*const Expr>,
    /// Arrays whose number of elements is passed to the text.
    pub arrays: BTreeSet<ArrayId>,
    /// Whether a report is passed to it.
    pub reports: bool,
    /// Whether one of them is an element of a row that plans read in vectors.
    pub in_rows: bool,
}

impl Checked {
    /// For a function with these accesses.
    pub fn of(f: &Function, accesses: &Accesses<'_>) -> Self {
        let Some(index) = f.index().filter(|_| !f.helper) else { return Self::default() };
        let mut found = Self { reports: contributes(&f.body), ..Self::default() };
        for access in &accesses.list {
            let followed = || match reach(f, access, index) {
                Ok(reach) => is_certain(access, &reach) || of_access(f, access).is_some(),
                Err(_) => false,
            };
            if f.unproved.contains(&access.array) || access.doubtful || !followed() {
                found.places.insert(access.place);
                found.arrays.insert(access.array);
                found.reports = true;
                let along = |index: &Poly| {
                    let factor = |(v, _): &(VarId, _)| index.split(*v)?.0.as_constant();
                    access.loops.iter().any(|of| factor(of) == Some(1))
                };
                found.in_rows |= access.index.as_ref().is_ok_and(along);
            }
        }
        found
    }

    /// As `of`, if only the function is at hand.
    pub fn of_function(f: &Function) -> Self {
        Self::of(f, &access::collect(f))
    }

    /// Whether the access with this index is checked.
    pub fn has(&self, index: &Expr) -> bool {
        self.places.contains(&std::ptr::from_ref(index))
    }
}

/// The elements of accesses that iterations may skip, by array: checked once the range of the loop is known.
pub fn possible(f: &Function, accesses: &Accesses<'_>) -> Vec<Vec<Span>> {
    let mut all = vec![Vec::new(); f.arrays.len()];
    let Some(index) = f.index() else { return all };
    let checked = Checked::of(f, accesses);
    for access in accesses.list.iter().filter(|access| !checked.places.contains(&access.place)) {
        let Ok(reach) = reach(f, access, index) else { continue };
        if let Some(span) = of_access(f, access).filter(|_| !is_certain(access, &reach))
            && !all[access.array].contains(&span)
        {
            all[access.array].push(span);
        }
    }
    all
}

/// The same function with every access checked.
pub fn all_checked(f: &Function) -> Function {
    let mut all = f.clone();
    let contributed: BTreeSet<ArrayId> = crate::contribute::arrays(f).into_iter().map(|(array, _)| array).collect();
    all.unproved = (0..f.arrays.len()).filter(|array| !contributed.contains(array)).collect();
    all
}

/// Notes which arrays the texts must check because of the maps.
pub fn note(f: &mut Function, words: &[MapWord]) {
    for word in words {
        let Some(array) = f.arrays.iter().position(|array| array.ident == word.array) else { continue };
        // The rows that a map states were not compared with any index.
        if word.rows.is_some() {
            f.unproved.insert(array);
        }
    }
}

/// The number of the argument that an array is.
pub fn argument(f: &Function, array: ArrayId) -> usize {
    let ends = if f.indices.len() == 2 { 2 } else { 0 };
    let bound = f.params.iter().filter(|param| !matches!(param, Param::Scalar(v) if f.pitches.contains(v)));
    ends + bound.take_while(|param| **param != Param::Array(array)).count()
}

/// The note in a report about an access, besides the index.
pub fn note_of(f: &Function, array: ArrayId, writes: bool) -> String {
    let note = u64::from(writes) << 62 | (argument(f, array).min(63) as u64) << 56;
    format!("0x{note:x}u")
}
