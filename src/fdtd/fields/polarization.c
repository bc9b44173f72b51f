#include "fdtd/fields/polarization.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/grid/list_layout.h"
#include "fdtd/media/list_totals.h"
#include "fdtd/media/media_part.h"

static size_t number_size(const struct fields *fields)
{
	return fields->single ? sizeof(float) : sizeof(double);
}

double polarization_bytes(int poles, bool single)
{
	return (double)sizeof(uint64_t) + 2.0 * poles * (single ? 4.0 : 8.0);
}

/* The edges of a component that are stepped: not those on walls where E stays 0. */
static void stepped_nodes(const struct fdtd_grid *grid, int component, int begin[3], int end[3])
{
	for (int a = 0; a < 3; ++a) {
		begin[a] = a == component ? 0 : grid_first_node(grid, a);
		end[a] = a == component ? grid->cells[a] : grid_end_node(grid, a);
	}
}

#define PLANES_OF_PART 8 /* whose counts, which are next to each other, one thread increases */
#define MOST_LISTED 64e6 /* bytes of places on their way to the device */

/* The places of all media with poles, by planes: first counted, then listed. */
struct finding {
	struct fields *fields; /* null: only counted */
	const struct fdtd_grid *grid;
	size_t kind_count;
	const struct media *media;
	uint32_t *kinds;  /* of each medium: 1 + its number among those with poles, or 0 */
	uint32_t *counts; /* [plane][kind] */
	int first;        /* of the planes that are listed */
	uint64_t *places; /* of these, [kind][place] */
	size_t *next;     /* [plane][kind] */
};

typedef void place_visitor(struct finding *finding, int plane, uint32_t kind, int component, int j, int k);

/* Visits those of row j in plane i of component a from `begin` to `end`. */
static void visit_row(struct finding *finding, const int row[3], int begin, int end, place_visitor *visit)
{
	const int i = row[0], j = row[1], a = row[2];
	const struct media_numbers *numbers = finding->media->edges[a];
	const size_t first = media_at(finding->grid, i, j, 0);

	for (int k = begin; k < end;) {
		const int after = (k / (int)SEGMENT + 1) * (int)SEGMENT, behind = after < end ? after : end;
		uint16_t number;
		if (media_segment(numbers, first, (size_t)k / SEGMENT, &number) && finding->kinds[number] == 0) {
			k = behind;
			continue;
		}
		for (; k < behind; ++k) {
			const uint32_t kind = finding->kinds[media_number(numbers, first + (size_t)k)];
			if (kind > 0)
				visit(finding, i, kind - 1, a, j, k);
		}
	}
}

static void visit_plane(struct finding *finding, int i, place_visitor *visit)
{
	const struct fdtd_grid *grid = finding->grid;

	for (int a = 0; a < 3; ++a) {
		int begin[3], end[3];
		stepped_nodes(grid, a, begin, end);
		for (int j = begin[1]; j < end[1] && i >= begin[0] && i < end[0]; ++j)
			visit_row(finding, (const int[3]){i, j, a}, begin[2], end[2], visit);
	}
}

static size_t at_plane(const struct finding *finding, int plane, uint32_t kind)
{
	return (size_t)plane * finding->kind_count + kind;
}

static void count_place(struct finding *finding, int plane, uint32_t kind, int component, int j, int k)
{
	(void)component;
	(void)j;
	(void)k;
	++finding->counts[at_plane(finding, plane, kind)];
}

static void list_place(struct finding *finding, int plane, uint32_t kind, int component, int j, int k)
{
	finding->places[finding->next[at_plane(finding, plane - finding->first, kind)]++] =
	    fields_place(finding->fields, component, plane, j, k);
}

static void count_planes(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t n = first; n < end; ++n)
		visit_plane(state, (int)n, count_place);
}

static void list_planes(void *state, int64_t first, int64_t end, int worker)
{
	struct finding *finding = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		visit_plane(finding, finding->first + (int)n, list_place);
}

/* Uploads `second`, followed by a, b, c, d of each pole. */
static sonde_status upload_numbers(struct fields *fields, const struct medium *medium,
				   struct polarization *polarization)
{
	double numbers[1 + 4 * MOST_POLES] = {0.0};
	float singles[1 + 4 * MOST_POLES];
	size_t count = 1 + 4 * (size_t)medium->poles;

	numbers[0] = medium_step_of_e(medium).second;
	for (int p = 0; p < medium->poles; ++p) {
		const struct medium_pole *pole = &medium->pole[p];
		numbers[1 + 4 * p] = pole->a;
		numbers[2 + 4 * p] = pole->b;
		numbers[3 + 4 * p] = pole->c;
		numbers[4 + 4 * p] = pole->d;
	}
	for (size_t n = 0; n < count; ++n)
		singles[n] = (float)numbers[n];
	CHECK(
	    device_allocate(fields->device, count * number_size(fields), "a medium's poles", &polarization->numbers));
	return device_write(fields->device, &polarization->numbers, 0,
			    fields->single ? (void *)singles : (void *)numbers, count * number_size(fields));
}

/* As many numbers of each place, first those of one kind of all places. */
static sonde_status allocate_parts(struct fields *fields, const struct polarization *polarization, uint32_t kinds,
				   size_t size, bool changes, const char *what, struct device_buffer *buffer)
{
	const size_t count = polarization->count;
	struct plane_numbers parts[2 * MOST_POLES];

	for (uint32_t n = 0; n < kinds; ++n)
		parts[n] = (struct plane_numbers){
		    .offset = n * count * size, .size = size, .first = polarization->first_of_plane, .all = count};
	return streaming_allocate(fields->streaming, fields->device, kinds * count * size, parts, (int)kinds, changes,
				  what, buffer);
}

static sonde_status make_one(struct fields *fields, const struct finding *finding, const struct medium *medium,
			     uint32_t kind)
{
	struct polarization *polarization = &fields->polarizations[kind];
	const int planes = fields->grid.cells[0] + 1;
	uint64_t count = 0;

	polarization->poles = (uint32_t)medium->poles;
	CHECK(memory_allocate(&polarization->first_of_plane, (size_t)planes + 1, sizeof *polarization->first_of_plane,
			      "the places of a medium"));
	for (int i = 0; i < planes; ++i) {
		count += finding->counts[at_plane(finding, i, kind)];
		polarization->first_of_plane[i + 1] = (uint32_t)count;
	}
	if (count > UINT32_MAX)
		return status_fail(SONDE_RESOURCE, "a medium with poles has more than %u edges", UINT32_MAX);
	polarization->count = (uint32_t)count;
	if (count == 0) /* kernels need a buffer */
		CHECK(device_upload(fields->device, NULL, 0, "the places of a medium", &polarization->places));
	else
		CHECK(allocate_parts(fields, polarization, 1, sizeof(uint64_t), false, "the places of a medium",
				     &polarization->places));
	if (count == 0)
		CHECK(device_upload(fields->device, NULL, 0, "the polarization of a medium", &polarization->state));
	else
		CHECK(allocate_parts(fields, polarization, 2 * polarization->poles, number_size(fields), true,
				     "the polarization of a medium", &polarization->state));
	return upload_numbers(fields, medium, polarization);
}

/* The end of the planes from `first` on whose places fit into memory for them. */
static int end_of_slab(const struct finding *finding, int first, int planes)
{
	const int kinds = finding->fields->polarization_count;
	double bytes = 0.0;
	int end = first;

	for (; end < planes && (end == first || bytes < MOST_LISTED); ++end)
		for (int kind = 0; kind < kinds; ++kind)
			bytes += finding->counts[at_plane(finding, end, (uint32_t)kind)] * (double)sizeof(uint64_t);
	return end;
}

/* Places in the order of the media, in each by planes. */
static sonde_status upload_slab(struct finding *finding, int end)
{
	struct fields *fields = finding->fields;
	const int kinds = fields->polarization_count, first = finding->first;
	size_t count = 0;
	sonde_status status = SONDE_OK;

	for (int kind = 0; kind < kinds; ++kind)
		for (int i = first; i < end; ++i) {
			finding->next[at_plane(finding, i - first, (uint32_t)kind)] = count;
			count += finding->counts[at_plane(finding, i, (uint32_t)kind)];
		}
	CHECK(memory_allocate_to_fill(&finding->places, count, sizeof *finding->places, "the places of a medium"));
	threads_for(fields->threads, end - first, PLANES_OF_PART, list_planes, finding);
	status = threads_completed();
	count = 0;
	for (int kind = 0; kind < kinds && status == SONDE_OK; ++kind) {
		struct polarization *polarization = &fields->polarizations[kind];
		const size_t before = polarization->first_of_plane[first],
			     of_kind = polarization->first_of_plane[end] - before;
		if (of_kind > 0)
			status = streaming_write(fields->streaming, fields->device, &polarization->places,
						 before * sizeof(uint64_t), finding->places + count,
						 of_kind * sizeof(uint64_t));
		count += of_kind;
	}
	free(finding->places);
	finding->places = NULL;
	return status;
}

static sonde_status make_kinds(const struct media *media, struct finding *finding)
{
	finding->kind_count = 0;
	for (size_t m = 0; m < media->count; ++m)
		finding->kind_count += media->media[m].poles > 0 && media->edges[0] != NULL ? 1 : 0;
	if (finding->kind_count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&finding->kinds, media->count, sizeof *finding->kinds, "the media"));
	for (size_t m = 0, kind = 0; m < media->count; ++m)
		finding->kinds[m] = media->media[m].poles > 0 ? (uint32_t)++kind : 0;
	return SONDE_OK;
}

sonde_status polarizations_count(const struct fdtd_grid *grid, const struct media *media, size_t *kinds,
				 uint32_t **counts)
{
	struct finding finding = {.grid = grid, .media = media};
	const size_t planes = (size_t)grid->cells[0] + 1;

	*counts = NULL;
	CHECK(make_kinds(media, &finding));
	*kinds = finding.kind_count;
	if (finding.kind_count == 0)
		return SONDE_OK;
	sonde_status status = memory_allocate(&finding.counts, planes * finding.kind_count, sizeof *finding.counts,
					      "the places of a medium");
	if (status == SONDE_OK)
		threads_for(media->threads, (int64_t)planes, PLANES_OF_PART, count_planes, &finding);
	free(finding.kinds);
	*counts = finding.counts;
	return status == SONDE_OK ? threads_completed() : status;
}

/* How many places of each kind each plane has; those of all ranks, if there are others. */
static sonde_status count_places(struct finding *finding)
{
	struct fields *fields = finding->fields;
	const struct list_totals *totals = finding->media->totals;
	const size_t planes = (size_t)fields->grid.cells[0] + 1, all = planes * finding->kind_count;

	CHECK(memory_allocate(&finding->counts, all, sizeof *finding->counts, "the places of a medium"));
	CHECK(memory_allocate(&finding->next, all, sizeof *finding->next, "the places of a medium"));
	if (totals != NULL)
		memcpy(finding->counts, totals->poles, all * sizeof *finding->counts);
	else
		threads_for(fields->threads, (int64_t)planes, PLANES_OF_PART, count_planes, finding);
	return SONDE_OK;
}

static sonde_status find_all(struct finding *finding)
{
	const struct plane_span listed = media_part_listed(finding->grid, &finding->media->part);

	CHECK(count_places(finding));
	for (size_t m = 0; m < finding->media->count; ++m)
		if (finding->kinds[m] > 0)
			CHECK(make_one(finding->fields, finding, &finding->media->media[m], finding->kinds[m] - 1));
	finding->first = listed.begin;
	for (int end; finding->first < listed.end; finding->first = end) {
		end = end_of_slab(finding, finding->first, listed.end);
		CHECK(upload_slab(finding, end));
	}
	return SONDE_OK;
}

sonde_status polarizations_make(struct fields *fields, const struct media *media)
{
	struct finding finding = {.fields = fields, .grid = &fields->grid, .media = media};
	sonde_status status;

	CHECK(make_kinds(media, &finding));
	if (finding.kind_count == 0)
		return SONDE_OK;
	CHECK_GOTO(
	    status,
	    memory_allocate(&fields->polarizations, finding.kind_count, sizeof *fields->polarizations, "the media"),
	    done);
	fields->polarization_count = (int)finding.kind_count;
	status = find_all(&finding);
done:
	free(finding.kinds);
	free(finding.counts);
	free(finding.next);
	return status;
}

void polarizations_release(struct fields *fields)
{
	for (int n = 0; n < fields->polarization_count; ++n) {
		struct polarization *polarization = &fields->polarizations[n];
		streaming_release(fields->streaming, fields->device, &polarization->places);
		streaming_release(fields->streaming, fields->device, &polarization->state);
		device_release(fields->device, &polarization->numbers);
		free(polarization->first_of_plane);
	}
	free(fields->polarizations);
	fields->polarizations = NULL;
	fields->polarization_count = 0;
}

sonde_status polarization_step_some(struct fields *fields, const struct polarization *polarization, uint32_t begin,
				    uint32_t count)
{
	uint32_t group = fields->polarize.work_items > 1 ? fields->polarize.work_items : PLACES_OF_CPU_ITEM;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(polarization->places.memory),
						    DEVICE_ARGUMENT(polarization->state.memory),
						    DEVICE_ARGUMENT(polarization->numbers.memory),
						    DEVICE_ARGUMENT(polarization->poles),
						    DEVICE_ARGUMENT(polarization->count),
						    DEVICE_ARGUMENT(begin),
						    DEVICE_ARGUMENT(count)};

	return count == 0
		   ? SONDE_OK
		   : device_launch(fields->device, &fields->polarize, (count + group - 1) / group, arguments, 8);
}

sonde_status polarizations_step(struct fields *fields, uint32_t first, uint32_t count)
{
	uint32_t planes = (uint32_t)fields->grid.cells[0] + 1,
		 behind = first + count < planes ? first + count : planes;

	for (int n = 0; n < fields->polarization_count; ++n) {
		const struct polarization *polarization = &fields->polarizations[n];
		const uint32_t begin = polarization->first_of_plane[first];
		CHECK(polarization_step_some(fields, polarization, begin,
					     polarization->first_of_plane[behind] - begin));
	}
	return SONDE_OK;
}
