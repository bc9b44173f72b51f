#include "ions/scattering/scattering_table.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "base/threads.h"

#define POINTS 80  /* error of tan^2(theta/2): at most 1.2e-5, except where it is negligible */
#define SMALL 1e-7 /* the first order is used below this size */

/* Parameters of a table, and the last one: a run needs it twice, for the self-test and for the histories. */
enum content { ANGLES, APSIDES, CONTENTS };
static struct kept {
	const struct screening *screening;
	float numbers[TABLE_NUMBERS];
} kept[CONTENTS];
static pthread_mutex_t kept_mutex = PTHREAD_MUTEX_INITIALIZER;

/* theta/2 to first order in the potential, which for sums of exponentials is a sum of Bessel functions: sum of w r
 * K1(r s)/(2 epsilon), K1(z) = integral from 0 of exp(-z cosh t) cosh t dt (by the trapezoidal rule, which this
 * integrand suits). For r s of at least 1. */
static double small_angle(const struct screening *screening, double energy, double impact)
{
	const double step = 1.0 / 16.0;
	const int points = 128; /* to t = 8 */
	double sum = 0.0;

	for (int k = 0; k < screening->terms; ++k) {
		double z = screening->rates[k] * impact, bessel = 0.5 * exp(-z);
		for (int i = 1; i < points; ++i)
			bessel += exp(-z * cosh(i * step)) * cosh(i * step);
		sum += screening->weights[k] * screening->rates[k] * step * bessel;
	}
	return 0.5 * sum / energy;
}

/* -log2 of tan^2(theta/2), tan(theta/2) = cos(beta)/sin(beta), beta = (pi - theta)/2 by quadrature, so that
 * neither angles near pi nor relevant small ones suffer from cancellation. */
static double angle(const struct screening *screening, double energy, double impact, const double *nodes)
{
	if (screening->rates[0] == 0.0)
		return 2.0 * log2(2.0 * energy * impact);
	double beta = scattering_beta_by(screening, energy, impact, POINTS, nodes), tangent = cos(beta) / sin(beta);
	return -2.0 * log2(tangent > SMALL ? tangent : small_angle(screening, energy, impact));
}

/* log2 at a node, where the first has number -1: the inverse of the formula of the layout. */
static double place(int node, double first, double density, double growth)
{
	return first + 2.0 * node / (density + sqrt(density * density + 4.0 * growth * node));
}

static double energy_at(int i)
{
	return exp2(
	    place(i - 1, (double)TABLE_ENERGY_FIRST, (double)TABLE_ENERGY_DENSITY, (double)TABLE_ENERGY_GROWTH));
}

static double impact_at(int j)
{
	return exp2(
	    place(j - 1, (double)TABLE_IMPACT_FIRST, (double)TABLE_IMPACT_DENSITY, (double)TABLE_IMPACT_GROWTH));
}

struct filling {
	enum content content;
	const struct screening *screening;
	double nodes[POINTS];
	float *table;
};

static void fill_energies(void *state, int64_t first, int64_t end, int worker)
{
	const struct filling *filling = state;
	const struct screening *screening = filling->screening;

	(void)worker;
	for (int64_t i = first; i < end; ++i) {
		double energy = energy_at((int)i);
		for (int j = 0; j < TABLE_IMPACTS; ++j) {
			double impact = impact_at(j);
			filling->table[i * TABLE_IMPACTS + j] =
			    (float)(filling->content == ANGLES ? angle(screening, energy, impact, filling->nodes)
							       : log2(scattering_apsis(screening, energy, impact)));
		}
	}
}

static void make(enum content content, const struct screening *screening, int threads, float *table)
{
	struct filling filling = {.content = content, .screening = screening, .table = table};

	scattering_nodes(POINTS, filling.nodes);
	threads_for(threads, TABLE_ENERGIES, 1, fill_energies, &filling);
}

static void fill(enum content content, const struct screening *screening, int threads, float *table)
{
	struct kept *last = &kept[content];

	pthread_mutex_lock(&kept_mutex);
	if (last->screening != screening) {
		make(content, screening, threads, last->numbers);
		last->screening = screening;
	}
	memcpy(table, last->numbers, sizeof last->numbers);
	pthread_mutex_unlock(&kept_mutex);
}

void scattering_table_fill(const struct screening *screening, int threads, float *table)
{
	fill(ANGLES, screening, threads, table);
}

void scattering_table_fill_apsis(const struct screening *screening, int threads, float *table)
{
	fill(APSIDES, screening, threads, table);
}
