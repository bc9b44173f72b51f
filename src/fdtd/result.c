/* Results into files: tables of what monitors have on one axis; NeXus HDF5 by result_nexus.c. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "fdtd/fdtd.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/run.h"

/* The only axis along which an array has more than one number, the first where it has only one; -1: there are several. */
static int only_axis(const sonde_fdtd_array *array)
{
	int only = 0, longer = 0;

	for (int r = 0; r < array->rank; ++r)
		if (array->sizes[r] != 1) {
			only = r;
			++longer;
		}
	return longer > 1 ? -1 : only;
}

/* Arrays of a monitor that stand side by side: those on the axis `axis`, and the axis itself. */
static bool is_column(const sonde_fdtd_array *array, const sonde_fdtd_array *axis)
{
	const int only = only_axis(array);

	return array == axis || (array->rank > 0 && only >= 0 && strcmp(array->axes[only], axis->name) == 0);
}

static void append_heads(const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *axis, bool csv, struct text *text)
{
	bool first = true;

	text_append(text, "%s", csv ? "" : "# ");
	for (int n = 0; n < monitor->array_count; ++n) {
		const sonde_fdtd_array *array = &monitor->arrays[n];
		if (!is_column(array, axis))
			continue;
		text_append(text, "%s%s", first ? "" : csv ? "," : "  ", array->name);
		if (array->unit[0] != '\0')
			text_append(text, csv ? "_%s" : " [%s]", array->unit);
		first = false;
	}
	text_append(text, "\n");
}

static void append_rows(const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *axis, bool csv, struct text *text)
{
	for (int64_t row = 0; row < axis->sizes[0]; ++row) {
		bool first = true;
		for (int n = 0; n < monitor->array_count; ++n) {
			if (!is_column(&monitor->arrays[n], axis))
				continue;
			if (!first)
				text_append_byte(text, csv ? ',' : ' ');
			text_append_real(text, monitor->arrays[n].values[row]);
			first = false;
		}
		text_append_byte(text, '\n');
	}
}

/* Each axis that others stand on, with these. */
static void append_monitor(const sonde_fdtd_monitor *monitor, bool csv, struct text *text)
{
	bool left_out = false;

	text_append(text, "# monitor %s: %s\n", monitor->name, monitor->kind);
	for (int n = 0; n < monitor->array_count; ++n) {
		const sonde_fdtd_array *axis = &monitor->arrays[n];
		left_out |= only_axis(axis) < 0;
		if (axis->rank != 1 || axis->axes[0][0] != '\0')
			continue;
		append_heads(monitor, axis, csv, text);
		append_rows(monitor, axis, csv, text);
	}
	if (left_out)
		text_append(text, "# what it has on several axes is in HDF5 files (.h5)\n");
}

static void append_summary(const sonde_fdtd_result *result, struct text *text)
{
	const sonde_fdtd_plan *plan = &result->plan;

	text_append(text, "# cells: %lld x %lld x %lld with layers; step %.10g s\n", (long long)plan->cells[0],
		    (long long)plan->cells[1], (long long)plan->cells[2], plan->time_step);
	text_append(text,
		    "# steps: %lld, %.10g s; largest E at the end %.3g of the largest there was; %.4g cells/s\n",
		    (long long)result->steps, result->time, result->left, result->rate);
	text_append(text, "# spectra are integrals over time of fields times exp(i 2 pi f t)\n");
}

sonde_status fdtd_table_text(const sonde_fdtd_result *result, bool csv, struct text *text)
{
	const struct provenance *provenance = &result->provenance->run;

	provenance_append_origin(text, provenance, "fdtd");
	provenance_append_options(text, &fdtd_option_table, &result->options);
	provenance_append_device(text, provenance, result->seconds);
	append_summary(result, text);
	for (int n = 0; n < result->monitor_count; ++n) {
		text_append(text, "%s", n > 0 ? "\n\n" : "");
		append_monitor(&result->monitors[n], csv, text);
	}
	return text_status(text);
}

static sonde_status write_table(const sonde_fdtd_result *result, const char *path, bool overwrite)
{
	struct text text = {0};
	sonde_status status = fdtd_table_text(result, file_has_suffix(path, ".csv"), &text);

	if (status == SONDE_OK)
		status = file_write(path, text.bytes, text.size, overwrite);
	text_free(&text);
	return status;
}

static const struct format {
	const char *suffix;
	sonde_status (*write)(const sonde_fdtd_result *result, const char *path, bool overwrite);
} formats[] = {{".h5", fdtd_write_nexus}, {".hdf5", fdtd_write_nexus}, {".nxs", fdtd_write_nexus},
	       {".csv", write_table},     {".xy", write_table},        {".dat", write_table},
	       {".txt", write_table}};

static const struct format *find_format(const char *path)
{
	for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k)
		if (file_has_suffix(path, formats[k].suffix))
			return &formats[k];
	return NULL;
}

sonde_status fdtd_check_format(const char *path)
{
	return find_format(path) != NULL
		   ? SONDE_OK
		   : status_fail(
			 SONDE_INVALID,
			 "%s: unknown kind of file; end the name in .h5, .hdf5, .nxs, .csv, .xy, .dat or .txt", path);
}

sonde_status sonde_fdtd_result_write(const sonde_fdtd_result *result, const char *path, int overwrite)
{
	if (result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "result and file are needed, one of them is null");
	CHECK(fdtd_check_format(path));
	return find_format(path)->write(result, path, overwrite != 0);
}
