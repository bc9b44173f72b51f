/* HDF5 files: written data are read back. Damaged files: test_hdf5_damage.c. */
#include "unit/io/hdf5_example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/text.h"

static void assert_text(struct hdf5_reader *reader, const char *path, const char *expected)
{
	char *text;

	assert_status(SONDE_OK, hdf5_reader_text(reader, path, &text));
	assert_string_equal(text, expected);
	free(text);
}

static sonde_status list(void *user, const char *name)
{
	strcat(strcat(user, name), " ");
	return SONDE_OK;
}

static sonde_status stop_at_once(void *user, const char *name)
{
	++*(int *)user;
	return status_fail(SONDE_CANCELLED, "stopped at %s", name);
}

static void test_written_data_are_read_back(void **unused)
{
	const char *path = test_path("round.h5");
	struct hdf5_reader *reader;
	const double one = 0.1;
	char names[100] = "";
	int visited = 0;

	(void)unused;
	assert_status(SONDE_OK, write_file(path, false));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	assert_reals(reader, "/entry/data/table", values, ROWS * COLUMNS);
	assert_reals(reader, "/entry/data/curve", values, COLUMNS);
	assert_reals(reader, "/entry/data/one", &one, 1);
	assert_text(reader, "/entry/title", "<f\xc2\xb2> and more");
	assert_text(reader, "/entry/empty", "");
	assert_status(SONDE_OK, hdf5_reader_members(reader, "/entry/data", list, names));
	assert_string_equal(names, "curve integer integers one table ");
	assert_status(SONDE_CANCELLED, hdf5_reader_members(reader, "/entry/data", stop_at_once, &visited));
	assert_int_equal(visited, 1);
	assert_string_equal(sonde_status_message(), "stopped at curve");
	hdf5_reader_close(&reader);
	assert_null(reader);
	hdf5_reader_close(&reader);
}

static void test_what_is_there(void **unused)
{
	static const char *const there[] = {"/", "/entry", "/entry/data", "/entry/data/table", "/entry/title"};
	static const char *const absent[] = {"/nothing",           "/entry/nothing",          "/entry/nothing/below",
					     "/entry/title/below", "/entry/data/table/below", "/nothing/at/all/here"};
	const char *path = test_path("there.h5");
	struct hdf5_reader *reader;
	char *text, names[10] = "", longest[1000];
	double *reals;
	int64_t count;

	(void)unused;
	assert_status(SONDE_OK, write_file(path, true));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	for (size_t k = 0; k < COUNT(there); ++k)
		assert_true(hdf5_reader_has(reader, there[k]));
	memset(longest, 'x', sizeof longest);
	longest[0] = '/';
	longest[sizeof longest - 1] = '\0';
	assert_false(hdf5_reader_has(reader, longest));
	for (size_t k = 0; k < COUNT(absent); ++k) {
		assert_false(hdf5_reader_has(reader, absent[k]));
		assert_invalid("there.h5: no readable text at", hdf5_reader_text(reader, absent[k], &text));
		assert_null(text);
		assert_invalid("there.h5: no readable numbers at",
			       hdf5_reader_reals(reader, absent[k], &reals, &count));
		assert_null(reals);
		assert_invalid("there.h5: no readable group at", hdf5_reader_members(reader, absent[k], list, names));
	}
	/* there, but of another kind */
	assert_invalid("no readable text", hdf5_reader_text(reader, "/entry/data/one", &text));
	assert_invalid("no readable text", hdf5_reader_text(reader, "/entry/data", &text));
	assert_invalid("no readable text", hdf5_reader_text(reader, "/entry/names", &text));
	assert_invalid("no readable numbers", hdf5_reader_reals(reader, "/entry/title", &reals, &count));
	assert_invalid("no readable numbers", hdf5_reader_reals(reader, "/entry/data", &reals, &count));
	assert_invalid("no readable group", hdf5_reader_members(reader, "/entry/title", list, names));
	hdf5_reader_close(&reader);
}

static void assert_attribute(hid_t file, const char *path, const char *name, const char *expected)
{
	char text[64] = "";
	hid_t attribute = H5Aopen_by_name(file, path, name, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(attribute >= 0);
	hid_t type = H5Aget_type(attribute);
	assert_true(H5Tget_class(type) == H5T_STRING && H5Tget_size(type) < sizeof text);
	assert_int_equal(H5Tget_strpad(type), H5T_STR_NULLPAD); /* the length has no room for a zero */
	assert_true(H5Aread(attribute, type, text) >= 0);
	assert_string_equal(text, expected);
	H5Tclose(type);
	H5Aclose(attribute);
}

/* Contents as other programs see them, by the HDF5 library itself. */
static void test_attributes_and_shapes(void **unused)
{
	const char *path = test_path("plain.h5");
	hsize_t sizes[2];
	int64_t integers[3];
	char names[8], *axes[2];

	(void)unused;
	assert_status(SONDE_OK, write_file(path, true));
	hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	assert_true(file >= 0);
	assert_attribute(file, "/", "NX_class", "NXroot");
	assert_attribute(file, "/entry/data", "NX_class", "NXdata");
	assert_attribute(file, "/entry", "default", "data");
	assert_attribute(file, "/entry/data/table", "units", "1/angstrom");
	assert_attribute(file, "/entry/data/table", "long_name", "a table");
	assert_attribute(file, "/entry/data/one", "units", "s");
	assert_true(H5Aexists_by_name(file, "/entry/data/curve", "units", H5P_DEFAULT) == 0);
	hid_t table = H5Dopen2(file, "/entry/data/table", H5P_DEFAULT), space = H5Dget_space(table);
	assert_int_equal(H5Sget_simple_extent_dims(space, sizes, NULL), 2);
	assert_true(sizes[0] == ROWS && sizes[1] == COLUMNS);
	H5Sclose(space);
	H5Dclose(table);
	hid_t whole = H5Dopen2(file, "/entry/data/integers", H5P_DEFAULT);
	assert_true(H5Dread(whole, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, integers) >= 0);
	assert_true(integers[0] == 1 && integers[1] == -2 && integers[2] == INT64_MAX);
	H5Dclose(whole);
	hid_t texts = H5Dopen2(file, "/entry/names", H5P_DEFAULT), type = H5Dget_type(texts);
	assert_int_equal(H5Tget_size(type), 4);
	assert_true(H5Dread(texts, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0);
	assert_memory_equal(names, "Co\0\0O2-\0", 8);
	H5Tclose(type);
	H5Dclose(texts);
	hid_t attribute = H5Aopen_by_name(file, "/entry/data", "axes", H5P_DEFAULT, H5P_DEFAULT);
	type = H5Aget_type(attribute);
	space = H5Aget_space(attribute);
	assert_true(H5Aread(attribute, type, axes) >= 0);
	assert_string_equal(axes[0], "q");
	assert_string_equal(axes[1], "pair");
	H5Dvlen_reclaim(type, space, H5P_DEFAULT, axes);
	H5Sclose(space);
	H5Tclose(type);
	H5Aclose(attribute);
	H5Fclose(file);
}

static void test_existing_files_are_kept(void **unused)
{
	const char *path = test_write_text("existing.h5", "precious");
	struct hdf5_reader *reader;

	(void)unused;
	assert_invalid("exists already", write_file(path, false));
	char *bytes = test_read(path, NULL);
	assert_string_equal(bytes, "precious");
	free(bytes);
	assert_status(SONDE_OK, write_file(path, true));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	hdf5_reader_close(&reader);
	assert_invalid("does not exist", write_file(test_path("absent/file.h5"), true));
}

/* The first failure is remembered, and no file appears. */
static void test_failures_are_remembered(void **unused)
{
	struct hdf5_writer *writer;
	const char *path = test_path("failed.h5");
	double number = 1;
	int64_t one = 1;
	int entries = test_folder_entries();

	(void)unused;
	for (int kind = 0; kind < 4; ++kind) {
		assert_status(SONDE_OK, hdf5_writer_create(&writer));
		hdf5_writer_real(writer, "/fine", 1.0, NULL);
		if (kind == 0)
			hdf5_writer_group(writer, "/no/parent", "NXdata");
		if (kind == 1)
			hdf5_writer_reals(writer, "/no/parent", &number, &one, 1, NULL, NULL);
		if (kind == 2)
			hdf5_writer_real(writer, "/fine", 2.0, NULL);
		if (kind == 3)
			hdf5_writer_text_attribute(writer, "/nothing", "name", "text");
		hdf5_writer_text(writer, "/later", "fine again");
		assert_status(SONDE_RESOURCE, hdf5_writer_finish(&writer, path, true));
		assert_null(writer);
		assert_int_equal(test_folder_entries(), entries);
	}
}

/* Large arrays may be compressed: the same numbers in less room. */
static void test_compression_preserves_the_numbers(void **unused)
{
	enum { SLICES = 70, SIZE = 61 };
	const int64_t sizes[] = {SLICES, SIZE, SIZE}, count = SLICES * SIZE * SIZE;
	struct hdf5_writer *writer;
	struct hdf5_reader *reader;
	double *reals;
	int64_t *integers, *read, read_count;
	size_t size[2];

	(void)unused;
	assert_status(SONDE_OK, memory_allocate(&reals, (size_t)count, sizeof *reals, "numbers"));
	assert_status(SONDE_OK, memory_allocate(&integers, (size_t)count, sizeof *integers, "numbers"));
	for (int64_t k = 0; k < count; k += 7 + k % 13) {
		reals[k] = 1.0 / (double)(k + 1);
		integers[k] = k % 3 == 0 ? -k * k : k;
	}
	for (int compressed = 0; compressed < 2; ++compressed) {
		assert_status(SONDE_OK, hdf5_writer_create(&writer));
		if (compressed != 0)
			hdf5_writer_compress(writer, 4);
		hdf5_writer_reals(writer, "/reals", reals, sizes, 3, "m", NULL);
		hdf5_writer_integers(writer, "/integers", integers, count);
		assert_status(SONDE_OK, hdf5_writer_finish(&writer, test_path("numbers.h5"), true));
		free(test_read(test_path("numbers.h5"), &size[compressed]));
		assert_status(SONDE_OK, hdf5_reader_open(&reader, test_path("numbers.h5")));
		assert_reals(reader, "/reals", reals, count);
		assert_status(SONDE_OK, hdf5_reader_integers(reader, "/integers", &read, &read_count));
		assert_true(read_count == count);
		assert_memory_equal(read, integers, (size_t)count * sizeof *read);
		free(read);
		hdf5_reader_close(&reader);
	}
	assert_true(size[0] > 16 * (size_t)count && size[1] < size[0] / 4);
	free(reals);
	free(integers);
}

/* Numbers of 4 bytes are read as the numbers of 8 bytes that they are; complex ones have sizes, and what h5py takes for them. */
static void test_singles_and_complexes(void **unused)
{
	enum { COUNT_OF = 5000 };
	const int64_t sizes[] = {50, 100};
	static double real[COUNT_OF], imaginary[COUNT_OF], rounded[COUNT_OF];
	static struct {
		float r, i;
	} single[COUNT_OF];
	static struct {
		double r, i;
	} whole[COUNT_OF];
	struct hdf5_writer *writer;
	struct hdf5_reader *reader;
	int64_t found[2];
	int rank;

	(void)unused;
	for (int n = 0; n < COUNT_OF; ++n) {
		real[n] = sin(n) * pow(10, n % 30 - 15);
		imaginary[n] = cos(3 * n);
		rounded[n] = (double)(float)real[n];
	}
	real[7] = rounded[7] = INFINITY;
	assert_status(SONDE_OK, hdf5_writer_create(&writer));
	hdf5_writer_singles(writer, "/single", real, sizes, 2, "V/m", "field");
	hdf5_writer_complexes(writer, "/narrow", real, imaginary, true, sizes, 2, "V/m", NULL);
	hdf5_writer_complexes(writer, "/wide", real, imaginary, false, sizes, 2, NULL, NULL);
	assert_status(SONDE_OK, hdf5_writer_finish(&writer, test_path("fields.h5"), true));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, test_path("fields.h5")));
	assert_reals(reader, "/single", rounded, COUNT_OF);
	for (int k = 0; k < 2; ++k) {
		assert_status(SONDE_OK, hdf5_reader_sizes(reader, k == 0 ? "/narrow" : "/wide", 2, found, &rank));
		assert_true(rank == 2 && found[0] == 50 && found[1] == 100);
	}
	static double parts[2][COUNT_OF];
	const int64_t turned[] = {100, 50};
	for (int k = 0; k < 2; ++k) {
		const char *name = k == 0 ? "/narrow" : "/wide";
		assert_status(SONDE_OK, hdf5_reader_complexes(reader, name, sizes, 2, parts[0], parts[1]));
		for (int n = 0; n < COUNT_OF; ++n) {
			assert_true(parts[0][n] == (k == 0 ? rounded[n] : real[n]));
			assert_true(parts[1][n] == (k == 0 ? (double)(float)imaginary[n] : imaginary[n]));
		}
		assert_invalid("complex numbers", hdf5_reader_complexes(reader, name, turned, 2, parts[0], parts[1]));
		assert_invalid("complex numbers", hdf5_reader_complexes(reader, name, sizes, 1, parts[0], parts[1]));
	}
	assert_invalid("complex numbers", hdf5_reader_complexes(reader, "/single", sizes, 2, parts[0], parts[1]));
	assert_invalid("/none", hdf5_reader_complexes(reader, "/none", sizes, 2, parts[0], parts[1]));
	hdf5_reader_close(&reader);
	hid_t file = H5Fopen(test_path("fields.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
	for (int k = 0; k < 2; ++k) {
		const size_t size = k == 0 ? sizeof(float) : sizeof(double);
		const hid_t number = k == 0 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
		hid_t set = H5Dopen2(file, k == 0 ? "/narrow" : "/wide", H5P_DEFAULT), type = H5Dget_type(set);
		assert_int_equal(H5Tget_size(type), 2 * size);
		assert_true(H5Tget_member_index(type, "r") == 0 && H5Tget_member_index(type, "i") == 1);
		hid_t member = H5Tget_member_type(type, 0);
		assert_true(H5Tequal(member, number) > 0);
		H5Tclose(member);
		assert_true(
		    H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, k == 0 ? (void *)single : (void *)whole) >= 0);
		H5Tclose(type);
		H5Dclose(set);
	}
	H5Fclose(file);
	for (int n = 0; n < COUNT_OF; ++n) {
		assert_true(single[n].r == (float)real[n] && single[n].i == (float)imaginary[n]);
		assert_true(whole[n].r == real[n] && whole[n].i == imaginary[n]);
	}
}

/* Numbers of which it is known how many there must be. */
static void test_numbers_of_a_known_count_are_read(void **unused)
{
	const char *path = test_path("exact.h5");
	const int64_t sizes[2] = {ROWS, COLUMNS}, turned[2] = {COLUMNS, ROWS}, all = ROWS * COLUMNS, one = 1;
	struct hdf5_reader *reader;
	static double reals[ROWS * COLUMNS];
	int64_t integers[3];

	(void)unused;
	assert_status(SONDE_OK, write_file(path, true));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	assert_status(SONDE_OK, hdf5_reader_exact_reals(reader, "/entry/data/table", sizes, 2, reals));
	assert_memory_equal(reals, values, sizeof values);
	assert_status(SONDE_OK, hdf5_reader_exact_reals(reader, "/entry/data/one", &one, 1, reals));
	assert_status(SONDE_OK, hdf5_reader_exact_integers(reader, "/entry/data/integers", 3, integers));
	assert_true(integers[0] == 1 && integers[1] == -2 && integers[2] == INT64_MAX);
	assert_invalid(
	    "/entry/data/table has 3000 numbers, or ones of another type or arrangement, and not 3000 reals",
	    hdf5_reader_exact_reals(reader, "/entry/data/table", turned, 2, reals));
	assert_invalid("another type or arrangement",
		       hdf5_reader_exact_reals(reader, "/entry/data/table", &all, 1, reals));
	assert_invalid(
	    "/entry/data/integers has 3 numbers, or ones of another type or arrangement, and not 2 integers",
	    hdf5_reader_exact_integers(reader, "/entry/data/integers", 2, integers));
	assert_invalid("no integers at /entry/data/one",
		       hdf5_reader_exact_integers(reader, "/entry/data/one", 1, integers));
	assert_invalid("no reals at /entry/data/integer",
		       hdf5_reader_exact_reals(reader, "/entry/data/integer", &one, 1, reals));
	assert_invalid("no reals at /entry/nothing",
		       hdf5_reader_exact_reals(reader, "/entry/nothing", &one, 1, reals));
	hdf5_reader_close(&reader);
}

#define MANY 1200000 /* numbers, more than those of an array that is written by threads */

/* Files with large arrays have the checksums and numbers of those in memory. */
static void test_large_arrays_are_written_by_threads(void **unused)
{
	const char *path = test_path("large.h5");
	const int64_t sizes[2] = {MANY / 400, 400}, few = 3;
	double *numbers, *others, *back;
	int64_t *integers, *back_integers, count, left_out;

	(void)unused;
	assert_status(SONDE_OK, memory_allocate(&numbers, MANY, sizeof *numbers, "numbers"));
	assert_status(SONDE_OK, memory_allocate(&others, MANY, sizeof *others, "numbers"));
	assert_status(SONDE_OK, memory_allocate(&integers, MANY, sizeof *integers, "numbers"));
	for (int n = 0; n < MANY; ++n) {
		numbers[n] = sin(n);
		others[n] = cos(n);
		integers[n] = (int64_t)n * n - 7;
	}
	for (int threads = 0; threads <= 3; ++threads) {
		struct hdf5_writer *writer;
		struct hdf5_reader *reader;
		assert_status(SONDE_OK, threads == 0 ? hdf5_writer_create(&writer)
						     : hdf5_writer_create_large(&writer, threads, path, threads > 1));
		hdf5_writer_group(writer, "/a", "NXdata");
		hdf5_writer_reals(writer, "/a/x", numbers, sizes, 2, "m", "numbers");
		hdf5_writer_reals(writer, "/a/few", numbers, &few, 1, NULL, NULL);
		hdf5_writer_complexes(writer, "/a/z", numbers, others, false, sizes, 2, NULL, NULL);
		hdf5_writer_integer_array(writer, "/a/n", integers, sizes, 2, NULL);
		assert_status(SONDE_OK,
			      hdf5_writer_finish(&writer, threads == 0 ? test_path("small.h5") : path, threads != 1));
		assert_null(writer);
		assert_status(SONDE_OK, hdf5_reader_open(&reader, threads == 0 ? test_path("small.h5") : path));
		assert_true(hdf5_reader_is_sealed(reader));
		assert_status(SONDE_OK, hdf5_reader_check(reader, UINT64_MAX, &left_out));
		assert_int_equal(left_out, 0);
		assert_status(SONDE_OK, hdf5_reader_reals(reader, "/a/x", &back, &count));
		assert_int_equal(count, MANY);
		assert_memory_equal(back, numbers, MANY * sizeof *back);
		free(back);
		assert_reals(reader, "/a/few", numbers, few);
		assert_status(SONDE_OK, hdf5_reader_integers(reader, "/a/n", &back_integers, &count));
		assert_memory_equal(back_integers, integers, MANY * sizeof *integers);
		free(back_integers);
		assert_status(SONDE_OK, memory_allocate(&back, 2 * MANY, sizeof *back, "numbers"));
		assert_status(SONDE_OK, hdf5_reader_complexes(reader, "/a/z", sizes, 2, back, back + MANY));
		assert_memory_equal(back, numbers, MANY * sizeof *back);
		assert_memory_equal(back + MANY, others, MANY * sizeof *back);
		free(back);
		hdf5_reader_close(&reader);
	}
	free(numbers);
	free(others);
	free(integers);
}

/* An existing file is kept, and nothing is left of one that was not finished. */
static void test_large_files_are_complete_or_absent(void **unused)
{
	const char *path = test_path("kept.h5");
	struct hdf5_writer *writer;

	(void)unused;
	assert_status(SONDE_OK, hdf5_writer_create_large(&writer, 2, path, false));
	hdf5_writer_discard(&writer);
	assert_null(writer);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_status(SONDE_OK, write_file(path, false));
	assert_status(SONDE_INVALID, hdf5_writer_create_large(&writer, 2, path, false));
	assert_null(writer);
	assert_int_equal(access(path, F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(test_written_data_are_read_back, check_all_closed),
	    cmocka_unit_test_teardown(test_what_is_there, check_all_closed),
	    cmocka_unit_test_teardown(test_attributes_and_shapes, check_all_closed),
	    cmocka_unit_test_teardown(test_existing_files_are_kept, check_all_closed),
	    cmocka_unit_test_teardown(test_failures_are_remembered, check_all_closed),
	    cmocka_unit_test_teardown(test_numbers_of_a_known_count_are_read, check_all_closed),
	    cmocka_unit_test_teardown(test_compression_preserves_the_numbers, check_all_closed),
	    cmocka_unit_test_teardown(test_singles_and_complexes, check_all_closed),
	    cmocka_unit_test_teardown(test_large_arrays_are_written_by_threads, check_all_closed),
	    cmocka_unit_test_teardown(test_large_files_are_complete_or_absent, check_all_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
