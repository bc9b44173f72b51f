#include "debye/motion/motion.h"

#include <stdlib.h>

#include "base/memory.h"

double motion_law(const struct pair_motion *motion, double d)
{
	const double inverse = d > 0.0 ? 1.0 / d : 0.0, broad = motion->qbroad * d;

	return 1.0 - motion->delta1 * inverse - motion->delta2 * inverse * inverse + broad * broad;
}

static struct pair_width width_of(const struct pair_motion *motion, double d, double along, double trace)
{
	const double square = d * d + trace - 3.0 * along;

	return (struct pair_width){sqrt(fmax(square, 0.0)), fmax(along * motion_law(motion, d), 0.0)};
}

struct pair_width motion_of_species(const struct pair_motion *motion, int a, int b, double d)
{
	const double along = motion->of_species[a] + motion->of_species[b];

	return width_of(motion, d, along, 3.0 * along);
}

struct pair_width motion_of_tensor(const struct pair_motion *motion, const double d[3], const double u[6])
{
	const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), trace = u[0] + u[1] + u[2];
	const double form = u[0] * d[0] * d[0] + u[1] * d[1] * d[1] + u[2] * d[2] * d[2] +
			    2.0 * (u[3] * d[1] * d[2] + u[4] * d[0] * d[2] + u[5] * d[0] * d[1]);

	return width_of(motion, length, length > 0.0 ? form / (length * length) : trace / 3.0, trace);
}

struct pair_width motion_along(const struct pair_motion *motion, const sonde_atoms *atoms, int64_t i, int64_t j,
			       const double d[3])
{
	double u[6];

	if (motion->tensors == NULL)
		return motion_of_species(motion, atoms->species_of[i], atoms->species_of[j],
					 sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
	for (int k = 0; k < 6; ++k)
		u[k] = motion->tensors[6 * i + k] + motion->tensors[6 * j + k];
	return motion_of_tensor(motion, d, u);
}

struct pair_width motion_of_pair(const struct pair_motion *motion, const sonde_atoms *atoms, int64_t i, int64_t j)
{
	const double *at_i = atoms->positions + 3 * i, *at_j = atoms->positions + 3 * j;
	const double d[3] = {at_j[0] - at_i[0], at_j[1] - at_i[1], at_j[2] - at_i[2]};

	return motion_along(motion, atoms, i, j, d);
}

const struct pair_motion *debye_structure_motion(const struct debye_classes *classes, int number,
						 struct pair_motion *law)
{
	if (classes->motion == NULL)
		return NULL;
	*law = *classes->motion;
	if (classes->tensors != NULL)
		law->tensors = classes->tensors + 6 * classes->structures[number].first;
	return law;
}

uint32_t motion_size(const struct pair_motion *motion)
{
	return motion->tensors != NULL && motion->anisotropic ? 6 : 1;
}

sonde_status motion_arrange(const struct pair_motion *motion, const sonde_atoms *atoms,
			    struct arranged_atoms *arranged)
{
	const uint32_t size = motion_size(motion);

	CHECK(memory_allocate(&arranged->u, (size_t)arranged->size * size, sizeof *arranged->u, "the displacements"));
	for (uint32_t t = 0; t < arranged->tile_count; ++t)
		for (uint32_t p = arranged->tiles[t].first; p < arranged->tiles[t].end; ++p) {
			const uint32_t atom = arranged->atom[p];
			for (uint32_t k = 0; k < size; ++k)
				arranged->u[(size_t)k * arranged->size + p] =
				    motion->tensors != NULL ? motion->tensors[6 * (size_t)atom + k]
							    : motion->of_species[atoms->species_of[atom]];
		}
	arranged->motion = motion;
	return SONDE_OK;
}

double motion_steepness(const struct pair_motion *motion, int a, int b, double nearest, double farthest, double q)
{
	const double n = fmax(nearest, 1e-3), half = 0.5 * q * q * (motion->of_species[a] + motion->of_species[b]),
		     broad = motion->qbroad * motion->qbroad;
	/* bounds of the derivatives of q^2 s/2; with exp(-q^2 s/2) <= 1 Faa di Bruno's formula gives the sum below */
	const double first = half *
			     (motion->delta1 / (n * n) + 2.0 * motion->delta2 / (n * n * n) + 2.0 * broad * farthest),
		     second = half * (2.0 * motion->delta1 / (n * n * n) + 6.0 * motion->delta2 / (n * n * n * n) +
				      2.0 * broad),
		     third = half * (6.0 * motion->delta1 / pow(n, 4.0) + 24.0 * motion->delta2 / pow(n, 5.0)),
		     fourth = half * (24.0 * motion->delta1 / pow(n, 5.0) + 120.0 * motion->delta2 / pow(n, 6.0));

	return first + sqrt(2.0 * second) + cbrt(third) + sqrt(sqrt(fourth));
}
