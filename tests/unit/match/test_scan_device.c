/* Scans of a library on every device, and reading by many threads: the numbers of the CPU, bit by bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/support.h"
#include "base/options.h"
#include "base/threads.h"
#include "io/containers/hdf5_places.h"
#include "io/containers/hdf5_rows.h"
#include "match/option_table.h"
#include "match/ranking.h"

#define POINTS 203
#define CANDIDATES 3000 /* more than a chunk of the file */

static char library_path[512], same_path[512], other_path[512];

static double axis_at(int k)
{
	return 0.5 + 0.05 * k;
}

static void write_files(void)
{
	struct library_head head = {.physics = (char *)"", .q_count = POINTS};
	struct library_writer *writer;
	double axis[POINTS], curve[POINTS];
	uint64_t state = 5;

	snprintf(library_path, sizeof library_path, "%s", test_path("library.h5"));
	snprintf(same_path, sizeof same_path, "%s", test_path("same.xy"));
	snprintf(other_path, sizeof other_path, "%s", test_path("other.xy"));
	for (int k = 0; k < POINTS; ++k)
		axis[k] = axis_at(k);
	head.q = axis;
	head.has[LIBRARY_I_PER_ATOM] = true;
	assert_status(SONDE_OK, library_create(library_path, true, &head, &writer));
	for (int n = 0; n < CANDIDATES; ++n) {
		char key[LIBRARY_KEY + 1];
		snprintf(key, sizeof key, "%064x", (unsigned)n);
		for (int k = 0; k < POINTS; ++k)
			curve[k] = n % 100 == 7 ? 3.0 : 10.0 + test_random_real(&state) + 3.0 * cos(0.1 * k + n);
		struct library_candidate candidate = {.name = "a", .key = key, .atoms = 1, .size = NAN};
		candidate.curves[LIBRARY_I_PER_ATOM] = curve;
		assert_status(SONDE_OK, library_add(writer, &candidate));
	}
	assert_status(SONDE_OK, library_writer_finish(&writer));
	FILE *same = fopen(same_path, "w"), *other = fopen(other_path, "w");
	assert_true(same != NULL && other != NULL);
	for (int k = 3; k < POINTS - 3; ++k) {
		fprintf(same, "%.17g %.9g %.3g\n", axis[k], 20.0 + cos(0.1 * k + 2.0), 0.5 + 0.001 * k);
		fprintf(other, "%.17g %.9g %.3g\n", axis[k] + 0.0123, 20.0 + cos(0.1 * k + 2.0), 0.5 + 0.001 * k);
	}
	fclose(same);
	fclose(other);
}

/* Twice: curves may be in the memory of the device the second time. */
static sonde_status rank(const char *device, const char *measured, struct ranked *found)
{
	const char *library = library_path;
	sonde_match_options options;
	struct data_set set;
	struct common common;
	sonde_context *context;
	sonde_status status = SONDE_OK;

	options_set_defaults(&match_option_table, &options);
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_threads(context, 3));
	assert_status(SONDE_OK, sonde_context_set_device(context, device));
	assert_status(SONDE_OK, data_set_make(measured, &library, 1, &options, &set));
	assert_status(SONDE_OK, common_make(&set, 1, &common));
	for (int time = 0; time < 2 && status == SONDE_OK; ++time) {
		struct ranked *ranking = NULL;
		status = ranking_make(context, &common, &ranking);
		if (status == SONDE_OK && time == 1)
			assert_memory_equal(ranking, found, CANDIDATES * sizeof *found);
		if (status == SONDE_OK)
			memcpy(found, ranking, CANDIDATES * sizeof *found);
		free(ranking);
	}
	common_free(&common);
	data_set_free(&set);
	sonde_context_free(&context);
	return status;
}

static void test_ranking_is_the_same_on_every_device(void **unused)
{
	static const char *const devices[] = {"emulated", "opencl:0", "cuda:0"};
	static struct ranked wanted[CANDIDATES], found[CANDIDATES];
	const char *const files[] = {same_path, other_path};

	(void)unused;
	for (int f = 0; f < 2; ++f) {
		assert_status(SONDE_OK, rank("cpu", files[f], wanted));
		assert_true(wanted[0].chi_square < wanted[1].chi_square);
		for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
			if (rank(devices[d], files[f], found) != SONDE_OK) {
				print_message("%s: %s\n", devices[d], sonde_status_message());
				assert_true(d > 0);
				continue;
			}
			assert_memory_equal(found, wanted, sizeof wanted);
		}
	}
}

static void read_body(void *state, int64_t first, int64_t end, int worker)
{
	struct library *library = state;
	float rows[7 * POINTS], other[7 * POINTS];

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		const int64_t at = k * 131 % (CANDIDATES - 7);
		if (!hdf5_places_read(library->places[LIBRARY_I_PER_ATOM], at, 7, rows) ||
		    hdf5_reader_rows(library->reader, "/library/curves/I_per_atom", HDF5_ROW_SINGLE, POINTS, at, 7,
				     other) != SONDE_OK ||
		    memcmp(rows, other, sizeof rows) != 0)
			abort();
	}
}

static void test_threads_read_what_the_library_reads(void **unused)
{
	struct library library;
	float row[POINTS];

	(void)unused;
	assert_status(SONDE_OK, library_open(library_path, &library));
	assert_non_null(library.places[LIBRARY_I_PER_ATOM]);
	threads_for(3, 60, 1, read_body, &library);
	assert_false(hdf5_places_read(library.places[LIBRARY_I_PER_ATOM], CANDIDATES - 1, 2, row));
	library_close(&library);
}

static void test_changed_bytes_are_found(void **unused)
{
	const char *path = test_path("changed.h5");
	static char bytes[CANDIDATES * POINTS * 8];
	struct library library;
	float row[POINTS];
	FILE *file = fopen(library_path, "rb");

	(void)unused;
	const size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	assert_true(size > CANDIDATES * POINTS * sizeof(float) && size < sizeof bytes);
	assert_status(SONDE_OK, library_open(library_path, &library));
	assert_status(SONDE_OK, library_read_curves(&library, LIBRARY_I_PER_ATOM, 1000, 1, row));
	library_close(&library);
	char *place = memmem(bytes, size, row, sizeof row);
	assert_non_null(place);
	place[17] ^= 4;
	file = fopen(path, "wb");
	assert_true(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
	assert_status(SONDE_OK, library_open(path, &library));
	int refused = 0;
	for (int n = 0; n < CANDIDATES; n += 50) {
		const bool sound = hdf5_places_read(library.places[LIBRARY_I_PER_ATOM], n, 1, row);
		refused += !sound;
		assert_true((library_read_curves(&library, LIBRARY_I_PER_ATOM, n, 1, row) == SONDE_OK) == sound);
	}
	assert_true(refused > 0);
	library_close(&library);
}

/* As in the library's source: sums word by word. */
static void test_fletchers_sum(void **unused)
{
	uint8_t bytes[3001];
	uint64_t state = 3;

	(void)unused;
	for (int trial = 0; trial < 300; ++trial) {
		const size_t size = (size_t)(test_random(&state) % sizeof bytes);
		uint32_t first = 0, second = 0;
		for (size_t k = 0; k < size; ++k)
			bytes[k] = trial % 3 == 0 ? 0xff : trial % 3 == 1 ? 0 : (uint8_t)test_random(&state);
		for (size_t k = 0; k < size; k += 2) {
			first += (uint32_t)bytes[k] << 8 | (k + 1 < size ? bytes[k + 1] : 0);
			first = (first & 0xffff) + (first >> 16);
			second += first;
			second = (second & 0xffff) + (second >> 16);
		}
		assert_int_equal(hdf5_fletcher32(bytes, size), second << 16 | first);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranking_is_the_same_on_every_device),
					   cmocka_unit_test(test_threads_read_what_the_library_reads),
					   cmocka_unit_test(test_changed_bytes_are_found),
					   cmocka_unit_test(test_fletchers_sum)};

	write_files();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
