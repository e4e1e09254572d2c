#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* Of a species: where its two ranges meet, then a1 to a6 below, then a1 to a6 above. */
#define WIDTH 13

T heat_of(__global const T *a, T t) { return a[0] + t * (a[1] + t * (a[2] + t * (a[3] + t * a[4]))); }

T enthalpy_of(__global const T *a, T t) {
    return a[5] + t * (a[0] + t * (a[1] * (T)(1.0 / 2) + t * (a[2] * (T)(1.0 / 3) + t * (a[3] * (T)(1.0 / 4) + t * (a[4] * (T)(1.0 / 5))))));
}

#define MIXED(name, of)                                                                                                          \
    __kernel void name(long lo, long hi, long m, long species, __global const T *restrict temp, long temp_first,                 \
                       __global const T *restrict y, long y_first, __global const T *restrict table, long table_first,           \
                       __global T *restrict out, long out_first) {                                                               \
        const long j = (long)get_global_id(0);                                                                                   \
        const long i = lo + (long)get_global_id(1);                                                                              \
        if (i >= hi || j >= m) return;                                                                                           \
        const T t = temp[i * m + j - temp_first];                                                                                \
        __global const T *part = y + (i * species * m + j - y_first), *row = table - table_first;                                \
        T sum = 0;                                                                                                               \
        for (long k = 0; k < species; k++, part += m, row += WIDTH) sum += *part * of(row + (t < row[0] ? 1 : 7), t);            \
        out[i * m + j - out_first] = sum;                                                                                        \
    }

MIXED(mixcp, heat_of)
MIXED(mixenth, enthalpy_of)
