/* The shape that options of `build` give. */
#ifndef SONDE_MATTER_BUILD_SHAPES_H
#define SONDE_MATTER_BUILD_SHAPES_H

#include "matter/build/solid.h"
#include "matter/crystal/crystal.h"
#include "sonde/build_options.h"

/* The one shape that is given, of a crystal in its orientation; its center is at 0. BUILD_NOTHING if there are only
 * bodies. */
sonde_status shapes_find(const sonde_build_options *options, const struct crystal *crystal,
			 struct build_solid *solid);

#endif
