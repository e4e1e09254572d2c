// Made from Rust by Apportion's attribute #[kernel].
#define ap_u8 unsigned char
#define ap_u32 unsigned int
#define ap_i64 long long
#define ap_u64 unsigned long long
#define AP_FN static __device__ __forceinline__
#define AP_GLOBAL
#define AP_RESTRICT __restrict__
#define AP_ENTRY extern "C" __global__ void __launch_bounds__(AP_GROUP)
#define AP_LOCAL
#define AP_SHARED __shared__
#define AP_BARRIER __syncthreads()
#define AP_LANE ((int)threadIdx.x)
#define AP_GROUP_ID ((ap_i64)blockIdx.x)
#define AP_GROUPS ((ap_i64)gridDim.x)
#define AP_GROUP_ID_Y ((ap_i64)blockIdx.y)
#define AP_GROUPS_Y ((ap_i64)gridDim.y)
#define AP_WAIT __syncthreads()
#define AP_UNROLL _Pragma("unroll 4")
#define AP_UNROLL_MORE _Pragma("unroll 8")
AP_FN ap_u32 ap_absdiff_u32(ap_u32 a, ap_u32 b) { return a > b ? (ap_u32)(a - b) : (ap_u32)(b - a); }
#define AP_EVERY _Pragma("unroll")
AP_FN ap_u32 ap_bytes_shift(ap_u32 low, ap_u32 high, int bits) { return __funnelshift_r(low, high, bits); }
AP_FN ap_u32 ap_bytes_difference(ap_u32 sum, ap_u32 a, ap_u32 b) {
    ap_u32 result;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
}
AP_FN ap_u32 ap_bytes_product(ap_u32 sum, ap_u32 a, ap_u32 b) {
#if __CUDA_ARCH__ >= 610
    ap_u32 result;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
#else
    for (int at = 0; at < 32; at += 8) sum += (a >> at & 255) * (b >> at & 255);
    return sum;
#endif
}
AP_FN ap_u32 ap_bytes_square(ap_u32 sum, ap_u32 a, ap_u32 b) {
    ap_u32 apart;
    asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(apart) : "r"(a), "r"(b), "r"(0));
    return ap_bytes_product(sum, apart, apart);
}
/* Eight bytes from two aligned numbers of which the first begins so many bytes before them. */
AP_FN void ap_bytes_pair(ap_u32 *to, ap_u64 low, ap_u64 high, int before) {
    const ap_u32 a = (ap_u32)(before & 4 ? low >> 32 : low), b = (ap_u32)(before & 4 ? high : low >> 32);
    const ap_u32 c = (ap_u32)(before & 4 ? high >> 32 : high);
    to[0] = ap_bytes_shift(a, b, 8 * (before & 3));
    to[1] = ap_bytes_shift(b, c, 8 * (before & 3));
}
/* Whether the aligned numbers around the bytes from `low` to `high` are within the array. */
AP_FN bool ap_bytes_begin(AP_GLOBAL const ap_u8 *x, ap_i64 low) { return low >= 0 && ((ap_u64)(x + low) & ~(ap_u64)7) >= (ap_u64)x; }
AP_FN bool ap_bytes_end(AP_GLOBAL const ap_u8 *x, ap_u64 count, ap_i64 high) { return ((ap_u64)(x + high) | 7) < (ap_u64)x + count; }
#define AP_BYTES_NEXT(k, at) \
    { \
        const ap_u64 ap_next = ap_i##k < ap_last##k ? ap_a##k[ap_i##k + 1] : 0; \
        ap_bytes_pair(ap_r##k + (at), ap_v##k, ap_next, ap_m##k); \
        ap_v##k = ap_next; \
        ap_i##k++; \
    }
#define AP_BYTES_AT(r, at) ((at) % 4 ? ap_bytes_shift(r[(at) / 4], r[(at) / 4 + 1], (at) % 4 * 8) : r[(at) / 4])

AP_FN ap_u32 ap_gather_sum_u32(ap_u32 a, ap_u32 b) { return (ap_u32)((ap_u32)a + (ap_u32)b); }
AP_FN ap_u32 ap_group_sum_u32(ap_u32 value, ap_u32 *scratch) {
    for (int stride = 16; stride > 0; stride /= 2) value = ap_gather_sum_u32(value, __shfl_down_sync(0xffffffffu, value, stride));
#if AP_GROUP > 32
    const int lane = AP_LANE;
    if (lane % 32 == 0) scratch[lane / 32] = value;
    AP_BARRIER;
    value = scratch[lane % (AP_GROUP / 32)];
    for (int stride = AP_GROUP / 64; stride > 0; stride /= 2)
        value = ap_gather_sum_u32(value, __shfl_down_sync(0xffffffffu, value, stride));
    /* Nobody overwrites a part that another warp is yet to read. */
    AP_BARRIER;
#endif
    return __shfl_sync(0xffffffffu, value, 0);
}
#if AP_LINED
AP_FN ap_u32 ap_line_sum_u32(ap_u32 value, int wide) {
    /* Other lines of the warp may be elsewhere. */
    const ap_u32 line = (0xffffffffu >> (32 - wide)) << (AP_LANE % 32 & ~(wide - 1));
    for (int stride = wide / 2; stride > 0; stride /= 2) value = ap_gather_sum_u32(value, __shfl_xor_sync(line, value, stride));
    return value;
}
#endif

/* Work-items have turns of a loop, neighbours neighbouring ones. A tile has some for each of them. */
#define AP_TILE (4 * (ap_i64)AP_WIDE)
#define AP_LEAST(a, b) ((a) < (b) ? (a) : (b))
#if AP_SPREAD
#define AP_SHARE(j) \
    for (ap_i64 j##_tile = j##_from + tile * AP_TILE; j##_tile < j##_end; j##_tile += tiles * AP_TILE) \
        AP_UNROLL for (ap_i64 j = j##_tile + lane, j##_last = AP_LEAST(j##_tile + AP_TILE, j##_end); j < j##_last; j += lanes)
#else
#define AP_SHARE(j) AP_UNROLL_MORE for (ap_i64 j = j##_from + lane; j < j##_end; j += lanes)
#endif

AP_ENTRY both_kernel(const ap_i64 lo, const ap_i64 hi, const ap_u64 m, AP_GLOBAL const ap_u8 *AP_RESTRICT x, const ap_i64 x_first, const ap_u64 x_count, AP_GLOBAL const ap_u8 *AP_RESTRICT w, const ap_i64 w_first, const ap_u64 w_count, AP_GLOBAL ap_u32 *AP_RESTRICT z, const ap_i64 z_first) {
#if AP_LINED && AP_LINE
    /* Lines of AP_LINE work-items have an iteration each. */
    const int ap_wide = AP_LINE;
    const ap_i64 lane = AP_LANE % AP_LINE, lanes = AP_LINE;
    const bool first = lane == 0;
    for (ap_i64 row = lo + ((AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * AP_GROUP + AP_LANE) / AP_LINE; row < hi;
         row += AP_GROUPS * AP_GROUPS_Y * (AP_GROUP / AP_LINE)) {
        const ap_u64 i = (ap_u64)row;
        ap_u32 far = 0u;
        ap_u32 dot_v = 0u;
        {
            ap_u32 far_part = 0;
            ap_u32 dot_v_part = 0;
            const ap_i64 j_first = 0, j_all = (ap_i64)(m) - j_first;
#if !AP_SPREAD
            const ap_i64 ap_at0 = (ap_i64)i * (ap_i64)m + (ap_i64)j_first - x_first;
            const int ap_m0 = (int)((ap_u64)(x + ap_at0) & 7);
            AP_GLOBAL const ap_u64 *const ap_a0 = (AP_GLOBAL const ap_u64 *)(x + (ap_at0 - ap_m0));
            const ap_i64 ap_at1 = (ap_i64)j_first - w_first;
            const int ap_m1 = (int)((ap_u64)(w + ap_at1) & 7);
            AP_GLOBAL const ap_u64 *const ap_a1 = (AP_GLOBAL const ap_u64 *)(w + (ap_at1 - ap_m1));
            const ap_i64 j_words = j_all > 7 && ap_bytes_begin(x, ap_at0) && ap_bytes_begin(w, ap_at1) ? j_all / 8 - (ap_bytes_end(x, x_count, ap_at0 + (j_all - 1)) && ap_bytes_end(w, w_count, ap_at1 + (j_all - 1)) ? 0 : 1) : 0;
            AP_UNROLL for (ap_i64 ap_k = lane; ap_k < j_words; ap_k += lanes) {
                ap_u32 ap_r0[2];
                ap_bytes_pair(ap_r0, ap_a0[ap_k], ap_m0 ? ap_a0[ap_k + 1] : 0, ap_m0);
                ap_u32 ap_r1[2];
                ap_bytes_pair(ap_r1, ap_a1[ap_k], ap_m1 ? ap_a1[ap_k + 1] : 0, ap_m1);
                AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {
                    const ap_u32 ap_x0 = ap_r0[ap_w];
                    const ap_u32 ap_x1 = ap_r1[ap_w];
                    far_part = ap_bytes_difference(far_part, ap_x0, ap_x1);
                    dot_v_part = ap_bytes_product(dot_v_part, ap_x0, ap_x1);
                }
            }
#else
            const ap_i64 j_words = 0;
#endif
            const ap_i64 j_at_from = j_first + 8 * j_words, j_at_end = (ap_i64)(m);
            AP_GLOBAL const ap_u8 *const x_row = x + ((ap_i64)i * (ap_i64)m - x_first);
            AP_GLOBAL const ap_u8 *const w_row = w + (0 - w_first);
            AP_UNROLL for (ap_i64 j_at = j_at_from + lane; j_at < j_at_end; j_at += lanes)
            {
                const ap_u64 j = (ap_u64)j_at;
                const ap_u32 a = (ap_u32)x_row[(ap_i64)j];
                const ap_u32 b = (ap_u32)w_row[(ap_i64)j];
                far_part = far_part + ap_absdiff_u32(a, b);
                dot_v_part = dot_v_part + a * b;
            }
            far_part = ap_line_sum_u32(far_part, ap_wide);
            dot_v_part = ap_line_sum_u32(dot_v_part, ap_wide);
            far = ap_gather_sum_u32(far, far_part);
            dot_v = ap_gather_sum_u32(dot_v, dot_v_part);
        }
        if (first) z[(ap_i64)(2 * i) - z_first] = far;
        if (first) z[(ap_i64)(2 * i + 1) - z_first] = dot_v;
    }
#else
#if AP_LINED
    if (AP_GROUPS * AP_GROUPS_Y < hi - lo) {
        /* A warp has several iterations, in lines as wide as the first loop of these has turns. */
        const ap_i64 ap_warps = AP_GROUPS * AP_GROUPS_Y * (AP_GROUP / 32), ap_item = AP_LANE % 32;
        const ap_i64 ap_warp = (AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * (AP_GROUP / 32) + AP_LANE / 32;
        int ap_log_most = 0;
        while (ap_log_most < 5 && (ap_warps << ap_log_most) < hi - lo) ap_log_most++;
        const int ap_most = 1 << ap_log_most;
        for (ap_i64 ap_begin = lo + ap_warp * ap_most; ap_begin < hi; ap_begin += ap_warps * ap_most) {
            ap_i64 ap_turns = 0;
            if (ap_item < ap_most && ap_begin + ap_item < hi) {
                const ap_u64 i = (ap_u64)(ap_begin + ap_item);
                ap_u32 far = 0u;
                ap_u32 dot_v = 0u;
                const ap_i64 ap_from = 0, ap_to = (ap_i64)(m);
                ap_turns = ap_to > ap_from ? ap_to - ap_from : 0;
            }
            for (int ap_stride = 16; ap_stride > 0; ap_stride /= 2)
                ap_turns += __shfl_xor_sync(0xffffffffu, ap_turns, ap_stride);
            int ap_log = 5 - ap_log_most;
            while (ap_log < 5 && ((ap_i64)(4 * ap_most) << ap_log) < ap_turns) ap_log++;
            const int ap_wide = 1 << ap_log;
            const ap_i64 lane = ap_item & (ap_wide - 1), lanes = ap_wide, ap_line = ap_item >> ap_log;
            const bool first = lane == 0;
            for (int ap_done = 0; ap_done < ap_most; ap_done += 32 >> ap_log) {
                const ap_i64 row = ap_begin + ap_done + ap_line;
                if (row >= hi) break;
                const ap_u64 i = (ap_u64)row;
                ap_u32 far = 0u;
                ap_u32 dot_v = 0u;
                {
                    ap_u32 far_part = 0;
                    ap_u32 dot_v_part = 0;
                    const ap_i64 j_first = 0, j_all = (ap_i64)(m) - j_first;
#if !AP_SPREAD
                    const ap_i64 ap_at0 = (ap_i64)i * (ap_i64)m + (ap_i64)j_first - x_first;
                    const int ap_m0 = (int)((ap_u64)(x + ap_at0) & 7);
                    AP_GLOBAL const ap_u64 *const ap_a0 = (AP_GLOBAL const ap_u64 *)(x + (ap_at0 - ap_m0));
                    const ap_i64 ap_at1 = (ap_i64)j_first - w_first;
                    const int ap_m1 = (int)((ap_u64)(w + ap_at1) & 7);
                    AP_GLOBAL const ap_u64 *const ap_a1 = (AP_GLOBAL const ap_u64 *)(w + (ap_at1 - ap_m1));
                    const ap_i64 j_words = j_all > 7 && ap_bytes_begin(x, ap_at0) && ap_bytes_begin(w, ap_at1) ? j_all / 8 - (ap_bytes_end(x, x_count, ap_at0 + (j_all - 1)) && ap_bytes_end(w, w_count, ap_at1 + (j_all - 1)) ? 0 : 1) : 0;
                    AP_UNROLL for (ap_i64 ap_k = lane; ap_k < j_words; ap_k += lanes) {
                        ap_u32 ap_r0[2];
                        ap_bytes_pair(ap_r0, ap_a0[ap_k], ap_m0 ? ap_a0[ap_k + 1] : 0, ap_m0);
                        ap_u32 ap_r1[2];
                        ap_bytes_pair(ap_r1, ap_a1[ap_k], ap_m1 ? ap_a1[ap_k + 1] : 0, ap_m1);
                        AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {
                            const ap_u32 ap_x0 = ap_r0[ap_w];
                            const ap_u32 ap_x1 = ap_r1[ap_w];
                            far_part = ap_bytes_difference(far_part, ap_x0, ap_x1);
                            dot_v_part = ap_bytes_product(dot_v_part, ap_x0, ap_x1);
                        }
                    }
#else
                    const ap_i64 j_words = 0;
#endif
                    const ap_i64 j_at_from = j_first + 8 * j_words, j_at_end = (ap_i64)(m);
                    AP_GLOBAL const ap_u8 *const x_row2 = x + ((ap_i64)i * (ap_i64)m - x_first);
                    AP_GLOBAL const ap_u8 *const w_row2 = w + (0 - w_first);
                    AP_UNROLL for (ap_i64 j_at = j_at_from + lane; j_at < j_at_end; j_at += lanes)
                    {
                        const ap_u64 j = (ap_u64)j_at;
                        const ap_u32 a = (ap_u32)x_row2[(ap_i64)j];
                        const ap_u32 b = (ap_u32)w_row2[(ap_i64)j];
                        far_part = far_part + ap_absdiff_u32(a, b);
                        dot_v_part = dot_v_part + a * b;
                    }
                    far_part = ap_line_sum_u32(far_part, ap_wide);
                    dot_v_part = ap_line_sum_u32(dot_v_part, ap_wide);
                    far = ap_gather_sum_u32(far, far_part);
                    dot_v = ap_gather_sum_u32(dot_v, dot_v_part);
                }
                if (first) z[(ap_i64)(2 * i) - z_first] = far;
                if (first) z[(ap_i64)(2 * i + 1) - z_first] = dot_v;
            }
        }
        return;
    }
#endif
#ifdef APPORTION_CPU
    /* One item does all of its group: neighbours at neighbouring elements are slow on a CPU. */
    if (AP_LANE != 0) return;
    const ap_i64 lane = 0, lanes = 1, line = 0, lines = 1;
#else
    const ap_i64 lane = AP_LANE % AP_WIDE, lanes = AP_WIDE, line = AP_LANE / AP_WIDE, lines = AP_GROUP / AP_WIDE;
    AP_SHARED ap_u32 scratch_u32[AP_GROUP];
#endif
    const ap_i64 tile = 0, tiles = 1, from = lo + AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID, to = hi;
    const bool first = lane == 0 && tile == 0;
    for (ap_i64 row = from; row < to; row = to) {
        const ap_u64 i = (ap_u64)row;
        ap_u32 far = 0u;
        ap_u32 dot_v = 0u;
        {
            ap_u32 far_part = 0;
            ap_u32 dot_v_part = 0;
            const ap_i64 j_first = 0, j_all = (ap_i64)(m) - j_first;
#if !AP_SPREAD
            const ap_i64 ap_at0 = (ap_i64)i * (ap_i64)m + (ap_i64)j_first - x_first;
            const int ap_m0 = (int)((ap_u64)(x + ap_at0) & 7);
            AP_GLOBAL const ap_u64 *const ap_a0 = (AP_GLOBAL const ap_u64 *)(x + (ap_at0 - ap_m0));
            const ap_i64 ap_at1 = (ap_i64)j_first - w_first;
            const int ap_m1 = (int)((ap_u64)(w + ap_at1) & 7);
            AP_GLOBAL const ap_u64 *const ap_a1 = (AP_GLOBAL const ap_u64 *)(w + (ap_at1 - ap_m1));
            const ap_i64 j_words = j_all > 7 && ap_bytes_begin(x, ap_at0) && ap_bytes_begin(w, ap_at1) ? j_all / 8 - (ap_bytes_end(x, x_count, ap_at0 + (j_all - 1)) && ap_bytes_end(w, w_count, ap_at1 + (j_all - 1)) ? 0 : 1) : 0;
            AP_UNROLL for (ap_i64 ap_k = lane; ap_k < j_words; ap_k += lanes) {
                ap_u32 ap_r0[2];
                ap_bytes_pair(ap_r0, ap_a0[ap_k], ap_m0 ? ap_a0[ap_k + 1] : 0, ap_m0);
                ap_u32 ap_r1[2];
                ap_bytes_pair(ap_r1, ap_a1[ap_k], ap_m1 ? ap_a1[ap_k + 1] : 0, ap_m1);
                AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {
                    const ap_u32 ap_x0 = ap_r0[ap_w];
                    const ap_u32 ap_x1 = ap_r1[ap_w];
                    far_part = ap_bytes_difference(far_part, ap_x0, ap_x1);
                    dot_v_part = ap_bytes_product(dot_v_part, ap_x0, ap_x1);
                }
            }
#else
            const ap_i64 j_words = 0;
#endif
            const ap_i64 j_at_from = j_first + 8 * j_words, j_at_end = (ap_i64)(m);
            AP_GLOBAL const ap_u8 *const x_row3 = x + ((ap_i64)i * (ap_i64)m - x_first);
            AP_GLOBAL const ap_u8 *const w_row3 = w + (0 - w_first);
            AP_SHARE(j_at)
            {
                const ap_u64 j = (ap_u64)j_at;
                const ap_u32 a = (ap_u32)x_row3[(ap_i64)j];
                const ap_u32 b = (ap_u32)w_row3[(ap_i64)j];
                far_part = far_part + ap_absdiff_u32(a, b);
                dot_v_part = dot_v_part + a * b;
            }
#if !AP_SPREAD && !defined(APPORTION_CPU)
            far_part = ap_group_sum_u32(far_part, scratch_u32);
            dot_v_part = ap_group_sum_u32(dot_v_part, scratch_u32);
#endif
            far = ap_gather_sum_u32(far, far_part);
            dot_v = ap_gather_sum_u32(dot_v, dot_v_part);
        }
        if (first) z[(ap_i64)(2 * i) - z_first] = far;
        if (first) z[(ap_i64)(2 * i + 1) - z_first] = dot_v;
    }
#endif
}
