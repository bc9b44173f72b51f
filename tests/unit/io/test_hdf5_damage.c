/* Damaged HDF5 files are refused, whatever bit is another one. */
#include "unit/io/hdf5_example.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/text.h"

static void assert_unreadable(const char *path, const char *words)
{
	struct hdf5_reader *reader = (struct hdf5_reader *)path;

	assert_invalid(words, hdf5_reader_open(&reader, path));
	assert_null(reader);
}

static void test_files_that_are_none(void **unused)
{
	(void)unused;
	assert_unreadable(test_path("absent.h5"), "absent.h5: cannot be read");
	assert_unreadable(test_write("empty.h5", "", 0), "is not an HDF5 file, or is damaged");
	assert_unreadable(test_write_text("text.h5", "1\n\nCo 1 2 3\n"), "is not an HDF5 file, or is damaged");
	assert_unreadable(test_write("signature.h5", "\x89HDF\r\n\x1a\n", 8), "is not an HDF5 file, or is damaged");
	assert_unreadable(test_folder(), "");
}

static void test_truncated_files_are_refused(void **unused)
{
	const char *path = test_path("whole.h5");
	size_t size;

	(void)unused;
	assert_status(SONDE_OK, write_file(path, true));
	char *bytes = test_read(path, &size);
	for (size_t left = size - 1; left > 0; left = left * 9 / 10)
		assert_unreadable(test_write("cut.h5", bytes, left), "damaged");
	free(bytes);
}

/* A damaged size of a number: the library would take as much memory to convert one. */
static void test_numbers_of_absurd_size(void **unused)
{
	const char *path = test_path("absurd.h5");
	struct hdf5_reader *reader;
	double *reals;
	int64_t count;

	(void)unused;
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t type = H5Tcopy(H5T_IEEE_F64LE), space = H5Screate(H5S_SCALAR);
	assert_true(H5Tset_size(type, (size_t)1 << 30) >= 0);
	hid_t dataset = H5Dcreate2(file, "/one", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(dataset >= 0); /* never written, so that it takes no room in the file */
	H5Dclose(dataset);
	H5Sclose(space);
	H5Tclose(type);
	H5Fclose(file);
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	sonde_status status = hdf5_reader_reals(reader, "/one", &reals, &count);
	hdf5_reader_close(&reader);
	free(reals);
	assert_true(memory_peak() < (uint64_t)500 << 20);
	assert_status(SONDE_INVALID, status);
}

/* All that a file holds, read into one piece of memory; SONDE_INVALID where any of it is refused. */
static sonde_status read_all(const char *path, struct text *all)
{
	static const char *const reals[] = {"/entry/data/table", "/entry/data/curve", "/entry/data/one",
					    "/entry/data/integers"};
	struct hdf5_reader *reader;
	int64_t *integers, count;
	double *numbers;
	char *text;
	sonde_status status = hdf5_reader_open(&reader, path);

	for (size_t k = 0; k < sizeof reals / sizeof *reals && status == SONDE_OK; ++k) {
		status = hdf5_reader_reals(reader, reals[k], &numbers, &count);
		for (int64_t n = 0; status == SONDE_OK && n < count; ++n)
			text_append(all, "%a ", numbers[n]);
		free(numbers);
	}
	if (status == SONDE_OK &&
	    (status = hdf5_reader_integers(reader, "/entry/data/integers", &integers, &count)) == SONDE_OK) {
		for (int64_t n = 0; n < count; ++n)
			text_append(all, "%lld ", (long long)integers[n]);
		free(integers);
	}
	if (status == SONDE_OK && (status = hdf5_reader_text(reader, "/entry/title", &text)) == SONDE_OK) {
		text_append(all, "%s", text);
		free(text);
	}
	hdf5_reader_close(&reader);
	return status;
}

/* Files of an earlier version, or that claim to be: without a seal. */
static void unseal(const char *path)
{
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);

	assert_true(file >= 0 && H5Adelete(file, "sealed") >= 0);
	H5Fclose(file);
}

/* Not one bit of a sealed file may be another, nor may the seal be missing. */
static void test_changes_of_sealed_files_are_refused(void **unused)
{
	char path[300];
	struct hdf5_reader *reader;
	size_t size;

	(void)unused;
	snprintf(path, sizeof path, "%s", test_path("sealed.h5"));
	assert_status(SONDE_OK, write_file(path, true));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	assert_true(hdf5_reader_is_sealed(reader));
	hdf5_reader_close(&reader);
	char *bytes = test_read(path, &size);
	for (size_t at = 0; at < size; at += at + 100 < size ? 29 : 1) {
		bytes[at] ^= (char)(1 << at % 8);
		assert_unreadable(test_write("flipped.h5", bytes, size),
				  "flipped.h5: is damaged: it does not match its checksum");
		bytes[at] ^= (char)(1 << at % 8);
	}
	free(bytes);
	/* another program may not add, rename or remove anything */
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
	assert_true(file >= 0 && H5Lmove(file, "/entry/title", file, "/entry/titel", H5P_DEFAULT, H5P_DEFAULT) >= 0);
	H5Fclose(file);
	assert_unreadable(path, "sealed.h5: is damaged: ");
	unseal(path);
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	assert_false(hdf5_reader_is_sealed(reader));
	hdf5_reader_close(&reader);
}

/* Numbers that others write into the file have a checksum of their own. */
static void test_sealed_around_rooms(void **unused)
{
	char path[300];
	const int64_t sizes[2] = {ROWS, COLUMNS};
	struct hdf5_writer *writer;
	struct hdf5_reader *reader;
	double *read;
	int64_t count;
	size_t size;

	(void)unused;
	assert_status(SONDE_OK, write_file(test_path("other.h5"), true)); /* makes the values */
	snprintf(path, sizeof path, "%s", test_path("room.h5"));
	assert_status(SONDE_OK, hdf5_writer_create_at(&writer, path));
	const int64_t first = hdf5_writer_room(writer, "/first", sizes, 2, "m", NULL),
		      second = hdf5_writer_room(writer, "/second", sizes, 2, "m", NULL);
	assert_true(first > 0 && second > first);
	FILE *file = fopen(path, "r+b");
	assert_true(fseek(file, (long)first, SEEK_SET) == 0 && fwrite(values, sizeof values, 1, file) == 1);
	assert_true(fseek(file, (long)second, SEEK_SET) == 0 && fwrite(values, sizeof values, 1, file) == 1);
	fclose(file);
	hdf5_writer_room_filled(writer, "/first", checksum_numbers(0, values, ROWS * COLUMNS));
	hdf5_writer_room_filled(writer, "/second", checksum_numbers(0, values, ROWS * COLUMNS));
	assert_status(SONDE_OK, hdf5_writer_close(&writer, path));
	assert_status(SONDE_OK, hdf5_reader_open(&reader, path));
	assert_true(hdf5_reader_is_sealed(reader));
	assert_reals(reader, "/first", values, ROWS * COLUMNS);
	assert_reals(reader, "/second", values, ROWS * COLUMNS);
	hdf5_reader_close(&reader);
	char *bytes = test_read(path, &size);
	for (size_t at = 5; at < size; at += 31) {
		const bool in_room = (at >= (size_t)first && at < (size_t)first + sizeof values) ||
				     (at >= (size_t)second && at < (size_t)second + sizeof values);
		if (in_room && at % 7 != 0)
			continue;
		bytes[at] ^= (char)(1 << at % 8);
		const char *flipped = test_write("flipped.h5", bytes, size);
		bytes[at] ^= (char)(1 << at % 8);
		if (!in_room) {
			assert_unreadable(flipped, "flipped.h5: is damaged: it does not match its checksum");
			continue;
		}
		assert_status(SONDE_OK, hdf5_reader_open(&reader, flipped));
		assert_invalid("flipped.h5: is damaged: ",
			       hdf5_reader_reals(reader, at < (size_t)first + sizeof values ? "/first" : "/second",
						 &read, &count));
		hdf5_reader_close(&reader);
	}
	free(bytes);
}

/* Another process finds out that the library crashes on a file, or loops. */
static void test_crashes_of_the_library_are_survived(void **unused)
{
	(void)unused;
	assert_unreadable(CRASHES "/hdf5_1.10.8_accum_read.h5", "is a damaged HDF5 file");
}

static void test_flipped_bits_are_refused_or_harmless(void **unused)
{
	const char *path = test_path("sound.h5");
	struct text sound = {0};
	size_t size;
	int refused = 0, tried = 0, named = 0;

	(void)unused;
	/* the HDF5 library itself reads beyond its buffers in damaged files */
	if (getenv("SONDE_SANITIZED") != NULL)
		skip();
	assert_status(SONDE_OK, write_file(path, true));
	unseal(path);
	assert_status(SONDE_OK, read_all(path, &sound));
	char *bytes = test_read(path, &size);
	for (size_t at = 3; at < size; at += 67, ++tried) {
		struct text read = {0};
		bytes[at] ^= (char)(1 << at % 8);
		sonde_status status = read_all(test_write("flipped.h5", bytes, size), &read);
		bytes[at] ^= (char)(1 << at % 8);
		if (status == SONDE_OK)
			assert_string_equal(read.bytes, sound.bytes);
		refused += status != SONDE_OK;
		named += status != SONDE_OK &&
			 strstr(sonde_status_message(), "flipped.h5: is damaged: /entry/data/table does not match") !=
			     NULL;
		text_free(&read);
	}
	free(bytes);
	text_free(&sound);
	assert_true(tried > 400 && refused > tried / 2 && named > tried / 3);
}

/* Damage to the first bytes, which say what the file is. Damage further in is the library's to notice: HDF5 1.10 may
 * crash on it, see tests/fuzz/fuzz_hdf5.c. */
static void test_damaged_files_are_refused(void **unused)
{
	const char *path = test_path("sound.h5");
	struct hdf5_reader *reader;
	size_t size;
	int refused = 0;

	(void)unused;
	assert_status(SONDE_OK, write_file(path, true));
	unseal(path);
	char *bytes = test_read(path, &size);
	for (size_t at = 0; at < 16; ++at) {
		char before = bytes[at];
		bytes[at] ^= 0x7f;
		const char *damaged = test_write("damaged.h5", bytes, size);
		bytes[at] = before;
		if (hdf5_reader_open(&reader, damaged) != SONDE_OK) {
			assert_null(reader);
			assert_message("damaged.h5: is not an HDF5 file, or is damaged");
			++refused;
			continue;
		}
		hdf5_reader_has(reader, "/entry/data/one");
		hdf5_reader_close(&reader);
	}
	free(bytes);
	assert_true(refused >= 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(test_files_that_are_none, check_all_closed),
	    cmocka_unit_test_teardown(test_truncated_files_are_refused, check_all_closed),
	    cmocka_unit_test_teardown(test_numbers_of_absurd_size, check_all_closed),
	    cmocka_unit_test_teardown(test_changes_of_sealed_files_are_refused, check_all_closed),
	    cmocka_unit_test_teardown(test_sealed_around_rooms, check_all_closed),
	    cmocka_unit_test_teardown(test_crashes_of_the_library_are_survived, check_all_closed),
	    cmocka_unit_test_teardown(test_flipped_bits_are_refused_or_harmless, check_all_closed),
	    cmocka_unit_test_teardown(test_damaged_files_are_refused, check_all_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
