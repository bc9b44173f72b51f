/* Series of films: weights of each row, with further data sets and with intervals. */
#include "unit/films.h"

static void test_a_series_gives_weights_of_each_curve(void **unused)
{
	const int numbers[] = {1, 4};
	const char *library = write_library("s.h5", 0, 6, LIBRARY_XRAY, 1.0);
	char paths[3][1000];
	const char *measured[9];
	sonde_match_options options = defaults();
	struct match_result result, other;

	(void)unused;
	for (int n = 0; n < 3; ++n) {
		const double weights[] = {1.0 + n, 5.0 - n};
		char name[16];
		snprintf(name, sizeof name, "s%d.xy", n);
		snprintf(paths[n], sizeof paths[n], "%s",
			 write_measured(name, numbers, weights, 2, 1.0, 0, 0.01, n != 7, (uint64_t)n));
	}
	for (int n = 0; n < 9; ++n)
		measured[n] = paths[n % 3];
	for (int weights = SONDE_MATCH_WEIGHTS_SIGMA; weights <= SONDE_MATCH_WEIGHTS_UNIFORM; ++weights) {
		options.weights = weights;
		assert_status(SONDE_OK, run_many(measured, 9, library, &options, 1, &result));
		assert_status(SONDE_OK, run_many(measured, 9, library, &options, 4, &other));
		assert_int_equal(result.series.count, 9);
		assert_int_equal(result.series.candidates, 6);
		assert_memory_equal(result.series.weights, other.series.weights, 9 * 6 * sizeof(double));
		for (int n = 0; n < 9; ++n) {
			assert_within(result.series.weights[n * 6 + 1], 1.0 + n % 3, 0.02, "series");
			assert_within(result.series.weights[n * 6 + 4], 5.0 - n % 3, 0.02, "series");
			assert_true(result.series.errors[n * 6 + 1] > 0.0);
		}
		match_result_free(&result);
		match_result_free(&other);
	}
	measured[8] = test_write_text("short.xy", "1 2\n2 3\n3 4\n");
	assert_invalid("short.xy: has other points", run_many(measured, 9, library, &options, 2, &result));
	measured[8] = test_path("absent.xy");
	assert_invalid("absent.xy", run_many(measured, 9, library, &options, 2, &result));
}

#define ROWS 4

/* X-ray curves of rows, and neutron curves of them with a scale of 4 and the candidates in opposite order. */
struct rows {
	char library[1000], other[1000];
	char x[ROWS][1000], n[ROWS][1000];
	const char *measured[ROWS];
};

static void write_rows(struct rows *rows, bool column)
{
	static const int numbers[] = {2, 5};

	snprintf(rows->library, sizeof rows->library, "%s", write_library("rx.h5", 0, 8, LIBRARY_XRAY, 1.0));
	snprintf(rows->other, sizeof rows->other, "%s", write_library("rn.h5", 10, 1, LIBRARY_NEUTRON, 0.25));
	for (int k = 0; k < ROWS; ++k) {
		const double weights[] = {3.0 + k, 1.0 + 0.5 * k};
		char name[16];
		snprintf(name, sizeof name, "rx%d.xy", k);
		snprintf(rows->x[k], sizeof rows->x[k], "%s",
			 write_measured(name, numbers, weights, 2, 1.0, 0, 0.05, column, (uint64_t)(30 + k)));
		snprintf(name, sizeof name, "rn%d.xy", k);
		snprintf(
		    rows->n[k], sizeof rows->n[k], "%s",
		    write_measured(name, numbers, weights, 2, 0.25 * 4.0, 5000, 0.05, column, (uint64_t)(50 + k)));
		rows->measured[k] = rows->x[k];
	}
}

/* Each row is the fit of its files alone, whatever the weights; a file may be that of all rows; patterns stand for files. */
static void test_rows_have_several_curves(void **unused)
{
	static struct rows rows;
	sonde_match_options options = defaults();
	struct match_result result, one, other;
	char pattern[1000];

	(void)unused;
	for (int column = 0; column < 2; ++column) {
		write_rows(&rows, column == 1);
		snprintf(pattern, sizeof pattern, "%s", test_path("rn?.xy"));
		options.sparsity = column == 1 ? SONDE_MATCH_SPARSITY_BIC : SONDE_MATCH_SPARSITY_NONE;
		snprintf(options.with, sizeof options.with, "%s,%s", pattern, rows.other);
		assert_status(SONDE_OK, run_many(rows.measured, ROWS, rows.library, &options, 1, &result));
		assert_status(SONDE_OK, run_many(rows.measured, ROWS, rows.library, &options, 3, &other));
		assert_memory_equal(result.series.weights, other.series.weights, ROWS * 6 * sizeof(double));
		assert_memory_equal(result.series.errors, other.series.errors, ROWS * 6 * sizeof(double));
		match_result_free(&other);
		assert_int_equal(result.series.further, 1);
		assert_string_equal(result.series.further_paths[2], rows.n[2]);
		for (int k = 0; k < ROWS; ++k) {
			snprintf(options.with, sizeof options.with, "%s,%s", rows.n[k], rows.other);
			assert_status(SONDE_OK, run(rows.measured[k], rows.library, &options, 2, &one));
			assert_close(result.series.chi_square[k], one.chi_square, 1e-7, "square");
			assert_close(result.series.rwp[k], one.rwp, 1e-7, "Rwp");
			for (int n = 0; n < one.weight_count; ++n) {
				int64_t j = 0;
				while (strcmp(result.series.entries[j].key, one.weights[n].entry.key) != 0)
					++j;
				assert_within(result.series.weights[k * 6 + j], one.weights[n].weight, 1e-7,
					      "weight");
				assert_close(result.series.errors[k * 6 + j], one.weights[n].error, 1e-7, "error");
			}
			match_result_free(&one);
		}
		match_result_free(&result);
	}
	/* one curve for all rows */
	snprintf(options.with, sizeof options.with, "%s,%s", rows.n[1], rows.other);
	assert_status(SONDE_OK, run_many(rows.measured, ROWS, rows.library, &options, 2, &result));
	assert_string_equal(result.series.further_paths[3], rows.n[1]);
	assert_true(result.series.rwp[3] > 3.0 * result.series.rwp[1]);
	match_result_free(&result);
	/* another number of curves */
	snprintf(options.with, sizeof options.with, "%s,%s,%s", rows.n[1], rows.n[2], rows.other);
	assert_invalid("has 2 measured curves", run_many(rows.measured, ROWS, rows.library, &options, 2, &result));
	assert_message("and the series has 4: one for all curves is needed, or one for each");
	assert_invalid("has 2 measured curves", run(rows.measured[0], rows.library, &options, 2, &result));
	snprintf(options.with, sizeof options.with, "%.1000s,%s", test_path("none*.xy"), rows.other);
	assert_invalid("no file is like", run_many(rows.measured, ROWS, rows.library, &options, 2, &result));
}

/* Intervals of every row: those of the first one by itself, as wide as its errors say, and of candidates without a weight, too. */
static void test_rows_have_intervals(void **unused)
{
	static struct rows rows;
	sonde_match_options options = defaults();
	struct match_result result, other;

	(void)unused;
	write_rows(&rows, true);
	options.bootstrap_all = true;
	assert_invalid("needs the number of synthetic curves",
		       run_many(rows.measured, ROWS, rows.library, &options, 2, &result));
	options.bootstrap = 200;
	for (int round = 0; round < 3; ++round) {
		/* the uncertainty which candidates have a weight makes intervals wider, but not if the others are left out */
		const bool sparse = round > 0;
		double others = 0.0;
		options.sparsity = sparse ? SONDE_MATCH_SPARSITY_BIC : SONDE_MATCH_SPARSITY_NONE;
		if (round == 2)
			snprintf(options.with, sizeof options.with, "%.1000s,%s", test_path("rn*.xy"), rows.other);
		assert_status(SONDE_OK, run_many(rows.measured, ROWS, rows.library, &options, 1, &result));
		assert_status(SONDE_OK, run_many(rows.measured, ROWS, rows.library, &options, 3, &other));
		const int64_t count = result.series.candidates;
		const size_t size = (size_t)(ROWS * count) * sizeof(double);
		assert_memory_equal(result.series.low, other.series.low, size);
		assert_memory_equal(result.series.high, other.series.high, size);
		match_result_free(&other);
		for (int64_t k = 0; k < ROWS * count; ++k) {
			const double weight = result.series.weights[k],
				     width = result.series.high[k] - result.series.low[k];
			assert_true(result.series.low[k] >= 0.0 && width >= 0.0);
			const double expected = 2.0 * 1.96 * result.series.errors[k];
			if (weight > 0.5 && sparse)
				assert_close(width, expected, 0.3, "width");
			else if (weight > 0.5)
				assert_true(width > 0.5 * expected);
			else if (weight == 0.0)
				others = fmax(others, result.series.high[k]);
		}
		assert_true(sparse ? others == 0.0 : others > 0.0);
		for (int n = 0; n < result.weight_count; ++n) {
			int64_t j = 0;
			while (strcmp(result.series.entries[j].key, result.weights[n].entry.key) != 0)
				++j;
			assert_within(result.series.low[j], result.weights[n].low, 1e-7, "lower end");
			assert_within(result.series.high[j], result.weights[n].high, 1e-7, "upper end");
		}
		match_result_free(&result);
	}
	options.bootstrap_all = false;
	assert_status(SONDE_OK, run_many(rows.measured, ROWS, rows.library, &options, 2, &result));
	assert_null(result.series.low);
	match_result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_series_gives_weights_of_each_curve),
	    cmocka_unit_test(test_rows_have_several_curves),
	    cmocka_unit_test(test_rows_have_intervals),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
