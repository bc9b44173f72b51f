#include "cli/report/point_errors.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report/page_text.h"
#include "cli/report/reduced.h"
#include "pattern/nexus_names.h"
#include "sonde/result.h"

/* Whether the file has a table of errors, or counts, and not too many points. */
static bool is_wanted(struct hdf5_reader *reader)
{
	static const char *const arrays[] = {"/pattern/data/I", "/pattern/data/F", PARTIALS, COUNTS};
	int64_t sizes[REDUCED_MOST_RANK];
	int rank;

	if (!hdf5_reader_has(reader, ERROR_NODES) && !hdf5_reader_has(reader, COUNTS))
		return false;
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
		int64_t count = 1;
		if (!hdf5_reader_has(reader, arrays[k]))
			continue;
		if (hdf5_reader_sizes(reader, arrays[k], REDUCED_MOST_RANK, sizes, &rank) != SONDE_OK)
			return false;
		for (int axis = 0; axis < rank; ++axis)
			count *= sizes[axis];
		if (count > REDUCED_MOST_READ)
			return false;
	}
	return true;
}

static bool is_error(struct hdf5_reader *reader, const sonde_dataset *dataset)
{
	static const char within[] = "/pattern/data/", ending[] = "_errors";
	const size_t length = strlen(dataset->path);

	return strncmp(dataset->path, within, sizeof within - 1) == 0 && length > sizeof ending &&
	       strcmp(dataset->path + length - (sizeof ending - 1), ending) == 0 && dataset->element == SONDE_REAL &&
	       dataset->rank > 0 && !hdf5_reader_has(reader, dataset->path);
}

static sonde_status append_dataset(const sonde_dataset *dataset, struct text *page)
{
	int64_t each[REDUCED_MOST_RANK];
	struct reduced array;
	double *means;

	reduced_init(&array, dataset->sizes, dataset->rank);
	reduced_choose(&array, each);
	CHECK(reduced_average(&array, each, dataset->values, &means));
	text_append(page, ",\n{\"path\":");
	page_append_text(page, dataset->path);
	text_append(page, ",\"kind\":\"numbers\",\"units\":");
	page_append_text(page, dataset->unit);
	text_append(page, ",\"long_name\":");
	page_append_text(page, dataset->long_name);
	reduced_append(&array, means != NULL ? means : dataset->values, page);
	text_append(page, "}");
	free(means);
	return SONDE_OK;
}

sonde_status point_errors_append(sonde_context *context, struct hdf5_reader *reader, const char *path,
				 struct text *page)
{
	sonde_result *result = NULL;
	sonde_contents contents;

	if (!is_wanted(reader))
		return SONDE_OK;
	sonde_status status = sonde_result_read(context, path, &result);
	if (status == SONDE_OK)
		status = sonde_result_contents(result, &contents);
	for (int64_t n = 0; status == SONDE_OK && n < contents.dataset_count; ++n)
		if (is_error(reader, &contents.datasets[n]))
			status = append_dataset(&contents.datasets[n], page);
	sonde_result_free(&result);
	return status == SONDE_RESOURCE || status == SONDE_CANCELLED ? status : SONDE_OK;
}
