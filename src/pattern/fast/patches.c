#include "pattern/fast/patches.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "pattern/fast/cost.h"
#include "pattern/fast/gpu_mesh.h"

#define MOST_DEPTH 60
#define MOST_SIZE (1 << 17) /* of a transform of the host */
#define SWEEPS 12           /* of Jacobi's method */
#define BLOCK_ROOM 0.8
#define FRAME_POINTS 16384
#define SOME_POINTS 16384            /* by which many are divided */
#define OUTERMOST 26                 /* atoms */
#define EXTENT_ROOM 1.4              /* of all atoms, in place of some */
#define ROUNDING (4.0 * DBL_EPSILON) /* of a coordinate of a vector, in its magnitude */

static double along(const double e[3], const double r[3])
{
	return e[0] * r[0] + e[1] * r[1] + e[2] * r[2];
}

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
				const double t = along(outer_directions[d], search->sample->view.positions + 3 * i);
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
		low[k] = INFINITY;
		high[k] = -INFINITY;
		for (int i = 0; i < atoms->count; ++i) {
			const double t = along(axes->axis[k].direction, atoms->positions + 3 * i);
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
		if (axes.axis[k].size > atoms->longest)
			return false;
	return cost_bytes(sizes) <= atoms->mesh_bytes;
}

/* Points ------------------------------------------------------------------------------------------------------ */

/* Eigenvectors of a symmetric matrix, in rows, by Jacobi's rotations. */
static void principal_axes(double a[3][3], double e[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			e[i][j] = i == j;
	for (int sweep = 0; sweep < SWEEPS; ++sweep)
		for (int p = 0; p < 2; ++p)
			for (int q = p + 1; q < 3; ++q) {
				if (fabs(a[p][q]) <= 1e-300)
					continue;
				const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q],
					     t = (theta < 0.0 ? -1.0 : 1.0) /
						 (fabs(theta) + sqrt(theta * theta + 1.0)),
					     c = 1.0 / sqrt(t * t + 1.0), s = t * c;
				for (int k = 0; k < 3; ++k) {
					const double kp = a[k][p], kq = a[k][q];
					a[k][p] = c * kp - s * kq;
					a[k][q] = s * kp + c * kq;
				}
				for (int k = 0; k < 3; ++k) {
					const double pk = a[p][k], qk = a[q][k];
					a[p][k] = c * pk - s * qk;
					a[q][k] = s * pk + c * qk;
					const double ep = e[p][k], eq = e[q][k];
					e[p][k] = c * ep - s * eq;
					e[q][k] = s * ep + c * eq;
				}
			}
}

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

/* Half of an extent, larger than what any point will have by rounding; 0 for an extent that is nothing but rounding, of which there
 * are no places among the waves. */
static double half_extent(double low, double high, double magnitude)
{
	const double rounding = ROUNDING * magnitude, half = 0.5 * (high - low);

	return half > rounding ? half + 4.0 * rounding : 0.0;
}

/* Sums and extents of some of a patch's vectors, in parts that do not depend on the threads. */
struct frame_part {
	double sums[3], squares[3][3], low[3], high[3];
};
struct framing {
	const double *vectors;
	int64_t count;
	double mean[3], e[3][3];
	struct frame_part *parts;
};

static void add_to_mean(const struct framing *framing, int64_t first, int64_t end, struct frame_part *part)
{
	for (int64_t n = first; n < end; ++n)
		for (int k = 0; k < 3; ++k)
			part->sums[k] += framing->vectors[3 * n + k];
}

static void add_to_squares(const struct framing *framing, int64_t first, int64_t end, struct frame_part *part)
{
	for (int64_t n = first; n < end; ++n) {
		double d[3];
		for (int k = 0; k < 3; ++k)
			d[k] = framing->vectors[3 * n + k] - framing->mean[k];
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
				part->squares[i][j] += d[i] * d[j];
	}
}

static void add_to_extents(const struct framing *framing, int64_t first, int64_t end, struct frame_part *part)
{
	for (int k = 0; k < 3; ++k) {
		part->low[k] = INFINITY;
		part->high[k] = -INFINITY;
	}
	for (int64_t n = first; n < end; ++n)
		for (int k = 0; k < 3; ++k) {
			const double s = along(framing->e[k], framing->vectors + 3 * n);
			part->low[k] = fmin(part->low[k], s);
			part->high[k] = fmax(part->high[k], s);
		}
}

struct framing_step {
	struct framing *framing;
	void (*add)(const struct framing *framing, int64_t first, int64_t end, struct frame_part *part);
};

static void frame_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct framing_step *step = state;
	const int64_t count = step->framing->count;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		const int64_t begin = p * FRAME_POINTS;
		struct frame_part part = {
		    .sums = {0.0}}; /* not in the array, whose lines of the cache other threads write, too */
		step->add(step->framing, begin, count - begin < FRAME_POINTS ? count : begin + FRAME_POINTS, &part);
		step->framing->parts[p] = part;
	}
}

/* The principal axes of the patch's vectors, and their box along these. */
static sonde_status find_frame(const struct dividing *dividing, struct patch *patch)
{
	const int64_t parts = (patch->count + FRAME_POINTS - 1) / FRAME_POINTS;
	struct framing framing = {.vectors = dividing->vectors + 3 * patch->first, .count = patch->count};
	struct framing_step step = {&framing, add_to_mean};
	double squares[3][3] = {{0.0}};
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, magnitude = 0.0;

	CHECK(memory_allocate(&framing.parts, (size_t)parts, sizeof *framing.parts, "the patches"));
	threads_for(dividing->threads, parts, 1, frame_some, &step);
	for (int64_t p = 0; p < parts; ++p)
		for (int k = 0; k < 3; ++k)
			framing.mean[k] += framing.parts[p].sums[k] / (double)patch->count;
	step.add = add_to_squares;
	threads_for(dividing->threads, parts, 1, frame_some, &step);
	for (int64_t p = 0; p < parts; ++p)
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
				squares[i][j] += framing.parts[p].squares[i][j];
	principal_axes(squares, framing.e);
	step.add = add_to_extents;
	threads_for(dividing->threads, parts, 1, frame_some, &step);
	for (int64_t p = 0; p < parts; ++p)
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], framing.parts[p].low[k]);
			high[k] = fmax(high[k], framing.parts[p].high[k]);
		}
	free(framing.parts);
	memset(patch->middle, 0, sizeof patch->middle);
	for (int k = 0; k < 3; ++k)
		magnitude = fmax(magnitude, fmax(fabs(low[k]), fabs(high[k])));
	for (int k = 0; k < 3; ++k) {
		struct fast_axis *axis = &patch->axes.axis[k];
		*axis = (struct fast_axis){.largest = half_extent(low[k], high[k], magnitude)};
		memcpy(axis->direction, framing.e[k], sizeof axis->direction);
		for (int c = 0; c < 3; ++c)
			patch->middle[c] += 0.5 * (low[k] + high[k]) * framing.e[k][c];
	}
	return SONDE_OK;
}

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
	const double *e = patch->axes.axis[0].direction, middle = along(e, patch->middle);
	int64_t low = patch->first, high = patch->first + patch->count - 1;

	while (low <= high) {
		if (along(e, dividing->vectors + 3 * low) < middle)
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
	tree->nodes[*node].middle = along(patch->axes.axis[0].direction, patch->middle);
	return SONDE_OK;
}

/* Adds a patch, or its halves if these take less time; `place`: of its node, or leaf, in the tree. */
static sonde_status divide(struct dividing *dividing, int64_t first, int64_t count, int depth, int32_t *place)
{
	struct patch patch = {.first = first, .count = count};
	struct patch_list *list = dividing->list;
	const size_t before = list->count;
	const double cycles = list->cycles;

	CHECK(find_frame(dividing, &patch));
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
				    !(along(node->e, sorting->dividing->vectors + 3 * n) < node->middle);
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
	CHECK(find_frame(dividing, &patch));
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
		*axis = (struct fast_axis){
		    .regular = true, .count = end - begin, .begin = begin, .stride = stride, .waves = end - begin};
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
