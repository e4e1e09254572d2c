// What peer access costs a kernel that gathers: microseconds for 8.1e7 reads of 8 bytes at random places of 32 MB, with their places read
// from memory, on GPU 0, in allocations made before and after peer access is on. nvcc -O3 -arch=native gather.cu -o gather && ./gather
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include <algorithm>
#define C(x) do { cudaError_t e_ = (x); if (e_) { printf("%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
__global__ void fill(unsigned *c, double *v, size_t nnz, unsigned n) { for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < nnz; k += (size_t)gridDim.x * blockDim.x) { c[k] = (unsigned)((k * 2654435761ull) % n); v[k] = k % 7; } }
__global__ void gather(const unsigned *c, const double *v, const double *x, double *y, size_t nnz) {
    double s = 0;
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < nnz; k += (size_t)gridDim.x * blockDim.x) s += v[k] * x[c[k]];
    y[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = s;
}
__global__ void stream(const double *v, double *y, size_t nnz) {
    double s = 0;
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < nnz; k += (size_t)gridDim.x * blockDim.x) s += v[k];
    y[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = s;
}
struct A { unsigned *c; double *v, *x, *y; };
size_t nnz = 80883129; unsigned n = 4000000; int blocks = 132 * 16, threads = 256;
A make() { A a; C(cudaMalloc(&a.c, nnz * 4)); C(cudaMalloc(&a.v, nnz * 8)); C(cudaMalloc(&a.x, n * 8)); C(cudaMalloc(&a.y, blocks * threads * 8)); C(cudaMemset(a.x, 0, n * 8)); fill<<<2048, 256>>>(a.c, a.v, nnz, n); C(cudaDeviceSynchronize()); return a; }
void drop(A a) { cudaFree(a.c); cudaFree(a.v); cudaFree(a.x); cudaFree(a.y); }
template <class F> float us(F f) {
    cudaEvent_t b, e; cudaEventCreate(&b); cudaEventCreate(&e); std::vector<float> all;
    for (int i = 0; i < 21; i++) { cudaEventRecord(b); f(); cudaEventRecord(e); cudaEventSynchronize(e); float ms; cudaEventElapsedTime(&ms, b, e); all.push_back(ms * 1000); }
    std::sort(all.begin(), all.end()); return all[10];
}
void time(const char *what, A a) {
    float g = us([&] { gather<<<blocks, threads>>>(a.c, a.v, a.x, a.y, nnz); }), s = us([&] { stream<<<blocks, threads>>>(a.v, a.y, nnz); });
    C(cudaDeviceSynchronize()); printf("%s: gather %.0f, stream %.0f\n", what, g, s);
}
int main() {
    int all; C(cudaGetDeviceCount(&all)); C(cudaSetDevice(0));
    A old = make(); time("no peer access", old);
    if (all < 2) return 0;
    C(cudaDeviceEnablePeerAccess(1, 0)); time("this GPU may read the other, memory of before", old);
    { A a = make(); time("  memory of after", a); drop(a); }
    C(cudaSetDevice(1)); C(cudaDeviceEnablePeerAccess(0, 0)); C(cudaSetDevice(0)); time("both may, memory of before", old);
    { A a = make(); time("  memory of after", a); drop(a); }
    C(cudaDeviceDisablePeerAccess(1)); time("only the other may, memory of before", old);
    { A a = make(); time("  memory of after", a); drop(a); }
    C(cudaSetDevice(1)); C(cudaDeviceDisablePeerAccess(0)); C(cudaSetDevice(0)); time("no more, memory of before", old);
    { A a = make(); time("  memory of after", a); drop(a); }
    // A pool whose memory the other GPU may reach, and one that it may not.
    for (int reach = 0; reach < 2; reach++) {
        cudaMemPoolProps p = {}; p.allocType = cudaMemAllocationTypePinned; p.location = {cudaMemLocationTypeDevice, 0}; cudaMemPool_t pool; C(cudaMemPoolCreate(&pool, &p));
        unsigned long long keep = ~0ull; cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
        if (reach) { cudaMemAccessDesc d = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite}; C(cudaMemPoolSetAccess(pool, &d, 1)); }
        A a; C(cudaMallocFromPoolAsync((void **)&a.c, nnz * 4, pool, 0)); C(cudaMallocFromPoolAsync((void **)&a.v, nnz * 8, pool, 0)); C(cudaMallocFromPoolAsync((void **)&a.x, n * 8, pool, 0)); C(cudaMallocFromPoolAsync((void **)&a.y, blocks * threads * 8, pool, 0));
        fill<<<2048, 256>>>(a.c, a.v, nnz, n); C(cudaMemset(a.x, 0, n * 8)); C(cudaDeviceSynchronize());
        time(reach ? "a pool that the other may read" : "a pool that it may not", a);
    }
    return 0;
}
