#include "io/tables/columns.h"

#include <string.h>

#include "base/text.h"

#define BLANKS " \t"
#define DECIMAL_COMMAS "decimals have a point, as 10.5, and columns are separated by blanks, commas or semicolons"

bool columns_is_number(const struct word *word)
{
	return word->end > word->start && strchr("0123456789+-.", *word->start) != NULL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool contains(const struct word *word, char c)
{
	return memchr(word->start, c, (size_t)(word->end - word->start)) != NULL;
}

static struct word trimmed(const char *start, const char *end)
{
	while (start < end && strchr(BLANKS, *start) != NULL)
		++start;
	while (end > start && strchr(BLANKS, end[-1]) != NULL)
		--end;
	if (end - start >= 2 && *start == '"' && end[-1] == '"')
		return (struct word){start + 1, end - 1};
	return (struct word){start, end};
}

/* End of a field: a separator that is not in quotes. */
static const char *end_of_field(const char *c, char separator)
{
	bool quoted = false;

	for (; *c != '\0' && (quoted || *c != separator); ++c)
		if (*c == '"')
			quoted = !quoted && strchr(c + 1, '"') != NULL;
	return c;
}

/* Fields between separators; blanks belong to fields only if they are not separators. */
static int split(const char *line, char separator, struct word *words, int most)
{
	int count = 0;

	if (separator == ' ') {
		count = words_split(line, words, most);
		for (int k = 0; k < count; ++k)
			words[k] = trimmed(words[k].start, words[k].end);
		return count;
	}
	for (const char *start = line; count < most;) {
		const char *end = end_of_field(start, separator);
		words[count++] = trimmed(start, end);
		if (*end == '\0')
			break;
		start = end + 1;
	}
	/* spreadsheets end rows with separators */
	while (count > 1 && words[count - 1].end == words[count - 1].start)
		--count;
	return count;
}

/* "5 1": numbers at both ends with a blank between. */
static bool is_several_numbers(const struct word *word)
{
	const char *first = word->start, *last = word->end;
	double number;

	while (first < word->end && strchr(BLANKS, *first) == NULL)
		++first;
	while (last > word->start && strchr(BLANKS, last[-1]) == NULL)
		--last;
	return first < word->end && text_parse_real(word->start, first, &number) &&
	       text_parse_real(last, word->end, &number);
}

/* "10,5" */
static bool has_decimal_comma(const struct word *word)
{
	for (const char *c = word->start + 1; c + 1 < word->end; ++c)
		if (*c == ',' && is_digit(c[-1]) && is_digit(c[1]))
			return true;
	return false;
}

/* Digits and possibly an exponent: the parts on either side of a decimal comma. */
static bool is_whole(const struct word *word)
{
	size_t length = (size_t)(word->end - word->start);

	return length > 0 && strspn(word->start, "0123456789eE+-") >= length;
}

/* "10,5,1,0" may be four columns, or two with decimal commas. */
static bool is_ambiguous(const struct columns *columns, const struct word *words, int count)
{
	if (count <= columns->needed || count > 2 * columns->needed || count == columns->names)
		return false;
	for (int k = 0; k < count; ++k)
		if (!is_whole(&words[k]))
			return false;
	return true;
}

static sonde_status check(const struct columns *columns, const struct line_reader *reader, const char *line,
			  char separator, const struct word *words, int count)
{
	for (int k = 0; k < count; ++k) {
		if (separator == ',' && is_several_numbers(&words[k]))
			return line_fail(reader, "'%.40s' has commas and blanks between numbers: %s", line,
					 DECIMAL_COMMAS);
		/* with commas between columns, in quotes */
		if (separator != ' ' && contains(&words[k], ',') && has_decimal_comma(&words[k]))
			return line_fail(reader, "'%.40s' has decimal commas: %s", line, DECIMAL_COMMAS);
	}
	if (separator == ',' && is_ambiguous(columns, words, count))
		return line_fail(
		    reader,
		    "'%.40s' may be %d whole numbers, or fewer with decimal commas: write decimals with a "
		    "point, and columns separated by semicolons or blanks, or a row of %d names before",
		    line, count, count);
	return SONDE_OK;
}

sonde_status columns_split(struct columns *columns, const struct line_reader *reader, char *line, struct word *words,
			   int most, int *count)
{
	/* the byte order mark of UTF-8 that some programs put at the start of files */
	if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
		memset(line, ' ', 3);
	line[strcspn(line, "#")] = '\0';
	*count = 0;
	line += strspn(line, BLANKS);
	if (*line == '\0')
		return SONDE_OK;
	char separator = *end_of_field(line, ';') != '\0' ? ';' : strchr(line, ',') != NULL ? ',' : ' ';
	*count = split(line, separator, words, most);
	if (*count > 0 && (columns->names > 0 || columns_is_number(&words[0])))
		return check(columns, reader, line, separator, words, *count);
	columns->names = *count;
	return SONDE_OK;
}
