/* Electronic stopping from tables, compared with the output of SRIM. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonde/sonde.h"
#include "stopping/table.h"

static void compare(const struct stopping_table *table, const char *name, int z2, double allowed)
{
	char path[256], line[512];
	double worst = 0.0;
	int rows = 0;

	snprintf(path, sizeof path, TEST_DATA "/ions/%s", name);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		double energy, electronic;
		if (sscanf(line, "%lf,%*f,%*f,%lf", &energy, &electronic) != 2)
			continue;
		double found = stopping_table_value(table, 1, z2, energy / 1.008);
		worst = fmax(worst, fabs(found / electronic - 1.0));
		++rows;
	}
	fclose(file);
	print_message("%s: %d energies, within %.2g %%\n", name, rows, 100.0 * worst);
	assert_true(rows > 70);
	assert_true(worst < allowed);
}

static void table_agrees_with_output_of_srim(void **unused)
{
	struct stopping_table *table;
	(void)unused;

	assert_status(SONDE_OK, stopping_table_read(TABLES "/noncommercial/stopping_srim13.i16", &table));
	compare(table, "srim_H_in_C.csv", 6, 0.002);
	compare(table, "srim_H_in_Fe.csv", 26, 0.002);
	stopping_table_free(&table);
	assert_null(table);
}

/* As the velocity below the table, and without a step at its nodes and ends. */
static void stopping_is_continuous(void **unused)
{
	struct stopping_table *table;
	(void)unused;

	assert_status(SONDE_OK, stopping_table_read(TABLES "/noncommercial/stopping_dpass21.i16", &table));
	double low = stopping_table_value(table, 14, 14, 0.01), first = stopping_table_value(table, 14, 14, 1.0);
	assert_within(first / low, 10.0, 1e-12, "first low");
	assert_true(stopping_table_value(table, 14, 14, 0.0) == 0.0);
	for (int n = 0; n <= 120; ++n) {
		double energy = pow(10.0, n / 20.0),
		       before = stopping_table_value(table, 92, 79, energy * (1.0 - 1e-9)),
		       after = stopping_table_value(table, 92, 79, fmin(energy * (1.0 + 1e-9), STOPPING_LAST));
		assert_close(after, before, 1e-7, "after");
	}
	stopping_table_free(&table);
}

static void invalid_files_are_refused(void **unused)
{
	struct stopping_table *table = (struct stopping_table *)unused;
	static char zeros[2 * 92 * 92 * 121 + 4];

	assert_invalid("absent.i16: cannot be read", stopping_table_read(test_path("absent.i16"), &table));
	assert_null(table);
	assert_invalid("ends before 1024144 numbers",
		       stopping_table_read(test_write_text("short.i16", "12345"), &table));
	FILE *file = fopen(test_path("long.i16"), "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(zeros, 1, sizeof zeros, file), sizeof zeros);
	fclose(file);
	assert_invalid("has more than", stopping_table_read(test_path("long.i16"), &table));
	memset(zeros, 0x7f, sizeof zeros);
	file = fopen(test_path("other.i16"), "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(zeros, 1, sizeof zeros - 4, file), sizeof zeros - 4);
	fclose(file);
	assert_invalid("is not a stopping table", stopping_table_read(test_path("other.i16"), &table));
	assert_null(table);
}

/* A folder that is set on the context is the only one, whatever the environment names. */
static void folder_of_the_context_is_the_only_one(void **unused)
{
	sonde_stopping_options options;
	sonde_stopping_result *result;
	sonde_context *context;
	(void)unused;

	assert_status(SONDE_OK, sonde_context_create(&context));
	sonde_stopping_options_init(&options);
	snprintf(options.ion, sizeof options.ion, "He");
	snprintf(options.target, sizeof options.target, "Si");
	options.stopping = SONDE_STOPPING_STOPPING_SRIM13;
	assert_int_equal(setenv("SONDE_DATA", TABLES, 1), 0);
	assert_status(SONDE_OK, sonde_context_set_data(context, "/there/is/none"));
	assert_invalid("not found in /there/is/none;", sonde_stopping_run(context, &options, &result));
	assert_null(result);
	assert_int_equal(setenv("SONDE_DATA", "/there/is/none", 1), 0);
	assert_status(SONDE_OK, sonde_context_set_data(context, NULL));
	assert_invalid("not found in /there/is/none;", sonde_stopping_run(context, &options, &result));
	assert_status(SONDE_OK, sonde_context_set_data(context, TABLES));
	assert_status(SONDE_OK, sonde_stopping_run(context, &options, &result));
	assert_true(result->count > 0);
	sonde_stopping_result_free(&result);
	/* and of ions */
	sonde_ions_options ions;
	struct sonde_ions_plan *plan;
	sonde_ions_options_init(&ions);
	snprintf(ions.ion, sizeof ions.ion, "He");
	snprintf(ions.energy, sizeof ions.energy, "10keV");
	snprintf(ions.target, sizeof ions.target, "Si");
	ions.stopping = SONDE_IONS_STOPPING_DPASS21;
	assert_status(SONDE_OK, sonde_ions_plan(context, &ions, &plan));
	sonde_ions_plan_free(&plan);
	assert_status(SONDE_OK, sonde_context_set_data(context, ""));
	assert_invalid("not found in /there/is/none;", sonde_ions_plan(context, &ions, &plan));
	assert_null(plan);
	assert_int_equal(unsetenv("SONDE_DATA"), 0);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(table_agrees_with_output_of_srim), cmocka_unit_test(stopping_is_continuous),
	    cmocka_unit_test(invalid_files_are_refused), cmocka_unit_test(folder_of_the_context_is_the_only_one)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
