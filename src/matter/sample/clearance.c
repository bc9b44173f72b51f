#include "matter/sample/clearance.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/radius.h"

/* Atoms by cubes with the distance as edge, in lists of a hash table. */
struct search {
	const sonde_atoms *atoms;
	const uint32_t *body_of;
	double distance;
	uint64_t mask;  /* number of lists - 1, a power of two - 1 */
	int64_t *first; /* of each list, -1 if it is empty */
	int64_t *next;  /* of each atom, -1 at the end */
	unsigned char *keep;
	const unsigned char *candidate; /* atoms in the lists; null: all */
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
		if (search->candidate != NULL && search->candidate[i] == 0)
			continue;
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

/* The lists of the search; to be freed by search_end(), also after a failure. */
static sonde_status search_begin(struct search *search)
{
	search->mask = 1;
	while (search->mask < (uint64_t)search->atoms->count)
		search->mask = 2 * search->mask + 1;
	CHECK(memory_allocate(&search->first, (size_t)search->mask + 1, sizeof *search->first,
			      "the search for neighbors"));
	CHECK(memory_allocate(&search->next, (size_t)search->atoms->count, sizeof *search->next,
			      "the search for neighbors"));
	fill_lists(search);
	return SONDE_OK;
}

static void search_end(struct search *search)
{
	free(search->first);
	free(search->next);
}

sonde_status clearance_mark(sonde_context *context, const sonde_atoms *atoms, const uint32_t *body_of,
			    double distance, unsigned char *keep)
{
	struct search search = {.atoms = atoms, .body_of = body_of, .distance = distance, .keep = keep};
	const int threads = context_threads(context);
	const sonde_status status = search_begin(&search);

	if (status == SONDE_OK)
		threads_for(threads, atoms->count, threads_grain(threads, atoms->count), mark_some, &search);
	search_end(&search);
	return status;
}

/* Contacts --------------------------------------------------------------------------------------- */

struct survey {
	struct search search;
	double *radius;         /* of each species */
	struct contacts *found; /* of each worker */
};

/* Pairs of atom i with those of later bodies in a cube. */
static void survey_cube(const struct survey *survey, int64_t i, const int64_t cube[3], struct contacts *found)
{
	const struct search *search = &survey->search;
	const sonde_atoms *atoms = search->atoms;
	const double *r = atoms->positions + 3 * i;

	for (int64_t j = search->first[list_of(search, cube)]; j >= 0; j = search->next[j]) {
		const double *s = atoms->positions + 3 * j, d[3] = {s[0] - r[0], s[1] - r[1], s[2] - r[2]};
		bool here = search->body_of[j] > search->body_of[i];
		/* lists may have atoms of several cubes, which are counted once */
		for (int k = 0; k < 3 && here; ++k)
			here = cube_of(search, s[k]) == cube[k];
		const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
			     close = CONTACTS_CLOSE *
				     (survey->radius[atoms->species_of[i]] + survey->radius[atoms->species_of[j]]);
		if (!here || !(distance < search->distance))
			continue;
		found->shortest = found->shortest == 0.0 ? distance : fmin(found->shortest, distance);
		if (distance < close) {
			++found->pairs;
			found->longest = fmax(found->longest, distance);
		}
	}
}

static void survey_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct survey *survey = state;

	for (int64_t i = first; i < end; ++i) {
		const double *r = survey->search.atoms->positions + 3 * i;
		if (survey->search.candidate[i] == 0)
			continue;
		for (int n = 0; n < 27; ++n) {
			const int64_t cube[3] = {cube_of(&survey->search, r[0]) + n % 3 - 1,
						 cube_of(&survey->search, r[1]) + n / 3 % 3 - 1,
						 cube_of(&survey->search, r[2]) + n / 9 - 1};
			survey_cube(survey, i, cube, &survey->found[worker]);
		}
	}
}

static void add_found(const struct survey *survey, int threads, struct contacts *contacts)
{
	for (int w = 0; w < threads; ++w) {
		const struct contacts *found = &survey->found[w];
		contacts->pairs += found->pairs;
		contacts->longest = fmax(contacts->longest, found->longest);
		if (found->shortest > 0.0)
			contacts->shortest =
			    contacts->shortest == 0.0 ? found->shortest : fmin(contacts->shortest, found->shortest);
	}
}

sonde_status contacts_find(sonde_context *context, const sonde_atoms *atoms, const uint32_t *body_of,
			   const unsigned char *candidate, struct contacts *contacts)
{
	struct survey survey = {
	    .search = {.atoms = atoms, .body_of = body_of, .distance = CONTACTS_REACH, .candidate = candidate}};
	const int threads = context_threads(context);

	*contacts = (struct contacts){.pairs = 0};
	sonde_status status = memory_allocate(&survey.radius, (size_t)atoms->species_count + 1, sizeof *survey.radius,
					      "the search for neighbors");
	if (status == SONDE_OK)
		status =
		    memory_allocate(&survey.found, (size_t)threads, sizeof *survey.found, "the search for neighbors");
	if (status == SONDE_OK)
		status = search_begin(&survey.search);
	if (status == SONDE_OK) {
		for (int s = 0; s < atoms->species_count; ++s)
			survey.radius[s] = covalent_radius_of_label(atoms->species[s].label);
		threads_for(threads, atoms->count, threads_grain(threads, atoms->count), survey_some, &survey);
		add_found(&survey, threads, contacts);
	}
	search_end(&survey.search);
	free(survey.radius);
	free(survey.found);
	return status;
}

double contacts_clearance(const struct contacts *contacts)
{
	return ceil(10.0 * contacts->longest + 1e-6) / 10.0;
}
