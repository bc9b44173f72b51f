#!/usr/bin/env bash
# The figures of accuracy in docs/debye.md, measured again, each with the figure of the text: its row in the table.
# The first part compares the program with itself, histogram with exact sums, at 1000 points of q; the second uses the
# output of the physics tests, which compare with sums that are independent of the program (they are built by `make
# test`). Rates and times are those of `make bench`.
#
#     bench/figures_debye.sh [BUILD]        a few minutes on one core
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C OMP_NUM_THREADS=1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath "${1:-$here/build}")
sonde=$build/src/sonde
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The figure of the text: the row of the table that begins like this.
text() { grep -m 1 -F "| $1" "$here/docs/debye.md" || echo "(no row '$1' in docs/debye.md)"; }
show() { # ROW WHAT
	printf '%s\n    measured: %s\n' "$(text "$1")" "$2"
}

# Largest |d(I/N)|/(<f^2> + I/N) of the histogram from exact sums, and its own estimate.
q=0.1:20.08:1000
compare() { # SAMPLE OPTION...
	local sample=$1
	shift
	local run=("$sonde" debye "$sample" --q "$q" "$@" --columns I_per_atom,mean_square_amplitude --quiet --force --device cpu)
	"${run[@]}" --method exact -o exact.xy
	"${run[@]}" --method histogram -o histogram.xy
	paste -d' ' <(grep -v '^#' exact.xy) <(grep -v '^#' histogram.xy) | awk '
		{d = $1 - $3; if (d < 0) d = -d; e = d/($1 + $2); if (e > worst) worst = e} END {printf "%.2g", worst}'
	sed -n 's/^# largest error: estimate \([^,]*\),.*/ (its estimate \1)/p' histogram.xy | tr -d '\n'
}
make() { "$sonde" build "$@" --quiet --force; }

make --cell wurtzite --species Cd,Se --a 4.2985 --c 7.0152 --u 0.3768 --sphere 30 -o cdse.xyz
show 'CdSe wurtzite' "$(compare cdse.xyz); q to 75: $(q=0.1:75:1000 && compare cdse.xyz)"

awk 'BEGIN {n = 0} NR > 2 {label[n] = $1; x[n] = $2; y[n] = $3; z[n++] = $4} END {
	print 256 * n "\n"; a = 14.17
	split("0 0 0 0 .5 .5 .5 0 .5 .5 .5 0", s, " ")
	for (i = 0; i < 64; ++i) for (c = 0; c < 4; ++c) for (k = 0; k < n; ++k)
		printf "%s %.9f %.9f %.9f\n", label[k], x[k] + a*(int(i/16) + s[3*c + 1]), y[k] + a*(int(i/4)%4 + s[3*c + 2]), z[k] + a*(i%4 + s[3*c + 3])
	}' "$here/tests/data/C60.xyz" >fullerite.xyz
show 'C₆₀ fcc, 15,360' "$(compare fullerite.xyz)"

make --cell fcc --species Au --a 4.0782 --sphere 34.4 -o au.xyz
# normal deviates of 0.1 Angstrom (Box and Muller)
awk 'BEGIN {srand(1)} function normal() {return 0.1*sqrt(-2*log(1 - rand()))*cos(6.283185307179586*rand())}
	NR <= 2 {print NR == 1 ? $0 : ""; next} {printf "%s %.9f %.9f %.9f\n", $1, $2 + normal(), $3 + normal(), $4 + normal()}' au.xyz >disorder.xyz
show 'Au, 10,005 atoms, σ' "$(compare disorder.xyz)"
show 'Au fcc, 10,005' "$(compare au.xyz)"
show 'CoO, 27,633' "X-rays $(compare "$here/tests/data/CoO_R40.xyz.gz"); neutrons $(compare "$here/tests/data/CoO_R40.xyz.gz" --radiation neutron)"

# Lines "NAME  N 959  1000 q  error 1e-9 at q 3  estimate 2e-8 ..." of a test: the largest error and estimate of those that begin so.
printed() { # TEST LINE
	[[ -e $1.txt ]] || "$build/tests/physics/physics_$1" >"$1.txt" 2>&1 || true
	grep -F "$2" "$1.txt" | awk -v what="$2" '{for (i = 1; i < NF; ++i) {
		if ($i == "error" && $(i + 1) + 0 > e) e = $(i + 1) + 0; if ($i == "estimate" && $(i + 1) + 0 > s) s = $(i + 1) + 0}}
		END {printf "%s: %s", what, NR ? e " (its estimate " s ")" : "not printed"}'
}
if [[ -x $build/tests/physics/physics_closed_forms ]]; then
	show 'Au₂, 2.88' "$(printed closed_forms 'Au2, file, exact'); $(printed closed_forms 'Au2, file, histogram')"
	show 'C₆₀; the same' "$(printed molecule 'C60.unit.dat, exact'); $(printed molecule 'C60, spherical average, exact'); $(printed molecule 'C60.unit.dat, histogram')"
	show 'Au fcc, 959' "$(printed reference_files 'Au 959, exact'); $(printed reference_files 'Au 959, histogram')"
	show 'Au fcc, 10,005' "$(printed crystals 'Au 10,005, exact'); $(printed crystals 'Au 10,005, histogram')"
	show 'Au fcc, 49,901' "$(printed crystals 'Au 49,901, exact'); $(printed crystals 'Au 49,901, histogram')"
	show 'CoO, 27,633' "$(printed reference_files 'CoO 27,633, exact'); $(printed reference_files 'CoO 27,633, neutrons, exact'); $(printed reference_files 'CoO 27,633, histogram'); $(printed reference_files 'CoO 27,633, neutrons, histogram')"
	show 'CoO, 148,597' "$(printed large_crystals 'CoO 148,597, histogram')"
	show 'NaCl, 64,000' "$(printed large_crystals 'NaCl 64,000, exact'); $(printed large_crystals 'NaCl 64,000, histogram')"
	show 'triclinic bulk' "$(printed histogram 'triclinic')"
	show 'distortions of' "$(printed histogram 'moved 0.0')"
	show 'ten species' "$(printed crystals 'fcc, ten species, exact'); $(printed crystals 'fcc, ten species, histogram')"
	show 'vacant, mixed, split' "$(printed occupancies 'vacancies, method 1'); $(printed occupancies 'vacancies, method 2'); $(printed occupancies 'shared and split sites, method 2')"
	show 'random alloy' "$(printed occupancies 'alloy, exact'); $(printed occupancies 'alloy, histogram')"
fi
