/* Displacements of the sample, numbers and tensors, and correlated motion: closed forms, averages over orientations and over
 * snapshots, and the agreement of methods and devices. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define AUTO SONDE_DEBYE_FACTORS_AUTO

static double sinc(double x)
{
	return x == 0.0 ? 1.0 : sin(x) / x;
}

static sonde_debye_options moving_options(int method, int factors, sonde_grid q, const char *displacement)
{
	sonde_debye_options options = options_of(method, factors, q.first, q.last, q.points);

	snprintf(options.displacement, sizeof options.displacement, "%s", displacement);
	return options;
}

static void set_displacements(sonde_atoms *atoms, const double *u, int each)
{
	if (sonde_atoms_set_displacements(atoms, u, each) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
}

/* u_of[species] for each atom. */
static void set_by_species(sonde_atoms *atoms, const double *u_of)
{
	const int64_t count = sonde_atoms_count(atoms);
	double *u = calloc((size_t)count, sizeof *u);

	for (int64_t i = 0; i < count; ++i)
		u[i] = u_of[sonde_atoms_species(atoms)[i]];
	set_displacements(atoms, u, 1);
	free(u);
}

/* Numbers of the sample that are those of its labels give the same bits as a list of these. */
static void test_numbers_of_the_sample_are_those_of_a_list(void **state)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 8.0);
	const sonde_grid q = {0.0, 20.0, 61};
	(void)state;

	set_by_species(crystal, (const double[]){0.004, 0.009});
	assert_string_equal(sonde_atoms_species_label(crystal, 0), "Co");
	for (int method = EXACT; method <= REFERENCE; ++method) {
		sonde_debye_options listed = moving_options(method, AUTO, q, "Co=0.004,O=0.009"),
				    sampled = moving_options(method, AUTO, q, "sample");
		sonde_debye_result *expected = run(crystal, &listed), *result = run(crystal, &sampled);
		assert_true(same_bits(result, expected));
		sonde_debye_result_free(&expected);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&crystal);
}

/* Sum over pairs of atoms with numbers u, unit amplitudes. */
static double intensity_of_numbers(const sonde_atoms *atoms, const double *u, double q)
{
	const double *r = sonde_atoms_positions(atoms);
	const int64_t count = sonde_atoms_count(atoms);
	long double sum = (long double)count;

	for (int64_t i = 0; i < count; ++i)
		for (int64_t j = 0; j < i; ++j) {
			const double x = r[3 * i] - r[3 * j], y = r[3 * i + 1] - r[3 * j + 1],
				     z = r[3 * i + 2] - r[3 * j + 2];
			sum += 2.0 * sinc(q * sqrt(x * x + y * y + z * z)) * exp(-0.5 * q * q * (u[i] + u[j]));
		}
	return (double)sum;
}

/* A different number for each atom: few are classes, by every method, and many belong to the atoms, by exact sums. */
static void test_each_atom_has_its_number(void **state)
{
	enum { MOST = 150 };
	const sonde_grid q = {0.5, 20.0, 40};
	double u[MOST];
	(void)state;

	for (int count = 50; count <= MOST; count += 100) {
		sonde_atoms *atoms = empty_sample();
		for (int i = 0; i < count; ++i) {
			add_atom(atoms, "C", 15.0 * uniform_number(1, 3 * (uint64_t)i),
				 15.0 * uniform_number(1, 3 * (uint64_t)i + 1),
				 15.0 * uniform_number(1, 3 * (uint64_t)i + 2));
			u[i] = 0.002 + 0.03 * uniform_number(2, (uint64_t)i);
		}
		set_displacements(atoms, u, 1);
		for (int method = EXACT; method <= REFERENCE; ++method) {
			if (method == HISTOGRAM && count == MOST)
				continue;
			sonde_debye_options options = moving_options(method, UNIT, q, "sample");
			sonde_debye_result *result = run(atoms, &options);
			double truth[40];
			for (int k = 0; k < 40; ++k)
				truth[k] = intensity_of_numbers(atoms, u, result->q[k]) / count;
			check_intensity(count < 64 ? "numbers, classes" : "numbers, atoms", result, truth,
					method == HISTOGRAM ? 1e-6 : 1e-13, 1e-5);
			sonde_debye_result_free(&result);
		}
		sonde_atoms_free(&atoms);
	}
}

/* Tensors ------------------------------------------------------------------------------------------------- */

/* Nodes and weights of Gauss and Legendre, by Newton's method. */
static void gauss_legendre(int count, double *x, double *weight)
{
	for (int n = 0; n < count; ++n) {
		double at = cos(PI * (n + 0.75) / (count + 0.5)), slope = 1.0;
		for (int step = 0; step < 50; ++step) {
			double p0 = 1.0, p1 = at;
			for (int k = 2; k <= count; ++k) {
				double p2 = ((2 * k - 1) * at * p1 - (k - 1) * p0) / k;
				p0 = p1;
				p1 = p2;
			}
			slope = count * (at * p1 - p0) / (at * at - 1.0);
			at -= p1 / slope;
		}
		x[n] = at;
		weight[n] = 2.0 / ((1.0 - at * at) * slope * slope);
	}
}

static double quadratic(const double u[6], const double n[3])
{
	return u[0] * n[0] * n[0] + u[1] * n[1] * n[1] + u[2] * n[2] * n[2] +
	       2.0 * (u[3] * n[1] * n[2] + u[4] * n[0] * n[2] + u[5] * n[0] * n[1]);
}

#define NODES 96
#define TURNS 48

/* The average over orientations of exp(i q.r) exp(-q.U.q/2) of a pair at r along z. */
static double average_over_orientations(const double u[6], double r, double q)
{
	static double x[NODES], weight[NODES];
	double sum = 0.0;

	if (weight[0] == 0.0)
		gauss_legendre(NODES, x, weight);
	for (int k = 0; k < NODES; ++k)
		for (int t = 0; t < TURNS; ++t) {
			const double s = sqrt(1.0 - x[k] * x[k]), phi = 2.0 * PI * t / TURNS;
			const double n[3] = {s * cos(phi), s * sin(phi), x[k]};
			sum += weight[k] / (2.0 * TURNS) * cos(q * r * x[k]) * exp(-0.5 * q * q * quadratic(u, n));
		}
	return sum;
}

/* A pair along n at distance r, by the formula of docs/debye.md: sin(q r')/(q r') exp(-q^2 s/2). */
static double formula(const double u[6], const double n[3], double r, double q)
{
	const double along = quadratic(u, n), trace = u[0] + u[1] + u[2];

	return sinc(q * sqrt(r * r + trace - 3.0 * along)) * exp(-0.5 * q * q * along);
}

static const double tensor_a[6] = {0.012, 0.007, 0.020, 0.003, -0.002, 0.001},
		    tensor_b[6] = {0.006, 0.015, 0.009, -0.001, 0.002, 0.002};

/* Two atoms with tensors: the formula, within rounding; and the average over orientations, of which it is the approximation,
 * fifteen times better than without the growth of the mean distance. */
static void test_pair_of_tensors(void **state)
{
	static const int methods[] = {EXACT, REFERENCE};
	const sonde_grid q = {0.0, 20.0, 81};
	const double n[3] = {0.0, 0.0, 1.0}, r = 2.5;
	double both[12], sum[6], off = 0.0, projected = 0.0;
	(void)state;

	for (int k = 0; k < 6; ++k) {
		both[k] = tensor_a[k];
		both[6 + k] = tensor_b[k];
		sum[k] = tensor_a[k] + tensor_b[k];
	}
	sonde_atoms *pair = empty_sample();
	add_atom(pair, "Co", 1.0, 2.0, 3.0);
	add_atom(pair, "O", 1.0, 2.0, 3.0 + r);
	set_displacements(pair, both, 6);
	for (int m = 0; m < 2; ++m) {
		sonde_debye_options options = moving_options(methods[m], UNIT, q, "sample");
		sonde_debye_result *result = run(pair, &options);
		for (int64_t k = 0; k < q.points; ++k) {
			const double cross = 0.5 * result->intensity[k] - 1.0, x = result->q[k],
				     truth = average_over_orientations(sum, r, x);
			assert_within(cross, formula(sum, n, r, x), 1e-13, "formula");
			off = fmax(off, fabs(cross - truth));
			projected = fmax(projected, fabs(sinc(x * r) * exp(-0.5 * x * x * sum[2]) - truth));
		}
		sonde_debye_result_free(&result);
	}
	print_message("tensors at 2.5 Angstrom: error %.1e, without growth of the distance %.1e\n", off, projected);
	assert_true(off < 1e-4 && projected > 10.0 * off);
	sonde_atoms_free(&pair);
}

/* Flat and long ones. */
static const double tensor_c[6] = {0.003, 0.040, 0.030, 0.004, 0.001, 0.002},
		    tensor_d[6] = {0.035, 0.004, 0.005, 0.001, -0.003, 0.002};

#define SNAPSHOTS 250
#define POINTS 30
#define MOST 40

/* Cholesky's factor of a tensor, by rows: 00, 10, 11, 20, 21, 22. */
static void factorize(const double u[6], double l[6])
{
	l[0] = sqrt(u[0]);
	l[1] = u[5] / l[0];
	l[2] = sqrt(u[1] - l[1] * l[1]);
	l[3] = u[4] / l[0];
	l[4] = (u[3] - l[3] * l[1]) / l[2];
	l[5] = sqrt(u[2] - l[3] * l[3] - l[4] * l[4]);
}

static void draw_snapshot(const sonde_atoms *atoms, int snapshot, double (*r)[3])
{
	const double *at = sonde_atoms_positions(atoms);

	for (int i = 0; i < sonde_atoms_count(atoms); ++i) {
		double l[6], z[3];
		factorize(sonde_atoms_species(atoms)[i] == 0 ? tensor_c : tensor_d, l);
		for (int k = 0; k < 3; ++k)
			z[k] = normal_number(4, (uint64_t)((snapshot * MOST + i) * 3 + k));
		r[i][0] = at[3 * i] + l[0] * z[0];
		r[i][1] = at[3 * i + 1] + l[1] * z[0] + l[2] * z[1];
		r[i][2] = at[3 * i + 2] + l[3] * z[0] + l[4] * z[1] + l[5] * z[2];
	}
}

static double intensity_at(double q, const double (*r)[3], int atoms)
{
	double sum = atoms;

	for (int i = 0; i < atoms; ++i)
		for (int j = 0; j < i; ++j)
			sum += 2.0 * sinc(q * sqrt((r[i][0] - r[j][0]) * (r[i][0] - r[j][0]) +
						   (r[i][1] - r[j][1]) * (r[i][1] - r[j][1]) +
						   (r[i][2] - r[j][2]) * (r[i][2] - r[j][2])));
	return sum;
}

/* The mean over snapshots with the tensors as covariances is the result, within its statistical error; that of atoms with
 * the mean of the tensor is not. */
static void test_mean_of_snapshots_with_tensors(void **state)
{
	const sonde_grid q = {0.5, 15.0, POINTS};
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 4.6, 4.0);
	double sum[POINTS] = {0}, squares[POINTS] = {0}, total = 0.0, farthest = 0.0, r[MOST][3], u[6 * MOST];
	const int count = (int)sonde_atoms_count(atoms);
	(void)state;

	assert_true(count > 20 && count <= MOST);
	for (int i = 0; i < count; ++i)
		memcpy(u + 6 * i, sonde_atoms_species(atoms)[i] == 0 ? tensor_c : tensor_d, 6 * sizeof *u);
	set_displacements(atoms, u, 6);
	sonde_debye_options options = moving_options(EXACT, UNIT, q, "sample"),
			    isotropic = moving_options(EXACT, UNIT, q, "Na=0.0243333,Cl=0.0146667");
	sonde_debye_result *moving = run(atoms, &options), *mean_numbers = run(atoms, &isotropic);
	for (int s = 0; s < SNAPSHOTS; ++s) {
		draw_snapshot(atoms, s, r);
		for (int k = 0; k < POINTS; ++k) {
			const double value = intensity_at(moving->q[k], (const double(*)[3])r, count);
			sum[k] += value;
			squares[k] += value * value;
		}
	}
	for (int k = 0; k < POINTS; ++k) {
		const double mean = sum[k] / SNAPSHOTS,
			     error = sqrt((squares[k] / SNAPSHOTS - mean * mean) / (SNAPSHOTS - 1)),
			     deviation = (moving->intensity[k] - mean) / error;
		assert_within(moving->intensity[k], mean, 3.0 * error, "mean of snapshots");
		total += deviation * deviation / POINTS;
		farthest = fmax(farthest, fabs(mean_numbers->intensity[k] - mean) / error);
	}
	print_message("snapshots of tensors: rms deviation %.2f standard errors; of their means: up to %.0f\n",
		      sqrt(total), farthest);
	assert_true(total > 0.1 && total < 2.5 && farthest > 5.0);
	sonde_debye_result_free(&moving);
	sonde_debye_result_free(&mean_numbers);
	sonde_atoms_free(&atoms);
}

/* Correlated motion ---------------------------------------------------------------------------------------- */

static double law(double d, double delta1, double delta2, double qbroad)
{
	return 1.0 - delta1 / d - delta2 / (d * d) + qbroad * qbroad * d * d;
}

/* Three atoms: every pair has the width of its distance, by each method. */
static void test_pairs_have_widths_of_their_distances(void **state)
{
	const sonde_grid q = {0.0, 20.0, 81};
	const double d[3] = {2.1, 6.3, 4.2}, s = 2.0 * 0.008;
	sonde_atoms *atoms = empty_sample();
	(void)state;

	add_atom(atoms, "Au", 0, 0, 0);
	add_atom(atoms, "Au", 0, 0, 2.1);
	add_atom(atoms, "Au", 0, 0, 6.3);
	for (int method = EXACT; method <= REFERENCE; ++method) {
		sonde_debye_options options = moving_options(method, UNIT, q, "0.008");
		options.delta1 = 0.3;
		options.delta2 = 1.1;
		options.qbroad = 0.05;
		sonde_debye_result *result = run(atoms, &options);
		for (int64_t k = 0; k < q.points; ++k) {
			const double x = result->q[k];
			double expected = 3.0;
			for (int p = 0; p < 3; ++p)
				expected += 2.0 * sinc(x * d[p]) * exp(-0.5 * x * x * s * law(d[p], 0.3, 1.1, 0.05));
			assert_within(result->intensity[k], expected, (method == HISTOGRAM ? 1e-8 * x : 0.0) + 1e-13,
				      "intensity");
		}
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* The peak of a pair in G(r) is a Gaussian with the width of Jeong's law at its distance:
 * G = 1/(d sqrt(2 pi s)) (exp(-(r - d)^2/(2 s)) - exp(-(r + d)^2/(2 s))) for two atoms. */
static void test_peaks_of_g_are_gaussians(void **state)
{
	static const double distances[] = {2.4, 9.1};
	(void)state;

	for (int k = 0; k < 2; ++k) {
		const double d = distances[k], s = 2.0 * 0.01 * law(d, 0.0, 2.2, 0.04);
		sonde_atoms *pair = empty_sample();
		add_atom(pair, "Ni", 0, 0, 0);
		add_atom(pair, "Ni", d, 0, 0);
		sonde_debye_options options = moving_options(EXACT, UNIT, (sonde_grid){0.0, 60.0, 2401}, "0.01");
		options.delta2 = 2.2;
		options.qbroad = 0.04;
		options.r = (sonde_grid){1.0, 12.0, 1101};
		sonde_debye_result *result = run(pair, &options);
		const double height = 1.0 / (d * sqrt(2.0 * PI * s));
		for (int64_t n = 0; n < result->r_count; ++n) {
			const double r = result->r[n], expected = height * (exp(-(r - d) * (r - d) / (2.0 * s)) -
									    exp(-(r + d) * (r + d) / (2.0 * s)));
			assert_within(result->pair_distribution[n], expected, 1e-4 * height, "G");
		}
		sonde_debye_result_free(&result);
		sonde_atoms_free(&pair);
	}
}

/* All methods give the same within their estimates, uniform in q and in the angle, on any number of threads the same bits. */
static void test_methods_agree(void **state)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 9.0),
		    *atoms = displace(crystal, 0.03, 5);
	(void)state;

	for (int by_angle = 0; by_angle < 2; ++by_angle) {
		sonde_debye_result *results[3];
		for (int method = EXACT; method <= REFERENCE; ++method) {
			sonde_debye_options options =
			    moving_options(method, AUTO, (sonde_grid){0.2, 20.0, 90}, "Co=0.004,O=0.009");
			options.delta2 = 2.0;
			options.qbroad = 0.02;
			options.wavelength = 0.6;
			if (by_angle) {
				options.q = (sonde_grid){0.1, 20.0, 996};
				options.two_theta = (sonde_grid){5.0, 140.0, 50};
			}
			results[method - EXACT] = run(atoms, &options);
			sonde_debye_result *shared = run_on(3, atoms, results[method - EXACT]->options);
			assert_true(same_bits(shared, results[method - EXACT]));
			sonde_debye_result_free(&shared);
		}
		check_against("correlated, exact", results[0], results[2], 1e-13, 1e-6);
		check_against("correlated, histogram", results[1], results[2], 1e-7, 1e-6);
		for (int m = 0; m < 3; ++m)
			sonde_debye_result_free(&results[m]);
	}
	sonde_atoms_free(&crystal);
	sonde_atoms_free(&atoms);
}

/* The kernels of GPUs, as plain C, by OpenCL, and by CUDA where they are: the histogram has the CPU's bits, exact sums agree. */
static void test_devices_agree(void **state)
{
	static const char *const devices[] = {"emulated", "opencl:0", "cuda:0"};
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.64, 9.0);
	const int64_t count = sonde_atoms_count(atoms);
	double *u = calloc(6 * (size_t)count, sizeof *u);
	(void)state;

	for (int64_t i = 0; i < count; ++i)
		memcpy(u + 6 * i, i % 2 == 0 ? tensor_a : tensor_b, 6 * sizeof *u);
	set_displacements(atoms, u, 6);
	add_atom(atoms, "Na", 0.0, 0.0, 0.0); /* at the place of another one */
	u = realloc(u, 6 * (size_t)(count + 1) * sizeof *u);
	memcpy(u + 6 * count, tensor_b, 6 * sizeof *u);
	sonde_debye_options tensors = moving_options(EXACT, UNIT, (sonde_grid){0.0, 20.0, 1300}, "sample"),
			    bins = moving_options(HISTOGRAM, UNIT, (sonde_grid){0.0, 20.0, 200}, "0.01");
	set_displacements(atoms, u, 6);
	bins.qbroad = 0.1;
	sonde_debye_result *exact = run_on_device("cpu", atoms, &tensors),
			   *histogram = run_on_device("cpu", atoms, &bins);
	for (int d = 0; d < 3; ++d) {
		sonde_debye_result *result = run_on_device(devices[d], atoms, &tensors);
		if (result == NULL)
			continue;
		check_against(devices[d], result, exact, 1e-12, 1e-6);
		sonde_debye_result_free(&result);
		result = run_on_device(devices[d], atoms, &bins);
		const size_t bytes = (size_t)result->q_count * sizeof(double);
		assert_memory_equal(result->intensity, histogram->intensity, bytes);
		sonde_debye_result_free(&result);
	}
	tensors.q.points = 60;
	sonde_debye_result *few = run_on_device("cpu", atoms, &tensors);
	tensors.method = REFERENCE;
	sonde_debye_result *reference = run_on_device("cpu", atoms, &tensors);
	check_against("tensors, exact", few, reference, 1e-13, 1e-6);
	sonde_debye_result_free(&few);
	sonde_debye_result_free(&reference);
	sonde_debye_result_free(&exact);
	sonde_debye_result_free(&histogram);
	free(u);
	sonde_atoms_free(&atoms);
}

/* A cobalt or an oxygen at 0.3 Angstrom from it, never both, and an oxygen at 5: the mean of two configurations. The pair that
 * is never present does not limit delta2. */
static void test_sites_that_exclude_each_other(void **state)
{
	const sonde_grid q = {0.0, 10.0, 21};
	sonde_atoms *atoms = empty_sample();
	(void)state;

	add_atom(atoms, "Co", 0, 0, 0);
	add_atom(atoms, "O", 0, 0, 0.3);
	add_atom(atoms, "O", 0, 0, 5);
	assert_int_equal(sonde_atoms_set_occupancies(atoms, (const double[]){0.5, 0.5, 1.0}), SONDE_OK);
	for (int method = EXACT; method <= REFERENCE; ++method) {
		sonde_debye_options options = moving_options(method, UNIT, q, "Co=0.02,O=0.05");
		options.delta2 = 2.0;
		sonde_debye_result *result = run(atoms, &options);
		for (int64_t k = 0; k < q.points; ++k) {
			const double x = result->q[k];
			const double first =
			    2.0 + 2.0 * exp(-0.5 * x * x * 0.07 * law(5.0, 0, 2.0, 0)) * sinc(5.0 * x);
			const double second =
			    2.0 + 2.0 * exp(-0.5 * x * x * 0.10 * law(4.7, 0, 2.0, 0)) * sinc(4.7 * x);
			assert_within(result->intensity[k], 0.5 * (first + second),
				      method == HISTOGRAM ? 1e-7 : 1e-13, "intensity");
		}
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* Independent copies: the pairs within one, with tensors that turn with it. */
static void test_independent_copies(void **state)
{
	const sonde_grid q = {0.0, 15.0, 31};
	sonde_atoms *one = empty_sample(), *two = empty_sample();
	double u[24];
	(void)state;

	add_atom(one, "Co", 0, 0, 0);
	add_atom(one, "O", 0, 0, 2);
	append(two, one, 0, 0, 0);
	append(two, one, 50, 0, 0);
	for (int i = 0; i < 4; ++i)
		memcpy(u + 6 * i, i % 2 == 0 ? tensor_a : tensor_b, 6 * sizeof *u);
	set_displacements(one, u, 6);
	set_displacements(two, u, 6);
	sonde_debye_options options = moving_options(EXACT, UNIT, q, "sample");
	sonde_debye_result *single = run(one, &options);
	options.copies = SONDE_DEBYE_COPIES_INDEPENDENT;
	options.copy_atoms = 2;
	sonde_debye_result *both = run(two, &options);
	for (int64_t k = 0; k < q.points; ++k)
		assert_within(both->intensity[k], 2.0 * single->intensity[k], 1e-13, "intensity");
	sonde_debye_result_free(&single);
	sonde_debye_result_free(&both);
	sonde_atoms_free(&one);
	sonde_atoms_free(&two);
}

static void expect_refusal(const sonde_atoms *atoms, const sonde_debye_options *options, const char *message)
{
	sonde_context *context = make_context(1);
	sonde_debye_result *result;

	assert_int_equal(sonde_debye_run(context, atoms, options, &result), SONDE_INVALID);
	assert_null(result);
	if (strstr(sonde_status_message(), message) == NULL)
		fail_msg("'%s' is not in '%s'", message, sonde_status_message());
	sonde_context_free(&context);
}

static void test_impossible_motion_is_refused(void **state)
{
	static const double negative[12] = {0.01, 0.01, 0.01, 0.02, 0, 0, 0.01, 0.01, 0.01, 0, 0, 0},
			    missing[2] = {0.01, NAN}, none[2] = {0.0, 0.0}, broken[2] = {0.01, -0.01};
	const sonde_grid q = {1.0, 10.0, 10};
	sonde_debye_options sampled = moving_options(EXACT, UNIT, q, "sample"),
			    listed = moving_options(EXACT, UNIT, q, "0.01");
	sonde_atoms *atoms = empty_sample();
	double tensors[12];
	(void)state;

	add_atom(atoms, "Co", 0, 0, 0);
	add_atom(atoms, "O", 0, 0, 2);
	expect_refusal(atoms, &sampled, "has no mean square displacements");
	assert_int_equal(sonde_atoms_set_displacements(atoms, broken, 1), SONDE_INVALID);
	assert_int_equal(sonde_atoms_set_displacements(atoms, missing, 2), SONDE_INVALID);
	set_displacements(atoms, missing, 1);
	expect_refusal(atoms, &sampled, "atom 2 (O) has no mean square displacement");
	set_displacements(atoms, none, 1);
	expect_refusal(atoms, &sampled, "are 0");
	set_displacements(atoms, negative, 6);
	expect_refusal(atoms, &sampled, "atom 1 (Co) has a tensor");
	memcpy(tensors, tensor_a, sizeof tensor_a);
	memcpy(tensors + 6, tensor_b, sizeof tensor_b);
	set_displacements(atoms, tensors, 6);
	sampled.method = HISTOGRAM;
	expect_refusal(atoms, &sampled, "choose method = exact");
	sampled.method = SONDE_DEBYE_METHOD_AUTO;
	sampled.counts = 1;
	expect_refusal(atoms, &sampled, "are tensors");
	listed.delta2 = 4.41;
	expect_refusal(atoms, &listed, "the pair Co-O at 2 Angstrom (atoms 1 and 2) would be negative");
	listed.copies = SONDE_DEBYE_COPIES_AVERAGED;
	listed.copy_atoms = 1;
	expect_refusal(atoms, &listed, "copies");
	listed = moving_options(EXACT, UNIT, q, "");
	listed.qbroad = 0.1;
	expect_refusal(atoms, &listed, "has no effect on atoms at rest");
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers_of_the_sample_are_those_of_a_list),
	    cmocka_unit_test(test_each_atom_has_its_number),
	    cmocka_unit_test(test_pair_of_tensors),
	    cmocka_unit_test(test_mean_of_snapshots_with_tensors),
	    cmocka_unit_test(test_pairs_have_widths_of_their_distances),
	    cmocka_unit_test(test_peaks_of_g_are_gaussians),
	    cmocka_unit_test(test_methods_agree),
	    cmocka_unit_test(test_devices_agree),
	    cmocka_unit_test(test_sites_that_exclude_each_other),
	    cmocka_unit_test(test_independent_copies),
	    cmocka_unit_test(test_impossible_motion_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
