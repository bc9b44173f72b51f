#include "match/match_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "match/fit_file.h"
#include "match/match_columns.h"
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

static sonde_status write_columns(struct writing *writing, const char *group, const struct match_column *columns,
				  const void *items, int64_t count, size_t stride)
{
	for (; columns->name != NULL; ++columns)
		CHECK(fit_file_write_column(writing->writer, in(writing, group, columns->name), items, count, stride,
					    columns->offset, columns->unit));
	return SONDE_OK;
}

/* Weights and ranking --------------------------------------------------------------------------------------------------------- */

/* Integers of any size, collected by `number`. */
typedef int64_t number_of(const void *items, int64_t k);

static sonde_status write_integers(struct writing *writing, const char *group, const char *name, const void *items,
				   int64_t count, number_of *number)
{
	int64_t *numbers;

	CHECK(memory_allocate(&numbers, (size_t)count, sizeof *numbers, "a table"));
	for (int64_t k = 0; k < count; ++k)
		numbers[k] = number(items, k);
	hdf5_writer_integers(writing->writer, in(writing, group, name), numbers, count);
	free(numbers);
	return SONDE_OK;
}

static const char *pointed_text(const void *items, int64_t k)
{
	const char *text = ((const char *const *)items)[k];

	return text != NULL ? text : "";
}

/* What is known of candidates: struct library_entry in an array of structs. */
static sonde_status write_entries(struct writing *writing, const char *group, const void *items, int64_t count,
				  size_t stride, size_t offset)
{
	const char **texts;
	int64_t *atoms;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&texts, (size_t)count, sizeof *texts, "a table"));
	for (int n = 0; n <= MATCH_ENTRY_TEXTS && status == SONDE_OK; ++n) {
		for (int64_t k = 0; k < count; ++k) {
			const char *entry = (const char *)items + (size_t)k * stride + offset;
			texts[k] =
			    n == MATCH_ENTRY_TEXTS ? ((const struct library_entry *)(const void *)entry)->key : NULL;
			if (n < MATCH_ENTRY_TEXTS)
				memcpy(&texts[k], entry + match_entry_texts[n].offset, sizeof texts[k]);
		}
		status = write_texts(writing, group, n < MATCH_ENTRY_TEXTS ? match_entry_texts[n].name : "key", texts,
				     count, pointed_text);
	}
	free(texts);
	CHECK(status);
	CHECK(memory_allocate(&atoms, (size_t)count, sizeof *atoms, "a table"));
	for (int64_t k = 0; k < count; ++k)
		memcpy(&atoms[k],
		       (const char *)items + (size_t)k * stride + offset + offsetof(struct library_entry, atoms),
		       sizeof *atoms);
	hdf5_writer_integers(writing->writer, in(writing, group, "atoms"), atoms, count);
	free(atoms);
	return fit_file_write_column(writing->writer, in(writing, group, "size"), items, count, stride,
				     offset + offsetof(struct library_entry, size), "angstrom");
}

static int64_t weight_candidate(const void *items, int64_t k)
{
	return ((const struct match_weight *)items)[k].candidate;
}

static int64_t weight_alternatives(const void *items, int64_t k)
{
	return ((const struct match_weight *)items)[k].alternative_count;
}

static const char *alternative_name(const void *items, int64_t k)
{
	const char *name =
	    ((const struct match_weight *)items)[k / MATCH_ALTERNATIVES].alternatives[k % MATCH_ALTERNATIVES];

	return name != NULL ? name : "";
}

static int64_t rank_candidate(const void *items, int64_t k)
{
	return ((const struct match_rank *)items)[k].candidate;
}

static sonde_status write_weights(struct writing *writing)
{
	const struct match_result *result = writing->result;
	const int64_t count = result->weight_count;

	hdf5_writer_group(writing->writer, "/match/weights", "NXdata");
	if (count == 0)
		return SONDE_OK;
	hdf5_writer_text_attribute(writing->writer, "/match/weights", "signal", "weight");
	CHECK(
	    write_columns(writing, "weights", match_weight_columns, result->weights, count, sizeof *result->weights));
	CHECK(write_integers(writing, "weights", "candidate", result->weights, count, weight_candidate));
	CHECK(write_integers(writing, "weights", "alternative_count", result->weights, count, weight_alternatives));
	/* MATCH_ALTERNATIVES of each weight, "" where there are fewer */
	CHECK(write_texts(writing, "weights", "alternatives", result->weights, count * MATCH_ALTERNATIVES,
			  alternative_name));
	return write_entries(writing, "weights", result->weights, count, sizeof *result->weights,
			     offsetof(struct match_weight, entry));
}

static sonde_status write_ranking(struct writing *writing)
{
	const struct match_result *result = writing->result;
	const int64_t count = result->rank_count;

	if (count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/ranking", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/ranking", "signal", "chi_square");
	CHECK(write_columns(writing, "ranking", match_rank_columns, result->ranks, count, sizeof *result->ranks));
	CHECK(write_integers(writing, "ranking", "candidate", result->ranks, count, rank_candidate));
	return write_entries(writing, "ranking", result->ranks, count, sizeof *result->ranks,
			     offsetof(struct match_rank, entry));
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

static int64_t parameter_at_bound(const void *items, int64_t k)
{
	return ((const struct match_parameter *)items)[k].at_bound;
}

static sonde_status write_parameter_names(struct writing *writing, const char *group,
					  const struct match_parameter *parameters, int64_t count)
{
	CHECK(write_texts(writing, group, "name", parameters, count, parameter_name));
	CHECK(write_texts(writing, group, "unit", parameters, count, parameter_unit));
	return write_texts(writing, group, "of", parameters, count, parameter_of);
}

static sonde_status write_parameters(struct writing *writing)
{
	const struct match_result *result = writing->result;
	const int64_t count = result->parameter_count, size = count + result->weight_count, sizes[2] = {size, size};

	if (count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/parameters", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/parameters", "signal", "value");
	CHECK(write_columns(writing, "parameters", match_parameter_columns, result->parameter, count,
			    sizeof *result->parameter));
	CHECK(write_integers(writing, "parameters", "at_bound", result->parameter, count, parameter_at_bound));
	CHECK(write_parameter_names(writing, "parameters", result->parameter, count));
	hdf5_writer_reals(writing->writer, in(writing, "parameters", "correlations"), result->correlations, sizes, 2,
			  "1", "correlations of the parameters, and of the weights after them");
	return SONDE_OK;
}

static sonde_status write_alone(struct writing *writing)
{
	const struct match_result *result = writing->result;

	if (result->alone_count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/refined_ranking", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/refined_ranking", "signal", "chi_square");
	CHECK(write_columns(writing, "refined_ranking", match_alone_columns, result->alone, result->alone_count,
			    sizeof *result->alone));
	return write_entries(writing, "refined_ranking", result->alone, result->alone_count, sizeof *result->alone,
			     offsetof(struct match_alone, entry));
}

static const char *series_path(const void *items, int64_t k)
{
	return ((char *const *)items)[k];
}

/* Ends of 95 % intervals, which may be null. */
static void write_intervals(struct writing *writing, const char *group, const char *low_name, const char *high_name,
			    const double *low, const double *high, const int64_t sizes[2])
{
	if (low == NULL)
		return;
	hdf5_writer_reals(writing->writer, in(writing, group, low_name), low, sizes, 2, NULL,
			  "lower ends of 95 % intervals");
	hdf5_writer_reals(writing->writer, in(writing, group, high_name), high, sizes, 2, NULL,
			  "upper ends of 95 % intervals");
}

/* Values against the number of the curve, which programs for NeXus draw by themselves. */
static sonde_status write_series_parameters(struct writing *writing)
{
	const struct match_series *series = &writing->result->series;
	const int64_t count = series->parameter_count, sizes[2] = {series->count, count};
	const char *const group = "series_parameters";

	if (count == 0)
		return SONDE_OK;
	hdf5_writer_group(writing->writer, "/match/series_parameters", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/match/series_parameters", "signal", "value");
	hdf5_writer_reals(writing->writer, in(writing, group, "value"), series->values, sizes, 2, NULL,
			  "refined parameters in each curve");
	hdf5_writer_reals(writing->writer, in(writing, group, "value_errors"), series->value_errors, sizes, 2, NULL,
			  NULL);
	write_intervals(writing, group, "interval_low", "interval_high", series->value_low, series->value_high,
			sizes);
	CHECK(write_columns(writing, group, match_series_parameter_columns, series->parameter, count,
			    sizeof *series->parameter));
	return write_parameter_names(writing, group, series->parameter, count);
}

static void write_array(struct writing *writing, const char *group, const char *name, const double *values,
			int64_t count, const char *unit)
{
	hdf5_writer_reals(writing->writer, in(writing, group, name), values, &count, 1, unit, name);
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
	write_intervals(writing, "series", "weights_low", "weights_high", series->low, series->high, sizes);
	write_array(writing, "series", "chi_square", series->chi_square, series->count, "1");
	write_array(writing, "series", "Rwp", series->rwp, series->count, "1");
	CHECK(write_entries(writing, "series", series->entries, series->candidates, sizeof *series->entries, 0));
	CHECK(write_texts(writing, "series", "file", series->paths, series->count, series_path));
	for (int d = 0; d < series->further; ++d) {
		char name[32];
		snprintf(name, sizeof name, "file_%d", d + 2);
		CHECK(write_texts(writing, "series", name, series->further_paths + d * series->count, series->count,
				  series_path));
	}
	return write_series_parameters(writing);
}

static sonde_status write_summary(struct writing *writing)
{
	const struct match_result *result = writing->result;
	struct hdf5_writer *writer = writing->writer;
	const struct {
		const char *name;
		double value;
	} numbers[] = {{"reduced_chi_square", result->chi_square / (double)result->degrees_of_freedom},
		       {"points", (double)result->points},
		       {"parameters", (double)result->parameters},
		       {"degrees_of_freedom", (double)result->degrees_of_freedom},
		       {"candidates", (double)result->candidate_count},
		       {"considered", (double)result->considered},
		       {"dependent", (double)result->dependent},
		       {"passes", (double)result->passes}};

	hdf5_writer_group(writer, "/match/summary", "NXcollection");
	for (const struct match_column *column = match_summary_columns; column->name != NULL; ++column) {
		double value;
		memcpy(&value, (const char *)result + column->offset, sizeof value);
		hdf5_writer_real(writer, in(writing, "summary", column->name), value, column->unit);
	}
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		hdf5_writer_real(writer, in(writing, "summary", numbers[k].name), numbers[k].value, "1");
	return SONDE_OK;
}

static sonde_status write(struct hdf5_writer *writer, const void *from, const struct provenance *provenance)
{
	const struct match_result *result = from;
	struct writing writing = {.writer = writer, .result = result};

	provenance_write_entry(writer, provenance, "match", "Candidates that explain a measured curve",
			       result->series.count > 0 ? "series" : "curve");
	CHECK(write_summary(&writing));
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

	if (result->origin != NULL)
		return fit_file_write(&file, result, result->origin, path, overwrite);
	sonde_status status = provenance_begin(context, NULL, NULL, &provenance);
	if (status == SONDE_OK)
		status = fit_file_write(&file, result, &provenance, path, overwrite);
	provenance_free(&provenance);
	return status;
}
