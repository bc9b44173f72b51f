#!/usr/bin/env bash
# The numbers of the commands of commands.sh are the recorded ones: to the last bit, by SHA-256 digests of them as
# text, on machines whose mathematical functions round like those of the machine where they were recorded
# (functions.c); otherwise within the bounds of commands.sh.
#
#     tests/golden/check.sh PROGRAM CONTENTS FUNCTIONS [--record]
#
# CONTENTS and FUNCTIONS are the programs of tests/faults/contents.c and functions.c. --record writes digests.txt and numbers.gz anew: only where numbers
# are meant to change, with the reason in the commit's message.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1") contents=$(realpath "$2") functions=$(realpath "$3") record=${4:-}
data=$(cd "$here/../data" && pwd) examples=$(cd "$here/../../examples" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/sonde-golden-XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
inputs=$scratch/inputs
mkdir "$inputs" "$scratch/results" "$scratch/numbers" "$scratch/recorded"
. "$here/numbers.sh"
make_inputs
make_commands

broken=0
# Runs a command and finds its numbers and their digest.
digest_of_command() { # K
	local folder=$scratch/results/${names[$1]} numbers=$scratch/numbers/${names[$1]}
	rm -rf "$folder"
	mkdir "$folder"
	if ! run_command "$program" "$1" "$folder"; then
		echo "FAILED ${names[$1]}: sonde ${commands[$1]}: $(head -c 600 "$folder/errors")" >&2
		broken=1
		return
	fi
	numbers_of_folder "$program" "$folder" >"$numbers"
	if [[ ! -s $numbers ]]; then
		echo "FAILED ${names[$1]}: sonde ${commands[$1]}: no numbers" >&2
		broken=1
	fi
	printf '%s  %s\n' "$(digest_of "$numbers")" "${names[$1]}"
}
for k in "${!names[@]}"; do
	digest_of_command "$k"
done >"$scratch/digests"
# integers, and sums in a fixed order: the same on any number of threads and with any instructions
isa='' NUMBERS_THREADS=1
for k in "${!names[@]}"; do
	case ${names[k]} in debye.histogram | ions.exponential | ions.planar | ions.cells | fdtd.plane | fdtd.bodies | fdtd.poles.float64) ;; *) continue ;; esac
	if ! grep -qxF "$(digest_of_command "$k")" "$scratch/digests"; then
		echo "FAILED ${names[k]}: sonde ${commands[k]}: one thread and this processor's own instructions give other numbers" >&2
		broken=1
	fi
done
((broken == 0)) || exit 1
printf '%s  mathematical functions\n' "$({ uname -m; "$functions"; } | sha256sum | cut -d' ' -f1)" >>"$scratch/digests"

if [[ $record == --record ]]; then
	cp "$scratch/digests" "$here/digests.txt"
	for k in "${!names[@]}"; do
		printf '== %s\n' "${names[k]}"
		cat "$scratch/numbers/${names[k]}"
	done | gzip -9n >"$here/numbers.gz"
	echo "recorded ${#names[@]} commands"
	exit
fi
if cmp -s "$scratch/digests" "$here/digests.txt"; then
	echo "${#names[@]} passed, 0 failed"
	exit
fi

gzip -dc "$here/numbers.gz" | awk -v folder="$scratch/recorded" '/^== / { file = folder "/" $2; next } { print >file }'
failed=0 loose=0
[[ $(tail -n 1 "$scratch/digests") == "$(tail -n 1 "$here/digests.txt")" ]] || loose=1
if ! diff <(cut -d' ' -f3- "$here/digests.txt") <(cut -d' ' -f3- "$scratch/digests"); then
	echo "FAILED: other commands than those that are recorded"
	failed=1
fi
for k in "${!names[@]}"; do
	grep -qxF "$(awk -v name="${names[k]}" '$2 == name' "$scratch/digests")" "$here/digests.txt" && continue
	largest=$(awk -f "$here/largest_difference.awk" "$scratch/recorded/${names[k]}" "$scratch/numbers/${names[k]}") || largest='other rows, or none'
	if ((loose)) && awk -v largest="$largest" -v bound="${bounds[k]}" 'BEGIN { exit !(largest + 0 == largest && largest <= bound) }'; then
		echo "${names[k]}: within $largest of the largest of its column"
	else
		echo "FAILED ${names[k]}: sonde ${commands[k]}: differs by $largest of the largest of its column (bound $( ((loose)) && echo "${bounds[k]}" || echo 'no bit'))"
		failed=$((failed + 1))
	fi
done
((loose == 0)) || echo "mathematical functions of this machine round in another way than where the numbers were recorded"
echo "$((${#names[@]} - failed)) passed, $failed failed"
((failed == 0))
