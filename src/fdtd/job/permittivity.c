/* Permittivity maps in the results of monitors with planes and volumes. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/media/answers.h"
#include "fdtd/job/results.h"
#include "fdtd/media/media_part.h"
#include "fdtd/media/smooth.h"
#include "parallel/parallel.h"

/* Permittivities of the media, relative to vacuum; infinite for conductors, 0 for smooth surfaces. */
static sonde_status permittivities_of(const struct job_space *space, double omega, double **values)
{
	const struct media *media = &space->media;
	double background = space->frame.index * space->frame.index;

	CHECK(memory_allocate(values, media->count, sizeof **values, "a map of the permittivity"));
	for (size_t n = 0; n < media->count; ++n) {
		const struct medium *medium = &media->media[n];
		double answer = omega > 0.0 && medium->poles > 0 ? creal(medium_susceptibility(medium, omega)) : 0.0;
		(*values)[n] = medium->conductor   ? INFINITY
			       : medium->collector ? 0.0
						   : background * (medium->permittivity + answer) *
							 (medium->outside > 0.0 ? medium->outside : 1.0);
	}
	return SONDE_OK;
}

/* The permittivity of an edge, from those of the media. */
static double permittivity_of(const struct job_space *space, const double *permittivities, int component,
			      const int edge[3])
{
	const struct media *media = &space->media;
	const uint16_t number =
	    media->edges[component] == NULL ? 0 : answers_medium(media, &space->grid, component, edge);

	if (!media->media[number].collector)
		return permittivities[number];
	return space->frame.index * space->frame.index * smooth_edges_permittivity(media->smooth, component, edge);
}

/* Permittivities of the edges that meet in a node; returns their number, 6 if the node is not at a wall. */
static int edges_at(const struct job_space *space, const double *permittivities, const int node[3], double values[6])
{
	const struct fdtd_grid *grid = &space->grid;
	int count = 0, base[3];

	for (int a = 0; a < 3; ++a)
		base[a] = grid->walls[a][0] == WALL_PERIODIC && node[a] == grid->cells[a] ? node[a] - grid->cells[a]
											  : node[a];
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side) {
			int edge[3] = {base[0], base[1], base[2]};
			edge[a] = node[a] - side;
			if (edge[a] < 0 || edge[a] >= grid->cells[a])
				continue;
			values[count++] = permittivity_of(space, permittivities, a, edge);
		}
	return count;
}

static double mean_at(const struct job_space *space, const double *permittivities, const int node[3])
{
	double values[6], sum = 0.0;
	int count = edges_at(space, permittivities, node, values), conductors = 0;

	for (int n = 0; n < count; ++n) {
		if (isinf(values[n]))
			++conductors;
		else
			sum += values[n];
	}
	return 2 * conductors >= count ? INFINITY : sum / (count - conductors);
}

sonde_status job_add_permittivity(const struct job_space *space, const struct job_sources *sources,
				  const struct field_sampling *sampling, const int64_t sizes[3],
				  sonde_fdtd_monitor *result)
{
	static const char *const axes[3] = {"x", "y", "z"};
	double omega = sources->count > 0 ? sources->waveforms[0].omega : 0.0, *permittivities, *values;
	const struct plane_span own = media_part_own(&space->grid, &space->media.part);
	double *all;
	int64_t at[3];

	CHECK(result_add_array(result, "permittivity", "", 3, sizes, axes, &values));
	all = values;
	CHECK(permittivities_of(space, omega > 0.0 ? omega : 0.5 * sources->highest, &permittivities));
	for (at[0] = 0; at[0] < sizes[0]; ++at[0])
		for (at[1] = 0; at[1] < sizes[1]; ++at[1])
			for (at[2] = 0; at[2] < sizes[2]; ++at[2]) {
				int node[3];
				for (int a = 0; a < 3; ++a)
					node[a] =
					    sampling->region.low[a] +
					    sampling->region.stride[a] * (int)at[frame_job_axis(&space->frame, a)];
				*values++ = node[0] >= own.begin && node[0] < own.end
						? mean_at(space, permittivities, node)
						: 0.0;
			}
	free(permittivities);
	return parallel_merge(space->media.part.ranks, all, (size_t)(values - all) * sizeof *all);
}
