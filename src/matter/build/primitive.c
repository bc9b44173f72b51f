#include "matter/build/primitive.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/crystal/lattice.h"

#define SAME 1e-8      /* fractions of the cell */
#define MOST_SITES 256 /* among which translations are looked for */
#define REACH 2        /* cells around, in which the shortest vectors are */
#define ACROSS (2 * REACH + 1)

void primitive_free(struct primitive_cell *cell)
{
	free(cell->sites);
	*cell = (struct primitive_cell){.site_count = 0};
}

/* Whether two points differ by whole cells. */
static bool is_same(const double a[3], const double b[3], const double shift[3])
{
	for (int k = 0; k < 3; ++k) {
		const double difference = a[k] + shift[k] - b[k];
		if (fabs(difference - round(difference)) > SAME)
			return false;
	}
	return true;
}

static bool carries_all(const struct crystal *crystal, const double shift[3])
{
	for (int i = 0; i < crystal->site_count; ++i) {
		bool found = false;
		for (int j = 0; j < crystal->site_count && !found; ++j)
			found = crystal->site_species[j] == crystal->site_species[i] &&
				is_same(crystal->site[i], crystal->site[j], shift);
		if (!found)
			return false;
	}
	return true;
}

/* Translations within the cell, in fractions; the first one is 0. */
static int find_shifts(const struct crystal *crystal, double (*shifts)[3])
{
	int count = 1;

	memset(shifts[0], 0, sizeof shifts[0]);
	for (int s = 1; s < crystal->site_count && crystal->site_count <= MOST_SITES; ++s) {
		if (crystal->site_species[s] != crystal->site_species[0])
			continue;
		for (int k = 0; k < 3; ++k)
			shifts[count][k] = crystal->site[s][k] - crystal->site[0][k];
		count += carries_all(crystal, shifts[count]);
	}
	return count;
}

/* The shortest vectors among the translations and whole cells. */
static sonde_status find_vectors(const struct crystal *crystal, double (*shifts)[3], int shift_count,
				 struct primitive_cell *cell, bool *found)
{
	const size_t count = (size_t)shift_count * ACROSS * ACROSS * ACROSS;
	double(*vectors)[3];

	CHECK(memory_allocate(&vectors, count, sizeof *vectors, "the cell"));
	for (size_t v = 0; v < count; ++v) {
		const int cells = (int)(v / (size_t)shift_count);
		const int n[3] = {cells % ACROSS - REACH, cells / ACROSS % ACROSS - REACH,
				  cells / (ACROSS * ACROSS) - REACH};
		for (int m = 0; m < 3; ++m)
			for (int k = 0; k < 3; ++k)
				vectors[v][m] += (shifts[v % (size_t)shift_count][k] + n[k]) * crystal->vectors[k][m];
	}
	*found = lattice_shortest(vectors, count, cell->vectors);
	free(vectors);
	const double volume = fabs(crystal_reciprocal(crystal->vectors, NULL)) / shift_count,
		     reached = fabs(crystal_reciprocal((const double(*)[3])cell->vectors, NULL));
	/* of skew cells the shortest vectors may be farther away */
	*found = *found && fabs(reached - volume) <= 1e-6 * volume;
	return SONDE_OK;
}

static void choose_sites(const struct crystal *crystal, double (*shifts)[3], int shift_count,
			 struct primitive_cell *cell)
{
	for (int s = 0; s < crystal->site_count; ++s) {
		bool known = false;
		for (int k = 0; k < cell->site_count && !known; ++k)
			for (int shift = 0; shift < shift_count && !known; ++shift)
				known = crystal->site_species[s] == crystal->site_species[cell->sites[k]] &&
					is_same(crystal->site[cell->sites[k]], crystal->site[s], shifts[shift]);
		if (!known)
			cell->sites[cell->site_count++] = s;
	}
}

sonde_status primitive_find(const struct crystal *crystal, struct primitive_cell *cell)
{
	double(*shifts)[3];
	bool found = false;

	*cell = (struct primitive_cell){.site_count = 0};
	CHECK(memory_allocate(&cell->sites, (size_t)crystal->site_count, sizeof *cell->sites, "the cell"));
	CHECK(memory_allocate(&shifts, (size_t)crystal->site_count + 1, sizeof *shifts, "the cell"));
	int count = find_shifts(crystal, shifts);
	const sonde_status status = find_vectors(crystal, shifts, count, cell, &found);
	if (!found) {
		count = 1;
		memcpy(cell->vectors, crystal->vectors, sizeof cell->vectors);
	}
	if (crystal->site_count <= MOST_SITES)
		choose_sites(crystal, shifts, count, cell);
	else
		for (int s = 0; s < crystal->site_count; ++s)
			cell->sites[cell->site_count++] = s;
	free(shifts);
	return status;
}
