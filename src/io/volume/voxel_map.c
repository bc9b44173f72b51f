#include "io/volume/voxel_map.h"

#include <math.h>
#include <stdlib.h>

#include "io/containers/hdf5.h"

#define MOST_VOXELS ((int64_t)1 << 30)
#define MOST_LENGTH 1e10 /* Angstrom */
#define LEAST_SPACING 1e-3

static const char materials[] = "/voxels/materials", permittivities[] = "/voxels/permittivities";

void voxel_map_free(struct voxel_map *map)
{
	free(map->materials);
	free(map->permittivities);
	*map = (struct voxel_map){.counts = {0}};
}

void voxel_map_place(const struct voxel_map *map, double scale, const double shift[3], double origin[3],
		     double spacing[3])
{
	for (int a = 0; a < 3; ++a) {
		const double first =
		    map->has_origin ? map->origin[a] : -0.5 * map->spacing[a] * (double)map->counts[a];
		spacing[a] = scale * map->spacing[a];
		origin[a] = scale * first + shift[a];
	}
}

/* One number for all or three. */
static sonde_status read_three(struct hdf5_reader *reader, const char *path, const char *dataset, bool any_unit,
			       double *numbers)
{
	double *values;
	int64_t count;

	CHECK(hdf5_reader_reals(reader, dataset, &values, &count));
	bool right = count == 1 || count == 3;
	for (int k = 0; right && k < 3; ++k) {
		numbers[k] = values[count == 1 ? 0 : k];
		right = isfinite(numbers[k]) && (any_unit || fabs(numbers[k]) < MOST_LENGTH);
	}
	free(values);
	return right ? SONDE_OK
		     : status_fail_file(SONDE_INVALID, path, "%s must be one number or three%s", dataset,
					any_unit ? "" : ", in Angstrom");
}

static sonde_status read_place(struct hdf5_reader *reader, const char *path, bool any_unit, struct voxel_map *map)
{
	CHECK(read_three(reader, path, "/voxels/spacing", any_unit, map->spacing));
	for (int k = 0; k < 3; ++k)
		if (!(any_unit ? map->spacing[k] > 0.0 : map->spacing[k] >= LEAST_SPACING))
			return status_fail_file(SONDE_INVALID, path, "/voxels/spacing must be above %s",
						any_unit ? "0" : "1e-3 Angstrom");
	map->has_origin = hdf5_reader_has(reader, "/voxels/origin");
	return map->has_origin ? read_three(reader, path, "/voxels/origin", any_unit, map->origin) : SONDE_OK;
}

static sonde_status read_sizes(struct hdf5_reader *reader, const char *path, const char *dataset,
			       struct voxel_map *map)
{
	int64_t sizes[3];
	int rank;

	if (!hdf5_reader_has(reader, dataset) || !hdf5_reader_has(reader, "/voxels/spacing"))
		return status_fail(SONDE_INVALID, "voxels: %s has no %s and /voxels/spacing", path, dataset);
	CHECK(hdf5_reader_sizes(reader, dataset, 3, sizes, &rank));
	if (rank != 3 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1 ||
	    (double)sizes[0] * (double)sizes[1] * (double)sizes[2] > (double)MOST_VOXELS)
		return status_fail(SONDE_INVALID,
				   "voxels: %s: %s must have three sizes, [z, y, x], and at "
				   "most 2^30 numbers",
				   path, dataset);
	for (int k = 0; k < 3; ++k)
		map->counts[k] = sizes[2 - k];
	return SONDE_OK;
}

static sonde_status read_values(struct hdf5_reader *reader, const char *path, bool of_materials,
				struct voxel_map *map)
{
	int64_t count;

	if (of_materials)
		return hdf5_reader_integers(reader, materials, &map->materials, &count);
	CHECK(hdf5_reader_reals(reader, permittivities, &map->permittivities, &count));
	for (int64_t n = 0; n < count; ++n)
		if (!isfinite(map->permittivities[n]))
			return status_fail(SONDE_INVALID, "voxels: %s: voxel %lld has no finite permittivity", path,
					   (long long)n);
	return SONDE_OK;
}

sonde_status voxel_map_read(const char *path, bool or_permittivities, bool any_unit, struct voxel_map *map)
{
	struct hdf5_reader *reader;

	*map = (struct voxel_map){.counts = {0}};
	CHECK(hdf5_reader_open(&reader, path));
	const bool of_materials =
	    hdf5_reader_has(reader, materials) || !or_permittivities || !hdf5_reader_has(reader, permittivities);
	sonde_status status = read_sizes(reader, path, of_materials ? materials : permittivities, map);
	if (status == SONDE_OK)
		status = read_place(reader, path, any_unit, map);
	if (status == SONDE_OK)
		status = read_values(reader, path, of_materials, map);
	hdf5_reader_close(&reader);
	return status;
}
