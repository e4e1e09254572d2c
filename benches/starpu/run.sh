#!/bin/sh
# run.sh OUT.csv [SECONDS]: every loop by StarPU, on the CPU, on the first GPU and on both; the best known choices first,
# for what does not fit into SECONDS (900) is left out. What happened is written to OUT.log. LOOPS names the program.
set -u
out=${1:?usage: run.sh OUT.csv [SECONDS]}
seconds=${2:-900}
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

: >"$log"
echo "workload,n,devices,scheduler,blocks,median_ms,min_ms,verified" >"$out"
shares=106 # the sum of the first words below

# part SHARE WORKLOAD N REPS GROUP ..: what is left of the time is for this and all that follow, by their shares.
part() {
    share=$1
    shift
    left=$((end - $(date +%s)))
    limit=$((left * share / shares))
    shares=$((shares - share))
    if [ "$left" -lt 4 ]; then
        echo "not run, out of time: $1 $2" >>"$log"
        return
    fi
    [ "$limit" -lt 2 ] && limit=2
    kill_after=$((limit + 15))
    [ "$kill_after" -gt "$left" ] && kill_after=$left
    echo "## $1 $2 $3 (at most $limit s)" >>"$log"
    STARPU_LOOPS_SECONDS=$limit timeout -k 3 "$kill_after" "$loops" "$@" >>"$out" 2>>"$log" || echo "ended with $?: $1 $2" >>"$log"
}

# The first start measures the bus.
part 12 empty 1 300 1:dmda:1,1000 1:eager:1,1000
part 4 empty 1 300 cpu:lws,eager:1,16,1000
part 6 axpy 10000000 15 cpu:lws:16,32 omp-cpu:eager:1 cpu+1:dmda:16,32,64 cpu+1:eager,lws:16,32 1:dmda:4,8,16 \
    cpu:dmda,eager:16 free-cpu+1:dmda,eager:16,32 cpu+1:dmdar,dmdas:32 omp-cpu+1:dmda,eager:16 1:dmda:8:through
# Then the large loops, all alike.
large="cpu+1:dmda:128 cpu+1:eager,lws:128,256 1:dmda:64,32 cpu:lws:64,256 omp-cpu:eager:1 deep-cpu+1:eager,lws:128
    omp-cpu+1:eager:64,32 1:eager:64 free-cpu+1:eager:128 cpu+1:dmdas:64 cpu+1:dmda:64,256 cpu+1:dmda:128:through
    1:dmda:64:through omp-cpu+1:dmda:64 cpu:eager,dmda:64 deep-1:eager,dmda:64 deep-omp-cpu+1:eager:64,128 cpu+1:eager,lws:64
    free-cpu+1:dmda,lws:128 cpu+1:dmdar:128 1:dmda:128,16 cpu:lws:16,128 cpu+1:dmdas:128,256 deep-cpu+1:eager,lws:256
    cpu+1:dmda:16,32 1:dmda:256"
part 28 axpy 1000000000 5 $large
part 18 sum 1000000000 5 $large
part 24 matvec 48000 5 $large
part 14 stencil2d 16384 9 $large
