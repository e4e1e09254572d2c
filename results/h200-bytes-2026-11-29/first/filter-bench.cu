#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
extern "C" __global__ void filter_words(long long, long long, unsigned long long, const unsigned char *, long long, unsigned long long, const unsigned char *, long long, unsigned long long, unsigned *, long long);
extern "C" __global__ void filter_bytes(long long, long long, unsigned long long, const unsigned char *, long long, unsigned long long, const unsigned char *, long long, unsigned long long, unsigned *, long long);
int main() {
    long long n = 1 << 24;
    for (unsigned long long taps : {3, 8, 9, 16, 25, 64, 200}) {
        std::vector<unsigned char> x(n + taps), w(taps);
        for (auto &v : x) v = rand();
        for (auto &v : w) v = rand();
        unsigned char *dx, *dw; unsigned *y[2];
        cudaMalloc(&dx, x.size()); cudaMalloc(&dw, taps); cudaMalloc(&y[0], n * 4); cudaMalloc(&y[1], n * 4);
        cudaMemcpy(dx, x.data(), x.size(), cudaMemcpyHostToDevice); cudaMemcpy(dw, w.data(), taps, cudaMemcpyHostToDevice);
        cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
        double median[2];
        for (int words = 0; words < 2; words++) {
            std::vector<float> t;
            for (int k = 0; k < 10; k++) {
                cudaEventRecord(a);
                (words ? filter_words : filter_bytes)<<<(n + 255) / 256, 256>>>(0, n, taps, dx, 0, n + taps - 1, dw, 0, taps, y[words], 0);
                cudaEventRecord(b); cudaEventSynchronize(b);
                float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms * 1e3);
            }
            std::sort(t.begin(), t.end()); median[words] = t[5];
        }
        std::vector<unsigned> h0(n), h1(n);
        cudaMemcpy(h0.data(), y[0], n * 4, cudaMemcpyDeviceToHost); cudaMemcpy(h1.data(), y[1], n * 4, cudaMemcpyDeviceToHost);
        unsigned want = 0; for (unsigned k = 0; k < taps; k++) want += x[12345 + k] * w[k];
        printf("filter,%lld,taps %llu,bytes %.1f us,words %.1f us,%s %s\n", n, taps, median[0], median[1], h0 == h1 && h0[12345] == want ? "right" : "WRONG", cudaGetErrorString(cudaGetLastError()));
        cudaFree(dx), cudaFree(dw), cudaFree(y[0]), cudaFree(y[1]);
    }
}
