// What a step with a sum takes by hand, each call waited for.
#include <cuda.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define OK(call) do { auto e_ = (call); if (e_ != 0) { printf("%s: %d, line %d\n", #call, (int)e_, __LINE__); exit(1); } } while (0)
__device__ double block_sum(double v) {
    __shared__ double part[32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    if (threadIdx.x < 32) for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    return v;
}
__global__ void step0(int n, double alpha, const double *p, const double *q, double *x, double *r) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; }
}
__global__ void step1(int n, double alpha, const double *p, const double *q, double *x, double *r, double *next) {
    double mine = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { x[i] += alpha * p[i]; double v = r[i] - alpha * q[i]; r[i] = v; mine = v * v; }
    mine = block_sum(mine);
    if (threadIdx.x == 0) atomicAdd(next, mine);
}
__global__ void step2(int n, double alpha, const double *p, const double *q, double *x, double *r, double *partial) {
    double mine = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { x[i] += alpha * p[i]; double v = r[i] - alpha * q[i]; r[i] = v; mine = v * v; }
    mine = block_sum(mine);
    if (threadIdx.x == 0) partial[blockIdx.x] = mine;
}
__global__ void comb(const double *partial, int n, double *out) {
    double v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += partial[i];
    v = block_sum(v);
    if (threadIdx.x == 0) *out = v;
}
// fused: the last block combines
__global__ void step3(int n, double alpha, const double *p, const double *q, double *x, double *r, volatile double *partial, unsigned *ticket, double *out) {
    double mine = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { x[i] += alpha * p[i]; double v = r[i] - alpha * q[i]; r[i] = v; mine = v * v; }
    mine = block_sum(mine);
    __shared__ bool last;
    if (threadIdx.x == 0) { partial[blockIdx.x] = mine; __threadfence(); last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1; }
    __syncthreads();
    if (!last) return;
    __threadfence();
    double v = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) v += partial[i];
    v = block_sum(v);
    if (threadIdx.x == 0) *out = v;
}
template <class F> void run(const char *name, F f) {
    std::vector<double> t;
    for (int k = 0; k < 340; k++) {
        auto a = std::chrono::steady_clock::now();
        f();
        double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - a).count();
        if (k >= 40) t.push_back(us);
    }
    std::sort(t.begin(), t.end());
    printf("%-50s %.1f us, quartiles %.1f %.1f\n", name, t[150], t[75], t[225]);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), g = (n + 255) / 256;
    double *p, *q, *x, *r, *partial, *sum, *host, *dhost; unsigned *ticket;
    for (double **a : {&x, &r, &p, &q, &partial}) { OK(cudaMalloc(a, n * 8l)); OK(cudaMemset(*a, 0, n * 8l)); }
    OK(cudaMalloc(&sum, 64)); OK(cudaMalloc(&ticket, 64)); OK(cudaMemset(ticket, 0, 64));
    OK(cudaMallocHost(&host, 4096)); dhost = host;
    cudaStream_t s; OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    cudaEvent_t e, et; OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming)); OK(cudaEventCreate(&et));
    run("step, streamSync", [&] { step0<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r); cudaStreamSynchronize(s); });
    run("step, event", [&] { step0<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r); cudaEventRecord(e, s); cudaEventSynchronize(e); });
    run("step, event query", [&] { step0<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r); cudaEventRecord(e, s); while (cudaEventQuery(e)) {} });
    run("step of 1000, event", [&] { step0<<<4, 256, 0, s>>>(1000, 0.5, p, q, x, r); cudaEventRecord(e, s); cudaEventSynchronize(e); });
    run("atomic, memset, copy, streamSync", [&] { cudaMemsetAsync(sum, 0, 8, s); step1<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, sum); cudaMemcpyAsync(host, sum, 8, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); });
    run("partials, combine to device, copy, event", [&] { step2<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, partial); comb<<<1, 256, 0, s>>>(partial, g, sum); cudaMemcpyAsync(host, sum, 8, cudaMemcpyDeviceToHost, s); cudaEventRecord(e, s); cudaEventSynchronize(e); });
    run("partials, combine to host, event", [&] { step2<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, partial); comb<<<1, 256, 0, s>>>(partial, g, dhost); cudaEventRecord(e, s); cudaEventSynchronize(e); });
    run("partials, combine to host (1024 threads), event", [&] { step2<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, partial); comb<<<1, 1024, 0, s>>>(partial, g, dhost); cudaEventRecord(e, s); cudaEventSynchronize(e); });
    run("fused, to host, event", [&] { step3<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, partial, ticket, dhost); cudaEventRecord(e, s); cudaEventSynchronize(e); });
    run("fused, to host, streamSync", [&] { step3<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, partial, ticket, dhost); cudaStreamSynchronize(s); });
    run("fused, to device, copy, event", [&] { step3<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, partial, ticket, sum); cudaMemcpyAsync(host, sum, 8, cudaMemcpyDeviceToHost, s); cudaEventRecord(e, s); cudaEventSynchronize(e); });
    volatile double *seen = host;
    run("fused, to host, poll the value", [&] { *seen = -1; step3<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, partial, ticket, dhost); while (*seen == -1) {} });
    run("partials only, event", [&] { step2<<<g, 256, 0, s>>>(n, 0.5, p, q, x, r, partial); cudaEventRecord(e, s); cudaEventSynchronize(e); });
    OK(cudaDeviceSynchronize());
}
