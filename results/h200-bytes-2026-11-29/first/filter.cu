// --fmad=false -DAP_GROUP=256 -DAP_WIDE=256 -DAP_SPREAD=0 -DAP_REDUCE=0
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

/* One iteration. */
AP_FN void filter_iteration(const ap_u64 i, const ap_u64 taps, AP_GLOBAL const ap_u8 *AP_RESTRICT x, const ap_i64 x_first, const ap_u64 x_count, AP_GLOBAL const ap_u8 *AP_RESTRICT w, const ap_i64 w_first, const ap_u64 w_count, AP_GLOBAL ap_u32 *AP_RESTRICT y, const ap_i64 y_first) {
    ap_u32 s = 0u;
    {
        ap_u64 k = 0;
        const ap_u64 k_end = taps;
        ap_u64 ap_from = k_end, ap_to = k_end;
        if (k < k_end && (ap_u64)k_end - (ap_u64)k > 7) {
            const ap_i64 ap_all = (ap_i64)((ap_u64)k_end - (ap_u64)k);
            const ap_i64 ap_at0 = (ap_i64)i + (ap_i64)k - x_first;
            const ap_i64 ap_at1 = (ap_i64)k - w_first;
            const ap_i64 ap_skip = ap_bytes_begin(x, ap_at0) && ap_bytes_begin(w, ap_at1) ? 0 : 8, ap_turns = ap_all - ap_skip - (ap_bytes_end(x, x_count, ap_at0 + ap_all - 1) && ap_bytes_end(w, w_count, ap_at1 + ap_all - 1) ? 0 : 8);
            if (ap_turns > 0) {
                ap_from = k + (ap_u64)ap_skip;
                ap_to = ap_from + (ap_u64)ap_turns;
                AP_GLOBAL const ap_u8 *const ap_p0 = x + (ap_at0 + ap_skip);
                const int ap_m0 = (int)((ap_u64)ap_p0 & 7);
                AP_GLOBAL const ap_u64 *const ap_a0 = (AP_GLOBAL const ap_u64 *)(ap_p0 - ap_m0);
                const ap_i64 ap_last0 = (ap_m0 + ap_turns - 1) / 8;
                ap_u64 ap_v0 = ap_a0[0];
                ap_i64 ap_i0 = 0;
                ap_u32 ap_r0[3];
                AP_GLOBAL const ap_u8 *const ap_p1 = w + (ap_at1 + ap_skip);
                const int ap_m1 = (int)((ap_u64)ap_p1 & 7);
                AP_GLOBAL const ap_u64 *const ap_a1 = (AP_GLOBAL const ap_u64 *)(ap_p1 - ap_m1);
                const ap_i64 ap_last1 = (ap_m1 + ap_turns - 1) / 8;
                ap_u64 ap_v1 = ap_a1[0];
                ap_i64 ap_i1 = 0;
                ap_u32 ap_r1[3];
                AP_UNROLL for (ap_i64 ap_k = 0; ap_k < ap_turns / 8; ap_k++) {
                    AP_BYTES_NEXT(0, 0)
                    AP_BYTES_NEXT(1, 0)
                    AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {
                        const ap_u32 ap_x0 = ap_r0[ap_w];
                        const ap_u32 ap_x1 = ap_r1[ap_w];
                        s = ap_bytes_product(s, ap_x0, ap_x1);
                    }
                }
                if (ap_turns % 8) {
                    const ap_u64 ap_of = ~(ap_u64)0 >> (64 - 8 * (int)(ap_turns % 8));
                    const ap_u32 ap_mask[2] = {(ap_u32)ap_of, (ap_u32)(ap_of >> 32)};
                    AP_BYTES_NEXT(0, 0)
                    AP_BYTES_NEXT(1, 0)
                    AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {
                        const ap_u32 ap_x0 = ap_r0[ap_w] & ap_mask[ap_w];
                        const ap_u32 ap_x1 = ap_r1[ap_w] & ap_mask[ap_w];
                        s = ap_bytes_product(s, ap_x0, ap_x1);
                    }
                }
            }
        }
        AP_GLOBAL const ap_u8 *const x_row = x + ((ap_i64)i - x_first);
        AP_GLOBAL const ap_u8 *const w_row = w + (0 - w_first);
        for (; k < k_end; k++) {
            if (k == ap_from) k = ap_to;
            if (k >= k_end) break;
            s = s + (ap_u32)x_row[(ap_i64)k] * ((ap_u32)w_row[(ap_i64)k]);
        }
    }
    y[(ap_i64)(i) - y_first] = s;
}

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

AP_ENTRY filter_kernel(const ap_i64 lo, const ap_i64 hi, const ap_u64 taps, AP_GLOBAL const ap_u8 *AP_RESTRICT x, const ap_i64 x_first, const ap_u64 x_count, AP_GLOBAL const ap_u8 *AP_RESTRICT w, const ap_i64 w_first, const ap_u64 w_count, AP_GLOBAL ap_u32 *AP_RESTRICT y, const ap_i64 y_first) {
    if (AP_GROUPS * AP_GROUPS_Y < hi - lo) {
        /* Work-items have an iteration each. */
        const ap_i64 at = lo + (AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * AP_GROUP;
#ifdef APPORTION_CPU
        if (AP_LANE == 0)
            for (ap_i64 row = at; row < at + AP_GROUP && row < hi; row++) filter_iteration((ap_u64)row, taps, x, x_first, x_count, w, w_first, w_count, y, y_first);
#else
        const ap_i64 row = at + AP_LANE;
        if (row < hi) filter_iteration((ap_u64)row, taps, x, x_first, x_count, w, w_first, w_count, y, y_first);
#endif
        return;
    }
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
        ap_u32 s = 0u;
        {
            ap_u32 s_part = 0;
            const ap_i64 k_at_from = 0, k_at_end = (ap_i64)(taps);
            AP_GLOBAL const ap_u8 *const x_row = x + ((ap_i64)i - x_first);
            AP_GLOBAL const ap_u8 *const w_row = w + (0 - w_first);
            AP_SHARE(k_at)
            {
                const ap_u64 k = (ap_u64)k_at;
                s_part = s_part + (ap_u32)x_row[(ap_i64)k] * ((ap_u32)w_row[(ap_i64)k]);
            }
#if !AP_SPREAD && !defined(APPORTION_CPU)
            s_part = ap_group_sum_u32(s_part, scratch_u32);
#endif
            s = ap_gather_sum_u32(s, s_part);
        }
        if (first) y[(ap_i64)(i) - y_first] = s;
    }
}

