/* Results as HDF5 files in NeXus form, with all data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fdtd/option_tables.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/output/result_layer.h"
#include "fdtd/job/prepared.h"

#define DEFINITIONS                                                                                                  \
	"Lengths in m, the origin is the center of the computed box; E in V/m, H in A/m. Spectra are integrals "     \
	"over "                                                                                                      \
	"time of fields times exp(+i 2 pi f t), _real and _imag their parts, so that waves go as exp(-i 2 pi f t); " \
	"powers of spectra are 1/2 Re E x H* over areas, J/Hz, with a length of 1 m along uniform axes."

#define LEVEL 1 /* of compression: wave fields become hardly smaller with more */

#define ERROR_SUFFIX "-error"

enum { PATH = 256, LONG_NAME = 96 };

enum result_part result_part_of(const char *array)
{
	const size_t length = strlen(array);
	const char *end = array + (length > RESULT_PART_SUFFIX ? length - RESULT_PART_SUFFIX : length);

	return strcmp(end, "_real") == 0 ? RESULT_REAL : strcmp(end, "_imag") == 0 ? RESULT_IMAGINARY : RESULT_WHOLE;
}

static enum result_part part_of(const sonde_fdtd_array *array)
{
	return result_part_of(array->name);
}

/* Numbers of an array. */
static int64_t size_of(const sonde_fdtd_array *array)
{
	int64_t count = 1;

	for (int r = 0; r < array->rank; ++r)
		count *= array->sizes[r];
	return count;
}

static double largest_of(const sonde_fdtd_array *array)
{
	const int64_t count = size_of(array);
	double most = 0.0;

	for (int64_t n = 0; n < count; ++n)
		most = fmax(most, fabs(array->values[n]));
	return most;
}

/* The strongest of the fields, its real part if it is complex: components forbidden by symmetry are 0. */
static const sonde_fdtd_array *strongest_field(const sonde_fdtd_monitor *monitor)
{
	const sonde_fdtd_array *strongest = NULL;
	double most = -1.0;

	for (int n = 0; n < monitor->array_count; ++n) {
		const sonde_fdtd_array *array = &monitor->arrays[n];
		if (!result_is_field(array) || part_of(array) == RESULT_IMAGINARY ||
		    (strongest != NULL && strongest->name[0] == 'E' && array->name[0] == 'H'))
			continue;
		const double largest = largest_of(array);
		if (largest > most) {
			most = largest;
			strongest = array;
		}
	}
	return strongest;
}

static bool is_error(const sonde_fdtd_array *array)
{
	const size_t length = strlen(array->name), suffix = strlen(ERROR_SUFFIX);

	return length > suffix && strcmp(array->name + length - suffix, ERROR_SUFFIX) == 0;
}

/* The array that a program draws by default: a field, otherwise the last array that is not that of errors, which is
 * computed from the others. */
static const sonde_fdtd_array *signal_of(const sonde_fdtd_monitor *monitor)
{
	static const char *const wanted[] = {"transmission", "reflection", "extinction",
					     "intensity",    "power",      "amplitude"};

	for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k)
		if (sonde_fdtd_find_array(monitor, wanted[k]) != NULL)
			return sonde_fdtd_find_array(monitor, wanted[k]);
	if (strongest_field(monitor) != NULL)
		return strongest_field(monitor);
	for (int n = monitor->array_count - 1; n >= 0; --n)
		if (!is_error(&monitor->arrays[n]))
			return &monitor->arrays[n];
	return NULL;
}

/* How arrays are written. */
struct form {
	bool compound, single;
};

/* The name in the file: for the parts of a compound their own without the suffix. */
static void name_of(const sonde_fdtd_array *array, const struct form *form, char name[40])
{
	const bool part = form->compound && part_of(array) != RESULT_WHOLE;

	snprintf(name, 40, "%.*s", (int)strlen(array->name) - (part ? RESULT_PART_SUFFIX : 0), array->name);
}

/* Names for people. Meanings that do not follow from the name of an array: */
static const struct {
	const char *kind, *name, *meaning; /* of monitors of this kind; null: of all */
} meanings[] = {
    {NULL, "permittivity", "relative permittivity"},
    {NULL, "theta", "polar angle"},
    {NULL, "phi", "azimuth"},
    {NULL, "incident", "incident spectrum"},
    {NULL, "reference", "power of the reference"},
    {NULL, "scattered", "scattered fraction"},
    {NULL, "free-power", "power in the background"},
    {NULL, "purcell", "Purcell factor"},
    {NULL, "quality", "quality factor"},
    {"cross-section", "scattering", "scattering cross section"},
    {"cross-section", "absorption", "absorption cross section"},
    {"cross-section", "extinction", "extinction cross section"},
    {"far-field", "cross-section", "differential cross section"},
};

static const char *meaning_of(const char *kind, const char *name, int length)
{
	for (size_t k = 0; k < sizeof meanings / sizeof *meanings; ++k)
		if ((int)strlen(meanings[k].name) == length && strncmp(meanings[k].name, name, (size_t)length) == 0 &&
		    (meanings[k].kind == NULL || strcmp(meanings[k].kind, kind) == 0))
			return meanings[k].meaning;
	return NULL;
}

/* "Ex_real": "electric field, x, real part"; "frequency-error": "error of frequency". `name` is the one in the file. */
static void long_name_of(const char *kind, const char *name, char long_name[LONG_NAME])
{
	const enum result_part part = result_part_of(name);
	const char *error = strstr(name, ERROR_SUFFIX), *ending = part == RESULT_REAL        ? ", real part"
								  : part == RESULT_IMAGINARY ? ", imaginary part"
											     : "";
	const int length =
	    error != NULL ? (int)(error - name) : (int)strlen(name) - (part != RESULT_WHOLE ? RESULT_PART_SUFFIX : 0);
	const char *meaning = meaning_of(kind, name, length), *before = error != NULL ? "error of " : "";

	if (length == 2 && (name[0] == 'E' || name[0] == 'H') && name[1] >= 'x' && name[1] <= 'z')
		snprintf(long_name, LONG_NAME, "%s%s field, %c%s", before, name[0] == 'E' ? "electric" : "magnetic",
			 name[1], ending);
	else if (meaning != NULL)
		snprintf(long_name, LONG_NAME, "%s%s%s", before, meaning, ending);
	else {
		snprintf(long_name, LONG_NAME, "%s%.*s%s", before, length, name, ending);
		for (char *at = long_name; *at != '\0'; ++at)
			*at = *at == '-' ? ' ' : *at;
	}
}

static void write_axes(struct hdf5_writer *writer, const char *group, const sonde_fdtd_monitor *monitor,
		       const struct form *form)
{
	const sonde_fdtd_array *signal = signal_of(monitor);
	const char *axes[5];
	char name[40];

	if (signal == NULL)
		return;
	name_of(signal, form, name);
	hdf5_writer_text_attribute(writer, group, "signal", name);
	for (int r = 0; r < signal->rank; ++r)
		axes[r] = signal->axes[r][0] != '\0' ? signal->axes[r] : ".";
	hdf5_writer_texts_attribute(writer, group, "axes", axes, signal->rank);
}

/* Fields have the precision of the run; complex ones are one array with their imaginary part, which follows them. */
static void write_array(struct hdf5_writer *writer, const char *group, const sonde_fdtd_monitor *monitor, int number,
			const struct form *form)
{
	const sonde_fdtd_array *array = &monitor->arrays[number];
	const bool single = form->single && result_is_field(array),
		   compound = form->compound && part_of(array) != RESULT_WHOLE;
	char name[40], long_name[LONG_NAME], path[PATH + 64];

	name_of(array, form, name);
	long_name_of(monitor->kind, name, long_name);
	snprintf(path, sizeof path, "%s/%s", group, name);
	if (compound && part_of(array) == RESULT_REAL)
		hdf5_writer_complexes(writer, path, array->values, monitor->arrays[number + 1].values, single,
				      array->sizes, array->rank, array->unit, long_name);
	else if (!compound && single)
		hdf5_writer_singles(writer, path, array->values, array->sizes, array->rank, array->unit, long_name);
	else if (!compound)
		hdf5_writer_reals(writer, path, array->values, array->sizes, array->rank, array->unit, long_name);
}

static void write_monitor(struct hdf5_writer *writer, const sonde_fdtd_monitor *monitor, const struct form *form)
{
	char group[PATH];

	snprintf(group, sizeof group, "/fdtd/%s", monitor->name);
	hdf5_writer_group(writer, group, "NXdata");
	hdf5_writer_text_attribute(writer, group, "kind", monitor->kind);
	write_axes(writer, group, monitor, form);
	for (int n = 0; n < monitor->array_count; ++n)
		write_array(writer, group, monitor, n, form);
}

static void write_integer(struct hdf5_writer *writer, const char *path, int64_t value)
{
	hdf5_writer_integers(writer, path, &value, 1);
}

static void write_grid(struct hdf5_writer *writer, const sonde_fdtd_result *result)
{
	const sonde_fdtd_plan *plan = result->plan;
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

/* All arrays in their order, for readers: of a monitor "KIND<tab>NAME", then of each of its arrays "<tab>NAME AXIS ...",
 * with '.' for an axis without coordinates. Names have no control characters. */
static sonde_status write_index(struct hdf5_writer *writer, const sonde_fdtd_result *result)
{
	struct text text = {0};

	for (int n = 0; n < result->monitor_count; ++n) {
		const sonde_fdtd_monitor *monitor = &result->monitors[n];
		text_append(&text, "%s\t%s\n", monitor->kind, monitor->name);
		for (int k = 0; k < monitor->array_count; ++k) {
			const sonde_fdtd_array *array = &monitor->arrays[k];
			text_append(&text, "\t%s", array->name);
			for (int r = 0; r < array->rank; ++r)
				text_append(&text, " %s", array->axes[r][0] != '\0' ? array->axes[r] : ".");
			text_append(&text, "\n");
		}
	}
	const sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		hdf5_writer_text(writer, "/fdtd/process/arrays", text.bytes != NULL ? text.bytes : "");
	text_free(&text);
	return status;
}

static void write_plan(struct hdf5_writer *writer, const sonde_fdtd_plan *plan)
{
	const double numbers[RESULT_PLAN_NUMBERS] = {
	    (double)plan->steps, plan->runs,    plan->device_memory,       plan->memory_of_cell,
	    plan->rate,          plan->seconds, plan->shortest_wavelength,
	};
	const int64_t count = RESULT_PLAN_NUMBERS;

	hdf5_writer_reals(
	    writer, "/fdtd/process/plan", numbers, &count, 1, NULL,
	    "steps, runs, bytes of device memory, bytes per cell, cells per second, seconds, cells of the "
	    "shortest wavelength");
}

/* How planes went through the device. */
static void write_streaming(struct hdf5_writer *writer, const sonde_fdtd_plan *plan)
{
	if (plan->streaming == SONDE_FDTD_STREAMING_AUTO)
		return;
	hdf5_writer_group(writer, RESULT_STREAMING, "NXcollection");
	hdf5_writer_text(writer, RESULT_STREAMING "/method",
			 plan->streaming == SONDE_FDTD_STREAMING_SKEW ? "skew" : "pyramid");
	hdf5_writer_text(writer, RESULT_STREAMING "/store", plan->scratch_bytes > 0.0 ? "disk" : "host");
	write_integer(writer, RESULT_STREAMING "/slab_width", plan->slab_width);
	write_integer(writer, RESULT_STREAMING "/pass_height", plan->pass_height);
	write_integer(writer, RESULT_STREAMING "/planes", plan->planes);
	hdf5_writer_real(writer, RESULT_STREAMING "/scratch_bytes", plan->scratch_bytes, "");
}

/* Errors relative to the largest values; unknown errors are omitted. */
static void write_errors(struct hdf5_writer *writer, const sonde_fdtd_result *result)
{
	const struct {
		const char *path;
		double value;
	} errors[] = {{"/fdtd/process/grid_error", result->grid_error},
		      {"/fdtd/process/truncation_error", result->truncation_error},
		      {"/fdtd/process/rounding_error", result->rounding_error},
		      {"/fdtd/process/companion_error", result->companion_error}};

	for (size_t k = 0; k < sizeof errors / sizeof *errors; ++k)
		if (isfinite(errors[k].value))
			hdf5_writer_real(writer, errors[k].path, errors[k].value, "");
}

sonde_status fdtd_contents(const void *of, struct hdf5_writer *writer)
{
	const sonde_fdtd_result *result = of;
	const struct provenance *provenance = &result->provenance->run;
	const char *plot = result->monitor_count > 0 ? result->monitors[0].name : "grid";
	const struct form form = {.compound = result->options->complex_numbers == SONDE_FDTD_COMPLEX_NUMBERS_COMPOUND,
				  .single = result->options->precision != SONDE_FDTD_PRECISION_FLOAT64};

	for (int n = 0; n < result->monitor_count; ++n)
		for (int k = 0; k < result->monitors[n].array_count; ++k)
			hdf5_writer_lasts(writer, result->monitors[n].arrays[k].values,
					  size_of(&result->monitors[n].arrays[k]) * (int64_t)sizeof(double));
	provenance_write_entry(writer, provenance, "fdtd", "Maxwell's equations in time", plot);
	hdf5_writer_text_attribute(writer, "/fdtd", "definitions", DEFINITIONS);
	for (int n = 0; n < result->monitor_count; ++n)
		write_monitor(writer, &result->monitors[n], &form);
	write_grid(writer, result);
	CHECK(provenance_write_process(writer, provenance, &fdtd_option_table, result->options, result->seconds));
	hdf5_writer_text(writer, "/fdtd/process/job", result->provenance->job != NULL ? result->provenance->job : "");
	hdf5_writer_real(writer, "/fdtd/process/rate", result->rate, "1/s");
	write_integer(writer, "/fdtd/process/resumed", result->resumed);
	write_integer(writer, "/fdtd/process/until_missed", result->until_missed);
	write_plan(writer, result->plan);
	write_streaming(writer, result->plan);
	CHECK(write_index(writer, result));
	write_errors(writer, result);
	return SONDE_OK;
}

sonde_status fdtd_write_nexus(const sonde_fdtd_result *result, const char *path, bool overwrite)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	hdf5_writer_compress(writer, LEVEL);
	sonde_status status = fdtd_contents(result, writer);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, path, overwrite);
}
