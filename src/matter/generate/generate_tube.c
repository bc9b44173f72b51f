/* Nanotubes, and rings of them. A sheet of graphene with lattice vectors a1, a2 at 60 degrees is rolled up along C = n a1 + m a2
 * (R. Saito, G. Dresselhaus and M. S. Dresselhaus, Physical Properties of Carbon Nanotubes, Imperial College Press 1998, chapter
 * 3): with S = n^2 + n m + m^2 and g = gcd(2n + m, 2m + n), the circumference is a sqrt(S), the unit cell's length sqrt(3) a
 * sqrt(S)/g, and it has 4 S/g atoms. */
#include "matter/generate/generate_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"

#define LARGEST_INDEX 1000
#define NARROWEST 4      /* n^2 + n m + m^2 */
#define ON_SURFACE 1e-9  /* as in build.c */
#define SAME_PERIOD 1e-9 /* relative difference of the unit cells of walls that are periodic together */
#define VACUUM 10.0      /* Angstrom between a periodic tube and the sides of its cell */

/* The atoms of a unit cell, with 0 <= z < period. */
struct tube {
	double radius, period;
	int64_t count;
	struct tube_atom {
		double angle, z;
		int sublattice;
	} * atoms;
};

static int64_t greatest_divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		const int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Places the two atoms of lattice point i a1 + j a2. In units of a/6 around and along the tube all numbers are integers: the point's
 * component along C is i (2n + m) + j (2m + n) in [0, 2 S), and that along the axis i m - j n in [0, 2 S/g); the second atom is at
 * (a1 + a2)/3. */
static void place_pair(const int64_t index[2], int64_t s, int64_t hexagons, int64_t around, int64_t along,
		       struct tube *tube)
{
	for (int sublattice = 0; sublattice < 2; ++sublattice) {
		const int64_t n = index[0], m = index[1];
		const int64_t turn = (3 * around + sublattice * 3 * (n + m)) % (6 * s);
		const int64_t rise = (3 * along + sublattice * (m - n) + 3 * hexagons) % (3 * hexagons);
		tube->atoms[tube->count++] =
		    (struct tube_atom){2.0 * PI * (double)turn / (double)(6 * s),
				       tube->period * (double)rise / (double)(3 * hexagons), sublattice};
	}
}

/* tube->atoms is to be freed. */
static sonde_status roll(const int64_t index[2], double bond, struct tube *tube)
{
	const int64_t n = index[0], m = index[1], s = n * n + n * m + m * m;
	const int64_t divisor = greatest_divisor(2 * n + m, 2 * m + n), hexagons = 2 * s / divisor;
	const int64_t t1 = (2 * m + n) / divisor, t2 = (2 * n + m) / divisor;
	const double circumference = sqrt(3.0 * (double)s) * bond;

	*tube = (struct tube){.radius = circumference / (2.0 * PI),
			      .period = sqrt(3.0) * circumference / (double)divisor};
	CHECK(memory_allocate(&tube->atoms, 2 * (size_t)hexagons, sizeof *tube->atoms, "the cell of a nanotube"));
	for (int64_t i = 0; i <= n + t1; ++i) {
		for (int64_t j = -t2; j <= m; ++j) {
			const int64_t around = i * (2 * n + m) + j * (2 * m + n), along = i * m - j * n;
			if (around >= 0 && around < 2 * s && along >= 0 && along < hexagons)
				place_pair(index, s, hexagons, around, along, tube);
		}
	}
	return SONDE_OK;
}

/* Whole cells from `first` to `end` - 1, of which atoms above `half` or below -`half` are left out. */
static sonde_status append_cells(sonde_context *context, const struct tube *tube, int64_t first, int64_t end,
				 double shift, double half, const uint16_t species[2], sonde_atoms *atoms)
{
	struct stage stage;

	CHECK(generate_reserve(context, (double)(end - first) * (double)tube->count, atoms));
	stage_begin(&stage, context, "build", "cells", (double)(end - first));
	for (int64_t cell = first; cell < end; ++cell) {
		for (int64_t i = 0; i < tube->count; ++i) {
			const struct tube_atom *atom = &tube->atoms[i];
			const double z = (double)cell * tube->period + atom->z + shift;
			const double position[3] = {tube->radius * cos(atom->angle), tube->radius * sin(atom->angle),
						    z};
			if (fabs(z) <= half * (1.0 + ON_SURFACE))
				atoms_append(atoms, species[atom->sublattice], position);
		}
		CHECK(stage_advance(&stage, (double)(cell - first + 1)));
	}
	return SONDE_OK;
}

static sonde_status append_wall(sonde_context *context, const sonde_build_options *options, const struct tube *tube,
				const uint16_t species[2], sonde_atoms *atoms)
{
	if (options->cells > 0)
		return append_cells(context, tube, 0, options->cells,
				    options->periodic ? 0.0 : -0.5 * (double)options->cells * tube->period, INFINITY,
				    species, atoms);
	const double reach = ceil(0.5 * options->length / tube->period);
	return append_cells(context, tube, -(int64_t)reach - 1, (int64_t)reach + 1, 0.0, 0.5 * options->length,
			    species, atoms);
}

static sonde_status check_length(const sonde_build_options *options)
{
	if ((options->length > 0.0) == (options->cells > 0))
		return status_fail_option(SONDE_INVALID, "nanotube", "give its length by one of `length`, `cells`");
	if (options->periodic && options->cells == 0)
		return status_fail_option(SONDE_INVALID, "periodic",
					  "a periodic nanotube consists of whole unit cells; give `cells` instead of "
					  "`length`");
	return SONDE_OK;
}

static sonde_status check_caps(const sonde_build_options *options, const uint16_t species[2])
{
	if (options->caps && options->periodic)
		return status_fail_option(SONDE_INVALID, "caps", "a periodic nanotube has no ends");
	if (options->caps && species[1] != species[0])
		return status_fail_option(SONDE_INVALID, "caps",
					  "has pentagons, around which two species cannot alternate; give one");
	return SONDE_OK;
}

/* n^2 + n m + m^2 of a tube (n,m). */
static double radius_of(int64_t square, double bond)
{
	return bond * sqrt(3.0 * (double)square) / (2.0 * PI);
}

/* Radius of the widest wall. */
static sonde_status find_widest(const char *walls, double bond, double *widest)
{
	*widest = 0.0;
	for (const char *wall = walls;; ++wall) {
		const char *end = wall + strcspn(wall, "/");
		int64_t index[2];
		CHECK(generate_indices("nanotube", wall, end, LARGEST_INDEX, index));
		const int64_t square = index[0] * index[0] + index[0] * index[1] + index[1] * index[1];
		if (square < NARROWEST)
			return status_fail_option(
			    SONDE_INVALID, "nanotube",
			    "a tube (%lld,%lld) would have a radius of %.2g Angstrom, less than half of a bond; the "
			    "narrowest is (2,0), %.2g Angstrom",
			    (long long)index[0], (long long)index[1], radius_of(square, bond),
			    radius_of(NARROWEST, bond));
		*widest = fmax(*widest, radius_of(square, bond));
		wall = end;
		if (*wall == '\0')
			return SONDE_OK;
	}
}

/* The caps of all walls have the same centers, so that inner walls are shorter by the difference of the diameters. */
static sonde_status append_capped(sonde_context *context, const sonde_build_options *options, const int64_t index[2],
				  double inside, uint16_t species, sonde_atoms *atoms)
{
	return generate_capped(context, index, generate_bond(options), options->cells, options->length - 2.0 * inside,
			       species, atoms);
}

static sonde_status compare_periods(double period, double first)
{
	if (fabs(period - first) <= SAME_PERIOD * first)
		return SONDE_OK;
	return status_fail_option(
	    SONDE_INVALID, "nanotube",
	    "the unit cells of these walls have different lengths, %.6g and %.6g Angstrom; give "
	    "`length` instead of `cells`",
	    first, period);
}

sonde_status generate_nanotube(sonde_context *context, const sonde_build_options *options, const uint16_t species[2],
			       sonde_atoms *atoms)
{
	double widest, period = 0.0;

	CHECK(check_length(options));
	CHECK(check_caps(options, species));
	CHECK(find_widest(options->nanotube, generate_bond(options), &widest));
	for (const char *wall = options->nanotube;; ++wall) {
		const char *end = wall + strcspn(wall, "/");
		int64_t index[2];
		struct tube tube;
		CHECK(generate_indices("nanotube", wall, end, LARGEST_INDEX, index));
		CHECK(roll(index, generate_bond(options), &tube));
		sonde_status status =
		    options->cells > 0 && period != 0.0 ? compare_periods(tube.period, period) : SONDE_OK;
		if (status == SONDE_OK)
			status = options->caps
				     ? append_capped(context, options, index, widest - tube.radius, species[0], atoms)
				     : append_wall(context, options, &tube, species, atoms);
		free(tube.atoms);
		CHECK(status);
		period = tube.period;
		wall = end;
		if (*wall == '\0')
			break;
	}
	if (!options->periodic)
		return SONDE_OK;
	const double side = 2.0 * (widest + VACUUM);
	const double edges[9] = {side, 0, 0, 0, side, 0, 0, 0, (double)options->cells * period};
	return sonde_atoms_set_cell(atoms, edges, (const int[]){0, 0, 1});
}

/* The tube's axis becomes a circle of radius R = cells * period/(2 pi) in the plane z = 0; distances along it are those of the straight
 * tube on the axis, shorter inside and longer outside. */
static sonde_status bend(sonde_context *context, const struct tube *tube, int64_t cells, const uint16_t species[2],
			 sonde_atoms *atoms)
{
	const double ring = (double)cells * tube->period / (2.0 * PI);

	if (ring <= tube->radius)
		return status_fail_option(SONDE_INVALID, "torus",
					  "a ring of %lld cells has a radius of %.3g Angstrom, less than that of the "
					  "tube, %.3g; give more cells",
					  (long long)cells, ring, tube->radius);
	CHECK(generate_reserve(context, (double)cells * (double)tube->count, atoms));
	for (int64_t cell = 0; cell < cells; ++cell) {
		for (int64_t i = 0; i < tube->count; ++i) {
			const struct tube_atom *atom = &tube->atoms[i];
			const double turn = ((double)cell * tube->period + atom->z) / ring;
			const double rho = ring + tube->radius * cos(atom->angle);
			const double position[3] = {rho * cos(turn), rho * sin(turn),
						    tube->radius * sin(atom->angle)};
			atoms_append(atoms, species[atom->sublattice], position);
		}
	}
	return SONDE_OK;
}

sonde_status generate_torus(sonde_context *context, const sonde_build_options *options, const uint16_t species[2],
			    sonde_atoms *atoms)
{
	const sonde_vector *given = &options->torus;
	const int64_t index[2] = {(int64_t)given->x, (int64_t)given->y}, cells = (int64_t)given->z;
	struct tube tube;

	if (given->x != floor(given->x) || given->y != floor(given->y) || given->z != floor(given->z) || cells < 1 ||
	    given->x > LARGEST_INDEX || given->y > LARGEST_INDEX)
		return status_fail_option(
		    SONDE_INVALID, "torus",
		    "n and m must be integers of at most %d, and the number of cells an integer "
		    "of at least 1",
		    LARGEST_INDEX);
	CHECK(roll(index, generate_bond(options), &tube));
	const sonde_status status = bend(context, &tube, cells, species, atoms);
	free(tube.atoms);
	return status;
}
