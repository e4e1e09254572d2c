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
static __host__ __device__ __forceinline__ int ap_add_i32(int a, int b) { return (int)((ap_u32)a + (ap_u32)b); }
static __host__ __device__ __forceinline__ int ap_mul_i32(int a, int b) { return (int)((ap_u32)a * (ap_u32)b); }
static __host__ __device__ __forceinline__ ap_u64 ap_rem_u64(ap_u64 a, ap_u64 b) { return b == 0 ? 0 : (ap_u64)(a % b); }
static __host__ __device__ __forceinline__ int ap_sub_i32(int a, int b) { return (int)((ap_u32)a - (ap_u32)b); }

/* The reduction: AP_REDUCE is 0 for a sum, 1 a product, 2 the least, 3 the greatest. */
#if AP_REDUCE == 0
#define AP_IDENTITY 0
AP_FN ap_i64 ap_combine(ap_i64 a, ap_i64 b) { return (ap_i64)((ap_u64)a + (ap_u64)b); }
#elif AP_REDUCE == 1
#define AP_IDENTITY 1
AP_FN ap_i64 ap_combine(ap_i64 a, ap_i64 b) { return (ap_i64)((ap_u64)a * (ap_u64)b); }
#elif AP_REDUCE == 2
#define AP_IDENTITY ((ap_i64)9223372036854775807)
AP_FN ap_i64 ap_combine(ap_i64 a, ap_i64 b) { return a < b ? a : b; }
#elif AP_REDUCE == 3
#define AP_IDENTITY ((ap_i64)(-9223372036854775807 - 1))
AP_FN ap_i64 ap_combine(ap_i64 a, ap_i64 b) { return a > b ? a : b; }
#endif
AP_FN ap_i64 ap_group_combine(ap_i64 value, ap_i64 *scratch) {
    for (int stride = 16; stride > 0; stride /= 2) value = ap_combine(value, __shfl_down_sync(0xffffffffu, value, stride));
#if AP_GROUP > 32
    const int lane = AP_LANE;
    if (lane % 32 == 0) scratch[lane / 32] = value;
    AP_BARRIER;
    value = scratch[lane % (AP_GROUP / 32)];
    for (int stride = AP_GROUP / 64; stride > 0; stride /= 2)
        value = ap_combine(value, __shfl_down_sync(0xffffffffu, value, stride));
    /* Nobody overwrites a part that another warp is yet to read. */
    AP_BARRIER;
#endif
    return __shfl_sync(0xffffffffu, value, 0);
}

/* One iteration. */
static __host__ __device__ __forceinline__ ap_i64 r9_iteration(const ap_u64 i, const ap_u64 n, AP_GLOBAL const ap_u32 *AP_RESTRICT at_v, const ap_i64 at_v_first, AP_GLOBAL const int *AP_RESTRICT p, const ap_i64 p_first, AP_GLOBAL const int *AP_RESTRICT q, const ap_i64 q_first, AP_GLOBAL int *AP_RESTRICT y, const ap_i64 y_first, AP_GLOBAL int *AP_RESTRICT z, const ap_i64 z_first) {
    ap_u64 component[2] = {0, 1};
    ap_u64 component_2[3] = {0, 1, 2};
    int t1[2] = {z[(ap_i64)(i * 2) - z_first], z[(ap_i64)(i * 2 + 1) - z_first]};
    int vap_value[3] = {p[(ap_i64)((i - 1) * 3 + 1) - p_first] < y[(ap_i64)(i * 3 + 1) - y_first] ? q[(ap_i64)(ap_rem_u64(((ap_u64)at_v[(ap_i64)(i) - at_v_first] + i), n) * 2 + 1) - q_first] : 76, ap_add_i32(p[(ap_i64)(i * 3 + 2) - p_first], y[(ap_i64)(i * 3 + 1) - y_first]), ap_add_i32(47, q[(ap_i64)(ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n) * 2) - q_first])};
    const int vap_value_2 = ap_add_i32(34, z[(ap_i64)(i * 2 + component[(ap_u64)((y[(ap_i64)(i * 3) - y_first] ^ y[(ap_i64)(i * 3 + 2) - y_first]) & 1)]) - z_first]);
    int vap_value_3[2] = {q[(ap_i64)(ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n) * 2 + 1) - q_first] < y[(ap_i64)(i * 3 + 2) - y_first] ? z[(ap_i64)(i * 2 + 1) - z_first] : 55, ap_add_i32(q[(ap_i64)(ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n) * 2) - q_first], q[(ap_i64)(ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n) * 2 + 1) - q_first])};
    y[(ap_i64)(i * 3) - y_first] = vap_value[0];
    y[(ap_i64)(i * 3 + 1) - y_first] = vap_value[1];
    y[(ap_i64)(i * 3 + 2) - y_first] = vap_value[2];
    y[(ap_i64)(i * 3 + component_2[(ap_u64)(ap_sub_i32(y[(ap_i64)(i * 3 + 1) - y_first], q[(ap_i64)((n - 1 - i) * 2) - q_first]) & 1)]) - y_first] = vap_value_2;
    z[(ap_i64)(i * 2) - z_first] = vap_value_3[0];
    z[(ap_i64)(i * 2 + 1) - z_first] = vap_value_3[1];
    int vap_value_4[3] = {p[(ap_i64)((i + 1) * 3) - p_first], p[(ap_i64)((i + 1) * 3 + 1) - p_first], p[(ap_i64)((i + 1) * 3 + 2) - p_first]};
    const int vap_value_5 = ap_mul_i32(y[(ap_i64)(i * 3 + 1) - y_first], p[(ap_i64)(i * 3) - p_first]);
    int vap_value_6[2];
    { const int ap_value = ap_add_i32(z[(ap_i64)(i * 2) - z_first], p[(ap_i64)((i - 1) * 3 + 1) - p_first]);
    for (int ap_at = 0; ap_at < 2; ap_at++) vap_value_6[ap_at] = ap_value; }
    y[(ap_i64)(i * 3) - y_first] = vap_value_4[0];
    y[(ap_i64)(i * 3 + 1) - y_first] = vap_value_4[1];
    y[(ap_i64)(i * 3 + 2) - y_first] = vap_value_4[2];
    y[(ap_i64)(i * 3 + component_2[(ap_u64)(at_v[(ap_i64)(i) - at_v_first] % 3u)]) - y_first] = vap_value_5;
    z[(ap_i64)(i * 2) - z_first] = vap_value_6[0];
    z[(ap_i64)(i * 2 + 1) - z_first] = vap_value_6[1];
    const int vap_value_7 = ap_sub_i32(24, z[(ap_i64)(i * 2 + 1) - z_first]);
    z[(ap_i64)(i * 2) - z_first] = vap_value_7;
    z[(ap_i64)(i * 2 + 1) - z_first] = vap_value_7;
    int t2[3];
    { const int ap_value = 38 < y[(ap_i64)(i * 3 + 1) - y_first] ? q[(ap_i64)(ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n) * 2) - q_first] : p[(ap_i64)((i + 1) * 3) - p_first];
    for (int ap_at = 0; ap_at < 3; ap_at++) t2[ap_at] = ap_value; }
    for (ap_i64 t3_wide = (ap_i64)(0), t3_end = 2; t3_wide < t3_end; t3_wide++) {
        const int t3 = (int)t3_wide;
        for (ap_u64 t4 = 0; t4 < 5; t4++) {
            const ap_u64 vap_index = ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n);
            z[(ap_i64)(i * 2) - z_first] = q[(ap_i64)(vap_index * 2) - q_first];
            z[(ap_i64)(i * 2 + 1) - z_first] = q[(ap_i64)(vap_index * 2 + 1) - q_first];
            y[(ap_i64)(i * 3 + component_2[t4 / 2]) - y_first] = y[(ap_i64)(i * 3 + component_2[t4 / 2]) - y_first] ^ ap_add_i32((q[(ap_i64)((n - 1 - i) * 2) - q_first] < z[(ap_i64)(i * 2 + 1) - z_first] ? p[(ap_i64)((i + 1) * 3) - p_first] : y[(ap_i64)(i * 3 + 1) - y_first]), ap_mul_i32(18, y[(ap_i64)(i * 3) - y_first]));
            z[(ap_i64)(i * 2) - z_first] = z[(ap_i64)(i * 2) - z_first];
            z[(ap_i64)(i * 2 + 1) - z_first] = z[(ap_i64)(i * 2 + 1) - z_first];
        }
    }
    const int vap_value_8 = q[(ap_i64)(ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n) * 2 + 1) - q_first];
    const int vap_value_9 = ap_add_i32((65 < t2[2] ? p[(ap_i64)((i + 1) * 3 + 1) - p_first] ^ t1[1] : t1[1] ^ p[(ap_i64)((i - 1) * 3 + 1) - p_first]), q[(ap_i64)(ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n) * 2 + 1) - q_first]);
    z[(ap_i64)(i * 2) - z_first] = vap_value_8;
    z[(ap_i64)(i * 2 + 1) - z_first] = vap_value_9;
    y[(ap_i64)(i * 3 + component_2[(ap_u64)(at_v[(ap_i64)(i) - at_v_first] % 3u)]) - y_first] = y[(ap_i64)(i * 3 + component_2[(ap_u64)(at_v[(ap_i64)(i) - at_v_first] % 3u)]) - y_first] ^ ap_add_i32(ap_add_i32(t1[1], p[(ap_i64)(i * 3 + 2) - p_first]), ap_sub_i32(p[(ap_i64)((i + 1) * 3 + 2) - p_first], q[(ap_i64)(ap_rem_u64((ap_u64)at_v[(ap_i64)(i) - at_v_first], n) * 2) - q_first]));
    return (ap_i64)(p[(ap_i64)(i * 3) - p_first] ^ y[(ap_i64)(i * 3 + 1) - y_first]);
}

AP_ENTRY r9(const ap_i64 lo, const ap_i64 hi, const ap_u64 n, AP_GLOBAL const ap_u32 *AP_RESTRICT at_v, const ap_i64 at_v_first, AP_GLOBAL const int *AP_RESTRICT p, const ap_i64 p_first, AP_GLOBAL const int *AP_RESTRICT q, const ap_i64 q_first, AP_GLOBAL int *AP_RESTRICT y, const ap_i64 y_first, AP_GLOBAL int *AP_RESTRICT z, const ap_i64 z_first, AP_GLOBAL ap_i64 *AP_RESTRICT partial) {
    ap_i64 total = AP_IDENTITY;
#ifdef APPORTION_CPU
    /* One item goes through a span of iterations; the others have nothing to do. */
    if (AP_LANE != 0) return;
    const ap_i64 span = (hi - lo + AP_GROUPS - 1) / AP_GROUPS, from = lo + AP_GROUP_ID * span;
    const ap_i64 to = from + span < hi ? from + span : hi;
    for (ap_i64 at = from; at < to; at++) total = ap_combine(total, r9_iteration((ap_u64)at, n, at_v, at_v_first, p, p_first, q, q_first, y, y_first, z, z_first));
    partial[AP_GROUP_ID] = total;
#else
    AP_SHARED ap_i64 scratch[AP_GROUP];
    const ap_i64 step = AP_GROUPS * AP_GROUP;
    ap_i64 at = lo + AP_GROUP_ID * AP_GROUP + AP_LANE;
    for (; at < hi; at += step) total = ap_combine(total, r9_iteration((ap_u64)at, n, at_v, at_v_first, p, p_first, q, q_first, y, y_first, z, z_first));
    total = ap_group_combine(total, scratch);
    if (AP_LANE == 0) partial[AP_GROUP_ID] = total;
#endif
}
