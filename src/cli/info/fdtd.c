#include "cli/info/fdtd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cli/info/facts.h"

enum { PATH = 400, NAME = 100 };

/* What a line of it is about. */
struct listing {
	struct hdf5_reader *reader;
	const char *monitor;
	int arrays; /* printed of it */
};

static double read_number(struct hdf5_reader *reader, const char *path)
{
	double *values, value = NAN;
	int64_t count;

	if (hdf5_reader_has(reader, path) && hdf5_reader_reals(reader, path, &values, &count) == SONDE_OK) {
		value = count == 1 ? values[0] : NAN;
		free(values);
	}
	return value;
}

/* "400 x 400 x 400" */
static void print_counts(struct hdf5_reader *reader, const char *name, const char *path)
{
	int64_t *values, count;

	if (!hdf5_reader_has(reader, path) || hdf5_reader_integers(reader, path, &values, &count) != SONDE_OK)
		return;
	for (int64_t n = 0; n < count; ++n)
		facts_print("%s%lld", n > 0 ? " x " : "", (long long)values[n]);
	facts_integers(name, values, count);
	free(values);
}

static void print_edges(struct hdf5_reader *reader)
{
	double *values;
	int64_t count;

	if (!hdf5_reader_has(reader, "/fdtd/grid/cell") ||
	    hdf5_reader_reals(reader, "/fdtd/grid/cell", &values, &count) != SONDE_OK)
		return;
	facts_print("%-12s ", "cell");
	for (int64_t n = 0; n < count; ++n)
		facts_print("%s%g", n > 0 ? " x " : "", values[n]);
	facts_print(" m (0: nothing depends on that axis)\n");
	facts_numbers("cell_m", values, count);
	free(values);
}

/* " NAME [sizes]" */
static sonde_status print_array(void *user, const char *name)
{
	struct listing *listing = user;
	char path[PATH];
	int64_t sizes[8];
	int rank;

	if (strlen(name) > NAME)
		return SONDE_OK;
	snprintf(path, sizeof path, "/fdtd/%s/%s", listing->monitor, name);
	if (hdf5_reader_sizes(listing->reader, path, 8, sizes, &rank) != SONDE_OK)
		return SONDE_OK;
	facts_print("%s%s [", listing->arrays++ > 0 ? ", " : "", name);
	for (int r = 0; r < rank; ++r)
		facts_print("%s%lld", r > 0 ? ", " : "", (long long)sizes[r]);
	facts_print("]");
	facts_integers(name, sizes, rank);
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

static sonde_status print_monitor(void *user, const char *name)
{
	struct listing *listing = user;
	char path[PATH];

	if (strlen(name) > NAME || !is_monitor(listing->reader, name))
		return SONDE_OK;
	snprintf(path, sizeof path, "/fdtd/%s", name);
	facts_print("%-12s %s: ", "monitor", name);
	facts_open_object(NULL);
	facts_text("name", name);
	facts_open_object("arrays");
	listing->monitor = name;
	listing->arrays = 0;
	sonde_status status = hdf5_reader_members(listing->reader, path, print_array, listing);
	facts_print("\n");
	facts_close();
	facts_close();
	return status;
}

sonde_status info_describe_fdtd(struct hdf5_reader *reader)
{
	struct listing listing = {.reader = reader};

	const double steps = read_number(reader, "/fdtd/grid/steps"),
		     step = read_number(reader, "/fdtd/grid/time_step"),
		     time = read_number(reader, "/fdtd/grid/time"), left = read_number(reader, "/fdtd/grid/left");

	facts_print("%-12s ", "cells");
	print_counts(reader, "cells", "/fdtd/grid/cells");
	facts_print(", of these ");
	print_counts(reader, "inner_cells", "/fdtd/grid/inner_cells");
	facts_print(" between the layers\n");
	print_edges(reader);
	facts_line("steps", "%.0f of %g s: %g s; the field is at %.2g of its largest", steps, step, time, left);
	facts_number("steps", steps);
	facts_number("time_step_s", step);
	facts_number("time_s", time);
	facts_number("field_left", left);
	facts_open_list("monitors");
	CHECK(hdf5_reader_members(reader, "/fdtd", print_monitor, &listing));
	facts_close();
	return SONDE_OK;
}
