/* The list of bodies to be painted. */
#include "fdtd/job/painting.h"

#include <stdlib.h>

#include "base/memory.h"

bool job_box_is_inside(const struct job_space *space, const double low[3], const double high[3])
{
	for (int a = 0; a < 3; ++a)
		if (frame_node(&space->frame, a, high[a]) < 0.0 ||
		    frame_node(&space->frame, a, low[a]) > space->grid.cells[a])
			return false;
	return true;
}

void painted_body_free(struct painted_body *body)
{
	shape_free(&body->shape);
	if (body->voxels != NULL)
		voxels_free(body->voxels);
	free(body->voxels);
	for (int a = 0; a < 3; ++a)
		free(body->voxel_media[a]);
	*body = (struct painted_body){.shape = NULL};
}

void painting_free(struct painting *painting)
{
	for (size_t n = 0; n < painting->count; ++n)
		painted_body_free(&painting->bodies[n]);
	free(painting->bodies);
}

sonde_status painting_add(struct painting *painting, struct painted_body *body)
{
	sonde_status status =
	    memory_grow(&painting->bodies, &painting->capacity, painting->count + 1, sizeof *body, "the bodies");

	if (status == SONDE_OK)
		painting->bodies[painting->count++] = *body;
	else
		painted_body_free(body);
	return status;
}
