use crate::device;
use crate::prelude::Dialect;

/// The GPU text of a function whose loop over columns has this body.
fn text(body: &str) -> String {
    let text = format!(
        "fn f(i: usize, n: usize, m: usize, c: i32, x: &[f32], w: &[f32], y: &mut [f32]) {{ for j in 0..m {{ {body} }} }}"
    );
    let item: syn::ItemFn = syn::parse_str(&text).unwrap();
    let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
    let function = crate::lower::lower(function, &item.block).unwrap();
    let rows = crate::share::plan(&crate::access::collect(&function)).unwrap();
    device::kernel(&function, device::Loop::Rows(Some(&rows)), Dialect::Cuda).text
}

/// Its lines for one iteration that declare pointers, advance them in loops, and use the rests of locals.
fn lines(body: &str) -> Vec<String> {
    let text = text(body);
    let (_, strips) = text.rsplit_once("ap_whole) {").unwrap_or_else(|| panic!("{body}: no columns side by side"));
    let (vectors, _) = strips.split_once("#else").unwrap();
    let wanted = |line: &&str| line.contains("ap_q") || line.contains("ap_o") && !line.contains("ap_out");
    vectors.lines().map(str::trim).filter(wanted).map(str::to_owned).collect()
}

#[test]
fn pointers_go_along_loops_by_what_indices_grow_by() {
    for (body, expected) in [
        (
            "let mut s = 0.0; for k in 0..n { s += x[k * m + j]; } y[i * m + j] = s;",
            &[
                "AP_GLOBAL const float *ap_q0 = ap_r0;",
                "for (ap_u64 k = 0; k < n; k++, ap_q0 += (ap_i64)m) {",
                "const ap_f32_vector ap_v1 = *(AP_GLOBAL const ap_f32_vector *)(ap_q0);",
            ][..],
        ),
        // A start at a turn other than 0, a backward loop, and one pointer for neighbouring elements.
        (
            "let mut s = 0.0; for k in 1..=n { s += x[(n - k) * m + j] * w[2 * k] * w[2 * k - 1]; } y[i * m + j] = s;",
            &[
                "AP_GLOBAL const float *ap_q0 = ap_r0 + (-(ap_i64)m);",
                "AP_GLOBAL const float *ap_q1 = w + (2 - w_first);",
                "for (ap_u64 k = 1; k < n + 1; k++, ap_q0 += -(ap_i64)m, ap_q1 += 2) {",
                "const ap_f32_vector ap_v2 = *(AP_GLOBAL const ap_f32_vector *)(ap_q0);",
                "s[ap_k] += ap_v2.at[ap_k] * ap_q1[0] * ap_q1[-1];",
            ],
        ),
        // One of two places, both advancing with the loop.
        (
            "let mut s = 0.0; for k in 0..n { let a = if x[k * m + j] < 1.0 { 5 * k + 1 } else { 5 * k + 4 }; \
             s += w[a + 1]; } y[i * m + j] = s;",
            &[
                "AP_GLOBAL const float *ap_q0 = ap_r0;",
                "AP_GLOBAL const float *ap_q1 = w + (0 - w_first);",
                "for (ap_u64 k = 0; k < n; k++, ap_q0 += (ap_i64)m, ap_q1 += 5) {",
                "const ap_f32_vector ap_v2 = *(AP_GLOBAL const ap_f32_vector *)(ap_q0);",
                "const ap_i64 ap_o7 = (ap_v2.at[ap_k] < 1.0f) ? 1 : 4;",
                "s[ap_k] += ap_q1[ap_o7 + 1];",
            ],
        ),
        // Two places that grow unequally, an index that grows faster than linearly, and one that depends on the data.
        (
            "let mut s = 0.0; for k in 0..n { let a = if x[k * m + j] < 1.0 { 5 * k } else { 4 * k }; \
             s += w[a] + w[k * k] + w[w[k] as usize]; } y[i * m + j] = s;",
            &[
                "AP_GLOBAL const float *ap_q0 = ap_r0;",
                "AP_GLOBAL const float *ap_q1 = w + (0 - w_first);",
                "for (ap_u64 k = 0; k < n; k++, ap_q0 += (ap_i64)m, ap_q1 += 1) {",
                "const ap_f32_vector ap_v2 = *(AP_GLOBAL const ap_f32_vector *)(ap_q0);",
                "s[ap_k] += w[(ap_i64)(a) - w_first] + \
                 ap_at_f32(w, w_first, w_count, (ap_i64)(k * k), 0x400000000000000u, ap_report) + \
                 ap_at_f32(w, w_first, w_count, (ap_i64)(ap_u64_of_f32(ap_q1[0])), 0x400000000000000u, ap_report);",
            ],
        ),
        // An inner loop restarts in each turn of the outer one; indices of the outer loop alone use its pointer in both.
        (
            "let mut s = 0.0; for k in 0..n { for q in 0..n { s += x[(k * n + q) * m + j] * w[3 * k]; } s += w[3 * k]; } \
             y[i * m + j] = s;",
            &[
                "AP_GLOBAL const float *ap_q0 = w + (0 - w_first);",
                "for (ap_u64 k = 0; k < n; k++, ap_q0 += 3) {",
                "AP_GLOBAL const float *ap_q1 = ap_r0 + ((ap_i64)n * (ap_i64)m * (ap_i64)k);",
                "for (ap_u64 q = 0; q < n; q++, ap_q1 += (ap_i64)m) {",
                "const ap_f32_vector ap_v2 = *(AP_GLOBAL const ap_f32_vector *)(ap_q1);",
                "s[ap_k] += ap_q0[0];",
            ],
        ),
        // 32-bit variables are counted in a wider one; if the first value is computed, no pointer advances.
        (
            "let mut s = 0.0; for k in 2..c { s += x[k as usize * m + j]; } for k in (c / 2).max(0)..9 { s += \
             x[k as usize * m + j]; } y[i * m + j] = s;",
            &[
                "AP_GLOBAL const float *ap_q0 = ap_r0 + (2 * (ap_i64)m);",
                "for (ap_i64 k_wide = (ap_i64)(2), k_end = c; k_wide < k_end; k_wide++, ap_q0 += (ap_i64)m) {",
                "const ap_f32_vector ap_v1 = *(AP_GLOBAL const ap_f32_vector *)(ap_q0);",
            ],
        ),
    ] {
        assert_eq!(lines(body), expected, "{body}");
    }
}

#[test]
fn an_index_that_may_be_below_0_is_compared_with_the_array_and_its_columns_are_not_side_by_side() {
    let text = text("let mut s = 0.0; for k in (n as i32 / 2)..9 { s += x[k as usize * m + j]; } y[i * m + j] = s;");
    assert!(text.contains("ap_at_f32(x, x_first, x_count,") && !text.contains("ap_whole"), "{text}");
}

#[test]
fn iterations_side_by_side_share_what_they_read_in_common() {
    let text = text(
        "let mut s = 0.0; for k in 0..n { let f = w[i + 2 * k]; s += x[k * m + j] * w[i * n + k] * f + x[(i + k) * m + j]; } \
         y[i * m + j] = s;",
    );
    let (_, several) = text.split_once("ap_row + ap_high <= to) {").unwrap();
    let (several, _) = several.split_once("#else").unwrap();
    let lines: Vec<&str> = several.lines().map(str::trim).collect();
    let expected = "\
float s[AP_HIGH][AP_EACH];
AP_ALL_HIGH for (int ap_i = 0; ap_i < AP_HIGH; ap_i++) {
const ap_u64 i = (ap_u64)(row + ap_i);
AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {
const ap_u64 j = (ap_u64)(j_at + ap_k);
s[ap_i][ap_k] = 0.0f;
}
}
AP_GLOBAL const float *ap_q0 = w + ((ap_i64)i - w_first);
AP_GLOBAL const float *ap_q1 = ap_r0;
AP_GLOBAL const float *ap_q2 = w + ((ap_i64)i * (ap_i64)n - w_first);
AP_GLOBAL const float *ap_q3 = ap_r1;
AP_TWICE for (ap_u64 k = 0; k < n; k++, ap_q0 += 2, ap_q1 += (ap_i64)m, ap_q2 += 1, ap_q3 += (ap_i64)m) {
const ap_f32_vector ap_v4 = *(AP_GLOBAL const ap_f32_vector *)(ap_q1);
AP_ALL_HIGH for (int ap_i = 0; ap_i < AP_HIGH; ap_i++) {
const ap_u64 i = (ap_u64)(row + ap_i);
const ap_f32_vector ap_v5 = *(AP_GLOBAL const ap_f32_vector *)(ap_q3 + ap_i * ((ap_i64)m));
AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {
const ap_u64 j = (ap_u64)(j_at + ap_k);
const float f = (ap_q0 + ap_i * (1))[0];
s[ap_i][ap_k] += ap_v4.at[ap_k] * (ap_q2 + ap_i * ((ap_i64)n))[0] * f + ap_v5.at[ap_k];
}
}
}
AP_ALL_HIGH for (int ap_i = 0; ap_i < AP_HIGH; ap_i++) {
const ap_u64 i = (ap_u64)(row + ap_i);
ap_f32_vector ap_out6;
AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {
const ap_u64 j = (ap_u64)(j_at + ap_k);
ap_out6.at[ap_k] = s[ap_i][ap_k];
}
*(AP_GLOBAL ap_f32_vector *)(ap_r2 + ap_i * ((ap_i64)m)) = ap_out6;
}";
    let own = lines.iter().rposition(|line| *line == "#if AP_STRIPS == 1").map_or(0, |at| at + 1);
    assert!(lines[..own].iter().any(|line| line.contains("(((ap_i64)m) & (AP_EACH - 1)) == 0")), "{text}");
    assert_eq!(lines[own..].join("\n").trim_end(), expected, "{text}");
}
