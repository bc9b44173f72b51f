#!/bin/sh
# Xenon of 20 keV on a gold nanoparticle: the fraction that remains in the particle, and the sputtering yield,
# compared with a flat surface of gold.
#     examples/xenon_gold/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

# a ball with a radius of 8 nm in vacuum, and a beam that covers its middle
plot=""
plot="--plot $folder/particle.png"
# shellcheck disable=SC2086 # two words, or none
"$sonde" ions --ion Xe --energy 20keV --target vacuum:18nm --bodies 'Au:sphere:80@90,0,0' --spot 30 --surface planar \
	--electronic equipartition --bins 45 --cells 1,45,45 -n 1000 --trajectories 2 --force -o "$folder/particle.h5" $plot
"$sonde" ions --ion Xe --energy 20keV --target Au --surface planar --electronic equipartition -n 1000 --force \
	-o "$folder/flat.csv"
