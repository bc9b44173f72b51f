/* Libraries of candidates: written, extended, read in pieces, damaged. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/support.h"
#include "base/sha256.h"
#include "match/library_file.h"

#define POINTS 300
#define DISTANCES 7

static double q[POINTS], r[DISTANCES], curve[POINTS], error[POINTS], distribution[DISTANCES];

static void fill(int n)
{
	for (int k = 0; k < POINTS; ++k) {
		q[k] = 0.1 * k + 0.5;
		curve[k] = n + 0.25 * k;
		error[k] = 0.5 * n;
	}
	for (int k = 0; k < DISTANCES; ++k) {
		r[k] = k + 1.0;
		distribution[k] = -n - k;
	}
}

static struct library_head make_head(void)
{
	fill(0);
	struct library_head head = {.radiation = LIBRARY_NEUTRON,
				    .physics = (char *)"wavelength 1.5",
				    .q_count = POINTS,
				    .r_count = DISTANCES,
				    .q = q,
				    .r = r,
				    .coordinates = true};
	head.has[LIBRARY_I_PER_ATOM] = head.errors[LIBRARY_I_PER_ATOM] = head.has[LIBRARY_G] = true;
	return head;
}

static void make_key(int n, char key[65])
{
	struct sha256 hash;

	sha256_begin(&hash);
	sha256_add(&hash, &n, sizeof n);
	sha256_end(&hash, key);
}

static sonde_status add(struct library_writer *writer, int n)
{
	static const float places[2][3] = {{1, 2, 3}, {4, 5, 6}};
	const uint16_t species[2] = {0, 1};
	const char *const labels[2] = {n % 2 == 0 ? "Au" : "Cu", "O"};
	char key[65], name[32];

	make_key(n, key);
	snprintf(name, sizeof name, "candidate %d", n);
	fill(n);
	struct library_candidate candidate = {.name = name,
					      .key = key,
					      .family = "spheres",
					      .parameters = "radius: 12",
					      .atoms = n % 3 == 0 ? 2 : 1,
					      .size = n % 2 == 0 ? NAN : 2.0 * n,
					      .positions = places,
					      .species = species,
					      .labels = labels,
					      .label_count = 2};
	candidate.curves[LIBRARY_I_PER_ATOM] = curve;
	candidate.errors[LIBRARY_I_PER_ATOM] = error;
	candidate.curves[LIBRARY_G] = distribution;
	return library_add(writer, &candidate);
}

static const char *write_library(const char *name, int first, int end)
{
	const char *path = test_path(name);
	const struct library_head head = make_head();
	struct library_writer *writer;

	assert_status(SONDE_OK, library_create(path, true, &head, &writer));
	for (int n = first; n < end; ++n)
		assert_status(SONDE_OK, add(writer, n));
	assert_int_equal(library_writer_count(writer), end - first);
	assert_status(SONDE_OK, library_writer_finish(&writer));
	assert_null(writer);
	return path;
}

static void assert_candidates(const char *path, int count)
{
	static float rows[2000 * POINTS], short_rows[2000 * DISTANCES];
	struct library library;
	struct library_entry entry;
	char *keys, key[65];

	assert_status(SONDE_OK, library_open(path, &library));
	assert_int_equal(library.count, count);
	assert_int_equal(library.head.radiation, LIBRARY_NEUTRON);
	assert_string_equal(library.head.physics, "wavelength 1.5");
	assert_int_equal(library.head.q_count, POINTS);
	assert_true(library.head.q[1] == 0.1 + 0.5 && library.head.r[6] == 7.0);
	assert_true(library.head.has[LIBRARY_G] && library.head.errors[LIBRARY_I_PER_ATOM]);
	assert_false(library.head.has[LIBRARY_S] || library.head.errors[LIBRARY_G]);
	assert_status(SONDE_OK, library_read_curves(&library, LIBRARY_I_PER_ATOM, 3, count - 3, rows));
	assert_status(SONDE_OK, library_read_curves(&library, LIBRARY_G, 0, count, short_rows));
	for (int n = 3; n < count; ++n)
		assert_true(rows[(n - 3) * POINTS + 8] == (float)(n + 2.0));
	for (int n = 0; n < count; ++n)
		assert_true(short_rows[n * DISTANCES + 2] == (float)(-n - 2));
	assert_status(SONDE_OK, library_read_errors(&library, LIBRARY_I_PER_ATOM, count - 1, 1, rows));
	assert_true(rows[9] == 0.5F * (float)(count - 1));
	assert_invalid("other sizes", library_read_curves(&library, LIBRARY_G, 1, count, short_rows));
	assert_status(SONDE_OK, library_read_entry(&library, count - 1, &entry));
	make_key(count - 1, key);
	assert_string_equal(entry.key, key);
	assert_string_equal(entry.parameters, "radius: 12");
	assert_string_equal(entry.source, "");
	assert_int_equal(entry.atoms, (count - 1) % 3 == 0 ? 2 : 1);
	library_entry_free(&entry);
	assert_status(SONDE_OK, library_read_keys(&library, &keys));
	assert_memory_equal(keys + (size_t)(count - 1) * LIBRARY_KEY, key, LIBRARY_KEY);
	free(keys);
	library_close(&library);
}

static void test_what_is_written_is_read_in_pieces(void **unused)
{
	(void)unused;
	assert_candidates(write_library("a.h5", 0, 1500), 1500);
}

static void test_a_library_is_extended(void **unused)
{
	const char *path = write_library("b.h5", 0, 700);
	struct library_head head = make_head();
	struct library_writer *writer;
	char key[65];

	(void)unused;
	assert_status(SONDE_OK, library_extend(path, &head, &writer));
	make_key(699, key);
	assert_true(library_writer_has(writer, key));
	assert_invalid("is in the library already", add(writer, 699));
	make_key(700, key);
	assert_false(library_writer_has(writer, key));
	for (int n = 700; n < 1500; ++n)
		assert_status(SONDE_OK, add(writer, n));
	/* until then the old file is there */
	assert_candidates(path, 700);
	assert_status(SONDE_OK, library_writer_finish(&writer));
	assert_candidates(path, 1500);
	/* a small one, whose keys are found, too */
	path = write_library("s.h5", 0, 20);
	assert_status(SONDE_OK, library_extend(path, &head, &writer));
	assert_invalid("is in the library already", add(writer, 7));
	library_writer_discard(&writer);
	assert_candidates(path, 20);
	path = test_path("b.h5");
	head.radiation = LIBRARY_XRAY;
	assert_invalid("another radiation", library_extend(path, &head, &writer));
	assert_null(writer);
	head = make_head();
	head.q_count = POINTS - 1;
	assert_invalid("another axis of q", library_extend(path, &head, &writer));
}

static void test_a_discarded_library_leaves_nothing(void **unused)
{
	const int before = test_folder_entries();
	const struct library_head head = make_head();
	struct library_writer *writer;

	(void)unused;
	assert_status(SONDE_OK, library_create(test_path("c.h5"), false, &head, &writer));
	assert_status(SONDE_OK, add(writer, 1));
	library_writer_discard(&writer);
	assert_null(writer);
	assert_int_equal(test_folder_entries(), before);
}

static void test_bad_candidates_are_refused(void **unused)
{
	struct library_head head = make_head();
	struct library_candidate candidate = {.name = "x", .key = "abc"};
	struct library_writer *writer;
	char key[65];

	(void)unused;
	assert_status(SONDE_OK, library_create(test_path("d.h5"), true, &head, &writer));
	assert_invalid("not 64 hexadecimal digits", library_add(writer, &candidate));
	make_key(1, key);
	candidate.key = key;
	assert_invalid("has no I_per_atom", library_add(writer, &candidate));
	library_writer_discard(&writer);
	head.q_count = 0;
	assert_invalid("needs its axis", library_create(test_path("d.h5"), true, &head, &writer));
	assert_null(writer);
}

static void test_damaged_and_empty_libraries_are_refused(void **unused)
{
	const char *path = write_library("e.h5", 0, 0);
	struct library library;
	static float rows[1500 * POINTS];
	size_t size;

	(void)unused;
	assert_invalid("is an empty library", library_open(path, &library));
	assert_invalid("cannot be read", library_open(test_path("none.h5"), &library));
	path = write_library("f.h5", 0, 1000);
	char *bytes = test_read(path, &size);
	/* a number of a curve */
	const float known = (float)(500 + 0.25 * 17);
	for (size_t k = 0; k + sizeof known < size; ++k)
		if (memcmp(bytes + k, &known, sizeof known) == 0)
			bytes[k + 1] = (char)(bytes[k + 1] + 1);
	const char *damaged = test_write("g.h5", bytes, size);
	assert_status(SONDE_OK, library_open(damaged, &library));
	assert_invalid("do not match their checksum",
		       library_read_curves(&library, LIBRARY_I_PER_ATOM, 0, 1000, rows));
	library_close(&library);
	/* nor is it extended, and what is there stays as it is */
	struct library_head head = make_head();
	struct library_writer *writer;
	assert_invalid("do not match their checksum", library_extend(damaged, &head, &writer));
	assert_null(writer);
	assert_status(SONDE_INVALID, library_open(test_write("h.h5", bytes, size / 2), &library));
	assert_true(library_is_one(path));
	assert_false(library_is_one(test_path("h.h5")));
	free(bytes);
}

/* A library of which one part is changed by another program. */
static void damage(const char *path, int how)
{
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
	const hsize_t many[] = {(hsize_t)1 << 31, POINTS}, more[] = {21};
	hid_t object;

	assert_true(file >= 0);
	switch (how) {
	case 0:
		H5Ldelete(file, "/library/key", H5P_DEFAULT);
		break;
	case 1:
		object = H5Dopen2(file, "/library/name", H5P_DEFAULT);
		H5Dset_extent(object, more);
		H5Dclose(object);
		break;
	case 2:
		object = H5Dopen2(file, "/library/curves/I_per_atom", H5P_DEFAULT);
		H5Dset_extent(object, many);
		H5Dclose(object);
		break;
	case 3:
		H5Adelete_by_name(file, "/library", "version", H5P_DEFAULT);
		hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
		object = H5Acreate_by_name(file, "/library", "version", type, space, H5P_DEFAULT, H5P_DEFAULT,
					   H5P_DEFAULT);
		assert_true(H5Awrite(object, type, "9") >= 0);
		H5Sclose(space);
		H5Tclose(type);
		H5Aclose(object);
		break;
	default:
		H5Adelete_by_name(file, "/library", "radiation", H5P_DEFAULT);
	}
	H5Fclose(file);
}

static void test_changed_libraries_are_refused(void **unused)
{
	static const char *const messages[] = {"/library/key is missing or has other sizes", "has other sizes",
					       "/library/curves/I_per_atom is missing or has other sizes",
					       "is a library of version '9'", "has no attribute 'radiation'"};

	(void)unused;
	for (int how = 0; how < 5; ++how) {
		const char *path = write_library("i.h5", 0, 20);
		struct library library;
		damage(path, how);
		assert_invalid(messages[how], library_open(path, &library));
		assert_null(library.reader);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_is_written_is_read_in_pieces),
	    cmocka_unit_test(test_a_library_is_extended),
	    cmocka_unit_test(test_a_discarded_library_leaves_nothing),
	    cmocka_unit_test(test_bad_candidates_are_refused),
	    cmocka_unit_test(test_changed_libraries_are_refused),
	    cmocka_unit_test(test_damaged_and_empty_libraries_are_refused),
	};

	return cmocka_run_group_tests_name("library files", tests, NULL, NULL);
}
