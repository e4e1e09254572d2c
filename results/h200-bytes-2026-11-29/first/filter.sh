cd "$(dirname "$0")"; mkdir -p o
sed 's/filter_kernel/filter_words/' filter.cu > o/words.cu
sed 's/filter_kernel/filter_bytes/; s/- (ap_u64)k > 7)/- (ap_u64)k > 7 \&\& 0)/' filter.cu > o/bytes.cu
for v in words bytes; do nvcc -w -O3 -arch=sm_90 --fmad=false -DAP_GROUP=256 -DAP_WIDE=256 -DAP_SPREAD=0 -DAP_REDUCE=0 -c o/$v.cu -o o/$v.o; done
nvcc -O3 -arch=sm_90 -c filter-bench.cu -o o/bench.o && nvcc -arch=sm_90 o/*.o -o o/bench && o/bench
