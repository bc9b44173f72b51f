#include "refine/refine_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "refine/option_table.h"
#include "run/provenance.h"
#include "sonde/version.h"

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

/* The curve -------------------------------------------------------------------------------------------------------- */

static void write_curve(struct writing *writing)
{
	const struct match_curve *curve = &writing->result->curve;
	struct hdf5_writer *writer = writing->writer;
	const char *axis = curve->curve == LIBRARY_G ? "r" : "q",
		   *unit = curve->curve == LIBRARY_G ? "angstrom" : "1/angstrom";
	const char *const auxiliary[] = {"fit", "background", "residual"};

	hdf5_writer_group(writer, "/refine/curve", "NXdata");
	hdf5_writer_text_attribute(writer, "/refine/curve", "signal", "measured");
	hdf5_writer_texts_attribute(writer, "/refine/curve", "auxiliary_signals", auxiliary, 3);
	hdf5_writer_texts_attribute(writer, "/refine/curve", "axes", &axis, 1);
	hdf5_writer_text(writer, in(writing, "curve", "file"), curve->path);
	hdf5_writer_text(writer, in(writing, "curve", "kind"), library_curve_names[curve->curve]);
	hdf5_writer_text(writer, in(writing, "curve", "radiation"), library_radiation_names[curve->radiation]);
	write_array(writing, "curve", axis, curve->x, curve->count, unit);
	write_array(writing, "curve", "measured", curve->measured, curve->count, NULL);
	write_array(writing, "curve", "measured_errors", curve->sigma, curve->count, NULL);
	write_array(writing, "curve", "fit", curve->fitted, curve->count, NULL);
	write_array(writing, "curve", "background", curve->background, curve->count, NULL);
	write_array(writing, "curve", "residual", curve->residual, curve->count, NULL);
	hdf5_writer_real(writer, in(writing, "curve", "scale"), curve->scale, NULL);
	hdf5_writer_real(writer, in(writing, "curve", "Rexp"), curve->rexp, "1");
	hdf5_writer_real(writer, in(writing, "curve", "interpolation_error"), curve->interpolation_error, "1");
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

/* Names of equal size in one array. */
static sonde_status write_names(struct writing *writing, const char *group, const struct refine_value *values,
				int count)
{
	size_t size = 1;
	char *bytes;

	for (int k = 0; k < count; ++k)
		size = strlen(values[k].name) + 1 > size ? strlen(values[k].name) + 1 : size;
	CHECK(memory_allocate(&bytes, (size_t)count, size, "names"));
	for (int k = 0; k < count; ++k)
		memcpy(bytes + (size_t)k * size, values[k].name, strlen(values[k].name));
	hdf5_writer_texts(writing->writer, in(writing, group, "name"), bytes, count, (int64_t)size);
	free(bytes);
	return SONDE_OK;
}

static sonde_status write_values(struct writing *writing, const char *group, const struct refine_value *values,
				 int count, size_t column_count)
{
	double column[REFINE_MOST_PARAMETERS + REFINE_MOST_DERIVED]; /* either */
	char path[64];

	if (count == 0)
		return SONDE_OK;
	snprintf(path, sizeof path, "/refine/%s", group);
	hdf5_writer_group(writing->writer, path, "NXdata");
	hdf5_writer_text_attribute(writing->writer, path, "signal", "value");
	for (size_t c = 0; c < column_count; ++c) {
		for (int k = 0; k < count; ++k)
			memcpy(&column[k], (const char *)&values[k] + columns[c].offset, sizeof *column);
		write_array(writing, group, columns[c].name, column, count, NULL);
	}
	return write_names(writing, group, values, count);
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
		       {"reduced_chi_square", result->chi_square / (double)(result->points - result->fitted)},
		       {"Rwp", result->rwp},
		       {"points", (double)result->points},
		       {"parameters", (double)result->fitted},
		       {"atoms", result->atoms},
		       {"structures", (double)result->structures},
		       {"converged", (double)result->converged},
		       {"pattern_error", result->error}};

	hdf5_writer_group(writing->writer, "/refine/summary", "NXcollection");
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		hdf5_writer_real(writing->writer, in(writing, "summary", numbers[k].name), numbers[k].value, "1");
}

static sonde_status write_all(struct writing *writing, const struct provenance *provenance)
{
	const struct refine_result *result = writing->result;

	provenance_write_entry(writing->writer, provenance, "refine", "Parameters of a structure", "curve");
	write_summary(writing);
	write_curve(writing);
	CHECK(write_values(writing, "parameters", result->parameters, result->parameter_count, COLUMNS));
	write_correlations(writing);
	CHECK(write_values(writing, "derived", result->derived, result->derived_count, COLUMNS_OF_DERIVED));
	CHECK(write_steps(writing));
	return provenance_write_process(writing->writer, provenance, &refine_option_table, result->options,
					result->seconds);
}

static sonde_status write_nexus(const struct refine_result *result, const struct provenance *provenance,
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

static sonde_status write_table(const struct refine_result *result, const struct provenance *provenance,
				const char *path, bool overwrite)
{
	const size_t length = strlen(path);
	const bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
	const char *between = csv ? "," : " ";
	struct text text = {0};

	provenance_append_origin(&text, provenance, "refine");
	provenance_append_options(&text, &refine_option_table, result->options);
	text_append(&text, "# Rwp = %.6g, chi_square = %.8g, points = %lld, parameters = %lld\n", result->rwp,
		    result->chi_square, (long long)result->points, (long long)result->fitted);
	text_append(&text, "%sname%svalue%serror%slow%shigh\n", csv ? "" : "# ", between, between, between, between);
	append_values(result->parameters, result->parameter_count, between, &text);
	append_values(result->derived, result->derived_count, between, &text);
	return result_text_write(text_status(&text), &text, path, overwrite);
}

/* Formats by their endings; the functions above write them. */
static const struct result_format formats[] = {
    {RESULT_NEXUS_ENDINGS, NULL, NULL}, {RESULT_TABLE_ENDINGS, NULL, NULL}, {0}};

sonde_status refine_file_check(const char *path)
{
	return result_format_check(formats, path);
}

sonde_status refine_file_write(sonde_context *context, const struct refine_result *result, const char *path,
			       bool overwrite)
{
	struct provenance provenance = {0};
	const struct result_format *format = result_format_find(formats, path);

	if (format == NULL)
		return refine_file_check(path);
	sonde_status status = provenance_make(context, NULL, NULL, &provenance);
	provenance_end(context, &provenance);
	if (status == SONDE_OK)
		status = (format == formats ? write_nexus : write_table)(result, &provenance, path, overwrite);
	provenance_free(&provenance);
	return status;
}
