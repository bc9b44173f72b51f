/* The atoms as the division into patches sees them: some of them, and the outermost ones. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "pattern/fast/cost.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/fast/patches.h"

#define MOST_SIZE (1 << 17) /* of a transform of the host */
#define OUTERMOST 26        /* atoms */

static void take_atom(const struct pattern_sample *sample, int64_t i, double position[3])
{
	for (int k = 0; k < 3; ++k)
		position[k] = sample->view.positions[3 * i + k] - sample->center[k];
}

/* The outermost atoms along the normals of a cube's faces, edges, and corners: extents by some of many atoms miss single ones far
 * outside, and with them nearly the whole mesh. */
static const double outer_directions[OUTERMOST / 2][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0},
							  {1, 0, 1},  {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 1, 1},
							  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
#define OUTER_PARTS 64 /* of the atoms */

struct outermost {
	double low[OUTERMOST / 2], high[OUTERMOST / 2];
	int64_t lowest[OUTERMOST / 2], highest[OUTERMOST / 2];
};
struct outer_search {
	const struct pattern_sample *sample;
	struct outermost parts[OUTER_PARTS];
};

static void search_some(void *state, int64_t first, int64_t end, int worker)
{
	struct outer_search *search = state;
	const int64_t all = search->sample->view.count;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		struct outermost found;
		for (int d = 0; d < OUTERMOST / 2; ++d) {
			found.low[d] = INFINITY;
			found.high[d] = -INFINITY;
			found.lowest[d] = found.highest[d] = 0;
		}
		for (int64_t i = all * p / OUTER_PARTS; i < all * (p + 1) / OUTER_PARTS; ++i)
			for (int d = 0; d < OUTERMOST / 2; ++d) {
				const double t =
				    vector_dot(outer_directions[d], search->sample->view.positions + 3 * i);
				if (t < found.low[d]) {
					found.low[d] = t;
					found.lowest[d] = i;
				}
				if (t > found.high[d]) {
					found.high[d] = t;
					found.highest[d] = i;
				}
			}
		search->parts[p] = found;
	}
}

static sonde_status add_outermost(const struct pattern_sample *sample, int threads, double *positions)
{
	struct outer_search *search;

	CHECK(memory_allocate(&search, 1, sizeof *search, "the plan"));
	search->sample = sample;
	threads_for(threads, OUTER_PARTS, 1, search_some, search);
	for (int d = 0; d < OUTERMOST / 2; ++d) {
		int low = 0, high = 0;
		for (int p = 1; p < OUTER_PARTS; ++p) {
			low = search->parts[p].low[d] < search->parts[low].low[d] ? p : low;
			high = search->parts[p].high[d] > search->parts[high].high[d] ? p : high;
		}
		take_atom(sample, search->parts[low].lowest[d], positions + 6 * d);
		take_atom(sample, search->parts[high].highest[d], positions + 6 * d + 3);
	}
	free(search);
	return SONDE_OK;
}

#define BALL_ROOM 1e-9 /* for rounding */

void patch_atoms_turn(const struct pattern_sample *sample, struct patch_atoms *atoms)
{
	atoms->costs = &costs_of_turned;
	atoms->ball = (1.0 + BALL_ROOM) * sample->reach;
}

sonde_status patch_atoms_make(const struct pattern_sample *sample, const struct fast_channels *channels,
			      const struct device *gpu, double mesh_bytes, double negligible, int threads,
			      struct patch_atoms *atoms)
{
	const int64_t all = sample->view.count;

	*atoms = (struct patch_atoms){.count = all < PATCH_ATOMS ? (int)all : PATCH_ATOMS,
				      .all = (double)all,
				      .transforms = channels->count,
				      .spreads = channels->mixed ? channels->count : 1.0,
				      .mesh_bytes = mesh_bytes,
				      .negligible = negligible,
				      .weight = 1.0,
				      .costs = gpu != NULL ? &costs_of_gpu : &costs_of_core,
				      .longest = gpu != NULL ? gpu_mesh_longest(gpu) : MOST_SIZE};
	if (all > PATCH_ATOMS)
		CHECK(add_outermost(sample, threads, atoms->positions + 3 * (PATCH_ATOMS - OUTERMOST)));
	const int64_t spread = all > PATCH_ATOMS ? PATCH_ATOMS - OUTERMOST : all;
	for (int64_t i = 0; i < spread; ++i)
		take_atom(sample, i * all / spread, atoms->positions + 3 * i);
	return SONDE_OK;
}
