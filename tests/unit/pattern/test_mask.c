/* Masks of detectors. */
#include "unit/support.h"

#include <hdf5.h>
#include <stdio.h>

#include "io/containers/hdf5.h"
#include "pattern/detector/mask.h"

static const unsigned char wanted[6] = {0, 1, 0, 1, 1, 0};

static void check_read(const char *path)
{
	unsigned char masked[6] = {0};

	assert_status(SONDE_OK, mask_read(path, "/mask", 2, 3, masked));
	assert_memory_equal(masked, wanted, sizeof wanted);
}

static sonde_status try(const char *path)
{
	unsigned char masked[6];

	return mask_read(path, "/mask", 2, 3, masked);
}

static void test_rows_of_text(void **unused)
{
	(void)unused;
	check_read(test_write_text("mask.txt", "# a mask\n0 1 0\n1 1 0 # the second row\n\n"));
	check_read(test_write_text("mask.txt", "0,1,0\r\n1;1;0"));
	check_read(test_write_text("mask.txt", "010\n110\n"));
	assert_invalid("mask.txt:2: '2 0' is neither 0 nor 1", try(test_write_text("mask.txt", "0 1 0\n1 2 0\n")));
	assert_invalid("mask.txt:1: has 2 columns, the detector 3", try(test_write_text("mask.txt", "0 1\n1 1\n")));
	assert_invalid("mask.txt:1: has more than the 3 columns", try(test_write_text("mask.txt", "0101\n")));
	assert_invalid("has 1 rows, the detector 2", try(test_write_text("mask.txt", "010\n")));
	assert_invalid("has 3 rows, the detector 2", try(test_write_text("mask.txt", "010\n010\n111\n")));
}

/* A header of one block and little-endian numbers. */
static const char *edf(const char *entries, size_t bytes_of_number, size_t count)
{
	static char file[4096];

	memset(file, 0, sizeof file);
	int used = snprintf(file, 512, "{\n%s", entries);
	memset(file + used, ' ', 512 - (size_t)used);
	file[510] = '}';
	file[511] = '\n';
	for (size_t n = 0; n < count; ++n)
		file[512 + n * bytes_of_number + bytes_of_number - 1] = wanted[n] != 0 ? 9 : 0;
	return test_write("mask.edf", file, 512 + count * bytes_of_number);
}

static void test_edf_pictures(void **unused)
{
	(void)unused;
	check_read(
	    edf("HeaderID = EH:000001:000000:000000 ;\nDim_1 = 3 ;\nDim_2 = 2 ;\nDataType = UnsignedByte ;\n", 1, 6));
	check_read(edf("Dim_1=3;dim_2=2;DataType = SignedInteger ;\nCompression = None ;\n", 4, 6));
	check_read(edf("Dim_1 = 3 ;\nDim_2 = 2 ;\nDataType = Unsigned64 ;\n", 8, 6));
	assert_invalid("Dim_1 is 4, but the detector has 3",
		       try(edf("Dim_1 = 4;Dim_2 = 2;DataType=SignedByte;", 1, 6)));
	assert_invalid("has no number Dim_2", try(edf("Dim_1 = 3;Dim_2 = x;DataType=SignedByte;", 1, 6)));
	assert_invalid("has no DataType", try(edf("Dim_1 = 3;Dim_2 = 2;", 1, 6)));
	assert_invalid("'FloatValue' is not a kind of whole numbers",
		       try(edf("Dim_1 = 3;Dim_2 = 2;DataType=FloatValue;", 4, 6)));
	assert_invalid("Compression: ", try(edf("Dim_1 = 3;Dim_2 = 2;DataType=SignedByte;Compression=gzip;", 1, 6)));
	assert_invalid("mask.edf", try(edf("Dim_1 = 3;Dim_2 = 2;DataType=SignedShort;", 2, 5)));
	assert_invalid("is not an EDF picture", try(test_write("mask.edf", (char[600]){"no"}, 600)));
}

static const char *hdf5(const char *name, const int64_t *sizes, int rank)
{
	static const int64_t values[6] = {0, 256, 0, -1, 1, 0};
	struct hdf5_writer *writer;
	static char path[4096];

	snprintf(path, sizeof path, "%s", test_path("mask.h5"));
	assert_status(SONDE_OK, hdf5_writer_create(&writer));
	hdf5_writer_integer_array(writer, name, values, sizes, rank, NULL);
	assert_status(SONDE_OK, hdf5_writer_finish(&writer, path, true));
	return path;
}

static void test_datasets(void **unused)
{
	static const int64_t picture[2] = {2, 3}, stack[3] = {1, 2, 3}, turned[2] = {3, 2}, row[1] = {6};

	(void)unused;
	check_read(hdf5("/mask", picture, 2));
	check_read(hdf5("/mask", stack, 3));
	assert_invalid("/mask has 3 rows and 2 columns, the detector 2 and 3", try(hdf5("/mask", turned, 2)));
	assert_invalid("the detector 2 and 3", try(hdf5("/mask", row, 1)));
	assert_invalid("has no dataset /mask", try(hdf5("/other", picture, 2)));
}

/* Bytes and, as h5py writes them, truth values. */
static void test_datasets_of_other_programs(void **unused)
{
	const hsize_t sizes[2] = {2, 3};
	const signed char no = 0, yes = 1;
	char path[4096];

	(void)unused;
	snprintf(path, sizeof path, "%s", test_path("others.h5"));
	for (int kind = 0; kind < 2; ++kind) {
		hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
		hid_t space = H5Screate_simple(2, sizes, NULL), truth = H5Tenum_create(H5T_NATIVE_SCHAR);
		assert_true(H5Tenum_insert(truth, "FALSE", &no) >= 0 && H5Tenum_insert(truth, "TRUE", &yes) >= 0);
		hid_t type = kind == 0 ? H5T_NATIVE_UCHAR : truth;
		hid_t dataset = H5Dcreate2(file, "/mask", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		assert_true(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, wanted) >= 0);
		assert_true(H5Dclose(dataset) >= 0 && H5Tclose(truth) >= 0 && H5Sclose(space) >= 0 &&
			    H5Fclose(file) >= 0);
		check_read(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows_of_text),
	    cmocka_unit_test(test_edf_pictures),
	    cmocka_unit_test(test_datasets),
	    cmocka_unit_test(test_datasets_of_other_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
