/* The self-test of the kernels on first use of a device: a small sample, compared with plain sums. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/charges.h"
#include "coulomb/check/reference.h"
#include "coulomb/direct/direct_device.h"
#include "coulomb/fast/fast_device.h"
#include "coulomb/kernels/direct_layout.h"
#include "coulomb/kernels/kernels.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/self_test.h"

#define CHARGES 300 /* more than one chunk */
#define TOLERANCE_F64 1e-12
#define TOLERANCE_F32 2e-6
#define TOLERANCE_FAST 2e-3

struct sample {
	double x[CHARGES], y[CHARGES], z[CHARGES], q[SETS_AT_ONCE * CHARGES];
};

/* A spiral; charge 7 lies at a point of the grid. */
static void make_sample(struct sample *sample)
{
	for (int i = 0; i < CHARGES; ++i) {
		double t = 0.1 * i;
		sample->x[i] = i == 7 ? 1.0 : 0.4 * t * cos(1.7 * t);
		sample->y[i] = i == 7 ? 2.0 : 0.3 * t * sin(1.3 * t);
		sample->z[i] = i == 7 ? 0.0 : 4.0 * cos(0.21 * t);
		for (uint32_t s = 0; s < SETS_AT_ONCE; ++s)
			sample->q[s * CHARGES + (uint32_t)i] =
			    i % 2 == 0 ? 1.0 + 0.3 * s * i / CHARGES : -0.9 + 0.1 * s;
	}
}

/* Deviation of results from the reference, over all sets and every `step`-th point. */
static double deviation(const struct charges *charges, const struct targets *targets, const struct coulomb_plan *plan,
			const struct values *values, int64_t step, uint64_t *coincident)
{
	double squares = 0.0, own = 0.0;

	*coincident = 0;
	for (uint32_t s = 0; s < charges->sets; ++s) {
		uint64_t found = 0;
		for (int64_t n = 0; n < targets->count; n += step) {
			double point[3], sums[4];
			int64_t at = s * values->stride + n;
			targets_point(targets, n, point);
			reference_point(charges, s, point, plan, sums, &found);
			for (int k = 0; k < 4; ++k) {
				double error =
				    (k == 0 ? values->potential[at] : values->field[3 * at + k - 1]) - sums[k];
				squares += error * error;
				own += sums[k] * sums[k];
			}
		}
		*coincident = found;
	}
	return sqrt(squares / own);
}

#define POINTS 64

static sonde_status compare(struct device *device, const struct charges *charges, const struct targets *targets,
			    bool single, enum charge_form form)
{
	double potential[SETS_AT_ONCE * POINTS], field[3 * SETS_AT_ONCE * POINTS];
	struct values values = {
	    .potential = potential, .field = field, .factor = 1.0, .sets = charges->sets, .stride = targets->count};
	struct target_range all = {0, targets->count};
	uint64_t found = 0, coincident;
	const struct coulomb_plan plan = {.single = single, .field = true, .form = form, .kappa = 0.3};
	struct direct_device run;

	CHECK(direct_device_prepare(NULL, device, charges, &plan, &run));
	sonde_status status = direct_device_sum(&run, targets, &all, &values, &found);
	direct_device_release(&run);
	CHECK(status);
	double error = deviation(charges, targets, &plan, &values, 1, &coincident);
	CHECK(self_test_compare(error, single ? TOLERANCE_F32 : TOLERANCE_F64, "sums"));
	return self_test_count(found, coincident, "charges at points");
}

/* A grid of two blocks per side. */
static sonde_status compare_fast(struct device *device, const struct charges *charges, bool single)
{
	const struct targets targets = {.count = 11 * 10 * 9,
					.is_grid = true,
					.is_orthogonal = true,
					.size = {11, 10, 9},
					.origin = {-5.0, -4.0, -5.0},
					.steps = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	const struct coulomb_plan plan = {.single = single, .field = true};
	const struct block_order order = {4, 2.0, TOLERANCE_FAST};
	const struct block_range all = {{0, 0, 0}, {1, 1, 1}};
	static const size_t points = 11 * 10 * 9;
	struct values values = {.factor = 1.0, .sets = charges->sets, .stride = targets.count};
	struct block_tree tree = {0};
	struct fast_device run;
	uint64_t coincident = 0;

	CHECK(memory_allocate(&values.potential, 4 * charges->sets * points, sizeof(double), "the self-test"));
	values.field = values.potential + charges->sets * points;
	sonde_status status = block_tree_make(NULL, charges, &targets, NULL, &order, &tree);
	if (status == SONDE_OK)
		status = fast_device_prepare(NULL, device, &tree, &targets, &plan, tree.level_count - 1, &run);
	if (status == SONDE_OK) {
		status = fast_device_sum(&run, &all, &values, &coincident);
		fast_device_release(&run);
	}
	block_tree_free(&tree);
	if (status == SONDE_OK)
		status = self_test_compare(deviation(charges, &targets, &plan, &values, 17, &coincident),
					   TOLERANCE_FAST, "fast sums");
	free(values.potential);
	return status;
}

static sonde_status test_sets(struct device *device, uint32_t sets)
{
	struct sample sample;
	struct charges charges = {
	    .count = CHARGES, .x = sample.x, .y = sample.y, .z = sample.z, .q = sample.q, .sets = sets};
	struct targets targets = {.count = 60,
				  .is_grid = true,
				  .is_orthogonal = true,
				  .size = {5, 4, 3},
				  .origin = {-1.0, 0.0, -1.0},
				  .steps = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

	make_sample(&sample);
	CHECK(compare(device, &charges, &targets, false, CHARGE_POINT));
	CHECK(compare(device, &charges, &targets, false, CHARGE_SCREENED));
	CHECK(compare(device, &charges, &targets, false, CHARGE_GAUSSIAN));
	CHECK(compare(device, &charges, &targets, true, CHARGE_POINT));
	targets.is_orthogonal = false; /* selects the other kernel */
	CHECK(compare(device, &charges, &targets, true, CHARGE_POINT));
	CHECK(compare_fast(device, &charges, true));
	return compare_fast(device, &charges, false);
}

sonde_status coulomb_self_test(struct device *device)
{
	return test_sets(device, 1);
}

sonde_status coulomb_self_test_of_sets(struct device *device)
{
	return test_sets(device, SETS_AT_ONCE);
}

#define LIST 256 /* points, one of them at a charge */
#define CUTOFF 5.0
#define TESTED_ORDER 4 /* the order for 1e-6, so that few additional kernels are compiled */
#define LOOSER 10.0 /* charges of opposite signs screen one another: the potential is reduced, its errors are not */

/* Points of a list, by a mesh of a given order. */
static sonde_status compare_mesh(struct device *device, uint32_t sets, bool single, int order)
{
	double points[3 * LIST], potential[SETS_AT_ONCE * LIST], field[3 * SETS_AT_ONCE * LIST];
	struct sample sample;
	const struct charges charges = {
	    .count = CHARGES, .x = sample.x, .y = sample.y, .z = sample.z, .q = sample.q, .sets = sets};
	const struct targets targets = {.count = LIST, .size = {LIST, 1, 1}, .points = points};
	struct values values = {.potential = potential, .field = field, .factor = 1.0, .sets = sets, .stride = LIST};
	struct mesh_choice choice = {.cutoff = CUTOFF, .near_charges = 20.0, .near_points = 20.0, .possible = true};
	const struct coulomb_plan plan = {.single = single, .field = true, .order = order, .mesh = &choice};
	uint64_t found = 0, coincident;

	make_sample(&sample);
	for (int n = 0; n < LIST; ++n) {
		points[3 * n] = n == 7 ? sample.x[7] : 11.0 * cos(2.3 * n) * sin(0.017 * n);
		points[3 * n + 1] = n == 7 ? sample.y[7] : 8.0 * sin(2.3 * n);
		points[3 * n + 2] = n == 7 ? sample.z[7] : 5.0 * cos(1.1 * n);
	}
	choice.step = 3.14159 * CUTOFF / (1.1 * mesh_orders[order].c);
	CHECK(mesh_sum_on(NULL, device, &charges, &targets, &plan, &values, &found, NULL));
	double error = deviation(&charges, &targets, &plan, &values, 1, &coincident);
	CHECK(self_test_compare(error, LOOSER * mesh_orders[order].error + (single ? TOLERANCE_F32 : TOLERANCE_F64),
				"fast sums at points"));
	return self_test_count(found, coincident, "charges at points");
}

sonde_status coulomb_self_test_of_points(struct device *device)
{
	CHECK(compare_mesh(device, 1, true, TESTED_ORDER));
	CHECK(compare_mesh(device, 1, false, TESTED_ORDER));
	return compare_mesh(device, SETS_AT_ONCE, true, TESTED_ORDER);
}
