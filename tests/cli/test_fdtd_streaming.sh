#!/usr/bin/env bash
# Grids of sonde fdtd that go through the device: files with the same numbers, plans, stops, and what is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

cat >"$inputs/job.yaml" <<-'JOB'
	fdtd:
	  size: 480 nm, 300 nm, 360 nm
	  cell: 12.5 nm
	  time: 24 fs
	  until: 1e-4
	  materials: [{name: glass, index: 1.5}]
	  bodies:
	    - {material: glass, shape: sphere, radius: 90 nm, center: "-60 nm, 0, 0"}
	    - {material: Au, shape: sphere, radius: 40 nm, center: "120 nm, 0, 30 nm"}
	  sources: [{kind: plane-wave, direction: "0,0,1", polarization: "1,0,0", wavelength: 600 nm}]
	  monitors:
	    - {name: c, kind: cross-section, wavelengths: "550 nm:650 nm:3"}
	    - {name: p, kind: point, center: "100 nm, 50 nm, 0"}
	    - {name: s, kind: snapshot, size: "300 nm, 0, 300 nm", components: Ex, every: 5 fs}
JOB
sed 's/^  time:/  boundaries: [{face: x, kind: periodic}, {face: y, kind: periodic}, {face: z, kind: absorbing, cells: 11}]\n&/; /bodies:/,/Au/d; /name: c/d; /sources:/a\    # periodic' "$inputs/job.yaml" >"$inputs/periodic.yaml"
sed 's/{face: z, kind: absorbing, cells: 11}/{face: z, kind: periodic}/; s/kind: plane-wave.*/kind: dipole, polarization: "1,0,0", wavelength: 600 nm}]/' "$inputs/periodic.yaml" >"$inputs/closed.yaml"

# Tables of all that a run computes --------------------------------------------------------------------------------------------------
numbers() { grep -v '^#' "$1"; }
ok "all planes on the device" sonde fdtd "$inputs/job.yaml" -o whole.csv
for how in "skew" "pyramid" "skew --width 7 --height 12" "pyramid --width 9 --height 5" "skew --width 20 --height 128" "pyramid --height 1"; do
	# shellcheck disable=SC2086
	ok "--streaming $how" sonde fdtd "$inputs/job.yaml" --streaming $how -o streamed.csv --force
	check "--streaming $how: the same numbers" cmp -s <(numbers whole.csv) <(numbers streamed.csv)
done
# less memory than the grid needs: the plan reports it
ok "a plan" sonde fdtd "$inputs/job.yaml" --plan --json
check "a grid that fits is not streamed" [ "$(grep -c '"streaming"' "$out")" = 0 ]
ok "a plan" sonde fdtd "$inputs/job.yaml" --plan --json --memory 10M
check "a grid that does not fit is streamed" grep -q '"streaming": "skew"' "$out"
ok "little memory" sonde fdtd "$inputs/job.yaml" --memory 10M -o streamed.csv --force
check "little memory: the same numbers" cmp -s <(numbers whole.csv) <(numbers streamed.csv)

# Stopped and resumed, with other slabs ---------------------------------------------------------------------------------------------
stopped_after() { # FILE JOB OPTIONS: a run that is stopped once it has left a checkpoint
	local file=$1 job=$2 child
	shift 2
	"$program" fdtd "$job" "$@" -o "$file" --checkpoint 1e-9 >/dev/null 2>&1 &
	child=$!
	for _ in $(seq 1000); do
		[ -e "$file.checkpoint" ] && break
		sleep 0.01
	done
	kill -TERM $child # bash lets its background jobs ignore SIGINT
	wait $child
	[ $? = 75 ] && [ -e "$file.checkpoint" ] && [ ! -e "$file" ]
}
check "a streamed run stops" stopped_after part.csv "$inputs/job.yaml" --streaming skew --width 8 --height 16
ok "resumed with pyramids" sonde fdtd "$inputs/job.yaml" --streaming pyramid --width 11 --height 8 --resume -o part.csv
check "resumed with pyramids: the same numbers" cmp -s <(numbers whole.csv) <(numbers part.csv)
check "a run with all planes on the device stops" stopped_after other.csv "$inputs/job.yaml"
ok "resumed with slabs" sonde fdtd "$inputs/job.yaml" --streaming skew --width 5 --height 40 --resume -o other.csv
check "resumed with slabs: the same numbers" cmp -s <(numbers whole.csv) <(numbers other.csv)

# Along another axis ------------------------------------------------------------------------------------------------------------------
ok "periodic along x and y" sonde fdtd "$inputs/periodic.yaml" --streaming skew -o periodic.csv
ok "the same, all planes on the device" sonde fdtd "$inputs/periodic.yaml" -o unstreamed.csv
# a cube, whose numbers fit in any order of the axes: what was turned for streaming is not resumed in another order
sed 's/size: 480 nm, 300 nm, 360 nm/size: 600 nm, 600 nm, 325 nm/; s/time: 24 fs/time: 40 fs/; /until/d; s/size: "300 nm, 0, 300 nm"/size: "100 nm, 0, 0"/; s/center: "100 nm, 50 nm, 0"/center: "0,0,0"/' "$inputs/periodic.yaml" >"$inputs/cube.yaml"
check "a turned run stops" stopped_after cube.csv "$inputs/cube.yaml" --streaming skew --height 4
fails 2 'streaming: .*cube.csv.checkpoint is of a grid with its axes in another order' sonde fdtd "$inputs/cube.yaml" --resume -o cube.csv
ok "a turned run is resumed" sonde fdtd "$inputs/cube.yaml" --streaming skew --resume -o cube.csv
fails 2 'streaming: an axis that is not periodic is required' sonde fdtd "$inputs/closed.yaml" --streaming skew -o no.csv

# Refused -----------------------------------------------------------------------------------------------------------------------------
fails 3 'streaming: windows for a width of 1 and a height of 1 take' sonde fdtd "$inputs/job.yaml" --memory 4M -o no.csv
fails 3 'monitors: their sums and results need .* GB, but cpu has' sonde fdtd "$inputs/job.yaml" --memory 10M --streaming off -o no.csv
fails 2 'streaming' sonde fdtd "$inputs/job.yaml" --streaming diamond -o no.csv
fails 2 'width' sonde fdtd "$inputs/job.yaml" --width -3 -o no.csv
sed '/bodies:/,/Au/d; /name: [cs]/d; s/size: 480 nm, 300 nm/size: 0, 0/; s/center: "100 nm, 50 nm, 0"/center: "0,0,0"/' "$inputs/job.yaml" >"$inputs/line.yaml"
fails 2 'streaming: a grid that is uniform along two axes has a single plane' sonde fdtd "$inputs/line.yaml" --streaming skew -o no.csv
check "nothing is written" [ ! -e no.csv ]
finish
