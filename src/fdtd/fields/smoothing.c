#include "fdtd/fields/smoothing.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/list_totals.h"
#include "fdtd/media/media_part.h"
#include "fdtd/media/smooth.h"

#define MOST_PACKED ((size_t)1 << 21) /* numbers on their way to the device */
#define NUMBERS_OF_PART 16384

static size_t number_size(const struct fields *fields)
{
	return fields->single ? sizeof(float) : sizeof(double);
}

double smoothing_bytes(bool single)
{
	return sizeof(uint64_t) + SMOOTH_NEIGHBORS * sizeof(uint32_t) +
	       (SMOOTH_NEIGHBORS + 2.0) * (single ? 4.0 : 8.0);
}

/* First edge of each plane, and first of its edges along x, as they are listed here. */
static void find_firsts(const struct smooth_edges *edges, int planes, uint32_t *first_of_plane,
			uint32_t *first_along_x)
{
	const size_t count = edges != NULL ? edges->count : 0;
	uint32_t n = 0;

	for (int i = 0; i <= planes; ++i) {
		while (n < count && edges->edges[n].node[0] < i)
			++n;
		first_of_plane[i] = n;
		while (n < count && edges->edges[n].node[0] == i && edges->edges[n].component != 0)
			++n;
		first_along_x[i] = n;
	}
}

sonde_status smoothing_planes(const struct fdtd_grid *grid, const struct media *media, uint32_t **first_of_plane,
			      uint32_t **first_along_x)
{
	const int planes = grid->cells[0] + 1;

	CHECK(memory_allocate(first_of_plane, (size_t)planes + 1, sizeof **first_of_plane, "edges at surfaces"));
	CHECK(memory_allocate(first_along_x, (size_t)planes + 1, sizeof **first_along_x, "edges at surfaces"));
	find_firsts(media->smooth, planes, *first_of_plane, *first_along_x);
	return SONDE_OK;
}

/* Edges of some planes, and those of the same planes in the list of all ranks. */
struct edge_range {
	uint32_t begin, end, to;
	uint32_t *first;       /* of each plane here */
	const uint32_t *total; /* of all ranks; null: this one has all */
};

static sonde_status find_range(struct fields *fields, const struct media *media, struct edge_range *range)
{
	const struct plane_span listed = media_part_listed(&fields->grid, &media->part);
	const size_t planes = (size_t)fields->grid.cells[0] + 1;
	struct smoothing *smoothing = fields->smoothing;

	CHECK(smoothing_planes(&fields->grid, media, &smoothing->first_of_plane, &smoothing->first_along_x));
	*range = (struct edge_range){.end = smoothing->first_of_plane[planes], .total = smoothing->first_of_plane};
	if (media->totals != NULL) {
		range->begin = smoothing->first_of_plane[listed.begin];
		range->end = smoothing->first_of_plane[listed.end];
		range->to = media->totals->smooth[listed.begin];
		range->total = media->totals->smooth;
	}
	CHECK(memory_allocate(&range->first, planes + 1, sizeof *range->first, "edges at surfaces"));
	memcpy(range->first, smoothing->first_of_plane, (planes + 1) * sizeof *range->first);
	if (media->totals != NULL) {
		memcpy(smoothing->first_of_plane, media->totals->smooth, (planes + 1) * sizeof *range->first);
		memcpy(smoothing->first_along_x, media->totals->smooth_x, (planes + 1) * sizeof *range->first);
	}
	return SONDE_OK;
}

/* A number of an edge in the list on the device, which holds one kind of number of all edges, then the next kind;
 * converted to the device's type. */
struct packing;
typedef void list_number(const struct packing *packing, const struct smooth_edge *edge, size_t kind, void *to);

/* Some numbers on their way to the device. */
struct packing {
	const struct fields *fields;
	const struct smooth_edges *edges;
	const struct edge_range *range;
	list_number *number;
	size_t kind, first, size;
	char *numbers;
};

static void place_number(const struct packing *packing, const struct smooth_edge *edge, size_t kind, void *to)
{
	(void)kind;
	*(uint64_t *)to = fields_place(packing->fields, edge->component, edge->node[0], edge->node[1], edge->node[2]);
}

/* By its place in the plane. */
static void neighbor_number(const struct packing *packing, const struct smooth_edge *edge, size_t kind, void *to)
{
	const struct edge_range *range = packing->range;
	const uint32_t neighbor = edge->neighbors[kind];
	const int plane = packing->edges->edges[neighbor].node[0];

	*(uint32_t *)to = neighbor - range->first[plane] + range->total[plane];
}

static void weight_number(const struct packing *packing, const struct smooth_edge *edge, size_t kind, void *to)
{
	const double weight = kind == 0 ? edge->own : edge->weights[kind - 1];

	if (packing->fields->single)
		*(float *)to = (float)weight;
	else
		*(double *)to = weight;
}

static void pack_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct packing *packing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		packing->number(packing, &packing->edges->edges[packing->first + (size_t)n], packing->kind,
				packing->numbers + (size_t)n * packing->size);
}

/* As many numbers of each edge, first those of one kind of all edges. */
static sonde_status allocate(struct fields *fields, size_t count, size_t kinds, size_t size, bool changes,
			     struct device_buffer *buffer)
{
	struct plane_numbers parts[SMOOTH_NEIGHBORS + 1];

	for (size_t n = 0; n < kinds; ++n)
		parts[n] = (struct plane_numbers){.offset = n * count * size,
						  .size = size,
						  .first = fields->smoothing->first_of_plane,
						  .all = count};
	return streaming_allocate(fields->streaming, fields->device, kinds * count * size, parts, (int)kinds, changes,
				  "edges at surfaces", buffer);
}

/* One kind of number of the edges listed here, to its place among those of all. */
static sonde_status upload_kind(struct packing *packing, int threads, struct device_buffer *buffer)
{
	struct fields *fields = (struct fields *)packing->fields;
	const struct edge_range *range = packing->range;
	const size_t before = packing->kind * fields->smoothing->count + range->to, size = packing->size;

	for (packing->first = range->begin; packing->first < range->end; packing->first += MOST_PACKED) {
		const size_t left = range->end - packing->first, count = left < MOST_PACKED ? left : MOST_PACKED;
		threads_for(threads, (int64_t)count, NUMBERS_OF_PART, pack_some, packing);
		CHECK(streaming_write(fields->streaming, fields->device, buffer,
				      (before + packing->first - range->begin) * size, packing->numbers,
				      count * size));
	}
	return SONDE_OK;
}

static sonde_status upload(struct fields *fields, const struct media *media, const struct edge_range *range,
			   size_t kinds, size_t size, list_number *number, struct device_buffer *buffer)
{
	const size_t here = range->end - range->begin, at_once = here < MOST_PACKED ? here : MOST_PACKED;
	struct packing packing = {
	    .fields = fields, .edges = media->smooth, .range = range, .number = number, .size = size};
	sonde_status status = SONDE_OK;

	CHECK(allocate(fields, fields->smoothing->count, kinds, size, false, buffer));
	CHECK(memory_allocate_to_fill(&packing.numbers, at_once, size, "edges at surfaces"));
	for (; packing.kind < kinds && status == SONDE_OK; ++packing.kind)
		status = upload_kind(&packing, media->threads, buffer);
	free(packing.numbers);
	return status;
}

sonde_status smoothing_make(struct fields *fields, const struct media *media)
{
	const struct smooth_edges *edges = media->smooth;
	const size_t planes = (size_t)fields->grid.cells[0] + 1, count = edges == NULL ? 0
									 : media->totals != NULL
									     ? media->totals->smooth[planes]
									     : edges->count;
	struct edge_range range = {.first = NULL};
	sonde_status status;

	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&fields->smoothing, 1, sizeof *fields->smoothing, "edges at surfaces"));
	struct smoothing *smoothing = fields->smoothing;
	smoothing->count = (uint32_t)count;
	CHECK(fields_find_kernel(fields, "displace", &smoothing->displace));
	CHECK(fields_find_kernel(fields, "smooth", &smoothing->smooth));
	CHECK_GOTO(status, find_range(fields, media, &range), done);
	CHECK_GOTO(status, upload(fields, media, &range, 1, sizeof(uint64_t), place_number, &smoothing->places),
		   done);
	CHECK_GOTO(
	    status,
	    upload(fields, media, &range, SMOOTH_NEIGHBORS, sizeof(uint32_t), neighbor_number, &smoothing->neighbors),
	    done);
	CHECK_GOTO(status,
		   upload(fields, media, &range, SMOOTH_NEIGHBORS + 1, number_size(fields), weight_number,
			  &smoothing->weights),
		   done);
	status = allocate(fields, count, 1, number_size(fields), true, &smoothing->state);
done:
	free(range.first);
	return status;
}

void smoothing_release(struct fields *fields)
{
	struct smoothing *smoothing = fields->smoothing;

	if (smoothing == NULL)
		return;
	struct device_buffer *const all[] = {&smoothing->places, &smoothing->state, &smoothing->weights,
					     &smoothing->neighbors};
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		streaming_release(fields->streaming, fields->device, all[k]);
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

sonde_status smoothing_displace(struct fields *fields, uint32_t begin, uint32_t count)
{
	const struct smoothing *smoothing = fields->smoothing;
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory), DEVICE_ARGUMENT(smoothing->places.memory),
	    DEVICE_ARGUMENT(smoothing->state.memory), DEVICE_ARGUMENT(begin), DEVICE_ARGUMENT(count)};

	return count == 0 ? SONDE_OK
			  : device_launch(fields->device, &smoothing->displace,
					  groups_of(&smoothing->displace, count), arguments, 5);
}

sonde_status smoothing_smooth(struct fields *fields, uint32_t begin, uint32_t count)
{
	const struct smoothing *smoothing = fields->smoothing;
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
	const uint32_t stepped = smoothing->first_of_plane[first],
		       stepped_end = last ? smoothing->count : smoothing->first_of_plane[behind],
		       begin =
			   fields_first_along_x(fields, first, smoothing->first_of_plane, smoothing->first_along_x),
		       end = last ? smoothing->count : smoothing->first_along_x[behind - 1];
	CHECK(smoothing_displace(fields, stepped, stepped_end - stepped));
	return smoothing_smooth(fields, begin, end - begin);
}
