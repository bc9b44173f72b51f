/* The fast sum at uneven lists of points: clusters far apart, of many sizes, divergent densities. Dense regions have
 * meshes of their own, so that no point has many near charges, for all forms of charges. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/mesh/mesh.h"
#include "physics/charges.h"
#include "coulomb/charges.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "coulomb/plan.h"
#include "coulomb/method/choose.h"
#include "coulomb/check/reference.h"
#include "run/context.h"

#define COUNT 40000
#define CHECKED 100
#define MOST_PAIRS 4000.0 /* of a point, in the 27 cubes of the cut-off round it: one mesh leaves some 10^5 */

enum shape { TWO_CLUSTERS, TEN_CLUSTERS, POWER, LINE };
static const char *const names[] = {"two clusters", "ten clusters", "1/r^2", "line"};

/* Place number n of a shape, of one of two sequences: in balls 100 diameters apart; in balls of radii from 1 to 70; in a ball
 * where the density is 1/r^2; along a line. */
static void place(enum shape shape, uint64_t sequence, uint64_t n, double at[3])
{
	double normal[3], length = 0.0, along = uniform_number(140 + sequence, n);

	for (uint64_t k = 0; k < 3; ++k) {
		normal[k] = normal_number(120 + sequence, 3 * n + k);
		length += normal[k] * normal[k];
	}
	for (uint64_t k = 0; k < 3; ++k) {
		double ball = normal[k] / sqrt(length) * cbrt(along);
		if (shape == TWO_CLUSTERS)
			at[k] = 10.0 * ball + (n % 2 == 0 ? 0.0 : 2000.0 - 500.0 * (double)k);
		if (shape == TEN_CLUSTERS)
			at[k] =
			    pow(70.0, (double)(n % 10) / 9.0) * ball + 1000.0 * uniform_number(160, 3 * (n % 10) + k);
		if (shape == POWER)
			at[k] = 100.0 * along * normal[k] / sqrt(length);
		if (shape == LINE)
			at[k] = 100.0 * ((double)k + 1.0) * along + 0.2 * normal[k];
	}
}

struct work {
	struct charges charges;
	struct targets targets;
	struct values values;
	sonde_coulomb_options options;
};

static double *numbers_of(size_t count)
{
	double *numbers = malloc(count * sizeof *numbers);

	assert_non_null(numbers);
	return numbers;
}

/* One set of charges, or as many as are summed together. Every fifth point is at a charge. */
static void make_work(enum shape shape, uint32_t sets, struct work *work)
{
	double *numbers = numbers_of((3 + (size_t)sets) * COUNT);

	*work = (struct work){.charges = {.count = COUNT,
					  .x = numbers,
					  .y = numbers + COUNT,
					  .z = numbers + 2 * COUNT,
					  .q = numbers + 3 * COUNT,
					  .sets = sets},
			      .targets = {.count = COUNT, .size = {COUNT, 1, 1}}};
	work->targets.points = numbers_of(3 * COUNT);
	for (uint64_t n = 0; n < COUNT; ++n) {
		double at[3];
		place(shape, 0, n, at);
		for (uint64_t k = 0; k < 3; ++k)
			numbers[k * COUNT + n] = at[k];
		if (n % 5 != 0)
			place(shape, 1, n, at);
		memcpy(work->targets.points + 3 * n, at, sizeof at);
		for (uint64_t s = 0; s < sets; ++s)
			work->charges.q[s * COUNT + n] = 2.0 * uniform_number(150 + s, n) - 1.0;
	}
	work->values = (struct values){.potential = numbers_of((size_t)sets * COUNT),
				       .field = numbers_of(3 * (size_t)sets * COUNT),
				       .factor = 1.0,
				       .sets = sets,
				       .stride = COUNT};
	sonde_coulomb_options_init(&work->options);
	work->options.units = SONDE_COULOMB_UNITS_E_A;
	work->options.quantity = SONDE_COULOMB_QUANTITY_BOTH;
}

static void free_work(struct work *work)
{
	free(work->charges.x);
	free(work->targets.points);
	free(work->values.potential);
	free(work->values.field);
}

static struct mesh_times sum(struct work *work, int threads, int method, struct coulomb_plan *plan)
{
	struct mesh_times times = {.parts = 0.0};
	sonde_context *context = make_context(threads);
	struct device *device;
	uint64_t coincident = 0;

	assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
	work->options.method = method;
	assert_int_equal(coulomb_plan_make(context, &work->options, &work->charges, &work->targets, NULL, plan),
			 SONDE_OK);
	assert_int_equal(plan->options.method, SONDE_COULOMB_METHOD_FAST);
	assert_non_null(plan->mesh);
	assert_int_equal(context_device(context, &device), SONDE_OK);
	assert_int_equal(
	    mesh_sum_on(context, device, &work->charges, &work->targets, plan, &work->values, &coincident, &times),
	    SONDE_OK);
	assert_int_equal(coincident, plan->softening > 0.0 || plan->form == CHARGE_GAUSSIAN ? 0 : COUNT / 5);
	sonde_context_free(&context);
	return times;
}

/* Of the potential and the field at some points, root mean square and relative. */
static void find_errors(const struct work *work, const struct coulomb_plan *plan, double errors[2])
{
	double squares[2] = {0.0, 0.0}, own[2] = {0.0, 0.0};

	for (uint32_t s = 0; s < work->charges.sets; ++s)
		for (int n = 0; n < CHECKED; ++n) {
			int64_t at = (int64_t)n * COUNT / CHECKED + n % 7, value = s * COUNT + at;
			double sums[4];
			uint64_t coincident = 0;
			reference_point(&work->charges, s, work->targets.points + 3 * at, plan, sums, &coincident);
			for (int k = 0; k < 4; ++k) {
				double is =
				    k == 0 ? work->values.potential[value] : work->values.field[3 * value + k - 1];
				squares[k > 0] += (is - sums[k]) * (is - sums[k]);
				own[k > 0] += sums[k] * sums[k];
			}
		}
	for (int k = 0; k < 2; ++k)
		errors[k] = sqrt(squares[k] / own[k]);
}

static void check(const char *name, struct work *work, int method)
{
	static const double tolerances[] = {3e-5, 1e-8};

	for (int t = 0; t < 2; ++t) {
		struct coulomb_plan plan;
		double errors[2];
		work->options.tolerance = tolerances[t];
		const struct mesh_times times = sum(work, 0, method, &plan);
		find_errors(work, &plan, errors);
		print_message("%-22s tolerance %.0e: potential %.1e, field %.1e; %.0f parts, %.0f pairs per point\n",
			      name, tolerances[t], errors[0], errors[1], times.parts, times.near_pairs / COUNT);
		assert_true(errors[0] > 0.0 && errors[0] <= tolerances[t]);
		assert_true(errors[1] <= 100.0 * tolerances[t]);
		assert_true(times.parts >= 1.0);
		assert_true(times.near_pairs <= MOST_PAIRS * COUNT);
		coulomb_plan_free(&plan);
	}
}

/* The fast sum is what auto takes. */
static void test_tolerance_is_met_for_uneven_lists(void **state)
{
	(void)state;

	for (enum shape shape = TWO_CLUSTERS; shape <= LINE; ++shape) {
		struct work work;
		make_work(shape, 1, &work);
		check(names[shape], &work, SONDE_COULOMB_METHOD_AUTO);
		free_work(&work);
	}
}

static void test_tolerance_is_met_for_all_forms_of_charges(void **state)
{
	struct work work;
	(void)state;

	make_work(POWER, 1, &work);
	work.options.debye_length = 4.0;
	check("screened", &work, SONDE_COULOMB_METHOD_FAST);
	work.options.debye_length = 300.0;
	check("screened far away", &work, SONDE_COULOMB_METHOD_FAST);
	work.options.debye_length = 0.0;
	work.options.smearing = 0.05;
	check("Gaussian", &work, SONDE_COULOMB_METHOD_FAST);
	work.options.smearing = 0.0;
	work.options.self = SONDE_COULOMB_SELF_SOFTEN;
	work.options.softening = 0.3;
	check("softened", &work, SONDE_COULOMB_METHOD_FAST);
	work.options.debye_length = 10.0;
	check("softened and screened", &work, SONDE_COULOMB_METHOD_FAST);
	free_work(&work);
	make_work(TWO_CLUSTERS, 4, &work);
	check("four sets", &work, SONDE_COULOMB_METHOD_FAST);
	free_work(&work);
}

static void test_threads_and_memory_change_no_bit(void **state)
{
	struct work one, other;
	struct coulomb_plan plan;
	(void)state;

	make_work(TEN_CLUSTERS, 1, &one);
	make_work(TEN_CLUSTERS, 1, &other);
	for (int t = 0; t < 2; ++t) {
		one.options.tolerance = other.options.tolerance = t == 0 ? 1e-4 : 1e-8;
		assert_true(sum(&one, 1, SONDE_COULOMB_METHOD_FAST, &plan).parts > 1.0);
		coulomb_plan_free(&plan);
		for (int threads = 2; threads <= 5; threads += 3) {
			(void)sum(&other, threads, SONDE_COULOMB_METHOD_FAST, &plan);
			coulomb_plan_free(&plan);
			assert_memory_equal(one.values.potential, other.values.potential, COUNT * sizeof(double));
			assert_memory_equal(one.values.field, other.values.field, 3 * COUNT * sizeof(double));
		}
	}
	free_work(&one);
	free_work(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tolerance_is_met_for_uneven_lists),
	    cmocka_unit_test(test_tolerance_is_met_for_all_forms_of_charges),
	    cmocka_unit_test(test_threads_and_memory_change_no_bit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
