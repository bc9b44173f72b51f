/* Common to the fuzz targets. Each passes bytes to a reader and aborts if the result contradicts itself. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"

__attribute__((visibility("default"))) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                      \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                               \
	} while (0)

/* A failure has a message of one line. */
#define REQUIRE_MESSAGE() \
	REQUIRE(sonde_status_message()[0] != '\0' && strpbrk(sonde_status_message(), "\n\r\x1b") == NULL)

/* The path of a file in memory that holds these bytes until the next call. */
static inline const char *memory_file(const void *data, size_t size)
{
	static int descriptor = -1;
	static char path[64];

	if (descriptor < 0) {
		descriptor = memfd_create("fuzz", MFD_CLOEXEC);
		REQUIRE(descriptor >= 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
	}
	REQUIRE(ftruncate(descriptor, 0) == 0);
	REQUIRE(pwrite(descriptor, data, size, 0) == (ssize_t)size);
	return path;
}

/* The bytes as a terminated string, to be freed. */
static inline char *as_string(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	REQUIRE(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif
