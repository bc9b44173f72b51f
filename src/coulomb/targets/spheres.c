#include "coulomb/targets/spheres.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define MOST_CELLS_OF_BALL 4.0
#define FEW_CELLS 64.0
#define LEAST_EDGE 1e-3 /* Angstrom */
#define LARGER 1.26     /* about half as many cells */

static int64_t cell_along(const struct spheres *spheres, int k, double coordinate)
{
	double cell = floor((coordinate - spheres->low[k]) / spheres->edge);

	return cell < 0.0 ? 0 : cell >= (double)spheres->cells[k] ? spheres->cells[k] - 1 : (int64_t)cell;
}

static int64_t cell_of(const struct spheres *spheres, const double point[3])
{
	return (cell_along(spheres, 2, point[2]) * spheres->cells[1] + cell_along(spheres, 1, point[1])) *
		   spheres->cells[0] +
	       cell_along(spheres, 0, point[0]);
}

static double cells_along(double extent, double edge)
{
	return floor(extent / edge) + 1.0;
}

/* Cells as wide as a search reaches, or wider where there would be far more of them than balls. */
static void lay_cells(int64_t count, double reach, struct spheres *spheres)
{
	const double most = MOST_CELLS_OF_BALL * (double)count + FEW_CELLS;
	double high[3], extents[3] = {0.0};

	for (int k = 0; k < 3; ++k) {
		spheres->low[k] = INFINITY;
		high[k] = -INFINITY;
		for (int64_t i = 0; i < count; ++i) {
			spheres->low[k] = fmin(spheres->low[k], spheres->positions[3 * i + k]);
			high[k] = fmax(high[k], spheres->positions[3 * i + k]);
		}
		if (count > 0)
			extents[k] = high[k] - spheres->low[k];
	}
	spheres->edge = fmax(reach + spheres->largest, LEAST_EDGE);
	while (cells_along(extents[0], spheres->edge) * cells_along(extents[1], spheres->edge) *
		   cells_along(extents[2], spheres->edge) >
	       most)
		spheres->edge *= LARGER;
	for (int k = 0; k < 3; ++k)
		spheres->cells[k] = (int64_t)cells_along(extents[k], spheres->edge);
}

sonde_status spheres_make(int64_t count, const double *positions, const double *radii, double reach,
			  struct spheres *spheres)
{
	*spheres = (struct spheres){.positions = positions, .radii = radii};
	for (int64_t i = 0; i < count && radii != NULL; ++i)
		spheres->largest = fmax(spheres->largest, radii[i]);
	lay_cells(count, reach, spheres);
	size_t cells = (size_t)(spheres->cells[0] * spheres->cells[1] * spheres->cells[2]);
	sonde_status status = memory_allocate(&spheres->starts, cells + 2, sizeof *spheres->starts, "the cells");
	if (status == SONDE_OK)
		status = memory_allocate(&spheres->order, (size_t)count + 1, sizeof *spheres->order, "the cells");
	if (status != SONDE_OK) {
		spheres_free(spheres);
		return status;
	}
	/* starts[c + 2] is the count of cell c, and becomes the start of cell c + 1 while balls are placed */
	for (int64_t i = 0; i < count; ++i)
		++spheres->starts[cell_of(spheres, positions + 3 * i) + 2];
	for (size_t c = 2; c < cells + 2; ++c)
		spheres->starts[c] += spheres->starts[c - 1];
	for (int64_t i = 0; i < count; ++i)
		spheres->order[spheres->starts[cell_of(spheres, positions + 3 * i) + 1]++] = i;
	return SONDE_OK;
}

void spheres_free(struct spheres *spheres)
{
	free(spheres->starts);
	free(spheres->order);
	*spheres = (struct spheres){0};
}

double spheres_distance(const struct spheres *spheres, const double point[3], double reach, int64_t except)
{
	int64_t first[3], last[3];
	double least = reach;

	for (int k = 0; k < 3; ++k) {
		double wide = reach + spheres->largest;
		if (point[k] + wide < spheres->low[k] ||
		    point[k] - wide > spheres->low[k] + (double)spheres->cells[k] * spheres->edge)
			return reach;
		first[k] = cell_along(spheres, k, point[k] - wide);
		last[k] = cell_along(spheres, k, point[k] + wide);
	}
	for (int64_t z = first[2]; z <= last[2]; ++z) {
		for (int64_t y = first[1]; y <= last[1]; ++y) {
			/* cells along x are contiguous */
			int64_t row = (z * spheres->cells[1] + y) * spheres->cells[0];
			for (int64_t n = spheres->starts[row + first[0]]; n < spheres->starts[row + last[0] + 1];
			     ++n) {
				int64_t i = spheres->order[n];
				const double *r = spheres->positions + 3 * i;
				double dx = point[0] - r[0], dy = point[1] - r[1], dz = point[2] - r[2];
				double distance = sqrt(dx * dx + dy * dy + dz * dz) -
						  (spheres->radii != NULL ? spheres->radii[i] : 0.0);
				if (distance < least && i != except)
					least = distance;
			}
		}
	}
	return least;
}
