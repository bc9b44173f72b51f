/* Text in lines of JSON. */
#ifndef SONDE_CLI_PROGRAM_JSON_H
#define SONDE_CLI_PROGRAM_JSON_H

#include <stddef.h>
#include <stdio.h>

/* Prints `size` bytes as a JSON string, with its quotes. */
void json_print_string(FILE *file, const char *bytes, size_t size);

/* Prints ", "NAME": ["...", ...]" with the lines of a text. */
void json_print_lines(FILE *file, const char *name, const char *lines);

#endif
