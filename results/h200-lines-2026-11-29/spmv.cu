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
AP_FN void ap_amiss(AP_GLOBAL volatile ap_u64 *report, ap_i64 index, ap_u64 note) {
    *report = note | ((ap_u64)index & 0x00ffffffffffffffu);
}
AP_FN double ap_at_f64(AP_GLOBAL const double *x, ap_i64 first, ap_u64 count, ap_i64 index, ap_u64 note, AP_GLOBAL volatile ap_u64 *report) {
    const ap_u64 at = (ap_u64)index - (ap_u64)first;
    if (at < count) return x[at];
    ap_amiss(report, index, note);
    return 0;
}
AP_FN ap_u32 ap_at_u32(AP_GLOBAL const ap_u32 *x, ap_i64 first, ap_u64 count, ap_i64 index, ap_u64 note, AP_GLOBAL volatile ap_u64 *report) {
    const ap_u64 at = (ap_u64)index - (ap_u64)first;
    if (at < count) return x[at];
    ap_amiss(report, index, note);
    return 0;
}

AP_FN double ap_gather_sum_f64(double a, double b) { return (double)((double)a + (double)b); }
AP_FN double ap_group_sum_f64(double value, double *scratch) {
    for (int stride = 16; stride > 0; stride /= 2) value = ap_gather_sum_f64(value, __shfl_down_sync(0xffffffffu, value, stride));
#if AP_GROUP > 32
    const int lane = AP_LANE;
    if (lane % 32 == 0) scratch[lane / 32] = value;
    AP_BARRIER;
    value = scratch[lane % (AP_GROUP / 32)];
    for (int stride = AP_GROUP / 64; stride > 0; stride /= 2)
        value = ap_gather_sum_f64(value, __shfl_down_sync(0xffffffffu, value, stride));
    /* Nobody overwrites a part that another warp is yet to read. */
    AP_BARRIER;
#endif
    return __shfl_sync(0xffffffffu, value, 0);
}
#if AP_LINED
AP_FN double ap_line_sum_f64(double value, int wide) {
    /* Other lines of the warp may be elsewhere. */
    const ap_u32 line = (0xffffffffu >> (32 - wide)) << (AP_LANE % 32 & ~(wide - 1));
    for (int stride = wide / 2; stride > 0; stride /= 2) value = ap_gather_sum_f64(value, __shfl_xor_sync(line, value, stride));
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

AP_ENTRY spmv_kernel(const ap_i64 lo, const ap_i64 hi, AP_GLOBAL const ap_u32 *AP_RESTRICT starts, const ap_i64 starts_first, AP_GLOBAL const ap_u32 *AP_RESTRICT columns_v, const ap_i64 columns_v_first, const ap_u64 columns_v_count, AP_GLOBAL const double *AP_RESTRICT values, const ap_i64 values_first, const ap_u64 values_count, AP_GLOBAL const double *AP_RESTRICT x, const ap_i64 x_first, const ap_u64 x_count, AP_GLOBAL double *AP_RESTRICT y, const ap_i64 y_first, AP_GLOBAL volatile ap_u64 *ap_report) {
#if AP_LINED && AP_LINE
    /* Lines of AP_LINE work-items have an iteration each. */
    const int ap_wide = AP_LINE;
    const ap_i64 lane = AP_LANE % AP_LINE, lanes = AP_LINE;
    const bool first = lane == 0;
    for (ap_i64 row = lo + ((AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * AP_GROUP + AP_LANE) / AP_LINE; row < hi;
         row += AP_GROUPS * AP_GROUPS_Y * (AP_GROUP / AP_LINE)) {
        const ap_u64 i = (ap_u64)row;
        double sum = 0.0;
        {
            double sum_part = 0;
            const ap_i64 k_at_from = (ap_i64)((ap_u64)starts[(ap_i64)(i) - starts_first]), k_at_end = (ap_i64)((ap_u64)starts[(ap_i64)(i + 1) - starts_first]);
            AP_GLOBAL const double *const values_row = values + (0 - values_first);
            AP_GLOBAL const ap_u32 *const columns_v_row = columns_v + (0 - columns_v_first);
            AP_UNROLL for (ap_i64 k_at = k_at_from + lane; k_at < k_at_end; k_at += lanes)
            {
                const ap_u64 k = (ap_u64)k_at;
                sum_part += ap_at_f64(values, values_first, values_count, (ap_i64)(k), 0x200000000000000u, ap_report) * ap_at_f64(x, x_first, x_count, (ap_i64)((ap_u64)ap_at_u32(columns_v, columns_v_first, columns_v_count, (ap_i64)(k), 0x100000000000000u, ap_report)), 0x300000000000000u, ap_report);
            }
            sum_part = ap_line_sum_f64(sum_part, ap_wide);
            sum = ap_gather_sum_f64(sum, sum_part);
        }
        if (first) y[(ap_i64)(i) - y_first] = sum;
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
                double sum = 0.0;
                const ap_i64 ap_from = (ap_i64)((ap_u64)starts[(ap_i64)(i) - starts_first]), ap_to = (ap_i64)((ap_u64)starts[(ap_i64)(i + 1) - starts_first]);
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
                double sum = 0.0;
                {
                    double sum_part = 0;
                    const ap_i64 k_at_from = (ap_i64)((ap_u64)starts[(ap_i64)(i) - starts_first]), k_at_end = (ap_i64)((ap_u64)starts[(ap_i64)(i + 1) - starts_first]);
                    AP_GLOBAL const double *const values_row2 = values + (0 - values_first);
                    AP_GLOBAL const ap_u32 *const columns_v_row2 = columns_v + (0 - columns_v_first);
                    AP_UNROLL for (ap_i64 k_at = k_at_from + lane; k_at < k_at_end; k_at += lanes)
                    {
                        const ap_u64 k = (ap_u64)k_at;
                        sum_part += ap_at_f64(values, values_first, values_count, (ap_i64)(k), 0x200000000000000u, ap_report) * ap_at_f64(x, x_first, x_count, (ap_i64)((ap_u64)ap_at_u32(columns_v, columns_v_first, columns_v_count, (ap_i64)(k), 0x100000000000000u, ap_report)), 0x300000000000000u, ap_report);
                    }
                    sum_part = ap_line_sum_f64(sum_part, ap_wide);
                    sum = ap_gather_sum_f64(sum, sum_part);
                }
                if (first) y[(ap_i64)(i) - y_first] = sum;
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
    AP_SHARED double scratch_f64[AP_GROUP];
#endif
    const ap_i64 tile = 0, tiles = 1, from = lo + AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID, to = hi;
    const bool first = lane == 0 && tile == 0;
    for (ap_i64 row = from; row < to; row = to) {
        const ap_u64 i = (ap_u64)row;
        double sum = 0.0;
        {
            double sum_part = 0;
            const ap_i64 k_at_from = (ap_i64)((ap_u64)starts[(ap_i64)(i) - starts_first]), k_at_end = (ap_i64)((ap_u64)starts[(ap_i64)(i + 1) - starts_first]);
            AP_GLOBAL const double *const values_row3 = values + (0 - values_first);
            AP_GLOBAL const ap_u32 *const columns_v_row3 = columns_v + (0 - columns_v_first);
            AP_SHARE(k_at)
            {
                const ap_u64 k = (ap_u64)k_at;
                sum_part += ap_at_f64(values, values_first, values_count, (ap_i64)(k), 0x200000000000000u, ap_report) * ap_at_f64(x, x_first, x_count, (ap_i64)((ap_u64)ap_at_u32(columns_v, columns_v_first, columns_v_count, (ap_i64)(k), 0x100000000000000u, ap_report)), 0x300000000000000u, ap_report);
            }
#if !AP_SPREAD && !defined(APPORTION_CPU)
            sum_part = ap_group_sum_f64(sum_part, scratch_f64);
#endif
            sum = ap_gather_sum_f64(sum, sum_part);
        }
        if (first) y[(ap_i64)(i) - y_first] = sum;
    }
#endif
}
