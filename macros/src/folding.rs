//! The end of a kernel in CUDA whose loop has a result: the last group to end combines the groups' results, so that no launch is
//! needed for it. Only where groups are few: of many, each would stay longer for its ticket.

/// What an entry of a loop with a result ends with, wherever it returns.
pub const CALL: &str = "ap_fold(partial, ap_to);";

/// The type of the parameter, and the function that the entry ends with. It needs `ap_combine`.
pub fn text(c: &str) -> String {
    format!(
        "
/* Where the last group to end writes the result of all; no tickets: nowhere. */
struct ap_folding {{ {c} *scalar, *told; ap_u32 *tickets; }};
/* A warp combines values as the host does: each lane every 32nd in order, then the lanes. Lane 0 gets the result. */
AP_FN {c} ap_folded(const {c} *values, int count) {{
    {c} value = AP_IDENTITY;
    AP_UNROLL for (int at = AP_LANE; at < count; at += 32) value = ap_combine(value, __ldcg(values + at));
    for (int half = 16; half > 0; half /= 2) value = ap_combine(value, __shfl_down_sync(0xffffffffu, value, half));
    return value;
}}
/* The last group combines all groups' results, which are few. Tickets are 0 before and after. */
AP_FN void ap_fold(const {c} *partial, const ap_folding &to) {{
    if (!to.tickets || AP_LANE >= 32) return;
    const ap_u32 groups = gridDim.x * gridDim.y;
    ap_u32 before = 0;
    if (AP_LANE == 0) {{
        __threadfence();
        before = atomicInc(to.tickets, groups - 1);
    }}
    if (__shfl_sync(0xffffffffu, before, 0) != groups - 1) return;
    __threadfence();
    const {c} value = ap_folded(partial, (int)groups);
    if (AP_LANE == 0) {{
        *to.told = value;
        if (to.scalar) *to.scalar = value;
    }}
}}
"
    )
}
