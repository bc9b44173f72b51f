#include "matter/crystal/crystal.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define PROTOTYPE_SITES 12 /* maximum number of atoms of a cell of the list */

enum structure { SC, BCC, FCC, HCP, DIAMOND, ROCKSALT, ZINCBLENDE, WURTZITE, FLUORITE, PEROVSKITE };

/* Positions of each structure, species by species. Sources: the structure types' prototypes (Po, W, Cu, Mg, C, NaCl,
 * ZnS, ZnS-2H, CaF2, CaTiO3 cubic), in the settings of the International Tables. wurtzite: (1/3, 2/3, z) moved so
 * that the first atom is at the origin. */
#define FCC_SITES(x, y, z, s)                                               \
	{{x, y, z}, s}, {{x, y + .5, z + .5}, s}, {{x + .5, y, z + .5}, s}, \
	{                                                                   \
		{x + .5, y + .5, z}, s                                      \
	}

struct site {
	double position[3];
	int species;
};

static const struct prototype {
	int species, sites;
	struct site site[PROTOTYPE_SITES];
} prototypes[] = {
    [SC] = {1, 1, {{{0, 0, 0}, 0}}},
    [BCC] = {1, 2, {{{0, 0, 0}, 0}, {{.5, .5, .5}, 0}}},
    [FCC] = {1, 4, {FCC_SITES(0, 0, 0, 0)}},
    [HCP] = {1, 2, {{{0, 0, 0}, 0}, {{1. / 3, 2. / 3, .5}, 0}}},
    [DIAMOND] = {1, 8, {FCC_SITES(0, 0, 0, 0), FCC_SITES(.25, .25, .25, 0)}},
    [ROCKSALT] = {2,
		  8,
		  {FCC_SITES(0, 0, 0, 0), {{.5, .5, .5}, 1}, {{.5, 0, 0}, 1}, {{0, .5, 0}, 1}, {{0, 0, .5}, 1}}},
    [ZINCBLENDE] = {2, 8, {FCC_SITES(0, 0, 0, 0), FCC_SITES(.25, .25, .25, 1)}},
    /* z of the second species is u, set in crystal_make() */
    [WURTZITE] = {2, 4, {{{0, 0, 0}, 0}, {{1. / 3, 2. / 3, .5}, 0}, {{0, 0, 0}, 1}, {{1. / 3, 2. / 3, .5}, 1}}},
    [FLUORITE] = {2,
		  12,
		  {FCC_SITES(0, 0, 0, 0),
		   {{.25, .25, .25}, 1},
		   {{.25, .25, .75}, 1},
		   {{.25, .75, .25}, 1},
		   {{.25, .75, .75}, 1},
		   {{.75, .25, .25}, 1},
		   {{.75, .25, .75}, 1},
		   {{.75, .75, .25}, 1},
		   {{.75, .75, .75}, 1}}},
    [PEROVSKITE] = {3, 5, {{{0, 0, 0}, 0}, {{.5, .5, .5}, 1}, {{.5, .5, 0}, 2}, {{.5, 0, .5}, 2}, {{0, .5, .5}, 2}}},
};

int crystal_species_count(int index)
{
	return prototypes[index].species;
}

sonde_status crystal_create(int site_count, int species_count, struct crystal *crystal)
{
	*crystal = (struct crystal){.site_count = site_count, .species_count = species_count};
	CHECK(memory_allocate(&crystal->site, (size_t)site_count, sizeof *crystal->site, "the sites of the cell"));
	const sonde_status status = memory_allocate(&crystal->site_species, (size_t)site_count,
						    sizeof *crystal->site_species, "the sites of the cell");
	if (status != SONDE_OK)
		crystal_free(crystal);
	return status;
}

void crystal_free(struct crystal *crystal)
{
	free(crystal->site);
	free(crystal->site_species);
	*crystal = (struct crystal){.site_count = 0};
}

sonde_status crystal_make(int index, double a, double c, double u, struct crystal *crystal)
{
	const struct prototype *prototype = &prototypes[index];
	bool hexagonal = index == HCP || index == WURTZITE;

	CHECK(crystal_create(prototype->sites, prototype->species, crystal));
	for (int s = 0; s < prototype->sites; ++s) {
		memcpy(crystal->site[s], prototype->site[s].position, sizeof crystal->site[s]);
		crystal->site_species[s] = prototype->site[s].species;
		if (index == WURTZITE && crystal->site_species[s] == 1)
			crystal->site[s][2] = fmod(crystal->site[s][2] + u, 1.0);
	}
	if (hexagonal) {
		crystal->vectors[0][0] = a;
		crystal->vectors[1][0] = -0.5 * a;
		crystal->vectors[1][1] = 0.5 * sqrt(3.0) * a;
		crystal->vectors[2][2] = c > 0.0 ? c : a * sqrt(8.0 / 3.0);
	} else {
		for (int k = 0; k < 3; ++k)
			crystal->vectors[k][k] = a;
	}
	return SONDE_OK;
}

void crystal_rotate(struct crystal *crystal, const double rotation[3][3])
{
	for (int k = 0; k < 3; ++k) {
		const double *v = crystal->vectors[k];
		const double x = v[0], y = v[1], z = v[2];
		for (int m = 0; m < 3; ++m)
			crystal->vectors[k][m] = rotation[m][0] * x + rotation[m][1] * y + rotation[m][2] * z;
	}
}

double crystal_reciprocal(const double vectors[3][3], double reciprocal[3][3])
{
	double volume = 0.0;

	for (int k = 0; k < 3; ++k) {
		const double *u = vectors[(k + 1) % 3], *v = vectors[(k + 2) % 3];
		const double b[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
		volume = vectors[k][0] * b[0] + vectors[k][1] * b[1] + vectors[k][2] * b[2];
		for (int m = 0; m < 3 && reciprocal != NULL; ++m)
			reciprocal[k][m] = b[m] / volume;
	}
	return volume;
}
