// Options: REAL, the type of the elements; GROUP, threads in a block.
using T = REAL;

#define RADIUS 3
#define LANES (16 / (int)sizeof(T))

// Neighbouring cells of a row: LANES of them, which go through memory as a vector of 16 bytes, or one.
template <int N>
union Cells {
    uint4 bits;
    T at[N];
};

template <int N>
__device__ __forceinline__ Cells<N> load(const T *p) {
    Cells<N> cells;
    if constexpr (N == LANES) cells.bits = __ldg((const uint4 *)p);
    else cells.at[0] = __ldg(p);
    return cells;
}

template <int N>
__device__ __forceinline__ void store(T *p, const Cells<N> &cells) {
    // The result is not read again: the input's rows are to stay in the cache instead.
    if constexpr (N == LANES) __stcs((uint4 *)p, cells.bits);
    else __stcs(p, cells.at[0]);
}

// Cells j..j+N of rows from..to. A thread walks down its columns with the rows above and below in registers, so that it
// reads each cell of its columns once, and asks for the next row before it computes this one. The cells on the left and
// right are in the cache, as the centre of neighbouring threads.
template <int N>
__device__ void walk(const T *__restrict__ in, T *__restrict__ out, long long n, long long j, long long from,
                     long long to, T c0, T c1, T c2, T c3) {
    // Vectors on either side that hold the cells within the radius.
    constexpr int SIDE = (RADIUS + N - 1) / N;
    const long long top = max(0ll, from - RADIUS), bottom = min(n, to + RADIUS) - 1;
    const auto row = [&](long long i) { return load<N>(in + (min(max(i, top), bottom) * n + j)); };

    // v[r] is row i - RADIUS + r.
    Cells<N> v[2 * RADIUS + 1];
#pragma unroll
    for (int r = 0; r <= 2 * RADIUS; r++) v[r] = row(from - RADIUS + r);
    for (long long i = from; i < to; i++) {
        const Cells<N> next = row(i + RADIUS + 1);
        const long long at = i * n + j;
        T c[(2 * SIDE + 1) * N];
#pragma unroll
        for (int s = -SIDE; s <= SIDE; s++) {
            Cells<N> side = v[RADIUS];
            if (s != 0 && j + s * N >= 0 && j + s * N < n) side = load<N>(in + (at + s * N));
#pragma unroll
            for (int k = 0; k < N; k++) c[(s + SIDE) * N + k] = side.at[k];
        }
        const bool framed = i < RADIUS || i >= n - RADIUS;
        Cells<N> result;
#pragma unroll
        for (int k = 0; k < N; k++) {
            const T *h = c + SIDE * N + k;
            const T value = c0 * h[0] + c1 * ((h[-1] + h[1]) + (v[2].at[k] + v[4].at[k])) +
                            c2 * ((h[-2] + h[2]) + (v[1].at[k] + v[5].at[k])) +
                            c3 * ((h[-3] + h[3]) + (v[0].at[k] + v[6].at[k]));
            const bool edge = framed || j + k < RADIUS || j + k >= n - RADIUS;
            result.at[k] = edge ? h[0] : value;
        }
        store<N>(out + at, result);
#pragma unroll
        for (int r = 0; r < 2 * RADIUS; r++) v[r] = v[r + 1];
        v[2 * RADIUS] = next;
    }
}

// A block has GROUP * LANES columns. The grid's second dimension says into how many strips the rows are divided.
extern "C" __global__ void __launch_bounds__(GROUP)
stencil2d(long long lo, long long hi, long long n, T c0, T c1, T c2, T c3, const T *__restrict__ in, long long in_first,
          T *__restrict__ out, long long out_first) {
    const long long height = (hi - lo + gridDim.y - 1) / gridDim.y;
    const long long from = lo + blockIdx.y * height, to = min(hi, from + height);
    in -= in_first;
    out -= out_first;

    // The same for all threads. Where rows do not start at 16 bytes each thread has LANES single columns instead.
    const bool aligned = (((unsigned long long)in | (unsigned long long)out | (n * sizeof(T))) & 15) == 0;
    if (aligned) {
        const long long j = ((long long)blockIdx.x * GROUP + threadIdx.x) * LANES;
        if (j < n) walk<LANES>(in, out, n, j, from, to, c0, c1, c2, c3);
    } else {
        long long j = (long long)blockIdx.x * GROUP * LANES + threadIdx.x;
        for (int k = 0; k < LANES; k++, j += GROUP)
            if (j < n) walk<1>(in, out, n, j, from, to, c0, c1, c2, c3);
    }
}
