/* Results as HDF5 files in NeXus form, with everything. */
#include <stdio.h>
#include <string.h>

#include "fdtd/fdtd.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/run.h"

#define DEFINITIONS                                                                                                  \
	"Lengths in m, the origin in the middle of the computed box; E in V/m, H in A/m. Spectra are integrals "     \
	"over "                                                                                                      \
	"time of fields times exp(+i 2 pi f t), _real and _imag their parts, so that waves go as exp(-i 2 pi f t); " \
	"powers of spectra are 1/2 Re E x H* over areas, J/Hz, an axis that nothing depends on being 1 m long."

enum { PATH = 256 };

/* The array that a program draws first: the last one, which the others lead to. */
static const sonde_fdtd_array *signal_of(const sonde_fdtd_monitor *monitor)
{
	static const char *const wanted[] = {"transmission", "reflection", "extinction",
					     "intensity",    "power",      "amplitude"};

	for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k)
		if (sonde_fdtd_find_array(monitor, wanted[k]) != NULL)
			return sonde_fdtd_find_array(monitor, wanted[k]);
	return monitor->array_count > 0 ? &monitor->arrays[monitor->array_count - 1] : NULL;
}

static void write_axes(struct hdf5_writer *writer, const char *group, const sonde_fdtd_monitor *monitor)
{
	const sonde_fdtd_array *signal = signal_of(monitor);
	const char *axes[5];

	if (signal == NULL)
		return;
	hdf5_writer_text_attribute(writer, group, "signal", signal->name);
	for (int r = 0; r < signal->rank; ++r)
		axes[r] = signal->axes[r][0] != '\0' ? signal->axes[r] : ".";
	hdf5_writer_texts_attribute(writer, group, "axes", axes, signal->rank);
}

static void write_monitor(struct hdf5_writer *writer, const sonde_fdtd_monitor *monitor)
{
	char group[PATH], path[PATH + 64];

	snprintf(group, sizeof group, "/fdtd/%s", monitor->name);
	hdf5_writer_group(writer, group, "NXdata");
	hdf5_writer_text_attribute(writer, group, "kind", monitor->kind);
	write_axes(writer, group, monitor);
	for (int n = 0; n < monitor->array_count; ++n) {
		const sonde_fdtd_array *array = &monitor->arrays[n];
		snprintf(path, sizeof path, "%s/%s", group, array->name);
		hdf5_writer_reals(writer, path, array->values, array->sizes, array->rank, array->unit, array->name);
	}
}

static void write_integer(struct hdf5_writer *writer, const char *path, int64_t value)
{
	hdf5_writer_integers(writer, path, &value, 1);
}

static void write_grid(struct hdf5_writer *writer, const sonde_fdtd_result *result)
{
	const sonde_fdtd_plan *plan = &result->plan;
	const int64_t three = 3;

	hdf5_writer_group(writer, "/fdtd/grid", "NXcollection");
	hdf5_writer_integers(writer, "/fdtd/grid/cells", plan->cells, 3);
	hdf5_writer_integers(writer, "/fdtd/grid/inner_cells", plan->inner_cells, 3);
	hdf5_writer_reals(writer, "/fdtd/grid/cell", plan->cell, &three, 1, "m", "edges of a cell");
	hdf5_writer_real(writer, "/fdtd/grid/time_step", plan->time_step, "s");
	write_integer(writer, "/fdtd/grid/steps", result->steps);
	hdf5_writer_real(writer, "/fdtd/grid/time", result->time, "s");
	hdf5_writer_real(writer, "/fdtd/grid/left", result->left, "");
}

static sonde_status write_all(struct hdf5_writer *writer, const sonde_fdtd_result *result)
{
	const struct provenance *provenance = &result->provenance->run;
	const char *plot = result->monitor_count > 0 ? result->monitors[0].name : "grid";

	provenance_write_entry(writer, provenance, "fdtd", "Maxwell's equations in time", plot);
	hdf5_writer_text_attribute(writer, "/fdtd", "definitions", DEFINITIONS);
	for (int n = 0; n < result->monitor_count; ++n)
		write_monitor(writer, &result->monitors[n]);
	write_grid(writer, result);
	CHECK(provenance_write_process(writer, provenance, &fdtd_option_table, &result->options, result->seconds));
	hdf5_writer_text(writer, "/fdtd/process/job", result->provenance->job != NULL ? result->provenance->job : "");
	hdf5_writer_real(writer, "/fdtd/process/rate", result->rate, "1/s");
	return SONDE_OK;
}

sonde_status fdtd_write_nexus(const sonde_fdtd_result *result, const char *path, bool overwrite)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	sonde_status status = write_all(writer, result);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, path, overwrite);
}
