#!/bin/bash
# Installs the packages of `make package` on fresh systems: the .deb packages on a minimal one of this machine's Debian, where
# programs are run, the library is linked in four ways and everything is removed again; the archive there and on others.
#     scripts/check_deb.sh FOLDER
# SONDE_DEB_OTHERS   further Debian suites on which the archive is run (default: none), e.g. trixie
# SONDE_DEB_DIR      folder for the systems (default: TMPDIR, /var/tmp; 1.5 GB), removed at the end
# SONDE_DEB_MIRROR   Debian's mirror (default: that of this machine's apt, else deb.debian.org)
# Exit status: 0 success, 1 failure, 2 wrong usage, 3 this needs root, Debian or debootstrap.
set -eu
umask 022
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
[ $# -eq 1 ] && [ -d "$1" ] || {
	echo "usage: check_deb.sh FOLDER" >&2
	exit 2
}
. /etc/os-release
for need in debootstrap unshare dpkg-deb; do
	command -v $need >/dev/null 2>&1 || missing="${missing:+$missing, }$need"
done
[ "$ID" = debian ] || missing="${missing:+$missing, }Debian"
[ "$(id -u)" -eq 0 ] || missing="${missing:+$missing, }root"
[ -z "${missing:-}" ] || {
	echo "deb: not run, this check still needs: $missing" >&2
	exit 3
}
# mounts in the tree end with this script
if [ -z "${SONDE_DEB_PRIVATE:-}" ]; then
	SONDE_DEB_PRIVATE=1 exec unshare -m bash "$0" "$@"
fi
folder=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${SONDE_DEB_DIR:-${TMPDIR:-/var/tmp}}/sonde-deb.XXXXXX")
trap 'umount "$work"/*/proc 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM
mirror=${SONDE_DEB_MIRROR:-$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
	awk -v suite="$VERSION_CODENAME" '$2 == suite && /debian/ { print $1; exit }')}
mirror=${mirror:-http://deb.debian.org/debian}
failed=0
fail() {
	echo "deb: $1"
	failed=1
}

# bare SUITE: a minimal system in $work/SUITE
bare() {
	local tree=$work/$1
	debootstrap --variant=minbase "$1" "$tree" "$mirror" >"$work/log" 2>&1 </dev/null || {
		tail -n 5 "$work/log" >&2
		echo "deb: debootstrap of $1 failed" >&2
		exit 1
	}
	mount -t proc proc "$tree/proc"
	cp -L /etc/resolv.conf /etc/hosts "$tree/etc/"
	mkdir "$tree/packages" "$tree/jobs"
	cp "$folder"/*.deb "$folder"/sonde-[0-9]*.tar.gz "$tree/packages/"
	cp "$top/examples/mie_sphere/job.yaml" "$top/examples/coo_sphere/coo.yaml" "$top/tests/cli/user.c" "$tree/jobs/"
}
# inside SUITE COMMAND...: with the environment of a fresh login, and this machine's proxies
inside() {
	local tree=$work/$1
	shift
	chroot "$tree" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@" </dev/null >"$work/log" 2>&1
}
# must SUITE WHAT COMMAND: a shell command that must succeed
must() {
	inside "$1" sh -ec "$3" && echo "deb: $1: $2: ok" || {
		fail "$1: $2"
		tail -n 8 "$work/log" | sed 's/^/    /'
	}
}

suite=$VERSION_CODENAME
for system in $suite ${SONDE_DEB_OTHERS:-}; do
	bare "$system"
	must "$system" "the archive on $system" 'tar -xzf /packages/sonde-*.tar.gz -C /root; cd /root; here=$(echo /root/sonde-*/bin/sonde)
		$here --version; $here fdtd /jobs/job.yaml --time 5fs --until 0 -o a.csv; $here build --cell fcc --species Au --a 4.08 --sphere 8 -o a.xyz
		$here debye a.xyz --q 1:5:10 --device cpu -o a.h5; $here info a.h5; cd /; rm -r /root/sonde-* /root/a.*'
	[ "$system" = "$suite" ] || umount "$work/$system/proc"
done

everything='find / -xdev \( -path /proc -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log -o -path /tmp -o -path /root -o -path /packages -o -path /jobs \) -prune -o -print | sort'
must $suite "tools for users" 'apt-get update; apt-get install -y --no-install-recommends gcc libc6-dev cmake make pkg-config man-db bash-completion'
# dependencies stay installed, as with dpkg: they are installed before the list is made
must $suite "what is recommended and depended on" "apt-get install -y /packages/sonde_*.deb /packages/libsonde-dev_*.deb
	apt-get purge -y sonde libsonde-dev; rm -rf /var/cache/fontconfig; $everything >/root/before"
must $suite "apt-get install" 'apt-get install -y /packages/sonde_*.deb /packages/libsonde-dev_*.deb; ldconfig -p | grep -F libsonde.so.0'
must $suite "programs run, a debye and an fdtd job" 'cd /root; sonde --version; sonde debye /jobs/coo.yaml --device cpu; sonde fdtd /jobs/job.yaml --time 5fs --until 0 -o a.csv
	sonde info coo.h5; test -s coo.png; test -s a.csv'
must $suite "manual pages" 'for command in "" $(sonde --help | sed -nE "/^usage/,/--help/s/^  ([a-z]+) .*/\1/p" | grep -vx -e help -e sonde); do
		man -P cat sonde${command:+-$command} | grep -q NAME; done'
must $suite "completion in bash" 'echo "complete -p sonde 2>/dev/null || { . /usr/share/bash-completion/bash_completion; _completion_loader sonde; }; complete -p sonde" >/root/c; bash --norc /root/c'
must $suite "tables only with their package" 'ask="sonde stopping --ion He --target Si --energies 1MeV --stopping dpass21"
	if $ask; then exit 1; fi; apt-get install -y /packages/sonde-noncommercial-data_*.deb; $ask; $ask --stopping srim13'
must $suite "pkg-config, shared" 'cd /root; cc -o shared /jobs/user.c $(pkg-config --cflags --libs sonde); ./shared >shared.out'
must $suite "pkg-config, static" 'cd /root; libs=$(pkg-config --static --libs sonde | sed "s/-lsonde /-l:libsonde.a /"); cc -o static /jobs/user.c $(pkg-config --cflags sonde) $libs
	if ldd static | grep libsonde; then exit 1; fi; ./static | cmp - shared.out'
must $suite "find_package" 'mkdir /root/project; cd /root/project; cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.18)
project(user C)
find_package(sonde REQUIRED COMPONENTS shared static)
add_executable(shared /jobs/user.c)
target_link_libraries(shared PRIVATE sonde::sonde)
add_executable(static /jobs/user.c)
target_link_libraries(static PRIVATE sonde::sonde_static)
END
	cmake -S . -B b; cmake --build b; b/shared | cmp - ../shared.out; b/static | cmp - ../shared.out'
must $suite "purge leaves nothing" "apt-get purge -y sonde libsonde-dev sonde-noncommercial-data; $everything >/root/after; diff /root/before /root/after
	if ldconfig -p | grep libsonde; then exit 1; fi; if dpkg -l | grep sonde; then exit 1; fi"
umount "$work/$suite/proc"
if command -v lintian >/dev/null 2>&1; then
	# the address is a placeholder
	found=$(lintian --fail-on none "$folder"/*.deb 2>/dev/null | grep '^E:' | grep -v bogus-mail-host || true)
	[ -z "$found" ] || fail "lintian: $found"
fi
exit $failed
