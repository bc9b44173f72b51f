#!/bin/sh
# clang's static analyzer, which follows paths through functions, over the library's and the program's sources: 20 minutes
# on two cores for all of them; with a revision, those that differ from it.
#     scripts/analyze.sh BUILD [REVISION]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
revision=${2:-}
if [ -n "$revision" ]; then
	sources=$(git diff --name-only --diff-filter=d "$revision" -- 'src/*.c')
else
	sources=$(git ls-files 'src/*.c')
fi
cmake -S . -B "$build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
echo "$sources" | grep -v -e _isa.c -e '^$' |
	xargs -r -P "$(nproc 2>/dev/null || echo 2)" -n 4 clang-tidy --quiet -p "$build" --checks='-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI.*,-clang-analyzer-deadcode.DeadStores,-clang-analyzer-valist.Uninitialized' 2>/dev/null
