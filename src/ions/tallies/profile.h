/* Results against depth, and their values for a fluence. */
#ifndef SONDE_IONS_TALLIES_PROFILE_H
#define SONDE_IONS_TALLIES_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "sonde/ions.h"

/* True if there is more than one cell per depth. */
bool ions_is_map(const sonde_ions_result *result);

/* Adds to values[size[0]] the sums over y and z of the tallies of this name, per ion and Angstrom of depth: those
 * of the kind `of` of atoms, or of all kinds if it is null. `errors`, unless null, get the sums of the standard
 * errors: exact for one tally of one cell per depth, otherwise a bound, because contributions of a history in
 * several places are correlated. */
void ions_profile_add(const sonde_ions_result *result, const char *name, const char *of, double *values,
		      double *errors);

/* The tallies that add up to vacancies; both are the same if only ions were followed, with cascades counted by the
 * formula of Norgett, Robinson and Torrens. */
void ions_vacancy_names(const sonde_ions_result *result, const char *names[2]);

/* Quantities for options.fluence, against depth. */
enum ions_dose_column {
	DOSE_CONCENTRATION, /* of implanted ions, atoms/cm^3 */
	DOSE_VACANCIES,     /* per atom of the target: dpa */
	DOSE_NRT,
	DOSE_ARC,
	DOSE_COLUMNS
};
extern const struct ions_dose_name {
	const char *name, *unit, *meaning;
} ions_dose_names[DOSE_COLUMNS];

/* *dose: for each column size[0] values followed by as many errors (those of ions_profile_add()); to be freed.
 * Depths without atoms have no dpa. */
sonde_status ions_dose(const sonde_ions_result *result, double **dose);

/* A name for a column or a dataset: letters, digits and underlines. `size` bytes suffice for as many letters. */
void ions_plain_name(const char *text, char *name, size_t size);

#endif
