#!/bin/sh
# Where programs and libraries look for others (RPATH, RUNPATH): absolute folders, or $ORIGIN. An empty or relative element
# is the current folder for the dynamic loader, which then runs what lies there.
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
# one call of readelf for many files: it names each only if there are several
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
				print file ": looks for libraries in the current folder: [" path "]"
				failed = 1
			}
		}
		END { exit failed }'
