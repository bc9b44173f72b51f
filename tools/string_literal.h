/* C string literals, for the tools that embed texts: compilers read them many times faster than lists of numbers. */
#ifndef TOOLS_STRING_LITERAL_H
#define TOOLS_STRING_LITERAL_H

#include <stdio.h>

/* One character within an open literal; a newline in the text also starts a new line in the file. */
static inline void put_literal(int c)
{
	if (c == '\n')
		fputs("\\n\"\n\"", stdout);
	else if (c == '"' || c == '\\' || c == '?') /* no trigraphs */
		printf("\\%c", c);
	else if (c >= ' ' && c < 127)
		putchar(c);
	else
		printf("\\%03o", (unsigned)c);
}

#endif
