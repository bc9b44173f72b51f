/* Results of sonde match as text. */
#ifndef SONDE_MATCH_MATCH_TABLE_H
#define SONDE_MATCH_MATCH_TABLE_H

#include <stdbool.h>

#include "base/text.h"
#include "match/match.h"

/* One row per weight, or, of a series, per curve; columns separated by commas or blanks. */
void match_table_append(const struct match_result *result, bool csv, struct text *text);

#endif
