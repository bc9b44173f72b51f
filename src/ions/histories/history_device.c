#include "ions/histories/history_device.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "ions/histories/kernels.h"
#include "ions/kernels/scattering_layout.h"

#define ITEMS 128u     /* work-items of a work-group on GPUs */
#define LEAST_WARP 32u /* of work-items in lockstep, if kernels support them: one word of local memory for each */
#define GROUPS_PER_WORKER 4u /* work-groups of a multiprocessor */
/* The fraction of places left idle so that all groups of ions have the same number of work-groups running from the start: those that
 * begin only when others end would start ions at the end of a launch. */
#define MOST_IDLE 16u
#define FEW_TURNS 1u       /* ions that a work-item starts in a launch, at most, if all have the same number */
#define SECONDS_OF_GPU 1.0 /* target duration of a launch, since its last atoms are followed by few work-items */
#define MOST_SECONDS_OF_GPU 2.0
#define IONS_OF_PLACE 8.0
#define LAUNCHES_OF_GPU 2 /* at the same time: the next one begins where places of the previous one become free */
#define SECONDS_OF_CPU 0.5
#define MOST_IONS (1u << 23)        /* per launch */
#define MOST_OWN_TALLIES (1u << 20) /* tallies of a CPU worker */
/* Steps of a launch until their duration is known. Launches on GPUs have numbers of ions that take a fraction of a
 * second: they end early only if these are far slower than others, since a launch in two parts costs a third more.
 * On processors behind a GPU's driver, which do not respond to cancellation during a launch, the measurement
 * starts with few steps. */
#define FIRST_STEPS_OF_GPU (1u << 20)
#define FIRST_STEPS_OF_CPU 256u
#define TALLIES_AT_ONCE (32u * SUMS_OF_BLOCK) /* tallies read from a device at a time */
#define EXITS_OF_ION 24u
#define LEAST_EXITS (1u << 16)
#define MOST_POINTS (1u << 20) /* points of the paths of an ion and its recoils */
#define MOST_UNITS 9.0e18      /* limit of energy in a sum of 64 bits */

static bool is_gpu(const struct history_device *own)
{
	return device_properties(own->device)->gpu_kernels;
}

/* Bodies, followed by the particles of a list, meshes and voxels. */
static sonde_status upload_bodies(struct history_device *own)
{
	const struct target *target = &own->plan->target;
	const struct particles *particles = &own->plan->source.particles;
	size_t bodies = sizeof target->bodies, words = target->voxel_word_count * sizeof(uint32_t),
	       starts = particles->count * sizeof *particles->starts, meshes = target->mesh_numbers * sizeof(double);

	CHECK(device_allocate(own->device, bodies + starts + meshes + words, "the bodies", &own->bodies));
	CHECK(device_write(own->device, &own->bodies, 0, target->bodies, bodies));
	if (starts > 0)
		CHECK(device_write(own->device, &own->bodies, bodies, particles->starts, starts));
	if (meshes > 0)
		CHECK(device_write(own->device, &own->bodies, bodies + starts, target->meshes, meshes));
	return words > 0
		   ? device_write(own->device, &own->bodies, bodies + starts + meshes, target->voxel_words, words)
		   : SONDE_OK;
}

static size_t tally_numbers(const struct ions_job *job)
{
	return (size_t)job->groups * job->rows * (job->cell_count + 1);
}

static size_t spectrum_numbers(const struct ions_job *job)
{
	return (size_t)SPECTRUM_GROUPS * job->kinds * job->spectrum_bins;
}

static size_t leaving_numbers(const struct ions_job *job)
{
	return (size_t)LEAVING_GROUPS * job->kinds * 2 * LEAVING_NUMBERS(job->spectrum_bins);
}

/* Data on a device for all launches. */
static size_t all_numbers(const struct ions_job *job)
{
	return tally_numbers(job) + spectrum_numbers(job) + leaving_numbers(job);
}

/* The number of atoms at once, and the location of their tallies. */
static void choose_shape(struct history_device *own, uint32_t *items, uint32_t *local)
{
	const struct device_properties *properties = device_properties(own->device);
	struct ions_job *job = &own->job;
	uint32_t numbers = job->rows * (job->cell_count + 1);
	bool emulated = is_gpu(own) && properties->most_work_items == 1;

	*items = 1;
	*local = 0;
	if (is_gpu(own) && !emulated) {
		*items = properties->most_work_items < ITEMS ? properties->most_work_items : ITEMS;
		/* at least two work-groups per multiprocessor */
		uint32_t table = (TABLE_NUMBERS + 1) / 2,
			 room = properties->local_memory / 2 / (uint32_t)sizeof(uint64_t);
		own->grouped = true;
		job->local_tallies = table + numbers <= room;
		*local = (table + (job->local_tallies ? numbers : 0)) * (uint32_t)sizeof(uint64_t);
		job->local_words = *local / (uint32_t)sizeof(uint32_t);
		*local += *items / LEAST_WARP * (uint32_t)sizeof(uint32_t);
		uint32_t wanted = GROUPS_PER_WORKER * device_workers(own->device);
		const uint32_t fewer = wanted / job->groups * job->groups;
		own->groups = fewer >= wanted - wanted / MOST_IDLE ? fewer : fewer + job->groups;
		own->warps = own->groups * (*items / LEAST_WARP);
		own->at_once = own->groups * *items;
	} else {
		job->local_tallies = (uint64_t)numbers * job->groups <= MOST_OWN_TALLIES;
		own->groups = device_workers(own->device);
		own->at_once = own->groups * (properties->lanes > 1 ? 2 * properties->lanes : 1);
	}
	job->places = own->at_once;
}

static sonde_status allocate(struct history_device *own, uint32_t workers)
{
	const struct ions_job *job = &own->job;
	size_t tallies = tally_numbers(job), own_tallies = 1;
	uint32_t atoms = own->at_once;

	if (!is_gpu(own) || own->kernel.work_items == 1)
		own_tallies = job->local_tallies ? workers * tallies : 1;
	own->launch_count = is_gpu(own) ? LAUNCHES_OF_GPU : 1;
	for (int k = 0; k < own->launch_count; ++k) {
		struct history_launch *launch = &own->launches[k];
		CHECK(device_allocate(own->device,
				      atoms * (job->stack * sizeof(struct ions_atom) + sizeof(struct ions_place)),
				      "the atoms that wait", &launch->stacks));
		CHECK(device_allocate(own->device, (job->groups + 3) * sizeof(uint32_t), "counters",
				      &launch->counters));
		CHECK(device_allocate(own->device, sizeof *job, "the job", &launch->numbers));
	}
	CHECK(device_allocate(own->device, all_numbers(job) * sizeof(uint64_t), "the tallies", &own->tallies));
	CHECK(device_allocate(own->device, own_tallies * sizeof(uint64_t), "the tallies", &own->scratch));
	size_t other = spectrum_numbers(job) + leaving_numbers(job);
	return memory_allocate(&own->on_host, other > TALLIES_AT_ONCE ? other : TALLIES_AT_ONCE, sizeof(uint64_t),
			       "the tallies");
}

static sonde_status prepare(struct history_device *own)
{
	const struct ions_plan *plan = own->plan;
	struct ions_job *job = &own->job;
	uint32_t items, local;

	choose_shape(own, &items, &local);
	const struct device_define defines[] = {{"EXPONENTIAL", job->flight == FLIGHT_EXPONENTIAL},
						{"FREE_FLIGHTS", own->plan->options.flight == SONDE_IONS_FLIGHT_SRIM},
						{"STRAGGLING", job->straggling},
						{"QUICK", job->quick},
						{"LOCAL_LOSS", job->in_collisions},
						{"MULTIPLE", job->multiple},
						{"BARRIER_AT_SURFACE", job->barrier},
						{"OWN_TALLIES_KEPT", job->local_tallies},
						{"ONLY_LAYERS", job->bodies == 0 && job->voxel_materials == 0},
						{"GROUPS_OF_WORKER", GROUPS_PER_WORKER},
						{"ONLY_DEPTH", job->cell_count == job->cells[0]}};
	/* without a compiler the one kernel that reads the job handles all cases */
	size_t count = device_properties(own->device)->fixed_kernels ? 0 : sizeof defines / sizeof *defines;
	if (own->traced)
		CHECK(device_kernel(own->device, &ions_program, "histories_traced", 1, 0, NULL, 0, &own->kernel));
	else
		CHECK(device_kernel(own->device, &ions_program, "histories", items, local, defines, count,
				    &own->kernel));
	CHECK(allocate(own, device_workers(own->device)));
	CHECK(device_upload(own->device, plan->tables, plan->table_count * sizeof *plan->tables, "the tables",
			    &own->tables));
	CHECK(device_upload(own->device, plan->flights, plan->flight_count * sizeof *plan->flights, "the tables",
			    &own->flights));
	CHECK(device_upload(own->device, plan->pairs, (size_t)job->species * job->kinds * sizeof *plan->pairs,
			    "the tables", &own->pairs));
	CHECK(device_upload(own->device, plan->kinds, job->kinds * sizeof *plan->kinds, "the tables", &own->kinds));
	CHECK(device_upload(own->device, plan->layers, job->regions * sizeof *plan->layers, "the tables",
			    &own->layers));
	return upload_bodies(own);
}

static sonde_status prepare_all(struct history_device *own)
{
	sonde_status status = prepare(own);

	if (status == SONDE_OK)
		status = device_wait(own->device); /* launches may use another queue */
	if (status == SONDE_OK)
		status = ions_sums_make(&own->plan->job, own->plan->depth_unit, &own->sums);
	if (status != SONDE_OK)
		history_device_release(own);
	return status;
}

sonde_status history_device_prepare(struct device *device, const struct ions_plan *plan, struct history_device *own)
{
	*own = (struct history_device){.device = device, .plan = plan, .job = plan->job};
	return prepare_all(own);
}

sonde_status history_device_prepare_traced(struct device *device, const struct ions_plan *plan,
					   struct history_device *own)
{
	*own = (struct history_device){.device = device, .plan = plan, .job = plan->job, .traced = true};
	own->job.listed = 0;
	return prepare_all(own);
}

static void release_launch(struct history_device *own, struct history_launch *launch)
{
	struct device_buffer *buffers[] = {&launch->numbers, &launch->stacks, &launch->counters, &launch->ends,
					   &launch->left};

	if (launch->under_way)
		(void)device_wait(own->device); /* its status is irrelevant */
	for (size_t k = 0; own->device != NULL && k < sizeof buffers / sizeof *buffers; ++k)
		device_release(own->device, buffers[k]);
	free(launch->host_ends);
	free(launch->host_left);
}

void history_device_release(struct history_device *own)
{
	struct device_buffer *buffers[] = {&own->tables, &own->flights, &own->pairs,   &own->kinds,
					   &own->layers, &own->bodies,  &own->tallies, &own->scratch};

	for (int k = 0; k < DEVICE_QUEUES; ++k)
		release_launch(own, &own->launches[k]);
	for (size_t k = 0; own->device != NULL && k < sizeof buffers / sizeof *buffers; ++k)
		device_release(own->device, buffers[k]);
	ions_sums_free(&own->sums);
	free(own->on_host);
	free(own->ranges);
	*own = (struct history_device){0};
}

uint32_t history_device_ions(const struct history_device *own)
{
	double seconds = is_gpu(own) ? SECONDS_OF_GPU : SECONDS_OF_CPU;
	double wanted = own->ions_per_second > 0.0 ? own->ions_per_second * seconds : 2.0 * own->at_once;
	uint32_t groups = own->job.groups;

	/* long histories: several per place, so that few places wait for the last ones */
	if (is_gpu(own))
		wanted = fmax(wanted, fmin(IONS_OF_PLACE * own->at_once, own->ions_per_second * MOST_SECONDS_OF_GPU));
	wanted = fmin(fmax(wanted, own->at_once), MOST_IONS);
	return ((uint32_t)wanted + groups - 1) / groups * groups;
}

uint64_t history_device_ions_in_progress(const struct history_device *own)
{
	uint64_t count = 0;

	for (int k = 0; k < own->launch_count; ++k)
		count += own->launches[k].under_way ? own->launches[k].count : 0;
	return count;
}

static sonde_status grow(struct history_device *own, struct device_buffer *buffer, size_t bytes, const char *what)
{
	if (buffer->bytes >= bytes)
		return SONDE_OK;
	device_release(own->device, buffer);
	return device_allocate(own->device, bytes, what, buffer);
}

/* Room for the output of a launch other than tallies: ends of this many ions, and atoms that leave the target, if
 * listed. */
sonde_status history_launch_make_room(struct history_device *own, struct history_launch *launch, uint64_t ends,
				      uint64_t listed)
{
	uint64_t most = own->traced ? MOST_POINTS : listed == 0 ? 1 : EXITS_OF_ION * listed + LEAST_EXITS;

	CHECK(grow(own, &launch->ends, ends * sizeof(struct ions_end), "the ends of ions"));
	CHECK(memory_grow(&launch->host_ends, &launch->host_ends_capacity, ends, sizeof *launch->host_ends,
			  "the ends of ions"));
	if (launch->left.bytes < most * sizeof(struct ions_left)) {
		CHECK(grow(own, &launch->left, most * sizeof(struct ions_left), "the leaving atoms"));
		free(launch->host_left);
		launch->host_left = NULL;
		CHECK(memory_allocate(&launch->host_left, most, sizeof *launch->host_left, "the leaving atoms"));
	}
	launch->seconds = 0.0;
	return device_clear(own->device, &launch->counters, 0, launch->counters.bytes);
}

static bool is_any_under_way(const struct history_device *own)
{
	for (int k = 0; k < own->launch_count; ++k)
		if (own->launches[k].under_way)
			return true;
	return false;
}

/* With few ions for each work-item, warps that ask first would get more of them than others, and end later. Instead a part of the
 * work-items of every warp start them, and share their recoils with the rest. */
static uint32_t starters_of_warp(const struct history_device *own, uint32_t count)
{
	const uint32_t each = own->warps > 0 ? (count + own->warps - 1) / own->warps : LEAST_WARP,
		       turns = (each + LEAST_WARP - 1) / LEAST_WARP;

	return own->job.quick || turns > FEW_TURNS || each == 0 ? LEAST_WARP : (each + turns - 1) / turns;
}

/* Differences between launches of a device. A CPU can be stopped during a launch; for GPUs the steps are limited. */
static sonde_status write_job(struct history_device *own, struct history_launch *launch, bool again)
{
	struct ions_job *job = &own->job;
	sonde_device_description description;

	device_identify(own->device, &description);
	const uint32_t first = description.is_cpu ? FIRST_STEPS_OF_CPU : FIRST_STEPS_OF_GPU;
	launch->steps = is_gpu(own) ? device_pace_groups(own->device, &own->pace, first, UINT32_MAX) : UINT32_MAX;
	job->most_steps = launch->steps;
	job->again = again ? 1 : 0;
	job->starters = starters_of_warp(own, launch->count);
	job->most_exits = (uint32_t)(launch->left.bytes / sizeof(struct ions_left));
	return device_write(own->device, &launch->numbers, 0, job, sizeof *job);
}

sonde_status history_launch_begin(struct history_device *own, struct history_launch *launch, bool again)
{
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(launch->numbers.memory),
						    DEVICE_ARGUMENT(own->tables.memory),
						    DEVICE_ARGUMENT(own->flights.memory),
						    DEVICE_ARGUMENT(own->pairs.memory),
						    DEVICE_ARGUMENT(own->kinds.memory),
						    DEVICE_ARGUMENT(own->layers.memory),
						    DEVICE_ARGUMENT(own->bodies.memory),
						    DEVICE_ARGUMENT(launch->stacks.memory),
						    DEVICE_ARGUMENT(own->tallies.memory),
						    DEVICE_ARGUMENT(own->scratch.memory),
						    DEVICE_ARGUMENT(launch->counters.memory),
						    DEVICE_ARGUMENT(launch->ends.memory),
						    DEVICE_ARGUMENT(launch->left.memory),
						    DEVICE_ARGUMENT(launch->first),
						    DEVICE_ARGUMENT(launch->count)};
	const size_t aside = (own->job.groups + 2) * sizeof(uint32_t);

	if (again)
		CHECK(device_clear(own->device, &launch->counters, aside, sizeof(uint32_t)));
	CHECK(write_job(own, launch, again));
	if (!is_any_under_way(own))
		own->counted = clock_seconds();
	launch->under_way = true;
	own->is_drained = false;
	return device_launch(own->device, &own->kernel, own->groups, arguments, 15);
}

sonde_status history_launch_wait(struct history_device *own, struct history_launch *launch, uint32_t *aside)
{
	uint32_t counters[3];

	CHECK(device_read(own->device, &launch->counters, own->job.groups * sizeof(uint32_t), counters,
			  sizeof counters));
	double now = clock_seconds(), seconds = now - own->counted;
	if (counters[2] > 0 && is_gpu(own))
		device_pace_learn(own->device, &own->pace, launch->steps, seconds);
	launch->seconds += seconds;
	own->seconds += seconds;
	own->counted = now;
	launch->exits = counters[0];
	*aside = counters[2];
	return counters[1] > 0 ? status_fail(SONDE_INTERNAL, "%u waiting atoms exceeded the memory", counters[1])
			       : SONDE_OK;
}

sonde_status history_launch_read(struct history_device *own, struct history_launch *launch, uint64_t ends)
{
	uint32_t count = launch->exits;

	if (count > launch->left.bytes / sizeof(struct ions_left))
		return status_fail(SONDE_INVALID,
				   "more than %u atoms leave the target per ion; list fewer of them by `exits`",
				   EXITS_OF_ION);
	if (count > 0)
		CHECK(
		    device_read(own->device, &launch->left, 0, launch->host_left, count * sizeof *launch->host_left));
	CHECK(ions_sums_add_left(own->sums, launch->host_left, count));
	return ends > 0
		   ? device_read(own->device, &launch->ends, 0, launch->host_ends, ends * sizeof *launch->host_ends)
		   : SONDE_OK;
}

sonde_status history_launch_add(struct history_device *own, struct history_launch *launch, int threads)
{
	CHECK(memory_grow(&own->ranges, &own->range_capacity, (size_t)own->range_count + 1, sizeof *own->ranges,
			  "the ions that are done"));
	CHECK(history_launch_read(own, launch, launch->count));
	launch->under_way = false;
	ions_sums_add_ends(own->sums, launch->host_ends, launch->first, launch->count, threads);
	own->sums->ions += launch->count;
	own->ranges[own->range_count++] = (struct ions_range){launch->first, launch->count};
	return SONDE_OK;
}

/* Waits for a launch, and for those that continue its suspended histories. */
static sonde_status finish(struct history_device *own, struct history_launch *launch, int threads)
{
	uint32_t aside;

	for (;;) {
		CHECK(history_launch_wait(own, launch, &aside));
		if (aside == 0)
			break;
		if (device_is_stopped(own->device))
			return status_fail(SONDE_CANCELLED, "stopped on request");
		CHECK(history_launch_begin(own, launch, true));
	}
	own->ions_per_second = launch->count / fmax(launch->seconds, 1e-9);
	return history_launch_add(own, launch, threads);
}

static sonde_status finish_all(struct history_device *own, int threads)
{
	sonde_status status = SONDE_OK;

	/* in the order of their start */
	for (int k = 0; k < own->launch_count && status == SONDE_OK; ++k) {
		int queue = (own->next + k) % own->launch_count;
		device_use_queue(own->device, queue);
		if (own->launches[queue].under_way)
			status = finish(own, &own->launches[queue], threads);
	}
	device_use_queue(own->device, 0);
	return status;
}

/* Clears numbers on a device. */
static sonde_status clear_tallies(struct history_device *own, size_t first, size_t count)
{
	return device_clear(own->device, &own->tallies, first * sizeof(uint64_t), count * sizeof(uint64_t));
}

/* Adds the device's tallies to those of the host, which have more bits: part by part, since maps have many, most
 * of them 0. */
static sonde_status drain(struct history_device *own, int threads)
{
	const struct ions_job *job = &own->job;
	size_t tallies = tally_numbers(job), spectra = spectrum_numbers(job), other = spectra + leaving_numbers(job);

	CHECK(finish_all(own, threads));
	for (size_t first = 0; first < tallies; first += TALLIES_AT_ONCE) {
		size_t count = tallies - first < TALLIES_AT_ONCE ? tallies - first : TALLIES_AT_ONCE;
		CHECK(device_read(own->device, &own->tallies, first * sizeof(uint64_t), own->on_host,
				  count * sizeof(uint64_t)));
		if (ions_sums_add_tallies(own->sums, first, count, own->on_host))
			CHECK(clear_tallies(own, first, count));
	}
	CHECK(device_read(own->device, &own->tallies, tallies * sizeof(uint64_t), own->on_host,
			  other * sizeof(uint64_t)));
	CHECK(clear_tallies(own, tallies, other));
	CHECK(device_wait(own->device)); /* the next launch may use another queue */
	ions_sums_add_spectra(own->sums, own->on_host);
	ions_sums_add_leaving(own->sums, own->on_host + spectra);
	own->pending_energy = 0.0;
	own->is_drained = true;
	return SONDE_OK;
}

/* In the queue of the launch, which is free. */
static sonde_status follow(struct history_device *own, struct history_launch *launch, uint64_t first, uint32_t count)
{
	uint64_t listed = first >= own->job.listed ? 0 : own->job.listed - first;
	launch->first = first;
	launch->count = count;
	CHECK(history_launch_make_room(own, launch, count, listed < count ? listed : count));
	return history_launch_begin(own, launch, false);
}

/* Finishes the oldest launch, in the queue that comes next. */
static sonde_status finish_oldest(struct history_device *own, int threads)
{
	struct history_launch *launch = &own->launches[own->next];

	if (!launch->under_way)
		return SONDE_OK;
	device_use_queue(own->device, own->next);
	const sonde_status status = finish(own, launch, threads);
	device_use_queue(own->device, 0);
	return status;
}

sonde_status history_device_run(struct history_device *own, uint64_t first, uint32_t count, int threads)
{
	double energy = own->job.most_energy * ((double)count / own->job.groups + 1.0) * (double)UNITS_PER_EV;
	struct history_launch *launch = &own->launches[own->next];

	if (own->pending_energy + energy > MOST_UNITS)
		CHECK(drain(own, threads));
	own->pending_energy += energy;
	device_use_queue(own->device, own->next);
	sonde_status status = follow(own, launch, first, count);
	device_use_queue(own->device, 0);
	own->next = (own->next + 1) % own->launch_count;
	/* the number of ions of the next launch is chosen when a queue is free for it */
	return status == SONDE_OK ? finish_oldest(own, threads) : status;
}

sonde_status history_device_trace(struct history_device *own, uint64_t ion, const struct ions_left **points,
				  uint32_t *count)
{
	struct history_launch *launch = &own->launches[0];
	uint32_t aside = 1;

	launch->first = ion;
	launch->count = 1;
	CHECK(history_launch_make_room(own, launch, 1, 0));
	for (bool again = false; aside > 0; again = true) {
		CHECK(history_launch_begin(own, launch, again));
		CHECK(history_launch_wait(own, launch, &aside));
		if (aside > 0 && device_is_stopped(own->device))
			return status_fail(SONDE_CANCELLED, "stopped on request");
	}
	*count = launch->exits;
	launch->under_way = false;
	if (*count > own->job.most_exits)
		return status_fail_option(SONDE_INVALID, "trajectories", "that of ion %llu has more than %u points",
					  (unsigned long long)ion, own->job.most_exits);
	*points = launch->host_left;
	return *count > 0 ? device_read(own->device, &launch->left, 0, launch->host_left, *count * sizeof **points)
			  : SONDE_OK;
}

sonde_status history_device_finish(struct history_device *own, int threads)
{
	return own->is_drained ? SONDE_OK : drain(own, threads);
}

sonde_status history_device_collect(struct history_device *own, int threads, struct ions_sums *sums)
{
	CHECK(history_device_finish(own, threads));
	return ions_sums_merge(sums, own->sums);
}
