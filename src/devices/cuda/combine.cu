// Options: REAL, the element; OP: 0 sum, 1 product, 2 least, 3 greatest, 4 and, 5 or; IDENTITY: what changes nothing.
typedef unsigned char byte;
typedef long ptrdiff_t;
using T = REAL;

__device__ __forceinline__ T combined(T a, T b) {
#if OP == 0
    return a + b;
#elif OP == 1
    return a * b;
#elif OP == 2
    // A NaN is taken over, so that it shows.
    return a != a || a < b ? a : b;
#elif OP == 3
    return a != a || a > b ? a : b;
#elif OP == 4
    return a & b;
#else
    return a | b;
#endif
}

// Block i combines partial[b_i .. b_(i+1)], always in the same order.
extern "C" __global__ void __launch_bounds__(256)
combine(const T *__restrict__ partial, T *__restrict__ out, long long b0, long long b1, long long b2, long long b3,
        long long b4) {
    const long long bounds[5] = {b0, b1, b2, b3, b4};
    const long long end = bounds[blockIdx.x + 1];
    __shared__ T lanes[256];
    T value = IDENTITY;
    for (long long i = bounds[blockIdx.x] + threadIdx.x; i < end; i += 256) value = combined(value, partial[i]);
    lanes[threadIdx.x] = value;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) lanes[threadIdx.x] = combined(lanes[threadIdx.x], lanes[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = lanes[0];
}
