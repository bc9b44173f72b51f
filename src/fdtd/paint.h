/* Bodies painted onto the media of the grid: each edge (and face) has the medium of the last body that its middle is in. */
#ifndef SONDE_FDTD_PAINT_H
#define SONDE_FDTD_PAINT_H

#include "fdtd/medium.h"
#include "fdtd/shape.h"

/* Where node 0 is, and how far nodes are apart, in the shapes' unit. */
struct paint_frame {
	double origin[3], spacing[3];
};

/* Edges get medium `number`; so do faces, where there are any. Rows are painted by all threads. */
sonde_status paint_shape(const struct fdtd_grid *grid, const struct paint_frame *frame, const struct shape *shape,
			 uint16_t number, struct media *media);

#endif
