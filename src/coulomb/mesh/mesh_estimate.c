/* Cost of the sums over near charges, if dense regions may have separate meshes. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/mesh/mesh.h"

#define DEEPEST 20 /* levels, with three bits each */
#define AROUND 1.5 /* ratio of the charges of a cube's mesh, which include those around the cube, to those in it */
#define DIGIT 10   /* bits sorted at a time; the number of passes is even */

struct estimating {
	const struct mesh_costs *costs;
	struct mesh_estimate *estimate;
	const uint64_t *codes[2]; /* of charges and points: interleaved bits of z, y, x, from the highest on */
	uint32_t count[2];
	double of[2]; /* charges and points represented by each */
};

double mesh_near_cost(const struct mesh_costs *costs, double points, double near_charges)
{
	return points * (costs->pair * near_charges + costs->point);
}

/* Spreads the bits of a cube's number three places apart. */
static uint64_t spread_bits(uint64_t bits)
{
	bits = (bits | bits << 32) & UINT64_C(0x1f00000000ffff);
	bits = (bits | bits << 16) & UINT64_C(0x1f0000ff0000ff);
	bits = (bits | bits << 8) & UINT64_C(0x100f00f00f00f00f);
	bits = (bits | bits << 4) & UINT64_C(0x10c30c30c30c30c3);
	return (bits | bits << 2) & UINT64_C(0x1249249249249249);
}

static uint64_t code_of(const uint32_t cube[3])
{
	return spread_bits(cube[0]) | spread_bits(cube[1]) << 1 | spread_bits(cube[2]) << 2;
}

/* Radix sort, lowest digit first. `other` has room for as many. */
static void sort_codes(uint64_t *codes, uint64_t *other, uint32_t count)
{
	for (int shift = 0; shift < 3 * DEEPEST; shift += DIGIT) {
		uint32_t starts[(1u << DIGIT) + 1] = {0};
		for (uint32_t n = 0; n < count; ++n)
			++starts[(codes[n] >> shift & ((1u << DIGIT) - 1)) + 1];
		for (uint32_t d = 0; d < 1u << DIGIT; ++d)
			starts[d + 1] += starts[d];
		for (uint32_t n = 0; n < count; ++n)
			other[starts[codes[n] >> shift & ((1u << DIGIT) - 1)]++] = codes[n];
		uint64_t *sorted = other;
		other = codes;
		codes = sorted;
	}
}

static sonde_status make_codes(const struct mesh_survey *survey, double edge, int kind, uint64_t **codes)
{
	const struct mesh_box box = mesh_box_of_both(survey->boxes);
	const double most = (double)((1u << DEEPEST) - 1);

	CHECK(memory_allocate(codes, 2 * (size_t)survey->count[kind], sizeof **codes, "the choice of a mesh"));
	for (uint32_t n = 0; n < survey->count[kind]; ++n) {
		uint32_t cube[3];
		for (int k = 0; k < 3; ++k)
			cube[k] =
			    (uint32_t)fmin(most, (survey->places[kind][3 * (size_t)n + (size_t)k] - box.low[k]) /
						     edge * (most + 1.0));
		(*codes)[n] = code_of(cube);
	}
	sort_codes(*codes, *codes + survey->count[kind], survey->count[kind]);
	return SONDE_OK;
}

/* The first of the codes from `begin` to `end` that is not below `code`. */
static uint32_t count_below(const uint64_t *codes, uint32_t begin, uint32_t end, uint64_t code)
{
	while (begin < end) {
		uint32_t middle = begin + (end - begin) / 2;
		if (codes[middle] < code)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

/* Charges in a cube and those that touch it. */
static double count_near(const struct estimating *estimating, int level, const uint32_t cube[3])
{
	const int shift = 3 * (DEEPEST - level);
	const uint32_t size = 1u << level;
	uint32_t sum = 0;

	for (uint32_t z = cube[2] > 0 ? cube[2] - 1 : 0; z <= cube[2] + 1 && z < size; ++z)
		for (uint32_t y = cube[1] > 0 ? cube[1] - 1 : 0; y <= cube[1] + 1 && y < size; ++y)
			for (uint32_t x = cube[0] > 0 ? cube[0] - 1 : 0; x <= cube[0] + 1 && x < size; ++x) {
				uint64_t code = code_of((const uint32_t[]){x, y, z});
				uint32_t first =
				    count_below(estimating->codes[0], 0, estimating->count[0], code << shift);
				sum += count_below(estimating->codes[0], first, estimating->count[0],
						   (code + 1) << shift) -
				       first;
			}
	return sum * estimating->of[0];
}

/* Seconds for the points of a cube of a level, whose charges and points are those from begin to end: for their
 * near charges, or for a mesh and their cubes of the next level. */
static double visit(struct estimating *estimating, int level, const uint32_t cube[3], const uint32_t begin[2],
		    const uint32_t end[2])
{
	const struct mesh_costs *costs = estimating->costs;
	double points = (end[1] - begin[1]) * estimating->of[1], charges = (end[0] - begin[0]) * estimating->of[0];
	double *seconds = estimating->estimate->seconds;

	if (begin[1] == end[1])
		return 0.0;
	double near = mesh_near_cost(costs, points, count_near(estimating, level, cube));
	double mesh = costs->spread * AROUND * charges + costs->read * points + costs->convolve;
	if (near <= mesh + points * costs->point || level == DEEPEST) {
		for (int deeper = level; deeper < MESH_ESTIMATES; ++deeper)
			seconds[deeper] += points * costs->point +
					   (near - points * costs->point) * pow(CUBES_OF_CUBE, level - deeper);
		return near;
	}
	uint32_t first[2] = {begin[0], begin[1]};
	for (uint32_t part = 0; part < 8; ++part) {
		const uint32_t own[3] = {2 * cube[0] + (part & 1), 2 * cube[1] + (part >> 1 & 1),
					 2 * cube[2] + (part >> 2)};
		const uint64_t next = (code_of(own) + 1) << 3 * (DEEPEST - level - 1);
		uint32_t last[2];
		for (int kind = 0; kind < 2; ++kind)
			last[kind] = count_below(estimating->codes[kind], first[kind], end[kind], next);
		/* if all lie in one of the smaller cubes, go to its mesh directly */
		if (last[0] - first[0] == end[0] - begin[0] && last[1] - first[1] == end[1] - begin[1])
			mesh = 0.0;
		mesh += visit(estimating, level + 1, own, first, last);
		first[0] = last[0];
		first[1] = last[1];
	}
	double least = fmin(near, mesh);
	if (level < MESH_ESTIMATES)
		seconds[level] += least;
	return least;
}

sonde_status mesh_estimate_make(const struct mesh_survey *survey, const struct mesh_costs *costs,
				struct mesh_estimate *estimate)
{
	const struct mesh_box box = mesh_box_of_both(survey->boxes);
	struct estimating estimating = {.costs = costs, .estimate = estimate};
	uint64_t *codes[2] = {NULL, NULL};
	sonde_status status = SONDE_OK;

	*estimate = (struct mesh_estimate){0};
	for (int k = 0; k < 3; ++k)
		estimate->edge = fmax(estimate->edge, (1.0 + 1e-9) * (box.high[k] - box.low[k]));
	for (int kind = 0; kind < 2 && status == SONDE_OK; ++kind) {
		status = make_codes(survey, estimate->edge, kind, &codes[kind]);
		estimating.codes[kind] = codes[kind];
		estimating.count[kind] = survey->count[kind];
		estimating.of[kind] = survey->all[kind] / survey->count[kind];
	}
	if (status == SONDE_OK)
		(void)visit(&estimating, 0, (const uint32_t[3]){0, 0, 0}, (const uint32_t[2]){0, 0},
			    estimating.count);
	free(codes[0]);
	free(codes[1]);
	return status;
}

double mesh_estimate_at(const struct mesh_estimate *estimate, double cutoff)
{
	double level = fmin(MESH_ESTIMATES - 1.0, fmax(0.0, log2(estimate->edge / cutoff))), below = floor(level);
	int at = (int)fmin(below, MESH_ESTIMATES - 2.0);

	/* between levels sums are interpolated as a power of the cut-off */
	return estimate->seconds[at] * pow(estimate->seconds[at + 1] / estimate->seconds[at], level - at);
}
