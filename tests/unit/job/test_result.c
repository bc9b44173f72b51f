/* Engines by name, and their results as named arrays: the same numbers as in the files of these results. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/containers/hdf5.h"
#include "matter/atoms/atoms.h"
#include "sonde/sonde.h"

static sonde_context *context;

static int make_context(void **unused)
{
	(void)unused;
	return sonde_context_create(&context) == SONDE_OK && sonde_context_set_device(context, "cpu") == SONDE_OK
		   ? 0
		   : -1;
}

static int free_context(void **unused)
{
	(void)unused;
	sonde_context_free(&context);
	return 0;
}

static void set(const char *block, void *options, const char *name, const char *text)
{
	if (sonde_options_set(block, options, name, text) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
}

static sonde_atoms *pair_of_atoms(void)
{
	static const char *const labels[] = {"O", "Co"};
	static const int32_t species[] = {1, 0};
	static const double positions[] = {0, 0, 0, 2, 0.5, 0};
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	assert_status(SONDE_OK, sonde_atoms_add_many(atoms, 2, labels, 2, species, positions));
	return atoms;
}

static sonde_result *run(sonde_request *request)
{
	sonde_result *result;

	request->struct_size = sizeof *request;
	if (sonde_run(context, request, &result) != SONDE_OK)
		fail_msg("%s: %s", request->engine, sonde_status_message());
	assert_string_equal(sonde_result_engine(result), request->engine);
	return result;
}

/* Compares a dataset with the one in the file. Returns whether the file's reader supports its form. */
static bool compare(struct hdf5_reader *reader, const sonde_dataset *set)
{
	int64_t sizes[SONDE_MOST_AXES], count = 1;
	char *text, unit[64];
	double *values;
	int rank;

	/* errors at all points of a pattern, for which the file has a table */
	if (strncmp(set->path, "/pattern/data/", 14) == 0 && strstr(set->path, "_errors") != NULL) {
		assert_false(hdf5_reader_has(reader, set->path));
		return false;
	}
	assert_true(hdf5_reader_has(reader, set->path));
	hdf5_reader_unit(reader, set->path, unit, sizeof unit);
	assert_string_equal(unit, set->unit);
	if (set->element == SONDE_TEXT && set->rank == 0) {
		assert_status(SONDE_OK, hdf5_reader_text(reader, set->path, &text));
		assert_int_equal(strlen(text), set->size);
		assert_memory_equal(text, set->values, (size_t)set->size);
		free(text);
		return true;
	}
	if (set->element != SONDE_REAL)
		return false;
	assert_status(SONDE_OK, hdf5_reader_sizes(reader, set->path, SONDE_MOST_AXES, sizes, &rank));
	assert_int_equal(rank, set->rank);
	assert_memory_equal(sizes, set->sizes, (size_t)rank * sizeof *sizes);
	assert_status(SONDE_OK, hdf5_reader_reals(reader, set->path, &values, &count));
	assert_memory_equal(values, set->values, (size_t)count * sizeof *values);
	free(values);
	return true;
}

/* Number of arrays that are those of the result itself. */
static int compare_with_file(sonde_result *result, const char *name)
{
	const char *path = test_path(name);
	struct hdf5_reader *reader;
	sonde_contents contents;
	int compared = 0, in_place = 0;

	assert_status(SONDE_OK, sonde_result_write(result, path, 1));
	assert_status(SONDE_OK, sonde_result_contents(result, &contents));
	assert_true(contents.struct_size == sizeof contents);
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	for (int64_t k = 0; k < contents.dataset_count; ++k) {
		compared += compare(reader, &contents.datasets[k]);
		in_place += contents.datasets[k].in_place;
	}
	hdf5_reader_close(&reader);
	assert_true(compared > contents.dataset_count / 2);
	assert_true(contents.attribute_count > 5);
	return in_place;
}

static void test_contents_are_those_of_the_file(void **unused)
{
	static const char *const runs[][4] = {{"debye", "q", "1:9:7", "yes"},
					      {"pattern", "qlist", "", "yes"},
					      {"coulomb", "charges", "Co=2,O=-1", "yes"},
					      {"stopping", "ion", "He", "no"},
					      {"ions", "number", "20", "no"}};
	sonde_atoms *atoms = pair_of_atoms();

	(void)unused;
	for (size_t k = 0; k < sizeof runs / sizeof *runs; ++k) {
		const char *engine = runs[k][0];
		void *options;
		assert_status(SONDE_OK, sonde_options_create(engine, &options));
		if (strcmp(engine, "pattern") == 0) {
			set(engine, options, "wavelength", "0.5");
			set(engine, options, "q", "1:5:4");
			set(engine, options, "amplitude", "true");
		} else {
			set(engine, options, runs[k][1], runs[k][2]);
		}
		if (strcmp(engine, "coulomb") == 0) {
			set(engine, options, "spacing", "1");
			set(engine, options, "padding", "2");
		}
		if (strcmp(engine, "stopping") == 0 || strcmp(engine, "ions") == 0)
			set(engine, options, "target", "Si");
		if (strcmp(engine, "ions") == 0) {
			set(engine, options, "ion", "He");
			set(engine, options, "energy", "1keV");
		}
		sonde_request request = {
		    .engine = engine, .options = options, .atoms = runs[k][3][0] == 'y' ? atoms : NULL};
		sonde_result *result = run(&request), *read;
		char name[32];
		snprintf(name, sizeof name, "%s.h5", engine);
		assert_int_equal(compare_with_file(result, name) > 0, runs[k][3][0] == 'y');
		/* and after it was read back */
		assert_status(SONDE_OK, sonde_result_read(context, test_path(name), &read));
		assert_string_equal(sonde_result_engine(read), engine);
		compare_with_file(read, "again.h5");
		sonde_result_free(&read);
		sonde_result_free(&result);
		assert_null(result);
		sonde_options_free(&options);
		assert_null(options);
	}
	sonde_atoms_free(&atoms);
}

static void test_jobs(void **unused)
{
	sonde_job *job;
	sonde_result *result, *geometry;
	sonde_contents contents;
	char *plan;

	(void)unused;
	assert_status(
	    SONDE_OK,
	    sonde_job_read(test_write_text("job.yaml",
					   "fdtd:\n  size: 200 nm, 0, 0\n  cell: 10 nm\n  time: 5 fs\n"
					   "  sources: [{kind: sheet, direction: [1, 0, 0], frequency: 600 THz}]\n"
					   "  monitors: [{name: here, kind: point, center: [50 nm, 0, 0]}]\n"),
			   &job));
	sonde_request request = {.struct_size = sizeof request, .engine = "fdtd", .job = job};
	assert_status(SONDE_OK, sonde_plan(context, &request, &plan));
	assert_non_null(strstr(plan, "\"steps\": "));
	sonde_text_free(&plan);
	assert_null(plan);
	result = run(&request);
	assert_true(compare_with_file(result, "fdtd.h5") > 0);
	sonde_result_free(&result);
	assert_status(SONDE_OK, sonde_fdtd_geometry(context, job, &geometry));
	assert_status(SONDE_OK, sonde_result_contents(geometry, &contents));
	assert_string_equal(contents.datasets[0].path, "/geometry/section_1/materials");
	assert_status(SONDE_INVALID, sonde_result_write(geometry, test_path("geometry.h5"), 1));
	sonde_result_free(&geometry);
	sonde_job_free(&job);
}

static void test_refused_requests(void **unused)
{
	sonde_request request = {.struct_size = sizeof request, .engine = "debye"};
	sonde_atoms *atoms = pair_of_atoms();
	sonde_result *result;
	void *options;

	(void)unused;
	assert_status(SONDE_INVALID, sonde_run(context, &request, &result)); /* no sample */
	assert_null(result);
	request.atoms = atoms;
	request.sample = "sample.xyz";
	assert_status(SONDE_INVALID, sonde_run(context, &request, &result));
	assert_non_null(strstr(sonde_status_message(), "more than one sample"));
	request.engine = "nothing";
	assert_status(SONDE_INVALID, sonde_run(context, &request, &result));
	request.struct_size = sizeof request + 1;
	assert_status(SONDE_INVALID, sonde_run(context, &request, &result));
	assert_status(SONDE_INVALID, sonde_result_read(context, test_write_text("no.h5", "text"), &result));
	assert_status(SONDE_INVALID, sonde_options_create("nothing", &options));
	assert_null(options);
	assert_status(SONDE_OK, sonde_options_create("build", &options));
	assert_status(SONDE_INVALID, sonde_options_set("build", options, "speces", "Na"));
	assert_string_equal(sonde_status_message(), "speces: build has no such option, did you mean 'species'?");
	assert_status(SONDE_INVALID, sonde_options_set("build", options, "a", "wide"));
	assert_non_null(strstr(sonde_status_message(), "a: 'wide' is not a number"));
	sonde_options_free(&options);
	/* of items of lists */
	static const char *const none[] = {"fdtd.", "fdtd.monitor", ".monitors", "nothing.monitors",
					   "stopping.monitors"};
	for (size_t k = 0; k < sizeof none / sizeof *none; ++k)
		assert_status(SONDE_INVALID, sonde_options_create(none[k], &options));
	assert_status(SONDE_OK, sonde_options_create("fdtd.monitors", &options));
	assert_status(SONDE_OK, sonde_options_set("fdtd.monitors", options, "kind", "flux"));
	assert_status(SONDE_INVALID, sonde_options_set("fdtd.monitors", options, "kind", "flow"));
	assert_non_null(strstr(sonde_status_message(), "kind: 'flow' is not one of point|"));
	char *text;
	assert_status(SONDE_OK, sonde_options_set("fdtd.monitors", options, "center", "5 nm, -1 um, 0"));
	assert_status(SONDE_OK, sonde_options_get("fdtd.monitors", options, "center", &text));
	assert_string_equal(text, "5e-09,-1e-06,0");
	sonde_text_free(&text);
	assert_status(SONDE_OK, sonde_options_get("fdtd.monitors", options, "name", &text));
	assert_string_equal(text, "");
	sonde_text_free(&text);
	assert_status(SONDE_INVALID, sonde_options_get("fdtd.monitors", options, "middle", &text));
	assert_null(text);
	sonde_options_free(&options);
	sonde_atoms_free(&atoms);
}

/* The same atoms one by one, also where they have further properties. */
static void test_many_atoms_are_those_added_one_by_one(void **unused)
{
	static const char *const labels[] = {"O", "unused", "Co", "Na"};
	static const int32_t species[] = {2, 0, 0, 2, 3}, wrong[] = {0, 4};
	double positions[15];
	const double occupancies[] = {0.5, 1, 1, 0.25, 1};

	(void)unused;
	for (int k = 0; k < 15; ++k)
		positions[k] = 0.1 * k;
	for (int occupied = 0; occupied < 2; ++occupied) {
		sonde_atoms *many, *single;
		assert_status(SONDE_OK, sonde_atoms_create(&many));
		assert_status(SONDE_OK, sonde_atoms_create(&single));
		for (int turn = 0; turn < 2; ++turn) {
			assert_status(SONDE_OK, sonde_atoms_add_many(many, 5, labels, 4, species, positions));
			for (int k = 0; k < 5; ++k)
				assert_status(SONDE_OK,
					      sonde_atoms_add(single, labels[species[k]], positions + 3 * k));
			if (occupied != 0 && turn == 0) {
				assert_status(SONDE_OK, sonde_atoms_set_occupancies(many, occupancies));
				assert_status(SONDE_OK, sonde_atoms_set_occupancies(single, occupancies));
			}
		}
		assert_int_equal(sonde_atoms_species_count(many), 3);
		assert_string_equal(sonde_atoms_species_label(many, 0), "Co");
		assert_memory_equal(sonde_atoms_species(many), sonde_atoms_species(single), 20);
		assert_memory_equal(sonde_atoms_positions(many), sonde_atoms_positions(single), 240);
		if (occupied != 0)
			assert_memory_equal(sonde_atoms_occupancies(many), sonde_atoms_occupancies(single), 80);
		assert_status(SONDE_INVALID, sonde_atoms_add_many(many, 2, labels, 4, wrong, positions));
		positions[4] = 2e7;
		assert_status(SONDE_INVALID, sonde_atoms_add_many(many, 5, labels, 4, species, positions));
		assert_non_null(strstr(sonde_status_message(), "atom 12: coordinate 2e+07"));
		positions[4] = 0.4;
		assert_int_equal(sonde_atoms_count(many), 10);
		assert_status(SONDE_OK, sonde_atoms_set_source(many, "a program"));
		assert_string_equal(many->source.bytes, "a program");
		sonde_atoms_free(&many);
		sonde_atoms_free(&single);
	}
}

/* Enough for several threads. */
static void test_very_many_atoms(void **unused)
{
	enum { COUNT = 100000 };
	static const char *const labels[] = {"O", "Co"};
	static int32_t species[COUNT];
	static double positions[3 * COUNT];
	sonde_atoms *atoms;

	(void)unused;
	for (int k = 0; k < 3 * COUNT; ++k)
		positions[k] = 0.25 * k;
	for (int k = 0; k < COUNT; ++k)
		species[k] = k % 3 == 0;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	positions[3 * COUNT - 1] = NAN;
	assert_status(SONDE_INVALID, sonde_atoms_add_many(atoms, COUNT, labels, 2, species, positions));
	assert_non_null(strstr(sonde_status_message(), "atom 100000: coordinate nan"));
	assert_int_equal(sonde_atoms_count(atoms), 0);
	positions[3 * COUNT - 1] = 1.0;
	assert_status(SONDE_OK, sonde_atoms_add_many(atoms, COUNT, labels, 2, species, positions));
	assert_memory_equal(sonde_atoms_positions(atoms), positions, sizeof positions);
	assert_string_equal(sonde_atoms_species_label(atoms, 0), "Co");
	assert_int_equal(sonde_atoms_species_atoms(atoms, 0), (COUNT + 2) / 3);
	assert_int_equal(sonde_atoms_species(atoms)[COUNT - 1], 0);
	assert_int_equal(sonde_atoms_species(atoms)[COUNT - 2], 1);
	sonde_atoms_free(&atoms);
}

static int64_t number_of(sonde_result *result, const char *path)
{
	sonde_contents contents;

	assert_status(SONDE_OK, sonde_result_contents(result, &contents));
	for (int64_t k = 0; k < contents.dataset_count; ++k)
		if (strcmp(contents.datasets[k].path, path) == 0)
			return k;
	fail_msg("there is no %s", path);
	return -1;
}

static bool lists(const int64_t *numbers, int64_t count, int64_t wanted)
{
	for (int64_t k = 0; k < count; ++k)
		if (numbers[k] == wanted)
			return true;
	return false;
}

static void test_changes(void **unused)
{
	static const char *const grids[] = {"1:9:7", "1:9:7", "1:8:7", "1:9:8"};
	sonde_atoms *atoms = pair_of_atoms();
	sonde_result *results[4];
	int64_t changed[512];

	(void)unused;
	for (int k = 0; k < 4; ++k) {
		void *options;
		assert_status(SONDE_OK, sonde_options_create("debye", &options));
		set("debye", options, "q", grids[k]);
		set("debye", options, "method", k == 1 ? "exact" : "histogram");
		results[k] = run(&(sonde_request){.engine = "debye", .options = options, .atoms = atoms});
		sonde_options_free(&options);
	}
	const int64_t q = number_of(results[0], "/debye/intensity/q"),
		      method = number_of(results[0], "/debye/process/options/method"),
		      seconds = number_of(results[0], "/debye/process/seconds");
	assert_int_equal(sonde_result_changes(results[0], results[0], 1, &q, changed), 0);
	const int64_t changes = sonde_result_changes(results[0], results[1], 1, &q, changed);
	assert_true(changes >= 2 && lists(changed, changes, method) && lists(changed, changes, seconds));
	assert_false(lists(changed, changes, q));
	assert_int_equal(sonde_result_changes(results[0], results[2], 1, &q, changed), -1); /* other values of q */
	assert_true(sonde_result_changes(results[0], results[2], 0, NULL, changed) > 0);
	assert_int_equal(sonde_result_changes(results[0], results[3], 0, NULL, changed), -1); /* another number */
	assert_int_equal(sonde_result_changes(results[0], NULL, 0, NULL, changed), -1);
	for (int k = 0; k < 4; ++k)
		sonde_result_free(&results[k]);
	sonde_atoms_free(&atoms);
}

static void test_voxels_are_read_back(void **unused)
{
	const int64_t sizes[3] = {3, 2, 1}, materials[6] = {0, 1, 2, 3, 4, 5};
	const double spacing[3] = {1, 2, 3}, origin[3] = {-1, 0, 1};
	const char *path = test_path("voxels.h5");
	struct hdf5_reader *reader;
	int64_t read[6];

	(void)unused;
	assert_status(SONDE_OK, sonde_voxels_write(path, sizes, materials, NULL, spacing, origin, 1));
	assert_status(SONDE_INVALID, sonde_voxels_write(path, sizes, materials, spacing, spacing, NULL, 1));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	const int64_t shape[3] = {1, 2, 3};
	assert_status(SONDE_OK, hdf5_reader_integer_array(reader, "/voxels/materials", shape, 3, read));
	assert_memory_equal(read, materials, sizeof read);
	hdf5_reader_close(&reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_contents_are_those_of_the_file),
	    cmocka_unit_test(test_jobs),
	    cmocka_unit_test(test_refused_requests),
	    cmocka_unit_test(test_many_atoms_are_those_added_one_by_one),
	    cmocka_unit_test(test_very_many_atoms),
	    cmocka_unit_test(test_changes),
	    cmocka_unit_test(test_voxels_are_read_back),
	};

	return cmocka_run_group_tests(tests, make_context, free_context);
}
