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
#define sonde_build_options_init(options) sonde_build_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API void sonde_build_options_init_sized(sonde_build_options *options, uint64_t size);

/* Builds the atoms given by `options`. Atoms on the surface of a shape belong to it. *atoms is null after a failure,
 * else to be freed by sonde_atoms_free(). */
SONDE_API sonde_status sonde_build_run(sonde_context *context, const sonde_build_options *options,
				       sonde_atoms **atoms);

/* Particles of several sizes, the option `size_distribution`: the number of sizes, 0 without the option. */
SONDE_API sonde_status sonde_build_sizes(const sonde_build_options *options, int64_t *count);
/* The description of size number `index`, from 0 to count - 1 in ascending order, for sonde_build_run(): *of_size is a
 * struct of the same version as `options`, all lengths of whose shape are scaled; *weight is the number fraction, and
 * *size the first of these lengths in Angstrom (the factor, of an STL file). sonde_build_run() itself refuses
 * `size_distribution`. */
SONDE_API sonde_status sonde_build_size(const sonde_build_options *options, int64_t index,
					sonde_build_options *of_size, double *weight, double *size);

#ifdef __cplusplus
}
#endif
#endif
