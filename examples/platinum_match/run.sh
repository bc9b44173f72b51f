#!/bin/sh
# Measured pair distribution functions: the instrument's resolution from nickel; then which spheres of platinum explain those of nanoparticles,
# with their strain and Debye-Waller factor. A picture is drawn if gnuplot is installed.
#     examples/platinum_match/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(dirname "$0")
mkdir -p "$folder"
plot=
if command -v gnuplot >/dev/null; then
	plot="--plot $folder/platinum_match.png"
fi

"$sonde" library "$here/nickel.yaml" --force --quiet -o "$folder/nickel.h5"
"$sonde" library "$here/platinum.yaml" --force --quiet -o "$folder/platinum.h5"
echo "nickel"
"$sonde" match "$here/Ni.gr" "$folder/nickel.h5" --range 1.6:40 --background -1 --refine strain,B,qdamp,qbroad \
	--peak 1000 --force -o "$folder/nickel_fit.h5"
echo "platinum"
"$sonde" match "$here/Pt-nanoparticles.gr" "$folder/platinum.h5" --range 1.6:40 --background -1 --qdamp 0.0326 \
	--refine strain,B,qbroad --refined 11 --sparsity bic --shared --peak 1000 $plot --force -o "$folder/platinum_fit.h5"
