// Rows of bytes that lines of 8 work-items share: the last text of #[kernel], with and without words. Arrays stay on the GPU.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
typedef long long i64; typedef unsigned long long u64; typedef unsigned u32; typedef unsigned char u8;
#define ROWS(name) extern "C" __global__ void name(i64, i64, u64, const u8 *, i64, const u8 *, i64, u32 *, i64);
ROWS(rows_line) ROWS(rows_line_bytes)
#define OK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
template <class F> double median(F f) {
    std::vector<float> t;
    cudaEvent_t a, b; OK(cudaEventCreate(&a)); OK(cudaEventCreate(&b));
    for (int k = 0; k < 12; k++) {
        OK(cudaEventRecord(a)); f(); OK(cudaEventRecord(b)); OK(cudaEventSynchronize(b)); OK(cudaGetLastError());
        float ms; OK(cudaEventElapsedTime(&ms, a, b)); if (k >= 3) t.push_back(ms);
    }
    std::sort(t.begin(), t.end()); return 1e3 * t[t.size() / 2];
}
static void rows(int n, int m, int off) {
    std::mt19937 g(2);
    std::vector<u8> x((size_t)n * m), w(m);
    for (auto &v : x) v = g();
    for (auto &v : w) v = g();
    std::vector<u32> want(2 * (size_t)n), got(want.size());
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
        int a = x[(size_t)i * m + j], b = w[j]; want[2 * i + 1] += abs(a - b); want[2 * i] += a * b;
    }
    u8 *dx, *dw; u32 *out;
    OK(cudaMalloc(&dx, x.size() + 16)); OK(cudaMalloc(&dw, m + 16)); OK(cudaMalloc(&out, 4 * want.size()));
    dx += off; dw += off;
    OK(cudaMemcpy(dx, x.data(), x.size(), cudaMemcpyHostToDevice)); OK(cudaMemcpy(dw, w.data(), m, cudaMemcpyHostToDevice));
    for (int which = 0; which < 2; which++) {
        OK(cudaMemset(out, 255, 4 * want.size()));
        // A grid of two dimensions where one is too short; lines of 8 work-items.
        auto run = [&] {
            if (which == 0) rows_line_bytes<<<(n + 31) / 32, 256>>>(0, n, m, dx, 0, dw, 0, out, 0);
            if (which == 1) rows_line<<<(n + 31) / 32, 256>>>(0, n, m, dx, 0, dw, 0, out, 0);
        };
        double us = median(run);
        OK(cudaMemcpy(got.data(), out, 4 * got.size(), cudaMemcpyDeviceToHost));
        const char *names[] = {"bytes", "words"};
        printf("rows,%d x %d,offset %d,%s,%.1f us,%.0f GB/s,%s\n", n, m, off, names[which], us, x.size() / us / 1e3, got == want ? "right" : "WRONG");
    }
    cudaFree(dx - off); cudaFree(dw - off); cudaFree(out);
}
int main() {
    for (int off : {0, 1}) { rows(1000000, 64, off); rows(500000, 256, off); rows(100000, 4096, off); rows(300001, 67, off); rows(300000, 128, off); rows(200000, 500, off); }
}
