#!/usr/bin/env bash
# Reports: what a page contains, that nothing in a file becomes markup, and, if there is Chromium, that it works in a browser.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# the numbers of a dataset in a page, one a line; they are float64 in base64
numbers_of() { # PAGE DATASET
	sed -nE 's|^\{"path":"'"$2"'".*"type":"f8","data":"([^"]*)".*|\1|p' "$1" | base64 -d | od -An -v -t f8 -w8 | tr -d ' '
}
is_closed() { [[ $(tail -c 15 "$1") == '</body></html>' ]]; }

ok "a result" sonde debye "$data/C60.xyz" --q 0.5:12:47 -o c60.h5 --quiet
ok "a page" sonde report c60.h5 "$data/C60.xyz" -o c60.html
check "a page: said" has_line "$out" '^c60\.html: 2 files, 2\.[0-9] MB$'
check "a page: complete" is_closed c60.html
ok "a page, again" sonde report c60.h5 "$data/C60.xyz" -o c60.html --force --quiet
mv c60.html first.html
ok "a page, and again" sonde report c60.h5 "$data/C60.xyz" -o c60.html --force --quiet
check "a page: the same bytes each time" cmp -s c60.html first.html
check "a page: less than 5 MB" [ "$(stat -c %s c60.html)" -lt 5000000 ]
check "a page: nothing is fetched" contains c60.html "content=\"default-src 'none';"
check "a page: no address is loaded" [ -z "$(sed '/id="plotly"/d' c60.html | grep -E '(src|href)="?https?:')" ]
ok "the same numbers as a table" sonde debye "$data/C60.xyz" --q 0.5:12:47 -o c60.xy --quiet
columns() { grep -v '^#' c60.xy | awk '{print $1, $3}'; }
check "the numbers of the page are those of the table" awk 'function near(a, b) {d = a - b; s = b < 0 ? -b : b; return d <= 1e-14*s && -d <= 1e-14*s}
	{++n; if (!near($1, $3) || !near($2, $4)) bad = 1} END {exit bad || n != 47}' \
	<(paste -d ' ' <(numbers_of c60.html /debye/intensity/q) <(numbers_of c60.html /debye/intensity/I_per_atom) <(columns))
check "errors" [ "$(numbers_of c60.html /debye/intensity/I_per_atom_errors | wc -l)" = 47 ]
check "provenance" grep -q '"path":"/debye/process/command","kind":"text","texts":\["sonde debye ' c60.html
check "options" grep -q '"path":"/debye/process/options/q","kind":"text","units":"1/Angstrom","texts":\["0.5:12:47"\]' c60.html
check "atoms" grep -q '"kind":"atoms","count":60,"each":1,"species":\[{"label":"C","count":60,' c60.html

# every engine
ok "ions" sonde ions --ion He --energy 5keV --target Si:50nm -n 60 --trajectories 3 -o ions.h5 --quiet
ok "stopping" sonde stopping --ion He --target Si -o stopping.h5 --quiet
ok "coulomb" sonde coulomb "$data/C60.xyz" --charges C=1 --spacing 0.5 -o coulomb.h5 --quiet
ok "pattern" sonde pattern "$data/C60.xyz" --h -3:3:601 --k -3:3:501 --u 1,0,0 --v 0,1,0 -o pattern.h5 --quiet
cat >"$inputs/slab.yaml" <<'END'
fdtd:
  size: [400 nm, 400 nm, 0]
  cell: 20 nm
  time: 20 fs
  materials: [{name: "</script><script>hacked()</script>", permittivity: 2}]
  bodies: [{shape: sphere, radius: 40 nm, material: "</script><script>hacked()</script>"}]
  sources: [{kind: plane-wave, direction: [1,0,0], polarization: [0,0,1], frequency: 500 THz, bandwidth: 300 THz}]
  monitors:
    - {name: "<img src=x onerror=hacked()>", kind: point, center: [50 nm, 0, 0]}
    - {name: map, kind: fields, size: [200 nm, 200 nm, 0], wavelengths: 600 nm}
END
ok "fdtd" sonde fdtd "$inputs/slab.yaml" -o fdtd.h5 --quiet
# bodies in space: turned, repeated, hollow, with corners given
cat >"$inputs/bodies.yaml" <<'END'
fdtd:
  size: [400 nm, 400 nm, 400 nm]
  cell: 20 nm
  time: 0.5 fs
  materials: [{name: glass, permittivity: 2}]
  bodies:
    - {material: glass, shape: box, size: [100 nm, 60 nm, 40 nm], center: [50 nm, 0, 0], rotation: [90, 0, 30]}
    - {material: glass, shape: ellipsoid, radii: [20 nm, 40 nm, 60 nm], rotation: [0, 0, 90]}
    - {material: glass, shape: cone, radius: 60 nm, radius-top: 30 nm, height: 80 nm, axis: [1, 0, 0]}
    - {material: glass, shape: cylinder, radius: 60 nm, inner-radius: 30 nm, height: 80 nm}
    - {material: glass, shape: prism, vertices: [[0, 0], [80 nm, 0], [80 nm, 30 nm], [40 nm, 30 nm], [40 nm, 80 nm], [0, 80 nm]], axis: [0, 1, 0], height: 50 nm}
    - {material: glass, shape: octahedron, edge: 60 nm, repeat: [2, 1, 1], pitch: [100 nm, 0, 0]}
    - {material: glass, shape: truncated-cube, edge: 20 nm}
    - {material: glass, shape: icosahedron, edge: 30 nm}
    - {material: glass, shape: rhombic-dodecahedron, edge: 40 nm}
    - {material: glass, shape: hexagonal-prism, edge: 40 nm, height: 60 nm, rotation: [0, 90, 0]}
    - {material: glass, shape: parallelepiped, edges: [[60 nm, 0, 0], [30 nm, 50 nm, 0], [10 nm, 20 nm, 40 nm]]}
    - {material: glass, shape: wulff, wulff: "111:1,100:1.15", radius: 20 nm}
    - {material: glass, shape: stl, file: corner.stl, scale: 1 nm, center: [10 nm, 0, 0]}
    - {shape: voxels, file: ball.h5, materials: [none, glass]}
  sources: [{kind: plane-wave, direction: [1,0,0], polarization: [0,0,1], frequency: 500 THz, bandwidth: 300 THz}]
  monitors: [{name: one, kind: point, center: [50 nm, 0, 0]}]
END
# a corner of a cube
awk 'BEGIN {split("0 0 0,60 0 0,0 60 0,0 0 60", v, ","); print "solid corner"
	n = split("1 3 2,1 2 4,1 4 3,2 3 4", f, ",")
	for (k = 1; k <= n; ++k) {split(f[k], c, " "); print "facet normal 0 0 0\nouter loop"
		for (m = 1; m <= 3; ++m) print "vertex " v[c[m]]
		print "endloop\nendfacet"}
	print "endsolid corner"}' >corner.stl
cp "$data/ions/ball.h5" .
ok "bodies" sonde fdtd "$inputs/bodies.yaml" -o bodies.h5 --quiet
ok "bodies: a page" sonde report bodies.h5 -o bodies.html --quiet
if command -v node >/dev/null; then
	# volumes in nm^3, of circles as polygons, and boxes in nm
	cat >expected <<'END'
box glass 240000.0 -3.301:103.301 -42.321:42.321 -30.000:30.000 1/1
ellipsoid glass 197463.3 -40.000:40.000 -20.000:20.000 -60.000:60.000 1/1
cone glass 524402.8 -40.000:40.000 -60.000:60.000 -60.000:60.000 1/1
cylinder glass 674232.2 -60.000:60.000 -60.000:60.000 -40.000:40.000 1/1
prism glass 220000.0 0.000:80.000 -25.000:25.000 0.000:80.000 1/1
octahedron glass 203646.8 -92.426:92.426 -42.426:42.426 -42.426:42.426 2/2
truncated-cube glass 108797.3 -24.142:24.142 -24.142:24.142 -24.142:24.142 1/1
icosahedron glass 58905.8 -24.271:24.271 -24.271:24.271 -24.271:24.271 1/1
rhombic-dodecahedron glass 197068.9 -46.188:46.188 -46.188:46.188 -46.188:46.188 1/1
hexagonal-prism glass 249415.3 -30.000:30.000 -34.641:34.641 -40.000:40.000 1/1
parallelepiped glass 120000.0 -50.000:50.000 -35.000:35.000 -20.000:20.000 1/1
wulff glass 33510.3 -20.248:20.248 -20.248:20.248 -20.248:20.248 1/1
stl glass 36000.0 10.000:70.000 0.000:60.000 0.000:60.000 1/1
voxels glass 2176.0 -8.000:8.000 -8.000:8.000 -8.000:8.000 1/1
END
	node "$here/report_bodies.js" bodies.html >meshes
	check "bodies: volumes and places: $(diff expected meshes)" cmp -s expected meshes
	rm -f expected meshes
	# parts within the region: of a film that reaches far beyond it, and halves, a quarter and an eighth of others
	cat >"$inputs/parts.yaml" <<'END'
fdtd:
  size: [400 nm, 400 nm, 400 nm]
  cell: 20 nm
  time: 0.5 fs
  materials: [{name: glass, permittivity: 2}]
  bodies:
    - {material: glass, shape: box, size: [1 mm, 1 mm, 100 nm]}
    - {material: glass, shape: ellipsoid, radii: [60 nm, 60 nm, 60 nm], center: [200 nm, 0, 0]}
    - {material: glass, shape: ellipsoid, radii: [60 nm, 60 nm, 60 nm], center: [200 nm, -200 nm, 200 nm]}
    - {material: glass, shape: cylinder, radius: 60 nm, inner-radius: 30 nm, height: 80 nm, center: [0, 200 nm, 0]}
    - {material: glass, shape: prism, vertices: [[0, 0], [80 nm, 0], [80 nm, 30 nm], [40 nm, 30 nm], [40 nm, 80 nm], [0, 80 nm]], height: 50 nm, center: [160 nm, 140 nm, -200 nm]}
    - {material: glass, shape: box, size: [40 nm, 40 nm, 40 nm], repeat: [3, 1, 1], pitch: [200 nm, 0, 0]}
    - {material: glass, shape: box, size: [40 nm, 40 nm, 40 nm], center: [0, 0, 300 nm]}
  sources: [{kind: dipole, polarization: [0,0,1], frequency: 500 THz, bandwidth: 300 THz}]
  monitors: [{name: one, kind: point, center: [50 nm, 0, 0]}]
END
	cat >expected <<'END'
box glass 16000000.0 -200.000:200.000 -200.000:200.000 -50.000:50.000 1/1
ellipsoid glass 444292.3 140.000:200.000 -60.000:60.000 -60.000:60.000 1/1
ellipsoid glass 111073.1 140.000:200.000 -200.000:-140.000 140.000:200.000 1/1
cylinder glass 337116.1 -60.000:60.000 140.000:200.000 -40.000:40.000 1/1
prism glass 60000.0 160.000:200.000 140.000:200.000 -200.000:-175.000 1/1
box glass 128000.0 -200.000:200.000 -20.000:20.000 -20.000:20.000 3/3
box glass 0.0 Infinity:-Infinity Infinity:-Infinity Infinity:-Infinity 1/1
END
	ok "parts" sonde fdtd "$inputs/parts.yaml" -o parts.h5 --quiet
	ok "parts: a page" sonde report parts.h5 -o parts.html --quiet
	node "$here/report_bodies.js" parts.html >meshes
	check "bodies: parts within the region: $(diff expected meshes)" cmp -s expected meshes
	# views: of a job along one direction, whose film, sheet and monitor get an extent across it, and of ions in a tip, whose recoils fly far beyond it
	cat >"$inputs/film.yaml" <<'END'
fdtd:
  size: 0, 0, 600 nm
  cell: 10 nm
  time: 20 fs
  materials: [{name: glass, index: 1.5}]
  bodies: [{material: glass, shape: box, size: [0, 1 m, 200 nm]}]
  sources: [{kind: sheet, center: [0, 0, -250 nm], polarization: [1, 0, 0], direction: [0, 0, 1], wavelength: 600 nm}]
  monitors: [{kind: flux, name: transmitted, center: [0, 0, 250 nm], wavelengths: 500 nm:700 nm:3}]
END
	ok "views: a film" sonde fdtd "$inputs/film.yaml" -o film.h5 --quiet
	cat >"$inputs/tip.yaml" <<'END'
ions:
  ion: Ga
  energy: 5keV
  target: vacuum:150nm
  surface: planar
  number: 10
  trajectories: 10
  bodies:
    - {material: Si, shape: cone, center: [80 nm, 0, 0], axis: [-1, 0, 0], height: 120 nm, radius: 40 nm, radius-top: 15 nm}
    - {material: Pt, shape: prism, center: [20 nm, 0, 0], axis: [1, 0, 0], height: 8 nm, vertices: [[-100, -100], [10 nm, -100], [100, 20 nm]]}
END
	ok "views: a tip" sonde ions "$inputs/tip.yaml" -o tip.h5 --quiet
	# a plane wave within the whole box, with a monitor two cells around it, and one in a box of its own
	cat >"$inputs/wave.yaml" <<'END'
fdtd:
  size: 400 nm, 400 nm, 0
  cell: 10 nm
  time: 20 fs
  sources: [{kind: plane-wave, direction: [3, 4, 0], polarization: [0, 0, 1], wavelength: 600 nm}]
  monitors: [{kind: cross-section, name: cs, wavelengths: '500 nm:700 nm:3'}]
END
	cat >"$inputs/small.yaml" <<'END'
fdtd:
  size: 0, 0, 600 nm
  cell: 10 nm
  time: 20 fs
  sources: [{kind: plane-wave, direction: [0, 0, -1], polarization: [1, 0, 0], wavelength: 600 nm, size: [0, 0, 300 nm], center: [0, 0, 50 nm]}]
  monitors: [{kind: point, name: one}]
END
	ok "views: a plane wave" sonde fdtd "$inputs/wave.yaml" -o wave.h5 --quiet
	ok "views: a plane wave in a box" sonde fdtd "$inputs/small.yaml" -o small.h5 --quiet
	ok "views: a page" sonde report film.h5 tip.h5 wave.h5 small.h5 -o views.html --quiet
	node "$here/report_views.js" views.html >meshes
	cat >expected <<'END'
Bodies -114:114 -114:114 -324:324 nm
- glass: -90:90 -90:90 -100:100
- source 1: sheet: -90:90 -90:90 -250:-250
- monitor transmitted: -90:90 -90:90 250:250
- inside of the absorbing layers: -90:90 -90:90 -300:300
  The job has no extent along x and y; what is drawn there is for the eye.
Trajectories -60:1560 -460:460 -460:460 Å
- Si: 200:1400 -400:400 -400:400
- Pt: 160:240 -100:100 -100:200
- layer: 0:1500 -400:400 -400:400
Bodies -216:216 -216:216 -36:36 nm
- source 1: plane-wave: -160:160 -160:160 -20:20
- source 1: plane-wave, direction: -120:-60 -160:-80 -12:12
- monitor cs: -180:180 -180:180 -20:20
- inside of the absorbing layers: -200:200 -200:200 -20:20
  The job has no extent along z; what is drawn there is for the eye.
Bodies -114:114 -114:114 -324:324 nm
- source 1: plane-wave: -90:90 -90:90 -100:200
- source 1: plane-wave, direction: -9:9 -9:9 125:200
- monitor one: 0:0 0:0 0:0
- inside of the absorbing layers: -90:90 -90:90 -300:300
  The job has no extent along x and y; what is drawn there is for the eye.
END
	grep -vE '^(- (ions|recoils):|=|\|)' meshes >drawn
	check "views: the spectrum of sputtered atoms" grep -qE '^= Energies of leaving atoms: tip\.h5: Pt in body 2, through x = 0: [0-9]+ of energy, [0-9]*\.[0-9]*[1-9]' meshes
	check "views: totals" grep -qE '^\| totals name,of,unit,inside,inside errors,total,total errors \([0-9]+\)$' meshes
	check "views: numbers without a column that is empty" grep -qE '^\| Numbers ,value(,unit)? \([0-9]+\)$' meshes
	check "views: what is drawn, and the axes: $(diff expected drawn)" cmp -s expected drawn
	check "views: some recoils leave the axes" awk '/^- recoils:/ {split($0, n, /[ :]+/); for (k in n) if (n[k] > 1000 || n[k] < -1000) far = 1} END {exit !far}' meshes
	rm -f expected meshes drawn
else
	skip "bodies: volumes and places" "no Node.js here"
fi
# notes on a run are in its file and on its page
printf '2\n\nGd 0 0 0\nGd 3 0 0\n' >"$inputs/gadolinium.xyz"
sonde debye "$inputs/gadolinium.xyz" --radiation neutron --q 0.1:9:5 -o notes.h5 --quiet 2>/dev/null
ok "notes: a page" sonde report notes.h5 -o notes.html --quiet
rm corner.stl
ok "bodies: a page without a file" sonde report bodies.h5 -o bodies.html --force --quiet
check "bodies: of two from files one is left" [ "$(grep -o '"kind":"body","number":[0-9]*,"file":"[a-z.0-9]*"' bodies.html)" = '"kind":"body","number":13,"file":"ball.h5"' ]
check "notes: on the page" grep -q '"path":"/debye/process/notes","kind":"text","texts":\["the scattering length of Gd' notes.html
for engine in ions stopping coulomb pattern fdtd; do
	ok "$engine: a page" sonde report $engine.h5 -o $engine.html --quiet
	check "$engine: a curve or map" grep -q '"kind":"group","NX_class":"NXdata".*"signal":' $engine.html
	check "$engine: axes" grep -q '"NX_class":"NXdata".*"axes":\["' $engine.html
done
check "ions: trajectories" grep -q '"path":"/ions/trajectories/position","kind":"numbers","units":"angstrom"' ions.html
# means of 2 x 2 and 3 x 2 neighbors and so on, until 160,000 are left
check "pattern: reduced, which the page knows" grep -q '"sizes":\[1,501,601\],"shape":\[1,[0-9]*,[0-9]*\],"thinned":false' pattern.html
shape=$(sed -nE 's|^\{"path":"/pattern/data/I".*"shape":\[1,([0-9]+),([0-9]+)\].*|\1 \2|p' pattern.html)
read -r rows columns <<<"$shape"
sed -nE 's|^\{"path":"/pattern/data/I".*"type":"f4","data":"([^"]*)".*|\1|p' pattern.html | base64 -d | od -An -v -t f4 -w4 | tr -d ' ' >means
sonde pattern "$data/C60.xyz" --h -3:3:601 --k -3:3:501 --u 1,0,0 --v 0,1,0 -o pattern.csv --quiet
check "pattern: means of neighbors ($shape)" awk -v rows="$rows" -v columns="$columns" -F, 'NR == FNR {mean[NR - 1] = $1; next}
	/^[#h]/ {next}
	{i = n % 601; j = int(n / 601); ++n; k = int(j / int((501 + rows - 1) / rows)) * columns + int(i / int((601 + columns - 1) / columns)); sum[k] += $4; ++count[k]}
	END {for (k in sum) {d = mean[k] - sum[k] / count[k]; s = mean[k] > 0 ? mean[k] : 1; if (d > 1e-6 * s || -d > 1e-6 * s) ++bad; ++all}
		exit bad > 0 || n != 501 * 601 || all != rows * columns}' means pattern.csv
rm means pattern.csv
check "coulomb: units" grep -q '"path":"/coulomb/potential/potential","kind":"numbers","units":"V"' coulomb.html
# the job file, as it was
for engine in debye pattern coulomb ions stopping; do
	case $engine in
	debye) lines="debye: {q: 1:9:5}" ;;
	pattern) lines="pattern: {h: -1:1:5, k: -1:1:5, u: [1, 0, 0], v: [0, 1, 0]}" ;;
	coulomb) lines="coulomb: {charges: C=1, spacing: 2}" ;;
	ions) lines="ions: {ion: He, energy: 1keV, target: 'Si:50nm', number: 5}" ;;
	stopping) lines="stopping: {ion: He, target: Si}" ;;
	esac
	printf '%s # as it is\n' "$lines" >"$inputs/job_of_$engine.yaml"
	[[ $engine = ions || $engine = stopping ]] || printf 'sample: %s\n' "$data/C60.xyz" >>"$inputs/job_of_$engine.yaml"
	ok "$engine: from a job" sonde $engine "$inputs/job_of_$engine.yaml" -o job.h5 --force --quiet
	ok "$engine: page of a job" sonde report job.h5 -o job.html --force --quiet
	check "$engine: the job file on the page" grep -q "\"path\":\"/$engine/process/job_file\",\"kind\":\"text\",\"texts\":\[\"$engine: {.* # as it is" job.html
	ok "$engine: described" sonde info job.h5
	check "$engine: the job file in the description" has_line "$out" "^ {13}$engine: \\{.* # as it is\$"
	check "$engine: none without a job file" [ "$(grep -c job_file $([[ $engine = debye ]] && echo c60 || echo $engine).html)" = 1 ]
done
check "fdtd: the job" grep -q '"path":"/fdtd/process/job_file","kind":"text"' fdtd.html

# files of the same name
mkdir a b
cp c60.h5 a/r.h5
cp c60.h5 b/r.h5
ok "the same name" sonde report a/r.h5 b/r.h5 ./a/r.h5 c60.h5 -o names.html --quiet
names=$(grep -oE '^\{"name":"[^"]*"' names.html | cut -d '"' -f 4 | tr '\n' ' ')
check "the same name: parts of the paths: $names" [ "$names" = 'a/r.h5 b/r.h5 a/r.h5 (2) c60.h5 ' ]
ok "the same name: two" sonde report a/r.h5 b/r.h5 -o names.html --force --quiet
check "the same name: the title" grep -qF '<title>a/r.h5 and b/r.h5</title>' names.html
rm -r names.html a b

# tables: names and units of sonde and of others, several in a file, NaN and infinite numbers, commas in quotes
ok "a table of ions" sonde ions --ion He --energy 5keV --target Si:50nm -n 20 --bins 10 -o ions.csv --quiet
ok "a table of fdtd" sonde fdtd "$inputs/slab.yaml" -o fdtd.csv --quiet
ok "a table of stopping" sonde stopping --ion He --target Si -o stopping.csv --quiet
ok "a table of debye" sonde debye "$data/C60.xyz" --q 0.5:12:47 --columns r,G -o gr.csv --quiet
printf 'x,"y, in m",z (eV)\n1,NaN,-Inf\n2,inf,nan\n3,5,6\n' >"$inputs/odd.csv"
printf '# x y [nm]  potential [V]\n1 2 3\n' >"$inputs/shared.txt"
printf 'name,word\na,b\nc,d\n' >"$inputs/words.csv"
printf 'q (1/nm);I, a. u.;"of; which"\r\n0,5;-1,25e3;a,b\r\n1;2;c\r\n' >"$inputs/decimal.csv"
printf '1,5;2,5\n3,5;4,5\n' >"$inputs/bare.csv"
printf '1,2,a;b\n3,4,c;d\n' >"$inputs/words_too.csv"
printf '# q;I\n1.5; 2\n2.5; 3\n' >"$inputs/points.csv"
if command -v node >/dev/null; then
	node "$here/report_tables.js" "$here/../../src/cli/report" c60.xy gr.csv ions.csv stopping.csv fdtd.csv "$inputs/odd.csv" "$inputs/shared.txt" \
		"$inputs"/{decimal,bare,words_too,points}.csv >tables
	check "tables: semicolons and decimal commas" grep -qxF 'table | q[1/nm]=0.5 | I, a. u.[]=-1250 | of; which[]=a,b' tables
	check "tables: decimal commas without names" grep -qxF 'table | column 1[]=1.5 | column 2[]=2.5' tables
	check "tables: commas between cells with semicolons" grep -qxF 'table | column 1[]=1 | column 2[]=2 | column 3[]=a;b' tables
	check "tables: semicolons and decimal points" grep -qxF 'table | q[]=1.5 | I[]=2' tables
	check "tables: names and units of .xy" grep -qE '^table \| q\[1/Angstrom\]=0.5 \| I\[electron\^2\]=.* \| I per atom\[electron\^2\]=' tables
	check "tables: units of debye" grep -qE '^table \| r\[Angstrom\]=0.5 \| G\[1/Angstrom\^2\]=' tables
	check "tables: middles of bins, units in a comment" grep -qE '^table \| x\[Angstrom\]=25 \| implanted_ions\[1/Angstrom\]=.* \| ionization_by_ions\[eV/Angstrom\]=' tables
	check "tables: units of stopping" grep -qE '^table \| energy\[keV\]=.* \| electronic\[eV/Angstrom\]=.* \| range\[Angstrom\]=' tables
	check "tables: several of fdtd" grep -qE '^map: fields \| frequency\[Hz\]=[0-9.e]+ \| wavelength\[m\]=6e-7' tables
	check "tables: NaN, infinite, quotes" grep -qxF 'table | x[]=1 | y, in m[]=NaN | z[eV]=-Infinity' tables
	check "tables: a unit for several" grep -qxF 'table | x[nm]=1 | y[nm]=2 | potential[V]=3' tables
	check "tables: many rows" grep -qx '200000 rows' tables
	check "axes of an oblique grid" [ "$(grep '^axis' tables)" = $'axis x 0 5 /y5 /z7 false\naxis a 0 5 /y5 /z7 false\naxis b 0 2 /z5 true\naxis . none' ]
	check "curves of many files" grep -qx '30 lines' tables
	check "numbers: $(grep '×' tables)" grep -qxF '1.23457×10⁶; 1.234×10⁻⁵; 123456; −∞; (9.836 ± 0.038)×10¹⁹; 1.235 ± 0.012; −12300 ± 1200; 0.00 ± 0.50; 1.50 ± 0.25; ' tables
	rm tables
else
	skip "tables" "no Node.js here"
fi

# fits of sonde match: a film of two structures and two peaks that none of the candidates has; a structure that is nearly
# as good as one of them; and a series in which one structure becomes more
ok "C60" sonde build --fullerene C60 -o "$inputs/sixty.xyz" --quiet
ok "flake" sonde build --graphene hexagon=12 -o "$inputs/flake.xyz" --quiet
for length in 25 30; do ok "tube of $length" sonde build --nanotube 6,6 --length $length -o "$inputs/tube$length.xyz" --quiet; done
for name in sixty flake tube25 tube30; do
	ok "curve of $name" sonde debye "$inputs/$name.xyz" --q 0.5:15:400 -o "$inputs/$name.h5" --quiet
	ok "table of $name" sonde debye "$inputs/$name.xyz" --q 0.5:15:400 -o "$inputs/$name.dat" --quiet
done
for row in 1 2 3; do
	paste -d ' ' "$inputs/sixty.dat" "$inputs/tube25.dat" | awk -v row=$row '/^[0-9.]/ {
		y = (4 + row) * $3 + 2 * $8 + 200; z = y + 80 * exp(-($1 - 6)^2 / 0.02) - 60 * exp(-($1 - 11)^2 / 0.03)
		printf "%s %.9g %.6g\n", $1, z + sqrt(y) * sin(++n * n * 0.7) * 1.4142, sqrt(y) }' >"$inputs/film$row.xy"
done
candidates=("$inputs/sixty.h5" "$inputs/flake.h5" "$inputs/tube25.h5" "$inputs/tube30.h5")
ok "fit" sonde match "$inputs/film1.xy" "${candidates[@]}" -o fit.h5 --quiet
ok "fit: a page" sonde report fit.h5 -o fit.html --quiet
sonde match "$inputs"/film[123].xy "${candidates[@]}" --refine strain --bootstrap 10 --bootstrap-all -o series.h5 --quiet 2>"$err"
ok "series of fits: a page" sonde report series.h5 -o series.html --quiet
ok "fit of one structure" sonde match "$inputs/film1.xy" "$inputs/sixty.h5" -o one.h5 --quiet
ok "fit of one structure: a page" sonde report one.h5 -o one.html --quiet
ok "sets of charges on a line" sonde coulomb "$data/C60.xyz" --charges 'C=1;C=2;C=-1' --line 0,0,-9:0,0,9:31 --quantity both -o sets.h5 --quiet
ok "sets of charges on a line: a page" sonde report sets.h5 -o sets.html --quiet
printf '0 0 5\n0 0 6\n0 0 7.5\n0 0 9\n' >"$inputs/points.txt"
ok "sets of charges at points" sonde coulomb "$data/C60.xyz" --charges 'C=1;C=2' --points "$inputs/points.txt" --quantity field -o points.h5 --quiet
ok "sets of charges at points: a page" sonde report points.h5 -o points.html --quiet
# errors that files have as a number or a table for all
cat >"$inputs/modes.yaml" <<'END'
fdtd:
  size: 0, 0, 2 um
  cell: 20 nm
  time: 60 fs
  materials: [{name: glass, index: 2}]
  bodies: [{material: glass, shape: box, size: [1 m, 1 m, 400 nm]}]
  sources: [{kind: plane-wave, polarization: [1, 0, 0], direction: [0, 0, 1], wavelength: 800 nm}]
  monitors:
    - {kind: resonances, name: res, center: [0, 0, 50 nm], wavelengths: '600 nm:1600 nm', components: Ex}
    - {kind: snapshot, name: sn, size: [0, 0, 2 um], every: 1 fs, components: Ex}
    - {kind: point, name: pt, components: 'Hy,Ex'}
    - {kind: flux, name: fl, center: [0, 0, 500 nm], wavelengths: '700 nm:900 nm:5'}
END
cat >"$inputs/bloch.yaml" <<'END'
fdtd:
  size: 300 nm, 600 nm, 0
  cell: 30 nm
  time: 20 fs
  boundaries: [{face: x, kind: bloch, phase: 70}]
  sources: [{kind: dipole, polarization: [0, 0, 1], wavelength: 800 nm}]
  monitors:
    - {kind: point, name: pt, center: [-100 nm, 200 nm, 0], components: Ez}
    - {kind: fields, name: f, size: [300 nm, 400 nm, 0], wavelengths: '700 nm:900 nm:3', components: Ez}
END
for job in modes bloch; do
	sonde fdtd "$inputs/$job.yaml" -o $job.h5 --quiet 2>/dev/null
	ok "$job: a page" sonde report $job.h5 -o $job.html --quiet
done
printf '2\n\nNa 0 0 0\nCl 3 0 0\n' >"$inputs/ions.xyz"
ok "points at charges" sonde coulomb "$inputs/ions.xyz" --charges Na=1,Cl=-1 --spacing 0.25 -o ions_at_points.h5 --quiet
ok "points at charges: a page" sonde report ions_at_points.h5 -o ions_at_points.html --quiet
ok "a plane of a pattern" sonde pattern "$data/C60.xyz" --h -3:3:61 --k -3:3:51 --u 1,0,0 --v 0,1,0 --amplitude -o plane.h5 --quiet
ok "a plane of a pattern: a page" sonde report plane.h5 -o plane.html --quiet
if command -v node >/dev/null; then
	# value and error of an array in the middle: the error follows from the value v and numbers in the page
	number_of() { sed -nE 's|.*"path":"'"$2"'","kind":"number".*"value":([^}]*)\}.*|\1|p' "$1"; } # PAGE DATASET
	error_is() { # ARRAY FORMULA [VARIABLE=NUMBER...]
		local array=$1 formula=$2 set=() pair
		for pair in "${@:3}"; do set+=(-v "$pair"); done
		awk "${set[@]}" -v array="$array" '$1 == array && $2 != "none" {v = $2 < 0 ? -$2 : $2; want = '"$formula"'; d = $3 - want
			good = want > 0 && d <= 1e-5*want && -d <= 1e-5*want} END {exit !good}' errors
	}
	node "$here/report_errors.js" stopping.html >errors
	for name in range path range_straggling lateral_straggling electronic nuclear straggling; do
		check "errors: $name of stopping" error_is /stopping/table/$name 'v*e' e="$(number_of stopping.html /stopping/process/${name}_error)"
	done
	node "$here/report_errors.js" sets.html >errors
	check "errors: potential" error_is /coulomb/potential/potential e e="$(number_of sets.html /coulomb/process/largest_error)"
	check "errors: field" error_is /coulomb/potential/field e e="$(number_of sets.html /coulomb/process/largest_field_error)"
	node "$here/report_errors.js" modes.html >errors
	largest=$(numbers_of modes.html /fdtd/fl/power | awk '{v = $1 < 0 ? -$1 : $1; if (v > m) m = v} END {printf "%.17g\n", m}')
	check "errors: spectra of fdtd" error_is /fdtd/fl/power '(a + b + c)*m' m="$largest" a="$(number_of modes.html /fdtd/process/grid_error)" \
		b="$(number_of modes.html /fdtd/process/truncation_error)" c="$(number_of modes.html /fdtd/process/rounding_error)"
	check "errors: wavelengths have none" grep -qx '/fdtd/fl/wavelength none' errors
	node "$here/report_errors.js" plane.html >errors
	# q = 0, where the table begins
	table=$(sed -nE 's|.*"path":"/pattern/process/error_of_F".*"type":"f4","data":"([^"]*)".*|\1|p' plane.html | base64 -d | od -An -v -t f4 -w4 | head -n 1 | tr -d ' ')
	check "errors: intensity of a pattern" error_is /pattern/data/I '2*sqrt(v)*d + d*d + 4.440892e-16*v' d="$table"
	check "errors: amplitude of a pattern" error_is /pattern/data/F 'd + 2.220446e-16*v' d="$table"
	rm errors
	figures() { node "$here/report_figures.js" "$1" >"$out" 2>"$err" || fail "figures of $1" "$(excerpt "$err")"; }
	figures fit.html
	check "fit: the curve and its parts" has_line "$out" '^= Fit of film1\.xy \| q \(Å⁻¹\)$'
	check "fit: a contribution" has_line "$out" '^  .*sixty\.h5 400: 0\.5 to 15 \| 400: '
	check "fit: the residual" has_line "$out" '^  measured − fit 400: 0\.5 to 15'
	check "fit: what is not explained is marked" has_line "$out" '^  not explained 2: (5\.99|6|6\.0)[0-9]* to (10\.9|11)[0-9.]* \| 2: '
	check "fit: and shaded, also at the residual" [ "$(grep -cE '^  rect (5\.[789]|10\.[789])[0-9]* (6\.[012]|11\.[012])[0-9]* y2? domain$' "$out")" = 4 ]
	check "fit: and listed" has_line "$out" '^  \| (5\.99|6|6\.0)[0-9]* \| 0\.[0-9]+ \| [0-9.]+, excess \| [0-9.]+$'
	check "fit: a deficit" has_line "$out" '^  \| (10\.9|11)[0-9.]* \| 0\.[0-9]+ \| −[0-9.]+, deficit \| [0-9.]+$'
	check "fit: weights with errors" has_line "$out" '^  rows [2-4]: (4\.[89]|5)[0-9.]* to .* -0\.[0-9]+ \+0\.[0-9]+$'
	check "fit: a weight, as it is read" has_line "$out" '^  > .*sixty\.h5; weight (4\.[89]|5\.)[0-9]* ± 0\.[0-9]+, 95 %: 4\.[0-9]+ to 5\.[0-9]+; fraction 7[0-9.]+ %'
	check "fit: what is as good in its place" has_line "$out" '^  \| .*tube[0-9]*\.h5 \([0-9.]+ %\) \| .*tube[0-9]*\.h5 \([0-9.]+ %\)'
	check "fit: structures alone" has_line "$out" '^= Structures alone \| Rwp \(%\)$'
	check "fit: all four, and the mixture" [ "$(grep -A2 '^= Structures alone | Rwp' "$out" | grep -cE '^  (rows 4: |line [0-9.]+ [0-9.]+ paper)')" = 2 ]
	check "fit: the best alone is in the mixture" has_line "$out" '^  > .*sixty\.h5; Rwp .* %; χ² .*; in the mixture: weight [45]\.[0-9]+ ± '
	figures one.html
	check "fit of one structure: its weight" has_line "$out" '^  rows 1: [0-9.]+ to [0-9.]+ \| 1: 0 to 0 -0\.[0-9]+ \+0\.[0-9]+$'
	figures series.html
	check "series: weights" has_line "$out" '^  .*sixty\.h5 3: 1 to 3 \| 3: (4\.|5\.)[0-9]+ to (6\.|7\.)[0-9]+'
	check "series: their intervals" has_line "$out" '^  band curve[0-9]above up to [0-9.]+$'
	check "series: against the files" has_line "$out" '^  χ² 3: film1\.xy to film3\.xy \| 3: '
	check "series: refined parameters" has_line "$out" '^  strain of [^ ]*sixty\.h5 3: 1 to 3 \| 3: '
	check "series: refined parameters with their intervals" has_line "$out" '^  strain of [^ ]*sixty\.h5 3: film1\.xy to film3\.xy .* -[0-9.]+ \+[0-9.]+$'
	figures sets.html
	check "sets of charges: a curve each" [ "$(grep -cE '^  electrostatic potential, set [123] \((60|120|−60) e\) 31: 0 to 18 \|' "$out")" = 3 ]
	check "sets of charges: their fields" [ "$(grep -cE '^  \|E\|, set [123] \((60|120|−60) e\) 31: -9 to 9 \|' "$out")" = 3 ]
	check "sets of charges: not a map" lacks "$out" 'a map'
	figures modes.html
	check "fields at a point: E first" has_line "$out" '^  electric field, x [0-9]+: [0-9.]+ to 60\.0[0-9]* \|'
	check "fields at a point: H at its own times" has_line "$out" '^  magnetic field, y [0-9]+: 0\.0166[0-9]* to 59\.9[0-9]* \|'
	check "fields at a point: the times" [ "$(grep -c '^= pt: point | time (fs)$' "$out")" = 2 ]
	check "resonances: points" has_line "$out" '^  points: amplitude$'
	check "a snapshot: all values have colors" has_line "$out" '^  a map: electric field, x \(V/m\) \| -(0\.[89]|1)'
	figures bloch.html
	check "complex fields: the real part first" [ "$(grep -m 2 -oE 'field, z, [a-z]* part' "$out" | tr '\n' ';')" = 'field, z, real part;field, z, imaginary part;' ]
	check "complex fields: errors of both parts" [ "$(grep -cE '^  band curve[01]above' "$out")" = 2 ]
	check "complex fields: errors of a map" has_line "$out" '^  a map: \|Ez\| .* ± '
	figures ions_at_points.html
	check "colors that end before the largest values" has_line "$out" '^  a map: .*, colors end at ±[0-9.]+, values at ±[0-9.]+ \(V\) .* ± '
	figures points.html
	check "sets of charges at points: a curve each" [ "$(grep -cE '^  \|E\|, set [12] \((60|120) e\) 4: 0 to 4 \|' "$out")" = 2 ]
else
	skip "figures" "no Node.js here"
fi

# texts of files stay texts
# shellcheck disable=SC2016
printf '# sonde 0.2.0, debye\n# </script><script>hacked()</script>\nx,"<img src=x onerror=hacked()>",\xff\n1,2,3\n2,3,4\n' >"$inputs/table.csv"
cp "$data/C60.xyz" 'x<img src=x onerror=hacked()>.xyz'
ok "hostile texts" sonde report fdtd.h5 "$inputs/table.csv" 'x<img src=x onerror=hacked()>.xyz' -o hostile.html --quiet
check "hostile texts: no element is made of them" [ "$(grep -c -e '<script>hacked' -e '<img src' hostile.html)" = 0 ]
check "hostile texts: they are there" grep -q 'u003cscript\\u003ehacked()' hostile.html
check "hostile texts: bytes that are no UTF-8" grep -q 'ufffd' hostile.html

# in a browser: a script at the end reports what the page shows, and moves the pointer over the first figures
browser=
for name in chromium chromium-browser google-chrome; do
	command -v $name >/dev/null && browser=$name && break
done
look() { # PAGE: facts of the page as JSON
	sed '$d' "$1" >look.html
	cat >>look.html <<'END'
</script><script>
(async () => {
	const root = document.documentElement, wait = ms => new Promise(done => setTimeout(done, ms));
	for (let n = 0; n < 600 && !root.dataset.ready; ++n) await wait(50);
	const plots = [...document.querySelectorAll(".plot")], hover = [];
	for (const plot of plots.slice(0, 2)) {
		const target = plot.querySelector(".nsewdrag");
		if (!target) continue;
		target.scrollIntoView({block: "center"});
		const box = target.getBoundingClientRect();
		let text = "";
		for (let k = 1; k < 400 && !text; ++k) {
			target.dispatchEvent(new MouseEvent("mousemove", {bubbles: true,
				clientX: box.left + box.width * (k % 20) / 20, clientY: box.top + box.height * Math.floor(k / 20) / 20}));
			await wait(20);
			text = [...plot.querySelectorAll(".hoverlayer .hovertext")].map(e => e.textContent).join(" ");
		}
		hover.push(text);
	}
	/* all figures, on paper, and zoomed */
	for (const plot of plots) { plot.scrollIntoView(); await wait(100); }
	const widths = () => Math.max(...[...document.querySelectorAll(".plot .main-svg")].map(e => e.getBoundingClientRect().width));
	dispatchEvent(new Event("beforeprint"));
	const paper = widths();
	dispatchEvent(new Event("afterprint"));
	await wait(300);
	/* rows are read by keys */
	const rows = plots.find(p => p.className.includes("rows")), spoken = [];
	rows.scrollIntoView({block: "center"});
	for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) {
		rows.dispatchEvent(new KeyboardEvent("keydown", {key}));
		await wait(200);
		spoken.push(rows.parentNode.querySelector("[aria-live]").textContent.replace(/; /g, ", "));
	}
	const atRow = [...rows.querySelectorAll(".hoverlayer .hovertext")].map(e => e.textContent).join(" ");
	const range = () => plots[0]._fullLayout.xaxis.range.join(), whole = range();
	plots[0].dispatchEvent(new KeyboardEvent("keydown", {key: "+"}));
	await wait(100);
	const zoomed = range(), check = [...plots[0].parentNode.querySelectorAll("label")].find(e => e.textContent.trim() === "errors");
	check.querySelector("input").click();
	await wait(100);
	const titles = plots.map(p => p.layout && p.layout.xaxis ? p.layout.xaxis.title.text.replace(/<br>/g, " ") : "").join("/");
	const named = text => plots.find(p => p.parentNode.textContent.includes(text));
	const withErrors = plots.filter(p => p.data && p.data[0].type === "heatmap" && p.data[0].customdata.flat().some(t => t.includes("±")));
	const facts = document.createElement("pre");
	facts.textContent = "FACTS " + ["ready=" + root.dataset.ready, "errors=" + root.dataset.errors, "figures=" + plots.length,
		"curves=" + document.querySelectorAll(".scatterlayer path.js-line").length,
		"maps=" + document.querySelectorAll(".heatmaplayer image").length,
		"places=" + (plots[1] && plots[1]._fullLayout && plots[1]._fullLayout.xaxis ? plots[1]._fullLayout.xaxis.range.map(v => v.toFixed(1)).join(" ") : ""),
		"images=" + document.querySelectorAll("img").length, "paper=" + (paper <= 680 && widths() > 900), "zoom=" + (zoomed !== whole && range() === zoomed), "x=" + titles,
		"options=" + [...named("Electrostatic").parentNode.querySelectorAll("option")].map(e => e.textContent).join(","),
		"forces=" + [...document.querySelectorAll("h3")].filter(e => e.textContent === "Forces on the charges: line.h5").length,
		"maps with errors=" + withErrors.length, "read=" + spoken.join(" | "), "row=" + atRow,
		"shaded=" + document.querySelectorAll(".shapelayer path").length,
		"messages=" + [...document.querySelectorAll(".problem")].map(e => e.textContent).join(" "),
		"hover=" + hover.join(" | ")].join("; ") + ";";
	document.body.append(facts);
})();
</script></body></html>
END
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --use-angle=swiftshader --enable-unsafe-swiftshader --user-data-dir="$scratch/browser" \
		--virtual-time-budget=40000 --window-size=1200,1400 --dump-dom "file://$PWD/look.html" 2>/dev/null | grep -o 'FACTS .*;' || echo none
}
if [[ -n $browser && $sanitized = 0 ]]; then
	# one page, since a browser takes seconds to start
	ok "coulomb on a line" sonde coulomb "$data/C60.xyz" --charges C=1 --line 0,0,-9:0,0,9:31 --quantity both --forces -o line.h5 --quiet
	ok "ions in cells" sonde ions --ion He --energy 5keV --target Si:50nm -n 20 --bins 10 --cells 1,6,1 -o cells.h5 --quiet
	ok "a page of all" sonde report c60.h5 pattern.h5 fdtd.h5 "$inputs/table.csv" 'x<img src=x onerror=hacked()>.xyz' line.h5 cells.h5 \
		"$inputs/odd.csv" "$inputs/words.csv" fit.h5 -o all.html --quiet
	# one array is damaged
	sed -E 's|^(\{"path":"/debye/pair_distribution/G".*"data":")|\1*|' all.html >damaged.html && mv damaged.html all.html
	facts=$(look all.html)
	check "browser: opens without errors: $facts" grep -q 'errors=0;' <<<"$facts"
	check "browser: curves: $facts" grep -qE 'curves=([3-9]|[1-9][0-9]);' <<<"$facts"
	check "browser: the places of a reduced map: $facts" grep -qE 'places=-3\.0 3\.0;' <<<"$facts"
	check "browser: a map: $facts" grep -q 'maps=[1-9]' <<<"$facts"
	check "browser: the value and its error under the pointer: $facts" grep -qE 'hover=I\(q\)/N[0-9.]+ Å⁻¹[0-9.]+ ± [0-9.]+.* electron²' <<<"$facts"
	check "browser: as wide as paper, and as before: $facts" grep -q 'paper=true;' <<<"$facts"
	check "browser: zoomed after a choice: $facts" grep -q 'zoom=true;' <<<"$facts"
	check "browser: along the line: $facts" grep -q 'x=.*along the line (Å)' <<<"$facts"
	check "browser: potential and field: $facts" grep -q 'options=electrostatic potential (V),|E|, Ex, … (V/Å),along the line,z;' <<<"$facts"
	check "browser: forces: $facts" grep -q 'forces=1;' <<<"$facts"
	check "browser: errors of maps: $facts" grep -q 'maps with errors=[1-9]' <<<"$facts"
	check "browser: rows are read by keys: $facts" grep -qE 'read=[^;|]*sixty\.h5, weight [^;|]* \| [^;|]*tube[^;|]*, weight [^;|]* \| [^;|]*sixty\.h5, weight ' <<<"$facts"
	check "browser: and shown: $facts" grep -qE 'row=[^;]*sixty\.h5weight [0-9.]+ ± [0-9.]+' <<<"$facts"
	check "browser: what is not explained is shaded: $facts" grep -qE 'shaded=([4-9]|[1-9][0-9]);' <<<"$facts"
	check "browser: what cannot be drawn: $facts" grep -q 'messages=.*c60\.h5: .*pair_distribution could not be drawn: ' <<<"$facts"
	check "browser: a table without a figure: $facts" grep -q 'words\.csv: no figure: no column has numbers alone' <<<"$facts"
	check "browser: texts of files make no elements: $facts" grep -q 'images=0;' <<<"$facts"
else
	skip "browser" "no Chromium here"
fi

# refusals
fails 2 'name a result: sonde report' sonde report
fails 2 'no output is given; add -o REPORT\.html' sonde report c60.h5
fails 2 'a report is an HTML file' sonde report c60.h5 -o c60.pdf
fails 2 'c60\.html: exists already' sonde report c60.h5 -o c60.html
fails 2 'absent\.h5: cannot' sonde report absent.h5 -o new.html
sonde coulomb "$data/C60.xyz" --charges C=1 --spacing 2 -o potential.dx --quiet
head -c 3000 c60.h5 >"$inputs/cut.h5"
fails 2 'cut\.h5: ' sonde report "$inputs/cut.h5" -o new.html
fails 2 'absent\.h5: cannot' sonde report c60.h5 absent.h5 -o new.html
mkdir "$inputs/folder"
mkfifo "$inputs/pipe.h5" "$inputs/pipe.csv"
for pipe in pipe.h5 pipe.csv; do
	fails 2 'pipe\.[a-z0-9]*: is a pipe or device, not a file' timeout 20 "$program" report "$inputs/$pipe" -o new.html
done
fails 2 'folder: is a folder, not a file' sonde report "$inputs/folder" -o new.html
fails 2 'slab\.yaml: is of no known kind: results and tables' sonde report "$inputs/slab.yaml" -o new.html
fails 2 'first\.html: is of no known kind: results and tables' sonde report first.html -o new.html
fails 2 'potential\.dx: is a volume, .*: sonde convert potential\.dx RESULT\.h5 makes one' sonde report potential.dx -o new.html
ok "a volume as HDF5" sonde convert potential.dx potential.h5
ok "a volume: a page" sonde report potential.h5 -o potential.html --quiet
check "a volume: a map" grep -q '"path":"/volume/data","kind":"group","NX_class":"NXdata","signal":' potential.html
fails 2 'output: sonde report writes files, not the standard output' sonde report c60.h5 -o -
ok "help" sonde report --help
check "help: nothing of the standard output" [ "$(grep -c 'output-format\|standard output' "$out")" = 0 ]
cp c60.h5 same.html
fails 2 'same\.html: would replace' sonde report same.html -o same.html --force
finish
