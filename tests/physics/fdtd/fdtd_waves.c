/* Plane waves of sonde fdtd: no field outside of their box, for any direction. */
#include "physics/fields_helper.h"

/* Total and scattered field ---------------------------------------------------------------- */

struct largest {
	double inside, outside;
};

/* Of all components of E. */
static struct largest look(struct fields *fields, const struct total_field_box *box)
{
	const int *cells = fields->grid.cells;
	struct largest found = {0.0, 0.0};

	for (int a = 0; a < 3; ++a) {
		double *values = component_of(fields, FIELD_E, a);
		for (int i = 0; i < cells[0]; ++i)
			for (int j = 0; j < cells[1]; ++j)
				for (int k = 0; k < cells[2]; ++k) {
					const int node[3] = {i, j, k};
					double value = fabs(values[media_at(&fields->grid, i, j, k)]);
					bool outside = false;
					for (int b = 0; b < 3; ++b)
						outside |= node[b] < box->low[b] ||
							   node[b] + (b == a ? 1 : 0) > box->high[b];
					if (outside)
						found.outside = fmax(found.outside, value);
					else
						found.inside = fmax(found.inside, value);
				}
		free(values);
	}
	return found;
}

static void check_leakage(const int m[3], const double polarization[3], bool single, double tolerance)
{
	struct fdtd_grid grid = open_grid(56, 52, 54, 0.5, 8);
	struct total_field_box box = {.faces = {{true, true}, {true, true}, {true, true}}};
	const struct pulse pulse = {2.0 * PI / 20.0, 14.0, 120.0};
	struct media media = media_of(&grid, 0);
	struct incident_wave wave;
	struct total_field total;
	struct fields fields;
	struct largest found = {0.0, 0.0};
	uint32_t steps = 400;

	for (int a = 0; a < 3; ++a) {
		box.low[a] = 8 + 5;
		box.high[a] = grid.cells[a] - 8 - 5;
	}
	succeed(fields_make(test_device(), &grid, &media, single, &fields));
	succeed(incident_make(m, grid.courant, polarization, box.low, box.high, pulse_at, &pulse, &wave));
	succeed(total_field_make(&fields, &media, &box, &wave, &total));
	for (uint32_t n = 0; n < steps; ++n) {
		uint32_t time = n % total.times, planes = fields.layout.end[0];
		if (time == 0)
			succeed(total_field_prepare(&fields, &total, total.times));
		succeed(total_field_apply(&fields, &total, FIELD_H, time, 0, planes));
		succeed(fields_step(&fields, FIELD_H, 0, planes));
		succeed(fields_step(&fields, FIELD_E, 0, planes));
		succeed(total_field_apply(&fields, &total, FIELD_E, time, 0, planes));
		if (n % 20 == 19) {
			struct largest now = look(&fields, &box);
			found.inside = fmax(found.inside, now.inside);
			found.outside = fmax(found.outside, now.outside);
		}
	}
	print_message("wave along %d %d %d, %s: %.2g of %.3g leaks\n", m[0], m[1], m[2],
		      single ? "float32" : "float64", found.outside / found.inside, found.inside);
	assert_true(found.inside > 0.5 && found.outside / found.inside < tolerance);
	total_field_release(&fields, &total);
	fields_release(&fields);
	media_free(&media);
}

static void test_nothing_leaks_out_of_the_waves_box(void **state)
{
	static const double z[3] = {0.0, 0.0, 1.0}, x[3] = {1.0, 0.0, 0.0}, mixed[3] = {0.3, -1.0, 0.7};
	(void)state;

	check_leakage((const int[3]){1, 0, 0}, z, false, 1e-13);
	check_leakage((const int[3]){1, 0, 0}, z, true, 2e-6);
	check_leakage((const int[3]){0, -1, 0}, mixed, false, 1e-13);
	check_leakage((const int[3]){0, 0, 1}, x, false, 1e-13);
	check_leakage((const int[3]){1, 2, -1}, mixed, false, 1e-13);
	check_leakage((const int[3]){1, 2, -1}, mixed, true, 2e-6);
	check_leakage((const int[3]){-1, -1, 0}, z, false, 1e-13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_leaks_out_of_the_waves_box)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
