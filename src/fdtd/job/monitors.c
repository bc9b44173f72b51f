#include "fdtd/job/monitors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NEVER 0x1p53  /* steps: later than any run reaches */
#define AROUND_WAVE 2 /* cells between a plane wave's box and the monitors of cross-sections */

/* Frequencies --------------------------------------------------------------------------- */

double job_grid_value(const sonde_grid *grid, int64_t number)
{
	const double intervals = grid->points > 1 ? (double)(grid->points - 1) : 1.0;

	return number == 0 ? grid->first : grid->first + (grid->last - grid->first) * (double)number / intervals;
}

/* A band has two ends; only resonances use one. */
static sonde_status count_frequencies(const struct job_monitor *monitor, const char *key, const sonde_grid *grid,
				      uint32_t *count)
{
	const bool resonances = monitor->options->kind == SONDE_FDTD_MONITOR_KIND_RESONANCES;

	if (!(grid->first > 0.0))
		return status_fail_option(SONDE_INVALID, key, "they must be above 0");
	if (resonances && grid->points == 1)
		return status_fail_option(
		    SONDE_INVALID, key, "resonances are searched in a band: write " OPTION_VALUE("%s", "FIRST:LAST"),
		    key);
	if (!resonances && grid->points == 0)
		return status_fail_option(SONDE_INVALID, key,
					  "the number of values between %g and %g is missing: write " OPTION_VALUE(
					      "%s", "FIRST:LAST:COUNT"),
					  grid->first, grid->last, key);
	*count = grid->points > 0 ? (uint32_t)grid->points : 2;
	return SONDE_OK;
}

static sonde_status make_frequencies(const struct job_space *space, struct job_monitor *monitor)
{
	const sonde_grid *frequencies = &monitor->options->frequencies, *wavelengths = &monitor->options->wavelengths;
	bool given = frequencies->last > 0.0, waves = wavelengths->last > 0.0;
	const sonde_grid *grid = given ? frequencies : wavelengths;

	if (given == waves)
		return status_fail_option(SONDE_INVALID, "frequencies",
					  given
					      ? "only one of `frequencies` and `wavelengths` can be given"
					      : "required, as in `frequencies 400 THz:800 THz:41`, or `wavelengths`");
	CHECK(count_frequencies(monitor, given ? "frequencies" : "wavelengths", grid, &monitor->frequencies));
	CHECK(memory_allocate(&monitor->hertz, monitor->frequencies, sizeof(double), "a monitor"));
	CHECK(memory_allocate(&monitor->angular, monitor->frequencies, sizeof(double), "a monitor"));
	for (uint32_t f = 0; f < monitor->frequencies; ++f) {
		double value = job_grid_value(grid, f);
		monitor->hertz[f] = given ? value : SPEED_OF_LIGHT / value;
		monitor->angular[f] = frame_angular(&space->frame, monitor->hertz[f]);
		if (monitor->angular[f] >= M_PI)
			return status_fail_option(SONDE_INVALID, given ? "frequencies" : "wavelengths",
						  "%.4g THz is too high for steps of %.3g fs; choose smaller cells",
						  1e-12 * monitor->hertz[f], 1e15 * space->frame.time_step);
	}
	return SONDE_OK;
}

/* Places ---------------------------------------------------------------------------------- */

/* Nodes of an edge of the monitor's box. */
static sonde_status nodes_along(const struct job_space *space, struct job_monitor *monitor, int axis)
{
	const struct fdtd_frame *frame = &space->frame;
	int u = frame_job_axis(frame, axis);
	double center = vector_part(monitor->center, u), size = vector_part(monitor->options->size, u);
	double low = frame_node(frame, axis, center - 0.5 * size),
	       high = frame_node(frame, axis, center + 0.5 * size);
	const int *inner = frame->inner[axis];

	monitor->low[axis] = 0;
	monitor->high[axis] = frame->flat[axis] ? 1 : 0;
	if (frame->flat[axis])
		return SONDE_OK;
	/* the largest that fits is all of the space */
	if (low < inner[0] - 0.51 || high > inner[1] + 0.51)
		return status_fail(SONDE_INVALID,
				   "it extends from %g to %g m along %c, beyond the sides (%g to %g m)",
				   center - 0.5 * size, center + 0.5 * size, "xyz"[u],
				   frame_place(frame, axis, inner[0]), frame_place(frame, axis, inner[1]));
	monitor->low[axis] = (int)lround(fmax(low, inner[0]));
	monitor->high[axis] = size > 0.0 ? (int)lround(fmin(high, inner[1])) : monitor->low[axis];
	if (size > 0.0 && monitor->high[axis] <= monitor->low[axis])
		return status_fail_option(SONDE_INVALID, "size", "%g m along %c is less than a cell", size, "xyz"[u]);
	return SONDE_OK;
}

static sonde_status find_nodes(const struct job_space *space, struct job_monitor *monitor)
{
	for (int a = 0; a < 3; ++a)
		CHECK(nodes_along(space, monitor, a));
	return SONDE_OK;
}

/* Number of axes with size 0, uniform ones not counted; the last of them. */
static int thin_axes(const struct job_space *space, const struct job_monitor *monitor, int *axis)
{
	int thin = 0;

	*axis = -1;
	for (int a = 0; a < 3; ++a)
		if (!space->frame.flat[a] && monitor->high[a] == monitor->low[a]) {
			++thin;
			*axis = a;
		}
	return thin;
}

static int full_axes(const struct job_space *space)
{
	return 3 - space->frame.flat[0] - space->frame.flat[1] - space->frame.flat[2];
}

/* Whether a box's low and high side along an axis coincide, since the whole period is in it. */
static bool comes_round(const struct job_space *space, const struct job_monitor *monitor, int axis)
{
	return space->grid.walls[axis][0] == WALL_PERIODIC && monitor->low[axis] == 0 &&
	       monitor->high[axis] == space->grid.cells[axis];
}

/* A box that ends at one wall of an axis is half of one with its image, and closed by it. Between two walls, as in a
 * waveguide, there is no such whole. */
static double images_of(const struct job_space *space, const struct job_monitor *monitor)
{
	double images = 1.0;

	for (int a = 0; a < 3; ++a) {
		const bool low = grid_mirrors(&space->grid, a, 0) && monitor->low[a] == 0,
			   high = grid_mirrors(&space->grid, a, 1) && monitor->high[a] == space->grid.cells[a];
		images *= low != high ? 2.0 : 1.0;
	}
	return images;
}

static sonde_status check_closed(const struct job_space *space, struct job_monitor *monitor)
{
	int axis;

	if (thin_axes(space, monitor, &axis) > 0)
		return status_fail_option(SONDE_INVALID, "size", "it must be a box, with no edge of length 0");
	for (int a = 0; a < 3; ++a) {
		const bool absorption = monitor->options->kind == SONDE_FDTD_MONITOR_KIND_ABSORPTION;
		if (space->frame.flat[a] || (absorption && comes_round(space, monitor, a)))
			continue;
		for (int side = 0; side < 2; ++side)
			if ((side == 0 ? monitor->low[a] < 1 : monitor->high[a] > space->grid.cells[a] - 1) &&
			    !grid_mirrors(&space->grid, a, side))
				return status_fail(
				    SONDE_INVALID,
				    "its box touches a side across %c that is periodic: leave a cell between them",
				    "xyz"[frame_job_axis(&space->frame, a)]);
	}
	monitor->images = images_of(space, monitor);
	return SONDE_OK;
}

static sonde_status check_flux(const struct job_space *space, struct job_monitor *monitor)
{
	int thin = thin_axes(space, monitor, &monitor->axis);

	if (thin > 1)
		return status_fail_option(SONDE_INVALID, "size",
					  "it has no area: a plane has one edge of length 0, a box none");
	if (monitor->options->normalize == SONDE_FDTD_MONITOR_NORMALIZE_REFLECTION && thin == 0)
		return status_fail_option(SONDE_INVALID, "normalize", "a reflection needs a plane, not a box");
	return thin == 0 ? check_closed(space, monitor) : SONDE_OK;
}

/* Components -------------------------------------------------------------------------------- */

static sonde_status parse_components(const struct job_space *space, struct job_monitor *monitor)
{
	const char *text = monitor->options->components;

	monitor->components = text[0] == '\0' ? ALL_OF_E : 0;
	while (*text != '\0') {
		while (*text == ' ')
			++text;
		bool electric = text[0] == 'E',
		     known = (electric || text[0] == 'H') && text[1] >= 'x' && text[1] <= 'z';
		if (!known || (text[2] != '\0' && strchr(",; ", text[2]) == NULL))
			return status_fail_option(SONDE_INVALID, "components",
						  "'%.16s' is not one of Ex, Ey, Ez, Hx, Hy, Hz", text);
		int a = frame_engine_axis(&space->frame, text[1] - 'x');
		monitor->components |= FIELD_COMPONENT(electric ? FIELD_E : FIELD_H, a);
		text += 2;
		while (*text == ' ' || *text == ',' || *text == ';')
			++text;
	}
	return SONDE_OK;
}

/* Making ---------------------------------------------------------------------------------------- */

static sonde_status make_times(const struct job_space *space, struct job_monitor *monitor)
{
	double dt = space->frame.time_step, every = monitor->options->every, start = monitor->options->start;

	monitor->interval = every > 0.0 ? (uint64_t)fmin(fmax(1.0, round(every / dt)), NEVER) : 0;
	monitor->first_step = monitor->next_step = (uint64_t)fmin(round(start / dt), NEVER);
	if (monitor->options->kind != SONDE_FDTD_MONITOR_KIND_SNAPSHOT)
		return SONDE_OK;
	if (monitor->interval == 0 && start == 0.0)
		return status_fail_option(
		    SONDE_INVALID, "every",
		    "required, the time between snapshots, as in every: 2 fs; or start for a single one");
	return SONDE_OK;
}

/* One body, or one source, has an image in one wall of an axis, and infinitely many in two, or beyond periodic sides. */
static sonde_status check_whole(const struct job_space *space, const char *what)
{
	const struct fdtd_grid *grid = &space->grid;

	for (int a = 0; a < 3; ++a) {
		const bool both = grid_mirrors(grid, a, 0) && grid_mirrors(grid, a, 1),
			   periodic = !grid_is_uniform(grid, a) && grid->walls[a][0] == WALL_PERIODIC;
		if (both || periodic)
			return status_fail_option(
			    SONDE_INVALID, "kind",
			    "%s applies to the contents of the box and their image in one wall; "
			    "the sides of %c %s: at least one of them must absorb",
			    what, "xyz"[frame_job_axis(&space->frame, a)], both ? "both mirror" : "are periodic");
	}
	return SONDE_OK;
}

static sonde_status make_cross_section(const struct job_space *space, const struct job_sources *sources,
				       struct job_monitor *monitor)
{
	if (sources->wave.number < 0)
		return status_fail_option(SONDE_INVALID, "kind",
					  "cross-sections need a plane wave, and there is none among the sources");
	CHECK(check_whole(space, "a cross-section"));
	for (int a = 0; a < 3; ++a) {
		const bool mirrors[2] = {grid_mirrors(&space->grid, a, 0), grid_mirrors(&space->grid, a, 1)};
		if (space->frame.flat[a])
			continue;
		for (int side = 0; side < 2; ++side)
			if (!sources->wave.box.faces[a][side] && !mirrors[side])
				return status_fail_option(
				    SONDE_INVALID, "kind",
				    "the plane wave's box is not closed along %c: "
				    "cross-sections need absorbing layers, or mirrors, on all sides",
				    "xyz"[frame_job_axis(&space->frame, a)]);
		monitor->low[a] = sources->wave.box.low[a] - (mirrors[0] ? 0 : AROUND_WAVE);
		monitor->high[a] = sources->wave.box.high[a] + (mirrors[1] ? 0 : AROUND_WAVE);
		if (monitor->low[a] < space->frame.inner[a][0] || monitor->high[a] > space->frame.inner[a][1])
			return status_fail_option(SONDE_INVALID, "kind",
						  "the plane wave's box leaves no %d cells for the monitor along %c",
						  AROUND_WAVE, "xyz"[frame_job_axis(&space->frame, a)]);
	}
	monitor->images = images_of(space, monitor);
	return SONDE_OK;
}

/* On a face of the plane wave's box E includes the wave and H on one side of it does not: no power is defined there. */
static sonde_status check_beside_wave(const struct job_space *space, const struct job_sources *sources,
				      const struct job_monitor *monitor)
{
	const struct total_field_box *box = &sources->wave.box;

	for (int a = 0; a < 3 && sources->wave.number >= 0; ++a)
		for (int side = 0; side < 2; ++side) {
			int face = side == 0 ? box->low[a] : box->high[a];
			bool meets = monitor->axis < 0 || monitor->axis == a;
			if (!box->faces[a][side] || !meets || (monitor->low[a] != face && monitor->high[a] != face))
				continue;
			return status_fail_option(
			    SONDE_INVALID, "center",
			    "its plane is the face of the plane wave's box at %c = %g m; move it by a cell: "
			    "outward for the scattered or reflected field, inward for the total field",
			    "xyz"[frame_job_axis(&space->frame, a)], frame_place(&space->frame, a, face));
		}
	return SONDE_OK;
}

/* Reported before the run: memory for all directions at its end. */
static sonde_status check_directions(const struct job_monitor *monitor)
{
	const double of_direction = 48.0,
		     of_frequency = 80.0; /* bytes: angles and vectors; amplitudes and six arrays */
	double directions = (double)monitor->options->theta.points * (double)monitor->options->phi.points,
	       bytes = directions * (of_direction + of_frequency * monitor->frequencies),
	       available = (double)memory_available();

	if (bytes <= available)
		return SONDE_OK;
	return status_fail(
	    SONDE_RESOURCE,
	    "a far field of %g directions at %u frequencies takes %.3g GB, and this machine has %.3g GB: "
	    "take fewer directions or frequencies",
	    directions, monitor->frequencies, 1e-9 * bytes, 1e-9 * available);
}

/* A dipole's position and direction become the monitor's. */
static sonde_status find_source(const struct job_space *space, struct job_monitor *monitor)
{
	const sonde_fdtd_job *job = space->job;
	const int64_t number = monitor->options->source;
	double place[3], length = 0.0;

	if (number > job->sources.count)
		return status_fail_option(SONDE_INVALID, "source", "there are only %lld sources",
					  (long long)job->sources.count);
	const sonde_fdtd_source_options *source = &job->sources.items[number - 1];
	const bool electric = source->kind == SONDE_FDTD_SOURCE_KIND_DIPOLE;
	if (!electric && source->kind != SONDE_FDTD_SOURCE_KIND_MAGNETIC_DIPOLE)
		return status_fail_option(SONDE_INVALID, "source",
					  "sources %lld is not a dipole: use a flux through a plane beyond it",
					  (long long)number);
	monitor->source = number - 1;
	monitor->center = source->center;
	frame_turn(&space->frame, source->polarization, monitor->direction);
	frame_turn(&space->frame, source->center, place);
	for (int a = 0; a < 3; ++a)
		length += monitor->direction[a] * monitor->direction[a];
	monitor->components = 0;
	for (int a = 0; a < 3; ++a) {
		monitor->direction[a] /= length > 0.0 ? sqrt(length) : 1.0;
		monitor->place[a] = frame_node(&space->frame, a, place[a]);
		if (monitor->direction[a] != 0.0)
			monitor->components |= FIELD_COMPONENT(electric ? FIELD_E : FIELD_H, a);
	}
	return SONDE_OK;
}

static sonde_status check_kind(const struct job_space *space, const struct job_sources *sources,
			       struct job_monitor *monitor)
{
	int axis, kind = monitor->options->kind;

	switch (kind) {
	case SONDE_FDTD_MONITOR_KIND_POINT:
	case SONDE_FDTD_MONITOR_KIND_RESONANCES:
		if (thin_axes(space, monitor, &axis) != full_axes(space))
			return status_fail_option(SONDE_INVALID, "size", "the monitor is a point");
		return SONDE_OK;
	case SONDE_FDTD_MONITOR_KIND_FLUX:
		CHECK(check_flux(space, monitor));
		return check_beside_wave(space, sources, monitor);
	case SONDE_FDTD_MONITOR_KIND_CROSS_SECTION:
		return make_cross_section(space, sources, monitor);
	case SONDE_FDTD_MONITOR_KIND_ABSORPTION:
		return check_closed(space, monitor);
	case SONDE_FDTD_MONITOR_KIND_FAR_FIELD:
		CHECK(check_whole(space, "a far field"));
		CHECK(check_closed(space, monitor));
		CHECK(check_directions(monitor));
		return check_beside_wave(space, sources, monitor);
	default:
		return SONDE_OK;
	}
}

static sonde_status make_monitor(const struct job_space *space, const struct job_sources *sources,
				 struct job_monitor *monitor)
{
	const sonde_fdtd_monitor_options *options = monitor->options;

	if (options->kind < 0)
		return status_fail_option(SONDE_INVALID, "kind",
					  "required, one of point, resonances, flux, fields, snapshot, "
					  "cross-section, absorption, far-field or source-power");
	if (space->grid.bloch && (options->kind == SONDE_FDTD_MONITOR_KIND_CROSS_SECTION ||
				  options->kind == SONDE_FDTD_MONITOR_KIND_FAR_FIELD))
		return status_fail_option(
		    SONDE_INVALID, "kind", "%s of a single body is not defined with Bloch walls, which repeat it",
		    options->kind == SONDE_FDTD_MONITOR_KIND_FAR_FIELD ? "the far field" : "a cross-section");
	monitor->center = options->center;
	CHECK(parse_components(space, monitor));
	if (options->kind == SONDE_FDTD_MONITOR_KIND_SOURCE_POWER)
		CHECK(find_source(space, monitor));
	CHECK(find_nodes(space, monitor));
	CHECK(make_times(space, monitor));
	if (options->kind != SONDE_FDTD_MONITOR_KIND_POINT && options->kind != SONDE_FDTD_MONITOR_KIND_SNAPSHOT)
		CHECK(make_frequencies(space, monitor));
	return check_kind(space, sources, monitor);
}

int job_monitor_planes(const struct job_space *space, const struct job_monitor *monitor, struct flux_plane planes[6])
{
	if (monitor->axis < 0)
		return flux_planes_of_box(&space->grid, monitor->low, monitor->high, planes);
	planes[0] = (struct flux_plane){.axis = monitor->axis, .node = monitor->low[monitor->axis], .sign = 1.0};
	for (int a = 0; a < 3; ++a) {
		planes[0].low[a] = monitor->low[a];
		planes[0].high[a] = monitor->high[a];
	}
	return 1;
}

static const char *const kinds[] = {"point",         "resonances", "flux",      "fields",      "snapshot",
				    "cross-section", "absorption", "far-field", "source-power"};

void job_monitor_name(const sonde_fdtd_monitor_options *options, int64_t number, char name[64])
{
	if (options->name[0] != '\0')
		snprintf(name, 64, "%.63s", options->name);
	else
		snprintf(name, 64, "%s-%lld", options->kind >= 0 ? kinds[options->kind] : "", (long long)number + 1);
}

void job_monitor_label(const struct job_monitors *monitors, int64_t number, sonde_fdtd_monitor *result)
{
	job_monitor_name(monitors->monitors[number].options, number, result->name);
	snprintf(result->kind, sizeof result->kind, "%s", kinds[monitors->monitors[number].options->kind]);
}

static sonde_status check_name(const struct job_monitors *monitors, int64_t number)
{
	/* other parts of a result file: run/provenance.c, result_nexus.c */
	static const char *const taken[] = {"definition", "definitions", "grid", "process",
					    "sample",     "start_time",  "title"};
	char name[64], other[64];
	const char *given = monitors->monitors[number].options->name;

	if (strlen(given) >= JOB_NAME_SIZE)
		return status_fail_option(SONDE_INVALID, "name", "'%.20s...' has %zu bytes, at most %d are possible",
					  given, strlen(given), JOB_NAME_SIZE - 1);
	job_monitor_name(monitors->monitors[number].options, number, name);
	if (strchr(name, '/') != NULL || name[0] == '.')
		return status_fail_option(SONDE_INVALID, "name", "'%s' has a '/' or begins with '.'", name);
	for (size_t k = 0; k < sizeof taken / sizeof *taken; ++k)
		if (strcmp(name, taken[k]) == 0)
			return status_fail_option(SONDE_INVALID, "name",
						  "'%s' is reserved for another part of the result", name);
	for (int64_t n = 0; n < number; ++n) {
		job_monitor_name(monitors->monitors[n].options, n, other);
		if (strcmp(name, other) == 0)
			return status_fail_option(SONDE_INVALID, "name", "an earlier monitor is also named '%s'",
						  name);
	}
	return SONDE_OK;
}

sonde_status job_monitors_make(const struct job_space *space, const struct job_sources *sources,
			       struct job_monitors *monitors)
{
	const sonde_fdtd_job *job = space->job;

	*monitors = (struct job_monitors){.count = job->monitors.count};
	CHECK(memory_allocate(&monitors->monitors, (size_t)monitors->count, sizeof *monitors->monitors,
			      "the monitors"));
	for (int64_t n = 0; n < monitors->count; ++n) {
		struct job_monitor *monitor = &monitors->monitors[n];
		*monitor = (struct job_monitor){.options = &job->monitors.items[n],
						.axis = -1,
						.images = 1.0,
						.spectrum = -1,
						.fields = -1,
						.absorption = -1,
						.traces = {-1, -1}};
		sonde_status status = check_name(monitors, n);
		if (status == SONDE_OK)
			status = make_monitor(space, sources, monitor);
		CHECK(job_prefix(job, status, "monitors", job->monitors.lines, n));
		monitors->needs_reference |= monitor->options->normalize != SONDE_FDTD_MONITOR_NORMALIZE_NONE;
	}
	return SONDE_OK;
}

void job_monitors_free(struct job_monitors *monitors)
{
	for (int64_t n = 0; n < monitors->count && monitors->monitors != NULL; ++n) {
		struct job_monitor *monitor = &monitors->monitors[n];
		free(monitor->hertz);
		free(monitor->angular);
		free(monitor->values);
		free(monitor->times);
		free(monitor->reference.e);
		free(monitor->reference.h);
		free(monitor->wave.e);
		free(monitor->wave.h);
	}
	free(monitors->monitors);
	*monitors = (struct job_monitors){0};
}
