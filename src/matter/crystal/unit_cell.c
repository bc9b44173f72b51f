#include "matter/crystal/unit_cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/vectors.h"

#define MOST_SITES 2000000
#define LARGEST_EDGE 1e6        /* Angstrom */
#define SMALLEST_FACTOR 1e-3    /* volume over the product of the edges: beyond it angles are mistakes */
#define NEARLY_ONE (1.0 - 1e-9) /* rounding of a coordinate 0 */

void unit_cell_free(struct unit_cell *cell)
{
	free(cell->sites);
	*cell = (struct unit_cell){.sites = NULL};
}

static double cosine_of(double angle)
{
	return angle == 90.0 ? 0.0 : cos(angle * DEGREE);
}

sonde_status unit_cell_set_vectors(const double lengths[3], const double angles[3], struct unit_cell *cell)
{
	for (int k = 0; k < 3; ++k) {
		if (!(lengths[k] > 0.0 && lengths[k] <= LARGEST_EDGE))
			return status_fail(SONDE_INVALID, "cell: an edge of %g Angstrom is not in (0, %g]",
					   lengths[k], LARGEST_EDGE);
		if (!(angles[k] > 0.0 && angles[k] < 180.0))
			return status_fail(SONDE_INVALID, "cell: an angle of %g degrees is not between 0 and 180",
					   angles[k]);
	}
	double cosine[3] = {cosine_of(angles[0]), cosine_of(angles[1]), cosine_of(angles[2])};
	double sine = angles[2] == 90.0 ? 1.0 : sin(angles[2] * DEGREE),
	       along = (cosine[0] - cosine[1] * cosine[2]) / sine,
	       square = 1.0 - cosine[1] * cosine[1] - along * along;
	if (!(square > 0.0) || !(sine * sqrt(square) > SMALLEST_FACTOR))
		return status_fail(SONDE_INVALID, "cell: the angles %g, %g, and %g degrees are impossible together",
				   angles[0], angles[1], angles[2]);
	const double vectors[3][3] = {
	    {lengths[0], 0.0, 0.0},
	    {lengths[1] * cosine[2], lengths[1] * sine, 0.0},
	    {lengths[2] * cosine[1], lengths[2] * along, lengths[2] * sqrt(square)},
	};
	memcpy(cell->vectors, vectors, sizeof vectors);
	return SONDE_OK;
}

double unit_cell_volume(const struct unit_cell *cell)
{
	double normal[3];

	vector_cross(cell->vectors[0], cell->vectors[1], normal);
	return fabs(normal[0] * cell->vectors[2][0] + normal[1] * cell->vectors[2][1] +
		    normal[2] * cell->vectors[2][2]);
}

double unit_cell_reciprocal_length(const struct unit_cell *cell, int k)
{
	double normal[3];

	vector_cross(cell->vectors[(k + 1) % 3], cell->vectors[(k + 2) % 3], normal);
	return vector_length(normal) / unit_cell_volume(cell);
}

void unit_cell_cartesian(const struct unit_cell *cell, const double x[3], double r[3])
{
	for (int k = 0; k < 3; ++k)
		r[k] = x[0] * cell->vectors[0][k] + x[1] * cell->vectors[1][k] + x[2] * cell->vectors[2][k];
}

double unit_cell_shortest(const struct unit_cell *cell, const double x[3], const double y[3], double difference[3])
{
	double r[3];

	for (int k = 0; k < 3; ++k) {
		difference[k] = y[k] - x[k];
		difference[k] -= round(difference[k]);
	}
	unit_cell_cartesian(cell, difference, r);
	return vector_length(r);
}

static void wrap(double x[3])
{
	for (int k = 0; k < 3; ++k) {
		x[k] -= floor(x[k]);
		if (!(x[k] < NEARLY_ONE && x[k] > 1.0 - NEARLY_ONE))
			x[k] = 0.0;
	}
}

/* The tensor of displacements of Cartesian axes, A q A^T with the columns a, b, c of A. */
static void set_displacements(const struct unit_cell *cell, const double q[3][3], struct unit_cell_site *site)
{
	static const int first[] = {0, 1, 2, 1, 0, 0}, second[] = {0, 1, 2, 2, 2, 1};

	for (int n = 0; n < 6; ++n) {
		site->u[n] = 0.0;
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
				site->u[n] += cell->vectors[i][first[n]] * q[i][j] * cell->vectors[j][second[n]];
	}
	site->has_u = site->has_u_iso = true;
	site->u_iso = (site->u[0] + site->u[1] + site->u[2]) / 3.0;
}

/* The means over the operations that leave the atom at its place: its exact special position, and the displacements
 * that its site symmetry allows. */
static void settle(const struct unit_cell *cell, const struct symmetry_operation *operations, int count, double x[3],
		   double q[3][3])
{
	double sum[3] = {0.0}, sum_q[3][3] = {{0.0}}, image[3], rotated[3][3], difference[3];
	int fixed = 0;

	for (int k = 0; k < count; ++k) {
		symmetry_apply(&operations[k], x, image);
		if (unit_cell_shortest(cell, x, image, difference) >= UNIT_CELL_SAME_PLACE)
			continue;
		++fixed;
		symmetry_rotate(&operations[k], (const double(*)[3])q, rotated);
		for (int i = 0; i < 3; ++i) {
			sum[i] += difference[i];
			for (int j = 0; j < 3; ++j)
				sum_q[i][j] += rotated[i][j];
		}
	}
	for (int i = 0; i < 3 && fixed > 0; ++i) {
		x[i] += sum[i] / fixed;
		for (int j = 0; j < 3; ++j)
			q[i][j] = sum_q[i][j] / fixed;
	}
}

static sonde_status add_site(struct unit_cell *cell, const struct unit_cell_site *site)
{
	if (cell->site_count >= MOST_SITES)
		return status_fail(SONDE_INVALID, "the cell has more than %d sites", MOST_SITES);
	CHECK(memory_grow(&cell->sites, &cell->capacity, (size_t)cell->site_count + 1, sizeof *cell->sites,
			  "the sites of the unit cell"));
	cell->sites[cell->site_count++] = *site;
	return SONDE_OK;
}

/* Whether the place is none of the sites from `first` on; *nearest is lowered to the distance of those that are not. */
static bool is_new(const struct unit_cell *cell, int64_t first, const double x[3], double *nearest)
{
	double difference[3];

	for (int64_t k = first; k < cell->site_count; ++k) {
		double distance = unit_cell_shortest(cell, cell->sites[k].position, x, difference);
		if (distance < UNIT_CELL_SAME_PLACE)
			return false;
		*nearest = fmin(*nearest, distance);
	}
	return true;
}

sonde_status unit_cell_add_atom(struct unit_cell *cell, const struct symmetry_operation *operations, int count,
				const struct unit_cell_site *atom, const double q[3][3], double *nearest)
{
	struct unit_cell_site site = *atom;
	double x[3], own[3][3] = {{0.0}}, rotated[3][3];
	int64_t first = cell->site_count;

	*nearest = INFINITY;
	memcpy(x, atom->position, sizeof x);
	if (q != NULL)
		memcpy(own, q, sizeof own);
	wrap(x);
	settle(cell, operations, count, x, own);
	for (int k = -1; k < count; ++k) { /* the atom itself, and its images */
		const struct symmetry_operation identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0}};
		const struct symmetry_operation *operation = k < 0 ? &identity : &operations[k];
		symmetry_apply(operation, x, site.position);
		wrap(site.position);
		if (!is_new(cell, first, site.position, nearest))
			continue;
		if (q != NULL) {
			symmetry_rotate(operation, (const double(*)[3])own, rotated);
			set_displacements(cell, (const double(*)[3])rotated, &site);
		}
		CHECK(add_site(cell, &site));
	}
	return SONDE_OK;
}
