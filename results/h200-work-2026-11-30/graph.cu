// How long a step of 3 short kernels takes on G GPUs, each of which waits for the kernels before it on the other GPUs: streams and
// events by one thread, by one thread per GPU, and CUDA graphs. nvcc -O3 -arch=native graph.cu -o graph && ./graph
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include <thread>
#include <atomic>
#include <chrono>
#define C(x) do { cudaError_t err_ = (x); if (err_) { printf("%s: %s\n", #x, cudaGetErrorString(err_)); exit(1); } } while (0)
__global__ void k(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = p[i] * 0.5f + 1; }
using clk = std::chrono::steady_clock;
static double us(clk::time_point a) { return std::chrono::duration<double, std::micro>(clk::now() - a).count(); }
int main() {
    int all; C(cudaGetDeviceCount(&all));
    for (int G = 1; G <= all; G *= 2) {
        const int K = 3, N = 30000, STEPS = 2000;
        std::vector<cudaStream_t> s(G); std::vector<float *> p(G); std::vector<std::vector<cudaEvent_t>> e(G, std::vector<cudaEvent_t>(K));
        for (int g = 0; g < G; g++) {
            C(cudaSetDevice(g)); C(cudaStreamCreateWithFlags(&s[g], cudaStreamNonBlocking)); C(cudaMalloc(&p[g], N * 4));
            for (int h = 0; h < G; h++) if (h != g) { cudaDeviceEnablePeerAccess(h, 0); cudaGetLastError(); }
            for (auto &x : e[g]) C(cudaEventCreateWithFlags(&x, cudaEventDisableTiming));
        }
        auto part = [&](int g, int j, bool wait) {
            if (wait && G > 1) for (int h = 0; h < G; h++) if (h != g) C(cudaStreamWaitEvent(s[g], e[h][(j + K - 1) % K], 0));
            k<<<(N + 255) / 256, 256, 0, s[g]>>>(p[g], N);
        };
        auto mark = [&](int g, int j) { if (G > 1) C(cudaEventRecord(e[g][j], s[g])); };
        auto sync = [&] { for (int g = 0; g < G; g++) { C(cudaSetDevice(g)); C(cudaStreamSynchronize(s[g])); } };
        for (int again = 0; again < 2; again++) {
            auto t = clk::now();
            for (int i = 0; i < STEPS; i++)
                for (int j = 0; j < K; j++) {
                    for (int g = 0; g < G; g++) { C(cudaSetDevice(g)); part(g, j, true); }
                    for (int g = 0; g < G; g++) { C(cudaSetDevice(g)); mark(g, j); }
                }
            sync();
            if (again) printf("%d GPUs, one thread: %.1f us a step\n", G, us(t) / STEPS);
        }
        for (int again = 0; again < 2; again++) {
            std::atomic<int> there(0);
            auto t = clk::now();
            auto run = [&](int g) {
                C(cudaSetDevice(g));
                for (int i = 0; i < STEPS; i++)
                    for (int j = 0; j < K; j++) {
                        part(g, j, true); mark(g, j);
                        there.fetch_add(1); while (there.load() < G * (i * K + j + 1)) ;
                    }
            };
            std::vector<std::thread> threads;
            for (int g = 1; g < G; g++) threads.emplace_back(run, g);
            run(0); for (auto &x : threads) x.join();
            sync();
            if (again) printf("%d GPUs, a thread each: %.1f us a step\n", G, us(t) / STEPS);
        }
        for (int U : {1, 4}) {
            C(cudaSetDevice(0));
            cudaEvent_t fork; C(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
            C(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeRelaxed));
            C(cudaEventRecord(fork, s[0]));
            for (int g = 1; g < G; g++) { C(cudaSetDevice(g)); C(cudaStreamWaitEvent(s[g], fork, 0)); }
            bool first = true;
            for (int i = 0; i < U; i++)
                for (int j = 0; j < K; j++) {
                    for (int g = 0; g < G; g++) { C(cudaSetDevice(g)); part(g, j, !first); }
                    for (int g = 0; g < G; g++) { C(cudaSetDevice(g)); mark(g, j); }
                    first = false;
                }
            C(cudaSetDevice(0));
            for (int g = 1; g < G; g++) C(cudaStreamWaitEvent(s[0], e[g][K - 1], 0));
            cudaGraph_t graph; C(cudaStreamEndCapture(s[0], &graph));
            cudaGraphExec_t exec; C(cudaGraphInstantiate(&exec, graph, 0));
            for (int again = 0; again < 2; again++) {
                auto t = clk::now();
                for (int i = 0; i < STEPS; i++) C(cudaGraphLaunch(exec, s[0]));
                sync();
                if (again) printf("%d GPUs, a graph of %d steps: %.1f us a step\n", G, U, us(t) / STEPS / U);
            }
        }
        std::vector<cudaGraphExec_t> x(G);
        for (int g = 0; g < G; g++) {
            C(cudaSetDevice(g)); C(cudaStreamBeginCapture(s[g], cudaStreamCaptureModeRelaxed));
            for (int j = 0; j < K; j++) part(g, j, false);
            cudaGraph_t graph; C(cudaStreamEndCapture(s[g], &graph)); C(cudaGraphInstantiate(&x[g], graph, 0));
        }
        for (int again = 0; again < 2; again++) {
            auto t = clk::now();
            for (int i = 0; i < STEPS; i++) for (int g = 0; g < G; g++) { C(cudaSetDevice(g)); C(cudaGraphLaunch(x[g], s[g])); }
            sync();
            if (again) printf("%d GPUs, a graph each without waits, one thread: %.1f us a step\n", G, us(t) / STEPS);
        }
    }
}
