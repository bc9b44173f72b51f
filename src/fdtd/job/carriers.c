#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/job/painting.h"

#define SAMPLES 9 /* along each edge of a source's plane */

static bool body_holds(const struct painted_body *body, const double point[3])
{
	double low[3], high[3];

	if (body->voxels == NULL)
		return shape_contains(body->shape, point);
	voxels_bounds(body->voxels, low, high);
	for (int a = 0; a < 3; ++a)
		if (point[a] < low[a] || point[a] > high[a])
			return false;
	return true;
}

/* The n-th of SAMPLES^3 points of a source's box; a single point along axes without extent. */
static void sample(const struct job_space *space, const sonde_fdtd_source_options *source, int n, double point[3])
{
	double size[3];

	frame_turn(&space->frame, source->center, point);
	frame_turn(&space->frame, source->size, size);
	for (int a = 0; a < 3; ++a, n /= SAMPLES)
		point[a] += size[a] * ((double)(n % SAMPLES) / (SAMPLES - 1) - 0.5);
}

static bool holds_source(const struct job_space *space, const struct painting *painting,
			 const sonde_fdtd_source_options *source)
{
	double point[3];

	if (source->kind == SONDE_FDTD_SOURCE_KIND_PLANE_WAVE) /* it begins in the background */
		return false;
	for (int n = 0; n < SAMPLES * SAMPLES * SAMPLES; ++n) {
		sample(space, source, n, point);
		for (size_t body = 0; body < painting->count; ++body)
			if (body_holds(&painting->bodies[body], point))
				return true;
	}
	return false;
}

static sonde_status find_carrier(struct job_space *space, int64_t number)
{
	const sonde_fdtd_job *job = space->job;
	struct painting painting = {.count = 0};
	sonde_status status = job_add_body(space, number, &painting);

	for (int64_t n = 0; n < job->sources.count && status == SONDE_OK && !space->carriers[number]; ++n)
		space->carriers[number] = holds_source(space, &painting, &job->sources.items[n]);
	painting_free(&painting);
	media_free(&space->media);
	return status;
}

sonde_status job_find_carriers(struct job_space *space)
{
	const sonde_fdtd_job *job = space->job;

	CHECK(memory_allocate(&space->carriers, (size_t)job->bodies.count, sizeof *space->carriers, "the bodies"));
	for (int64_t n = 0; n < job->bodies.count; ++n)
		if (job_body_is_in(space, n, PASS_REFERENCE))
			CHECK(find_carrier(space, n));
	return SONDE_OK;
}

bool job_wave_is_another(const struct job_space *space)
{
	for (int64_t n = 0; n < space->job->bodies.count; ++n)
		if (job_body_is_in(space, n, PASS_REFERENCE) && !space->carriers[n])
			return true;
	return false;
}
