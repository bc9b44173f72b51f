#include "io/volume/volume.h"

#include <stdlib.h>

#include "base/memory.h"

#define MOST_POINTS 1e11

void volume_free(struct volume *volume)
{
	free(volume->values);
	free(volume->vectors);
	free(volume->comments);
	free(volume->charges);
	*volume = (struct volume){0};
}

sonde_status volume_numbers_add(struct volume_numbers *numbers, double value)
{
	CHECK(memory_grow(&numbers->values, &numbers->capacity, (size_t)numbers->count + 1, sizeof(double),
			  "the volume"));
	numbers->values[numbers->count++] = value;
	return SONDE_OK;
}

sonde_status volume_check_size(const char *path, const int64_t size[3])
{
	for (int k = 0; k < 3; ++k)
		if (size[k] < 1 || (double)size[k] > MOST_POINTS)
			return status_fail_file(SONDE_INVALID, path,
						"%lld x %lld x %lld is not a valid number of grid points",
						(long long)size[0], (long long)size[1], (long long)size[2]);
	if ((double)size[0] * (double)size[1] * (double)size[2] > MOST_POINTS)
		return status_fail_file(SONDE_INVALID, path, "%lld x %lld x %lld points are too many",
					(long long)size[0], (long long)size[1], (long long)size[2]);
	return SONDE_OK;
}

sonde_status volume_take_reversed(struct volume *volume, struct volume_numbers *numbers)
{
	const int64_t *size = volume->grid.size;
	const double *from = numbers->values;
	sonde_status status =
	    memory_allocate(&volume->values, (size_t)(size[0] * size[1] * size[2]), sizeof(double), "the volume");

	for (int64_t i = 0; i < size[0] && status == SONDE_OK; ++i)
		for (int64_t j = 0; j < size[1]; ++j)
			for (int64_t k = 0; k < size[2]; ++k)
				volume->values[i + size[0] * (j + size[1] * k)] = *from++;
	free(numbers->values);
	*numbers = (struct volume_numbers){0};
	return status;
}
