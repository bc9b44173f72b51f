/* Options out of range, of callers whose structs no job file has been read into; and those that an item of their kind does not use: what was meant
 * by them would not happen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "fdtd/option_tables.h"
#include "fdtd/job/space.h"

/* Keys are between spaces, as in the .def files. */
static const char *const body_keys[] = {
    [SONDE_FDTD_BODY_SHAPE_BOX] = " size rotation ",
    [SONDE_FDTD_BODY_SHAPE_SPHERE] = " radius ",
    [SONDE_FDTD_BODY_SHAPE_ELLIPSOID] = " radii rotation ",
    [SONDE_FDTD_BODY_SHAPE_CYLINDER] = " radius height axis ",
    [SONDE_FDTD_BODY_SHAPE_CONE] = " radius radius_top height axis ",
    [SONDE_FDTD_BODY_SHAPE_PRISM] = " vertices height axis ",
    [SONDE_FDTD_BODY_SHAPE_STL] = " file scale ",
    [SONDE_FDTD_BODY_SHAPE_BUILD] = " file scale radius ",
    [SONDE_FDTD_BODY_SHAPE_VOXELS] = " file scale materials ",
};
#define EVERY_BODY " material shape center repeat pitch in_reference "

static const char *const source_keys[] = {
    [SONDE_FDTD_SOURCE_KIND_DIPOLE] = " ",
    [SONDE_FDTD_SOURCE_KIND_MAGNETIC_DIPOLE] = " ",
    [SONDE_FDTD_SOURCE_KIND_PLANE_WAVE] = " size direction ",
    [SONDE_FDTD_SOURCE_KIND_BEAM] = " size direction waist focus ",
    [SONDE_FDTD_SOURCE_KIND_SHEET] = " size direction sides ",
};
#define EVERY_SOURCE " kind center polarization amplitude waveform delay "

static const char *const waveform_keys[] = {
    [SONDE_FDTD_SOURCE_WAVEFORM_GAUSSIAN] = " frequency wavelength bandwidth phase ",
    [SONDE_FDTD_SOURCE_WAVEFORM_RICKER] = " frequency wavelength ",
    [SONDE_FDTD_SOURCE_WAVEFORM_RAMPED_SINE] = " frequency wavelength cycles duration phase ",
    [SONDE_FDTD_SOURCE_WAVEFORM_FILE] = " file ",
};

static const char *const monitor_keys[] = {
    [SONDE_FDTD_MONITOR_KIND_POINT] = " center size components every start ",
    [SONDE_FDTD_MONITOR_KIND_RESONANCES] = " center size components frequencies wavelengths start ",
    [SONDE_FDTD_MONITOR_KIND_FLUX] = " center size frequencies wavelengths normalize ",
    [SONDE_FDTD_MONITOR_KIND_FIELDS] = " center size components frequencies wavelengths ",
    [SONDE_FDTD_MONITOR_KIND_SNAPSHOT] = " center size components every start ",
    [SONDE_FDTD_MONITOR_KIND_CROSS_SECTION] = " frequencies wavelengths ",
    [SONDE_FDTD_MONITOR_KIND_ABSORPTION] = " center size frequencies wavelengths ",
    [SONDE_FDTD_MONITOR_KIND_FAR_FIELD] = " center size frequencies wavelengths theta phi ",
    [SONDE_FDTD_MONITOR_KIND_SOURCE_POWER] = " source frequencies wavelengths ",
};
#define EVERY_MONITOR " name kind "

static const char *const boundary_keys[] = {
    [SONDE_FDTD_BOUNDARY_KIND_ABSORBING] = " cells order sigma kappa alpha alpha_order losses ",
    [SONDE_FDTD_BOUNDARY_KIND_CONDUCTOR] = " ",
    [SONDE_FDTD_BOUNDARY_KIND_MAGNETIC] = " ",
    [SONDE_FDTD_BOUNDARY_KIND_PERIODIC] = " ",
    [SONDE_FDTD_BOUNDARY_KIND_BLOCH] = " ",
};
#define EVERY_BOUNDARY " face kind phase "

#define LISTS 3

static bool has(const char *keys, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = strstr(keys, name); at != NULL; at = strstr(at + 1, name))
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

static sonde_status same_text(const struct option_row *row, const void *options, const void *other, bool *same)
{
	struct text text = {0}, default_text = {0};

	option_print(row, options, &text);
	option_print(row, other, &default_text);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		status = text_status(&default_text);
	*same = status != SONDE_OK || strcmp(text.bytes != NULL ? text.bytes : "",
					     default_text.bytes != NULL ? default_text.bytes : "") == 0;
	text_free(&text);
	text_free(&default_text);
	return status;
}

/* All that the item may have, for the message. */
static void append_keys(const struct option_table *table, const char *const lists[LISTS], struct text *text)
{
	char flag[64];
	bool first = true;

	for (size_t k = 0; k < table->count; ++k)
		for (int n = 0; n < LISTS; ++n)
			if (has(lists[n], table->rows[k].name)) {
				text_append(text, "%s%s", first ? "" : ", ", option_flag(&table->rows[k], flag));
				first = false;
				break;
			}
}

/* An item has the options that differ from the defaults; `whose` names the kind. */
static sonde_status check_item(const struct option_table *table, const void *item, const char *whose,
			       const char *const lists[LISTS])
{
	unsigned char *defaults;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&defaults, table->struct_size, 1, "options"));
	options_set_defaults(table, defaults);
	for (size_t k = 0; k < table->count && status == SONDE_OK; ++k) {
		const struct option_row *row = &table->rows[k];
		struct text keys = {0};
		bool same = true;
		char flag[64];
		if (!has(lists[0], row->name) && !has(lists[1], row->name) && !has(lists[2], row->name))
			status = same_text(row, item, defaults, &same);
		if (same)
			continue;
		append_keys(table, lists, &keys);
		status = status_fail(SONDE_INVALID, "%s: %s has none; it has %s", option_flag(row, flag), whose,
				     keys.bytes != NULL ? keys.bytes : "");
		text_free(&keys);
	}
	free(defaults);
	return status;
}

static sonde_status check_body(const sonde_fdtd_body_options *body)
{
	static const char *const names[] = {"a box",   "a sphere", "an ellipsoid",    "a cylinder",     "a cone",
					    "a prism", "an STL",   "a body of build", "a map of voxels"};

	if (body->shape < 0)
		return SONDE_OK;                      /* is refused elsewhere */
	CHECK(options_check(&fdtd_body_table, body)); /* before its shape is looked up */
	return check_item(&fdtd_body_table, body, names[body->shape],
			  (const char *const[LISTS]){EVERY_BODY, body_keys[body->shape], " "});
}

static sonde_status check_source(const sonde_fdtd_source_options *source)
{
	static const char *const kinds[] = {"a dipole", "a magnetic dipole", "a plane wave", "a beam", "a sheet"},
				 *const forms[] = {"a Gaussian pulse", "Ricker's form", "a ramped sine",
						   "a form of a file"};
	char whose[64];

	if (source->kind < 0)
		return SONDE_OK;
	CHECK(options_check(&fdtd_source_table, source));
	snprintf(whose, sizeof whose, "%s with %s", kinds[source->kind], forms[source->waveform]);
	return check_item(
	    &fdtd_source_table, source, whose,
	    (const char *const[LISTS]){EVERY_SOURCE, source_keys[source->kind], waveform_keys[source->waveform]});
}

static sonde_status check_monitor(const sonde_fdtd_monitor_options *monitor)
{
	static const char *const names[] = {"a point",         "a monitor of resonances",
					    "a flux",          "a monitor of fields",
					    "a snapshot",      "a cross-section, which is of the plane wave's box,",
					    "an absorption",   "a far field",
					    "a source's power"};

	if (monitor->kind < 0)
		return SONDE_OK;
	CHECK(options_check(&fdtd_monitor_table, monitor));
	return check_item(&fdtd_monitor_table, monitor, names[monitor->kind],
			  (const char *const[LISTS]){EVERY_MONITOR, monitor_keys[monitor->kind], " "});
}

static sonde_status check_material(const sonde_fdtd_material_options *material)
{
	return options_check(&fdtd_material_table, material);
}

static sonde_status check_boundary(const sonde_fdtd_boundary_options *boundary)
{
	static const char *const names[] = {"an absorbing side", "a conductor", "a magnetic wall", "a periodic side",
					    "a side of kind bloch"};

	CHECK(options_check(&fdtd_boundary_table, boundary)); /* before its kind is looked up */
	if (boundary->kappa != -1.0 && boundary->kappa < 1.0)
		return status_fail(SONDE_INVALID, "kappa: %g is out of range: 1 to 1000, or -1, are possible",
				   boundary->kappa);
	return check_item(&fdtd_boundary_table, boundary, names[boundary->kind],
			  (const char *const[LISTS]){EVERY_BOUNDARY, boundary_keys[boundary->kind], " "});
}

#define CHECK_ITEMS(what, check)                                                                         \
	do {                                                                                             \
		for (int64_t n_ = 0; n_ < job->what.count; ++n_)                                         \
			CHECK(job_prefix(job, check(&job->what.items[n_]), #what, job->what.lines, n_)); \
	} while (0)

sonde_status job_check_options(const sonde_fdtd_job *job)
{
	CHECK(job_prefix_option(job, options_check(&fdtd_option_table, &job->options)));
	CHECK_ITEMS(boundaries, check_boundary);
	CHECK_ITEMS(materials, check_material);
	CHECK_ITEMS(bodies, check_body);
	CHECK_ITEMS(sources, check_source);
	CHECK_ITEMS(monitors, check_monitor);
	return SONDE_OK;
}
