#!/bin/sh
# Helium on tungsten, as on the wall of a fusion reactor: backscattered ions and sputtered atoms at several energies.
#     examples/helium_tungsten/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

printf '# energy in eV, reflected, its error, sputtered atoms per ion, their error, mean depth in Angstrom\n' >"$folder/yields.xy"
for energy in 200 500 1000 2000 5000; do
	"$sonde" ions --ion He --energy "${energy}eV" --target W --surface planar --flight monolayer --screening kr-c \
		--electronic equipartition -n 5000 --force --quiet -o "$folder/he_$energy.csv"
	awk -v energy="$energy" '
		# the number behind a word, and its error behind "+-"
		function behind(line, word) { line = substr(line, index(line, word) + length(word)); split(line, part, " "); return part[1] + 0 }
		/^# ions:/ { ions = behind($0, "ions:"); back = behind($0, "backscattered") }
		/^# range:/ { depth = behind($0, "range:") }
		/sputtered atoms/ { atoms = behind($0, "sputtered atoms"); error = part[2] == "+-" ? part[3] + 0 : 0 }
		END { r = back/ions; printf "%g %.4f %.4f %.4f %.4f %.4g\n", energy, r, sqrt(r*(1 - r)/ions), atoms, error, depth }
	' "$folder/he_$energy.csv" >>"$folder/yields.xy"
done
cat "$folder/yields.xy"
