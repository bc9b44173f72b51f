#include "ions/tallies/group_means.h"

#include <math.h>

/* Number of ions of a group: i = group modulo groups, below the number of ions. */
static double ions_of_group(const struct ions_sums *sums, uint32_t groups, uint32_t group)
{
	int64_t ions = sums->ions / groups + (group < sums->ions % groups);

	return (double)ions;
}

sonde_estimate estimates_mean_of_groups(const struct ions_sums *sums, uint32_t groups, const double *of_group)
{
	double total = 0.0, squares = 0.0, ions = (double)sums->ions;
	int filled = 0;

	for (uint32_t g = 0; g < groups; ++g)
		total += of_group[g];
	double mean = total / ions;
	for (uint32_t g = 0; g < groups; ++g) {
		double n = ions_of_group(sums, groups, g), difference = of_group[g] - n * mean;
		squares += difference * difference;
		filled += n > 0.0;
	}
	if (filled < (int)LEAST_GROUPS_OF_ERRORS)
		return (sonde_estimate){mean, NAN};
	return (sonde_estimate){mean, sqrt(squares * filled / (filled - 1.0)) / ions};
}
