#!/bin/sh
# Checks the dependencies of Sonde and, if allowed, installs missing ones.
#
#   scripts/deps.sh [--run|--demo|--all]      (--all when nothing is given)
#
#   --run    dependencies of the build: C compiler, CMake, Ninja, HDF5, libyaml, ...
#   --demo   the same
#   --all    the same, and those of the tests and the lint targets
#
# It checks first and calls no package manager when nothing is missing.
# Exit status: 0 complete, 2 wrong usage, 3 something is (still) missing.

set -eu

usage() {
    echo "usage: deps.sh [--run|--demo|--all]"
}

group=all
case $# in
0) ;;
1)
    case $1 in
    --run) group=run ;;
    --demo) group=demo ;;
    --all) group=all ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    ;;
*)
    usage >&2
    exit 2
    ;;
esac

# The items of each group, in the order in which they are reported.
wanted="cc cxx make cmake ninja pkgconf hdf5 yaml zlib png cairo eigen"
[ "$group" != all ] || wanted="$wanted gnuplot cmocka clang fuzzer clangformat clangtidy cppcheck ccache opencl python"
# Only Debian's family has these as packages; tests that need them report when they are missing.
[ "$group" != all ] || ! command -v apt-get >/dev/null 2>&1 || wanted="$wanted oclgrind gemmi mpi sphinx"

tmp=$(mktemp -d "${TMPDIR:-/tmp}/sonde-deps.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# ---------------------------------------------------------------- the table

# describe ITEM: its name for people and in each package system.
# An empty name: that system has it in a package named for another item.
describe() {
    case $1 in
    cc)
        label="C compiler"
        # gcc only recommends the C library's headers, so they are named, too.
        apt="gcc libc6-dev" dnf=gcc pacman=gcc conda=c-compiler
        ;;
    cxx) label="C++ compiler" apt=g++ dnf=gcc-c++ pacman=gcc conda=cxx-compiler ;;
    make) label="make" apt=make dnf=make pacman=make conda=make ;;
    cmake) label="CMake" apt=cmake dnf=cmake pacman=cmake conda=cmake ;;
    ninja) label="Ninja" apt=ninja-build dnf=ninja-build pacman=ninja conda=ninja ;;
    pkgconf) label="pkg-config" apt=pkg-config dnf=pkgconf-pkg-config pacman=pkgconf conda=pkg-config ;;
    hdf5) label="HDF5" apt=libhdf5-dev dnf=hdf5-devel pacman=hdf5 conda=hdf5 ;;
    yaml) label="libyaml" apt=libyaml-dev dnf=libyaml-devel pacman=libyaml conda=yaml ;;
    zlib) label="zlib" apt=zlib1g-dev dnf=zlib-devel pacman=zlib conda=zlib ;;
    png) label="libpng" apt=libpng-dev dnf=libpng-devel pacman=libpng conda=libpng ;;
    cairo) label="cairo" apt=libcairo2-dev dnf=cairo-devel pacman=cairo conda=cairo ;;
    eigen) label="Eigen" apt=libeigen3-dev dnf=eigen3-devel pacman=eigen conda=eigen ;;
    gnuplot) label="gnuplot" apt=gnuplot-nox dnf=gnuplot pacman=gnuplot conda=gnuplot ;;
    cmocka) label="cmocka" apt=libcmocka-dev dnf=libcmocka-devel pacman=cmocka conda=cmocka ;;
    clang) label="clang" apt=clang dnf=clang pacman=clang conda=clang ;;
    fuzzer)
        label="clang's sanitizers and libFuzzer"
        apt=$(fuzzer_package) dnf=compiler-rt pacman=compiler-rt conda=compiler-rt
        ;;
    clangformat) label="clang-format" apt=clang-format dnf=clang-tools-extra pacman=clang conda=clang-tools ;;
    clangtidy) label="clang-tidy" apt=clang-tidy dnf=clang-tools-extra pacman=clang conda=clang-tools ;;
    opencl)
        label="OpenCL for CPUs (PoCL)"
        apt="ocl-icd-libopencl1 pocl-opencl-icd" dnf="ocl-icd pocl" pacman="ocl-icd pocl" conda="ocl-icd pocl"
        ;;
    mpi) label="MPI" apt="libopenmpi-dev openmpi-bin" dnf='' pacman='' conda='' ;;
    # the documentation as a site (scripts/site.py)
    sphinx) label="Sphinx" apt="python3-sphinx furo python3-myst-parser" dnf='' pacman='' conda='' ;;
    gemmi) label="gemmi" apt="gemmi-dev tao-pegtl-dev" dnf='' pacman='' conda='' ;;
    python)
        label="Python 3.10 with cffi, NumPy, xarray, pytest, venv"
        apt="python3 python3-venv python3-cffi python3-numpy python3-xarray python3-pytest python3-yaml python3-matplotlib"
        dnf="python3 python3-cffi python3-numpy python3-xarray python3-pytest python3-pyyaml"
        pacman="python python-cffi python-numpy python-xarray python-pytest python-yaml"
        conda="python cffi numpy xarray pytest pyyaml"
        ;;
    oclgrind) label="Oclgrind" apt=oclgrind dnf='' pacman='' conda='' ;;
    ccache) label="ccache" apt=ccache dnf=ccache pacman=ccache conda=ccache ;;
    cppcheck) label="cppcheck" apt=cppcheck dnf=cppcheck pacman=cppcheck conda=cppcheck ;;
    esac
}

# has_candidate PACKAGE: apt's present lists contain a version of it.
has_candidate() {
    command -v apt-cache >/dev/null 2>&1 &&
        LC_ALL=C apt-cache policy "$1" 2>/dev/null |
        grep -q '^ *Candidate: [^(]'
}

# Debian keeps libFuzzer in a package per clang version. The unversioned name
# matches the unversioned clang; a clang of another version needs its own.
fuzzer_package() {
    version=$(clang -dumpversion 2>/dev/null | sed 's/\..*//') || version=
    if [ -n "$version" ] && has_candidate "libclang-rt-$version-dev"; then
        echo "libclang-rt-$version-dev"
    else
        echo libclang-rt-dev
    fi
}

# Adds the words of $2 to the list $1, each once.
merge() {
    merged=$1
    for word in $2; do
        case " $merged " in
        *" $word "*) ;;
        *) merged="$merged${merged:+ }$word" ;;
        esac
    done
    echo "$merged"
}

# ---------------------------------------------------------------- the probes

# Each probe does on a small scale what the build does later, since
# an existing file may be unusable. It only compiles and links;
# nothing is run from the temporary directory, which may be mounted noexec.

# links FLAGS...: the program in $tmp/probe.c compiles and links with them.
links() {
    # $cc and the flag variables may hold several words.
    # shellcheck disable=SC2086
    $cc ${CFLAGS:-} -o "$tmp/probe" "$tmp/probe.c" "$@" ${LDFLAGS:-} \
        </dev/null >/dev/null 2>&1
}

# finds_compiler: sets $cc, by CMake's rule: $CC if set, else the usual names.
finds_compiler() {
    echo 'int main(void) { return 0; }' >"$tmp/probe.c"
    if [ -n "${CC:-}" ]; then
        cc=$CC
        links -std=c11
        return
    fi
    for cc in cc gcc clang; do
        if links -std=c11; then
            return 0
        fi
    done
    cc=
    return 1
}

# finds_library FALLBACK_FLAGS NAME...: the program on stdin links with the
# pkg-config flags of one of NAME..., else with the plain flags.
finds_library() {
    fallback=$1
    shift
    cat >"$tmp/probe.c"
    for module in "$@"; do
        if flags=$(pkg-config --cflags --libs "$module" 2>/dev/null); then
            # shellcheck disable=SC2086
            if links $flags; then
                return 0
            fi
        fi
    done
    # shellcheck disable=SC2086
    links $fallback
}

# The build's own search (cmake/hdf5.cmake): a pkg-config module is used and must link; without one, find_package()
# decides, in a separate project.
probe_hdf5() {
    echo '#include <hdf5.h>
        int main(void) { return H5open() < 0; }' >"$tmp/probe.c"
    for module in hdf5 hdf5-serial; do
        if flags=$(pkg-config --cflags --libs "$module" 2>/dev/null); then
            # shellcheck disable=SC2086
            links $flags
            return
        fi
    done
    works cmake || return 1
    mkdir -p "$tmp/hdf5"
    cp "$tmp/probe.c" "$tmp/hdf5/"
    cat >"$tmp/hdf5/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.18)
project(probe C)
find_package(PkgConfig REQUIRED)
include("$(cd "$(dirname "$0")/../cmake" && pwd)/hdf5.cmake")
add_executable(probe probe.c)
target_link_libraries(probe PRIVATE sonde_hdf5)
END
    cmake -S "$tmp/hdf5" -B "$tmp/hdf5/build" -DSONDE_HDF5_STATIC=OFF >/dev/null 2>&1 &&
        cmake --build "$tmp/hdf5/build" >/dev/null 2>&1
}

probe_yaml() {
    finds_library -lyaml yaml-0.1 <<'END'
#include <yaml.h>
int main(void) { return yaml_get_version_string()[0] == 0; }
END
}

probe_zlib() {
    finds_library -lz zlib <<'END'
#include <zlib.h>
int main(void) { return zlibVersion()[0] == 0; }
END
}

probe_png() {
    finds_library -lpng libpng <<'END'
#include <png.h>
int main(void) { return png_access_version_number() == 0; }
END
}

probe_cairo() {
    # the build uses only pkg-config
    pkg-config --exists cairo-ft cairo-pdf cairo-svg freetype2 2>/dev/null || return 1
    finds_library -lcairo cairo-ft <<'END'
#include <cairo-ft.h>
int main(void) { return cairo_version() == 0; }
END
}

# compiles_cxx COMPILER FLAGS...: the program in $tmp/probe.cpp compiles and links.
compiles_cxx() {
    cxx=$1
    shift
    # shellcheck disable=SC2086
    $cxx ${CXXFLAGS:-} -std=c++14 "$@" -o "$tmp/probe" "$tmp/probe.cpp" ${LDFLAGS:-} \
        </dev/null >/dev/null 2>&1
}

# For the only C++ file: $CXX if set, else the usual names.
finds_cxx() {
    if [ -n "${CXX:-}" ]; then
        compiles_cxx "$CXX" "$@"
        return
    fi
    compiles_cxx c++ "$@" || compiles_cxx g++ "$@" || compiles_cxx clang++ "$@"
}

probe_cxx() {
    printf '#include <new>\nint main() { return *new int() != 0; }\n' >"$tmp/probe.cpp"
    finds_cxx
}

probe_eigen() {
    printf '#include <Eigen/Eigenvalues>\n#include <unsupported/Eigen/NonLinearOptimization>\nint main() { return 0; }\n' >"$tmp/probe.cpp"
    # the build uses only pkg-config
    flags=$(pkg-config --cflags eigen3 2>/dev/null) || return 1
    # shellcheck disable=SC2086
    finds_cxx $flags
}

# Optional: files in CIF.
probe_gemmi() {
    printf '#include <gemmi/cif.hpp>\n#include <gemmi/symmetry.hpp>\nint main() { return 0; }\n' >"$tmp/probe.cpp"
    finds_cxx -std=gnu++17
}

probe_cmocka() {
    finds_library -lcmocka cmocka <<'END'
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
static void none(void **state) { (void)state; }
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
}

probe_clang() {
    echo '__kernel void probe(__global float *x) { x[0] = 1.0f; }' >"$tmp/probe.cl"
    clang -x cl -fsyntax-only "$tmp/probe.cl" >/dev/null 2>&1
}

probe_fuzzer() {
    cat >"$tmp/fuzz.c" <<'END'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)data;
    (void)size;
    return 0;
}
END
    clang -fsanitize=fuzzer,address,undefined -o "$tmp/fuzz" "$tmp/fuzz.c" >/dev/null 2>&1
}

# A loader and the file that registers PoCL's driver.
probe_opencl() {
    ls /usr/lib*/libOpenCL.so.1 /usr/lib/*/libOpenCL.so.1 "${CONDA_PREFIX:-/}"/lib/libOpenCL.so.1 2>/dev/null |
        grep -q . && ls "${CONDA_PREFIX:-}"/etc/OpenCL/vendors/pocl*.icd /etc/OpenCL/vendors/pocl*.icd 2>/dev/null |
        grep -q .
}

# The interpreter that the build chooses (cmake/python.cmake).
probe_python() {
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import sys, cffi, numpy, xarray, pytest, yaml, venv, ensurepip; assert sys.version_info >= (3, 10)' >/dev/null 2>&1; then
            return 0
        fi
    done
    return 1
}

works() {
    "$@" --version </dev/null >/dev/null 2>&1
}

# here ITEM: it is usable now. Without a compiler the state of a library is
# unknown, and "missing" is the safe answer: installing again does no harm.
here() {
    case $cc_works-$1 in
    *-cc) [ "$cc_works" = yes ] ;;
    yes-hdf5) probe_hdf5 ;;
    yes-yaml) probe_yaml ;;
    yes-zlib) probe_zlib ;;
    yes-png) probe_png ;;
    yes-cairo) probe_cairo ;;
    yes-cmocka) probe_cmocka ;;
    no-hdf5 | no-yaml | no-zlib | no-png | no-cairo | no-cmocka) return 1 ;;
    *-cxx) probe_cxx ;;
    *-eigen) probe_eigen ;;
    *-gemmi) probe_gemmi ;;
    *-sphinx) works sphinx-build && [ -n "$(find /usr/lib/python3*/ /usr/local/lib/python3*/ -maxdepth 2 -name furo -print -quit 2>/dev/null)" ] ;;
    *-mpi) works mpicc && works mpirun ;;
    *-clang) probe_clang ;;
    *-fuzzer) probe_fuzzer ;;
    *-opencl) probe_opencl ;;
    *-pkgconf) works pkg-config ;;
    *-python) probe_python ;;
    *-clangformat) works clang-format ;;
    *-clangtidy) works clang-tidy ;;
    *) works "$1" ;;
    esac
}

# look: sets $missing to the required items that are not usable.
look() {
    missing=
    if finds_compiler; then cc_works=yes; else cc_works=no; fi
    for item in $wanted; do
        here "$item" || missing="$missing${missing:+ }$item"
    done
}

# name_missing: sets the package lists and the readable list for $missing.
name_missing() {
    labels='' apt_list='' dnf_list='' pacman_list='' conda_list=''
    for item in $missing; do
        describe "$item"
        # A library cannot be tested without a compiler: its state is unknown.
        case $cc_works-$item in
        no-hdf5 | no-yaml | no-zlib | no-png | no-cairo | no-cmocka) label="$label (not tried: no compiler)" ;;
        esac
        labels="$labels${labels:+, }$label"
        apt_list=$(merge "$apt_list" "$apt")
        dnf_list=$(merge "$dnf_list" "$dnf")
        pacman_list=$(merge "$pacman_list" "$pacman")
        conda_list=$(merge "$conda_list" "$conda")
    done
}

all_here() {
    echo "everything that 'sonde' needs is installed"
    exit 0
}

# ---------------------------------------------------------------- the install

apt_get() {
    # Another apt run (unattended upgrades, say) may hold the lock for a while.
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 "$@" \
        </dev/null >"$tmp/apt.log" 2>&1
}

apt_log() {
    tail -n 15 "$tmp/apt.log" | sed 's/^/    /' >&2
}

apt_install() {
    # The list is split into words on purpose.
    # shellcheck disable=SC2086
    apt_get install -y --no-install-recommends $apt_list
}

# as_root_with_apt: installs $apt_list. The lists are fetched only if they lack
# a package or if the installation fails, as with outdated lists.
as_root_with_apt() {
    echo "missing: $labels"
    echo "installing with apt-get: $apt_list"
    update=no
    for package in $apt_list; do
        has_candidate "$package" || update=yes
    done
    if [ "$update" = no ] && apt_install; then
        return 0
    fi
    # Without a network the present lists may suffice.
    if ! apt_get update; then
        echo "apt-get update failed, continuing with the present lists:" >&2
        apt_log
    fi
    # A clang package whose name depends on the lists may now have a name.
    name_missing
    if apt_install; then
        return 0
    fi
    echo "apt-get install failed:" >&2
    apt_log
    return 1
}

print_commands() {
    echo "missing: $labels"
    if [ -n "${CC:-}" ] && [ "$cc_works" = no ]; then
        echo "note: CC is set to '$CC', which does not compile C11"
    fi
    echo "install with one of:"
    echo "  apt:    sudo apt-get install -y --no-install-recommends $apt_list"
    echo "  dnf:    sudo dnf install $dnf_list"
    echo "  pacman: sudo pacman -S --needed $pacman_list"
    echo "  conda:  conda install -c conda-forge $conda_list"
}

# ---------------------------------------------------------------- the run

look

if [ "$group" != all ] && ! probe_gemmi; then
    echo "note: gemmi is not installed: optional, only crystal structures in CIF need it"
fi

[ -n "$missing" ] || all_here
name_missing

if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" -eq 0 ]; then
        as_root_with_apt || true
        look
        [ -n "$missing" ] || all_here
        name_missing
        echo "still not usable after apt-get:" >&2
        print_commands >&2
        exit 3
    fi
    # Nobody can answer if either end is not a terminal.
    if command -v sudo >/dev/null 2>&1 && [ -t 0 ] && [ -t 1 ]; then
        install="sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $apt_list"
        echo "missing: $labels"
        echo "  sudo apt-get update; $install"
        printf 'Run it? [y/N] '
        read -r answer || { answer=; echo; }
        case $answer in
        [yY] | [yY][eE][sS])
            sudo apt-get update || true
            # shellcheck disable=SC2086
            $install || true
            look
            [ -n "$missing" ] || all_here
            name_missing
            echo "still not usable after apt-get:" >&2
            ;;
        esac
    fi
fi

print_commands >&2
exit 3
