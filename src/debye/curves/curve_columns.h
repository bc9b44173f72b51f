/* The columns of a table, chosen by name. */
#ifndef SONDE_DEBYE_CURVE_COLUMNS_H
#define SONDE_DEBYE_CURVE_COLUMNS_H

#include "debye/debye.h"

#define MOST_COLUMNS 64

/* Labels of species, of atoms or of a result. */
struct column_labels {
	const struct species *of_atoms;
	const sonde_debye_result *of_result;
	int count;
	const char (*blocks)[SONDE_LABEL_SIZE]; /* names of blocks */
	int block_count;
};
static inline const char *column_label(const struct column_labels *labels, int species)
{
	return labels->of_result != NULL ? labels->of_result->species_label[species]
					 : labels->of_atoms[species].label;
}

/* The number of different labels: classes of one species with several occupancies have the same label. */
int column_labels_different(const struct column_labels *labels);
/* Fails unless every name in the list, "q,I,partial_Co_O", is that of a curve; "" is an empty list. */
sonde_status curve_columns_check(const char *list, const struct column_labels *labels,
				 const sonde_debye_options *options);
/* Fails if the run would have no G(r). */
sonde_status curve_columns_need_r(const sonde_debye_options *options);
/* Appends names, in a comment with units, as a header of CSV, or not at all, and the rows; `unit` is that of
 * intensities. */
enum column_style { COLUMNS_NAMED, COLUMNS_CSV, COLUMNS_BARE };
sonde_status curve_columns_append(const sonde_debye_result *result, const char *list, enum column_style style,
				  const char *unit, struct text *text);

#endif
