/* Snapshots and fields at frequencies as VTK images, one per time or frequency. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "run/context.h"
#include "fdtd/output/result_folders.h"
#include "fdtd/output/result_layer.h"
#include "io/volume/vtk.h"

#define MICROMETERS 1e6 /* units per meter: graphics programs have difficulties with lengths of 1e-8 */
#define MOST_ARRAYS 13  /* permittivity, and E and H by component, real and imaginary */

/* The arrays of an image, with their names. */
struct arrays {
	int count;
	struct vtk_array list[MOST_ARRAYS];
	char names[MOST_ARRAYS][16];
};

static void add(struct arrays *arrays, const char *name, const double *const parts[3])
{
	struct vtk_array *array = &arrays->list[arrays->count];
	char *kept = arrays->names[arrays->count++];

	snprintf(kept, sizeof arrays->names[0], "%s", name);
	array->name = kept;
	memcpy(array->parts, parts, sizeof array->parts);
}

/* E or H, or a part of it: a vector if all components exist, otherwise each as a scalar. */
static void add_field(const sonde_fdtd_monitor *monitor, char field, const char *part, int64_t first,
		      struct arrays *arrays)
{
	const double *parts[3] = {NULL};
	char name[16];
	int found = 0;

	for (int c = 0; c < 3; ++c) {
		snprintf(name, sizeof name, "%c%c%s", field, "xyz"[c], part);
		const sonde_fdtd_array *array = sonde_fdtd_find_array(monitor, name);
		parts[c] = array != NULL ? array->values + first : NULL;
		found += array != NULL;
	}
	snprintf(name, sizeof name, "%c%s", field, part);
	if (found == 3)
		add(arrays, name, parts);
	for (int c = 0; c < 3 && found < 3; ++c) {
		const double *const alone[3] = {parts[c]};
		snprintf(name, sizeof name, "%c%c%s", field, "xyz"[c], part);
		if (parts[c] != NULL)
			add(arrays, name, alone);
	}
}

static void add_all(const sonde_fdtd_monitor *monitor, const struct result_layer *layer, int64_t frame,
		    struct arrays *arrays)
{
	const sonde_fdtd_array *permittivity = sonde_fdtd_find_array(monitor, "permittivity");

	*arrays = (struct arrays){.count = 0};
	for (int field = 0; field < 2; ++field) {
		if (layer->snapshot) {
			add_field(monitor, "EH"[field], "", frame * layer->size, arrays);
		} else {
			add_field(monitor, "EH"[field], "_real", frame * layer->size, arrays);
			add_field(monitor, "EH"[field], "_imag", frame * layer->size, arrays);
		}
	}
	if (permittivity != NULL) {
		const double *const parts[3] = {permittivity->values};
		add(arrays, "permittivity", parts);
	}
}

static void set_grid(const sonde_fdtd_monitor *monitor, struct vtk_image *image)
{
	static const char *const axes[3] = {"x", "y", "z"};

	for (int u = 0; u < 3; ++u) {
		const sonde_fdtd_array *places = sonde_fdtd_find_array(monitor, axes[u]);
		image->size[u] = places->sizes[0];
		image->origin[u] = places->values[0] * MICROMETERS;
		image->spacing[u] =
		    places->sizes[0] > 1 ? (places->values[1] - places->values[0]) * MICROMETERS : 1.0;
	}
}

static void file_name(const sonde_fdtd_monitor *monitor, int64_t frame, char name[128])
{
	snprintf(name, 128, "%s-%04lld.vtk", monitor->name, (long long)frame);
}

static sonde_status write_frame(const sonde_fdtd_monitor *monitor, const struct result_layer *layer, int64_t frame,
				bool single, struct folder_files *files, bool overwrite)
{
	struct arrays arrays;
	char title[256], name[128], path[PATH_MAX];
	struct vtk_image image = {.title = title, .single = single};

	add_all(monitor, layer, frame, &arrays);
	image.count = arrays.count;
	image.arrays = arrays.list;
	set_grid(monitor, &image);
	snprintf(title, sizeof title, "sonde fdtd, %s: %s = %.9g %s, lengths in micrometres, E in %s, H in %s",
		 monitor->name, layer->snapshot ? "t" : "f", layer->at[frame], layer->snapshot ? "s" : "Hz",
		 layer->snapshot ? "V/m" : "V s/m", layer->snapshot ? "A/m" : "A s/m");
	file_name(monitor, frame, name);
	CHECK(folder_files_add(files, name, path));
	return vtk_write_image(path, &image, overwrite);
}

/* The list from which ParaView reads the times: JSON. */
static sonde_status write_series(const sonde_fdtd_monitor *monitor, const struct result_layer *layer,
				 struct folder_files *files, bool overwrite)
{
	struct text text = {0};
	char name[128], path[PATH_MAX];

	text_append(&text, "{\"file-series-version\": \"1.0\", \"files\": [");
	for (int64_t f = 0; f < layer->frames; ++f) {
		file_name(monitor, f, name);
		text_append(&text, "%s\n{\"name\": \"", f > 0 ? "," : "");
		for (const char *byte = name; *byte != '\0'; ++byte) {
			if (*byte == '"' || *byte == '\\')
				text_append_byte(&text, '\\');
			text_append_byte(&text, *byte);
		}
		/* in fs or THz */
		text_append(&text, "\", \"time\": %.9g}", layer->at[f] * (layer->snapshot ? 1e15 : 1e-12));
	}
	text_append(&text, "\n]}\n");
	snprintf(name, sizeof name, "%s.vtk.series", monitor->name);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		status = folder_files_add(files, name, path);
	if (status == SONDE_OK)
		status = file_write(path, text.bytes, text.size, overwrite);
	text_free(&text);
	return status;
}

static sonde_status write_monitors(const sonde_context *context, const sonde_fdtd_result *result,
				   struct folder_files *files, bool overwrite, struct fdtd_folder_report *report)
{
	bool single = result->options->precision != SONDE_FDTD_PRECISION_FLOAT64;

	for (int n = 0; n < result->monitor_count; ++n) {
		const sonde_fdtd_monitor *monitor = &result->monitors[n];
		struct result_layer layer;
		if (!result_layer_of(monitor, &layer))
			continue;
		for (int64_t f = 0; f < layer.frames; ++f) {
			if (context_cancelled(context))
				return status_fail(SONDE_CANCELLED, "stopped on request while writing VTK files");
			CHECK(write_frame(monitor, &layer, f, single, files, overwrite));
			++report->files;
		}
		CHECK(write_series(monitor, &layer, files, overwrite));
	}
	return SONDE_OK;
}

sonde_status fdtd_write_vtk(const sonde_context *context, const sonde_fdtd_result *result, bool overwrite,
			    struct fdtd_folder_report *report)
{
	const char *folder = result->options->vtk;
	struct folder_files files;

	if (folder[0] == '\0')
		return SONDE_OK;
	CHECK(folder_check(folder));
	CHECK(folder_files_begin(&files, folder));
	return folder_files_end(&files, write_monitors(context, result, &files, overwrite, report));
}
