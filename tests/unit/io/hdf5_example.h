/* A file with one dataset of each kind, for the tests of HDF5. */
#ifndef TESTS_UNIT_IO_HDF5_EXAMPLE_H
#define TESTS_UNIT_IO_HDF5_EXAMPLE_H

#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include <hdf5.h>

#include "io/containers/hdf5.h"

#define ROWS 3
#define COLUMNS 1000

static double values[ROWS * COLUMNS];

static inline sonde_status write_file(const char *path, bool overwrite)
{
	struct hdf5_writer *writer;
	const int64_t sizes[] = {ROWS, COLUMNS}, integers[] = {1, -2, INT64_MAX};
	const char *const axes[] = {"q", "pair"};

	for (int k = 0; k < ROWS * COLUMNS; ++k)
		values[k] = sin(k) * pow(10, k % 600 - 300);
	values[5] = NAN;
	values[6] = -INFINITY;
	CHECK(hdf5_writer_create(&writer));
	hdf5_writer_group(writer, "/", "NXroot");
	hdf5_writer_group(writer, "/entry", "NXentry");
	hdf5_writer_text_attribute(writer, "/entry", "default", "data");
	hdf5_writer_group(writer, "/entry/data", "NXdata");
	hdf5_writer_texts_attribute(writer, "/entry/data", "axes", axes, 2);
	hdf5_writer_reals(writer, "/entry/data/table", values, sizes, 2, "1/angstrom", "a table");
	hdf5_writer_reals(writer, "/entry/data/curve", values, sizes + 1, 1, NULL, NULL);
	hdf5_writer_real(writer, "/entry/data/one", 0.1, "s");
	hdf5_writer_integers(writer, "/entry/data/integers", integers, 3);
	hdf5_writer_integers(writer, "/entry/data/integer", integers, 1);
	hdf5_writer_text(writer, "/entry/title", "<f\xc2\xb2> and more");
	hdf5_writer_text(writer, "/entry/empty", "");
	hdf5_writer_texts(writer, "/entry/names", "Co\0\0O2-\0", 2, 4);
	return hdf5_writer_finish(&writer, path, overwrite);
}

static inline void assert_reals(struct hdf5_reader *reader, const char *path, const double *expected, int64_t count)
{
	double *read;
	int64_t got;

	assert_status(SONDE_OK, hdf5_reader_reals(reader, path, &read, &got));
	assert_true(got == count);
	assert_memory_equal(read, expected, (size_t)count * sizeof *expected);
	free(read);
}

/* Objects that the library holds open for Sonde after a test: none. Its own leaks, after damaged files, are not counted. */
static inline int check_all_closed(void **unused)
{
	(void)unused;
	return H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0;
}

#endif
