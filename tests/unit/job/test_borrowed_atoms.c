/* Atoms whose positions are an array of the caller: the numbers are those of a copy, and the array, which cannot be written to here, is
 * neither changed nor freed. */
#include "unit/support.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sonde/sonde.h"

#define ATOMS 3000
#define BYTES (3 * ATOMS * sizeof(double))
#define EDGE 40.0 /* Angstrom, of the cell */

static const char *const labels[] = {"O", "Co"};
static int32_t species[ATOMS];
static double *positions, *as_they_were;

static sonde_context *make_context(void)
{
	sonde_context *context;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, "cpu"));
	return context;
}

/* Memory that cannot be written to afterward: a write ends the test. */
static int make_positions(void **unused)
{
	uint64_t state = 5;

	(void)unused;
	positions = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	as_they_were = malloc(BYTES);
	if (positions == MAP_FAILED || as_they_were == NULL)
		return -1;
	/* some are outside of the cell */
	for (int k = 0; k < 3 * ATOMS; ++k)
		positions[k] = EDGE * (1.2 * test_random_real(&state) - 0.1);
	for (int i = 0; i < ATOMS; ++i)
		species[i] = i % 3 == 0;
	memcpy(as_they_were, positions, BYTES);
	return mprotect(positions, BYTES, PROT_READ);
}

static int free_positions(void **unused)
{
	(void)unused;
	free(as_they_were);
	return munmap(positions, BYTES);
}

static sonde_atoms *make_atoms(bool borrowed)
{
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	assert_status(SONDE_OK, borrowed ? sonde_atoms_add_borrowed(atoms, ATOMS, labels, 2, species, positions)
					 : sonde_atoms_add_many(atoms, ATOMS, labels, 2, species, positions));
	assert_true((sonde_atoms_positions(atoms) == positions) == borrowed);
	assert_true(sonde_atoms_count(atoms) == ATOMS && sonde_atoms_on_gpu(atoms) == 0);
	assert_true(sonde_atoms_species_atoms(atoms, 0) == ATOMS / 3);
	return atoms;
}

static void set_cell(sonde_atoms *atoms)
{
	static const double edges[9] = {EDGE, 0, 0, 0, EDGE, 0, 0, 0, EDGE};
	static const int periodic[3] = {1, 1, 1};

	assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, edges, periodic));
}

static void set_properties(sonde_atoms *atoms)
{
	double numbers[ATOMS];

	for (int i = 0; i < ATOMS; ++i)
		numbers[i] = 1.0 - 0.25 * (i % 4); /* some are absent */
	assert_status(SONDE_OK, sonde_atoms_set_occupancies(atoms, numbers));
	for (int i = 0; i < ATOMS; ++i)
		numbers[i] = 0.005 + 1e-3 * species[i];
	assert_status(SONDE_OK, sonde_atoms_set_displacements(atoms, numbers, 1));
}

/* A run: an engine, and options as "NAME=TEXT NAME=TEXT". */
struct trial {
	const char *engine, *options;
	bool has_cell, has_properties;
};

static sonde_result *run(sonde_context *context, const struct trial *trial, bool borrowed)
{
	sonde_atoms *atoms = make_atoms(borrowed);
	char words[256], *left = words;
	sonde_result *result;
	void *options;

	if (trial->has_cell)
		set_cell(atoms);
	if (trial->has_properties)
		set_properties(atoms);
	assert_status(SONDE_OK, sonde_options_create(trial->engine, &options));
	strcpy(words, trial->options);
	for (char *name = strtok_r(words, " ", &left); name != NULL; name = strtok_r(NULL, " ", &left)) {
		char *equals = strchr(name, '=');
		*equals = '\0';
		assert_status(SONDE_OK, sonde_options_set(trial->engine, options, name, equals + 1));
	}
	const sonde_request request = {
	    .struct_size = sizeof request, .engine = trial->engine, .options = options, .atoms = atoms};
	if (sonde_run(context, &request, &result) != SONDE_OK)
		fail_msg("%s %s: %s", trial->engine, trial->options, sonde_status_message());
	assert_true((sonde_atoms_positions(atoms) == positions) == borrowed);
	sonde_options_free(&options);
	sonde_atoms_free(&atoms);
	return result;
}

/* All arrays of numbers but single ones, some of which are times. Returns how many there are. */
static int compare(sonde_result *one, sonde_result *other)
{
	sonde_contents a, b;
	int compared = 0;

	assert_status(SONDE_OK, sonde_result_contents(one, &a));
	assert_status(SONDE_OK, sonde_result_contents(other, &b));
	assert_true(a.dataset_count == b.dataset_count);
	for (int64_t k = 0; k < a.dataset_count; ++k) {
		const sonde_dataset *left = &a.datasets[k], *right = &b.datasets[k];
		int64_t bytes = left->size;
		assert_string_equal(left->path, right->path);
		if (left->element != SONDE_REAL || left->rank == 0)
			continue;
		assert_memory_equal(left->sizes, right->sizes, (size_t)left->rank * sizeof *left->sizes);
		for (int n = 0; n < left->rank; ++n)
			bytes *= left->sizes[n];
		assert_memory_equal(left->values, right->values, (size_t)bytes);
		++compared;
	}
	return compared;
}

static void assert_unchanged(void)
{
	assert_memory_equal(positions, as_they_were, BYTES);
}

static void test_results_are_those_of_a_copy(void **unused)
{
	static const struct trial trials[] = {
	    {"debye", "method=exact q=1:9:12", false, false},
	    {"debye", "method=histogram q=1:9:40", false, false},
	    {"debye", "method=histogram q=1:9:40 cutoff=15", true, false},
	    {"debye", "method=exact q=1:9:12 displacement=sample", false, true},
	    {"debye", "method=histogram q=1:9:40 displacement=sample cutoff=15", true, true},
	    {"debye", "method=histogram q=1:9:40 labels=Co=0.5*Co+0.5*Ni,O=18O radiation=neutron", false, false},
	    {"pattern", "method=direct wavelength=0.5 q=1:5:6 phi=5", false, false},
	    {"pattern", "method=fast wavelength=0.5 q=1:5:16 phi=16", false, false},
	    {"pattern", "wavelength=0.5 q=1:5:6 phi=5 displacement=sample", true, true},
	    {"coulomb", "method=direct charges=Co=2,O=-1 spacing=6 padding=2", false, false},
	    {"coulomb", "method=fast charges=Co=2,O=-1 spacing=6 padding=2", false, false},
	    {"coulomb", "charges=Co=2,O=-1 spacing=6 boundary=periodic", true, true},
	};
	sonde_context *context = make_context();

	(void)unused;
	for (size_t k = 0; k < COUNT(trials); ++k) {
		sonde_result *copied = run(context, &trials[k], false), *borrowed = run(context, &trials[k], true);
		assert_true(compare(copied, borrowed) > 0);
		sonde_result_free(&copied);
		sonde_result_free(&borrowed);
		assert_unchanged();
	}
	sonde_context_free(&context);
}

static void test_files_are_those_of_a_copy(void **unused)
{
	static const char *const names[] = {"a.xyz", "a.pdb", "a.cif", "a.lmp", "a.vasp"};
	sonde_atoms *copied = make_atoms(false), *borrowed = make_atoms(true), *read;

	(void)unused;
	set_cell(copied);
	set_cell(borrowed);
	for (size_t k = 0; k < COUNT(names); ++k) {
		char *texts[2];
		size_t sizes[2];
		for (int of = 0; of < 2; ++of) {
			assert_status(SONDE_OK,
				      sonde_atoms_write(NULL, of == 0 ? copied : borrowed, test_path(names[k]), 1));
			texts[of] = test_read(test_path(names[k]), &sizes[of]);
			assert_non_null(texts[of]);
		}
		assert_true(sizes[0] == sizes[1] && sizes[0] > ATOMS);
		assert_memory_equal(texts[0], texts[1], sizes[0]);
		free(texts[0]);
		free(texts[1]);
	}
	assert_status(SONDE_OK, sonde_atoms_write(NULL, borrowed, test_path("a.h5"), 1));
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("a.h5"), 0, &read));
	assert_memory_equal(sonde_atoms_positions(read), positions, BYTES);
	sonde_atoms_free(&read);
	sonde_atoms_free(&copied);
	sonde_atoms_free(&borrowed);
	assert_unchanged();
}

static void assert_begins_with_the_array(const sonde_atoms *atoms, int64_t count)
{
	assert_true(sonde_atoms_count(atoms) == count);
	assert_true(sonde_atoms_positions(atoms) != positions);
	assert_memory_equal(sonde_atoms_positions(atoms), positions, BYTES);
	assert_unchanged();
}

static void test_further_atoms_make_a_copy(void **unused)
{
	const double place[3] = {1, 2, 3}, nowhere[3] = {1, 2, NAN};
	sonde_atoms *atoms = make_atoms(true), *others = make_atoms(true);

	(void)unused;
	assert_invalid("atom 3001: coordinate", sonde_atoms_add(atoms, "Co", nowhere));
	assert_ptr_equal(sonde_atoms_positions(atoms), positions);
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "Co", place));
	assert_begins_with_the_array(atoms, ATOMS + 1);
	assert_memory_equal(sonde_atoms_positions(atoms) + 3 * ATOMS, place, sizeof place);
	/* the same array once more: there are atoms, so that it is copied */
	assert_status(SONDE_OK, sonde_atoms_add_borrowed(others, ATOMS, labels, 2, species, positions));
	assert_begins_with_the_array(others, 2 * ATOMS);
	assert_memory_equal(sonde_atoms_positions(others) + 3 * ATOMS, positions, BYTES);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&others);
	assert_unchanged();
}

static void test_refused_atoms_leave_nothing(void **unused)
{
	static const char *const wrong[] = {"O", "not a label"};
	static const int32_t unknown[] = {2};
	const double place[3] = {1, 2, 3};
	double places[6] = {0, 1, 2, 3, 4, NAN};
	sonde_atoms *atoms;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	assert_invalid("atom 2: coordinate nan", sonde_atoms_add_borrowed(atoms, 2, labels, 2, species, places));
	places[5] = -1.1e7;
	assert_invalid("atom 2: coordinate", sonde_atoms_add_borrowed(atoms, 2, labels, 2, species, places));
	places[5] = 5;
	assert_invalid("there is no label 2", sonde_atoms_add_borrowed(atoms, 1, labels, 2, unknown, places));
	assert_invalid("not a valid atom label", sonde_atoms_add_borrowed(atoms, 2, wrong, 2, species, places));
	assert_invalid("neither can be negative", sonde_atoms_add_borrowed(atoms, -1, labels, 2, species, places));
	assert_status(SONDE_OK, sonde_atoms_add_borrowed(atoms, 0, labels, 2, species, NULL));
	assert_true(sonde_atoms_count(atoms) == 0 && sonde_atoms_species_count(atoms) == 0);
	/* which has reserved memory for a position of the atoms' own */
	assert_invalid("not a valid atom label", sonde_atoms_add(atoms, "not a label", place));
	assert_status(SONDE_OK, sonde_atoms_add_borrowed(atoms, 2, labels, 2, species, places));
	assert_ptr_equal(sonde_atoms_positions(atoms), places);
	sonde_atoms_free(&atoms);
}

static const struct trial shared = {"debye", "method=histogram q=1:9:40", false, false};

static void *run_shared(void *unused)
{
	sonde_context *context = make_context();
	sonde_result *result = run(context, &shared, true);

	(void)unused;
	sonde_context_free(&context);
	return result;
}

static void test_threads_share_an_array(void **unused)
{
	pthread_t threads[2];
	void *results[2];

	(void)unused;
	for (int k = 0; k < 2; ++k)
		assert_int_equal(pthread_create(&threads[k], NULL, run_shared, NULL), 0);
	for (int k = 0; k < 2; ++k)
		assert_int_equal(pthread_join(threads[k], &results[k]), 0);
	sonde_result *one = results[0], *other = results[1];
	assert_true(compare(one, other) > 0);
	sonde_result_free(&one);
	sonde_result_free(&other);
	assert_unchanged();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_results_are_those_of_a_copy), cmocka_unit_test(test_files_are_those_of_a_copy),
	    cmocka_unit_test(test_further_atoms_make_a_copy),   cmocka_unit_test(test_refused_atoms_leave_nothing),
	    cmocka_unit_test(test_threads_share_an_array),
	};

	return cmocka_run_group_tests(tests, make_positions, free_positions);
}
