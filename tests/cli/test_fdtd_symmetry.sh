#!/usr/bin/env bash
# Halves and quarters of jobs of sonde fdtd between mirrors, compared with the whole; powers of dipoles; bodies in the reference run.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# largest difference of two tables' columns from the third on, over the largest number of the column; of far fields those without phases
differ() { # FILE MONITOR FILE
	paste -d, <(monitor_table "$1" "$2") <(monitor_table "$3" "$2") | awk -F, -v first="$([[ $2 = f ]] && echo 8 || echo 3)" '{for (k = first; k <= NF/2; ++k) {
		a = $k; b = $(k + NF/2); d = a - b; if (d < 0) d = -d; if (a < 0) a = -a; if (d > off[k]) off[k] = d; if (a > most[k]) most[k] = a}}
		END {for (k in most) {r = most[k] > 0 ? off[k]/most[k] : off[k]; if (r > worst) worst = r} printf "%.3g", (NR > 0 ? worst : 1)}'
}
below() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a != "" && a < b)}'; }

# A lossy sphere in a plane wave: a quarter of it, between a conductor across E and a magnetic wall along it ------------------------------
cat >"$inputs/whole.yaml" <<-'JOB'
	fdtd:
	  size: 400 nm, 400 nm, 400 nm
	  cell: 20 nm
	  time: 60 fs
	  precision: float64
	  materials: [{name: g, permittivity: 3, conductivity: 3000}]
	  bodies: [{material: g, shape: sphere, radius: 97 nm}]
	  sources: [{kind: plane-wave, direction: "0,0,1", polarization: "1,0,0", wavelength: 600 nm}]
	  monitors:
	    - {name: c, kind: cross-section, wavelengths: "550 nm:650 nm:3"}
	    - {name: f, kind: far-field, size: "360 nm, 360 nm, 360 nm", wavelengths: "550 nm:650 nm:3", theta: 50, phi: 20}
	    - {name: a, kind: absorption, size: "240 nm, 240 nm, 240 nm", wavelengths: "550 nm:650 nm:3"}
	    - {name: s, kind: flux, size: "360 nm, 360 nm, 360 nm", wavelengths: "550 nm:650 nm:3"}
JOB
quarter='s/size: 400 nm, 400 nm/size: 200 nm, 200 nm/; s/radius: 97 nm/&, center: "-100 nm, -100 nm, 0"/; s/size: "360 nm, 360 nm/center: "-10 nm, -10 nm, 0", size: "180 nm, 180 nm/; s/size: "240 nm, 240 nm/center: "-40 nm, -40 nm, 0", size: "120 nm, 120 nm/'
sed "$quarter; s/^  time:/  boundaries: [{face: x-low, kind: conductor}, {face: y-low, kind: magnetic}]\n&/" "$inputs/whole.yaml" >"$inputs/quarter.yaml"
ok "a sphere" sonde fdtd "$inputs/whole.yaml" -o whole.csv
ok "a quarter of it" sonde fdtd "$inputs/quarter.yaml" -o quarter.csv
for name in c f a s; do
	check "a quarter of a sphere: monitor $name: $(differ whole.csv $name quarter.csv)" below "$(differ whole.csv $name quarter.csv)" 1e-9
done
sed 's/size: 200 nm, 200 nm/size: 200 nm, 400 nm/; s/{face: y-low, kind: magnetic}/{face: y, kind: periodic}/' "$inputs/quarter.yaml" >"$inputs/refused.yaml"
fails 2 'monitors 1: kind: a cross-section applies to the contents of the box and their image in one wall; the sides of y are periodic' sonde fdtd "$inputs/refused.yaml" -o refused.csv
sed 's/face: x-low/face: x/' "$inputs/quarter.yaml" >"$inputs/refused.yaml"
fails 2 'monitors 1: kind: a cross-section .*the sides of x both mirror' sonde fdtd "$inputs/refused.yaml" -o refused.csv
sed '/kind: cross-section/d; s/face: x-low/face: x/' "$inputs/quarter.yaml" >"$inputs/refused.yaml"
fails 2 'monitors 1: kind: a far field .*the sides of x both mirror' sonde fdtd "$inputs/refused.yaml" -o refused.csv

# Two dipoles that are images of each other, and one before the wall; the box ends at the wall, or before it. What is compared is the same on any
# mesh: a coarse one will do ---------------------------------------------------------------------------------------------------------------
pair() { # NAME SECOND
	cat >"$inputs/$1.yaml" <<-JOB
		fdtd:
		  size: 800 nm, 480 nm, 480 nm
		  cell: 40 nm
		  time: 60 fs
		  precision: float64
		  sources:
		    - {kind: $3, center: "-110 nm, 10 nm, 0", polarization: "1, 0.4, 0.2", wavelength: 640 nm}
		    - {kind: $3, center: "110 nm, 10 nm, 0", polarization: "$2", wavelength: 640 nm}
		  monitors:
		    - {name: b, kind: flux, size: "720 nm, 400 nm, 400 nm", wavelengths: "550 nm:650 nm:3"}
		    - {name: f, kind: far-field, size: "720 nm, 400 nm, 400 nm", wavelengths: "550 nm:650 nm:3", theta: 50, phi: 130}
	JOB
}
half='/center: "110 nm/d; s/center: "-110 nm/center: "90 nm/; s/size: 800 nm/size: 400 nm/'
while read -r wall kind image; do
	pair pair "$image" "$kind"
	ok "$kind, $wall: both" sonde fdtd "$inputs/pair.yaml" -o pair.csv --force
	for box in 'center: "20 nm, 0, 0", size: "360 nm' 'center: "60 nm, 0, 0", size: "200 nm'; do
		sed "$half; s/^  time:/  boundaries: [{face: x-high, kind: $wall}]\n&/; s/size: \"720 nm/$box/" "$inputs/pair.yaml" >"$inputs/half.yaml"
		[[ $box == *360* ]] || sed -i '/kind: flux/d' "$inputs/half.yaml"
		ok "$kind, $wall: one" sonde fdtd "$inputs/half.yaml" -o half.csv --force
		check "$kind, $wall: far field, $box: $(differ pair.csv f half.csv)" below "$(differ pair.csv f half.csv)" 1e-7
		[[ $box != *360* ]] || check "$kind, $wall: power" below "$(differ pair.csv b half.csv)" 1e-7
	done
done <<-WALLS
	conductor dipole 1,-0.4,-0.2
	magnetic dipole -1,0.4,0.2
	conductor magnetic-dipole -1,0.4,0.2
	magnetic magnetic-dipole 1,-0.4,-0.2
WALLS

# The power that a dipole gives is what goes out of a box; in vacuum that of a free one ----------------------------------------------------
cat >"$inputs/power.yaml" <<-'JOB'
	fdtd:
	  size: 600 nm, 600 nm, 600 nm
	  cell: 30 nm
	  time: 60 fs
	  precision: float64
	  background: 1.2
	  sources: [{kind: dipole, center: "7 nm, 10 nm, 3 nm", polarization: "1, 0.4, 2", wavelength: 600 nm}]
	  monitors:
	    - {name: b, kind: flux, size: "400 nm, 400 nm, 400 nm", wavelengths: "550 nm:650 nm:3"}
	    - {name: p, kind: source-power, wavelengths: "550 nm:650 nm:3"}
JOB
gives() { # LABEL EDIT MOST: power against flux, Purcell's factor against 1
	sed "$2" "$inputs/power.yaml" >"$inputs/given.yaml"
	ok "$1" sonde fdtd "$inputs/given.yaml" -o given.csv --force
	check "$1: what goes out, and Purcell's factor is 1" awk -F, -v most="$3" '/^[0-9]/ {++n; d = $4/$3 - 1; p = $6 - 1; if (d*d > 1e-12 || p*p > most*most) bad = 1} END {exit bad || n != 3}' given.csv
}
gives "a dipole" '' 5e-6
gives "a magnetic dipole" 's/kind: dipole/kind: magnetic-dipole/' 5e-6
gives "a dipole in two dimensions" 's/600 nm, 600 nm, 600 nm/600 nm, 600 nm, 0/' 5e-5
gives "a dipole in one dimension" 's/600 nm, 600 nm, 600 nm/600 nm, 0, 0/; s/cell: 30 nm/cell: 10 nm/' 5e-5
gives "with another source" 's/sources: \[/&{kind: dipole, center: "7 nm, 10 nm, 3 nm", wavelength: 600 nm, amplitude: 1e-9}, /; s/kind: source-power/&, source: 2/' 5e-6

# Above a perfect mirror, with x = 2 k h: 1 - 3 (cos x/x^2 - sin x/x^3) across it, 1 - 3/2 (sin x/x + cos x/x^2 - sin x/x^3) along it (Chance, Prock and
# Silbey, Adv. Chem. Phys. 37 (1978) 1)
for along in 0 1; do
	sed "s/background: 1.2/boundaries: [{face: z-low, kind: conductor}]/; s/center: .*, wavelength/center: \"0, 0, -180 nm\", polarization: \"$along, 0, $((1 - along))\", wavelength/; /kind: flux/d; s/cell: 30 nm/cell: 20 nm/" \
		"$inputs/power.yaml" >"$inputs/mirror.yaml"
	ok "a dipole above a mirror" sonde fdtd "$inputs/mirror.yaml" -o mirror.csv --force
	check "a dipole above a mirror: Purcell's factor" awk -F, -v along=$along '/^[0-9]/ {++n; x = 2*2*3.14159265358979/$2*120e-9; s = sin(x)/x^3; c = cos(x)/x^2
		exact = along ? 1 - 1.5*(sin(x)/x + c - s) : 1 - 3*(c - s); d = $5 - exact; if (d*d > 4e-4*exact^2) bad = 1} END {exit bad || n != 3}' mirror.csv
done
sed 's/kind: source-power/&, source: 2/' "$inputs/power.yaml" >"$inputs/refused.yaml"
fails 2 'monitors 2: source: there are only 1 sources' sonde fdtd "$inputs/refused.yaml"
sed 's/{kind: dipole.*/{kind: plane-wave, direction: "0,0,1", polarization: "1,0,0", wavelength: 600 nm}]/; s/400 nm/300 nm/g' "$inputs/power.yaml" >"$inputs/refused.yaml"
fails 2 'monitors 2: source: sources 1 is not a dipole' sonde fdtd "$inputs/refused.yaml"

# Bodies in the run for reference: a film on a substrate, beside two jobs whose powers are divided ------------------------------------------
film() { # NAME BODIES NORMALIZE
	cat >"$inputs/$1.yaml" <<-JOB
		fdtd:
		  size: 0, 0, 3 um
		  cell: 20 nm
		  time: 150 fs
		  precision: float64
		  materials: [{name: glass, index: 1.5}, {name: film, index: 2.2}]
		  bodies: [$2]
		  sources: [{kind: sheet, center: "0, 0, -1 um", direction: "0,0,1", polarization: "1,0,0", wavelength: 700 nm, sides: forward}]
		  monitors:
		    - {name: T, kind: flux, center: "0, 0, 1.2 um", wavelengths: "600 nm:800 nm:5"$3}
		    - {name: R, kind: flux, center: "0, 0, -0.5 um", wavelengths: "600 nm:800 nm:5"${3/reference/reflection}}
	JOB
}
substrate='material: glass, shape: box, center: "0, 0, 1 um", size: "0, 0, 2 um"' layer='material: film, shape: box, center: "0, 0, -50 nm", size: "0, 0, 100 nm"'
film both "{$substrate}, {$layer}" ""
film bare "{$substrate}" ""
film relative "{$substrate, in-reference: true}, {$layer}" ", normalize: reference"
film swapped "{$substrate}, {$layer, in-reference: only}, {$substrate, in-reference: true}" ", normalize: reference"
for name in both bare relative swapped; do
	ok "film: $name" sonde fdtd "$inputs/$name.yaml" -o $name.csv
done
check "film: relative to the bare substrate" awk -F, '/^[0-9]/ {++n[FILENAME]; t[FILENAME, n[FILENAME]] = FILENAME == "relative.csv" ? $6 : $3}
	END {for (k = 1; k <= 5; ++k) {d = t["both.csv", k]/t["bare.csv", k]/t["relative.csv", k] - 1; if (d*d > 1e-16) bad = 1} exit bad || n["relative.csv"] != 5}' both.csv bare.csv relative.csv
check "film: only in the run for reference" awk -F, '/^[0-9]/ {++n[FILENAME]; t[FILENAME, n[FILENAME]] = FILENAME == "swapped.csv" ? $6 : $3}
	END {for (k = 1; k <= 5; ++k) {d = t["bare.csv", k]/t["both.csv", k]/t["swapped.csv", k] - 1; if (d*d > 1e-16) bad = 1} exit bad || n["swapped.csv"] != 5}' both.csv bare.csv swapped.csv
# The substrate's reflection is not part of the incident wave: Airy's sums of the film on it, and the difference from the bare one
ok "film: small cells" sonde fdtd "$inputs/relative.yaml" --cell 5nm -o small.csv
check "film: reflection and transmission of all over the wave alone, and what the film adds" awk -F, 'function is(a, b) {return (a - b)^2 < 2e-6}
	/^[0-9]/ {++n; d = 4*3.14159265358979*100e-9/$2; r = -1.2/3.2; s = 0.7/3.7; c = cos(2.2*d); i = sin(2.2*d); a = 1 + r*s*c; b = r*s*i; x = r + s*c; y = s*i
		re = (x*a + y*b)/(a*a + b*b); im = (y*a - x*b)/(a*a + b*b); p = re + 0.2*cos(d); q = im + 0.2*sin(d)
		if (!is($9, re^2 + im^2) || !is($5, 1 - re^2 - im^2) || !is($10, p^2 + q^2)) bad = 1} END {exit bad || n != 5}' small.csv
# A guide carries the wave and is in all runs: nothing else is added
sed 's/size: 0, 0, 3 um/size: 0, 2 um, 3 um/; s/cell: 20 nm/cell: 40 nm/; s/time: 150 fs/time: 60 fs/; s/center: "0, 0, 1 um", size: "0, 0, 2 um"/center: "0, 0, 0", size: "0, 0.4 um, 9 um"/; s/size: "0, 0, 100 nm"/size: "0, 1 um, 100 nm"/; s/kind: flux/&, size: "0, 1 um, 0"/; s/kind: sheet/&, size: "0, 1 um, 0"/' "$inputs/relative.yaml" >"$inputs/guide.yaml"
ok_warned "the mesh is coarse" "a guide" sonde fdtd "$inputs/guide.yaml" --plan
check "a guide: a source begins in it, so one run for reference is enough" has_line "$out" 'and as many without bodies'
ok "a film" sonde fdtd "$inputs/relative.yaml" --plan
check "a film: a run of the wave alone, too" has_line "$out" "as many of the wave alone, and as many with the reference run's bodies"
# After two steps the wave has not reached the monitor, and no power is compared with no power
sonde fdtd "$inputs/relative.yaml" --time 0.05fs -o none.csv >"$out" 2>"$err"
check "no wave: exits with 0" [ $? = 0 ]
check "no wave: no number for the quotient" has_line "$err" '^sonde: warning: monitors 1: transmission is undefined at .* THz: the wave alone has no power there'
# Behind a sheet that sends to one side there is no wave to compare with
sed '/name: T/d; s/-0.5 um/-1.2 um/' "$inputs/relative.yaml" >"$inputs/behind.yaml"
ok_warned 'monitors 1: reflection is -?[0-9.e+]+ at .* THz: .*the wave alone has almost no power' "behind a sheet" sonde fdtd "$inputs/behind.yaml" -o behind.csv
sed "s/kind: sheet, center: \"0, 0, -1 um\", /kind: plane-wave, /; s/, sides: forward//; s/center: \"0, 0, -0.5 um\"/center: \"0, 0, -1.46 um\"/; s/center: \"0, 0, 1 um\", size: \"0, 0, 2 um\"/center: \"0, 0, 500 nm\", size: \"0, 0, 1 um\"/" "$inputs/relative.yaml" >"$inputs/refused.yaml"
fails 2 "monitors 2: normalize: the monitor is outside the plane wave's box, and bodies 1 is in the reference run" sonde fdtd "$inputs/refused.yaml"

finish
