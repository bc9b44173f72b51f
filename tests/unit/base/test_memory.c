/* Allocation, and the consequences of its failure everywhere. */
#include "unit/support.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/room.h"
#include "debye/debye.h"
#include "io/containers/hdf5.h"
#include "matter/atoms/atoms.h"
#include "unit/job_reader.h"

#define MOST 400 /* no function here allocates as often */

static sonde_context *context;

static void test_memory_is_zeroed_and_aligned(void **unused)
{
	static const size_t sizes[] = {0, 1, 7, 64, 1000, 1 << 20};

	(void)unused;
	for (size_t k = 0; k < COUNT(sizes); ++k) {
		unsigned char *bytes;
		assert_status(SONDE_OK, memory_allocate(&bytes, sizes[k], 3, "bytes"));
		assert_non_null(bytes);
		assert_true((uintptr_t)bytes % 64 == 0);
		for (size_t i = 0; i < 3 * sizes[k]; ++i)
			assert_int_equal(bytes[i], 0);
		memset(bytes, 0xa5, sizes[k] > 0 ? 3 * sizes[k] : 1);
		free(bytes);
	}
}

static void test_buffers_of_pages_are_zeroed_and_aligned(void **unused)
{
	static const size_t sizes[] = {0, 1, 1000, ((size_t)4 << 20) - 1, (size_t)4 << 20, ((size_t)9 << 20) + 7};

	(void)unused;
	for (int again = 0; again < 2; ++again)
		for (size_t k = 0; k < COUNT(sizes); ++k) {
			unsigned char *bytes;
			size_t dirty = 0;
			assert_status(SONDE_OK, memory_allocate_pages(&bytes, sizes[k], "bytes"));
			assert_true(bytes != NULL && (uintptr_t)bytes % (k < 4 ? 64 : 4096) == 0);
			for (size_t i = 0; i < sizes[k]; ++i)
				dirty += bytes[i] != 0;
			assert_int_equal(dirty, 0);
			memset(bytes, 0xa5, sizes[k]);
			memory_release_pages(bytes);
		}
	void *memory = &memory;
	assert_status(SONDE_RESOURCE, memory_allocate_pages(&memory, SIZE_MAX - 9, "the moon"));
	assert_message("not enough memory for the moon");
	assert_null(memory);
	memory_fail_after(1);
	assert_status(SONDE_RESOURCE, memory_allocate_pages(&memory, (size_t)5 << 20, "the moon"));
	memory_release_pages(NULL);
}

static void test_sizes_that_cannot_be(void **unused)
{
	static const size_t wrong[][2] = {
	    {SIZE_MAX, 2}, {SIZE_MAX / 8 + 2, 8}, {PTRDIFF_MAX, 2}, {(size_t)1 << 62, 1}, {SIZE_MAX, SIZE_MAX}};
	size_t capacity = 0;

	(void)unused;
	for (size_t k = 0; k < COUNT(wrong); ++k) {
		void *memory = &capacity, *grown = NULL;
		assert_status(SONDE_RESOURCE, memory_allocate(&memory, wrong[k][0], wrong[k][1], "the moon"));
		assert_message("not enough memory for the moon");
		assert_null(memory);
		assert_status(SONDE_RESOURCE, memory_grow(&grown, &capacity, wrong[k][0], wrong[k][1], "the moon"));
		assert_null(grown);
		assert_int_equal(capacity, 0);
	}
}

static void test_arrays_grow_by_at_least_half(void **unused)
{
	int *numbers = NULL;
	size_t capacity = 0, before;
	int moves = 0;

	(void)unused;
	for (int k = 0; k < 100000; ++k) {
		before = capacity;
		assert_status(SONDE_OK, memory_grow(&numbers, &capacity, (size_t)k + 1, sizeof *numbers, "numbers"));
		moves += capacity != before;
		assert_true(capacity > (size_t)k);
		numbers[k] = k;
	}
	assert_true(moves < 30); /* by half at least */
	before = capacity;
	memory_fail_after(1);
	sonde_status status = memory_grow(&numbers, &capacity, capacity + 1, sizeof *numbers, "numbers");
	memory_fail_after(0);
	assert_status(SONDE_RESOURCE, status);
	assert_true(capacity == before);
	for (int k = 0; k < 100000; ++k)
		assert_int_equal(numbers[k], k);
	free(numbers);
}

/* Of arrays that are filled again; after a failure there is none. */
static void test_room_is_made_anew(void **unused)
{
	double *numbers = NULL;
	size_t capacity = 0;

	(void)unused;
	assert_status(SONDE_OK, room_make(&numbers, &capacity, 100, sizeof *numbers, "numbers"));
	assert_int_equal(100, capacity);
	numbers[99] = 1.0;
	const double *before = numbers;
	assert_status(SONDE_OK, room_make(&numbers, &capacity, 50, sizeof *numbers, "numbers"));
	assert_ptr_equal(before, numbers);
	assert_status(SONDE_OK, room_make(&numbers, &capacity, 101, sizeof *numbers, "numbers"));
	assert_int_equal(150, capacity);
	numbers[149] = 1.0;
	memory_fail_after(1);
	const sonde_status status = room_make(&numbers, &capacity, 151, sizeof *numbers, "numbers");
	memory_fail_after(0);
	assert_status(SONDE_RESOURCE, status);
	assert_null(numbers);
	assert_int_equal(0, capacity);
}

static void *allocate_elsewhere(void *user)
{
	void *memory;

	*(sonde_status *)user = memory_allocate(&memory, 1, 1, "a byte");
	free(memory);
	return NULL;
}

static void test_failing_on_purpose(void **unused)
{
	sonde_status status[5], elsewhere = SONDE_INTERNAL;
	void *memory[5];
	pthread_t thread;

	(void)unused;
	memory_fail_after(3);
	assert_int_equal(pthread_create(&thread, NULL, allocate_elsewhere, &elsewhere), 0);
	pthread_join(thread, NULL);
	for (int k = 0; k < 5; ++k)
		status[k] = memory_allocate(&memory[k], 1, 1, "a byte");
	for (int k = 0; k < 5; ++k) {
		assert_int_equal(status[k], k == 2 ? SONDE_RESOURCE : SONDE_OK);
		free(memory[k]);
	}
	assert_int_equal(elsewhere, SONDE_OK); /* other threads do not fail */
	memory_fail_after(1);
	memory_fail_after(0);
	assert_status(SONDE_OK, memory_allocate(&memory[0], 1, 1, "a byte"));
	free(memory[0]);
}

static void test_memory_of_the_machine_is_consistent(void **unused)
{
	(void)unused;
	assert_true(memory_installed() > (uint64_t)64 << 20);
	assert_true(memory_available() > (uint64_t)16 << 20);
	assert_true(memory_available() <= memory_installed());
	assert_true(memory_peak() > (uint64_t)1 << 20 && memory_peak() < memory_installed());
#if !defined(SONDE_SANITIZED)
	struct rlimit before, tight;
	getrlimit(RLIMIT_AS, &before);
	tight = before;
	tight.rlim_cur = (rlim_t)200 << 20;
	setrlimit(RLIMIT_AS, &tight);
	uint64_t available = memory_available();
	setrlimit(RLIMIT_AS, &before);
	assert_true(available <= (uint64_t)200 << 20);
#endif
}

/* Runs `step` with the first allocation failing, the second, and so on. A step that failed must report it; the step
 * checks everything else: its argument is the number, and it returns whether it succeeded. */
static void fail_each(bool (*step)(int n))
{
	int failures = 0, successes = 0;

	for (int n = 1; n <= MOST && successes < 20; ++n) {
		(void)status_fail(SONDE_OK, "nothing was said");
		if (step(n)) {
			++successes;
		} else {
			++failures;
			assert_string_not_equal(sonde_status_message(), "nothing was said");
		}
	}
	assert_true(failures > 0);
	assert_int_equal(successes, 20); /* else MOST is too small */
}

#define FAILING(n, status, call)                                    \
	do {                                                        \
		memory_fail_after(n);                               \
		(status) = (call);                                  \
		memory_fail_after(0);                               \
		if ((status) != SONDE_OK)                           \
			assert_int_equal((status), SONDE_RESOURCE); \
	} while (0)

static bool read_step(int n)
{
	sonde_atoms *atoms = (sonde_atoms *)&n;
	sonde_status status;

	FAILING(n, status, sonde_atoms_read(NULL, TEST_DATA "/Au_fcc_1k.xyz", 0, &atoms));
	if (status != SONDE_OK) {
		assert_null(atoms);
		return false;
	}
	assert_true(sonde_atoms_count(atoms) == 959);
	assert_string_equal(atoms->source.bytes, TEST_DATA "/Au_fcc_1k.xyz");
	assert_int_equal(strlen(atoms->sha256), 64);
	sonde_atoms_free(&atoms);
	return true;
}

static void test_reading_atoms_survives_failing_allocations(void **unused)
{
	(void)unused;
	fail_each(read_step);
}

static sonde_atoms *sample(void)
{
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_read(NULL, TEST_DATA "/Au_fcc_1k.xyz", 0, &atoms));
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "O", (double[3]){30, 0, 0}));
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "O", (double[3]){33, 0, 0}));
	return atoms;
}

static bool write_atoms_step(int n)
{
	static const char *const names[] = {"atoms.xyz", "atoms.xyz.gz", "atoms.h5", "atoms.pdb.gz"};
	const char *path = test_path(names[n % 4]);
	sonde_atoms *atoms = sample(), *back;
	sonde_status status;
	int entries = test_folder_entries();

	FAILING((n + 3) / 4, status, sonde_atoms_write(NULL, atoms, path, 0));
	if (status == SONDE_OK) {
		assert_status(SONDE_OK, sonde_atoms_read(NULL, path, 0, &back));
		assert_true(sonde_atoms_count(back) == 961);
		sonde_atoms_free(&back);
		remove(path);
	}
	assert_int_equal(test_folder_entries(), entries);
	sonde_atoms_free(&atoms);
	return status == SONDE_OK;
}

static void test_writing_atoms_survives_failing_allocations(void **unused)
{
	(void)unused;
	fail_each(write_atoms_step);
}

static bool build_step(int n)
{
	sonde_build_options options;
	sonde_atoms *atoms = (sonde_atoms *)&n;
	sonde_status status;

	sonde_build_options_init(&options);
	options.cell = SONDE_BUILD_CELL_PEROVSKITE;
	strcpy(options.species, "Sr,Ti,O");
	options.a = 3.905;
	options.sphere = 12.5;
	FAILING(n, status, sonde_build_run(context, &options, &atoms));
	if (status != SONDE_OK) {
		assert_null(atoms);
		return false;
	}
	assert_true(sonde_atoms_count(atoms) > 500);
	/* a success is a whole one: nothing is missing because its memory was */
	assert_string_equal(atoms->source.bytes,
			    "sonde build --cell perovskite --species Sr,Ti,O --a 3.905 --sphere 12.5");
	sonde_atoms_free(&atoms);
	return true;
}

static void test_building_survives_failing_allocations(void **unused)
{
	(void)unused;
	fail_each(build_step);
}

static int method;

static sonde_status run_debye(sonde_context *in, const sonde_atoms *atoms, sonde_debye_result **result)
{
	sonde_debye_options options;

	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.5, 10, 20};
	options.r = (sonde_grid){1, 10, 10};
	options.tolerance = 1e-3;
	options.method = method;
	return sonde_debye_run(in, atoms, &options, result);
}

static bool debye_step(int n)
{
	sonde_atoms *atoms = sample();
	sonde_debye_result *result = (sonde_debye_result *)atoms;
	sonde_context *fresh = NULL;
	sonde_status status;

	assert_status(SONDE_OK, sonde_context_create(&fresh));
	assert_status(SONDE_OK, sonde_context_set_threads(fresh, 1));
	FAILING(n, status, run_debye(fresh, atoms, &result));
	if (status != SONDE_OK)
		assert_null(result);
	else
		assert_true(result->q_count == 20 && result->intensity[19] > 0);
	sonde_debye_result_free(&result);
	sonde_context_free(&fresh);
	sonde_atoms_free(&atoms);
	return status == SONDE_OK;
}

static void test_debye_runs_survive_failing_allocations(void **unused)
{
	static const int methods[] = {SONDE_DEBYE_METHOD_EXACT, SONDE_DEBYE_METHOD_HISTOGRAM,
				      SONDE_DEBYE_METHOD_REFERENCE};

	(void)unused;
	for (size_t k = 0; k < COUNT(methods); ++k) {
		method = methods[k];
		fail_each(debye_step);
	}
}

static sonde_debye_result *pattern;

/* Parts of a result file that a lack of memory could silently omit. */
static void assert_whole_result(const char *path)
{
	static const char *const texts[][2] = {{"options/q", "0.5:10:20"}, {"options/method", "exact"},
					       {"options/r", "1:10:10"},   {"options/qdamp", "0"},
					       {"options/window", "none"}, {"options/radiation", "xray"}};
	struct hdf5_reader *reader;
	char name[100], *text;

	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	for (size_t k = 0; k < COUNT(texts); ++k) {
		strcat(strcpy(name, "/debye/process/"), texts[k][0]);
		assert_status(SONDE_OK, hdf5_reader_text(reader, name, &text));
		assert_string_equal(text, texts[k][1]);
		free(text);
	}
	assert_status(SONDE_OK, hdf5_reader_text(reader, "/debye/process/device", &text));
	assert_non_null(strstr(text, "threads"));
	free(text);
	hdf5_reader_close(&reader);
}

static bool write_result_step(int n)
{
	static const char *const names[] = {"result.h5", "result.csv"};
	const char *path = test_path(names[n % 2]);
	int entries = test_folder_entries();
	sonde_status status;

	FAILING((n + 1) / 2, status, sonde_debye_result_write(pattern, path, 0));
	if (status == SONDE_OK) {
		if (n % 2 == 0)
			assert_whole_result(path);
		remove(path);
	}
	assert_int_equal(test_folder_entries(), entries);
	return status == SONDE_OK;
}

static void test_writing_results_survives_failing_allocations(void **unused)
{
	sonde_atoms *atoms = sample();

	(void)unused;
	method = SONDE_DEBYE_METHOD_EXACT;
	assert_status(SONDE_OK, run_debye(context, atoms, &pattern));
	fail_each(write_result_step);
	sonde_debye_result_free(&pattern);
	sonde_atoms_free(&atoms);
}

static bool job_step(int n)
{
	sonde_status status;

	FAILING(n, status, read_job("frame: 7\nq: [1, 2, 3]\nbuild:\n  species: Co,O\n  a: 4.2614\n"));
	if (status == SONDE_OK)
		assert_true(job.top.frame == 7 && job.top.q.points == 3 && job.build.a == 4.2614);
	return status == SONDE_OK;
}

static void test_reading_jobs_survives_failing_allocations(void **unused)
{
	(void)unused;
	fail_each(job_step);
}

static int open_all(void **unused)
{
	(void)unused;
	return sonde_context_create(&context) != SONDE_OK;
}

static int close_all(void **unused)
{
	(void)unused;
	sonde_context_free(&context);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_memory_is_zeroed_and_aligned),
	    cmocka_unit_test(test_buffers_of_pages_are_zeroed_and_aligned),
	    cmocka_unit_test(test_sizes_that_cannot_be),
	    cmocka_unit_test(test_arrays_grow_by_at_least_half),
	    cmocka_unit_test(test_room_is_made_anew),
	    cmocka_unit_test(test_failing_on_purpose),
	    cmocka_unit_test(test_memory_of_the_machine_is_consistent),
	    cmocka_unit_test(test_reading_atoms_survives_failing_allocations),
	    cmocka_unit_test(test_writing_atoms_survives_failing_allocations),
	    cmocka_unit_test(test_building_survives_failing_allocations),
	    cmocka_unit_test(test_debye_runs_survive_failing_allocations),
	    cmocka_unit_test(test_writing_results_survives_failing_allocations),
	    cmocka_unit_test(test_reading_jobs_survives_failing_allocations),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
