# Tests of several ranks under mpirun source this file instead of lib.sh. The module is the second argument, mpirun the third.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SONDE_DATA=$here/../../data
module=${2:-} mpirun=${3:-mpirun}

if [[ -z $module ]] || ! command -v "$mpirun" >"$out" 2>&1; then
	skip "all" "no MPI here"
	finish
fi
# Open MPI does not look for fast networks, for which a run would start a fifth of a second later
export OMPI_MCA_pml="${OMPI_MCA_pml:-ob1}"
# leaks of MPI would be reported
if [[ $sanitized != 0 ]]; then
	skip "all" "MPI leaks memory"
	finish
fi

ranks() { # NUMBER ARGUMENTS...
	timeout -k 5 100 "$mpirun" -n "$1" "$program" "${@:2}"
}

# The numbers of a table.
numbers() { grep -v '^#' "$1"; }
same_numbers() { [[ -s $1 && -s $2 ]] && cmp -s <(numbers "$1") <(numbers "$2"); }
