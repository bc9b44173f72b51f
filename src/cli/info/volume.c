#include "cli/info/volume.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/file_names.h"
#include "base/status.h"
#include "cli/info/facts.h"
#include "io/volume_formats.h"

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
		facts_print("%-12s %.6g to %.6g, %.6g on average", name, low, high, sum / (double)counted);
	else
		facts_print("%-12s none", name);
	if (counted < count)
		facts_print("; %lld points are left out", (long long)(count - counted));
	facts_print("\n");
	facts_open_object(name);
	facts_number("least", low);
	facts_number("most", high);
	facts_number("mean", counted > 0 ? sum / (double)counted : NAN);
	facts_integer("left_out", count - counted);
	facts_close();
}

sonde_status info_describe_volume(const char *path)
{
	struct volume volume;

	CHECK(volume_read(path, &volume));
	const struct grid *grid = &volume.grid;
	int64_t count = grid->size[0] * grid->size[1] * grid->size[2];
	facts_text("what", "volume");
	facts_line("volume", "%s (%s)", file_names_get(path), volume_format(path)->name);
	facts_text("format", volume_format(path)->name);
	const char *const texts[][3] = {{"title", "title", volume.title},
					{"unit", "unit", volume.unit},
					{"field unit", "field_unit", volume.vector_unit}};
	for (int k = 0; k < 3; ++k)
		if (texts[k][2][0] != '\0') {
			facts_line(texts[k][0], "%s", texts[k][2]);
			facts_text(texts[k][1], texts[k][2]);
		}
	facts_line("points", "%lld x %lld x %lld", (long long)grid->size[0], (long long)grid->size[1],
		   (long long)grid->size[2]);
	facts_integers("points", grid->size, 3);
	facts_line("origin", "%.10g %.10g %.10g Angstrom", grid->origin[0], grid->origin[1], grid->origin[2]);
	facts_numbers("origin_angstrom", grid->origin, 3);
	facts_open_list("steps_angstrom");
	for (int k = 0; k < 3; ++k) {
		facts_line(k == 0 ? "steps" : "", "%.10g %.10g %.10g Angstrom", grid->steps[k][0], grid->steps[k][1],
			   grid->steps[k][2]);
		facts_numbers(NULL, grid->steps[k], 3);
	}
	facts_close();
	if (volume.lengths_assumed)
		facts_line("lengths", "taken as Angstrom: the title does not name their unit");
	facts_boolean("lengths_assumed", volume.lengths_assumed);
	if (volume.values != NULL)
		print_range("values", volume.values, count);
	if (volume.vectors != NULL)
		print_range("vectors", volume.vectors, 3 * count);
	volume_free(&volume);
	return SONDE_OK;
}
