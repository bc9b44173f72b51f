#include "fdtd/simulation/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "fdtd/fields/fields_cpu.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/grid/layout.h"

#define SECONDS_AT_ONCE 0.5   /* of steps in a block, on a CPU */
#define CELLS_OF_WORKER 0.4e9 /* per second, approximately */
#define USUAL_CACHE 32e6      /* bytes, if the system does not report it */
#define MOST_OF_CACHE 40e6    /* bytes of planes that are stepped in turn, */
#define PART_OF_CACHE 0.6     /* and this part of the cache, at most */
#define GROUPS_OF_THREAD 4.0  /* of a launch */
#define USUAL_SLAB 2          /* planes */

/* Size of the largest cache that a core has access to: processors of several dies have several. The C library may
 * report the sum of them. */
static double last_cache_bytes(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "re");
	double kilobytes = 0.0;
	long bytes = 0;

	if (file != NULL && fscanf(file, "%lfK", &kilobytes) != 1)
		kilobytes = 0.0;
	if (file != NULL)
		fclose(file);
	if (kilobytes > 0.0)
		return 1024.0 * kilobytes;
#if defined(_SC_LEVEL3_CACHE_SIZE)
	bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
	return bytes > 0 ? (double)bytes : USUAL_CACHE;
}

/* On CPUs planes are stepped while they are in the caches, if time skewing pays off; GPUs take all planes at once. */
static void choose_slab(struct simulation *simulation)
{
	const struct fdtd_step *layout = &simulation->fields.layout;
	const struct fdtd_grid *grid = &simulation->fields.grid;
	double plane = 6.0 * (double)layout->plane * (simulation->fields.single ? 4.0 : 8.0);
	double planes = floor(fmin(MOST_OF_CACHE, PART_OF_CACHE * last_cache_bytes()) / plane),
	       groups = (double)layout->groups_of_plane / layout->planes_of_group;

	simulation->slab = layout->end[0];
	if (device_properties(simulation->fields.device)->gpu_kernels)
		return;
	/* a stop takes effect only between blocks of steps */
	const double steps = SECONDS_AT_ONCE * CELLS_OF_WORKER * device_workers(simulation->fields.device) /
			     ((double)grid->cells[0] * grid->cells[1] * grid->cells[2]);
	simulation->at_once = (uint32_t)fmax(1.0, fmin(floor(steps), MOST_SAMPLES));
	/* so that groups of samples (fourier.h) are complete at the end of blocks */
	while ((simulation->at_once & (simulation->at_once - 1)) != 0)
		--simulation->at_once;
	if (grid->walls[0][0] == WALL_PERIODIC || grid->bloch)
		return;
	/* enough planes for all threads, a few groups each; the slab, its way back, and the plane before are in the cache */
	const double least = ceil(GROUPS_OF_THREAD * device_workers(simulation->fields.device) / groups);
	if (planes < least + 3.0 || least >= layout->end[0] || simulation->at_once < 2)
		return;
	while (simulation->at_once > planes - least - 1.0)
		simulation->at_once /= 2;
	simulation->slab = (uint32_t)fmax(least, fmin(USUAL_SLAB, planes - simulation->at_once - 1.0));
}

sonde_status simulation_make(struct device *device, const struct fdtd_grid *grid, const struct media *media,
			     bool single, struct simulation *simulation)
{
	return simulation_make_streamed(device, grid, media, single, NULL, simulation);
}

sonde_status simulation_make_streamed(struct device *device, const struct fdtd_grid *grid, const struct media *media,
				      bool single, const struct schedule *schedule, struct simulation *simulation)
{
	*simulation = (struct simulation){.at_once = MOST_SAMPLES, .progress_unit = 1.0, .lag = 1};
	CHECK(fields_make_streamed(device, grid, media, single, schedule, &simulation->fields));
	simulation->own = (struct plane_range){0, simulation->fields.layout.end[0]};
	choose_slab(simulation);
	simulation->pairs = schedule == NULL && fields_can_pair(&simulation->fields);
	if (schedule == NULL)
		return SONDE_OK;
	simulation->in_place = !schedule->whole;
	simulation->at_once = schedule->height;
	if (schedule->method == STREAMING_PYRAMID)
		simulation->lag = simulation->fields.streaming->schedule.lag;
	return SONDE_OK;
}

void simulation_release(struct simulation *simulation)
{
	struct fields *fields = &simulation->fields;

	for (int n = 0; n < simulation->currents; ++n) {
		injection_release(fields, &simulation->current[n].injection);
		free(simulation->current[n].signals);
	}
	for (int n = 0; n < simulation->total_fields; ++n)
		total_field_release(fields, &simulation->total_field[n]);
	for (int n = 0; n < simulation->spectra; ++n)
		spectrum_release(fields, &simulation->spectrum[n]);
	for (int n = 0; n < simulation->field_monitors; ++n)
		field_monitor_release(fields, &simulation->field_monitor[n]);
	for (int n = 0; n < simulation->absorptions; ++n)
		absorption_release(fields, &simulation->absorption[n]);
	for (int n = 0; n < simulation->traces; ++n) {
		observation_release(fields, &simulation->trace[n].observation);
		free(simulation->trace[n].values);
		free(simulation->trace[n].imaginary);
	}
	free(simulation->current);
	free(simulation->total_field);
	free(simulation->spectrum);
	free(simulation->field_monitor);
	free(simulation->absorption);
	free(simulation->trace);
	fields_release(fields);
	*simulation = (struct simulation){0};
}

/* Makes room for one more of `count` items. */
static sonde_status grow(void *things, int *count, size_t size)
{
	size_t capacity = (size_t)*count;

	CHECK(memory_grow(things, &capacity, capacity + 1, size, "the simulation"));
	memset(*(char **)things + (size_t)*count * size, 0, size);
	++*count;
	return SONDE_OK;
}

/* Contribution of a current of 1 to its field at a place. */
static double answer_at(const struct fields *fields, const struct media *media, enum field field, uint64_t place)
{
	int node[3], component = layout_node(&fields->layout, place, node);
	const struct media_numbers *numbers = field == FIELD_E ? media->edges[component] : media->faces[component];
	size_t at = media_at(&fields->grid, node[0], node[1], node[2]);

	if (field == FIELD_E)
		return -medium_step_of_e(&media->media[media_number(numbers, at)]).second;
	return medium_answer_of_h(numbers != NULL ? &media->media[media_number(numbers, at)] : &vacuum);
}

/* Whether a place is one of E along a conductor or of H across one, which are 0 for any current. */
static bool on_conductor(const struct fields *fields, enum field field, uint64_t place)
{
	const struct fdtd_grid *grid = &fields->grid;
	int node[3], component = layout_node(&fields->layout, place, node);

	for (int a = 0; a < 3; ++a) {
		bool conductor = (field == FIELD_E) == (a != component) && !grid_is_uniform(grid, a) &&
				 ((node[a] == 0 && grid->walls[a][0] == WALL_CONDUCTOR) ||
				  (node[a] == grid->cells[a] && grid->walls[a][1] == WALL_CONDUCTOR));
		/* one place of a plane represents all edges on the conductor at the end of its rows: see layout_place() */
		if (conductor || node[a] > grid->cells[a])
			return true;
	}
	return false;
}

static void forget_conductors(const struct fields *fields, enum field field, struct injection_terms *terms)
{
	size_t count = 0;

	for (size_t n = 0; n < terms->count; ++n)
		if (!on_conductor(fields, field, terms->terms[n].at))
			terms->terms[count++] = terms->terms[n];
	terms->count = count;
}

sonde_status simulation_add_current(struct simulation *simulation, const struct media *media, enum field field,
				    struct injection_terms *terms, const struct current_signal *signals,
				    uint32_t signal_count)
{
	struct fields *fields = &simulation->fields;

	CHECK(grow(&simulation->current, &simulation->currents, sizeof *simulation->current));
	struct current *current = &simulation->current[simulation->currents - 1];
	CHECK(memory_allocate(&current->signals, signal_count, sizeof *signals, "a source"));
	memcpy(current->signals, signals, signal_count * sizeof *signals);
	forget_conductors(fields, field, terms);
	for (size_t n = 0; n < terms->count; ++n) {
		int node[3];
		terms->terms[n].weight *= answer_at(fields, media, field, terms->terms[n].at);
		simulation->driven[field] |= 1u << layout_node(&fields->layout, terms->terms[n].at, node);
	}
	return injection_make(fields, field, terms, signal_count, fields->most_times, &current->injection);
}

sonde_status simulation_add_imaginary_current(struct simulation *simulation, const struct media *media,
					      enum field field, struct injection_terms *terms,
					      const struct current_signal *signals, uint32_t signal_count)
{
	if (simulation->fields.imaginary == NULL)
		return status_fail(SONDE_INVALID, "a current has an imaginary part, but the fields are real");
	CHECK(simulation_add_current(simulation, media, field, terms, signals, signal_count));
	simulation->current[simulation->currents - 1].injection.imaginary = true;
	return SONDE_OK;
}

sonde_status simulation_add_total_field(struct simulation *simulation, const struct media *media,
					const struct total_field_box *box, const struct incident_wave *wave)
{
	sonde_status status =
	    grow(&simulation->total_field, &simulation->total_fields, sizeof *simulation->total_field);

	if (status != SONDE_OK) {
		struct incident_wave unused = *wave;
		incident_free(&unused);
		return status;
	}
	for (int a = 0; a < 3; ++a) {
		simulation->driven[FIELD_E] |= wave->e_part[a] != 0.0 ? 1u << a : 0u;
		simulation->driven[FIELD_H] |= wave->h_part[a] != 0.0 ? 1u << a : 0u;
	}
	return total_field_make(&simulation->fields, media, box, wave,
				&simulation->total_field[simulation->total_fields - 1]);
}

sonde_status simulation_add_spectrum(struct simulation *simulation, const struct flux_plane *planes, int plane_count,
				     const double *angular_frequencies, uint32_t frequencies, uint32_t every)
{
	CHECK(grow(&simulation->spectrum, &simulation->spectra, sizeof *simulation->spectrum));
	return spectrum_make(&simulation->fields, planes, plane_count, angular_frequencies, frequencies, every,
			     &simulation->spectrum[simulation->spectra - 1]);
}

sonde_status simulation_add_field_monitor(struct simulation *simulation, const struct field_region *region,
					  const double *angular_frequencies, uint32_t frequencies, uint32_t every)
{
	CHECK(grow(&simulation->field_monitor, &simulation->field_monitors, sizeof *simulation->field_monitor));
	return field_monitor_make(&simulation->fields, region, angular_frequencies, frequencies, every,
				  &simulation->field_monitor[simulation->field_monitors - 1]);
}

sonde_status simulation_add_absorption(struct simulation *simulation, const struct media *media, const int low[3],
				       const int high[3], const double *angular_frequencies, uint32_t frequencies,
				       uint32_t every)
{
	CHECK(grow(&simulation->absorption, &simulation->absorptions, sizeof *simulation->absorption));
	return absorption_make(&simulation->fields, media, low, high, angular_frequencies, frequencies, every,
			       &simulation->absorption[simulation->absorptions - 1]);
}

sonde_status simulation_add_trace(struct simulation *simulation, enum field field, const uint64_t *places,
				  uint32_t count)
{
	CHECK(grow(&simulation->trace, &simulation->traces, sizeof *simulation->trace));
	return observation_make(&simulation->fields, field, places, count, 0,
				&simulation->trace[simulation->traces - 1].observation);
}

/* Steps ------------------------------------------------------------------------------------ */

struct fourier_sums *simulation_sums(struct simulation *simulation, int n)
{
	if (n < simulation->spectra)
		return &simulation->spectrum[n].sums;
	n -= simulation->spectra;
	if (n < simulation->field_monitors)
		return &simulation->field_monitor[n].sums;
	n -= simulation->field_monitors;
	return n < simulation->absorptions ? &simulation->absorption[n].sums : NULL;
}

/* J lies between the times of E, n and n + 1, M between those of H, n - 1/2 and n + 1/2. */
static sonde_status prepare_current(struct simulation *simulation, struct current *current, uint32_t times)
{
	uint32_t signals = current->injection.signals;
	double first = (double)simulation->step + (current->injection.field == FIELD_E ? 0.5 : 0.0), *values;

	CHECK(memory_allocate(&values, (size_t)times * signals, sizeof *values, "the signals of a source"));
	for (uint32_t t = 0; t < times; ++t)
		for (uint32_t s = 0; s < signals; ++s) {
			const struct current_signal *signal = &current->signals[s];
			values[t * signals + s] = signal->form(signal->user, first + t - signal->delay);
		}
	sonde_status status = injection_write(&simulation->fields, &current->injection, values, times);
	free(values);
	return status;
}

static sonde_status prepare(struct simulation *simulation, uint32_t times)
{
	for (int n = 0; n < simulation->currents; ++n)
		CHECK(prepare_current(simulation, &simulation->current[n], times));
	struct fourier_sums *sums;

	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		CHECK(fourier_prepare(&simulation->fields, sums, simulation->step, times));
	for (int n = 0; n < simulation->total_fields; ++n)
		CHECK(total_field_prepare(&simulation->fields, &simulation->total_field[n], times));
	return SONDE_OK;
}

/* A monitor samples a field after its step: E of a plane's edges along x may have to wait for the next plane (see
 * smoothing.h), so that a plane is sampled together with that one. */
static sonde_status look_at_planes(struct simulation *simulation, enum field field, uint32_t time, uint32_t first,
				   uint32_t count)
{
	struct fields *fields = &simulation->fields;
	uint32_t behind = first + count;
	struct fourier_sums *sums;

	if (field == FIELD_E) {
		first -= first > 0 ? simulation->lag : 0;
		behind -= behind < fields->layout.end[0] ? simulation->lag : 0;
	}
	first = first > simulation->own.begin ? first : simulation->own.begin;
	behind = behind < simulation->own.end ? behind : simulation->own.end;
	if (first >= behind)
		return SONDE_OK;
	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		CHECK(fourier_gather(fields, sums, field, simulation->step, time, first, behind - first));
	for (int n = 0; n < simulation->traces; ++n)
		if (simulation->trace[n].observation.field == field)
			CHECK(observation_gather(fields, &simulation->trace[n].observation, time, first,
						 behind - first));
	return SONDE_OK;
}

/* Adds the sources to one field in some planes, at step `time` of the prepared ones: to E after its step, before the
 * poles respond; to H before it, so that a step of both fields at once already includes it, and the order of
 * operations is the same as in one of either. */
static sonde_status drive_planes(struct simulation *simulation, enum field field, uint32_t time, uint32_t first,
				 uint32_t count)
{
	struct fields *fields = &simulation->fields;

	for (int n = 0; n < simulation->total_fields; ++n)
		CHECK(total_field_apply(fields, &simulation->total_field[n], field, time, first, count));
	for (int n = 0; n < simulation->currents; ++n)
		if (simulation->current[n].injection.field == field)
			CHECK(injection_apply(fields, &simulation->current[n].injection, time, first, count));
	return SONDE_OK;
}

static sonde_status finish_planes(struct simulation *simulation, enum field field, uint32_t time, uint32_t first,
				  uint32_t count)
{
	if (field == FIELD_E)
		CHECK(drive_planes(simulation, FIELD_E, time, first, count));
	CHECK(fields_close(&simulation->fields, field, first, count));
	return look_at_planes(simulation, field, time, first, count);
}

static sonde_status step_planes(struct simulation *simulation, enum field field, uint32_t time, uint32_t first,
				uint32_t count)
{
	if (field == FIELD_H)
		CHECK(drive_planes(simulation, FIELD_H, time, first, count));
	CHECK(fields_step(&simulation->fields, field, first, count));
	return finish_planes(simulation, field, time, first, count);
}

/* All planes, both fields at once: H is sampled after E has been stepped as well, which does not change H. */
static sonde_status step_planes_at_once(struct simulation *simulation, uint32_t time, uint32_t first, uint32_t count)
{
	CHECK(drive_planes(simulation, FIELD_H, time, first, count));
	if (simulation->pairs)
		CHECK(fields_step_pairs(&simulation->fields, first, count));
	else
		CHECK(fields_step_both(&simulation->fields, first, first + count));
	CHECK(look_at_planes(simulation, FIELD_H, time, first, count));
	return finish_planes(simulation, FIELD_E, time, first, count);
}

static sonde_status step_whole(struct simulation *simulation, uint32_t times)
{
	for (uint32_t t = 0; t < times; ++t)
		CHECK(step_planes_at_once(simulation, t, 0, simulation->fields.layout.end[0]));
	return SONDE_OK;
}

static sonde_status fetch_trace(struct simulation *simulation, struct trace *trace)
{
	size_t places = trace->observation.count, times = trace->observation.times;

	CHECK(memory_grow(&trace->values, &trace->capacity, (trace->steps + times) * places, sizeof *trace->values,
			  "the field against time"));
	if (simulation->fields.imaginary != NULL)
		CHECK(memory_grow(&trace->imaginary, &trace->imaginary_capacity, (trace->steps + times) * places,
				  sizeof *trace->imaginary, "the field against time"));
	CHECK(observation_fetch_parts(&simulation->fields, &trace->observation, trace->values + trace->steps * places,
				      trace->imaginary != NULL ? trace->imaginary + trace->steps * places : NULL));
	trace->steps += times;
	return SONDE_OK;
}

/* Steps of all planes, several times for each plane while it is in the cache: with slabs of planes from the first to
 * the last, whose end moves back by one plane per step, every neighbor is at the right time (time skewing:
 * Wonnacott, IPDPS (2000) 171). The order of operations on any place is the same as plane after plane. */
static sonde_status step_in_slabs(struct simulation *simulation, uint32_t times, uint32_t slab)
{
	const uint32_t planes = simulation->fields.layout.end[0];
	const uint32_t whole = slab >= planes ? times : 0; /* a slab of all planes is not skewed */

	for (uint32_t begin = 0; begin < planes + times - whole; begin += slab)
		for (uint32_t t = 0; t < times; ++t) {
			uint32_t first = begin > t ? begin - t : 0, end = begin + slab > t ? begin + slab - t : 0;
			end = end < planes && whole == 0 ? end : planes;
			if (first >= end)
				continue;
			if (simulation->pairs) {
				CHECK(step_planes_at_once(simulation, t, first, end - first));
				continue;
			}
			CHECK(step_planes(simulation, FIELD_H, t, first, end - first));
			CHECK(step_planes(simulation, FIELD_E, t, first, end - first));
		}
	return SONDE_OK;
}

static sonde_status show_all(struct simulation *simulation, uint32_t first, uint32_t end)
{
	return simulation->look == NULL || first >= end
		   ? SONDE_OK
		   : simulation->look(simulation->look_user, &simulation->fields, first, end - first);
}

/* A slab of a pass through the device. */
struct slab_task {
	struct simulation *simulation;
	uint32_t times;
	bool last; /* pass of a run */
};

static sonde_status step_slab(void *user, const struct streamed_slab *slab, uint32_t number)
{
	const struct slab_task *task = user;
	struct simulation *simulation = task->simulation;
	const struct schedule *schedule = &simulation->fields.streaming->schedule;

	simulation->own = slab->own;
	for (uint32_t t = 0; t < task->times; ++t) {
		const struct slab_step step = schedule_step(schedule, task->times, number, t);
		/* steps of both fields go from one window to the other: an even number, so that slabs end in the first */
		const bool both = simulation->both && (t > 0 || task->times % 2 == 0);
		if (both && step.h.begin < step.h.end)
			CHECK(step_planes_at_once(simulation, t, step.h.begin, step.h.end - step.h.begin));
		else if (both)
			fields_exchange(&simulation->fields);
		if (!both && step.h.begin < step.h.end)
			CHECK(step_planes(simulation, FIELD_H, t, step.h.begin, step.h.end - step.h.begin));
		if (!both && step.e.begin < step.e.end)
			CHECK(step_planes(simulation, FIELD_E, t, step.e.begin, step.e.end - step.e.begin));
	}
	return task->last ? show_all(simulation, slab->store.begin, slab->store.end) : SONDE_OK;
}

static sonde_status show_slab(void *user, const struct streamed_slab *slab, uint32_t number)
{
	(void)number;
	return show_all(user, slab->store.begin, slab->store.end);
}

static sonde_status step_streamed(struct simulation *simulation, uint32_t times, bool last)
{
	struct slab_task task = {simulation, times, last};

	CHECK(streaming_pass(simulation->fields.streaming, times, step_slab, &task));
	simulation->looked |= last;
	return SONDE_OK;
}

sonde_status simulation_show(struct simulation *simulation)
{
	if (simulation->looked || simulation->look == NULL)
		return SONDE_OK;
	if (simulation->fields.streaming != NULL)
		CHECK(streaming_visit(simulation->fields.streaming, show_slab, simulation));
	else
		CHECK(show_all(simulation, 0, simulation->fields.layout.end[0]));
	simulation->looked = true;
	return SONDE_OK;
}

static sonde_status run_block(struct simulation *simulation, uint32_t times, bool last)
{
	struct fourier_sums *sums;

	CHECK(prepare(simulation, times));
	if (simulation->fields.streaming != NULL)
		CHECK(step_streamed(simulation, times, last));
	else if (simulation->both)
		CHECK(step_whole(simulation, times));
	else
		CHECK(step_in_slabs(simulation, times, simulation->slab));
	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		fourier_done(sums, simulation->step, times);
	for (int n = 0; n < simulation->traces; ++n) {
		simulation->trace[n].observation.times = times;
		CHECK(fetch_trace(simulation, &simulation->trace[n]));
	}
	simulation->step += times;
	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		CHECK(fourier_transform_complete(&simulation->fields, sums));
	return SONDE_OK;
}

sonde_status simulation_finish(struct simulation *simulation)
{
	struct fourier_sums *sums;

	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		CHECK(fourier_transform(&simulation->fields, sums));
	return device_wait(simulation->fields.device);
}

/* Both fields at once if there is memory for it. */
static void choose_both(struct simulation *simulation)
{
	struct fields *fields = &simulation->fields;

	simulation->both =
	    !simulation->in_place && simulation->slab >= fields->layout.end[0] && fields_can_step_both(fields);
	if (simulation->both && fields_make_both(fields) != SONDE_OK) {
		simulation->both = false;
		simulation->in_place = true; /* not to be tried again */
	}
}

/* In two dimensions and in one the components form independent sets: E along a and H along b generate each other by
 * differences along the third axis, unless that is uniform; components coupled by smooth surfaces are in one set.
 * Sets without a source stay 0, and are not stepped. */
static sonde_status choose_components(struct simulation *simulation)
{
	struct fields *fields = &simulation->fields;
	const double *courant = fields->grid.courant;
	uint32_t e = simulation->driven[FIELD_E], h = simulation->driven[FIELD_H];

	if (simulation->step > 0 || fields->written || (e == 0 && h == 0))
		return SONDE_OK;
	for (int turn = 0; turn < 6; ++turn)
		for (int n = 0; n < 9; ++n) {
			int a = n / 3, b = n % 3;
			if (a == b || courant[3 - a - b] == 0.0)
				continue;
			h |= (e >> a & 1u) << b;
			e |= (h >> b & 1u) << a;
		}
	return fields_step_only(fields, e, h);
}

sonde_status simulation_run(struct simulation *simulation, uint64_t steps, struct stage *stage)
{
	uint64_t end = simulation->step + steps;
	struct fourier_sums *sums;

	CHECK(choose_components(simulation));
	choose_both(simulation);
	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		sums->cancel = stage != NULL ? context_cancel_flag(stage->context) : NULL;
	while (simulation->step < end) {
		const uint64_t left = end - simulation->step;
		const uint32_t times = left < simulation->at_once ? (uint32_t)left : simulation->at_once;
		simulation->looked = false;
		CHECK(run_block(simulation, times, times == left));
		if (stage != NULL)
			CHECK(stage_advance(stage, (double)(simulation->step - simulation->progress_from) *
						       simulation->progress_unit));
	}
	return simulation_finish(simulation);
}
