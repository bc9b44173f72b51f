/* Shapes of `sonde build` as bodies. */
#ifndef SONDE_MATTER_BUILD_BUILT_BODY_H
#define SONDE_MATTER_BUILD_BUILT_BODY_H

#include "matter/shape/shape.h"
#include "matter/build/build.h"

/* The solid of a job's block `build`; without one (null) it fails, and the message says what a body needs. */
sonde_status built_solid(const sonde_build_options *options, struct build_solid *solid);
/* The solid that a sample's atoms fill, with a smooth surface; its lengths (Angstrom) times scale plus shift. */
sonde_status built_body(const sonde_build_options *options, double scale, const double shift[3],
			struct shape **shape);

#endif
