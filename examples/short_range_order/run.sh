#!/bin/sh
# Short-range order of Cu3Au above its transition: configurations of a simulation on the lattice (order.awk), and their diffuse scattering in the
# plane hk0, the mean over them. Draws the plane if gnuplot is installed.
#     examples/short_range_order/run.sh [SONDE [FOLDER]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

awk -v cells=12 -v seed=1 -v frames=8 -v first=40 -v between=15 -v energy=1.2 -v second=-0.3 -v half=1.87 -f "$here/order.awk" >"$folder/alloy.xyz"

# q = h u + k v with u = 2 pi/(3.74 Angstrom) along x, v along y. Crystals of 12 cells have sharp peaks at multiples of 1/12 alone.
picture=
if command -v gnuplot >/dev/null 2>&1; then
	picture="--plot $folder/short_range_order.png"
fi
# shellcheck disable=SC2086
"$sonde" pattern "$folder/alloy.xyz" --frames all --h 0:4:49 --k 0:4:49 --u 1.679996,0,0 --v 0,1.679996,0 --displacement 0.006 \
	--laue-class m-3m --force -o "$folder/plane.csv" $picture
