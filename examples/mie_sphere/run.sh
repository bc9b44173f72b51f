#!/bin/sh
# Scattering of a glass sphere, compared with Mie's series (mie.csv: size parameter, efficiency; made by docs/plots/mie.py).
#     examples/mie_sphere/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

"$sonde" fdtd "$here/job.yaml" --force -o "$folder/sphere.csv"
# x = 2 pi R f/c, Q = C/(pi R^2); mie.csv is fine enough for straight lines
awk -F, 'NR == FNR { if (/^[0-9]/) { x[++n] = $1; q[n] = $2 } next }
	/^[0-9]/ { at = 2*3.14159265358979*250e-9*$1/299792458; while (k < n - 1 && x[k + 1] < at) ++k
		mie = q[k] + (q[k + 1] - q[k])*(at - x[k])/(x[k + 1] - x[k])
		off = $3/(3.14159265358979*250e-9^2)/mie - 1; sum += off*off; ++rows
		if (off*off > most*most) most = off
		printf "%.9g %.6f %.6f\n", at, $3/(3.14159265358979*250e-9^2), mie > table }
	END { printf "%d frequencies: %.2f %% off Mie (rms), %.2f %% at most\n", rows, 100*sqrt(sum/rows), 100*most }' \
	table="$folder/sphere.xy" "$here/mie.csv" "$folder/sphere.csv"

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "table: $folder/sphere.xy (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
MIE="$here/mie.csv" gnuplot <<'SCRIPT'
set terminal pngcairo size 900,500 font 'Sans,12'
set output 'sphere.png'
set xlabel 'size parameter, circumference over wavelength'
set ylabel 'scattering efficiency'
set xrange [1.57:3.04]
set key top left
mie = system('echo "$MIE"')
plot "< grep '^[0-9]' '".mie."' | tr -d ','" using 1:2 with lines lc rgb '#888888' title 'Mie', \
     'sphere.xy' using 1:2 with points pt 7 ps 0.8 lc rgb '#1f4e9a' title '12.5 cells per radius'
SCRIPT
echo "picture: $folder/sphere.png"
