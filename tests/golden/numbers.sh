# Runs the commands of commands.sh and reads the numbers in their output. To be sourced by scripts that have set $scratch, $data, $examples and
# $contents, the program of tests/faults/contents.c.
. "$(dirname "${BASH_SOURCE[0]}")/commands.sh"

# One instruction set, so that sums of floating-point numbers have one order; no other devices; no measured shapes of kernels.
isa=${NUMBERS_ISA:-}
[[ -n $isa || $(uname -m) != x86_64 ]] || isa=sse2
unset SONDE_ISA
export LC_ALL=C OCL_ICD_VENDORS=$scratch/none XDG_CACHE_HOME=$scratch/cache SONDE_DATA=$data/../../data
mkdir -p "$scratch/none"

# Output of a command, into an empty folder; the standard output into the file "-".
run_command() { # PROGRAM K FOLDER
	local words options=()
	read -ra words <<<"${commands[$2]}"
	[[ ${words[0]} == build ]] || options=(--device cpu)
	[[ ${words[0]} != stopping ]] || options=()
	[[ ${outputs[$2]} != x.* || " ${words[*]} " == *' --srim '* ]] || options+=(-o "${outputs[$2]}")
	(cd "$3" && ${isa:+env SONDE_ISA="$isa"} timeout -k 5 100 "$1" "${words[@]}" "${options[@]}" --threads "${NUMBERS_THREADS:-2}" --quiet >./- 2>./errors </dev/null)
}

# Lines of numbers, each with the label of an atom at its end if it has one; other lines are names of columns and datasets.
numbers_of() { # PROGRAM FILE
	case $2 in
	*.h5) "$contents" --values "$2" | awk '/^[-+.0-9a-z]*$|^[-+.0-9]/ { if (keep) print; next } { keep = !/\/(process|start_time|seconds)/; if (keep) print }' ;;
	*.xyz) awk 'NR > 2 { print $2, $3, $4, $1 }' "$2" ;;
	*.mrc | *.vtk | *.cube | *.dx) "$1" convert "$2" "$2.csv" --quiet && numbers_of "$1" "$2.csv" ;;
	*) grep -av '^#' "$2" | grep -avE '[Dd]ate|[0-9]:[0-9][0-9]:[0-9][0-9]' ;;
	esac
}
numbers_of_folder() { # PROGRAM FOLDER
	local file
	for file in "$2"/- "$2"/x.* "$2"/x/*; do
		[[ ! -s $file ]] || numbers_of "$1" "$file"
	done
}
digest_of() { # NUMBERS
	grep -aE '^[ \t]*([-+.]?[0-9]|-?nan|-?inf)' "$1" | sha256sum | cut -d' ' -f1
}
