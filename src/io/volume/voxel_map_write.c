#include <math.h>
#include <stddef.h>

#include "io/containers/hdf5.h"
#include "sonde/volume.h"

static sonde_status check_map(const char *path, const int64_t sizes[3], const int64_t *materials,
			      const double *permittivities, const double spacing[3])
{
	if (path == NULL)
		return status_fail(SONDE_INVALID, "a file is needed, its name is null");
	if ((materials == NULL) == (permittivities == NULL))
		return status_fail(SONDE_INVALID, "voxels: either materials or permittivities are needed");
	for (int k = 0; k < 3; ++k) {
		if (sizes[k] < 1)
			return status_fail(SONDE_INVALID, "voxels: the size %lld is not a number of voxels",
					   (long long)sizes[k]);
		if (!(spacing[k] > 0.0) || !isfinite(spacing[k]))
			return status_fail(SONDE_INVALID, "voxels: the spacing %g must be above 0", spacing[k]);
	}
	return SONDE_OK;
}

sonde_status sonde_voxels_write(const char *path, const int64_t sizes[3], const int64_t *materials,
				const double *permittivities, const double spacing[3], const double *origin,
				int overwrite)
{
	struct hdf5_writer *writer;
	const int64_t three = 3;

	CHECK(check_map(path, sizes, materials, permittivities, spacing));
	const int64_t shape[3] = {sizes[2], sizes[1], sizes[0]};
	CHECK(hdf5_writer_create(&writer));
	hdf5_writer_group(writer, "/", "NXroot");
	hdf5_writer_group(writer, "/voxels", "NXcollection");
	hdf5_writer_compress(writer, 1);
	if (materials != NULL)
		hdf5_writer_integer_array(writer, "/voxels/materials", materials, shape, 3,
					  "numbers of materials, from 0");
	else
		hdf5_writer_reals(writer, "/voxels/permittivities", permittivities, shape, 3, "1",
				  "relative permittivities");
	hdf5_writer_reals(writer, "/voxels/spacing", spacing, &three, 1, NULL, "along x, y, z");
	if (origin != NULL)
		hdf5_writer_reals(writer, "/voxels/origin", origin, &three, 1, NULL, "corner of the first voxel");
	return hdf5_writer_finish(&writer, path, overwrite != 0);
}
