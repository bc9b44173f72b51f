/* Whether the distances of a sample repeat, as those of a perfect crystal do. */
#include <math.h>
#include <string.h>

#include "debye/kernels/ring_layout.h"
#include "debye/sums/histogram_device.h"

#define QUADS_LOOKED_AT 8
#define PLACES 65536        /* of bins, by their last bits */
#define LEAST_DISTINCT 0.25 /* of the distances; atoms displaced by 0.02 Angstrom have more */

struct distances {
	uint64_t seen[PLACES / 64]; /* a bit for each bin */
	double count, distinct;
};

static void add_distance(struct distances *distances, double bins)
{
	const uint64_t place = (uint64_t)bins % PLACES, bit = UINT64_C(1) << place % 64;

	distances->count += 1.0;
	distances->distinct += (distances->seen[place / 64] & bit) == 0;
	distances->seen[place / 64] |= bit;
}

/* The distances of the atoms of a quad's first tile from those of the others, which are next to it. */
static void add_quad(const struct arranged_atoms *atoms, uint32_t tile, double per_angstrom,
		     struct distances *distances)
{
	const struct arranged_tile *first = &atoms->tiles[tile];

	memset(distances->seen, 0, sizeof distances->seen);
	for (uint32_t i = first->first; i < first->end; ++i)
		for (uint32_t j = first[1].first; j < first[QUAD - 1].end; ++j) {
			const double dx = atoms->x[j] - atoms->x[i], dy = atoms->y[j] - atoms->y[i],
				     dz = atoms->z[j] - atoms->z[i];
			add_distance(distances, sqrt(dx * dx + dy * dy + dz * dz) * per_angstrom);
		}
}

/* Distances repeat among the atoms of any of the species. */
static bool species_repeats(const struct arranged_atoms *atoms, uint32_t first, uint32_t tiles, double per_angstrom)
{
	const uint32_t quads = tiles / QUAD, looks = quads < QUADS_LOOKED_AT ? quads : QUADS_LOOKED_AT;
	struct distances distances = {.count = 0.0};

	for (uint32_t k = 0; k < looks; ++k)
		add_quad(atoms, first + (uint32_t)((uint64_t)quads * k / looks) * QUAD, per_angstrom, &distances);
	return distances.distinct < LEAST_DISTINCT * distances.count;
}

bool histogram_repeats(const struct arranged_atoms *atoms, int species, double per_angstrom)
{
	for (int s = 0; s < species; ++s) {
		const uint32_t first = atoms->species_first_tile[s], tiles = atoms->species_first_tile[s + 1] - first;
		if (species_repeats(atoms, first, tiles, per_angstrom))
			return true;
	}
	return false;
}
