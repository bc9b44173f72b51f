#include "pattern/average/turn_list.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/tables/columns.h"
#include "matter/generate/ensemble.h"

#define MOST_COLUMNS 16
#define LARGEST_WEIGHT 1e100

enum { PHI, THETA, PSI, W, X, Y, Z, WEIGHT, KNOWN };
static const char *const names[KNOWN] = {"phi", "theta", "psi", "w", "x", "y", "z", "weight"};

struct turn_list {
	struct line_reader *reader;
	struct columns columns;
	int place[KNOWN]; /* column of each; -1: none */
	int needed;       /* columns of a row; 0: not known yet */
	bool named;       /* by a row of names; others may follow then */
	double (**rotations)[3][3], **weights, sum;
	size_t rotations_capacity, weights_capacity;
	int64_t *count;
};

static bool has(const struct turn_list *list, int first, int last)
{
	for (int k = first; k <= last; ++k)
		if (list->place[k] < 0)
			return false;
	return true;
}

static sonde_status read_names(struct turn_list *list, const struct word *words, int count)
{
	for (int known = 0; known < KNOWN; ++known)
		for (int k = 0; k < count; ++k)
			if (word_is(&words[k], names[known])) {
				list->place[known] = k;
				list->needed = k >= list->needed ? k + 1 : list->needed;
			}
	list->named = true;
	return has(list, PHI, PSI) != has(list, W, Z)
		   ? SONDE_OK
		   : line_fail(list->reader,
			       "the columns of a list of orientations are phi, theta, psi, or w, x, y, z, "
			       "and optionally weight");
}

/* Of a list without names. */
static sonde_status choose_columns(struct turn_list *list, int count)
{
	const int first = count == 3 ? PHI : W;

	if (count < 3 || count > 5)
		return line_fail(
		    list->reader,
		    "%d columns; an orientation has phi theta psi (Euler angles), w x y z (a quaternion), "
		    "or w x y z weight; others need a row of names",
		    count);
	for (int k = 0; k < count; ++k)
		list->place[first + k] = k;
	list->needed = count;
	return SONDE_OK;
}

static sonde_status add_row(struct turn_list *list, const struct word *words, int count)
{
	double numbers[KNOWN] = {[WEIGHT] = 1.0};

	if (list->needed == 0)
		CHECK(choose_columns(list, count));
	if (list->named ? count < list->needed : count != list->needed)
		return line_fail(list->reader, "%d columns, but an orientation has %d in this list", count,
				 list->needed);
	for (int k = 0; k < KNOWN; ++k) {
		if (list->place[k] < 0)
			continue;
		CHECK(word_real(list->reader, &words[list->place[k]], names[k], &numbers[k]));
		if (!isfinite(numbers[k]))
			return line_fail(list->reader, "%s = %g is not finite", names[k], numbers[k]);
	}
	if (!(numbers[WEIGHT] >= 0.0 && numbers[WEIGHT] <= LARGEST_WEIGHT))
		return line_fail(list->reader, "weight = %g is not a number of at least 0", numbers[WEIGHT]);
	const size_t after = (size_t)*list->count + 1;
	CHECK(memory_grow(list->rotations, &list->rotations_capacity, after, sizeof **list->rotations,
			  "the orientations"));
	CHECK(memory_grow(list->weights, &list->weights_capacity, after, sizeof(double), "the orientations"));
	double(*rotation)[3] = (*list->rotations)[*list->count];
	if (has(list, PHI, PSI))
		rotation_of_euler_angles(numbers + PHI, rotation);
	else if (rotation_of_quaternion(numbers + W, rotation) != SONDE_OK)
		return line_fail(list->reader, "the quaternion has no direction: its length must be above 0");
	(*list->weights)[(*list->count)++] = numbers[WEIGHT];
	list->sum += numbers[WEIGHT];
	return SONDE_OK;
}

static sonde_status read_rows(struct turn_list *list)
{
	struct word words[MOST_COLUMNS];
	char *line;
	int count;

	for (;;) {
		CHECK(line_reader_next(list->reader, &line));
		if (line == NULL)
			break;
		CHECK(columns_split(&list->columns, list->reader, line, words, MOST_COLUMNS, &count));
		if (count == 0)
			continue;
		CHECK(list->needed == 0 && !columns_is_number(&words[0]) ? read_names(list, words, count)
									 : add_row(list, words, count));
	}
	const char *path = line_reader_path(list->reader);
	if (*list->count == 0)
		return status_fail_file(SONDE_INVALID, path, "has no orientations");
	if (!(list->sum > 0.0))
		return status_fail_file(SONDE_INVALID, path, "all weights are 0");
	for (int64_t k = 0; k < *list->count; ++k)
		(*list->weights)[k] /= list->sum;
	return SONDE_OK;
}

sonde_status turn_list_read(const char *path, double (**rotations)[3][3], double **weights, int64_t *count)
{
	struct turn_list list = {
	    .rotations = rotations, .weights = weights, .count = count, .columns = {.needed = 3}};

	*rotations = NULL;
	*weights = NULL;
	*count = 0;
	for (int k = 0; k < KNOWN; ++k)
		list.place[k] = -1;
	CHECK(line_reader_open(&list.reader, path));
	const sonde_status status = read_rows(&list);
	line_reader_close(&list.reader);
	return status;
}
