/* Maps of materials: boxes of equal size side by side. */
#ifndef SONDE_FDTD_MEDIA_VOXELS_H
#define SONDE_FDTD_MEDIA_VOXELS_H

#include <stdint.h>

#include "fdtd/media/medium.h"
#include "io/volume/voxel_map.h"
#include "matter/shape/atom_balls.h"

/* A voxel that keeps what is below it. */
#define NO_MEDIUM 0xffffu

/* counts[k] voxels along x, y and z, with material numbers, x fastest. Lengths have the unit of the shapes. */
struct voxels {
	int64_t counts[3];
	double origin[3], spacing[3]; /* of the first voxel's lower corner */
	uint16_t *materials;
};

void voxels_free(struct voxels *voxels);
/* The box around them. */
void voxels_bounds(const struct voxels *voxels, double low[3], double high[3]);

/* A map of materials, its lengths (Angstrom) times scale plus shift; without an origin its center is at 0 before
 * that. SONDE_INVALID if a voxel's material is not one of `materials`, from 0 on. To be freed by voxels_free(), also
 * after a failure. */
sonde_status voxels_of_materials(const struct voxel_map *map, int materials, double scale, const double shift[3],
				 struct voxels *voxels);
/* The same for a map of permittivities, which become media of the grid: *numbers, to be freed, for the materials of
 * the voxels. More than 1024 different values are rounded to this many, evenly spaced between the smallest and the
 * largest. SONDE_INVALID if one is below 1, for which the time step is not stable. */
sonde_status voxels_of_permittivities(const struct voxel_map *map, double scale, const double shift[3],
				      struct media *media, struct voxels *voxels, uint16_t **numbers);

/* Takes the cubes of balls of atoms: material 1 inside, else 0. Lengths are scaled and shifted. */
void voxels_of_balls(struct atom_balls *balls, double scale, const double shift[3], struct voxels *voxels);

#endif
