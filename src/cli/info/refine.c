#include "cli/info/refine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refine/job.h"
#include "run/result_file.h"

bool info_is_refine(struct hdf5_reader *reader)
{
	return hdf5_reader_has(reader, "/refine/summary/chi_square");
}

/* Arrays of parameters or derived numbers; any of them may be null. */
struct values {
	double *value, *error;
	char *names;
	int64_t count;
	size_t size;
};

static sonde_status read_values(struct hdf5_reader *reader, const char *value, const char *error, const char *name,
				struct values *values)
{
	int64_t errors = 0, names = 0;

	if (!hdf5_reader_has(reader, value))
		return SONDE_OK;
	CHECK(hdf5_reader_reals(reader, value, &values->value, &values->count));
	CHECK(hdf5_reader_reals(reader, error, &values->error, &errors));
	CHECK(hdf5_reader_texts(reader, name, &values->names, &names, &values->size));
	values->count = errors < values->count ? errors : values->count;
	values->count = names < values->count ? names : values->count;
	return SONDE_OK;
}

static void report_values(const struct values *values, const char *kind, const char *list, struct report *report)
{
	report_open_list(report, list);
	for (int64_t k = 0; k < values->count; ++k) {
		const char *name = values->names + (size_t)k * values->size;
		report_line(report, kind, "%.*s = %.8g +- %.2g", (int)values->size, name, values->value[k],
			    values->error[k]);
		report_open_object(report, NULL);
		report_words(report, "name", name, (int64_t)strnlen(name, values->size));
		report_number(report, "value", values->value[k]);
		report_number(report, "error", values->error[k]);
		report_close(report);
	}
	report_close(report);
}

static sonde_status describe_values(struct hdf5_reader *reader, const char *value, const char *error,
				    const char *name, const char *kind, const char *list, struct report *report)
{
	struct values values = {0};
	const sonde_status status = read_values(reader, value, error, name, &values);

	if (status == SONDE_OK)
		report_values(&values, kind, list, report);
	free(values.value);
	free(values.error);
	free(values.names);
	return status;
}

/* The file and the kind of each measured curve. */
static void describe_curves(struct hdf5_reader *reader, struct report *report)
{
	for (int d = 0; d < REFINE_MOST_CURVES; ++d) {
		char group[48], path[64];
		if (d == 0)
			snprintf(group, sizeof group, "/refine/curve");
		else
			snprintf(group, sizeof group, "/refine/curve_%d", d + 1);
		if (!hdf5_reader_has(reader, group))
			break;
		snprintf(path, sizeof path, "%s/file", group);
		result_file_text(reader, report, "measured", path);
		snprintf(path, sizeof path, "%s/kind", group);
		result_file_text(reader, report, "kind", path);
	}
}

sonde_status info_describe_refine(struct hdf5_reader *reader, struct report *report)
{
	static const char *const numbers[][2] = {{"points", "/refine/summary/points"},
						 {"fitted", "/refine/summary/parameters"},
						 {"Rwp", "/refine/summary/Rwp"},
						 {"chi_square", "/refine/summary/chi_square"},
						 {"reduced_chi_square", "/refine/summary/reduced_chi_square"},
						 {"atoms", "/refine/summary/atoms"},
						 {"structures", "/refine/summary/structures"},
						 {"converged", "/refine/summary/converged"}};

	result_file_origin(reader, report, "refine");
	describe_curves(reader, report);
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
		const double value = result_file_number(reader, numbers[k][1]);
		report_line(report, numbers[k][0], "%.6g", value);
		report_number(report, numbers[k][0], value);
	}
	CHECK(describe_values(reader, "/refine/parameters/value", "/refine/parameters/value_errors",
			      "/refine/parameters/name", "parameter", "parameters", report));
	CHECK(describe_values(reader, "/refine/derived/value", "/refine/derived/value_errors", "/refine/derived/name",
			      "derived", "derived", report));
	CHECK(result_file_options(reader, report, "refine"));
	result_file_time(reader, report, "refine");
	return SONDE_OK;
}
