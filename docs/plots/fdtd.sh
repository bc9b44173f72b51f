#!/bin/sh
# The plots of docs/fdtd_validation.md: runs of the program compared with Meep's results (tests/data/fdtd) and closed forms. Needs gnuplot; takes a minute.
#     docs/plots/fdtd.sh SONDE
set -eu
sonde=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
data=$root/tests/data/fdtd
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# slab of permittivity 4, d = 1 um, at 0.4 to 0.8 c/d: the largest error of the reflection
for cells in 10 20 40 80 160; do
	cat >slab.yaml <<-END_OF_JOB
		fdtd:
		  size: [0, 0, 4 um]
		  cell: $(awk "BEGIN {printf \"%.10g\", 1e-6/$cells}")
		  time: 3 ps
		  until: 1e-9
		  precision: float64
		  boundaries: [{alpha: 0}]
		  materials: [{name: glass, permittivity: 4}]
		  bodies: [{material: glass, shape: box, size: [0, 0, 1 um]}]
		  sources:
		    - {kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 180 THz, bandwidth: 100 THz, size: [0, 0, 3 um]}
		  monitors:
		    - {kind: flux, center: [0, 0, -1.8 um], frequencies: 119.917e12:239.834e12:81, normalize: reflection}
	END_OF_JOB
	"$sonde" fdtd slab.yaml -o slab.csv --force --quiet 2>log || cat log
	awk -F, -v cells=$cells '/^[0-9]/ { s = sin(2*3.14159265358979*$1*2e-6/299792458)^2; off = $5 - 0.5625*s/(1 + 0.5625*s)
		if (off < 0) off = -off; if (off > most) most = off } END { print cells, most }' slab.csv
done >slab.xy
cat slab.xy

# sphere of permittivity 4, 10 cells per radius, like Meep's
cat >sphere.yaml <<-END_OF_JOB
	fdtd:
	  size: 700 nm, 700 nm, 700 nm
	  cell: 25 nm
	  time: 67 fs
	  materials: [{name: glass, permittivity: 4}]
	  bodies: [{material: glass, shape: sphere, radius: 250 nm}]
	  sources:
	    - {kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 700 THz, bandwidth: 700 THz}
	  monitors:
	    - {kind: cross-section, frequencies: 381.7e12:1145.1e12:161}
END_OF_JOB
"$sonde" fdtd sphere.yaml --average faces -o sphere.csv --quiet 2>log || cat log
awk -F, '/^[0-9]/ { print 2*3.14159265358979*250e-9*$1/299792458, $3/(3.14159265358979*250e-9^2) }' sphere.csv >sphere.xy

grep '^[0-9]' "$root/examples/mie_sphere/mie.csv" | tr -d ',' >mie.xy
for name in mie slab layers; do
	grep '^[0-9]' "$data/${name}_meep.csv" | tr ',' ' ' >"${name}_meep.xy"
done
grep '^[0-9]' "$data/layers_sonde.csv" | tr ',' ' ' >layers_sonde.xy
gnuplot <<'SCRIPT'
set terminal pngcairo size 760,480 font 'Sans,11'
ours = '#1f4e9a'; meeps = '#c8642d'
set output 'fdtd_slab.png'
set logscale xy
set xlabel 'cells in the slab'
set ylabel 'largest error of the reflection'
set xrange [8:200]
set xtics (10, 20, 40, 80, 160)
set format y '10^{%T}'
plot 'slab.xy' with linespoints pt 7 lc rgb ours title 'Sonde', \
     'slab_meep.xy' using 1:2 with points pt 4 ps 1.6 lw 2 lc rgb meeps title 'Meep', \
     '' using 1:3 with linespoints pt 8 dt 2 lc rgb meeps title 'Meep without averaging'
unset logscale
set format y
set output 'fdtd_layers.png'
set xlabel 'cells of the layer'
set ylabel 'error of the field before it (dB)'
set xrange [3:21]
set xtics 4,2,20
set yrange [-125:-30]
plot 'layers_meep.xy' using 1:2 with linespoints pt 7 lc rgb meeps title 'Meep, face', '' using 1:3 with linespoints pt 6 dt 2 lc rgb meeps title 'corner', \
     'layers_sonde.xy' using 1:2 with linespoints pt 7 lc rgb ours title 'Sonde, order 3, alpha 0, face', '' using 1:3 with linespoints pt 6 dt 2 lc rgb ours title 'corner', \
     '-' with points pt 5 ps 1.3 lc rgb ours title 'its default, face and corner'
11 -119.0
11 -112.6
e
set output 'fdtd_sphere.png'
set xlabel 'size parameter'
set ylabel 'scattering efficiency'
set xrange [2:6]
set yrange [*:*]
set xtics autofreq
plot 'mie.xy' with lines lw 1.5 lc rgb '#888888' title 'Mie', 'mie_meep.xy' with points pt 4 ps 1 lc rgb meeps title 'Meep, 10 cells per radius', \
     'sphere.xy' every 2 with points pt 7 ps 0.6 lc rgb ours title 'Sonde, 10 cells per radius'
SCRIPT
mv fdtd_slab.png fdtd_layers.png fdtd_sphere.png "$root/docs"
