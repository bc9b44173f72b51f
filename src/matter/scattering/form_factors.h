/* Scattering factors of users: a text file with f(q) by label.
 *
 * Numbers and names are separated by blanks, commas or semicolons; '#' begins a comment. The first row names the columns:
 *
 *     q Au Cl-               a table: q in 1/Angstrom, increasing, and f of each label
 *     0.0 79.0 18.0
 *     ...                     f(q) by form_factor_at()
 *
 *     label a1 b1 a2 b2 c    coefficients: f = c + sum_i a_i exp(-b_i (q/4 pi)^2), up to 5 Gaussians, b in Angstrom^2
 *     Au 16.88 0.46 18.59 8.62 43.5
 *     ...
 */
#ifndef SONDE_MATTER_FORM_FACTORS_H
#define SONDE_MATTER_FORM_FACTORS_H

#include "matter/scattering/scatterer.h"

struct form_factors;

/* Reads a file. Freed by form_factors_free(); null after a failure. */
sonde_status form_factors_read(const char *path, struct form_factors **factors);
void form_factors_free(struct form_factors **factors);

/* The scattering factor of this label, which refers to `factors`; *found is false if the file does not have it. Fails if
 * [q_first, q_last] is not within the table. */
sonde_status form_factors_find(const struct form_factors *factors, const char *label, double q_first, double q_last,
			       struct scatterer *scatterer, bool *found);

#endif
