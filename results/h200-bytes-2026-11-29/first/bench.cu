// Block matching and rows of bytes: the text of #[kernel] before and after words of bytes, and by hand. Arrays stay on the GPU.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
typedef long long i64; typedef unsigned long long u64; typedef unsigned u32; typedef unsigned char u8;
extern "C" __global__ void bm2d_before(i64, i64, u64, const u8 *, i64, const u8 *, i64, int *, i64);
extern "C" __global__ void bm2d_after(i64, i64, u64, const u8 *, i64, u64, const u8 *, i64, u64, int *, i64);
extern "C" __global__ void bm2d(i64, i64, i64, const u8 *, i64, const u8 *, i64, int *, i64);
#define ROWS(name) extern "C" __global__ void name(i64, i64, u64, const u8 *, i64, u64, const u8 *, i64, u64, u32 *, i64);
ROWS(rows_group) ROWS(rows_line) ROWS(rows_group_bytes) ROWS(rows_line_bytes)
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
static void block(const std::vector<u8> &c, const std::vector<u8> &r, int n, int by, int bx, int *out) {
    int best = 0x7fffffff;
    for (int y = std::max(by * 16 - 8, 0); y <= std::min(by * 16 + 8, n - 16); y++)
        for (int x = std::max(bx * 16 - 8, 0); x <= std::min(bx * 16 + 8, n - 16); x++) {
            int s = 0;
            for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++)
                s += abs(c[(size_t)(by * 16 + i) * n + bx * 16 + j] - r[(size_t)(y + i) * n + x + j]);
            if (s < best) { best = s; out[0] = y - by * 16; out[1] = x - bx * 16; out[2] = s; }
        }
}
static void blocks(int n, int off) {
    std::mt19937 g(1);
    std::vector<u8> r((size_t)n * n), c(r.size());
    for (auto &v : r) v = g();
    for (int y = 0; y < n / 3; y++) for (int x = 0; x < n / 3; x++) r[(size_t)y * n + x] = 128;
    for (size_t k = 0; k < c.size(); k++) c[k] = r[(k + 3 * n + 5) % c.size()] ^ (g() & 3);
    u8 *dc, *dr; int *out; const int nb = n / 16; const size_t all = 3 * (size_t)nb * nb;
    OK(cudaMalloc(&dc, c.size() + 16)); OK(cudaMalloc(&dr, r.size() + 16)); OK(cudaMalloc(&out, 4 * all));
    dc += off; dr += off;
    OK(cudaMemcpy(dc, c.data(), c.size(), cudaMemcpyHostToDevice)); OK(cudaMemcpy(dr, r.data(), r.size(), cudaMemcpyHostToDevice));
    const int tiles = (nb + 63) / 64; const u64 count = (u64)n * n;
    // As src/kernel/shape.rs has it: tiles beside one another, strips of the rows.
    dim3 grid(tiles, std::min(nb, std::max(1, 2048 / tiles)));
    std::vector<int> got(all), first;
    for (int which = 0; which < 3; which++) {
        OK(cudaMemset(out, 255, 4 * all));
        auto run = [&] {
            if (which == 0) bm2d_before<<<grid, 64>>>(0, nb, n, dc, 0, dr, 0, out, 0);
            if (which == 1) bm2d_after<<<grid, 64>>>(0, nb, n, dc, 0, count, dr, 0, count, out, 0);
            if (which == 2) bm2d<<<dim3((nb + 15) / 16, nb), 288>>>(0, nb, n, dc, 0, dr, 0, out, 0);
        };
        double us = median(run);
        OK(cudaMemcpy(got.data(), out, 4 * all, cudaMemcpyDeviceToHost));
        bool right = which == 0 || got == first;
        if (which == 0) first = got;
        for (int k = 0; k < 200 && which == 0; k++) {
            int by = k < 4 ? (k & 1) * (nb - 1) : g() % nb, bx = k < 4 ? (k >> 1) * (nb - 1) : g() % nb, want[3];
            block(c, r, n, by, bx, want);
            right &= std::equal(want, want + 3, &got[3 * ((size_t)by * nb + bx)]);
        }
        const char *names[] = {"before", "after", "by hand"};
        printf("bm2d,%d,offset %d,%s,%.1f us,%s\n", n, off, names[which], us, right ? "right" : "WRONG");
    }
    cudaFree(dc - off); cudaFree(dr - off); cudaFree(out);
}
static void rows(int n, int m, int off) {
    std::mt19937 g(2);
    std::vector<u8> x((size_t)n * m), w(m);
    for (auto &v : x) v = g();
    for (auto &v : w) v = g();
    std::vector<u32> want(2 * (size_t)n), got(want.size());
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
        int a = x[(size_t)i * m + j], b = w[j]; want[2 * i] += abs(a - b); want[2 * i + 1] += a * b;
    }
    u8 *dx, *dw; u32 *out;
    OK(cudaMalloc(&dx, x.size() + 16)); OK(cudaMalloc(&dw, m + 16)); OK(cudaMalloc(&out, 4 * want.size()));
    dx += off; dw += off;
    OK(cudaMemcpy(dx, x.data(), x.size(), cudaMemcpyHostToDevice)); OK(cudaMemcpy(dw, w.data(), m, cudaMemcpyHostToDevice));
    for (int which = 0; which < 4; which++) {
        OK(cudaMemset(out, 255, 4 * want.size()));
        // A grid of two dimensions where one is too short; lines of 8 work-items.
        auto run = [&] {
            u64 sx = x.size();
            if (which == 0) rows_group_bytes<<<n, 256>>>(0, n, m, dx, 0, sx, dw, 0, m, out, 0);
            if (which == 1) rows_group<<<n, 256>>>(0, n, m, dx, 0, sx, dw, 0, m, out, 0);
            if (which == 2) rows_line_bytes<<<(n + 31) / 32, 256>>>(0, n, m, dx, 0, sx, dw, 0, m, out, 0);
            if (which == 3) rows_line<<<(n + 31) / 32, 256>>>(0, n, m, dx, 0, sx, dw, 0, m, out, 0);
        };
        double us = median(run);
        OK(cudaMemcpy(got.data(), out, 4 * got.size(), cudaMemcpyDeviceToHost));
        const char *names[] = {"groups, bytes", "groups, words", "lines of 8, bytes", "lines of 8, words"};
        printf("rows,%d x %d,offset %d,%s,%.1f us,%.0f GB/s,%s\n", n, m, off, names[which], us, x.size() / us / 1e3, got == want ? "right" : "WRONG");
    }
    cudaFree(dx - off); cudaFree(dw - off); cudaFree(out);
}
int main() {
    for (int n : {1024, 4096, 8192}) blocks(n, 0);
    blocks(4096, 3); blocks(4096, 8); blocks(48, 0); blocks(48, 5); blocks(16, 1);
    for (int off : {0, 1}) { rows(1000000, 64, off); rows(500000, 256, off); rows(100000, 4096, off); rows(300001, 67, off); }
}
