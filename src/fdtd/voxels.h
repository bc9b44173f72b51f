/* Maps of materials: boxes of equal size side by side. */
#ifndef SONDE_FDTD_VOXELS_H
#define SONDE_FDTD_VOXELS_H

#include <stdint.h>

#include "base/status.h"

/* A voxel that leaves what is below it. */
#define NO_MEDIUM 0xffffu

/* counts[k] voxels along x, y and z, with numbers of materials, x fastest. Lengths have the unit of the shapes. */
struct voxels {
	int64_t counts[3];
	double origin[3], spacing[3]; /* of the first voxel's lower corner */
	uint16_t *materials;
};

/* The box around them. */
void voxels_bounds(const struct voxels *voxels, double low[3], double high[3]);

#endif
