//! Accesses that device texts check at run time, as their bounds are unknown before the loop: an element out of bounds is noted
//! in a report, read as 0 and not written.

use crate::access::{self, Accesses, reach};
use crate::bytes;
use crate::claims::{Span, is_certain, of_access};
use crate::contribute::contributes;
use crate::ir::{ArrayId, Expr, Function, Kind, Param, Place, Stmt, VarId, walk_expressions, walk_statements};
use crate::parse::MapWord;
use crate::poly::Poly;
use std::collections::BTreeSet;

/// The report parameter of functions that report, and that of entries.
pub const REPORT: &str = "AP_REPORT *ap_report";
pub const REPORT_OF_ENTRY: &str = "AP_GLOBAL volatile ap_u64 *ap_reported";
/// What an entry begins with if it reports.
pub const BEGIN: &str = "    AP_REPORTS;\n";

/// The accesses of a function that are checked.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Index expressions of the accesses.
    places: BTreeSet<*const Expr>,
    /// Index expressions of local arrays that are compared with their lengths.
    locals: BTreeSet<*const Expr>,
    /// Whether helpers are called, which may report.
    calls: bool,
    /// Arrays whose number of elements is passed to the text; also those that it reads in words.
    pub arrays: BTreeSet<ArrayId>,
    /// Whether a report is passed to it.
    pub reports: bool,
    /// Whether one of them is an element of a row that plans read in vectors.
    pub in_rows: bool,
}

impl Checked {
    /// For a function with these accesses.
    pub fn of(f: &Function, accesses: &Accesses<'_>) -> Self {
        let locals = locals(f, accesses);
        let calls = !f.helpers.is_empty();
        let reports = !locals.is_empty() || contributes(&f.body);
        let mut found = Self { locals, calls, reports, ..Self::default() };
        let Some(index) = f.index().filter(|_| !f.helper) else { return found };
        // What a device has of rows and columns is known when it runs: what some iterations skip is compared with that.
        let of_cells = !f.pitches.is_empty();
        let unclaimed = of_cells && !accesses.claims.is_empty();
        for access in &accesses.list {
            let followed = || match reach(f, access, index) {
                Ok(reach) if is_certain(access, &reach) => !unclaimed || access.loops.is_empty(),
                Ok(_) => !of_cells && of_access(f, access).is_some(),
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
        found.arrays.extend(bytes::arrays(f, &found));
        found
    }

    /// As `of`, if only the function is at hand.
    pub fn of_function(f: &Function) -> Self {
        Self::of(f, &access::collect(f))
    }

    /// Whether an element of a local array with this index is checked.
    pub fn has_local(&self, index: &Expr) -> bool {
        self.locals.contains(&std::ptr::from_ref(index))
    }

    /// Whether one is within this statement.
    pub fn has_local_within(&self, stmt: &Stmt) -> bool {
        let list = std::slice::from_ref(stmt);
        let mut found = false;
        walk_statements(list, &mut |stmt| {
            found |= matches!(stmt, Stmt::Assign(Place::Local(_, index), ..) if self.has_local(index));
        });
        walk_expressions(list, &mut |e| found |= matches!(&e.kind, Kind::Local(_, index) if self.has_local(index)));
        found
    }

    /// A list of parameters, and the report after them if the text has one. Whether it has one for its helpers alone is known when
    /// these are put together: a word stands for it.
    pub fn with_report(&self, mut list: Vec<String>, report: &str, word: &str) -> String {
        if self.reports {
            list.push(report.to_owned());
        }
        let word = match (self.calls && !self.reports, list.is_empty()) {
            (false, _) => String::new(),
            (true, false) => format!("${word}"),
            (true, true) => format!("${word}@only"),
        };
        list.join(", ") + &word
    }

    /// What an entry begins with, or a word for it.
    pub fn begin(&self) -> &'static str {
        match (self.reports, self.calls) {
            (true, _) => BEGIN,
            (false, true) => "$report_begin",
            (false, false) => "",
        }
    }

    /// Whether the access with this index is checked.
    pub fn has(&self, index: &Expr) -> bool {
        self.places.contains(&std::ptr::from_ref(index))
    }
}

/// The indices of local arrays that are not proved to be inside.
fn locals(f: &Function, accesses: &Accesses<'_>) -> BTreeSet<*const Expr> {
    // The text that compares every access runs where a claim does not hold. Loops over rows and columns compare none, and nobody
    // compares those of helpers.
    let claimed = accesses.claims.is_empty() || !f.unclaimed && !f.helper && f.pitches.is_empty();
    let mut found = BTreeSet::new();
    each_local_index(f, &mut |index| {
        if !accesses.inside.has(index, claimed) {
            found.insert(std::ptr::from_ref(index));
        }
    });
    found
}

/// Shows each index of a local array, read or written.
pub fn each_local_index(f: &Function, see: &mut impl FnMut(&Expr)) {
    walk_expressions(&f.body, &mut |e| {
        if let Kind::Local(_, index) = &e.kind {
            see(index);
        }
    });
    walk_statements(&f.body, &mut |stmt| {
        if let Stmt::Assign(Place::Local(_, index), ..) = stmt {
            see(index);
        }
    });
}

/// The length of the first local array of which these statements use an element, and whether it is written.
pub fn local_within(f: &Function, list: &[Stmt]) -> Option<(usize, bool)> {
    let mut found = None;
    let len = |var: VarId| f.vars[var].len.unwrap_or(1);
    walk_statements(list, &mut |stmt| {
        if let Stmt::Assign(Place::Local(var, _), ..) = stmt {
            found.get_or_insert((len(*var), true));
        }
    });
    walk_expressions(list, &mut |e| {
        if let Kind::Local(var, _) = &e.kind {
            found.get_or_insert((len(*var), false));
        }
    });
    found
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
    all.unclaimed = true;
    all.unproved = (0..f.arrays.len()).filter(|array| !contributed.contains(array)).collect();
    all
}

/// Notes which arrays the texts must check because of the maps.
pub fn note(f: &mut Function, words: &[MapWord]) {
    for word in words {
        let Some(array) = f.arrays.iter().position(|array| array.ident == word.array) else { continue };
        // The rows that a map states were not compared with any index.
        if word.has_rows() {
            f.unproved.insert(array);
            f.stated.insert(array, word.to_string());
        }
    }
}

/// The number of the argument that an array is, as it is bound.
pub fn argument(f: &Function, array: ArrayId) -> usize {
    argument_of(f, Param::Array(array))
}

/// The same for any parameter.
pub fn argument_of(f: &Function, of: Param) -> usize {
    let ends = if f.indices.len() == 2 { 2 } else { 0 };
    let bound = f.params.iter().filter(|param| !matches!(param, Param::Scalar(v) if f.pitches.contains(v)));
    ends + bound.take_while(|param| **param != of).count()
}

/// The note in a report about an access, besides the index.
pub fn note_of(f: &Function, array: ArrayId, writes: bool) -> String {
    let note = u64::from(writes) << 62 | (argument(f, array).min(63) as u64) << 56;
    format!("0x{note:x}u")
}

/// The note in a report about an element of a local array of this length, besides the index: bit 63 says so, and the bits from 40
/// on are the length, or 0 if it does not fit.
pub fn note_of_local(len: usize, writes: bool) -> String {
    let len = u16::try_from(len).unwrap_or(0);
    let note = 1 << 63 | u64::from(writes) << 62 | u64::from(len) << 40;
    format!("0x{note:x}u")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device;
    use crate::prelude::Dialect;

    fn function(text: &str) -> Function {
        let item: syn::ItemFn = syn::parse_str(text).unwrap();
        let f = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
        crate::lower::lower(f, &item.block).unwrap()
    }

    #[test]
    fn loops_over_local_arrays_alone_report_ends_that_have_wrapped() {
        let f = function(
            "fn f(i: usize, n: usize) -> f64 { let mut w = [0.0; 4]; if i % 2 == 0 { for k in 0..4 - n { w[k] += 1.0; } } w[0] }",
        );
        let text = |f: &Function| device::kernel(f, device::Loop::Rows(None), Dialect::Cuda).text;
        let all = text(&all_checked(&f));
        assert!(all.contains("ap_inside(") && all.contains("ap_local_end("), "{all}");
    }

    #[test]
    fn entries_hand_on_what_is_reported_at_their_end() {
        let f = function("fn f(i: usize, c: &[u32], x: &[f64], y: &mut [f64]) { y[i] = x[c[i] as usize]; }");
        for (dialect, kept) in [(Dialect::Cuda, true), (Dialect::OpenCl, false)] {
            let found = device::kernel(&f, device::Loop::Rows(None), dialect);
            assert!(found.needs.contains("ap_report"), "{:?}", found.needs);
            for words in [", AP_REPORT *ap_report) {", "AP_GLOBAL volatile ap_u64 *ap_reported) {\n    AP_REPORTS;\n"] {
                assert!(found.text.contains(words), "{words}: {}", found.text);
            }
            // No store between loads in CUDA.
            let words = crate::prelude::function("ap_report", dialect);
            assert_eq!(words.contains("if (~report) *at = report;"), kept, "{words}");
            assert_eq!(words.contains("#define AP_REPORT ap_u64\n"), kept, "{words}");
        }
        let none = function("fn f(i: usize, x: &[f64], y: &mut [f64]) { y[i] = x[i]; }");
        let none = device::kernel(&none, device::Loop::Rows(None), Dialect::Cuda);
        assert!(!none.needs.contains("ap_report") && !none.text.contains("AP_REPORT"), "{}", none.text);
    }

    #[test]
    fn a_while_ends_when_an_index_of_a_local_array_is_outside() {
        let f = function(
            "fn f(i: usize, t: &[f32], y: &mut [f32]) { let w = [0.0f32; 4]; let mut c = [0.0f32; 4]; let mut k = 0; \
             while w[k] < t[i] || k < 2 { c[k] = 1.0; k += 1; } y[i] = w[k]; }",
        );
        let text = device::kernel(&f, device::Loop::Rows(None), Dialect::Cuda).text;
        for line in [
            "{ bool ap_goes = true;",
            "while (ap_goes && (w[ap_within_or(k, 4, ",
            ", &ap_goes)] < t[",
            "else ap_goes = false; }",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(text.contains("= w[ap_within(k, 4, "), "{text}");
    }
}
