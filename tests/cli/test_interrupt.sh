# Ctrl-C and SIGTERM end the program within a second, with 130, one line and no leftovers, in every phase of a run.
# Also its reports of progress.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -m # so that the programs started with & get SIGINT as from a terminal

patience=1000 # ms
[[ $sanitized == 1 ]] && patience=4000
process=
at_end() { [[ -z $process ]] || kill -KILL "$process" 2>/dev/null; }
# Waits without a process for it: nobody writes into this pipe.
exec {silence}<> <(:)
pause() { read -rt "$1" -u "$silence" _ || true; } # SECONDS
milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# Starts a command, waits until a condition holds, sends a signal, and checks how it ends. The condition is bash, run
# fifty times a second; stderr of the command may be JSON lines, then the one line of the end. An end that comes too late
# is tried once more, since other tests may run at the same time.
tries=2
interrupted() { # NAME SIGNAL CONDITION REGEX COMMAND...
	local name=$1 signal=$2 condition=$3 regex=$4 before after code k started ended line arguments=("$@")
	shift 4
	before=$(snapshot)
	"$@" >"$out" 2>"$err" </dev/null &
	process=$!
	for ((k = 0; k < 2000; ++k)); do
		eval "$condition" && break
		kill -0 $process 2>/dev/null || break
		pause 0.02
	done
	if ! kill -0 $process 2>/dev/null || ((k == 2000)); then
		kill -KILL $process 2>/dev/null
		wait $process 2>/dev/null
		process=
		fail "$name" "it ended, or 40 s passed, before '$condition': $(excerpt "$err")"
		remove_new "$before"
		return
	fi
	started=$(milliseconds)
	kill "-$signal" $process
	wait $process 2>/dev/null
	code=$?
	ended=$(milliseconds)
	process=
	# what such a message promises
	! contains "$err" "are kept in x." || rm x.*.checkpoint x.*.checkpoint.old 2>/dev/null
	after=$(snapshot)
	while IFS= read -r line; do
		[[ $line != *'"error": {'* ]] && is_json "$line" || plain_error "$line"
	done <"$err" >"$err.rest"
	mv "$err.rest" "$err"
	# a batch system's signal and a checkpoint
	((code == 75)) && [[ $signal = TERM ]] && contains "$err" "are kept in x." && code=130
	if ((code != 130)); then
		fail "$name" "exit code $code instead of 130; stderr: $(excerpt "$err")"
	elif ! one_line "$regex"; then
		fail "$name" "stderr is not one line 'sonde...' with '$regex': $(excerpt "$err")"
	elif [[ -s $out ]]; then
		fail "$name" "stdout: $(excerpt "$out")"
	elif [[ $before != "$after" ]]; then
		fail "$name" "the folder has changed: $(tr '\n' ' ' <<<"$after")"
	elif ((ended - started > patience && tries > 1)); then
		tries=$((tries - 1)) interrupted "${arguments[@]}"
	elif ((ended - started > patience)); then
		fail "$name" "it took $((ended - started)) ms to end, twice"
	else
		pass
	fi
	[[ $before == "$after" ]] || remove_new "$before"
}
# That the process has computed for so long, in hundredths of a second of its own clock: on a busy machine that takes longer.
computed() { # TICKS
	local line words
	read -r line <"/proc/$process/stat" || return 1
	read -ra words <<<"${line##*) }"
	((words[11] + words[12] >= (sanitized == 1 ? 4 * $1 : $1)))
}
after_a_while() { computed 15; }
after_a_moment() { computed 5; }
after_the_order() { computed 60; }
stage() { contains "$err" "\"stage\": \"$1\""; }

ok "a sample of 125000 atoms" sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 25,25,25 \
	-o "$inputs/cube.xyz" --quiet
atoms=()
for ((k = 0; k < 2000; ++k)); do
	atoms+=("Au $((RANDOM % 50)).$RANDOM $((RANDOM % 50)).$RANDOM $((RANDOM % 50)).$RANDOM")
done
make_xyz "$inputs/liquid.xyz" "${atoms[@]}"
# 10^7 lines and more in small files: members of gzip one after the other
yes 'Au 1.25 2.5 3.75' | head -n 1000000 | gzip -1 >"$inputs/block.gz"
long_file() { # FILE BLOCKS LAST
	local k
	{
		printf '%d000000\n\n' "$2" | gzip
		for ((k = 0; k < $2; ++k)); do
			cat "$inputs/block.gz"
		done
		printf "$3" | gzip
	} >"$1"
}
long_file "$inputs/long.xyz.gz" 40 ''
long_file "$inputs/frames.xyz.gz" 200 '1\n\nAu 0 0 0\n'
make_xyz "$inputs/line.xyz" "C 0 0 0" "C 1.5 0 0" "C 3 0 0" "C 4.5 0 0"
cube=$inputs/cube.xyz

for signal in INT TERM; do
	interrupted "exact, $signal" $signal after_the_order '(stopped on request at [0-9.]+ % of the pairs \(exact\)|kept in x\.h5\.checkpoint, continue with --resume)$' \
		"$program" debye "$cube" --method exact -o x.h5
done
interrupted "exact, table on stdout" INT after_a_while 'stopped on request' "$program" debye "$cube" --method exact
interrupted "exact, one thread" INT "stage 'pairs (exact)'" '(of the pairs \(exact\)|kept in x\.[a-z0-9]+\.checkpoint, continue with --resume)$' \
	"$program" debye "$cube" --method exact --json --threads 1 -o x.h5
interrupted "exact, few points" INT "stage 'pairs (exact)'" '(of the pairs \(exact\)|kept in x\.[a-z0-9]+\.checkpoint, continue with --resume)$' \
	"$program" debye "$cube" --method exact --q 1:20:200 --json -o x.xy
interrupted "exact, with a picture and an old file" INT "stage 'pairs (exact)'" '(of the pairs \(exact\)|kept in x\.[a-z0-9]+\.checkpoint, continue with --resume)$' \
	"$program" debye "$cube" --method exact --json -o x.xy --plot x.png
[[ -e x.png ]] && fail "picture" "left behind"
interrupted "histogram" INT "stage 'pairs (histogram)'" \
	'(stopped on request at [0-9.]+ % of the (pairs \(histogram\)|histogram to pattern)|kept in x\.h5\.checkpoint, continue with --resume)$' \
	"$program" debye "$cube" --method histogram --threads 1 --json -o x.h5
interrupted "histogram, fine bins" INT "stage 'pairs (histogram)'" '(of the (pairs \(histogram\)|histogram to pattern)|kept in x\.h5\.checkpoint, continue with --resume)$' \
	"$program" debye "$cube" --method histogram --bin-width 1e-4 --threads 2 --json -o x.h5
interrupted "histogram to pattern" INT "stage 'histogram to pattern'" 'kept in x\.h5\.checkpoint, continue with --resume$' \
	"$program" debye "$inputs/liquid.xyz" --method histogram --bin-width 1e-4 --q 0.1:20:1000000 --r 0:1:2 --json -o x.h5
interrupted "reference" INT "stage 'pairs (reference)'" 'of the pairs \(reference\)$' \
	"$program" debye "$data/Au_fcc_1k.xyz" --method reference --q 1:20:20000 --json -o x.h5
interrupted "reference of many points" INT after_a_while 'of the pairs \(reference\)$' \
	"$program" debye "$data/C60.xyz" --method reference --q 0.1:20:1000000 --r 0:1:2 -o x.h5
interrupted "G(r)" INT "stage 'G(r)'" 'kept in x\.h5\.checkpoint, continue with --resume$' \
	"$program" debye "$inputs/line.xyz" --r 0:100:1000000 --json -o x.h5 --q 0.1:20:10000
interrupted "G(r) of many points of q" INT "stage 'G(r)'" 'kept in x\.h5\.checkpoint, continue with --resume$' \
	"$program" debye "$inputs/line.xyz" --q 0.1:20:1000000 --r 0:100:100000 --threads 1 --json -o x.h5
interrupted "reading" INT 'after_a_moment' 'stopped while reading .*long\.xyz\.gz' "$program" info "$inputs/long.xyz.gz"
interrupted "reading for debye" INT 'after_a_moment' 'stopped while reading .*long\.xyz\.gz' \
	"$program" debye "$inputs/long.xyz.gz" -o x.h5
interrupted "skipping frames" INT 'after_a_moment' 'stopped while reading .*frames\.xyz\.gz' \
	"$program" info "$inputs/frames.xyz.gz" --frame 2
interrupted "building" INT "stage build" 'stopped on request at [0-9.]+ % of the build$' \
	"$program" build --cell sc --species Au --a 4 --cylinder 1000,1200,999.9 --json -o x.xyz
cat >"$inputs/job.yaml" <<'END'
output: x.h5
build: {cell: sc, species: Au, a: 4, cylinder: [1000, 1200, 999.9]}
END
interrupted "building for debye" INT "stage build" 'stopped on request at [0-9.]+ % of the build$' \
	"$program" debye "$inputs/job.yaml" --json
random_charges() { # COUNT EDGE: random charges as extended XYZ
	awk -v n="$1" -v edge="$2" 'BEGIN {srand(5); print n; print "Properties=species:S:1:pos:R:3:charge:R:1"
		for (k = 0; k < n; ++k) printf "X %.3f %.3f %.3f %.3f\n", edge*rand(), edge*rand(), edge*rand(), k % 2 - 0.5}'
}
random_charges 200000 150 >"$inputs/charges.xyz"
interrupted "coulomb, direct" INT "stage 'points (direct)'" '(stopped on request at [0-9.]+ % of the points \(direct\)|kept in x\.h5\.checkpoint, continue with --resume)$' \
	"$program" coulomb "$inputs/charges.xyz" --spacing 1 --method direct --json -o x.h5
interrupted "coulomb, fast" INT "stage 'points (fast)'" 'stopped on request at [0-9.]+ % of the points \(fast\)$' \
	"$program" coulomb "$inputs/charges.xyz" --spacing 0.3 --tolerance 1e-4 --json -o x.h5
# the file under way has a name of its own, or none (file systems with O_TMPFILE)
writing() {
	local file size
	for file in x.*part-* "/proc/$process/fd"/*; do
		[[ -f $file && ($file == x.* || $(readlink "$file") == */'#'*' (deleted)') ]] || continue
		size=$(stat -Lc %s "$file" 2>/dev/null)
		((${size:-0} > 10000)) && return 0
	done
	return 1
}
# slabs of 1.6*10^7 points are written as text, which takes seconds
interrupted "coulomb, fast, while text is written" INT writing 'stopped on request' \
	"$program" coulomb "$inputs/charges.xyz" --spacing 0.3 --tolerance 1e-3 --quantity potential --threads 1 -o x.dx
interrupted "coulomb, fast, at the largest blocks" INT after_a_while 'stopped on request' \
	"$program" coulomb "$inputs/charges.xyz" --spacing 0.5 --tolerance 1e-9 -o x.h5
interrupted "coulomb, periodic" INT after_a_while 'stopped on request' \
	"$program" coulomb "$inputs/charges.xyz" --boundary periodic --cell 150 --spacing 1 --tolerance 1e-9 -o x.h5
cat >"$inputs/large.yaml" <<-'JOB'
	fdtd:
	  size: 1.5 um, 1.5 um, 1.5 um
	  cell: 6 nm
	  time: 100 fs
	  materials: [{name: g, index: 2}]
	  bodies: [{material: g, shape: sphere, radius: 600 nm}]
	  sources: [{kind: plane-wave, direction: "0,0,1", polarization: "1,0,0", wavelength: 700 nm}]
	  monitors: [{kind: cross-section, wavelengths: 600 nm}]
JOB
interrupted "fdtd, while bodies are painted" INT after_a_while 'stopped on request before the first step$' \
	"$program" fdtd "$inputs/large.yaml" --threads 1 -o x.h5
# sums at very many frequencies, whose updates take seconds: these stop in the middle, and continue there
many_frequencies() { # COUNT
	cat <<-JOB
		fdtd:
		  size: 0, 2 um, 2 um
		  cell: 40 nm
		  steps: 80
		  sources: [{kind: dipole, polarization: [1, 0, 0], center: [0, 0, 500 nm], wavelength: 700 nm, bandwidth: 400 THz}]
		  monitors: [{name: m, kind: flux, center: [0, 0, 0], size: [0, 1800 nm, 0], frequencies: "300 THz:600 THz:$1"}]
	JOB
}
many_frequencies 400000 >"$inputs/many.yaml"
interrupted "fdtd, while sums are updated" INT 'stage steps && computed 80' 'stopped on request' \
	"$program" fdtd "$inputs/many.yaml" --json --threads 1
many_frequencies 100000 >"$inputs/several.yaml"
"$program" fdtd "$inputs/several.yaml" --threads 1 --quiet -o whole.csv 2>"$err"
check "fdtd, many frequencies: a run" [ $? -eq 0 ]
stops=0 code=130
for ((try = 0; try < 20 && code == 130; ++try)); do
	"$program" fdtd "$inputs/several.yaml" --threads 1 --quiet -o parts.csv $([[ -e parts.csv.checkpoint ]] && echo --resume) \
		>"$out" 2>"$err" </dev/null &
	process=$!
	# by turns, so that some stops are in updates and some between
	sleep "0.$((2 + try % 4))"
	((stops > 1)) || kill -INT $process 2>/dev/null
	wait $process
	code=$?
	process=
	((code != 130)) || ((++stops))
done
check "fdtd, many frequencies: stopped $stops times, then exit code $code" [ $code = 0 -a $stops -gt 0 ]
check "fdtd, many frequencies: the same numbers" cmp -s <(grep -v '^#' whole.csv) <(grep -v '^#' parts.csv)
rm -f whole.csv parts.csv

# under nohup the end of a session is none of a run
(trap '' HUP && exec "$program" coulomb "$inputs/charges.xyz" --spacing 13 --method direct --json -o hangup.h5) >"$out" 2>"$err" </dev/null &
process=$!
for ((k = 0; k < 2000; ++k)); do
	stage 'points (direct)' && break
	pause 0.02
done
kill -HUP $process 2>/dev/null
wait $process
check "nohup: the run continues" [ $? -eq 0 ]
check "nohup: the file is there" [ -s hangup.h5 ]
rm -f hangup.h5
process=
cp "$data/C60.xyz" x.xyz.gz
interrupted "writing over an old file" INT writing 'stopped while writing x\.xyz\.gz; the earlier file is unchanged' \
	"$program" build --cell sc --species Au --a 4.0782 --supercell 120,120,120 -o x.xyz.gz --force
check "the old file is as it was" same_files x.xyz.gz "$data/C60.xyz"
rm x.xyz.gz
# devices are measured for a while, which begins when they are named; where that ends sooner than we can say, it is tried again
for ((try = 0; try < 10; ++try)); do
	: >"$out"
	"$program" devices --kernel-cache off >"$out" 2>"$err" </dev/null &
	process=$!
	while [[ ! -s $out ]] && kill -0 $process 2>/dev/null; do
		sleep 0.01
	done
	kill -INT $process 2>/dev/null
	wait $process
	code=$?
	process=
	# at its very end, too, a signal finds nobody who would say anything
	((code == 0)) || [[ $code = 130 && ! -s $err ]] || break
done
check "devices: exit code $code after INT" [ $code = 130 ]
check "devices: one line: $(excerpt "$err")" one_line '^sonde devices: stopped on request (while|before) measuring [a-z0-9:]+$'

# progress ---------------------------------------------------------------------------------------
busy=("$inputs/small.xyz" --method histogram --q 1:10:10 --threads 2) # for a second
ok "a sample of 46656 atoms" sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 18,18,18 \
	-o "$inputs/small.xyz" --quiet
ok "stderr is no terminal: no progress" sonde debye "${busy[@]}"
if script -qec true /dev/null >/dev/null 2>&1; then
	quoted() { printf '%q ' "$@"; }
	# Output of a command on a terminal. On a busy machine script loses what comes right before the end: so it waits.
	on_terminal() { # COMMAND...
		TERM=xterm NO_COLOR="" COLUMNS=80 script -qec "$(quoted "$@"); sleep 1" /dev/null </dev/null
	}
	on_terminal "$program" debye "${busy[@]}" -o x.h5 >"$out"
	check "terminal: it worked" is_hdf5 x.h5
	check "terminal: percent, rate and time left" has_line "$out" 'pairs \(histogram\): +[0-9]+ %, [0-9.e+]+ pairs/s, [0-9.]+ (s|min|h) left'
	check "terminal: one line that rewrites itself" has_line "$out" $'\r\e\\[Kpairs.*\r\e\\[Kpairs'
	check "terminal: the line is cleared before the summary" has_line "$out" $'\r\e\\[K46656 atoms, '
	rm -f x.h5
	on_terminal "$program" debye "${busy[@]}" -o x.h5 --quiet >"$out"
	check "terminal, --quiet: nothing" is_empty "$out"
	rm -f x.h5
	on_terminal timeout -s INT $((2 * patience / 1000)) "$program" debye "$cube" --method exact --threads 1 -o x.h5 >"$out"
	check "terminal: the line is cleared before the message" has_line "$out" $'\r\e\\[Ksonde debye: stopped(;| on request)'
	check "terminal: nothing is left" [ ! -e x.h5 ]
	rm -f x.h5.checkpoint
else
	skip "progress on a terminal" "no script here"
fi
"$program" debye "${busy[@]}" -o x.h5 --json >"$out" 2>"$err" </dev/null
check "--json: exit code" [ $? -eq 0 ]
bad=0 last=-1 lines=0
while IFS= read -r line; do
	lines=$((lines + 1))
	is_json "$line" || bad=$((bad + 1))
	if [[ $line == *'"stage": "pairs (histogram)"'* && $line =~ \"done\":\ ([0-9]+), ]]; then
		((BASH_REMATCH[1] >= last)) || bad=$((bad + 1))
		last=${BASH_REMATCH[1]}
	fi
done <"$err"
check "--json: $lines lines, each JSON, that never go back" [ "$bad" = 0 -a "$lines" -gt 2 ]
check "--json: all pairs in the end" [ "$last" = 1088367840 ]
mapfile -t summary <"$out"
check "--json: one line of summary" [ ${#summary[@]} = 1 ]
check "--json: the summary is JSON" is_json "${summary[0]}"
check "no leftovers" no_leftovers
finish
