/* R(r) and n(r) of atoms that move.
 *
 * The vector of a pair is d plus a displacement with a normal distribution of the variance s along each axis. The length r of
 * such a vector has the density and the distribution function
 *
 *     p(r) = r/(d sqrt(2 pi s)) (exp(-(r - d)^2/(2 s)) - exp(-(r + d)^2/(2 s))),
 *     P(r) = (erf((r - d)/sqrt(2 s)) + erf((r + d)/sqrt(2 s)))/2 - p(r) s/r,
 *
 * and its mean of sin(q r)/(q r) is that of d times exp(-q^2 s/2): the peak of a pair in G(r), times r. s follows motion.h. R(r)
 * is the mean of p over a bin, and n(r) is P itself.
 */
#include "debye/motion/count_peaks.h"

#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "debye/motion/motion.h"

#define WIDTHS 8.0    /* beyond, less than 10^-15 of a peak */
#define WIDTHS_SEEN 5 /* beyond, less than 10^-6 */

static double square_of_pair(const struct count_peaks *peaks, int pair, double d)
{
	return fmax(peaks->u[pair] * motion_law(&peaks->law, d), 0.0);
}

/* P(r) */
static double part_below(double r, double d, double s)
{
	const double unit = sqrt(2.0 * s);

	if (r <= 0.0)
		return 0.0;
	const double below = (r - d) / unit, above = (r + d) / unit;
	if (d < 1e-3 * unit) /* the limit of a small d, Maxwell's distribution, within 10^-6 d^2/s */
		return erf(r / unit) - 2.0 * r / (unit * sqrt(PI)) * exp(-r * r / (unit * unit));
	return 0.5 * (erf(below) + erf(above)) -
	       unit / (2.0 * d * sqrt(PI)) * (exp(-below * below) - exp(-above * above));
}

sonde_status count_peaks_make(const struct debye_classes *classes, const sonde_grid *r, int rows,
			      struct count_peaks **made)
{
	const int pairs = species_pair_count(classes->count);
	struct count_peaks *peaks;

	*made = NULL;
	if (classes->displacement == NULL || r->points < 2)
		return SONDE_OK;
	CHECK(memory_allocate(&peaks, 1, sizeof *peaks, "the numbers of pairs"));
	*made = peaks;
	*peaks = (struct count_peaks){.r = *r, .rows = rows, .pairs = pairs};
	if (classes->motion != NULL)
		peaks->law = *classes->motion;
	CHECK(memory_allocate(&peaks->u, (size_t)pairs, sizeof *peaks->u, "the numbers of pairs"));
	for (int a = 0; a < classes->count; ++a)
		for (int b = a; b < classes->count; ++b)
			peaks->u[species_pair_index(classes->count, a, b)] =
			    classes->displacement[a] + classes->displacement[b];
	CHECK(memory_allocate(&peaks->radial, (size_t)rows * (size_t)r->points, sizeof *peaks->radial, "R(r)"));
	return memory_allocate(&peaks->steps, (size_t)rows * (size_t)r->points, sizeof *peaks->steps, "n(r)");
}

void count_peaks_free(struct count_peaks **freed)
{
	struct count_peaks *peaks = *freed;

	if (peaks == NULL)
		return;
	free(peaks->u);
	free(peaks->radial);
	free(peaks->steps);
	free(peaks);
	*freed = NULL;
}

/* A peak, or the place of a distance. */
struct peak {
	double d, s, weight;
};

static double part_of(const struct peak *peak, double r)
{
	return peak->s > 0.0 ? part_below(r, peak->d, peak->s) : r >= peak->d ? 1.0 : 0.0;
}

/* Points `first` + k step, k = 0 to `count`. */
struct ladder {
	double first, step;
	int64_t count;
};

/* Adds to row[k] the part of the peak between the points k and k + 1. Returns the part below the first point. */
static double add_peak(const struct peak *peak, const struct ladder *points, double *row)
{
	const double reach = WIDTHS * sqrt(peak->s), low = floor((peak->d - reach - points->first) / points->step),
		     high = ceil((peak->d + reach - points->first) / points->step);

	if (low >= (double)points->count || high <= 0.0)
		return high <= 0.0 ? 1.0 : 0.0;
	const int64_t begin = low > 0.0 ? (int64_t)low : 0,
		      end = high < (double)points->count ? (int64_t)high : points->count;
	double before = begin == 0 ? part_of(peak, points->first) : 0.0;
	const double below = before;
	for (int64_t k = begin; k < end; ++k) {
		const double part =
		    (double)(k + 1) == high ? 1.0 : part_of(peak, points->first + (double)(k + 1) * points->step);
		row[k] += peak->weight * (part - before);
		before = part;
	}
	return below;
}

void count_peaks_add(struct count_peaks *peaks, int row, int pair, double weight, double d)
{
	const struct peak peak = {d, square_of_pair(peaks, pair, d), weight};
	const int64_t points = peaks->r.points;
	const double step = (peaks->r.last - peaks->r.first) / (double)(points - 1);
	const struct ladder steps = {peaks->r.first, step, points - 1},
			    edges = {peaks->r.first - 0.5 * step, step, points};
	double *of_steps = peaks->steps + row * points;

	of_steps[0] += weight * add_peak(&peak, &steps, of_steps + 1);
	(void)add_peak(&peak, &edges, peaks->radial + row * points);
}

double count_peaks_reach(const struct count_peaks *peaks, double cutoff)
{
	double largest = 0.0;

	for (int pair = 0; pair < peaks->pairs; ++pair)
		largest = fmax(largest, square_of_pair(peaks, pair, cutoff));
	return WIDTHS_SEEN * sqrt(largest);
}
