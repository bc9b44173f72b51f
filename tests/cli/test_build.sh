# sonde build: structures, shapes, file types, job files, and invalid input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

first_line() { head -n 1 "$1"; }
build() { sonde build "$@"; }

# atoms per cell; 2 x 2 x 2 cells
while read -r cell species per_cell; do
	ok "$cell" build --cell "$cell" --species "$species" --a 4 --supercell 2,2,2 -o "$cell.xyz"
	check "$cell: number of atoms" [ "$(first_line "$cell.xyz")" = $((8 * per_cell)) ]
	check "$cell: as many lines" [ "$(wc -l <"$cell.xyz")" -eq $((8 * per_cell + 2)) ]
	check "$cell: summary" has_line "$out" "^$cell.xyz: $((8 * per_cell)) atoms: [0-9]+ ${species%%,*}"
	ok "$cell: info" sonde info "$cell.xyz"
	check "$cell: info counts the atoms" has_line "$out" "^atoms +$((8 * per_cell))$"
done <<'END'
sc Po 1
bcc Fe 2
fcc Au 4
hcp Mg 2
diamond C 8
rocksalt Na,Cl 8
zincblende Zn,S 8
wurtzite Cd,Se 4
fluorite Ca2+,F1- 12
perovskite Sr,Ti,O 5
END
check "labels of ions are kept" has_line fluorite.xyz '^Ca2\+ 0 0 0$'
check "perovskite: 8 Sr, 8 Ti, 24 O" [ "$(tail -n +3 perovskite.xyz | cut -d' ' -f1 | sort | uniq -c | tr -d '\n')" = \
	"     24 O      8 Sr      8 Ti" ]
check "supercell: the lattice is in the file" contains rocksalt.xyz 'Lattice="8 0 0 0 8 0 0 0 8" pbc="F F F"'
check "extended XYZ" contains rocksalt.xyz 'Properties=species:S:1:pos:R:3'
check "the file says how it was made" contains rocksalt.xyz \
	'source="sonde build --cell rocksalt --species Na,Cl --a 4 --supercell 2,2,2"'
rm -- *.xyz

# shapes, against counts by hand: fcc of 1 Angstrom lattice points within sqrt(1/2) are the first shell of 12
ok "sphere" build --cell fcc --species Au --a 4 --sphere 2.9 -o sphere.xyz
check "sphere: center and first shell" [ "$(first_line sphere.xyz)" = 13 ]
ok "sphere: atoms on the surface belong to it" build --cell sc --species Au --a 4 --sphere 4 -o surface.xyz
check "sphere: 1 + 6" [ "$(first_line surface.xyz)" = 7 ]
ok "box" build --cell sc --species Au --a 4 --box 8,16,0.1 -o box.xyz
check "box: 3 x 5" [ "$(first_line box.xyz)" = 15 ]
ok "cylinder" build --cell sc --species Au --a 4 --cylinder 4,8,0 -o rod.xyz
check "cylinder: 5 x 3" [ "$(first_line rod.xyz)" = 15 ]
ok "hollow cylinder" build --cell sc --species Au --a 4 --cylinder 4,8,1 -o tube.xyz
check "hollow cylinder: 4 x 3" [ "$(first_line tube.xyz)" = 12 ]
ok "center" build --cell sc --species Au --a 4 --sphere 3.5 --center 0.5,0.5,0.5 -o center.xyz
check "center: the 8 corners" [ "$(first_line center.xyz)" = 8 ]
ok "c and u" build --cell wurtzite --species Cd,Se --a 4 --c 7 --u 0.4 --supercell 1,1,1 -o u.xyz
check "c and u: z of the second species" has_line u.xyz '^Se 0 0 2\.8'
ok "rocksalt sphere" build --cell rocksalt --species Co,O --a 4.2614 --sphere 40 -o coo.xyz
check "rocksalt sphere: as in tests/data" [ "$(first_line coo.xyz)" = "$(gzip -dc "$data/CoO_R40.xyz.gz" | head -n 1)" ]
check "no leftovers" no_leftovers

# kinds of files
ok "gzip" build --cell fcc --species Au --a 4 --sphere 9 -o a.xyz.gz
check "gzip: is one" gzip -t a.xyz.gz
ok "plain" build --cell fcc --species Au --a 4 --sphere 9 -o a.xyz
gzip -dc a.xyz.gz >"$inputs/a.xyz"
check "gzip and plain say the same" same_files a.xyz "$inputs/a.xyz"
ok "extxyz" build --cell fcc --species Au --a 4 --sphere 9 -o a.extxyz
check "extxyz and xyz are the same" same_files a.xyz a.extxyz
ok "long option for the output" build --cell=fcc --species=Au --a=4 --sphere=9 --output=b.xyz
check "long options do the same" same_files a.xyz b.xyz
ok "quiet" build --cell fcc --species Au --a 4 --sphere 9 -o q.xyz --quiet
check "quiet: nothing is said" is_empty "$out"
sonde build --cell fcc --species Au --a 4 --sphere 9 -o j.xyz --json >"$out" 2>"$err" </dev/null
check "json: exit code" [ $? -eq 0 ]
check "json: the summary" has_line "$out" '^\{"command": "build", "atoms": [0-9]+, "notes": \[\], "warnings": \[\]\}$'
all_json() { # FILE
	local line
	while IFS= read -r line; do
		is_json "$line" || return 1
	done <"$1"
}
check "json: every line of stdout is JSON" all_json "$out"
check "json: every line of stderr is JSON" all_json "$err"
ok "threads do not matter" build --cell fcc --species Au --a 4 --sphere 9 -o t.xyz --threads 1
check "threads: the same file" same_files a.xyz t.xyz
( umask 027 && sonde build --cell sc --species Au --a 4 --sphere 4 -o mode.xyz --quiet )
check "the file has the mode that umask says" [ "$(stat -c %a mode.xyz)" = 640 ]

# job files
cat >"$inputs/job.yaml" <<'END'
# a job for build and debye
output: job.xyz
quiet: true
build:
  cell: fcc
  species: Au
  a: 4
  sphere: 9
debye:
  q: [0.1, 20, 100]
END
ok "job file" build "$inputs/job.yaml"
check "job file: the same atoms" same_files a.xyz job.xyz
check "job file: quiet" is_empty "$out"
ok "the command line overrides the job" build "$inputs/job.yaml" --sphere 2.9 -o smaller.xyz
check "overridden: 13 atoms" [ "$(first_line smaller.xyz)" = 13 ]
cat >"$inputs/list.yml" <<'END'
{build: {cell: sc, species: Au, a: 4.0e0, box: [8, 16, 0.1]}}
END
ok "job file .yml with lists" build "$inputs/list.yml" -o list.xyz
check "job file with lists: 15 atoms" [ "$(first_line list.xyz)" = 15 ]

# an output that exists
fails 2 'a\.xyz: exists already; choose another name or add --force' build --cell fcc --species Au --a 5 --sphere 9 -o a.xyz
ok "--force" build --cell fcc --species Au --a 5 --sphere 9 -o a.xyz --force
check "--force: replaced" [ "$(cksum <a.xyz)" != "$(cksum <b.xyz)" ]
ok "-f" build --cell fcc --species Au --a 4 --sphere 9 -o a.xyz -f
check "-f: replaced" same_files a.xyz b.xyz
ln -s b.xyz link.xyz
fails 2 'link\.xyz: exists already' build --cell fcc --species Au --a 5 --sphere 9 -o link.xyz
ln -s nowhere.xyz dangling.xyz
fails 2 'dangling\.xyz: exists already' build --cell fcc --species Au --a 5 --sphere 9 -o dangling.xyz
# a link stays a link, and what it leads to is written
ok "--force through a link" build --cell fcc --species Au --a 5 --sphere 9 -o link.xyz --force
check "--force: the link stays" [ "$(readlink link.xyz)" = b.xyz ]
check "--force: its target is written" [ "$(cksum <a.xyz)" != "$(cksum <b.xyz)" ]
ok "--force through a link to nothing" build --cell fcc --species Au --a 4 --sphere 9 -o dangling.xyz --force
check "--force: what it leads to is there" same_files a.xyz nowhere.xyz
mkfifo pipe.xyz
fails 2 'pipe\.xyz: is a pipe, a device or a socket' build --cell fcc --species Au --a 5 --sphere 9 -o pipe.xyz
fails 2 'pipe\.xyz: is a pipe, a device or a socket' build --cell fcc --species Au --a 5 --sphere 9 -o pipe.xyz --force
ln -s /dev/full full.xyz
fails 2 'full\.xyz: is a pipe, a device or a socket' build --cell fcc --species Au --a 5 --sphere 9 -o full.xyz --force
check "--force: devices stay devices" [ -c /dev/full ]
rm pipe.xyz full.xyz

# more shapes; numbers of atoms by closed forms, with n atoms on an edge of fcc, a/sqrt 2 apart
gold=(--cell fcc --species Au --a 4)
counts() { # ATOMS OPTIONS...
	local expected=$1
	shift
	ok "$*" build "${gold[@]}" "$@" -o counted.xyz --force
	check "$*: $expected atoms" [ "$(first_line counted.xyz)" = "$expected" ]
}
counts 85 --octahedron 11.313708498984761
counts 147 --cuboctahedron 8.485281374238570
counts 35 --tetrahedron 11.313708498984761
counts 201 --truncated-octahedron 5.656854249492381
counts 4 --tetrahedron 2.8284271247461903 --center 0.25,0.25,0.25
counts 309 --icosahedron 4
counts 75 --decahedron 2,2,1
counts 13 --ellipsoid 2.9,2.9,2.9
counts 19 --ellipsoid 4,4,4
counts 6 --hollow 0.75 --sphere 4
counts 16 --supercell-matrix '1,1,0;-1,1,0;0,0,2'
check "supercell_matrix: the lattice is in the file" contains counted.xyz 'Lattice="4 4 0 -4 4 0 0 0 8" pbc="F F F"'
counts 19 --sphere 4 --core Ag --core-size 0.5
check "core: its species" [ "$(grep -c '^Ag ' counted.xyz)" = 1 ]
check "the file says how it was made" contains counted.xyz '--sphere 4 --core Ag --core-size 0.5"'
counts 43 --sphere 5 --orient hkl:1,1,1/uvw:1,-1,0
check "orient: (111) layers" [ "$(awk 'NR > 2 {printf "%.3f\n", $4 + 10}' counted.xyz | sort -nu | tr '\n' ' ')" = \
	"5.381 7.691 10.000 12.309 14.619 " ]
ok "wulff, one thread" build "${gold[@]}" --wulff 111:1.0,100:1.15,110:1.2 --wulff-radius 20 -o wulff.xyz --threads 1
ok "wulff, five threads" build "${gold[@]}" --wulff 111:1.0,100:1.15,110:1.2 --wulff-radius 20 -o wulff5.xyz --threads 5
check "threads: the same file" same_files wulff.xyz wulff5.xyz
facet() { # NINE NUMBERS: lines of a triangle
	printf 'facet normal 0 0 0\nouter loop\nvertex %s %s %s\nvertex %s %s %s\nvertex %s %s %s\nendloop\nendfacet\n' "$@"
}
{
	echo solid tetrahedron
	facet 0 0 0 0 1 0 1 0 0
	facet 0 0 0 1 0 0 0 0 1
	facet 0 0 0 0 0 1 0 1 0
	facet 1 0 0 0 1 0 0 0 1
	echo endsolid tetrahedron
} >"$inputs/tetrahedron.stl"
# x, y, z >= 0 and x + y + z <= 8: of fcc (even sums of coordinates in units of a/2) 1 + 6 + 15 points
counts 22 --stl "$inputs/tetrahedron.stl" --stl-scale 8
cat >"$inputs/stl.yaml" <<END
{build: {cell: fcc, species: Au, a: 4, stl: tetrahedron.stl, stl-scale: 8, supercell-matrix: ""}}
END
ok "job file: the mesh next to it" build "$inputs/stl.yaml" -o stl.xyz
check "job file: 22 atoms" [ "$(first_line stl.xyz)" = 22 ]
# bodies: the same list in a job and on the command line, and a file that the job names
sc=(--cell sc --species Po --a 1)
drilled='[{shape: box, size: 4}, {shape: cylinder, radius: 1, height: 9, axis: [1,0,0], material: vacuum}]'
ok "bodies" build "${sc[@]}" --bodies "$drilled" -o drilled.xyz
check "bodies: 120 atoms" [ "$(first_line drilled.xyz)" = 120 ]
check "bodies: the file says how it was made" contains drilled.xyz "--bodies '$drilled'"
cat >"$inputs/bodies.yaml" <<'END'
build:
  cell: sc
  species: Po
  a: 1
  bodies:
    - {shape: box, size: 4}
    - shape: cylinder
      radius: 1
      height: 9
      axis: [1, 0, 0]
      material: vacuum
debye: {q: "1:2:3", columns: "q,I_per_atom"}
END
ok "bodies of a job" build "$inputs/bodies.yaml" -o listed.xyz
check "bodies of a job: the same atoms" same_files <(sed 1,2d drilled.xyz) <(sed 1,2d listed.xyz)
ok "bodies of a probe's job" sonde debye "$inputs/bodies.yaml" -o listed.xy
ok "bodies from a file" sonde debye drilled.xyz --q 1:2:3 --columns q,I_per_atom -o drilled.xy
check "bodies of a probe's job: the same curve" same_files <(grep -v '^#' listed.xy) <(grep -v '^#' drilled.xy)
sed -e 's/radius/raduis/' "$inputs/bodies.yaml" >"$inputs/raduis.yaml"
fails 2 "raduis\.yaml:8:7: unknown key 'raduis', did you mean 'radius'" build "$inputs/raduis.yaml" -o no.xyz
fails 2 "bodies:1:18: unknown key 'raduis', did you mean 'radius'" build "${sc[@]}" --bodies '[{shape: sphere, raduis: 4}]' -o no.xyz
printf 'build: {cell: fcc, species: Au, a: 4, bodies: [{shape: stl, file: tetrahedron.stl, scale: 8}]}\n' >"$inputs/mesh.yaml"
ok "bodies: a mesh next to the job" build "$inputs/mesh.yaml" -o mesh.xyz
check "bodies: a mesh of 22 atoms" [ "$(first_line mesh.xyz)" = 22 ]
# 5^3 + 3 5 6^2 points in the box; 1,1,2 and its permutations are inside x, y, z >= 0 and x + y + z <= 6, in units of a/2
counts $((125 + 540 - 3)) --box 20,20,20 --bodies "[{shape: stl, file: $inputs/tetrahedron.stl, scale: 12, material: vacuum}]"
cat >"$inputs/matrix.yaml" <<'END'
{build: {cell: fcc, species: Au, a: 4, supercell-matrix: [1, 1, 0, -1, 1, 0, 0, 0, 2]}}
END
ok "job file: a matrix as a list" build "$inputs/matrix.yaml" -o matrix.xyz
check "job file: 16 atoms" [ "$(first_line matrix.xyz)" = 16 ]
fails 2 'more than one shape is given, --sphere and --octahedron' build "${gold[@]}" --sphere 4 --octahedron 5 -o new.xyz
fails 2 'supercell-matrix: the determinant is 0' build "${gold[@]}" --supercell-matrix 1,2,3,2,4,6,0,0,1 -o new.xyz
fails 2 "wulff: '111': the energy is missing" build "${gold[@]}" --wulff 111 --wulff-radius 9 -o new.xyz
fails 2 'wulff-radius: required with --wulff' build "${gold[@]}" --wulff 111:1 -o new.xyz
fails 2 "orient: 'hkl:1,1' is not an orientation" build "${gold[@]}" --sphere 9 --orient hkl:1,1 -o new.xyz
fails 2 'stl: .*nowhere\.stl' build "${gold[@]}" --stl nowhere.stl -o new.xyz
fails 2 'core-size: not given' build "${gold[@]}" --sphere 9 --core Ag -o new.xyz
for none in '--icosahedron 0' '--decahedron 0,0,0' '--sphere 0'; do
	fails 2 'no shape is given; .* a size of 0, or 0,0,0, means that this shape is not given' build --cell fcc --species Au --a 4 $none -o new.xyz
done
fails 2 'icosahedron: -1 is out of range: 0 to 500' build --cell fcc --species Au --a 4 --icosahedron -1 -o new.xyz
fails 2 "icosahedron: '1\.5' is not a whole number" build --cell fcc --species Au --a 4 --icosahedron 1.5 -o new.xyz
fails 2 'icosahedron: 1e\+09 is out of range: 0 to 500' build --cell fcc --species Au --a 4 --icosahedron 1e9 -o new.xyz
fails 2 'decahedron: -2 is out of range: 0 to 1000' build --cell fcc --species Au --a 4 --decahedron 3,-2,0 -o new.xyz
fails 2 'decahedron: p,q,r must be integers, p and q at least 1, r at least 0; not 0' build --cell fcc --species Au --a 4 --decahedron 0,2,0 -o new.xyz
fails 2 'the shape is too large: about 3\.8e\+10 atoms' build --cell fcc --species Au --a 4 --decahedron 1000,1000,1000 -o new.xyz
fails 2 'not enough memory: the shape has about 4\.2e\+08 atoms' build --cell fcc --species Au --a 4 --icosahedron 500 --host-memory 1G -o new.xyz
fails 2 'icosahedron: .* the cell must be fcc' build --cell bcc --species Fe --a 3 --icosahedron 3 -o new.xyz
fails 2 'no atom lies in the shape' build "${gold[@]}" --octahedron 0.1 --center 0.25,0.25,0.25 -o new.xyz

# refusals
good=(--cell fcc --species Au --a 4 --sphere 9)
fails 2 'no output is given; add -o FILE\.xyz' build "${good[@]}"
fails 2 'new\.mol2: unknown kind of file; end the name in \.xyz.*, \.pdb, \.cif, \.lmp or \.data.*, \.vasp .*, or \.h5' build "${good[@]}" -o new.mol2
fails 2 'new: unknown kind of file' build "${good[@]}" -o new
fails 2 'nowhere/new\.xyz: the folder .nowhere. does not exist' build "${good[@]}" -o nowhere/new.xyz
fails 2 "a\.xyz/new\.xyz: " build "${good[@]}" -o a.xyz/new.xyz
mkdir folder.xyz
fails 2 'folder\.xyz: is a folder' build "${good[@]}" -o folder.xyz
fails 2 'folder\.xyz: is a folder' build "${good[@]}" -o folder.xyz --force
fails 2 "'b\.xyz' is not a job file" build b.xyz "${good[@]}" -o new.xyz
fails 2 'unexpected file' build "$inputs/job.yaml" b.yaml -o new.xyz
fails 2 'no shape is given; give one of --sphere, --box, --cylinder, --supercell' build --cell fcc --species Au --a 4 -o new.xyz
fails 2 'more than one shape' build "${good[@]}" --box 9,9,9 -o new.xyz
fails 2 'a: the lattice constant is missing' build --cell fcc --species Au --sphere 9 -o new.xyz
fails 2 'species: not given; add e\.g\. --species Au' build --cell fcc --a 4 --sphere 9 -o new.xyz
fails 2 'species: this structure has 2, not 1' build --cell rocksalt --species Na --a 4 --sphere 9 -o new.xyz
fails 2 'species: this structure has 1, not 2' build --cell fcc --species Na,Cl --a 4 --sphere 9 -o new.xyz
fails 2 "species: unknown species 'Xx'" build --cell fcc --species Xx --a 4 --sphere 9 -o new.xyz
fails 2 "species: unknown species 'AU', did you mean 'Au'\?" build --cell fcc --species AU --a 4 --sphere 9 -o new.xyz
fails 2 "species: unknown species ''" build --cell rocksalt --species Na, --a 4 --sphere 9 -o new.xyz
fails 2 "species: '.+' is too long for a label" build --cell sc --species "$(printf '%0300d' 7)" --a 4 --sphere 9 -o new.xyz
fails 2 "cell: 'fccc' is not one of .*, did you mean 'fcc'\?" build --cell fccc --species Au --a 4 --sphere 9 -o new.xyz
fails 2 'c: only hcp and wurtzite have a second lattice constant' build "${good[@]}" --c 5 -o new.xyz
fails 2 'u: 0 is out of range: 0\.01 to 0\.99 are possible' build "${good[@]}" --u 0 -o new.xyz
fails 2 'a: 0\.05 Angstrom is not a valid lattice constant; at least 0\.1' build --cell fcc --species Au --a 0.05 --sphere 9 -o new.xyz
fails 2 'sphere: -3 is out of range' build --cell fcc --species Au --a 4 --sphere -3 -o new.xyz
fails 2 "sphere: 'big' is not a number" build --cell fcc --species Au --a 4 --sphere big -o new.xyz
fails 2 "sphere: 'nan' is not a number" build --cell fcc --species Au --a 4 --sphere nan -o new.xyz
fails 2 "box: '1,2' is not three numbers" build --cell fcc --species Au --a 4 --box 1,2 -o new.xyz
fails 2 'box: every edge must be longer than 0' build --cell fcc --species Au --a 4 --box 1,2,0 -o new.xyz
fails 2 'cylinder: .*the inner radius below' build --cell fcc --species Au --a 4 --cylinder 4,8,4 -o new.xyz
fails 2 'supercell: the numbers of cells must be integers of at least 1, not -2' build --cell fcc --species Au --a 4 --supercell=-2,2,2 -o new.xyz
fails 2 'supercell: the numbers of cells must be integers of at least 1, not 1\.5' build --cell fcc --species Au --a 4 --supercell 1.5,1,1 -o new.xyz
fails 2 'no atom lies in the shape' build --cell fcc --species Au --a 4 --sphere 0.1 --center 0.5,0.5,0.5 -o new.xyz
fails 2 'the shape is too large: about .* atoms' build --cell fcc --species Au --a 0.1 --sphere 1e6 -o new.xyz
fails 2 'not enough memory: the shape has about .* atoms' build --cell fcc --species Au --a 4 --sphere 200 --host-memory 1M -o new.xyz
fails 2 "unknown option '--spere', did you mean '--sphere'\?" build --spere 4 -o new.xyz
fails 2 "unknown option '--q'" build "${good[@]}" --q 0.1:20:10 -o new.xyz
fails 2 '--sphere: its value is missing' build --cell fcc --species Au --a 4 -o new.xyz --sphere
finish
