#include "matter/sample/clearance.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

/* Atoms by cubes with the distance as edge, in lists of a hash table. */
struct search {
	const sonde_atoms *atoms;
	const uint32_t *body_of;
	double distance;
	uint64_t mask;  /* number of lists - 1, a power of two - 1 */
	int64_t *first; /* of each list, -1 if it is empty */
	int64_t *next;  /* of each atom, -1 at the end */
	unsigned char *keep;
};

static int64_t cube_of(const struct search *search, double place)
{
	return (int64_t)floor(place / search->distance);
}

/* Any mixing of the bits; distances are compared afterwards. */
static uint64_t list_of(const struct search *search, const int64_t cube[3])
{
	uint64_t hash = (uint64_t)cube[0] * 0x9e3779b97f4a7c15u;

	hash = (hash ^ (hash >> 29)) + (uint64_t)cube[1] * 0xbf58476d1ce4e5b9u;
	hash = (hash ^ (hash >> 31)) + (uint64_t)cube[2] * 0x94d049bb133111ebu;
	return (hash ^ (hash >> 33)) & search->mask;
}

static void fill_lists(struct search *search)
{
	for (uint64_t k = 0; k <= search->mask; ++k)
		search->first[k] = -1;
	for (int64_t i = 0; i < search->atoms->count; ++i) {
		const double *r = search->atoms->positions + 3 * i;
		const int64_t cube[3] = {cube_of(search, r[0]), cube_of(search, r[1]), cube_of(search, r[2])};
		const uint64_t list = list_of(search, cube);
		search->next[i] = search->first[list];
		search->first[list] = i;
	}
}

static bool has_later(const struct search *search, int64_t atom, const int64_t cube[3])
{
	const double *r = search->atoms->positions + 3 * atom;

	for (int64_t j = search->first[list_of(search, cube)]; j >= 0; j = search->next[j]) {
		const double *s = search->atoms->positions + 3 * j;
		const double x = s[0] - r[0], y = s[1] - r[1], z = s[2] - r[2];
		if (search->body_of[j] > search->body_of[atom] &&
		    x * x + y * y + z * z < search->distance * search->distance)
			return true;
	}
	return false;
}

static void mark_some(void *state, int64_t first, int64_t end, int worker)
{
	struct search *search = state;

	(void)worker;
	for (int64_t i = first; i < end; ++i) {
		const double *r = search->atoms->positions + 3 * i;
		for (int n = 0; n < 27 && search->keep[i] != 0; ++n) {
			const int64_t cube[3] = {cube_of(search, r[0]) + n % 3 - 1,
						 cube_of(search, r[1]) + n / 3 % 3 - 1,
						 cube_of(search, r[2]) + n / 9 - 1};
			if (has_later(search, i, cube))
				search->keep[i] = 0;
		}
	}
}

sonde_status clearance_mark(sonde_context *context, const sonde_atoms *atoms, const uint32_t *body_of,
			    double distance, unsigned char *keep)
{
	struct search search = {.atoms = atoms, .body_of = body_of, .distance = distance, .mask = 1, .keep = keep};
	const int threads = context_threads(context);

	while (search.mask < (uint64_t)atoms->count)
		search.mask = 2 * search.mask + 1;
	sonde_status status =
	    memory_allocate(&search.first, (size_t)search.mask + 1, sizeof *search.first, "the search for neighbors");
	if (status == SONDE_OK)
		status = memory_allocate(&search.next, (size_t)atoms->count, sizeof *search.next,
					 "the search for neighbors");
	if (status == SONDE_OK) {
		fill_lists(&search);
		threads_for(threads, atoms->count, threads_grain(threads, atoms->count), mark_some, &search);
	}
	free(search.first);
	free(search.next);
	return status;
}
