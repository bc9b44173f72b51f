#!/bin/sh
# Reflection and transmission of a plate of glass, compared with Airy's formula.
#     examples/fresnel_slab/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

"$sonde" fdtd "$here/job.yaml" --force -o "$folder/slab.csv"
# R = F sin^2 d/(1 + F sin^2 d), F = 4 r^2/(1 - r^2)^2, r = (n - 1)/(n + 1), d = 2 pi f n L/c
# columns: frequency, wavelength, power, that of the reference, transmission, power, that of the reference, reflection
awk -F, 'function size(x) { return x < 0 ? -x : x }
	/^[0-9]/ { s = sin(2*3.14159265358979*$1*2e-6/299792458)^2; r = 0.5625*s/(1 + 0.5625*s)
		if (size($5 - 1 + r) > worst["transmitted"]) worst["transmitted"] = size($5 - 1 + r)
		if (size($8 - r) > worst["reflected"]) worst["reflected"] = size($8 - r)
		if (size($5 + $8 - 1) > loss) loss = size($5 + $8 - 1) }
	END {
		printf "reflected     within %.2g of Airy\ntransmitted   within %.2g of Airy\nR + T         1 within %.2g\n",
			worst["reflected"], worst["transmitted"], loss
	}' "$folder/slab.csv"

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "table: $folder/slab.csv (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
gnuplot <<'SCRIPT'
set datafile separator ','
set terminal pngcairo size 900,500 font 'Sans,12'
set output 'slab.png'
set xlabel 'frequency (THz)'
set ylabel 'part of the power'
set xrange [120:240]
set yrange [0:1]
set key center right
s(f) = sin(2*pi*f*1e12*2e-6/299792458)**2
r(f) = 0.5625*s(f)/(1 + 0.5625*s(f))
set samples 500
plot r(x) lc rgb '#888888' title 'Airy', 1 - r(x) lc rgb '#888888' notitle, \
     'slab.csv' every 3 using ($1*1e-12):5 with points pt 7 ps 0.7 lc rgb '#1f4e9a' title 'transmitted', \
     '' every 3 using ($1*1e-12):8 with points pt 7 ps 0.7 lc rgb '#c8642d' title 'reflected'
SCRIPT
echo "picture: $folder/slab.png"
