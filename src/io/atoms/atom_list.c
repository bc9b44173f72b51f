#include "io/atoms/atom_list.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define LINES_PER_LOOK 16384
#define ATOMS_PER_THREAD 8192

sonde_status atom_list_add(struct atom_list *list, const struct listed_atom *atom)
{
	CHECK(
	    memory_grow(&list->atoms, &list->capacity, list->count + 1, sizeof *list->atoms, "the atoms of a file"));
	list->atoms[list->count++] = *atom;
	return SONDE_OK;
}

sonde_status atom_list_reserve(struct atom_list *list, size_t more)
{
	return memory_grow(&list->atoms, &list->capacity, list->count + more, sizeof *list->atoms,
			   "the atoms of a file");
}

/* By number; atoms of the same number by line, so that the message names the second. */
static int compare(const void *a, const void *b)
{
	const struct listed_atom *first = a, *second = b;

	if (first->id != second->id)
		return first->id < second->id ? -1 : 1;
	return first->line < second->line ? -1 : first->line > second->line;
}

static bool is_sorted(const struct atom_list *list)
{
	for (size_t k = 1; k < list->count; ++k)
		if (list->atoms[k - 1].id >= list->atoms[k].id)
			return false;
	return true;
}

/* Consecutive numbers in any order, as in nearly every dump: each gives the place of its atom. */
static sonde_status put_in_order(struct atom_list *list)
{
	int64_t least = list->atoms[0].id;

	list->ordered = false;
	for (size_t k = 1; k < list->count; ++k)
		least = list->atoms[k].id < least ? list->atoms[k].id : least;
	CHECK(memory_grow(&list->order, &list->order_capacity, list->count, sizeof *list->order,
			  "the atoms of a file"));
	for (size_t k = 0; k < list->count; ++k)
		list->order[k] = -1;
	for (size_t k = 0; k < list->count; ++k) {
		const uint64_t place = (uint64_t)list->atoms[k].id - (uint64_t)least;
		if (place >= list->count || list->order[place] >= 0)
			return SONDE_OK;
		list->order[place] = (int64_t)k;
	}
	list->ordered = true;
	return SONDE_OK;
}

static sonde_status sort(struct atom_list *list, const char *path)
{
	list->ordered = false;
	if (is_sorted(list))
		return SONDE_OK;
	CHECK(put_in_order(list));
	if (list->ordered)
		return SONDE_OK;
	qsort(list->atoms, list->count, sizeof *list->atoms, compare);
	for (size_t k = 1; k < list->count; ++k)
		if (list->atoms[k - 1].id == list->atoms[k].id)
			return status_fail_line(SONDE_INVALID, path, list->atoms[k].line,
						"atom %lld occurs twice: also in line %lld",
						(long long)list->atoms[k].id, (long long)list->atoms[k - 1].line);
	return SONDE_OK;
}

static const struct listed_atom *atom_at(const struct atom_list *list, size_t k)
{
	return &list->atoms[list->ordered ? (size_t)list->order[k] : k];
}

/* Atoms that are placed by several threads. */
struct placing {
	const struct atom_list *list;
	const char (*labels)[ATOM_LIST_LABEL];
	const struct atom_sink *sink;
	atomic_llong refused; /* the first atom that was; INT64_MAX if none */
};

static sonde_status place_atom(const struct placing *placing, size_t k)
{
	const struct listed_atom *atom = atom_at(placing->list, k);
	const char *label = placing->labels[atom->label];

	return placing->sink->place(placing->sink->user, (int64_t)k, label, strlen(label), atom->position);
}

static void place_atoms(void *state, int64_t first, int64_t end, int worker)
{
	struct placing *placing = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		if (place_atom(placing, (size_t)k) == SONDE_OK)
			continue;
		long long earlier = atomic_load(&placing->refused);
		while (k < earlier && !atomic_compare_exchange_weak(&placing->refused, &earlier, k))
			;
	}
}

static sonde_status place_all(const struct atom_list *list, const char *path, const char (*labels)[ATOM_LIST_LABEL],
			      const struct atom_sink *sink)
{
	struct placing placing = {list, labels, sink, INT64_MAX};

	threads_for(sink->threads > 1 ? sink->threads : 1, (int64_t)list->count, ATOMS_PER_THREAD, place_atoms,
		    &placing);
	const long long refused = atomic_load(&placing.refused);
	if (refused == INT64_MAX)
		return SONDE_OK;
	const sonde_status status = place_atom(&placing, (size_t)refused);
	return status == SONDE_INVALID ? status_prefix_line(status, path, atom_at(list, (size_t)refused)->line)
				       : status;
}

sonde_status atom_list_deliver(struct atom_list *list, const char *path, const char (*labels)[ATOM_LIST_LABEL],
			       bool charged, const struct atom_sink *sink)
{
	if (list->count == 0)
		return SONDE_OK;
	CHECK(sort(list, path));
	if (sink->place != NULL)
		return place_all(list, path, labels, sink);
	for (size_t k = 0; k < list->count; ++k) {
		const struct listed_atom *atom = atom_at(list, k);
		sonde_status status = sink->atom(sink->user, labels[atom->label], atom->position);
		if (status == SONDE_OK && charged && sink->charges != NULL)
			status = sink->charges(sink->user, &atom->charge, 1);
		if (status != SONDE_OK)
			return status == SONDE_INVALID ? status_prefix_line(status, path, atom->line) : status;
		if (k % LINES_PER_LOOK == LINES_PER_LOOK - 1 && sink->cancelled != NULL &&
		    sink->cancelled(sink->user))
			return status_fail(SONDE_CANCELLED, "stopped while reading %s", path);
	}
	return SONDE_OK;
}

void atom_list_free(struct atom_list *list)
{
	free(list->atoms);
	free(list->order);
	*list = (struct atom_list){0};
}

sonde_status atom_list_copy_label(const struct line_reader *reader, const struct word *word,
				  char label[ATOM_LIST_LABEL])
{
	size_t length = (size_t)(word->end - word->start);

	if (length >= ATOM_LIST_LABEL)
		return line_fail(reader, "the label '%.32s' is too long: at most %d characters", word->start,
				 ATOM_LIST_LABEL - 1);
	memcpy(label, word->start, length);
	label[length] = '\0';
	return SONDE_OK;
}

sonde_status atom_list_coordinate(const struct line_reader *reader, const struct word *word, int axis, double *value)
{
	static const char *const names[] = {"x", "y", "z"};

	return word_real(reader, word, names[axis], value);
}

sonde_status atom_list_check_position(const struct line_reader *reader, const double position[3])
{
	for (int k = 0; k < 3; ++k)
		if (!(fabs(position[k]) <= ATOM_LARGEST_COORDINATE))
			return line_fail(reader, "the atom is at %g, beyond %g Angstrom", position[k],
					 ATOM_LARGEST_COORDINATE);
	return SONDE_OK;
}

sonde_status atom_list_check_cancelled(const struct line_reader *reader, const struct atom_sink *sink)
{
	if (line_reader_number(reader) % LINES_PER_LOOK == 0 && sink->cancelled != NULL &&
	    sink->cancelled(sink->user))
		return status_fail(SONDE_CANCELLED, "stopped while reading %s", line_reader_path(reader));
	return SONDE_OK;
}
