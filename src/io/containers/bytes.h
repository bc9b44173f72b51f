/* Binary files, plain or gzip, read by numbers of bytes. */
#ifndef SONDE_IO_BYTES_H
#define SONDE_IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct byte_reader;

/* Opens a file. Fails if it is missing, a folder, or unreadable. */
sonde_status byte_reader_open(struct byte_reader **reader, const char *path);
void byte_reader_close(struct byte_reader **reader);
/* Reads exactly this many bytes; fails if the file ends earlier or is damaged. */
sonde_status byte_reader_take(struct byte_reader *reader, void *bytes, size_t size);
/* Skips this many bytes; the end of the file is not noticed before the next reading. */
sonde_status byte_reader_skip(struct byte_reader *reader, size_t size);
/* Reads a line of text without its end, at most size - 1 bytes of it. */
sonde_status byte_reader_line(struct byte_reader *reader, char *line, size_t size);
/* Reads a word, skipping blanks and line ends before it and one after it; fails if it is longer than size - 1. */
sonde_status byte_reader_word(struct byte_reader *reader, char *word, size_t size);
/* Whether the end of the file is reached. */
bool byte_reader_ended(struct byte_reader *reader);

#endif
