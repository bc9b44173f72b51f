/* Lists of structures with weights: tables in CSV. */
#ifndef SONDE_MATTER_SAMPLES_SAMPLE_LIST_H
#define SONDE_MATTER_SAMPLES_SAMPLE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct listed_sample {
	char *path;
	double weight; /* above 0 */
	int64_t line;
};

/* Begins as {0}. */
struct sample_list {
	struct listed_sample *samples;
	size_t count, capacity;
};

/* Reads a table with a row of names: `file`, relative to the folder of the table, and `weight`, numbers of at least 0;
 * other columns are not used, and neither are rows of weight 0. Freed by sample_list_free(), also after a failure. */
sonde_status sample_list_read(const char *path, struct sample_list *list);
void sample_list_free(struct sample_list *list);

#endif
