#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#ifdef APPORTION_CPU
#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#define T16 JOINED(T, 16)
#define T8 JOINED(T, 8)
#define T4 JOINED(T, 4)

/* On a CPU one item computes the whole row of its group, in vectors; the others have nothing to do. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void matvec(long lo, long hi, long n, __global const T *restrict a, long a_first, __global const T *restrict x,
            long x_first, __global T *restrict y, long y_first) {
    const long row = lo + (long)get_group_id(0);
    if (get_local_id(0) != 0 || row >= hi) return;
    __global const T *p = a + (row * n - a_first);
    __global const T *q = x - x_first;

    T16 s0 = (T16)0, s1 = (T16)0, s2 = (T16)0, s3 = (T16)0;
    long j = 0;
    for (; j + 64 <= n; j += 64) {
        s0 += vload16(0, p + j) * vload16(0, q + j);
        s1 += vload16(0, p + j + 16) * vload16(0, q + j + 16);
        s2 += vload16(0, p + j + 32) * vload16(0, q + j + 32);
        s3 += vload16(0, p + j + 48) * vload16(0, q + j + 48);
    }
    for (; j + 16 <= n; j += 16) s0 += vload16(0, p + j) * vload16(0, q + j);
    s0 = (s0 + s1) + (s2 + s3);
    T8 s8 = s0.lo + s0.hi;
    T4 s4 = s8.lo + s8.hi;
    T total = (s4.x + s4.y) + (s4.z + s4.w);
    for (; j < n; j++) total += p[j] * q[j];
    y[row - y_first] = total;
}
#else
/* A group computes one row. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void matvec(long lo, long hi, long n, __global const T *restrict a, long a_first, __global const T *restrict x,
            long x_first, __global T *restrict y, long y_first) {
    __local T part[GROUP];
    const int item = (int)get_local_id(0);
    const long row = lo + (long)get_group_id(0);
    __global const T *p = a + (row * n - a_first);

    T total = 0;
    for (long j = 0; j < n; j += GROUP) {
        long column = j + item;
        if (column < n) total += p[column] * x[column - x_first];
    }
    part[item] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = GROUP / 2; stride > 0; stride /= 2) {
        if (item < stride) part[item] += part[item + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0 && row < hi) y[row - y_first] = part[0];
}
#endif
