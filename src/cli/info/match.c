#include "cli/info/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/result_file.h"

#define MOST_SHOWN 12

bool info_is_match(struct hdf5_reader *reader)
{
	return hdf5_reader_has(reader, "/match/summary/chi_square");
}

/* Arrays of the weights; any of them may be null. */
struct weights {
	double *weight, *error;
	char *names;
	int64_t count;
	size_t size;
};

static sonde_status read_weights(struct hdf5_reader *reader, struct weights *weights)
{
	int64_t errors = 0, names = 0;

	if (!hdf5_reader_has(reader, "/match/weights/weight"))
		return SONDE_OK;
	CHECK(hdf5_reader_reals(reader, "/match/weights/weight", &weights->weight, &weights->count));
	CHECK(hdf5_reader_reals(reader, "/match/weights/weight_errors", &weights->error, &errors));
	CHECK(hdf5_reader_texts(reader, "/match/weights/name", &weights->names, &names, &weights->size));
	weights->count = errors < weights->count ? errors : weights->count;
	weights->count = names < weights->count ? names : weights->count;
	return SONDE_OK;
}

static void report_weights(const struct weights *weights, struct report *report)
{
	report_open_list(report, "weights");
	for (int64_t k = 0; k < weights->count; ++k) {
		const char *name = weights->names + (size_t)k * weights->size;
		if (k < MOST_SHOWN)
			report_line(report, "weight", "%.5g +- %.2g: %.*s", weights->weight[k], weights->error[k],
				    (int)weights->size, name);
		report_open_object(report, NULL);
		report_words(report, "name", name, (int64_t)strnlen(name, weights->size));
		report_number(report, "weight", weights->weight[k]);
		report_number(report, "error", weights->error[k]);
		report_close(report);
	}
	report_close(report);
}

/* Arrays of the refined parameters; any of them may be null. */
struct parameters {
	double *value, *error;
	char *names, *owners;
	int64_t count;
	size_t size, owner_size;
};

static sonde_status read_parameters(struct hdf5_reader *reader, struct parameters *parameters)
{
	int64_t counts[3] = {0};

	if (!hdf5_reader_has(reader, "/match/parameters/value"))
		return SONDE_OK;
	CHECK(hdf5_reader_reals(reader, "/match/parameters/value", &parameters->value, &parameters->count));
	CHECK(hdf5_reader_reals(reader, "/match/parameters/value_errors", &parameters->error, &counts[0]));
	CHECK(hdf5_reader_texts(reader, "/match/parameters/name", &parameters->names, &counts[1], &parameters->size));
	CHECK(hdf5_reader_texts(reader, "/match/parameters/of", &parameters->owners, &counts[2],
				&parameters->owner_size));
	for (int k = 0; k < 3; ++k)
		parameters->count = counts[k] < parameters->count ? counts[k] : parameters->count;
	return SONDE_OK;
}

static void report_parameters(const struct parameters *parameters, struct report *report)
{
	report_open_list(report, "refined");
	for (int64_t k = 0; k < parameters->count; ++k) {
		const char *name = parameters->names + (size_t)k * parameters->size,
			   *of = parameters->owners + (size_t)k * parameters->owner_size;
		const int length = (int)strnlen(of, parameters->owner_size);
		if (k < MOST_SHOWN)
			report_line(report, k == 0 ? "refined" : "", "%.*s %.6g +- %.2g%s%.*s", (int)parameters->size,
				    name, parameters->value[k], parameters->error[k], length > 0 ? ": " : "", length,
				    of);
		report_open_object(report, NULL);
		report_words(report, "name", name, (int64_t)strnlen(name, parameters->size));
		report_words(report, "of", of, length);
		report_number(report, "value", parameters->value[k]);
		report_number(report, "error", parameters->error[k]);
		report_close(report);
	}
	report_close(report);
}

static sonde_status describe_parameters(struct hdf5_reader *reader, struct report *report)
{
	struct parameters parameters = {0};
	const sonde_status status = read_parameters(reader, &parameters);

	if (status == SONDE_OK && parameters.count > 0)
		report_parameters(&parameters, report);
	free(parameters.value);
	free(parameters.error);
	free(parameters.names);
	free(parameters.owners);
	return status;
}

static sonde_status describe_series(struct hdf5_reader *reader, struct report *report)
{
	int64_t sizes[2] = {0};
	int rank;

	if (!hdf5_reader_has(reader, "/match/series/weights"))
		return SONDE_OK;
	CHECK(hdf5_reader_sizes(reader, "/match/series/weights", 2, sizes, &rank));
	const int64_t curves = sizes[0], candidates = rank == 2 ? sizes[1] : 1;
	report_line(report, "series", "%lld curves, weights of %lld candidates in each%s", (long long)curves,
		    (long long)candidates,
		    hdf5_reader_has(reader, "/match/series_parameters/value") ? ", and refined parameters" : "");
	report_integer(report, "series", curves);
	report_integer(report, "series_candidates", candidates);
	return SONDE_OK;
}

sonde_status info_describe_match(struct hdf5_reader *reader, struct report *report)
{
	static const char *const numbers[][2] = {
	    {"candidates", "/match/summary/candidates"}, {"points", "/match/summary/points"},
	    {"parameters", "/match/summary/parameters"}, {"Rwp", "/match/summary/Rwp"},
	    {"chi_square", "/match/summary/chi_square"}, {"reduced_chi_square", "/match/summary/reduced_chi_square"},
	    {"condition", "/match/summary/condition"}};
	struct weights weights = {0};

	result_file_origin(reader, report, "match");
	result_file_text(reader, report, "measured", "/match/curve/file");
	result_file_text(reader, report, "kind", "/match/curve/kind");
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
		const double value = result_file_number(reader, numbers[k][1]);
		report_line(report, numbers[k][0], "%.6g", value);
		report_number(report, numbers[k][0], value);
	}
	const sonde_status status = read_weights(reader, &weights);
	if (status == SONDE_OK)
		report_weights(&weights, report);
	free(weights.weight);
	free(weights.error);
	free(weights.names);
	CHECK(status);
	CHECK(describe_parameters(reader, report));
	CHECK(describe_series(reader, report));
	CHECK(result_file_options(reader, report, "match"));
	result_file_time(reader, report, "match");
	return SONDE_OK;
}
