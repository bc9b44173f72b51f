#include "debye/means/frame_lanes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "run/share_record.h"

#define MOST_LANES 6
#define THREADS_OF_LANE 2 /* at least */
#define LEAST_FRAMES 4    /* for each lane, as it takes some tenths of a second to open a device */
#define LEAST_ATOMS 1000  /* others are computed on the CPU */
#define MOST_ATOMS 400000 /* of more, kernels take nearly all of the time */
#define BYTES_OF_ATOM 1000.0
#define PART_OF_MEMORY 0.25
#define NANOSECONDS_BETWEEN_LOOKS 20000000 /* at a request to stop */
#define MESSAGE_SIZE 512

struct lane {
	struct frame_lanes *lanes;
	sonde_context *context;
	struct sonde_debye_plan *plan;
	pthread_t thread;
};

/* A frame: given, taken by a lane, done. */
struct lane_job {
	struct given_frame frame;
	bool done;
	sonde_debye_result *result;
	sonde_status status;
	char message[MESSAGE_SIZE];
	char *notes; /* null: none */
};

struct frame_lanes {
	sonde_context *context;
	struct lane lanes[MOST_LANES];
	int count, running; /* lanes; threads */
	struct lane_job jobs[MOST_LANES + FRAMES_WAITING];
	int64_t given, begun, taken; /* numbers of jobs, at places modulo `most` */
	int most;
	bool ending;
	double began, processor; /* clock_seconds(), clock_processor_seconds() */
	pthread_mutex_t mutex;
	pthread_cond_t changed; /* a job has been given, or is done */
};

static struct lane_job *job_of(struct frame_lanes *lanes, int64_t number)
{
	return &lanes->jobs[number % lanes->most];
}

/* Lanes ---------------------------------------------------------------------------------------------------------- */

static void compute(struct lane *lane, struct lane_job *job)
{
	const struct debye_execution execution = {.check = &job->frame.check};
	const char *notes;

	sonde_context_forget_notes(lane->context);
	job->status = debye_execute(lane->plan, job->frame.atoms, &execution, &job->result);
	if (job->status != SONDE_OK)
		snprintf(job->message, sizeof job->message, "%s", status_message());
	notes = context_notes(lane->context);
	job->notes = notes != NULL ? strdup(notes) : NULL;
}

static void *run_lane(void *user)
{
	struct lane *lane = user;
	struct frame_lanes *lanes = lane->lanes;

	pthread_mutex_lock(&lanes->mutex);
	while (!lanes->ending) {
		if (lanes->begun == lanes->given) {
			pthread_cond_wait(&lanes->changed, &lanes->mutex);
			continue;
		}
		struct lane_job *job = job_of(lanes, lanes->begun++);
		pthread_mutex_unlock(&lanes->mutex);
		compute(lane, job);
		pthread_mutex_lock(&lanes->mutex);
		job->done = true;
		pthread_cond_broadcast(&lanes->changed);
	}
	pthread_mutex_unlock(&lanes->mutex);
	return NULL;
}

static int lanes_for(const sonde_context *context, const sonde_atoms *atoms)
{
	const int wanted = context_threads(context) / THREADS_OF_LANE,
		  count = wanted < MOST_LANES ? wanted : MOST_LANES;

	if (count < 2 || atoms->count < LEAST_ATOMS || atoms->count > MOST_ATOMS ||
	    parallel_size(context_ranks(context)) > 1 ||
	    BYTES_OF_ATOM * (double)atoms->count * count > PART_OF_MEMORY * (double)context_host_memory(context))
		return 0;
	return count;
}

sonde_status frame_lanes_choose(sonde_context *context, const sonde_debye_options *options, const sonde_atoms *atoms,
				int64_t frames, int *count, const char **device)
{
	struct device **devices;
	int places, open = 0;

	*device = NULL;
	*count = lanes_for(context, atoms);
	if (*count > 0 && frames >= (int64_t)LEAST_FRAMES * *count &&
	    options->precision == SONDE_DEBYE_PRECISION_FLOAT64)
		CHECK(context_devices(context, &devices, &places));
	else
		places = 0;
	for (int k = 0; k < places; ++k) {
		if (devices[k] == NULL)
			continue;
		*device = device_properties(devices[k])->gpu_kernels ? device_name(devices[k]) : NULL;
		++open;
	}
	if (open != 1 || *device == NULL) {
		*device = NULL;
		*count = 0;
	}
	return SONDE_OK;
}

static sonde_status start_lane(struct frame_lanes *lanes, const struct sonde_debye_plan *plan, const char *device,
			       int threads)
{
	struct lane *lane = &lanes->lanes[lanes->running];

	lane->lanes = lanes;
	sonde_status status =
	    context_create_beside(lanes->context, device, threads, (uint64_t)lanes->count + 1, &lane->context);
	if (status == SONDE_OK)
		status = debye_plan_beside(plan, lane->context, &lane->plan);
	if (status == SONDE_OK && pthread_create(&lane->thread, NULL, run_lane, lane) != 0)
		status = status_fail(SONDE_RESOURCE, "no more threads");
	if (status == SONDE_OK) {
		++lanes->running;
		return SONDE_OK;
	}
	sonde_debye_plan_free(&lane->plan);
	sonde_context_free(&lane->context);
	return status;
}

sonde_status frame_lanes_begin(sonde_context *context, const struct sonde_debye_plan *plan, const sonde_atoms *atoms,
			       int64_t frames, struct frame_lanes **lanes)
{
	const char *device;
	int count;

	*lanes = NULL;
	CHECK(frame_lanes_choose(context, sonde_debye_plan_options(plan), atoms, frames, &count, &device));
	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(lanes, 1, sizeof **lanes, "frames"));
	(*lanes)->context = context;
	(*lanes)->count = count;
	(*lanes)->most = count + FRAMES_WAITING;
	(*lanes)->began = clock_seconds();
	(*lanes)->processor = clock_processor_seconds();
	pthread_mutex_init(&(*lanes)->mutex, NULL);
	pthread_cond_init(&(*lanes)->changed, NULL);
	for (int k = 0; k < count; ++k)
		if (start_lane(*lanes, plan, device, context_threads(context) / count) != SONDE_OK)
			break;
	/* frames are computed one after the other then */
	if ((*lanes)->running < 2)
		frame_lanes_end(lanes);
	return SONDE_OK;
}

/* For the run, the lanes are one work on one device, from the first frame to the last. */
static void record_lanes(struct frame_lanes *lanes)
{
	struct share_record *record = context_share_record(lanes->context);
	const double seconds = clock_seconds() - lanes->began;
	struct device *device;
	int index;

	if (lanes->running == 0 || context_first_device(lanes->context, &index, &device) != SONDE_OK)
		return;
	for (int k = 0; k < lanes->running; ++k)
		record->devices[index].work += context_share_record(lanes->lanes[k].context)->devices[0].work;
	record->seconds += seconds;
	record->devices[index].seconds += seconds;
	record->processor += clock_processor_seconds() - lanes->processor;
}

void frame_lanes_end(struct frame_lanes **of)
{
	struct frame_lanes *lanes = *of;

	if (lanes == NULL)
		return;
	pthread_mutex_lock(&lanes->mutex);
	lanes->ending = true;
	pthread_cond_broadcast(&lanes->changed);
	pthread_mutex_unlock(&lanes->mutex);
	for (int k = 0; k < lanes->running; ++k)
		sonde_context_cancel(lanes->lanes[k].context);
	for (int k = 0; k < lanes->running; ++k)
		pthread_join(lanes->lanes[k].thread, NULL);
	record_lanes(lanes);
	for (int k = 0; k < lanes->running; ++k) {
		sonde_debye_plan_free(&lanes->lanes[k].plan);
		sonde_context_free(&lanes->lanes[k].context);
	}
	for (int k = 0; k < lanes->most; ++k) {
		sonde_debye_result_free(&lanes->jobs[k].result);
		free(lanes->jobs[k].notes);
	}
	pthread_cond_destroy(&lanes->changed);
	pthread_mutex_destroy(&lanes->mutex);
	free(lanes);
	*of = NULL;
}

/* Frames --------------------------------------------------------------------------------------------------------- */

int frame_lanes_pending(const struct frame_lanes *lanes)
{
	return (int)(lanes->given - lanes->taken);
}

int frame_lanes_most(const struct frame_lanes *lanes)
{
	return lanes->most;
}

void frame_lanes_give(struct frame_lanes *lanes, const sonde_atoms *atoms, int64_t number, bool checked)
{
	pthread_mutex_lock(&lanes->mutex);
	*job_of(lanes, lanes->given++) = (struct lane_job){.frame = {atoms, number, {.wanted = checked}}};
	pthread_cond_broadcast(&lanes->changed);
	pthread_mutex_unlock(&lanes->mutex);
}

/* Called with the mutex held. */
static void wait_a_while(struct frame_lanes *lanes)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += NANOSECONDS_BETWEEN_LOOKS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	(void)pthread_cond_timedwait(&lanes->changed, &lanes->mutex, &until);
}

/* The notes of a frame, line by line, become those of the run. */
static void take_notes(struct frame_lanes *lanes, struct lane_job *job)
{
	for (char *line = job->notes, *next; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		if (*line != '\0')
			context_note(lanes->context, line);
	}
	free(job->notes);
	job->notes = NULL;
}

struct given_frame frame_lanes_give_up(struct frame_lanes *lanes)
{
	return job_of(lanes, lanes->taken++)->frame;
}

sonde_status frame_lanes_take(struct frame_lanes *lanes, struct given_frame *frame, sonde_debye_result **result)
{
	struct lane_job *job = job_of(lanes, lanes->taken);

	*result = NULL;
	pthread_mutex_lock(&lanes->mutex);
	while (!job->done && !context_cancelled(lanes->context))
		wait_a_while(lanes);
	const bool done = job->done;
	pthread_mutex_unlock(&lanes->mutex);
	*frame = job->frame;
	if (!done)
		return status_fail(SONDE_CANCELLED, "stopped on request");
	++lanes->taken;
	*result = job->result;
	job->result = NULL;
	take_notes(lanes, job);
	return job->status == SONDE_OK ? SONDE_OK : status_fail(job->status, "%s", job->message);
}
