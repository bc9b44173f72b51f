/* Stacks of patterns in a file, written shot by shot: OUTPUT.part, which becomes the result when it is complete.
 *
 * An HDF5 file with the stack /entry_1/data_1/data, as in the Coherent X-ray Imaging format (F. R. N. C. Maia, Nature Methods 9
 * (2012) 854), and the mean as in other results. */
#ifndef SONDE_PATTERN_AVERAGE_SHOTS_H
#define SONDE_PATTERN_AVERAGE_SHOTS_H

#include "pattern/average/turns.h"
#include "pattern/detector/response.h"
#include "pattern/pattern.h"
#include "run/state.h"

struct shots {
	const struct pattern_plan *plan;
	const struct turns *turns;
	int64_t samples;   /* each of them in all orientations, one sample after the other */
	char *path, *part; /* the result, and the file in the meantime */
	bool overwrite;
	struct hdf5_writer *writer; /* null: not open */
	int file;                   /* descriptor of `part` */
	int64_t place;              /* of the first shot in it, in bytes */
	uint64_t checksum, marked;  /* of the shots so far, and of those that a checkpoint keeps */
	bool created, kept;         /* the file; a checkpoint refers to it */
	/* what the detector makes of |F|^2, of a result that has the pixels of the plan; numbers of each thread, null if that changes nothing */
	sonde_pattern_result pixels;
	struct response response;
	int threads;
	double *seen;
	/* of an earlier run */
	int64_t earlier_place;
};

/* SONDE_INVALID unless a stack can be written to a file of this name. */
sonde_status shots_check_format(const char *path);
/* Freed by shots_free(), also after a failure. */
sonde_status shots_begin(int threads, const struct pattern_plan *plan, const struct turns *turns, int64_t samples,
			 const char *path, bool overwrite, struct shots *shots);
/* Creates the file, with the first `done` shots from that of an earlier run. */
sonde_status shots_open(struct shots *shots, int64_t done);
/* Adds shots `first` to first + count - 1, those that follow. */
sonde_status shots_add(struct shots *shots, int64_t first, int64_t count, const double *intensity);
/* The shots so far are those that a checkpoint keeps. */
void shots_mark(struct shots *shots);
/* To the disk, before a checkpoint. */
sonde_status shots_flush(struct shots *shots);
/* The part of a checkpoint. */
sonde_status shots_walk(struct shots *shots, struct state *state);
/* Completes the file with the result, and gives it its name. */
sonde_status shots_finish(struct shots *shots, const sonde_pattern_result *result);
/* Removes the file unless a checkpoint needs it. */
void shots_free(struct shots *shots);

#endif
