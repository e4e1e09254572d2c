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

// Cells j..j+N of some rows, and the sum of their squared residuals. A thread walks down its columns with the rows above and
// below in registers, and asks for the next row before it computes this one. The cells on the left and right are in the
// cache, as the centre of neighbouring threads.
template <int N>
__device__ __forceinline__ double walk(const T *__restrict__ f, const T *__restrict__ old, T *__restrict__ u, long long m,
                                       long long j, Rows rows, T ax, T ay, T b, T inverse, T omega) {
    if (rows.from >= rows.to) return 0;
    const long long start = rows.from * m + j;
    f += start;
    old += start;
    u += start;
    const bool first = j == 0, last = j + N >= m;

    Cells<N> north = load<N>(old - m), here = load<N>(old), south = load<N>(old + m), right = load<N>(f);
    double sum = 0;
    for (long long i = rows.from; i < rows.to; i++) {
        Cells<N> next = south, next_right = right;
        if (i + 1 < rows.to) {
            next = load<N>(old + 2 * m);
            next_right = load<N>(f + m);
        }
        T c[N + 2];
        c[0] = first ? T(0) : __ldg(old - 1);
        c[N + 1] = last ? T(0) : __ldg(old + N);
#pragma unroll
        for (int k = 0; k < N; k++) c[k + 1] = here.at[k];

        // The squares of one row are added in T, whose error is that of a few additions, and all else in f64.
        T squares = 0;
        Cells<N> result;
#pragma unroll
        for (int k = 0; k < N; k++) {
            T r = (ax * (c[k] + c[k + 2]) + ay * (north.at[k] + south.at[k]) + b * c[k + 1] - right.at[k]) * inverse;
            // The rim is copied.
            if ((first && k == 0) || (last && k == N - 1)) r = 0;
            result.at[k] = c[k + 1] - omega * r;
            squares += r * r;
        }
        store<N>(u, result);
        sum += (double)squares;
        north = here;
        here = south;
        south = next;
        right = next_right;
        f += m;
        old += m;
        u += m;
    }
    return sum;
}

// The grid's second dimension says into how many strips the rows are divided.
extern "C" __global__ void __launch_bounds__(GROUP)
jacobi(long long lo, long long hi, long long m, T ax, T ay, T b, T omega, const T *__restrict__ f, long long f_first,
       const T *__restrict__ old, long long old_first, T *__restrict__ u, long long u_first, double *__restrict__ partial) {
    f -= f_first;
    old -= old_first;
    u -= u_first;
    const Rows rows = strip_of(lo, hi, blockIdx.y, gridDim.y);
    const T inverse = T(1) / b;
    double sum = 0;
    // The same for all threads. Where rows do not start at 16 bytes each thread has LANES single columns instead.
    if (aligned(m, f, old, u)) {
        const long long j = ((long long)blockIdx.x * GROUP + threadIdx.x) * LANES;
        if (j < m) sum += walk<LANES>(f, old, u, m, j, rows, ax, ay, b, inverse, omega);
    } else {
        long long j = (long long)blockIdx.x * GROUP * LANES + threadIdx.x;
        for (int lane = 0; lane < LANES; lane++, j += GROUP)
            if (j < m) sum += walk<1>(f, old, u, m, j, rows, ax, ay, b, inverse, omega);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) partial[blockIdx.y * gridDim.x + blockIdx.x] = sum;
}
