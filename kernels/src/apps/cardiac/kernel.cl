#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* CELL_K, CELL_A, CELL_B, CELL_MU1, CELL_MU2 and CELL_EPS: the constants of the model. */
__kernel void cardiac(long lo, long hi, long m, T alpha, T dt, __global const T *restrict e_old, long e_old_first,
                      __global T *restrict r, long r_first, __global T *restrict e_new, long e_new_first) {
    const long j = (long)get_global_id(0);
    const long i = lo + (long)get_global_id(1);
    if (i >= hi || j >= m) return;
    __global const T *p = e_old + (i * m + j - e_old_first);
    /* The edges are mirrors: column -1 is column 1, column m is column m-2. */
    const T west = p[j > 0 ? -1 : 1], east = p[j + 1 < m ? 1 : -1];
    const T old_r = r[i * m + j - r_first];
    T e = p[0] + alpha * (((west + east) + (p[-m] + p[m])) - 4 * p[0]);
    e -= dt * ((T)CELL_K * e * (e - (T)CELL_A) * (e - 1) + e * old_r);
    const T rate = (T)CELL_EPS + (T)CELL_MU1 * old_r / (e + (T)CELL_MU2);
    r[i * m + j - r_first] = old_r - dt * rate * (old_r + (T)CELL_K * e * (e - (T)(CELL_B + 1)));
    e_new[i * m + j - e_new_first] = e;
}
