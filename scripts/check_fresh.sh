#!/bin/sh
# Proves that a clean clone works on a bare machine: creates a minimal Debian 12
# tree, clones the committed state of the repository into it, and runs there,
# as root in a chroot,
#
#     make demo
#     make test
#
#   scripts/check_fresh.sh [REPOSITORY]     (default: the one of this script)
#
# The tree has git, make and ca-certificates beyond debootstrap's minbase, and
# no package lists, as a new container has none.
#
#   SONDE_FRESH_DIR=DIR      folder for the tree (default: TMPDIR, /var/tmp);
#                            about 2 GB, not mounted nodev or noexec
#   SONDE_FRESH_KEEP=1       keep the tree and print its path
#   SONDE_FRESH_MIRROR=URL   Debian mirror (default: the one that this machine's
#                            apt uses for Debian 12, else deb.debian.org)
#
# Exit status: 0 both succeeded, 1 one failed or the tree could not be created,
# 2 wrong usage, 3 root or debootstrap is missing.

set -eu
umask 022

suite=bookworm

# The PATH of a root shell started by su may lack debootstrap and chroot.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

say() {
    echo "fresh: $*"
}

die() {
    echo "fresh: $*" >&2
    exit 1
}

if [ $# -gt 1 ]; then
    echo "usage: check_fresh.sh [REPOSITORY]" >&2
    exit 2
fi

needs=
[ "$(id -u)" -eq 0 ] || needs="root"
for tool in debootstrap git chroot mount; do
    command -v "$tool" >/dev/null 2>&1 || needs="$needs${needs:+, }$tool"
done
if [ -n "$needs" ]; then
    echo "fresh: not run, this check still needs: $needs" >&2
    exit 3
fi

# In a separate mount namespace no mount outlives this script, however it
# ends. Not every container allows one; it is not required.
if [ -z "${SONDE_FRESH_PRIVATE:-}" ] && unshare -m true 2>/dev/null; then
    SONDE_FRESH_PRIVATE=1 exec unshare -m sh "$0" "$@"
fi

repository=${1:-$(dirname "$0")/..}
[ -d "$repository" ] || die "no such directory: $repository"
repository=$(cd "$repository" && pwd)

# /tmp is often a small tmpfs without device files, /var/tmp is neither.
parent=${SONDE_FRESH_DIR:-${TMPDIR:-/var/tmp}}
[ -d "$parent" ] || die "no such directory: $parent"
parent=$(cd "$parent" && pwd -P)
case $parent in
*[[:space:]]*) die "debootstrap cannot work below a name with a space: $parent" ;;
esac
work=$(mktemp -d "$parent/sonde-fresh.XXXXXX")
tree=$work/root

# mounted: the mounts in the tree, the deepest first.
# shellcheck disable=SC2317 # only the trap calls this and the next one
mounted() {
    awk -v top="$tree/" 'index($2, top) == 1 { print $2 }' /proc/self/mounts |
        sort -r
}

# shellcheck disable=SC2317
clean_up() {
    # A process left behind by a target would continue in a removed tree.
    for link in /proc/[0-9]*/root; do
        if [ "$(readlink "$link" 2>/dev/null)" = "$tree" ]; then
            process=${link#/proc/}
            kill -KILL "${process%/root}" 2>/dev/null || true
        fi
    done
    # The second round is for mounts kept busy by a process that is just ending.
    for option in "" -l; do
        mounted | while read -r point; do
            # shellcheck disable=SC2086
            umount $option "$point" 2>/dev/null || true
        done
    done
    if [ -n "$(mounted)" ]; then
        # Removing the tree would delete files in the mounts.
        echo "fresh: cannot unmount all of $tree, left there" >&2
    elif [ "${SONDE_FRESH_KEEP:-}" = 1 ]; then
        say "the tree is kept in $tree"
    else
        rm -rf "$work"
    fi
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# ------------------------------------------------------------ what is tested

# Root may read a repository that belongs to another user. A separate configuration
# allows git to do so here, and excludes the user's settings.
printf '[safe]\n\tdirectory = *\n' >"$work/gitconfig"
export GIT_CONFIG_GLOBAL="$work/gitconfig"

commit=$(git -C "$repository" rev-parse --short --verify HEAD 2>/dev/null) ||
    die "no commit to test in $repository"
if [ -n "$(git -C "$repository" --no-optional-locks status --porcelain)" ]; then
    say "note: changes that are not committed are not tested"
fi

# ---------------------------------------------------- how this machine's apt
# reaches its packages: mirror, apt's Acquire settings, proxies

: >"$work/sources.list"
if [ -n "${SONDE_FRESH_MIRROR:-}" ]; then
    for part in "$suite" "$suite-updates"; do
        echo "deb ${SONDE_FRESH_MIRROR%/} $part main" >>"$work/sources.list"
    done
elif command -v apt-get >/dev/null 2>&1; then
    # apt itself reads both forms of its source files. Only
    # Debian's own suites are used: a bare machine has no
    # third-party repository. debootstrap can fetch only from http and https.
    apt-get indextargets 'Created-By: Packages' 2>/dev/null | awk -v suite="$suite" '
        BEGIN { RS = ""; FS = "\n" }
        {
            uri = release = component = ""
            for (i = 1; i <= NF; i++) {
                if (sub(/^Repo-URI: */, "", $i)) uri = $i
                else if (sub(/^Release: */, "", $i)) release = $i
                else if (sub(/^Component: */, "", $i)) component = $i
            }
            if (uri ~ /^https?:/ && component ~ /^(main|contrib|non-free|non-free-firmware)$/ &&
                (release == suite || release == suite "-updates" || release == suite "-security"))
                print "deb", uri, release, component
        }' | sort -u >"$work/sources.list" || true
fi
mirror=$(awk -v suite="$suite" '$3 == suite && $4 == "main" { print $2; exit }' "$work/sources.list")
if [ -z "$mirror" ]; then
    mirror=http://deb.debian.org/debian
    cat >"$work/sources.list" <<END
deb $mirror $suite main
deb $mirror $suite-updates main
deb $mirror-security $suite-security main
END
fi

# Not the whole configuration: its hooks call programs that the tree does not
# have, and so does a proxy setting that runs a program.
: >"$work/apt.conf"
if command -v apt-config >/dev/null 2>&1; then
    apt-config dump 2>/dev/null | grep -i '^Acquire::' |
        grep -v -i -E '^Acquire::(IndexTargets|Changelogs|CompressionTypes|cdrom)|Proxy-?Auto-?Detect' \
            >"$work/apt.conf" || true
    # debootstrap fetches by itself and gets apt's fixed proxies only from here.
    for scheme in http https; do
        proxy=
        eval "$(apt-config shell proxy "Acquire::$scheme::Proxy")"
        case $proxy in
        "" | DIRECT) ;;
        *) eval "export ${scheme}_proxy=\${${scheme}_proxy:-\$proxy}" ;;
        esac
    done
fi

# ---------------------------------------------------------------- the tree

seconds() {
    date +%s
}

say "creating a bare Debian 12 tree from $mirror"
start=$(seconds)
debootstrap --variant=minbase --include=git,make,ca-certificates \
    "$suite" "$tree" "$mirror" >"$work/debootstrap.log" 2>&1 </dev/null || {
    tail -n 15 "$work/debootstrap.log" | sed 's/^/    /' >&2
    die "debootstrap failed"
}
say "created in $(($(seconds) - start)) s"

rm -f "$tree"/etc/apt/sources.list.d/*
rm -rf "$tree"/var/lib/apt/lists/*
cp "$work/sources.list" "$tree/etc/apt/sources.list"
cp "$work/apt.conf" "$tree/etc/apt/apt.conf.d/80host"
for file in /etc/resolv.conf /etc/hosts; do
    # -L: the first is often a link to a path that the tree does not have.
    [ ! -e "$file" ] || cp -L "$file" "$tree$file"
done
# The files named in apt's settings: certificates and keys of the mirror.
sed -n 's/^[^ ]* "\(\/[^"]*\)";$/\1/p' "$work/apt.conf" | while read -r file; do
    if [ -f "$file" ] && [ ! -e "$tree$file" ]; then
        mkdir -p "$tree${file%/*}"
        cp -L "$file" "$tree$file"
    fi
done

# debootstrap created the device files. The following mounts are used by some
# programs; a container that does not allow them works without.
chmod 1777 "$tree/dev/shm"
mount -t proc proc "$tree/proc" 2>/dev/null || say "note: no /proc in the tree"
# OpenCL drivers identify the processor there
mount -o bind,ro /sys "$tree/sys" 2>/dev/null || say "note: no /sys in the tree"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$tree/dev/pts" 2>/dev/null ||
    say "note: no /dev/pts in the tree"

# inside COMMAND...: runs it in the tree with the environment of a fresh
# login and no input; of this one only the proxies are
# passed on. No make settings of the caller are passed.
inside() {
    for name in http_proxy https_proxy ftp_proxy all_proxy no_proxy \
        HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY; do
        eval "value=\${$name:-}"
        [ -z "$value" ] || set -- "$name=$value" "$@"
    done
    chroot "$tree" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        "$@" </dev/null
}

# A proxy that terminates https has its own certificate, added locally.
for file in /usr/local/share/ca-certificates/*.crt; do
    [ ! -f "$file" ] || cp -L "$file" "$tree/usr/local/share/ca-certificates/"
done
inside update-ca-certificates >/dev/null 2>&1 || say "note: update-ca-certificates failed"

git clone --quiet --no-local "$repository" "$tree/root/sonde" ||
    die "cannot clone $repository"

# ---------------------------------------------------------------- the check

status=0
summary=
for target in demo test; do
    say "make $target, at commit $commit"
    start=$(seconds)
    if inside make -C /root/sonde "$target"; then
        result="ok"
    else
        result="FAILED ($?)"
        status=1
    fi
    summary="$summary$(printf 'fresh: make %-5s %-11s %5d s' "$target" "$result" "$(($(seconds) - start))")
"
done
printf '%s' "$summary"
exit "$status"
