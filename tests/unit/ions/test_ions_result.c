/* Results of `ions` in tables and HDF5: written values read back, and failures leave no files. */
#include "unit/ions_result.h"

#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "ions/tallies/profile.h"

/* Tables -------------------------------------------------------------------------------------- */

/* Number of the column with that name in a line of names; -1 if there is none. */
static int find_column(const char *line, const char *name)
{
	size_t length = strlen(name);

	for (int column = 0;; ++column) {
		size_t size = strcspn(line, ",\n");
		if (size == length && strncmp(line, name, length) == 0)
			return column;
		if (line[size] != ',')
			return -1;
		line += size + 1;
	}
}

static double cell_of(const char *line, int column)
{
	for (; column > 0; --column) {
		line = strchr(line, ',');
		assert_non_null(line);
		++line;
	}
	return strtod(line, NULL);
}

static void assert_column(const sonde_ions_result *result, const char *rows, const char *head, const char *name,
			  int tally, double each)
{
	char error[128];
	int column = find_column(head, name);
	int64_t cells = result->size[0] * result->size[1] * result->size[2];

	assert_true(column > 0);
	snprintf(error, sizeof error, "%s_error", name);
	assert_int_equal(find_column(head, error), column + 1);
	for (int64_t i = 0; i < cells; ++i, rows = strchr(rows, '\n') + 1) {
		assert_within(cell_of(rows, column), value_of(tally, i) / each, 1e-14, "cell of");
		assert_within(cell_of(rows, column + 1), 0.1 * value_of(tally, i) / each, 1e-3 * value_of(tally, i),
			      "cell of");
	}
}

static char *write_and_read(const sonde_ions_result *result, const char *name)
{
	assert_status(SONDE_OK, sonde_ions_result_write(result, test_path(name), 1));
	char *text = test_read(test_path(name), NULL);
	assert_non_null(text);
	return text;
}

static void test_profiles_are_those_of_the_result(void **unused)
{
	sonde_ions_result *result = make_result(4, 1, 1);
	char *text = write_and_read(result, "profiles.csv");
	const char *head = find_line(text, "x_begin,"), *rows = strchr(head, '\n') + 1;

	(void)unused;
	find_line(text, "# sonde ");
	find_line(text, "# command: sonde ions --ion He\n");
	find_line(text, "# layer 1: SiO2 from 0 Angstrom on to 75, 2.2 g/cm^3");
	find_line(text, "# layer 2: Si from 75 Angstrom on, 2.33 g/cm^3");
	find_line(text,
		  "# ions: 1000; implanted 985 = 0.985 +- 0.0038; backscattered 10 = 0.01 +- 0.0031; transmitted 5");
	find_line(text,
		  "# range: 6785.12 +- 1.2 Angstrom; straggling 1659 +- 0.9 Angstrom; skewness -0.6223 +- 0.01; ku");
	find_line(text,
		  "# lateral: range 1401 +- 2 Angstrom; straggling 1751 +- 2 Angstrom; radial range 2192 +- 2 Ang");
	find_line(text, "# per ion: vacancies 847.5 +- 2; replacements 31.25 +- 0.5; sputtered atoms 0.125 +- 0.01;");
	assert_int_equal(find_column(head, "y_begin"), -1);
	assert_column(result, rows, head, "implanted_ions", 0, WIDTH);
	assert_column(result, rows, head, "displacements_arc_dpa", 8, WIDTH);
	assert_column(result, rows, head, "vacancies_by_recoils_of_O", 9 + 6 + 3, WIDTH);
	assert_column(result, rows, head, "interstitials_of_Si_in_layer_2", 9 + 12 + 5, WIDTH);
	for (int i = 0; i < 4; ++i, rows = strchr(rows, '\n') + 1) {
		assert_within(cell_of(rows, 0), WIDTH * i, 0.0, "cell of");
		assert_within(cell_of(rows, 1), WIDTH * (i + 1), 0.0, "cell of");
	}
	assert_true(*rows == '\0');
	free(text);
	text = write_and_read(result, "profiles.xy");
	find_line(text,
		  "# x_begin [Angstrom]  x_end [Angstrom]  implanted_ions [1/Angstrom]  implanted_ions_error  ");
	const char *last = find_line(text, "150 200 ");
	assert_within(strtod(last + 8, NULL), value_of(0, 3) / WIDTH, 1e-15, "strtod");
	free(text);
	sonde_ions_result_free(&result);
	assert_null(result);
	sonde_ions_result_free(&result);
}

/* The second cell has half of each layer. */
static void test_dose_is_per_atom_of_the_layers(void **unused)
{
	static const double atoms[] = {0.0662, 0.5 * (0.0662 + 0.04996), 0.04996, 0.04996};
	sonde_ions_result *result = make_result(4, 1, 1);
	char *text = write_and_read(result, "dose.csv");
	const char *head = find_line(text, "x_begin,"), *rows = strchr(head, '\n') + 1;

	(void)unused;
	for (int i = 0; i < 4; ++i, rows = strchr(rows, '\n') + 1) {
		double each = FLUENCE * 1e-16 / atoms[i] / WIDTH;
		double vacancies = together(result, "vacancies by ions", NULL, i) +
				   together(result, "vacancies by recoils", NULL, i);
		double concentration = value_of(0, i) / WIDTH * 1e8 * FLUENCE;
		assert_within(cell_of(rows, find_column(head, "concentration")), concentration, 1e-12 * concentration,
			      "cell of");
		assert_within(cell_of(rows, find_column(head, "dpa_vacancies")), vacancies * each, 1e-12, "cell of");
		assert_within(cell_of(rows, find_column(head, "dpa_vacancies_error")), 0.1 * vacancies * each,
			      1e-3 * vacancies * each, "cell of");
		assert_within(cell_of(rows, find_column(head, "dpa_NRT")), value_of(7, i) * each, 1e-12, "cell of");
		assert_within(cell_of(rows, find_column(head, "dpa_arc")), value_of(8, i) * each, 1e-12, "cell of");
	}
	free(text);
	/* quick runs count no vacancies of recoils: NRT does */
	result->provenance->options.cascades = SONDE_IONS_CASCADES_QUICK;
	text = write_and_read(result, "dose.csv");
	head = find_line(text, "x_begin,");
	rows = strchr(head, '\n') + 1;
	assert_true(cell_of(rows, find_column(head, "dpa_vacancies")) == cell_of(rows, find_column(head, "dpa_NRT")));
	free(text);
	result->provenance->options.fluence = 0.0;
	text = write_and_read(result, "dose.csv");
	assert_int_equal(find_column(find_line(text, "x_begin,"), "dpa_NRT"), -1);
	free(text);
	sonde_ions_result_free(&result);
}

static void test_map_has_a_row_per_cell(void **unused)
{
	sonde_ions_result *result = make_result(3, 2, 2);
	char *text = write_and_read(result, "map.csv");
	const char *head = find_line(text, "x_begin,x_end,y_begin,y_end,z_begin,z_end,"),
		   *rows = strchr(head, '\n') + 1;

	(void)unused;
	assert_non_null(strstr(text, "Values are per ion and cell"));
	assert_non_null(strstr(text, "for maps see /ions/dose"));
	assert_column(result, rows, head, "ionization_by_ions", 1, 1.0);
	for (int i = 0; i < 12; ++i, rows = strchr(rows, '\n') + 1) {
		assert_within(cell_of(rows, 0), WIDTH * (i % 3), 0.0, "cell of");
		assert_within(cell_of(rows, 2), -10.0 + 10.0 * (i / 3 % 2), 0.0, "cell of");
		assert_within(cell_of(rows, 4), -10.0 + 10.0 * (i / 6), 0.0, "cell of");
	}
	free(text);
	sonde_ions_result_free(&result);
}

static void test_undefined_quantities_are_nan(void **unused)
{
	sonde_ions_result *result = make_result(4, 1, 1);

	(void)unused;
	result->implanted = 0;
	result->range.value = result->straggling.value = result->skewness.value = result->kurtosis.value = NAN;
	char *text = write_and_read(result, "none.txt");
	find_line(text, "# range: none, no ion came to rest\n");
	free(text);
	/* errors are not known of few ions */
	result->vacancies.error = result->tallies[0].errors[0] = -NAN;
	text = write_and_read(result, "none.csv");
	find_line(text, "# per ion: vacancies 847.5; replacements 31.25 +- 0.5;");
	assert_null(strstr(text, "-nan"));
	free(text);
	assert_status(SONDE_OK, sonde_ions_result_write(result, test_path("none.h5"), 1));
	sonde_ions_result_free(&result);
}

/* HDF5 ---------------------------------------------------------------------------------------- */

static double *read_reals(struct hdf5_reader *reader, const char *path, int64_t expected)
{
	double *values;
	int64_t count;

	assert_status(SONDE_OK, hdf5_reader_reals(reader, path, &values, &count));
	assert_true(count == expected);
	return values;
}

static void assert_real(struct hdf5_reader *reader, const char *path, double expected)
{
	double *values = read_reals(reader, path, 1);

	assert_true(values[0] == expected);
	free(values);
}

static void assert_text(struct hdf5_reader *reader, const char *path, const char *expected)
{
	char *text;

	assert_status(SONDE_OK, hdf5_reader_text(reader, path, &text));
	assert_string_equal(text, expected);
	free(text);
}

/* Values and errors of a tally. */
static void assert_cells(struct hdf5_reader *reader, const char *path, int tally, int64_t cells, double each)
{
	char errors[256];
	double *values = read_reals(reader, path, cells);

	for (int64_t i = 0; i < cells; ++i)
		assert_within(values[i], value_of(tally, i) / each, 1e-15, "values");
	free(values);
	snprintf(errors, sizeof errors, "%s_errors", path);
	values = read_reals(reader, errors, cells);
	for (int64_t i = 0; i < cells; ++i)
		assert_within(values[i], 0.1 * value_of(tally, i) / each, 1e-15, "values");
	free(values);
}

static void check_lists(struct hdf5_reader *reader)
{
	double *values = read_reals(reader, "/ions/layers/end", 2);

	assert_true(values[0] == 75.0 && isinf(values[1]));
	free(values);
	values = read_reals(reader, "/ions/kinds/layer", 4);
	assert_true(values[0] == -1.0 && values[3] == 1.0);
	free(values);
	values = read_reals(reader, "/ions/exits/position", 12);
	assert_true(values[0] == 10001.77 && values[11] == -2.0);
	free(values);
	values = read_reals(reader, "/ions/exits/ion", 4);
	assert_true(values[1] == 122455.0 && values[3] == 4.0);
	free(values);
	values = read_reals(reader, "/ions/trajectories/energy", 3);
	assert_true(values[2] == 1e5 - 2.0);
	free(values);
	values = read_reals(reader, "/ions/spectra/recoils", 9);
	assert_true(values[8] == 4.0);
	free(values);
	values = read_reals(reader, "/ions/totals/total", 27);
	assert_within(values[26], 1.0 + 10.0 * value_of(26, 0), 1e-12, "values 26");
	free(values);
	assert_real(reader, "/ions/exits/left_out", 7.0);
}

static void test_nexus_file_has_all_quantities(void **unused)
{
	sonde_ions_result *result = make_result(4, 1, 1);
	const char *path = test_path("result.h5");
	struct hdf5_reader *reader;

	(void)unused;
	assert_status(SONDE_OK, sonde_ions_result_write(result, path, 0));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	assert_text(reader, "/ions/title", "Ions in matter");
	double *values = read_reals(reader, "/ions/profiles/x", 4);
	assert_true(values[0] == 25.0 && values[3] == 175.0);
	free(values);
	assert_false(hdf5_reader_has(reader, "/ions/profiles/y"));
	assert_cells(reader, "/ions/profiles/implanted_ions", 0, 4, WIDTH);
	assert_cells(reader, "/ions/profiles/displacements_NRT", 7, 4, WIDTH);
	assert_cells(reader, "/ions/kinds/atoms_2_O/vacancies_by_recoils", 9 + 6 + 3, 4, WIDTH);
	assert_cells(reader, "/ions/kinds/atoms_3_Si_in_layer_2/primary_recoils", 9 + 12, 4, WIDTH);
	values = read_reals(reader, "/ions/profiles/vacancies", 4);
	for (int i = 0; i < 4; ++i)
		assert_within(values[i],
			      (together(result, "vacancies by ions", NULL, i) +
			       together(result, "vacancies by recoils", NULL, i)) /
				  WIDTH,
			      1e-14, "values");
	free(values);
	values = read_reals(reader, "/ions/dose/concentration", 4);
	assert_within(values[2], value_of(0, 2) / WIDTH * 1e8 * FLUENCE, 1e8, "values 2");
	free(values);
	assert_real(reader, "/ions/summary/range", 6785.12);
	assert_real(reader, "/ions/summary/range_errors", 1.25);
	assert_real(reader, "/ions/summary/backscattered", 10.0);
	assert_real(reader, "/ions/beam/energy", 1e5);
	assert_text(reader, "/ions/process/options/screening", "zbl");
	assert_text(reader, "/ions/sample/name", "SiO2:7.5nm/Si");
	check_lists(reader);
	hdf5_reader_close(&reader);
	sonde_ions_result_free(&result);
}

static void test_nexus_map_is_z_y_x(void **unused)
{
	sonde_ions_result *result = make_result(3, 2, 2);
	const char *path = test_path("map.nxs");
	struct hdf5_reader *reader;

	(void)unused;
	result->exit_count = result->vertex_count = result->spectrum_count = 0;
	assert_status(SONDE_OK, sonde_ions_result_write(result, path, 0));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	assert_cells(reader, "/ions/profiles/implanted_ions", 0, 12, 1.0);
	double *values = read_reals(reader, "/ions/profiles/z", 2);
	assert_true(values[0] == -5.0 && values[1] == 5.0);
	free(values);
	values = read_reals(reader, "/ions/dose/concentration", 3);
	double sum = value_of(0, 1) + value_of(0, 4) + value_of(0, 7) + value_of(0, 10);
	assert_within(values[1], sum / WIDTH * 1e8 * FLUENCE, 1e9, "values 1");
	free(values);
	assert_false(hdf5_reader_has(reader, "/ions/exits/ion"));
	assert_false(hdf5_reader_has(reader, "/ions/trajectories"));
	hdf5_reader_close(&reader);
	sonde_ions_result_free(&result);
}

static void test_plain_names_have_letters_digits_underlines(void **unused)
{
	char name[20];

	(void)unused;
	ions_plain_name("displacements (arc-dpa)", name, sizeof name);
	assert_string_equal(name, "displacements_arc_d");
	ions_plain_name("(a)  b-", name, sizeof name);
	assert_string_equal(name, "a_b");
	ions_plain_name("--", name, sizeof name);
	assert_string_equal(name, "");
}

/* Failures ------------------------------------------------------------------------------------ */

static void test_names_of_files(void **unused)
{
	static const char *const known[] = {"a.h5", "a.hdf5", "a.nxs", "a.csv", "a.xy", "a.dat", "a.txt"};
	static const char *const unknown[] = {"a", "a.png", "a.CSV", "h5", ""};
	sonde_ions_result *result = make_result(2, 1, 1);
	int entries = test_folder_entries();

	(void)unused;
	for (size_t k = 0; k < COUNT(known); ++k)
		assert_status(SONDE_OK, ions_check_format(known[k]));
	for (size_t k = 0; k < COUNT(unknown); ++k)
		assert_invalid("end the name in .h5", sonde_ions_result_write(result, unknown[k], 1));
	assert_int_equal(test_folder_entries(), entries);
	assert_non_null(ions_find_tally(result, "vacancies by ions", "O"));
	assert_null(ions_find_tally(result, "vacancies by ions", ""));
	assert_null(ions_find_tally(result, "vacancies", "O"));
	sonde_ions_result_free(&result);
}

static void test_existing_files_are_kept(void **unused)
{
	static const char *const names[] = {"precious.h5", "precious.csv"};
	sonde_ions_result *result = make_result(2, 1, 1);

	(void)unused;
	for (size_t k = 0; k < COUNT(names); ++k) {
		const char *path = test_write_text(names[k], "precious");
		assert_invalid("exists already", sonde_ions_result_write(result, path, 0));
		char *text = test_read(path, NULL);
		assert_string_equal(text, "precious");
		free(text);
		assert_status(SONDE_OK, sonde_ions_result_write(result, path, 1));
	}
	sonde_ions_result_free(&result);
}

static void test_lack_of_memory_leaves_no_files(void **unused)
{
	sonde_ions_result *result = make_result(3, 2, 2);

	(void)unused;
	assert_true(fail_everywhere(sonde_ions_result_write, result, test_path("memory.h5")) > 20);
	assert_true(fail_everywhere(sonde_ions_result_write, result, test_path("memory.csv")) > 2);
	sonde_ions_result_free(&result);
	result = make_result(3, 1, 1);
	assert_true(fail_everywhere(sonde_ions_result_write, result, test_path("memory_profile.csv")) > 2);
	sonde_ions_result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_profiles_are_those_of_the_result),
	    cmocka_unit_test(test_dose_is_per_atom_of_the_layers),
	    cmocka_unit_test(test_map_has_a_row_per_cell),
	    cmocka_unit_test(test_undefined_quantities_are_nan),
	    cmocka_unit_test(test_nexus_file_has_all_quantities),
	    cmocka_unit_test(test_nexus_map_is_z_y_x),
	    cmocka_unit_test(test_plain_names_have_letters_digits_underlines),
	    cmocka_unit_test(test_names_of_files),
	    cmocka_unit_test(test_existing_files_are_kept),
	    cmocka_unit_test(test_lack_of_memory_leaves_no_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
