/* Plane waves of sonde fdtd: nothing of them outside of their box, for any direction; how fast they are; what a slab reflects. */
#include "physics/fields_helper.h"

#include "fdtd/simulation.h"

/* Forms of waves -------------------------------------------------------------------------- */

struct burst {
	double period, width, begin; /* steps */
};

static double burst_at(const void *user, double time)
{
	const struct burst *burst = user;
	double t = (time - burst->begin) / burst->width;

	return sin(2.0 * PI * (time - burst->begin) / burst->period) * exp(-t * t);
}

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

static void check_leakage(const int m[3], const double polarisation[3], bool single, double tolerance)
{
	struct fdtd_grid grid = open_grid(56, 52, 54, 0.5, 8);
	struct total_field_box box = {.faces = {{true, true}, {true, true}, {true, true}}};
	const struct burst burst = {20.0, 20.0, 120.0};
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
	succeed(incident_make(m, grid.courant, polarisation, box.low, box.high, burst_at, &burst, &wave));
	succeed(total_field_make(&fields, &media, &box, &wave, &total));
	for (uint32_t n = 0; n < steps; ++n) {
		uint32_t time = n % total.times, planes = fields.layout.end[0];
		if (time == 0)
			succeed(total_field_prepare(&fields, &total, total.times));
		succeed(fields_step(&fields, FIELD_H, 0, planes));
		succeed(total_field_apply(&fields, &total, FIELD_H, time, 0, planes));
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

static void nothing_leaks(void **state)
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

/* Slabs ------------------------------------------------------------------------------------ */

/* Losses, poles, layers of all thicknesses, a plane wave that slants, a current and monitors, by slabs of planes that are some steps ahead. */
static void run_by_slabs(bool single, uint32_t slab, uint32_t at_once, struct simulation *simulation)
{
	enum { STEPS = 21 };
	struct fdtd_grid grid = {.cells = {57, 22, 20}, .courant = {0.5, 0.55, 0.6}};
	const struct total_field_box box = {
	    .low = {9, 7, 6}, .high = {48, 16, 14}, .faces = {{1, 1}, {1, 1}, {1, 1}}};
	static const struct burst burst = {20.0, 20.0, 20.0};
	const double omegas[2] = {0.2, 0.4}, delays[2] = {0.0, 2.5};
	struct flux_plane planes[6];
	struct injection_terms terms = {0};
	struct incident_wave wave;
	uint16_t numbers[4] = {0};

	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			grid.layers[a][side] = absorbing_layer_of(6 - a);
	struct media media = media_of(&grid, 1);
	struct medium lossy = {.permittivity = 3.0, .conductivity = 0.1, .permeability = 1.0}, pole = lossy;
	pole.pole[pole.poles++] = medium_pole_lorentz(1.0, 0.4, 0.1);
	succeed(media_add(&media, &lossy, &numbers[1]));
	succeed(media_add(&media, &pole, &numbers[2]));
	for (int a = 0; a < 3; ++a)
		for (int i = 15; i < 40; ++i)
			for (int j = 9; j < 14; ++j)
				for (int k = 8; k < 12; ++k) {
					size_t at = media_at(&grid, i, j, k);
					media.edges[a][at] =
					    numbers[(size_t)(3.0 * golden_number(3 * at + (size_t)a))];
				}
	succeed(simulation_make(test_device(), &grid, &media, single, simulation));
	if (slab > 0) {
		simulation->slab = slab;
		simulation->at_once = at_once;
	}
	succeed(incident_make((const int[3]){1, -1, 2}, grid.courant, (const double[3]){1.0, 0.2, 0.3}, box.low,
			      box.high, burst_at, &burst, &wave));
	succeed(simulation_add_total_field(simulation, &media, &box, &wave));
	for (int k = 0; k < 4; ++k)
		succeed(injection_add(&terms, fields_place(&simulation->fields, k % 3, 12 + 10 * k, 10, 9 + k),
				      (uint32_t)k % 2, 1.0 + k));
	succeed(simulation_add_current(simulation, &media, &terms, delays, 2, burst_at, &burst));
	free(terms.terms);
	int count = flux_planes_of_box(&grid, (const int[3]){8, 6, 6}, (const int[3]){50, 17, 15}, planes);
	succeed(simulation_add_spectrum(simulation, planes, count, omegas, 2, 1));
	succeed(simulation_add_spectrum(simulation, planes, count, omegas, 2, 4));
	const uint64_t places[3] = {fields_place(&simulation->fields, 0, 7, 11, 10),
				    fields_place(&simulation->fields, 2, 30, 11, 10),
				    fields_place(&simulation->fields, 1, 51, 11, 10)};
	succeed(simulation_add_trace(simulation, FIELD_E, places, 3));
	succeed(simulation_add_trace(simulation, FIELD_H, places, 3));
	for (int n = 0; n < 3; ++n)
		succeed(simulation_run(simulation, STEPS, NULL));
	media_free(&media);
}

/* Numbers of both that differ in their bits. */
static int differences(struct simulation *a, struct simulation *b)
{
	const int *cells = a->fields.grid.cells;
	size_t count = media_at(&a->fields.grid, cells[0], cells[1], cells[2]) + 1;
	int found = 0;

	for (int field = 0; field < 2; ++field)
		for (int c = 0; c < 3; ++c) {
			double *x = component_of(&a->fields, (enum field)field, c),
			       *y = component_of(&b->fields, (enum field)field, c);
			for (size_t n = 0; n < count; ++n)
				found += memcmp(&x[n], &y[n], sizeof *x) != 0;
			free(x);
			free(y);
		}
	for (int n = 0; n < 2; ++n) {
		double power[2][2];
		assert_int_equal(a->trace[n].steps, b->trace[n].steps);
		for (size_t k = 0; k < 3 * a->trace[n].steps; ++k)
			found += memcmp(&a->trace[n].values[k], &b->trace[n].values[k], sizeof(double)) != 0;
		succeed(spectrum_power(&a->fields, &a->spectrum[n], power[0]));
		succeed(spectrum_power(&b->fields, &b->spectrum[n], power[1]));
		/* samples are added up in other groups */
		for (int f = 0; f < 2; ++f)
			found += !(fabs(power[0][f] - power[1][f]) <= 1e-5 * fabs(power[0][f]));
	}
	return found;
}

static void slabs_are_exact(void **state)
{
	static const uint32_t shapes[][2] = {{8, 3}, {16, 8}, {5, 9}, {29, 16}, {58, 7}, {1, 4}, {2, 16}};
	(void)state;

	for (int single = 0; single < 2; ++single) {
		struct simulation whole, slabs;
		double most = 0.0;
		run_by_slabs(single != 0, 57, 1, &whole);
		for (size_t k = 0; k < 3 * whole.trace[0].steps; ++k)
			most = fmax(most, fabs(whole.trace[0].values[k]));
		assert_true(most > 0.01);
		for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
			run_by_slabs(single != 0, shapes[k][0], shapes[k][1], &slabs);
			int found = differences(&whole, &slabs);
			print_message("slabs of %u planes, %u steps: %d differences\n", shapes[k][0], shapes[k][1],
				      found);
			assert_int_equal(found, 0);
			simulation_release(&slabs);
		}
		simulation_release(&whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_leaks), cmocka_unit_test(slabs_are_exact)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
