/* Changes of samples after they are made: faults, relaxation, strain, other species, vacancies, displacements. The atoms have
 * no data but positions and species, as those of `build`. The texts are those of the options of build. */
#ifndef SONDE_MATTER_DEFECTS_H
#define SONDE_MATTER_DEFECTS_H

#include "matter/atoms/atoms.h"
#include "sonde/build.h"

/* All that the options ask for, in the order in which they are declared here. */
sonde_status defects_apply(const sonde_build_options *options, sonde_atoms *atoms);

/* NORMAL=POSITION:SHIFT[:SPACING][/...] */
sonde_status defects_fault(const char *text, sonde_atoms *atoms);
/* A,D: r becomes r (1 + A exp(-(R - r)/D)) about the origin. Fails for atoms with a cell. */
sonde_status defects_relax(const char *text, sonde_atoms *atoms);
/* 1, 6 or 9 numbers; the cell is strained, too. */
sonde_status defects_strain(const char *text, sonde_atoms *atoms);
/* FROM:TO=FRACTION,...: of the numbers of atoms before the first replacement, rounded. */
sonde_status defects_substitute(const char *text, int64_t seed, sonde_atoms *atoms);
/* FRACTION or LABEL=FRACTION,...: of each species, rounded. The order of the others is kept. */
sonde_status defects_remove(const char *text, int64_t seed, sonde_atoms *atoms);
/* SIGMA or LABEL=SIGMA,...: standard deviation along each axis, Angstrom. */
sonde_status defects_displace(const char *text, int64_t seed, sonde_atoms *atoms);

#endif
