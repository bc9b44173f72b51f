/* Device memory of bodies in addition to the fields: media with poles have numbers of their own at each edge, and so
 * have curved surfaces of these and of conducting media. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fields/answering.h"
#include "fdtd/job/painting.h"
#include "fdtd/fields/polarisation.h"

#define LINES 48         /* through a body, in each transverse direction */
#define MOST_MEASURED 64 /* bodies whose memory does not depend on it, which represent all */

/* Cells that a body fills, from lines along z, and cells of its surface, estimated from its volume and the size of
 * its box. */
struct extent {
	double volume, surface;
};

static sonde_status measure(const struct job_space *space, const struct painted_body *body, struct extent *extent)
{
	const struct fdtd_frame *frame = &space->frame;
	double low[3], high[3], size[3], length = 0.0;
	struct interval *intervals;
	const int room = shape_room(body->shape);

	shape_bounds(body->shape, low, high);
	for (int a = 0; a < 3; ++a) {
		const double first = frame->origin[a], last = first + space->grid.cells[a] * frame->cell[a];
		if (!frame->flat[a]) {
			low[a] = fmax(low[a], first);
			high[a] = fmin(high[a], last);
		}
		size[a] = frame->flat[a] ? 1.0 : fmax(high[a] - low[a], 0.0) / frame->cell[a];
	}
	CHECK(memory_allocate(&intervals, (size_t)room, sizeof *intervals, "a body"));
	for (int n = 0; n < LINES * LINES; ++n) {
		const int row = n / LINES;
		const double point[3] = {low[0] + (high[0] - low[0]) * (n % LINES + 0.5) / LINES,
					 low[1] + (high[1] - low[1]) * (row + 0.5) / LINES, low[2]};
		const int count = shape_line(body->shape, 2, point, intervals, room);
		for (int k = 0; k < count; ++k)
			length += fmax(fmin(intervals[k].end, high[2]) - fmax(intervals[k].begin, low[2]), 0.0);
	}
	free(intervals);
	const double filled = high[2] > low[2] ? length / (LINES * LINES * (high[2] - low[2])) : 0.0;
	extent->volume = filled * size[0] * size[1] * size[2];
	extent->surface = 0.0;
	for (int a = 0; a < 3; ++a)
		extent->surface +=
		    frame->flat[a] ? 0.0 : 2.0 * pow(filled, 2.0 / 3.0) * size[(a + 1) % 3] * size[(a + 2) % 3];
	return SONDE_OK;
}

sonde_status job_memory_of_bodies(const struct job_space *space, const struct painting *painting, double *bytes,
				  double *surface)
{
	const bool single = space->job->options.precision == SONDE_FDTD_PRECISION_FLOAT32,
		   smooth = space->job->options.average == SONDE_FDTD_AVERAGE_TENSOR;

	double measured = 0.0;

	*bytes = *surface = 0.0;
	for (size_t n = 0; n < painting->count; ++n) {
		const struct painted_body *body = &painting->bodies[n];
		struct extent extent;
		double poles = 0.0, edges = 0.0;
		bool lossy = false;
		for (int a = 0; a < 3 && body->shape != NULL; ++a) {
			const struct medium *medium = &space->media.media[body->numbers[a]];
			poles = fmax(poles, medium->poles);
			edges += medium->poles > 0 ? polarisation_bytes(medium->poles, single) : 0.0;
			lossy |= medium->poles > 0 || medium->conductivity != 0.0;
		}
		if (body->shape == NULL || (!lossy && n >= MOST_MEASURED))
			continue;
		CHECK(measure(space, body, &extent));
		*surface += extent.surface;
		++measured;
		if (!lossy)
			continue;
		*bytes += extent.volume * edges;
		if (smooth && !painting->anisotropic)
			*bytes += extent.surface * answering_bytes((int)poles, single);
	}
	if (measured > 0.0)
		*surface *= (double)painting->count / measured;
	return SONDE_OK;
}
