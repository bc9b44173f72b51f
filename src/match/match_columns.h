/* Columns of the tables in result files, for their writer and their reader: numbers of structs in arrays. */
#ifndef SONDE_MATCH_MATCH_COLUMNS_H
#define SONDE_MATCH_MATCH_COLUMNS_H

#include <stddef.h>

struct match_column {
	const char *name, *unit; /* unit: null: that of the curve, or of the parameter */
	size_t offset;
};

/* Each ends with a row whose name is null. Those that a result and a series have of their parameters differ: a series has their values in
 * tables. */
extern const struct match_column match_peak_columns[], match_weight_columns[], match_rank_columns[],
    match_parameter_columns[], match_series_parameter_columns[], match_alone_columns[], match_summary_columns[];

/* Texts of struct library_entry. */
#define MATCH_ENTRY_TEXTS 5
extern const struct match_column match_entry_texts[MATCH_ENTRY_TEXTS];

#endif
