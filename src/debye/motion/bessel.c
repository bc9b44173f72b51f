#include "debye/motion/bessel.h"

#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

/* Below: the mean of cos(x sin t) over 32 angles, whose error is 2 J_64(x). Beyond: Hankel's expansion, whose terms fall to
 * 1e-17 (M. Abramowitz & I. A. Stegun, Handbook of Mathematical Functions, 9.1.18 and 9.2.5). */
#define ANGLES 32
#define ASYMPTOTIC 25.0

static double cosine_and_sine(double x, double *sine)
{
	lanes_f64 s, c;

	lanes_sincos(LANES_SPLAT(x), &s, &c, 0);
	*sine = LANES_FIRST(s);
	return LANES_FIRST(c);
}

static double mean_over_angles(double x)
{
	double sum = 0.0, sine, of_angle;

	for (int k = 0; k < ANGLES / 2; ++k) {
		(void)cosine_and_sine(PI * ((double)k + 0.5) / ANGLES, &of_angle);
		sum += cosine_and_sine(x * of_angle, &sine);
	}
	return 2.0 * sum / ANGLES;
}

double bessel_j0(double x)
{
	double p = 1.0, q = 0.0, term = 1.0, sine;

	if (x < ASYMPTOTIC)
		return mean_over_angles(x);
	for (int k = 1; k <= 24 && fabs(term) > 1e-17; ++k) {
		const double odd = 2.0 * (double)k - 1.0;
		term *= -odd * odd / ((double)k * 8.0 * x);
		if (k % 2 == 1)
			q += k % 4 == 1 ? term : -term;
		else
			p += k % 4 == 2 ? -term : term;
	}
	const double cosine = cosine_and_sine(x - 0.25 * PI, &sine);
	return sqrt(2.0 / (PI * x)) * (p * cosine - q * sine);
}

/* The table ------------------------------------------------------------------------------------------------------ */

#define PER_UNIT 32      /* nodes; the 7 points around one leave an error of 9e-4/32^7 = 3e-14 */
#define FARTHEST 16384.0 /* 30 MB */
#define TERMS 7

struct bessel_table {
	int64_t nodes;
	double (*series)[TERMS]; /* of 32 (x - node) */
};

/* Stirling's formula of the central differences (Abramowitz & Stegun, 25.2.31) in powers of t. */
static void find_series(const double f[TERMS], double series[TERMS])
{
	const double one = (f[4] - f[2]) / 2.0, two = f[4] - 2.0 * f[3] + f[2],
		     three = (f[5] - 2.0 * f[4] + 2.0 * f[2] - f[1]) / 2.0,
		     four = f[5] - 4.0 * f[4] + 6.0 * f[3] - 4.0 * f[2] + f[1],
		     five = (f[6] - 4.0 * f[5] + 5.0 * f[4] - 5.0 * f[2] + 4.0 * f[1] - f[0]) / 2.0,
		     six = f[6] - 6.0 * f[5] + 15.0 * f[4] - 20.0 * f[3] + 15.0 * f[2] - 6.0 * f[1] + f[0];

	series[0] = f[3];
	series[1] = one - three / 6.0 + five / 30.0;
	series[2] = two / 2.0 - four / 24.0 + six / 180.0;
	series[3] = three / 6.0 - five / 24.0;
	series[4] = four / 24.0 - six / 144.0;
	series[5] = five / 120.0;
	series[6] = six / 720.0;
}

sonde_status bessel_table_create(double last, struct bessel_table **table)
{
	const int64_t nodes = (int64_t)ceil(fmin(last, FARTHEST) * PER_UNIT) + 2;
	double f[TERMS];
	sonde_status status;

	CHECK(memory_allocate(table, 1, sizeof **table, "Bessel's function"));
	(*table)->nodes = nodes;
	status = memory_allocate(&(*table)->series, (size_t)nodes, sizeof *(*table)->series, "Bessel's function");
	if (status != SONDE_OK)
		bessel_table_free(table);
	if (status != SONDE_OK)
		return status;
	for (int k = 0; k < TERMS; ++k)
		f[k] = bessel_j0(fabs((double)(k - 4) / PER_UNIT));
	for (int64_t n = 0; n < nodes; ++n) {
		for (int k = 0; k + 1 < TERMS; ++k)
			f[k] = f[k + 1];
		f[TERMS - 1] = bessel_j0((double)(n + 3) / PER_UNIT);
		find_series(f, (*table)->series[n]);
	}
	return SONDE_OK;
}

void bessel_table_free(struct bessel_table **table)
{
	if (*table != NULL)
		free((*table)->series);
	free(*table);
	*table = NULL;
}

double bessel_table_j0(const struct bessel_table *table, double x)
{
	const double place = x * PER_UNIT + 0.5;

	if (!(place < (double)table->nodes))
		return bessel_j0(x);
	const int64_t n = (int64_t)place;
	const double t = place - 0.5 - (double)n, *c = table->series[n];
	return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * (c[5] + t * c[6])))));
}
