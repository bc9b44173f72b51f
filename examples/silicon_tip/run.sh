#!/bin/sh
# Gallium of 5 keV on a silicon tip under a protective cap of platinum: the fraction that reaches the silicon, with and without the cap.
#     examples/silicon_tip/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(dirname "$0")
mkdir -p "$folder"

"$sonde" ions "$here/job.yaml" --bins 150 --cells 1,100,1 --width 0,1000,0 --trajectories 60 --force -o "$folder/capped.csv" \
	--plot "$folder/tip.png"
# the same list without its last body
sed '/material: Pt/d' "$here/job.yaml" >"$folder/bare.yaml"
"$sonde" ions "$folder/bare.yaml" --force -o "$folder/bare.csv"
