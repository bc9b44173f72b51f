/* Work shared by devices: every piece is done and counted once, for any number taken at a time and any failing
 * device. */
#include "run/share.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "sonde/context.h"
#include "unit/support.h"

#define MOST 1000

struct state {
	struct device *device;
	int index;
};

struct job {
	struct state states[CONTEXT_MOST_DEVICES];
	uint64_t pieces, at_once[2]; /* of device 0 and 1 */
	int fails_after[2];          /* runs that succeed; -1: all */
	int runs[2], released;
	uint64_t largest[2];
	unsigned char done[2][MOST]; /* by a device, not collected yet */
	unsigned collected[MOST];
	bool collects, fails_at_collect, only_second; /* device 0 does not take part */
	bool finishes, fails_at_finish;               /* the first device in its finish() */
	_Atomic int finished;
	sonde_context *stopped; /* once `stops_after` runs are done, during the next one; null: never */
	int stops_after;
};

/* Devices are "cpu" and "emulated". */
static int index_of(const struct device *device)
{
	return strcmp(device_name(device), "cpu") == 0 ? 0 : 1;
}

static sonde_status prepare(void *user, struct device *device, void *state)
{
	struct job *job = user;

	assert_true(state == &job->states[index_of(device)]);
	assert_null(((struct state *)state)->device);
	*(struct state *)state = (struct state){device, index_of(device)};
	return SONDE_OK;
}

static void release(void *state)
{
	assert_non_null(((struct state *)state)->device);
	*(struct state *)state = (struct state){0};
}

static sonde_status run(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	struct job *job = user;
	const int index = ((struct state *)state)->index;

	if (job->fails_after[index] >= 0 && job->runs[index] >= job->fails_after[index])
		return status_fail(SONDE_RESOURCE, "device %d fails as it should", index);
	if (job->stopped != NULL && job->runs[0] == job->stops_after) {
		sonde_context_cancel(job->stopped);
		return status_fail(SONDE_CANCELLED, "stopped");
	}
	++job->runs[index];
	job->largest[index] = count > job->largest[index] ? count : job->largest[index];
	for (uint64_t k = first; k < first + count; ++k)
		++*(job->collects ? &job->done[index][k] : (unsigned char *)&job->collected[k]);
	*work = (double)count;
	return SONDE_OK;
}

/* By the device's own thread. */
static sonde_status finish(void *user, void *state)
{
	struct job *job = user;
	const int index = ((struct state *)state)->index;

	if (job->fails_at_finish && index == 0)
		return status_fail(SONDE_RESOURCE, "device 0 fails while it finishes");
	++job->finished;
	return SONDE_OK;
}

static sonde_status collect(void *user, void *state)
{
	struct job *job = user;
	const int index = ((struct state *)state)->index;

	if (job->fails_at_collect && index == 0)
		return status_fail(SONDE_RESOURCE, "device 0 fails at the end");
	for (uint64_t k = 0; k < job->pieces; ++k) {
		job->collected[k] += job->done[index][k];
		job->done[index][k] = 0;
	}
	return SONDE_OK;
}

/* Of a device that fails, after release(). */
static void forget(void *user, struct device *device)
{
	struct job *job = user;
	const int index = index_of(device);

	assert_null(job->states[index].device);
	++job->released;
	memset(job->done[index], 0, sizeof job->done[index]);
}

static uint64_t at_once(void *user, struct device *device, const void *state)
{
	const struct job *job = user;
	const struct device *prepared = ((const struct state *)state)->device;

	assert_true(prepared == NULL || prepared == device);
	return job->at_once[index_of(device)];
}

static bool suits(void *user, struct device *device)
{
	const struct job *job = user;

	return !job->only_second || index_of(device) == 1;
}

static struct shared_work work_of(struct job *job)
{
	return (struct shared_work){.pieces = job->pieces,
				    .user = job,
				    .states = job->states,
				    .state_size = sizeof *job->states,
				    .prepare = prepare,
				    .release = release,
				    .run = run,
				    .finish = job->finishes ? finish : NULL,
				    .collect = job->collects ? collect : NULL,
				    .forget = forget,
				    .suits = suits};
}

static sonde_status share(struct job *job, double *done)
{
	struct shared_work work = work_of(job);
	struct stage stage;
	sonde_context *context;

	work.at_once = at_once;
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, "cpu,emulated"));
	stage_begin(&stage, context, "pieces", "pieces", (double)job->pieces);
	sonde_status status = share_work(context, &work, &stage, done);
	share_release(&work);
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		assert_null(job->states[k].device);
	sonde_context_free(&context);
	return status;
}

static struct job job_of(uint64_t pieces, bool collects)
{
	return (struct job){.pieces = pieces, .at_once = {1, 1}, .fails_after = {-1, -1}, .collects = collects};
}

static void assert_done(const struct job *job, double done)
{
	for (uint64_t k = 0; k < job->pieces; ++k)
		if (job->collected[k] != 1)
			fail_msg("piece %d was done %u times, %g pieces in all; runs %d and %d", (int)k,
				 job->collected[k], done, job->runs[0], job->runs[1]);
	assert_true(done == (double)job->pieces);
}

static void every_piece_is_done_once(void **state)
{
	static const uint64_t pieces[] = {0, 1, 2, 3, 17, 1000}, most[] = {1, 2, 7, 5000};
	(void)state;

	for (int k = 0; k < 48; ++k) {
		struct job job = job_of(pieces[k % 6], k / 24 == 1);
		double done = 0.0;
		job.at_once[1] = most[k / 6 % 4];
		assert_status(SONDE_OK, share(&job, &done));
		assert_done(&job, done);
		assert_true(job.largest[0] <= 1 && job.largest[1] <= job.at_once[1]);
	}
}

/* The message of a stop says how much was done, as progress did. */
static void a_stop_says_how_far_it_was(void **state)
{
	(void)state;
	for (int collects = 0; collects < 2; ++collects) {
		struct job job = job_of(40, collects != 0);
		const struct shared_work work = work_of(&job);
		struct stage stage;
		double done = 0.0;
		assert_status(SONDE_OK, sonde_context_create(&job.stopped));
		assert_status(SONDE_OK, sonde_context_set_device(job.stopped, "cpu"));
		job.stops_after = 10;
		stage_begin(&stage, job.stopped, "pieces", "pieces", 40.0);
		assert_status(SONDE_CANCELLED, share_work(job.stopped, &work, &stage, &done));
		assert_string_equal(sonde_status_message(), "stopped on request at 25.0 % of the pieces");
		assert_true(done == 10.0);
		sonde_context_free(&job.stopped);
	}
}

/* Work not collected from a device that fails is done again. */
static void pieces_of_a_failing_device_are_done_again(void **state)
{
	(void)state;
	for (int k = 0; k < 40; ++k) {
		struct job job = job_of(k % 2 == 0 ? 1000 : 5, k / 2 % 2 == 1);
		double done = 0.0;
		job.fails_after[k / 4 % 2] = k / 8;
		job.at_once[1] = 3;
		assert_status(SONDE_OK, share(&job, &done));
		assert_done(&job, done);
	}
}

static void a_device_fails_at_the_end(void **state)
{
	struct job job = job_of(300, true);
	double done = 0.0;
	int failures = 0;
	(void)state;

	job.fails_at_collect = true;
	for (int k = 0; k < 50;
	     ++k) { /* whether it had pieces is a matter of luck; a device without any is not asked */
		struct job now = job;
		done = 0.0;
		assert_status(SONDE_OK, share(&now, &done));
		assert_done(&now, done);
		assert_int_equal(now.released, now.runs[0] > 0 ? 1 : 0);
		failures += now.released;
	}
	assert_true(failures > 0);
}

static void a_device_fails_while_it_finishes(void **state)
{
	int failures = 0, finished = 0;
	(void)state;

	for (int k = 0; k < 50; ++k) {
		struct job job = job_of(300, true);
		double done = 0.0;
		job.finishes = true;
		job.fails_at_finish = k % 2 == 1;
		assert_status(SONDE_OK, share(&job, &done));
		assert_done(&job, done);
		assert_int_equal(job.released, job.fails_at_finish && job.runs[0] > 0 ? 1 : 0);
		/* a device without any pieces has nothing to finish; one that is left alone finishes in collect() */
		if (!job.fails_at_finish)
			assert_int_equal(job.finished, (job.runs[0] > 0) + (job.runs[1] > 0));
		failures += job.released;
		finished += job.finished;
	}
	assert_true(failures > 0 && finished > 0);
}

static void failure_of_all_devices_is_reported(void **state)
{
	struct job job = job_of(300, true);
	double done = 0.0;
	(void)state;

	job.fails_after[0] = 2;
	job.fails_after[1] = 3;
	assert_status(SONDE_RESOURCE, share(&job, &done));
	assert_message("fails as it should");
}

static void only_devices_that_suit_take_part(void **state)
{
	(void)state;
	for (int fails = 0; fails < 2; ++fails) {
		struct job job = job_of(20, false);
		double done = 0.0;
		job.only_second = true;
		job.fails_after[1] = fails != 0 ? 7 : -1;
		assert_status(SONDE_OK, share(&job, &done));
		assert_int_equal(job.runs[0], 0);
		assert_int_equal(job.runs[1], fails != 0 ? 7 : 20);
		assert_true(done == (fails != 0 ? 7.0 : 20.0)); /* nobody is left for the others */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_piece_is_done_once),
					   cmocka_unit_test(a_stop_says_how_far_it_was),
					   cmocka_unit_test(pieces_of_a_failing_device_are_done_again),
					   cmocka_unit_test(a_device_fails_at_the_end),
					   cmocka_unit_test(a_device_fails_while_it_finishes),
					   cmocka_unit_test(failure_of_all_devices_is_reported),
					   cmocka_unit_test(only_devices_that_suit_take_part)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
