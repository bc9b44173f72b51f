/* Text files line by line, plain or gzip, with line numbers for messages. */
#ifndef SONDE_IO_LINES_H
#define SONDE_IO_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define LINE_SIZE 65536 /* bytes of the longest line accepted */

struct line_reader;

/* Opens a file. Fails if it is missing, a folder, or unreadable. */
sonde_status line_reader_open(struct line_reader **reader, const char *path);
void line_reader_close(struct line_reader **reader);

/* Reads the next line, without its end ("\n" or "\r\n") and a byte order mark at the start of the file, into *line, valid until
 * the next call; null at the end of the file. Fails on damaged gzip data, zero bytes (a binary file) and lines beyond LINE_SIZE.
 * */
sonde_status line_reader_next(struct line_reader *reader, char **line);

/* Reads up to `most` lines at once, at least one unless the file has ended; they are valid until the next call. Usually
 * returns only those that are in memory. Fails if line_reader_next() would fail at the first of them. */
sonde_status line_reader_next_lines(struct line_reader *reader, char **lines, int64_t most, int64_t *count);

/* From now on messages refer to line `number`, one of those read last; after the last of them the reader continues.
 * */
void line_reader_point_at(struct line_reader *reader, int64_t number);
/* Number of the last line read, from 1. */
int64_t line_reader_number(const struct line_reader *reader);
const char *line_reader_path(const struct line_reader *reader);

#endif
