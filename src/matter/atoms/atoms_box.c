#include "matter/atoms/atoms_box.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/vectors.h"

#define SMALLEST_HEIGHT 1e-6 /* Angstrom */

/* A box around the atoms. */
static void surround(const sonde_atoms *atoms, struct atoms_box *box)
{
	for (int k = 0; k < 3; ++k) {
		double low = INFINITY, high = -INFINITY;
		for (int64_t i = 0; i < atoms->count; ++i) {
			low = fmin(low, atoms->positions[3 * i + k]);
			high = fmax(high, atoms->positions[3 * i + k]);
		}
		low = atoms->count > 0 ? low : 0.0;
		high = atoms->count > 0 ? high : 0.0;
		box->origin[k] = low - ATOMS_BOX_MARGIN;
		box->lattice[4 * k] = high - low + 2.0 * ATOMS_BOX_MARGIN;
	}
}

/* The same lattice, with b and c exchanged if it is left-handed. */
static void make_right_handed(struct atoms_box *box)
{
	double normal[3], *lattice = box->lattice;

	vector_cross(lattice, lattice + 3, normal);
	if (vector_dot(normal, lattice + 6) >= 0.0)
		return;
	for (int k = 0; k < 3; ++k) {
		const double b = lattice[3 + k];
		lattice[3 + k] = lattice[6 + k];
		lattice[6 + k] = b;
	}
	box->swapped = true;
}

/* The new axes: x along a, z along a x b. */
static void find_rotation(struct atoms_box *box)
{
	double *x = box->rotation, *y = x + 3, *z = x + 6;

	vector_cross(box->lattice, box->lattice + 3, z);
	const double a = sqrt(vector_dot(box->lattice, box->lattice)), area = sqrt(vector_dot(z, z));
	for (int k = 0; k < 3; ++k) {
		x[k] = box->lattice[k] / a;
		z[k] /= area;
	}
	vector_cross(z, x, y);
	for (int k = 0; k < 3; ++k)
		atoms_box_turn(box, box->lattice + 3 * k, box->edges + 3 * k);
	box->edges[1] = box->edges[2] = box->edges[5] = 0.0; /* apart from rounding */
}

sonde_status atoms_box_make(const sonde_atoms *atoms, struct atoms_box *box)
{
	*box = (struct atoms_box){.vacuum = !atoms->has_lattice};
	if (box->vacuum)
		surround(atoms, box);
	else
		memcpy(box->lattice, atoms->lattice, sizeof box->lattice);
	make_right_handed(box);
	find_rotation(box);
	for (int k = 0; k < 3; ++k)
		if (!(box->edges[4 * k] > SMALLEST_HEIGHT))
			return status_fail(SONDE_INVALID, "the cell has no volume: its edges lie in a plane");
	return SONDE_OK;
}

void atoms_box_turn(const struct atoms_box *box, const double position[3], double turned[3])
{
	for (int k = 0; k < 3; ++k)
		turned[k] = vector_dot(box->rotation + 3 * k, position);
}

void atoms_box_fractions(const struct atoms_box *box, const double position[3], double fractions[3])
{
	const double *edges = box->edges, from[3] = {position[0] - box->origin[0], position[1] - box->origin[1],
						     position[2] - box->origin[2]};
	double turned[3];

	atoms_box_turn(box, from, turned);
	fractions[2] = turned[2] / edges[8];
	fractions[1] = (turned[1] - fractions[2] * edges[7]) / edges[4];
	fractions[0] = (turned[0] - fractions[1] * edges[3] - fractions[2] * edges[6]) / edges[0];
}

void atoms_box_parameters(const struct atoms_box *box, double lengths[3], double angles[3])
{
	const double *edges = box->edges;

	for (int k = 0; k < 3; ++k)
		lengths[k] = sqrt(vector_dot(edges + 3 * k, edges + 3 * k));
	for (int k = 0; k < 3; ++k) {
		const int p = (k + 1) % 3, q = (k + 2) % 3;
		const double product = vector_dot(edges + 3 * p, edges + 3 * q);
		angles[k] = product == 0.0 ? 90.0 : acos(product / (lengths[p] * lengths[q])) / DEGREE;
	}
}

double atoms_box_volume(const struct atoms_box *box)
{
	return box->edges[0] * box->edges[4] * box->edges[8];
}
