/* Result files, read as src/cli/info.c reads them. */
#include "fuzz/fuzz.h"

#include <fcntl.h>

#include "io/hdf5.h"

/* A file with a name: the HDF5 library wants the real path of what it opens, which a memfd has not. */
static char path[64];

static void remove_file(void)
{
	unlink(path);
}

static void fill_file(const uint8_t *data, size_t size)
{
	int descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	REQUIRE(descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size);
	close(descriptor);
}

__attribute__((visibility("default"))) int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Makes the file, and sees to it that a sound one can be read there: else nothing at all would be tried. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct hdf5_writer *writer;
	struct hdf5_reader *reader;

	(void)argc;
	(void)argv;
	snprintf(path, sizeof path, "%s/sonde-fuzz-%d.h5", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
		 (int)getpid());
	atexit(remove_file);
	REQUIRE(hdf5_writer_create(&writer) == SONDE_OK);
	REQUIRE(hdf5_writer_finish(&writer, path, true) == SONDE_OK);
	REQUIRE(hdf5_reader_open(&reader, path) == SONDE_OK);
	hdf5_reader_close(&reader);
	return 0;
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
	REQUIRE(count >= 0);
	for (int64_t k = 0; k < count; ++k)
		sum += values[k];
	REQUIRE(sum == sum || sum != sum); /* every value was read */
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
	static const char *const texts[] = {"/debye/title",
					    "/debye/process/version",
					    "/debye/process/date",
					    "/debye/process/command",
					    "/debye/sample/name",
					    "/debye/sample/sha256",
					    "/debye/process/amplitudes",
					    "/debye/process/device",
					    "/debye/process/definitions"};
	static const char *const reals[] = {"/debye/intensity/q",         "/debye/pair_distribution/r",
					    "/debye/process/bin_width",   "/debye/process/seconds",
					    "/debye/process/peak_memory", "/debye/process/largest_error"};
	struct hdf5_reader *reader = (struct hdf5_reader *)data;

	fill_file(data, size);
	if (hdf5_reader_open(&reader, path) != SONDE_OK) {
		REQUIRE(reader == NULL);
		REQUIRE_MESSAGE();
		return 0;
	}
	for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
		read_text(reader, texts[k]);
	for (size_t k = 0; k < sizeof reals / sizeof *reals; ++k)
		read_reals(reader, reals[k]);
	(void)hdf5_reader_members(reader, "/debye/process/options", read_option, reader);
	hdf5_reader_close(&reader);
	return 0;
}
