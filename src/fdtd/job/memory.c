/* Device memory of bodies in addition to the fields: media with poles have numbers of their own at each edge, and so
 * have curved surfaces of these and of conducting media. Memory of monitors: their sums over time. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fields/answering.h"
#include "fdtd/fields/polarization.h"
#include "fdtd/job/monitors.h"
#include "fdtd/job/painting.h"

#define LINES 48 /* through a body, in each transverse direction */
#define MOST_OF_PLANE \
	1.5              /* of a body's cells, relative to the mean of its planes: a ball has so many in its middle */
#define MOST_MEASURED 64 /* bodies whose memory does not depend on it, which represent all */

/* Cells that a body fills, hollow or not, from lines along z, and cells of its surface, estimated from its volume and
 * the size of its box. */
struct around {
	double low[3], high[3];
};

struct extent {
	double volume, surface;
	bool is_box;       /* along the axes */
	struct around box; /* cells */
};

static sonde_status measure(const struct job_space *space, const struct painted_body *body, struct extent *extent)
{
	const struct fdtd_frame *frame = &space->frame;
	double low[3], high[3], size[3], length = 0.0;
	struct interval *intervals;
	const struct shape *inner, *outer = shape_outer(body->shape, &inner);
	const int room = shape_room(outer);

	shape_bounds(outer, low, high);
	for (int a = 0; a < 3; ++a) {
		const double first = frame->origin[a], last = first + space->grid.cells[a] * frame->cell[a];
		if (!frame->flat[a]) {
			low[a] = fmax(low[a], first);
			high[a] = fmin(high[a], last);
		}
		size[a] = frame->flat[a] ? 1.0 : fmax(high[a] - low[a], 0.0) / frame->cell[a];
		extent->box.low[a] = frame->flat[a] ? 0.0 : (low[a] - first) / frame->cell[a];
		extent->box.high[a] = extent->box.low[a] + size[a];
	}
	CHECK(memory_allocate(&intervals, (size_t)room, sizeof *intervals, "a body"));
	for (int n = 0; n < LINES * LINES; ++n) {
		const int row = n / LINES;
		const double point[3] = {low[0] + (high[0] - low[0]) * (n % LINES + 0.5) / LINES,
					 low[1] + (high[1] - low[1]) * (row + 0.5) / LINES, low[2]};
		const int count = shape_line(outer, 2, point, intervals, room);
		for (int k = 0; k < count; ++k)
			length += fmax(fmin(intervals[k].end, high[2]) - fmax(intervals[k].begin, low[2]), 0.0);
	}
	free(intervals);
	const double filled = high[2] > low[2] ? length / (LINES * LINES * (high[2] - low[2])) : 0.0;
	extent->is_box = filled > 1.0 - 1e-9;
	extent->volume = filled * size[0] * size[1] * size[2];
	extent->surface = 0.0;
	for (int a = 0; a < 3; ++a)
		extent->surface +=
		    frame->flat[a] ? 0.0 : 2.0 * pow(filled, 2.0 / 3.0) * size[(a + 1) % 3] * size[(a + 2) % 3];
	return SONDE_OK;
}

static void add_around(struct around *all, const struct around *one)
{
	for (int a = 0; a < 3; ++a) {
		all->low[a] = fmin(all->low[a], one->low[a]);
		all->high[a] = fmax(all->high[a], one->high[a]);
	}
}

/* With a few cells at surfaces. */
static double cells_around(const struct around *all)
{
	const double more = 4.0;
	double cells = 1.0;

	for (int a = 0; a < 3; ++a)
		cells *= all->high[a] > all->low[a] ? all->high[a] - all->low[a] + more : 0.0;
	return cells;
}

sonde_status job_memory_of_bodies(const struct job_space *space, const struct painting *painting,
				  struct job_body_memory *memory)
{
	const bool single = space->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64,
		   smooth = space->job->options.average == SONDE_FDTD_AVERAGE_TENSOR;

	const struct around none = {{INFINITY, INFINITY, INFINITY}, {0.0, 0.0, 0.0}};
	struct around curved = none, with_poles = none;
	double measured = 0.0;

	*memory = (struct job_body_memory){0};
	for (size_t n = 0; n < painting->count; ++n) {
		const struct painted_body *body = &painting->bodies[n];
		struct extent extent;
		double poles = 0.0, edges = 0.0;
		bool lossy = false;
		for (int a = 0; a < 3 && body->shape != NULL; ++a) {
			const struct medium *medium = &space->media.media[body->numbers[a]];
			poles = fmax(poles, medium->poles);
			edges += medium->poles > 0 ? polarization_bytes(medium->poles, single) : 0.0;
			lossy |= medium->poles > 0 || medium->conductivity != 0.0;
		}
		if (body->shape == NULL || (!lossy && n >= MOST_MEASURED))
			continue;
		CHECK(measure(space, body, &extent));
		memory->surface += extent.surface;
		memory->faces += extent.is_box ? extent.surface : 0.0;
		++measured;
		if (smooth && !extent.is_box)
			add_around(&curved, &extent.box);
		if (poles > 0.0)
			add_around(&with_poles, &extent.box);
		if (!lossy)
			continue;
		const double planes = MOST_OF_PLANE / fmax(extent.box.high[0] - extent.box.low[0], 1.0);
		memory->plane += planes * extent.volume * edges;
		memory->lossy += extent.volume;
		memory->metal += extent.is_box ? 0.0 : extent.surface;
		memory->bytes += extent.volume * edges;
		if (!smooth || painting->anisotropic)
			continue;
		memory->bytes += extent.surface * answering_bytes((int)poles, single);
		memory->plane += planes * extent.surface * answering_bytes((int)poles, single);
		memory->whole += extent.surface * answering_whole_bytes();
	}
	memory->apart = fmax(cells_around(&curved), cells_around(&with_poles));
	if (measured > 0.0) {
		memory->surface *= (double)painting->count / measured;
		memory->faces *= (double)painting->count / measured;
	}
	return SONDE_OK;
}

/* Monitors --------------------------------------------------------------------------------------------- */

/* E and the H on both sides of it, at all points of a plane or of the faces of a box. */
static double places_of_planes(const struct job_space *space, const struct job_monitor *monitor)
{
	struct flux_plane planes[6];
	const int count = job_monitor_planes(space, monitor, planes);
	double points = 0.0;

	for (int n = 0; n < count; ++n)
		points += (double)flux_plane_points(&space->grid, &planes[n]);
	return 3.0 * points;
}

/* Values on nodes, and the edges or faces that they are means of: about one for each, and a layer more. */
static void count_nodes(const struct job_space *space, const struct job_monitor *monitor, double *values,
			double *places)
{
	*values = *places = 0.0;
	for (int c = 0; c < 6; ++c) {
		double nodes = 1.0, means = 1.0;
		if ((monitor->components >> c & 1) == 0)
			continue;
		for (int a = 0; a < 3; ++a) {
			const double along =
			    space->frame.flat[a] ? 1.0 : (double)(monitor->high[a] - monitor->low[a]) + 1.0;
			const bool half = c < 3 ? c == a : c - 3 != a;
			nodes *= along;
			means *= half && !space->frame.flat[a] ? along + 1.0 : along;
		}
		*values += nodes;
		*places += means;
	}
}

/* Edges of lossy media within the box; their faces have losses only if the medium is magnetic. */
static double places_of_losses(const struct job_space *space, const struct job_monitor *monitor)
{
	double cells = 1.0;

	for (int a = 0; a < 3; ++a)
		cells *= space->frame.flat[a] ? 1.0 : (double)(monitor->high[a] - monitor->low[a]);
	return 3.0 * fmin(cells, space->body_memory.lossy);
}

/* Places of a monitor whose fields are sampled. */
struct sampled_places {
	double planes, losses, nodes;
	double values; /* on nodes */
};

static struct sampled_places count_places(const struct job_space *space, const struct job_monitor *monitor)
{
	struct sampled_places places = {0.0, 0.0, 0.0, 0.0};

	switch (monitor->options->kind) {
	case SONDE_FDTD_MONITOR_KIND_CROSS_SECTION:
		places.planes = places_of_planes(space, monitor);
		places.losses = places_of_losses(space, monitor);
		break;
	case SONDE_FDTD_MONITOR_KIND_FLUX:
	case SONDE_FDTD_MONITOR_KIND_FAR_FIELD:
		places.planes = places_of_planes(space, monitor);
		break;
	case SONDE_FDTD_MONITOR_KIND_ABSORPTION:
		places.losses = places_of_losses(space, monitor);
		break;
	case SONDE_FDTD_MONITOR_KIND_FIELDS:
	case SONDE_FDTD_MONITOR_KIND_SNAPSHOT:
		count_nodes(space, monitor, &places.values, &places.nodes);
		break;
	default: /* a few places */
		break;
	}
	return places;
}

/* Numbers that a monitor keeps in the host's memory, in bytes. */
static double bytes_kept(const struct job_monitor *monitor, const struct sampled_places *places, double steps)
{
	const double frequencies = monitor->frequencies, number = sizeof(double complex);

	switch (monitor->options->kind) {
	case SONDE_FDTD_MONITOR_KIND_FLUX:
		/* E and H of the reference run, of the wave alone, and of the run with all bodies */
		return monitor->options->normalize != SONDE_FDTD_MONITOR_NORMALIZE_NONE
			   ? 3.0 * 2.0 * places->planes / 3.0 * frequencies * number
			   : 0.0;
	case SONDE_FDTD_MONITOR_KIND_FAR_FIELD:
		return 2.0 * 2.0 * places->planes / 3.0 * frequencies * number;
	case SONDE_FDTD_MONITOR_KIND_FIELDS:
		return 2.0 * places->values * frequencies * number; /* complex, then real and imaginary parts */
	case SONDE_FDTD_MONITOR_KIND_SNAPSHOT:
		return places->values * sizeof(double) *
		       (monitor->interval > 0 ? 1.0 + floor(steps / (double)monitor->interval) : 1.0);
	default:
		return 0.0;
	}
}

void job_memory_of_monitors(const struct job_space *space, const struct job_monitors *monitors, double steps,
			    struct job_monitor_memory *memory)
{
	const bool single = space->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;
	const double parts = space->grid.bloch ? 2.0 : 1.0;

	*memory = (struct job_monitor_memory){0};
	for (int64_t n = 0; n < monitors->count; ++n) {
		const struct job_monitor *monitor = &monitors->monitors[n];
		const struct sampled_places places = count_places(space, monitor);
		const double all = places.planes + places.losses + places.nodes;
		memory->host += bytes_kept(monitor, &places, steps);
		if (monitor->options->kind == SONDE_FDTD_MONITOR_KIND_SNAPSHOT)
			memory->device +=
			    parts * all * (sizeof(uint64_t) + (single ? sizeof(float) : sizeof(double)));
		else if (all > 0.0)
			memory->device += parts * fourier_bytes(all, monitor->frequencies, single);
	}
}

double job_memory_of_samples(const struct job_space *space, const struct job_sources *sources,
			     const struct job_monitors *monitors, uint32_t height)
{
	const bool single = space->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;
	const double parts = space->grid.bloch ? 2.0 : 1.0, number = single ? sizeof(float) : sizeof(double);
	const uint32_t steps = height > MOST_SAMPLES ? height : MOST_SAMPLES;
	double bytes = 0.0;

	for (int64_t n = 0; n < monitors->count; ++n) {
		const struct job_monitor *monitor = &monitors->monitors[n];
		const struct sampled_places places = count_places(space, monitor);
		if (monitor->options->kind == SONDE_FDTD_MONITOR_KIND_SNAPSHOT)
			continue;
		/* in whole groups, as a reserve for what is not counted */
		const uint32_t interval = job_monitor_interval(monitor, sources),
			       samples =
				   fourier_capacity(steps, interval) / MOST_SAMPLES * MOST_SAMPLES + MOST_SAMPLES;
		bytes += parts * (places.planes + places.losses + places.nodes) * (samples - MOST_SAMPLES) * number;
	}
	return bytes;
}

void job_work_of_monitors(const struct job_space *space, const struct job_sources *sources,
			  const struct job_monitors *monitors, struct job_monitor_work *work)
{
	*work = (struct job_monitor_work){.planes = 0.0};
	for (int64_t n = 0; n < monitors->count; ++n) {
		const struct job_monitor *monitor = &monitors->monitors[n];
		const struct sampled_places places = count_places(space, monitor);
		const double all = places.planes + places.losses + places.nodes, frequencies = monitor->frequencies;
		if (monitor->options->kind == SONDE_FDTD_MONITOR_KIND_SNAPSHOT || all == 0.0)
			continue;
		work->planes += places.planes;
		work->losses += places.losses;
		work->nodes += places.nodes;
		work->updates += all * frequencies / job_monitor_interval(monitor, sources);
		work->powers += (places.planes + places.losses) * frequencies;
		work->values += places.nodes * frequencies;
	}
}
