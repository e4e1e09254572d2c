// Options: REAL, the type of the elements; GROUP, threads in a block.
using T = REAL;

#define RADIUS 3
#define LANES (16 / (int)sizeof(T))
// Rows that a thread loads ahead, and computes in one go.
#define STEP 4

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

// Cells j..j+N of rows from..to. A thread walks down its columns with the rows above and below in registers, so that each
// cell is read from memory once, and loads the rows of the next step before it computes this one. The cells on the left
// and right are in the cache, as the centre of neighbouring threads.
template <int N>
__device__ void walk(const T *__restrict__ in, T *__restrict__ out, long long n, long long j, long long from,
                     long long to, T c0, T c1, T c2, T c3) {
    // Vectors on either side that hold the cells within the radius.
    constexpr int SIDE = (RADIUS + N - 1) / N;
    const long long top = max(0ll, from - RADIUS), bottom = min(n, to + RADIUS) - 1;
    const auto row = [&](long long i) { return load<N>(in + (min(max(i, top), bottom) * n + j)); };

    // rows[r] is row i - RADIUS + r.
    Cells<N> rows[STEP + 2 * RADIUS], next[STEP];
#pragma unroll
    for (int r = 0; r < STEP + 2 * RADIUS; r++) rows[r] = row(from - RADIUS + r);
    for (long long i = from; i < to; i += STEP) {
#pragma unroll
        for (int r = 0; r < STEP; r++) next[r] = row(i + STEP + RADIUS + r);
#pragma unroll
        for (int r = 0; r < STEP; r++) {
            if (i + r >= to) break;
            const long long at = (i + r) * n + j;
            T cells[(2 * SIDE + 1) * N];
#pragma unroll
            for (int s = -SIDE; s <= SIDE; s++) {
                Cells<N> side = rows[r + RADIUS];
                if (s != 0 && j + s * N >= 0 && j + s * N < n) side = load<N>(in + (at + s * N));
#pragma unroll
                for (int k = 0; k < N; k++) cells[(s + SIDE) * N + k] = side.at[k];
            }
            const bool framed = i + r < RADIUS || i + r >= n - RADIUS;
            Cells<N> result;
#pragma unroll
            for (int k = 0; k < N; k++) {
                const T *c = cells + SIDE * N + k;
                const Cells<N> *v = rows + r + RADIUS;
                const T value = c0 * c[0] + c1 * ((c[-1] + c[1]) + (v[-1].at[k] + v[1].at[k])) +
                                c2 * ((c[-2] + c[2]) + (v[-2].at[k] + v[2].at[k])) +
                                c3 * ((c[-3] + c[3]) + (v[-3].at[k] + v[3].at[k]));
                const bool edge = framed || j + k < RADIUS || j + k >= n - RADIUS;
                result.at[k] = edge ? c[0] : value;
            }
            store<N>(out + at, result);
        }
#pragma unroll
        for (int r = 0; r < 2 * RADIUS; r++) rows[r] = rows[r + STEP];
#pragma unroll
        for (int r = 0; r < STEP; r++) rows[2 * RADIUS + r] = next[r];
    }
}

// A block has GROUP * LANES columns. The grid's second dimension says into how many strips the rows are divided: few rows
// make short strips, which read more rows twice and still occupy the GPU.
extern "C" __global__ void __launch_bounds__(GROUP)
stencil2d(long long lo, long long hi, long long n, T c0, T c1, T c2, T c3, const T *__restrict__ in, long long in_first,
          T *__restrict__ out, long long out_first) {
    const long long height = ((hi - lo + gridDim.y - 1) / gridDim.y + STEP - 1) / STEP * STEP;
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
