/* What the environment says of launchers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>

#include "parallel/launcher.h"

static const char *const names[] = {"OMPI_COMM_WORLD_RANK",
				    "OMPI_COMM_WORLD_SIZE",
				    "OMPI_COMM_WORLD_LOCAL_RANK",
				    "PMI_RANK",
				    "PMI_SIZE",
				    "MPI_LOCALRANKID",
				    "MV2_COMM_WORLD_RANK",
				    "MV2_COMM_WORLD_SIZE",
				    "MV2_COMM_WORLD_LOCAL_RANK",
				    "SLURM_PROCID",
				    "SLURM_STEP_NUM_TASKS",
				    "SLURM_LOCALID",
				    "PALS_RANKID",
				    "PALS_SIZE",
				    "PALS_LOCAL_RANKID",
				    "SONDE_MPI_MODULE"};

static int clear(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		unsetenv(names[k]);
	return 0;
}

static void test_a_plain_process_is_alone(void **state)
{
	int rank, size;

	(void)state;
	assert_false(launcher_started(&rank, &size));
	assert_int_equal(rank, 0);
	assert_int_equal(size, 1);
	assert_true(launcher_is_first_of_node());
}

static void test_each_launcher_is_known(void **state)
{
	static const char *const launchers[][3] = {
	    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
	    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
	    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK"},
	    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
	    {"PALS_RANKID", "PALS_SIZE", "PALS_LOCAL_RANKID"}};
	int rank, size;

	for (size_t k = 0; k < sizeof launchers / sizeof *launchers; ++k) {
		setenv(launchers[k][0], "5", 1);
		setenv(launchers[k][1], "8", 1);
		assert_true(launcher_started(&rank, &size));
		assert_int_equal(rank, 5);
		assert_int_equal(size, 8);
		assert_false(launcher_is_first_of_node());
		setenv(launchers[k][2], "0", 1); /* of the second node */
		assert_true(launcher_is_first_of_node());
		clear(state);
	}
}

/* Commands of a batch script are in a step of one task, whatever the job's number of tasks. */
static void test_a_batch_script_is_alone(void **state)
{
	int rank, size;

	(void)state;
	setenv("SLURM_PROCID", "0", 1);
	setenv("SLURM_NTASKS", "8", 1);
	setenv("SLURM_STEP_NUM_TASKS", "1", 1);
	assert_false(launcher_started(&rank, &size));
	unsetenv("SLURM_NTASKS");
}

static void test_one_rank_is_alone(void **state)
{
	int rank, size;

	(void)state;
	setenv("OMPI_COMM_WORLD_RANK", "0", 1);
	setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
	assert_false(launcher_started(&rank, &size));
}

static void test_processes_are_independent_on_request(void **state)
{
	int rank, size;

	(void)state;
	setenv("PMI_RANK", "1", 1);
	setenv("PMI_SIZE", "2", 1);
	setenv("MPI_LOCALRANKID", "1", 1);
	setenv("SONDE_MPI_MODULE", "none", 1);
	assert_false(launcher_started(&rank, &size));
	assert_true(launcher_is_first_of_node());
}

static void test_nonsense_is_ignored(void **state)
{
	int rank, size;

	(void)state;
	setenv("PMI_RANK", "-1", 1);
	setenv("PMI_SIZE", "two", 1);
	assert_false(launcher_started(&rank, &size));
	setenv("PMI_RANK", "99999999999999999999", 1);
	setenv("PMI_SIZE", "", 1);
	assert_false(launcher_started(&rank, &size));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_a_plain_process_is_alone, clear),
	    cmocka_unit_test_setup(test_each_launcher_is_known, clear),
	    cmocka_unit_test_setup(test_a_batch_script_is_alone, clear),
	    cmocka_unit_test_setup(test_one_rank_is_alone, clear),
	    cmocka_unit_test_setup(test_processes_are_independent_on_request, clear),
	    cmocka_unit_test_setup(test_nonsense_is_ignored, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
