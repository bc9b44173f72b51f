#!/bin/sh
# Static checks: format, cppcheck, clang-tidy, kernels as OpenCL C, conventions of the source. clang-tidy's analysis of
# paths takes twenty times as long as its other checks together, and is done by scripts/analyze.sh.
#     scripts/lint.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
failed=0
fail() {
	echo "lint: $1"
	failed=1
}

# one process each, at the same time as the others, which have as many as there are processors
apart=$(mktemp)
trap 'rm -f "$apart"' EXIT
(
	sources=$(git ls-files 'src/*.c' 'src/*.h' 'src/*.cpp' 'include/*.h' 'tests/*.c' 'tests/*.h' 'tools/*.c' 'bench/*.c')
	clang-format --dry-run -Werror $sources || fail "format: run 'make format'"
	scripts/check_language.py || fail "language"
	# all pages as a site, if there is Sphinx; links to headings as well
	! command -v sphinx-build >/dev/null || scripts/site.py "$build/site" || fail "site"
	exit $failed
) >"$apart" 2>&1 &
apart_process=$!

for kernel in src/*/kernels/*.k; do
	clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only -Wall -Werror \
		-Isrc -include src/device/kernel.h "$kernel" || fail "$kernel is not valid OpenCL C 1.2"
done

mkdir -p "$build/cppcheck"
cppcheck -j "$(nproc 2>/dev/null || echo 2)" --cppcheck-build-dir="$build/cppcheck" --quiet --error-exitcode=1 --inline-suppr --std=c11 --language=c \
	--enable=warning,performance,portability --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches \
	--suppress="uninitvar:src/*/kernels/*" --suppress="ctuuninitvar:src/*/kernels/*" --suppress="legacyUninitvar:src/*/kernels/*" \
	-D__x86_64__ -D__SSE2__ -DSONDE_VERSION='"0"' -Iinclude -I"$build/generated/include" -I"$build/generated/kernels" -Isrc \
	$(git ls-files 'src/*.c' | grep -v -e _isa.c -e '^src/device/') src/device/cpu.c src/device/emulated.c || fail "cppcheck"

cmake -S . -B "$build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
git ls-files 'src/*.c' | grep -v -e _isa.c |
	xargs -P "$(nproc 2>/dev/null || echo 2)" -n 16 clang-tidy --quiet -p "$build" --checks='-clang-analyzer-*' 2>/dev/null || fail "clang-tidy"

# dependencies point one way, without cycles
scripts/check_rooms.py || fail "the order of rooms: see src/rooms.txt"

# programs load nothing from the current folder
for folder in "$build/src" "$build/tests" "$build/bench" "$build/portable"; do
	[ ! -d "$folder" ] || scripts/check_run_paths.sh "$folder" || fail "run paths: see cmake/run_paths.cmake"
done
# one function opens libraries, and it refuses relative paths
[ -z "$(git grep -n 'dlm\?open(' -- 'src/*.c' ':!src/device/dynamic_library.c')" ] || fail "dlopen() outside src/device/dynamic_library.c"

# kernels ask for capabilities (src/device/kernel.h), not for the compiler or the device
[ -z "$(git grep -nE '^ *# *(el)?if.*(__CUDA|__OPENCL|__HIP|__METAL|cl_khr|SONDE_ISA)' -- src ':!src/device')" ] || fail "a test of the compiler outside src/device: see docs/kernels.md"
[ -z "$(git grep -nE 'str(n)?cmp\(.*"(cuda|opencl|emulated)' -- src ':!src/device')" ] || fail "a test of a back end's name outside src/device: see device_properties"

# docs: tables of options, links
scripts/option_tables.py --check || fail "docs"
scripts/check_links.py || fail "links"
scripts/recipes.py --check || fail "recipes for packages"

# an option's name appears in its .def and nowhere in src/cli
for def in src/debye/options.def src/pattern/options.def src/coulomb/options.def src/ions/options.def src/stopping/options.def src/matter/build/build_options.def; do
	for name in $(sed -n 's/^OPTION([A-Z]*, \([a-z_]*\),.*/\1/p' "$def"); do
		flag=$(echo "$name" | tr _ -)
		if git grep -n -e "\"--$flag\"" -e "strcmp([a-z>.-]*, \"$name\")" -- src/cli; then
			fail "option $name of $def is named in src/cli"
		fi
	done
done
wait $apart_process || failed=1
cat "$apart"
exit $failed
