/* Reads results from the HDF5 files written by result_nexus.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/result_read.h"
#include "stopping/run.h"

static sonde_status read_table(struct hdf5_reader *reader, const char *path, sonde_stopping_result *result)
{
	const struct {
		const char *path;
		double **values;
	} columns[] = {
	    {"/stopping/table/energy", &result->energies},
	    {"/stopping/table/electronic", &result->electronic},
	    {"/stopping/table/nuclear", &result->nuclear},
	    {"/stopping/table/straggling", &result->straggling},
	    {"/stopping/table/range", &result->range},
	    {"/stopping/table/range_straggling", &result->range_straggling},
	    {"/stopping/table/lateral_straggling", &result->lateral_straggling},
	    {"/stopping/table/path", &result->path},
	    {"/stopping/table/difference", &result->difference},
	};
	const size_t count = sizeof columns / sizeof *columns,
		     present = count - !hdf5_reader_has(reader, "/stopping/table/difference");
	int rank;

	CHECK(hdf5_reader_sizes(reader, columns[0].path, 1, &result->count, &rank));
	if (rank != 1 || result->count < 1)
		return status_fail_file(SONDE_INVALID, path, "has no energies");
	for (size_t k = 0; k < present; ++k)
		CHECK(result_read_reals(reader, columns[k].path, &result->count, 1, columns[k].values));
	return SONDE_OK;
}

/* A text that fits. */
static sonde_status read_word(struct hdf5_reader *reader, const char *path, char *to, size_t size)
{
	char *text;

	CHECK(hdf5_reader_text(reader, path, &text));
	const bool fits = strlen(text) < size;
	if (fits)
		strcpy(to, text);
	free(text);
	return fits ? SONDE_OK : status_fail(SONDE_INVALID, "%s: is longer than %zu bytes", path, size - 1);
}

static sonde_status read_elements(struct hdf5_reader *reader, const char *path, sonde_stopping_result *result)
{
	const size_t most = sizeof result->elements / sizeof *result->elements;
	int64_t count = 1, elements[8]; /* one is a scalar */
	int rank;

	CHECK(hdf5_reader_sizes(reader, "/stopping/target/atomic_numbers", 1, &count, &rank));
	if (count < 1 || count > (int64_t)most)
		return status_fail_file(SONDE_INVALID, path, "has a target of %lld elements", (long long)count);
	result->element_count = (int)count;
	CHECK(hdf5_reader_exact_integers(reader, "/stopping/target/atomic_numbers", count, elements));
	for (int64_t k = 0; k < count; ++k)
		result->elements[k] = (int)elements[k];
	CHECK(hdf5_reader_exact_reals(reader, "/stopping/target/masses", &count, 1, result->masses));
	return hdf5_reader_exact_reals(reader, "/stopping/target/fractions", &count, 1, result->fractions);
}

static sonde_status read_matter(struct hdf5_reader *reader, const char *path, sonde_stopping_result *result)
{
	struct sonde_stopping_provenance *provenance = result->provenance;

	CHECK(read_word(reader, "/stopping/ion/symbol", provenance->symbol, sizeof provenance->symbol));
	CHECK(result_read_count(reader, "/stopping/ion/atomic_number", &result->ion_number));
	CHECK(result_read_real(reader, "/stopping/ion/mass", &result->ion_mass));
	CHECK(read_word(reader, "/stopping/target/material", provenance->material, sizeof provenance->material));
	CHECK(read_word(reader, "/stopping/target/state", provenance->state, sizeof provenance->state));
	CHECK(read_elements(reader, path, result));
	CHECK(result_read_real(reader, "/stopping/target/density", &result->density));
	CHECK(result_read_real(reader, "/stopping/target/atoms", &result->atoms));
	return result_read_real(reader, "/stopping/target/stopping_factor", &provenance->factor);
}

/* Those that earlier versions did not write. */
static sonde_status read_later_errors(struct hdf5_reader *reader, sonde_stopping_result *result)
{
	const struct {
		const char *path;
		double *error;
	} errors[] = {
	    {"/stopping/process/electronic_error", &result->electronic_error},
	    {"/stopping/process/nuclear_error", &result->nuclear_error},
	    {"/stopping/process/straggling_error", &result->straggling_error},
	    {"/stopping/process/difference_error", &result->difference_error},
	};

	for (size_t k = 0; k < sizeof errors / sizeof *errors; ++k) {
		*errors[k].error = NAN;
		if (hdf5_reader_has(reader, errors[k].path))
			CHECK(result_read_real(reader, errors[k].path, errors[k].error));
	}
	return SONDE_OK;
}

static sonde_status read_all(sonde_context *context, struct hdf5_reader *reader, const char *path, void *to)
{
	sonde_stopping_result *result = to;

	(void)context;
	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	struct sonde_stopping_provenance *provenance = result->provenance;
	CHECK(provenance_read(reader, path, &stopping_option_table, &provenance->options, &provenance->run,
			      &result->seconds));
	result->options = &provenance->options;
	CHECK(read_table(reader, path, result));
	CHECK(read_matter(reader, path, result));
	CHECK(result_read_real(reader, "/stopping/process/range_error", &result->range_error));
	CHECK(result_read_real(reader, "/stopping/process/range_straggling_error", &result->range_straggling_error));
	CHECK(result_read_real(reader, "/stopping/process/lateral_straggling_error",
			       &result->lateral_straggling_error));
	CHECK(result_read_real(reader, "/stopping/process/path_error", &result->path_error));
	return read_later_errors(reader, result);
}

static void free_result(void **result)
{
	sonde_stopping_result *stopping = *result;

	sonde_stopping_result_free(&stopping);
	*result = NULL;
}

sonde_status sonde_stopping_result_read(sonde_context *context, const char *path, sonde_stopping_result **result)
{
	static const struct result_reading reading = {sizeof(sonde_stopping_result), read_all, free_result};
	void *read;
	const sonde_status status = result_read(&reading, context, path, &read);

	*result = read;
	return status;
}
