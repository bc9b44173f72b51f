#!/bin/sh
# A gold particle in its equilibrium shape by Wulff's construction, with surface energies of (111) and (100) like
# 1 : 1.15, compared with a sphere of the same volume. A picture of the particle, and of both patterns if gnuplot is
# installed.
#     examples/gold_wulff/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

gold() { # NAME SHAPE...
	name=$1
	shift
	"$sonde" build --cell fcc --species Au --a 4.0782 "$@" --force -o "$folder/$name.xyz"
	"$sonde" debye "$folder/$name.xyz" --q 0.02:12:1199 --force -o "$folder/$name.xy"
}
gold wulff --wulff 111:1.0,100:1.15 --wulff-radius 18
gold sphere --sphere 18

# the outermost planes of both families: the shape has its faces there
awk 'NR > 2 {
		x = $2 < 0 ? -$2 : $2; y = $3 < 0 ? -$3 : $3; z = $4 < 0 ? -$4 : $4
		if ((x + y + z)/sqrt(3) > across) across = (x + y + z)/sqrt(3)
		if (x > along) along = x
	}
	END { printf "faces: (111) %.2f, (100) %.2f Angstrom from the center\n", across, along }' "$folder/wulff.xyz"

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "tables: $folder/wulff.xy, sphere.xy (no picture: gnuplot is not installed)"
	exit 0
fi
# seen along [1-10]: the atoms in front hide those behind them
awk 'NR > 2 { printf "%.3f %.3f %.3f\n", ($2 - $3)/sqrt(2), ($2 + $3)/sqrt(2), $4 }' "$folder/wulff.xyz" |
	sort -n >"$folder/seen.txt"
cd "$folder"
gnuplot <<'SCRIPT'
set terminal pngcairo size 1200,560 font 'Sans,13'
set output 'gold_wulff.png'
set multiplot layout 1,2
set size ratio -1
unset colorbox
set palette defined (0 '#7a5c10', 1 '#f5d060')
set xlabel '[110] (Å)'
set ylabel '[001] (Å)'
set xrange [-25:25]
set yrange [-25:25]
set style fill solid border lc rgb '#5a430a'
plot 'seen.txt' using 2:3:(1.4):1 with circles lc palette notitle
set size noratio
set xlabel 'q (1/Å)'
set ylabel 'I(q)/N (electron units)'
set format y '10^{%T}'
set logscale y
set xrange [0:4]
set yrange [*:*]
plot 'sphere.xy' using 1:3 with lines lw 1.5 lc rgb '#888888' title 'sphere', \
     'wulff.xy' using 1:3 with lines lw 1.5 lc rgb '#c8642d' title 'equilibrium shape'
SCRIPT
rm seen.txt
echo "picture: $folder/gold_wulff.png"
