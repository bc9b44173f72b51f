#!/bin/sh
# Gold particles with a log-normal distribution of radii, compared with particles of the median radius, at small and
# large angles.
#     examples/gold_sizes/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

gold="--cell fcc --species Au --a 4.0782 --sphere 15"
# shellcheck disable=SC2086
"$sonde" build $gold --force -o "$folder/one.xyz"
# shellcheck disable=SC2086
"$sonde" build $gold --size-distribution lognormal:0.15:11 --force -o "$folder/sizes.csv"
for sample in one.xyz sizes.csv; do
	"$sonde" debye "$folder/$sample" --q 0.01:10:1000 --force -o "$folder/${sample%.*}.xy"
done

# Guinier: ln I(q) = ln I(0) - q^2 R_g^2/3 for small q
for sample in one sizes; do
	awk -v name=$sample '!/^#/ && ++n == 1 {q = $1; i = $2} !/^#/ && n == 3 {
		printf "%s: radius of gyration %.2f Angstrom\n", name, sqrt(3*log(i/$2)/($1*$1 - q*q)); exit}' "$folder/$sample.xy"
done

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "tables: $folder/one.xy, sizes.xy (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
gnuplot <<'SCRIPT'
set terminal pngcairo size 1200,900 font 'Sans,13'
set output 'gold_sizes.png'
set multiplot layout 2,1 margins 0.09,0.97,0.08,0.97 spacing 0.09
set xlabel 'q (1/Å)'
set ylabel 'I(q)/N (electron units)'
set format y '10^{%T}'
set logscale xy
plot [0.02:1] 'one.xy' using 1:3 with lines lw 1.5 title 'radius 15 Å', \
     'sizes.xy' using 1:3 with lines lw 1.5 title 'log-normal, median 15 Å, width 0.15'
unset logscale x
plot [2:10] 'one.xy' using 1:3 with lines lw 1.2 title 'radius 15 Å', \
     'sizes.xy' using 1:3 with lines lw 1.2 title 'log-normal, median 15 Å, width 0.15'
SCRIPT
echo "picture: $folder/gold_sizes.png"
