# sonde fdtd: pictures, frames of films, VTK files.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# a job in two dimensions: JOB [LINE OF OPTIONS...], with MONITORS from stdin
job() {
	local file=$1 line
	shift
	{
		cat <<'END'
threads: 1
fdtd:
  size: [1 um, 800 nm, 0]
  cell: 20 nm
  time: 12 fs
  materials: [{name: glass, permittivity: 4}]
  bodies: [{shape: cylinder, radius: 200 nm, height: 1 um, axis: [0,0,1], material: glass}]
  sources: [{kind: plane-wave, direction: [1,0,0], polarization: [0,0,1], wavelength: 700 nm, bandwidth: 260 THz}]
END
		for line in "$@"; do printf '  %s\n' "$line"; done
		printf '  monitors:\n'
		cat
	} >"$inputs/$file"
}
files() { # PATTERN COUNT
	local found
	mapfile -t found < <(compgen -G "$1")
	((${#found[@]} == $2))
}
# width and height of a PNG file, from its header
png_is() { # FILE WIDTH HEIGHT
	local bytes
	read -r -a bytes < <(head -c 24 "$1" | tail -c 8 | od -An -v -tu1)
	((bytes[2] * 256 + bytes[3] == $2 && bytes[6] * 256 + bytes[7] == $3))
}

snapshots='    - {name: all, kind: snapshot, size: [1 um, 800 nm, 0], every: 2 fs}'
fields='    - {name: f, kind: fields, size: [1 um, 800 nm, 0], wavelengths: 600 nm:800 nm:3}'

# frames
printf '%s\n    - {name: line, kind: snapshot, size: [1 um, 0, 0], every: 4 fs, components: "Ez,Hy"}\n' "$snapshots" |
	job frames.yaml 'frames: frames'
ok "frames" sonde fdtd "$inputs/frames.yaml"
check "frames: said" has_line "$out" '^frames: [0-9]+ pictures; films of them:$'
check "frames: a film" has_line "$out" "^ffmpeg -safe 0 -i 'frames/all-Ez.ffconcat' -pix_fmt yuv420p 'frames/all-Ez.mp4'$"
check "frames: one a time" files 'frames/all-Ez-*.png' 7
check "frames: none of what is 0" files 'frames/all-E[xy]-*.png' 0
check "frames: curves" files 'frames/line-Ez-*.png' 4
check "frames: of H too" files 'frames/line-Hy-*.png' 4
check "frames: a PNG" is_png frames/all-Ez-0005.png
check "frames: magnified by a whole factor, even" png_is frames/all-Ez-0005.png 612 492
check "frames: list" has_line frames/all-Ez.ffconcat '^ffconcat version 1\.0$'
check "frames: list has the times" has_line frames/all-Ez.ffconcat '^# t = 2\.00[0-9]*e-15 s$'
check "frames: list has the files" has_line frames/all-Ez.ffconcat "^file 'all-Ez-0006\\.png'$"
check "frames: list has durations" has_line frames/all-Ez.ffconcat '^duration 0\.04$'
# the wave is elsewhere at another time, and in the same place in another run
check "frames differ" eval '! cmp -s frames/all-Ez-0004.png frames/all-Ez-0005.png'
fails 2 'frames/(all|line)-E.*: exists already; choose another folder or add --force' sonde fdtd "$inputs/frames.yaml"
cp frames/all-Ez-0004.png "$inputs/kept.png"
ok "frames --force" sonde fdtd "$inputs/frames.yaml" --force --threads 2
check "frames --force: the same" same_files frames/all-Ez-0004.png "$inputs/kept.png"
check "frames: nothing else" files 'frames/*' 18
# other files there are no matter
mkdir other && touch other/all-Ez-0000.txt other/all-0000.png other/ball-Ez-0000.png
ok "frames into a folder with others" sonde fdtd "$inputs/frames.yaml" --frames other/
check "frames into a folder with others: there" is_png other/all-Ez-0000.png
ok "frames --quiet" sonde fdtd "$inputs/frames.yaml" --frames quiet --quiet
check "frames --quiet" is_empty "$out"
sonde fdtd "$inputs/frames.yaml" --frames json --json >"$out" 2>"$err" </dev/null
check "frames --json" has_line "$out" '^\{"command": "fdtd".*\}$'

# VTK
printf '%s\n%s\n' "$snapshots" "$fields" | job vtk.yaml
ok_warned 'of the peak field remaining' "vtk" sonde fdtd "$inputs/vtk.yaml" --vtk vtk
check "vtk: said" has_line "$out" '^vtk: 10 VTK files$'
check "vtk: one a time" files 'vtk/all-*.vtk' 7
check "vtk: one a frequency" files 'vtk/f-*.vtk' 3
check "vtk: vectors" contains vtk/all-0003.vtk 'VECTORS E float'
check "vtk: real and imaginary parts" contains vtk/f-0001.vtk 'VECTORS E_imag float'
check "vtk: the bodies" contains vtk/f-0001.vtk 'SCALARS permittivity float 1'
check "vtk: units" has_line vtk/f-0000.vtk 'f = 4\.99654097e\+14 Hz, lengths in micrometres, E in V s/m'
check "vtk: nodes" has_line vtk/f-0000.vtk '^DIMENSIONS 51 41 1$'
check "vtk: times" has_line vtk/all.vtk.series '^\{"name": "all-0002\.vtk", "time": 4\.00[0-9]*\}'
check "vtk: frequencies" has_line vtk/f.vtk.series '"time": 499\.654097\}'
fails 2 'vtk/.*: exists already; choose another folder or add --force' sonde fdtd "$inputs/vtk.yaml" --vtk vtk
ok "vtk: read again" sonde info vtk/f-0001.vtk
# the file has micrometres
spacing=$(awk '/^SPACING/ {print $2 * 1e4; exit}' <(head -c 600 vtk/f-0001.vtk | tr -d '\0'))
check "vtk: read again: in Angstrom" has_line "$out" "^steps +$spacing 0 0 Angstrom$"
check "vtk: read again: the unit of the field" has_line "$out" '^field unit +V s/m$'
ok "vtk: converted" sonde convert vtk/f-0001.vtk converted.h5
ok "vtk: converted" sonde info converted.h5
check "vtk: converted: in Angstrom" has_line "$out" "^steps +$spacing 0 0 Angstrom$"
ok "vtk: converted twice" sonde convert converted.h5 converted.vtk
ok "vtk: converted twice" sonde info converted.vtk
check "vtk: converted twice: in Angstrom" has_line "$out" "^steps +$spacing 0 0 Angstrom$"
rm converted.h5 converted.vtk
printf '    - {name: one, kind: snapshot, size: [1 um, 800 nm, 0], every: 5 fs, components: Ez}\n' | job one.yaml
ok "vtk of one component" sonde fdtd "$inputs/one.yaml" --vtk one --precision float64
check "vtk of one component: a number" contains one/one-0001.vtk 'SCALARS Ez double 1'

# refusals
rm -r frames other quiet json vtk one
printf '%s\n' "$fields" | job none.yaml
fails 2 'frames: the job has no monitor of kind snapshot to draw; add one' sonde fdtd "$inputs/none.yaml" --frames new
printf '    - {kind: snapshot, every: 1 fs}\n' | job point.yaml
fails 2 'frames: the job has no monitor of kind snapshot' sonde fdtd "$inputs/point.yaml" --frames new
fails 2 'vtk: the job has no monitor of kind snapshot or fields' sonde fdtd "$inputs/point.yaml" --vtk new
fails 2 "no/frames: the folder 'no' does not exist" sonde fdtd "$inputs/frames.yaml" --frames no/frames
fails 2 "no/vtk: the folder 'no' does not exist" sonde fdtd "$inputs/vtk.yaml" --vtk no/vtk
touch file
fails 2 'file: is not a folder' sonde fdtd "$inputs/frames.yaml" --frames file
fails 2 'file: is not a folder' sonde fdtd "$inputs/vtk.yaml" --vtk file --force
fails 2 "file/a: 'file' is not a folder" sonde fdtd "$inputs/vtk.yaml" --vtk file/a

# pictures
every=$(cat <<'END'
    - {name: far, kind: far-field, size: [880 nm, 680 nm, 0], wavelengths: 600 nm:800 nm:3}
    - {kind: cross-section, wavelengths: 600 nm:800 nm:5}
    - {kind: point, center: [300 nm, 0, 0]}
    - {kind: flux, name: "sum `id`'s", size: [900 nm, 700 nm, 0], wavelengths: 600 nm:800 nm:5}
END
)
printf '%s\n%s\n%s\n' "$every" "$snapshots" "$fields" | job plot.yaml
slab() { # FILE MONITORS
	cat >"$inputs/$1" <<END
threads: 1
fdtd:
  size: [0, 0, 4 um]
  cell: 50 nm
  time: 100 fs
  materials: [{name: glass, permittivity: 4}]
  bodies: [{shape: box, size: [0, 0, 1 um], material: glass}]
  sources: [{kind: plane-wave, direction: [0,0,1], polarization: [1,0,0], frequency: 180 THz, bandwidth: 100 THz}]
  monitors:
$2
END
}
slab slab.yaml '    - {name: T, kind: flux, center: [0,0,1.5 um], frequencies: 120 THz:240 THz:21, normalize: reference}
    - {name: R, kind: flux, center: [0,0,-1.95 um], frequencies: 120 THz:240 THz:21, normalize: reflection}
    - {name: modes, kind: resonances, frequencies: 100 THz:300 THz:2, components: Ex}
    - {name: line, kind: fields, size: [0,0,4 um], frequencies: 150 THz:150 THz:1}
    - {name: now, kind: snapshot, size: [0,0,4 um], every: 10 fs}'
sed -i 's/time: .*/&\n  until: 1e-6/' "$inputs/plot.yaml"
ok "--plot as SVG" sonde fdtd "$inputs/plot.yaml" --plot all.svg
for line in ': far: cross-section, outer circle .* \(m/rad\) at 700 nm' 'y: cross-section \(nm\) from ' \
	'x: wavelength in vacuum \(nm\) from 600 to 800' 'curves: extinction' \
	': f: .E/E₀. at 700 nm' ': all: Ez \(V/m\) at 1[0-2]\.[0-9]* fs' 'point-3 Ez' \
	'curves: sum `id`&#39;s' 'x: x \(nm\) from ' 'x: time \(fs\) from '; do
	check "panel: $line" has_line all.svg "$line"
done
check "six panels" [ "$(grep -c '^Panel' all.svg)" = 6 ]
ok "--plot of a slab as SVG" sonde fdtd "$inputs/slab.yaml" --plot slab.svg
for line in 'curves: T transmission, R reflection, sum' ': modes: ' ': line: .E/E₀. at 1998\.6 nm' ': now: Ex \(V/m\) at '; do
	check "panel of the slab: $line" has_line slab.svg "$line"
done
# pictures of a job before it runs
ok "--plan --plot as SVG" sonde fdtd "$inputs/plot.yaml" --plan --plot plan.svg
check "panel of the plan" has_line plan.svg '^Panel 1.*; x: x \(nm\) from .*; y: y \(nm\) from .*; texts: .*plane wave.*, far'
cat >"$inputs/narrow.yaml" <<'EOF'
fdtd:
  size: 495 nm, 1.2 um, 0
  cell: 15 nm
  time: 1 fs
  boundaries: [{face: x, kind: periodic}]
  sources: [{kind: sheet, center: [0, 450 nm, 0], size: [495 nm, 0, 0], direction: [0, -1, 0], polarization: [0, 0, 1], wavelength: 700 nm}]
EOF
ok "--plan --plot of a narrow box" sonde fdtd "$inputs/narrow.yaml" --plan --plot narrow.png
check "--plan --plot of a narrow box: a PNG" is_png narrow.png
ok "--plan --plot of a slab" sonde fdtd "$inputs/slab.yaml" --plan --plot line.svg
check "--plan --plot of a slab: along a line" has_line line.svg '^Panel 1; x: z \((nm|µm)\) from '
sed '/monitors:/,$d' "$inputs/one.yaml" >"$inputs/empty.yaml"
fails 2 'plot: the job has no monitors' sonde fdtd "$inputs/empty.yaml" --plot new.png
ok "--plot" sonde fdtd "$inputs/plot.yaml" --plot all.png
check "--plot: a PNG" is_png all.png
check "--plot: six panels" png_is all.png 1600 1620
check "--plot: said" has_line "$out" '^all\.png: drawn$'
ok "--plot of a slab" sonde fdtd "$inputs/slab.yaml" --plot slab.png -o slab.h5
check "--plot of a slab: four panels" png_is slab.png 1600 1080
ok "--plot of one" sonde fdtd "$inputs/one.yaml" --plot one.png
check "--plot of one: one panel" png_is one.png 1000 720
fails 2 'all\.png: exists already' sonde fdtd "$inputs/plot.yaml" --plot all.png
ok "--plan --plot" sonde fdtd "$inputs/plot.yaml" --plan --plot plan.png
check "--plan --plot: said" has_line "$out" '^plan\.png: drawn$'
check "--plan --plot: one section and the names" png_is plan.png 1400 640
ok "--plan --plot without monitors" sonde fdtd "$inputs/empty.yaml" --plan --plot empty.png
check "no leftovers" no_leftovers
# names become names of files, and lines of lists
for name in '"a\nb"' '"a\x1b[31m"' '"a\u009b"' '"a\tb"'; do
	job name.yaml 'frames: frames' <<<"    - {name: $name, kind: snapshot, size: [1 um, 800 nm, 0], every: 2 fs}"
	fails 2 'name\.yaml:11:14: name: character 2 is a control character \(U\+00' sonde fdtd "$inputs/name.yaml" --force
done
long=$(printf 'a%.0s' {1..64})
job name.yaml <<<"    - {name: $long, kind: snapshot, size: [1 um, 800 nm, 0], every: 2 fs}"
fails 2 "name\\.yaml:10: monitors 1: name: 'a+\\.\\.\\.' has 64 bytes, at most 63 are possible" sonde fdtd "$inputs/name.yaml"
sed -i "s/name: glass/name: $long/" "$inputs/name.yaml"
fails 2 "name: 'a+\\.\\.\\.' has 64 bytes, at most 63 are possible" sonde fdtd "$inputs/name.yaml"
finish
