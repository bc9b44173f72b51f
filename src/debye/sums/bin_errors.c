#include "debye/sums/bin_errors.h"

#include <math.h>

/* Inlined, unlike fmax(), which takes most of the time here. */
static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Largest third central moment of numbers in [0, width] with this mean and variance:
 * v (w - m) - v^2/(w - m), and its mirror image (Cauchy's inequality on E[(x - m)^2 (w - x)]). Two numbers or
 * fewer are determined by their mean and variance. */
static double largest_third_moment(const struct bin_moments *bin, double width)
{
	double above = larger(width - bin->mean, 1.0), below = larger(bin->mean, 1.0), v = bin->variance;

	if (bin->pairs <= 2.0)
		return 0.0;
	return larger(0.0, larger(v * above - v * v / above, v * below - v * v / below));
}

#define NEAR 0.5 /* Angstrom; closer than any two atoms of a real sample */

/* Largest fourth central moment, and the fourth power of the deviation, which replaces it. */
static double largest_fourth_moments(const struct bin_moments *bin, double width)
{
	double furthest = larger(width - bin->mean, bin->mean);

	return bin->pairs <= 2.0 ? 0.0 : bin->variance * (furthest * furthest + bin->variance);
}

/* Half a unit for the rounding of an offset, half for a deviation below one unit that was treated as none. Offsets
 * that seem equal may still have a variance of bin->square_unit. */
static void add_bounds(struct histogram_error *error, const struct bin_moments *bin, double nearest, double unit,
		       double skew, double units_per_bin)
{
	double unit_2 = unit * unit;
	double fourth = bin->pairs * largest_fourth_moments(bin, units_per_bin) * unit_2 * unit_2;
	double displaced = bin->pairs * unit, inverse = 1.0 / nearest, power = 1.0;
	double variance = bin->pairs > 1.0 ? bin->pairs * bin->square_unit * unit_2 : 0.0;

	if (nearest < NEAR) {
		error->third_near += skew;
		error->fourth_near += fourth;
		error->displaced_near += displaced;
		error->variance_near += variance;
		return;
	}
	for (int j = 0; j < BOUND_POWERS; ++j, power *= inverse) {
		error->third[j] += skew * power;
		if (j < 2)
			error->fourth[j] += fourth * power;
		if (j < 4)
			error->variance[j] += variance * power;
		if (j < 3)
			error->displaced[j] += displaced * power;
	}
}

void bin_errors_add(struct histogram_error *error, const struct bin_moments *bin, double r, double unit,
		    double units_per_bin)
{
	double skew = bin->pairs * largest_third_moment(bin, units_per_bin) * unit * unit * unit;
	double rounding = bin->pairs * unit * (1.0 / 3.46); /* uniform in +-unit/2 */
	double second = bin->variance > 0.0 ? bin->pairs * bin->square_unit * unit * unit * (1.0 / 3.46) : 0.0;

	/* mean +- deviation lie less than a bin width beyond the ends of the bin */
	add_bounds(error, bin, r - 2.0 * units_per_bin * unit, unit, skew, units_per_bin);
	if (r < NEAR) {
		error->skew_near += skew * skew;
		error->rounding_near += rounding * rounding;
		error->second_near += second * second;
		return;
	}
	const double inverse_square = 1.0 / (r * r);
	error->skew += skew * skew;
	error->skew_over_r += skew * skew * inverse_square;
	error->rounding_over_r += rounding * rounding * inverse_square;
	error->second_over_r += second * second * inverse_square;
}

void bin_errors_join(struct histogram_error *error, const struct histogram_error *more)
{
	error->skew += more->skew;
	error->skew_over_r += more->skew_over_r;
	error->skew_near += more->skew_near;
	error->rounding_over_r += more->rounding_over_r;
	error->rounding_near += more->rounding_near;
	error->second_over_r += more->second_over_r;
	error->second_near += more->second_near;
	for (int j = 0; j < 4; ++j)
		error->variance[j] += more->variance[j];
	for (int j = 0; j < BOUND_POWERS; ++j)
		error->third[j] += more->third[j];
	for (int j = 0; j < 2; ++j)
		error->fourth[j] += more->fourth[j];
	for (int j = 0; j < 3; ++j)
		error->displaced[j] += more->displaced[j];
	error->variance_near += more->variance_near;
	error->third_near += more->third_near;
	error->fourth_near += more->fourth_near;
	error->displaced_near += more->displaced_near;
	error->nearest = error->farthest == 0.0 ? more->nearest : error->nearest;
	error->farthest = fmax(error->farthest, more->farthest);
}
