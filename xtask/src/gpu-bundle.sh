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
# Seconds that each step took.
: >times.txt
failed=0

# step NAME COMMAND...: what it prints goes into NAME.log; a failure does not stop the others.
# A driver that hangs must not take the other steps' time.
step() {
    name=$1
    shift
    echo "> $name"
    began=$(date +%s)
    if command -v timeout >/dev/null 2>&1; then
        timeout 3600 "$@" >"$name.log" 2>&1 </dev/null
    else
        "$@" >"$name.log" 2>&1 </dev/null
    fi
    status=$?
    took=$(($(date +%s) - began))
    echo "$name $took" >>times.txt
    if [ "$status" -eq 0 ]; then
        echo "ok      $name, $took s" >>summary.txt
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
step tests-points "$here/tests/points" --test-threads=1 --skip generator
# Kernels that read or write where they should not, and threads that meet. The API's errors are how the driver is asked.
# sanitized TOOL PROGRAM TEST: one test under the tool, and a line of what it found. Most are done within a minute; together they
# would run into any limit.
sanitized() {
    tool=$1
    test=$3
    step "$tool-$(basename "$2")-$(echo "$test" | tr ':' '-' | tr -s '-')" \
        compute-sanitizer --tool "$tool" --report-api-errors no --error-exitcode 9 \
        "$here/tests/$2" --test-threads=1 --exact "$test"
    found=$(sed -n 's/^=* *[A-Z]* SUMMARY: //p' "$name.log" | tail -n 1)
    echo "$tool $2 $test: ${found:-no summary}, $took s" | tee -a sanitizer.txt
}
if [ -z "$quick" ] && command -v compute-sanitizer >/dev/null 2>&1; then
    : >sanitizer.txt
    for tool in memcheck racecheck; do
        sanitized "$tool" every region::on_one_gpu_and_on_all
        # Each generated kernel whose threads work in groups, or write where data say.
        "$here/tests/devices" --list 2>/dev/null </dev/null | sed -n 's/: test$//p' |
            grep -E '^(strips|shared|abreast|kernels|contribute|outside)::' >sanitized-tests.txt
        while IFS= read -r test; do
            sanitized "$tool" devices "$test"
        done <sanitized-tests.txt
    done
fi

if [ -n "$quick" ]; then
    effort=--quick
    # Repetitions, and the workload that is over soonest.
    loops="3 bm2d"
    size="--size small --reps 3 --formats svg"
else
    effort=
    loops=7
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
if [ -f machine.json ]; then
    # shellcheck disable=SC2086
    step bench-loops "$here/bench-gpu" loops machine.json page-locked $loops
    # shellcheck disable=SC2086
    step bench-hand "$here/bench-gpu" hand ${quick:+quick} machine.json page-locked $loops
fi
for memory in page-locked plain; do
    # shellcheck disable=SC2086
    step "compare-$memory" "$here/apportion" compare $machine --workloads all --policies all $size \
        --memory "$memory" --history off --out "compare-$memory"
done

echo
cat summary.txt
if [ -f sanitizer.txt ]; then
    cat sanitizer.txt
fi
exit "$failed"
