#include "matter/atoms/compact_atoms.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/large_cuts.h"
#include "parallel/parallel.h"

#define TASK_ATOMS 4096 /* larger parts are split by separate threads */
#define BLOCK_ATOMS ((int64_t)65536)
/* Threads cut so large a piece together, whatever their number: the order of the atoms depends on how. */
#define LARGE_PIECE ((size_t)1 << 17)
#define FINE_SHARES 8 /* of a rank's share: it ends where a piece of this part of it does */
#define ENTRIES_OF_THREAD 65536

static bool is_large(const struct compact_piece *piece)
{
	return piece->count >= LARGE_PIECE && !compact_is_whole(piece);
}

/* The entries of the order that are wanted: all, or those of this rank. */
struct interval {
	size_t first, end;
};

static bool is_wanted(const struct interval *wanted, const struct compact_piece *piece)
{
	return piece->first < wanted->end && piece->first + piece->count > wanted->first;
}

/* Pieces cut in parallel by threads: those below TASK_ATOMS completely, others once, into `halves`; large ones by all threads together. */
struct cutting {
	const sonde_context *context;
	struct compact_arrays arrays;
	struct interval wanted;
	struct compact_piece *pieces, (*halves)[2];
	size_t count;
};

static void cut_in_two(const struct cutting *cutting, const struct compact_piece *piece,
		       struct compact_piece halves[2])
{
	struct compact_atom *entries = cutting->arrays.home + piece->first;

	compact_select(entries, piece->count, compact_middle(piece), compact_longest_axis(entries, piece->count));
	compact_halve(piece, halves);
}

static void cut_in_halves(const struct cutting *cutting, const struct compact_piece *piece)
{
	struct compact_piece halves[2];

	if (compact_is_whole(piece) || context_cancelled(cutting->context) || !is_wanted(&cutting->wanted, piece))
		return;
	cut_in_two(cutting, piece, halves);
	cut_in_halves(cutting, &halves[0]);
	cut_in_halves(cutting, &halves[1]);
}

static void bring_home(const struct cutting *cutting, struct compact_piece *piece)
{
	if (piece->away)
		memcpy(cutting->arrays.home + piece->first, cutting->arrays.away + piece->first,
		       piece->count * sizeof *cutting->arrays.home);
	piece->away = false;
}

static void cut_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct cutting *cutting = state;

	(void)worker;
	for (int64_t n = first; n < end && !context_cancelled(cutting->context); ++n) {
		struct compact_piece *piece = &cutting->pieces[n];
		if (is_large(piece))
			continue;
		bring_home(cutting, piece);
		if (piece->count > TASK_ATOMS && !compact_is_whole(piece))
			cut_in_two(cutting, piece, cutting->halves[n]);
		else
			cut_in_halves(cutting, piece);
	}
}

/* The halves still to be cut replace the pieces. */
static void take_halves(struct cutting *cutting)
{
	size_t left = 0;

	for (size_t n = 0; n < cutting->count; ++n)
		for (int half = 0; half < 2; ++half) {
			const struct compact_piece *piece = &cutting->halves[n][half];
			if (piece->count > 0 && (!compact_is_whole(piece) || piece->away) &&
			    is_wanted(&cutting->wanted, piece))
				cutting->pieces[left++] = *piece;
		}
	cutting->count = left;
}

static sonde_status cut_large_pieces(struct cutting *cutting, size_t atoms, size_t large)
{
	struct large_cut *cuts;
	size_t k = 0;

	if (cutting->arrays.away == NULL)
		CHECK(memory_allocate_to_fill(&cutting->arrays.away, atoms, sizeof *cutting->arrays.away,
					      "sorting the atoms"));
	CHECK(memory_allocate(&cuts, large, sizeof *cuts, "sorting the atoms"));
	for (size_t n = 0; n < cutting->count; ++n) {
		if (!is_large(&cutting->pieces[n]))
			continue;
		cuts[k].piece = cutting->pieces[n];
		compact_halve(&cuts[k].piece, cuts[k].halves);
		for (int half = 0; half < 2; ++half)
			cuts[k].wants[half] = is_wanted(&cutting->wanted, &cuts[k].halves[half]);
		++k;
	}
	const sonde_status status = large_cuts_do(context_threads(cutting->context), &cutting->arrays, cuts, large);
	k = 0;
	for (size_t n = 0; n < cutting->count && status == SONDE_OK; ++n)
		if (is_large(&cutting->pieces[n]))
			memcpy(cutting->halves[n], cuts[k++].halves, sizeof cutting->halves[n]);
	free(cuts);
	return status;
}

/* Halves every piece, then the halves, until none is left, of `atoms` entries in all. */
static sonde_status cut_pieces(struct cutting *cutting, size_t atoms)
{
	sonde_status status = SONDE_OK;

	while (cutting->count > 0 && status == SONDE_OK && !context_cancelled(cutting->context)) {
		size_t large = 0;
		memset(cutting->halves, 0, cutting->count * sizeof *cutting->halves);
		for (size_t n = 0; n < cutting->count; ++n)
			large += is_large(&cutting->pieces[n]);
		if (large > 0)
			status = cut_large_pieces(cutting, atoms, large);
		if (large < cutting->count)
			threads_for(context_threads(cutting->context), (int64_t)cutting->count, 1, cut_some, cutting);
		take_halves(cutting);
	}
	return status;
}

/* The atoms of all species, which are already cut into units of `unit` atoms, or not at all, if it is 0. Returns their number. */
static size_t list_pieces(const sonde_atoms *atoms, size_t part, size_t unit, const struct interval *wanted,
			  struct compact_piece *pieces)
{
	size_t count = 0, first = 0;

	for (int s = 0; s < atoms->species_count; ++s) {
		size_t left = (size_t)atoms->species[s].atoms;
		while (left > 0) {
			const size_t own = unit > 0 && left > unit ? unit : left;
			pieces[count] = (struct compact_piece){.first = first, .count = own, .part = part};
			count += is_wanted(wanted, &pieces[count]);
			first += own;
			left -= own;
		}
	}
	return count;
}

/* Cuts the atoms of all species into parts; they are already cut into units of `parts_per_unit` parts, or, if 1,
 * not at all. */
static sonde_status cut_into_parts(const sonde_context *context, const sonde_atoms *atoms, size_t part,
				   size_t parts_per_unit, const struct interval *wanted, struct compact_atom *entries)
{
	const size_t unit = parts_per_unit > 1 ? part * parts_per_unit : 0,
		     /* a half that is cut again has more than TASK_ATOMS/4 atoms */
	    room = (size_t)atoms->count / (part * parts_per_unit) + (size_t)atoms->count / (TASK_ATOMS / 4) +
		   (size_t)atoms->species_count + 1;
	struct cutting cutting = {.context = context, .arrays = {.home = entries}, .wanted = *wanted};

	CHECK(memory_allocate(&cutting.pieces, room, sizeof *cutting.pieces, "sorting the atoms"));
	sonde_status status = memory_allocate(&cutting.halves, room, sizeof *cutting.halves, "sorting the atoms");
	if (status == SONDE_OK) {
		cutting.count = list_pieces(atoms, part, unit, wanted, cutting.pieces);
		status = cut_pieces(&cutting, (size_t)atoms->count);
	}
	free(cutting.arrays.away);
	free(cutting.halves);
	free(cutting.pieces);
	return status;
}

/* Atoms in the order of their species, by blocks of the sample: counts of blocks give the places of their atoms. */
struct gathering {
	const sonde_atoms *atoms;
	struct interval wanted; /* species without any of these are left out */
	struct compact_atom *entries;
	int64_t *next; /* [block][species], -1: left out */
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
			int64_t *place = &next[atoms->species_of[i]];
			if (*place < 0)
				continue;
			if (!gathering->counts)
				gathering->entries[*place] = (struct compact_atom){{r[0], r[1], r[2]}, (uint32_t)i};
			++*place;
		}
	}
}

static sonde_status gather(const sonde_context *context, const sonde_atoms *atoms, const struct interval *wanted,
			   struct compact_atom *entries)
{
	const int64_t blocks = (atoms->count + BLOCK_ATOMS - 1) / BLOCK_ATOMS, species = atoms->species_count;
	struct gathering gathering = {.atoms = atoms, .entries = entries, .counts = true};
	int64_t place = 0;

	CHECK(memory_allocate(&gathering.next, (size_t)(blocks * species + 1), sizeof *gathering.next,
			      "sorting the atoms"));
	threads_for(context_threads(context), blocks, 1, gather_some, &gathering);
	for (int64_t s = 0; s < species; ++s) {
		const struct compact_piece all = {.first = (size_t)place, .count = (size_t)atoms->species[s].atoms};
		for (int64_t block = 0; block < blocks; ++block) {
			const int64_t own = gathering.next[block * species + s];
			gathering.next[block * species + s] = is_wanted(wanted, &all) ? place : -1;
			place += own;
		}
	}
	gathering.counts = false;
	threads_for(context_threads(context), blocks, 1, gather_some, &gathering);
	free(gathering.next);
	return SONDE_OK;
}

static sonde_status sort(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
			 uint32_t tiles_per_unit, const struct interval *wanted, struct compact_atom *entries)
{
	CHECK(gather(context, atoms, wanted, entries));
	CHECK(cut_into_parts(context, atoms, (size_t)atoms_per_tile * tiles_per_unit, 1, wanted, entries));
	if (tiles_per_unit > 1)
		CHECK(cut_into_parts(context, atoms, atoms_per_tile, tiles_per_unit, wanted, entries));
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request while sorting the atoms")
					  : SONDE_OK;
}

sonde_status compact_atoms_sort(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
				uint32_t tiles_per_unit, struct compact_atom **entries)
{
	const struct interval all = {0, (size_t)atoms->count};

	CHECK(memory_allocate_to_fill(entries, (size_t)atoms->count, sizeof **entries, "sorting the atoms"));
	return sort(context, atoms, atoms_per_tile, tiles_per_unit, &all, *entries);
}

/* Ranks --------------------------------------------------------------------------------------------------------- */

/* The end of a piece near entry `target`, of the pieces that have at most `fine` entries: ranks that share the order there have
 * none of them in common. */
static size_t nearest_end(const sonde_atoms *atoms, size_t part, size_t target, size_t fine)
{
	struct compact_piece piece = {.part = part}, halves[2];

	for (int s = 0; s < atoms->species_count && piece.first + piece.count <= target; ++s) {
		piece.first += piece.count;
		piece.count = (size_t)atoms->species[s].atoms;
	}
	while (piece.count > fine && !compact_is_whole(&piece)) {
		compact_halve(&piece, halves);
		piece = halves[target >= halves[1].first];
	}
	const size_t end = piece.first + piece.count;
	return target < end && target - piece.first < end - target ? piece.first : end;
}

/* The part of the order for a rank. */
static struct interval part_of_rank(const sonde_atoms *atoms, size_t part, int rank, int size)
{
	const size_t count = (size_t)atoms->count, fine = count / (size_t)(FINE_SHARES * size);
	struct interval own = {0, count};

	if (rank > 0)
		own.first = nearest_end(atoms, part, (size_t)((double)count / size * rank), fine);
	if (rank + 1 < size)
		own.end = nearest_end(atoms, part, (size_t)((double)count / size * (rank + 1)), fine);
	return own;
}

/* Numbers of atoms in their order, and the entries that follow from them: those of other ranks. */
struct completing {
	const sonde_atoms *atoms;
	struct interval own;
	uint32_t *numbers;
	struct compact_atom *entries;
};

static void take_numbers(void *state, int64_t first, int64_t end, int worker)
{
	const struct completing *completing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		completing->numbers[n] = completing->entries[completing->own.first + (size_t)n].atom;
}

static void complete_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct completing *completing = state;

	(void)worker;
	for (size_t n = (size_t)first; n < (size_t)end; ++n) {
		const double *r = completing->atoms->positions + 3 * (size_t)completing->numbers[n];
		if (n < completing->own.first || n >= completing->own.end)
			completing->entries[n] = (struct compact_atom){{r[0], r[1], r[2]}, completing->numbers[n]};
	}
}

static sonde_status exchange(const sonde_context *context, struct completing *completing)
{
	const size_t own = completing->own.end - completing->own.first;
	const int threads = context_threads(context);
	uint32_t *numbers;
	void *all;
	size_t size;

	CHECK(memory_allocate_to_fill(&numbers, own, sizeof *numbers, "sorting the atoms"));
	completing->numbers = numbers;
	threads_for(threads, (int64_t)own, ENTRIES_OF_THREAD, take_numbers, completing);
	const sonde_status status =
	    parallel_gather(context_ranks(context), numbers, own * sizeof *numbers, &all, &size);
	free(numbers);
	CHECK(status);
	completing->numbers = all;
	if (size == (size_t)completing->atoms->count * sizeof *numbers)
		threads_for(threads, completing->atoms->count, ENTRIES_OF_THREAD, complete_some, completing);
	free(all);
	return size == (size_t)completing->atoms->count * sizeof *numbers
		   ? SONDE_OK
		   : status_fail(SONDE_INTERNAL, "the ranks do not order the same atoms");
}

sonde_status compact_atoms_sort_by_ranks(const sonde_context *context, const sonde_atoms *atoms,
					 uint32_t atoms_per_tile, struct compact_atom **entries)
{
	const struct parallel *ranks = context_ranks(context);
	const struct interval own = part_of_rank(atoms, atoms_per_tile, parallel_rank(ranks), parallel_size(ranks));
	struct completing completing = {.atoms = atoms, .own = own};

	CHECK(memory_allocate_to_fill(entries, (size_t)atoms->count, sizeof **entries, "sorting the atoms"));
	CHECK(sort(context, atoms, atoms_per_tile, 1, &own, *entries));
	completing.entries = *entries;
	return exchange(context, &completing);
}
