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
#include "parallel/parallel.h"
#include "run/shared_file.h"

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
	bool shared; /* by ranks, of which the first one has the writer */
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

static sonde_status open_nexus(struct delivery *delivery, struct parallel *ranks, const char *path, bool overwrite)
{
	CHECK(file_output_open(&delivery->file, path, overwrite));
	CHECK(shared_file_prepare(ranks, &delivery->file));
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

static sonde_status open_first(struct delivery *delivery, struct parallel *ranks, const char *path, int threads,
			       bool overwrite)
{
	return is_nexus(path) ? open_nexus(delivery, ranks, path, overwrite)
			      : open_volume(delivery, path, threads, overwrite);
}

/* With several ranks, all of them. */
static sonde_status join(struct delivery *delivery, sonde_context *context, const char *path)
{
	struct parallel *ranks = context_ranks(context);
	struct nexus_places *places = &delivery->places;
	const int64_t place = places->potential > 0 ? places->potential : places->field;

	CHECK(shared_file_join(ranks, path, place, &delivery->file, &delivery->shared));
	if (!delivery->shared && parallel_is_first(ranks))
		context_notef(context, "the ranks cannot all write to the file: the first one writes all values");
	return delivery->shared ? parallel_broadcast(ranks, places, sizeof *places) : SONDE_OK;
}

sonde_status delivery_open(sonde_context *context, const sonde_coulomb_result *result, const char *path,
			   bool overwrite, struct delivery **delivery)
{
	struct parallel *ranks = context_ranks(context);
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(delivery, 1, sizeof **delivery, "a file"));
	**delivery = (struct delivery){.result = result};
	if (context_writes(context))
		status = open_first(*delivery, ranks, path, context_threads(context), overwrite);
	if (status == SONDE_OK && parallel_size(ranks) > 1 && is_nexus(path) && result->point_count > 1)
		status = join(*delivery, context, path);
	if (status != SONDE_OK)
		return delivery_close(delivery, status);
	if (!context_writes(context) && !(*delivery)->shared)
		return delivery_close(delivery, SONDE_CANCELLED) == SONDE_CANCELLED ? SONDE_OK : SONDE_INTERNAL;
	return SONDE_OK;
}

static sonde_status put(struct delivery *delivery, const double *numbers, int64_t first, int64_t count, int64_t place,
			uint64_t *sum)
{
	const int64_t each = (int64_t)sizeof *numbers;

	*sum += checksum_numbers((uint64_t)first, numbers, (size_t)count);
	return shared_file_put(&delivery->file, numbers, (size_t)(count * each), place + first * each);
}

sonde_status delivery_add(struct delivery *delivery, const double *potential, const double *field, int64_t first,
			  int64_t count)
{
	const struct nexus_places *places = &delivery->places;

	if (delivery->volume.format != NULL)
		return volume_output_add(&delivery->volume, potential, field, count);
	if (places->potential > 0)
		CHECK(put(delivery, potential, first, count, places->potential, &delivery->potential_sum));
	return places->field > 0 ? put(delivery, field, 3 * first, 3 * count, places->field, &delivery->field_sum)
				 : SONDE_OK;
}

bool delivery_is_shared(const struct delivery *delivery)
{
	return delivery != NULL && delivery->shared;
}

sonde_status delivery_settle(struct delivery *delivery, struct parallel *ranks, sonde_status status)
{
	uint64_t sums[2] = {delivery->potential_sum, delivery->field_sum};

	CHECK(shared_file_settle(ranks, &delivery->file, status));
	CHECK(parallel_sum(ranks, sums, 2));
	delivery->potential_sum = sums[0];
	delivery->field_sum = sums[1];
	return SONDE_OK;
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
	if (status == SONDE_OK) {
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
	if (d->writer != NULL)
		status = close_nexus(d, status);
	else if (d->volume.format != NULL)
		status = close_volume(d, status);
	file_output_discard(&d->file);
	text_free(&d->comments);
	free(d->header.charges);
	free(d);
	*delivery = NULL;
	return status;
}
