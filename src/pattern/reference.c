/* The oracle: every atom at a scattering vector, with phases and sums in about twice the precision of float64, and the C
 * library's sine and cosine. Slow and simple. */
#include <math.h>

#include "matter/atoms/placed_atoms.h"
#include "pattern/pattern.h"
#include "run/ordered_sum.h"

#define ATOMS_AT_ONCE 65536 /* between two looks at a request to stop */

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
	const sonde_context *context; /* whose stop ends the sum */
	const sonde_atoms *view;
	const double *vector, *fr, *fi;
};

/* `count` atoms from the first one on, at their places in a copy if it is not null. */
static void add_atoms(const struct summing *summing, int64_t first, int64_t count, const struct placement *placement,
		      struct ordered_sum sums[2])
{
	for (int64_t i = first; i < first + count; ++i) {
		if (i % ATOMS_AT_ONCE == 0 && context_cancelled(summing->context))
			return;
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

void pattern_reference(const sonde_context *context, const struct pattern_sample *sample, const double vector[3],
		       double q, double *real, double *imaginary, double *squares)
{
	const sonde_atoms *view = &sample->view;
	struct ordered_sum sums[2] = {{0.0, 0.0}, {0.0, 0.0}};
	double fr[PATTERN_MOST_CLASSES] = {0.0}, fi[PATTERN_MOST_CLASSES] = {0.0};

	*squares = 0.0;
	for (int c = 0; c < sample->class_count; ++c) {
		(void)pattern_class_amplitude(&sample->classes[c], vector, q, &fr[c], &fi[c]);
		*squares += (double)view->species[c].atoms * (fr[c] * fr[c] + fi[c] * fi[c]);
	}
	const struct summing summing = {context, view, vector, fr, fi};
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
