#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#ifdef APPORTION_CPU
/* On a CPU one item adds the whole span of its group, in vectors; the others have nothing to do. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sum(long lo, long hi, __global const T *restrict x, long x_first, __global double *restrict partial) {
    if (get_local_id(0) != 0) return;
    const long groups = (long)get_num_groups(0);
    const long span = (hi - lo + groups * GROUP - 1) / (groups * GROUP) * GROUP;
    const long first = min(hi, lo + (long)get_group_id(0) * span);
    const long len = min(hi, first + span) - first;
    __global const T *p = x + (first - x_first);

    double8 s0 = (double8)0, s1 = (double8)0, s2 = (double8)0, s3 = (double8)0;
    long i = 0;
    for (; i + 32 <= len; i += 32) {
        s0 += convert_double8(vload8(0, p + i));
        s1 += convert_double8(vload8(0, p + i + 8));
        s2 += convert_double8(vload8(0, p + i + 16));
        s3 += convert_double8(vload8(0, p + i + 24));
    }
    s0 = (s0 + s1) + (s2 + s3);
    double4 s4 = s0.lo + s0.hi;
    double total = (s4.x + s4.y) + (s4.z + s4.w);
    for (; i < len; i++) total += (double)p[i];
    partial[get_group_id(0)] = total;
}
#else
/* Each group adds one contiguous span, its items next to each other in every step. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sum(long lo, long hi, __global const T *restrict x, long x_first, __global double *restrict partial) {
    __local double part[GROUP];
    const int item = (int)get_local_id(0);
    const long groups = (long)get_num_groups(0);
    const long steps = (hi - lo + groups * GROUP - 1) / (groups * GROUP);
    const long first = lo + (long)get_group_id(0) * steps * GROUP;

    double total = 0.0;
    for (long step = 0; step < steps; step++) {
        long i = first + step * GROUP + item;
        total += i < hi ? (double)x[i - x_first] : 0.0;
    }
    part[item] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = GROUP / 2; stride > 0; stride /= 2) {
        if (item < stride) part[item] += part[item + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) partial[get_group_id(0)] = part[0];
}
#endif
