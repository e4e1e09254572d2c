#include "r9.cu"
#include <cstdio>
#include <vector>
#include <cstring>
int main() {
    const int n = 61; int bad = 0, cases = 0; unsigned s = 12345;
    auto rnd = [&] { s = s * 1664525u + 1013904223u; return (int)((s >> 8) % 99) - 49; };
    for (int round = 0; round < 50; round++) {
        std::vector<unsigned> at(n); std::vector<int> p(3 * n), q(2 * n), y(3 * n), z(2 * n);
        for (int i = 0; i < n; i++) at[i] = (i * 2654435761u + round * 977u) >> 9;
        for (auto *v : {&p, &q, &y, &z}) for (auto &e : *v) e = rnd();
        auto yh = y, zh = z; long long sum = 0;
        for (int i = 1; i < n - 1; i++) sum += r9_iteration(i, n, at.data(), 0, p.data(), 0, q.data(), 0, yh.data(), 0, zh.data(), 0);
        unsigned *a; int *dp, *dq, *dy, *dz; ap_i64 *partial;
        cudaMalloc(&a, 4 * n); cudaMalloc(&dp, 12 * n); cudaMalloc(&dq, 8 * n); cudaMalloc(&dy, 12 * n); cudaMalloc(&dz, 8 * n); cudaMalloc(&partial, 8);
        cudaMemcpy(a, at.data(), 4 * n, cudaMemcpyHostToDevice); cudaMemcpy(dp, p.data(), 12 * n, cudaMemcpyHostToDevice); cudaMemcpy(dq, q.data(), 8 * n, cudaMemcpyHostToDevice);
        cudaMemcpy(dy, y.data(), 12 * n, cudaMemcpyHostToDevice); cudaMemcpy(dz, z.data(), 8 * n, cudaMemcpyHostToDevice);
        r9<<<1, AP_GROUP>>>(1, n - 1, n, a, 0, dp, 0, dq, 0, dy, 0, dz, 0, partial);
        auto yd = y, zd = z; ap_i64 got;
        cudaMemcpy(yd.data(), dy, 12 * n, cudaMemcpyDeviceToHost); cudaMemcpy(zd.data(), dz, 8 * n, cudaMemcpyDeviceToHost); cudaMemcpy(&got, partial, 8, cudaMemcpyDeviceToHost);
        cases += n - 2;
        for (int i = 1; i < n - 1; i++) bad += memcmp(&yd[3 * i], &yh[3 * i], 12) != 0 || memcmp(&zd[2 * i], &zh[2 * i], 8) != 0;
        cudaFree(a); cudaFree(dp); cudaFree(dq); cudaFree(dy); cudaFree(dz); cudaFree(partial);
    }
    printf("%d of %d rows differ: %s\n", bad, cases, cudaGetErrorString(cudaGetLastError()));
}
