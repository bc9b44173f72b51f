#!/bin/sh
# Builds the fuzz targets and runs each.
#     tests/fuzz/run.sh [SECONDS] [TARGET...]   explores with random seeds, for each target SECONDS, 30 by default
#     tests/fuzz/run.sh --fixed [TARGET...]     the same inputs each time: one seed, a fixed number of runs
# TARGET: xyz, pqr, cif, poscar, lammps_data, lammps_dump, dcd, xtc, trr, volume, yaml, hdf5, label, options, material, stopping,
# trim_in, stl, sample, fdtd, checkpoint, curve, measured, form_factors, items, poni, q_list, mask, orientations, places, refine, library; all by default. As many as there are processors, or JOBS, run
# side by side. BUILD: the build folder, build-asan by default, which `make check-asan` shares. Inputs found by the fuzzer
# while it explores are kept there, in corpus/; --fixed
# ignores them. BUILD/fuzz_runs.txt has a line for each run of a target. Exits with 1 if a target crashed, and prints
# the input that made it crash in base64:
#     base64 -d >input, then BUILD/tests/fuzz/fuzz_TARGET input
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build-asan}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
seconds=30
fixed=no
case ${1:-} in
--fixed) fixed=yes && shift ;;
'' | *[!0-9]*) ;;
*) seconds=$1 && shift ;;
esac
[ $# -gt 0 ] || set -- xyz pqr cif poscar lammps_data lammps_dump dcd xtc trr samples volume yaml hdf5 label options material stopping trim_in stl sample fdtd checkpoint curve measured form_factors items poni q_list mask orientations places refine library

"$root/tests/sanitizers/configure.sh" "$build" >/dev/null
targets=$(printf 'fuzz_%s ' "$@")
# shellcheck disable=SC2086
cmake --build "$build" --parallel "$jobs" --target $targets >/dev/null

# Runs that take some five seconds of a processor, or fewer of them where the second half finds a few edges in a hundred.
fixed_runs() { # NAME
  case $1 in
  xyz) echo 5000 ;;
  pqr | volume | poscar | lammps_data | lammps_dump | sample) echo 15000 ;;
  dcd | stopping) echo 20000 ;;
  yaml | items) echo 30000 ;;
  fdtd) echo 16000 ;;
  hdf5) echo 750 ;;
  library) echo 1500 ;;
  material | stl) echo 7500 ;;
  label) echo 4000 ;;
  xtc | trr | cif | trim_in | curve | measured | poni | q_list | orientations | places | refine) echo 10000 ;;
  checkpoint) echo 300 ;;
  *) echo 5000 ;;
  esac
}

# as in tests/run.sh
export ASAN_OPTIONS="intercept_tls_get_addr=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
mkdir -p "$build/crashes"
# files that must have a name: in memory, where that is possible
TMPDIR=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
run_one() { # NAME, with a folder of its own
  name=$1
  log=$build/fuzz_$name.log
  known=$root/tests/fuzz/corpus/$name
  same_addresses=
  TMPDIR=$(mktemp -d -p "$TMPDIR")
  # an input may take 25 s: on the slowest machine none that is in order takes as long
  set -- -rss_limit_mb=2048 -timeout=25 -print_final_stats=1 -artifact_prefix="$build/crashes/$name-"
  [ ! -f "$root/tests/fuzz/dict/$name.dict" ] || set -- "$@" -dict="$root/tests/fuzz/dict/$name.dict"
  # the HDF5 library leaks after files that it refuses; the target counts what is left open instead
  [ "$name" != hdf5 ] && [ "$name" != checkpoint ] && [ "$name" != library ] || set -- "$@" -detect_leaks=0
  if [ $fixed = yes ]; then
    # names in an order that does not depend on the file system
    find "$known" -type f 2>/dev/null | LC_ALL=C sort | tr '\n' ',' | sed 's/,$//' >"$TMPDIR.inputs"
    # libFuzzer learns what is compared with what, addresses among it: those must be the same, too
    ! setarch -R true 2>/dev/null || same_addresses='setarch -R'
    set -- "$@" -seed=1 -runs="$(fixed_runs "$name")"
    [ ! -s "$TMPDIR.inputs" ] || set -- "$@" -seed_inputs=@"$TMPDIR.inputs"
  else
    mkdir -p "$build/corpus/$name"
    set -- "$@" -max_total_time="$seconds" "$build/corpus/$name"
    [ ! -d "$known" ] || set -- "$@" "$known"
  fi
  code=0
  begin=$(date +%s)
  $same_addresses "$build/tests/fuzz/fuzz_$name" "$@" >"$log" 2>&1 || code=$?
  took=$(($(date +%s) - begin))
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  slowest=$(sed -n 's/^stat::slowest_unit_time_sec: *//p' "$log")
  covered=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  echo "$name ${runs:-0} $took ${slowest:-0} $code" >>"$build/fuzz_runs.txt"
  if [ $code -eq 0 ]; then
    echo "fuzz_$name: $runs runs in $took s, the slowest ${slowest:-0} s, $covered edges, no crash"
    return 0
  fi
  if [ $code -eq 72 ]; then
    echo "fuzz_$name: a signal stopped it after ${runs:-0} runs: nothing was found, but not all was tried"
    return 1
  fi
  input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  {
    grep -E '^SUMMARY|not so:|ERROR:|runtime error:' "$log" | head -n 5 || true
    echo "fuzz_$name: CRASH, exit code $code, log $log, input ${input:-unknown}"
    if [ -n "$input" ] && [ -f "$input" ]; then
      echo "fuzz_$name: the input in base64:"
      base64 <"$input"
    else
      tail -n 20 "$log"
    fi
  } >"$TMPDIR.crash"
  cat "$TMPDIR.crash" # in one piece: others write, too
  return 1
}
# as many at a time as there are jobs: each takes a line from a pipe, and gives it back
mkfifo "$TMPDIR/places"
exec 3<>"$TMPDIR/places"
for _ in $(seq "$jobs"); do
  echo >&3
done
failed=0
started=''
for name in "$@"; do
  read -r _ <&3
  (
    trap 'echo >&3' EXIT
    run_one "$name"
  ) &
  started="$started $!"
done
for process in $started; do
  wait "$process" || failed=1
done
exit $failed
