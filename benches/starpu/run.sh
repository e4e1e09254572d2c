#!/bin/sh
# run.sh OUT.csv [SECONDS [GPUS]]: every loop by StarPU, on the CPU, on the first GPUS (1) GPUs and on both; the likeliest winners
# first, for what does not fit into SECONDS (900) is left out. What happened is written to OUT.log. LOOPS names the program.
set -u
out=${1:?usage: run.sh OUT.csv [SECONDS [GPUS]]}
seconds=${2:-900}
gpus=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
loops=${LOOPS:-$here/starpu-loops}
log=${out%.csv}.log
end=$(($(date +%s) + seconds))

# StarPU keeps measured times of tasks and of the bus. They are to be this machine's, and of this run.
if [ -z "${STARPU_HOME:-}" ]; then
    STARPU_HOME=$(mktemp -d)
    trap 'rm -rf "$STARPU_HOME"' EXIT
fi
export STARPU_HOME
export STARPU_SILENT="${STARPU_SILENT:-1}"
export STARPU_LOOPS_ROW_SECONDS="${STARPU_LOOPS_ROW_SECONDS:-45}"

: >"$log"
echo "workload,n,devices,scheduler,blocks,median_ms,min_ms,verified" >"$out"

# part SHARE WORKLOAD N REPS ROWS ..: what is left of the time is for this and all that follow, by their shares. Where the
# program ends in the middle, another goes on with what comes after the word that it was at.
part() {
    share=$1 workload=$2 n=$3 reps=$4
    shift 4
    left=$((end - $(date +%s)))
    limit=$((left * share / shares))
    shares=$((shares - share))
    [ "$limit" -lt 2 ] && limit=2
    until=$(($(date +%s) + limit))
    while [ "$#" -gt 0 ]; do
        left=$((end - $(date +%s)))
        limit=$((until - $(date +%s)))
        if [ "$left" -lt 4 ] || [ "$limit" -lt 1 ]; then
            echo "not run, out of time: $workload $n $*" >>"$log"
            return
        fi
        kill_after=$((limit + 15))
        [ "$kill_after" -gt "$left" ] && kill_after=$left
        echo "## $workload $n $reps (at most $limit s)" >>"$log"
        before=$(wc -l <"$log")
        STARPU_LOOPS_SECONDS=$limit timeout -k 3 "$kill_after" "$loops" "$workload" "$n" "$reps" "$@" >>"$out" 2>>"$log" && return
        echo "ended with $?: $workload $n" >>"$log"
        at=$(tail -n "+$((before + 1))" "$log" | sed -n 's/^row \([0-9]*\): .*/\1/p' | tail -n 1)
        [ -n "$at" ] || return
        shift "$at"
    done
}

# In all of these the first start measures the bus, and the large loops are alike.
if [ "$gpus" -le 1 ]; then
    shares=112 # the sum of the first words below
    part 12 empty 1 300 1:dmda:1,1000 1:eager:1,1000
    part 4 empty 1 300 cpu:lws,eager:1,16,1000
    part 6 axpy 10000000 15 cpu:lws:16,32 omp-cpu:eager:1 cpu+1:dmda:16,32,64 cpu+1:eager,lws:16,32 1:dmda:4,8,16 \
        cpu:dmda,eager:16 free-cpu+1:dmda,eager:16,32 cpu+1:dmdar,dmdas:32 omp-cpu+1:dmda,eager:16 1:dmda:8:through
    large="cpu+1:dmda:128 cpu+1:eager,lws:128,256 1:dmda:64,32 cpu:lws:64,256 omp-cpu:eager:1 deep-cpu+1:eager,lws:128
        omp-cpu+1:eager:64,32 1:eager:64 free-cpu+1:eager:128 cpu+1:dmdas:64 cpu+1:dmda:64,256 cpu+1:dmda:128:through
        1:dmda:64:through omp-cpu+1:dmda:64 cpu:eager,dmda:64 deep-1:eager,dmda:64 deep-omp-cpu+1:eager:64,128 cpu+1:eager,lws:64
        free-cpu+1:dmda,lws:128 cpu+1:dmdar:128 1:dmda:128,16 cpu:lws:16,128 cpu+1:dmdas:128,256 deep-cpu+1:eager,lws:256
        cpu+1:dmda:16,32 1:dmda:256"
    part 28 axpy 1000000000 5 $large
    part 18 sum 1000000000 5 $large
    part 24 matvec 48000 5 $large
    part 14 stencil2d 16384 9 $large
    part 6 matmul 6144 9 1:dmda:16,8 1:eager:16 1:dmda:32 deep-1:dmda:16 1:dmda:16:through
    exit
fi

# With several GPUs. The more devices take blocks as they come, the smaller these have to be.
g=$gpus
shares=123
part 12 empty 1 300 "$g:dmda:1,$g,1000" "$g:eager:1,$g,1000"
part 10 axpy 10000000 15 "cpu+$g:lws:32" "cpu+$g:eager:32" "$g:dmda:4" "$g:dmda:8" "$g:eager:8" cpu:lws:32 cpu:eager:32 "$g:dmda:16" \
    "cpu+$g:lws:64" "cpu+$g:eager:64,16" omp-cpu:eager:1 "$g:eager:4,16" "cpu+$g:dmda:32,64" "free-cpu+$g:eager,lws:32" \
    "$g:dmda:8:through" "cpu+$g:dmdar:32" "omp-cpu+$g:eager:16" cpu:eager:64 "$g:lws:8" "deep-$g:dmda:8,16" 1:dmda:8
large="$g:eager:64 cpu+$g:lws:256 cpu+$g:eager:256 $g:dmda:64 cpu+$g:eager:512 cpu+$g:lws:512 $g:dmda:32 $g:eager:128
    cpu+$g:lws:128 cpu+$g:eager:128 omp-cpu+$g:eager:64 free-cpu+$g:eager:256 deep-cpu+$g:eager:256 cpu:lws:256 cpu:lws:64
    deep-cpu+$g:lws:256 omp-cpu:eager:1 $g:dmda:128 $g:lws:64 deep-$g:eager:64 $g:dmda:64:through omp-cpu+$g:eager:128,32
    cpu+$g:dmda:256 free-cpu+$g:lws:256 $g:eager:32 cpu:eager:256 deep-$g:dmda:64 $g:dmdas:64 cpu+$g:dmdas:256 $g:dmdar:64
    1:dmda:64 cpu+$g:dmda:128 cpu:lws:128 deep-omp-cpu+$g:eager:64,128 omp-cpu+$g:dmda:64 cpu+$g:dmda:256:through
    $g:dmda:16,256 cpu+$g:lws:1024 1:eager:64"
part 28 axpy 1000000000 5 $large
part 18 sum 1000000000 5 $large
part 24 matvec 48000 5 $large
part 16 stencil2d 16384 9 "omp-cpu+$g:eager:64" "omp-cpu+$g:eager:32" $large
part 12 matmul 6144 9 "$g:dmda:16" "$g:eager:16" "$g:dmda:8" "$g:dmda:32" "$g:eager:32,8" "$g:lws:16" "deep-$g:dmda:16,32" \
    "$g:dmda:16:through" "$g:dmda:$g" "$g:dmdas:16" "$g:dmdar:16" "deep-$g:eager:16" "$g:dmda:64" 1:dmda:16,8
part 3 empty 1 300 "cpu+$g:eager,lws:1,$g,1000" cpu:lws,eager:1,16,1000
