#!/usr/bin/env bash
# Verifies that a new engine needs only a folder and a row: adds the engine of tests/new_engine to a copy of the source, with
# one line in src/engines.def, builds the program, and uses the features that the engine has obtained.
#     scripts/check_new_engine.sh [FOLDER]      keeps the copy in FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
work=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source"
git ls-files -z CMakeLists.txt LICENSE cmake src include tools data tests/CMakeLists.txt bench | xargs -0 cp --parents -t "$work/source"

before=$(cd "$work/source" && find . -type f | sort | xargs sha256sum | sha256sum)
cp -R tests/new_engine/toy "$work/source/src/toy"
echo 'ENGINE(toy)' >>"$work/source/src/engines.def"
# nothing else was touched
after=$(cd "$work/source" && sed -i '$d' src/engines.def && find . -type f -not -path './src/toy/*' | sort | xargs sha256sum | sha256sum)
[ "$before" = "$after" ] || { echo "more than a folder and a line has changed" >&2; exit 1; }
echo 'ENGINE(toy)' >>"$work/source/src/engines.def"

cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_CXX_FLAGS_RELEASE=-O0 ${CMAKE_FLAGS:--DSONDE_WERROR=ON} >"$work/cmake.log"
cmake --build "$work/build" -j "$(nproc 2>/dev/null || echo 2)" --target sonde >"$work/build.log" || {
	tail -n 30 "$work/build.log" >&2
	exit 1
}
sonde=$work/build/src/sonde
exec bash tests/new_engine/test.sh "$sonde"
