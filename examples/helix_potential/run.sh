#!/bin/sh
# The potential around an alpha helix of alanines: a slice with a picture, and the surface of the molecule.
#     examples/helix_potential/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(dirname "$0")
mkdir -p "$folder"
picture=
picture="--plot $folder/helix.png"

# shellcheck disable=SC2086
"$sonde" coulomb "$here/helix.pdb" --charges "$here/charges.txt" --dielectric 4 --units kcal/mol/e --plane y=0 --spacing 0.1 \
	--padding 12 --exclude-within 1 --force -o "$folder/slice.h5" $picture
"$sonde" coulomb "$here/helix.pdb" --charges "$here/charges.txt" --dielectric 4 --units kcal/mol/e --surface 10 --probe 1.4 --force \
	-o "$folder/surface.csv"
"$sonde" coulomb "$here/helix.pdb" --charges "$here/charges.txt" --dielectric 4 --spacing 0.5 --force -o "$folder/helix.dx"
"$sonde" convert "$folder/helix.dx" "$folder/helix.cube" --force
echo "result:  $folder/slice.h5, $folder/surface.csv, and $folder/helix.dx and helix.cube for VMD, PyMOL and others"
