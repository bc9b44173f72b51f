#include "fdtd/describe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fdtd/checkpoint.h"
#include "fdtd/fdtd_result.h"
#include "run/result_file.h"

enum { PATH = 400, NAME = 100 };

/* Subject of a line. */
struct listing {
	struct hdf5_reader *reader;
	struct report *report;
	const char *monitor;
	int arrays; /* printed from it */
};

/* "400 x 400 x 400" */
static void report_counts(struct hdf5_reader *reader, struct report *report, const char *name, const char *path)
{
	int64_t *values, count;

	if (!hdf5_reader_has(reader, path) || hdf5_reader_integers(reader, path, &values, &count) != SONDE_OK)
		return;
	for (int64_t n = 0; n < count; ++n)
		report_print(report, "%s%lld", n > 0 ? " x " : "", (long long)values[n]);
	report_integers(report, name, values, count);
	free(values);
}

static void report_edges(struct hdf5_reader *reader, struct report *report)
{
	double *values;
	int64_t count;

	if (!hdf5_reader_has(reader, "/fdtd/grid/cell") ||
	    hdf5_reader_reals(reader, "/fdtd/grid/cell", &values, &count) != SONDE_OK)
		return;
	report_print(report, "%-12s ", "cell");
	for (int64_t n = 0; n < count; ++n)
		report_print(report, "%s%g", n > 0 ? " x " : "", values[n]);
	report_print(report, " m (0: uniform along that axis)\n");
	report_numbers(report, "cell_m", values, count);
	free(values);
}

/* " NAME [sizes]" */
static sonde_status report_array(void *user, const char *name)
{
	struct listing *listing = user;
	struct report *report = listing->report;
	char path[PATH];
	int64_t sizes[8];
	int rank;

	if (strlen(name) > NAME)
		return SONDE_OK;
	snprintf(path, sizeof path, "/fdtd/%s/%s", listing->monitor, name);
	if (hdf5_reader_sizes(listing->reader, path, 8, sizes, &rank) != SONDE_OK)
		return SONDE_OK;
	report_print(report, "%s%s [", listing->arrays++ > 0 ? ", " : "", name);
	for (int r = 0; r < rank; ++r)
		report_print(report, "%s%lld", r > 0 ? ", " : "", (long long)sizes[r]);
	report_print(report, "]");
	report_integers(report, name, sizes, rank);
	return SONDE_OK;
}

/* Monitors are the groups with an axis of frequencies or times; the grid has a time, but no list of them. */
static bool is_monitor(struct hdf5_reader *reader, const char *name)
{
	static const char *const axes[] = {"frequency", "time", "time-of-H"};
	char path[PATH];

	for (size_t k = 0; k < sizeof axes / sizeof *axes && strcmp(name, "grid") != 0; ++k) {
		snprintf(path, sizeof path, "/fdtd/%s/%s", name, axes[k]);
		if (hdf5_reader_has(reader, path))
			return true;
	}
	return false;
}

static sonde_status report_monitor(void *user, const char *name)
{
	struct listing *listing = user;
	struct report *report = listing->report;
	char path[PATH];

	if (strlen(name) > NAME || !is_monitor(listing->reader, name))
		return SONDE_OK;
	snprintf(path, sizeof path, "/fdtd/%s", name);
	report_print(report, "%-12s %s: ", "monitor", name);
	report_open_object(report, NULL);
	report_text(report, "name", name);
	report_open_object(report, "arrays");
	listing->monitor = name;
	listing->arrays = 0;
	sonde_status status = hdf5_reader_members(listing->reader, path, report_array, listing);
	report_print(report, "\n");
	report_close(report);
	report_close(report);
	return status;
}

/* Estimated errors, relative to the largest result; those of companions and of runs without estimates are absent. */
static void report_errors(struct hdf5_reader *reader, struct report *report)
{
	static const struct {
		const char *path, *key, *origin;
	} errors[] = {{"/fdtd/process/grid_error", "grid_error", "of the grid"},
		      {"/fdtd/process/companion_error", "companion_error", "by a companion run"},
		      {"/fdtd/process/truncation_error", "truncation_error", "of the end"},
		      {"/fdtd/process/rounding_error", "rounding_error", "of round-off"}};
	int printed = 0;

	for (size_t k = 0; k < sizeof errors / sizeof *errors; ++k) {
		if (!hdf5_reader_has(reader, errors[k].path))
			continue;
		const double value = result_file_number(reader, errors[k].path);
		if (printed++ == 0)
			report_print(report, "%-12s about ", "error");
		else
			report_print(report, ", ");
		report_print(report, "%.2g %s", text_round_up(value, 2), errors[k].origin);
		report_number(report, errors[k].key, text_round_up(value, 3));
	}
	if (printed > 0)
		report_print(report, "\n");
}

/* How planes went through the device, if they did. */
static sonde_status report_streaming(struct hdf5_reader *reader, struct report *report)
{
	char *method, *store;

	if (!hdf5_reader_has(reader, RESULT_STREAMING "/method"))
		return SONDE_OK;
	CHECK(hdf5_reader_text(reader, RESULT_STREAMING "/method", &method));
	const sonde_status status = hdf5_reader_text(reader, RESULT_STREAMING "/store", &store);
	if (status == SONDE_OK) {
		const double width = result_file_number(reader, RESULT_STREAMING "/slab_width"),
			     height = result_file_number(reader, RESULT_STREAMING "/pass_height");
		report_line(report, "streamed", "%s: slabs of %.0f planes of %.0f, passes of %.0f steps, numbers %s",
			    method, width, result_file_number(reader, RESULT_STREAMING "/planes"), height,
			    strcmp(store, "disk") == 0 ? "in a scratch file" : "in the host's memory");
		report_text(report, "streaming", method);
		report_text(report, "store", store);
		report_number(report, "slab_width", width);
		report_number(report, "pass_height", height);
		free(store);
	}
	free(method);
	return status;
}

sonde_status fdtd_describe(struct hdf5_reader *reader, struct report *report)
{
	struct listing listing = {.reader = reader, .report = report};

	const double steps = result_file_number(reader, "/fdtd/grid/steps"),
		     step = result_file_number(reader, "/fdtd/grid/time_step"),
		     time = result_file_number(reader, "/fdtd/grid/time"),
		     left = result_file_number(reader, "/fdtd/grid/left");

	report_print(report, "%-12s ", "cells");
	report_counts(reader, report, "cells", "/fdtd/grid/cells");
	report_print(report, ", of these ");
	report_counts(reader, report, "inner_cells", "/fdtd/grid/inner_cells");
	report_print(report, " between the layers\n");
	report_edges(reader, report);
	report_line(report, "steps", "%.0f of %g s: %g s; the field is at %.2g of its peak", steps, step, time, left);
	report_number(report, "steps", steps);
	report_number(report, "time_step_s", step);
	report_number(report, "time_s", time);
	report_number(report, "field_left", left);
	report_errors(reader, report);
	CHECK(report_streaming(reader, report));
	report_open_list(report, "monitors");
	CHECK(hdf5_reader_members(reader, "/fdtd", report_monitor, &listing));
	report_close(report);
	result_file_text(reader, report, "device", "/fdtd/process/device");
	CHECK(result_file_options(reader, report, "fdtd"));
	result_file_time(reader, report, "fdtd");
	return SONDE_OK;
}

sonde_status fdtd_describe_checkpoint(const char *path, struct report *report)
{
	struct checkpoint_summary summary;

	CHECK(fdtd_checkpoint_summarize(path, &summary));
	result_file_checkpoint(report, "fdtd");
	report_line(report, "steps", "%llu done%s", (unsigned long long)summary.steps,
		    summary.pass == PASS_REFERENCE ? ", of the reference run"
		    : summary.pass == PASS_WAVE    ? ", of the run of the wave alone"
						   : "");
	report_integer(report, "steps", (int64_t)summary.steps);
	report_text(report, "pass",
		    summary.pass == PASS_REFERENCE ? "reference"
		    : summary.pass == PASS_WAVE    ? "wave"
						   : "main");
	if (summary.largest > 0.0) {
		report_line(report, "largest E", "%.3g of its peak", summary.last / summary.largest);
		report_number(report, "field_left", summary.last / summary.largest);
	}
	result_file_resume(report, path, summary.job);
	free(summary.job);
	return SONDE_OK;
}
