/* Means of patterns: over orientations against Debye's sum and closed forms, over frames against Debye and Waller, of copies and
 * mixtures against their parts. */
#include <unistd.h>

#include "matter/atoms/atoms_copies.h"
#include "pattern/average/turns.h"
#include "physics/pattern/means.h"

static struct turns turns_of(const char *orientations, double spread)
{
	sonde_pattern_options options = pattern_options(1.0, 2.0, 2, 1);
	struct turns turns;

	strcpy(options.orientations, orientations);
	options.fiber_axis = (sonde_vector){1.0, 2.0, -0.5};
	options.fiber_direction = (sonde_vector){-0.3, 0.4, 2.0};
	options.fiber_spread = spread;
	assert_int_equal(turns_make(&options, &turns), SONDE_OK);
	return turns;
}

/* A product of grids is exact for products of elements of R up to its degree; random rotations are so within their errors. */
static void test_orientations_are_uniform(void **state)
{
	static const char *const kinds[] = {"uniform:500", "random:40000"};
	(void)state;

	for (int kind = 0; kind < 2; ++kind) {
		struct turns turns = turns_of(kinds[kind], 0.0);
		double weight = 0.0, worst = 0.0, first[3][3] = {{0.0}}, square[3][3] = {{0.0}},
		       eighth[3][3] = {{0.0}};
		assert_int_equal(turns.count, kind == 0 ? 500 : 40000);
		for (int64_t k = 0; k < turns.count; ++k) {
			double r[3][3];
			const double w = turns_get(&turns, 0, k, r) / turns.weight;
			weight += w;
			for (int i = 0; i < 3; ++i)
				for (int j = 0; j < 3; ++j) {
					first[i][j] += w * r[i][j];
					square[i][j] += w * r[i][j] * r[i][j];
					eighth[i][j] += w * pow(r[i][j], 8.0);
				}
		}
		assert_close(weight, 1.0, 1e-11, "the sum of the weights");
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j) {
				worst = fmax(worst, fabs(first[i][j]));
				worst = fmax(worst, fabs(square[i][j] - 1.0 / 3.0));
				worst = fmax(worst, fabs(eighth[i][j] - 1.0 / 9.0));
			}
		print_message("%s: moments wrong by %.1e\n", kinds[kind], worst);
		/* standard errors are below 0.6/sqrt(40000) */
		assert_true(worst < (kind == 0 ? 1e-14 : 0.015));
		turns_free(&turns);
	}
	/* degree 2 P - 1 = 9, and not 10 */
	struct turns turns = turns_of("uniform:500", 0.0);
	double tenth = 0.0;
	assert_int_equal(turns.degree, 9);
	for (int64_t k = 0; k < turns.count; ++k) {
		double r[3][3];
		const double w = turns_get(&turns, 0, k, r);
		tenth += w * pow(r[2][2], 10.0);
	}
	assert_true(fabs(tenth - 1.0 / 11.0) > 1e-5);
	turns_free(&turns);
}

/* Fisher's distribution has the mean cosine coth K - 1/K of the tilt, K = 1/s^2. */
static void test_fibers_have_fishers_distribution(void **state)
{
	static const double spreads[] = {0.0, 5.0, 40.0, 180.0};
	const double axis[3] = {1.0 / sqrt(5.25), 2.0 / sqrt(5.25), -0.5 / sqrt(5.25)},
		     direction[3] = {-0.3 / sqrt(4.25), 0.4 / sqrt(4.25), 2.0 / sqrt(4.25)};
	(void)state;

	for (int s = 0; s < 4; ++s) {
		struct turns turns = turns_of("fiber:40000", spreads[s]);
		const double square = spreads[s] * spreads[s] * (PI / 180.0) * (PI / 180.0),
			     expected = square > 0.0 ? 1.0 / tanh(1.0 / square) - square : 1.0;
		double mean = 0.0, squares = 0.0, around = 0.0;
		assert_int_equal(turns.sampled, s > 0);
		for (int64_t k = 0; k < turns.count; ++k) {
			double r[3][3], cosine = 0.0;
			(void)turns_get(&turns, 0, k, r);
			for (int i = 0; i < 3; ++i) {
				for (int j = 0; j < 3; ++j)
					cosine += direction[i] * r[i][j] * axis[j];
				around += r[i][0] * direction[i];
			}
			mean += cosine / 40000.0;
			squares += cosine * cosine / 40000.0;
		}
		const double error = sqrt(fmax(0.0, squares - mean * mean) / 40000.0);
		print_message("fiber, spread %g: mean cosine %.6f, expected %.6f\n", spreads[s], mean, expected);
		assert_true(fabs(mean - expected) < 5.0 * error + 1e-11);
		/* what is across the axis points everywhere */
		assert_within(around / 40000.0, mean * axis[0], 0.02, "the mean direction of x");
		turns_free(&turns);
	}
}

static void check_debye(const char *what, const sonde_atoms *atoms, sonde_pattern_options *options,
			sonde_debye_options *powder)
{
	sonde_pattern_result *result = pattern(atoms, options);
	sonde_debye_result *debye = run(atoms, powder);
	double worst = 0.0;

	for (int64_t n = 0; n < result->count; ++n)
		worst = fmax(worst, fabs(result->intensity[n] / debye->intensity[n / options->phi] - 1.0));
	print_message("%s: mean over %lld orientations against debye: %.1e\n", what,
		      (long long)result->orientation_count, worst);
	assert_true(worst < 1e-12);
	assert_null(result->standard_error);
	sonde_pattern_result_free(&result);
	sonde_debye_result_free(&debye);
}

static void test_the_mean_over_orientations_is_debyes_sum(void **state)
{
	sonde_pattern_options options = pattern_options(1.0, 7.0, 3, 2);
	sonde_debye_options powder = options_of(SONDE_DEBYE_METHOD_REFERENCE, SONDE_DEBYE_FACTORS_AUTO, 1.0, 7.0, 3);
	sonde_atoms *atoms = read_sample("C60.xyz");
	(void)state;

	strcpy(options.orientations, "uniform:256000");
	check_debye("C60", atoms, &options, &powder);
	sonde_atoms_free(&atoms);
	atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 6.0);
	options.q = powder.q = (sonde_grid){1.0, 4.0, 3};
	strcpy(options.displacement, "Co=0.005,O=0.008");
	strcpy(powder.displacement, "Co=0.005,O=0.008");
	/* another orientation in front of all changes nothing */
	strcpy(options.orientation, "0.3,-1,0.2,2");
	check_debye("CoO", atoms, &options, &powder);
	sonde_atoms_free(&atoms);
}

/* Turning the sample is the same as turning atoms and tensors, and as turning all vectors back. */
static void test_turning_the_sample_is_turning_its_atoms(void **state)
{
	static const double u[6] = {0.01, 0.03, 0.02, 0.004, -0.005, 0.002};
	sonde_pattern_options options = pattern_options(0.5, 8.0, 7, 5), turned = options;
	sonde_atoms *atoms = small_sample();
	double tensors[30], rotation[3][3], own[6], matrix[3][3] = {{0.0}}, shift[3] = {0.0};
	struct turns turns;
	(void)state;

	for (int i = 0; i < 5; ++i)
		memcpy(tensors + 6 * i, u, sizeof u);
	assert_int_equal(sonde_atoms_set_displacements(atoms, tensors, 6), SONDE_OK);
	options.amplitude = turned.amplitude = 1;
	strcpy(options.displacement, "sample");
	strcpy(turned.displacement, "sample");
	strcpy(turned.orientation, "25,70,-110");
	assert_int_equal(turns_make(&turned, &turns), SONDE_OK);
	/* tensors of samples are rounded to 1e-14 Angstrom^2 */
	(void)turns_get(&turns, 0, 0, rotation);
	memcpy(matrix, rotation, sizeof matrix);
	/* the convention: Rz(25) Rx(70) Rz(-110), so that z goes to (sin 70 sin 25, -sin 70 cos 25, cos 70) */
	const double degree = PI / 180.0;
	assert_close(rotation[0][2], sin(70.0 * degree) * sin(25.0 * degree), 1e-14, "x of z");
	assert_close(rotation[1][2], -sin(70.0 * degree) * cos(25.0 * degree), 1e-14, "y of z");
	assert_close(rotation[2][0], sin(70.0 * degree) * sin(-110.0 * degree), 1e-14, "z of x");
	displacement_rotate((const double(*)[3])rotation, u, own);
	for (int i = 0; i < 5; ++i)
		memcpy(tensors + 6 * i, own, sizeof own);
	sonde_atoms *moved = move(atoms, (const double(*)[3])matrix, shift);
	assert_int_equal(sonde_atoms_set_displacements(moved, tensors, 6), SONDE_OK);
	sonde_pattern_result *one = pattern(moved, &options), *other = pattern(atoms, &turned);
	for (int64_t n = 0; n < one->count; ++n) {
		assert_within(other->intensity[n], one->intensity[n], 1e-10, "I");
		assert_within(other->real[n], one->real[n], 1e-11, "F");
		assert_within(other->imaginary[n], one->imaginary[n], 1e-11, "F");
	}
	/* the detector turned back */
	char text[4096] = "";
	for (int64_t n = 0; n < one->count; ++n) {
		double q[3];
		sonde_pattern_vector(one, n, q);
		for (int k = 0; k < 3; ++k)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%.17g%c",
				 matrix[0][k] * q[0] + matrix[1][k] * q[1] + matrix[2][k] * q[2], k < 2 ? ' ' : '\n');
	}
	write_file(".txt", text, options.q_list);
	sonde_pattern_result *back = pattern(atoms, &options);
	assert_int_equal(unlink(options.q_list), 0);
	for (int64_t n = 0; n < one->count; ++n)
		assert_within(other->intensity[n], back->intensity[n], 1e-10, "I");
	/* a quaternion of any length of the same rotation */
	const double angle = acos(0.5 * (matrix[0][0] + matrix[1][1] + matrix[2][2] - 1.0)), s = 2.0 * sin(angle);
	snprintf(turned.orientation, sizeof turned.orientation, "%.17g,%.17g,%.17g,%.17g", 7.0 * cos(0.5 * angle),
		 7.0 * sin(0.5 * angle) * (matrix[2][1] - matrix[1][2]) / s,
		 7.0 * sin(0.5 * angle) * (matrix[0][2] - matrix[2][0]) / s,
		 7.0 * sin(0.5 * angle) * (matrix[1][0] - matrix[0][1]) / s);
	sonde_pattern_result *quaternion = pattern(atoms, &turned);
	for (int64_t n = 0; n < one->count; ++n)
		assert_within(quaternion->intensity[n], other->intensity[n], 1e-10, "I");
	sonde_pattern_result_free(&one);
	sonde_pattern_result_free(&other);
	sonde_pattern_result_free(&back);
	sonde_pattern_result_free(&quaternion);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&moved);
	turns_free(&turns);
}

static void test_lists_have_weights(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 8.0, 7, 5), one = options;
	sonde_atoms *atoms = small_sample();
	(void)state;

	options.amplitude = one.amplitude = 1;
	write_file(".txt", "# weights 1 and 3\nw,x,y,z,weight\n1,0,0,0,0.5\n0,0.7,0,0.7,1.5\n", options.orientations);
	sonde_pattern_result *mean = pattern(atoms, &options), *first = pattern(atoms, &one);
	assert_int_equal(unlink(options.orientations), 0);
	strcpy(one.orientation, "0,1,0,1");
	sonde_pattern_result *second = pattern(atoms, &one);
	assert_int_equal(mean->orientation_count, 2);
	for (int64_t n = 0; n < mean->count; ++n) {
		assert_close(mean->intensity[n], 0.25 * first->intensity[n] + 0.75 * second->intensity[n], 1e-12,
			     "I");
		assert_within(mean->real[n], 0.25 * first->real[n] + 0.75 * second->real[n], 1e-11, "F");
	}
	sonde_pattern_result_free(&mean);
	sonde_pattern_result_free(&first);
	sonde_pattern_result_free(&second);
	sonde_atoms_free(&atoms);
}

/* Means over random orientations differ from those over all by their standard errors, as a normal deviate. */
static void test_random_orientations_have_standard_errors(void **state)
{
	sonde_pattern_options options = pattern_options(1.0, 7.0, 30, 1), grid = options;
	sonde_atoms *atoms = small_sample();
	double squares = 0.0;
	(void)state;

	strcpy(options.orientations, "random:4000");
	strcpy(grid.orientations, "uniform:100000");
	sonde_pattern_result *truth = pattern(atoms, &grid), *bits = pattern_on(1, atoms, &options),
			     *first = pattern_on(3, atoms, &options);
	assert_memory_equal(bits->intensity, first->intensity, 30 * sizeof(double));
	assert_memory_equal(bits->standard_error, first->standard_error, 30 * sizeof(double));
	assert_int_equal(first->error_values, 4000);
	for (int64_t seed = 1; seed <= 40; ++seed) {
		options.orientation_seed = seed;
		sonde_pattern_result *result = pattern(atoms, &options);
		assert_true(seed == 1 || result->intensity[0] != first->intensity[0]);
		for (int64_t n = 0; n < 30; ++n) {
			const double deviate =
			    (result->intensity[n] - truth->intensity[n]) / result->standard_error[n];
			assert_true(fabs(deviate) < 6.0);
			squares += deviate * deviate / 1200.0;
		}
		sonde_pattern_result_free(&result);
	}
	print_message("random orientations: mean square of (I - I_all)/error %.3f\n", squares);
	/* neighboring q are correlated: about 40 seeds of several independent values */
	assert_true(squares > 0.7 && squares < 1.4);
	sonde_pattern_result_free(&truth);
	sonde_pattern_result_free(&bits);
	sonde_pattern_result_free(&first);
	sonde_atoms_free(&atoms);
}

/* A row of atoms looks the same from all sides. */
static void test_a_fiber_of_rows_is_a_row(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 7.0, 9, 8), fiber = options;
	sonde_atoms *along_x = empty_sample(), *along_y = empty_sample();
	(void)state;

	for (int k = 0; k < 12; ++k) {
		add_atom(along_x, "C", 1.4 * k, 0.0, 0.0);
		add_atom(along_y, "C", 0.0, 1.4 * k, 0.0);
	}
	strcpy(fiber.orientations, "fiber:7");
	fiber.fiber_axis = (sonde_vector){-2.0, 0.0, 0.0};
	fiber.fiber_direction = (sonde_vector){0.0, 0.1, 0.0};
	sonde_pattern_result *one = pattern(along_y, &options), *other = pattern(along_x, &fiber);
	for (int64_t n = 0; n < one->count; ++n)
		assert_within(other->intensity[n], one->intensity[n], 1e-9, "I");
	sonde_pattern_result_free(&one);
	sonde_pattern_result_free(&other);
	sonde_atoms_free(&along_x);
	sonde_atoms_free(&along_y);
}

static void test_independent_copies_add_up(void **state)
{
	static const struct copy_group groups[2] = {{2, 3}, {1, 4}};
	static const int64_t firsts[3] = {0, 3, 6}, counts[3] = {3, 3, 4};
	sonde_pattern_options options = pattern_options(0.5, 7.0, 5, 6), single = options;
	sonde_atoms *atoms = empty_sample();
	double occupancies[10];
	(void)state;

	for (int i = 0; i < 10; ++i) {
		add_atom(atoms, i % 3 == 0 ? "Co" : "O", uniform_number(3, 3 * i) * 20.0,
			 uniform_number(3, 3 * i + 1) * 20.0, uniform_number(3, 3 * i + 2) * 20.0);
		occupancies[i] = i == 4 ? 0.5 : 1.0;
	}
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	assert_int_equal(atoms_set_copies(atoms, groups, 2), SONDE_OK);
	options.copies = SONDE_PATTERN_COPIES_INDEPENDENT;
	strcpy(options.orientation, "10,20,30");
	strcpy(single.orientation, "10,20,30");
	sonde_pattern_result *sum = pattern(atoms, &options), *whole = pattern(atoms, &single);
	double *expected = calloc((size_t)sum->count, sizeof *expected), difference = 0.0;
	assert_non_null(expected);
	assert_int_equal(sum->copy_count, 3);
	for (int c = 0; c < 3; ++c) {
		sonde_atoms part = atoms_part(atoms, firsts[c], counts[c]);
		sonde_pattern_result *one = pattern(&part, &single);
		for (int64_t n = 0; n < one->count; ++n)
			expected[n] += one->intensity[n];
		sonde_pattern_result_free(&one);
	}
	for (int64_t n = 0; n < sum->count; ++n) {
		assert_close(sum->intensity[n], expected[n], 1e-13, "I");
		difference = fmax(difference, fabs(whole->intensity[n] / sum->intensity[n] - 1.0));
	}
	assert_true(difference > 0.1);
	free(expected);
	sonde_pattern_result_free(&sum);
	sonde_pattern_result_free(&whole);
	sonde_atoms_free(&atoms);
}

#define FRAMES 400
#define SIDE 3
/* Frames of a crystal whose atoms move independently: |<F>|^2 is that of atoms at rest times exp(-q^2 U), and what fluctuates
 * scatters N f^2 (1 - exp(-q^2 U)); the option `displacement` of the crystal gives the same mean. */
static void test_frames_have_the_factor_of_debye_and_waller(void **state)
{
	const double u = 0.02;
	const int count = SIDE * SIDE * SIDE;
	sonde_pattern_options options = pattern_options(1.0, 6.0, 11, 4), rest = options;
	sonde_atoms *atoms = empty_sample();
	sonde_context *context = make_context(2);
	char *text = calloc(FRAMES * 40 * (size_t)count + 4096, 1), path[4096], *to = text;
	sonde_pattern_result *result;
	double squares = 0.0, diffuse = 0.0, mean_diffuse = 0.0;
	(void)state;

	assert_non_null(text);
	for (int i = 0; i < count; ++i)
		add_atom(atoms, "C", 2.0 * (i % SIDE), 2.1 * (i / SIDE % SIDE), 2.3 * (double)(i / SIDE / SIDE));
	const double *r = sonde_atoms_positions(atoms);
	for (int64_t frame = 0; frame < FRAMES; ++frame) {
		to += sprintf(to, "%d\n\n", count);
		for (int i = 0; i < count; ++i) {
			to += sprintf(to, "C");
			for (int k = 0; k < 3; ++k)
				to +=
				    sprintf(to, " %.6f",
					    r[3 * i + k] +
						sqrt(u) * normal_number(7, (uint64_t)((frame * count + i) * 3 + k)));
			to += sprintf(to, "\n");
		}
	}
	write_file(".xyz", text, path);
	options.factors = rest.factors = SONDE_PATTERN_FACTORS_UNIT;
	options.amplitude = rest.amplitude = 1;
	strcpy(options.frames, "all");
	snprintf(rest.displacement, sizeof rest.displacement, "%g", u);
	if (sonde_pattern_run_samples(context, path, &options, &result) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	sonde_pattern_result *expected = pattern(atoms, &rest);
	assert_int_equal(result->sample_count, FRAMES);
	assert_int_equal(result->error_values, FRAMES);
	for (int64_t n = 0; n < result->count; ++n) {
		const double deviate = (result->intensity[n] - expected->intensity[n]) / result->standard_error[n];
		assert_true(fabs(deviate) < 6.0);
		squares += deviate * deviate / (double)result->count;
		const double square = result->real[n] * result->real[n] + result->imaginary[n] * result->imaginary[n],
			     q = result->axes[0][n / 4], factor = exp(-q * q * u);
		/* the mean of M frames has |<F>|^2 too large by the variance of F over M */
		diffuse += (result->intensity[n] - square) * FRAMES / (FRAMES - 1.0);
		mean_diffuse += count * (1.0 - factor);
		const double at_rest = (expected->real[n] * expected->real[n] +
					expected->imaginary[n] * expected->imaginary[n]),
			     amplitude_error = sqrt(count * (1.0 - factor) / FRAMES);
		assert_true(fabs(sqrt(square) - sqrt(at_rest)) < 6.0 * amplitude_error);
	}
	print_message("frames: mean square of (I - expected)/error %.2f; diffuse part %.3f of the expected one\n",
		      squares, diffuse / mean_diffuse);
	assert_true(squares > 0.3 && squares < 2.5);
	assert_within(diffuse / mean_diffuse, 1.0, 0.05, "the diffuse part");
	/* every second frame, from blocks */
	strcpy(options.frames, "0:400:2");
	options.error_blocks = 20;
	sonde_pattern_result *blocks;
	if (sonde_pattern_run_samples(context, path, &options, &blocks) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_int_equal(blocks->sample_count, 200);
	assert_int_equal(blocks->error_values, 20);
	double ratio = 0.0;
	for (int64_t n = 0; n < result->count; ++n)
		ratio += blocks->standard_error[n] / result->standard_error[n] / (double)result->count;
	/* half of the frames, which are independent */
	assert_within(ratio, sqrt(2.0), 0.2, "the ratio of the standard errors");
	assert_int_equal(unlink(path), 0);
	sonde_pattern_result_free(&result);
	sonde_pattern_result_free(&blocks);
	sonde_pattern_result_free(&expected);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
	free(text);
}

static void test_a_mixture_is_the_mean_of_its_components(void **state)
{
	char paths[2][4096], list[4096], text[8192 + 64];
	sonde_pattern_options options = pattern_options(0.5, 7.0, 6, 3);
	sonde_pattern_result *mean, *parts[2];
	sonde_context *context = make_context(2);
	(void)state;

	write_file(".xyz", "3\n\nAu 0 0 0\nAu 2.8 0 0\nC 0 1.5 2\n", paths[0]);
	write_file(".xyz", "2\n\nAu 0 0.4 0\nO 0 0 1.9\n", paths[1]);
	snprintf(text, sizeof text, "file,weight\n%s,1\n%s,3\n", paths[0], paths[1]);
	write_file(".csv", text, list);
	strcpy(options.orientation, "40,50,60");
	if (sonde_pattern_run_samples(context, list, &options, &mean) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	for (int k = 0; k < 2; ++k) {
		sonde_atoms *atoms;
		assert_int_equal(sonde_atoms_read(context, paths[k], 0, &atoms), SONDE_OK);
		parts[k] = pattern(atoms, &options);
		sonde_atoms_free(&atoms);
		assert_int_equal(unlink(paths[k]), 0);
	}
	assert_int_equal(unlink(list), 0);
	assert_null(mean->standard_error);
	assert_close(mean->atoms_present, 0.25 * 3.0 + 0.75 * 2.0, 1e-15, "atoms");
	for (int64_t n = 0; n < mean->count; ++n)
		assert_close(mean->intensity[n], 0.25 * parts[0]->intensity[n] + 0.75 * parts[1]->intensity[n], 1e-13,
			     "I");
	sonde_pattern_result_free(&mean);
	sonde_pattern_result_free(&parts[0]);
	sonde_pattern_result_free(&parts[1]);
	sonde_context_free(&context);
}

/* Means by the fast method, of which boxes turn their vectors, agree with those by the direct sum. */
static void test_the_fast_method_has_the_same_means(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 6.0, 24, 30);
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 9.0);
	(void)state;

	options.amplitude = 1;
	strcpy(options.orientations, "random:3");
	for (int box = 0; box < 2; ++box) {
		double worst = 0.0, top = 0.0;
		if (box) {
			options.h = (sonde_grid){-2.0, 2.0, 21};
			options.k = (sonde_grid){-1.0, 2.0, 16};
			options.u = (sonde_vector){1.2, 0.1, 0.0};
			options.v = (sonde_vector){-0.3, 1.4, 0.2};
		}
		options.method = SONDE_PATTERN_METHOD_DIRECT;
		options.tolerance = 0.0;
		sonde_pattern_result *direct = pattern(atoms, &options);
		options.method = SONDE_PATTERN_METHOD_FAST;
		options.tolerance = 1e-9;
		sonde_pattern_result *fast = pattern(atoms, &options);
		assert_int_equal(fast->options->method, SONDE_PATTERN_METHOD_FAST);
		for (int64_t n = 0; n < direct->count; ++n) {
			top = fmax(top, direct->intensity[n]);
			worst = fmax(worst, fabs(fast->intensity[n] - direct->intensity[n]));
			assert_within(fast->real[n], direct->real[n], 1e-6, "F");
			assert_within(fast->standard_error[n], direct->standard_error[n], 1e-2, "the standard error");
		}
		print_message("fast method, %s: mean wrong by %.1e of the maximum\n", box ? "plane" : "picture",
			      worst / top);
		assert_true(worst < 1e-8 * top);
		sonde_pattern_result_free(&direct);
		sonde_pattern_result_free(&fast);
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_orientations_are_uniform),
	    cmocka_unit_test(test_fibers_have_fishers_distribution),
	    cmocka_unit_test(test_the_mean_over_orientations_is_debyes_sum),
	    cmocka_unit_test(test_turning_the_sample_is_turning_its_atoms),
	    cmocka_unit_test(test_lists_have_weights),
	    cmocka_unit_test(test_random_orientations_have_standard_errors),
	    cmocka_unit_test(test_a_fiber_of_rows_is_a_row),
	    cmocka_unit_test(test_independent_copies_add_up),
	    cmocka_unit_test(test_frames_have_the_factor_of_debye_and_waller),
	    cmocka_unit_test(test_the_fast_method_has_the_same_means),
	    cmocka_unit_test(test_a_mixture_is_the_mean_of_its_components),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
