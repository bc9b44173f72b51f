#!/usr/bin/env bash
# Compares two programs, before and after a change that must not change numbers: runs the commands of tests/golden with both and compares all their
# output, to the last bit, except dates, times and the program's own name.
#
#     scripts/compare_outputs.sh OLD_SONDE NEW_SONDE
#
# CONTENTS is the path of the program of tests/faults/contents.c, which prints the whole contents of an HDF5 file; by default the one built with NEW_SONDE.
# NUMBERS_ISA and NUMBERS_THREADS select the instruction set (sse2) and the number of threads (2).
set -uo pipefail
cd "$(dirname "$0")/.."
(($# == 2)) || { echo "usage: $0 OLD_SONDE NEW_SONDE" >&2; exit 2; }
old=$(realpath "$1") new=$(realpath "$2")
contents=${CONTENTS:-$(dirname "$new")/../tests/faults/contents}
[[ -x $contents ]] || { echo "$contents is missing: build the tests, or name it in CONTENTS" >&2; exit 2; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/sonde-compare-XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
inputs=$scratch/inputs data=$PWD/tests/data examples=$PWD/examples
mkdir "$inputs"
. tests/golden/numbers.sh
make_inputs
make_commands

# data specific to each run
own='[^/]+/(start_time|seconds|process/(command|date|device|peak_memory|rate|resumed|resumed_seconds|seconds|program|version|options/resume|job|job_file))'
all_of() { # FOLDER
	local file
	for file in "$1"/- "$1"/errors "$1"/x.* "$1"/x/*; do
		[[ -f $file ]] || continue
		printf '== %s\n' "${file#"$1"/}"
		case $file in
		*.h5) "$contents" "$file" | grep -vE "^($own)(@checksum)?: |^\.@file_time: |@checksum: " ;;
		*.mrc | *.gz) od -An -tx1 "$file" ;;
		*) grep -avE '^# (sonde |device: )|^<?[Dd]ate|[0-9]:[0-9][0-9]:[0-9][0-9]' "$file" | sed 's|; [0-9.e+]* cells/s$||' ;;
		esac
	done
}
different=0
for k in "${!names[@]}"; do
	for which in old new; do
		rm -rf "${scratch:?}/$which"
		mkdir "$scratch/$which"
		run_command "${!which}" "$k" "$scratch/$which" || echo "exit code $?" >"$scratch/$which/x.exit"
		all_of "$scratch/$which" >"$scratch/$which.text"
	done
	if ! cmp -s "$scratch/old.text" "$scratch/new.text"; then
		echo "DIFFERENT ${names[k]}: sonde ${commands[k]}"
		diff "$scratch/old.text" "$scratch/new.text" | cut -c1-200 | head -n 6
		different=$((different + 1))
	fi
done
echo "$((${#names[@]} - different)) commands with identical output, $different with different output"
((different == 0))
