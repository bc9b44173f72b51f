#!/bin/sh
# Builds the fuzz targets and runs each:  tests/fuzz/run.sh [SECONDS] [TARGET...]
# SECONDS: for each target, 30 by default; as many as there are processors, or JOBS, run side by side. TARGET: xyz, pqr, volume, yaml, hdf5, label, options, material, stopping, trim_in, stl, fdtd, checkpoint; all by default.
# BUILD: the build folder, build-fuzz by default. What the fuzzer learns stays there, in corpus/.
# Exits with 1 if a target crashed, and prints where the input is that made it crash.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build-fuzz}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
seconds=30
case ${1:-} in
'' | *[!0-9]*) ;;
*) seconds=$1 && shift ;;
esac
[ $# -gt 0 ] || set -- xyz pqr volume yaml hdf5 label options material stopping trim_in stl fdtd checkpoint

cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DSONDE_FUZZ=ON -DSONDE_SANITIZE=address,undefined >/dev/null
targets=$(printf 'fuzz_%s ' "$@")
# shellcheck disable=SC2086
cmake --build "$build" --parallel "$jobs" --target $targets >/dev/null

mkdir -p "$build/crashes"
# files that must have a name: in memory, where that is possible
TMPDIR=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
run_one() { # NAME, with a folder of its own
  name=$1
  mkdir -p "$build/corpus/$name"
  log=$build/fuzz_$name.log
  TMPDIR=$(mktemp -d -p "$TMPDIR")
  set -- -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$build/crashes/$name-"
  [ ! -f "$root/tests/fuzz/dict/$name.dict" ] || set -- "$@" -dict="$root/tests/fuzz/dict/$name.dict"
  # the HDF5 library leaks after files that it refuses; the target counts what is left open instead
  [ "$name" != hdf5 ] && [ "$name" != checkpoint ] || set -- "$@" -detect_leaks=0
  if "$build/tests/fuzz/fuzz_$name" "$@" "$build/corpus/$name" "$root/tests/fuzz/corpus/$name" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    covered=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    echo "fuzz_$name: $runs runs in $seconds s, $covered edges, no crash"
  else
    grep -E '^SUMMARY|not so:|ERROR:' "$log" | head -n 3 || true
    echo "fuzz_$name: CRASH, log $log, input $(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)"
    return 1
  fi
}
failed=0
started=''
wait_for_all() {
  for process in $started; do
    wait "$process" || failed=1
  done
  started=''
}
running=0
for name in "$@"; do
  run_one "$name" &
  started="$started $!"
  running=$((running + 1))
  [ $((running % jobs)) -gt 0 ] || wait_for_all
done
wait_for_all
exit $failed
