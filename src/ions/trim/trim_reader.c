#include "ions/trim/trim_reader.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define BLANKS " \t," /* Visual Basic, in which SRIM is written, treats commas as blanks */

sonde_status trim_next_line(struct trim_reader *reader)
{
	char *line;

	CHECK(line_reader_next(reader->lines, &line));
	reader->ended = line == NULL || *line == 0x1a;
	reader->next = reader->ended ? "" : line;
	return SONDE_OK;
}

sonde_status trim_need_line(struct trim_reader *reader, const char *what)
{
	CHECK(trim_next_line(reader));
	return reader->ended ? line_fail(reader->lines, "the file ends before %s", what) : SONDE_OK;
}

bool trim_at_end_of_line(struct trim_reader *reader)
{
	reader->next += strspn(reader->next, BLANKS);
	return *reader->next == '\0';
}

bool trim_contains(const char *line, const char *word)
{
	size_t length = strlen(word);

	for (; *line != '\0'; ++line)
		if (strncasecmp(line, word, length) == 0)
			return true;
	return false;
}

/* Up to the last quote: names may contain quotes (5" foil). */
sonde_status trim_skip_text(struct trim_reader *reader, int count, const char *what)
{
	const char *quote = strrchr(reader->next, '"'), *word = reader->next + strlen(reader->next);

	if (quote != NULL) {
		reader->next = quote + 1;
		return SONDE_OK;
	}
	for (int k = 0; k < count; ++k) {
		while (word > reader->next && strchr(BLANKS, word[-1]) != NULL)
			--word;
		if (word == reader->next)
			return line_fail(reader->lines, "%s must be a name in quotes and %d numbers", what, count);
		while (word > reader->next && strchr(BLANKS, word[-1]) == NULL)
			--word;
	}
	reader->next = word;
	return SONDE_OK;
}

sonde_status trim_next_number(struct trim_reader *reader, const char *what, double *value)
{
	while (trim_at_end_of_line(reader))
		CHECK(trim_need_line(reader, what));
	struct word word = {reader->next, reader->next + strcspn(reader->next, BLANKS)};
	reader->next = word.end;
	return word_real(reader->lines, &word, what, value);
}

static sonde_status end_row(struct trim_reader *reader)
{
	if (!trim_at_end_of_line(reader))
		return line_fail(reader->lines,
				 "'%.40s' follows the expected numbers; numbers have decimal points, "
				 "not commas",
				 reader->next);
	return SONDE_OK;
}

sonde_status trim_read_row(struct trim_reader *reader, const char *const *names, int least, int most)
{
	for (int k = 0; k < most; ++k) {
		if (k >= least && trim_at_end_of_line(reader))
			break;
		CHECK(trim_next_number(reader, names[k], &reader->numbers[k]));
	}
	return end_row(reader);
}

sonde_status trim_read_section(struct trim_reader *reader, const char *const *names, int least, int most)
{
	CHECK(trim_need_line(reader, names[0]));
	reader->next = "";
	return trim_read_row(reader, names, least, most);
}

sonde_status trim_read_list(struct trim_reader *reader, const char *name, int count)
{
	for (int k = 0; k < count; ++k)
		CHECK(trim_next_number(reader, name, &reader->numbers[k]));
	return end_row(reader);
}

sonde_status trim_check(const struct trim_reader *reader, const char *name, double value, double least, double most)
{
	if (!(value >= least && value <= most))
		return line_fail(reader->lines, "%s = %g is not from %g to %g", name, value, least, most);
	return SONDE_OK;
}

sonde_status trim_check_whole(const struct trim_reader *reader, const char *name, double value, double least,
			      double most)
{
	CHECK(trim_check(reader, name, value, least, most));
	if (value != floor(value))
		return line_fail(reader->lines, "%s = %g is not a whole number", name, value);
	return SONDE_OK;
}
