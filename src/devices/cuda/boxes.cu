typedef unsigned char byte;

// counts[1] times counts[0] runs of `units` units of `unit` bytes, a thread for each unit.
extern "C" __global__ void __launch_bounds__(256)
copy_box(byte *__restrict__ to, const byte *__restrict__ from, long long unit, long long units, long long inner, long long all,
         long long to_inner, long long to_outer, long long from_inner, long long from_outer) {
    const long long at = (long long)blockIdx.x * 256 + threadIdx.x;
    if (at >= all) return;
    const long long in_run = at % units * unit, run = at / units, i = run % inner, j = run / inner;
    to += i * to_inner + j * to_outer + in_run;
    from += i * from_inner + j * from_outer + in_run;
    // The same for all threads.
    if (unit == 16) *(uint4 *)to = *(const uint4 *)from;
    else if (unit == 8) *(uint2 *)to = *(const uint2 *)from;
    else if (unit == 4) *(unsigned *)to = *(const unsigned *)from;
    else *to = *from;
}
