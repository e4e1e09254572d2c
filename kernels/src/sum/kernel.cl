#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

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
