// Options: REAL, the type of the elements; GROUP, threads in a block; ROWS, rows that a block computes at once.
using T = REAL;

#define LANES (16 / (int)sizeof(T))

union Vector {
    uint4 bits;
    T at[LANES];
};

// Each thread's part of rows of the matrix times x, in vectors of 16 bytes. Neighbouring rows share the vector of x, which
// comes from the caches; an element of the matrix is used once and need not stay there.
template <int N>
__device__ void products(const T *__restrict__ a, const T *__restrict__ x, long long n, T (&sums)[N]) {
    const bool aligned = (((unsigned long long)a | (unsigned long long)x | (n * sizeof(T))) & 15) == 0;
    if (aligned) {
        const long long vectors = n / LANES;
        const uint4 *rows = (const uint4 *)a, *xs = (const uint4 *)x;
#pragma unroll 2
        for (long long j = threadIdx.x; j < vectors; j += GROUP) {
            Vector u[N], v;
#pragma unroll
            for (int r = 0; r < N; r++) u[r].bits = __ldcs(rows + r * vectors + j);
            v.bits = __ldg(xs + j);
#pragma unroll
            for (int r = 0; r < N; r++)
#pragma unroll
                for (int k = 0; k < LANES; k++) sums[r] += u[r].at[k] * v.at[k];
        }
    } else {
        // Rows start anywhere: single elements, more of them in flight.
#pragma unroll 4
        for (long long j = threadIdx.x; j < n; j += GROUP) {
            const T v = __ldg(x + j);
#pragma unroll
            for (int r = 0; r < N; r++) sums[r] += __ldcs(a + r * n + j) * v;
        }
    }
}

// Adds up the threads' parts and writes N elements of y.
template <int N>
__device__ void rows(const T *__restrict__ a, const T *__restrict__ x, T *__restrict__ y, long long n) {
    T sums[N] = {};
    products<N>(a, x, n, sums);

    __shared__ T of_warp[N][GROUP / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int r = 0; r < N; r++) {
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2) sums[r] += __shfl_down_sync(0xffffffffu, sums[r], distance);
        if (lane == 0) of_warp[r][warp] = sums[r];
    }
    __syncthreads();
    if (threadIdx.x < N) {
        T total = 0;
        for (int w = 0; w < GROUP / 32; w++) total += of_warp[threadIdx.x][w];
        y[threadIdx.x] = total;
    }
    __syncthreads();
}

// A grid of a block for every row computes single rows, so that few rows still occupy the GPU. A smaller grid is for
// ROWS rows a block; what its last block has less than that it computes row by row.
extern "C" __global__ void __launch_bounds__(GROUP)
matvec(long long lo, long long hi, long long n, const T *__restrict__ a, long long a_first, const T *__restrict__ x,
       long long x_first, T *__restrict__ y, long long y_first) {
    const int share = gridDim.x >= hi - lo ? 1 : ROWS;
    long long row = lo + (long long)blockIdx.x * share;
    const long long end = min(hi, row + share);
    x -= x_first;
    if (end - row == ROWS) {
        rows<ROWS>(a + (row * n - a_first), x, y + (row - y_first), n);
    } else {
        for (; row < end; row++) rows<1>(a + (row * n - a_first), x, y + (row - y_first), n);
    }
}
