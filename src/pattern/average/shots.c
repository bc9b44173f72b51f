#include "pattern/average/shots.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/constants.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matter/scattering/probe.h"

#define CXI_VERSION 150
#define STACK "/entry_1/data_1/data"
#define PIXELS_OF_PART 32768 /* of a shot, for a thread at a time */

sonde_status shots_check_format(const char *path)
{
	static const char *const endings[] = {".h5", ".hdf5", ".nxs", ".cxi"};

	for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k)
		if (file_has_suffix(path, endings[k]))
			return SONDE_OK;
	return status_fail_option(SONDE_INVALID, "shots",
				  "a stack of shots is written to a file that ends in .h5, .hdf5, .nxs, or .cxi");
}

static sonde_status append_suffix(const char *path, const char *suffix, char **name)
{
	const size_t size = strlen(path) + strlen(suffix) + 1;

	CHECK(memory_allocate(name, size, 1, "a path"));
	snprintf(*name, size, "%s%s", path, suffix);
	return SONDE_OK;
}

static int64_t all_shots(const struct shots *shots)
{
	return shots->turns->count * shots->samples;
}

static int64_t bytes_of_shot(const struct shots *shots)
{
	return shots->plan->pixels.count * (int64_t)sizeof(double);
}

static sonde_status check_disk(const struct shots *shots)
{
	const char *slash = strrchr(shots->path, '/');
	const double needed = (double)bytes_of_shot(shots) * (double)all_shots(shots);
	struct statvfs disk;
	char *folder;

	CHECK(memory_copy_text(shots->path, &folder, "a path"));
	folder[slash != NULL ? slash - shots->path + 1 : 0] = '\0';
	const bool known = statvfs(folder[0] != '\0' ? folder : ".", &disk) == 0 && disk.f_blocks > 0;
	free(folder);
	const double available = known ? (double)disk.f_bavail * (double)disk.f_frsize : 0.0;
	return !known || needed <= available
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, shots->path,
				      "%lld shots need %.3g GB and the disk has %.3g GB left",
				      (long long)all_shots(shots), needed * 1e-9, available * 1e-9);
}

/* A view of the plan's pixels. */
static sonde_status make_response(const struct pattern_plan *plan, struct shots *shots)
{
	const struct pattern_pixels *pixels = &plan->pixels;

	shots->pixels = (sonde_pattern_result){.geometry = pixels->geometry,
					       .count = pixels->count,
					       .axis_count = pixels->axis_count,
					       .vectors = pixels->vectors,
					       .distance = pixels->distance,
					       .wavelength = pixels->wavelength,
					       .masked = pixels->masked,
					       .options = &plan->options};
	memcpy(shots->pixels.sizes, pixels->sizes, sizeof pixels->sizes);
	memcpy(shots->pixels.axes, pixels->axes, sizeof pixels->axes);
	memcpy(shots->pixels.basis, pixels->basis, sizeof pixels->basis);
	CHECK(response_make(&shots->pixels, &shots->response));
	if (!response_is_needed(&shots->response))
		return SONDE_OK;
	CHECK(response_tabulate(&shots->response, shots->threads));
	return memory_allocate(&shots->seen, (size_t)shots->threads, PIXELS_OF_PART * sizeof *shots->seen, "a shot");
}

sonde_status shots_begin(int threads, const struct pattern_plan *plan, const struct turns *turns, int64_t samples,
			 const char *path, bool overwrite, struct shots *shots)
{
	*shots = (struct shots){
	    .plan = plan, .turns = turns, .samples = samples, .overwrite = overwrite, .threads = threads, .file = -1};
	if (path == NULL)
		return status_fail_option(SONDE_INVALID, "shots", "no file is given; name it by `output`");
	CHECK(shots_check_format(path));
	CHECK(file_check_output(path, overwrite));
	CHECK(file_follow_links(path, &shots->path));
	CHECK(append_suffix(shots->path, ".part", &shots->part));
	CHECK(make_response(plan, shots));
	return check_disk(shots);
}

void shots_free(struct shots *shots)
{
	if (shots->writer != NULL)
		hdf5_writer_discard(&shots->writer);
	if (shots->file >= 0)
		close(shots->file);
	if (shots->part != NULL && shots->created && !shots->kept)
		(void)unlink(shots->part);
	free(shots->path);
	free(shots->part);
	free(shots->seen);
	response_free(&shots->response);
	*shots = (struct shots){.file = -1};
}

static sonde_status fail(const char *path, const char *what)
{
	return status_fail_file(SONDE_RESOURCE, path, "cannot be %s: %s", what, strerror(errno));
}

/* The file ------------------------------------------------------------------------------------------------------ */

static void write_instrument(const struct shots *shots, struct hdf5_writer *writer)
{
	const struct pattern_plan *plan = shots->plan;
	const sonde_pattern_options *options = &plan->options;
	const double height = options->pixel_height > 0.0 ? options->pixel_height : options->pixel_size;

	hdf5_writer_group(writer, "/entry_1/instrument_1", "NXinstrument");
	hdf5_writer_group(writer, "/entry_1/instrument_1/source_1", "NXsource");
	if (plan->options.radiation == SONDE_PATTERN_RADIATION_XRAY && plan->pixels.wavelength > 0.0)
		hdf5_writer_real(writer, "/entry_1/instrument_1/source_1/energy",
				 PLANCK * SPEED_OF_LIGHT / (plan->pixels.wavelength * 1e-10), "J");
	hdf5_writer_group(writer, "/entry_1/instrument_1/detector_1", "NXdetector");
	if (plan->pixels.geometry != SONDE_PATTERN_DETECTOR)
		return;
	hdf5_writer_real(writer, "/entry_1/instrument_1/detector_1/distance", 1e-3 * plan->pixels.distance, "m");
	hdf5_writer_real(writer, "/entry_1/instrument_1/detector_1/x_pixel_size", 1e-3 * plan->options.pixel_size,
			 "m");
	hdf5_writer_real(writer, "/entry_1/instrument_1/detector_1/y_pixel_size", 1e-3 * height, "m");
}

/* R of each shot, and its sample. */
static sonde_status write_rotations(const struct shots *shots, struct hdf5_writer *writer)
{
	const int64_t all = all_shots(shots), sizes[3] = {all, 3, 3}, each = shots->turns->count;
	double(*rotations)[3][3];
	int64_t *sample_of;

	CHECK(memory_allocate(&rotations, (size_t)all, sizeof *rotations, "the orientations"));
	for (int64_t k = 0; k < all; ++k)
		(void)turns_get(shots->turns, k / each, k % each, rotations[k]);
	hdf5_writer_reals(writer, "/entry_1/data_1/rotation", rotations[0][0], sizes, 3, "1",
			  "rotation R of the sample: an atom at r in its file is at R r");
	free(rotations);
	if (shots->samples == 1)
		return SONDE_OK;
	CHECK(memory_allocate(&sample_of, (size_t)all, sizeof *sample_of, "the samples"));
	for (int64_t k = 0; k < all; ++k)
		sample_of[k] = k / each;
	hdf5_writer_integers(writer, "/entry_1/data_1/sample", sample_of, all);
	free(sample_of);
	return SONDE_OK;
}

static sonde_status write_beginning(struct shots *shots)
{
	const struct pattern_pixels *pixels = &shots->plan->pixels;
	const int64_t version = CXI_VERSION;
	const bool counts = shots->plan->options.fluence > 0.0;
	int64_t sizes[4] = {all_shots(shots), pixels->count};
	struct hdf5_writer *writer = shots->writer;

	for (int axis = 0; axis < pixels->axis_count; ++axis)
		sizes[axis + 1] = pixels->sizes[axis];
	hdf5_writer_integers(writer, "/cxi_version", &version, 1);
	hdf5_writer_group(writer, "/entry_1", "NXentry");
	hdf5_writer_group(writer, "/entry_1/data_1", "NXdata");
	hdf5_writer_text_attribute(writer, "/entry_1/data_1", "signal", "data");
	/* in front of what depends on the number of shots, so that it has the same place if that grows */
	shots->place = hdf5_writer_room(writer, STACK, sizes, pixels->axis_count > 0 ? pixels->axis_count + 1 : 2,
					counts ? "counts" : pattern_unit(&shots->plan->options),
					counts ? "particles of each shot in each pixel, with Poisson's noise"
					       : "intensity of each shot");
	write_instrument(shots, writer);
	CHECK(write_rotations(shots, writer));
	return shots->place >= 0
		   ? SONDE_OK
		   : status_fail_file(SONDE_RESOURCE, shots->part, "the HDF5 library could not make the file");
}

/* The reason if it fails, else 0. */
static int write_at(int file, const double *numbers, size_t size, int64_t place)
{
	const char *bytes = (const char *)numbers;

	while (size > 0) {
		const ssize_t now = pwrite(file, bytes, size, place);
		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			return now < 0 ? errno : ENOSPC;
		bytes += now;
		size -= (size_t)now;
		place += now;
	}
	return 0;
}

static sonde_status read_at(int file, const char *path, double *numbers, size_t size, int64_t place)
{
	char *bytes = (char *)numbers;

	while (size > 0) {
		const ssize_t now = pread(file, bytes, size, place);
		if (now < 0 && errno == EINTR)
			continue;
		if (now < 0)
			return fail(path, "read");
		if (now == 0)
			return status_fail_file(SONDE_INVALID, path, "has fewer shots than its checkpoint");
		bytes += now;
		size -= (size_t)now;
		place += now;
	}
	return SONDE_OK;
}

/* Shots that are added to the file, in parts of their pixels. */
struct storing {
	struct shots *shots;
	int64_t first, parts; /* parts of a shot */
	const double *numbers;
	bool seen; /* they are as in the file */
	atomic_uint_fast64_t checksum;
	atomic_int reason; /* of a write that failed; 0: none */
	atomic_bool beyond;
};

static void store_part(struct storing *storing, int64_t shot, int64_t part, double *room)
{
	const struct shots *shots = storing->shots;
	const int64_t pixels = shots->plan->pixels.count, first = part * PIXELS_OF_PART,
		      end = pixels - first < PIXELS_OF_PART ? pixels : first + PIXELS_OF_PART,
		      at = (storing->first + shot) * pixels + first;
	const double *numbers = storing->numbers + shot * pixels + first;

	if (!storing->seen) {
		if (!response_of_shot(&shots->response, storing->first + shot, storing->numbers + shot * pixels,
				      first, end, room))
			atomic_store(&storing->beyond, true);
		numbers = room;
	}
	atomic_fetch_add(&storing->checksum, checksum_numbers((uint64_t)at, numbers, (size_t)(end - first)));
	const int reason = write_at(shots->file, numbers, (size_t)(end - first) * sizeof *numbers,
				    shots->place + at * (int64_t)sizeof *numbers);
	if (reason != 0)
		atomic_store(&storing->reason, reason);
}

static void store_some(void *state, int64_t first, int64_t end, int worker)
{
	struct storing *storing = state;
	double *seen = storing->shots->seen;

	for (int64_t k = first; k < end; ++k)
		store_part(storing, k / storing->parts, k % storing->parts,
			   seen != NULL ? seen + (size_t)worker * PIXELS_OF_PART : NULL);
}

/* Adds numbers of shots, as they are in the file if `seen`. */
static sonde_status store(struct shots *shots, int64_t first, int64_t count, const double *numbers, bool seen)
{
	struct storing storing = {.shots = shots,
				  .first = first,
				  .parts = (shots->plan->pixels.count + PIXELS_OF_PART - 1) / PIXELS_OF_PART,
				  .numbers = numbers,
				  .seen = seen};

	threads_for(shots->threads, count * storing.parts, 1, store_some, &storing);
	if (atomic_load(&storing.beyond))
		return response_fail();
	errno = atomic_load(&storing.reason);
	if (errno != 0)
		return fail(shots->part, "written");
	shots->checksum += atomic_load(&storing.checksum);
	/* the disk begins at once, so that the end of the run does not wait for all shots */
	(void)sync_file_range(shots->file, shots->place + first * bytes_of_shot(shots), count * bytes_of_shot(shots),
			      SYNC_FILE_RANGE_WRITE);
	return SONDE_OK;
}

sonde_status shots_add(struct shots *shots, int64_t first, int64_t count, const double *intensity)
{
	return store(shots, first, count, intensity, shots->seen == NULL);
}

void shots_mark(struct shots *shots)
{
	shots->marked = shots->checksum;
}

sonde_status shots_flush(struct shots *shots)
{
	shots->kept = true;
	return fdatasync(shots->file) == 0 ? SONDE_OK : fail(shots->part, "written");
}

sonde_status shots_walk(struct shots *shots, struct state *state)
{
	int64_t place = shots->place;

	CHECK(state_bytes(state, &place, sizeof place));
	CHECK(state_bytes(state, &shots->marked, sizeof shots->marked));
	if (!state->saving)
		shots->earlier_place = place;
	return SONDE_OK;
}

/* Opening -------------------------------------------------------------------------------------------------------- */

static sonde_status copy_shots(struct shots *shots, int file, const char *from, int64_t done)
{
	const uint64_t expected = shots->marked;
	double *shot;

	shots->checksum = 0;
	CHECK(memory_allocate(&shot, (size_t)shots->plan->pixels.count, sizeof(double), "a shot"));
	sonde_status status = SONDE_OK;
	for (int64_t k = 0; status == SONDE_OK && k < done; ++k) {
		status = read_at(file, from, shot, (size_t)bytes_of_shot(shots),
				 shots->earlier_place + k * bytes_of_shot(shots));
		if (status == SONDE_OK)
			status = store(shots, k, 1, shot, true);
	}
	free(shot);
	CHECK(status);
	return shots->checksum == expected
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, from, "is damaged: its shots are not those of the checkpoint");
}

static sonde_status create(struct shots *shots)
{
	shots->created = true;
	CHECK(hdf5_writer_create_at(&shots->writer, shots->part));
	shots->file = open(shots->part, O_RDWR | O_CLOEXEC);
	if (shots->file < 0)
		return fail(shots->part, "written");
	return write_beginning(shots);
}

/* The earlier file stays under its name until all of its shots are in the new one. */
static sonde_status take_earlier(struct shots *shots, int64_t done)
{
	char *earlier = shots->part;
	const int file = open(earlier, O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return status_fail_file(SONDE_INVALID, earlier,
					"cannot be read: %s; it has the shots of the checkpoint", strerror(errno));
	shots->part = NULL;
	sonde_status status = append_suffix(earlier, ".new", &shots->part);
	if (status == SONDE_OK)
		status = create(shots);
	if (status == SONDE_OK)
		status = copy_shots(shots, file, earlier, done);
	close(file);
	/* the checkpoint knows the place of the earlier one */
	if (status == SONDE_OK && shots->place != shots->earlier_place)
		status = status_fail(SONDE_INTERNAL, "the shots have another place in the file");
	if (status == SONDE_OK && rename(shots->part, earlier) != 0)
		status = fail(earlier, "replaced");
	if (status != SONDE_OK) {
		free(earlier);
		return status;
	}
	free(shots->part);
	shots->part = earlier;
	hdf5_writer_moved(shots->writer, earlier);
	shots->kept = true;
	return SONDE_OK;
}

sonde_status shots_open(struct shots *shots, int64_t done)
{
	return done > 0 ? take_earlier(shots, done) : create(shots);
}

/* The end -------------------------------------------------------------------------------------------------------- */

static sonde_status give_name(struct shots *shots)
{
	if (shots->overwrite) {
		if (rename(shots->part, shots->path) != 0)
			return fail(shots->path, "written");
	} else {
		if (link(shots->part, shots->path) != 0)
			return errno == EEXIST ? status_fail_file(SONDE_INVALID, shots->path, "exists already")
					       : fail(shots->path, "written");
		(void)unlink(shots->part);
	}
	return SONDE_OK;
}

sonde_status shots_finish(struct shots *shots, const sonde_pattern_result *result)
{
	CHECK(pattern_write_entries(shots->writer, result));
	hdf5_writer_room_filled(shots->writer, STACK, shots->checksum);
	CHECK(hdf5_writer_close(&shots->writer, shots->part));
	CHECK(fsync(shots->file) == 0 ? SONDE_OK : fail(shots->part, "written"));
	CHECK(give_name(shots));
	close(shots->file);
	shots->file = -1;
	shots->created = false;
	return SONDE_OK;
}
