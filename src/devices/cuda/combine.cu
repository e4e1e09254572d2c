// Options: REAL, the element; OP: 0 sum, 1 product, 2 min, 3 max, 4 and, 5 or, 6 product of 16 bits; IDENTITY, the
// reduction's identity.
typedef unsigned char byte;
typedef signed char signed_byte;
typedef unsigned short unsigned_short;
typedef long ptrdiff_t;
using T = REAL;

__device__ __forceinline__ T combined(T a, T b) {
#if OP == 0
    return a + b;
#elif OP == 1
    return a * b;
#elif OP == 2
    // A NaN in either operand is kept, so that it shows in the result.
    return a != a || a < b ? a : b;
#elif OP == 3
    return a != a || a > b ? a : b;
#elif OP == 4
    return a & b;
#elif OP == 6
    // The product of two `unsigned short` as `int`, which C takes them for, might overflow.
    return (unsigned)a * b;
#else
    return a | b;
#endif
}

// Combines the values of the block's threads, always in the same order. Thread 0 gets the result.
__device__ __forceinline__ T of_block(T value) {
    __shared__ T lanes[1024];
    lanes[threadIdx.x] = value;
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        if (threadIdx.x < half) lanes[threadIdx.x] = combined(lanes[threadIdx.x], lanes[threadIdx.x + half]);
        __syncthreads();
    }
    return lanes[0];
}

// Blocks (i, ..) combine partial[b_i .. b_(i+1)], always in the same order: each combines a slice, and the last block to finish
// combines the slices' results, which lie in `of_slices`. tickets[i] is 0 before and after.
extern "C" __global__ void __launch_bounds__(1024)
combine(const T *__restrict__ partial, volatile T *of_slices, T *__restrict__ out, unsigned *tickets, long long b0,
        long long b1, long long b2, long long b3, long long b4) {
    const long long bounds[5] = {b0, b1, b2, b3, b4};
    const long long first = bounds[blockIdx.x], count = bounds[blockIdx.x + 1] - first;
    const long long slices = gridDim.y, slice = blockIdx.y;
    const long long end = first + count * (slice + 1) / slices;
    T value = IDENTITY;
#pragma unroll 4
    for (long long i = first + count * slice / slices + threadIdx.x; i < end; i += 1024) value = combined(value, partial[i]);
    value = of_block(value);
    if (slices > 1) {
        volatile T *mine = of_slices + blockIdx.x * slices;
        __shared__ bool last;
        if (threadIdx.x == 0) {
            mine[slice] = value;
            __threadfence();
            last = atomicInc(tickets + blockIdx.x, slices - 1) == slices - 1;
        }
        __syncthreads();
        if (!last) return;
        __threadfence();
        value = of_block(threadIdx.x < slices ? mine[threadIdx.x] : IDENTITY);
    }
    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

// Combines up to 1024 values as the host does (Reduction::fold): each of 32 lanes every 32nd value in order, then the lanes.
__device__ __forceinline__ T folded(const T *values, long long count) {
    __shared__ T all[1024];
    if (threadIdx.x < count) all[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    T value = IDENTITY;
    if (threadIdx.x < 32) {
        for (int i = threadIdx.x; i < count; i += 32) value = combined(value, all[i]);
    }
    __syncthreads();
    all[threadIdx.x] = value;
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (threadIdx.x < half) all[threadIdx.x] = combined(all[threadIdx.x], all[threadIdx.x + half]);
        __syncthreads();
    }
    value = all[0];
    __syncthreads();
    return value;
}

#define SEGMENT(k) const T *values##k, long long count##k
#define SEGMENTS                                                                                                       \
    SEGMENT(0), SEGMENT(1), SEGMENT(2), SEGMENT(3), SEGMENT(4), SEGMENT(5), SEGMENT(6), SEGMENT(7), SEGMENT(8),         \
        SEGMENT(9), SEGMENT(10), SEGMENT(11), SEGMENT(12), SEGMENT(13), SEGMENT(14), SEGMENT(15), SEGMENT(16),          \
        SEGMENT(17), SEGMENT(18), SEGMENT(19), SEGMENT(20), SEGMENT(21), SEGMENT(22), SEGMENT(23)
#define EACH(DO)                                                                                                       \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) \
        DO(18) DO(19) DO(20) DO(21) DO(22) DO(23)

// One block: a scalar of ranges of partial results, which it combines in their order.
#define FOLD(k) if (k < segments) value = combined(value, folded(values##k, count##k));
extern "C" __global__ void __launch_bounds__(1024) to_scalar(T *out, long long segments, SEGMENTS) {
    T value = IDENTITY;
    EACH(FOLD)
    if (threadIdx.x == 0) *out = value;
}

__device__ __forceinline__ T of_range(const T *values, long long count) {
    T value = IDENTITY;
#pragma unroll 4
    for (long long i = threadIdx.x; i < count; i += 1024) value = combined(value, values[i]);
    __syncthreads();
    return of_block(value);
}

// The same of partial results that are `few`, up to 1024 in all, or more, which are combined as by `combine`. The ranges' results
// also go to `told`.
#define TELL(k)                                                                                                        \
    if (k < segments) {                                                                                                \
        const T part = few ? folded(values##k, count##k) : of_range(values##k, count##k);                                                                  \
        if (threadIdx.x == 0) told[k] = part;                                                                          \
        value = combined(value, part);                                                                                 \
    }
extern "C" __global__ void __launch_bounds__(1024) to_both(T *out, T *told, long long few, long long segments, SEGMENTS) {
    T value = IDENTITY;
    EACH(TELL)
    if (threadIdx.x == 0) *out = value;
}
