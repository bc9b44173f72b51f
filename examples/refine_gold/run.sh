#!/bin/sh
# How large are particles of gold in silver, and their cores? A synthetic pattern, counts of a mean over sizes with a background and Poisson noise,
# is refined: lattice constant, radius, core, and thermal motion. A picture is drawn if gnuplot is installed.
#     examples/refine_gold/run.sh [SONDE [FOLDER]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"
cd "$folder"

# a = 4.078 Angstrom, radius 12.2 Angstrom with a standard deviation of 2.3 %, core of 65 % of it, U = 0.0071 Angstrom^2
"$sonde" build --cell fcc --species Ag --a 4.078 --sphere 12.2 --core Au --core-size 0.65 --size-distribution normal:0.03:100 \
	--force --quiet -o particles.csv
"$sonde" debye particles.csv --q 0.55:13.9:446 --displacement 0.0071 --force --quiet -o particles.dat
awk '
	function uniform() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
	BEGIN { seed = 7; print "# synthetic pattern; counts\n# q I" }
	/^[0-9]/ {
		mean = 2 * $3 + 800 - 30 * $1
		# Poisson noise at large counts: normally distributed
		noise = sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform())
		printf "%s %d\n", $1, mean + sqrt(mean) * noise + 0.5
	}' particles.dat >measured.xy
cp "$here/refine_gold.yaml" refine_gold.yaml
set -- refine_gold.yaml --convergence 0.1 --force -o refine_gold.h5 --structure refined.xyz
if command -v gnuplot >/dev/null 2>&1; then
	set -- "$@" --plot refine_gold.png
fi
"$sonde" refine "$@"
