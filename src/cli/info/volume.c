#include "cli/info/volume.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/file_names.h"
#include "base/status.h"
#include "run/report.h"
#include "io/volume/volume_formats.h"

bool info_is_volume(const char *path)
{
	const struct volume_format *format = volume_format(path);

	return format != NULL && format->read != NULL && !file_has_suffix(path, ".h5") &&
	       !file_has_suffix(path, ".hdf5") && !file_has_suffix(path, ".nxs");
}

static void report_range(struct report *report, const char *name, const double *values, int64_t count)
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
		report_print(report, "%-12s %.6g to %.6g, %.6g on average", name, low, high, sum / (double)counted);
	else
		report_print(report, "%-12s none", name);
	if (counted < count)
		report_print(report, "; %lld points are excluded", (long long)(count - counted));
	report_print(report, "\n");
	report_open_object(report, name);
	report_number(report, "least", low);
	report_number(report, "most", high);
	report_number(report, "mean", counted > 0 ? sum / (double)counted : NAN);
	report_integer(report, "left_out", count - counted);
	report_close(report);
}

sonde_status info_describe_volume(const char *path, struct report *report)
{
	struct volume volume;

	CHECK(volume_read(path, &volume));
	const struct grid *grid = &volume.grid;
	int64_t count = grid->size[0] * grid->size[1] * grid->size[2];
	report_text(report, "what", "volume");
	report_line(report, "volume", "%s (%s)", file_names_get(path), volume_format(path)->name);
	report_text(report, "format", volume_format(path)->name);
	const char *const texts[][3] = {{"title", "title", volume.title},
					{"unit", "unit", volume.unit},
					{"field unit", "field_unit", volume.vector_unit}};
	for (int k = 0; k < 3; ++k)
		if (texts[k][2][0] != '\0') {
			report_line(report, texts[k][0], "%s", texts[k][2]);
			report_text(report, texts[k][1], texts[k][2]);
		}
	report_line(report, "points", "%lld x %lld x %lld", (long long)grid->size[0], (long long)grid->size[1],
		    (long long)grid->size[2]);
	report_integers(report, "points", grid->size, 3);
	report_line(report, "origin", "%.10g %.10g %.10g Angstrom", grid->origin[0], grid->origin[1],
		    grid->origin[2]);
	report_numbers(report, "origin_angstrom", grid->origin, 3);
	report_open_list(report, "steps_angstrom");
	for (int k = 0; k < 3; ++k) {
		report_line(report, k == 0 ? "steps" : "", "%.10g %.10g %.10g Angstrom", grid->steps[k][0],
			    grid->steps[k][1], grid->steps[k][2]);
		report_numbers(report, NULL, grid->steps[k], 3);
	}
	report_close(report);
	if (volume.lengths_assumed)
		report_line(report, "lengths", "taken as Angstrom: the title does not give their unit");
	report_boolean(report, "lengths_assumed", volume.lengths_assumed);
	if (volume.values != NULL)
		report_range(report, "values", volume.values, count);
	if (volume.vectors != NULL)
		report_range(report, "vectors", volume.vectors, 3 * count);
	volume_free(&volume);
	return SONDE_OK;
}
