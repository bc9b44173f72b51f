#include "fdtd/job/boundaries.h"

#include <math.h>

#include "fdtd/media/media_part.h"

#define NONE 1e-9 /* of a component of a direction of length 1 */

static bool is_wall(const struct job_space *space, int axis, int side)
{
	const struct fdtd_grid *grid = &space->grid;

	return !space->frame.flat[axis] && grid->walls[axis][side] != WALL_PERIODIC &&
	       grid->layers[axis][side].cells == 0;
}

static const char *wall_name(const struct job_space *space, int axis, int side)
{
	return space->grid.walls[axis][side] == WALL_CONDUCTOR ? "conductor" : "magnetic wall";
}

static sonde_status refuse_polarization(const struct job_space *space, int axis, int side)
{
	const bool conductor = space->grid.walls[axis][side] == WALL_CONDUCTOR;
	const char name = "xyz"[frame_job_axis(&space->frame, axis)];

	return status_fail_option(SONDE_INVALID, "polarization",
				  "next to the %s at %c-%s a wave must have E along %c %s, or that side stops it: "
				  "periodic sides allow any polarization",
				  wall_name(space, axis, side), name, side == 0 ? "low" : "high", name,
				  conductor ? "only" : "not at all");
}

/* Whether E of length 1 is across a conductor, or along a magnetic wall. */
static bool may_pass(const struct job_space *space, int axis, int side, double across)
{
	return space->grid.walls[axis][side] == WALL_CONDUCTOR ? fabs(across) > 1.0 - NONE : fabs(across) < NONE;
}

/* Checks a wave that propagates into a wall, or out of it. */
static sonde_status check_end(const struct job_space *space, const struct total_field_box *box, int axis, int side,
			      double along)
{
	const char name = "xyz"[frame_job_axis(&space->frame, axis)], *const end = side == 0 ? "low" : "high";

	if ((along > 0.0) != (side == 1))
		return status_fail_option(SONDE_INVALID, "direction",
					  "the wave comes from %c-%s, which is a %s: make that side absorbing", name,
					  end, wall_name(space, axis, side));
	for (int a = 0; a < 3; ++a)
		if (a != axis && (box->faces[a][0] || box->faces[a][1]))
			return status_fail_option(
			    SONDE_INVALID, "direction",
			    "the %s at %c-%s mirrors the wave within its box only, and the mirrored wave "
			    "spreads from its edges: make the sides along %c periodic, or %c-%s absorbing",
			    wall_name(space, axis, side), name, end, "xyz"[frame_job_axis(&space->frame, a)], name,
			    end);
	return SONDE_OK;
}

sonde_status job_check_wave_sides(const struct job_space *space, const struct total_field_box *box,
				  const double direction[3], const double polarization[3])
{
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side) {
			if (!is_wall(space, a, side))
				continue;
			if (fabs(direction[a]) > NONE)
				CHECK(check_end(space, box, a, side, direction[a]));
			else if (!may_pass(space, a, side, polarization[a]))
				return refuse_polarization(space, a, side);
		}
	return SONDE_OK;
}

sonde_status job_check_sheet_sides(const struct job_space *space, const struct source_plane *plane,
				   const double polarization[3])
{
	double length = 0.0;

	for (int a = 0; a < 3; ++a)
		length += a != plane->axis ? polarization[a] * polarization[a] : 0.0;
	if (!(length > 0.0))
		return SONDE_OK; /* is rejected elsewhere */
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side) {
			const int end = side == 0 ? plane->low[a] : plane->high[a];
			if (a == plane->axis || !is_wall(space, a, side) || end != space->frame.inner[a][side])
				continue;
			if (!may_pass(space, a, side, polarization[a] / sqrt(length)))
				return refuse_polarization(space, a, side);
		}
	return SONDE_OK;
}

/* In the planes of this rank. */
static bool is_free_here(const struct job_space *space, const int low[3], const int high[3], int axis, int side)
{
	const struct plane_span own = media_part_own(&space->grid, &space->media.part);
	const int b = (axis + 1) % 3, c = (axis + 2) % 3;

	for (int a = 0; a < 3; ++a) {
		int node[3];
		if (a == axis || space->media.edges[a] == NULL)
			continue;
		node[axis] = side == 0 ? low[axis] : high[axis];
		for (node[b] = low[b]; node[b] < high[b]; ++node[b])
			for (node[c] = low[c]; node[c] < high[c]; ++node[c])
				if (node[0] >= own.begin && node[0] < own.end &&
				    media_number(space->media.edges[a],
						 media_at(&space->grid, node[0], node[1], node[2])) != 0)
					return false;
	}
	return true;
}

sonde_status job_face_is_free(const struct job_space *space, const int low[3], const int high[3], int axis, int side,
			      bool *is_free)
{
	bool any = !is_free_here(space, low, high, axis, side);

	CHECK(media_agree_any(&space->media, &any));
	*is_free = !any;
	return SONDE_OK;
}
