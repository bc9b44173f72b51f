#!/bin/sh
# Which carbon nanostructures explain the pattern of a film? Ten candidates, fullerenes, nanotubes, rings, and flakes of graphene, and a
# synthetic film: counts from three of them, a background, and Poisson noise. The pattern is fitted, and a picture drawn.
#     examples/carbon_match/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder/candidates"

build() { # NAME OPTION...
	name=$1
	shift
	"$sonde" build "$@" --force --quiet -o "$folder/candidates/$name.xyz"
	"$sonde" debye "$folder/candidates/$name.xyz" --q 0.6:16:771 --displacement 0.06 --force --quiet -o "$folder/candidates/$name.h5"
}
build c60 --fullerene C60
build c240 --fullerene C240
build tube_5_5 --nanotube 5,5 --length 40
build tube_9_0 --nanotube 9,0 --length 40
build tube_10_10 --nanotube 10,10 --length 40
build ring_5_5 --torus 5,5,40
build flake_10 --graphene hexagon=10
build flake_15 --graphene hexagon=15
build flake_20 --graphene hexagon=20
build layers_15 --graphene hexagon=15 --layers 3

# counts at each q: 40 % of the atoms in C60, 35 % in (10, 10) tubes, 25 % in flakes of three layers
for name in c60 tube_10_10 layers_15; do
	"$sonde" debye "$folder/candidates/$name.xyz" --q 0.6:16:771 --displacement 0.06 --force --quiet -o "$folder/$name.dat"
done
awk '
	function uniform() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
	FNR == 1 { ++file }
	/^[0-9]/ {
		if (file == 1) { q[++n] = $1; sum[n] = 0.40 * $3; next }
		++row[file]
		sum[row[file]] += (file == 2 ? 0.35 : 0.25) * $3
	}
	END {
		seed = 7
		print "# synthetic film of carbon; counts"
		print "# q I"
		for (k = 1; k <= n; ++k) {
			mean = 60 * sum[k] + 900 - 30 * q[k]
			# Poisson noise at large counts: normally distributed
			noise = sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform())
			printf "%s %d\n", q[k], mean + sqrt(mean) * noise + 0.5
		}
	}' "$folder/c60.dat" "$folder/tube_10_10.dat" "$folder/layers_15.dat" >"$folder/film.xy"

cd "$folder"
set -- film.xy candidates/*.h5 --weights poisson --background 2 --sparsity bic --bootstrap 200 --force -o carbon_match.h5
set -- "$@" --plot carbon_match.png
"$sonde" match "$@"
