/* Results of `ions` in text files in SRIM's layout, read in the way of other programs. */
#include "unit/ions_result.h"

#include <sys/stat.h>

#include "base/memory.h"
#include "ions/output/srim_files.h"

static void assert_number(double x, int digits, int decimals, const char *expected)
{
	struct text text = {0};

	srim_append_number(&text, x, digits, decimals);
	assert_string_equal(text.bytes, expected);
	text_free(&text);
}

static void test_numbers_look_like_those_of_srim(void **unused)
{
	(void)unused;
	assert_number(120.01, 6, 0, "120010.E-03");
	assert_number(10080.01, 6, 0, "100800.E-01");
	assert_number(0.0749126, 4, 2, "7491.26E-05");
	assert_number(0.0, 4, 2, "0000.00E+00");
	assert_number(83.333, 1, 4, "8.3333E+01");
	assert_number(20715354.0, 0, 7, ".2071535E+08");
	assert_number(-20.65, 0, 4, "-.2065E+02");
	assert_number(10001.77, 7, -1, "1000177E-02");
	assert_number(999999.9, 6, 0, "100000.E+01");
	assert_number(1e-300, 1, 4, "1.0000E-300");
	assert_number(1.7e308, 1, 4, "1.7000E+308");
	assert_number(NAN, 1, 4, "0.0000E+00");
}

static const char *read_srim(const char *folder, const char *name, char **text)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	*text = test_read(test_path(path), NULL);
	if (*text == NULL)
		fail_msg("no file %s", path);
	for (const char *end = strchr(*text, '\n'); end != NULL; end = strchr(end + 1, '\n'))
		assert_true(end[-1] == '\r');
	return *text;
}

/* The rows behind the last line of dashes, as programs find them: their numbers of columns and rows, and their
 * values. */
static void assert_table(const char *folder, const char *name, int columns, int64_t rows, double *values)
{
	char *text, *line;
	const char *dashes = read_srim(folder, name, &text);

	for (const char *next = dashes; (next = strstr(next, "\n---")) != NULL; ++next)
		dashes = next;
	line = strchr(dashes + 1, '\n') + 1;
	for (int64_t i = 0; i < rows; ++i) {
		for (int c = 0; c < columns; ++c)
			values[i * columns + c] = strtod(line, &line);
		assert_true(strncmp(line, "\r\n", 2) == 0);
		line += 2;
		assert_within(values[i * columns], WIDTH * (double)(i + 1) + 0.01,
			      1e-5 * WIDTH * (double)(i + 1) + 5e-3, "values");
	}
	assert_true(*line == '\0' || strncmp(line, "\r\n", 2) == 0);
	free(text);
}

static void assert_profile(const double *values, int columns, int column, int64_t rows,
			   const sonde_ions_result *result, const char *name, const char *more, const char *of,
			   double unit)
{
	for (int64_t i = 0; i < rows; ++i) {
		double expected = (together(result, name, of, i) + together(result, more, of, i)) / WIDTH * unit;
		assert_within(values[i * columns + column], expected, 1e-4 * expected, "values");
	}
}

static void test_tables_are_read_like_those_of_srim(void **unused)
{
	enum { ROWS = 100 };
	sonde_ions_result *result = make_result(ROWS, 1, 1);
	double values[ROWS * 5];
	char *text;

	(void)unused;
	assert_status(SONDE_OK, sonde_ions_result_write_srim(result, test_path("srim/"), 0));
	assert_table("srim", "RANGE.txt", 5, ROWS, values);
	assert_profile(values, 5, 1, ROWS, result, "implanted ions", "", NULL, 1e8);
	assert_profile(values, 5, 4, ROWS, result, "interstitials", "", labels[3], 1e8);
	assert_table("srim", "VACANCY.txt", 5, ROWS, values);
	assert_profile(values, 5, 1, ROWS, result, "primary recoils", "", NULL, 1.0);
	assert_profile(values, 5, 2, ROWS, result, "vacancies by ions", "vacancies by recoils", labels[1], 1.0);
	assert_table("srim", "E2RECOIL.txt", 5, ROWS, values);
	assert_profile(values, 5, 3, ROWS, result, "energy to recoils", "", labels[2], 1.0);
	assert_table("srim", "IONIZ.txt", 3, ROWS, values);
	assert_profile(values, 3, 2, ROWS, result, "ionization by recoils", "", NULL, 1.0);
	assert_table("srim", "PHONON.txt", 3, ROWS, values);
	assert_profile(values, 3, 1, ROWS, result, "phonons by ions", "", NULL, 1.0);
	assert_table("srim", "NOVAC.txt", 2, ROWS, values);
	assert_profile(values, 2, 1, ROWS, result, "replacements", "", NULL, 1.0);
	read_srim("srim", "RANGE.txt", &text);
	find_line(text, "====== He (100) into SiO2/Si                    =======\r\n");
	find_line(text, " Ion    = He   Energy = 100 keV\r\n");
	find_line(
	    text,
	    "Layer  1 : SiO2\r\nLayer Width = 750000.E-04 A   Layer # 1- Density = 6.62E22 atoms/cm3 = 2.2 g/cm3");
	find_line(text, "Layer  2 : Si\r\nLayer Width = 492500.E-02 A ");
	find_line(text, " Total Ions calculated =1000.00\r\n");
	find_line(text, " Ion Average Range = 678512.E-02 A   Straggling = 165900.E-02 A\r\n");
	find_line(text, " Range Skewne- = -000.6223 ");
	find_line(text, " Transmitted Ions =5;  Backscattered Ions =10\r\n");
	free(text);
	read_srim("srim", "TDATA.txt", &text);
	find_line(text, "Total Backscattered Ions=  10 \r\n");
	find_line(text, "Average Range         =  678512.E-02 Angstroms\r\n");
	find_line(text, "# command: sonde ions --ion He\r\n");
	free(text);
	sonde_ions_result_free(&result);
}

static void test_exits_are_listed_by_side(void **unused)
{
	sonde_ions_result *result = make_result(4, 2, 2);
	char *text;

	(void)unused;
	assert_status(SONDE_OK, sonde_ions_result_write_srim(result, test_path("exits"), 0));
	read_srim("exits", "TRANSMIT.txt", &text);
	find_line(text,
		  "T    1  2 .2071535E+08   1000177E-02 -.2065E+02 -.4704E+02   .9999303 -.0104408 -.0055138\r\n");
	assert_null(strstr(text, "\nT    5"));
	free(text);
	read_srim("exits", "BACKSCAT.txt", &text);
	find_line(text,
		  "B 122456  2 .5122500E+03  -5000000E-07  .0000E+00  .1500E+01  -1.0000000  .0000000  .0000000\r\n");
	free(text);
	read_srim("exits", "SPUTTER.txt", &text);
	find_line(text,
		  "S    4  8 .3500000E+01   0000000E+00  .2000E+01 -.2000E+01  -.6000000  .0000000 -.8000000\r\n");
	free(text);
	read_srim("exits", "LATERAL.txt", &text);
	/* a cell of 10 A next to the axis on each side: |y| is 5 */
	const char *row = strchr(find_line(text, "------------ ----"), '\n') + 1;
	assert_true(strncmp(row, "5001000.E-05 50000000.E-07 57735027.E-07 70710678.E-07 ", 55) == 0);
	free(text);
	/* on the surface but for rounding */
	result->exits[2].position[0] = -6.9388939e-17;
	assert_status(SONDE_OK, sonde_ions_result_write_srim(result, test_path("exits"), 1));
	read_srim("exits", "SPUTTER.txt", &text);
	find_line(text,
		  "S    4  8 .3500000E+01   0000000E+00  .2000E+01 -.2000E+01  -.6000000  .0000000 -.8000000\r\n");
	free(text);
	/* an old list of sputtered atoms does not stay beside new tables */
	result->exit_count = 0;
	assert_invalid("exists already", sonde_ions_result_write_srim(result, test_path("exits"), 0));
	assert_status(SONDE_OK, sonde_ions_result_write_srim(result, test_path("exits"), 1));
	read_srim("exits", "SPUTTER.txt", &text);
	assert_null(strstr(text, "\nS "));
	free(text);
	assert_status(SONDE_OK, sonde_ions_result_write_srim(result, test_path("no_exits"), 0));
	assert_null(test_read(test_path("no_exits/SPUTTER.txt"), NULL));
	sonde_ions_result_free(&result);
}

static void test_quick_runs_have_nrt_vacancies(void **unused)
{
	sonde_ions_result *result = make_result(4, 1, 1);
	double values[4 * 3];
	char *text;

	(void)unused;
	result->provenance->options.cascades = SONDE_IONS_CASCADES_QUICK;
	for (int i = 0; i < 4; ++i) /* NRT counts what ions set going, and more */
		result->tallies[7].values[i] = 5.0 * together(result, "primary recoils", NULL, i);
	assert_status(SONDE_OK, sonde_ions_result_write_srim(result, test_path("quick"), 0));
	assert_table("quick", "VACANCY.txt", 3, 4, values);
	for (int i = 0; i < 4; ++i)
		assert_within(values[3 * i + 2], 4.0 * values[3 * i + 1], 1e-4 * values[3 * i + 2], "values");
	assert_table("quick", "RANGE.txt", 3, 4, values);
	assert_true(values[2] == 0.0);
	assert_table("quick", "E2RECOIL.txt", 3, 4, values);
	assert_true(values[1] == values[2]);
	read_srim("quick", "NOVAC.txt", &text);
	find_line(text, "    Recoil/Damage Calculations made with Kinchin-Pease Estimates");
	free(text);
	sonde_ions_result_free(&result);
}

/* Names of layers come from users. */
static void test_names_of_users_are_made_harmless(void **unused)
{
	sonde_ions_result *result = make_result(4, 1, 1);
	char *text;

	(void)unused;
	strcpy(result->layers[0].name, "\xc3\xa4\n\x1b[31m");
	assert_status(SONDE_OK, sonde_ions_result_write_srim(result, test_path("strange"), 0));
	read_srim("strange", "IONIZ.txt", &text);
	find_line(text, "Layer  1 : ????[31m\r\n");
	free(text);
	sonde_ions_result_free(&result);
}

static void test_undefined_ranges_are_written(void **unused)
{
	sonde_ions_result *result = make_result(4, 1, 1);
	char *text;

	(void)unused;
	result->implanted = 0;
	result->range.value = result->straggling.value = result->skewness.value = result->kurtosis.value = NAN;
	assert_status(SONDE_OK, sonde_ions_result_write_srim(result, test_path("none"), 1));
	text = test_read(test_path("none/RANGE.txt"), NULL);
	find_line(text, " Ion Average Range = 000000.E+00 A   Straggling = 000000.E+00 A\r\n");
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "inf"));
	free(text);
	sonde_ions_result_free(&result);
}

static void test_existing_files_are_kept(void **unused)
{
	sonde_ions_result *result = make_result(2, 1, 1);

	(void)unused;
	/* one file of many: none is written */
	assert_int_equal(mkdir(test_path("taken"), 0777), 0);
	test_write_text("taken/PHONON.txt", "precious");
	assert_invalid("PHONON.txt: exists already", ions_check_srim(test_path("taken"), false));
	assert_invalid("PHONON.txt: exists already", sonde_ions_result_write_srim(result, test_path("taken"), 0));
	assert_null(test_read(test_path("taken/TDATA.txt"), NULL));
	const char *file = test_write_text("file", "precious");
	assert_invalid("is not a folder", sonde_ions_result_write_srim(result, file, 1));
	assert_invalid("does not exist", sonde_ions_result_write_srim(result, test_path("absent/folder"), 1));
	assert_invalid("the folder is empty", sonde_ions_result_write_srim(result, "", 1));
	sonde_ions_result_free(&result);
}

/* A file cannot be written in the middle: those before it and the folder go again. */
static void test_half_a_folder(void **unused)
{
	sonde_ions_result *result = make_result(2, 1, 1);

	(void)unused;
	assert_int_equal(mkdir(test_path("half"), 0777), 0);
	assert_int_equal(mkdir(test_path("half/NOVAC.txt"), 0777), 0);
	assert_invalid("NOVAC.txt: is a folder", sonde_ions_result_write_srim(result, test_path("half"), 1));
	assert_null(test_read(test_path("half/RANGE.txt"), NULL));
	sonde_ions_result_free(&result);
}

static void test_lack_of_memory_leaves_no_files(void **unused)
{
	sonde_ions_result *result = make_result(3, 2, 2);

	(void)unused;
	assert_true(fail_everywhere(sonde_ions_result_write_srim, result, test_path("memory")) > 20);
	sonde_ions_result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers_look_like_those_of_srim),
	    cmocka_unit_test(test_tables_are_read_like_those_of_srim),
	    cmocka_unit_test(test_exits_are_listed_by_side),
	    cmocka_unit_test(test_quick_runs_have_nrt_vacancies),
	    cmocka_unit_test(test_names_of_users_are_made_harmless),
	    cmocka_unit_test(test_undefined_ranges_are_written),
	    cmocka_unit_test(test_existing_files_are_kept),
	    cmocka_unit_test(test_half_a_folder),
	    cmocka_unit_test(test_lack_of_memory_leaves_no_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
