// Cells j..j+N of some rows. A thread walks down its columns with the rows above and below in registers, and asks for the next
// row before it computes this one. The cells on the left and right are in the cache, as the centre of neighbouring threads.
template <int N>
__device__ __forceinline__ void walk(const T *__restrict__ old, T *__restrict__ out, long long m, long long j, Rows rows,
                                     T tfac) {
    if (rows.from >= rows.to) return;
    const long long start = rows.from * m + j;
    old += start;
    out += start;
    const bool first = j == 0, last = j + N >= m;

    Cells<N> north = load<N>(old - m), here = load<N>(old), south = load<N>(old + m);
    for (long long i = rows.from; i < rows.to; i++) {
        Cells<N> next = south;
        if (i + 1 < rows.to) next = load<N>(old + 2 * m);
        T c[N + 2];
        c[0] = first ? T(0) : __ldg(old - 1);
        c[N + 1] = last ? T(0) : __ldg(old + N);
#pragma unroll
        for (int k = 0; k < N; k++) c[k + 1] = here.at[k];

        Cells<N> result;
#pragma unroll
        for (int k = 0; k < N; k++) {
            const T center = c[k + 1];
            const T d2x = (c[k] - center) + (c[k + 2] - center);
            const T d2y = (north.at[k] - center) + (south.at[k] - center);
            // The rim is copied.
            result.at[k] = (first && k == 0) || (last && k == N - 1) ? center : center + tfac * (d2x + d2y);
        }
        store<N>(out, result);
        north = here;
        here = south;
        south = next;
        old += m;
        out += m;
    }
}

// The grid's second dimension says into how many strips the rows are divided.
extern "C" __global__ void __launch_bounds__(GROUP)
heat2d(long long lo, long long hi, long long m, T tfac, const T *__restrict__ old, long long old_first,
       T *__restrict__ out, long long out_first) {
    old -= old_first;
    out -= out_first;
    const Rows rows = strip_of(lo, hi, blockIdx.y, gridDim.y);
    // The same for all threads. Where rows do not start at 16 bytes each thread has LANES single columns instead.
    if (aligned(m, old, out)) {
        const long long j = ((long long)blockIdx.x * GROUP + threadIdx.x) * LANES;
        if (j < m) walk<LANES>(old, out, m, j, rows, tfac);
    } else {
        long long j = (long long)blockIdx.x * GROUP * LANES + threadIdx.x;
        for (int lane = 0; lane < LANES; lane++, j += GROUP)
            if (j < m) walk<1>(old, out, m, j, rows, tfac);
    }
}
