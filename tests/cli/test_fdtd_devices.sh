#!/usr/bin/env bash
# Grids of sonde fdtd on several devices: files with the same numbers as of one device, plans, stops, and what stays on one.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

cat >"$inputs/job.yaml" <<-'JOB'
	fdtd:
	  size: 400 nm, 250 nm, 250 nm
	  cell: 16 nm
	  time: 9 fs
	  until: 1e-4
	  boundaries: [{face: all, cells: 6}]
	  materials: [{name: glass, index: 1.5}]
	  bodies:
	    - {material: glass, shape: sphere, radius: 60 nm, center: "-60 nm, 0, 0"}
	    - {material: Au, shape: sphere, radius: 40 nm, center: "90 nm, 0, 10 nm"}
	  sources: [{kind: plane-wave, direction: "0,0,1", polarization: "1,0,0", wavelength: 400 nm}]
	  monitors:
	    - {name: c, kind: cross-section, wavelengths: "370 nm:430 nm:3"}
	    - {name: p, kind: point, center: "100 nm, 50 nm, 0"}
	    - {name: s, kind: snapshot, size: "300 nm, 0, 200 nm", components: Ex, every: 2 fs}
JOB
two="emulated,emulated:1"
three="$two,emulated:2"
numbers() { grep -v '^#' "$1"; }

# The same numbers ----------------------------------------------------------------------------------------------------------------
ok "one device" sonde fdtd "$inputs/job.yaml" --device emulated -o whole.csv
for devices in "$two" "$three"; do
	ok "devices $devices" sonde fdtd "$inputs/job.yaml" --device "$devices" -o shared.csv --force
	check "devices $devices: the same numbers" cmp -s <(numbers whole.csv) <(numbers shared.csv)
done
ok "a plan" sonde fdtd "$inputs/job.yaml" --device "$three" --plan --json
check "the plan reports the devices" grep -q '"devices": 3' "$out"
ok "a plan of one device" sonde fdtd "$inputs/job.yaml" --device emulated --plan --json
check "the plan of one device has none" [ "$(grep -c '"exchange_height"' "$out")" = 0 ]

# Stopped on one, resumed on several, and the other way round ------------------------------------------------------------------------
stopped_after() { # FILE OPTIONS: a run that is stopped once it has left a checkpoint
	local file=$1 child
	shift
	"$program" fdtd "$inputs/job.yaml" "$@" -o "$file" --checkpoint 1e-9 >/dev/null 2>&1 &
	child=$!
	for _ in $(seq 1000); do
		[ -e "$file.checkpoint" ] && break
		sleep 0.01
	done
	kill -TERM $child # bash lets its background jobs ignore SIGINT
	wait $child
	[ $? = 75 ] && [ -e "$file.checkpoint" ] && [ ! -e "$file" ]
}
check "a run on two devices stops" stopped_after part.csv --device "$two"
ok "resumed on one" sonde fdtd "$inputs/job.yaml" --device emulated --resume -o part.csv
check "resumed on one: the same numbers" cmp -s <(numbers whole.csv) <(numbers part.csv)
check "a run on one device stops" stopped_after other.csv --device emulated
ok "resumed on three" sonde fdtd "$inputs/job.yaml" --device "$three" --resume -o other.csv
check "resumed on three: the same numbers" cmp -s <(numbers whole.csv) <(numbers other.csv)

# Through several devices: each its part; or, with longer passes than the planes of a part permit, one after the other ----------------------
for how in "$three --streaming skew" "$two --streaming skew --width 7 --height 20" \
	"$two --streaming pyramid --width 9 --height 4" "$three --streaming skew --width 4 --height 5"; do
	# shellcheck disable=SC2086
	ok "streamed, $how" sonde fdtd "$inputs/job.yaml" --device $how -o streamed.csv --force
	check "streamed, $how: the same numbers" cmp -s <(numbers whole.csv) <(numbers streamed.csv)
done
# with layers of the usual thickness the grid does not fit into memory that suffices for windows
sed '/boundaries:/d' "$inputs/job.yaml" >"$inputs/large.yaml"
ok "a larger grid" sonde fdtd "$inputs/large.yaml" --device emulated -o large.csv
ok "a larger grid, streamed by little memory" sonde fdtd "$inputs/large.yaml" --device "$two" --memory 5M -o streamed.csv --force
check "a larger grid, streamed by little memory" grep -q '^streamed: ' "$out"
check "a larger grid, streamed by little memory: the same numbers" cmp -s <(numbers large.csv) <(numbers streamed.csv)
ok "a plan of streaming" sonde fdtd "$inputs/job.yaml" --device "$two" --streaming skew --width 7 --height 20 --plan
check "a plan of streaming" grep -q 'devices .*2, through which the planes go one after the other' "$out"
ok "a plan of parts" sonde fdtd "$inputs/job.yaml" --device "$two" --streaming pyramid --width 9 --height 4 --plan --json
check "a plan of parts" grep -q '"exchange_height": [1-9]' "$out"
check "a plan of parts: no ranks" [ "$(grep -c '"exchange":' "$out")" = 0 ]
check "a run through two devices stops" stopped_after chain.csv --device "$two" --streaming skew --width 7 --height 20
ok "resumed on three, which keep the planes" sonde fdtd "$inputs/job.yaml" --device "$three" --resume -o chain.csv
check "resumed on three: the same numbers" cmp -s <(numbers whole.csv) <(numbers chain.csv)
check "a run in parts stops" stopped_after parts.csv --device "$three" --streaming skew --width 6 --height 5
ok "resumed on two, in pyramids" sonde fdtd "$inputs/job.yaml" --device "$two" --streaming pyramid --width 8 --height 4 --resume -o parts.csv
check "resumed on two: the same numbers" cmp -s <(numbers whole.csv) <(numbers parts.csv)

# What stays on one device, with a note -----------------------------------------------------------------------------------------------
stays() { # DESCRIPTION REASON ARGUMENT...
	local description=$1 reason=$2
	shift 2
	ok_warned "runs on one device, .*; the other devices are not used: .*$reason" "$description" sonde fdtd "$@" -o one.csv --force
}
stays "devices of different kinds" "another kind" "$inputs/job.yaml" --device cpu,emulated
sed '/bodies:/,/Au/d; /name: [cs]/d; s/size: 400 nm, 250 nm/size: 0, 0/; s/center: "100 nm, 50 nm, 0"/center: "0,0,0"/' "$inputs/job.yaml" >"$inputs/line.yaml"
stays "a line" "a single plane" "$inputs/line.yaml" --device "$two"
sed '/boundaries:/d; /bodies:/,/Au/d; /name: [cs]/d; s/kind: plane-wave.*/kind: dipole, polarization: "1,0,0", wavelength: 400 nm}]/' "$inputs/job.yaml" >"$inputs/dipole.yaml"
sed 's/^  time:/  boundaries: [{face: x, kind: periodic}, {face: y, kind: periodic}, {face: z, kind: periodic}]\n&/; s/size: 400 nm, 250 nm, 250 nm/size: 400 nm, 256 nm, 256 nm/' "$inputs/dipole.yaml" >"$inputs/closed.yaml"
stays "a periodic grid" "all its axes are periodic" "$inputs/closed.yaml" --device "$two"
sed 's/size: 400 nm/size: 32 nm/; s/^  time:/  boundaries: [{face: x, kind: magnetic}]\n&/; s/"100 nm, 50 nm, 0"/"0, 50 nm, 0"/' "$inputs/dipole.yaml" >"$inputs/thin.yaml"
stays "few planes" "too few planes" "$inputs/thin.yaml" --device "$two"
# periodic along x: the planes are shared along another axis
sed 's/^  time:/  boundaries: [{face: x, kind: periodic}]\n&/' "$inputs/dipole.yaml" >"$inputs/periodic.yaml"
ok "periodic along x" sonde fdtd "$inputs/periodic.yaml" --device "$two" -o periodic.csv
ok "periodic along x, streamed" sonde fdtd "$inputs/periodic.yaml" --device emulated --streaming skew -o streamed.csv --force
check "periodic along x: the same numbers" cmp -s <(numbers periodic.csv) <(numbers streamed.csv)
fails 3 'cell: the grid needs .* GB of each of 2 devices, but emulated' sonde fdtd "$inputs/large.yaml" --device "$two" --memory 5M --streaming off -o no.csv
check "nothing is written" [ ! -e no.csv ]
finish
