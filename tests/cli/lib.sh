# Helpers of the tests of the whole program. A test sources this file, lists its cases, and ends with `finish`:
#
#   ok "NAME" COMMAND...          the command must exit with 0 and print nothing on stderr
#   fails CODE REGEX COMMAND...   it must exit with CODE (or one that the pattern CODE matches), print one line "sonde...REGEX..." on stderr and nothing on
#                                 stdout, and leave the folder as it was, byte for byte
#   check "NAME" COMMAND...       the command (of bash: a test, a helper) must exit with 0
#   skip "NAME" REASON
#
# The working folder is empty at the start; $inputs is a folder for input files, $data holds tests/data. $out and
# $err are the files with the output of the last command of ok or fails. Needs bash and the coreutils only.
export LC_ALL=C
unset SONDE_ISA OMP_NUM_THREADS

program=${1:-${SONDE:-}}
if [[ -z $program || ! -x $program ]]; then
	echo "usage: $0 PROGRAM (or SONDE=PROGRAM in the environment)" >&2
	exit 1
fi
program=$(realpath "$program")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$(cd "$here/../data" && pwd)
sanitized=${SONDE_SANITIZED:-0}
thorough=${SONDE_THOROUGH:-0} # all cases; otherwise the part that every change has to pass
passed=0 failed=0 skipped=0

scratch=$(mktemp -d "${TMPDIR:-/tmp}/sonde-test-XXXXXX") || exit 1
inputs=$scratch/inputs out=$scratch/stdout err=$scratch/stderr
mkdir "$inputs" "$scratch/work" && cd "$scratch/work" || exit 1

if [[ $sanitized == 1 ]]; then
	cp "$here/../sanitizers/drivers.suppressions" "$scratch/suppressions"
	export LSAN_OPTIONS=suppressions=$scratch/suppressions:print_suppressions=0
fi

# Additional cleanup at the end of a test, which may define its own.
at_end() { :; }
clean_up() {
	at_end
	cd / && rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# The program, with a time limit.
sonde() { timeout -k 5 100 "$program" "$@"; }

pass() { passed=$((passed + 1)); }
fail() { # NAME REASON
	failed=$((failed + 1))
	printf 'FAILED %s: %s: %s\n' "${0##*/}" "$1" "$2"
}
skip() { # NAME REASON
	skipped=$((skipped + 1))
	printf 'skipped %s: %s: %s\n' "${0##*/}" "$1" "$2"
}

finish() {
	printf '%d passed, %d failed' "$passed" "$failed"
	((skipped == 0)) || printf ', %d skipped' "$skipped"
	printf '\n'
	((failed == 0))
	exit
}

# Names, kinds and contents of everything in the working folder.
snapshot() {
	local name files=()
	shopt -s dotglob nullglob globstar
	for name in **; do
		if [[ -f $name && ! -L $name ]]; then
			files+=("./$name")
		elif [[ -L $name ]]; then
			readlink "$name"
		fi
		printf '%s\n' "$name"
	done
	shopt -u dotglob nullglob globstar
	((${#files[@]} == 0)) || cksum "${files[@]}" 2>&1
}

# The content of a file, short enough for a report.
excerpt() { # FILE
	local text
	text=$(head -c 600 "$1" | tr '\n\000' '|?')
	printf '%s' "${text:-(nothing)}"
}

# Whether $err is one line that begins with "sonde" and matches.
one_line() { # REGEX
	local lines=()
	mapfile lines <"$err" # with the end of the line
	((${#lines[@]} == 1)) && [[ ${lines[0]} == sonde*$'\n' && ${lines[0]%$'\n'} =~ $1 ]]
}

ok() { # NAME COMMAND...
	local name=$1 code
	shift
	"$@" >"$out" 2>"$err" </dev/null
	code=$?
	if ((code != 0)); then
		fail "$name" "exit code $code instead of 0; stderr: $(excerpt "$err")"
	elif [[ -s $err ]]; then
		fail "$name" "stderr: $(excerpt "$err")"
	else
		pass
		return 0
	fi
	return 1
}

# The same of a command with one or more warnings, of which each has the words.
ok_warned() { # REGEX NAME COMMAND...
	local regex=$1 name=$2 code
	shift 2
	"$@" >"$out" 2>"$err" </dev/null
	code=$?
	if ((code != 0)); then
		fail "$name" "exit code $code instead of 0; stderr: $(excerpt "$err")"
	elif [[ ! -s $err ]] || grep -vqE -e "^sonde: warning: .*($regex)" "$err"; then
		fail "$name" "stderr: $(excerpt "$err")"
	else
		pass
		return 0
	fi
	return 1
}

# The rows of a monitor of sonde fdtd in a table, with commas: its own columns and those that it has in common with others of its table.
monitor_table() { # FILE NAME
	awk -v name="$2" '
		/^# monitors? / {many = $2 == "monitors"; on = !many && $3 == name ":"; columns = own = 0; next}
		many && !columns {
			csv = !/^# /
			sub(/^# /, "")
			columns = split($0, head, csv ? "," : "  ")
			for (k = 1; k <= columns; ++k) {
				mine[k] = index(head[k], name "_") == 1
				own += mine[k]
				mine[k] += k == 1 || head[k] ~ /^wavelength/
			}
			next
		}
		!/^[-+0-9.]/ {next}
		many && own {
			split($0, value, csv ? "," : " ")
			line = value[1]
			for (k = 2; k <= columns; ++k) line = line (mine[k] ? "," value[k] : "")
			print line
		}
		on {gsub(/ /, ","); print}' "$1"
}

# Removes what a command left behind that should have left nothing, lest the next cases suffer.
remove_new() { # SNAPSHOT
	local name
	for name in * .[!.]*; do
		[[ $'\n'$1$'\n' == *$'\n'"$name"$'\n'* ]] || rm -rf -- "$name"
	done
}

fails() { # CODE REGEX COMMAND...
	local wanted=$1 regex=$2 before after code name
	shift 2
	name="$*"
	name=${name//"$scratch"/SCRATCH}
	before=$(snapshot)
	"$@" >"$out" 2>"$err" </dev/null
	code=$?
	after=$(snapshot)
	if [[ $code != $wanted ]]; then # a pattern, as [23]
		fail "${name:0:300}" "exit code $code instead of $wanted; stderr: $(excerpt "$err")"
	elif ! one_line "$regex"; then
		fail "${name:0:300}" "stderr is not one line 'sonde...' with '$regex': $(excerpt "$err")"
	elif [[ -s $out ]]; then
		fail "${name:0:300}" "stdout: $(excerpt "$out")"
	elif [[ $before != "$after" ]]; then
		fail "${name:0:300}" "the folder has changed: $(tr '\n' ' ' <<<"$after")"
	else
		pass
	fi
	[[ $before == "$after" ]] || remove_new "$before"
}

# Stops a run by SIGNAL on its way: after half a second, and later where it had not begun by then, as under sanitizers on a
# busy machine. False when it was done before.
stopped_with() { # CHECKPOINT SIGNAL COMMAND...
	local wait code
	for wait in 0.5 1 2 4 8; do
		timeout --preserve-status -k 60 -s "$2" $wait "${@:3}" >"$out" 2>"$err"
		code=$?
		[[ ! -s $1 ]] || return 0
		((code == 130)) || return 1
	done
	fail "stopped after $wait s" "there is no $1; stderr: $(excerpt "$err")"
	return 1
}

check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then
		pass
	else
		fail "$name" "$* is false"
	fi
}

# Conditions for check.
contains() { { [[ $(<"$1") == *"$2"* ]]; } 2>/dev/null; } # FILE TEXT; bash warns of the bytes 0 that it drops
lacks() { { [[ $(<"$1") != *"$2"* ]]; } 2>/dev/null; }    # FILE TEXT
has_line() {                                         # FILE REGEX
	local line
	while IFS= read -r line || [[ -n $line ]]; do
		[[ $line =~ $2 ]] && return 0
	done <"$1"
	return 1
}
begins_with_bytes() { # FILE HEX
	[[ $(head -c $((${#2} / 2)) "$1" | od -An -v -tx1 | tr -d ' \n') == "$2" ]]
}
is_hdf5() { begins_with_bytes "$1" 894844460d0a1a0a; }
is_png() { begins_with_bytes "$1" 89504e470d0a1a0a; }
is_empty() { [[ ! -s $1 ]]; }
no_leftovers() { [[ -z $(compgen -G '*.part-*') ]]; }
same_files() { cmp -s "$1" "$2"; }

# Turns one bit of a file round.
flip_bit() { # FILE BYTE BIT
	local byte
	byte=$(od -An -tu1 -j "$2" -N 1 "$1")
	printf "\\x$(printf %x $((byte ^ (1 << $3))))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# A number as an integer of 10^-9.
fixed_point() { # NUMBER
	local text
	printf -v text '%.9f' "$1"
	text=${text/./}
	local sign=${text%%[0-9]*}
	text=${text#-}
	text=${text#"${text%%[!0]*}"}
	printf '%s' "$sign${text:-0}"
}
# |A - B| <= TOLERANCE
near() { # A B TOLERANCE
	local a b tolerance difference
	a=$(fixed_point "$1") b=$(fixed_point "$2") tolerance=$(fixed_point "$3")
	difference=$((a - b))
	((${difference#-} <= tolerance))
}

# The numbers of a table whose lines of comment begin with '#': `row FILE K` sets the array `row` to the K-th row from
# 0, `rows FILE` prints how many there are.
row() { # FILE K
	local line k=0
	row=()
	while IFS= read -r line; do
		[[ $line == '#'* || ! $line =~ ^[-+0-9.] ]] && continue
		if ((k++ == $2)); then
			IFS=', ' read -ra row <<<"$line"
			return 0
		fi
	done <"$1"
	return 1
}
rows() { # FILE
	local line k=0
	while IFS= read -r line; do
		[[ $line == '#'* || ! $line =~ ^[-+0-9.] ]] || k=$((k + 1))
	done <"$1"
	printf '%d' "$k"
}

# An object of JSON, as the program prints them in summaries: members are plain values, lists of these, flat objects, or
# lists of objects (ranks) with lists of objects (their devices).
json_string='"([^"\\]|\\["\\/bfnrtu])*"'
json_number='-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?'
json_scalar="($json_string|$json_number|true|false|null)"
json_flat="$json_string: $json_scalar"
json_plain="$json_scalar|\\[($json_scalar(, $json_scalar)*)?\\]|\\{$json_flat(, $json_flat)*\\}"
json_device="\\{$json_flat(, $json_flat)*\\}"
json_member="$json_string: ($json_plain|\\[$json_device(, $json_device)*\\])"
json_rank="\\{$json_member(, $json_member)*\\}"
json_pair="$json_string: ($json_plain|\\[$json_rank(, $json_rank)*\\])"
is_json() { [[ $1 =~ ^\{$json_pair(, $json_pair)*\}$ ]]; } # LINE

# An error as JSON in the words for people; other lines as they are.
plain_error() { # LINE
	if [[ $1 =~ ^\{\"command\":\ \"([a-z]+)\",\ \"error\":\ .*\"message\":\ ($json_string).*\}\}$ ]]; then
		local message=${BASH_REMATCH[2]}
		printf 'sonde %s: %s\n' "${BASH_REMATCH[1]}" "${message:1:-1}"
	else
		printf '%s\n' "$1"
	fi
}

# Small samples that every test may use.
make_xyz() { # FILE LINE... : atoms, one per line
	local file=$1
	shift
	{
		printf '%d\ncomment\n' $#
		printf '%s\n' "$@"
	} >"$file"
}
