/* The candidates of a measured curve: those of libraries, and results of sonde debye, each of which is one candidate. */
#ifndef SONDE_MATCH_CANDIDATES_H
#define SONDE_MATCH_CANDIDATES_H

#include <stdbool.h>
#include <stdint.h>

#include "match/library_file.h"
#include "match/scan_device.h"

/* Candidates on one axis. */
struct candidate_source {
	struct library library; /* its reader is null if the curves are in memory: */
	float *rows;            /* [count][points] */
	char **paths;           /* of the files; and SHA-256 of their samples, "" if not known */
	char (*keys)[LIBRARY_KEY + 1];
	uint64_t *atoms;
	size_t capacity;
	int64_t first, count; /* numbers of its candidates in the set */
	int64_t points;
	const double *axis;         /* owned by library.head */
	struct scan_rows on_device; /* curves in the memory of a GPU, after a scan there */
};

struct candidates {
	struct candidate_source *sources;
	size_t source_count, source_capacity;
	int64_t count;
	enum library_curve curve;
	enum library_radiation radiation;
	double low, high; /* the part that all axes have in common */
};

/* Opens files as candidates for curves of a kind; -1: over r, G, else the first that the first file has. SONDE_INVALID if a file has none, radiations
 * differ, or the axes have no part in common. Freed by candidates_close(). */
sonde_status candidates_open(const char *const *paths, int64_t count, int curve, bool of_r,
			     struct candidates *candidates);
/* An axis for curves that are made later, without candidates. */
sonde_status candidates_on_axis(enum library_curve curve, enum library_radiation radiation, const double *axis,
				int64_t points, struct candidates *candidates);
void candidates_close(struct candidates *candidates);
/* Some curves of one source. One thread at a time for libraries. */
sonde_status candidates_read(struct candidate_source *source, enum library_curve curve, int64_t first, int64_t count,
			     float *rows);
struct candidate_source *candidates_source(const struct candidates *candidates, int64_t candidate);
/* What is known of a candidate; freed by library_entry_free(). */
sonde_status candidates_entry(const struct candidates *candidates, int64_t candidate, struct library_entry *entry);
/* Keys of all, LIBRARY_KEY bytes each, to be freed. */
sonde_status candidates_keys(const struct candidates *candidates, char **keys);

#endif
