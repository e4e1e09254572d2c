// Options: BLOCKS, neighbouring 16x16 blocks that a thread block searches for; GROUP, its threads, at least 17 for each.
#define SIDE 16
#define RADIUS 8
#define ACROSS (2 * RADIUS + 1)
#define WINDOW (SIDE + 2 * RADIUS)

typedef unsigned char byte;

// Eight bytes of a frame, aligned in the frame, of which the array need not be.
__device__ __forceinline__ uint2 load8(const byte *p, bool aligned) {
    if (aligned) return __ldg((const uint2 *)p);
    uint2 v = {0, 0};
    for (int k = 0; k < 4; k++) {
        v.x |= (unsigned)p[k] << 8 * k;
        v.y |= (unsigned)p[k + 4] << 8 * k;
    }
    return v;
}

// sum + the absolute differences of four bytes.
__device__ __forceinline__ unsigned add_differences(unsigned sum, unsigned a, unsigned b) {
    unsigned result;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
}

// A thread has one block and one dy and keeps the sums of all dx in registers: each row of the window is read once for
// them, and shifted by whole bytes. A candidate's key is its SAD and then its number, so that the least key is the least
// SAD, and of equal ones the smallest (dy, dx).
extern "C" __global__ void __launch_bounds__(GROUP)
bm2d(long long lo, long long hi, long long n, const byte *__restrict__ current, long long current_first,
     const byte *__restrict__ reference, long long reference_first, int *__restrict__ result, long long result_first) {
    // Rows 272 bytes apart: threads at neighbouring dy read neighbouring rows from different banks.
    __shared__ uint4 window[WINDOW][BLOCKS + 1];
    __shared__ uint4 own[SIDE][BLOCKS];
    __shared__ unsigned keys[BLOCKS];
    const int item = threadIdx.x;
    const long long by = lo + blockIdx.y, y0 = by * SIDE, x0 = (long long)blockIdx.x * (BLOCKS * SIDE);
    current -= current_first;
    reference -= reference_first;

    // n is a multiple of 16: eight bytes are all within the frame or all outside, and aligned if the array is.
    const bool own_aligned = ((unsigned long long)current & 7) == 0;
    const bool window_aligned = ((unsigned long long)reference & 7) == 0;
    for (int p = item; p < SIDE * BLOCKS * 2; p += GROUP) {
        const long long y = y0 + p / (BLOCKS * 2), x = x0 + p % (BLOCKS * 2) * 8;
        ((uint2 *)own)[p] = x < n ? load8(current + (y * n + x), own_aligned) : make_uint2(0, 0);
    }
    for (int p = item; p < WINDOW * (BLOCKS + 1) * 2; p += GROUP) {
        const long long y = y0 - RADIUS + p / ((BLOCKS + 1) * 2), x = x0 - RADIUS + p % ((BLOCKS + 1) * 2) * 8;
        const bool inside = y >= 0 && y < n && x >= 0 && x < n;
        ((uint2 *)window)[p] = inside ? load8(reference + (y * n + x), window_aligned) : make_uint2(0, 0);
    }
    if (item < BLOCKS) keys[item] = 0xffffffffu;
    __syncthreads();

    const int block = item / ACROSS, dy = item % ACROSS;
    const long long top = y0 - RADIUS + dy, left = x0 + block * SIDE - RADIUS;
    if (block < BLOCKS && left + RADIUS < n && top >= 0 && top + SIDE <= n) {
        unsigned sums[ACROSS] = {};
        for (int r = 0; r < SIDE; r++) {
            const uint4 a = own[r][block], first = window[dy + r][block], second = window[dy + r][block + 1];
            const unsigned ours[4] = {a.x, a.y, a.z, a.w};
            const unsigned theirs[9] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w, 0};
#pragma unroll
            for (int shift = 0; shift < 4; shift++) {
                unsigned shifted[8];
#pragma unroll
                for (int k = 0; k < 8; k++) shifted[k] = __funnelshift_r(theirs[k], theirs[k + 1], 8 * shift);
#pragma unroll
                for (int dx = shift; dx < ACROSS; dx += 4)
#pragma unroll
                    for (int k = 0; k < 4; k++) sums[dx] = add_differences(sums[dx], ours[k], shifted[dx / 4 + k]);
            }
        }
        unsigned least = 0xffffffffu;
#pragma unroll
        for (int dx = 0; dx < ACROSS; dx++)
            if (left + dx >= 0 && left + dx + SIDE <= n) least = min(least, sums[dx] << 9 | (dy * ACROSS + dx));
        atomicMin(&keys[block], least);
    }
    __syncthreads();

    if (item < BLOCKS && x0 + item * SIDE < n) {
        int *out = result + ((by * (n / SIDE) + (long long)blockIdx.x * BLOCKS + item) * 3 - result_first);
        const int candidate = (int)(keys[item] & 511u);
        out[0] = candidate / ACROSS - RADIUS;
        out[1] = candidate % ACROSS - RADIUS;
        out[2] = (int)(keys[item] >> 9);
    }
}
