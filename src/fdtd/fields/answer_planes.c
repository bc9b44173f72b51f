/* Planes of the answers of media at metal surfaces, and numbers of those that are listed here. */
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fields/answering.h"
#include "fdtd/media/answers.h"

#define WHAT "surfaces of metals"

/* First edge of each plane, and first of its edges along x. */
static void find_edges(const struct answers *answers, int planes, struct answer_planes *found)
{
	uint32_t n = 0;

	for (int i = 0; i <= planes; ++i) {
		while (n < answers->edge_count && answers->edges[n].node[0] < i)
			++n;
		found->first_of_plane[i] = n;
		while (n < answers->edge_count && answers->edges[n].node[0] == i && answers->edges[n].component != 0)
			++n;
		found->first_along_x[i] = n;
	}
	for (int i = 0; i <= planes; ++i)
		found->first_term[i] = answers->first_terms[found->first_of_plane[i]];
}

/* First answer of each plane, counted from the kind's first one. */
static void find_answers(const struct answers *answers, int planes, uint32_t *first)
{
	size_t begin = 0;

	for (size_t k = 0; k < answers->kind_count; ++k, first += planes + 1) {
		const struct answer *of_kind = answers->answers + begin;
		uint32_t n = 0;
		for (int i = 0; i <= planes; ++i) {
			while (n < answers->kinds[k].answers && of_kind[n].node[0] < i)
				++n;
			first[i] = n;
		}
		begin += answers->kinds[k].answers;
	}
}

sonde_status answering_planes(const struct fdtd_grid *grid, const struct media *media, struct answer_planes *found)
{
	const int planes = grid->cells[0] + 1;
	const size_t count = (size_t)planes + 1;

	CHECK(memory_allocate(&found->first_of_plane, count, sizeof(uint32_t), WHAT));
	CHECK(memory_allocate(&found->first_along_x, count, sizeof(uint32_t), WHAT));
	CHECK(memory_allocate(&found->first_term, count, sizeof(uint32_t), WHAT));
	CHECK(memory_allocate(&found->kinds, media->answers->kind_count * count, sizeof(uint32_t), WHAT));
	find_edges(media->answers, planes, found);
	find_answers(media->answers, planes, found->kinds);
	return SONDE_OK;
}

void answer_planes_free(struct answer_planes *planes)
{
	free(planes->first_of_plane);
	free(planes->first_along_x);
	free(planes->first_term);
	free(planes->kinds);
	*planes = (struct answer_planes){.kinds = NULL};
}

uint32_t answering_plane(const struct answering *answering, uint64_t number)
{
	int kind = answering->kind_count - 1;

	while (kind > 0 && answering->kinds[kind].first > number)
		--kind;
	const struct answering_kind *of = &answering->kinds[kind];
	const uint32_t n = (uint32_t)number - of->first;
	uint32_t begin = 0, end = answering->plane_count;
	while (begin + 1 < end) { /* the last plane whose first answer is not after it */
		const uint32_t middle = begin + (end - begin) / 2;
		if (of->first_of_plane[middle] <= n)
			begin = middle;
		else
			end = middle;
	}
	return begin;
}

sonde_status answering_numbers(const struct fields *fields, const struct media *media, uint32_t **numbers)
{
	const struct answers *answers = media->answers;
	const size_t rows = (size_t)fields->grid.cells[0] + 2;
	struct answer_planes here = {.kinds = NULL};
	size_t first = 0;

	CHECK(memory_allocate(numbers, answers->count, sizeof **numbers, WHAT));
	const sonde_status status = answering_planes(&fields->grid, media, &here);
	for (size_t k = 0; k < answers->kind_count && status == SONDE_OK; first += answers->kinds[k++].answers)
		for (size_t n = 0; n < answers->kinds[k].answers; ++n) {
			const struct answering_kind *kind = &fields->answering->kinds[k];
			const size_t plane = (size_t)answers->answers[first + n].node[0];
			(*numbers)[first + n] =
			    kind->first + kind->first_of_plane[plane] + (uint32_t)n - here.kinds[k * rows + plane];
		}
	answer_planes_free(&here);
	return status;
}
