/* Results of many small samples with the same options: a launch on a device holds many of them. For samples of at most some thousand
 * atoms; others, and those with options for which pairs need more than their distance, are computed one by one. */
#ifndef SONDE_DEBYE_MANY_H
#define SONDE_DEBYE_MANY_H

#include <stdbool.h>

#include "run/context.h"
#include "sonde/debye.h"

struct debye_many;

/* Seconds spent so far. */
struct debye_many_times {
	double preparing, summing, finishing;
	int64_t together, alone; /* samples computed in launches with others, and one by one */
};

sonde_status debye_many_begin(sonde_context *context, const sonde_debye_options *options, struct debye_many **many);
/* Takes the result of sample `number`: by several threads at the same time, in any order. *result is freed afterwards, unless the function
 * keeps it and sets it to null. */
typedef sonde_status debye_many_take(void *user, int number, sonde_debye_result **result);
/* Gives each result to `take` once it is complete, so that they are not in memory all at once; after a failure only some. Memory of a call is
 * kept for the next one. */
sonde_status debye_many_run_each(struct debye_many *many, const sonde_atoms *const *samples, int count,
				 debye_many_take *take, void *user);
/* results[k] of sample k, to be freed; all null after a failure. */
sonde_status debye_many_run(struct debye_many *many, const sonde_atoms *const *samples, int count,
			    sonde_debye_result **results);
const struct debye_many_times *debye_many_times(const struct debye_many *many);
/* Other options from now on. What the devices keep remains if only displacements differ. */
sonde_status debye_many_change(struct debye_many *many, const sonde_debye_options *options);
void debye_many_free(struct debye_many **many);

#endif
