/* The sums of the check of patterns (pattern/exact_sums.h) against the reference, which has sine and cosine of the C library, and their
 * bits by each instruction set of this machine and for each number of threads. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "pattern/exact_sums.h"

#define POINTS 5
#define CLASSES 40
#define EDGE 400.0      /* of random samples, Angstrom */
#define OFFSET 3000.0   /* from the origin */
#define LARGEST_Q 30.0  /* with phases of up to 1e5 */
#define CONSTANT 4.2618 /* of crystals */
#define CELLS 12
#define TURN 6.28318530717958647693

struct made_sample {
	struct pattern_sample sample;
	struct species species[CLASSES];
	struct pattern_class classes[CLASSES];
	struct placement *placements;
};

/* `count` atoms of `classes` classes, in no order, half of which are displaced. */
static void begin_sample(int64_t count, int classes, struct made_sample *of)
{
	uint64_t state = 5;

	memset(of, 0, sizeof *of);
	of->sample.count = of->sample.view.count = count;
	of->sample.view.positions = calloc(3 * (size_t)count, sizeof(double));
	of->sample.view.species_of = calloc((size_t)count, sizeof(uint16_t));
	assert_true(of->sample.view.positions != NULL && of->sample.view.species_of != NULL);
	of->sample.view.species = of->species;
	of->sample.view.species_count = of->sample.class_count = classes;
	of->sample.classes = of->classes;
	for (int c = 0; c < classes; ++c)
		of->classes[c] =
		    (struct pattern_class){.occupancy = 1.0 - 0.01 * c,
					   .u = {1e-4 * c, 2e-4 * c, 1e-4 * c, 0.0, 5e-5 * c, 0.0},
					   .anisotropic = c % 2 != 0,
					   .scatterer = {.c = c % 3 == 0 ? -4.0 : 7.0 + c, .c_imaginary = 0.5 * c}};
	for (int64_t i = 0; i < count; ++i) {
		const int c = (int)(test_random(&state) % (uint64_t)classes);
		of->sample.view.species_of[i] = (uint16_t)c;
		++of->species[c].atoms;
	}
}

static void free_sample(struct made_sample *of)
{
	free(of->sample.view.positions);
	free(of->sample.view.species_of);
	free(of->placements);
}

static void set_extent(struct made_sample *of, double offset, double reach)
{
	for (int k = 0; k < 3; ++k)
		of->sample.center[k] = k == 1 ? -offset : offset;
	of->sample.reach = reach;
}

static void make_random(int64_t count, int classes, double offset, struct made_sample *of)
{
	uint64_t state = 11;

	begin_sample(count, classes, of);
	set_extent(of, offset, EDGE);
	for (int64_t i = 0; i < 3 * count; ++i)
		of->sample.view.positions[i] = of->sample.center[i % 3] + EDGE * (test_random_real(&state) - 0.5);
}

/* A simple cubic one. */
static void make_crystal(int classes, struct made_sample *of)
{
	begin_sample(CELLS * CELLS * CELLS, classes, of);
	set_extent(of, OFFSET + 0.37, 2.0 * CONSTANT * CELLS);
	for (int64_t i = 0; i < of->sample.count; ++i) {
		const int64_t at[3] = {i % CELLS, i / CELLS % CELLS, i / CELLS / CELLS};
		for (int k = 0; k < 3; ++k)
			of->sample.view.positions[3 * i + k] = of->sample.center[k] + CONSTANT * (double)at[k];
	}
}

/* Copies of structures of 300 and 5 atoms, turned about z, of which some begin and end within a block. */
static void make_copies(struct made_sample *of)
{
	static const int64_t atoms[] = {300, 5}, copies[] = {11, 37};
	struct pattern_copies *all = &of->sample.copies;
	uint64_t state = 23;

	make_random(atoms[0] + atoms[1], 3, 0.0, of);
	of->placements = calloc((size_t)(copies[0] + copies[1]), sizeof *of->placements);
	assert_non_null(of->placements);
	all->placements = of->placements;
	all->count = 2;
	all->groups[0] = (struct pattern_copies_of){0, atoms[0], copies[0], 0, 0};
	all->groups[1] = (struct pattern_copies_of){atoms[0], atoms[1], copies[1], copies[0], atoms[0] * copies[0]};
	of->sample.count = atoms[0] * copies[0] + atoms[1] * copies[1];
	for (int c = 0; c < 3; ++c)
		of->species[c].atoms = 0;
	for (int64_t i = 0; i < of->sample.view.count; ++i)
		of->species[of->sample.view.species_of[i]].atoms += copies[i < atoms[0] ? 0 : 1];
	for (int64_t n = 0; n < copies[0] + copies[1]; ++n) {
		const double angle = TURN * test_random_real(&state), c = cos(angle), s = sin(angle);
		of->placements[n] = (struct placement){.position = {OFFSET * test_random_real(&state),
								    OFFSET * test_random_real(&state),
								    -OFFSET * test_random_real(&state)},
						       .rotation = {{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
	}
	set_extent(of, 0.5 * OFFSET, OFFSET + 2.0 * EDGE);
}

static void set_q(struct exact_point *point)
{
	const double *q = point->vector;

	point->q = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
}

static void random_points(struct exact_point points[POINTS])
{
	uint64_t state = 3;

	for (int p = 0; p < POINTS; ++p) {
		for (int k = 0; k < 3; ++k)
			points[p].vector[k] = LARGEST_Q * (2.0 * test_random_real(&state) - 1.0) / sqrt(3.0);
		set_q(&points[p]);
	}
}

/* Of a crystal: the origin, peaks, half of the way between two, and another point. */
static void points_of_lattice(struct exact_point points[POINTS])
{
	static const double hkl[POINTS][3] = {
	    {0.0, 0.0, 0.0}, {1.0, 2.0, 0.0}, {11.0, -9.0, 7.0}, {10.5, 3.0, -9.0}, {0.23, 10.25, 3.77}};

	for (int p = 0; p < POINTS; ++p) {
		for (int k = 0; k < 3; ++k)
			points[p].vector[k] = TURN / CONSTANT * hkl[p][k];
		set_q(&points[p]);
	}
}

/* The distance from the reference in units of 1e-16 (sqrt(sum |f|^2) + |F|): where all atoms are in phase, so are their roundings. */
static double distance(const struct pattern_sample *sample, const struct exact_point *found)
{
	double real, imaginary, squares;

	pattern_reference(NULL, sample, found->vector, found->q, &real, &imaginary, &squares);
	assert_close(found->squares, squares, 1e-15, "the sum of |f|^2");
	return 1e16 * hypot(found->real - real, found->imaginary - imaginary) /
	       (sqrt(squares) + hypot(real, imaginary));
}

static void find_with(const char *isa, int threads, const struct pattern_sample *sample,
		      struct exact_point points[POINTS])
{
	if (isa != NULL)
		setenv("SONDE_ISA", isa, 1);
	const sonde_status status = pattern_exact_sums(NULL, sample, threads, points, POINTS);
	unsetenv("SONDE_ISA");
	assert_status(SONDE_OK, status);
}

/* By each instruction set, and by one thread, two, and three: the same bits. */
static void compare_bits(const struct pattern_sample *sample, const struct exact_point expected[POINTS])
{
	static const char *const wanted[] = {"sse2", "avx2", "avx512", NULL};
	struct exact_point points[POINTS];

	for (size_t k = 0; k < COUNT(wanted); ++k)
		for (int threads = 1; threads <= 3; ++threads) {
			memcpy(points, expected, sizeof points);
			for (int p = 0; p < POINTS; ++p)
				points[p].real = points[p].imaginary = points[p].squares = NAN;
			if (wanted[k] != NULL) {
				const char *names[DEVICE_MOST_INSTRUCTION_SETS], *used;
				setenv("SONDE_ISA", wanted[k], 1);
				device_instruction_sets(names, &used);
				unsetenv("SONDE_ISA");
				if (used == NULL) {
					print_message("no %s here\n", wanted[k]);
					break;
				}
			}
			find_with(wanted[k], threads, sample, points);
			for (int p = 0; p < POINTS; ++p)
				assert_true(points[p].real == expected[p].real &&
					    points[p].imaginary == expected[p].imaginary &&
					    points[p].squares == expected[p].squares);
		}
}

static void check(const char *what, struct made_sample *of, struct exact_point points[POINTS], double most)
{
	double largest = 0.0;

	find_with(NULL, 2, &of->sample, points);
	for (int p = 0; p < POINTS; ++p)
		largest = fmax(largest, distance(&of->sample, &points[p]));
	print_message("%s: %.2g e-16\n", what, largest);
	assert_true(largest <= most);
	compare_bits(&of->sample, points);
	free_sample(of);
}

static void test_random_atoms_far_from_the_origin(void **state)
{
	static const int classes[] = {1, 3, CLASSES};
	struct exact_point points[POINTS] = {{.q = 0.0}};
	struct made_sample of;
	(void)state;

	for (size_t k = 0; k < COUNT(classes); ++k) {
		make_random(3000, classes[k], OFFSET, &of);
		random_points(points);
		check("random atoms", &of, points, 2.0);
	}
}

static void test_crystals_at_peaks_and_between_them(void **state)
{
	static const int classes[] = {1, 3};
	struct exact_point points[POINTS] = {{.q = 0.0}};
	struct made_sample of;
	(void)state;

	for (size_t k = 0; k < COUNT(classes); ++k) {
		make_crystal(classes[k], &of);
		points_of_lattice(points);
		check("a crystal", &of, points, 2.0);
	}
}

static void test_copies_by_placements(void **state)
{
	struct exact_point points[POINTS] = {{.q = 0.0}};
	struct made_sample of;
	(void)state;

	make_copies(&of);
	random_points(points);
	check("copies", &of, points, 2.0);
}

/* Rows, blocks, and units of blocks that are not full. */
static void test_numbers_of_atoms(void **state)
{
	static const int64_t counts[] = {1, 7, 8, 9, 511, 512, 513, 525000};
	struct exact_point points[POINTS] = {{.q = 0.0}};
	struct made_sample of;
	(void)state;

	for (size_t k = 0; k < COUNT(counts); ++k) {
		make_random(counts[k], 3, OFFSET, &of);
		random_points(points);
		check("numbers of atoms", &of, points, 2.0);
	}
}

/* Where the reduction of the phases is not exact, points are those of the reference, to the last bit; others are not. */
static void test_phases_beyond_the_reduction(void **state)
{
	struct exact_point points[POINTS] = {{.q = 0.0}};
	struct made_sample of;
	double real, imaginary, squares;
	(void)state;

	make_random(100, 3, 1e8, &of);
	random_points(points);
	for (int k = 0; k < 3; ++k)
		points[0].vector[k] *= 1e-3;
	set_q(&points[0]);
	find_with(NULL, 2, &of.sample, points);
	assert_false(points[0].far);
	assert_true(distance(&of.sample, &points[0]) <= 2.0);
	for (int p = 1; p < POINTS; ++p) {
		assert_true(points[p].far);
		pattern_reference(NULL, &of.sample, points[p].vector, points[p].q, &real, &imaginary, &squares);
		assert_true(points[p].real == real && points[p].imaginary == imaginary);
	}
	free_sample(&of);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random_atoms_far_from_the_origin),
	    cmocka_unit_test(test_crystals_at_peaks_and_between_them), cmocka_unit_test(test_copies_by_placements),
	    cmocka_unit_test(test_numbers_of_atoms), cmocka_unit_test(test_phases_beyond_the_reduction)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
