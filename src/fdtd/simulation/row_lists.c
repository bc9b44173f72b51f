#include "fdtd/simulation/row_lists.h"

#include <stdlib.h>

#include "base/memory.h"

#define WHAT "the rows of a list of places"

static sonde_status add_segment(struct row_list *list)
{
	CHECK(memory_grow(&list->first_run, &list->segment_capacity, list->segments + 1, sizeof *list->first_run,
			  WHAT));
	list->first_run[list->segments++] = (uint32_t)list->run_count;
	return SONDE_OK;
}

static sonde_status add_run(struct row_list *list, uint32_t row, uint32_t begin)
{
	CHECK(memory_grow(&list->runs, &list->run_capacity, list->run_count + 1, sizeof *list->runs, WHAT));
	list->runs[list->run_count++] = (struct row_run){row, begin, begin + 1};
	return SONDE_OK;
}

/* The next place; `begins`: it is the first of its plane. */
static sonde_status add_place(struct row_list *list, uint32_t row, uint32_t n, bool begins)
{
	const struct row_run *last = list->run_count > 0 ? &list->runs[list->run_count - 1] : NULL;

	if (begins || last == NULL || last->end != n || row < last->row) {
		CHECK(add_segment(list));
		return add_run(list, row, n);
	}
	if (row != last->row)
		return add_run(list, row, n);
	++list->runs[list->run_count - 1].end;
	return SONDE_OK;
}

sonde_status row_list_make(const uint32_t *rows, const uint32_t *first_of_plane, uint32_t planes,
			   struct row_list *list)
{
	*list = (struct row_list){0};
	CHECK(memory_allocate(&list->first_segment, (size_t)planes + 1, sizeof *list->first_segment, WHAT));
	for (uint32_t i = 0; i < planes; ++i) {
		bool begins = true;
		list->first_segment[i] = (uint32_t)list->segments;
		for (uint32_t n = first_of_plane[i]; n < first_of_plane[i + 1]; ++n)
			if (rows[n] != ROW_NONE) {
				CHECK(add_place(list, rows[n], n, begins));
				begins = false;
			}
	}
	list->first_segment[planes] = (uint32_t)list->segments;
	return add_segment(list);
}

void row_list_free(struct row_list *list)
{
	free(list->first_segment);
	free(list->first_run);
	free(list->runs);
	*list = (struct row_list){0};
}

/* The first run from `begin` on that is not before a row. */
static uint32_t first_in(const struct row_list *list, uint32_t begin, uint32_t end, uint32_t row)
{
	if (begin == end || row <= list->runs[begin].row)
		return begin;
	if (row > list->runs[end - 1].row)
		return end;
	/* usually no row is left out */
	if (list->runs[end - 1].row - list->runs[begin].row == end - 1 - begin)
		return begin + (row - list->runs[begin].row);
	while (begin < end) {
		const uint32_t middle = begin + (end - begin) / 2;
		if (list->runs[middle].row < row)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

sonde_status row_list_visit(const struct row_list *list, const struct field_tile *tile, row_visitor *visit,
			    void *user)
{
	for (uint32_t i = tile->planes.begin; i < tile->planes.end; ++i)
		for (uint32_t s = list->first_segment[i]; s < list->first_segment[i + 1]; ++s) {
			const uint32_t end = list->first_run[s + 1],
				       from = first_in(list, list->first_run[s], end, tile->rows.begin),
				       to = first_in(list, from, end, tile->rows.end);
			if (from < to)
				CHECK(visit(user, list->runs[from].begin,
					    list->runs[to - 1].end - list->runs[from].begin));
		}
	return SONDE_OK;
}
