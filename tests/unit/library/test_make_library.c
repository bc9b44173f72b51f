/* Libraries of computed patterns: made, extended, stopped and continued. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/support.h"
#include "library/make.h"
#include "sonde/sonde.h"

#define HEAD "curves: [I_per_atom, S, F, G]\ncoordinates: true\ndebye: {q: 0.5:20:60, r: 1:5:9}\nstructures:\n"
#define BALLS(radii)                                                                           \
	"  - family: balls\n    name: ball ${r}\n    size: ${r}\n    vary: {r: [" radii "]}\n" \
	"    build: {cell: fcc, species: Au, a: 4.08, sphere: \"${r}\"}\n"

static sonde_context *context;

static struct library_spec *read_spec(const char *text)
{
	struct library_spec *spec;

	assert_status(SONDE_OK, library_spec_read(test_write_text("spec.yaml", text), 100, &spec));
	return spec;
}

static struct library_outcome make(const char *text, const char *path)
{
	const struct library_settings settings = {.path = path, .at_once = 2, .period = 1e-9};
	struct library_spec *spec = read_spec(text);
	struct library_outcome outcome;

	assert_status(SONDE_OK, library_make(context, spec, &settings, &outcome));
	library_spec_free(&spec);
	return outcome;
}

/* Candidate `number` is what debye computes of the structure. */
static void test_values(void **state)
{
	const char *path = test_path("values.h5");
	const struct library_outcome outcome = make(HEAD BALLS("4, 6, 9"), path);
	float rows[60], errors[60], distribution[9];
	sonde_build_options build;
	sonde_debye_options options;
	sonde_debye_result *result;
	struct library_entry entry;
	struct library library;
	sonde_atoms *atoms;

	(void)state;
	assert_int_equal(outcome.made, 3);
	assert_int_equal(outcome.total, 3);
	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_FCC;
	strcpy(build.species, "Au");
	build.a = 4.08;
	build.sphere = 9.0;
	assert_status(SONDE_OK, sonde_build_run(context, &build, &atoms));
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.5, 20.0, 60};
	options.r = (sonde_grid){1.0, 5.0, 9};
	options.method = SONDE_DEBYE_METHOD_EXACT;
	assert_status(SONDE_OK, sonde_debye_run(context, atoms, &options, &result));
	assert_status(SONDE_OK, library_open(path, &library));
	assert_int_equal(library.count, 3);
	assert_status(SONDE_OK, library_read_entry(&library, 2, &entry));
	assert_string_equal(entry.name, "ball 9");
	assert_string_equal(entry.family, "balls");
	assert_string_equal(entry.parameters, "r=9");
	assert_true(entry.size == 9.0 && (int64_t)entry.atoms == sonde_atoms_count(atoms));
	library_entry_free(&entry);
	assert_status(SONDE_OK, library_read_curves(&library, LIBRARY_F, 2, 1, rows));
	assert_status(SONDE_OK, library_read_errors(&library, LIBRARY_F, 2, 1, errors));
	assert_status(SONDE_OK, library_read_curves(&library, LIBRARY_G, 2, 1, distribution));
	for (int k = 0; k < 60; ++k) {
		/* rounded to float32 */
		const double wanted = result->reduced_structure_factor[k];
		assert_true(errors[k] > 0.0f && errors[k] < 1e-3);
		assert_within(rows[k], wanted, errors[k] + 1.2e-7 * fabs(wanted), "F");
	}
	for (int k = 0; k < 9; ++k)
		assert_within(distribution[k], result->pair_distribution[k], 1e-4, "G");
	library_close(&library);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

static void test_extended(void **state)
{
	const char *path = test_path("extended.h5");
	struct library_outcome outcome = make(HEAD BALLS("4, 6"), path);
	struct library_spec *spec =
	    read_spec("curves: [I_per_atom, S, F, G]\ncoordinates: true\ndebye: {q: 0.5:19:60, r: 1:5:9}\n"
		      "structures:\n" BALLS("4"));
	const struct library_settings settings = {.path = path}, anew = {.path = path, .overwrite = true};

	(void)state;
	assert_int_equal(outcome.made, 2);
	outcome = make(HEAD BALLS("4, 5, 6, 6.0001, 7, 4"), path); /* 6.0001: the same atoms as 6 */
	assert_int_equal(outcome.present, 4);
	assert_int_equal(outcome.made, 2);
	assert_int_equal(outcome.total, 4);
	outcome = make(HEAD BALLS("4, 5, 6"), path);
	assert_int_equal(outcome.made, 0);
	assert_int_equal(outcome.total, 4);
	/* other points */
	assert_invalid("other options", library_make(context, spec, &settings, &outcome));
	assert_invalid("other options", library_plan(context, spec, &settings, &outcome));
	assert_status(SONDE_OK, library_make(context, spec, &anew, &outcome));
	assert_int_equal(outcome.total, 1);
	library_spec_free(&spec);
	/* the same structure twice in one description, in one batch and in several */
	outcome = make(HEAD BALLS("4, 4.01, 6, 7, 4"), test_path("twice.h5"));
	assert_int_equal(outcome.made, 3);
	assert_int_equal(outcome.repeated, 2);
}

/* The candidates of two files, in their order. */
static void assert_same_candidates(const char *path, const char *other, int64_t count)
{
	const char *const paths[] = {path, other};
	char *keys[2];
	float *rows[2];

	for (int k = 0; k < 2; ++k) {
		struct library library;
		assert_status(SONDE_OK, library_open(paths[k], &library));
		assert_int_equal(library.count, count);
		assert_status(SONDE_OK, library_read_keys(&library, &keys[k]));
		rows[k] = calloc((size_t)count * 120, sizeof(float));
		assert_non_null(rows[k]);
		assert_status(SONDE_OK, library_read_curves(&library, LIBRARY_I_PER_ATOM, 0, count, rows[k]));
		assert_status(SONDE_OK, library_read_curves(&library, LIBRARY_S, 0, count, rows[k] + count * 60));
		library_close(&library);
	}
	assert_memory_equal(keys[0], keys[1], (size_t)count * LIBRARY_KEY);
	assert_memory_equal(rows[0], rows[1], (size_t)count * 120 * sizeof(float));
	for (int k = 0; k < 2; ++k) {
		free(rows[k]);
		free(keys[k]);
	}
}

/* Structures are built, computed, and written at the same time: the file is that of one thread, which does one after the other. */
static void test_threads(void **state)
{
	const char *text = HEAD "  - vary: {n: {from: 1, to: 12, count: 12}, r: [4, 4.02, 7]}\n"
				"    build: {cell: fcc, species: Au, a: 4.08, sphere: \"${r}\", vacancies: 0.2, "
				"seed: \"${n}\"}\n";

	(void)state;
	assert_status(SONDE_OK, sonde_context_set_threads(context, 3));
	const struct library_outcome several = make(text, test_path("several.h5"));
	assert_int_equal(several.made + several.repeated, 36);
	assert_true(several.made > 12 && several.repeated >= 12); /* 4.02: the same atoms as 4 */
	assert_status(SONDE_OK, sonde_context_set_threads(context, 1));
	const struct library_outcome one = make(text, test_path("one.h5"));
	assert_status(SONDE_OK, sonde_context_set_threads(context, 0));
	assert_int_equal(one.made, several.made);
	assert_true(one.atoms == several.atoms && one.fewest_atoms == several.fewest_atoms &&
		    one.most_atoms == several.most_atoms && one.largest_error == several.largest_error);
	assert_same_candidates(test_path("several.h5"), test_path("one.h5"), one.made);
}

static void test_stopped(void **state)
{
	const struct library_settings settings = {.path = test_path("stopped.h5"), .at_once = 2, .period = 1e-9};
	struct library_spec *spec = read_spec(HEAD BALLS("4, 5, 6, 7, 8, 9"));
	struct library_outcome outcome;

	(void)state;
	/* a structure that cannot be built, after some that can: those are kept, and the next call continues */
	struct library_spec *wrong = read_spec(HEAD BALLS("4, 5, 6, -1"));
	assert_invalid("are in the library", library_make(context, wrong, &settings, &outcome));
	library_spec_free(&wrong);
	/* a request to stop */
	sonde_context_cancel(context);
	assert_status(SONDE_SUSPENDED, library_make(context, spec, &settings, &outcome));
	assert_message("the same command continues");
	sonde_context_free(&context);
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, "cpu"));
	assert_status(SONDE_OK, library_make(context, spec, &settings, &outcome));
	assert_true(outcome.present >= 2 && outcome.present + outcome.made == 6);
	library_spec_free(&spec);
	/* as without a stop */
	(void)make(HEAD BALLS("4, 5, 6, 7, 8, 9"), test_path("whole.h5"));
	assert_same_candidates(test_path("stopped.h5"), test_path("whole.h5"), 6);
}

static void refuse(const char *text, const char *words)
{
	struct library_spec *spec;

	assert_invalid(words, library_spec_read(test_write_text("bad.yaml", text), 100, &spec));
	assert_null(spec);
}

static void test_refused(void **state)
{
	(void)state;
	refuse("structures: []\n", "bad.yaml:1:13: structures: a list is expected");
	refuse("curves: S\n", "the key 'structures' is missing");
	refuse("curve: S\nstructures: [{build: {fullerene: C60}}]\n", "unknown key 'curve', did you mean 'curves'?");
	refuse("curves: [S, H]\nstructures: [{build: {fullerene: C60}}]\n", "1:13: curves: curves of a library are");
	refuse("errors: maybe\nstructures: [{build: {fullerene: C60}}]\n", "must be true or false");
	refuse("debye: {frames: 1:2:1}\nstructures: [{build: {fullerene: C60}}]\n", "is not an option of a library");
	refuse("debye: {qq: 1:2:1}\nstructures: [{build: {fullerene: C60}}]\n", "debye has no option 'qq'");
	refuse("debye: {q: three}\nstructures: [{build: {fullerene: C60}}]\n", "bad.yaml:1:12");
	refuse("structures: [{family: x}]\n", "structures need 'build', 'cif', or 'file'");
	refuse("structures: [{cif: nowhere.cif, sizes: 20}]\n", "'nowhere.cif': No such file");
	refuse("structures: [{build: {fullerene: C60}, sizes: [3]}]\n", "'sizes' are those of balls");
	refuse("structures: [{build: {fullerene: C60}, vary: {n: [1, 2]}}]\n", "the variable 'n' is used nowhere");
	refuse("structures: [{build: {fullerene: \"${n}\"}}]\n", "unknown variable 'n'");
	refuse("structures: [{build: {sphere: \"${n}\"}, vary: {n: {from: 1, to: 2, count: 101}}}]\n",
	       "a whole number from 2 to 100");
}

static int begin(void **state)
{
	(void)state;
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, "cpu"));
	return 0;
}

static int end(void **state)
{
	(void)state;
	sonde_context_free(&context);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_extended),
					   cmocka_unit_test(test_threads), cmocka_unit_test(test_stopped),
					   cmocka_unit_test(test_refused)};

	return cmocka_run_group_tests(tests, begin, end);
}
