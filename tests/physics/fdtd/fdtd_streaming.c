/* Fields of which only some planes are on the device at a time: bit-identical to stepping all of them, and the planes
 * that are moved and computed are as many as the formulas say. */
#include "physics/fdtd_ways.h"

#include <signal.h>
#include <sys/resource.h>

#include "fdtd/fields/fields_gpu.h"
#include "fdtd/streaming/scratch_file.h"

/* Widths of slabs and heights of passes: narrow, wide, more than all planes, more steps than planes of a slab. */
static const uint32_t shapes[][2] = {{8, 3}, {16, 8}, {5, 9}, {29, 20}, {58, 7}, {1, 4}, {2, 21}, {7, 40}, {12, 1}};

#define SHAPES (sizeof shapes / sizeof *shapes)

static bool has_windows(void)
{
	const struct device_part part = {0, 1 << 20, 1 << 20};
	struct device_buffer buffer = {0};

	if (device_allocate_window(test_device(), part.bytes, &part, 1, "a test", &buffer) != SONDE_OK)
		return false;
	device_release(test_device(), &buffer);
	return true;
}

/* Where the numbers of all planes are: in memory, or in a file with as many bytes of memory. */
struct place {
	const char *store;
	double staging;
};

static void compare(enum streaming_method method, bool whole_steps, size_t shape_count, const struct place *place,
		    const struct way *given)
{
	struct simulation whole, streamed;
	struct way way = *given;
	double most = 0.0;

	way.slab = 57;
	way.at_once = 16;
	way.in_place = true;
	simulate(&way, &whole);
	for (size_t k = 0; k < 3 * whole.trace[0].steps; ++k)
		most = fmax(most, fabs(whole.trace[0].values[k]));
	assert_true(most > 0.01);
	way.slab = 0;
	for (size_t k = 0; k < shape_count; ++k) {
		const struct schedule schedule = {.method = method,
						  .width = shapes[k][0],
						  .height = shapes[k][1],
						  .whole = whole_steps,
						  .alone = method == STREAMING_PYRAMID && k % 2 == 1,
						  .store = place->store,
						  .staging = place->staging};
		way.schedule = &schedule;
		way.in_place = false;
		simulate(&way, &streamed);
		assert_int_equal(streamed.both, whole_steps);
		const int found = differences(&whole, &streamed, false);
		print_message("%s, slabs of %u planes, %u steps: %d differences; %.0f planes loaded, %.0f stored\n",
			      method == STREAMING_SKEW ? "skewed" : "pyramids", shapes[k][0], shapes[k][1], found,
			      streamed.fields.streaming->done.loaded, streamed.fields.streaming->done.stored);
		assert_int_equal(found, 0);
		simulation_release(&streamed);
	}
	simulation_release(&whole);
}

static const struct place in_memory = {NULL, 0.0};

static void test_skewed_slabs_have_the_same_bits(void **state)
{
	(void)state;

	if (!has_windows())
		skip();
	for (int n = 0; n < 4; ++n) {
		const struct way way = {.single = n % 2 == 0,
					.cells_along_z = 20,
					.balls = n == 0 ? GLASS_AS_WELL : METAL_BALL,
					.walls = n == 0 || n == 3 ? ALL_ABSORB
						 : n == 1         ? SOME_MIRROR
								  : SOME_ARE_BLOCH};
		compare(STREAMING_SKEW, false, SHAPES, &in_memory, &way);
	}
}

static void test_pyramids_have_the_same_bits(void **state)
{
	(void)state;

	if (!has_windows())
		skip();
	for (int n = 0; n < 3; ++n) {
		const struct way way = {.single = n % 2 == 0,
					.cells_along_z = 20,
					.balls = n == 1 ? NO_BALLS : GLASS_AS_WELL,
					.walls = n == 0   ? ALL_ABSORB
						 : n == 1 ? SOME_MIRROR
							  : SOME_ARE_BLOCH};
		compare(STREAMING_PYRAMID, false, SHAPES, &in_memory, &way);
	}
}

/* GPUs may step both fields of a slab at once, from one window to another. */
static void test_whole_steps_have_the_same_bits(void **state)
{
	(void)state;

	if (!has_windows() || !fields_suit_gpu(test_device()))
		skip();
	for (int n = 0; n < 4; ++n) {
		const struct way way = {.single = n % 2 == 0,
					.cells_along_z = 182,
					.balls = n == 0 ? GLASS_AS_WELL : METAL_BALL,
					.walls = n == 0 || n == 3 ? ALL_ABSORB
						 : n == 1         ? SOME_MIRROR
								  : SOME_ARE_BLOCH};
		compare(STREAMING_SKEW, true, 4, &in_memory, &way);
	}
	const struct way in_words = {.single = true, .in_words = true, .cells_along_z = 182, .walls = SOME_MIRROR};
	compare(STREAMING_SKEW, true, 2, &in_memory, &in_words);
}

/* A scratch file, with as much memory as is useful, and with hardly any. */
static void test_files_have_the_same_bits(void **state)
{
	(void)state;

	if (!has_windows())
		skip();
	for (int n = 0; n < 4; ++n) {
		const struct way way = {.single = n % 2 == 0,
					.cells_along_z = 20,
					.balls = n == 1 ? METAL_BALL : GLASS_AS_WELL,
					.walls = n == 1   ? SOME_MIRROR
						 : n == 3 ? SOME_ARE_BLOCH
							  : ALL_ABSORB};
		const struct place place = {".", n < 2 ? 0.0 : 65536.0};
		compare(STREAMING_SKEW, false, n < 2 ? 4 : 2, &place, &way);
		compare(STREAMING_PYRAMID, false, n < 2 ? 3 : 1, &place, &way);
	}
	const struct way wide = {.single = true, .cells_along_z = 182, .balls = METAL_BALL, .walls = ALL_ABSORB};
	const struct place place = {".", 0.0};
	if (fields_suit_gpu(test_device()))
		compare(STREAMING_SKEW, true, 2, &place, &wide);
}

/* Of a slab of pyramids within the grid: R = r + 2 n planes in, r out, n (R - n - 1) computed; all of skewed slabs once. */
static void test_work(void **state)
{
	(void)state;

	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
		const double r = shapes[k][0], n = shapes[k][1];
		const struct schedule skew = {.method = STREAMING_SKEW,
					      .planes = 1000,
					      .width = shapes[k][0],
					      .height = shapes[k][1]},
				      pyramid = {.method = STREAMING_PYRAMID,
						 .planes = 1000,
						 .width = shapes[k][0],
						 .height = shapes[k][1]};
		const struct schedule_work once = schedule_work(&skew, shapes[k][1]);
		assert_true(once.loaded == 1000.0 && once.stored == 1000.0);
		assert_true(once.stepped_h == 1000.0 * n && once.stepped_e == 1000.0 * n);
		const uint32_t middle = 500 / shapes[k][0];
		const struct streamed_slab slab = schedule_slab(&pyramid, shapes[k][1], middle);
		double stepped = 0.0;
		for (uint32_t t = 0; t < shapes[k][1]; ++t) {
			const struct slab_step step = schedule_step(&pyramid, shapes[k][1], middle, t);
			stepped += step.e.end - step.e.begin;
			assert_int_equal(step.h.end - step.h.begin, step.e.end - step.e.begin + 1);
		}
		assert_true(slab.load.end - slab.load.begin == r + 2.0 * n);
		assert_true(slab.store.end - slab.store.begin == r);
		assert_true(stepped == n * (r + n - 1.0));
	}
}

/* Layers on both sides of axes that are not uniform. */
static struct fdtd_grid grid_of(int dimensions)
{
	struct fdtd_grid grid = open_grid(60, dimensions > 2 ? 20 : 1, dimensions > 1 ? 24 : 1, 0.5, 4);

	for (int a = 1; a < 3; ++a) {
		if (grid.cells[a] > 1)
			continue;
		grid.courant[a] = 0.0;
		for (int side = 0; side < 2; ++side) {
			grid.walls[a][side] = WALL_PERIODIC;
			grid.layers[a][side] = (struct absorbing_layer){0};
		}
	}
	return grid;
}

static double pulse_of_test(const void *user, double time)
{
	(void)user;
	return exp(-0.05 * (time - 15.0) * (time - 15.0));
}

/* A dipole along x, y and z, for so many runs. */
static void run_dipole(const struct fdtd_grid *grid, const struct schedule *schedule, uint64_t steps, int runs,
		       struct simulation *simulation)
{
	const struct current_signal signal = {pulse_of_test, NULL, 0.0};
	struct media media = media_of(grid, 0);

	succeed(simulation_make_streamed(test_device(), grid, &media, true, schedule, simulation));
	simulation->in_place = true;
	for (int component = 0; component < 3; ++component) {
		struct injection_terms terms = {0};
		const uint64_t place =
		    fields_place(&simulation->fields, component, 25, grid->cells[1] / 2, grid->cells[2] / 2);
		succeed(injection_add(&terms, place, 0, 1.0));
		succeed(simulation_add_current(simulation, &media, FIELD_E, &terms, &signal, 1));
		free(terms.terms);
	}
	for (int n = 0; n < runs; ++n)
		succeed(simulation_run(simulation, steps, NULL));
	media_free(&media);
}

static void compare_fields(struct simulation *a, struct simulation *b)
{
	const int *cells = a->fields.grid.cells;
	const size_t count = (size_t)(cells[0] + 1) * (size_t)(cells[1] + 1) * (size_t)(cells[2] + 1);
	double most = 0.0;

	for (int c = 0; c < 6; ++c) {
		double *of_a = component_of(&a->fields, (enum field)(c / 3), c % 3),
		       *of_b = component_of(&b->fields, (enum field)(c / 3), c % 3);
		assert_memory_equal(of_a, of_b, count * sizeof *of_a);
		for (size_t k = 0; k < count; ++k)
			most = fmax(most, fabs(of_a[k]));
		free(of_a);
		free(of_b);
	}
	assert_true(most > 1e-3);
}

enum { PASSES = 3, WIDTH = 7, HEIGHT = 9 };

/* Planes that pyramids load in a pass, and half steps of E: n (R - n - 1) of a slab, fewer at the ends of the grid. */
static void count_pyramids(int planes, double *loaded, double *stepped)
{
	*loaded = *stepped = 0.0;
	for (int begin = 0; begin < planes; begin += WIDTH) {
		const int end = begin + WIDTH < planes ? begin + WIDTH : planes;
		*loaded += fmin(end + HEIGHT, planes) - fmax(begin - HEIGHT, 0.0);
		for (int left = HEIGHT; left > 0; --left)
			*stepped += fmin(end + left - 1, planes) - (begin > left ? begin - left + 1 : 0);
	}
}

/* In one, two and three dimensions: the same bits, and as many planes as the formulas say. */
static void test_work_in_all_dimensions(void **state)
{
	(void)state;
	if (!has_windows())
		skip();
	for (int n = 0; n < 6; ++n) {
		const struct fdtd_grid grid = grid_of(1 + n / 2);
		const struct schedule schedule = {
		    .method = n % 2 == 0 ? STREAMING_SKEW : STREAMING_PYRAMID, .width = WIDTH, .height = HEIGHT};
		struct simulation whole, streamed;
		run_dipole(&grid, NULL, HEIGHT, PASSES, &whole);
		run_dipole(&grid, &schedule, HEIGHT, PASSES, &streamed);
		const struct schedule_work *done = &streamed.fields.streaming->done;
		const double planes = streamed.fields.streaming->schedule.planes;
		double loaded = planes, stepped = HEIGHT * planes;
		if (n % 2 != 0)
			count_pyramids((int)planes, &loaded, &stepped);
		print_message("%d dimensions, %s: %.0f planes in, %.0f out, %.0f computed\n", 1 + n / 2,
			      n % 2 == 0 ? "skewed" : "pyramids", done->loaded, done->stored, done->stepped_e);
		assert_true(done->loaded == PASSES * loaded && done->stored == PASSES * planes);
		assert_true(done->stepped_e == PASSES * stepped);
		compare_fields(&whole, &streamed);
		simulation_release(&whole);
		simulation_release(&streamed);
	}
}

/* A file that can no longer be written to ends a run with a message, not the process. */
static void test_full_disk(void **state)
{
	const struct fdtd_grid grid = grid_of(3);
	const struct schedule schedule = {.method = STREAMING_SKEW, .width = WIDTH, .height = HEIGHT, .store = "."};
	struct simulation simulation;
	struct rlimit before, least;

	(void)state;
	if (!has_windows())
		skip();
	run_dipole(&grid, &schedule, HEIGHT, 1, &simulation);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	least = before;
	least.rlim_cur = SCRATCH_BLOCK;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &least), 0);
	sonde_status status = simulation_run(&simulation, HEIGHT, NULL);
	/* what is written last may fail after the end of a pass */
	if (status == SONDE_OK)
		status = simulation_run(&simulation, HEIGHT, NULL);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(status, SONDE_RESOURCE);
	assert_non_null(strstr(sonde_status_message(), "writing the scratch file"));
	simulation_release(&simulation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_work),
					   cmocka_unit_test(test_work_in_all_dimensions),
					   cmocka_unit_test(test_full_disk),
					   cmocka_unit_test(test_skewed_slabs_have_the_same_bits),
					   cmocka_unit_test(test_pyramids_have_the_same_bits),
					   cmocka_unit_test(test_files_have_the_same_bits),
					   cmocka_unit_test(test_whole_steps_have_the_same_bits)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
