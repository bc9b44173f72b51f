#!/usr/bin/env bash
# Damages each kind of file that sonde reads, in many ways, and counts the outcomes:
#     tests/damage/run.sh SONDE DAMAGE [CASES] [JOBS]
# SONDE is the program, DAMAGE that of tests/damage/damage.c. CASES: of each kind of file and command, 2000 by default. Prints a line for each and
# ends with 1 if there was a crash, a hang, an end with a wrong exit code or without a message, or if a damaged file that has a checksum was
# taken for a sound one. Set SEED for other cases; files with a fault are kept in a folder, which is printed.
set -u
export LC_ALL=C
sonde=$(realpath "$1") damage=$(realpath "$2")
cases=${3:-2000}
jobs=${4:-$(nproc 2>/dev/null || echo 2)}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export SONDE_DATA=$root/data
# damaged jobs may ask for any amount: they get an error for it
[[ ${SONDE_SANITIZED:-0} = 1 ]] || ulimit -v $((16 << 20))
folder=$(mktemp -d -p "${TMPDIR:-/tmp}" sonde-damage-XXXXXX) || exit 1
cd "$folder" || exit 1

make() { # COMMAND...
	"$sonde" "$@" --quiet >log 2>&1 </dev/null || { echo "sonde $*: $(cat log)"; exit 1; }
}
# Starts a run that is too long, and stops it once it is at work.
stop() { # CHECKPOINT COMMAND...
	local checkpoint=$1 wait run
	shift
	for wait in 0.5 1 2 4 8 16 32; do
		"$sonde" "$@" --quiet >log 2>&1 </dev/null &
		run=$!
		sleep "$wait"
		kill -INT "$run"
		wait "$run"
		[[ ! -e $checkpoint ]] || return 0
	done
	echo "sonde $*: no checkpoint: $(cat log)"
	exit 1
}
cpu=(--device cpu --threads 1)

# sound files
printf '4\nProperties=species:S:1:pos:R:3:charge:R:1\nNa 0 0 0 1\nCl 2 0 0 -1\nNa 2 2 0 1\nCl 0 2.5 0.5 -1\n' >ions.xyz
gzip -nc ions.xyz >ions.xyz.gz
printf 'ATOM 1 NA ION 1 0 0 0 1 1.2\nATOM 2 CL ION 2 2 0 0 -1 1.8\nATOM 3 NA ION 3 0 3 0 1 1.2\nEND\n' >ions.pqr
for k in 1 2 3 4; do
	printf 'ATOM  %5d  C   ALA A%4d    %8.3f%8.3f%8.3f  1.00 10.00           C  \n' $k $k $k.5 $((k * k)).25 -$k.125
done >atoms.pdb
printf 'END\n' >>atoms.pdb
cat ions.xyz ions.xyz >frames.xyz
for k in 0 1; do
	printf 'ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 9\n0 9\n0 9\nITEM: ATOMS id element x y z\n2 Cl 3 1 1e0\n1 Na 0 0 %d\n' $k $k
done >frames.lammpstrj
printf 'file,weight\n../ions.xyz,1\n../ions.pqr,2.5\n' >list.csv
cp "$root/tests/fuzz/corpus/lammps_data/full" atoms.lmp
printf 'salt\n1\n5.6402 0 0\n0 5.6402 0\n0 0 5.6402\nNa Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n' >salt.vasp
printf 'ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id element x y z\n1 Na 1 2 3\n2 Cl 4 5 6\n' >atoms.dump
printf 'q Na Cl\n0 11 17\n1 9 13\n6 3 5\n' >factors.txt
make build --cell fcc --species Au --a 4 --sphere 4 --copies 8 --copy-spacing 12 -o copies.xyz
make build --cell fcc --species Au --a 4 --sphere 4 --copies 8 --copy-spacing 12 -o copies.h5
make debye ions.xyz --q 0.5:5:20 "${cpu[@]}" -o debye.h5
make coulomb ions.xyz --spacing 0.5 --padding 2 --quantity both "${cpu[@]}" -o coulomb.h5
make coulomb ions.xyz --spacing 0.5 --padding 2 "${cpu[@]}" -o volume.dx
for kind in h5 dx.gz cube mrc vtk; do
	"$sonde" convert volume.dx "volume.$kind" >log 2>&1 || { cat log && exit 1; }
done
ions=(ions --ion As --energy 1keV --target Si -n 40 --exits 20 "${cpu[@]}")
make "${ions[@]}" -o ions.h5
gold=(ions --ion Au --energy 200keV --target Au --exits 20 "${cpu[@]}")
stop gold.h5.checkpoint "${gold[@]}" -n 100000000 -o gold.h5
cat >light.yaml <<'END'
fdtd:
  size: [0, 0, 2 um]
  cell: 20 nm
  time: 30 fs
  materials: [{name: glass, index: 2}]
  bodies: [{material: glass, shape: box, size: [0, 0, 0.5 um]}]
  sources:
    - {kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], frequency: 180 THz, bandwidth: 100 THz}
  monitors:
    - {name: transmitted, kind: flux, center: [0, 0, 0.5 um], frequencies: 120 THz:240 THz:11, normalize: reference}
    - {name: snapshots, kind: snapshot, size: [0, 0, 1 um], every: 5 fs, components: Ex}
    - {name: here, kind: point, components: Ex}
END
"$sonde" fdtd light.yaml "${cpu[@]}" -o light.h5 --quiet >log 2>&1 || { cat log; exit 1; }
# without a run for reference it may be resumed with another number of steps
sed 's/time: 30 fs/until: 0/; s/, normalize: reference//' light.yaml >long.yaml
stop long.csv.checkpoint fdtd long.yaml "${cpu[@]}" --steps 1000000000 -o long.csv
steps=$("$sonde" info long.csv.checkpoint | awk '/^steps/ {print $2 + 10}')
printf 'solid s\n' >body.stl
face() { printf 'facet normal 0 0 0\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\nendfacet\n' "$@" >>body.stl; }
a='0 0 0' b='1e-6 0 0' c='0 1e-6 0' d='0 0 1e-6'
face "$a" "$c" "$b" && face "$a" "$b" "$d" && face "$b" "$c" "$d" && face "$c" "$a" "$d"
printf 'endsolid s\n' >>body.stl
printf 'fdtd:\n  size: [3 um, 3 um, 3 um]\n  cell: 100 nm\n  steps: 10\n  materials: [{name: glass, index: 2}]\n  bodies: [{material: glass, shape: stl, file: stl/now.stl, scale: 1}]\n  sources: [{kind: dipole, frequency: 200 THz, polarization: [1, 0, 0]}]\n  monitors: [{kind: point, components: Ez}]\n' >mesh.yaml
printf 'keV,eV/A\n10,5\n20,7\n50,11\n100,15\n1000,30\n' >stopping.csv
printf '# q_nm^-1 I sigma\n10 12 0.5\n20 8 0.4\n30 11 0.5\n40 8.5 0.4\n55 9 0.4\n' >measured.xye
cp "$root/tests/data/ions/trim_h_c.in" trim.in
cp "$root/tests/fuzz/corpus/poni/v21" geometry.poni
cp "$root/tests/fuzz/corpus/mask/text" mask.txt
cp "$root/tests/fuzz/corpus/mask/edf" mask.edf
printf 'qx,qy,qz\n0.5,0,0\n1,2,3\n-1.5e0,0.25,7\n' >vectors.csv
cp "$root/tests/data/ions/ball.h5" ball.h5

failed=0
started=()
collect() {
	local run
	for run in "${started[@]}"; do
		wait "$run" || failed=1
	done
	started=()
}
# Each in a folder of its own, with the damaged file as now.KIND there.
try() { # OPTIONS... NAME SOUND DAMAGED COMMAND...
	local options=()
	while [[ $1 == --* ]]; do
		if [[ $1 == --result ]]; then
			options+=("$1" "$2") && shift 2
		else
			options+=("$1") && shift
		fi
	done
	mkdir -p "$(dirname "$3")"
	"$damage" --cases "$cases" --seed "${SEED:-1}" "${options[@]}" "$1" "$2" "$3" "$sonde" "${@:4}" &
	started+=($!)
	((${#started[@]} < jobs)) || collect
}
plan=("${cpu[@]}" --plan)

# with a checksum
for engine in debye coulomb ions light; do
	try --sealed "$engine.h5: info" $engine.h5 "info-$engine/now.h5" info "info-$engine/now.h5"
done
try --sealed --result "volume/out.dx" "volume.h5: convert" volume.h5 volume/now.h5 convert volume/now.h5 volume/out.dx
try --sealed --result "field/out.csv" "coulomb.h5: convert" coulomb.h5 field/now.h5 convert field/now.h5 field/out.csv
try --sealed "ions.h5: resume" ions.h5 resume/now.h5 "${ions[@]}" -o resume/now.h5 --resume --json
try --sealed "ions checkpoint: info" gold.h5.checkpoint info-gold/now.h5.checkpoint info info-gold/now.h5.checkpoint
try --sealed "ions checkpoint: resume" gold.h5.checkpoint gold/now.h5.checkpoint "${gold[@]}" -n 1 -o gold/now.h5 --force --resume --json
try --sealed "fdtd checkpoint: info" long.csv.checkpoint info-long/now.csv.checkpoint info info-long/now.csv.checkpoint
try --sealed "fdtd checkpoint: resume" long.csv.checkpoint long/now.csv.checkpoint \
	fdtd long.yaml "${cpu[@]}" --steps "$steps" -o long/now.csv --force --resume --quiet
collect
# without
try "HDF5 of other programs" ball.h5 ball/now.h5 ions --ion He --energy 10keV --target Si --voxels ball/now.h5 -n 1 "${cpu[@]}" --json --voxel-materials vacuum/Si
try "XYZ" ions.xyz xyz/now.xyz info xyz/now.xyz
try "XYZ, compressed" ions.xyz.gz xyz.gz/now.xyz.gz info xyz.gz/now.xyz.gz
frames=(--frames all --q 1:2:3 --columns q,I --factors unit "${cpu[@]}")
try "XYZ: frames" frames.xyz frames/now.xyz debye frames/now.xyz "${frames[@]}"
try "LAMMPS dump: frames" frames.lammpstrj dump/now.lammpstrj debye dump/now.lammpstrj "${frames[@]}"
try "CSV: list of samples" list.csv list/now.csv debye list/now.csv "${frames[@]:2}"
try "PQR" ions.pqr pqr/now.pqr info pqr/now.pqr
try "PDB" atoms.pdb pdb/now.pdb info pdb/now.pdb
try "POSCAR" salt.vasp poscar/now.vasp info poscar/now.vasp
try "LAMMPS data" atoms.lmp lammps/now.lmp info lammps/now.lmp
try "LAMMPS dump" atoms.dump dump/now.dump info dump/now.dump
try "form factors" factors.txt factors/now.txt debye ions.xyz --q 0.5:5:20 --form-factors factors/now.txt "${cpu[@]}" --columns q,I
for kind in xyz h5; do
	try "copies in $kind" "copies.$kind" "copies-$kind/now.$kind" debye "copies-$kind/now.$kind" --q 0.5:5:20 --copies averaged "${cpu[@]}" --columns q,I
done
"$sonde" info "$root/tests/data/cif/olivine.cif" >log 2>&1 &&
	try "CIF" "$root/tests/data/cif/olivine.cif" cif/now.cif info cif/now.cif
try "YAML" light.yaml yaml/now.yaml fdtd yaml/now.yaml "${plan[@]}"
try "STL" body.stl stl/now.stl fdtd mesh.yaml "${plan[@]}"
for kind in dx dx.gz cube mrc vtk; do
	try --result "volume-$kind/out.csv" "$kind" "volume.$kind" "volume-$kind/now.$kind" convert "volume-$kind/now.$kind" "volume-$kind/out.csv"
done
try "CSV: stopping" stopping.csv csv/now.csv stopping --ion He --target Si --energies 20keV:100keV:3 --stopping-table csv/now.csv
try "XYE: a measured curve" measured.xye curve/now.xye debye ions.xyz --compare curve/now.xye "${plan[@]}"
pattern=(pattern ions.xyz --factors unit "${cpu[@]}" --json)
try "poni" geometry.poni poni/now.poni "${pattern[@]}" --poni poni/now.poni --detector 5,3
try "CSV: scattering vectors" vectors.csv vectors/now.csv "${pattern[@]}" --q-list vectors/now.csv
for kind in txt edf; do
	try "mask in $kind" "mask.$kind" "mask-$kind/now.$kind" "${pattern[@]}" --detector 5,3 --distance 50 --wavelength 1 --mask "mask-$kind/now.$kind"
done
try "TRIM.IN" trim.in trim/TRIM.IN ions trim/TRIM.IN -n 1 "${cpu[@]}" --json
collect
if ((failed == 0)); then
	cd / && rm -rf "$folder"
else
	echo "files with a fault are in $folder"
fi
exit $failed
