#include "refine/refine_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "match/fit_file.h"
#include "refine/option_table.h"

struct writing {
	struct hdf5_writer *writer;
	const struct refine_result *result;
	char path[96];
};

/* GROUP/name; valid until the next call. */
static const char *in(struct writing *writing, const char *group, const char *name)
{
	snprintf(writing->path, sizeof writing->path, "/refine/%s/%s", group, name);
	return writing->path;
}

static void write_array(struct writing *writing, const char *group, const char *name, const double *values,
			int64_t count, const char *unit)
{
	hdf5_writer_reals(writing->writer, in(writing, group, name), values, &count, 1, unit, name);
}

/* Parameters --------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t offset;
} columns[] = {
    {"value", offsetof(struct refine_value, value)}, {"value_errors", offsetof(struct refine_value, error)},
    {"low", offsetof(struct refine_value, low)},     {"high", offsetof(struct refine_value, high)},
    {"start", offsetof(struct refine_value, start)}, {"lower", offsetof(struct refine_value, lower)},
    {"upper", offsetof(struct refine_value, upper)}, {"step", offsetof(struct refine_value, step)}};
#define COLUMNS (sizeof columns / sizeof *columns)
#define COLUMNS_OF_DERIVED 5

static const char *name_of(const void *items, int64_t k)
{
	return ((const struct refine_value *)items)[k].name;
}

static sonde_status write_values(struct writing *writing, const char *group, const struct refine_value *values,
				 int count, size_t column_count)
{
	char path[64];

	if (count == 0)
		return SONDE_OK;
	snprintf(path, sizeof path, "/refine/%s", group);
	hdf5_writer_group(writing->writer, path, "NXdata");
	hdf5_writer_text_attribute(writing->writer, path, "signal", "value");
	for (size_t c = 0; c < column_count; ++c)
		CHECK(fit_file_write_column(writing->writer, in(writing, group, columns[c].name), values, count,
					    sizeof *values, columns[c].offset, NULL));
	return fit_file_write_texts(writing->writer, in(writing, group, "name"), values, count, name_of);
}

static void write_correlations(struct writing *writing)
{
	const struct refine_result *result = writing->result;
	const int64_t sizes[2] = {result->parameter_count, result->parameter_count};
	int64_t bounds[REFINE_MOST_PARAMETERS];

	hdf5_writer_reals(writing->writer, "/refine/parameters/correlations", result->correlations, sizes, 2, "1",
			  "correlations of the errors");
	for (int k = 0; k < result->parameter_count; ++k)
		bounds[k] = result->parameters[k].bound;
	hdf5_writer_integers(writing->writer, "/refine/parameters/at_bound", bounds, result->parameter_count);
}

static sonde_status write_steps(struct writing *writing)
{
	const struct refine_result *result = writing->result;
	const int64_t sizes[2] = {result->step_count, result->parameter_count};
	double *numbers;

	hdf5_writer_group(writing->writer, "/refine/steps", "NXdata");
	hdf5_writer_text_attribute(writing->writer, "/refine/steps", "signal", "Rwp");
	hdf5_writer_texts_attribute(writing->writer, "/refine/steps", "axes", (const char *const[]){"number"}, 1);
	CHECK(memory_allocate(&numbers, (size_t)result->step_count, sizeof *numbers, "steps"));
	for (int64_t k = 0; k < result->step_count; ++k)
		numbers[k] = (double)k;
	write_array(writing, "steps", "number", numbers, result->step_count, "1");
	free(numbers);
	write_array(writing, "steps", "Rwp", result->step_rwp, result->step_count, "1");
	hdf5_writer_reals(writing->writer, in(writing, "steps", "values"), result->step_values, sizes, 2, NULL,
			  "parameters after each step");
	return SONDE_OK;
}

static void write_summary(struct writing *writing)
{
	const struct refine_result *result = writing->result;
	const struct {
		const char *name;
		double value;
	} numbers[] = {{"chi_square", result->chi_square},
		       {"reduced_chi_square", result->chi_square / (double)(result->independent - result->fitted)},
		       {"Rwp", result->rwp},
		       {"points", (double)result->points},
		       {"independent_points", (double)result->independent},
		       {"parameters", (double)result->fitted},
		       {"atoms", result->atoms},
		       {"structures", (double)result->structures},
		       {"converged", (double)result->converged},
		       {"pattern_error", result->error}};

	hdf5_writer_group(writing->writer, "/refine/summary", "NXcollection");
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		hdf5_writer_real(writing->writer, in(writing, "summary", numbers[k].name), numbers[k].value, "1");
}

static sonde_status write(struct hdf5_writer *writer, const void *from, const struct provenance *provenance)
{
	const struct refine_result *result = from;
	struct writing writing = {.writer = writer, .result = result};

	provenance_write_entry(writer, provenance, "refine", "Parameters of a structure", "curve");
	write_summary(&writing);
	for (int d = 0; d < result->curve_count; ++d)
		CHECK(fit_file_write_curve(writer, "refine", d, &result->curves[d], 0));
	CHECK(write_values(&writing, "parameters", result->parameters, result->parameter_count, COLUMNS));
	write_correlations(&writing);
	CHECK(write_values(&writing, "derived", result->derived, result->derived_count, COLUMNS_OF_DERIVED));
	CHECK(write_steps(&writing));
	return provenance_write_process(writer, provenance, &refine_option_table, result->options, result->seconds);
}

/* Tables ------------------------------------------------------------------------------------------------------------- */

static void append_values(const struct refine_value *values, int count, const char *between, struct text *text)
{
	for (int k = 0; k < count; ++k) {
		const double numbers[] = {values[k].value, values[k].error, values[k].low, values[k].high};
		text_append(text, "%s", values[k].name);
		for (size_t c = 0; c < sizeof numbers / sizeof *numbers; ++c)
			text_append(text, "%s%.10g", between, numbers[c]);
		text_append(text, "\n");
	}
}

static sonde_status append(const void *from, const struct provenance *provenance, bool csv, struct text *text)
{
	const struct refine_result *result = from;
	const char *between = csv ? "," : " ";

	provenance_append_origin(text, provenance, "refine");
	provenance_append_options(text, &refine_option_table, result->options);
	text_append(text, "# Rwp = %.6g, chi_square = %.8g, points = %lld, parameters = %lld\n", result->rwp,
		    result->chi_square, (long long)result->points, (long long)result->fitted);
	text_append(text, "%sname%svalue%serror%slow%shigh\n", csv ? "" : "# ", between, between, between, between);
	append_values(result->parameters, result->parameter_count, between, text);
	append_values(result->derived, result->derived_count, between, text);
	return text_status(text);
}

sonde_status refine_file_write(sonde_context *context, const struct refine_result *result, const char *path,
			       bool overwrite)
{
	static const struct fit_file file = {write, append};
	struct provenance provenance = {0};

	sonde_status status = provenance_make(context, NULL, NULL, &provenance);
	provenance_end(context, &provenance);
	if (status == SONDE_OK && result->job != NULL && result->job->text != NULL)
		status = memory_copy_text(result->job->text, &provenance.job_file, "text");
	if (status == SONDE_OK)
		status = fit_file_write(&file, result, &provenance, path, overwrite);
	provenance_free(&provenance);
	return status;
}
