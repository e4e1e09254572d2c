typedef unsigned char byte;

// Copies `outer` times `inner` runs of `units` units of `unit` bytes, with a thread for each of `all` units.
static __device__ __forceinline__ void
copy_box(byte *to, const byte *from, long long unit, long long units, long long inner, long long all, long long to_inner,
         long long to_outer, long long from_inner, long long from_outer) {
    const long long at = (long long)blockIdx.x * 256 + threadIdx.x;
    if (at >= all) return;
    const long long in_run = at % units * unit, run = at / units, i = run % inner, j = run / inner;
    to += i * to_inner + j * to_outer + in_run;
    from += i * from_inner + j * from_outer + in_run;
    // All threads of a block take the same branch.
    if (unit == 16) *(uint4 *)to = *(const uint4 *)from;
    else if (unit == 8) *(uint2 *)to = *(const uint2 *)from;
    else if (unit == 4) *(unsigned *)to = *(const unsigned *)from;
    else *to = *from;
}

#define BOX(k) \
    byte *to##k, const byte *from##k, long long unit##k, long long units##k, long long inner##k, long long all##k, \
        long long to_inner##k, long long to_outer##k, long long from_inner##k, long long from_outer##k
#define COPY(k) \
    case k: \
        copy_box(to##k, from##k, unit##k, units##k, inner##k, all##k, to_inner##k, to_outer##k, from_inner##k, from_outer##k); \
        break

// Copies up to four boxes, each with its own row of blocks.
extern "C" __global__ void __launch_bounds__(256) copy_boxes(BOX(0), BOX(1), BOX(2), BOX(3)) {
    switch (blockIdx.y) {
        COPY(0);
        COPY(1);
        COPY(2);
        COPY(3);
    }
}
