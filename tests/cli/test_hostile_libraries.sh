#!/usr/bin/env bash
# No file of the current folder is loaded or run. Arguments: the program, a library that records that it was loaded
# (tests/fakes/hostile.c).
. "$(dirname "$0")/lib.sh"
. "$here/hostile.sh"
no_hostile "build folder" "$program" "$2"

# how it is looked for: programs of the build folder have no empty or relative folder
if command -v readelf >/dev/null 2>&1; then
	check "run paths" "$here/../../scripts/check_run_paths.sh" "$program" "$(dirname "$program")"
	# the check can fail
	if command -v cc >/dev/null 2>&1; then
		echo 'int main(void) { return 0; }' >"$inputs/main.c"
		for path in '/usr/lib:' ':/usr/lib' '/usr/lib::/lib' lib . '$ORIGINAL/lib'; do
			cc -o "$inputs/program" "$inputs/main.c" "-Wl,-rpath,$path"
			check "run path $path is refused" test -n "$("$here/../../scripts/check_run_paths.sh" "$inputs")"
		done
		cc -o "$inputs/program" "$inputs/main.c" '-Wl,-rpath,$ORIGIN/../lib:/usr/lib'
		check "a good run path is none" "$here/../../scripts/check_run_paths.sh" "$inputs"
	fi
fi
finish
