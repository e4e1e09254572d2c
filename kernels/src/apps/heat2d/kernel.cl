#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void heat2d(long lo, long hi, long m, T tfac, __global const T *restrict old, long old_first,
                     __global T *restrict out, long out_first) {
    const long j = (long)get_global_id(0);
    const long i = lo + (long)get_global_id(1);
    if (i >= hi || j >= m) return;
    __global const T *p = old + (i * m + j - old_first);
    T value = p[0];
    if (j > 0 && j + 1 < m)
        value += tfac * (((p[-1] - value) + (p[1] - value)) + ((p[-m] - value) + (p[m] - value)));
    out[i * m + j - out_first] = value;
}
