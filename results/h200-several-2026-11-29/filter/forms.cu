#include <cstdio>
#include <vector>
#include <algorithm>
typedef long long i64;
template <int G> __device__ float tree(float v, float *s) {
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (G == 32) return v;
    __syncthreads();
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0; for (int k = 0; k < G / 32; k++) v += s[k];
    return v;
}
template <int G> __global__ void __launch_bounds__(G) body_group(i64 n, const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ m, float *ax, float *ay) {
    __shared__ float s[32];
    i64 i = blockIdx.x; float sx = 0, sy = 0; float xi = x[i], yi = y[i];
    for (i64 j = threadIdx.x; j < n; j += G) { float dx = x[j] - xi, dy = y[j] - yi, q = dx * dx + dy * dy + 1e-3f, p = m[j] / (q * sqrtf(q)); sx += p * dx; sy += p * dy; }
    sx = tree<G>(sx, s); sy = tree<G>(sy, s);
    if (threadIdx.x == 0) ax[i] = sx, ay[i] = sy;
}
__global__ void __launch_bounds__(256) body_flat(i64 n, const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ m, float *ax, float *ay) {
    i64 i = blockIdx.x * 256ll + threadIdx.x; if (i >= n) return; float sx = 0, sy = 0; float xi = x[i], yi = y[i];
    for (i64 j = 0; j < n; j++) { float dx = x[j] - xi, dy = y[j] - yi, q = dx * dx + dy * dy + 1e-3f, p = m[j] / (q * sqrtf(q)); sx += p * dx; sy += p * dy; }
    ax[i] = sx, ay[i] = sy;
}
template <int G> __global__ void __launch_bounds__(G) fir_group(i64 n, const float *__restrict__ x, const float *__restrict__ w, float *y) {
    __shared__ float s[32];
    i64 i = blockIdx.x; float a = 0;
    for (i64 j = threadIdx.x; j < n; j += G) a += x[i + j] * w[j];
    a = tree<G>(a, s);
    if (threadIdx.x == 0) y[i] = a;
}
__global__ void __launch_bounds__(256) fir_flat(i64 count, i64 n, const float *__restrict__ x, const float *__restrict__ w, float *y) {
    i64 i = blockIdx.x * 256ll + threadIdx.x; if (i >= count) return; float a = 0;
    for (i64 j = 0; j < n; j++) a += x[i + j] * w[j];
    y[i] = a;
}
template <class F> float timed(F f) {
    cudaEvent_t e0, e1; cudaEventCreate(&e0); cudaEventCreate(&e1); std::vector<float> t;
    for (int r = 0; r < 7; r++) { cudaEventRecord(e0); f(); cudaEventRecord(e1); cudaEventSynchronize(e1); float ms; cudaEventElapsedTime(&ms, e0, e1); t.push_back(ms); }
    std::sort(t.begin(), t.end()); return t[3];
}
int main() {
    float *a[6]; for (auto &p : a) { cudaMalloc(&p, 64 << 20); cudaMemset(p, 1, 64 << 20); }
    for (i64 n : {1024, 4096, 8192, 16384, 32768, 65536, 131072}) {
        printf("nbody %lld: group32 %.3f group128 %.3f group256 %.3f flat %.3f\n", n,
            timed([&] { body_group<32><<<n, 32>>>(n, a[0], a[1], a[2], a[3], a[4]); }), timed([&] { body_group<128><<<n, 128>>>(n, a[0], a[1], a[2], a[3], a[4]); }),
            timed([&] { body_group<256><<<n, 256>>>(n, a[0], a[1], a[2], a[3], a[4]); }), timed([&] { body_flat<<<(n + 255) / 256, 256>>>(n, a[0], a[1], a[2], a[3], a[4]); }));
    }
    for (i64 n : {64, 256, 1024}) for (i64 c : {8192, 32768, 131072, 1 << 20})
        printf("fir %lld of %lld: group32 %.3f group64 %.3f group256 %.3f flat %.3f\n", c, n,
            timed([&] { fir_group<32><<<c, 32>>>(n, a[0], a[1], a[3]); }), timed([&] { fir_group<64><<<c, 64>>>(n, a[0], a[1], a[3]); }),
            timed([&] { fir_group<256><<<c, 256>>>(n, a[0], a[1], a[3]); }), timed([&] { fir_flat<<<(c + 255) / 256, 256>>>(c, n, a[0], a[1], a[3]); }));
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
