#include "fdtd/fields/smoothing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
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

/* A number of an edge in the list on the device, which holds one kind of number of all edges, then the next kind;
 * converted to the device's type. */
typedef void list_number(const struct fields *fields, const struct smooth_edge *edge, size_t kind, void *to);

static void place_number(const struct fields *fields, const struct smooth_edge *edge, size_t kind, void *to)
{
	(void)kind;
	*(uint64_t *)to = fields_place(fields, edge->component, edge->node[0], edge->node[1], edge->node[2]);
}

static void neighbor_number(const struct fields *fields, const struct smooth_edge *edge, size_t kind, void *to)
{
	(void)fields;
	*(uint32_t *)to = edge->neighbors[kind];
}

static void weight_number(const struct fields *fields, const struct smooth_edge *edge, size_t kind, void *to)
{
	const double weight = kind == 0 ? edge->own : edge->weights[kind - 1];

	if (fields->single)
		*(float *)to = (float)weight;
	else
		*(double *)to = weight;
}

/* Some numbers on their way to the device. */
struct packing {
	const struct fields *fields;
	const struct smooth_edges *edges;
	list_number *number;
	size_t first, size;
	char *numbers;
};

static void pack_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct packing *packing = state;

	const size_t count = packing->edges->count, begin = packing->first + (size_t)first;
	size_t kind = begin / count, edge = begin % count;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		packing->number(packing->fields, &packing->edges->edges[edge], kind,
				packing->numbers + (size_t)n * packing->size);
		if (++edge == count) {
			edge = 0;
			++kind;
		}
	}
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

static sonde_status upload(struct fields *fields, const struct media *media, size_t kinds, size_t size,
			   list_number *number, struct device_buffer *buffer)
{
	const size_t all = kinds * media->smooth->count, at_once = all < MOST_PACKED ? all : MOST_PACKED;
	struct packing packing = {.fields = fields, .edges = media->smooth, .number = number, .size = size};
	sonde_status status = SONDE_OK;

	CHECK(allocate(fields, media->smooth->count, kinds, size, false, buffer));
	CHECK(memory_allocate_to_fill(&packing.numbers, at_once, size, "edges at surfaces"));
	for (; packing.first < all && status == SONDE_OK; packing.first += at_once) {
		const size_t count = all - packing.first < at_once ? all - packing.first : at_once;
		threads_for(media->threads, (int64_t)count, NUMBERS_OF_PART, pack_some, &packing);
		status = streaming_write(fields->streaming, fields->device, buffer, packing.first * size,
					 packing.numbers, count * size);
	}
	free(packing.numbers);
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
	CHECK(upload(fields, media, 1, sizeof(uint64_t), place_number, &smoothing->places));
	CHECK(upload(fields, media, SMOOTH_NEIGHBORS, sizeof(uint32_t), neighbor_number, &smoothing->neighbors));
	CHECK(upload(fields, media, SMOOTH_NEIGHBORS + 1, number_size(fields), weight_number, &smoothing->weights));
	return allocate(fields, edges->count, 1, number_size(fields), true, &smoothing->state);
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

sonde_status smoothing_displace(struct fields *fields, uint32_t first, uint32_t count)
{
	const struct smoothing *smoothing = fields->smoothing;
	const uint32_t behind = first + count;

	if (smoothing == NULL)
		return SONDE_OK;
	return displace(fields, smoothing->first_of_plane[first],
			behind >= fields->layout.end[0] ? smoothing->count : smoothing->first_of_plane[behind]);
}

sonde_status smoothing_step(struct fields *fields, uint32_t first, uint32_t count)
{
	const struct smoothing *smoothing = fields->smoothing;
	const uint32_t behind = first + count;

	if (smoothing == NULL)
		return SONDE_OK;
	const bool last = behind >= fields->layout.end[0];
	return smooth(fields, first > 0 ? smoothing->first_along_x[first - 1] : 0,
		      last ? smoothing->count : smoothing->first_along_x[behind - 1]);
}
