#!/bin/sh
# Measured pair distribution functions: nickel, for the resolution of the instrument; then nanoparticles of platinum. Each by a library of
# candidates, and by the refinement of one structure. A picture is drawn if gnuplot is installed.
#     examples/platinum_match/run.sh [SONDE [FOLDER [short]]]        short: without the refinement of platinum, half a minute
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
"$sonde" match "$here/Pt-nanoparticles.gr" "$folder/platinum.h5" --range 1.6:40 --background -1 --qdamp 0.0453 \
	--refine strain,B,qbroad --refined 11 --sparsity bic --shared --peak 1000 $plot --force -o "$folder/platinum_fit.h5"
echo "nickel, refined"
"$sonde" refine "$here/nickel_refine.yaml" --peak 1000 --force -o "$folder/nickel_refined.h5"
if [ "${3:-}" != short ]; then
	echo "platinum, refined"
	"$sonde" refine "$here/platinum_refine.yaml" --peak 1000 --force -o "$folder/platinum_refined.h5"
fi
