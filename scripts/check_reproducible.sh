#!/bin/sh
# Builds the committed state twice, in two folders with names of different lengths and at different times, and compares the
# installed files, byte for byte.
#     scripts/check_reproducible.sh [CMAKE_FLAGS...]
# SONDE_REPRODUCIBLE_DIR is the folder (default: one in TMPDIR; about 400 MB), JOBS the number of jobs.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${SONDE_REPRODUCIBLE_DIR:-${TMPDIR:-/tmp}}/sonde-reproducible-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export CCACHE_DISABLE=1

for name in one another-with-a-longer-name; do
	mkdir "$work/$name"
	git -C "$top" archive HEAD | tar -x -C "$work/$name"
	cmake -S "$work/$name" -B "$work/$name/made" -G Ninja "$@" >/dev/null
	cmake --build "$work/$name/made" -j "${JOBS:-2}" >/dev/null
	cmake --install "$work/$name/made" --prefix "$work/$name/installed" >/dev/null
done
cd "$work/one/installed"
different=0
count=0
for file in $(find . -type f | sort); do
	count=$((count + 1))
	cmp "$file" "$work/another-with-a-longer-name/installed/$file" || different=$((different + 1))
done
sha256sum bin/sonde "$(find . -name 'libsonde.so.*' -type f)"
echo "$count files, $different different"
[ "$count" -gt 10 ] && [ "$different" -eq 0 ]
