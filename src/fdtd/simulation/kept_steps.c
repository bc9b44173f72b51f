/* Steps of planes that stay on devices, between the exchanges of planes with their neighbors. */
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/streaming/exchange.h"
#include "fdtd/streaming/rank_exchange.h"

/* `both`: both fields at once, from one window to the other. */
static sonde_status step_range(struct simulation *simulation, uint32_t time, struct plane_range range, bool both)
{
	const uint32_t count = range.end - range.begin;

	if (both)
		return simulation_step_planes_at_once(simulation, time, range.begin, count);
	CHECK(simulation_step_planes(simulation, FIELD_H, time, range.begin, count));
	return simulation_step_planes(simulation, FIELD_E, time, range.begin, count);
}

/* The steps of one device between two exchanges with its neighbors: `steps` steps from number `begin` on. */
struct kept_steps {
	struct fields *fields;
	uint32_t begin, steps;
};

/* Planes from `first` on, before `end`, at the first step; at each later one both are one plane further back, as in
 * step_in_slabs(). The first planes and the last ones of the device are those of the schedule. */
static sonde_status step_slab_of_kept(struct simulation *simulation, const struct kept_steps *of, uint32_t first,
				      uint32_t end)
{
	const struct schedule *schedule = &of->fields->streaming->schedule;
	const struct plane_range kept = schedule_kept(schedule);
	const bool is_first = first <= kept.begin, is_last = end >= kept.end + of->steps;

	for (uint32_t t = 0; t < of->steps; ++t) {
		/* an even number of steps of both fields, so that slabs end in the first window */
		const bool both = simulation->both && (t > 0 || of->steps % 2 == 0 || (is_first && is_last));
		struct plane_range range = schedule_kept_step(schedule, of->steps, t);
		if (!is_first)
			range.begin = first > t + range.begin ? first - t : range.begin;
		if (!is_last)
			range.end = end < t + range.end ? end - t : range.end;
		if (range.begin < range.end)
			CHECK(step_range(simulation, of->begin + t, range, both));
		else if (both)
			fields_exchange(of->fields);
	}
	return SONDE_OK;
}

/* A part of them, or all planes at once; in slabs where these stay in the cache. */
static sonde_status step_part(struct simulation *simulation, const struct kept_steps *of, uint32_t first,
			      uint32_t end)
{
	const uint32_t slab = simulation->slab;

	simulation->stepped = of->fields;
	simulation->own = of->fields->own;
	for (uint32_t at = first; at < end; at += slab)
		CHECK(step_slab_of_kept(simulation, of, at, end - at < slab ? end : at + slab));
	return SONDE_OK;
}

static uint32_t end_of_parts(const struct kept_steps *of)
{
	return schedule_kept(&of->fields->streaming->schedule).end + of->steps;
}

static sonde_status step_kept(struct simulation *simulation, const struct kept_steps *of)
{
	return step_part(simulation, of, schedule_kept(&of->fields->streaming->schedule).begin, end_of_parts(of));
}

/* The same with the exchanges of ranks. Planes at the low end come first, so that they are on their way to the rank before
 * while the others are stepped. Those at the high end come last, with the copies of planes of the rank after, which were sent
 * in the same way after the exchange before: a rank that is some time ahead of the one after it waits for nobody, nor does
 * that one. */
static sonde_status step_beside_messages(struct simulation *simulation, const struct kept_steps *of, bool is_new,
					 sonde_status own)
{
	struct streaming *first = simulation->fields.streaming;
	const struct schedule *schedule = &of->fields->streaming->schedule;
	const bool low = of->fields == &simulation->fields && rank_exchange_has(first, RANK_BEFORE),
		   high = of->fields->beside == NULL && rank_exchange_has(first, RANK_AFTER);
	const uint32_t begin = schedule_kept(schedule).begin, end = end_of_parts(of),
		       /* the planes for the rank before are complete, with edges that wait for the next plane */
	    sent = schedule->own.begin + 2 * schedule->lag + schedule->height + of->steps - 1,
		       /* no plane of the rank after has been read */
	    inner = schedule->own.end - 1 - schedule->lag;
	const bool overlaps = sent <= inner;
	const uint32_t of_low = low && overlaps ? sent : begin, of_high = high && overlaps ? inner : end;
	sonde_status status = own;

	if (low && !is_new)
		status = rank_exchange_receive(first, RANK_BEFORE, status);
	if (high && !is_new && !overlaps)
		status = rank_exchange_receive(first, RANK_AFTER, status);
	if (status == SONDE_OK)
		status = step_part(simulation, of, begin, of_low);
	if (low && overlaps)
		status = rank_exchange_send(first, RANK_BEFORE, status);
	if (status == SONDE_OK)
		status = step_part(simulation, of, of_low, of_high);
	if (high && !is_new && overlaps)
		status = rank_exchange_receive(first, RANK_AFTER, status);
	if (status == SONDE_OK)
		status = step_part(simulation, of, of_high, end);
	if (low && !overlaps)
		status = rank_exchange_send(first, RANK_BEFORE, status);
	return high ? rank_exchange_send(first, RANK_AFTER, status) : status;
}

static sonde_status step_with_ranks(struct simulation *simulation, uint32_t times, bool last, sonde_status own)
{
	struct streaming *streaming = simulation->fields.streaming;
	const uint32_t height = streaming->schedule.height;
	sonde_status status = own;

	bool is_new = !rank_exchange_continues(streaming);

	rank_exchange_begin(streaming, (times + height - 1) / height);
	for (uint32_t begin = 0; begin < times; begin += height) {
		const uint32_t steps = times - begin < height ? times - begin : height;
		for (struct fields *on = &simulation->fields; on != NULL; on = on->beside)
			status =
			    step_beside_messages(simulation, &(struct kept_steps){on, begin, steps}, is_new, status);
		is_new = false;
		if (status == SONDE_OK)
			status = exchange_planes(streaming);
	}
	if (!last)
		return status;
	status = rank_exchange_receive(streaming, RANK_BEFORE, status);
	status = rank_exchange_receive(streaming, RANK_AFTER, status);
	return rank_exchange_end(streaming, status);
}

static sonde_status step_alone(struct simulation *simulation, uint32_t times)
{
	struct streaming *streaming = simulation->fields.streaming;
	const uint32_t height = streaming->schedule.height;

	for (uint32_t begin = 0; begin < times; begin += height) {
		const uint32_t steps = times - begin < height ? times - begin : height;
		for (struct fields *on = &simulation->fields; on != NULL; on = on->beside)
			CHECK(step_kept(simulation, &(struct kept_steps){on, begin, steps}));
		CHECK(exchange_planes(streaming));
	}
	return SONDE_OK;
}

sonde_status simulation_step_kept(struct simulation *simulation, uint32_t times, bool last, sonde_status own)
{
	sonde_status status = own;

	if (simulation->fields.streaming->ranks != NULL)
		status = step_with_ranks(simulation, times, last, own);
	else if (own == SONDE_OK)
		status = step_alone(simulation, times);
	simulation->stepped = NULL;
	return status;
}
