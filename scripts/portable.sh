#!/bin/sh
# Stages the program and every library that it needs but glibc under BUILD/portable, so that the folder runs
# on another Linux machine of this architecture as it is.
#     scripts/portable.sh BUILD
set -eu
build=${1:-build}
stage=$build/portable
rm -rf "$stage"
mkdir -p "$stage/bin" "$stage/lib" "$stage/share/sonde"
cp "$build/src/sonde" "$stage/bin/sonde"
# tables that it reads when it runs; it looks for them in ../share/sonde
mkdir -p "$stage/share/sonde/noncommercial"
cp data/noncommercial/* "$stage/share/sonde/noncommercial/"

# glibc and the loader belong to the machine
ldd "$stage/bin/sonde" | awk '$3 ~ /^\// {print $3}' | while read -r library; do
	case $(basename "$library") in
	libc.so.* | libresolv.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | ld-linux*) ;;
	*) cp -L "$library" "$stage/lib/" ;;
	esac
done
chmod u+w "$stage"/lib/* "$stage/bin/sonde"
cp LICENSE "$stage/"

# the physics tests, if they were built: for machines with a GPU (scripts/check_gpu.sh)
if ls "$build"/tests/physics/physics_* >/dev/null 2>&1; then
	mkdir -p "$stage/tests"
	for program in "$build"/tests/physics/physics_*; do
		[ -f "$program" ] && [ -x "$program" ] && cp "$program" "$stage/tests/"
	done
	ldd "$stage/tests/physics_devices" | awk '/cmocka/ {print $3}' | while read -r library; do
		cp -L "$library" "$stage/lib/"
	done
	strip "$stage"/tests/* 2>/dev/null || true
fi
du -sh "$stage" | awk '{print "staged " $2 ": " $1}'
