#include "fdtd/simulation/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "fdtd/fields/fields_cpu.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/grid/layout.h"
#include "fdtd/streaming/chain.h"
#include "fdtd/streaming/host_exchange.h"
#include "parallel/parallel.h"

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
	simulation_choose_slab(simulation);
	simulation->both_in_place = schedule == NULL && fields_can_step_in_place(&simulation->fields);
	if (schedule == NULL)
		return SONDE_OK;
	simulation->in_place = !schedule->whole;
	simulation->at_once = schedule->height;
	if (schedule->method == STREAMING_PYRAMID)
		simulation->lag = simulation->fields.streaming->schedule.lag;
	return SONDE_OK;
}

/* Ranks take blocks of the same steps, as between blocks they meet. */
static sonde_status agree_on_blocks(struct simulation *simulation)
{
	double least = -(double)simulation->at_once;

	CHECK(parallel_largest(simulation->fields.ranks, &least, 1));
	simulation->at_once = (uint32_t)-least;
	return SONDE_OK;
}

/* The planes of each device go through it. */
static sonde_status share_streaming(struct simulation *simulation)
{
	const struct schedule *schedule = &simulation->fields.streaming->schedule;

	simulation->own = simulation->fields.own;
	simulation->lag = schedule->lag;
	simulation->slab = simulation->fields.layout.end[0];
	simulation->in_place = !schedule->whole;
	simulation->at_once = simulation->fields.most_times;
	return agree_on_blocks(simulation);
}

sonde_status simulation_make_on(const struct fields_devices *on, const struct fdtd_grid *grid,
				const struct media *media, bool single, struct simulation *simulation)
{
	if (on->count == 1 && on->ranks == NULL)
		return simulation_make(on->devices[0], grid, media, single, simulation);
	*simulation = (struct simulation){.at_once = MOST_SAMPLES, .progress_unit = 1.0};
	CHECK(fields_make_on(on, grid, media, single, &simulation->fields));
	if (on->streamed != NULL)
		return share_streaming(simulation);
	simulation->lag = simulation->fields.streaming->schedule.lag;
	simulation->own = simulation->fields.own;
	simulation_choose_slab(simulation);
	if (!simulation->fields.in_turn) {
		simulation_choose_kept_slab(simulation);
		return agree_on_blocks(simulation);
	}
	simulation->slab = simulation->fields.layout.end[0];
	simulation->in_place = !on->whole;
	simulation->at_once = (uint32_t)on->count * on->height;
	simulation->lag = 1;
	return SONDE_OK;
}

void simulation_release(struct simulation *simulation)
{
	struct fields *fields = &simulation->fields;

	step_pairs_release(fields, &simulation->pairs);
	step_tiles_release(&simulation->tiles);
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

static struct fields *stepped_fields(struct simulation *simulation)
{
	return simulation->stepped != NULL ? simulation->stepped : &simulation->fields;
}

/* A monitor samples a field after its step: E of a plane's edges along x may have to wait for the next plane (see
 * smoothing.h), so that a plane is sampled together with that one. */
static sonde_status look_at_planes(struct simulation *simulation, enum field field, uint32_t time, uint32_t first,
				   uint32_t count)
{
	struct fields *fields = stepped_fields(simulation);
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
	struct fields *fields = stepped_fields(simulation);

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
	CHECK(fields_close(stepped_fields(simulation), field, first, count));
	return look_at_planes(simulation, field, time, first, count);
}

sonde_status simulation_step_planes(struct simulation *simulation, enum field field, uint32_t time, uint32_t first,
				    uint32_t count)
{
	if (field == FIELD_H)
		CHECK(drive_planes(simulation, FIELD_H, time, first, count));
	CHECK(fields_step(stepped_fields(simulation), field, first, count));
	return finish_planes(simulation, field, time, first, count);
}

/* H is sampled after E has been stepped as well, which does not change H. */
sonde_status simulation_step_planes_at_once(struct simulation *simulation, uint32_t time, uint32_t first,
					    uint32_t count)
{
	CHECK(drive_planes(simulation, FIELD_H, time, first, count));
	if (simulation->both_in_place)
		CHECK(fields_step_both_in_place(&simulation->fields, first, count));
	else
		CHECK(fields_step_both(stepped_fields(simulation), first, first + count));
	CHECK(look_at_planes(simulation, FIELD_H, time, first, count));
	return finish_planes(simulation, FIELD_E, time, first, count);
}

/* Two steps: see step_pairs.h. */
static sonde_status step_pair(struct simulation *simulation, uint32_t time)
{
	const uint32_t planes = simulation->fields.layout.end[0];

	CHECK(drive_planes(simulation, FIELD_H, time, 0, planes));
	CHECK(step_pairs_first(simulation->pairs, &simulation->fields, simulation->step + time));
	CHECK(look_at_planes(simulation, FIELD_H, time, 0, planes));
	CHECK(finish_planes(simulation, FIELD_E, time, 0, planes));
	CHECK(drive_planes(simulation, FIELD_H, time + 1, 0, planes));
	CHECK(step_pairs_second(simulation->pairs, &simulation->fields));
	CHECK(look_at_planes(simulation, FIELD_H, time + 1, 0, planes));
	return finish_planes(simulation, FIELD_E, time + 1, 0, planes);
}

/* The same for all steps of a block, one by one where pairs are impossible. */
static sonde_status step_in_pairs(struct simulation *simulation, uint32_t times)
{
	const uint32_t planes = simulation->fields.layout.end[0];

	for (uint32_t t = 0; t < times; ++t)
		if (t + 1 < times &&
		    step_pairs_take_next(simulation->pairs, &simulation->fields, simulation->step + t))
			CHECK(step_pair(simulation, t++));
		else
			CHECK(simulation_step_planes_at_once(simulation, t, 0, planes));
	return SONDE_OK;
}

static sonde_status step_whole(struct simulation *simulation, uint32_t times)
{
	if (step_pairs_in_block(simulation->pairs))
		return step_in_pairs(simulation, times);
	for (uint32_t t = 0; t < times; ++t)
		CHECK(simulation_step_planes_at_once(simulation, t, 0, simulation->fields.layout.end[0]));
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
			if (simulation->both_in_place) {
				CHECK(simulation_step_planes_at_once(simulation, t, first, end - first));
				continue;
			}
			CHECK(simulation_step_planes(simulation, FIELD_H, t, first, end - first));
			CHECK(simulation_step_planes(simulation, FIELD_E, t, first, end - first));
		}
	return SONDE_OK;
}

static sonde_status show_all(struct simulation *simulation, struct fields *fields, uint32_t first, uint32_t end)
{
	return simulation->look == NULL || first >= end
		   ? SONDE_OK
		   : simulation->look(simulation->look_user, fields, first, end - first);
}

/* Whether each device has planes of its own that go through it. */
static bool is_shared(const struct simulation *simulation)
{
	const struct streaming *streaming = simulation->fields.streaming;

	return streaming != NULL && streaming->schedule.shared;
}

/* Whether its planes stay on this process' devices, which exchange them with each other, or with other ranks. */
static bool is_kept(const struct simulation *simulation)
{
	const struct streaming *streaming = simulation->fields.streaming;

	return streaming != NULL && streaming->schedule.kept;
}

static struct fields *fields_of(struct simulation *simulation, const struct streaming *streaming)
{
	struct fields *on = &simulation->fields;

	while (on->streaming != streaming)
		on = on->beside;
	return on;
}

/* A slab of a pass through a device. */
struct slab_task {
	struct simulation *simulation;
	uint32_t begin, times; /* its steps among those of the block */
	bool last;             /* pass of a run */
};

static sonde_status step_slab(void *user, struct streaming *on, const struct streamed_slab *slab, uint32_t number)
{
	const struct slab_task *task = user;
	struct simulation *simulation = task->simulation;

	simulation->own = slab->own;
	simulation->stepped = fields_of(simulation, on);
	for (uint32_t t = 0; t < task->times; ++t) {
		const struct slab_step step = schedule_step(&on->schedule, task->times, number, t);
		streaming_count_step(on, &step);
		/* steps of both fields go from one window to the other: an even number, so that slabs end in the first */
		const bool both = simulation->both && (t > 0 || task->times % 2 == 0);
		if (both && step.h.begin < step.h.end)
			CHECK(simulation_step_planes_at_once(simulation, task->begin + t, step.h.begin,
							     step.h.end - step.h.begin));
		else if (both)
			fields_exchange(simulation->stepped);
		if (!both && step.h.begin < step.h.end)
			CHECK(simulation_step_planes(simulation, FIELD_H, task->begin + t, step.h.begin,
						     step.h.end - step.h.begin));
		if (!both && step.e.begin < step.e.end)
			CHECK(simulation_step_planes(simulation, FIELD_E, task->begin + t, step.e.begin,
						     step.e.end - step.e.begin));
	}
	return task->last ? show_all(simulation, simulation->stepped, slab->store.begin, slab->store.end) : SONDE_OK;
}

static sonde_status show_slab(void *user, struct streaming *on, const struct streamed_slab *slab, uint32_t number)
{
	(void)number;
	return show_all(user, fields_of(user, on), slab->store.begin, slab->store.end);
}

static struct fields *fields_on(struct simulation *simulation, uint32_t position)
{
	struct fields *on = &simulation->fields;

	for (uint32_t g = 0; g < position; ++g)
		on = on->beside;
	return on;
}

static sonde_status step_slab_of_chain(void *user, uint32_t position, const struct chain_slab *slab)
{
	struct simulation *simulation = user;
	const int64_t planes = simulation->fields.layout.end[0];

	simulation->stepped = fields_on(simulation, position);
	for (uint32_t t = 0; t < slab->steps; ++t) {
		const int64_t begin = slab->begin > t ? slab->begin - t : 0, end = slab->end - t;
		const uint32_t first = (uint32_t)begin,
			       behind = end < 0 ? 0 : (uint32_t)(end < planes ? end : planes);
		const bool both = simulation->both && (t > 0 || slab->steps % 2 == 0);
		if (first >= behind && both)
			fields_exchange(simulation->stepped);
		if (first >= behind)
			continue;
		if (both) {
			CHECK(
			    simulation_step_planes_at_once(simulation, slab->first_step + t, first, behind - first));
			continue;
		}
		CHECK(simulation_step_planes(simulation, FIELD_H, slab->first_step + t, first, behind - first));
		CHECK(simulation_step_planes(simulation, FIELD_E, slab->first_step + t, first, behind - first));
	}
	return SONDE_OK;
}

/* Samples of all times to the first device. */
static sonde_status collect_samples(struct simulation *simulation, uint32_t times)
{
	const struct schedule *schedule = &simulation->fields.streaming->schedule;
	struct fourier_sums *sums;
	struct chain_slab share;

	for (uint32_t g = 1; g < schedule->chain; ++g) {
		chain_share(schedule, times, g, &share);
		for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
			CHECK(fourier_collect(&simulation->fields, sums, simulation->step, share.first_step,
					      share.steps, g));
		for (int n = 0; n < simulation->traces; ++n)
			for (uint32_t t = 0; t < share.steps; ++t)
				CHECK(observation_collect(&simulation->trace[n].observation,
							  simulation->fields.single, g, share.first_step + t));
		CHECK(device_wait(fields_on(simulation, g)->device));
	}
	return SONDE_OK;
}

static sonde_status step_in_chain(struct simulation *simulation, uint32_t times)
{
	const sonde_status status = chain_pass(simulation->fields.streaming, times, step_slab_of_chain, simulation);

	simulation->stepped = NULL;
	return status == SONDE_OK ? collect_samples(simulation, times) : status;
}

static sonde_status show_on_devices(struct simulation *simulation)
{
	for (struct fields *on = &simulation->fields; on != NULL; on = on->beside)
		CHECK(simulation->look(simulation->look_user, on, on->own.begin, on->own.end - on->own.begin));
	return SONDE_OK;
}

static sonde_status step_streamed(struct simulation *simulation, uint32_t times, bool last)
{
	struct slab_task task = {simulation, 0, times, last};

	const sonde_status status = streaming_pass(simulation->fields.streaming, times, step_slab, &task);

	simulation->stepped = NULL;
	simulation->looked |= last && status == SONDE_OK;
	return status;
}

/* The passes of a block, with exchanges of planes, also after a failure, as the other ranks wait for them. */
static sonde_status step_shared(struct simulation *simulation, uint32_t times, bool last, sonde_status own)
{
	struct streaming *streaming = simulation->fields.streaming;
	const uint32_t height = streaming->schedule.height;
	sonde_status status = own;

	for (uint32_t begin = 0; begin < times; begin += height) {
		const uint32_t steps = times - begin < height ? times - begin : height;
		const bool ends = begin + steps == times;
		struct slab_task task = {simulation, begin, steps, last && ends};
		if (status == SONDE_OK)
			status = streaming_pass(streaming, steps, step_slab, &task);
		status = host_exchange_after_pass(streaming, ends, status);
	}
	simulation->stepped = NULL;
	simulation->looked |= last && status == SONDE_OK;
	return status;
}

sonde_status simulation_show(struct simulation *simulation)
{
	if (simulation->looked || simulation->look == NULL)
		return SONDE_OK;
	if (is_kept(simulation))
		CHECK(show_on_devices(simulation));
	else if (simulation->fields.streaming != NULL)
		CHECK(streaming_visit(simulation->fields.streaming, show_slab, simulation));
	else
		CHECK(show_all(simulation, &simulation->fields, 0, simulation->fields.layout.end[0]));
	simulation->looked = true;
	return SONDE_OK;
}

/* On one device, or on several in turn. */
static sonde_status step_block(struct simulation *simulation, uint32_t times, bool last)
{
	if (simulation->fields.in_turn)
		return step_in_chain(simulation, times);
	if (simulation->fields.streaming != NULL)
		return step_streamed(simulation, times, last);
	if (simulation->tiles != NULL)
		return step_tiles_run(simulation->tiles, simulation->step, times);
	if (simulation->both)
		return step_whole(simulation, times);
	return step_in_slabs(simulation, times, simulation->slab);
}

static sonde_status run_block(struct simulation *simulation, uint32_t times, bool last)
{
	sonde_status status = prepare(simulation, times);
	struct fourier_sums *sums;

	if (is_kept(simulation))
		status = simulation_step_kept(simulation, times, last, status);
	else if (is_shared(simulation))
		status = step_shared(simulation, times, last, status);
	else if (status == SONDE_OK)
		status = step_block(simulation, times, last);
	CHECK(status);
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
	for (const struct fields *on = &simulation->fields; on != NULL; on = on->beside)
		CHECK(device_wait(on->device));
	return SONDE_OK;
}

/* A block whose time shows whether pairs are faster. */
static sonde_status run_timed_block(struct simulation *simulation, uint32_t times, bool last)
{
	const bool timed = times == simulation->at_once && step_pairs_are_timed(simulation->pairs);

	if (!timed)
		return run_block(simulation, times, last);
	CHECK(device_wait(simulation->fields.device));
	const double began = clock_seconds();
	CHECK(run_block(simulation, times, last));
	CHECK(device_wait(simulation->fields.device));
	step_pairs_learn(simulation->pairs, (clock_seconds() - began) / times);
	return SONDE_OK;
}

static sonde_status choose(struct simulation *simulation, uint64_t steps, struct stage *stage)
{
	/* ranks stop together, with all sums at the same state */
	const bool stops = stage != NULL && parallel_size(context_ranks(stage->context)) == 1;
	struct fourier_sums *sums;

	CHECK(simulation_choose_components(simulation));
	simulation_choose_both(simulation);
	simulation_choose_pairs(simulation, steps);
	simulation_choose_tiles(simulation);
	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		sums->cancel = stops ? context_cancel_flag(stage->context) : NULL;
	return SONDE_OK;
}

static sonde_status run_some(struct simulation *simulation, uint64_t left, struct stage *stage)
{
	const uint32_t times = left < simulation->at_once ? (uint32_t)left : simulation->at_once;

	simulation->looked = false;
	CHECK(run_timed_block(simulation, times, times == left));
	return stage == NULL ? SONDE_OK
			     : stage_advance(stage, (double)(simulation->step - simulation->progress_from) *
							simulation->progress_unit);
}

sonde_status simulation_run(struct simulation *simulation, uint64_t steps, struct stage *stage)
{
	const uint64_t end = simulation->step + steps;
	struct parallel *ranks = simulation->fields.ranks;

	/* a rank that has failed, or was stopped, must not leave the others waiting for its planes */
	CHECK(parallel_agree(ranks, choose(simulation, steps, stage)));
	while (simulation->step < end)
		CHECK(parallel_agree(ranks, run_some(simulation, end - simulation->step, stage)));
	return simulation_finish(simulation);
}
