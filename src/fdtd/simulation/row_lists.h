/* Lists of places in the order of planes, and which of them lie in some rows of a plane. */
#ifndef SONDE_FDTD_SIMULATION_ROW_LISTS_H
#define SONDE_FDTD_SIMULATION_ROW_LISTS_H

#include <stddef.h>

#include "fdtd/fields/fields_cpu.h"

/* Places of one row, consecutive in the list, from number `begin` on. */
struct row_run {
	uint32_t row, begin, end;
};

/* The part of a plane is a sequence of segments without gaps, in each of which rows increase: usually one for each
 * component. */
struct row_list {
	uint32_t *first_segment; /* of each plane, one more than planes */
	uint32_t *first_run;     /* of each segment, one more than segments */
	struct row_run *runs;
	size_t segments, run_count, segment_capacity, run_capacity;
};

/* rows: of each place, or ROW_NONE if it does not belong to the list; first_of_plane: planes + 1 numbers. To be released
 * by row_list_free(), also after a failure. */
#define ROW_NONE UINT32_MAX
sonde_status row_list_make(const uint32_t *rows, const uint32_t *first_of_plane, uint32_t planes,
			   struct row_list *list);
void row_list_free(struct row_list *list);

typedef sonde_status row_visitor(void *user, uint32_t begin, uint32_t count);
/* Calls `visit` for all parts of the list in a tile. */
sonde_status row_list_visit(const struct row_list *list, const struct field_tile *tile, row_visitor *visit,
			    void *user);

#endif
