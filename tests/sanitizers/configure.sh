#!/bin/sh
# Configures the one build tree with sanitizers, which `make check-asan` and the fuzzers share:
#     tests/sanitizers/configure.sh BUILD [CMAKE-OPTION...]
# clang, because gcc's AddressSanitizer does not check reads of double complex, and its -fsanitize=undefined does not
# check conversions of floats that an integer cannot hold. Division of floats by zero is not an error here: IEEE's
# infinities are used on purpose.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
shift
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DSONDE_TESTS=ON \
  -DSONDE_FUZZ=ON -DSONDE_SANITIZE=address,undefined,float-cast-overflow "$@"
