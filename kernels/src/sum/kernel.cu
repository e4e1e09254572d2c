// Options: REAL, the type of the elements; GROUP, threads in a block.
using T = REAL;

#define VECTORS 4
#define LANES (16 / (int)sizeof(T))

union Vector {
    uint4 bits;
    T at[LANES];
};

// In thread 0: the sum over the block, always in the same order.
__device__ double block_sum(double sum) {
    __shared__ double of_warp[GROUP / 32];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int warp = 1; warp < GROUP / 32; warp++) sum += of_warp[warp];
    return sum;
}

// The blocks take tiles in turns. A thread has four loads of 16 bytes in flight; the elements of one load are added in T,
// whose error is that of two additions, and all else in f64: conversions do not bound the speed then.
extern "C" __global__ void __launch_bounds__(GROUP)
sum(long long lo, long long hi, const T *__restrict__ x, long long x_first, double *__restrict__ partial) {
    const long long tile = GROUP * VECTORS * LANES;
    x += lo - x_first;
    const long long len = hi - lo;
    // The same for all threads. Elements that no whole tile has, and all of them where x is not aligned, are added singly.
    const long long tiles = ((unsigned long long)x & 15) == 0 ? len / tile : 0;

    double total = 0;
    const uint4 *xs = (const uint4 *)x + threadIdx.x;
    for (long long t = blockIdx.x; t < tiles; t += gridDim.x) {
        Vector v[VECTORS];
#pragma unroll
        for (int k = 0; k < VECTORS; k++) v[k].bits = __ldcs(xs + t * (GROUP * VECTORS) + k * GROUP);
#pragma unroll
        for (int k = 0; k < VECTORS; k++) {
            T part = v[k].at[0] + v[k].at[1];
            if (LANES == 4) part += v[k].at[LANES - 2] + v[k].at[LANES - 1];
            total += (double)part;
        }
    }
    const long long step = (long long)gridDim.x * GROUP;
    for (long long i = tiles * tile + blockIdx.x * GROUP + threadIdx.x; i < len; i += step) total += (double)x[i];

    total = block_sum(total);
    if (threadIdx.x == 0) partial[blockIdx.x] = total;
}
