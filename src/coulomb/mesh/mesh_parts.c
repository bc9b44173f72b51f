/* Parts of a mesh sum: dense regions have separate meshes, recursively.
 *
 * A mesh with cut-off R leaves g - s_R to be summed over the charges within R. If these are many, the points of a
 * box get g - s_R from the charges within R of the box by another mesh with a smaller cut-off R': its kernel
 * s_R' - s_R is 0 from R on and, like all smooth parts, has no waves shorter than those of R'; the remainder
 * g - s_R' is summed over the charges within R', or by parts of the part. (Telescoping kernels: Jiang and
 * Greengard, Commun. Pure Appl. Math. 78 (2025) 1018, with the boxes of an octree; here boxes and cut-offs are
 * chosen for the least work.) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/charges.h"
#include "coulomb/mesh/mesh_run.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

#define LEAST_PAIRS 1e5 /* of the points of a cube and charges near it, from which another mesh may pay off */
#define WORTH_WHILE 0.9 /* largest cost relative to the near sum */
#define SURVEYED_OF_PART 8192
#define BEYOND 1e-9 /* of the cut-off, a margin for rounding */

/* Cubes of the cut-off, and their contents. */
struct finding {
	struct mesh_run *run;
	struct mesh_cubes cubes;
	struct mesh_costs costs;
	double *points, *near; /* for each cube: points in it, and charges in it and in adjacent cubes */
	uint32_t *block_of;    /* box of each cube, from 1 on; 0: none */
	struct mesh_block *blocks;
	uint32_t block_count;
};

static void finding_free(struct finding *finding)
{
	free(finding->points);
	free(finding->near);
	free(finding->block_of);
	free(finding->blocks);
	free(finding->cubes.charges);
	free(finding->cubes.many);
}

static size_t cube_at(const struct finding *finding, double x, double y, double z)
{
	const double at[3] = {x, y, z};
	size_t cube = 0;

	for (int k = 2; k >= 0; --k) {
		double along = (at[k] - finding->run->box.low[k]) / finding->cubes.cutoff;
		uint32_t most = finding->cubes.size[k] - 1, here = (uint32_t)along;
		cube = cube * finding->cubes.size[k] + (here < most ? here : most);
	}
	return cube;
}

static sonde_status count_cubes(struct finding *finding)
{
	const struct mesh_run *run = finding->run;
	const struct charges *charges = run->charges;
	const double *points = run->targets->points;
	int64_t size[3];
	size_t all = 1;

	for (int k = 0; k < 3; ++k) {
		size[k] = (int64_t)((run->box.high[k] - run->box.low[k]) / finding->cubes.cutoff) + 1;
		finding->cubes.size[k] = (uint32_t)size[k];
		all *= (size_t)size[k];
	}
	CHECK(memory_allocate(&finding->points, all, sizeof(double), "the cells"));
	CHECK(memory_allocate(&finding->near, all, sizeof(double), "the cells"));
	CHECK(memory_allocate(&finding->block_of, all, sizeof(uint32_t), "the cells"));
	CHECK(memory_allocate(&finding->cubes.charges, all, sizeof(uint32_t), "the cells"));
	for (uint32_t j = 0; j < charges->count; ++j)
		++finding->cubes.charges[cube_at(finding, charges->x[j], charges->y[j], charges->z[j])];
	for (int64_t n = 0; n < run->targets->count; ++n)
		finding->points[cube_at(finding, points[3 * n], points[3 * n + 1], points[3 * n + 2])] += 1.0;
	for (size_t c = 0; c < all; ++c)
		finding->near[c] = finding->cubes.charges[c];
	for (int k = 0; k < 3; ++k)
		mesh_add_neighbors(finding->near, size, k);
	return SONDE_OK;
}

/* Finds cubes for whose points another mesh is less work than their near charges. */
static sonde_status find_many(struct finding *finding)
{
	struct mesh_cubes *cubes = &finding->cubes;
	size_t all = (size_t)cubes->size[0] * cubes->size[1] * cubes->size[2], capacity = 0;

	for (size_t c = 0; c < all; ++c) {
		double pairs = finding->points[c] * finding->near[c];
		finding->run->near_pairs += pairs;
		if (pairs < LEAST_PAIRS ||
		    mesh_parts_cost(&finding->costs, finding->points[c], cubes->charges[c], finding->near[c]) >
			mesh_near_cost(&finding->costs, finding->points[c], finding->near[c]))
			continue;
		CHECK(memory_grow(&cubes->many, &capacity, cubes->many_count + (size_t)1, sizeof *cubes->many,
				  "the cells"));
		uint32_t *to = cubes->many[cubes->many_count++];
		to[0] = (uint32_t)(c % cubes->size[0]);
		to[1] = (uint32_t)(c / cubes->size[0] % cubes->size[1]);
		to[2] = (uint32_t)(c / cubes->size[0] / cubes->size[1]);
	}
	return SONDE_OK;
}

static void mark_blocks(struct finding *finding)
{
	const struct mesh_cubes *cubes = &finding->cubes;

	for (uint32_t n = 0; n < cubes->many_count; ++n) {
		const uint32_t *cube = cubes->many[n];
		uint32_t block = 0;
		for (bool inside = false; !inside; ++block) {
			inside = true;
			for (int k = 0; k < 3; ++k)
				inside = inside && cube[k] >= finding->blocks[block].first[k] &&
					 cube[k] < finding->blocks[block].end[k];
		}
		finding->block_of[((size_t)cube[2] * cubes->size[1] + cube[1]) * cubes->size[0] + cube[0]] = block;
	}
}

/* Points of each box: numbers[starts[b] .. starts[b + 1]) are their indices in the order of cells. */
static sonde_status sort_points(const struct finding *finding, uint32_t **starts, uint32_t **numbers)
{
	const struct mesh_run *run = finding->run;
	uint32_t *blocks;

	CHECK(memory_allocate(starts, finding->block_count + (size_t)2, sizeof(uint32_t), "the parts"));
	CHECK(memory_allocate(numbers, 2 * (size_t)run->points.count, sizeof(uint32_t), "the parts"));
	blocks = *numbers + run->points.count;
	for (uint32_t n = 0; n < run->points.count; ++n) {
		const double *point = run->targets->points + 3 * (size_t)run->points.numbers[n];
		blocks[n] = finding->block_of[cube_at(finding, point[0], point[1], point[2])];
		if (blocks[n] > 0)
			++(*starts)[blocks[n] + 1];
	}
	for (uint32_t b = 0; b <= finding->block_count; ++b)
		(*starts)[b + 1] += (*starts)[b];
	/* each becomes the end of its box */
	for (uint32_t n = 0; n < run->points.count; ++n)
		if (blocks[n] > 0)
			(*numbers)[(*starts)[blocks[n]]++] = n;
	return SONDE_OK;
}

static sonde_status gather_points(const struct mesh_run *run, const uint32_t *numbers, uint32_t count,
				  struct mesh_part *part, struct mesh_box *box)
{
	part->targets = (struct targets){.count = count, .size = {count, 1, 1}};
	*box = (struct mesh_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	CHECK(memory_allocate(&part->targets.points, 3 * (size_t)count, sizeof(double), "the parts"));
	CHECK(memory_allocate(&part->numbers, count, sizeof(uint32_t), "the parts"));
	for (uint32_t n = 0; n < count; ++n) {
		uint32_t number = run->points.numbers[numbers[n]];
		part->numbers[n] = number;
		for (int k = 0; k < 3; ++k) {
			double at = run->targets->points[3 * (size_t)number + (size_t)k];
			part->targets.points[3 * (size_t)n + (size_t)k] = at;
			box->low[k] = fmin(box->low[k], at);
			box->high[k] = fmax(box->high[k], at);
		}
	}
	return SONDE_OK;
}

/* The first and last cell along an axis that may contain charges within the cut-off of a box. */
static void find_cells(const struct mesh_cells *cells, const struct mesh_box *box, double cutoff, int k,
		       uint32_t *first, uint32_t *last)
{
	double low = (box->low[k] - cutoff - cells->origin[k]) / cells->edges[k] - BEYOND,
	       high = (box->high[k] + cutoff - cells->origin[k]) / cells->edges[k] + BEYOND,
	       most = cells->size[k] - 1.0;

	*first = (uint32_t)fmin(most, fmax(0.0, low));
	*last = (uint32_t)fmin(most, fmax(0.0, high));
}

static bool is_near(const struct charges *charges, uint32_t j, const struct mesh_box *box, double cutoff)
{
	const double at[3] = {charges->x[j], charges->y[j], charges->z[j]};
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		double away = fmax(0.0, fmax(box->low[k] - at[k], at[k] - box->high[k]));
		square += away * away;
	}
	return square < cutoff * cutoff * (1.0 + BEYOND);
}

/* Charges within the cut-off of a box, in the order of cells: returns their number, and copies them unless the
 * buffer is null. */
static uint32_t find_charges(const struct mesh_run *run, const struct mesh_box *box, uint32_t *numbers)
{
	const struct mesh_cells *cells = &run->sources;
	const double cutoff = run->choice.cutoff;
	uint32_t first[3], last[3], count = 0;

	for (int k = 0; k < 3; ++k)
		find_cells(cells, box, cutoff, k, &first[k], &last[k]);
	for (uint32_t z = first[2]; z <= last[2]; ++z)
		for (uint32_t y = first[1]; y <= last[1]; ++y) {
			const uint32_t *row = cells->starts + ((size_t)z * cells->size[1] + y) * cells->size[0];
			for (uint32_t n = row[first[0]]; n < row[last[0] + 1]; ++n) {
				if (!is_near(run->charges, cells->numbers[n], box, cutoff))
					continue;
				if (numbers != NULL)
					numbers[count] = cells->numbers[n];
				++count;
			}
		}
	return count;
}

static sonde_status gather_charges(const struct mesh_run *run, const struct mesh_box *box, struct mesh_part *part)
{
	const struct charges *all = run->charges;
	uint32_t count = find_charges(run, box, NULL), *numbers;
	double *own;

	CHECK(memory_allocate(&numbers, count, sizeof *numbers, "the parts"));
	sonde_status status = memory_allocate(&own, (3 + (size_t)all->sets) * count, sizeof(double), "the parts");
	if (status == SONDE_OK) {
		(void)find_charges(run, box, numbers);
		part->charges = (struct charges){.count = count,
						 .x = own,
						 .y = own + count,
						 .z = own + 2 * (size_t)count,
						 .q = own + 3 * (size_t)count,
						 .sets = all->sets};
		for (uint32_t n = 0; n < count; ++n) {
			uint32_t j = numbers[n];
			part->charges.x[n] = all->x[j];
			part->charges.y[n] = all->y[j];
			part->charges.z[n] = all->z[j];
			for (uint32_t s = 0; s < all->sets; ++s)
				part->charges.q[(size_t)s * count + n] = all->q[(size_t)s * all->count + j];
		}
	}
	free(numbers);
	return status;
}

void mesh_part_free(struct mesh_part *part)
{
	free(part->charges.x);
	free(part->targets.points);
	free(part->numbers);
	*part = (struct mesh_part){0};
}

static sonde_status choose(const struct mesh_run *run, struct mesh_part *part)
{
	const struct mesh_place place = mesh_place_cpu(run->context);
	struct mesh_survey survey;

	part->choice = (struct mesh_choice){0};
	if (part->charges.count == 0)
		return SONDE_OK;
	CHECK(mesh_survey_make(run->threads, &part->charges, &part->targets, SURVEYED_OF_PART, &survey));
	sonde_status status =
	    mesh_choose(&place, &survey, &part->charges, run->plan, run->order, run->choice.cutoff, &part->choice);
	mesh_survey_free(&survey);
	return status;
}

/* Makes a part for the points of a box if this is less work than their near charges. */
static sonde_status make_part(struct finding *finding, uint32_t block, const uint32_t *numbers, uint32_t count)
{
	struct mesh_run *run = finding->run;
	struct mesh_part part = {0};
	struct mesh_box box;
	double near = 0.0, pairs = 0.0;
	sonde_status status;

	for (uint32_t n = 0; n < finding->cubes.many_count; ++n) {
		const uint32_t *cube = finding->cubes.many[n], *size = finding->cubes.size;
		size_t c = ((size_t)cube[2] * size[1] + cube[1]) * size[0] + cube[0];
		if (finding->block_of[c] != block + 1)
			continue;
		near += mesh_near_cost(&finding->costs, finding->points[c], finding->near[c]);
		pairs += finding->points[c] * finding->near[c];
	}
	CHECK_GOTO(status, gather_points(run, numbers, count, &part, &box), done);
	CHECK_GOTO(status, gather_charges(run, &box, &part), done);
	CHECK_GOTO(status, choose(run, &part), done);
	if (!part.choice.possible || part.choice.seconds > WORTH_WHILE * near)
		goto done;
	for (uint32_t n = 0; n < count; ++n)
		run->elsewhere[numbers[n]] = 1;
	run->near_pairs -= pairs;
	run->parts[run->part_count++] = part;
	return SONDE_OK;
done:
	mesh_part_free(&part);
	return status;
}

static sonde_status make_parts(struct finding *finding)
{
	struct mesh_run *run = finding->run;
	uint32_t *starts = NULL, *numbers = NULL;
	sonde_status status;

	CHECK(memory_allocate(&run->parts, finding->block_count, sizeof *run->parts, "the parts"));
	CHECK(memory_allocate(&run->elsewhere, run->points.count, 1, "the parts"));
	mark_blocks(finding);
	CHECK_GOTO(status, sort_points(finding, &starts, &numbers), done);
	for (uint32_t b = 0; b < finding->block_count && status == SONDE_OK; ++b)
		status = make_part(finding, b, numbers + starts[b], starts[b + 1] - starts[b]);
done:
	free(starts);
	free(numbers);
	return status;
}

sonde_status mesh_parts_make(struct mesh_run *run)
{
	struct finding finding = {.run = run,
				  .cubes = {.cutoff = run->choice.cutoff},
				  .costs = mesh_find_costs(run->charges, run->plan, run->order)};
	sonde_status status;

	CHECK_GOTO(status, count_cubes(&finding), done);
	CHECK_GOTO(status, find_many(&finding), done);
	if (finding.cubes.many_count == 0)
		goto done;
	CHECK_GOTO(status, mesh_cubes_group(run, &finding.cubes, &finding.blocks, &finding.block_count), done);
	status = make_parts(&finding);
done:
	finding_free(&finding);
	return status;
}

void mesh_parts_free(struct mesh_run *run)
{
	for (uint32_t n = 0; n < run->part_count; ++n)
		mesh_part_free(&run->parts[n]);
	free(run->parts);
	run->parts = NULL;
	run->part_count = 0;
}
