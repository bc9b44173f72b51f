/* Common to the unit tests. */
#ifndef TESTS_UNIT_SUPPORT_H
#define TESTS_UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_close.h"
#include "base/status.h"
#include "thorough.h"

/* Fails unless `expression` has this status; prints the message that it left. */
#define assert_status(expected, expression)                                                                       \
	do {                                                                                                      \
		sonde_status is_ = (expression), should_ = (expected);                                            \
		if (is_ != should_)                                                                               \
			fail_msg("%s: status %d instead of %d; message: %s", #expression, (int)is_, (int)should_, \
				 sonde_status_message());                                                         \
	} while (0)

/* Fails unless the last message holds `words`. */
#define assert_message(words)                                                                        \
	do {                                                                                         \
		if (strstr(sonde_status_message(), (words)) == NULL)                                 \
			fail_msg("'%s' is not in the message: %s", (words), sonde_status_message()); \
	} while (0)

/* Both: `expression` is invalid, and its message holds `words`. */
#define assert_invalid(words, expression)                 \
	do {                                              \
		assert_status(SONDE_INVALID, expression); \
		assert_message(words);                    \
	} while (0)

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A folder of this process, removed when it ends. */
const char *test_folder(void);
/* FOLDER/name; the answer lives until eight more were asked for. */
const char *test_path(const char *name);
/* Number of entries in the folder. */
int test_folder_entries(void);

/* Writes a file into the folder and returns its path. */
const char *test_write(const char *name, const void *bytes, size_t size);
const char *test_write_text(const char *name, const char *text);
const char *test_write_gzip(const char *name, const void *bytes, size_t size);
/* The bytes of a file with a zero after them, to be freed; null if it cannot be read. */
char *test_read(const char *path, size_t *size);

/* Random bits (splitmix64), the same in every run. */
uint64_t test_random(uint64_t *state);
/* Uniform in [0, 1). */
double test_random_real(uint64_t *state);

#endif
