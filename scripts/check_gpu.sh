#!/bin/bash
# All checks for a machine with a GPU: all physics tests on every device, unit tests of kernels, compute-sanitizer on the
# kernels, and the speed. Runs from the root of a checkout whose tests were staged by scripts/portable.sh; needs nothing installed.
#     scripts/check_gpu.sh BUILD
set -u
stage=${1:-build}/portable
sonde=$stage/bin/sonde
failed=0
work=$(mktemp -d)
# tables that are not in every package
export SONDE_DATA=${SONDE_DATA:-$PWD/data}
trap 'rm -rf "$work"' EXIT


"$sonde" devices --device all
# an OpenCL driver for the CPU is tested elsewhere
devices=$("$sonde" devices --json | grep '"usable": true, "is_cpu": false' |
	sed -nE 's/^\{"device": "((cuda|opencl):[0-9]+)".*/\1/p')
for device in $devices; do
	if ! "$sonde" debye tests/data/Au2.xyz --device "$device" -o "$work/probe.xy" --force --quiet; then
		echo "$device: not usable"
		continue
	fi
	for test in "$stage"/tests/physics_*; do
		if SONDE_TEST_DEVICE=$device LD_LIBRARY_PATH=$stage/lib timeout 300 "$test" >"$work/log" 2>&1; then
			echo "$device: $(basename "$test") passed"
		else
			echo "$device: $(basename "$test") FAILED"
			grep -E 'ERROR|FAILED|error' "$work/log" | head -5
			failed=1
		fi
	done
done

# unit tests that use cuda:0 in addition to other devices
for test in "$stage"/tests/test_*; do
	[[ $devices == *cuda:0* && -x $test ]] || continue
	if LD_LIBRARY_PATH=$stage/lib timeout 300 "$test" >"$work/log" 2>&1; then
		echo "$(basename "$test") passed"
	else
		echo "$(basename "$test") FAILED"
		grep -E 'ERROR|FAILED|error' "$work/log" | head -5
		failed=1
	fi
done

if command -v compute-sanitizer >/dev/null && [[ $devices == *cuda:0* ]]; then
	for tool in memcheck racecheck initcheck synccheck; do
		LD_LIBRARY_PATH=$stage/lib tests/sanitizers/commands.sh "$tool" "$sonde" || failed=1
	done
	if SONDE_TEST_DEVICE=cuda:0 LD_LIBRARY_PATH=$stage/lib compute-sanitizer --error-exitcode 9 \
		"$stage/tests/physics_fdtd_slabs" >"$work/log" 2>&1; then
		echo "compute-sanitizer memcheck, fdtd in slabs: clean"
	else
		echo "compute-sanitizer memcheck, fdtd in slabs: FAILED"
		tail -5 "$work/log"
		failed=1
	fi
fi

for size in 20 50; do
	"$sonde" build --cell rocksalt --species Na,Cl --a 5.6402 --supercell $size,$size,$size -o "$work/n$size.xyz" --quiet
done
for device in $devices; do
	for pass in 1 2; do
		echo "$device, pass $pass:"
		"$sonde" debye "$work/n20.xyz" --device "$device" --method exact --q 0.1:20.08:1024 -o "$work/b.xy" --force | head -1
		case $device in cuda:*)
			"$sonde" debye "$work/n20.xyz" --device "$device" --method exact --precision float32 \
				--q 0.1:20.08:1024 -o "$work/b.xy" --force | head -2
			"$sonde" debye "$work/n50.xyz" --device "$device" --method histogram --q 0.1:20.08:1024 \
				-o "$work/b.xy" --force | head -1
			;;
		esac
	done
done

# the Python package, if there is a Python with what its tests import
wheels=$(cd "${1:-build}" 2>/dev/null && pwd)/wheel
if ls "$wheels"/sonde-*.whl >/dev/null 2>&1 && python3 -c 'import cffi, numpy, xarray, pytest, yaml, ensurepip' 2>/dev/null; then
	for device in $devices; do
		if SONDE_TEST_DEVICE=$device tests/python/run.sh python3 "$wheels" "$work/python" >"$work/log" 2>&1; then
			echo "$device: Python: $(tail -1 "$work/log")"
		else
			echo "$device: Python FAILED"
			grep -E '^(FAILED|ERROR|E  )' "$work/log" | head -10
			failed=1
		fi
	done
else
	echo "the Python package was not tested: there is no wheel, or no Python with cffi, xarray, and pytest"
fi
# arrays in the memory of NVIDIA GPUs need neither pytest nor a package that makes such arrays
if [[ $devices != *cuda:* ]]; then
	echo "arrays of Python on GPUs were not tested: there is no NVIDIA GPU"
elif ls "$wheels"/sonde-*.whl >/dev/null 2>&1 && python3 -c 'import cffi, numpy, xarray' 2>/dev/null &&
	python3 -m pip install --quiet --no-deps --no-index --target "$work/site" "$wheels"/sonde-*.whl 2>"$work/log"; then
	for device in $(grep cuda: <<<"$devices"); do
		if PYTHONPATH=$work/site python3 tests/python/cuda_arrays.py "${device#cuda:}" >"$work/log" 2>&1; then
			echo "$device: $(tail -1 "$work/log")"
		else
			echo "$device: arrays of Python on GPUs FAILED"
			tail -3 "$work/log"
			failed=1
		fi
	done
else
	echo "arrays of Python on GPUs were not tested: there is no wheel, or no Python with cffi, NumPy, and xarray"
fi
exit $failed
