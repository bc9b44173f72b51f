#!/bin/sh
# Measured pair distribution functions: nickel, for the resolution of the instrument; then nanoparticles of platinum. Each by a library of
# candidates, and by the refinement of one structure; and nickel as in the published fit of PDFgui, without and with correlated motion.
#     examples/platinum_match/run.sh [SONDE [FOLDER [short]]]        short: without the refinement of platinum, half a minute
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(dirname "$0")
mkdir -p "$folder"

"$sonde" library "$here/nickel.yaml" --force --quiet -o "$folder/nickel.h5"
"$sonde" library "$here/platinum.yaml" --force --quiet -o "$folder/platinum.h5"
echo "nickel"
"$sonde" match "$here/Ni.gr" "$folder/nickel.h5" --range 1.6:40 --background -1 --refine strain,B,qdamp,qbroad \
	--peak 1000 --force -o "$folder/nickel_fit.h5"
echo "platinum"
"$sonde" match "$here/Pt-nanoparticles.gr" "$folder/platinum.h5" --range 1.6:40 --background -1 --qdamp 0.0453 \
	--refine strain,B,qbroad --refined 11 --sparsity bic --shared --peak 1000 --plot "$folder/platinum_match.png" \
	--force -o "$folder/platinum_fit.h5"
for delta2 in 0 3.5; do
	echo "nickel of PDFgui, delta2 $delta2"
	sed "s/delta2: 3.5/delta2: $delta2/" "$here/nickel_pdfgui.yaml" >"$folder/nickel_pdfgui.yaml"
	"$sonde" library "$folder/nickel_pdfgui.yaml" --force --quiet -o "$folder/nickel_pdfgui.h5"
	"$sonde" match "$here/Ni_2-8.chi.gr" "$folder/nickel_pdfgui.h5" --range 1.5:10 --background -1 --qdamp 0.001 \
		--refine strain,B --peak 1000 --force -o "$folder/nickel_pdfgui_fit.h5"
done
echo "nickel, refined"
"$sonde" refine "$here/nickel_refine.yaml" --peak 1000 --force -o "$folder/nickel_refined.h5"
if [ "${3:-}" != short ]; then
	echo "platinum, refined"
	"$sonde" refine "$here/platinum_refine.yaml" --peak 1000 --force -o "$folder/platinum_refined.h5"
fi
