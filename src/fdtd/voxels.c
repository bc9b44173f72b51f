#include "fdtd/voxels.h"

void voxels_bounds(const struct voxels *voxels, double low[3], double high[3])
{
	for (int a = 0; a < 3; ++a) {
		low[a] = voxels->origin[a];
		high[a] = voxels->origin[a] + voxels->spacing[a] * (double)voxels->counts[a];
	}
}
