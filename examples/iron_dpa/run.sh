#!/bin/sh
# Displacements per atom in iron by 10^15 iron ions of 2 MeV per square centimeter: by NRT, arc-dpa and full cascades.
#     examples/iron_dpa/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
mkdir -p "$folder"

"$sonde" ions --ion Fe --energy 2MeV --target Fe --displacement Fe=40 --fluence 1e15 --arc-b -0.568 --arc-c 0.286 -n 640 \
	--depth 12000 --bins 30 --force -o "$folder/dpa.csv"
# columns by their names: the largest of each
awk -F, '!/^#/ && !named { for (k = 1; k <= NF; ++k) column[$k] = k; named = 1; next }
	!/^#/ { for (name in column) if ($column[name] > most[name]) { most[name] = $column[name]; at[name] = $1 } }
	END {
		for (k = split("dpa_vacancies dpa_NRT dpa_arc", names, " "); k > 0; --k)
			printf "%-14s %.3f at %g Angstrom\n", names[k], most[names[k]], at[names[k]]
	}' "$folder/dpa.csv" | sort

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "table: $folder/dpa.csv (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
gnuplot <<'SCRIPT'
set datafile separator ','
set terminal pngcairo size 1000,600 font 'Sans,13'
set output 'dpa.png'
set xlabel 'depth (Å)'
set ylabel 'displacements per atom'
set yrange [0:*]
set y2label 'iron ions (1/cm^3)'
set y2range [0:*]
set y2tics
set ytics nomirror
set key top left
plot 'dpa.csv' using (0.5*($1 + $2)):'dpa_vacancies' with lines lw 2 title 'full cascades', \
     '' using (0.5*($1 + $2)):'dpa_NRT' with lines lw 2 title 'NRT', \
     '' using (0.5*($1 + $2)):'dpa_arc' with lines lw 2 title 'arc-dpa', \
     '' using (0.5*($1 + $2)):'concentration' axes x1y2 with lines lw 1 dt 2 title 'ions'
SCRIPT
echo "picture: $folder/dpa.png"
