#define SIDE 16
#define RADIUS 8
#define ACROSS (2 * RADIUS + 1)
#define WINDOW (SIDE + 2 * RADIUS)

#ifdef APPORTION_CPU
/* On a CPU one item searches for the whole block of its group; the others have nothing to do. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bm2d(long lo, long hi, long n, __global const uchar *restrict current, long current_first,
          __global const uchar *restrict reference, long reference_first, __global int *restrict result,
          long result_first) {
    const long bx = (long)get_group_id(0), by = lo + (long)get_group_id(1);
    if (get_local_id(0) != 0 || by >= hi) return;
    const long x0 = bx * SIDE, y0 = by * SIDE;
    const int top = (int)max(-y0, -(long)RADIUS), bottom = (int)min(n - SIDE - y0, (long)RADIUS);
    const int left = (int)max(-x0, -(long)RADIUS), right = (int)min(n - SIDE - x0, (long)RADIUS);

    uchar16 block[SIDE];
    for (int r = 0; r < SIDE; r++) block[r] = vload16(0, current + ((y0 + r) * n + x0 - current_first));
    uint least = UINT_MAX;
    for (int dx = left; dx <= right; dx++) {
        /* The columns of one dx, one row after the other. */
        uchar16 strip[WINDOW];
        __global const uchar *p = reference + ((y0 + top) * n + x0 + dx - reference_first);
        for (int r = 0; r < bottom - top + SIDE; r++) strip[r] = vload16(0, p + r * n);
        for (int dy = top; dy <= bottom; dy++) {
            /* Compilers have an instruction for a sum of absolute differences, and know it by this form. */
            int16 s = (int16)0;
            #pragma unroll
            for (int r = 0; r < SIDE; r++) {
                int16 d = convert_int16(block[r]) - convert_int16(strip[dy - top + r]);
                int16 sign = d >> 31;
                s += (d ^ sign) - sign;
            }
            s += s.s89abcdef89abcdef;
            s += s.s4567456745674567;
            s += s.s2323232323232323;
            s += s.s1111111111111111;
            uint sad = (uint)s.s0;
            least = min(least, sad << 9 | (uint)((dy + RADIUS) * ACROSS + dx + RADIUS));
        }
    }
    __global int *out = result + ((by * (n / SIDE) + bx) * 3 - result_first);
    int candidate = (int)(least & 511u);
    out[0] = candidate / ACROSS - RADIUS;
    out[1] = candidate % ACROSS - RADIUS;
    out[2] = (int)(least >> 9);
}
#else
/* A group searches for one block. A candidate's key is its SAD and then its number, so that the least key is the least
   SAD, and of equal ones the smallest (dy, dx). */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bm2d(long lo, long hi, long n, __global const uchar *restrict current, long current_first,
          __global const uchar *restrict reference, long reference_first, __global int *restrict result,
          long result_first) {
    __local uchar block[SIDE * SIDE];
    __local uchar window[WINDOW * WINDOW];
    __local uint keys[GROUP];
    const int item = (int)get_local_id(0);
    const long bx = (long)get_group_id(0), by = lo + (long)get_group_id(1);
    const long x0 = bx * SIDE, y0 = by * SIDE;

    for (int p = item; p < SIDE * SIDE; p += GROUP)
        block[p] = current[(y0 + p / SIDE) * n + x0 + p % SIDE - current_first];
    for (int p = item; p < WINDOW * WINDOW; p += GROUP) {
        long y = y0 - RADIUS + p / WINDOW, x = x0 - RADIUS + p % WINDOW;
        bool inside = y >= 0 && y < n && x >= 0 && x < n;
        window[p] = inside ? reference[y * n + x - reference_first] : (uchar)0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uint least = UINT_MAX;
    for (int candidate = item; candidate < ACROSS * ACROSS; candidate += GROUP) {
        int dy = candidate / ACROSS, dx = candidate % ACROSS;
        long y = y0 - RADIUS + dy, x = x0 - RADIUS + dx;
        if (y < 0 || y + SIDE > n || x < 0 || x + SIDE > n) continue;
        ushort16 s = (ushort16)0;
        for (int r = 0; r < SIDE; r++)
            s += convert_ushort16(abs_diff(vload16(r, block), vload16(0, window + (dy + r) * WINDOW + dx)));
        uint8 s8 = convert_uint8(s.lo) + convert_uint8(s.hi);
        uint4 s4 = s8.lo + s8.hi;
        uint sad = (s4.x + s4.y) + (s4.z + s4.w);
        least = min(least, (sad << 9) | (uint)candidate);
    }
    keys[item] = least;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = GROUP / 2; stride > 0; stride /= 2) {
        if (item < stride) keys[item] = min(keys[item], keys[item + stride]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0 && by < hi) {
        __global int *out = result + ((by * (n / SIDE) + bx) * 3 - result_first);
        int candidate = (int)(keys[0] & 511u);
        out[0] = candidate / ACROSS - RADIUS;
        out[1] = candidate % ACROSS - RADIUS;
        out[2] = (int)(keys[0] >> 9);
    }
}
#endif
