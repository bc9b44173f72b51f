/* Time. */
#ifndef SONDE_BASE_CLOCK_H
#define SONDE_BASE_CLOCK_H

/* Seconds on a clock that never jumps. */
double clock_seconds(void);
/* Processor time of this process in seconds, of all threads. */
double clock_processor_seconds(void);
/* Now in ISO 8601, UTC, as "2026-01-31T12:00:00Z"; `buffer` holds 32 bytes. Returns buffer. */
char *clock_now(char *buffer);

#endif
