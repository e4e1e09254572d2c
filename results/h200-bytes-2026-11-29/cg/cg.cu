// Conjugate gradients by hand on one GPU: the equations of examples/cg.rs, arrays on the GPU. Microseconds for a step, medians.
// nvcc -O3 -arch=native cg.cu -lcusparse -o cg && ./cg POINTS STEPS ROUNDS
#include <cusparse.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define OK(call) do { auto e = (call); if (e != 0) { printf("%s: %d, line %d\n", #call, (int)e, __LINE__); exit(1); } } while (0)

__device__ double block_sum(double v) {
    __shared__ double part[32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    if (threadIdx.x < 32) for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    return v;
}
__global__ void product(int n, const unsigned *starts, const unsigned *columns, const double *values, const double *p, double *q, double *along) {
    double sum = 0, mine = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (unsigned k = starts[i]; k < starts[i + 1]; k++) sum += values[k] * p[columns[k]];
        q[i] = sum;
        mine = sum * p[i];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0) atomicAdd(along, mine);
}
__global__ void dot(int n, const double *p, const double *q, double *along) {
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += p[i] * q[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0) atomicAdd(along, mine);
}
__global__ void step(int n, double alpha, const double *left, const double *along, const double *p, const double *q, double *x, double *r, double *next) {
    if (left) alpha = *left / *along;
    double mine = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] += alpha * p[i];
        double v = r[i] - alpha * q[i];
        r[i] = v;
        mine = v * v;
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0) atomicAdd(next, mine);
}
__global__ void turn(int n, double beta, const double *next, const double *left, const double *r, double *p) {
    if (next) beta = *next / *left;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = r[i] + beta * p[i];
}

int main(int argc, char **argv) {
    int m = atoi(argv[1]), steps = atoi(argv[2]), rounds = atoi(argv[3]), n = m * m;
    std::vector<unsigned> starts{0}, columns;
    std::vector<double> values, heat(n);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            auto put = [&](bool is, int i, int j, double v) { if (is) { columns.push_back(i * m + j); values.push_back(v); } };
            put(i > 0, i - 1, j, -1), put(j > 0, i, j - 1, -1), put(true, i, j, 4), put(j + 1 < m, i, j + 1, -1), put(i + 1 < m, i + 1, j, -1);
            starts.push_back(columns.size());
        }
    for (int i = 0; i < n; i++) heat[i] = i % 7 - 2.0;
    double square = 0;
    for (double v : heat) square += v * v;
    unsigned *ds, *dc; double *dv, *x, *r, *p, *q, *scalars, *host;
    OK(cudaMalloc(&ds, starts.size() * 4)); OK(cudaMalloc(&dc, columns.size() * 4)); OK(cudaMalloc(&dv, values.size() * 8));
    for (double **a : {&x, &r, &p, &q}) OK(cudaMalloc(a, n * 8l));
    OK(cudaMalloc(&scalars, 64)); OK(cudaMallocHost(&host, 64));
    OK(cudaMemcpy(ds, starts.data(), starts.size() * 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(dc, columns.data(), columns.size() * 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(dv, values.data(), values.size() * 8, cudaMemcpyHostToDevice));
    cusparseHandle_t handle; cusparseSpMatDescr_t matrix; cusparseDnVecDescr_t vp, vq;
    OK(cusparseCreate(&handle));
    cudaStream_t s; OK(cudaStreamCreate(&s)); OK(cusparseSetStream(handle, s));
    OK(cusparseCreateCsr(&matrix, n, n, values.size(), ds, dc, dv, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    OK(cusparseCreateDnVec(&vp, n, p, CUDA_R_64F)); OK(cusparseCreateDnVec(&vq, n, q, CUDA_R_64F));
    double one = 1, zero = 0; size_t size; void *buffer;
    OK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vp, &zero, vq, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &size));
    OK(cudaMalloc(&buffer, size + 16));
    int g = (n + 255) / 256;
    const char *names[] = {"own product, the host has the scalars", "own product, scalars stay on the GPU", "cuSPARSE, the host has the scalars", "cuSPARSE, scalars stay on the GPU"};
    for (int variant = 0; variant < 4; variant++) {
        bool sparse = variant / 2, stays = variant % 2;
        std::vector<double> taken;
        double left = 0;
        for (int round = 0; round <= rounds; round++) {
            OK(cudaMemset(x, 0, n * 8l)); OK(cudaMemcpy(r, heat.data(), n * 8l, cudaMemcpyHostToDevice)); OK(cudaMemcpy(p, r, n * 8l, cudaMemcpyDeviceToDevice));
            double first[3] = {square, 0, 0};
            OK(cudaMemcpy(scalars, first, 24, cudaMemcpyHostToDevice)); OK(cudaDeviceSynchronize());
            left = square;
            auto start = std::chrono::steady_clock::now();
            for (int k = 0; k < steps; k++) {
                // What is left before and after the step takes two places in turn.
                double *dl = scalars + (k % 2), *dn = scalars + (k + 1) % 2, *da = scalars + 2;
                OK(cudaMemsetAsync(da, 0, 8, s)); OK(cudaMemsetAsync(dn, 0, 8, s));
                if (sparse) {
                    OK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vp, &zero, vq, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
                    dot<<<132 * 8, 256, 0, s>>>(n, p, q, da);
                } else product<<<g, 256, 0, s>>>(n, ds, dc, dv, p, q, da);
                double alpha = 0, beta = 0;
                if (!stays) { OK(cudaMemcpyAsync(host, da, 8, cudaMemcpyDeviceToHost, s)); OK(cudaStreamSynchronize(s)); alpha = left / *host; }
                step<<<g, 256, 0, s>>>(n, alpha, stays ? dl : nullptr, da, p, q, x, r, dn);
                if (!stays) { OK(cudaMemcpyAsync(host, dn, 8, cudaMemcpyDeviceToHost, s)); OK(cudaStreamSynchronize(s)); beta = *host / left; left = *host; }
                turn<<<g, 256, 0, s>>>(n, beta, stays ? dn : nullptr, dl, r, p);
            }
            OK(cudaStreamSynchronize(s));
            double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / steps;
            if (round) taken.push_back(us);
            if (stays) OK(cudaMemcpy(&left, scalars + steps % 2, 8, cudaMemcpyDeviceToHost));
        }
        std::sort(taken.begin(), taken.end());
        printf("%d,%s,%.2f,%.2f,%.2f,%.6e\n", m, names[variant], taken[taken.size() / 2], taken.front(), taken.back(), left);
    }
}
