# sonde ions: files, layers, bodies, reproducibility, resuming, precision, and invalid input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SONDE_DATA=$here/../../data

ions() { sonde ions "$@"; }
# fewer where sanitizers make them slow
many=320 tolerance=17
[[ $sanitized = 0 ]] || many=128 tolerance=40
[[ $thorough = 0 ]] || many=640 tolerance=12
arsenic=(--ion As --energy 20keV --target Si -n $many --device cpu)
# a table, and a summary
ok "table" ions "${arsenic[@]}" --bins 20
check "table: a row for each bin" [ "$(rows "$out")" = 20 ]
check "table: says the ion" has_line "$out" '^# ion: As, '
check "table: says the range" has_line "$out" '^# range: '
ok "files" ions "${arsenic[@]}" -o as.h5 --srim srim
check "files: HDF5" [ -s as.h5 ]
for file in RANGE VACANCY IONIZ PHONON E2RECOIL NOVAC TRANSMIT BACKSCAT; do
	check "files: $file.txt" [ -s "srim/$file.txt" ]
done
check "summary: range" has_line "$out" '^range  *[0-9.]* ± [0-9.]* Å$'
check "files: no checkpoint is left" [ ! -e as.h5.checkpoint ]

ok "info" sonde info as.h5
check "info: ions" has_line "$out" "^ions  *$many: $many implanted"
check "info: range" has_line "$out" '^range  *[0-9.]* \+- [0-9.]* Angstrom$'

# the same numbers for any number of threads, on the emulated device, and ions in two parts
# stderr has progress in JSON, so that `ok` will not do
numbers() { # NAME OPTIONS...
	sonde ions "${@:2}" --json >"$inputs/$1.all" 2>"$inputs/$1.log" || fail "$1" "exit $?: $(tail -1 "$inputs/$1.log")"
	sed -n '/"range"/{s/"seconds": [0-9.]*, //;s/, "times": .*/}/;p}' "$inputs/$1.all" >"$inputs/$1"
	check "$1: there are numbers" [ -s "$inputs/$1" ]
}
numbers one "${arsenic[@]}" --threads 1
numbers two "${arsenic[@]}" --threads 2
numbers emulated "${arsenic[@]}" --device emulated
check "any number of threads" same_files "$inputs/one" "$inputs/two"
check "the kernels of GPUs" same_files "$inputs/one" "$inputs/emulated"
numbers shared "${arsenic[@]}" --device cpu,emulated
check "two devices that share the ions" same_files "$inputs/one" "$inputs/shared"
numbers half --ion As --energy 20keV --target Si -n 100 --device cpu -o half.h5
numbers whole "${arsenic[@]}" -o half.h5 --resume
check "resumed: as in one go" same_files "$inputs/one" "$inputs/whole"
numbers fewer --ion As --energy 20keV --target Si -n 50 --device cpu -o half.h5 --resume
check "resumed with fewer: those that are done" same_files "$inputs/one" "$inputs/fewer"
check "resumed with fewer: reports it" [ "$(grep -c "\"warning\": \"--resume: $many ions are done already, more than the 50 of --number; the result has all of them\"" "$inputs/fewer.log")" = 1 ]
ok "resumed with as many: nothing to say" ions "${arsenic[@]}" -o half.h5 --resume
fails 2 'resume: half\.h5 belongs to another job, with .energy = 20keV. instead of .energy = 21keV.' \
	ions --ion As --energy 21keV --target Si -n 700 -o half.h5 --resume
fails 2 'resume: neither' ions "${arsenic[@]}" -o nothing.h5 --resume
fails 2 'resume: needs the file to resume from' ions "${arsenic[@]}" --resume
fails 2 'as\.h5.*exists' ions "${arsenic[@]}" -o as.h5

# a stop keeps what was done
signals=('INT 130' 'HUP 130' 'USR1 75')
[[ -z $(trap -p HUP) ]] || signals=('INT 130' 'USR1 75') # under nohup runs go on
for signal in "${signals[@]}"; do
	timeout --preserve-status -k 60 -s "${signal% *}" $((1 + sanitized)) "$program" ions --ion Fe --energy 500keV --target Fe \
		-n 100000000 --device cpu --threads 1 -o long.h5 2>"$err"
	code=$?
	if [[ $sanitized = 0 ]]; then
		check "stopped by ${signal% *}: exit code ${signal#* }" [ $code -eq "${signal#* }" ]
		check "stopped: a checkpoint" [ -s long.h5.checkpoint ]
		check "stopped: reports it" has_line "$err" 'continue with --resume$'
		kept=$(sed -n 's/.*stopped; \([0-9]*\) ions.* are kept.*/\1/p' "$err")
		ok "stopped: info" sonde info long.h5.checkpoint
		check "stopped: info says what it is" has_line "$out" '^what  *checkpoint of an unfinished run of sonde ions$'
		check "stopped: info says how many ions" has_line "$out" "^ions  *$kept done(, [0-9]+ in progress)?$"
		check "stopped: info says how to go on" has_line "$out" '^to resume  *the same command with --output long\.h5 --resume$'
		check "stopped: info says of which job" has_line "$out" '^  *energy = 500keV$'
	fi
	check "stopped: no result" [ ! -e long.h5 ]
	rm -f long.h5.checkpoint
done

# neither the range of profiles nor a vacuum before the target changes other results
numbers deep --ion He --energy 5keV --target Si -n $many --device cpu --depth 1e8 --bins 1
numbers flat --ion He --energy 5keV --target Si -n $many --device cpu --depth 10 --bins 7
check "ranges do not depend on what is shown" same_files "$inputs/deep" "$inputs/flat"
numbers far --ion He --energy 5keV --target vacuum:100mm/Si -n $many --device cpu
straggling() { sed -n 's/.*"straggling": \([0-9.]*\).*/\1/p' "$inputs/$1"; }
check "straggling behind a long way through vacuum" near "$(straggling far)" "$(straggling flat)" 60
# maps of many cells have fewer groups of ions
ok "maps: a wanted precision" ions --ion He --energy 1keV --target Si:30nm --cells 1,20,20 --bins 60 --until range:0.01% \
	-n $((many * 8)) --device cpu -o map.h5 --quiet
fails 2 'until: with 1000000 cells there is no error of vacancies' \
	ions --ion He --energy 1keV --target Si --cells 1,100,100 --bins 100 --until vacancies:5% -n 5000
fails 2 "until: 'range:0.1' is not QUANTITY:PERCENT, for example vacancies:0.5%$" ions --ion He --energy 1keV --target Si --until range:0.1
fails 2 'bodies: number 1, of Au, begins at -300 Angstrom, in front of the surface' \
	ions --ion He --energy 1keV --target C:20nm --bodies Au:sphere:100@-200,0,0
fails 2 'bodies: number 1, of Au, begins at 400 Angstrom, beyond the target' \
	ions --ion He --energy 1keV --target C:20nm --bodies Au:sphere:100@500,0,0

# isotopes, factors of the stopping, and energies of layers
numbers plain --ion As --energy 20keV --target 'Si:10nm/Si' -n $many --device cpu
numbers masses --ion As --energy 20keV --target 'Si*1:10nm/Si[28.086]' --displacement 'Si@1=15,Si@2=15' -n $many --device cpu
check "the natural mass, a factor of 1, and the table's energies change nothing" same_files "$inputs/plain" "$inputs/masses"
fails 2 'displacement: there is no Si@3 in the target' ions --ion H --energy 1keV --target 'Si:1nm/C' --displacement Si@3=15
fails 2 "displacement: 'Si@=15' is neither ELEMENT=ENERGY nor ELEMENT@LAYER=ENERGY" \
	ions --ion H --energy 1keV --target Si --displacement Si@=15
for option in displacement lattice surface-binding; do
	fails 2 "$option: Si is given twice; give one energy for an element, and one for each layer" \
		ions --ion H --energy 1keV --target Si "--$option" Si=15,Si=12
	fails 2 "$option: Si@2 is given twice" ions --ion H --energy 1keV --target 'Si:1nm/Si' "--$option" Si@2=12,Si@1=12,Si@2=12
done
numbers behind --ion As --energy 20keV --target 'Si:10nm/Si' -n 64 --device cpu --displacement Si=15,Si@2=20
numbers before --ion As --energy 20keV --target 'Si:10nm/Si' -n 64 --device cpu --displacement Si@2=20,Si=15
numbers neither --ion As --energy 20keV --target 'Si:10nm/Si' -n 64 --device cpu --displacement Si=15
numbers blanks --ion As --energy 20keV --target ' Si : 10nm / Si' -n 64 --device cpu --displacement 'Si = 15, Si @ 2 = 20 '
check "blanks next to separators do not count" same_files "$inputs/blanks" "$inputs/before"
check "energies of a layer hold behind and before those of all" same_files "$inputs/behind" "$inputs/before"
check "energies of a layer hold" [ "$(cat "$inputs/behind")" != "$(cat "$inputs/neither")" ]
fails 2 "target: '.B.4C' is not allowed|target: '\[' in '\[10\]B4C' is not allowed in a formula" \
	ions --ion H --energy 1keV --target '[10]B4C@2.5'

# moments that few ions cannot give are NaN
ok "one ion" ions --ion As --energy 20keV --target Si -n 1 --device cpu -o one.csv
check "one ion: no skewness" has_line one.csv '^# range: [0-9.]* Angstrom; straggling 0 Angstrom; skewness nan; kurtosis nan$'
check "one ion: one kind of NaN" lacks one.csv -nan
numbers none --ion H --energy 20keV --target Si:1nm -n 2 --device cpu -o none.csv
check "no ion at rest: JSON" is_json "$(cat "$inputs/none")"
check "no ion at rest: no straggling" has_line "$inputs/none" '"range": null, .*"straggling": null, .*"lateral": null, '
check "no ion at rest: one kind of NaN" lacks none.csv -nan

# layers and bodies of the target's own material change nothing but the draw
numbers layers --ion As --energy 20keV --target 'Si:10nm/Si' -n $many --device cpu
numbers bodies --ion As --energy 20keV --target Si --bodies 'Si:sphere:60@100,0,0/Si:box:50,50,50@120,20,0' -n $many --device cpu
range() { sed -n 's/.*"range": \([0-9.]*\).*/\1/p' "$inputs/$1"; }
check "layers: the same range" near "$(range layers)" "$(range one)" $tolerance
check "bodies: the same range" near "$(range bodies)" "$(range one)" $tolerance

# a ball of voxels and one as a body; voxels of one material change nothing
voxels=$data/ions/ball.h5 # 16 x 16 x 16 of 10 Angstrom: 1 within 80 Angstrom of the middle, else 0
xenon=(--ion Xe --energy 20keV --target vacuum:16nm --surface planar --spot 30 --device cpu)
few=64 # where the same bits are expected
numbers ball "${xenon[@]}" -n $many --bodies 'Au:sphere:80@80,0,0'
numbers voxels "${xenon[@]}" -n $many --voxels "$voxels" --voxel-materials vacuum/Au
check "voxels: the range of a ball" near "$(range voxels)" "$(range ball)" $tolerance
numbers same --ion As --energy 20keV --target Si --voxels "$voxels" --voxel-materials Si/Si -n $many --device cpu
check "voxels: walls change nothing" near "$(range same)" "$(range one)" $tolerance
fails 2 'voxel [0-9]* has material 1, but --voxel-materials names 1' ions "${xenon[@]}" --voxels "$voxels" --voxel-materials Au
cp "$voxels" "$inputs/map.h5"
ok "voxels: a result" ions "${xenon[@]}" -n $few --voxels "$inputs/map.h5" --voxel-materials vacuum/Au -o voxels.h5
LC_ALL=C sed 's/\x00\x00\x24\x40/\x00\x00\x28\x40/' "$voxels" >"$inputs/map.h5" # 12 Angstrom
fails 2 'resume: voxels\.h5 belongs to another job, with .spacing of voxels' \
	ions "${xenon[@]}" -n $few --voxels "$inputs/map.h5" --voxel-materials vacuum/Au -o voxels.h5 --resume
fails 2 'voxel-materials: not given' ions "${xenon[@]}" --voxels "$voxels"
fails 2 'voxel-materials: needs --voxels' ions "${xenon[@]}" --voxel-materials Au
fails 2 'no /voxels/materials' ions "${xenon[@]}" --voxels as.h5 --voxel-materials Au

# bodies of a job's list: those of a text to the last bit, and voxels those of --voxels
list_job() { # NAME LINE...
	printf 'ions:\n  ion: Xe\n  energy: 20keV\n  target: vacuum:16nm\n  surface: planar\n  spot: 30\n  bodies:\n' >"$inputs/$1.yaml"
	printf '    - %s\n' "${@:2}" >>"$inputs/$1.yaml"
}
list_job ball_list '{material: Au, shape: sphere, center: [8 nm, 0, 0], radius: 80 A}'
numbers ball_list "$inputs/ball_list.yaml" -n $many --device cpu
only_numbers() { grep -v '^#' "$1.csv"; }
ok "list: a ball" ions "$inputs/ball_list.yaml" -n $few --device cpu -o ball_list.csv
ok "text: a ball" ions "${xenon[@]}" -n $few --bodies 'Au:sphere:80@80,0,0' -o ball_text.csv
check "list: a text's numbers" cmp <(only_numbers ball_list) <(only_numbers ball_text)
check "list: in the table" has_line ball_list.csv '^# bodies 1: material: Au, shape: sphere, center: 80,0,0, radius: 80$'
check "list: where it is" has_line ball_list.csv '^# region 2: Au from 0 Angstrom on to 160, '
list_job voxel_list "{shape: voxels, center: [80, 0, 0], file: $voxels, materials: [vacuum, Au]}"
ok "list: voxels" ions "$inputs/voxel_list.yaml" -n $few --device cpu -o voxel_list.csv
ok "text: voxels" ions "${xenon[@]}" -n $few --voxels "$voxels" --voxel-materials vacuum/Au -o voxel_text.csv
check "list: the same voxels" cmp <(only_numbers voxel_list) <(only_numbers voxel_text)
list_job gap_list "{shape: voxels, center: [80, 0, 0], file: $voxels, materials: [none, Au]}"
numbers gap_list "$inputs/gap_list.yaml" -n $many --device cpu
check "list: voxels that leave the layer" near "$(range gap_list)" "$(range ball)" $tolerance
list_job many_list '{material: SiO2, shape: cylinder, center: [80, 0, 0], radius: 60, height: 50, axis: [1, 1, 0]}' \
	'{material: Au, shape: cone, center: [80, 0, 0], radius: 30, radius-top: 0, height: 40, axis: [-1, 0, 2]}' \
	'{material: W, shape: prism, center: [60, 60, 0], height: 40, vertices: [[-20, -20], [20, -20], [0, 30]]}' \
	'{material: Cu, shape: box, center: [90, -60, 0], size: [20, 30, 40], rotation: [10, 20, 30]}' \
	'{material: vacuum, shape: ellipsoid, center: [80, 0, 20], radii: [10, 20, 5], rotation: [0, 0, 45], repeat: [1, 1, 2], pitch: [0, 0, 30]}'
ok "list: many shapes" ions "$inputs/many_list.yaml" -n $few --device cpu -o many.h5
check "list: kinds of atoms in them" has_line "$out" 'Cu in body 4'
fails 2 'resume: many\.h5 belongs to another job' ions "$inputs/ball_list.yaml" --device cpu -o many.h5 --resume
ok "list: more ions" ions "$inputs/many_list.yaml" -n $((few + 10)) --device cpu -o many.h5 --resume
list_job wrong '{material: Au, shape: sphere, center: [8 nm, 0, 0], radius: 80 A}' '{material: Auu, shape: sphere, center: [8 nm, 0, 0], radius: 8 A}'
fails 2 "wrong\.yaml:9: bodies 2: material: unknown material 'Auu', did you mean 'Au'" ions "$inputs/wrong.yaml"
list_job wrong '{material: Au, shape: build, center: [8 nm, 0, 0]}'
fails 2 'wrong\.yaml:8: bodies 1: file: required, a sample of sonde build .*or give the job a .build:. block' ions "$inputs/wrong.yaml"

# solids of a block `build` are those of other shapes, to the last bit, and names of materials their compositions
built_job() { # NAME SHAPE BODY: a solid of the block, and the body that it is
	list_job "$1_built" '{material: metal, shape: build, center: [8 nm, 0, 0]}'
	printf '  materials:\n    - {name: metal, composition: Zn, density: 7.1, index: 1.5}\n' >>"$inputs/$1_built.yaml"
	printf 'build: {cell: hcp, species: Zn, a: 2.66, c: 4.95, %s}\n' "$2" >>"$inputs/$1_built.yaml"
	list_job "$1_body" "{material: Zn@7.1, $3}"
	ok "build: $1" ions "$inputs/$1_built.yaml" -n 100 --device cpu -o "$1_built.csv"
	ok "build: $1 as a body" ions "$inputs/$1_body.yaml" -n 100 --device cpu -o "$1_body.csv"
	check "build: $1: the same numbers" cmp <(only_numbers "$1_built") <(only_numbers "$1_body")
}
built_job sphere 'sphere: 50' 'shape: sphere, center: [80, 0, 0], radius: 50'
built_job box 'box: [40, 50, 60]' 'shape: box, center: [80, 0, 0], size: [40, 50, 60]'
built_job cylinder 'cylinder: [30, 60, 0]' 'shape: cylinder, center: [80, 0, 0], radius: 30, height: 60'
built_job ellipsoid 'ellipsoid: [30, 40, 50]' 'shape: ellipsoid, center: [80, 0, 0], radii: [30, 40, 50]'
built_job cone 'cone: [40, 10, 60]' 'shape: cone, center: [80, 0, 0], radius: 40, radius-top: 10, height: 60'
# 10 cells of a hexagonal lattice: a rhombus with edges of 26.6 Angstrom
list_job cells_built '{material: Zn, shape: build, center: [8 nm, 0, 0]}'
printf 'build: {cell: hcp, species: Zn, a: 2.66, c: 4.95, supercell: [10, 10, 10]}\n' >>"$inputs/cells_built.yaml"
ok "build: cells" ions "$inputs/cells_built.yaml" -n 100 --device cpu -o cells_built.csv
check "build: cells are a prism" has_line cells_built.csv '^# bodies 1: material: Zn, shape: prism, .*height: 49\.5, vertices: .*11\.518'
built_job tube 'cylinder: [30, 60, 10]' 'shape: cylinder, center: [80, 0, 0], radius: 30, height: 60, inner-radius: 10'
built_job shell 'sphere: 50, hollow: 0.5' 'shape: sphere, center: [80, 0, 0], radius: 50, hollow: 0.5'
built_job octahedron 'octahedron: 50, hollow: 0.4' 'shape: octahedron, center: [80, 0, 0], edge: 50, hollow: 0.4'
list_job wulff_built '{material: Au, shape: build, center: [80, 0, 0]}'
printf 'build: {cell: fcc, species: Au, a: 4.08, wulff: "111:1,100:1.1", wulff-radius: 40, orient: "hkl:1,1,1"}\n' >>"$inputs/wulff_built.yaml"
ok "build: wulff" ions "$inputs/wulff_built.yaml" -n 100 --device cpu -o wulff_built.csv
check "build: wulff is a body" has_line wulff_built.csv \
	'^# bodies 1: material: Au, shape: wulff, center: 80,0,0, radius: 40, orient: hkl:1,1,1, wulff: 111:1,100:1\.1$'
# the same as text; and the bore of a tube is empty: a cylinder of vacuum in another
ok "bodies as text: octahedron" ions --ion Ar --energy 20keV --target vacuum:200A -n 100 --device cpu --spot 30 \
	--bodies Au:octahedron:50@80,0,0 -o octahedron_text.csv
check "bodies as text: octahedron" has_line octahedron_text.csv '^# ions: 100; '
ions_of_tube() { # NAME BODIES
	ok "tube: $1" ions --ion Ar --energy 20keV --target vacuum:200A -n 2000 --device cpu --spot 30 --bodies "$2" -o "$1.csv"
}
ions_of_tube tube Au:tube-z:40,80,25@80,0,0
ions_of_tube bored Au:cylinder-z:40,80@80,0,0/vacuum:cylinder-z:25,200@80,0,0
check "tube: the same numbers as with a cylinder of vacuum" cmp <(grep -E '^# (ions: |range|energy per ion|reflected)' tube.csv) \
	<(grep -E '^# (ions: |range|energy per ion|reflected)' bored.csv)
fails 2 'bodies: inner-radius: 45 is not below the radius, 40|bodies: --inner-radius: 45 is not below' ions --ion Ar --energy 20keV \
	--target vacuum:200A --bodies Au:tube-z:40,80,45@80,0,0
# multiply twinned bodies, half a layer around their atoms, and a supercell whose third edge is not upright
for cluster in 'icosahedron: 8' 'decahedron: [8, 6, 0]'; do
	list_job cluster_built '{material: Au, shape: build, center: [80, 0, 0]}'
	printf 'build: {cell: fcc, species: Au, a: 4.08, %s, orient: "z-x-z:10,20,30"}\n' "$cluster" >>"$inputs/cluster_built.yaml"
	ok "build: ${cluster%%:*}" ions "$inputs/cluster_built.yaml" -n 100 --device cpu -o "${cluster%%:*}_built.csv"
done
check "build: an icosahedron is a body, 8.5 shells of 0.7071 a" has_line icosahedron_built.csv \
	'^# bodies 1: material: Au, shape: icosahedron, center: 80,0,0, .*edge: 25\.78'
check "build: a decahedron is a body" has_line decahedron_built.csv '^# bodies 1: material: Au, shape: decahedron, .*radius: 18\.73'
sed -i 's/decahedron: \[8, 6, 0\]/decahedron: [8, 6, 1]/' "$inputs/cluster_built.yaml"
fails 2 "cluster_built\.yaml:8: bodies 1: shape: the reentrant edges of Marks' decahedra are not supported" ions "$inputs/cluster_built.yaml"
list_job leaning_built '{material: Zn@7.1, shape: build, center: [80, 0, 0]}'
printf 'build: {cell: hcp, species: Zn, a: 2.66, c: 4.95, supercell-matrix: [10,0,0,0,10,0,4,0,10]}\n' >>"$inputs/leaning_built.yaml"
ok "build: a leaning supercell" ions "$inputs/leaning_built.yaml" -n 100 --device cpu -o leaning_built.csv
check "build: a leaning supercell is a parallelepiped" has_line leaning_built.csv \
	'^# bodies 1: material: Zn@7.1, shape: parallelepiped, .*edges: 26\.6'
list_job upright '{material: Zn@7.1, shape: parallelepiped, center: [80, 0, 0], edges: [[40, 0, 0], [0, 50, 0], [0, 0, 60]]}'
list_job upright_box '{material: Zn@7.1, shape: box, center: [80, 0, 0], size: [40, 50, 60]}'
ok "a rectangular parallelepiped" ions "$inputs/upright.yaml" -n 100 --device cpu -o upright.csv
ok "the same as a box" ions "$inputs/upright_box.yaml" -n 100 --device cpu -o upright_box.csv
list_job flat '{material: Zn@7.1, shape: parallelepiped, edges: [[40, 0, 0], [0, 50, 0], [40, 50, 0]]}'
fails 2 'flat\.yaml:8: bodies 1: edges: these have no volume; write three edges' ions "$inputs/flat.yaml"
list_job flat '{material: Zn@7.1, shape: parallelepiped, edges: [[40, 0, 0], [0, 50, 0]]}'
fails 2 'flat\.yaml:8: bodies 1: edges: there have to be nine lengths' ions "$inputs/flat.yaml"
ok "bodies as text: decahedron" ions --ion Ar --energy 20keV --target vacuum:200A -n 100 --device cpu --spot 30 \
	--bodies Au:decahedron:30,20@80,0,0 -o decahedron_text.csv
ok "bodies as text: icosahedron" ions --ion Ar --energy 20keV --target vacuum:200A -n 100 --device cpu --spot 30 \
	--bodies Au:icosahedron:30@80,0,0 -o icosahedron_text.csv
# a hexagon of edge 30 Angstrom
sed -i 's/supercell: \[10, 10, 10\]/hexagonal-prism: [30, 50, 0]/' "$inputs/cells_built.yaml"
ok "build: hexagonal prism" ions "$inputs/cells_built.yaml" -n 100 --device cpu -o prism_built.csv
check "build: a hexagonal prism is a prism" has_line prism_built.csv '^# bodies 1: material: Zn, shape: prism, .*height: 50, vertices: .*25\.98'

# the balls of a sample's atoms: five that do not touch, compared with five spheres
printf '%s\n' 5 five 'Au 0 0 0' 'Au 0 40 0' 'Au 0 -40 0' 'Au 0 0 40' 'Au 0 0 -40' >"$inputs/five.xyz"
list_job atoms "{material: Au, shape: build, file: $inputs/five.xyz, radius: 15, center: [80, 0, 0]}"
list_job spheres '{material: Au, shape: sphere, radius: 15, center: [80, 0, 0]}' \
	'{material: Au, shape: sphere, radius: 15, center: [80, 0, 0], repeat: [1, 2, 1], pitch: [0, 80, 0]}' \
	'{material: Au, shape: sphere, radius: 15, center: [80, 0, 0], repeat: [1, 1, 2], pitch: [0, 0, 80]}'
numbers atoms "$inputs/atoms.yaml" -n $many --device cpu
numbers spheres "$inputs/spheres.yaml" -n $many --device cpu
check "build: the range of balls of atoms" near "$(range atoms)" "$(range spheres)" $tolerance
list_job wrong "{material: Au, shape: build, file: $inputs/five.xyz}"
fails 2 'wrong\.yaml:8: bodies 1: radius: required' ions "$inputs/wrong.yaml"

# materials by name, in all texts
cat >"$inputs/named.yaml" <<'END'
ions:
  ion: Xe
  energy: 20keV
  target: 'shell:5 nm/core*0.9:5 nm/core@2.4'
  materials:
    - {name: shell, composition: SiO2, density: 2.2}
    - {name: core, composition: Si}
END
ok "materials: names" ions "$inputs/named.yaml" -n 100 --device cpu -o named.csv
ok "materials: compositions" ions --ion Xe --energy 20keV --target 'SiO2@2.2:5 nm/Si*0.9:5 nm/Si@2.4' -n 100 --device cpu -o plain.csv
check "materials: the same numbers" cmp <(only_numbers named) <(only_numbers plain)
sed 's/composition: SiO2, //' "$inputs/named.yaml" >"$inputs/wrong.yaml"
fails 2 'target: .*wrong\.yaml:6: materials 1: has no composition' ions "$inputs/wrong.yaml"
sed 's/SiO2/SiOx2/' "$inputs/named.yaml" >"$inputs/wrong.yaml"
fails 2 'wrong\.yaml:6: materials 1: composition: ' ions "$inputs/wrong.yaml"
sed 's/name: core/name: shell/' "$inputs/named.yaml" >"$inputs/wrong.yaml"
fails 2 "wrong\.yaml:7: materials 2: name: an earlier material is also named 'shell'" ions "$inputs/wrong.yaml"
list_job wrong '{material: Au, shape: sphere, radius: 8 nx}'
fails 2 'wrong\.yaml:8:[0-9]*: radius: .8 nx. is not a number' ions "$inputs/wrong.yaml"
fails 2 'bodies: given both as a list in the job and as a text' ions "$inputs/ball_list.yaml" --bodies 'Au:sphere:80@80,0,0'

# SRIM's job
ok "TRIM.IN" ions "$data/ions/trim_h_c.in" -n $many --device cpu -o trim.csv
check "TRIM.IN: its ion" has_line trim.csv '^# ion: H, '
fails 2 'trim_broken\.in:[0-9]*: ' ions "$data/ions/trim_broken.in"

# a job file, a wanted precision, a spectrum, trajectories
cat >"$inputs/job.yaml" <<'END'
ions:
  ion: B
  energy: 10keV
  target: SiO2:20nm/Si
  number: 100000
  until: range:5%
END
ok "job" ions "$inputs/job.yaml" -o job.csv --quiet
check "until: ended before" has_line job.csv 'command: sonde ions'
printf '# keV, any\n10 1\n20 1\n' >"$inputs/spectrum.txt"
ok "spectrum" ions --ion He --energy "$inputs/spectrum.txt" --target C -n $many -o he.csv
printf 'E_keV,weight,note\n10,1,a\n20,1 # the last\n' >"$inputs/spectrum.csv"
ok "spectrum with commas and names" ions --ion He --energy "$inputs/spectrum.csv" --target C -n $many -o he_commas.csv
check "spectrum: the same" same_files <(grep -v '^#' he.csv) <(grep -v '^#' he_commas.csv)
printf '\xef\xbb\xbfenergy (keV);"I"\n10;1\n20;1\n' >"$inputs/spectrum.csv"
ok "spectrum with names in brackets" ions --ion He --energy "$inputs/spectrum.csv" --target C -n $many -o he_names.csv
check "spectrum: the same with these" same_files <(grep -v '^#' he.csv) <(grep -v '^#' he_names.csv)
printf 'foo bar\nbaz qux\n10 1\n20 1\n' >"$inputs/wrong.txt"
fails 2 'wrong\.txt:2: ' ions --ion He --energy "$inputs/wrong.txt" --target C
printf '10 1\nE 2\n' >"$inputs/wrong.txt"
fails 2 'wrong\.txt:2: ' ions --ion He --energy "$inputs/wrong.txt" --target C
ok "trajectories" ions "${arsenic[@]}" --trajectories 2 -o paths.h5 --quiet
check "trajectories: in the file" [ "$(stat -c %s paths.h5)" -gt "$(stat -c %s as.h5)" ]
ok "planar" ions --ion Ar --energy 1keV --target W -n $many --surface planar --flight monolayer --screening kr-c -o w.csv
check "planar: sputters" has_line "$out" '^sputtered '
ok "planar: lists" ions --ion Ar --energy 1keV --target W -n 64 --surface planar --flight monolayer --screening kr-c --srim planar
check "planar: sputtered atoms leave at depth 0" [ -z "$(grep '^S ' planar/SPUTTER.txt | grep -v '   0000000E+00 ')" ]
check "planar: and so do ions" [ -z "$(grep '^B ' planar/BACKSCAT.txt | grep -v '   0000000E+00 ')" ]

# pictures in words
drawn() { sonde ions "${arsenic[@]}" --quiet --force --plot x.svg "$@"; }
ok "picture" drawn
check "picture: for an ion on a square cm" has_line x.svg '^Panel 1: .*; y: stopped ions \(cm⁻³ at 1 cm⁻²\) from 0 to '
check "picture: linear" lacks x.svg logarithmic
most() { # FILE: the upper end of the axis of the first panel
	sed -nE 's/^Panel 1: .*stopped ions .* from 0 to (.*)\.$/\1/p' "$1" |
		sed 's/×10/e/; s/⁰/0/g; s/¹/1/g; s/²/2/g; s/³/3/g; s/⁴/4/g; s/⁵/5/g; s/⁶/6/g; s/⁷/7/g; s/⁸/8/g; s/⁹/9/g'
}
one=$(most x.svg)
ok "picture of a fluence" drawn --fluence 2e15
check "picture of a fluence: reported" has_line x.svg '^Panel 1: .*stopped ions \(cm⁻³ at 2×10¹⁵ cm⁻²\)'
check "picture of a fluence: as drawn" awk -v one="$one" -v all="$(most x.svg)" 'BEGIN {exit !(one > 0 && all/one/2e15 > 0.998 && all/one/2e15 < 1.002)}'
check "picture of a fluence: dpa" has_line x.svg 'displacements per atom \(2×10¹⁵ ions/cm²\) from 0 to .*curves: vacancies, NRT, arc-dpa'
ok "picture with logarithmic axes" drawn --fluence 2e15 --plot-axes log
check "picture with logarithmic axes: all" [ "$(grep -o logarithmic x.svg | wc -l)" = 7 ]
check "picture with logarithmic axes: not from 0" lacks x.svg ' from 0 to '

# refusals
fails 2 'ion: not given' ions --energy 10keV --target Si
fails 2 "ion: .*Xy" ions --ion Xy --energy 10keV --target Si
fails 2 'energy: not given' ions --ion He --target Si
fails 2 "energy: '10kev' is neither" ions --ion He --energy 10kev --target Si
fails 2 'energy: .*not from 1 eV' ions --ion He --energy 0.5eV --target Si
fails 2 'energy: .*beyond the stopping table' ions --ion He --energy 9GeV --target Si
fails 2 'target: not given' ions --ion He --energy 10keV
fails 2 'target: .*density' ions --ion He --energy 10keV --target Si7O3
fails 2 'target: .*not a thickness' ions --ion He --energy 10keV --target Si:0nm/C
fails 2 'target: Si needs a thickness' ions --ion He --energy 10keV --target Si/C
fails 2 'target: only vacuum' ions --ion He --energy 10keV --target vacuum:10nm
fails 2 'displacement: there is no C' ions --ion He --energy 10keV --target Si --displacement C=20
fails 2 "displacement: 'Si' is neither ELEMENT=ENERGY" ions --ion He --energy 10keV --target Si --displacement Si
fails 2 'lattice: Si: .* not below the displacement' ions --ion He --energy 10keV --target Si --lattice Si=20
fails 2 "bodies: 'spere' is not a shape.*sphere" ions --ion He --energy 10keV --target Si --bodies 'Au:spere:5@1,2,3'
fails 2 "bodies: '5,x' is not RADIUS" ions --ion He --energy 10keV --target Si --bodies 'Au:sphere:5,x@1,2,3'
names='range, straggling, vacancies, sputtered, backscattered, transmitted'
fails 2 "until: 'foo:1%' does not begin with one of $names$" ions --ion He --energy 10keV --target Si --until foo:1%
fails 2 "until: 'vacancie:1%' does not begin with one of $names, did you mean 'vacancies'\?$" \
	ions --ion He --energy 10keV --target Si --until range:1%,vacancie:1%
fails 2 "until: ':1%' does not begin with one of $names$" ions --ion He --energy 10keV --target Si --until :1%
fails 2 "until: 'range' is not QUANTITY:PERCENT" ions --ion He --energy 10keV --target Si --until range
fails 2 '(--number|number).*' ions --ion He --energy 10keV --target Si -n -5
fails 2 'cells of .* are too small' ions --ion He --energy 10keV --target Si --bins 1000000 --depth 1
fails 2 'too many' ions --ion He --energy 10keV --target Si --cells 1,4000,4000
fails 2 'start-depth: .* beyond the target' ions --ion He --energy 10keV --target Si:10nm --start-depth 200
fails 2 'electronic: ' ions --ion He --energy 10keV --target Si --flight srim --electronic local
fails 2 'energy-spread: cannot be used with a spectrum' ions --ion He --energy "$inputs/spectrum.txt" --target Si --energy-spread 0.1
printf '10 1\n5 1\n' >"$inputs/falling.txt"
fails 2 'falling\.txt:2: .*increase' ions --ion He --energy "$inputs/falling.txt" --target Si
# tables that may be missing are asked for, never replaced by another source; the default needs none of them
SONDE_DATA=$inputs fails 2 'stopping_srim13\.i16: not found in .*, or install the package sonde-noncommercial-data, .*, or use --stopping zbl' \
	ions --ion He --energy 10keV --target Si --stopping srim13 -o without.csv
check "without tables: nothing written" [ ! -e without.csv ]
ok "without tables" env SONDE_DATA="$inputs" "$program" ions --ion He --energy 10keV --target Si -n 64 -o without.csv
ok "with tables" sonde ions --ion He --energy 10keV --target Si -n 64 -o with.csv
grep -v '^#' without.csv >"$inputs/without"
grep -v '^#' with.csv >"$inputs/with"
check "the same with tables and without" same_files "$inputs/without" "$inputs/with"
check "the source of stopping in the summary" has_line "$out" \
	"^electronic stopping: zbl \(Ziegler, Biersack and Littmark 1985\); differs from SRIM-2013's .* by 17 and 36 % 1 to 10 keV/u\$"
check "the source of stopping in a table" has_line with.csv '^# electronic stopping: zbl \('
ok "lindhard" ions --ion He --energy 10keV --target Si --stopping lindhard -n 64 --straggling chu -o lindhard.h5
ok "lindhard: info" sonde info lindhard.h5
check "the source of stopping in a file" has_line "$out" 'electronic stopping: lindhard \(Lindhard and Scharff 1961\)'
finish
