/* Options out of range, from callers whose structs were not read from a job file; and options that an item of their
 * kind does not use: they would be silently ignored. */
#include <stdio.h>

#include "base/option_items.h"
#include "matter/materials/material_list.h"
#include "fdtd/job/space.h"
#include "fdtd/option_tables.h"
#include "matter/shape/body.h"

/* Keys are between spaces, as in the .def files. */
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

static sonde_status check_body(const sonde_body_options *body)
{
	return body_check_options(&body_table_in_meters, body);
}

static sonde_status check_source(const sonde_fdtd_source_options *source)
{
	static const char *const kinds[] = {"a dipole", "a magnetic dipole", "a plane wave", "a beam", "a sheet"},
				 *const forms[] = {"a Gaussian pulse", "Ricker's form", "a ramped sine",
						   "a waveform from a file"};
	char whose[64];

	if (source->kind < 0)
		return SONDE_OK;
	CHECK(options_check(&fdtd_source_table, source));
	snprintf(whose, sizeof whose, "%s with %s", kinds[source->kind], forms[source->waveform]);
	return option_item_check(&fdtd_source_table, source, whose,
				 (const char *const[OPTION_ITEM_KEYS]){EVERY_SOURCE, source_keys[source->kind],
								       waveform_keys[source->waveform]});
}

static sonde_status check_monitor(const sonde_fdtd_monitor_options *monitor)
{
	static const char *const names[] = {"a point",         "a monitor of resonances",
					    "a flux",          "a monitor of fields",
					    "a snapshot",      "a cross-section (of the plane wave's box)",
					    "an absorption",   "a far field",
					    "a source's power"};

	if (monitor->kind < 0)
		return SONDE_OK;
	CHECK(options_check(&fdtd_monitor_table, monitor));
	return option_item_check(
	    &fdtd_monitor_table, monitor, names[monitor->kind],
	    (const char *const[OPTION_ITEM_KEYS]){EVERY_MONITOR, monitor_keys[monitor->kind], " "});
}

static sonde_status check_material(const sonde_fdtd_material_options *material)
{
	return options_check(&material_item_table, material);
}

static sonde_status check_boundary(const sonde_fdtd_boundary_options *boundary)
{
	static const char *const names[] = {"an absorbing side", "a conductor", "a magnetic wall", "a periodic side",
					    "a side of kind bloch"};

	CHECK(options_check(&fdtd_boundary_table, boundary)); /* before its kind is looked up */
	if (boundary->kappa != -1.0 && boundary->kappa < 1.0)
		return status_fail_option(SONDE_INVALID, "kappa",
					  "%g is out of range: 1 to 1000, or -1, are possible", boundary->kappa);
	return option_item_check(
	    &fdtd_boundary_table, boundary, names[boundary->kind],
	    (const char *const[OPTION_ITEM_KEYS]){EVERY_BOUNDARY, boundary_keys[boundary->kind], " "});
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
