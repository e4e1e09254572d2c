/* Loops as a program for StarPU writes them: arrays registered once and divided into blocks, a task for each block with a
 * function for CPU cores and one for GPUs. What it prints can be laid beside `bench-gpu loops`. README.md says more. */
#define _GNU_SOURCE
#include <math.h>
#include <omp.h>
#include <sched.h>
#include <starpu.h>
#ifdef STARPU_USE_CUDA
#include <cublas_v2.h>
#endif
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BLOCKS = 1 << 16, RADIUS = 3, MOST_CPUS = 1024, MOST_GPUS = 64, CHECKED_ROWS = 16 };

static const float A = 0.8f;
static const float WEIGHTS[4] = {0.5f, 0.08f, 0.03f, 0.015f};

#ifdef STARPU_USE_CUDA
void gpu_axpy(cudaStream_t, long long n, float a, const float *x, float *y);
void gpu_sum(cudaStream_t, int worker, long long n, const float *x, double *result);
void gpu_matvec(cudaStream_t, long long rows, long long n, const float *a, const float *x, float *y);
void gpu_stencil2d(cudaStream_t, long long lo, long long hi, long long n, const float *c, const float *in, long long first,
                   float *out);
void gpu_nothing(cudaStream_t);
int gpu_pin(void *memory, size_t bytes);
const char *gpu_error(void);
#endif

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void die(const char *what) {
    fprintf(stderr, "starpu-loops: %s\n", what);
    exit(1);
}

static void check(int status, const char *what) {
    if (status) {
        fprintf(stderr, "starpu-loops: %s: %s\n", what, strerror(-status));
        exit(1);
    }
}

/* ---- The loops on CPU cores ---- */

static void axpy(size_t n, float a, const float *restrict x, float *restrict y) {
    for (size_t i = 0; i < n; i++) y[i] += a * x[i];
}

/* Pieces in f32, their sums in f64. */
static double sum(size_t n, const float *x) {
    enum { PIECE = 256 };
    double total = 0;
    size_t i = 0;
    for (; i + PIECE <= n; i += PIECE) {
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (size_t j = i; j < i + PIECE; j++) s += x[j];
        total += s;
    }
    for (; i < n; i++) total += x[i];
    return total;
}

/* Four rows at a time, so that x is loaded once for them. */
static void matvec(size_t rows, size_t n, const float *restrict a, const float *restrict x, float *restrict y) {
    size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        const float *p = a + i * n, *q = p + n, *r = q + n, *t = r + n;
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
        for (size_t j = 0; j < n; j++) {
            s0 += p[j] * x[j];
            s1 += q[j] * x[j];
            s2 += r[j] * x[j];
            s3 += t[j] * x[j];
        }
        y[i] = s0, y[i + 1] = s1, y[i + 2] = s2, y[i + 3] = s3;
    }
    for (; i < rows; i++) {
        const float *p = a + i * n;
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (size_t j = 0; j < n; j++) s += p[j] * x[j];
        y[i] = s;
    }
}

/* Rows lo..hi; `in` begins at row `first`, `out` at row `lo`. */
static void stencil2d(size_t lo, size_t hi, size_t n, const float *restrict in, size_t first, float *restrict out) {
    const float c0 = WEIGHTS[0], c1 = WEIGHTS[1], c2 = WEIGHTS[2], c3 = WEIGHTS[3];
    for (size_t i = lo; i < hi; i++) {
        const float *p = in + (i - first) * n;
        float *o = out + (i - lo) * n;
        if (i < RADIUS || i + RADIUS >= n || n <= 2 * RADIUS) {
            memcpy(o, p, n * sizeof *o);
            continue;
        }
        const float *n1 = p - n, *n2 = n1 - n, *n3 = n2 - n, *s1 = p + n, *s2 = s1 + n, *s3 = s2 + n;
        memcpy(o, p, RADIUS * sizeof *o);
        memcpy(o + n - RADIUS, p + n - RADIUS, RADIUS * sizeof *o);
#pragma omp simd
        for (size_t j = RADIUS; j < n - RADIUS; j++)
            o[j] = c0 * p[j] + c1 * ((p[j - 1] + p[j + 1]) + (n1[j] + s1[j])) + c2 * ((p[j - 2] + p[j + 2]) + (n2[j] + s2[j])) +
                   c3 * ((p[j - 3] + p[j + 3]) + (n3[j] + s3[j]));
    }
}

/* ---- One CPU worker with OpenMP inside: its threads on all CPUs but the GPU workers' own ---- */

static int cpus[MOST_CPUS], cpu_count; /* that this process may use */
static int team[MOST_CPUS], team_size; /* the OpenMP threads' */
static int openmp;                     /* whether the CPU is one worker */
static _Thread_local int bound_to = -1;

static void list_cpus(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (int cpu = 0; cpu < MOST_CPUS && cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set)) cpus[cpu_count++] = cpu;
}

static void bind_thread(int cpu) {
    if (bound_to == cpu) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
    bound_to = cpu;
}

/* Each GPU has a worker, which runs this; several may at the same time. */
static void note_taken(void *arg) {
    atomic_bool *taken = arg;
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    if (CPU_COUNT(&set) == 1) /* bound, as StarPU's workers are */
        for (int cpu = 0; cpu < MOST_CPUS && cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &set)) atomic_store(&taken[cpu], 1);
}

static void form_team(int gpus) {
    static atomic_bool taken[MOST_CPUS];
    for (int cpu = 0; cpu < MOST_CPUS; cpu++) atomic_store(&taken[cpu], 0);
    if (gpus) starpu_execute_on_each_worker(note_taken, taken, STARPU_CUDA);
    team_size = 0;
    for (int i = 0; i < cpu_count; i++)
        if (!atomic_load(&taken[cpus[i]])) team[team_size++] = cpus[i];
    if (team_size == 0) team[team_size++] = cpus[0];
}

/* ---- Tasks ---- */

struct part {
    size_t lo, hi; /* iterations */
    size_t n;
    size_t first;  /* the first row of the input that it has */
};

static atomic_int on_gpu[MOST_GPUS]; /* blocks that each had in this loop */

static size_t cut(size_t n, size_t parts, size_t i) { return n / parts * i + (i < n % parts ? i : n % parts); }

/* A piece of the part for thread `i` of `of`. */
static struct part piece(const struct part *whole, size_t of, size_t i) {
    struct part p = *whole;
    const size_t len = whole->hi - whole->lo;
    p.lo = whole->lo + cut(len, of, i);
    p.hi = whole->lo + cut(len, of, i + 1);
    return p;
}

/* Runs BODY for part `p` of `w`: all of it, or by a team of threads. */
#define BY_TEAM(BODY)                                                     \
    do {                                                                  \
        if (openmp) {                                                     \
            _Pragma("omp parallel num_threads(team_size)") {              \
                const int me = omp_get_thread_num();                      \
                bind_thread(team[me]);                                    \
                const struct part p = piece(w, omp_get_num_threads(), me); \
                BODY;                                                     \
            }                                                             \
        } else {                                                          \
            const struct part p = *w;                                     \
            BODY;                                                         \
        }                                                                 \
    } while (0)

static void cpu_axpy(void *buffers[], void *arg) {
    const struct part *w = arg;
    const float *x = (const float *)STARPU_VECTOR_GET_PTR(buffers[0]);
    float *y = (float *)STARPU_VECTOR_GET_PTR(buffers[1]);
    BY_TEAM(axpy(p.hi - p.lo, A, x + (p.lo - w->lo), y + (p.lo - w->lo)));
}

static void cpu_sum(void *buffers[], void *arg) {
    const struct part *w = arg;
    const float *x = (const float *)STARPU_VECTOR_GET_PTR(buffers[0]);
    double *result = (double *)STARPU_VECTOR_GET_PTR(buffers[1]);
    if (!openmp) {
        *result = sum(w->hi - w->lo, x);
        return;
    }
    double total = 0;
#pragma omp parallel num_threads(team_size) reduction(+ : total)
    {
        const int me = omp_get_thread_num();
        bind_thread(team[me]);
        const struct part p = piece(w, omp_get_num_threads(), me);
        total += sum(p.hi - p.lo, x + (p.lo - w->lo));
    }
    *result = total;
}

static void cpu_matvec(void *buffers[], void *arg) {
    const struct part *w = arg;
    const float *a = (const float *)STARPU_MATRIX_GET_PTR(buffers[0]), *x = (const float *)STARPU_VECTOR_GET_PTR(buffers[1]);
    float *y = (float *)STARPU_VECTOR_GET_PTR(buffers[2]);
    BY_TEAM(matvec(p.hi - p.lo, p.n, a + (p.lo - w->lo) * p.n, x, y + (p.lo - w->lo)));
}

static void cpu_stencil2d(void *buffers[], void *arg) {
    const struct part *w = arg;
    const float *in = (const float *)STARPU_MATRIX_GET_PTR(buffers[0]);
    float *out = (float *)STARPU_MATRIX_GET_PTR(buffers[1]);
    BY_TEAM(stencil2d(p.lo, p.hi, p.n, in, p.first, out + (p.lo - w->lo) * p.n));
}

static void cpu_empty(void *buffers[], void *arg) { (void)buffers, (void)arg; }

#ifdef STARPU_USE_CUDA
static atomic_int product_failed; /* what cuBLAS said last of a product that it did not start */

static void count(void) {
    const int gpu = starpu_worker_get_devid(starpu_worker_get_id());
    if (gpu >= 0 && gpu < MOST_GPUS) atomic_fetch_add_explicit(&on_gpu[gpu], 1, memory_order_relaxed);
}

static void cuda_axpy(void *buffers[], void *arg) {
    const struct part *w = arg;
    count();
    gpu_axpy(starpu_cuda_get_local_stream(), (long long)(w->hi - w->lo), A, (const float *)STARPU_VECTOR_GET_PTR(buffers[0]),
             (float *)STARPU_VECTOR_GET_PTR(buffers[1]));
}

static void cuda_sum(void *buffers[], void *arg) {
    const struct part *w = arg;
    count();
    gpu_sum(starpu_cuda_get_local_stream(), starpu_worker_get_id(), (long long)(w->hi - w->lo),
            (const float *)STARPU_VECTOR_GET_PTR(buffers[0]), (double *)STARPU_VECTOR_GET_PTR(buffers[1]));
}

static void cuda_matvec(void *buffers[], void *arg) {
    const struct part *w = arg;
    count();
    gpu_matvec(starpu_cuda_get_local_stream(), (long long)(w->hi - w->lo), (long long)w->n,
               (const float *)STARPU_MATRIX_GET_PTR(buffers[0]), (const float *)STARPU_VECTOR_GET_PTR(buffers[1]),
               (float *)STARPU_VECTOR_GET_PTR(buffers[2]));
}

static void cuda_stencil2d(void *buffers[], void *arg) {
    const struct part *w = arg;
    count();
    gpu_stencil2d(starpu_cuda_get_local_stream(), (long long)w->lo, (long long)w->hi, (long long)w->n, WEIGHTS,
                  (const float *)STARPU_MATRIX_GET_PTR(buffers[0]), (long long)w->first,
                  (float *)STARPU_MATRIX_GET_PTR(buffers[1]));
}

/* A handle for each GPU's worker, on its stream. starpu_cublas_init would make one by the old interface of cuBLAS too, and end the
 * program where that fails. */
static cublasHandle_t products_by[STARPU_NMAXWORKERS];

static void open_products(void *none) {
    (void)none;
    cublasHandle_t *handle = &products_by[starpu_worker_get_id()];
    if (cublasCreate(handle) != CUBLAS_STATUS_SUCCESS) *handle = NULL;
    else cublasSetStream(*handle, starpu_cuda_get_local_stream());
}

static void close_products(void *none) {
    (void)none;
    cublasHandle_t *handle = &products_by[starpu_worker_get_id()];
    if (*handle) cublasDestroy(*handle);
    *handle = NULL;
}

/* Rows of C = A B by SGEMM, which reads matrices by columns: by it C' = B' A'. */
static void cuda_matmul(void *buffers[], void *arg) {
    const struct part *w = arg;
    const int rows = (int)(w->hi - w->lo), n = (int)w->n;
    const float one = 1, zero = 0;
    count();
    const cublasStatus_t status = cublasSgemm(
        products_by[starpu_worker_get_id()], CUBLAS_OP_N, CUBLAS_OP_N, n, rows, n, &one, (const float *)STARPU_MATRIX_GET_PTR(buffers[1]),
        (int)STARPU_MATRIX_GET_LD(buffers[1]), (const float *)STARPU_MATRIX_GET_PTR(buffers[0]),
        (int)STARPU_MATRIX_GET_LD(buffers[0]), &zero, (float *)STARPU_MATRIX_GET_PTR(buffers[2]), (int)STARPU_MATRIX_GET_LD(buffers[2]));
    if (status != CUBLAS_STATUS_SUCCESS) atomic_store(&product_failed, (int)status);
}

static void cuda_empty(void *buffers[], void *arg) {
    (void)buffers, (void)arg;
    count();
    gpu_nothing(starpu_cuda_get_local_stream());
}

static void cuda_reads(void *buffers[], void *arg) { (void)buffers, (void)arg; }
#define GPU(f) .cuda_funcs = {f}, .cuda_flags = {STARPU_CUDA_ASYNC}
#define WHERE (STARPU_CPU | STARPU_CUDA)
#else
#define GPU(f) .name = #f
#define WHERE STARPU_CPU
#endif

/* Blocks of one length take equally long, whatever their rows of neighbours: two blocks at the edges have fewer, and would
 * be calibrated for themselves. */
static uint32_t length_of(struct starpu_task *task) {
    const struct part *w = task->cl_arg;
    return (uint32_t)(w->hi - w->lo);
}

static char symbol[64];
static struct starpu_perfmodel model = {.type = STARPU_HISTORY_BASED, .symbol = symbol, .footprint = length_of};

struct workload {
    const char *name;
    int output; /* which array has the result */
    struct starpu_codelet codelet;
};

static struct workload workloads[] = {
    {"axpy", 1, {.where = WHERE, .cpu_funcs = {cpu_axpy}, GPU(cuda_axpy), .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .model = &model}},
    {"sum", 1, {.where = WHERE, .cpu_funcs = {cpu_sum}, GPU(cuda_sum), .nbuffers = 2, .modes = {STARPU_R, STARPU_W}, .model = &model}},
    {"matvec", 2, {.where = WHERE, .cpu_funcs = {cpu_matvec}, GPU(cuda_matvec), .nbuffers = 3, .modes = {STARPU_R, STARPU_R, STARPU_W}, .model = &model}},
    {"stencil2d", 1, {.where = WHERE, .cpu_funcs = {cpu_stencil2d}, GPU(cuda_stencil2d), .nbuffers = 2, .modes = {STARPU_R, STARPU_W}, .model = &model}},
#ifdef STARPU_USE_CUDA
    /* For GPUs alone: cores would want a library of their own. */
    {"matmul", 2, {.where = STARPU_CUDA, GPU(cuda_matmul), .nbuffers = 3, .modes = {STARPU_R, STARPU_R, STARPU_W}, .model = &model}},
#endif
    {"empty", -1, {.where = WHERE, .cpu_funcs = {cpu_empty}, GPU(cuda_empty), .nbuffers = 0, .model = &model}},
};

/* ---- Arrays in host memory ---- */

static void *allocate(size_t bytes) {
    const size_t huge = 2 << 20;
    bytes = (bytes + huge - 1) / huge * huge;
    char *memory = mmap(NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) die("no memory for the arrays");
    memory = (char *)(((uintptr_t)memory + huge - 1) / huge * huge);
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

/* 64 bits that depend on array and element alone. */
static inline uint64_t bits(uint64_t array, uint64_t i) {
    uint64_t z = (array << 56) + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In -1..1. */
static inline float signed_unit(uint64_t array, uint64_t i) { return (float)(int32_t)(bits(array, i) >> 40) * 0x1p-23f - 1.0f; }

static void fill(float *to, size_t n, uint64_t array) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) to[i] = signed_unit(array, i);
}

struct problem {
    struct workload *workload;
    size_t n, iterations;
    size_t elements[3], element_bytes[3];
    void *array[3];
    double expected_sum;
    double *expected;        /* of matvec; of matmul the elements of C v, and then those of some rows of C */
    double *v;               /* of matmul */
};

static size_t checked_row(size_t n, size_t i) { return i * (n - 1) / (CHECKED_ROWS - 1); }

/* y = M x */
static void times_vector(size_t n, const float *m, const double *x, double *y) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        double s = 0;
        for (size_t j = 0; j < n; j++) s += m[i * n + j] * x[j];
        y[i] = s;
    }
}

/* What is looked at of C = A B: some rows, and all of it by C v = A (B v). */
static void prepare_matmul(struct problem *p) {
    const size_t n = p->n;
    const float *a = p->array[0];
    float *b = p->array[1];
    fill(b, n * n, 1);
    p->v = malloc(n * sizeof(double));
    p->expected = calloc((1 + CHECKED_ROWS) * n, sizeof(double));
    double *bv = malloc(n * sizeof(double));
    if (!p->v || !p->expected || !bv) die("no memory for the reference");
    for (size_t i = 0; i < n; i++) p->v[i] = signed_unit(3, i);
    times_vector(n, b, p->v, bv);
    times_vector(n, a, bv, p->expected);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < CHECKED_ROWS; i++) {
        double *row = p->expected + (1 + i) * n;
        for (size_t k = 0; k < n; k++) {
            const double x = a[checked_row(n, i) * n + k];
            for (size_t j = 0; j < n; j++) row[j] += x * b[k * n + j];
        }
    }
    free(bv);
}

static void prepare(struct problem *p) {
    const char *name = p->workload->name;
    const size_t n = p->n;
    p->iterations = n;
    for (int i = 0; i < 3; i++) p->element_bytes[i] = sizeof(float);
    if (!strcmp(name, "axpy")) p->elements[0] = p->elements[1] = n;
    if (!strcmp(name, "sum")) p->elements[0] = n, p->elements[1] = MOST_BLOCKS, p->element_bytes[1] = sizeof(double);
    if (!strcmp(name, "matvec")) p->elements[0] = n * n, p->elements[1] = p->elements[2] = n;
    if (!strcmp(name, "stencil2d")) p->elements[0] = p->elements[1] = n * n;
    if (!strcmp(name, "matmul")) p->elements[0] = p->elements[1] = p->elements[2] = n * n;
    for (int i = 0; i < 3; i++)
        if (p->elements[i]) p->array[i] = allocate(p->elements[i] * p->element_bytes[i]);
    float *first = p->array[0];
    if (!strcmp(name, "sum")) {
        /* Multiples of 1/256 up to 1: any order of adding gives the same sum. */
        uint64_t steps = 0;
#pragma omp parallel for schedule(static) reduction(+ : steps)
        for (size_t i = 0; i < n; i++) {
            const uint64_t step = (bits(0, i) & 255) + 1;
            first[i] = (float)step / 256.0f;
            steps += step;
        }
        p->expected_sum = (double)steps / 256.0;
    } else if (first) {
        fill(first, p->elements[0], 0);
    }
    if (!strcmp(name, "matmul")) prepare_matmul(p);
    if (!strcmp(name, "matvec")) {
        float *x = p->array[1];
        fill(x, n, 1);
        p->expected = malloc(n * sizeof(double));
        if (!p->expected) die("no memory for the reference");
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < n; i++) {
            double s = 0;
            for (size_t j = 0; j < n; j++) s += (double)first[i * n + j] * x[j];
            p->expected[i] = s;
        }
    }
}

/* Puts the output back to what it was before any loop, or to what no loop writes. */
static void reset(struct problem *p) {
    if (p->workload->output < 0) return;
    if (!strcmp(p->workload->name, "axpy")) {
        fill(p->array[1], p->n, 1);
        return;
    }
    /* All bits set are a NaN. */
    unsigned char *out = p->array[p->workload->output];
    const size_t bytes = p->elements[p->workload->output] * p->element_bytes[p->workload->output];
#pragma omp parallel for schedule(static)
    for (size_t page = 0; page < (bytes + 4095) / 4096; page++)
        memset(out + page * 4096, 0xff, bytes - page * 4096 < 4096 ? bytes - page * 4096 : 4096);
}

/* Whether every element is right: the largest error by the largest value. */
static int verify(struct problem *p, double sum) {
    const char *name = p->workload->name;
    const size_t n = p->n;
    double error = 0, largest = 0;
    size_t wrong = 0; /* neither right nor wrong by some amount: not a number */
    if (!strcmp(name, "empty")) return 1;
    if (!strcmp(name, "sum")) {
        if (sum != p->expected_sum) fprintf(stderr, "sum is %.17g, expected %.17g\n", sum, p->expected_sum);
        return sum == p->expected_sum;
    }
    const float *in = p->array[0], *out = p->array[p->workload->output];
    if (!strcmp(name, "axpy")) {
#pragma omp parallel for schedule(static) reduction(max : error, largest) reduction(+ : wrong)
        for (size_t i = 0; i < n; i++) {
            const double expected = (double)signed_unit(1, i) + (double)A * in[i];
            wrong += isnan(out[i]);
            error = fmax(error, fabs(out[i] - expected)), largest = fmax(largest, fabs(expected));
        }
    } else if (!strcmp(name, "matvec")) {
        for (size_t i = 0; i < n; i++) {
            wrong += isnan(out[i]);
            error = fmax(error, fabs(out[i] - p->expected[i])), largest = fmax(largest, fabs(p->expected[i]));
        }
    } else if (!strcmp(name, "matmul")) {
        double *product = malloc(n * sizeof(double));
        if (!product) die("no memory to verify");
        times_vector(n, out, p->v, product);
        for (size_t i = 0; i < n; i++) {
            wrong += isnan(product[i]);
            error = fmax(error, fabs(product[i] - p->expected[i])), largest = fmax(largest, fabs(p->expected[i]));
        }
        free(product);
        int ok = wrong == 0 && error <= 1e-5 * largest;
        if (!ok) fprintf(stderr, "matmul, C v: error %g of %g, %zu are not numbers\n", error, largest, wrong);
        error = largest = 0, wrong = 0;
        for (size_t i = 0; i < CHECKED_ROWS; i++)
            for (size_t j = 0; j < n; j++) {
                const double expected = p->expected[(1 + i) * n + j], got = out[checked_row(n, i) * n + j];
                wrong += isnan(got);
                error = fmax(error, fabs(got - expected)), largest = fmax(largest, fabs(expected));
            }
        if (!ok) return 0;
    } else {
#pragma omp parallel for schedule(static) reduction(max : error, largest) reduction(+ : wrong)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double expected = in[i * n + j];
                if (i >= RADIUS && i + RADIUS < n && j >= RADIUS && j + RADIUS < n) {
                    expected *= WEIGHTS[0];
                    for (size_t r = 1; r <= RADIUS; r++)
                        expected += (double)WEIGHTS[r] * ((double)in[(i - r) * n + j] + in[(i + r) * n + j] + in[i * n + j - r] + in[i * n + j + r]);
                }
                wrong += isnan(out[i * n + j]);
                error = fmax(error, fabs(out[i * n + j] - expected)), largest = fmax(largest, fabs(expected));
            }
    }
    const int ok = wrong == 0 && error <= 1e-5 * largest;
    if (!ok) fprintf(stderr, "%s: error %g of %g, %zu are not numbers\n", name, error, largest, wrong);
    return ok;
}

/* ---- A loop ---- */

/* How results come back to host memory. */
enum back {
    THROUGH, /* written through by StarPU, at its lowest priority, as soon as a task has ended */
    ASKED,   /* asked for by the program right after each task was submitted, without waiting */
    THERE,   /* CPU cores alone: nothing is anywhere else */
};

struct loop {
    struct problem *problem;
    size_t blocks;
    enum back back;
    struct part *parts;
    starpu_data_handle_t whole[3], *block[3];
};

/* Blocks of rows with the rows of neighbours that the stencil reads. */
static void rows_with_neighbours(void *father, void *child, struct starpu_data_filter *filter, unsigned id, unsigned count) {
    const struct starpu_matrix_interface *all = father;
    struct starpu_matrix_interface *some = child;
    (void)filter;
    const size_t n = all->ny;
    size_t lo = cut(n, count, id), hi = cut(n, count, id + 1);
    lo = lo < RADIUS ? 0 : lo - RADIUS;
    hi = hi + RADIUS > n ? n : hi + RADIUS;
    some->id = all->id;
    some->nx = all->nx;
    some->ny = (uint32_t)(hi - lo);
    some->elemsize = all->elemsize;
    some->allocsize = (size_t)some->nx * some->ny * some->elemsize;
    if (all->dev_handle) {
        const size_t offset = lo * all->ld * all->elemsize;
        if (all->ptr) some->ptr = all->ptr + offset;
        some->ld = all->ld;
        some->dev_handle = all->dev_handle;
        some->offset = all->offset + offset;
    }
}

/* Divides array `i` into blocks. */
static void divide(struct loop *l, int i, void (*how)(void *, void *, struct starpu_data_filter *, unsigned, unsigned)) {
    struct starpu_data_filter filter = {.filter_func = how, .nchildren = (unsigned)l->blocks};
    starpu_data_partition(l->whole[i], &filter);
    l->block[i] = calloc(l->blocks, sizeof *l->block[i]);
    for (size_t b = 0; b < l->blocks; b++) l->block[i][b] = starpu_data_get_sub_data(l->whole[i], 1, (unsigned)b);
}

static void make(struct loop *l) {
    struct problem *p = l->problem;
    const char *name = p->workload->name;
    l->parts = calloc(l->blocks, sizeof *l->parts);
    for (size_t b = 0; b < l->blocks; b++) {
        struct part *w = &l->parts[b];
        w->n = p->n;
        w->lo = cut(p->iterations, l->blocks, b);
        w->hi = cut(p->iterations, l->blocks, b + 1);
        w->first = w->lo < RADIUS ? 0 : w->lo - RADIUS;
    }
    if (!strcmp(name, "empty")) return;
    const int matrices = !strcmp(name, "matvec") ? 1 : !strcmp(name, "stencil2d") ? 3 : !strcmp(name, "matmul") ? 7 : 0; /* a bit for each array */
    for (int i = 0; i < p->workload->codelet.nbuffers; i++) {
        const uintptr_t memory = (uintptr_t)p->array[i];
        const uint32_t n = (uint32_t)p->n;
        if (matrices >> i & 1) starpu_matrix_data_register(&l->whole[i], STARPU_MAIN_RAM, memory, n, n, n, sizeof(float));
        else if (!strcmp(name, "sum") && i == 1)
            starpu_vector_data_register(&l->whole[i], STARPU_MAIN_RAM, memory, (uint32_t)l->blocks, sizeof(double));
        else starpu_vector_data_register(&l->whole[i], STARPU_MAIN_RAM, memory, n, sizeof(float));
        if (i == p->workload->output && l->back == THROUGH) starpu_data_set_wt_mask(l->whole[i], 1u << STARPU_MAIN_RAM);
    }
    if (!strcmp(name, "stencil2d")) {
        divide(l, 0, rows_with_neighbours);
        divide(l, 1, starpu_matrix_filter_vertical_block);
    } else if (!strcmp(name, "matvec")) {
        divide(l, 0, starpu_matrix_filter_vertical_block);
        divide(l, 2, starpu_vector_filter_block);
    } else if (!strcmp(name, "matmul")) {
        divide(l, 0, starpu_matrix_filter_vertical_block);
        divide(l, 2, starpu_matrix_filter_vertical_block);
    } else {
        divide(l, 0, starpu_vector_filter_block);
        divide(l, 1, starpu_vector_filter_block);
    }
}

/* Ends all of it; the memory has the results. */
static void unmake(struct loop *l) {
    for (int i = 0; i < 3; i++) {
        if (!l->whole[i]) continue;
        if (l->block[i]) starpu_data_unpartition(l->whole[i], STARPU_MAIN_RAM);
        starpu_data_unregister(l->whole[i]);
        free(l->block[i]);
    }
    free(l->parts);
}

static void touch(starpu_data_handle_t handle, enum starpu_data_access_mode mode) {
    check(starpu_data_acquire(handle, mode), "starpu_data_acquire");
    starpu_data_release(handle);
}

/* As before a first loop: the host's memory alone has the arrays. GPUs keep memory for them. */
static void make_cold(struct loop *l) {
    if (l->back == THERE) return;
    for (int i = 0; i < l->problem->workload->codelet.nbuffers; i++) {
        if (!l->block[i]) touch(l->whole[i], STARPU_RW);
        else
            for (size_t b = 0; b < l->blocks; b++) touch(l->block[i][b], STARPU_RW);
    }
}

/* Gives every GPU memory for every block, any of which it may get in a later loop: each reads all. */
static void make_room(struct loop *l) {
    static struct starpu_codelet reads = {.where = WHERE, .cpu_funcs = {cpu_empty}, GPU(cuda_reads), .nbuffers = 1, .modes = {STARPU_R}};
    int workers[MOST_GPUS];
    const int gpus = starpu_worker_get_ids_by_type(STARPU_CUDA_WORKER, workers, MOST_GPUS);
    for (int i = 0; i < l->problem->workload->codelet.nbuffers; i++) {
        const size_t handles = l->block[i] ? l->blocks : 1;
        for (size_t b = 0; b < handles; b++)
            for (int gpu = 0; gpu < gpus; gpu++) {
                struct starpu_task *task = starpu_task_create();
                task->cl = &reads;
                task->handles[0] = l->block[i] ? l->block[i][b] : l->whole[i];
                task->execute_on_a_specific_worker = 1;
                task->workerid = (unsigned)workers[gpu];
                check(starpu_task_submit(task), "starpu_task_submit");
            }
    }
    starpu_task_wait_for_all();
}

static void arrived(void *handle) { starpu_data_release_on_node(handle, STARPU_MAIN_RAM); }

/* From the first submission until the results are in host memory. Returns milliseconds. */
static double once(struct loop *l, double *sum) {
    struct problem *p = l->problem;
    struct starpu_codelet *codelet = &p->workload->codelet;
    const int output = p->workload->output;
    for (int i = 0; i < MOST_GPUS; i++) atomic_store_explicit(&on_gpu[i], 0, memory_order_relaxed);
    const double start = now();
    for (size_t b = 0; b < l->blocks; b++) {
        struct starpu_task *task = starpu_task_create();
        task->cl = codelet;
        task->cl_arg = &l->parts[b];
        task->cl_arg_size = sizeof l->parts[b];
        for (int i = 0; i < codelet->nbuffers; i++) task->handles[i] = l->block[i] ? l->block[i][b] : l->whole[i];
        check(starpu_task_submit(task), "starpu_task_submit");
        if (output >= 0 && l->back == ASKED)
            starpu_data_acquire_on_node_cb(l->block[output][b], STARPU_MAIN_RAM, STARPU_R, arrived, l->block[output][b]);
    }
    starpu_task_wait_for_all();
    if (output >= 0 && l->back != THERE)
        for (size_t b = 0; b < l->blocks; b++) touch(l->block[output][b], STARPU_R);
    if (!strcmp(p->workload->name, "sum")) {
        *sum = 0;
        for (size_t b = 0; b < l->blocks; b++) *sum += ((double *)p->array[1])[b];
    }
    return now() - start;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double deadline; /* in `now`'s time; 0 is none */

static void measure(struct problem *p, const char *devices, int gpus, const char *label, enum back back, size_t blocks, int reps) {
    struct loop l = {.problem = p, .blocks = blocks, .back = back};
    double sum = 0;
    starpu_pause();
    reset(p);
    starpu_resume();
    make(&l);
    once(&l, &sum);
    make_cold(&l);
    starpu_pause();
    int ok = verify(p, sum);
    starpu_resume();
    make_room(&l);
    /* Ten samples of each GPU and of the CPU's cores calibrate a model. */
    const int empty = p->workload->output < 0;
    const int samples = 32 * (1 + (gpus ? gpus : 1));
    const int warm = empty ? 1 + (int)(200 / blocks) : 3 + (int)((size_t)samples / blocks);
    double *times = calloc((size_t)reps, sizeof *times);
    int *gpu = calloc((size_t)reps * MOST_GPUS, sizeof *gpu);
    for (int rep = -warm; rep < reps; rep++) {
        make_cold(&l);
        const double took = once(&l, &sum);
        if (rep >= 0) times[rep] = took;
        for (int i = 0; rep >= 0 && i < gpus; i++) gpu[rep * MOST_GPUS + i] = atomic_load(&on_gpu[i]);
        if (rep >= 2 && deadline > 0 && now() > deadline) reps = rep + 1;
    }
#ifdef STARPU_USE_CUDA
    /* A kernel that did not start took no time. */
    const char *failed = gpu_error();
    if (failed) fprintf(stderr, "%s, %s: a kernel did not start: %s\n", devices, label, failed), ok = 0;
    const int status = atomic_exchange(&product_failed, 0);
    if (status) fprintf(stderr, "%s, %s: cuBLAS did not start a product: status %d\n", devices, label, status), ok = 0;
#endif
    unmake(&l);
    fprintf(stderr, "%s %zu, %s, %s, %zu blocks, %d times, ms%s:", p->workload->name, p->n, devices, label, blocks, reps,
            gpus > 1 ? " (blocks on each GPU)" : gpus ? " (blocks on the GPU)" : "");
    for (int rep = 0; rep < reps && rep < 9; rep++) {
        fprintf(stderr, " %.4f", times[rep]);
        for (int i = 0; i < gpus; i++) fprintf(stderr, "%s%d%s", i ? "+" : " (", gpu[rep * MOST_GPUS + i], i + 1 < gpus ? "" : ")");
    }
    fprintf(stderr, "\n");
    qsort(times, (size_t)reps, sizeof *times, by_value);
    const double median = (times[(reps - 1) / 2] + times[reps / 2]) / 2;
    printf("%s,%zu,%s,%s,%zu,%.4f,%.4f,%s\n", p->workload->name, p->n, devices, label, blocks, median, times[0], ok ? "true" : "false");
    fflush(stdout);
    free(times);
    free(gpu);
}

/* How many GPUs are in `cpu+2`, `2` or `omp-cpu+2:lws:64`. */
static int gpus_of(const char *devices) { return atoi(devices + strcspn(devices, "0123456789:")); }

/* Ends the program if it is still in the same starpu_init or row after so many times STARPU_LOOPS_ROW_SECONDS; 0 is no longer. */
static void watch(unsigned times) {
    const char *seconds = getenv("STARPU_LOOPS_ROW_SECONDS");
    if (seconds) alarm(times * (unsigned)atoi(seconds));
}

/* All numbers of blocks on a set of devices under a scheduler. */
static void run(struct problem *p, const char *devices, const char *scheduler, enum back back, char *blocks, int reps,
                int gpu_follows) {
    const int gpus = gpus_of(devices), with_cpu = strstr(devices, "cpu") != NULL;
    if (gpus < 0 || gpus > MOST_GPUS || (!gpus && !with_cpu)) die("DEVICES are cpu, a number of GPUs, or both with a + between");
    if (with_cpu && !(p->workload->codelet.where & STARPU_CPU)) {
        fprintf(stderr, "%s: not run: %s is for GPUs alone\n", devices, p->workload->name);
        return;
    }
    openmp = strstr(devices, "omp") != NULL;
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.sched_policy_name = scheduler;
    conf.precedence_over_environment_variables = 1;
    conf.ncpus = !with_cpu ? 0 : openmp ? 1 : -1;
    if (conf.ncpus < 0 && getenv("STARPU_NCPU")) conf.ncpus = atoi(getenv("STARPU_NCPU"));
    conf.ncuda = gpus; /* the first */
    conf.nopencl = 0;
    /* A core for the thread that submits, which else has to share one with a worker. */
    const int core_free = strstr(devices, "free-") != NULL;
    conf.reserve_ncpus = core_free;
    /* How many tasks a GPU's worker fetches data for before the first of them has ended. */
    const int deep = strstr(devices, "deep-") != NULL;
    setenv("STARPU_CUDA_PIPELINE", deep ? "4" : "2", 1);
    conf.calibrate = 1;
    snprintf(symbol, sizeof symbol, "apportion_%s_%zu%s", p->workload->name, p->n, openmp ? "_openmp" : "");
    if (!gpus) back = THERE;
    if (deadline > 0 && now() > deadline) {
        fprintf(stderr, "%s, %s: not run: out of time\n", devices, scheduler);
        return;
    }
    const double start = now();
    watch(2); /* it may measure the bus */
    const int status = starpu_init(&conf);
    watch(0);
    if (status) {
        fprintf(stderr, "%s, %s: not run: starpu_init: %s\n", devices, scheduler, strerror(-status));
        return;
    }
    fprintf(stderr, "%s, %s: started in %.0f ms with %u CPU and %u CUDA workers\n", devices, scheduler, now() - start,
            starpu_cpu_worker_get_count(), starpu_cuda_worker_get_count());
    if ((unsigned)gpus > starpu_cuda_worker_get_count()) {
        fprintf(stderr, "%s: not run: too few GPUs\n", devices);
        starpu_shutdown();
        return;
    }
#ifdef STARPU_USE_CUDA
    const int products = !strcmp(p->workload->name, "matmul");
    if (products) starpu_execute_on_each_worker(open_products, NULL, STARPU_CUDA);
    /* Not before StarPU's first start, which may measure the bus and reset the GPU for that. */
    static int pinned;
    if (gpu_follows && !pinned) {
        const double before = now();
        for (int i = 0; i < 3; i++)
            if (p->array[i] && gpu_pin(p->array[i], p->elements[i] * p->element_bytes[i])) fprintf(stderr, "array %d is not page-locked\n", i);
        fprintf(stderr, "page-locked in %.0f ms\n", now() - before);
        pinned = 1;
    }
#endif
    (void)gpu_follows;
    form_team(gpus);
    char shown[32], label[64];
    snprintf(shown, sizeof shown, "%s", with_cpu ? "cpu" : "");
    if (gpus) snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s%d", with_cpu ? "+" : "", gpus);
    snprintf(label, sizeof label, "%s%s%s%s%s", scheduler, openmp ? " openmp" : "", core_free ? " free" : "", deep ? " deep" : "", gpus && p->workload->output >= 0 ? back == ASKED ? " asked" : " through" : "");
    for (char *rest = blocks, *word; (word = strsep(&rest, ",")) != NULL;) {
        const size_t count = (size_t)atoll(word);
        if (count < 1 || count > MOST_BLOCKS || (p->workload->output >= 0 && count > p->iterations)) continue;
        if (deadline > 0 && now() > deadline) {
            fprintf(stderr, "%s, %s, %zu blocks: not run: out of time\n", devices, label, count);
            continue;
        }
        watch(1);
        measure(p, shown, gpus, label, back, count, reps);
        watch(0);
    }
#ifdef STARPU_USE_CUDA
    if (products) starpu_execute_on_each_worker(close_products, NULL, STARPU_CUDA);
    const char *error = gpus ? gpu_error() : NULL;
    if (error) fprintf(stderr, "CUDA: %s\n", error);
#endif
    watch(1);
    starpu_shutdown();
    watch(0);
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr,
                        "usage: %s WORKLOAD N REPS DEVICES:SCHEDULER,..:BLOCKS,..[:asked|:through] ..\n"
                        "WORKLOAD is axpy, sum, matvec, stencil2d, matmul or empty; DEVICES is cpu, a number of GPUs, or both as in cpu+2;\n"
                        "after omp-, one CPU worker with OpenMP inside; after free-, a core left free; after deep-, four tasks in a GPU\n"
                        "worker's pipeline, not two. STARPU_LOOPS_SECONDS ends it early; a row that takes more than\n"
                        "STARPU_LOOPS_ROW_SECONDS ends it at once.\n", argv[0]);
        return 2;
    }
    list_cpus();
    const char *seconds = getenv("STARPU_LOOPS_SECONDS");
    if (seconds) deadline = now() + atof(seconds) * 1e3;
    static struct problem p;
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        if (!strcmp(workloads[i].name, argv[1])) p.workload = &workloads[i];
    if (!p.workload) die("no such workload");
    p.n = (size_t)atoll(argv[2]);
    const int reps = atoi(argv[3]);
    if (p.n < 1 || p.n > UINT32_MAX || reps < 1) die("N and REPS are at least 1, N at most 2^32 - 1");
    int version[3];
    starpu_get_version(&version[0], &version[1], &version[2]);
    fprintf(stderr, "StarPU %d.%d.%d\n", version[0], version[1], version[2]);
    int gpus = 0;
    for (int i = 4; i < argc; i++) gpus += gpus_of(argv[i]);
    const double start = now();
    prepare(&p);
    fprintf(stderr, "%s %zu: arrays in %.0f ms\n", argv[1], p.n, now() - start);
    for (int i = 4; i < argc; i++) {
        fprintf(stderr, "row %d: %s\n", i - 3, argv[i]);
        char *rest = argv[i];
        const char *devices = strsep(&rest, ":");
        char *schedulers = strsep(&rest, ":"), *blocks = strsep(&rest, ":");
        const char *back = strsep(&rest, ":");
        if (!schedulers || !blocks) die("DEVICES:SCHEDULER,..:BLOCKS,.. expected");
        for (char *scheduler; (scheduler = strsep(&schedulers, ",")) != NULL;) {
            char copy[256];
            snprintf(copy, sizeof copy, "%s", blocks);
            if (back && strcmp(back, "through") && strcmp(back, "asked")) die("the fourth word of a row is `asked` or `through`");
            const enum back how = back && !strcmp(back, "through") ? THROUGH : ASKED;
            run(&p, devices, scheduler, how, copy, reps, gpus > 0);
        }
    }
    return 0;
}
