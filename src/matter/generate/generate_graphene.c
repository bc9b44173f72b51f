/* Layers of graphene. In a layer, u is along its zigzag rows and v across them: atoms at u = sqrt(3) b (i + j/2), v = 1.5 b j, and
 * one bond b above each of them. */
#include "matter/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "matter/elements/assignments.h"

#define ON_SURFACE 1e-9    /* as in build.c */
#define MOST_CELLS 1e6     /* along an edge */
#define LARGEST_EXTENT 1e6 /* Angstrom */

enum outline { RECTANGLE, HEXAGON, DISK, CELLS };
static const char *const outline_names[] = {"rectangle", "hexagon", "disk", "cells"};
static const int outline_sizes[] = {2, 1, 1, 2};

struct flake {
	enum outline outline;
	double size[2]; /* in x and y: edges; of a hexagon its edge, of a disk its radius; numbers of cells */
	bool turned;    /* armchair rows along x: u is y */
	double bond;
	double half[2]; /* of the enclosing rectangle, in u and v */
};

static sonde_status read_outline(const char *text, struct flake *flake)
{
	double numbers[ASSIGNMENT_MOST_NUMBERS];
	const char *equals = strchr(text, '=');
	int kind = 0, count;

	for (; equals != NULL && kind < 4; ++kind)
		if (strlen(outline_names[kind]) == (size_t)(equals - text) &&
		    memcmp(outline_names[kind], text, (size_t)(equals - text)) == 0)
			break;
	if (equals == NULL || kind == 4)
		return status_fail_option(SONDE_INVALID, "graphene",
					  "'%.40s' is not one of rectangle=X,Y, hexagon=EDGE, disk=RADIUS, "
					  "cells=NX,NY",
					  text);
	CHECK(assignment_numbers("graphene", equals + 1, text + strlen(text), numbers, &count));
	if (count != outline_sizes[kind])
		return status_fail_option(SONDE_INVALID, "graphene", "%s has %d numbers, not %d", outline_names[kind],
					  outline_sizes[kind], count);
	flake->outline = (enum outline)kind;
	for (int k = 0; k < count; ++k) {
		flake->size[k] = numbers[k];
		if (!(numbers[k] > 0.0 && numbers[k] <= LARGEST_EXTENT))
			return status_fail_option(SONDE_INVALID, "graphene", "%g is not a size above 0, up to %g",
						  numbers[k], LARGEST_EXTENT);
		if (kind == CELLS && numbers[k] != floor(numbers[k]))
			return status_fail_option(SONDE_INVALID, "graphene",
						  "the numbers of cells must be integers, not %g", numbers[k]);
	}
	return SONDE_OK;
}

static bool inside(const struct flake *flake, double x, double y)
{
	const double *size = flake->size, grow = 1.0 + ON_SURFACE, apothem = sqrt(0.75) * size[0] * grow;

	switch (flake->outline) {
	case RECTANGLE:
		return 2.0 * fabs(x) <= size[0] * grow && 2.0 * fabs(y) <= size[1] * grow;
	case HEXAGON:
		return fabs(y) <= apothem && fabs(0.5 * y + sqrt(0.75) * x) <= apothem &&
		       fabs(0.5 * y - sqrt(0.75) * x) <= apothem;
	case DISK:
		return x * x + y * y <= size[0] * size[0] * grow;
	case CELLS:
		break;
	}
	return true;
}

/* The layer's center is the middle of a hexagon. */
static sonde_status append_cut_layer(sonde_context *context, const struct flake *flake, const double shift[3],
				     const uint16_t species[2], sonde_atoms *atoms)
{
	const double b = flake->bond, step = sqrt(3.0) * b;
	const int64_t rows = (int64_t)(flake->half[1] / (1.5 * b)) + 2;

	for (int64_t j = -rows; j <= rows; ++j) {
		const double start = step * (0.5 * (double)(j % 2 != 0) - 0.5);
		const int64_t reach = (int64_t)(flake->half[0] / step) + 2;
		CHECK(generate_reserve(context, 2.0 * (double)(2 * reach + 1), atoms));
		for (int64_t i = -reach; i <= reach; ++i) {
			for (int s = 0; s < 2; ++s) {
				const double u = start + step * (double)i, v = b * (1.5 * (double)j - 0.5 + s);
				const double x = flake->turned ? v : u, y = flake->turned ? u : v;
				const double position[3] = {x + shift[0], y + shift[1], shift[2]};
				if (inside(flake, x, y))
					atoms_append(atoms, species[s], position);
			}
		}
	}
	return SONDE_OK;
}

/* Rectangular cells of four atoms, sqrt(3) b along u and 3 b along v, from the first atom on. */
static sonde_status append_cells(sonde_context *context, const struct flake *flake, const double shift[3],
				 const uint16_t species[2], sonde_atoms *atoms)
{
	const double b = flake->bond, v_of[4] = {0.0, b, 1.5 * b, 2.5 * b};

	CHECK(generate_reserve(context, 4.0 * flake->size[0] * flake->size[1], atoms));
	for (int64_t i = 0; i < (int64_t)flake->size[flake->turned]; ++i) {
		for (int64_t j = 0; j < (int64_t)flake->size[!flake->turned]; ++j) {
			for (int s = 0; s < 4; ++s) {
				const double u = sqrt(3.0) * b * ((double)i + (s >= 2 ? 0.5 : 0.0));
				const double v = 3.0 * b * (double)j + v_of[s];
				const double position[3] = {(flake->turned ? v : u) + shift[0],
							    (flake->turned ? u : v) + shift[1], shift[2]};
				atoms_append(atoms, species[s % 2], position);
			}
		}
	}
	return SONDE_OK;
}

static void find_extent(struct flake *flake)
{
	const double *size = flake->size;
	double half[2] = {size[0], size[0]};

	if (flake->outline == RECTANGLE) {
		half[0] = 0.5 * size[0];
		half[1] = 0.5 * size[1];
	}
	flake->half[0] = half[flake->turned];
	flake->half[1] = half[!flake->turned];
}

/* An estimate, before the first layer is cut. */
static double atoms_of_layer(const struct flake *flake)
{
	static const double filled[] = {1.0, 0.65, 0.785, 0.0}; /* parts of the enclosing square */

	if (flake->outline == CELLS)
		return 4.0 * flake->size[0] * flake->size[1];
	return filled[flake->outline] * 4.0 * flake->half[0] * flake->half[1] /
	       (0.75 * sqrt(3.0) * flake->bond * flake->bond);
}

static sonde_status set_cell(const sonde_build_options *options, const struct flake *flake, sonde_atoms *atoms)
{
	const double step[2] = {sqrt(3.0) * flake->bond, 3.0 * flake->bond};
	const double edges[9] = {flake->size[0] * step[flake->turned],      0, 0, 0,
				 flake->size[1] * step[!flake->turned],     0, 0, 0,
				 (double)options->layers * options->spacing};

	return sonde_atoms_set_cell(atoms, edges, (const int[]){options->periodic, options->periodic, 0});
}

/* Layer k is shifted by its place in the stack times a bond, so that of the layers A and B every second atom is above another. */
sonde_status generate_graphene(sonde_context *context, const sonde_build_options *options, const uint16_t species[2],
			       sonde_atoms *atoms)
{
	struct flake flake = {.bond = generate_bond(options), .turned = options->edge == SONDE_BUILD_EDGE_ARMCHAIR};
	const int64_t kinds = 1 + options->stacking; /* AA, AB, ABC */
	struct stage stage;

	CHECK(read_outline(options->graphene, &flake));
	if (options->periodic && flake.outline != CELLS)
		return status_fail_option(SONDE_INVALID, "periodic",
					  "periodic graphene consists of whole cells; give `graphene cells=NX,NY`");
	find_extent(&flake);
	CHECK(generate_check_count(context, (double)options->layers * atoms_of_layer(&flake), atoms));
	stage_begin(&stage, context, "build", "layers", (double)options->layers);
	for (int64_t layer = 0; layer < options->layers; ++layer) {
		double shift[3] = {0, 0, 0};
		shift[!flake.turned] = (double)(layer % kinds) * flake.bond;
		shift[2] = (double)layer * options->spacing;
		if (flake.outline == CELLS)
			CHECK(append_cells(context, &flake, shift, species, atoms));
		else
			CHECK(append_cut_layer(context, &flake, shift, species, atoms));
		CHECK(stage_advance(&stage, (double)(layer + 1)));
	}
	return flake.outline == CELLS ? set_cell(options, &flake, atoms) : SONDE_OK;
}
