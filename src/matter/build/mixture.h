/* Ensembles of copies of several structures, from files. */
#ifndef SONDE_MATTER_MIXTURE_H
#define SONDE_MATTER_MIXTURE_H

#include "base/options.h"
#include "sonde/atoms.h"
#include "sonde/build.h"
#include "sonde/context.h"

/* The ensemble of option `structures`, with the places and orientations of the other options, which must be those of
 * ensembles only. *atoms is null after a failure. */
sonde_status mixture_build(sonde_context *context, const struct option_table *table,
			   const sonde_build_options *options, sonde_atoms **atoms);

#endif
