/* Locks of outputs: one run at a time, also within a process; nothing is left; a killed process holds no lock. */
#include "unit/support.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/lock_file.h"

static bool is_there(const char *path)
{
	struct stat properties;

	return lstat(path, &properties) == 0;
}

/* Both kinds of locks: this machine's folder, and the file that is used where others see the folder, too. */
struct kind {
	sonde_status (*take)(const char *output, struct output_lock *lock);
	void (*release)(struct output_lock *lock);
	bool is_file;
};
static struct kind of_folder = {output_lock_take, output_lock_release, false},
		   of_file = {lock_file_take, lock_file_release, true};

static void test_one_at_a_time(void **state)
{
	const struct kind *kind = *state;
	struct output_lock first, second, other;
	char wanted[64];

	snprintf(wanted, sizeof wanted, "a.h5: is being written by process %ld%s", (long)getpid(),
		 kind->is_file ? " on " : "; ");
	assert_status(SONDE_OK, kind->take(test_path("a.h5"), &first));
	assert_true(first.descriptor >= 0);
	assert_int_equal(kind->is_file, is_there(test_path("a.h5.lock")));
	assert_invalid(wanted, kind->take(test_path("a.h5"), &second));
	assert_true(second.descriptor < 0);
	kind->release(&second);
	assert_int_equal(kind->is_file, is_there(test_path("a.h5.lock"))); /* the holder's */
	assert_invalid(wanted, kind->take(test_path("a.h5"), &second));
	kind->release(&second);
	assert_status(SONDE_OK, kind->take(test_path("b.h5"), &other));
	assert_true(other.descriptor >= 0);
	kind->release(&other);
	kind->release(&first);
	assert_false(is_there(test_path("a.h5.lock")) || is_there(test_path("b.h5.lock")));
	assert_status(SONDE_OK, kind->take(test_path("a.h5"), &second));
	assert_true(second.descriptor >= 0);
	kind->release(&second);
	kind->release(&second);
}

/* Two names of one file, and two names of one folder. */
static void test_links_to_one_file_share_a_lock(void **unused)
{
	struct output_lock first, second;
	char target[300], folder[300];

	(void)unused;
	snprintf(target, sizeof target, "%s", test_write("target.h5", "x", 1));
	assert_true(symlink(target, test_path("link.h5")) == 0);
	assert_status(SONDE_OK, output_lock_take(target, &first));
	assert_invalid("link.h5: is being written by process", output_lock_take(test_path("link.h5"), &second));
	output_lock_release(&second);
	output_lock_release(&first);
	/* a link to a file that is not there yet */
	remove(target);
	assert_status(SONDE_OK, output_lock_take(test_path("link.h5"), &first));
	assert_invalid("target.h5: is being written by process", output_lock_take(target, &second));
	output_lock_release(&second);
	output_lock_release(&first);

	snprintf(folder, sizeof folder, "%s", test_path("folder"));
	assert_true(mkdir(folder, 0777) == 0 && symlink(folder, test_path("other_name")) == 0);
	assert_status(SONDE_OK, output_lock_take(test_path("folder/new.h5"), &first));
	assert_invalid("other_name/new.h5: is being written by process",
		       output_lock_take(test_path("other_name/new.h5"), &second));
	output_lock_release(&second);
	output_lock_release(&first);
}

static void test_killed(void **state)
{
	const struct kind *kind = *state;
	struct output_lock lock;
	char path[300];
	int pipes[2], how;
	char byte = 0;

	snprintf(path, sizeof path, "%s", test_path("killed.h5"));
	assert_true(pipe(pipes) == 0);
	const pid_t child = fork();
	if (child == 0) {
		const bool taken = kind->take(path, &lock) == SONDE_OK && write(pipes[1], &byte, 1) == 1;
		for (;;)
			taken ? pause() : _exit(1);
	}
	assert_true(read(pipes[0], &byte, 1) == 1);
	char wanted[64];
	snprintf(wanted, sizeof wanted, "killed.h5: is being written by process %ld%s", (long)child,
		 kind->is_file ? " on " : "; ");
	assert_invalid(wanted, kind->take(path, &lock));
	kind->release(&lock);
	assert_true(kill(child, SIGKILL) == 0 && waitpid(child, &how, 0) == child);
	assert_int_equal(kind->is_file, is_there(test_path("killed.h5.lock")));
	assert_status(SONDE_OK, kind->take(path, &lock));
	assert_true(lock.descriptor >= 0);
	kind->release(&lock);
	assert_false(is_there(test_path("killed.h5.lock")));
	close(pipes[0]);
	close(pipes[1]);
}

/* Without a lock the run continues. */
static void test_run_continues_where_no_lock_is_available(void **unused)
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
	    cmocka_unit_test_prestate(test_one_at_a_time, &of_folder),
	    cmocka_unit_test_prestate(test_one_at_a_time, &of_file),
	    cmocka_unit_test(test_links_to_one_file_share_a_lock),
	    cmocka_unit_test_prestate(test_killed, &of_folder),
	    cmocka_unit_test_prestate(test_killed, &of_file),
	    cmocka_unit_test(test_run_continues_where_no_lock_is_available),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
