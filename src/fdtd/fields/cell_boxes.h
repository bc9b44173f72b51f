/* Sets of cells as boxes: the surroundings of sources and monitors, for two steps at once (step_pairs.h). */
#ifndef SONDE_FDTD_FIELDS_CELL_BOXES_H
#define SONDE_FDTD_FIELDS_CELL_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "fdtd/grid/step_layout.h"

struct cell_box {
	uint32_t begin[3], end[3];
};

struct cell_boxes {
	size_t count, capacity;
	struct cell_box *boxes;
};

/* Places of the fields, with bytes from one to the next. */
struct place_list {
	const void *places;
	size_t stride, count;
};

/* Boxes without overlaps that contain all places of some lists and their neighbors up to `margin` cells away along each axis. */
sonde_status cell_boxes_of_places(const struct fdtd_step *layout, const struct place_list *lists, int count,
				  const uint32_t margin[3], int threads, struct cell_boxes *cells);
/* Adds a box, enlarged by `before` and `behind` cells at its sides and cut at the grid's end. `once`: only the part that is
 * not there yet. Along z boxes have whole work-items. */
sonde_status cell_boxes_add(const struct fdtd_step *layout, struct cell_boxes *cells, const struct cell_box *box,
			    uint32_t before, uint32_t behind, bool once);
sonde_status cell_boxes_add_all(const struct fdtd_step *layout, struct cell_boxes *cells,
				const struct cell_boxes *other, uint32_t before, uint32_t behind, bool once);
uint64_t cell_boxes_volume(const struct cell_boxes *cells);
void cell_boxes_free(struct cell_boxes *cells);

#endif
