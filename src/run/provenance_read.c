#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/provenance.h"

/* A text of ENGINE/process or another group, into a buffer. */
static sonde_status read_short(struct hdf5_reader *reader, const char *engine, const char *name, char *to,
			       size_t size)
{
	char path[160], *text;

	snprintf(path, sizeof path, "/%.32s/%.100s", engine, name);
	CHECK(hdf5_reader_text(reader, path, &text));
	snprintf(to, size, "%s", text);
	free(text);
	return SONDE_OK;
}

/* "MODEL, INSTRUCTIONS, N threads"; MODEL may contain commas. */
static void take_device(char *text, sonde_device_description *device)
{
	char *threads = strrchr(text, ','), *instructions;

	if (threads == NULL)
		return;
	*threads = '\0';
	instructions = strrchr(text, ',');
	device->threads = strtoll(threads + 1, NULL, 10);
	if (instructions == NULL)
		return;
	*instructions++ = '\0';
	snprintf(device->instructions, sizeof device->instructions, "%.31s",
		 instructions + strspn(instructions, " "));
	snprintf(device->model, sizeof device->model, "%.127s", text);
}

static sonde_status read_origin(struct hdf5_reader *reader, const char *engine, struct provenance *provenance)
{
	char path[96], device[256];

	snprintf(path, sizeof path, "/%.32s/process/command", engine);
	CHECK(hdf5_reader_text(reader, path, &provenance->command));
	snprintf(path, sizeof path, "/%.32s/sample", engine);
	if (hdf5_reader_has(reader, path)) {
		snprintf(path, sizeof path, "/%.32s/sample/name", engine);
		CHECK(hdf5_reader_text(reader, path, &provenance->sample));
		CHECK(read_short(reader, engine, "sample/sha256", provenance->sha256, sizeof provenance->sha256));
	} else {
		CHECK(memory_copy_text(NULL, &provenance->sample, "the result"));
	}
	snprintf(path, sizeof path, "/%.32s/process/notes", engine);
	if (hdf5_reader_has(reader, path))
		CHECK(hdf5_reader_text(reader, path, &provenance->notes));
	snprintf(path, sizeof path, "/%.32s/process/job_file", engine);
	if (hdf5_reader_has(reader, path))
		CHECK(hdf5_reader_text(reader, path, &provenance->job_file));
	CHECK(read_short(reader, engine, "process/date", provenance->started, sizeof provenance->started));
	CHECK(read_short(reader, engine, "process/device", device, sizeof device));
	take_device(device, &provenance->device);
	return SONDE_OK;
}

/* Defaults are kept: some are out of range, which means "not given". */
static sonde_status read_option(struct hdf5_reader *reader, const char *path, const struct option_table *table,
				const struct option_row *row, void *options)
{
	char name[160], flag[64], *there;
	struct text here = {0};

	snprintf(name, sizeof name, "/%.32s/process/options/%s", table->name, option_flag(row, flag));
	CHECK(hdf5_reader_text(reader, name, &there));
	option_print(row, options, &here);
	sonde_status status = text_status(&here);
	if (status == SONDE_OK && strcmp(here.bytes != NULL ? here.bytes : "", there) != 0)
		status = option_parse(row, options, there);
	if (status == SONDE_INVALID)
		status = status_prefix(status, "%s: option %s", path, flag);
	text_free(&here);
	free(there);
	return status;
}

sonde_status provenance_read(struct hdf5_reader *reader, const char *path, const struct option_table *table,
			     void *options, struct provenance *provenance, double *seconds)
{
	const int64_t one = 1;
	char name[96];
	double memory;

	snprintf(name, sizeof name, "/%.32s/process/options", table->name);
	if (!hdf5_reader_has(reader, name))
		return status_fail_file(SONDE_INVALID, path, "is not a result of sonde %s", table->name);
	if (!hdf5_reader_is_sealed(reader))
		return status_fail_file(
		    SONDE_INVALID, path,
		    "has no checksum of the whole file: another program, or an earlier version of "
		    "sonde, wrote it");
	options_set_defaults(table, options);
	for (size_t k = 0; k < table->count; ++k)
		CHECK(read_option(reader, path, table, &table->rows[k], options));
	CHECK(read_origin(reader, table->name, provenance));
	snprintf(name, sizeof name, "/%.32s/process/peak_memory", table->name);
	CHECK(hdf5_reader_exact_reals(reader, name, &one, 1, &memory));
	provenance->peak_memory = memory >= 0.0 && memory < 9e18 ? (uint64_t)memory : 0;
	snprintf(name, sizeof name, "/%.32s/process/seconds", table->name);
	return hdf5_reader_exact_reals(reader, name, &one, 1, seconds);
}
