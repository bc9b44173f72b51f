#include "cli/json.h"

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
