/* Atoms in the memory of a device: results are those of atoms on the host, and the host gets no copy where it needs none. */
#include "unit/resident_atoms.h"

#include <math.h>

#include "debye/sums/windows.h"
#include "sonde/debye.h"

#define ATOMS 4200 /* above ATOMS_RESIDENT_LEAST */
#define FEW 1500
#define POINTS 700

static const char *const names[] = {"emulated", "opencl:0", "cuda:0"};

/* Two species at random in a box; some atoms at one place, and some far outside. */
static sonde_atoms *make_gas(int count, const double edge[3], double far)
{
	uint64_t state = 3;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < count; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k) {
			const double part = test_random_real(&state);
			r[k] = i % 300 == 17 ? 5.0 : edge[k] * part + (i % 700 == 3 ? far * part : 0.0);
		}
		assert_status(SONDE_OK, sonde_atoms_add(atoms, i % 3 == 0 ? "Au" : "Cu", r));
	}
	return atoms;
}

/* Runs ------------------------------------------------------------------------------------------------------------ */

static sonde_debye_result *run(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options)
{
	sonde_debye_result *result;

	assert_status(SONDE_OK, sonde_debye_run(context, atoms, options, &result));
	return result;
}

/* The largest difference of I, in those of the stated errors of both. */
static double compare(const sonde_debye_result *a, const sonde_debye_result *b)
{
	double worst = 0.0;

	assert_int_equal(a->q_count, b->q_count);
	for (int64_t k = 0; k < a->q_count; ++k)
		worst = fmax(worst, fabs(a->intensity_per_atom[k] - b->intensity_per_atom[k]) /
					(a->error_bound[k] + b->error_bound[k]));
	return worst;
}

/* Compares both, and whether the atoms are still on the device alone. */
static void check_run(sonde_context *context, const sonde_debye_options *options, bool stay, const char *what)
{
	static const double edge[3] = {60.0, 40.0, 30.0};
	sonde_atoms *here = make_gas(ATOMS, edge, 0.0), *there = make_gas(ATOMS, edge, 0.0);

	move_to_device(context, there);
	sonde_debye_result *expected = run(context, here, options), *found = run(context, there, options);
	print_message("%s: %.2g of the bounds\n", what, compare(expected, found));
	assert_true(compare(expected, found) < 0.5);
	assert_int_equal(sonde_atoms_on_gpu(there), stay);
	assert_int_equal(expected->options->method, found->options->method);
	sonde_debye_result_free(&expected);
	sonde_debye_result_free(&found);
	sonde_atoms_free(&here);
	sonde_atoms_free(&there);
}

static void runs_give_the_results_of_the_host(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(names); ++k) {
		sonde_context *context = context_with(names[k]);
		const bool is_quick = k > 0; /* the emulated device is slow */
		sonde_debye_options options;
		if (context == NULL)
			continue;
		sonde_debye_options_init(&options);
		options.q = (sonde_grid){0.0, 12.0, 5};
		if (is_quick)
			check_run(context, &options, true, "auto");
		options.method = SONDE_DEBYE_METHOD_EXACT;
		if (!is_quick)
			check_run(context, &options, true, "exact");
		options.precision = SONDE_DEBYE_PRECISION_FLOAT32;
		if (is_quick)
			check_run(context, &options, true, "float32");
		options.precision = SONDE_DEBYE_PRECISION_FLOAT64;
		options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
		if (is_quick)
			check_run(context, &options, true, "histogram, checked by exact sums");
		sonde_context_free(&context);
	}
}

/* Wrong coordinates are reported as those of the host. */
static void wrong_coordinates_are_reported(void **state)
{
	static const double edge[3] = {60.0, 40.0, 30.0};
	(void)state;

	for (size_t k = 0; k < COUNT(names); ++k) {
		sonde_context *context = context_with(names[k]);
		sonde_debye_options options;
		sonde_debye_result *result;
		if (context == NULL)
			continue;
		sonde_atoms *atoms = make_gas(ATOMS, edge, 0.0);
		atoms->positions[3 * 1234 + 1] = NAN;
		move_to_device(context, atoms);
		sonde_debye_options_init(&options);
		options.method = SONDE_DEBYE_METHOD_EXACT;
		assert_invalid("atom 1235", sonde_debye_run(context, atoms, &options, &result));
		sonde_atoms_free(&atoms);
		sonde_context_free(&context);
	}
}

/* Windows --------------------------------------------------------------------------------------------------------- */

/* Sums over windows of atoms in the order of the device, with tiles that are split, compared with those in the order of the host. */
static void check_windows(sonde_context *context, double length, double far, bool splits)
{
	static double expected[3 * POINTS], found[3 * POINTS];
	const double edge[3] = {length, 12.0, 12.0};
	const sonde_grid q = {0.0, 20.0, POINTS};
	struct pair_sums of_host = {.q = q, .species = 2, .sums = expected},
			 of_device = {.q = q, .species = 2, .sums = found};
	sonde_atoms *here = make_gas(FEW, edge, far), *there = make_gas(FEW, edge, far);
	struct window_tiles tiles;
	struct exact_order order;
	struct windows windows;
	bool done;

	assert_status(SONDE_OK, window_pair_sums(context, here, NULL, 0, &of_host, &done));
	assert_true(done);
	move_to_device(context, there);
	assert_status(SONDE_OK, exact_order_find(context, there, &order));
	assert_true(exact_order_is_found(&order));
	assert_status(SONDE_OK, window_tiles_make(context, there, &order, q.last, POINTS, &windows, &tiles));
	assert_int_equal(tiles.atoms.tile_count > (FEW / 3 + 63) / 64 + (FEW - FEW / 3 + 63) / 64, splits);
	window_tiles_free(&tiles);
	assert_status(SONDE_OK, window_pair_sums(context, there, &order, 0, &of_device, &done));
	assert_true(done && !order.lost);
	double worst = 0.0;
	for (int n = 0; n < 3 * POINTS; ++n)
		if (n % POINTS > 0)
			worst = fmax(worst, fabs(found[n] - expected[n]));
	print_message("windows: %.1e\n", worst);
	assert_true(worst < 1e-9 * FEW);
	assert_true(sonde_atoms_on_gpu(there) == 1);
	exact_order_release(&order);
	sonde_atoms_free(&here);
	sonde_atoms_free(&there);
}

static void windows_give_the_sums_of_the_host(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(names); ++k) {
		sonde_context *context = context_with(names[k]);
		if (context == NULL)
			continue;
		check_windows(context, 70.0, 0.0, false);
		check_windows(context, 70.0, 25.0, true);
		sonde_context_free(&context);
	}
}

/* The tiles are those of the order, with boxes around their atoms. */
static void tiles_have_boxes(void **state)
{
	static const double edge[3] = {60.0, 40.0, 30.0};
	sonde_context *context = context_with("emulated");
	sonde_atoms *atoms = make_gas(ATOMS, edge, 20.0);
	struct arranged_atoms arranged;
	struct exact_order order;
	(void)state;

	move_to_device(context, atoms);
	assert_status(SONDE_OK, exact_order_find(context, atoms, &order));
	for (uint32_t size = ORDER_TILE; size <= ORDER_UNIT; size *= 2) {
		assert_status(SONDE_OK, exact_order_arrange(&order, atoms, size, &arranged));
		assert_status(SONDE_OK, exact_order_fetch(&order, arranged.tiles, arranged.tile_count, &arranged));
		uint32_t count = 0;
		for (uint32_t tile = 0; tile < arranged.tile_count; ++tile) {
			const struct arranged_tile *of = &arranged.tiles[tile];
			const double *const axes[] = {arranged.x, arranged.y, arranged.z};
			assert_true(of->end - of->first <= size);
			count += of->end - of->first;
			for (int k = 0; k < 3; ++k) {
				double low = INFINITY, high = -INFINITY;
				for (uint32_t i = of->first; i < of->end; ++i) {
					low = fmin(low, axes[k][i]);
					high = fmax(high, axes[k][i]);
				}
				assert_true(arranged.boxes[tile].low[k] == low &&
					    arranged.boxes[tile].high[k] == high);
			}
		}
		assert_int_equal(count, ATOMS);
		arranged_atoms_free(&arranged);
	}
	exact_order_release(&order);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(runs_give_the_results_of_the_host), cmocka_unit_test(wrong_coordinates_are_reported),
	    cmocka_unit_test(windows_give_the_sums_of_the_host), cmocka_unit_test(tiles_have_boxes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
