#!/bin/sh
# Stages the program under BUILD/portable by installing it, with every library that it needs except those of the C library,
# and their licenses (cmake/carry.cmake), so that the folder runs unchanged on another Linux machine of this architecture.
#     scripts/portable.sh BUILD
set -eu
build=${1:-build}
stage=$build/portable
rm -rf "$stage"
components='program carried'
# the module for MPI is linked to the MPI of this machine; without one, it is not opened
[ ! -e "$build/lib/sonde/libsonde_mpi.so" ] || components="$components mpi"
for component in $components; do
	cmake --install "$build" --prefix "$stage" --component $component --strip >"$build/portable.log" || {
		cat "$build/portable.log" >&2
		exit 1
	}
done

# the physics tests, and those unit tests that use an NVIDIA GPU if there is one, if they were built: for machines with a GPU
# (scripts/check_gpu.sh)
if ls "$build"/tests/physics/physics_* >/dev/null 2>&1; then
	mkdir -p "$stage/tests"
	for program in "$build"/tests/physics/physics_*; do
		[ -f "$program" ] && [ -x "$program" ] && cp "$program" "$stage/tests/"
	done
	for source in $(grep -l '"cuda:0"' tests/unit/*/test_*.c); do
		cp "$build/tests/unit/$(basename "$source" .c)" "$stage/tests/"
	done
	ldd "$stage"/tests/* | awk '/cmocka|yaml/ {print $3}' | sort -u | while read -r library; do
		cp -L "$library" "$stage/lib/"
	done
	strip "$stage"/tests/* 2>/dev/null || true
fi
find "$stage/lib" -type f | wc -l | xargs printf 'carries %s libraries\n'
du -sh "$stage" | awk '{print "staged " $2 ": " $1}'
