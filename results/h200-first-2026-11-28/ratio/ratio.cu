// Copies in and out at once in fixed proportions, on one GPU and on all: GB/s in both directions together.
// In each step every GPU copies `in` pieces to it and `out` pieces back; a GPU's next step begins when its last has ended.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <chrono>
using Clock = std::chrono::steady_clock;
static void ok(cudaError_t e) { if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1); } }
struct Gpu { cudaStream_t in, out; cudaEvent_t done_in, done_out; char *device, *host_in, *host_out; };
int main() {
    int count; ok(cudaGetDeviceCount(&count));
    const size_t piece = 8 << 20, host = size_t(1) << 30;
    std::vector<Gpu> gpus(count);
    for (int g = 0; g < count; g++) {
        Gpu &of = gpus[g];
        ok(cudaSetDevice(g));
        ok(cudaStreamCreateWithFlags(&of.in, cudaStreamNonBlocking)); ok(cudaStreamCreateWithFlags(&of.out, cudaStreamNonBlocking));
        ok(cudaEventCreateWithFlags(&of.done_in, cudaEventDisableTiming)); ok(cudaEventCreateWithFlags(&of.done_out, cudaEventDisableTiming));
        ok(cudaMalloc(&of.device, 8 * piece));
        ok(cudaHostAlloc(&of.host_in, host, cudaHostAllocPortable)); ok(cudaHostAlloc(&of.host_out, host, cudaHostAllocPortable));
        for (size_t i = 0; i < host; i += 4096) of.host_in[i] = of.host_out[i] = 1;
    }
    const int ratios[][2] = {{1, 0}, {4, 1}, {2, 1}, {1, 1}, {1, 2}, {0, 1}};
    printf("gpus,in,out,median_gb_per_s,best_gb_per_s,worst_gb_per_s\n");
    for (int used = 1; used <= count; used++) for (auto &r : ratios) {
        std::vector<double> rates;
        for (int burst = 0; burst < 15; burst++) {
            const int steps = 60;
            size_t bytes = 0;
            auto start = Clock::now();
            for (int s = 0; s < steps; s++) for (int g = 0; g < used; g++) {
                Gpu &of = gpus[g];
                ok(cudaSetDevice(g));
                if (s) { ok(cudaStreamWaitEvent(of.in, of.done_out, 0)); ok(cudaStreamWaitEvent(of.out, of.done_in, 0)); }
                for (int k = 0; k < r[0]; k++) { ok(cudaMemcpyAsync(of.device + k % 4 * piece, of.host_in + (size_t(s) * r[0] + k) * piece % host, piece, cudaMemcpyHostToDevice, of.in)); bytes += piece; }
                for (int k = 0; k < r[1]; k++) { ok(cudaMemcpyAsync(of.host_out + (size_t(s) * r[1] + k) * piece % host, of.device + (4 + k % 4) * piece, piece, cudaMemcpyDeviceToHost, of.out)); bytes += piece; }
                ok(cudaEventRecord(of.done_in, of.in)); ok(cudaEventRecord(of.done_out, of.out));
            }
            for (int g = 0; g < used; g++) { ok(cudaSetDevice(g)); ok(cudaDeviceSynchronize()); }
            double seconds = std::chrono::duration<double>(Clock::now() - start).count();
            if (burst) rates.push_back(bytes / seconds / 1e9);
        }
        std::sort(rates.begin(), rates.end());
        printf("%d,%d,%d,%.1f,%.1f,%.1f\n", used, r[0], r[1], rates[rates.size() / 2], rates.back(), rates.front()); fflush(stdout);
    }
}
