/* Libraries of computed patterns of many structures, the candidates of sonde/match.h: `sonde library` (docs/match_library.md). */
#ifndef SONDE_LIBRARY_H
#define SONDE_LIBRARY_H

#include <stdint.h>

#include "sonde/context.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was made, or would be made; read-only. */
typedef struct sonde_library_result {
	int64_t structures;        /* of the description */
	int64_t present, repeated; /* of these, in the file before; and the same as earlier ones of the description */
	int64_t made;              /* computed and added; 0 of a plan */
	int64_t total;             /* candidates in the file */
	int64_t fewest_atoms, most_atoms; /* of a structure to be made */
	double atoms, pairs;              /* of all structures to be made: sums */
	double largest_error;             /* largest estimate over <f^2> + I/N of what was made */
	double seconds;                   /* wall time */
} sonde_library_result;

/* Makes the library that a description (a YAML file) describes, or extends it: structures that the file has are not computed again. An
 * existing file is replaced only with `overwrite`. The file is complete from time to time: after a request to stop
 * (sonde_context_cancel()), SONDE_SUSPENDED, also if it has no structure yet, or an end of the process, another call continues. SONDE_INVALID for bad descriptions, and for an existing file with other options. *result is null after a failure, otherwise to be
 * freed by sonde_library_result_free(). */
SONDE_API sonde_status sonde_library_make(sonde_context *context, const char *description, const char *path,
					  int overwrite, sonde_library_result **result);
/* What sonde_library_make() would do; builds the structures, computes no pattern and writes nothing. */
SONDE_API sonde_status sonde_library_plan(sonde_context *context, const char *description, const char *path,
					  int overwrite, sonde_library_result **result);
/* Frees the result and sets *result to null; a null pointer or null result is allowed. */
SONDE_API void sonde_library_result_free(sonde_library_result **result);

#ifdef __cplusplus
}
#endif
#endif
