#!/bin/sh
# Boron of 100 keV in silicon, as in the doping of chips: depths at rest and damage, also as files in SRIM's layout.
#     examples/boron_silicon/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"
picture=''
picture="--plot $folder/b_si.png"

# shellcheck disable=SC2086
"$sonde" ions --ion B --energy 100keV --target Si --fluence 1e14 -n 5000 --depth 5500 --bins 110 --force -o "$folder/b_si.h5" \
	--srim "$folder/srim" $picture
"$sonde" stopping --ion B --target Si --energies 100keV --quiet >"$folder/range.xy"
echo "result:  $folder/b_si.h5, and $folder/srim/RANGE.txt, VACANCY.txt ... for programs that read SRIM's; $folder/range.xy without histories"
