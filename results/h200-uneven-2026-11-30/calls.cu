// Microseconds for calls of the CUDA driver, one after the other from one thread. nvcc -O3 -arch=native calls.cu -o calls -lcuda && ./calls
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <chrono>
#include <vector>
__global__ void k(double a, double *p, const double *q, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = q[i] * a; }
using clk = std::chrono::steady_clock;
template <class F> void t(const char *what, int n, F f) {
    for (int i = 0; i < 20; i++) f(i);
    cuStreamSynchronize(0); cudaDeviceSynchronize();
    double best = 1e9;
    for (int r = 0; r < 5; r++) {
        auto a = clk::now();
        for (int i = 0; i < n; i++) f(i);
        double us = std::chrono::duration<double, std::micro>(clk::now() - a).count() / n;
        cudaDeviceSynchronize();
        double all = std::chrono::duration<double, std::micro>(clk::now() - a).count() / n;
        if (all < best) { best = all; printf(r ? "" : "%s: ", what); printf("%.2f (%.2f with the wait) ", us, all); }
    }
    printf("\n");
}
int main() {
    cudaFree(0);
    cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    double *p, *q; int n = 1000; cudaMalloc(&p, n * 8); cudaMalloc(&q, n * 8);
    std::vector<cudaEvent_t> plain(64), timed(64);
    for (auto &e : plain) cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    for (auto &e : timed) cudaEventCreate(&e);
    CUcontext c; cuCtxGetCurrent(&c);
    const int N = 4000;
    t("launch", N, [&](int) { k<<<4, 256, 0, s>>>(1.0, p, q, n); });
    t("launch, record", N, [&](int i) { k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(plain[i % 64], s); });
    t("launch, record timed", N, [&](int i) { k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(timed[i % 64], s); });
    t("launch, 3 records", N, [&](int i) { cudaEventRecord(timed[i % 64], s); k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(timed[(i + 1) % 64], s); cudaEventRecord(plain[i % 64], s); });
    t("launch, record, 4 context calls", N, [&](int i) { CUcontext d; cuCtxGetCurrent(&d); cuCtxSetCurrent(c); k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(plain[i % 64], s); cuCtxSetCurrent(d); cuCtxGetCurrent(&d); });
    t("launch, record, wait for that of 16 before", N, [&](int i) { k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(plain[i % 64], s); cudaEventSynchronize(plain[(i + 48) % 64]); });
    t("launch, record, wait every 8th", N, [&](int i) { k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(plain[i % 64], s); if (i % 8 == 0) cudaEventSynchronize(plain[(i + 56) % 64]); });
    t("launch, record, query that of 16 before", N, [&](int i) { k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(plain[i % 64], s); cudaEventQuery(plain[(i + 48) % 64]); });
    t("launch, wait", N, [&](int i) { k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaStreamSynchronize(s); });
    t("launch, record, wait", N, [&](int i) { k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(plain[i % 64], s); cudaEventSynchronize(plain[i % 64]); });
    t("clock", 100000, [&](int) { volatile auto x = clk::now().time_since_epoch().count(); (void)x; });
    cudaStream_t h; cudaStreamCreateWithFlags(&h, cudaStreamNonBlocking);
    t("launch, record, another stream waits", N, [&](int i) { k<<<4, 256, 0, s>>>(1.0, p, q, n); cudaEventRecord(plain[i % 64], s); cudaStreamWaitEvent(h, plain[i % 64], 0); });
    return 0;
}
