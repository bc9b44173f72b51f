/* Bodies that open a conductor.
 *
 * A conductor's surface belongs to it, so that it is slightly larger than specified. An opening that a later body cuts
 * through a common face has to be enlarged equally there, or a skin that closes the hole would remain. Elsewhere the
 * surface stays the conductor's. */
#include <math.h>

#include "fdtd/job/painting.h"

#define FLUSH 1e-6 /* cells */

void painting_keep_conductor(struct painting *painting, const double low[3], const double high[3])
{
	struct conductor_box *box = &painting->conductors[painting->conductor_count++ % MOST_OPENED];

	for (int a = 0; a < 3; ++a) {
		box->low[a] = low[a];
		box->high[a] = high[a];
	}
}

/* Whether one of the conductors ends at the end of the body. */
static bool is_flush(const struct painting *painting, int axis, int side, double place, double tolerance)
{
	size_t count = painting->conductor_count < MOST_OPENED ? painting->conductor_count : MOST_OPENED;

	for (size_t n = 0; n < count; ++n) {
		const struct conductor_box *box = &painting->conductors[n];
		if (fabs((side == 0 ? box->low[axis] : box->high[axis]) - place) < tolerance)
			return true;
	}
	return false;
}

/* The size of a body along an axis of the job, or null: a height is along its axis. */
static double *length_along(sonde_body_options *body, int u)
{
	const bool has_height = body->shape == SONDE_BODY_SHAPE_CYLINDER || body->shape == SONDE_BODY_SHAPE_CONE ||
				body->shape == SONDE_BODY_SHAPE_PRISM;

	if (body->shape == SONDE_BODY_SHAPE_BOX)
		return u == 0 ? &body->size.x : u == 1 ? &body->size.y : &body->size.z;
	for (int v = 0; v < 3; ++v)
		if (v != u && vector_part(body->axis, v) != 0.0)
			return NULL;
	return has_height ? &body->height : NULL;
}

bool job_open_conductors(const struct job_space *space, const struct painting *painting, const double low[3],
			 const double high[3], double more, sonde_body_options *body, double center[3])
{
	bool opened = false;
	const bool turned = body->rotation.x != 0.0 || body->rotation.y != 0.0 || body->rotation.z != 0.0;

	for (int a = 0; a < 3 && !turned; ++a) {
		double *length = length_along(body, frame_job_axis(&space->frame, a)),
		       tolerance = FLUSH * space->frame.cell[a];
		if (space->frame.flat[a] || length == NULL || !(*length > 0.0))
			continue;
		for (int side = 0; side < 2; ++side)
			if (is_flush(painting, a, side, side == 0 ? low[a] : high[a], tolerance)) {
				*length += 2.0 * more;
				center[a] += side == 0 ? -more : more;
				opened = true;
			}
	}
	return opened;
}
