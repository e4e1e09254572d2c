// Of a species: where its two ranges meet, then a1 to a6 below, then a1 to a6 above.
#define WIDTH 13

__device__ __forceinline__ T heat_of(const T *__restrict__ a, T t) {
    return __ldg(a) + t * (__ldg(a + 1) + t * (__ldg(a + 2) + t * (__ldg(a + 3) + t * __ldg(a + 4))));
}

__device__ __forceinline__ T enthalpy_of(const T *__restrict__ a, T t) {
    const T a2 = __ldg(a + 1) * T(1.0 / 2), a3 = __ldg(a + 2) * T(1.0 / 3), a4 = __ldg(a + 3) * T(1.0 / 4);
    return __ldg(a + 5) + t * (__ldg(a) + t * (a2 + t * (a3 + t * (a4 + t * (__ldg(a + 4) * T(1.0 / 5))))));
}

// A thread walks down a column of its strip of rows. Neighbouring threads read neighbouring points of each species.
template <T (*of)(const T *__restrict__, T)>
__device__ __forceinline__ void mixed(long long first, long long end, long long m, long long species, const T *__restrict__ temp,
                                      const T *__restrict__ y, const T *__restrict__ table, T *__restrict__ out) {
    const long long j = (long long)blockIdx.x * GROUP + threadIdx.x;
    if (j >= m) return;
    const Rows rows = strip_of(first, end, blockIdx.y, gridDim.y);
    for (long long i = rows.from; i < rows.to; i++) {
        const T t = __ldg(temp + i * m + j);
        const T *part = y + i * species * m + j, *row = table;
        T sum = 0;
        for (long long k = 0; k < species; k++, part += m, row += WIDTH)
            sum += __ldg(part) * of(row + (t < __ldg(row) ? 1 : 7), t);
        out[i * m + j] = sum;
    }
}
