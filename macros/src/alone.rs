//! Iterations that groups share, of loops so short that many iterations are faster with a work-item each: neighbouring work-items
//! then have to read the same elements, or neighbouring ones.

use crate::access::{Accesses, has};
use crate::contribute::contributes;
use crate::ir::{Stmt, Ty};
use crate::poly::Poly;
use crate::prelude::Dialect;
use crate::share::{Rows, Step};

/// Most elements between those of neighbouring iterations.
const NEAR: i128 = 4;

/// Whether a work-item may also run an iteration alone.
pub fn may_be(accesses: &Accesses<'_>, rows: &Rows<'_>) -> bool {
    let f = accesses.f;
    let Some(i) = f.index() else { return false };
    let simple = |step: &Step<'_>| matches!(step, Step::Alike(_) | Step::Alone(_) | Step::Shared(..) | Step::Block(_));
    let shared = rows.tiles.is_none() && !rows.nested && !rows.heavy && !rows.lengths.is_empty();
    if !shared || f.result != Ty::Unit || contributes(&f.body) || !rows.steps.iter().all(simple) {
        return false;
    }
    if has(&f.body, |stmt| matches!(stmt, Stmt::While(..))) {
        return false;
    }
    accesses.list.iter().all(|access| {
        let Ok(index) = &access.index else { return false };
        // Where a loop begins may depend on the iteration.
        let begun = |poly: Poly, (var, _): &(usize, Option<Poly>)| {
            let (lo, _) = accesses.spans.get(var)?;
            Some(poly.substitute(*var, &(lo + &Poly::var(*var))))
        };
        let Some(index) = access.loops.iter().rev().try_fold(index.clone(), begun) else { return false };
        let known = index.symbols().into_iter().all(|v| v < f.vars.len());
        known && index.split(i).and_then(|(factor, _)| factor.as_constant()).is_some_and(|by| by.abs() <= NEAR)
    })
}

/// Runs an iteration by each work-item, where there are fewer groups than iterations. `call` runs iteration `row`. OpenCL devices
/// that are CPUs have spans of iterations in any case.
pub fn text(call: &str, dialect: Dialect) -> String {
    if dialect == Dialect::OpenCl {
        return format!(
            "#ifndef APPORTION_CPU
    if (AP_GROUPS * AP_GROUPS_Y < hi - lo) {{
        /* Work-items have an iteration each. */
        const ap_i64 row = lo + (AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * AP_GROUP + AP_LANE;
        if (row < hi) {call};
        return;
    }}
#endif
"
        );
    }
    format!(
        "    if (AP_GROUPS * AP_GROUPS_Y < hi - lo) {{
        /* Work-items have an iteration each. */
        const ap_i64 at = lo + (AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * AP_GROUP;
#ifdef APPORTION_CPU
        if (AP_LANE == 0)
            for (ap_i64 row = at; row < at + AP_GROUP && row < hi; row++) {call};
#else
        const ap_i64 row = at + AP_LANE;
        if (row < hi) {call};
#endif
        return;
    }}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_iterations_read_neighbouring_elements() {
        for (body, expected) in [
            ("let mut s = 0.0; for j in 0..n { s += x[i + j] * w[j]; } y[i] = s;", true),
            ("let mut s = 0.0; for j in 0..n { s += x[3 * i + j] * w[n - 1 - j]; } y[i] = s;", true),
            // Numbers of turns that differ.
            ("let mut s = 0.0; for j in i..n { s += w[j]; } y[i] = s;", false),
            ("let mut s = 0.0; for j in 0..n { s += x[i * n + j]; } y[i] = s;", false),
            ("let mut s = 0.0; for j in i * n..i * n + n { s += x[j]; } y[i] = s;", false),
            ("let mut s = 0.0; for j in 0..n { s += w[x[j] as usize]; } y[i] = s;", false),
            ("for j in 0..n { y[i * n + j] = w[j]; }", false),
            ("let mut s = 0.0; for k in 0..n { for j in 0..n { s += w[j]; } s = s * x[k]; } y[i] = s;", false),
        ] {
            let text = format!("fn f(i: usize, n: usize, x: &[f32], w: &[f32], y: &mut [f32]) {{ {body} }}");
            let item: syn::ItemFn = syn::parse_str(&text).unwrap();
            let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
            let function = crate::lower::lower(function, &item.block).unwrap();
            let accesses = crate::access::collect(&function);
            let rows = crate::share::plan(&accesses).unwrap_or_else(|why| panic!("{body}: {why}"));
            assert_eq!(may_be(&accesses, &rows), expected, "{body}");
        }
    }
}
