extern "C" __global__ void __launch_bounds__(GROUP)
mixcp(long long lo, long long hi, long long m, long long species, const T *__restrict__ temp, long long temp_first,
      const T *__restrict__ y, long long y_first, const T *__restrict__ table, long long table_first, T *__restrict__ out,
      long long out_first) {
    mixed<heat_of>(lo, hi, m, species, temp - temp_first, y - y_first, table - table_first, out - out_first);
}
