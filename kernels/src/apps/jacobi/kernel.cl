#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* A group has a tile of ROWS rows and COLUMNS columns, and the sum of its squared residuals. */
#define TILE_COLUMNS(m) min((m), ((long)get_group_id(0) + 1) * COLUMNS)
#define TILE_ROWS(hi) min((hi), lo + ((long)get_group_id(1) + 1) * ROWS)
#define PARTIAL (get_group_id(1) * get_num_groups(0) + get_group_id(0))

/* One cell; returns its residual, which is 0 on the rim. */
T relax(long j, long m, T ax, T ay, T b, T inverse, T omega, __global const T *f, __global const T *p, __global T *u) {
    T r = 0;
    if (j > 0 && j + 1 < m) r = (ax * (p[-1] + p[1]) + ay * (p[-m] + p[m]) + b * p[0] - f[0]) * inverse;
    u[0] = p[0] - omega * r;
    return r;
}

#ifdef APPORTION_CPU
#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#define T8 JOINED(T, 8)

/* On a CPU one item computes the tile of its group, in vectors; the others have nothing to do. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void jacobi(long lo, long hi, long m, T ax, T ay, T b, T omega, __global const T *restrict f, long f_first,
            __global const T *restrict old, long old_first, __global T *restrict u, long u_first,
            __global double *restrict partial) {
    if (get_local_id(0) != 0) return;
    const T inverse = 1 / b;
    const long left = (long)get_group_id(0) * COLUMNS, right = TILE_COLUMNS(m), bottom = TILE_ROWS(hi);
    /* Columns that are not on the rim. */
    const long first = max(left, 1L), end = min(right, m - 1);
    double total = 0;
    double8 squares = 0;
    for (long i = lo + (long)get_group_id(1) * ROWS; i < bottom; i++) {
        __global const T *p = old + (i * m - old_first), *q = f + (i * m - f_first);
        __global T *out = u + (i * m - u_first);
        long j = left;
        for (; j < min(first, right); j++) relax(j, m, ax, ay, b, inverse, omega, q + j, p + j, out + j);
        for (; j + 8 <= end; j += 8) {
            const T8 here = vload8(0, p + j);
            const T8 r = (ax * (vload8(0, p + j - 1) + vload8(0, p + j + 1))
                          + ay * (vload8(0, p + j - m) + vload8(0, p + j + m)) + b * here - vload8(0, q + j)) * inverse;
            vstore8(here - omega * r, 0, out + j);
            const double8 wide = convert_double8(r);
            squares += wide * wide;
        }
        for (; j < right; j++) {
            const double r = (double)relax(j, m, ax, ay, b, inverse, omega, q + j, p + j, out + j);
            total += r * r;
        }
    }
    const double4 s4 = squares.lo + squares.hi;
    partial[PARTIAL] = total + ((s4.x + s4.y) + (s4.z + s4.w));
}
#else
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void jacobi(long lo, long hi, long m, T ax, T ay, T b, T omega, __global const T *restrict f, long f_first,
            __global const T *restrict old, long old_first, __global T *restrict u, long u_first,
            __global double *restrict partial) {
    __local double part[GROUP];
    const int item = (int)get_local_id(0);
    const T inverse = 1 / b;
    const long right = TILE_COLUMNS(m), bottom = TILE_ROWS(hi);
    double total = 0;
    for (long i = lo + (long)get_group_id(1) * ROWS; i < bottom; i++) {
        for (long j = (long)get_group_id(0) * COLUMNS + item; j < right; j += GROUP) {
            const long at = i * m + j;
            const double r = (double)relax(j, m, ax, ay, b, inverse, omega, f + (at - f_first), old + (at - old_first),
                                           u + (at - u_first));
            total += r * r;
        }
    }
    part[item] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = GROUP / 2; stride > 0; stride /= 2) {
        if (item < stride) part[item] += part[item + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) partial[PARTIAL] = part[0];
}
#endif
