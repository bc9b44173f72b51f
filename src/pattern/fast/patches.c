#include "pattern/fast/patches.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "pattern/fast/cost.h"

#define MOST_DEPTH 60
#define BLOCK_ROOM 0.8
#define SOME_POINTS 16384 /* by which many are divided */
#define EXTENT_ROOM 1.4   /* of all atoms, in place of some */
#define LENGTH_ROOM 1.1   /* the same for the size of an axis */

sonde_status patch_list_check(const struct patch_list *list)
{
	return list->too_large
		   ? status_fail(
			 SONDE_RESOURCE,
			 "the fast method needs more memory for its meshes; allow more, or use `method direct`")
		   : SONDE_OK;
}

void patch_list_free(struct patch_list *list)
{
	free(list->patches);
	*list = (struct patch_list){.count = 0};
}

static void find_extents(const struct patch_atoms *atoms, const struct fast_axes *axes, double low[3], double high[3])
{
	for (int k = 0; k < 3; ++k) {
		low[k] = atoms->ball > 0.0 ? -atoms->ball : INFINITY;
		high[k] = -low[k];
		for (int i = 0; atoms->ball == 0.0 && i < atoms->count; ++i) {
			const double t = vector_dot(axes->axis[k].direction, atoms->positions + 3 * i);
			low[k] = fmin(low[k], t);
			high[k] = fmax(high[k], t);
		}
	}
}

void patch_axes(const struct patch *patch, const struct patch_atoms *atoms, const struct window *window,
		const double low[3], const double high[3], struct fast_axes *axes)
{
	*axes = patch->axes;
	for (int k = 0; k < 3; ++k) {
		struct fast_axis *axis = &axes->axis[k];
		const double center = 0.5 * (low[k] + high[k]), half = 0.5 * (high[k] - low[k]);
		if (axis->regular)
			fast_axis_regular(window, center, half, axis->count, axis);
		else
			fast_axis_of_points(window, center, half, axis->largest, atoms->negligible, axis);
	}
	fast_axes_sort(axes);
	fast_axis_use_moments(atoms->negligible, &axes->axis[2]);
}

bool patch_axes_fit(const struct patch_atoms *atoms, const struct fast_axes *axes)
{
	double sizes[4];

	for (int k = 0; k < 3; ++k)
		if (axes->axis[k].size > atoms->longest)
			return false;
	fast_axes_sizes(axes, sizes);
	return cost_bytes(sizes) <= EXTENT_ROOM * atoms->mesh_bytes;
}

static double mesh_cycles(const struct patch_atoms *atoms, const struct fast_axes *axes)
{
	return atoms->transforms * axes->axis[2].moments * cost_of_mesh(atoms->costs, axes);
}

static double atom_cycles(const struct patch_atoms *atoms, const struct window *window, const struct fast_axes *axes)
{
	return cost_of_atoms(atoms->costs, window, axes, atoms->spreads * axes->axis[2].moments * atoms->all);
}

/* Completes a patch with the directions and extents of its axes; false if its mesh is too large. */
static bool complete(const struct patch_atoms *atoms, const struct window *window, struct patch *patch)
{
	double low[3], high[3], sizes[4];
	struct fast_axes axes;

	find_extents(atoms, &patch->axes, low, high);
	patch_axes(patch, atoms, window, low, high, &axes);
	patch->axes = axes;
	fast_axes_sizes(&axes, sizes);
	patch->cycles = mesh_cycles(atoms, &axes) + atom_cycles(atoms, window, &axes) +
			atoms->transforms * axes.axis[2].moments *
			    cost_of_points(atoms->costs, window, &axes, atoms->weight * (double)patch->count);
	for (int k = 0; k < 3; ++k)
		if (LENGTH_ROOM * (double)axes.axis[k].size > (double)atoms->longest)
			return false;
	return cost_bytes(sizes) <= atoms->mesh_bytes;
}

/* Points ------------------------------------------------------------------------------------------------------ */

struct dividing {
	const struct patch_atoms *atoms;
	const struct window *window;
	double *vectors;
	uint32_t *numbers;
	struct patch_list *list;
	int threads;
	struct division_tree *tree; /* may be null */
};

/* The planes by which points were divided. Children are nodes, or leaves: -1 minus the number of their patch. */
struct division_node {
	double e[3], middle; /* points with e.q < middle are in the first child */
	int32_t children[2];
};
struct division_tree {
	struct division_node *nodes;
	size_t count, capacity;
	int32_t top;
};

static void swap_points(struct dividing *dividing, int64_t i, int64_t j)
{
	double *a = dividing->vectors + 3 * i, *b = dividing->vectors + 3 * j, vector[3];
	const uint32_t number = dividing->numbers[i];

	memcpy(vector, a, sizeof vector);
	memcpy(a, b, sizeof vector);
	memcpy(b, vector, sizeof vector);
	dividing->numbers[i] = dividing->numbers[j];
	dividing->numbers[j] = number;
}

/* Puts the points on one side of the middle first, along the direction with most nodes; returns their number. */
static int64_t part(struct dividing *dividing, const struct patch *patch)
{
	const double *e = patch->axes.axis[0].direction, middle = vector_dot(e, patch->middle);
	int64_t low = patch->first, high = patch->first + patch->count - 1;

	while (low <= high) {
		if (vector_dot(e, dividing->vectors + 3 * low) < middle)
			++low;
		else
			swap_points(dividing, low, high--);
	}
	return low - patch->first;
}

static sonde_status add(struct patch_list *list, const struct patch *patch)
{
	CHECK(memory_grow(&list->patches, &list->capacity, list->count + 1, sizeof *list->patches, "the patches"));
	list->patches[list->count++] = *patch;
	list->cycles += patch->cycles;
	return SONDE_OK;
}

static sonde_status add_node(struct division_tree *tree, const struct patch *patch, int32_t *node)
{
	if (tree == NULL)
		return SONDE_OK;
	CHECK(memory_grow(&tree->nodes, &tree->capacity, tree->count + 1, sizeof *tree->nodes, "the patches"));
	*node = (int32_t)tree->count++;
	memcpy(tree->nodes[*node].e, patch->axes.axis[0].direction, sizeof tree->nodes->e);
	tree->nodes[*node].middle = vector_dot(patch->axes.axis[0].direction, patch->middle);
	return SONDE_OK;
}

/* Adds a patch, or its halves if these take less time; `place`: of its node, or leaf, in the tree. */
static sonde_status divide(struct dividing *dividing, int64_t first, int64_t count, int depth, int32_t *place)
{
	struct patch patch = {.first = first, .count = count};
	struct patch_list *list = dividing->list;
	const size_t before = list->count;
	const double cycles = list->cycles;

	CHECK(patch_find_frame(dividing->vectors, dividing->threads, &patch));
	const bool fits = complete(dividing->atoms, dividing->window, &patch);
	*place = -1 - (int32_t)before;
	/* halves spread all atoms twice, and save at most the transforms */
	if (fits &&
	    mesh_cycles(dividing->atoms, &patch.axes) <= atom_cycles(dividing->atoms, dividing->window, &patch.axes))
		return add(list, &patch);
	const int64_t halves = depth < MOST_DEPTH ? part(dividing, &patch) : 0;
	if (halves == 0 || halves == count) {
		list->too_large = list->too_large || !fits;
		return add(list, &patch);
	}
	int32_t node = 0, children[2];
	CHECK(add_node(dividing->tree, &patch, &node));
	CHECK(divide(dividing, first, halves, depth + 1, &children[0]));
	CHECK(divide(dividing, first + halves, count - halves, depth + 1, &children[1]));
	if (!fits || list->cycles - cycles <= patch.cycles) {
		if (dividing->tree != NULL)
			memcpy(dividing->tree->nodes[node].children, children, sizeof children);
		*place = node;
		return SONDE_OK;
	}
	list->count = before;
	list->cycles = cycles;
	return add(list, &patch);
}

/* Many points are divided by the planes of some of them. */

struct sorting {
	const struct dividing *dividing;
	const struct division_tree *tree;
	int64_t count;
	size_t leaves;
	uint32_t *leaf_of;
	int64_t *counts; /* [part][leaf], then places */
	double *vectors; /* sorted */
	uint32_t *numbers;
};

static void find_leaves(void *state, int64_t first, int64_t end, int worker)
{
	const struct sorting *sorting = state;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		int64_t *counts = sorting->counts + part * (int64_t)sorting->leaves;
		for (int64_t n = part * FRAME_POINTS; n < (part + 1) * FRAME_POINTS && n < sorting->count; ++n) {
			int32_t place = sorting->tree->top;
			while (place >= 0) {
				const struct division_node *node = &sorting->tree->nodes[place];
				const bool second =
				    !(vector_dot(node->e, sorting->dividing->vectors + 3 * n) < node->middle);
				place = node->children[second];
			}
			sorting->leaf_of[n] = (uint32_t)(-1 - place);
			++counts[sorting->leaf_of[n]];
		}
	}
}

static void move_points(void *state, int64_t first, int64_t end, int worker)
{
	const struct sorting *sorting = state;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		int64_t *places = sorting->counts + part * (int64_t)sorting->leaves;
		for (int64_t n = part * FRAME_POINTS; n < (part + 1) * FRAME_POINTS && n < sorting->count; ++n) {
			const int64_t to = places[sorting->leaf_of[n]]++;
			memcpy(sorting->vectors + 3 * to, sorting->dividing->vectors + 3 * n, 3 * sizeof(double));
			sorting->numbers[to] = sorting->dividing->numbers[n];
		}
	}
}

static void copy_points(void *state, int64_t first, int64_t end, int worker)
{
	const struct sorting *sorting = state;

	(void)worker;
	memcpy(sorting->dividing->vectors + 3 * first, sorting->vectors + 3 * first,
	       3 * sizeof(double) * (size_t)(end - first));
	memcpy(sorting->dividing->numbers + first, sorting->numbers + first,
	       sizeof *sorting->numbers * (size_t)(end - first));
}

/* Puts the points into the order of the leaves; firsts[leaf] is the first one of each. */
static sonde_status sort_points(struct sorting *sorting, int64_t *firsts)
{
	const int64_t parts = (sorting->count + FRAME_POINTS - 1) / FRAME_POINTS;
	const size_t count = (size_t)sorting->count, leaves = sorting->leaves;
	const int threads = sorting->dividing->threads;
	int64_t sum = 0;

	CHECK(memory_allocate_to_fill(&sorting->leaf_of, count, sizeof *sorting->leaf_of, "the patches"));
	CHECK(memory_allocate(&sorting->counts, (size_t)parts * leaves, sizeof *sorting->counts, "the patches"));
	CHECK(memory_allocate_to_fill(&sorting->vectors, 3 * count, sizeof *sorting->vectors, "the patches"));
	CHECK(memory_allocate_to_fill(&sorting->numbers, count, sizeof *sorting->numbers, "the patches"));
	threads_for(threads, parts, 1, find_leaves, sorting);
	for (size_t leaf = 0; leaf < leaves; ++leaf) {
		firsts[leaf] = sum;
		for (int64_t part = 0; part < parts; ++part) {
			int64_t *place = &sorting->counts[(size_t)part * leaves + leaf];
			const int64_t own = *place;
			*place = sum;
			sum += own;
		}
	}
	firsts[leaves] = sum;
	threads_for(threads, parts, 1, move_points, sorting);
	threads_for(threads, sorting->count, FRAME_POINTS, copy_points, sorting);
	return SONDE_OK;
}

/* A patch of all points of a leaf, or some patches where it does not fit. */
static sonde_status add_leaf(struct dividing *dividing, int64_t first, int64_t count)
{
	struct patch patch = {.first = first, .count = count};
	int32_t place;

	if (count == 0)
		return SONDE_OK;
	CHECK(patch_find_frame(dividing->vectors, dividing->threads, &patch));
	return complete(dividing->atoms, dividing->window, &patch) ? add(dividing->list, &patch)
								   : divide(dividing, first, count, 0, &place);
}

static sonde_status sort_and_add(struct dividing *dividing, int64_t count, const struct division_tree *tree,
				 size_t leaves)
{
	struct sorting sorting = {.dividing = dividing, .tree = tree, .count = count, .leaves = leaves};
	int64_t *firsts;

	CHECK(memory_allocate(&firsts, leaves + 1, sizeof *firsts, "the patches"));
	sonde_status status = SONDE_OK;
	if (leaves > 1)
		status = sort_points(&sorting, firsts);
	else
		firsts[1] = count;
	free(sorting.leaf_of);
	free(sorting.counts);
	free(sorting.vectors);
	free(sorting.numbers);
	for (size_t leaf = 0; leaf < leaves && status == SONDE_OK; ++leaf)
		status = add_leaf(dividing, firsts[leaf], firsts[leaf + 1] - firsts[leaf]);
	free(firsts);
	return status;
}

/* Divides some of the points; the list of their patches is not kept. */
static sonde_status divide_some(const struct dividing *dividing, int64_t count, struct division_tree *tree,
				size_t *leaves)
{
	struct patch_atoms *atoms = NULL;
	struct patch_list list = {.count = 0};
	double *vectors = NULL;
	uint32_t *numbers = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&atoms, 1, sizeof *atoms, "the patches"), done);
	CHECK_GOTO(status, memory_allocate(&vectors, 3 * SOME_POINTS, sizeof *vectors, "the patches"), done);
	CHECK_GOTO(status, memory_allocate(&numbers, SOME_POINTS, sizeof *numbers, "the patches"), done);
	*atoms = *dividing->atoms;
	atoms->weight *= (double)count / SOME_POINTS;
	for (int64_t n = 0; n < SOME_POINTS; ++n)
		memcpy(vectors + 3 * n, dividing->vectors + 3 * (n * count / SOME_POINTS), 3 * sizeof(double));
	struct dividing some = {atoms, dividing->window, vectors, numbers, &list, dividing->threads, tree};
	status = divide(&some, 0, SOME_POINTS, 0, &tree->top);
	*leaves = list.count;
done:
	patch_list_free(&list);
	free(atoms);
	free(vectors);
	free(numbers);
	return status;
}

static sonde_status divide_like_some(struct dividing *dividing, int64_t count)
{
	struct division_tree tree = {.count = 0};
	size_t leaves = 0;

	sonde_status status = divide_some(dividing, count, &tree, &leaves);
	if (status == SONDE_OK)
		status = sort_and_add(dividing, count, &tree, leaves);
	free(tree.nodes);
	return status;
}

sonde_status patches_of_points(const struct patch_atoms *atoms, const struct window *window, double *vectors,
			       uint32_t *numbers, int64_t count, int threads, struct patch_list *list)
{
	struct dividing dividing = {atoms, window, vectors, numbers, list, threads, NULL};
	int32_t place;

	*list = (struct patch_list){.count = 0};
	return count <= SOME_POINTS ? divide(&dividing, 0, count, 0, &place) : divide_like_some(&dividing, count);
}

/* Boxes ------------------------------------------------------------------------------------------------------- */

/* A block of the box in `parts` parts along each axis; the axes of pixels are l, k, h. */
static void make_block(const struct pattern_pixels *pixels, const int64_t parts[3], const int64_t part_of[3],
		       struct patch *patch)
{
	int64_t stride = 1;

	*patch = (struct patch){.count = 1};
	for (int k = 2; k >= 0; --k) {
		const double *basis = pixels->basis + 3 * (2 - k), *values = pixels->axes[k];
		const int64_t all = pixels->sizes[k], begin = all * part_of[k] / parts[k],
			      end = all * (part_of[k] + 1) / parts[k];
		const double step = all > 1 ? (values[all - 1] - values[0]) / (double)(all - 1) : 0.0;
		struct fast_axis *axis = &patch->axes.axis[k];
		*axis = (struct fast_axis){.regular = true,
					   .edge = k,
					   .count = end - begin,
					   .begin = begin,
					   .stride = stride,
					   .waves = end - begin};
		const int64_t middle = begin + (end - begin) / 2;
		stride *= all;
		patch->count *= end - begin;
		for (int c = 0; c < 3; ++c) {
			axis->direction[c] = step * basis[c];
			patch->middle[c] += (values[0] + step * (double)middle) * basis[c];
		}
	}
}

/* Cost of the whole box in these parts: of its largest block, times their number. */
static double cost_of_parts(const struct patch_atoms *atoms, const struct window *window,
			    const struct pattern_pixels *pixels, const int64_t parts[3], bool *fits, int *longest)
{
	const int64_t last[3] = {parts[0] - 1, parts[1] - 1, parts[2] - 1};
	struct patch patch;
	int64_t most = 0;

	*longest = 0;
	make_block(pixels, parts, last, &patch);
	for (int k = 0; k < 3; ++k)
		if (patch.axes.axis[k].count > most) {
			most = patch.axes.axis[k].count;
			*longest = k;
		}
	*fits = complete(atoms, window, &patch);
	return patch.cycles * (double)(parts[0] * parts[1] * parts[2]);
}

static void choose_parts(const struct patch_atoms *atoms, const struct window *window,
			 const struct pattern_pixels *pixels, int64_t parts[3])
{
	bool fits = false, next_fits;
	int longest = 0, next_longest = 0;

	parts[0] = parts[1] = parts[2] = 1;
	double cycles = cost_of_parts(atoms, window, pixels, parts, &fits, &longest);
	for (;;) { /* until it fits and further parts take more time */
		int64_t next[3] = {parts[0], parts[1], parts[2]};
		next[longest] *= 2;
		if (next[longest] > pixels->sizes[longest])
			return;
		const double of_next = cost_of_parts(atoms, window, pixels, next, &next_fits, &next_longest);
		if (fits && of_next >= cycles)
			return;
		memcpy(parts, next, sizeof next);
		cycles = of_next;
		fits = next_fits;
		longest = next_longest;
	}
}

sonde_status patches_of_box(const struct patch_atoms *atoms, const struct window *window,
			    const struct pattern_pixels *pixels, struct patch_list *list)
{
	int64_t parts[3], at[3];

	*list = (struct patch_list){.count = 0};
	/* blocks differ by a point along each axis */
	struct patch_atoms most = *atoms;
	most.mesh_bytes *= BLOCK_ROOM;
	choose_parts(&most, window, pixels, parts);
	for (at[0] = 0; at[0] < parts[0]; ++at[0])
		for (at[1] = 0; at[1] < parts[1]; ++at[1])
			for (at[2] = 0; at[2] < parts[2]; ++at[2]) {
				struct patch patch;
				make_block(pixels, parts, at, &patch);
				list->too_large = list->too_large || !complete(atoms, window, &patch);
				CHECK(add(list, &patch));
			}
	return SONDE_OK;
}
