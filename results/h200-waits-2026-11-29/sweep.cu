#include <cuda.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define OK(call) do { auto e_ = (call); if (e_ != 0) { printf("%s: %d, line %d\n", #call, (int)e_, __LINE__); exit(1); } } while (0)
typedef long long i64;
struct Step { template <class T> __device__ static T at(i64 i, T a, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ x, T *__restrict__ r) { x[i] += a * p[i]; r[i] -= a * q[i]; return r[i] * r[i]; } };
struct Axpy { template <class T> __device__ static T at(i64 i, T a, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ x, T *__restrict__ r) { x[i] += a * p[i]; return x[i]; } };
struct Scale { template <class T> __device__ static T at(i64 i, T a, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ x, T *__restrict__ r) { x[i] = a * p[i]; return x[i]; } };
struct Triad { template <class T> __device__ static T at(i64 i, T a, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ x, T *__restrict__ r) { x[i] = q[i] + a * p[i]; return x[i]; } };
struct Square { template <class T> __device__ static T at(i64 i, T a, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ x, T *__restrict__ r) { return p[i] * p[i]; } };
struct Dot { template <class T> __device__ static T at(i64 i, T a, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ x, T *__restrict__ r) { return p[i] * q[i]; } };
template <class K, class T, int EACH> __global__ void flat(i64 lo, i64 hi, T a, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ x, T *__restrict__ r) {
    const i64 from = lo + blockIdx.x * (EACH * 256ll), to = from + EACH * 256;
    if (to <= hi) {
        const i64 at = from + threadIdx.x;
#pragma unroll
        for (int k = 0; k < EACH; k++) K::at(at + k * 256, a, p, q, x, r);
    } else for (i64 at = from + threadIdx.x; at < hi; at += 256) K::at(at, a, p, q, x, r);
}
__device__ __forceinline__ double of_block(double value) {
    __shared__ double scratch[32];
    for (int s = 16; s > 0; s /= 2) value += __shfl_down_sync(~0u, value, s);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
    __syncthreads();
    const int w = blockDim.x / 32;
    value = scratch[threadIdx.x % w];
    for (int s = w / 2; s > 0; s /= 2) value += __shfl_down_sync(~0u, value, s);
    __syncthreads();
    return __shfl_sync(~0u, value, 0);
}
template <class K, class T> __global__ void red(i64 lo, i64 hi, T a, const T *__restrict__ p, const T *__restrict__ q, T *__restrict__ x, T *__restrict__ r, double *__restrict__ partial) {
    const i64 step = gridDim.x * 256ll;
    i64 at = lo + blockIdx.x * 256ll + threadIdx.x;
    double total = 0;
    for (; at + 3 * step < hi; at += 4 * step)
#pragma unroll
        for (int k = 0; k < 4; k++) total += K::at(at + k * step, a, p, q, x, r);
    for (; at < hi; at += step) total += K::at(at, a, p, q, x, r);
    total = of_block(total);
    if (threadIdx.x == 0) partial[blockIdx.x] = total;
}
template <int GROUP> __global__ void __launch_bounds__(GROUP) comb(const double *__restrict__ partial, i64 count, volatile double *of_slices, double *out, unsigned *ticket) {
    const i64 slices = gridDim.x, slice = blockIdx.x;
    const i64 end = count * (slice + 1) / slices;
    double value = 0;
#pragma unroll 4
    for (i64 i = count * slice / slices + threadIdx.x; i < end; i += GROUP) value += partial[i];
    value = of_block(value);
    if (slices > 1) {
        __shared__ bool last;
        if (threadIdx.x == 0) { of_slices[slice] = value; __threadfence(); last = atomicInc(ticket, slices - 1) == slices - 1; }
        __syncthreads();
        if (!last) return;
        __threadfence();
        value = of_block(threadIdx.x < slices ? of_slices[threadIdx.x] : 0);
    }
    if (threadIdx.x == 0) *out = value;
}
cudaStream_t s; cudaEvent_t e0, e1, ev;
template <class F> double batch(F f, double bytes) {
    int n = bytes > 1e9 ? 6 : 50;
    std::vector<float> t;
    for (int k = 0; k < 9; k++) { cudaEventRecord(e0, s); for (int j = 0; j < n; j++) f(); cudaEventRecord(e1, s); cudaEventSynchronize(e1); float ms; cudaEventElapsedTime(&ms, e0, e1); t.push_back(ms * 1000 / n); }
    std::sort(t.begin(), t.end()); return t[4];
}
template <class F> double waited(F f) {
    std::vector<double> t;
    for (int k = 0; k < 101; k++) { auto a = std::chrono::steady_clock::now(); f(); cudaEventRecord(ev, s); cudaEventSynchronize(ev); t.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - a).count()); }
    std::sort(t.begin(), t.end()); return t[50];
}
double *partial, *slices, *host; unsigned *ticket; char *mem[4];
template <class K, class T> void flats(const char *name, i64 n, int arrays) {
    T *p = (T *)mem[0], *q = (T *)mem[1], *x = (T *)mem[2], *r = (T *)mem[3];
    double bytes = (double)n * sizeof(T) * arrays;
    auto f1 = [&] { flat<K, T, 1><<<(n + 255) / 256, 256, 0, s>>>(0, n, (T)0.5, p, q, x, r); };
    auto f2 = [&] { flat<K, T, 2><<<(n + 511) / 512, 256, 0, s>>>(0, n, (T)0.5, p, q, x, r); };
    auto f4 = [&] { flat<K, T, 4><<<(n + 1023) / 1024, 256, 0, s>>>(0, n, (T)0.5, p, q, x, r); };
    printf("flat %-7s %zu %11lld | batch %9.2f %9.2f %9.2f | waited %9.2f %9.2f %9.2f\n", name, sizeof(T), n, batch(f1, bytes), batch(f2, bytes), batch(f4, bytes), waited(f1), waited(f2), waited(f4));
    OK(cudaGetLastError());
}
template <class K, class T> void reds(const char *name, i64 n, int arrays) {
    T *p = (T *)mem[0], *q = (T *)mem[1], *x = (T *)mem[2], *r = (T *)mem[3];
    double bytes = (double)n * sizeof(T) * arrays;
    i64 all = (n + 255) / 256, now = std::min<i64>(1024, (n + 4095) / 4096);
    std::vector<i64> groups{now, 256, 528, 1056, 2112, 4224, 8448, all};
    std::sort(groups.begin(), groups.end()); groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (i64 g : groups) {
        if (g > all || (g > 8448 && n > 20000000)) continue;
        auto f = [&] { red<K, T><<<g, 256, 0, s>>>(0, n, (T)0.5, p, q, x, r, partial); };
        i64 s256 = std::min<i64>(64, (g + 1023) / 1024), s1k = std::min<i64>(64, (g + 4095) / 4096), s1kb = std::min<i64>(64, (g + 8191) / 8192);
        auto c0 = [&] { f(); cudaMemcpyAsync(host, partial, g * 8, cudaMemcpyDeviceToHost, s); };
        auto c1 = [&] { f(); comb<256><<<s256, 256, 0, s>>>(partial, g, slices, host, ticket); };
        auto c2 = [&] { f(); comb<1024><<<s1k, 1024, 0, s>>>(partial, g, slices, host, ticket); };
        auto c3 = [&] { f(); comb<1024><<<s1kb, 1024, 0, s>>>(partial, g, slices, host, ticket); };
        auto c4 = [&] { f(); comb<512><<<(g + 4095) / 4096, 512, 0, s>>>(partial, g, slices, host, ticket); };
        printf("red %-7s %zu %11lld groups %7lld%s | batch %9.2f | waited %9.2f copy %9.2f comb256 %9.2f comb1k %9.2f comb1kb %9.2f comb512 %9.2f\n", name, sizeof(T), n, g, g == now ? "*" : " ", batch(f, bytes), waited(f), g <= 1056 ? waited(c0) : 0, waited(c1), waited(c2), waited(c3), waited(c4));
        OK(cudaGetLastError());
    }
}
int main() {
    i64 most = 100000000;
    for (char *&m : mem) { OK(cudaMalloc(&m, most * 8)); OK(cudaMemset(m, 0, most * 8)); }
    OK(cudaMalloc(&partial, 8 << 20)); OK(cudaMalloc(&slices, 4096)); OK(cudaMalloc(&ticket, 64)); OK(cudaMemset(ticket, 0, 64)); OK(cudaMallocHost(&host, 1 << 20));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); OK(cudaEventCreate(&e0)); OK(cudaEventCreate(&e1)); OK(cudaEventCreateWithFlags(&ev, cudaEventDisableTiming));
    for (i64 n : {1000, 10000, 100000, 300000, 1000000, 3000000, 9000000, 30000000, 100000000}) {
        flats<Step, double>("step", n, 6); flats<Axpy, double>("axpy", n, 3); flats<Axpy, float>("axpy", n, 3); flats<Scale, double>("scale", n, 2); flats<Triad, float>("triad", n, 3); flats<Triad, double>("triad", n, 3);
    }
    for (i64 n : {1000, 10000, 100000, 300000, 1000000, 3000000, 9000000, 30000000, 100000000}) {
        reds<Step, double>("step", n, 6); reds<Axpy, double>("axpy", n, 3); reds<Square, double>("square", n, 1); reds<Dot, float>("dot", n, 2); reds<Square, float>("square", n, 1);
    }
    OK(cudaDeviceSynchronize());
}
