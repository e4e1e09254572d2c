#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void axpy(long lo, long hi, T a, __global const T *restrict x, long x_first, __global T *restrict y,
                   long y_first) {
    long i = lo + (long)get_global_id(0);
    if (i < hi) y[i - y_first] += a * x[i - x_first];
}
