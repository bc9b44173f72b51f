#!/bin/sh
# Light guided by a missing row of rods: the fractions of the power of a current that reach the ends of the row and the sides.
#     examples/photonic_crystal_waveguide/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

plot=""
plot="--plot $folder/rods.png"
# shellcheck disable=SC2086 # two words, or none
"$sonde" fdtd "$here/job.yaml" --force -o "$folder/rods.csv" $plot
# columns: frequency, wavelength, power out of the box, at the end, at the side
awk -F, 'BEGIN { print "# frequency (THz), a f/c, part of the power at an end, at a side" }
	/^[0-9]/ && NF > 4 { printf "%.4g %.4f %.4f %.4f\n", $1/1e12, $1*500e-9/299792458, $4/$3, $5/$3 }' \
	"$folder/rods.csv" >"$folder/rods.xy"
awk '!/^#/ { if ($1 >= 215 && $1 <= 245) { end += $3; side += $4; ++n } if ($1 >= 274) { outside += $4; ++m } }
	END { printf "215 to 245 THz, in the gap: %.3f at each end, %.4f at each side\nabove 274 THz: %.2f at each side\n", end/n, side/n, outside/m }' \
	"$folder/rods.xy"
