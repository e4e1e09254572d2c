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
AP_FN ap_u8 ap_absdiff_u8(ap_u8 a, ap_u8 b) { return a > b ? (ap_u8)(a - b) : (ap_u8)(b - a); }
AP_FN int ap_add_i32(int a, int b) { return (int)((ap_u32)a + (ap_u32)b); }
AP_FN ap_u64 ap_min_u64(ap_u64 a, ap_u64 b) { return a < b ? a : b; }
AP_FN ap_u64 ap_satsub_u64(ap_u64 a, ap_u64 b) { return a > b ? (ap_u64)(a - b) : 0; }
AP_FN int ap_sub_i32(int a, int b) { return (int)((ap_u32)a - (ap_u32)b); }

/* Work-items have turns of a loop, neighbours neighbouring ones. A tile has some for each of them. */
#define AP_TILE (1 * (ap_i64)AP_WIDE)
#define AP_LEAST(a, b) ((a) < (b) ? (a) : (b))
#if AP_SPREAD
#define AP_SHARE(j) \
    for (ap_i64 j##_tile = j##_from + tile * AP_TILE; j##_tile < j##_end; j##_tile += tiles * AP_TILE) \
        for (ap_i64 j = j##_tile + lane, j##_last = AP_LEAST(j##_tile + AP_TILE, j##_end); j < j##_last; j += lanes)
#else
#define AP_SHARE(j) for (ap_i64 j = j##_from + lane; j < j##_end; j += lanes)
#endif

AP_ENTRY bm2d_kernel(const ap_i64 lo, const ap_i64 hi, const ap_u64 n, AP_GLOBAL const ap_u8 *AP_RESTRICT current, const ap_i64 current_first, AP_GLOBAL const ap_u8 *AP_RESTRICT reference, const ap_i64 reference_first, AP_GLOBAL int *AP_RESTRICT result, const ap_i64 result_first) {
#ifdef APPORTION_CPU
    /* One item does all of its group: neighbours at neighbouring elements are slow on a CPU. */
    if (AP_LANE != 0) return;
    const ap_i64 lane = 0, lanes = 1, line = 0, lines = 1;
#else
    const ap_i64 lane = AP_LANE % AP_WIDE, lanes = AP_WIDE, line = AP_LANE / AP_WIDE, lines = AP_GROUP / AP_WIDE;
#endif
#if AP_SPREAD
    /* Groups beside one another have tiles of the columns, those below one another strips of the rows. */
    const ap_i64 tile = AP_GROUP_ID, tiles = AP_GROUPS, height = (hi - lo + AP_GROUPS_Y - 1) / AP_GROUPS_Y;
    const ap_i64 from = lo + AP_GROUP_ID_Y * height, to = from + height < hi ? from + height : hi;
#else
    const ap_i64 tile = 0, tiles = 1, from = lo + AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID, to = hi;
#endif
    const bool first = lane == 0 && tile == 0;
#if AP_SPREAD
    for (ap_i64 row = from + line; row < to; row += lines) {
#else
    for (ap_i64 row = from; row < to; row = to) {
#endif
        const ap_u64 by = (ap_u64)row;
        {
            const ap_i64 bx_at_from = 0, bx_at_end = (ap_i64)(n / 16);
            AP_SHARE(bx_at)
            {
                const ap_u64 bx = (ap_u64)bx_at;
                int best = 2147483647;
                int best_y = 0;
                int best_x = 0;
                for (ap_u64 y = ap_satsub_u64(by * 16, 8), y_end = ap_min_u64(by * 16 + 8, n - 16) + 1; y < y_end; y++) {
                    for (ap_u64 x = ap_satsub_u64(bx * 16, 8), x_end = ap_min_u64(bx * 16 + 8, n - 16) + 1; x < x_end; x++) {
                        int sad = 0;
                        for (ap_u64 r = 0; r < 16; r++) {
                            AP_GLOBAL const ap_u8 *const current_row = current + (16 * (ap_i64)by * (ap_i64)n + (ap_i64)n * (ap_i64)r + 16 * (ap_i64)bx - current_first);
                            AP_GLOBAL const ap_u8 *const reference_row = reference + ((ap_i64)n * (ap_i64)y + (ap_i64)n * (ap_i64)r + (ap_i64)x - reference_first);
                            for (ap_u64 c = 0; c < 16; c++) {
                                const ap_u8 ours = current_row[(ap_i64)c];
                                sad = ap_add_i32(sad, (int)ap_absdiff_u8(ours, reference_row[(ap_i64)c]));
                            }
                        }
                        if (sad < best) {
                            best = sad;
                            best_y = ap_sub_i32((int)y, (int)(by * 16));
                            best_x = ap_sub_i32((int)x, (int)(bx * 16));
                        }
                    }
                }
                const ap_u64 at_v = by * (n / 16) * 3 + 3 * bx;
                result[(ap_i64)(at_v) - result_first] = best_y;
                result[(ap_i64)(at_v + 1) - result_first] = best_x;
                result[(ap_i64)(at_v + 2) - result_first] = best;
            }
        }
    }
}

