#!/usr/bin/env bash
# Programs compiled with the frozen headers of this minor version (tests/abi/freeze.sh) run with the current library;
# the examples of the documentation are such programs. Arguments: the program, the folders of headers (of the sources
# and of the build), the shared library, the minor version.
. "$(dirname "$0")/lib.sh"
source_headers=$2 made_headers=$3 library=$(realpath "$4") frozen=$here/../abi/$5
top=$(cd "$here/../.." && pwd)
unset LD_LIBRARY_PATH
export SONDE_DATA=$top/data

if ! command -v cc >/dev/null 2>&1; then
	skip "all" "no compiler here"
	finish
fi
check "the headers of $5 are frozen" [ -f "$frozen/sonde/sonde.h" ]
today="-I$source_headers -I$made_headers" before="-I$frozen"

# compile NAME SOURCE FLAGS...: a program with the shared library
compile() {
	local name=$1 source=$2
	shift 2
	cc -std=c11 -Wall -Werror "$@" -o "$scratch/$name" "$source" "$library" -Wl,-rpath,"${library%/*}" 2>"$err"
	local built=$?
	check "$name compiles: $(grep -m1 error "$err")" [ $built -eq 0 ]
}

# the same numbers from a program of a user
for headers in before today; do
	compile "user_$headers" "$here/user.c" ${!headers}
	ok "user.c with headers of ${headers/before/$5}" "$scratch/user_$headers"
	cp "$out" "$scratch/user_$headers.out"
done
check "the same number" cmp -s "$scratch/user_before.out" "$scratch/user_today.out"

# Members of structs stay where they are; structs of arrays, and small ones that are members, keep their sizes.
"$top/scripts/abi_layout.py" "$frozen/sonde" >"$scratch/layout.c"
for headers in before today; do
	compile "layout_$headers" "$scratch/layout.c" ${!headers}
	"$scratch/layout_$headers" >"$scratch/layout_$headers.out"
done
check "structs are listed" [ "$(grep -c '\.' "$scratch/layout_before.out")" -gt 300 ]
moved=$(diff "$scratch/layout_before.out" "$scratch/layout_today.out" | grep '^> .*\.' | head -3)
check "members of structs are where they were in tests/abi/$5 (new ones belong to the end, new options to the end of options.def; tests/abi/freeze.sh before a release): $moved" \
	[ -z "$moved" ]
fixed='^sonde_(grid|vector|estimate|ions_(tally|exit|leaving|vertex|kind|layer|species)|fdtd_(array|monitor)|match_(candidate|peak|fit|weight|rank|parameter|refined)|refine_value) '
check "structs of arrays have their sizes" cmp -s <(grep -E "$fixed" "$scratch/layout_before.out") \
	<(grep -E "$fixed" "$scratch/layout_today.out")
check "they are known" [ "$(grep -cE "$fixed" "$scratch/layout_before.out")" -eq 20 ]

# Results that the program writes are read by programs: the tables made of them are those that the program makes.
compile reader "$here/reader.c" $today
printf '2\n\nCo 0 0 0\nO 2 0 0\n' >two.xyz
printf '%s\n' 'fdtd:' '  size: 2 um, 0, 0' '  cell: 20 nm' '  time: 40 fs' '  error: estimate' \
	'  sources: [{kind: plane-wave, direction: [1, 0, 0], polarization: [0, 0, 1], wavelength: 700 nm}]' \
	'  monitors: [{kind: flux, center: [0.3 um, 0, 0], wavelengths: 600 nm:800 nm:21}]' >job.yaml
declare -A commands=([debye]='two.xyz --device cpu --q 0.5:20:40' [pattern]='two.xyz --device cpu --q 0.5:7:5 --phi 4 --wavelength 0.5' [coulomb]='two.xyz --device cpu --charges Co=1,O=-1 --spacing 1 --padding 2'
	[ions]='--ion He --energy 2keV --target Si -n 50 --device cpu' [stopping]='--ion He --target SiO2 --compare lindhard' [fdtd]="job.yaml --device cpu")
for engine in "${!commands[@]}"; do
	for ending in h5 csv; do
		ok "$engine.$ending" sonde "$engine" ${commands[$engine]} --quiet -o "$engine.$ending"
	done
	ok "$engine is read" "$scratch/reader" "$engine" "$engine.h5" "read.csv"
	check "$engine: same table" cmp <(grep -v '^#' "$engine.csv") <(grep -v '^#' read.csv)
	check "$engine: is a table" [ "$(grep -vc '^#' read.csv)" -gt 5 ]
	# one byte of it, and half of it
	printf '!' | dd of="$engine.h5" bs=1 seek=3000 conv=notrunc 2>/dev/null
	check "$engine is damaged" [ "$("$scratch/reader" "$engine" "$engine.h5" no.csv 2>&1 | grep -c "$engine.h5: is damaged")" = 1 ]
	head -c 2000 "$engine.h5" >half.h5
	check "$engine is cut" [ "$("$scratch/reader" "$engine" half.h5 no.csv 2>&1 | grep -c 'half.h5: ')" = 1 ]
	check "$engine: nothing written" [ ! -e no.csv ]
done

# docs/library.md: the worked example, on a trajectory, against the program
sed -n '/^```c$/,/^```$/p' "$top/docs/library.md" | sed '/^```c$/d; /^```$/,$d' >"$scratch/worked.c"
compile worked "$scratch/worked.c" $before
{ for frame in 1 2 3; do printf '3\n\nAu 0 0 0\nAu 2.%s 0 0\nCu 0 0 3\n' $frame; done; } >"$inputs/frames.xyz"
ok "docs/library.md" "$scratch/worked" "$inputs/frames.xyz"
cp "$out" "$scratch/worked.out"
for frame in 1 2 3; do
	ok "sonde debye, frame $frame" sonde debye "$inputs/frames.xyz" --frame $frame --q 0.5:20:400 -o "$scratch/$frame.csv"
	# columns q, I, I/N
	want=$(awk -F, '/^[0-9]/ { printf "%.8g", $3; exit }' "$scratch/$frame.csv")
	got=$(awk -v n=$frame '$1 == n { printf "%.8g", $2 }' "$scratch/worked.out")
	check "frame $frame: $got is $want" [ -n "$want" -a "$got" = "$want" ]
done
check "a file that is not there" [ "$("$scratch/worked" "$inputs/none.xyz" 2>&1 | grep -c 'none.xyz: cannot be read')" -eq 1 ]

# The same page: a library and a fit, against the program.
sed -n '/^## Libraries of candidates/,/^## /p' "$top/docs/library.md" | sed -n '/^```c$/,/^```$/p' | sed '/^```/d' >"$scratch/fits.c"
compile fits "$scratch/fits.c" $today
printf '%s\n' 'curves: [I_per_atom]' 'debye: {q: 0.5:15:400}' 'structures:' '- {name: C60, build: {fullerene: C60}}' \
	'- {name: tube, build: {nanotube: "5,5", length: 12}}' '- {name: flake, build: {graphene: hexagon=6}}' >carbon.yaml
ok "library of the program" sonde library carbon.yaml -o program.h5
sonde build --fullerene C60 --quiet -o c60.xyz
ok "film" sonde debye c60.xyz --q 0.6:14:80 -o c60.dat
awk '!/^#/ { print $1, 3 * $3 + 20 + sin(++n * n), 1 }' c60.dat >film.xy
ok "library and fit" "$scratch/fits" carbon.yaml fits.h5 film.xy fits.csv
check "weight" has_line "$out" '^(3|2\.9[0-9]*|3\.0[0-9]*) \+- [0-9.e-]+ C60$'
ok "fit of the program" sonde match film.xy program.h5 --sparsity bic -o program.csv --quiet
check "the program's table" cmp <(grep -v '^#' fits.csv) <(grep -v '^#' program.csv)
check "table: a weight" [ "$(grep -vc '^#' fits.csv)" -ge 2 ]
check "a library that is there" [ "$("$scratch/fits" carbon.yaml fits.h5 film.xy fits.csv 2>&1 | grep -c 'fits.csv: ')" -eq 1 ]

# README.md: lines that stand in a program
{
	printf '#include <stdio.h>\n#include <sonde/sonde.h>\nint main(void)\n{\n'
	sed -n '/^```c$/,/^```$/p' "$top/README.md" | sed '/^```c$/d; /^```$/,$d; /^#include/d'
	printf '\tprintf("%%d\\n", (int)result->q_count);\n\treturn 0;\n}\n'
} >"$scratch/readme.c"
compile readme "$scratch/readme.c" $before
printf '2\n\nCo 0 0 0\nO 2 0 0\n' >coo.xyz
ok "README.md" "$scratch/readme"
check "README.md: points of q" [ "$(cat "$out")" = 1000 ]
finish
