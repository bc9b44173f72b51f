#include "ions/scattering_table.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define POINTS 80 /* error of tan^2(theta/2): 1.2e-5 at worst, where it is not too small to matter */

/* What a table is of, and the last one: a run needs it twice, for the self-test and for itself. */
enum content { ANGLES, APSIDES, CONTENTS };
static struct kept {
	const struct screening *screening;
	float numbers[TABLE_NUMBERS];
} kept[CONTENTS];
static pthread_mutex_t kept_mutex = PTHREAD_MUTEX_INITIALIZER;

/* tan(theta/2) = cos(beta)/sin(beta), beta = (pi - theta)/2 by quadrature, so that neither small angles nor those near pi
 * cancel. */
static double angle(const struct screening *screening, double energy, double impact, const double *nodes)
{
	if (screening->rates[0] == 0.0)
		return 2.0 * log2(2.0 * energy * impact);
	double beta = scattering_beta_by(screening, energy, impact, POINTS, nodes);
	return 2.0 * log2(sin(beta) / cos(beta));
}

static void make(enum content content, const struct screening *screening, int threads, float *table)
{
	double nodes[POINTS];

	scattering_nodes(POINTS, nodes);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
	for (int i = 0; i < TABLE_ENERGIES; ++i) {
		double energy = exp2(TABLE_ENERGY_FIRST + (i - 1.0) / TABLE_AN_OCTAVE);
		for (int j = 0; j < TABLE_IMPACTS; ++j) {
			double impact = exp2(TABLE_IMPACT_FIRST + (j - 1.0) / TABLE_AN_OCTAVE);
			table[i * TABLE_IMPACTS + j] =
			    (float)(content == ANGLES ? angle(screening, energy, impact, nodes)
						      : log2(scattering_apsis(screening, energy, impact)));
		}
	}
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
