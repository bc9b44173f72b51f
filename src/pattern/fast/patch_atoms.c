/* The atoms as the division into patches sees them: some of them, and the outermost ones. */
#include "pattern/fast/cost.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/fast/patches.h"

#define MOST_SIZE (1 << 17) /* of a transform of the host */
#define OUTERMOST 26        /* atoms */

/* The outermost atoms along the normals of a cube's faces, edges, and corners: extents by some of many atoms miss single ones far
 * outside, and with them nearly the whole mesh. */
static const double outer_directions[OUTERMOST / 2][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0},
							  {1, 0, 1},  {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 1, 1},
							  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

static sonde_status list_outermost(const struct pattern_sample *sample, int threads, int64_t *atoms)
{
	static const double origin[3] = {0.0, 0.0, 0.0};
	struct pattern_extents extents;

	CHECK(pattern_find_extents(sample, threads, origin, outer_directions, OUTERMOST / 2, &extents));
	for (int d = 0; d < OUTERMOST / 2; ++d) {
		atoms[2 * d] = extents.lowest[d];
		atoms[2 * d + 1] = extents.highest[d];
	}
	return SONDE_OK;
}

/* Their positions relative to the center. */
static sonde_status take_atoms(const struct pattern_sample *sample, const int64_t *atoms, int count,
			       double *positions)
{
	CHECK(pattern_positions(sample, atoms, count, positions));
	for (int n = 0; n < 3 * count; ++n)
		positions[n] -= sample->center[n % 3];
	return SONDE_OK;
}

#define BALL_ROOM 1e-9 /* for rounding */
/* Cycles of an atom of copies on a GPU, relative to others: its neighbors add to the same lines of the cache. 1.0e8 and 1.0e7 atoms of
 * 1000 copies on an H100. */
#define COPIES_ON_GPU 0.55

void patch_atoms_turn(const struct pattern_sample *sample, struct patch_atoms *atoms)
{
	atoms->costs = &costs_of_turned;
	atoms->ball = (1.0 + BALL_ROOM) * sample->reach;
}

sonde_status patch_atoms_make(const struct pattern_sample *sample, const struct fast_channels *channels,
			      const struct device *gpu, double mesh_bytes, double negligible, int threads,
			      struct patch_atoms *atoms)
{
	const int64_t all = sample->count;
	const double spreads = channels->mixed ? channels->count : 1.0;

	*atoms = (struct patch_atoms){.count = all < PATCH_ATOMS ? (int)all : PATCH_ATOMS,
				      .all = (double)all,
				      .transforms = channels->count,
				      .spreads =
					  gpu != NULL && sample->copies.count > 0 ? COPIES_ON_GPU * spreads : spreads,
				      .mesh_bytes = mesh_bytes,
				      .negligible = negligible,
				      .weight = 1.0,
				      .costs = gpu != NULL ? &costs_of_gpu : &costs_of_core,
				      .longest = gpu != NULL ? gpu_mesh_longest(gpu) : MOST_SIZE};
	const int spread = all > PATCH_ATOMS ? PATCH_ATOMS - OUTERMOST : (int)all;
	int64_t chosen[PATCH_ATOMS];

	for (int i = 0; i < spread; ++i)
		chosen[i] = i * all / spread;
	if (all > PATCH_ATOMS)
		CHECK(list_outermost(sample, threads, chosen + spread));
	return take_atoms(sample, chosen, atoms->count, atoms->positions);
}
