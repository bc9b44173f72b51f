#!/bin/sh
# Liquid argon: structure factor and pair distribution of a periodic box.
#     examples/liquid_argon/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
sample=$(dirname "$0")/argon.xyz.gz
mkdir -p "$folder"

"$sonde" debye "$sample" --radiation neutron --cutoff 45 --q 0.02:20:1000 --force -o "$folder/argon.xy"
"$sonde" debye "$sample" --radiation neutron --boundary open --q 0.02:20:1000 --force -o "$folder/droplet.xy"
"$sonde" debye "$sample" --radiation neutron --cutoff 45 --q 0.02:20:1000 --r 1:20:381 --counts --columns r,G,g,n \
	--force -o "$folder/argon_r.xy"

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "tables: $folder/argon.xy, droplet.xy, argon_r.xy (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
gnuplot <<'SCRIPT'
set terminal pngcairo size 1200,900 font 'Sans,13'
set output 'argon.png'
set multiplot layout 2,1 margins 0.09,0.97,0.08,0.97 spacing 0.09
set xlabel 'q (1/Å)'
set ylabel 'S(q)'
plot [0:10] [0:2.5] 'argon.xy' using 1:4 with lines lw 1.5 title 'periodic', \
     'droplet.xy' using 1:4 with lines lw 1 title 'the same atoms as a cluster'
set xlabel 'r (Å)'
set ylabel 'g(r)'
plot [0:20] 'argon_r.xy' using 1:3 with lines lw 1.5 title 'g(r)', 1 with lines dt 2 lc 'gray' notitle
SCRIPT
echo "picture: $folder/argon.png"
