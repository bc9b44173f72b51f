#include "stopping/table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

#define ENERGIES 121
#define A_DECADE 20.0
#define UNIT (1.0 / 2000.0) /* of ln S */
#define NUMBERS ((size_t)STOPPING_ELEMENTS * STOPPING_ELEMENTS * ENERGIES)

struct stopping_table {
	int16_t numbers[STOPPING_ELEMENTS][STOPPING_ELEMENTS][ENERGIES];
};

static sonde_status fill(gzFile file, const char *path, struct stopping_table *table)
{
	int16_t *to = &table->numbers[0][0][0];
	unsigned char bytes[2 * ENERGIES];

	for (size_t row = 0; row < NUMBERS / ENERGIES; ++row, to += ENERGIES) {
		if (gzread(file, bytes, sizeof bytes) != (int)sizeof bytes)
			return status_fail_file(SONDE_INVALID, path, "ends before %zu numbers of a stopping table",
						NUMBERS);
		for (int k = 0; k < ENERGIES; ++k) {
			to[k] = (int16_t)(bytes[2 * k] | bytes[2 * k + 1] << 8);
			/* from 10^-4 to 10^7 */
			if (abs(to[k]) > 32400)
				return status_fail_file(SONDE_INVALID, path, "is not a stopping table: it holds %g",
							UNIT * to[k]);
		}
	}
	return gzread(file, bytes, 1) == 0
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, path, "has more than the %zu numbers of a stopping table",
				      NUMBERS);
}

sonde_status stopping_table_read(const char *path, struct stopping_table **table)
{
	gzFile file = gzopen(path, "rbe");

	*table = NULL;
	if (file == NULL)
		return status_fail_file(SONDE_INVALID, path, "cannot be read");
	sonde_status status = memory_allocate(table, 1, sizeof **table, "the stopping table");
	if (status == SONDE_OK)
		status = fill(file, path, *table);
	gzclose(file);
	if (status != SONDE_OK)
		stopping_table_free(table);
	return status;
}

const void *stopping_table_contents(const struct stopping_table *table, size_t *size)
{
	*size = sizeof *table;
	return table;
}

void stopping_table_free(struct stopping_table **table)
{
	free(*table);
	*table = NULL;
}

#define CUBIC 4 /* nodes */
#define QUINTIC 6

/* ln S by the polynomial through `nodes` nodes around a place in units of their distance, at the ends of the table through the nodes
 * there; *weights becomes the sum of the magnitudes of Lagrange's weights, by which rounding errors of the nodes grow at most. */
static double interpolate(const int16_t *row, int nodes, double place, double *weights)
{
	int first = (int)place - (nodes / 2 - 1);
	double sum = 0.0;

	first = first < 0 ? 0 : first > ENERGIES - nodes ? ENERGIES - nodes : first;
	*weights = 0.0;
	for (int j = 0; j < nodes; ++j) {
		double weight = 1.0;
		for (int k = 0; k < nodes; ++k)
			weight *= k == j ? 1.0 : (place - first - k) / (j - k);
		sum += weight * row[first + j];
		*weights += fabs(weight);
	}
	return UNIT * sum;
}

double stopping_table_value(const struct stopping_table *table, int z1, int z2, double energy)
{
	const int16_t *row = table->numbers[z1 - 1][z2 - 1];

	if (energy <= STOPPING_FIRST)
		return exp(UNIT * row[0]) * sqrt(energy / STOPPING_FIRST);
	/* cubic Lagrange interpolation through four nodes; in the end intervals through those of the adjacent
	 * interval */
	double place = A_DECADE * log10(energy / STOPPING_FIRST);
	int first = (int)place - 1;
	first = first < 0 ? 0 : first > ENERGIES - 4 ? ENERGIES - 4 : first;
	double t = place - first - 1, sum = -t * (t - 1.0) * (t - 2.0) / 6.0 * row[first] +
					    (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0 * row[first + 1] -
					    (t + 1.0) * t * (t - 2.0) / 2.0 * row[first + 2] +
					    (t + 1.0) * t * (t - 1.0) / 6.0 * row[first + 3];
	return exp(UNIT * sum);
}

double stopping_table_error(const struct stopping_table *table, int z1, int z2, double energy)
{
	const int16_t *row = table->numbers[z1 - 1][z2 - 1];
	double weights = 1.0, interpolation = 0.0, others;

	if (energy > STOPPING_FIRST) {
		const double place = A_DECADE * log10(energy / STOPPING_FIRST);
		interpolation =
		    fabs(interpolate(row, CUBIC, place, &weights) - interpolate(row, QUINTIC, place, &others));
	}
	return expm1(interpolation + 0.5 * UNIT * weights);
}
