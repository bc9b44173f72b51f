/* Whether the distances of a sample repeat, as those of a perfect crystal do. */
#include <math.h>
#include <string.h>

#include "debye/kernels/ring_layout.h"
#include "debye/sums/histogram_device.h"

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
static void add_quad(const struct arranged_atoms *atoms, uint32_t tile, double quad[3][QUAD_ATOMS], double per_unit,
		     struct distances *distances)
{
	const struct arranged_tile *first = &atoms->tiles[tile];
	const uint32_t own = first->end - first->first, all = first[QUAD - 1].end - first->first;

	memset(distances->seen, 0, sizeof distances->seen);
	for (uint32_t i = 0; i < own; ++i)
		for (uint32_t j = own; j < all; ++j) {
			const double dx = quad[0][j] - quad[0][i], dy = quad[1][j] - quad[1][i],
				     dz = quad[2][j] - quad[2][i];
			add_distance(distances, sqrt(dx * dx + dy * dy + dz * dz) * per_unit);
		}
}

bool histogram_quads_repeat(const struct arranged_atoms *atoms, const uint32_t *tiles, uint32_t count,
			    double (*quads)[3][QUAD_ATOMS], double per_unit)
{
	struct distances distances = {.count = 0.0};

	for (uint32_t n = 0; n < count; ++n)
		add_quad(atoms, tiles[n], quads[n], per_unit, &distances);
	return distances.distinct < LEAST_DISTINCT * distances.count;
}

uint32_t histogram_quads_looked_at(const struct arranged_atoms *atoms, int species, uint32_t tiles[QUADS_LOOKED_AT])
{
	const uint32_t first = atoms->species_first_tile[species],
		       quads = (atoms->species_first_tile[species + 1] - first) / QUAD,
		       count = quads < QUADS_LOOKED_AT ? quads : QUADS_LOOKED_AT;

	for (uint32_t k = 0; k < count; ++k)
		tiles[k] = first + (uint32_t)((uint64_t)quads * k / count) * QUAD;
	return count;
}

bool histogram_repeats(const struct arranged_atoms *atoms, int species, double per_angstrom)
{
	const double *const axes[] = {atoms->x, atoms->y, atoms->z};
	double quads[QUADS_LOOKED_AT][3][QUAD_ATOMS];
	uint32_t tiles[QUADS_LOOKED_AT];

	for (int s = 0; s < species; ++s) {
		const uint32_t count = histogram_quads_looked_at(atoms, s, tiles);
		for (uint32_t n = 0; n < count; ++n) {
			const struct arranged_tile *first = &atoms->tiles[tiles[n]];
			for (size_t k = 0; k < 3; ++k)
				memcpy(quads[n][k], axes[k] + first->first,
				       (first[QUAD - 1].end - first->first) * sizeof(double));
		}
		if (histogram_quads_repeat(atoms, tiles, count, quads, per_angstrom))
			return true;
	}
	return false;
}
