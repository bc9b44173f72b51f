#include "io/text/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* also a carriage return within a line, as in files that several systems have edited */
#define BLANKS " \t\r\v\f"

int words_split(const char *line, struct word *words, int most)
{
	int count = 0;

	for (const char *c = line; *c != '\0' && count < most;) {
		c += strspn(c, BLANKS);
		size_t length = strcspn(c, BLANKS);
		if (length > 0)
			words[count++] = (struct word){c, c + length};
		c += length;
	}
	return count;
}

bool word_is(const struct word *word, const char *text)
{
	size_t length = (size_t)(word->end - word->start);

	return length == strlen(text) && strncmp(word->start, text, length) == 0;
}

sonde_status line_fail(const struct line_reader *reader, const char *format, ...)
{
	char what[300], marked[300];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof what, option_marks(format, marked, sizeof marked), arguments);
	va_end(arguments);
	return status_fail_line(SONDE_INVALID, line_reader_path(reader), line_reader_number(reader), "%s", what);
}

static int shown(const struct word *word)
{
	return word->end - word->start > 40 ? 40 : (int)(word->end - word->start);
}

sonde_status word_real(const struct line_reader *reader, const struct word *word, const char *what, double *value)
{
	if (!text_parse_real(word->start, word->end, value))
		return line_fail(reader, "%s = '%.*s' is not a finite number%s", what, shown(word), word->start,
				 memchr(word->start, ',', (size_t)(word->end - word->start)) != NULL
				     ? "; decimals have a point, as 10.5"
				     : "");
	return SONDE_OK;
}

sonde_status word_integer(const struct line_reader *reader, const struct word *word, const char *what, int64_t *value)
{
	if (!text_parse_integer(word->start, word->end, value))
		return line_fail(reader, "%s = '%.*s' is not a whole number", what, shown(word), word->start);
	return SONDE_OK;
}
