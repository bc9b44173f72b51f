/* Slabs and rods: images along the periodic edges only, and the mean density across them, compared with sums over many
 * images with integrals of their own, with the rods of infinite lattices, and with other descriptions of the same sample. */
#include "physics/physics.h"

#include <stdbool.h>

#include "debye/motion/bessel.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define BALL SONDE_DEBYE_DAMPING_BALL
#define LORCH SONDE_DEBYE_DAMPING_LORCH
#define NONE SONDE_DEBYE_DAMPING_NONE
#define ATOMS 5
#define POINTS 12

static const double edges[3][3] = {{4.1, 0.3, 0.2}, {-0.8, 4.6, 0.1}, {0.4, -0.2, 5.3}};
static const double places[ATOMS][3] = {
    {0.3, 0.2, 31.0}, {1.9, 2.2, 33.7}, {3.0, 0.9, 29.2}, {1.1, 3.9, 35.0}, {2.2, 4.0, 30.8}};
static const char *const labels[ATOMS] = {"Co", "O", "O", "Co", "O"};

/* Its cell repeats along two or one of its edges; `turn` moves the others in front. */
static sonde_atoms *sample(const int periodic[3], int turn)
{
	sonde_atoms *atoms = empty_sample();
	double cell[9];
	int along[3];

	for (int i = 0; i < ATOMS; ++i)
		add_atom(atoms, labels[i], places[i][0], places[i][1], places[i][2]);
	for (int k = 0; k < 3; ++k) {
		memcpy(cell + 3 * ((k + turn) % 3), edges[k], sizeof edges[k]);
		along[(k + turn) % 3] = periodic[k];
	}
	assert_int_equal(sonde_atoms_set_cell(atoms, cell, along), SONDE_OK);
	return atoms;
}

static sonde_debye_options with_cutoff(int method, int damping, double cutoff)
{
	sonde_debye_options options = options_of(method, SONDE_DEBYE_FACTORS_UNIT, 0.3, 14.0, POINTS);

	options.damping = damping;
	options.cutoff = cutoff;
	return options;
}

/* The definition ------------------------------------------------------------------------------------------------ */

static double sinc(double x)
{
	return x == 0.0 ? 1.0 : sin(x) / x;
}

static double weight(int damping, double r, double cutoff)
{
	const double x = r / cutoff;

	return x >= 1.0           ? 0.0
	       : damping == BALL  ? 1.0 - 1.5 * x + 0.5 * x * x * x
	       : damping == LORCH ? sinc(PI * x)
				  : 1.0;
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* int m(r) (1 - w(r)) sin(qr)/(qr) dr of a slab with the area, or a rod with the length, by Simpson's rule over the distance u along
 * the periodic directions. */
static double beyond(bool slab, double content, double s, double q, int damping, double cutoff)
{
	const double end = s < cutoff ? sqrt(cutoff * cutoff - s * s) : 0.0;
	const int steps = 20000;
	double sum = 0.0;

	for (int k = 0; k <= steps && end > 0.0; ++k) {
		const double u = end * k / steps, r = sqrt(s * s + u * u),
			     /* inside of the last point, where w of `none` is 1 */
		    inside = fmin(r, cutoff * (1.0 - 1e-15)),
			     simpson = (k == 0 || k == steps ? 1.0
					: k % 2 == 1         ? 4.0
							     : 2.0) *
				       end / (3.0 * steps);
		sum +=
		    simpson * (slab ? 2.0 * PI * u : 2.0) / content * weight(damping, inside, cutoff) * sinc(q * r);
	}
	return (slab ? 2.0 * PI * cos(q * s) / (q * q) : PI * j0(q * s) / q) / content - sum;
}

/* I/N of the sample by all images within 12 cells. */
static double direct(const int periodic[3], double q, int damping, double cutoff)
{
	const bool slab = periodic[0] + periodic[1] + periodic[2] == 2;
	const double *a = periodic[0] ? edges[0] : edges[1], *b = periodic[2] ? edges[2] : edges[1];
	const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
	const double content = slab ? sqrt(dot(normal, normal)) : sqrt(dot(b, b));
	double sum = 0.0;

	for (int i = 0; i < ATOMS; ++i)
		for (int j = 0; j < ATOMS; ++j) {
			const double d[3] = {places[j][0] - places[i][0], places[j][1] - places[i][1],
					     places[j][2] - places[i][2]};
			const double along = slab ? dot(d, normal) / content : dot(d, b) / content;
			const double s = slab ? fabs(along) : sqrt(fmax(0.0, dot(d, d) - along * along));
			for (int n = slab ? -12 : 0; n <= (slab ? 12 : 0); ++n)
				for (int m = -12; m <= 12; ++m) {
					double r[3];
					for (int k = 0; k < 3; ++k)
						r[k] = d[k] + n * a[k] + m * b[k];
					const double length = sqrt(dot(r, r));
					sum +=
					    length > 0.0 ? weight(damping, length, cutoff) * sinc(q * length) : 1.0;
				}
			sum += beyond(slab, content, s, q, damping, cutoff);
		}
	return sum / ATOMS;
}

static const int slab_edges[3] = {1, 1, 0}, rod_edges[3] = {0, 0, 1};

static void check_definition(const char *what, const int periodic[3])
{
	static const int methods[] = {EXACT, HISTOGRAM, REFERENCE}, dampings[] = {BALL, LORCH, NONE};
	const double cutoff = 24.0007;

	for (int d = 0; d < 3; ++d) {
		double truth[POINTS];
		sonde_atoms *atoms = sample(periodic, 0);
		for (int m = 0; m < 3; ++m) {
			const sonde_debye_options options = with_cutoff(methods[m], dampings[d], cutoff);
			sonde_debye_result *result = run(atoms, &options);
			for (int k = 0; k < POINTS && m == 0; ++k)
				/* distances end slightly before the cut-off, where w of `none` is 1 */
				truth[k] = direct(periodic, result->q[k], dampings[d],
						  dampings[d] == NONE ? cutoff - 1e-5 : cutoff);
			double largest = 0.0;
			for (int k = 0; k < POINTS; ++k)
				largest = fmax(largest, fabs(result->intensity_per_atom[k] - truth[k]) /
							    result->error_estimate[k]);
			print_message("%s, damping %d, method %d: largest error %.2g of the estimate\n", what,
				      dampings[d], methods[m], largest);
			assert_true(largest < 1.0);
			sonde_debye_result_free(&result);
		}
		sonde_atoms_free(&atoms);
	}
}

static void test_slab_is_that_of_its_definition(void **state)
{
	(void)state;
	check_definition("slab", slab_edges);
}

static void test_rod_is_that_of_its_definition(void **state)
{
	(void)state;
	check_definition("rod", rod_edges);
}

/* Infinite lattices --------------------------------------------------------------------------------------------- */

#define SPACING 3.0

/* A square lattice or a chain of single atoms. */
static sonde_debye_result *run_simple(bool slab, double cutoff, int method, double first, double last)
{
	const double cell[9] = {SPACING, 0, 0, 0, slab ? SPACING : 20.0, 0, 0, 0, 20};
	const int along[3] = {1, slab, 0};
	sonde_debye_options options = options_of(method, SONDE_DEBYE_FACTORS_UNIT, first, last, 60);
	sonde_atoms *atoms = empty_sample();

	add_atom(atoms, "Ar", 0.4, 0.7, -3.0);
	assert_int_equal(sonde_atoms_set_cell(atoms, cell, along), SONDE_OK);
	options.cutoff = cutoff;
	sonde_debye_result *result = run(atoms, &options);
	sonde_atoms_free(&atoms);
	return result;
}

/* Averaged over directions, a line of reciprocal space at G scatters 2 pi/(A q sqrt(q^2 - G^2)), a plane pi/(c q). */
static double infinite(bool slab, double q)
{
	double sum = 0.0;

	for (int h = -20; h <= 20; ++h)
		for (int k = slab ? -20 : 0; k <= (slab ? 20 : 0); ++k) {
			const double g2 = (h * h + k * k) * 4.0 * PI * PI / (SPACING * SPACING);
			if (g2 < q * q)
				sum +=
				    slab ? 2.0 * PI / (SPACING * SPACING * q * sqrt(q * q - g2)) : PI / (SPACING * q);
		}
	return sum;
}

/* Between the edges of lines and planes, the deviation falls in proportion to 1/cutoff. */
static void test_lattices_converge(void **state)
{
	(void)state;
	for (int slab = 0; slab < 2; ++slab) {
		double largest[2] = {0.0, 0.0};
		for (int n = 0; n < 2; ++n) {
			sonde_debye_result *result = run_simple(slab, n == 0 ? 60.0 : 480.0, HISTOGRAM, 0.05, 1.6);
			for (int64_t k = 0; k < result->q_count; ++k)
				largest[n] = fmax(largest[n],
						  fabs(result->intensity_per_atom[k] - infinite(slab, result->q[k])));
			sonde_debye_result_free(&result);
			result = run_simple(slab, n == 0 ? 60.0 : 480.0, HISTOGRAM, 2.4, 2.7);
			for (int64_t k = 0; k < result->q_count; ++k)
				assert_within(result->intensity_per_atom[k], infinite(slab, result->q[k]),
					      (n == 0 ? 0.09 : 0.011) * infinite(slab, result->q[k]),
					      "above the first");
			sonde_debye_result_free(&result);
		}
		print_message("%s: largest deviation %.3g with 60 Angstrom, %.3g with 480\n", slab ? "slab" : "rod",
			      largest[0], largest[1]);
		assert_true(largest[0] < 0.1 && largest[1] < 0.14 * largest[0]);
	}
}

/* Other descriptions -------------------------------------------------------------------------------------------- */

static void check_same(const char *what, const sonde_debye_result *result, const sonde_debye_result *truth)
{
	for (int64_t k = 0; k < truth->q_count; ++k) {
		assert_within(result->intensity_per_atom[k], truth->intensity_per_atom[k],
			      1e-7 * (1.0 + truth->intensity_per_atom[k]), what);
		for (int64_t p = 0; p < truth->pair_count; ++p)
			assert_within(result->partial_intensity[p * truth->q_count + k],
				      truth->partial_intensity[p * truth->q_count + k],
				      1e-7 * (1.0 + truth->intensity_per_atom[k]), what);
	}
}

/* The same cell with its edges in another order, and four cells of it; with one step along a periodic edge too far. */
static void test_description_of_cell_does_not_matter(void **state)
{
	(void)state;
	for (int n = 0; n < 2; ++n) {
		const int *periodic = n == 0 ? slab_edges : rod_edges;
		const int other = n == 0 ? 0 : 2;
		const sonde_debye_options options = with_cutoff(HISTOGRAM, BALL, 25.0);
		sonde_atoms *atoms = sample(periodic, 0), *turned = sample(periodic, 1), *twice = empty_sample();
		sonde_debye_result *truth = run(atoms, &options), *result = run(turned, &options);
		double cell[9];
		check_same("another order", result, truth);
		sonde_debye_result_free(&result);
		for (int i = 0; i < 2 * ATOMS; ++i) {
			const double *r = places[i / 2], *edge = edges[other];
			const double f = i % 2 == 0 ? 0.0 : 3.0;
			add_atom(twice, labels[i / 2], r[0] + f * edge[0], r[1] + f * edge[1], r[2] + f * edge[2]);
		}
		for (int k = 0; k < 3; ++k)
			for (int m = 0; m < 3; ++m)
				cell[3 * k + m] = edges[k][m] * (k == other ? 2.0 : 1.0);
		assert_int_equal(sonde_atoms_set_cell(twice, cell, periodic), SONDE_OK);
		result = run(twice, &options);
		check_same("two cells", result, truth);
		sonde_debye_result_free(&result);
		sonde_debye_result_free(&truth);
		sonde_atoms_free(&atoms);
		sonde_atoms_free(&turned);
		sonde_atoms_free(&twice);
	}
}

static void test_damping_by_a_ball_is_never_negative(void **state)
{
	(void)state;
	for (int n = 0; n < 2; ++n) {
		sonde_atoms *atoms = sample(n == 0 ? slab_edges : rod_edges, 0);
		sonde_debye_options options = with_cutoff(HISTOGRAM, BALL, 20.0);
		options.q = (sonde_grid){0.02, 20.0, 1500};
		sonde_debye_result *result = run(atoms, &options);
		for (int64_t k = 0; k < result->q_count; ++k)
			assert_true(result->intensity_per_atom[k] >= -1e-6);
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

/* Any number of threads, the kernels for GPUs, and any order of the atoms. */
static void test_bits_do_not_depend_on_the_device(void **state)
{
	(void)state;
	for (int n = 0; n < 2; ++n) {
		const int *periodic = n == 0 ? slab_edges : rod_edges;
		sonde_debye_options options = with_cutoff(HISTOGRAM, BALL, 17.3);
		sonde_atoms *atoms = sample(periodic, 0), *reversed = empty_sample();
		for (int i = ATOMS; i-- > 0;)
			add_atom(reversed, labels[i], places[i][0], places[i][1], places[i][2]);
		assert_int_equal(sonde_atoms_set_cell(reversed, sonde_atoms_cell(atoms), periodic), SONDE_OK);
		options.r = (sonde_grid){0.5, 15.0, 100};
		sonde_debye_result *one = run_on(1, atoms, &options), *three = run_on(3, reversed, &options),
				   *emulated = run_on_device("emulated", atoms, &options);
		assert_true(same_bits(one, three));
		assert_true(emulated != NULL && same_bits(one, emulated));
		sonde_debye_result_free(&one);
		sonde_debye_result_free(&three);
		sonde_debye_result_free(&emulated);
		sonde_atoms_free(&atoms);
		sonde_atoms_free(&reversed);
	}
}

/* Means of amplitudes: the line through the origin has all layers, with the Debye-Waller factor of each atom. */
static void test_small_angles_are_those_of_the_profile(void **state)
{
	sonde_atoms *atoms = sample(slab_edges, 0);
	sonde_debye_options options = with_cutoff(HISTOGRAM, BALL, 150.0);
	const double normal[3] = {edges[0][1] * edges[1][2] - edges[0][2] * edges[1][1],
				  edges[0][2] * edges[1][0] - edges[0][0] * edges[1][2],
				  edges[0][0] * edges[1][1] - edges[0][1] * edges[1][0]};
	const double area = sqrt(dot(normal, normal));
	(void)state;

	options.q = (sonde_grid){0.1, 1.2, 23}; /* the first other line is at 1.37 */
	snprintf(options.displacement, sizeof options.displacement, "Co=0.05,O=0.2");
	sonde_debye_result *result = run(atoms, &options);
	for (int64_t k = 0; k < result->q_count; ++k) {
		const double q = result->q[k];
		double real = 0.0, imaginary = 0.0, diffuse = 0.0;
		for (int i = 0; i < ATOMS; ++i) {
			const double z = dot(places[i], normal) / area, u = labels[i][0] == 'C' ? 0.05 : 0.2,
				     factor = exp(-0.5 * q * q * u);
			real += factor * cos(q * z);
			imaginary += factor * sin(q * z);
			diffuse += 1.0 - factor * factor;
		}
		const double truth =
		    (2.0 * PI / (area * q * q) * (real * real + imaginary * imaginary) + diffuse) / ATOMS;
		assert_within(result->intensity_per_atom[k], truth, 0.05 + 0.001 * truth, "profile");
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* Neighbors of a square lattice, and of a chain; there is no density, and no g(r). */
static void test_counts_are_those_of_the_infinite_sample(void **state)
{
	(void)state;
	for (int slab = 0; slab < 2; ++slab) {
		const double cell[9] = {SPACING, 0, 0, 0, slab ? SPACING : 20.0, 0, 0, 0, 20};
		const int along[3] = {1, slab, 0};
		sonde_debye_options options = options_of(HISTOGRAM, SONDE_DEBYE_FACTORS_UNIT, 0.1, 10.0, 20);
		sonde_atoms *atoms = empty_sample();
		add_atom(atoms, "Ar", 0.4, 0.7, -3.0);
		assert_int_equal(sonde_atoms_set_cell(atoms, cell, along), SONDE_OK);
		options.cutoff = 20.0;
		options.counts = true;
		options.r = (sonde_grid){0.0, 10.0, 101};
		sonde_debye_result *result = run(atoms, &options);
		assert_null(result->pair_correlation);
		assert_within(result->running_coordination[35], slab ? 4.0 : 2.0, 1e-12, "first neighbors");
		assert_within(result->running_coordination[50], slab ? 8.0 : 2.0, 1e-12, "second neighbors");
		assert_within(result->running_coordination[65], slab ? 12.0 : 4.0, 1e-12, "third neighbors");
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

static void test_bessel_function(void **state)
{
	struct bessel_table *table = NULL;
	(void)state;

	assert_int_equal(bessel_table_create(1000.0, &table), SONDE_OK);
	for (int n = 0; n < 40000; ++n) {
		const double x = n < 20000 ? 0.003 * n : 0.05 * n;
		/* the C library's loses digits in the phase of large x */
		assert_within(bessel_j0(x), j0(x), 3e-15 + 2e-16 * sqrt(x), "J_0");
		assert_within(bessel_table_j0(table, x), j0(x), 1e-13, "J_0 by the table");
	}
	bessel_table_free(&table);
}

/* Many atoms, whose distances across share bins, and a cut-off below all distances across, so that only the integrals to infinity
 * remain, and of an atom with its own images what lies below. */
static void test_many_atoms(void **state)
{
	const double cell[9] = {20.0, 0, 0, 0, 20.0, 0, 0, 0, 20.0};
	static double r[1444][2];
	(void)state;

	for (int slab = 0; slab < 2; ++slab) {
		const int along[3] = {slab, slab, !slab}, count = slab ? 400 : 1444;
		const double content = slab ? 400.0 : 20.0;
		sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_UNIT, 0.5, 20.0, 5);
		sonde_atoms *atoms = empty_sample();
		for (int i = 0; i < count; ++i) {
			const double x = 0.5 * uniform_number(5, (uint64_t)(3 * i)),
				     y = 0.5 * uniform_number(5, (uint64_t)(3 * i + 1)),
				     along_it = 20.0 * uniform_number(5, (uint64_t)(3 * i + 2));
			r[i][0] = 1.6 * (slab ? i : i % 38) + x;
			r[i][1] = slab ? 0.0 : 1.6 * (i / 38) + y;
			if (slab)
				add_atom(atoms, "Ar", along_it, 20.0 * y, r[i][0]);
			else
				add_atom(atoms, "Ar", r[i][0], r[i][1], along_it);
		}
		assert_int_equal(sonde_atoms_set_cell(atoms, cell, along), SONDE_OK);
		options.cutoff = 1.0;
		options.damping = BALL;
		sonde_debye_result *result = run(atoms, &options);
		for (int64_t k = 0; k < result->q_count; ++k) {
			const double q = result->q[k];
			double sum = 0.5 * count;
			for (int i = 0; i < count; ++i)
				for (int j = 0; j < i; ++j) {
					const double s = hypot(r[i][0] - r[j][0], r[i][1] - r[j][1]);
					sum += slab ? cos(q * s) : j0(q * s);
				}
			const double full = (slab ? 2.0 * PI / (q * q) : PI / q) / content,
				     truth = 1.0 + 2.0 * sum / count * full +
					     beyond(slab, content, 0.0, q, BALL, 1.0) - full;
			assert_within(result->intensity_per_atom[k], truth, result->error_estimate[k], "many atoms");
		}
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

/* Two layers of single atoms far apart. The coordinates of the thickest slabs are too long for the histogram. */
static sonde_status run_layers(double thickness, int method, double last, sonde_debye_result **result)
{
	const double cell[9] = {SPACING, 0, 0, 0, SPACING, 0, 0, 0, 1e6};
	const int along[3] = {1, 1, 0};
	sonde_debye_options options = options_of(method, SONDE_DEBYE_FACTORS_UNIT, 0.1, last, 20);
	sonde_context *context = make_context(1);
	sonde_atoms *atoms = empty_sample();

	add_atom(atoms, "Ar", 0.4, 0.7, 0.0);
	add_atom(atoms, "Ar", 1.4, 0.7, thickness);
	assert_int_equal(sonde_atoms_set_cell(atoms, cell, along), SONDE_OK);
	options.cutoff = 30.0;
	const sonde_status status = sonde_debye_run(context, atoms, &options, result);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	return status;
}

static void test_thick_slabs(void **state)
{
	sonde_debye_result *result, *reference;
	(void)state;

	assert_int_equal(run_layers(6.35e5, SONDE_DEBYE_METHOD_AUTO, 1.0, &result), SONDE_OK);
	assert_int_equal(result->options->method, EXACT);
	assert_int_equal(run_layers(6.35e5, REFERENCE, 1.0, &reference), SONDE_OK);
	check_against("a thick slab", result, reference, 1e-7, 1e-7);
	sonde_debye_result_free(&result);
	sonde_debye_result_free(&reference);

	assert_int_equal(run_layers(6.35e5, HISTOGRAM, 1.0, &result), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "bins of at least 0.0021 Angstrom"));
	for (int method = SONDE_DEBYE_METHOD_AUTO; method <= REFERENCE; ++method) {
		if (method == SONDE_DEBYE_METHOD_LATTICE)
			continue;
		assert_int_equal(run_layers(6.35e5, method, 2.0, &result), SONDE_INVALID);
		assert_non_null(strstr(sonde_status_message(), "end at 1 at most"));
		assert_int_equal(run_layers(9e5, method, 0.2, &result), SONDE_INVALID);
		assert_non_null(strstr(sonde_status_message(), "at most 6.4e+05 are possible"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_slab_is_that_of_its_definition),
	    cmocka_unit_test(test_rod_is_that_of_its_definition),
	    cmocka_unit_test(test_lattices_converge),
	    cmocka_unit_test(test_description_of_cell_does_not_matter),
	    cmocka_unit_test(test_damping_by_a_ball_is_never_negative),
	    cmocka_unit_test(test_bits_do_not_depend_on_the_device),
	    cmocka_unit_test(test_small_angles_are_those_of_the_profile),
	    cmocka_unit_test(test_counts_are_those_of_the_infinite_sample),
	    cmocka_unit_test(test_bessel_function),
	    cmocka_unit_test(test_many_atoms),
	    cmocka_unit_test(test_thick_slabs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
