#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void stencil2d(long lo, long hi, long n, T c0, T c1, T c2, T c3, __global const T *restrict in, long in_first,
                        __global T *restrict out, long out_first) {
    const long j = (long)get_global_id(0);
    const long i = lo + (long)get_global_id(1);
    if (i >= hi || j >= n) return;
    __global const T *p = in + (i * n + j - in_first);
    T value = p[0];
    if (i >= 3 && i + 3 < n && j >= 3 && j + 3 < n) {
        value = c0 * value
              + c1 * ((p[-1] + p[1]) + (p[-n] + p[n]))
              + c2 * ((p[-2] + p[2]) + (p[-2 * n] + p[2 * n]))
              + c3 * ((p[-3] + p[3]) + (p[-3 * n] + p[3 * n]));
    }
    out[i * n + j - out_first] = value;
}
