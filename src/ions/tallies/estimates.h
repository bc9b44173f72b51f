/* Converts sums to numbers with standard errors, computed from the groups of ions. */
#ifndef SONDE_IONS_TALLIES_ESTIMATES_H
#define SONDE_IONS_TALLIES_ESTIMATES_H

#include <stdbool.h>

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* The precision requested by --until. */
#define MOST_PRECISIONS 8
struct precision {
	int count;
	struct {
		int what;
		double relative;
	} wanted[MOST_PRECISIONS];
};
sonde_status precision_parse(const char *text, struct precision *precision);
/* Fails for quantities without errors because the plan's maps are too large. */
sonde_status precision_check(const struct precision *precision, const struct ions_plan *plan);
/* Whether all requested precisions are reached; false if none is requested. */
bool precision_reached(const struct precision *precision, const struct ions_plan *plan, const struct ions_sums *sums);

/* Leaving atoms: leaving.c. After the balance of energy. */
sonde_status leaving_fill(const struct ions_sums *sums, sonde_ions_result *result);
void leaving_free(sonde_ions_result *result);

/* Writes range, straggling and so on, and totals, into a result; allocates its arrays. */
sonde_status estimates_fill(const struct ions_plan *plan, const struct ions_sums *sums, sonde_ions_result *result);

#endif
