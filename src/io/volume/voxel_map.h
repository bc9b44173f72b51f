/* Maps of materials from HDF5 files: /voxels/materials, integers [z, y, x], or /voxels/permittivities, numbers [z, y, x]; /voxels/spacing, one
 * number or three (x, y, z), and /voxels/origin, the place of the first voxel's lower corner, in Angstrom. */
#ifndef SONDE_IO_VOXEL_MAP_H
#define SONDE_IO_VOXEL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct voxel_map {
	int64_t counts[3];            /* along x, y, z */
	double spacing[3], origin[3]; /* Angstrom */
	bool has_origin;              /* else the origin is 0 */
	int64_t *materials;           /* x fastest, as in the file; or null */
	double *permittivities;       /* likewise; finite */
};

/* `any_unit`: lengths may be in any unit instead of Angstrom, and are returned as in the file. Materials, or, if the file has none and `or_permittivities` is
 * set, permittivities. To be freed by voxel_map_free(), also after a failure. */
sonde_status voxel_map_read(const char *path, bool or_permittivities, bool any_unit, struct voxel_map *map);
void voxel_map_free(struct voxel_map *map);
/* Where the first voxel's lower corner is, and the spacing: lengths of the file times `scale`, its origin at `shift`. A map without an origin has it
 * in its middle. */
void voxel_map_place(const struct voxel_map *map, double scale, const double shift[3], double origin[3],
		     double spacing[3]);

#endif
