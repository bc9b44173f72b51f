#!/usr/bin/env bash
# Jobs of sonde fdtd that are valid but probably not intended: refused, or reported in warnings.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

cat >"$inputs/job.yaml" <<-'JOB'
	fdtd:
	  size: 600 nm, 400 nm, 0
	  cell: 20 nm
	  time: 40 fs
	  materials: [{name: glass, index: 1.5}, {name: metal, conductor: true}]
	  boundaries:
	    - {face: x}
	  bodies:
	    - {material: glass, shape: cylinder, radius: 60 nm}
	  sources:
	    - {kind: dipole, center: "-150 nm, 0, 0", polarization: "0,0,1", frequency: 400 THz}
	  monitors:
	    - {kind: flux, center: "150 nm, 0, 0", size: "0, 200 nm, 0", frequencies: 400 THz}
JOB
ok "the job that is changed here" sonde fdtd "$inputs/job.yaml" -o good.csv
check "it: nothing to tell" [ ! -s "$err" ]

refused() { # REGEX EDIT
	sed "$2" "$inputs/job.yaml" >"$inputs/refused.yaml"
	fails 2 "refused\\.yaml:$1" sonde fdtd "$inputs/refused.yaml" -o refused.h5
	check "$1: nothing written" [ ! -e refused.h5 ]
}
told() { # REGEX EDIT
	sed "$2" "$inputs/job.yaml" >"$inputs/told.yaml"
	sonde fdtd "$inputs/told.yaml" -o told.csv --force >"$out" 2>"$err" </dev/null
	check "told: $1: exits with 0" [ $? = 0 ]
	check "told: $1: $(excerpt "$err")" one_line "^sonde: warning: $1"
}

# keys that a kind does not use, and all that it has
refused '9: bodies 1: rotation: not an option of a cylinder, which has material, shape, center, radius, height, axis, repeat, pitch, in-reference, orient, lattice, cell-center, inner-radius, hollow$' 's/radius: 60 nm/&, rotation: "0,90,0"/'
refused '9: bodies 1: radius: not an option of a box' 's/shape: cylinder/shape: box, size: "1 nm, 1 nm, 1 nm"/'
refused '11: sources 1: direction: not an option of a dipole with a Gaussian pulse' 's/kind: dipole/&, direction: "0,1,0"/'
refused '11: sources 1: cycles: not an option of a dipole with a Gaussian pulse' 's/kind: dipole/&, cycles: 7/'
refused "11: sources 1: phase: not an option of a dipole with Ricker's form" 's/kind: dipole/&, waveform: ricker, phase: 30/'
refused '13: monitors 1: theta: not an option of a flux' 's/kind: flux/&, theta: 0:90:4/'
refused '13: monitors 1: frequencies: not an option of a point' 's/kind: flux/kind: point/; s/size: "0, 200 nm, 0", //'
refused '7: boundaries 1: kappa: not an option of a conductor, which has face, kind, phase$' 's/- {face: x}/- {face: x, kind: conductor, kappa: 3}/'

refused '7: boundaries 1: kappa: 0\.5 is out of range: 1 to 1000' 's/- {face: x}/- {face: x, kappa: 0.5}/'

# sources and monitors that begin after the end
refused '11: sources 1: delay: the source begins after 50 fs, but the run ends at 40' 's/kind: dipole/&, delay: 50 fs/'
refused '13: monitors 1: start: the monitor begins after 60.* fs, but the run ends at 40' 's/kind: flux.*/kind: snapshot, size: "100 nm, 100 nm, 0", start: 60 fs}/'

told_first() { # REGEX EDIT: as told, among others
	sed "$2" "$inputs/job.yaml" >"$inputs/told.yaml"
	sonde fdtd "$inputs/told.yaml" -o told.csv --force >"$out" 2>"$err" </dev/null
	check "told first: $1: exits with 0" [ $? = 0 ]
	check "told first: $1: $(excerpt "$err")" bash -c "head -n 1 '$err' | grep -qE '^sonde: warning: $1'"
}
# a unit forgotten: a warning before the run, or a message, but never a run without end
told_first 'line 11: frequency: 400 is taken as 400 Hz; is a unit missing, as in 400 THz\?$' 's/frequency: 400 THz/frequency: 400/'
told_first 'line 11: wavelength: 600 is taken as 600 m; is a unit missing, as in 600 nm\?$' 's/frequency: 400 THz}/wavelength: 600}/'
sonde fdtd "$inputs/told.yaml" --plan >"$out" 2>"$err" </dev/null
check "a unit forgotten: --plan: $(excerpt "$err")" has_line "$err" '^sonde: warning: line 11: wavelength: 600 is taken as 600 m; is a unit missing'
told_first 'line 11: bandwidth: 100 is taken as 100 Hz' 's/frequency: 400 THz}/frequency: 400 THz, bandwidth: 100}/'
sed 's/frequency: 400 THz}/frequency: 400 THz, bandwidth: 100}/' "$inputs/job.yaml" >"$inputs/told.yaml"
for plan in '' --plan; do
	sonde fdtd "$inputs/told.yaml" $plan -o told.csv --force --json >"$out" 2>"$err" </dev/null
	check "told first, JSON $plan: $(excerpt "$out")" has_line "$out" '"warnings": \["line 11: bandwidth: 100 is taken as 100 Hz; '
done
told 'the run ends after 40\..* fs, before sources 1 ends at 3\..*e\+15 fs' 's/frequency: 400 THz}/frequency: 400 THz, bandwidth: 1e-12 THz}/'
refused '4: fdtd: time: 400 s are .*e\+.. steps of .*, and the maximum is 1e\+12; is a unit missing' 's/time: 40 fs/time: 400/'
refused ' fdtd: sources: they end after .* s, which are .* steps' 's/time: 40 fs/until: 1e-3/; s/frequency: 400 THz}/frequency: 400}/'
told_first 'line 13: every: 50 is taken as 50 s' 's/kind: flux.*/kind: snapshot, size: "100 nm, 100 nm, 0", every: 50}/'
refused '13: monitors 1: start: the monitor begins after' 's/kind: flux.*/kind: snapshot, size: "100 nm, 100 nm, 0", start: 9223372036854775807 fs}/'
for every in 9223372036854775807 900000; do
	sed "s/kind: flux.*/kind: point, components: Ez, every: $every fs}/" "$inputs/job.yaml" >"$inputs/rare.yaml"
	ok "one sample every $every fs" sonde fdtd "$inputs/rare.yaml" -o rare.csv --force
	check "every $every fs: the first one is there" [ "$(grep -c '^[0-9]' rare.csv)" = 1 ]
done
fails 2 'time: 400 s are' sonde fdtd "$inputs/job.yaml" --time 400 -o refused.h5

# waves beside walls that stop them
beside() { # WALL POLARIZATION: a plane wave along x between two walls
	echo "s/- {face: x}/&\n    - {face: y, kind: $1}/; s/kind: dipole.*/kind: plane-wave, polarization: \"$2\", frequency: 400 THz}/"
}
refused '12: sources 1: polarization: next to the conductor at y-low a wave must have E along y only' "$(beside conductor 0,0,1)"
refused '12: sources 1: polarization: next to the magnetic wall at y-low a wave must have E along y not at all' "$(beside magnetic 0,1,0)"
sheet='s/kind: plane-wave/kind: sheet, center: "-150 nm, 0, 0", size: "0, 400 nm, 0"/'
refused '12: sources 1: polarization: next to the conductor at y-low a wave must have E along y only' "$(beside conductor 0,0,1); $sheet"
for pass in conductor:0,1,0 magnetic:0,0,1 periodic:0,0,1 periodic:0,1,0; do
	sed "$(beside "${pass%:*}" "${pass#*:}"); /bodies:/d; /shape:/d" "$inputs/job.yaml" >"$inputs/pass.yaml"
	ok "$pass passes" sonde fdtd "$inputs/pass.yaml" -o "wave.csv" --force
	check "$pass passes: nothing to tell" [ ! -s "$err" ]
	sed "$(beside "${pass%:*}" "${pass#*:}"); /bodies:/d; /shape:/d; $sheet" "$inputs/job.yaml" >"$inputs/pass.yaml"
	ok "$pass passes: sheet" sonde fdtd "$inputs/pass.yaml" -o sheet.csv --force
	# a sheet sends what a plane wave has; both are 1 V/m
	check "$pass passes: as much power" awk -F, '/^[0-9]/ {p[++n] = $NF} END {exit !(n == 2 && p[1] > 0 && (p[2]/p[1] - 1)^2 < 1e-4)}' wave.csv sheet.csv
done
refused '11: sources 1: direction: the wave comes from x-low, which is a conductor' 's/- {face: x}/- {face: x-low, kind: conductor}/; s/kind: dipole.*/kind: plane-wave, frequency: 400 THz}/'
refused '11: sources 1: direction: the conductor at x-high mirrors the wave within its box only' 's/- {face: x}/- {face: x-high, kind: conductor}/; s/kind: dipole.*/kind: plane-wave, frequency: 400 THz}/'

# bodies through the box of a far field
refused "13: monitors 1: size: a body extends through the far field's box at x = -4e-08 m" 's/kind: flux, center: "150 nm, 0, 0", size: "0, 200 nm, 0"/kind: far-field, center: "60 nm, 0, 0", size: "200 nm, 200 nm, 0"/'

# without a run for reference a flux that wants one has powers only
sed 's/kind: flux/&, normalize: reference/' "$inputs/job.yaml" >"$inputs/powers.yaml"
ok "reference: none" sonde fdtd "$inputs/powers.yaml" --reference none -o powers.csv
check "reference: none: powers only" has_line powers.csv '^frequency_Hz,wavelength_m,power_J/Hz$'
ok "reference: auto" sonde fdtd "$inputs/powers.yaml" -o ratio.csv
check "reference: auto: a ratio" has_line ratio.csv '^frequency_Hz,wavelength_m,power_J/Hz,reference_J/Hz,transmission$'

# frequencies that no source has, and pulses that are cut off
told 'monitors 1: at 2 of its 3 frequencies, as 900 THz \(333\.1 nm\), the sources have less than 0\.001 of their largest amplitude' 's/frequencies: 400 THz/frequencies: 400 THz:1400 THz:3/'
told 'the run ends after 8.* fs, before sources 1 ends at 15.* fs' 's/time: 40 fs/time: 8 fs/'

# a run that ends while the field is still there; with until it is said with the result
told 'the run ends with 0\.[0-9]* of the peak field remaining: spectra are incomplete' 's/time: 40 fs/time: 16 fs/; s/radius: 60 nm/radius: 90 nm/; s/index: 1.5/index: 3/; s/cell: 20 nm/cell: 10 nm/'
sed 's/time: 40 fs/time: 16 fs\n  until: 1e-6/; s/radius: 60 nm/radius: 90 nm/; s/index: 1.5/index: 3/; s/cell: 20 nm/cell: 10 nm/' "$inputs/job.yaml" >"$inputs/until.yaml"
ok "until: no warning beside what is said" sonde fdtd "$inputs/until.yaml" -o until.csv
check "until: said" has_line "$out" '^until: the field is still at 0\.[0-9]* of its peak; the limit was 1e-06$'

# weak ringing of a narrow resonance counts: until takes the monitors' sums into account, too; a run that was stopped ends at the same step
cat >"$inputs/resonator.yaml" <<-'JOB'
	fdtd:
	  size: 0, 0, 3 um
	  cell: 10 nm
	  time: 50 ps
	  until: 1e-3
	  materials: [{name: dense, index: 10}]
	  bodies: [{material: dense, shape: box, size: "0, 0, 500 nm"}]
	  sources: [{kind: plane-wave, direction: "0,0,1", polarization: "1,0,0", frequency: 100 THz, bandwidth: 60 THz}]
	  monitors: [{name: T, kind: flux, center: "0, 0, 1 um", frequencies: 80 THz:120 THz:161, normalize: reference}]
JOB
ok "a resonator" sonde fdtd "$inputs/resonator.yaml" -o short.csv
# the same code for more steps, which takes sanitizers a minute
((sanitized == 1 && thorough == 0)) || {
	ok "a resonator: for longer" sonde fdtd "$inputs/resonator.yaml" --until 1e-5 -o longer.csv
	check "a resonator: until 1e-3 is about as exact" awk -F, '/^[0-9]/ {t[FILENAME, ++n[FILENAME]] = $NF} END {
	for (k = 1; k <= 161; ++k) {d = t["short.csv", k] - t["longer.csv", k]; if (d*d > 9e-6) bad = 1} exit bad || n["short.csv"] != 161}' short.csv longer.csv
}
for delay in 0.6 0.5 0.4 0.3 0.2 0.1 1.2 2.5 5; do # the last ones where it begins late
	timeout --preserve-status -k 60 -s INT $delay "$program" fdtd "$inputs/resonator.yaml" -o part.csv --force >"$out" 2>"$err"
	[[ ! -e part.csv.checkpoint ]] || break
done
if [[ -e part.csv.checkpoint ]]; then
	ok "a resonator: stopped, and on" sonde fdtd "$inputs/resonator.yaml" -o part.csv --resume --force
	check "a resonator: stopped, and on: the same" same_files <(grep -v '^#' part.csv) <(grep -v '^#' short.csv)
	check "a resonator: stopped, and on: as many steps" [ "$(grep '^# steps' part.csv | sed 's/;.*//')" = "$(grep '^# steps' short.csv | sed 's/;.*//')" ]
else
	skip "a resonator: stopped, and on" "it was over too soon"
fi

# the state at a metal's curved surface is continued, too
sed 's/size: 0, 0, 3 um/size: 200 nm, 200 nm, 200 nm/; s/cell: 10 nm/cell: 5 nm/; s/time: 50 ps/steps: '$((thorough == 1 ? 1500 : 1100))'/; /until/d; /materials/d
	s/{material: dense, shape: box, size: "0, 0, 500 nm"}/{material: Ag-JC, shape: sphere, radius: 50 nm}/; s/frequency: 100 THz, bandwidth: 60 THz/frequency: 700 THz/
	s/{name: T, .*}/{kind: cross-section, wavelengths: 350 nm:600 nm:6}/' "$inputs/resonator.yaml" >"$inputs/silver.yaml"
ok_warned 'of the peak field remaining' "a silver sphere" sonde fdtd "$inputs/silver.yaml" -o silver.csv
for delay in 0.6 0.4 0.3 1 1.5 2 4 8; do
	timeout --preserve-status -k 60 -s INT $delay "$program" fdtd "$inputs/silver.yaml" -o part.csv --force >"$out" 2>"$err"
	[[ ! -e part.csv.checkpoint ]] || break
done
if [[ -e part.csv.checkpoint ]]; then
	ok_warned 'of the peak field remaining' "a silver sphere: stopped, and on" sonde fdtd "$inputs/silver.yaml" -o part.csv --resume --force
	check "a silver sphere: stopped, and on: the same" same_files <(grep -v '^#' part.csv) <(grep -v '^#' silver.csv)
else
	skip "a silver sphere: stopped, and on" "it was over too soon"
fi

# a material in which the usual steps are too long has shorter ones, unless the job says how long they are
metal='s/size: 600 nm, 400 nm, 0/size: 400 nm, 400 nm, 400 nm/; s/material: glass, shape: cylinder/material: Au, shape: sphere/; s/time: 40 fs/time: 40 fs\n  until: 1e-3/; s/cell: 20 nm/cell: 40 nm/; s/400 THz/300 THz/g; s/size: "0, 200 nm, 0"/size: "0, 200 nm, 200 nm"/'
told 'courant is 0\.3359 instead of 0\.5: fields in Au would grow with a longer time step and these cells' "$metal"
check "a material with shorter steps: what the result has" has_line told.csv 'courant = 0\.3359'
refused '11: bodies 1: .*courant must be at most 0\.3359' "$metal; s/time: 40 fs/&\n  courant: 0.5/"

# sizes that are not whole cells: what is on a side stays there
dipole_on_wall='s/- {face: x}/- {face: x-low, kind: magnetic}/; s/center: "-150 nm, 0, 0", polarization/center: "LOW nm, 0, 0", polarization/; s/size: 600 nm/size: SIZE nm/'
for size in 600:-300 609:-304.5 591:-295.5; do
	sed "$dipole_on_wall; s/LOW/${size#*:}/; s/SIZE/${size%:*}/" "$inputs/job.yaml" >"$inputs/wall.yaml"
	ok "a dipole on a side of a box of ${size%:*} nm" sonde fdtd "$inputs/wall.yaml" -o "wall-${size%:*}.csv"
done
check "a dipole on a side: the same" same_files <(grep -v '^#' wall-600.csv) <(grep -v '^#' wall-591.csv)
refused '11: sources 1: center: -3\.05e-07 m along x is not between the sides' "$dipole_on_wall; s/LOW/-305/; s/SIZE/600/"

# a box rotated about a uniform axis has no end there
sed 's/shape: cylinder, radius: 60 nm/shape: box, size: "120 nm, 80 nm, 0", rotation: "0, 0, 90"/' "$inputs/job.yaml" >"$inputs/turned.yaml"
sed 's/shape: cylinder, radius: 60 nm/shape: box, size: "80 nm, 120 nm, 0"/' "$inputs/job.yaml" >"$inputs/straight.yaml"
ok "a turned box in two dimensions" sonde fdtd "$inputs/turned.yaml" -o turned.csv
ok "a turned box in two dimensions: the straight one" sonde fdtd "$inputs/straight.yaml" -o straight.csv
check "a turned box in two dimensions: the same" awk -F, '/^[0-9]/ {p[++n] = $NF} END {exit !(n == 2 && p[1] > 0 && (p[2]/p[1] - 1)^2 < 1e-8)}' turned.csv straight.csv
refused '9: bodies 1: size: a box must have edges longer than 0' 's/shape: cylinder, radius: 60 nm/shape: box, size: "120 nm, 80 nm, 0", rotation: "0, 30, 0"/'

# bands are of resonances; others want numbers in between
resonances='s/kind: flux.*/kind: resonances, center: "150 nm, 0, 0", frequencies: RANGE, components: Ez}/'
sed "$resonances; s/RANGE/300 THz:500 THz/" "$inputs/job.yaml" >"$inputs/band.yaml"
sed "$resonances; s/RANGE/300 THz:500 THz:2/" "$inputs/job.yaml" >"$inputs/two.yaml"
ok "a band" sonde fdtd "$inputs/band.yaml" -o band.csv
ok "a band: as two frequencies" sonde fdtd "$inputs/two.yaml" -o two.csv
check "a band: the same" same_files <(grep -v '^#' band.csv) <(grep -v '^#' two.csv)
refused '13: monitors 1: frequencies: the number of values between 3e\+14 and 5e\+14 is missing: write .frequencies: FIRST:LAST:COUNT.' 's/frequencies: 400 THz}/frequencies: 300 THz:500 THz}/'
refused '13: monitors 1: frequencies: resonances are searched in a band' "$resonances; s/RANGE/300 THz/"

# beams that are wider than their sheets, and pulses below what leaves a sheet
wide='s/size: 600 nm, 400 nm, 0/size: 2 um, 2.2 um, 0/; s/shape: cylinder, radius: 60 nm/shape: cylinder, radius: 1 nm, center: "900 nm, 0, 0"/; s/kind: dipole, center: "-150 nm, 0, 0"/kind: beam, center: "-500 nm, 0, 0", size: "0, 2 um, 0", waist: WAIST nm, bandwidth: 60 THz, direction: "1,0,0"/; /bodies:/d; /shape:/d'
told "sources 1: 1\.[0-9]* % of the beam's power is outside its sheet, and missing" "$wide; s/WAIST/800/; s/time: 40 fs/time: 100 fs/"
sed "$wide; s/WAIST/550/; s/time: 40 fs/time: 100 fs/" "$inputs/job.yaml" >"$inputs/narrow.yaml"
ok "a beam within its sheet" sonde fdtd "$inputs/narrow.yaml" -o narrow.csv
slanting='s/- {face: x}/- {face: y, kind: bloch, phase: 60}/; s/kind: dipole, center: "-150 nm, 0, 0"/kind: sheet, center: "-150 nm, 0, 0", size: "0, 400 nm, 0", bandwidth: BAND THz, direction: "1,0,0"/; s/time: 40 fs/time: 1500 fs/; /bodies:/d; /shape:/d'
told 'sources 1: its pulse has waves below 12[45]\.[0-9]* THz, which with these phases at the sides do not leave the sheet' "$slanting; s/BAND/300/"
sed "$slanting; s/BAND/80/" "$inputs/job.yaml" >"$inputs/above.yaml"
ok "a pulse above what leaves a sheet" sonde fdtd "$inputs/above.yaml" -o above.csv

# a plane wave's box stays where it is with other cells: the reflection of a film, probed at the same place next to it
cat >"$inputs/film.yaml" <<-'JOB'
	fdtd:
	  size: 0, 0, 3 um
	  cell: 25 nm
	  time: 2 ps
	  until: 1e-5
	  materials: [{name: glass, index: 2}]
	  bodies: [{material: glass, shape: box, size: "0, 0, 1 um"}]
	  sources: [{kind: plane-wave, direction: "0,0,1", polarization: "1,0,0", frequency: 180 THz, bandwidth: 100 THz}]
	  monitors: [{name: R, kind: flux, center: "0, 0, -1.4 um", frequencies: 120 THz:240 THz:5, normalize: reflection}]
JOB
for cell in 25 12.5 6.25; do
	ok "a film in cells of $cell nm" sonde fdtd "$inputs/film.yaml" --cell "${cell}nm" -o "film-$cell.csv"
done
check "a film: R comes nearer by four with half of the cells" awk -F, '/^[0-9]/ {r[FILENAME, ++n[FILENAME]] = $NF; f[n[FILENAME]] = $1} END {
	for (k = 1; k <= 5; ++k) {a = r["film-25.csv", k] - r["film-12.5.csv", k]; b = r["film-12.5.csv", k] - r["film-6.25.csv", k]; x += a*a; y += b*b}
	exit !(x > 12 * y && x < 20 * y && x > 0)}' film-25.csv film-12.5.csv film-6.25.csv

# layers that would reflect, as they are given
told 'the absorbing layer at x-low, as specified, reflects 0?\.[0-9]* of the amplitude at [0-9.]* THz' 's/- {face: x}/- {face: x, sigma: 100}/'
told 'the absorbing layer at x-low, as specified, reflects 0?\.[0-9]* of the amplitude' 's/- {face: x}/- {face: x, cells: 1}/'

# the command line takes precedence: steps in place of the job's time, and the other way round
ok "--steps instead of time" sonde fdtd "$inputs/job.yaml" --steps 700 -o steps.csv
check "--steps instead of time: so many" has_line steps.csv '^# steps: 700,'
sed 's/time: 40 fs/steps: 100/' "$inputs/job.yaml" >"$inputs/steps.yaml"
ok "--time instead of steps" sonde fdtd "$inputs/steps.yaml" --time 40fs -o time.csv
check "--time instead of steps: the same as the job" same_files <(grep -v '^#' good.csv) <(grep -v '^#' time.csv)
refused '5: fdtd: steps: only one of .time:. and .steps:. can be given' 's/time: 40 fs/&\n  steps: 5/'

# waves that fade away from a periodic structure: thin layers feed what rings there, the ones that are chosen do not
cat >"$inputs/ring.yaml" <<-'JOB'
	fdtd:
	  size: 0.5 um, 0.5 um, 0.7 um
	  cell: 50 nm
	  time: 760 fs
	  materials: [{name: g, permittivity: 3}]
	  bodies: [{material: g, shape: box, size: "300 nm, 250 nm, 350 nm"}]
	  sources: [{kind: dipole, center: "30 nm, 40 nm, -300 nm", polarization: "1,0.3,0.5", wavelength: 800 nm}]
	  boundaries: [{face: x, kind: periodic}, {face: y, kind: periodic}]
	  monitors: [{kind: point, center: "30 nm, 40 nm, 300 nm", components: "Ex,Ey,Ez", every: 1 fs}]
JOB
strongest() { # FILE FROM TO: fs
	awk -F, -v from="$2e-15" -v to="$3e-15" '/^[0-9]/ && $1 > from && $1 < to {for (k = 2; k <= 4; ++k) {v = $k < 0 ? -$k : $k; if (v > most) most = v}}
		END {printf "%.6g", most}' "$1"
}
sonde fdtd "$inputs/ring.yaml" -o ring.csv >"$out" 2>"$err"
check "periodic, layers as chosen: nothing of growth: $(excerpt "$err")" [ "$(grep -c grow "$err")" = 0 ]
check "periodic, layers as chosen: they are thicker" has_line "$out" '^10 x 10 x 58 cells'
check "periodic, layers as chosen: falls" awk -v a="$(strongest ring.csv 300 500)" -v b="$(strongest ring.csv 560 760)" 'BEGIN {exit !(b > 0 && b < a)}'
sed '/boundaries/s/]$/, {face: z, cells: 11, kappa: 1, sigma: 0.7}]/' "$inputs/ring.yaml" >"$inputs/thin.yaml"
sonde fdtd "$inputs/thin.yaml" -o thin-layers.csv >"$out" 2>"$err"
check "periodic, thin layers: exits with 0" [ $? = 0 ]
check "periodic, thin layers: told: $(excerpt "$err")" has_line "$err" '^sonde: warning: the fields grow [0-9.]* times before step [0-9]*, though the sources have ended'
check "periodic, thin layers: grows" awk -v a="$(strongest thin-layers.csv 300 500)" -v b="$(strongest thin-layers.csv 560 760)" 'BEGIN {exit !(b > 1.5 * a)}'

# bodies between the edges of the grid
told 'bodies 1 is 0\.3 cells thin along x: it may fall between grid edges and be missed' 's/radius: 60 nm/radius: 3 nm/'
told 'bodies 1 is 0\.5 cells thin along x' 's/material: glass, shape: cylinder, radius: 60 nm/material: metal, shape: box, size: "10 nm, 100 nm, 0"/'
sed 's/shape: cylinder, radius: 60 nm/shape: box, size: "10 nm, 100 nm, 0"/' "$inputs/job.yaml" >"$inputs/thin.yaml"
ok "a thin film has its means" sonde fdtd "$inputs/thin.yaml" -o thin.csv
check "a thin film has its means: nothing to tell" [ ! -s "$err" ]

finish
