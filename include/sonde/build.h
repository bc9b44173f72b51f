/* Samples from a lattice and a shape. */
#ifndef SONDE_BUILD_H
#define SONDE_BUILD_H

#include "sonde/atoms.h"
#include "sonde/build_options.h"
#include "sonde/context.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets every option to its default. Cell, species, lattice constant and one shape must be set. */
SONDE_API void sonde_build_options_init(sonde_build_options *options);

/* Builds the atoms of `options`. Atoms on the surface of a shape belong to it. *atoms is null after a
 * failure, else to be freed by sonde_atoms_free(). */
SONDE_API sonde_status sonde_build_run(sonde_context *context, const sonde_build_options *options,
				       sonde_atoms **atoms);

#ifdef __cplusplus
}
#endif
#endif
