#include "cli/info_volume.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/status.h"
#include "io/volume.h"

bool info_is_volume(const char *path)
{
	const struct volume_format *format = volume_format(path);

	return format != NULL && format->read != NULL && !file_has_suffix(path, ".h5") &&
	       !file_has_suffix(path, ".hdf5") && !file_has_suffix(path, ".nxs");
}

static void print_range(const char *name, const double *values, int64_t count)
{
	double low = INFINITY, high = -INFINITY, sum = 0.0;
	int64_t counted = 0;

	for (int64_t n = 0; n < count; ++n) {
		if (!isfinite(values[n]))
			continue;
		low = fmin(low, values[n]);
		high = fmax(high, values[n]);
		sum += values[n];
		++counted;
	}
	if (counted > 0)
		printf("%-12s %.6g to %.6g, %.6g on average", name, low, high, sum / (double)counted);
	else
		printf("%-12s none", name);
	if (counted < count)
		printf("; %lld points are left out", (long long)(count - counted));
	printf("\n");
}

sonde_status info_describe_volume(const char *path)
{
	struct volume volume;

	CHECK(volume_read(path, &volume));
	const struct grid *grid = &volume.grid;
	int64_t count = grid->size[0] * grid->size[1] * grid->size[2];
	printf("%-12s %s (%s)\n", "volume", path, volume_format(path)->name);
	if (volume.title[0] != '\0')
		printf("%-12s %s\n", "title", volume.title);
	if (volume.unit[0] != '\0')
		printf("%-12s %s\n", "unit", volume.unit);
	if (volume.vector_unit[0] != '\0')
		printf("%-12s %s\n", "field unit", volume.vector_unit);
	printf("%-12s %lld x %lld x %lld\n", "points", (long long)grid->size[0], (long long)grid->size[1],
	       (long long)grid->size[2]);
	printf("%-12s %.10g %.10g %.10g Angstrom\n", "origin", grid->origin[0], grid->origin[1], grid->origin[2]);
	for (int k = 0; k < 3; ++k)
		printf("%-12s %.10g %.10g %.10g Angstrom\n", k == 0 ? "steps" : "", grid->steps[k][0],
		       grid->steps[k][1], grid->steps[k][2]);
	if (volume.lengths_assumed)
		printf("%-12s taken as Angstrom: the title does not name their unit\n", "lengths");
	if (volume.values != NULL)
		print_range("values", volume.values, count);
	if (volume.vectors != NULL)
		print_range("vectors", volume.vectors, 3 * count);
	volume_free(&volume);
	return SONDE_OK;
}
