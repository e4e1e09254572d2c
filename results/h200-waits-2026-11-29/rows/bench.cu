// Sparse products whose rows differ in length: ways to divide them, modelled on the text that #[kernel] makes; by hand; cuSPARSE.
// nvcc -O3 -std=c++17 -arch=native --fmad=false bench.cu -lcusparse -o bench && ./bench > rows.csv
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
typedef long long ap_i64; typedef unsigned long long ap_u64; typedef unsigned ap_u32; typedef unsigned char ap_u8;
typedef ap_i64 i64; typedef ap_u64 u64; typedef ap_u32 u32;
#ifdef EMU
#include "emu.h"
#define HAND_MASK ((ALL >> (32 - W)) << (AP_LANE % 32 & ~(W - 1)))
#else
#include <cuda_runtime.h>
#define HAND_MASK ALL
#include <cusparse.h>
#define LAUNCH(kernel, grid, block, ...) kernel<<<(unsigned)(grid), block>>>(__VA_ARGS__)
#endif
// KERNELS
#define AP_FN static __device__ __forceinline__
#define AP_RESTRICT __restrict__
#define AP_LANE ((int)threadIdx.x)
#define AP_GROUP_ID ((ap_i64)blockIdx.x)
#define AP_GROUPS ((ap_i64)gridDim.x)
#define AP_BARRIER __syncthreads()
#define AP_UNROLL _Pragma("unroll 4")
#define ALL 0xffffffffu
AP_FN void ap_amiss(volatile ap_u64 *report, ap_i64 index, ap_u64 note) { *report = note | ((ap_u64)index & 0x00ffffffffffffffu); }
AP_FN double ap_at_f64(const double *x, ap_i64 first, ap_u64 count, ap_i64 index, ap_u64 note, volatile ap_u64 *report) {
    const ap_u64 at = (ap_u64)index - (ap_u64)first;
    if (at < count) return x[at];
    ap_amiss(report, index, note);
    return 0;
}
AP_FN ap_u32 ap_at_u32(const ap_u32 *x, ap_i64 first, ap_u64 count, ap_i64 index, ap_u64 note, volatile ap_u64 *report) {
    const ap_u64 at = (ap_u64)index - (ap_u64)first;
    if (at < count) return x[at];
    ap_amiss(report, index, note);
    return 0;
}
// The same, but what is amiss is kept in a register and reported at the end: the store of a report has loads wait, also where there is none.
template <class T> AP_FN T ap_later(const T *x, ap_i64 first, ap_u64 count, ap_i64 index, ap_u64 note, ap_u64 &said) {
    const ap_u64 at = (ap_u64)index - (ap_u64)first;
    if (at < count) return x[at];
    said = note | ((ap_u64)index & 0x00ffffffffffffffu);
    return 0;
}
// The same without branches: what is outside is read from the report's place.
template <class T> AP_FN T ap_free(const T *x, ap_i64 first, ap_u64 count, ap_i64 index, ap_u64 note, ap_u64 &said, volatile ap_u64 *report) {
    const ap_u64 at = (ap_u64)index - (ap_u64)first;
    const T value = *(at < count ? x + at : (const T *)report);
    said = at < count ? said : note | ((ap_u64)index & 0x00ffffffffffffffu);
    return at < count ? value : 0;
}
AP_FN double ap_gather_sum_f64(double a, double b) { return (double)((double)a + (double)b); }
template <int GROUP> AP_FN double ap_group_sum_f64(double value, double *scratch) {
    for (int stride = 16; stride > 0; stride /= 2) value = ap_gather_sum_f64(value, __shfl_down_sync(ALL, value, stride));
    const int lane = AP_LANE;
    if (lane % 32 == 0) scratch[lane / 32] = value;
    AP_BARRIER;
    value = scratch[lane % (GROUP / 32)];
    for (int stride = GROUP / 64; stride > 0; stride /= 2) value = ap_gather_sum_f64(value, __shfl_down_sync(ALL, value, stride));
    AP_BARRIER;
    return __shfl_sync(ALL, value, 0);
}
AP_FN double ap_line_sum_f64(double value, int wide) {
    const ap_u32 line = (0xffffffffu >> (32 - wide)) << (AP_LANE % 32 & ~(wide - 1));
    for (int stride = wide / 2; stride > 0; stride /= 2) value = ap_gather_sum_f64(value, __shfl_xor_sync(line, value, stride));
    return wide > 1 ? __shfl_sync(line, value, AP_LANE % 32 & ~(wide - 1)) : value;
}
// The same where all work-items of the warp are there.
AP_FN double ap_warp_sum_f64(double value, int wide) {
    for (int stride = wide / 2; stride > 0; stride /= 2) value = ap_gather_sum_f64(value, __shfl_xor_sync(ALL, value, stride));
    return wide > 1 ? __shfl_sync(ALL, value, AP_LANE % 32 & ~(wide - 1)) : value;
}
#define PARAMETERS const ap_i64 lo, const ap_i64 hi, const ap_u32 *AP_RESTRICT starts, const ap_i64 starts_first, const ap_u32 *AP_RESTRICT columns_v, const ap_i64 columns_v_first, const ap_u64 columns_v_count, const double *AP_RESTRICT values, const ap_i64 values_first, const ap_u64 values_count, const double *AP_RESTRICT x, const ap_i64 x_first, const ap_u64 x_count, double *AP_RESTRICT y, const ap_i64 y_first, volatile ap_u64 *ap_report
#define FROM(i) (ap_i64)((ap_u64)starts[(ap_i64)(i) - starts_first])
#define TO(i) (ap_i64)((ap_u64)starts[(ap_i64)((i) + 1) - starts_first])
#define CHECKED(k) ap_at_f64(values, values_first, values_count, (ap_i64)(k), 0x200000000000000u, ap_report) * ap_at_f64(x, x_first, x_count, (ap_i64)((ap_u64)ap_at_u32(columns_v, columns_v_first, columns_v_count, (ap_i64)(k), 0x100000000000000u, ap_report)), 0x300000000000000u, ap_report)
#define LATER(k) ap_later(values, values_first, values_count, (ap_i64)(k), 0x200000000000000u, ap_said) * ap_later(x, x_first, x_count, (ap_i64)((ap_u64)ap_later(columns_v, columns_v_first, columns_v_count, (ap_i64)(k), 0x100000000000000u, ap_said)), 0x300000000000000u, ap_said)
#define FREE(k) ap_free(values, values_first, values_count, (ap_i64)(k), 0x200000000000000u, ap_said, ap_report) * ap_free(x, x_first, x_count, (ap_i64)((ap_u64)ap_free(columns_v, columns_v_first, columns_v_count, (ap_i64)(k), 0x100000000000000u, ap_said, ap_report)), 0x300000000000000u, ap_said, ap_report)
#define BOUNDED(k) values[(ap_i64)(k) - values_first] * ap_later(x, x_first, x_count, (ap_i64)((ap_u64)columns_v[(ap_i64)(k) - columns_v_first]), 0x300000000000000u, ap_said)
// LOOP: 0 as generated now; 1 reports later; 2 so, and turns of four and of one have loops of their own; 3 without checks; 4 as 1 without branches;
// 5 and 6 as 1 and 2, but the ends of the loop are compared with the arrays indexed by k before it.
#define TURN(LOOP, k_at, part) { const ap_u64 k = (ap_u64)(k_at); part += LOOP == 3 ? values[(ap_i64)k - values_first] * x[(ap_i64)(ap_u64)columns_v[(ap_i64)k - columns_v_first] - x_first] : LOOP == 4 ? FREE(k) : LOOP >= 5 ? BOUNDED(k) : LOOP ? LATER(k) : CHECKED(k); }
#define END_REPORT if (ap_said) *ap_report = ap_said;
#define PLAIN(LOOP, from, to, lane, lanes, part) \
    if (LOOP != 2 && LOOP != 6) { AP_UNROLL for (ap_i64 k_at = (from) + (lane); k_at < (to); k_at += (lanes)) TURN(LOOP, k_at, part) } \
    else { \
        ap_i64 k_at = (from) + (lane); \
        for (; k_at + 3 * (lanes) < (to); k_at += 4 * (lanes)) { _Pragma("unroll") for (int u = 0; u < 4; u++) TURN(LOOP, k_at + u * (lanes), part) } \
        _Pragma("unroll 1") for (; k_at < (to); k_at += (lanes)) TURN(LOOP, k_at, part) \
    }
#define WITHIN(array, from, to) ((ap_u64)(from) - (ap_u64)array##_first < array##_count && (ap_u64)(to) - 1 - (ap_u64)array##_first < array##_count)
#define TURNS(LOOP, from, to, lane, lanes, part) { ap_u64 ap_said = 0; \
    if (LOOP < 5 || (to) <= (from) || WITHIN(values, from, to) && WITHIN(columns_v, from, to)) { PLAIN(LOOP, from, to, lane, lanes, part) } \
    else { _Pragma("unroll 1") for (ap_i64 k_at = (from) + (lane); k_at < (to); k_at += (lanes)) TURN(1, k_at, part) } \
    END_REPORT }

// As generated now: lines of W.
template <int W, int LOOP, int BLOCKS> __global__ void __launch_bounds__(256, BLOCKS) line(PARAMETERS) {
    const int ap_wide = W;
    const ap_i64 lane = AP_LANE % W, lanes = W;
    const bool first = lane == 0;
    for (ap_i64 row = lo + (AP_GROUP_ID * 256 + AP_LANE) / W; row < hi; row += AP_GROUPS * (256 / W)) {
        const ap_u64 i = (ap_u64)row;
        double sum = 0.0, sum_part = 0;
        const ap_i64 from = FROM(i), to = TO(i);
        TURNS(LOOP, from, to, lane, lanes, sum_part)
        sum_part = ap_line_sum_f64(sum_part, ap_wide);
        sum = ap_gather_sum_f64(sum, sum_part);
        if (first) y[(ap_i64)(i) - y_first] = sum;
    }
}
// As generated now: the width by data, of each warp.
template <int LOOP, int BLOCKS> __global__ void __launch_bounds__(256, BLOCKS) by_data(PARAMETERS) {
    const ap_i64 ap_warps = AP_GROUPS * 8, ap_item = AP_LANE % 32;
    const ap_i64 ap_warp = AP_GROUP_ID * 8 + AP_LANE / 32;
    int ap_log_most = 0;
    while (ap_log_most < 5 && (ap_warps << ap_log_most) < hi - lo) ap_log_most++;
    const int ap_most = 1 << ap_log_most;
    for (ap_i64 ap_begin = lo + ap_warp * ap_most; ap_begin < hi; ap_begin += ap_warps * ap_most) {
        ap_i64 ap_turns = 0;
        if (ap_item < ap_most && ap_begin + ap_item < hi) {
            const ap_u64 i = (ap_u64)(ap_begin + ap_item);
            const ap_i64 ap_from = FROM(i), ap_to = TO(i);
            ap_turns = ap_to > ap_from ? ap_to - ap_from : 0;
        }
        for (int ap_stride = 16; ap_stride > 0; ap_stride /= 2) ap_turns += __shfl_xor_sync(ALL, ap_turns, ap_stride);
        int ap_log = 5 - ap_log_most;
        while (ap_log < 5 && ((ap_i64)(4 * ap_most) << ap_log) < ap_turns) ap_log++;
        const int ap_wide = 1 << ap_log;
        const ap_i64 lane = ap_item & (ap_wide - 1), lanes = ap_wide, ap_line = ap_item >> ap_log;
        const bool first = lane == 0;
        for (int ap_done = 0; ap_done < ap_most; ap_done += 32 >> ap_log) {
            const ap_i64 row = ap_begin + ap_done + ap_line;
            if (row >= hi) break;
            const ap_u64 i = (ap_u64)row;
            double sum = 0.0, sum_part = 0;
            const ap_i64 from = FROM(i), to = TO(i);
            TURNS(LOOP, from, to, lane, lanes, sum_part)
            sum_part = ap_line_sum_f64(sum_part, ap_wide);
            sum = ap_gather_sum_f64(sum, sum_part);
            if (first) y[(ap_i64)(i) - y_first] = sum;
        }
    }
}

// Rows of more turns than HUGE are in a list for all groups, in pieces; who ends the last piece of a row ends the row.
const int SLOTS = 64, PIECES = 256; const ap_i64 HUGE_ROW = 16384, PIECE = 4096;
struct Help { ap_u32 count, exits, next[SLOTS], done[SLOTS], ready[SLOTS]; ap_i64 row[SLOTS]; double part[SLOTS][PIECES]; };
AP_FN bool publish(Help *help, ap_i64 row) {
    const ap_u32 slot = atomicAdd(&help->count, 1u);
    if (slot >= SLOTS) return false;
    *(volatile ap_i64 *)&help->row[slot] = row;
    __threadfence();
    atomicExch(&help->ready[slot], 1u);
    return true;
}
template <int GROUP, int LOOP> AP_FN void pieces(Help *help, double *scratch_f64, PARAMETERS) {
    __shared__ ap_u32 told;
    for (ap_u32 s = 0;; s++) {
        AP_BARRIER;
        if (AP_LANE == 0) told = *(volatile ap_u32 *)&help->count;
        AP_BARRIER;
        const ap_u32 n = told < SLOTS ? told : SLOTS;
        if (s >= n) break;
        const ap_u32 slot = (s + (ap_u32)AP_GROUP_ID) % n;
        AP_BARRIER;
        if (AP_LANE == 0) { told = *(volatile ap_u32 *)&help->ready[slot]; __threadfence(); }
        AP_BARRIER;
        if (!told) continue;
        const ap_i64 row = *(volatile ap_i64 *)&help->row[slot];
        const ap_u64 i = (ap_u64)row;
        const ap_i64 from = FROM(i), to = TO(i), each = max(PIECE, (to - from + PIECES - 1) / PIECES);
        const ap_u32 all = (ap_u32)((to - from + each - 1) / each);
        for (;;) {
            AP_BARRIER;
            if (AP_LANE == 0) told = *(volatile ap_u32 *)&help->next[slot] < all ? atomicAdd(&help->next[slot], 1u) : all;
            AP_BARRIER;
            const ap_u32 piece = told;
            if (piece >= all) break;
            double sum_part = 0;
            const ap_i64 begin = from + piece * each, end = min(begin + each, to);
            TURNS(LOOP, begin, end, AP_LANE, GROUP, sum_part)
            sum_part = ap_group_sum_f64<GROUP>(sum_part, scratch_f64);
            if (AP_LANE == 0) {
                *(volatile double *)&help->part[slot][piece] = sum_part;
                __threadfence();
                told = atomicAdd(&help->done[slot], 1u) == all - 1;
                __threadfence();
            }
            AP_BARRIER;
            if (told) {
                sum_part = 0;
                for (ap_u32 p = AP_LANE; p < all; p += GROUP) sum_part += *(volatile double *)&help->part[slot][p];
                sum_part = ap_group_sum_f64<GROUP>(sum_part, scratch_f64);
                double sum = 0.0;
                sum = ap_gather_sum_f64(sum, sum_part);
                if (AP_LANE == 0) y[(ap_i64)(i) - y_first] = sum;
            }
        }
    }
    if (AP_LANE == 0 && atomicInc(&help->exits, (ap_u32)AP_GROUPS - 1) == (ap_u32)AP_GROUPS - 1) {
        const ap_u32 n = min(help->count, (ap_u32)SLOTS);
        for (ap_u32 s = 0; s < n; s++) help->next[s] = help->done[s] = help->ready[s] = 0;
        help->count = 0;
    }
}
// What a group does for the long rows of its warps.
template <int GROUP, int LOOP> AP_FN void long_rows(ap_u32 ap_long, ap_i64 group_begin, int ap_most, double *scratch_f64, PARAMETERS) {
    __shared__ ap_u32 ap_longs[GROUP / 32];
    if (AP_LANE % 32 == 0) ap_longs[AP_LANE / 32] = ap_long;
    if (!__syncthreads_or(ap_long != 0)) return;
    for (int w = 0; w < GROUP / 32; w++)
        for (ap_u32 left = ap_longs[w]; left; left &= left - 1) {
            const ap_u64 i = (ap_u64)(group_begin + w * ap_most + __ffs(left) - 1);
            double sum = 0.0, sum_part = 0;
            const ap_i64 from = FROM(i), to = TO(i);
            TURNS(LOOP, from, to, AP_LANE, GROUP, sum_part)
            sum_part = ap_group_sum_f64<GROUP>(sum_part, scratch_f64);
            sum = ap_gather_sum_f64(sum, sum_part);
            if (AP_LANE == 0) y[(ap_i64)(i) - y_first] = sum;
        }
    AP_BARRIER;
}
// How a warp takes its rows. CAPPED: lines of one width, rows of more than CAP turns of such a line by the whole warp. SORTED: lines as
// wide as each row wants, the longest rows first. STREAM: elements in order through shared memory.
enum How { CAPPED, SORTED, STREAM };
const int CHUNK = 256;
template <How HOW, int EACH, int CAP, int CLIP, int LONG, bool HELP, bool RELOAD, int GROUP, int LOOP, int BLOCKS>
__global__ void __launch_bounds__(GROUP, BLOCKS) ways(Help *help, PARAMETERS) {
    __shared__ double scratch_f64[GROUP];
    __shared__ ap_u8 ap_orders[HOW == SORTED ? GROUP : 1];
    __shared__ double chunks[HOW == STREAM ? GROUP / 32 * CHUNK : 1];
    const ap_i64 ap_warps = AP_GROUPS * (GROUP / 32);
    const int ap_item = AP_LANE % 32;
    int ap_log_most = 0;
    while (ap_log_most < 5 && (ap_warps << ap_log_most) < hi - lo) ap_log_most++;
    const int ap_most = 1 << ap_log_most;
    for (ap_i64 group_begin = lo + AP_GROUP_ID * (GROUP / 32) * ap_most; group_begin < hi; group_begin += ap_warps * ap_most) {
        const ap_i64 ap_begin = group_begin + AP_LANE / 32 * ap_most;
        const bool ap_there = ap_item < ap_most && ap_begin + ap_item < hi;
        ap_i64 ap_from = 0, ap_to = 0;
        if (ap_there) {
            const ap_u64 i = (ap_u64)(ap_begin + ap_item);
            ap_from = FROM(i); ap_to = TO(i);
        }
        const ap_u32 ap_turns = ap_to > ap_from ? (ap_u32)min(ap_to - ap_from, (ap_i64)0x7fffffff) : 0;
        bool ap_away = LONG && ap_turns > (ap_u32)LONG;
        bool is_long = ap_away;
        if (HELP && ap_turns > HUGE_ROW) is_long = !publish(help, ap_begin + ap_item);
        const ap_u32 ap_long = __ballot_sync(ALL, is_long);
        if (HOW == CAPPED) {
            ap_u32 all = min(ap_turns, (ap_u32)CLIP);
            for (int stride = 16; stride > 0; stride /= 2) all += __shfl_xor_sync(ALL, all, stride);
            int ap_log = 5 - ap_log_most;
            while (ap_log < 5 && ((ap_u32)(EACH * ap_most) << ap_log) < all) ap_log++;
            const int cap = CAP << ap_log;
            const bool medium = ap_log < 5 && ap_turns > (ap_u32)cap && !ap_away;
            ap_u32 mediums = __ballot_sync(ALL, medium), shorts = __ballot_sync(ALL, ap_there && !medium && !ap_away);
            int ap_done = 0;
            for (;;) {
                int wide, from_item;
                bool runs;
                if (ap_done < ap_most) {
                    wide = 1 << ap_log;
                    from_item = ap_done + (ap_item >> ap_log);
                    ap_done += 32 >> ap_log;
                    runs = shorts >> (from_item & 31) & 1;
                    if (!__any_sync(ALL, runs)) continue;
                } else if (mediums) {
                    wide = 32;
                    from_item = __ffs(mediums) - 1;
                    mediums &= mediums - 1;
                    runs = true;
                } else break;
                const int lane = ap_item & (wide - 1);
                const ap_u64 i = (ap_u64)(ap_begin + from_item);
                ap_i64 from = 0, to = 0;
                if (RELOAD) { if (runs) { from = FROM(i); to = TO(i); } }
                else { from = __shfl_sync(ALL, ap_from, from_item & 31); to = __shfl_sync(ALL, ap_to, from_item & 31); if (!runs) to = from; }
                double sum = 0.0, sum_part = 0;
                TURNS(LOOP, from, to, lane, wide, sum_part)
                sum_part = ap_warp_sum_f64(sum_part, wide);
                sum = ap_gather_sum_f64(sum, sum_part);
                if (runs && lane == 0) y[(ap_i64)(i) - y_first] = sum;
            }
        }
        if (HOW == SORTED) {
            const int ap_class = !ap_there || ap_away ? -1 : ap_turns ? min(5, 32 - __clz((int)((ap_turns - 1) / EACH))) : 0;
            int most_class = -1, place = 0, total = 0;
            for (int c = 5; c >= 0; c--) {
                const ap_u32 of = __ballot_sync(ALL, ap_class == c);
                if (of && most_class < 0) most_class = c;
                if (ap_class == c) place = total + __popc(of & ((1u << ap_item) - 1));
                total += __popc(of);
            }
            ap_u8 *const ap_order = ap_orders + AP_LANE / 32 * 32;
            if (ap_class >= 0) ap_order[place] = (ap_u8)ap_item;
            __syncwarp();
            const int ap_nth = ap_item < total ? ap_order[ap_item] : 0;
            __syncwarp();
            for (int at = 0; at < total;) {
                const int ap_log = max(__shfl_sync(ALL, ap_class, __shfl_sync(ALL, ap_nth, at)), 5 - ap_log_most);
                const int wide = 1 << ap_log, lane = ap_item & (wide - 1);
                const bool runs = at + (ap_item >> ap_log) < total;
                const int from_item = __shfl_sync(ALL, ap_nth, min(at + (ap_item >> ap_log), 31));
                at += 32 >> ap_log;
                const ap_u64 i = (ap_u64)(ap_begin + from_item);
                ap_i64 from = 0, to = 0;
                if (RELOAD) { if (runs) { from = FROM(i); to = TO(i); } }
                else { from = __shfl_sync(ALL, ap_from, from_item); to = __shfl_sync(ALL, ap_to, from_item); if (!runs) to = from; }
                double sum = 0.0, sum_part = 0;
                TURNS(LOOP, from, to, lane, wide, sum_part)
                sum_part = ap_warp_sum_f64(sum_part, wide);
                sum = ap_gather_sum_f64(sum, sum_part);
                if (runs && lane == 0) y[(ap_i64)(i) - y_first] = sum;
            }
        }
        if (HOW == STREAM) {
            double *const chunk = chunks + AP_LANE / 32 * CHUNK;
            const int last = (int)min((ap_i64)ap_most, hi - ap_begin) - 1;
            double sum_part = 0;
            ap_i64 at = last < 0 ? 0 : __shfl_sync(ALL, ap_from, 0);
            const ap_i64 end = last < 0 ? 0 : __shfl_sync(ALL, ap_to, last);
            while (at < end) {
                const ap_u32 in = __ballot_sync(ALL, ap_away && ap_from <= at && at < ap_to);
                if (in) { at = __shfl_sync(ALL, ap_to, __ffs(in) - 1); continue; }
                const int n = (int)min((ap_i64)CHUNK, end - at);
                ap_u64 ap_said = 0; _Pragma("unroll 8") for (int e = ap_item; e < n; e += 32) { double v = 0; TURN((LOOP < 5 ? LOOP : 1), at + e, v) chunk[e] = v; }
                END_REPORT
                __syncwarp();
                const int a = ap_there && !ap_away ? (int)min(max(ap_from - at, (ap_i64)0), (ap_i64)n) : 0;
                const int b = ap_there && !ap_away ? (int)max(min(ap_to - at, (ap_i64)n), (ap_i64)a) : 0;
                const bool much = b - a > CAP;
                if (!much) for (int e = a; e < b; e++) sum_part += chunk[e];
                for (ap_u32 left = __ballot_sync(ALL, much); left; left &= left - 1) {
                    const int of = __ffs(left) - 1, from = __shfl_sync(ALL, a, of), to = __shfl_sync(ALL, b, of);
                    double part = 0;
                    for (int e = from + ap_item; e < to; e += 32) part += chunk[e];
                    part = ap_warp_sum_f64(part, 32);
                    if (ap_item == of) sum_part += part;
                }
                __syncwarp();
                at += n;
            }
            if (ap_there && !ap_away) y[ap_begin + ap_item - y_first] = ap_gather_sum_f64(0.0, sum_part);
        }
        if (LONG) long_rows<GROUP, LOOP>(ap_long, group_begin, ap_most, scratch_f64, lo, hi, starts, starts_first, columns_v, columns_v_first, columns_v_count, values, values_first, values_count, x, x_first, x_count, y, y_first, ap_report);
    }
    if (HELP) pieces<GROUP, LOOP>(help, scratch_f64, lo, hi, starts, starts_first, columns_v, columns_v_first, columns_v_count, values, values_first, values_count, x, x_first, x_count, y, y_first, ap_report);
}
// Lines of a width that the host chose, W, as now; rows of more than CAP turns of a line by the whole warp, of more than LONG by the group.
template <int W, int CAP, int LONG, bool HELP, int LOOP, int BLOCKS> __global__ void __launch_bounds__(256, BLOCKS) line_rest(Help *help, PARAMETERS) {
    __shared__ double scratch_f64[256];
    const int ap_item = AP_LANE % 32;
    const int lane = AP_LANE % W;
    const ap_i64 group_begin = lo + AP_GROUP_ID * (256 / W), ap_begin = group_begin + AP_LANE / 32 * (32 / W);
    const ap_i64 row = group_begin + AP_LANE / W;
    const bool ap_there = row < hi;
    const ap_u64 i = (ap_u64)row;
    ap_i64 from = 0, to = 0;
    if (ap_there) { from = FROM(i); to = TO(i); }
    bool away = LONG && to - from > LONG;
    bool is_long = away && lane == 0;
    if (HELP && lane == 0 && to - from > HUGE_ROW) is_long = !publish(help, row);
    const bool medium = W < 32 && to - from > CAP * W && !away;
    if (ap_there && !medium && !away) {
        double sum = 0.0, sum_part = 0;
        TURNS(LOOP, from, to, lane, W, sum_part)
        sum_part = ap_line_sum_f64(sum_part, W);
        sum = ap_gather_sum_f64(sum, sum_part);
        if (lane == 0) y[(ap_i64)(i) - y_first] = sum;
    }
    __syncwarp();
    if (W < 32)
        for (ap_u32 left = __ballot_sync(ALL, medium && lane == 0); left; left &= left - 1) {
            const ap_u64 i = (ap_u64)(ap_begin + (__ffs(left) - 1) / W);
            const ap_i64 from = FROM(i), to = TO(i);
            double sum = 0.0, sum_part = 0;
            TURNS(LOOP, from, to, ap_item, 32, sum_part)
            sum_part = ap_warp_sum_f64(sum_part, 32);
            sum = ap_gather_sum_f64(sum, sum_part);
            if (ap_item == 0) y[(ap_i64)(i) - y_first] = sum;
        }
    if (LONG) {
        ap_u32 mask = __ballot_sync(ALL, is_long), packed = 0;
        for (; mask; mask &= mask - 1) packed |= 1u << (__ffs(mask) - 1) / W;
        long_rows<256, LOOP>(packed, group_begin, 32 / W, scratch_f64, lo, hi, starts, starts_first, columns_v, columns_v_first, columns_v_count, values, values_first, values_count, x, x_first, x_count, y, y_first, ap_report);
    }
    if (HELP) pieces<256, LOOP>(help, scratch_f64, lo, hi, starts, starts_first, columns_v, columns_v_first, columns_v_count, values, values_first, values_count, x, x_first, x_count, y, y_first, ap_report);
}
template <int W> __global__ void hand(i64 n, const u32 *starts, const u32 *columns, const double *values, const double *x, double *y) {
    i64 row = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / W; int lane = threadIdx.x % W;
    if (row >= n) return;
    double s = 0;
    for (i64 k = starts[row] + lane, end = starts[row + 1]; k < end; k += W) s += values[k] * x[columns[k]];
    for (int d = W / 2; d; d /= 2) s += __shfl_xor_sync(HAND_MASK, s, d, W);
    if (lane == 0) y[row] = s;
}
// END
#define CHECK(x) do { auto e = (x); if ((int)e) { printf("%s: %d\n", #x, (int)e); fflush(stdout); exit(1); } } while (0)
static u64 state = 88172645463325252ull;
static u64 random64() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static double uniform() { return ((random64() >> 11) + 1) / 9007199254740992.0; }
static const char *only;
template <class F> double timed(F run) {
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    std::vector<float> all;
    for (int r = 0; r < 12; r++) {
        cudaEventRecord(a); run(); cudaEventRecord(b); CHECK(cudaEventSynchronize(b));
        float ms; cudaEventElapsedTime(&ms, a, b);
        if (r > 2 || ms > 20) all.push_back(ms);
        if (ms > 20) break;
    }
    CHECK(cudaGetLastError());
    cudaEventDestroy(a); cudaEventDestroy(b);
    std::sort(all.begin(), all.end());
    return all[all.size() / 2] * 1e3;
}
#ifdef EMU
static i64 grid_lines(i64 n, int group) { return group == 128 ? 2 : 1; }
#else
static i64 grid_lines(i64 n, int group) { i64 warps = std::max(std::min(n, (i64)16384), (n + 31) / 32); return (warps + group / 32 - 1) / (group / 32); }
#endif
template <class L> static void matrix(const char *name, i64 n, L length, i64 spread) {
    if (only && strcmp(only, name)) return;
    std::vector<u32> starts(n + 1);
    for (i64 i = 0; i < n; i++) starts[i + 1] = starts[i] + (u32)length(i);
    const i64 nnz = starts[n];
    std::vector<u32> columns(nnz); std::vector<double> values(nnz), hx(n), want(n), got(n), first;
    for (i64 i = 0; i < n; i++) hx[i] = 1.0 + i % 7;
    u32 longest = 0;
    for (i64 i = 0; i < n; i++) {
        double t = 0;
        for (u32 k = starts[i]; k < starts[i + 1]; k++) {
            columns[k] = (u32)((i + (i64)((random64() >> 20) % (2 * spread + 1)) + 2 * n - spread) % n);
            values[k] = 1.0 + k % 3 + 0.1 * (k % 11);
            t += values[k] * hx[columns[k]];
        }
        want[i] = t; longest = std::max(longest, starts[i + 1] - starts[i]);
    }
    printf("# %s: %lld rows, %lld elements, longest %u\n", name, n, nnz, longest);
    u32 *s, *c; double *v, *x, *y; u64 *report; Help *help;
    CHECK(cudaMalloc(&s, 4 * (n + 1))); CHECK(cudaMalloc(&c, 4 * nnz)); CHECK(cudaMalloc(&v, 8 * nnz)); CHECK(cudaMalloc(&x, 8 * n)); CHECK(cudaMalloc(&y, 8 * n));
    CHECK(cudaMalloc(&report, 8)); CHECK(cudaMalloc(&help, sizeof(Help))); CHECK(cudaMemset(report, 0, 8)); CHECK(cudaMemset(help, 0, sizeof(Help)));
    CHECK(cudaMemcpy(s, starts.data(), 4 * (n + 1), cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(c, columns.data(), 4 * nnz, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(v, values.data(), 8 * nnz, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(x, hx.data(), 8 * n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(y, 0xff, 8 * n));
    auto check = [&](const char *variant, auto run) {
        // A few work-items alone with a million elements: only as generated now.
        auto begins = [&](const char *with) { return strncmp(variant, with, strlen(with)) == 0; };
        const bool narrow = begins("line1 loop") || begins("line2 loop") || begins("line4 loop") || !strcmp(variant, "hand1") || !strcmp(variant, "hand2") || !strcmp(variant, "hand4");
        if (narrow && longest > 200000 && !strstr(variant, "loop0")) return;
        const double us = timed(run);
        u64 said = 0;
        CHECK(cudaMemcpy(got.data(), y, 8 * n, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(&said, report, 8, cudaMemcpyDeviceToHost));
        // The same bits again?
        CHECK(cudaMemset(y, 0xff, 8 * n)); run(); first.resize(n);
        CHECK(cudaMemcpy(first.data(), y, 8 * n, cudaMemcpyDeviceToHost)); CHECK(cudaMemset(y, 0xff, 8 * n));
        const bool same = memcmp(first.data(), got.data(), 8 * n) == 0;
        for (i64 i = 0; i < n; i++) if (!(std::fabs(got[i] - want[i]) <= 1e-9 * std::fabs(want[i]))) {
            printf("%s,%s,WRONG row %lld of %u: %g not %g\n", name, variant, i, starts[i + 1] - starts[i], got[i], want[i]); fflush(stdout); return;
        }
        printf("%s,%s,%.1f%s%s\n", name, variant, us, same ? "" : ",other bits", said ? ",REPORT" : ""); fflush(stdout);
    };
#define ARGUMENTS 0, n, s, 0, c, 0, (u64)nnz, v, 0, (u64)nnz, x, 0, (u64)n, y, 0, report
#define LINE(W, LOOP, BLOCKS) check("line" #W " loop" #LOOP " blocks" #BLOCKS, [&] { LAUNCH((line<W, LOOP, BLOCKS>), (n * W + 255) / 256, 256, ARGUMENTS); })
    LINE(1, 0, 0); LINE(2, 0, 0); LINE(4, 0, 0); LINE(8, 0, 0); LINE(16, 0, 0); LINE(32, 0, 0);
    LINE(1, 1, 0); LINE(2, 1, 0); LINE(4, 1, 0); LINE(8, 1, 0); LINE(16, 1, 0); LINE(32, 1, 0);
    LINE(4, 2, 0); LINE(16, 2, 0); LINE(8, 1, 8); LINE(16, 1, 8); LINE(8, 4, 0); LINE(16, 4, 0);
    LINE(1, 5, 0); LINE(2, 5, 0); LINE(4, 5, 0); LINE(8, 5, 0); LINE(16, 5, 0); LINE(32, 5, 0);
    LINE(1, 3, 0); LINE(4, 3, 0); LINE(8, 3, 0); LINE(16, 3, 0); LINE(32, 3, 0);
#define DATA(LOOP, BLOCKS) check("by data loop" #LOOP " blocks" #BLOCKS, [&] { LAUNCH((by_data<LOOP, BLOCKS>), grid_lines(n, 256), 256, ARGUMENTS); })
    DATA(0, 0); DATA(1, 0); DATA(2, 0); DATA(2, 5); DATA(2, 6); DATA(6, 5);
#define WAYS(HOW, EACH, CAP, CLIP, LONG, HELP, RELOAD, GROUP, LOOP, BLOCKS) \
    check(#HOW " each" #EACH " cap" #CAP " clip" #CLIP " long" #LONG " help" #HELP " reload" #RELOAD " group" #GROUP " loop" #LOOP " blocks" #BLOCKS, \
          [&] { LAUNCH((ways<HOW, EACH, CAP, CLIP, LONG, HELP, RELOAD, GROUP, LOOP, BLOCKS>), grid_lines(n, GROUP), GROUP, help, ARGUMENTS); })
    WAYS(CAPPED, 4, 16, 128, 0, 0, 0, 256, 0, 0);
    WAYS(CAPPED, 4, 16, 128, 0, 0, 0, 256, 2, 0);
    WAYS(CAPPED, 4, 16, 128, 0, 0, 0, 256, 2, 5);
    WAYS(CAPPED, 4, 16, 128, 0, 0, 0, 256, 2, 6);
    WAYS(CAPPED, 4, 16, 128, 0, 0, 0, 256, 6, 5);
    WAYS(CAPPED, 4, 16, 128, 0, 0, 1, 256, 2, 5);
    WAYS(CAPPED, 4, 8, 64, 0, 0, 0, 256, 2, 5);
    WAYS(CAPPED, 4, 8, 32, 0, 0, 0, 256, 2, 5);
    WAYS(CAPPED, 8, 16, 64, 0, 0, 0, 256, 2, 5);
    WAYS(CAPPED, 4, 8, 64, 1024, 0, 0, 256, 2, 5);
    WAYS(CAPPED, 4, 8, 64, 1024, 0, 0, 128, 2, 10);
    WAYS(CAPPED, 4, 8, 64, 1024, 1, 0, 256, 2, 5);
    WAYS(SORTED, 4, 0, 0, 0, 0, 0, 256, 0, 0);
    WAYS(SORTED, 4, 0, 0, 0, 0, 0, 256, 2, 0);
    WAYS(SORTED, 4, 0, 0, 0, 0, 0, 256, 2, 5);
    WAYS(SORTED, 4, 0, 0, 0, 0, 0, 256, 2, 6);
    WAYS(SORTED, 4, 0, 0, 0, 0, 0, 256, 6, 5);
    WAYS(SORTED, 4, 0, 0, 0, 0, 1, 256, 2, 5);
    WAYS(SORTED, 2, 0, 0, 0, 0, 0, 256, 2, 5);
    WAYS(SORTED, 8, 0, 0, 0, 0, 0, 256, 2, 5);
    WAYS(SORTED, 4, 0, 0, 512, 0, 0, 256, 2, 5);
    WAYS(SORTED, 4, 0, 0, 2048, 0, 0, 256, 2, 5);
    WAYS(SORTED, 4, 0, 0, 1024, 0, 0, 128, 2, 10);
    WAYS(SORTED, 4, 0, 0, 2048, 1, 0, 256, 2, 5);
    WAYS(STREAM, 0, 32, 0, 0, 0, 0, 256, 0, 0);
    WAYS(STREAM, 0, 32, 0, 0, 0, 0, 256, 1, 5);
    WAYS(STREAM, 0, 16, 0, 1024, 0, 0, 256, 1, 5);
    WAYS(STREAM, 0, 32, 0, 1024, 0, 0, 128, 1, 10);
    WAYS(STREAM, 0, 32, 0, 2048, 1, 0, 256, 1, 5);
#define REST(W, CAP, LONG, HELP, LOOP, BLOCKS) check("line" #W " cap" #CAP " long" #LONG " help" #HELP " loop" #LOOP " blocks" #BLOCKS, [&] { LAUNCH((line_rest<W, CAP, LONG, HELP, LOOP, BLOCKS>), (n * W + 255) / 256, 256, help, ARGUMENTS); })
    REST(1, 16, 0, 0, 0, 0); REST(4, 16, 0, 0, 0, 0); REST(8, 16, 0, 0, 0, 0);
    REST(1, 16, 0, 0, 1, 0); REST(2, 16, 0, 0, 1, 0); REST(4, 16, 0, 0, 1, 0); REST(8, 16, 0, 0, 1, 0); REST(16, 16, 0, 0, 1, 0);
    REST(1, 16, 1024, 0, 1, 0); REST(2, 16, 1024, 0, 1, 0); REST(4, 16, 1024, 0, 1, 0); REST(8, 16, 1024, 0, 1, 0); REST(16, 16, 1024, 0, 1, 0); REST(32, 0, 1024, 0, 1, 0);
    REST(2, 8, 1024, 0, 1, 0); REST(4, 8, 1024, 0, 1, 0); REST(8, 8, 1024, 0, 1, 0);
    REST(4, 8, 1024, 0, 1, 8); REST(2, 8, 1024, 0, 5, 0); REST(4, 8, 1024, 0, 5, 0); REST(8, 8, 1024, 0, 5, 0); REST(16, 8, 1024, 0, 5, 0);
    REST(1, 16, 1024, 1, 1, 0); REST(4, 16, 1024, 1, 1, 0); REST(8, 16, 1024, 1, 1, 0);
#define HAND(W) check("hand" #W, [&] { LAUNCH((hand<W>), (n * W + 255) / 256, 256, n, s, c, v, x, y); })
    HAND(1); HAND(2); HAND(4); HAND(8); HAND(16); HAND(32);
#ifndef EMU
    cusparseHandle_t h; CHECK(cusparseCreate(&h));
    for (int prepared = 0; prepared < 2; prepared++)
        for (int second = 0; second < 2; second++) {
            const cusparseSpMVAlg_t algorithm = second ? CUSPARSE_SPMV_CSR_ALG2 : CUSPARSE_SPMV_ALG_DEFAULT;
            cusparseSpMatDescr_t A; cusparseDnVecDescr_t X, Y; size_t size; void *buffer; double one = 1, zero = 0;
            CHECK(cusparseCreateCsr(&A, n, n, nnz, s, c, v, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
            CHECK(cusparseCreateDnVec(&X, n, x, CUDA_R_64F)); CHECK(cusparseCreateDnVec(&Y, n, y, CUDA_R_64F));
            CHECK(cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_64F, algorithm, &size)); CHECK(cudaMalloc(&buffer, size + 8));
            if (prepared) CHECK(cusparseSpMV_preprocess(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_64F, algorithm, buffer));
            const std::string what = std::string(second ? "cusparse alg2" : "cusparse default") + (prepared ? " prepared" : "");
            check(what.c_str(), [&] { CHECK(cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_64F, algorithm, buffer)); });
            cusparseDestroySpMat(A); cusparseDestroyDnVec(X); cusparseDestroyDnVec(Y); cudaFree(buffer);
        }
    cusparseDestroy(h);
#endif
    for (void *p : {(void *)s, (void *)c, (void *)v, (void *)x, (void *)y, (void *)report, (void *)help}) cudaFree(p);
}
int main(int count, char **words) {
    only = count > 1 ? words[1] : nullptr;
#ifdef EMU
    const i64 m = 400, long_row = 200000, few = 300;
#else
    const i64 m = 1000000, long_row = 1000000, few = 100000;
#endif
    printf("matrix,variant,us\n");
    matrix("5", m, [&](i64) { return 5; }, m / 1000);
    matrix("27", m, [&](i64) { return 27; }, m / 100);
    matrix("3..60", m, [&](i64) { return 3 + random64() % 58; }, m / 100);
    matrix("log 3..4000", few * 4 / 5, [&](i64) { return (i64)(3 * std::exp(uniform() * std::log(4000.0 / 3))); }, few / 10);
    matrix("uneven as before", m, [&](i64) { return (i64)std::min(4000.0, 3.0 / std::pow(uniform(), 0.7)); }, m / 10);
    matrix("power 2.1", m, [&](i64) { return (i64)std::min(100000.0, 4.0 / std::pow(uniform(), 1 / 1.1)); }, m / 10);
    matrix("5 and one long", m, [&](i64 i) { return i == m / 3 ? long_row : 5; }, m / 1000);
    matrix("300", few, [&](i64) { return 300; }, few / 10);
}
