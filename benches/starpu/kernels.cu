// Apportion's own CUDA kernels, so that both systems run the same code on the GPU, and their launches on a stream.
// -I names the folder kernels/src of the repository.
#include <cuda_runtime.h>
#include <atomic>
#include <stdio.h>

#define REAL float

#define GROUP 512
namespace loop_axpy {
#include "axpy/kernel.cu"
}
#undef VECTORS
#undef LANES
namespace loop_sum {
#include "sum/kernel.cu"
}
#undef VECTORS
#undef LANES
namespace loop_matvec {
#include "matvec/kernel.cu"
}
#undef LANES
#undef GROUP
#define GROUP 128
namespace loop_stencil2d {
#include "stencil2d/kernel.cu"
}
#undef GROUP

namespace {
std::atomic<int> first_error{cudaSuccess};

/* Right after a launch, on the thread that made it: errors are kept for each thread by itself. */
void launched() {
    int none = cudaSuccess;
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) first_error.compare_exchange_strong(none, error);
}
// As in the Rust part of each workload: threads in a block, and what a block has of the loop.
const long long AXPY_TILE = 512 * 16, SUM_EACH = 16, SUM_MOST = 132 * 4, STRIP = 9;
// For each worker, as tasks of one follow each other on its stream.
const int WORKERS = 64, DEVICES = 64;
__device__ double of_block[WORKERS][SUM_MOST];

__global__ void add_up(int worker, int blocks, double *result) {
    __shared__ double of_warp[SUM_MOST / 32 + 1];
    double sum = (int)threadIdx.x < blocks ? of_block[worker][threadIdx.x] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned warp = 1; warp < blockDim.x / 32; warp++) sum += of_warp[warp];
        *result = sum;
    }
}

__global__ void nothing(long long, long long) {}

long long div_ceil(long long a, long long b) { return (a + b - 1) / b; }
} // namespace

extern "C" {
void gpu_axpy(cudaStream_t stream, long long n, float a, const float *x, float *y) {
    loop_axpy::axpy<<<(unsigned)div_ceil(n, AXPY_TILE), 512, 0, stream>>>(0, n, a, x, 0, y, 0);
    launched();
}

void gpu_sum(cudaStream_t stream, int worker, long long n, const float *x, double *result) {
    static std::atomic<double *> of_device[DEVICES]; // each has its own `of_block`, at an address of its own
    int device = 0;
    cudaGetDevice(&device);
    double *parts = of_device[device % DEVICES].load();
    if (!parts || device >= DEVICES) {
        void *address = nullptr;
        cudaGetSymbolAddress(&address, of_block);
        parts = (double *)address;
        if (device < DEVICES) of_device[device].store(parts);
    }
    long long blocks = div_ceil(div_ceil(n, SUM_EACH), 512);
    if (blocks > SUM_MOST) blocks = SUM_MOST;
    worker %= WORKERS;
    loop_sum::sum<<<(unsigned)blocks, 512, 0, stream>>>(0, n, x, 0, parts + worker * SUM_MOST);
    add_up<<<1, (SUM_MOST + 31) / 32 * 32, 0, stream>>>(worker, (int)blocks, result);
    launched();
}

void gpu_matvec(cudaStream_t stream, long long rows, long long n, const float *a, const float *x, float *y) {
    loop_matvec::matvec<<<(unsigned)rows, 512, 0, stream>>>(0, rows, n, a, 0, x, 0, y, 0);
    launched();
}

/* Rows lo..hi; `in` begins at row `first`, `out` at row `lo`. */
void gpu_stencil2d(cudaStream_t stream, long long lo, long long hi, long long n, const float *c, const float *in,
                   long long first, float *out) {
    const dim3 grid((unsigned)div_ceil(div_ceil(n, 4), 128), (unsigned)div_ceil(hi - lo, STRIP));
    loop_stencil2d::stencil2d<<<grid, 128, 0, stream>>>(lo, hi, n, c[0], c[1], c[2], c[3], in, first * n, out, lo * n);
    launched();
}

void gpu_nothing(cudaStream_t stream) {
    nothing<<<1, 32, 0, stream>>>(0, 1);
    launched();
}

/* Page-locks memory for all GPUs, as starpu_memory_pin does. 0 if it went well. */
int gpu_pin(void *memory, size_t bytes) {
    const cudaError_t error = cudaHostRegister(memory, bytes, cudaHostRegisterPortable);
    if (error != cudaSuccess) fprintf(stderr, "page-locking: %s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}

/* The first error of a launch, on any of StarPU's threads, since this was last asked. */
const char *gpu_error(void) {
    const int error = first_error.exchange(cudaSuccess);
    return error == cudaSuccess ? nullptr : cudaGetErrorString((cudaError_t)error);
}
}
