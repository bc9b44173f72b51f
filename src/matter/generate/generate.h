/* Samples that are not cut from a lattice: nanotubes, graphene, fullerenes, packings. The options of `build` give them. */
#ifndef SONDE_MATTER_GENERATE_H
#define SONDE_MATTER_GENERATE_H

#include <stdbool.h>

#include "base/options.h"
#include "sonde/build.h"

/* Whether the options give one of these samples. */
bool generate_wanted(const sonde_build_options *options);
/* Fails if the options, which give none of these samples, contain options that only these have. */
sonde_status generate_check_absent(const struct option_table *table, const sonde_build_options *options);
/* Fills empty `atoms`; `table` is that of build. Fails on options that are invalid, or of no effect for the sample. */
sonde_status generate_run(sonde_context *context, const struct option_table *table,
			  const sonde_build_options *options, sonde_atoms *atoms);

/* Checks the ranges of all options, of which those that a lattice must have may be missing. */
sonde_status generate_check_ranges(const struct option_table *table, const sonde_build_options *options);

#endif
