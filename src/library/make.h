/* Making a library: every structure is computed once, many at a time, and added to the file. */
#ifndef SONDE_LIBRARY_MAKE_H
#define SONDE_LIBRARY_MAKE_H

#include "debye/many.h"
#include "library/spec.h"

struct library_outcome {
	int64_t structures;        /* of the description */
	int64_t present, repeated; /* of these in the file before; the same as earlier ones of the description */
	int64_t made;
	int64_t total; /* candidates in the file */
	int64_t fewest_atoms, most_atoms;
	double atoms, pairs;      /* of those to be made */
	double largest_error;     /* over <f^2> + I/N */
	double building, writing; /* seconds */
	struct debye_many_times times;
};

struct library_settings {
	const char *path; /* of the file, which is extended if it is there */
	bool overwrite;   /* unless this is set */
	int at_once;      /* most structures that are computed together; 0: many */
	double period;    /* seconds after which the file is completed; 0: some tens */
};

/* What would be made; computes nothing. */
sonde_status library_plan(sonde_context *context, const struct library_spec *spec,
			  const struct library_settings *settings, struct library_outcome *outcome);
/* Makes or extends the file. It is complete after every period: after a stop (SONDE_SUSPENDED, also before there is a file) or an
 * end of the process another call continues. */
sonde_status library_make(sonde_context *context, const struct library_spec *spec,
			  const struct library_settings *settings, struct library_outcome *outcome);

#endif
