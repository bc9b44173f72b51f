#!/usr/bin/env bash
# Mirrors as sides of jobs of sonde fdtd: currents and points near them act together with their images; and what is not possible next to them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# largest number of a column of a monitor's first table
largest() { # FILE MONITOR COLUMN
	awk '/^time/ {++tables} /^# monitor/ {tables = 0} tables < 2' "$1" >"$1.first"
	monitor_table "$1.first" "$2" | awk -F, -v c="$3" '{v = $c < 0 ? -$c : $c; most = v > most ? v : most} END {printf "%.6g", most}'
}
is_about() { awk -v a="$1" -v b="$2" -v near="$3" 'BEGIN {exit !(a != "" && a - b < near && b - a < near)}'; }

# 1 V/m in front of a magnetic wall, at any height: a sheet of 1/eta_0 sends 0.5 V/m, its image as much; H is 0 at the wall ---------
for height in 0 1 2.5 5 7.5 10; do
	cat >"$inputs/wall.yaml" <<-JOB
		fdtd:
		  size: 0, 0, 1 um
		  cell: 10 nm
		  time: 200 fs
		  boundaries: [{face: z-low, kind: magnetic}, {face: z-high, alpha: 0}]
		  sources: [{kind: dipole, center: "0, 0, $(awk "BEGIN {print -500 + $height}") nm", polarization: "1,0,0", amplitude: 0.00265441873, frequency: 150 THz, waveform: ramped-sine}]
		  monitors:
		    - {name: far, kind: point, center: "0, 0, 300 nm", components: Ex, every: 0.5 fs}
		    - {name: wall, kind: point, center: "0, 0, -500 nm", components: Hy, every: 0.5 fs}
	JOB
	ok "height $height" sonde fdtd "$inputs/wall.yaml" -o wall.csv --force
	check "height $height: twice the wave" is_about "$(largest wall.csv far 2)" 1 0.002
	check "height $height: no H at the wall" [ "$(largest wall.csv wall 2)" = 0 ]
done

# a half with a wall and a whole with both currents, a quarter of a cell away --------------------------------------------------
two_halves() { # WALL KIND POLARIZATION COMPONENTS SIGN-OF-THE-IMAGE
	local monitor="kind: point, components: \"$4\", every: 0.5 fs" source="kind: $2, polarization: \"$3\", frequency: 400 THz"
	cat >"$inputs/half.yaml" <<-JOB
		fdtd:
		  size: 400 nm, 200 nm, 0
		  cell: 20 nm
		  time: 20 fs
		  precision: float64
		  boundaries: [{face: y-low, kind: $1}]
		  sources: [{$source, center: "40 nm, -95 nm, 0"}]
		  monitors:
		    - {$monitor, name: p, center: "-60 nm, -95 nm, 0"}
		    - {$monitor, name: q, center: "20 nm, 50 nm, 0"}
	JOB
	cat >"$inputs/whole.yaml" <<-JOB
		fdtd:
		  size: 400 nm, 400 nm, 0
		  cell: 20 nm
		  time: 20 fs
		  precision: float64
		  sources:
		    - {$source, center: "40 nm, 5 nm, 0"}
		    - {$source, center: "40 nm, -5 nm, 0", amplitude: $5}
		  monitors:
		    - {$monitor, name: p, center: "-60 nm, 5 nm, 0"}
		    - {$monitor, name: q, center: "20 nm, 150 nm, 0"}
	JOB
	ok "$1, $2 along $3: half" sonde fdtd "$inputs/half.yaml" -o half.csv --error none --force
	ok "$1, $2 along $3: whole" sonde fdtd "$inputs/whole.yaml" -o whole.csv --error none --force
	paste -d, <(grep '^[0-9]' half.csv) <(grep '^[0-9]' whole.csv) >both.csv
	check "$1, $2 along $3: the same" awk -F, '{n = NF / 2; for (k = 2; k <= n; ++k) {
		most[k] = $k^2 > most[k] ? $k^2 : most[k]; d = ($k - $(k + n))^2; off[k] = d > off[k] ? d : off[k]}}
		END {for (k in most) bad += !(off[k] <= 1e-22 * most[k]); exit !(NR > 60 && most[2] > 0 && bad == 0)}' both.csv
}
two_halves magnetic dipole 1,0,0 Ex,Ey,Hz 1
two_halves magnetic dipole 0,1,0 Ex,Ey,Hz -1
two_halves magnetic magnetic-dipole 1,0,0 Hx,Hy,Ez -1
two_halves magnetic magnetic-dipole 0,1,0 Hx,Hy,Ez 1
two_halves conductor dipole 1,0,0 Ex,Ey,Hz -1
two_halves conductor dipole 0,1,0 Ex,Ey,Hz 1
two_halves conductor magnetic-dipole 1,0,0 Hx,Hy,Ez 1
two_halves conductor magnetic-dipole 0,1,0 Hx,Hy,Ez -1

# refusals ---------------------------------------------------------------------------------------
two_halves magnetic dipole 1,0,0 Ex,Ey,Hz 1
refused() { # EDIT REGEX
	sed "$1" "$inputs/half.yaml" >"$inputs/refused.yaml"
	fails 2 "$2" sonde fdtd "$inputs/refused.yaml" -o refused.h5
}
refused 's/polarization: "1,0,0"/polarization: "0,1,0"/; s/-95 nm, 0"}]/-100 nm, 0"}]/' 'a current does not radiate along a perfect conductor or across a magnetic wall'
refused 's/kind: magnetic}/kind: conductor}/; s/-95 nm, 0"}]/-100 nm, 0"}]/' 'a current does not radiate along a perfect conductor'
refused 's/kind: magnetic}/kind: conductor}/; s/kind: dipole, polarization: "1,0,0"/kind: magnetic-dipole, polarization: "0,1,0"/; s/-95 nm, 0"}]/-100 nm, 0"}]/' 'a magnetic current does not radiate across a perfect conductor'
refused 's/face: y-low/face: y/; $a\    - {kind: far-field, size: "100 nm, 100 nm, 0", frequencies: 400 THz}' 'a far field .* the sides of y both mirror'
refused 's/kind: dipole/kind: magnetic-dipole/; $a\  materials: [{name: m, conductor: true}]\n  bodies: [{material: m, shape: box, size: "160 nm, 200 nm, 160 nm", center: "40 nm, 0, 0"}]' 'it lies in a perfect conductor'

# a body whose faces lie on nodes is what it is a little smaller and larger: cells at its edges have parts of it, whatever rounding says -------
for size in 100 100.0000001 99.9999999; do
	cat >"$inputs/ties.yaml" <<-JOB
		fdtd:
		  size: 200 nm, 200 nm, 200 nm
		  cell: 12.5 nm
		  steps: 150
		  bodies: [{material: Au-JC, shape: box, size: "$size nm, $size nm, $size nm", center: "12.5 nm, 0, -12.5 nm"}]
		  sources: [{kind: dipole, polarization: "1,2,3", center: "-80 nm, 0, 10 nm", frequency: 500 THz}]
		  monitors: [{name: p, kind: point, center: "75 nm, 20 nm, 10 nm", components: "Ex,Ey,Ez,Hx,Hy,Hz", every: 0.2 fs}]
	JOB
	ok "ties: $size nm" sonde fdtd "$inputs/ties.yaml" -o "ties-$size.csv"
	check "ties: $size nm: the same" [ "$(grep '^[0-9]' "ties-$size.csv")" = "$(grep '^[0-9]' ties-100.csv)" ]
done

# a prism of a conductor whose faces lie on nodes is the box that it looks like: all edges in its surface conduct -------------------------
corners() { # HALF HALF: clockwise, with a corner in the middle of a side and one given twice
	echo "[[-$1 nm, -$2 nm], [-$1 nm, $2 nm], [0, $2 nm], [$1 nm, $2 nm], [$1 nm, -$2 nm], [-$1 nm, -$2 nm]]"
}
# of an STL: the faces of a box from corner to corner, each of two triangles that look outwards
cube() { # SIZE SIZE SIZE
	awk -v a="$1" -v b="$2" -v c="$3" 'function corner(n) {printf "vertex %g %g %g\n", (n % 2 - 0.5) * a, (int(n / 2) % 2 - 0.5) * b, (int(n / 4) - 0.5) * c}
		BEGIN {print "solid box"; split("0 2 3 1 4 5 7 6 0 1 5 4 2 6 7 3 0 4 6 2 1 3 7 5", n, " ")
			for (f = 0; f < 6; ++f) for (t = 0; t < 2; ++t) {print "facet normal 0 0 0\nouter loop"
				corner(n[4 * f + 1]); corner(n[4 * f + 2 + t]); corner(n[4 * f + 3 + t]); print "endloop\nendfacet"}
			print "endsolid box"}'
}
cube 80 120 100 >cube.stl
for body in 'box, size: "80 nm, 120 nm, 100 nm"' "prism, height: 100 nm, vertices: $(corners 40 60)" \
	"prism, axis: \"0,1,0\", height: 120 nm, vertices: $(corners 50 40)" "prism, axis: \"1,0,0\", height: 80 nm, vertices: $(corners 60 50)" \
	'stl, file: cube.stl, scale: 1 nm'; do
	cat >"$inputs/prism.yaml" <<-JOB
		fdtd:
		  size: 200 nm, 240 nm, 220 nm
		  cell: 20 nm
		  steps: 100
		  materials: [{name: metal, conductor: true}]
		  bodies: [{material: metal, shape: $body}]
		  sources: [{kind: dipole, polarization: "1,2,3", center: "-80 nm, 10 nm, 10 nm", frequency: 500 THz}]
		  monitors: [{name: p, kind: point, center: "75 nm, 20 nm, 10 nm", components: "Ex,Ey,Ez,Hx,Hy,Hz", every: 0.2 fs}]
	JOB
	ok "conductor: ${body%%,*}" sonde fdtd "$inputs/prism.yaml" -o prism.csv --force
	[[ $body != box* ]] || cp prism.csv box.csv
	check "conductor: $body: the same" [ "$(grep '^[0-9]' prism.csv)" = "$(grep '^[0-9]' box.csv)" ]
done

# a run for reference is as long as the other: one that was stopped is not made longer or shorter -----------------------------------
cat >"$inputs/long.yaml" <<-JOB
	fdtd:
	  size: 400 nm, 200 nm, 0
	  cell: 10 nm
	  steps: $((sanitized ? 20000 : 200000))
	  sources: [{kind: dipole, polarization: "0,0,1", frequency: 400 THz}]
	  monitors: [{name: f, kind: flux, center: "50 nm, 0, 0", size: "0, 100 nm, 0", frequencies: 400 THz, normalize: reference}]
JOB
for steps in $((sanitized ? 10000 : 100000)) 400000; do
	if stopped_with long.csv.checkpoint INT "$program" fdtd "$inputs/long.yaml" -o long.csv --force; then
		fails 2 "belongs to another job, with 'steps: " sonde fdtd "$inputs/long.yaml" --steps "$steps" -o long.csv --resume
	else
		skip "stopped" "it was not stopped on the way"
	fi
done
sed -i 's/, normalize: reference//' "$inputs/long.yaml"
if stopped_with alone.csv.checkpoint INT "$program" fdtd "$inputs/long.yaml" -o alone.csv; then
	fails 2 'steps are completed, but the job has only 1:' sonde fdtd "$inputs/long.yaml" --steps 1 -o alone.csv --resume
else
	skip "stopped alone" "it was not stopped on the way"
fi

finish
