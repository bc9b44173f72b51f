/* The generators of generate.c, each of which appends its atoms; `species` are the labels of the two sublattices, or of one species
 * twice. */
#ifndef SONDE_MATTER_GENERATE_PARTS_H
#define SONDE_MATTER_GENERATE_PARTS_H

#include "matter/atoms/atoms.h"
#include "run/context.h"
#include "sonde/build.h"

#define USUAL_BOND 1.42 /* Angstrom: graphite */

typedef sonde_status generator(sonde_context *context, const sonde_build_options *options, const uint16_t species[2],
			       sonde_atoms *atoms);

generator generate_nanotube, generate_torus, generate_graphene, generate_fullerene, generate_packing;

/* A tube (n, m) with caps, with `cells` unit cells between them, or, for 0, as close to `length` as possible; centered at 0. */
sonde_status generate_capped(sonde_context *context, const int64_t index[2], double bond, int64_t cells,
			     double length, uint16_t species, sonde_atoms *atoms);
/* The tube (5, 5) of 30 + 10 rings atoms, with caps from C60. */
sonde_status generate_capped_c60(sonde_context *context, int64_t rings, double bond, uint16_t species,
				 sonde_atoms *atoms);

/* Fails if `count` more atoms are too many for the memory, or in general. */
sonde_status generate_check_count(const sonde_context *context, double count, const sonde_atoms *atoms);
/* Reserves memory for `count` more atoms, after this check. */
sonde_status generate_reserve(sonde_context *context, double count, sonde_atoms *atoms);
/* The option `bond`, or its default. */
double generate_bond(const sonde_build_options *options);
/* Two whole numbers from 0 to `most`, not both 0, of "n,m" from `start` to `end`. */
sonde_status generate_indices(const char *option, const char *start, const char *end, int64_t most,
			      int64_t indices[2]);

#endif
