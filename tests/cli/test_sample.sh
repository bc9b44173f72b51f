# One description of a sample for build, debye, ions, and fdtd.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
rows_of() { grep -v '^#' "$1"; } # FILE: a table without its head
replaced() { sed "$1" "$inputs/particle.yaml" >"$inputs/$2"; }

cat >"$inputs/particle.yaml" <<'END'
# gold in glass
materials:
  - {name: gold, library: Au-JC, cell: gold.vasp}
  - {name: glass, composition: SiO2, density: 2.2, index: 1.45, distance: "Si:Si=2.6,Si:O=1.5,O:O=2.2", displacement: 18}
bodies:
  - {material: glass, shape: sphere, radius: 2 nm}
  - {material: gold, shape: sphere, radius: 12 A}
clearance: 1.7 A
END
printf 'gold\n4.0782\n1 0 0\n0 1 0\n0 0 1\nAu\n4\nDirect\n0 0 0\n0 .5 .5\n.5 0 .5\n.5 .5 0\n' >"$inputs/gold.vasp"
sample=$inputs/particle.yaml

# atoms
ok "build" sonde build "$sample" -o particle.xyz
ok "build: the core alone" sonde build --cell fcc --species Au --a 4.0782 --sphere 12 -o core.xyz
check "build: as many of gold" [ "$(grep -c '^Au ' particle.xyz)" = "$(grep -c '^Au ' core.xyz)" ]
# 2.2 g/cm^3 are 0.0661 atoms in a cubic Angstrom, of 4/3 pi (20^3 - 12^3)
check "build: the glass by its density" awk '/^(Si|O) /{++n} END {v = 4/3*3.14159265*(8000 - 1728)*0.06615; exit !(n > 0.95*v && n < 1.05*v)}' particle.xyz
ok "build: the flag" sonde build --sample "$sample" -o flag.xyz
check "build: the flag gives the same" same_files particle.xyz flag.xyz
ok "debye of the description" sonde debye "$sample" --q 1:4:7 -o one.csv
ok "debye of the atoms" sonde debye particle.xyz --q 1:4:7 -o two.csv
check "debye: the same" same_files <(rows_of one.csv) <(rows_of two.csv)
check "debye: the description and its digest are in the result" has_line one.csv "sample: .*particle\.yaml sha256 $(sha256sum <"$sample" | cut -c1-64)"

ok "info" sonde info "$sample"
check "info: the crystal's density" has_line "$out" '^material +gold: Au, 19\.2887 g/cm\^3, 0\.0589731 atoms/Angstrom\^3, crystal$'
check "info: the volume of a body" has_line "$out" '^body +glass, sphere, 33510\.3 Angstrom\^3, x -20 to 20'
check "info: distances across the interface" has_line "$out" '^interfaces +atoms of different bodies are at least 1\.7[0-9]* Angstrom apart$'
# without a clearance, atoms at the interface are too close, which is reported
replaced /clearance/d tight.yaml
ok_warned "36 pairs of atoms of different bodies are closer than 0\\.7 of the sum of their covalent radii, down to 0\\.883 Angstrom; the sample's key 'clearance: 1\\.7'" \
	"build: no clearance" sonde build "$inputs/tight.yaml" -o tight.xyz
ok "info: no clearance" sonde info "$inputs/tight.yaml"
check "info: no clearance: the shortest distance" has_line "$out" '^interfaces +atoms of different bodies are at least 0\.883 Angstrom apart$'
check "info: no clearance: pairs" has_line "$out" '^ +36 pairs are closer than 0\.7 of the sum of their covalent radii; with clearance: 1\.7 none is$'
# a core that precedes what surrounds it
{
	sed '/^bodies:/,$d' "$inputs/tight.yaml"
	printf 'bodies:\n  - {material: gold, shape: sphere, radius: 5 A}\n  - {material: glass, shape: sphere, radius: 8 A}\n'
} >"$inputs/covered.yaml"
ok_warned "body 1, of gold, has no atoms: later bodies cover it" \
	"build: a body that another one covers" sonde build "$inputs/covered.yaml" -o covered.xyz
ok "info as JSON" sonde info "$sample" --json
check "info as JSON: a body" has_line "$out" '"material": "gold", "shape": "sphere", "copies": 1, "volume_angstrom3": 7238\.2'
cat "$sample" | sed "s|gold.vasp|$inputs/gold.vasp|" | "$program" build - -o - >piped.xyz 2>"$err"
check "from the standard input" same_files <(sed 1,2d piped.xyz) <(sed 1,2d particle.xyz)

ok "help" sonde help sample
check "help: keys of materials, bodies, and the sample" has_line <(tr '\n' ' ' <"$out") 'displacement: TEXT.*cell-center: X,Y,Z.*surroundings: TEXT'

# ions: the same bodies by a list of the job
cat >"$inputs/list.yaml" <<'END'
ions:
  ion: Xe
  energy: 20keV
  target: vacuum:40A
  number: 200
  displacement: Si@b1=18,O@b1=18
  bodies:
    - {material: "SiO2@2.2", shape: sphere, radius: 2 nm, center: [20, 0, 0]}
    - {material: "Au@19.2887", shape: sphere, radius: 12, center: [20, 0, 0]}
END
ok "ions of the description" sonde ions --sample "$sample" --ion Xe --energy 20keV -n 200 -o ions.csv
check "ions: in the middle of its surroundings" has_line "$out" '^region 3: Au from 8 Angstrom on to 32 Angstrom, 19\.288'
check "ions: energies of a material" has_line "$out" '^thresholds of O in body 1: displacement 18 eV'
ok "ions of a list" sonde ions "$inputs/list.yaml" -o list.csv
check "ions: the same" same_files <(rows_of ions.csv) <(rows_of list.csv)

# fdtd: permittivities and spectra of the same bodies by a list of the job
grid='size: 10 nm, 10 nm, 10 nm
  cell: 4 A
  steps: 60
  sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], wavelength: 520 nm}]
  monitors:
    - {name: all, kind: fields, size: [60 A, 60 A, 60 A], wavelengths: 520 nm}
    - {name: ball, kind: cross-section, wavelengths: "520 nm"}'
printf 'sample: particle.yaml\nfdtd:\n  %s\n' "$grid" >"$inputs/light.yaml"
printf 'fdtd:\n  %s\n  materials: [{name: glass, index: 1.45}]\n  bodies:\n    - {material: glass, shape: sphere, radius: 2 nm}\n    - {material: Au-JC, shape: sphere, radius: 12 A}\n' \
	"$grid" >"$inputs/old.yaml"
ok_warned 'the run ends after' "fdtd of the description" sonde fdtd "$inputs/light.yaml" --vtk one -o light.csv
ok_warned 'the run ends after' "fdtd of a list" sonde fdtd "$inputs/old.yaml" --vtk two -o old.csv
check "fdtd: the same fields and permittivities" same_files one/all-0000.vtk two/all-0000.vtk
check "fdtd: the same spectra" same_files <(rows_of light.csv) <(rows_of old.csv)
check "fdtd: the description is in the result" has_line light.csv 'sample: particle\.yaml sha256 [0-9a-f]{64}'

# one job for all; the description lies next to it
mkdir "$inputs/jobs"
cp "$inputs/gold.vasp" "$sample" "$inputs/jobs"
printf 'sample: particle.yaml\ndebye: {q: "1:4:7"}\nions: {ion: Xe, energy: 20keV, number: 200}\n' >"$inputs/jobs/all.yaml"
ok "a job: debye" sonde debye "$inputs/jobs/all.yaml" -o job.csv
check "a job: debye: the same" same_files <(rows_of one.csv) <(rows_of job.csv)
ok "a job: ions" sonde ions "$inputs/jobs/all.yaml" -o job_ions.csv
check "a job: ions: the same" same_files <(rows_of ions.csv) <(rows_of job_ions.csv)

# a run is not continued with another sample
ok "ions to be continued" sonde ions "$inputs/jobs/all.yaml" -o more.h5
ok "ions: info" sonde info more.h5
check "ions: info: the description" has_line "$out" 'particle\.yaml'
ok "ions continued" sonde ions "$inputs/jobs/all.yaml" -n 210 --resume -o more.h5
sed -i 's/12 A/13 A/' "$inputs/jobs/particle.yaml"
fails 2 'more\.h5' sonde ions "$inputs/jobs/all.yaml" -n 220 --resume -o more.h5

# notes, and what is refused
replaced 's/cell: gold.vasp/cell: gold.vasp, density: 18/' light.yaml
ok_warned 'line 3: the density of gold is given as 18 g/cm3, but that of its cell is 19\.29' "a density" \
	sonde build "$inputs/light.yaml" -o light.xyz
replaced 's/radius: 12 A/radius: 12 Angstroms/' wrong.yaml
fails 2 'wrong\.yaml:7:45: radius: ' sonde build "$inputs/wrong.yaml" -o no.xyz
fails 2 'wrong\.yaml:7:45: radius: ' sonde ions --sample "$inputs/wrong.yaml" --ion Xe --energy 20keV
replaced 's/material: gold/material: goldd/' unknown.yaml
fails 2 "unknown\.yaml:7: bodies 2: material: 'goldd' is not one of .*, did you mean 'gold'" sonde build "$inputs/unknown.yaml" -o no.xyz
replaced 's/gold.vasp/silver.vasp/' missing.yaml
fails 2 "missing\.yaml:3: materials 1: silver\.vasp: cannot be read.* searched the sample's folder" sonde debye "$inputs/missing.yaml"
fails 2 'sphere: not an option of a sample from a description, which has substitute, ' sonde build "$sample" --sphere 9 -o no.xyz

# options of build that change the atoms
ok "changes: build" sonde build "$sample" --vacancies 0.1 --displace 0.05 --seed 2 -o changed.xyz
check "changes: the source" has_line changed.xyz 'source="sonde build .*particle\.yaml --vacancies 0\.1 --displace 0\.05 --seed 2"'
printf 'sample: particle.yaml\nbuild: {vacancies: 0.1, displace: 0.05, seed: 2}\ndebye: {q: "1:4:7"}\n' >"$inputs/jobs/changed.yaml"
cp "$sample" "$inputs/jobs"
ok "changes: debye of a job" sonde debye "$inputs/jobs/changed.yaml" -o changed_job.csv
ok "changes: debye of the atoms" sonde debye changed.xyz --q 1:4:7 -o changed.csv
check "changes: the same" same_files <(rows_of changed.csv) <(rows_of changed_job.csv)
ok "changes: build of a job" sonde build "$inputs/jobs/changed.yaml" -o changed_too.xyz
check "changes: the same atoms" same_files <(tail -n +3 changed.xyz) <(tail -n +3 changed_too.xyz)
sed -i 's/vacancies: 0.1/sphere: 9/' "$inputs/jobs/changed.yaml"
fails 2 'changed\.yaml: build: sphere: not an option of a sample from a description' sonde debye "$inputs/jobs/changed.yaml" -o no.csv
fails 2 "sample: 'particle\.xyz' is not a description of a sample" sonde ions --sample particle.xyz --ion Xe --energy 20keV
fails 2 'absent\.yaml: cannot be read: No such file' sonde ions --sample absent.yaml --ion Xe --energy 20keV
fails 2 'absent\.yaml: cannot be read: No such file' sonde build --sample absent.yaml -o no.xyz
fails 2 'more than one sample is given' sonde debye particle.xyz --sample "$sample"
fails 2 'frame: .*has no frames' sonde debye "$sample" --frame 2
fails 2 'a job file is needed' sonde fdtd "$sample"

# multiply twinned bodies and oblique blocks for all probes: 147 and 55 atoms with a = 4.0782
cat >"$inputs/twins.yaml" <<'END'
materials:
  - {name: gold, cell: fcc, species: Au, a: 4.0782, library: Au-JC}
  - {name: glass, composition: SiO2, density: 2.2, index: 1.45, distance: "Si:Si=2.6,Si:O=1.5,O:O=2.2"}
bodies:
  - {material: glass, shape: parallelepiped, edges: [[2 nm, 0, 0], [5, 1.8 nm, 0], [3, 2, 16]], center: [0, 0, -2 nm]}
  - {material: gold, shape: icosahedron, edge: 1.07 nm, rotation: [10, 20, 30]}
  - {material: gold, shape: decahedron, radius: 6.3, height: 7.3, center: [0, 0, 2 nm]}
END
ok "twins: atoms" sonde build "$inputs/twins.yaml" -o twins.xyz
check "twins: 147 and 55 atoms of gold" [ "$(grep -c '^Au ' twins.xyz)" = 202 ]
ok "twins: debye" sonde debye "$inputs/twins.yaml" --q 1:4:7 -o twins.csv
ok "twins: debye of the atoms" sonde debye twins.xyz --q 1:4:7 -o twins_atoms.csv
check "twins: the same" same_files <(rows_of twins.csv) <(rows_of twins_atoms.csv)
ok "twins: ions" sonde ions --sample "$inputs/twins.yaml" --ion Xe --energy 20keV -n 200 -o twins_ions.csv
check "twins: the density of gold" has_line "$out" '^region 3: Au from .*, 19\.288'
ok "twins: plan of ions" sonde ions --sample "$inputs/twins.yaml" --ion Xe --energy 20keV --plan
check "twins: plan: the vacuum around" has_line "$out" '^target +vacuum, [0-9.]+ Angstrom'
check "twins: plan: the bodies" has_line "$out" '^ +1 element, 19\.288[0-9]* g/cm\^3, '
ok "twins: info" sonde info "$inputs/twins.yaml"
check "twins: volume of a block" has_line "$out" '^body +glass, parallelepiped, 5760 Angstrom'
printf 'sample: twins.yaml\nfdtd:\n  %s\n' "$grid" >"$inputs/twins_light.yaml"
ok_warned 'the run ends after' "twins: fdtd" sonde fdtd "$inputs/twins_light.yaml" -o twins_light.csv
sed 's/radius: 6.3, //' "$inputs/twins.yaml" >"$inputs/wrong.yaml"
fails 2 'wrong\.yaml:7: bodies 3: radius: required' sonde build "$inputs/wrong.yaml" -o no.xyz
sed 's/height: 7.3/edge: 7.3/' "$inputs/twins.yaml" >"$inputs/wrong.yaml"
fails 2 'wrong\.yaml:7:.*edge: .*decahedron' sonde build "$inputs/wrong.yaml" -o no.xyz
sed 's/cell: fcc/cell: bcc/' "$inputs/twins.yaml" >"$inputs/wrong.yaml"
fails 2 'wrong\.yaml:6: bodies 2: shape: icosahedra and decahedra of atoms are multiply twinned fcc metals' sonde build "$inputs/wrong.yaml" -o no.xyz
finish
