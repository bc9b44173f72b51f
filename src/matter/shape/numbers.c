#include "matter/shape/numbers.h"

#include <string.h>

#include "base/text.h"

/* The next word of a list, from *start on: its end, and *start at its beginning; null after the last one. At most one
 * comma or semicolon stands between two words. */
static const char *next_word(const char **start, const char *end, bool first)
{
	bool separated = first;
	const char *c = *start;

	for (; c < end && strchr(",; \t", *c) != NULL; ++c) {
		if ((*c == ',' || *c == ';') && separated)
			return NULL;
		separated = separated || *c == ',' || *c == ';';
	}
	*start = c;
	while (c < end && strchr(",; \t", *c) == NULL)
		++c;
	return c > *start ? c : NULL;
}

static bool only_blanks(const char *start, const char *end)
{
	while (start < end && (*start == ' ' || *start == '\t'))
		++start;
	return start == end;
}

bool numbers_real(const char *start, const char *end, int count, double *numbers)
{
	for (int k = 0; k < count; ++k) {
		const char *stop = next_word(&start, end, k == 0);
		if (stop == NULL || !text_parse_real(start, stop, &numbers[k]))
			return false;
		start = stop;
	}
	return only_blanks(start, end);
}

bool numbers_integer(const char *start, const char *end, int count, int64_t *numbers)
{
	for (int k = 0; k < count; ++k) {
		const char *stop = next_word(&start, end, k == 0);
		if (stop == NULL || !text_parse_integer(start, stop, &numbers[k]))
			return false;
		start = stop;
	}
	return only_blanks(start, end);
}
