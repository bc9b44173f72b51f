#!/usr/bin/env bash
# Gnuplot is started with the right input and output or not at all. Arguments: the program, a library to be preloaded,
# in which one of the actions that prepare its start fails (tests/fakes/spawn.c).
. "$(dirname "$0")/lib.sh"
mkdir "$inputs/bin"
printf '#!/bin/sh\ntouch "%s/started"\ncat >/dev/null\n' "$inputs" >"$inputs/bin/gnuplot"
chmod +x "$inputs/bin/gnuplot"
export PATH=$inputs/bin:$PATH
for action in init input output errors; do
	# the result is complete and stays; only the picture is missing
	LD_PRELOAD=$2 SPAWN_FAILS=$action "$program" debye "$data/Au2.xyz" --q 1:2:2 -o a.xy --force --plot a.png >"$out" 2>"$err"
	code=$?
	check "$action: exit code $code" [ $code -eq 3 ]
	check "$action: $(cat "$err")" grep -q '^sonde.*gnuplot cannot be started: Cannot allocate memory' "$err"
	check "$action: no picture" [ ! -e a.png ]
	check "$action: gnuplot was not started" [ ! -e "$inputs/started" ]
done
# the stand-in is started where nothing fails; its picture is none
"$program" debye "$data/Au2.xyz" --q 1:2:2 -o b.xy --plot b.png >"$out" 2>"$err"
check "gnuplot is started" [ -e "$inputs/started" ]
finish
