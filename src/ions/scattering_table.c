#include "ions/scattering_table.h"

#include <math.h>

#define PI 3.14159265358979323846
#define POINTS 200

/* tan(theta/2) = cos(beta)/sin(beta), beta = (pi - theta)/2 by quadrature, so that neither small angles nor those near pi
 * cancel. */
static double node(const struct screening *screening, double energy, double impact)
{
	double beta = scattering_beta(screening, energy, impact, POINTS);

	return 2.0 * log2(sin(beta) / cos(beta));
}

static double angle_node(const struct screening *screening, double energy, double impact)
{
	return screening->rates[0] == 0.0 ? 2.0 * log2(2.0 * energy * impact) : node(screening, energy, impact);
}

static double apsis_node(const struct screening *screening, double energy, double impact)
{
	return log2(scattering_apsis(screening, energy, impact));
}

static void fill(const struct screening *screening, int threads,
		 double (*value)(const struct screening *, double, double), float *table)
{
#pragma omp parallel for num_threads(threads)
	for (int i = 0; i < TABLE_ENERGIES; ++i) {
		double energy = exp2(TABLE_ENERGY_FIRST + (i - 1.0) / TABLE_AN_OCTAVE);
		for (int j = 0; j < TABLE_IMPACTS; ++j) {
			double impact = exp2(TABLE_IMPACT_FIRST + (j - 1.0) / TABLE_AN_OCTAVE);
			table[i * TABLE_IMPACTS + j] = (float)value(screening, energy, impact);
		}
	}
}

void scattering_table_fill(const struct screening *screening, int threads, float *table)
{
	fill(screening, threads, angle_node, table);
}

void scattering_table_fill_apsis(const struct screening *screening, int threads, float *table)
{
	fill(screening, threads, apsis_node, table);
}
