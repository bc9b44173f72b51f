# Checkpoints: their option, single sums that are stopped and resumed to the same bits, and files that are damaged.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SONDE_DATA=$here/../../data

# one option of five engines, with one text
said=
for engine in ions debye pattern coulomb fdtd; do
	"$program" "$engine" --help >"$out" 2>"$err"
	text=$(tr -s ' \n' '  ' <"$out" | grep -o -e '--checkpoint .* only when it is stopped\.')
	check "$engine: the option is described" [ -n "$text" ]
	check "$engine: in the same words" [ "${said:-$text}" = "$text" ]
	said=$text
done
short=(--ion He --energy 1keV --target Si -n 10 --device cpu --plan)
for time in every=10min 10min 'every=10 min' 600 off 0; do
	ok "--checkpoint $time" sonde ions "${short[@]}" --checkpoint "$time"
done
for time in every= often every=off 10parsecs -1 every=-1min; do
	fails 2 'checkpoint: ' sonde ions "${short[@]}" --checkpoint="$time"
done
printf 'ions: {ion: He, energy: 1keV, target: Si, number: 10, checkpoint: every=10min}\n' >"$inputs/ions.yaml"
ok "in a job" sonde ions "$inputs/ions.yaml" --plan --device cpu

numbers() { grep -v '^#' "$1"; }
same_numbers() { [[ -s $1 && -s $2 ]] && cmp -s <(numbers "$1") <(numbers "$2"); }
# Stops a run at work once it has left a checkpoint. False when it was done before.
stopped_after() { # FILE COMMAND...
	local file=$1 wait job code
	"${@:2}" -o "$file" --checkpoint 1e-9 >"$out" 2>"$err" &
	job=$!
	for wait in {1..2000}; do
		[[ ! -e $file.checkpoint ]] && kill -0 $job 2>/dev/null || break
		sleep 0.01
	done
	kill -TERM $job 2>/dev/null
	wait $job
	code=$?
	((code != 0)) || return 1
	check "stopped with 75, not $code: $(excerpt "$err")" [ $code = 75 ]
	check "stopped: how to continue" has_line "$err" 'of [0-9]+ pieces are kept in '"$file"'\.checkpoint, continue with --resume$'
	check "stopped: nothing but the checkpoint" [ -e "$file.checkpoint" -a ! -e "$file" ]
}

sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 45 --displace 0.05 -o "$inputs/large.xyz" --quiet
sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 22 --displace 0.05 -o "$inputs/small.xyz" --quiet
check "samples" [ -s "$inputs/large.xyz" -a -s "$inputs/small.xyz" ]

sum() { # NAME COMMAND...: stopped and resumed, on another number of threads
	local name=$1
	ok "$name" sonde "${@:2}" --device cpu --quiet -o "$name.csv"
	if ! stopped_after part.csv "$program" "${@:2}" --device cpu --quiet --threads 1; then
		skip "$name: stopped" "it was done before"
		rm -f part.csv
		return
	fi
	ok "$name: the checkpoint" sonde info part.csv.checkpoint
	check "$name: what it is" has_line "$out" "^what +checkpoint of an unfinished run of sonde ${2}$"
	check "$name: pieces" has_line "$out" '^pieces +[1-9][0-9]* of [1-9][0-9]* done'
	cp part.csv.checkpoint "$inputs/$name.checkpoint"
	cp part.csv.checkpoint.old "$inputs/$name.old"
	ok "$name: resumed" sonde "${@:2}" --device cpu --quiet --threads 2 -o part.csv --resume
	check "$name: the same bits" same_numbers "$name.csv" part.csv
	check "$name: no checkpoint is left" [ ! -e part.csv.checkpoint -a ! -e part.csv.checkpoint.old ]
	rm -f part.csv
}
histogram=(debye "$inputs/large.xyz" --q 0.1:20:200 --method histogram)
exact=(debye "$inputs/small.xyz" --q 0.1:20:700 --method exact)
sum histogram "${histogram[@]}"
sum exact "${exact[@]}"
direct=(coulomb "$inputs/small.xyz" --charges Co=2,O=-2 --method direct --size 72 --spacing 0.85 --device cpu --quiet)
ok "direct" sonde "${direct[@]}" -o direct.dx
if stopped_with part.dx.checkpoint TERM "$program" "${direct[@]}" --threads 1 -o part.dx; then
	check "direct: how to continue" has_line "$err" '^sonde coulomb: stopped; [0-9]+ of [0-9]+ pieces are kept in part\.dx\.checkpoint, continue with --resume$'
	ok "direct: the checkpoint" sonde info part.dx.checkpoint
	check "direct: what it is" has_line "$out" '^what +checkpoint of an unfinished run of sonde coulomb$'
	ok "direct: resumed" sonde "${direct[@]}" -o part.dx --resume
	check "direct: the same bits" same_numbers direct.dx part.dx
	check "direct: no checkpoint is left" [ ! -e part.dx.checkpoint ]
else
	skip "direct: stopped" "it was done before"
fi
fails 2 'resume: no file to resume from' sonde "${direct[@]}" --resume
fails 2 'resume: no file to resume from' sonde "${exact[@]}" --resume
fails 2 'none\.csv\.checkpoint: cannot be read' sonde "${exact[@]}" --resume -o none.csv

# damage: the previous one is used; without it, or of another job, refused
damaged=$inputs/exact.checkpoint previous=$inputs/exact.old
if [[ -s $damaged ]]; then
	size=$(stat -c %s "$damaged")
	for kind in cut flipped empty gone; do
		cp "$previous" part.csv.checkpoint.old
		case $kind in
		cut) head -c $((size / 2)) "$damaged" >part.csv.checkpoint ;;
		flipped) cp "$damaged" part.csv.checkpoint && flip_bit part.csv.checkpoint $((size / 3)) 3 ;;
		empty) : >part.csv.checkpoint ;;
		gone) rm -f part.csv.checkpoint ;;
		esac
		ok_warned 'part\.csv\.checkpoint is damaged: the run continues from the previous one' "$kind: resumed" \
			sonde "${exact[@]}" --device cpu --quiet -o part.csv --resume
		check "$kind: the same bits" same_numbers exact.csv part.csv
		check "$kind: no checkpoint is left" [ ! -e part.csv.checkpoint -a ! -e part.csv.checkpoint.old ]
		rm -f part.csv
	done
	cp "$damaged" part.csv.checkpoint
	flip_bit part.csv.checkpoint $((size / 3)) 3
	fails 2 'part\.csv\.checkpoint: is damaged' sonde "${exact[@]}" --device cpu -o part.csv --resume
	cp part.csv.checkpoint part.csv.checkpoint.old
	fails 2 'part\.csv\.checkpoint: is damaged' sonde "${exact[@]}" --device cpu -o part.csv --resume
	cp "$damaged" part.csv.checkpoint
	fails 2 "resume: part\.csv\.checkpoint belongs to another job, with 'q = 0\.1:20:700 1/Angstrom'" \
		sonde debye "$inputs/small.xyz" --q 0.1:20:701 --method exact --device cpu -o part.csv --resume
	fails 2 'resume: part\.csv\.checkpoint belongs to another job' \
		sonde debye "$inputs/large.xyz" "${exact[@]:2}" --device cpu -o part.csv --resume
	fails 2 'part\.csv\.checkpoint: .*is not a checkpoint of a picture of sonde pattern' \
		sonde pattern "$inputs/small.xyz" --q 0.1:5:9 --wavelength 1 --method direct --device cpu -o part.csv --resume
	rm -f part.csv.checkpoint*
fi

# a full disk, as a limit of the size of files: the reason, and the earlier checkpoint remains
if [[ -s $damaged && $sanitized == 0 ]]; then
	cp "$damaged" part.csv.checkpoint
	(ulimit -f $((size / 1024 / 2)) && "$program" "${exact[@]}" --device cpu -o part.csv --resume --checkpoint 1e-9) >"$out" 2>"$err"
	code=$?
	check "a full disk: exit code 3, not $code" [ $code = 3 ]
	check "a full disk: $(excerpt "$err")" has_line "$err" '^sonde debye: part\.csv\.checkpoint: cannot be written: File too large'
	check "a full disk: the earlier checkpoint" same_files part.csv.checkpoint "$damaged"
	check "a full disk: nothing else" [ "$(echo part.csv*)" = part.csv.checkpoint ]
fi
finish
