#!/usr/bin/env bash
# Rates of sonde fdtd with ranks of MPI: cubes of CELLS^3 cells for each rank (weak), and one cube shared by the ranks (strong), with absorbing layers and
# a glass ball. Rates are of the steps alone; `plan` is the program's prediction.
#     bench/mpi_fdtd.sh PROGRAM [CELLS [STEPS [RANKS...]]]      DEVICE=cpu, MPIRUN=mpirun
set -u
program=$(realpath "${1:?PROGRAM}") cells=${2:-96} steps=${3:-100}
shift $(($# < 3 ? $# : 3))
numbers=("$@")
(($# > 0)) || numbers=(1 2)
device=${DEVICE:-cpu} mpirun=${MPIRUN:-mpirun}
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT

job() { # PLANES: along x, the layers included; CELLS along y and z
	local planes=$(($1 - 22)) across=$((cells - 22))
	cat >"$scratch/job.yaml" <<-JOB
		fdtd:
		  size: $((planes * 10)) nm, $((across * 10)) nm, $((across * 10)) nm
		  cell: 10 nm
		  steps: $steps
		  error: none
		  materials: [{name: glass, index: 1.5}]
		  bodies: [{material: glass, shape: sphere, radius: $((across * 3)) nm}]
		  sources: [{kind: dipole, polarization: [0, 0, 1], wavelength: 600 nm, center: [$((planes * 5 - 40)) nm, 0, 0]}]
		  monitors: [{kind: point}]
	JOB
}
value() { sed -n "s/.*\"$1\": \\([0-9.e+-]*\\).*/\\1/p" "$scratch/out" | tail -1; }
measure() { # NAME RANKS RATE_OF_ONE
	local plan rate one=$3
	local -a how=("$program")
	(($2 == 1)) || how=("$mpirun" -n "$2" "$program")
	"${how[@]}" fdtd "$scratch/job.yaml" --device "$device" --plan --json >"$scratch/out" 2>/dev/null || return
	plan=$(value rate)
	"${how[@]}" fdtd "$scratch/job.yaml" --device "$device" --json -o "$scratch/result.h5" --force --quiet >"$scratch/out" 2>"$scratch/err" || {
		cat "$scratch/err"
		return
	}
	rate=$(value cells_per_second)
	awk -v name="$1" -v ranks="$2" -v rate="$rate" -v plan="$plan" -v one="${one:-$rate}" \
		'BEGIN { printf "%-8s %5d %12.3f %8.2f %12.3f\n", name, ranks, 1e-9 * rate, rate / one, 1e-9 * plan }'
	last=$rate
}
printf 'sonde fdtd on %s, %d^3 cells, %d steps\n%-8s %5s %12s %8s %12s\n' "$device" "$cells" "$steps" cells ranks Gcell/s "of one" "plan"
for kind in weak strong; do
	last='' one=''
	for ranks in "${numbers[@]}"; do
		planes=$cells
		[[ $kind == strong ]] || planes=$((cells * ranks))
		job "$planes"
		measure $kind "$ranks" "$one"
		one=${one:-$last}
	done
done
