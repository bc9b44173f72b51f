#include "match/match_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "match/match_table.h"
#include "match/option_table.h"
#include "run/provenance.h"
#include "sonde/version.h"

struct writing {
	struct hdf5_writer *writer;
	const struct match_result *result;
	char path[96];
};

/* GROUP/name; valid until the next call. */
static const char *in(struct writing *writing, const char *group, const char *name)
{
	snprintf(writing->path, sizeof writing->path, "/match/%s/%s", group, name);
	return writing->path;
}

typedef const char *text_of(const void *items, int64_t k);

/* Texts of equal size in one array. */
static sonde_status write_texts(struct writing *writing, const char *group, const char *name, const void *items,
				int64_t count, text_of *text)
{
	size_t size = 1;
	char *bytes;

	if (count == 0)
		return SONDE_OK;
	for (int64_t k = 0; k < count; ++k)
		size = strlen(text(items, k)) + 1 > size ? strlen(text(items, k)) + 1 : size;
	CHECK(memory_allocate(&bytes, (size_t)count, size, "a table"));
	for (int64_t k = 0; k < count; ++k)
		strcpy(bytes + (size_t)k * size, text(items, k));
	hdf5_writer_texts(writing->writer, in(writing, group, name), bytes, count, (int64_t)size);
	free(bytes);
	return SONDE_OK;
}

/* A number of each item of an array of structs. */
static sonde_status write_column(struct writing *writing, const char *group, const char *name, const void *items,
				 int64_t count, size_t stride, size_t offset, const char *unit)
{
	double *values;

	CHECK(memory_allocate(&values, (size_t)count, sizeof *values, "a table"));
	for (int64_t k = 0; k < count; ++k)
		memcpy(&values[k], (const char *)items + (size_t)k * stride + offset, sizeof *values);
	hdf5_writer_reals(writing->writer, in(writing, group, name), values, &count, 1, unit, NULL);
	free(values);
	return SONDE_OK;
}

/* Curves ---------------------------------------------------------------------------------------------------------------------- */

static void write_array(struct writing *writing, const char *group, const char *name, const double *values,
			int64_t count, const char *unit)
{
	hdf5_writer_reals(writing->writer, in(writing, group, name), values, &count, 1, unit, name);
}

static sonde_status write_peaks(struct writing *writing, const char *group, const struct match_curve *curve)
{
	const size_t stride = sizeof *curve->peaks;
	char inner[64];

	if (curve->peak_count == 0)
		return SONDE_OK;
	snprintf(inner, sizeof inner, "%s/unexplained", group);
	hdf5_writer_group(writing->writer, in(writing, group, "unexplained"), "NXcollection");
	CHECK(write_column(writing, inner, "position", curve->peaks, curve->peak_count, stride,
			   offsetof(struct residual_peak, position), NULL));
	CHECK(write_column(writing, inner, "width", curve->peaks, curve->peak_count, stride,
			   offsetof(struct residual_peak, width), NULL));
	CHECK(write_column(writing, inner, "height", curve->peaks, curve->peak_count, stride,
			   offsetof(struct residual_peak, height), NULL));
	return write_column(writing, inner, "significance", curve->peaks, curve->peak_count, stride,
			    offsetof(struct residual_peak, significance), "1");
}

static sonde_status write_curve(struct writing *writing, int d)
{
	const struct match_curve *curve = &writing->result->curves[d];
	struct hdf5_writer *writer = writing->writer;
	const char *axis = curve->curve == LIBRARY_G ? "r" : "q",
		   *unit = curve->curve == LIBRARY_G ? "angstrom" : "1/angstrom";
	const int64_t sizes[2] = {writing->result->weight_count, curve->count};
	const char *const auxiliary[] = {"fit", "background", "residual"};
	char group[32], path[64];

	snprintf(group, sizeof group, d == 0 ? "curve" : "curve_%d", d + 1);
	snprintf(path, sizeof path, "/match/%s", group);
	hdf5_writer_group(writer, path, "NXdata");
	hdf5_writer_text_attribute(writer, path, "signal", "measured");
	hdf5_writer_texts_attribute(writer, path, "auxiliary_signals", auxiliary, 3);
	hdf5_writer_texts_attribute(writer, path, "axes", &axis, 1);
	hdf5_writer_text(writer, in(writing, group, "file"), curve->path);
	hdf5_writer_text(writer, in(writing, group, "kind"), library_curve_names[curve->curve]);
	hdf5_writer_text(writer, in(writing, group, "radiation"), library_radiation_names[curve->radiation]);
	write_array(writing, group, axis, curve->x, curve->count, unit);
	write_array(writing, group, "measured", curve->measured, curve->count, NULL);
	write_array(writing, group, "measured_errors", curve->sigma, curve->count, NULL);
	write_array(writing, group, "fit", curve->fitted, curve->count, NULL);
	write_array(writing, group, "background", curve->background, curve->count, NULL);
	write_array(writing, group, "residual", curve->residual, curve->count, NULL);
	if (sizes[0] > 0)
		hdf5_writer_reals(writer, in(writing, group, "contributions"), curve->contributions, sizes, 2, NULL,
				  "weight times curve of each candidate");
	hdf5_writer_real(writer, in(writing, group, "scale"), curve->scale, NULL);
	hdf5_writer_real(writer, in(writing, group, "Rwp"), curve->rwp, "1");
	hdf5_writer_real(writer, in(writing, group, "Rexp"), curve->rexp, "1");
	hdf5_writer_real(writer, in(writing, group, "chi_square"), curve->chi_square, "1");
	hdf5_writer_real(writer, in(writing, group, "interpolation_error"), curve->interpolation_error, "1");
	return write_peaks(writing, group, curve);
}

/* Weights and ranking --------------------------------------------------------------------------------------------------------- */

static const char *weight_name(const void *items, int64_t k)
{
	return ((const struct match_weight *)items)[k].entry.name;
}

static const char *weight_key(const void *items, int64_t k)
{
	return ((const struct match_weight *)items)[k].entry.key;
}

static const char *weight_parameters(const void *items, int64_t k)
{
	return ((const struct match_weight *)items)[k].entry.parameters;
}

static const char *rank_name(const void *items, int64_t k)
{
	return ((const struct match_rank *)items)[k].entry.name;
}

static const char *rank_key(const void *items, int64_t k)
{
	return ((const struct match_rank *)items)[k].entry.key;
}

struct column {
	const char *name, *unit;
	size_t offset;
};

static sonde_status write_columns(struct writing *writing, const char *group, const struct column *columns,
				  const void *items, int64_t count, size_t stride)
{
	for (; columns->name != NULL; ++columns)
		CHECK(write_column(writing, group, columns->name, items, count, stride, columns->offset,
				   columns->unit));
	return SONDE_OK;
}

static sonde_status write_numbers_of(struct writing *writing, const char *group, const void *items, int64_t count,
				     size_t stride, size_t offset)
{
	int64_t *numbers;

	CHECK(memory_allocate(&numbers, (size_t)count, sizeof *numbers, "a table"));
	for (int64_t k = 0; k < count; ++k)
		memcpy(&numbers[k], (const char *)items + (size_t)k * stride + offset, sizeof *numbers);
	hdf5_writer_integers(writing->writer, in(writing, group, "candidate"), numbers, count);
	free(numbers);
	return SONDE_OK;
}

static sonde_status write_weights(struct writing *writing)
{
	static const struct column columns[] = {{"weight", NULL, offsetof(struct match_weight, weight)},
						{"weight_errors", NULL, offsetof(struct match_weight, error)},
						{"low", NULL, offsetof(struct match_weight, low)},
						{"high", NULL, offsetof(struct match_weight, high)},
						{"fraction", "1", offsetof(struct match_weight, fraction)},
						{"inflation", "1", offsetof(struct match_weight, inflation)},
						{"size", "angstrom", offsetof(struct match_weight, entry.size)},
						{0}};
	const struct match_result *result = writing->result;
	const int64_t count = result->weight_count;

	hdf5_writer_group(writing->writer, "/match/weights", "NXdata");
	if (count == 0)
		return SONDE_OK;
	hdf5_writer_text_attribute(writing->writer, "/match/weights", "signal", "weight");
	CHECK(write_columns(writing, "weights", columns, result->weights, count, sizeof *result->weights));
	CHECK(write_numbers_of(writing, "weights", result->weights, count, sizeof *result->weights,
			       offsetof(struct match_weight, candidate)));
	CHECK(write_texts(writing, "weights", "name", result->weights, count, weight_name));
	CHECK(write_texts(writing, "weights", "key", result->weights, count, weight_key));
	return write_texts(writing, "weights", "parameters", result->weights, count, weight_parameters);
}

static sonde_status write_ranking(struct writing *writing)
{
	static const struct column columns[] = {{"scale", NULL, offsetof(struct match_rank, scale)},
						{"chi_square", "1", offsetof(struct match_rank, chi_square)},
						{"Rwp", "1", offsetof(struct match_rank, rwp)},
						{"probability", "1", offsetof(struct match_rank, probability)},
						{0}};
	const struct match_result *result = writing->result;
	const int64_t count = result->rank_count;

	if (count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/ranking", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/ranking", "signal", "chi_square");
	CHECK(write_columns(writing, "ranking", columns, result->ranks, count, sizeof *result->ranks));
	CHECK(write_numbers_of(writing, "ranking", result->ranks, count, sizeof *result->ranks,
			       offsetof(struct match_rank, candidate)));
	CHECK(write_texts(writing, "ranking", "name", result->ranks, count, rank_name));
	return write_texts(writing, "ranking", "key", result->ranks, count, rank_key);
}

static const char *parameter_name(const void *items, int64_t k)
{
	return ((const struct match_parameter *)items)[k].name;
}

static const char *parameter_unit(const void *items, int64_t k)
{
	return ((const struct match_parameter *)items)[k].unit;
}

static const char *parameter_of(const void *items, int64_t k)
{
	return ((const struct match_parameter *)items)[k].of;
}

static sonde_status write_parameters(struct writing *writing)
{
	static const struct column columns[] = {{"value", NULL, offsetof(struct match_parameter, value)},
						{"value_errors", NULL, offsetof(struct match_parameter, error)},
						{"low", NULL, offsetof(struct match_parameter, low)},
						{"high", NULL, offsetof(struct match_parameter, high)},
						{"interval_low", NULL, offsetof(struct match_parameter, interval)},
						{"interval_high", NULL,
						 offsetof(struct match_parameter, interval) + sizeof(double)},
						{0}};
	const struct match_result *result = writing->result;
	const int64_t count = result->parameter_count, size = count + result->weight_count, sizes[2] = {size, size};

	if (count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/parameters", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/parameters", "signal", "value");
	CHECK(write_columns(writing, "parameters", columns, result->parameter, count, sizeof *result->parameter));
	CHECK(write_texts(writing, "parameters", "name", result->parameter, count, parameter_name));
	CHECK(write_texts(writing, "parameters", "unit", result->parameter, count, parameter_unit));
	CHECK(write_texts(writing, "parameters", "of", result->parameter, count, parameter_of));
	hdf5_writer_reals(writing->writer, in(writing, "parameters", "correlations"), result->correlations, sizes, 2,
			  "1", "correlations of the parameters, and of the weights after them");
	return SONDE_OK;
}

static const char *alone_name(const void *items, int64_t k)
{
	return ((const struct match_alone *)items)[k].entry.name;
}

static sonde_status write_alone(struct writing *writing)
{
	static const struct column columns[] = {
	    {"scale", NULL, offsetof(struct match_alone, scale)},
	    {"chi_square", "1", offsetof(struct match_alone, chi_square)},
	    {"Rwp", "1", offsetof(struct match_alone, rwp)},
	    {"strain", "1", offsetof(struct match_alone, values)},
	    {"B", "angstrom^2", offsetof(struct match_alone, values) + sizeof(double)},
	    {"qdamp", "1/angstrom", offsetof(struct match_alone, values) + 2 * sizeof(double)},
	    {"qbroad", "1", offsetof(struct match_alone, values) + 3 * sizeof(double)},
	    {"mean_size", "angstrom", offsetof(struct match_alone, values) + 4 * sizeof(double)},
	    {"width", "1", offsetof(struct match_alone, values) + 5 * sizeof(double)},
	    {0}};
	const struct match_result *result = writing->result;

	if (result->alone_count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/refined_ranking", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/refined_ranking", "signal", "chi_square");
	CHECK(write_columns(writing, "refined_ranking", columns, result->alone, result->alone_count,
			    sizeof *result->alone));
	return write_texts(writing, "refined_ranking", "name", result->alone, result->alone_count, alone_name);
}

static const char *entry_name(const void *items, int64_t k)
{
	return ((const struct library_entry *)items)[k].name;
}

static const char *series_path(const void *items, int64_t k)
{
	return ((char *const *)items)[k];
}

/* Values against the number of the curve, which programs for NeXus draw by themselves. */
static sonde_status write_series_parameters(struct writing *writing)
{
	static const struct column columns[] = {{"low", NULL, offsetof(struct match_parameter, low)},
						{"high", NULL, offsetof(struct match_parameter, high)},
						{0}};
	const struct match_series *series = &writing->result->series;
	const int64_t count = series->parameter_count, sizes[2] = {series->count, count};
	const char *const group = "series/parameters";

	if (count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/series/parameters", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/series/parameters", "signal", "value");
	hdf5_writer_reals(writing->writer, in(writing, group, "value"), series->values, sizes, 2, NULL,
			  "refined parameters in each curve");
	hdf5_writer_reals(writing->writer, in(writing, group, "value_errors"), series->value_errors, sizes, 2, NULL,
			  NULL);
	CHECK(write_columns(writing, group, columns, series->parameter, count, sizeof *series->parameter));
	CHECK(write_texts(writing, group, "name", series->parameter, count, parameter_name));
	CHECK(write_texts(writing, group, "unit", series->parameter, count, parameter_unit));
	return write_texts(writing, group, "of", series->parameter, count, parameter_of);
}

static sonde_status write_series(struct writing *writing)
{
	const struct match_series *series = &writing->result->series;
	const int64_t sizes[2] = {series->count, series->candidates};
	double *numbers;

	if (series->count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/series", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/series", "signal", "weights");
	hdf5_writer_texts_attribute(writing->writer, "/match/series", "axes", (const char *const[]){"number", "."},
				    2);
	CHECK(memory_allocate(&numbers, (size_t)series->count, sizeof *numbers, "a series"));
	for (int64_t k = 0; k < series->count; ++k)
		numbers[k] = (double)(k + 1);
	write_array(writing, "series", "number", numbers, series->count, "1");
	free(numbers);
	hdf5_writer_reals(writing->writer, in(writing, "series", "weights"), series->weights, sizes, 2, NULL,
			  "weights of the candidates in each curve");
	hdf5_writer_reals(writing->writer, in(writing, "series", "weights_errors"), series->errors, sizes, 2, NULL,
			  NULL);
	write_array(writing, "series", "chi_square", series->chi_square, series->count, "1");
	write_array(writing, "series", "Rwp", series->rwp, series->count, "1");
	CHECK(write_texts(writing, "series", "name", series->entries, series->candidates, entry_name));
	CHECK(write_texts(writing, "series", "file", series->paths, series->count, series_path));
	return write_series_parameters(writing);
}

static void write_summary(struct writing *writing)
{
	const struct match_result *result = writing->result;
	struct hdf5_writer *writer = writing->writer;
	const struct {
		const char *name;
		double value;
	} numbers[] = {{"chi_square", result->chi_square},
		       {"reduced_chi_square", result->chi_square / (double)result->degrees_of_freedom},
		       {"Rwp", result->rwp},
		       {"points", (double)result->points},
		       {"parameters", (double)result->parameters},
		       {"candidates", (double)result->candidate_count},
		       {"condition", result->condition},
		       {"improvement", result->improvement}};

	hdf5_writer_group(writer, "/match/summary", "NXcollection");
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		hdf5_writer_real(writer, in(writing, "summary", numbers[k].name), numbers[k].value, "1");
}

static sonde_status write_all(struct writing *writing, const struct provenance *provenance)
{
	const struct match_result *result = writing->result;

	provenance_write_entry(writing->writer, provenance, "match", "Candidates that explain a measured curve",
			       result->series.count > 0 ? "series" : "curve");
	write_summary(writing);
	for (int d = 0; d < result->curve_count; ++d)
		CHECK(write_curve(writing, d));
	CHECK(write_weights(writing));
	CHECK(write_ranking(writing));
	CHECK(write_parameters(writing));
	CHECK(write_alone(writing));
	CHECK(write_series(writing));
	return provenance_write_process(writing->writer, provenance, &match_option_table, result->options,
					result->seconds);
}

static sonde_status write_nexus(const struct match_result *result, const struct provenance *provenance,
				const char *path, bool overwrite)
{
	struct writing writing = {.result = result};

	CHECK(hdf5_writer_create(&writing.writer));
	const sonde_status status = write_all(&writing, provenance);
	if (status == SONDE_OK)
		return hdf5_writer_finish(&writing.writer, path, overwrite);
	hdf5_writer_discard(&writing.writer);
	return status;
}

static sonde_status write_table(const struct match_result *result, const struct provenance *provenance,
				const char *path, bool overwrite)
{
	struct text text = {0};
	const size_t length = strlen(path);

	provenance_append_origin(&text, provenance, "match");
	provenance_append_options(&text, &match_option_table, result->options);
	match_table_append(result, length > 4 && strcmp(path + length - 4, ".csv") == 0, &text);
	return result_text_write(text_status(&text), &text, path, overwrite);
}

/* Formats by their endings; the functions below write them. */
static const struct result_format formats[] = {
    {RESULT_NEXUS_ENDINGS, NULL, NULL}, {RESULT_TABLE_ENDINGS, NULL, NULL}, {0}};

sonde_status match_file_check(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status match_file_write(sonde_context *context, const struct match_result *result, const char *path,
			      bool overwrite)
{
	struct provenance provenance = {0};
	const struct result_format *format = result_format_find(formats, path);

	if (format == NULL)
		return match_file_check(path);
	sonde_status status = provenance_begin(context, NULL, NULL, &provenance);
	if (status == SONDE_OK)
		status = (format == formats ? write_nexus : write_table)(result, &provenance, path, overwrite);
	provenance_free(&provenance);
	return status;
}
