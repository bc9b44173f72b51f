/* Loops shared by threads. */
#include "unit/support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/threads.h"

#define ITERATIONS 100003
#define MOST 8

struct counts {
	atomic_int times[ITERATIONS];
	atomic_int at_work[MOST]; /* calls of a worker at this moment */
	atomic_int wrong;
	int64_t grain;
};

static void count(void *state, int64_t first, int64_t end, int worker)
{
	struct counts *counts = state;

	if (worker < 0 || worker >= MOST || end - first > counts->grain || first >= end) {
		atomic_fetch_add(&counts->wrong, 1);
		return;
	}
	if (atomic_fetch_add(&counts->at_work[worker], 1) != 0)
		atomic_fetch_add(&counts->wrong, 1);
	for (int64_t n = first; n < end; ++n)
		atomic_fetch_add(&counts->times[n], 1);
	atomic_fetch_sub(&counts->at_work[worker], 1);
}

static void count_all(int threads, int64_t iterations, int64_t grain)
{
	struct counts *counts = calloc(1, sizeof *counts);

	assert_non_null(counts);
	counts->grain = grain;
	threads_for(threads, iterations, grain, count, counts);
	for (int64_t n = 0; n < ITERATIONS; ++n)
		assert_int_equal(counts->times[n], n < iterations);
	assert_int_equal(counts->wrong, 0);
	free(counts);
}

static void test_every_iteration_is_done_once(void **unused)
{
	(void)unused;
	for (int threads = 1; threads <= MOST; ++threads) {
		count_all(threads, ITERATIONS, 1000);
		count_all(threads, 3, 1);
	}
	count_all(MOST, ITERATIONS, 1);
	count_all(MOST, ITERATIONS, ITERATIONS);
	count_all(MOST, 0, 1);
}

static void *count_on_thread(void *unused)
{
	for (int n = 0; n < 50; ++n)
		count_all(3, 1000, 7);
	return unused;
}

static void test_loops_of_several_threads_at_once(void **unused)
{
	pthread_t threads[4];

	(void)unused;
	for (int n = 0; n < 4; ++n)
		assert_int_equal(pthread_create(&threads[n], NULL, count_on_thread, NULL), 0);
	for (int n = 0; n < 4; ++n)
		assert_int_equal(pthread_join(threads[n], NULL), 0);
}

static void nest(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		struct counts *counts = calloc(1, sizeof *counts);
		counts->grain = 10;
		threads_for(4, 100, 10, count, counts);
		for (int k = 0; k < 100; ++k)
			atomic_fetch_add((atomic_int *)state, counts->times[k]);
		free(counts);
	}
}

static void test_a_loop_within_a_loop(void **unused)
{
	atomic_int done = 0;

	(void)unused;
	threads_for(4, 20, 1, nest, &done);
	assert_int_equal(done, 2000);
}

/* A child has none of its parent's threads. */
static void test_loops_after_fork(void **unused)
{
	int status;

	(void)unused;
	count_all(4, 1000, 7);
	pid_t child = fork();
	if (child == 0) {
		alarm(20);
		count_all(4, 1000, 7);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *nothing(void *unused)
{
	return unused;
}

/* Where no thread is to be had, the caller does it all: with stacks larger than the address space, in a child, which has
 * no threads yet. */
static void test_loops_without_threads(void **unused)
{
	int status;
	pid_t child = fork();

	(void)unused;
	if (child == 0) {
		pthread_attr_t large;
		pthread_t thread;
		pthread_attr_init(&large);
		pthread_attr_setstacksize(&large, (size_t)1 << 48);
		if (pthread_setattr_default_np(&large) != 0 || pthread_create(&thread, NULL, nothing, NULL) == 0)
			_exit(1);
		alarm(20);
		count_all(4, 1000, 7);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static double seconds_of_processors(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sleep_in_one(void *unused, int64_t first, int64_t end, int worker)
{
	const struct timespec half_a_second = {0, 500000000};

	(void)unused;
	(void)end;
	(void)worker;
	if (first == 0)
		nanosleep(&half_a_second, NULL);
}

/* Threads that wait for one that takes long leave the processors to others: what three threads that spin would use
 * in that time is half a second at least. Processor time, which does not depend on what else runs. */
static void test_waiting_threads_sleep(void **unused)
{
	(void)unused;
	threads_for(4, 4, 1, sleep_in_one, NULL);
	double before = seconds_of_processors();
	threads_for(4, 4, 1, sleep_in_one, NULL);
	assert_true(seconds_of_processors() - before < 0.1);
}

static void test_parts_are_fair(void **unused)
{
	(void)unused;
	assert_int_equal(threads_grain(1, 0), 1);
	assert_int_equal(threads_grain(4, 10), 1);
	assert_true(threads_grain(4, 1000000) <= 1000000 / 4);
	assert_true(threads_available() >= 1);
}

/* Rows of numbers, each from those of the row before, by a body that follows that of the row before. */
enum { ROWS_IN_ORDER = 40, NUMBERS_OF_ROW = 50 };
struct in_order {
	uint32_t complete[ROWS_IN_ORDER];
	long numbers[ROWS_IN_ORDER][NUMBERS_OF_ROW];
};

static void follow(void *state, int64_t row, int64_t end, int worker)
{
	struct in_order *rows = state;
	(void)end;
	(void)worker;

	for (uint32_t k = 0; k < NUMBERS_OF_ROW; ++k) {
		if (row > 0)
			threads_wait_for(&rows->complete[row - 1], k + 1);
		rows->numbers[row][k] = row > 0 ? rows->numbers[row - 1][k] + 1 : k;
		if (row == 3 && k == 7) /* longer than others wait awake */
			nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
		threads_tell(&rows->complete[row], k + 1);
	}
}

static void test_iterations_follow_earlier_ones(void **unused)
{
	(void)unused;
	for (int threads = 1; threads <= 5; threads += 2) {
		struct in_order *rows = calloc(1, sizeof *rows);
		threads_for(threads, ROWS_IN_ORDER, 1, follow, rows);
		for (int k = 0; k < NUMBERS_OF_ROW; ++k)
			assert_int_equal(rows->numbers[ROWS_IN_ORDER - 1][k], ROWS_IN_ORDER - 1 + k);
		free(rows);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_iteration_is_done_once),
	    cmocka_unit_test(test_loops_of_several_threads_at_once),
	    cmocka_unit_test(test_a_loop_within_a_loop),
	    cmocka_unit_test(test_loops_after_fork),
	    cmocka_unit_test(test_loops_without_threads),
	    cmocka_unit_test(test_waiting_threads_sleep),
	    cmocka_unit_test(test_parts_are_fair),
	    cmocka_unit_test(test_iterations_follow_earlier_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
