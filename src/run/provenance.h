/* The origin of a result, as recorded in the files of all engines. */
#ifndef SONDE_RUN_PROVENANCE_H
#define SONDE_RUN_PROVENANCE_H

#include "base/options.h"
#include "io/containers/hdf5.h"
#include "run/context.h"

struct provenance {
	char *command;   /* as given by the caller; may be "" */
	char *sample;    /* file or build command; may be "" */
	char sha256[65]; /* of the sample's file; may be "" */
	char started[32];
	sonde_device_description device;
	uint64_t peak_memory;
	char *notes;    /* for the user, one per line; null: none */
	char *job_file; /* text of the job file; null: none */
};

/* The text of a job's own file: the job as interpreted does not contain its comments and units. A pipe cannot be read twice, and a file
 * may be gone: then null. */
sonde_status provenance_read_job_file(const char *path, char **text);

/* Describes a run that begins now, without its devices, of a sample from a file or a build command; `sample` and the digest of the file, `sha256`, may be null. Freed by
 * provenance_free(), also after a failure. */
sonde_status provenance_begin(const sonde_context *context, const char *sample, const char *sha256,
			      struct provenance *provenance);
/* The same with the devices of the context. */
sonde_status provenance_make(sonde_context *context, const char *sample, const char *sha256,
			     struct provenance *provenance);
/* What is known at the end of the run: its notes so far, and the memory. */
void provenance_end(sonde_context *context, struct provenance *provenance);
void provenance_free(struct provenance *provenance);

/* "flag = value unit" of one option. */
void provenance_append_option(struct text *text, const struct option_row *row, const void *options);
/* Lines of comments, each beginning with "# ": program, command and sample, ... */
void provenance_append_origin(struct text *text, const struct provenance *provenance, const char *engine);
/* ... all options in one line ... */
void provenance_append_options(struct text *text, const struct option_table *table, const void *options);
/* ... device and time. */
void provenance_append_device(struct text *text, const struct provenance *provenance, double seconds);

/* provenance_read.c: the data written by the functions below, from a sealed file: the options of the table, which has
 * the engine's name, origin, device and wall time. SONDE_INVALID for files without a seal (of other programs or
 * earlier versions) and of other engines. Freed by provenance_free(), also after a failure. */
sonde_status provenance_read(struct hdf5_reader *reader, const char *path, const struct option_table *table,
			     void *options, struct provenance *provenance, double *seconds);

/* The same in a NeXus file: the entry ENGINE with title and time, its default plot being the group `plot`; */
void provenance_write_entry(struct hdf5_writer *writer, const struct provenance *provenance, const char *engine,
			    const char *title, const char *plot);
/* the sample's group, for one from a file; */
void provenance_write_sample(struct hdf5_writer *writer, const struct provenance *provenance, const char *group);
/* and ENGINE/process, to which an engine adds its own data. */
sonde_status provenance_write_process(struct hdf5_writer *writer, const struct provenance *provenance,
				      const struct option_table *table, const void *options, double seconds);

#endif
