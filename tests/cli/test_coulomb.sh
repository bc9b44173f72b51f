# sonde coulomb: charges, grids, files, and invalid input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

printf '2\n\nNa 0 0 0\nCl 2 0 0\n' >"$inputs/pair.xyz"
printf '2\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 1\nCl 2 0 0 -1\n' >"$inputs/charged.xyz"
cat >"$inputs/pair.pqr" <<'EOF'
REMARK a pair
ATOM      1  NA  ION     1       0.000   0.000   0.000  1.0000 1.0200
HETATM    2  O5' ION A   2       2.000   0.000   0.000 -1.0000 1.8100
TER
END
EOF
printf '# where\n-1 0 0\n\n5,0,0\n' >"$inputs/points.txt"

# charges, from everywhere the same -----------------------------------------------------------------
values() { grep -v '^#' "$1"; }
is_about() { awk -v a="$1" -v b="$2" -v near="${3:-1e-9}" 'BEGIN {exit !(a - b < near * b && b - a < near * b)}'; }
there=(--points "$inputs/points.txt" --units e/A --precision float64 --quantity potential)
ok "by label" sonde coulomb "$inputs/pair.xyz" --charges Na=1,Cl=-1 "${there[@]}" -o label.csv --quiet
ok "by label, with blanks" sonde coulomb "$inputs/pair.xyz" --charges ' Na = 1 , Cl = -1 ' "${there[@]}" -o blanks.csv --quiet
check "blanks next to separators do not count" same_files <(grep -v "^#" label.csv) <(grep -v "^#" blanks.csv)
ok "a column" sonde coulomb "$inputs/charged.xyz" "${there[@]}" -o column.csv --quiet
ok "PQR" sonde coulomb "$inputs/pair.pqr" "${there[@]}" -o pqr.csv --quiet
check "three columns and the potential" [ "$(values label.csv | head -1)" = x,y,z,potential ]
check "the potential at -1: 1 - 1/3" [ "$(values label.csv | sed -n 2p)" = -1,0,0,0.666666666666667 ]
check "a column says the same" [ "$(values column.csv)" = "$(values label.csv)" ]
check "PQR says the same" [ "$(values pqr.csv)" = "$(values label.csv)" ]
gzip -c "$inputs/pair.pqr" >"$inputs/small.pqr.gz"
ok "PQR, gzip" sonde coulomb "$inputs/small.pqr.gz" "${there[@]}" -o gz.csv --quiet
check "PQR, gzip: the same" [ "$(values gz.csv)" = "$(values label.csv)" ]

# at points of a list both are computed, unless stated otherwise
ok "points" sonde coulomb "$inputs/charged.xyz" --points "$inputs/points.txt" --units e/A --precision float64 -o list.csv --quiet
check "points: the field, too" [ "$(values list.csv | head -1)" = x,y,z,potential,Ex,Ey,Ez ]
check "points: the field at -1: -1 + 1/9" [ "$(values list.csv | sed -n 2p | cut -d, -f5-7)" = -0.888888888888889,0,0 ]

# PDB and tables of charges -------------------------------------------------------------------------
cat >"$inputs/water.pdb" <<'EOF'
HEADER    TWO WATERS AND AN ION
CRYST1   10.000   20.000   30.000  90.00  90.00 120.00 P 1           1
ATOM      1  OW  SOL A   1       0.000   0.000   0.000  1.00  0.00           O
ATOM      2  HW1 SOL A   1       0.957   0.000   0.000  1.00  0.00           H
ATOM      3 HW2'ASOL A   1      -0.240   0.927   0.000  0.50  0.00
ATOM      4 HW2'BSOL A   1      -0.240  -0.927   0.000  0.50  0.00
HETATM    5 CA    CA A   2       5.000   0.000   0.000  1.00  0.00
HETATM    6  CA  ALA A   3       0.000   5.000   0.000  1.00  0.00
END
EOF
printf '# TIP3P and more\nOW -0.834\nHW1 0.417\nHW2* 0.417\nCA CA 2\n* CA 0.1\n' >"$inputs/charges.txt"
printf '0 0 3\n' >"$inputs/above.txt"
above=(--points "$inputs/above.txt" --units e/A --precision float64)
ok "PDB: info" sonde info "$inputs/water.pdb"
check "PDB: two locations of an atom" has_line "$out" '^atoms +6$'
check "PDB: together one atom" has_line "$out" '^occupancies +below 1 at 2 sites, 5 atoms on average$'
check "PDB: elements" [ "$(grep -oE '[0-9]+ [A-Z][a-z]?$' "$out" | xargs)" = "1 O 3 H 1 Ca 1 C" ]
ok "PDB with charges by element" sonde coulomb "$inputs/water.pdb" --charges O=-0.8,H=0.4,Ca=2,C=0 "${above[@]}" -o pdb.csv
ok "PDB with a table of charges" sonde coulomb "$inputs/water.pdb" --charges "$inputs/charges.txt" "${above[@]}" -o table.csv
check "PDB with a table: the sum" is_about "$(values table.csv | sed -n 2p | cut -d, -f4)" \
	"$(awk 'BEGIN {printf "%.15g", -0.834/3 + 2*0.417/sqrt(9 + 0.957^2) + 0*1 + 2/sqrt(34) + 0.1/sqrt(34)}')" 1e-4
ok "PDB: its cell" sonde coulomb "$inputs/water.pdb" --charges O=-0.8,H=0.4,Ca=2,C=-2 --boundary periodic "${above[@]}" -o cell.csv
printf 'OW -0.8\nHW1 0.4\n' >"$inputs/few.txt"
fails 2 "few.txt: has no charge for SOL HW2\*, atom 3" sonde coulomb "$inputs/water.pdb" --charges "$inputs/few.txt"
printf 'OW -0.8\n* OW 0.4\n' >"$inputs/twice.txt"
fails 2 "twice.txt:2: \* OW is given twice" sonde coulomb "$inputs/water.pdb" --charges "$inputs/twice.txt"
printf 'OW\n' >"$inputs/odd.txt"
fails 2 "odd.txt:1: needs a name and a charge" sonde coulomb "$inputs/water.pdb" --charges "$inputs/odd.txt"
printf 'OW x\n' >"$inputs/odd.txt"
fails 2 "odd.txt:1: charge = 'x' is not a finite number" sonde coulomb "$inputs/water.pdb" --charges "$inputs/odd.txt"
printf '# none\n' >"$inputs/odd.txt"
fails 2 "odd.txt: has no charges" sonde coulomb "$inputs/water.pdb" --charges "$inputs/odd.txt"
printf 'ATOM      1  OW  SOL A   1       0.000   0.0x0   0.000  1.00  0.00           O\n' >"$inputs/bad.pdb"
fails 2 "bad.pdb:1: y = '0.0x0' is not a finite number" sonde info "$inputs/bad.pdb"
printf 'ATOM      1  OW  SOL A   1       0.000   0.000\n' >"$inputs/bad.pdb"
fails 2 "bad.pdb:1: z is missing in columns 47 to 54" sonde info "$inputs/bad.pdb"
printf 'REMARK\n' >"$inputs/bad.pdb"
fails 2 "bad.pdb: has no atoms" sonde info "$inputs/bad.pdb"
printf 'MODEL 1\nATOM      1  OW  SOL A   1       0.000   0.000   0.000\nENDMDL\nMODEL 2\n' >"$inputs/models.pdb"
fails 2 "models.pdb:4: a second model begins here" sonde info "$inputs/models.pdb"
ok "PDB: a model" sonde info "$inputs/models.pdb" --frame 1

# surfaces and masks --------------------------------------------------------------------------------
ok "surface" sonde coulomb "$inputs/pair.pqr" --surface 5 -o surface.csv
check "surface: on the balls" awk -F, '!/^#/ && !/x/ {a = sqrt($1^2 + $2^2 + $3^2); b = sqrt(($1-2)^2 + $2^2 + $3^2); ++n
	if (a < 1.02 - 1e-6 || b < 1.81 - 1e-6 || (a > 1.02 + 1e-6 && b > 1.81 + 1e-6)) bad = 1} END {exit bad || n < 200}' surface.csv
ok "surface of a probe" sonde coulomb "$inputs/water.pdb" --charges "$inputs/charges.txt" --surface 2 --probe 1.4 -o probe.csv
check "surface of a probe: nothing nearer" awk -F, '!/^#/ && !/x/ {if (sqrt($1^2 + $2^2 + $3^2) < 1.52 + 1.4 - 1e-6) bad = 1; ++n} END {exit bad || n < 200}' probe.csv
fails 2 "surface exclude one another" sonde coulomb "$inputs/pair.pqr" --surface 5 --plane z=1
ok "masks" sonde coulomb "$inputs/pair.pqr" --spacing 0.5 --padding 3 --exclude-within 1 --exclude-beyond 2.5 \
	--region -9,-9,0:9,9,9 -o mask.csv
check "masks: says how many" has_line "$out" '^note: [0-9]+ points are excluded by the mask$'
check "masks: what is left out" awk -F, '!/^#/ && !/x/ {a = sqrt($1^2 + $2^2 + $3^2); b = sqrt(($1-2)^2 + $2^2 + $3^2); d = a < b ? a : b
	if ((d < 1 || d >= 2.5 || $3 < 0) != ($4 == "nan" || $4 == "-nan")) bad = 1; ++n} END {exit bad || n < 1000}' mask.csv
ok "masks in OpenDX" sonde coulomb "$inputs/pair.pqr" --exclude-within 1.5 -o mask.dx
check "masks in OpenDX: no NaN" [ "$(grep -c nan mask.dx)" -eq 0 ]
printf '2\nProperties=species:S:1:pos:R:3:charge:R:1:occupancy:R:1\nNa 0 0 0 1 0.25\nCl 2 0 0 -1 0.5\n' >"$inputs/sites.xyz"
printf '2\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 0.25\nCl 2 0 0 -0.5\n' >"$inputs/means.xyz"
ok "occupancies" sonde coulomb "$inputs/sites.xyz" --line 0,1,0:5,1,0:6 -o sites.csv
ok "occupancies: the mean charges" sonde coulomb "$inputs/means.xyz" --line 0,1,0:5,1,0:6 -o means.csv
check "occupancies multiply the charges" [ "$(grep -v '^#' sites.csv)" = "$(grep -v '^#' means.csv)" ]
fails 2 "sites.xyz: atoms have occupancies below 1: .* omit --forces" sonde coulomb "$inputs/sites.xyz" --forces
printf 'ATOM 1 N ALA 1 -112.345-100.123   3.000 0.500 1.500\n' >"$inputs/glued.pqr"
fails 2 "glued.pqr:1: '-112.345-100.123' is more than one number: .* need blanks" sonde coulomb "$inputs/glued.pqr"
printf 'ATOM 1 N ALA 1 1.345 100.123   3.0000.500 1.500\n' >"$inputs/glued.pqr"
fails 2 "glued.pqr:1: '3.0000.500' is more than one number" sonde coulomb "$inputs/glued.pqr"
fails 2 "leave none of the [0-9]+ points" sonde coulomb "$inputs/pair.pqr" --exclude-within 100 -o none.dx
fails 2 "leave none of the [0-9]+ points" sonde coulomb "$inputs/pair.pqr" --region 90,90,90:99,99,99
fails 2 "region: '1,2' is not x,y,z:x,y,z" sonde coulomb "$inputs/pair.pqr" --region 1,2

# units ---------------------------------------------------------------------------------------------
at() { sonde coulomb "$inputs/charged.xyz" --points "$inputs/points.txt" --precision float64 "$@" | grep -v '^#' | head -1 | cut -d' ' -f4; }
check "V" is_about "$(at --units V)" 9.5997636522836667
check "kcal/mol/e" is_about "$(at --units kcal/mol/e)" 221.37580871
check "kT/e" is_about "$(at --units kT/e)" 373.63954809836
check "dielectric" is_about "$(at --units e/A --dielectric 2)" 0.33333333333333

# grids ---------------------------------------------------------------------------------------------
ok "OpenDX" sonde coulomb "$inputs/charged.xyz" --spacing 0.5,1,1 --padding 2 -o phi.dx
check "OpenDX: counts" has_line phi.dx '^object 1 class gridpositions counts 13 5 5$'
check "OpenDX: type double" has_line phi.dx '^object 3 class array type double rank 0 items 325 data follows$'
check "OpenDX: number of values" [ "$(sed -n '/data follows/,/attribute/p' phi.dx | grep -v '[a-df-z]' | wc -w)" -eq 325 ]
check "says how often a charge lies at a point" has_line "$out" '^note: 2 times a charge coincides with a point'
ok "OpenDX, gzip" sonde coulomb "$inputs/charged.xyz" --spacing 0.5,1,1 --padding 2 -o phi.dx.gz
check "OpenDX, gzip: the same numbers" [ "$(gzip -dc phi.dx.gz | grep -v '^#' | cksum)" = "$(grep -v '^#' phi.dx | cksum)" ]
ok "VTK" sonde coulomb "$inputs/charged.xyz" --spacing 0.5,1,1 --padding 2 --quantity both -o phi.vtk
check "VTK: dimensions" grep -aq '^DIMENSIONS 13 5 5$' phi.vtk
check "VTK: size" [ "$(stat -c %s phi.vtk)" -eq $(($(head -c 600 phi.vtk | grep -abo default | cut -d: -f1) + 8 + 325 * 8 + 1 + 21 + 325 * 24 + 1)) ]
ok "MRC" sonde coulomb "$inputs/charged.xyz" --spacing 0.5,1,1 --padding 2 -o phi.mrc
check "MRC: size" [ "$(stat -c %s phi.mrc)" -eq $((1024 + 325 * 4)) ]
check "MRC: header" [ "$(od -An -tu4 -N16 phi.mrc | tr -s ' ')" = ' 13 5 5 2' ]
check "MRC: the first number" is_about "$(od -An -tf4 -j1024 -N4 phi.mrc | tr -d ' ')" \
	"$(sed -n '/data follows/{n;p}' phi.dx | cut -d' ' -f1)" 1e-6
ok "cube" sonde coulomb "$inputs/charged.xyz" --spacing 0.5,1,1 --padding 2 -o phi.cube
check "cube: two atoms" [ "$(sed -n 3p phi.cube | awk '{print $1}')" = 2 ]
check "cube: the numbers of the grid" [ "$(sed -n 4,6p phi.cube | awk '{print $1}' | xargs)" = "13 5 5" ]
numbers() { sed -n '/data follows/,/attribute/p' "$1" | grep -v '[a-df-z]'; }
for kind in cube cube.gz vtk h5 dx.gz; do
	ok "convert to $kind" sonde convert phi.dx "there.$kind"
	ok "convert from $kind" sonde convert "there.$kind" "back.$kind.dx"
	check "convert through $kind: the same numbers" [ "$(numbers "back.$kind.dx" | cksum)" = "$(numbers phi.dx | cksum)" ]
done
ok "convert to MRC" sonde convert phi.dx there.mrc
floats() { od -An -v -tf4 -w4 -j1024 "$1"; }
check "convert to MRC: the same numbers, by the ten digits of OpenDX" [ "$(paste <(floats there.mrc) <(floats phi.mrc) |
	awk 'function abs(x) {return x < 0 ? -x : x} NF == 2 && abs($1 - $2) <= 2e-7 * abs($2) {++n} END {print n}')" = 325 ]
ok "info of a volume" sonde info phi.cube
check "info of a volume: points" has_line "$out" '^points +13 x 5 x 5$'
check "info of a volume: title" has_line "$out" '^title +sonde .*electrostatic potential in V'
check "info of a volume: values" has_line "$out" '^values +-[0-9.]+ to [0-9.]+, '
ok "info of a converted volume" sonde info there.h5
check "info of a converted volume: steps" has_line "$out" '^steps +0\.5 0 0 Angstrom$'
ok "convert to a table" sonde convert phi.dx there.csv
check "convert to a table: a row for each point" [ "$(grep -vc '^#' there.csv)" -eq 326 ]
fails 2 "phi.cube: exists already" sonde convert phi.dx phi.cube
fails 2 "name two files" sonde convert phi.dx
sed 's/^delta.*$/delta 0 0 0/' phi.dx >"$inputs/still.dx"
fails 2 "still.dx: step a of the grid is 0 0 0 Angstrom" sonde convert "$inputs/still.dx" new.cube
sed 's/^delta.*$/delta 1 0 0/' phi.dx >"$inputs/line.dx"
fails 2 "line.dx: the steps of the grid lie in one line" sonde convert "$inputs/line.dx" new.vtk
fails 2 "unexpected file 'c'" sonde convert a b c
fails 2 "not a volume by its name" sonde convert phi.dx phi.xyzzy
fails 2 "tables can be written, but not read" sonde convert there.csv phi.dx --force
fails 2 "unknown option '--forc', did you mean '--force'" sonde convert phi.dx a.cube --forc
ok "picture of a grid" sonde coulomb "$inputs/charged.xyz" --padding 2 --plot grid.png
check "picture of a grid: PNG" grep -q PNG grid.png
ok "picture of a plane" sonde coulomb "$inputs/charged.xyz" --plane x=0.5 --quantity field --padding 2 --plot plane.png
check "picture of a plane: PNG" grep -q PNG plane.png
ok "picture of a line" sonde coulomb "$inputs/charged.xyz" --line 0,0,1:5,0,1:50 --plot line.png
check "picture of a line: PNG" grep -q PNG line.png
fails 2 "x.png: grids, planes and lines are drawn" sonde coulomb "$inputs/charged.xyz" --points "$inputs/points.txt" --plot x.png
ok "plane" sonde coulomb "$inputs/charged.xyz" --plane z=3.5 --padding 2 -o plane.csv
check "plane: 7 x 5 points" [ "$(values plane.csv | wc -l)" -eq 36 ]
ok "HDF5" sonde coulomb "$inputs/charged.xyz" --quantity both -o phi.h5
ok "HDF5: info" sonde info phi.h5
check "HDF5: info says what it is" has_line "$out" '^what +Electrostatic potential of point charges$'
check "HDF5: info counts charges" has_line "$out" '^charges +2, together 0 e$'
ok "line in HDF5" sonde coulomb "$inputs/charged.xyz" --line 1,2,-5:1,2,5:11 -o line.h5
ok "line in HDF5: info" sonde info line.h5
check "line in HDF5: distances" has_line "$out" '^a +11 points, 0 to 10 Angstrom$'
check "line in HDF5: coordinates" has_line "$out" '^z +11 points, -5 to 5 Angstrom$'
ok "line in HDF5: converted" sonde convert line.h5 line.csv
check "line in HDF5: the last point" [ "$(values line.csv | tail -n 1 | cut -d, -f1-3)" = 1,2,5 ]
ok "oblique grid in HDF5" sonde coulomb "$inputs/charged.xyz" --origin 1,2,3 --size 2,3,4 --step-a 3,4,0 --step-b 0,1,0 --step-c 0,0,2 -o oblique.h5
ok "oblique grid in HDF5: info" sonde info oblique.h5
check "oblique grid in HDF5: distances" has_line "$out" '^a +2 points, 0 to 5 Angstrom$'
check "oblique grid in HDF5: no coordinates" lacks "$out" $'\nx  '
printf 'sample: %s\ncoulomb:\n  units: e/A\n  quantity: potential\n  points: %s\n  precision: float64\noutput: job.csv\n' "$inputs/charged.xyz" \
	"$inputs/points.txt" >"$inputs/job.yaml"
ok "job" sonde coulomb "$inputs/job.yaml"
check "job: the same" [ "$(values job.csv)" = "$(values label.csv)" ]

# fast ----------------------------------------------------------------------------------------------
ok "a nanoparticle" sonde build --cell rocksalt --species Na,Cl --a 5.6402 --sphere 30 -o "$inputs/salt.xyz" --quiet
salt=("$inputs/salt.xyz" --charges Na=1,Cl=-1 --spacing 1.7 --padding 3)
ok "fast" sonde coulomb "${salt[@]}" --method fast --tolerance 1e-5 -o fast.dx
check "fast: reports it" has_line "$out" 'points, fast sum, '
ok "direct" sonde coulomb "${salt[@]}" --method direct --precision float64 -o direct.dx
check "direct: reports it" has_line "$out" 'points, direct sum, '
check "fast and direct are the same within the tolerance" awk '
	/data follows/ {on = 1; next} /attribute/ {on = 0}
	on && FILENAME == ARGV[1] {for (k = 1; k <= NF; ++k) a[++n] = $k}
	on && FILENAME == ARGV[2] {for (k = 1; k <= NF; ++k) {++m; off += (a[m] - $k) ^ 2; own += $k ^ 2}}
	END {exit !(n == m && n > 50000 && off > 0 && off <= 1e-10 * own)}' fast.dx direct.dx
ok "auto" sonde coulomb "${salt[@]}" --tolerance 1e-4 -o auto.h5
check "auto: fast" has_line "$out" 'points, fast sum, '
ok "fast, a list of points" sonde coulomb "${salt[@]}" --device cpu --method fast --points "$inputs/points.txt" -o fast.csv
check "fast, a list of points: reports it" has_line "$out" 'points, fast sum, '
ok "direct, a list of points" sonde coulomb "${salt[@]}" --method direct --precision float64 --points "$inputs/points.txt" -o direct.csv
check "a list of points: the same within the tolerance" awk -F, '
	!/^[-0-9]/ {next} FILENAME == ARGV[1] {a[++n] = $4}
	FILENAME == ARGV[2] {off += (a[++m] - $4) ^ 2; own += $4 ^ 2}
	END {exit !(n == m && n > 1 && off <= 1e-12 * own)}' fast.csv direct.csv

# periodic -------------------------------------------------------------------------------------------
ok "a cell of rock salt" sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 2,1,1 -o "$inputs/cell.xyz" --quiet
printf '0 0 0\n2.8201 0 0\n' >"$inputs/ions.txt"
ok "periodic" sonde coulomb "$inputs/cell.xyz" --charges Na=1,Cl=-1 --boundary periodic --points "$inputs/ions.txt" -o ions.csv
check "periodic: Madelung's potential" is_about "$(values ions.csv | sed -n 3p | cut -d, -f4)" 8.92307 1e-4
check "periodic: the error is small" has_line "$out" '^error: potential (an estimated )?[0-9.]+e-1[0-9] relative'
$program coulomb "$inputs/cell.xyz" --charges Na=1,Cl=-0.5 --boundary periodic --points "$inputs/ions.txt" >"$out" 2>"$err"
check "periodic: warns of a charge" has_line "$err" '^sonde: warning: the charges of the cell add up to 4 e; a uniform background'

ok "periodic, fast" sonde coulomb "$inputs/cell.xyz" --charges Na=1,Cl=-1 --boundary periodic --spacing 0.4 --padding 0 \
	--method fast -o fast.h5
check "periodic, fast: reports it" has_line "$out" 'points, fast sum, '
check "periodic, fast: the error is small" has_line "$out" '^error: potential (an estimated )?[0-9.]+e-0[7-9] relative'
ok "slab" sonde coulomb "$inputs/cell.xyz" --charges Na=1,Cl=-1 --boundary slab --line 0,0,0:0,0,30:4 -o slab.csv
check "slab: the potential dies away" is_about "$(values slab.csv | awk -F, 'NR == 5 {print 1 + $4}')" 1 1e-9
$program coulomb "$inputs/cell.xyz" --charges Na=1,Cl=-0.5 --boundary slab --points "$inputs/ions.txt" >"$out" 2>"$err"
check "slab: warns of a charge" has_line "$err" '^sonde: warning: the charges of the cell add up to 4 e; the potential diverges linearly'
ok "periodic, by name" sonde coulomb "$inputs/cell.xyz" --charges Na=1,Cl=-1 --boundary periodic --points "$inputs/ions.txt" --method ewald -o named.csv
check "periodic, by name: the same" [ "$(values named.csv)" = "$(values ions.csv)" ]
check "periodic: the file says ewald" grep -q "method = ewald" ions.csv
fails 2 "method: ewald is for periodic charges" sonde coulomb "$inputs/charged.xyz" --method ewald
fails 2 "the cell has no area" sonde coulomb "$inputs/charged.xyz" --boundary slab --cell 4,0,4

# wrong input ------------------------------------------------------------------------------------
fails 2 "pair.xyz: brings no charges; give them by label" sonde coulomb "$inputs/pair.xyz"
fails 2 "charges: 'Cl' has none" sonde coulomb "$inputs/pair.xyz" --charges Na=1
fails 2 "charges: the sample has no 'Mg'" sonde coulomb "$inputs/pair.xyz" --charges Na=1,Mg=2
fails 2 "charges: 'Na' is given twice" sonde coulomb "$inputs/pair.xyz" --charges Na=1,Na=2
fails 2 "charges: 'Na=x' is not LABEL=CHARGE" sonde coulomb "$inputs/pair.xyz" --charges Na=x
fails 2 "spacing: 0 is out of range" sonde coulomb "$inputs/charged.xyz" --spacing 0
fails 2 "spacing: .* too many points" sonde coulomb "$inputs/charged.xyz" --spacing 1e-6 --padding 1e6
fails 2 "points would take .* GB; at most" sonde coulomb "$inputs/charged.xyz" --spacing 0.001 --padding 100
fails 2 "size: 1.5 points" sonde coulomb "$inputs/charged.xyz" --size 3,1.5,3
fails 2 "step-a, step-b and step-c are given together" sonde coulomb "$inputs/charged.xyz" --size 2 --step-a 1,0,0
fails 2 "the grid has no thickness" sonde coulomb "$inputs/charged.xyz" --size 2 --step-a 1,0,0 --step-b 0,1,0 --step-c 1,1,0
fails 2 "plane: 'w=1' is not" sonde coulomb "$inputs/charged.xyz" --plane w=1
fails 2 "line: '1,2,3' is not" sonde coulomb "$inputs/charged.xyz" --line 1,2,3
sed 's/pbc="F F F" //' "$inputs/cell.xyz" >"$inputs/periodic.xyz"
fails 2 "the sample is periodic: --boundary periodic or slab repeats its charges" sonde coulomb "$inputs/periodic.xyz" --charges Na=1,Cl=-1 -o new.h5
fails 2 "the sample has no Lattice" sonde coulomb "$inputs/charged.xyz" --boundary periodic
fails 2 "the cell has no volume" sonde coulomb "$inputs/charged.xyz" --boundary periodic --cell 4,0,4
fails 2 "neither screened, softened nor smeared" sonde coulomb "$inputs/charged.xyz" --boundary periodic --cell 4 --debye-length 5
fails 2 "exclude one another" sonde coulomb "$inputs/charged.xyz" --line 0,0,0:1,0,0:3 --plane z=1
printf '1 2 3\n1 two 3\n' >"$inputs/bad.txt"
fails 2 "bad.txt:2: needs x y z" sonde coulomb "$inputs/charged.xyz" --points "$inputs/bad.txt"
: >"$inputs/none.txt"
fails 2 "none.txt: has no points" sonde coulomb "$inputs/charged.xyz" --points "$inputs/none.txt"
# units, the field and elements survive, or their loss is reported
ok "both, in kT/e" sonde coulomb "$inputs/charged.xyz" --spacing 0.5 --padding 2 --quantity both --units kT/e -o unit.h5
check "both: the field's error is printed" has_line "$out" '^error: field an estimated .* kT/e/Angstrom at most$'
for kind in dx cube mrc vtk h5; do
	ok "$kind of HDF5" sonde convert unit.h5 converted.$kind
	ok "$kind: info" sonde info converted.$kind
	check "$kind keeps the unit" has_line "$out" '^unit +kT/e$'
done
ok "HDF5 of OpenDX" sonde convert converted.dx again.h5
ok "HDF5 of OpenDX: info" sonde info again.h5
check "HDF5 of OpenDX keeps the unit" has_line "$out" '^unit +kT/e$'
# reports of info on files of other kinds, made directly and converted; a title with the letter of the unit in it
ok "kT/e as cube" sonde coulomb "$inputs/charged.xyz" --spacing 0.5 --padding 2 --quantity potential --units kT/e -o kt.cube
for kind in dx vtk mrc h5; do
	ok "cube to $kind" sonde convert kt.cube from_cube.$kind
	ok "cube to $kind: info" sonde info from_cube.$kind
	check "cube to $kind: a volume" has_line "$out" "^volume +from_cube\.$kind"
	check "cube to $kind: points" has_line "$out" '^points +[0-9]+ x [0-9]+ x [0-9]+$'
	check "cube to $kind: unit" has_line "$out" '^unit +kT/e$'
done
ok "cube to a table" sonde convert kt.cube kt.csv
ok "cube to a table: info" sonde info kt.csv
check "cube to a table: columns" has_line "$out" '^columns +x,y,z,value$'
check "cube to a table: no engine" lacks "$out" 'table of sonde'
ok "a direct OpenDX file: info" sonde info phi.dx
check "a direct OpenDX file: a volume" has_line "$out" '^volume +phi\.dx \(OpenDX\)$'
ok "field alone" sonde coulomb "$inputs/charged.xyz" --spacing 0.5 --padding 2 --quantity field -o field.vtk
check "field alone: title" contains field.vtk 'electric field in V/Angstrom'
ok "field alone to HDF5" sonde convert field.vtk field.h5
ok "field alone through HDF5" sonde convert field.h5 field_again.vtk
for file in field.vtk field.h5 field_again.vtk; do
	ok "$file: info" sonde info "$file"
	check "$file: unit of the field" has_line "$out" '^field unit +V/Angstrom$'
	check "$file: none of a potential" [ "$(grep -c '^unit' "$out")" = 0 ]
done
ok "to cube" sonde convert unit.h5 left.cube
check "a field that is left out is reported" has_line "$out" '^note: cube files hold one number per point: the field was left out$'
fails 2 "x.cube: holds one number per point, and no field in addition to" sonde coulomb "$inputs/charged.xyz" --spacing 0.5 --quantity both -o x.cube
printf 'ATOM 1 HB2 ALA 1 0 0 0 0.1 1\nATOM 2 CA ALA 1 1 0 0 0.2 1\nATOM 3 CL CL 2 2 0 0 -0.3 1\n' >"$inputs/elements.pqr"
ok "cube of PQR" sonde coulomb "$inputs/elements.pqr" --spacing 0.7 --quantity potential -o elements.cube
check "cube: atomic numbers" [ "$(sed -n 7,9p elements.cube | awk '{printf "%s ", $1}')" = "1 6 17 " ]
# charges at the place of another one, which energy and forces leave out; X has no charge
printf '5\n\nX 1 1 1\nNa 1 2 3\nX 2 2 2\nCl 4 2 3\nNa 1 2 3\n' >"$inputs/twice.xyz"
forces=(--charges Na=1,Cl=-1,X=0 --forces --points "$inputs/points.txt" --units e/A)
left_out='1 pair of charges coincides, atoms 2 \(Na\) and 5 \(Na\): left out of energy and forces \(--self\)'
for method in direct fast reference; do
	ok_warned "$left_out" "coincident charges: $method" sonde coulomb "$inputs/twice.xyz" "${forces[@]}" --method $method --tolerance 1e-3 -o twice.csv --force
	check "coincident charges: $method: 2 * (-1/3)" is_about "$(sed -n 's/^# energy: \(.*\) e^2.*/\1/p' twice.csv)" -0.666666666666667 -1e-3
done
fails 2 "1 pair of charges coincides, atoms 2 \(Na\) and 5 \(Na\): there is no force between them; move one, or choose --self skip or --self soften" \
	sonde coulomb "$inputs/twice.xyz" "${forces[@]}" --self error
for choice in '--self soften' '--smearing 0.4'; do
	ok "coincident charges: $choice: all interact" sonde coulomb "$inputs/twice.xyz" "${forces[@]}" $choice -o twice.csv --force
done
ok "no coincident charges" sonde coulomb "$inputs/pair.xyz" --charges Na=1,Cl=-1 --forces --self error --points "$inputs/points.txt" -o twice.csv --force
periodic=("$inputs/image.xyz" --charges Na=1,Cl=-2 --boundary periodic --cell 4,5,6 --forces --points "$inputs/points.txt")
printf '3\n\nNa 0 0 0\nNa 4 0 0\nCl 2 0 0\n' >"$inputs/image.xyz"
ok_warned '1 pair of charges coincides, an atom and a periodic image of another one: left out' "coincident images" sonde coulomb "${periodic[@]}" -o image.csv
fails 2 "an atom and a periodic image of another one: there is no force" sonde coulomb "${periodic[@]}" --self error -o error.csv
printf '4\n\nNa 1 2 3\nCl 4 2 3\nNa 1 2 3\nCl 4 2 3\n' >"$inputs/twice_two.xyz"
ok_warned '2 pairs of charges coincide, such as atoms 1 \(Na\) and 3 \(Na\): left out' "two pairs" sonde coulomb "$inputs/twice_two.xyz" "${forces[@]/,X=0/}" -o two.csv
printf 'ATOM 1 CA ALA 1 0 0 0 0.1 1\nHETATM 2 CA CA 2 1 0 0 2 1\nHETATM 3 ZN2 ZN2 3 2 0 0 2 1\nHETATM 4 SOD SOD 4 3 0 0 1 1\nATOM 5 NA HEM 5 4 0 0 -0.3 1\nATOM 6 NA ION 6 5 0 0 1 1\n' >"$inputs/ions.pqr"
ok "ions of PQR" sonde coulomb "$inputs/ions.pqr" --spacing 0.7 --quantity potential -o ions.cube
check "ions of PQR: by their residues" [ "$(sed -n 7,12p ions.cube | awk '{printf "%s ", $1}')" = "6 20 30 11 7 11 " ]
sed -n 2,4p "$inputs/ions.pqr" >"$inputs/salt.pqr"
ok "ions of PQR are known to debye" sonde debye "$inputs/salt.pqr" --q 1:5:5 -o salt.csv
fails 2 "x.mrc: holds one number per point" sonde coulomb "$inputs/charged.xyz" --quantity field -o x.mrc
printf '# vtk DataFile Version 3.0\nmine\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 2 2 2\nORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 8\nSCALARS a double 1\nLOOKUP_TABLE default\n1 2 3 4 5 6 7 8\n' >"$inputs/mine.vtk"
ok "VTK of unknown unit" sonde info "$inputs/mine.vtk"
check "VTK of unknown unit: reported" has_line "$out" '^lengths +taken as Angstrom: the title does not give their unit$'
ok "VTK of unknown unit to cube" sonde convert "$inputs/mine.vtk" mine.cube
check "VTK of unknown unit to cube: reported" has_line "$out" '^note: no unit of lengths in the title: taken as Angstrom$'
sed 's/mine/lengths in nanometres/' "$inputs/mine.vtk" >"$inputs/nano.vtk"
ok "VTK in nanometres" sonde info "$inputs/nano.vtk"
check "VTK in nanometres" has_line "$out" '^steps +10 0 0 Angstrom$'
check "VTK in nanometres: nothing is assumed" [ "$(grep -c '^lengths' "$out")" = 0 ]
ok "VTK to VTK" sonde convert "$inputs/mine.vtk" again.vtk
check "VTK to VTK: names the unit" has_line again.vtk '^mine, lengths in Angstrom$'
fails 2 "x.vtk: holds grids along x, y and z" sonde coulomb "$inputs/charged.xyz" --line 0,0,1:1,1,1:3 -o x.vtk
fails 2 "x.dx: holds a grid" sonde coulomb "$inputs/charged.xyz" --points "$inputs/points.txt" -o x.dx
fails 2 "x.cubs: unknown kind of file" sonde coulomb "$inputs/charged.xyz" -o x.cubs
fails 2 "2 times a charge coincides with a point" sonde coulomb "$inputs/charged.xyz" --padding 2 --self error -o x.h5
printf 'ATOM 1 NA ION 1 0 0 0 one 1\n' >"$inputs/bad.pqr"
fails 2 "bad.pqr:1: charge = 'one' is not a finite number" sonde coulomb "$inputs/bad.pqr"
printf 'ATOM 1 NA\n' >"$inputs/short.pqr"
fails 2 "short.pqr:1: an atom of a PQR file needs" sonde coulomb "$inputs/short.pqr"
# a missing column is not another one
column() { # WHAT REGEX LINE
	printf '%s\n' "$3" >"$inputs/column.pqr"
	fails 2 "column.pqr:1: $2" sonde coulomb "$inputs/column.pqr" --points "$inputs/points.txt"
}
column "no radius" "'1' would be x, but appears to be the number of the residue: .* is the radius missing" 'ATOM 1 N ALA 1 -0.677 -1.230 -0.491 0.3000'
column "no radius, a chain" "'1' would be x, .* is the radius missing" 'ATOM 1 N ALA A 1 -0.677 -1.230 -0.491 0.3000'
column "no radius, an insertion code" "'1B' would be x, .* is the radius missing" 'ATOM 1 N ALA A 1B -0.677 -1.230 -0.491 0.3000'
column "no radius, a chain with a number" "'7' would be x, .* write it with a decimal point" 'ATOM 1 N ALA 1 7 -0.677 -1.230 -0.491 0.3000'
column "neither charge nor radius" "an atom of a PQR file needs 10 columns, 11 with a chain, and has 8" 'ATOM 1 N ALA 1 -0.677 -1.230 -0.491'
column "no residue" "the name of the residue is missing" 'ATOM 1 N 1 -0.677 -1.230 -0.491 0.3 1.5'
column "no number of the residue" "the number of the residue is missing" 'ATOM 1 N ALA -0.677 -1.230 -0.491 0.3 1.5'
column "a chain instead" "the number of the residue is missing" 'ATOM 1 N ALA A -0.677 -1.230 -0.491 0.3 1.5'
for line in 'ATOM 1 N ALA 1 2.0 0 0 1 1.5' 'ATOM 1 N ALA A 1 2 0.0 0.0 1.0 1.5' 'ATOM 1 N ALA 52A 2 0 0.0 1.0 1.5' \
	'ATOM 1 N ALA A1000 2.0 0.0 0.0 1.0 1.5' 'ATOM 1 N ALA A 52 A 2.0 0.0 0.0 1.0 1.5' 'ATOM 1 N ALA A -3 2.0 0.0 0.0 1.0 1.5' \
	'HETATM10000 N ALA A 1 2.0 0.0 0.0 1.0 1.5'; do
	printf '%s\n' "$line" >"$inputs/right.pqr"
	ok "$line" sonde coulomb "$inputs/right.pqr" "${there[@]}" -o right.csv --quiet --force
	check "$line: 1/3 at a distance of 3" [ "$(values right.csv | sed -n 2p)" = -1,0,0,0.333333333333333 ]
done
: >"$inputs/empty.pqr"
fails 2 "empty.pqr: has no atoms" sonde coulomb "$inputs/empty.pqr"
printf '1\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 nan\n' >"$inputs/nan.xyz"
fails 2 "nan.xyz:3: charge = 'nan' is not a finite number" sonde coulomb "$inputs/nan.xyz"
fails 2 "would replace what the run reads" sonde coulomb "$inputs/charged.xyz" --points "$inputs/points.txt" -o "$inputs/points.txt" --force
fails 2 "not enough memory" sonde coulomb "$inputs/charged.xyz" --spacing 0.05 --padding 20 --host-memory 100M
finish
