/* Reads the HDF5 files that match_file.c writes. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "match/match_columns.h"
#include "match/match_file.h"
#include "match/option_table.h"
#include "match/refine_choice.h"
#include "run/provenance.h"
#include "run/result_read.h"

#define MOST_CURVES 16
#define MOST_ROWS 10000000 /* of a table */

struct reading {
	struct hdf5_reader *reader;
	struct match_result *result;
	char path[128];
};

/* GROUP/name; valid until the next call. */
static const char *in(struct reading *reading, const char *group, const char *name)
{
	snprintf(reading->path, sizeof reading->path, "/match/%s/%s", group, name);
	return reading->path;
}

static sonde_status is_wrong(const struct reading *reading, const char *what)
{
	return status_fail(SONDE_INVALID, "%s: %s", reading->path, what);
}

/* Rows of a table, 0 without it; its allocated array of structs. */
static sonde_status begin_table(struct reading *reading, const char *group, const char *name, size_t stride,
				void *items, int *count)
{
	const char *path = in(reading, group, name);
	int64_t rows = 0;
	int rank;

	*count = 0;
	if (!hdf5_reader_has(reading->reader, path))
		return SONDE_OK;
	CHECK(hdf5_reader_sizes(reading->reader, path, 1, &rows, &rank));
	if (rank != 1 || rows < 1 || rows > MOST_ROWS)
		return is_wrong(reading, "is not a column of a table");
	CHECK(memory_allocate(items, (size_t)rows, stride, "the result"));
	*count = (int)rows;
	return SONDE_OK;
}

static sonde_status read_columns(struct reading *reading, const char *group, const struct match_column *columns,
				 void *items, int64_t count, size_t stride)
{
	double *values;

	CHECK(memory_allocate(&values, (size_t)count, sizeof *values, "the result"));
	sonde_status status = SONDE_OK;
	for (; columns->name != NULL && status == SONDE_OK; ++columns) {
		status =
		    hdf5_reader_exact_reals(reading->reader, in(reading, group, columns->name), &count, 1, values);
		for (int64_t k = 0; status == SONDE_OK && k < count; ++k)
			memcpy((char *)items + (size_t)k * stride + columns->offset, &values[k], sizeof *values);
	}
	free(values);
	return status;
}

static sonde_status read_integers(struct reading *reading, const char *group, const char *name, int64_t count,
				  int64_t **numbers)
{
	CHECK(memory_allocate(numbers, (size_t)count, sizeof **numbers, "the result"));
	const sonde_status status =
	    hdf5_reader_exact_integers(reading->reader, in(reading, group, name), count, *numbers);
	if (status != SONDE_OK) {
		free(*numbers);
		*numbers = NULL;
	}
	return status;
}

/* Texts of structs in an array: the pointer at `offset` becomes a copy, owned by the result. */
static sonde_status read_texts(struct reading *reading, const char *group, const char *name, void *items,
			       int64_t count, size_t stride, size_t offset)
{
	char *texts;
	int64_t there;
	size_t size;

	CHECK(hdf5_reader_texts(reading->reader, in(reading, group, name), &texts, &there, &size));
	sonde_status status = there == count ? SONDE_OK : is_wrong(reading, "has another number of rows");
	for (int64_t k = 0; status == SONDE_OK && k < count; ++k) {
		const char *text = texts + (size_t)k * size;
		char *copy;
		status = memory_allocate(&copy, strnlen(text, size) + 1, 1, "the result");
		if (status == SONDE_OK) {
			memcpy(copy, text, strnlen(text, size));
			memcpy((char *)items + (size_t)k * stride + offset, &copy, sizeof copy);
		}
	}
	free(texts);
	return status;
}

static sonde_status read_keys(struct reading *reading, const char *group, void *items, int64_t count, size_t stride)
{
	char *texts;
	int64_t there;
	size_t size;

	CHECK(hdf5_reader_texts(reading->reader, in(reading, group, "key"), &texts, &there, &size));
	const bool fits = there == count && size <= LIBRARY_KEY + 1;
	for (int64_t k = 0; fits && k < count; ++k)
		memcpy((char *)items + (size_t)k * stride, texts + (size_t)k * size,
		       strnlen(texts + (size_t)k * size, size < LIBRARY_KEY ? size : LIBRARY_KEY));
	free(texts);
	return fits ? SONDE_OK : is_wrong(reading, "does not have keys of 64 digits");
}

static sonde_status read_entries(struct reading *reading, const char *group, void *items, int64_t count,
				 size_t stride, size_t offset)
{
	const struct match_column size[] = {{"size", NULL, offset + offsetof(struct library_entry, size)}, {0}};
	int64_t *atoms;

	for (int n = 0; n < MATCH_ENTRY_TEXTS; ++n)
		CHECK(read_texts(reading, group, match_entry_texts[n].name, items, count, stride,
				 offset + match_entry_texts[n].offset));
	CHECK(read_keys(reading, group, (char *)items + offset + offsetof(struct library_entry, key), count, stride));
	CHECK(read_integers(reading, group, "atoms", count, &atoms));
	for (int64_t k = 0; k < count; ++k)
		memcpy((char *)items + (size_t)k * stride + offset + offsetof(struct library_entry, atoms), &atoms[k],
		       sizeof *atoms);
	free(atoms);
	return read_columns(reading, group, size, items, count, stride);
}

/* The number of a word among names; SONDE_INVALID if it is none of them. */
static sonde_status read_choice(struct reading *reading, const char *group, const char *name,
				const char *const *names, int count, int *number)
{
	char *word;

	CHECK(hdf5_reader_text(reading->reader, in(reading, group, name), &word));
	for (*number = 0; *number < count && strcmp(word, names[*number]) != 0;)
		++*number;
	free(word);
	return *number < count ? SONDE_OK : is_wrong(reading, "has an unknown word");
}

/* Curves ---------------------------------------------------------------------------------------------------------------------- */

static sonde_status read_peaks(struct reading *reading, const char *group, struct match_curve *curve)
{
	char inner[64];

	snprintf(inner, sizeof inner, "%s/unexplained", group);
	CHECK(begin_table(reading, inner, "position", sizeof *curve->peaks, &curve->peaks, &curve->peak_count));
	return curve->peak_count == 0 ? SONDE_OK
				      : read_columns(reading, inner, match_peak_columns, curve->peaks,
						     curve->peak_count, sizeof *curve->peaks);
}

static sonde_status read_words(struct reading *reading, const char *group, struct match_curve *curve)
{
	int kind, radiation;

	CHECK(hdf5_reader_text(reading->reader, in(reading, group, "file"), &curve->path));
	CHECK(read_choice(reading, group, "kind", library_curve_names, LIBRARY_CURVES, &kind));
	CHECK(read_choice(reading, group, "radiation", library_radiation_names, LIBRARY_RADIATIONS, &radiation));
	CHECK(read_choice(reading, group, "weights", match_weights_names, 4, &curve->weights));
	curve->curve = (enum library_curve)kind;
	curve->radiation = (enum library_radiation)radiation;
	CHECK(result_read_integer(reading->reader, in(reading, group, "points_left_out"), &curve->left_out));
	if (hdf5_reader_has(reading->reader, in(reading, group, "qmax")))
		CHECK(result_read_real(reading->reader, in(reading, group, "qmax"), &curve->qmax));
	/* earlier files do not have it: all points counted */
	curve->independent = -1;
	return hdf5_reader_has(reading->reader, in(reading, group, "independent_points"))
		   ? result_read_integer(reading->reader, in(reading, group, "independent_points"),
					 &curve->independent)
		   : SONDE_OK;
}

static sonde_status read_curve(struct reading *reading, const char *group, struct match_curve *curve)
{
	int64_t sizes[2] = {reading->result->weight_count, 0};
	int rank;

	CHECK(read_words(reading, group, curve));
	CHECK(hdf5_reader_sizes(reading->reader, in(reading, group, "measured"), 1, &sizes[1], &rank));
	curve->count = sizes[1];
	if (curve->independent < 0)
		curve->independent = curve->count;
	const struct {
		const char *name;
		double **values;
	} arrays[] = {{curve->curve == LIBRARY_G ? "r" : "q", &curve->x},
		      {"measured", &curve->measured},
		      {"measured_errors", &curve->sigma},
		      {"fit", &curve->fitted},
		      {"background", &curve->background},
		      {"residual", &curve->residual}};
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		CHECK(result_read_reals(reading->reader, in(reading, group, arrays[k].name), &curve->count, 1,
					arrays[k].values));
	if (sizes[0] > 0)
		CHECK(result_read_reals(reading->reader, in(reading, group, "contributions"), sizes, 2,
					&curve->contributions));
	const struct {
		const char *name;
		double *value;
	} numbers[] = {{"scale", &curve->scale},
		       {"Rwp", &curve->rwp},
		       {"Rexp", &curve->rexp},
		       {"chi_square", &curve->chi_square},
		       {"interpolation_error", &curve->interpolation_error}};
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		CHECK(result_read_real(reading->reader, in(reading, group, numbers[k].name), numbers[k].value));
	return read_peaks(reading, group, curve);
}

static sonde_status read_curves(struct reading *reading)
{
	struct match_result *result = reading->result;
	char group[32] = "curve";

	CHECK(memory_allocate(&result->curves, MOST_CURVES, sizeof *result->curves, "the result"));
	while (result->curve_count < MOST_CURVES &&
	       hdf5_reader_has(reading->reader, in(reading, group, "measured"))) {
		++result->curve_count;
		CHECK(read_curve(reading, group, &result->curves[result->curve_count - 1]));
		snprintf(group, sizeof group, "curve_%d", result->curve_count + 1);
	}
	return result->curve_count > 0 ? SONDE_OK : is_wrong(reading, "is missing");
}

/* Tables ---------------------------------------------------------------------------------------------------------------------- */

/* Names of further candidates, MATCH_ALTERNATIVES for each weight. */
static sonde_status read_alternatives(struct reading *reading)
{
	struct match_result *result = reading->result;
	const int64_t count = (int64_t)result->weight_count * MATCH_ALTERNATIVES;
	char **names;
	int64_t *counts;

	CHECK(read_integers(reading, "weights", "alternative_count", result->weight_count, &counts));
	for (int k = 0; k < result->weight_count; ++k)
		result->weights[k].alternative_count = counts[k];
	free(counts);
	CHECK(memory_allocate(&names, (size_t)count, sizeof *names, "the result"));
	const sonde_status status = read_texts(reading, "weights", "alternatives", names, count, sizeof *names, 0);
	for (int64_t k = 0; k < count; ++k) {
		struct match_weight *weight = &result->weights[k / MATCH_ALTERNATIVES];
		const int64_t n = k % MATCH_ALTERNATIVES;
		if (status == SONDE_OK && n < weight->alternative_count)
			weight->alternatives[n] = names[k];
		else
			free(names[k]);
	}
	free(names);
	return status;
}

static sonde_status read_weights(struct reading *reading)
{
	struct match_result *result = reading->result;
	int64_t *numbers;

	CHECK(begin_table(reading, "weights", "weight", sizeof *result->weights, &result->weights,
			  &result->weight_count));
	const int64_t count = result->weight_count;
	if (count == 0)
		return SONDE_OK;
	CHECK(
	    read_columns(reading, "weights", match_weight_columns, result->weights, count, sizeof *result->weights));
	CHECK(read_integers(reading, "weights", "candidate", count, &numbers));
	for (int64_t k = 0; k < count; ++k)
		result->weights[k].candidate = numbers[k];
	free(numbers);
	CHECK(read_alternatives(reading));
	return read_entries(reading, "weights", result->weights, count, sizeof *result->weights,
			    offsetof(struct match_weight, entry));
}

static sonde_status read_ranking(struct reading *reading)
{
	struct match_result *result = reading->result;
	int64_t *numbers;

	CHECK(begin_table(reading, "ranking", "scale", sizeof *result->ranks, &result->ranks, &result->rank_count));
	const int64_t count = result->rank_count;
	if (count == 0)
		return SONDE_OK;
	CHECK(read_columns(reading, "ranking", match_rank_columns, result->ranks, count, sizeof *result->ranks));
	CHECK(read_integers(reading, "ranking", "candidate", count, &numbers));
	for (int64_t k = 0; k < count; ++k)
		result->ranks[k].candidate = numbers[k];
	free(numbers);
	return read_entries(reading, "ranking", result->ranks, count, sizeof *result->ranks,
			    offsetof(struct match_rank, entry));
}

/* Names and units are constants. */
static sonde_status read_parameter_names(struct reading *reading, const char *group,
					 struct match_parameter *parameters, int64_t count)
{
	char **names;

	CHECK(read_texts(reading, group, "of", parameters, count, sizeof *parameters,
			 offsetof(struct match_parameter, of)));
	CHECK(memory_allocate(&names, (size_t)count, sizeof *names, "the result"));
	sonde_status status = read_texts(reading, group, "name", names, count, sizeof *names, 0);
	for (int64_t k = 0; k < count; ++k) {
		for (int kind = 0; status == SONDE_OK && kind < REFINED_KINDS; ++kind)
			if (strcmp(names[k], refined_kind_names[kind]) == 0) {
				parameters[k].name = refined_kind_names[kind];
				parameters[k].unit = refined_kind_units[kind];
			}
		if (status == SONDE_OK && parameters[k].name == NULL)
			status = is_wrong(reading, "has an unknown parameter");
		free(names[k]);
	}
	free(names);
	return status;
}

static sonde_status read_parameters(struct reading *reading)
{
	struct match_result *result = reading->result;
	int64_t *bounds;

	CHECK(begin_table(reading, "parameters", "value", sizeof *result->parameter, &result->parameter,
			  &result->parameter_count));
	const int64_t count = result->parameter_count, size = count + result->weight_count, sizes[2] = {size, size};
	if (count == 0)
		return SONDE_OK;
	CHECK(read_columns(reading, "parameters", match_parameter_columns, result->parameter, count,
			   sizeof *result->parameter));
	CHECK(read_integers(reading, "parameters", "at_bound", count, &bounds));
	for (int64_t k = 0; k < count; ++k)
		result->parameter[k].at_bound = bounds[k] != 0;
	free(bounds);
	CHECK(read_parameter_names(reading, "parameters", result->parameter, count));
	return result_read_reals(reading->reader, in(reading, "parameters", "correlations"), sizes, 2,
				 &result->correlations);
}

static sonde_status read_alone(struct reading *reading)
{
	struct match_result *result = reading->result;

	CHECK(begin_table(reading, "refined_ranking", "scale", sizeof *result->alone, &result->alone,
			  &result->alone_count));
	if (result->alone_count == 0)
		return SONDE_OK;
	CHECK(read_columns(reading, "refined_ranking", match_alone_columns, result->alone, result->alone_count,
			   sizeof *result->alone));
	return read_entries(reading, "refined_ranking", result->alone, result->alone_count, sizeof *result->alone,
			    offsetof(struct match_alone, entry));
}

/* Series ---------------------------------------------------------------------------------------------------------------------- */

static sonde_status read_series_parameters(struct reading *reading)
{
	struct match_series *series = &reading->result->series;
	const char *const group = "series_parameters";

	CHECK(begin_table(reading, group, "low", sizeof *series->parameter, &series->parameter,
			  &series->parameter_count));
	const int64_t count = series->parameter_count, sizes[2] = {series->count, count};
	if (count == 0)
		return SONDE_OK;
	CHECK(read_columns(reading, group, match_series_parameter_columns, series->parameter, count,
			   sizeof *series->parameter));
	CHECK(read_parameter_names(reading, group, series->parameter, count));
	CHECK(result_read_reals(reading->reader, in(reading, group, "value"), sizes, 2, &series->values));
	CHECK(
	    result_read_reals(reading->reader, in(reading, group, "value_errors"), sizes, 2, &series->value_errors));
	if (!hdf5_reader_has(reading->reader, in(reading, group, "interval_low")))
		return SONDE_OK;
	CHECK(result_read_reals(reading->reader, in(reading, group, "interval_low"), sizes, 2, &series->value_low));
	return result_read_reals(reading->reader, in(reading, group, "interval_high"), sizes, 2, &series->value_high);
}

/* The files of further data sets. */
static sonde_status read_further(struct reading *reading)
{
	struct match_series *series = &reading->result->series;
	const int further = reading->result->curve_count - 1;

	if (further == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&series->further_paths, (size_t)further * (size_t)series->count,
			      sizeof *series->further_paths, "the result"));
	series->further = further;
	for (int d = 0; d < further; ++d) {
		char name[32];
		snprintf(name, sizeof name, "file_%d", d + 2);
		CHECK(read_texts(reading, "series", name, series->further_paths + d * series->count, series->count,
				 sizeof *series->further_paths, 0));
	}
	return SONDE_OK;
}

static sonde_status read_series(struct reading *reading)
{
	struct match_series *series = &reading->result->series;
	int curves, candidates;

	CHECK(begin_table(reading, "series", "number", sizeof *series->paths, &series->paths, &curves));
	series->count = curves;
	if (curves == 0)
		return SONDE_OK;
	CHECK(read_texts(reading, "series", "file", series->paths, curves, sizeof *series->paths, 0));
	CHECK(read_further(reading));
	CHECK(begin_table(reading, "series", "size", sizeof *series->entries, &series->entries, &candidates));
	series->candidates = candidates;
	const int64_t sizes[2] = {curves, candidates};
	if (candidates == 0)
		return is_wrong(reading, "is missing");
	CHECK(read_entries(reading, "series", series->entries, candidates, sizeof *series->entries, 0));
	CHECK(result_read_reals(reading->reader, in(reading, "series", "weights"), sizes, 2, &series->weights));
	CHECK(result_read_reals(reading->reader, in(reading, "series", "weights_errors"), sizes, 2, &series->errors));
	if (hdf5_reader_has(reading->reader, in(reading, "series", "weights_low"))) {
		CHECK(
		    result_read_reals(reading->reader, in(reading, "series", "weights_low"), sizes, 2, &series->low));
		CHECK(result_read_reals(reading->reader, in(reading, "series", "weights_high"), sizes, 2,
					&series->high));
	}
	CHECK(result_read_reals(reading->reader, in(reading, "series", "chi_square"), sizes, 1, &series->chi_square));
	CHECK(result_read_reals(reading->reader, in(reading, "series", "Rwp"), sizes, 1, &series->rwp));
	return read_series_parameters(reading);
}

/* The whole ------------------------------------------------------------------------------------------------------------------- */

/* Counts are kept as numbers. */
static sonde_status read_whole(struct reading *reading, const char *name, int64_t *count)
{
	double value;

	CHECK(result_read_real(reading->reader, in(reading, "summary", name), &value));
	if (!(value >= 0.0 && value < 9e15))
		return is_wrong(reading, "is not a possible count");
	*count = (int64_t)value;
	return SONDE_OK;
}

static sonde_status read_summary(struct reading *reading)
{
	struct match_result *result = reading->result;
	int64_t small[3];

	for (const struct match_column *column = match_summary_columns; column->name != NULL; ++column) {
		double value;
		CHECK(result_read_real(reading->reader, in(reading, "summary", column->name), &value));
		memcpy((char *)result + column->offset, &value, sizeof value);
	}
	CHECK(read_whole(reading, "points", &result->points));
	CHECK(read_whole(reading, "parameters", &result->parameters));
	CHECK(read_whole(reading, "degrees_of_freedom", &result->degrees_of_freedom));
	CHECK(read_whole(reading, "candidates", &result->candidate_count));
	CHECK(read_whole(reading, "considered", &small[0]));
	CHECK(read_whole(reading, "dependent", &small[1]));
	CHECK(read_whole(reading, "passes", &small[2]));
	for (int k = 0; k < 3; ++k)
		if (small[k] > INT_MAX)
			return is_wrong(reading, "is not a possible count");
	result->considered = (int)small[0];
	result->dependent = (int)small[1];
	result->passes = (int)small[2];
	return SONDE_OK;
}

static sonde_status read_all(struct reading *reading, const char *path, sonde_match_options *options)
{
	struct match_result *result = reading->result;

	CHECK(memory_allocate(&result->origin, 1, sizeof *result->origin, "the result"));
	CHECK(provenance_read(reading->reader, path, &match_option_table, options, result->origin, &result->seconds));
	CHECK(read_summary(reading));
	CHECK(read_weights(reading));
	CHECK(read_curves(reading));
	CHECK(read_ranking(reading));
	CHECK(read_parameters(reading));
	CHECK(read_alone(reading));
	return read_series(reading);
}

sonde_status match_file_read(const char *path, sonde_match_options *options, struct match_result *result)
{
	struct reading reading = {.result = result};

	*result = (struct match_result){.options = options};
	CHECK(hdf5_reader_open(&reading.reader, path));
	const sonde_status status = read_all(&reading, path, options);
	hdf5_reader_close(&reading.reader);
	if (status != SONDE_OK)
		match_result_free(result);
	return status;
}
