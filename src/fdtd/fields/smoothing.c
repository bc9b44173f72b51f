#include "fdtd/fields/smoothing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/media/smooth.h"

static size_t number_size(const struct fields *fields)
{
	return fields->single ? sizeof(float) : sizeof(double);
}

double smoothing_bytes(bool single)
{
	return sizeof(uint64_t) + SMOOTH_NEIGHBORS * sizeof(uint32_t) +
	       (SMOOTH_NEIGHBORS + 2.0) * (single ? 4.0 : 8.0);
}

/* First edge of each plane, and first of its edges along x. */
static sonde_status find_planes(const struct fields *fields, const struct smooth_edges *edges,
				struct smoothing *smoothing)
{
	const int planes = fields->grid.cells[0] + 1;
	uint32_t n = 0;

	CHECK(memory_allocate(&smoothing->first_of_plane, (size_t)planes + 1, sizeof *smoothing->first_of_plane,
			      "edges at surfaces"));
	CHECK(memory_allocate(&smoothing->first_along_x, (size_t)planes + 1, sizeof *smoothing->first_along_x,
			      "edges at surfaces"));
	for (int i = 0; i <= planes; ++i) {
		while (n < edges->count && edges->edges[n].node[0] < i)
			++n;
		smoothing->first_of_plane[i] = n;
		while (n < edges->count && edges->edges[n].node[0] == i && edges->edges[n].component != 0)
			++n;
		smoothing->first_along_x[i] = n;
	}
	return SONDE_OK;
}

static sonde_status upload_places(struct fields *fields, const struct smooth_edges *edges,
				  struct smoothing *smoothing)
{
	uint64_t *places;

	CHECK(memory_allocate(&places, edges->count, sizeof *places, "edges at surfaces"));
	for (size_t n = 0; n < edges->count; ++n) {
		const int *node = edges->edges[n].node;
		places[n] = fields_place(fields, edges->edges[n].component, node[0], node[1], node[2]);
	}
	sonde_status status = device_upload(fields->device, places, edges->count * sizeof *places,
					    "edges at surfaces", &smoothing->places);
	free(places);
	return status;
}

static sonde_status upload_neighbors(struct fields *fields, const struct smooth_edges *edges,
				     struct smoothing *smoothing)
{
	const size_t count = edges->count;
	uint32_t *neighbors;

	CHECK(memory_allocate(&neighbors, SMOOTH_NEIGHBORS * count, sizeof *neighbors, "edges at surfaces"));
	for (size_t n = 0; n < SMOOTH_NEIGHBORS * count; ++n)
		neighbors[n] = edges->edges[n % count].neighbors[n / count];
	sonde_status status = device_upload(fields->device, neighbors, SMOOTH_NEIGHBORS * count * sizeof *neighbors,
					    "edges at surfaces", &smoothing->neighbors);
	free(neighbors);
	return status;
}

static sonde_status upload_weights(struct fields *fields, const struct smooth_edges *edges,
				   struct smoothing *smoothing)
{
	const size_t count = edges->count, all = (SMOOTH_NEIGHBORS + 1) * count;
	void *weights;

	CHECK(memory_allocate(&weights, all, number_size(fields), "edges at surfaces"));
	for (size_t n = 0; n < all; ++n) {
		const struct smooth_edge *edge = &edges->edges[n % count];
		const double weight = n < count ? edge->own : edge->weights[n / count - 1];
		if (fields->single)
			((float *)weights)[n] = (float)weight;
		else
			((double *)weights)[n] = weight;
	}
	sonde_status status = device_upload(fields->device, weights, all * number_size(fields), "edges at surfaces",
					    &smoothing->weights);
	free(weights);
	return status;
}

sonde_status smoothing_make(struct fields *fields, const struct media *media)
{
	const struct smooth_edges *edges = media->smooth;

	if (edges == NULL || edges->count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&fields->smoothing, 1, sizeof *fields->smoothing, "edges at surfaces"));
	struct smoothing *smoothing = fields->smoothing;
	smoothing->count = (uint32_t)edges->count;
	CHECK(fields_find_kernel(fields, "displace", &smoothing->displace));
	CHECK(fields_find_kernel(fields, "smooth", &smoothing->smooth));
	CHECK(find_planes(fields, edges, smoothing));
	CHECK(upload_places(fields, edges, smoothing));
	CHECK(upload_neighbors(fields, edges, smoothing));
	CHECK(upload_weights(fields, edges, smoothing));
	return device_allocate(fields->device, edges->count * number_size(fields), "edges at surfaces",
			       &smoothing->state);
}

void smoothing_release(struct fields *fields)
{
	struct smoothing *smoothing = fields->smoothing;

	if (smoothing == NULL)
		return;
	struct device_buffer *const all[] = {&smoothing->places, &smoothing->state, &smoothing->weights,
					     &smoothing->neighbors};
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		device_release(fields->device, all[k]);
	free(smoothing->first_of_plane);
	free(smoothing->first_along_x);
	free(smoothing);
	fields->smoothing = NULL;
}

static uint32_t groups_of(const struct device_kernel *kernel, uint32_t count)
{
	uint32_t group = kernel->work_items > 1 ? kernel->work_items : PLACES_OF_CPU_ITEM;

	return (count + group - 1) / group;
}

static sonde_status displace(struct fields *fields, uint32_t begin, uint32_t end)
{
	const struct smoothing *smoothing = fields->smoothing;
	uint32_t count = end - begin;
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory), DEVICE_ARGUMENT(smoothing->places.memory),
	    DEVICE_ARGUMENT(smoothing->state.memory), DEVICE_ARGUMENT(begin), DEVICE_ARGUMENT(count)};

	return count == 0 ? SONDE_OK
			  : device_launch(fields->device, &smoothing->displace,
					  groups_of(&smoothing->displace, count), arguments, 5);
}

static sonde_status smooth(struct fields *fields, uint32_t begin, uint32_t end)
{
	const struct smoothing *smoothing = fields->smoothing;
	uint32_t count = end - begin;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(smoothing->places.memory),
						    DEVICE_ARGUMENT(smoothing->state.memory),
						    DEVICE_ARGUMENT(smoothing->weights.memory),
						    DEVICE_ARGUMENT(smoothing->neighbors.memory),
						    DEVICE_ARGUMENT(smoothing->count),
						    DEVICE_ARGUMENT(begin),
						    DEVICE_ARGUMENT(count)};

	return count == 0 ? SONDE_OK
			  : device_launch(fields->device, &smoothing->smooth, groups_of(&smoothing->smooth, count),
					  arguments, 8);
}

sonde_status smoothing_step(struct fields *fields, uint32_t first, uint32_t count)
{
	const struct smoothing *smoothing = fields->smoothing;
	const uint32_t behind = first + count;

	if (smoothing == NULL)
		return SONDE_OK;
	const bool last = behind >= fields->layout.end[0];
	CHECK(displace(fields, smoothing->first_of_plane[first],
		       last ? smoothing->count : smoothing->first_of_plane[behind]));
	return smooth(fields, first > 0 ? smoothing->first_along_x[first - 1] : 0,
		      last ? smoothing->count : smoothing->first_along_x[behind - 1]);
}
