/* A scratch file: what was written is read, in any order of threads; it has no name; too much of it is refused. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "assert_close.h"
#include "fdtd/streaming/scratch_file.h"

enum { BLOCKS = 40, REQUESTS = 16, ROUNDS = 400 };

static struct scratch_file *open_here(const char *path)
{
	struct scratch_file *file;

	assert_int_equal(scratch_file_open(path, &file), SONDE_OK);
	return file;
}

static void fill(char *memory, size_t bytes, int number)
{
	for (size_t k = 0; k < bytes; ++k)
		memory[k] = (char)(number + (int)(k / 7));
}

/* Numbers that look random. */
static unsigned next_number(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 10;
}

static void begin(struct scratch_file *file, struct scratch_request *request, enum scratch_direction direction,
		  unsigned first, unsigned count, char *memory)
{
	*request = (struct scratch_request){.direction = direction,
					    .offset = first * SCRATCH_BLOCK,
					    .bytes = count * SCRATCH_BLOCK,
					    .memory = memory};
	scratch_file_add(file, request);
}

/* Each reading begins while a writing of the same blocks, and others, may still be on their way. */
static void test_reading_sees_what_was_written_before(void **state)
{
	struct scratch_file *file = open_here(".");
	struct scratch_request writes[REQUESTS], reads[REQUESTS];
	char *memory = aligned_alloc(SCRATCH_BLOCK, 2 * REQUESTS * 4 * SCRATCH_BLOCK);
	unsigned seed = 1;

	(void)state;
	assert_non_null(memory);
	assert_int_equal(scratch_file_reserve(file, BLOCKS * 4 * SCRATCH_BLOCK), SONDE_OK);
	for (int round = 0; round < ROUNDS; ++round) {
		const int n = round % REQUESTS;
		char *written = memory + (size_t)(2 * n) * 4 * SCRATCH_BLOCK, *got = written + 4 * SCRATCH_BLOCK;
		if (round >= REQUESTS) {
			assert_int_equal(scratch_file_wait(file, &writes[n]), SONDE_OK);
			assert_int_equal(scratch_file_wait(file, &reads[n]), SONDE_OK);
			assert_memory_equal(written, got, reads[n].bytes);
		}
		/* places of the requests that are on their way do not overlap, except for a pair's */
		const unsigned first = 10 * (unsigned)n, count = 1 + next_number(&seed) % 4;
		fill(written, count * SCRATCH_BLOCK, round);
		begin(file, &writes[n], SCRATCH_WRITE, first, count, written);
		begin(file, &reads[n], SCRATCH_READ, first, count, got);
	}
	scratch_file_forget(file);
	scratch_file_close(&file);
	assert_null(file);
	free(memory);
}

static void test_it_has_no_name(void **state)
{
	const char *const name = "scratch-of-test";

	(void)state;
	struct scratch_file *file = open_here(name);
	assert_int_not_equal(access(name, F_OK), 0);
	scratch_file_close(&file);

	FILE *other = fopen(name, "w");
	assert_non_null(other);
	fclose(other);
	assert_int_equal(scratch_file_open(name, &file), SONDE_INVALID);
	assert_null(file);
	assert_non_null(strstr(sonde_status_message(), "exists"));
	assert_int_equal(unlink(name), 0);
}

static void test_space_is_reserved_or_refused(void **state)
{
	struct scratch_file *file = open_here(".");
	struct rlimit before, least;
	char *memory = aligned_alloc(SCRATCH_BLOCK, SCRATCH_BLOCK);

	(void)state;
	assert_non_null(memory);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(scratch_file_reserve(file, 4 * SCRATCH_BLOCK), SONDE_OK);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	least = before;
	least.rlim_cur = 4 * SCRATCH_BLOCK;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &least), 0);
	assert_int_equal(scratch_file_reserve(file, 2000000), SONDE_RESOURCE);
	assert_non_null(strstr(sonde_status_message(), "needs 0.002 GB"));
	memset(memory, 1, SCRATCH_BLOCK);
	assert_int_equal(scratch_file_move(file, SCRATCH_WRITE, 8 * SCRATCH_BLOCK, memory, SCRATCH_BLOCK),
			 SONDE_RESOURCE);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	/* what was reserved, except for the first block, which a trial wrote, is 0 */
	assert_int_equal(scratch_file_move(file, SCRATCH_READ, SCRATCH_BLOCK, memory, SCRATCH_BLOCK), SONDE_OK);
	for (size_t k = 0; k < SCRATCH_BLOCK; ++k)
		assert_int_equal(memory[k], 0);
	scratch_file_close(&file);
	free(memory);
}

static void test_speed_is_measured(void **state)
{
	double rate = 0.0;

	(void)state;
	assert_int_equal(scratch_file_measure(".", 1.0, 0.01, &rate), SONDE_OK);
	assert_true(rate > 1e4 && rate < 1e12);
	assert_true(scratch_file_free_bytes(".") > 0.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_reading_sees_what_was_written_before), cmocka_unit_test(test_it_has_no_name),
	    cmocka_unit_test(test_space_is_reserved_or_refused), cmocka_unit_test(test_speed_is_measured)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
