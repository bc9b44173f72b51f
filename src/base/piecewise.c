#include "base/piecewise.h"

#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"

#define LEAST_PARTS 16
#define MOST_PARTS 4096

/* The coefficients of a part from the values at its nodes, by way of Chebyshev's polynomials. */
static void fit(const double values[PIECEWISE_NUMBERS], double *numbers)
{
	double before[PIECEWISE_NUMBERS] = {1.0}, now[PIECEWISE_NUMBERS] = {0.0, 1.0};

	for (int p = 0; p < PIECEWISE_NUMBERS; ++p)
		numbers[p] = 0.0;
	for (int k = 0; k < PIECEWISE_NUMBERS; ++k) {
		double sum = 0.0, next[PIECEWISE_NUMBERS];
		for (int j = 0; j < PIECEWISE_NUMBERS; ++j)
			sum += values[j] * cos(k * PI * (j + 0.5) / PIECEWISE_NUMBERS);
		sum *= (k > 0 ? 2.0 : 1.0) / PIECEWISE_NUMBERS;
		/* T_k+1 = 2 x T_k - T_k-1 */
		for (int p = 0; p < PIECEWISE_NUMBERS; ++p) {
			numbers[p] += sum * before[p];
			next[p] = 2.0 * (p > 0 ? now[p - 1] : 0.0) - before[p];
		}
		for (int p = 0; p < PIECEWISE_NUMBERS; ++p) {
			before[p] = now[p];
			now[p] = next[p];
		}
	}
}

/* All parts; the error is found between the nodes, where it is largest. */
static double fill(double (*function)(const void *of, double x), const void *of, double high, struct piecewise *table)
{
	double largest = 0.0, error = 0.0;

	table->scale = table->parts / (high - table->low);
	for (int part = 0; part < table->parts; ++part) {
		double values[PIECEWISE_NUMBERS];
		for (int j = 0; j < PIECEWISE_NUMBERS; ++j) {
			const double y = cos(PI * (j + 0.5) / PIECEWISE_NUMBERS);
			values[j] = function(of, table->low + (part + 0.5 * (y + 1.0)) / table->scale);
			largest = fmax(largest, fabs(values[j]));
		}
		fit(values, table->numbers + PIECEWISE_NUMBERS * part);
	}
	for (int part = 0; part < table->parts; ++part)
		for (int j = 0; j <= PIECEWISE_NUMBERS; j += 2) {
			const double y = cos(PI * j / PIECEWISE_NUMBERS),
				     x = table->low + (part + 0.5 * (y + 1.0)) / table->scale;
			error = fmax(error, fabs(piecewise_value(table, x) - function(of, x)));
		}
	return largest > 0.0 ? error / largest : error;
}

sonde_status piecewise_make(double (*function)(const void *of, double x), const void *of, double low, double high,
			    double tolerance, struct piecewise *table)
{
	*table = (struct piecewise){.low = low};
	if (!(high > low))
		return SONDE_OK;
	for (int parts = LEAST_PARTS; parts <= MOST_PARTS; parts *= 4) {
		free(table->numbers);
		table->parts = parts;
		CHECK(memory_allocate(&table->numbers, PIECEWISE_NUMBERS * (size_t)parts, sizeof(double), "a table"));
		if (fill(function, of, high, table) <= tolerance)
			return SONDE_OK;
	}
	piecewise_free(table);
	return SONDE_OK;
}

void piecewise_free(struct piecewise *table)
{
	free(table->numbers);
	*table = (struct piecewise){.parts = 0};
}
