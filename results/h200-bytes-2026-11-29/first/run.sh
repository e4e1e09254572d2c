set -e
cd "$(dirname "$0")"; mkdir -p o
F="-w -O3 -arch=sm_90 --fmad=false -DAP_REDUCE=0"
for k in before after; do
  sed "s/bm2d_kernel/bm2d_$k/" $k.cu > o/$k.cu
  nvcc $F -DAP_GROUP=64 -DAP_WIDE=64 -DAP_SPREAD=1 -c o/$k.cu -o o/$k.o
done
nvcc -w -O3 -arch=sm_90 -DGROUP=288 -DBLOCKS=16 -c hand.cu -o o/hand.o
# The same text with and without words: the condition of the words is made false.
sed 's/^#if !AP_SPREAD$/#if 0/' rows.cu > o/rows_bytes.cu
for v in "" _bytes; do
  src=rows.cu; [ -n "$v" ] && src=o/rows_bytes.cu
  sed "s/AP_ENTRY both_kernel/AP_ENTRY rows_group$v/" $src > o/rows_group$v.cu
  sed "s/AP_ENTRY both_kernel/AP_ENTRY rows_line$v/" $src > o/rows_line$v.cu
  nvcc $F -DAP_GROUP=256 -DAP_WIDE=256 -DAP_SPREAD=0 -c o/rows_group$v.cu -o o/rows_group$v.o
  nvcc $F -DAP_GROUP=256 -DAP_WIDE=256 -DAP_SPREAD=0 -DAP_LINED=1 -DAP_LINE=8 -c o/rows_line$v.cu -o o/rows_line$v.o
done
nvcc -O3 -std=c++17 -arch=sm_90 -c bench.cu -o o/bench.o
nvcc -arch=sm_90 o/*.o -o o/bench
o/bench
