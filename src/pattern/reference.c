/* The oracle: every atom at a scattering vector, with phases and sums in about twice the precision of float64, and the C
 * library's sine and cosine. Slow and simple. */
#include <math.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/placed_atoms.h"
#include "pattern/pattern.h"
#include "run/ordered_sum.h"

/* Atoms times pixels that are computed again, each at the cost of a hundred terms: so many, or this part of all. */
#define CHECKED_TERMS 5e5
#define CHECKED_PART (1.0 / 4000.0)
#define LEAST_CHECKED 4
#define MOST_TERMS 1e8 /* of few pixels, all of which are computed again: some 5 seconds of a core */

/* q.r as the unevaluated sum *high + *low: products by a multiply-add without their rounding (T. J. Dekker, Numer.
 * Math. 18 (1971) 224), sums as in run/ordered_sum.h. */
static void phase_of(const double q[3], const double r[3], double *high, double *low)
{
	struct ordered_sum sum = {0.0, 0.0};

	for (int k = 0; k < 3; ++k) {
		const double product = q[k] * r[k];
		ordered_sum_add(&sum, product);
		sum.lost += fma(q[k], r[k], -product);
	}
	*high = sum.sum;
	*low = sum.lost;
}

/* exp(i q.r), to first order in the low part of the phase. */
void pattern_wave(const double q[3], const double r[3], double *real, double *imaginary)
{
	double high, low;

	phase_of(q, r, &high, &low);
	const double c = cos(high), s = sin(high);
	*real = c - low * s;
	*imaginary = s + low * c;
}

void pattern_place(const struct pattern_sample *sample, const double vector[3], double *real, double *imaginary)
{
	const double re = *real, im = *imaginary;
	double wr, wi;

	pattern_wave(vector, sample->center, &wr, &wi);
	*real = re * wr - im * wi;
	*imaginary = re * wi + im * wr;
}

/* The atoms of a view at a vector, with the amplitudes of classes. */
struct summing {
	const sonde_atoms *view;
	const double *vector, *fr, *fi;
};

/* `count` atoms from the first one on, at their places in a copy if it is not null. */
static void add_atoms(const struct summing *summing, int64_t first, int64_t count, const struct placement *placement,
		      struct ordered_sum sums[2])
{
	for (int64_t i = first; i < first + count; ++i) {
		const double fr = summing->fr[summing->view->species_of[i]],
			     fi = summing->fi[summing->view->species_of[i]], *r = summing->view->positions + 3 * i;
		double placed[3], wr, wi;
		if (placement != NULL)
			placement_apply(placement, r, placed);
		pattern_wave(summing->vector, placement != NULL ? placed : r, &wr, &wi);
		ordered_sum_add(&sums[0], fr * wr - fi * wi);
		ordered_sum_add(&sums[1], fr * wi + fi * wr);
	}
}

void pattern_reference(const struct pattern_sample *sample, const double vector[3], double q, double *real,
		       double *imaginary, double *squares)
{
	const sonde_atoms *view = &sample->view;
	struct ordered_sum sums[2] = {{0.0, 0.0}, {0.0, 0.0}};
	double fr[PATTERN_MOST_CLASSES] = {0.0}, fi[PATTERN_MOST_CLASSES] = {0.0};

	*squares = 0.0;
	for (int c = 0; c < sample->class_count; ++c) {
		(void)pattern_class_amplitude(&sample->classes[c], vector, q, &fr[c], &fi[c]);
		*squares += (double)view->species[c].atoms * (fr[c] * fr[c] + fi[c] * fi[c]);
	}
	const struct summing summing = {view, vector, fr, fi};
	if (sample->copies.count == 0)
		add_atoms(&summing, 0, view->count, NULL, sums);
	for (int g = 0; g < sample->copies.count; ++g) {
		const struct pattern_copies_of *group = &sample->copies.groups[g];
		for (int64_t copy = 0; copy < group->copies; ++copy)
			add_atoms(&summing, group->first, group->atoms,
				  &sample->copies.placements[group->first_copy + copy], sums);
	}
	*real = ordered_sum_value(&sums[0]);
	*imaginary = ordered_sum_value(&sums[1]);
}

/* The check ------------------------------------------------------------------------------------------------- */

int64_t pattern_checked(const struct pattern_plan *plan)
{
	const double atoms = (double)plan->sample.count, pixels = (double)plan->pixels.count;
	const double wanted =
	    pixels <= PATTERN_MOST_CHECKED && pixels * atoms <= MOST_TERMS
		? pixels
		: fmin(PATTERN_MOST_CHECKED, fmax(LEAST_CHECKED, fmax(CHECKED_TERMS / atoms, CHECKED_PART * pixels)));

	return plan->pixels.count < (int64_t)wanted ? plan->pixels.count : (int64_t)wanted;
}

/* Pixels spread over all: multiples of the golden ratio. */
int64_t pattern_checked_pixel(const struct pattern_plan *plan, int64_t k)
{
	const double part = 0.6180339887498949 * (double)(k + 1);

	return pattern_checked(plan) == plan->pixels.count
		   ? k
		   : (int64_t)((part - floor(part)) * (double)plan->pixels.count);
}

struct checking {
	const sonde_context *context;
	const struct pattern_plan *plan;
	const struct pattern_values *values;
	int64_t count;
	double errors[PATTERN_MOST_CHECKED];
};

static void check_some(void *state, int64_t first, int64_t end, int worker)
{
	struct checking *checking = state;
	const struct pattern_plan *plan = checking->plan;

	(void)worker;
	for (int64_t k = first; k < end && !context_cancelled(checking->context); ++k) {
		const int64_t n = pattern_checked_pixel(plan, k);
		double vector[3], real, imaginary, squares;
		const double q = pattern_pixel(&plan->pixels, n, vector);
		pattern_reference(&plan->sample, vector, q, &real, &imaginary, &squares);
		double dr = checking->values->real[n], di = checking->values->imaginary[n];
		pattern_place(&plan->sample, vector, &dr, &di);
		dr -= real;
		di -= imaginary;
		checking->errors[k] = squares > 0.0 ? sqrt((dr * dr + di * di) / squares) : 0.0;
	}
}

sonde_status pattern_error(sonde_context *context, const struct pattern_plan *plan,
			   const struct pattern_values *values, double *largest, int64_t *checked)
{
	struct checking checking = {
	    .context = context, .plan = plan, .values = values, .count = pattern_checked(plan)};

	threads_for(context_threads(context), checking.count, 1, check_some, &checking);
	*largest = 0.0;
	for (int64_t k = 0; k < checking.count; ++k)
		*largest = fmax(*largest, checking.errors[k]);
	*checked = checking.count;
	return context_cancelled(context)
		   ? status_fail(SONDE_CANCELLED, "stopped on request while checking the pattern")
		   : SONDE_OK;
}
