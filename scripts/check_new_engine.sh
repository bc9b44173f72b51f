#!/usr/bin/env bash
# Verifies that a new engine needs only a folder and a row, and a new back end only a file and a row: adds the engine of
# tests/new_engine and the back end of tests/new_backend to a copy of the source, with a line in src/engines.def and one in
# src/device/backends.def, builds the program, and uses the features that both have obtained.
#     scripts/check_new_engine.sh [FOLDER]      keeps the copy in FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
work=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source"
git ls-files -z CMakeLists.txt LICENSE cmake src include tools data tests/CMakeLists.txt bench | xargs -0 cp --parents -t "$work/source"

checksums() { # of all files but the new ones
	(cd "$work/source" && find . -type f -not -path './src/toy/*' -not -path ./src/device/single.c | sort | xargs sha256sum)
}
before=$(checksums)
cp -R tests/new_engine/toy "$work/source/src/toy"
cp tests/new_backend/single.c "$work/source/src/device/"
echo 'ENGINE(toy)' >>"$work/source/src/engines.def"
echo 'BACKEND(single)' >>"$work/source/src/device/backends.def"
# nothing else was touched
changed=$( (diff <(echo "$before") <(checksums) || true) | sed -n 's/^> .*  //p' | tr '\n' ' ')
[ "$changed" = './src/device/backends.def ./src/engines.def ' ] || { echo "these have changed: $changed" >&2; exit 1; }

# the flags and the relative paths of a usual build: ccache, if it is in use, has compiled most files before
export CCACHE_BASEDIR=$work/source
build=$work/source/build
# PTX of the other engines is the same as there
cmake -S "$work/source" -B "$build" -G Ninja ${CMAKE_FLAGS:--DSONDE_WERROR=ON} -DSONDE_PTX=toy >"$work/cmake.log"
cmake --build "$build" -j "$(nproc 2>/dev/null || echo 2)" --target sonde >"$work/build.log" || {
	tail -n 30 "$work/build.log" >&2
	exit 1
}
sonde=$build/src/sonde
bash tests/new_engine/test.sh "$sonde"
bash tests/new_backend/test.sh "$sonde"
