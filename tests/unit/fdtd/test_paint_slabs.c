/* Edges and faces near surfaces, found slab by slab. */
#include "unit/support.h"

#include "fdtd/media/answers.h"
#include "fdtd/media/edge_lists.h"
#include "fdtd/media/edge_sites.h"
#include "fdtd/media/paint.h"
#include "fdtd/media/smooth.h"

enum { LENGTH = 40, WIDTH = 14, LAYER = 5 };

static const struct paint_frame frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};

static struct fdtd_grid bar(int length, enum fdtd_wall along)
{
	struct fdtd_grid grid = {.cells = {length, WIDTH, WIDTH}, .courant = {0.5, 0.5, 0.5}};

	for (int side = 0; side < 2; ++side) {
		grid.walls[0][side] = along;
		grid.walls[1][side] = WALL_PERIODIC;
		grid.layers[0][side].cells = along == WALL_PERIODIC ? 0 : LAYER;
		grid.layers[2][side].cells = 2;
	}
	return grid;
}

/* The marks of all slabs are those of a single one. */
static void check_slabs(const struct fdtd_grid *grid, struct shape *shape)
{
	static const int ends[] = {LAYER + 2, 8, 20, LENGTH - LAYER - 1, LENGTH + 1};
	const bool wanted[6] = {true, true, false, false, true, true};
	const struct body body = {.shape = shape};
	const struct scene scene = {.grid = grid, .frame = frame, .bodies = &body, .count = 1, .threads = 2};
	const struct paint_slab whole = {0, LENGTH + 1};
	struct paint_slab slab = {0, 0};
	struct paint_marks all, some;
	size_t count = 0;

	assert_status(SONDE_OK, paint_marks_make(&scene, 1.5, wanted, &whole, &all));
	assert_true(all.words[2] == NULL && all.words[3] == NULL);
	for (size_t n = 0; n < sizeof ends / sizeof *ends; ++n) {
		slab = (struct paint_slab){slab.end, ends[n]};
		assert_status(SONDE_OK, paint_marks_make(&scene, 1.5, wanted, &slab, &some));
		for (int c = 0; c < 6; ++c) {
			const size_t end = media_at(grid, slab.end, 0, 0);
			for (size_t at = media_at(grid, slab.first, 0, 0); at < end && wanted[c]; ++at, ++count) {
				const size_t next = paint_marks_next(grid, &all, c, at, end);
				assert_int_equal(paint_marks_next(grid, &some, c, at, end), next);
				at = next < end ? next : end - 1;
			}
		}
		paint_marks_free(&some);
	}
	assert_true(count > 4000);
	paint_marks_free(&all);
	shape_free(&shape);
}

static void slabs_have_the_marks_of_the_whole(void **state)
{
	const struct fdtd_grid layered = bar(LENGTH, WALL_CONDUCTOR), periodic = bar(LENGTH, WALL_PERIODIC);
	struct shape *shape;
	(void)state;

	/* a cylinder through both layers, a sphere through a periodic side */
	assert_status(SONDE_OK,
		      shape_create_cylinder((const double[3]){20.0, 6.3, 7.1}, (const double[3]){1.0, 0.03, 0.02},
					    90.0, (const double[2]){3.3, 4.4}, &shape));
	check_slabs(&layered, shape);
	assert_status(SONDE_OK, shape_create_sphere((const double[3]){1.3, 6.3, 7.1}, 5.2, &shape));
	check_slabs(&periodic, shape);
}

/* Media of layers are those of their inner sides, so that these are in the same slab. */
static void slabs_do_not_end_at_layers(void **state)
{
	struct fdtd_grid grid = {.cells = {1023, 1023, 1023}};
	struct paint_slab slab = {0, 0};
	int slabs = 0;
	(void)state;

	for (int high = 0; high < 140; high += 7) {
		grid.layers[0][0].cells = 190;
		grid.layers[0][1].cells = high;
		for (slab.end = slabs = 0; paint_next_slab(&grid, NULL, &slab); ++slabs) {
			assert_true(slab.end > slab.first && (slab.first == 0 || slab.first >= 192));
			assert_true(high == 0 || slab.end == 1024 || slab.end <= 1023 - high - 1);
		}
		assert_true(slab.first == 1024 && slabs > 3 && slabs < 10);
	}
	const struct fdtd_grid small = bar(LENGTH, WALL_CONDUCTOR);
	slab.end = 0;
	assert_true(paint_next_slab(&small, NULL, &slab) && slab.end == LENGTH + 1 &&
		    !paint_next_slab(&small, NULL, &slab));
}

/* Adds an item's edge twice, in a disorder that does not depend on the threads. */
static bool add_twice(void *state, int64_t first, int64_t end, int worker, struct edge_sites *made)
{
	(void)worker;
	for (int64_t n = first; n < end; ++n)
		for (int twice = 0; twice < 2; ++twice) {
			const uint64_t key = (uint64_t)(n * 7919 % *(const int64_t *)state);
			if (edge_sites_add(made, key) != SONDE_OK)
				return false;
			made->sites[made->count - 1].elements[0] = (double)key;
		}
	return true;
}

static void sites_are_sorted_without_duplicates(void **state)
{
	const struct fdtd_grid grid = bar(LENGTH, WALL_CONDUCTOR);
	int64_t count = 3 * (int64_t)media_at(&grid, LENGTH + 1, 0, 0) / 2;
	struct edge_sites sites = {.grid = &grid, .threads = 3}, more = sites;
	(void)state;

	assert_status(SONDE_OK, edge_sites_make(&sites, count / 2, 100, add_twice, &count));
	assert_int_equal(sites.count, count / 2 * 2);
	assert_status(SONDE_OK, edge_sites_sort(&sites));
	assert_int_equal(sites.count, count / 2);
	assert_status(SONDE_OK, edge_sites_make(&more, count, 100, add_twice, &count));
	assert_status(SONDE_OK, edge_sites_join(&more, &sites));
	assert_true(sites.count == (size_t)count && more.count == 0);
	for (size_t n = 0; n < sites.count; ++n) {
		assert_true(sites.sites[n].key == n && sites.sites[n].elements[0] == (double)n);
		assert_ptr_equal(edge_sites_find(&sites, n), &sites.sites[n]);
	}
	assert_null(edge_sites_find(&sites, (uint64_t)count));
	edge_sites_free(&sites);
}

/* A glass ball, a metal one, and a glass cylinder through both layers. */
static void paint_some(const struct fdtd_grid *grid, const struct media_part *part, struct media *media)
{
	struct medium glass = vacuum, metal = vacuum;
	struct shape *shapes[3];
	struct body bodies[3];
	struct mixtures_count mixed;

	glass.permittivity = 2.25;
	metal.poles = 1;
	metal.pole[0] = medium_pole_drude(0.3, 0.01);
	assert_status(SONDE_OK, shape_create_sphere((const double[3]){14.3, 7.2, 6.9}, 4.1, &shapes[0]));
	assert_status(SONDE_OK, shape_create_sphere((const double[3]){21.2, 5.6, 7.4}, 4.3, &shapes[1]));
	assert_status(SONDE_OK,
		      shape_create_cylinder((const double[3]){20.0, 10.3, 7.1}, (const double[3]){1.0, 0.03, 0.02},
					    90.0, (const double[2]){1.3, 1.4}, &shapes[2]));
	assert_status(SONDE_OK, media_make(grid, 1, 0, media));
	if (part != NULL)
		media->part = *part;
	for (int n = 0; n < 3; ++n) {
		bodies[n] = (struct body){.shape = shapes[n]};
		assert_status(SONDE_OK, media_add(media, n == 1 ? &metal : &glass, &bodies[n].medium));
	}
	const struct scene scene = {.grid = grid, .frame = frame, .bodies = bodies, .count = 3, .threads = 2};
	assert_status(SONDE_OK, paint_scene(&scene, media));
	assert_status(SONDE_OK, paint_means(&scene, media, &mixed));
	assert_status(SONDE_OK, paint_losses(grid, media));
	assert_status(SONDE_OK, paint_answers(&scene, media));
	assert_status(SONDE_OK, paint_smooth(&scene, media));
	for (int n = 0; n < 3; ++n)
		shape_free(&shapes[n]);
}

/* The number of the first edge in a plane, and of the first one after it. */
static size_t first_smooth(const struct media *media, int plane)
{
	size_t n = 0;

	while (n < media->smooth->count && media->smooth->edges[n].node[0] < plane)
		++n;
	return n;
}

static size_t first_answered(const struct media *media, int plane)
{
	size_t n = 0;

	while (n < media->answers->edge_count && media->answers->edges[n].node[0] < plane)
		++n;
	return n;
}

static void compare_smooth(const struct media *whole, const struct media *some, int first, int behind)
{
	const size_t begin = first_smooth(whole, first), here = first_smooth(some, first);

	assert_int_equal(first_smooth(some, behind) - here, first_smooth(whole, behind) - begin);
	for (size_t n = 0; n < first_smooth(whole, behind) - begin; ++n) {
		const struct smooth_edge *a = &whole->smooth->edges[begin + n], *b = &some->smooth->edges[here + n];
		assert_memory_equal(a->node, b->node, sizeof a->node);
		assert_true(a->component == b->component && a->own == b->own);
		assert_memory_equal(a->weights, b->weights, sizeof a->weights);
		for (int k = 0; k < SMOOTH_NEIGHBORS; ++k)
			assert_memory_equal(whole->smooth->edges[a->neighbors[k]].node,
					    some->smooth->edges[b->neighbors[k]].node, sizeof a->node);
	}
}

static void compare_answers(const struct media *whole, const struct media *some, int first, int behind)
{
	const struct answers *of_whole = whole->answers, *of_some = some->answers;
	const size_t begin = first_answered(whole, first), here = first_answered(some, first);

	assert_int_equal(first_answered(some, behind) - here, first_answered(whole, behind) - begin);
	for (size_t n = 0; n < first_answered(whole, behind) - begin; ++n) {
		const uint32_t *a = of_whole->first_terms + begin + n, *b = of_some->first_terms + here + n;
		assert_memory_equal(of_whole->edges[begin + n].node, of_some->edges[here + n].node, sizeof(int[3]));
		assert_int_equal(a[1] - a[0], b[1] - b[0]);
		for (uint32_t k = 0; k < a[1] - a[0]; ++k) {
			const struct answer *x = &of_whole->answers[of_whole->terms[a[0] + k].answer],
					    *y = &of_some->answers[of_some->terms[b[0] + k].answer];
			assert_true(of_whole->terms[a[0] + k].weight == of_some->terms[b[0] + k].weight);
			assert_memory_equal(x->node, y->node, sizeof x->node);
			assert_memory_equal(x->shares, y->shares, sizeof x->shares);
			assert_memory_equal(x->parts, y->parts, sizeof x->parts);
		}
	}
}

/* Each of several ranks paints some planes, and finds there what a single process finds. */
static void parts_have_the_media_of_the_whole(void **state)
{
	static const int ends[] = {0, 14, 18, 27, LENGTH + 1};
	struct fdtd_grid grid = bar(LENGTH, WALL_CONDUCTOR);
	struct media whole, some;
	(void)state;

	for (int side = 0; side < 2; ++side) {
		grid.layers[0][side].losses = 0.1;
		grid.layers[0][side].sigma_factor = 1.0;
		grid.layers[0][side].order = 3.0;
	}
	paint_some(&grid, NULL, &whole);
	assert_true(whole.smooth->count > 1000 && whole.answers->count > 1000 && whole.count > 10);
	for (size_t n = 0; n + 1 < sizeof ends / sizeof *ends; ++n) {
		struct media_part part = {.ranks = NULL};
		media_part_find(&grid, ends[n], ends[n + 1], &part);
		assert_true(n != 1 || (part.begin > 0 && part.end <= LENGTH));
		paint_some(&grid, &part, &some);
		for (int a = 0; a < 3; ++a)
			for (size_t at = media_at(&grid, ends[n], 0, 0); at < media_at(&grid, ends[n + 1], 0, 0);
			     ++at)
				assert_true(medium_is_same(&whole.media[media_number(whole.edges[a], at)],
							   &some.media[media_number(some.edges[a], at)]));
		compare_smooth(&whole, &some, ends[n], ends[n + 1]);
		compare_answers(&whole, &some, ends[n], ends[n + 1]);
		media_free(&some);
	}
	media_free(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(slabs_have_the_marks_of_the_whole),
	    cmocka_unit_test(slabs_do_not_end_at_layers),
	    cmocka_unit_test(sites_are_sorted_without_duplicates),
	    cmocka_unit_test(parts_have_the_media_of_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
