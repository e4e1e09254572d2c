#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define GROUP 16
#define EACH 4
#define TILE (GROUP * EACH)
#ifdef APPORTION_CPU
#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#ifdef __AVX512F__
#define ROWS 8
#define LANES_OF_float 16
#define LANES_OF_double 8
#else
#define ROWS 4
#define LANES_OF_float 8
#define LANES_OF_double 4
#endif
#define LANES JOINED(LANES_OF_, T)
#define V JOINED(T, LANES)
#define LOAD(p) JOINED(vload, LANES)(0, p)
#define STORE(v, p) JOINED(vstore, LANES)(v, 0, p)
/* Bytes are the same in either precision: 16 KiB of sums, 16 KiB of copies at most; some drivers have no more. */
#define HEIGHT (4 * TILE / (int)sizeof(T))
#define DEPTH (128 / (int)sizeof(T))

/* On a CPU one item computes the whole tile of its group, ROWS x 2 vectors at a time with their sums in registers; the
   others have nothing to do. Rows and columns beyond the matrices are zeros in the copies. */
__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
void matmul(long lo, long hi, long n, __global const T *restrict a, long a_first, __global const T *restrict b,
            long b_first, __global T *restrict c, long c_first) {
    __local T a_part[HEIGHT * DEPTH];
    __local T b_part[DEPTH * TILE];
    __local T c_part[HEIGHT * TILE];
    if (get_local_id(0) != 0 || get_local_id(1) != 0) return;
    const long j0 = (long)get_group_id(0) * TILE, tile = lo + (long)get_group_id(1) * TILE;
    const int width = (int)min(n - j0, (long)TILE);

    for (long i0 = tile; i0 < min(hi, tile + TILE); i0 += HEIGHT) {
        const int height = (int)min(hi - i0, (long)HEIGHT);
        for (long k0 = 0; k0 < n; k0 += DEPTH) {
            const int depth = (int)min(n - k0, (long)DEPTH);
            for (int i = 0; i < HEIGHT; i++) {
                __global const T *from = a + ((i0 + i) * n + k0 - a_first);
                if (i < height && depth == DEPTH) {
                    for (int k = 0; k < DEPTH; k += LANES) STORE(LOAD(from + k), a_part + i * DEPTH + k);
                } else {
                    for (int k = 0; k < DEPTH; k++) a_part[i * DEPTH + k] = i < height && k < depth ? from[k] : (T)0;
                }
            }
            for (int k = 0; k < depth; k++) {
                __global const T *from = b + ((k0 + k) * n + j0 - b_first);
                if (width == TILE) {
                    for (int j = 0; j < TILE; j += LANES) STORE(LOAD(from + j), b_part + k * TILE + j);
                } else {
                    for (int j = 0; j < TILE; j++) b_part[k * TILE + j] = j < width ? from[j] : (T)0;
                }
            }
            for (int i = 0; i < height; i += ROWS) {
                for (int j = 0; j < width; j += 2 * LANES) {
                    __local T *part = c_part + i * TILE + j;
                    V sums[ROWS][2];
                    #pragma unroll
                    for (int r = 0; r < ROWS; r++) {
                        sums[r][0] = k0 == 0 ? (V)0 : LOAD(part + r * TILE);
                        sums[r][1] = k0 == 0 ? (V)0 : LOAD(part + r * TILE + LANES);
                    }
                    for (int k = 0; k < depth; k++) {
                        const V b0 = LOAD(b_part + k * TILE + j), b1 = LOAD(b_part + k * TILE + j + LANES);
                        #pragma unroll
                        for (int r = 0; r < ROWS; r++) {
                            const V from_a = (V)a_part[(i + r) * DEPTH + k];
                            sums[r][0] += from_a * b0;
                            sums[r][1] += from_a * b1;
                        }
                    }
                    #pragma unroll
                    for (int r = 0; r < ROWS; r++) {
                        STORE(sums[r][0], part + r * TILE);
                        STORE(sums[r][1], part + r * TILE + LANES);
                    }
                }
            }
        }
        for (int i = 0; i < height; i++) {
            __global T *to = c + ((i0 + i) * n + j0 - c_first);
            if (width == TILE) {
                for (int j = 0; j < TILE; j += LANES) STORE(LOAD(c_part + i * TILE + j), to + j);
            } else {
                for (int j = 0; j < width; j++) to[j] = c_part[i * TILE + j];
            }
        }
    }
}
#else
#define DEPTH 16

/* A group of 16 x 16 computes a tile of 64 x 64, an item every 16th row and column of it. */
__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
void matmul(long lo, long hi, long n, __global const T *restrict a, long a_first, __global const T *restrict b,
            long b_first, __global T *restrict c, long c_first) {
    __local T a_part[DEPTH][TILE + 1];
    __local T b_part[DEPTH][TILE];
    const int tx = (int)get_local_id(0), ty = (int)get_local_id(1);
    const int item = ty * GROUP + tx;
    const long j0 = (long)get_group_id(0) * TILE, i0 = lo + (long)get_group_id(1) * TILE;

    T sums[EACH][EACH];
    for (int r = 0; r < EACH; r++)
        for (int s = 0; s < EACH; s++) sums[r][s] = 0;

    for (long k0 = 0; k0 < n; k0 += DEPTH) {
        for (int p = item; p < TILE * DEPTH; p += GROUP * GROUP) {
            long i = i0 + p / DEPTH, k = k0 + p % DEPTH;
            a_part[p % DEPTH][p / DEPTH] = i < hi && k < n ? a[i * n + k - a_first] : (T)0;
            long kb = k0 + p / TILE, j = j0 + p % TILE;
            b_part[p / TILE][p % TILE] = kb < n && j < n ? b[kb * n + j - b_first] : (T)0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < DEPTH; k++) {
            T from_a[EACH], from_b[EACH];
            for (int r = 0; r < EACH; r++) from_a[r] = a_part[k][ty + r * GROUP];
            for (int s = 0; s < EACH; s++) from_b[s] = b_part[k][tx + s * GROUP];
            for (int r = 0; r < EACH; r++)
                for (int s = 0; s < EACH; s++) sums[r][s] += from_a[r] * from_b[s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < EACH; r++) {
        for (int s = 0; s < EACH; s++) {
            long i = i0 + ty + r * GROUP, j = j0 + tx + s * GROUP;
            if (i < hi && j < n) c[i * n + j - c_first] = sums[r][s];
        }
    }
}
#endif
