// Options besides: PERIODIC, 1 where rows and columns wrap around, 0 where the hull stays as it is; WIDTH, threads side by side
// in a block, which has GROUP / WIDTH of them below one another.

// Cells (j, k)..(j, k+N) of some planes. A thread walks through the planes with those before and behind in registers, and asks
// for the next one before it computes this one. The other cells are in the cache, as the centre of neighbouring threads.
template <int N>
__device__ __forceinline__ void walk(const T *__restrict__ old, T *__restrict__ out, long long m, long long l, long long j,
                                     long long k, Rows planes, T kappa) {
    if (planes.from >= planes.to) return;
    const long long plane = m * l, start = planes.from * plane + j * l + k;
    old += start;
    out += start;
    // Where the neighbours are. Of a hull that is copied they are any cells that there are.
    const bool first = k == 0, last = k + N >= l;
    const long long up = j > 0 ? -l : PERIODIC ? plane - l : 0, down = j + 1 < m ? l : PERIODIC ? l - plane : 0;
    const long long left = !first ? -1 : PERIODIC ? l - 1 : 0, right = !last ? N : PERIODIC ? N - l : 0;
    const bool hull = !PERIODIC && (j == 0 || j + 1 == m);

    Cells<N> before = load<N>(old - plane), here = load<N>(old), behind = load<N>(old + plane);
    for (long long i = planes.from; i < planes.to; i++) {
        Cells<N> next = behind;
        if (i + 1 < planes.to) next = load<N>(old + 2 * plane);
        const Cells<N> north = load<N>(old + up), south = load<N>(old + down);
        T c[N + 2];
        c[0] = __ldg(old + left);
        c[N + 1] = __ldg(old + right);
#pragma unroll
        for (int q = 0; q < N; q++) c[q + 1] = here.at[q];

        Cells<N> result;
#pragma unroll
        for (int q = 0; q < N; q++) {
            const T around = ((c[q] + c[q + 2]) + (north.at[q] + south.at[q])) + (before.at[q] + behind.at[q]);
            const T value = c[q + 1] + kappa * (around - T(6) * c[q + 1]);
            const bool edge = !PERIODIC && (hull || (first && q == 0) || (last && q == N - 1));
            result.at[q] = edge ? c[q + 1] : value;
        }
        store<N>(out, result);
        before = here;
        here = behind;
        behind = next;
        old += plane;
        out += plane;
    }
}

// The grid's third dimension says into how many strips the planes are divided. Four blocks fit on a multiprocessor, which has
// enough loads on their way then.
extern "C" __global__ void __launch_bounds__(GROUP, 4)
heat3d(long long lo, long long hi, long long m, long long l, T kappa, const T *__restrict__ old, long long old_first,
       T *__restrict__ out, long long out_first) {
    old -= old_first;
    out -= out_first;
    const Rows planes = strip_of(lo, hi, blockIdx.z, gridDim.z);
    const long long j = (long long)blockIdx.y * (GROUP / WIDTH) + threadIdx.y;
    if (j >= m) return;
    // The same for all threads. Where rows do not start at 16 bytes each thread has LANES single columns instead.
    if (aligned(l, old, out)) {
        const long long k = ((long long)blockIdx.x * WIDTH + threadIdx.x) * LANES;
        if (k < l) walk<LANES>(old, out, m, l, j, k, planes, kappa);
    } else {
        long long k = (long long)blockIdx.x * WIDTH * LANES + threadIdx.x;
        for (int lane = 0; lane < LANES; lane++, k += WIDTH)
            if (k < l) walk<1>(old, out, m, l, j, k, planes, kappa);
    }
}
