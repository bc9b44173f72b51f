#!/usr/bin/env bash
# Outputs on file systems that make files without a name and cannot give them one: these are copied to a file next to
# the output, which is renamed. A new file is complete; an existing one is kept, or replaced with --force; nothing
# else is left.
#
#     tests/faults/links.sh PROGRAM LIBRARY
set -u
export LC_ALL=C
if (($# < 2)); then
	echo "usage: $0 PROGRAM LIBRARY" >&2
	exit 2
fi
sonde=$(realpath "$1") library=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$(cd "$here/../data" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/sonde-links-XXXXXX") || exit 1
trap 'cd / && rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
inputs=$scratch/inputs
mkdir "$inputs" "$scratch/work"
. "$here/cases.sh"
make_inputs || exit 1

case_of build.xyz - build --cell fcc --species Au --a 4.0782 --sphere 20 -o x.xyz
case_of debye.h5 - debye "$data/C60.xyz" --device cpu --q 1:2:5 -o x.h5
case_of coulomb.dx.gz - coulomb "$data/C60.xyz" --device cpu --charges C=1 --size 6 --spacing 1 --method direct -o x.dx.gz
case_of fdtd.csv - fdtd "$inputs/thin.yaml" -o x.csv

wrong=0
complain() { # WHAT
	((++wrong))
	printf 'WRONG %s, linkat() fails with %d: %s: %s\n' "${names[k]}" "$reason" "$1" "$(head -c 300 "$scratch/err" | tr '\n' '|')"
}
refused() { # WORDS...: without names for nameless files
	LD_PRELOAD=$library SONDE_FAULT_LINKS=$reason "$sonde" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	code=$?
}
only() { # FILE: nothing else is in the folder
	local found
	found=$(find . -mindepth 1 ! -name "$1")
	[[ -z $found ]] || complain "left over: $found"
}
cd "$scratch/work" || exit 1
tried=0
for ((k = 0; k < ${#names[@]}; ++k)); do
	read -r -a words <<<"${commands[k]}"
	target=${words[-1]}
	rm -rf -- *
	"$sonde" "${words[@]}" >"$scratch/out" 2>"$scratch/err" </dev/null || complain 'fails when nothing is refused'
	whole=$(result)
	# EPERM, ENOENT (no /proc), EACCES, EXDEV, EINVAL, ENOSYS, ENOTSUP
	for reason in 1 2 13 18 22 38 95; do
		((++tried))
		rm -rf -- *
		refused "${words[@]}"
		if ((code == 77)); then
			echo 'skipped: no call can be made to fail here'
			exit 77
		fi
		((code == 0)) || complain "exit code $code"
		[[ $(result) == "$whole" ]] || complain 'is not the file that it should be'
		only "$target"
		printf 'precious\n' >"$target"
		refused "${words[@]}"
		[[ $code == 2 && $(<"$target") == precious ]] || complain "a file that was there: exit code $code"
		only "$target"
		refused "${words[@]}" --force
		[[ $code == 0 && $(result) == "$whole" ]] || complain "is not replaced: exit code $code"
		only "$target"
	done
	# an error of the disk is one of the run
	reason=5
	rm -rf -- *
	refused "${words[@]}"
	[[ $code == 3 && $(<"$scratch/err") == *'Input/output error; no file was left'* ]] || complain "exit code $code"
	only nothing
done
printf '%d outputs without names, %d wrong\n' $tried $wrong
((wrong == 0))
