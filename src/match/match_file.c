#include "match/match_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/fit_file.h"
#include "match/match_table.h"
#include "match/option_table.h"

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

static sonde_status write_texts(struct writing *writing, const char *group, const char *name, const void *items,
				int64_t count, fit_file_text *text)
{
	return fit_file_write_texts(writing->writer, in(writing, group, name), items, count, text);
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
		CHECK(fit_file_write_column(writing->writer, in(writing, group, columns->name), items, count, stride,
					    columns->offset, columns->unit));
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
	hdf5_writer_reals(writing->writer, in(writing, "series", "number"), numbers, &series->count, 1, "1",
			  "number");
	free(numbers);
	hdf5_writer_reals(writing->writer, in(writing, "series", "weights"), series->weights, sizes, 2, NULL,
			  "weights of the candidates in each curve");
	hdf5_writer_reals(writing->writer, in(writing, "series", "weights_errors"), series->errors, sizes, 2, NULL,
			  NULL);
	hdf5_writer_reals(writing->writer, in(writing, "series", "chi_square"), series->chi_square, &series->count, 1,
			  "1", "chi_square");
	hdf5_writer_reals(writing->writer, in(writing, "series", "Rwp"), series->rwp, &series->count, 1, "1", "Rwp");
	CHECK(write_texts(writing, "series", "name", series->entries, series->candidates, entry_name));
	return write_texts(writing, "series", "file", series->paths, series->count, series_path);
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

static sonde_status write(struct hdf5_writer *writer, const void *from, const struct provenance *provenance)
{
	const struct match_result *result = from;
	struct writing writing = {.writer = writer, .result = result};

	provenance_write_entry(writer, provenance, "match", "Candidates that explain a measured curve",
			       result->series.count > 0 ? "series" : "curve");
	write_summary(&writing);
	for (int d = 0; d < result->curve_count; ++d)
		CHECK(fit_file_write_curve(writer, "match", d, &result->curves[d], result->weight_count));
	CHECK(write_weights(&writing));
	CHECK(write_ranking(&writing));
	CHECK(write_parameters(&writing));
	CHECK(write_alone(&writing));
	CHECK(write_series(&writing));
	return provenance_write_process(writer, provenance, &match_option_table, result->options, result->seconds);
}

static sonde_status append(const void *from, const struct provenance *provenance, bool csv, struct text *text)
{
	const struct match_result *result = from;

	provenance_append_origin(text, provenance, "match");
	provenance_append_options(text, &match_option_table, result->options);
	match_table_append(result, csv, text);
	return text_status(text);
}

sonde_status match_file_write(sonde_context *context, const struct match_result *result, const char *path,
			      bool overwrite)
{
	static const struct fit_file file = {write, append};
	struct provenance provenance = {0};

	sonde_status status = provenance_begin(context, NULL, NULL, &provenance);
	if (status == SONDE_OK)
		status = fit_file_write(&file, result, &provenance, path, overwrite);
	provenance_free(&provenance);
	return status;
}
