// What the driver's calls take on the host: nvcc -O3 -arch=native -std=c++17 driver.cu -lcuda -o driver && ./driver
// Columns: call, microseconds on the host, microseconds until the GPU is done.
#include <cuda.h>

#include <chrono>
#include <cstdio>
#include <vector>

__global__ void empty(long a, long b, double c, double *x, long y, double *z, long w) {}

static double now() {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main() {
    cudaFree(0);
    CUcontext context;
    cuCtxGetCurrent(&context);
    double *x;
    cudaMalloc(&x, 1 << 20);
    cudaFunction_t symbol;
    cudaGetFuncBySymbol(&symbol, (void *)empty);
    const CUfunction f = (CUfunction)symbol;
    CUstream s, t;
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    cuStreamCreate(&t, CU_STREAM_NON_BLOCKING);
    std::vector<CUevent> e(64);
    for (auto &event : e) cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    long a = 0, b = 1, y = 0;
    double c = 1;
    void *p[] = {&a, &b, &c, &x, &y, &x, &y};
    const int n = 4000;
    for (int round = 0; round < 3; round++) {
        auto run = [&](const char *what, auto body) {
            cuStreamSynchronize(s);
            const double from = now();
            for (int i = 0; i < n; i++) body(i);
            const double asked = now();
            cuStreamSynchronize(s);
            cuStreamSynchronize(t);
            if (round > 0) printf("%s,%.3f,%.3f\n", what, (asked - from) / n, (now() - from) / n);
        };
        auto launch = [&] { cuLaunchKernel(f, 100, 1, 1, 256, 1, 1, 0, s, p, 0); };
        run("launch", [&](int) { launch(); });
        run("launch and record", [&](int i) { launch(), cuEventRecord(e[i & 63], s); });
        run("launch record and synchronize with the 16th before", [&](int i) {
            launch(), cuEventRecord(e[i & 63], s);
            if (i > 16) cuEventSynchronize(e[(i - 16) & 63]);
        });
        run("get the current context", [&](int) { cuCtxGetCurrent(&context); });
        run("set the current context", [&](int) { cuCtxSetCurrent(context); });
        run("record", [&](int i) { cuEventRecord(e[i & 63], s); });
        run("synchronize with a past event", [&](int) { cuEventSynchronize(e[0]); });
        run("query a past event", [&](int) { cuEventQuery(e[0]); });
        run("record and wait on another stream", [&](int) { cuEventRecord(e[1], s), cuStreamWaitEvent(t, e[1], 0); });
    }
}
