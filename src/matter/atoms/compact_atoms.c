#include "matter/atoms/compact_atoms.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define TASK_ATOMS 16384 /* larger parts are split by separate threads */
#define BLOCK_ATOMS ((int64_t)65536)

/* A total order: no two entries are equal, so that the result does not depend on the algorithm. The other axes come
 * second, so that a plane of a crystal is not split at random. */
static bool before(const struct compact_atom *a, const struct compact_atom *b, int axis)
{
	for (int k = 0; k < 3; ++k, axis = (axis + 1) % 3)
		if (a->r[axis] != b->r[axis])
			return a->r[axis] < b->r[axis];
	return a->atom < b->atom;
}

static void swap_entries(struct compact_atom *a, struct compact_atom *b)
{
	struct compact_atom kept = *a;

	*a = *b;
	*b = kept;
}

/* Puts the `middle` smallest of `count` entries first (Hoare's selection). */
static void select_smallest(struct compact_atom *entries, size_t count, size_t middle, int axis)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		struct compact_atom pivot = entries[low + (high - low) / 2];
		size_t i = low, j = high; /* nothing in [low, i) is above the pivot, nothing in [j, high) below it */
		while (i < j) {
			while (before(&entries[i], &pivot, axis))
				++i;
			while (before(&pivot, &entries[j - 1], axis))
				--j;
			if (i < j)
				swap_entries(&entries[i++], &entries[--j]);
		}
		/* here j <= i <= j + 1, and an entry between them is the pivot */
		if (middle <= j)
			high = j;
		else if (middle >= i)
			low = i;
		else
			return;
	}
}

static void widen(double r, double *low, double *high)
{
	*low = r < *low ? r : *low;
	*high = r > *high ? r : *high;
}

/* In one pass, with separate variables, which compilers keep in registers. */
static int longest_axis(const struct compact_atom *entries, size_t count)
{
	double low_x = entries[0].r[0], low_y = entries[0].r[1], low_z = entries[0].r[2];
	double high_x = low_x, high_y = low_y, high_z = low_z;

	for (size_t i = 1; i < count; ++i) {
		widen(entries[i].r[0], &low_x, &high_x);
		widen(entries[i].r[1], &low_y, &high_y);
		widen(entries[i].r[2], &low_z, &high_z);
	}
	const double x = high_x - low_x, y = high_y - low_y, z = high_z - low_z;
	const int longest = y > x ? 1 : 0;
	return z > (longest == 1 ? y : x) ? 2 : longest;
}

/* Atoms of one species to be cut into compact parts of `part` atoms, except the last one: across the
 * longest edge, recursively in halves of whole parts. */
struct piece {
	struct compact_atom *entries;
	size_t count, part;
};

static bool is_whole(const struct piece *piece)
{
	return piece->count <= piece->part;
}

static void cut_in_two(const struct piece *piece, struct piece halves[2])
{
	size_t parts = (piece->count + piece->part - 1) / piece->part, middle = parts / 2 * piece->part;

	select_smallest(piece->entries, piece->count, middle, longest_axis(piece->entries, piece->count));
	halves[0] = (struct piece){piece->entries, middle, piece->part};
	halves[1] = (struct piece){piece->entries + middle, piece->count - middle, piece->part};
}

static void cut_in_halves(const sonde_context *context, const struct piece *piece)
{
	struct piece halves[2];

	if (is_whole(piece) || context_cancelled(context))
		return;
	cut_in_two(piece, halves);
	cut_in_halves(context, &halves[0]);
	cut_in_halves(context, &halves[1]);
}

/* Pieces cut in parallel by threads: large ones once, into `halves`, smaller ones completely. */
struct cutting {
	const sonde_context *context;
	const struct piece *pieces;
	struct piece (*halves)[2];
};

static void cut_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct cutting *cutting = state;

	(void)worker;
	for (int64_t n = first; n < end && !context_cancelled(cutting->context); ++n) {
		if (cutting->pieces[n].count > TASK_ATOMS && !is_whole(&cutting->pieces[n]))
			cut_in_two(&cutting->pieces[n], cutting->halves[n]);
		else
			cut_in_halves(cutting->context, &cutting->pieces[n]);
	}
}

/* The remaining halves replace the pieces; returns their number. */
static size_t take_halves(struct piece (*halves)[2], size_t count, struct piece *pieces)
{
	size_t left = 0;

	for (size_t n = 0; n < count; ++n)
		for (int half = 0; half < 2; ++half)
			if (halves[n][half].entries != NULL && !is_whole(&halves[n][half]))
				pieces[left++] = halves[n][half];
	return left;
}

/* Halves every piece, then the halves, until none is left. `pieces` has room for `room`. */
static sonde_status cut_pieces(const sonde_context *context, struct piece *pieces, size_t count, size_t room)
{
	struct piece(*halves)[2];

	CHECK(memory_allocate(&halves, room, sizeof *halves, "sorting the atoms"));
	while (count > 0 && !context_cancelled(context)) {
		struct cutting cutting = {context, pieces, halves};
		memset(halves, 0, count * sizeof *halves);
		threads_for(context_threads(context), (int64_t)count, 1, cut_some, &cutting);
		count = take_halves(halves, count, pieces);
	}
	free(halves);
	return SONDE_OK;
}

/* Cuts the atoms of all species into parts; they are already cut into units of `parts_per_unit` parts, or, if 1,
 * not at all. */
static sonde_status cut_into_parts(const sonde_context *context, const sonde_atoms *atoms, size_t part,
				   size_t parts_per_unit, struct compact_atom *entries)
{
	size_t count = 0, unit = part * parts_per_unit,
	       /* a half that is cut again has more than TASK_ATOMS/4 atoms */
	    room = (size_t)atoms->count / unit + (size_t)atoms->count / (TASK_ATOMS / 4) +
		   (size_t)atoms->species_count + 1;
	struct piece *pieces;

	CHECK(memory_allocate(&pieces, room, sizeof *pieces, "sorting the atoms"));
	for (int s = 0; s < atoms->species_count; ++s) {
		size_t left = (size_t)atoms->species[s].atoms;
		while (left > 0) {
			size_t own = parts_per_unit > 1 && left > unit ? unit : left;
			pieces[count++] = (struct piece){entries, own, part};
			entries += own;
			left -= own;
		}
	}
	sonde_status status = cut_pieces(context, pieces, count, room);
	free(pieces);
	return status;
}

/* Atoms in the order of their species, by blocks of the sample: counts of blocks give the places of their atoms. */
struct gathering {
	const sonde_atoms *atoms;
	struct compact_atom *entries;
	int64_t *next; /* [block][species] */
	bool counts;
};

static void gather_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct gathering *gathering = state;
	const sonde_atoms *atoms = gathering->atoms;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		int64_t *next = gathering->next + block * atoms->species_count, last = (block + 1) * BLOCK_ATOMS;
		last = last < atoms->count ? last : atoms->count;
		for (int64_t i = block * BLOCK_ATOMS; i < last; ++i) {
			const double *r = atoms->positions + 3 * i;
			const int64_t place = next[atoms->species_of[i]]++;
			if (!gathering->counts)
				gathering->entries[place] = (struct compact_atom){{r[0], r[1], r[2]}, (uint32_t)i};
		}
	}
}

static sonde_status gather(const sonde_context *context, const sonde_atoms *atoms, struct compact_atom *entries)
{
	const int64_t blocks = (atoms->count + BLOCK_ATOMS - 1) / BLOCK_ATOMS, species = atoms->species_count;
	struct gathering gathering = {.atoms = atoms, .entries = entries, .counts = true};
	int64_t place = 0;

	CHECK(memory_allocate(&gathering.next, (size_t)(blocks * species + 1), sizeof *gathering.next,
			      "sorting the atoms"));
	threads_for(context_threads(context), blocks, 1, gather_some, &gathering);
	for (int64_t s = 0; s < species; ++s)
		for (int64_t block = 0; block < blocks; ++block) {
			const int64_t own = gathering.next[block * species + s];
			gathering.next[block * species + s] = place;
			place += own;
		}
	gathering.counts = false;
	threads_for(context_threads(context), blocks, 1, gather_some, &gathering);
	free(gathering.next);
	return SONDE_OK;
}

sonde_status compact_atoms_sort(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
				uint32_t tiles_per_unit, struct compact_atom **entries)
{
	CHECK(memory_allocate(entries, (size_t)atoms->count, sizeof **entries, "sorting the atoms"));
	CHECK(gather(context, atoms, *entries));
	CHECK(cut_into_parts(context, atoms, (size_t)atoms_per_tile * tiles_per_unit, 1, *entries));
	if (tiles_per_unit > 1)
		CHECK(cut_into_parts(context, atoms, atoms_per_tile, tiles_per_unit, *entries));
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request while sorting the atoms")
					  : SONDE_OK;
}
