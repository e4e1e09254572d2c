// Runs kernels on one CPU thread, a fiber for each work-item.
#include <ucontext.h>
#include <functional>
#include <cstring>
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
struct dim { unsigned x; };
static dim threadIdx, blockIdx, gridDim, blockDim;
struct Fiber { ucontext_t c; std::vector<char> stack; int state; u32 mask; u64 in; u64 out[32]; u32 here; bool dead; };
static std::vector<Fiber> fibers; static ucontext_t home; static int cur, nblock;
static std::function<void()> job;
static void sw() { swapcontext(&fibers[cur].c, &home); }
static void entry() { job(); fibers[cur].dead = true; sw(); }
static u64 *collect(u32 mask, u64 v) {
    Fiber &f = fibers[cur]; int me = cur;
    if (!(mask >> (me % 32) & 1)) { printf("not in mask\n"); abort(); }
    f.mask = mask; f.in = v; f.state = 1;
    int w = me / 32 * 32; bool all = true; u32 alive = 0;
    for (int l = 0; l < 32; l++) if (mask >> l & 1) { if (fibers[w + l].dead) continue; alive |= 1u << l; if (fibers[w + l].state != 1) all = false; else if (fibers[w + l].mask != mask) all = false; }
    if (alive != mask) { printf("dead work-items in mask\n"); abort(); }
    if (all) { u64 vals[32]; for (int l = 0; l < 32; l++) vals[l] = (mask >> l & 1) ? fibers[w + l].in : 0xdeadbeefdeadbeefull;
        for (int l = 0; l < 32; l++) if (mask >> l & 1) { memcpy(fibers[w + l].out, vals, sizeof vals); fibers[w + l].state = 2; } }
    while (fibers[me].state != 2) sw();
    fibers[me].state = 0;
    return fibers[me].out;
}
template <class T> u64 bits(T v) { u64 b = 0; memcpy(&b, &v, sizeof v); return b; }
template <class T> T unbits(u64 b) { T v; memcpy(&v, &b, sizeof v); return v; }
template <class T> T __shfl_sync(u32 m, T v, int s) { u64 *o = collect(m, bits(v)); if (!(m >> (s & 31) & 1)) { printf("shfl from outside\n"); abort(); } return unbits<T>(o[s & 31]); }
template <class T> T __shfl_xor_sync(u32 m, T v, int s, int = 32) { int me = cur % 32; u64 *o = collect(m, bits(v)); return unbits<T>(o[me ^ s]); }
template <class T> T __shfl_down_sync(u32 m, T v, int s) { int me = cur % 32; u64 *o = collect(m, bits(v)); return unbits<T>(o[me + s < 32 ? me + s : me]); }
static u32 __ballot_sync(u32 m, bool p) { u64 *o = collect(m, p); u32 r = 0; for (int l = 0; l < 32; l++) if ((m >> l & 1) && o[l]) r |= 1u << l; return r; }
static bool __any_sync(u32 m, bool p) { return __ballot_sync(m, p); }
static void __syncwarp() { collect(~0u, 0); }
static int gbar, gcount, gor, gres;
static int __syncthreads_or(int p) {
    gor |= p != 0; int gen = gbar;
    if (++gcount == nblock) { gres = gor; gor = 0; gcount = 0; gbar++; return gres; }
    while (gbar == gen) sw();
    return gres;
}
static void __syncthreads() { __syncthreads_or(0); }
static u32 __activemask() { u32 r = 0; int w = cur / 32 * 32; for (int l = 0; l < 32; l++) if (!fibers[w + l].dead) r |= 1u << l; return r; }
static int __popc(u32 x) { return __builtin_popcount(x); }
static int __ffs(u32 x) { return __builtin_ffs(x); }
static int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static u32 atomicAdd(u32 *p, u32 v) { u32 o = *p; *p += v; return o; }
static u32 atomicExch(u32 *p, u32 v) { u32 o = *p; *p = v; return o; }
static u32 atomicInc(u32 *p, u32 m) { u32 o = *p; *p = o >= m ? 0 : o + 1; return o; }
static void __threadfence() {}
using std::min; using std::max;
static void emu(unsigned grid, unsigned block, std::function<void()> f) {
    job = f; gridDim.x = grid; blockDim.x = block; nblock = block;
    if (fibers.size() != block) { fibers.clear(); fibers.resize(block); }
    for (unsigned b = 0; b < grid; b++) {
        blockIdx.x = b; gcount = gor = 0;
        for (unsigned t = 0; t < block; t++) { Fiber &x = fibers[t]; x.dead = false; x.state = 0; x.stack.resize(32 << 10); getcontext(&x.c); x.c.uc_stack.ss_sp = x.stack.data(); x.c.uc_stack.ss_size = x.stack.size(); x.c.uc_link = nullptr; makecontext(&x.c, entry, 0); }
        for (long round = 0;; round++) { unsigned left = 0; for (unsigned t = 0; t < block; t++) if (!fibers[t].dead) { left++; cur = t; threadIdx.x = t; swapcontext(&home, &fibers[t].c); } if (!left) break; if (round > 20000000) { printf("stuck\n"); abort(); } }
    }
}
#define UNPAREN(...) __VA_ARGS__
#define LAUNCH(kernel, grid, block, ...) emu(grid, block, [&] { kernel(__VA_ARGS__); })
typedef int cudaEvent_t; enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static int cudaEventCreate(int *) { return 0; } static int cudaEventDestroy(int) { return 0; } static int cudaEventRecord(int) { return 0; } static int cudaEventSynchronize(int) { return 0; }
static int cudaEventElapsedTime(float *m, int, int) { *m = 30; return 0; } static int cudaGetLastError() { return 0; }
template <class T> int cudaMalloc(T **p, size_t n) { *p = (T *)malloc(n); return 0; }
static int cudaFree(void *p) { free(p); return 0; } static int cudaMemset(void *p, int v, size_t n) { memset(p, v, n); return 0; }
static int cudaMemcpy(void *a, const void *b, size_t n, int) { memcpy(a, b, n); return 0; }
