/* The first thing that the kernels do on a device: a small sample, compared with plain sums. */
#include <math.h>
#include <stdlib.h>

#include "coulomb/direct_device.h"
#include "coulomb/fast_device.h"

#define CHARGES 300 /* more than one chunk */
#define TOLERANCE_F64 1e-12
#define TOLERANCE_F32 2e-6
#define TOLERANCE_FAST 2e-3

struct sample {
	double x[CHARGES], y[CHARGES], z[CHARGES], q[CHARGES];
};

/* A spiral; charge 7 lies at a point of the grid. */
static void make_sample(struct sample *sample)
{
	for (int i = 0; i < CHARGES; ++i) {
		double t = 0.1 * i;
		sample->x[i] = i == 7 ? 1.0 : 0.4 * t * cos(1.7 * t);
		sample->y[i] = i == 7 ? 2.0 : 0.3 * t * sin(1.3 * t);
		sample->z[i] = i == 7 ? 0.0 : 4.0 * cos(0.21 * t);
		sample->q[i] = i % 2 == 0 ? 1.0 : -0.9;
	}
}

static sonde_status compare(struct device *device, const struct charges *charges, const struct targets *targets,
			    bool single, enum charge_form form)
{
	double potential[64], field[3 * 64], squares = 0.0, own = 0.0;
	struct values values = {.potential = potential, .field = field, .factor = 1.0};
	struct target_range all = {0, targets->count};
	uint64_t found = 0, coincident = 0;
	const struct coulomb_plan plan = {.single = single, .field = true, .form = form, .kappa = 0.3};
	struct direct_device run;

	CHECK(direct_device_prepare(NULL, device, charges, &plan, &run));
	sonde_status status = direct_device_sum(&run, targets, &all, &values, &found);
	direct_device_release(&run);
	CHECK(status);
	for (int64_t n = 0; n < targets->count; ++n) {
		double point[3], sums[4];
		targets_point(targets, n, point);
		reference_point(charges, point, &plan, sums, &coincident);
		for (int k = 0; k < 4; ++k) {
			double error = (k == 0 ? potential[n] : field[3 * n + k - 1]) - sums[k];
			squares += error * error;
			own += sums[k] * sums[k];
		}
	}
	double error = sqrt(squares / own);
	if (!(error <= (single ? TOLERANCE_F32 : TOLERANCE_F64)))
		return status_fail(SONDE_RESOURCE, "sums are wrong by %.3g", error);
	if (found != coincident)
		return status_fail(SONDE_RESOURCE, "%llu charges at points instead of %llu",
				   (unsigned long long)found, (unsigned long long)coincident);
	return SONDE_OK;
}

/* A grid of two blocks a side. */
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
	double potential[11 * 10 * 9], field[3 * 11 * 10 * 9], squares = 0.0, own = 0.0;
	struct values values = {.potential = potential, .field = field, .factor = 1.0};
	struct block_tree tree;
	struct fast_device run;
	uint64_t coincident = 0;

	CHECK(block_tree_make(NULL, charges, &targets, NULL, &order, &tree));
	sonde_status status = fast_device_prepare(NULL, device, &tree, &targets, &plan, tree.level_count - 1, &run);
	if (status == SONDE_OK) {
		status = fast_device_sum(&run, &all, &values, &coincident);
		fast_device_release(&run);
	}
	block_tree_free(&tree);
	CHECK(status);
	for (int64_t n = 0; n < targets.count; n += 17) {
		double point[3], sums[4];
		targets_point(&targets, n, point);
		reference_point(charges, point, &plan, sums, &coincident);
		for (int k = 0; k < 4; ++k) {
			double error = (k == 0 ? potential[n] : field[3 * n + k - 1]) - sums[k];
			squares += error * error;
			own += sums[k] * sums[k];
		}
	}
	double error = sqrt(squares / own);
	if (!(error <= TOLERANCE_FAST))
		return status_fail(SONDE_RESOURCE, "fast sums are wrong by %.3g", error);
	return SONDE_OK;
}

sonde_status coulomb_self_test(struct device *device)
{
	struct sample sample;
	struct charges charges = {CHARGES, sample.x, sample.y, sample.z, sample.q, 0.0, 0.0};
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
	targets.is_orthogonal = false; /* by the other kernel */
	CHECK(compare(device, &charges, &targets, true, CHARGE_POINT));
	CHECK(compare_fast(device, &charges, true));
	return compare_fast(device, &charges, false);
}
