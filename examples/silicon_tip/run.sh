#!/bin/sh
# Gallium of 5 keV on a silicon tip that a cap of platinum protects: how much of it gets into the silicon with the cap, and without.
#     examples/silicon_tip/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(dirname "$0")
mkdir -p "$folder"

"$sonde" ions "$here/job.yaml" --force -o "$folder/capped.csv"
# the same list without its last body
sed '/material: Pt/d' "$here/job.yaml" >"$folder/bare.yaml"
"$sonde" ions "$folder/bare.yaml" --force -o "$folder/bare.csv"
