#!/usr/bin/env bash
# Kills commands (kill -9) at random moments. Afterward an earlier output is unchanged or replaced by the complete new
# one; a new one is complete or absent; nothing else is left except checkpoints, from which the run ends with the
# results of an uninterrupted one. Runs are also killed while they write the checkpoint of a stop (SIGTERM, then kill
# -9 within 30 ms), and after they were resumed from a checkpoint, which must not be lost by that.
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
for kind in stopped resumed; do
	case_of ions.$kind $kind ions --ion He --energy 10keV --target Si -n 10000 $on -o x.h5
	case_of fdtd.$kind $kind fdtd "$inputs/job.yaml" --time 80fs --quiet --checkpoint 60 -o x.h5
done
case_of convert.cube - convert "$inputs/phi.h5" x.cube

kills=0 lost=0 left=0
complain() { # WHAT
	printf 'WRONG %s, killed after %s s: %s\n' "${names[k]}" "$after" "$1"
}
microseconds() { # COUNT
	printf '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000))
}
# The checkpoint of a run that was stopped halfway: $scratch/NAME.checkpoint. On a busy machine two runs may take very
# different times: the wait becomes shorter after a run that ended, longer after one that had not begun.
make_checkpoint() {
	local tries wait=$((seconds[k] * 4 / 10))
	read -r -a words <<<"${commands[k]}"
	for ((tries = 0; tries < 40; ++tries)); do
		rm -rf -- *
		"$sonde" "${words[@]}" >"$scratch/out" 2>&1 &
		sleep "$(microseconds $wait)"
		kill -TERM $! 2>/dev/null
		if wait $!; then
			wait=$((wait * 7 / 10))
			continue
		fi
		[[ -e ${words[-1]}.checkpoint ]] && mv "${words[-1]}.checkpoint" "$scratch/${names[k]}.checkpoint" && return
		wait=$((wait * 5 / 4))
	done
	echo "${names[k]}: no checkpoint can be made: $(head -n 1 "$scratch/out")"
	exit 1
}
cd "$scratch/work" || exit 1
whole=() seconds=()
for ((k = 0; k < ${#names[@]}; ++k)); do
	rm -rf -- *
	start=$EPOCHREALTIME
	"$sonde" ${commands[k]} >"$scratch/out" 2>&1 || complain "fails: $(head -n 1 "$scratch/out")"
	end=$EPOCHREALTIME
	whole[k]=$(result) seconds[k]=$((${end/./} - ${start/./}))
	[[ ${kinds[k]} == resumed ]] || continue
	make_checkpoint
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
	resume=
	if [[ ${kinds[k]} == resumed ]]; then
		cp "$scratch/${names[k]}.checkpoint" "$target.checkpoint"
		resume=--resume
	fi
	# most kills where files are written: toward the end, and after the signal that stops a run
	after=$(microseconds $((seconds[k] * (RANDOM % 3 == 0 || ${#resume} ? RANDOM % 110 : 60 + RANDOM % 50) / 100)))
	"$sonde" "${words[@]}" $force $resume >"$scratch/out" 2>&1 &
	process=$!
	sleep "$after"
	if [[ ${kinds[k]} == stopped ]]; then
		kill -TERM $process 2>/dev/null
		sleep "$(microseconds $((RANDOM % 30000)))"
	fi
	kill -KILL $process 2>/dev/null
	wait $process 2>/dev/null
	[[ $? == 137 ]] || continue
	((++kills))
	for file in * .[!.]*; do
		[[ -e $file && $file != "$target" && $file != *.checkpoint ]] || continue
		# between the two system calls that replace a file: then it is whole
		if [[ -n $force && $file == "$target".part-* && $(cksum <"$target") == "$before" ]]; then
			mv "$target" "$scratch/before"
			mv "$file" "$target"
			found=$(result | grep -v '\.checkpoint ')
			mv "$scratch/before" "$target"
			[[ $found != "${whole[k]}" ]] || continue
		fi
		((++left))
		complain "left over: $file"
		rm -rf -- "$file"
	done
	if [[ ${kinds[k]} != - && -e $target.checkpoint ]]; then
		[[ -n $before ]] || rm -f "$target"
		"$sonde" "${words[@]}" --resume --force >"$scratch/out" 2>&1 || {
			((++lost))
			complain "cannot be resumed: $(head -n 1 "$scratch/out")"
			continue
		}
		before=
	elif [[ ${kinds[k]} == resumed ]]; then
		before= # there must be a result in place of the checkpoint
	fi
	if [[ -n $before && -e $target && $(cksum <"$target") == "$before" ]] || [[ -z $before && ! -e $target && ${kinds[k]} != resumed ]]; then
		continue
	fi
	[[ $(result | grep -v '\.checkpoint ') == "${whole[k]}" ]] && continue
	((++lost))
	complain "neither what it was nor whole: $(result)"
done 2>/dev/null
printf '%d kills, %d lost, %d left over\n' $kills $lost $left
((lost == 0 && left == 0 && kills == wanted))
