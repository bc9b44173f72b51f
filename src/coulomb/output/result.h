/* Internal interface of the files that write results. The public one is sonde/coulomb.h. */
#ifndef SONDE_COULOMB_OUTPUT_RESULT_H
#define SONDE_COULOMB_OUTPUT_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "run/provenance.h"
#include "sonde/coulomb.h"

/* The method of the result, in a word or two. */
const char *coulomb_method_name(const sonde_coulomb_result *result);
/* A line for the potential, one for the field, and one with the number of points; each preceded by `before`. */
void coulomb_append_errors(const sonde_coulomb_result *result, const char *before, struct text *text);
/* Writes " of set 2", or "" for a single set, into `name`, which is returned. */
const char *coulomb_set_name(const sonde_coulomb_result *result, int set, char name[24]);

/* Whether sonde_coulomb_result_write() supports the file type of `path`. */
sonde_status coulomb_check_format(const char *path);
/* Whether files of this type hold one of several sets of charges each: phi_1.dx, phi_2.dx for phi.dx. */
bool coulomb_file_for_each_set(const char *path, int sets);
/* Whether the file, or the files, can be written: file_check_output(). */
sonde_status coulomb_check_files(const char *path, int sets, bool overwrite);
/* Appends the result as a table, with a header of comments. */
sonde_status coulomb_table_text(const sonde_coulomb_result *result, bool csv, struct text *text);

struct sonde_coulomb_provenance {
	sonde_coulomb_options options; /* the result points to these */
	struct provenance run;
	/* x, y, z and the charge in each set, and the atomic number, of nonzero charges, for files that contain
	 * them */
	double *charges;
	uint8_t *elements;
	int threads; /* of the run */
};

#endif
