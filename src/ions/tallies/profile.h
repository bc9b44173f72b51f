/* Results against depth, and what a fluence makes of them. */
#ifndef SONDE_IONS_TALLIES_PROFILE_H
#define SONDE_IONS_TALLIES_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "sonde/ions.h"

/* True if there is more than one cell at a depth. */
bool ions_is_map(const sonde_ions_result *result);

/* Adds to values[size[0]] the sums over y and z of the tallies of that name, per ion and Angstrom of depth: those of the kind
 * `of` of atoms, or of all kinds if it is null. `errors`, unless null, get the sums of the standard errors: those of one tally of
 * one cell at a depth exactly, else a bound, because what a history does in several places goes together. */
void ions_profile_add(const sonde_ions_result *result, const char *name, const char *of, double *values,
		      double *errors);

/* The tallies that are vacancies together; both are the same one where only ions were followed, whose cascades Norgett, Robinson
 * and Torrens' formula counts. */
void ions_vacancy_names(const sonde_ions_result *result, const char *names[2]);

/* What options.fluence brings, against depth. */
enum ions_dose_column {
	DOSE_CONCENTRATION, /* of implanted ions, atoms/cm^3 */
	DOSE_VACANCIES,     /* for an atom of the target: dpa */
	DOSE_NRT,
	DOSE_ARC,
	DOSE_COLUMNS
};
extern const struct ions_dose_name {
	const char *name, *unit, *meaning;
} ions_dose_names[DOSE_COLUMNS];

/* *dose: for each column size[0] values and then as many errors (as ions_profile_add() has them); to be freed. Depths without
 * atoms have no dpa. */
sonde_status ions_dose(const sonde_ions_result *result, double **dose);

/* A name for a column or a dataset: letters, digits and underlines. `size` bytes are enough for as many letters. */
void ions_plain_name(const char *text, char *name, size_t size);

#endif
