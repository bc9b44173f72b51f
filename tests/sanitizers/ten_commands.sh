#!/usr/bin/env bash
# Ten small commands of all engines, each on four threads, under a checker that reports into stderr:
#     tests/sanitizers/ten_commands.sh thread|valgrind PROGRAM
# thread: PROGRAM is built with -fsanitize=thread. valgrind: with no sanitizer. Only the processor's own back end: drivers of
# devices, whose threads no checker knows, stay out. Prints a line for each command; exits with 1 if one was reported.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kind=${1:?thread or valgrind}
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
*)
	echo "ten_commands.sh: '$kind' is neither thread nor valgrind" >&2
	exit 2
	;;
esac

printf '3\n\nNa 0 0 0\nCl 2 0 0\nNa 0 3 0\n' >three.xyz
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

failed=0 number=0
try() { # ARGUMENTS OF THE PROGRAM...
	local begin=$SECONDS code=0
	"${checked[@]}" "$@" >stdout 2>stderr </dev/null || code=$?
	number=$((number + 1))
	if ((code != 0)) || grep -qE 'WARNING: ThreadSanitizer|^==[0-9]+== ' stderr; then
		echo "$kind $number: exit code $code: sonde $*"
		head -n 80 stderr
		failed=$((failed + 1))
	else
		echo "$kind $number: clean, $((SECONDS - begin)) s: sonde $*"
	fi
}
all=(--threads 4 --device cpu)
try build --cell rocksalt --species Co,O --a 4.2614 --sphere 12 -o coo.xyz --threads 4
try debye coo.xyz --q 0.1:20:100 --method exact -o exact.csv "${all[@]}"
try debye coo.xyz --q 0.1:20:100 --method histogram -o histogram.h5 "${all[@]}"
try coulomb three.xyz --charges Na=1,Cl=-2 --points points.txt -o points.csv "${all[@]}"
try coulomb coo.xyz --charges Co=2,O=-2 --size 12,12,12 --spacing 1,1,1 --origin -6,-6,-6 --method fast -o map.dx "${all[@]}"
try ions --ion As --energy 5keV --target Si -n 64 --srim srim -o ions.h5 "${all[@]}"
try stopping --ion H --target C --energies 10keV,100keV,1MeV -o stopping.csv --threads 4
try fdtd slab.yaml -o slab.h5 "${all[@]}"
try fdtd dipole.yaml --precision float64 -o dipole.csv "${all[@]}"
try convert map.dx map.cube
((failed == 0)) && echo "$kind: $number commands, all clean" || echo "$kind: $failed of $number commands reported"
((failed == 0))
