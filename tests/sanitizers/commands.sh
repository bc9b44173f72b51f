#!/usr/bin/env bash
# Small commands of all engines under a checker:
#     tests/sanitizers/commands.sh KIND PROGRAM
# of the processor, commands on four threads each; without drivers of devices, whose threads these checkers do not know:
#     thread      PROGRAM is built with -fsanitize=thread
#     valgrind    memory, including losses
# of devices, fifteen commands; PROGRAM is an ordinary one:
#     oclgrind    the kernels on Oclgrind, an OpenCL device in software: races, bounds, wrong calls
#     memcheck, racecheck, initcheck, synccheck   the tools of NVIDIA's compute-sanitizer, on cuda:0
# ONLY=N in the environment runs the N-th command alone. Prints a line for each command; exits with 1 if one was reported.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kind=${1:?thread, valgrind, oclgrind, memcheck, racecheck, initcheck or synccheck}
program=$(realpath "${2:?PROGRAM}")
export SONDE_DATA=${SONDE_DATA:-$here/../../data} LC_ALL=C
scratch=$(mktemp -d "${TMPDIR:-/tmp}/sonde-checked-XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# exit codes of the checkers, which no command has
case $kind in
thread)
	checked=("$program")
	# a report must not depend on where the kernel puts the program
	! setarch -R true 2>/dev/null || checked=(setarch -R "$program")
	export TSAN_OPTIONS="exitcode=99 halt_on_error=0 second_deadlock_stack=1"
	race=$(dirname "$program")/../tests/sanitizers/sanitizer_race
	if [[ $("${checked[@]::${#checked[@]}-1}" "$race" 2>&1) != *"ThreadSanitizer: data race"* ]]; then
		echo "thread: this build does not report the race in $race" >&2
		exit 1
	fi
	;;
valgrind)
	checked=(valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect
		--errors-for-leak-kinds=definite,indirect "$program")
	;;
oclgrind)
	simulator=$(ls /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib*/*/liboclgrind-rt-icd.so \
		/usr/lib*/*/oclgrind/liboclgrind-rt-icd.so 2>/dev/null | head -n 1)
	[[ -n $simulator ]] || {
		echo "oclgrind: Oclgrind is not installed"
		exit 0
	}
	mkdir vendors
	echo "$simulator" >vendors/oclgrind.icd
	# code that is not optimized, nor inlined with restricted pointers: the simulator does not know all that comes of it
	# without self-tests, which compare results and would take hours here
	export SONDE_SELF_TEST=off OCL_ICD_VENDORS=$scratch/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=20 \
		OCLGRIND_LOG=$scratch/log OCLGRIND_BUILD_OPTIONS="-cl-opt-disable -Drestrict= -Dalways_inline=noinline" OCLGRIND_LOCAL_MEM_SIZE=49152
	checked=("$program") device=opencl:0
	;;
memcheck | racecheck | initcheck | synccheck)
	checked=(compute-sanitizer --tool "$kind" --error-exitcode 99 --log-file "$scratch/log" "$program") device=cuda:0
	;;
*)
	echo "commands.sh: there is no kind '$kind'" >&2
	exit 2
	;;
esac

printf '3\n\nNa 0 0 0\nCl 2 0 0\nNa 0 3 0\n' >three.xyz
awk 'function facet(a, b, c) { printf "facet normal 0 0 0\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\nendfacet\n", a, b, c }
	BEGIN { o = "0 0 0"; x = "9 0 0"; y = "0 9 0"; z = "0 0 9"; print "solid"; facet(o, y, x); facet(o, x, z); facet(o, z, y); facet(x, y, z); print "endsolid" }' >tip.stl
cat >bodies.yaml <<'END'
ions:
  ion: As
  energy: 10 keV
  target: Si
  bodies:
    - {material: W, shape: stl, file: tip.stl, scale: 1 nm, center: [2 nm, -3 nm, -3 nm]}
    - {material: SiO2, shape: cone, radius: 4 nm, height: 8 nm, center: [6 nm, 3 nm, 3 nm]}
END
printf '# where\n-1 0 0\n5 0 0\n' >points.txt
cat >slab.yaml <<'END'
fdtd:
  size: [0, 0, 1 um]
  cell: 25 nm
  time: 60 fs
  boundaries: [{alpha: 0}]
  materials: [{name: glass, index: 2}]
  bodies: [{material: glass, shape: box, size: [0, 0, 300 nm]}]
  sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 180 THz, bandwidth: 100 THz}]
  monitors:
    - {name: T, kind: flux, center: [0, 0, 300 nm], frequencies: 120 THz:240 THz:25, normalize: reference}
END
cat >dipole.yaml <<'END'
fdtd:
  size: [300 nm, 300 nm, 300 nm]
  cell: 25 nm
  steps: 60
  materials: [{name: glass, index: 1.5}]
  bodies: [{material: glass, shape: sphere, radius: 80 nm, center: [50 nm, 0, 0]}]
  sources: [{kind: dipole, center: [0, 0, 0], polarization: [0, 0, 1], frequency: 400 THz, bandwidth: 200 THz}]
  monitors:
    - {name: p, kind: point, center: [100 nm, 0, 0], components: Ez, every: 0.5 fs}
END
cat >gold.yaml <<'END'
fdtd:
  size: [240 nm, 240 nm, 240 nm]
  cell: 20 nm
  steps: 60
  average: tensor
  boundaries: [{cells: 6}]
  materials: [{name: glass, index: 1.5}]
  bodies:
    - {material: glass, shape: cylinder, radius: 30 nm, height: 60 nm, center: [0, 10 nm, 0]}
    - {material: Au-JC, shape: sphere, radius: 20 nm, center: [10 nm, 0, 10 nm]}
  sources: [{kind: plane-wave, direction: [0, 0.3, 1], polarization: [1, 0, 0], frequency: 500 THz, bandwidth: 200 THz}]
  monitors:
    - {name: A, kind: flux, size: [160 nm, 160 nm, 160 nm], frequencies: 450 THz:550 THz:3}
END
cat >bloch.yaml <<'END'
fdtd:
  size: [120 nm, 80 nm, 400 nm]
  cell: 20 nm
  steps: 60
  boundaries: [{face: x, kind: bloch, phase: 30}, {face: y, kind: periodic}, {cells: 6}]
  materials: [{name: glass, index: 1.5}]
  bodies: [{material: glass, shape: cylinder, radius: 30 nm, height: 80 nm}]
  sources: [{kind: dipole, center: [20 nm, 0, 60 nm], polarization: [0, 0, 1], frequency: 500 THz, bandwidth: 200 THz}]
  monitors:
    - {name: T, kind: flux, center: [0, 0, 100 nm], size: [120 nm, 80 nm, 0], frequencies: 450 THz:550 THz:3}
END

failed=0 number=0
try() { # ARGUMENTS OF THE PROGRAM...
	local begin=$SECONDS code=0
	number=$((number + 1))
	((number == ${ONLY:-number})) || return
	"${checked[@]}" "$@" >stdout 2>stderr </dev/null || code=$?
	# a log of compute-sanitizer is never empty; one of Oclgrind is, without errors
	if ((code != 0)) || grep -qE 'WARNING: ThreadSanitizer|^==[0-9]+== ' stderr || grep -vsE '^=+ (COMPUTE-SANITIZER|ERROR SUMMARY: 0 |RACECHECK SUMMARY: 0 )' log; then
		echo "$kind $number: exit code $code: sonde $*"
		head -n 80 stderr
		failed=$((failed + 1))
	else
		echo "$kind $number: clean, $((SECONDS - begin)) s: sonde $*"
	fi
}
of_the_processor() {
	local all=(--threads 4 --device cpu)

	try build --cell rocksalt --species Co,O --a 4.2614 --sphere 12 -o coo.xyz --threads 4
	try debye coo.xyz --q 0.1:20:100 --method exact -o exact.csv "${all[@]}"
	try debye coo.xyz --q 0.1:20:100 --method histogram -o histogram.h5 "${all[@]}"
	sed '2s/.*/Lattice="40 0 0 9 30 0 0 -5 35" pbc="T T T"/' coo.xyz >periodic.xyz
	try debye periodic.xyz --q 0.1:20:100 --cutoff 25 --counts -o periodic.h5 "${all[@]}"
	try coulomb three.xyz --charges Na=1,Cl=-2 --points points.txt -o points.csv "${all[@]}"
	try coulomb coo.xyz --charges Co=2,O=-2 --size 12,12,12 --spacing 1,1,1 --origin -6,-6,-6 --method fast -o map.dx "${all[@]}"
	try ions --ion As --energy 5keV --target Si -n 64 --srim srim -o ions.h5 "${all[@]}"
	# frames at the same time, each on a device of its own
	for frame in {1..20}; do
		"$program" build --cell rocksalt --species Co,O --a 4.2614 --sphere 15 --displace 0.1 --seed "$frame" --quiet -o -
	done >frames.xyz
	try debye frames.xyz --frames all --q 0.1:20:30 --method histogram -o frames.csv --threads 5 --device emulated
	try stopping --ion H --target C --energies 10keV,100keV,1MeV -o stopping.csv --threads 4
	try fdtd slab.yaml -o slab.h5 "${all[@]}"
	try fdtd dipole.yaml --precision float64 -o dipole.csv "${all[@]}"
	try convert map.dx map.cube
	try pattern coo.xyz --q 0.5:7:20 --phi 40 --wavelength 0.5 -o pattern.h5 "${all[@]}"
	try pattern coo.xyz --q 0.5:7:20 --phi 40 --wavelength 0.5 --method fast -o fast.h5 "${all[@]}"
	try pattern coo.xyz --q 0.5:7:20 --phi 40 --wavelength 0.5 --orientations random:9 --amplitude -o turned.h5 "${all[@]}"
	try pattern coo.xyz --q 0.5:7:20 --phi 40 --wavelength 0.5 --shots 9 -o shots.h5 "${all[@]}"
}

# A device in software takes a second for what a GPU does in a microsecond.
of_devices() {
	local all=(--device "$device" --kernel-cache off) radius=12 q=0.1:20:70 points=12 ions=200 steps=() fast=()

	if [[ $kind == oclgrind ]]; then
		radius=3 q=0.1:20:10 points=5 ions=2 steps=(--steps 2) fast=(--tolerance 1e-3)
	fi
	local grid=(--size $points,$points,$points --origin -6,-6,-6)
	"$program" build --cell rocksalt --species Co,O --a 4.2614 --sphere $radius -o coo.xyz --quiet
	try debye coo.xyz --q $q --method exact --precision float64 -o exact.csv "${all[@]}"
	try debye coo.xyz --q $q --method exact --precision float32 -o exact32.csv "${all[@]}"
	try debye coo.xyz --q $q --method histogram -o histogram.h5 "${all[@]}"
	try coulomb coo.xyz --charges Co=2,O=-2 --points points.txt --method direct -o points.csv "${all[@]}"
	try coulomb coo.xyz --charges Co=2,O=-2 --points points.txt --method fast "${fast[@]}" -o mesh.csv "${all[@]}"
	try coulomb coo.xyz --charges Co=2,O=-2 "${grid[@]}" --spacing 1 --method fast "${fast[@]}" -o map.dx "${all[@]}"
	try coulomb coo.xyz --charges Co=2,O=-2 "${grid[@]}" --spacing 2 --method direct --quantity both -o map.h5 "${all[@]}"
	try coulomb three.xyz --charges Na=1,Cl=-2 --boundary periodic --cell 12,12,12 --size $points,$points,$points --spacing 2 "${fast[@]}" \
		-o cell.dx "${all[@]}"
	try ions --ion As --energy 5keV --target Si -n $ions -o ions.h5 "${all[@]}"
	try ions --ion He --energy 20keV --target SiO2:30nm/Si --flight srim --exits 10 -n $ions -o free.h5 "${all[@]}"
	try ions bodies.yaml -n $ions -o bodies.h5 "${all[@]}"
	try fdtd slab.yaml "${steps[@]}" -o slab.h5 "${all[@]}"
	try fdtd dipole.yaml "${steps[@]}" --precision float64 -o dipole.csv "${all[@]}"
	try fdtd gold.yaml "${steps[@]}" -o gold.h5 "${all[@]}"
	try fdtd bloch.yaml "${steps[@]}" -o bloch.h5 "${all[@]}"
	try pattern coo.xyz --q 0.5:7:$points --phi 9 --wavelength 0.5 -o pattern.h5 "${all[@]}"
	try pattern coo.xyz --q 0.5:7:$points --phi 9 --wavelength 0.5 --precision float32 -o pattern32.h5 "${all[@]}"
}

if [[ -n ${device:-} ]]; then
	of_devices
else
	of_the_processor
fi
((failed == 0)) && echo "$kind: $number commands, all clean" || echo "$kind: $failed of $number commands reported"
((failed == 0))
