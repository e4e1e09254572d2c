#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

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
