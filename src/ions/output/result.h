/* Internal interface of the files that write results. The public one is sonde/ions.h. */
#ifndef SONDE_IONS_OUTPUT_RESULT_H
#define SONDE_IONS_OUTPUT_RESULT_H

#include "base/text.h"
#include "run/provenance.h"
#include "sonde/ions.h"

struct ions_sums; /* tallies/sums.h */
struct sonde_ions_provenance {
	sonde_ions_options options; /* the result points to these */
	struct provenance run;
	char *job;              /* ions/checkpoint.h */
	char *bodies;           /* of a job's list, one line each, beginning with "# "; null if there are none */
	struct ions_sums *sums; /* all integers of the result, for resuming; may be null */
};

/* Writing results: result*.c */
sonde_status ions_check_format(const char *path);
sonde_status ions_table_text(const sonde_ions_result *result, bool csv, struct text *text);
sonde_status ions_contents(const void *result, struct hdf5_writer *writer);
sonde_status ions_write_nexus(const sonde_ions_result *result, const char *path, bool overwrite);
/* Lines on layers, bodies and thresholds, each preceded by `before`; lengths in Angstrom, or, with `for_people`,
 * with prefixes. */
/* Ion, mass and energy, of each of several species. */
void ions_append_beam(const sonde_ions_result *result, const char *before, struct text *text);
void ions_append_target(const sonde_ions_result *result, const char *before, bool for_people, struct text *text);
/* A line "electronic stopping: " with its source, preceded by `before`. */
void ions_append_stopping(const sonde_ions_result *result, const char *before, struct text *text);
/* Lines on atoms that leave the target, by kind of atoms and side: leaving.c */
void ions_append_leaving(const sonde_ions_result *result, const char *before, struct text *text);
/* The tally of this name and kind of atoms; null if there is none. */
const sonde_ions_tally *ions_find_tally(const sonde_ions_result *result, const char *name, const char *of);

#endif
