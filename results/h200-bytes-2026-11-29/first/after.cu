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

AP_ENTRY bm2d_kernel(const ap_i64 lo, const ap_i64 hi, const ap_u64 n, AP_GLOBAL const ap_u8 *AP_RESTRICT current, const ap_i64 current_first, const ap_u64 current_count, AP_GLOBAL const ap_u8 *AP_RESTRICT reference, const ap_i64 reference_first, const ap_u64 reference_count, AP_GLOBAL int *AP_RESTRICT result, const ap_i64 result_first) {
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
                    for (ap_u64 x_at = ap_satsub_u64(bx * 16, 8), x_end = ap_min_u64(bx * 16 + 8, n - 16) + 1; x_at < x_end;) {
                        const ap_u64 x = x_at;
                        const ap_u64 ap_more = (ap_u64)x_end - (ap_u64)x;
                        if (ap_more > 9) {
                            const int ap_some = ap_more < 17 ? (int)ap_more : 17;
                            if (ap_bytes_begin(current, 16 * (ap_i64)by * (ap_i64)n + 16 * (ap_i64)bx - current_first) && ap_bytes_end(current, current_count, 15 + 16 * (ap_i64)by * (ap_i64)n + 15 * (ap_i64)n + 16 * (ap_i64)bx - current_first) && ap_bytes_begin(reference, (ap_i64)n * (ap_i64)y + (ap_i64)x - reference_first) && ap_bytes_end(reference, reference_count, 15 + 15 * (ap_i64)n + (ap_i64)n * (ap_i64)y + (ap_i64)x - reference_first + (ap_some - 1))) {
                                int sad_of[17];
                                AP_EVERY for (int ap_u = 0; ap_u < 17; ap_u++) {
                                    const ap_u64 x = x_at + (ap_u64)ap_u;
                                    sad_of[ap_u] = 0;
                                }
                                for (ap_u64 r = 0; r < 16; r++) {
                                    {
                                        const ap_u64 c = 0;
                                        AP_GLOBAL const ap_u8 *const ap_p0 = current + (16 * (ap_i64)by * (ap_i64)n + (ap_i64)n * (ap_i64)r + 16 * (ap_i64)bx + (ap_i64)c - current_first);
                                        const int ap_m0 = (int)((ap_u64)ap_p0 & 7);
                                        AP_GLOBAL const ap_u64 *const ap_a0 = (AP_GLOBAL const ap_u64 *)(ap_p0 - ap_m0);
                                        const int ap_last0 = (ap_m0 + 16 - 1) / 8;
                                        ap_u64 ap_v0 = ap_a0[0];
                                        int ap_i0 = 0;
                                        ap_u32 ap_r0[3];
                                        AP_GLOBAL const ap_u8 *const ap_p1 = reference + ((ap_i64)n * (ap_i64)y + (ap_i64)n * (ap_i64)r + (ap_i64)x + (ap_i64)c - reference_first);
                                        const int ap_m1 = (int)((ap_u64)ap_p1 & 7);
                                        AP_GLOBAL const ap_u64 *const ap_a1 = (AP_GLOBAL const ap_u64 *)(ap_p1 - ap_m1);
                                        const int ap_last1 = (ap_m1 + 16 + ap_some - 1 - 1) / 8;
                                        ap_u64 ap_v1 = ap_a1[0];
                                        int ap_i1 = 0;
                                        ap_u32 ap_r1[7];
                                        AP_EVERY for (int ap_h = 0; ap_h < 2; ap_h++) AP_BYTES_NEXT(1, 2 * ap_h)
                                        AP_EVERY for (int ap_k = 0; ap_k < 2; ap_k++) {
                                            AP_BYTES_NEXT(0, 0)
                                            AP_BYTES_NEXT(1, 4)
                                            AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {
                                                const ap_u32 ap_x0 = ap_r0[ap_w];
                                                AP_EVERY for (int ap_u = 0; ap_u < 17; ap_u++) {
                                                    const ap_u32 ap_x1 = AP_BYTES_AT(ap_r1, 4 * ap_w + ap_u);
                                                    sad_of[ap_u] = (int)ap_bytes_difference((ap_u32)sad_of[ap_u], ap_x0, ap_x1);
                                                }
                                            }
                                            AP_EVERY for (int ap_h = 0; ap_h < 4; ap_h++) ap_r1[ap_h] = ap_r1[ap_h + 2];
                                        }
                                    }
                                }
                                AP_EVERY for (int ap_u = 0; ap_u < 17; ap_u++) {
                                    if (ap_u >= ap_some) break;
                                    const ap_u64 x = x_at + (ap_u64)ap_u;
                                    if (sad_of[ap_u] < best) {
                                        best = sad_of[ap_u];
                                        best_y = ap_sub_i32((int)y, (int)(by * 16));
                                        best_x = ap_sub_i32((int)x, (int)(bx * 16));
                                    }
                                }
                                x_at += (ap_u64)ap_some;
                                continue;
                            }
                        } else if (ap_more > 2) {
                            const int ap_some = ap_more < 9 ? (int)ap_more : 9;
                            if (ap_bytes_begin(current, 16 * (ap_i64)by * (ap_i64)n + 16 * (ap_i64)bx - current_first) && ap_bytes_end(current, current_count, 15 + 16 * (ap_i64)by * (ap_i64)n + 15 * (ap_i64)n + 16 * (ap_i64)bx - current_first) && ap_bytes_begin(reference, (ap_i64)n * (ap_i64)y + (ap_i64)x - reference_first) && ap_bytes_end(reference, reference_count, 15 + 15 * (ap_i64)n + (ap_i64)n * (ap_i64)y + (ap_i64)x - reference_first + (ap_some - 1))) {
                                int sad_of[9];
                                AP_EVERY for (int ap_u = 0; ap_u < 9; ap_u++) {
                                    const ap_u64 x = x_at + (ap_u64)ap_u;
                                    sad_of[ap_u] = 0;
                                }
                                for (ap_u64 r = 0; r < 16; r++) {
                                    {
                                        const ap_u64 c = 0;
                                        AP_GLOBAL const ap_u8 *const ap_p0 = current + (16 * (ap_i64)by * (ap_i64)n + (ap_i64)n * (ap_i64)r + 16 * (ap_i64)bx + (ap_i64)c - current_first);
                                        const int ap_m0 = (int)((ap_u64)ap_p0 & 7);
                                        AP_GLOBAL const ap_u64 *const ap_a0 = (AP_GLOBAL const ap_u64 *)(ap_p0 - ap_m0);
                                        const int ap_last0 = (ap_m0 + 16 - 1) / 8;
                                        ap_u64 ap_v0 = ap_a0[0];
                                        int ap_i0 = 0;
                                        ap_u32 ap_r0[3];
                                        AP_GLOBAL const ap_u8 *const ap_p1 = reference + ((ap_i64)n * (ap_i64)y + (ap_i64)n * (ap_i64)r + (ap_i64)x + (ap_i64)c - reference_first);
                                        const int ap_m1 = (int)((ap_u64)ap_p1 & 7);
                                        AP_GLOBAL const ap_u64 *const ap_a1 = (AP_GLOBAL const ap_u64 *)(ap_p1 - ap_m1);
                                        const int ap_last1 = (ap_m1 + 16 + ap_some - 1 - 1) / 8;
                                        ap_u64 ap_v1 = ap_a1[0];
                                        int ap_i1 = 0;
                                        ap_u32 ap_r1[5];
                                        AP_EVERY for (int ap_h = 0; ap_h < 1; ap_h++) AP_BYTES_NEXT(1, 2 * ap_h)
                                        AP_EVERY for (int ap_k = 0; ap_k < 2; ap_k++) {
                                            AP_BYTES_NEXT(0, 0)
                                            AP_BYTES_NEXT(1, 2)
                                            AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {
                                                const ap_u32 ap_x0 = ap_r0[ap_w];
                                                AP_EVERY for (int ap_u = 0; ap_u < 9; ap_u++) {
                                                    const ap_u32 ap_x1 = AP_BYTES_AT(ap_r1, 4 * ap_w + ap_u);
                                                    sad_of[ap_u] = (int)ap_bytes_difference((ap_u32)sad_of[ap_u], ap_x0, ap_x1);
                                                }
                                            }
                                            AP_EVERY for (int ap_h = 0; ap_h < 2; ap_h++) ap_r1[ap_h] = ap_r1[ap_h + 2];
                                        }
                                    }
                                }
                                AP_EVERY for (int ap_u = 0; ap_u < 9; ap_u++) {
                                    if (ap_u >= ap_some) break;
                                    const ap_u64 x = x_at + (ap_u64)ap_u;
                                    if (sad_of[ap_u] < best) {
                                        best = sad_of[ap_u];
                                        best_y = ap_sub_i32((int)y, (int)(by * 16));
                                        best_x = ap_sub_i32((int)x, (int)(bx * 16));
                                    }
                                }
                                x_at += (ap_u64)ap_some;
                                continue;
                            }
                        }
                        int sad = 0;
                        for (ap_u64 r = 0; r < 16; r++) {
                            {
                                ap_u64 c = 0;
                                const ap_u64 c_end = 16;
                                ap_u64 ap_from = c_end, ap_to = c_end;
                                if (c < c_end && (ap_u64)c_end - (ap_u64)c > 0) {
                                    const ap_i64 ap_at0 = 16 * (ap_i64)by * (ap_i64)n + (ap_i64)n * (ap_i64)r + 16 * (ap_i64)bx + (ap_i64)c - current_first;
                                    const ap_i64 ap_at1 = (ap_i64)n * (ap_i64)y + (ap_i64)n * (ap_i64)r + (ap_i64)x + (ap_i64)c - reference_first;
                                    if (ap_bytes_begin(current, ap_at0) && ap_bytes_begin(reference, ap_at1) && ap_bytes_end(current, current_count, ap_at0 + 16 - 1) && ap_bytes_end(reference, reference_count, ap_at1 + 16 - 1)) {
                                        ap_from = c;
                                        AP_GLOBAL const ap_u8 *const ap_p0 = current + (ap_at0);
                                        const int ap_m0 = (int)((ap_u64)ap_p0 & 7);
                                        AP_GLOBAL const ap_u64 *const ap_a0 = (AP_GLOBAL const ap_u64 *)(ap_p0 - ap_m0);
                                        const int ap_last0 = (ap_m0 + 16 - 1) / 8;
                                        ap_u64 ap_v0 = ap_a0[0];
                                        int ap_i0 = 0;
                                        ap_u32 ap_r0[3];
                                        AP_GLOBAL const ap_u8 *const ap_p1 = reference + (ap_at1);
                                        const int ap_m1 = (int)((ap_u64)ap_p1 & 7);
                                        AP_GLOBAL const ap_u64 *const ap_a1 = (AP_GLOBAL const ap_u64 *)(ap_p1 - ap_m1);
                                        const int ap_last1 = (ap_m1 + 16 - 1) / 8;
                                        ap_u64 ap_v1 = ap_a1[0];
                                        int ap_i1 = 0;
                                        ap_u32 ap_r1[3];
                                        AP_EVERY for (int ap_k = 0; ap_k < 2; ap_k++) {
                                            AP_BYTES_NEXT(0, 0)
                                            AP_BYTES_NEXT(1, 0)
                                            AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {
                                                const ap_u32 ap_x0 = ap_r0[ap_w];
                                                const ap_u32 ap_x1 = ap_r1[ap_w];
                                                sad = (int)ap_bytes_difference((ap_u32)sad, ap_x0, ap_x1);
                                            }
                                        }
                                    }
                                }
                                for (; c < c_end; c++) {
                                    if (c == ap_from) c = ap_to;
                                    if (c >= c_end) break;
                                    const ap_u8 ours = current[(ap_i64)((by * 16 + r) * n + bx * 16 + c) - current_first];
                                    sad = ap_add_i32(sad, (int)ap_absdiff_u8(ours, reference[(ap_i64)((y + r) * n + x + c) - reference_first]));
                                }
                            }
                        }
                        if (sad < best) {
                            best = sad;
                            best_y = ap_sub_i32((int)y, (int)(by * 16));
                            best_x = ap_sub_i32((int)x, (int)(bx * 16));
                        }
                        x_at++;
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

