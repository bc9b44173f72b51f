#!/bin/sh
# Short-range order of Cu3Au above its transition: configurations of a simulation on the lattice (order.awk), and their diffuse scattering in the
# plane hk0, the mean over them, FRAMES of them. Draws the plane.
#     examples/short_range_order/run.sh [SONDE [FOLDER [FRAMES]]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sonde=${1:-sonde}
folder=${2:-.}
frames=${3:-8}
mkdir -p "$folder"

awk -v cells=12 -v seed=1 -v frames="$frames" -v first=25 -v between=8 -v energy=1.2 -v second=-0.3 -v half=1.87 -f "$here/order.awk" \
	>"$folder/alloy.xyz" 2>"$folder/order.txt"
cat "$folder/order.txt"

# q = h u + k v with u = 2 pi/(3.74 Angstrom) along x, v along y. Crystals of 12 cells have sharp peaks at multiples of 1/12 alone.
picture=
picture="--plot $folder/short_range_order.png"
# shellcheck disable=SC2086
"$sonde" pattern "$folder/alloy.xyz" --frames all --h -4:4:97 --k -4:4:97 --u 1.679996,0,0 --v 0,1.679996,0 --displacement 0.006 \
	--laue-class m-3m --force -o "$folder/plane.csv" $picture

awk -F, '!/^[#h]/ {
		if ($1 == 1 && $2 == 0) spot = $4
		if ($1 == 1 && $2 == 1) other = $4
		if ($1 == 0.5 && $2 == 0.5) between = $4
		if ($1 == 2 && $2 == 0) peak = $4
	}
	END { printf "diffuse scattering, electrons^2 per atom: %.0f at 100, %.0f at 110, %.0f at 1/2 1/2 0; the peak 200: %.2g\n",
		spot/6912, other/6912, between/6912, peak/6912 }' "$folder/plane.csv"
