# sonde ions stopped at any moment, also in the middle of cascades: completed work is kept, and a resumed run gives
# the bytes of an uninterrupted one.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SONDE_DATA=$here/../../data

# Slow ions; under sanitizers, slower by themselves, of less.
energy=500keV
[[ $sanitized = 0 ]] || energy=20keV
gold=(--ion Au --energy $energy --target Au@19.3 --surface planar --exits 1000)

# Starts a run that is too long, and stops it as soon as it is at work, at a moment that nobody knows: waits longer where it has
# not begun.
stop_early() { # NAME SIGNAL CODE OPTIONS...
	local name=$1 signal=$2 wanted=$3 wait code
	shift 3
	for wait in 0.5 1 2 4 8 16 32; do
		timeout --preserve-status -k 100 -s "$signal" $wait "$program" ions "${gold[@]}" -n 100000000 "$@" 2>"$err"
		code=$?
		((code == wanted)) && contains "$err" 'are kept in' && break
	done
	check "$name: exit code $wanted, not $code: $(excerpt "$err")" [ $code = "$wanted" ]
	check "$name: says how to go on" has_line "$err" 'stopped; [0-9]+ ions( and [0-9]+ in progress)? are kept in .*, continue with --resume$'
}

# Numbers of a table and of SRIM's lists, without what they say of the run.
numbers_of() { # TABLE FOLDER
	grep -hv '^#' "$1" "$2"/*.txt
}

# Resumes, and compares with one run of as many ions.
compare() { # NAME FILE OPTIONS...
	local name=$1 file=$2 ions code
	shift 2
	sonde ions "${gold[@]}" -n 8 "$@" -o "$file" --resume --srim resumed --json >"$out" 2>"$err"
	code=$?
	check "$name: resumes, with exit code $code: $(excerpt "$err")" [ $code -eq 0 ]
	check "$name: the checkpoint is gone" [ ! -e "$file.checkpoint" ]
	ions=$(sed -n 's/.*"ions": \([0-9]*\),.*/\1/p' "$out")
	sonde ions "${gold[@]}" -n "$ions" --device cpu -o whole.csv --srim whole --quiet 2>"$err"
	numbers_of "$file" resumed >"$inputs/resumed"
	numbers_of whole.csv whole >"$inputs/whole"
	check "$name: $ions ions as in one go" same_files "$inputs/resumed" "$inputs/whole"
	check "$name: there are numbers" [ "$(wc -l <"$inputs/whole")" -gt 100 ]
	rm -rf "$file" resumed whole whole.csv
}

stop_early "SIGTERM in the first round" TERM 75 --device cpu --threads 1 -o one.csv
check "SIGTERM: a checkpoint" [ -s one.csv.checkpoint ]
check "SIGTERM: no result" [ ! -e one.csv ]
ok "SIGTERM: info" sonde info one.csv.checkpoint
check "SIGTERM: ions that are done and under way" has_line "$out" '^ions  *[0-9]+ done(, [0-9]+ in progress)?$'
# once more, with other threads, while histories are under way
stop_early "SIGINT of a resumed run" INT 130 --device cpu --threads 2 -o one.csv --resume
compare "stopped twice" one.csv --device cpu

# without a file there is nothing to go on from
for wait in 0.5 1 2 4 8 16 32; do
	timeout --preserve-status -k 100 -s TERM $wait "$program" ions "${gold[@]}" -n 100000000 --device cpu --threads 1 >"$out" 2>"$err"
	code=$?
	((code == 75)) && break
done
check "SIGTERM without --output: exit code 75, not $code" [ $code = 75 ]
check "SIGTERM without --output: reports it" one_line '^sonde ions: stopped on request at [0-9.]+ % of the ions; nothing is kept without --output$'
check "SIGTERM without --output: no table" [ ! -s "$out" ]

# devices that share a round leave gaps between their ions: as many as an emulated device takes at once, thousands, so
# that these ions are slow
plain=("${gold[@]}")
gold=(--ion Au --energy 500eV --target Au@19.3 --surface planar --exits 1000)
stop_early "two devices" TERM 75 --device cpu,emulated --threads 1 -o two.csv
compare "two devices" two.csv --device cpu
gold=("${plain[@]}")

# a map, whose sums are nearly all 0
gold+=(--cells 1,20,20 --bins 20 --width 0,500,500)
stop_early "a map" TERM 75 --device cpu --threads 1 -o map.csv
compare "a map" map.csv --device cpu
gold=("${plain[@]}")

# cost of a stop, in seconds of a CPU: for a map of four million cells some 8 where all of its sums are written
milliseconds_of_children() { # user and system, of those that have ended; not in a shell below this one, which has none
	local user system
	times >"$inputs/times"
	{ read -r user system && read -r user system; } <"$inputs/times"
	spent=$((60000 * (${user%m*} + ${system%m*})))
	user=${user#*m} system=${system#*m}
	user=${user//[.s]/} system=${system//[.s]/}
	spent=$((spent + 10#$user + 10#$system))
}
if [[ $sanitized = 0 ]]; then
	milliseconds_of_children
	before=$spent
	"$program" ions "${gold[@]}" -n 100000000 --device cpu --threads 1 --cells 1,200,200 -o large.h5 --quiet 2>"$err" &
	process=$!
	sleep 1.5
	read -ra numbers </proc/$process/stat
	used=$(((numbers[13] + numbers[14]) * 1000 / $(getconf CLK_TCK)))
	kill -TERM $process
	wait $process
	code=$?
	check "a large map: exit code $code instead of 75" [ $code = 75 ]
	milliseconds_of_children
	cost=$((spent - before - used))
	check "a large map: the stop costs $cost ms" [ $cost -lt 4000 ]
	rm -f large.h5.checkpoint
fi

# paths are followed when all ions are done: these are kept. More and more ions, until the paths take longer than the signal.
for many in 4 16 64 256; do
	few=(--ion Au --energy $energy --target Au@19.3 -n $many --device cpu --threads 1)
	"$program" ions "${few[@]}" --trajectories $many -o paths.h5 --force --json 2>"$err" >/dev/null &
	process=$!
	while kill -0 $process 2>/dev/null && ! contains "$err" "\"done\": $many, "; do
		sleep 0.05
	done
	kill -TERM $process 2>/dev/null
	wait $process
	code=$?
	((code == 0)) || break
done
check "stopped among $many paths: exit code $code instead of 75" [ $code = 75 ]
check "stopped among $many paths: all ions are kept" has_line "$err" "stopped; $many ions are kept in"
# damage: a file with one other bit is refused, and so is one of another version, of other tables, or without its checksum ------
light=(--ion As --energy 1keV --target Si -n 64 --device cpu --threads 1 --exits 20 --stopping srim13)
ok "a file to be damaged" sonde ions "${light[@]}" -o sound.h5 --quiet
size=$(stat -c %s sound.h5)
places=$((thorough ? 60 : 12))
for ((k = 0; k < places; ++k)); do
	cp sound.h5 damaged.h5
	flip_bit damaged.h5 $((k * size / places + 37 * k % 64)) $((k % 8))
	fails 2 'damaged\.h5: is (damaged|not an HDF5 file)' sonde ions "${light[@]}" -o damaged.h5 --resume
done
head -c -40 sound.h5 >damaged.h5
fails 2 'damaged\.h5: is damaged: ' sonde ions "${light[@]}" -o damaged.h5 --resume
# a table that is another one, though it is read without a fault
mkdir "$inputs/tables"
cp -r "$SONDE_DATA"/* "$inputs/tables"
flip_bit "$inputs/tables/noncommercial/stopping_srim13.i16" 0 0
SONDE_DATA=$inputs/tables fails 2 'resume: sound\.h5 was made with another version of table stopping_srim13\.i16: its SHA-256 begins with [0-9a-f]{16}, that of the present one with [0-9a-f]{16}; ' \
	sonde ions "${light[@]}" -o sound.h5 --resume
ok "that it is resumed with its own" sonde ions "${light[@]}" -o sound.h5 --resume --quiet
# two runs of one output: the second one says who the first is, and leaves everything as it is
"$program" ions --ion As --energy 300keV --target W -n 100000000 --device cpu --threads 1 -o twice.h5 --quiet 2>"$inputs/first" &
first=$!
for ((k = 0; k < 200; ++k)); do
	! grep -q '^lock:' /proc/$first/fdinfo/* 2>/dev/null || break
	sleep 0.05
done
fails 2 "twice\.h5: is being written by process $first; wait for it, stop it, or choose another --output" \
	sonde ions "${light[@]}" -o twice.h5
for probe in "debye $data/C60.xyz" "coulomb $data/C60.xyz --charges C=1 --spacing 2"; do
	fails 2 "twice\\.h5: is being written by process $first; " sonde $probe -o twice.h5
done
ok "another output at the same time" sonde ions "${light[@]}" -o once.h5 --quiet
kill "$first"
wait "$first"
ok "the lock ends with its run" sonde ions "${light[@]}" -o twice.h5 --quiet
check "no leftovers" no_leftovers
finish
