#include "matter/crystal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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
	struct site site[CRYSTAL_SITES];
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

void crystal_make(int index, double a, double c, double u, struct crystal *crystal)
{
	const struct prototype *prototype = &prototypes[index];
	bool hexagonal = index == HCP || index == WURTZITE;

	*crystal = (struct crystal){.site_count = prototype->sites};
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
}
