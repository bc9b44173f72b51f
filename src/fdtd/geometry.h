/* Geometry of a job before it runs: sections through its bodies, and positions of its sources, monitors and layers. */
#ifndef SONDE_FDTD_GEOMETRY_H
#define SONDE_FDTD_GEOMETRY_H

#include <stdbool.h>

#include "sonde/fdtd.h"

/* Positions are in meters along the job's axes, 0, 1, 2 for x, y, z. */
struct geometry_section {
	int axes[2];            /* to the right, and up (-1: a line) */
	int across;             /* the axis normal to the section, at 0; -1: none, the third axis is uniform */
	int64_t count[2];       /* pixels */
	double low[2], step[2]; /* center of the first pixel, and distance between pixels */
	uint16_t *materials;    /* [up][right]: 0 for none, n for name n - 1 */
};

enum geometry_kind {
	GEOMETRY_SOURCE,
	GEOMETRY_MONITOR,
};

/* A point, line, plane or box. */
struct geometry_mark {
	enum geometry_kind kind;
	char label[64];
	double low[3], high[3];
	double direction[3]; /* propagation direction of a source, of length 1; 0 without one */
};

struct fdtd_geometry {
	int section_count;
	struct geometry_section sections[3];
	size_t material_count, mark_count;
	char (*materials)[64]; /* names, as of the bodies */
	struct geometry_mark *marks;
	double low[3], high[3];             /* of the grid, with its layers */
	double inner_low[3], inner_high[3]; /* between them */
};

/* Checks a job and determines its geometry; nothing is painted, so that it takes little memory. To be freed by
 * fdtd_geometry_free(), also after a failure. */
sonde_status fdtd_geometry_make(sonde_context *context, const sonde_fdtd_job *job, struct fdtd_geometry *geometry);
void fdtd_geometry_free(struct fdtd_geometry *geometry);

#endif
