#!/bin/sh
# Absorption of a gold sphere, compared with Mie's series (mie.csv, made by docs/plots/mie.py from the library's
# gold). A smaller CELL, in nm, is more accurate and takes longer; a larger UNTIL ends the run earlier.
#     examples/gold_nanosphere/run.sh [SONDE [FOLDER [CELL [UNTIL]]]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
cell=${3:-5}
until=${4:-1e-4}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

"$sonde" fdtd "$here/job.yaml" --cell "${cell}nm" --until "$until" --force -o "$folder/gold.csv"
# wavelength (nm), absorption and scattering over pi R^2
awk -F, '/^[0-9]/ { printf "%.6g %.5f %.5f\n", 1e9*$2, $4/(3.14159265358979*30e-9^2), $3/(3.14159265358979*30e-9^2) }' \
	"$folder/gold.csv" >"$folder/gold.xy"
awk '$2 > most { most = $2; at = $1 } END { printf "absorbs most at %g nm: %.2f of its cross-section\n", at, most }' "$folder/gold.xy"

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "table: $folder/gold.xy (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
MIE="$here/mie.csv" CELL="$cell" gnuplot <<'SCRIPT'
set terminal pngcairo size 900,500 font 'Sans,12'
set output 'gold.png'
set xlabel 'wavelength (nm)'
set ylabel 'efficiency'
set xrange [400:700]
set yrange [0:*]
mie = system('echo "$MIE"')
plot 'gold.xy' using 1:2 with points pt 7 lc rgb '#c8642d' title 'absorption, '.system('echo "$CELL"').' nm cells', \
     '' using 1:3 with points pt 7 lc rgb '#1f4e9a' title 'scattering', \
     "< grep '^[0-9]' '".mie."' | tr ',' ' '" using 1:2 with lines lc rgb '#888888' title 'Mie', \
     '' using 1:3 with lines lc rgb '#888888' notitle
SCRIPT
echo "picture: $folder/gold.png"
