#!/bin/sh
# Runs every test of a build tree and closes with "N passed, N failed".
#     tests/run.sh BUILD [JOBS]
# but those with the label LEFT_OUT (tests/costs.cmake: long), if that is in the environment.
set -u
build=$1
jobs=${2:-2}
log=$build/tests.log
# several tests run at a time: threads without work leave their processor to the others at once
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
# Up to LLVM 16 the leak checker takes the thread-local variables of a library, at some addresses, for those of an older
# C library, reads what is before them, and ends with signal 11 (https://reviews.llvm.org/D147459).
if [ "${SONDE_SANITIZED:-0}" != 0 ]; then
	export ASAN_OPTIONS="intercept_tls_get_addr=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
fi
# kernels that PoCL has compiled, for all tests
export POCL_CACHE_DIR="${POCL_CACHE_DIR:-$(cd "$build" && pwd)/pocl-cache}"
# one more than processors, as some tests wait for signals, ranks, and disks
(cd "$build" && ctest -j $((jobs + 1)) --output-on-failure ${LEFT_OUT:+-LE "^$LEFT_OUT\$"}) 2>&1 | tee "$log"
summary=$(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests* failed out of \([0-9]*\).*/\1 \2/p' "$log")
failed=${summary% *}
total=${summary#* }
if [ -z "$summary" ] || [ "$total" -eq 0 ]; then
	echo "no test was run"
	exit 1
fi
echo "$((total - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
