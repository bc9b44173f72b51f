/* Locks of outputs: one run at a time, also of one process; nothing is left; a killed process holds none. */
#include "unit/support.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lock.h"

static bool is_there(const char *path)
{
	struct stat properties;

	return lstat(path, &properties) == 0;
}

static void test_one_at_a_time(void **unused)
{
	const char *path = test_path("a.h5");
	struct output_lock first, second, other;
	char wanted[64];

	(void)unused;
	snprintf(wanted, sizeof wanted, "a.h5: is being written by process %ld on ", (long)getpid());
	assert_status(SONDE_OK, output_lock_take(path, &first));
	assert_true(first.descriptor >= 0 && is_there(test_path("a.h5.lock")));
	path = test_path("a.h5");
	assert_invalid(wanted, output_lock_take(path, &second));
	assert_true(second.descriptor < 0);
	output_lock_release(&second);
	assert_true(is_there(test_path("a.h5.lock"))); /* the holder's */
	assert_status(SONDE_OK, output_lock_take(test_path("b.h5"), &other));
	output_lock_release(&other);
	output_lock_release(&first);
	assert_false(is_there(test_path("a.h5.lock")) || is_there(test_path("b.h5.lock")));
	assert_status(SONDE_OK, output_lock_take(test_path("a.h5"), &second));
	output_lock_release(&second);
	output_lock_release(&second);
}

/* Two names of one file. */
static void test_links(void **unused)
{
	struct output_lock first, second;
	char target[300];

	(void)unused;
	snprintf(target, sizeof target, "%s", test_write("target.h5", "x", 1));
	assert_true(symlink(target, test_path("link.h5")) == 0);
	assert_status(SONDE_OK, output_lock_take(target, &first));
	assert_invalid("link.h5: is being written by process", output_lock_take(test_path("link.h5"), &second));
	output_lock_release(&second);
	output_lock_release(&first);
}

static void test_killed(void **unused)
{
	struct output_lock lock;
	char path[300];
	int pipes[2], how;
	char byte = 0;

	(void)unused;
	snprintf(path, sizeof path, "%s", test_path("killed.h5"));
	assert_true(pipe(pipes) == 0);
	const pid_t child = fork();
	if (child == 0) {
		const bool taken = output_lock_take(path, &lock) == SONDE_OK && write(pipes[1], &byte, 1) == 1;
		for (;;)
			taken ? pause() : _exit(1);
	}
	assert_true(read(pipes[0], &byte, 1) == 1);
	char wanted[64];
	snprintf(wanted, sizeof wanted, "killed.h5: is being written by process %ld on ", (long)child);
	assert_invalid(wanted, output_lock_take(path, &lock));
	output_lock_release(&lock);
	assert_true(kill(child, SIGKILL) == 0 && waitpid(child, &how, 0) == child);
	assert_true(is_there(test_path("killed.h5.lock")));
	assert_status(SONDE_OK, output_lock_take(path, &lock));
	assert_true(lock.descriptor >= 0);
	output_lock_release(&lock);
	assert_false(is_there(test_path("killed.h5.lock")));
	close(pipes[0]);
	close(pipes[1]);
}

/* Where no lock can be had the run goes on. */
static void test_impossible(void **unused)
{
	struct output_lock lock;

	(void)unused;
	assert_status(SONDE_OK, output_lock_take(test_path("nowhere/a.h5"), &lock));
	assert_true(lock.descriptor < 0);
	output_lock_release(&lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_at_a_time),
	    cmocka_unit_test(test_links),
	    cmocka_unit_test(test_killed),
	    cmocka_unit_test(test_impossible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
