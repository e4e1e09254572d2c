// Kernels as one writes them by hand for exactly these loops: f32, vectors of 16 bytes where arrays and rows allow it. They
// take what Apportion's kernels take, `lo..hi` and each array with the number of its first element here, so that one host
// program serves all loops; written apart from Apportion's.

#define WARP 32
#define GROUP 256

__device__ __forceinline__ bool aligned(const void *a, const void *b) {
    return (((unsigned long long)a | (unsigned long long)b) & 15) == 0;
}

// Four elements a thread, one load of each array.
extern "C" __global__ void __launch_bounds__(GROUP)
axpy(long long lo, long long hi, float a, const float *__restrict__ x, long long x0, float *__restrict__ y, long long y0) {
    const long long i = lo + 4 * ((long long)blockIdx.x * GROUP + threadIdx.x);
    x += i - x0;
    y += i - y0;
    if (i + 4 <= hi && aligned(x, y)) {
        const float4 u = __ldcs((const float4 *)x);
        float4 v = __ldcs((const float4 *)y);
        v.x += a * u.x;
        v.y += a * u.y;
        v.z += a * u.z;
        v.w += a * u.w;
        __stcs((float4 *)y, v);
    } else {
        for (int k = 0; k < 4 && i + k < hi; k++) y[k] += a * x[k];
    }
}

// In thread 0: the sum over the block.
template <typename T>
__device__ T block_sum(T sum) {
    __shared__ T of_warp[GROUP / WARP];
    for (int distance = WARP / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % WARP == 0) of_warp[threadIdx.x / WARP] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int warp = 1; warp < GROUP / WARP; warp++) sum += of_warp[warp];
    return sum;
}

// The threads of the grid take vectors in turns. Four elements are added in f32, all else in f64.
extern "C" __global__ void __launch_bounds__(GROUP)
sum(long long lo, long long hi, const float *__restrict__ x, long long x0, double *__restrict__ partial) {
    x += lo - x0;
    const long long n = hi - lo, step = (long long)gridDim.x * GROUP, mine = (long long)blockIdx.x * GROUP + threadIdx.x;
    const long long vectors = aligned(x, x) ? n / 4 : 0;
    double total = 0;
#pragma unroll 8
    for (long long i = mine; i < vectors; i += step) {
        const float4 v = __ldcs((const float4 *)x + i);
        total += (double)((v.x + v.y) + (v.z + v.w));
    }
    for (long long i = 4 * vectors + mine; i < n; i += step) total += (double)x[i];
    total = block_sum(total);
    if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

// A block has a row.
extern "C" __global__ void __launch_bounds__(GROUP)
matvec(long long lo, long long hi, long long n, const float *__restrict__ a, long long a0, const float *__restrict__ x,
       long long x0, float *__restrict__ y, long long y0) {
    const long long row = lo + blockIdx.x;
    if (row >= hi) return;
    a += row * n - a0;
    x -= x0;
    const long long vectors = aligned(a, x) ? n / 4 : 0;
    float total = 0;
#pragma unroll 4
    for (long long j = threadIdx.x; j < vectors; j += GROUP) {
        const float4 u = __ldcs((const float4 *)a + j), v = __ldg((const float4 *)x + j);
        total += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    for (long long j = 4 * vectors + threadIdx.x; j < n; j += GROUP) total += a[j] * x[j];
    total = block_sum(total);
    if (threadIdx.x == 0) y[row - y0] = total;
}

#define RADIUS 3

__device__ __forceinline__ float star(float c0, float c1, float c2, float c3, const float *h, const float *v, int step) {
    return c0 * h[0] + c1 * (h[-1] + h[1] + v[2 * step] + v[4 * step]) + c2 * (h[-2] + h[2] + v[step] + v[5 * step]) +
           c3 * (h[-3] + h[3] + v[0] + v[6 * step]);
}

// A block has 8 rows of 128 cells, a thread four cells side by side. What threads share of rows comes from the caches: the link
// to the host is slower than these by far.
extern "C" __global__ void __launch_bounds__(GROUP)
stencil2d(long long lo, long long hi, long long n, float c0, float c1, float c2, float c3, const float *__restrict__ in,
          long long in0, float *__restrict__ out, long long out0) {
    const long long i = lo + (long long)blockIdx.y * (GROUP / WARP) + threadIdx.x / WARP;
    const long long j = 4 * ((long long)blockIdx.x * WARP + threadIdx.x % WARP);
    if (i >= hi || j >= n) return;
    in += i * n + j - in0;
    out += i * n + j - out0;
    const bool framed = i < RADIUS || i + RADIUS >= n;
    if (!framed && j >= 4 && j + 8 <= n && n % 4 == 0 && aligned(in, out)) {
        __align__(16) float h[12], v[4 * (2 * RADIUS + 1)], r[4];
#pragma unroll
        for (int s = 0; s < 3; s++) *(float4 *)(h + 4 * s) = __ldg((const float4 *)(in + 4 * (s - 1)));
#pragma unroll
        for (int s = 0; s <= 2 * RADIUS; s++)
            if (s != RADIUS) *(float4 *)(v + 4 * s) = __ldg((const float4 *)(in + (s - RADIUS) * n));
#pragma unroll
        for (int k = 0; k < 4; k++) r[k] = star(c0, c1, c2, c3, h + 4 + k, v + k, 4);
        __stcs((float4 *)out, make_float4(r[0], r[1], r[2], r[3]));
        return;
    }
    for (int k = 0; k < 4 && j + k < n; k++) {
        const bool edge = framed || j + k < RADIUS || j + k + RADIUS >= n;
        float v[2 * RADIUS + 1];
        if (!edge)
            for (int s = 0; s <= 2 * RADIUS; s++) v[s] = in[(s - RADIUS) * n + k];
        out[k] = edge ? in[k] : star(c0, c1, c2, c3, in + k, v, 1);
    }
}
