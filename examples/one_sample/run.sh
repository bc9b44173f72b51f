#!/bin/sh
# One particle, described once, seen by X-rays, ions, and light. A larger UNTIL ends the run of light earlier.
#     examples/one_sample/run.sh [SONDE [FOLDER [UNTIL]]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
until=${3:-2e-3}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

plot() { # NAME: an option
	echo "--plot $folder/$1.png"
}

"$sonde" build "$here/particle.yaml" --force -o "$folder/particle.xyz"
# shellcheck disable=SC2046 # two words, or none
"$sonde" debye "$here/job.yaml" --force -o "$folder/debye.h5" $(plot debye)
# shellcheck disable=SC2046
"$sonde" ions "$here/job.yaml" --force -o "$folder/ions.h5" $(plot ions)
# shellcheck disable=SC2046
"$sonde" fdtd "$here/job.yaml" --until "$until" --force -o "$folder/fdtd.csv" $(plot fdtd)
awk -F, '/^[0-9]/ && $4 > most { most = $4; at = 1e9*$2 } END { printf "absorbs most at %g nm\n", at }' "$folder/fdtd.csv"
