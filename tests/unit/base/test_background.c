/* fork() waits for threads in the background. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(fork_waits_for_all_threads)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
