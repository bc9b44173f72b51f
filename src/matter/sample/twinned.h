/* Atoms of multiply twinned bodies of a description. */
#ifndef SONDE_MATTER_SAMPLE_TWINNED_H
#define SONDE_MATTER_SAMPLE_TWINNED_H

#include "matter/atoms/atoms.h"
#include "run/context.h"
#include "sonde/body.h"
#include "sonde/material.h"

/* Whether a body with this crystal consists of twins: an icosahedron or a decahedron. */
bool twinned_is(const sonde_body_options *body);
/* Appends the atoms of the largest cluster of `build` within the body, around 0 and turned by its rotation. The material is an fcc metal
 * of one species. */
sonde_status twinned_fill(sonde_context *context, const sonde_body_options *body,
			  const sonde_material_options *material, sonde_atoms *atoms);

#endif
