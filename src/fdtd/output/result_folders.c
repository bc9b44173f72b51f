#include "fdtd/output/result_folders.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "fdtd/job/monitors.h"

/* Possible files of a folder ------------------------------------------------------------ */

struct wanted {
	const char *monitor, *suffix; /* ".png" of frames, ".vtk" */
	bool component;               /* "NAME-Ez-0000.png", else "NAME-0000.vtk" */
};

static bool is_file_of(const char *name, const void *user)
{
	const struct wanted *wanted = user;
	size_t length = strlen(wanted->monitor), digits = 0;

	if (strncmp(name, wanted->monitor, length) != 0)
		return false;
	name += length;
	if (wanted->component) {
		if (name[0] != '-' || strchr("EH", name[1]) == NULL || name[1] == '\0' || name[2] < 'x' ||
		    name[2] > 'z')
			return false;
		name += 3;
	}
	if (strcmp(name, wanted->component ? ".ffconcat" : ".vtk.series") == 0)
		return true;
	if (*name++ != '-')
		return false;
	while (isdigit((unsigned char)name[digits]))
		++digits;
	return digits >= 4 && strcmp(name + digits, wanted->suffix) == 0;
}

static sonde_status check_files(const sonde_fdtd_job *job, const char *folder, bool frames)
{
	for (int64_t n = 0; n < job->monitors.count; ++n) {
		const sonde_fdtd_monitor_options *options = &job->monitors.items[n];
		char name[64], *found = NULL;
		if (options->kind != SONDE_FDTD_MONITOR_KIND_SNAPSHOT &&
		    (frames || options->kind != SONDE_FDTD_MONITOR_KIND_FIELDS))
			continue;
		job_monitor_name(options, n, name);
		const struct wanted wanted = {name, frames ? ".png" : ".vtk", frames};
		CHECK(folder_find(folder, is_file_of, &wanted, &found));
		if (found == NULL)
			continue;
		sonde_status status = status_fail(
		    SONDE_INVALID, "%s/%s: exists already; choose another folder or add `force`", folder, found);
		free(found);
		return status;
	}
	return SONDE_OK;
}

/* Monitors ------------------------------------------------------------------------------------ */

/* A snapshot of a point has no picture. */
static bool has_extent(const sonde_fdtd_job *job, const sonde_fdtd_monitor_options *options)
{
	const sonde_vector *size = &options->size, *of = &job->options.size;

	return (size->x > 0.0 && of->x > 0.0) || (size->y > 0.0 && of->y > 0.0) || (size->z > 0.0 && of->z > 0.0);
}

static bool any_monitor(const sonde_fdtd_job *job, bool frames)
{
	for (int64_t n = 0; n < job->monitors.count; ++n) {
		const sonde_fdtd_monitor_options *options = &job->monitors.items[n];
		if ((options->kind == SONDE_FDTD_MONITOR_KIND_SNAPSHOT ||
		     (!frames && options->kind == SONDE_FDTD_MONITOR_KIND_FIELDS)) &&
		    has_extent(job, options))
			return true;
	}
	return false;
}

static sonde_status check(const sonde_fdtd_job *job, const char *folder, bool frames, bool overwrite)
{
	char path[PATH_MAX];

	if (folder[0] == '\0')
		return SONDE_OK;
	if (!any_monitor(job, frames))
		return status_fail_option(
		    SONDE_INVALID, frames ? "frames" : "vtk",
		    frames ? "the job has no monitor of kind snapshot to draw; add one with a size, as in "
			     "{kind: snapshot, size: [2 um, 2 um, 0], every: 1 fs}"
			   : "the job has no monitor of kind snapshot or fields with a size; add one");
	CHECK(folder_check(folder));
	CHECK(folder_path(folder, NULL, path));
	return overwrite ? SONDE_OK : check_files(job, path, frames);
}

sonde_status fdtd_check_folders(const sonde_fdtd_job *job, bool overwrite)
{
	sonde_status status = check(job, job->options.frames, true, overwrite);

	if (status == SONDE_OK)
		status = check(job, job->options.vtk, false, overwrite);
	return status;
}

sonde_status sonde_fdtd_result_write_folders(sonde_context *context, const sonde_fdtd_result *result, int overwrite)
{
	struct fdtd_folder_report report = {0};
	sonde_status status;

	if (result == NULL)
		return status_fail(SONDE_INVALID, "a result is needed, it is null");
	status = fdtd_write_frames(context, result, overwrite != 0, &report);
	if (status == SONDE_OK)
		status = fdtd_write_vtk(context, result, overwrite != 0, &report);
	text_free(&report.films);
	return status;
}
