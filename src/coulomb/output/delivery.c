/* Files written slab by slab. */
#include "coulomb/output/delivery.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "coulomb/output/units.h"
#include "io/volume/volume_formats.h"

#define BYTES_OF_TEXT 17.0 /* per number */
#define COMMENTS_TO_COME 600

struct delivery {
	uint64_t potential_sum, field_sum; /* checksums of the written values */
	const sonde_coulomb_result *result;
	/* for a volume, */
	struct volume header;
	struct text comments;
	struct volume_output volume;
	/* or for HDF5, whose library writes everything except the values */
	struct file_output file;
	struct hdf5_writer *writer;
	struct nexus_places places;
	int64_t written; /* number of points */
};

static bool is_nexus(const char *path)
{
	const struct volume_format *format = volume_format(path);

	return format != NULL && strcmp(format->name, "HDF5") == 0;
}

bool delivery_possible(const char *path)
{
	const struct volume_format *format = volume_format(path);

	return format != NULL && (format->begin != NULL || is_nexus(path));
}

bool delivery_mirrored(const char *path)
{
	const struct volume_format *format = volume_format(path);

	return format != NULL && format->reversed;
}

static double bytes_of_point(const sonde_coulomb_result *result, const char *path)
{
	const struct volume_format *format = volume_format(path);
	double numbers = result->options->quantity == SONDE_COULOMB_QUANTITY_BOTH    ? 4.0
			 : result->options->quantity == SONDE_COULOMB_QUANTITY_FIELD ? 3.0
										     : 1.0;

	if (format->text)
		return file_has_suffix(path, ".gz") ? 1.0 : BYTES_OF_TEXT;
	return strcmp(format->name, "MRC") == 0 ? 4.0 : 8.0 * numbers;
}

sonde_status delivery_check_disk(const sonde_coulomb_result *result, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash == NULL ? 1 : (size_t)(slash - path) + 1;
	double needed = (double)result->point_count * bytes_of_point(result, path);
	struct statvfs disk;
	char *folder;

	CHECK(memory_allocate(&folder, length + 1, 1, "a path"));
	memcpy(folder, slash == NULL ? "." : path, length);
	bool known = statvfs(folder, &disk) == 0 && disk.f_blocks > 0;
	free(folder);
	double available = known ? (double)disk.f_bavail * (double)disk.f_frsize : 0.0;
	if (known && needed > available)
		return status_fail_file(
		    SONDE_INVALID, path,
		    "%lld points need %.3g GB and the disk has %.3g GB left; a larger `spacing` or a "
		    "`plane` would fit",
		    (long long)result->point_count, needed * 1e-9, available * 1e-9);
	return SONDE_OK;
}

static sonde_status open_nexus(struct delivery *delivery, const char *path, bool overwrite)
{
	CHECK(file_output_open(&delivery->file, path, overwrite));
	sonde_status status = hdf5_writer_create_at(&delivery->writer, delivery->file.temporary);
	if (status != SONDE_OK && delivery->file.nameless) {
		CHECK(file_output_give_name(&delivery->file));
		status = hdf5_writer_create_at(&delivery->writer, delivery->file.temporary);
	}
	CHECK(status);
	return nexus_begin(delivery->result, delivery->writer, &delivery->places);
}

static sonde_status open_volume(struct delivery *delivery, const char *path, int threads, bool overwrite)
{
	const sonde_coulomb_result *result = delivery->result;

	coulomb_describe_volume(result, &delivery->header);
	coulomb_append_header(result, false, &delivery->comments);
	CHECK(text_status(&delivery->comments));
	delivery->header.charge_count = result->charge_count;
	CHECK(coulomb_charges_of_set(result, 0, &delivery->header.charges));
	delivery->header.comments = delivery->comments.bytes;
	delivery->header.comments_to_come = COMMENTS_TO_COME;
	return volume_output_open(&delivery->volume, path, &delivery->header, coulomb_shows_potential(result),
				  result->options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL, threads, overwrite);
}

sonde_status delivery_open(const sonde_coulomb_result *result, const char *path, int threads, bool overwrite,
			   struct delivery **delivery)
{
	CHECK(memory_allocate(delivery, 1, sizeof **delivery, "a file"));
	**delivery = (struct delivery){.result = result};
	sonde_status status = is_nexus(path) ? open_nexus(*delivery, path, overwrite)
					     : open_volume(*delivery, path, threads, overwrite);
	return status == SONDE_OK ? SONDE_OK : delivery_close(delivery, status);
}

static sonde_status write_at(struct file_output *file, const double *numbers, int64_t count, int64_t at)
{
	const char *bytes = (const char *)numbers;
	size_t left = (size_t)count * sizeof *numbers;

	while (left > 0) {
		ssize_t now = pwrite(fileno(file->stream), bytes, left, at);
		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0) {
			file->reason = now < 0 ? errno : ENOSPC;
			return file_output_fail(file);
		}
		bytes += now;
		left -= (size_t)now;
		at += now;
	}
	return SONDE_OK;
}

sonde_status delivery_add(struct delivery *delivery, const double *potential, const double *field, int64_t count)
{
	const struct nexus_places *places = &delivery->places;
	int64_t bytes = delivery->written * (int64_t)sizeof(double);
	uint64_t first = (uint64_t)delivery->written;

	delivery->written += count;
	if (delivery->writer == NULL)
		return volume_output_add(&delivery->volume, potential, field, count);
	if (places->potential > 0) {
		delivery->potential_sum += checksum_numbers(first, potential, (size_t)count);
		CHECK(write_at(&delivery->file, potential, count, places->potential + bytes));
	}
	if (places->field > 0)
		delivery->field_sum += checksum_numbers(3 * first, field, 3 * (size_t)count);
	return places->field > 0 ? write_at(&delivery->file, field, 3 * count, places->field + 3 * bytes) : SONDE_OK;
}

static sonde_status close_nexus(struct delivery *delivery, sonde_status status)
{
	if (status == SONDE_OK) {
		nexus_filled(delivery->writer, &delivery->places, delivery->potential_sum, delivery->field_sum);
		status = nexus_end(delivery->result, delivery->writer);
	}
	errno = 0;
	if (status == SONDE_OK) {
		status = hdf5_writer_close(&delivery->writer, delivery->file.path);
		if (status != SONDE_OK && errno != 0) /* the library reports that writing failed, but not the cause */
			return file_output_fail(&delivery->file);
	} else {
		hdf5_writer_discard(&delivery->writer);
	}
	return status == SONDE_OK ? file_output_commit(&delivery->file) : status;
}

static sonde_status close_volume(struct delivery *delivery, sonde_status status)
{
	if (status == SONDE_OK && delivery->volume.format != NULL) {
		text_free(&delivery->comments);
		coulomb_append_header(delivery->result, true, &delivery->comments);
		status = text_status(&delivery->comments);
		delivery->header.comments = delivery->comments.bytes;
	}
	return volume_output_close(&delivery->volume, status);
}

sonde_status delivery_close(struct delivery **delivery, sonde_status status)
{
	struct delivery *d = *delivery;

	if (d == NULL)
		return status;
	status = d->writer != NULL ? close_nexus(d, status) : close_volume(d, status);
	file_output_discard(&d->file);
	text_free(&d->comments);
	free(d->header.charges);
	free(d);
	*delivery = NULL;
	return status;
}
