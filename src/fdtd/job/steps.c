/* Monitors of a job in a simulation: their observations, and the steps at which they record. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/job/monitors.h"
#include "fdtd/job/boundaries.h"
#include "fdtd/fields/places.h"

uint32_t job_monitor_interval(const struct job_monitor *monitor, const struct job_sources *sources)
{
	double most = 0.0;

	for (uint32_t f = 0; f < monitor->frequencies; ++f)
		most = fmax(most, monitor->angular[f]);
	return spectrum_interval(most, sources->present);
}

/* The places of a field around the point, in the order of planes, and the index of each component's own. */
struct point_place {
	uint64_t place;
	int plane, which, part;
};

static int compare_places(const void *a, const void *b)
{
	const struct point_place *x = a, *y = b;

	if (x->plane != y->plane)
		return x->plane < y->plane ? -1 : 1;
	return x->which != y->which ? x->which - y->which : x->part - y->part;
}

static sonde_status add_trace(const struct job_space *space, struct job_monitor *monitor, enum field field,
			      struct simulation *simulation)
{
	struct point_place found[3 * 8];
	uint64_t places[3 * 8];
	double point[3], place[3];
	int count = 0;

	frame_turn(&space->frame, monitor->center, place);
	for (int a = 0; a < 3; ++a)
		point[a] = frame_node(&space->frame, a, place[a]);
	for (int a = 0; a < 3; ++a) {
		struct place_part parts[8];
		if ((monitor->components & FIELD_COMPONENT(field, a)) == 0)
			continue;
		struct point_component *component = &monitor->points[monitor->point_count];
		*component = (struct point_component){.field = field, .component = a};
		component->count = places_around(&space->grid, field, a, point, parts);
		for (int n = 0; n < component->count; ++n) {
			const int *node = parts[n].node;
			component->parts[n] = parts[n].part * cos(parts[n].phase);
			component->turned[n] = parts[n].part * sin(parts[n].phase);
			found[count++] =
			    (struct point_place){fields_place(&simulation->fields, a, node[0], node[1], node[2]),
						 node[0], monitor->point_count, n};
		}
		++monitor->point_count;
	}
	if (count == 0)
		return SONDE_OK;
	qsort(found, (size_t)count, sizeof *found, compare_places);
	for (int n = 0; n < count; ++n) {
		places[n] = found[n].place;
		monitor->points[found[n].which].numbers[found[n].part] = (uint32_t)n;
	}
	monitor->traces[field] = simulation->traces;
	return simulation_add_trace(simulation, field, places, (uint32_t)count);
}

double complex job_point_value(const struct trace *trace, const struct point_component *component, size_t step)
{
	double real = 0.0, imaginary = 0.0;

	for (int n = 0; n < component->count; ++n) {
		const size_t at = step * trace->observation.count + component->numbers[n];
		const double x = trace->values[at], y = trace->imaginary != NULL ? trace->imaginary[at] : 0.0;
		real += component->parts[n] * x - component->turned[n] * y;
		imaginary += component->parts[n] * y + component->turned[n] * x;
	}
	return real + I * imaginary;
}

static sonde_status add_traces(const struct job_space *space, struct job_monitor *monitor,
			       struct simulation *simulation)
{
	monitor->point_count = 0;
	CHECK(add_trace(space, monitor, FIELD_E, simulation));
	return add_trace(space, monitor, FIELD_H, simulation);
}

/* The node at which the incident wave is recorded: outside its box there is no wave, and inside the wave is the same
 * everywhere. */
static int reference_node(const struct job_sources *sources, struct job_monitor *monitor)
{
	int axis = monitor->axis, node = monitor->low[axis];
	const struct total_field_box *box = &sources->wave.box;

	monitor->moved = sources->wave.number >= 0 && ((box->faces[axis][0] && node < box->low[axis]) ||
						       (box->faces[axis][1] && node > box->high[axis]));
	return monitor->moved ? (box->low[axis] + box->high[axis]) / 2 : node;
}

/* If a monitor is outside the wave's box, the wave is recorded within it, where there must be nothing else. */
static sonde_status check_moved(const struct job_space *space, const struct job_sources *sources,
				struct job_monitor *monitor)
{
	const sonde_fdtd_job *job = space->job;

	(void)reference_node(sources, monitor);
	for (int64_t n = 0; n < job->bodies.count && monitor->moved; ++n)
		if (job_body_is_in(space, n, PASS_REFERENCE))
			return status_fail_option(
			    SONDE_INVALID, "normalize",
			    "the monitor is outside the plane wave's box, and bodies %lld is in the "
			    "reference run: let a sheet emit the wave, with the monitor beyond it",
			    (long long)n + 1);
	return SONDE_OK;
}

static sonde_status add_spectrum(const struct job_space *space, const struct job_sources *sources,
				 struct job_monitor *monitor, bool reference, struct simulation *simulation)
{
	struct flux_plane planes[6];
	const int count = job_monitor_planes(space, monitor, planes);

	if (reference && monitor->axis >= 0) {
		CHECK(check_moved(space, sources, monitor));
		planes[0].node = reference_node(sources, monitor);
	}
	monitor->spectrum = simulation->spectra;
	return simulation_add_spectrum(simulation, planes, count, monitor->angular, monitor->frequencies,
				       job_monitor_interval(monitor, sources));
}

static struct field_region region_of(const struct job_space *space, const struct job_monitor *monitor)
{
	struct field_region region = {.placement = PLACED_AT_NODES, .components = monitor->components};

	for (int a = 0; a < 3; ++a) {
		region.low[a] = monitor->low[a];
		region.high[a] = space->frame.flat[a] ? monitor->low[a] : monitor->high[a];
		region.stride[a] = 1;
	}
	return region;
}

static sonde_status add_absorption(const struct job_space *space, const struct job_sources *sources,
				   struct job_monitor *monitor, struct simulation *simulation)
{
	bool of_wave = monitor->options->kind == SONDE_FDTD_MONITOR_KIND_CROSS_SECTION;
	const int *low = of_wave ? sources->wave.box.low : monitor->low,
		  *high = of_wave ? sources->wave.box.high : monitor->high;

	monitor->absorption = simulation->absorptions;
	return simulation_add_absorption(simulation, &space->media, low, high, monitor->angular, monitor->frequencies,
					 job_monitor_interval(monitor, sources));
}

/* Bodies cut by its box do not radiate into empty space. */
static sonde_status check_far_field(const struct job_space *space, const struct job_monitor *monitor)
{
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side) {
			const int node = side == 0 ? monitor->low[a] : monitor->high[a];
			bool is_free = true;
			if (!space->frame.flat[a] &&
			    !(grid_mirrors(&space->grid, a, side) && (node == 0 || node == space->grid.cells[a])))
				CHECK(job_face_is_free(space, monitor->low, monitor->high, a, side, &is_free));
			if (!is_free)
				return status_fail_option(
				    SONDE_INVALID, "size",
				    "a body extends through the far field's box at %c = %g m, but the far "
				    "field propagates in the background only; make the box larger or smaller",
				    "xyz"[frame_job_axis(&space->frame, a)], frame_place(&space->frame, a, node));
		}
	return SONDE_OK;
}

static sonde_status add_monitor(const struct job_space *space, const struct job_sources *sources,
				struct job_monitor *monitor, bool reference, struct simulation *simulation)
{
	struct field_region region = region_of(space, monitor);

	switch (monitor->options->kind) {
	case SONDE_FDTD_MONITOR_KIND_POINT:
	case SONDE_FDTD_MONITOR_KIND_RESONANCES:
	case SONDE_FDTD_MONITOR_KIND_SOURCE_POWER:
		return add_traces(space, monitor, simulation);
	case SONDE_FDTD_MONITOR_KIND_FIELDS:
		monitor->fields = simulation->field_monitors;
		return simulation_add_field_monitor(simulation, &region, monitor->angular, monitor->frequencies,
						    job_monitor_interval(monitor, sources));
	case SONDE_FDTD_MONITOR_KIND_SNAPSHOT:
		return snapshot_make(&simulation->fields, &region, &monitor->snapshot);
	case SONDE_FDTD_MONITOR_KIND_ABSORPTION:
		return add_absorption(space, sources, monitor, simulation);
	case SONDE_FDTD_MONITOR_KIND_CROSS_SECTION:
		CHECK(add_absorption(space, sources, monitor, simulation));
		return add_spectrum(space, sources, monitor, false, simulation);
	case SONDE_FDTD_MONITOR_KIND_FAR_FIELD:
		CHECK(check_far_field(space, monitor));
		return add_spectrum(space, sources, monitor, reference, simulation);
	default: /* flux */
		return add_spectrum(space, sources, monitor, reference, simulation);
	}
}

sonde_status job_monitors_add(const struct job_space *space, const struct job_sources *sources, enum job_pass pass,
			      struct job_monitors *monitors, struct simulation *simulation)
{
	const sonde_fdtd_job *job = space->job;
	const bool reference = pass != PASS_BODIES;

	for (int64_t n = 0; n < monitors->count; ++n) {
		struct job_monitor *monitor = &monitors->monitors[n];
		monitor->spectrum = -1; /* of another simulation */
		if (reference && monitor->options->normalize == SONDE_FDTD_MONITOR_NORMALIZE_NONE)
			continue;
		CHECK(job_prefix(job, add_monitor(space, sources, monitor, reference, simulation), "monitors",
				 job->monitors.lines, n));
	}
	return SONDE_OK;
}

void job_monitors_remove(struct job_monitors *monitors, struct simulation *simulation)
{
	for (int64_t n = 0; n < monitors->count; ++n)
		if (monitors->monitors[n].options->kind == SONDE_FDTD_MONITOR_KIND_SNAPSHOT)
			snapshot_release(&simulation->fields, &monitors->monitors[n].snapshot);
}

sonde_status job_monitors_keep(struct job_monitors *monitors, enum job_pass pass, struct simulation *simulation)
{
	for (int64_t n = 0; n < monitors->count; ++n) {
		struct job_monitor *monitor = &monitors->monitors[n];
		if (monitor->options->normalize == SONDE_FDTD_MONITOR_NORMALIZE_NONE)
			continue;
		const struct spectrum *spectrum = &simulation->spectrum[monitor->spectrum];
		size_t count = (size_t)monitor->frequencies * spectrum->count;
		struct monitor_sums *sums = pass == PASS_WAVE ? &monitor->wave : &monitor->reference;
		sums->count = count;
		CHECK(memory_allocate(&sums->e, count, sizeof(double complex), "a monitor"));
		CHECK(memory_allocate(&sums->h, count, sizeof(double complex), "a monitor"));
		CHECK(spectrum_sums(&simulation->fields, spectrum, sums->e, sums->h));
	}
	return SONDE_OK;
}

/* Checks the kept data of a run: as many numbers as the same planes have in this run, or none if that run has not
 * been made yet. */
static sonde_status check_sums(const struct state *state, const struct monitor_sums *sums, bool kept, size_t wanted)
{
	wanted = kept ? wanted : 0;
	return sums->count == wanted ? SONDE_OK
				     : state_differs(state, "sums of a reference run", sums->count, wanted);
}

static sonde_status check_monitor(const struct job_monitor *monitor, enum job_pass pass, bool wave_alone,
				  const struct simulation *simulation, const struct state *state)
{
	const bool normalized = monitor->options->normalize != SONDE_FDTD_MONITOR_NORMALIZE_NONE,
		   snapshots = monitor->options->kind == SONDE_FDTD_MONITOR_KIND_SNAPSHOT && pass == PASS_BODIES;
	const struct field_sampling *sampling = &monitor->snapshot.sampling;
	const size_t numbers = snapshots ? (size_t)sampling->component_count * sampling->points : 0,
		     taken = snapshots ? monitor->taken : 0;
	size_t sums = 0;

	if (monitor->spectrum >= 0)
		sums = (size_t)monitor->frequencies * simulation->spectrum[monitor->spectrum].count;
	CHECK(check_sums(state, &monitor->reference, normalized && pass < PASS_REFERENCE, sums));
	CHECK(check_sums(state, &monitor->wave, normalized && wave_alone && pass < PASS_WAVE, sums));
	if (monitor->taken != taken)
		return state_differs(state, "snapshots", monitor->taken, taken);
	if (numbers > 0 ? monitor->values_count / numbers != taken || monitor->values_count % numbers != 0
			: monitor->values_count != 0)
		return state_differs(state, "numbers of snapshots", monitor->values_count, taken * numbers);
	return SONDE_OK;
}

sonde_status job_monitors_check_restored(const struct job_monitors *monitors, enum job_pass pass, bool wave_alone,
					 const struct simulation *simulation, const struct state *state)
{
	for (int64_t n = 0; n < monitors->count; ++n) {
		const sonde_status status =
		    check_monitor(&monitors->monitors[n], pass, wave_alone, simulation, state);
		if (status != SONDE_OK)
			return status_prefix(status, "monitor %lld", (long long)n + 1);
	}
	return SONDE_OK;
}

/* Snapshots ------------------------------------------------------------------------------------------- */

uint64_t job_monitors_next(const struct job_monitors *monitors)
{
	uint64_t next = UINT64_MAX;

	for (int64_t n = 0; n < monitors->count; ++n) {
		const struct job_monitor *monitor = &monitors->monitors[n];
		if (monitor->options->kind == SONDE_FDTD_MONITOR_KIND_SNAPSHOT && monitor->next_step < next)
			next = monitor->next_step;
	}
	return next;
}

static sonde_status take_snapshot(struct job_monitor *monitor, struct simulation *simulation)
{
	const struct field_sampling *sampling = &monitor->snapshot.sampling;
	size_t numbers = (size_t)sampling->component_count * sampling->points, room = monitor->taken;

	CHECK(memory_grow(&monitor->values, &monitor->capacity, (monitor->taken + 1) * numbers, sizeof(double),
			  "the snapshots"));
	CHECK(memory_grow(&monitor->times, &room, monitor->taken + 1, sizeof(double), "the snapshots"));
	CHECK(snapshot_read(&simulation->fields, &monitor->snapshot, monitor->values + monitor->taken * numbers));
	monitor->times[monitor->taken] = (double)simulation->step;
	++monitor->taken;
	monitor->values_count = monitor->taken * numbers;
	return SONDE_OK;
}

sonde_status job_monitors_gather(const struct job_monitors *monitors, struct fields *fields, uint64_t step,
				 uint32_t first, uint32_t count)
{
	for (int64_t n = 0; n < monitors->count; ++n) {
		const struct job_monitor *monitor = &monitors->monitors[n];
		if (monitor->options->kind == SONDE_FDTD_MONITOR_KIND_SNAPSHOT && monitor->next_step == step)
			CHECK(snapshot_gather(fields, &monitor->snapshot, first, count));
	}
	return SONDE_OK;
}

sonde_status job_monitors_look(struct job_monitors *monitors, struct simulation *simulation)
{
	for (int64_t n = 0; n < monitors->count; ++n) {
		struct job_monitor *monitor = &monitors->monitors[n];
		if (monitor->options->kind != SONDE_FDTD_MONITOR_KIND_SNAPSHOT ||
		    monitor->next_step != simulation->step)
			continue;
		CHECK(take_snapshot(monitor, simulation));
		monitor->next_step = monitor->interval > 0 ? simulation->step + monitor->interval : UINT64_MAX;
	}
	return SONDE_OK;
}
