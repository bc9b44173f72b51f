#include "run/provenance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/memory.h"
#include "parallel/parallel.h"

#define LARGEST_FILE (16 << 20) /* of a job, to be stored */
#define GZIP 0x1f               /* its first byte */

sonde_status provenance_read_job_file(const char *path, char **kept)
{
	struct stat about;
	/* to open a pipe would wait for someone who writes to it */
	const bool exists = path != NULL && stat(path, &about) == 0 && S_ISREG(about.st_mode);
	FILE *file = exists ? fopen(path, "rbe") : NULL;
	struct text text = {0};
	char block[4096];
	size_t got;

	*kept = NULL;
	if (file == NULL)
		return exists && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO)
			   ? status_fail_file(SONDE_RESOURCE, path, "cannot be read again: %s", strerror(errno))
			   : SONDE_OK;
	while ((got = fread(block, 1, sizeof block, file)) > 0 && text.size < LARGEST_FILE)
		text_append(&text, "%.*s", (int)got, block);
	const bool failed = ferror(file) != 0;
	fclose(file);
	if (!failed && text_status(&text) == SONDE_OK && text.size > 0 && text.bytes[0] != GZIP) {
		*kept = text.bytes;
		return SONDE_OK;
	}
	const sonde_status status =
	    failed ? status_fail_file(SONDE_RESOURCE, path, "cannot be read again: reading failed")
		   : text_status(&text);
	text_free(&text);
	return status;
}

/* The first device, and the number of others, those of other ranks included. */
static sonde_status describe_devices(sonde_context *context, sonde_device_description *description)
{
	const int ranks = parallel_size(context_ranks(context));
	struct device_count count;
	struct device *first;

	CHECK(context_device(context, &first));
	CHECK(context_count_devices(context, &count));
	device_identify(first, description);
	size_t size = strlen(description->model);
	if (count.all > 1)
		snprintf(description->model + size, sizeof description->model - size, " and %d more", count.all - 1);
	size = strlen(description->model);
	if (ranks > 1)
		snprintf(description->model + size, sizeof description->model - size, " of %d ranks", ranks);
	return SONDE_OK;
}

sonde_status provenance_begin(const sonde_context *context, const char *sample, const char *sha256,
			      struct provenance *provenance)
{
	clock_now(provenance->started);
	snprintf(provenance->sha256, sizeof provenance->sha256, "%s", sha256 != NULL ? sha256 : "");
	CHECK(memory_copy_text(context_command(context), &provenance->command, "text"));
	if (context_job_file(context) != NULL)
		CHECK(memory_copy_text(context_job_file(context), &provenance->job_file, "text"));
	return memory_copy_text(sample, &provenance->sample, "text");
}

sonde_status provenance_make(sonde_context *context, const char *sample, const char *sha256,
			     struct provenance *provenance)
{
	CHECK(provenance_begin(context, sample, sha256, provenance));
	return describe_devices(context, &provenance->device);
}

void provenance_end(sonde_context *context, struct provenance *provenance)
{
	provenance->peak_memory = memory_peak();
	free(provenance->notes);
	provenance->notes = context_copy_notes(context);
}

void provenance_free(struct provenance *provenance)
{
	free(provenance->notes);
	free(provenance->job_file);
	free(provenance->command);
	free(provenance->sample);
	*provenance = (struct provenance){0};
}

void provenance_append_option(struct text *text, const struct option_row *row, const void *options)
{
	char flag[64];

	text_append(text, "%s = ", option_flag(row, flag));
	option_print(row, options, text);
	if (row->unit[0] != '\0')
		text_append(text, " %s", row->unit);
}

void provenance_append_origin(struct text *text, const struct provenance *provenance, const char *engine)
{
	text_append(text, "# sonde %s, %s, %s\n", sonde_version(), engine, provenance->started);
	if (provenance->command[0] != '\0')
		text_append(text, "# command: %s\n", provenance->command);
	if (provenance->sample[0] != '\0')
		text_append(text, "# sample: %s%s%s\n", provenance->sample,
			    provenance->sha256[0] != '\0' ? " sha256 " : "", provenance->sha256);
}

void provenance_append_options(struct text *text, const struct option_table *table, const void *options)
{
	text_append(text, "# options:");
	for (size_t k = 0; k < table->count; ++k) {
		text_append(text, k > 0 ? ", " : " ");
		provenance_append_option(text, &table->rows[k], options);
	}
	text_append(text, "\n");
}

void provenance_append_device(struct text *text, const struct provenance *provenance, double seconds)
{
	text_append(text, "# device: %s, %s, %lld threads; %.3g s\n", provenance->device.model,
		    provenance->device.instructions, (long long)provenance->device.threads, seconds);
}

void provenance_write_entry(struct hdf5_writer *writer, const struct provenance *provenance, const char *engine,
			    const char *title, const char *plot)
{
	char entry[64], path[96];

	snprintf(entry, sizeof entry, "/%.32s", engine);
	hdf5_writer_group(writer, "/", "NXroot");
	hdf5_writer_text_attribute(writer, "/", "default", engine);
	hdf5_writer_text_attribute(writer, "/", "creator", "sonde " SONDE_VERSION);
	hdf5_writer_text_attribute(writer, "/", "file_time", provenance->started);
	hdf5_writer_group(writer, entry, "NXentry");
	hdf5_writer_text_attribute(writer, entry, "default", plot);
	snprintf(path, sizeof path, "%s/title", entry);
	hdf5_writer_text(writer, path, title);
	snprintf(path, sizeof path, "%s/start_time", entry);
	hdf5_writer_text(writer, path, provenance->started);
}

void provenance_write_sample(struct hdf5_writer *writer, const struct provenance *provenance, const char *group)
{
	char path[96];

	hdf5_writer_group(writer, group, "NXsample");
	snprintf(path, sizeof path, "%.64s/name", group);
	hdf5_writer_text(writer, path, provenance->sample);
	snprintf(path, sizeof path, "%.64s/sha256", group);
	hdf5_writer_text(writer, path, provenance->sha256);
}

static void write_options(struct hdf5_writer *writer, const char *group, const struct option_table *table,
			  const void *options, struct text *text)
{
	char path[160];
	const size_t before = (size_t)snprintf(path, sizeof path, "%.64s/", group);

	hdf5_writer_group(writer, group, "NXparameters");
	for (size_t k = 0; k < table->count; ++k) {
		const struct option_row *row = &table->rows[k];
		text->size = 0;
		option_print(row, options, text);
		(void)option_flag(row, path + before); /* at most 64 bytes */
		hdf5_writer_text(writer, path, text->size > 0 ? text->bytes : "");
		hdf5_writer_text_attribute(writer, path, "units", row->unit);
	}
}

sonde_status provenance_write_process(struct hdf5_writer *writer, const struct provenance *provenance,
				      const struct option_table *table, const void *options, double seconds)
{
	const sonde_device_description *device = &provenance->device;
	const char *const texts[][2] = {{"program", "sonde"},
					{"version", sonde_version()},
					{"command", provenance->command},
					{"date", provenance->started}};
	struct text text = {0};
	char group[64], path[128];

	snprintf(group, sizeof group, "/%.32s/process", table->name);
	hdf5_writer_group(writer, group, "NXprocess");
	for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
		snprintf(path, sizeof path, "%s/%s", group, texts[k][0]);
		hdf5_writer_text(writer, path, texts[k][1]);
	}
	if (device->model[0] != '\0') /* of runs on devices */
		text_append(&text, "%s, %s, %lld threads", device->model, device->instructions,
			    (long long)device->threads);
	snprintf(path, sizeof path, "%s/device", group);
	hdf5_writer_text(writer, path, text.bytes != NULL ? text.bytes : "");
	snprintf(path, sizeof path, "%s/seconds", group);
	hdf5_writer_real(writer, path, seconds, "s");
	snprintf(path, sizeof path, "%s/peak_memory", group);
	hdf5_writer_real(writer, path, (double)provenance->peak_memory, "byte");
	if (provenance->notes != NULL) {
		snprintf(path, sizeof path, "%s/notes", group);
		hdf5_writer_text(writer, path, provenance->notes);
	}
	if (provenance->job_file != NULL) {
		snprintf(path, sizeof path, "%s/job_file", group);
		hdf5_writer_text(writer, path, provenance->job_file);
	}
	snprintf(path, sizeof path, "%s/options", group);
	write_options(writer, path, table, options, &text);
	sonde_status status = text_status(&text);
	text_free(&text);
	return status;
}
