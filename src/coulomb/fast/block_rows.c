/* Near and far cells of a block: patterns common to all blocks of a level. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vectors.h"
#include "coulomb/fast/blocks.h"
#include "coulomb/plan.h"

/* Half of the longest diagonal of a block, or of a cell: flat directions matter for cells only. */
static double half_diagonal(const struct block_tree *tree, bool with_flat)
{
	double longest = 0.0;

	for (int signs = 0; signs < 4; ++signs) {
		double v[3] = {0.0, 0.0, 0.0};
		for (int k = 0; k < 3; ++k)
			for (int c = 0; c < 3 && (with_flat || !tree->flat[k]); ++c)
				v[c] += 0.5 * (k > 0 && (signs >> (k - 1)) % 2 ? -1.0 : 1.0) * tree->edges[k][c];
		longest = fmax(longest, vector_length(v));
	}
	return longest;
}

/* A lower bound of the distance of a cell from the center of the block. */
static double distance(const struct block_tree *tree, uint32_t cells, const int cell[3], double cell_radius)
{
	double v[3] = {0.0, 0.0, 0.0}, square = 0.0;

	for (int k = 0; k < 3; ++k) {
		double along = (cell[k] + 0.5) / cells - (tree->flat[k] ? 0.0 : 0.5);
		if (tree->orthogonal) {
			double beyond = fmax(0.0, fabs(along) - 0.5 / cells) * vector_length(tree->edges[k]);
			square += beyond * beyond;
		}
		for (int c = 0; c < 3; ++c)
			v[c] += along * tree->edges[k][c];
	}
	return tree->orthogonal ? sqrt(square) : vector_length(v) - cell_radius;
}

sonde_status block_near_cells(const struct block_tree *tree, uint32_t cells, struct cell_rows *near)
{
	/* the same for planes and lines as for a cube, relative to an edge: the distance along each step matters */
	int directions = 3 - tree->flat[0] - tree->flat[1] - tree->flat[2];
	double radius = tree->order.reach * half_diagonal(tree, false) * sqrt(3.0 / directions);
	double cell_radius = half_diagonal(tree, true) / cells;
	int count[3], first[3];

	*near = (struct cell_rows){0};
	for (int k = 0; k < 3; ++k) {
		/* 1/|inverse_k| is the width of the block between its faces */
		first[k] = -(int)ceil((radius + 2.0 * cell_radius) * vector_length(tree->inverse[k]) * cells) - 1;
		count[k] = (int)cells - 2 * first[k];
		near->low[k] = first[k] + count[k];
		near->high[k] = first[k];
	}
	near->first_y = first[1];
	near->first_z = first[2];
	near->count_y = count[1];
	near->count_z = count[2];
	CHECK(memory_allocate(&near->begin, (size_t)count[1] * (size_t)count[2], sizeof *near->begin, "the cells"));
	CHECK(memory_allocate(&near->end, (size_t)count[1] * (size_t)count[2], sizeof *near->end, "the cells"));
	for (int z = 0; z < count[2]; ++z) {
		for (int y = 0; y < count[1]; ++y) {
			int *begin = &near->begin[z * count[1] + y], *end = &near->end[z * count[1] + y];
			int cell[3] = {0, first[1] + y, first[2] + z};
			for (cell[0] = first[0]; cell[0] < first[0] + count[0]; ++cell[0]) {
				if (!(distance(tree, cells, cell, cell_radius) < radius))
					continue;
				if (*end <= *begin)
					*begin = cell[0];
				*end = cell[0] + 1;
				for (int k = 0; k < 3; ++k) {
					near->low[k] = cell[k] < near->low[k] ? cell[k] : near->low[k];
					near->high[k] = cell[k] >= near->high[k] ? cell[k] + 1 : near->high[k];
				}
			}
		}
	}
	return SONDE_OK;
}

void cell_rows_free(struct cell_rows *rows)
{
	free(rows->begin);
	free(rows->end);
	*rows = (struct cell_rows){0};
}

/* The row at y, z; begin >= end where there is none. */
static void find_row(const struct cell_rows *rows, int y, int z, int *begin, int *end)
{
	int j = y - rows->first_y, k = z - rows->first_z;
	bool inside = j >= 0 && j < rows->count_y && k >= 0 && k < rows->count_z;

	*begin = inside ? rows->begin[k * rows->count_y + j] : 0;
	*end = inside ? rows->end[k * rows->count_y + j] : 0;
}

bool cell_rows_hold(const struct cell_rows *rows, const int cell[3])
{
	int begin, end;

	find_row(rows, cell[1], cell[2], &begin, &end);
	return cell[0] >= begin && cell[0] < end;
}

/* A growing list of rows, in the layout of the kernel. */
struct row_list {
	const struct block_level *level;
	uint32_t *rows;
	size_t count, capacity;
};

static sonde_status add_row(struct row_list *list, int z, int y, int begin, int end)
{
	const struct block_level *level = list->level;

	if (begin >= end)
		return SONDE_OK;
	CHECK(memory_grow(&list->rows, &list->capacity, 2 * (list->count + 1), sizeof *list->rows,
			  "the rows of cells"));
	int64_t offset = ((int64_t)z * level->cells[1] + y) * (int64_t)level->cells[0] + begin;
	list->rows[2 * list->count] = (uint32_t)offset;
	list->rows[2 * list->count + 1] = (uint32_t)(end - begin);
	++list->count;
	return SONDE_OK;
}

/* Adds begin to end - 1 without the near cells. */
static sonde_status add_far(struct row_list *list, const struct cell_rows *near, int z, int y, int begin, int end)
{
	int near_begin, near_end;

	find_row(near, y, z, &near_begin, &near_end);
	if (near_begin >= near_end)
		return add_row(list, z, y, begin, end);
	CHECK(add_row(list, z, y, begin, near_begin < end ? near_begin : end));
	return add_row(list, z, y, near_end > begin ? near_end : begin, end);
}

/* Rows for a block of one of 8 kinds: the cells near the block of twice the size that contains it. */
static sonde_status list_within(struct row_list *list, const struct block_tree *tree, int kind,
				const struct cell_rows *parent, uint32_t cells_of_parent,
				const struct cell_rows *near)
{
	/* cells of this level along an edge of a cell of the parent level */
	int cells = (int)list->level->cells_of_block, each = 2 * cells / (int)cells_of_parent, shift[3];

	for (int k = 0; k < 3; ++k)
		shift[k] = tree->flat[k] ? 0 : (kind >> k) % 2 * cells;
	for (int z = parent->low[2] * each; z < parent->high[2] * each; ++z) {
		for (int y = parent->low[1] * each; y < parent->high[1] * each; ++y) {
			int begin, end;
			find_row(parent, (int)floor((double)y / each), (int)floor((double)z / each), &begin, &end);
			if (begin < end)
				CHECK(add_far(list, near, z - shift[2], y - shift[1], begin * each - shift[0],
					      end * each - shift[0]));
		}
	}
	return SONDE_OK;
}

/* Rows for the only block of the highest level: all cells. */
static sonde_status list_all(struct row_list *list, const struct cell_rows *near)
{
	const struct block_level *level = list->level;
	int first[3], end[3];

	for (int k = 0; k < 3; ++k) {
		first[k] = (int)level->first_cell[k];
		end[k] = first[k] + (int)level->cells[k];
	}
	for (int z = first[2]; z < end[2]; ++z)
		for (int y = first[1]; y < end[1]; ++y)
			CHECK(add_far(list, near, z, y, first[0], end[0]));
	return SONDE_OK;
}

sonde_status block_rows_make(struct block_tree *tree, int number, const struct cell_rows *near_parent,
			     uint32_t cells_of_parent, const struct cell_rows *near)
{
	struct block_level *level = &tree->levels[number];
	struct row_list list = {.level = level}, near_list = {.level = level};
	sonde_status status = SONDE_OK;

	for (int kind = 0; kind < 8 && status == SONDE_OK; ++kind) {
		level->row_first[kind] = (uint32_t)list.count;
		if (near_parent != NULL)
			status = list_within(&list, tree, kind, near_parent, cells_of_parent, near);
		else if (kind == 0 && !tree->periodic)
			status = list_all(&list, near);
	}
	level->row_first[8] = (uint32_t)list.count;
	level->rows = list.rows;
	for (int z = near->low[2]; number == 0 && z < near->high[2] && status == SONDE_OK; ++z) {
		for (int y = near->low[1]; y < near->high[1] && status == SONDE_OK; ++y) {
			int begin, end;
			find_row(near, y, z, &begin, &end);
			status = add_row(&near_list, z, y, begin, end);
		}
	}
	if (number == 0) {
		tree->near_rows = near_list.rows;
		tree->near_row_count = (uint32_t)near_list.count;
	}
	return status;
}
