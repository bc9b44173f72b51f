/* What `refine` and `sizes` ask for. */
#ifndef SONDE_MATCH_REFINE_CHOICE_H
#define SONDE_MATCH_REFINE_CHOICE_H

#include <stdbool.h>

#include "match/deformed.h"
#include "sonde/match_options.h"

struct refine_choice {
	bool strain, b, qdamp, qbroad, sizes;
	bool any; /* of them */
};

/* SONDE_INVALID for unknown names, and options that do not go together. */
sonde_status refine_choice_read(const sonde_match_options *options, struct refine_choice *choice);
/* The largest deformation that may be tried. */
void refine_choice_limits(const struct refine_choice *choice, const sonde_match_options *options,
			  struct deformation *largest);

#endif
