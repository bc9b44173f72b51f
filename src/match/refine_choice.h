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

enum refined_kind {
	REFINED_STRAIN,
	REFINED_B,
	REFINED_QDAMP,
	REFINED_QBROAD,
	REFINED_MEAN,
	REFINED_WIDTH,
	REFINED_KINDS
};
extern const char *const refined_kind_names[REFINED_KINDS], *const refined_kind_units[REFINED_KINDS];

struct refined_parameter {
	enum refined_kind kind;
	int item;            /* of struct refined_items; -1: of all */
	int set;             /* of the resolution of an instrument; else -1 */
	double value, error; /* error 0 at a bound */
	double low, high;    /* the bounds */
	double interval[2];  /* 95 %; NaN at a bound */
	bool at_bound, free; /* not free: its candidate has no weight, or a bound holds it */
};

/* Whether two are the same parameter, whatever their values are. */
bool refined_parameter_is(const struct refined_parameter *a, const struct refined_parameter *b);
/* SONDE_INVALID for unknown names, and options that do not go together. */
sonde_status refine_choice_read(const sonde_match_options *options, struct refine_choice *choice);
/* The largest deformation that may be tried. */
void refine_choice_limits(const struct refine_choice *choice, const sonde_match_options *options,
			  struct deformation *largest);

#endif
