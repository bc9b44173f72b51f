/* Text files that may be long, plain or, if their name ends in .gz, compressed: written block by block, complete or
 * absent. */
#ifndef SONDE_IO_TEXT_OUTPUT_H
#define SONDE_IO_TEXT_OUTPUT_H

#include "base/file.h"
#include "base/text.h"

struct text_output {
	struct file_output output;
	void *compressed;  /* null for plain text */
	struct text block; /* append here, and flush now and then */
};

sonde_status text_output_open(struct text_output *file, const char *path, bool overwrite);
/* Writes the block and empties it. */
sonde_status text_output_flush(struct text_output *file);
/* Numbers as text, the work of `threads`: `format` appends those from first to end - 1 of `count`. The block is flushed
 * before. */
sonde_status text_output_numbers(struct text_output *file, int threads, int64_t count,
				 void (*format)(const void *user, int64_t first, int64_t end, struct text *text),
				 const void *user);
/* Ends the file: with SONDE_OK it gets its name, else nothing is left. Returns `status`, or what went wrong. Harmless on
 * one that is not open. */
sonde_status text_output_close(struct text_output *file, sonde_status status);

#endif
