#include "fdtd/fields/polarization.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/grid/list_layout.h"

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

/* Lists the places of a medium by planes, or only counts them. */
static size_t find_places(const struct fields *fields, const struct media *media, uint16_t number, uint64_t *places,
			  uint32_t *first_of_plane)
{
	const struct fdtd_grid *grid = &fields->grid;
	size_t count = 0;

	for (int i = 0; i <= grid->cells[0]; ++i) {
		if (first_of_plane != NULL)
			first_of_plane[i] = (uint32_t)count;
		for (int a = 0; a < 3; ++a) {
			int begin[3], end[3];
			stepped_nodes(grid, a, begin, end);
			for (int j = begin[1]; j < end[1] && i >= begin[0] && i < end[0]; ++j) {
				const uint16_t *row = media->edges[a] + media_at(grid, i, j, 0);
				for (int k = begin[2]; k < end[2]; ++k) {
					if (row[k] != number)
						continue;
					if (places != NULL)
						places[count] = fields_place(fields, a, i, j, k);
					++count;
				}
			}
		}
	}
	if (first_of_plane != NULL)
		first_of_plane[grid->cells[0] + 1] = (uint32_t)count;
	return count;
}

/* Uploads `second`, followed by a, b, c, d of each pole. */
static sonde_status upload_numbers(struct fields *fields, const struct medium *medium,
				   struct polarization *polarization)
{
	double numbers[1 + 4 * MOST_POLES];
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

static sonde_status make_one(struct fields *fields, const struct media *media, uint16_t number,
			     struct polarization *polarization)
{
	const struct medium *medium = &media->media[number];
	size_t count = find_places(fields, media, number, NULL, NULL);
	uint64_t *places;

	polarization->poles = (uint32_t)medium->poles;
	if (count > UINT32_MAX)
		return status_fail(SONDE_RESOURCE, "a medium with poles has more than %u edges", UINT32_MAX);
	polarization->count = (uint32_t)count;
	CHECK(memory_allocate(&polarization->first_of_plane, (size_t)fields->grid.cells[0] + 2,
			      sizeof *polarization->first_of_plane, "the places of a medium"));
	CHECK(memory_allocate(&places, count, sizeof *places, "the places of a medium"));
	find_places(fields, media, number, places, polarization->first_of_plane);
	sonde_status status = device_upload(fields->device, places, count * sizeof *places, "the places of a medium",
					    &polarization->places);
	free(places);
	CHECK(status);
	CHECK(device_allocate(fields->device, 2 * polarization->poles * (count > 0 ? count : 1) * number_size(fields),
			      "the polarization of a medium", &polarization->state));
	return upload_numbers(fields, medium, polarization);
}

sonde_status polarizations_make(struct fields *fields, const struct media *media)
{
	size_t with_poles = 0;

	for (size_t m = 0; m < media->count; ++m)
		with_poles += media->media[m].poles > 0;
	if (with_poles == 0 || media->edges[0] == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&fields->polarizations, with_poles, sizeof *fields->polarizations, "the media"));
	for (size_t m = 0; m < media->count; ++m)
		if (media->media[m].poles > 0)
			CHECK(make_one(fields, media, (uint16_t)m,
				       &fields->polarizations[fields->polarization_count++]));
	return SONDE_OK;
}

void polarizations_release(struct fields *fields)
{
	for (int n = 0; n < fields->polarization_count; ++n) {
		struct polarization *polarization = &fields->polarizations[n];
		device_release(fields->device, &polarization->places);
		device_release(fields->device, &polarization->state);
		device_release(fields->device, &polarization->numbers);
		free(polarization->first_of_plane);
	}
	free(fields->polarizations);
	fields->polarizations = NULL;
	fields->polarization_count = 0;
}

static sonde_status step_one(struct fields *fields, const struct polarization *polarization, uint32_t first,
			     uint32_t behind)
{
	uint32_t begin = polarization->first_of_plane[first], count = polarization->first_of_plane[behind] - begin;
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

	for (int n = 0; n < fields->polarization_count; ++n)
		CHECK(step_one(fields, &fields->polarizations[n], first, behind));
	return SONDE_OK;
}
