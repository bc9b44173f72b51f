/* Samples whose atoms are points of a lattice, as rows of cells instead of atoms: a sphere of 10^9 atoms has some 10^6
 * rows. For sonde_debye_run_lattice() (sonde/debye.h). */
#ifndef SONDE_LATTICE_H
#define SONDE_LATTICE_H

#include <stdint.h>

#include "sonde/atoms.h"
#include "sonde/build_options.h"
#include "sonde/context.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sonde_lattice sonde_lattice;

/* The sample of sonde_build_run(), without its atoms in memory: the same points are in the shape. Samples that are not
 * cut from a lattice (icosahedra, decahedra, generators, ensembles, and those with defects or displacements) are
 * SONDE_INVALID. *lattice is null after a failure, else to be freed by sonde_lattice_free(). */
SONDE_API sonde_status sonde_build_lattice(sonde_context *context, const sonde_build_options *options,
					   sonde_lattice **lattice);

/* Finds the lattice of `atoms` from their positions. Every atom has to be within 1e-6 Angstrom of a point of the
 * lattice, or, if all are rounded alike, within 1e-3 Angstrom, and at most one at each point of a site; otherwise
 * SONDE_INVALID. Occupancies are kept. *lattice is null after a failure, else to be freed by sonde_lattice_free(); it
 * does not refer to `atoms`. */
SONDE_API sonde_status sonde_lattice_find(sonde_context *context, const sonde_atoms *atoms, sonde_lattice **lattice);

/* Number of atoms (sites with any occupancy above 0), and of rows of cells that contain some. */
SONDE_API int64_t sonde_lattice_atoms(const sonde_lattice *lattice);
SONDE_API int64_t sonde_lattice_rows(const sonde_lattice *lattice);

/* Frees the lattice and sets *lattice to null; a null pointer or null lattice is allowed. */
SONDE_API void sonde_lattice_free(sonde_lattice **lattice);

#ifdef __cplusplus
}
#endif
#endif
