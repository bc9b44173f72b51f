#!/bin/bash
# Strong scaling: bench/scaling.sh PROGRAM cpu|gpu [MOST [PATTERN [SIZE]]]
#
# Runs one job of each engine by 1, 2, 4 ... up to MOST (2) processors: of a CPU, as that many ranks of MPI with one thread
# each; of GPUs, as one process with that many devices, and as ranks with one each. Prints the seconds for which the run waited
# for devices and their kernels (start), those of the rest of the run (computing) with their ratio to those of one, those of the
# whole command from its start to its end with theirs, and whether the output is the same. Kernels are to be in the cache: run it
# twice. With PATTERN (a regular expression) only jobs that match it; SIZE (1) multiplies their work. On GPUs, SIZE 1 is 10^7
# atoms, or 10^5 charges at 1024^3 points, or 10^6 ions: some two minutes and a half of one GPU in all. The potential (8.6 GB)
# and a copy of it go to SCALING_FOLDER (the folder of temporary files). MPIRUN names mpirun, which with MPIRUN=none is left out.
set -u
program=$(realpath "$1")
kind=${2:-cpu}
most=${3:-2}
pattern=${4:-}
size=${5:-1}
mpirun=${MPIRUN:-mpirun}
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
folder=$(mktemp -d "${SCALING_FOLDER:-${TMPDIR:-/tmp}}/scaling-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0
format='%-10s %-17s %7s %10s %6s %9s %6s  %s\n'

# times BASE ROOT: so many times as long for that much work
times() { awk -v a="$1" -v root="$2" -v s="$size" 'BEGIN {printf "%.6g", a*s^(1/root)}'; }
whole() { times "$1" "$2" | awk '{printf "%d", $1 + 0.5}'; }

# number NAME: of the report, in its last line
number() { tail -1 report | tr ',{' '\n\n' | sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" | tail -1; }

# ratio A B
ratio() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.2f", (b > 0 ? a/b : 0)}'; }

# The seconds of a command: of its start, of computing, and from start to end; of a failure, its message.
run() {
	local TIMEFORMAT=%R
	process=$({ time "$@" --json --quiet >report 2>errors; } 2>&1) || {
		head -3 errors >&2
		bad=1
		process=0
	}
	compute=$(number computing)
	compute=${compute:-0}
	start=$(awk -v a="$(number devices)" -v b="$(number kernels)" 'BEGIN {printf "%.3f", a + b}')
}

# Two outputs without their lines about the run.
same() {
	case $1 in
	*.mrc) cmp -s -i 1024 "$1" "$2" ;;
	*.h5) # the values are in the middle; what describes the run, before and after them
		local size other
		size=$(stat -c %s "$1") other=$(stat -c %s "$2" 2>/dev/null || echo 0)
		((size < other)) || size=$other
		((size > 1000000)) && cmp -s -i 65536 -n $((size - 131072)) "$1" "$2"
		;;
	*) cmp -s <(grep -v '^#' "$1") <(grep -v '^#' "$2") ;;
	esac
}

# row NAME OUTPUT ARGUMENTS...: where @ stands for the output
row() {
	local name=$1 output=$2 first_compute=0 first_process=0 label
	shift 2
	[[ $name =~ $pattern ]] || return 0
	for ((number = 1; number <= most; number *= 2)); do
		for way in process ranks; do
			local this=$number-$way-$output arguments=() launcher=() same=
			if [[ $way = ranks ]]; then
				[[ $mpirun != none ]] && ((number > 1)) || continue
				launcher=("$mpirun" -n "$number")
			fi
			label="$number ranks"
			if [[ $kind = cpu ]]; then
				[[ $way = ranks ]] || ((number == 1)) || continue
				arguments=(--device cpu --threads 1)
				[[ $way = ranks ]] || label="1 process"
			else
				arguments=(--device "$(seq -s , 0 $((number - 1)) | sed 's/[0-9][0-9]*/cuda:&/g')")
				[[ $way = ranks ]] || label="1 process, $number GPU"
			fi
			run ${launcher[@]+"${launcher[@]}"} "$program" "${@/#@/$this}" "${arguments[@]}"
			if ((number == 1)); then
				first_compute=$compute first_process=$process first=$this
			else
				same=different
				! same "$first" "$this" || same="the same"
				[[ $this = "$first" ]] || rm -f "$this"
			fi
			printf "$format" "$name" "$label" "$start" "$compute" "$(ratio "$first_compute" "$compute")" \
				"$process" "$(ratio "$first_process" "$process")" "$same"
		done
	done
	rm -f ./*-"$output"
}

# A crystal of about so many atoms of CoO, displaced so that no two distances are the same.
sphere() { awk -v n="$1" 'BEGIN {printf "%.2f", (n*9.673*3/(4*3.14159265))^(1/3)}'; }
job() { # NAME ATOMS BLOCK
	printf 'build: {cell: rocksalt, species: "Co,O", a: 4.2614, sphere: %s, displace: "0.05"}\n%s\n' "$(sphere "$2")" "$3" >"$1"
}

printf "$format" job processors start computing ratio process ratio output
if [[ $kind = cpu ]]; then
	histogram=100000 direct=250000 fast=200000 points=300 charges=30000 grid=64,64,128 spacing=0.8 ions=600
else
	histogram=10000000 direct=10000000 fast=10000000 points=2000 charges=100000 grid=1024,1024,1024 spacing=0.25 ions=1000000
fi
job debye.yaml "$(whole $histogram 2)" 'debye: {q: "0.1:20:1000", method: histogram}'
picture="q: \"0.5:7:$points\", phi: $points, wavelength: 0.5"
job direct.yaml "$(whole $direct 1)" "pattern: {$picture, method: direct}"
job fast.yaml "$(whole $fast 1)" "pattern: {$picture, method: fast, tolerance: 1e-3}"
job coulomb.yaml "$(whole $charges 1)" \
	"coulomb: {charges: \"Co=2,O=-2\", method: direct, size: \"$grid\", spacing: $spacing}"
row coulomb c.h5 coulomb coulomb.yaml -o @
row ions i.csv ions --ion Fe --energy 2MeV --target Fe@7.87 -n "$(whole $ions 1)" -o @
row debye d.csv debye debye.yaml -o @
row pattern p.csv pattern direct.yaml --radial @
row fast f.csv pattern fast.yaml --radial @
exit $bad
