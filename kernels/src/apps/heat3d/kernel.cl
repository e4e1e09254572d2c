#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* PERIODIC: 1 where rows and columns wrap around, 0 where the hull stays as it is. */
__kernel void heat3d(long lo, long hi, long m, long l, T kappa, __global const T *restrict old, long old_first,
                     __global T *restrict out, long out_first) {
    const long k = (long)get_global_id(0);
    const long j = (long)get_global_id(1);
    const long i = lo + (long)get_global_id(2);
    if (i >= hi || j >= m || k >= l) return;
    const long plane = m * l;
    __global const T *p = old + (i * plane + j * l + k - old_first);
    const long left = k > 0 ? -1 : l - 1, right = k + 1 < l ? 1 : 1 - l;
    const long up = j > 0 ? -l : plane - l, down = j + 1 < m ? l : l - plane;
    T value = p[0];
    if (PERIODIC || (j > 0 && j + 1 < m && k > 0 && k + 1 < l))
        value += kappa * (((p[left] + p[right]) + (p[up] + p[down])) + (p[-plane] + p[plane]) - 6 * value);
    out[i * plane + j * l + k - out_first] = value;
}
