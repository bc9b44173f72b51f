#!/bin/bash
# Called by conda-build in the source (meta.yaml).
set -eu
cmake -S . -B build-conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
	-DCMAKE_INSTALL_LIBDIR=lib -DSONDE_MPI=OFF -DSONDE_NONCOMMERCIAL_DATA=OFF
cmake --build build-conda -j "${CPU_COUNT:-2}"
cmake --install build-conda
