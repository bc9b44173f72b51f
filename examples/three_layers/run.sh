#!/bin/sh
# Helium of 40 keV through glass and tungsten into silicon: three layers, and the paths of some ions.
#     examples/three_layers/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"
picture=''
map=''
picture="--plot $folder/layers.png"
map="--plot $folder/map.png"

# shellcheck disable=SC2086
"$sonde" ions --ion He --energy 40keV --target 'SiO2:100nm/W:50nm/Si:300nm' -n 10000 --bins 90 --force -o "$folder/layers.h5" $picture
# the same from the side
# shellcheck disable=SC2086
"$sonde" ions --ion He --energy 40keV --target 'SiO2:100nm/W:50nm/Si:300nm' -n 5000 --bins 90 --cells 1,80,1 --width 0,4000,0 \
	--trajectories 30 --force -o "$folder/map.h5" $map
echo "result:  $folder/layers.h5 and $folder/map.h5"
