/* Result files, read as src/cli/commands/info.c reads them.
 *
 * The files are made by the HDF5 library, controlled by the bytes of the input: valid files, but with unexpected
 * groups, links, types and shapes, and sometimes truncated. Bytes of HDF5 files themselves are not changed: the
 * library crashes on some that are damaged within. HDF5 1.10.8 does so in H5F__accum_read(), after a hundred tries,
 * on library_crashes/hdf5_1.10.8_accum_read.h5, and allocates as many gigabytes as damaged sizes demand. */
#include "fuzz/fuzz.h"

#include <hdf5.h>

#include "io/containers/hdf5.h"
#include "io/containers/hdf5_common.h"

static const char *const texts[] = {
    "/debye/title",           "/debye/process/version",    "/debye/process/date",
    "/debye/process/command", "/debye/sample/name",        "/debye/sample/sha256",
    "/debye/process/device",  "/debye/process/amplitudes", "/debye/process/definitions"};
static const char *const reals[] = {"/debye/intensity/q",          "/debye/pair_distribution/r",
				    "/debye/process/bin_width",    "/debye/process/seconds",
				    "/debye/process/peak_memory",  "/debye/process/largest_error",
				    "/debye/process/largest_bound"};
static const char *const groups[] = {"/debye",           "/debye/process",           "/debye/sample",
				     "/debye/intensity", "/debye/pair_distribution", "/debye/process/options"};
static const char *const options[] = {"/debye/process/options/q", "/debye/process/options/method",
				      "/debye/process/options/bin-width"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The library wants the real path of what it opens, which a memfd has not. */
static char path[64];

static void remove_file(void)
{
	unlink(path);
}

__attribute__((visibility("default"))) int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	snprintf(path, sizeof path, "%.40s/fuzz-%d.h5", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp",
		 (int)getpid());
	atexit(remove_file);
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	hdf5_probe_enable(false); /* crashes are to be seen here */
	return 0;
}

struct bytes {
	const uint8_t *next, *end;
};

static unsigned take(struct bytes *bytes)
{
	return bytes->next < bytes->end ? *bytes->next++ : 0;
}

/* A type that is none of those that Sonde writes, more often than not. */
static hid_t make_type(struct bytes *bytes)
{
	static const size_t sizes[] = {1, 2, 5, 64, 4096, 60000};
	unsigned kind = take(bytes) % 12;
	size_t size = sizes[take(bytes) % COUNT(sizes)];
	hsize_t three = 3;
	hid_t type;

	switch (kind) {
	case 0:
		return H5Tcopy(H5T_NATIVE_DOUBLE);
	case 1:
		return H5Tcopy(H5T_IEEE_F32BE);
	case 2:
		return H5Tcopy(H5T_NATIVE_LDOUBLE);
	case 3:
		type = H5Tcopy(H5T_IEEE_F64LE);
		H5Tset_size(type, size < 8 ? 8 : size);
		return type;
	case 4:
		return H5Tcopy(H5T_NATIVE_INT);
	case 5:
		type = H5Tcopy(H5T_C_S1);
		H5Tset_size(type, H5T_VARIABLE);
		return type;
	case 6:
		type = H5Tcreate(H5T_COMPOUND, 16);
		H5Tinsert(type, "x", 0, H5T_NATIVE_DOUBLE);
		H5Tinsert(type, "y", 8, H5T_NATIVE_DOUBLE);
		return type;
	case 7:
		return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
	case 8:
		return H5Tvlen_create(H5T_NATIVE_DOUBLE);
	case 9:
		return H5Tcreate(H5T_OPAQUE, size);
	default:
		type = H5Tcopy(H5T_C_S1);
		H5Tset_size(type, size);
		H5Tset_strpad(type, kind == 10 ? H5T_STR_NULLPAD : H5T_STR_SPACEPAD);
		return type;
	}
}

static hid_t make_space(struct bytes *bytes)
{
	static const hsize_t sizes[] = {0, 1, 2, 7, 1000, (hsize_t)1 << 40, (hsize_t)1 << 61};
	hsize_t dimensions[2] = {sizes[take(bytes) % COUNT(sizes)], sizes[take(bytes) % COUNT(sizes)]};

	switch (take(bytes) % 4) {
	case 0:
		return H5Screate(H5S_SCALAR);
	case 1:
		return H5Screate(H5S_NULL);
	case 2:
		return H5Screate_simple(1, dimensions, NULL);
	default:
		return H5Screate_simple(2, dimensions, NULL);
	}
}

/* Fills a dataset with bytes of the input, if it is small and its numbers may have any value. */
static void fill(struct bytes *bytes, hid_t dataset, hid_t type, hid_t space)
{
	static unsigned char values[1 << 16];
	H5T_class_t class = H5Tget_class(type);
	hssize_t points = H5Sget_simple_extent_npoints(space);

	if (class == H5T_VLEN || H5Tis_variable_str(type) > 0 || points < 0 || points > 2000 ||
	    (size_t)points * H5Tget_size(type) > sizeof values || take(bytes) % 4 == 0)
		return;
	memset(values, (int)take(bytes), sizeof values);
	for (size_t k = 0; k < 64; ++k)
		values[k] = (unsigned char)take(bytes);
	H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}

static void make_dataset(struct bytes *bytes, hid_t file, const char *name, bool strange)
{
	hid_t type, space, layout = H5Pcreate(H5P_DATASET_CREATE);

	if (strange) {
		type = make_type(bytes);
		space = make_space(bytes);
	} else {
		type = H5Tcopy(strstr(name, "process/") != NULL && strstr(name, "version") == NULL ? H5T_NATIVE_DOUBLE
												   : H5T_C_S1);
		space = H5Screate(H5S_SCALAR);
	}
	if (H5Sget_simple_extent_ndims(space) == 1 && take(bytes) % 2 == 0) {
		hsize_t chunk = 5;
		H5Pset_chunk(layout, 1, &chunk);
		H5Pset_deflate(layout, 1);
	}
	hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
	if (dataset >= 0) {
		fill(bytes, dataset, type, space);
		H5Dclose(dataset);
	}
	H5Pclose(layout);
	H5Sclose(space);
	H5Tclose(type);
}

static void make_group(hid_t file, const char *name)
{
	hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	if (group >= 0)
		H5Gclose(group);
}

/* Contents at `name`: as Sonde writes them, something else, or nothing. */
static void make_object(struct bytes *bytes, hid_t file, const char *name, bool is_group)
{
	hid_t type;

	switch (take(bytes) % 10) {
	case 0:
		return;
	case 1:
		H5Lcreate_soft("/nowhere", file, name, H5P_DEFAULT, H5P_DEFAULT);
		return;
	case 2:
		H5Lcreate_soft(name, file, name, H5P_DEFAULT, H5P_DEFAULT); /* to itself */
		return;
	case 3:
		H5Lcreate_external("absent.h5", "/x", file, name, H5P_DEFAULT, H5P_DEFAULT);
		return;
	case 4:
		H5Lcreate_hard(file, "/debye", file, name, H5P_DEFAULT, H5P_DEFAULT);
		return;
	case 5:
		type = H5Tcopy(H5T_NATIVE_DOUBLE);
		H5Tcommit2(file, name, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		H5Tclose(type);
		return;
	case 6:
		if (!is_group)
			make_group(file, name);
		else
			make_dataset(bytes, file, name, true);
		return;
	default:
		if (is_group)
			make_group(file, name);
		else
			make_dataset(bytes, file, name, take(bytes) % 4 != 0);
	}
}

/* An option with a name of any bytes. */
static void make_named(struct bytes *bytes, hid_t file)
{
	char name[600] = "/debye/process/options/";
	size_t length = strlen(name), more = take(bytes) * 2;

	for (size_t k = 0; k < more; ++k) {
		unsigned c = take(bytes);
		name[length++] = (char)(c != 0 && c != '/' ? c : 'n');
	}
	name[length] = '\0';
	make_object(bytes, file, name, false);
}

static void make_file(struct bytes *bytes)
{
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);

	H5Pset_libver_bounds(access, take(bytes) % 2 ? H5F_LIBVER_EARLIEST : H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	REQUIRE(file >= 0);
	for (size_t k = 0; k < COUNT(groups); ++k)
		if (take(bytes) % 8 != 7)
			make_group(file, groups[k]);
		else
			make_object(bytes, file, groups[k], true);
	/* without a version nothing else is read */
	make_dataset(bytes, file, "/debye/process/version", false);
	for (size_t k = 0; k < COUNT(texts); ++k)
		make_object(bytes, file, texts[k], false);
	for (size_t k = 0; k < COUNT(reals); ++k)
		make_object(bytes, file, reals[k], false);
	for (size_t k = 0; k < COUNT(options); ++k)
		make_object(bytes, file, options[k], false);
	make_named(bytes, file);
	H5Fclose(file);
	H5Pclose(access);
}

static void read_text(struct hdf5_reader *reader, const char *name)
{
	char *text = (char *)reader;

	if (!hdf5_reader_has(reader, name))
		return;
	if (hdf5_reader_text(reader, name, &text) != SONDE_OK) {
		REQUIRE(text == NULL);
		REQUIRE_MESSAGE();
		return;
	}
	REQUIRE(strlen(text) < SIZE_MAX / 2); /* reads all of it */
	free(text);
}

static void read_reals(struct hdf5_reader *reader, const char *name)
{
	double *values = (double *)reader, sum = 0.0;
	int64_t count;

	if (!hdf5_reader_has(reader, name))
		return;
	if (hdf5_reader_reals(reader, name, &values, &count) != SONDE_OK) {
		REQUIRE(values == NULL);
		REQUIRE_MESSAGE();
		return;
	}
	REQUIRE(count >= 0 && count < (int64_t)1 << 32);
	for (int64_t k = 0; k < count; ++k)
		sum += values[k];
	static volatile double sink; /* every value was read */
	sink = sum;
	(void)sink;
	free(values);
}

static sonde_status read_option(void *user, const char *name)
{
	char full[512];

	if (strlen(name) > 256)
		return SONDE_OK;
	snprintf(full, sizeof full, "/debye/process/options/%s", name);
	read_text(user, full);
	return SONDE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = {data, data + size};
	struct hdf5_reader *reader = (struct hdf5_reader *)data;
	unsigned cut = take(&bytes);

	make_file(&bytes);
	if (cut >= 240)
		REQUIRE(truncate(path, (off_t)(cut - 240) * 600) == 0);
	if (hdf5_reader_open(&reader, path) != SONDE_OK) {
		REQUIRE(cut >= 240); /* a whole file opens */
		REQUIRE(reader == NULL);
		REQUIRE_MESSAGE();
		return 0;
	}
	for (size_t k = 0; k < COUNT(texts); ++k)
		read_text(reader, texts[k]);
	for (size_t k = 0; k < COUNT(reals); ++k)
		read_reals(reader, reals[k]);
	if (hdf5_reader_members(reader, "/debye/process/options", read_option, reader) != SONDE_OK)
		REQUIRE_MESSAGE();
	hdf5_reader_close(&reader);
	REQUIRE(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0); /* the reader closed all that it opened */
	return 0;
}
