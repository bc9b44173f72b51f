/* The histogram for samples whose bins contain many distances: disorder, low symmetry, molecules, gas, tiny
 * distortions. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define AUTO SONDE_DEBYE_FACTORS_AUTO

/* Exact sums on the same q. */
static sonde_debye_result *run_exactly(const sonde_atoms *atoms, sonde_debye_options options)
{
	options.method = EXACT;
	return run(atoms, &options);
}

/* Histogram against exact sums, which take most of the time of these tests: each is made once. */
static void check_histogram(const char *what, const sonde_atoms *atoms, const sonde_debye_options *options,
			    const sonde_debye_result *truth)
{
	char line[96];
	sonde_debye_result *result = run(atoms, options);

	snprintf(line, sizeof line, "%s, q to %g", what, options->q.last);
	check_against(line, result, truth, options->tolerance, 10.0 * options->tolerance);
	sonde_debye_result_free(&result);
}

static void check_grid(const char *what, const sonde_atoms *atoms, sonde_debye_options options)
{
	sonde_debye_result *truth = run_exactly(atoms, options);

	check_histogram(what, atoms, &options, truth);
	sonde_debye_result_free(&truth);
}

/* Default bins for grids that end at 2.6, 18.8, 37.3 and 74.3, and bins of 0.001 A. The grids begin alike, with steps
 * that have no round-off (2^n of them), so that one exact sum serves all. */
static void check_sample(const char *what, const sonde_atoms *atoms)
{
	static const int64_t points[] = {9, 65, 129, 257};
	const double step = 37.0 / 128.0;
	sonde_debye_result *all = run_exactly(atoms, options_of(HISTOGRAM, UNIT, step, 257 * step, 257));
	char line[96];

	for (int k = 0; k < 4; ++k) {
		sonde_debye_options options = options_of(HISTOGRAM, UNIT, step, (double)points[k] * step, points[k]);
		sonde_debye_result truth = *all;
		truth.q_count = points[k];
		check_histogram(what, atoms, &options, &truth);
		if (k == 1) {
			options.bin_width = 0.001;
			snprintf(line, sizeof line, "%s, bins of 0.001", what);
			check_histogram(line, atoms, &options, &truth);
		}
	}
	sonde_debye_result_free(&all);
}

/* Cells of a lattice of three vectors, with a second atom at `basis` of them unless null. */
static sonde_atoms *fill_cells(const double v[3][3], int n0, int n1, int n2, const double *basis)
{
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < n0 * n1 * n2; ++i) {
		const double n[3] = {i / (n1 * n2), i / n2 % n1, i % n2};
		double r[3] = {0.0, 0.0, 0.0};
		for (int s = 0; s < (basis != NULL ? 2 : 1); ++s) {
			for (int m = 0; m < 3; ++m) {
				r[m] = 0.0;
				for (int k = 0; k < 3; ++k)
					r[m] += (n[k] + (s == 1 ? basis[k] : 0.0)) * v[k][m];
			}
			add_atom(atoms, "Au", r[0], r[1], r[2]);
		}
	}
	return atoms;
}

static void test_tolerance_is_met_for_disordered_gold(void **state)
{
	/* 10,005 atoms, or 4,321: more than a hundred distances in a bin with either */
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, is_thorough() ? 34.4 : 26.0);
	sonde_atoms *atoms = displace(crystal, 0.1, 1);
	(void)state;

	check_count(atoms, is_thorough() ? 10005 : 4321);
	check_sample("Au, sigma 0.1", atoms);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&crystal);
}

static void test_tolerance_is_met_for_wurtzite(void **state)
{
	sonde_build_options build;
	(void)state;

	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_WURTZITE;
	strcpy(build.species, "Cd,Se");
	build.a = 4.2985;
	build.c = 7.0152; /* not the ideal one */
	build.u = 0.3768;
	build.sphere = 30.0;
	sonde_atoms *atoms = build_sample(&build);
	sonde_debye_options options = options_of(HISTOGRAM, AUTO, 0.1, 20.0, 200);
	assert_true(sonde_atoms_count(atoms) > 3900);
	check_sample("CdSe, wurtzite", atoms);
	check_grid("CdSe, wurtzite, X-rays", atoms, options);
	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	check_grid("CdSe, wurtzite, neutrons", atoms, options);
	sonde_atoms_free(&atoms);
}

static void test_tolerance_is_met_for_molecules_on_a_lattice(void **state)
{
	static const double corner[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
	sonde_atoms *molecule = read_sample("C60.xyz"), *atoms = empty_sample();
	const double a = 14.17;
	const int n = is_thorough() ? 4 : 3; /* cells along an edge */
	(void)state;

	for (int i = 0; i < n * n * n; ++i)
		for (int s = 0; s < 4; ++s)
			append(atoms, molecule, a * (i / (n * n) + corner[s][0]), a * (i / n % n + corner[s][1]),
			       a * (i % n + corner[s][2]));
	check_count(atoms, 240 * n * n * n);
	check_sample("C60, fcc", atoms);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&molecule);
}

/* Each translation has a distance of its own: up to a few in every bin, of unequal weight. */
static void test_tolerance_is_met_for_lattices_of_low_symmetry(void **state)
{
	static const double triclinic[3][3] = {{3.123, 0.1, 0.05}, {0.4137, 3.711, 0.2}, {-0.331, 0.717, 4.219}};
	static const double tetragonal[3][3] = {{3.2, 0, 0}, {0, 3.2, 0}, {0, 0, 5.251207}};
	static const struct {
		const char *what;
		const double (*v)[3];
		int cells[3], fewer[3];
	} samples[] = {{"triclinic", triclinic, {22, 22, 22}, {15, 15, 15}},
		       {"triclinic slab", triclinic, {60, 60, 3}, {34, 34, 3}},
		       {"triclinic rod", triclinic, {1000, 4, 3}, {340, 4, 3}},
		       {"triclinic chain", triclinic, {3000, 1, 1}, {3000, 1, 1}},
		       {"tetragonal, incommensurate", tetragonal, {26, 26, 16}, {18, 18, 11}}};
	(void)state;

	for (size_t s = 0; s < sizeof samples / sizeof *samples; ++s) {
		const int *n = is_thorough() ? samples[s].cells : samples[s].fewer;
		sonde_atoms *atoms = fill_cells(samples[s].v, n[0], n[1], n[2], NULL);
		if (s == 3)
			check_grid(samples[s].what, atoms, options_of(HISTOGRAM, UNIT, 0.1, 20.0, 64));
		else
			check_sample(samples[s].what, atoms);
		sonde_atoms_free(&atoms);
	}
}

/* Planes moved by less than a bin, atoms moved at random by less than a bin, two lattices that differ by 1e-5. */
static void test_tolerance_is_met_for_distortions_below_a_bin(void **state)
{
	static const double moves[] = {1e-4, 5e-4, 9e-4, 2e-3};
	sonde_atoms *cubic = build_cells(SONDE_BUILD_CELL_SC, "Fe", 4.0, 17);
	const double *r = sonde_atoms_positions(cubic);
	(void)state;

	for (int m = 0; m < 4; ++m) {
		sonde_atoms *planes = empty_sample(), *some = empty_sample();
		char what[64];
		for (int64_t i = 0; i < sonde_atoms_count(cubic); ++i) {
			double third = lround(r[3 * i + 2] / 4.0) % 3 == 0 ? moves[m] : 0.0;
			double chosen = uniform_number(7, (uint64_t)i) < 0.3 ? moves[m] : 0.0;
			add_atom(planes, "Fe", r[3 * i], r[3 * i + 1], r[3 * i + 2] + third);
			add_atom(some, "Fe", r[3 * i] + chosen, r[3 * i + 1] + 0.7 * chosen,
				 r[3 * i + 2] + 0.4 * chosen);
		}
		snprintf(what, sizeof what, "sc, each third plane moved %g", moves[m]);
		check_grid(what, planes, options_of(HISTOGRAM, UNIT, 0.1, 20.0, 200));
		snprintf(what, sizeof what, "sc, 30 %% of the atoms moved %g", moves[m]);
		check_grid(what, some, options_of(HISTOGRAM, UNIT, 0.1, 20.0, 200));
		sonde_atoms_free(&planes);
		sonde_atoms_free(&some);
	}
	sonde_atoms_free(&cubic);
	sonde_atoms *one = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 23.0);
	sonde_atoms *two = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782 * 1.00001, 23.0), *both = empty_sample();
	append(both, one, 0.0, 0.0, 0.0);
	append(both, two, 0.0005, 0.0002, 0.0);
	check_sample("two lattices in one place", both);
	sonde_atoms_free(&one);
	sonde_atoms_free(&two);
	sonde_atoms_free(&both);
}

static sonde_atoms *make_gas(int count, double edge, uint64_t seed)
{
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < count; ++i) {
		uint64_t k = 3 * (uint64_t)i;
		add_atom(atoms, "Ar", edge * uniform_number(seed, k), edge * uniform_number(seed, k + 1),
			 edge * uniform_number(seed, k + 2));
	}
	return atoms;
}

/* From a gas to a cloud that fits into one bin, the latter beyond all physics. */
static void test_tolerance_is_met_for_gases_and_clouds(void **state)
{
	static const double edges[] = {100.0, 2.0, 5e-3, 7e-4};
	(void)state;

	for (int e = 0; e < 4; ++e) {
		sonde_atoms *atoms = make_gas(is_thorough() ? 5000 : 3000, edges[e], 2);
		char what[64];
		snprintf(what, sizeof what, "gas in %g A", edges[e]);
		check_sample(what, atoms);
		sonde_atoms_free(&atoms);
	}
}

/* Pairs of two lengths that share a bin, in a dilute gas: the bin's third moment has nothing to hide behind. More
 * than 10,000 atoms, so that no check by exact sums helps the estimate. */
static void test_tolerance_is_met_for_two_bonds_in_one_bin(void **state)
{
	static const double bonds[][2] = {{2.5, 2.5009}, {0.0301, 0.0303}, {0.1601, 0.1609}};
	/* grids up to 19.7 and 74 that begin alike, with a step without round-off: one exact sum serves both */
	const int64_t finer = is_thorough() ? 4 : 1, points[] = {17 * finer, 64 * finer};
	const double step = 37.0 / 32.0 / (double)finer;
	(void)state;

	for (int b = 0; b < 3; ++b) {
		sonde_atoms *centers = make_gas(5100, 1000.0, 3), *atoms = empty_sample();
		const double *r = sonde_atoms_positions(centers);
		char what[64];
		for (int64_t i = 0; i < sonde_atoms_count(centers); ++i) {
			add_atom(atoms, "Au", r[3 * i], r[3 * i + 1], r[3 * i + 2]);
			add_atom(atoms, "Au", r[3 * i], r[3 * i + 1], r[3 * i + 2] + bonds[b][i % 3 == 0]);
		}
		snprintf(what, sizeof what, "bonds of %g and %g", bonds[b][0], bonds[b][1]);
		sonde_debye_result *all =
		    run_exactly(atoms, options_of(HISTOGRAM, UNIT, step, (double)points[1] * step, points[1]));
		for (int k = 0; k < 2; ++k) {
			sonde_debye_options options =
			    options_of(HISTOGRAM, UNIT, step, (double)points[k] * step, points[k]);
			sonde_debye_result truth = *all;
			truth.q_count = points[k];
			check_histogram(what, atoms, &options, &truth);
		}
		sonde_debye_result_free(&all);
		sonde_atoms_free(&centers);
		sonde_atoms_free(&atoms);
	}
}

/* The intensity per atom of a chain of `count` atoms of which every fourth, from the first on, sits further by `shift`: 1 + 2/N times
 * the sum over the pairs d steps apart, by whether the second atom, the first one, or neither, or both, is shifted. */
static double intensity_of_chain(int count, double step, double shift, double q)
{
	double sum = 0.0;

	for (int d = 1; d < count; ++d) {
		const int pairs = count - d, offset = (4 - d % 4) % 4;
		const int first = d % 4 == 0 ? 0 : (pairs + 3) / 4,
			  second = d % 4 == 0 || pairs <= offset ? 0 : (pairs - offset + 3) / 4;
		const double x = q * step * d, plus = x + q * shift, minus = x - q * shift;
		sum += (pairs - first - second) * sin(x) / x + second * sin(plus) / plus + first * sin(minus) / minus;
	}
	return 1.0 + 2.0 * sum / count;
}

/* A chain whose step is a whole number of bins and whose every fourth atom sits almost a bin further: the third moments
 * of all bins are alike, and the estimate, which takes them for independent, falls short. The bound must not. */
static void test_bound_holds_for_alike_third_moments(void **state)
{
	static const double shifts[] = {0.7, 0.9};
	double bin = 1.0 / 512.0, peak = 2.0 * PI / 2.5, closest = 0.0, above = 0.0;
	(void)state;

	for (int s = 0; s < 2; ++s) {
		sonde_atoms *atoms = empty_sample();
		for (int i = 0; i < 10200; ++i)
			add_atom(atoms, "Au", 0.0, 0.0, bin * (1280.0 * i + (i % 4 == 0 ? shifts[s] : 0.0)));
		sonde_debye_options options = options_of(HISTOGRAM, UNIT, peak, 8.0 * peak, 8);
		sonde_debye_result *result = run(atoms, &options);
		assert_true(result->bin_width == bin);
		for (int64_t k = 0; k < result->q_count; ++k) {
			double truth = intensity_of_chain(10200, 1280.0 * bin, shifts[s] * bin, result->q[k]),
			       error = fabs(result->intensity_per_atom[k] - truth);
			assert_true(error <= result->error_bound[k]);
			closest = fmax(closest, error / result->error_bound[k]);
			above = fmax(above, error / result->error_estimate[k]);
		}
		assert_true(result->largest_bound < 1e-5);
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
	print_message("chains: largest error/bound %.2g, error/estimate %.2g\n", closest, above);
	assert_true(closest > 0.01);
}

/* A looser tolerance makes wider bins, and is met as well. Bins chosen too wide spoil the result: the estimate must
 * show it, but not be far too large. */
static void test_estimate_tells_of_wide_bins(void **state)
{
	static const double tolerances[] = {1e-8, 1e-7, 1e-4, 1e-2}, widths[] = {0.01, 0.03, 0.1};
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_HCP, "Co", 2.5071, 22.0);
	sonde_atoms *disordered = displace(crystal, 0.08, 5);
	(void)state;

	for (int s = 0; s < 2; ++s) {
		const sonde_atoms *atoms = s == 0 ? crystal : disordered;
		double last = 0.0;
		sonde_debye_result *truth = run_exactly(atoms, options_of(HISTOGRAM, UNIT, 0.1, 20.0, 200));
		for (int t = 0; t < 4; ++t) {
			sonde_debye_options options = options_of(HISTOGRAM, UNIT, 0.1, 20.0, 200);
			options.tolerance = tolerances[t];
			check_histogram("hcp, other tolerances", atoms, &options, truth);
		}
		for (int w = 0; w < 3; ++w) {
			sonde_debye_options options = options_of(HISTOGRAM, UNIT, 0.1, 20.0, 200);
			options.bin_width = widths[w];
			sonde_debye_result *result = run(atoms, &options);
			double error = largest_error(result, truth->intensity_per_atom);
			check_against("hcp, wide bins", result, truth, 1.0, 1.0);
			assert_true(error > last && result->largest_error < 1e4 * error);
			assert_true(widths[w] < 0.1 || error > 1e-5);
			last = error;
			sonde_debye_result_free(&result);
		}
		sonde_debye_result_free(&truth);
	}
	sonde_atoms_free(&crystal);
	sonde_atoms_free(&disordered);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tolerance_is_met_for_disordered_gold),
	    cmocka_unit_test(test_tolerance_is_met_for_wurtzite),
	    cmocka_unit_test(test_tolerance_is_met_for_molecules_on_a_lattice),
	    cmocka_unit_test(test_tolerance_is_met_for_lattices_of_low_symmetry),
	    cmocka_unit_test(test_tolerance_is_met_for_distortions_below_a_bin),
	    cmocka_unit_test(test_tolerance_is_met_for_gases_and_clouds),
	    cmocka_unit_test(test_tolerance_is_met_for_two_bonds_in_one_bin),
	    cmocka_unit_test(test_bound_holds_for_alike_third_moments),
	    cmocka_unit_test(test_estimate_tells_of_wide_bins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
