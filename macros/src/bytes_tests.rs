use super::*;
use crate::ir::walk_statements;

/// The sums of bytes in a kernel, and the loops around them that have turns side by side.
fn found(text: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(text).unwrap();
    let f = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
    let f = crate::lower::lower(f, &item.block).unwrap();
    let mut accesses = crate::access::collect(&f);
    let checked = Checked::of(&f, &accesses);
    let name = |v: VarId| f.vars[v].ident.to_string();
    let mut words = Vec::new();
    let mut loops = Vec::new();
    walk_statements(&f.body, &mut |stmt| {
        if let Stmt::For(l) = stmt {
            loops.push(l);
        }
    });
    for l in loops {
        if let Some(plan) = abreast(&mut accesses, &checked, l) {
            let ends: Vec<String> = plan
                .ends
                .iter()
                .zip(&plan.moves)
                .map(|([a, b], moves)| {
                    format!("{}..={}{}", a.show(&name), b.show(&name), if *moves { " moves" } else { "" })
                })
                .collect();
            words.push(format!("abreast {}: {}", name(l.var), ends.join(", ")));
        }
        if let Some(sum) = sum(&accesses, &checked, l) {
            let source =
                |k: usize| format!("{}[{}]", f.arrays[sum.sources[k].array].ident, sum.sources[k].index.show(&name));
            for (var, what) in &sum.terms {
                let what = match *what {
                    What::Difference(a, b) => format!("|{} - {}|", source(a), source(b)),
                    What::Product(a, b) => format!("{} * {}", source(a), source(b)),
                    What::Square(a, b) => format!("({} - {})^2", source(a), source(b)),
                    What::Value(a) => source(a),
                };
                words.push(format!("{} += {what}", name(*var)));
            }
        }
    }
    words.join("; ")
}

fn in_loop(ty: &str, body: &str) -> String {
    found(&format!(
        "fn f(i: usize, n: usize, a: &[u8], b: &[u8], w: &[u32], y: &mut [{ty}]) {{ let mut s: {ty} = 0; let mut t: {ty} = 0; \
         for j in 0..n {{ {body} }} y[i] = s ^ t; }}"
    ))
}

#[test]
fn sums_of_bytes_have_many_forms() {
    let difference = "s += |a[i*n + j] - b[j]|";
    let square = "s += (a[i*n + j] - b[j])^2";
    for (ty, body, expected) in [
        ("i32", "s += a[i * n + j].abs_diff(b[j]) as i32;", difference),
        ("u32", "s = s + (a[i * n + j] as u32).abs_diff(b[j] as u32);", difference),
        ("u32", "s += (a[i * n + j] as i32).abs_diff(b[j] as i32);", difference),
        ("i32", "let d = a[i * n + j] as i32 - b[j] as i32; s = d.abs() + s;", difference),
        ("u64", "s += (a[i * n + j] as i64 - b[j] as i64).unsigned_abs();", difference),
        ("i64", "let (x, y) = (a[i * n + j], b[j]); s += (if x > y { x - y } else { y - x }) as i64;", difference),
        ("i64", "let (x, y) = (a[i * n + j], b[j]); s += (x.max(y) - y.min(x)) as i64;", difference),
        ("u32", "let d = a[i * n + j].abs_diff(b[j]) as u32; s += d * d;", square),
        ("i32", "s += (a[i * n + j] as i32 - b[j] as i32).pow(2);", square),
        (
            "u32",
            "s += a[i * n + j] as u32; t += a[i * n + j] as u32 * b[j] as u32;",
            "s += a[i*n + j]; t += a[i*n + j] * b[j]",
        ),
        ("i64", "s += (a[i * n + j] as i32 * a[i * n + j] as i32) as i64;", "s += a[i*n + j] * a[i*n + j]"),
    ] {
        assert_eq!(in_loop(ty, body), expected, "{body}");
    }
}

#[test]
fn other_sums_are_left_as_they_are() {
    for (ty, body) in [
        // Numbers of 8 bits wrap.
        ("u32", "s += (a[i * n + j] * b[j]) as u32;"),
        ("u32", "let d = a[i * n + j].abs_diff(b[j]); s += (d * d) as u32;"),
        ("u32", "s += (a[i * n + j] - b[j]) as u32;"),
        // Below 0.
        ("i32", "s += a[i * n + j] as i32 - b[j] as i32;"),
        ("i32", "s -= a[i * n + j] as i32;"),
        ("i32", "let d = a[i * n + j] as i32 - b[j] as i32; s += d * d.abs();"),
        ("i32", "let d = a[i * n + j] as i32 - b[j] as i32; s += d.abs() * d;"),
        // Not neighbours, not bytes, not all of them.
        ("u32", "s += a[(i * n + j) * 2] as u32;"),
        ("u32", "s += a[i * n + n - j] as u32;"),
        ("u32", "s += w[j];"),
        ("u32", "s += a[w[j] as usize] as u32;"),
        ("u32", "if j > 2 { s += b[j] as u32; }"),
        ("u32", "s += b[j] as u32; t += s;"),
        ("u32", "let (x, y) = (a[i * n + j], b[j]); s += (if x > y { y - x } else { x - y }) as u32;"),
    ] {
        assert_eq!(in_loop(ty, body), "", "{body}");
    }
    // An array that is written, and fewer turns than are worth it.
    let text = "fn f(i: usize, n: usize, a: &mut [u8], y: &mut [u32]) { let mut s = 0u32; for j in 0..n { s += a[i * n + j] as u32; } \
                a[i * n] = 0; y[i] = s; }";
    assert_eq!(found(text), "");
    let text = "fn f(i: usize, a: &[u8], y: &mut [u32]) { let mut s = 0u32; for j in 0..3 { s += a[3 * i + j] as u32; } y[i] = s; }";
    assert_eq!(found(text), "");
}

#[test]
fn types_that_lack_values_of_bytes_or_of_their_products_are_left_as_they_are() {
    let of = |value: &str| {
        found(&format!(
            "fn f(i: usize, n: usize, a: &[u8], b: &[u8], y: &mut [i32]) {{ let mut s = 0i32; \
             for j in 0..n {{ let p = a[i * n + j]; let q = b[i * n + j]; s += {value}; }} y[i] = s; }}"
        ))
    };
    for value in [
        "p as i16 as i32",
        "p as u16 as i32 * q as i16 as i32",
        "(p as i16 - q as i16).abs() as i32",
        "(p as i16 - q as i16).unsigned_abs() as i32",
        "p.abs_diff(q) as u16 as i32",
    ] {
        assert_ne!(of(value), "", "{value}");
    }
    for value in [
        "p as i8 as i32",
        "p as i8 as i32 * q as i32",
        "(p as i16 * q as i16) as i32",
        "(p as u16 * q as u16) as i32",
        "((p as i16 - q as i16) as i8).wrapping_abs() as i32",
        "((p as i8 - q as i8) as i32).abs()",
        "p.abs_diff(q) as i8 as i32",
    ] {
        assert_eq!(of(value), "", "{value}");
    }
}

#[test]
fn turns_are_known_where_a_loop_has_one_end() {
    let turns = |range: &str| {
        let text = format!(
            "fn f(i: usize, n: usize, a: &[u8], y: &mut [u32]) {{ let mut s = 0u32; let mut from = 3; from += i % 2; \
             for j in {range} {{ s += a[j] as u32; }} y[i] = s; }}"
        );
        let item: syn::ItemFn = syn::parse_str(&text).unwrap();
        let f = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
        let f = crate::lower::lower(f, &item.block).unwrap();
        let accesses = crate::access::collect(&f);
        *accesses.fixed.values().next().unwrap_or(&-1)
    };
    for (range, expected) in [("0..16", 16), ("i + 2..=i + 9", 8), ("i * n..i * n + 16", 16)] {
        assert_eq!(turns(range), expected, "{range}");
    }
    for range in [
        "0..16.min(n)",
        "0..n.min(16)",
        "i.saturating_sub(3)..i + 13",
        "from..16",
        "0..from.min(16)",
        "n.max(i)..n + 16",
    ] {
        assert_eq!(turns(range), -1, "{range}");
    }
}

#[test]
fn displacements_are_side_by_side_where_their_sums_read_the_same_bytes() {
    let block = |before: &str, inner: &str, after: &str| {
        found(&format!(
            "fn f(b: usize, n: usize, h: usize, a: &[u8], c: &[u8], best: &mut [u32]) {{ let mut least = u32::MAX; \
             for x in 0..n {{ {before} {inner} {after} }} best[b] = least; }}"
        ))
    };
    let nest = "for r in 0..h { for k in 0..16 { sad += a[(b * h + r) * n + k].abs_diff(c[(b * h + r) * n + x + k]) as u32; } }";
    let (zero, least) = ("let mut sad = 0u32;", "if sad < least { least = sad; }");
    let sum = "sad += |a[b*n*h + n*r + k] - c[b*n*h + n*r + x + k]|";
    let expected =
        format!("abreast x: b*n*h..=b*n*h + n*h + 15 - n, b*n*h + x..=b*n*h + n*h + x + 15 - n moves; {sum}");
    assert_eq!(block(zero, nest, least), expected);
    // The sums go on from one turn to the next, or another turn may not come.
    for (before, after) in
        [("let mut sad = least;", "least = sad;"), (zero, "if sad < least { least = sad; } else { break; }")]
    {
        let got = block(before, nest, after);
        assert_eq!(got, sum);
    }
    // Displacements by rows, and a loop whose end each turn has for itself.
    let far = nest.replace("+ x + k", "+ x * n + k");
    assert!(!block(zero, &far, least).contains("abreast"));
    let own = nest.replace("0..h", "0..x");
    assert!(!block(zero, &own, least).contains("abreast"));
}
