#!/usr/bin/env bash
# Runs commands of every kind with one fault each: the n-th allocation, write, synchronization, opening, naming of a
# file, start of a thread, mapping of memory fails, for n from 1 to N_MAX and then at some places beyond. Each run
# must end with 0, 2 or 3, within the time, without a signal; give the reason in one line; leave nothing but complete
# files, the same as without a fault.
#
#     tests/faults/run.sh PROGRAM LIBRARY [COMMANDS [N_MAX [STEP]]]
#
# LIBRARY is the one made of faults.c; COMMANDS, a regular expression, chooses cases of cases.sh; STEP takes every
# STEP-th n. JOBS=N runs N commands at a time, FAULTS='KIND ...' chooses kinds. Ends with "N faults injected, N
# wrong"; where outputs are left that are not complete, or differ, with their number.
set -u
export LC_ALL=C
if (($# < 2)); then
	echo "usage: $0 PROGRAM LIBRARY [COMMANDS [N_MAX [STEP]]]" >&2
	exit 2
fi
sonde=$(realpath "$1") library=$(realpath "$2") chosen=${3:-.} most=${4:-300} step=${5:-1} jobs=${JOBS:-1}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$(cd "$here/../data" && pwd)
beyond=${BEYOND:-40} # places beyond N_MAX
scratch=$(mktemp -d "${TMPDIR:-/tmp}/sonde-faults-XXXXXX") || exit 1
trap 'cd / && rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
inputs=$scratch/inputs
mkdir "$inputs"
. "$here/cases.sh"

# One run with a fault, in the working folder; $code is how it ended.
inject() { # FAULT WORDS...
	local fault=$1
	shift
	timeout -k 1 20 env LD_PRELOAD="$library" SONDE_FAULT="$fault" SONDE_FAULT_COUNT="$folder/count" "$sonde" "$@" \
		>"$folder/out" 2>"$folder/err" </dev/null
	code=$?
}
ok=1
wrong() { # WHY
	ok=0
	printf 'WRONG %s %s: %s: %s\n' "$name" "$fault" "$1" "$(head -c 300 "$folder/err" | tr '\n\000' '|?')"
}

# Whether stderr is warnings, and at last the reason.
says_why() {
	local line last=
	while IFS= read -r line; do
		[[ -z $last || $last == 'sonde: warning: '* ]] || return 1
		last=$line
	done <"$folder/err"
	[[ $last == sonde*': '* && $last != *'(null)'* ]]
}

# Output of a command without an output file, without comments.
printed() {
	case $name in
	# not what devices prints: clocks are measured each time
	*.stdout | info.* | help) grep -av '^#' "$folder/out" ;;
	esac
}

# Whatever way the run ended: nothing, or what it leaves without a fault.
check_outputs() {
	local found line
	found=$(result)
	[[ $(echo .[!.]*) == '.[!.]*' ]] || wrong "left behind: $(echo .[!.]*)"
	if [[ -z $found ]]; then
		[[ $(echo *) == '*' || ($kind == some && $(find . -type f) == '') ]] || wrong "left behind: $(find . | tr '\n' ' ')"
	elif [[ $kind == some ]]; then
		while IFS= read -r line; do
			[[ $'\n'$whole$'\n' == *$'\n'"$line"$'\n'* ]] || wrong "left behind: $line"
		done <<<"$found"
	elif [[ $found != "$whole" ]]; then
		wrong "left behind: $found"
	fi
}

check() { # FAULT
	fault=$1
	rm -rf -- * .[!.]*
	inject "$fault" "${words[@]}"
	((++injected))
	ok=1
	check_outputs
	((ok)) || ((++spoiled))
	if ((code == 77 || code == 124 || code == 137)); then
		wrong "does not end, or cannot be tested here ($code)"
	elif ((code != 0 && code != 2 && code != 3)); then
		wrong "exit code $code"
	elif ((code == 0)); then
		[[ $(result) == "$whole" ]] || wrong "exit code 0, but other results: $(result)"
		[[ $(printed) == "$said" ]] || wrong "exit code 0, but prints something else"
	else
		says_why || wrong "exit code $code without a reason in one line"
	fi
	((ok)) || ((++failures))
}

# All faults of one case.
run_case() { # NUMBER
	local count n fault_kind
	name=${names[$1]} kind=${kinds[$1]}
	read -r -a words <<<"${commands[$1]}"
	folder=$scratch/$1 failures=0 injected=0 spoiled=0 ok=1
	mkdir -p "$folder/work" && cd "$folder/work" || return 1
	fault=none
	"$sonde" "${words[@]}" >"$folder/out" 2>"$folder/err" </dev/null || wrong "fails without a fault"
	((ok)) || ((++failures))
	whole=$(result) said=$(printed)
	for fault_kind in ${FAULTS:-memory thread write sync name open map}; do
		rm -rf -- *
		inject $fault_kind:0 "${words[@]}"
		if ((code == 77)); then
			echo "skipped $name: no faults of kind $fault_kind can be made here"
			continue
		fi
		ok=1
		((code == 0)) || wrong "fails when calls are counted"
		count=$(<"$folder/count")
		[[ $(result) == "$whole" && $(printed) == "$said" ]] || wrong "other results when calls are counted"
		((ok)) || ((++failures))
		for ((n = 1; n <= count && n <= most; n += step)); do
			check $fault_kind:$n
		done
		# beyond: evenly; and from there on, as when the disk stays full
		for ((n = most + 1; n <= count; n += (count - most) / beyond + 1)); do check $fault_kind:$n; done
		for ((n = 1; n <= count; n += count / ((beyond + 3) / 4) + 1)); do check $fault_kind:$n+; done
	done
	printf '%s %d %d %d\n' "$name" "$injected" "$failures" "$spoiled" >>"$scratch/summary"
	((failures == 0))
}

make_inputs || {
	echo "the input files cannot be made"
	exit 1
}
make_cases
: >"$scratch/summary"
for ((k = 0; k < ${#names[@]}; ++k)); do
	[[ ${names[k]} =~ $chosen ]] || continue
	while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
	(run_case $k) &
done
wait
sort "$scratch/summary"
awk '{faults += $2; wrong += $3; spoiled += $4}
END {
	if (spoiled > 0) printf "%d runs leave outputs that are not complete or differ\n", spoiled
	printf "%d faults injected, %d wrong\n", faults, wrong
	exit wrong > 0 || faults == 0
}' "$scratch/summary"
