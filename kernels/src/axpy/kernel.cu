// Options: REAL, the type of the elements; GROUP, threads in a block.
using T = REAL;

#define VECTORS 4
#define LANES (16 / (int)sizeof(T))

union Vector {
    uint4 bits;
    T at[LANES];
};

// A block has GROUP * VECTORS vectors of 16 bytes, neighbouring threads at neighbouring vectors. Each thread has all of
// its eight loads in flight before it needs the first. Nothing is used twice, so nothing is to stay in a cache.
extern "C" __global__ void __launch_bounds__(GROUP)
axpy(long long lo, long long hi, T a, const T *__restrict__ x, long long x_first, T *__restrict__ y, long long y_first) {
    const long long tile = GROUP * VECTORS * LANES;
    const long long first = lo + blockIdx.x * tile;
    x += first - x_first;
    y += first - y_first;

    // The same for all threads of the block: whether the tile is whole, and starts at 16 bytes in both arrays.
    const bool whole = first + tile <= hi;
    const bool aligned = (((unsigned long long)x | (unsigned long long)y) & 15) == 0;
    if (whole && aligned) {
        const uint4 *xs = (const uint4 *)x + threadIdx.x;
        uint4 *ys = (uint4 *)y + threadIdx.x;
        Vector u[VECTORS], v[VECTORS];
#pragma unroll
        for (int k = 0; k < VECTORS; k++) {
            u[k].bits = __ldcs(xs + k * GROUP);
            v[k].bits = __ldcs(ys + k * GROUP);
        }
#pragma unroll
        for (int k = 0; k < VECTORS; k++) {
#pragma unroll
            for (int j = 0; j < LANES; j++) v[k].at[j] += a * u[k].at[j];
            __stcs(ys + k * GROUP, v[k].bits);
        }
    } else {
        const int len = (int)(whole ? tile : hi - first);
        for (int i = threadIdx.x; i < len; i += GROUP) y[i] += a * x[i];
    }
}
