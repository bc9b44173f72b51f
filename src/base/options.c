#include "base/options.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file_names.h"
#include "base/option_blanks.h"
#include "base/units.h"

static const void *value_of(const struct option_row *row, const void *options)
{
	return (const char *)options + row->offset;
}

static void *place_of(const struct option_row *row, void *options)
{
	return (char *)options + row->offset;
}

static void same_name(const char *from, char *to, size_t size)
{
	size_t k = 0;

	for (; k + 1 < size && from[k] != '\0'; ++k)
		to[k] = from[k] == '_' ? '-' : from[k];
	to[k] = '\0';
}

const char *option_flag(const struct option_row *row, char *buffer)
{
	same_name(row->name, buffer, 64);
	return buffer;
}

const struct option_row *options_find(const struct option_table *table, const char *name)
{
	char wanted[64], known[64];

	if (strlen(name) >= sizeof wanted)
		return NULL;
	same_name(name, wanted, sizeof wanted);
	for (size_t i = 0; i < table->count; ++i)
		if (strcmp(option_flag(&table->rows[i], known), wanted) == 0)
			return &table->rows[i];
	return NULL;
}

void options_offer_names(const struct option_table *table, struct nearest_word *nearest)
{
	static _Thread_local char best[64]; /* nearest->best must outlive this call */
	char flag[64];

	for (size_t i = 0; i < table->count; ++i) {
		const char *before = nearest->best;
		nearest_word_offer(nearest, option_flag(&table->rows[i], flag));
		if (nearest->best == flag) {
			memcpy(best, flag, sizeof best);
			nearest->best = best;
		} else {
			nearest->best = before;
		}
	}
}

static sonde_status check_number(const struct option_row *row, double x)
{
	if (isfinite(x) && x >= row->minimum && x <= row->maximum)
		return SONDE_OK;
	return status_fail(SONDE_INVALID, "%g is out of range: %g to %g%s%s are possible", x, row->minimum,
			   row->maximum, row->unit[0] != '\0' ? " " : "", row->unit);
}

/* Whether FIRST:LAST, a grid of 0 points, is a valid value. */
static bool takes_bands(const struct option_row *row)
{
	return strcmp(row->choices, "band") == 0;
}

static sonde_status check_grid(const struct option_row *row, const sonde_grid *grid)
{
	CHECK(check_number(row, grid->first));
	CHECK(check_number(row, grid->last));
	if (grid->points == 0 && takes_bands(row) && !(grid->last > grid->first))
		return status_fail(SONDE_INVALID,
				   "%.10g:%.10g ends before it begins; FIRST:LAST has FIRST below LAST", grid->first,
				   grid->last);
	if (grid->points < 1 && !(grid->points == 0 && takes_bands(row) && grid->last > grid->first))
		return status_fail(SONDE_INVALID, "a grid needs at least one point, not %lld",
				   (long long)grid->points);
	if (grid->points > OPTION_GRID_POINTS)
		return status_fail(SONDE_INVALID, "%lld points are too many: the limit is %d",
				   (long long)grid->points, OPTION_GRID_POINTS);
	if (grid->last < grid->first)
		return status_fail(SONDE_INVALID, "the last value, %g, is below the first, %g", grid->last,
				   grid->first);
	if (grid->points > 1 && grid->last == grid->first)
		return status_fail(SONDE_INVALID, "first and last value are the same, but %lld points are requested",
				   (long long)grid->points);
	if (grid->points == 1 && grid->last != grid->first)
		return status_fail(SONDE_INVALID, "one point cannot be both at %g and at %g", grid->first,
				   grid->last);
	return SONDE_OK;
}

/* Number of choices of a row, and the k-th one as start and length. */
static int choice_count(const struct option_row *row)
{
	int count = 1;

	for (const char *c = row->choices; *c != '\0'; ++c)
		count += *c == '|';
	return count;
}

static const char *choice(const struct option_row *row, int k, size_t *length)
{
	const char *start = row->choices;

	while (k-- > 0)
		start = strchr(start, '|') + 1;
	*length = strcspn(start, "|");
	return start;
}

/* Texts are used as file names, written to files, and printed. */
static sonde_status check_printable(const char *text)
{
	int bytes;
	const char *control = status_find_control(text, &bytes);

	if (control == NULL)
		return SONDE_OK;
	return status_fail(SONDE_INVALID,
			   "character %d is a control character (U+%04X); only printable ones are possible",
			   (int)(control - text) + 1, (unsigned char)control[bytes - 1]);
}

static sonde_status check_option(const struct option_row *row, const void *options)
{
	const void *value = value_of(row, options);

	switch (row->type) {
	case OPTION_REAL:
		return check_number(row, *(const double *)value);
	case OPTION_INTEGER:
		return check_number(row, (double)*(const int64_t *)value);
	case OPTION_BOOLEAN:
		if (*(const int *)value != 0 && *(const int *)value != 1)
			return status_fail(SONDE_INVALID, "is neither 0 nor 1");
		return SONDE_OK;
	case OPTION_CHOICE:
		if (*(const int *)value < 0 || *(const int *)value >= choice_count(row))
			return status_fail(SONDE_INVALID, "%d is not one of the choices %s", *(const int *)value,
					   row->choices);
		return SONDE_OK;
	case OPTION_GRID:
		return check_grid(row, value);
	case OPTION_VECTOR: {
		const sonde_vector *vector = value;
		CHECK(check_number(row, vector->x));
		CHECK(check_number(row, vector->y));
		return check_number(row, vector->z);
	}
	case OPTION_SIZE:
		return check_number(row, (double)*(const uint64_t *)value);
	case OPTION_TEXT:
		if (memchr(value, '\0', OPTION_TEXT_SIZE) == NULL)
			return status_fail(SONDE_INVALID, "is longer than %d bytes", OPTION_TEXT_SIZE - 1);
		return check_printable(value);
	}
	return status_fail(SONDE_INTERNAL, "option %s has no known type", row->name);
}

/* The TEXT option that takes the name of a file instead of one of the choices of `row`; null if there is none. */
static const struct option_row *row_for_files(const struct option_table *table, const struct option_row *row)
{
	const char *trait = row->type == OPTION_CHOICE ? strstr(row->traits, "or:") : NULL;
	char name[64];

	if (trait == NULL)
		return NULL;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(trait + 3, " "), trait + 3);
	return options_find(table, name);
}

/* A file instead of a choice. */
static bool is_replaced(const struct option_table *table, const struct option_row *row, const void *options)
{
	const struct option_row *files = row_for_files(table, row);

	return files != NULL && *(const int *)((const char *)options + row->offset) == -1 &&
	       *((const char *)options + files->offset) != '\0';
}

sonde_status options_check(const struct option_table *table, const void *options)
{
	for (size_t i = 0; i < table->count; ++i) {
		sonde_status status =
		    is_replaced(table, &table->rows[i], options) ? SONDE_OK : check_option(&table->rows[i], options);
		if (status != SONDE_OK)
			return status_prefix_option(status, table->rows[i].name);
	}
	return SONDE_OK;
}

/* Splits text at `separator` into exactly `count` parts. */
static bool split(const char *text, char separator, int count, const char **starts, const char **ends)
{
	for (int k = 0; k < count; ++k) {
		const char *end = strchr(text, separator);
		if ((end == NULL) != (k == count - 1))
			return false;
		starts[k] = text;
		ends[k] = end != NULL ? end : text + strlen(text);
		text = ends[k] + 1;
	}
	return true;
}

static sonde_status not_a(const char *what, const char *text)
{
	return status_fail(SONDE_INVALID, "'%.64s' is not %s", text, what);
}

static sonde_status not_a_quantity(const struct option_row *row, const char *text)
{
	return status_fail(SONDE_INVALID, "'%.64s' is not a number, or one with a unit, as in 5 n%s", text,
			   strcmp(row->unit, "A") == 0 ? "m" : row->unit);
}

/* A number of a row: with a unit if prefixes of that unit are allowed. */
static bool parse_number(const struct option_row *row, const char *start, const char *end, double *value)
{
	while (start < end && *start == ' ')
		++start;
	return unit_takes_prefixes(row->unit) ? unit_parse_real(row->unit, start, end, value)
					      : text_parse_real(start, end, value);
}

static sonde_status parse_grid(const struct option_row *row, const char *text, sonde_grid *grid)
{
	const char *starts[3], *ends[3];

	if (strchr(text, ':') == NULL && parse_number(row, text, text + strlen(text), &grid->first)) {
		grid->last = grid->first;
		grid->points = 1;
		return SONDE_OK;
	}
	if (takes_bands(row) && split(text, ':', 2, starts, ends) &&
	    parse_number(row, starts[0], ends[0], &grid->first) &&
	    parse_number(row, starts[1], ends[1], &grid->last)) {
		grid->points = 0;
		return SONDE_OK;
	}
	if (!split(text, ':', 3, starts, ends) || !parse_number(row, starts[0], ends[0], &grid->first) ||
	    !parse_number(row, starts[1], ends[1], &grid->last) ||
	    !text_parse_whole(starts[2], ends[2], &grid->points))
		return not_a("a grid; write first:last:points, as in 0.1:20:1000, or one value", text);
	return SONDE_OK;
}

static sonde_status parse_vector(const struct option_row *row, const char *text, sonde_vector *vector)
{
	const char *starts[3], *ends[3];
	bool one = strcmp(row->choices, "one") == 0;

	if (one && parse_number(row, text, text + strlen(text), &vector->x)) {
		vector->y = vector->z = vector->x;
		return SONDE_OK;
	}

	if (!split(text, ',', 3, starts, ends) || !parse_number(row, starts[0], ends[0], &vector->x) ||
	    !parse_number(row, starts[1], ends[1], &vector->y) || !parse_number(row, starts[2], ends[2], &vector->z))
		return not_a(one ? "one number or three; write x,y,z, as in 10,20,30"
				 : "three numbers; write x,y,z, as in 10,20,30",
			     text);
	return SONDE_OK;
}

static sonde_status parse_choice(const struct option_row *row, const char *text, int *value)
{
	struct nearest_word nearest = {.word = text};
	char words[16][32], hint[96];
	int count = choice_count(row);

	for (int k = 0; k < count; ++k) {
		size_t length;
		const char *word = choice(row, k, &length);
		if (strlen(text) == length && strncmp(text, word, length) == 0) {
			*value = k;
			return SONDE_OK;
		}
		snprintf(words[k % 16], sizeof words[0], "%.*s", (int)length, word);
		nearest_word_offer(&nearest, words[k % 16]);
	}
	return status_fail(SONDE_INVALID, "'%.64s' is not one of %s%s", text, row->choices,
			   nearest_word_hint(&nearest, hint, sizeof hint));
}

static sonde_status parse_boolean(const char *text, int *value)
{
	static const char *const yes[] = {"true", "yes", "on"}, *const no[] = {"false", "no", "off"};

	for (int k = 0; k < 3; ++k) {
		if (strcmp(text, yes[k]) == 0 || strcmp(text, no[k]) == 0) {
			*value = strcmp(text, yes[k]) == 0;
			return SONDE_OK;
		}
	}
	return not_a("a yes or no; write true or false", text);
}

static sonde_status parse_size(const char *text, uint64_t *bytes)
{
	static const char letters[] = "KMGT";
	const char *end = text + strlen(text);
	const char *letter = end > text ? strchr(letters, end[-1]) : NULL;
	int64_t value;

	if (letter != NULL)
		--end;
	if (!text_parse_whole(text, end, &value) || value < 0)
		return not_a("a size; write bytes, or 256M, or 2G", text);
	for (const char *power = letters; letter != NULL && power <= letter; ++power)
		if (__builtin_mul_overflow(value, (int64_t)1024, &value))
			return not_a("a possible size", text);
	*bytes = (uint64_t)value;
	return SONDE_OK;
}

/* Numbers of more than 63 bits are whole numbers, but out of any range. */
static sonde_status parse_whole(const struct option_row *row, const char *text, const char *end, int64_t *value)
{
	const char *digits = text + (*text == '-');
	double x;

	if (text_parse_whole(text, end, value))
		return SONDE_OK;
	if (text_parse_real(text, end, &x) && fabs(x) >= 0x1p63 && strchr("+-0", *digits) == NULL)
		return check_number(row, x);
	return not_a("a whole number (as 1000 or 1e3, no leading zero)", text);
}

/* TIME, every=TIME, or off. */
static sonde_status parse_interval(const struct option_row *row, const char *text, const char *end, double *seconds)
{
	static const char every[] = "every=";
	const size_t length = strlen(every);

	if (strcmp(text, "off") == 0) {
		*seconds = 0.0;
		return SONDE_OK;
	}
	return parse_number(row, strncmp(text, every, length) == 0 ? text + length : text, end, seconds)
		   ? SONDE_OK
		   : not_a("a time; write 10min, or every=10min, or off", text);
}

/* Whether blanks of a TEXT next to separators do not count: not in names, files, and blocks of YAML. */
static bool drops_blanks(const struct option_row *row)
{
	return row->type == OPTION_TEXT && option_file(row) == OPTION_NO_FILE && strcmp(row->choices, "items") != 0 &&
	       strstr(row->traits, "verbatim") == NULL;
}

/* Parses into `options` without a range check. */
static sonde_status parse_value(const struct option_row *row, void *options, const char *text)
{
	void *place = place_of(row, options);
	const char *end = text + strlen(text);
	char numbers[256];

	switch (row->type) {
	case OPTION_REAL:
		if (strcmp(row->choices, "interval") == 0)
			return parse_interval(row, text, end, place);
		return parse_number(row, text, end, place) ? SONDE_OK
		       : unit_takes_prefixes(row->unit)    ? not_a_quantity(row, text)
							   : not_a("a number", text);
	case OPTION_INTEGER:
		return parse_whole(row, text, end, place);
	case OPTION_BOOLEAN:
		return parse_boolean(text, place);
	case OPTION_CHOICE:
		return parse_choice(row, text, place);
	case OPTION_GRID:
	case OPTION_VECTOR:
		if (strlen(text) < sizeof numbers) {
			option_drop_blanks(strcpy(numbers, text));
			text = numbers;
		}
		return row->type == OPTION_GRID ? parse_grid(row, text, place) : parse_vector(row, text, place);
	case OPTION_SIZE:
		return parse_size(text, place);
	case OPTION_TEXT:
		if (strlen(text) >= OPTION_TEXT_SIZE)
			return status_fail(SONDE_INVALID, "is longer than %d bytes", OPTION_TEXT_SIZE - 1);
		strcpy(place, text);
		if (drops_blanks(row))
			option_drop_blanks(place);
		return SONDE_OK;
	}
	return status_fail(SONDE_INTERNAL, "option %s has no known type", row->name);
}

/* Size of an option's value in bytes. */
static size_t value_size(enum option_type type)
{
	static const size_t sizes[] = {
	    [OPTION_REAL] = sizeof(double),     [OPTION_INTEGER] = sizeof(int64_t),
	    [OPTION_BOOLEAN] = sizeof(int),     [OPTION_CHOICE] = sizeof(int),
	    [OPTION_GRID] = sizeof(sonde_grid), [OPTION_VECTOR] = sizeof(sonde_vector),
	    [OPTION_SIZE] = sizeof(uint64_t),   [OPTION_TEXT] = OPTION_TEXT_SIZE,
	};

	return sizes[type];
}

sonde_status option_parse(const struct option_row *row, void *options, const char *text)
{
	char before[OPTION_TEXT_SIZE];
	sonde_status status;

	memcpy(before, value_of(row, options), value_size(row->type));
	status = parse_value(row, options, text);
	if (status == SONDE_OK)
		status = check_option(row, options);
	if (status != SONDE_OK) /* refused values change nothing */
		memcpy(place_of(row, options), before, value_size(row->type));
	return status;
}

/* Defaults of the options within the first `size` bytes of a struct. */
static void set_defaults_within(const struct option_table *table, void *options, size_t size)
{
	memset(options, 0, size);
	for (size_t i = 0; i < table->count; ++i) { /* defaults may lie outside the range: "not given" */
		const struct option_row *row = &table->rows[i];
		if (row->offset + value_size(row->type) > size)
			continue;
		if (row->type == OPTION_CHOICE && row->default_text[0] == '\0')
			*(int *)place_of(row, options) = -1;
		else
			(void)parse_value(row, options, row->default_text);
	}
	if (table->begins_with_size)
		*(uint64_t *)options = size;
}

void options_set_defaults(const struct option_table *table, void *options)
{
	set_defaults_within(table, options, table->struct_size);
}

void options_init_sized(const struct option_table *table, void *options, uint64_t size)
{
	set_defaults_within(table, options, size < table->struct_size ? (size_t)size : table->struct_size);
}

sonde_status options_complete(const struct option_table *table, const void *given, void *complete)
{
	uint64_t size = *(const uint64_t *)given;

	if (size < sizeof size || size > table->struct_size)
		return status_fail(SONDE_INVALID, "the options were not set up by sonde_%s_options_init()",
				   table->name);
	options_set_defaults(table, complete);
	memcpy(complete, given, size);
	*(uint64_t *)complete = table->struct_size;
	for (size_t i = 0; i < table->count; ++i) {
		const struct option_row *row = &table->rows[i];
		if (drops_blanks(row) && memchr(value_of(row, complete), '\0', OPTION_TEXT_SIZE) != NULL)
			option_drop_blanks(place_of(row, complete));
	}
	return SONDE_OK;
}

static void append_word(struct text *text, const char *word)
{
	text_append_bytes(text, word, strlen(word));
}

void option_print(const struct option_row *row, const void *options, struct text *text)
{
	const void *value = value_of(row, options);
	size_t length;
	const char *word;

	switch (row->type) {
	case OPTION_REAL:
		text_append_real(text, *(const double *)value);
		break;
	case OPTION_INTEGER:
		text_append_integer(text, *(const int64_t *)value);
		break;
	case OPTION_BOOLEAN:
		append_word(text, *(const int *)value != 0 ? "true" : "false");
		break;
	case OPTION_CHOICE:
		if (*(const int *)value < 0)
			break;
		word = choice(row, *(const int *)value, &length);
		text_append_bytes(text, word, length);
		break;
	case OPTION_GRID:
		text_append_real(text, ((const sonde_grid *)value)->first);
		text_append_byte(text, ':');
		text_append_real(text, ((const sonde_grid *)value)->last);
		if (((const sonde_grid *)value)->points > 0)
			text_append(text, ":%lld", (long long)((const sonde_grid *)value)->points);
		break;
	case OPTION_VECTOR:
		text_append_real(text, ((const sonde_vector *)value)->x);
		text_append_byte(text, ',');
		text_append_real(text, ((const sonde_vector *)value)->y);
		text_append_byte(text, ',');
		text_append_real(text, ((const sonde_vector *)value)->z);
		break;
	case OPTION_SIZE:
		text_append(text, "%llu", (unsigned long long)*(const uint64_t *)value);
		break;
	case OPTION_TEXT:
		append_word(text, option_file(row) != OPTION_NO_FILE ? file_names_get((const char *)value)
								     : (const char *)value);
		break;
	}
}

enum option_file option_file(const struct option_row *row)
{
	static const char *const kinds[] = {
	    [OPTION_FILE] = "file",
	    [OPTION_FILE_OR_VALUE] = "file-or-value",
	    [OPTION_NEW_FILE] = "new-file",
	    [OPTION_FOLDER] = "folder",
	};

	for (int k = OPTION_FILE; row->type == OPTION_TEXT && k <= OPTION_FOLDER; ++k)
		if (strcmp(row->choices, kinds[k]) == 0)
			return (enum option_file)k;
	return OPTION_NO_FILE;
}

bool options_flag(const struct option_table *table, const void *options, const char *name)
{
	const struct option_row *row = options_find(table, name);

	return row != NULL && row->type == OPTION_BOOLEAN && *(const int *)value_of(row, options) != 0;
}

double options_real(const struct option_table *table, const void *options, const char *name)
{
	const struct option_row *row = options_find(table, name);

	return row != NULL && row->type == OPTION_REAL ? *(const double *)value_of(row, options) : 0.0;
}

char *option_text(const struct option_row *row, void *options)
{
	return place_of(row, options);
}

/* A path, or a name with an ending. */
static bool is_file_name(const char *text)
{
	const char *point = strrchr(text, '.');

	return strchr(text, '/') != NULL || (point != NULL && isalpha((unsigned char)point[1]));
}

sonde_status options_set(const struct option_table *table, const struct option_row *row, void *options,
			 const char *text, const struct option_row **set)
{
	const struct option_row *files = row_for_files(table, row), *chosen = row;

	if (files != NULL && is_file_name(text))
		chosen = files;
	if (set != NULL)
		*set = chosen;
	CHECK(option_parse(chosen, options, text));
	if (files != NULL && chosen == row)
		option_text(files, options)[0] = '\0';
	else if (files != NULL)
		*(int *)place_of(row, options) = -1;
	return SONDE_OK;
}

char option_short_flag(const struct option_row *row)
{
	return row->traits[0] == '-' ? row->traits[1] : '\0';
}

bool option_may_change(const struct option_row *row)
{
	return strstr(row->traits, "may-change") != NULL;
}
