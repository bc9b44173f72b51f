/* Candidates as bytes, which go from the ranks that compute them to the one that writes. */
#ifndef SONDE_LIBRARY_PACKED_H
#define SONDE_LIBRARY_PACKED_H

#include <stddef.h>

#include "match/library_file.h"

struct packed {
	char *bytes;
	size_t size, capacity;
};
void packed_free(struct packed *packed);

/* The axes, before the first candidate. */
sonde_status packed_add_head(struct packed *packed, const struct library_head *head);
/* A candidate with the curves and errors of the head; `error` is the largest one that is reported. */
sonde_status packed_add(struct packed *packed, const struct library_head *head,
			const struct library_candidate *candidate, double error);

/* Reading, in the same order. Texts and arrays are copies; freed by unpacked_free(). */
struct unpacked {
	struct library_candidate candidate;
	double error;
	void *memory[32];
	int count;
};
void unpacked_free(struct unpacked *unpacked);
/* Axes of a head that has their sizes from here on; to be freed by the caller. *at moves on. SONDE_INTERNAL if the bytes end before. */
sonde_status packed_take_head(const struct packed *packed, size_t *at, struct library_head *head);
sonde_status packed_take(const struct packed *packed, size_t *at, const struct library_head *head,
			 struct unpacked *unpacked);

#endif
