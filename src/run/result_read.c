#include "run/result_read.h"

#include <limits.h>

#include "base/memory.h"

sonde_status result_read_integer(struct hdf5_reader *reader, const char *path, int64_t *value)
{
	return hdf5_reader_exact_integers(reader, path, 1, value);
}

sonde_status result_read_count(struct hdf5_reader *reader, const char *path, int *value)
{
	int64_t integer;

	CHECK(result_read_integer(reader, path, &integer));
	if (integer < 0 || integer > INT_MAX)
		return status_fail(SONDE_INVALID, "%s: %lld is not a possible count", path, (long long)integer);
	*value = (int)integer;
	return SONDE_OK;
}

sonde_status result_read_real(struct hdf5_reader *reader, const char *path, double *value)
{
	const int64_t one = 1;

	return hdf5_reader_exact_reals(reader, path, &one, 1, value);
}

sonde_status result_read_reals(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
			       double **values)
{
	size_t count = 1;

	for (int k = 0; k < rank; ++k)
		if (sizes[k] < 0 || __builtin_mul_overflow(count, (size_t)sizes[k], &count))
			return status_fail(SONDE_INVALID, "%s: too many numbers", path);
	CHECK(memory_allocate(values, count + 1, sizeof **values, "the result"));
	return hdf5_reader_exact_reals(reader, path, sizes, rank, *values);
}

sonde_status result_read(const struct result_reading *reading, sonde_context *context, const char *path,
			 void **result)
{
	struct hdf5_reader *reader;

	*result = NULL;
	if (path == NULL)
		return status_fail(SONDE_INVALID, "a file name is needed, it is null");
	CHECK(hdf5_reader_open(&reader, path));
	sonde_status status = memory_allocate(result, reading->size, 1, "the result");
	if (status == SONDE_OK)
		status = reading->read(context, reader, path, *result);
	hdf5_reader_close(&reader);
	if (status != SONDE_OK)
		reading->free(result);
	return status;
}
