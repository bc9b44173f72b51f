# The kernels on Oclgrind, which simulates an OpenCL device and reports races between work-items, accesses out of bounds
# and wrong calls. Each kernel runs on a few atoms without the self-test, whose sums take the simulator twenty seconds, and
# the result is compared with the CPU's.
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
simulated() { # ARGUMENT...
	OCL_ICD_VENDORS=$inputs/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=20 \
		OCLGRIND_LOG=$inputs/log OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OCLGRIND_LOCAL_MEM_SIZE=20000 SONDE_SELF_TEST=off \
		timeout -k 5 500 "$program" debye "$@" --device opencl:0 --kernel-cache off
}
# q, I/N and S of two tables within a share of the largest value.
agree() { # TABLE TABLE SHARE
	paste -d ' ' <(grep -v '^#' "$1") <(grep -v '^#' "$2") | awk -v share="$3" '
		function off(a, b) {return a > b ? a - b : b - a}
		{if (off($1, $6) > 0 || off($3, $8) > share*$8 || off($4, $9) > share) bad = 1}
		END {exit bad || NR < 5}'
}
compare() { # NAME SHARE ARGUMENT...
	local name=$1 share=$2
	shift 2
	rm -f "$inputs/log" is.xy should.xy
	ok "$name: the CPU's result" sonde debye "$@" --device cpu --q 1:5:5 -o should.xy --quiet
	ok "$name: simulated" simulated "$@" --q 1:5:5 -o is.xy --quiet
	check "$name: there is a log" [ -e "$inputs/log" ]
	check "$name: no race, nothing out of bounds: $(excerpt "$inputs/log")" is_empty "$inputs/log"
	check "$name: the CPU's result" agree is.xy should.xy "$share"
}
sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 4 -o "$inputs/sample.xyz" --quiet
compare histogram 0 "$inputs/sample.xyz" --method histogram
# 33 atoms: two tiles, of which one has a single atom
sonde build --cell sc --species Co --a 3 --sphere 6.1 -o "$inputs/ball.xyz" --quiet
compare exact 1e-10 "$inputs/ball.xyz" --method exact
compare "exact, float32" 1e-4 "$inputs/sample.xyz" --method exact --precision float32
printf 'build: {cell: sc, species: Au, a: 3, sphere: 4.5}\n' >"$inputs/lattice.yaml"
compare lattice 1e-10 "$inputs/lattice.yaml" --method lattice
# a periodic sample: groups of tiles with images, and a ring shorter than the cut-off
sonde build --cell fcc --species Co --a 4.2614 --supercell 3,3,2 -o "$inputs/block.xyz" --quiet
sed '2s/.*/Lattice="13 0 0 2 12.5 0 0 -1 9" pbc="T T T"/' "$inputs/block.xyz" >"$inputs/box.xyz"
compare periodic 0 "$inputs/box.xyz" --cutoff 6
finish
