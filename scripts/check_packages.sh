#!/bin/bash
# Tests the packages of `make package` as on a bare machine: unpacks them, and runs the program with an empty
# environment.
#     scripts/check_packages.sh FOLDER
# Archives must need only the C library and carry a short list of libraries, .deb packages only their declared
# dependencies, each with the licenses of all carried and compiled-in parts, and libsonde.so must be in a package
# that meets its dependencies. If chroot is allowed, the archive also runs in a tree with only the C library and a shell.
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
# the C library is the machine's; all others must come from the archive
others=$(env -i ldd "$program" | awk '$3 ~ /^\// { print $3 }' | grep -v -E "^$work/|/(lib(c|m|dl|rt|pthread|resolv|util))\.so" || true)
[ -z "$others" ] || fail "$(basename "$archive"): uses libraries of the machine: $others"
"$top/scripts/check_run_paths.sh" "$prefix" || fail "$(basename "$archive"): run paths"
# Carried libraries: this list, or, if HDF5 is not compiled in, also the distribution's HDF5 and its dependencies.
carried=$(find "$prefix/lib" -name '*.so*' ! -name 'libsonde*' -printf '%f\n' | sort)
usual='^lib(yaml-0|png16|z|stdc\+\+|gcc_s)\.so\.[0-9.]+$'
hdf5_inside=yes
! echo "$carried" | grep -q '^libhdf5' || hdf5_inside=
if [ -n "$hdf5_inside" ]; then
	more=$(echo "$carried" | grep -v -E "$usual" || true)
	[ -z "$more" ] || fail "$(basename "$archive"): carries more than libyaml, libpng, zlib, libstdc++, libgcc: ${more//$'\n'/ }"
else
	echo "$(basename "$archive"): note: carries the distribution's HDF5 and its dependencies"
fi
# licenses FILE|FOLDER NAME WORDS...: each of the words is found there
licenses() {
	local what=$1 name=$2 word
	shift 2
	for word; do
		grep -q -r -F "$word" "$what" 2>/dev/null || fail "$name: has no license with '$word'"
	done
}
hdf5='The HDF Group'
licenses "$prefix/share/doc/sonde" "$(basename "$archive")" 'Sonde developers' 'Mozilla Public License' "$hdf5" 'Simonov' 'Glenn Randers-Pehrson' 'Jean-loup Gailly' \
	'GCC Runtime Library Exception'

# libsonde.so: in this archive if all its dependencies are, too, and otherwise in the developers'
developers=$(ls "$folder"/libsonde-dev-*.tar.gz | head -1)
mkdir "$work/developers"
tar -xzf "$developers" -C "$work/developers"
licenses "$work/developers"/*/share/doc/sonde "$(basename "$developers")" 'Sonde developers' 'Mozilla Public License'
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | grep -v -E '^(ld-linux.*|lib(c|m|dl|rt|pthread))\.so'; }
library=$(find "$work/archive" "$work/developers" -type f -name 'libsonde.so*')
case $library in
*'
'* | '') fail "libsonde.so is in none of the archives, or in two: $(echo $library)" ;;
*)
	lacks=
	for name in $(needed "$library"); do
		echo "$carried" | grep -qxF "$name" || lacks="$lacks $name"
	done
	case $library in
	"$work"/archive/*) [ -z "$lacks" ] || fail "$(basename "$archive"): has libsonde.so, but not its dependencies:$lacks" ;;
	*) [ -n "$lacks" ] || fail "$(basename "$developers"): has libsonde.so, which could be in $(basename "$archive")" ;;
	esac
	;;
esac
printf '%s: %s, %s libraries carried, %s unpacked\n' "$(basename "$archive")" "$(du -h "$archive" | cut -f1)" \
	"$(find "$prefix/lib" -name '*.so*' ! -name 'libsonde*' | wc -l)" "$(du -sh "$prefix" | cut -f1)"

# a tree with only the C library
if [ "$(id -u)" -eq 0 ]; then
	for file in $(ldd /bin/sh | grep -oE '/[^ ]+') $(env -i ldd "$program" | grep -oE '/[^ ]*/(ld-linux[^/ ]*|lib(c|m|dl|rt|pthread|resolv|util)\.so[.0-9]*)'); do
		mkdir -p "$work/bare$(dirname "$file")"
		cp -L "$file" "$work/bare$file"
	done
	cp -r "$prefix" "$work/bare/sonde"
	cp "$top/tests/data/Au2.xyz" "$work/bare/"
	mkdir "$work/bare/proc"
	# the loader finds the program's folder in /proc
	if ! unshare -m true 2>/dev/null; then
		echo "$(basename "$archive"): not run in a bare tree, mounts are not allowed here"
	elif unshare -m sh -c 'mount -t proc proc "$1/proc" && chroot "$1" /sonde/bin/sonde debye /Au2.xyz --q 1:2:2 --device cpu -o /a.h5' \
		sh "$work/bare" >/dev/null; then
		echo "$(basename "$archive"): runs with only the C library"
	else
		fail "$(basename "$archive"): does not run in a bare tree"
	fi
fi

if command -v dpkg-deb >/dev/null 2>&1; then
	for deb in "$folder"/*.deb; do
		printf '%s: %s; depends: %s\n' "$(basename "$deb")" "$(du -h "$deb" | cut -f1)" "$(dpkg-deb -f "$deb" Depends)"
	done
	for deb in "$folder"/*.deb; do
		name=$(dpkg-deb -f "$deb" Package)
		dpkg-deb -x "$deb" "$work/deb/$name"
		doc=$work/deb/$name/usr/share/doc/$name
		[ -f "$doc/changelog.gz" ] || fail "$(basename "$deb"): has no changelog"
		case $name in
		sonde) licenses "$doc/copyright" "$(basename "$deb")" 'Sonde developers' 'Mozilla Public License' ${hdf5_inside:+"$hdf5"} ;;
		libsonde-dev) licenses "$doc/copyright" "$(basename "$deb")" 'Sonde developers' 'Mozilla Public License' ;;
		sonde-mpi) licenses "$doc/copyright" "$(basename "$deb")" 'Sonde developers' ;;
		*) licenses "$doc/copyright" "$(basename "$deb")" 'SRIM-2013' 'DPASS' ;;
		esac
	done
	deb=$(ls "$folder"/sonde_*.deb | head -1)
	env -i "$work/deb/sonde/usr/bin/sonde" --version >/dev/null || fail "$(basename "$deb"): does not run"
	dpkg-deb -f "$deb" Depends | grep -q libc6 || fail "$(basename "$deb"): names no dependencies"
	[ -n "$(find "$work/deb/sonde" -type f -name 'libsonde.so.*')" ] || fail "$(basename "$deb"): has no libsonde.so"
	dpkg-deb -I "$deb" shlibs | grep -q '^libsonde ' || fail "$(basename "$deb"): does not declare the dependency on libsonde.so"
	# no file is in two packages
	twice=$(for deb in "$folder"/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -t; done | grep -v '/$' | sort | uniq -d)
	[ -z "$twice" ] || fail "in two .deb packages: $twice"
fi
exit $failed
