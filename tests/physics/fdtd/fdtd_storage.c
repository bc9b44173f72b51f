/* Fields stored in 16 bits: rounding to words, the same bits on CPUs and GPUs and in every way to step, and the error. */
#include "physics/fdtd_ways.h"

#include <string.h>

#include "fdtd/kernels/stored.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void words_hold_four_cells(void **state)
{
	float worst = 0.0f;
	(void)state;

	for (size_t n = 0; n < 20000; ++n) {
		float cells[WORD_CELLS], read[WORD_CELLS], rounded[WORD_CELLS], most = 0.0f;
		const float scale = ldexpf(1.0f, (int)(n % 200) - 100);
		for (size_t v = 0; v < WORD_CELLS; ++v) {
			const double part = n % 7 == v ? 1e-3 : 1.0;
			cells[v] = scale * (float)(part * (golden_number(WORD_CELLS * n + v) - 0.5));
			most = fmaxf(most, fabsf(cells[v]));
			rounded[v] = cells[v];
		}
		const u64 word = word_of(cells[0], cells[1], cells[2], cells[3]);
		word_cells(word, read);
		word_round(rounded);
		assert_memory_equal(read, rounded, sizeof read);
		assert_true(word_first(word) == read[0] && word_last(word) == read[3]);
		assert_true(word_of(read[0], read[1], read[2], read[3]) == word);
		for (size_t v = 0; v < WORD_CELLS; ++v)
			worst = fmaxf(worst, fabsf(read[v] - cells[v]) / most);
	}
	/* half a unit of integers from 4096 on */
	assert_true(worst <= 1.0001f / 8192.0f && worst > 0.9f / 8192.0f);
	assert_true(word_of(0.0f, 0.0f, 0.0f, 0.0f) == 0);
	/* the largest one is rounded to 8192, which needs the next exponent */
	float cells[WORD_CELLS] = {0.99999f, -0.25f, 0.0f, 0.0f};
	word_round(cells);
	assert_true(cells[0] == 1.0f && cells[1] == -0.25f && cells[2] == 0.0f);
}

/* Random fields, 0 on conductors. */
static void begin(struct fields *fields)
{
	const struct fdtd_grid *grid = &fields->grid;
	double *values = calloc(media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]) + 1, sizeof *values);

	assert_non_null(values);
	for (int n = 0; n < 6; ++n) {
		const int field = n / 3, c = n % 3;
		for (int i = 0; i < grid->cells[0]; ++i)
			for (int j = 0; j < grid->cells[1]; ++j)
				for (int k = 0; k < grid->cells[2]; ++k) {
					const size_t at = media_at(grid, i, j, k);
					const int node[3] = {i, j, k};
					bool wall = false;
					for (int a = 0; a < 3; ++a)
						wall = wall || (field == FIELD_E && a != c &&
								node[a] < grid_first_node(grid, a));
					values[at] = wall ? 0.0 : golden_number(7 * at + (size_t)n) - 0.5;
				}
		succeed(fields_write(fields, (enum field)field, c, values));
	}
	free(values);
}

static struct media random_media(const struct fdtd_grid *grid)
{
	struct medium glass = {.permittivity = 2.0, .permeability = 1.0},
		      lossy = {.permittivity = 3.0, .conductivity = 0.1, .permeability = 1.5};
	uint16_t numbers[3] = {0};
	struct media media;

	glass.pole[glass.poles++] = medium_pole_lorentz(1.0, 0.3, 0.01);
	succeed(media_make(grid, 1, 1, &media));
	succeed(media_add(&media, &glass, &numbers[1]));
	succeed(media_add(&media, &lossy, &numbers[2]));
	for (int a = 0; a < 3; ++a)
		for (int i = 1; i < grid->cells[0] / 2; ++i)
			for (int j = 1; j < grid->cells[1]; ++j)
				for (int k = 1; k < grid->cells[2]; ++k) {
					const size_t at = media_at(grid, i, j, k);
					const size_t which = (size_t)(3.0 * golden_number(3 * at + (size_t)a));
					succeed(media_set_number(media.edges[a], at, numbers[which]));
					succeed(media_set_number(media.faces[a], at, numbers[which == 2 ? 2 : 0]));
				}
	return media;
}

static double *fields_after_steps(struct device *device, const struct fdtd_grid *grid, size_t *count)
{
	const size_t of_component = media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]) + 1;
	struct media media = random_media(grid);
	double *all = calloc(6 * of_component, sizeof *all);
	struct fields fields;

	assert_non_null(all);
	succeed(fields_make(device, grid, &media, true, &fields));
	if (fields.imaginary != NULL)
		begin(fields.imaginary);
	begin(&fields);
	for (int n = 0; n < 6; ++n)
		step_fields(&fields);
	for (size_t n = 0; n < 6; ++n) {
		double *const values = all + n * of_component;
		succeed(fields_read(&fields, (enum field)(n / 3), (int)(n % 3), values));
		/* beyond two walls at once they may be from an earlier time */
		for (int i = 0; i <= grid->cells[0]; ++i)
			for (int j = 0; j <= grid->cells[1]; ++j)
				for (int k = 0; k <= grid->cells[2]; ++k)
					if (i == grid->cells[0] || j == grid->cells[1] || k == grid->cells[2])
						values[media_at(grid, i, j, k)] = 0.0;
	}
	fields_release(&fields);
	media_free(&media);
	*count = 6 * of_component;
	return all;
}

static void cpus_and_gpus_have_the_same_bits(void **state)
{
	static const char *const names[] = {"opencl:0", "cuda:0"};
	const struct absorbing_layer thin = absorbing_layer_of(3), thick = absorbing_layer_of(5), none = {0};
	const struct fdtd_grid grids[] = {{.cells = {24, 12, 150},
					   .courant = {0.5, 0.57, 0.6},
					   .layers = {{thin, none}, {none, thin}, {thick, thin}},
					   .in_words = true},
					  {.cells = {7, 9, 30},
					   .courant = {0.5, 0.57, 0.6},
					   .walls = {{WALL_PERIODIC, WALL_PERIODIC},
						     {WALL_MAGNETIC, WALL_CONDUCTOR},
						     {WALL_MAGNETIC, WALL_MAGNETIC}},
					   .in_words = true},
					  {.cells = {5, 6, 67},
					   .courant = {0.5, 0.57, 0.6},
					   .walls = {{WALL_PERIODIC, WALL_PERIODIC},
						     {WALL_PERIODIC, WALL_PERIODIC},
						     {WALL_PERIODIC, WALL_PERIODIC}},
					   .bloch = true,
					   .phase = {0.7, -2.0, 1.1},
					   .in_words = true}};
	const struct device_settings settings = {.kernel_cache = ""};
	struct device *cpu;
	(void)state;

	succeed(device_open("cpu", &settings, &cpu));
	for (size_t g = 0; g < COUNT(grids); ++g) {
		size_t count;
		double *of_cpu = fields_after_steps(cpu, &grids[g], &count);
		for (size_t d = 0; d < COUNT(names); ++d) {
			struct device *device;
			if (device_open(names[d], &settings, &device) != SONDE_OK) {
				print_message("%s: %s\n", names[d], sonde_status_message());
				continue;
			}
			double *of_device = fields_after_steps(device, &grids[g], &count), most = 0.0;
			int found = 0;
			for (size_t n = 0; n < count; ++n) {
				found += of_cpu[n] != of_device[n];
				most = fmax(most, fabs(of_cpu[n]));
			}
			if (found != 0 || !(most > 0.1))
				fail_msg("%s, grid %zu: %d of %zu numbers differ; the largest is %g", names[d], g,
					 found, count, most);
			free(of_device);
			device_close(&device);
		}
		free(of_cpu);
	}
	device_close(&cpu);
}

static void ways_to_step_have_the_same_bits(void **state)
{
	const struct way ways[] = {
	    {.slab = 5, .at_once = 3}, {.slab = 7, .at_once = 2, .in_place = true}, {.apart = true}};
	(void)state;

	for (int balls = METAL_BALL; balls <= GLASS_AS_WELL; ++balls) {
		struct way whole = {.single = true,
				    .in_words = true,
				    .slab = 57,
				    .at_once = 1,
				    .cells_along_z = 21,
				    .pairing = PAIRING_OFF};
		struct simulation expected;
		whole.balls = balls == METAL_BALL ? METAL_BALL : GLASS_AS_WELL;
		simulate(&whole, &expected);
		for (size_t w = 0; w < COUNT(ways); ++w) {
			struct way way = whole;
			struct simulation simulation;
			way.slab = ways[w].slab;
			way.at_once = ways[w].at_once;
			way.in_place = ways[w].in_place;
			way.apart = ways[w].apart;
			simulate(&way, &simulation);
			const int found = differences(&expected, &simulation, true);
			if (found != 0)
				fail_msg("balls %d, way %zu: %d numbers differ", balls, w, found);
			simulation_release(&simulation);
		}
		simulation_release(&expected);
	}
}

/* Random fields between conductors, with float32 as reference: the deviation that the manual states. */
static void errors_grow_as_a_random_walk(void **state)
{
	struct fdtd_grid grid = {.cells = {20, 21, 22}, .courant = {0.55, 0.55, 0.55}};
	const size_t count = media_at(&grid, 20, 21, 22) + 1;
	struct fields fields[2];
	struct media media;
	(void)state;

	succeed(media_make(&grid, 0, 0, &media));
	for (int n = 0; n < 2; ++n) {
		grid.in_words = n == 1;
		succeed(fields_make(test_device(), &grid, &media, true, &fields[n]));
		begin(&fields[n]);
	}
	for (int steps = 0, end = 100; end <= 400; end *= 4) {
		double squares = 0.0, all = 0.0;
		for (; steps < end; ++steps)
			for (int n = 0; n < 2; ++n)
				step_fields(&fields[n]);
		for (int c = 0; c < 3; ++c) {
			double *exact = component_of(&fields[0], FIELD_E, c),
			       *values = component_of(&fields[1], FIELD_E, c);
			for (size_t n = 0; n < count; ++n) {
				squares += pow(values[n] - exact[n], 2.0);
				all += exact[n] * exact[n];
			}
			free(exact);
			free(values);
		}
		const double error = sqrt(squares / all) / sqrt(end);
		print_message("%d steps: %.2e of the fields in a step\n", end, error);
		assert_true(error > 3e-5 && error < 1.2e-4);
	}
	for (int n = 0; n < 2; ++n)
		fields_release(&fields[n]);
	media_free(&media);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_hold_four_cells),
	    cmocka_unit_test(cpus_and_gpus_have_the_same_bits),
	    cmocka_unit_test(ways_to_step_have_the_same_bits),
	    cmocka_unit_test(errors_grow_as_a_random_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
