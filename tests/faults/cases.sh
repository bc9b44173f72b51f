# The commands that are run with faults: every subcommand, every kind of file that is read and written, each in a
# fraction of a second. To be sourced; $sonde is the program, $data is tests/data, $scratch a folder, $inputs one in
# it for input files. The program of contents.c, which prints the contents of an HDF5 file, is in the same build, or
# is $CONTENTS.
contents=${CONTENTS:-$(dirname "$sonde")/../tests/faults/contents}
[[ -x $contents ]] || {
	echo "$contents is missing: build the tests, or name it in CONTENTS" >&2
	exit 2
}

# drivers of other devices are no part of this, and no kernels are kept
mkdir -p "$scratch/none"
export LC_ALL=C OCL_ICD_VENDORS=$scratch/none XDG_CACHE_HOME=$scratch/cache
unset SONDE_ISA OMP_NUM_THREADS

# NAME OPTIONS WORDS...: a command. OPTIONS: "some" for commands that write several files, each of which is complete or absent; "-" for none.
names=() kinds=() commands=()
case_of() {
	local name=$1 kind=$2
	shift 2
	names+=("$name") kinds+=("$kind") commands+=("$*")
}

make_inputs() {
	cat >"$inputs/job.yaml" <<'END'
threads: 2
device: cpu
fdtd:
  size: [600 nm, 400 nm, 0]
  cell: 20 nm
  time: 6 fs
  materials: [{name: glass, permittivity: 4}]
  bodies: [{shape: cylinder, radius: 100 nm, height: 1 um, axis: [0,0,1], material: glass}]
  sources: [{kind: plane-wave, direction: [1,0,0], polarization: [0,0,1], wavelength: 700 nm, bandwidth: 260 THz}]
  monitors:
    - {name: all, kind: snapshot, size: [600 nm, 400 nm, 0], every: 2 fs}
    - {name: here, kind: point, center: [200 nm, 0, 0]}
    - {name: through, kind: flux, center: [200 nm, 0, 0], size: [0, 300 nm, 0], frequencies: 350THz:450THz:5}
END
	cat >"$inputs/thin.yaml" <<'END'
threads: 2
device: cpu
fdtd:
  size: [400 nm, 0, 0]
  cell: 10 nm
  time: 6 fs
  sources: [{kind: plane-wave, direction: [1,0,0], polarization: [0,0,1], wavelength: 700 nm}]
  monitors:
    - {name: here, kind: point, center: [100 nm, 0, 0]}
END
	cat >"$inputs/build.yaml" <<'END'
build:
  cell: fcc
  species: Au
  a: 4.0782
  sphere: 6
END
	cat >"$inputs/bodies.yaml" <<'END'
build: {cell: fcc, species: Au, a: 4.0782, bodies: [{shape: sphere, radius: 6}, {shape: box, size: 5, material: Ag}]}
END
	cat >"$inputs/mixture.yaml" <<'END'
build:
  structures: [{file: three.xyz, number: 2}, {file: one.pdb, number: 3}]
  copy-density: 0.1
  copy-orientations: random
debye: {q: "1:2:3", copies: averaged, columns: "q,I"}
END
	printf '3\n\nO 0 0 0\nH 1 0 0\nH 0 1 0\n' >"$inputs/three.xyz"
	cat >"$inputs/particle.yaml" <<'END'
clearance: 1
materials:
  - {name: gold, cell: fcc, species: Au, a: 4.0782}
  - {name: glass, composition: SiO2, density: 2.2, displacement: 20}
bodies:
  - {material: glass, shape: sphere, radius: 8}
  - {material: gold, shape: sphere, radius: 6}
END
	printf '1 2 3\n4 5 6\n' >"$inputs/points.txt"
	printf 'ATOM      1  N   ALA A   1      11.1  12.2  13.3  0.5 1.5\nATOM      2  C   ALA A   1      12.1  12.2  14.3 -0.5 1.7\n' >"$inputs/two.pqr"
	printf 'ATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0.00           N\n' >"$inputs/one.pdb"
	gzip -c "$data/C60.xyz" >"$inputs/c60.xyz.gz"
	printf '2\n\nAu 0 0 0\nAu 2 0 0\n2\n\nAu 0 0 0\nAu 3 0 0\n' >"$inputs/md.xyz"
	local coulomb=("$sonde" coulomb "$data/C60.xyz" --charges C=1 --size 6 --spacing 1 --method direct --device cpu --quiet -o)
	local kind
	for kind in dx cube vtk mrc h5; do "${coulomb[@]}" "$inputs/phi.$kind" || return; done
	"$sonde" debye "$data/C60.xyz" --device cpu --q 1:2:5 --quiet -o "$inputs/debye.h5" || return
	"$sonde" build --cell fcc --species Au --a 4.0782 --sphere 8 --quiet -o "$inputs/gold.xyz" || return
	printf '%s\n' 1 'Lattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3:U_aniso:R:6' 'Na 0 0 0 0.01 0.02 0.03 0 0 0' >"$inputs/cell.xyz"
	"$sonde" build --cell "$inputs/cell.xyz" --supercell 3,3,3 -o "$inputs/tensors.xyz" --quiet || return
	printf 'build: {cell: rocksalt, species: "Co,O", a: 4.2614, sphere: 7, hollow: 0.5}\ndebye: {method: lattice, q: 1:2:5}\n' \
		>"$inputs/lattice.yaml"
	"$sonde" ions --ion He --energy 1keV --target Si -n 20 --device cpu --quiet -o "$inputs/ions.h5" || return
	"$sonde" fdtd "$inputs/thin.yaml" --quiet -o "$inputs/fdtd.h5"
}

make_cases() {
	local on='--device cpu --threads 2' kind
	local debye="debye $data/C60.xyz $on --q 1:2:5 --r 1:4:10"
	local coulomb="coulomb $data/C60.xyz --charges C=1 --size 6 --spacing 1 $on"
	local ions="ions --ion He --energy 1keV --target Si -n 20 $on"

	case_of build.xyz - build --cell fcc --species Au --a 4.0782 --sphere 6 -o x.xyz
	case_of build.gz - build "$inputs/build.yaml" -o x.xyz.gz
	case_of build.bodies - build "$inputs/bodies.yaml" -o x.pdb
	case_of build.caps - build --nanotube 3,3 --caps --cells 1 -o x.xyz
	case_of build.mixture - build "$inputs/mixture.yaml" -o x.h5
	case_of debye.mixture.csv - debye "$inputs/mixture.yaml" $on -o x.csv
	case_of build.sample - build "$inputs/particle.yaml" -o x.xyz
	case_of ions.sample - ions --sample "$inputs/particle.yaml" --ion He --energy 1keV -n 20 $on -o x.csv
	case_of debye.stdout - "$debye"
	case_of debye.csv - "$debye" -o x.csv
	case_of debye.gz.h5 - debye "$inputs/c60.xyz.gz" $on --q 1:2:5 --r 1:4:10 --method histogram -o x.h5
	case_of debye.gr - "$debye" -o x.gr
	case_of debye.frames - debye "$inputs/md.xyz" --frames all $on --q 1:2:5 --r 1:4:10 -o x.csv
	case_of build.sizes some build --cell fcc --species Au --a 4.0782 --sphere 6 --size-distribution uniform:0.2:2 -o x.csv
	case_of debye.lattice.csv - debye "$inputs/gold.xyz" $on --q 1:2:5 --method lattice -o x.csv
	case_of debye.lattice.job - debye "$inputs/lattice.yaml" $on -o x.csv
	printf '2\nLattice="4 0 0 0 4 0 0 0 4"\nNa 0 0 0\nCl 2 0 0\n' >"$inputs/periodic.xyz"
	case_of debye.periodic - debye "$inputs/periodic.xyz" $on --q 1:2:5 --r 1:4:10 --cutoff 7 --counts -o x.csv
	case_of debye.periodic.moving - debye "$inputs/periodic.xyz" $on --q 1:2:5 --r 1:4:10 --cutoff 7 --counts --displacement 0.01 --qbroad 0.1 -o x.csv
	case_of debye.periodic.tensors - debye "$inputs/tensors.xyz" $on --q 1:2:5 --r 1:4:10 --cutoff 7 --boundary periodic --displacement sample -o x.csv
	case_of debye.lattice.tensors - debye "$inputs/tensors.xyz" $on --q 1:2:5 --boundary open --method lattice --displacement sample --delta2 1 -o x.csv
	case_of pattern.h5 - pattern "$inputs/c60.xyz.gz" $on --q 1:2:3 --phi 4 --wavelength 1 --amplitude -o x.h5
	case_of pattern.csv - pattern "$inputs/c60.xyz.gz" $on --q-list "$inputs/points.txt" -o x.csv
	case_of pattern.fast - pattern "$inputs/c60.xyz.gz" $on --q 1:2:3 --phi 4 --wavelength 1 --method fast -o x.csv
	case_of pattern.fast.box - pattern "$inputs/c60.xyz.gz" $on --u 1,0,0 --v 0,1,0 --h 0:2:3 --k 0:1:2 --tolerance 1e-3 --method fast -o x.csv
	cp "$here/../fuzz/corpus/poni/v21" "$inputs/geometry.poni"
	cp "$here/../fuzz/corpus/mask/text" "$inputs/mask.txt"
	case_of pattern.detector.h5 - pattern "$inputs/c60.xyz.gz" $on --poni "$inputs/geometry.poni" --mask "$inputs/mask.txt" --fluence 1e15 -o x.h5
	case_of pattern.detector.more some pattern "$inputs/c60.xyz.gz" $on --poni "$inputs/geometry.poni" --radial x.csv --write-poni y.poni
	case_of pattern.shots - pattern "$inputs/c60.xyz.gz" $on --q 1:2:3 --phi 4 --wavelength 1 --shots 3 -o x.h5
	case_of pattern.frames - pattern "$inputs/md.xyz" $on --q 1:2:3 --phi 4 --wavelength 1 --frames all --orientations fiber:2 -o x.h5
	case_of pattern.copies - pattern "$inputs/c60.xyz.gz" $on --q 1:2:3 --phi 4 --wavelength 1 --copies independent --copy-atoms 20 --orientations random:2 -o x.csv
	case_of plot.png - "$debye" --plot x.png
	case_of plot.svg - "$ions" --plot x.svg
	case_of plot.map - "$coulomb" --method direct --plot x.png
	case_of plot.atoms - info "$inputs/two.pqr" --plot x.png
	case_of report - report "$inputs/debye.h5" "$inputs/c60.xyz.gz" --threads 2 -o x.html
	case_of coulomb.stdout - coulomb "$inputs/two.pqr" --points "$inputs/points.txt" $on
	for kind in dx dx.gz cube cube.gz vtk mrc h5 csv; do
		case_of coulomb.$kind - "$coulomb" --method direct -o x.$kind
	done
	case_of coulomb.fast.h5 - "$coulomb" --method fast --quantity both -o x.h5
	case_of stopping.csv - stopping --ion He --target Si --energies 10keV,100keV -o x.csv
	case_of stopping.srim - stopping --ion He --target Si --energies 10keV,100keV --srim x.txt
	case_of ions.h5 - "$ions" -o x.h5
	case_of ions.csv - "$ions" -o x.csv
	case_of ions.srim all "$ions" --srim x
	case_of fdtd.h5 - fdtd "$inputs/job.yaml" -o x.h5
	case_of fdtd.csv - fdtd "$inputs/thin.yaml" -o x.csv
	case_of fdtd.frames all fdtd "$inputs/job.yaml" --frames x
	case_of fdtd.vtk all fdtd "$inputs/job.yaml" --vtk x
	case_of convert.dx.cube - convert "$inputs/phi.dx" x.cube
	case_of convert.cube.h5 - convert "$inputs/phi.cube" x.h5
	case_of convert.h5.dx.gz - convert "$inputs/phi.h5" x.dx.gz
	case_of convert.vtk.mrc - convert "$inputs/phi.vtk" x.mrc
	case_of convert.mrc.vtk - convert "$inputs/phi.mrc" x.vtk
	case_of convert.dx.csv - convert "$inputs/phi.dx" x.csv
	for kind in debye.h5 ions.h5 fdtd.h5 phi.dx phi.h5 c60.xyz.gz two.pqr one.pdb; do
		case_of info.$kind - info "$inputs/$kind"
	done
	case_of devices - devices --device cpu
	case_of help - help debye
}

# The content of a file without what every run has of its own; of an HDF5 file every number, text and attribute, if its seal is sound.
own='[^/]+/(start_time|seconds|process/(command|date|device|peak_memory|rate|resumed|resumed_seconds|seconds|options/resume|job))'
content() { # FILE
	case $1 in
	*.h5)
		"$sonde" info "$1" >/dev/null 2>&1 || echo 'not sound'
		"$contents" "$1" | grep -vE "^($own)(@checksum)?: |^\.@file_time: "
		;;
	*.gz) gzip -dc "$1" | grep -av '^#' ;;
	*) grep -avE '^#|^(Date|Calc\. date)|[0-9]:[0-9][0-9]:[0-9][0-9]' "$1" ;;
	esac
}
# Names and contents of what is in the working folder.
result() {
	local file
	for file in * x/*; do
		[[ -f $file ]] || continue
		printf '%s %s\n' "$file" "$(content "$file" | cksum)"
	done
}
