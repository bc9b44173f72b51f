/* Periodic samples: the sum over images with the mean density subtracted, compared with sums over the reciprocal
 * lattice; it does not depend on the description of the cell, and is never negative with the damping of a ball. */
#include "physics/physics.h"

#include <stdbool.h>

#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define AUTO SONDE_DEBYE_FACTORS_AUTO

static sonde_debye_options with_cutoff(int method, int factors, double last, int64_t points, double cutoff)
{
	sonde_debye_options options = options_of(method, factors, 0.0, last, points);

	options.boundary = SONDE_DEBYE_BOUNDARY_PERIODIC;
	options.cutoff = cutoff;
	return options;
}

/* A triclinic cell with three atoms anywhere. */
static const double skew[9] = {4.0, 0.0, 0.0, 0.7, 4.2, 0.0, -0.5, 0.9, 3.8};
static const double skew_volume = 4.0 * 4.2 * 3.8;
static const double skew_atoms[3][3] = {{0.1, 0.2, 0.3}, {1.9, 2.3, 0.4}, {2.2, 0.6, 2.9}};

static sonde_atoms *make_skew(void)
{
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < 3; ++i)
		add_atom(atoms, "Ar", skew_atoms[i][0], skew_atoms[i][1], skew_atoms[i][2]);
	set_periodic_cell(atoms, skew);
	return atoms;
}

/* The sum over the reciprocal lattice -------------------------------------------------------------------------- */

/* int_0^R w(r) cos(kr) dr of the ball's autocorrelation w, R its diameter */
static double cosine_transform(double k, double diameter)
{
	const double x = fabs(k) * diameter, square = x * x;
	double sum = 0.0, term = 1.0;

	if (x > 1.0)
		return diameter * (1.5 - 3.0 * sin(x) / x + 3.0 * (1.0 - cos(x)) / square) / square;
	for (int n = 0; n < 20; n += 2) {
		sum += term * (1.0 / (n + 1) - 1.5 / (n + 2) + 0.5 / (n + 4));
		term *= -square / ((n + 1.0) * (n + 2.0));
	}
	return diameter * sum;
}

/* The transform W(|q - G|) of w, averaged over the directions of q, times G/(2 pi):
 * W = 4 pi int r^2 w sin(qr)/(qr) sin(Gr)/(Gr) dr */
static double averaged(double q, double g, double diameter)
{
	return (cosine_transform(q - g, diameter) - cosine_transform(q + g, diameter)) / q;
}

/* 1 up to G1, 0 from G2 on. */
#define G1 25.0
#define G2 50.0
static double included(double g)
{
	const double t = fmin(1.0, fmax(0.0, (g - G1) / (G2 - G1)));

	return 1.0 - t * t * t * t * (35.0 - t * (84.0 - t * (70.0 - 20.0 * t)));
}

/* The rest, where |F(G)|^2 is 1 per atom on average: 1/(2 pi^2) int G^2 W dG, by Simpson's rule up to G2, and by the
 * leading term 3/2/(k^2 R) of the transform beyond. */
static double rest(double q, double diameter)
{
	const int steps = 20000;
	const double step = (G2 - G1) / steps;
	double sum = 0.0;

	for (int k = 0; k <= steps; ++k) {
		const double g = G1 + k * step, weight = k == 0 || k == steps ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
		sum += weight * step / 3.0 * g * averaged(q, g, diameter) * (1.0 - included(g));
	}
	return (sum + 1.5 / diameter * (log((G2 + q) / (G2 - q)) / q + 1.0 / (G2 - q) + 1.0 / (G2 + q))) / PI;
}

/* I/N by |F(G)|^2 of unit amplitudes: 1/(NV) sum over G != 0 of |F|^2 W averaged. */
static double reciprocal_sum(double q, double diameter)
{
	const int most = 40;
	double sum = 0.0;

	for (int h = -most; h <= most; ++h)
		for (int k = -most; k <= most; ++k)
			for (int l = 0; l <= most; ++l) {
				/* rows of the inverse of the triangular matrix of the edges */
				const double x = 2.0 * PI * h / skew[0], y = (2.0 * PI * k - x * skew[3]) / skew[4],
					     z = (2.0 * PI * l - x * skew[6] - y * skew[7]) / skew[8];
				const double g = sqrt(x * x + y * y + z * z);
				double real = 0.0, imaginary = 0.0;
				if (g >= G2 || g == 0.0)
					continue;
				for (int i = 0; i < 3; ++i) {
					const double phase =
					    x * skew_atoms[i][0] + y * skew_atoms[i][1] + z * skew_atoms[i][2];
					real += cos(phase);
					imaginary += sin(phase);
				}
				/* G and -G together */
				sum += (l > 0 ? 2.0 : 1.0) * (real * real + imaginary * imaginary) * included(g) *
				       averaged(q, g, diameter) * 2.0 * PI / g;
			}
	return sum / (3.0 * skew_volume) + rest(q, diameter);
}

static void test_sum_over_reciprocal_lattice(void **state)
{
	sonde_atoms *atoms = make_skew();
	(void)state;

	for (int method = 0; method < 2; ++method) {
		const double cutoff = method == 0 ? 9.3 : 14.0;
		sonde_debye_options options = with_cutoff(method == 0 ? REFERENCE : HISTOGRAM, UNIT, 8.0, 9, cutoff);
		sonde_debye_result *result = run(atoms, &options);
		for (int64_t k = 1; k < 9; k += 2) {
			const double truth = reciprocal_sum(result->q[k], cutoff);
			print_message("cut-off %4.1f, q = %g: I/N %.9f, sum over G %.9f\n", cutoff, result->q[k],
				      result->intensity_per_atom[k], truth);
			assert_within(result->intensity_per_atom[k], truth, 2e-7, "I/N");
		}
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* The cell does not matter ------------------------------------------------------------------------------------- */

/* NaCl, in cells whose edges are these sums of those of the primitive cell. */
static sonde_atoms *make_salt(const int cells[3][3])
{
	static const double half = 5.6402 / 2.0;
	const double primitive[3][3] = {{0, half, half}, {half, 0, half}, {half, half, 0}};
	sonde_atoms *atoms = empty_sample();
	double edges[9] = {0};

	for (int k = 0; k < 9; ++k)
		for (int m = 0; m < 3; ++m)
			edges[k] += cells[k / 3][m] * primitive[m][k % 3];
	/* points of the primitive lattice in the cell: fractions of the edges by Cramer's rule, in integers */
	const int(*c)[3] = cells;
	int minor[3][3], volume = 0;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			minor[i][j] = c[(i + 1) % 3][(j + 1) % 3] * c[(i + 2) % 3][(j + 2) % 3] -
				      c[(i + 1) % 3][(j + 2) % 3] * c[(i + 2) % 3][(j + 1) % 3];
	for (int j = 0; j < 3; ++j)
		volume += c[0][j] * minor[0][j];
	for (int n = 0; n < 21 * 21 * 21; ++n) {
		const int p[3] = {n / 441 - 10, n / 21 % 21 - 10, n % 21 - 10};
		bool inside = true;
		double r[3] = {0};
		for (int i = 0; i < 3; ++i) {
			int fraction = p[0] * minor[i][0] + p[1] * minor[i][1] + p[2] * minor[i][2];
			fraction = volume > 0 ? fraction : -fraction;
			inside &= fraction >= 0 && fraction < abs(volume);
			for (int m = 0; m < 3; ++m)
				r[m] += p[i] * primitive[i][m];
		}
		if (inside) {
			add_atom(atoms, "Na", r[0], r[1], r[2]);
			add_atom(atoms, "Cl", r[0] + half, r[1], r[2]);
		}
	}
	check_count(atoms, 2 * abs(volume));
	set_periodic_cell(atoms, edges);
	return atoms;
}

static const int salt_cells[4][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
					{{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}},
					{{2, 0, 1}, {-1, 3, 0}, {0, 1, 2}},
					{{1, 0, 2}, {3, 1, 0}, {1, -1, -1}}};

static void test_description_of_cell_does_not_matter(void **state)
{
	sonde_debye_result *first[2] = {NULL, NULL};
	(void)state;

	for (int cell = 0; cell < 4; ++cell) {
		sonde_atoms *atoms = make_salt(salt_cells[cell]);
		for (int method = 0; method < 2; ++method) {
			sonde_debye_options options =
			    with_cutoff(method == 0 ? REFERENCE : HISTOGRAM, AUTO, 20.0, 101, 13.0);
			sonde_debye_result *result = run(atoms, &options);
			for (int64_t k = 0; k < result->q_count && cell > 0; ++k)
				assert_within(result->structure_factor[k], first[method]->structure_factor[k], 1e-9,
					      "S");
			if (cell == 0)
				first[method] = result;
			else
				sonde_debye_result_free(&result);
		}
		sonde_atoms_free(&atoms);
	}
	check_against("NaCl, periodic, cut-off 13 A", first[1], first[0], 1e-7, 1e-5);
	sonde_debye_result_free(&first[0]);
	sonde_debye_result_free(&first[1]);
}

/* Atoms anywhere, in cells that the cut-off exceeds ----------------------------------------------------------- */

static sonde_atoms *make_gas(int count, double scale)
{
	sonde_atoms *atoms = empty_sample();
	double edges[9];

	for (int k = 0; k < 9; ++k)
		edges[k] = scale * skew[k];
	for (int i = 0; i < count; ++i) {
		double r[3] = {0};
		for (int k = 0; k < 9; ++k)
			r[k % 3] += edges[k] * (3.0 * uniform_number(7, (uint64_t)(3 * i + k / 3)) - 1.0);
		add_atom(atoms, i % 3 == 0 ? "O" : "H", r[0], r[1], r[2]);
	}
	set_periodic_cell(atoms, edges);
	return atoms;
}

static double lowest_intensity(const sonde_debye_result *result)
{
	double lowest = INFINITY;

	for (int64_t k = 0; k < result->q_count; ++k)
		lowest = fmin(lowest, result->intensity_per_atom[k] / result->mean_square_amplitude[k]);
	return lowest;
}

/* The mean over all balls cut from the medium is a sum of squares; other dampings have no such meaning. Between the
 * peaks of a crystal I comes close to 0. */
static void test_damping_by_a_ball_is_never_negative(void **state)
{
	sonde_atoms *samples[] = {make_gas(30, 2.0), make_salt(salt_cells[0]), make_skew()};
	(void)state;

	for (int s = 0; s < 3; ++s) {
		sonde_debye_options options = with_cutoff(HISTOGRAM, AUTO, 4.0, 801, 24.0);
		sonde_debye_result *ball = run(samples[s], &options);
		options.damping = SONDE_DEBYE_DAMPING_LORCH;
		sonde_debye_result *lorch = run(samples[s], &options);
		options.damping = SONDE_DEBYE_DAMPING_NONE;
		sonde_debye_result *none = run(samples[s], &options);
		print_message("smallest I/N/<f^2>: ball %.2g, lorch %.2g, none %.2g\n", lowest_intensity(ball),
			      lowest_intensity(lorch), lowest_intensity(none));
		assert_true(lowest_intensity(ball) > 0.0);
		assert_true(lowest_intensity(none) < -0.1);
		sonde_debye_result_free(&ball);
		sonde_debye_result_free(&lorch);
		sonde_debye_result_free(&none);
		sonde_atoms_free(&samples[s]);
	}
}

static void test_histogram_agrees_with_reference(void **state)
{
	sonde_atoms *atoms = make_gas(40, 2.3);
	(void)state;

	for (int damping = 0; damping < 3; ++damping) {
		sonde_debye_options options = with_cutoff(HISTOGRAM, AUTO, 20.0, 41, 11.0);
		options.damping = damping;
		snprintf(options.displacement, sizeof options.displacement, "O=0.01,H=0.02");
		sonde_debye_result *result = run(atoms, &options);
		options.method = REFERENCE;
		sonde_debye_result *truth = run(atoms, &options);
		check_against("gas, periodic", result, truth, 1e-7, 1e-4);
		sonde_debye_result_free(&result);
		sonde_debye_result_free(&truth);
	}
	sonde_atoms_free(&atoms);
}

/* Any number of threads, the kernels for GPUs (whose ring is shorter than the cut-off), any order of the atoms, and
 * bins that are no power of two. */
static void test_bits_do_not_depend_on_the_device(void **state)
{
	sonde_atoms *atoms = make_gas(260, 4.0), *reversed = empty_sample();
	const double *r = sonde_atoms_positions(atoms);
	(void)state;

	for (int64_t i = sonde_atoms_count(atoms); i-- > 0;)
		add_atom(reversed, i % 3 == 0 ? "O" : "H", r[3 * i], r[3 * i + 1], r[3 * i + 2]);
	set_periodic_cell(reversed, sonde_atoms_cell(atoms));
	for (int width = 0; width < 2; ++width) {
		sonde_debye_options options = with_cutoff(HISTOGRAM, UNIT, 20.0, 50, 15.7);
		options.bin_width = width * 0.0017;
		sonde_debye_result *one = run_on(1, atoms, &options), *three = run_on(3, reversed, &options);
		sonde_context *context;
		sonde_debye_result *emulated;
		assert_int_equal(sonde_context_create(&context), SONDE_OK);
		assert_int_equal(sonde_context_set_device(context, "emulated"), SONDE_OK);
		if (sonde_debye_run(context, atoms, &options, &emulated) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		assert_true(same_bits(one, three));
		assert_true(same_bits(one, emulated));
		sonde_context_free(&context);
		sonde_debye_result_free(&one);
		sonde_debye_result_free(&three);
		sonde_debye_result_free(&emulated);
	}
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&reversed);
}

/* Neighbors in a simple cubic lattice, and the density of the cell. */
static void test_counts_are_those_of_the_infinite_sample(void **state)
{
	static const double edges[9] = {4, 0, 0, 0, 4, 0, 0, 0, 4};
	static const double radii[] = {3.9, 4.1, 5.7, 7.0, 8.1}, neighbors[] = {0, 6, 18, 26, 32};
	sonde_debye_options options = with_cutoff(HISTOGRAM, UNIT, 20.0, 100, 10.0);
	sonde_atoms *atoms = empty_sample();
	(void)state;

	add_atom(atoms, "Po", 9.0, -3.0, 0.1);
	set_periodic_cell(atoms, edges);
	options.counts = 1;
	options.r = (sonde_grid){0.0, 12.0, 121};
	sonde_debye_result *result = run(atoms, &options);
	assert_close(result->options->density, 1.0 / 64.0, 1e-15, "density");
	for (int k = 0; k < 5; ++k)
		assert_within(result->running_coordination[(int)(radii[k] * 10.0 + 0.5)], neighbors[k], 1e-12,
			      "n(r)");
	/* six neighbors in the bin of 0.1 Angstrom at 4 Angstrom */
	assert_close(result->pair_correlation[40], 60.0 / (4.0 * PI * 16.0 / 64.0), 1e-12, "g(r)");
	assert_true(isnan(result->pair_correlation[100]) && isnan(result->running_coordination[101]));
	assert_true(!isnan(result->pair_correlation[99]) && !isnan(result->running_coordination[100]));
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* Damping belongs to S(q); G(r) is that of the sample, 4 pi r rho (g - 1), up to the cut-off. Between the neighbors of a
 * crystal g is 0. */
static void test_pair_distribution_is_not_damped(void **state)
{
	sonde_atoms *atoms = make_salt(salt_cells[1]);
	const double density = 8.0 / (5.6402 * 5.6402 * 5.6402);
	sonde_debye_result *results[3];
	(void)state;

	for (int damping = 0; damping < 3; ++damping) {
		sonde_debye_options options =
		    with_cutoff(damping == 1 ? REFERENCE : HISTOGRAM, UNIT, 40.0, 801, 15.0);
		options.damping = damping;
		options.r = (sonde_grid){1.0, 14.0, 131};
		options.window = SONDE_DEBYE_WINDOW_LORCH;
		snprintf(options.displacement, sizeof options.displacement, "0.01");
		results[damping] = run(atoms, &options);
	}
	for (int64_t k = 0; k < 131; ++k) {
		assert_within(results[0]->pair_distribution[k], results[2]->pair_distribution[k], 1e-12, "G");
		assert_within(results[1]->pair_distribution[k], results[2]->pair_distribution[k], 1e-4, "G");
	}
	/* 1.4 and 7.4 Angstrom; the nearest neighbors are at 2.82, 6.91 and 7.98 */
	assert_within(results[0]->pair_distribution[4], -4.0 * PI * 1.4 * density, 0.01, "G between neighbors");
	assert_within(results[0]->pair_distribution[64], -4.0 * PI * 7.4 * density, 0.05, "G between neighbors");
	for (int damping = 0; damping < 3; ++damping)
		sonde_debye_result_free(&results[damping]);
	sonde_atoms_free(&atoms);
}

/* Two halves of an atom on both sides of a face of the cell exclude each other as those inside do. */
static void test_sites_exclude_each_other_across_faces(void **state)
{
	static const double edges[9] = {4, 0, 0, 0, 5, 0, 1, 0, 6}, occupancies[3] = {0.5, 0.5, 0.25};
	sonde_debye_result *results[2];
	(void)state;

	for (int inside = 0; inside < 2; ++inside) {
		const double x = inside ? 2.0 : 0.0;
		sonde_debye_options options = with_cutoff(HISTOGRAM, AUTO, 20.0, 50, 15.0);
		sonde_atoms *atoms = empty_sample();
		add_atom(atoms, "Ag", x + 0.1, 1.0, 1.0);
		add_atom(atoms, "Au", x + (inside ? -0.2 : 3.8), 1.0, 1.0);
		add_atom(atoms, "Cu", x + 2.0, 3.0, 2.0);
		set_periodic_cell(atoms, edges);
		assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
		results[inside] = run(atoms, &options);
		sonde_atoms_free(&atoms);
	}
	for (int64_t k = 0; k < 50; ++k)
		assert_close(results[0]->intensity[k], results[1]->intensity[k], 1e-9, "I");
	/* with two independent sites a pair of amplitudes would be added at small q: f_Ag f_Au/2 */
	assert_true(lowest_intensity(results[0]) > 0.0);
	sonde_debye_result_free(&results[0]);
	sonde_debye_result_free(&results[1]);
}

/* A plan keeps the cut-off, and takes the density of each sample. */
static void test_plan_serves_cells_of_other_sizes(void **state)
{
	sonde_atoms *small = make_gas(20, 2.5), *large = make_gas(20, 11.0);
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_AUTO, UNIT, 0.1, 10.0, 40);
	sonde_context *context = make_context(1);
	struct sonde_debye_plan *plan;
	sonde_debye_result *executed;
	(void)state;

	assert_int_equal(sonde_debye_plan(context, small, &options, &plan), SONDE_OK);
	assert_close(sonde_debye_plan_options(plan)->cutoff, 20.0, 0.0, "cut-off");
	assert_int_equal(sonde_debye_plan_options(plan)->boundary, SONDE_DEBYE_BOUNDARY_PERIODIC);
	assert_int_equal(sonde_debye_execute(plan, large, &executed), SONDE_OK);
	options.cutoff = 20.0;
	sonde_debye_result *alone = run(large, &options);
	assert_true(same_bits(executed, alone));
	assert_close(executed->options->density, 20.0 / (11.0 * 11.0 * 11.0 * skew_volume), 1e-14, "density");
	sonde_debye_result_free(&executed);
	sonde_debye_result_free(&alone);
	sonde_debye_plan_free(&plan);
	sonde_context_free(&context);
	sonde_atoms_free(&small);
	sonde_atoms_free(&large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sum_over_reciprocal_lattice),
	    cmocka_unit_test(test_description_of_cell_does_not_matter),
	    cmocka_unit_test(test_damping_by_a_ball_is_never_negative),
	    cmocka_unit_test(test_histogram_agrees_with_reference),
	    cmocka_unit_test(test_bits_do_not_depend_on_the_device),
	    cmocka_unit_test(test_counts_are_those_of_the_infinite_sample),
	    cmocka_unit_test(test_pair_distribution_is_not_damped),
	    cmocka_unit_test(test_sites_exclude_each_other_across_faces),
	    cmocka_unit_test(test_plan_serves_cells_of_other_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
