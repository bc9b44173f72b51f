#include "match/fitted_curve.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static sonde_status allocate(const struct data_set *set, struct match_curve *curve)
{
	double **const arrays[] = {&curve->x,      &curve->measured,   &curve->sigma,
				   &curve->fitted, &curve->background, &curve->residual};

	CHECK(memory_copy_text(set->measured.path, &curve->path, "a path"));
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		CHECK(memory_allocate(arrays[k], (size_t)set->measured.count, sizeof(double), "a curve"));
	return memory_allocate(&curve->peaks, MOST_PEAKS, sizeof *curve->peaks, "peaks");
}

sonde_status fitted_curve_make(const struct data_set *set, const double *computed, double scale,
			       struct match_curve *curve)
{
	const int64_t points = set->measured.count;

	*curve = (struct match_curve){.curve = set->candidates.curve,
				      .radiation = set->candidates.radiation,
				      .count = points,
				      .left_out = set->points_of_file - points,
				      .independent = set->independent,
				      .qmax = set->qmax,
				      .weights = set->weights,
				      .scale = scale};
	CHECK(allocate(set, curve));
	memcpy(curve->x, set->measured.x, (size_t)points * sizeof(double));
	memcpy(curve->measured, set->measured.y, (size_t)points * sizeof(double));
	for (int64_t k = 0; k < points; ++k)
		curve->residual[k] = curve->measured[k] - computed[k];
	data_set_background(set, curve->residual, curve->background);
	for (int64_t k = 0; k < points; ++k) {
		curve->fitted[k] = computed[k] + curve->background[k];
		curve->residual[k] = curve->measured[k] - curve->fitted[k];
	}
	return SONDE_OK;
}

void fitted_curve_judge(const struct data_set *set, double freedom, double variance, double peak,
			struct match_curve *curve)
{
	const bool uniform = set->weights == SONDE_MATCH_WEIGHTS_UNIFORM;
	const double deviation = sqrt(variance), level = uniform ? deviation : 1.0;
	double whole = 0.0;

	for (int64_t k = 0; k < curve->count; ++k) {
		whole += pow(curve->measured[k] * set->inverse_sigma[k], 2.0);
		curve->chi_square += pow(curve->residual[k] * set->inverse_sigma[k], 2.0);
		curve->sigma[k] = level / set->inverse_sigma[k] * set->inverse_share;
	}
	curve->rwp = whole > 0.0 ? sqrt(curve->chi_square / whole) : NAN;
	curve->rexp = whole > 0.0 && !uniform ? sqrt(fmax(freedom, 0.0) / whole) : NAN;
	/* a fit of no deviation leaves nothing but rounding */
	curve->peak_count = deviation > 0.0 ? find_peaks(curve->x, curve->residual, set->inverse_sigma, curve->count,
							 peak * deviation, curve->peaks)
					    : 0;
	for (int k = 0; k < curve->peak_count; ++k)
		curve->peaks[k].significance /= deviation;
}
