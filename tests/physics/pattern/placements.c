/* Samples by placements of copies, whose atoms are placed while they are summed: against the atoms of all copies. */
#include "physics/pattern/pictures.h"

#include "matter/atoms/placed_atoms.h"
#include "matter/generate/ensemble.h"
#include "pattern/fast/copies.h"

/* The same ensemble in both forms. */
struct pair {
	sonde_atoms *compact, *all;
};

/* A structure far from its origin, long in one direction. */
static sonde_atoms *make_rod(int count, uint64_t seed)
{
	sonde_atoms *ball = random_ball(count, 6.0, seed), *rod = empty_sample();
	const double *r = sonde_atoms_positions(ball);

	for (int i = 0; i < count; ++i)
		add_atom(rod, i % 3 == 0 ? "Fe" : "O", r[3 * i] + 20.0, 5.0 * r[3 * i + 1], r[3 * i + 2] - 7.0);
	sonde_atoms_free(&ball);
	return rod;
}

static struct pair make_pair(sonde_atoms *const *structures, int count, int64_t copies, double size)
{
	struct ensemble ensemble;
	struct pair pair;
	sonde_context *context = make_context(1);

	assert_int_equal(ensemble_begin(copies, &ensemble), SONDE_OK);
	ensemble.structure_of = malloc((size_t)copies * sizeof *ensemble.structure_of);
	assert_non_null(ensemble.structure_of);
	for (int64_t n = 0; n < copies; ++n) {
		for (int k = 0; k < 3; ++k)
			ensemble.placements[n].position[k] = size * uniform_number(7, (uint64_t)(3 * n + k));
		ensemble.structure_of[n] = (int32_t)(n % count);
	}
	ensemble_turn(5, &ensemble);
	assert_int_equal(ensemble_compact(count, structures, &ensemble, &pair.compact), SONDE_OK);
	assert_int_equal(ensemble_place_mixture(context, count, structures, &ensemble, &pair.all), SONDE_OK);
	assert_true(atoms_all(pair.compact) == sonde_atoms_count(pair.all));
	ensemble_free(&ensemble);
	sonde_context_free(&context);
	return pair;
}

static void free_pair(struct pair *pair)
{
	sonde_atoms_free(&pair->compact);
	sonde_atoms_free(&pair->all);
}

/* Rods and balls, the latter with another species. */
static struct pair make_mixture(int64_t copies, int atoms)
{
	sonde_atoms *structures[2] = {make_rod(atoms, 1), random_ball(atoms - 500, 9.0, 2)};

	add_atom(structures[1], "Au", 1.0, 2.0, 3.0);
	struct pair pair = make_pair(structures, 2, copies, 90.0);
	for (int s = 0; s < 2; ++s)
		sonde_atoms_free(&structures[s]);
	return pair;
}

/* The largest difference of I, relative to the mean of I. */
static double difference(const sonde_pattern_result *a, const sonde_pattern_result *b)
{
	double mean = 0.0, largest = 0.0;

	assert_true(a->count == b->count);
	assert_true(a->atom_count == b->atom_count);
	assert_true(a->atoms_present == b->atoms_present);
	for (int64_t n = 0; n < a->count; ++n) {
		mean += b->intensity[n] / (double)b->count;
		largest = fmax(largest, fabs(a->intensity[n] - b->intensity[n]));
		if (a->real != NULL) {
			assert_within(a->real[n], b->real[n], 1e-3 * sqrt(b->intensity[n]) + 1.0, "F");
			assert_within(a->imaginary[n], b->imaginary[n], 1e-3 * sqrt(b->intensity[n]) + 1.0, "F");
		}
	}
	return largest / mean;
}

static double compare(const struct pair *pair, const sonde_pattern_options *options, const char *what)
{
	sonde_pattern_result *compact = pattern(pair->compact, options), *all = pattern(pair->all, options);
	const double found = difference(compact, all);

	print_message("%s: %.1e of the mean intensity, errors %.1e and %.1e\n", what, found, compact->largest_error,
		      all->largest_error);
	sonde_pattern_result_free(&compact);
	sonde_pattern_result_free(&all);
	return found;
}

static void test_copies_are_those_of_all_atoms(void **state)
{
	struct pair pair = make_mixture(23, 2000);
	sonde_pattern_options options = pattern_options(0.2, 5.0, 24, 36, 0.8), box, detector;
	(void)state;

	options.amplitude = 1;
	assert_true(compare(&pair, &options, "direct sum") < 1e-12);
	options.precision = SONDE_PATTERN_PRECISION_FLOAT32;
	assert_true(compare(&pair, &options, "direct sum, float32") < 1e-4);
	options.precision = SONDE_PATTERN_PRECISION_FLOAT64;
	options.method = SONDE_PATTERN_METHOD_FAST;
	options.tolerance = 1e-9;
	assert_true(compare(&pair, &options, "fast method") < 1e-12);
	box = options;
	box.h = box.k = (sonde_grid){-2, 2, 21};
	box.l = (sonde_grid){0, 1, 3};
	box.u = (sonde_vector){0.9, 0, 0};
	box.v = (sonde_vector){0, 0.9, 0};
	box.w = (sonde_vector){0.1, 0, 0.8};
	box.wavelength = 0.0;
	assert_true(compare(&pair, &box, "fast method, a volume") < 1e-12);
	detector = options;
	strcpy(detector.detector, "30,20");
	detector.distance = 20.0;
	detector.pixel_size = 0.5;
	assert_true(compare(&pair, &detector, "fast method, a detector") < 1e-12);
	free_pair(&pair);
}

/* More atoms than are placed at a time, so that batches begin within copies. */
static void test_batches_begin_within_copies(void **state)
{
	sonde_atoms *structure = random_ball(30011, 30.0, 3);
	struct pair pair = make_pair(&structure, 1, 40, 300.0);
	sonde_pattern_options options = pattern_options(0.05, 0.3, 8, 8, 1.0);
	(void)state;

	assert_true(atoms_all(pair.compact) > COPIES_BATCH);
	options.method = SONDE_PATTERN_METHOD_FAST;
	options.tolerance = 1e-6;
	assert_true(compare(&pair, &options, "1.2 million atoms, fast method") < 1e-10);
	options.method = SONDE_PATTERN_METHOD_DIRECT;
	options.tolerance = 0.0;
	options.q.points = options.phi = 4;
	assert_true(compare(&pair, &options, "1.2 million atoms, direct sum") < 1e-11);
	sonde_atoms_free(&structure);
	free_pair(&pair);
}

static void test_means_and_labels_of_copies(void **state)
{
	struct pair pair = make_mixture(9, 800);
	sonde_pattern_options options = pattern_options(0.2, 4.0, 10, 12, 0.8), other = options;
	(void)state;

	options.copies = SONDE_PATTERN_COPIES_INDEPENDENT;
	assert_true(compare(&pair, &options, "independent copies") < 1e-12);
	strcpy(other.orientations, "random:5");
	assert_true(compare(&pair, &other, "orientations") < 1e-12);
	other.method = SONDE_PATTERN_METHOD_FAST;
	other.tolerance = 1e-9;
	assert_true(compare(&pair, &other, "orientations, fast method") < 1e-9);
	other = pattern_options(0.2, 4.0, 10, 12, 0.8);
	strcpy(other.displacement, "Fe=0.01,O=0.02,Au=0");
	assert_true(compare(&pair, &other, "displacements of labels") < 1e-12);
	strcpy(other.displacement, "");
	strcpy(other.labels, "O=0.6*O+0.4*S");
	assert_true(compare(&pair, &other, "a mixture of labels") < 1e-12);
	free_pair(&pair);
}

/* Tensors turn with their copies. */
static void test_tensors_of_copies_turn(void **state)
{
	sonde_atoms *structure = random_ball(50, 5.0, 4);
	double u[6 * 50];
	sonde_pattern_options options = pattern_options(0.2, 4.0, 10, 12, 0.8);
	(void)state;

	for (int k = 0; k < 300; ++k)
		u[k] = k % 6 < 3 ? 0.01 * (1 + k % 6) : 0.0;
	assert_int_equal(sonde_atoms_set_displacements(structure, u, 6), SONDE_OK);
	struct pair pair = make_pair(&structure, 1, 4, 30.0);
	strcpy(options.displacement, "sample");
	assert_true(compare(&pair, &options, "tensors") < 1e-12);
	sonde_atoms_free(&structure);
	free_pair(&pair);
}

static char *write_places(const char *text)
{
	static char path[256];
	const char *folder = getenv("TMPDIR");

	snprintf(path, sizeof path, "%s/sonde-places-XXXXXX", folder != NULL ? folder : "/tmp");
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return path;
}

/* F = sum over copies of exp(i q.p) F_1(R^T q); here R is a quarter turn about z for the second copy. */
static void test_places_of_a_file(void **state)
{
	sonde_atoms *structure = random_ball(60, 5.0, 8), *all = empty_sample();
	sonde_pattern_options options = pattern_options(0.2, 4.0, 10, 12, 0.8);
	const double *r = sonde_atoms_positions(structure);
	(void)state;

	append(all, structure, 1.0, 2.0, 3.0);
	for (int i = 0; i < 60; ++i)
		add_atom(all, sonde_atoms_species_label(structure, sonde_atoms_species(structure)[i]), -r[3 * i + 1],
			 r[3 * i] + 20.0, r[3 * i + 2]);
	snprintf(options.placements, sizeof options.placements, "%s",
		 write_places("y,z,x,qw,qx,qy,qz\n2,3,1,5,0,0,0\n20,0,0,0.5,0,0,0.5\n"));
	sonde_pattern_result *placed = pattern(structure, &options);
	assert_int_equal(unlink(options.placements), 0);
	options.placements[0] = '\0';
	sonde_pattern_result *expected = pattern(all, &options);
	assert_true(difference(placed, expected) < 1e-12);
	sonde_pattern_result_free(&placed);
	sonde_pattern_result_free(&expected);
	sonde_atoms_free(&structure);
	sonde_atoms_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_copies_are_those_of_all_atoms),
	    cmocka_unit_test(test_batches_begin_within_copies),
	    cmocka_unit_test(test_means_and_labels_of_copies),
	    cmocka_unit_test(test_tensors_of_copies_turn),
	    cmocka_unit_test(test_places_of_a_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
