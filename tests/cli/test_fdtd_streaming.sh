#!/usr/bin/env bash
# Grids of sonde fdtd that go through the device: files with the same numbers, plans, stops, and what is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

cat >"$inputs/job.yaml" <<-'JOB'
	fdtd:
	  size: 480 nm, 300 nm, 360 nm
	  cell: 16 nm
	  time: 9 fs
	  until: 1e-4
	  materials: [{name: glass, index: 1.5}]
	  bodies:
	    - {material: glass, shape: sphere, radius: 90 nm, center: "-60 nm, 0, 0"}
	    - {material: Au, shape: sphere, radius: 40 nm, center: "120 nm, 0, 30 nm"}
	  sources: [{kind: plane-wave, direction: "0,0,1", polarization: "1,0,0", wavelength: 400 nm}]
	  monitors:
	    - {name: c, kind: cross-section, wavelengths: "370 nm:430 nm:3"}
	    - {name: p, kind: point, center: "100 nm, 50 nm, 0"}
	    - {name: s, kind: snapshot, size: "300 nm, 0, 300 nm", components: Ex, every: 3 fs}
JOB
sed 's/^  time:/  boundaries: [{face: x, kind: periodic}, {face: y, kind: periodic}, {face: z, kind: absorbing, cells: 11}]\n&/; /bodies:/,/Au/d; /name: c/d; /sources:/a\    # periodic
	s/size: 480 nm, 300 nm, 360 nm/size: 480 nm, 304 nm, 368 nm/' "$inputs/job.yaml" >"$inputs/periodic.yaml"
sed 's/{face: z, kind: absorbing, cells: 11}/{face: z, kind: periodic}/; s/kind: plane-wave.*/kind: dipole, polarization: "1,0,0", wavelength: 400 nm}]/' "$inputs/periodic.yaml" >"$inputs/closed.yaml"

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
ok "a plan" sonde fdtd "$inputs/job.yaml" --plan --json --memory 6M
check "a grid that does not fit is streamed" grep -q '"streaming": "skew"' "$out"
ok "little memory" sonde fdtd "$inputs/job.yaml" --memory 6M -o streamed.csv --force
check "little memory: the same numbers" cmp -s <(numbers whole.csv) <(numbers streamed.csv)
# a grid that is thought to fit, but not with the sums of its monitors
cat >"$inputs/large.yaml" <<-'JOB'
	fdtd:
	  size: 600 nm, 600 nm, 600 nm
	  cell: 15 nm
	  steps: 8
	  materials: [{name: glass, index: 1.5}]
	  bodies: [{material: glass, shape: sphere, radius: 150 nm}]
	  sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], wavelength: 600 nm}]
	  monitors: [{kind: cross-section, wavelengths: "550 nm:650 nm:3"}]
JOB
ok_warned 'the run ends' "a grid that fits" sonde fdtd "$inputs/large.yaml" --device cpu -o large.csv
ok_warned 'the run ends|the grid did not fit into the memory of cpu with its sources and monitors: it is streamed' "a grid that does not fit in the end" \
	sonde fdtd "$inputs/large.yaml" --device cpu --memory 18400000 -o late.csv
check "a grid that does not fit in the end is streamed" grep -q '^streamed: skew' "$out"
check "a grid that does not fit in the end: the same numbers" cmp -s <(numbers large.csv) <(numbers late.csv)

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
sed 's/size: 480 nm, 304 nm, 368 nm/size: 592 nm, 592 nm, 325 nm/; s/time: 9 fs/time: 27 fs/; /until/d; s/size: "300 nm, 0, 300 nm"/size: "100 nm, 0, 0"/; s/center: "100 nm, 50 nm, 0"/center: "0,0,0"/' "$inputs/periodic.yaml" >"$inputs/cube.yaml"
check "a turned run stops" stopped_after cube.csv "$inputs/cube.yaml" --streaming skew --height 4
fails 2 'streaming: .*cube.csv.checkpoint is of a grid with its axes in another order' sonde fdtd "$inputs/cube.yaml" --resume -o cube.csv
ok "a turned run is resumed" sonde fdtd "$inputs/cube.yaml" --streaming skew --resume -o cube.csv
fails 2 'streaming: an axis that is not periodic is required' sonde fdtd "$inputs/closed.yaml" --streaming skew -o no.csv

# In one and two dimensions ------------------------------------------------------------------------------------------------------------
sed '/bodies:/,/Au/d; /name: [cs]/d; s/size: 480 nm, 300 nm/size: 0, 0/; s/center: "100 nm, 50 nm, 0"/center: "0,0,0"/' "$inputs/job.yaml" >"$inputs/line.yaml"
sed '/bodies:/,/Au/d; /name: [cs]/d; s/size: 480 nm, 300 nm/size: 480 nm, 0/; s/center: "100 nm, 50 nm, 0"/center: "100 nm,0,20 nm"/' "$inputs/job.yaml" >"$inputs/area.yaml"
by_name() { # FILE: E by its components, whose order in tables depends on that of the engine's axes
	local name header
	header=$(grep '^time_s,' "$1")
	for name in time_s Ex_V/m Ey_V/m Ez_V/m; do
		grep -v '^#' "$1" | cut -d , -f "$(tr , '\n' <<<"$header" | grep -nx "$name" | cut -d : -f 1)"
	done
}
for job in line area; do
	ok "$job: all planes on the device" sonde fdtd "$inputs/$job.yaml" -o flat.csv --force
	for how in "skew --width 4 --height 6" "pyramid --width 6 --height 3" "skew --store disk:."; do
		# shellcheck disable=SC2086
		ok "$job: --streaming $how" sonde fdtd "$inputs/$job.yaml" --streaming $how -o streamed.csv --force
		check "$job: --streaming $how: the same numbers" cmp -s <(by_name flat.csv) <(by_name streamed.csv)
	done
done

# In a scratch file ---------------------------------------------------------------------------------------------------------------------
sed '/until:/d; s/time: 9 fs/time: 6 fs/; /name: c/d' "$inputs/job.yaml" >"$inputs/small.yaml"
mkdir -p scratch
is_empty() { [ -z "$(ls -A scratch)" ]; }
ok "all planes on the device" sonde fdtd "$inputs/small.yaml" -o small.csv
for how in "skew --store disk:scratch" "pyramid --width 9 --height 5 --store disk:scratch/planes" "skew --width 3 --height 4 --memory 8M --host-memory 60M --store disk:scratch"; do
	# shellcheck disable=SC2086
	ok "$how" sonde fdtd "$inputs/small.yaml" --streaming $how -o filed.csv --force
	check "$how: the same numbers" cmp -s <(numbers small.csv) <(numbers filed.csv)
	check "$how: nothing is left" is_empty
done
ok "a plan with a scratch file" sonde fdtd "$inputs/small.yaml" --streaming skew --store disk:scratch --plan --json
check "the plan has the disk's speed" grep -q '"disk_rate": [1-9]' "$out"
ok "a result in HDF5" sonde fdtd "$inputs/small.yaml" --streaming skew --width 6 --height 10 --store disk:scratch -o filed.h5
ok "a result in HDF5" sonde info filed.h5
check "the result says how it was streamed" grep -q 'streamed  *skew: slabs of 6 planes of 52, passes of 10 steps, numbers in a scratch file' "$out"
# ended by a signal: nothing is left on the disk, and it continues from the last checkpoint
check "a run with a scratch file stops" stopped_after stop.csv "$inputs/small.yaml" --streaming skew --store disk:scratch
check "a stopped run: nothing is left" is_empty
sed 's/radius: 90 nm/radius: 95 nm/' "$inputs/small.yaml" >"$inputs/changed.yaml"
fails 2 'belongs to another job' sonde fdtd "$inputs/changed.yaml" --streaming skew --store disk:scratch --resume -o stop.csv
ok "resumed from a scratch file in memory" sonde fdtd "$inputs/small.yaml" --streaming skew --resume -o stop.csv
check "resumed in memory: the same numbers" cmp -s <(numbers small.csv) <(numbers stop.csv)
check "a run in memory stops" stopped_after stop2.csv "$inputs/small.yaml" --streaming skew
ok "resumed in a scratch file" sonde fdtd "$inputs/small.yaml" --streaming skew --store disk:scratch --resume -o stop2.csv
check "resumed in a scratch file: the same numbers" cmp -s <(numbers small.csv) <(numbers stop2.csv)
# a disk that is too small: refused with the bytes that it needs, before the first step; an earlier checkpoint stays
check "a run that will find the disk full stops" stopped_after full.csv "$inputs/small.yaml" --streaming skew --store disk:scratch
limited() { (
	ulimit -f 2000
	"$program" "$@"
); }
fails 3 'store: the scratch file at scratch needs 0.0[0-9]* GB, which is more than a file may have there' limited fdtd "$inputs/small.yaml" --streaming skew --store disk:scratch --resume -o full.csv
check "a full disk: nothing is left" is_empty
check "a full disk: the checkpoint stays" [ -e full.csv.checkpoint ]
ok "resumed on another disk" sonde fdtd "$inputs/small.yaml" --streaming skew --store disk:. --resume -o full.csv
check "resumed on another disk: the same numbers" cmp -s <(numbers small.csv) <(numbers full.csv)
fails 2 'store: "ssd" is neither host nor disk:PATH' sonde fdtd "$inputs/small.yaml" --streaming skew --store ssd -o no.csv
fails 2 'store: "disk:" is neither host nor disk:PATH' sonde fdtd "$inputs/small.yaml" --streaming skew --store disk: -o no.csv
fails 2 'store: a scratch file cannot be created at nowhere/x: No such file' sonde fdtd "$inputs/small.yaml" --streaming skew --store disk:nowhere/x -o no.csv
fails 2 'store: a scratch file cannot be created at small.csv: File exists' sonde fdtd "$inputs/small.yaml" --streaming skew --store disk:small.csv -o no.csv

# Little memory: what is named suffices ---------------------------------------------------------------------------------------------------
noted() { sonde "$@" >"$out" 2>"$err" && { [ ! -s "$err" ] || grep -q 'did not fit into the memory of' "$err"; }; }
fails 3 "windows for a width of 1 and a height of 1 take .*; they fit with .*memory.* [0-9]*" sonde fdtd "$inputs/small.yaml" --memory 1M -o no.csv
least=$(sed -n "s/.*they fit with .*memory[^0-9]* \([0-9]*\).*/\1/p" "$err")
check "the least memory" noted fdtd "$inputs/small.yaml" --memory "$least" -o least.csv
check "the least memory: the same numbers" cmp -s <(numbers small.csv) <(numbers least.csv)
fails 3 'host-memory.*: all planes of the grid need .* GB of memory and .* GB of the disk suffice' sonde fdtd "$inputs/small.yaml" --memory 4M --host-memory 3M -o no.csv
ok "a file for what the host lacks" sonde fdtd "$inputs/small.yaml" --memory 4M --host-memory 3M --store disk:scratch -o least.csv --force
check "a file for what the host lacks: the same numbers" cmp -s <(numbers small.csv) <(numbers least.csv)
# of a CPU windows, buffers of the file, and the rest of the job share the host's memory
fails 3 "windows for a width of 1 and a height of 1 take .*; they fit with .*host-memory.* [0-9]*" sonde fdtd "$inputs/small.yaml" --host-memory 1M --store disk:scratch -o no.csv
least=$(sed -n "s/.*they fit with .*host-memory[^0-9]* \([0-9]*\).*/\1/p" "$err")
check "the least memory of the host" noted fdtd "$inputs/small.yaml" --host-memory "$least" --store disk:scratch -o least.csv --force
check "the least memory of the host: the same numbers" cmp -s <(numbers small.csv) <(numbers least.csv)
# windows that turn out not to fit are replaced by smaller ones
for memory in 2M 2800000 4M 5500000; do
	check "$memory" noted fdtd "$inputs/small.yaml" --memory "$memory" -o least.csv --force
	check "$memory: the same numbers" cmp -s <(numbers small.csv) <(numbers least.csv)
done

# Refused -----------------------------------------------------------------------------------------------------------------------------
fails 3 'streaming: windows for a width of 1 and a height of 1 take' sonde fdtd "$inputs/job.yaml" --memory 4M -o no.csv
fails 3 'monitors: their sums and results need .* GB, but cpu has' sonde fdtd "$inputs/job.yaml" --memory 6M --streaming off -o no.csv
fails 2 'streaming' sonde fdtd "$inputs/job.yaml" --streaming diamond -o no.csv
fails 2 'width' sonde fdtd "$inputs/job.yaml" --width -3 -o no.csv
check "nothing is written" [ ! -e no.csv ]
finish
