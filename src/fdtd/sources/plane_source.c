#include "fdtd/sources/plane_source.h"

#include <math.h>
#include <stdlib.h>

#include "fdtd/grid/layout.h"
#include "fdtd/media/media_part.h"
#include "parallel/parallel.h"

sonde_status source_plane_check(const struct fdtd_grid *grid, const struct source_plane *plane)
{
	if (plane->axis < 0 || plane->axis > 2)
		return status_fail(SONDE_INVALID, "the plane of a source is not perpendicular to an axis");
	if (grid_is_uniform(grid, plane->axis))
		return status_fail(SONDE_INVALID, "the plane of a source is across %c, a uniform axis",
				   "xyz"[plane->axis]);
	if (plane->node < 1 || plane->node > grid->cells[plane->axis] - 1)
		return status_fail(
		    SONDE_INVALID,
		    "the plane of a source is at node %d along %c: there must be a cell on either side "
		    "of it, nodes 1 to %d",
		    plane->node, "xyz"[plane->axis], grid -> cells[plane->axis] - 1);
	for (int a = 0; a < 3; ++a) {
		if (a == plane->axis)
			continue;
		if (plane->low[a] < 0 || plane->high[a] <= plane->low[a] || plane->high[a] > grid->cells[a])
			return status_fail(
			    SONDE_INVALID,
			    "the plane of a source reaches from node %d to %d along %c, where the grid "
			    "has 0 to %d",
			    plane->low[a], plane->high[a], "xyz"[a], grid -> cells[a]);
	}
	return SONDE_OK;
}

void source_plane_range(const struct fdtd_grid *grid, const struct source_plane *plane, int along, int begin[3],
			int end[3])
{
	for (int a = 0; a < 3; ++a) {
		int first = a == along ? 0 : grid_first_node(grid, a), behind = grid_end_node(grid, a);
		begin[a] = plane->low[a] > first ? plane->low[a] : first;
		end[a] = plane->high[a] + (a == along ? 0 : 1);
		end[a] = end[a] < behind ? end[a] : behind;
	}
	begin[plane->axis] = plane->node;
	end[plane->axis] = plane->node + 1;
}

uint64_t source_plane_edge(const struct fields *fields, int along, const int node[3])
{
	return fields_place(fields, along, node[0], node[1], node[2]);
}

uint64_t source_plane_face(const struct fields *fields, const struct source_plane *plane, int along, bool forward,
			   const int node[3])
{
	int beside[3] = {node[0], node[1], node[2]};

	beside[plane->axis] -= forward ? 1 : 0;
	return fields_place(fields, 3 - plane->axis - along, beside[0], beside[1], beside[2]);
}

static sonde_status compare_index(double found, double *index)
{
	if (*index >= 0.0 && fabs(found - *index) > 1e-9)
		return status_fail(
		    SONDE_INVALID,
		    "the plane of a source goes through media with indices %.6g and %.6g: move it into "
		    "one of them",
		    *index, found);
	*index = found;
	return SONDE_OK;
}

/* Index of refraction of one row of edges; *index is negative before the first row. */
static sonde_status index_of_edge(const struct media *media, int along, size_t at, double *index)
{
	const struct medium *medium = &media->media[media_number(media->edges[along], at)];
	double found = sqrt(medium->permittivity);

	if (medium->collector)
		return status_fail(SONDE_INVALID, "the plane of a source passes within two cells of a curved or "
						  "slanted surface: move it away from there");
	if (medium->conductor || medium->poles > 0 || medium->conductivity != 0.0 || !(found > 0.0))
		return status_fail(SONDE_INVALID, "the plane of a source goes through a medium that absorbs, "
						  "conducts or disperses: move it elsewhere");
	return compare_index(found, index);
}

static bool is_magnetic(const struct media *media, int component, size_t at)
{
	const struct media_numbers *numbers = media->faces[component];

	if (numbers == NULL)
		return false;
	const struct medium *medium = &media->media[media_number(numbers, at)];
	return medium->permeability != 1.0 || medium->magnetic_conductivity != 0.0;
}

/* In the planes of this rank; negative if none of the edges is there. */
static sonde_status index_here(const struct fdtd_grid *grid, const struct media *media,
			       const struct source_plane *plane, double *index)
{
	const struct plane_span own = media_part_own(grid, &media->part);
	int begin[3], end[3], node[3];

	*index = -1.0;
	CHECK(source_plane_check(grid, plane));
	for (int along = 0; along < 3; ++along) {
		source_plane_range(grid, plane, along, begin, end);
		begin[0] = begin[0] > own.begin ? begin[0] : own.begin;
		end[0] = end[0] < own.end ? end[0] : own.end;
		for (node[0] = begin[0]; node[0] < end[0] && along != plane->axis; ++node[0])
			for (node[1] = begin[1]; node[1] < end[1]; ++node[1])
				for (node[2] = begin[2]; node[2] < end[2]; ++node[2]) {
					size_t at = media_at(grid, node[0], node[1], node[2]);
					CHECK(index_of_edge(media, along, at, index));
					if (is_magnetic(media, along, at))
						return status_fail(
						    SONDE_INVALID,
						    "the plane of a source goes through a magnetic medium");
				}
	}
	return SONDE_OK;
}

sonde_status source_plane_index(const struct fields *fields, const struct media *media,
				const struct source_plane *plane, double *index)
{
	double here, *all, found = -1.0;
	sonde_status status = SONDE_OK;
	void *bytes;
	size_t size;

	CHECK(index_here(&fields->grid, media, plane, &here));
	CHECK(parallel_gather(media->part.ranks, &here, sizeof here, &bytes, &size));
	all = bytes;
	for (size_t n = 0; n < size / sizeof *all && status == SONDE_OK; ++n) {
		if (all[n] >= 0.0)
			status = compare_index(all[n], &found);
	}
	free(bytes);
	*index = found;
	return status;
}

void plane_source_free(struct plane_source *source)
{
	free(source->terms[0].terms);
	free(source->terms[1].terms);
	*source = (struct plane_source){0};
}
