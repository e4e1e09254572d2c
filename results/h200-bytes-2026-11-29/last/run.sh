cd "$(dirname "$0")"; mkdir -p o
sed 's/AP_ENTRY both_kernel/AP_ENTRY rows_line/' lines.cu > o/words.cu
sed 's/AP_ENTRY both_kernel/AP_ENTRY rows_line_bytes/; s/const ap_i64 ap_words = .*;/const ap_i64 ap_words = 0;/' lines.cu > o/bytes.cu
for v in words bytes; do nvcc -w -O3 -arch=sm_90 --fmad=false -DAP_REDUCE=0 -DAP_GROUP=256 -DAP_WIDE=256 -DAP_SPREAD=0 -DAP_LINED=1 -DAP_LINE=8 -c o/$v.cu -o o/$v.o; done
nvcc -O3 -std=c++17 -arch=sm_90 -c bench.cu -o o/bench.o && nvcc -arch=sm_90 o/*.o -o o/bench && o/bench
