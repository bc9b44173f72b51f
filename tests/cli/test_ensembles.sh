# sonde build with cells from files, and ensembles of copies; sonde debye of ensembles.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build() { sonde build "$@"; }
atoms_of() { sed 1,2d "$1"; } # FILE.xyz
rounded() { atoms_of "$1" | awk '{for (k = 2; k < 5; ++k) $k = sprintf("%.6f", $k + 1e-12); print}' | sort; }
differ() { ! same_files "$1" "$2"; }

# cells from files: the same crystal as by name, and what a file lacks or has twice
printf 'salt\n1\n5.6402 0 0\n0 5.6402 0\n0 0 5.6402\nNa Cl\n4 4\nDirect\n0 0 0\n0 .5 .5\n.5 0 .5\n.5 .5 0\n.5 .5 .5\n.5 0 0\n0 .5 0\n0 0 .5\n' >"$inputs/salt.vasp"
ok "by name" build --cell rocksalt --species Na,Cl --a 5.6402 --sphere 14 -o name.xyz
ok "by file" build --cell "$inputs/salt.vasp" --sphere 14 -o file.xyz
check "by file: the same atoms" same_files <(rounded name.xyz) <(rounded file.xyz)
check "by file: species in the order of the file" has_line "$out" '^file\.xyz: [0-9]* atoms: [0-9]* Na [0-9]* Cl$'
ok "in any orientation, of any shape" build --cell "$inputs/salt.vasp" --octahedron 25 --orient hkl:1,1,1 -o octahedron.xyz
ok "a supercell" build --cell "$inputs/salt.vasp" --supercell 2,3,4 -o cells.xyz
check "a supercell: its atoms" has_line "$out" '^cells\.xyz: 192 atoms: 96 Na 96 Cl$'
# the file stands next to the job
printf 'build: {cell: salt.vasp, sphere: 14}\noutput: job.xyz\n' >"$inputs/job.yaml"
ok "in a job" build "$inputs/job.yaml"
check "in a job: the same atoms" same_files <(atoms_of job.xyz) <(atoms_of file.xyz)
ok "the flag holds before the job" build "$inputs/job.yaml" --cell fcc --species Au --a 4 -o gold.xyz
check "the flag holds before the job: gold" has_line "$out" ' Au$'
printf '2\nLattice="3 0 0 0 3 0 0 0 3" Properties=species:S:1:pos:R:3:occupancy:R:1\nAu 0 0 0 0.75\nCu 0 0 0 0.25\n' >"$inputs/alloy.xyz"
ok "partly occupied sites" build --cell "$inputs/alloy.xyz" --supercell 3,3,3 -o alloy.xyz
check "partly occupied sites: both on each" has_line "$out" '^alloy\.xyz: 54 atoms: 27 Au 27 Cu$'
check "partly occupied sites: occupancies" [ "$(atoms_of alloy.xyz | awk '{sum[$1] += $NF} END {print sum["Au"], sum["Cu"]}')" = "20.25 6.75" ]
ok "the digest of the file of a cell" build --cell "$inputs/alloy.xyz" --supercell 3,3,3 -o alloy.h5
check "the digest of the file of a cell is in the sample" grep -qa "$(sha256sum <"$inputs/alloy.xyz" | cut -d" " -f1)" alloy.h5
fails 2 'vacancies: not for a cell with partly occupied sites' build --cell "$inputs/alloy.xyz" --supercell 3,3,3 --vacancies 0.1 -o no.xyz
fails 2 'species: not with a file for --cell' build --cell "$inputs/salt.vasp" --species Na,Cl --sphere 9 -o no.xyz
fails 2 'a: not with a file for --cell' build --cell "$inputs/salt.vasp" --a 5 --sphere 9 -o no.xyz
fails 2 'C60\.xyz: has no cell; a unit cell is needed' build --cell "$data/C60.xyz" --sphere 9 -o no.xyz
fails 2 'nothing\.cif: ' build --cell nothing.cif --sphere 9 -o no.xyz
if sonde info "$data/cif/quartz.cif" >"$out" 2>"$err"; then
	ok "a CIF" build --cell "$data/cif/quartz.cif" --supercell 3,3,3 -o quartz.xyz
	check "a CIF: 27 cells of Si3O6" has_line "$out" '^quartz\.xyz: 243 atoms: 81 Si 162 O$'
	ok "a CIF: one cell" build --cell "$data/cif/quartz.cif" --supercell 1,1,1 -o cell.xyz
	ok "a CIF: displacements of one cell" sonde debye cell.xyz --q 1:15:8 --displacement sample -o cell.csv
	ok "a CIF: displacements" sonde debye "$data/cif/quartz.cif" --boundary open --q 1:15:8 --displacement sample -o cif.csv
	check "a CIF: build keeps displacements" awk -F, '/^[0-9]/ {if (NR == FNR) known[$1] = $2; else {n += 1
		d = $2/known[$1] - 1; if (d*d > 1e-18) bad = 1}} END {exit bad || n != 8}' cell.csv cif.csv
else
	skip "a CIF" "this build has no CIF reader"
fi

# a cell by its sites
own=(--basis 'Co 0 0 0; O 0.5 0.5 0.5' --cell-edges 4.26,4.26,4.26)
ok "operations complete a cell" build "${own[@]}" --space-group 'x,y,z; x,y+1/2,z+1/2; x+1/2,y,z+1/2; x+1/2,y+1/2,z' --sphere 9 -o own.xyz
ok "the same by name" build --cell rocksalt --species Co,O --a 4.26 --sphere 9 -o named.xyz
check "operations complete a cell: the same atoms" same_files <(atoms_of own.xyz | sort) <(atoms_of named.xyz | sort)
check "the file has a command that can be repeated" contains own.xyz "--basis 'Co 0 0 0; O 0.5 0.5 0.5' --cell-edges 4.26,4.26,4.26"
ok "hexagonal cell, fractions, occupancy" build --basis 'Zn 1/3 2/3 0; O 1/3 2/3 0.3819 0.9' --cell-edges 3.25,3.25,5.2,90,90,120 \
	--space-group 'x,y,z; -x,-y,z+1/2' --supercell 1,1,1 -o zno.xyz
check "hexagonal cell: two of each" has_line "$out" '^zno\.xyz: 4 atoms: 2 Zn 2 O$'
check "hexagonal cell: occupancies" [ "$(atoms_of zno.xyz | awk '{sum[$1] += $NF} END {print sum["Zn"], sum["O"]}')" = "2 1.8" ]
check "hexagonal cell: z of oxygen" [ "$(atoms_of zno.xyz | awk '$1 == "O" {printf "%.5f ", $4}')" = "1.98588 4.58588 " ]
sites=(--cell-edges 4,4,3 --sphere 5 -o no.xyz)
if build --basis 'Ti 0 0 0; O 0.3053 0.3053 0' --cell-edges 4.594,4.594,2.959 --space-group 'P 42/m n m' --supercell 1,1,1 -o rutile.xyz >"$out"; then
	check "space group by its symbol: rutile" has_line "$out" '^rutile\.xyz: 6 atoms: 2 Ti 4 O$'
	ok "space group by its number" build --basis 'Si 0.4697 0 1/3; O 0.4135 0.2669 0.4524' --cell-edges 4.916,4.916,5.405,90,90,120 \
		--space-group 152 --supercell 1,1,1 -o si.xyz
	check "space group by its number: quartz" has_line "$out" '^si\.xyz: 9 atoms: 3 Si 6 O$'
	fails 2 "space-group: the cell does not have the symmetry" build --basis 'Ti 0 0 0' --space-group 'P 6/m' "${sites[@]}"
	fails 2 "space-group: 'Q' is not the number or the Hermann-Mauguin symbol" build --basis 'Ti 0 0 0' --space-group Q "${sites[@]}"
else
	skip "space groups" "this build has no table of them"
fi
fails 2 "basis: 'Ti 0 0' is not a site" build --basis 'Ti 0 0' "${sites[@]}"
fails 2 "basis: '1/0' of site 'Ti 0 0 1/0' is not a valid fraction" build --basis 'Ti 0 0 1/0' "${sites[@]}"
fails 2 "basis: '1.1' of site .* is not an occupancy" build --basis 'Ti 0 0 0 1.1' "${sites[@]}"
fails 2 "basis: atoms Ti and O are at one place" build --basis 'Ti 0 0 0; O 1 0 0' "${sites[@]}"
fails 2 'basis: has no site' build --basis ' ; ' "${sites[@]}"
fails 2 'cell-edges: the edges of the cell are missing' build --basis 'Ti 0 0 0' --sphere 5 -o no.xyz
fails 2 "cell-edges: '4,4' are not three edges" build --basis 'Ti 0 0 0' --cell-edges 4,4 --sphere 5 -o no.xyz
fails 2 'cell-edges: only with the sites of a cell' build "${sites[@]}"
fails 2 'cell: not with --basis' build --cell fcc --basis 'Ti 0 0 0' "${sites[@]}"
fails 2 'the product of 2 and 2 is missing' build --basis 'Ti 0 0 0' --space-group 'x,y,z; x+1/3,y,z' "${sites[@]}"

# ensembles
ball=(--cell fcc --species Au --a 4.0782 --sphere 8)
ok "one ball" build "${ball[@]}" -o ball.xyz
count=$(head -1 ball.xyz)
ok "a grid" build "${ball[@]}" --copies 8 --copy-spacing 40 -o grid.xyz
check "a grid: eight balls" [ "$(head -1 grid.xyz)" = $((8 * count)) ]
check "a grid: 20 Angstrom from the center" [ "$(atoms_of grid.xyz | awk '{n += ($2 - 20)^2 + ($3 - 20)^2 + ($4 - 20)^2 < 65} END {print n}')" = "$count" ]
ok "at random" build "${ball[@]}" --copies 30 --copy-density 0.2 --copy-orientations random --seed 3 -o random.xyz
ok "at random, on one thread" build "${ball[@]}" --copies 30 --copy-density 0.2 --copy-orientations random --seed 3 --threads 1 -o again.xyz
check "at random: the same on any number of threads" same_files random.xyz again.xyz
ok "at random, another seed" build "${ball[@]}" --copies 30 --copy-density 0.2 --copy-orientations random --seed 4 -o other.xyz
check "at random: by the seed" differ random.xyz other.xyz
printf '# two places\n0 0 0 0 0 0\n0 0 50 90 0 0\n' >"$inputs/places.txt"
ok "places of a file" build "${ball[@]}" --copy-file "$inputs/places.txt" -o places.xyz
# a quarter turn: x goes to y, y to -x
turned() { awk -v n="$count" 'NR > 2 && NR <= n + 2 {printf "%.6f %.6f %.6f\n", -$3 + 1e-12, $2 + 1e-12, $4 + 50 + 1e-12}' places.xyz; }
second() { awk -v n="$count" 'NR > n + 2 {printf "%.6f %.6f %.6f\n", $2 + 1e-12, $3 + 1e-12, $4 + 1e-12}' places.xyz; }
check "places of a file: the second ball is turned by 90 degrees about z" same_files <(turned) <(second)
fails 2 'copies: an ensemble needs --copy-spacing, for a grid, or --copy-density' build "${ball[@]}" --copies 5 -o no.xyz
fails 2 'copies: .*, but not both' build "${ball[@]}" --copies 5 --copy-spacing 30 --copy-density 0.1 -o no.xyz
fails 2 'copies: not given' build "${ball[@]}" --copy-density 0.1 -o no.xyz
fails 2 'copy-spacing: not with --copy-file' build "${ball[@]}" --copy-file "$inputs/places.txt" --copy-spacing 9 -o no.xyz
fails 2 'no room for copy [0-9]+ of 300: after 200000 tries .* instead of 0\.6; a lower density is needed' build "${ball[@]}" --copies 300 --copy-density 0.6 -o no.xyz
printf '0 0 0 0 0 0 0\n' >"$inputs/zero.txt"
fails 2 'zero\.txt:1: the quaternion has no direction' build "${ball[@]}" --copy-file "$inputs/zero.txt" -o no.xyz

# their patterns
q=(--q 0.5:8:16 --method exact --columns q,I_per_atom)
ok "one ball's pattern" sonde debye ball.xyz "${q[@]}" -o one.xy
ok "independent balls" sonde debye random.xyz "${q[@]}" --copies independent --copy-atoms "$count" -o balls.xy
check "independent balls scatter as one" awk 'FNR == NR {if ($1 !~ /^#/) one[$1] = $2; next}
	$1 !~ /^#/ {++n; d = $2 - one[$1]; if (d * d > 1e-16 * one[$1]^2) bad = 1} END {exit bad || n != 16}' one.xy balls.xy
printf 'build: {cell: fcc, species: Au, a: 4.0782, sphere: 8, copies: 30, copy-density: 0.2, copy-orientations: random, seed: 3}\ndebye: {q: "0.5:8:16", method: exact, copies: averaged, columns: "q,I_per_atom"}\noutput: job.xy\n' >"$inputs/ensemble.yaml"
ok "a job of both" sonde debye "$inputs/ensemble.yaml"
ok "the same by its file" sonde debye random.xyz "${q[@]}" --copies averaged --copy-atoms "$count" -o file.xy
check "a job of both: as by its file" awk 'FNR == NR {if ($1 !~ /^#/) one[$1] = $2; next}
	$1 !~ /^#/ {++n; d = $2 - one[$1]; if (d * d > 1e-16 * one[$1]^2) bad = 1} END {exit bad || n != 16}' job.xy file.xy
fails 2 "copy-atoms: the $((30 * count)) atoms of the sample are not a whole number of copies of 7 atoms" sonde debye random.xyz "${q[@]}" --copies averaged --copy-atoms 7
fails 2 'copies: the sample is not known to consist of copies' sonde debye ball.xyz "${q[@]}" --copies averaged
same_curve() { # A B TOLERANCE
	awk -v t="$3" 'FNR == NR {if ($1 !~ /^#/) one[$1] = $2; next} $1 !~ /^#/ {++n; d = $2 - one[$1]; if (d * d > t^2 * one[$1]^2) bad = 1}
		END {exit bad || n != 16}' "$1" "$2"
}
for ending in xyz h5 pdb extxyz.gz; do
	[[ $ending == xyz ]] || ok "copies as $ending" build "${ball[@]}" --copies 30 --copy-density 0.2 --copy-orientations random --seed 3 -o "random.$ending"
	ok "copies from $ending" sonde debye "random.$ending" "${q[@]}" --copies averaged -o "$ending.xy"
	check "copies from $ending: as by their number of atoms" same_curve file.xy "$ending.xy" "$([[ $ending == pdb ]] && echo 1e-2 || echo 1e-8)"
done
check "copies in PDB: one chain each" [ "$(grep '^HETATM' random.pdb | cut -c22 | sort -u | wc -l)" = 30 ]
sed -e "s/copies=30x$count/copies=30x7/" random.xyz >"$inputs/edited.xyz"
sonde debye "$inputs/edited.xyz" "${q[@]}" -o edited.xy >"$out" 2>&1
check "a wrong number of copies is reported" has_line "$out" 'the numbers of copies in the file are not those of its [0-9]* atoms: they are ignored'

# several structures
ok "another ball" build "${ball[@]}" --sphere 5 -o small.xyz
small=$(head -1 small.xyz)
cp ball.xyz small.xyz "$inputs"
mixture='[{file: ball.xyz, number: 12}, {file: small.xyz, number: 30}]'
ok "a mixture" build --structures "$mixture" --copy-density 0.2 --copy-orientations random --seed 5 -o mixture.xyz
check "a mixture: its atoms" [ "$(head -1 mixture.xyz)" = $((12 * count + 30 * small)) ]
check "a mixture: its copies" contains mixture.xyz "copies=12x$count,30x$small "
check "a mixture: no two atoms closer than in a ball" awk 'NR > 2 {x[NR] = $2; y[NR] = $3; z[NR] = $4; for (k = 3; k < NR; ++k)
	if ((x[k] - $2)^2 + (y[k] - $3)^2 + (z[k] - $4)^2 < 1.9^2) exit 1}' mixture.xyz
cat >"$inputs/mixture.yaml" <<'END'
build:
  structures:
    - {file: ball.xyz, fraction: 0.4}
    - {file: small.xyz, fraction: 1}
  copies: 42
  copy-density: 0.2
  copy-orientations: random
  seed: 5
debye: {q: "0.5:8:16", method: exact, copies: averaged, columns: "q,I_per_atom"}
END
mkdir elsewhere && cd elsewhere || exit 1
ok "a mixture of a job" sonde debye "$inputs/mixture.yaml" -o job.xy
cd ..
ok "a mixture by its file" sonde debye mixture.xyz "${q[@]}" --copies averaged -o mixture.xy
check "a mixture of a job: as by its file" same_curve mixture.xy elsewhere/job.xy 1e-8
ok "a mixture on a grid" build --structures "$mixture" --copy-spacing 30 -o grid.xyz --force
check "a mixture on a grid: mixed" [ "$(atoms_of grid.xyz | awk -v n=$((12 * count)) 'NR <= n {low += $2 < 0} END {print (low > 0.2 * n && low < 0.8 * n)}')" = 1 ]
printf '2 0 0 0\n1 0 0 50\n2 50 0 0\n' >"$inputs/mixed.txt"
ok "a mixture at places of a file" build --structures '{file: ball.xyz}, {file: small.xyz}' --copy-file "$inputs/mixed.txt" -o mixed.xyz
check "a mixture at places of a file: its copies" contains mixed.xyz "copies=1x$count,2x$small "
fails 2 'copies: 50, but the numbers of the structures add up to 42' build --structures "$mixture" --copies 50 --copy-density 0.2 -o no.xyz
fails 2 'structures: every structure needs a number, or every one a fraction' build --structures '{file: ball.xyz}' --copy-density 0.2 -o no.xyz
fails 2 'structures: fractions need --copies' build --structures '{file: ball.xyz, fraction: 1}' --copy-density 0.2 -o no.xyz
fails 2 'structures 2: file: required' build --structures '{file: ball.xyz, number: 1}, {number: 1}' --copy-density 0.2 -o no.xyz
fails 2 'nothing\.xyz: ' build --structures '{file: nothing.xyz, number: 1}' --copy-density 0.2 -o no.xyz
fails 2 'sphere: not an option of an ensemble of structures from files' build --structures "$mixture" --copy-density 0.2 --sphere 4 -o no.xyz
fails 2 "mixed\.txt:1: '2' is not the number of a structure, 1 to 1" build --structures '{file: ball.xyz}' --copy-file "$inputs/mixed.txt" -o no.xyz
fails 2 'structures: numbers and fractions are not given with --copy-file' build --structures "$mixture" --copy-file "$inputs/mixed.txt" -o no.xyz

# compact ensembles, and placements of a sample
some=(--copies 30 --copy-density 0.2 --copy-orientations random --seed 3)
ok "a compact ensemble" build "${ball[@]}" "${some[@]}" --compact -o compact.h5
ok "info of a compact ensemble" sonde info compact.h5
check "info of a compact ensemble: all atoms" has_line "$out" "atoms  *$((30 * count))"
check "info of a compact ensemble: those stored" has_line "$out" "compact  *$count atoms are stored.*"
fails 2 'no\.xyz: a compact ensemble is written to an HDF5 file' build "${ball[@]}" "${some[@]}" --compact -o no.xyz
fails 2 'compact: is for ensembles' build "${ball[@]}" --compact -o no.h5
for copies in exact averaged independent; do
	ok "debye of a compact ensemble, $copies" sonde debye compact.h5 "${q[@]}" --copies "$copies" -o compact.xy --force
	ok "debye of all atoms, $copies" sonde debye random.h5 "${q[@]}" --copies "$copies" -o all.xy --force
	check "debye of a compact ensemble, $copies: as of all atoms" same_curve all.xy compact.xy 1e-11
done
picture=(--q 0.5:5:12 --phi 16 --wavelength 0.8)
intensities() { awk '$1 !~ /^#/ {print $1 + 1000 * $2, $3}' "$1"; }
alike() { # A B TOLERANCE
	paste <(intensities "$1") <(intensities "$2") | awk -v t="$3" '{++n; s += $2; d = $2 - $4; m = d * d > m ? d * d : m} END {exit !(n == 192 && m <= (t * s / n)^2)}'
}
for method in direct fast; do
	ok "pattern of a compact ensemble, $method" sonde pattern compact.h5 "${picture[@]}" --method "$method" -o compact.xy --force
	ok "pattern of all atoms, $method" sonde pattern random.h5 "${picture[@]}" --method "$method" -o all.xy --force
	check "pattern of a compact ensemble, $method: as of all atoms" alike all.xy compact.xy 1e-11
done
printf 'structure,x,y,z,phi,theta,psi\nball.xyz,0,0,0,0,0,0\nsmall.xyz,0,0,50,90,10,0\nsample,5,60,0,0,20,0\n' >"$inputs/structures.csv"
cp ball.xyz small.xyz "$inputs"
ok "placements of several structures" sonde pattern ball.xyz --placements "$inputs/structures.csv" "${picture[@]}" -o placed.xy
check "placements of several structures: their atoms" contains placed.xy "$((2 * count + small))"
ok "placements of a plan" sonde pattern ball.xyz --placements "$inputs/structures.csv" "${picture[@]}" --plan
check "placements of a plan: their atoms" has_line "$out" "atoms  *$((2 * count + small))"
fails 2 'zero\.txt:1: the quaternion has no direction' sonde pattern ball.xyz --placements "$inputs/zero.txt" "${picture[@]}" -o no.xy
printf 'structure,x,y,z\nnone.xyz,0,0,0\n' >"$inputs/unknown.csv"
fails 2 "unknown\.csv:2: structure 'none\.xyz': .*none\.xyz: cannot be read" sonde pattern ball.xyz --placements "$inputs/unknown.csv" "${picture[@]}" -o no.xy
: >"$inputs/empty.csv"
fails 2 'empty\.csv: no place of a copy' sonde debye ball.xyz --placements "$inputs/empty.csv" -o no.xy
# copies that overlap
printf '0 0 0\n40 0 0\n80 0 0\n40.4 0.2 0.1\n80 1 0\n' >"$inputs/close.txt"
overlap='copies 2 and 4 overlap: two of their atoms are 0\.[0-9]* Angstrom from each other'
ok_warned "$overlap" "copies that overlap" sonde pattern ball.xyz --placements "$inputs/close.txt" "${picture[@]}" -o close.xy
ok_warned "$overlap" "copies that overlap, in debye" sonde debye ball.xyz --placements "$inputs/close.txt" "${q[@]}" --copies averaged -o averaged.xy
ok_warned "$overlap" "copies that overlap, in build" build "${ball[@]}" --copy-file "$inputs/close.txt" -o close.xyz
ok "copies that do not overlap" sonde pattern ball.xyz --placements "$inputs/structures.csv" "${picture[@]}" -o placed.xy --force
fails 2 'placements: the sample has placements of its own' sonde pattern compact.h5 --placements "$inputs/places.txt" "${picture[@]}" -o no.xy
finish
