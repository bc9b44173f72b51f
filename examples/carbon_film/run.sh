#!/bin/sh
# A film of carbon: rings of bent nanotubes and straight pieces of tubes, 18 of each, at places and in orientations from
# two files. Its pattern is compared with the mean of those of a single ring and a single tube. A picture if gnuplot is
# installed.
#     examples/carbon_film/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

# A chessboard of 6 x 6 places, 52 Angstrom apart: rings lie nearly flat, tubes in any direction of the plane.
awk -v rings="$folder/rings.txt" -v tubes="$folder/tubes.txt" '
	function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
	BEGIN {
		seed = 5
		for (k = 0; k < 36; ++k) {
			i = k % 6; j = int(k / 6)
			place = sprintf("%.1f %.1f %.2f", 52*(i - 2.5), 52*(j - 2.5), 6*random() - 3)
			if ((i + j) % 2) printf "%s 0 %.1f %.1f\n", place, 25*random(), 360*random() >rings
			else printf "%s %.1f %.1f 0\n", place, 360*random(), 80 + 20*random() >tubes
		}
	}'
"$sonde" build --torus 5,5,50 --force --quiet -o "$folder/ring.xyz"
"$sonde" build --nanotube 10,10 --length 46 --force --quiet -o "$folder/tube.xyz"
"$sonde" build --torus 5,5,50 --copy-file "$folder/rings.txt" --force --quiet -o "$folder/rings.xyz"
"$sonde" build --nanotube 10,10 --length 46 --copy-file "$folder/tubes.txt" --force --quiet -o "$folder/tubes.xyz"
# both in one file
{
	awk 'FNR == 1 { atoms += $1 } END { print atoms; print "carbon film" }' "$folder/rings.xyz" "$folder/tubes.xyz"
	tail -q -n +3 "$folder/rings.xyz" "$folder/tubes.xyz"
} >"$folder/film.xyz"
for sample in ring tube film; do
	"$sonde" debye "$folder/$sample.xyz" --q 0.02:12:1199 --force -o "$folder/$sample.xy"
done

# intensity per atom of the film, and of the mean of its parts: with q above 4 they are the same but for some noise
awk 'FNR == 1 { ++file } /^#/ { next } file == 1 { ring[$1] = $3 } file == 2 { tube[$1] = $3 }
	file == 3 {
		mean = (ring[$1]*rings + tube[$1]*tubes)/(rings + tubes)
		if ($1 > 4) { difference += ($3 - mean)^2; square += mean^2 }
		if ($1 < 0.1 && $3/mean > most) most = $3/mean
		if ($1 > 2.7 && $1 < 4 && $3 > peak) { peak = $3; at = $1 }
	}
	END {
		printf "interference: %.1f times the mean of the parts at small q, %.1f %% of it above 4 1/Angstrom\n", most, 100*sqrt(difference/square)
		printf "peak (10) at %.2f 1/Angstrom\n", at
	}' rings="$(head -n 1 "$folder/ring.xyz")" tubes="$(head -n 1 "$folder/tube.xyz")" "$folder/ring.xy" "$folder/tube.xy" "$folder/film.xy"

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "tables: $folder/ring.xy, tube.xy, film.xy (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
gnuplot <<'SCRIPT'
set terminal pngcairo size 1200,560 font 'Sans,13'
set output 'carbon_film.png'
set multiplot layout 1,2
set size ratio -1
set xlabel 'x (Å)'
set ylabel 'y (Å)'
set xrange [-165:165]
set yrange [-165:165]
plot '< tail -n +3 rings.xyz' using 2:3 with dots lc rgb '#1f4e9a' notitle, \
     '< tail -n +3 tubes.xyz' using 2:3 with dots lc rgb '#444444' notitle
set size noratio
set xlabel 'q (1/Å)'
set ylabel 'I(q)/N (electron units)'
set logscale xy
set format y '10^{%T}'
set xrange [0.02:12]
set yrange [*:*]
plot 'ring.xy' using 1:3 with lines lc rgb '#1f4e9a' title 'a ring', 'tube.xy' using 1:3 with lines lc rgb '#888888' title 'a tube', \
     'film.xy' using 1:3 with lines lw 1.5 lc rgb '#c8642d' title 'the film'
SCRIPT
echo "picture: $folder/carbon_film.png"
