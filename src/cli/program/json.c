#include "cli/program/json.h"

#include <string.h>

void json_print_string(FILE *file, const char *bytes, size_t size)
{
	fputc('"', file);
	for (size_t k = 0; k < size; ++k) {
		if ((unsigned char)bytes[k] < ' ')
			fprintf(file, "\\u%04x", (unsigned)bytes[k]);
		else
			fprintf(file, bytes[k] == '"' || bytes[k] == '\\' ? "\\%c" : "%c", bytes[k]);
	}
	fputc('"', file);
}

void json_print_lines(FILE *file, const char *name, const char *lines)
{
	const char *before = "";

	fprintf(file, ", \"%s\": [", name);
	while (*lines != '\0') {
		size_t length = strcspn(lines, "\n");
		fputs(before, file);
		json_print_string(file, lines, length);
		lines += length + (lines[length] == '\n');
		before = ", ";
	}
	fputc(']', file);
}
