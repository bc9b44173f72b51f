/* Candidates of several data sets. */
#ifndef SONDE_MATCH_COMMON_H
#define SONDE_MATCH_COMMON_H

#include "match/data_set.h"

/* Candidates that all data sets have: candidate j is number maps[d][j] of set d, or j where the map is null. */
struct common {
	struct data_set *sets;
	int set_count;
	int64_t count;
	int64_t **maps;
};
/* By the keys of the candidates; with one set all of them. Freed by common_free(). */
sonde_status common_make(struct data_set *sets, int set_count, struct common *common);
void common_free(struct common *common);
/* The same with copies of the sets (data_set_copy()), for a thread of its own; the maps stay with the first one. Freed by
 * common_free_copy(), also after a failure. */
sonde_status common_copy(const struct common *common, struct common *copy);
void common_free_copy(struct common *copy);
/* The number of a common candidate in set d. */
int64_t common_number(const struct common *common, int d, int64_t candidate);

#endif
