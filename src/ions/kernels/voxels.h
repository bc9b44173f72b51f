/* A map of voxels: the region at a position, and where a flight meets another one. */
#ifndef SONDE_IONS_VOXELS_H
#define SONDE_IONS_VOXELS_H

#include "ions/kernels/surfaces.h"

/* Index of a voxel along an axis, -1 and the count beyond the ends; -1 for NaN, such as 0/0 without
 * voxels. */
DEVICE_FUNCTION int voxel_along(const GLOBAL struct ions_job *job, const u32 axis, f64 place)
{
	const f64 number = (place - job->voxel_first[axis]) / job->voxel_nm[axis];

	return number >= 0.0 ? (number < (f64)job->voxels[axis] ? (int)number : (int)job->voxels[axis]) : -1;
}

/* The region of a voxel; job->regions: outside the voxels. */
DEVICE_FUNCTION u32 voxel_region(const struct run *run, int i, int j, int k)
{
	const GLOBAL struct ions_job *const job = run->job;
	const int x = (int)job->voxels[0], y = (int)job->voxels[1], z = (int)job->voxels[2];

	if (job->voxel_materials == 0u || i < 0 || j < 0 || k < 0 || i >= x || j >= y || k >= z)
		return job->regions;
	const u64 index = ((u64)k * (u64)y + (u64)j) * (u64)x + (u64)i;
	const u32 number = (run->voxels[index / 4u] >> (8u * (u32)(index % 4u))) & 255u;
	return number == VOXEL_NONE ? job->regions : job->layers + job->bodies + number;
}

/* The surface perpendicular to an axis, met by a flight along `by`. */
DEVICE_FUNCTION void set_face(struct met_surface *surface, f64 part, const u32 face, const f64 by[3])
{
	const f32 along = by[face] < 0.0 ? -1.0f : 1.0f;

	surface->part = part;
	surface->normal_x = face == 0u ? along : 0.0f;
	surface->normal_y = face == 1u ? along : 0.0f;
	surface->normal_z = face == 2u ? along : 0.0f;
}

/* Where a flight through voxels meets another material or their end, or a flight through layers enters voxels. */
DEVICE_FUNCTION void meet_voxels(const struct run *run, const struct flights *f, const u32 h,
				 struct met_surface *surface)
{
	const GLOBAL struct ions_job *const job = run->job;
	const u32 inside = f->layer[h] >= job->layers + job->bodies ? 1u : 0u,
		  here = inside != 0u ? f->layer[h] : job->regions;
	f64 from[3], by[3], begin = 0.0, end = 1.0, first, last;
	int at[3];

	from[0] = f->x[h];
	from[1] = f->y[h];
	from[2] = f->z[h];
	by[0] = f->next_x[h] - f->x[h];
	by[1] = f->next_y[h] - f->y[h];
	by[2] = f->next_z[h] - f->z[h];
	if (inside == 0u) {
		u32 face = 0;
		for (u32 k = 0; k < 3u; ++k) {
			const f64 size = 0.5 * job->voxel_nm[k] * (f64)job->voxels[k];
			cut_slab((from[k] - job->voxel_first[k] - size) / size, by[k] / size, &first, &last);
			face = first > begin ? k : face;
			begin = first > begin ? first : begin;
			end = last < end ? last : end;
		}
		if (begin > end || begin >= surface->part || (begin <= 0.0 && job->voxel_gaps == 0u))
			return;
		for (u32 k = 0; k < 3u; ++k) {
			const int number = voxel_along(job, k, from[k] + begin * by[k]);
			at[k] = number < 0 ? 0 : number < (int)job->voxels[k] ? number : (int)job->voxels[k] - 1;
		}
		if (job->voxel_gaps == 0u || (begin > 0.0 && voxel_region(run, at[0], at[1], at[2]) != here)) {
			set_face(surface, begin, face, by);
			return;
		}
	} else {
		for (u32 k = 0; k < 3u; ++k)
			at[k] = voxel_along(job, k, from[k]);
	}
	for (;;) {
		u32 face = 0;
		end = 2.0;
		for (u32 k = 0; k < 3u; ++k) {
			const f64 wall =
			    job->voxel_first[k] + (f64)(at[k] + (by[k] > 0.0 ? 1 : 0)) * job->voxel_nm[k];
			const f64 part = by[k] != 0.0 ? (wall - from[k]) / by[k] : 2.0;
			face = part < end ? k : face;
			end = part < end ? part : end;
		}
		if (end >= surface->part || end >= 1.0)
			return;
		at[face] += by[face] > 0.0 ? 1 : -1;
		/* through gaps, and out of the map */
		if (inside == 0u && (at[face] < 0 || at[face] >= (int)job->voxels[face]))
			return;
		if (voxel_region(run, at[0], at[1], at[2]) == here)
			continue;
		set_face(surface, end < 0.0 ? 0.0 : end, face, by);
		return;
	}
}

#endif
