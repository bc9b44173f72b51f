#!/usr/bin/env bash
# Kills commands (kill -9) at random moments. Afterwards an output that was there is what it was or the new one, whole; a new one is whole or
# absent; nothing else is left but checkpoints, and with these the run ends as if nothing had been.
#
#     tests/faults/kill.sh PROGRAM [KILLS [SEED]]
#
# Ends with "N kills, N lost, N left over"; a kill that came after the end counts as none.
set -u
export LC_ALL=C
if (($# < 1)); then
	echo "usage: $0 PROGRAM [KILLS [SEED]]" >&2
	exit 2
fi
sonde=$(realpath "$1") wanted=${2:-200} seed=${3:-1}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$(cd "$here/../data" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/sonde-kill-XXXXXX") || exit 1
trap 'cd / && rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
inputs=$scratch/inputs
mkdir "$inputs" "$scratch/work"
. "$here/cases.sh"
make_inputs || exit 1
RANDOM=$seed

on='--device cpu --threads 2 --quiet'
cell="--cell fcc --species Au --a 4.0782 --sphere"
case_of build.xyz - build $cell 40 -o x.xyz
case_of build.gz - build $cell 30 -o x.xyz.gz
case_of debye.h5 - debye "$data/C60.xyz" $on --q 1:20:400 -o x.h5
case_of debye.csv - debye "$data/C60.xyz" $on --q 1:20:400 -o x.csv
for kind in dx cube.gz mrc vtk h5; do
	case_of coulomb.$kind - coulomb "$data/C60.xyz" --charges C=1 --size 20 --spacing 0.5 --method direct $on -o x.$kind
done
case_of ions.h5 - ions --ion He --energy 10keV --target Si -n 2000 $on -o x.h5
case_of fdtd.h5 - fdtd "$inputs/job.yaml" --time 40fs --quiet -o x.h5
case_of fdtd.checkpoint checkpoint fdtd "$inputs/job.yaml" --time 40fs --quiet --checkpoint 0.05 -o x.csv
case_of convert.cube - convert "$inputs/phi.h5" x.cube

kills=0 lost=0 left=0
complain() { # WHAT
	printf 'WRONG %s, killed after %s s: %s\n' "${names[k]}" "$after" "$1"
}
cd "$scratch/work" || exit 1
whole=() seconds=()
for ((k = 0; k < ${#names[@]}; ++k)); do
	rm -rf -- *
	start=$EPOCHREALTIME
	"$sonde" ${commands[k]} >"$scratch/out" 2>&1 || complain "fails: $(head -n 1 "$scratch/out")"
	end=$EPOCHREALTIME
	whole[k]=$(result) seconds[k]=$((${end/./} - ${start/./}))
done
for ((tries = 0; kills < wanted && tries < 10 * wanted; ++tries)); do
	k=$((RANDOM % ${#names[@]}))
	read -r -a words <<<"${commands[k]}"
	target=${words[-1]}
	rm -rf -- *
	before=
	force=
	if ((RANDOM % 2)); then
		printf 'precious\n' >"$target"
		before=$(cksum <"$target") force=--force
	fi
	# most kills where files are written: towards the end
	moment=$((seconds[k] * (RANDOM % 3 == 0 ? RANDOM % 110 : 60 + RANDOM % 50) / 100))
	printf -v after '%d.%06d' $((moment / 1000000)) $((moment % 1000000))
	"$sonde" "${words[@]}" $force >"$scratch/out" 2>&1 &
	process=$!
	sleep "$after"
	kill -KILL $process 2>/dev/null
	wait $process 2>/dev/null
	[[ $? == 137 ]] || continue
	((++kills))
	for file in * .[!.]*; do
		[[ -e $file && $file != "$target" && $file != *.checkpoint ]] || continue
		((++left))
		complain "left over: $file"
		rm -rf -- "$file"
	done
	if [[ ${kinds[k]} == checkpoint && -e $target.checkpoint ]]; then
		[[ -n $before ]] || rm -f "$target"
		"$sonde" "${words[@]}" --resume --force >"$scratch/out" 2>&1 || {
			((++lost))
			complain "cannot be resumed: $(head -n 1 "$scratch/out")"
			continue
		}
		before=
	fi
	if [[ -n $before && -e $target && $(cksum <"$target") == "$before" ]] || [[ -z $before && ! -e $target ]]; then
		continue
	fi
	[[ $(result | grep -v '\.checkpoint ') == "${whole[k]}" ]] && continue
	((++lost))
	complain "neither what it was nor whole: $(result)"
done 2>/dev/null
printf '%d kills, %d lost, %d left over\n' $kills $lost $left
((lost == 0 && left == 0 && kills == wanted))
