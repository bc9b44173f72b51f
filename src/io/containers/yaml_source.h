/* The text of a YAML file before its nodes are looked at: read, and checked for what no reader accepts. */
#ifndef SONDE_IO_YAML_SOURCE_H
#define SONDE_IO_YAML_SOURCE_H

#include <stddef.h>
#include <yaml.h>

#include "base/status.h"

struct yaml_source {
	const char *path;
	const char *option; /* the option whose text is read; null: a file */
	size_t largest;     /* maximum number of bytes of a file */
	char *bytes;        /* to be released with free(), where yaml_source_read() set it */
	size_t size;
};

/* Reads the file; fails if it is too large or contains zero bytes. */
sonde_status yaml_source_read(struct yaml_source *source);
/* Fails at aliases, a second document, more than sixteen levels, texts with a zero byte, and if there is no document: libyaml's loader descends
 * recursively and follows aliases. */
sonde_status yaml_source_check(const struct yaml_source *source);
/* A failure of the parser. */
sonde_status yaml_source_parser_failure(const struct yaml_source *source, const yaml_parser_t *parser);
/* A failure at a place, "FILE:LINE:COLUMN: WHAT". */
sonde_status yaml_source_fail(const struct yaml_source *source, yaml_mark_t mark, const char *what);
/* Adds the place to the thread's message; returns `status`. */
sonde_status yaml_source_place(const struct yaml_source *source, yaml_mark_t mark, const char *key,
			       sonde_status status);

#endif
