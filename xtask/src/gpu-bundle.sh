#!/bin/sh
# Runs the GPU tests and the measurements of this folder, and leaves what they say in a folder of their own.
# Commands get relative paths alone, so that records tell of no place on this machine.
set -u

usage="usage: run.sh [--quick] OUT

  OUT      folder for logs, machine file, records and figures
  --quick  small sizes and few repetitions: whether it works, not how fast

exit status: 0, 1 (a step failed; OUT/summary.txt says which), 2 (wrong arguments)"

quick=
out=
for argument in "$@"; do
    case $argument in
    --quick) quick=1 ;;
    --help | -h)
        echo "$usage"
        exit 0
        ;;
    -*)
        echo "run.sh: there is no option \`$argument\`; there is --quick" >&2
        exit 2
        ;;
    *)
        if [ -n "$out" ]; then
            echo "run.sh: one folder is enough, but \`$out\` and \`$argument\` are given" >&2
            exit 2
        fi
        out=$argument
        ;;
    esac
done
if [ -z "$out" ]; then
    echo "$usage" >&2
    exit 2
fi

here=$(cd "$(dirname "$0")" && pwd) || exit 1
mkdir -p "$out" && cd "$out" || exit 1
: >summary.txt
failed=0

# step NAME COMMAND...: what it prints goes into NAME.log; a failure does not stop the others.
# A driver that hangs must not take the other steps' time.
step() {
    name=$1
    shift
    echo "> $name"
    if command -v timeout >/dev/null 2>&1; then
        timeout 3600 "$@" >"$name.log" 2>&1 </dev/null
    else
        "$@" >"$name.log" 2>&1 </dev/null
    fi
    status=$?
    if [ "$status" -eq 0 ]; then
        echo "ok      $name" >>summary.txt
    else
        failed=1
        echo "FAILED  $name (exit status $status): $name.log" >>summary.txt
        tail -n 20 "$name.log"
    fi
}

if [ -f "$here/commit.txt" ]; then
    cp "$here/commit.txt" .
fi
step gpus nvidia-smi -L
step driver nvidia-smi --query-gpu=index,name,driver_version,memory.total --format=csv
uname -srm >system.log
if command -v lscpu >/dev/null 2>&1; then
    lscpu >>system.log
fi

export APPORTION_REQUIRE_CUDA=1
step tests-cuda "$here/tests/cuda" --test-threads=1
step tests-region-gpus "$here/tests/region_gpus" --test-threads=1
step tests-every "$here/tests/every" --test-threads=1
# Many small kernels, each of which is compiled: the compiler does one at a time, and takes minutes for them.
# What compares files with their generator needs the sources.
step tests-devices "$here/tests/devices" --test-threads=1 --skip generator
# Kernels that read or write where they should not, and threads that meet. The API's errors are how the driver is asked.
if [ -z "$quick" ] && command -v compute-sanitizer >/dev/null 2>&1; then
    for tool in memcheck racecheck; do
        step "$tool-regions" compute-sanitizer --tool "$tool" --report-api-errors no --error-exitcode 9 \
            "$here/tests/every" --test-threads=1 region::on_one_gpu_and_on_all
        step "$tool-devices" compute-sanitizer --tool "$tool" --report-api-errors no --error-exitcode 9 \
            "$here/tests/devices" --test-threads=1 strips:: shared:: abreast:: kernels::
    done
fi

if [ -n "$quick" ]; then
    effort=--quick
    size="--size small --reps 3 --formats svg"
else
    effort=
    size="--size medium --reps 15"
fi
# An old one would be taken for this machine's.
rm -f machine.json
step devices "$here/apportion" devices
# shellcheck disable=SC2086
step probe "$here/apportion" probe $effort -o machine.json
machine=
if [ -f machine.json ]; then
    machine="--machine machine.json"
fi
step bench-empty "$here/bench-gpu" empty
step bench-kernels "$here/bench-gpu" kernels
# shellcheck disable=SC2086
step bench-regions "$here/bench-gpu" regions ${quick:+quick}
# shellcheck disable=SC2086
step bench-single "$here/bench-gpu" single ${quick:+quick}
for memory in page-locked plain; do
    # shellcheck disable=SC2086
    step "compare-$memory" "$here/apportion" compare $machine --workloads all --policies all $size \
        --memory "$memory" --history off --out "compare-$memory"
done

echo
cat summary.txt
exit "$failed"
