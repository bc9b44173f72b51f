/* Blocks, levels, and the charges sorted by cells. */
#include "coulomb/fast/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

#define MOST_CELLS_OF_EDGE 64 /* for all charges, at the highest level */
#define MOST_CELLS 1e9
#define CHARGES_OF_CELL \
	8.0 /* cells are halved while they hold more on average: looking up a row costs less than this many */
#define CHARGES_OF_PART 20000
#define MOST_CELLS_OF_BLOCK 4
#define SAMPLED_BLOCKS 512
#define CHARGES_OF_LOOK 1000000 /* between checks for cancellation */
#define BYTES_OF_IMAGE 150.0    /* in all lists together */

/* Number of blocks of a level along each step. */
static void count_blocks(const struct targets *targets, const struct block_tree *tree, int level, uint32_t blocks[3])
{
	for (int k = 0; k < 3; ++k) {
		double points = ldexp(tree->points[k], level);
		blocks[k] = tree->flat[k] ? 1 : (uint32_t)ceil((double)targets->size[k] / points);
	}
}

struct location {
	const struct charges *charges;
	const struct block_tree *tree;
	double *places;
};

static void locate_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct location *location = state;
	const struct charges *charges = location->charges;
	const struct block_tree *tree = location->tree;
	double *places = location->places;

	(void)worker;
	for (int64_t j = first; j < end; ++j) {
		const double from[3] = {charges->x[j] - tree->origin[0], charges->y[j] - tree->origin[1],
					charges->z[j] - tree->origin[2]};
		for (int k = 0; k < 3; ++k)
			places[3 * (size_t)j + k] = tree->inverse[k][0] * from[0] + tree->inverse[k][1] * from[1] +
						    tree->inverse[k][2] * from[2];
	}
}

/* Block coordinates of the charges, three numbers each. */
static void locate(const struct charges *charges, const struct block_tree *tree, int threads, double *places)
{
	struct location location = {charges, tree, places};

	threads_for(threads, charges->count, CHARGES_OF_PART, locate_some, &location);
}

/* Number of levels: up to a single block, and few cells for all charges, the farthest of them this many blocks
 * away. */
static void count_levels(const struct targets *targets, double farthest, struct block_tree *tree)
{
	for (tree->level_count = 0; tree->level_count < BLOCKS_MOST_LEVELS;) {
		uint32_t *blocks = tree->levels[tree->level_count].blocks;
		count_blocks(targets, tree, tree->level_count, blocks);
		++tree->level_count;
		if (blocks[0] * blocks[1] * blocks[2] == 1 &&
		    ldexp(farthest, 1 - tree->level_count) * MOST_CELLS_OF_BLOCK * 2.0 < MOST_CELLS_OF_EDGE)
			break;
	}
}

/* The cells of a level: those near a block of twice the size; at the highest level those of all charges, or of
 * those near its block if its values are known. */
static sonde_status lay_cells(const struct charges *charges, const double *places, struct block_tree *tree,
			      int number, const struct cell_rows *near_parent, uint32_t cells_of_parent,
			      const struct cell_rows *near)
{
	struct block_level *level = &tree->levels[number];
	double total = 1.0;

	for (int k = 0; k < 3; ++k) {
		int64_t first, end;
		if (near_parent != NULL) {
			int64_t each = 2 * level->cells_of_block / cells_of_parent;
			int64_t last_block = tree->levels[number + 1].blocks[k] - 1;
			first = each * near_parent->low[k];
			end = each * (near_parent->high[k] + last_block * cells_of_parent);
		} else {
			first = near->low[k];
			end = near->high[k];
			for (uint32_t j = 0; j < charges->count && !tree->periodic; ++j) {
				int64_t cell =
				    (int64_t)floor(ldexp(places[3 * (size_t)j + k], -number) * level->cells_of_block);
				first = cell < first ? cell : first;
				end = cell >= end ? cell + 1 : end;
			}
		}
		level->first_cell[k] = first;
		level->cells[k] = (uint32_t)(end - first);
		total *= (double)(end - first);
	}
	if (total > MOST_CELLS)
		return status_fail(SONDE_INVALID,
				   "method fast: %.3g cells of charges are too many; use `method direct`", total);
	return SONDE_OK;
}

/* The cell of a charge at the level; UINT32_MAX outside. */
static uint32_t find_cell(const struct block_level *level, int number, const double place[3])
{
	int64_t cell[3];

	for (int k = 0; k < 3; ++k) {
		double coordinate =
		    floor(ldexp(place[k], -number) * level->cells_of_block) - (double)level->first_cell[k];
		if (coordinate < 0.0 || coordinate >= level->cells[k])
			return UINT32_MAX;
		cell[k] = (int64_t)coordinate;
	}
	return (uint32_t)((cell[2] * level->cells[1] + cell[1]) * level->cells[0] + cell[0]);
}

static sonde_status look(const sonde_context *context)
{
	return context_cancelled(context)
		   ? status_fail(SONDE_CANCELLED, "stopped on request while sorting the charges")
		   : SONDE_OK;
}

/* Charges in the order of their cells, within a cell in the order of the sample. */
static sonde_status sort_charges(const sonde_context *context, const struct charges *charges, const double *places,
				 int number, struct block_level *level)
{
	size_t cells = (size_t)level->cells[0] * level->cells[1] * level->cells[2], count = charges->count;
	size_t each = 3 + charges->sets;
	uint32_t *cell_of = NULL, total = 0;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&level->starts, cells + 1, sizeof *level->starts, "the cells"), done);
	CHECK_GOTO(status, memory_allocate(&cell_of, count, sizeof *cell_of, "the cells"), done);
	for (size_t j = 0; j < count; ++j) {
		if (j % CHARGES_OF_LOOK == 0)
			CHECK_GOTO(status, look(context), done);
		cell_of[j] = find_cell(level, number, places + 3 * j);
		if (cell_of[j] != UINT32_MAX)
			++level->starts[cell_of[j]];
	}
	for (size_t c = 0; c <= cells; ++c) {
		uint32_t here = level->starts[c];
		level->starts[c] = total;
		total += here;
	}
	level->charge_count = total;
	CHECK_GOTO(status, memory_allocate(&level->charges, each * total + 4, sizeof(double), "the charges"), done);
	for (size_t j = 0; j < count; ++j) {
		if (j % CHARGES_OF_LOOK == 0)
			CHECK_GOTO(status, look(context), done);
		if (cell_of[j] == UINT32_MAX)
			continue;
		double *to = level->charges + each * level->starts[cell_of[j]]++;
		to[0] = charges->x[j];
		to[1] = charges->y[j];
		to[2] = charges->z[j];
		for (uint32_t s = 0; s < charges->sets; ++s)
			to[3 + s] = charges->q[(size_t)s * charges->count + j];
	}
	/* each start has become that of the next cell */
	memmove(level->starts + 1, level->starts, cells * sizeof *level->starts);
	level->starts[0] = 0;
done:
	free(cell_of);
	return status;
}

/* Number of cells along an edge of a block: cells are halved while they hold many charges. */
static uint32_t choose_cells(const struct block_tree *tree, int level, uint32_t cells_of_parent)
{
	double of_block = tree->charges_of_block * ldexp(1.0, 3 * level);
	uint32_t cells = 2;

	while (cells < MOST_CELLS_OF_BLOCK && of_block / pow(cells, 3) > CHARGES_OF_CELL)
		cells *= 2;
	return 2 * cells < cells_of_parent ? cells_of_parent / 2 : cells;
}

/* Charges of a block of level 0, on average over the bounding box of all charges. */
static double find_density(const struct charges *charges, const double *places, double *farthest)
{
	double volume = 1.0;

	*farthest = 0.0;
	for (int k = 0; k < 3; ++k) {
		double low = 1e300, high = -1e300;
		for (size_t j = 0; j < charges->count; ++j) {
			low = fmin(low, places[3 * j + k]);
			high = fmax(high, places[3 * j + k]);
		}
		volume *= fmax(1.0, high - low);
		*farthest = fmax(*farthest, fmax(fabs(low), fabs(high)));
	}
	return charges->count / volume;
}

struct sorting {
	const sonde_context *context;
	const struct charges *charges;
	const double *places;
	struct block_tree *tree;
	sonde_status statuses[BLOCKS_MOST_LEVELS];
};

static void sort_levels(void *state, int64_t first, int64_t end, int worker)
{
	struct sorting *s = state;

	(void)worker;
	for (int number = (int)first; number < (int)end; ++number)
		if (number < s->tree->level_count - 1 || number == 0 || !s->tree->periodic)
			s->statuses[number] =
			    sort_charges(s->context, s->charges, s->places, number, &s->tree->levels[number]);
}

static sonde_status make_levels(const sonde_context *context, const struct charges *charges, const double *places,
				struct block_tree *tree)
{
	struct sorting sorting = {context, charges, places, tree, {SONDE_OK}};
	struct cell_rows near_parent = {0}, near = {0};
	uint32_t cells_of_parent = 0;
	sonde_status status = SONDE_OK;

	for (int number = tree->level_count - 1; number >= 0 && status == SONDE_OK; --number) {
		struct block_level *level = &tree->levels[number];
		bool highest = number == tree->level_count - 1;
		level->cells_of_block = choose_cells(tree, number, cells_of_parent);
		CHECK_GOTO(status, block_near_cells(tree, level->cells_of_block, &near), done);
		CHECK_GOTO(
		    status,
		    lay_cells(charges, places, tree, number, highest ? NULL : &near_parent, cells_of_parent, &near),
		    done);
		CHECK_GOTO(status,
			   block_rows_make(tree, number, highest ? NULL : &near_parent, cells_of_parent, &near),
			   done);
		cell_rows_free(&near_parent);
		near_parent = near;
		near = (struct cell_rows){0};
		cells_of_parent = level->cells_of_block;
	}
	threads_for(context_threads(context), tree->level_count, 1, sort_levels, &sorting);
	for (int number = 0; number < tree->level_count && status == SONDE_OK; ++number)
		if (sorting.statuses[number] != SONDE_OK)
			status = status_fail(sorting.statuses[number],
					     sorting.statuses[number] == SONDE_CANCELLED
						 ? "stopped on request while sorting the charges"
						 : "not enough memory for the charges of all levels");
done:
	cell_rows_free(&near_parent);
	cell_rows_free(&near);
	return status;
}

/* The cells near the largest block. */
struct near_block {
	const struct block_tree *tree;
	const struct cell_rows *near;
	double cells; /* cell edges per block coordinate of level 0 */
};

static bool is_near(const void *user, const double place[3])
{
	const struct near_block *block = user;
	const struct block_tree *tree = block->tree;
	int cell[3];

	for (int k = 0; k < 3; ++k) {
		double along = 0.0;
		for (int c = 0; c < 3; ++c)
			along += tree->inverse[k][c] * (place[c] - tree->origin[c]);
		cell[k] = (int)floor(along * block->cells);
	}
	return cell_rows_hold(block->near, cell);
}

/* Range of fractional coordinates of the near cells in the periodic cell. */
static void find_bounds(const struct near_block *block, const struct cell *cell, double low[3], double high[3])
{
	const struct block_tree *tree = block->tree;

	for (int k = 0; k < 3; ++k) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
	}
	for (int corner = 0; corner < 8; ++corner) {
		double place[3], fractions[3];
		memcpy(place, tree->origin, sizeof place);
		for (int k = 0; k < 3; ++k)
			for (int c = 0; c < 3; ++c)
				place[c] += (corner >> k & 1 ? block->near->high[k] : block->near->low[k]) /
					    block->cells * tree->edges[k][c];
		cell_fractions(cell, place, fractions);
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], fractions[k]);
			high[k] = fmax(high[k], fractions[k]);
		}
	}
}

/* The images of the charges near the largest block. */
static sonde_status find_images(const sonde_context *context, const struct charges *charges,
				const struct targets *targets, const struct cell *cell, struct block_tree *tree)
{
	struct cell_rows near = {0};
	double low[3], high[3];
	sonde_status status;

	count_levels(targets, 0.0, tree);
	tree->charges_of_block = charges->count / cell->volume * block_volume(tree);
	uint32_t cells = choose_cells(tree, tree->level_count - 1, 0);
	const struct near_block block = {tree, &near, ldexp(cells, 1 - tree->level_count)};
	CHECK_GOTO(status, block_near_cells(tree, cells, &near), done);
	find_bounds(&block, cell, low, high);
	double count = charges->count * (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
	if (context != NULL && count * BYTES_OF_IMAGE > (double)context_host_memory(context))
		status = status_fail(
		    SONDE_INVALID,
		    "method fast: the grid is surrounded by %.3g images of charges, too many for the memory; "
		    "use a grid of fewer cells, or `method direct`",
		    count);
	else
		status = cell_images(context, cell, charges, low, high, is_near, &block, &tree->images);
done:
	cell_rows_free(&near);
	return status;
}

static sonde_status fill_tree(const sonde_context *context, const struct charges *charges,
			      const struct targets *targets, struct block_tree *tree)
{
	double *places, farthest;

	CHECK(memory_allocate(&places, 3 * (size_t)charges->count + 1, sizeof *places, "the charges"));
	locate(charges, tree, context_threads(context), places);
	double density = find_density(charges, places, &farthest);
	if (!tree->periodic) {
		tree->charges_of_block = density;
		count_levels(targets, farthest, tree);
	}
	sonde_status status = make_levels(context, charges, places, tree);
	free(places);
	return status;
}

sonde_status block_tree_make(const sonde_context *context, const struct charges *charges,
			     const struct targets *targets, const struct cell *cell, const struct block_order *order,
			     struct block_tree *tree)
{
	sonde_status status;

	*tree = (struct block_tree){.order = *order, .periodic = cell != NULL};
	tree->sets = charges->sets;
	CHECK(block_shape_make(targets, tree));
	CHECK_GOTO(status, block_nodes_make(tree), done);
	if (cell != NULL)
		CHECK_GOTO(status, find_images(context, charges, targets, cell, tree), done);
	status = fill_tree(context, cell != NULL ? &tree->images : charges, targets, tree);
done:
	if (status != SONDE_OK)
		block_tree_free(tree);
	return status;
}

void block_tree_free(struct block_tree *tree)
{
	for (int number = 0; number < tree->level_count; ++number) {
		free(tree->levels[number].charges);
		free(tree->levels[number].starts);
		free(tree->levels[number].rows);
	}
	free(tree->highest);
	charges_free(&tree->images);
	free(tree->near_rows);
	free(tree->node_offsets);
	free(tree->point_offsets);
	free(tree->to_halves);
	free(tree->to_points);
	*tree = (struct block_tree){0};
}

/* Number of charges in the rows first to end - 1, relative to the first cell of a block. `rows` may be null if
 * there are none. */
static double count_charges(const struct block_level *level, uint32_t cell, const uint32_t *rows, uint32_t first,
			    uint32_t end)
{
	double charges = 0.0;

	for (size_t r = first; r < end; ++r) {
		const uint32_t *from = level->starts + (uint32_t)(cell + rows[2 * r]);
		charges += from[rows[2 * r + 1]] - from[0];
	}
	return charges;
}

void block_level_strides(const struct block_tree *tree, const struct block_level *level, uint32_t *cell,
			 uint32_t strides[3])
{
	int64_t across = level->cells[0], plane = across * level->cells[1];

	*cell = (uint32_t)(-(level->first_cell[2] * plane + level->first_cell[1] * across + level->first_cell[0]));
	strides[0] = tree->flat[0] ? 0 : level->cells_of_block;
	strides[1] = tree->flat[1] ? 0 : (uint32_t)(level->cells_of_block * across);
	strides[2] = tree->flat[2] ? 0 : (uint32_t)(level->cells_of_block * plane);
}

double block_tree_evaluations(const struct block_tree *tree)
{
	double evaluations = 0.0;

	for (int number = 0; number < tree->level_count; ++number) {
		const struct block_level *level = &tree->levels[number];
		uint64_t blocks = (uint64_t)level->blocks[0] * level->blocks[1] * level->blocks[2];
		uint64_t sampled = blocks < SAMPLED_BLOCKS ? blocks : SAMPLED_BLOCKS;
		uint32_t first, strides[3];
		double found = 0.0;
		block_level_strides(tree, level, &first, strides);
		for (uint64_t n = 0; n < sampled; ++n) {
			uint64_t block = (uint64_t)(fmod((double)n * 0.6180339887498949, 1.0) * (double)blocks);
			uint32_t x = (uint32_t)(block % level->blocks[0]),
				 y = (uint32_t)(block / level->blocks[0] % level->blocks[1]),
				 z = (uint32_t)(block / level->blocks[0] / level->blocks[1]),
				 kind = x % 2 + y % 2 * 2 + z % 2 * 4;
			uint32_t cell = first + x * strides[0] + y * strides[1] + z * strides[2];
			found += tree->node_count * count_charges(level, cell, level->rows, level->row_first[kind],
								  level->row_first[kind + 1]);
			if (number == 0)
				found += tree->point_count *
					 count_charges(level, cell, tree->near_rows, 0, tree->near_row_count);
		}
		evaluations += found * (double)blocks / (double)sampled;
	}
	return evaluations;
}

double block_tree_bytes(const struct block_tree *tree)
{
	double bytes = 0.0;

	for (int number = 0; number < tree->level_count; ++number) {
		const struct block_level *level = &tree->levels[number];
		bytes += 8.0 * (3 + tree->sets) * level->charge_count + 8.0 * level->row_first[8] +
			 4.0 * level->cells[0] * (double)level->cells[1] * level->cells[2];
	}
	return bytes;
}
