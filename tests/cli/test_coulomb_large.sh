# sonde coulomb: several sets of charges, and grids written to files slab by slab.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

values() { grep -v '^#' "$1"; }
column() { values "$1" | sed 1d | cut -d, -f"$2"; } # FILE.csv NUMBER
# Columns of two tables: the same within a share of the largest number.
agree() { # A B SHARE
	paste "$1" "$2" | awk -v share="$3" '{d = $1 - $2; d = d < 0 ? -d : d; a = $1 < 0 ? -$1 : $1
		most = d > most ? d : most; large = a > large ? a : large} END {exit !(NR > 1 && large > 0 && most <= share * large)}'
}

# sets of charges -----------------------------------------------------------------------------------
printf '3\n\nNa 0 0 0\nCl 2 0 0\nNa 0 3 0\n' >"$inputs/three.xyz"
grid=(--size 4,3,2 --origin 0.5,0.6,0.7 --units e/A --precision float64)
sets='Na=1,Cl=-2;Na=0.5,Cl=0.25;Na=0,Cl=3;Na=-1,Cl=0;Na=2,Cl=2'
ok "five lists" sonde coulomb "$inputs/three.xyz" --charges "$sets" "${grid[@]}" --quantity both --forces -o five.csv
check "says how many" has_line "$out" '^5 sets of 3 charges \(the first together 0 e\), 24 points'
check "an energy for each" has_line "$out" '^energy of set 5: '
check "columns by number" [ "$(values five.csv | head -1 | cut -d, -f4,7,8,23)" = potential_1,Ez_1,potential_2,Ez_5 ]
n=0
IFS=';' read -ra lists <<<"$sets"
for list in "${lists[@]}"; do
	ok "alone: $list" sonde coulomb "$inputs/three.xyz" --charges "$list" "${grid[@]}" --quantity both --forces -o one.csv --force
	energy=$(sed -n 's/^energy: //p' "$out")
	check "set $((n + 1)): its energy" grep -q "^# energy of set $((n + 1)): ${energy:0:8}" five.csv
	for k in 0 1 2 3; do
		column five.csv $((4 + 4 * n + k)) >five.column
		column one.csv $((4 + k)) >one.column
		check "set $((n + 1)), column $k: as if alone" agree five.column one.column 1e-12
	done
	n=$((n + 1))
done
printf '3\nProperties=species:S:1:pos:R:3:charge:R:2\nNa 0 0 0 1 0.5\nCl 2 0 0 -2 0.25\nNa 0 3 0 1 0.5\n' >"$inputs/columns.xyz"
ok "columns of extended XYZ" sonde coulomb "$inputs/columns.xyz" "${grid[@]}" -o columns.csv --quiet
cut -d, -f1-4,8 <(values five.csv) >two.csv
check "columns of extended XYZ: the same" [ "$(values columns.csv | sed 1d)" = "$(sed 1d two.csv)" ]
printf '# two sets\nNa 1 0.5\nCl -2 0.25\n' >"$inputs/table.txt"
ok "columns of a table" sonde coulomb "$inputs/three.xyz" --charges "$inputs/table.txt" "${grid[@]}" -o table.csv --quiet
check "columns of a table: the same" [ "$(values table.csv)" = "$(values columns.csv)" ]
frame() { printf '3\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 %s\nCl %s 0 0 %s\nNa 0 3 0 %s\n' "$1" "$3" "$2" "$1"; }
{ frame 1 -2 2.000 && frame 0.5 0.25 2.0004; } >"$inputs/frames.xyz"
ok "frames" sonde coulomb "$inputs/frames.xyz" --frames all "${grid[@]}" -o frames.csv --quiet
check "frames: the same" [ "$(values frames.csv)" = "$(values columns.csv)" ]
atoms() { printf 'MODEL %s\nATOM 1 NA ION 1 0 0 0 %s 1\nATOM 2 CL ION 2 2 0 0 %s 1\nATOM 3 NA ION 3 0 3 0 %s 1\nENDMDL\n' "$1" "$2" "$3" "$2"; }
{ atoms 1 1 -2 && atoms 2 0.5 0.25; } >"$inputs/models.pqr"
ok "models" sonde coulomb "$inputs/models.pqr" --frames all "${grid[@]}" -o models.csv --quiet
check "models: the same" [ "$(values models.csv)" = "$(values columns.csv)" ]
ok "volumes: a file for each" sonde coulomb "$inputs/columns.xyz" "${grid[@]}" -o sets.dx
check "volumes: reports it" has_line "$out" '^note: sets\.dx: one file per set, with _1, _2'
check "volumes: both are there" [ "$(echo sets*.dx)" = "sets_1.dx sets_2.dx" ]
fails 2 "sets_1.dx: exists already" sonde coulomb "$inputs/columns.xyz" "${grid[@]}" -o sets.dx
ok "the second one" sonde convert sets_2.dx second.csv
column second.csv 4 >is.column
column columns.csv 5 >should.column
check "the second one: its values" agree is.column should.column 1e-9
ok "names with dots" sonde coulomb "$inputs/columns.xyz" "${grid[@]}" -o ./of.two.cube
check "names with dots: the number stands before the ending" [ "$(echo of.*)" = "of.two_1.cube of.two_2.cube" ]
check "cube: each with its own charges" [ "$(awk 'FNR == 8 {printf "%s ", $2}' of.two_1.cube of.two_2.cube)" = "-2.000000 0.250000 " ]
ok "HDF5" sonde coulomb "$inputs/columns.xyz" "${grid[@]}" --forces --quantity both -o sets.h5
check "HDF5: one file" has_line "$out" '^sets.h5: written$'
ok "HDF5: info" sonde info sets.h5
check "HDF5: info counts sets" has_line "$out" '^charges +3, together 0 e in the first of 2 sets$'
fails 2 "for several sets of charges 'sonde coulomb' writes volumes itself" sonde convert sets.h5 x.dx
$program coulomb "$inputs/columns.xyz" "${grid[@]}" -o json.csv --json >"$out" 2>"$err"
check "json: sets" has_line "$out" '"charge_sets": 2, '

fails 2 "frames.xyz:6: a second frame begins here" sonde coulomb "$inputs/frames.xyz" "${grid[@]}"
{ frame 1 -2 2.000 && frame 0.5 0.25 2.01; } >"$inputs/moved.xyz"
fails 2 "moved.xyz:9: atom 2 of frame 2 differs in species or position" sonde coulomb "$inputs/moved.xyz" --frames all
{ frame 1 -2 2 && printf '1\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 1\n'; } >"$inputs/fewer.xyz"
fails 2 "frame 2 has 1 atoms, frame 1 has 3" sonde coulomb "$inputs/fewer.xyz" --frames all
{ frame 1 -2 2 && printf '3\n\nNa 0 0 0\nCl 2 0 0\nNa 0 3 0\n'; } >"$inputs/without.xyz"
fails 2 "frame 2 has 0 charges per atom, frame 1 has 1" sonde coulomb "$inputs/without.xyz" --frames all
fails 2 "frames: all and --frame 2 exclude one another" sonde coulomb "$inputs/frames.xyz" --frames all --frame 2
printf 'Na 1 0.5\nCl -2\n' >"$inputs/ragged.txt"
fails 2 "ragged.txt:2: " sonde coulomb "$inputs/three.xyz" --charges "$inputs/ragged.txt"
fails 2 "charges: 'Cl' has none" sonde coulomb "$inputs/three.xyz" --charges 'Na=1,Cl=1;Na=1'
printf '1\nProperties=species:S:1:pos:R:3:charge:R:17\nNa 0 0 0\n' >"$inputs/many.xyz"
fails 2 "many.xyz:2: at most 16 sets" sonde coulomb "$inputs/many.xyz"

# slabs ---------------------------------------------------------------------------------------------
# the same bytes in little memory, where there are many slabs
awk 'BEGIN {srand(5); print 300; print "Lattice=\"9 0 0 0 10 0 1 0 11\" pbc=\"F F F\" Properties=species:S:1:pos:R:3:charge:R:1"
	for (k = 0; k < 300; ++k) print "X", 9 * rand(), 10 * rand(), 11 * rand(), (k % 2 ? 1 : -1) * (1 + int(k / 2) % 5)}' >"$inputs/many.xyz"
box=(--size 80,70,130 --spacing 0.1,0.11,0.09 --origin -1,-2,-1.5 --tolerance 1e-5)
for method in 'direct --precision float64' fast; do
	IFS=' ' read -ra by <<<"--method $method"
	for kind in vtk mrc cube; do
		quantity=both
		[[ $kind = vtk ]] || quantity=potential
		ok "$method, $kind" sonde coulomb "$inputs/many.xyz" "${box[@]}" "${by[@]}" --quantity "$quantity" -o large.$kind --force --quiet
		ok "$method, $kind, little memory" sonde coulomb "$inputs/many.xyz" "${box[@]}" "${by[@]}" --quantity "$quantity" \
			-o little.$kind --force --quiet --host-memory 14M
		check "$method, $kind: the same bytes" cmp -s large.$kind little.$kind
	done
done
fails 2 "not enough memory: .* planes are computed at a time" sonde coulomb "$inputs/many.xyz" "${box[@]}" --method fast -o x.vtk --host-memory 1M

# every kind of file has what a table has, which is not written in slabs
all=(h5 vtk mrc dx dx.gz cube)
oblique=(--size 9,8,7 --origin 0,0,0 --step-a 0.5,0.1,0 --step-b 0,0.6,0.1 --step-c 0.2,0,0.7)
compare() { # NAME OPTIONS: the files of ${kinds[@]}
	local name=$1 kind
	shift
	ok "$name: table" sonde coulomb "$inputs/many.xyz" "$@" --precision float64 -o table.csv --force --quiet
	column table.csv 4 >should.column
	for kind in "${kinds[@]}"; do
		ok "$name: $kind" sonde coulomb "$inputs/many.xyz" "$@" --precision float64 -o file.$kind --force --quiet
		ok "$name: $kind is read" sonde convert file.$kind file.csv --force
		column file.csv 4 >is.column
		check "$name: $kind agrees" agree is.column should.column 2e-7
	done
}
kinds=("${all[@]}")
compare "grid" "${box[@]}" --size 12,9,10
compare "plane" --plane y=4.5 --spacing 0.7 --padding 2
# the numbers of all files are those of the table whatever their tolerance
compare "periodic" --boundary periodic --size 5,6,7 --spacing 1.6 --origin 0,0,0 --tolerance 1e-6
compare "slab" --boundary slab --size 5,6,7 --spacing 1.6 --origin 0,0,0 --tolerance 1e-6
compare "periodic, fast" --boundary periodic --size 17,15,16 --spacing 0.6 --origin 0,0,0 --tolerance 1e-5 --method fast
kinds=(h5 dx cube)
compare "oblique" "${oblique[@]}"
compare "line" --line 0,0,0:9,8,7:40
# points that are left out are 0 in files that know no NaN
mask=(--size 12,9,10 --spacing 0.9 --origin -1,-1,-1 --exclude-within 0.8 --region 0,-9,-9:9,9,5 --precision float64)
ok "mask: table" sonde coulomb "$inputs/many.xyz" "${mask[@]}" -o table.csv --force
masked=$(sed -nE 's/^note: ([0-9]+) points are excluded.*/\1/p' "$out")
check "mask: leaves out" [ "${masked:-0}" -gt 100 ]
column table.csv 4 | sed 's/-\?nan/0/' >should.column
for kind in dx mrc cube; do
	ok "mask: $kind" sonde coulomb "$inputs/many.xyz" "${mask[@]}" -o file.$kind --force
	check "mask: $kind leaves out as many" has_line "$out" "^note: $masked points are excluded"
	ok "mask: $kind is read" sonde convert file.$kind file.csv --force
	column file.csv 4 >is.column
	check "mask: $kind agrees" agree is.column should.column 2e-7
done
ok "forces and a mirrored file" sonde coulomb "$inputs/many.xyz" --size 5 --forces -o forces.dx
check "forces and a mirrored file: the energy" has_line "$out" '^energy: '

# comments that other programs read: short lines, and complete ones
ok "comments" sonde coulomb "$inputs/many.xyz" --size 5 -o comments.dx --force
check "comments: short" [ "$(grep '^#' comments.dx | awk 'length > 80' | wc -l)" = 0 ]
check "comments: the error" grep -q '^# error: of all 125 points, by the reference' comments.dx
check "comments: before anything else" [ "$(grep -n '^#' comments.dx | tail -1 | cut -d: -f1)" = "$(grep -c '^#' comments.dx)" ]

# points that do not fit onto the disk
fails 2 "x.dx: 97336000000 points need .* GB and the disk has|points would take" sonde coulomb "$inputs/many.xyz" --size 4600 --spacing 0.01 -o x.dx
fails 2 "= 1e\\+12 points would take 8e\\+03 GB" sonde coulomb "$inputs/many.xyz" --size 10000 --spacing 0.01 -o x.h5
check "nothing is left" [ -z "$(find . -name 'x.*' -o -name '.*.dx*' -type f)" ]
finish
