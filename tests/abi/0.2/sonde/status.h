/* Statuses and messages: how every function of Sonde says that something went wrong.
 *
 * A function that can fail returns a sonde_status. When it is not SONDE_OK, nothing that the
 * function was asked for exists, its outputs are untouched or null, and sonde_status_message()
 * says in one line what was wrong, where, and what to do.
 */
#ifndef SONDE_STATUS_H
#define SONDE_STATUS_H

#if defined(__GNUC__)
#define SONDE_API __attribute__((visibility("default")))
#else
#define SONDE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sonde_status {
	SONDE_OK = 0,
	SONDE_INVALID = 1,   /* an argument, an option or a file is wrong: mend it and try again */
	SONDE_RESOURCE = 2,  /* memory, disk or a device failed or ran out */
	SONDE_CANCELLED = 3, /* sonde_context_cancel() was called */
	SONDE_INTERNAL = 4,  /* a fault in Sonde itself */
	SONDE_SUSPENDED = 5  /* sonde_context_cancel() was called, and what was done is kept to go on from */
} sonde_status;

/* The version of the library that the program runs with, "major.minor.patch": a constant. That of the headers is in
 * version.h. */
SONDE_API const char *sonde_version(void);

/* The message of the last failure in this thread, one line without a newline; "" before the
 * first. Owned by the library, valid until the thread's next call into it. */
SONDE_API const char *sonde_status_message(void);

#ifdef __cplusplus
}
#endif
#endif
