#!/usr/bin/env bash
# sonde fdtd as several ranks under mpirun: the same bits for any number of ranks and devices, one voice, stops and ranks that die, checkpoints
# on other numbers of ranks, and grids that ranks do not share. The module is the second argument, mpirun the third.
. "$(dirname "${BASH_SOURCE[0]}")/ranks.sh"

job() { # NAME LINES...
	printf 'fdtd:\n' >"$inputs/$1.yaml"
	printf '  %s\n' "${@:2}" >>"$inputs/$1.yaml"
}
shared() { # NAME DEVICE RANKS DEVICES OPTIONS...
	local name=$1 on=$2 number=$3 devices=$4
	shift 4
	[[ -s $name.csv ]] || ok "$name: one process" sonde fdtd "$inputs/$name.yaml" --device "$on" -o "$name.csv" "$@"
	ok "$name: $number ranks, $devices" ranks "$number" fdtd "$inputs/$name.yaml" --device "$devices" -o "$name-ranks.csv" --force "$@"
	check "$name: $number ranks, $devices: the same bits" same_numbers "$name.csv" "$name-ranks.csv"
}

# absorbing walls, bodies across the cuts, smooth glass and dispersive gold, and monitors of every kind with a reference run
job spheres "size: 400 nm, 250 nm, 250 nm" "cell: 16 nm" "time: 13 fs" "until: 1e-4" \
	"materials: [{name: glass, index: 1.5}]" \
	"bodies: [{material: glass, shape: sphere, radius: 60 nm, center: [-60 nm, 0, 0]}, {material: Au, shape: sphere, radius: 40 nm, center: [90 nm, 0, 10 nm]}]" \
	"sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], wavelength: 600 nm}]" \
	"monitors:" \
	"  - {name: c, kind: cross-section, wavelengths: 550 nm:650 nm:3}" \
	"  - {name: a, kind: absorption, size: [380 nm, 150 nm, 150 nm], wavelengths: 550 nm:650 nm:3}" \
	"  - {name: f, kind: far-field, size: [368 nm, 224 nm, 224 nm], wavelengths: 600 nm:600 nm:1, theta: 0:90:3, phi: 0:0:1}" \
	"  - {name: m, kind: fields, size: [300 nm, 0, 150 nm], wavelengths: 550 nm:650 nm:2}" \
	"  - {name: p, kind: point, center: [100 nm, 50 nm, 0]}" \
	"  - {name: s, kind: snapshot, size: [300 nm, 0, 150 nm], components: Ex, every: 2 fs}"
shared spheres cpu 2 cpu
shared spheres cpu 3 cpu
ok "three devices of two ranks" ranks 2 fdtd "$inputs/spheres.yaml" --device emulated,emulated:1,emulated:2 -o devices.csv
ok "three devices of two ranks: one process" sonde fdtd "$inputs/spheres.yaml" --device emulated -o device.csv
check "three devices of two ranks: the same bits" same_numbers device.csv devices.csv
check "the result names the ranks" has_line spheres-ranks.csv '^# device: .* and 2 more of 3 ranks'

# walls: a conductor, a mirror, a Bloch period, with smooth glass in float64; periods and a flux by a reference run
pulse="sources: [{kind: dipole, polarization: [0, 0, 1], wavelength: 600 nm}]"
point="{name: p, kind: point, center: [50 nm, 20 nm, 0]}"
# with a conductor that cuts cells on the first rank, and a magnetic body on the last one
job walls "size: 300 nm, 150 nm, 150 nm" "cell: 12.5 nm" "time: 10 fs" "precision: float64" "courant: 0.5" \
	"materials: [{name: glass, index: 1.5}, {name: metal, conductor: true}, {name: magnet, permittivity: 2, permeability: 1.5}]" \
	"bodies: [{material: glass, shape: sphere, radius: 60 nm}, {material: metal, shape: sphere, radius: 33 nm, center: [-101 nm, 0, 0]}, {material: magnet, shape: box, size: [52 nm, 31 nm, 21 nm], center: [90 nm, -41 nm, 0]}]" \
	"boundaries: [{face: x-low, kind: magnetic}, {face: x-high, kind: conductor}, {face: y, kind: bloch, phase: 40}]" "$pulse" "monitors: [$point]"
shared walls cpu 3 cpu
job slab "size: 200 nm, 100 nm, 300 nm" "cell: 10 nm" "time: 13 fs" "materials: [{name: glass, index: 1.5}]" \
	"bodies: [{material: glass, shape: box, size: [1 um, 1 um, 100 nm]}]" "boundaries: [{face: y, kind: periodic}, {face: x, kind: periodic}]" \
	"sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], wavelength: 600 nm}]" \
	"monitors: [{name: T, kind: flux, center: [0, 0, 120 nm], size: [200 nm, 100 nm, 0], frequencies: 400 THz:600 THz:3, normalize: reference}]"
# periodic along x: the planes are shared along another axis, as those that are streamed
shared slab cpu 2 cpu --streaming auto

# grids that go through the ranks' devices, each its own planes: all of the above in short runs, which end before their sources, by slabs and
# pyramids, in memory and in files, and where the devices are too small for them
short() { "$@" >"$out" 2>"$err" </dev/null; } # it may warn
streamed() { # NAME RANKS TIME OPTIONS...
	local name=$1 number=$2 time=$3
	shift 3
	[[ -s $name-short.csv ]] || check "$name: a short run" short sonde fdtd "$inputs/$name.yaml" --device cpu --time "$time" -o "$name-short.csv"
	check "$name: $number ranks, $*" short ranks "$number" fdtd "$inputs/$name.yaml" --device cpu --time "$time" -o "$name-streamed.csv" --force "$@"
	check "$name: $number ranks, $*: streamed" grep -q "^streamed: ${streaming:-skew}" "$out" "$err"
	check "$name: $number ranks, $*: the same bits" same_numbers "$name-short.csv" "$name-streamed.csv"
}
streamed walls 3 1fs --streaming skew --width 2 --height 3
streamed walls 2 1fs --streaming skew --store "disk:$inputs"
check "a scratch file leaves nothing" [ "$(find "$inputs" -name '*scratch*' | wc -l)" = 0 ]
streamed spheres 2 2fs --memory 6000000
streamed spheres 3 2fs --streaming skew --width 5 --height 5
streaming=pyramid streamed spheres 2 2fs --streaming pyramid --width 9 --height 4
streamed slab 2 3fs --streaming skew
# both fields at once, as on GPUs
ok "whole steps: one process" sonde fdtd "$inputs/walls.yaml" --device emulated --time 1fs -o whole.csv
ok "whole steps: streamed by two ranks" ranks 2 fdtd "$inputs/walls.yaml" --device emulated,emulated:1 --time 1fs --streaming skew --width 3 --height 4 -o whole-ranks.csv
check "whole steps: the same bits" same_numbers whole.csv whole-ranks.csv
# each device of each rank a part: a rank with two devices, and one with one
three=emulated,emulated:1,emulated:2
for how in "2 $three skew --width 2 --height 3" "2 $three pyramid --width 3 --height 2" "3 $three skew" "2 $three skew --height 3 --store disk:$inputs"; do
	read -r number devices method <<<"$how"
	# shellcheck disable=SC2086
	ok "parts: $how" ranks "$number" fdtd "$inputs/walls.yaml" --device "$devices" --time 1fs --streaming $method -o parts.csv --force
	check "parts: $how: the same bits" same_numbers whole.csv parts.csv
done
ok "a plan of parts" ranks 2 fdtd "$inputs/walls.yaml" --device $three --streaming skew --plan
check "a plan of parts" has_line "$out" 'devices +3, each of which streams its part; they exchange planes after [0-9]+ steps, ranks by way of their hosts'
ok "a plan of ranks that stream" ranks 2 fdtd "$inputs/spheres.yaml" --device cpu --memory 6000000 --plan --json
check "a plan of ranks that stream" grep -q '"streaming": "skew"' "$out"
check "a plan of ranks that stream: exchanges" grep -q '"exchange_height": [1-9]' "$out"

# what ranks do not share, and what they refuse
job line "size: 0, 0, 1 um" "cell: 20 nm" "time: 10 fs" "sources: [{kind: dipole, polarization: [1, 0, 0], wavelength: 600 nm}]" \
	"monitors: [{name: p, kind: point}]"
ok "a line: one process" sonde fdtd "$inputs/line.yaml" --device cpu -o line.csv
ok_warned 'the ranks cannot share this grid, as it has a single plane: each computes all of it' "a line" \
	ranks 2 fdtd "$inputs/line.yaml" --device cpu -o line-ranks.csv
check "a line: the same bits" same_numbers line.csv line-ranks.csv
fails_once() { # CODE REGEX RANKS ARGUMENTS...
	local wanted=$1 regex=$2 code
	shift 2
	ranks "$@" >"$out" 2>"$err" </dev/null
	code=$?
	check "$*: exit code $wanted, not $code" [ $code = "$wanted" ]
	check "$*: one message: $(excerpt "$err")" [ "$(grep -c '^sonde' "$err")" = 1 ]
	check "$*: $regex: $(excerpt "$err")" has_line "$err" "$regex"
}
ok_warned 'passes of 40 steps need more planes than each of 2 devices has: they have 5 steps' "too long passes" \
	ranks 2 fdtd "$inputs/walls.yaml" --device cpu --streaming skew --height 40 --plan
fails_once 3 'streaming: windows for a width of 1 and a height of 1 take .* GB of cpu' 2 fdtd "$inputs/walls.yaml" --device cpu --memory 2M
fails_once 3 'cell: the grid needs .* GB of each of 2 devices of the ranks, but cpu has 0.0021 GB' 2 fdtd "$inputs/walls.yaml" --device cpu --memory 2M --streaming off
# nothing to begin with along a periodic axis
job closed "size: 100 nm, 100 nm, 100 nm" "cell: 10 nm" "steps: 4" "boundaries: [{face: x, kind: periodic}, {face: y, kind: periodic}, {face: z, kind: periodic}]" \
	"$pulse" "monitors: [{name: p, kind: point}]"
fails_once 2 'streaming: an axis that is not periodic is required, .* one device must hold all of it, which takes .* GB of cpu' 2 fdtd "$inputs/closed.yaml" --device cpu --streaming skew
fails_once 3 'streaming: .* one device must hold all of it, which takes .* GB of emulated, .* cpu uses the memory' 2 fdtd "$inputs/closed.yaml" --device emulated,emulated:1 --memory 20000
fails_once 2 'ranks of sonde fdtd need devices of one kind, but rank 0 has cpu and rank 1 has emulated' 2 fdtd "$inputs/walls.yaml" --device cpu,emulated
fails_once 2 'spheres\.csv: exists already' 2 fdtd "$inputs/spheres.yaml" --device cpu -o spheres.csv
ok "a plan" ranks 3 fdtd "$inputs/spheres.yaml" --device cpu --plan --json
check "a plan: three devices, once" [ "$(grep -c '"devices": 3' "$out")" = 1 ]

# A run with a checkpoint; sets `job`, and `pids` to its ranks.
begin() { # RANKS FILE OPTIONS...
	local wait number=$1 file=$2
	shift 2
	"$mpirun" -n "$number" "$program" fdtd "$inputs/spheres.yaml" --device "${devices:-cpu}" -o "$file" --checkpoint 1e-9 "$@" >"$out" 2>"$err" &
	job=$!
	for wait in {1..1000}; do
		[[ -e $file.checkpoint ]] && break
		sleep 0.01
	done
	mapfile -t pids < <(pgrep -P $job -x sonde)
}
await() { # ends it if it hangs
	local wait
	for wait in {1..300}; do
		kill -0 $job 2>"$inputs/none" || break
		sleep 0.1
	done
	((wait < 300)) || kill -9 "${pids[@]}" $job
	wait $job
}
# a stop that reaches one rank, resumed on fewer ranks and on one process
begin 3 part.csv
kill -TERM "${pids[1]}"
await
code=$?
check "a stop: exit code 75, not $code: $(excerpt "$err")" [ $code = 75 ]
check "a stop: $(excerpt "$err")" has_line "$err" '^sonde fdtd: stopped; [0-9]+ steps.* are kept in part.csv.checkpoint'
check "a stop: a checkpoint, no result" [ -s part.csv.checkpoint -a ! -e part.csv ]
cp part.csv.checkpoint alone.csv.checkpoint
cp part.csv.checkpoint streamed.csv.checkpoint
ok "resumed on two ranks" ranks 2 fdtd "$inputs/spheres.yaml" --device cpu -o part.csv --resume
check "resumed on two ranks: the same bits" same_numbers spheres.csv part.csv
ok "resumed alone" sonde fdtd "$inputs/spheres.yaml" --device cpu -o alone.csv --resume
check "resumed alone: the same bits" same_numbers spheres.csv alone.csv
check "the checkpoint is gone" [ ! -e part.csv.checkpoint ]
ok "resumed on two ranks that stream" ranks 2 fdtd "$inputs/spheres.yaml" --device cpu --streaming skew --width 14 --height 10 -o streamed.csv --resume
check "resumed on two ranks that stream: the same bits" same_numbers spheres.csv streamed.csv
# and the other way
begin 2 slabs.csv --streaming skew --width 14 --height 10
kill -TERM "${pids[0]}"
await
code=$?
check "a stop of ranks that stream: exit code 75, not $code: $(excerpt "$err")" [ $code = 75 ]
ok "resumed on three ranks" ranks 3 fdtd "$inputs/spheres.yaml" --device cpu -o slabs.csv --resume
check "resumed on three ranks: the same bits" same_numbers spheres.csv slabs.csv
# in parts of three devices of two ranks, one of which dies
devices=$three begin 2 cut.csv --streaming skew --width 4 --height 5
kill -9 "${pids[1]}"
await
ok "continued by parts of one process" sonde fdtd "$inputs/spheres.yaml" --device $three --streaming skew --width 5 --height 4 -o cut.csv --resume
check "continued by parts: the same bits" same_numbers device.csv cut.csv
# a rank that dies: its checkpoint is one of whole steps
begin 3 dead.csv
kill -9 "${pids[2]}"
await
code=$?
check "a rank that dies: not 0" [ $code != 0 ]
ok "continued on two ranks" ranks 2 fdtd "$inputs/spheres.yaml" --device cpu -o dead.csv --resume
check "continued: the same bits" same_numbers spheres.csv dead.csv
finish
