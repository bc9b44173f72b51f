#!/usr/bin/env bash
# sonde as several ranks under mpirun: the same bits for any number of ranks, one voice, errors once, stops, and ranks that die. The module is
# the second argument, mpirun the third.
. "$(dirname "${BASH_SOURCE[0]}")/ranks.sh"

# One line of sonde's, among those of mpirun.
fails_once() { # CODE REGEX RANKS ARGUMENTS...
	local wanted=$1 regex=$2 code lines
	shift 2
	# mpirun would wait before it ends the other ranks
	OMPI_MCA_odls_base_sigkill_timeout=0 ranks "$@" >"$out" 2>"$err" </dev/null
	code=$?
	lines=$(grep -c '^sonde' "$err")
	check "$*: exit code $wanted, not $code" [ $code = "$wanted" ]
	check "$*: one message: $(excerpt "$err")" [ "$lines" = 1 ]
	check "$*: $regex: $(excerpt "$err")" has_line "$err" "$regex"
	check "$*: nothing on stdout" is_empty "$out"
}

# who computes where
ok "devices" ranks 3 devices --device cpu
check "devices: a line for each rank" [ "$(grep -c '^rank [012]  *[^ ]*: cpu; [0-9]* CPU threads$' "$out")" = 3 ]
check "devices: the MPI" has_line "$out" '^3 ranks, '
ok "devices are dealt" ranks 2 devices --device cpu,emulated --json
check "devices are dealt: rank 0" has_line "$out" '^\{"rank": 0, "ranks": 2, .*"devices": \["cpu"\]\}$'
check "devices are dealt: rank 1" has_line "$out" '^\{"rank": 1, "ranks": 2, .*"devices": \["emulated"\]\}$'

# ions: profiles, and lists of atoms that leave, have the same bits
gold=(--ion Au --energy 20keV --target Au@19.3 --surface planar --exits 1000 --quiet)
ok "ions: one process" sonde ions "${gold[@]}" -n 40 --device cpu -o one.csv --srim one
cat one/*.txt | grep -v '^#' >"$inputs/lists"
ok "ions: 3 ranks" ranks 3 ions "${gold[@]}" -n 40 --device cpu -o 3.csv --srim s3
check "ions: 3 ranks, the same bits" same_numbers one.csv 3.csv
cat s3/*.txt | grep -v '^#' >"$inputs/those"
check "ions: 3 ranks, the same atoms that left" same_files "$inputs/lists" "$inputs/those"
ok "ions: two devices of different kinds" ranks 2 ions "${gold[@]}" -n 40 --device cpu,emulated -o mixed.csv
check "ions: two devices of different kinds, the same bits" same_numbers one.csv mixed.csv
ok "ions: a precision, one process" sonde ions "${gold[@]}" -n 300 --until vacancies:30% --device cpu -o until.csv
ok "ions: a precision, ranks" ranks 2 ions "${gold[@]}" -n 300 --until vacancies:30% --device cpu -o until2.csv
check "ions: a precision, the same bits" same_numbers until.csv until2.csv
check "the result names the ranks" has_line 3.csv '^# device: .* and 2 more of 3 ranks, '
ok "a command for one rank" ranks 2 stopping --ion B --target Si --energies 10keV:20keV
check "a command for one rank: one table" [ "$(grep -c '^# sonde' "$out")" = 1 ]

# debye: the histogram has the same bits
sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 12 --displace 0.05 -o "$inputs/coo.xyz" --quiet
printf '%s\n' 'build: {cell: rocksalt, species: "Co,O", a: 4.2614, sphere: 12}' 'debye: {q: 0.1:20:100, method: lattice}' >"$inputs/lattice.yaml"
# a cube that repeats
sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 3,3,3 -o "$inputs/cube.xyz" --quiet
compare() { # NAME RANKS DEVICES COMMAND ARGUMENTS...
	ok "$4: $1" sonde "${@:4}" --device cpu -o "$1.csv" --quiet
	ok "$4: $1, $2 ranks" ranks "$2" "${@:4}" --device "$3" -o "$1$2.csv" --quiet
	check "$4: $1, $2 ranks, the same bits" same_numbers "$1.csv" "$1$2.csv"
}
compare histogram 3 cpu debye "$inputs/coo.xyz" --q 0.1:20:100 --method histogram
compare exact 3 cpu debye "$inputs/coo.xyz" --q 0.1:20:100 --method exact
compare motion 2 cpu debye "$inputs/coo.xyz" --q 0.1:20:100 --method exact --displacement Co=0.005,O=0.008
compare lattice 3 cpu debye "$inputs/lattice.yaml"
compare periodic 2 cpu debye "$inputs/cube.xyz" --q 0.5:10:40 --boundary periodic --cutoff 8

# pattern: pixels by nodes, patches and volumes of the fast method, products of matrices, orientations
picture=(--q 0.5:7:60 --phi 64 --wavelength 0.5)
volume=(--u 1,0,0 --v 0,1,0 --w 0,0,1 --h=-4:4:21 --k=-4:4:21)
compare nodes 3 cpu,emulated pattern "$inputs/coo.xyz" "${picture[@]}"
compare patches 3 cpu pattern "$inputs/coo.xyz" "${picture[@]}" --method fast
compare box 2 cpu pattern "$inputs/coo.xyz" "${volume[@]}" --l=-4:4:21 --method fast --amplitude
compare products 2 cpu pattern "$inputs/coo.xyz" "${volume[@]}" --l=1:1:1
compare orientations 3 cpu pattern "$inputs/coo.xyz" "${picture[@]}" --orientations random:5
# shots: particles in pixels, in a stack that the first rank writes
shots=("$inputs/coo.xyz" --detector 32,32 --pixel-size 1 --distance 100 --energy 10keV --fluence 1e14 --shots 5 --device cpu --quiet)
ok "pattern: shots" sonde pattern "${shots[@]}" -o shots.h5 --radial shots.csv
ok "pattern: shots, 2 ranks" ranks 2 pattern "${shots[@]}" -o shots2.h5 --radial shots2.csv
check "pattern: shots, the same bits" same_numbers shots.csv shots2.csv
check "pattern: shots, the same size" [ "$(stat -c %s shots.h5)" = "$(stat -c %s shots2.h5)" ]

# coulomb: slabs written by the first rank, rows of blocks, Ewald's sums at nodes that all ranks need; a list by a mesh
charges=(--charges Co=2,O=-2)
compare slabs 3 cpu coulomb "$inputs/coo.xyz" "${charges[@]}" --spacing 3 --method direct --quantity both
compare blocks 2 cpu coulomb "$inputs/coo.xyz" "${charges[@]}" --spacing 1 --method fast --forces
compare cell 2 cpu coulomb "$inputs/cube.xyz" --charges Na=1,Cl=-1 --boundary periodic --spacing 1.2 --origin 0.1,0.1,0.1 --method fast
potential=(coulomb "$inputs/coo.xyz" "${charges[@]}" --spacing 1.5 --device cpu --quiet)
ok "coulomb: a file" sonde "${potential[@]}" -o 1.dx
ok "coulomb: a file, 3 ranks" ranks 3 "${potential[@]}" -o 3.dx
check "coulomb: the same file" same_numbers 1.dx 3.dx
# files to which all ranks write their points, those of a mask as well; reading them compares the checksums
same_values() { # ONE OTHER
	sonde convert "$1" "$inputs/$1.vtk" --quiet && sonde convert "$2" "$inputs/$2.vtk" --quiet && cmp -s "$inputs/$1.vtk" "$inputs/$2.vtk"
}
error_of() { sonde info "$1" --json | grep -o '"relative_error": [^,]*\|"largest_field_error": [^,]*'; }
for method in direct fast; do
	own=(coulomb "$inputs/coo.xyz" "${charges[@]}" --method $method --spacing 0.7 --quantity both --exclude-within 1 --device cpu --quiet)
	ok "coulomb, $method: HDF5" sonde "${own[@]}" -o $method.h5
	ok "coulomb, $method: HDF5, 3 ranks" ranks 3 "${own[@]}" -o ${method}3.h5
	check "coulomb, $method: HDF5, 3 ranks, the same values" same_values $method.h5 ${method}3.h5
	check "coulomb, $method: HDF5, 3 ranks, the same error" [ "$(error_of $method.h5)" = "$(error_of ${method}3.h5)" ]
done
# a limit of the size of files for the second rank, in place of a full disk; the file has 470,000 bytes
OMPI_MCA_odls_base_sigkill_timeout=0 timeout -k 5 100 "$mpirun" -n 1 "$program" "${own[@]}" -o part.h5 : \
	-n 1 "${BASH:-bash}" -c 'ulimit -f 100; exec "$0" "$@"' "$program" "${own[@]}" -o part.h5 >"$out" 2>"$err" </dev/null
code=$?
check "a full disk of another rank: exit code 3, not $code" [ $code = 3 ]
check "a full disk of another rank: $(excerpt "$err")" has_line "$err" '^sonde coulomb: rank 1: part\.h5: cannot be written: File too large; no file was left$'
check "a full disk of another rank: no file" [ -z "$(ls part.h5* 2>"$inputs/none")" ]

# errors of all ranks, and of the first alone
fails_once 2 "^sonde debye: --q: 'bad' is not a grid" 3 debye "$inputs/coo.xyz" --q bad
fails_once 2 '^sonde debye: exact\.csv: exists already' 2 debye "$inputs/coo.xyz" -o exact.csv
fails_once 2 '^sonde coulomb: slabs\.csv: exists already' 2 coulomb "$inputs/coo.xyz" -o slabs.csv
fails_once 2 "^sonde ions: '-': of several ranks only one" 2 ions -
fails_once 2 "^sonde debye: rank 1: there is no device 'opencl:99'" 2 debye "$inputs/coo.xyz" --q 1:2:3 --device cpu,opencl:99
SONDE_MPI_MODULE=/nowhere/m.so fails_once 3 '^sonde ions: the MPI module /nowhere/m\.so cannot be opened' 2 ions "${gold[@]}" -n 8

# ranks with other options, or another file of the same name
fails_apart() { # ARGUMENTS OF MPIRUN...
	timeout 100 "$mpirun" "$@" >"$out" 2>"$err" </dev/null
	code=$?
	check "other work: exit code 3, not $code" [ $code = 3 ]
	check "other work: $(excerpt "$err")" has_line "$err" '^sonde debye: ranks 0 and 1 do not have the same work'
}
mkdir "$inputs/here" "$inputs/there"
cp "$data/C60.xyz" "$inputs/here/x.xyz"
sed '4s/^C/N/' "$data/C60.xyz" >"$inputs/there/x.xyz"
apart=(-n 1 -wdir "$inputs/here" "$program" debye x.xyz --q 1:2:5 --device cpu)
fails_apart "${apart[@]}" : -n 1 -wdir "$inputs/here" "$program" debye x.xyz --q 1:2:6 --device cpu
fails_apart "${apart[@]}" : -n 1 -wdir "$inputs/there" "$program" debye x.xyz --q 1:2:5 --device cpu
for place in here there; do
	printf 'build: {cell: fcc, species: Au, a: 4.08, sphere: %s}\ndebye: {q: "1:2:5"}\n' $((${#place} + 2)) >"$inputs/$place/job.yaml"
done
apart=(-n 1 -wdir "$inputs/here" "$program" debye job.yaml --device cpu)
fails_apart "${apart[@]}" : -n 1 -wdir "$inputs/there" "$program" debye job.yaml --device cpu

# on request, independent processes
SONDE_MPI_MODULE=none ok "independent processes" ranks 2 stopping --ion B --target Si --energies 10keV:20keV
check "independent processes: two tables" [ "$(grep -o '# sonde [0-9]' "$out" | wc -l)" = 2 ]

# another version: the same program but for one letter
sed 's/%s, commit %s/%s, Commit %s/' "$program" >"$inputs/other" && chmod +x "$inputs/other"
OMPI_MCA_odls_base_sigkill_timeout=0 SONDE_MPI_MODULE=$module timeout 100 "$mpirun" -n 1 "$program" devices : -n 1 "$inputs/other" devices >"$out" 2>"$err"
code=$?
check "two versions: exit code 2, not $code" [ $code = 2 ]
check "two versions: $(excerpt "$err")" has_line "$err" '^sonde devices: rank 1: is sonde .* all ranks must be the same program$'

# A run that is too long, at work; sets `job`, and `pids` to its ranks.
begin() { # RANKS COMMAND ARGUMENTS...
	local wait number=$1
	shift
	"$mpirun" -n "$number" "$program" "$@" >"$out" 2>"$err" &
	job=$!
	for wait in {1..100}; do
		sleep 0.1
		mapfile -t pids < <(pgrep -P $job -x sonde)
		((${#pids[@]} == number && wait > 10)) && return
		grep -q '"done": [1-9]' "$err" && return # with --json
	done
}
# Ends it if it hangs.
await() {
	local wait
	for wait in {1..300}; do
		kill -0 $job 2>"$inputs/none" || break
		sleep 0.2
	done
	((wait < 300)) || kill -9 "${pids[@]}" $job
	wait $job
}

# a stop that reaches one rank
long=(ions "${gold[@]}" -n 100000000 --device cpu -o stopped.csv)
begin 3 "${long[@]}"
kill -TERM "${pids[1]}"
await
code=$?
check "a stop: exit code 75, not $code" [ $code = 75 ]
check "a stop: $(excerpt "$err")" has_line "$err" '^sonde ions: stopped; [0-9]+ ions( and [0-9]+ in progress)? are kept in stopped.csv.checkpoint'
check "a stop: a checkpoint" [ -s stopped.csv.checkpoint ]
cp stopped.csv.checkpoint "$inputs/checkpoint"
# a rank that dies
begin 2 "${long[@]}" --resume
kill -9 "${pids[1]}"
await
code=$?
check "a rank that dies: not 0" [ $code != 0 ]
check "a rank that dies: the checkpoint is as it was" same_files stopped.csv.checkpoint "$inputs/checkpoint"
# on other numbers of ranks
ok_warned 'are done already' "continued on two ranks" ranks 2 ions "${gold[@]}" -n 8 --device cpu -o stopped.csv --resume
cp "$inputs/checkpoint" alone.csv.checkpoint
ok_warned 'are done already' "continued alone" sonde ions "${gold[@]}" -n 8 --device cpu -o alone.csv --resume
check "continued with the same bits" same_numbers alone.csv stopped.csv
check "the checkpoint is gone" [ ! -e stopped.csv.checkpoint ]

# ranks that are killed at random moments of a run with checkpoints; the last survivor of them is resumed to the same bits
killed=(--ion Au --energy 20keV --target Au@19.3 --quiet -n $((thorough ? 20000 : 2500)) --device cpu)
ok "killed: one process" sonde ions "${killed[@]}" -o unharmed.csv
for ((try = 0; try < (thorough ? 10 : 2); ++try)); do
	resume=
	[[ ! -e killed.csv.checkpoint ]] || resume=--resume
	"$mpirun" -n 2 "$program" ions "${killed[@]}" -o killed.csv $resume --checkpoint every=0.05s >"$out" 2>"$err" &
	job=$!
	for wait in {1..100}; do
		sleep 0.1
		mapfile -t pids < <(pgrep -P $job -x sonde)
		((${#pids[@]} == 2)) && break
	done
	for wait in {1..100}; do
		[[ -e killed.csv.checkpoint ]] && break
		sleep 0.05
	done
	sleep 0.$((RANDOM % 5))
	kill -9 "${pids[RANDOM % 2]}" 2>"$inputs/none"
	await
	[[ ! -e killed.csv ]] || break # it was faster
done
if [[ -e killed.csv ]]; then
	skip "killed: resumed" "it was done before"
else
	check "killed: a checkpoint" [ -s killed.csv.checkpoint ]
	ok "killed: resumed on three ranks" ranks 3 ions "${killed[@]}" -o killed.csv --resume
fi
check "killed: the same bits" same_numbers unharmed.csv killed.csv

# a full disk of rank 0, as a limit of the size of files: the reason once, and the earlier checkpoint remains
many=(--ion Au --energy 2keV --target Au@19.3 --surface planar --exits 1000000 --bins 2000 --quiet -n 100000 --device cpu)
cp "$inputs/checkpoint" full.csv.checkpoint
timeout -k 5 100 "$mpirun" -n 1 "${BASH:-bash}" -c 'ulimit -f 40; exec "$0" "$@"' "$program" ions "${many[@]}" -o full.csv --checkpoint 0.1 : \
	-n 1 "$program" ions "${many[@]}" -o full.csv --checkpoint 0.1 >"$out" 2>"$err" </dev/null
code=$?
check "a full disk: exit code 3, not $code" [ $code = 3 ]
check "a full disk: $(excerpt "$err")" has_line "$err" '^sonde ions: full\.csv\.checkpoint: cannot be written: File too large; (no file was left|the earlier file is unchanged)$'
check "a full disk: the earlier checkpoint" same_files full.csv.checkpoint "$inputs/checkpoint"

# a campaign: each rank is a worker, which has its part of a list of devices
printf '%s\n' 'vary: {energy: [1 keV, 2 keV, 3 keV, 4 keV]}' 'run: ions --ion He --energy ${energy} --target Si --number 200' \
	'collect: [range]' >"$inputs/sweep.yaml"
ok "a campaign: one process" sonde campaign "$inputs/sweep.yaml" --device cpu -o alone
ok "a campaign: ranks" ranks 3 campaign "$inputs/sweep.yaml" --device cpu,emulated -o ranks
check "a campaign: one voice" [ "$(grep -c '^jobs ' "$out")" = 1 ]
check "a campaign: several workers" lacks "$out" '4 by this worker'
check "a campaign: the same table" same_numbers alone/table.csv ranks/table.csv
printf '%s\n' 'vary: {energy: [1 keV, none]}' 'run: ions --ion He --energy ${energy} --target Si --number 20' \
	'collect: [range]' >"$inputs/bad.yaml"
ranks 2 campaign "$inputs/bad.yaml" --device cpu -o bad >"$out" 2>"$err"
code=$?
check "a campaign whose jobs fail: exit code 1, not $code" [ $code = 1 ]
check "a campaign whose jobs fail: $(excerpt "$err")" [ "$(grep -c '^sonde campaign: 1 of 2 jobs failed' "$err")" = 1 ]
check "a campaign whose jobs fail: the job" has_line "$out" '^failed +energy=none: '

# single sums: stopped in one process, resumed on ranks
sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 24 --displace 0.05 -o "$inputs/mid.xyz" --quiet
exact=(debye "$inputs/mid.xyz" --q 0.1:20:500 --method exact --device cpu --quiet)
ok "a sum: one process" sonde "${exact[@]}" -o sum.csv
if stopped_with part.csv.checkpoint TERM "$program" "${exact[@]}" --threads 1 -o part.csv; then
	ok "a sum: resumed on two ranks" ranks 2 "${exact[@]}" -o part.csv --resume
else
	skip "a sum: resumed on two ranks" "it was done before"
fi
check "a sum: the same bits" same_numbers sum.csv part.csv

sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 50 --displace 0.05 -o "$inputs/large.xyz" --quiet
# values that are stopped: those of all ranks are kept, though each writes its own
slabs=(coulomb "$inputs/large.xyz" "${charges[@]}" --method direct --size 60,60,100 --spacing 1 --device cpu)
begin 2 "${slabs[@]}" -o stopped.h5 --threads 1 --json
kill -TERM "${pids[1]}"
await
if [[ -e stopped.h5.checkpoint ]]; then
	check "a potential: $(excerpt "$err")" has_line "$err" 'stopped; [0-9]+ of [0-9]+ pieces are kept in stopped.h5.checkpoint'
	ok "a potential: continued on three ranks" ranks 3 "${slabs[@]}" -o stopped.h5 --resume --quiet
	ok "a potential: one process" sonde "${slabs[@]}" -o potential.h5 --quiet
	check "a potential: the same values" same_values potential.h5 stopped.h5
else
	skip "a potential: continued" "it was done before"
fi

# a picture that is stopped: what all ranks have done is kept
long=(pattern "$inputs/large.xyz" --q 0.5:17:140 --phi 140 --wavelength 0.5 --device cpu)
begin 3 "${long[@]}" -o picture.csv --json
kill -TERM "${pids[2]}"
await
code=$?
check "a picture: exit code 75, not $code" [ $code = 75 ]
check "a picture: $(excerpt "$err")" has_line "$err" 'stopped; [0-9]+ of 19600 points are kept in picture.csv.checkpoint'
ok "a picture: continued on two ranks" ranks 2 "${long[@]}" -o picture.csv --resume --quiet
ok "a picture: at once" sonde "${long[@]}" -o whole.csv --quiet
check "a picture: continued with the same bits" same_numbers whole.csv picture.csv

# a library: the same candidates with the same curves in the same order
printf '%s\n' 'curves: [I_per_atom, G]' 'coordinates: true' 'debye: {q: 0.5:15:300, r: 0.5:20:200}' 'structures:' \
	'- {build: {fullerene: "${n}"}, vary: {n: [C60, C180, C240]}}' \
	'- {build: {cell: fcc, species: Au, a: "${a}", sphere: 7}, vary: {a: [4.0, 4.1, 4.0, 4.2]}}' >"$inputs/library.yaml"
awk 'BEGIN {for (q = 0.6; q < 14; q += 0.05) print q, 100 + 50 * sin(q), 1}' >"$inputs/film.xy"
# chi^2 of each candidate, to 17 digits, and sizes
of_library() { sonde match "$inputs/film.xy" "$1" --ranking 100 --json 2>/dev/null | grep -oE '"ranking": .*' | sed 's/"seconds.*//'; sonde info "$1" | sed 1d; }
ok "library: one process" sonde library "$inputs/library.yaml" --device cpu -o one.h5
check "library: one process, repeated structures" has_line "$out" '^one.h5: 6 structures; 6 computed, 0 were present, 1 the same as others$'
of_library one.h5 >"$inputs/wanted"
for n in 2 3; do
	ok "library: $n ranks" ranks $n library "$inputs/library.yaml" --device cpu -o ranks$n.h5
	check "library: $n ranks, one report" has_line "$out" "^ranks$n.h5: 6 structures; 6 computed, 0 were present, 1 the same as others\$"
	of_library ranks$n.h5 >"$inputs/found"
	check "library: $n ranks, the same curves" same_files "$inputs/wanted" "$inputs/found"
done
ok "library: more ranks, nothing to do" ranks 3 library "$inputs/library.yaml" --device cpu -o one.h5
check "library: nothing is computed" has_line "$out" '^one.h5: 6 structures; 0 computed, [67] were present'
sed -i 's/4.0, 4.2/4.0, big/' "$inputs/library.yaml"
fails_once 2 "a: 'big' is not a number" 2 library "$inputs/library.yaml" --device cpu -o none.h5
finish
