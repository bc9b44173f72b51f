/* Text files that may be long, plain or, if their name ends in .gz, compressed: written block by block, complete or
 * absent. A compressed file consists of gzip members (RFC 1952, section 2.2) of a fixed number of bytes, so that several
 * threads make the same file as one. */
#ifndef SONDE_IO_TEXT_OUTPUT_H
#define SONDE_IO_TEXT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/text.h"

struct text_output {
	struct file_output output;
	bool compressed;
	int threads;         /* that compress; at least 1 */
	int64_t members;     /* written so far */
	struct text pending; /* to be compressed */
	struct text block;   /* to be appended to, and flushed from time to time */
};

sonde_status text_output_open(struct text_output *file, const char *path, bool overwrite);
/* Writes the block and empties it. */
sonde_status text_output_flush(struct text_output *file);
/* Formats numbers as text on `threads` threads: `format` appends those from first to end - 1 of `count`. The block is
 * flushed first. */
sonde_status text_output_numbers(struct text_output *file, int threads, int64_t count,
				 void (*format)(const void *user, int64_t first, int64_t end, struct text *text),
				 const void *user);
/* Ends the file: with SONDE_OK it gets its name, else no file is left. Returns `status`, or the failure of this call. A
 * no-op if none is open. */
sonde_status text_output_close(struct text_output *file, sonde_status status);

#endif
