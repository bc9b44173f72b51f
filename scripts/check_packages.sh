#!/bin/bash
# Looks at the packages of `make package` as a bare machine would: unpacks them, and runs the program with an empty
# environment.
#     scripts/check_packages.sh FOLDER
# Archives must need nothing but the C library, .deb packages what they say. Where chroot is allowed, the archive also runs in a
# tree that has nothing but the C library and a shell.
set -eu
folder=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
	echo "package: $1"
	failed=1
}

archive=$(ls "$folder"/sonde-[0-9]*.tar.gz | head -1)
mkdir "$work/archive" "$work/deb" "$work/bare"
tar -xzf "$archive" -C "$work/archive"
program=$(echo "$work"/archive/*/bin/sonde)
prefix=$(dirname "$(dirname "$program")")
env -i "$program" --version || fail "$(basename "$archive"): does not run"
# the C library's are the machine's; all others must come from the archive
others=$(env -i ldd "$program" | awk '$3 ~ /^\// { print $3 }' | grep -v -E "^$work/|/(lib(c|m|dl|rt|pthread|resolv|util))\.so" || true)
[ -z "$others" ] || fail "$(basename "$archive"): takes from the machine: $others"
"$top/scripts/check_run_paths.sh" "$prefix" || fail "$(basename "$archive"): run paths"
for library in "$prefix"/lib/*.so*; do
	case $(basename "$library") in libsonde.so*) ;; *) carried=yes ;; esac
done
[ -z "${carried:-}" ] || [ -n "$(ls "$prefix"/share/doc/sonde/licenses)" ] || fail "$(basename "$archive"): carries libraries without licences"
printf '%s: %s, %s libraries carried, %s unpacked\n' "$(basename "$archive")" "$(du -h "$archive" | cut -f1)" \
	"$(find "$prefix/lib" -name '*.so*' ! -name 'libsonde*' | wc -l)" "$(du -sh "$prefix" | cut -f1)"

# a tree with nothing but the C library
if [ "$(id -u)" -eq 0 ]; then
	for file in $(ldd /bin/sh | grep -oE '/[^ ]+') $(env -i ldd "$program" | grep -oE '/[^ ]*/(ld-linux[^/ ]*|lib(c|m|dl|rt|pthread|resolv|util)\.so[.0-9]*)'); do
		mkdir -p "$work/bare$(dirname "$file")"
		cp -L "$file" "$work/bare$file"
	done
	cp -r "$prefix" "$work/bare/sonde"
	cp "$top/tests/data/Au2.xyz" "$work/bare/"
	mkdir "$work/bare/proc"
	# the loader learns from /proc where the program lies
	if ! unshare -m true 2>/dev/null; then
		echo "$(basename "$archive"): not run in a bare tree, mounts are not allowed here"
	elif unshare -m sh -c 'mount -t proc proc "$1/proc" && chroot "$1" /sonde/bin/sonde debye /Au2.xyz --q 1:2:2 --device cpu -o /a.h5' \
		sh "$work/bare" >/dev/null; then
		echo "$(basename "$archive"): runs beside nothing but the C library"
	else
		fail "$(basename "$archive"): does not run in a bare tree"
	fi
fi

if command -v dpkg-deb >/dev/null 2>&1; then
	for deb in "$folder"/*.deb; do
		printf '%s: %s; depends: %s\n' "$(basename "$deb")" "$(du -h "$deb" | cut -f1)" "$(dpkg-deb -f "$deb" Depends)"
	done
	deb=$(ls "$folder"/sonde_*.deb | head -1)
	dpkg-deb -x "$deb" "$work/deb"
	env -i "$work/deb/usr/bin/sonde" --version || fail "$(basename "$deb"): does not run"
	dpkg-deb -f "$deb" Depends | grep -q libc6 || fail "$(basename "$deb"): names no dependencies"
fi
exit $failed
