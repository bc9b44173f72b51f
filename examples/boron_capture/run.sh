#!/bin/sh
# A neutron detector: each neutron captured by boron-10 produces an alpha particle of 1.47 MeV and, in the opposite
# direction, a lithium nucleus of 0.84 MeV. awk writes a list of such pairs, with random positions in 1 um of boron on
# silicon and random directions; the particles that reach the silicon are counted.
#     examples/boron_capture/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

awk 'function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
	BEGIN {
		seed = 1
		print "species,energy_MeV,x_nm,y,z,cos_x,cos_y,cos_z"
		for (n = 0; n < 640; ++n) {
			x = 1000 * random(); c = 2 * random() - 1; phi = 6.283185307 * random(); s = sqrt(1 - c * c)
			line = sprintf("%.3f,0,0,%.6f,%.6f,%.6f", x, c, s * cos(phi), s * sin(phi))
			back = sprintf("%.3f,0,0,%.6f,%.6f,%.6f", x, -c, -s * cos(phi), -s * sin(phi))
			print "alpha,1.47," line
			print "7Li,0.84," back
		}
	}' >"$folder/pairs.csv"
# quick: cascades do not matter here
"$sonde" ions --particles "$folder/pairs.csv" --target 'B[10]:1um/Si:20um' --cascades quick --always-within 0 --bins 420 --force \
	-o "$folder/capture.csv" --plot "$folder/capture.png"
awk -F, '!/^#/ && !named { for (k = 1; k <= NF; ++k) column[$k] = k; named = 1; next }
	!/^#/ {
		energy = $column["ionization_by_ions"] * ($2 - $1)
		if ($1 < 10000) boron += energy; else silicon += energy
		if ($1 >= 10000) ions += $column["implanted_ions"] * ($2 - $1)
	}
	END {
		printf "in the silicon %.4f of the particles and %.1f keV of each, of %.1f keV\n", ions, silicon / 1e3, (boron + silicon) / 1e3
	}' "$folder/capture.csv"

# recoils of fast neutrons in iron: uniformly distributed in energy, up to the maximum for neutrons of 1 MeV, in depth, and in direction
printf 'energy_keV,intensity\n0.025,1.0\n69.0,1.0\n' >"$folder/recoils.txt"
"$sonde" ions --ion Fe --energy "$folder/recoils.txt" --target Fe:2um --start-depth 0.5um:1.5um --direction isotropic --displacement Fe=40 \
	-n 320 --bins 1 --force -o "$folder/recoils.csv"
