/* Work in the background: fork() waits for it, and its failure is that of who waits. */
#include "unit/support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/background.h"

static atomic_int ended;

static void *work(void *unused)
{
	const struct timespec moment = {0, 50000000};

	(void)unused;
	nanosleep(&moment, NULL);
	atomic_fetch_add(&ended, 1);
	background_end();
	return NULL;
}

/* Exit code of a process that was forked: how many threads had ended then. */
static int ended_when_forked(void)
{
	int how = 0;
	const pid_t child = background_fork();

	if (child == 0)
		_exit(atomic_load(&ended));
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_true(WIFEXITED(how));
	return WEXITSTATUS(how);
}

static void fork_waits_for_all_threads(void **state)
{
	pthread_t threads[3];

	(void)state;
	assert_int_equal(ended_when_forked(), 0);
	for (int k = 0; k < 3; ++k) {
		background_begin();
		assert_int_equal(pthread_create(&threads[k], NULL, work, NULL), 0);
	}
	assert_int_equal(ended_when_forked(), 3);
	for (int k = 0; k < 3; ++k)
		pthread_join(threads[k], NULL);
	assert_int_equal(ended_when_forked(), 3);
}

static sonde_status count_or_fail(void *user)
{
	int *left = user;

	return --*left >= 0 ? SONDE_OK : status_fail(SONDE_RESOURCE, "%d left", *left);
}

static void a_job_fails_where_it_is_waited_for(void **state)
{
	struct background_job job = {.running = false};
	int left = 1;

	(void)state;
	assert_int_equal(background_wait(&job), SONDE_OK);
	background_start(&job, count_or_fail, &left);
	assert_int_equal(background_wait(&job), SONDE_OK);
	assert_int_equal(left, 0);
	background_start(&job, count_or_fail, &left);
	assert_int_equal(background_wait(&job), SONDE_RESOURCE);
	assert_string_equal(status_message(), "-1 left");
	assert_int_equal(background_wait(&job), SONDE_OK); /* once */
	/* a failure of its own comes first */
	background_start(&job, count_or_fail, &left);
	assert_int_equal(background_finish(&job, status_fail(SONDE_INVALID, "other")), SONDE_INVALID);
	assert_string_equal(status_message(), "other");
	assert_int_equal(left, -2);
	background_start(&job, count_or_fail, &left);
	assert_int_equal(background_finish(&job, SONDE_OK), SONDE_RESOURCE);
	assert_string_equal(status_message(), "-3 left");
	/* or does not matter */
	background_start(&job, count_or_fail, &left);
	background_drop(&job);
	assert_int_equal(left, -4);
	assert_string_equal(status_message(), "-3 left");
	assert_int_equal(background_wait(&job), SONDE_OK);
	assert_int_equal(ended_when_forked(), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(fork_waits_for_all_threads),
					   cmocka_unit_test(a_job_fails_where_it_is_waited_for)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
