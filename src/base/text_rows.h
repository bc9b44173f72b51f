/* Rows of numbers formatted by several threads. */
#ifndef SONDE_BASE_TEXT_ROWS_H
#define SONDE_BASE_TEXT_ROWS_H

#include <stdint.h>

#include "base/text.h"

/* Appends rows `first` to `end` - 1 in their order. `format` appends some of them to a text, and is called by up to
 * `threads` threads at once. Failures are those of the text: text_status(). */
void text_append_rows(struct text *text, int threads, int64_t first, int64_t end,
		      void (*format)(const void *user, int64_t first, int64_t end, struct text *text),
		      const void *user);

#endif
