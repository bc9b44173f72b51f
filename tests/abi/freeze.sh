#!/usr/bin/env bash
# Keeps the public headers of this version for tests/cli/test_abi.sh: before a release of a new minor version, and until then
# whenever its structs change.
#     tests/abi/freeze.sh BUILD
set -eu
cd "$(dirname "$0")"
build=$(cd "../../${1:-build}" && pwd)
version=$(sed -nE 's/^#define SONDE_VERSION_(MAJOR|MINOR) ([0-9]+)$/\2/p' "$build/generated/include/sonde/version.h" | paste -sd.)
rm -rf "$version"
mkdir -p "$version/sonde"
cp ../../include/sonde/*.h "$build"/generated/include/sonde/*.h "$version/sonde"
# the program's own options are not installed
rm -f "$version/sonde/program_options.h" "$version/sonde/campaign_options.h"
echo "tests/abi/$version: $(ls "$version/sonde" | wc -l) headers"
