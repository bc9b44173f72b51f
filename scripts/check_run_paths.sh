#!/bin/sh
# Checks the search paths of programs and libraries (RPATH, RUNPATH): absolute folders, or $ORIGIN. The dynamic loader takes
# an empty or relative element for the current folder, and runs libraries from there.
#     scripts/check_run_paths.sh FILE|FOLDER...
set -eu
[ $# -gt 0 ] || {
	echo "usage: check_run_paths.sh FILE|FOLDER..." >&2
	exit 2
}
command -v readelf >/dev/null 2>&1 || {
	echo "check_run_paths.sh: needs readelf (binutils)" >&2
	exit 3
}
# one call of readelf for many files: it names files only if there are several
find "$@" -type f \( -perm -u+x -o -name '*.so' -o -name '*.so.*' \) ! -path '*/CMakeFiles/*' -print0 |
	xargs -0 -r readelf -d /dev/null 2>/dev/null |
	awk '
		/^File: / { file = substr($0, 7) }
		/\((RPATH|RUNPATH)\)/ {
			path = $0
			sub(/^[^[]*\[/, "", path)
			sub(/\]$/, "", path)
			count = split(path, folders, ":")
			wrong = count == 0
			for (k = 1; k <= count; ++k)
				wrong = wrong || folders[k] !~ /^(\/|\$ORIGIN(\/|$)|\$\{ORIGIN\}(\/|$))/
			if (wrong) {
				print file ": searches for libraries in the current folder: [" path "]"
				failed = 1
			}
		}
		END { exit failed }'
