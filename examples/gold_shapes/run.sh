#!/bin/sh
# Three shapes of gold with nearly the same number of atoms: similarities and differences of their patterns.
#     examples/gold_shapes/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

shape() {
	name=$1
	shift
	"$sonde" build --cell fcc --species Au --a 4.0782 "$@" --force -o "$folder/$name.xyz.gz"
	"$sonde" debye "$folder/$name.xyz.gz" --q 0.02:12:1199 --force -o "$folder/$name.xy"
}
shape sphere --sphere 25
shape cube --box 40.3,40.3,40.3
shape rod --cylinder 12,144,0

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "tables: $folder/sphere.xy, cube.xy, rod.xy (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
gnuplot <<'SCRIPT'
set terminal pngcairo size 1200,900 font 'Sans,13'
set output 'gold_shapes.png'
set multiplot layout 2,1 margins 0.09,0.97,0.08,0.97 spacing 0.09
set xlabel 'q (1/Å)'
set ylabel 'I(q)/N (electron units)'
set format y '10^{%T}'
set logscale y
set logscale x
plot [0.02:1] 'sphere.xy' using 1:3 with lines lw 1.5 title 'sphere', \
     'cube.xy' using 1:3 with lines lw 1.5 title 'cube', 'rod.xy' using 1:3 with lines lw 1.5 title 'rod'
unset logscale x
plot [2:10] 'sphere.xy' using 1:3 with lines lw 1.2 title 'sphere', \
     'cube.xy' using 1:3 with lines lw 1.2 title 'cube', 'rod.xy' using 1:3 with lines lw 1.2 title 'rod'
SCRIPT
echo "picture: $folder/gold_shapes.png"
