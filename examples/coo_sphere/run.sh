#!/bin/sh
# Builds a 40 Å sphere of CoO and computes its powder pattern.
#     examples/coo_sphere/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

"$sonde" build --cell rocksalt --species Co,O --a 4.2614 --sphere 40 --force -o "$folder/coo.xyz"
"$sonde" debye "$folder/coo.xyz" --q 0.1:20.08:1000 --force -o "$folder/coo.h5" --plot "$folder/coo.png"
echo "picture: $folder/coo.png"
echo "result:  $folder/coo.h5    (sonde info $folder/coo.h5 describes it)"
