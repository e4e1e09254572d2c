use super::*;

/// The plan of a kernel as text.
fn planned(text: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(text).unwrap();
    let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
    let mut function = crate::lower::lower(function, &item.block).unwrap();
    function.quotients = crate::access::quotients(&crate::access::collect(&function));
    let mut accesses = crate::access::collect(&function);
    let rows = crate::share::plan(&accesses).unwrap();
    let Some(plan) = plan(&mut accesses, &function, &rows) else { return "none".into() };
    let name = |v: VarId| function.vars[v].ident.to_string();
    let of_row = |row: usize| {
        let Row { array, rest, .. } = &plan.rows[row];
        format!("{}[{}]", function.arrays[*array].ident, rest.show(&name))
    };
    let mut words = vec![plan.each.to_string()];
    words.extend(plan.windows.iter().map(|w| format!("{} {:+} {:?}", of_row(w.row), w.offset, w.ways)));
    words.extend(plan.others.iter().map(|other| format!("other {:?}", other.way)));
    words.extend(plan.instead.iter().map(|instead| format!("instead of {} {:?}", instead.window, instead.way)));
    words.extend(plan.stores.iter().map(|(_, row)| format!("stores {}", of_row(*row))));
    let show = |list: &[Poly]| list.iter().map(|poly| poly.show(&name)).collect::<Vec<_>>().join(" ");
    let Interior { lows, ends, differences } = &plan.interior;
    words.push(format!("in {}..{} if {}", show(lows), show(ends), show(differences)));
    words.join("; ")
}

#[test]
fn windows_have_the_ways_to_them() {
    for (body, expected) in [
        (
            "y[i * m + j] = x[i * m + j] + x[i * m + j + 1];",
            "4; x[i*m] +0 [[]]; x[i*m] +1 [[]]; stores y[i*m]; in .. if ",
        ),
        // The comparison of the iteration goes into the interior, if the argument fits a signed number.
        (
            "let at = i * m + j; if i >= 2 && j > 0 && i + 1 < n { y[at] = x[at - m]; }",
            "4; x[i*m - m] +0 [[(0, true)]]; in 2..n - 1 if n",
        ),
        (
            "let at = i * m + j; let mut v = x[at]; if !(i == 0 || i == n - 1 || j == 0) { v = x[at - 1]; } y[at] = v;",
            "4; x[i*m] +0 [[]]; x[i*m] -1 [[(0, true)]]; stores y[i*m]; in .. if ",
        ),
        (
            "let at = i * m + j; if i == 0 || i == n - 1 || j == 0 { y[at] = 0.0; } else { y[at] = x[at - 1]; }",
            "4; x[i*m] -1 [[(0, false)]]; in 1..n - 1 if n n - 1",
        ),
        // An argument may be too large for a signed number.
        (
            "let at = i * m + j; if i >= n { y[at] = x[at]; } else { y[at] = 0.0; }",
            "4; x[i*m] +0 [[(0, true)]]; in n.. if n",
        ),
        // Below 3 the local wraps to a large number: nothing is known of rows in advance.
        ("let t = i - 3; let at = i * m + j; if t < 7 { y[at] = x[at]; } else { y[at] = 0.0; }", "none"),
        // Both sides read it: it is always needed.
        (
            "let at = i * m + j; y[at] = if j > 3 { x[at] * 2.0 } else { x[at] - 1.0 };",
            "4; x[i*m] +0 [[]]; stores y[i*m]; in .. if ",
        ),
        // Only indices differ.
        (
            "let at = i * m + j; y[at] = if j > 0 { 2.0 * x[at - 1] } else { 2.0 * x[i * m + (j + m - 1) % m] };",
            "4; x[i*m] -1 [[]]; instead of 0 [(0, false)]; stores y[i*m]; in .. if ",
        ),
        // The other index does not grow as the row does.
        (
            "let at = i * m + j; y[at] = if j > 0 { 2.0 * x[at - 1] } else { 2.0 * x[(j + m - 1) % m] };",
            "4; x[i*m] -1 [[(0, true)]]; other [(0, false)]; stores y[i*m]; in .. if ",
        ),
        // Not early: an element under a condition on an element, and one that an earlier store may have changed.
        ("let at = i * m + j; if x[at] > 0.0 { y[at] = x[at + 1]; } y[at] += 1.0;", "4; x[i*m] +0 [[]]; in .. if "),
    ] {
        let text =
            format!("fn f(i: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) {{ for j in 0..m {{ {body} }} }}");
        assert_eq!(planned(&text), expected, "{body}");
    }
}

#[test]
fn what_has_loops_has_no_windows() {
    let text = |body: &str| {
        format!(
            "fn f(i: usize, m: usize, x: &[f64], y: &mut [f64]) {{ for j in 0..m {{ let mut s = 0.0; {body} y[i * m + j] = s; }} }}"
        )
    };
    assert_eq!(planned(&text("for k in 0..3 { s += x[(i * m + j) * 3 + k]; }")), "none");
    assert_eq!(planned(&text("for k in 0..m { s += x[k * m + j]; }")), "none");
    assert_eq!(planned(&text("if j == 2 { continue; }")), "none");
    assert_eq!(planned(&text("s = x[i * m + j];")), "2; x[i*m] +0 [[]]; stores y[i*m]; in .. if ");
}

#[test]
fn ways_become_fewer() {
    let simple = |mut ways: Vec<Way>| {
        simplify(&mut ways);
        ways
    };
    assert_eq!(simple(vec![vec![(0, true)], vec![(0, false)]]), [Way::new()]);
    assert_eq!(simple(vec![vec![(0, true)], vec![]]), [Way::new()]);
    let one = vec![vec![(0, true), (1, true)], vec![(0, false)], vec![(0, true), (1, false)]];
    assert_eq!(simple(one), [Way::new()]);
    assert_eq!(simple(vec![vec![(0, true)], vec![(1, false)]]).len(), 2);
}
