#!/bin/sh
# 10,000 charges on a slice of 512 x 512 points, the classic test case of GPUs, and the same charges on 256^3 points.
#     examples/classic_slice/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

awk 'BEGIN {
	srand(512)
	print 10000
	print "Properties=species:S:1:pos:R:3:charge:R:1"
	for (n = 0; n < 10000; ++n)
		printf "X %.4f %.4f %.4f %.4f\n", 512*rand(), 512*rand(), 512*rand(), 2*rand() - 1
}' >"$folder/charges.xyz"
"$sonde" coulomb "$folder/charges.xyz" --origin 0,0,256.5 --size 512,512,1 --spacing 1 --method direct --force -o "$folder/slice.h5" \
	--plot "$folder/slice.png"
"$sonde" coulomb "$folder/charges.xyz" --origin 0,0,0.5 --size 256 --spacing 2 --tolerance 1e-4 --force -o "$folder/volume.mrc"
echo "result:  $folder/slice.h5 and $folder/volume.mrc"
