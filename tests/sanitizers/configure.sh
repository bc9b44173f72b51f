#!/bin/sh
# Configures the one build tree with sanitizers, which `make check-asan` and the fuzzers share:
#     [LEFT_OUT=LABEL] tests/sanitizers/configure.sh BUILD [CMAKE-OPTION...]
# clang, because gcc's AddressSanitizer does not check reads of double complex, and its -fsanitize=undefined does not
# check conversions of floats that an integer cannot hold. Division of floats by zero is not an error here: IEEE's
# infinities are used on purpose.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
shift
# The programs of tests that are left out (LEFT_OUT: tests/run.sh) are not built. Of the others none reads the PTX in the
# library, which takes time to make. Without LEFT_OUT, as from the fuzzers, a tree stays as it is.
if [ -n "${LEFT_OUT+given}" ]; then
	ptx=ON
	[ "$LEFT_OUT" != long ] || ptx=OFF
	set -- "-DSONDE_LEFT_OUT=$LEFT_OUT" "-DSONDE_PTX=$ptx" "$@"
fi
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DSONDE_TESTS=ON \
  -DSONDE_FUZZ=ON -DSONDE_SANITIZE=address,undefined,float-cast-overflow "$@"
