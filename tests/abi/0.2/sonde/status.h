/* Statuses and messages: how every function of Sonde reports failures.
 *
 * A function that can fail returns a sonde_status. When it is not SONDE_OK, the function has produced nothing,
 * its outputs are unchanged or null, and
 * sonde_status_message() states in one line what is wrong, where, and what to do.
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
	SONDE_INVALID = 1,   /* an argument, an option or a file is invalid: fix the input and retry */
	SONDE_RESOURCE = 2,  /* memory, disk or a device failed or ran out */
	SONDE_CANCELLED = 3, /* sonde_context_cancel() was called */
	SONDE_INTERNAL = 4,  /* a bug in Sonde */
	SONDE_SUSPENDED = 5  /* sonde_context_cancel() was called, and the work done is kept for resuming */
} sonde_status;

/* The version of the library at run time, "major.minor.patch": a constant. The version of the headers is in
 * version.h. */
SONDE_API const char *sonde_version(void);

/* The message of the last failure in this thread, one line without a newline; "" before the
 * first. Owned by the library, valid until the thread's next call into it. */
SONDE_API const char *sonde_status_message(void);

#ifdef __cplusplus
}
#endif
#endif
