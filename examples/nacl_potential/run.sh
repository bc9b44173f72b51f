#!/bin/sh
# The electrostatic potential of a small cube of rock salt in the plane of a layer, and along a line out of it.
#     examples/nacl_potential/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

"$sonde" build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 5,5,5 --force -o "$folder/nacl.xyz"
"$sonde" coulomb "$folder/nacl.xyz" --charges Na=1,Cl=-1 --plane z=11.2804 --spacing 0.2 --padding 6 --force \
	-o "$folder/slice.h5" --plot "$folder/nacl.png"
"$sonde" coulomb "$folder/nacl.xyz" --charges Na=1,Cl=-1 --line 11.2804,11.2804,26.4:11.2804,11.2804,36.4:101 --quantity both --force \
	-o "$folder/line.csv"
"$sonde" coulomb "$folder/nacl.xyz" --charges Na=1,Cl=-1 --spacing 0.5 --padding 4 --force -o "$folder/nacl.dx.gz"
echo "result:  $folder/slice.h5, $folder/line.csv, and $folder/nacl.dx.gz for VMD, PyMOL or APBS"
