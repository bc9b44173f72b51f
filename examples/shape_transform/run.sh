#!/bin/sh
# The shape transform of a truncated octahedron: 1,289 atoms of gold with flat faces, the plane hhl of reciprocal space,
# and the intensity along the normals of the faces next to that in a direction between them. Draws the plane.
#     examples/shape_transform/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

"$sonde" build --cell fcc --species Au --a 4.0782 --truncated-octahedron 12 --force -o "$folder/octahedron.xyz"

# q = h (1,1,0) 2 pi/a + l (0,0,1) 2 pi/a
picture=
picture="--plot $folder/shape_transform.png"
# shellcheck disable=SC2086
"$sonde" pattern "$folder/octahedron.xyz" --h -1.6:1.6:321 --l -2.4:2.4:321 --u 1.540676,1.540676,0 --w 0,0,1.540676 \
	--force -o "$folder/plane.h5" $picture

# from (1,1,1) along a unit vector n: q = (1,1,1) 2 pi/a + k n, k from 0.6 to 1 1/Angstrom
along() { # NAME n
	"$sonde" pattern "$folder/octahedron.xyz" --h 1:1:1 --u 1.540676,1.540676,1.540676 --k 0.6:1:401 --v "$2" --quiet |
		awk -v name="$1" '!/^#/ && $4 > most { most = $4 } END { printf "along %s, 0.6 to 1 1/Angstrom from (111): up to %.2g electrons^2\n", name, most }'
}
along "[111], a hexagon's normal" 0.577350,0.577350,0.577350
along "[001], a square's normal" 0,0,1
along "[110], between hexagons" 0.707107,0.707107,0
