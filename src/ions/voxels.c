/* A map of materials from an HDF5 file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/hdf5.h"
#include "ions/target.h"

#define NM_PER_ANGSTROM 0.1
#define MOST_VOXELS ((int64_t)1 << 30)

static sonde_status parse_materials(const char *text, struct target *target)
{
	int first = target->region_count;

	if (text[0] == '\0')
		return status_fail(SONDE_INVALID,
				   "voxel-materials: what are the voxels made of? For example vacuum/Au");
	for (const char *start = text; *start != '\0';) {
		const char *end = start + strcspn(start, "/");
		char name[MATERIAL_NAME_SIZE + 32];
		if (target->region_count - first == TARGET_MOST_VOXEL_MATERIALS)
			return status_fail(SONDE_INVALID, "voxel-materials: more than %d",
					   TARGET_MOST_VOXEL_MATERIALS);
		if ((size_t)(end - start) >= sizeof name)
			return status_fail(SONDE_INVALID, "voxel-materials: too long a name");
		snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
		sonde_status status = material_parse(name, &target->layers[target->region_count].material);
		if (status != SONDE_OK)
			return status_prefix(status, "voxel-materials");
		++target->region_count;
		start = *end == '/' ? end + 1 : end;
	}
	return SONDE_OK;
}

/* One number for all or three. */
static sonde_status read_three(struct hdf5_reader *reader, const char *path, const char *dataset, double *numbers)
{
	double *values;
	int64_t count;

	CHECK(hdf5_reader_reals(reader, dataset, &values, &count));
	bool right = count == 1 || count == 3;
	for (int k = 0; right && k < 3; ++k) {
		numbers[k] = NM_PER_ANGSTROM * values[count == 1 ? 0 : k];
		right = isfinite(numbers[k]) && fabs(numbers[k]) < 1e9;
	}
	free(values);
	return right ? SONDE_OK
		     : status_fail(SONDE_INVALID, "%s: %s must be one number or three, in Angstrom", path, dataset);
}

static sonde_status read_place(struct hdf5_reader *reader, const char *path, struct target *target)
{
	CHECK(read_three(reader, path, "/voxels/spacing", target->voxel_nm));
	for (int k = 0; k < 3; ++k)
		if (!(target->voxel_nm[k] >= 1e-4))
			return status_fail(SONDE_INVALID, "%s: /voxels/spacing must be above 1e-3 Angstrom", path);
	for (int k = 0; k < 3; ++k)
		target->voxel_first[k] = k == 0 ? 0.0 : -0.5 * target->voxel_nm[k] * (double)target->voxels[k];
	if (!hdf5_reader_has(reader, "/voxels/origin"))
		return SONDE_OK;
	return read_three(reader, path, "/voxels/origin", target->voxel_first);
}

static sonde_status read_sizes(struct hdf5_reader *reader, const char *path, struct target *target)
{
	int64_t sizes[3];
	int rank;

	if (!hdf5_reader_has(reader, "/voxels/materials") || !hdf5_reader_has(reader, "/voxels/spacing"))
		return status_fail(SONDE_INVALID, "voxels: %s has no /voxels/materials and /voxels/spacing", path);
	CHECK(hdf5_reader_sizes(reader, "/voxels/materials", 3, sizes, &rank));
	if (rank != 3 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1 ||
	    (double)sizes[0] * (double)sizes[1] * (double)sizes[2] > (double)MOST_VOXELS)
		return status_fail(SONDE_INVALID,
				   "voxels: %s: /voxels/materials must have three sizes, [z, y, x], and at "
				   "most 2^30 numbers",
				   path);
	for (int k = 0; k < 3; ++k)
		target->voxels[k] = sizes[2 - k];
	return SONDE_OK;
}

static sonde_status read_voxels(struct hdf5_reader *reader, const char *path, int materials, struct target *target)
{
	int64_t *numbers, count;

	CHECK(hdf5_reader_integers(reader, "/voxels/materials", &numbers, &count));
	target->voxel_word_count = ((size_t)count + 3) / 4;
	sonde_status status =
	    memory_allocate(&target->voxel_words, target->voxel_word_count, sizeof(uint32_t), "the voxels");
	for (int64_t n = 0; status == SONDE_OK && n < count; ++n) {
		if (numbers[n] < 0 || numbers[n] >= materials)
			status = status_fail(SONDE_INVALID,
					     "voxels: %s: voxel %lld has material %lld, but --voxel-materials names "
					     "%d, from 0",
					     path, (long long)n, (long long)numbers[n], materials);
		else
			target->voxel_words[n / 4] |= (uint32_t)numbers[n] << (8 * (n % 4));
	}
	free(numbers);
	return status;
}

sonde_status target_read_voxels(const char *path, const char *materials, struct target *target)
{
	struct hdf5_reader *reader;
	int first = target->region_count;

	if (path[0] == '\0')
		return materials[0] == '\0' ? SONDE_OK
					    : status_fail(SONDE_INVALID, "voxel-materials: there are no --voxels");
	CHECK(parse_materials(materials, target));
	CHECK(hdf5_reader_open(&reader, path));
	sonde_status status = read_sizes(reader, path, target);
	if (status == SONDE_OK)
		status = read_place(reader, path, target);
	if (status == SONDE_OK)
		status = read_voxels(reader, path, target->region_count - first, target);
	hdf5_reader_close(&reader);
	for (int k = first; k < target->region_count; ++k) {
		target->layers[k].begin = target->voxel_first[0];
		target->layers[k].end = target->voxel_first[0] + target->voxel_nm[0] * (double)target->voxels[0];
	}
	return status;
}
