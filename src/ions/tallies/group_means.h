/* Means per ion with standard errors, from groups of ions. */
#ifndef SONDE_IONS_TALLIES_GROUP_MEANS_H
#define SONDE_IONS_TALLIES_GROUP_MEANS_H

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* A sum per ion, and its standard error from the scatter of groups (ion i belongs to group i modulo groups); NaN
 * with too few groups. */
sonde_estimate estimates_mean_of_groups(const struct ions_sums *sums, uint32_t groups, const double *of_group);

#endif
