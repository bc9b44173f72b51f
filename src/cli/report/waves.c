/* The job is prepared anew, with its plane wave as the only source, without bodies, and with a monitor of cross-sections if it has
 * one, since these places depend on sides, cells and wavelength. */
#include "cli/report/waves.h"

#include <stdlib.h>
#include <string.h>

#include "base/option_items.h"
#include "cli/report/page_text.h"
#include "fdtd/geometry.h"
#include "fdtd/option_tables.h"

#define NANOMETERS 1e9

/* The lists of a job that are needed. */
struct lists {
	void *boundaries, *sources, *monitors;
	int64_t boundary_count, source_count, monitor_count;
};

static sonde_status read_lists(const char *job, struct lists *lists)
{
	CHECK(option_items_read(&fdtd_boundary_table, job, &lists->boundary_count, &lists->boundaries));
	CHECK(option_items_read(&fdtd_source_table, job, &lists->source_count, &lists->sources));
	return option_items_read(&fdtd_monitor_table, job, &lists->monitor_count, &lists->monitors);
}

static const sonde_fdtd_source_options *find_wave(const struct lists *lists)
{
	const sonde_fdtd_source_options *sources = lists->sources;

	for (int64_t n = 0; n < lists->source_count; ++n)
		if (sources[n].kind == SONDE_FDTD_SOURCE_KIND_PLANE_WAVE)
			return &sources[n];
	return NULL;
}

static const sonde_fdtd_monitor_options *find_cross_section(const struct lists *lists)
{
	const sonde_fdtd_monitor_options *monitors = lists->monitors;

	for (int64_t n = 0; n < lists->monitor_count; ++n)
		if (monitors[n].kind == SONDE_FDTD_MONITOR_KIND_CROSS_SECTION)
			return &monitors[n];
	return NULL;
}

/* Options are the lines "name: value" in front of the lists. */
static sonde_status read_options(const char *job, sonde_fdtd_options *options)
{
	for (const char *line = job; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
		const size_t length = strcspn(line, "\n");
		const char *colon = memchr(line, ':', length);
		char name[64], value[OPTION_TEXT_SIZE];

		if (colon == NULL || colon + 1 == line + length || memchr(line, ' ', (size_t)(colon - line)) != NULL)
			break; /* "sources 1:" */
		const char *from = colon + 1 + strspn(colon + 1, " ");
		const size_t size = (size_t)(line + length - from);
		if ((size_t)(colon - line) >= sizeof name || size >= sizeof value)
			break;
		memcpy(name, line, (size_t)(colon - line));
		name[colon - line] = '\0';
		memcpy(value, from, size);
		value[size] = '\0';
		const struct option_row *row = options_find(&fdtd_option_table, name);
		if (row != NULL)
			CHECK(options_set(&fdtd_option_table, row, options, value, NULL));
	}
	return SONDE_OK;
}

static void append_box(const char *name, const struct geometry_mark *mark, struct text *page)
{
	const double *const corners[] = {mark->low, mark->high};

	text_append(page, ",\"%s\":[", name);
	for (int side = 0; side < 2; ++side) {
		text_append(page, side == 0 ? "[" : ",[");
		for (int k = 0; k < 3; ++k) {
			text_append(page, k > 0 ? "," : "");
			page_append_number(page, NANOMETERS * corners[side][k]);
		}
		text_append(page, "]");
	}
	text_append(page, "]");
}

static sonde_status append_wave(sonde_context *context, const char *text, const struct lists *lists,
				struct text *page)
{
	const sonde_fdtd_source_options *wave = find_wave(lists);
	const sonde_fdtd_monitor_options *found = find_cross_section(lists);
	struct fdtd_geometry geometry;
	sonde_fdtd_job job;

	if (wave == NULL)
		return SONDE_OK;
	sonde_fdtd_job_init(&job);
	CHECK(read_options(text, &job.options));
	job.boundaries.count = lists->boundary_count;
	job.boundaries.items = lists->boundaries;
	job.sources.count = 1;
	job.sources.items = wave;
	job.monitors.count = found != NULL ? 1 : 0;
	job.monitors.items = found;
	const sonde_status status = fdtd_geometry_make(context, &job, &geometry);
	if (status == SONDE_OK && geometry.mark_count == (found != NULL ? 2 : 1)) {
		text_append(page, ",\n{\"path\":\"/fdtd/process/job\",\"kind\":\"wave\"");
		append_box("box", &geometry.marks[0], page);
		if (found != NULL)
			append_box("around", &geometry.marks[1], page);
		text_append(page, "}");
	}
	fdtd_geometry_free(&geometry);
	return status;
}

sonde_status waves_append(sonde_context *context, const char *job, struct text *page)
{
	struct lists lists = {.boundaries = NULL};
	sonde_status status = read_lists(job, &lists);

	if (status == SONDE_OK)
		status = append_wave(context, job, &lists, page);
	free(lists.boundaries);
	free(lists.sources);
	free(lists.monitors);
	return status == SONDE_RESOURCE ? status : SONDE_OK;
}
