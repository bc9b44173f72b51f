/* The internal interface of `sonde stopping`. */
#ifndef SONDE_STOPPING_RUN_H
#define SONDE_STOPPING_RUN_H

#include <stdbool.h>

#include "base/options.h"
#include "run/context.h"
#include "matter/materials/material.h"
#include "run/provenance.h"
#include "run/report.h"
#include "sonde/stopping.h"

extern const struct option_table stopping_option_table;

struct sonde_stopping_provenance {
	sonde_stopping_options options; /* the result points to these */
	struct provenance run;          /* without devices */
	char symbol[16], material[MATERIAL_NAME_SIZE];
	char state[16]; /* of the material; "" if its density was given */
	double factor;  /* of the electronic stopping: the material's and that of the options */
};

/* Fails in the cases in which a run fails; *result has its options, target and energies, and no values. */
sonde_status stopping_plan(sonde_context *context, const sonde_stopping_options *options,
			   sonde_stopping_result **result);

/* SONDE_INVALID if no result can be written to a file of that name. */
sonde_status stopping_check_format(const char *path);
/* Appends "electronic stopping: ", its source, and a newline. */
void stopping_append_electronic(const sonde_stopping_result *result, struct text *text);
/* Appends "numerical error: ..." of ranges, and a newline. */
void stopping_append_error(const sonde_stopping_result *result, struct text *text);
/* result_nexus.c: HDF5 files, and their description for `sonde info`. */
sonde_status stopping_contents(const void *result, struct hdf5_writer *writer);
sonde_status stopping_write_nexus(const void *result, const char *path, bool overwrite);
sonde_status stopping_describe(struct hdf5_reader *reader, struct report *report);
sonde_status stopping_table_text(const sonde_stopping_result *result, bool csv, struct text *text);

#endif
