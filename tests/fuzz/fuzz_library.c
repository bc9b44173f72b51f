/* Libraries of candidates, read as sonde match, library, and info do, by the HDF5 library and chunk by chunk.
 *
 * As in fuzz_hdf5.c the files are made by the HDF5 library: valid ones, with datasets of other types, shapes, chunks, and filters, texts, and
 * numbers; the curves are then changed, or the file cut, at places that the input chooses. */
#include "fuzz/fuzz.h"

#include <hdf5.h>
#include <math.h>

#include "io/containers/hdf5.h"
#include "io/containers/hdf5_common.h"
#include "match/library_file.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

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
	snprintf(path, sizeof path, "%.40s/fuzz-library-%d.h5", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp",
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

/* One of the numbers, the first one most of the time. */
static hsize_t choose(struct bytes *bytes, const hsize_t *sizes, size_t count)
{
	const unsigned byte = take(bytes);

	return byte < 200 ? sizes[0] : sizes[byte % count];
}

static hid_t text_type(size_t size)
{
	hid_t type = H5Tcopy(H5T_C_S1);

	H5Tset_size(type, size);
	H5Tset_strpad(type, H5T_STR_NULLPAD);
	return type;
}

static void put_attribute(struct bytes *bytes, hid_t group, const char *name, const char *text)
{
	char value[64];

	snprintf(value, sizeof value, "%s", text);
	if (take(bytes) >= 230)
		value[take(bytes) % sizeof value] = (char)take(bytes);
	hid_t type = text_type(strlen(value) + 1), space = H5Screate(H5S_SCALAR),
	      attribute = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	if (attribute >= 0) {
		H5Awrite(attribute, type, value);
		H5Aclose(attribute);
	}
	H5Sclose(space);
	H5Tclose(type);
}

/* A dataset with sizes, a type, chunks, and filters that are the right ones most of the time. */
static void put_dataset(struct bytes *bytes, hid_t file, const char *name, hid_t usual, hsize_t rows, hsize_t columns)
{
	const hid_t others[] = {H5T_NATIVE_DOUBLE, H5T_IEEE_F32BE, H5T_NATIVE_INT, H5T_NATIVE_FLOAT,
				H5T_NATIVE_UINT64};
	const hsize_t more[] = {rows, rows + 1, 0, 1, rows * 7}, wider[] = {columns, columns + 1, 1, 2 * columns},
		      parts[] = {2, 1, 5, 100, (hsize_t)1 << 33};
	static unsigned char values[1 << 16];
	const unsigned kind = take(bytes);
	hid_t type = H5Tcopy(kind < 220 ? usual : others[kind % COUNT(others)]);
	const int rank = columns > 0 ? 2 : 1;
	const hsize_t sizes[2] = {choose(bytes, more, COUNT(more)), choose(bytes, wider, COUNT(wider))},
		      chunk[2] = {choose(bytes, parts, COUNT(parts)), sizes[1] > 0 ? sizes[1] : 1},
		      most[2] = {H5S_UNLIMITED, sizes[1]};
	hid_t space = H5Screate_simple(rank, sizes, most), layout = H5Pcreate(H5P_DATASET_CREATE);
	const unsigned filter = take(bytes);

	H5Pset_chunk(layout, rank, chunk);
	/* the library does not write texts of any length with a checksum */
	if (H5Tis_variable_str(type) <= 0 && (filter < 200 || filter % 3 == 0))
		H5Pset_fletcher32(layout);
	if (filter >= 230)
		H5Pset_deflate(layout, 1);
	hid_t dataset =
	    take(bytes) >= 250 ? -1 : H5Dcreate2(file, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
	const hssize_t points = H5Sget_simple_extent_npoints(space);
	const bool text = H5Tis_variable_str(type) > 0;
	if (dataset >= 0 && points >= 0 && (size_t)points * H5Tget_size(type) <= sizeof values && take(bytes) < 250) {
		static const char *const word = "Au120 C60";
		memset(values, 0, sizeof values);
		for (hssize_t k = 0; k < points; ++k) {
			const double number = (double)k + (take(bytes) >= 250 ? NAN : 0.0);
			const float single = (float)number;
			if (text)
				memcpy(values + (size_t)k * sizeof word, &word, sizeof word);
			else if (H5Tget_class(type) == H5T_STRING)
				memset(values + 64 * k, (int)('0' + k % 10), 64);
			else if (H5Tequal(type, H5T_NATIVE_FLOAT) > 0)
				memcpy(values + (size_t)k * sizeof single, &single, sizeof single);
			else if (H5Tequal(type, H5T_NATIVE_DOUBLE) > 0)
				memcpy(values + (size_t)k * sizeof number, &number, sizeof number);
			else
				values[k] = (unsigned char)take(bytes);
		}
		H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	}
	if (dataset >= 0)
		H5Dclose(dataset);
	H5Pclose(layout);
	H5Sclose(space);
	H5Tclose(type);
}

static bool make_file(struct bytes *bytes)
{
	static const char *const texts[] = {"/library/name", "/library/source", "/library/family",
					    "/library/parameters", "/library/composition"};
	const hsize_t candidates = 1 + take(bytes) % 12, points = 2 + take(bytes) % 20;
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), digest = text_type(LIBRARY_KEY),
	      variable = text_type(H5T_VARIABLE);

	if (file < 0)
		return false;
	hid_t group = H5Gcreate2(file, "/library", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	put_attribute(bytes, group, "format", LIBRARY_FORMAT);
	put_attribute(bytes, group, "version", LIBRARY_VERSION);
	put_attribute(bytes, group, "radiation", "x-ray");
	put_attribute(bytes, group, "physics", "displacement = 0.01; q = 0.5:20:391");
	H5Gclose(H5Gcreate2(file, "/library/curves", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
	put_dataset(bytes, file, "/library/axis", H5T_NATIVE_DOUBLE, points, 0);
	hid_t axis = H5Dopen2(file, "/library/axis", H5P_DEFAULT);
	if (axis >= 0) {
		put_attribute(bytes, axis, "units", "1/angstrom");
		H5Dclose(axis);
	}
	put_dataset(bytes, file, "/library/curves/I_per_atom", H5T_NATIVE_FLOAT, candidates, points);
	if (take(bytes) >= 128)
		put_dataset(bytes, file, "/library/curves/I_per_atom_error", H5T_NATIVE_FLOAT, candidates, points);
	for (size_t k = 0; k < COUNT(texts); ++k)
		put_dataset(bytes, file, texts[k], variable, candidates, 0);
	put_dataset(bytes, file, "/library/key", digest, candidates, 0);
	put_dataset(bytes, file, "/library/atoms", H5T_NATIVE_UINT64, candidates, 0);
	put_dataset(bytes, file, "/library/size", H5T_NATIVE_DOUBLE, candidates, 0);
	H5Tclose(digest);
	H5Tclose(variable);
	H5Gclose(group);
	return H5Fclose(file) >= 0;
}

/* Bytes of curves are changed: those of numbers, which come after the beginning of the file. */
static void spoil(struct bytes *bytes)
{
	FILE *file = fopen(path, "r+b");

	if (file == NULL)
		return;
	fseek(file, 0, SEEK_END);
	const long size = ftell(file);
	static const float wanted[3] = {0.0f, 1.0f, 2.0f};
	static unsigned char all[1 << 18];
	rewind(file);
	const size_t read = size <= (long)sizeof all ? fread(all, 1, (size_t)size, file) : 0;
	const unsigned char *place = memmem(all, read, wanted, sizeof wanted);
	if (place != NULL && take(bytes) >= 200) {
		fseek(file, (long)(place - all) + 4 + (long)(take(bytes) % 8), SEEK_SET);
		fputc((int)take(bytes), file);
	}
	fclose(file);
	if (take(bytes) >= 250)
		(void)!truncate(path, size - 1 - (long)take(bytes));
}

static void read_all(struct library *library)
{
	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		const int64_t points = library_points(&library->head, (enum library_curve)k);
		if (!library->head.has[k])
			continue;
		REQUIRE(points > 0 && points <= 1000 && library->count <= 1000);
		float *rows = malloc((size_t)(library->count * points) * sizeof *rows);
		if (rows != NULL &&
		    library_read_curves(library, (enum library_curve)k, 0, library->count, rows) == SONDE_OK)
			for (int64_t n = 0; n < library->count * points; ++n)
				REQUIRE(isfinite(rows[n]));
		if (rows != NULL && library->head.errors[k])
			(void)library_read_errors(library, (enum library_curve)k, 0, library->count, rows);
		free(rows);
		REQUIRE(library_piece(library, (enum library_curve)k) > 0);
	}
	for (int64_t n = 0; n < library->count; ++n) {
		struct library_entry entry;
		if (library_read_entry(library, n, &entry) == SONDE_OK)
			library_entry_free(&entry);
	}
	char *keys;
	if (library_read_keys(library, &keys) == SONDE_OK)
		free(keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = {data, data + size};
	struct library library;

	if (!make_file(&bytes))
		return 0;
	spoil(&bytes);
	if (library_open(path, &library) != SONDE_OK) {
		REQUIRE_MESSAGE();
		return 0;
	}
	REQUIRE(library.count > 0);
	read_all(&library);
	library_close(&library);
	return 0;
}
