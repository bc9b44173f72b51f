/* Bloch-periodic walls: without a phase bit-identical to periodic ones, modes of the grid, cells that repeat with a
 * phase. */
#include "physics/fields_helper.h"

#include "fdtd/simulation/simulation.h"

#define CELLS_OF(grid) media_at((grid), (grid)->cells[0], (grid)->cells[1], (grid)->cells[2])

static struct fdtd_grid periodic_grid(int x, int y, int z)
{
	struct fdtd_grid grid = {.cells = {x, y, z}, .courant = {0.5, 0.5625, 0.59375}}; /* the same in float32 */

	for (int a = 0; a < 3; ++a)
		grid.walls[a][0] = grid.walls[a][1] = WALL_PERIODIC;
	return grid;
}

/* Without a phase ------------------------------------------------------------------------------ */

/* Losses and poles in a third of the edges, each cell `period` nodes on the same. */
static void fill_media(const struct fdtd_grid *grid, const int period[3], struct media *media)
{
	struct medium lossy = {.permittivity = 3.0, .conductivity = 0.1, .permeability = 1.0}, pole = lossy;
	uint16_t numbers[3] = {0};

	pole.pole[pole.poles++] = medium_pole_lorentz(1.0, 0.4, 0.1);
	succeed(media_add(media, &lossy, &numbers[1]));
	succeed(media_add(media, &pole, &numbers[2]));
	for (int a = 0; a < 3; ++a)
		for (int i = 0; i <= grid->cells[0]; ++i)
			for (int j = 0; j <= grid->cells[1]; ++j)
				for (int k = 0; k <= grid->cells[2]; ++k) {
					int within = ((i % period[0]) * 31 + j % period[1]) * 37 + k % period[2];
					size_t n = (size_t)within;
					succeed(media_set_number(
					    media->edges[a], media_at(grid, i, j, k),
					    numbers[(size_t)(3.0 * golden_number(3 * n + (size_t)a))]));
				}
}

static const struct pulse pulse = {2.0 * PI / 20.0, 14.0, 20.0};

/* A current in each of the cells, each `weights` of it. */
static void add_current(struct simulation *simulation, const struct media *media, const int period[3],
			const int cells[3], double (*weight)(const int cell[3]))
{
	const struct current_signal signal = {pulse_at, &pulse, 0.0};
	struct injection_terms terms = {0};
	int cell[3];

	for (cell[0] = 0; cell[0] < cells[0]; ++cell[0])
		for (cell[1] = 0; cell[1] < cells[1]; ++cell[1])
			for (cell[2] = 0; cell[2] < cells[2]; ++cell[2])
				for (int c = 0; c < 3; ++c)
					succeed(injection_add(
					    &terms,
					    fields_place(&simulation->fields, c, cell[0] * period[0] + 2 + c,
							 cell[1] * period[1] + 3 - c, cell[2] * period[2] + 4),
					    0, weight(cell)));
	succeed(simulation_add_current(simulation, media, FIELD_E, &terms, &signal, 1));
	free(terms.terms);
}

static double one(const int cell[3])
{
	(void)cell;
	return 1.0;
}

static void run_cells(const struct fdtd_grid *grid, const int period[3], double (*weight)(const int cell[3]),
		      bool single, struct simulation *simulation)
{
	const int cells[3] = {grid->cells[0] / period[0], grid->cells[1] / period[1], grid->cells[2] / period[2]};
	struct media media = media_of(grid, 1);

	fill_media(grid, period, &media);
	succeed(simulation_make(test_device(), grid, &media, single, simulation));
	add_current(simulation, &media, period, cells, weight);
	succeed(simulation_run(simulation, 150, NULL));
	media_free(&media);
}

static void compare_without_phase(bool single)
{
	struct fdtd_grid grid = periodic_grid(7, 6, 9);
	struct simulation plain, bloch;
	int different = 0, imaginary = 0;
	double largest = 0.0;

	run_cells(&grid, grid.cells, one, single, &plain);
	grid.bloch = true;
	run_cells(&grid, grid.cells, one, single, &bloch);
	for (int field = 0; field < 2; ++field)
		for (int c = 0; c < 3; ++c) {
			double *x = component_of(&plain.fields, (enum field)field, c),
			       *y = component_of(&bloch.fields, (enum field)field, c),
			       *z = component_of(bloch.fields.imaginary, (enum field)field, c);
			for (size_t n = 0; n <= CELLS_OF(&grid); ++n) {
				different += x[n] != y[n];
				imaginary += z[n] != 0.0;
				largest = fmax(largest, fabs(x[n]));
			}
			free(x);
			free(y);
			free(z);
		}
	simulation_release(&plain);
	simulation_release(&bloch);
	assert_true(largest > 0.01);
	assert_int_equal(different, 0);
	assert_int_equal(imaginary, 0);
}

static void test_no_phase_has_the_bits_of_periodic_walls(void **state)
{
	(void)state;
	compare_without_phase(false);
	compare_without_phase(true);
}

/* A mode of the grid -------------------------------------------------------------------------- */

struct mode {
	double omega, turn[3]; /* radians a step, a cell */
	double complex e[3], h[3];
};

/* sin^2(omega/2) = sum of K_a^2, K_a = S_a sin(k_a Delta_a/2); E = K x v, H = K x E/sin(omega/2). */
static struct mode mode_of(const struct fdtd_grid *grid, const int orders[3])
{
	const double complex v[3] = {0.3 + 0.2 * I, -0.7, 0.4 - 0.9 * I};
	double k[3], square = 0.0;
	struct mode mode;

	for (int a = 0; a < 3; ++a) {
		mode.turn[a] = (grid->phase[a] + 2.0 * PI * orders[a]) / grid->cells[a];
		k[a] = grid->courant[a] * sin(0.5 * mode.turn[a]);
		square += k[a] * k[a];
	}
	mode.omega = 2.0 * asin(sqrt(square));
	for (int a = 0; a < 3; ++a) {
		int b = (a + 1) % 3, c = (a + 2) % 3;
		mode.e[a] = k[b] * v[c] - k[c] * v[b];
	}
	for (int a = 0; a < 3; ++a) {
		int b = (a + 1) % 3, c = (a + 2) % 3;
		mode.h[a] = (k[b] * mode.e[c] - k[c] * mode.e[b]) / sqrt(square);
	}
	return mode;
}

static double complex mode_at(const struct mode *mode, enum field field, int component, const int node[3],
			      double time)
{
	double phase = -mode->omega * time;

	for (int a = 0; a < 3; ++a)
		phase += mode->turn[a] * (node[a] + ((a == component) == (field == FIELD_E) ? 0.5 : 0.0));
	return (field == FIELD_E ? mode->e : mode->h)[component] * cexp(I * phase);
}

/* One part of the mode at the beginning, E at time 0 and H half a step earlier. */
static void write_mode(struct fields *fields, const struct mode *mode, bool imaginary)
{
	const int *cells = fields->grid.cells;
	double *values = calloc(CELLS_OF(&fields->grid) + 1, sizeof *values);
	int node[3];

	assert_non_null(values);
	for (int field = 0; field < 2; ++field)
		for (int c = 0; c < 3; ++c) {
			for (node[0] = 0; node[0] < cells[0]; ++node[0])
				for (node[1] = 0; node[1] < cells[1]; ++node[1])
					for (node[2] = 0; node[2] < cells[2]; ++node[2]) {
						double complex value = mode_at(mode, (enum field)field, c, node,
									       field == FIELD_E ? 0.0 : -0.5);
						values[media_at(&fields->grid, node[0], node[1], node[2])] =
						    imaginary ? cimag(value) : creal(value);
					}
			succeed(fields_write(fields, (enum field)field, c, values));
		}
	free(values);
}

static double deviation_of(struct fields *fields, const struct mode *mode, double time)
{
	const int *cells = fields->grid.cells;
	double worst = 0.0;
	int node[3];

	for (int field = 0; field < 2; ++field)
		for (int c = 0; c < 3; ++c) {
			double *real = component_of(fields, (enum field)field, c),
			       *imaginary = component_of(fields->imaginary, (enum field)field, c);
			for (node[0] = 0; node[0] < cells[0]; ++node[0])
				for (node[1] = 0; node[1] < cells[1]; ++node[1])
					for (node[2] = 0; node[2] < cells[2]; ++node[2]) {
						size_t n = media_at(&fields->grid, node[0], node[1], node[2]);
						double complex there = mode_at(mode, (enum field)field, c, node,
									       time - (field == FIELD_E ? 0.0 : 0.5));
						worst = fmax(worst, cabs(real[n] + I * imaginary[n] - there));
					}
			free(real);
			free(imaginary);
		}
	return worst;
}

static double run_mode(struct fdtd_grid *grid, const int orders[3], bool single)
{
	enum { STEPS = 1000 };
	const struct mode mode = mode_of(grid, orders);
	struct media media = media_of(grid, 0);
	struct fields fields;
	double largest = 0.0;

	succeed(fields_make(test_device(), grid, &media, single, &fields));
	write_mode(fields.imaginary, &mode, true);
	write_mode(&fields, &mode, false);
	for (int n = 0; n < STEPS; ++n)
		step_fields(&fields);
	for (int a = 0; a < 3; ++a)
		largest = fmax(largest, cabs(mode.e[a]));
	double off = deviation_of(&fields, &mode, STEPS) / largest;
	fields_release(&fields);
	media_free(&media);
	print_message("mode of %.3g radians a step, %s: off by %.1e\n", mode.omega, single ? "float32" : "float64",
		      off);
	return off;
}

static void test_modes_are_those_of_the_grid(void **state)
{
	static const int orders[][3] = {{0, 0, 0}, {1, -1, 2}, {-2, 0, 1}};
	struct fdtd_grid grid = periodic_grid(7, 6, 9);

	(void)state;
	grid.bloch = true;
	for (size_t n = 0; n < sizeof orders / sizeof *orders; ++n) {
		const double phases[3] = {1.1, -2.3 + (double)n, 0.7};
		memcpy(grid.phase, phases, sizeof phases);
		assert_true(run_mode(&grid, orders[n], false) < 1e-12);
		assert_true(run_mode(&grid, orders[n], true) < 1e-5);
	}
}

/* Cells that repeat ------------------------------------------------------------------------------ */

/* i^(cell of y) (-1)^(cell of z): its real part. */
static double quarter_turns(const int cell[3])
{
	static const double real[4] = {1.0, 0.0, -1.0, 0.0};

	return real[cell[1] % 4] * (cell[2] % 2 == 0 ? 1.0 : -1.0);
}

static double half_turns(const int cell[3])
{
	return cell[0] % 2 == 0 ? 1.0 : -1.0;
}

/* One cell with phases, and as many as make a whole turn, periodic: its real part. */
static double repeat(const int many[3], const double phases[3], double (*weight)(const int cell[3]))
{
	const int cell[3] = {6, 7, 8};
	struct fdtd_grid small = periodic_grid(cell[0], cell[1], cell[2]),
			 large = periodic_grid(cell[0] * many[0], cell[1] * many[1], cell[2] * many[2]);
	struct simulation one_cell, all;
	double worst = 0.0, largest = 0.0;

	small.bloch = true;
	memcpy(small.phase, phases, sizeof small.phase);
	run_cells(&small, cell, one, false, &one_cell);
	run_cells(&large, cell, weight, false, &all);
	for (int c = 0; c < 3; ++c) {
		double *x = component_of(&one_cell.fields, FIELD_E, c), *y = component_of(&all.fields, FIELD_E, c);
		for (int i = 0; i < cell[0]; ++i)
			for (int j = 0; j < cell[1]; ++j)
				for (int k = 0; k < cell[2]; ++k) {
					double value = x[media_at(&small, i, j, k)];
					worst = fmax(worst, fabs(value - y[media_at(&large, i, j, k)]));
					largest = fmax(largest, fabs(value));
				}
		free(x);
		free(y);
	}
	simulation_release(&one_cell);
	simulation_release(&all);
	print_message("%d x %d x %d cells: off by %.1e of %.3g\n", many[0], many[1], many[2], worst, largest);
	return worst / largest;
}

static void test_cells_repeat_with_the_phase(void **state)
{
	(void)state;
	assert_true(repeat((const int[3]){2, 1, 1}, (const double[3]){PI, 0.0, 0.0}, half_turns) < 1e-12);
	assert_true(repeat((const int[3]){1, 4, 2}, (const double[3]){0.0, 0.5 * PI, PI}, quarter_turns) < 1e-12);
}

/* Refusals ---------------------------------------------------------------------------------------- */

static void test_phases_that_do_not_fit_are_refused(void **state)
{
	struct fdtd_grid grid = periodic_grid(7, 6, 9);

	(void)state;
	grid.phase[1] = 0.3; /* without a second part */
	assert_int_equal(grid_check(&grid), SONDE_INVALID);
	grid.bloch = true;
	succeed(grid_check(&grid));
	grid.walls[1][0] = grid.walls[1][1] = WALL_CONDUCTOR;
	assert_int_equal(grid_check(&grid), SONDE_INVALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_no_phase_has_the_bits_of_periodic_walls),
	    cmocka_unit_test(test_modes_are_those_of_the_grid),
	    cmocka_unit_test(test_cells_repeat_with_the_phase),
	    cmocka_unit_test(test_phases_that_do_not_fit_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
