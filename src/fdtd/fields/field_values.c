/* Values of fields on the host (fields.h): copies of whole components, plane by plane, as numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/fields/fields.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/walls.h"
#include "fdtd/grid/layout.h"
#include "fdtd/kernels/stored.h"
#include "fdtd/streaming/store.h"

/* A plane of a component as it is in memory, and as numbers: float32, if it is stored in words. */
static void unpack(const struct fields *fields, const void *stored, void *numbers)
{
	const uint64_t *words = stored;
	float *cells = numbers;

	if (fields_stored_size(fields) == fields_number_size(fields))
		memcpy(numbers, stored, fields->layout.plane * fields_number_size(fields));
	else
		for (uint64_t n = 0; n < fields->layout.plane / WORD_CELLS; ++n)
			word_cells(words[n], cells + WORD_CELLS * n);
}

static void pack(const struct fields *fields, const void *numbers, void *stored)
{
	const float *cells = numbers;
	uint64_t *words = stored;

	if (fields_stored_size(fields) == fields_number_size(fields))
		memcpy(stored, numbers, fields->layout.plane * fields_number_size(fields));
	else
		for (uint64_t n = 0; n < fields->layout.plane; n += WORD_CELLS)
			words[n / WORD_CELLS] = word_of(cells[n], cells[n + 1], cells[n + 2], cells[n + 3]);
	if (fields->grid.in_words && !fields->on_gpu)
		for (uint64_t n = 0; n < fields->layout.plane; n += WORD_CELLS)
			word_round((float *)stored + n);
}

/* Numbers of a plane, and the same as they are stored. */
struct plane_copies {
	void *numbers, *stored;
};

static sonde_status copy_plane(struct fields *fields, enum field field, int component, int i,
			       const struct plane_copies *plane, const double *from, double *to)
{
	const struct fdtd_step *layout = &fields->layout;
	const struct fdtd_grid *grid = &fields->grid;
	void *const numbers = plane->numbers;
	const size_t size = fields_stored_size(fields), first = layout_place(layout, component, i, 0, 0),
		     offset = first * size;

	CHECK(streaming_read(fields->streaming, fields->device, &fields->buffers[field], offset, plane->stored,
			     layout->plane * size));
	unpack(fields, plane->stored, numbers);
	for (int j = 0; j <= grid->cells[1]; ++j)
		for (int k = 0; k <= grid->cells[2]; ++k) {
			size_t at = layout_place(layout, component, i, j, k) - first,
			       outside = media_at(grid, i, j, k);
			if (to != NULL)
				to[outside] =
				    fields->single ? (double)((float *)numbers)[at] : ((double *)numbers)[at];
			else if (j < (int)layout->rows && fields->single)
				((float *)numbers)[at] = (float)from[outside];
			else if (j < (int)layout->rows)
				((double *)numbers)[at] = from[outside];
		}
	if (from == NULL)
		return SONDE_OK;
	pack(fields, numbers, plane->stored);
	CHECK(streaming_write(fields->streaming, fields->device, &fields->buffers[field], offset, plane->stored,
			      layout->plane * size));
	return fields->next[field].memory == NULL
		   ? SONDE_OK
		   : device_write(fields->device, &fields->next[field], offset, plane->stored, layout->plane * size);
}

static sonde_status copy_values(struct fields *fields, enum field field, int component, const double *from,
				double *to)
{
	sonde_status status = SONDE_OK;
	struct plane_copies plane = {NULL, NULL};

	CHECK_GOTO(status,
		   memory_allocate(&plane.numbers, fields->layout.plane, fields_number_size(fields),
				   "a plane of the fields"),
		   done);
	CHECK_GOTO(
	    status,
	    memory_allocate(&plane.stored, fields->layout.plane, fields_stored_size(fields), "a plane of the fields"),
	    done);
	for (int i = 0; i <= fields->grid.cells[0] && status == SONDE_OK; ++i)
		status = copy_plane(fields, field, component, i, &plane, from, to);
done:
	free(plane.numbers);
	free(plane.stored);
	return status;
}

sonde_status fields_read(struct fields *fields, enum field field, int component, double *values)
{
	return copy_values(fields, field, component, NULL, values);
}

sonde_status fields_write(struct fields *fields, enum field field, int component, const double *values)
{
	const struct streaming *const streaming = fields->streaming;

	for (struct fields *on = fields; on != NULL; on = on->beside) {
		on->written = true;
		if (fields->beside != NULL)
			fields_forget_next(on); /* it is made again, with the new values */
	}
	CHECK(copy_values(fields, field, component, values, NULL));
	if (streaming == NULL || !streaming->schedule.kept)
		return walls_fill(fields, field, 0, fields->layout.end[0]);
	for (struct fields *on = fields; on != NULL; on = on->beside) {
		const struct plane_range there = schedule_kept(&on->streaming->schedule);
		CHECK(walls_fill(on, field, there.begin, there.end - there.begin));
	}
	return SONDE_OK;
}
