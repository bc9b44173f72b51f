#!/usr/bin/env bash
# Bloch-periodic walls in jobs of sonde fdtd: bands of a photonic crystal, slabs at oblique incidence, invalid input.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

is_about() { awk -v a="$1" -v b="$2" -v near="$3" 'BEGIN {exit !(a != "" && a - b < near * b && b - a < near * b)}'; }

# bands: dielectric rods in air, r = 0.2 a, E along them ------------------------------------------
# J. D. Joannopoulos, S. G. Johnson, J. N. Winn, R. D. Meade, Photonic Crystals, 2nd ed. (2008), chapter 5, figure 2, has them as a
# picture. The numbers, in c/a, are of an expansion in plane waves made for this test: (k + G)^2 E_G = (2 pi f)^2 sum of eps(G - G') E_G',
# with eps(G) = 1 + 7.9 pi r^2 for 0, else 7.9 2 pi r^2 J_1(G r)/(G r), in 33 x 33 waves; with 29 x 29 they are the same to 2e-5.
# At M the second band is a pair of two, of which a dipole on a diagonal drives one.
crystal() { # PHASE-X PHASE-Y
	cat >"$inputs/crystal.yaml" <<-JOB
		fdtd:
		  size: 1 um, 1 um, 0
		  cell: 50 nm
		  steps: 5000
		  boundaries:
		    - {face: x, kind: bloch, phase: $1}
		    - {face: y, kind: bloch, phase: $2}
		  materials:
		    - {name: rod, permittivity: 8.9}
		  bodies:
		    - {material: rod, shape: cylinder, radius: 200 nm, height: 1 um}
		  sources:
		    - {kind: dipole, center: "150 nm, 100 nm, 0", polarization: "0,0,1", frequency: 100 THz, bandwidth: 80 THz}
		  monitors:
		    - {name: ring, kind: resonances, center: "-200 nm, 100 nm, 0", components: Ez, frequencies: "30 THz:220 THz:2"}
	JOB
}
# Resonance NUMBER as f a/c.
band() { awk -v n="$1" '/^ring: / {if (++k == n) printf "%.6f", $2/299.792458}' "$out"; }

while read -r name x y exact; do
	crystal "$x" "$y"
	ok "crystal, $name" sonde fdtd "$inputs/crystal.yaml" -o "$name.h5"
	n=0
	for frequency in $exact; do
		n=$((n + 1))
		check "crystal, $name: band $n" is_about "$(band $n)" "$frequency" 0.006
	done
done <<-BANDS
	X 180 0 0.274707 0.442523 0.635976
	X-of-y 0 -180 0.274707 0.442523 0.635976
	half-way 90 0 0.171200 0.513535
	M 180 180 0.322397 0.548844
BANDS

# slabs: n = 2, 500 nm, by a sheet whose waves slant at asin(166.55 THz/f) ------------------------
slab() { # KIND-OF-SIDES POLARIZATION
	cat >"$inputs/slab.yaml" <<-JOB
		fdtd:
		  size: 2 um, 0, 200 nm
		  cell: 25 nm
		  time: 500 fs
		  precision: float64
		  boundaries:
		    - {face: z, $1}
		    - {face: x, kind: absorbing, cells: 20}
		  materials:
		    - {name: glass, index: 2}
		  bodies:
		    - {material: glass, shape: box, size: "500 nm, 1 um, 1 um"}
		  sources:
		    - {kind: sheet, center: "-700 nm, 0, 0", size: "0, 1 um, 1 um", polarization: "$2", frequency: 280 THz, bandwidth: 60 THz}
		  monitors:
		    - {name: T, kind: flux, center: "700 nm, 0, 0", size: "0, 0, 200 nm", frequencies: "250 THz:310 THz:4", normalize: reference}
		    - {name: R, kind: flux, center: "-500 nm, 0, 0", size: "0, 0, 200 nm", frequencies: "250 THz:310 THz:4", normalize: reflection}
		    - {name: P, kind: point, center: "100 nm, 0, 0", components: "Ey", every: 50 fs}
		    - {name: A, kind: absorption, size: "600 nm, 0, 200 nm", frequencies: "250 THz:310 THz:4"}
		    - {name: S, kind: snapshot, size: "600 nm, 0, 200 nm", every: 100 fs}
		    - {name: F, kind: fields, size: "600 nm, 0, 200 nm", frequencies: "250 THz:310 THz:4"}
	JOB
}
# Line NUMBER of a monitor's numbers, the last column.
last_of() { monitor_table "$out" "$1" | awk -F, -v n="$2" 'NR == n {print $NF}'; }

# Airy's formulas of a layer, with k_x = sqrt(n^2 k^2 - k_z^2), admittances k_x (s) and n^2/k_x (p)
while read -r name polarization exact; do
	slab "kind: bloch, phase: 40" "$polarization"
	ok "slab, $name" sonde fdtd "$inputs/slab.yaml"
	n=0
	for transmission in $exact; do
		n=$((n + 1))
		check "slab, $name: transmission $n" is_about "$(last_of T $n)" "$transmission" 0.03
		check "slab, $name: all of it $n" is_about "$(awk "BEGIN {print $(last_of T $n) + $(last_of R $n)}")" 1 1e-3
	done
done <<-SLABS
	s 0,1,0 0.480887 0.618810 0.846610 0.999473
	p 0,0,1 0.823743 0.855160 0.941107 0.999785
SLABS
ok "slab: HDF5" sonde fdtd "$inputs/slab.yaml" -o slab.h5

slab "kind: bloch, phase: 0" 0,1,0
ok "no phase" sonde fdtd "$inputs/slab.yaml" -o bloch.csv --error none
slab "kind: periodic" 0,1,0
ok "periodic" sonde fdtd "$inputs/slab.yaml" -o periodic.csv --error none
numbers() { grep -v '^#' "$1" | sed -n '/^time_s/,/^$/!p'; }
ok "plan of periodic sides" sonde fdtd "$inputs/slab.yaml" --plan
bytes_of_cell() { sed -n 's/^memory .* \([0-9.]*\) bytes per cell.*/\1/p' "$out"; }
one_part=$(bytes_of_cell)
check "no phase: as periodic" [ "$(numbers bloch.csv)" = "$(numbers periodic.csv)" ]
check "no phase: no imaginary part" [ -z "$(sed -n '/^time_s,Ey_real_V.m,Ey_imag_V.m/,/^$/p' bloch.csv | awk -F, 'NR > 1 && NF == 3 && $3 != 0')" ]

slab "kind: bloch, phase: 40" 0,1,0
ok "plan" sonde fdtd "$inputs/slab.yaml" --plan
check "plan: twice the memory" [ $((($(bytes_of_cell) - 2 * one_part) ** 2)) -le 1 ]

# points at both sides of a cell are one, but for the phase, i here; also H, whose faces lie half a cell from them ----
crystal 90 180
sed -i '/resonances/d' "$inputs/crystal.yaml"
for side in -500 500; do
	sed -i "\$a\    - {name: P$side, kind: point, center: \"$side nm, 120 nm, 0\", components: \"Ez,Hx,Hy\", every: 20 fs}" "$inputs/crystal.yaml"
done
ok "both sides" sonde fdtd "$inputs/crystal.yaml" -o sides.csv --error none
of_side() { monitor_table sides.csv "P$1"; }
paste -d, <(of_side -500) <(of_side 500) >both.csv
check "both sides: the same but for the phase" awk -F, '
	{n = NF / 2; for (k = 2; k < n; k += 2) {
		most = $k > most ? $k : most; off = $(k + n) + $(k + 1); off = off * off + ($(k + n + 1) - $k)^2
		wrong += sqrt(off) > 1e-9 * (sqrt($k^2 + $(k + 1)^2) + 1e-30)}}
	END {exit !(NR > 20 && most > 0 && wrong == 0)}' both.csv

# a stopped run is resumed with both parts ----------------------------------------------------
crystal 90 -40
sed -i "s/steps: 5000/steps: $((sanitized ? 30000 : 80000))/" "$inputs/crystal.yaml"
sed -i '$a\    - {name: P, kind: point, center: "100 nm, 0, 0", components: Ez, every: 20 fs}' "$inputs/crystal.yaml"
sed -i '$a\    - {name: F, kind: flux, center: "100 nm, 0, 0", size: "0, 500 nm, 0", frequencies: "80 THz:120 THz:3"}' "$inputs/crystal.yaml"
ok_warned 'of the peak field remaining' "in one go" sonde fdtd "$inputs/crystal.yaml" -o whole.csv
for wait in 0.5 1 2 4; do # longer where it has not begun
	timeout --preserve-status -k 60 -s TERM $wait "$program" fdtd "$inputs/crystal.yaml" >"$out" 2>"$err"
	code=$?
	((code == 130)) || break
done
if ((code != 0)); then # a fast machine may be done
	check "stopped without --output: exit code 75, not $code" [ $code = 75 ]
	check "stopped without --output: reports it" contains "$err" '; nothing is kept without --output'
fi
# timeout sends its signal twice, to the program and to its group: that is one request
if stopped_with part.csv.checkpoint INT "$program" fdtd "$inputs/crystal.yaml" -o part.csv; then
	ok "a checkpoint: what it is" sonde info part.csv.checkpoint
	check "a checkpoint: of fdtd" has_line "$out" '^what +checkpoint of an unfinished run of sonde fdtd$'
	check "a checkpoint: steps" has_line "$out" '^steps +[1-9][0-9]* done$'
	check "a checkpoint: to go on" has_line "$out" '^to resume +the same command with --output part.csv --resume$'
	check "a checkpoint: the job" has_line "$out" 'permittivity: 8\.9'
	head -c 100 part.csv.checkpoint >cut.checkpoint
	fails 2 'cut.checkpoint: ends too early, or is damaged' sonde info cut.checkpoint
	size=$(stat -c %s part.csv.checkpoint)
	for ((k = 0; k < 20; ++k)); do
		cp part.csv.checkpoint flipped.checkpoint
		flip_bit flipped.checkpoint $((8 + k * (size - 9) / 19)) $((k % 8)) # the first eight say what it is
		fails 2 'flipped.checkpoint: (is damaged: it does not match its checksum|ends too early, or is damaged)' \
			sonde info flipped.checkpoint
	done
	cp part.csv.checkpoint flipped.csv.checkpoint
	flip_bit flipped.csv.checkpoint $((size / 2)) 5
	fails 2 'flipped.csv.checkpoint: is damaged: it does not match its checksum' \
		sonde fdtd "$inputs/crystal.yaml" -o flipped.csv --resume
	rm -f flipped.checkpoint flipped.csv.checkpoint
	ok_warned 'of the peak field remaining' "stopped, and on" sonde fdtd "$inputs/crystal.yaml" -o part.csv --resume
	check "stopped, and on: the same" [ "$(grep -v '^#' part.csv)" = "$(grep -v '^#' whole.csv)" ]
else
	skip "stopped" "it was not stopped on the way"
fi

# refusals ---------------------------------------------------------------------------------------
refused() { # EDIT REGEX
	slab "kind: bloch, phase: 40" 0,1,0
	sed -i "$1" "$inputs/slab.yaml"
	fails 2 "$2" sonde fdtd "$inputs/slab.yaml" -o refused.h5
}
refused 's/face: z,/face: z-low,/' 'only one side of z is of kind bloch'
refused 's/- {face: x,/- {face: z-low, kind: bloch, phase: 30}\n    - {face: x,/' 'the sides of z have phases of 30 and 40 degrees'
refused 's/face: z,/face: y,/' 'the structure is uniform along y, so fields gain no phase'
refused 's/kind: bloch/kind: periodic/' 'boundaries 1: phase: only sides of kind bloch have one'
refused 's/kind: sheet/kind: plane-wave/' "a plane wave in a box does not support Bloch phases"
refused 's/phase: 40/phase: 400/' 'phase: 400 is out of range'
refused 's/frequency: 280/frequency: 80/' 'a sheet emits only waves above 166.5'
refused 's/kind: absorption, size: "600 nm, 0, 200 nm"/kind: far-field, size: "600 nm, 0, 100 nm"/' 'the far field of a single body is not defined'

# A grating of bars between periodic sides against rigorous coupled waves (tests/oracles/rcwa.py)
grating() { # CELL POLARIZATION
	cat >"$inputs/grating.yaml" <<-JOB
		fdtd:
		  size: 600 nm, 0, 1.6 um
		  cell: $1 nm
		  time: 5 ps
		  until: 1e-3
		  boundaries: [{face: x, kind: periodic}]
		  materials: [{name: bar, index: 2}]
		  bodies: [{material: bar, shape: box, size: "300 nm, 0, 250 nm"}]
		  sources: [{kind: sheet, center: "0, 0, -500 nm", size: "600 nm, 0, 0", direction: "0,0,1", polarization: "$2", frequency: 400 THz, bandwidth: 160 THz}]
		  monitors:
		    - {name: T, kind: flux, center: "0, 0, 600 nm", size: "600 nm, 0, 0", frequencies: "320 THz:480 THz:17", normalize: reference}
		    - {name: R, kind: flux, center: "0, 0, -350 nm", size: "600 nm, 0, 0", frequencies: "320 THz:480 THz:17", normalize: reflection}
	JOB
}
# minutes under sanitizers, and no other code
((sanitized == 0)) && while read -r cell polarization column most; do
	grating "$cell" "$polarization"
	ok "grating, $polarization, $cell nm" sonde fdtd "$inputs/grating.yaml" -o grating.csv --force
	paste -d, <(monitor_table grating.csv T) <(monitor_table grating.csv R) <(grep '^[0-9]' "$here/../data/fdtd_grating.csv") >both.csv
	check "grating, $polarization, $cell nm: R and T" awk -F, -v c="$column" -v most="$most" 'function size(x) {return x < 0 ? -x : x}
		{if (size($5 - $(11 + c)) > t) t = size($5 - $(11 + c)); if (size($10 - $(10 + c)) > r) r = size($10 - $(10 + c)); if (size($5 + $10 - 1) > s) s = size($5 + $10 - 1)}
		END {exit !(NR == 17 && t < most && r < most && s < 3e-3)}' both.csv
done <<-GRATINGS
	20 0,1,0 2 0.012
	20 1,0,0 4 0.06
	12.5 1,0,0 4 0.025
GRATINGS

finish
