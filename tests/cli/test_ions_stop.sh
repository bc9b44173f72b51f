# sonde ions that is stopped at any moment, ions in the midst of their cascades as well: what was done is kept, and going on gives the
# bytes of a run that nobody stopped.
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
	for wait in 1 2 4 8 16 32; do
		timeout --preserve-status -k 100 -s "$signal" $wait "$program" ions "${gold[@]}" -n 100000000 "$@" 2>"$err"
		code=$?
		((code == wanted)) && contains "$err" 'are kept in' && break
	done
	check "$name: exit code $wanted, not $code: $(excerpt "$err")" [ $code = "$wanted" ]
	check "$name: says how to go on" has_line "$err" 'stopped; [0-9]+ ions( and [0-9]+ that are under way)? are kept in .*, go on with --resume$'
}

# Numbers of a table and of SRIM's lists, without what they say of the run.
numbers_of() { # TABLE FOLDER
	grep -hv '^#' "$1" "$2"/*.txt
}

# Goes on, and compares with one run of as many ions.
compare() { # NAME FILE OPTIONS...
	local name=$1 file=$2 ions
	shift 2
	sonde ions "${gold[@]}" -n 8 "$@" -o "$file" --resume --srim resumed --json >"$out" 2>"$err"
	check "$name: goes on: $(tail -1 "$err")" [ $? -eq 0 ]
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
check "SIGTERM: ions that are done and under way" has_line "$out" '^ions  *[0-9]+ done(, [0-9]+ under way)?$'
# once more, with other threads, in the midst of those that were under way
stop_early "SIGINT while it goes on" INT 130 --device cpu --threads 2 -o one.csv --resume
compare "stopped twice" one.csv --device cpu

# without a file there is nothing to go on from
for wait in 1 2 4 8 16 32; do
	timeout --preserve-status -k 100 -s TERM $wait "$program" ions "${gold[@]}" -n 100000000 --device cpu --threads 1 >"$out" 2>"$err"
	code=$?
	((code == 75)) && break
done
check "SIGTERM without --output: exit code 75, not $code" [ $code = 75 ]
check "SIGTERM without --output: says so" one_line '^sonde ions: stopped on request at [0-9.]+ % of the ions; nothing is kept without --output$'
check "SIGTERM without --output: no table" [ ! -s "$out" ]

# devices that share a round leave gaps between their ions
stop_early "two devices" TERM 75 --device cpu,emulated --threads 1 -o two.csv
compare "two devices" two.csv --device emulated

# a map, whose sums are nearly all 0
plain=("${gold[@]}")
gold+=(--cells 1,20,20 --bins 20 --width 0,500,500)
stop_early "a map" TERM 75 --device cpu --threads 1 -o map.csv
compare "a map" map.csv --device cpu
gold=("${plain[@]}")

# what a stop costs, in seconds of a CPU: of a map of four million cells some 8 where all of its sums are written
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
	sleep 3
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
# damage: a file that was changed is refused, unless nothing that is read is another -----------------
light=(--ion As --energy 1keV --target Si -n 64 --device cpu --threads 1 --exits 20)
ok "a file to be damaged" sonde ions "${light[@]}" -o sound.h5 --quiet
resumed() { # FILE: numbers of a run that goes on from it
	sonde ions "${light[@]}" -o "$1" --resume --json 2>"$err" | sed 's/"seconds": [0-9.]*, //'
	while IFS= read -r line; do
		plain_error "$line"
	done <"$err" >"$err.plain"
	mv "$err.plain" "$err"
}
cp sound.h5 damaged.h5
resumed damaged.h5 >"$inputs/sound"
size=$(stat -c %s sound.h5)
refused=0 different=0 named=0 places=$((thorough ? 60 : 24))
[[ $sanitized = 0 ]] || places=15
for ((k = 0; k < places; ++k)); do
	cp sound.h5 damaged.h5
	flip_bit damaged.h5 $((k * size / places + 37 * k % 64)) $((k % 8))
	resumed damaged.h5 >"$inputs/damaged"
	if [[ -s $err ]] && ! one_line 'damaged'; then
		is_json "$(head -1 "$err")" || fail "damage at $k" "$(excerpt "$err")"
	fi
	if [[ ! -s $inputs/damaged ]]; then
		refused=$((refused + 1))
		one_line 'damaged\.h5: is damaged: /ions/sums/[a-z]+ does not match its checksum' && named=$((named + 1))
	elif ! same_files "$inputs/damaged" "$inputs/sound"; then
		different=$((different + 1))
	fi
done
check "damage: none of $places is believed, $different are" [ $different = 0 ]
# the others are in what a run does not read that goes on
check "damage: $refused of $places are refused" [ $refused -gt $((places / 5)) ]
check "damage: a dataset is named" [ $named -gt 0 ]
check "no leftovers" no_leftovers
finish
