// Comes before each kernel.cu of these applications.
// Options: REAL, the type of the elements; GROUP, threads in a block.
using T = REAL;

#define LANES (16 / (int)sizeof(T))

// Neighbouring cells of a row: LANES of them, which go through memory as a vector of 16 bytes, or one.
template <int N>
union Cells {
    uint4 bits;
    T at[N];
};

// Of an array that no thread writes.
template <int N>
__device__ __forceinline__ Cells<N> load(const T *p) {
    Cells<N> cells;
    if constexpr (N == LANES) cells.bits = __ldg((const uint4 *)p);
    else cells.at[0] = __ldg(p);
    return cells;
}

template <int N>
__device__ __forceinline__ void store(T *p, const Cells<N> &cells) {
    if constexpr (N == LANES) __stcs((uint4 *)p, cells.bits);
    else __stcs(p, cells.at[0]);
}

// Whether every row of these arrays starts at a vector. The same for all threads.
template <class... Pointers>
__device__ __forceinline__ bool aligned(long long row_len, Pointers... arrays) {
    return (((unsigned long long)(row_len * (long long)sizeof(T)) | ... | (unsigned long long)arrays) & 15) == 0;
}

struct Rows {
    long long from, to;
};

// Of rows first..end, those of strip `strip`: all strips are as high, or one row higher.
__device__ __forceinline__ Rows strip_of(long long first, long long end, unsigned strip, unsigned strips) {
    const long long height = (end - first) / strips, higher = (end - first) - height * strips;
    const long long from = first + strip * height + min((long long)strip, higher);
    return {from, from + height + (strip < higher)};
}
#line 1 "kernel.cu"
