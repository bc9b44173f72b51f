#include "campaign/converge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Steps --------------------------------------------------------------------------------------------------- */

#define SMALLEST_ORDER 0.05
#define LARGEST_ORDER 20.0

/* The order of three figures; NaN if there is none. The right side increases with p. */
static double order_of(const double *h, const double *f)
{
	const double ratio = (f[0] - f[1]) / (f[1] - f[2]);
	double low = SMALLEST_ORDER, high = LARGEST_ORDER;

	if (!(ratio > 0.0) || !isfinite(ratio))
		return NAN;
	for (int k = 0; k < 200; ++k) {
		const double p = 0.5 * (low + high), /* of steps relative to the first, against underflow */
		    b = pow(h[1] / h[0], p), c = pow(h[2] / h[0], p);
		if ((1.0 - b) / (b - c) < ratio)
			low = p;
		else
			high = p;
	}
	return high < 0.999 * LARGEST_ORDER && low > 1.001 * SMALLEST_ORDER ? 0.5 * (low + high) : NAN;
}

/* The extrapolation of two figures. */
static double extrapolate(const double *h, const double *f, double order)
{
	const double part = pow(h[1] / h[0], order);

	return f[1] - (f[0] - f[1]) * part / (1.0 - part);
}

static double largest_difference(const double *f, size_t count)
{
	double largest = 0.0;

	for (size_t k = 0; k < count; ++k)
		for (size_t n = 0; n < k; ++n)
			largest = fmax(largest, fabs(f[k] - f[n]));
	return largest;
}

void converge_steps(const double *h, const double *f, size_t count, double order, struct extrapolation *result)
{
	const size_t needed = order > 0.0 ? 2 : 3;

	*result = (struct extrapolation){.value = NAN, .error = NAN, .order = NAN, .deviation = NAN};
	if (count == 0)
		return;
	result->value = f[count - 1];
	if (count < needed)
		return;
	const double observed = order > 0.0 ? order : order_of(h + count - 3, f + count - 3);
	if (!isfinite(observed)) {
		result->error = largest_difference(f + count - 3, 3);
		return;
	}
	result->order = observed;
	result->value = extrapolate(h + count - 2, f + count - 2, observed);
	result->error = fabs(result->value - f[count - 1]);
	if (count == needed)
		return;
	const double earlier = order > 0.0 ? order : order_of(h + count - 4, f + count - 4);
	if (isfinite(earlier))
		result->error = fabs(result->value - extrapolate(h + count - 3, f + count - 3, earlier));
}

/* Histories ----------------------------------------------------------------------------------------------- */

/* Slope of log e over log n. */
static double fit_power(const double *n, const double *e, size_t count)
{
	double points = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;

	for (size_t k = 0; k < count; ++k) {
		if (!(e[k] > 0.0))
			continue;
		points += 1.0;
		x += log(n[k]);
		y += log(e[k]);
		xx += log(n[k]) * log(n[k]);
		xy += log(n[k]) * log(e[k]);
	}
	const double spread = points * xx - x * x;
	return points >= 2.0 && spread > 0.0 ? (points * xy - x * y) / spread : NAN;
}

void converge_histories(const double *n, const double *f, const double *e, size_t count, struct extrapolation *result)
{
	*result = (struct extrapolation){.value = NAN, .error = NAN, .order = NAN, .deviation = NAN};
	if (count == 0)
		return;
	const size_t last = count - 1;
	result->value = f[last];
	result->error = e[last];
	result->order = fit_power(n, e, count);
	for (size_t k = 0; k < last; ++k) {
		const double variance = e[k] * e[k] - e[last] * e[last];
		if (variance > 0.0)
			result->deviation = fmax(isfinite(result->deviation) ? result->deviation : 0.0,
						 fabs(f[k] - f[last]) / sqrt(variance));
	}
}

/* Studies of a table -------------------------------------------------------------------------------------- */

/* Jobs that differ in the variable of the study alone. */
static bool is_same_study(const struct campaign *campaign, size_t a, size_t b)
{
	for (int k = 0; k < campaign->variable_count; ++k)
		if (k != campaign->over && strcmp(campaign->jobs[a].values[k], campaign->jobs[b].values[k]) != 0)
			return false;
	return true;
}

struct point {
	double x, figure, error;
};

static int compare_points(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

/* The points of a study from the coarsest to the finest. */
static size_t collect_points(const struct campaign *campaign, const struct campaign_table *table,
			     const struct study *study, struct point *points)
{
	size_t count = 0;

	for (size_t k = study->job; k < campaign->job_count; ++k) {
		const char *unit;
		if (!is_same_study(campaign, study->job, k) ||
		    !isfinite(campaign_table_figure(table, k, study->figure)))
			continue;
		(void)campaign_number(campaign->jobs[k].values[campaign->over], &points[count].x, &unit);
		if (campaign->convergence == CAMPAIGN_STEP)
			points[count].x = 1.0 / points[count].x;
		points[count].figure = campaign_table_figure(table, k, study->figure);
		points[count++].error = campaign_table_error(table, k, study->figure);
	}
	qsort(points, count, sizeof *points, compare_points);
	return count;
}

static sonde_status carry_out(const struct campaign *campaign, const struct campaign_table *table,
			      struct study *study)
{
	struct point *points;
	double *numbers;

	CHECK(memory_allocate(&points, campaign->job_count, sizeof *points, "a study"));
	const sonde_status status = memory_allocate(&numbers, 3 * campaign->job_count, sizeof *numbers, "a study");
	if (status != SONDE_OK) {
		free(points);
		return status;
	}
	const bool histories = campaign->convergence == CAMPAIGN_HISTORIES;
	const size_t count = study->count = collect_points(campaign, table, study, points);
	double *x = numbers, *f = x + count, *e = f + count;
	for (size_t k = 0; k < count; ++k) {
		x[k] = histories ? points[k].x : 1.0 / points[k].x;
		f[k] = points[k].figure;
		e[k] = points[k].error;
	}
	study->last = count > 0 ? f[count - 1] : NAN;
	if (histories)
		converge_histories(x, f, e, count, &study->result);
	else
		converge_steps(x, f, count, campaign->order, &study->result);
	free(numbers);
	free(points);
	return SONDE_OK;
}

sonde_status studies_make(const struct campaign *campaign, const struct campaign_table *table,
			  struct studies *studies)
{
	*studies = (struct studies){0};
	if (campaign->convergence == CAMPAIGN_FIXED)
		return SONDE_OK;
	for (size_t k = 0; k < campaign->job_count; ++k) {
		size_t first = 0;
		while (!is_same_study(campaign, first, k))
			++first;
		for (int figure = 0; first == k && figure < campaign->figure_count; ++figure) {
			CHECK(memory_grow(&studies->studies, &studies->capacity, studies->count + 1,
					  sizeof *studies->studies, "a study"));
			struct study *study = &studies->studies[studies->count++];
			*study = (struct study){.job = k, .figure = figure};
			CHECK(carry_out(campaign, table, study));
		}
	}
	return SONDE_OK;
}

void studies_free(struct studies *studies)
{
	free(studies->studies);
	*studies = (struct studies){0};
}

sonde_status studies_text(const struct campaign *campaign, const struct campaign_table *table,
			  const struct studies *studies, struct text *text)
{
	const bool histories = campaign->convergence == CAMPAIGN_HISTORIES;

	(void)table;
	for (int k = 0; k < campaign->variable_count; ++k)
		if (k != campaign->over)
			campaign_table_append_head(campaign, k, text);
	text_append(text, "figure,jobs,last,value,error,%s\n", histories ? "power,deviation" : "order");
	for (size_t n = 0; n < studies->count; ++n) {
		const struct study *study = &studies->studies[n];
		for (int k = 0; k < campaign->variable_count; ++k)
			if (k != campaign->over) {
				campaign_table_append_value(campaign, study->job, k, text);
				text_append(text, ",");
			}
		text_append(text, "%s,%zu,", campaign->figures[study->figure].name, study->count);
		campaign_table_append_real(study->last, text);
		text_append(text, ",");
		campaign_table_append_real(study->result.value, text);
		text_append(text, ",");
		campaign_table_append_real(study->result.error, text);
		text_append(text, ",");
		campaign_table_append_real(study->result.order, text);
		if (histories) {
			text_append(text, ",");
			campaign_table_append_real(study->result.deviation, text);
		}
		text_append(text, "\n");
	}
	return text_status(text);
}
