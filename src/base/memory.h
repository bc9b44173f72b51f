/* Allocation that checks for overflow; its messages name the object that did not fit. */
#ifndef SONDE_BASE_MEMORY_H
#define SONDE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* *pointer = count * size zeroed bytes (at least one), 64-byte aligned up to half a gigabyte, to be released with free(). `what`
 * names it in the message. *pointer is null after a failure. */
sonde_status memory_allocate(void *pointer, size_t count, size_t size, const char *what);

/* The same without clearing, for arrays that several threads fill: one thread takes 0.3 s to clear a gigabyte. */
sonde_status memory_allocate_to_fill(void *pointer, size_t count, size_t size, const char *what);

/* The same for buffers that all threads write. Large ones are mapped: they begin with a page, and a page is cleared
 * when it is first accessed, by the thread that does so. To be released by memory_release_pages(), which accepts
 * null. Huge pages are not requested: on virtual machines the system may take longer to find and clear them. */
sonde_status memory_allocate_pages(void *pointer, size_t bytes, const char *what);
void memory_release_pages(void *pointer);
/* The number of bytes that were asked for. */
size_t memory_size_of_pages(const void *pointer);

/* SONDE_RESOURCE, "not enough memory for WHAT". */
void memory_report_missing(const char *what);
#define memory_missing(what) (memory_report_missing(what), SONDE_RESOURCE)
/* *to = a copy of a text, to be released with free(); of "" for null. */
sonde_status memory_copy_text(const char *from, char **to, const char *what);

/* Grows the array *pointer to hold at least `needed` elements, by half at least; *capacity is in
 * elements. The old array survives a failure. */
sonde_status memory_grow(void *pointer, size_t *capacity, size_t needed, size_t size, const char *what);

/* Whether this much can be allocated at this moment; it stays free: a check before calls of libraries that do not survive a lack of memory.
 * */
bool memory_is_left(size_t bytes);

/* Bytes that the machine can still provide without swapping; UINT64_MAX if unknown. */
uint64_t memory_available(void);
/* Bytes of main memory. */
uint64_t memory_installed(void);
/* Peak memory of this process in bytes. */
uint64_t memory_peak(void);

/* For tests: the n-th allocation from now on fails (1 = the next); 0 disables this. */
void memory_fail_after(int64_t allocations);

#endif
