set -e
cd "$(dirname "$0")"; mkdir -p o
for k in spmv norms; do
  g=256; [ $k = norms ] && g=32
  nvcc -w -O3 -arch=sm_90 --fmad=false -DAP_GROUP=$g -DAP_WIDE=$g -DAP_SPREAD=0 -DAP_REDUCE=0 -c $k.cu -o o/$k.o
  for v in 0 1 2 4 8 16 32; do
    sed "s/AP_ENTRY ${k}_kernel/AP_ENTRY ${k}_$v/" $k.cu > o/${k}_$v.cu
    nvcc -w -O3 -arch=sm_90 --fmad=false -DAP_GROUP=256 -DAP_WIDE=256 -DAP_SPREAD=0 -DAP_REDUCE=0 -DAP_LINED=1 -DAP_LINE=$v -c o/${k}_$v.cu -o o/${k}_$v.o
  done
done
nvcc -O3 -std=c++17 -arch=sm_90 -c bench.cu -o o/bench.o
nvcc -arch=sm_90 o/*.o -lcusparse -o o/bench
o/bench
