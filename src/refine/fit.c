#include "refine/fit.h"

#include <math.h>
#include <string.h>

#include "match/dot_product.h"

/* The scale of curve d, and its residual, unless null. */
static sonde_status look_at_curve(struct fit *fit, int d, double *residual)
{
	const struct data_set *set = &fit->model.sets[d];
	const int64_t points = set->measured.count;
	double *unit = fit->unit + fit->model.begin[d];

	const double length = sqrt(dot_product(unit, unit, points));
	if (!(length > 0.0))
		return status_fail(SONDE_INVALID, "%s: the computed curve is not more than the background",
				   set->measured.path);
	for (int64_t p = 0; p < points; ++p)
		unit[p] /= length;
	const double part = dot_product(unit, set->y, points);
	fit->scales[d] = part / length;
	for (int64_t p = 0; residual != NULL && p < points; ++p)
		residual[p] = set->y[p] - part * unit[p];
	return SONDE_OK;
}

sonde_status fit_look(struct fit *fit, const double *values, double *residual)
{
	const struct model *model = &fit->model;
	const int64_t points = model_points(model);

	CHECK(model_curves(&fit->model, values, 1, fit->curve, NULL));
	for (int d = 0; d < model->set_count; ++d)
		for (int64_t p = model->begin[d]; p < model->begin[d + 1]; ++p)
			if (!isfinite(fit->curve[p]))
				return status_fail(SONDE_INVALID, "%s: the computed curve is not finite at %g",
						   model->sets[d].measured.path,
						   model->sets[d].measured.x[p - model->begin[d]]);
	memcpy(fit->unit, fit->curve, (size_t)points * sizeof(double));
	model_project(model, fit->unit);
	for (int d = 0; d < model->set_count; ++d)
		CHECK(look_at_curve(fit, d, residual != NULL ? residual + model->begin[d] : NULL));
	return SONDE_OK;
}

sonde_status fit_differentiate(struct fit *fit, const double *values, double *slopes)
{
	const struct model *model = &fit->model;
	const int64_t points = model_points(model);

	CHECK(derivatives_find(&fit->derivatives, values, fit->curve, slopes));
	for (int k = 0; k < fit->job->count; ++k) {
		double *slope = slopes + k * points;
		model_project(model, slope);
		for (int d = 0; d < model->set_count; ++d) {
			const int64_t begin = model->begin[d], end = model->begin[d + 1];
			const double part = dot_product(fit->unit + begin, slope + begin, end - begin);
			for (int64_t p = begin; p < end; ++p)
				slope[p] = -fit->scales[d] * (slope[p] - part * fit->unit[p]);
		}
	}
	return SONDE_OK;
}

int64_t fit_parameters(const struct fit *fit)
{
	int64_t count = fit->job->count;

	for (int d = 0; d < fit->model.set_count; ++d)
		count += 1 + fit->model.sets[d].basis_count;
	return count;
}

double fit_freedom(const struct fit *fit, int d)
{
	const double points = (double)fit->model.sets[d].independent;

	return fmax(points - (double)(1 + fit->model.sets[d].basis_count) -
			(double)fit->job->count * points / (double)model_independent(&fit->model),
		    1.0);
}
