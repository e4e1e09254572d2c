/* The loops as one writes them by hand for OpenMP. Compiled when the benches run: gcc -O3 -march=native -fopenmp. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void axpy(size_t n, float a, const float *restrict x, float *restrict y) {
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < n; i++) y[i] += a * x[i];
}

/* Blocks in f32, their sums in f64: neither slow conversions nor large errors. */
double sum(size_t n, const float *x) {
    enum { BLOCK = 1 << 12 };
    double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
    for (size_t b = 0; b < (n + BLOCK - 1) / BLOCK; b++) {
        size_t end = (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n;
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (size_t i = b * BLOCK; i < end; i++) s += x[i];
        total += s;
    }
    return total;
}

void matvec(size_t n, const float *restrict a, const float *restrict x, float *restrict y) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const float *row = a + i * n;
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (size_t j = 0; j < n; j++) s += row[j] * x[j];
        y[i] = s;
    }
}

void stencil2d(size_t n, const float *c, const float *restrict in, float *restrict out) {
    const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const float *p = in + i * n;
        float *o = out + i * n;
        if (i < 3 || i + 3 >= n) {
            memcpy(o, p, n * sizeof *o);
            continue;
        }
        const float *n1 = p - n, *n2 = p - 2 * n, *n3 = p - 3 * n, *s1 = p + n, *s2 = p + 2 * n, *s3 = p + 3 * n;
        memcpy(o, p, 3 * sizeof *o);
        memcpy(o + n - 3, p + n - 3, 3 * sizeof *o);
#pragma omp simd
        for (size_t j = 3; j < n - 3; j++)
            o[j] = c0 * p[j] + c1 * ((p[j - 1] + p[j + 1]) + (n1[j] + s1[j])) + c2 * ((p[j - 2] + p[j + 2]) + (n2[j] + s2[j])) +
                   c3 * ((p[j - 3] + p[j + 3]) + (n3[j] + s3[j]));
    }
}

void bm2d(size_t n, const uint8_t *restrict current, const uint8_t *restrict reference, int32_t *restrict result) {
    const long blocks = (long)(n / 16), last = (long)n - 16;
#pragma omp parallel for schedule(static)
    for (long by = 0; by < blocks; by++)
        for (long bx = 0; bx < blocks; bx++) {
            const long y = by * 16, x = bx * 16;
            /* Copies: rows of frames lie a power of two apart and would share few cache sets. */
            uint8_t block[16][16], window[32][32];
            const long top = y < 8 ? 0 : y - 8, left = x < 8 ? 0 : x - 8;
            const long bottom = y + 24 > (long)n ? (long)n : y + 24, right = x + 24 > (long)n ? (long)n : x + 24;
            for (long r = 0; r < 16; r++) memcpy(block[r], current + (y + r) * n + x, 16);
            for (long r = top; r < bottom; r++) memcpy(window[r - top], reference + r * n + left, right - left);
            int32_t best = INT32_MAX, best_dy = 0, best_dx = 0;
            for (long dy = -8; dy <= 8; dy++) {
                if (y + dy < 0 || y + dy > last) continue;
                for (long dx = -8; dx <= 8; dx++) {
                    if (x + dx < 0 || x + dx > last) continue;
                    int32_t sad = 0;
                    for (int r = 0; r < 16; r++) {
                        const uint8_t *p = &window[y + dy + r - top][x + dx - left], *q = block[r];
                        /* Unrolled before it is vectorised, gcc misses psadbw and is 9 times slower. */
#pragma GCC unroll 1
                        for (int j = 0; j < 16; j++) sad += abs(p[j] - q[j]);
                    }
                    if (sad < best) best = sad, best_dy = (int32_t)dy, best_dx = (int32_t)dx;
                }
            }
            int32_t *o = result + (by * blocks + bx) * 3;
            o[0] = best_dy, o[1] = best_dx, o[2] = best;
        }
}

/* The triple loop as it is written down. */
void matmul(size_t n, const float *restrict a, const float *restrict b, float *restrict c) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float s = 0;
            for (size_t k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
