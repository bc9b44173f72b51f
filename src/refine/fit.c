#include "refine/fit.h"

#include <math.h>
#include <string.h>

#include "match/dot_product.h"

sonde_status fit_look(struct fit *fit, const double *values, double *residual)
{
	const struct data_set *set = &fit->model.set;
	const int64_t points = set->measured.count;

	CHECK(model_curves(&fit->model, values, 1, fit->curve, NULL));
	for (int64_t p = 0; p < points; ++p)
		if (!isfinite(fit->curve[p]))
			return status_fail(SONDE_INVALID, "the computed curve is not finite at %g",
					   set->measured.x[p]);
	memcpy(fit->unit, fit->curve, (size_t)points * sizeof(double));
	data_set_project(set, fit->unit);
	const double length = sqrt(dot_product(fit->unit, fit->unit, points));
	if (!(length > 0.0))
		return status_fail(SONDE_INVALID, "the computed curve is not more than the background");
	for (int64_t p = 0; p < points; ++p)
		fit->unit[p] /= length;
	const double part = dot_product(fit->unit, set->y, points);
	fit->scale = part / length;
	for (int64_t p = 0; residual != NULL && p < points; ++p)
		residual[p] = set->y[p] - part * fit->unit[p];
	return SONDE_OK;
}

sonde_status fit_differentiate(struct fit *fit, const double *values, double *slopes)
{
	const int64_t points = fit->model.set.measured.count;

	CHECK(derivatives_find(&fit->derivatives, values, fit->curve, slopes));
	for (int k = 0; k < fit->job->count; ++k) {
		double *slope = slopes + k * points;
		data_set_project(&fit->model.set, slope);
		const double part = dot_product(fit->unit, slope, points);
		for (int64_t p = 0; p < points; ++p)
			slope[p] = -fit->scale * (slope[p] - part * fit->unit[p]);
	}
	return SONDE_OK;
}
