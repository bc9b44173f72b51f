# The kernels on Oclgrind, which simulates an OpenCL device and reports races between work-items, accesses out of bounds
# and wrong calls. The self-test runs all kernels except sinc_sum, which the histogram run adds.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
simulator=''
for file in /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib*/*/liboclgrind-rt-icd.so /usr/lib*/*/oclgrind/liboclgrind-rt-icd.so; do
	[[ -e $file ]] && simulator=$file && break
done
if [[ -z $simulator || $sanitized == 1 ]]; then
	skip "kernels on Oclgrind" "Oclgrind is not installed, or this program has sanitizers of its own"
	finish
fi

# It sees a race where there is one.
if command -v oclgrind-kernel >/dev/null; then
	printf 'kernel void race(global int *a)\n{\n\ta[0] = get_local_id(0);\n}\n' >"$inputs/race.cl"
	printf '%s\nrace\n2 1 1\n2 1 1\n<size=4 fill=0>\n' "$inputs/race.cl" >"$inputs/race.sim"
	oclgrind-kernel --data-races "$inputs/race.sim" >"$out" 2>&1
	check "a race is seen: $(excerpt "$out")" has_line "$out" 'data race'
fi

mkdir "$inputs/vendors"
echo "$simulator" >"$inputs/vendors/oclgrind.icd"
# Code without optimization, since the simulator does not support everything that the optimizer produces.
simulated() { # SAMPLE [options]
	OCL_ICD_VENDORS=$inputs/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=20 \
		OCLGRIND_LOG=$inputs/log OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OCLGRIND_LOCAL_MEM_SIZE=20000 \
		timeout -k 5 500 "$program" debye "$@" --device opencl:0 --q 1:5:5 --method histogram --kernel-cache off
}
sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 4 -o "$inputs/sample.xyz" --quiet
ok "the CPU's result" sonde debye "$inputs/sample.xyz" --device cpu --q 1:5:5 --method histogram
mv "$out" "$inputs/cpu"
ok "simulated" simulated "$inputs/sample.xyz"
check "simulated: there is a log" [ -e "$inputs/log" ]
check "simulated: no race, nothing out of bounds: $(excerpt "$inputs/log")" is_empty "$inputs/log"
check "simulated: the CPU's result" [ "$(grep -v '^#' "$out")" = "$(grep -v '^#' "$inputs/cpu")" ]

# A periodic sample, without the self-test: groups of tiles with images, and a ring shorter than the cut-off.
sonde build --cell fcc --species Co --a 4.2614 --supercell 3,3,2 -o "$inputs/block.xyz" --quiet
sed '2s/.*/Lattice="13 0 0 2 12.5 0 0 -1 9" pbc="T T T"/' "$inputs/block.xyz" >"$inputs/box.xyz"
ok "periodic: the CPU's result" sonde debye "$inputs/box.xyz" --cutoff 6 --device cpu --q 1:5:5
mv "$out" "$inputs/cpu"
rm "$inputs/log"
SONDE_SELF_TEST=off ok "periodic: simulated" simulated "$inputs/box.xyz" --cutoff 6
check "periodic: no race, nothing out of bounds: $(excerpt "$inputs/log")" is_empty "$inputs/log"
check "periodic: the CPU's result" [ "$(grep -v '^#' "$out")" = "$(grep -v '^#' "$inputs/cpu")" ]
finish
