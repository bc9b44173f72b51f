/* Options of the engine `refine`: generated from its options.def, do not edit. */
#ifndef SONDE_REFINE_OPTIONS_H
#define SONDE_REFINE_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_refine_derivatives {
	SONDE_REFINE_DERIVATIVES_CENTRAL = 0,
	SONDE_REFINE_DERIVATIVES_FORWARD = 1,
};

/* Fill with sonde_refine_options_init(), then set the options that differ. */
typedef struct sonde_refine_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Write the refined structure to this file; its ending gives the format, as for sonde build: .xyz (extended XYZ), .pdb, .cif, and others. Default: none. */
	char structure[4096];
	/* Maximum number of steps of the refinement. Default: 50. */
	int64_t steps;
	/* Convergence: the parameters are refined until another step would change none of their combinations by more than this part of its standard error. Default: 0.01. */
	double convergence;
	/* Derivatives by differences: central, with two patterns for each parameter, or forward, with one, which are less accurate. Default: central. */
	int derivatives;
	/* Continue a stopped refinement from the best parameters in OUTPUT.checkpoint. Default: false. */
	int resume;
	/* Significance, in standard deviations, from which parts of the residual are reported as unexplained peaks. Default: 5. */
	double peak;
} sonde_refine_options;

#endif
