# sonde build: samples without a lattice, defects, and invalid input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

first_line() { head -n 1 "$1"; }
build() { sonde build "$@"; }

# numbers of atoms counted by hand
ok "nanotube" build --nanotube 10,10 --cells 5 -o tube.xyz
check "nanotube: 40 atoms per cell" [ "$(first_line tube.xyz)" = 200 ]
ok "walls" build --nanotube 5,5/10,10 --cells 2 --periodic -o walls.xyz
check "walls: 20 and 40 atoms per cell" [ "$(first_line walls.xyz)" = 120 ]
check "walls: periodic along the axis" contains walls.xyz 'pbc="F F T"'
check "the file says how it was made" contains walls.xyz 'source="sonde build --nanotube 5,5/10,10 --cells 2 --periodic"'
ok "caps" build --nanotube 5,5/10,10 --cells 3 --caps -o caps.xyz
check "caps: C60 and C240 with three cells" [ "$(first_line caps.xyz)" = $((60 + 3 * 20 + 240 + 3 * 40)) ]
ok "C70" build --fullerene C70 -o c70.xyz
check "C70: 70 atoms" [ "$(first_line c70.xyz)" = 70 ]
ok "boron nitride" build --nanotube 6,0 --cells 3 --species B,N -o bn.xyz
check "boron nitride: as many of both" has_line "$out" '^bn.xyz: 72 atoms: 36 B 36 N$'
ok "torus" build --torus 5,5,40 -o torus.xyz
check "torus: 20 atoms per cell" [ "$(first_line torus.xyz)" = 800 ]
ok "coronene" build --graphene hexagon=4.2 -o coronene.xyz
check "coronene: 24 atoms" [ "$(first_line coronene.xyz)" = 24 ]
ok "graphite" build --graphene cells=3,2 --layers 4 --periodic --edge armchair -o graphite.xyz
check "graphite: 4 atoms per cell" [ "$(first_line graphite.xyz)" = 96 ]
for n in 20 60 80 140 180 240 260; do
	ok "C$n" build --fullerene "C$n" -o "c$n.xyz"
	check "C$n: number of atoms" [ "$(first_line "c$n.xyz")" = $n ]
done
glass=(--packing Cu=60,Zr=40 --distance Cu:Cu=2.2,Cu:Zr=2.5,Zr:Zr=2.8 --density 7)
ok "packing" build "${glass[@]}" -o glass.xyz
check "packing: 100 atoms" [ "$(first_line glass.xyz)" = 100 ]
ok "packing: one thread" build "${glass[@]}" --threads 1 -o glass1.xyz
check "packing: threads do not matter" same_files glass.xyz glass1.xyz
ok "packing: another seed" build "${glass[@]}" --seed 2 -o glass2.xyz
check "packing: the seed matters" [ "$(cksum <glass.xyz)" != "$(cksum <glass2.xyz)" ]

# defects: a sphere of 13 gold atoms, and 64 cells of rocksalt
salt=(--cell rocksalt --species Na,Cl --a 5.64 --supercell 4,4,4)
ok "substitutions" build "${salt[@]}" --substitute Na:K=0.25,Cl:Br=0.5 -o mixed.xyz
check "substitutions: exact numbers" has_line "$out" '^mixed.xyz: 512 atoms: 192 Na 128 Cl 64 K 128 Br$'
ok "vacancies" build "${salt[@]}" --vacancies 0.125 -o holes.xyz
check "vacancies: exact numbers" has_line "$out" '^holes.xyz: 448 atoms: 224 Na 224 Cl$'
ok "strain" build "${salt[@]}" --a 4 --strain 0.5,0,0,0,0,0 -o strained.xyz
check "strain: the lattice is strained" contains strained.xyz 'Lattice="24 0 0 0 16 0 0 0 16"'
ok "displacements" build "${salt[@]}" --displace Na=0.1 -o shaken.xyz
check "displacements: not those of Cl" has_line shaken.xyz '^Cl 2.82 2.82 2.82$'
ok "fault" build "${salt[@]}" --fault z=1:1,0,0 -o fault.xyz
check "fault: the atoms above are shifted" has_line fault.xyz '^Cl 3.82 2.82 2.82$'
ok "relaxation" build --cell fcc --species Au --a 4 --sphere 2.9 --relax 0.5,1 -o relaxed.xyz
check "relaxation: the outermost atoms move by half" has_line relaxed.xyz '^Au 3 3 0$'

# job files
cat >"$inputs/job.yaml" <<'END'
build:
  nanotube: 10,10
  cells: 5
END
ok "job file" build "$inputs/job.yaml" -o job.xyz
check "job file: the same atoms" same_files tube.xyz job.xyz

# ensembles of generated samples: the places and orientations of the file
printf '0 0 0 0 0 0\n30 0 -5 0 0 90\n' >"$inputs/places.txt"
ok_warned "copies 1 and 2 overlap" "copies" build --torus 5,5,50 --copy-file "$inputs/places.txt" -o rings.xyz
ok "one of them" build --torus 5,5,50 -o ring.xyz
check "copies: twice the atoms" [ "$(head -n 1 rings.xyz)" = $((2 * $(head -n 1 ring.xyz))) ]
check "copies: the first as it is, the second turned and shifted" awk '
	FNR <= 2 {next} NR == FNR {n = FNR; x[n] = $2; y[n] = $3; z[n] = $4; next}
	FNR <= n && ($2 - x[FNR])^2 + ($3 - y[FNR])^2 + ($4 - z[FNR])^2 > 1e-18 {bad = 1}
	FNR > n {k = FNR - n + 2; if (($2 - 30 + y[k])^2 + ($3 - x[k])^2 + ($4 + 5 - z[k])^2 > 1e-18) bad = 1; ++turned}
	END {exit bad || turned != n - 2}' ring.xyz rings.xyz
ok "copies at random" build --fullerene C60 --copies 30 --copy-density 0.1 --copy-orientations random -o crowd.xyz
check "copies at random: all atoms" [ "$(head -n 1 crowd.xyz)" = 1800 ]

# refusals
fails 2 'fullerene: there is not a fullerene of 72 atoms here' build --fullerene C72 -o new.xyz
fails 2 'nanotube: a tube \(1,0\) would have a radius of 0\.39 Angstrom' build --nanotube 1,0 --cells 5 -o new.xyz
fails 2 'caps: halves of icosahedral fullerenes close tubes .* not \(7,7\)' build --nanotube 7,7 --caps --cells 5 -o new.xyz
fails 2 'caps: a periodic nanotube has no ends' build --nanotube 5,5 --caps --cells 5 --periodic -o new.xyz
fails 2 'caps: has pentagons' build --nanotube 5,5 --caps --cells 5 --species B,N -o new.xyz
fails 2 'length: the two caps alone are 7\.[0-9]* Angstrom long' build --nanotube 5,5 --caps --length 4 -o new.xyz
fails 2 'caps: not an option of a fullerene' build --fullerene C60 --caps -o new.xyz
fails 2 'caps: only a nanotube has this option' build "${salt[@]}" --caps -o new.xyz
fails 2 'length: not an option of a fullerene' build --fullerene C60 --length 5 -o new.xyz
fails 2 'graphene: 0 is not a size above 0, up to 1e\+06' sonde build --graphene disk=0 -o no.xyz
fails 2 'layers: only graphene has this option; give --graphene' build "${salt[@]}" --layers 2 -o new.xyz
fails 2 'nanotube: give its length by one of --length, --cells' build --nanotube 5,5 -o new.xyz
fails 2 "nanotube: '5' is not two whole numbers" build --nanotube 5 --cells 5 -o new.xyz
fails 2 "graphene: 'square=5' is not one of" build --graphene square=5 -o new.xyz
fails 2 'torus: a ring of 2 cells .* give more cells' build --torus 5,5,2 -o new.xyz
fails 2 'of the wanted density, .* make the box larger' build --packing Ar=50 --distance 3.5 --number-density 0.04 --tries 50 -o new.xyz
fails 2 'distance: the least distance is missing' build --packing Ar=50 --number-density 0.04 -o new.xyz
fails 2 "substitute: the sample has no atoms 'Fe'" build "${salt[@]}" --substitute Fe:Co=0.1 -o new.xyz
fails 2 'vacancies: 1\.5 is out of range: 0 to 1' build "${salt[@]}" --vacancies 1.5 -o new.xyz
fails 2 'strain: give 1, 6 or 9 numbers, not 3' build "${salt[@]}" --strain 0,0,0.1 -o new.xyz
fails 2 'relax: a sample with a cell has no surface' build "${salt[@]}" --relax 0.1,1 -o new.xyz
fails 2 "fault: 'z=0' is not NORMAL=POSITION:SHIFT" build "${salt[@]}" --fault z=0 -o new.xyz
finish
