/* Files of places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/tables/columns.h"
#include "matter/generate/ensemble.h"
#include "run/context.h"

#define MOST_COLUMNS 32
#define ROWS_AT_ONCE 65536 /* between two looks whether to stop */

enum { STRUCTURE, X, Y, Z, PHI, THETA, PSI, QW, QX, QY, QZ, KNOWN };
static const char *const known[KNOWN] = {"structure", "x", "y", "z", "phi", "theta", "psi", "qw", "qx", "qy", "qz"};

struct places {
	struct line_reader *reader;
	struct columns columns;
	int structures;               /* whose numbers lines have; 0: they do not */
	struct ensemble_names *names; /* whose names they may have; null: they do not */
	int place[KNOWN];             /* column of each; -1: none */
	int count;                    /* of columns; 0: not known yet */
	bool named;                   /* by a row of names */
	struct ensemble *ensemble;
	size_t capacity, structure_capacity;
};

static bool has(const struct places *places, int first, int last)
{
	for (int k = first; k <= last; ++k)
		if (places->place[k] < 0)
			return false;
	return true;
}

/* Names ------------------------------------------------------------------------------------------------------- */

/* The row begins with a name, and not with a number. */
static bool is_row_of_names(const struct word *words, int count)
{
	double number;

	for (int k = 0; k < count; ++k)
		for (int name = 0; name < KNOWN; ++name)
			if (word_is(&words[k], known[name]))
				return !text_parse_real(words[0].start, words[0].end, &number);
	return false;
}

static sonde_status read_names(struct places *places, const struct word *words, int count)
{
	for (int name = 0; name < KNOWN; ++name) {
		places->place[name] = -1;
		for (int k = 0; k < count; ++k) {
			if (!word_is(&words[k], known[name]))
				continue;
			if (places->place[name] >= 0)
				return line_fail(places->reader, "two columns have the name %s", known[name]);
			places->place[name] = k;
		}
	}
	places->named = true;
	places->count = count;
	const bool turned = has(places, PHI, PHI) || has(places, THETA, THETA) || has(places, PSI, PSI),
		   quaternion =
		       has(places, QW, QW) || has(places, QX, QX) || has(places, QY, QY) || has(places, QZ, QZ);
	if (!has(places, X, Z) || (turned && !has(places, PHI, PSI)) || (quaternion && !has(places, QW, QZ)) ||
	    (turned && quaternion))
		return line_fail(places->reader,
				 "the columns of a list of places are x, y, z, optionally with phi, theta, psi "
				 "(Euler angles) or qw, qx, qy, qz (a quaternion)");
	if (has(places, STRUCTURE, STRUCTURE) && places->names == NULL && places->structures == 0)
		return line_fail(places->reader, "a column 'structure', but there is a single structure");
	return places->structures == 0 || has(places, STRUCTURE, STRUCTURE)
		   ? SONDE_OK
		   : line_fail(places->reader, "a column 'structure' is missing, the number of the structure");
}

/* Of a file without names. */
static sonde_status choose_columns(struct places *places, int all)
{
	const int first = places->structures > 0, count = all - first;
	const char *begin = first ? "structure " : "";

	if (count != 3 && count != 6 && count != 7)
		return line_fail(
		    places->reader,
		    "%d columns; a place has %sx y z, or %sx y z phi theta psi (Euler angles), or %sx y z w x y z "
		    "(a quaternion)",
		    all, begin, begin, begin);
	if (places->count != 0 && all != places->count)
		return line_fail(places->reader, "%d columns, but %d before; all places must have the same", all,
				 places->count);
	for (int name = 0; name < KNOWN; ++name)
		places->place[name] = -1;
	places->place[STRUCTURE] = first - 1;
	for (int k = 0; k < 3; ++k)
		places->place[X + k] = first + k;
	for (int k = 3; k < count; ++k)
		places->place[(count == 6 ? PHI : QW) + k - 3] = first + k;
	places->count = all;
	return SONDE_OK;
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

/* Without a row of names, a quaternion is w, x, y, z. */
static const char *name_of(const struct places *places, int name)
{
	const char *text = name >= X && name < KNOWN ? known[name] : "";

	return !places->named && *text == 'q' ? text + 1 : text;
}

static sonde_status read_numbers(const struct places *places, const struct word *words, int first, int count,
				 double *numbers)
{
	for (int k = 0; k < count; ++k) {
		const int name = first + k;
		CHECK(word_real(places->reader, &words[places->place[name]], name_of(places, name), &numbers[k]));
		if (name <= Z && !(fabs(numbers[k]) <= ENSEMBLE_LARGEST_PLACE))
			return line_fail(places->reader, "%s = %g is not within +-%g Angstrom", name_of(places, name),
					 numbers[k], ENSEMBLE_LARGEST_PLACE);
		if (!isfinite(numbers[k]))
			return line_fail(places->reader, "%s = %g is not a number", name_of(places, name),
					 numbers[k]);
	}
	return SONDE_OK;
}

static sonde_status read_placement(const struct places *places, const struct word *words, struct placement *placement)
{
	static const double unturned[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
	double numbers[4];

	CHECK(read_numbers(places, words, X, 3, placement->position));
	memcpy(placement->rotation, unturned, sizeof unturned);
	if (places->place[PHI] >= 0) {
		CHECK(read_numbers(places, words, PHI, 3, numbers));
		rotation_of_euler_angles(numbers, placement->rotation);
	}
	if (places->place[QW] >= 0) {
		CHECK(read_numbers(places, words, QW, 4, numbers));
		if (rotation_of_quaternion(numbers, placement->rotation) != SONDE_OK)
			return line_fail(places->reader,
					 "the quaternion has no direction: its length must be above 0");
	}
	return SONDE_OK;
}

static sonde_status read_number(const struct places *places, const struct word *word, int32_t *structure)
{
	int64_t number;

	if (!text_parse_integer(word->start, word->end, &number) || number < 1 || number > places->structures)
		return line_fail(places->reader, "'%.*s' is not the number of a structure, 1 to %d",
				 (int)(word->end - word->start > 32 ? 32 : word->end - word->start), word->start,
				 places->structures);
	*structure = (int32_t)number - 1;
	return SONDE_OK;
}

/* The number of a name, which is added if it is new. */
static sonde_status find_name(const struct places *places, const struct word *word, int32_t *structure)
{
	struct ensemble_names *names = places->names;
	const size_t length = (size_t)(word->end - word->start);

	if (length == 0)
		return line_fail(places->reader, "the name of the structure is empty");
	for (*structure = 0; *structure < names->count; ++*structure)
		if (word_is(word, names->names[*structure]))
			return SONDE_OK;
	if (names->count == ENSEMBLE_MOST_STRUCTURES)
		return line_fail(places->reader, "more than %d structures", ENSEMBLE_MOST_STRUCTURES);
	CHECK(memory_allocate(&names->names[names->count], length + 1, 1, "the names of the structures"));
	names->lines[names->count] = line_reader_number(places->reader);
	memcpy(names->names[names->count++], word->start, length);
	return SONDE_OK;
}

static sonde_status add_row(struct places *places, const struct word *words)
{
	struct ensemble *ensemble = places->ensemble;
	const size_t count = (size_t)ensemble->count + 1;

	if (ensemble->count == ENSEMBLE_MOST_COPIES)
		return line_fail(places->reader, "more than %lld places", (long long)ENSEMBLE_MOST_COPIES);
	CHECK(memory_grow(&ensemble->placements, &places->capacity, count, sizeof *ensemble->placements,
			  "the places of the copies"));
	if (places->place[STRUCTURE] >= 0) {
		const struct word *word = &words[places->place[STRUCTURE]];
		CHECK(memory_grow(&ensemble->structure_of, &places->structure_capacity, count,
				  sizeof *ensemble->structure_of, "the places of the copies"));
		int32_t *structure = &ensemble->structure_of[ensemble->count];
		CHECK(places->names != NULL ? find_name(places, word, structure)
					    : read_number(places, word, structure));
	}
	CHECK(read_placement(places, words, &ensemble->placements[ensemble->count]));
	++ensemble->count;
	return SONDE_OK;
}

static sonde_status read_row(struct places *places, const struct word *words, int count)
{
	if (places->count == 0 && is_row_of_names(words, count))
		return read_names(places, words, count);
	if (!places->named)
		CHECK(choose_columns(places, count));
	else if (count != places->count)
		return line_fail(places->reader, "%d columns, but %d names", count, places->count);
	return add_row(places, words);
}

static sonde_status read_rows(sonde_context *context, struct places *places)
{
	struct word words[MOST_COLUMNS];
	char *line;

	for (int64_t row = 1;; ++row) {
		int count;
		CHECK(line_reader_next(places->reader, &line));
		if (line == NULL)
			break;
		if (row % ROWS_AT_ONCE == 0 && context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request while reading %s",
					   line_reader_path(places->reader));
		if (line[strspn(line, " \t")] == '#')
			continue;
		CHECK(columns_split(&places->columns, places->reader, line, words, MOST_COLUMNS, &count));
		if (count > 0)
			CHECK(read_row(places, words, count));
	}
	return places->ensemble->count > 0 ? SONDE_OK
					   : status_fail_file(SONDE_INVALID, line_reader_path(places->reader),
							      "no place of a copy: lines of x y z are expected");
}

static sonde_status read_file(sonde_context *context, const char *path, struct places *places)
{
	*places->ensemble = (struct ensemble){0};
	CHECK(line_reader_open(&places->reader, path));
	const sonde_status status = read_rows(context, places);
	line_reader_close(&places->reader);
	if (status != SONDE_OK)
		ensemble_free(places->ensemble);
	return status;
}

sonde_status ensemble_read_mixture(sonde_context *context, const char *path, int structures,
				   struct ensemble *ensemble)
{
	struct places places = {.structures = structures, .ensemble = ensemble};

	return read_file(context, path, &places);
}

sonde_status ensemble_read_named(sonde_context *context, const char *path, struct ensemble_names *names,
				 struct ensemble *ensemble)
{
	struct places places = {.names = names, .ensemble = ensemble};

	*names = (struct ensemble_names){.count = 0};
	return read_file(context, path, &places);
}

sonde_status ensemble_read(sonde_context *context, const char *path, struct ensemble *ensemble)
{
	return ensemble_read_mixture(context, path, 0, ensemble);
}

void ensemble_names_free(struct ensemble_names *names)
{
	for (int k = 0; k < names->count; ++k)
		free(names->names[k]);
	*names = (struct ensemble_names){.count = 0};
}
