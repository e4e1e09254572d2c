// Options: REAL, the type of the elements; GROUP, threads in a block.
using T = REAL;

#define LANES (16 / (int)sizeof(T))

union Vector {
    uint4 bits;
    T at[LANES];
};

// This thread's part of a row times x. An element of the matrix is used once and need not stay in a cache; x does.
__device__ T part(const T *__restrict__ row, const T *__restrict__ x, long long n) {
    T sum = 0;
    // The same for all threads of the block. Rows of an odd length start anywhere: single elements then.
    const bool aligned = (((unsigned long long)row | (unsigned long long)x) & 15) == 0;
    const long long vectors = aligned ? n / LANES : 0;
#pragma unroll 4
    for (long long j = threadIdx.x; j < vectors; j += GROUP) {
        Vector a, b;
        a.bits = __ldcs((const uint4 *)row + j);
        b.bits = __ldg((const uint4 *)x + j);
#pragma unroll
        for (int k = 0; k < LANES; k++) sum += a.at[k] * b.at[k];
    }
#pragma unroll 8
    for (long long j = vectors * LANES + threadIdx.x; j < n; j += GROUP) sum += __ldcs(row + j) * __ldg(x + j);
    return sum;
}

// A block computes one row: few rows then still occupy the GPU, and x comes from the caches.
extern "C" __global__ void __launch_bounds__(GROUP)
matvec(long long lo, long long hi, long long n, const T *__restrict__ a, long long a_first, const T *__restrict__ x,
       long long x_first, T *__restrict__ y, long long y_first) {
    const long long row = lo + blockIdx.x;
    if (row >= hi) return;
    T sum = part(a + (row * n - a_first), x - x_first, n);

    __shared__ T of_warp[GROUP / 32];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < GROUP / 32; warp++) sum += of_warp[warp];
        y[row - y_first] = sum;
    }
}
