// Options besides: CELL_K, CELL_A, CELL_B, CELL_MU1, CELL_MU2 and CELL_EPS, the constants of the model.

// Cells j..j+N of some rows. A thread walks down its columns with the rows above and below in registers, and asks for the next
// row before it computes this one. The cells on the left and right are in the cache, as the centre of neighbouring threads.
template <int N>
__device__ __forceinline__ void walk(const T *__restrict__ e_old, T *__restrict__ r, T *__restrict__ e_new, long long m,
                                     long long j, Rows rows, T alpha, T dt) {
    if (rows.from >= rows.to) return;
    const long long start = rows.from * m + j;
    e_old += start;
    r += start;
    e_new += start;
    // The edges are mirrors: column -1 is column 1, column m is column m-2.
    const long long west = j == 0 ? 1 : -1, east = j + N >= m ? N - 2 : N;

    Cells<N> north = load<N>(e_old - m), here = load<N>(e_old), south = load<N>(e_old + m), recovery = load<N>(r);
    for (long long i = rows.from; i < rows.to; i++) {
        Cells<N> next = south, next_recovery = recovery;
        if (i + 1 < rows.to) {
            next = load<N>(e_old + 2 * m);
            next_recovery = load<N>(r + m);
        }
        T c[N + 2];
        c[0] = __ldg(e_old + west);
        c[N + 1] = __ldg(e_old + east);
#pragma unroll
        for (int k = 0; k < N; k++) c[k + 1] = here.at[k];

        Cells<N> potential;
#pragma unroll
        for (int k = 0; k < N; k++) {
            const T around = (c[k] + c[k + 2]) + (north.at[k] + south.at[k]), old_r = recovery.at[k];
            T e = c[k + 1] + alpha * (around - T(4) * c[k + 1]);
            e -= dt * (T(CELL_K) * e * (e - T(CELL_A)) * (e - T(1)) + e * old_r);
            const T rate = T(CELL_EPS) + T(CELL_MU1) * old_r / (e + T(CELL_MU2));
            recovery.at[k] = old_r - dt * rate * (old_r + T(CELL_K) * e * (e - T(CELL_B + 1)));
            potential.at[k] = e;
        }
        store<N>(r, recovery);
        store<N>(e_new, potential);
        north = here;
        here = south;
        south = next;
        recovery = next_recovery;
        e_old += m;
        r += m;
        e_new += m;
    }
}

// The grid's second dimension says into how many strips the rows are divided.
extern "C" __global__ void __launch_bounds__(GROUP)
cardiac(long long lo, long long hi, long long m, T alpha, T dt, const T *__restrict__ e_old, long long e_old_first,
        T *__restrict__ r, long long r_first, T *__restrict__ e_new, long long e_new_first) {
    e_old -= e_old_first;
    r -= r_first;
    e_new -= e_new_first;
    const Rows rows = strip_of(lo, hi, blockIdx.y, gridDim.y);
    // The same for all threads. Where rows do not start at 16 bytes each thread has LANES single columns instead.
    if (aligned(m, e_old, r, e_new)) {
        const long long j = ((long long)blockIdx.x * GROUP + threadIdx.x) * LANES;
        if (j < m) walk<LANES>(e_old, r, e_new, m, j, rows, alpha, dt);
    } else {
        long long j = (long long)blockIdx.x * GROUP * LANES + threadIdx.x;
        for (int lane = 0; lane < LANES; lane++, j += GROUP)
            if (j < m) walk<1>(e_old, r, e_new, m, j, rows, alpha, dt);
    }
}
