/* Statuses inside the library. See sonde/status.h for the convention. */
#ifndef SONDE_BASE_STATUS_H
#define SONDE_BASE_STATUS_H

#include "sonde/status.h"

/* Sets the thread's message and yields `status`, so that a failure is one line:
 *     return status_fail(SONDE_INVALID, "%s:%ld: ...", path, line);
 * A macro, so that compilers and analysers see which status it is. */
#define status_fail(status, ...) (status_set_message(__VA_ARGS__), (status))
void status_set_message(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Puts "PREFIX: " before the thread's message (where it happened, known only further up). */
sonde_status status_prefix(sonde_status status, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* Returns from the calling function when `expression` fails. */
#define CHECK(expression)                                  \
	do {                                               \
		sonde_status check_status_ = (expression); \
		if (check_status_ != SONDE_OK)             \
			return check_status_;              \
	} while (0)

/* The same where something must be released: jumps to `label` with the failure in `status`. */
#define CHECK_GOTO(status, expression, label) \
	do {                                  \
		(status) = (expression);      \
		if ((status) != SONDE_OK)     \
			goto label;           \
	} while (0)

/* The first control character, of ASCII or of UTF-8's second block (U+0080 to U+009F), which terminals obey, and the bytes that it has;
 * null if there is none. */
const char *status_find_control(const char *text, int *bytes);

#endif
