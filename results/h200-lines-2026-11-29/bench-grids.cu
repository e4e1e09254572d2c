// Sparse products and short rows: the generated text in groups and in parts of warps, and kernels by hand. Arrays stay on the GPU.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>
#include <cusparse.h>
typedef long long i64; typedef unsigned long long u64; typedef unsigned u32;
extern "C" __global__ void spmv_kernel(i64, i64, const u32 *, i64, const u32 *, i64, u64, const double *, i64, u64, const double *, i64, u64, double *, i64, volatile u64 *);
extern "C" __global__ void spmv_0(i64, i64, const u32 *, i64, const u32 *, i64, u64, const double *, i64, u64, const double *, i64, u64, double *, i64, volatile u64 *);
extern "C" __global__ void spmv_1(i64, i64, const u32 *, i64, const u32 *, i64, u64, const double *, i64, u64, const double *, i64, u64, double *, i64, volatile u64 *);
extern "C" __global__ void spmv_2(i64, i64, const u32 *, i64, const u32 *, i64, u64, const double *, i64, u64, const double *, i64, u64, double *, i64, volatile u64 *);
extern "C" __global__ void spmv_4(i64, i64, const u32 *, i64, const u32 *, i64, u64, const double *, i64, u64, const double *, i64, u64, double *, i64, volatile u64 *);
extern "C" __global__ void spmv_8(i64, i64, const u32 *, i64, const u32 *, i64, u64, const double *, i64, u64, const double *, i64, u64, double *, i64, volatile u64 *);
extern "C" __global__ void spmv_16(i64, i64, const u32 *, i64, const u32 *, i64, u64, const double *, i64, u64, const double *, i64, u64, double *, i64, volatile u64 *);
extern "C" __global__ void spmv_32(i64, i64, const u32 *, i64, const u32 *, i64, u64, const double *, i64, u64, const double *, i64, u64, double *, i64, volatile u64 *);
extern "C" __global__ void norms_kernel(i64, i64, u64, const float *, i64, float *, i64);
extern "C" __global__ void norms_0(i64, i64, u64, const float *, i64, float *, i64);
extern "C" __global__ void norms_1(i64, i64, u64, const float *, i64, float *, i64);
extern "C" __global__ void norms_2(i64, i64, u64, const float *, i64, float *, i64);
extern "C" __global__ void norms_4(i64, i64, u64, const float *, i64, float *, i64);
extern "C" __global__ void norms_8(i64, i64, u64, const float *, i64, float *, i64);
extern "C" __global__ void norms_16(i64, i64, u64, const float *, i64, float *, i64);
extern "C" __global__ void norms_32(i64, i64, u64, const float *, i64, float *, i64);
#define CHECK(x) do { auto e = (x); if ((int)e) { printf("%s: %d\n", #x, (int)e); exit(1); } } while (0)
template <int W> __global__ void hand(i64 n, const u32 *starts, const u32 *columns, const double *values, const double *x, double *y) {
    i64 row = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / W; int lane = threadIdx.x % W;
    if (row >= n) return;
    double s = 0;
    for (i64 k = starts[row] + lane, end = starts[row + 1]; k < end; k += W) s += values[k] * x[columns[k]];
    for (int d = W / 2; d; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d, W);
    if (lane == 0) y[row] = s;
}
template <int W> __global__ void hand_norms(i64 n, i64 m, const float *x, float *y) {
    i64 row = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / W; int lane = threadIdx.x % W;
    if (row >= n) return;
    float s = 0;
    for (i64 k = lane; k < m; k += W) s += x[row * m + k] * x[row * m + k];
    for (int d = W / 2; d; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d, W);
    if (lane == 0) y[row] = sqrtf(s);
}
template <class F> double time(F run) {
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    std::vector<float> all;
    for (int r = 0; r < 12; r++) { cudaEventRecord(a); run(); cudaEventRecord(b); CHECK(cudaEventSynchronize(b)); float ms; cudaEventElapsedTime(&ms, a, b); if (r > 2) all.push_back(ms); }
    CHECK(cudaGetLastError());
    std::sort(all.begin(), all.end());
    return all[all.size() / 2] * 1e3;
}
i64 grid_lines(i64 n, int group) { i64 warps = std::max(std::min(n, (i64)16384), (n + 31) / 32); return (warps + group / 32 - 1) / (group / 32); }
i64 grid_of(i64 n, int group, i64 enough) { i64 warps = std::max(std::min(n, enough), (n + 31) / 32); return (warps + group / 32 - 1) / (group / 32); }
int main() {
    std::mt19937 random(1);
    printf("what,rows,length,variant,us\n");
    auto spmv = [&](const char *name, i64 n, auto length, i64 spread) {
        std::vector<u32> starts{0}, columns; std::vector<double> values;
        for (i64 i = 0; i < n; i++) {
            i64 m = length(i);
            for (i64 k = 0; k < m; k++) { columns.push_back((u32)((i + (i64)(random() % (2 * spread + 1)) - spread + n) % n)); values.push_back(1.0 + k % 3); }
            starts.push_back(columns.size());
        }
        u32 *s, *c; double *v, *x, *y; u64 *report;
        i64 nnz = columns.size();
        CHECK(cudaMalloc(&s, 4 * (n + 1))); CHECK(cudaMalloc(&c, 4 * nnz)); CHECK(cudaMalloc(&v, 8 * nnz)); CHECK(cudaMalloc(&x, 8 * n)); CHECK(cudaMalloc(&y, 8 * n)); CHECK(cudaMalloc(&report, 8));
        std::vector<double> hx(n); for (i64 i = 0; i < n; i++) hx[i] = 1.0 + i % 7;
        cudaMemcpy(s, starts.data(), 4 * (n + 1), cudaMemcpyHostToDevice); cudaMemcpy(c, columns.data(), 4 * nnz, cudaMemcpyHostToDevice);
        cudaMemcpy(v, values.data(), 8 * nnz, cudaMemcpyHostToDevice); cudaMemcpy(x, hx.data(), 8 * n, cudaMemcpyHostToDevice);
        std::vector<double> want(n), got(n);
        for (i64 i = 0; i < n; i++) { double t = 0; for (u32 k = starts[i]; k < starts[i + 1]; k++) t += values[k] * hx[columns[k]]; want[i] = t; }
        auto check = [&](const char *variant, double us) {
            cudaMemcpy(got.data(), y, 8 * n, cudaMemcpyDeviceToHost); cudaMemset(y, 0xff, 8 * n);
            for (i64 i = 0; i < n; i++) if (!(std::fabs(got[i] - want[i]) <= 1e-9 * std::fabs(want[i]))) { printf("%s %s WRONG row %lld: %g, not %g\n", name, variant, i, got[i], want[i]); return; }
            printf("spmv,%lld,%s,%s,%.1f\n", n, name, variant, us);
        };
#define GEN(kernel, blocks) time([&] { kernel<<<(unsigned)(blocks), 256>>>(0, n, s, 0, c, 0, nnz, v, 0, nnz, x, 0, n, y, 0, report); })
        check("groups", GEN(spmv_kernel, n));         for (i64 w : {16384, 32768, 65536, 131072}) check(("by data " + std::to_string(w)).c_str(), GEN(spmv_0, grid_of(n, 256, w)));
        check("line1", GEN(spmv_1, (n * 1 + 255) / 256));
        check("line2", GEN(spmv_2, (n * 2 + 255) / 256));
        check("line4", GEN(spmv_4, (n * 4 + 255) / 256));
        check("line8", GEN(spmv_8, (n * 8 + 255) / 256));
        check("line16", GEN(spmv_16, (n * 16 + 255) / 256));
        check("line32", GEN(spmv_32, (n * 32 + 255) / 256));
#define HAND(W) check("hand" #W, time([&] { hand<W><<<(unsigned)((n * W + 255) / 256), 256>>>(n, s, c, v, x, y); }))
        HAND(1); HAND(2); HAND(4); HAND(8); HAND(16); HAND(32);
        cusparseHandle_t h; cusparseSpMatDescr_t A; cusparseDnVecDescr_t X, Y; size_t size; void *buffer; double one = 1, zero = 0;
        CHECK(cusparseCreate(&h));
        CHECK(cusparseCreateCsr(&A, n, n, nnz, s, c, v, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
        CHECK(cusparseCreateDnVec(&X, n, x, CUDA_R_64F)); CHECK(cusparseCreateDnVec(&Y, n, y, CUDA_R_64F));
        CHECK(cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &size)); CHECK(cudaMalloc(&buffer, size + 8));
        check("cusparse", time([&] { cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer); }));
        cusparseDestroy(h); for (void *p : {(void *)s, (void *)c, (void *)v, (void *)x, (void *)y, (void *)report, buffer}) cudaFree(p);
    };
    spmv("4", 1000000, [&](i64) { return 1 + random() % 7; }, 1000);
    spmv("7", 1000000, [&](i64) { return 7; }, 1000);
    spmv("27", 1000000, [&](i64) { return 27; }, 10000);
    spmv("64", 300000, [&](i64) { return 48 + random() % 33; }, 10000);
    spmv("300", 50000, [&](i64) { return 200 + random() % 200; }, 10000);
    spmv("uneven", 1000000, [&](i64) { double u = (random() % 1000000 + 1) / 1e6; return (i64)std::min(4000.0, 3.0 / std::pow(u, 0.7)); }, 100000);
    spmv("short", 20000, [&](i64) { return 5; }, 1000);
    spmv("mid", 5000, [&](i64) { return 100; }, 1000);
    for (i64 n : {1000000, 10000000}) for (i64 m : {3, 8, 16, 32, 64, 128}) {
        if (n * m > 400000000) continue;
        std::vector<float> hx(n * m), got(n); for (i64 k = 0; k < n * m; k++) hx[k] = (float)(k % 5);
        float *x, *y; CHECK(cudaMalloc(&x, 4 * n * m)); CHECK(cudaMalloc(&y, 4 * n)); cudaMemcpy(x, hx.data(), 4 * n * m, cudaMemcpyHostToDevice);
        auto check = [&](const char *variant, double us) {
            cudaMemcpy(got.data(), y, 4 * n, cudaMemcpyDeviceToHost); cudaMemset(y, 0xff, 4 * n);
            for (i64 i = 0; i < n; i++) { float t = 0; for (i64 k = 0; k < m; k++) t += hx[i * m + k] * hx[i * m + k]; if (!(std::fabs(got[i] - std::sqrt(t)) <= 1e-5f * std::sqrt(t))) { printf("norms %s WRONG row %lld: %g, not %g\n", variant, i, got[i], std::sqrt(t)); return; } }
            printf("norms,%lld,%lld,%s,%.1f\n", n, m, variant, us);
        };
#define GENN(kernel, blocks, group) time([&] { kernel<<<(unsigned)(blocks), group>>>(0, n, m, x, 0, y, 0); })
        check("groups", GENN(norms_kernel, n, 32));         check("by data", GENN(norms_0, grid_lines(n, 256), 256));
        check("line1", GENN(norms_1, (n * 1 + 255) / 256, 256));
        check("line2", GENN(norms_2, (n * 2 + 255) / 256, 256));
        check("line4", GENN(norms_4, (n * 4 + 255) / 256, 256));
        check("line8", GENN(norms_8, (n * 8 + 255) / 256, 256));
        check("line16", GENN(norms_16, (n * 16 + 255) / 256, 256));
        check("line32", GENN(norms_32, (n * 32 + 255) / 256, 256));
#define HANDN(W) check("hand" #W, time([&] { hand_norms<W><<<(unsigned)((n * W + 255) / 256), 256>>>(n, m, x, y); }))
        HANDN(1); HANDN(2); HANDN(4); HANDN(8); HANDN(16); HANDN(32);
        cudaFree(x); cudaFree(y);
    }
}
