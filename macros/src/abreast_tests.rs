use super::*;

/// The plan of a kernel as text.
fn planned(text: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(text).unwrap();
    let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
    let mut function = crate::lower::lower(function, &item.block).unwrap();
    function.quotients = crate::access::quotients(&crate::access::collect(&function));
    let mut accesses = crate::access::collect(&function);
    let Ok(rows) = crate::share::plan(&accesses) else { return "flat".into() };
    let Some(plan) = plan(&mut accesses, &function, &rows) else { return "none".into() };
    let name = |v: VarId| function.vars[v].ident.to_string();
    let element = |e: &Element| {
        let (array, rest) = &plan.rows[e.row];
        format!("{}[{} | {}]", function.arrays[*array].ident, rest.show(&name), e.inner.show(&name))
    };
    let mut words = vec![plan.each.to_string()];
    words.extend(plan.loads.iter().map(|(_, load)| format!("reads {}", element(load))));
    words.extend(plan.stores.iter().map(|(_, store)| format!("stores {}", element(store))));
    let others = plan.elements.len() - plan.loads.len() - plan.stores.len();
    words.push(format!("{others} others"));
    words.extend(plan.spread.iter().map(|&v| format!("each has {}", name(v))));
    let distances: Vec<String> = plan.distances(&function).iter().map(|poly| poly.show(&name)).collect();
    words.push(format!("by {}", distances.join(" ")));
    if plan.high > 1 {
        words.push(format!("{} iterations", plan.high));
    }
    words.join("; ")
}

#[test]
fn columns_go_through_their_loops_side_by_side_where_these_are_alike() {
    for (body, expected) in [
        (
            "let mut s = 0.0; for k in 0..n { s += x[i * n * m + k * m + j]; } y[i * m + j] = s;",
            "4; reads x[i*n*m | m*k]; stores y[i*m | 0]; 0 others; each has s; by n*m m",
        ),
        // A read of all columns, a read of some columns, and reads at other places of the row.
        (
            "let mut s = 0.0; for k in 0..n { if x[k] > 0.0 { s += x[k * m + j]; } s += x[k * m + j + 1] + x[k * m + j + 4]; } y[i * m + j] = s;",
            "4; reads x[0 | m*k + 4]; stores y[i*m | 0]; 2 others; each has s; by 4 m; 4 iterations",
        ),
        // Nested loops; the second one has its own local, which becomes no array.
        (
            "let mut s = 0.0; for k in 0..n { let f = x[k]; for q in 0..n { let g = f + x[(k * n + q) * m + j]; s += g; } } \
             y[i * m + j] = s;",
            "4; reads x[0 | n*m*k + m*q]; stores y[i*m | 0]; 0 others; each has s; each has f; by n*m m; 4 iterations",
        ),
        // An element that is written in each turn is not kept in a vector.
        ("for k in 0..n { y[i * m + j] += x[k * m + j]; }", "4; reads x[0 | m*k]; 1 others; by m; 4 iterations"),
        (
            "for k in 0..n { y[i * m + j] = x[k * m + j]; } y[i * m + j] += 1.0;",
            "4; reads x[0 | m*k]; 2 others; by m; 4 iterations",
        ),
        // Rows that iterations share, and an inner loop that they do not: its turns differ, or its elements are not evenly apart.
        (
            "let c = x[i]; let mut s = 0.0; for k in 0..n { s += c * x[k * m + j] * x[(i + k) * m + j]; } y[i * m + j] = s;",
            "4; reads x[0 | m*k]; reads x[i*m | m*k]; stores y[i*m | 0]; 0 others; each has c; each has s; by m; 4 iterations",
        ),
        (
            "let mut s = 0.0; for k in 0..i { s += x[k * m + j]; } y[i * m + j] = s;",
            "4; reads x[0 | m*k]; stores y[i*m | 0]; 0 others; each has s; by m",
        ),
        (
            "let mut s = 0.0; for k in 0..n { s += x[k * m + j] + x[i * k * m + j]; } y[i * m + j] = s;",
            "4; reads x[0 | m*k]; reads x[0 | i*m*k]; stores y[i*m | 0]; 0 others; each has s; by m",
        ),
        // Turns whose number depends on the column, or that break, or continue.
        ("let mut s = 0.0; for k in 0..j { s += x[k * m + j]; } y[i * m + j] = s;", "none"),
        ("let mut s = 0.0; for k in 0..n { if s > 9.0 { break; } s += x[k * m + j]; } y[i * m + j] = s;", "none"),
        ("let mut s = 0.0; for k in 0..n { if k == 3 { continue; } s += x[k * m + j]; } y[i * m + j] = s;", "none"),
        ("let mut s = 0.0; for k in 0..n { s += x[k * m + j]; } if s > 1.0 { continue; } y[i * m + j] = s;", "none"),
        ("if j > 3 { for k in 0..n { y[i * m + j] += x[k * m + j]; } }", "none"),
        // Ends that were locals of the column, as those of backward ranges and `step_by` are unless they are numbers.
        ("let mut s = 0.0; for k in (0..n).rev() { s += x[k * m + j]; } y[i * m + j] = s;", "none"),
        // Neighbouring columns have elements that are far apart.
        ("let mut s = 0.0; for k in 0..n { s += x[j * n + k] + x[k * m + j]; } y[i * m + j] = s;", "none"),
        ("let mut s = 0.0; for k in 0..n { s += x[k * m + m - 1 - j]; } y[i * m + j] = s;", "none"),
        // No inner loop reads a row of the columns.
        ("let mut s = x[i * m + j]; for k in 0..n { s += x[k]; } y[i * m + j] = s;", "none"),
        // Inner loops of so few turns do not make a turn heavy.
        ("let mut s = 0.0; for k in 0..3 { s += x[k * m + j]; } y[i * m + j] = s;", "none"),
    ] {
        let text =
            format!("fn f(i: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) {{ for j in 0..m {{ {body} }} }}");
        assert_eq!(planned(&text), expected, "{body}");
    }
}

#[test]
fn many_locals_are_too_many() {
    let text = |count: usize| {
        let lets: String = (0..count).map(|k| format!("let mut s{k} = 0.0; ")).collect();
        let sums: String = (0..count).map(|k| format!("s{k} += x[k * m + j] * {k}.0; ")).collect();
        let all: Vec<String> = (0..count).map(|k| format!("s{k}")).collect();
        format!(
            "fn f(i: usize, n: usize, m: usize, x: &[f64], y: &mut [f64]) {{ for j in 0..m {{ {lets} for k in 0..n {{ {sums} }} \
             y[i * m + j] = {}; }} }}",
            all.join(" + ")
        )
    };
    assert!(planned(&text(8)).starts_with("2; "), "{}", planned(&text(8)));
    assert_eq!(planned(&text(9)), "none");
}

#[test]
fn factors_are_of_arguments() {
    let text = "fn f(i: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) { for j in 0..m { let mut s = 0.0; \
                for k in 0..n { s += x[(i * n + k) * (m + 4) + 8 * k * i + 12 + j]; } y[i * m + j] = s; } }";
    assert_eq!(
        planned(text),
        "4; reads x[i*n*m + 4*i*n | 8*i*k + m*k + 4*k + 12]; stores y[i*m | 0]; 0 others; each has s; by 12 n*m + 4*n 8 m + 4 m"
    );
}
