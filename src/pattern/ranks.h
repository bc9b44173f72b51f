/* Several ranks of a job of MPI (parallel/parallel.h): they share the pieces of each picture, and rank 0 has all of its values; on others
 * only those of their own pieces are filled. What is decided or found by one rank is made known to all. */
#ifndef SONDE_PATTERN_RANKS_H
#define SONDE_PATTERN_RANKS_H

#include "pattern/pattern.h"

/* Whether there are several. */
bool pattern_has_ranks(const sonde_context *context);
/* The choices of rank 0 for the plan of all, which may depend on free memory. */
sonde_status pattern_ranks_choose(sonde_context *context, struct pattern_plan *plan);
/* Of rank 0, which has the values: the error that it has found. */
sonde_status pattern_ranks_error(sonde_context *context, double *error, int64_t *checked);
/* What ranks exchange of a point: its amplitude, from which the intensity follows later, or is its square; or both. */
enum pattern_packed { PACKED_AMPLITUDES, PACKED_SQUARES, PACKED_ALL };
/* The values at `count` points, numbers point(of, n), for rank 0; and those from another rank. */
void pattern_pack(int threads, const struct pattern_values *values, enum pattern_packed what, int64_t count,
		  int64_t (*point)(const void *of, int64_t n), const void *of, struct text *packed);
sonde_status pattern_unpack(int threads, const struct pattern_values *values, enum pattern_packed what, int64_t count,
			    int64_t (*point)(const void *of, int64_t n), const void *of, const char *bytes,
			    size_t size);
/* The pieces of a round that are finished on rank 0, which knows those of all. */
sonde_status pattern_ranks_finished(sonde_context *context, unsigned char *finished, uint64_t count);
/* Seconds after which ranks exchange what is to be kept. */
#define PATTERN_ROUND 50.0

#endif
