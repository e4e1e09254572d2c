#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define GROUP 16
#define EACH 4
#define TILE (GROUP * EACH)
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
