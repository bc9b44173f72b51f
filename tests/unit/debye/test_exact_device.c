/* Exact sums on one device, by every kernel for them, compared with plain loops; bit-identical for any size of
 * launches. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "debye/sums/exact_device.h"

#define ATOMS 700
#define POINTS 200
#define MOST_PAIRS 64
#define SPLIT_PAIRS 66 /* more than in a launch of the smallest size, 64 */
#define WORKS 3

struct sample {
	struct arranged_atoms atoms;
	struct tile_pair pairs[MOST_PAIRS];
	uint32_t pair_count;
	double expected[POINTS]; /* of all pairs of tiles */
	uint64_t coincident;
};

static const struct exact_points points = {.first = 0.1, .step = 0.02, .count = POINTS};

/* Two species at random in a box, and two atoms in one place. */
static void make_sample(struct sample *sample)
{
	uint64_t state = 1;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < ATOMS; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[k] = i % 100 == 17 ? 5.0 : 40.0 * (double)(state >> 40) / (double)(1 << 24);
		}
		assert_status(SONDE_OK, sonde_atoms_add(atoms, i % 3 == 0 ? "Na" : "Cl", r));
	}
	assert_status(SONDE_OK, arrange_atoms(NULL, atoms, EXACT_ATOMS_PER_TILE, 1, &sample->atoms));
	sonde_atoms_free(&atoms);
}

static void add_expected(struct sample *sample, const struct tile_pair *pair, struct ordered_sum *sums)
{
	const struct arranged_atoms *atoms = &sample->atoms;
	const struct arranged_tile *a = &atoms->tiles[pair->a], *b = &atoms->tiles[pair->b];

	for (uint32_t i = a->first; i < a->end; ++i) {
		for (uint32_t j = pair->a == pair->b ? i + 1 : b->first; j < b->end; ++j) {
			double r = sqrt(pow(atoms->x[j] - atoms->x[i], 2) + pow(atoms->y[j] - atoms->y[i], 2) +
					pow(atoms->z[j] - atoms->z[i], 2));
			sample->coincident += r == 0.0;
			for (int k = 0; k < POINTS && r > 0.0; ++k)
				ordered_sum_add(&sums[k], sin((points.first + k * points.step) * r) / r);
		}
	}
}

static void find_expected(struct sample *sample)
{
	static struct ordered_sum sums[POINTS];

	for (int a = 0; a < 2; ++a) {
		for (int b = a; b < 2; ++b) {
			struct tile_walk walk = tile_walk_begin(&sample->atoms, a, b);
			while (tile_walk_next(&walk, &sample->pairs[sample->pair_count]))
				add_expected(sample, &sample->pairs[sample->pair_count++], sums);
		}
	}
	for (int k = 0; k < POINTS; ++k)
		sample->expected[k] = ordered_sum_value(&sums[k]);
	assert_true(sample->pair_count > 20 && sample->coincident > 0);
}

/* The works are the pairs of tiles again and again: more than a small launch, one of them, and those once. */
static void sum_works(struct device *device, const struct debye_shape *shape, bool f32, uint32_t most_points,
		      struct sample *sample, double groups, struct ordered_sum sums[WORKS][POINTS],
		      uint64_t coincident[WORKS])
{
	const uint32_t counts[WORKS] = {SPLIT_PAIRS, 64, sample->pair_count};
	struct tile_pair pairs[SPLIT_PAIRS];
	struct exact_work works[WORKS];
	struct exact_device run;

	for (uint32_t k = 0; k < SPLIT_PAIRS; ++k)
		pairs[k] = sample->pairs[k % sample->pair_count];
	memset(sums, 0, WORKS * sizeof *sums);
	for (int w = 0; w < WORKS; ++w)
		works[w] = (struct exact_work){.pairs = pairs, .count = counts[w], .sums = sums[w]};
	assert_status(SONDE_OK, exact_device_prepare(device, shape, &sample->atoms, f32, most_points, &run));
	run.pace.groups = groups;
	assert_status(SONDE_OK, exact_device_sum(NULL, &run, &sample->atoms, works, WORKS, &points));
	exact_device_release(&run);
	for (int w = 0; w < WORKS; ++w)
		coincident[w] = works[w].coincident;
}

static void check(struct device *device, const struct debye_shape *shape, bool f32, uint32_t most_points,
		  const char *kernel, struct sample *sample)
{
	static struct ordered_sum sums[WORKS][POINTS], again[WORKS][POINTS];
	uint64_t coincident[WORKS];
	double worst = 0.0, scale = sqrt((double)ATOMS * ATOMS / 2.0) / 40.0;

	sum_works(device, shape, f32, most_points, sample, 1e9, sums, coincident);
	for (int k = 0; k < POINTS; ++k)
		worst = fmax(worst, fabs(ordered_sum_value(&sums[2][k]) - sample->expected[k]) / scale);
	print_message("%s, %s: error %.1e of the sums' usual size\n", device_name(device), kernel, worst);
	assert_true(worst <= (f32 ? 1e-5 : 1e-12));
	assert_int_equal(coincident[2], sample->coincident);
	/* in launches of 64, too; with passes of 1536 points only where all is wanted */
	if (most_points == MOST_EXACT_POINTS && !is_thorough())
		return;
	sum_works(device, shape, f32, most_points, sample, 1.0, again, coincident);
	assert_memory_equal(again, sums, sizeof sums);
	assert_int_equal(coincident[2], sample->coincident);
}

/* Passes of every number of points. */
static void check_matrix(struct device *device, const struct debye_shape *shape, struct sample *sample)
{
	const int64_t wanted[] = {POINTS, MOST_EXACT_POINTS};
	const uint32_t passes[] = {512, MOST_EXACT_POINTS};

	assert_int_equal(shape_exact_points(shape, false, 996), Q_PASS);
	assert_int_equal(shape_exact_points(shape, false, 2000), Q_PASS);
	for (size_t k = 0; k < COUNT(wanted); ++k) {
		const uint32_t pass = shape_exact_points(shape, false, wanted[k]);
		assert_int_equal(pass, passes[k]);
		check(device, shape, false, pass, "exact_matrix", sample);
	}
}

static void every_kernel_agrees_with_plain_loops(void **state)
{
	static const char *const names[] = {"cpu", "emulated", "opencl:0", "cuda:0"};
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	static struct sample sample;
	(void)state;

	make_sample(&sample);
	find_expected(&sample);
	for (size_t k = 0; k < COUNT(names); ++k) {
		struct device *device;
		sonde_status opened = device_open(names[k], &settings, &device);
		if (opened != SONDE_OK) {
			print_message("%s: %s\n", names[k], sonde_status_message());
			continue;
		}
		struct debye_shape shape = debye_shape_of(device);
		const struct device_properties *has = device_properties(device);
		shape.exact_matrix = 0;
		check(device, &shape, false, Q_PASS, has->gpu_kernels ? "exact_products" : "exact_pairs", &sample);
		if (has->gpu_kernels && !has->fixed_kernels) {
			check(device, &shape, true, Q_PASS, "exact_products, float32", &sample);
			shape.exact_matrix = 1;
			check_matrix(device, &shape, &sample);
		}
		device_close(&device);
	}
	arranged_atoms_free(&sample.atoms);
}

#define DISTANCES 20000

/* The step from a histogram to the pattern: lists of distances. */
static void lists_have_the_same_bits(void **state)
{
	static const char *const names[] = {"cpu", "emulated", "opencl:0", "cuda:0"};
	static double r[DISTANCES + LIST_PADDING], weight_over_r[DISTANCES + LIST_PADDING];
	static double totals[COUNT(names)][POINTS];
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	const sonde_grid q = {0.1, 20.08, POINTS};
	sonde_context *context;
	(void)state;

	for (int k = 0; k < DISTANCES; ++k) {
		r[k] = 1.0 + 0.003 * k;
		weight_over_r[k] = (1.0 + k % 17) / r[k];
	}
	assert_status(SONDE_OK, sonde_context_create(&context));
	for (size_t k = 0; k < COUNT(names); ++k) {
		struct device *device;
		struct sinc_list *list;
		if (device_open(names[k], &settings, &device) != SONDE_OK)
			continue;
		assert_status(SONDE_OK, sinc_list_create(context, device, &list));
		assert_status(SONDE_OK, sinc_list_add(list, r, weight_over_r, DISTANCES, &q, totals[k]));
		sinc_list_free(&list);
		device_close(&device);
		assert_memory_equal(totals[k], totals[0], sizeof totals[0]);
	}
	for (int k = 0; k < POINTS; k += 111) {
		double expected = 0.0, point = grid_value(&q, k);
		for (int n = 0; n < DISTANCES; ++n)
			expected += weight_over_r[n] * sin(point * r[n]) / point;
		assert_within(totals[0][k], expected, 1e-9 * DISTANCES, "totals");
	}
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_agrees_with_plain_loops),
					   cmocka_unit_test(lists_have_the_same_bits)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
