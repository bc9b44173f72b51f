#include "base/option_blanks.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static bool separates(char byte)
{
	return byte != '\0' && strchr(",;:=/@*", byte) != NULL;
}

void option_drop_blanks(char *text)
{
	char *to = text;
	bool within = false; /* blanks at this place are kept */

	for (const char *from = text; *from != '\0';) {
		const char *next = from;
		while (is_blank(*next))
			++next;
		const bool blanks = next > from, separator = separates(*next) || (blanks && *next == '+');
		if (*next == '\0')
			break;
		if (within && !separator && blanks) {
			memmove(to, from, (size_t)(next - from));
			to += next - from;
		}
		*to++ = *next;
		within = !separator;
		from = next + 1;
	}
	*to = '\0';
}
