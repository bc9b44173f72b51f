#!/bin/sh
# Forty carbon nanotubes bent into rings, at random places in random orientations: their diffraction picture on the Ewald
# sphere, with interference, and its mean on circles next to the powder pattern of one ring. Draws the
# picture.
#     examples/carbon_toroids/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

"$sonde" build --torus 5,5,40 --force -o "$folder/ring.xyz"
"$sonde" build --torus 5,5,40 --copies 40 --copy-density 0.1 --copy-orientations random --force -o "$folder/rings.h5"

picture=
picture="--plot $folder/carbon_toroids.png"
# shellcheck disable=SC2086
"$sonde" pattern "$folder/rings.h5" --q 0.1:6.5:161 --phi 360 --wavelength 0.3 --radial "$folder/circles.csv" \
	--force -o "$folder/picture.h5" $picture
"$sonde" debye "$folder/ring.xyz" --q 0.1:6.5:161 --columns q,I --force -o "$folder/powder.csv"

# circles of the picture divided by 40 times the powder pattern of a ring, in two ranges of q: at small q the places of the rings
# matter
awk -F, '/^[#q]/ { next }
	NR == FNR { powder[++n] = $2; next }
	{ k = ++m; range = $1 < 0.6 ? 1 : $1 > 2 ? 2 : 0; ratio = $2/(40*powder[k]); sum[range] += ratio; squares[range] += ratio*ratio; ++count[range] }
	END { for (range = 1; range <= 2; ++range) {
		mean = sum[range]/count[range]
		printf "circles/powder, q %s 1/Angstrom: mean %.3f, standard deviation %.3f\n",
			range == 1 ? "below 0.6" : "above 2", mean, sqrt(squares[range]/count[range] - mean*mean)
	} }' "$folder/powder.csv" "$folder/circles.csv"
