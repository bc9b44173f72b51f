/* Points that are left out: too near to an atom, too far from all, or beyond a box. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/coulomb.h"
#include "coulomb/spheres.h"

struct mask {
	double within, beyond; /* Angstrom; 0: none */
	bool boxed;
	double low[3], high[3];
};

static sonde_status make_mask(const sonde_coulomb_options *options, struct mask *mask)
{
	double corners[2][3];
	const char *rest = options->region;

	*mask = (struct mask){.within = options->exclude_within,
			      .beyond = options->exclude_beyond,
			      .boxed = options->region[0] != '\0'};
	if (!mask->boxed)
		return SONDE_OK;
	for (int k = 0; k < 2 && rest != NULL; ++k)
		rest = targets_read_point(rest, corners[k], k == 0 ? ':' : '\0');
	if (rest == NULL)
		return status_fail(SONDE_INVALID, "region: '%.60s' is not x,y,z:x,y,z", options->region);
	for (int k = 0; k < 3; ++k) {
		mask->low[k] = fmin(corners[0][k], corners[1][k]);
		mask->high[k] = fmax(corners[0][k], corners[1][k]);
	}
	return SONDE_OK;
}

static bool is_excluded(const struct mask *mask, const struct spheres *atoms, const double point[3])
{
	for (int k = 0; mask->boxed && k < 3; ++k)
		if (point[k] < mask->low[k] || point[k] > mask->high[k])
			return true;
	double reach = fmax(mask->within, mask->beyond);
	double distance = reach > 0.0 ? spheres_distance(atoms, point, reach, -1) : 0.0;
	return (mask->within > 0.0 && distance < mask->within) || (mask->beyond > 0.0 && distance >= mask->beyond);
}

sonde_status mask_check(const sonde_coulomb_options *options)
{
	struct mask mask;

	return make_mask(options, &mask);
}

sonde_status mask_apply(const sonde_context *context, const sonde_atoms *atoms, const struct targets *targets,
			sonde_coulomb_result *result)
{
	struct spheres spheres;
	struct mask mask;
	int64_t masked = 0;

	CHECK(make_mask(&result->options, &mask));
	if (!mask.boxed && mask.within == 0.0 && mask.beyond == 0.0)
		return SONDE_OK;
	CHECK(spheres_make(atoms->count, atoms->positions, NULL, fmax(mask.within, mask.beyond), &spheres));
#pragma omp parallel for num_threads(context_threads(context)) reduction(+ : masked) schedule(dynamic, 4096)
	for (int64_t n = 0; n < targets->count; ++n) {
		double point[3];
		targets_point(targets, n, point);
		if (!is_excluded(&mask, &spheres, point))
			continue;
		++masked;
		result->potential[n] = NAN;
		for (int k = 0; result->field != NULL && k < 3; ++k)
			result->field[3 * n + k] = NAN;
	}
	spheres_free(&spheres);
	result->masked = masked;
	return SONDE_OK;
}
