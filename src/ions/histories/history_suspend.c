/* Suspends unfinished histories and continues them, on this device or another one, with identical results. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "ions/histories/history_device.h"

#define SECONDS_TO_END 0.3 /* for running histories, if they cannot be suspended at once */
#define MOST_SPAN (1u << 20)

/* Number of ions started by a group. */
static uint64_t begun_of_group(const struct history_launch *launch, const uint32_t *counters, uint32_t groups,
			       uint32_t group, uint64_t *next)
{
	uint64_t offset = (group + groups - launch->first % groups) % groups, begun = counters[group];

	*next = begun * groups + offset;
	return begun > 0 ? *next - groups + 1 : 0;
}

/* Number up to which ions of a launch are started; `all` is false if some below it are not. */
static sonde_status find_begun(struct history_device *own, struct history_launch *launch, uint32_t *bound, bool *all)
{
	uint32_t groups = own->grouped ? own->job.groups : 1, *counters;
	uint64_t last = 0, next;

	CHECK(memory_allocate(&counters, groups, sizeof *counters, "counters"));
	sonde_status status = device_read(own->device, &launch->counters, 0, counters, groups * sizeof *counters);
	for (uint32_t g = 0; g < groups; ++g) {
		uint64_t begun = begun_of_group(launch, counters, groups, g, &next);
		last = begun > last ? begun : last;
	}
	*bound = last < launch->count ? (uint32_t)last : launch->count;
	*all = true;
	for (uint32_t g = 0; g < groups; ++g) {
		(void)begun_of_group(launch, counters, groups, g, &next);
		*all = *all && next >= *bound;
	}
	free(counters);
	return status;
}

/* Stores the suspended histories of a launch. */
static sonde_status keep_places(struct history_device *own, struct history_launch *launch)
{
	const struct ions_job *job = &own->job;
	size_t atom_count = (size_t)job->places * job->stack;
	struct ions_place *places = NULL;
	struct ions_atom *atoms = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&atoms, atom_count, sizeof *atoms, "the unfinished ions"), done);
	CHECK_GOTO(status, memory_allocate(&places, job->places, sizeof *places, "the unfinished ions"), done);
	CHECK_GOTO(status, device_read(own->device, &launch->stacks, 0, atoms, atom_count * sizeof *atoms), done);
	CHECK_GOTO(status,
		   device_read(own->device, &launch->stacks, atom_count * sizeof *atoms, places,
			       job->places * sizeof *places),
		   done);
	for (uint32_t k = 0; k < job->places && status == SONDE_OK; ++k) {
		const struct ions_place place = {.ion = places[k].ion, .depth = places[k].depth};
		if (place.depth > 0)
			status = ions_aside_add(&own->sums->aside, &place,
						atoms + (size_t)k * job->stack + places[k].taken);
	}
done:
	free(places);
	free(atoms);
	return status;
}

/* Restricts a launch to ions below the last one, and gives it some time if it may finish. */
static sonde_status end_launch(struct history_device *own, struct history_launch *launch, double until)
{
	bool all_begun;
	uint32_t aside;

	for (;;) {
		CHECK(history_launch_wait(own, launch, &aside));
		if (aside == 0)
			return SONDE_OK;
		CHECK(find_begun(own, launch, &launch->count, &all_begun));
		if (!own->grouped || (all_begun && clock_seconds() > until))
			return keep_places(own, launch);
		CHECK(history_launch_begin(own, launch, true));
	}
}

sonde_status history_device_suspend(struct history_device *own, int threads, struct ions_sums *sums)
{
	double until = clock_seconds() + SECONDS_TO_END;
	sonde_status status = SONDE_OK;

	for (int k = 0; k < own->launch_count && status == SONDE_OK; ++k) {
		int queue = (own->next + k) % own->launch_count;
		struct history_launch *launch = &own->launches[queue];
		device_use_queue(own->device, queue);
		if (!launch->under_way)
			continue;
		status = end_launch(own, launch, until);
		if (status == SONDE_OK)
			status = history_launch_add(own, launch, threads);
	}
	device_use_queue(own->device, 0);
	return status == SONDE_OK ? history_device_collect(own, threads, sums) : status;
}

/* Assignment of the ions of a list to the places of a device. */
struct dealing {
	const struct history_device *own;
	struct ions_place *places;
	struct ions_atom *atoms;
	uint32_t *next; /* next place for each group of ions */
};

/* The next place for an ion, or the number of places if none is left. Adjacent places belong to one work-group. */
static uint32_t place_for(const struct dealing *dealing, uint64_t ion)
{
	const struct history_device *own = dealing->own;
	uint32_t each = own->at_once / own->groups, groups = own->grouped ? own->job.groups : 1;
	uint32_t group = (uint32_t)(ion % groups), of_group = own->groups / groups;
	uint32_t number = dealing->next[group]++;

	if (number >= of_group * each)
		return own->at_once;
	return (group + groups * (number % of_group)) * each + number / of_group;
}

/* Assigns ions from number `from` on; returns how many had room. */
static int64_t deal(const struct dealing *dealing, const struct ions_aside *aside, int64_t from)
{
	const struct ions_atom *atoms = aside->atoms;
	uint32_t stack = dealing->own->job.stack;
	int64_t k;

	for (k = 0; k < from; ++k)
		atoms += aside->places[k].depth;
	for (; k < aside->place_count; ++k) {
		const struct ions_place *place = &aside->places[k];
		uint32_t at = place->ion - aside->places[from].ion < MOST_SPAN ? place_for(dealing, place->ion)
									       : dealing->own->at_once;
		if (at == dealing->own->at_once)
			break;
		dealing->places[at] = *place;
		for (uint32_t n = 0; n < place->depth; ++n)
			dealing->atoms[(size_t)at * stack + n] = atoms[n];
		atoms += place->depth;
	}
	return k - from;
}

/* Writes places and atoms of ions to a device, with ends marked as unknown. */
static sonde_status give_out(struct history_device *own, struct history_launch *launch,
			     const struct ions_aside *aside, int64_t from, int64_t *count)
{
	const struct ions_job *job = &own->job;
	size_t atom_count = (size_t)job->places * job->stack;
	struct dealing dealing = {.own = own};
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&dealing.places, job->places, sizeof *dealing.places, "places"), done);
	CHECK_GOTO(status, memory_allocate(&dealing.atoms, atom_count, sizeof *dealing.atoms, "places"), done);
	CHECK_GOTO(status, memory_allocate(&dealing.next, job->groups, sizeof *dealing.next, "places"), done);
	*count = deal(&dealing, aside, from);
	uint64_t ends = aside->places[from + *count - 1].ion - aside->places[from].ion + 1;
	CHECK_GOTO(status, history_launch_make_room(own, launch, ends, (uint64_t)*count), done);
	for (uint64_t k = 0; k < ends; ++k)
		launch->host_ends[k] = (struct ions_end){.traveled = END_TO_COME};
	CHECK_GOTO(status,
		   device_write(own->device, &launch->ends, 0, launch->host_ends, ends * sizeof *launch->host_ends),
		   done);
	CHECK_GOTO(status,
		   device_write(own->device, &launch->stacks, 0, dealing.atoms, atom_count * sizeof *dealing.atoms),
		   done);
	status = device_write(own->device, &launch->stacks, atom_count * sizeof *dealing.atoms, dealing.places,
			      job->places * sizeof *dealing.places);
done:
	free(dealing.places);
	free(dealing.atoms);
	free(dealing.next);
	return status;
}

/* Continues the assigned ions until they have ended or the caller asks to stop. */
static sonde_status finish_given(struct history_device *own, struct history_launch *launch, bool *stopped)
{
	uint32_t aside = 1;

	*stopped = false;
	while (aside > 0 && !*stopped) {
		CHECK(history_launch_begin(own, launch, true));
		CHECK(history_launch_wait(own, launch, &aside));
		*stopped = aside > 0 && device_is_stopped(own->device);
	}
	if (*stopped)
		CHECK(keep_places(own, launch));
	launch->under_way = false;
	return SONDE_OK;
}

sonde_status history_device_go_on(struct history_device *own, const struct ions_aside *aside, int64_t *next,
				  int threads)
{
	struct history_launch *launch = &own->launches[0];
	int64_t count;
	bool stopped;

	CHECK(give_out(own, launch, aside, *next, &count));
	const struct ions_place *places = aside->places + *next;
	uint64_t ends = places[count - 1].ion - places[0].ion + 1;
	launch->first = places[0].ion;
	launch->count = 0; /* no others are started */
	CHECK(finish_given(own, launch, &stopped));
	CHECK(history_launch_read(own, launch, ends));
	/* work-items that share atoms leave more than one place per ion */
	for (int64_t k = 0; k < count; ++k)
		if (k == 0 || places[k].ion != places[k - 1].ion)
			ions_sums_add_ends(own->sums, launch->host_ends + (places[k].ion - places[0].ion),
					   places[k].ion, 1, threads);
	*next += count;
	return stopped ? status_fail(SONDE_CANCELLED, "stopped on request") : SONDE_OK;
}
