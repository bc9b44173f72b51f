/* Factors of distances of periodic samples, their integrals, and pairs of tiles with images. */
#include "unit/support.h"

#include <math.h>

#include "debye/sums/images.h"

#define PI 3.14159265358979323846

/* A cell of a cubic lattice; only the factors depend on the damping. */
static struct periodic make_cell(double edge, double cutoff, int damping)
{
	struct periodic cell = {.on = true,
				.volume = edge * edge * edge,
				.cutoff = cutoff,
				.end = periodic_end(cutoff),
				.damping = damping};

	for (int k = 0; k < 3; ++k) {
		cell.edges[k][k] = cell.height[k] = edge;
		cell.inverse[k][k] = 1.0 / edge;
	}
	return cell;
}

/* 4 pi int r^2 w sin(qr)/(qr) dr by Simpson's rule. */
static double integrate(const struct periodic *cell, double q)
{
	const int steps = 20000;
	const double step = cell->end / steps;
	double sum = 0.0;

	for (int k = 0; k <= steps; ++k) {
		const double r = k * step, x = q * r;
		const double weight = k == 0 || k == steps ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
		sum += weight * step / 3.0 * r * r * periodic_factor(cell, r) * (x == 0.0 ? 1.0 : sin(x) / x);
	}
	return 4.0 * PI * sum;
}

/* At the ends of the series, and where a denominator vanishes (q r_c = pi). */
static void test_mean_is_the_integral_of_the_factor(void **state)
{
	static const double phases[] = {0.0, 1e-6, 0.5, 0.59, 0.61, 0.99, 1.01, PI, PI + 1e-9, 7.0, 2.0 * PI, 100.0};
	(void)state;

	for (int damping = 0; damping < 3; ++damping) {
		const struct periodic cell = make_cell(4.0, 17.3, damping);
		for (size_t k = 0; k < sizeof phases / sizeof *phases; ++k) {
			const double q = phases[k] / cell.cutoff, found = periodic_mean(&cell, q);
			assert_true(fabs(found - integrate(&cell, q)) < 1e-9 * periodic_mean(&cell, 0.0));
		}
	}
}

static void test_factor_begins_at_one_and_ends_at_the_cutoff(void **state)
{
	(void)state;

	assert_true(periodic_weight(NULL, 1e6) == 1.0);
	for (int damping = 0; damping < 3; ++damping) {
		const struct periodic cell = make_cell(4.0, 20.0, damping);
		assert_true(periodic_weight(&cell, 0.0) == 1.0);
		assert_true(periodic_weight(&cell, 20.0 - 0.9e-5) == 0.0);
		assert_true(periodic_weight(&cell, 20.0 - 1.1e-5) > 0.0);
		assert_true(periodic_factor(&cell, 20.0) == periodic_factor(&cell, 20.1));
		assert_true(fabs(periodic_weight(&cell, 10.0) - (damping == SONDE_DEBYE_DAMPING_BALL    ? 0.3125
								 : damping == SONDE_DEBYE_DAMPING_LORCH ? 2.0 / PI
													: 1.0)) <
			    1e-15);
	}
}

static void test_positions_are_moved_into_the_cell(void **state)
{
	const struct periodic cell = make_cell(4.0, 20.0, 0);
	double r[3] = {-0.5, 9.0, 4.0};
	(void)state;

	periodic_wrap(&cell, r);
	assert_true(r[0] == 3.5 && r[1] == 1.0 && r[2] == 0.0);
}

/* Every pair of two atoms within the cut-off is in the lists once, for any size of units and any parts; pairs beyond
 * may be there. */
static void test_lists_have_every_pair_once(void **state)
{
	const struct periodic cell = make_cell(11.0, 9.0, 0);
	struct arranged_atoms arranged;
	struct images *images;
	struct box *boxes;
	sonde_atoms *atoms;
	uint64_t random = 1;
	(void)state;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < 300; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k) {
			random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[k] = 11.0 * (double)(random >> 40) / (double)(1 << 24);
		}
		assert_status(SONDE_OK, sonde_atoms_add(atoms, "Ar", r));
	}
	assert_status(SONDE_OK, arrange_atoms(NULL, atoms, 32, 4, &arranged));
	boxes = calloc(arranged.tile_count, sizeof *boxes);
	assert_non_null(boxes);
	for (uint32_t t = 0; t < arranged.tile_count; ++t) {
		const double *axes[3] = {arranged.x, arranged.y, arranged.z};
		for (int k = 0; k < 3; ++k) {
			boxes[t].low[k] = INFINITY;
			boxes[t].high[k] = -INFINITY;
			for (uint32_t i = arranged.tiles[t].first; i < arranged.tiles[t].end; ++i) {
				boxes[t].low[k] = fmin(boxes[t].low[k], axes[k][i]);
				boxes[t].high[k] = fmax(boxes[t].high[k], axes[k][i]);
			}
		}
	}
	assert_status(SONDE_OK, images_create(&cell, &arranged, boxes, &images));
	uint64_t expected = 0;
	for (uint32_t i = 0; i < 300; ++i)
		for (uint32_t j = i; j < 300; ++j)
			for (int image = i == j ? 14 : 0; image < 27; ++image) {
				const double x = arranged.x[j] - arranged.x[i] + 11.0 * (image / 9 - 1),
					     y = arranged.y[j] - arranged.y[i] + 11.0 * (image / 3 % 3 - 1),
					     z = arranged.z[j] - arranged.z[i] + 11.0 * (image % 3 - 1);
				expected += x * x + y * y + z * z < 81.0;
			}
	for (uint32_t unit = 1; unit <= 4; unit *= 2) {
		uint64_t found = 0;
		for (uint32_t part = 0; part < 3; ++part) {
			struct image_search search = {0, 0, part, part + 1, unit, 512.0, unit == 2, 2};
			struct image_list list = {0};
			assert_status(SONDE_OK, images_find(images, &search, &list));
			for (size_t t = 0; t < list.task_count; ++t)
				for (uint32_t p = list.tasks[t].first; p < list.tasks[t].end; ++p) {
					const struct image_partner *partner = &list.partners[p];
					const double *v = images_vectors(images)[partner->image & ~PARTNER_NEAR];
					const bool near = (partner->image & PARTNER_NEAR) != 0;
					uint32_t i = arranged.tiles[list.tasks[t].tile].first;
					for (; i < arranged.tiles[list.tasks[t].tile_end - 1].end; ++i)
						for (uint32_t j = arranged.tiles[partner->tile].first;
						     j < arranged.tiles[partner->tile].end; ++j) {
							const double x = arranged.x[j] + v[0] - arranged.x[i],
								     y = arranged.y[j] + v[1] - arranged.y[i],
								     z = arranged.z[j] + v[2] - arranged.z[i];
							found += (!near || j > i) && x * x + y * y + z * z < 81.0;
						}
				}
			image_list_free(&list);
		}
		assert_int_equal(found, expected);
	}
	images_free(&images);
	arranged_atoms_free(&arranged);
	free(boxes);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_mean_is_the_integral_of_the_factor),
	    cmocka_unit_test(test_factor_begins_at_one_and_ends_at_the_cutoff),
	    cmocka_unit_test(test_positions_are_moved_into_the_cell),
	    cmocka_unit_test(test_lists_have_every_pair_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
