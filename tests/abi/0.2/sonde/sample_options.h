/* Options of the engine `sample`: generated from its options.def, do not edit. */
#ifndef SONDE_SAMPLE_OPTIONS_H
#define SONDE_SAMPLE_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

/* Fill with sonde_sample_options_init(), then set the options that differ. */
typedef struct sonde_sample_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Material around the bodies: one of `materials`, or another that bodies may have. For ions it fills the target if the job does not give one; for fdtd it is the background, and needs an index. Default: vacuum. */
	char surroundings[4096];
	/* Seed of the random packings of materials without a cell. Default: 1. */
	int64_t seed;
	/* For atoms: atoms of a body closer than this to an atom of a later body are left out. Unit: A. Default: 0. */
	double clearance;
} sonde_sample_options;

#endif
