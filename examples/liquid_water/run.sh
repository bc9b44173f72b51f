#!/bin/sh
# Liquid water: means over frames of a simulation for X-rays, for neutrons and heavy water, and of distances by pairs of
# species, with standard errors, next to measured features.
#     examples/liquid_water/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(dirname "$0")
mkdir -p "$folder"

water() {
	"$sonde" debye "$here/water.yaml" --quiet --force "$@"
}
water -o "$folder/water.h5"
water --columns q,I_per_atom,standard_error,S,S_standard_error,S_O_O,S_O_O_standard_error -o "$folder/xray.xy"
water --columns r,g_O_O,g_O_O_standard_error,g_O_H,g_O_H_standard_error,g_H_H,g_H_H_standard_error,n_O_O,n_O_O_standard_error \
	-o "$folder/distances.xy"
# heavy water: to neutrons, the isotope matters
gzip -dc "$here/water.xyz.gz" | sed 's/^H /D /' | "$sonde" debye - --radiation neutron --frames all --q 0.3:15:589 \
	--cutoff 10.85 --damping none --columns q,I_per_atom,standard_error,mean_square_amplitude --quiet --force -o "$folder/neutrons.xy"

# the largest value between two arguments, with its standard error; values are multiplied by a factor
peak() { # FILE COLUMN FROM TO FACTOR [SUBTRACTED COLUMN]
	awk -v c="$2" -v from="$3" -v to="$4" -v f="$5" -v s="${6:-0}" '!/^#/ && $1 >= from && $1 <= to {
		y = f*($c - (s > 0 ? $s : 0)); if (!n++ || y > most) {most = y; at = $1; e = f*$(c + 1)}}
		END {printf "%.3g +- %.1g at %.2f", most, e, at}' "$folder/$1"
}
echo "X-rays, electrons^2 per molecule:  $(peak xray.xy 2 1 2.5 3) 1/Angstrom   (measured: 58.6 +- 1.0 at 2.02)"
# S_OO of molecules, 1 + (S_O_O - 1)/3: oxygen is a third of the atoms
awk '!/^#/ {print $1, 1 + ($6 - 1)/3, $7/3}' "$folder/xray.xy" >"$folder/oxygen.xy"
echo "S_OO of the molecules:             $(peak oxygen.xy 2 2.6 3.3 1) 1/Angstrom"
echo "D2O, neutrons, barn per atom:      $(peak neutrons.xy 2 1 2.5 0.01 4) 1/Angstrom (measured: 0.352 at 1.97)"
echo "g_OO, first peak:                  $(peak distances.xy 2 2 3.3 1) Angstrom     (measured: 2.57 +- 0.05 at 2.80)"
echo "g_OO, second peak:                 $(peak distances.xy 2 3.6 5.2 1) Angstrom     (measured: 1.12 at 4.5)"
echo "g_OH, hydrogen bonds:              $(peak distances.xy 4 1.3 2.4 1) Angstrom     (measured: 1.04 +- 0.03 at 1.86)"
echo "g_OH, second peak:                 $(peak distances.xy 4 2.6 4 1) Angstrom     (measured: 1.48 +- 0.02 at 3.27)"
echo "g_HH, first peak:                  $(peak distances.xy 6 2 2.9 1) Angstrom     (measured: 1.3 +- 0.1 at 2.4)"
awk '!/^#/ && $1 > 3.29 && $1 < 3.31 {printf "neighbors up to 3.3 Angstrom:      %.2f +- %.2f               (measured: 4.3 +- 0.2)\n", $8, $9}' \
	"$folder/distances.xy"

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "tables: $folder/xray.xy, neutrons.xy, distances.xy (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
gnuplot <<'SCRIPT'
# X-rays: G. Hura et al., Phys. Chem. Chem. Phys. 5 (2003) 1981, 25 degrees; neutrons: D2O on SANDALS, ISIS, 25 degrees
$xray << EOD
1.0 8.1 0.4
1.5 21.9 0.2
2.0 58.6 1.0
2.5 42.4 0.6
2.8 39.3 0.7
3.2 26.5 0.3
4.0 12.6 0.1
5.0 10.0 0.1
6.0 5.4 0.1
7.0 4.5 0.1
EOD
$neutrons << EOD
1.97 0.352
3.17 -0.074
3.87 -0.035
4.92 -0.088
8.2 0.060
11.0 -0.042
14.1 0.024
EOD
# L. B. Skinner et al., J. Chem. Phys. 138 (2013) 074506; A. K. Soper, ISRN Phys. Chem. 2013 (2013) 279463
$g_oo << EOD
2.80 2.57 0.05
3.45 0.84 0.02
4.5 1.12 0.02
EOD
$g_oh << EOD
1.86 1.04 0.03
2.45 0.21 0.01
3.27 1.48 0.02
EOD
$g_hh << EOD
2.43 1.34 0.10
2.97 0.69 0.02
3.84 1.17 0.01
EOD
set terminal pngcairo size 1200,1200 font 'Sans,13'
set output 'water.png'
set multiplot layout 3,1 margins 0.09,0.97,0.06,0.98 spacing 0.07
set style fill transparent solid 0.4 noborder
set xlabel 'q (1/Å)' offset 0,0.5
set ylabel 'I(q) per molecule (electrons²)'
plot [0:10] [0:65] 'xray.xy' using 1:(3*($2 - $3)):(3*($2 + $3)) with filledcurves lc 1 notitle, \
     'xray.xy' using 1:(3*$2) with lines lc 1 lw 1.5 title 'H_2O, X-rays', \
     $xray using 1:2:3 with yerrorbars lc 'black' pt 7 title 'measured'
set ylabel 'I(q)/N − ⟨b²⟩ (barn)'
plot [0:15] [-0.45:0.4] 'neutrons.xy' using 1:(($2 - $4 - $3)/100):(($2 - $4 + $3)/100) with filledcurves lc 2 notitle, \
     'neutrons.xy' using 1:(($2 - $4)/100) with lines lc 2 lw 1.5 title 'D_2O, neutrons', \
     $neutrons with points lc 'black' pt 7 title 'measured: extrema'
set xlabel 'r (Å)' offset 0,0.5
set ylabel 'g(r)'
red = '#c03020'; blue = '#2050c0'; green = '#208040'
plot [0.5:8] [0:3.3] 1 with lines dt 2 lc 'gray' notitle, \
     'distances.xy' using 1:2:3 with yerrorlines lc rgb red pt 0 lw 1.5 title 'O–O', \
     'distances.xy' using 1:4:5 with yerrorlines lc rgb blue pt 0 lw 1.5 title 'O–H', \
     'distances.xy' using 1:6:7 with yerrorlines lc rgb green pt 0 lw 1.5 title 'H–H', \
     $g_oo using 1:2:3 with yerrorbars lc rgb red pt 7 ps 1.5 title 'measured: extrema', \
     $g_oh using 1:2:3 with yerrorbars lc rgb blue pt 7 ps 1.5 notitle, \
     $g_hh using 1:2:3 with yerrorbars lc rgb green pt 7 ps 1.5 notitle
SCRIPT
echo "picture: $folder/water.png"
